"""From judgments and scores to ranked lists of labels: the conventions applied, in plain Python.

This is the reading to be checked against: ``joined`` does the same in the C core. Judgments and
scores are {query: {document: number}}, as ``formats.frames`` gives them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from math import inf

from ..compute.batch import Batch
from ..errors import InputError, by_value, shown_text
from ..formats import trec
from ..formats.columns import ColumnBlocks, Ungrouped
from ..formats.frames import Label, RunLike, scores_of
from ..formats.streams import Stream
from ..records import record, replace
from ..typed import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeIs, TypeVar
from .conventions import Conventions, meaning
from .line_statistics import Remark, remarks_on
from .plausibility import like_scores

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact

Judgments = Mapping[str, Mapping[str, Label]]
Scores: TypeAlias = "Mapping[str, Mapping[str, Exact]]"

Result = TypeVar("Result")

NOTHING: Mapping[str, Any] = {}


@record()
class RankedLists:
    """Ranked lists of some queries, with their pools.

    queries: the query of each list
    batch: the labels; unjudged documents have the label 0
    unjudged: 1 where the document has no judgment (uint8), flat like the labels
    starts: 1 where a tie group begins, flat too, under every rule for ties
    remarks: on the lines that each list was made of, where somebody asks
    judged: whether a retrieved document is judged, if the lists are cut; None: they say it
    """

    queries: list[str]
    batch: Batch
    unjudged: Any
    starts: Any
    remarks: Sequence[Remark] = ()
    judged: bool | None = None

    def has_judged(self) -> bool:
        """Whether one of the retrieved documents is judged."""
        return b"\0" in self.unjudged.tobytes() if self.judged is None else self.judged


@record()
class Piece(Generic[Result]):
    """Some queries of a run, and what some work made of their lists."""

    queries: list[str]
    result: Result


def whole_pieces(pieces: Iterable[Piece[Result]]) -> list[Piece[Result]]:
    """The pieces; Ungrouped where two have the same query."""
    found: list[Piece[Result]] = []
    known: set[str] = set()
    for piece in pieces:
        if not known.isdisjoint(piece.queries):
            raise Ungrouped
        known.update(piece.queries)
        found.append(piece)
    return found


class Judged(Protocol):
    """Qrels made ready to be joined with runs: by this module, or by the reader in C.

    queries: their ids, in order; highest: the highest label that counts, at least 0 (or a score)
    like_scores: whether the labels look like scores, as they were given (RS-CONV-28)
    """

    queries: list[str]
    like_scores: bool

    @property
    def highest(self) -> Label: ...

    def distinct_labels(self) -> set[Label]:
        """The labels that count."""

    def first_of(self, labels: Container[Label]) -> tuple[str, str, Label]:
        """The first query and document of one of the labels, and the label."""

    def documents_of(self, query: str) -> Sequence[str]:
        """The documents of a query whose judgments count; of one without judgments, none."""

    def under(self, conventions: Conventions) -> Judged:
        """The same judgments by the conventions of some measures, which may keep labels below 0
        where the others do not (RS-CONV-15).
        """

    def map_run(
        self,
        run: RunLike,
        conventions: Conventions,
        work: Callable[[RankedLists], Result],
        progress: Callable[[int, int | None], None] | None = None,
        remarks: bool = False,
        ranks: int | None = None,
    ) -> list[Piece[Result]]:
        """What the work makes of the ranked lists of a run, piece by piece, in their order.

        remarks: whether the lists have remarks, which are on lines: the run is a Stream
        ranks: how many the work reads of each list, with the rest of the tie group there, of
            conventions without a depth; lists may be cut behind them. None: all

        The lists of queries without judgments need not be right where nobody evaluates them.
        The work may be called by any thread.
        """

    def empty_lists(
        self,
        queries: Sequence[str],
        conventions: Conventions,
        work: Callable[[RankedLists], Result],
    ) -> Piece[Result]:
        """What the work makes of the empty lists of queries that the run misses."""


def is_judged(qrels: object) -> TypeIs[Judged]:
    """Whether qrels have been made ready to be joined with runs."""
    return hasattr(type(qrels), "map_run")


class JudgedTable:
    """Qrels as dictionaries. See :class:`Judged`."""

    def __init__(self, labels: Judgments, conventions: Conventions) -> None:
        self.counted = judgments(labels, conventions)
        self._labels, self._negative = labels, conventions.negative
        self.like_scores = like_scores(labels)
        self.queries = list(self.counted)
        # The core has them in one array, and what it refuses is refused.
        typecode_of([label for own in self.counted.values() for label in own.values()])

    @property
    def highest(self) -> Label:
        return max(self.distinct_labels(), default=0)

    def distinct_labels(self) -> set[Label]:
        return {label for documents in self.counted.values() for label in documents.values()}

    def first_of(self, labels: Container[Label]) -> tuple[str, str, Label]:
        return next(
            (query, document, label)
            for query, documents in self.counted.items()
            for document, label in documents.items()
            if label in labels
        )

    def documents_of(self, query: str) -> Sequence[str]:
        return list(self.counted.get(query, NOTHING))

    def under(self, conventions: Conventions) -> JudgedTable:
        if not keeps_more(conventions.negative, self._negative):
            return self
        return JudgedTable(self._labels, conventions)

    def map_run(
        self,
        run: RunLike,
        conventions: Conventions,
        work: Callable[[RankedLists], Result],
        progress: Callable[[int, int | None], None] | None = None,  # noqa: ARG002
        remarks: bool = False,
        ranks: int | None = None,  # noqa: ARG002
    ) -> list[Piece[Result]]:
        if isinstance(run, ColumnBlocks):
            with closing(run.blocks()) as blocks:
                of_blocks = (self.map_run(block, conventions, work) for block in blocks)
                return whole_pieces(piece for own in of_blocks for piece in own)
        scores: Scores = scores_of(run, conventions.how)
        if not conventions.evaluates_run:  # nobody evaluates the others: no list, and no error
            scores = {q: found if q in self.counted else NOTHING for q, found in scores.items()}
        ranked = lists(scores, self.counted, scores, conventions)
        if remarks and isinstance(run, Stream):
            found = remarks_on(
                run.content(),
                scores,
                lambda own: compared(own, conventions),
                lambda query: merged(
                    query, scores[query], self.counted.get(query, NOTHING), conventions
                )[0],
                conventions.how,
            )
            ranked = replace(ranked, remarks=found)
        return [Piece(list(scores), work(ranked))]

    def empty_lists(
        self,
        queries: Sequence[str],
        conventions: Conventions,
        work: Callable[[RankedLists], Result],
    ) -> Piece[Result]:
        return Piece(list(queries), work(lists(queries, self.counted, {}, conventions)))


def judgments(labels: Judgments, conventions: Conventions) -> dict[str, dict[str, Label]]:
    """The labels that count, by query and document.

    Spec: RS-CONV-8, RS-CONV-39, RS-CONV-15, RS-CONV-20
    """
    return {query: dict(_counted(query, d, conventions)) for query, d in labels.items()}


def keeps_more(negative: str, than: str) -> bool:
    """Whether labels below 0 are kept by one value of the convention, and not by the other."""
    return negative == "kept" != than


def label_as_counted(label: Label, rule: str) -> Label:
    """A label as the convention takes it (RS-CONV-39)."""
    counted: Callable[[Label], Label] | None = meaning("labels", rule)
    return label if counted is None or label == int(label) else counted(label)


def _counted(
    query: str, documents: Mapping[str, Label], conventions: Conventions
) -> Iterator[tuple[str, Label]]:
    rule = conventions.labels
    for document, given in documents.items():
        label = label_as_counted(given, rule)
        if label >= 0 or conventions.scored or conventions.negative == "kept":
            yield document, label
        elif conventions.negative == "error":
            raise InputError(
                f"qrels: the label {label} of document {shown_text(document)} for query "
                f"{shown_text(query)} is negative (RS-CONV-15)"
            )
        elif by_value("negative", conventions.negative, {"zero": True, "unjudged": False}):
            yield document, 0


OF_FILES = ("query", "qrels", "run")
OF_LISTS = ("user", "relevant", "ranked")
"""What a query, the qrels and the run are called in a message."""


def chosen_queries(
    labels: Iterable[str],
    scores: Iterable[str],
    rule: str,
    names: tuple[str, str, str] = OF_FILES,
) -> list[str]:
    """The queries that are evaluated, in order (RS-CONV-9).

    labels: the queries of the qrels; scores: those of the run
    """
    one, qrels, run = names
    judged = dict.fromkeys(labels)
    if rule == "qrels":  # the run may have millions of others
        return list(judged)
    retrieved = dict.fromkeys(scores)
    if rule == "run":
        return list(retrieved)
    if rule == "both":
        both = [query for query in judged if query in retrieved]
        if not both:
            raise InputError(
                f"no {one} is in both the {qrels} and the {run}, so there is nothing to evaluate "
                "(RS-CONV-9)"
            )
        return both
    _check_alike(judged, retrieved, rule, names)
    return list(judged)


def _check_alike(
    judged: Mapping[str, None],
    retrieved: Mapping[str, None],
    rule: str,
    names: tuple[str, str, str],
) -> None:
    """Raise an InputError for the first query that the rule does not admit."""
    one, qrels, run = names
    missing_is_error, extra_is_error = by_value(
        "queries", rule, {"complete": (1, 0), "same": (1, 1)}
    )
    if missing_is_error:
        for query in judged:
            if query not in retrieved:
                raise _only_in(f"{one} {shown_text(query)}", qrels, run, rule)
    if extra_is_error:
        for query in retrieved:
            if query not in judged:
                raise _only_in(f"{one} {shown_text(query)}", run, qrels, rule)


def _only_in(query: str, here: str, there: str, rule: str) -> InputError:
    return InputError(
        f"{query} is in the {here}, but not in the {there}; "
        f'queries="{rule}" does not admit that (RS-CONV-9)'
    )


def lists(
    queries: Iterable[str], counted: Judgments, scores: Scores, conventions: Conventions
) -> RankedLists:
    """The ranked list and the pool of each query: all measures read the same buffers.

    counted: the judgments(), of which a query may have none
    """
    queries = list(queries)
    labels: list[Label] = []
    pool: list[Label] = []
    starts, unjudged = array("B"), array("B")
    offsets, pool_offsets = array("q", [0]), array("q", [0])
    for query in queries:
        judged = counted.get(query, NOTHING)
        ranked, begins = ranking(query, scores.get(query, NOTHING), judged, conventions)
        labels.extend(judged.get(document, 0) for document in ranked)
        unjudged.extend(document not in judged for document in ranked)
        starts.extend(begins)
        pool.extend(judged.values())
        offsets.append(len(labels))
        pool_offsets.append(len(pool))
    typecode = typecode_of(pool)
    flat = array(typecode, labels)
    own = conventions.own_pool
    return RankedLists(
        queries,
        Batch(
            labels=flat,
            offsets=offsets,
            starts=starts if conventions.ties == "expected" else None,
            pool=flat if own else array(typecode, pool),
            pool_offsets=offsets if own else pool_offsets,
            queries=queries,
        ),
        unjudged,
        starts,
    )


def ranking(
    query: str,
    scored: Mapping[str, Exact],
    judged: Mapping[str, Label],
    conventions: Conventions,
) -> tuple[list[str], list[int]]:
    """The documents of a query in rank order, and 1 where a tie group begins.

    RS-CONV-7, RS-TIE-1, RS-TIE-2, RS-CONV-12, RS-CONV-13, RS-CONV-16. Sorting is stable: after
    the sort by score, documents of equal score are in the order of the sort before it.
    """
    scored = compared(scored, conventions)
    documents = list(scored)
    if conventions.condensed:
        documents = [document for document in documents if document in judged]
    rule = conventions.ties
    if len(set(scored.values())) < len(scored):

        def label(document: str) -> Label:
            """No label gains less than none (RS-TIE-2): φ of the label 0 may be 1 (RS-CONV-20)."""
            return judged.get(document, -inf)

        orders: dict[str, tuple[Callable[[str], Any], bool] | None] = {
            "id-descending": (trec.id_bytes, True),
            "id-ascending": (trec.id_bytes, False),
            "best": (label, True),
            "worst": (label, False),
            "input": None,
            "expected": None,
        }
        if order := by_value("ties", rule, orders):
            documents.sort(key=order[0], reverse=order[1])
    documents.sort(key=scored.__getitem__, reverse=True)
    in_order = [scored[document] for document in documents]
    starts = [int(i == 0 or score != in_order[i - 1]) for i, score in enumerate(in_order)]
    depth = conventions.depth
    if depth is not None and depth < len(documents):
        if rule == "expected" and not starts[depth]:
            raise cut_in_a_tie(query, conventions)
        return documents[:depth], starts[:depth]
    return documents, starts


def merged(
    query: str,
    scored: Mapping[str, Exact],
    judged: Mapping[str, Label],
    conventions: Conventions,
) -> tuple[int, list[str]]:
    """The first documents of a list that 32-bit floats tie, but scores and labels tell apart.

    Their first position, or -1, and all of them. The label of an unjudged one is 0. Rounding keeps
    the order, so that they stand together. Spec: RS-CONV-12
    """
    floats = compared(scored, replace(conventions, scores="float32"))
    documents, _ = ranking(query, scored, judged, conventions)
    position = 0
    for _, group in groupby(documents, key=floats.__getitem__):
        tied = list(group)
        scores = {scored[document] for document in tied}
        if len(scores) > 1 and len({judged.get(document, 0) for document in tied}) > 1:
            return position, tied
        position += len(tied)
    return -1, []


def compared(scored: Mapping[str, Exact], conventions: Conventions) -> Mapping[str, Exact]:
    """The scores as they are compared (RS-CONV-12)."""
    if not conventions.rounds_scores:
        return scored
    return dict(zip(scored, array("f", map(double, scored.values())), strict=True))


def cut_in_a_tie(query: str, conventions: Conventions) -> InputError:
    """The error for a list whose end is not determined."""
    return InputError(
        f"depth: rank {conventions.depth} and the next of query {shown_text(query)} are tied, so "
        'the first documents are not determined where ties are "expected" (RS-CONV-16)'
    )


def double(score: Exact) -> float:
    """The nearest double; of what is beyond their range, the last one."""
    try:
        return float(score)
    except OverflowError:
        return sys.float_info.max if score > 0 else -sys.float_info.max


def typecode_of(labels: list[Label]) -> str:
    """The smallest array type of the core's that holds all labels exactly."""
    if all(type(label) is int for label in labels):
        return "B" if min(labels, default=0) >= 0 and max(labels, default=0) < 256 else "q"
    for label in labels:
        if float(label) != label:
            raise InputError(
                f"qrels: the label {label} is not a double, and other labels are not integers "
                "below 2^63; expected only such integers or only doubles (RS-CONV-1)"
            )
    return "d"
