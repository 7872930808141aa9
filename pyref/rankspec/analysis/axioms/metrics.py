"""Metrics as functions of labels, pool and cut-off, whose values can be compared.

A measure's values are real numbers, and are compared exactly. Those of a function in doubles are
doubles: two that differ by less than 2^-40 of the greater count as equal.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ...compute.checks import TooFewWeights, check_depth
from ...errors import InputError, shown
from ...metrics.measure import Measure, Ranking, Session
from ...reference.axioms import Labels
from ...reference.numbers.ordered import Real
from ...reference.numbers.reals import Exact, Number, Reals

TIED = Fraction(1, 2**40)


def _session(queries: Any, pool: Labels) -> Session:
    """A session in which nothing comes again."""
    documents = [[(q, i) for i, _ in enumerate(row)] for q, row in enumerate(queries)]
    return Session(queries, pool, documents)


READERS: dict[str, Callable[[Any, Labels], Ranking | Session]] = {
    "rankings": Ranking.settled,
    "sessions": _session,
}
"""What a measure is taken of, made of labels and pool."""


class OfMeasure:
    """A measure. Its own cut-off is kept where none is given.

    defined: whether what divides by 0 has no value; else it is 0 (RS-CONV-4)
    """

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self._cut: dict[int | None, Measure] = {measure.k: measure}
        self._known: dict[Any, Real | None] = {}

    @property
    def k(self) -> int | None:
        """The cut-off of the measure."""
        return self.measure.k

    @property
    def taken_of(self) -> str:
        """What the measure is taken of, rankings or sessions."""
        return self.measure.taken_of

    def __call__(self, labels: Any, pool: Labels, k: int | None) -> Real | None:
        key = labels, pool, k
        if key not in self._known:
            reaches = self._reaches(labels, pool, k)
            self._known[key] = Real(self._equation(labels, pool, k)) if reaches else None
        return self._known[key]

    def _reaches(self, labels: Any, pool: Labels, k: int | None) -> bool:
        """Whether weights that are given are enough for the list."""
        measure, length = self._at(k), READERS[self.taken_of](labels, pool).length
        try:
            check_depth(measure, measure.deepest_rank(length, len(pool)))
        except TooFewWeights:
            return False
        return True

    def is_defined(self, labels: Labels, pool: Labels, k: int | None) -> bool:
        """Whether nothing is divided by 0."""
        measure, x = self._at(k), Ranking.settled(labels, pool)
        metric = measure.metric
        undefined = metric.is_undefined(measure, len(labels), pool)
        return not undefined and not metric.is_undefined_for(measure, x)

    def _equation(self, labels: Any, pool: Labels, k: int | None) -> Callable[[Reals], Number]:
        measure = self._at(k)
        x = READERS[self.taken_of](labels, pool)
        return lambda R: measure.value(x, R)

    def _at(self, k: int | None) -> Measure:
        if k not in self._cut:
            self._cut[k] = replace(self.measure, k=k)
        return self._cut[k]


class Near(float):
    """A double; one that is as near as 2^-40 of the greater is equal to it."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (int, float)):
            return NotImplemented
        x, y = float(self), float(other)
        return x == y or abs(x - y) <= float(TIED) * max(abs(x), abs(y))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: float) -> bool:
        return self != other and float(self) < float(other)

    def __gt__(self, other: float) -> bool:
        return self != other and float(self) > float(other)

    def __le__(self, other: float) -> bool:
        return self == other or float(self) < float(other)

    def __ge__(self, other: float) -> bool:
        return self == other or float(self) > float(other)

    __hash__ = None  # type: ignore[assignment]  # what is near has no hash

    @property
    def near(self) -> float:
        return float(self)


class OfFunction:
    """A function of Python: of labels, and of the labels of the pool and the cut-off if it takes
    them, in that order. What it raises, NaN and None are no value.
    """

    taken_of = "rankings"

    def __init__(self, function: Callable[..., Any], k: int | None = None) -> None:
        self.function = function
        self.k = k
        self._takes = _arguments(function)
        self._known: dict[Any, Near | None] = {}

    def __call__(self, labels: Labels, pool: Labels, k: int | None) -> Near | None:
        key = labels, pool, k
        if key not in self._known:
            self._known[key] = self._called(labels, pool, k)
        return self._known[key]

    def is_defined(self, labels: Labels, pool: Labels, k: int | None) -> bool:
        """Whether it gives a number."""
        return self(labels, pool, k) is not None

    def _called(self, labels: Labels, pool: Labels, k: int | None) -> Near | None:
        given: list[Any] = [list(labels), list(pool), k][: self._takes]
        try:
            found = float(self.function(*given))
        except Exception:  # noqa: BLE001 - whatever it raises, it has no value
            return None
        return Near(found) if math.isfinite(found) else None


def _arguments(function: Callable[..., Any]) -> int:
    """How many of labels, pool and cut-off a function takes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of a built-in
        return 3
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return 3
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if not positional:
        raise InputError(f"axioms: {shown(function)} takes no labels")
    needed = sum(p.default is p.empty for p in positional)
    if needed > 3:
        raise InputError(
            f"axioms: {shown(function)} takes {needed} arguments; expected labels, the labels of "
            "the pool and the cut-off, or the first of these"
        )
    return min(len(positional), 3)


Metric = OfMeasure | OfFunction

SCALES: tuple[tuple[Exact, ...], ...] = ((0, 1, 2), (0, 1), (0, Fraction(1, 2), 1), (0,))


def scale_of(measure: Measure) -> tuple[Exact, ...]:
    """The labels that a measure is looked at with, if none are given: 0, 1 and 2, or fewer."""
    if measure.metric.root.binary and measure.inner.rel > 0:
        return (0, measure.inner.rel)
    return next(s for s in SCALES if not any(measure.refusal(x) for x in s))
