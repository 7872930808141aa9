"""A file that changes while it is read, or between two readings of it, gives no number."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rankspec.analysis.check.report import check
from rankspec.analysis.explain.explanation import explain
from rankspec.errors import InputError
from rankspec.evaluation import joined
from rankspec.evaluation.evaluate import evaluate
from rankspec.formats import blocks
from rankspec.formats.streams import Stream, readable_again

QRELS = {f"q{a}": {"d1": 1} for a in range(4)}
# The lines of a query are not together, so that a run is read several times.
LINES = [f"q{a} Q0 d{b} {b} {9 - b} t\n" for b in range(1, 4) for a in range(4)]
RUN = "".join(LINES)
OTHERS = {
    "shorter": RUN[: len(RUN) // 2],
    "longer": RUN + "q9 Q0 d1 1 1 t\n",
    "of other scores": RUN.replace(" 8 t", " 1 t"),
    "without its bad line": RUN,
    "empty": "",
}
CHANGED = "a.run: the file changed while it was read; .* evaluate a copy \\(RS-CONV-31\\)$"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(blocks, "BLOCK", 48)
    monkeypatch.setattr(joined, "BLOCK", 48)
    monkeypatch.setattr(joined, "SHARE", 60)
    path = tmp_path / "a.run"
    path.write_text(RUN)
    return path


def rewritten(path: Path, text: str) -> None:
    path.write_text(text)
    os.utime(path, ns=(0, 12345 + len(text)))  # two writes may come within one tick of its clock


def change_at_opening(
    monkeypatch: pytest.MonkeyPatch, nth: int, change: Callable[[], object]
) -> None:
    """Something happens before the run is opened for the n-th time."""
    openings = []
    opened = Stream.opened

    def counted(stream: Stream, *most: Any) -> Any:
        if stream.name.endswith("a.run"):
            openings.append(stream)
            if len(openings) == nth:
                change()
        return opened(stream, *most)

    monkeypatch.setattr(Stream, "opened", counted)


@pytest.mark.spec("RS-CONV-31")
def test_a_run_that_changes_between_two_readings(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was a number of neither file, lost queries, or a bare StopIteration."""
    for what, other in OTHERS.items():
        for nth in (2, 3, 4, 5):
            with monkeypatch.context() as patch:
                bad = what == "without its bad line"
                run.write_text(RUN.replace("q3 Q0 d2 2 7", "q3 Q0 d2 2 x") if bad else RUN)
                change_at_opening(patch, nth, lambda other=other: rewritten(run, other))  # type: ignore[misc]
                with pytest.raises(InputError) as error:
                    evaluate(QRELS, run, ["RR", "AP"])
                if not (bad and "score" in str(error.value)):  # it was found before the change
                    assert error.match(CHANGED), (what, nth)


@pytest.mark.spec("RS-CONV-31")
def test_another_file_of_the_same_size_and_time(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def replaced() -> None:
        other = run.with_name("other")
        other.write_text(OTHERS["of other scores"])
        os.utime(other, ns=(0, run.stat().st_mtime_ns))
        other.replace(run)

    change_at_opening(monkeypatch, 2, replaced)
    with pytest.raises(InputError, match=CHANGED):
        evaluate(QRELS, run, "RR")


@pytest.mark.spec("RS-CONV-31")
def test_what_is_counted_differs(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing else tells, as on file systems without times."""
    monkeypatch.setattr(Stream, "_check_unchanged", lambda _: None)
    for what in ("shorter", "longer", "empty"):
        for nth in (3, 4):  # the first reading may end early
            with monkeypatch.context() as patch:
                run.write_text(RUN)
                change_at_opening(patch, nth, lambda what=what: rewritten(run, OTHERS[what]))  # type: ignore[misc]
                with pytest.raises(InputError) as error:
                    evaluate(QRELS, run, "RR")
                assert error.match(CHANGED), (what, nth)


@pytest.mark.spec("RS-CONV-31")
@pytest.mark.parametrize("bad", ["q3 Q0 d2 2 x t\n", "q3 Q0 d1 2 7 t\n"])
def test_a_bad_line_that_is_gone(run: Path, monkeypatch: pytest.MonkeyPatch, bad: str) -> None:
    """It is looked for again, to say in which line it is: RuntimeError came of that."""
    broken = RUN.replace("q3 Q0 d2 2 7 t\n", bad)
    gone = RUN.replace("q3 Q0 d2 2 7 t\n", "q3 Q0 d8 2 7 t\n")
    assert len(gone) == len(broken)
    run.write_text(broken)
    with readable_again(os.fspath(run)) as stream:
        stream.scattered = True
        monkeypatch.setattr(Stream, "_check_unchanged", lambda _: None)
        first_wrong_line = joined._first_wrong_line

        def changed_first(*arguments: Any) -> InputError | None:
            run.write_text(gone)
            return first_wrong_line(*arguments)

        monkeypatch.setattr(joined, "_first_wrong_line", changed_first)
        with pytest.raises(InputError, match=CHANGED):
            evaluate(QRELS, stream, "RR")


@pytest.mark.spec("RS-CONV-31")
def test_a_file_that_grows_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text(RUN)
    stream = Stream(path)
    buffer = memoryview(bytearray(8))

    def read_and_write() -> None:
        with stream.opened() as fill:
            fill(buffer)
            with path.open("a") as file:
                file.write("q9 Q0 d1 1 1 t\n")

    with pytest.raises(InputError, match=CHANGED):
        read_and_write()


@pytest.mark.spec("RS-CONV-31")
def test_explain_and_check(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    qrels = tmp_path / "qrels"
    qrels.write_text("".join(f"{q} 0 d1 1\n" for q in QRELS))
    ways: list[Callable[[], object]] = [
        lambda: explain(str(qrels), str(run), "q1", "RR"),
        lambda: check(str(qrels), str(run)),
        lambda: check(str(qrels), str(run), backend="reference"),
    ]
    for way in ways:
        run.write_text(RUN)
        with monkeypatch.context() as patch:
            change_at_opening(patch, 2, lambda: rewritten(run, OTHERS["shorter"]))
            with pytest.raises(InputError, match=CHANGED):
                way()


@pytest.mark.spec("RS-CONV-31")
def test_what_does_not_change_is_read(run: Path) -> None:
    """By a path, or from a pipe, which is copied."""
    expected = evaluate(QRELS, RUN_AS_DICT, ["RR", "AP"]).mean
    assert evaluate(QRELS, run, ["RR", "AP"]).mean == expected
    with run.open("rb") as file:
        assert evaluate(QRELS, file, ["RR", "AP"]).mean == expected


RUN_AS_DICT = {f"q{a}": {f"d{b}": 9.0 - b for b in range(1, 4)} for a in range(4)}
