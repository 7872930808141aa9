"""From a batch of rankings or sessions to values: by the C core, or by the reference.

A :class:`Batch` holds ragged lists as flat buffers and offsets, as the C core reads them:
anything with the buffer protocol serves (``array.array``, ``memoryview``, a numpy array), so
that nothing here needs numpy.
"""

from __future__ import annotations

import math
import sys
import warnings
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import accumulate, pairwise
from typing import Any

from ..errors import MEANWHILE, CoreMissing, CoreMissingWarning, InputError, shown
from ..metrics.measure import Measure, Ranking, Session, unknown_documents, value
from ..metrics.session import (
    MOST_RANKS,
    check_number_of_ranks,
    has_value_at_each_rank,
    vector,
    vector_lengths,
)
from ..reference.numbers.enclosure import Undecided
from ..reference.numbers.reals import Number, Reals
from ..reference.numerics import nearest_double, nearest_double_of, nearest_doubles_of

BACKENDS = ("auto", "c", "reference")
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
    order: int64 as long as labels, where each of them stood in the input; None: where it stands
    """

    labels: Any
    offsets: Any
    starts: Any = None
    pool: Any = None
    pool_offsets: Any = None
    unjudged: Any = None
    order: Any = None

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

    def place(self, position: int, what: str) -> str:
        """Where a position of the labels, or of the judged labels, was in the input."""
        if what == "judged":
            return place(position, self.pool_offsets)
        if self.order is not None:  # they were ranked by scores
            position = int(self.order[position])
        return place(position, self.offsets)


@dataclass(frozen=True)
class SessionBatch(Batch):
    """Sessions: the lists sessions[s], ..., sessions[s + 1] - 1 are the results of the queries of
    session s, and pool s is its pool.

    sessions: int64, one more than there are sessions, from 0 to the number of lists, not falling
    documents: int64 as long as labels, equal where two results of a session are the same document;
        None: nobody knows
    """

    sessions: Any = None
    documents: Any = None

    def __len__(self) -> int:
        return len(self.sessions) - 1

    def numbers_of_queries(self) -> list[int]:
        """How many queries each session has."""
        return [int(end) - int(begin) for begin, end in pairwise(self.sessions)]

    def ranking(self, a: int) -> Session:  # type: ignore[override]
        """Session a, as the reference takes it."""
        bounds = [int(x) for x in self.offsets[self.sessions[a] : self.sessions[a + 1] + 1]]
        queries = [self.labels[begin:end].tolist() for begin, end in pairwise(bounds)]
        documents = None
        if self.documents is not None:
            documents = [list(self.documents[begin:end]) for begin, end in pairwise(bounds)]
        if self.pool is not None:
            pool = self.pool[int(self.pool_offsets[a]) : int(self.pool_offsets[a + 1])].tolist()
        else:
            pool = own_pool(queries, documents)
        return Session(queries, pool, documents)

    def place(self, position: int, what: str) -> str:
        if what == "judged":
            return place(position, self.pool_offsets, "session")
        a = holder(position, self.offsets)
        s = holder(a, self.sessions)
        query, rank = a - int(self.sessions[s]) + 1, position - int(self.offsets[a]) + 1
        return ("" if len(self) == 1 else f"session {s}, ") + f"query {query}, rank {rank}"


def own_pool(queries: Sequence[Sequence[Any]], documents: Sequence[Sequence[Any]] | None) -> Any:
    """The labels of all results of a session, each document once where they are known."""
    labels = [label for ranked in queries for label in ranked]
    if documents is None:
        return labels
    listed = [document for ranked in documents for document in ranked]
    return list(dict(zip(listed, labels, strict=True)).values())


def answering(backend: str) -> str:
    """The backend that answers, "c" or "reference": by "auto" the core, where there is one."""
    if not isinstance(backend, str) or backend not in ("auto", *BACKENDS):
        raise no_backend(backend)
    if backend == "auto":
        return _found()
    return backend


@cache
def _found() -> str:
    """The core, or, with a warning, the reference: asked once a process."""
    try:
        from . import by_core  # noqa: F401
    except CoreMissing as missing:
        # Where warnings are errors this is one, each time: nothing is kept then.
        warnings.warn(
            f"the C core of rankspec cannot be loaded: {missing.__cause__}. {MEANWHILE}",
            CoreMissingWarning,
            stacklevel=depth_of_caller(),
        )
        return "reference"
    return "c"


def depth_of_caller() -> int:
    """How many frames above the caller of this the first is that is not of this package."""
    package = __name__.partition(".")[0]
    depth, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in (
        package,
        "functools",
    ):
        depth, frame = depth + 1, frame.f_back
    return depth


def values(measures: Sequence[Measure], batch: Batch, backend: str = "auto") -> list[array[float]]:
    """The value of each measure for each list, correctly rounded: one array a measure."""
    if answering(backend) == "reference":
        return values_by_reference(measures, batch)
    # Only here is the compiled core needed.
    from .by_core import values_by_core

    return values_by_core(measures, batch)


def values_by_reference(measures: Sequence[Measure], batch: Batch) -> list[array[float]]:
    """As values(), by the certified reference alone."""
    check(measures, batch)
    return [array("d", (by_reference(m, batch, a) for a in range(len(batch)))) for m in measures]


def by_reference(measure: Measure, batch: Batch, a: int) -> float:
    """The value of list a, correctly rounded, by the certified reference (RS-NUM-3)."""
    ranking = batch.ranking(a)
    try:
        return nearest_double_of(lambda reals: value(measure, ranking, reals))
    except Undecided as error:
        raise Undecided(f"{measure}: {error}; other measures have their values") from None


def vectors(
    measure: Measure, batch: SessionBatch, backend: str = "auto"
) -> tuple[array[float], array[int]]:
    """The vectors of a measure of sessions, each component correctly rounded: flat, and offsets.

    A vector a session: that of sDCG, for avg_sDCG; of nsDCG, for avg_nsDCG; of the ideal session,
    for IsDCG. For query_sDCG a vector a query: sDCG(q), of its results as they are.
    """
    if answering(backend) == "reference":
        return vectors_by_reference(measure, batch)
    from .by_core import vectors_by_core

    return vectors_by_core(measure, batch)


def vectors_by_reference(measure: Measure, batch: SessionBatch) -> tuple[array[float], array[int]]:
    """As vectors(), by the certified reference alone."""
    check([measure], batch, vectors=True)
    found, offsets = array("d"), array("q", [0])
    for s in range(len(batch)):
        session = batch.ranking(s)
        lengths = vector_lengths(measure, session)
        found.extend(nearest_doubles_of(partial(vector, measure, session), sum(lengths)))
        for length in lengths:
            offsets.append(offsets[-1] + length)
    return found, offsets


def settle_vector(
    measure: Measure, batch: SessionBatch, s: int, begin: int, to: tuple[array[float], bytearray]
) -> None:
    """Writes the undecided components of session s, whose vector begins there in flat buffers."""
    out, undecided = to
    session = batch.ranking(s)
    end = begin + sum(vector_lengths(measure, session))
    ranks = [p for p in range(begin, end) if undecided[p]]

    def components(reals: Reals) -> list[Number]:
        whole = vector(measure, session, reals)
        return [whole[p - begin] for p in ranks]

    for p, x in zip(ranks, nearest_doubles_of(components, len(ranks)), strict=True):
        out[p] = x


def relevance(measure: Measure, scores: Any, offsets: Any, backend: str = "auto") -> array[float]:
    """The relevance of each score by a measure of scores, the double nearest to φ (RS-REL-9).

    scores, offsets: as the labels of a Batch; a list is its own pool
    """
    if answering(backend) == "reference":
        return relevance_by_reference(measure, scores, offsets)
    from .by_core import relevance_by_core

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


def no_backend(name: Any) -> InputError:
    """The error for a backend that there is not."""
    given = f'"{name}"' if isinstance(name, str) else shown(name)
    return InputError(f'unknown backend {given}; there are "auto", "c" and "reference"')


# ---- what both backends refuse, in the same words ----------------------------------------


def check(measures: Sequence[Measure], batch: Batch, *, vectors: bool = False) -> None:
    """An InputError where the batch or a measure's demands on it are not met.

    vectors: whether vectors are asked for, not values
    """
    listed, pooled = lengths_of(batch)
    check_kind(measures, batch)
    for measure in measures:
        check_depth(measure, measure.deepest_rank(listed, pooled if measure.metric.pool else 0))
        if isinstance(batch, SessionBatch):
            check_sessions(measure, batch, vectors=vectors)
        if reads_lists(measure, batch):
            check_labels(measure, batch, "labels")
        if batch.pool is not None and measure.metric.pool:
            check_labels(measure, batch, "judged")


def check_kind(measures: Sequence[Measure], batch: Batch) -> None:
    """An InputError for a metric of sessions that is given rankings, or the reverse."""
    for measure in measures:
        if measure.metric.of_sessions != isinstance(batch, SessionBatch):
            of, given = "sessions", "rankings"
            if not measure.metric.of_sessions:
                of, given = given, of
            raise InputError(f"{measure} is of {of}; these are {given} (chapter session)")


def check_sessions(measure: Measure, batch: SessionBatch, *, vectors: bool) -> None:
    """An InputError where sessions lack what a measure needs: query weights, or documents; or have
    too many ranks.
    """
    most = max(batch.numbers_of_queries(), default=0)
    check_queries(measure, batch, most)
    if vectors or has_value_at_each_rank(measure):
        check_ranks(measure, batch, most, lengths_of(batch))


def check_ranks(measure: Measure, batch: SessionBatch, most: int, lengths: tuple[int, int]) -> None:
    """An InputError where a session has too many ranks to go through (RS-SES-4).

    most: how many queries a session has at most; lengths: as of lengths_of()
    """
    if "padding" not in measure.metric.parameters:  # no ranks but those of results
        return
    longest, pooled = lengths
    k = measure.depth(longest, pooled if measure.metric.pool else 0)
    ranks = min(k, max(longest, k if measure.padding == "X" else measure.padding))
    if most * ranks <= MOST_RANKS:  # as many as a query may have
        return
    for s, m in enumerate(batch.numbers_of_queries()):
        if m * ranks > MOST_RANKS:
            which = "a session" if len(batch) == 1 else f"session {s}"
            check_number_of_ranks(sum(vector_lengths(measure, batch.ranking(s))), which)


def check_queries(measure: Measure, batch: SessionBatch, most: int) -> None:
    """The same, where a session has so many queries at most."""
    if "query_discount" in measure.metric.parameters and measure.query_discount.depth < most:
        raise InputError(
            f"query_discount: there are weights for {measure.query_discount.depth} queries, but "
            f"a session has {most}; give more weights"
        )
    if batch.documents is None and "repeats" in measure.metric.parameters and measure.repeats != 1:
        raise unknown_documents()


def reads_lists(measure: Measure, batch: Batch) -> bool:
    """Whether the labels of the lists matter: not where a measure of the pool has the pool."""
    return batch.pool is None or not measure.metric.of_pool


def lengths_of(batch: Batch) -> tuple[int, int]:
    """The lengths of the longest list and pool; an InputError where offsets do not fit."""
    listed = check_offsets(batch.offsets, len(batch.labels), "offsets")
    if isinstance(batch, SessionBatch):
        check_offsets(batch.sessions, len(batch.offsets) - 1, "sessions", "queries")
    if batch.pool is None and isinstance(batch, SessionBatch):
        ends = [int(batch.offsets[a]) for a in batch.sessions]
        return listed, max((end - begin for begin, end in pairwise(ends)), default=0)
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


def offsets_of(lengths: Iterable[int]) -> array[int]:
    """Where lists of these lengths begin in a flat buffer, and where the last ends."""
    return array("q", accumulate(lengths, initial=0))


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


def refuse(measure: Measure, batch: Batch, position: int, what: str) -> InputError:
    """The error for a label that a measure cannot take: what, where and why."""
    labels = batch.pool if what == "judged" else batch.labels
    label = labels[position : position + 1].tolist()[0]
    why = measure.metric.refusal(measure, label)
    return InputError(f"{what}: {label!r} at {batch.place(position, what)}: {why}")


def place(position: int, offsets: Any, of: str = "list") -> str:
    """Where a position of the flat buffer is: in one list, or in which of several.

    of: what a list is called
    """
    if len(offsets) == 2:
        return f"position {position}"
    a = holder(position, offsets)
    return f"{of} {a}, position {position - int(offsets[a])}"


def holder(position: int, offsets: Any) -> int:
    """Which list a position is in."""
    return bisect_right(offsets, position) - 1


def refuse_score(scores: Any, offsets: Any, position: int) -> InputError:
    """The error for a score that orders nothing (RS-CONV-6)."""
    score = scores[position : position + 1].tolist()[0]
    return InputError(f"scores: {score!r} at {place(position, offsets)}: a score must be finite")


def check_labels(measure: Measure, batch: Batch, what: str) -> None:
    """An InputError where a measure cannot take one of the labels, or of the judged labels."""
    labels = batch.pool if what == "judged" else batch.labels
    for position, label in enumerate(labels.tolist()):
        if measure.metric.refusal(measure, label):
            raise refuse(measure, batch, position, what)
