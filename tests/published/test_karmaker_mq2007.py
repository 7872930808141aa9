"""What MAP@k and the lower bound of SP can be of the queries of MQ2007 (RS-ERR-31, RS-ERR-49)."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from rankspec.papers.karmaker_2022 import printed as paper
from tests.papers import errata


@pytest.fixture(scope="module")
def queries(data: Callable[[str], Path]) -> list[tuple[int, int]]:
    """Of each query of the public parts: its relevant items, and all its items."""
    relevant: Counter[str] = Counter()
    items: Counter[str] = Counter()
    for part in ("A1", "A2"):
        with gzip.open(data("letor_mq2007_agg") / f"{part}.txt.gz", "rt", encoding="ascii") as rows:
            for row in rows:
                label, query, *_ = row.split()
                relevant[query] += label != "0"
                items[query] += 1
    return [(relevant[query], items[query]) for query in items]


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


@pytest.mark.spec("RS-ERR-31")
def test_the_bounds_of_the_erratum(queries: list[tuple[int, int]]) -> None:
    assert len(queries) == 678
    assert errata.rounded(mean([Fraction(N_p) for N_p, _ in queries])) == "10.58"
    with_relevant = [N_p for N_p, _ in queries if N_p]
    assert len(with_relevant) == 578
    last = {m: Fraction(row[4]) for m, row in paper.PRINTED["MAP", "MQ2007"].items()}
    rows = errata.table("RS-ERR-31")
    for (_, *printed, above), own in zip(
        rows, ([N_p for N_p, _ in queries], with_relevant), strict=True
    ):
        at_most = [mean([Fraction(min(k, N_p), k) for N_p in own]) for k in paper.CUTOFFS]
        assert [errata.rounded(x, 4) for x in at_most] == printed
        methods = [m for m in paper.METHODS if last[m] > at_most[4]]
        assert above == (", ".join(methods) if len(methods) < 8 else "all eight")


@pytest.mark.spec("RS-ERR-49", "RS-ERR-5")
def test_the_shares_of_the_lower_bound(queries: list[tuple[int, int]]) -> None:
    k = 30

    def expected_sp(N_p: int, n: int) -> Fraction:
        """RS-ERR-5, up to the length of the list."""
        depth = min(k, n)
        H = sum((Fraction(1, i) for i in range(1, depth + 1)), Fraction(0))
        return Fraction(N_p, n * (n - 1)) * ((N_p - 1) * depth + (n - N_p) * H)

    columns = []
    for own in (queries, [both for both in queries if both[0]]):
        by_formula = [Fraction(N_p, n) ** 2 for N_p, n in own]
        exact = [expected_sp(N_p, n) / k for N_p, n in own]
        by_most = [expected_sp(N_p, n) / min(k, N_p) if N_p else Fraction(0) for N_p, n in own]
        columns.append([errata.rounded(mean(x), 4) for x in (by_formula, exact, by_most)])
        for x in (by_formula, exact):
            variance = mean([v * v for v in x]) - mean(x) ** 2
            assert variance / (len(x) - 1) < Fraction(1, 100) ** 2
    rows = [row[1:] for row in errata.table("RS-ERR-49") if row[0].startswith("by ")]
    assert [list(row) for row in zip(*columns, strict=True)] == rows
    needed = Fraction("0.1686")
    assert [[Fraction(x) < needed for x in row] for row in rows] == [[True] * 2] * 2 + [[False] * 2]
