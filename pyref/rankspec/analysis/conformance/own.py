"""rankspec itself as an adapter: the C core, and the reference.

rankspec conform --python rankspec.analysis.conformance.own:core --grade exact --part all
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .questions import Question, Value, value

NAME = "rankspec"


def _asked(case: Mapping[str, Any]) -> Question:
    return Question(
        case["measure"], case["input"], case.get("conventions"), profile=case.get("profile")
    )


def core(case: Mapping[str, Any]) -> Value:
    """The value of a case by the C core."""
    return value(_asked(case), "c")


def reference(case: Mapping[str, Any]) -> Value:
    """The value of a case by the certified reference."""
    return value(_asked(case), "reference")
