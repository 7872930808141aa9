"""``rs.axioms``: what is asked for, and the verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from ...compute.gain import exact
from ...errors import InputError, items_of, shown
from ...metrics.catalogue import METRICS
from ...metrics.grammar import measures
from ...metrics.measure import Measure, cutoff
from ...reference.numbers.reals import Exact
from ..identify.identification import loader
from .declared import AXIOMS, Axiom, axiom
from .metrics import Metric, OfFunction, OfMeasure, scale_of
from .report import Axioms, OfMetric
from .verdicts import verdict
from .worlds import World

MetricLike: TypeAlias = "str | Measure | Callable[..., Any]"

MOST_LISTS = 100_000


def axioms(
    *metrics: MetricLike,
    labels: Sequence[Exact] | None = None,
    length: int | None = None,
    k: int | None = None,
    only: Iterable[str] | None = None,
) -> Axioms:
    """Which axioms of the literature metrics satisfy, and what shows it (RS-AXM).

    metrics: measures, their names, or functions of your own: function(labels, judged, k), of which
        it may take the first one or two alone, returns a number; what it raises, NaN and None are
        no value. By default, all metrics of rankings
    labels: those that there are, 0 and one above it at least; by default 0, 1 and 2, of relevant
        or not 0 and the least relevant label
    length: of the longest list that is searched; by default that of at most 128 longest lists
    k: the cut-off of functions; a measure has its own
    only: names of axioms; by default all

    Measures are compared as real numbers. Functions are compared as doubles: two that differ by
    less than 2^-40 of the greater count as equal.

    >>> found = axioms("DCG@2", "LDCG", only=["c1", "c2"])
    >>> found["DCG@2"]["c1"].status, found["LDCG"]["c1"].status, found["LDCG"]["c1"].spec
    ('fails', 'holds', 'RS-LEN-10/L1')
    """
    asked = [axiom(name) for name in only] if only is not None else list(AXIOMS)
    depth = cutoff(k)
    scale = None if labels is None else checked_scale(labels)
    found = []
    for of in metrics or _all():
        found += [_judged(*x, asked, scale, length) for x in _read(of, depth)]
    return Axioms(tuple(found))


def named(text: str) -> MetricLike:
    """A function by "package.module:function" or "FILE.py:function"; else the text, a measure."""
    if ":" not in text:
        return text
    try:
        return loader(text)()
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a module raises
        said = f"{type(error).__name__}: {error}"
        raise InputError(f"{text}: it cannot be imported: {said}") from None


def _all() -> list[MetricLike]:
    return [metric() for metric in METRICS if not metric.of_pool and not metric.sees_unjudged]


def checked_scale(labels: Any) -> tuple[Exact, ...]:
    """Labels in rising order: 0, and one above it at least."""
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise InputError(f"labels: {shown(labels)} is no list of labels; expected [0, 1, 2]")
    given = [exact(x, f"labels: label {n}") for n, x in enumerate(items_of(labels, "labels"), 1)]
    scale = tuple(sorted(set(given)))
    if len(scale) < 2 or scale[0] != 0:
        raise InputError(f"labels: {shown(labels)}; expected 0, and one label above it at least")
    return scale


def _read(of: MetricLike, k: int | None) -> list[tuple[str, Metric]]:
    if isinstance(of, (str, Measure)):
        return [(str(m), OfMeasure(_fit(m))) for m in measures(of)]
    if not callable(of):
        raise InputError(f"axioms: {shown(of)} is no measure, no name of one, and no function")
    return [(getattr(of, "__name__", "function"), OfFunction(of, k))]


def _fit(m: Measure) -> Measure:
    """A measure of a list or of a session; not one of the pool alone."""
    if m.metric.of_pool:
        raise InputError(f"axioms: {m} is of the pool alone; axioms are about lists")
    if m.metric.sees_unjudged:
        raise InputError(f"axioms: {m} asks which items are unjudged; here all are judged")
    return m


def _judged(
    name: str,
    E: Metric,
    asked: Sequence[Axiom],
    scale: tuple[Exact, ...] | None,
    length: int | None,
) -> OfMetric:
    exact = isinstance(E, OfMeasure)
    if scale is None:
        scale = scale_of(E.measure) if isinstance(E, OfMeasure) else (0, 1, 2)
    elif isinstance(E, OfMeasure):
        for x in scale:
            if why := E.measure.refusal(x):
                raise InputError(f"labels: {shown(x)}: {why}")
    if len(scale) < 2:
        raise InputError(f"axioms: {name} takes the label 0 alone; axioms compare labels")
    world = World.of(scale, _length(length, scale))
    about = [x for x in asked if x.taken_of == E.taken_of]
    return OfMetric(name, world.scale, exact, tuple(verdict(x, E, world) for x in about))


def _length(given: Any, scale: Sequence[Exact]) -> int | None:
    if given is None:
        return None
    length: int = cutoff(given, "length")  # type: ignore[assignment]
    if len(scale) ** length > MOST_LISTS:
        raise InputError(
            f"length: {length}: of {len(scale)} labels there are more than {MOST_LISTS} such lists"
        )
    return length
