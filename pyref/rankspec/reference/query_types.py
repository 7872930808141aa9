"""Classes of queries by their gap: how far real rankings are above a random one.

A      the values that some systems have for a query, at some cut-offs
E      the values that a random ranking of its pool has on average, at each of these cut-offs
IUB    the values of its ideal ranking, at each of them
gap    mean A - mean E
n      how many queries the two sets "ideal" and "uninformative" have
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, cmp_to_key
from typing import Any, TypeAlias

from .numbers.reals import Exact
from .numerics import RealSum

SIGNED, ABSOLUTE = "signed", "absolute"
INFORMATIVE, IDEAL, UNINFORMATIVE = "informative", "ideal", "uninformative"
HARD, EASY = "hard", "easy"


Mean: TypeAlias = Any
"""A RealSum, or a Fraction."""


@dataclass(frozen=True)
class Means:
    """The means of a query."""

    A: Mean
    E: Mean
    IUB: Mean

    @cached_property
    def gap(self) -> Mean:
        """mean A - mean E    [karmaker-2022 section 4.4]

        Spec: RS-BND-12
        """
        return self.A - self.E


def sign(x: Mean) -> int:
    """1, 0 or -1."""
    return x.sign if isinstance(x, RealSum) else (x > 0) - (x < 0)


def extremes(gaps: Sequence[Mean], n: int, by: str) -> tuple[list[int], list[int]]:
    """The n uninformative queries, and the n ideal ones    [karmaker-2022 sections 3.3 and 4.4]

    These are positions. Of equal gaps the query that comes first is taken.

    Spec: RS-BND-13
    """
    sizes = [-x if by == ABSOLUTE and sign(x) < 0 else x for x in gaps]
    return _first(sizes, n), _first([-x for x in gaps], n)


def _first(numbers: Sequence[Mean], n: int) -> list[int]:
    """The positions of the n smallest."""

    def order(p: int, q: int) -> int:
        return sign(numbers[p] - numbers[q]) if p != q else 0

    return sorted(range(len(numbers)), key=cmp_to_key(order))[:n]


def classes(
    queries: Sequence[Means], n: int, by: str, hard: Exact, easy: Exact
) -> list[tuple[str, ...]]:
    """The classes of each query    [karmaker-2022 sections 3.3 and 4.4]

    Spec: RS-BND-13
    """
    uninformative, ideal = map(set, extremes([x.gap for x in queries], n, by))

    def of(q: int) -> tuple[str, ...]:
        x = queries[q]
        low, high, both = x.IUB * hard, x.IUB * easy, (x.A, x.E)
        belongs = {
            INFORMATIVE: q not in uninformative and sign(x.gap) > 0,
            IDEAL: q in ideal,
            UNINFORMATIVE: q in uninformative,
            HARD: q in uninformative and all(sign(low - y) >= 0 for y in both),
            EASY: q in uninformative and sign(x.IUB) > 0 and all(sign(y - high) >= 0 for y in both),
        }
        return tuple(name for name, does in belongs.items() if does)

    return [of(q) for q in range(len(queries))]
