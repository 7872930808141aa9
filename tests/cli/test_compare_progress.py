"""The progress bar of comparisons: it moves while they resample, and can be interrupted."""

from __future__ import annotations

import io
import os
import pty
import select
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from pathlib import Path
from time import monotonic

import pytest

import rankspec as rs
from rankspec import progress
from rankspec.analysis.comparison import resampling
from rankspec.analysis.comparison.comparison import compare_by
from rankspec.analysis.comparison.tests import BY_NAME, Choices
from rankspec.cli.main import main
from rankspec.compute import randomness

from ..api.test_compare import TENTHS, evaluated
from ..api.test_compare_sessions import of_sessions
from .test_progress import Terminal

EXAMPLE = Path(rs.__file__).parent / "example"
RUNS = ["compare", *(str(EXAMPLE / name) for name in ("qrels.txt", "plain.run", "rich.run"))]
SESSIONS = [
    *("session", "compare"),
    *(str(EXAMPLE / f"{name}.tsv") for name in ("session-qrels", "sessions-1", "sessions-2")),
]
BLOCKS = 3  # at least, of so many replicates of so few queries
MANY = 10_000
AT_ONCE = 1 << 16  # elements of a block, for 2^20, of which a block takes a while


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that can draw, no patience, and short blocks."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(randomness, "ELEMENTS_AT_ONCE", AT_ONCE)


def shares(test: str, correction: str = "none", replicates: int = MANY) -> list[Fraction]:
    """How far the work is each time that it is told, from 0 to 1, of three systems."""
    found: list[Fraction] = []

    def tell(done: int, total: int | None) -> None:
        assert total is not None
        found.append(Fraction(done, total))

    systems = evaluated({name: values * 2 for name, values in TENTHS.items()})
    choices = Choices(replicates=replicates)
    compare_by(systems, None, test, correction, choices, tell)
    return found


def inside(found: list[Fraction], part: int, parts: int) -> int:
    """How often it is told from within a part of the work, its end aside."""
    return sum(Fraction(part, parts) < x < Fraction(part + 1, parts) for x in found)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "randomised-tukey"])
def test_it_moves_within_the_resampling(test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test, the BCa intervals, the differences: three parts, each told from within."""
    monkeypatch.setattr(resampling, "STEPS_AT_ONCE", 1 << 18)  # 2^26 take half a second
    found = shares(test)
    assert found == sorted(found)
    assert found[-1] == 1
    assert inside(found, 0, 3) >= BLOCKS - 1
    assert inside(found, 1, 3) >= BLOCKS - 1
    assert inside(found, 2, 3) == 2  # of three pairs


def test_it_moves_within_max_t() -> None:
    found = shares("randomisation", "max-t")
    assert found == sorted(found)
    assert found[-1] == 1
    for part in (0, 1, 2):
        assert inside(found, part, 4) >= BLOCKS - 1


@pytest.mark.parametrize("test", [name for name in BY_NAME if "random" not in name])
def test_it_moves_from_pair_to_pair(test: str) -> None:
    found = shares(test, replicates=20)
    assert found == sorted(found)
    assert found[-1] == 1
    assert inside(found, 0, 3) >= (2 if test != "bootstrap" else 0)


@pytest.mark.parametrize("words", [RUNS, SESSIONS])
def test_of_the_commands(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    monkeypatch.setattr(
        progress._Bar, "show", lambda self, *how: told.append((self.name, self.of, *how))
    )
    with redirect_stderr(Terminal()), redirect_stdout(io.StringIO()):
        assert main([*words, "--no-progress"]) == 0
        assert told == []
        assert main(words) == 0
    name, of, done, total = told[-1]
    assert (name, of) == ("comparing", "%")
    assert done == total


def test_it_is_a_share_of_the_whole() -> None:
    terminal = Terminal()
    with redirect_stderr(terminal), progress.progress_bar("comparing", of="%") as told:
        assert told is not None
        told(3, 12)
    assert "comparing" in terminal.getvalue()
    assert " 25%" in terminal.getvalue()


def test_python_is_quiet() -> None:
    terminal = Terminal()
    with redirect_stderr(terminal), redirect_stdout(terminal):
        rs.compare(evaluated(TENTHS), replicates=MANY)
        rs.compare(of_sessions(TENTHS), replicates=MANY)
    assert terminal.getvalue() == ""


def test_the_numbers_do_not_depend_on_it() -> None:
    how = (None, None, "holm", Choices(replicates=MANY))
    told: list[int] = []
    quiet, seen = (
        compare_by(evaluated(TENTHS), *how, tell)
        for tell in (None, lambda done, _: told.append(done))
    )
    assert told
    assert quiet == seen


@pytest.mark.slow
@pytest.mark.parametrize("words", [RUNS, SESSIONS])
def test_interrupted(words: list[str]) -> None:
    """The bar is drawn, then Ctrl-C: it is gone, nothing is printed, and the status is 130."""
    leader, follower = pty.openpty()
    endless = [*words, "--replicates", "4000000000", "--test", "bootstrap"]
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "rankspec", *endless], stdout=subprocess.PIPE, stderr=follower
    ) as process:
        os.close(follower)
        drawn, end = b"", monotonic() + 60
        while b"comparing" not in drawn and monotonic() < end:
            if select.select([leader], [], [], 1)[0]:
                drawn += os.read(leader, 4096)
        process.send_signal(signal.SIGINT)  # perhaps while the bar is drawn first
        out, _ = process.communicate(timeout=60)
        while select.select([leader], [], [], 0)[0]:
            try:
                drawn += os.read(leader, 4096)
            except OSError:  # the other end is closed
                break
    os.close(leader)
    assert b"comparing" in drawn
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in drawn
    assert drawn.rstrip(b"\r\n").endswith(b"\x1b[2K")
