"""The differences that decide axioms, by the reference's equations over symbols."""

from __future__ import annotations

import pytest
import sympy

from rankspec.reference.cascade import err
from rankspec.reference.dcg import dcg
from rankspec.reference.length import ldcg

from .proof import equal, symbols

d1, d2, d3, w1, w2, w3, x, y = symbols("d1 d2 d3 w1 w2 w3 x y")
d = {1: d1, 2: d2, 3: d3}.__getitem__
w = {1: w1, 2: w2, 3: w3}.__getitem__


def g(label: sympy.Expr) -> sympy.Expr:
    """A label is its own gain, or its own probability to stop."""
    return label


def length_adjusted(*labels: sympy.Expr) -> sympy.Expr:
    return ldcg(labels, 3, g, d, w, 1)


@pytest.mark.spec("RS-AXM-2", "RS-AXM-2/L1", "RS-AXM-20", "RS-AXM-20/L1")
def test_a_result_more_adds_what_is_not_below_0():
    assert equal(dcg([x, y], 2, g, d) - dcg([x], 2, g, d), y * d2)
    assert equal(err([x, y], 2, g) - err([x], 2, g), (1 - x) * y / 2)
    assert dcg([x, y], 1, g, d) == dcg([x], 1, g, d)
    assert not equal(err([x, y], 2, g) - err([x], 2, g), y / 2)  # control


@pytest.mark.spec("RS-AXM-3", "RS-AXM-3/L1", "RS-AXM-3/L2")
def test_what_decides_c2():
    assert equal(dcg([x, x], 2, g, d) - dcg([x], 2, g, d), x * d2)
    assert equal(err([x, x], 2, g) - err([x], 2, g), x * (1 - x) / 2)
    assert (err([x, x], 2, g) - err([x], 2, g)).subs(x, 1) == 0
    assert not equal(err([x, x], 2, g) - err([x], 2, g), x / 2)  # control


@pytest.mark.spec("RS-AXM-4", "RS-AXM-4/L2")
def test_when_more_worse_results_win():
    """<x> against <x, y, y>: the sum over the ranks 2 and 3 decides."""
    S = w1 * d1 + w2 * d2 + w3 * d3
    decides = d2 * (y * w1 - x * w2) + d3 * (y * w1 - x * w3)
    difference = length_adjusted(x, y, y) - length_adjusted(x)
    assert equal(difference, decides / (w1 * S))
    assert not equal(difference, d2 * (y * w1 - x * w2) / (w1 * S))  # control


@pytest.mark.spec("RS-AXM-5", "RS-AXM-5/L2")
def test_when_a_third_result_as_good_raises_ldcg():
    """Its sign is that of S(2) - w(3) D(2), a sum of d(i) (w(i) - w(3))."""
    two, three = w1 * d1 + w2 * d2, w1 * d1 + w2 * d2 + w3 * d3
    difference = length_adjusted(x, x, x) - length_adjusted(x, x)
    decides = d1 * (w1 - w3) + d2 * (w2 - w3)
    assert equal(difference, x * d3 * decides / (two * three))
    assert not equal(difference, x * d3 * d1 * (w1 - w3) / (two * three))  # control


@pytest.mark.spec("RS-AXM-16", "RS-AXM-16/L1", "RS-AXM-16/L3", "RS-AXM-17", "RS-AXM-17/L3")
def test_what_an_exchange_of_neighbours_adds():
    """Of a sum (y - x) (d(2) - d(3)); of ERR it falls with the rank, and with who has stopped."""
    stop = symbols("z")[0]
    assert equal(dcg([stop, y, x], 3, g, d) - dcg([stop, x, y], 3, g, d), (y - x) * (d2 - d3))
    assert equal(err([stop, y, x], 3, g) - err([stop, x, y], 3, g), (1 - stop) * (y - x) / (2 * 3))
    assert not equal(err([stop, y, x], 3, g) - err([stop, x, y], 3, g), (y - x) / 6)  # control
