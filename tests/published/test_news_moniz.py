"""Real counts of news: how the early ones rank the items that the late ones score."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import flint
import pytest

from rankspec.papers import moniz_2016 as paper
from rankspec.papers.popularity import read_folder
from rankspec.papers.rank_tables import read_news
from tests.papers.relevance import control_points, dcg, nearest, phi
from tests.reference.balls import exp2


@pytest.fixture(autouse=True)
def precision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flint.ctx, "prec", 250)


@pytest.fixture(scope="module")
def folder(data: Callable[[str], Path]) -> Path:
    return data("news_moniz")


@pytest.fixture(scope="module")
def rankings(folder: Path) -> list[paper.Rankings]:
    return paper.rankings_of(read_folder(folder).tables, "c")


@pytest.fixture(scope="module")
def hundreds(folder: Path) -> list[list[list[int]]]:
    with gzip.open(folder / "Facebook_Palestine.csv.gz", "rt") as file:
        rows = [list(map(int, row)) for row in list(csv.reader(file))[1:]]
    seen = sorted(row for row in rows if row[144] >= 0)
    assert len(seen) == 7522
    return [seen[a : a + 100] for a in range(0, 7500, 100)]


@pytest.mark.slow
def test_the_rankings(rankings: list[paper.Rankings]) -> None:
    assert {x.table for x in rankings} == {"Facebook_Palestine"}
    assert [(x.step, x.k) for x in rankings] == [
        (s, k) for s in (3, 9, 18, 36) for k in (5, 10, 25, 50)
    ]
    assert all(len(x.ndcg) == len(x.phi["text"]) == len(x.phi["program"]) == 75 for x in rankings)


def expected_ndcg(rows: list[list[int]], step: int, gain: dict[int, Any]) -> float:
    """The expected nDCG@10 of items by their count at a step: equal counts share their gains."""
    early = sorted((row[step] for row in rows), reverse=True)
    shares = []
    for count in early[:10]:
        tied = [gain[row[0]] for row in rows if row[step] == count]
        shares.append(sum(tied, flint.arb(0)) / len(tied))
    ideal = sorted(gain.values(), key=float, reverse=True)
    return nearest(dcg(shares) / dcg(ideal[:10]))


@pytest.mark.parametrize("step", [3, 36])
def test_ndcg_of_fixed_labels(rankings: Any, hundreds: Any, step: int) -> None:
    (own,) = [x for x in rankings if (x.step, x.k) == (step, 10)]
    labels = [3] * 10 + [2] * 15 + [1] * 25 + [0] * 50
    for rows, value in zip(hundreds, own.ndcg, strict=True):
        by_late = sorted(rows, key=lambda row: (-row[144], row[0]))
        gain = {row[0]: 2**r - 1 for row, r in zip(by_late, labels, strict=True)}
        assert value == expected_ndcg(rows, step, gain)


@pytest.mark.slow
@pytest.mark.parametrize("reading", ["text", "program"])
def test_ndcg_phi(rankings: Any, hundreds: Any, reading: str) -> None:
    """Of the hundreds whose control points are at different scores, which most are."""
    (own,) = [x for x in rankings if (x.step, x.k) == (36, 10)]
    compared = 0
    for rows, value in zip(hundreds, own.phi[reading], strict=True):
        points = control_points([row[144] for row in rows], reading)
        if all(a < b for (a, _), (b, _) in pairwise(points)):
            gain = {row[0]: exp2(phi(row[144], points)) - 1 for row in rows}
            assert value == expected_ndcg(rows, 36, gain)
            compared += 1
    assert compared > 60


@pytest.mark.slow
@pytest.mark.spec("RS-ERR-52")
def test_the_published_rankings_are_not_those_of_the_paper(folder: Path) -> None:
    """Counted here once more: 1,432 rankings a topic, all of September 2014; 13,901 items."""
    expected = {
        "Economy": (3518, 87, 180),
        "Microsoft": (3549, 52, 140),
        "Obama": (5540, 2, 260),
        "Palestine": (1334, 63, 160),
    }
    found, items = read_news(folder), set()
    assert found.tweets is None
    for topic, counts in expected.items():
        with gzip.open(folder / f"RankTable_{topic}.csv.gz", "rt") as file:
            rows = list(csv.reader(file))[1:]
        assert len(rows) == 1432
        assert all(row[0].startswith("2014-09-") for row in rows)
        own = {x for row in rows for x in row[1:]} - {"-1"}
        items |= own
        empty = sum("-1" in row for row in rows)
        places = [[x for x in row[1:] if x != "-1"] for row in rows]
        assert (len(own), empty, sum(len(set(x)) < len(x) for x in places)) == counts
        assert found.tables[f"RankTable_{topic}"].rankings == places
    assert len(items) == 13_901
    table = dict(paper.table_of_rankings(found).rows)
    assert table["RankTable_Obama"] == (1432, "2014-09-01", "2014-09-30", 5540, 2, 260)
    checks = [check for claim in paper.claims_on_rankings(found) for check in claim.checks]
    assert [check.holds for check in checks] == [False] * 5
    entry = (Path(__file__).parents[2] / "spec/errata.md").read_text("utf-8").split("RS-ERR-52 ")[1]
    for topic, (number, empty, twice) in expected.items():
        row = next(line for line in entry.splitlines() if line.startswith(f"| {topic} | 1,432 |"))
        assert row.endswith(f"| {number:,} | {empty} | {twice} |")


def test_what_the_paper_says_of_its_own_data(rankings: list[paper.Rankings]) -> None:
    """The means and the signs as the paper has them; the difference falls with nDCG here."""
    claims = list(paper.claims_on_data(rankings))
    assert [[check.holds for check in claim.checks] for claim in claims] == [
        [True] * 8,
        [True] * 2,
        [False] * 2,
    ]
    assert not any(check.unexpected for claim in claims for check in claim.checks)
