"""What both backends refuse, in the same words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..errors import InputError, shown
from ..typed import Any
from .batch import Batch, SessionBatch, place
from .computable import Computable, unknown_documents

LONGEST = 1 << 30  # items in one list: RS_LONGEST of the C core
MOST_RANKS = 1_000_000  # of a session, where something is computed at each of them (RS-SES-4)


def check(measures: Sequence[Computable], batch: Batch, *, vectors: bool = False) -> None:
    """An InputError where the batch or a measure's demands on it are not met.

    vectors: whether vectors are asked for, not values
    """
    listed, pooled = lengths_of(batch)
    check_kind(measures, batch)
    for measure in measures:
        check_depth(measure, measure.deepest_rank(listed, pooled if measure.reads_pool else 0))
        if isinstance(batch, SessionBatch):
            check_sessions(measure, batch, vectors=vectors)
        if reads_lists(measure, batch):
            check_labels(measure, batch, "labels")
        if batch.pool is not None and measure.reads_pool:
            check_labels(measure, batch, "judged")


def check_kind(measures: Sequence[Computable], batch: Batch) -> None:
    """An InputError for a metric of sessions that is given rankings, or the reverse."""
    for measure in measures:
        if measure.taken_of != batch.kind:
            raise InputError(
                f"{measure} takes {measure.taken_of}, but these are {batch.kind} (chapter session)"
            )


def check_sessions(measure: Computable, batch: SessionBatch, *, vectors: bool) -> None:
    """An InputError where sessions lack what a measure needs: query weights, or documents; or have
    too many ranks.
    """
    most = max(batch.numbers_of_queries(), default=0)
    check_queries(measure, batch, most)
    if vectors or measure.averages_vector:
        check_ranks(measure, batch, most, lengths_of(batch))


def check_ranks(
    measure: Computable, batch: SessionBatch, most: int, lengths: tuple[int, int]
) -> None:
    """An InputError where a session has too many ranks to go through (RS-SES-4).

    most: how many queries a session has at most; lengths: as of lengths_of()
    """
    ranks = measure.padded_ranks(*lengths)
    if ranks is None or most * ranks <= MOST_RANKS:
        return
    for s, m in enumerate(batch.numbers_of_queries()):
        if m * ranks > MOST_RANKS:
            which = "a session" if len(batch) == 1 else f"session {s}"
            check_number_of_ranks(sum(measure.vector_lengths(batch.ranking(s))), which)


def check_queries(measure: Computable, batch: SessionBatch, most: int) -> None:
    """The same, where a session has so many queries at most."""
    weights = measure.query_weights
    if weights is not None and weights.depth < most:
        raise InputError(
            f"query_discount: weights for {weights.depth} queries are given, but a session has "
            f"{most}; give more weights"
        )
    if batch.documents is None and measure.asks_documents:
        raise unknown_documents()


def reads_lists(measure: Computable, batch: Batch) -> bool:
    """Whether the labels of the lists matter: not where a measure of the pool has the pool."""
    return batch.pool is None or not measure.reads_pool_alone


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
        raise InputError(f"{what}: the first offset must be 0")
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
            f"{what}: the last offset is {offsets[len(offsets) - 1]}, but there are {size} {of}"
        )
    if longest > LONGEST:
        raise InputError(f"{what}: a list has {longest} items; at most {LONGEST} are supported")
    return longest


class TooFewWeights(InputError):
    """Weights by rank that do not reach as deep as a measure needs them."""

    def __init__(self, measure: Computable, words: str) -> None:
        super().__init__(words)
        self.measure = measure


def check_depth(measure: Computable, deepest: int) -> None:
    """An InputError where a custom discount, or the like, has no weight for a rank needed."""
    for name, (weights, needed) in measure.tables(deepest).items():
        if needed > weights.depth:
            raise TooFewWeights(measure, _few_weights(measure, name, weights, needed))


def _few_weights(measure: Computable, name: str, weights: Any, needed: int) -> str:
    """Say that a table of a measure has fewer weights than it needs, and what helps."""
    shorter = []
    if not measure.ideal_uncut:
        kind = "a cut-off," if measure.k is None else "a smaller"
        shorter = [f"give {kind} {measure.cutoff_name}"]
    for file in getattr(weights, "file", ()):
        longer = [f'add the line "{needed} 0"'] if needed <= file.most else []
        return (
            f"{file.name}: the file has {weights.depth} ranks, but rank {needed} needs a weight, "
            f"too; {', or '.join([*longer, *shorter])} ({file.spec})"
        )
    return (
        f"{name}: weights for {weights.depth} ranks are given, but rank {needed} needs one, too; "
        f"{' or '.join(['give more weights', *(x.removeprefix('give ') for x in shorter)])}"
    )


def refuse(measure: Computable, batch: Batch, position: int, what: str) -> InputError:
    """The error for a label that a measure cannot take: what, where and why."""
    labels = batch.pool if what == "judged" else batch.labels
    label = labels[position : position + 1].tolist()[0]
    why = measure.refusal(label)
    return InputError(f"{what}: {label!r} at {batch.place(position, what)}: {why}")


def refuse_score(scores: Any, offsets: Any, position: int) -> InputError:
    """The error for a score that orders nothing (RS-CONV-6)."""
    score = scores[position : position + 1].tolist()[0]
    return InputError(f"scores: {score!r} at {place(position, offsets)}: a score must be finite")


def check_labels(measure: Computable, batch: Batch, what: str) -> None:
    """An InputError where a measure cannot take one of the labels, or of the judged labels."""
    labels = batch.pool if what == "judged" else batch.labels
    given = labels.tolist()
    refused = {label for label in set(given) if measure.refusal(label)}  # of labels, few differ
    for position, label in enumerate(given) if refused else ():
        if label in refused:
            raise refuse(measure, batch, position, what)


def check_number_of_ranks(ranks: int, which: str = "a session") -> None:
    """An InputError where there are too many ranks to go through."""
    if ranks > MOST_RANKS:
        raise InputError(
            f"X: {which} would have {shown(ranks)} ranks; at most {MOST_RANKS} are supported "
            "(RS-SES-4)"
        )
