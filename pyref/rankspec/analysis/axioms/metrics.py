"""Metrics as functions of labels, pool and cut-off, whose values can be compared.

A measure's values are real numbers, and are compared exactly. Those of a function in doubles are
doubles: two that differ by less than 2^-40 of the greater count as equal.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ...compute.checks import TooFewWeights, check_depth
from ...metrics.measure import Measure, Ranking, Session
from ...records import replace
from ...reference.axioms import Labels
from ...reference.numbers.ordered import Real
from ...reference.numbers.reals import Exact, Number, Reals
from .functions import OfFunction


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
        self._values: dict[Any, Real] = {}

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
            self._known[key] = self._value(labels, pool, k) if reaches else None
        return self._known[key]

    def _value(self, labels: Any, pool: Labels, k: int | None) -> Real:
        """One number for all orders of the pool, and for all pools if none is looked at."""
        items = tuple(sorted(pool)) if self.measure.reads_pool else ()
        key = labels, items, k
        if key not in self._values:
            self._values[key] = Real(self._equation(labels, pool, k))
        return self._values[key]

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


Metric = OfMeasure | OfFunction

SCALES: tuple[tuple[Exact, ...], ...] = ((0, 1, 2), (0, 1), (0, Fraction(1, 2), 1), (0,))


def scale_of(measure: Measure) -> tuple[Exact, ...]:
    """The labels that a measure is looked at with, if none are given: 0, 1 and 2, or fewer."""
    if measure.metric.root.binary and measure.inner.rel > 0:
        return (0, measure.inner.rel)
    return next(s for s in SCALES if not any(measure.refusal(x) for x in s))
