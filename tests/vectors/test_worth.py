"""What the required cases are worth: they pass what is right and catch what is wrong.

Right are implementations in doubles that differ in their arithmetic; wrong are those with one slip.
All are in Python, in this process. Those of other languages in plain doubles, `adapters/javascript`
among them, are processes, and `tests/adapters/test_adapters.py` asks them the same cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from tests.each import each

from . import slips_of_evaluations
from .correct import CORRECT
from .doubles import Doubles
from .evaluating import Evaluating, is_within
from .judging import EVALUATIONS, REFUSED, REQUIRED, conforms, is_for_doubles, ulps
from .slips import SLIPS

CASES = [case for case in REQUIRED if is_for_doubles(case)]
WHOLE = [case for case in EVALUATIONS if is_within(case) and is_for_doubles(case)]
ENOUGH = 2


def answer(implementation: Doubles | Evaluating, case: dict[str, Any]) -> Any:
    """The answer to a case; one that fails has none."""
    try:
        return implementation.answer(case)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return None


def failures(implementation: Doubles | Evaluating) -> Iterator[str]:
    """The cases that an implementation does not meet."""
    for case in CASES if isinstance(implementation, Doubles) else WHOLE:
        if not conforms(case, answer(implementation, case)):
            yield case["id"]


def test_there_are_enough_of_both():
    assert len(CORRECT) >= 15
    assert len(SLIPS) >= 60
    assert len(CASES) > 0.95 * len(REQUIRED)  # doubles promise something of nearly all


@each("name", CORRECT, fast=1)
def test_what_is_right_meets_every_required_case(name):
    assert list(failures(CORRECT[name]())) == []


@each("name", SLIPS, fast=5)
def test_a_slip_is_caught_by_two_required_cases(name):
    caught = list(islice(failures(SLIPS[name]()), ENOUGH))
    assert len(caught) == ENOUGH, caught


def test_a_right_evaluation_meets_every_case_that_it_is_of():
    assert list(failures(Evaluating())) == []


@pytest.mark.skipif(not WHOLE, reason="there are no vectors of whole evaluations")
@each("name", slips_of_evaluations.SLIPS, fast=4)
def test_a_slip_of_an_evaluation_is_caught_by_two_required_cases(name):
    caught = list(islice(failures(slips_of_evaluations.SLIPS[name]()), ENOUGH))
    assert len(caught) == ENOUGH, caught


@pytest.mark.slow
def test_correct_implementations_differ():
    """The control: other arithmetic gives other doubles."""
    found = {str([of().answer(case) for case in CASES]) for of in CORRECT.values()}
    assert len(found) >= 15


def test_the_judge_can_fail():
    case = next(case for case in CASES if case["measure"]["name"] == "nDCG")
    value = float.fromhex(case["expected"]["hex"])
    assert conforms(case, value)
    assert not conforms(case, value * (1 + 1e-11))
    assert not conforms(case, float("nan"))
    assert not conforms(case, None)
    assert not conforms(case, REFUSED)
    assert not conforms(case, [value])
    assert ulps([case["expected"]], [value]) == 0
