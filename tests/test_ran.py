"""The account of which tests ran: what no lane ran is named, and fails the lane "rest"."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .ran import ELSEWHERE

HERE = Path(__file__).parent
NEEDS = """
import pytest
def library():
    return pytest.importorskip("no_such_library", reason="it is not installed")
"""
SKIPPED_MODULE = """
from .needs import library
library()
def test_in_it(): ...
"""
MANY = """
import pytest
from hypothesis import given, strategies as st
from .each import in_lane, thinned
@given(st.integers())
def test_examples(n): ...
@pytest.mark.slow
def test_slow(): ...
def test_quick(): ...
@thinned
def test_thinned(): assert in_lane(1, 2)
@pytest.mark.long(but=1)
@pytest.mark.parametrize("n", range(4))
def test_alike(n): ...
@pytest.mark.slow(but=2)
@pytest.mark.long(but=3)
@pytest.mark.parametrize("n", range(8))
def test_alike_and_slow(n): ...
def test_without_its_program(): pytest.skip("no program")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with these lanes, and two modules that lack the same library at the same line."""
    tests = tmp_path / "tests"
    tests.mkdir()
    for name in ("__init__.py", "conftest.py", "each.py", "ran.py"):
        shutil.copy(HERE / name, tests)
    (tmp_path / "pytest.ini").write_text("[pytest]\ntestpaths = tests\nmarkers = slow\n long\n")
    (tests / "needs.py").write_text(NEEDS)
    (tests / "test_many.py").write_text(MANY)
    (tests / "test_one.py").write_text(SKIPPED_MODULE)
    (tests / "test_other.py").write_text(SKIPPED_MODULE)
    return tmp_path


def lane(folder: Path, name: str, *arguments: str) -> tuple[int, str]:
    """Return the exit code and the text of a lane."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "--lane", name, *arguments],
        cwd=folder,
        env=os.environ | {"RANKSPEC_RAN": "ran.txt"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def ran(folder: Path) -> set[str]:
    """Return the names of the tests that ran in full."""
    return {x.partition("::")[2] for x in (folder / "ran.txt").read_text().splitlines()}


def alike(*of_alike: int, of_slow: tuple[int, ...]) -> set[str]:
    names = [(n, "test_alike") for n in of_alike] + [(n, "test_alike_and_slow") for n in of_slow]
    return {f"{name}[{n}]" for n, name in names}


@pytest.mark.slow
def test_what_no_lane_ran_fails_the_rest(folder: Path) -> None:
    code, text = lane(folder, "fast")
    assert code == 0, text
    by_fast = {"test_examples", "test_quick"} | alike(0, of_slow=(0, 4))
    assert ran(folder) == by_fast
    code, text = lane(folder, "rest")
    assert code == 1, text
    assert "no lane ran tests/test_many.py::test_without_its_program: Skipped: no program" in text
    for module in ("test_one", "test_other"):
        assert f"no lane ran tests/{module}.py: Skipped: it is not installed" in text
    assert "not run here (7): pytest -m long --lane long\n" in text
    by_rest = {"test_slow", "test_thinned"} | alike(of_slow=(2, 5))
    assert ran(folder) - by_fast == by_rest  # of test_thinned the fast lane took a part


@pytest.mark.slow
def test_what_is_long_runs_in_its_lane(folder: Path) -> None:
    code, text = lane(folder, "long")
    assert code == 0, text
    assert ran(folder) == {"test_examples"} | alike(1, 2, 3, of_slow=(1, 3, 6, 7))


@pytest.mark.slow
def test_what_runs_elsewhere_is_told(folder: Path) -> None:
    account = folder / "tests/ran.py"
    listed = account.read_text("utf-8").replace(
        "ELSEWHERE = {",
        'ELSEWHERE = {"tests/test_o": "A", "tests/test_many.py::test_with": "B",',
    )
    account.write_text(listed, "utf-8")
    code, text = lane(folder, "rest")
    assert code == 0, text
    assert "not run here (2): A\n" in text
    assert "not run here (1): B\n" in text


@pytest.mark.slow
def test_a_test_that_was_not_begun_is_named(folder: Path) -> None:
    code, text = lane(folder, "rest", "--for", "0", "--ignore", "tests/test_o")
    assert code == 1, text
    assert "no lane ran tests/test_many.py::test_quick: it was not begun" in text


def test_what_runs_elsewhere_is_there() -> None:
    for begin in ELSEWHERE:
        assert (HERE.parent / begin.partition("::")[0]).exists(), begin
