"""What the C core reads of a batch: structures over its buffers."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import InputError
from ..typed import Any
from .batch import Batch, SessionBatch
from .checks import check_depth, check_queries, check_ranks
from .computable import Computable
from .core import (
    Wanted,
    check_core_offsets,
    check_sizes,
    ffi,
    flat,
    int64s,
    lib,
    numbers_in,
    size_of,
)


class ListsView:
    """What the core reads of a batch, with what keeps its memory alive."""

    def __init__(self, batch: Batch) -> None:
        self.size = size_of(batch.labels)
        self.listed = check_core_offsets(batch.offsets, self.size, "offsets")
        self.pooled = self.listed
        self.n = size_of(batch.offsets) - 1
        check_sizes(self.size, starts=batch.starts, unjudged=batch.unjudged)
        self.tied, self.fits = batch.starts is not None, True  # fits: the core can take them
        self._labels: Any = flat(batch.labels, batch.offsets)
        self._pool: Any = self._labels
        self._starts, self._unjudged = _flags(batch.starts), _flags(batch.unjudged)
        if batch.pool is not None:
            self._take_pools(batch, "lists")

    def _take_pools(self, batch: Batch, of: str) -> None:
        pooled = size_of(batch.pool)
        self.pooled = check_core_offsets(batch.pool_offsets, pooled, "judged_offsets")
        given = size_of(batch.pool_offsets) - 1
        if given != self.n:
            raise InputError(f"judged: there are {given} pools for {self.n} {of}")
        self.size += pooled
        self._pool = flat(batch.pool, batch.pool_offsets)

    def check(self, measure: Computable) -> None:
        """An InputError where the measure has not all that it needs."""
        check_depth(measure, measure.deepest_rank(self.listed, self.pooled))

    def wanted(self, measures: Sequence[Computable], cutoffs: list[int]) -> Wanted:
        """Measures at rising cut-offs, taken of these."""
        return Wanted(measures, cutoffs, self.listed, self.pooled, self.tied)

    def structures(self, begin: int) -> tuple[Any, Any]:
        """The lists and the pools from list `begin` on; the same structure if they are the same."""
        address, form, offsets = self._labels
        size = ffi.sizeof("rs_lists")
        known = [address, offsets + begin, self._starts, form, size, self._unjudged]
        lists = ffi.new("rs_lists *", known)
        if self._pool is self._labels:
            return lists, lists
        address, form, offsets = self._pool
        return lists, ffi.new("rs_lists *", [address, offsets + begin, ffi.NULL, form])

    def values(self, *given: Any) -> int:
        """The core's values of these: of lists begin to end, and so on."""
        return int(lib.rs_values(*given))


def _flags(buffer: Any) -> Any:
    """A flag for each label, or NULL."""
    return ffi.NULL if buffer is None else numbers_in(buffer, "uint8_t[]")


class SessionsView(ListsView):
    """The same of sessions."""

    def __init__(self, batch: SessionBatch) -> None:
        self.size, self.tied = size_of(batch.labels), False
        queries = size_of(batch.offsets) - 1
        lists = check_core_offsets(batch.offsets, self.size, "offsets")
        most = check_core_offsets(batch.sessions, queries, "sessions", "queries")
        self.listed, self.queries, self.n = lists, most, size_of(batch.sessions) - 1
        check_sizes(self.size, ids=batch.documents)
        self._batch = batch
        self._labels = flat(batch.labels, batch.offsets)
        self._sessions = int64s(batch.sessions)
        self._documents = ffi.NULL if batch.documents is None else int64s(batch.documents)
        self._pool = None
        address, form, offsets = self._labels
        self._lists = ffi.new("rs_lists *", [address, offsets, ffi.NULL, form])
        self.longest = int(lib.rs_longest_session(self.sessions(0), self.n))
        self.pooled, self.fits = self.longest, self.longest <= lib.RS_LONGEST
        if batch.pool is not None:
            self._take_pools(batch, "sessions")

    def check(self, measure: Computable) -> None:
        pooled = self.pooled if measure.reads_pool else 0  # else X is of the lists alone
        check_depth(measure, measure.deepest_rank(self.listed, pooled))
        check_queries(measure, self._batch, self.queries)
        if measure.averages_vector:
            self.check_ranks(measure)

    def check_ranks(self, measure: Computable) -> None:
        check_ranks(measure, self._batch, self.queries, (self.listed, self.pooled))

    def wanted(self, measures: Sequence[Computable], cutoffs: list[int]) -> Wanted:
        return Wanted(measures, cutoffs, self.listed, self.pooled, queries=self.queries)

    def structures(self, begin: int) -> tuple[Any, Any]:
        """The sessions and the pools from session `begin` on; no pools: each is its own."""
        if self._pool is None:
            return self.sessions(begin), ffi.NULL
        address, form, offsets = self._pool
        pools = ffi.new("rs_lists *", [address, offsets + begin, ffi.NULL, form])
        return self.sessions(begin), pools

    def values(self, *given: Any) -> int:
        return int(lib.rs_values_of_sessions(*given))

    def sessions(self, begin: int) -> Any:
        return ffi.new("rs_sessions *", [self._lists, self._sessions + begin, self._documents])


def view_of(batch: Batch) -> ListsView:
    """A view of the lists, or of the sessions, of a batch."""
    return SessionsView(batch) if isinstance(batch, SessionBatch) else ListsView(batch)
