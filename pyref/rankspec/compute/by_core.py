"""The C core, called: batches and measures become its structures, and its verdicts errors.

The functions of the core bear the names of the reference with ``rs_`` before them; the two
families of them, of gains and of relevance, have the same arguments each. Those of sessions take
the metric as an argument.
"""

from __future__ import annotations

import os
from _queue import SimpleQueue  # queue and threading cost start-up time
from _thread import allocate_lock, start_new_thread
from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, count, pairwise
from typing import Any, TypeAlias

from ..errors import HOW_TO_BUILD, CoreMissing, InputError
from ..metrics.bounds import by_formula
from ..metrics.cascade import stop_table
from ..metrics.measure import Measure
from ..metrics.relevance import QUARTILES, VARIANT, quartiles_of
from ..metrics.session import has_value_at_each_rank
from ..reference.numbers.reals import Exact
from ..reference.ties import RULES
from .batch import (
    Batch,
    SessionBatch,
    by_reference,
    check_depth,
    check_kind,
    check_labels,
    check_offsets,
    check_queries,
    check_ranks,
    offsets_of,
    reads_lists,
    refuse,
    refuse_score,
    relevance_by_reference,
    settle_vector,
    values_by_reference,
    vectors_by_reference,
)
from .gain import LOG2, UNDISCOUNTED, Discount, Gain
from .tables import BITS, fixed_point, powers

try:
    from .._core import ffi as ffi  # noqa: PLC0414 - for the reader, too
    from .._core import lib as lib  # noqa: PLC0414
except ImportError as error:
    raise CoreMissing(
        f"the C core of rankspec cannot be loaded: {error}. {HOW_TO_BUILD}; or ask for "
        'backend="reference"'
    ) from error

LABELS_A_THREAD = 1 << 19  # fewer are done before another thread has started
PIECES_A_THREAD = 8
MOST_THREADS = 256
MOST_TABLES = 256  # of discounts that are kept
BYTES_OF_TABLES = 64 << 20  # of all of them, but that the last one is kept in any case
BYTES_OF_A_TABLE = 1 << 11  # beside its arrays
BYTES_OF_A_WEIGHT = 1 << 8  # that a caller gave
bits_of_a_discount = BITS  # a test takes fewer, so that more is left undecided

# The type of a buffer by its format; the sizes are those of the platform's C types.
_TYPES = {
    "B": lib.RS_U8,
    "b": lib.RS_I8,
    "H": lib.RS_U16,
    "h": lib.RS_I16,
    "I": lib.RS_U32,
    "i": lib.RS_I32,
    "q": lib.RS_I64,
    "f": lib.RS_F32,
    "d": lib.RS_F64,
    "l": lib.RS_I64 if array("l").itemsize == 8 else lib.RS_I32,
}

_INVERSE = Discount("zipf")
MOST_GRADES = 256  # whose probabilities to stop the core takes; of thresholds, one less


@dataclass(frozen=True)
class _Powers:
    """The discount p^(i-1)."""

    p: Exact


def values_by_core(measures: Sequence[Measure], batch: Batch) -> list[array[float]]:
    """As engine.values(); cut-offs of the same measure are computed in one pass."""
    check_kind(measures, batch)
    lists = _Sessions(batch) if isinstance(batch, SessionBatch) else _Lists(batch)
    results: list[array[float] | None] = [None] * len(measures)
    for uncut in dict.fromkeys(m.uncut for m in measures):
        wanted = {a: _whole(m.k) for a, m in enumerate(measures) if m.uncut == uncut}
        by_cutoff = {k: measures[a] for a, k in wanted.items()}
        cutoffs = sorted(by_cutoff)
        columns = _columns([by_cutoff[k] for k in cutoffs], cutoffs, batch, lists)
        for a, k in wanted.items():
            results[a] = columns[cutoffs.index(k)]
    return [column for column in results if column is not None]


def vectors_by_core(measure: Measure, batch: SessionBatch) -> tuple[array[float], array[int]]:
    """As engine.vectors()."""
    check_kind([measure], batch)
    sessions = _Sessions(batch)
    if not _has_vector(measure) or sessions.longest > lib.RS_LONGEST:
        return vectors_by_reference(measure, batch)
    sessions.check(measure)
    sessions.check_ranks(measure)
    call = _SessionCall([measure], [_whole(measure.k)], sessions)
    lengths = array("q", [0]) * sessions.n
    _check_verdicts(_in_threads(call.lengths(lengths), sessions.n, sessions.size), measure, batch)
    begins = offsets_of(lengths)
    out, undecided = array("d", [0.0]) * begins[-1], bytearray(begins[-1])
    found = _in_threads(call.vectors(begins, out, undecided), sessions.n, sessions.size)
    _check_verdicts(found, measure, batch)
    rank = undecided.find(1)
    while rank >= 0:  # settled by the reference, with others of its session: RS-NUM-7
        s = bisect_right(begins, rank) - 1
        settle_vector(measure, batch, s, begins[s], (out, undecided))
        rank = undecided.find(1, begins[s + 1])
    return out, _vector_offsets(measure, batch, begins)


def _whole(k: int | None) -> int:
    return int(lib.RS_WHOLE) if k is None else k


def order(scores: Any, labels: Any, offsets: Any, ids: Any, rule: str) -> tuple[Any, Any]:
    """(order, starts): the positions of the items in rank order (int64), and where tie groups
    begin (uint8). Spec: RS-TIE-1, RS-TIE-2.
    """
    n = size_of(labels)
    check_core_offsets(offsets, n, "offsets")
    _check_sizes(n, scores=scores, ids=ids)
    positions = array("q", [0]) * n
    starts = bytearray(n)
    of_labels, of_scores = _flat(labels, offsets), (_address(scores), _type(scores))
    of_ids = ffi.NULL if ids is None else _int64s(ids)
    to = ffi.from_buffer("int64_t[]", positions), ffi.from_buffer("uint8_t[]", starts)

    def call(begin: int, end: int) -> _Verdict:
        address, form, all_offsets = of_labels
        lists = ffi.new("rs_lists *", [address, all_offsets + begin, ffi.NULL, form])
        refused = ffi.new("int64_t *")
        by = of_ids, RULES.index(rule)
        verdict = lib.rs_order(*of_scores, lists, end - begin, *by, *to, refused)
        return _Verdict(int(verdict), int(refused[0]), in_pool=False)

    _over_scores(call, scores, offsets)
    return positions, starts


def relevance_by_core(measure: Measure, scores: Any, offsets: Any) -> array[float]:
    """As engine.relevance()."""
    if not _expressible(measure):
        return relevance_by_reference(measure, scores, offsets)
    n = size_of(scores)
    check_core_offsets(offsets, n, "offsets", "scores")
    out = array("d", [0.0]) * n
    undecided = bytearray(n)
    address, form, all_offsets = _flat(scores, offsets)
    points = _PointsStructure(measure)
    to = ffi.from_buffer("double[]", out), ffi.from_buffer("uint8_t[]", undecided)

    def call(begin: int, end: int) -> _Verdict:
        lists = ffi.new("rs_lists *", [address, all_offsets + begin, ffi.NULL, form])
        refused = ffi.new("int64_t *")
        verdict = lib.rs_relevance(lists, end - begin, points.structure, *to, refused)
        return _Verdict(int(verdict), int(refused[0]), in_pool=False)

    _over_scores(call, scores, offsets)
    item = undecided.find(1)
    while item >= 0:  # settled by the reference, with the rest of its list: RS-NUM-14
        a = bisect_right(offsets, item) - 1
        begin, end = int(offsets[a]), int(offsets[a + 1])
        out[begin:end] = relevance_by_reference(measure, scores[begin:end], [0, end - begin])
        item = undecided.find(1, end)
    return out


def _over_scores(call: _Call, scores: Any, offsets: Any) -> None:
    """Calls the core for all lists; an InputError for a score that it refuses."""
    for verdict in _in_threads(call, len(offsets) - 1, len(scores)):
        if verdict.open == lib.RS_NO_MEMORY:
            raise MemoryError
        if verdict.open == lib.RS_REFUSED:
            raise refuse_score(scores, offsets, verdict.refused)


def gather(labels: Any, positions: Any) -> Any:
    """The labels in the order of the positions, as a buffer of the same format."""
    ordered = array(memoryview(labels).format, bytes(memoryview(labels).nbytes))
    _check_sizes(size_of(labels), positions=positions)
    lib.rs_gather(
        _address(labels),
        _type(labels),
        _int64s(positions),
        len(positions),
        ffi.cast("void *", _address(ordered)),
    )
    return ordered


def check_core_offsets(offsets: Any, size: int, what: str, of: str = "labels") -> int:
    """As engine.check_offsets(), without a loop in Python where all is well."""
    wrong = ffi.new("int64_t *")
    held = _int64s(offsets)
    if len(held):
        longest = lib.rs_check_offsets(held, len(held) - 1, size, wrong)
        if 0 <= longest <= lib.RS_LONGEST:
            return int(longest)
    return check_offsets(list(held), size, what, of)  # finds the words for what is wrong


def size_of(buffer: Any) -> int:
    """How many numbers a buffer holds, whatever the object's own length is said to be."""
    with memoryview(buffer) as view:
        return view.nbytes // view.itemsize


def _check_sizes(n: int, **buffers: Any) -> None:
    """An InputError for a buffer, by its name, that does not hold a number for each of n items."""
    for name, buffer in buffers.items():
        if buffer is not None and size_of(buffer) != n:
            raise InputError(f"{name}: there are {size_of(buffer)} for {n} labels")


class _Lists:
    """What the core reads of a batch, with what keeps its memory alive."""

    def __init__(self, batch: Batch) -> None:
        self.size = size_of(batch.labels)
        self.listed = check_core_offsets(batch.offsets, self.size, "offsets")
        self.pooled = self.listed
        self.n = size_of(batch.offsets) - 1
        _check_sizes(self.size, starts=batch.starts)
        self.tied = batch.starts is not None
        self._labels: Any = _flat(batch.labels, batch.offsets)
        self._pool: Any = self._labels
        self._starts = (
            ffi.NULL if batch.starts is None else ffi.from_buffer("uint8_t[]", batch.starts)
        )
        if batch.pool is not None:
            self._take_pools(batch, "lists")

    def _take_pools(self, batch: Batch, of: str) -> None:
        pooled = size_of(batch.pool)
        self.pooled = check_core_offsets(batch.pool_offsets, pooled, "judged_offsets")
        given = size_of(batch.pool_offsets) - 1
        if given != self.n:
            raise InputError(f"judged: there are {given} pools for {self.n} {of}")
        self.size += pooled
        self._pool = _flat(batch.pool, batch.pool_offsets)

    def can_take(self, measure: Measure) -> bool:
        """Whether the core can take the measure of these."""
        return _expressible(measure)

    def check(self, measure: Measure) -> None:
        """An InputError where the measure has not all that it needs."""
        check_depth(measure, measure.deepest_rank(self.listed, self.pooled))

    def call(self, measures: list[Measure], cutoffs: list[int], to: tuple[Any, Any]) -> _Call:
        """The call of the core for lists begin to end."""
        return _call(_Wanted(measures, cutoffs, self), to)

    def structures(self, begin: int) -> tuple[Any, Any]:
        """The lists and the pools from list `begin` on; the same structure if they are the same."""
        address, form, offsets = self._labels
        lists = ffi.new("rs_lists *", [address, offsets + begin, self._starts, form])
        if self._pool is self._labels:
            return lists, lists
        address, form, offsets = self._pool
        return lists, ffi.new("rs_lists *", [address, offsets + begin, ffi.NULL, form])


class _Sessions(_Lists):
    """The same of sessions."""

    def __init__(self, batch: SessionBatch) -> None:
        self.size, self.tied = size_of(batch.labels), False
        queries = size_of(batch.offsets) - 1
        lists = check_core_offsets(batch.offsets, self.size, "offsets")
        most = check_core_offsets(batch.sessions, queries, "sessions", "queries")
        self.listed, self.queries, self.n = lists, most, size_of(batch.sessions) - 1
        _check_sizes(self.size, ids=batch.documents)
        self._batch = batch
        self._labels = _flat(batch.labels, batch.offsets)
        self._sessions = _int64s(batch.sessions)
        self._documents = ffi.NULL if batch.documents is None else _int64s(batch.documents)
        self._pool = None
        address, form, offsets = self._labels
        self._lists = ffi.new("rs_lists *", [address, offsets, ffi.NULL, form])
        self.longest = int(lib.rs_longest_session(self.sessions(0), self.n))
        self.pooled = self.longest
        if batch.pool is not None:
            self._take_pools(batch, "sessions")

    def can_take(self, measure: Measure) -> bool:
        return self.longest <= lib.RS_LONGEST and _expressible(measure)

    def check(self, measure: Measure) -> None:
        pooled = self.pooled if measure.metric.pool else 0  # else X is of the lists alone
        check_depth(measure, measure.deepest_rank(self.listed, pooled))
        check_queries(measure, self._batch, self.queries)
        if has_value_at_each_rank(measure):
            self.check_ranks(measure)

    def check_ranks(self, measure: Measure) -> None:
        check_ranks(measure, self._batch, self.queries, (self.listed, self.pooled))

    def call(self, measures: list[Measure], cutoffs: list[int], to: tuple[Any, Any]) -> _Call:
        return _SessionCall(measures, cutoffs, self).values(*to)

    def sessions(self, begin: int) -> Any:
        return ffi.new("rs_sessions *", [self._lists, self._sessions + begin, self._documents])

    def pools(self, begin: int) -> Any:
        if self._pool is None:
            return ffi.NULL
        address, form, offsets = self._pool
        return ffi.new("rs_lists *", [address, offsets + begin, ffi.NULL, form])


def _flat(labels: Any, offsets: Any) -> tuple[Any, int, Any]:
    return _address(labels), _type(labels), _int64s(offsets)


def _columns(
    measures: list[Measure], cutoffs: list[int], batch: Batch, lists: _Lists
) -> list[array[float]]:
    """The values of a measure at rising cut-offs, a column each."""
    base = measures[0]
    if not lists.can_take(base):
        return values_by_reference(measures, batch)
    for measure in measures:
        lists.check(measure)
    cells = lists.n * len(cutoffs)
    out = array("d", [0.0]) * cells
    undecided = bytearray(cells)
    call = lists.call(measures, cutoffs, (out, undecided))
    _check_verdicts(_in_threads(call, lists.n, lists.size), base, batch)
    cell = undecided.find(1)
    while cell >= 0:  # settled by the reference: RS-NUM-7
        a, column = divmod(cell, len(cutoffs))
        out[cell] = by_reference(measures[column], batch, a)
        cell = undecided.find(1, cell + 1)
    return [out] if len(cutoffs) == 1 else [out[j :: len(cutoffs)] for j in range(len(cutoffs))]


def _check_verdicts(verdicts: Sequence[_Verdict], measure: Measure, batch: Batch) -> None:
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


@dataclass(frozen=True)
class _Verdict:
    """What the core says of some lists: how much is undecided, or which label is refused."""

    open: int
    refused: int
    in_pool: bool


_Call: TypeAlias = Callable[[int, int], _Verdict]


def _in_threads(call: _Call, n: int, labels: int) -> list[_Verdict]:
    """The verdicts on all n lists, in their order; large batches are shared out to threads.

    The core computes each list by itself and releases the interpreter's lock, so the values do
    not depend on the number of threads. A thread takes the next piece when it is done with one,
    and nobody waits for a thread that has not taken any: waking a processor may take longer
    than the work.
    """
    threads = min(processors(), labels // LABELS_A_THREAD, n)
    if threads < 2:
        return [call(0, n)]
    pieces = min(PIECES_A_THREAD * threads, n)
    bounds = [n * p // pieces for p in range(pieces + 1)]
    remaining = iter(range(pieces))  # next() of it is atomic under the interpreter's lock
    done: SimpleQueue[tuple[int, _Verdict | BaseException]] = SimpleQueue()

    def work() -> None:
        for p in remaining:
            try:
                done.put((p, call(bounds[p], bounds[p + 1])))
            except BaseException as error:  # noqa: BLE001 - raised again by who waits for it
                done.put((p, error))

    with suppress(MemoryError, RuntimeError):  # without memory for another thread, there are fewer
        for _ in range(1, threads):
            start_new_thread(work, ())
    work()
    verdicts = dict(done.get() for _ in range(pieces))
    ordered = []
    for p in range(pieces):
        verdict = verdicts[p]
        if isinstance(verdict, BaseException):
            raise verdict
        ordered.append(verdict)
    return ordered


def processors() -> int:
    """How many threads may run at once: RANKSPEC_THREADS, or the processors of this process."""
    chosen = os.environ.get("RANKSPEC_THREADS")
    if chosen:
        if not chosen.isascii() or not chosen.isdigit() or int(chosen) < 1:
            raise InputError(f'RANKSPEC_THREADS is "{chosen}"; it must be a whole number above 0')
        return min(int(chosen), MOST_THREADS)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class _Wanted:
    """A measure at rising cut-offs, as the functions of the core take its parameters."""

    measures: list[Measure]
    cutoffs: list[int]
    lists: _Lists

    @property
    def base(self) -> Measure:
        return self.measures[0]

    @property
    def deepest(self) -> int:
        """The deepest rank that holds anything."""
        return self.measures[-1].deepest_rank(self.lists.listed, self.lists.pooled)

    def gain(self) -> _GainStructure:
        return _GainStructure(self.base.gain)

    def points(self) -> _PointsStructure:
        return _PointsStructure(self.base)

    def table(self, name: str) -> _Table:
        """The table of the parameter of that name, as deep as any of the measures needs it."""
        needed = [m.metric.tables(m, self.deepest)[name] for m in self.measures]
        return _table(needed[0][0], max(depth for _, depth in needed))

    def inverse(self) -> _Table:
        return _table(_INVERSE, self.deepest)

    def powers(self) -> _Table:
        return _table(_Powers(self.base.p), self.deepest)

    def stop(self) -> _GainStructure:
        return _GainStructure(Gain("table", stop_table(self.base)))

    def theta(self) -> float:
        return float(self.base.rel)

    def word(self, name: str) -> int:
        """A word as the core has it: its number among those of the parameter."""
        return self.base.metric.parameters[name].words.index(getattr(self.base, name))

    def k_ideal(self) -> Any:
        uncut = self.base.metric.ideal_uncut(self.base)
        return ffi.new("int64_t[]", [lib.RS_WHOLE] * len(self.cutoffs) if uncut else self.cutoffs)


# The function of the core for each metric, by the name of its own, and the arguments between the
# lists and the cut-offs. Hits, and the rank of a settled list's first hit, are whole numbers over
# whole numbers, which take no table.
_CORE: dict[str, tuple[Any, Callable[[_Wanted], tuple[Any, ...]]]] = {
    "cg": (lib.rs_dcg, lambda x: (x.gain(), _table(UNDISCOUNTED, x.deepest))),
    "dcg": (lib.rs_dcg, lambda x: (x.gain(), x.table("discount"))),
    "idcg": (lib.rs_idcg, lambda x: (x.gain(), x.table("discount"))),
    "ndcg": (lib.rs_ndcg, lambda x: (x.gain(), x.table("discount"), x.k_ideal())),
    "ldcg": (lib.rs_ldcg, lambda x: (*_adjusted(x), _has_Z(x))),
    "ildcg": (lib.rs_ildcg, lambda x: (*_adjusted(x), _has_Z(x), x.word("ideal"))),
    "lndcg": (lib.rs_lndcg, lambda x: (*_adjusted(x), x.word("ideal"))),
    "dcg_phi": (lib.rs_dcg_phi, lambda x: (x.points(), x.table("discount"))),
    "ndcg_phi": (lib.rs_ndcg_phi, lambda x: (x.points(), x.table("discount"))),
    "precision": (lib.rs_precision, lambda x: (x.theta(),)),
    "recall": (lib.rs_recall, lambda x: (x.theta(),)),
    "rr": (lib.rs_rr, lambda x: (x.theta(), x.inverse() if x.lists.tied else ffi.NULL)),
    "sp": (lib.rs_sp, lambda x: (x.theta(), x.inverse())),
    "ap": (lib.rs_ap, lambda x: (x.theta(), x.word("norm"), x.inverse())),
    "gap": (lib.rs_gap, lambda x: (_Doubles(x.base.q), len(x.base.q), x.inverse())),
    "err": (lib.rs_err, lambda x: (x.stop(), x.inverse())),
    "nerr": (lib.rs_nerr, lambda x: (x.stop(), x.inverse())),
    "rbp": (lib.rs_rbp, lambda x: (x.theta(), float(x.base.p), x.powers())),
}

# The same for the bounds of a metric, by the name of the metric's own; before the arguments stand
# which bound it is, and whether its lower one is that of the worst ranking.
_CORE_OF_BOUNDS: dict[str, tuple[Any, Callable[[_Wanted], tuple[Any, ...]]]] = {
    "cg": (
        lib.rs_bound_of_dcg,
        lambda x: (x.gain(), _table(UNDISCOUNTED, x.deepest), ffi.NULL),
    ),
    "dcg": (lib.rs_bound_of_dcg, lambda x: (x.gain(), x.table("discount"), ffi.NULL)),
    "ndcg": (lib.rs_bound_of_dcg, lambda x: (x.gain(), x.table("discount"), x.k_ideal())),
    "ldcg": (lib.rs_bound_of_ldcg, lambda x: (False, *_adjusted(x), _has_Z(x), lib.RS_IDEAL_TRUE)),
    "lndcg": (lib.rs_bound_of_ldcg, lambda x: (True, *_adjusted(x), False, x.word("ideal"))),
    "dcg_phi": (lib.rs_bound_of_dcg_phi, lambda x: (False, x.points(), x.table("discount"))),
    "ndcg_phi": (lib.rs_bound_of_dcg_phi, lambda x: (True, x.points(), x.table("discount"))),
    "precision": (lib.rs_bound_of_precision, lambda x: _counted(x, lib.RS_OF_P)),
    "recall": (lib.rs_bound_of_precision, lambda x: _counted(x, lib.RS_OF_R)),
    "rr": (lib.rs_bound_of_precision, lambda x: _counted(x, lib.RS_OF_RR)),
    "sp": (lib.rs_bound_of_precision, lambda x: _counted(x, lib.RS_OF_SP)),
    "ap": (lib.rs_bound_of_precision, lambda x: _counted(x, lib.RS_OF_AP)),
    "err": (lib.rs_bound_of_err, lambda x: (False, x.stop(), x.inverse())),
    "nerr": (lib.rs_bound_of_err, lambda x: (True, x.stop(), x.inverse())),
    "rbp": (lib.rs_bound_of_rbp, lambda x: (x.theta(), float(x.base.p), x.powers())),
    "gap": (lib.rs_bound_of_gap, lambda x: (_Doubles(x.base.q), len(x.base.q), x.inverse())),
}

_BOUNDS = {
    "IUB": lib.RS_IUB,
    "RLB": lib.RS_RLB,
    "WLB": lib.RS_WLB,
    "U": lib.RS_U,
    "UL1": lib.RS_UL1,
    "UL2": lib.RS_UL2,
    "MinMax": lib.RS_MIN_MAX,
    "Ratio": lib.RS_RATIO,
    "expected": lib.RS_EXPECTED_VALUE,
}
_VARIANCES = {"variance": lib.RS_VARIANCE, "z_value": lib.RS_Z_VALUE}
_WITH_VARIANCE = ("cg", "dcg", "ndcg", "precision", "recall", "rr", "sp", "ap", "rbp")


def _counted(x: _Wanted, metric: int) -> tuple[Any, ...]:
    """The arguments for bounds of a metric of relevance indicators."""
    norm = x.word("norm") if "norm" in x.base.metric.parameters else 0
    return metric, x.theta(), norm, x.inverse()


def _of_bounds(x: _Wanted) -> tuple[Any, tuple[Any, ...]]:
    """The function of the core for a bound, and its arguments."""
    metric = x.base.metric
    function, arguments = _CORE_OF_BOUNDS[metric.root.function]
    worst = metric.bound == "WLB" or (metric.bound == "MinMax" and x.base.lower == "worst")
    return function, ((_BOUNDS | _VARIANCES)[metric.bound], worst, *arguments(x))


def _adjusted(x: _Wanted) -> tuple[Any, ...]:
    return x.gain(), x.table("discount"), x.table("prior")


def _has_Z(x: _Wanted) -> bool:
    return x.base.Z == "M"  # type: ignore[no-any-return]


def _call(wanted: _Wanted, to: tuple[Any, Any]) -> _Call:
    """The call of the core for lists begin to end."""
    metric, cutoffs, lists = wanted.base.metric, wanted.cutoffs, wanted.lists
    if metric.of is None:
        function, arguments = _CORE[metric.function]
        given = arguments(wanted)
    else:
        function, given = _of_bounds(wanted)
    parameters = [getattr(x, "structure", x) for x in given]
    k = ffi.new("int64_t[]", cutoffs)
    doubles, flags = ffi.from_buffer("double[]", to[0]), ffi.from_buffer("uint8_t[]", to[1])

    def call(begin: int, end: int, _alive: Any = given) -> _Verdict:
        ranked, pools = lists.structures(begin)
        refused, in_pool = ffi.new("int64_t *"), ffi.new("int32_t *")
        cell = begin * len(cutoffs)
        results = (k, len(cutoffs), doubles + cell, flags + cell, refused)
        if metric.of is None and metric.of_pool:
            verdict = function(pools, end - begin, *parameters, *results)
            in_pool[0] = pools is not ranked
        elif metric.pool:
            verdict = function(ranked, pools, end - begin, *parameters, *results, in_pool)
        else:
            verdict = function(ranked, end - begin, *parameters, *results)
        return _Verdict(int(verdict), int(refused[0]), bool(in_pool[0]))

    return call


# The metrics of sessions, and those whose vectors the core has.
_OF_SESSIONS = {
    "sdcg": lib.RS_SDCG,
    "isdcg": lib.RS_ISDCG,
    "nsdcg": lib.RS_NSDCG,
    "sdcg_q": lib.RS_SDCG_Q,
    "avg_sdcg": lib.RS_AVG_SDCG,
    "avg_nsdcg": lib.RS_AVG_NSDCG,
    "query_sdcg": lib.RS_QUERY_SDCG,
    "query_ndcg": lib.RS_QUERY_NDCG,
}
_VECTORS = ("isdcg", "avg_sdcg", "avg_nsdcg", "query_sdcg")


class _SessionCall:
    """A measure of sessions at rising cut-offs, as the core takes it."""

    def __init__(self, measures: list[Measure], cutoffs: list[int], sessions: _Sessions) -> None:
        base, parameters = measures[0], measures[0].metric.parameters
        wanted = _Wanted(measures, cutoffs, sessions)
        self._sessions, self._cutoffs = sessions, cutoffs
        self._gain = wanted.gain()
        self._discount = wanted.table("discount")
        self._query_discount = (
            _table(base.query_discount, sessions.queries)
            if "query_discount" in parameters
            else _Table(0, ffi.NULL)
        )
        # of a metric without padding it does not matter
        padding = base.padding if "padding" in parameters else 0
        self._by = ffi.new(
            "rs_session_measure *",
            {
                "gain": self._gain.structure,
                "discount": self._discount.structure,
                "query_discount": self._query_discount.structure,
                "padding": lib.RS_WHOLE if padding == "X" else min(padding, lib.RS_WHOLE),
                "metric": _OF_SESSIONS[base.metric.function],
                "first": "repeats" in parameters and base.repeats == 0,
                "ideal": wanted.word("ideal") if "ideal" in parameters else 0,
                "over": wanted.word("over") if "over" in parameters else 0,
            },
        )

    def values(self, out: Any, undecided: Any) -> _Call:
        """The call for the values of sessions begin to end."""
        k = ffi.new("int64_t[]", self._cutoffs)
        doubles, flags = ffi.from_buffer("double[]", out), ffi.from_buffer("uint8_t[]", undecided)
        nk = len(self._cutoffs)

        def call(begin: int, end: int) -> _Verdict:
            to = (doubles + begin * nk, flags + begin * nk)
            return self._asked(lib.rs_session_values, begin, end, k, nk, *to)

        return call

    def lengths(self, lengths: array[int]) -> _Call:
        """The call for the lengths of vectors."""
        to = ffi.from_buffer("int64_t[]", lengths)
        k = self._cutoffs[0]

        def call(begin: int, end: int) -> _Verdict:
            rest = (k, to + begin, ffi.NULL, ffi.NULL)
            return self._asked(lib.rs_session_vectors, begin, end, *rest)

        return call

    def vectors(self, begins: array[int], out: Any, undecided: Any) -> _Call:
        """The call for vectors, which begin at these places of out."""
        doubles, flags = ffi.from_buffer("double[]", out), ffi.from_buffer("uint8_t[]", undecided)
        k = self._cutoffs[0]

        def call(begin: int, end: int) -> _Verdict:
            lengths = ffi.new("int64_t[]", end - begin)
            rest = (k, lengths, doubles + begins[begin], flags + begins[begin])
            return self._asked(lib.rs_session_vectors, begin, end, *rest)

        return call

    def _asked(self, function: Any, begin: int, end: int, *rest: Any) -> _Verdict:
        of = self._sessions.sessions(begin), self._sessions.pools(begin), end - begin
        refused, in_pool = ffi.new("int64_t *"), ffi.new("int32_t *")
        verdict = function(*of, self._by, *rest, refused, in_pool)
        return _Verdict(int(verdict), int(refused[0]), bool(in_pool[0]))


def _vector_offsets(measure: Measure, batch: SessionBatch, begins: array[int]) -> array[int]:
    """Where vectors begin, those of queries where there is one a query."""
    if measure.metric.function != "query_sdcg":
        return begins
    k = _whole(measure.k)
    lengths = (min(int(end) - int(begin), k) for begin, end in pairwise(batch.offsets))
    return offsets_of(lengths)


def contradiction(batch: SessionBatch) -> tuple[int, int] | None:
    """Where a document of a session has another label than where it was shown first, and where
    that is; None: nowhere. The offsets must fit. Spec: RS-SES-22.
    """
    sessions = _Sessions(batch)

    def call(begin: int, end: int) -> _Verdict:
        first = ffi.new("int64_t *")
        position = lib.rs_contradiction(sessions.sessions(begin), end - begin, first)
        return _Verdict(int(position), int(first[0]), in_pool=False)

    for verdict in _in_threads(call, sessions.n, sessions.size):
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
    lists, pools = _flat(batch.labels, offsets), _flat(batch.pool, batch.pool_offsets)
    to = ffi.from_buffer("uint8_t[]", flags)

    def call(begin: int, end: int) -> _Verdict:
        address, form, all_offsets = lists
        of_lists = ffi.new("rs_lists *", [address, all_offsets + begin, ffi.NULL, form])
        address, form, all_offsets = pools
        first, number = (begin, end - begin) if holders is None else (0, m)
        of_pools = ffi.new("rs_lists *", [address, all_offsets + first, ffi.NULL, form])
        pool_of = ffi.NULL if holders is None else _int64s(holders) + begin
        found = lib.rs_uncovered(of_lists, end - begin, of_pools, number, pool_of, to + begin)
        return _Verdict(int(found), 0, in_pool=False)

    for verdict in _in_threads(call, n, len(batch.labels) + len(batch.pool)):
        if verdict.open == lib.RS_NO_MEMORY:
            raise MemoryError
    found, a = [], flags.find(1)
    while a >= 0:
        found.append(a if holders is None else holders[a])
        a = flags.find(1, a + 1)
    return list(dict.fromkeys(found))


def _has_vector(measure: Measure) -> bool:
    """Whether the core has the measure's vector: not where two weights may be the same, and which
    of them comes first matters (RS-NUM-23).
    """
    greatest = "ideal" in measure.metric.parameters and measure.ideal == "greatest"
    return measure.metric.function in _VECTORS and not greatest and _expressible(measure)


def _expressible_of_sessions(measure: Measure) -> bool:
    parameters = measure.metric.parameters
    if "repeats" in parameters and measure.repeats not in (0, 1):
        return False
    if measure.metric.function == "avg_nsdcg" and measure.ideal == "greatest":
        return False
    if "dcg" in parameters and measure.dcg == "mean":
        return False
    return all(_is_double(g) for g in measure.gain.table)


def _expressible(measure: Measure) -> bool:
    """Whether the core has the metric, and can hold the measure's parameters exactly."""
    metric = measure.metric
    if metric.of_sessions:
        return _expressible_of_sessions(measure)
    if not (metric.function in _CORE if metric.of is None else _has_bound(measure)):
        return False
    return _are_expressible(measure)


def _are_expressible(measure: Measure) -> bool:
    """Whether the core can hold the parameters of a metric that it has."""
    metric, parameters = measure.metric, measure.metric.parameters
    if metric.root.function == "gap":
        return len(measure.q) < MOST_GRADES and all(_is_double(q_j) for q_j in measure.q)
    if "stop" in parameters:
        table = stop_table(measure)
        return len(table) <= MOST_GRADES and all(_is_double(R) for R in table)
    if metric.binary:
        return _is_double(measure.rel) and ("p" not in parameters or _is_double(measure.p))
    if "points" in parameters:
        return all(_is_double(x) for point in measure.points or () for x in point)
    return all(_is_double(g) for g in measure.gain.table)


def _has_bound(measure: Measure) -> bool:
    """Whether the core has a bound of the metric, which is not by a paper's formula."""
    metric = measure.metric
    if metric.bound in _VARIANCES:
        return metric.root.function in _WITH_VARIANCE
    known = metric.bound in _BOUNDS and metric.root.function in _CORE_OF_BOUNDS
    return known and not by_formula(measure)


def _is_double(x: Exact) -> bool:
    try:
        return float(x) == x
    except OverflowError:
        return False


class _GainStructure:
    """rs_gain, with the table that it points to."""

    def __init__(self, gain: Gain) -> None:
        kind = {"linear": lib.RS_LINEAR, "exp2": lib.RS_EXP2, "table": lib.RS_TABLE}[gain.kind]
        self._table = ffi.new("double[]", [float(g) for g in gain.table])
        self.structure = ffi.new("rs_gain *", [self._table, len(gain.table), kind])


class _Doubles:
    """An array of doubles."""

    def __init__(self, given: Sequence[Exact]) -> None:
        self.structure = ffi.new("double[]", [float(x) for x in given])


class _PointsStructure:
    """rs_points, with the arrays that it points to."""

    def __init__(self, m: Measure) -> None:
        scores, relevance = zip(*m.points, strict=True) if m.points else ((), ())
        self._scores = ffi.new("double[]", [float(s) for s in scores])
        self._relevance = ffi.new("double[]", [float(y) for y in relevance])
        self.structure = ffi.new(
            "rs_points *",
            {
                "scores": self._scores,
                "relevance": self._relevance,
                "n": len(scores),
                "variant": VARIANT.words.index(m.variant),
                "quartiles": QUARTILES.words.index(quartiles_of(m.variant, m.quartiles)) - 1,
            },
        )


@dataclass
class _Table:
    """rs_discount, with the arrays that it points to. used: when it was asked for last."""

    depth: int
    structure: Any
    keep: tuple[Any, ...] = ()
    used: int = 0

    def size(self, discount: Discount | _Powers) -> int:
        """The bytes that it takes: its arrays, and the objects around them."""
        weights = len(discount.weights) if isinstance(discount, Discount) else 0
        arrays = sum(int(ffi.sizeof(x)) for x in self.keep)
        return BYTES_OF_A_TABLE + BYTES_OF_A_WEIGHT * weights + arrays


_tables: dict[tuple[Discount | _Powers, int], _Table] = {}
_clock = count()
_building = allocate_lock()


def _after_fork() -> None:
    """In a child there is no thread that could be building a table, whatever its parent did."""
    global _building  # noqa: PLW0603
    _building = allocate_lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _table(discount: Discount | _Powers, depth: int) -> _Table:
    """The fixed-point table of a discount, for at least the ranks 1 to depth; kept for a while."""
    key = (discount, bits_of_a_discount)
    known = _tables.get(key)
    if known is None or known.depth < depth:
        with _building:  # threads that need the same one wait for it
            known = _tables.get(key)
            if known is None or known.depth < depth:
                known = _built_table(discount, depth)
                _tables[key] = known
            known.used = next(_clock)
            _forget_tables()
    known.used = next(_clock)
    return known


def _forget_tables() -> None:
    """Keeps the tables that were used last, and no more of them than there is room for.

    Who is using one that is forgotten has it still. Called where a table is built, by one thread at
    a time.
    """
    latest = sorted(_tables.items(), key=lambda item: -item[1].used)
    taken = 0
    for a, (key, table) in enumerate(latest):
        taken += table.size(key[0])
        if a and (taken > BYTES_OF_TABLES or a >= MOST_TABLES):
            del _tables[key]


def _built_table(discount: Discount | _Powers, depth: int) -> _Table:
    structure = ffi.new("rs_discount *")
    if discount == LOG2 and bits_of_a_discount == BITS:
        lib.rs_discount_log2(structure)
        if structure.depth >= depth:
            return _Table(structure.depth, structure)
    # Longer than asked for, so that growing lists do not rebuild it each time.
    depth = max(64, 1 << depth.bit_length())
    if isinstance(discount, _Powers):
        entries, exponent, unit = powers(discount.p, depth, bits_of_a_discount)
    else:
        depth = int(min(depth, discount.depth))
        entries, exponent, unit = fixed_point(discount, depth, bits_of_a_discount)
    sums = [0, *accumulate(entries)]
    keep = (
        ffi.new("uint32_t[]", [d & 0xFFFFFFFF for d in entries]),
        ffi.new("uint64_t[]", [d >> 32 for d in entries]),
        ffi.new("uint64_t[]", [s & 0xFFFFFFFFFFFFFFFF for s in sums]),
        ffi.new("uint64_t[]", [s >> 64 for s in sums]),
    )
    structure[0] = {
        "low": keep[0],
        "high": keep[1],
        "sum_low": keep[2],
        "sum_high": keep[3],
        "depth": depth,
        "unit": unit,
        "exponent": exponent,
    }
    return _Table(depth, structure, keep)


def _type(buffer: Any) -> int:
    form = memoryview(buffer).format
    if form not in _TYPES:
        raise InputError(f"labels of the buffer format {form!r} are not supported")
    return int(_TYPES[form])


def _address(buffer: Any) -> Any:
    return ffi.from_buffer(buffer)


def _int64s(buffer: Any) -> Any:
    return ffi.from_buffer("int64_t[]", buffer)
