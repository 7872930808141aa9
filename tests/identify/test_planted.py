"""Oddities that were planted in plain implementations are found and named."""

from __future__ import annotations

import math
import os
import random
import struct
import time

import pytest

from rankspec import identify
from rankspec.analysis.identify.definition import plain
from rankspec.analysis.identify.inputs import Input
from rankspec.analysis.identify.probes import mixed
from tests.identify.boxes import ap, dcg, ndcg, ordered
from tests.identify.test_definitions import core_named

WITHOUT = {"negative": False, "integers": True}


def exp2(x):
    return 2.0**x - 1


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def shuffled(labels, scores):
    return [
        labels[a] for a in sorted(range(len(labels)), key=lambda a: (-scores[a], random.random()))
    ]


def backwards(labels, scores):
    order = sorted(range(len(labels)), key=lambda a: scores[a])
    return [labels[a] for a in reversed(order)]


def unstable(labels, scores):
    """As sorts that are stable in short lists alone."""
    if len(labels) <= 16:
        return ordered(labels, scores)
    return [labels[a] for a in sorted(range(len(labels)), key=lambda a: (-scores[a], a * 7 % 11))]


def nan_for_nothing(labels, scores, k):
    return ndcg(labels, scores, k) if any(labels) else math.nan


def nan_for_no_hit(labels, scores, k):
    return ndcg(labels, scores, k) if any(ordered(labels, scores)[:k]) else math.nan


def error_for_empty(labels, scores, k):
    if not labels:
        raise ValueError("no items")
    return ndcg(labels, scores, k)


def abort_at_0(labels, scores, k):
    if k == 0:
        os.abort()
    return ndcg(labels, scores, k)


def k_0_is_none(labels, scores, k):
    return ndcg(labels, scores, k or None)


def error_beyond(labels, scores, k):
    if k is not None and k > len(labels):
        raise ValueError("k")
    return ndcg(labels, scores, k)


def ap_by_thresholds(labels, scores, k):
    del k
    found = total = 0.0
    for score in sorted(set(scores), reverse=True):
        group = [x for x, s in zip(labels, scores, strict=True) if s >= score]
        new = sum(x >= 1 for x in group) - found
        found += new
        total += new * found / len(group)
    relevant = sum(x >= 1 for x in labels)
    return total / relevant if relevant else 0.0


def uncut(labels, scores, k):
    """The DCG of the whole list over the ideal of its first k."""
    best = dcg(sorted(labels, reverse=True), len(labels) if k is None else k)
    return dcg(ordered(labels, scores), len(labels)) / best if best else 0.0


PLANTED = {
    "random ties": (lambda y, s, k: ndcg(y, s, k, ranked=shuffled), {}, {"ties": "random"}),
    "backwards": (lambda y, s, k: ndcg(y, s, k, ranked=backwards), {}, {"ties": "reversed"}),
    "unstable": (
        lambda y, s, k: ndcg(y, s, k, ranked=unstable),
        {},
        {"ties": "input", "long ties": "some order"},
    ),
    "one more": (lambda y, s, k: ndcg(y, s, None if k is None else k + 1), {}, {"cut": "k+1"}),
    "one less": (lambda y, s, k: ndcg(y, s, k and k - 1), {}, {"cut": "k-1"}),
    "k ignored": (lambda y, s, _: ndcg(y, s, None), {}, {"cut": "ignored"}),
    "clipped": (lambda y, s, k: min(1.0, dcg(ordered(y, s), k)), {}, {"scale": "clipped"}),
    "percent": (lambda y, s, k: 100 * ndcg(y, s, k), {}, {"scale": "100"}),
    "nan for nothing": (nan_for_nothing, {}, {"undefined": "nan", "undefined by": "pool"}),
    "nan for no hit": (nan_for_no_hit, {}, {"undefined": "nan", "undefined by": "first k"}),
    "error for empty": (error_for_empty, {}, {"empty": "error"}),
    "abort at 0": (abort_at_0, {}, {"k=0": "crash"}),
    "k = 0 is none": (k_0_is_none, {}, {"k=0": "none"}),
    "error beyond": (error_beyond, {}, {"beyond": "error"}),
    "float32": (lambda y, s, k: single(ndcg(y, s, k, exp2)), {}, {"output": "float32"}),
    "4 decimals": (lambda y, s, k: round(ndcg(y, s, k), 4), {}, {"output": "4 decimals"}),
    "float32 scores": (
        lambda y, s, k: ndcg(y, [single(x) for x in s], k),
        {},
        {"scores": "float32"},
    ),
    "floored": (
        lambda y, s, k: ndcg([math.floor(x) for x in y], s, k),
        {"negative": False},
        {"fractions": "truncate"},
    ),
    "below 1": (
        lambda y, s, k: ndcg([x if x >= 1 else 0 for x in y], s, k),
        {"negative": False},
        {"fractions": "from-1"},
    ),
    "first k": (
        lambda y, s, k: ndcg(ordered(y, s)[:k], [-a for a in range(len(y[:k]))], None),
        {},
        {"pool": "first k"},
    ),
    "thresholds": (ap_by_thresholds, {"cutoff": "never"}, {"ties": "threshold"}),
}


@pytest.fixture(scope="module")
def of_ndcg():
    """What is found of a plain nDCG: several tests look at it."""
    return identify(ndcg)


@pytest.mark.slow
@pytest.mark.long(but=2)
@pytest.mark.spec("RS-IDF-1", "RS-IDF-3")
@pytest.mark.parametrize(("box", "declared", "expected"), PLANTED.values(), ids=PLANTED)
def test_an_oddity_is_named(box, declared, expected):
    begun = time.monotonic()
    found = identify(box, **declared)
    print(f"{found.calls} calls, {time.monotonic() - begun:.2f} s")
    assert found.definition is not None
    assert {name: found.definition.choices[name] for name in expected} == expected
    assert found.found.unexplained == []


def test_a_tie_group_of_many_orders_may_hold_what_nobody_judged():
    bpref = core_named("Bpref")
    asked = Input((1, None, 0, 1, None, 0), (1.0,) * 6)
    found = plain(bpref).but(ties="some order").predict(asked)
    assert (found.low, found.high) == (0, 1)


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-4")
def test_what_lies_outside_is_said():
    found = identify(uncut)
    assert found.definition.core.outside
    assert "list uncut" in found.definition.core.name
    assert any("the whole list over the ideal" in x for x in found.definition.outside)
    assert "Outside rankspec's conventions" in str(found)


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-4")
def test_a_definition_predicts_what_was_not_asked(of_ndcg):
    inputs = mixed(of_ndcg.domain, 500, seed=99)
    held_out = [x for x in inputs if x not in of_ndcg.asked.known]
    assert len(held_out) > 400
    for x in held_out:
        assert of_ndcg.predict(x).value == pytest.approx(ndcg(x.labels, x.scores, x.k))


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-4")
def test_what_nothing_explains_has_counter_examples():
    found = identify(lambda y, s, k: ndcg(y, s, k) ** 1.01)
    assert found.definition is None
    assert found.found.unexplained
    assert found.as_dict()["definition"] is None
    assert "No definition explains the answers; the nearest are" in str(found)
    with pytest.raises(ValueError, match="so none can be predicted"):
        found.predict(found.found.unexplained[0].input)


@pytest.mark.spec("RS-IDF-3")
def test_what_is_no_function_is_said():
    found = identify(lambda y, s, k: ndcg(y, s, k) * random.random())
    assert (found.definition, found.found.repeats) == (None, False)
    assert "several answers" in str(found)


@pytest.mark.spec("RS-IDF-3")
@pytest.mark.slow
def test_crashes_and_time_outs_are_findings():
    def slow(labels, scores, k):
        if k is not None and k > len(labels):
            time.sleep(30)
        if not labels:
            os.kill(os.getpid(), 11)
        return ap(labels, scores, k)

    found = identify(slow, timeout=0.2)
    answers = {step.answer.kind for step in found.asked.crashes()}
    assert "timeout" in answers
    assert found.definition.core.name == "AP"


@pytest.mark.slow
def test_a_page_has_80_columns():
    for box in (ndcg, uncut, abort_at_0):
        assert max(map(len, str(identify(box)).splitlines())) <= 80


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-4")
def test_the_same_answers_give_the_same_report(of_ndcg):
    assert identify(ndcg).as_dict() == of_ndcg.as_dict()


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-4")
def test_accuracy_in_ulp(of_ndcg):
    assert 1 <= of_ndcg.accuracy.exact <= of_ndcg.accuracy.values
    assert 0 < of_ndcg.accuracy.max_ulp < 20
    assert of_ndcg.vectors
