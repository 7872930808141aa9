"""The statistics of the experiment: which differences are significant, and how orders differ.

A paired and two unpaired t tests, as the paper does not say which it used (RS-ERR-47). Their p come
from SciPy, which is imported when they are first needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ...analysis.comparison.distributions import special
from ...analysis.comparison.systems import double_or_none
from ...reference import agreement as equations

ALPHA = 0.05
PAIRED, WELCH, POOLED = "paired t", "Welch's t", "pooled t"
TESTS = (PAIRED, WELCH, POOLED)


class Agreement(NamedTuple):
    """What becomes of significant differences from one metric to another.

    lost: only the first has them; gained: only the other; opposite: both, in opposite directions
    """

    lost: int
    gained: int
    opposite: int

    @property
    def disagree(self) -> int:
        """The comparisons whose outcome is "different" by one and "same" by the other."""
        return self.lost + self.gained


def significant(values: Any) -> dict[str, Any]:
    """By each test: 1 or -1 of each pair whose means differ significantly, else 0.

    values: rankers × queries. Pairs are as combinations() gives them. Differences that are all
    equal are significant unless they are 0; of one query none is.
    """
    rankers, n = values.shape
    first, second = (np.array(x) for x in zip(*combinations(range(rankers), 2), strict=True))
    means = values.mean(axis=1)
    difference = means[first] - means[second]
    if n < 2:
        return {test: np.zeros(len(first), dtype=int) for test in TESTS}
    variance = values.var(axis=1, ddof=1)
    of_pairs = np.array(
        [(values[a] - values[b]).var(ddof=1) for a, b in zip(first, second, strict=True)]
    )
    both = variance[first] + variance[second]
    with np.errstate(divide="ignore", invalid="ignore"):
        welch = (n - 1) * both**2 / (variance[first] ** 2 + variance[second] ** 2)
    found = {}
    for test, spread, freedom in (
        (PAIRED, of_pairs, np.full(len(first), n - 1.0)),
        (WELCH, both, np.where(both > 0, welch, n - 1.0)),
        (POOLED, both, np.full(len(first), 2.0 * n - 2)),
    ):
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(difference == 0, 0.0, np.abs(difference) / np.sqrt(spread / n))
        found[test] = np.sign(difference).astype(int) * (two_sided(t, freedom) <= ALPHA)
    return found


def two_sided(t: Any, freedom: Any) -> Any:
    """p of |t| with so many degrees of freedom."""
    return 2 * special().stdtr(freedom, -np.abs(t))


def agreement(first: Any, second: Any) -> Agreement:
    """Of what significant() gave for two metrics."""
    return Agreement(
        lost=int(((first != 0) & (second == 0)).sum()),
        gained=int(((first == 0) & (second != 0)).sum()),
        opposite=int((first * second == -1).sum()),
    )


# ---- orders ------------------------------------------------------------------------------


def swapped(one: Mapping[str, Fraction], other: Mapping[str, Fraction]) -> int:
    """How many pairs two metrics, or two sets of queries, rank in opposite orders (RS-AGR-1)."""
    return len(equations.swapped(*_columns(one, other)))


def tau_b(one: Mapping[str, Fraction], other: Mapping[str, Fraction]) -> float | None:
    """Kendall's tau_b of two orders; None where all are tied in one of them (RS-AGR-2)."""
    x, y = _columns(one, other)
    return double_or_none(lambda reals: equations.tau_b(x, y, reals))


def _columns(*means: Mapping[str, Fraction]) -> list[list[Fraction]]:
    """The means as columns, of the rankers in one order."""
    return [[of[ranker] for ranker in means[0]] for of in means]


def rate(count: int, pairs: int) -> Fraction:
    """A share of the pairs."""
    return Fraction(count, pairs)


def pairs_of(rankers: Sequence[str]) -> int:
    return len(rankers) * (len(rankers) - 1) // 2
