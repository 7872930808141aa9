"""The progress bar: on a terminal, after a second, and gone in the end."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from threading import Thread

import pytest

from rankspec import progress
from rankspec.cli.main import main
from rankspec.progress import Progress, Readings, progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that can draw, and no patience."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)


@contextmanager
def bar(name: str = "a.run") -> Iterator[tuple[Terminal, Progress]]:
    """A bar on a terminal: the terminal, and what is to be told."""
    terminal = Terminal()
    with redirect_stderr(terminal), progress_bar(name) as told:
        assert told is not None
        yield terminal, told


def drawn(name: str = "a.run", done: int = 1, total: int | None = 2) -> str:
    with bar(name) as (terminal, told):
        told(done, total)
    return terminal.getvalue()


def test_no_terminal_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    with redirect_stderr(io.StringIO()), progress_bar("a.run") as told:
        assert told is None
    with redirect_stderr(None), progress_bar("a.run") as told:
        assert told is None
    monkeypatch.setenv("TERM", "dumb")
    with redirect_stderr(Terminal()), progress_bar("a.run") as told:
        assert told is None


def test_none_where_none_is_wanted() -> None:
    with redirect_stderr(Terminal()), progress_bar("a.run", wanted=False) as told:
        assert told is None


def test_is_drawn_with_the_name_and_the_bytes() -> None:
    shown = drawn("bm25.run", 5_000_000, 10_000_000)
    assert "bm25.run" in shown
    assert "5.0/10.0 MB" in shown


def test_names_are_no_markup_and_printable() -> None:
    shown = drawn("[red]\x1b[31m" + "x" * 100)
    assert "[red]" in shown
    assert "\x1b[31m" not in shown
    assert "x" * 40 not in shown


def test_the_whole_may_be_unknown() -> None:
    assert "5.0" in drawn("-", 5_000_000, None)


def test_not_before_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 1.0)
    now = 10.0
    monkeypatch.setattr(progress, "monotonic", lambda: now)
    with bar() as (terminal, told):
        now = 10.99
        told(1, 2)
        assert terminal.getvalue() == ""
        now = 11.0
        told(1, 2)
        assert terminal.getvalue() != ""


def test_is_gone_in_the_end() -> None:
    """And whoever comes late draws nothing."""
    terminal = Terminal()
    with redirect_stderr(terminal):
        with progress_bar("a.run") as told:
            assert told is not None
            told(1, 2)
        shown = terminal.getvalue()
        assert shown.endswith("\x1b[2K")  # the line is erased
        told(2, 2)
    assert terminal.getvalue() == shown


def test_is_gone_where_the_work_fails() -> None:
    terminal = Terminal()

    def work() -> None:
        with redirect_stderr(terminal), progress_bar("a.run") as told:
            assert told is not None
            told(1, 2)
            raise ValueError("work")

    with pytest.raises(ValueError, match="work"):
        work()
    assert "a.run" in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2K")


def test_from_many_threads() -> None:
    with bar() as (terminal, told):
        threads = [Thread(target=told, args=(i, 8)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert "a.run" in terminal.getvalue()


def told_by_readings(total: int | None) -> list[tuple[int, int | None]]:
    """What is told of four readings expected and two done, each from 0 to its end."""
    told: list[tuple[int, int | None]] = []
    readings = Readings(lambda done, total: told.append((done, total)), 4)
    for more in (1, 0):
        tell = readings.next()
        assert tell is not None
        tell(0, total)
        tell(10, total)
        readings.expect(more)
    return told


def test_several_readings_are_one_work() -> None:
    assert told_by_readings(10) == [(0, 40), (10, 40), (10, 20), (20, 20)]
    assert told_by_readings(None) == [(0, None), (10, None)] * 2


def test_readings_that_nobody_sees() -> None:
    assert Readings(None, 2).next() is None


@pytest.mark.parametrize("command", ["eval", "check"])
def test_of_commands(command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The run is told in bytes, to its end."""
    Path(tmp_path / "qrels").write_text("q 0 a 1\n")
    Path(tmp_path / "tied.run").write_text("q Q0 a 1 1 t\nq Q0 b 2 1 t\n")
    told = []
    monkeypatch.setattr(progress._Bar, "show", lambda self, *how: told.append((self.name, *how)))
    arguments = [command, str(tmp_path / "qrels"), str(tmp_path / "tied.run")]
    with redirect_stderr(Terminal()), redirect_stdout(io.StringIO()):
        assert main([*arguments, "--no-progress"]) == 0
        assert told == []
        assert main(arguments) == 0
    name, done, total = told[-1]
    assert name == "tied.run"
    assert done == total
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


def test_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR: the bar is drawn all the same."""
    colour = "\x1b[3"
    assert colour in drawn()
    monkeypatch.setenv("NO_COLOR", "1")
    assert colour not in drawn()
    assert "a.run" in drawn()


def test_short_work_on_a_terminal_imports_no_rich() -> None:
    """A process whose standard error is a terminal."""
    leader, follower = pty.openpty()
    program = (
        "import sys\n"
        "from rankspec.cli.main import main\n"
        "from importlib.resources import files\n"
        "example = files('rankspec') / 'example'\n"
        "status = main(['eval', str(example / 'qrels.txt'), str(example / 'rich.run')])\n"
        "sys.exit(status or ('rich' in sys.modules))\n"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program], check=False, stdout=subprocess.PIPE, stderr=follower
    )
    os.close(follower)
    os.close(leader)
    assert done.returncode == 0
