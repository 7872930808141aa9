"""``rankspec axioms``: measures and functions, tables and JSON, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.cli.main import main

from .running import Capture, complaint, output

FUNCTIONS = """\
def hits(labels, judged, k):
    return sum(x > 0 for x in labels[:k])

def first(labels):
    return labels[0]

def none():
    return 1

def typo(labels):
    return sum(labls)

def leaves(labels):
    raise SystemExit(3)

def prints(labels):
    print("loud")
    return 0

number = 5
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
        (["axioms", "zap"], 'unknown measure "zap"'),
        (["axioms", "IDCG"], "IDCG depends only on the pool, not on the list"),
        (["axioms", "DCG", "--only", "zap"], 'axioms: unknown axiom "zap"; expected one of c1, c2'),
        (
            ["axioms", "DCG", "--labels", "1,2"],
            "labels: expected 0 and at least one label above 0, got [1, 2]",
        ),
        (["axioms", "ERR", "--labels", "0,9"], "with max=4, ERR takes"),
        (["axioms", "DCG", "--length", "40"], "3 labels make more than 1000000 lists"),
        (["axioms", "DCG", "--length", "1000000000"], "3 labels make more than 1000000 lists"),
        (["axioms", "sDCG", "--only", "c1"], '"c1" is about metrics of rankings'),
        (
            ["axioms", "DCG", "--only", "c1", "query-order"],
            '"query-order" is about metrics of sessions',
        ),
        (["axioms", "DCG", "--only", "c1", "c1"], 'only: "c1" is listed twice'),
        (["axioms", "DCG", "--k", "3"], "k: only functions use it, and no given function takes k"),
        (["axioms", "no_such_module:f"], "ModuleNotFoundError"),
        (["axioms", "nowhere.py:f"], "nowhere.py: cannot be read"),
    ],
)
def test_what_is_refused(capsys: Capture, words: list[str], said: str) -> None:
    assert said in complaint(capsys, *words)


def test_a_file_without_its_function(capsys: Capture, functions: str, tmp_path: Path) -> None:
    """A function is FILE.py:function; of another file it is not said that a module is missing."""
    said = complaint(capsys, "axioms", functions)
    assert f"names no function; expected {functions}:function" in said
    other = tmp_path / "qrels.txt"
    other.write_text("q 0 d 1\n", "utf-8")
    for name in (f"{other}:good", "a/qrels.txt:good"):
        said = complaint(capsys, "axioms", name)
        assert f'"{name}" names no function' in said
        assert "package.module:function or FILE.py:function" in said


def test_another_file_of_this_folder(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "qrels.txt").write_text("q 0 d 1\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert '"qrels.txt:good" names no function' in complaint(capsys, "axioms", "qrels.txt:good")
    long = "m" * 300  # no name that a file can have
    assert "ModuleNotFoundError" in complaint(capsys, "axioms", f"{long}:f")


def test_labels_stand_below_the_table_where_they_differ(capsys: Capture, functions: str) -> None:
    """A function is searched on 0, 1 and 2, precision is of relevant or not; [2] is a long name."""
    given = ("axioms", f"{functions}:hits", "nDCG(gain='exp2')@3", "P@3", "--only", "convergence")
    lines = output(capsys, *given, "--k", "3").splitlines()
    assert [line for line in lines if line.startswith("labels ")] == [
        "labels 0, 1, 2: hits, [2]",
        "labels 0, 1: P@3",
    ]
    same = output(capsys, *given, "--k", "3", "--labels", "0,1")
    assert "labels 0, 1" not in same


def test_functions_that_are_refused(capsys: Capture, functions: str) -> None:
    assert "none takes no argument for the labels" in complaint(
        capsys, "axioms", f"{functions}:none"
    )
    assert "AttributeError" in complaint(capsys, "axioms", f"{functions}:zap")


def test_a_name_that_is_no_function(capsys: Capture, functions: str) -> None:
    said = complaint(capsys, "axioms", f"{functions}:number")
    assert "own_metrics.py:number is no function" in said
    assert "imported" not in said


def test_a_function_without_a_value_is_reported(capsys: Capture, functions: str) -> None:
    """Three lists of two items fall, with four pools each; both sides are asked for."""
    given = ("axioms", f"{functions}:typo", "--only", "c1")
    out = output(capsys, *given)
    said = " ".join(out.split())
    assert "no value in 24 of 24 calls, first: NameError: name 'labls' is not defined" in said
    assert "open: 0 comparisons" in said
    assert "12 comparisons without a value passed over" in said
    assert max(map(len, out.splitlines())) <= 80
    (of,) = json.loads(output(capsys, *given, "--format", "json"))["metrics"]
    assert of["takes"] == ["labels"]
    assert (of["calls"]["made"], of["calls"]["without_value"]) == (24, 24)
    assert of["calls"]["first"]["instead"] == "NameError: name 'labls' is not defined"
    assert (of["axioms"][0]["searched"], of["axioms"][0]["passed_over"]) == (0, 12)


def test_a_function_without_a_value_is_reported_beside_others(
    capsys: Capture, functions: str
) -> None:
    out = output(capsys, "axioms", f"{functions}:leaves", "DCG", "--only", "c1")
    assert "leaves: no value in 24 of 24 calls, first: SystemExit: 3" in out


def test_what_a_function_prints_is_not_in_the_output(
    capfd: pytest.CaptureFixture[str], functions: str
) -> None:
    assert main(["axioms", f"{functions}:prints", "--only", "c1", "--format", "json"]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["metrics"][0]["axioms"][0]["status"] == "fails"
    assert (out.count("loud"), err) == (0, "")


def test_a_module_that_ends_the_program_is_refused(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "leaving.py"
    path.write_text("print('loud')\nraise SystemExit(3)\n", "utf-8")
    assert "leaving.py:f: SystemExit: 3" in complaint(capsys, "axioms", f"{path}:f")


def test_functions_of_one_name_are_called_by_their_files(
    capsys: Capture, functions: str, tmp_path: Path
) -> None:
    other = tmp_path / "more_metrics.py"
    other.write_text("def hits(labels):\n    return 1\n", "utf-8")
    given = ["axioms", f"{functions}:hits", f"{other}:hits", f"{other}:hits", "--only", "c1"]
    (one, two) = json.loads(output(capsys, *given, "--format", "json"))["metrics"]
    assert (one["name"], two["name"]) == (f"{functions}:hits", f"{other}:hits")


@pytest.mark.slow
def test_the_page_is_80_columns_wide(capsys: Capture) -> None:
    some = ["LNDCG(gain='linear', discount='zipf')@1000", "nERR(max=10)@5", "RR", "BPM", "UL2(AP)"]
    out = output(capsys, "axioms", *some, "--witness", "--length", "2")
    assert max(map(len, out.splitlines())) <= 80
