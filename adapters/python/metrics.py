"""Ranking metrics of one list, in plain doubles: what an adapter stands in front of."""

from math import log


def gain(label, kind, table=None):
    if kind == "exp2":
        return 2.0**label - 1
    return float(label) if kind == "linear" else float(table[label])


def discount(rank, kind, base=2):
    if kind == "log":
        return log(base) / log(rank + 1)
    return 1 / rank if kind == "zipf" else 1.0


def quotient(x, y):
    return x / y if y else 0.0


def dcg(labels, k, gain_of, discount_of):
    ranked = enumerate(labels[:k], start=1)
    return sum(gain_of(label) * discount_of(rank) for rank, label in ranked)


def idcg(judged, k, gain_of, discount_of):
    return dcg(sorted(judged, reverse=True), k, gain_of, discount_of)


def ndcg(labels, judged, k, ideal, gain_of, discount_of):
    best = idcg(judged, k if ideal == "k" else None, gain_of, discount_of)
    return quotient(dcg(labels, k, gain_of, discount_of), best)


def hits(labels, k, rel):
    return [label >= rel for label in labels[:k]]


def precision(labels, k, rel):
    return quotient(sum(hits(labels, k, rel)), len(labels) if k is None else k)


def recall(labels, judged, k, rel):
    return quotient(sum(hits(labels, k, rel)), sum(hits(judged, None, rel)))


def reciprocal_rank(labels, k, rel):
    return next((1 / i for i, hit in enumerate(hits(labels, k, rel), start=1) if hit), 0.0)


def success(labels, k, rel):
    return float(any(hits(labels, k, rel)))


def average_precision(labels, judged, k, rel, norm):
    found, total = 0, 0.0
    for i, hit in enumerate(hits(labels, k, rel), start=1):
        found += hit
        total += hit * found / i
    relevant = sum(hits(judged, None, rel))
    return quotient(total, min(relevant, k) if norm == "min" and k else relevant)
