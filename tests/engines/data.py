"""Qrels and runs of many queries, of which some are in one only."""

from __future__ import annotations

from random import Random

QRELS = "query_id string, doc_id string, relevance int"
RUN = "query_id string, doc_id string, score double"
MEASURES = ["nDCG@10", "AP", "RR", "NumRet", "GM(AP)"]


def qrels(queries: int = 90, documents: int = 12) -> list[tuple[str, str, int]]:
    """Rows (query, document, label) of the queries from 20 on, labels from -1 to 3."""
    random = Random(5)
    return [
        (f"q{q}", f"d{d}", random.randint(-1, 3))
        for q in range(20, queries)
        for d in random.sample(range(40), documents)
    ]


def run(queries: int = 70, documents: int = 15) -> list[tuple[str, str, float]]:
    """Rows (query, document, score) with ties; a query of ten times as many rows among them."""
    random = Random(6)
    rows = [
        (f"q{q}", f"d{d}", random.randint(0, 20) / 7)
        for q in range(queries)
        for d in random.sample(range(40), documents)
    ]
    rows += [("q33", f"e{d}", random.randint(0, 20) / 7) for d in range(10 * documents)]
    random.shuffle(rows)
    return rows
