"""The Q-measure of the core: values, and what it leaves to the reference."""

from __future__ import annotations

import math
import random
from array import array
from fractions import Fraction
from itertools import permutations, product

import pytest

import rankspec as rs
from rankspec.compute.batch import Batch
from rankspec.metrics.measure import make

from .test_cascade import batch_of, undecided_share


def q(labels, judged, k, beta):
    """By the definition, rounded."""
    return float(exact_q(labels, judged, k, beta))


def exact_q(labels, judged, k, beta):
    """By the definition, in fractions."""
    best = sorted(judged, reverse=True)
    total = Fraction(0)
    for i in range(1, min(k or len(labels), len(labels)) + 1):
        shown = labels[:i]
        if shown[-1]:
            hits = sum(x > 0 for x in shown)
            total += Fraction(hits + beta * sum(shown), i + beta * sum(best[:i]))
    divisor = min(k or len(judged), sum(x > 0 for x in judged))
    return total / divisor if divisor else Fraction(0)


def mean_q(groups, judged, k, beta):
    """The mean over all orders of the tie groups."""
    orders = list(product(*map(permutations, groups)))
    of_orders = (exact_q([x for T in order for x in T], judged, k, beta) for order in orders)
    return float(sum(of_orders) / len(orders))


@pytest.mark.spec("RS-UTL-3", "RS-NUM-61", "RS-NUM-61/L1")
@pytest.mark.parametrize("beta", [0, 1, 7, 2**20])
def test_values_are_those_of_the_definition(beta):
    rng = random.Random(beta)
    for _ in range(150):
        labels = rng.choices([0, 0, 0, 1, 2, 3, 200], k=rng.randint(0, 30))
        judged = labels + rng.choices([0, 1, 2, 255], k=rng.randint(0, 9))
        rng.shuffle(judged)
        cutoffs = [1, 2, 5, 10, 40]
        found = rs.q_measure(labels, judged=judged, k=cutoffs, beta=beta, backend="c").tolist()
        assert found == [q(labels, judged, k, beta) for k in cutoffs]
        assert (
            found
            == rs.q_measure(
                labels, judged=judged, k=cutoffs, beta=beta, backend="reference"
            ).tolist()
        )
    shifted = [q([0, *labels], judged, k, beta) for k in cutoffs]
    assert shifted != found or not any(found)  # the control


@pytest.mark.spec("RS-EXP-55", "RS-EXP-56", "RS-NUM-61", "RS-NUM-61/L1")
@pytest.mark.parametrize("beta", [0, 1, 2**20])
def test_tied_values_are_means_over_the_orders(beta):
    rng = random.Random(beta + 1)
    for _ in range(25):
        groups = [
            rng.choices([0, 0, 1, 2, 200], k=rng.randint(1, 3)) for _ in range(rng.randint(1, 3))
        ]
        labels = [x for T in groups for x in T]
        scores = [-a for a, T in enumerate(groups) for _ in T]
        judged = labels + rng.choices([0, 1, 2, 255], k=rng.randint(0, 3))
        cutoffs = [1, 2, 3, 5, 10]
        given = {"scores": scores, "judged": judged, "k": cutoffs, "beta": beta}
        found = rs.q_measure(labels, backend="c", **given).tolist()
        assert found == [mean_q(groups, judged, k, beta) for k in cutoffs]
    assert found != [mean_q([[0], *groups], judged, k, beta) for k in cutoffs] or not any(found)


HALFWAY = [
    [[3140410145], [930847395], [1752995437], [1200367646]],
    [[2675604912], [2185596105, 160732175, 1623363793]],
    [[1088388251, 3056345743], [2048742765, 1350594306]],
]
"""Gains of tie groups whose Q is in the middle of two doubles, though no quotient is whole. A pool
of as many items that gain 3688045021 each: 1 + beta times that is 3 · 2^50."""


@pytest.mark.spec("RS-NUM-61", "RS-NUM-61/L1")
@pytest.mark.parametrize("groups", HALFWAY, ids=["not tied", "1 and 3", "2 and 2"])
def test_what_is_cut_off_of_the_quotients_counts(groups):
    gains = [g for T in groups for g in T]
    table = [0, *sorted(gains), 3688045021]
    labels = [table.index(g) for g in gains]
    scores = [-a for a, T in enumerate(groups) for _ in T]
    best = [len(table) - 1] * len(gains)
    given = {"judged": best, "gain": table, "beta": 915851, "check": False}
    orders = list(product(*map(permutations, groups)))
    pool = [3688045021] * len(gains)
    of_orders = [exact_q([g for T in order for g in T], pool, None, 915851) for order in orders]
    exact = sum(of_orders) / len(orders)
    assert exact.numerator.bit_length() == 54
    assert exact.denominator & (exact.denominator - 1) == 0
    below = math.floor(exact * 2**54 / 2) * 2.0**-53  # as if nothing had been cut off
    found = rs.q_measure(labels, scores=scores, backend="c", **given)
    assert found == float(exact) != below


@pytest.mark.spec("RS-NUM-61", "RS-NUM-61/L2")
def test_the_limits_of_the_core():
    """Large gains, a pool that does not cover the list, fractions, ties: by either backend."""

    def tied(n, **given):
        return {"scores": [1] * n, "beta": 2**20, **given}

    for labels, given in (
        ([1, 0, 2], {"gain": [0, 2**31, 2**32 - 1], "beta": 2**20}),
        ([1, 0, 2], {"gain": [0, 2**31, 2**32]}),
        ([1, 0, 2], {"gain": [0, 0.5, 2]}),
        ([3, 2, 1], {"judged": [1], "check": False}),
        ([1.5, 0, 2], {}),
        ([2, 1, 0], {"scores": [1, 1, 1]}),
        ([2, 2, 1], {"scores": [1, 1, 0], "judged": [1], "check": False}),
        ([1, 0, 2], {"scores": [1, 1, 1], "gain": [0, 2**31, 2**32 - 1], "beta": 2**20}),
        ([1, 2] * 40, tied(80, gain=[0, 2**31 + 1, 2**32 - 1])),
        ([2] * 60, tied(60, gain=[0, 1, 2**32 - 1], judged=[1], check=False)),
        ([1, 0, 2], {"scores": [1, 1, 1], "beta": 0.5}),
        ([0, 255, 1] * 100, {"scores": [2, 1, 1] * 100, "beta": 2**20}),
        ([1, 0, 2], {"beta": 0.5}),
        ([1, 0, 2], {"beta": 2**20 + 1}),
        ([1, 0, 300], {}),
        ([0, 255] * 500, {"beta": 2**20}),
        ([], {"judged": [1]}),
    ):
        by_core = rs.q_measure(labels, backend="c", **given)
        assert by_core == rs.q_measure(labels, backend="reference", **given), (labels, given)


def test_usual_lists_are_decided(monkeypatch):
    wanted = [make(rs.Q_measure, k) for k in (1, 2, 5, 10, None)]
    for tied in (1, 0.3):  # of the items, those that begin a group
        batch = batch_of(random.Random(5), 60, 25, tied)
        own = Batch(batch.labels, batch.offsets, batch.starts)
        assert undecided_share(monkeypatch, wanted, own) <= 0.02


def test_bad_labels_are_refused_where_they_are():
    labels, offsets = array("d", [1, 0, 2, float("nan")]), array("q", [0, 2, 4])
    with pytest.raises(rs.InputError, match="list 1, position 1"):
        rs.q_measure(labels, offsets=offsets, backend="c")
    with pytest.raises(rs.InputError, match=r"judged: .*position 1"):
        rs.q_measure([1, 0], judged=[1, -1], backend="c")
