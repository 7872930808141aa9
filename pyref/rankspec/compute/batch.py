"""Batches: ragged lists, or sessions of them, as flat buffers and offsets.

A :class:`Batch` holds them as the C core reads them: anything with the buffer protocol serves
(``array.array``, ``memoryview``, a numpy array), so that nothing here needs numpy.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from ..errors import shown_text
from ..records import record
from ..typed import Any, ClassVar
from .computable import Ranking, Session


@record()
class Batch:
    """Lists of labels in rank order, list a at labels[offsets[a]:offsets[a + 1]].

    labels: a flat buffer of integers or floats
    offsets: int64, one more than there are lists, from 0 to len(labels), not falling
    starts: uint8 as long as labels, 1 where a tie group begins; None: the order is settled
    pool, pool_offsets: the labels of the judged items of each list; None: the list's own
    unjudged: uint8 as long as labels, 1 where the item has no label, or where labels are scores no
        score (RS-CONV-20); None: each has one
    order: int64 as long as labels, where each of them stood in the input; None: where it stands
    queries: the query of each list, by which an error names it; None: a number does
    """

    labels: Any
    offsets: Any
    starts: Any = None
    pool: Any = None
    pool_offsets: Any = None
    unjudged: Any = None
    order: Any = None
    queries: Sequence[str] | None = None

    kind: ClassVar[str] = "rankings"  # what is in it

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
        if self.queries is not None:
            a = holder(position, self.offsets)
            return f"{self.place_of_list(a)}, rank {position - int(self.offsets[a]) + 1}"
        if self.order is not None:  # they were ranked by scores
            position = int(self.order[position])
        return place(position, self.offsets)

    def place_of_list(self, a: int) -> str:
        """What a list is called where there are several."""
        if self.queries is not None:
            return f"query {shown_text(self.queries[a])}"
        return "" if len(self) == 1 else f"list {a}"


@record()
class SessionBatch(Batch):
    """Sessions: the lists sessions[s], ..., sessions[s + 1] - 1 are the results of the queries of
    session s, and pool s is its pool.

    sessions: int64, one more than there are sessions, from 0 to the number of lists, not falling
    documents: int64 as long as labels, equal where two results of a session are the same document;
        None: nobody knows
    """

    sessions: Any = None
    documents: Any = None

    kind: ClassVar[str] = "sessions"

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


def offsets_of(lengths: Iterable[int]) -> array[int]:
    """Where lists of these lengths begin in a flat buffer, and where the last ends."""
    return array("q", accumulate(lengths, initial=0))


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
