"""The C core as a C program meets it: its files compile alone, none needs another in a circle, and
the example gives what the package does.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.compute.call import Structure, Word
from rankspec.metrics.catalogue import BOUNDS, METRICS, SESSION_METRICS
from rankspec.reference.ties import RULES

CSRC = Path(__file__).resolve().parents[1] / "csrc"
UNITS = sorted(path for path in CSRC.glob("*.c") if path.stem != "core")
CC, NM = shutil.which("cc") or shutil.which("gcc"), shutil.which("nm")
STRICT = ["-std=c11", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
pytestmark = pytest.mark.skipif(CC is None, reason="there is no C compiler: apt-get install gcc")


def run(*command: object) -> str:
    done = subprocess.run(  # noqa: S603
        [str(part) for part in command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each file but core.c, compiled alone."""
    folder = tmp_path_factory.mktemp("objects")
    for unit in UNITS:
        run(CC, *STRICT, "-O1", "-fPIC", "-c", unit, "-o", folder / f"{unit.stem}.o")
    return {unit.stem: folder / f"{unit.stem}.o" for unit in UNITS}


@pytest.mark.slow
def test_each_file_compiles_alone_and_together_they_lack_nothing(
    objects: dict[str, Path], tmp_path: Path
) -> None:
    shared = ["-shared", "-Wl,--no-undefined", *objects.values(), "-o", tmp_path / "core.so", "-lm"]
    run(CC, *shared)


def test_the_shipped_file_has_all_others() -> None:
    source = (CSRC / "core.c").read_text(encoding="utf-8")
    assert {line.split('"')[1] for line in source.splitlines() if line.startswith("#include")} == {
        unit.name for unit in UNITS
    }


@pytest.mark.slow
@pytest.mark.skipif(NM is None, reason="there is no nm: apt-get install binutils")
def test_no_file_needs_another_in_a_circle(objects: dict[str, Path]) -> None:
    symbols = {
        name: [x.split() for x in run(NM, path).splitlines()] for name, path in objects.items()
    }
    home = {x[-1]: name for name, of in symbols.items() for x in of if x[-2] in "TDRB"}
    needed = {
        name: {home[x[-1]] for x in of if x[-2] == "U" and x[-1] in home}
        for name, of in symbols.items()
    }
    assert needed["dcg"] >= {"gain", "numerics"}  # or nothing was seen
    list(TopologicalSorter(needed).static_order())  # a CycleError names the files


def test_memory_is_asked_for_in_one_place() -> None:
    asking = re.compile(r"\b(?:m|c|re)alloc\(|\baligned_alloc\(")
    askers = {unit.name for unit in UNITS if asking.search(unit.read_text(encoding="utf-8"))}
    assert askers == {"memory.c"}


@pytest.mark.slow
def test_the_example_prints_what_the_reference_says(tmp_path: Path) -> None:
    example = CSRC / "examples" / "three_lists.c"
    run(CC, *STRICT, "-O1", example, CSRC / "core.c", "-o", tmp_path / "three_lists", "-lm")
    shown = [[3, 2, 3, 0, 1, 2], [0, 0, 1], [2, 0, 4, 1]]
    judged = [[3, 3, 2, 2, 1, 0, 3, 2], [1, 0, 0, 1], [4, 2, 1, 0]]
    printed = dict(line.split(" ", 1) for line in run(tmp_path / "three_lists").splitlines())
    pairs = list(zip(shown, judged, strict=True))
    assert {name: [float(x) for x in line.split()] for name, line in printed.items()} == {
        "nDCG@10": [rs.ndcg(r, judged=J, k=10, backend="reference") for r, J in pairs],
        "AP": [rs.ap(r, judged=J, backend="reference") for r, J in pairs],
        "ERR": [rs.err(r, backend="reference") for r in shown],
    }


def test_each_metric_has_a_number_of_its_own_and_one_row() -> None:
    header = (CSRC / "rankspec.h").read_text(encoding="utf-8")
    block = header.split("/* BEGIN METRICS */")[1].split("/* END METRICS */")[0]
    lines = [line.strip() for line in block.splitlines() if "RS_" in line]
    parts = [re.fullmatch(r"(RS_\w+) = (\d+),", line) for line in lines]
    assert None not in parts, lines
    numbers = {part[1]: int(part[2]) for part in parts if part}
    assert len(set(numbers.values())) == len(lines) > 20
    sources = {unit.stem: unit.read_text(encoding="utf-8") for unit in UNITS}
    of_lists = re.compile(r"\{\.metric = (RS_\w+)")
    of_sessions = re.compile(r"\{(RS_\w+), \.pooled")
    rows = [name for source in sources.values() for name in of_lists.findall(source)]
    assert sorted(rows) == sorted(name for name, number in numbers.items() if number < 64)
    rows = of_sessions.findall(sources["session"])
    assert sorted(rows) == sorted(name for name, number in numbers.items() if number >= 64)


def constants_of(argument: object) -> Iterator[str]:
    """The names of constants in an argument of a call."""
    if isinstance(argument, str):
        yield argument
    elif isinstance(argument, Word):
        yield from (word for word in argument.words.values() if isinstance(word, str))
    elif isinstance(argument, Structure):
        for field in argument.fields.values():
            yield from constants_of(field)


def test_each_name_of_the_core_in_python_is_one_in_c() -> None:
    """By name, not by place: each list of constants stands in the headers alone."""
    core = pytest.importorskip("rankspec._core")
    from rankspec.compute.core import rule_of_ties

    fields = {name for name, _ in core.ffi.typeof("rs_measure").fields}
    calls = [
        call
        for metric in (*METRICS, *SESSION_METRICS)
        for call in (metric.core.values, metric.core.bounds, metric.core.vectors)
        if call is not None
    ]
    bounds = [{"bound": b.core[0], "worst": b.core[1]} for b in BOUNDS if b.core]
    named = {call.metric for call in calls}
    for given in (*(call.fields for call in calls), *bounds):
        assert set(given) <= fields
        named |= {name for argument in given.values() for name in constants_of(argument)}
    assert len(named) > 40
    assert {name for name in named if not hasattr(core.lib, name)} == set()
    rules = [rule_of_ties(rule) for rule in RULES]
    assert len(set(rules)) == len(RULES)
