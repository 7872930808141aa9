"""``rankspec compare --unjudged-bounds``: the page, the other formats, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.cli.main import main

from ..each import each
from .running import Capture, complaint, output


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels of one document a query, which the first run shows; the second shows another."""
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq2 0 a 1\n")
    for name, d in (("judged.run", "a"), ("new.run", "x")):
        (tmp_path / name).write_text(f"q1 Q0 {d} 1 1 t\nq2 Q0 a 1 1 t\n")
    return [str(tmp_path / name) for name in ("qrels.txt", "judged.run", "new.run")]


@pytest.mark.spec("RS-AGR-42")
def test_the_page(capsys: Capture, files: list[str]) -> None:
    out = output(capsys, "compare", *files, "-m", "P@1,nDCG@5", "--unjudged-bounds")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].split() == ["system", "Judged@1", "Judged@5"]
    assert lines[3].split() == ["new.run", "0.5000", "0.5000"]
    assert "P@1: differences, and their exact intervals" in lines
    assert "nDCG@5: differences, and their enclosing intervals" in lines
    rows = [x.split() for x in lines if x.startswith("judged.run - new.run")]
    assert rows[0][3:] == ["+0.5000", "+0.0000", "+0.5000"]
    # one judged 1, in the pool only: DCG 1/log2(2) of x by the ideal 1 + 1/log2(3): .6131
    assert rows[1][3:] == ["+0.5000*", "+0.1934", "+0.5000"]


def test_other_formats(capsys: Capture, files: list[str]) -> None:
    arguments = ["compare", *files, "-m", "P@1", "--unjudged-bounds", "--judged", "2", "--format"]
    (row,) = csv.DictReader(io.StringIO(output(capsys, *arguments, "csv")))
    assert (row["low"], row["high"], row["exact"], row["decided"]) == ("0.0", "0.5", "yes", "no")
    assert (row["judged_2_first"], row["judged_2_second"]) == ("1.0", "0.5")
    tabs = output(capsys, *arguments, "tsv").splitlines()
    assert [line.split("\t") for line in tabs] == [list(row), list(row.values())]
    document = json.loads(output(capsys, *arguments, "json"))
    assert document["qrels"] == files[0]
    assert document["measures"][0]["pairs"][0]["per_query"] == {"q1": [0, 1], "q2": [0, 0]}
    assert output(capsys, *arguments, "latex").count("\\toprule") == 3
    assert "| judged.run - new.run | +0.5000 |" in output(capsys, *arguments, "markdown")


def test_a_baseline_by_its_path(capsys: Capture, files: list[str]) -> None:
    arguments = ["compare", *files, "-m", "P@1", "--unjudged-bounds", "--baseline", files[1]]
    assert "new.run - judged.run" in output(capsys, *arguments)


@each(
    ("more", "said"),
    [
        (("--test", "t"), "--test has no effect with --unjudged-bounds"),
        (("--alpha", "0.1"), "--alpha has no effect with --unjudged-bounds"),
        (("--qrels", "a", "b"), "--qrels has no effect with --unjudged-bounds"),
        (("--unjudged", "condensed"), 'unjudged: "condensed" removes unjudged documents'),
        (("--top", "2"), "--top has no effect with --unjudged-bounds"),
        (("--bin-width", "0.5"), "--bin-width has no effect with --unjudged-bounds"),
        (("--measures",), "--measures has no effect with --unjudged-bounds"),
        (("--subsets", "ideal"), "--subsets has no effect with --unjudged-bounds"),
        (("--splits", "3"), "--splits has no effect with --unjudged-bounds"),
        (("--letor", "x"), "--unjudged-bounds: all rows of a LETOR file have labels"),
        (("--judged", "0"), '"0": expected a whole number'),
        (("--baseline", "c"), 'baseline: unknown system "c"'),
        (("-m", "Bpref"), 'measure "Bpref"'),
    ],
)
def test_what_is_refused(
    capsys: Capture, files: list[str], more: tuple[str, ...], said: str
) -> None:
    given = ["compare", *files, "--unjudged-bounds", *more]
    assert said in complaint(capsys, *given)


def test_judged_alone_and_one_run(capsys: Capture, files: list[str]) -> None:
    said = complaint(capsys, "compare", *files, "--judged", "5")
    assert "--judged needs --unjudged-bounds; add it" in said
    said = complaint(capsys, "compare", *files[:2], "--unjudged-bounds")
    assert "runs: expected two or more, got 1" in said


@pytest.mark.spec("RS-CONV-27")
def test_a_warning_is_in_a_line_and_names_the_run(
    capsys: Capture, files: list[str], tmp_path: Path
) -> None:
    """As rankspec eval has it, and without what is for Python alone; the API names it, too."""
    (tmp_path / "other.run").write_text("Q1 Q0 a 1 1 t\n")
    runs = [*files[:2], str(tmp_path / "other.run")]
    words = (
        "no query is both in the qrels and in the run; only the qrels have "
        '"q1", only the run has "Q1": a query must have the same id in both (RS-CONV-27)'
    )
    for command in (["eval"], ["compare", "--unjudged-bounds"]):
        assert main([command[0], *runs, "-m", "P@1", *command[1:]]) == 0
        assert capsys.readouterr().err == f"rankspec: warning: other.run: {words}\n"
    qrels, run = {"q1": {"a": 1}}, {"Q1": {"a": 1.0}}
    with pytest.warns(rs.InputWarning, match='^run "other": no query is both .*; to silence this'):
        rs.unjudged_bounds(qrels, {"other": run, "judged": {"q1": {"a": 1.0}}}, "P@1")
