"""From a batch of rankings to values: by the C core, or by the reference.

A :class:`Batch` holds ragged lists as flat buffers and offsets, as the C core reads them:
anything with the buffer protocol serves (``array.array``, ``memoryview``, a numpy array), so
that nothing here needs numpy.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from .errors import InputError
from .measure import Measure, Ranking, value
from .reference.numerics import nearest_double, nearest_double_of

BACKENDS = ("c", "reference")
LONGEST = 1 << 30  # items in one list: RS_LONGEST of the C core


@dataclass(frozen=True)
class Batch:
    """Lists of labels in rank order, list a at labels[offsets[a]:offsets[a + 1]].

    labels: a flat buffer of integers or floats
    offsets: int64, one more than there are lists, from 0 to len(labels), not falling
    starts: uint8 as long as labels, 1 where a tie group begins; None: the order is settled
    pool, pool_offsets: the labels of the judged items of each list; None: the list's own
    unjudged: uint8 as long as labels, 1 where the item has no label, or where labels are scores no
        score (RS-CONV-20); None: each has one
    """

    labels: Any
    offsets: Any
    starts: Any = None
    pool: Any = None
    pool_offsets: Any = None
    unjudged: Any = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def ranking(self, a: int) -> Ranking:
        """List a, as the reference takes it."""
        begin, end = int(self.offsets[a]), int(self.offsets[a + 1])
        labels = self.labels[begin:end].tolist()
        if self.unjudged is not None:
            flags = self.unjudged[begin:end]
            labels = [None if flag else x for x, flag in zip(labels, flags, strict=True)]
        if self.starts is None:
            groups = [[label] for label in labels]
        else:
            groups = []
            for label, start in zip(labels, self.starts[begin:end], strict=True):
                if start or not groups:
                    groups.append([])
                groups[-1].append(label)
        if self.pool is None:
            return Ranking(groups, labels)
        pool = self.pool[int(self.pool_offsets[a]) : int(self.pool_offsets[a + 1])]
        return Ranking(groups, pool.tolist())


def values(measures: Sequence[Measure], batch: Batch, backend: str = "c") -> list[array[float]]:
    """The value of each measure for each list, correctly rounded: one array a measure."""
    if backend == "reference":
        return values_by_reference(measures, batch)
    if backend != "c":
        raise no_backend(backend)
    # Only here is the compiled core needed.
    from .native import values_by_core

    return values_by_core(measures, batch)


def values_by_reference(measures: Sequence[Measure], batch: Batch) -> list[array[float]]:
    """As values(), by the certified reference alone."""
    check(measures, batch)
    return [array("d", (by_reference(m, batch, a) for a in range(len(batch)))) for m in measures]


def by_reference(measure: Measure, batch: Batch, a: int) -> float:
    """The value of list a, correctly rounded, by the certified reference (RS-NUM-3)."""
    ranking = batch.ranking(a)
    return nearest_double_of(lambda reals: value(measure, ranking, reals))


def relevance(measure: Measure, scores: Any, offsets: Any, backend: str = "c") -> array[float]:
    """The relevance of each score by a measure of scores, the double nearest to φ (RS-REL-9).

    scores, offsets: as the labels of a Batch; a list is its own pool
    """
    if backend == "reference":
        return relevance_by_reference(measure, scores, offsets)
    if backend != "c":
        raise no_backend(backend)
    from .native import relevance_by_core

    return relevance_by_core(measure, scores, offsets)


def relevance_by_reference(measure: Measure, scores: Any, offsets: Any) -> array[float]:
    """As relevance(), by the reference alone."""
    check_offsets(offsets, len(scores), "offsets", "scores")
    for position, score in enumerate(scores.tolist()):
        if not math.isfinite(score):
            raise refuse_score(scores, offsets, position)
    found = array("d")
    for begin, end in pairwise(offsets):
        own = scores[begin:end].tolist()
        phi = measure.metric.relevance(measure, own)  # type: ignore[misc]
        nearest = {s: nearest_double(phi(s)) for s in set(own)}
        found.extend(nearest[s] for s in own)
    return found


def no_backend(name: str) -> InputError:
    """The error for a backend that there is not."""
    return InputError(f'backend: "{name}" is none; there are "c" and "reference"')


# ---- what both backends refuse, in the same words ----------------------------------------


def check(measures: Sequence[Measure], batch: Batch) -> None:
    """An InputError where the batch or a measure's demands on it are not met."""
    listed, pooled = lengths_of(batch)
    for measure in measures:
        check_depth(measure, measure.deepest_rank(listed, pooled))
        if reads_lists(measure, batch):
            check_labels(measure, batch.labels, batch.offsets, "labels")
        if batch.pool is not None and measure.metric.pool:
            check_labels(measure, batch.pool, batch.pool_offsets, "judged")


def reads_lists(measure: Measure, batch: Batch) -> bool:
    """Whether the labels of the lists matter: not where a measure of the pool has the pool."""
    return batch.pool is None or not measure.metric.of_pool


def lengths_of(batch: Batch) -> tuple[int, int]:
    """The lengths of the longest list and pool; an InputError where offsets do not fit."""
    listed = check_offsets(batch.offsets, len(batch.labels), "offsets")
    if batch.pool is None:
        return listed, listed
    return listed, check_offsets(batch.pool_offsets, len(batch.pool), "judged_offsets")


def check_offsets(offsets: Any, size: int, what: str, of: str = "labels") -> int:
    """The length of the longest list; an InputError where offsets do not fit (RS-CONV-11)."""
    if len(offsets) == 0 or offsets[0] != 0:
        raise InputError(f"{what}: they must begin with 0")
    longest = 0
    for a in range(len(offsets) - 1):
        length = int(offsets[a + 1]) - int(offsets[a])
        if length < 0:
            raise InputError(
                f"{what}: offset {a + 1} is {offsets[a + 1]}, below the one before it, {offsets[a]}"
            )
        if offsets[a + 1] > size:
            raise InputError(
                f"{what}: offset {a + 1} is {offsets[a + 1]}, but there are {size} {of}"
            )
        longest = max(longest, length)
    if offsets[len(offsets) - 1] != size:
        raise InputError(
            f"{what}: they end at {offsets[len(offsets) - 1]}, but there are {size} {of}"
        )
    if longest > LONGEST:
        raise InputError(f"{what}: a list of {longest} items; at most {LONGEST} are supported")
    return longest


class TooFewWeights(InputError):
    """Weights by rank that do not reach as deep as a measure needs them."""

    def __init__(self, measure: Measure, words: str) -> None:
        super().__init__(words)
        self.measure = measure


def check_depth(measure: Measure, deepest: int) -> None:
    """An InputError where a custom discount, or the like, has no weight for a rank needed."""
    metric = measure.metric
    smaller = "" if metric.ideal_uncut(measure) else f" or a smaller {metric.cutoff}"
    for name, (weights, needed) in metric.tables(measure, deepest).items():
        if needed > weights.depth:
            raise TooFewWeights(
                measure,
                f"{name}: there are weights for {weights.depth} ranks, "
                f"but rank {needed} is needed; give more weights{smaller}",
            )


def refuse(measure: Measure, labels: Any, offsets: Any, position: int, what: str) -> InputError:
    """The error for a label that a measure cannot take: what, where and why."""
    label = labels[position : position + 1].tolist()[0]
    return InputError(
        f"{what}: {label!r} at {place(position, offsets)}: {measure.metric.refusal(measure, label)}"
    )


def place(position: int, offsets: Any) -> str:
    """Where a position of the flat buffer is: in one list, or in which of several."""
    if len(offsets) == 2:
        return f"position {position}"
    a = next(a for a in range(len(offsets) - 1) if position < offsets[a + 1])
    return f"list {a}, position {position - int(offsets[a])}"


def refuse_score(scores: Any, offsets: Any, position: int) -> InputError:
    """The error for a score that orders nothing (RS-CONV-6)."""
    score = scores[position : position + 1].tolist()[0]
    return InputError(f"scores: {score!r} at {place(position, offsets)}: a score must be finite")


def check_labels(measure: Measure, labels: Any, offsets: Any, what: str) -> None:
    """An InputError where a measure cannot take one of the labels."""
    for position, label in enumerate(labels.tolist()):
        if measure.metric.refusal(measure, label):
            raise refuse(measure, labels, offsets, position, what)
