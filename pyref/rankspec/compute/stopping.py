"""Ctrl-C ends long calls of the C core, as it ends Python.

Python answers a signal between two steps of the main thread, and a call of the core is one step.
So the core asks a function of Python now and then (``rs_on_pause``). If a handler raises there, the
call ends at once, what it was to write is dropped, and the exception is raised where the call was
made. Threads that work for a call which has ended so are told by :func:`stop`.
"""

from __future__ import annotations

from _thread import get_ident
from collections.abc import Callable

from ..typed import Any

LONG_CALLS = frozenset(
    (
        "rs_contradiction",
        "rs_discount_logarithm",
        "rs_discount_zipf",
        "rs_draws",
        "rs_first",
        "rs_group",
        "rs_group_rows",
        "rs_index",
        "rs_inverse_entries",
        "rs_judge_rows",
        "rs_order",
        "rs_permuted_ranges",
        "rs_rank",
        "rs_rank_rows",
        "rs_read_qrels",
        "rs_read_run",
        "rs_relevance",
        "rs_session_vectors",
        "rs_sum_entries",
        "rs_uncovered",
        "rs_values",
        "rs_values_of_sessions",
    )
)

_raised: dict[int, BaseException] = {}  # by a handler of a signal, in which thread
_stopped: set[int] = set()  # threads


class Stopped(BaseException):
    """A call of the core has ended as its thread was told to stop."""


def stop(threads: set[int]) -> None:
    """End the calls that some threads are in, and those that they begin, until forget()."""
    _stopped.update(threads)


def forget(thread: int) -> None:
    """Let a thread call again; its number may be that of another one later."""
    _stopped.discard(thread)


def stop_all(threads: set[int]) -> None:
    """Stop threads, each of which leaves the set when it has ended, and wait for that."""
    from time import sleep

    told: set[int] = set()
    while threads:  # they read what the caller may free
        told |= threads
        stop(told)
        sleep(0.001)
    for thread in told:
        forget(thread)


class Library:
    """The functions and constants of the C core; calls that may take long can be stopped."""

    def __init__(self, ffi: Any, lib: Any) -> None:
        self._lib = lib

        ffi.def_extern("rs_asked_by_core", error=1, onerror=_keep)(_is_stopped)
        lib.rs_on_pause(lib.rs_asked_by_core)

    def __getattr__(self, name: str) -> Any:
        known = getattr(self._lib, name)
        if name in LONG_CALLS:
            known = _stoppable(known)
        setattr(self, name, known)  # the next time it is there
        return known


def _is_stopped() -> int:
    """Return 1 where the call of this thread is to stop; so does an exception."""
    return get_ident() in _stopped


def _keep(kind: Any, error: BaseException, traceback: Any) -> None:  # noqa: ARG001
    """Keep what a handler of a signal raised, which cannot pass through the core."""
    _raised[get_ident()] = error


def _stoppable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of the core that raises what its call was stopped by."""

    def call(*args: Any) -> Any:
        answer = function(*args)
        if _raised and (error := _raised.pop(get_ident(), None)) is not None:
            try:
                raise error
            finally:
                del error  # or its traceback would hold it, and all buffers of the call
        if _stopped and get_ident() in _stopped:
            raise Stopped
        return answer

    return call
