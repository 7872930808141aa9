"""``rankspec reproduce`` without a name: the papers with counts, and what cannot be recomputed."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from rankspec import papers
from rankspec.cli.main import main
from rankspec.papers import PAPERS, Reproduction, lv_2014, reproduce_all
from rankspec.papers.not_recomputed import NOT_RECOMPUTED
from rankspec.papers.reproduction import Check, Claim, Figure, NotRecomputed, Table
from rankspec.papers.reproduction import text as text_of

Capture = pytest.CaptureFixture[str]

# What each paper has, from its pages: the numbers of its last table and of its last figure.
TABLES_AND_FIGURES = {
    "lv-2014": (3, 3),
    "moniz-2016": (1, 4),
    "karmaker-2022": (21, 3),
    "jarvelin-2008": (2, 4),
}
# Of these there is nothing to compute: a list of methods, and the sketch of query types.
WITHOUT_VALUES = {"karmaker-2022": {("table", 1), ("figure", 1)}}


@pytest.fixture(scope="module")
def found() -> dict[str, Reproduction]:
    return {one.paper.name: one for one in reproduce_all()}


def mentioned(text: str, kind: str) -> set[int]:
    """The numbers behind "Table", "Tables", "figures", ...: "2 to 5 and 12" are 2, 3, 4, 5, 12."""
    numbers: set[int] = set()
    for spoken in re.findall(rf"\b{kind}s? (\d+(?:(?:, | to | and )\d+)*)", text.lower()):
        for part in re.split(r", | and ", spoken):
            first, _, last = part.partition(" to ")
            numbers |= set(range(int(first), int(last or first) + 1))
    return numbers


def test_what_is_mentioned() -> None:
    assert mentioned("Tables 2 to 5 and 12, table 9; Figure 1", "table") == {2, 3, 4, 5, 9, 12}
    assert mentioned("Tables 2 to 5 and 12, table 9; Figure 1", "figure") == {1}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["table", "figure"])
@pytest.mark.parametrize("name", TABLES_AND_FIGURES)
def test_each_table_and_figure_is_accounted_for(
    found: dict[str, Reproduction], name: str, kind: str
) -> None:
    """It is computed, claims are looked at, or it is listed as not recomputed."""
    one = found[name]
    places = [
        *(table.title for table in one.tables),
        *(f"{claim.where}; {claim.claim}" for claim in one.claims),
        *(check.fact for claim in one.claims for check in claim.checks),
        *(missing.where for missing in one.paper.not_recomputed),
    ]
    last = TABLES_AND_FIGURES[name][kind == "figure"]
    without = {n for of, n in WITHOUT_VALUES.get(name, ()) if of == kind}
    assert set(range(1, last + 1)) - without - mentioned("; ".join(places), kind) == set()


def test_each_paper_has_its_list() -> None:
    assert {paper.name for paper in PAPERS} == set(NOT_RECOMPUTED) == set(TABLES_AND_FIGURES)
    for paper in PAPERS:
        assert paper.not_recomputed == NOT_RECOMPUTED[paper.name]
        assert all(missing.why and missing.what for missing in paper.not_recomputed)


def test_the_study_of_lv_2014_is_listed() -> None:
    (study,) = (x for x in NOT_RECOMPUTED["lv-2014"] if "user study" in x.what)
    assert study.where == "Section 3"
    assert {"174", "82.4", "75.8"} <= set(re.findall(r"[\d.]*\d", study.what))
    assert study.figures == 3


@pytest.mark.slow
def test_counts(found: dict[str, Reproduction]) -> None:
    """Table 3 of lv-2014 by hand: 96 cells, 13 of RS-ERR-3 and 3 of RS-ERR-7."""
    counts = found["lv-2014"].counts
    assert (counts["equal"], counts["errata"], counts["possible"]) == (80, 16, 0)
    assert counts["not recomputed"] == 3
    # jarvelin-2008: the appendix has 10 + 10 figures, 9 of them in RS-ERR-2; Table 1 has 4 · 2.
    counts = found["jarvelin-2008"].counts
    assert (counts["errata"], counts["not recomputed"]) == (9, 8)
    assert found["karmaker-2022"].counts["not recomputed"] == 480 + 4


def test_every_check_and_figure_is_counted_once() -> None:
    figures = (
        Figure("1", 1.0, 0),
        Figure("2", 1.0, 0, "RS-ERR-1"),
        Figure("3", 1.0, 0, possible=True),
        Figure("4", 1.0, 0),
    )
    table = Table("T", "a", ("b",), tuple((f"{n}", (x,)) for n, x in enumerate(figures)))
    checks = (
        Check("a", True, True),
        Check("b", True, None),
        Check("c", False, False, ("RS-ERR-1", "RS-DCG-1")),
        Check("d", False, False, ("RS-DCG-1",)),
        Check("e", False, None),
        Check("f", False, True, ("RS-ERR-1",)),
        Check("g", True, False, ("RS-ERR-1",)),
    )
    missing = (NotRecomputed("x", "y", 5, "z"), NotRecomputed("x", "y", 0, "z"))
    paper = replace(lv_2014.PAPER, not_recomputed=missing)
    one = Reproduction(paper, (table,), (Claim("s", "c", checks),))
    assert one.counts == {
        "equal": 1,
        "errata": 1,
        "possible": 1,
        "not recomputed": 5,
        "checks hold": 2,
        "checks fail by errata": 1,
        "checks fail as expected": 2,
        "unexplained": 3,
    }


def test_the_page_of_a_paper_ends_with_its_list() -> None:
    missing = (NotRecomputed("Table 9", "a thing", 1, "it is gone"),)
    paper = replace(lv_2014.PAPER, not_recomputed=missing)
    lines = text_of(Reproduction(paper, (), ())).splitlines()
    at = lines.index("Not recomputed:")
    assert lines[at + 1] == "  Table 9: a thing (1 figure). Why: it is gone."
    assert "Not recomputed:" not in text_of(Reproduction(lv_2014.PAPER, (), ()))


@pytest.mark.slow
def test_text(capsys: Capture, found: dict[str, Reproduction]) -> None:
    assert main(["reproduce"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line != line.rstrip()]
    header, *rows = lines[: 1 + len(PAPERS)]
    assert header.split() == [
        "paper",
        *("equal", "errata", "possible", "not", "recomp."),
        *("hold", "errata", "fail"),
    ]
    for row, paper in zip(rows, PAPERS, strict=True):
        counts = found[paper.name].counts
        *shown, last = counts.values()
        assert row.split() == [paper.name, *map(str, shown)]
        assert last == 0
        assert any(line.startswith(f"{paper.name}: {paper.title[:40]}") for line in lines)


@pytest.mark.slow
def test_json(capsys: Capture, found: dict[str, Reproduction]) -> None:
    assert main(["reproduce", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    for one, paper in zip(listed, PAPERS, strict=True):
        assert one["counts"] == found[paper.name].counts
        assert [x["where"] for x in one["not_recomputed"]] == [
            x.where for x in paper.not_recomputed
        ]


def test_a_figure_that_nothing_explains(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list has the exit status of the paper itself, and says which paper it is."""
    table = Table("T", "a", ("b",), (("1", (Figure("4", 1.0, 0),)),))
    paper = replace(lv_2014.PAPER, compute=lambda _: ([table], []))
    monkeypatch.setattr(papers, "PAPERS", (paper,))
    assert main(["reproduce"]) == 1
    assert "lv-2014: 1 neither as expected nor an erratum\n" in capsys.readouterr().out
