"""trec_eval 9 in a few plain lines, with its own rounding: to the last bit what it prints.

Scores are 32-bit floats, ties are by document id, descending, and sums are added in rank order.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from ctypes import c_float

from rankspec.metrics.measure import Measure


def value(  # noqa: PLR0911 - one measure after the other
    measure: Measure, judged: Mapping[str, int], scored: Mapping[str, float], rel: int = 1
) -> float:
    """The value for a query, of a measure that trec_eval has."""
    ranked = ranked_labels(judged, scored)
    relevant = sum(label >= rel for label in judged.values())
    hits = [label >= rel for label in ranked]
    k = measure.k
    if measure.metric.name == "nDCG":
        ideal = dcg(sorted(judged.values(), reverse=True), k)
        return dcg(ranked, k) / ideal if ideal else 0.0
    if measure.metric.name == "AP":
        total = 0.0
        for i, hit in enumerate(hits[:k]):
            if hit:
                total += sum(hits[: i + 1]) / (i + 1)
        return total / relevant if relevant else 0.0
    if measure.metric.name == "AvgIPrec":
        return over_levels(measure.levels, hits, relevant)
    if measure.metric.name == "P":
        return sum(hits[:k]) / k
    if measure.metric.name == "Rprec":
        hits, k = hits[:relevant], None
    if measure.metric.name in ("R", "Rprec"):
        return sum(hits[:k]) / relevant if relevant else 0.0
    if measure.metric.name == "Success":
        return float(any(hits[:k]))
    assert measure.metric.name == "RR"
    return 1 / (hits.index(True) + 1) if any(hits) else 0.0


def over_levels(levels: Sequence[float], hits: Sequence[bool], relevant: int) -> float:
    """The mean of the interpolated precisions, added from the highest level on."""
    precisions = [(sum(hits[:i]), sum(hits[:i]) / i) for i in range(1, len(hits) + 1)]
    total = 0.0
    for level in reversed(levels):
        c = int(level * relevant + 0.9)
        total += max((x for h, x in precisions if h >= c), default=0.0)
    return total / len(levels)


def ranked_labels(judged: Mapping[str, int], scored: Mapping[str, float]) -> list[int]:
    def key(document: str) -> tuple[float, bytes]:
        return c_float(scored[document]).value, document.encode()

    return [judged.get(document, 0) for document in sorted(scored, key=key, reverse=True)]


def dcg(labels: Sequence[int], k: int | None) -> float:
    total = 0.0
    for i, label in enumerate(labels[:k]):
        total += max(label, 0) / math.log2(i + 2)
    return total
