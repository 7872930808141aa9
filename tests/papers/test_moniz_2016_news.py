"""moniz-2016: rankings of news as the authors' tables have them, and figures 3 and 4 of such."""

from __future__ import annotations

import gzip
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import rankspec as rs
from rankspec.papers import moniz_2016 as paper
from rankspec.papers.rank_tables import HEADER, read_news

# Two rankings of three items, with a place that is empty, an item twice and one without a score.
SHOWN = [["7", "8", "9"], ["9", "-1", "7", "9", "5", "8"]]
TWEETS = {"7": 0, "8": 4, "9": 20}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [",".join(HEADER)]
    for at, items in enumerate(SHOWN):
        places = [*items, *["-1"] * (100 - len(items))]
        lines.append(",".join([f"2014-09-0{at + 1} 00:01:33", *places]))
    with gzip.open(tmp_path / "RankTable_X.csv.gz", "wt") as file:
        file.write("\n".join(lines) + "\n")
    return tmp_path


def with_scores(folder: Path, content: str | None = None) -> Path:
    rows = "".join(f"{item},Título,{n or 'NA'}\n" for item, n in TWEETS.items())
    (folder / "News.csv").write_text(content or f"IDLink,Title,TimesPublishedTwitter\n{rows}")
    return folder


def reproduced(folder: Path) -> Any:
    return rs.reproduce("moniz-2016", samples=1, data=folder)


def test_what_is_read(folder: Path) -> None:
    found = read_news(with_scores(folder))
    assert found.tables["RankTable_X"].rankings == [[x for x in row if x != "-1"] for row in SHOWN]
    assert found.tweets == TWEETS
    assert found.files == {"RankTable_X.csv.gz": "rankings", "News.csv": "scores of news"}


@pytest.mark.spec("RS-ERR-52")
def test_without_scores_figures_3_and_4_are_not_computed(folder: Path) -> None:
    found = reproduced(folder)
    (claim,) = [c for c in found.claims if c.where == "Figures 3 and 4"]
    assert claim.claim.startswith("not computed: no file of --data")
    assert not [t for t in found.tables if t.title.startswith("Figure 3")]
    (table,) = [t for t in found.tables if t.title.startswith("The tables of rankings")]
    assert table.rows == (("RankTable_X", (2, "2014-09-01", "2014-09-02", 4, 2, 1)),)
    assert found.unexplained == 0


def test_with_scores_they_are(folder: Path) -> None:
    """By hand: labels 3, 3, 3 of three items, as all are among the first ten; phi by the API."""
    found = reproduced(with_scores(folder))
    assert not [c for c in found.claims if c.where == "Figures 3 and 4"]
    (table,) = [t for t in found.tables if t.title == "Figure 3, RankTable_X: means"]
    rankings = [[0, 4, 20], [20, 0, 4]]  # 5 has no score, and 9 counts once
    for label, (number, ndcg, text, program) in table.rows:
        assert (number, ndcg) == (2, 1)
        for variant, mean in (("text", text), ("authors-program", program)):
            of_each = [rs.ndcg_phi(x, k=int(label), variant=variant) for x in rankings]
            assert mean == float(sum(map(Fraction, of_each)) / 2)
    assert [label for label, _ in table.rows] == ["5", "10", "25", "50"]
    (figure_4,) = [t for t in found.tables if t.title.startswith("Figure 4")]
    means = [row[0] for _, row in figure_4.rows if row[0] is not None]
    of_each = sorted(1 - Fraction(rs.ndcg_phi(x, k=10)) for x in rankings)
    assert sorted(means) == [float(x) for x in of_each]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("IDLink,TimesPublishedTwitter\n7,x\n", 'line 2: TimesPublishedTwitter is "x", no whole'),
        ("IDLink,TimesPublishedTwitter\n7\n", "line 2: 1 cells; the header has more"),
    ],
)
def test_bad_scores(folder: Path, content: str, message: str) -> None:
    with pytest.raises(rs.InputError, match=message):
        reproduced(with_scores(folder, content))


@pytest.mark.parametrize(
    ("row", "message"),
    [("2014,7", "line 2: 2 cells; there must be 101"), ("x" + ",7" * 100, 'Timestamp is "x"')],
)
def test_bad_tables(tmp_path: Path, row: str, message: str) -> None:
    (tmp_path / "t.csv").write_text(",".join(HEADER) + f"\n{row}\n")
    with pytest.raises(rs.InputError, match=message):
        reproduced(tmp_path)


def test_two_files_of_scores(folder: Path) -> None:
    with_scores(folder)
    (folder / "More.csv").write_text("IDLink,TimesPublishedTwitter\n7,1\n")
    with pytest.raises(rs.InputError, match="there are other scores in the folder"):
        reproduced(folder)


def test_labels_of_fewer_than_a_hundred() -> None:
    assert paper.labels_by_rank([1, 5, 3]) == [3, 3, 3]
    assert paper.labels_by_rank(range(30)) == [1] * 5 + [2] * 15 + [3] * 10
