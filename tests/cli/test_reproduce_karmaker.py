"""``rankspec reproduce karmaker-2022``: verdicts, what is told instead, and the experiment."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import flint
import pytest

import rankspec as rs
from rankspec.cli.main import main
from rankspec.papers import karmaker_2022
from rankspec.papers.karmaker_2022 import (
    claims,
    data_tables,
    experiment,
    joint,
    printed,
    rankers,
    tables,
)
from rankspec.papers.reproduction import Reproduction
from tests.papers import errata
from tests.reference.balls import log, nearest

ROOT = Path(__file__).resolve().parents[2]

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def found() -> Reproduction:
    return rs.reproduce("karmaker-2022")


def computed_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, made to compute each answer once; a generator becomes a list."""

    def answer(*args: Any) -> Any:
        value = function(*args)
        return list(value) if isinstance(value, Iterator) else value

    return cache(answer)


OF_THE_PAPER = {
    name: computed_once(function)
    for name, function in vars(karmaker_2022).items()
    if getattr(function, "__module__", "") in (claims.__name__, joint.__name__, tables.__name__)
}


@pytest.fixture
def paper_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what needs no data, which each call would compute anew."""
    for name, function in OF_THE_PAPER.items():
        monkeypatch.setattr(karmaker_2022, name, function)


def test_verdicts(found: Reproduction) -> None:
    assert found.verdicts == {
        "equal": 13,
        "RS-ERR-24": 14,
        "RS-ERR-25": 4,
        "RS-ERR-26": 1,
        "RS-ERR-27": 1,
        "RS-ERR-28": 8,
        "RS-ERR-29": 2,
        "RS-ERR-43": 4,
        "RS-ERR-44": 6,
        "possible": 106,
        "differs": 0,
    }
    assert found.unexplained == 0


def test_what_is_not_computed_is_not_equal(found: Reproduction) -> None:
    """Of the columns of uninformative and ideal queries no mean is printed; 6.42 is within what the
    means can be that are (RS-ERR-25). The errata count what other figures exclude.
    """
    figures = [
        (int(table.title.split()[1].strip(":,")), row, column, figure)
        for table in found.tables
        if table.title.startswith("Table ")
        for row, column, figure in table.figures()
    ]
    counted = [x for x in figures if x[0] in (7, 8, 17, 18)]
    assert len(counted) == 60
    of_sets = [x for x in figures if not x[2].startswith("All") and x[0] not in (7, 8, 17, 18)]
    of_sets = [x for x in of_sets if x[0] not in (9, 19) or x[2] not in printed.DATA_SETS]
    not_computed = [*counted, *of_sets]
    excluded = {"RS-ERR-27", "RS-ERR-28", "RS-ERR-43", "RS-ERR-44"}
    assert {figure.verdict for *_, figure in not_computed} == {"possible"} | excluded
    (within,) = [x for x in figures if x[3].verdict == "possible" and x not in not_computed]
    assert within[3].printed == "6.42"
    walk = {(n, row, column) for n, row, column, figure in figures if figure.verdict == "RS-ERR-43"}
    assert walk == {
        (6, "DCG_V2, MQ2007", "uninform."),
        (6, "DCG_V2, MQ2007", "Ideal"),
        (11, "nDCG", "MQ2007"),
        (11, "DCG_V2", "MQ2007"),
    }
    assert {n for n, *_, figure in figures if figure.verdict == "RS-ERR-44"} == {20}


def test_the_errata_count_the_figures(found: Reproduction) -> None:
    counts = found.verdicts
    opening = " ".join((ROOT / "spec" / "errata.md").read_text("utf-8").split("## ")[0].split())
    number = sum(counts.values())
    excluded = sum(counts[f"RS-ERR-{n}"] for n in (27, 28, 43, 44))
    can = counts["possible"] - len(printed.WITHIN)
    assert f"Of the {number} figures of karmaker-2022" in opening
    assert f"{number - can - excluded} follow from others that it prints" in opening
    assert f"{counts['equal']} as printed, {counts['RS-ERR-24']} more if cut off" in opening
    assert f"the other {can + excluded} is known" in opening
    assert f"{can} can be as printed, {excluded} cannot" in opening


def test_each_erratum_has_its_clause(found: Reproduction) -> None:
    clauses = found.paper.errata
    assert list(clauses) == [v for v in found.verdicts if v.startswith("RS-ERR")]
    assert f"  E24  {clauses['RS-ERR-24']} (RS-ERR-24)\n" in str(found)


def test_what_fails_is_what_is_found(found: Reproduction) -> None:
    """A line tells of the claim above it, and what is there."""
    lines = str(found).splitlines()
    for line in (
        "  fails  Table 16, Ideal of MQ2007: tau is 1 (RS-ERR-30)",
        "  fails  by the scores at k = 5: 4 of 8 (as expected)",
        "  fails  up to seven relevant and seven other items, k to 7: the formula gives",
        "  fails  the same, k = 2: 1.0000 and -0.3333, with the mean 0.3333 (RS-ERR-20)",
        "  fails  one relevant item alone, whose ranking is perfect: 0.0000 (RS-ERR-21)",
        "  fails  Table 20, ideal: 0.321; MAP 0.2857, V1 0.25 (RS-ERR-30)",
        "  fails  Table 8, All: 0 by DCG_V1, 0 by nDCG (RS-ERR-30)",
    ):
        assert line in lines


def test_the_spec_has_what_is_cited(found: Reproduction) -> None:
    cited = {id_ for claim in found.claims for check in claim.checks for id_ in check.spec}
    assert {
        f"RS-ERR-{n}" for n in (5, 6, 19, 20, 21, *range(24, 33), *range(43, 47), 49)
    } == cited | {"RS-ERR-27"}
    for id_ in cited:
        assert errata.entry(id_)


def test_every_table_is_computed_or_said_not_to_be(found: Reproduction) -> None:
    """Tables 2 to 21: a title or a claim names each."""
    words = [table.title for table in found.tables] + [c.where + c.claim for c in found.claims]
    words += [missing.where for missing in found.paper.not_recomputed]
    text = " ".join(words)
    for number in (9, 6, 10, 11, 7, 8, 16, 17, 18, 19, 20, 21):
        assert f"{number}" in text
    assert found.paper.not_recomputed[0].figures == 480
    assert sum(len(row) for rows in printed.PRINTED.values() for row in rows.values()) == 480


@pytest.mark.parametrize("backend", ["c", "reference"])
@pytest.mark.usefixtures("paper_once")
def test_both_backends(found: Reproduction, backend: str) -> None:
    assert rs.reproduce("karmaker-2022", backend=backend).to_dict() == found.to_dict()


@pytest.mark.usefixtures("paper_once")
def test_text(capsys: Capture) -> None:
    assert main(["reproduce", "karmaker-2022"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    assert max(map(len, lines)) <= 80
    assert any(
        x.startswith("nDCG       31 29.7804 E25   1.74 1.7490 E24       7.39 - ~") for x in lines
    )
    assert "MSP_V2  20.01 20.0164 E24" in lines
    assert "DCG_V2, MSLR-WEB30K, uninform.    33     78  46 - E28  0.5000  45.5000" in lines
    assert "MSP_V2, MSLR-WEB30K, uninform.   61     81  36 - ~          8       28" in lines
    assert "0.154, 0.269  74.6 74.6753 E24" in lines
    assert "121 checks of claims" in " ".join(lines)


def test_a_wrong_cell_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: with RF and CA exchanged in Table 2 no τ of it is 1; PAD stays as it is."""
    rows = dict(printed.PRINTED["nDCG", "MSLR-WEB30K"])
    rows["RF"], rows["CA"] = rows["CA"], rows["RF"]
    monkeypatch.setitem(printed.PRINTED, ("nDCG", "MSLR-WEB30K"), rows)
    changed = rs.reproduce("karmaker-2022")
    differing = {
        (row, column, figure.printed)
        for table in changed.tables
        for row, column, figure in table.figures()
        if figure.verdict == "differs"
    }
    assert differing == {
        ("DCG_V1, MSLR-WEB30K", "All", "1"),
        ("DCG_V2, MSLR-WEB30K", "All", "1"),
    }
    assert changed.unexplained > 2


def test_the_worked_example(found: Reproduction, monkeypatch: pytest.MonkeyPatch) -> None:
    """By balls: nDCG, its mean over all orders, eq. 5 and eq. 6."""
    monkeypatch.setattr(flint.ctx, "prec", 200)
    d = [1 / log(i + 1, 2) for i in range(1, 6)]
    (table,) = [t for t in found.tables if t.title.startswith("Figure 1")]
    for (label, cells), (name, labels) in zip(table.rows, tables.EXAMPLES.items(), strict=True):
        assert label == f"{name}: {' '.join(map(str, labels))}"
        g = [2**r - 1 for r in labels]
        dcg, idcg = (
            sum((x * y for x, y in zip(of, d, strict=False)), flint.arb(0))
            for of in (g, sorted(g, reverse=True))
        )
        A, L = dcg / idcg, sum(d, flint.arb(0)) * sum(g) / 10 / idcg
        by_hand = (A, L, A * A / (A + L), (A - L) / (1 - L))
        for cell, ball in zip(cells, by_hand, strict=False):
            assert nearest(ball) == cell


# The experiment

ALL_FEATURES = " ".join(f"{f}:1" for f in rankers.FEATURES)
NAMES = [f"{f}" for f in rankers.FEATURES]


def write(path: Path, queries: dict[str, list[tuple[int, float]]]) -> None:
    """Rows whose features are all the same number."""
    rows = [
        f"{label} qid:{name} " + " ".join(f"{f}:{x}" for f in rankers.FEATURES) + " #docid = d"
        for name, items in queries.items()
        for label, x in items
    ]
    content = "\n".join([*rows, ""]).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


def queries_of(n: int) -> dict[str, list[tuple[int, float]]]:
    """Of query i the relevant item is at rank 1 + i mod 4 of four."""
    return {
        f"{i}": [(2 if rank == i % 4 else 0, 1.0 - rank / 4) for rank in range(4)] for i in range(n)
    }


def test_files(tmp_path: Path) -> None:
    write(tmp_path / "b.txt.gz", queries_of(3))
    write(tmp_path / "a.txt", {"x": [(1, 1), (0, 1)], "y": [(0, 1), (0, 2)]})
    (tmp_path / "folds.txt").write_text("Fold1 S1\n")
    (tmp_path / "about.md").write_text("Rows have a qid:\n")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "folder").mkdir()
    folder = experiment.read(tmp_path)
    files = folder.files
    assert [path.name for path in folder.others] == ["about.md", "empty.txt", "folds.txt"]
    assert [(f.name, len(f.queries), f.without) for f in files] == [
        ("a.txt", 1, 1),
        ("b.txt.gz", 3, 0),
    ]
    assert files[0].queries[0].labels == [1, 0]
    assert files[1].queries[1].scores["25"] == [1.0, 0.75, 0.5, 0.25]


@pytest.mark.spec("RS-CONV-21")
def test_files_may_begin_with_a_comment(tmp_path: Path) -> None:
    write(tmp_path / "b.txt", queries_of(3))
    rows = (tmp_path / "b.txt").read_text()
    (tmp_path / "a.txt").write_text(f"# of three queries\n\n{rows}")
    a, b = experiment.read(tmp_path).files
    assert a == b._replace(name="a.txt")


@pytest.mark.spec("RS-CONV-21")
def test_features_that_a_row_does_not_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first item is not ranked by any feature, and the last one has 0 of most."""
    others = " ".join(f"{f}:-1" for f in rankers.FEATURES)
    rows = [
        "1 qid:1 " + " ".join(f"{f}:NULL" for f in rankers.FEATURES),
        f"0 qid:1 {others}",
        "1 qid:1 41:-2",
    ]
    (tmp_path / "a.txt").write_text("\n".join(rows))
    folder = experiment.read(tmp_path, rankers.Chosen(features=rankers.FEATURES))
    (query,) = folder.queries
    assert query.ranked("15") == ([0, 1], [-1.0, 0.0])
    assert query.ranked("41") == ([0, 1], [-1.0, -2.0])
    monkeypatch.setattr(flint.ctx, "prec", 200)
    ideal = 1 + 1 / log(3, 2)
    study = experiment.originals_of(folder, "c")["nDCG"]
    assert study.values["nDCG", "15"] == [[nearest(1 / ideal)]] * 5
    assert study.values["nDCG", "41"] == [[nearest(1 / log(3, 2) / ideal)]] * 5


def test_values_by_all_orders(tmp_path: Path) -> None:
    """Eq. 3 and E[SP] of a query of which all are tied: the mean over its orders."""
    write(tmp_path / "a.txt", {"x": [(1, 1.0), (0, 1.0), (2, 1.0)]})
    folder = experiment.read(tmp_path, rankers.Chosen(features=(15, 41)))
    study = experiment.studies_of(folder, "reference")["MAP"]

    def ap(R: tuple[int, ...], k: int) -> Fraction:
        return (
            sum((Fraction(sum(R[: i + 1]) * R[i], i + 1) for i in range(min(k, 3))), Fraction(0))
            / k
        )

    orders = list(permutations((1, 0, 1)))
    expected = [
        float(sum((ap(R, k) for R in orders), Fraction(0)) / len(orders)) for k in printed.CUTOFFS
    ]
    mean = sum(map(Fraction, expected), Fraction(0)) / 5
    assert study.expected == study.real == [mean]
    assert study.values["MSP_V2", "41"] == [[0.0]] * 5


def test_sets(tmp_path: Path) -> None:
    """Twenty queries: of five the relevant item is last, of five it is first; of equal gaps the
    queries that come first."""
    write(tmp_path / "a.txt", queries_of(20))
    studies = experiment.studies_of(experiment.read(tmp_path), "c")
    for study in studies.values():
        sets = study.sets
        assert sorted(sets["All"]) == list(range(20))
        assert sets["uninform."] == [3, 7]
        assert sets["Ideal"] == [0, 4]


def test_bins() -> None:
    given = [Fraction(x) for x in ("0", "0.1", "0.19", "0.95", "1")]
    assert experiment.in_bins(given) == [1, 2, 0, 0, 0, 0, 0, 0, 0, 2]


@pytest.mark.usefixtures("paper_once")
def test_the_command(tmp_path: Path, capsys: Capture) -> None:
    write(tmp_path / "a.txt", queries_of(8))
    for format_ in ("table", "json"):
        words = ["reproduce", "karmaker-2022", "--data", str(tmp_path), "--format", format_]
        assert main(words) == 0
        out, err = capsys.readouterr()
        assert err == ""
    document: dict[str, Any] = json.loads(out)
    assert document["unexplained"] == 0
    by_title = {table["title"]: table for table in document["tables"]}
    (files,) = [t for title, t in by_title.items() if title.startswith("The files of --data")]
    assert files["rows"] == [{"label": "a.txt", "cells": [8, 32, 0]}]
    (bins,) = [t for title, t in by_title.items() if title.startswith("Figures 2 and 3")]
    assert [sum(column) for column in zip(*(r["cells"] for r in bins["rows"]), strict=True)] == [
        8,
        8,
    ]
    assert " nDCG@k and AP@k, each the mean over k = 5, 10, 15, 20, 30" in bins["title"]
    (order,) = [t for title, t in by_title.items() if title.startswith("Table 6 of --data")]
    assert order["rows"][0]["cells"] == [None, 0] * 3  # equal rankers: no pair in any order


@pytest.mark.usefixtures("paper_once")
def test_rankers_that_are_given(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "data").mkdir()
    write(tmp_path / "data" / "a.txt", queries_of(4))
    (tmp_path / "net.txt").write_text("\n".join(["1", "2", "3", "4"] * 4))
    (tmp_path / "bm.run").write_text("".join(f"{q} Q0 d 1 1 t\n" for q in range(4)))
    words = ["--data", f"{tmp_path}/data", "--feature", "15", "-41", "--run", f"{tmp_path}/bm.run"]
    words += ["--predictions", f"{tmp_path}/net.txt"]
    assert main(["reproduce", "karmaker-2022", *words]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "4 rankers: features 15, -41; predictions net; runs bm" in out
    assert main(["reproduce", "lv-2014", "--feature", "3"]) == 2
    assert "lv-2014 does not take feature" in capsys.readouterr().err
    assert main(["reproduce", "--train", "x"]) == 2
    assert "--train: name a paper, too" in capsys.readouterr().err


@pytest.mark.usefixtures("paper_once")
def test_each_table_of_data_stands_for_one(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", queries_of(8))
    found = rs.reproduce("karmaker-2022", data=tmp_path)
    titles = [table.title for table in found.tables if " of --data: " in table.title]
    numbers = [title.partition(" of")[0] for title in titles]
    of_means = ["Tables 2 and 3", "Tables 4 and 5, V1", "Tables 4 and 5, V2"]
    of_map = ["Tables 12 and 13", "Tables 14 and 15, V1", "Tables 14 and 15, V2"]
    assert numbers[1:] == [
        "Figures 2 and 3",
        "Figure 1",
        *of_means,
        *(f"Table {n}" for n in (6, 7, 8, 9, 10, 11)),
        *of_map,
        *(f"Table {n}" for n in (16, 17, 18, 19, 20, 21)),
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("paper_once")
def test_files_that_are_left_out_are_named(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", queries_of(8))
    tables_without = rs.reproduce("karmaker-2022", data=tmp_path).tables
    (tmp_path / "folds.txt").write_text("Fold1 S1\n")
    tables_with = rs.reproduce("karmaker-2022", data=tmp_path).tables
    before, after = (
        next(t for t in found if t.title.startswith("The files of --data"))
        for found in (tables_without, tables_with)
    )
    assert after.rows == (*before.rows, ("folds.txt", (None, None, None)))
    left_out = "; a file without numbers has no qid, and is left out"
    assert after.title == before.title.replace(" left out.", f" left out{left_out}.")


@pytest.mark.spec("RS-ERR-25")
def test_pad_of_means_that_are_not_above_0_supports_nothing() -> None:
    """By hand: of one query two features have 1/2 by MAP and -1/2 and 1/4 by V2, the rest 1."""
    values = {(metric, name): [[1.0]] * 5 for metric in printed.STUDIES["MAP"] for name in NAMES}
    first, second, *_ = NAMES
    for name, v2 in ((first, -0.5), (second, 0.25)):
        values["MAP", name] = values["MSP_V1", name] = [[0.5]] * 5
        values["MSP_V2", name] = [[v2]] * 5
    study = experiment.Study([Fraction(1, 2)], [Fraction(1)], [Fraction(1)], values)
    table = data_tables.pad_table("MAP", study)
    assert table.title.startswith("Table 19 of --data: PAD in per cent; 1 query, 1 in each")
    assert table.header[-1] == "a mean not above 0"
    assert [cells[-1] for _, cells in table.rows] == [None, None, "All, uninform., Ideal"]
    claim = data_tables._claim_on_pad("MAP", study)
    assert [check.fact.split(":")[0] for check in claim.checks] == [
        f"--data, MSP_V1, {of}" for of in printed.QUERY_SETS
    ]
    values["MSP_V2", first] = [[0.0]] * 5
    assert not data_tables.all_above_0(study, "MSP_V2", [0])
    values["MSP_V2", first] = [[0.125]] * 5
    assert len(data_tables._claim_on_pad("MAP", study).checks) == 6


@pytest.mark.slow(but=4)
@pytest.mark.usefixtures("paper_once")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no file in it has rows"),
        (f"0 qid:1 {ALL_FEATURES}\n", "no file in it has rows"),
        ("1 qid:1 15:1\n1 15:2\n", "a.txt:2: found no qid behind the label; expected label qid:"),
        ("1 qid:1 15:1\nx qid:1 15:2\n", 'a.txt:2: found the label "x", no finite number'),
        ("1 qid:1 15:1\n-1 qid:1 15:2\n", "a.txt:2: the label -1 is negative"),
        ("1 qid:1 15:1\n1024 qid:1 15:2\n", "a.txt:2: measure"),
        ("1 qid:1 15:1\n1 qid:1 15:x\n", 'a.txt:2: found the feature 15 as "x"'),
        ("1 qid:1 15:1\n1 qid:1 1:1 41:nan\n", 'a.txt:2: found the feature 41 as "nan"'),
        ("1 qid:1 15:1\n1 qid:1 15:2:3\n", 'a.txt:2: found the feature 15 as "2:3"'),
        ("1 qid:1 15:1\n1 qid:1 15:2 15:3\n", "a.txt:2: found the feature 15 a second time"),
        ("1 qid:1 15:1\n0 qid:2 15:1\n0 qid:1 15:2\n", 'a.txt:3: a further row of query "1"'),
        ("1 qid:1 15:1\n", 'there is one ranker, "15"; the experiment compares at least two'),
        ("1 qid:1 15:1\n1 15:2\n", "; --data may be a folder without this file\n"),
    ],
)
def test_bad_files(tmp_path: Path, capsys: Capture, content: str | None, message: str) -> None:
    if content is not None:
        (tmp_path / "a.txt").write_text(content)
    assert main(["reproduce", "karmaker-2022", "--data", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.usefixtures("paper_once")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"data": ""}, "the folder name is empty"),
        ({"data": 3}, "data: expected a folder, got 3"),
        ({"data": "nowhere"}, "nowhere: cannot be read"),
        ({"samples": 3}, "karmaker-2022 does not take samples"),
        ({"feature": [3]}, "rankers need rows to rank; give data"),
        ({"data": ".", "feature": 3}, "feature: expected a list, got 3"),
        ({"data": ".", "run": "run.txt"}, "run: expected a list, got 'run.txt'"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        rs.reproduce("karmaker-2022", **options)
