"""Laws of returned doubles: what is left of a law after rounding (spec/index.md).

The exact values of small lists are rational numbers by the equation of their metric. Returned
doubles keep their order and their equality. Arithmetic on returned doubles keeps neither.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import pytest

import rankspec as rs
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.measure import Ranking, value
from rankspec.reference.numbers.reals import RATIONALS

from ..each import each
from .test_bounds import rational
from .test_expectation import OF_LOGARITHMS

CUTOFFS = (1, 3, None)
LISTS = [r for n in range(1, 4) for r in product(range(3), repeat=n)]
OF_RATIONALS = [m for m in METRICS if m.name not in OF_LOGARITHMS and not m.relevance]


def exact_and_returned(metric):
    """(exact value, returned double) of every small list at every cut-off, in exact order."""
    pairs = []
    for k in CUTOFFS:
        measure = rational(metric, k)
        returned = measure.of([list(r) for r in LISTS]).tolist()
        for r, double in zip(LISTS, returned, strict=True):
            exact = Fraction(value(measure, Ranking([[x] for x in r], list(r)), RATIONALS))
            pairs.append((exact, double))
    return sorted(pairs)


@each("metric", OF_RATIONALS, fast=15)
@pytest.mark.spec("RS-NUM-1", "RS-NUM-1/L1")
def test_returned_doubles_have_the_order_and_the_equalities_of_exact_values(metric):
    for (x, a), (y, b) in pairwise(exact_and_returned(metric)):
        assert a <= b
        assert x < y or a == b


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("metric", [rs.AP, rs.ERR, rs.nDCG], ids=lambda m: m.name)
def test_arithmetic_on_returned_doubles_keeps_no_equality(metric):
    """The control: sums of exact values are equal, and sums of their doubles are not."""
    found = exact_and_returned(metric)
    sums = [(x + y, a + b) for x, a in found for y, b in found]
    assert any(x == y and a != b for (x, a), (y, b) in pairwise(sorted(sums))), (
        "no law with arithmetic shows its rounding in this small world"
    )


@pytest.mark.spec("RS-BND-8/L3", "RS-DCG-3/L2")
def test_the_two_laws_that_the_index_names_hold_only_before_rounding():
    ratio, ul2 = (x(rs.SP(k=3)).of([0, 1]) for x in (rs.Ratio, rs.UL2))
    assert ratio != ul2 + 1
    assert abs(Fraction(ratio) - Fraction(ul2) - 1) < Fraction(1, 2**52)
    first, second = rs.dcg_vector([1, 1]).tolist()
    assert second - first != rs.dcg([0, 1])
