"""Systems on the same queries: their values, and what every test takes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import isfinite

from ...errors import InputError, quoted, shown
from ...reference import comparison as equations
from ...reference.comparison import TwoWay, Undefined
from ...reference.numbers.reals import Number, Reals
from ...reference.numerics import Value, nearest_double, nearest_double_of


@dataclass(frozen=True)
class Pair:
    """Two systems on the same queries: x[q] and y[q] are their values for the query q.

    D, e: their differences, D_q · 2^e (RS-CMP-1); X, Y, unit: their values, X_q · 2^unit

    >>> pair = Pair((0.3, 0.5), (0.1, 0.5))
    >>> pair.mean_difference, pair.wins_ties_losses
    (0.1, (1, 1, 0))
    """

    x: Sequence[float]
    y: Sequence[float]

    @property
    def n(self) -> int:
        """How many queries there are."""
        return len(self.x)

    @cached_property
    def differences(self) -> tuple[list[int], int]:
        """D and e."""
        return equations.differences(self.x, self.y)

    @property
    def D(self) -> list[int]:
        return self.differences[0]

    @property
    def e(self) -> int:
        return self.differences[1]

    @cached_property
    def values(self) -> tuple[list[int], list[int], int]:
        """X, Y and their unit."""
        (X, Y), unit = equations.integers(self.x, self.y)
        return X, Y, unit

    @cached_property
    def exact_mean_difference(self) -> Fraction:
        """m_x - m_y, of which nothing is rounded."""
        X, Y, unit = self.values
        return equations.mean(X, unit) - equations.mean(Y, unit)

    @property
    def mean_difference(self) -> float:
        """The double nearest to m_x - m_y."""
        return nearest_double(self.exact_mean_difference)

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
    def pairs(self) -> dict[tuple[str, str], Pair]:
        """Each pair of systems, in the order of their names."""
        named = zip(self.names, self.scores, strict=True)
        return {(a, b): Pair(x, y) for (a, x), (b, y) in combinations(named, 2)}

    @cached_property
    def two_way(self) -> TwoWay:
        """The two-way analysis of variance (RS-CMP-12)."""
        indices = combinations(range(len(self.names)), 2)
        known = zip(indices, self.pairs.values(), strict=True)
        return equations.two_way(self.scores, {ij: pair.differences for ij, pair in known})


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
