"""The values of systems, on the same queries or on their own, and what every test takes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import isfinite
from typing import TypeVar

from ...errors import InputError, quoted, shown
from ...formats.trec import id_bytes
from ...reference import comparison as equations
from ...reference.comparison import TwoWay, Undefined
from ...reference.numbers.reals import Exact, Number, Reals
from ...reference.numerics import Value, nearest_double, nearest_double_of
from ...reference.randomness import Stratum

T = TypeVar("T")

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
class TwoSystems:
    """The values x and y of two systems.

    numerators: N x and N y, integers, where the values have a common denominator N (RS-CMP-24),
        else the values themselves
    scale: 1/N, or 1: the unit of the numerators
    X, Y, unit: the numerators as X_q · 2^unit
    """

    x: Sequence[float]
    y: Sequence[float]
    known: Scaled | None = field(default=None, repr=False, compare=False)
    """The integers of both and their N, where they are those of a common denominator of more."""

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


@dataclass(frozen=True)
class Pair(TwoSystems):
    """Two systems on the same queries: x[q] and y[q] are their values for the query q.

    D, e: the differences of the numerators, D_q · 2^e (RS-CMP-1)

    >>> pair = Pair((0.3, 0.5), (0.1, 0.5))
    >>> pair.mean_difference, pair.wins_ties_losses
    (0.1, (1, 1, 0))
    """

    @property
    def n(self) -> int:
        """How many queries there are."""
        return len(self.x)

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


Topics = Sequence[str | None]
"""The topics of values; None: without a topic."""


@dataclass(frozen=True)
class UnpairedSystems(TwoSystems):
    """Two systems on sessions of their own, each with the topics of its sessions.

    >>> two = UnpairedSystems((3, 1, 2), (1, 0), None, ("t", "t", "u"), ("t", "u"))
    >>> two.strata([3, 1, 2, 1, 0])
    [([3, 1], [1]), ([2], [0])]
    """

    topics_x: Topics = ()
    topics_y: Topics = ()

    def strata(self, numbers: Sequence[int]) -> list[Stratum]:
        """The numbers of x and of y by topic, in the order of the topics' bytes.

        numbers: one a session, those of x before those of y
        """
        of_topics: dict[bytes, Stratum] = {}
        for a, topic in enumerate((*self.topics_x, *self.topics_y)):
            key = b"" if topic is None else id_bytes(topic)
            stratum = of_topics.setdefault(key, ([], []))
            stratum[a >= len(self.x)].append(numbers[a])
        return [of_topics[key] for key in sorted(of_topics)]

    @property
    def exact_strata(self) -> list[Stratum]:
        """The strata of X and Y."""
        X, Y, _ = self.values
        return self.strata([*X, *Y])

    @property
    def rounded_strata(self) -> list[Stratum]:
        """The strata of the integers that resampling sums: the values as differences to 0."""
        flat = [value for column in self.numerators for value in column]
        return self.strata(equations.differences(flat, [0.0] * len(flat))[0])

    @property
    def slack(self) -> int:
        """By how many units equal sums of values can differ (RS-CMP-23)."""
        return rounding_slack(len(self.x) + len(self.y)) if self.scaled is None else 0

    @property
    def has_topics(self) -> bool:
        """True where some session has a topic."""
        return any(topic is not None for topic in (*self.topics_x, *self.topics_y))


class SystemValues:
    """The values of two or more systems, by name.

    An InputError says what is wrong: fewer than two systems, no value, a value that is no finite
    number.
    """

    def __init__(self, values: Mapping[str, Sequence[float]]) -> None:
        self.names = tuple(values)
        self.scores = tuple(_checked(name, values[name]) for name in values)
        if len(values) < 2:
            raise InputError(f"systems: expected two or more, got {len(values)}")
        if not self.scores[0]:
            raise InputError("systems: expected at least one query, got none")

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

    def scaled_pair(self, i: int, j: int) -> Scaled | None:
        """The integers of two systems, by the common denominator of all."""
        if self.scaled is None:
            return None
        columns, N = self.scaled
        return [columns[i], columns[j]], N

    def of_pairs(self, pair: Callable[[int, int], T]) -> dict[tuple[str, str], T]:
        """Return a value for each pair of systems, in the order of their names."""
        indices = combinations(range(len(self.names)), 2)
        return {(self.names[i], self.names[j]): pair(i, j) for i, j in indices}


class SeparateSystems(SystemValues):
    """The values of systems on sessions of their own, with the topics of these sessions.

    >>> by = SeparateSystems({"A": [3, 1], "B": [2]}, {"A": ["t", "u"], "B": ["u"]})
    >>> by.pairs["A", "B"].exact_strata
    [([3], []), ([1], [2])]
    """

    def __init__(self, values: Mapping[str, Sequence[float]], topics: Mapping[str, Topics]) -> None:
        super().__init__(values)
        self.topics = tuple(topics[name] for name in self.names)

    @cached_property
    def pairs(self) -> dict[tuple[str, str], UnpairedSystems]:
        """Each pair of systems, in the order of their names."""

        def pair(i: int, j: int) -> UnpairedSystems:
            known = self.scaled_pair(i, j)
            return UnpairedSystems(
                self.scores[i], self.scores[j], known, self.topics[i], self.topics[j]
            )

        return self.of_pairs(pair)


class Systems(SystemValues):
    """The values of two or more systems, by name, for the same queries in the same order.

    An InputError says what is wrong, lists of different lengths too.

    >>> Systems({"A": [0.3, 0.5], "B": [0.1, 0.5]}).pairs["A", "B"].n
    2
    """

    def __init__(self, values: Mapping[str, Sequence[float]]) -> None:
        super().__init__(values)
        for name, column in zip(self.names, self.scores, strict=True):
            if len(column) != len(self.scores[0]):
                raise InputError(
                    f"systems: {quoted(name)} has {len(column)} queries, "
                    f"{quoted(self.names[0])} has {len(self.scores[0])}"
                )

    @property
    def slack(self) -> int:
        """By how many units equal sums of values can differ (RS-CMP-23)."""
        return rounding_slack(len(self.scores[0])) if self.scaled is None else 0

    @cached_property
    def pairs(self) -> dict[tuple[str, str], Pair]:
        """Each pair of systems, in the order of their names."""

        def pair(i: int, j: int) -> Pair:
            return Pair(self.scores[i], self.scores[j], self.scaled_pair(i, j))

        return self.of_pairs(pair)

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
