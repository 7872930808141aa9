"""TREC 2013 Session, from the XML to the values of the track's own session_eval.

That evaluates the last query of a session alone, by a run of it, of which it takes the lines as
they come.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.cli.main import main
from rankspec.formats.trec import read_run

GRADES = {-2: 0, 4: 2, 2: 3, 3: 4}
LAST = str(rs.query_nDCG(k=10, gain="exp2", discount="log2", over="last"))


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-23", "RS-CONV-25", "RS-CONV-26")
def test_the_sessions_of_the_track(data: Callable[[str], Path]) -> None:
    """As many as the file has tags, counted in its text; those that the map names are judged."""
    folder = data("session_trec2013")
    sessions = rs.read_sessions(folder / "sessiontrack2013.xml.gz")
    assert len(sessions) == 133
    assert sum(len(session.queries) for session in sessions) == 401
    assert sum(len(query) for session in sessions for query in session.queries) == 4449
    assert [session.id for session in sessions] == [str(n) for n in range(1, 134)]
    assert sessions[0].topic == "1"
    assert sessions[0].queries[0][:2] == ["clueweb12-1400wb-08-23845", "clueweb12-0200wb-56-17742"]
    judged = rs.read_sessions(
        folder / "sessiontrack2013.xml.gz", topics=folder / "sessiontopicmap.txt"
    )
    assert len(judged) == 87
    result = rs.evaluate_sessions(
        folder / "qrels.txt.gz",
        folder / "sessiontrack2013.xml.gz",
        "sDCG@10",
        topics=folder / "sessiontopicmap.txt",
    )
    assert (len(result.sessions), len(result.left_out)) == (87, 46)


def evaluated(folder: Path, current: object) -> rs.SessionEvaluation:
    """The last queries, which are those of the run."""
    return rs.evaluate_sessions(
        folder / "qrels.txt.gz",
        folder / "sessiontrack2013.xml.gz",
        LAST,
        topics=folder / "sessiontopicmap.txt",
        grades=GRADES,
        current=current,  # type: ignore[arg-type]
    )


def in_file_order(folder: Path) -> dict[str, list[str]]:
    """The run as session_eval takes it."""
    run = read_run(folder / "runs" / "ycy.gz")
    return {session: list(documents) for session, documents in run.items()}


@pytest.mark.spec("RS-SES-15", "RS-SES-16", "RS-SES-23", "RS-CONV-23", "RS-CONV-25")
def test_session_eval(data: Callable[[str], Path]) -> None:
    """87 values: 63 are the same doubles; the others, sums of rounded doubles, within 2 ulps."""
    folder = data("session_trec2013")
    values = evaluated(folder, in_file_order(folder)).per_session[LAST]
    with (folder / "expected_session_eval_ycy.tsv").open(newline="") as file:
        rows = [
            row for row in csv.DictReader(file, delimiter="\t") if row["measure"] == "ndcg_at_k"
        ]
    away = Counter(
        abs(values[row["session"]] - float(row["value"])) / math.ulp(float(row["value"]))
        for row in rows
    )
    assert away.total() == 87
    assert away[0] == 63
    assert max(away) <= 2


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-23")
def test_the_command_line(data: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    """The run as a file is ordered by its scores: as its lines, where no score is another's."""
    folder = data("session_trec2013")
    words = ["session", "eval", folder / "qrels.txt.gz", folder / "sessiontrack2013.xml.gz"]
    words += ["--topics", folder / "sessiontopicmap.txt", "--grades", "-2=0,4=2,2=3,3=4"]
    words += ["--current", folder / "runs" / "ycy.gz", "-m", LAST, "--format", "tsv", "-q"]
    assert main([str(word) for word in words]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    printed = {session: float(value) for _, session, value in lines[1:-1]}
    assert printed == evaluated(folder, folder / "runs" / "ycy.gz").per_session[LAST]
    by_lines = evaluated(folder, in_file_order(folder)).per_session[LAST]
    settled = [
        session
        for session, scores in read_run(folder / "runs" / "ycy.gz").items()
        if len(set(scores.values())) == len(scores)
    ]
    assert len(settled) == 11
    assert all(printed[session] == by_lines[session] for session in settled)
