"""Answers that no number is: infinities, and none in time."""

from __future__ import annotations

import math
import time

import pytest

from rankspec import identify
from rankspec.analysis.identify.asked import MOST_TIMEOUTS
from rankspec.analysis.identify.outcomes import DOUBLE, INFINITE, Between, agrees, value
from tests.each import each
from tests.identify.boxes import ndcg


def test_an_infinity_is_itself_alone():
    assert value(math.inf).kind == INFINITE
    assert agrees(value(math.inf), value(math.inf), DOUBLE)
    for x in (value(-math.inf), value(1.0), value(math.nan)):
        assert not agrees(value(math.inf), x, DOUBLE)
        assert not agrees(x, value(math.inf), DOUBLE)
    assert not agrees(Between(0.0, 1.0), value(math.inf), DOUBLE)
    assert not agrees(Between(0.0, math.inf), value(-1.0), DOUBLE)


@each("x", [math.inf, -math.inf])
def test_a_constant_infinity_has_no_definition(x):
    found = identify(lambda labels, scores, k: x, isolated=False)  # noqa: ARG005
    assert found.definition is None
    assert found.as_dict()["unexplained"][0]["answer"] == {"value": repr(x)}


@pytest.mark.slow
def test_an_infinity_for_some_inputs_is_unexplained():
    def box(labels, scores, k):
        return math.inf if any(x < 0 for x in labels) else ndcg(labels, scores, k)

    found = identify(box, isolated=False)
    assert found.measures[0] == "nDCG"
    assert any(x.answer.kind == INFINITE for x in found.found.unexplained)


@pytest.mark.slow
def test_a_function_that_never_answers_is_given_up():
    def box(labels, scores, k):  # noqa: ARG001
        time.sleep(1000)

    found = identify(box, timeout=0.05)
    assert found.definition is None
    assert found.calls <= 2 * MOST_TIMEOUTS
    assert "the nearest are" not in str(found)


@pytest.mark.slow
def test_a_choice_that_had_no_answer_in_time_is_not_claimed():
    def box(labels, scores, k):
        if len(set(scores)) < len(scores):
            time.sleep(1000)
        return ndcg(labels, scores, k)

    found = identify(box, timeout=0.5)
    assert found.measures[0] == "nDCG"
    assert len(found.asked.crashes()) <= MOST_TIMEOUTS
    assert "ties" in found.found.not_asked
    assert "ties" not in found.choices
    assert "ties" in found.as_dict()["not_asked"]
    assert "had no answer: ties" in str(found)
