"""CHIIR 2016: 40 sessions of a user study, and what the program of jiang-2016 made of them.

It takes the gain 2^r - 1, its own discounts of ranks and of queries, nine results a query, and an
ideal session whose every query shows the ideal list, those without results too. The nDCG of a
query is that of means (RS-SES-25). Labels below 0 count as 0.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.formats.sessions import read_judgments

BASES = {"b2_bq4": (2, 4), "b2_noqd": (2, None), "b3_bq2": (3, 2), "b10_bq10": (10, 10)}
METRICS = {"sDCG": rs.sDCG, "nsDCG": rs.nsDCG, "sDCGq": rs.sDCG_q}
OVER = {
    "sum": "sum",
    "mean": "mean",
    "max": "best",
    "min": "worst",
    "first": "first",
    "last": "last",
}


def measure_of(column: str) -> rs.Measure:
    """The measure that a column holds."""
    name, _, bases = column.partition("_")
    if bases == "nDCG9":
        return rs.query_nDCG(
            k=9, gain="exp2", discount="log2", padding=0, dcg="mean", over=OVER[name]
        )
    b, bq = BASES[bases]
    return METRICS[name](
        k=9,
        gain="exp2",
        discount=f"jiang-2016(b={b})",
        query_discount="none" if bq is None else f"jiang-2016(b={bq})",
    )


@pytest.mark.spec(
    "RS-DISC-7",
    "RS-SES-3",
    "RS-SES-6",
    "RS-SES-7",
    "RS-SES-10",
    "RS-SES-11",
    "RS-SES-12",
    "RS-SES-16",
    "RS-SES-25",
    "RS-SES-23",
    "RS-CONV-22",
    "RS-CONV-25",
)
def test_the_authors_program(data: Callable[[str], Path]) -> None:
    """640 values: 398 are the same doubles; the others, sums of rounded doubles, within 3 ulps."""
    folder = data("session_chiir16")
    with (folder / "expected_per_session.tsv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    columns = {
        column: measure_of(column) for column in rows[0] if "_b" in column or "nDCG" in column
    }
    result = rs.evaluate_sessions(
        folder / "qrels.tsv.gz", folder / "results.tsv.gz", columns.values()
    )
    assert result.left_out == {}
    away: Counter[float] = Counter()
    for row in rows:
        session = row.pop("SessionID")
        away[abs(result.queries[session] - int(row.pop("n_queries")))] += 1
        assert set(row) == set(columns)
        for column, value in row.items():
            found = result.per_session[str(columns[column])][session]
            away[abs(found - float(value)) / math.ulp(float(value))] += 1
    assert away.total() == 16 * 40
    assert away[0] == 398
    assert max(away) <= 3


@pytest.mark.spec("RS-CONV-15")
def test_the_data_have_what_they_test(data: Callable[[str], Path]) -> None:
    """Labels below 0, and queries without results."""
    folder = data("session_chiir16")
    judgments = read_judgments(folder / "qrels.tsv.gz")
    labels = Counter(label for documents in judgments.values() for label in documents.values())
    assert (set(labels), labels[-1]) == ({-1, 0, 1, 2}, 26)
    sessions = rs.read_sessions(folder / "results.tsv.gz")
    assert sum(query == [] for session in sessions for query in session.queries) == 2
    assert len(sessions) == 40
