"""``rankspec compare --qrels A B``: the page, the other formats, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from ..each import each
from .running import Capture, complaint, output

# Labels of document a and b of twelve queries; the run a shows a, the run b shows b.
PEOPLE = [(int(n < 9), int(n < 3)) for n in range(12)]
MODEL = [(int(n < 8), int(n >= 2)) for n in range(12)]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two qrels, and two runs."""
    for name, labels in (("people.txt", PEOPLE), ("model.txt", MODEL)):
        lines = [f"q{n} 0 a {a}\nq{n} 0 b {b}\n" for n, (a, b) in enumerate(labels)]
        (tmp_path / name).write_text("".join(lines))
    for name in "ab":
        (tmp_path / f"{name}.run").write_text(
            "".join(f"q{n} Q0 {name} 1 1.0 x\n" for n in range(12))
        )
    return [str(tmp_path / name) for name in ("people.txt", "model.txt", "a.run", "b.run")]


@pytest.mark.spec("RS-AGR-40")
def test_the_page(capsys: Capture, files: list[str]) -> None:
    out = output(capsys, "compare", "--qrels", *files, "-m", "P@1")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[2].split() == ["judged", "by", "both", "24"]
    # means 9/12 and 8/12; 3/12 and 10/12
    row = next(x for x in lines if x.startswith("a.run ")).split()
    assert row[1:4] == ["0.7500", "0.6667", "-0.0833"]
    row = next(x for x in lines if x.startswith("b.run ")).split()
    assert row[1:4] == ["0.2500", "0.8333", "+0.5833*"]
    assert "P@1: lost by t: a.run - b.run" in lines
    assert "P@1: swapped (better by people.txt - by model.txt): a.run - b.run" in lines
    row = next(x for x in lines if x.startswith("P@1  "))
    assert row.split()[1:5] == ["-1.0000", "-1.0000", "1", "0/1/0"]


def test_the_option_may_follow_the_runs(capsys: Capture, files: list[str]) -> None:
    people, model, *runs = files
    first = output(capsys, "compare", "--qrels", people, model, *runs, "-m", "P@1")
    assert output(capsys, "compare", *runs, "-m", "P@1", "--qrels", people, model) == first


def test_other_formats(capsys: Capture, files: list[str]) -> None:
    arguments = ["compare", "--qrels", *files, "-m", "P@1", "--format"]
    rows = list(csv.DictReader(io.StringIO(output(capsys, *arguments, "csv"))))
    assert [(x["kind"], x["test"], x["system"], x["other"]) for x in rows] == [
        ("system", "", "a.run", ""),
        ("system", "", "b.run", ""),
        ("swapped", "", "a.run", "b.run"),
        ("lost", "t", "a.run", "b.run"),
        ("lost", "randomisation", "a.run", "b.run"),  # 2 of 2^6 sign flips are as extreme
    ]
    assert float(rows[0]["shift"]) == pytest.approx(-1 / 12)
    tabs = output(capsys, *arguments, "tsv").splitlines()
    assert [line.split("\t") for line in tabs] == [list(rows[0]), *(list(x.values()) for x in rows)]
    document = json.loads(output(capsys, *arguments, "json"))
    assert document["qrels"] == files[:2]
    assert [x["judgments"] for x in document["comparisons"]] == ["people.txt", "model.txt"]
    assert document["measures"][0]["systems"][1]["bias"] == pytest.approx((7 + 1) / 24)
    latex = output(capsys, *arguments, "latex")
    assert latex.count("\\toprule") == latex.count("\\bottomrule") == 5
    assert "b.run & 0.2500 & 0.8333 & $+$0.5833$^{*}$ & $[" in latex
    assert "| b.run | 0.2500 | 0.8333 | +0.5833\\* |" in output(capsys, *arguments, "markdown")


def test_options_of_compare_and_conventions(capsys: Capture, files: list[str]) -> None:
    arguments = ["compare", "--qrels", *files, "-m", "P@1", "--format", "json"]
    given = ["--baseline", files[2], "--test", "sign", "--alpha", "0.1", "--grades", "1=2"]
    document = json.loads(output(capsys, *arguments, *given))
    assert [x["baseline"] for x in document["comparisons"]] == ["a.run"] * 2
    assert {x["first"] for x in document["labels"]["counts"]} == {0, 2}
    assert list(document["measures"][0]["changes"]) == ["sign"]


def test_long_names_stay_within_80_columns(capsys: Capture, tmp_path: Path) -> None:
    qrels = [tmp_path / f"{'judgments-of-a-very-long-campaign-' * 3}{x}.txt" for x in "ab"]
    runs = [tmp_path / f"{'system-with-a-long-name-' * 4}{x}.run" for x in "ab"]
    for path in qrels:
        path.write_text("q1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq2 0 b 0\n")
    for path, d in zip(runs, "ab", strict=True):
        path.write_text(f"q1 Q0 {d} 1 1 x\nq2 Q0 {d} 1 1 x\n")
    out = output(capsys, "compare", "--qrels", *map(str, [*qrels, *runs]), "-m", "nDCG@10,AP")
    assert max(map(len, out.splitlines())) <= 80


@each(
    ("take", "more", "said"),
    [
        ((0, 1, 2), (), "runs: expected two or more after --qrels A B, got 1"),
        ((0, 1), (), "runs: expected two or more after --qrels A B, got 0"),
        ((0, 0, 2, 3), (), "the same qrels file is given twice"),
        ((0, 1, 2, 2), (), "the same run is given twice"),
        ((0, 1, 2), ("-",), "the standard input can be read only once, but --qrels reads each run"),
        ((0, 1, 2, 3), ("--hard", "0.5"), "--hard has no effect with --qrels"),
        ((0, 1, 2, 3), ("--rbo-p", "0.5"), "--rbo-p has no effect with --qrels"),
        ((0, 1, 2, 3), ("--against", "x", "y"), "--against has no effect with --qrels"),
        ((0, 1, 2, 3), ("--letor", "x"), "--qrels: a LETOR file brings its own judgments"),
        ((0, 1, 2, 3), ("--baseline", "c.run"), 'baseline: unknown system "c.run"'),
        ((0,), (), "expected 2 arguments"),
    ],
)
def test_what_is_refused(
    capsys: Capture, files: list[str], take: tuple[int, ...], more: tuple[str, ...], said: str
) -> None:
    given = [files[n] for n in take]
    assert said in complaint(capsys, "compare", "-m", "P@1", "--qrels", *given, *more)


def test_judgments_that_have_nothing_in_common(
    capsys: Capture, files: list[str], tmp_path: Path
) -> None:
    people, model, *runs = files
    other, fewer = tmp_path / "other.txt", tmp_path / "fewer.txt"
    other.write_text("".join(f"q{n} 0 c 1\n" for n in range(12)))
    said = complaint(capsys, "compare", "--qrels", people, str(other), *runs)
    assert '"people.txt" and "other.txt" share no document of a query' in said
    fewer.write_text("".join(Path(model).read_text().splitlines(keepends=True)[:20]))
    said = complaint(capsys, "compare", "--qrels", people, str(fewer), *runs)
    assert '"people.txt" and "fewer.txt": only "people.txt" has "q10", "q11"' in said
