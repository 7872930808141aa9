"""The metrics and vectors of sessions of the vectors, from their definitions, in python-flint.

A session is a table of places (q, i): rank i of query q. Each place has a weight, and what it holds
has a gain; everything else is sums over places. Nothing of rankspec is used here.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key, reduce

from flint import fmpq

from .definitions import (
    Number,
    add,
    difference,
    discount_of,
    divide,
    gain_of,
    greatest,
    multiply,
    quotient,
    rational,
    total,
)

Place = tuple[int, int]
Gains = dict[Place, Number]


def pool_of(given: dict) -> list:
    """All judged labels; else those of the documents that are shown, or of the results."""
    if "judged" in given:
        return given["judged"]
    results = [label for ranked in given["queries"] for label in ranked]
    if "documents" not in given:
        return results
    documents = [document for ranked in given["documents"] for document in ranked]
    return [label for a, label in enumerate(results) if documents[a] not in documents[:a]]


def shown(given: dict, X: int, measure: dict) -> Gains:
    """What the places of the first X results gain: less where the document came before."""
    gains: Gains = {}
    seen: list = []
    for q, ranked in enumerate(given["queries"], start=1):
        for i, label in enumerate(ranked[:X], start=1):
            gains[q, i] = gain_of(measure["gain"], label)
            if "documents" in given:
                document = given["documents"][q - 1][i - 1]
                left = {"every": 1, "first": 0}.get(measure["repeats"], measure["repeats"])
                for _ in range(seen.count(document)):
                    gains[q, i] = multiply(rational(left), gains[q, i])
                seen.append(document)
    return gains


def places_of(given: dict, X: int, measure: dict) -> list[Place]:
    """The ranks of all queries, one query after the other."""
    padding = measure.get("padding", "X")
    least = X if padding == "X" else padding
    lengths = [max(len(ranked), least) for ranked in given["queries"]]
    return [
        (q, i) for q, length in enumerate(lengths, start=1) for i in range(1, min(length, X) + 1)
    ]


def weight(place: Place, measure: dict) -> Number:
    q, i = place
    return multiply(discount_of(measure["query_discount"], q), discount_of(measure["discount"], i))


def ideal(given: dict, X: int, measure: dict) -> Gains:
    """What the places of the ideal session gain."""
    places = places_of(given, X, measure)
    best = sorted(pool_of(given), reverse=True)
    if measure["ideal"] == "repeated":
        return {(q, i): gain_of(measure["gain"], best[i - 1]) for q, i in places if i <= len(best)}
    if measure["ideal"] == "greatest":
        weights = {place: weight(place, measure) for place in places}

        def heavier(x: Place, y: Place) -> int:
            less = difference(weights[y], weights[x])
            return -1 if less < 0 else int(less > 0)

        places = sorted(places, key=cmp_to_key(heavier))  # equals stay as they are
    return {
        place: gain_of(measure["gain"], label) for place, label in zip(places, best, strict=False)
    }


def cumulated(gains: Gains, places: list[Place], measure: dict) -> list[Number]:
    """The vector of a session."""
    vector: list[Number] = []
    for place in places:
        gained = multiply(weight(place, measure), gains.get(place, fmpq(0)))
        vector.append(add(vector[-1] if vector else fmpq(0), gained))
    return vector


def dcg_by_query(gains: Gains, m: int, measure: dict) -> list[Number]:
    return [
        total(
            multiply(g, discount_of(measure["discount"], i))
            for (p, i), g in gains.items()
            if p == q
        )
        for q in range(1, m + 1)
    ]


def mean(values: list[Number]) -> Number:
    return divide(total(values), fmpq(len(values))) if values else fmpq(0)


def over(values: list[Number], which: str) -> Number:
    if which == "sum":
        return total(values)
    if which in ("mean", "non-last"):
        return mean(values if which == "mean" else values[:-1])
    if not values:
        return fmpq(0)
    if which in ("best", "worst"):
        return greatest(values) if which == "best" else reduce(lesser, values)
    return values[0] if which == "first" else values[-1]


def lesser(x: Number, y: Number) -> Number:
    return x if difference(x, y) < 0 else y


def depth(given: dict, k: int | None, measure: dict) -> int:
    """X; without one all results of each query, and all of the pool where it matters."""
    if k is not None:
        return k
    longest = max(map(len, given["queries"]), default=0)
    of_pool = {
        "Instance_recall",
        "query_P_at_recall",
        "IsDCG",
        "nsDCG",
        "avg_nsDCG",
        "query_nDCG",
        "IsDCG_vector",
        "nsDCG_vector",
    }
    return max(longest, len(pool_of(given))) if measure["name"] in of_pool else longest


def vector_of(measure: dict, given: dict, k: int | None) -> list[Number]:
    X = depth(given, k, measure)
    if measure["name"] == "query_sDCG_vectors":
        gains = shown(given, X, measure)
        m = len(given["queries"])
        return [
            component
            for q in range(1, m + 1)
            for component in cumulated(gains, [place for place in gains if place[0] == q], measure)
        ]
    places = places_of(given, X, measure)
    if measure["name"] == "IsDCG_vector":
        return cumulated(ideal(given, X, measure), places, measure)
    sdcg = cumulated(shown(given, X, measure), places, measure)
    if measure["name"] == "sDCG_vector":
        return sdcg
    best = cumulated(ideal(given, X, measure), places, measure)
    return [quotient(x, y) for x, y in zip(sdcg, best, strict=True)]


def value_of(measure: dict, given: dict, k: int | None) -> Number:
    """A metric of one session."""
    name, m = measure["name"], len(given["queries"])
    if name in ("avg_sDCG", "avg_nsDCG"):
        return mean(vector_of({**measure, "name": f"{name[4:]}_vector"}, given, k))
    X = depth(given, k, measure)
    if name in OF_RELEVANCE:
        return OF_RELEVANCE[name](given, X, measure)
    if name == "IsDCG":
        best = ideal(given, X, measure)
        return total(multiply(g, weight(place, measure)) for place, g in best.items())
    by_query = dcg_by_query(shown(given, X, measure), m, measure)
    if name == "query_nDCG":  # each query has an ideal list of its own
        best = ideal(given, X, {**measure, "ideal": "repeated"})
        ideals = dcg_by_query(best, m, measure)
        values = [quotient(x, y) for x, y in zip(by_query, ideals, strict=True)]
        if measure.get("dcg") == "mean":
            values = ndcg_of_means(given, by_query, X, measure)
        return over(values, measure["over"])
    discounts = [discount_of(measure["query_discount"], q) for q in range(1, m + 1)]
    gained = [multiply(D, x) for D, x in zip(discounts, by_query, strict=True)]
    of_queries = {"sDCG": "sum", "sDCG_q": "mean", "query_sDCG": measure.get("over")}
    if name in of_queries:
        return over(gained, of_queries[name])
    return quotient(total(gained), value_of({**measure, "name": "IsDCG"}, given, X))


def instance_recall(given: dict, X: int, measure: dict) -> Number:
    found, rel = [], measure["rel"]
    for q, ranked in enumerate(given["queries"]):
        for i, label in enumerate(ranked[:X]):
            document = given["documents"][q][i] if "documents" in given else (q, i)
            if label >= rel and document not in found:
                found.append(document)
    relevant = sum(label >= rel for label in pool_of(given))
    return fmpq(len(found), relevant) if relevant else fmpq(0)


def queries_at_recall(given: dict, X: int, measure: dict) -> Number:
    values = [at_recall(given, ranked[:X], measure) for ranked in given["queries"]]
    return over(values, measure["over"])


def at_recall(given: dict, ranked: list, measure: dict) -> Number:
    """Precision, where enough of the relevant items of the pool are among the first ones."""
    rel, relevant = measure["rel"], sum(label >= measure["rel"] for label in pool_of(given))
    reached = []
    for i in range(1, len(ranked) + 1):
        hits = sum(label >= rel for label in ranked[:i])
        if relevant and hits * 100 >= Fraction(measure["recall"]) * relevant:
            reached.append(Fraction(hits, i))
    best = max(reached) if measure["precision"] == "interpolated" and reached else None
    found = best if best is not None else reached[0] if reached else Fraction(0)
    return fmpq(found.numerator, found.denominator)


OF_RELEVANCE = {"Instance_recall": instance_recall, "query_P_at_recall": queries_at_recall}


def ndcg_of_means(given: dict, by_query: list[Number], X: int, measure: dict) -> list[Number]:
    """DCG of each query over the discounts of its ranks, over that of the ideal list."""

    def discounts(n: int) -> Number:
        least = X if measure["padding"] == "X" else measure["padding"]
        ranks = min(X, max(n, least))
        return total(discount_of(measure["discount"], i) for i in range(1, ranks + 1))

    best = sorted(pool_of(given), reverse=True)[:X]
    gained = (
        multiply(gain_of(measure["gain"], r), discount_of(measure["discount"], i))
        for i, r in enumerate(best, start=1)
    )
    of_ideal = quotient(total(gained), discounts(len(pool_of(given))))
    return [
        quotient(quotient(x, discounts(len(ranked))), of_ideal)
        for x, ranked in zip(by_query, given["queries"], strict=True)
    ]
