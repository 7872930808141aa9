"""Ranked lists whose labels are scores: a document without one has relevance 0 (RS-CONV-20).

The core reads lists of scores and knows no document without one. Where there are such, each gets a
score of which the relevance is 0. The reference takes them as they are, and settles the lists for
which there is no such score.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import pairwise

from ..compute import backends
from ..compute.batch import Batch
from ..compute.by_reference import value_by_reference
from ..metrics.measure import Measure
from ..records import replace
from ..typed import TYPE_CHECKING, Any
from .ranked import RankedLists

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact

Worthless = Callable[[Any], "Exact | None"]
"""A score whose relevance is 0, from the scores of a pool; None: no score is known that has."""


def batch_of(measure: Measure, ranked: RankedLists) -> Batch:
    """What a measure is taken of: the labels, with flags for those that nobody gave where it asks,
    or, where it is of scores, those that there are.
    """
    if measure.metric.relevance is None and not measure.metric.sees_unjudged:
        return ranked.batch
    flags = ranked.unjudged if 1 in ranked.unjudged else None
    batch = ranked.batch
    if batch.pool is batch.labels:  # of retrieved documents: RS-CONV-17
        pool, pool_offsets = _labelled_alone(batch, ranked.unjudged)
        batch = replace(batch, pool=pool, pool_offsets=pool_offsets)
    return replace(batch, unjudged=flags)


def values(measures: Sequence[Measure], batch: Batch, backend: str) -> list[array[float]]:
    """As backends.values(), of a batch in which items may have no score."""
    if batch.unjudged is None or measures[0].metric.sees_unjudged:
        return backends.values(measures, batch, backend)
    if backends.answering(backend) == "reference":
        return backends.values(measures, batch, backend)
    columns: dict[Measure, array[float]] = {}
    for points, variant in dict.fromkeys((m.points, m.variant) for m in measures):
        alike = [m for m in measures if (m.points, m.variant) == (points, variant)]
        filled, left = _filled(batch, _worthless(points, variant))
        for measure, column in zip(alike, backends.values(alike, filled, backend), strict=True):
            for a in left:
                column[a] = value_by_reference(measure, batch, a)
            columns[measure] = column
    return [columns[measure] for measure in measures]


def _labelled_alone(batch: Batch, flags: Any) -> tuple[array[Any], array[int]]:
    """The labels of the lists without the items that have none."""
    pool, offsets = array(memoryview(batch.labels).format), array("q", [0])
    for begin, end in pairwise(batch.offsets):
        own = zip(batch.labels[begin:end], flags[begin:end], strict=True)
        pool.extend(score for score, flag in own if not flag)
        offsets.append(len(pool))
    return pool, offsets


def _worthless(points: Any, variant: str) -> Worthless:
    if points is None:
        # The program's first control point is (0, 0), whatever the scores are (RS-REL-5).
        return _lowest if variant == "text" else lambda _: 0
    first, relevance = points[0]  # that of all scores below it, too
    return lambda _: 0 if first >= 0 and relevance == 0 else None


def _lowest(pool: Any) -> Exact | None:
    """No score up to the median has a relevance, unless all are the same: it may be 1 then."""
    if not len(pool):
        return 0
    lowest: Exact = min(pool)
    return lowest if lowest < max(pool) else None


def _filled(batch: Batch, worthless: Worthless) -> tuple[Batch, list[int]]:
    """The batch with a score for each item, and the lists for which no such score is known."""
    labels = array(memoryview(batch.labels).format, batch.labels)  # 0 where there is no score
    flags = bytes(batch.unjudged)
    left = []
    for a, (begin, end) in enumerate(pairwise(batch.offsets)):
        position = flags.find(1, begin, end)
        if position < 0:
            continue
        score = worthless(batch.pool[batch.pool_offsets[a] : batch.pool_offsets[a + 1]])
        if score is None:
            left.append(a)
        while score and position >= 0:
            labels[position] = score
            position = flags.find(1, position + 1, end)
    return replace(batch, labels=labels, unjudged=None), left
