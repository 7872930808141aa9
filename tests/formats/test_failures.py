"""What hardly ever fails, failing: memory, threads, a locale. And ranks of many digits."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankspec as rs
from rankspec.analysis.check.report import check
from rankspec.compute import by_core, core, views
from rankspec.evaluation import joined
from rankspec.formats import blocks

COMPILER = shutil.which("cc") or shutil.which("gcc")
QRELS = {"q": {"a": 1, "b": 0}}
NOT_PLAIN = {"q": {"a": True, "b": 2.0}}  # plain dicts are joined elsewhere
QRELS_FILE, RUN_FILE = b"q 0 a 1\nq 0 b 0\n", b"q Q0 a 1 1 t\nq Q0 b 2 2 t\n"


def of_files(run: bytes = RUN_FILE) -> Any:
    return rs.evaluate(io.BytesIO(QRELS_FILE), io.BytesIO(run), ["nDCG"])


# ---- memory ------------------------------------------------------------------------------


class WithoutMemory:
    """The core, but that functions find no memory."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __getattr__(self, name: str) -> Any:
        if name in self._names:
            return lambda *_: native_lib.RS_NO_MEMORY
        return getattr(native_lib, name)


native_lib = core.lib
SESSION = [[1, 2], [0, 1]]
SCATTERED = b"q Q0 a 1 1 t\nr Q0 a 1 1 t\nq Q0 b 2 2 t\n"
FAILING: dict[str, Callable[[], Any]] = {
    "rs_order": lambda: rs.ndcg((1, 2), scores=(1, 2)),
    "rs_first": lambda: rs.ndcg((1, 2), scores=(1, 2), k=1),
    "rs_relevance": lambda: rs.relevance([1, 2, 3]),
    "rs_values": lambda: rs.UL2(rs.DCG()).of((1, 0)),
    "rs_values_of_sessions": lambda: rs.nsdcg(SESSION),
    "rs_session_vectors": lambda: rs.nsdcg_vector(SESSION),
    "rs_contradiction": lambda: rs.nsdcg(SESSION, ids=[[1, 2], [3, 1]]),
    "rs_read_qrels": of_files,
    "rs_index": of_files,
    "rs_read_run": of_files,
    "rs_rank": lambda: rs.evaluate(QRELS, NOT_PLAIN, "nDCG"),
    "rs_tally": lambda: of_files(SCATTERED),
    "rs_group": lambda: of_files(SCATTERED),
}


@pytest.mark.parametrize("function", FAILING)
def test_no_memory_is_a_memory_error(function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    FAILING[function]()  # which is well otherwise
    without = WithoutMemory(function)
    for module in (core, views, by_core):
        monkeypatch.setattr(module, "lib", without)
    monkeypatch.setattr(joined, "lib", without)
    with pytest.raises(MemoryError):
        FAILING[function]()


def test_no_memory_for_values_is_a_memory_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each metric, and of one thread of several."""

    monkeypatch.setattr(views, "lib", WithoutMemory("rs_values"))
    for name in ("cg", "dcg", "ndcg", "lndcg", "ap", "rr", "err", "rbp", "dcg_phi", "gap"):
        options = {"q": [1]} if name == "gap" else {}
        with pytest.raises(MemoryError):
            getattr(rs, name)((1, 0), **options)
    with pytest.raises(MemoryError):
        rs.UL2(rs.DCG()).of((1, 0))
    monkeypatch.setattr(core, "LABELS_A_THREAD", 1)
    monkeypatch.setattr(core, "processors", lambda: 2)
    with pytest.raises(MemoryError):
        rs.dcg([[1, 0]] * 100)


LITTLE = """
import resource, sys
import numpy as np
import rankspec as rs
labels = np.ones(1 << 20, dtype=np.int64)
labels[0] = 1 << 40
few = np.ones(2, dtype=np.int64)  # all is imported while there is memory, that of arrays too
rs.dcg(few), rs.ndcg(few, scores=few), rs.dcg_phi(few), rs.sdcg(few.reshape(1, -1)), rs.rbp(few)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 19), used + (1 << 19)))
for call in (
    lambda: rs.dcg(labels),
    lambda: rs.ndcg(labels, scores=labels),
    lambda: rs.dcg_phi(labels),
    lambda: rs.sdcg(labels.reshape(1, -1)),
    lambda: rs.rbp(labels, p=0.123),
):
    try:
        call()
    except MemoryError:
        print("MemoryError")
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.slow
def test_a_process_without_memory_says_so() -> None:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", LITTLE], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["MemoryError"] * 5


# ---- threads -----------------------------------------------------------------------------


@pytest.mark.parametrize("started", [0, 1])
@pytest.mark.parametrize("error", [RuntimeError("can't start new thread"), MemoryError()])
def test_fewer_threads_give_the_same(
    started: int, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = np.arange(3000).reshape(300, 10) % 4
    expected = rs.ndcg(labels).tolist()
    left = iter(range(started))
    start = core.start_new_thread

    def failing(work: Any, arguments: Any) -> Any:
        if next(left, None) is None:
            raise error
        return start(work, arguments)

    monkeypatch.setattr(core, "start_new_thread", failing)
    monkeypatch.setattr(core, "LABELS_A_THREAD", 1)
    monkeypatch.setattr(core, "processors", lambda: 4)
    assert rs.ndcg(labels).tolist() == expected


def test_a_run_is_read_by_one_thread_where_no_other_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = b"".join(b"q%d Q0 a 1 1 t\n" % a for a in range(100))
    expected = of_files(run + RUN_FILE).per_query

    def failing(_: Any) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", failing)
    monkeypatch.setattr(joined, "processors", lambda: 4)
    monkeypatch.setattr(blocks, "BLOCK", 64)
    monkeypatch.setattr(joined, "BLOCK", 64)
    assert of_files(run + RUN_FILE).per_query == expected


# ---- the locale --------------------------------------------------------------------------

NO_LOCALE = """
#include <stddef.h>
void *newlocale(int mask, const char *locale, void *base) { return NULL; }
"""
NEEDS_A_LOCALE = """
import io
import rankspec as rs
run = b"q Q0 a 1 %s t\\n"
for score in (b"1.5", b"1.23456789012345678901234567e-300"):
    try:
        print(rs.evaluate(io.BytesIO(b"q 0 a 1\\n"), io.BytesIO(run % score), "AP")["AP"])
    except Exception as error:
        print(type(error).__name__)
try:
    phi = io.BytesIO(b"q 0 a 1.23456789012345678901234567e-300\\n")
    rs.evaluate(phi, {"q": {"a": 1.0}}, "nDCG_phi", relevance="phi")
except Exception as error:
    print(type(error).__name__)
"""


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
@pytest.mark.skipif(sys.platform != "linux", reason="needs LD_PRELOAD")
def test_a_locale_that_cannot_be_made_is_no_bad_number(tmp_path: Path) -> None:
    """There was no memory for it: the score is as good as any."""
    source, library = tmp_path / "locale.c", tmp_path / "locale.so"
    source.write_text(NO_LOCALE, encoding="utf-8")
    subprocess.run([str(COMPILER), "-shared", "-fPIC", source, "-o", library], check=True)  # noqa: S603
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", NEEDS_A_LOCALE],
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["1.0", "MemoryError", "MemoryError"], done.stderr


# ---- ranks of many digits ----------------------------------------------------------------


@pytest.mark.parametrize("digits", [17, 18, 19, 20, 40])
def test_ranks_of_any_number_of_digits_are_compared(digits: int) -> None:
    """Beyond 64 bits too, where the last digit alone tells two of them apart."""
    for sign in (1, -1):
        rank = sign * 10**digits
        for step, contradicted in ((1, 1), (0, 0), (-1, 0)):  # where the better document is
            lines = [(rank + step, 2.0, "a"), (rank, 1.0, "b")]
            run = "".join(f"q Q0 {d} {r} {s} t\n" for r, s, d in lines).encode()
            for backend in ("c", "reference"):
                report = check(io.BytesIO(b"q 0 a 1\n"), io.BytesIO(run), backend=backend)
                (found,) = [x.count for x in report.findings if x.name == "ranks"]
                assert found == contradicted, (rank, step, backend)
