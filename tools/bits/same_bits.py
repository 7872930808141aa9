"""Whether the C core gives the same bits by other compilers and on other processors.

    apt-get install clang qemu-user-static && pip install ziglang && python tools/bits/same_bits.py
    python tools/bits/same_bits.py --only gcc-O2 s390x        of these alone

The test vectors that the core computes, and rankings by lot in every metric, are asked of the core
that is installed. Each call is recorded, with the bits of its values, or how it was refused. A
program in C (replay.c) that is built of csrc/ alone makes the same calls and compares: by gcc and
clang at every level of optimisation, and by zig for aarch64, riscv64, s390x (whose bytes stand the
other way round) and wasm32, run by qemu and by node. What is missing is named, and is an error.
"""

from __future__ import annotations

import argparse
import platform
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import warnings
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import rankspec
from rankspec.analysis.cases import numbers
from rankspec.analysis.conformance.questions import Question, measures_of, value
from rankspec.compute import by_core
from rankspec.compute.core import ffi
from rankspec.compute.views import ListsView, SessionsView
from rankspec.metrics.catalogue import METRICS

HERE = Path(__file__).resolve().parent
CSRC = HERE.parents[1] / "csrc"
FLAGS = ["-std=c11", "-w", "-fno-fast-math", "-ffp-contract=off"]  # as build_ext.py, and no more

LEVELS = {
    "O0": ["-O0"],
    "O2": ["-O2"],
    "O3-native": ["-O3", "-march=native"],
    "Ofast": ["-Ofast"],
    "O2-lto": ["-O2", "-flto"],
}
PATHS = {
    "gcc-plain": ["-O2", "-DRS_NO_CLONES"],
    "gcc-avx2": ["-O2", "-DRS_NO_CLONES", "-mavx2"],
}
"""What the core has for older x86 processors: all others choose the code for the one at hand."""

MACHINES = {
    "aarch64": ("aarch64-linux-musl", ["qemu-aarch64-static"]),
    "riscv64": ("riscv64-linux-musl", ["qemu-riscv64-static"]),
    "s390x": ("s390x-linux-musl", ["qemu-s390x-static"]),
    "wasm32": ("wasm32-wasi", ["node", "--no-warnings", str(HERE / "wasi.mjs")]),
}


# ---- to record -----------------------------------------------------------------------------------


@dataclass
class Recorder:
    """The calls of the core, as replay.c reads them."""

    name: str = ""
    calls: list[str] = field(default_factory=list)
    arrays: dict[tuple[int, bytes], int] = field(default_factory=dict)

    def array(self, pointer: Any, n: int, size: int = 0) -> str:
        """The place of an array of n elements, which is kept once."""
        if pointer == ffi.NULL:
            return "0"
        size = size or ffi.sizeof(ffi.typeof(pointer).item)
        content = bytes(ffi.buffer(ffi.cast("char *", pointer), n * size))
        return f"{self.arrays.setdefault((size, content), len(self.arrays) + 1):x}"

    def lists(self, x: Any, n: int) -> str:
        if x == ffi.NULL:
            return "0"
        size = (1, 1, 2, 2, 4, 4, 8, 4, 8)[x.type]
        labels, flags = x.offsets[n], (x.starts, x.unjudged if x.size else ffi.NULL)
        arrays = [self.array(x.labels, labels, size), self.array(x.offsets, n + 1)]
        return words(1, *arrays, *(self.array(flag, labels) for flag in flags), x.type)

    def gain(self, x: Any) -> str:
        return "0" if x == ffi.NULL else words(1, self.array(x.table, x.size), x.size, x.kind)

    def discount(self, x: Any) -> str:
        if x == ffi.NULL:
            return "0"
        arrays = [self.array(x.low, x.depth), self.array(x.high, x.depth)]
        arrays += [self.array(x.sum_low, x.depth + 1), self.array(x.sum_high, x.depth + 1)]
        return words(1, *arrays, x.depth, x.unit, x.exponent)

    def points(self, x: Any) -> str:
        if x == ffi.NULL:
            return "0"
        arrays = [self.array(x.scores, x.n), self.array(x.relevance, x.n)]
        return words(1, *arrays, x.n, x.variant, x.quartiles)

    def measure(self, x: Any) -> str:
        return words(
            *(x.metric, x.bound, x.worst, self.array(x.k, x.nk), x.nk, self.array(x.k_ideal, x.nk)),
            *(self.gain(x.gain), self.discount(x.discount), self.discount(x.weights)),
            *(self.points(x.points), self.array(x.q, x.n_q), x.n_q, bits(x.theta), bits(x.p)),
            *(x.padding, x.norm, x.ideal, x.z, x.over, x.first),
        )

    def call(self, shown: Any, pools: Any, n: int, asked: Sequence[Any]) -> str:
        """A call, but for what it gives."""
        of_sessions = ffi.typeof(shown) is ffi.typeof("rs_sessions *")
        lists, sessions = (shown.lists, shown.sessions) if of_sessions else (shown, ffi.NULL)
        of_lists = sessions[n] if of_sessions else n
        documents = shown.documents if of_sessions else ffi.NULL
        return words(
            *(self.name, of_sessions, n, len(asked)),
            *(self.lists(lists, of_lists), "2" if pools == lists else self.lists(pools, n)),
            self.array(sessions, n + 1),
            self.array(documents, lists.offsets[of_lists]),
            *(self.measure(x) for x in asked),
        )

    def result(self, open_: int, n: int, asked: Sequence[Any], to: Any, trouble: Any) -> str:
        if open_ < 0:
            return words(open_, trouble.position, trouble.in_pool)
        cells = [
            words(undecided, 0 if undecided else bits(to[i].out[a]))
            for i, x in enumerate(asked)
            for a in range(n * x.nk)
            for undecided in [to[i].undecided[a]]
        ]
        return words(open_, *cells)

    def text(self) -> str:
        """All calls, for replay.c."""
        letters = {1: "B", 2: "H", 4: "I", 8: "Q"}
        arrays = [
            words(len(content) // size, size, *array(letters[size], content))
            for size, content in self.arrays
        ]
        return "\n".join([words(len(arrays)), *arrays, *self.calls, "end"])


def words(*parts: int | str) -> str:
    """Numbers as hexadecimal ones of 64 bits, and words as they are."""
    return " ".join(x if isinstance(x, str) else f"{int(x) & (1 << 64) - 1:x}" for x in parts)


def bits(x: float) -> int:
    return int.from_bytes(struct.pack(">d", x), "big")


@contextmanager
def recording(recorder: Recorder) -> Iterator[None]:
    """Has each call of the core for values recorded."""

    def recorded(values: Any) -> Any:
        def call(view: Any, *given: Any) -> int:
            shown, pools, n, structures, m, to, trouble = given
            asked = [structures[i] for i in range(m)]
            if recorder.name == "":
                return int(values(view, *given))
            made = recorder.call(shown, pools, n, asked)
            found = int(values(view, *given))
            recorder.calls.append(f"{made} {recorder.result(found, n, asked, to, trouble)}")
            return found

        return call

    with ExitStack() as stack:
        for view in (ListsView, SessionsView):
            stack.enter_context(mock.patch.object(view, "values", recorded(view.values)))
        stack.enter_context(mock.patch.object(by_core, "_at_once", return_value=None))
        # What the core leaves undecided is recorded as such; its value is not needed.
        stack.enter_context(mock.patch.object(by_core, "value_by_reference", return_value=1.0))
        yield


def ask(case: Mapping[str, Any]) -> None:
    """Has the core compute a case: rankings as batches of one, the way that is recorded."""
    measure, given = case["measure"], case["input"]
    if "conventions" in case or "labels" not in given:
        value(Question(measure, given, case.get("conventions"), profile=case.get("profile")), "c")
        return
    named = ("judged", "scores", "ids", "unjudged")
    arguments: dict[str, Any] = {name: [numbers(given[name])] for name in named if name in given}
    arguments |= {"check": False} if "judged" in given else {}
    arguments |= {"ties": given["ties"]} if "ties" in given else {}
    for m in measures_of(measure):
        m.of([numbers(given["labels"])], backend="c", **arguments)


def by_lot(metric: Any, lot: random.Random) -> None:
    """Has the core compute a metric of rankings by lot: short and long, graded or not, tied."""
    lengths = [lot.choice((0, 1, 2, 3, 7, 8, 9, 31, 64, 100, 257)) for _ in range(60)]
    for highest, parts, scored in ((1, 1, 0), (4, 1, 0), (4, 1, 1), (4, 8, 0)):

        def label(highest: int = highest * parts, parts: int = parts) -> float:
            return lot.randint(0, highest) / parts if parts > 1 else lot.randint(0, highest)

        labels = [[label() for _ in range(n)] for n in lengths]
        judged = [[*row, *(label() for _ in range(5))] for row in labels]
        scores = [[lot.randint(0, 9) for _ in row] for row in labels]
        more = {"scores": scores} if scored else {}
        for parameters in ({}, {"k": 10}):
            with suppress(rankspec.InputError, TypeError):  # a metric without a cut-off, or a pool
                metric(**parameters).of(labels, judged=judged, backend="c", **more)


def recorded_calls() -> str:
    """The calls for all vectors, and by lot."""
    recorder, lot = Recorder(), random.Random(20100)  # noqa: S311 - nothing is secret
    with recording(recorder), warnings.catch_warnings():
        warnings.simplefilter("ignore", rankspec.InputWarning)  # a case may be about one
        for case in rankspec.vectors("all"):
            recorder.name = case["id"]
            with suppress(rankspec.InputError):
                ask(case)
        for metric in METRICS:
            recorder.name = f"by-lot-{metric.name}"
            if metric.core is not None and metric.core.values is not None:
                by_lot(getattr(rankspec, metric.name), lot)
    return recorder.text()


# ---- to replay -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Build:
    """How replay.c is compiled, and what runs it."""

    compiler: tuple[str, ...]
    by: tuple[str, ...] = ()


def builds() -> dict[str, Build]:
    """All that are asked, by their names."""
    here = {
        f"{cc}-{level}": Build((cc, *flags))
        for cc in ("gcc", "clang")
        for level, flags in LEVELS.items()
    }
    if platform.machine() == "x86_64":
        here |= {name: Build(("gcc", *flags)) for name, flags in PATHS.items()}
    for name, (target, by) in MACHINES.items():
        zig = (sys.executable, "-m", "ziglang", "cc", "-target", target, "-g0")
        here[name] = Build((*zig, "-O2", "-fno-sanitize=all"), tuple(by))
    return here


def replayed(build: Build, calls: Path, folder: Path) -> str:
    """What replay.c says, or what is missing or fails."""
    program = folder / "replay"
    for command in (build.compiler[0], *build.by[:1]):
        if shutil.which(command) is None:
            return f"failed: there is no {command} here"
    sources = [str(HERE / "replay.c"), str(CSRC / "core.c")]
    made = subprocess.run(
        [*build.compiler, *FLAGS, *sources, "-o", str(program), "-lm"],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode:
        return f"failed to compile: {made.stderr.strip()[-2000:]}"
    with calls.open("rb") as given:
        done = subprocess.run(
            [*build.by, str(program)], stdin=given, capture_output=True, text=True, check=False
        )
    said = done.stdout.strip() or done.stderr.strip()
    return said if done.returncode == 0 else f"failed: {said}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument(
        "--only", nargs="+", choices=builds(), default=list(builds()), metavar="BUILD"
    )
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        calls = Path(name, "calls")
        calls.write_text(recorded_calls(), encoding="ascii")
        for build in args.only:
            said = replayed(builds()[build], calls, Path(name))
            failed += said.startswith("failed")
            print(f"{build:16} {said}", flush=True)
    print(f"{len(args.only) - failed} builds give the same bits, {failed} do not")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
