"""Whether judged labels can be those of all judged items, those that a list shows among them.

Pools and lists are labels without documents here, so that one can contradict the other: a list that
shows the label 1 twice beside judged labels in which it stands once shows an item that nobody has
judged, or one item twice, and nDCG may come out above 1.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ..errors import InputError, shown
from ..typed import Any, NamedTuple
from .backends import answering
from .batch import Batch, SessionBatch


def has_no_relevant(labels: Iterable[Any]) -> bool:
    """Return whether no label is above 0."""
    if isinstance(labels, array) and labels.typecode == "B":
        return not labels.tobytes().strip(b"\0")
    return not any(x > 0 for x in labels)


class Uncovered(NamedTuple):
    """A label that a list has more often than its pool, and how often each has it."""

    label: Any
    listed: int
    judged: int


def uncovered(labels: Iterable[Any], judged: Iterable[Any]) -> Uncovered | None:
    """The first label of a list, but 0, that its pool has less often; None: there is none.

    An item without a judgment counts as label 0, and need not be in the pool. A NaN equals nothing,
    and is refused as a label. Spec: RS-CONV-38
    """
    listed, pooled = Counter(labels), Counter(judged)
    for label, n in listed.items():
        if label != 0 and n > pooled[label] and label == label:  # noqa: PLR0124
            return Uncovered(label, n, pooled[label])
    return None


def check_covered(labels: Iterable[Any], judged: Iterable[Any], of: str = "the list") -> None:
    """An InputError where a list has a label, but 0, more often than its pool (RS-CONV-38).

    of: what has these labels
    """
    found = uncovered(labels, judged)
    if found is not None:
        label, listed, pooled = found
        raise InputError(
            f"judged: label {shown(label)} occurs {_times(listed)} in {of}, but {_times(pooled)} "
            "in its judged labels. judged must hold the labels of all judged items, including "
            "those shown; an item without a judgment has label 0. In Python, check=False skips "
            "this test (RS-CONV-38)"
        )


def check_pools(batch: Batch, backend: str) -> None:
    """An InputError for the first list of a batch, or session, that its pool does not cover."""
    which: Iterable[int] = range(len(batch))
    if answering(backend) == "c":
        from .by_core import perhaps_uncovered  # the compiled core counts

        which = perhaps_uncovered(batch)
    for a in which:
        for of, labels in _shown(batch, a):
            begin, end = (int(x) for x in batch.pool_offsets[a : a + 2])
            check_covered(labels, batch.pool[begin:end].tolist(), of)


def _shown(batch: Batch, a: int) -> Iterator[tuple[str, Sequence[Any]]]:
    """What a list shows, or a session: labels of different items, and what has them."""
    if not isinstance(batch, SessionBatch):
        judged = [label for label in batch.ranking(a).labels if label is not None]
        yield "the list" if len(batch) == 1 else f"list {a}", judged
        return
    session = batch.ranking(a)
    where = "" if len(batch) == 1 else f"session {a}"
    if session.documents is None:  # each query shows different ones; two may show the same
        for q, labels in enumerate(session.queries, start=1):
            yield f"{where}{where and ', '}query {q}", labels
        return
    pairs = zip(session.documents, session.queries, strict=True)
    by_document = {d: x for ids, labels in pairs for d, x in zip(ids, labels, strict=True)}
    yield where or "the session", list(by_document.values())


def _times(n: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(n, f"{n} times")
