"""The lines that each test file executes, as measured: by coverage in Python, by gcov in C."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from .places import Mutant
from .tree import Tree

FOLDERS = ("pyref/", "csrc/", "spec/vectors/", "tests/")  # what decides which lines a test reaches
SECONDS = 1200.0  # in which a test file must end, while its lines are counted
# Processes that tests start are measured too: coverage begins in each that has its variable.
SETTINGS = """\
[run]
parallel = true
data_file = {data}
source = {package}
concurrency = multiprocessing, thread
sigterm = true
patch = _exit
disable_warnings = no-data-collected, module-not-imported, module-not-measured
"""


@dataclass(frozen=True)
class Reach:
    """The lines that a test file executes in the fast lane.

    seconds: of the measurement, some two or three times those of a mere run
    compiles: True where it compiles the sources of the core itself, so that all of C counts
    failing: its tests that fail without a mutation, in a copy: they can tell nothing
    """

    test: str
    key: str
    seconds: float
    compiles: bool
    failing: Sequence[str]
    lines: Mapping[str, Sequence[int]]

    def reaches(self, mutant: Mutant) -> bool:
        if self.compiles and mutant.file.startswith("csrc/"):
            return True
        lines = self.lines.get(mutant.file, ())
        return any(mutant.first <= line <= mutant.line for line in lines)


def reaching(reaches: Sequence[Reach], mutant: Mutant) -> list[Reach]:
    """Return the test files that execute a mutant: those of its name first, then the quickest."""
    file = Path(mutant.file)
    name = file.parent.name if file.stem == "__init__" else file.stem

    def order(reach: Reach) -> tuple[bool, bool, float]:
        words = Path(reach.test).stem.removeprefix("test_")
        return words != name, name not in words, reach.seconds

    return sorted((x for x in reaches if x.reaches(mutant)), key=order)


def batches(reaches: Sequence[Reach], seconds: float = 10) -> Iterator[list[Reach]]:
    """Divide test files into runs, each four times as long as that before it.

    Most mutants die in the first; and a process for each file would load the package anew.
    """
    batch: list[Reach] = []
    for reach in reaches:
        batch.append(reach)
        if sum(x.seconds for x in batch) > seconds:
            yield batch
            batch, seconds = [], 4 * seconds
    if batch:
        yield batch


def measured(tree: Tree, cache: Path) -> list[Reach]:
    """Return the reach of all test files; those whose sources have not changed, from the cache."""
    known = {}
    if cache.exists():
        for row in cache.read_text("utf-8").splitlines():
            reach = Reach(**json.loads(row))
            known[reach.test, reach.key] = reach
    keys = _keys(tree)
    missing = [test for test in tree.tests if (test, keys[test]) not in known]
    cache.parent.mkdir(parents=True, exist_ok=True)
    if missing:
        tree.build("covered")
    for i, test in enumerate(missing, 1):
        reach = _measure(tree, test, keys[test])
        known[test, reach.key] = reach
        with cache.open("a", encoding="utf-8") as rows:  # what is measured stays, if this is ended
            rows.write(json.dumps(asdict(reach)) + "\n")
        print(f"reach {i}/{len(missing)}: {test}, {reach.seconds:.0f} s", file=sys.stderr)
    if missing:
        tree.use("plain")
    return [known[test, keys[test]] for test in tree.tests]


def _keys(tree: Tree) -> dict[str, str]:
    """Return, by test file, a hash of what it may execute: all but the other test files."""
    common = hashlib.sha256()
    for name in tree.files:
        file = tree.path / name
        if name.startswith(FOLDERS) and name not in tree.tests and file.is_file():
            common.update(name.encode() + b"\0" + file.read_bytes())
    return {
        test: hashlib.sha256(common.digest() + (tree.path / test).read_bytes()).hexdigest()[:16]
        for test in tree.tests
    }


def _measure(tree: Tree, test: str, key: str) -> Reach:
    tree.use("covered")
    counts = tree.folder / "counts"
    counts.mkdir(exist_ok=True)
    objects = tree.folder / "objects-covered"
    for old in (*counts.iterdir(), *objects.rglob("*.gcda")):
        old.unlink()
    settings = tree.folder / "coverage.ini"
    package = tree.path / "pyref/rankspec"
    settings.write_text(SETTINGS.format(data=counts / "data", package=package), "utf-8")
    environment = {"COVERAGE_PROCESS_START": str(settings)}
    run = tree.run([test], SECONDS, environment=environment)
    lines = {**_python_lines(tree, counts), **_c_lines(tree, objects)}
    failing: tuple[str, ...] = ()
    if run.fault:
        tree.use("plain")
        again = tree.run([test], SECONDS)
        failing = again.failed or (test,) if again.fault else ()
    return Reach(test, key, run.seconds, run.compiles, failing, lines)


def _python_lines(tree: Tree, counts: Path) -> dict[str, list[int]]:
    from coverage import CoverageData, CoverageException

    lines: dict[str, set[int]] = {}
    for file in counts.iterdir():
        counted = CoverageData(str(file))
        with suppress(CoverageException):  # of a process that was killed as it wrote
            counted.read()
        for name in counted.measured_files():
            path = Path(name).relative_to(tree.path).as_posix()
            lines.setdefault(path, set()).update(counted.lines(name) or ())
    return {name: sorted(numbers) for name, numbers in lines.items()}


def _c_lines(tree: Tree, objects: Path) -> dict[str, list[int]]:
    lines: dict[str, set[int]] = {}
    for counts in objects.rglob("*.gcda"):
        command = ["gcov", "--json-format", "--stdout", str(counts)]
        report = subprocess.run(command, cwd=tree.path, capture_output=True, check=True).stdout
        for file in json.loads(report)["files"]:
            executed = {x["line_number"] for x in file["lines"] if x["count"]}
            lines.setdefault(file["file"], set()).update(executed)
    return {name: sorted(x) for name, x in lines.items() if name.startswith("csrc/")}
