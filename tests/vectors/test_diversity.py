"""The vectors of diversity hold by other definitions."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest

from ..each import each
from . import diversity_definitions as definitions
from . import statistics_files
from .statistics_files import by_id, kind

CASES = statistics_files.CASES["diversity"]
VALID = [case for case in CASES if kind(case) == "value"]


def value_of(case: dict[str, Any], **changed: Any) -> Any:
    """The value by the other definition: a fraction, or a decimal of 60 digits."""
    return getattr(definitions, case["function"])(**{**case["input"], **changed})


def holds(case: dict[str, Any], found: Any) -> bool:
    """Whether the fraction is that of the case, or the double the nearest to the decimal."""
    expected = case["expected"]
    if expected["exact"] is not None and not isinstance(found, Decimal):
        return found == Fraction(expected["exact"])
    with localcontext(prec=60):
        if isinstance(found, Decimal):
            exact = None if expected["exact"] is None else Fraction(expected["exact"])
            if exact is not None:
                wanted = Decimal(exact.numerator) / exact.denominator
                return abs(found - wanted) < Decimal("1e-50")
            return float(found) == float.fromhex(expected["hex"])
    return float(found) == float.fromhex(expected["hex"])


@each("case", VALID, **by_id)
def test_a_case_holds_by_other_definitions(case):
    assert holds(case, value_of(case))


@pytest.mark.slow
def test_the_definitions_can_fail():
    """With another alpha, another least relevant label, another pool, cases are missed."""
    for changed, least in (({"rel": 2}, 20), ({"k": 1}, 30)):
        missed = sum(not holds(case, value_of(case, **changed)) for case in VALID)
        assert missed >= least, changed
    of_alpha = [case for case in VALID if case["function"] in ("alpha_ndcg", "nerr_ia", "nrbp")]
    assert sum(not holds(case, value_of(case, alpha=0.125)) for case in of_alpha) >= 8


@pytest.mark.spec("RS-DIV-5")
def test_every_function_has_cases():
    assert {case["function"] for case in CASES} == {
        name
        for name in vars(definitions)
        if not name.startswith("_")
        and name.islower()
        and callable(getattr(definitions, name))
        and name not in ("permutations", "localcontext")
    }
