"""The values of conventions, drawn from their declarations."""

from __future__ import annotations

from rankspec.evaluation.conventions import convention


def convention_values(name: str, *without: str) -> list[str]:
    """Return the values that a convention of runs can have, without some."""
    return [x for x in convention(name).values if x not in without]
