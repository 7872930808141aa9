"""``rankspec axioms``: measures and functions, tables and JSON, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rankspec as rs

from .running import Capture, complaint, output

FUNCTIONS = """\
def hits(labels, judged, k):
    return sum(x > 0 for x in labels[:k])

def first(labels):
    return labels[0]

def none():
    return 1
"""


@pytest.fixture
def functions(tmp_path: Path) -> str:
    path = tmp_path / "own_metrics.py"
    path.write_text(FUNCTIONS, "utf-8")
    return str(path)


def test_the_table(capsys: Capture) -> None:
    out = output(capsys, "axioms", "DCG@2", "LNDCG", "--only", "c1", "c2")
    lines = out.splitlines()
    assert lines[:3] == ["axiom  DCG@2  LNDCG", "c1     fails  holds", "c2     holds  holds"]
    assert out == f"{rs.axioms('DCG@2', 'LNDCG', only=['c1', 'c2'])}\n"
    assert "counterexample" in out


def test_witnesses(capsys: Capture) -> None:
    out = output(capsys, "axioms", "DCG", "RR", "--witness", "--only", "c1", "closeness-threshold")
    assert max(map(len, out.splitlines())) <= 80
    assert "    <1> has 1, but <1, 0> has 1 (pool {1, 0})" in out
    assert "n = 3: <0, 0, 0, 1, 1, 1> has 1.17374, and <1> has 1" in out
    assert "RS-AXM-19/L4: never" in out


def test_many_measures_stand_in_several_tables(capsys: Capture) -> None:
    names = ["DCG", "nDCG", "AP", "ERR", "RR", "RBP", "UL2(nDCG(gain='exp2')@10)"]
    out = output(capsys, "axioms", *names, "--only", "c1")
    assert max(map(len, out.splitlines())) <= 80
    assert out.count("\nc1  ") == 2
    assert "[7] UL2(nDCG(gain='exp2')@10)" in out


def test_json(capsys: Capture) -> None:
    document = json.loads(output(capsys, "axioms", "ERR", "--only", "c2", "--format", "json"))
    (of,) = document["metrics"]
    assert (of["name"], of["labels"], of["compared"]) == ("ERR", [0, 1, 2], "exactly")
    (found,) = of["axioms"]
    assert (found["axiom"], found["status"], found["proof"]) == ("c2", "holds", "RS-AXM-3/L2")


def test_functions(capsys: Capture, functions: str) -> None:
    out = output(
        capsys, "axioms", f"{functions}:hits", f"{functions}:first", "--k", "2", "--labels", "0,1",
        "--length", "3", "--only", "c2", "swap",
    )  # fmt: skip
    lines = out.splitlines()
    assert lines[0].split() == ["axiom", "hits", "first"]
    assert lines[1].split() == ["c2", "not", "refuted", "fails"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["axioms", "zap"], '"zap" is no measure'),
        (["axioms", "IDCG"], "IDCG is of the pool alone"),
        (["axioms", "DCG", "--only", "zap"], 'axioms: "zap" is none; there are c1, c2'),
        (["axioms", "DCG", "--labels", "1,2"], "expected 0, and one label above it"),
        (["axioms", "ERR", "--labels", "0,9"], "with max=4, ERR takes"),
        (["axioms", "DCG", "--length", "40"], "there are more than 100000 such lists"),
        (["axioms", "no_such_module:f"], "ModuleNotFoundError"),
        (["axioms", "nowhere.py:f"], "nowhere.py: cannot be read"),
    ],
)
def test_what_is_refused(capsys: Capture, words: list[str], said: str) -> None:
    assert said in complaint(capsys, *words)


def test_functions_that_are_refused(capsys: Capture, functions: str) -> None:
    assert "takes no labels" in complaint(capsys, "axioms", f"{functions}:none")
    assert "AttributeError" in complaint(capsys, "axioms", f"{functions}:zap")
