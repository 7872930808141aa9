"""Batches and measures to compare the two backends on."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import isnan, nan
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from rankspec.compute import by_core as computing
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.compute.by_reference import value_by_reference
from rankspec.compute.gain import LARGEST_EXP2_LABEL
from rankspec.metrics.grammar import make
from rankspec.metrics.measure import Measure, Metric
from rankspec.metrics.parameters import Parameter

LARGEST = (1 << 63) - 1
SMALL_DEPTH = 40  # of custom weights: lists and pools of the general strategy are shorter

# The kinds of labels, with the formats that hold them: what the core tells apart.
_GRADES = st.integers(0, 4)
_BYTES = st.integers(0, 255)
_LARGE = st.one_of(
    _GRADES,
    st.integers(0, LARGEST),
    st.sampled_from([255, 256, (1 << 31) - 1, 1 << 31, (1 << 53) + 1, 1 << 62, LARGEST, 10**9]),
)
_DOUBLES = st.floats(0, allow_infinity=False, allow_nan=False)
_HALVES = st.integers(0, 40).map(lambda n: n / 8)
_FLOATS = st.floats(0, allow_infinity=False, allow_nan=False, width=32)
LABELS = {
    "grades": (_GRADES, "BbHhIiqfd"),
    "bytes": (_BYTES, "BHhIiqfd"),
    "int32": (st.one_of(_GRADES, st.integers(0, (1 << 31) - 1)), "iIqd"),
    "int64": (_LARGE, "q"),
    "halves": (_HALVES, "fd"),
    "floats": (_FLOATS, "fd"),
    "doubles": (_DOUBLES, "d"),
}

_BASES = st.one_of(
    st.sampled_from([2, 3, 4, 10, 1.5, 1.0000001, 999.5]),
    st.floats(1.01, 1000, exclude_min=True),
)
_WEIGHTS = st.lists(
    st.one_of(st.floats(0, 8), st.floats(0, 1e300), st.sampled_from([0.0, 5e-324, 1.0, 2.0])),
    min_size=SMALL_DEPTH,
    max_size=SMALL_DEPTH,
).map(lambda weights: sorted(weights, reverse=True))
DISCOUNTS = st.one_of(
    st.just("log2"),
    st.sampled_from(["zipf", "none"]),
    st.builds("log(b={})".format, _BASES),
    st.builds("jarvelin-2008(b={})".format, _BASES),
    st.builds("jarvelin-2002(b={})".format, _BASES),
    _WEIGHTS,
)
PRIORS = st.one_of(
    st.sampled_from(["discount", "uniform"]),
    DISCOUNTS.filter(lambda choice: isinstance(choice, str) or choice[0] > 0),
)

_SHARES = st.one_of(st.integers(0, 8).map(lambda n: n / 8), st.floats(0, 1))
_SCORES = st.one_of(
    st.integers(-4, 9),
    st.floats(-1e3, 1e3),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-LARGEST, LARGEST),
)


@st.composite
def control_points(draw: st.DrawFn) -> list[tuple[float, float]]:
    """Scores that rise, each with a relevance that does not fall."""
    scores = sorted(set(draw(st.lists(_SCORES, min_size=1, max_size=6))))
    shares = draw(st.lists(_SHARES, min_size=len(scores), max_size=len(scores)))
    return list(zip(scores, sorted(shares), strict=True))


def tables(size: int) -> st.SearchStrategy[list[float]]:
    """Gain tables for the labels below size: whole gains, or real ones."""
    whole = st.lists(st.integers(0, 1 << 40), min_size=size, max_size=size)
    small = st.lists(st.integers(0, 200), min_size=size, max_size=size)
    real = st.lists(st.floats(0, 1e6), min_size=size, max_size=size)
    return st.one_of(small, whole, real).map(sorted)


def gains(kind: str) -> st.SearchStrategy:
    """The gains that labels of a kind can have."""
    named = ["linear"]
    if kind in ("grades", "halves") or (kind == "bytes" and LARGEST_EXP2_LABEL >= 255):
        named.append("exp2")
    if kind in ("grades", "bytes"):
        return st.one_of(st.sampled_from(named), tables(5 if kind == "grades" else 256))
    return st.sampled_from(named)


_PROBABILITIES = st.one_of(
    st.floats(0, 1),
    st.sampled_from([0, 1, 0.5, 0.3, 5e-324, 1e-30, 2.0**-75, 1 - 2.0**-53]),
    st.integers(0, 16).map(lambda n: n / 16),
)


def stops(kind: str) -> st.SearchStrategy:
    """Probabilities to stop, for all labels of a kind where these are few; or none."""
    size = {"grades": 5, "bytes": 256}.get(kind, 3)
    few = st.lists(_PROBABILITIES, min_size=min(size, 8), max_size=min(size, 8))
    tables = few.map(lambda x: sorted(x * (size // len(x) + 1))[-size:])
    return st.one_of(st.none(), tables)


WEIGHTS_OF_THRESHOLDS = st.lists(
    st.one_of(
        st.integers(0, 3),
        st.floats(0, 1),
        st.sampled_from([0.25, 1e-30, 1e300, 5e-324, 2.0**-40]),
    ),
    min_size=1,
    max_size=7,
).filter(any)

# The values of a parameter that is no choice of words, for a kind of labels.
VALUES: dict[str, Callable[[str], st.SearchStrategy]] = {
    "gain": gains,
    "discount": lambda _: DISCOUNTS,
    "prior": lambda _: PRIORS,
    "max": lambda kind: st.integers(1 if kind == "halves" else 4, 52),
    "max_rel": lambda _: st.one_of(
        st.just("pool"), st.sampled_from([4, 4.5, 0.1, 255, 5e-324, 1e300, (1 << 62) + 1])
    ),
    "stop": stops,
    "stops": lambda kind: st.one_of(st.none(), gains(kind)),
    "gamma": lambda _: st.sampled_from([0.95, 1, 0.5, 5e-324]),
    "phi": lambda _: st.sampled_from([0.99, 1, 0.5, 5e-324]),
    "T": lambda _: st.sampled_from([0.5, 1, 2.75]),
    "hb": lambda _: st.sampled_from([0, 0.5]),
    "hc": lambda _: st.sampled_from([0, 1]),
    "med": lambda _: st.sampled_from([0, 0.5]),
    "normalize": lambda _: st.booleans(),
    "p": lambda _: st.one_of(
        st.sampled_from([0.5, 0.8, 0.95, 5e-324, 1e-30, 1 - 2.0**-53]),
        st.floats(0, 1, exclude_min=True, exclude_max=True),
    ),
    "beta": lambda _: st.sampled_from([1, 0, 0.5, 2, 5e-324, 1e300]),
    "q": lambda _: WEIGHTS_OF_THRESHOLDS,
    "points": lambda _: st.one_of(st.none(), control_points()),
    "levels": lambda _: st.lists(st.floats(0, 1), min_size=1, max_size=4),
    "weights": lambda _: st.sampled_from([(1, -1, 0, 0), (2, -0.5, -0.25, 0)]),
    "documents": lambda _: st.sampled_from([None, 1 << 53]),
    "multiple": lambda _: st.one_of(st.sampled_from([0, 0.2, 1, 1.4, 10**6]), st.floats(0, 3)),
    "recall": lambda _: st.one_of(st.sampled_from([0, 0.1, 0.7, 1, 5e-324]), st.floats(0, 1)),
    "rel": lambda _: st.one_of(st.integers(-1, 5), st.floats(-1, 5), st.just(1 << 31)),
}


def values_of(parameter: Parameter, kind: str) -> st.SearchStrategy:
    """The values that a parameter can have, for labels of that kind."""
    return st.sampled_from(parameter.words) if parameter.words else VALUES[parameter.name](kind)


@st.composite
def parameters_of(draw: st.DrawFn, metric: Metric, kind: str) -> dict[str, Any]:
    """Values for the parameters of a metric, for labels of that kind."""
    chosen = {name: draw(values_of(p, kind)) for name, p in metric.parameters.items()}
    if chosen.get("stop") is not None:  # in the place of the largest label
        del chosen["max"]
    return chosen


@st.composite
def parameters_of_bounded(draw: st.DrawFn, metric: Metric, kind: str) -> dict[str, Any]:
    """The same of a measure that has bounds: what it divides by is the pool's (RS-BND-1)."""
    chosen = draw(parameters_of(metric, kind))
    assume(not metric.divides_by_list(make(metric, None, **chosen)))
    return chosen


SUMMED = ("SDCG", "INSQ", "INST", "NERR8", "NERR9", "NERR10", "NERR11", "Compat")


@st.composite
def measures_for(draw: st.DrawFn, metric: Metric, kind: str, longest: int) -> list[Measure]:
    """One measure at several cut-offs, for labels of that kind."""
    chosen = draw(parameters_of(metric, kind))
    # Z, and the perfect ideal, are summed over all ranks to the cut-off, and weights are given for
    # so many only.
    summed = chosen.get("Z") == "M" or chosen.get("ideal") == "perfect"
    summed = summed or metric.name in SUMMED
    deepest = SMALL_DEPTH if summed else 1 << 62
    cutoffs = st.one_of(st.none(), st.integers(1, longest + 3), st.just(deepest))
    return [make(metric, k, **chosen) for k in draw(st.lists(cutoffs, min_size=1, max_size=4))]


def blocks(labels: st.SearchStrategy, longest: int) -> st.SearchStrategy:
    """A few labels, each several times: the ideal of LNDCG may show the first alone, or all."""
    block = st.tuples(labels, st.integers(1, longest))
    return st.lists(block, max_size=4).map(
        lambda row: [x for x, n in row for _ in range(n)][:longest]
    )


@st.composite
def ragged(draw: st.DrawFn, labels: st.SearchStrategy, form: str, lists: int, longest: int):
    """(flat, offsets) of so many lists."""
    row = st.one_of(st.lists(labels, max_size=longest), blocks(labels, longest))
    return flat([draw(row) for _ in range(lists)], form)


@st.composite
def batches(draw: st.DrawFn, kind: str, *, tied: bool, longest: int = 30) -> Batch:
    """A batch of up to four lists, with or without ties and pools."""
    labels, forms = LABELS[kind]
    lists = draw(st.integers(0, 4))
    flat, offsets = draw(ragged(labels, draw(st.sampled_from(forms)), lists, longest))
    starts = bytes(draw(st.lists(st.booleans(), min_size=len(flat), max_size=len(flat))))
    if draw(st.booleans()):
        pool, pool_offsets = draw(ragged(labels, draw(st.sampled_from(forms)), lists, longest))
    else:
        pool = pool_offsets = None
    return Batch(flat, offsets, starts if tied else None, pool, pool_offsets)


def flat(rows: Sequence[Sequence[Any]], form: str) -> tuple[array[Any], array[int]]:
    """Rows in one array of a format, and their offsets."""
    return (
        array(form, [x for row in rows for x in row]),
        array("q", accumulate((len(row) for row in rows), initial=0)),
    )


def by_core(monkeypatch: Any, measures: list[Measure], batch: Batch) -> list[list[float]]:
    """The core alone: a row a measure; NaN where it is undecided."""
    monkeypatch.setattr(computing, "value_by_reference", lambda *_: nan)
    return [column.tolist() for column in values(measures, batch)]


def undecided_share(monkeypatch: Any, measures: list[Measure], batch: Batch) -> float:
    """Return the share that the core leaves undecided; all else is as the reference has it.

    The reference, which is slow, is asked for nothing else.
    """
    with monkeypatch.context() as patched:
        columns = by_core(patched, measures, batch)
    for measure, column in zip(measures, columns, strict=True):
        for a, x in enumerate(column):
            assert isnan(x) or x == value_by_reference(measure, batch, a), (measure, a)
    cells = [x for column in columns for x in column]
    return sum(map(isnan, cells)) / max(1, len(cells))
