"""Answers that no number is: infinities, and none in time."""

from __future__ import annotations

import math

from rankspec import identify
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


def test_an_infinity_for_some_inputs_is_unexplained():
    def box(labels, scores, k):
        return math.inf if any(x < 0 for x in labels) else ndcg(labels, scores, k)

    found = identify(box, isolated=False)
    assert found.measures[0] == "nDCG"
    assert any(x.answer.kind == INFINITE for x in found.found.unexplained)
