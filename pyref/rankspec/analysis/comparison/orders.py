"""The orders of systems by their means, where what is equal but for a rounding is tied.

Spec: RS-AGR-30
"""

from __future__ import annotations

from collections.abc import Sequence

from ...reference.agreement import levels
from .systems import SystemValues

Levels = dict[str, int]
"""{system: its level}, from 0 up: equal means have one level."""


def levels_of(systems: SystemValues, order: Sequence[str]) -> Levels:
    """The levels of the means of the systems, in the order of these names."""
    by_name = dict(zip(systems.names, levels(systems.scores), strict=True))
    return {name: by_name[name] for name in order}
