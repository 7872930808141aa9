"""The vectors of agreement hold by other definitions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from ..each import each
from . import agreement_definitions as definitions
from . import statistics_files
from .agreement_definitions import NoValue
from .statistics_files import by_id, kind, numbers

CASES = statistics_files.CASES["agreement"]
REFUSED = {"agreement-0020", "agreement-0067", "agreement-0068", "agreement-0104"}
SPLITS = "splits"  # of random words, for which the laws have a test


def agrees(found: Any, expected: Any) -> bool:
    """Whether a value of the definitions is the one of the vectors, to the last bit."""
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(agrees, found, expected))
    if isinstance(expected, dict) and isinstance(found, Decimal):
        exact = Fraction(found)
        if expected["exact"]:
            return abs(exact - Fraction(expected["exact"])) < Fraction(1, 10**50)
        return exact.numerator / exact.denominator == float.fromhex(expected["hex"])
    if isinstance(expected, dict):
        nearest = Fraction(found).numerator / Fraction(found).denominator
        exact = expected["exact"]
        return nearest == float.fromhex(expected["hex"]) and (
            exact is None or Fraction(exact) == Fraction(found)
        )
    return bool(found == expected)


def test_these_are_refused():
    assert {case["id"] for case in CASES if kind(case) == "error"} == REFUSED


@each(
    "case",
    [case for case in CASES if case["id"] not in REFUSED | {"agreement-0103"}],
    **by_id,
    fast=20,
)
def test_the_values_hold_by_other_definitions(case):
    function = getattr(definitions, case["function"])
    given = numbers(case["input"])
    if case["expected"] is None:
        with pytest.raises(NoValue):
            function(**given)
    else:
        assert agrees(function(**given), case["expected"])


def test_what_is_left_out_is_random():
    assert [c["function"] for c in CASES if c["id"] == "agreement-0103"] == [SPLITS]


@pytest.mark.parametrize("wrong", [1e-16, 1e-9])
def test_another_value_does_not_agree(wrong):
    case = next(c for c in CASES if c["id"] == "agreement-0052")
    found = definitions.rbo_min(**case["input"])
    assert agrees(found, case["expected"])
    assert not agrees(found + Decimal(wrong), case["expected"])
