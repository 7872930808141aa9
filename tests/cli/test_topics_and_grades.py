"""``rankspec eval --topics --grades``, and the same in evaluate(): qrels by topic (RS-CONV-25)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.errors import InputError

from .running import Capture, complaint, output

QRELS = "t1 0 d1 -2\nt1 0 d2 4\nt2 0 d1 1\nt2 0 d3 4\n"
RUN = "s1 Q0 d1 1 4 t\ns1 Q0 d2 2 3 t\ns2 Q0 d3 1 2 t\ns2 Q0 d9 2 1 t\ns5 Q0 d1 1 1 t\n"
TOPICS = "s1 t1\ns2 t2\ns3 t1\ns4 t9\n"
BY_QUERY = {"s1": {"d1": -2, "d2": 4}, "s2": {"d1": 1, "d3": 4}, "s3": {"d1": -2, "d2": 4}}
MEASURES = ["nDCG@10", "AP", "DCG"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text(QRELS)
    Path("run").write_text(RUN)
    Path("map").write_text(TOPICS)


@pytest.mark.spec("RS-CONV-25/L1", "RS-CONV-25/L2")
def test_the_values_are_those_of_qrels_that_are_written_so(capsys: Capture) -> None:
    grades = {-2: 0, 4: 2}
    meant = {q: {d: grades.get(x, x) for d, x in own.items()} for q, own in BY_QUERY.items()}
    expected = rs.evaluate(meant, "run", MEASURES)
    for backend in ("c", "reference"):
        for topics in ("map", dict(line.split() for line in TOPICS.splitlines())):
            found = rs.evaluate(
                "qrels", "run", MEASURES, topics=topics, grades=grades, backend=backend
            )
            assert found.per_query == expected.per_query
            assert found.queries == ("s1", "s2", "s3")
    words = [x for name in MEASURES for x in ("-m", name)]
    options = ["--topics", "map", "--grades", "-2=0,4=2", "--format", "json", "-q"]
    (run,) = json.loads(output(capsys, "eval", "qrels", "run", *words, *options))["runs"]
    assert run["per_query"] == expected.per_query
    assert "--topics" in output(capsys, "eval", "--help")


@pytest.mark.spec("RS-CONV-25")
def test_one_of_them_alone_and_the_definition() -> None:
    by_topic = rs.evaluate("qrels", "run", "DCG", topics="map")
    assert by_topic.per_query == rs.evaluate(BY_QUERY, "run", "DCG").per_query
    assert by_topic.definition("DCG")["judgments"] == (
        "each query has those of its topic (RS-CONV-25)"
    )
    graded = rs.evaluate("qrels", {"t1": {"d2": 1.0}}, "DCG", grades={4: 0.5})
    assert graded.per_query["DCG"] == {"t1": 0.5, "t2": 0.0}
    assert graded.definition("DCG")["judgments"] == "grades 4=0.5 (RS-CONV-25)"
    assert "judgments" not in rs.evaluate("qrels", "run", "DCG").definition("DCG")


@pytest.mark.spec("RS-CONV-25")
def test_tables_say_what_was_made_of_the_judgments(capsys: Capture) -> None:
    """Where they are not those of the qrels as they are written, the numbers are of others."""
    Path("run").write_text(RUN + "t1 Q0 d2 1 4 t\n")
    eval_ = ["eval", "qrels", "run", "-m", "DCG", "--queries", "both"]
    for options, said in (
        (["--grades", "4=2"], "judgments: grades 4=2"),
        (["--topics", "map"], "judgments: each query has those of its topic"),
        (
            ["--topics", "map", "--grades", "4=2"],
            "judgments: grades 4=2; each query has those of its topic",
        ),
    ):
        for more in ([], ["-q"]):
            assert said in output(capsys, *eval_, *options, *more).splitlines(), options
    assert "\njudgments:" not in output(capsys, *eval_)
    assert "judgments: grades 4=2" in str(rs.evaluate("qrels", "run", "DCG", grades={4: 2}))


@pytest.mark.spec("RS-CONV-25")
def test_what_is_refused(capsys: Capture) -> None:
    with pytest.raises(InputError, match="topics: the qrels contain none of the topics"):
        rs.evaluate("qrels", "run", "DCG", topics={"s1": "t7"})
    with pytest.raises(
        InputError, match=r"grades: expected a dict \{label: replacement\}, got \[1\]"
    ):
        rs.evaluate("qrels", "run", "DCG", grades=[1])  # type: ignore[arg-type]
    Path("map").write_text("s1 t1\ns1 t2\n")
    assert 'map:2: session "s1" occurs a second time' in complaint(
        capsys, "eval", "qrels", "run", "--topics", "map"
    )
    assert "only one of the files" in complaint(capsys, "eval", "-", "run", "--topics", "-")
    letor = ["--letor", "qrels", "--feature", "1", "--grades", "1=2"]
    assert "--grades applies to QRELS and RUN" in complaint(capsys, "eval", *letor)
