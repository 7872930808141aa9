"""The required cases, and whether an answer conforms to one by the grade for doubles."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "spec" / "vectors"
EQUALITY_DECIDES = {"as-random", "no-spread", "no-spread-yet-worse", "no-variance"}
RELATIVE = 1e-12


def _files() -> Iterator[dict[str, Any]]:
    for path in sorted(FOLDER.glob("*.json")):
        document = json.loads(path.read_text("utf-8"))
        if document["$schema"] == "schema.json":
            yield document


_CASES = [c for file in _files() for group in file["required"] for c in group["cases"]]
REQUIRED = [c for c in _CASES if "conventions" not in c]
"""The cases of one ranking or session that an implementation should meet."""

EVALUATIONS = [c for c in _CASES if "conventions" in c]
"""Those of whole evaluations."""


def is_for_doubles(case: dict[str, Any]) -> bool:
    """Whether double precision can promise something."""
    if "max_ulp" in case:
        return case["max_ulp"] is not None
    return not EQUALITY_DECIDES & set(case["flags"])


def conforms(case: dict[str, Any], answer: Any) -> bool:
    """Whether an answer, a double or a list of them, is near enough."""
    expected = case["expected"]
    if isinstance(expected, dict) and "error" in expected:
        return answer is REFUSED
    if answer is REFUSED:
        return False
    if isinstance(expected, dict) and "queries" in expected:
        return _is_near_by_query(expected, answer, case)
    if isinstance(expected, list):
        return (
            isinstance(answer, list)
            and len(answer) == len(expected)
            and all(_is_near(x, mine, case) for x, mine in zip(expected, answer, strict=True))
        )
    return isinstance(answer, (int, float)) and _is_near(expected, answer, case)


REFUSED = object()
"""The answer to an input that is none."""


def _is_near(expected: dict[str, Any], mine: float, case: dict[str, Any]) -> bool:
    value = float.fromhex(expected["hex"])
    if mine == value:
        return True
    if not (math.isfinite(mine) and math.isfinite(value)):
        return False
    if case.get("max_ulp") is not None:
        return abs(mine - value) <= case["max_ulp"] * math.ulp(value)
    return abs(mine - value) <= RELATIVE * abs(value)


def _is_near_by_query(expected: dict[str, Any], mine: Any, case: dict[str, Any]) -> bool:
    """Of a whole evaluation: the same queries, a value each, and their mean, if there is one."""
    if not isinstance(mine, dict) or set(mine["queries"]) != set(expected["queries"]):
        return False
    pairs = [(x, mine["queries"][q]) for q, x in expected["queries"].items()]
    if None in (expected["mean"], mine["mean"]):
        return expected["mean"] is mine["mean"]
    return all(_is_near(x, y, case) for x, y in [*pairs, (expected["mean"], mine["mean"])])


def ulps(expected: Any, answer: Any) -> float:
    """How far the answer is from what is expected, in units of the last place."""
    if isinstance(expected, list):
        return max(map(ulps, expected, answer), default=0.0)
    value = float.fromhex(expected["hex"])
    return 0.0 if answer == value else abs(answer - value) / math.ulp(value)
