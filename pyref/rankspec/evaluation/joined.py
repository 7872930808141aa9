"""Qrels and runs read and joined by the C core: no Python object for a line or a document.

What ``ranked`` says in Python is done here in C, piece by piece: a run is read in blocks of whole
queries, and each block becomes ranked lists, which are evaluated before the block is forgotten. So
memory grows with the judgments and with the largest query. Two blocks are worked on at a time where
there are two processors.

A run whose queries are not grouped is read again, a share of its queries each time.
"""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import cached_property, partial
from itertools import pairwise
from operator import add

from ..compute.batch import Batch, offsets_of
from ..compute.core import check_core_offsets, ffi, lib, processors
from ..compute.gain import exact
from ..errors import InputError
from ..formats import trec
from ..formats.blocks import BLOCK, PADDING, Blocks, blocks_of_lines, last_query, lines
from ..formats.columns import ColumnBlocks, Columns, Ungrouped
from ..formats.frames import (
    Label,
    QrelsLike,
    RunLike,
    by_column,
    labels_of,
    of_query,
    scores_of,
    snapshot,
)
from ..formats.ids import by_text, check_bytes
from ..formats.limits import STREAM, TOKEN
from ..formats.streams import Source, Stream, TemporaryCopy, is_file, readable_again
from ..progress import Progress
from ..records import replace
from ..typed import Any, Generic, TypeVar
from .conventions import Conventions, meaning
from .line_statistics import Remark, contradiction, rows
from .plausibility import columns_like_scores, like_scores
from .ranked import (
    Piece,
    RankedLists,
    cut_in_a_tie,
    double,
    judgments,
    keeps_more,
    typecode_of,
    whole_pieces,
)
from .rows import IdColumn, changed, check, grouped, labels_as_counted, scores_as_doubles

SHARE = 1 << 23  # bytes of a run that is not grouped, at a time; more, rather than
MOST_SHARES = 64  # read the run so many times
DOCUMENTS_AT_ONCE = 1 << 16  # of a run in dictionaries

_ORDER = {"score": lib.RS_BY_SCORE, "rank": lib.RS_BY_RANK, None: lib.RS_BY_FILE}

Result = TypeVar("Result")
Work = Callable[[RankedLists], Result]
"""What is done with ranked lists; it may be called in any thread, and in any order."""


class _CutInATie(InputError):
    """A depth cuts a list in a tie; unless more lines of the query come after those of others."""


# ---- judgments ---------------------------------------------------------------------------


class JudgmentIndex:
    """Qrels in the core's structure. See :class:`rankspec.evaluation.ranked.Judged`.

    labels: those that count, flat; offsets: where those of each query begin
    """

    like_scores = False  # of a file: its columns say what it is
    again: Callable[[Conventions], JudgmentIndex]  # the same judgments by other conventions
    negative = "kept"  # what labels below 0 are here, where there may be any
    _under: JudgmentIndex | None = None

    def __init__(self, structure: Any, keep: tuple[Any, ...]) -> None:
        self.structure = structure
        self._keep = keep
        self.queries = [_id(structure.queries, q) for q in range(structure.n)]
        n = structure.offsets[structure.n]
        size = 1 if structure.type == lib.RS_U8 else 8
        self.typecode = {lib.RS_U8: "B", lib.RS_I64: "q", lib.RS_F64: "d"}[structure.type]
        labels: Any = memoryview(ffi.buffer(structure.labels, n * size))
        self.labels = labels.cast(self.typecode)
        self.offsets: Any = memoryview(ffi.buffer(structure.offsets, 8 * (structure.n + 1)))
        self.offsets = self.offsets.cast("q")

    @property
    def highest(self) -> Label:
        """The highest label, at least 0."""
        return max(self.labels, default=0) if self.typecode == "d" else int(self.structure.highest)

    def distinct_labels(self) -> set[Label]:
        return set(self.labels)

    def first_of(self, labels: Container[Label]) -> tuple[str, str, Label]:
        position = next(a for a, label in enumerate(self.labels) if label in labels)
        query = next(q for q in range(len(self.queries)) if position < self.offsets[q + 1])
        document = _id(self.structure.documents, position)
        return self.queries[query], document, self.labels[position]

    def documents_of(self, query: str) -> Sequence[str]:
        if query not in self._numbers:
            return ()
        own = self.offsets[(q := self._numbers[query]) : q + 2]
        return [_id(self.structure.documents, a) for a in range(*own)]

    def under(self, conventions: Conventions) -> JudgmentIndex:
        if not keeps_more(conventions.negative, self.negative):
            return self
        if self._under is None:
            self._under = self.again(conventions)
        return self._under

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {query: q for q, query in enumerate(self.queries)}

    def map_run(
        self,
        run: RunLike,
        conventions: Conventions,
        work: Callable[[RankedLists], Result],
        progress: Progress | None = None,
        remarks: bool = False,
        ranks: int | None = None,
    ) -> list[Piece[Result]]:
        run = by_column(run, "run", conventions.order)
        if isinstance(run, Columns):
            return _map_columns(run, self, conventions, work, ranks)
        if isinstance(run, ColumnBlocks):
            return _map_column_blocks(run, self, conventions, work, ranks)
        if not is_file(run):
            return list(_map_table(run, self, conventions, work, ranks))
        with readable_again(run) as stream:
            reading = _RunReading(stream, self, conventions, work, remarks, ranks)
            return _map_stream(stream, reading, progress)

    def empty_lists(
        self,
        queries: Sequence[str],
        conventions: Conventions,
        work: Callable[[RankedLists], Result],
    ) -> Piece[Result]:
        wanted = set(queries)
        numbers = [q for q, query in enumerate(self.queries) if query in wanted]
        nothing = array(self.typecode)
        offsets = array("q", bytes(8 * (len(numbers) + 1)))
        retrieved = conventions.own_pool
        pool, pool_offsets = (nothing, offsets) if retrieved else self.pools(numbers)
        starts = array("B") if conventions.ties == "expected" else None
        names = [self.queries[q] for q in numbers]
        batch = Batch(nothing, offsets, starts, pool, pool_offsets, queries=names)
        return Piece(names, work(RankedLists(names, batch, array("B"), array("B"))))

    def pools(self, queries: Sequence[int]) -> tuple[Any, Any]:
        """The labels of the judged documents of some queries, flat, and the offsets of each."""
        numbers = array("q", queries)
        offsets = array("q", bytes(8 * (len(numbers) + 1)))
        own = self.offsets
        n = sum(own[q + 1] - own[q] for q in numbers if q >= 0)
        pool = array(self.typecode, bytes(n * self.labels.itemsize))
        lib.rs_pools(
            self.structure,
            ffi.from_buffer("int64_t[]", numbers),
            len(numbers),
            ffi.from_buffer(pool),
            ffi.from_buffer("int64_t[]", offsets),
        )
        return pool, offsets


def judgments_of(qrels: QrelsLike, conventions: Conventions) -> JudgmentIndex:
    """The judgments of a file, or of anything else that holds qrels."""
    qrels = by_column(qrels, "qrels")
    made: Callable[[Conventions], JudgmentIndex]
    if is_file(qrels) and conventions.labels == "exact":
        stream = Stream.of(qrels)
        text = stream.content()
        if not stream.is_format_given:
            trec.refuse_ratings(stream.name, text)
        made = partial(_judgments_of_text, stream.name, _padded(text))
    elif isinstance(qrels, Columns):
        made = partial(_judgments_of_columns, qrels)
    else:
        labels = labels_of(qrels, conventions.how)
        made = partial(_judgments_of_labels, labels, is_file(qrels))
        if not any(min(own.values(), default=0) < 0 for own in labels.values()):
            return made(conventions)  # and forget the dictionaries
    found = made(conventions)
    found.again, found.negative = made, conventions.negative
    return found


def _judgments_of_labels(
    labels: Mapping[str, Mapping[str, Label]], of_file: bool, conventions: Conventions
) -> JudgmentIndex:
    found = judgments_of_table(judgments(labels, conventions))
    found.like_scores = like_scores(labels) and not of_file
    return found


def _negative(conventions: Conventions) -> int:
    """What the core makes of negative labels (RS-CONV-15, RS-CONV-20)."""
    rule = "kept" if conventions.scored else conventions.negative
    return int(getattr(lib, meaning("negative", rule)))


def _keep(conventions: Conventions) -> int:
    """Return the core's constant for the rule for repeated documents (RS-CONV-10)."""
    return int(getattr(lib, meaning("duplicates", conventions.duplicates)))


def _padded(text: bytes) -> tuple[bytes, int]:
    """A text as the core takes it, whose last line ends; and how long the text is."""
    end = b"" if text.endswith(b"\n") else b"\n"
    return b"".join((text, end, PADDING)), len(text)


def _judgments_of_text(
    name: str, text: tuple[bytes, int], conventions: Conventions
) -> JudgmentIndex:
    padded, length = text
    size = len(padded) - len(PADDING)
    structure, keep = _room_for(padded.count(b"\n", 0, length) + 1)
    at = ffi.new("int64_t *")
    held = ffi.from_buffer(padded)
    result = lib.rs_read_qrels(held, size, _structure_of(conventions), structure, at)
    if result >= 0:
        policies = _keep(conventions), _negative(conventions)
        result = lib.rs_index(structure, *policies, at)
    _check_memory(result)
    if result < 0 or structure.n == 0:
        # Only the words are looked for here: what is refused is refused by both readers.
        judgments(trec.parse_qrels(name, padded[:length], conventions.how), conventions)
        raise AssertionError("the readers of qrels disagree")
    return JudgmentIndex(structure, (*keep, held))


def _judgments_of_columns(qrels: Columns, conventions: Conventions) -> JudgmentIndex:
    labels = labels_as_counted(qrels, conventions)
    if labels is None:
        return _judgments_of_labels(labels_of(qrels, conventions.how), False, conventions)
    groups, documents = grouped(qrels), IdColumn(qrels.documents)
    structure, keep = _room_for(len(qrels), len(groups.names))
    size = documents.size_of_text(qrels)
    text = ffi.from_buffer(bytearray(size + len(PADDING)))
    flat = ffi.from_buffer("char[]", labels)
    args = documents.structure, groups.structure, flat, text, size, structure
    check(lib.rs_judge_rows(*args), qrels)
    structure.type = lib.RS_F64 if labels.dtype.kind == "f" else lib.RS_I64
    policies = _keep(conventions), _negative(conventions)
    result = lib.rs_index(structure, *policies, ffi.new("int64_t *"))
    _check_memory(result)
    if result < 0 or structure.n == 0:
        judgments(labels_of(qrels, conventions.how), conventions)  # which has the words
        raise changed(qrels)
    found = JudgmentIndex(structure, (*keep, groups, text))
    found.like_scores = columns_like_scores(qrels, conventions.how)
    return found


def judgments_of_table(table: Mapping[str, Mapping[str, Label]]) -> JudgmentIndex:
    labels = [label for documents in table.values() for label in documents.values()]
    typecode = typecode_of(labels)
    structure, keep = _room_for(max(len(labels), len(table)))
    names = _Ids(list(table), ffi.addressof(structure[0], "queries"))
    documents = _Ids(
        [d for own in table.values() for d in own], ffi.addressof(structure[0], "documents")
    )
    flat = array("d" if typecode == "d" else "q", labels)
    ffi.memmove(structure.labels, flat, len(flat) * flat.itemsize)
    structure.n = len(table)
    structure.type = lib.RS_F64 if typecode == "d" else lib.RS_I64
    offsets = offsets_of(map(len, table.values()))
    ffi.memmove(structure.offsets, offsets, 8 * len(offsets))
    lib.rs_index(structure, lib.RS_KEEP_NONE, lib.RS_NEGATIVE_KEPT, ffi.new("int64_t *"))
    return JudgmentIndex(structure, (*keep, names, documents))


def _room_for(n: int, queries: int | None = None) -> tuple[Any, tuple[Any, ...]]:
    """rs_judgments with room for n documents, and as many queries or so many."""
    of_queries = n if queries is None else queries
    rooms = [of_queries, of_queries, n, n, n, of_queries]
    arrays = [ffi.new("int64_t[]", room + 1) for room in rooms]
    sizes = of_queries, n + of_queries
    slots = [ffi.new("uint64_t[]", 4 * size + 4) for size in sizes]
    structure = ffi.new("rs_judgments *")
    structure.queries.begin, structure.queries.length = arrays[0], arrays[1]
    structure.documents.begin, structure.documents.length = arrays[2], arrays[3]
    structure.labels, structure.offsets = arrays[4], arrays[5]
    structure.query_slots, structure.slots = slots
    return structure, (*arrays, *slots)


class _Ids:
    """Ids as one text, written into an rs_ids that has room for them."""

    def __init__(self, ids: list[str], structure: Any) -> None:
        joined = "\n".join(ids)
        text = joined.encode("utf-8", "surrogateescape")
        if not joined.isascii() and text.decode("utf-8", "surrogateescape") != joined:
            raise UnicodeError  # another id has the same bytes
        self._text = ffi.from_buffer(text + PADDING)
        structure.text = self._text
        if not ids:
            return
        if text.count(b"\n") == len(ids) - 1:
            lib.rs_split(self._text, len(text), structure)
            return
        # some id has a newline; a subclass of str may have an encode() of its own
        lengths = array("q", (len(str.encode(x, "utf-8", "surrogateescape")) for x in ids))
        begins = offsets_of(length + 1 for length in lengths)
        ffi.memmove(structure.begin, begins, 8 * len(ids))
        ffi.memmove(structure.length, lengths, 8 * len(ids))


def _id(ids: Any, a: int) -> str:
    content = ffi.buffer(ids.text + ids.begin[a], ids.length[a])
    return bytes(content).decode("utf-8", "surrogateescape")


def _check_memory(result: int) -> None:
    if result == lib.RS_NO_MEMORY:
        raise MemoryError


# ---- ranked lists ------------------------------------------------------------------------


class _Ranked:
    """rs_ranked, used for one block after another."""

    def __init__(self) -> None:
        self.structure = ffi.new("rs_ranked *")
        self._room = -1

    def make(self, n: int, item: int, remarks: bool = False) -> None:
        """Room for n lists, and as many labels of some bytes each; and for remarks."""
        if n <= self._room:
            return
        n += n // 4
        self._room = n
        self.arrays = [ffi.new("int64_t[]", n + 1) for _ in range(4)]
        self.bytes = [bytearray(n * item), bytearray(n), bytearray(n)]
        self._keep = [ffi.from_buffer(x) for x in self.bytes]
        self.structure.ids.begin, self.structure.ids.length = self.arrays[0], self.arrays[1]
        self.structure.queries, self.structure.offsets = self.arrays[2], self.arrays[3]
        self.structure.labels = self._keep[0]
        self.structure.starts, self.structure.unjudged = self._keep[1], self._keep[2]
        if remarks:
            self._remarks = self.structure.remarks = ffi.new("rs_remarks[]", n)

    def lists(
        self,
        names: list[str],
        judged: JudgmentIndex,
        conventions: Conventions,
        ranks: int | None = None,
    ) -> RankedLists:
        """What the core has written, of so many ranks."""
        numbers = self.numbers()
        offsets = self._int64s(3, len(names) + 1)
        size = offsets[-1]
        labels = _array(judged.typecode, self.bytes[0], size)
        starts, unjudged = (_array("B", x, size) for x in self.bytes[1:])
        own = conventions.own_pool
        pool, pool_offsets = (labels, offsets) if own else judged.pools(numbers)
        batch = Batch(
            labels=labels,
            offsets=offsets,
            starts=starts if conventions.ties == "expected" else None,
            pool=pool,
            pool_offsets=pool_offsets,
            queries=names,
        )
        of_all = None if ranks is None else bool(self.structure.judged)
        return RankedLists(names, batch, unjudged, starts, judged=of_all)

    def numbers(self) -> array[int]:
        """Of each list, the number of its query in the judgments, or -1."""
        return self._int64s(2, int(self.structure.n))

    def names(self, judged: JudgmentIndex) -> list[str]:
        numbers = self.numbers()
        n = len(numbers)
        begins, lengths = self._int64s(0, n), self._int64s(1, n)
        ends = array("q", map(add, begins, lengths))
        text = ffi.buffer(self.structure.ids.text, max(ends, default=0))
        return [
            judged.queries[q] if q >= 0 else text[begin:end].decode("utf-8", "surrogateescape")
            for q, begin, end in zip(numbers, begins, ends, strict=True)
        ]

    def _int64s(self, a: int, n: int) -> array[int]:
        return _array("q", ffi.buffer(self.arrays[a], 8 * n), n)


def _array(typecode: str, content: Any, n: int) -> array[Any]:
    """The first n numbers of a buffer that will be written again.

    A copy, and no view: the collector may break cycles with views in them in an order that
    cffi's pointers into them do not survive.
    """
    numbers = array(typecode)
    with memoryview(content) as view:
        numbers.frombytes(view[: n * numbers.itemsize])
    return numbers


def _structure_of(conventions: Conventions, ranks: int | None = None) -> Any:
    by = ffi.new("rs_conventions *")
    by.rule = getattr(lib, meaning("ties", conventions.ties))
    by.keep = _keep(conventions)
    by.float32 = conventions.rounds_scores
    by.condensed = conventions.condensed
    by.unjudged_too = conventions.evaluates_run
    by.depth = lib.RS_WHOLE if conventions.depth is None else conventions.depth
    by.reads = lib.RS_WHOLE if ranks is None else ranks
    by.order = _ORDER[conventions.ordered_by]
    by.tail, by.comments = conventions.how.tail, conventions.how.comments
    by.longest = TOKEN.value
    return by


class _RunReading(Generic[Result]):
    """How the lines of a run become pieces."""

    def __init__(
        self,
        stream: Stream,
        judged: JudgmentIndex,
        conventions: Conventions,
        work: Work[Result],
        remarks: bool = False,
        ranks: int | None = None,
    ) -> None:
        self.name = stream.name
        self.whole_file = partial(lines, stream)
        self.judged = judged
        self.conventions = conventions
        self._by = _structure_of(conventions, ranks)
        self._work = work
        self._remarks = remarks
        self._ranks = ranks

    def piece(self, text: Any, size: int, lines: int, room: _Ranked) -> Piece[Result]:
        """The piece of a text of whole queries, which has so many lines."""
        room.make(lines, self.judged.labels.itemsize, self._remarks)
        args = text, size, self.judged.structure, self._by, room.structure, ffi.new("int64_t *")
        self._check(lib.rs_read_run(*args), text, size, room)
        names = room.names(self.judged)
        lists = room.lists(names, self.judged, self.conventions, self._ranks)
        if self._remarks:
            lists = replace(lists, remarks=self._remarks_on(names, text, size, room.structure))
        return Piece(names, self._work(lists))

    def _remarks_on(self, names: list[str], text: Any, size: int, lists: Any) -> list[Remark]:
        """The core's remarks on each list, and what it leaves open."""
        begins = [*lists.ids.begin[0 : lists.n], size]
        remarks = []
        for query, found, (begin, end) in zip(
            names, lists.remarks[0 : lists.n], pairwise(begins), strict=True
        ):
            contradicted = found.ranks == lib.RS_RANKS_CONTRADICT
            if found.ranks == lib.RS_RANKS_OPEN:
                own = bytes(ffi.buffer(text + begin, end - begin))
                how = self.conventions.how
                scores = trec.parse_run(self.name, own, how)
                contradicted = contradiction(rows(own, how), scores[query]) is not None
            one_score, merged = bool(found.one_score), found.merged
            remarks.append(Remark(found.dropped, found.second, one_score, contradicted, merged))
        return remarks

    def _check(self, result: int, text: Any, size: int, room: _Ranked) -> None:
        _check_memory(result)
        if result == lib.RS_UNGROUPED:
            raise Ungrouped
        if result == lib.RS_TIE_CUT:
            query = _id(room.structure.ids, int(room.structure.n))
            raise _CutInATie(*cut_in_a_tie(query, self.conventions).args)
        if result < 0:
            raise _Refused(bytes(ffi.buffer(text, size)))


class _Refused(Exception):
    """A text that the core refuses: trec.py has the words."""

    def __init__(self, text: bytes) -> None:
        super().__init__()
        self.text = text


def scores_of_query(
    run: Source, query: str, conventions: Conventions
) -> tuple[list[str], dict[str, float]]:
    """The queries of a run, and the scores of the documents of one of them.

    Raises InputError for whatever is wrong with the run, in any of its lines.
    """
    only = judgments_of_table({query: {}})
    with readable_again(run) as stream:
        reading = _RunReading(stream, only, conventions, lambda _: None)
        queries = [q for piece in _map_stream(stream, reading, None) for q in piece.queries]
        own = lines_of(stream, [query])
        if not own and query in queries:
            raise stream.changed()
    scores = trec.parse_run(stream.name, own, conventions.how)[query] if own else {}
    return queries, scores


def lines_of(stream: Stream, queries: Sequence[str]) -> bytes:
    """The lines of some queries of a run, in their order."""
    return bytes(_collected(stream, queries))


def _map_stream(
    stream: Stream, reading: _RunReading[Result], progress: Progress | None
) -> list[Piece[Result]]:
    try:
        pieces = [] if stream.scattered else _map_blocks(stream, reading, progress)
    except Ungrouped:
        stream.scattered = True
    if stream.scattered:
        try:
            pieces = list(_map_shares(stream, reading, progress))
        except _CutInATie as error:  # of all lines of the query
            raise InputError(*error.args) from None
    if not any(piece.queries for piece in pieces):
        raise trec.empty(stream.name, trec.RUN)
    return pieces


# ---- files, in blocks --------------------------------------------------------------------


def _map_blocks(
    stream: Stream, reading: _RunReading[Result], progress: Progress | None
) -> list[Piece[Result]]:
    """The pieces of a run whose queries are grouped."""
    outcomes: dict[int, Piece[Result] | BaseException] = {}
    counts: dict[int, int] = {}  # of the lines of each block
    with stream.opened(STREAM) as fill:
        last = partial(last_query, comments=reading.conventions.how.comments)
        blocks = Blocks(fill, last, lambda: _tell(stream, progress))

        def work(buffer: bytearray, room: _Ranked) -> None:
            while block := blocks.next(buffer):
                number, buffer, size = block
                with ffi.from_buffer(buffer) as text:
                    counts[number] = lib.rs_count_lines(text, size)
                    try:
                        outcomes[number] = reading.piece(text, size, counts[number], room)
                    except BaseException as error:  # noqa: BLE001 - raised below
                        outcomes[number] = error
                        blocks.ended = True

        _in_threads(work, stream)
        pieces = _checked(outcomes, counts, blocks, reading)
    if pieces is None:
        raise Ungrouped
    return pieces


def _checked(
    outcomes: Mapping[int, Piece[Result] | BaseException],
    counts: Mapping[int, int],
    blocks: Blocks,
    reading: _RunReading[Result],
) -> list[Piece[Result]] | None:
    """The pieces of all blocks, or the first error; None: the queries are not grouped."""
    pieces: list[Piece[Result]] = []
    for number in range(blocks.count):
        outcome = outcomes[number]
        if isinstance(outcome, (Ungrouped, _CutInATie)):
            return None  # with all lines of a query together, the tie is there or not
        if isinstance(outcome, _Refused):
            if not _are_apart([*(piece.queries for piece in pieces), _queries_in(outcome.text)]):
                return None  # an earlier block may have the first wrong line, or the document
            if blocks.line_end_added and number == blocks.count - 1:
                outcome.text = outcome.text.removesuffix(b"\n")
            raise _in_words(outcome, reading, sum(counts[a] for a in range(number)))
        if isinstance(outcome, BaseException):
            raise outcome
        pieces.append(outcome)
    if blocks.error:
        raise blocks.error
    return pieces if _are_apart([piece.queries for piece in pieces]) else None


def _are_apart(blocks: list[Collection[str]]) -> bool:
    """True if no query is in two of these blocks, or twice in one."""
    return len(set().union(*blocks)) == sum(map(len, blocks))


def _queries_in(text: bytes) -> set[str]:
    """The queries of some lines of a run, and the first words of its comments."""
    return {trec.id_of(first) for line in text.split(b"\n") for first in line.split(None, 1)[:1]}


def _tell(stream: Stream, progress: Progress | None) -> None:
    if progress is not None:
        progress(*stream.read_so_far())


def _in_threads(work: Callable[[bytearray, _Ranked], None], stream: Stream) -> None:
    """The work in as many threads as there is something to do for."""
    size = stream.size()
    block = BLOCK if size is None else min(BLOCK, size)
    threads = []
    if size is None or size > BLOCK:
        from threading import Thread

        # Without memory for another thread, there are fewer.
        with suppress(MemoryError, RuntimeError):
            for _ in range(processors() - 1):
                arguments = bytearray(block + 64), _Ranked()
                thread = Thread(target=work, args=arguments, daemon=True)
                thread.start()
                threads.append(thread)
    work(bytearray(block + 64), _Ranked())
    for thread in threads:
        thread.join()


def _in_words(refused: _Refused, reading: _RunReading[Result], lines_before: int) -> InputError:
    """The error of the plain reader for what the core refuses."""
    try:
        how, whole_file = reading.conventions.how, reading.whole_file
        trec.parse_run(reading.name, refused.text, how, lines_before, whole_file=whole_file)
    except InputError as error:
        return error
    raise AssertionError("the readers of runs disagree")


# ---- files whose queries are not grouped -------------------------------------------------


def group(stream: Stream, progress: Progress | None) -> None:
    """Makes a run that will be read often one whose queries are grouped, by a temporary copy.

    The lines of different queries change their order.
    """
    copy = TemporaryCopy(stream.name)
    for text, size in _grouped_shares(stream, progress):
        copy.write(ffi.buffer(text, size))
    stream.replace(copy)
    stream.scattered = False


def _map_shares(
    stream: Stream, reading: _RunReading[Result], progress: Progress | None
) -> Iterator[Piece[Result]]:
    """The pieces of any run."""
    room = _Ranked()
    for text, size in _grouped_shares(stream, progress):
        try:
            piece = reading.piece(text, size, lib.rs_count_lines(text, size), room)
        except (_Refused, _CutInATie) as refusal:
            if wrong := _first_wrong_line(stream, reading):
                raise wrong from None
            if isinstance(refusal, _CutInATie):
                raise
            raise stream.changed() from None
        yield piece


def _grouped_shares(stream: Stream, progress: Progress | None) -> Iterator[tuple[Any, int]]:
    """The lines of some queries at a time, those of a query together, as text and its size."""
    total = _tallied(stream)
    shares = list(_shares(total))
    for number, queries in enumerate(shares, start=1):
        collected = _collected(stream, queries)
        size = len(collected)
        if size != sum(total[query] for query in queries):
            raise stream.changed()
        collected += PADDING
        text = ffi.from_buffer(bytearray(len(collected)))
        with ffi.from_buffer(collected) as scattered:
            _check_memory(lib.rs_group(scattered, size, text))
        collected.clear()
        yield text, size
        if progress is not None:
            progress(number, len(shares))


def _collected(stream: Stream, queries: Iterable[str], others_blank: bool = False) -> bytearray:
    """The lines of some queries; others_blank: blank lines stand for all others."""
    wanted = judgments_of_table({query: {} for query in queries})
    collected = bytearray()
    line_end_added = False
    for text, size, line_end_added in blocks_of_lines(stream):  # noqa: B007 - that of the last
        taken = bytearray(size)
        with ffi.from_buffer(text) as whole, ffi.from_buffer(taken) as to:
            n = lib.rs_collect(whole, size, wanted.structure, others_blank, to)
        collected += taken[:n]
    if others_blank and line_end_added:
        del collected[-1]
    return collected


def _tallied(stream: Stream) -> dict[str, int]:
    """How many bytes the lines of each query have, in the order of first mention."""
    total: dict[str, int] = {}
    for text, size, _ in blocks_of_lines(stream):
        with ffi.from_buffer(text) as whole:
            n = lib.rs_count_lines(whole, size)
            begin, length, own = (ffi.new("int64_t[]", n + 1) for _ in range(3))
            ids = ffi.new("rs_ids *", {"begin": begin, "length": length})
            n = lib.rs_tally(whole, size, ids, own)
            _check_memory(n)
            for q in range(n):
                query = _id(ids, q)
                total[query] = total.get(query, 0) + own[q]
    return total


def _shares(total: Mapping[str, int]) -> Iterator[list[str]]:
    """Queries whose lines together are not too many bytes."""
    most = max(SHARE, sum(total.values()) // MOST_SHARES)
    queries: list[str] = []
    size = 0
    for query, own in total.items():
        if queries and size + own > most:
            yield queries
            queries, size = [], 0
        queries.append(query)
        size += own
    if queries:
        yield queries


def _first_wrong_line(stream: Stream, reading: _RunReading[Result]) -> InputError | None:
    """The error for the first wrong line of a run, if there is one (RS-CONV-10).

    The plain reader gets one share of the lines at a time, in the order of the file, so that memory
    stays bounded.
    """
    how, whole_file = reading.conventions.how, reading.whole_file
    errors: dict[int, InputError] = {}
    for queries in _shares(_tallied(stream)):
        text = bytes(_collected(stream, queries, others_blank=True))
        try:
            trec.parse_run(stream.name, text, how, whole_file=whole_file)
        except InputError as error:
            place = re.match(re.escape(f"{stream.name}:") + "([0-9]+): ", str(error))
            if place:  # else there are only comments
                errors[int(place[1])] = error
    return errors[min(errors)] if errors else None


# ---- columns -----------------------------------------------------------------------------


def _map_columns(
    run: Columns,
    judged: JudgmentIndex,
    conventions: Conventions,
    work: Work[Result],
    ranks: int | None,
) -> list[Piece[Result]]:
    try:
        scores = scores_as_doubles(run, conventions)
    except LookupError:
        return list(_map_table(run, judged, conventions, work, ranks))  # which has the words
    held = ffi.NULL if scores is None else ffi.from_buffer("double[]", scores)
    groups, documents = grouped(run), IdColumn(run.documents)
    room, by, at = _Ranked(), _structure_of(conventions, ranks), ffi.new("int64_t *")
    pieces = []
    for first, end in _parts_of(groups.offsets):
        rows = groups.offsets[end] - groups.offsets[first]
        room.make(max(rows, end - first), judged.labels.itemsize)
        result = lib.rs_rank_rows(
            judged.structure,
            documents.structure,
            held,
            groups.structure,
            first,
            end - first,
            by,
            room.structure,
            at,
        )
        if result == lib.RS_NO_MEMORY:
            raise MemoryError
        if result < 0:
            scores_of(run, conventions.how)  # which has the words
            if result == lib.RS_TIE_CUT:
                raise cut_in_a_tie(groups.names[at[0]], conventions)
            raise changed(run)
        names = groups.names[first:end]
        pieces.append(Piece(names, work(room.lists(names, judged, conventions, ranks))))
    return pieces


def _map_column_blocks(
    run: ColumnBlocks,
    judged: JudgmentIndex,
    conventions: Conventions,
    work: Work[Result],
    ranks: int | None,
) -> list[Piece[Result]]:
    """The pieces of blocks, of which one is read while others are worked on."""
    from concurrent.futures import Future, ThreadPoolExecutor

    def of_block(block: Columns) -> list[Piece[Result]]:
        return _map_columns(block, judged, conventions, work, ranks)

    def pieces() -> Iterator[Piece[Result]]:
        waiting: deque[Future[list[Piece[Result]]]] = deque()
        for block in blocks:
            waiting.append(pool.submit(of_block, block))
            del block
            if len(waiting) > processors():
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()

    with closing(run.blocks()) as blocks, ThreadPoolExecutor(processors()) as pool:
        return whole_pieces(pieces())


def _parts_of(offsets: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Queries, the first and the one after the last, whose rows are not too many at a time."""
    first = 0
    for end in range(1, len(offsets)):
        if offsets[end] - offsets[first] > DOCUMENTS_AT_ONCE or end == len(offsets) - 1:
            yield first, end
            first = end


# ---- dictionaries ------------------------------------------------------------------------


def _map_table(
    run: RunLike,
    judged: JudgmentIndex,
    conventions: Conventions,
    work: Work[Result],
    ranks: int | None,
) -> Iterator[Piece[Result]]:
    if not isinstance(run, Mapping) or conventions.order != "score":
        run = scores_of(run, conventions.how)  # as it is, where it is FromLists
    numbers = {query: q for q, query in enumerate(judged.queries)}
    room = _Ranked()
    for part in _parts(run):
        try:
            documents: list[str] = []
            scores = array("d")
            for query, own in part.items():
                check_bytes(query, "run", "query")
                documents.extend(own)
                scores.extend(_as_doubles(own, conventions))
            room.make(max(len(documents), len(part)), judged.labels.itemsize)
            arrays = [ffi.new("int64_t[]", len(documents) + 1) for _ in range(2)]
            ids = ffi.new("rs_ids *", {"begin": arrays[0], "length": arrays[1]})
            text = _Ids(documents, ids)
        except (TypeError, AttributeError, UnicodeError, InputError):
            scores_of(part)  # which has the words
            raise
        offsets = offsets_of(map(len, part.values()))
        check_core_offsets(offsets, len(documents), "run", "documents")
        check_core_offsets(offsets, len(scores), "run", "scores")
        queries = array("q", (numbers.get(query, -1) for query in part))
        at = ffi.new("int64_t *")
        result = lib.rs_rank(
            judged.structure,
            ids,
            ffi.from_buffer("double[]", scores),
            ffi.from_buffer("int64_t[]", offsets),
            ffi.from_buffer("int64_t[]", queries),
            len(part),
            _structure_of(conventions, ranks),
            room.structure,
            at,
        )
        _check_memory(result)
        if result == lib.RS_TIE_CUT:
            raise cut_in_a_tie(list(part)[at[0]], conventions)
        if result < 0:
            scores_of(part)
            raise AssertionError("the readers of runs disagree")
        names = list(part)
        lists = room.lists(names, judged, conventions, ranks)
        del text, arrays  # only here: the core read them
        yield Piece(names, work(lists))


def _parts(run: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The queries of a run, so many at a time that the documents are not too many.

    Their documents are copied: what is counted is what is read, whatever becomes of a mapping.
    """
    part: dict[str, Any] = {}
    n = 0
    for query, documents in by_text(snapshot(run, "run"), "run", "query").items():
        part[query] = documents
        if isinstance(documents, Mapping):
            part[query] = by_text(snapshot(documents, "run"), "run", "document", of_query(query))
        n += len(part[query]) if isinstance(documents, Mapping) else 0
        if n > DOCUMENTS_AT_ONCE:
            yield part
            part, n = {}, 0
    if part:
        yield part


def _as_doubles(documents: Mapping[str, Any], conventions: Conventions) -> Iterable[float]:
    """Doubles in the same order as the scores (RS-CONV-6, RS-CONV-12)."""
    values = documents.values()
    if set(map(type, values)) <= {float}:
        return values
    numbers = [exact(x, "score") for x in values]
    if conventions.rounds_scores:
        return [double(x) for x in numbers]
    rank = {x: float(a) for a, x in enumerate(sorted(set(numbers)))}
    return [rank[x] for x in numbers]
