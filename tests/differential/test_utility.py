"""The Q-measure of the core: values, and what it leaves to the reference."""

from __future__ import annotations

import random
from array import array
from fractions import Fraction

import pytest

import rankspec as rs
from rankspec.compute.batch import Batch
from rankspec.metrics.measure import make

from .test_cascade import batch_of, undecided_share


def q(labels, judged, k, beta):
    """By the definition, in fractions."""
    best = sorted(judged, reverse=True)
    total = Fraction(0)
    for i in range(1, min(k or len(labels), len(labels)) + 1):
        shown = labels[:i]
        if shown[-1]:
            hits = sum(x > 0 for x in shown)
            total += Fraction(hits + beta * sum(shown), i + beta * sum(best[:i]))
    divisor = min(k or len(judged), sum(x > 0 for x in judged))
    return float(total / divisor) if divisor else 0.0


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


@pytest.mark.spec("RS-NUM-61", "RS-NUM-61/L2")
def test_the_limits_of_the_core():
    """Large gains, a pool that does not cover the list, fractions, ties: by either backend."""
    for labels, given in (
        ([1, 0, 2], {"gain": [0, 2**31, 2**32 - 1], "beta": 2**20}),
        ([1, 0, 2], {"gain": [0, 2**31, 2**32]}),
        ([1, 0, 2], {"gain": [0, 0.5, 2]}),
        ([3, 2, 1], {"judged": [1], "check": False}),
        ([1.5, 0, 2], {}),
        ([2, 1, 0], {"scores": [1, 1, 1]}),
        ([1, 0, 2], {"beta": 0.5}),
        ([1, 0, 2], {"beta": 2**20 + 1}),
        ([1, 0, 300], {}),
        ([0, 255] * 500, {"beta": 2**20}),
        ([], {"judged": [1]}),
    ):
        by_core = rs.q_measure(labels, backend="c", **given)
        assert by_core == rs.q_measure(labels, backend="reference", **given), (labels, given)


def test_usual_lists_are_decided(monkeypatch):
    rng = random.Random(5)
    batch = batch_of(rng, 60, 25, 1)
    own = Batch(batch.labels, batch.offsets, None)
    wanted = [make(rs.Q_measure, k) for k in (1, 2, 5, 10, None)]
    assert undecided_share(monkeypatch, wanted, own) <= 0.02


def test_bad_labels_are_refused_where_they_are():
    labels, offsets = array("d", [1, 0, 2, float("nan")]), array("q", [0, 2, 4])
    with pytest.raises(rs.InputError, match="list 1, position 1"):
        rs.q_measure(labels, offsets=offsets, backend="c")
    with pytest.raises(rs.InputError, match=r"judged: .*position 1"):
        rs.q_measure([1, 0], judged=[1, -1], backend="c")
