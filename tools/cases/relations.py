"""What is asserted of a case before it is written: its reasons, and how it stands to others."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from . import Relation

SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def demand(holds: Any, otherwise: str) -> None:
    """Raises AssertionError, with these words, where something does not hold."""
    if not holds:
        raise AssertionError(otherwise)


def held(
    name: str, relation: Relation, ours: Sequence[Any], theirs: Sequence[Any]
) -> dict[str, str]:
    """A relation, once it has been asserted of the values of two cases, each to each."""
    holds = len(ours) == len(theirs) and all(map(SIGNS[relation.sign], ours, theirs))
    demand(holds, f"{name}: {relation.law}: not {relation.sign} {relation.case}: {ours}, {theirs}")
    return {"law": relation.law, "relation": relation.sign, "case": relation.case}
