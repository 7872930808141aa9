"""``rankspec compare``: measures, classes of queries, two collections, splits."""

from __future__ import annotations

import csv
import io
import json
import random
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

import rankspec

from ..each import each
from .running import Capture, complaint, output

EXAMPLE = Path(rankspec.__file__).parent / "example"
NAMES = ("good.run", "fair.run", "poor.run")
NOISE = {"good.run": 0.6, "fair.run": 1.2, "poor.run": 5.0}


def collection(folder: Path, seed: int, queries: int) -> list[str]:
    """Qrels and three runs, with more or less of noise."""
    choose = random.Random(seed)
    folder.mkdir()
    qrels: list[str] = []
    runs: dict[str, list[str]] = {name: [] for name in NAMES}
    for q in range(queries):
        share = choose.choice([0.1, 0.4, 0.9])
        labels = {f"d{d}": int(choose.random() < share) for d in range(12)}
        qrels += [f"q{q} 0 {doc} {label}\n" for doc, label in labels.items()]
        for name, lines in runs.items():
            for doc, label in labels.items():
                score = label + choose.gauss(0, NOISE[name])
                lines.append(f"q{q} Q0 {doc} 1 {score:.6f} x\n")
    (folder / "qrels.txt").write_text("".join(qrels))
    for name, lines in runs.items():
        (folder / name).write_text("".join(lines))
    return [str(folder / name) for name in ("qrels.txt", *NAMES)]


@pytest.fixture
def first(tmp_path: Path) -> list[str]:
    return collection(tmp_path / "one", 1, 24)


@pytest.fixture
def second(tmp_path: Path) -> list[str]:
    return collection(tmp_path / "two", 2, 18)


FEW = ("-m", "nDCG@10", "-m", "AP", "--replicates", "20", "--test", "t")


def evaluations(capsys: Capture, files: list[str]) -> dict[str, Any]:
    """What rankspec eval says of each run."""
    found = json.loads(output(capsys, "eval", *files, *FEW[:4], "-q", "--format", "json"))
    return {run["run"]: run for run in found["runs"]}


def test_the_sections_in_80_columns(capsys: Capture, first: list[str], second: list[str]) -> None:
    options = ["--measures", "--rbo-p", "0.9", "--subsets", "ideal,uninformative", "--top", "6"]
    options += ["--splits", "5", "--against", *second]
    out = output(capsys, "compare", *first, *FEW, *options)
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    for title in (
        "measures: significant pairs by test, mean PAD",
        "agreement of the measures' orders of the systems",
        "significant differences by two measures",
        "nDCG@10: means by set of queries",
        "AP: p of t by set of queries, corrected in each",
        "significant pairs, and mean PAD, by set of queries",
        "significant differences by two measures, ideal",
        "swaps between sets of queries",
        "swaps between the two collections",
        "swap rates of halves of the queries, 5 random splits, by difference",
    ):
        assert title in lines
    assert "system    all (24)  ideal (6)  uninformative (6)" in lines
    assert any(x.startswith("nDCG@10, ideal and uninformative  6 and 6") for x in lines)
    assert any(x.startswith("AP, all") and "24 and 18" in x for x in lines)
    assert "RBO: RS-AGR-7, extrapolated, of the variant b for ties, p = 0.9" in lines
    short = output(capsys, "compare", *first, *FEW)
    assert "set of queries" not in short
    assert "gained" not in short
    assert "nDCG@10, AP  " in short  # tau_b, as there are three systems


@pytest.mark.parametrize("name", ["x" * 70, "系统名字很长" * 8])
def test_long_and_wide_names_in_80_columns(capsys: Capture, tmp_path: Path, name: str) -> None:
    """One document of a query is relevant: r1 is better by P@1, r2 by RR."""
    (tmp_path / "qrels.txt").write_text("".join(f"q{q} 0 d1 1\n" for q in range(4)))
    ranks = {"r1": [1, 1, 9, 9], "r2": [1, 2, 2, 2]}
    runs = []
    for start, places in ranks.items():
        runs.append(tmp_path / f"{start}{name}.run")
        lines = [
            f"q{q} Q0 d{1 if rank == place else rank + 10} {rank} {10 - rank} x\n"
            for q, place in enumerate(places)
            for rank in range(1, 10)
        ]
        runs[-1].write_text("".join(lines))
    paths = [str(tmp_path / "qrels.txt"), *map(str, runs)]
    options = ["-m", "P@1,RR", "--measures", "--test", "t", "--replicates", "20"]
    lines = output(capsys, "compare", *paths, *options).splitlines()
    assert max(map(cell_len, lines)) <= 80
    at = lines.index("pairs of systems that two measures order otherwise")
    cells = [line.split()[-1] for line in lines[at + 1 : at + 6] if line.startswith("P@1, RR")]
    assert [cell[:2] for cell in cells] == ["r1", "r2"]
    assert all("..." in cell and cell.endswith(".run") for cell in cells)
    whole = output(capsys, "compare", *paths, *options, "--format", "markdown")
    assert f"| P@1, RR | r1{name}.run | r2{name}.run |" in whole


@each("by", [(), ("--classes-by", "AP", "--gap", "absolute", "--hard", "0.5")], fast=1)
def test_the_sets_are_those_of_classify(
    capsys: Capture, first: list[str], by: tuple[str, ...]
) -> None:
    names = ["ideal", "uninformative", "hard"]
    how = ["--top", "9", *by]
    found = json.loads(
        output(capsys, "compare", *first, *FEW, *how, "--subsets", ",".join(names), "--format=json")
    )
    asked = [x.replace("--classes-by", "-m") for x in how]
    classes = json.loads(output(capsys, "classify", *first, *asked, "--format", "json"))
    values = evaluations(capsys, first)
    assert list(found["subsets"]) == names
    for name, of in found["subsets"].items():
        queries = [x["query"] for x in classes["queries"] if name in x["classes"]]
        assert len(queries) >= 2
        for measure in of["measures"]:
            assert measure["queries"] == len(queries)
            for system in measure["systems"]:
                per_query = values[system["system"]]["per_query"][measure["measure"]]
                mean = fsum(per_query[q] for q in queries) / len(queries)
                assert system["mean"] == pytest.approx(mean, rel=1e-14)


def test_swaps_of_two_collections(capsys: Capture, first: list[str], second: list[str]) -> None:
    options = ["--against", second[0], *second[:0:-1], "--format", "json"]
    found = json.loads(output(capsys, "compare", *first, *FEW, *options))
    means = [evaluations(capsys, files) for files in (first, second)]
    assert len(found["against"]) == 2
    for swaps in found["against"]:
        one, other = ({n: of[n]["mean"][swaps["measure"]] for n in NAMES} for of in means)
        wanted = [[a, b] for a in NAMES for b in NAMES if one[a] > one[b] and other[a] < other[b]]
        assert swaps["swapped"] == wanted
        assert swaps["queries"] == [24, 18]


def test_lines_of_measures(capsys: Capture, first: list[str], second: list[str]) -> None:
    options = ["--measures", "--splits", "4", "--subsets", "ideal", "--top", "6"]
    arguments = ["compare", *first, *FEW, *options, "--against", *second, "--format"]
    rows = list(csv.DictReader(io.StringIO(output(capsys, *arguments, "csv"))))
    figures = {row["figure"] for row in rows}
    assert {"significant pairs", "mean PAD", "tau_AP 1st", "gained", "swap rate"} <= figures
    halves = [row for row in rows if row["figure"] == "swap rate of halves"]
    assert len(halves) == 2 * 21
    assert sum(int(row["of"]) for row in halves) == 2 * 4 * 3
    assert [row["high"] for row in halves if row["low"] == "0.2"] == ["", ""]
    assert {row["set"] for row in rows if row["figure"] == "gained"} == {"all", "ideal"}
    tabs = output(capsys, *arguments, "tsv").splitlines()
    assert [line.split("\t") for line in tabs] == [list(rows[0]), *(list(x.values()) for x in rows)]


def test_lines_of_pairs_by_set(capsys: Capture, first: list[str]) -> None:
    options = ["--subsets", "ideal", "--top", "6", "--format", "csv"]
    rows = list(csv.DictReader(io.StringIO(output(capsys, "compare", *first, *FEW, *options))))
    assert [row["set"] for row in rows] == ["all"] * 6 + ["ideal"] * 6
    assert {row["queries"] for row in rows if row["set"] == "ideal"} == {"6"}


@each("form", ["latex", "markdown"])
def test_tables_for_papers(capsys: Capture, first: list[str], form: str) -> None:
    options = ["--measures", "--splits", "4", "--subsets", "ideal", "--top", "6", "--format", form]
    out = output(capsys, "compare", *first, *FEW, *options)
    assert "significant differences by two measures, ideal" in out
    row = next(x for x in out.splitlines() if x.replace("\\", "").startswith(("| all |", "all &")))
    assert row.replace("\\", "").count("/12 (") == 2


def test_rows_of_a_letor_file(capsys: Capture) -> None:
    letor = str(EXAMPLE / "letor.txt")
    options = ["--against", letor, "--subsets", "ideal,uninformative", "--top", "2"]
    given = ["--letor", letor, "--feature", "1", "2", "-m", "AP", "--format", "json"]
    found = json.loads(output(capsys, "compare", *given, *options))
    assert [x["rate"] for x in found["against"]] == [0, 0, 0]
    assert [of["measures"][0]["queries"] for of in found["subsets"].values()] == [2, 2]


REASON = "a comparison on a set needs two queries with a value of the measure (RS-AGR-31); "


def test_a_class_with_too_few_queries(capsys: Capture, first: list[str]) -> None:
    """It is n/a, with the reason once, and the other classes are as without it."""
    options = ["--subsets", "uninformative,hard", "--top", "1", "--hard", "0"]
    arguments = ["compare", *first, *FEW, *options, "--format"]

    def words(form: str) -> str:
        out = output(capsys, *arguments, form)
        return " ".join(out.replace("\\", "").replace("% ", "").split())

    page = words("table")
    assert "system all (24) uninformative (1) hard (0) good.run" in page
    assert "nDCG@10, uninformative and hard 1 and 0 n/a n/a" in page
    markdown, latex = words("markdown"), words("latex")
    assert "| nDCG@10, t |" in markdown
    assert "| n/a | n/a |" in markdown
    assert "& n/a & n/a" in latex
    for text in (page, markdown, latex):
        assert text.count(f"n/a: {REASON}one: uninformative; none: hard") == 1
        assert text.count(REASON) == 1
    rows = list(csv.DictReader(io.StringIO(output(capsys, *arguments, "csv"))))
    assert [row["set"] for row in rows] == ["all"] * 6 + ["uninformative"] * 6 + ["hard"] * 6
    for row in rows[6:]:
        none = row["set"] == "hard"
        assert row["queries"] == ("0" if none else "1")
        few = "no query" if none else "only one query"
        assert row["why"] == f"{few} of the set has a value; a comparison needs two"
        assert (row["p"], row["difference"], row["significant"]) == ("", "", "")
        assert (row["test"], row["first"][-4:]) == ("t", ".run")
    tabs = [line.split("\t") for line in output(capsys, *arguments, "tsv").splitlines()]
    assert tabs == [list(rows[0]), *(list(row.values()) for row in rows)]
    document = json.loads(output(capsys, *arguments, "json"))
    for name, n in (("uninformative", 1), ("hard", 0)):
        of = document["subsets"][name]
        assert of["measures"] == []
        assert [(x["measure"], x["queries"]) for x in of["not_compared"]] == [
            ("nDCG@10", n),
            ("AP", n),
        ]
    assert [x["rate"] for x in document["set_swaps"]] == [None, None]


def test_figures_of_a_class_with_too_few_queries(capsys: Capture, first: list[str]) -> None:
    options = ["--measures", "--subsets", "ideal", "--top", "1", "--format", "csv"]
    out = output(capsys, "compare", *first, *FEW, *options, "--against", *first)
    rows = list(csv.DictReader(io.StringIO(out)))
    found = [
        (x["figure"], x["measure"], x["count"], x["of"], x["value"])
        for x in rows
        if x["set"] == "ideal"
    ]
    assert found == [
        ("too few queries", "nDCG@10", "1", "2", ""),
        ("too few queries", "AP", "1", "2", ""),
        ("swap rate", "nDCG@10", "", "3", ""),
        ("tau_b", "nDCG@10", "", "", ""),
        ("swap rate", "AP", "", "3", ""),
        ("tau_b", "AP", "", "", ""),
    ]


@each(
    ("arguments", "said"),
    [
        (("--subsets", "idael"), 'subsets: unknown name "idael" (did you mean "ideal"?)'),
        (("--subsets", "hard,hard"), 'subsets: "hard" is listed twice'),
        (("--subsets", ""), 'subsets: unknown name ""; expected one of "informative"'),
        (("--classes-by", "AP"), "--classes-by: only --subsets uses it; add --subsets"),
        (
            ("--subsets", "ideal", "--pool", "retrieved"),
            'pool: with "retrieved" each run has its own pool',
        ),
        (("--rbo-p", "0.9"), "rbo_p: only the comparison of measures uses it"),
        (("--rbo-p", "1", "--measures"), '"1" is not a number between 0 and 1, like 0.9'),
        (("--splits", "0"), '"0": expected a whole number, from 1 to 2^32'),
        (("--splits", "4294967297"), '"4294967297": expected a whole number, from 1 to 2^32'),
        (("--replicates", "100000000000"), "expected a whole number, from 1 to 2^32"),
        (("--splits", "3", "--bin-width", "0"), "bin_width: expected a number above 0, got 0"),
        (("--splits", "3", "--format", "csv"), "per pair of measures; swap rates need --measures"),
        (("--against", "x.txt", "good.run"), 'collections has "fair.run", "poor.run"; systems are'),
        (("--against", "x.txt", *NAMES), "x.txt: cannot be read"),
        (
            ("--against", "-", *NAMES),
            "--against: only the first collection can come from the standard",
        ),
        (
            ("--topics", "x.txt", "--against", "y", *NAMES),
            "--topics: it maps the queries of one collection",
        ),
    ],
)
def test_what_is_refused(
    capsys: Capture, first: list[str], arguments: tuple[str, ...], said: str
) -> None:
    assert said in complaint(capsys, "compare", *first, *FEW, *arguments)
