"""The vectors of statistics: their form, and that they hold by definitions of another hand."""

from __future__ import annotations

import copy
from fractions import Fraction

import flint
import pytest

from ..each import each
from ..reference.balls import ends_of
from . import comparison_definitions as definitions
from . import statistics_files
from .statistics_files import by_id, kind
from .test_vectors import nearest

CASES = statistics_files.CASES["comparison"]
VALID = [case for case in CASES if kind(case) == "value"]
UNDEFINED = [case for case in CASES if kind(case) == "undefined"]
PARAMETERS = {"zeros", "continuity", "rope", "quantile"}
ROUNDED = {"comparison-0072"}
"""Sums of squares of tenths: RS-CMP-12 has rounded differences, this definition exact values."""


def test_every_statistic_has_a_case():
    assert {case["function"] for case in CASES} >= set(definitions.STATISTICS)


def by_definition(case):
    """The values of a case by the definitions, as balls or fractions."""
    values = {n: x for n, x in case["input"].items() if n not in PARAMETERS}
    parameters = {n: x for n, x in case["input"].items() if n in PARAMETERS}
    found = definitions.STATISTICS[case["function"]](values, **parameters)
    return found if isinstance(found, list) else [found]


def assert_by_definition(case):
    expected = case["expected"]
    if isinstance(expected, dict) and "D" in expected:
        D, e = definitions.differences(case["input"]["x"], case["input"]["y"])
        assert (D, e) == (expected["D"], expected["e"])
        return
    if case["function"] in ("common_denominator", "numerators"):
        assert by_definition(case) == (expected if isinstance(expected, list) else [expected])
        return
    if case["function"] == "wins_ties_losses":
        d = definitions.paired(case["input"])
        assert expected == [sum(t(a) for a in d) for t in TESTS]
        return
    values = expected if isinstance(expected, list) else [expected]
    with flint.ctx.workprec(400):
        for value, found in zip(values, by_definition(case), strict=True):
            lower, upper = ends_of(found) if isinstance(found, flint.arb) else (found, found)
            assert nearest(lower) == nearest(upper) == float.fromhex(value["hex"])
            if value["exact"] is not None:
                assert lower <= Fraction(value["exact"]) <= upper
                assert upper - lower < Fraction(1, 2**300)
            else:
                assert isinstance(found, flint.arb)


TESTS = (lambda a: a > 0, lambda a: a == 0, lambda a: a < 0)


@each("case", [case for case in VALID if case["id"] not in ROUNDED], **by_id, fast=15)
def test_a_vector_holds_by_its_definition(case):
    assert_by_definition(case)


@each("case", [case for case in VALID if case["id"] in ROUNDED], **by_id)
def test_a_vector_of_rounded_differences_is_near_that_of_values(case):
    for value, found in zip(case["expected"], by_definition(case), strict=True):
        assert abs(Fraction(value["exact"]) - found) < found / 2**36
        assert Fraction(value["exact"]) != found or value is case["expected"][1]


@each("case", UNDEFINED, **by_id)
def test_what_is_undefined_has_no_value_by_its_definition(case):
    with pytest.raises(ZeroDivisionError):
        assert_finite(by_definition(case))


def assert_finite(values):
    """A mean that is not above 0 leaves PAD below 0, or a division by 0."""
    for value in values:
        if (isinstance(value, flint.arb) and not value.is_finite()) or value < 0:
            raise ZeroDivisionError


@pytest.mark.slow
def test_the_definitions_can_fail():
    """The control: a value one unit off, another rule for zeros, other values."""
    for name, spoil in (
        (
            "comparison-0030",
            lambda case: case["input"]["x"].append(0.5) or case["input"]["y"].append(0),
        ),
        ("comparison-0047", lambda case: case["input"].update(zeros="pratt")),
        ("comparison-0055", lambda case: case["input"].update(zeros="pratt")),
        ("comparison-0062", lambda case: case["input"].update(continuity=False)),
        ("comparison-0082", lambda case: case["input"].update(rope=0.06)),
        ("comparison-0022", lambda case: case["input"].update(quantile=2.0)),
        ("comparison-0108", lambda case: case.update(function="bonferroni")),
        ("comparison-0111", lambda case: case.update(function="holm")),
        ("comparison-0001", lambda case: case["expected"].update(e=-39)),
        ("comparison-0011", lambda case: case.update(expected=[3, 0, 2])),
        ("comparison-0026", lambda case: case["expected"].update(hex=(-4.0).hex())),
    ):
        case = copy.deepcopy(next(case for case in CASES if case["id"] == name))
        spoil(case)
        with pytest.raises(AssertionError):
            assert_by_definition(case)
