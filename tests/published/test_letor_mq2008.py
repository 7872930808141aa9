"""LETOR 4.0 and LightGBM's example: real features as rankings, heavily tied, against fractions.

The values here are made by other means: expectations over ties by the chance of each rank, in
fractions, and the discounts of python-flint.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

import flint
import pytest

import rankspec as rs
from tests.reference.balls import ball, ends_of, log

Row = tuple[str, str, list[str]]
"""The label, the query and the features of a row, as they are written."""

pytestmark = pytest.mark.spec("RS-CONV-21")


@pytest.fixture(autouse=True)
def precision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flint.ctx, "prec", 200)


@pytest.fixture(scope="module")
def mq2008(data: Callable[[str], Path]) -> Path:
    return data("letor_mq2008")


@pytest.fixture(scope="module")
def mq2007(data: Callable[[str], Path]) -> Path:
    return data("letor_mq2007_agg")


@pytest.fixture(scope="module")
def lightgbm(data: Callable[[str], Path]) -> Path:
    return data("lightgbm_lambdarank")


def rows_of(path: Path) -> list[Row]:
    """Every feature of every row, by a regular expression that reads the whole line."""
    with gzip.open(path, "rt") as file:
        lines = [re.fullmatch(r"(\d) qid:(\d+) ((?:\d+:\S+ )*)#.*\n", line) for line in file]
    found = [(m[1], m[2], re.findall(r"(\d+):(\S+)", m[3])) for m in lines if m]
    assert len(found) == len(lines)
    assert {len(values) for *_, values in found} in ({46}, {21})
    for *_, values in found:
        assert [int(n) for n, _ in values] == list(range(1, len(values) + 1))
    return [(label, query, [x for _, x in values]) for label, query, values in found]


def by_query(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    for query, own in groupby(rows, key=lambda row: row[1]):
        yield query, list(own)


def groups_of(own: Sequence[Row], feature: int, lowest_first: bool = False) -> list[list[int]]:
    """The labels by falling (or rising) value, those of equal value together; without NULL."""
    values: dict[Fraction, list[int]] = {}
    for label, _, features in own:
        if features[feature - 1] != "NULL":
            values.setdefault(Fraction(features[feature - 1]), []).append(int(label))
    return [values[x] for x in sorted(values, reverse=not lowest_first)]


def chances(groups: Sequence[Sequence[int]]) -> Iterator[tuple[int, Fraction, Fraction]]:
    """(rank i, P(R_i = 1), E[number of relevant items from 1 to i, if R_i = 1 else 0])."""
    above, i = 0, 0
    for group in groups:
        n, relevant = len(group), sum(label >= 1 for label in group)
        for j in range(1, n + 1):
            i += 1
            chance = Fraction(relevant, n)
            others = Fraction((j - 1) * (relevant - 1), n - 1) if n > 1 else Fraction(0)
            yield i, chance, chance * (above + 1 + others)
        above += relevant


def ap(groups: Sequence[Sequence[int]], pool: Sequence[int], k: int | None = None) -> Fraction:
    relevant = sum(label >= 1 for label in pool)
    total = sum(
        (hits / i for i, _, hits in chances(groups) if k is None or i <= k), start=Fraction(0)
    )
    return total / relevant if relevant else Fraction(0)


def dcg(groups: Sequence[Sequence[int]], k: int, gain: Callable[[int], int]) -> flint.arb:
    total, i = ball(0), 0
    for group in groups:
        share = Fraction(sum(gain(label) for label in group), len(group))
        for _ in group:
            i += 1
            if i <= k:
                total += ball(share) / log(i + 1, 2)
    return total


def ideal(pool: Sequence[int]) -> list[list[int]]:
    return [[label] for label in sorted(pool, reverse=True)]


def nearest(x: flint.arb | Fraction) -> float:
    if isinstance(x, Fraction):
        return x.numerator / x.denominator
    ends = {end.numerator / end.denominator for end in ends_of(x)}
    assert len(ends) == 1, "more bits are needed"
    return ends.pop()


def linear(label: int) -> int:
    return label


def exponential(label: int) -> int:
    return 2**label - 1


def ndcg(groups: Any, pool: Sequence[int], k: int, gain: Callable[[int], int] = linear) -> Any:
    bound = dcg(ideal(pool), k, gain)
    return dcg(groups, k, gain) / bound if any(pool) else Fraction(0)


def ul1(A: Any, IUB: Any, RLB: Any) -> Any:
    return (A / IUB) * (A / (A + RLB)) if positive(A) else Fraction(0)


def ul2(A: Any, IUB: Any, RLB: Any) -> Any:
    if not positive(RLB) or not positive(IUB - RLB):
        return Fraction(0)
    above = positive(A - RLB)
    return (A - RLB) / (IUB - RLB) if above else (A - RLB) / RLB


def positive(x: Any) -> bool:
    """Whether a number, of which 0 is exact or a ball around 0, is above it."""
    return x > 0


FEATURES = (1, 15, 25, 37, 41, 46)


@pytest.mark.slow
def test_the_real_features_are_tied(mq2008: Path) -> None:
    """Or the expectations over ties would be tested by nothing."""
    rows = rows_of(mq2008 / "S1.txt.gz")
    assert (len(rows), len(list(by_query(rows)))) == (2933, 157)
    tied = {
        feature: sum(len(groups_of(own, feature)) < len(own) for _, own in by_query(rows))
        for feature in FEATURES
    }
    assert tied == {1: 95, 15: 52, 25: 156, 37: 20, 41: 157, 46: 157}


@pytest.mark.slow
@pytest.mark.parametrize("part", ["S1", "S2", "S3"])
@pytest.mark.parametrize("feature", FEATURES)
def test_ap_and_its_bounds(mq2008: Path, part: str, feature: int) -> None:
    path = mq2008 / f"{part}.txt.gz"
    measures = ["AP", "AP@5", "UL1(AP)", "UL2(AP)"]
    found = rs.evaluate_letor(path, measures, feature=feature).per_query
    expected: dict[str, dict[str, float]] = {name: {} for name in measures}
    for query, own in by_query(rows_of(path)):
        pool = [int(label) for label, *_ in own]
        groups = groups_of(own, feature)
        A, IUB, RLB = ap(groups, pool), ap(ideal(pool), pool), ap([pool], pool)
        values = A, ap(groups, pool, 5), ul1(A, IUB, RLB), ul2(A, IUB, RLB)
        for name, x in zip(measures, values, strict=True):
            expected[name][query] = nearest(x)
    assert found == expected


@pytest.mark.slow
@pytest.mark.parametrize("feature", FEATURES)
def test_ndcg_and_its_bounds(mq2008: Path, feature: int) -> None:
    """But for the queries whose value is next to the expected one: UL2 needs an exact sign."""
    path = mq2008 / "S1.txt.gz"
    measures = ["nDCG@10", "nDCG(gain='exp2')@5", "UL1(nDCG@10)", "UL2(nDCG@10)"]
    found = rs.evaluate_letor(path, measures, feature=feature).per_query
    compared = 0
    for query, own in by_query(rows_of(path)):
        pool = [int(label) for label, *_ in own]
        groups = groups_of(own, feature)
        A, RLB = ndcg(groups, pool, 10), ndcg([pool], pool, 10)
        assert found["nDCG@10"][query] == nearest(A)
        assert found[measures[1]][query] == nearest(ndcg(groups, pool, 5, exponential))
        if any(pool) and (A > RLB or A < RLB) and (RLB < 1):
            compared += 1
            assert found["UL1(nDCG@10)"][query] == nearest(ul1(A, 1, RLB))
            assert found["UL2(nDCG@10)"][query] == nearest(ul2(A, 1, RLB))
    assert compared > 90


def mean_of_doubles(values: Sequence[Fraction]) -> Fraction:
    return sum((Fraction(nearest(x)) for x in values), start=Fraction(0)) / len(values)


@pytest.mark.slow
@pytest.mark.spec("RS-BND-12", "RS-BND-13")
@pytest.mark.parametrize("gap", ["signed", "absolute"])
def test_classes(mq2008: Path, gap: str) -> None:
    """Three features as the systems, AP at two cut-offs: gaps by fractions of doubles."""
    path, features, cutoffs = mq2008 / "S1.txt.gz", (15, 25, 41), (5, 10)
    measures = [f"AP@{k}" for k in cutoffs]
    found = rs.classify_letor(path, measures, features=features, top=20, gap=gap)
    means = {}
    for query, own in by_query(rows_of(path)):
        pool = [int(label) for label, *_ in own]
        systems = [groups_of(own, feature) for feature in features]
        real = [ap(groups, pool, k) for groups in systems for k in cutoffs]
        chance = [ap([pool], pool, k) for k in cutoffs]
        best = [ap(ideal(pool), pool, k) for k in cutoffs]
        means[query] = [
            sum(Fraction(nearest(x)) for x in own) / len(own) for own in (real, chance, best)
        ]
    gaps = {query: A - E for query, (A, E, _) in means.items()}
    order = list(gaps)
    size = {query: abs(x) if gap == "absolute" else x for query, x in gaps.items()}
    low = set(sorted(order, key=lambda q: (size[q], order.index(q)))[:20])
    high = set(sorted(order, key=lambda q: (-gaps[q], order.index(q)))[:20])
    assert [x.query for x in found.queries] == order
    for x in found.queries:
        A, E, IUB = means[x.query]
        assert (x.real, x.expected, x.bound) == (nearest(A), nearest(E), nearest(IUB))
        assert x.gap == nearest(gaps[x.query])
    assert set(found.of("uninformative")) == low
    assert set(found.of("ideal")) == high
    assert set(found.of("informative")) == {q for q in order if q not in low and gaps[q] > 0}
    hard = {q for q in low if 3 * max(means[q][:2]) <= means[q][2]}
    assert set(found.of("hard")) == hard
    assert set(found.of("easy")) == {
        q for q in low if means[q][2] and 3 * min(means[q][:2]) >= 2 * means[q][2]
    }
    assert hard


@pytest.mark.slow
@pytest.mark.parametrize("feature", [3, 12, 21])
def test_ranks_of_other_rankers(mq2007: Path, feature: int) -> None:
    """NULL is not retrieved; a low rank is a good one."""
    path = mq2007 / "A1.txt.gz"
    found = rs.evaluate_letor(path, ["AP", "P@10"], feature=-feature).per_query
    rows = rows_of(path)
    assert sum(features[feature - 1] == "NULL" for *_, features in rows) > 100
    for query, own in by_query(rows):
        pool = [int(label) for label, *_ in own]
        groups = groups_of(own, feature, lowest_first=True)
        assert found["AP"][query] == nearest(ap(groups, pool))
        hits = sum((chance for i, chance, _ in chances(groups) if i <= 10), start=Fraction(0))
        assert found["P@10"][query] == nearest(hits / 10)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rank.test", "rank.train"])
def test_lightgbm(lightgbm: Path, name: str) -> None:
    """Five grades, group files found by their names, and features that most rows do not have."""
    sizes = [int(x) for x in (lightgbm / f"{name}.query").read_text().split()]
    with gzip.open(lightgbm / f"{name}.gz", "rt") as file:
        rows = [line.split() for line in file]
    assert sum(sizes) == len(rows)
    for feature in (1, 2, 17):
        found = rs.evaluate_letor(
            lightgbm / f"{name}.gz", "nDCG(gain='exp2')@5", feature=feature
        ).per_query["nDCG(gain='exp2')@5"]
        assert list(found) == [str(a + 1) for a in range(len(sizes))]
        begin = 0
        for value, size in zip(found.values(), sizes, strict=True):
            own = rows[begin : begin + size]
            begin += size
            values: dict[Fraction, list[int]] = {}
            for label, *features in own:
                x = dict(cell.split(":") for cell in features).get(str(feature), "0")
                values.setdefault(Fraction(x), []).append(int(label))
            groups = [values[x] for x in sorted(values, reverse=True)]
            assert value == nearest(ndcg(groups, [int(x[0]) for x in own], 5, exponential))


@pytest.mark.slow
def test_predictions_are_as_features(lightgbm: Path, tmp_path: Path) -> None:
    """The values of a feature in a file of predictions."""
    file = lightgbm / "rank.test.gz"
    with gzip.open(file, "rt") as lines:
        values = [
            next((x.split(":")[1] for x in line.split()[1:] if x.startswith("17:")), "0")
            for line in lines
        ]
    (tmp_path / "predictions").write_text("\n".join(values))
    by_file = rs.evaluate_letor(file, "AP", predictions=tmp_path / "predictions")
    assert by_file.per_query == rs.evaluate_letor(file, "AP", feature=17).per_query
