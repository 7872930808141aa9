"""Systems on the same queries: their values, and what every test takes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import isfinite

from ...errors import InputError, quoted, shown
from ...reference import comparison as equations
from ...reference.comparison import TwoWay, Undefined
from ...reference.numbers.reals import Exact, Number, Reals
from ...reference.numerics import Value, nearest_double, nearest_double_of

Scaled = tuple[list[list[int]], int]
"""The integers N x of each column of values, and their common denominator N (RS-CMP-24)."""


def scale_of(scaled: Scaled | None) -> Fraction:
    """1/N, the unit of the integers; 1 where there are none."""
    return Fraction(1, 1 if scaled is None else scaled[1])


def exact_fraction(x: Exact) -> Fraction:
    """The fraction that a value stands for (RS-CMP-24), or else its own."""
    return equations.fractions([x])[0][0]


def rounding_slack(n: int) -> int:
    """By how many units two equal sums of n rounded differences can differ (RS-CMP-23)."""
    return 2 * n


@dataclass(frozen=True)
class Pair:
    """Two systems on the same queries: x[q] and y[q] are their values for the query q.

    numerators: N x and N y, integers, where the values have a common denominator N (RS-CMP-24),
        else the values themselves
    scale: 1/N, or 1: the unit of the numerators
    D, e: the differences of the numerators, D_q · 2^e (RS-CMP-1)
    X, Y, unit: the numerators as X_q · 2^unit

    >>> pair = Pair((0.3, 0.5), (0.1, 0.5))
    >>> pair.mean_difference, pair.wins_ties_losses
    (0.1, (1, 1, 0))
    """

    x: Sequence[float]
    y: Sequence[float]
    known: Scaled | None = field(default=None, repr=False, compare=False)
    """The integers of both and their N, where they are those of a common denominator of more."""

    @property
    def n(self) -> int:
        """How many queries there are."""
        return len(self.x)

    @cached_property
    def scaled(self) -> Scaled | None:
        """The integers N x and N y, and N; None without a common denominator."""
        return self.known or equations.scaled(self.x, self.y)

    @property
    def numerators(self) -> Sequence[Sequence[float]]:
        return (self.x, self.y) if self.scaled is None else self.scaled[0]

    @property
    def scale(self) -> Fraction:
        return scale_of(self.scaled)

    @property
    def slack(self) -> int:
        """By how many units equal sums of differences can differ (RS-CMP-23)."""
        return rounding_slack(self.n) if self.scaled is None else 0

    @cached_property
    def differences(self) -> tuple[list[int], int]:
        """The differences of the values themselves."""
        return equations.differences(self.x, self.y)

    @cached_property
    def of_numerators(self) -> tuple[list[int], int]:
        """D and e."""
        if self.scaled is None:
            return self.differences
        return equations.differences(*self.numerators)

    @property
    def D(self) -> list[int]:
        return self.of_numerators[0]

    @property
    def e(self) -> int:
        return self.of_numerators[1]

    @cached_property
    def values(self) -> tuple[list[int], list[int], int]:
        """X, Y and their unit."""
        (X, Y), unit = equations.integers(*self.numerators)
        return X, Y, unit

    @cached_property
    def exact_mean_difference(self) -> Fraction:
        """m_x - m_y, of which nothing is rounded."""
        X, Y, unit = self.values
        return self.scale * (equations.mean(X, unit) - equations.mean(Y, unit))

    def interval(self, square: Fraction, quantile: float) -> tuple[float, float]:
        """m_x - m_y ± quantile · √square; square is in units of the numerators."""
        return interval_of(self.exact_mean_difference, square * self.scale**2, quantile)

    @property
    def mean_difference(self) -> float:
        """The double nearest to m_x - m_y."""
        return nearest_double(self.exact_mean_difference)

    @cached_property
    def exact_differences(self) -> list[Fraction]:
        """x_q - y_q of each query, of which nothing is rounded."""
        X, Y, unit = self.values
        scale = self.scale * Fraction(2) ** unit
        return [scale * (a - b) for a, b in zip(X, Y, strict=True)]

    @property
    def direction(self) -> int:
        """The sign of m_x - m_y: 0 where rounding alone may keep it from 0 (RS-CMP-23)."""
        total = sum(self.D)
        return (total > self.slack) - (total < -self.slack)

    @property
    def wins_ties_losses(self) -> tuple[int, int, int]:
        """For how many queries x is the greater, neither is, y is."""
        return equations.wins_ties_losses(self.D)


class Systems:
    """The values of two or more systems, by name, for the same queries in the same order.

    An InputError says what is wrong: fewer than two systems, no query, lists of different lengths,
    a value that is no finite number.

    >>> Systems({"A": [0.3, 0.5], "B": [0.1, 0.5]}).pairs["A", "B"].n
    2
    """

    def __init__(self, values: Mapping[str, Sequence[float]]) -> None:
        self.names = tuple(values)
        self.scores = tuple(_checked(name, values[name]) for name in values)
        if len(values) < 2:
            raise InputError(f"systems: expected two or more, got {len(values)}")
        if not self.scores[0]:
            raise InputError("systems: expected at least one query, got none")
        for name, column in zip(self.names, self.scores, strict=True):
            if len(column) != len(self.scores[0]):
                raise InputError(
                    f"systems: {quoted(name)} has {len(column)} queries, "
                    f"{quoted(self.names[0])} has {len(self.scores[0])}"
                )

    @cached_property
    def scaled(self) -> Scaled | None:
        """The integers of all systems, and their common denominator N; None without one."""
        return equations.scaled(*self.scores)

    @property
    def numerators(self) -> Sequence[Sequence[float]]:
        """N times the values where they have a common denominator N, else the values."""
        return self.scores if self.scaled is None else self.scaled[0]

    @property
    def scale(self) -> Fraction:
        """The unit of the numerators."""
        return scale_of(self.scaled)

    @property
    def slack(self) -> int:
        """By how many units equal sums of values can differ (RS-CMP-23)."""
        return rounding_slack(len(self.scores[0])) if self.scaled is None else 0

    @cached_property
    def pairs(self) -> dict[tuple[str, str], Pair]:
        """Each pair of systems, in the order of their names."""

        def pair(i: int, j: int) -> Pair:
            known = None
            if self.scaled is not None:
                columns, N = self.scaled
                known = [columns[i], columns[j]], N
            return Pair(self.scores[i], self.scores[j], known)

        indices = combinations(range(len(self.names)), 2)
        return {(self.names[i], self.names[j]): pair(i, j) for i, j in indices}

    @cached_property
    def differences(self) -> dict[tuple[str, str], tuple[list[int], int]]:
        """D and e of each pair, of the numerators of all systems."""
        if self.scaled is not None:
            return {two: pair.of_numerators for two, pair in self.pairs.items()}
        found = equations.all_differences(self.scores)
        return dict(zip(self.pairs, found.values(), strict=True))

    @cached_property
    def two_way_of_numerators(self) -> TwoWay:
        """The two-way analysis of variance, in units of the numerators (RS-CMP-12)."""
        indices = combinations(range(len(self.names)), 2)
        known = zip(indices, self.differences.values(), strict=True)
        return equations.two_way(self.numerators, dict(known))

    @property
    def two_way(self) -> TwoWay:
        """The two-way analysis of variance (RS-CMP-12)."""
        m, n, *squares = self.two_way_of_numerators
        return TwoWay(m, n, *(self.scale**2 * square for square in squares))


def _checked(name: str, values: Sequence[float]) -> tuple[float, ...]:
    found = []
    for a, value in enumerate(values):
        try:
            found.append(float(value))
        except (TypeError, ValueError, OverflowError):
            raise InputError(
                f"systems: {quoted(name)}: expected a number at position {a}, got {shown(value)}"
            ) from None
        if not isfinite(found[-1]):
            raise InputError(f"systems: {quoted(name)}: {found[-1]} at position {a} is not finite")
    return tuple(found)


def double_or_none(value: Value) -> float | None:
    """The double nearest to a statistic; None where it is undefined."""
    try:
        return nearest_double_of(value)
    except Undefined:
        return None


def interval_of(middle: Fraction, square: Fraction, quantile: float) -> tuple[float, float]:
    """The doubles nearest to middle ± quantile · √square (RS-CMP-4)."""

    def end(which: int) -> float:
        def value(reals: Reals) -> Number:
            return equations.interval(middle, square, quantile, reals)[which]

        return nearest_double_of(value)

    return end(0), end(1)
