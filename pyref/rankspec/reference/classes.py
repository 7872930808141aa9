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
from fractions import Fraction

from .numerics import exact_sum
from .reals import Exact

SIGNED, ABSOLUTE = "signed", "absolute"
INFORMATIVE, IDEAL, UNINFORMATIVE = "informative", "ideal", "uninformative"
HARD, EASY = "hard", "easy"


@dataclass(frozen=True)
class Means:
    """The means of a query, exact ones of doubles."""

    A: Fraction
    E: Fraction
    IUB: Fraction

    @property
    def gap(self) -> Fraction:
        """mean A - mean E    [karmaker-2022 section 4.4]

        Spec: RS-BND-12
        """
        return self.A - self.E


def exact_mean(values: Sequence[float]) -> Fraction:
    """The exact mean of doubles, of which there must be one.

    Spec: RS-BND-12
    """
    return exact_sum(values) / len(values)


def extremes(gaps: Sequence[Fraction], n: int, by: str) -> tuple[list[int], list[int]]:
    """The n uninformative queries, and the n ideal ones    [karmaker-2022 sections 3.3 and 4.4]

    These are positions. Of equal gaps the query that comes first is taken.

    Spec: RS-BND-13
    """
    positions = range(len(gaps))
    size = abs if by == ABSOLUTE else Fraction
    rising = sorted(positions, key=lambda q: size(gaps[q]))
    falling = sorted(positions, key=lambda q: -gaps[q])
    return rising[:n], falling[:n]


def classes(
    queries: Sequence[Means], n: int, by: str, hard: Exact, easy: Exact
) -> list[tuple[str, ...]]:
    """The classes of each query    [karmaker-2022 sections 3.3 and 4.4]

    Spec: RS-BND-13
    """
    uninformative, ideal = map(set, extremes([x.gap for x in queries], n, by))

    def of(q: int) -> tuple[str, ...]:
        x = queries[q]
        low, high = hard * x.IUB, easy * x.IUB
        belongs = {
            INFORMATIVE: q not in uninformative and x.gap > 0,
            IDEAL: q in ideal,
            UNINFORMATIVE: q in uninformative,
            HARD: q in uninformative and max(x.A, x.E) <= low,
            EASY: q in uninformative and min(x.A, x.E) >= high and x.IUB > 0,
        }
        return tuple(name for name, does in belongs.items() if does)

    return [of(q) for q in range(len(queries))]
