"""``rankspec classify``: classes of queries, of TREC files and of LETOR files.

By hand, of RR: q1's one relevant document is first in a.run and second in b.run, and by chance
first or second; all are relevant in q2; nothing is in q3.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.cli.main import main

from .running import Capture, output

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq2 0 b 1\nq3 0 a 0\nq3 0 b 0\n"
A = "".join(f"q{q} Q0 a 1 2.5 t\nq{q} Q0 b 2 1.5 t\n" for q in (1, 2, 3))
B = "".join(f"q{q} Q0 b 1 2.5 t\nq{q} Q0 a 2 1.5 t\n" for q in (1, 2, 3))
ROWS = "".join(
    f"{label} qid:q{q} 1:{first} 2:{3 - first}\n"
    for q, labels in ((1, (1, 0)), (2, (1, 1)), (3, (0, 0)))
    for label, first in zip(labels, (2, 1), strict=True)
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"qrels": QRELS, "a.run": A, "b.run": B, "test.txt": ROWS}.items():
        Path(name).write_text(text)


def test_table(capsys: Capture) -> None:
    assert output(capsys, "classify", "qrels", "a.run", "-m", "RR,RR@1") == (
        "query  expected    real     gap              classes\n"
        "q1       0.6250  1.0000  0.3750   informative, ideal\n"
        "q2       1.0000  1.0000  0.0000  uninformative, easy\n"
        "q3       0.0000  0.0000  0.0000\n"
        "\n"
        "3 queries: 1 informative, 1 ideal, 1 uninformative, 0 hard, 1 easy\n"
        "1 system, RR, RR@1; top: 1, gap: signed, hard: 1/3, easy: 2/3,\n"
        "  ties: id-descending\n"
    )


def test_tsv(capsys: Capture) -> None:
    how = ["-m", "RR", "--top", "3", "--format", "tsv"]
    lines = output(capsys, "classify", "qrels", "a.run", "b.run", *how).splitlines()
    assert [line.split("\t") for line in lines] == [
        ["query", "expected", "real", "bound", "gap", "classes"],
        ["q1", "0.75", "0.75", "1.0", "0.0", "ideal,uninformative,easy"],
        ["q2", "1.0", "1.0", "1.0", "0.0", "ideal,uninformative,easy"],
        ["q3", "0.0", "0.0", "0.0", "0.0", "ideal,uninformative,hard"],
    ]
    rounded = output(
        capsys, "classify", "qrels", "a.run", "-m", "RR", "--format", "tsv", "--digits", "2"
    )
    assert "q1\t0.75\t1.00\t1.00\t0.25\tinformative,ideal\n" in rounded


def test_json(capsys: Capture) -> None:
    how = ["-m", "nDCG@1,nDCG@2", "--hard", "0.25", "--easy", "1", "--gap", "absolute"]
    printed = json.loads(output(capsys, "classify", "qrels", "a.run", *how, "--format", "json"))
    found = rs.classify("qrels", ["a.run"], ["nDCG@1", "nDCG@2"], hard=0.25, easy=1, gap="absolute")
    assert printed["qrels"] == "qrels"
    assert {name: printed[name] for name in ("hard", "easy", "gap", "top", "systems")} == {
        "hard": "1/4",
        "easy": "1",
        "gap": "absolute",
        "top": 1,
        "systems": 1,
    }
    assert printed["queries"] == found.to_dict()["queries"]
    assert printed["classes"] == found.counts()
    assert printed["measures"] == ["nDCG@1", "nDCG@2"]


def test_a_letor_file(capsys: Capture) -> None:
    """Its features are the two runs."""
    how = ["-m", "RR", "--format", "tsv"]
    by_runs = output(capsys, "classify", "qrels", "a.run", "b.run", *how)
    assert output(capsys, "classify", "--letor", "test.txt", "--feature", "1", "2", *how) == by_runs
    printed = json.loads(
        output(capsys, "classify", "--letor", "test.txt", "--feature", "1", "--format", "json")
    )
    assert printed["letor"] == "test.txt"
    assert printed["measures"] == [f"nDCG@{k}" for k in (5, 10, 15, 20, 30)]


def test_80_columns(capsys: Capture) -> None:
    name = "a query with a name that is much longer than any table has room for " * 2
    qrels = "".join(f"{name.replace(' ', '_')}{a} 0 d 1\n" for a in range(3))
    Path("long").write_text(qrels)
    Path("long.run").write_text(qrels.replace(" 0 d 1", " Q0 d 1 2.5 t"))
    printed = output(capsys, "classify", "long", "long.run", "--profile", "trec_eval-9")
    assert max(map(len, printed.splitlines())) <= 80


def test_backends_agree(capsys: Capture) -> None:
    how = ["qrels", "a.run", "b.run", "-m", "AP@1,AP@2", "--format", "json"]
    assert output(capsys, "classify", *how) == output(
        capsys, "classify", *how, "--backend", "reference"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("qrels a.run --top 4", "top: expected at most 3, the number of queries with a gap, got 4"),
        ("qrels a.run --top 0", '"0": expected a whole number'),
        ("qrels a.run --gap signd", 'unknown gap "signd" (did you mean "signed"?)'),
        ("qrels a.run --hard x", '"x": expected a number of 0 or more, like 1/3 or 0.4'),
        ("qrels a.run --hard 1/0", '"1/0": expected a number of 0 or more'),
        ("qrels a.run --hard 1", "hard: 1 is above easy, 2/3"),
        ("qrels a.run -m AP,P@5", 'measures: "AP" and "P@5" differ in more than the cut-off'),
        ("qrels a.run -m AP --pool retrieved", 'pool: with "retrieved" each run has its own pool'),
        ("qrels a.run --format trec", 'unknown format "trec"'),
        ("qrels a.run a.run", "a.run: the same run is given twice"),
    ],
)
def test_refused(capsys: Capture, words: str, message: str) -> None:
    assert main(["classify", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err
