"""Metrics of whole gains and their ideal ranking, of the core: G, and averages of nDCG."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import rankspec as rs
from rankspec.compute.batch import Batch
from rankspec.metrics.measure import make

from ..each import in_lane, thinned
from .batches import undecided_share
from .test_cascade import batch_of


def exact_rel(labels, judged, k):
    """nDCG_rel with the discount 1, in fractions."""
    best = sorted(judged, reverse=True)
    relevant = sum(x > 0 for x in judged)
    if not relevant:
        return Fraction(0)
    n = min(k, len(labels))
    ranks = [i for i in range(1, n + 1) if labels[i - 1]]
    total = sum((Fraction(sum(labels[:i]), sum(best[:i])) for i in ranks), Fraction(0))
    return (total + (relevant - len(ranks)) * Fraction(sum(labels[:n]), sum(best))) / relevant


def exact_levels(labels, judged, k):
    """nDCG_levels with the discount 1, in fractions."""
    best = sorted(judged, reverse=True)
    ends = [sum(x >= level for x in judged) for level in sorted({*judged} - {0}, reverse=True)]
    n = min(k, len(labels))
    if ends and n >= ends[-1] + 2:
        ends.append(n)
    total = sum((Fraction(sum(labels[: min(t, n)]), sum(best[:t])) for t in ends), Fraction(0))
    return total / len(ends) if ends else Fraction(0)


AVERAGES = [(rs.ndcg_rel, exact_rel), (rs.ndcg_levels, exact_levels)]


@pytest.mark.spec("RS-DCG-10", "RS-DCG-11", "RS-NUM-63", "RS-NUM-63/L1")
@pytest.mark.parametrize(("function", "exact"), AVERAGES, ids=["rel", "levels"])
@pytest.mark.parametrize(
    "given", [{}, {"gain": "exp2"}, {"discount": "zipf"}, {"gain": [0, 0, 5, 9, 9]}]
)
def test_averages_of_ndcg_are_those_of_the_reference(function, exact, given):
    rng = random.Random(2)
    for _ in range(40):
        labels = rng.choices([0, 0, 1, 2, 3, 4], k=rng.randint(0, 25))
        judged = labels + rng.choices([0, 1, 4], k=rng.randint(0, 9))
        call = {"judged": judged, "k": [1, 2, 5, 10, 60]}
        by_core = function(labels, backend="c", **given, **call).tolist()
        assert by_core == function(labels, backend="reference", **given, **call).tolist()
        if not given:
            undiscounted = function(labels, backend="c", discount="none", **call).tolist()
            assert undiscounted == [float(exact(labels, judged, k)) for k in call["k"]]


@pytest.mark.spec("RS-DCG-10", "RS-DCG-11", "RS-NUM-63")
@pytest.mark.parametrize("function", [rs.ndcg_rel, rs.ndcg_levels])
def test_what_the_core_leaves_of_averages_has_the_same_value(function):
    """A pool that does not cover the list, or is deeper than the table; large gains; no weight."""
    for labels, given in (
        ([3, 2, 1], {"judged": [1], "check": False}),
        ([2, 2, 0], {"scores": [1, 1, 0]}),
        ([2, 0, 1], {"scores": [1, 1, 0]}),
        ([3, 1, 4] * 200, {"gain": [0, 1, 2, 3, 2**32 - 1]}),
        ([1, 0, 2], {"gain": [0, 0.5, 1]}),
        ([1, 0, 2], {"discount": [1, 0.5, 0]}),
        ([1, 0, 2], {"discount": [0, 0, 0]}),
        ([1, 0, 2], {"discount": [1, 1e-300, 1e-300]}),
        ([0, 0, 2], {"discount": [1, 1e-300, 1e-300]}),
        ([1, 0, 2], {"judged": [1, 2] * 40, "discount": "zipf", "k": 2}),
        ([0, 0], {"judged": [0]}),
        ([], {"judged": [1]}),
    ):
        by_core = function(labels, backend="c", **given)
        assert by_core == function(labels, backend="reference", **given), (labels, given)


@thinned
def test_usual_lists_are_decided(monkeypatch):
    batch = batch_of(random.Random(5), in_lane(25, 60), 25, 1)
    wanted = [make(x, k) for x in (rs.nDCG_rel, rs.nDCG_levels, rs.G) for k in (1, 2, 5, 10, None)]
    own = Batch(batch.labels, batch.offsets, batch.starts)
    assert undecided_share(monkeypatch, wanted, own) <= 0.02


@pytest.mark.spec("RS-DCG-13", "RS-NUM-6")
@pytest.mark.parametrize("gain", ["linear", "exp2", [1, 1, 2**29, 2**31 - 1, 2**32 - 1]])
def test_g_of_the_core_is_that_of_the_reference(gain):
    rng = random.Random(3)
    for labels in ([4] * 5, *(rng.choices([0, 0, 1, 2, 3, 4], k=k) for k in range(40))):
        judged = labels + rng.choices([0, 1, 4], k=rng.randint(0, 9))
        call = {"gain": gain, "judged": judged, "k": [1, 2, 5, 10, 60]}
        by_core = rs.g_measure(labels, backend="c", **call).tolist()
        assert by_core == rs.g_measure(labels, backend="reference", **call).tolist()
    tied = {"scores": [1] * 3, "judged": [2, 2, 1, 0]}
    for labels in ([2, 2, 2], [2, 0, 1]):
        by_core = rs.g_measure(labels, backend="c", check=False, **tied)
        assert by_core == rs.g_measure(labels, backend="reference", check=False, **tied)


@pytest.mark.spec("RS-DCG-13")
@pytest.mark.parametrize("backend", ["c", "reference"])
def test_an_irrational_gain_of_g_is_refused(backend):
    rs.g_measure([1, 0.5], backend=backend)
    with pytest.raises(rs.InputError, match=r'labels: 0.5 at position 1: with gain="exp2"'):
        rs.g_measure([1, 0.5], gain="exp2", backend=backend)
    with pytest.raises(rs.InputError, match=r'judged: 1.5 at position 2: with gain="exp2"'):
        rs.g_measure([1, 0], judged=[1, 0, 1.5, -1], gain="exp2", backend=backend)
