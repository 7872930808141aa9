"""The same bits, whatever else is loaded: rounding and flushing to zero that others have set.

Expected values are computed before anything is set, by the same calls; that those are right is what
the other tests are about. They are compared afterwards: Python too would write 1e-310 as 0.0.
"""

from __future__ import annotations

import ctypes
import io
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankspec as rs
from rankspec.cli.main import main
from rankspec.compute import arithmetic
from rankspec.errors import CoreMissing

from ..each import each

HERE = Path(__file__).parent
CSRC = HERE.parents[1] / "csrc"
COMPILER = shutil.which("cc") or shutil.which("gcc")
needs_a_compiler = pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
STATES = ("upward", "downward", "toward zero", "flushing to zero")

TINY, SMALLER = 2e-310, 1e-310  # below the normal doubles


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The functions of arithmetic.c."""
    library = tmp_path_factory.mktemp("arithmetic") / "arithmetic.so"
    compile_ = [str(COMPILER), "-shared", "-fPIC", "-O2", str(HERE / "arithmetic.c"), "-lm"]
    subprocess.run([*compile_, "-o", str(library)], check=True)  # noqa: S603
    return ctypes.CDLL(str(library))


@contextmanager
def state(control: Any, name: str) -> Iterator[None]:
    """Another arithmetic of doubles in this thread."""
    flushing = name == "flushing to zero"
    done = control.flushing(1) if flushing else control.rounding(1 + STATES.index(name))
    assert done == 0
    try:
        yield
    finally:
        control.flushing(0)
        control.rounding(0)


QRELS = {"q": {"a": 1, "b": 0, "c": 2}, "r": {"a": 1, "b": 3}}
RUN = {"q": {"a": TINY, "b": SMALLER, "c": 0.1}, "r": {"a": -TINY, "b": -SMALLER}}
ABOVE = 1 + 2.0**-24  # halfway between two doubles of 32 bits, and a little above it
AS_FLOATS = {"q": {"a": 1 + 2.0**-30, "b": 1.0, "c": ABOVE}, "r": {"a": ABOVE, "b": ABOVE + 1e-12}}
DECIMALS = [
    "0.1",
    "0.3",
    "1e23",
    "9007199254740993",
    "9007199254740993.0000000000000001",
    "2.2250738585072011e-308",
    "1e-310",
    "2e-310",
    "4.9e-324",
    "1.7976931348623158e308",
    "3.0000000000000004440892098500626161694527",
]
QRELS_FILE = b"".join(b"q 0 d%d %d\n" % (a, a % 3) for a in range(len(DECIMALS)))
RUN_FILE = b"".join(b"q Q0 d%d 1 %b t\n" % (a, x.encode()) for a, x in enumerate(DECIMALS))
LETOR = b"".join(b"%d qid:1 1:%b\n" % (a % 3, x.encode()) for a, x in enumerate(DECIMALS))
RNG = np.random.default_rng(7)
RANDOM = RNG.random(300) * 10.0 ** RNG.integers(-320, 5, 300)
RANDOM_32 = RANDOM.astype(np.float32)
TINY_32 = np.array([1e-40, 2e-40, 1], dtype=np.float32)
THREE = 3 * TINY
MANY = RNG.integers(0, 4, 300)
LENGTHS = np.arange(0, 301, 10)


def evaluated(backend: str, run: Any = RUN, **options: Any) -> Any:
    measures = ["nDCG", "AP", "ERR", "nDCG(gain='exp2')@2", "RBP(p=0.3)"]
    found = rs.evaluate(QRELS, run, measures, backend=backend, **options)
    return found.per_query, found.mean


def of_files(backend: str) -> Any:
    files = io.BytesIO(QRELS_FILE), io.BytesIO(RUN_FILE)
    found = [
        rs.evaluate(*map(io.BytesIO, (QRELS_FILE, RUN_FILE)), ["nDCG"], backend=backend, scores=s)
        for s in ("double", "float32")
    ]
    phi = rs.evaluate(
        io.BytesIO(RUN_FILE.replace(b" Q0", b" 0").replace(b" 1 ", b" ").replace(b" t\n", b"\n")),
        files[1],
        "nDCG_phi",
        relevance="phi",
        backend=backend,
    )
    letor = rs.evaluate_letor(io.BytesIO(LETOR), "nDCG", feature=1, backend=backend)
    return [x.per_query for x in (*found, phi, letor)]


def of_arrays(backend: str) -> Any:
    by_list = {"offsets": LENGTHS, "backend": backend}
    labels = [TINY, SMALLER, 0.0, 1.0]
    return [
        rs.ndcg(MANY, k=(3, 7), **by_list).tolist(),  # RS-NUM-29 takes so many settled lists
        rs.ndcg(MANY, scores=RANDOM, **by_list).tolist(),
        rs.ndcg(MANY, scores=RANDOM_32, **by_list).tolist(),
        rs.dcg(labels, backend=backend),
        rs.dcg(labels, gain="exp2", backend=backend),
        rs.dcg(TINY_32, backend=backend),
        rs.ndcg(labels, backend=backend),
        rs.lndcg([3, 2, 0, 1], gain="exp2", backend=backend),
        rs.ap([TINY, SMALLER, 1], rel=TINY, backend=backend),
        rs.dcg([1, 0], gain=[0, SMALLER], backend=backend),
        rs.err([3, 0, 1], backend=backend),
        rs.rbp([1, 0, 1], p=0.1, backend=backend),
        rs.rbp([1, 0, 1], p=SMALLER, backend=backend),
        rs.relevance([TINY, SMALLER, THREE, 0.0, 0.3], backend=backend).tolist(),
        rs.dcg_phi([TINY, SMALLER, THREE, 0.0], backend=backend),
        rs.nsdcg([[3, 2], [TINY, 1]], backend=backend),
        rs.gap([2, 1, 0], q=[0.1, 0.3], backend=backend),
        rs.z_value(rs.DCG()).of([3, 1, 2], backend=backend),
        rs.variance(rs.DCG()).of([3, 1, 2], backend=backend),
    ]


def of_oracle() -> Any:
    found = rs.certify.dcg([TINY, 0.1], k=2)
    return found.value, found.digits, rs.mean([TINY, SMALLER, 0.1])


CALLS: dict[str, Callable[[], Any]] = {
    "dictionaries, c": lambda: evaluated("c"),
    "dictionaries, reference": lambda: evaluated("reference"),
    "float32, c": lambda: evaluated("c", AS_FLOATS, scores="float32"),
    "float32, reference": lambda: evaluated("reference", AS_FLOATS, scores="float32"),
    "best, c": lambda: evaluated("c", ties="best"),
    "files, c": lambda: of_files("c"),
    "files, reference": lambda: of_files("reference"),
    "arrays, c": lambda: of_arrays("c"),
    "arrays, reference": lambda: of_arrays("reference"),
    "oracle": of_oracle,
    "command line": lambda: main(["measures"]),
}


@needs_a_compiler
@pytest.mark.spec("RS-NUM-26", "RS-NUM-26/L1", "RS-NUM-26/L2")
def test_no_value_depends_on_what_others_have_set(control: Any, capsys: Any) -> None:
    expected = {name: call() for name, call in CALLS.items()}
    for name in STATES:
        with state(control, name):
            found = {}
            for what, call in CALLS.items():
                assert not arithmetic.is_standard(), (name, what)
                found[what] = call()
                assert not arithmetic.is_standard(), f"{what} did not give back {name}"
        for what in CALLS:
            assert repr(found[what]) == repr(expected[what]), (name, what)
    assert arithmetic.is_standard()
    capsys.readouterr()


@needs_a_compiler
@pytest.mark.spec("RS-NUM-26")
def test_the_core_sees_to_it_itself(control: Any) -> None:
    """Called by whoever it is, as the C library is."""
    from array import array

    from rankspec.compute import by_core
    from rankspec.compute.batch import Batch

    scores, labels = array("d", [TINY, SMALLER, -TINY, -SMALLER]), array("q", [0, 1, 2, 3])
    reals, offsets = array("d", [SMALLER, TINY, 0.1]), array("q", [0, 3])
    tables = [rs.DCG(), rs.DCG(gain="exp2"), rs.AP(rel=TINY), rs.RBP(p=0.1, rel=TINY)]

    def found() -> Any:
        positions, starts = by_core.order(scores, labels, array("q", [0, 4]), None, "input")
        columns = by_core.values_by_core(tables, Batch(reals, offsets))
        return list(positions), list(starts), [c.tobytes() for c in columns]

    expected = found()
    assert expected[:2] == ([0, 1, 3, 2], [1, 1, 1, 1])
    for name in STATES:
        with state(control, name):
            under = found()
        assert under == expected, name


@needs_a_compiler
@pytest.mark.spec("RS-NUM-26")
def test_a_state_is_seen(control: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert arithmetic.is_standard()
    for name in STATES:
        with state(control, name):
            seen = arithmetic.is_standard()
            flushed = TINY * 1.0 == 0.0
        assert not seen, name
        assert flushed == (name == "flushing to zero")
    monkeypatch.setitem(sys.modules, "rankspec.compute.core", None)
    with state(control, "upward"), pytest.raises((CoreMissing, ImportError)):
        rs.dcg([1, 2], backend="reference")


@pytest.mark.spec("RS-NUM-26")
def test_every_entry_point_of_the_core_that_computes_sets_its_arithmetic() -> None:
    """All that the header declares, but for those that have to do with whole numbers alone."""
    import re

    whole = [
        "check_offsets",
        "read_views",
        "group_rows",
        "free_groups",
        "bytes_of",
        "judge_rows",
        "discount_log2",
        "discount_logarithm",
        "inverse_entries",
        "sum_entries",
        "standard_arithmetic",
        "restore_arithmetic",
        "gather",
        "close_up",
        "least_and_greatest",
        "split",
        "pools",
        "find_query",
        "last_query",
        "tally",
        "collect",
        "group",
        "count_lines",
        "count_probes",
        "longest_session",
        "discount_zipf",
        "free_discount",
        "draws",  # it counts: sums of ones are exact however they are rounded
        "permuted_ranges",
        "on_pause",
    ]
    headers = [CSRC / f"{name}.h" for name in ("rankspec", "binding")]
    header = "\n".join(path.read_text(encoding="utf-8") for path in headers)
    declared = set(re.findall(r"^[a-z]\w* \*?rs_(\w+)\(", header, re.MULTILINE))
    sources = "\n".join(path.read_text(encoding="utf-8") for path in CSRC.glob("*.c"))
    first = dict(re.findall(r"^\w[\w ]*\brs_(\w+)\([^;{]*?\)\n\{\n +(.*)\n", sources, re.MULTILINE))
    assert len(declared) > 25
    for name in declared - set(whole):
        assert first[name] == "RS_STANDARD_ARITHMETIC;", name


FLAGS = {
    "-ffast-math": "-ffast-math",
    "-ffast-math -fno-fast-math": "",
    "-O3 -ffp-contract=off": "",
    "-Ofast": "-Ofast",
    "-ffinite-math-only": "finite",
    "": "",
    **({"-mfpmath=387": "-mfpmath=sse"} if "x86" in platform.machine() else {}),
}
"""{flags of a compiler: a word of the error, none where they are taken}"""


@needs_a_compiler
@pytest.mark.spec("RS-NUM-26")
@each(("flags", "word"), FLAGS.items(), ids=FLAGS, fast=3)
def test_flags_that_change_what_doubles_mean_are_refused(flags: str, word: str) -> None:
    """By the compiler, in words; those of build_ext.py, and what is harmless, are not."""
    for compiler in [x for x in (COMPILER, shutil.which("clang")) if x]:
        if flags == "-mfpmath=387" and "clang" in compiler:
            continue  # it has no such arithmetic where SSE is there
        check = [compiler, "-std=c11", "-fsyntax-only", "-x", "c", str(CSRC / "numerics.h")]
        done = subprocess.run([*check, *flags.split()], capture_output=True, text=True, check=False)  # noqa: S603
        assert (done.returncode != 0) == bool(word), (compiler, done.stderr)
        if word:
            assert "rankspec" in done.stderr, (compiler, done.stderr)
            assert word in done.stderr, (compiler, done.stderr)


@pytest.mark.spec("RS-NUM-26")
def test_the_build_takes_back_flags_of_the_environment() -> None:
    """CFLAGS="-Ofast" comes before them."""
    build = (CSRC.parent / "build_ext.py").read_text(encoding="utf-8")
    assert '"-fno-fast-math"' in build
    assert '"-ffp-contract=off"' in build
