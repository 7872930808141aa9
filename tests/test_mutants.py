"""Mutants: where they are planted, that they are drawn by seed alone, and that tests find them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import ModuleType

import pytest

from .modules import module_of

ROOT = Path(__file__).resolve().parents[1]
CC = shutil.which("cc") or shutil.which("gcc")

PYTHON = '''\
"""Is 1 < 2 and 3?"""

__all__ = ["σ"]
TYPE_CHECKING = False


def σ(a: list[int], k: int = 1) -> int | None:
    """Return 1 + 1."""
    assert k < 9
    if not a and (k) != 0:
        raise ValueError("a - b")
    a[0] += min(k, a[-1])
    return sum(x for x in a[: k // 2] if x is not None)
'''
OF_PYTHON = {
    7: {"1 -> 2"},
    10: {
        "and -> or", "not -> (nothing)", "!= -> ==", "0 -> 1",
        "not a and (k) != 0 -> True", "not a and (k) != 0 -> False",
    },
    11: {'raise ValueError("a - b") -> pass'},
    12: {
        "a[0] += min(k, a[-1]) -> pass", "+= -> -=", "0 -> 1", "1 -> 2", "min -> max",
        "- -> (nothing)",
    },
    13: {
        "sum(x for x in a[: k // 2] if x is not None) -> None", "is not -> is", "// -> *",
        "2 -> 3", "k // 2 -> (k // 2) + 1", "x is not None -> True",
    },
}  # fmt: skip

C = """\
#define LIMIT (1 + 2) /* a
                         macro */
static const int table[] = {1, 2};
static int twice(const int *x) { return *x << 1; }
/* if (1 < 2) */
int sample(const int *x, int n)
{
    int sum = 0, wide[4] = {0};
    for (int i = 0; i < n && x[i] != '<'; i++) {
        if (!wide[3])
            sum += twice(x + i) - 0x10u;
    }
    while (sum > LIMIT)
        sum = sum / 7;
    if (n == 3)
        return 5;
    return sum + table[1];
}
"""
OF_C = {
    4: {"<< -> >>", "1 -> 2"},
    8: {"0 -> 1"},
    9: {"0 -> 1", "< -> <=", "< -> >=", "&& -> ||", "!= -> =="},
    10: {"! -> (nothing)", "!wide[3] -> 0", "!wide[3] -> 1"},
    11: {
        "sum += twice(x + i) - 0x10u; -> ;", "+= -> -=", "+ -> -", "- -> +", "0x10u -> 0x11u",
    },
    13: {"sum > LIMIT -> 0", "> -> >=", "> -> <="},
    14: {"sum = sum / 7; -> ;", "/ -> *", "7 -> 8"},
    15: {"n == 3 -> 0", "n == 3 -> 1", "== -> !=", "3 -> 4"},
    16: {"return 5; -> ;", "5 -> 6"},
    17: {"+ -> -"},
}  # fmt: skip


@pytest.fixture(scope="module")
def tool() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools"))
        yield module_of(ROOT / "tools/mutants.py", "rankspec_mutants")


def test_python_is_mutated_where_it_computes(tool: ModuleType) -> None:
    lines = tool.mutants_of("a.py", PYTHON, tool.python.places(PYTHON))
    assert {x[0].line: {str(m).split(": ", 1)[1] for m in x} for x in lines} == OF_PYTHON
    for mutant in (mutant for line in lines for mutant in line):
        changed = mutant.planted(PYTHON)
        compile(changed, "a.py", "exec")
        assert changed != PYTHON


@pytest.mark.skipif(CC is None, reason="there is no C compiler: apt-get install gcc")
def test_c_is_mutated_within_functions(tool: ModuleType, tmp_path: Path) -> None:
    lines = tool.mutants_of("a.c", C, tool.c.places(C))
    assert {x[0].line: {str(m).split(": ", 1)[1] for m in x} for x in lines} == OF_C
    for i, mutant in enumerate(mutant for line in lines for mutant in line):
        assert mutant.planted(C) != C
        (tmp_path / f"{i}.c").write_text(mutant.planted(C), "utf-8")
    command = [str(CC), "-std=c11", "-fsyntax-only", *map(str, tmp_path.iterdir())]
    assert subprocess.run(command, check=False).returncode == 0  # noqa: S603


def test_draws_depend_on_the_seed_alone(tool: ModuleType) -> None:
    lines = {
        "python": tool.mutants_of("a.py", PYTHON, tool.python.places(PYTHON)),
        "c": tool.mutants_of("a.c", C, tool.c.places(C)),
    }
    drawn = list(tool.draw(lines, seed=1))
    assert drawn == list(tool.draw(lines, seed=1)) != list(tool.draw(lines, seed=2))
    assert list(islice(tool.draw(lines, seed=1), 5)) == drawn[:5]
    places = [(mutant.file, mutant.line) for mutant in drawn]
    assert len(set(places)) == len(places) == len(OF_PYTHON) + len(OF_C)


def test_a_mutant_is_found_where_its_line_has_moved(tool: ModuleType) -> None:
    (line,) = [x for x in tool.mutants_of("a.c", C, tool.c.places(C)) if x[0].line == 14]
    mutant = line[1]
    moved = mutant.moved(f"\n\n{C}")
    assert moved == replace(mutant, line=16, first=16)
    assert moved.planted(f"\n\n{C}") == f"\n\n{mutant.planted(C)}"
    assert mutant.moved(C.replace("sum = sum", "sum  = sum")) is None


MODULE = """\
def greater(a: int, b: int) -> int:
    if a > b:
        return a
    return b


def down(n: int) -> int:
    while n > 0:
        n -= 1
    return n
"""
TESTS = """\
import os

from tiny import down, greater


def test_greater() -> None:
    assert greater(1, 2) == greater(2, 1) == 2


def test_down() -> None:
    assert down(3) == 0


def test_that_fails_anyway() -> None:
    assert False
"""
CONFTEST = """\
def pytest_addoption(parser):
    parser.addoption("--lane")
"""


@pytest.fixture(scope="module")
def tree(tool: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> object:
    root = tmp_path_factory.mktemp("root")
    texts = {"pyref/tiny.py": MODULE, "tests/test_tiny.py": TESTS, "tests/conftest.py": CONFTEST}
    for name, text in texts.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, "utf-8")
    subprocess.run(["git", "init", "-q", str(root)], check=True)  # noqa: S603, S607
    return tool.Tree(root, tmp_path_factory.mktemp("mutants"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "verdict", "by"),
    [
        ("> -> <=", "killed", "tests/test_tiny.py::test_greater"),
        ("> -> >=", "survived", "test files that pass: 1"),  # the same function
        ("b -> None", "killed", "tests/test_tiny.py::test_greater"),
        ("n -> None", "unreached", ""),
        ("n -= 1 -> pass", "timed out", "tests/test_tiny.py::test_down"),
    ],
)
def test_a_mutant_is_judged_by_the_tests_that_execute_it(
    tool: ModuleType, tree: object, change: str, verdict: str, by: str
) -> None:
    file, test = "pyref/tiny.py", "tests/test_tiny.py"
    lines = tool.mutants_of(file, MODULE, tool.python.places(MODULE))
    mutant = next(x for line in lines for x in line if str(x).endswith(f": {change}"))
    failing = [f"{test}::test_that_fails_anyway"]
    reach = tool.Reach(test, "", 1.0, False, failing, {file: range(10)})
    judged = tool.judge(tree, mutant, [reach], timeout=10 if verdict == "timed out" else 120)
    assert (judged.verdict, judged.by) == (verdict, by)
    assert judged.ran == (() if verdict == "unreached" else (f"fast {test}",))
    assert (tree.path / file).read_text("utf-8") == MODULE


def test_tests_of_the_name_run_first_and_then_the_quickest(tool: ModuleType) -> None:
    names = {"tests/a/test_ties.py": 9.0, "tests/test_x.py": 2.0, "tests/test_y.py": 1.0}
    names |= {"tests/test_ties_of_scores.py": 8.0, "tests/test_z.py": 40.0}
    mutant = tool.Mutant("csrc/ties.c", 5, 0, "", "", "", 4)
    reaches = [tool.Reach(x, "", s, False, (), {"csrc/ties.c": [4]}) for x, s in names.items()]
    elsewhere = tool.Reach("tests/test_a.py", "", 1.0, False, (), {"csrc/ties.c": [6]})
    compiler = tool.Reach("tests/test_cc.py", "", 3.0, True, (), {})
    order = tool.reaching([*reaches, elsewhere, compiler], mutant)
    stems = ["ties", "ties_of_scores", "y", "x", "cc", "z"]
    assert [Path(x.test).stem for x in order] == [f"test_{stem}" for stem in stems]
    assert [len(batch) for batch in tool.batches(order)] == [2, 4]
