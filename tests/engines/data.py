"""Qrels and runs of many queries, of which some are in one only."""

from __future__ import annotations

from random import Random
from typing import Any

QRELS = "query_id string, doc_id string, relevance int"
RUN = "query_id string, doc_id string, score double"
MEASURES = ["nDCG@10", "AP", "RR", "NumRet", "GM(AP)"]

Rows = list[tuple[str, str, Any]]


def qrels(queries: int = 90, documents: int = 12, seed: int = 5) -> Rows:
    """Rows (query, document, label) of the queries from 20 on, labels from -1 to 2, and to 4 in
    one query; of some queries no label is above 0.
    """
    random = Random(seed)
    return [
        (f"q{q:03}", f"d{d}", random.randint(-1, 0 if q % 7 == 0 else 4 if q == 30 else 2))
        for q in range(20, queries)
        for d in random.sample(range(40), documents)
    ]


def run(queries: int = 70, documents: int = 15, seed: int = 6) -> Rows:
    """Rows (query, document, score) with ties; a query of many more rows is among them."""
    random = Random(seed)
    rows = [
        (f"q{q:03}", f"d{d}", random.randint(0, 20) / 7)
        for q in range(queries)
        for d in random.sample(range(40), documents)
    ]
    return rows + [("q033", f"e{d}", random.randint(0, 20) / 7) for d in range(10 * documents)]


def shuffled(rows: Rows, seed: int = 7) -> Rows:
    """The same rows in another order."""
    return Random(seed).sample(rows, len(rows))


def doubled(rows: Rows) -> Rows:
    """The rows, and of some documents another row with another number."""
    return rows + [(q, d, x + 1) for q, d, x in rows[::9]]
