"""The vectors of priors hold by other definitions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ..each import each
from . import prior_definitions as definitions
from . import statistics_files
from .statistics_files import by_id, kind, numbers

CASES = statistics_files.CASES["priors"]
VALID = [case for case in CASES if kind(case) == "value"]


def value_of(case, **changed):
    return getattr(definitions, case["function"])(**{**numbers(case["input"]), **changed})


def expected_of(case):
    return [Fraction(x["exact"]) for x in case["expected"]]


@pytest.mark.spec("RS-LEN-19", "RS-LEN-20")
@each("case", VALID, **by_id)
def test_a_case_holds_by_other_definitions(case):
    assert value_of(case) == expected_of(case)


def test_the_definitions_can_fail():
    """With the counts as shares, or in another order, cases are missed."""
    shares = [
        [Fraction(c, sum(x)) for c in x]
        for case in VALID
        for x in [numbers(case["input"])["counts"]]
    ]
    assert sum(a != expected_of(case) for a, case in zip(shares, VALID, strict=True)) > 9
    turned = [value_of(case, counts=numbers(case["input"])["counts"][::-1]) for case in VALID]
    assert sum(a != expected_of(case) for a, case in zip(turned, VALID, strict=True)) > 9


def test_every_function_has_cases_and_is_refused_something():
    known = {"prior_of_clicks", "prior_of_lengths"}
    assert {case["function"] for case in VALID} == known
    assert {case["function"] for case in CASES if kind(case) == "error"} == known
