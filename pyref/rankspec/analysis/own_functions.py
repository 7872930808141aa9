"""Functions of one's own, called with the labels of rankings: their exact values.

fn(labels), fn(labels, judged), fn(labels, judged, k), or by these names; as rs.axioms calls one
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

from ..compute.gain import real_number
from ..errors import InputError, items_of, shown
from ..metrics.measure import Measure
from ..reference.numbers.reals import Exact
from .axioms.functions import GIVEN, taken


class OwnFunction:
    """A function, with the labels of a ranking, those of the pool and the cut-off as arguments.

    name: as errors have it; caller: the function of rankspec that calls it
    instead: what to say of a measure of rankspec, which is no function: measure -> words
    """

    def __init__(
        self, fn: Callable[..., Any], caller: str, instead: Callable[[Measure], str]
    ) -> None:
        measure = fn if isinstance(fn, Measure) else getattr(fn, "__self__", None)
        if isinstance(measure, Measure):
            raise InputError(f"fn: {measure} is a measure of rankspec; {instead(measure)}")
        if not callable(fn):
            raise InputError(f"fn: expected a function, got {shown(fn)}")
        self.name = getattr(fn, "__name__", type(fn).__name__)
        self._fn = fn
        self._takes = taken(fn, self.name, caller)

    def where(self, labels: Sequence[Exact]) -> str:
        """The function and a list, as errors name them."""
        return f"fn: {self.name}, for the labels {shown(list(labels))}"

    def __call__(self, labels: Sequence[Exact], judged: Sequence[Exact], k: int) -> Exact:
        """Return the value, exactly; an InputError where the function fails, or returns none."""
        arguments = dict(zip(GIVEN, (list(labels), list(judged), k), strict=True))
        by_name = {name: arguments[what] for name, what in self._takes.by_name}
        try:
            answer = self._fn(*(arguments[name] for name in self._takes.by_position), **by_name)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise InputError(f"{self.where(labels)}: {what}") from error
        x = finite(answer)
        if x is None:
            raise InputError(f"{self.where(labels)}: expected a finite number, got {shown(answer)}")
        return x


def finite(x: Any) -> Exact | None:
    """The number that x is; None where it is none, or beyond all doubles."""
    number = real_number(x)
    try:
        return number if number is not None and isfinite(number) else None
    except OverflowError:
        return None


def labels_of(name: str, source: Any, *, least: int = 1) -> list[Exact]:
    """The labels of a list, at least so many; an InputError names the argument."""
    more = ", one or more" if least else ""
    complaint = f"{name}: expected a flat list of labels{more}, got {shown(source)}"
    items = [None] if isinstance(source, (str, bytes, dict)) else items_of(source, complaint)
    labels = [x for x in map(finite, items) if x is not None]
    if len(labels) < max(least, len(items)):
        raise InputError(complaint)
    return labels
