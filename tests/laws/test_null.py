"""Errors under a known null: simulated anew for few data sets, and as the page prints them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rankspec.analysis.comparison.corrections import BY_NAME as CORRECTIONS
from rankspec.analysis.comparison.tests import BY_NAME

from ..each import each
from ..modules import module_of

ROOT = Path(__file__).resolve().parents[2]
SETS = 200
MANY = 1500  # of one test, so that 10 % is told from 5 %


@pytest.fixture(scope="module")
def null() -> ModuleType:
    return module_of(ROOT / "tools/null.py", "rankspec_null")


def wrong(null: ModuleType, world: str, n: int, rates: dict[str, Any], alpha: float) -> list[str]:
    """The tests that theory says keep alpha, and that do not."""
    return [
        name
        for name, rate in rates.items()
        if (null.is_exact(name, world) and rate.differs(alpha))
        or (null.is_bounded(name, world, n) and rate.exceeds(alpha))
    ]


# ---- simulated anew ------------------------------------------------------------------------


@pytest.mark.spec("RS-CMP-5", "RS-CMP-6", "RS-CMP-14", "RS-RND-7/L2", "RS-RND-9")
@each(
    ("world", "sets"),
    [
        ("normal", SETS // 2),
        ("normal", SETS),
        *((x, SETS) for x in ("unrelated", "P@10", "nDCG@10")),
    ],
    fast=1,
)
def test_errors_are_what_theory_says(null: ModuleType, world: str, sets: int) -> None:
    errors = null.type_1(world, 10, sets)
    assert set(errors) | set(null.JOINT) == set(BY_NAME)
    for alpha in null.ALPHAS:
        rates = {name: by[alpha] for name, by in errors.items()}
        assert wrong(null, world, 10, rates, alpha) == []


@pytest.mark.slow
@pytest.mark.spec("RS-CMP-5", "RS-CMP-6", "RS-CMP-14")
def test_errors_of_four_queries_are_alpha(null: ModuleType) -> None:
    """So few that a normal distribution in the place of t, or other degrees of freedom, show."""
    tests = {name: null.PAIRED[name] for name in ("t", "pooled", "bayes")}
    found = null.type_1("unrelated", 4, MANY, tests)
    for alpha in null.ALPHAS:
        rates = {name: by[alpha] for name, by in found.items()}
        assert wrong(null, "unrelated", 4, rates, alpha) == []


class Doubled:
    """A test with half the p: its level is twice what it says."""

    def __init__(self, test: Any) -> None:
        self.test = test

    def of_pairs(self, *given: Any) -> dict[Any, Any]:
        found = self.test.of_pairs(*given)
        return {two: replace(outcome, p=outcome.p / 2) for two, outcome in found.items()}


@pytest.mark.slow
@each("name", ["t", "randomisation", "wilcoxon"], fast=1)
def test_a_level_that_is_doubled_is_noticed(null: ModuleType, name: str) -> None:
    tests = {name: Doubled(null.PAIRED[name])}
    rates = {name: null.type_1("normal", 10, MANY, tests)[name][0.05]}
    assert wrong(null, "normal", 10, rates, 0.05) == [name]


@pytest.mark.slow
@pytest.mark.spec("RS-CMP-4", "RS-CMP-13", "RS-CMP-20", "RS-RND-10", "RS-RND-11")
def test_families_and_intervals_keep_their_level(null: ModuleType) -> None:
    assert not null.coverage("normal", 10, SETS)["t"].differs(0.95)
    found = null.families("normal", 10, 60, better=False)
    assert found.keys() - null.JOINT.keys() == CORRECTIONS.keys()
    rates = {name: by[0.05][0] for name, by in found.items()}
    assert [name for name, rate in rates.items() if rate.exceeds(0.05)] == ["none"]
    assert not rates["tukey"].differs(0.05)
    assert found["bh"][0.05][1] == found["bh"][0.05][0]  # no rejection is right: all are false


def test_the_worlds_are_as_the_page_says(null: ModuleType) -> None:
    """The mean of what is drawn, its ties and its zeros."""
    drawn = {
        world: [null.values(world, 50, data_set) for data_set in range(100)]
        for world in null.WORLDS
    }
    for world, known in null.WORLDS.items():
        first, second = (
            [float(x) for found in drawn[world] for x in found[system]] for system in (0, 1)
        )
        for column in (first, second):
            assert abs(sum(column) / len(column) - known.mean) < 0.1
        assert first != second
    tenths = {round(10 * float(x)) for found in drawn["P@10"] for x in found[0]}
    assert tenths == set(range(11))
    ndcg = [float(x) for found in drawn["nDCG@10"] for x in found[0]]
    assert 0.25 < ndcg.count(0.0) / len(ndcg) < 0.35
    assert max(ndcg) <= 1


# ---- the page ------------------------------------------------------------------------------


def tables(null: ModuleType) -> list[tuple[str, list[str], list[list[str]]]]:
    """(title, head, rows) of each table that the program has written."""
    text = null.PAGE.read_text("utf-8").partition(null.BEGIN)[2].partition(null.END)[0]
    found = []
    for title, body in re.findall(r"(\*\*.*?:)\n\n((?:\|.*\n)+)", text):
        head, _, *rows = [
            [x.strip() for x in line.strip("|").split("|")] for line in body.splitlines()
        ]
        found.append((title, head, rows))
    return found


def rate(null: ModuleType, cell: str, of: int) -> Any:
    share, error = map(float, cell.split(" ± "))
    known = null.Rate(share * of / 100, of)
    assert abs(100 * known.error - error) < 0.01
    return known


def columns(head: Sequence[str], row: Sequence[str], begin: int) -> dict[str, str]:
    return dict(zip(head[begin:], row[begin:], strict=True))


def test_the_page_has_every_test_and_what_theory_says_of_it(null: ModuleType) -> None:
    seen: set[str] = set()
    for title, head, rows in tables(null):
        level = re.search(r"at the level (\d+) %\*\*, of ([\d,]+) data", title)
        if level is None:
            continue
        alpha, of = int(level[1]) / 100, int(level[2].replace(",", ""))
        seen.update(head[2:])
        assert of == (null.FAMILIES if "tukey" in head else null.SETS)
        for world, n, *_ in rows:
            row = next(x for x in rows if x[:2] == [world, n])
            rates = {name: rate(null, x, of) for name, x in columns(head, row, 2).items()}
            if "tukey" not in head:
                assert wrong(null, world, int(n), rates, alpha) == []
                continue
            kept = ["max-t", "randomised-tukey"]
            if null.WORLDS[world.partition(",")[0]].normal:
                kept += ["bonferroni", "holm", "tukey"]
            assert [name for name in kept if rates[name].exceeds(alpha)] == []
            assert rates["none"].share > alpha
    assert seen == set(BY_NAME) | set(CORRECTIONS)


def test_intervals_of_the_page(null: ModuleType) -> None:
    _, head, rows = next(x for x in tables(null) if "Coverage" in x[0])
    assert head[2:] == list(null.INTERVALS)
    assert len(rows) == len(null.WORLDS) * len(null.QUERIES)
    for row in rows:
        if null.WORLDS[row[0]].normal:
            assert not rate(null, row[2], null.SETS).differs(0.95)


@pytest.mark.slow
def test_a_cell_of_the_page_again(null: ModuleType) -> None:
    """All is integers here: the number of wins of ten queries."""
    _, head, rows = tables(null)[0]
    row = next(x for x in rows if x[:2] == ["P@10", "10"])
    tests = {"sign": null.PAIRED["sign"]}
    found = null.type_1("P@10", 10, null.SETS, tests)["sign"][0.05]
    assert columns(head, row, 2)["sign"] == str(found)
