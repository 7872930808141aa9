"""Functions of one's own, called with the labels of rankings: their exact values.

fn(labels), fn(labels, judged), fn(labels, judged, k), or by these names; as rs.axioms calls one
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from fractions import Fraction
from math import isfinite
from typing import Any

from ..compute.gain import is_boolean, real_number
from ..errors import InputError, items_of, shown, shown_error
from ..metrics.bounds import Bound
from ..metrics.made import NamedMaker
from ..metrics.measure import Measure, Metric
from ..reference.numbers.reals import Exact
from .axioms.functions import GIVEN, taken


def _measure_of(fn: Any) -> Measure | None:
    """The measure of rankspec that a caller has instead of a function: itself, or its ``of``.

    A metric that was not called, rs.RR, is taken for rs.RR().
    """
    for x in (fn, getattr(fn, "__self__", None)):
        if isinstance(x, Metric):
            return x()
        if isinstance(x, Measure):
            return x
    return None


class OwnFunction:
    """A function, with the labels of a ranking, those of the pool and the cut-off as arguments.

    name: as errors have it; caller: the function of rankspec that calls it
    instead: what to say of a measure of rankspec, which is no function: measure -> words
    """

    def __init__(
        self, fn: Callable[..., Any], caller: str, instead: Callable[[Measure], str]
    ) -> None:
        measure = _measure_of(fn)
        if measure is not None:
            raise InputError(f"fn: {measure} is a measure of rankspec; {instead(measure)}")
        if not callable(fn) or isinstance(fn, (Bound, NamedMaker)):
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
            raise InputError(f"{self.where(labels)}: {shown_error(error)}") from error
        x = finite(answer)
        if x is None:
            raise InputError(f"{self.where(labels)}: {_no_number(answer)}")
        return x


def _no_number(answer: Any) -> str:
    """Say why a value is no number of at most the largest double."""
    if is_boolean(answer):
        return f"expected a number, got {shown(answer)}; write int(...)"
    number = real_number(answer)
    if isinstance(number, (int, Fraction)):
        return f"expected a number within the range of doubles, got {shown(answer)}"
    return f"expected a finite number, got {shown(answer)}"


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
    items = [None] if isinstance(source, (str, bytes, dict, Set)) else items_of(source, complaint)
    labels = [x for x in map(finite, items) if x is not None]
    if len(labels) < max(least, len(items)):
        raise InputError(complaint)
    return labels
