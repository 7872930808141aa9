"""``rs.axioms``: what is asked for, and the verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, TypeAlias

from ...compute.gain import exact
from ...errors import InputError, items_of, names_in, quoted, shown
from ...metrics.catalogue import METRICS
from ...metrics.grammar import measures
from ...metrics.measure import Measure, cutoff
from ...metrics.measure import Metric as MetricOfSpec
from ...reference.numbers.reals import Exact
from ..identify.child import Load, positive_seconds
from ..identify.identification import loader
from .declared import AXIOMS, Axiom, axiom
from .functions import OfFunction
from .metrics import READERS, Metric, OfMeasure, scale_of
from .report import Axioms, OfMetric
from .verdicts import verdict
from .worlds import World

MOST_LISTS = 1_000_000
"""Of a world, with their pools."""

SECONDS = 10.0


@dataclass(frozen=True)
class Named:
    """A function by its name, loaded in the process that calls it.

    name: "package.module:function" or "FILE.py:function"
    """

    name: str
    load: Load


MetricLike: TypeAlias = "str | Measure | Callable[..., Any] | Named"


def axioms(
    *metrics: MetricLike,
    labels: Sequence[Exact] | None = None,
    length: int | None = None,
    k: int | None = None,
    only: str | Iterable[str] | None = None,
    timeout: float = SECONDS,
    isolated: bool = True,
) -> Axioms:
    """Find which axioms of the literature metrics satisfy, with the evidence (RS-AXM).

    metrics: measures, their names, or your own functions. A function takes (labels, judged, k), or
        only the first one or two; arguments named ``judged`` or ``k`` are passed by name. It
        returns a number; an error, NaN, an infinity and None count as no value. By default, all
        metrics of rankings
    labels: the possible labels, 0 and at least one above it; by default 0, 1 and 2, for binary
        metrics 0 and the least relevant label
    length: the length of the longest lists; by default the greatest with at most 128 such lists
    k: the cut-off passed to functions; a measure names its own
    only: the name of an axiom, or several; by default all
    timeout: the seconds that a call of a function may take
    isolated: whether functions run in their own process

    Measures are compared as real numbers. Functions are compared as doubles: two that differ by
    less than 2^-40 of the greater count as equal.

    Raises InputError if a named axiom applies to none of the given metrics, or if two metrics have
    the same name.

    >>> found = axioms("DCG@2", "LDCG", only=["c1", "c2"])
    >>> found["DCG@2"]["c1"].status, found["LDCG"]["c1"].status, found["LDCG"]["c1"].spec
    ('fails', 'holds', 'RS-LEN-10/L1')
    """
    asked = list(AXIOMS) if only is None else _named_axioms(only)
    depth = cutoff(k)
    scale = None if labels is None else checked_scale(labels)
    timeout = positive_seconds(timeout)
    with ExitStack() as ended:

        def function(load: Load, name: str) -> OfFunction:
            found = OfFunction(load, name, depth, timeout, isolated)
            ended.callback(found.close)
            return found

        read = _read(metrics or _all(), function)
        _check_taken(asked if only is not None else [], [E.taken_of for E in read.values()])
        if depth is not None and all(
            E.k is None or isinstance(E, OfMeasure) for E in read.values()
        ):
            raise InputError(
                "k: only functions use it, and no given function takes k; a measure names its "
                "own cut-off, as in nDCG@10"
            )
        return Axioms(tuple(_judged(name, E, asked, scale, length) for name, E in read.items()))


def named(text: str) -> MetricLike:
    """A function by "package.module:function" or "FILE.py:function"; else the text, a measure."""
    if ":" in text:
        return Named(text, loader(text))
    if text.endswith(".py"):
        raise InputError(f"{quoted(text)} names no function; expected {text}:function")
    return text


def _named_axioms(only: Any) -> list[Axiom]:
    names = names_in(only, "only", "axiom")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"only: {quoted(twice)} is listed twice")
    return [axiom(name) for name in names]


def _check_taken(asked: Sequence[Axiom], taken_of: Sequence[str]) -> None:
    """An InputError for an axiom that is named, and about none of the metrics."""
    for x in asked:
        if x.taken_of not in taken_of:
            raise InputError(
                f'only: "{x.name}" is about metrics of {x.taken_of}, but the given metrics are '
                f"of {taken_of[0]}"
            )


def _all() -> list[MetricLike]:
    return [metric() for metric in METRICS if not metric.of_pool and not metric.sees_unjudged]


def checked_scale(labels: Any) -> tuple[Exact, ...]:
    """Labels in rising order: 0, and one above it at least."""
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise InputError(
            f"labels: expected a list of labels such as [0, 1, 2], got {shown(labels)}"
        )
    given = [exact(x, f"labels: label {n}") for n, x in enumerate(items_of(labels, "labels"), 1)]
    scale = tuple(sorted(set(given)))
    if len(scale) < 2 or scale[0] != 0:
        raise InputError(f"labels: expected 0 and at least one label above 0, got {shown(labels)}")
    return scale


def _read(
    given: Sequence[MetricLike], function: Callable[[Load, str], OfFunction]
) -> dict[str, Metric]:
    """The metrics by their names; what is there twice is taken once."""
    found: dict[str, Metric] = {}
    whose: dict[str, MetricLike] = {}
    short = [of.name.rpartition(":")[2] for of in _once(given) if isinstance(of, Named)]
    for of in _once(given):
        if isinstance(of, (str, Measure)):
            read: list[tuple[str, Metric]] = [(str(m), _of_measure(m)) for m in measures(of)]
        else:
            name, whole_name, load = _function(of, short)
            if name in found:
                raise InputError(
                    f"axioms: two metrics have the name {quoted(name)}; a function is known by "
                    "its __name__"
                )
            read = [(name, function(load, whole_name))]
        for name, E in read:
            if name in found and not isinstance(whose[name], (str, Measure)):
                raise InputError(
                    f"axioms: the function {quoted(name)} has the same name as a measure"
                )
            found[name], whose[name] = E, of
    return found


def _of_measure(m: Measure) -> OfMeasure:
    """A measure, if it is of what axioms are about."""
    if m.taken_of not in READERS:
        raise InputError(
            f'axioms: "{m}" takes items with a label for each subtopic; axioms are checked only '
            "for rankings and sessions, which have one label per item"
        )
    return OfMeasure(_fit(m))


def _once(given: Sequence[MetricLike]) -> list[MetricLike]:
    """What is given, without what was there before."""
    return [
        of for n, of in enumerate(given) if not any(_is_same(of, before) for before in given[:n])
    ]


def _is_same(of: MetricLike, other: MetricLike) -> bool:
    if isinstance(of, Named) and isinstance(other, Named):
        return of.name == other.name
    return of is other


def _function(of: Any, short: Sequence[str]) -> tuple[str, str, Load]:
    """The name of a function, its whole name, and what loads it.

    short: what the functions that are loaded are called, in short
    """
    if isinstance(of, Named):
        name = of.name.rpartition(":")[2]
        return (name if short.count(name) == 1 else of.name), of.name, of.load
    if isinstance(of, MetricOfSpec):
        raise InputError(f"axioms: {of.name} is a metric; call it for a measure: rs.{of.name}()")
    if not callable(of):
        raise InputError(f"axioms: expected a measure, its name or a function, got {shown(of)}")
    name = getattr(of, "__name__", type(of).__name__)
    return name, name, lambda: of


def _fit(m: Measure) -> Measure:
    """A measure of a list or of a session; not one of the pool alone."""
    if m.metric.of_pool:
        raise InputError(
            f"axioms: {m} depends only on the pool, not on the list, so no axiom applies to it"
        )
    if m.metric.sees_unjudged:
        raise InputError(
            f"axioms: {m} depends on which items are unjudged; the search for axioms has judged "
            "items only"
        )
    return m


def _judged(
    name: str,
    E: Metric,
    asked: Sequence[Axiom],
    scale: tuple[Exact, ...] | None,
    length: int | None,
) -> OfMetric:
    if scale is None:
        scale = scale_of(E.measure) if isinstance(E, OfMeasure) else (0, 1, 2)
    elif isinstance(E, OfMeasure):
        for x in scale:
            if why := E.measure.refusal(x):
                raise InputError(f"labels: {shown(x)}: {why}")
    if len(scale) < 2:
        raise InputError(
            f"axioms: {name} takes only the label 0; axioms compare labels, so at least two are "
            "needed"
        )
    world = _world(scale, length)
    about = [x for x in asked if x.taken_of == E.taken_of]
    verdicts = tuple(verdict(x, E, world) for x in about)
    if isinstance(E, OfMeasure):
        return OfMetric(name, world.scale, True, verdicts)
    return OfMetric(name, world.scale, False, verdicts, tuple(E.takes), E.calls)


def _world(scale: tuple[Exact, ...], length: Any) -> World:
    """The world of a scale, which is not too great."""
    if length is not None:
        length = cutoff(length, "length")
    world = World.of(scale, length)
    if world.exceeds(MOST_LISTS):
        what = "labels" if length is None else f"length: {length}"
        raise InputError(
            f"{what}: {len(scale)} labels make more than {MOST_LISTS} lists with their pools; "
            "give fewer labels or a shorter length"
        )
    return world
