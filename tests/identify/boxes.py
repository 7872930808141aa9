"""Black boxes: functions of labels, scores and a cut-off, of ids, or of the texts of TREC files."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import rankspec as rs
from rankspec.api import of
from rankspec.metrics.measure import make

Box = Callable[..., Any]


def of_scores(metric: Any, ties: str = "expected", **parameters: Any) -> Box:
    """A metric of rankspec's, of labels and scores."""

    def box(labels, scores, k):
        return of(make(metric, k, **parameters), labels, scores=scores, ties=ties)

    return box


def of_lists(metric: Any, **parameters: Any) -> Box:
    """A metric of rankspec's, of a list of ids and a dict of judgments."""

    def box(recommended, judged, k):
        labels = [judged.get(i, 0) for i in recommended]
        pool = [*judged.values(), *(0 for i in recommended if i not in judged)]
        return of(make(metric, k, **parameters), labels, judged=pool)

    return box


def of_files(measure: str, **conventions: Any) -> Box:
    """A measure of rankspec's, of the texts of TREC files, under conventions or a profile."""

    def box(qrels, run, k):
        name = measure if k is None else f"{measure}@{k}"
        judged: dict[str, Any] = {}
        for line in qrels.splitlines():
            query, _, document, label = line.split()
            judged.setdefault(query, {})[document] = int(label)
        scores: dict[str, Any] = {}
        for line in run.splitlines():
            query, _, document, _, score, _ = line.split()
            scores.setdefault(query, {})[document] = float(score)
        found = rs.evaluate(judged, scores, [name], **conventions)
        return next(iter(found.per_query.values())).get("1")

    return box


# ---- plain doubles, as a program would have them -------------------------------------------


def ordered(labels, scores):
    """The labels by falling score, ties in the order of the input."""
    return [labels[a] for a in sorted(range(len(labels)), key=lambda a: -scores[a])]


def dcg(labels, k, gain=float, base=2.0):
    """DCG in doubles."""
    return sum(gain(x) * math.log(base) / math.log(i + 2) for i, x in enumerate(labels[:k]))


def ndcg(labels, scores, k, gain=float, ranked=ordered):
    """nDCG in doubles, 0 where nothing is relevant."""
    ideal = dcg(sorted(labels, reverse=True), k, gain)
    return dcg(ranked(labels, scores), k, gain) / ideal if ideal else 0.0


def ap(labels, scores, k, ranked=ordered):
    """AP in doubles, over the relevant items."""
    found, total = 0, 0.0
    for i, x in enumerate(ranked(labels, scores)[:k], start=1):
        if x >= 1:
            found += 1
            total += found / i
    relevant = sum(x >= 1 for x in labels)
    return total / relevant if relevant else 0.0
