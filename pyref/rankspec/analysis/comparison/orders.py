"""The orders of systems by their means, where what is equal but for a rounding is tied.

Spec: RS-AGR-30
"""

from __future__ import annotations

from collections.abc import Sequence

from ...reference import agreement as equations_of_agreement
from ...reference import comparison as equations
from .systems import Systems
from .tests import slack

Levels = dict[str, int]
"""{system: its level}, from 0 up: equal means have one level."""


def integers_of(systems: Systems) -> tuple[list[list[int]], int]:
    """X and e: the values of all systems, each rounded to X · 2^e by the same e (RS-CMP-1)."""
    n = len(systems.scores[0])
    flat = [value for column in systems.scores for value in column]
    X, e = equations.differences(flat, [0.0] * len(flat))
    return [X[s * n : (s + 1) * n] for s in range(len(systems.names))], e


def levels_of(systems: Systems, order: Sequence[str]) -> Levels:
    """The levels of the means of the systems, in the order of these names."""
    X, _ = integers_of(systems)
    found = equations_of_agreement.levels([sum(row) for row in X], slack(len(X[0])))
    by_name = dict(zip(systems.names, found, strict=True))
    return {name: by_name[name] for name in order}
