"""Cells and titles of the tables that comparisons of judgments and of runs print."""

from __future__ import annotations

from math import isfinite

from ...evaluation import render
from .found import Interval

MARK = "*"


def signed(value: float, digits: int, mark: bool | None = None) -> str:
    """A difference with its sign; mark: whether it has a mark, None where none of them has."""
    sign = "" if value < 0 else "+"
    end = "" if mark is None else MARK if mark else " "
    return f"{sign}{render.short_cell(value, digits)}{end}"


def interval(ends: Interval | None, digits: int) -> str:
    """An interval in brackets."""
    if ends is None:
        return "-"
    return f"[{', '.join(render.short_cell(end, digits) for end in ends)}]"


def away(ends: Interval | None) -> bool:
    """Whether an interval lies on one side of 0."""
    return ends is not None and (ends[0] > 0 or ends[1] < 0)


def title(words: str) -> str:
    """A title in 80 columns, of names that may be long."""
    return "\n".join(render.wrapped(words, "    "))


def count(n: int, one: str = "query", several: str = "queries") -> str:
    """So many queries, in words."""
    return f"{n} {one if n == 1 else several}"


def finite(ends: Interval | None) -> tuple[float | None, ...] | None:
    """An interval for JSON, which has no infinity: None is an end that no double holds."""
    return None if ends is None else tuple(end if isfinite(end) else None for end in ends)
