"""Ctrl-C ends a long call of the core: soon, and without harm to what comes after."""

from __future__ import annotations

import re
import subprocess
import sys
from _thread import get_ident
from array import array
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankspec as rs
from rankspec.compute import by_core, core, stopping
from rankspec.compute.batch import Batch, SessionBatch

MANY = 1 << 23  # labels, whose sort takes the core many times as long as it goes without asking
CSRC = Path(__file__).parents[2] / "csrc"

INTERRUPTED = """
import os, signal, sys, threading, time
import numpy as np
import rankspec as rs

labels = np.tile(np.array([0, 3, 1, 0, 2, 0, 0, 1], np.uint8), 750_000)
lists = labels.reshape(-1, 100)
calls = {
    "a table": lambda: rs.dcg(labels),
    "a long list": lambda: rs.ndcg_phi(labels),
    "a sort": lambda: rs.ap(labels, scores=scores),
    "many lists": lambda: rs.ndcg_phi(lists),
    "dicts": lambda: rs.evaluate(judged, ranked, "AP"),
}
if sys.argv[1] == "a sort":
    scores = np.random.default_rng(1).random(labels.size)
if sys.argv[1] == "dicts":
    judged = {"q": {str(a): 1 for a in range(200_000)}}
    ranked = {"q": {str(a): a / 7 for a in range(200_000)}}
call = calls[sys.argv[1]]
began = []

def interrupt():
    while not began:
        time.sleep(0.001)
    time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
try:
    began.append(True)
    while True:
        call()
except KeyboardInterrupt:
    print(rs.ndcg([1, 2, 3]) == rs.ndcg([1, 2, 3], backend="reference"))
"""


@pytest.mark.slow(but=2)
@pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGINT for one process")
@pytest.mark.spec("RS-CONV-29/L5")
@pytest.mark.parametrize("call", ["a table", "a long list", "a sort", "many lists", "dicts"])
def test_ctrl_c_ends_a_call(call: str) -> None:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", INTERRUPTED, call],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "True\n", done.stderr[-2000:]


@pytest.fixture
def told_to_stop() -> Iterator[None]:
    """The calls of this thread end where the core asks first."""
    stopping.stop({get_ident()})
    yield
    stopping.forget(get_ident())


def long_lists(kind: str = "B") -> tuple[array[Any], array[int]]:
    return array(kind, [1, 3, 0, 2, 0, 1, 0, 0]) * (MANY // 8), array("q", [0, MANY])


def order() -> Any:
    labels, offsets = long_lists()
    scores = np.random.default_rng(1).random(MANY)
    return by_core.order(scores, labels, offsets, None, "input")


def first() -> Any:
    labels, offsets = long_lists()
    scores = np.random.default_rng(1).random(MANY)
    return by_core.first(scores, labels, offsets, None, "best", 5)


def values_of(measure: Any) -> Callable[[], Any]:
    return lambda: by_core.values_by_core([measure], Batch(*long_lists()))


def qrels() -> Any:
    lines = BytesIO(b"q 0 d1 1\n" * (1 << 20))
    return rs.evaluate(lines, {"q": {"d1": 1.0}}, "AP", duplicates="first")


def gains() -> Any:
    labels = np.random.default_rng(1).random(1 << 20)  # so few that only their sort asks
    return by_core.values_by_core([rs.IDCG(k=10)], Batch(labels, array("q", [0, labels.size])))


def sums() -> Any:
    columns = np.zeros(MANY, np.uint32), np.zeros(MANY, np.uint64)
    sums = np.empty((2, MANY + 1), np.uint64)
    buffers = [core.ffi.from_buffer(x) for x in (*columns, *sums)]
    types = ("uint32_t *", "uint64_t *", "uint64_t *", "uint64_t *")
    low, high, *both = (core.ffi.cast(t, x) for t, x in zip(types, buffers, strict=True))
    return core.lib.rs_sum_entries(low, high, MANY, *both)


SCATTERED = b"q1 0 a 1 1 t\nq2 0 a 1 1 t\n" * (1 << 19)


def grouped() -> Any:
    return core.lib.rs_group(SCATTERED, len(SCATTERED), core.ffi.new("char[]", len(SCATTERED)))


def session() -> Any:
    labels, offsets = long_lists()
    documents = np.arange(MANY)
    return by_core.contradiction(
        SessionBatch(labels, offsets, sessions=array("q", [0, 1]), documents=documents)
    )


CALLS: dict[str, Callable[[], Any]] = {
    "order": order,
    "first": first,
    "nDCG_phi": values_of(rs.nDCG_phi()),
    "ERR": values_of(rs.ERR(max=3)),
    "LNDCG": values_of(rs.LNDCG()),
    "qrels": qrels,
    "GAP": values_of(rs.GAP()),
    "gains that are sorted": gains,
    "a table of discounts": lambda: core._built_table(core.LOG2, 1 << 20),
    "a table of inverses": lambda: core._built_table(core.ZIPF, MANY),
    "sums of a table": sums,
    "a session": session,
    "lines that are grouped": grouped,
}


@pytest.mark.parametrize("name", list(CALLS))
@pytest.mark.usefixtures("told_to_stop")
def test_the_core_asks_whether_to_stop(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The core itself says that it was stopped: it has not done all of its work."""
    monkeypatch.setenv("RANKSPEC_THREADS", "1")
    said: list[int] = []

    def noting(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            said.append(function(*args))
            if said[-1] == core.lib.RS_STOPPED:
                raise stopping.Stopped
            return said[-1]

        return call

    for function in stopping.LONG_CALLS:
        monkeypatch.setattr(core.lib, function, noting(getattr(core._lib, function)))
    with pytest.raises(stopping.Stopped):
        CALLS[name]()
    assert said[-1] == core.lib.RS_STOPPED


class Asked(set[int]):
    """Threads that are to stop: none. Counts how often the core asks for one."""

    times = 0

    def __contains__(self, thread: object) -> bool:
        self.times += 1
        return False


def times_asked(monkeypatch: pytest.MonkeyPatch, call: Callable[[], Any]) -> int:
    asked = Asked()
    monkeypatch.setenv("RANKSPEC_THREADS", "1")
    monkeypatch.setattr(stopping, "_stopped", asked)
    call()
    return asked.times


@pytest.mark.slow
def test_the_sort_of_one_query_asks_in_each_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """All its documents are tied, and their ids are what is sorted: 16 passes, two of which are
    more work than there is between two questions."""
    n = 1 << 20
    run = BytesIO(b"q Q0 %d 1 7 t\n" * n % tuple((np.arange(n) * 7919 % n).tolist()))
    asked = times_asked(
        monkeypatch, lambda: rs.evaluate({"q": {"1": 1}}, run, "RR", ties="id-descending")
    )
    assert asked >= 8


@pytest.mark.slow
def test_a_dict_of_more_documents_than_are_sorted_at_once_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = {str(a): 1.0 for a in range((1 << 22) + 1)}
    assert times_asked(monkeypatch, lambda: rs.evaluate({"q": {"1": 1}}, {"q": run}, "RR")) > 10


def test_what_can_be_stopped_is_known() -> None:
    """Each function of the core that asks is one whose answer the binding looks at."""
    asking = set()
    for path in CSRC.glob("*.c"):
        for function in re.split(r"\n}\n", path.read_text(encoding="utf-8")):
            if "RS_STOPPABLE" in function:
                asking |= set(re.findall(r"\n(?:static )?(?:int64_t|void) (\w+)\(", function)[-1:])
    asking.remove("values_of_many")  # which is called by rs_values()
    assert asking | {"rs_values"} == stopping.LONG_CALLS


def test_an_exception_of_a_thread_that_was_stopped_is_not_kept() -> None:
    assert rs.ndcg([1, 2]) == rs.ndcg([1, 2], backend="reference")
    assert not stopping._raised
    assert not stopping._stopped


@pytest.mark.slow(but=3)
@pytest.mark.parametrize("kind", ["falling", "random", "few", "rising", "equal", "a pipe"])
def test_the_gains_of_a_long_pool_are_sorted(kind: str) -> None:
    """The ideal DCG of more gains than are sorted at once is the DCG in the order of NumPy."""
    n = (1 << 20) + 7
    rising = np.arange(n) / 8 + 0.25
    labels = {
        "random": lambda: np.random.default_rng(1).random(n),
        "rising": lambda: rising,
        "falling": rising[::-1].copy,
        "equal": lambda: np.full(n, 0.5),
        "few": lambda: np.random.default_rng(1).integers(0, 3, n) + 0.5,
        "a pipe": lambda: np.minimum(rising, rising[::-1]),
    }[kind]()
    best = np.sort(labels)[::-1].copy()
    assert rs.idcg(labels, gain="linear") == rs.dcg(best, gain="linear")


COLLECTED = """
import gc, signal, sys
from _thread import get_ident
import numpy as np
import rankspec as rs
from rankspec.compute import stopping

labels, scores = np.zeros(1 << 22, np.uint8), np.random.default_rng(1).random(1 << 22)

class Kept:
    pass

def interrupted():
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        while True:
            rs.ndcg(labels, scores=scores, k=10)
    except KeyboardInterrupt:
        pass

def stopped(labels, scores):
    stopping.stop({get_ident()})
    try:
        rs.ndcg(labels, scores=scores, k=10)
    except stopping.Stopped as error:
        kept = Kept()  # younger than what the call holds, which is cleared before it
        kept.itself, kept.error = kept, error
    stopping.forget(get_ident())

rs.ndcg([1, 2])
gc.disable()
signal.signal(signal.SIGALRM, signal.default_int_handler)
before = sys.getrefcount(labels), sys.getrefcount(scores)
interrupted()
assert (sys.getrefcount(labels), sys.getrefcount(scores)) == before
for given in [(labels, scores), (memoryview(labels), memoryview(scores))] * 2:
    stopped(*given)
    gc.collect()
print(rs.ndcg([1, 2, 3]) == rs.ndcg([1, 2, 3], backend="reference"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it has no timers of signals")
@pytest.mark.spec("RS-CONV-29/L2")
def test_what_a_stopped_call_held_is_freed_or_can_be_collected() -> None:
    """Nothing holds it when the exception is gone. If a caller keeps that in a cycle, the collector
    of garbage clears what the call held in any order.
    """
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", COLLECTED], check=False, capture_output=True, text=True, timeout=120
    )
    assert (done.stdout, done.returncode) == ("True\n", 0), done.stderr[-2000:]
