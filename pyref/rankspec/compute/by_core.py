"""Values, vectors, relevance and order by the C core; what it leaves open the reference settles."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from ..errors import InputError
from ..records import record
from ..typed import Any
from .at_once import values_of_judged
from .batch import Batch, SessionBatch, offsets_of
from .by_reference import (
    column_by_reference,
    relevance_by_reference,
    settle_vector,
    value_by_reference,
    values_by_reference,
    vectors_by_reference,
)
from .call import MOST_GRADES, Call
from .checks import (
    check,
    check_depth,
    check_kind,
    check_labels,
    reads_lists,
    refuse,
    refuse_score,
)
from .computable import Computable, Together
from .core import (
    CallOfSome,
    Verdict,
    Wanted,
    address_of,
    argument_of,
    check_core_offsets,
    check_sizes,
    ffi,
    flat,
    in_threads,
    int64s,
    lib,
    measure_of,
    rule_of_ties,
    size_of,
    type_of,
    whole,
)
from .views import ListsView, SessionsView, view_of


def values_by_core(measures: Sequence[Computable], batch: Batch) -> list[array[float]]:
    """As backends.values(); the core takes all measures in one call, which reads the lists once."""
    if isinstance(measures, Together) and (found := _at_once(measures, batch)) is not None:
        return found
    check_kind(measures, batch)
    lists = view_of(batch)
    asked = _kept(measures, lists) if isinstance(measures, Together) else None
    groups = _groups(measures) if asked is None else asked.groups
    try:
        made = _made(groups, lists, asked)
        columns = None if made is None else _columns(measures, groups, made, batch)
    except InputError:  # of a value: what is wrong with the input comes first
        check(measures, batch)
        raise
    # Where a label is refused, the reference has the error that comes first.
    return values_by_reference(measures, batch) if columns is None else columns


def _at_once(measures: Together[Computable], batch: Batch) -> list[array[float]] | None:
    """The same of one short list of bytes whose order is settled, without views and structures;
    None: it is no such list, or is one that needs a closer look.
    """
    labels, pool = batch.labels, batch.pool
    if type(batch) is not Batch or batch.starts is not None or batch.unjudged is not None:
        return None
    if not _are_bytes(labels, batch.offsets) or not _are_bytes(pool, batch.pool_offsets):
        return None
    found = values_of_judged(measures, labels, pool)
    return None if found is None else [array("d", [x]) for x in found]


def _are_bytes(labels: Any, offsets: Any) -> bool:
    """Whether these are one list, an array of bytes."""
    is_array = type(labels) is array and labels.typecode == "B" and type(offsets) is array
    return is_array and offsets.tolist() == [0, len(labels)]


@record()
class _Group:
    """Measures that differ in their rising cut-offs alone, and which are wanted at which."""

    measures: list[Computable]
    cutoffs: list[int]
    wanted: dict[int, int]

    @property
    def base(self) -> Computable:
        return self.measures[0]


def _groups(measures: Sequence[Computable]) -> list[_Group]:
    groups = []
    for uncut in dict.fromkeys(m.uncut for m in measures):
        wanted = {
            a: whole(m.k) for a, m in enumerate(measures) if m.uncut is uncut or m.uncut == uncut
        }
        by_cutoff = {k: measures[a] for a, k in wanted.items()}
        cutoffs = sorted(by_cutoff)
        groups.append(_Group([by_cutoff[k] for k in cutoffs], cutoffs, wanted))
    return groups


class _Asked:
    """Groups of measures that the core has, as it takes them of lists and pools up to a length."""

    def __init__(self, groups: Sequence[_Group], wanted: Sequence[Wanted], longest: int) -> None:
        self.groups, self.longest, self._keep = groups, longest, wanted
        fields = [self._fields(group, x) for group, x in zip(groups, wanted, strict=True)]
        self.structures = ffi.new("rs_measure[]", fields)

    @staticmethod
    def _fields(group: _Group, wanted: Wanted) -> dict[str, Any]:
        call = group.base.core.values
        assert call is not None  # noqa: S101 - as _has() says
        return measure_of(call, wanted)


GATHERED_AT_ONCE = 1 << 23  # labels
LONGEST_KEPT = 1024  # the lists and pools for which it is kept how the core takes measures


def _kept(measures: Together[Computable], lists: ListsView) -> _Asked | None:
    """How the core takes measures of lists like these, kept with them; None: it is not kept."""
    longest = max(lists.listed, lists.pooled)
    if longest > LONGEST_KEPT or type(lists) is not ListsView:
        return None
    known: _Asked | None = measures.kept.get(lists.tied)
    if known is None or longest > known.longest:
        longest = min(max(64, 2 * longest), LONGEST_KEPT)
        known = measures.kept[lists.tied] = _prepared(measures, longest, lists.tied)
    return known if known.groups else None


def _prepared(measures: Sequence[Computable], longest: int, tied: bool) -> _Asked:
    """The same, for lists up to a length; of no group where one of them needs a closer look."""
    groups = _groups(measures)
    calls = ((group.base, group.base.core.values) for group in groups)
    try:
        if not all(call is not None and call.can_take(base) for base, call in calls):
            return _Asked([], [], LONGEST_KEPT)
        for measure in measures:
            check_depth(measure, measure.deepest_rank(longest, longest))
    except InputError:  # weights for fewer ranks
        return _Asked([], [], LONGEST_KEPT)
    wanted = [Wanted(x.measures, x.cutoffs, longest, longest, tied) for x in groups]
    return _Asked(groups, wanted, longest)


def _made(groups: Sequence[_Group], lists: ListsView, asked: _Asked | None) -> _Made | None:
    """What the core makes of the groups that it has; None: something is refused."""
    if asked is None:
        taken = [group for group in groups if _has(group, lists)]
        try:
            for group in taken:
                _check(group, lists)
        except InputError:
            return None
        asked = _asked(taken, lists)
    made = _Made(asked, lists)
    return None if any(verdict.open == lib.RS_REFUSED for verdict in made.verdicts) else made


def _columns(
    measures: Sequence[Computable], groups: Sequence[_Group], made: _Made, batch: Batch
) -> list[array[float]]:
    """The values of each measure. What is open is settled measure by measure, as the reference
    goes, so that of several errors the same one is raised.
    """
    left = [m for group in groups if not made.has(group) for m in group.measures]
    if left:
        check(left, batch)
    cells = {a: (group, k) for group in groups for a, k in group.wanted.items()}
    found: dict[tuple[int, int], array[float]] = {}  # of measures that are asked for twice
    columns = []
    for a, measure in enumerate(measures):
        group, k = cells[a]
        column = found.get((id(group), k))
        if column is None:
            if made.has(group):
                column = made.column(group, k, batch)
            else:
                column = column_by_reference(measure, batch)
            found[id(group), k] = column
        columns.append(column)
    return columns


def _asked(groups: Sequence[_Group], lists: ListsView) -> _Asked:
    wanted = [lists.wanted(group.measures, group.cutoffs) for group in groups]
    return _Asked(groups, wanted, max(lists.listed, lists.pooled))


def _has(group: _Group, lists: ListsView) -> bool:
    """Whether the core can take the measures of these lists."""
    call = group.base.core.values
    return call is not None and lists.fits and call.can_take(group.base)


def _check(group: _Group, lists: ListsView) -> None:
    """An InputError for the first cut-off that is too deep: where the last is not, none is."""
    try:
        lists.check(group.measures[-1])
    except InputError:
        for measure in group.measures:
            lists.check(measure)
        raise


class _Made:
    """What the core makes of groups of measures of all lists."""

    def __init__(self, asked: _Asked, lists: ListsView) -> None:
        self._asked, self._groups, self._lists = asked, asked.groups, lists
        self._number_of = {id(group): at for at, group in enumerate(asked.groups)}
        cells = [lists.n * len(group.cutoffs) for group in asked.groups]
        self._outs = [array("d", [0.0]) * size for size in cells]
        self._undecided = [bytearray(size) for size in cells]
        self._to = [
            (ffi.from_buffer("double[]", out), ffi.from_buffer("uint8_t[]", flags))
            for out, flags in zip(self._outs, self._undecided, strict=True)
        ]
        self.verdicts = in_threads(self._some, lists.n, lists.size) if asked.groups else []
        if any(verdict.open == lib.RS_NO_MEMORY for verdict in self.verdicts):
            raise MemoryError

    def _some(self, begin: int, end: int) -> Verdict:
        """The call of the core for lists begin to end."""
        lists, pools = self._lists.structures(begin)
        trouble = ffi.new("rs_trouble *")
        cells = [begin * len(group.cutoffs) for group in self._groups]
        to = [[out + a, flags + a] for a, (out, flags) in zip(cells, self._to, strict=True)]
        columns = ffi.new("rs_column[]", to)
        given = self._asked.structures, len(self._groups), columns, trouble
        found = self._lists.values(lists, pools, end - begin, *given)
        if found == lib.RS_MISUSED:
            raise AssertionError(f"the core does not take {self._groups[trouble.measure].base}")
        return Verdict(found, int(trouble.position), bool(trouble.in_pool))

    def has(self, group: _Group) -> bool:
        return id(group) in self._number_of

    def column(self, group: _Group, k: int, batch: Batch) -> array[float]:
        """The values of a group at a cut-off; the reference settles what is open (RS-NUM-7)."""
        at = self._number_of[id(group)]
        n, j = len(group.cutoffs), group.cutoffs.index(k)
        out, undecided = self._outs[at], self._undecided[at]
        if n > 1:
            out, undecided = out[j::n], undecided[j::n]
        a = undecided.find(1)
        while a >= 0:
            out[a] = value_by_reference(group.measures[j], batch, a)
            a = undecided.find(1, a + 1)
        return out


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
        self._sessions, self._k = sessions, whole(measure.k)
        self._wanted = sessions.wanted([measure], [self._k])
        self._measure = ffi.new("rs_measure *", measure_of(call, self._wanted))

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
        by = self._measure, self._k
        verdict = lib.rs_session_vectors(sessions, pools, end - begin, *by, *to, refused, in_pool)
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
    if of is None or not of.fits(measure):
        return relevance_by_reference(measure, scores, offsets)
    n = size_of(scores)
    check_core_offsets(offsets, n, "offsets", "scores")
    out = array("d", [0.0]) * n
    undecided = bytearray(n)
    address, form, all_offsets = flat(scores, offsets)
    wanted = Wanted([measure], [], n, n)
    points = argument_of(of, wanted)
    to = ffi.from_buffer("double[]", out), ffi.from_buffer("uint8_t[]", undecided)

    def call(begin: int, end: int) -> Verdict:
        lists = ffi.new("rs_lists *", [address, all_offsets + begin, ffi.NULL, form])
        refused = ffi.new("int64_t *")
        verdict = lib.rs_relevance(lists, end - begin, points, *to, refused)
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
        raise InputError(f'ties: "{rule}" orders by ids, which were not given')
    positions = array("q", [0]) * n
    starts = bytearray(n)
    of_labels, of_scores = flat(labels, offsets), (address_of(scores), type_of(scores))
    of_ids = ffi.NULL if ids is None else int64s(ids)
    to = ffi.from_buffer("int64_t[]", positions), ffi.from_buffer("uint8_t[]", starts)

    def call(begin: int, end: int) -> Verdict:
        address, form, all_offsets = of_labels
        lists = ffi.new("rs_lists *", [address, all_offsets + begin, ffi.NULL, form])
        refused = ffi.new("int64_t *")
        by = of_ids, rule_of_ties(rule)
        verdict = lib.rs_order(*of_scores, lists, end - begin, *by, *to, refused)
        return Verdict(int(verdict), int(refused[0]), in_pool=False)

    _over_scores(call, scores, offsets)
    return positions, starts


def first(
    scores: Any, labels: Any, offsets: Any, ids: Any, rule: str, depth: int
) -> tuple[Any, Any, Any]:
    """(labels, starts, offsets): the first items of each list in rank order, down to that rank and,
    under "expected", to the end of its tie group; where these begin; and where the lists do.

    The arguments are those of order(), whose checks have no words here.
    """
    n, lists = size_of(labels), len(offsets) - 1
    check_core_offsets(offsets, n, "offsets")
    check_sizes(n, scores=scores, ids=ids)
    given, starts = memoryview(labels), bytearray(n)
    ordered: Any = memoryview(bytearray(given.nbytes))
    ordered = ordered.cast(given.format)
    lengths, ends = array("q", [0]) * lists, array("q", [0]) * (lists + 1)
    address, of_type, begins = flat(labels, offsets)
    of_scores, of_ids = (
        (address_of(scores), type_of(scores)),
        ffi.NULL if ids is None else int64s(ids),
    )
    to = address_of(ordered), ffi.from_buffer("uint8_t[]", starts)
    of_lengths = int64s(lengths)

    def call(begin: int, end: int) -> Verdict:
        some = ffi.new("rs_lists *", [address, begins + begin, ffi.NULL, of_type])
        refused = ffi.new("int64_t *")
        by = of_ids, rule_of_ties(rule), depth
        verdict = lib.rs_first(*of_scores, some, end - begin, *by, *to, of_lengths + begin, refused)
        return Verdict(int(verdict), int(refused[0]), in_pool=False)

    _over_scores(call, scores, offsets)
    lib.rs_close_up(to[0], of_type, to[1], begins, of_lengths, lists, int64s(ends))
    return ordered[: ends[-1]], memoryview(starts)[: ends[-1]], ends


def small_labels(labels: Any) -> range | None:
    """A range from 0 to at most 255 that holds all labels, which are whole by type; None: none
    does.
    """
    ends = ffi.new("int64_t[2]")
    n = size_of(labels)
    if not lib.rs_least_and_greatest(address_of(labels), type_of(labels), n, ends):
        return None
    return range(ends[1] + 1) if 0 <= ends[0] <= ends[1] < MOST_GRADES else None


def gather(labels: Any, positions: Any) -> Any:
    """The labels in the order of the positions, as a buffer of the same format."""
    ordered = array(memoryview(labels).format, bytes(memoryview(labels).nbytes))
    check_sizes(size_of(labels), positions=positions)
    to, size = ffi.cast("char *", address_of(ordered)), ordered.itemsize
    for begin in range(0, len(positions), GATHERED_AT_ONCE):  # Ctrl-C counts between them
        lib.rs_gather(
            address_of(labels),
            type_of(labels),
            int64s(positions) + begin,
            min(GATHERED_AT_ONCE, len(positions) - begin),
            to + begin * size,
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
