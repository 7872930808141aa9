"""Values, vectors, relevance and order by the C core; what it leaves open the reference settles."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ..errors import InputError
from ..reference.ties import RULES
from .batch import Batch, SessionBatch, offsets_of
from .by_reference import (
    relevance_by_reference,
    settle_vector,
    value_by_reference,
    values_by_reference,
    vectors_by_reference,
)
from .call import Call
from .checks import (
    check_kind,
    check_labels,
    reads_lists,
    refuse,
    refuse_score,
)
from .computable import Computable
from .core import (
    CallOfSome,
    Verdict,
    Wanted,
    address_of,
    arguments_of,
    check_core_offsets,
    check_sizes,
    ffi,
    flat,
    in_threads,
    int64s,
    lib,
    size_of,
    type_of,
    whole,
)
from .views import ListsView, SessionsView, view_of


def values_by_core(measures: Sequence[Computable], batch: Batch) -> list[array[float]]:
    """As backends.values(); cut-offs of the same measure are computed in one pass."""
    check_kind(measures, batch)
    lists = view_of(batch)
    results: list[array[float] | None] = [None] * len(measures)
    for uncut in dict.fromkeys(m.uncut for m in measures):
        wanted = {a: whole(m.k) for a, m in enumerate(measures) if m.uncut == uncut}
        by_cutoff = {k: measures[a] for a, k in wanted.items()}
        cutoffs = sorted(by_cutoff)
        columns = _columns([by_cutoff[k] for k in cutoffs], cutoffs, batch, lists)
        for a, k in wanted.items():
            results[a] = columns[cutoffs.index(k)]
    return [column for column in results if column is not None]


def _columns(
    measures: Sequence[Computable], cutoffs: list[int], batch: Batch, lists: ListsView
) -> list[array[float]]:
    """The values of a measure at rising cut-offs, a column each."""
    base = measures[0]
    call = base.core.values
    if call is None or not lists.fits or not call.can_take(base):
        return values_by_reference(measures, batch)
    for measure in measures:
        lists.check(measure)
    cells = lists.n * len(cutoffs)
    out = array("d", [0.0]) * cells
    undecided = bytearray(cells)
    some = _values_of_some(call, lists.wanted(measures, cutoffs), lists, (out, undecided))
    _check_verdicts(in_threads(some, lists.n, lists.size), base, batch)
    cell = undecided.find(1)
    while cell >= 0:  # settled by the reference: RS-NUM-7
        a, column = divmod(cell, len(cutoffs))
        out[cell] = value_by_reference(measures[column], batch, a)
        cell = undecided.find(1, cell + 1)
    return [out] if len(cutoffs) == 1 else [out[j :: len(cutoffs)] for j in range(len(cutoffs))]


def _values_of_some(
    call: Call, wanted: Wanted, lists: ListsView, to: tuple[Any, Any]
) -> CallOfSome:
    """The call of the core for the values of lists begin to end."""
    function, arguments = getattr(lib, call.function), arguments_of(call, wanted)
    k, nk = ffi.new("int64_t[]", wanted.cutoffs), len(wanted.cutoffs)
    doubles, flags = ffi.from_buffer("double[]", to[0]), ffi.from_buffer("uint8_t[]", to[1])

    def some(begin: int, end: int, _alive: Any = wanted) -> Verdict:
        ranked, pools = lists.structures(begin)
        refused, in_pool = ffi.new("int64_t *"), ffi.new("int32_t *")
        cell = begin * nk
        results = (k, nk, doubles + cell, flags + cell, refused)
        if call.reads == "both":
            verdict = function(ranked, pools, end - begin, *arguments, *results, in_pool)
        elif call.reads == "pools":
            verdict = function(pools, end - begin, *arguments, *results)
            in_pool[0] = pools is not ranked
        else:
            verdict = function(ranked, end - begin, *arguments, *results)
        return Verdict(int(verdict), int(refused[0]), bool(in_pool[0]))

    return some


def _check_verdicts(verdicts: Sequence[Verdict], measure: Computable, batch: Batch) -> None:
    """An InputError for the first label that is refused."""
    for verdict in verdicts:
        if verdict.open == lib.RS_NO_MEMORY:
            raise MemoryError
        if verdict.open == lib.RS_REFUSED and verdict.in_pool:
            if reads_lists(measure, batch):  # those of later lists
                check_labels(measure, batch, "labels")
            raise refuse(measure, batch, verdict.refused, "judged")
        if verdict.open == lib.RS_REFUSED:
            raise refuse(measure, batch, verdict.refused, "labels")


def vectors_by_core(measure: Computable, batch: SessionBatch) -> tuple[array[float], array[int]]:
    """As backends.vectors()."""
    check_kind([measure], batch)
    sessions = SessionsView(batch)
    call = measure.core.vectors
    if call is None or not sessions.fits or not call.can_take(measure):
        return vectors_by_reference(measure, batch)
    sessions.check(measure)
    sessions.check_ranks(measure)
    vectors = _Vectors(call, measure, sessions)
    lengths = array("q", [0]) * sessions.n
    found = in_threads(vectors.lengths(lengths), sessions.n, sessions.size)
    _check_verdicts(found, measure, batch)
    begins = offsets_of(lengths)
    out, undecided = array("d", [0.0]) * begins[-1], bytearray(begins[-1])
    found = in_threads(vectors.components(begins, out, undecided), sessions.n, sessions.size)
    _check_verdicts(found, measure, batch)
    rank = undecided.find(1)
    while rank >= 0:  # settled by the reference, with others of its session: RS-NUM-7
        s = bisect_right(begins, rank) - 1
        settle_vector(measure, batch, s, begins[s], (out, undecided))
        rank = undecided.find(1, begins[s + 1])
    return out, _vector_offsets(measure, batch, begins)


class _Vectors:
    """The call of the core for vectors, or for how long they are."""

    def __init__(self, call: Call, measure: Computable, sessions: SessionsView) -> None:
        self._function, self._sessions = getattr(lib, call.function), sessions
        self._k = whole(measure.k)
        self._wanted = sessions.wanted([measure], [self._k])
        self._arguments = arguments_of(call, self._wanted)

    def lengths(self, lengths: array[int]) -> CallOfSome:
        """The call for the lengths of vectors."""
        to = ffi.from_buffer("int64_t[]", lengths)
        return lambda begin, end: self._some(begin, end, to + begin, ffi.NULL, ffi.NULL)

    def components(self, begins: array[int], out: Any, undecided: Any) -> CallOfSome:
        """The call for vectors, which begin at these places of out."""
        doubles, flags = ffi.from_buffer("double[]", out), ffi.from_buffer("uint8_t[]", undecided)

        def some(begin: int, end: int) -> Verdict:
            lengths, first = ffi.new("int64_t[]", end - begin), begins[begin]
            return self._some(begin, end, lengths, doubles + first, flags + first)

        return some

    def _some(self, begin: int, end: int, *to: Any) -> Verdict:
        sessions, pools = self._sessions.structures(begin)
        refused, in_pool = ffi.new("int64_t *"), ffi.new("int32_t *")
        arguments = (*self._arguments, self._k, *to, refused, in_pool)
        verdict = self._function(sessions, pools, end - begin, *arguments)
        return Verdict(int(verdict), int(refused[0]), bool(in_pool[0]))


def _vector_offsets(measure: Computable, batch: SessionBatch, begins: array[int]) -> array[int]:
    """Where vectors begin, those of queries where there is one a query."""
    if not measure.vector_a_query:
        return begins
    k = whole(measure.k)
    lengths = (min(int(end) - int(begin), k) for begin, end in pairwise(batch.offsets))
    return offsets_of(lengths)


def relevance_by_core(measure: Computable, scores: Any, offsets: Any) -> array[float]:
    """As backends.relevance()."""
    of = measure.core.relevance
    if of is None or not of.can_take(measure):
        return relevance_by_reference(measure, scores, offsets)
    n = size_of(scores)
    check_core_offsets(offsets, n, "offsets", "scores")
    out = array("d", [0.0]) * n
    undecided = bytearray(n)
    address, form, all_offsets = flat(scores, offsets)
    wanted = Wanted([measure], [], n, n)
    function, arguments = getattr(lib, of.function), arguments_of(of, wanted)
    to = ffi.from_buffer("double[]", out), ffi.from_buffer("uint8_t[]", undecided)

    def call(begin: int, end: int) -> Verdict:
        lists = ffi.new("rs_lists *", [address, all_offsets + begin, ffi.NULL, form])
        refused = ffi.new("int64_t *")
        verdict = function(lists, end - begin, *arguments, *to, refused)
        return Verdict(int(verdict), int(refused[0]), in_pool=False)

    _over_scores(call, scores, offsets)
    item = undecided.find(1)
    while item >= 0:  # settled by the reference, with the rest of its list: RS-NUM-14
        a = bisect_right(offsets, item) - 1
        begin, end = int(offsets[a]), int(offsets[a + 1])
        out[begin:end] = relevance_by_reference(measure, scores[begin:end], [0, end - begin])
        item = undecided.find(1, end)
    return out


def _over_scores(call: CallOfSome, scores: Any, offsets: Any) -> None:
    """Calls the core for all lists; an InputError for a score that it refuses."""
    for verdict in in_threads(call, len(offsets) - 1, len(scores)):
        if verdict.open == lib.RS_NO_MEMORY:
            raise MemoryError
        if verdict.open == lib.RS_REFUSED:
            raise refuse_score(scores, offsets, verdict.refused)


def order(scores: Any, labels: Any, offsets: Any, ids: Any, rule: str) -> tuple[Any, Any]:
    """(order, starts): the positions of the items in rank order (int64), and where tie groups
    begin (uint8). Spec: RS-TIE-1, RS-TIE-2.
    """
    n = size_of(labels)
    check_core_offsets(offsets, n, "offsets")
    check_sizes(n, scores=scores, ids=ids)
    if ids is None and rule.startswith("id-"):
        raise InputError(f'ties: "{rule}" orders by ids; there are none')
    positions = array("q", [0]) * n
    starts = bytearray(n)
    of_labels, of_scores = flat(labels, offsets), (address_of(scores), type_of(scores))
    of_ids = ffi.NULL if ids is None else int64s(ids)
    to = ffi.from_buffer("int64_t[]", positions), ffi.from_buffer("uint8_t[]", starts)

    def call(begin: int, end: int) -> Verdict:
        address, form, all_offsets = of_labels
        lists = ffi.new("rs_lists *", [address, all_offsets + begin, ffi.NULL, form])
        refused = ffi.new("int64_t *")
        by = of_ids, RULES.index(rule)
        verdict = lib.rs_order(*of_scores, lists, end - begin, *by, *to, refused)
        return Verdict(int(verdict), int(refused[0]), in_pool=False)

    _over_scores(call, scores, offsets)
    return positions, starts


def gather(labels: Any, positions: Any) -> Any:
    """The labels in the order of the positions, as a buffer of the same format."""
    ordered = array(memoryview(labels).format, bytes(memoryview(labels).nbytes))
    check_sizes(size_of(labels), positions=positions)
    lib.rs_gather(
        address_of(labels),
        type_of(labels),
        int64s(positions),
        len(positions),
        ffi.cast("void *", address_of(ordered)),
    )
    return ordered


def contradiction(batch: SessionBatch) -> tuple[int, int] | None:
    """Where a document of a session has another label than where it was shown first, and where
    that is; None: nowhere. The offsets must fit. Spec: RS-SES-22.
    """
    sessions = SessionsView(batch)

    def call(begin: int, end: int) -> Verdict:
        first = ffi.new("int64_t *")
        position = lib.rs_contradiction(sessions.sessions(begin), end - begin, first)
        return Verdict(int(position), int(first[0]), in_pool=False)

    for verdict in in_threads(call, sessions.n, sessions.size):
        if verdict.open == lib.RS_NO_MEMORY:
            raise MemoryError
        if verdict.open >= 0:
            return verdict.open, verdict.refused
    return None


def perhaps_uncovered(batch: Batch) -> list[int]:
    """The lists of a batch, or the sessions, whose pool may lack one of their labels: all that do,
    and those that the core leaves open. The offsets must fit. Spec: RS-CONV-38.
    """
    offsets, holders = batch.offsets, None
    if isinstance(batch, SessionBatch) and batch.documents is not None:
        offsets = array("q", (int(offsets[a]) for a in batch.sessions))  # all that a session shows
    elif isinstance(batch, SessionBatch):
        numbers = enumerate(batch.numbers_of_queries())
        holders = array("q", (s for s, queries in numbers for _ in range(queries)))
    n, m = len(offsets) - 1, len(batch.pool_offsets) - 1
    flags = bytearray(n)
    lists, pools = flat(batch.labels, offsets), flat(batch.pool, batch.pool_offsets)
    to = ffi.from_buffer("uint8_t[]", flags)

    def call(begin: int, end: int) -> Verdict:
        address, form, all_offsets = lists
        of_lists = ffi.new("rs_lists *", [address, all_offsets + begin, ffi.NULL, form])
        address, form, all_offsets = pools
        first, number = (begin, end - begin) if holders is None else (0, m)
        of_pools = ffi.new("rs_lists *", [address, all_offsets + first, ffi.NULL, form])
        pool_of = ffi.NULL if holders is None else int64s(holders) + begin
        found = lib.rs_uncovered(of_lists, end - begin, of_pools, number, pool_of, to + begin)
        return Verdict(int(found), 0, in_pool=False)

    for verdict in in_threads(call, n, len(batch.labels) + len(batch.pool)):
        if verdict.open == lib.RS_NO_MEMORY:
            raise MemoryError
    found, a = [], flags.find(1)
    while a >= 0:
        found.append(a if holders is None else holders[a])
        a = flags.find(1, a + 1)
    return list(dict.fromkeys(found))
