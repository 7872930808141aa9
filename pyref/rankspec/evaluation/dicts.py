"""Plain dicts of qrels and runs, joined where they are by the module of csrc/python/dicts.c.

``joined`` copies each id out of Python to find its judgment and to rank it. Here the dicts find the
judgments, and of a list the judged documents alone are ranked. The lists have the same labels.
What is no plain dict is left to ``joined``, which has the words for what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property

from ..compute.batch import Batch
from ..formats.frames import Label, QrelsLike, RunLike, labels_of
from ..progress import Progress
from ..typed import Any, NamedTuple, TypeAlias, TypeVar
from . import joined
from .conventions import Conventions, meaning
from .ranked import NOTHING, Judged, Piece, RankedLists, judgments, keeps_more

try:
    from .._dicts import join
    from .._dicts import judgments as read
except ImportError:  # joined.py does it all

    def read(qrels: Any, /) -> tuple[Any, ...] | None:  # noqa: ARG001
        """Nothing is plain without the module."""
        return None

    def join(*given: Any) -> tuple[Any, ...] | None:  # noqa: ARG001
        """Nor is anything joined."""
        return None


__all__ = ["JudgedDicts", "join", "judged_dicts", "judgments_of", "read"]

Result = TypeVar("Result")
Table: TypeAlias = dict[Any, dict[Any, Label]]


class _Read(NamedTuple):
    """What the module says of plain qrels.

    table: they themselves; queries, documents: the kinds of their ids; typecode: of an array of the
    labels; labels: each once
    """

    table: Table
    queries: int
    documents: int
    typecode: str
    below_0: bool
    highest: Label
    like_scores: bool
    labels: set[Label]


class JudgedDicts:
    """Qrels as plain dicts. See :class:`rankspec.evaluation.ranked.Judged`.

    The ids are as they were given: all are texts, or all are whole numbers.
    """

    def __init__(self, given: _Read, counted: _Read, negative: str) -> None:
        """counted: of the given ones, those labels that count; negative: what those below 0 are."""
        self._given, self._counted, self._negative = given, counted, negative
        self.like_scores = given.like_scores
        self.highest = counted.highest
        self.queries: list[str] = list(map(str, counted.table))

    def distinct_labels(self) -> set[Label]:
        labels = self._counted.labels
        return set(map(float, labels)) if self._counted.typecode == "d" else labels

    def _number(self, label: Label) -> Label:
        """A label as the lists have it: where some are fractions, all are doubles."""
        return float(label) if self._counted.typecode == "d" else label

    def first_of(self, labels: Container[Label]) -> tuple[str, str, Label]:
        return next(
            (str(query), str(document), self._number(label))
            for query, documents in self._counted.table.items()
            for document, label in documents.items()
            if label in labels
        )

    def documents_of(self, query: str) -> Sequence[str]:
        return list(map(str, self._by_text.get(query, NOTHING)))

    @cached_property
    def _by_text(self) -> Mapping[str, Mapping[Any, Label]]:
        return dict(zip(self.queries, self._counted.table.values(), strict=True))

    def under(self, conventions: Conventions) -> JudgedDicts:
        if not self._given.below_0 or not keeps_more(conventions.negative, self._negative):
            return self
        found = _counted(self._given, conventions)
        assert found is not None  # noqa: S101 - more is kept, and it was plain before
        return found

    def map_run(
        self,
        run: RunLike,
        conventions: Conventions,
        work: Callable[[RankedLists], Result],
        progress: Progress | None = None,
        remarks: bool = False,
        ranks: int | None = None,
    ) -> list[Piece[Result]]:
        lists = self._lists(run, conventions) if conventions.ordered_by == "score" else None
        if lists is None:
            return self._index.map_run(run, conventions, work, progress, remarks, ranks)
        return [Piece(lists.queries, work(lists))] if lists.queries else []

    def empty_lists(
        self,
        queries: Sequence[str],
        conventions: Conventions,
        work: Callable[[RankedLists], Result],
    ) -> Piece[Result]:
        wanted = set(queries)
        named = zip(self.queries, self._counted.table, strict=True)
        lists = self._lists({query: {} for name, query in named if name in wanted}, conventions)
        assert lists is not None  # noqa: S101 - there is no document that could be odd
        return Piece(lists.queries, work(lists))

    def _lists(self, run: Any, conventions: Conventions) -> RankedLists | None:
        """The ranked lists of a run; None: it is no plain dict of such ids, or there is an error.

        starts: where the rule for ties asks for them
        """
        counted, own_pool = self._counted, conventions.own_pool
        found = join(
            counted.table,
            counted[1:3],
            counted.typecode,
            run,
            conventions.ties,
            conventions.rounds_scores,
            conventions.condensed,
            conventions.evaluates_run,
            -1 if conventions.depth is None else conventions.depth,
            not own_pool,
            conventions.ties == "expected",
        )
        if found is None:
            return None
        names, labels, offsets, unjudged, starts, pool, pool_offsets = found
        if own_pool:
            pool, pool_offsets = labels, offsets
        batch = Batch(labels, offsets, starts, pool, pool_offsets, queries=names)
        return RankedLists(names, batch, unjudged, starts)

    @cached_property
    def _index(self) -> joined.JudgmentIndex:
        """The same judgments for whatever else a run may be."""
        return joined.judgments_of_table(labels_of(self._counted.table))


def judgments_of(qrels: QrelsLike, conventions: Conventions) -> Judged:
    """The judgments of plain dicts, or of anything else that holds qrels."""
    return judged_dicts(qrels, conventions) or joined.judgments_of(qrels, conventions)


def judged_dicts(qrels: QrelsLike, conventions: Conventions) -> JudgedDicts | None:
    """The judgments of plain dicts; None: they are none, or something is wrong with them."""
    found = read(qrels)
    return None if found is None else _counted(_Read(*found), conventions)


def _counted(given: _Read, conventions: Conventions) -> JudgedDicts | None:
    """The judgments that count, of those that are given."""
    negative = conventions.negative
    kept = conventions.scored or negative == "kept" or not given.below_0
    if kept and meaning("labels", conventions.labels) is None:
        return JudgedDicts(given, given, negative)
    if negative == "error":  # which names an id as a text
        judgments(labels_of(given.table), conventions)
    found = read(judgments(given.table, conventions))
    return None if found is None else JudgedDicts(given, _Read(*found), negative)
