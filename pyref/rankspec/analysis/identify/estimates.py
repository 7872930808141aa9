"""Parameters that no list has: each is what one answer says that it is, if it is one at all.

A persistence of 0.85 or a logarithm of base 3 is not among the values that are tried. One answer
is an equation for it. Its roots are candidates like all others: every answer is held against them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from ...errors import InputError
from ...metrics.catalogue import METRICS
from ...metrics.measure import Metric, make
from .asked import Asked
from .choices import DEFAULTS
from .computed import Core
from .definition import Definition
from .hypotheses import candidates, of_measure
from .inputs import Input
from .outcomes import VALUE, Outcome, Precision, agrees

STEPS = 60  # of a bisection: a root has all digits of a double then
MOST_DIGITS = 15
ESTIMATED = 5_000  # behind the measures whose parameters are listed


class Unknown(NamedTuple):
    """A parameter that is estimated: the values between which a root is sought.

    written: the value as the parameter takes it; whole: whether it is an integer, tried as it is
    """

    name: str
    grid: Sequence[float]
    written: Callable[[float], Any]
    whole: bool = False


def _of_base(kind: str) -> Callable[[float], str]:
    return lambda b: f"{kind}(b={int(b) if b == int(b) else b!r})"


PERSISTENCES = (0.001, *(a / 20 for a in range(1, 20)), 0.999)
BASES = tuple(1.05 * 1.25**a for a in range(20))
UNKNOWN = (
    Unknown("p", PERSISTENCES, lambda p: p),
    Unknown("max", tuple(range(1, 17)), int, whole=True),
    Unknown("discount", BASES, _of_base("log")),
    Unknown("discount", BASES, _of_base("jarvelin-2008")),
    Unknown("discount", BASES, _of_base("jarvelin-2002")),
    Unknown("discount", BASES, _of_base("jiang-2016")),
)


def estimated(asked: Asked, questions: Sequence[Input]) -> list[Core]:
    """The cores whose parameter is the root of an equation that an answer gives."""
    known = [(x, asked.known[x]) for x in questions if x in asked.known]
    known = [(x, a) for x, a in known if a.kind == VALUE and a.value not in (0, 1)]
    if not known:
        return []
    x, answer = max(known, key=lambda pair: _depth(pair[0]))
    found: dict[str, Core] = {}
    for metric in METRICS:
        if metric.labels.relevance is None:
            for core in _of(metric, x, answer, asked.precision):
                found.setdefault(core.name, core)
    return list(found.values())


def _depth(x: Input) -> tuple[int, int]:
    """How deep the list counts, and how many items do."""
    n = len(x.labels)
    return (n if x.k is None else min(x.k, n), sum(1 for label in x.labels if label))


def _of(metric: Metric, x: Input, answer: Outcome, precision: Precision) -> Iterator[Core]:
    for unknown in UNKNOWN:
        if unknown.name not in metric.parameters:
            continue
        others = [p for p in metric.parameters.values() if p.name != unknown.name]
        for values in product(*map(candidates, others)):
            given = {p.name: value for p, value in zip(others, values, strict=True)}
            family = _Family(metric, given, unknown, x)
            yield from family.solved(answer, precision)


class _Family(NamedTuple):
    """The definitions of a metric that differ in one parameter, and the question they answer."""

    metric: Metric
    others: dict[str, Any]
    unknown: Unknown
    x: Input

    def core(self, value: float) -> Core | None:
        try:
            given = self.others | {self.unknown.name: self.unknown.written(value)}
            return of_measure(make(self.metric, None, **given), ESTIMATED)
        except InputError:
            return None

    def answer(self, value: float) -> Outcome:
        core = self.core(value)
        if core is None:
            return Outcome("error")
        predicted = Definition(core, tuple(DEFAULTS.values())).predict(self.x)
        return predicted if isinstance(predicted, Outcome) else Outcome("error")

    def solved(self, answer: Outcome, precision: Precision) -> Iterator[Core]:
        """The cores that give the answer, each with the shortest parameter that does."""
        values = self.unknown.grid if self.unknown.whole else self.roots(answer.value)
        for value in values:
            shortest = value if self.unknown.whole else self.shortest(value, answer, precision)
            core = self.core(shortest)
            if core is not None and agrees(self.answer(shortest), answer, precision):
                yield core

    def roots(self, target: float) -> Iterator[float]:
        """The values between those of the grid at which the answer is the target."""
        grid = self.unknown.grid
        found = [self.answer(a).value - target for a in (grid[0], grid[-1])]
        if found[0] == found[1]:  # as where a base cancels
            return
        off = [self.answer(a).value - target for a in grid]
        for low, high, a, b in zip(grid, grid[1:], off, off[1:], strict=False):
            if math.isfinite(a * b) and (a < 0) != (b < 0):
                yield self.bisected(low, high, target, a < 0)

    def bisected(self, low: float, high: float, target: float, rises: bool) -> float:
        """The root between two values."""
        for _ in range(STEPS):
            middle = (low + high) / 2
            if (self.answer(middle).value < target) == rises:
                low = middle
            else:
                high = middle
        return low

    def shortest(self, root: float, answer: Outcome, precision: Precision) -> float:
        """The number of the fewest digits that gives the answer, too."""
        for digits in range(1, MOST_DIGITS + 1):
            value = float(f"{root:.{digits}g}")
            if value == root or agrees(self.answer(value), answer, precision):
                return value
        return root
