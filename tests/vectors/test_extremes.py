"""The lowest and the highest value over judgments, in plain doubles, over all that can be.

Nothing of rankspec is used here: each unjudged document has each label from 0 to the highest.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import log2
from typing import Any

from tests.each import each

from .judging import EVALUATIONS, ulps

CASES = {
    case["id"]: case
    for case in EVALUATIONS
    if case["conventions"].get("unjudged") in ("lowest", "highest")
    and case["measure"]["name"] in ("nDCG", "AP")
    and case["max_ulp"] is not None
}


def lines(text: str, document: int, number: int) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for words in map(str.split, text.splitlines()):
        found.setdefault(words[0], {})[words[document]] = float(words[number])
    return found


def dcg(labels: list[float], k: int) -> float:
    return sum(r / log2(i + 1) for i, r in enumerate(labels[:k], start=1))


def value(labels: list[float], pool: list[float], measure: dict[str, Any]) -> float:
    k = measure["k"] or max(len(labels), len(pool))
    if measure["name"] == "nDCG":
        ideal = dcg(sorted(pool, reverse=True), k)
        return dcg(labels, k) / ideal if ideal else 0.0
    hits = [int(r >= 1) for r in labels[:k]]
    relevant = sum(r >= 1 for r in pool)
    found = sum(x * sum(hits[:i]) / i for i, x in enumerate(hits, start=1))
    return found / relevant if relevant else 0.0


def values(case: dict[str, Any], query: str) -> Iterator[float]:
    """Those of a query, by each judgment of what nobody has judged."""
    qrels, run = lines(case["input"]["qrels"], 2, 3), lines(case["input"]["run"], 2, 4)
    judged, scores = qrels.get(query, {}), run.get(query, {})
    ranked = sorted(scores, key=lambda d: (scores[d], d), reverse=True)
    open_ = [d for d in ranked if d not in judged]
    highest = max(1, *(int(x) for labels in qrels.values() for x in labels.values()))
    for chosen in product(range(highest + 1), repeat=len(open_)):
        labels = {**judged, **dict(zip(open_, chosen, strict=True))}
        yield value([labels[d] for d in ranked], list(labels.values()), case["measure"])


def test_there_are_such_cases():
    assert {"evaluation-0045", "evaluation-0051", "evaluation-0053"} <= set(CASES)


@each("name", CASES)
def test_the_extreme_of_doubles_is_within_max_ulp(name):
    case = CASES[name]
    extreme = min if case["conventions"]["unjudged"] == "lowest" else max
    for query, expected in case["expected"]["queries"].items():
        assert ulps([expected], [extreme(values(case, query))]) <= case["max_ulp"]
