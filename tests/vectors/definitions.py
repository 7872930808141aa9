"""The metrics of the vectors, from their definitions, in python-flint's arithmetic.

Nothing of rankspec is used here. Numbers are rationals (fmpq) as long as they can be, and balls
(arb) from the first irrational discount or gain on. What ties leave open is averaged over every
distinct order of the labels.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby, product
from typing import Any

from flint import arb, fmpq

Number = Any


def rational(x: Any) -> fmpq:
    n, d = Fraction(x).as_integer_ratio()
    return fmpq(n, d)


def ball(x: Number) -> arb:
    return x if isinstance(x, arb) else arb(x)


def add(x: Number, y: Number) -> Number:
    return x + y if isinstance(x, fmpq) == isinstance(y, fmpq) else ball(x) + ball(y)


def multiply(x: Number, y: Number) -> Number:
    if x == 0 or y == 0:
        return fmpq(0)
    return x * y if isinstance(x, fmpq) == isinstance(y, fmpq) else ball(x) * ball(y)


def divide(x: Number, y: Number) -> Number:
    return x / y if isinstance(x, fmpq) == isinstance(y, fmpq) else ball(x) / ball(y)


def total(terms: Any) -> Number:
    result: Number = fmpq(0)
    for term in terms:
        result = add(result, term)
    return result


def inverse_log(x: Fraction, b: Fraction) -> Number:
    """1/log_b(x), rational where x is a power of b."""
    power, e = b, 1
    while power < x:
        power, e = power * b, e + 1
    return fmpq(1, e) if power == x else ball(rational(b)).log() / ball(rational(x)).log()


def gain_of(gain: dict, r: Any) -> Number:
    if gain["kind"] == "linear":
        return rational(r)
    if gain["kind"] == "table":
        return rational(gain["table"][r])
    if r == int(r):
        return fmpq(2 ** int(r) - 1)
    return arb(2) ** ball(rational(r)) - 1


def discount_of(discount: dict, i: int) -> Number:
    kind = discount["kind"]
    if kind == "zipf":
        return fmpq(1, i)
    if kind == "none":
        return fmpq(1)
    if kind == "weights":
        return rational(discount["weights"][i - 1])
    b = Fraction(discount["base"])
    if kind == "log":
        return inverse_log(Fraction(i + 1), b)
    if kind == "jarvelin-2008":
        return inverse_log(b * i, b)
    return fmpq(1) if i < b else inverse_log(Fraction(i), b)


def dcg(labels: list, k: int, measure: dict) -> Number:
    discount = measure.get("discount", {"kind": "none"})
    return total(
        multiply(gain_of(measure["gain"], r), discount_of(discount, i))
        for i, r in enumerate(labels[:k], start=1)
        if gain_of(measure["gain"], r) != 0
    )


def of_order(labels: list, judged: list, k: int, measure: dict) -> Number:
    """The metric of labels in rank order."""
    if "gain" in measure:
        return of_gains(labels, sorted(judged, reverse=True), k, measure)
    R = [int(r >= measure["rel"]) for r in labels[:k]]
    N_p = sum(r >= measure["rel"] for r in judged)
    sp = total(fmpq(sum(R[:i]), i) for i in range(1, len(R) + 1) if R[i - 1])
    numerator, divisor = {
        "P": (sum(R), k),
        "R": (sum(R), N_p),
        "RR": (1, R.index(1) + 1) if 1 in R else (0, 1),
        "SP": (sp, 1),
        "AP": (sp, {"R": N_p, "min": min(k, N_p), "k": k}[measure.get("norm", "R")]),
    }[measure["name"]]
    return fmpq(numerator) / divisor if divisor else fmpq(0)


def of_gains(labels: list, ideal: list, k: int, measure: dict) -> Number:
    name = measure["name"]
    if name == "IDCG":
        return dcg(ideal, k, measure)
    if name in ("CG", "DCG"):
        return dcg(labels, k, measure)
    if name == "LDCG":
        return ldcg(labels, k, measure)
    if name == "ILDCG":
        return ildcg(ideal, k, measure)
    if name == "LNDCG":
        return quotient(ldcg(labels, k, measure), ildcg(ideal, k, measure))
    best = dcg(ideal, {"k": k, "all": len(ideal)}[measure["ideal"]], measure)
    return quotient(dcg(labels, k, measure), best)


def quotient(x: Number, y: Number) -> Number:
    """x / y, and 0 where y is 0."""
    return fmpq(0) if y == 0 else divide(x, y)


# Length [lv-2014]. A measure without "Z", or with "Z": "none", has the weights themselves for p.


def weight(measure: dict, i: int) -> Number:
    """What p(i) is proportional to: in eq. 3 the discount."""
    prior = measure["prior"]
    if prior["kind"] == "uniform":
        return fmpq(1)
    return discount_of(measure["discount"] if prior["kind"] == "discount" else prior, i)


def p(i: int, M: int, measure: dict) -> Number:
    """Eq. 3: how likely the one relevant result is at rank i."""
    if i > M:
        return fmpq(0)
    if measure.get("Z", "none") == "none":
        return weight(measure, i)
    return quotient(weight(measure, i), total(weight(measure, j) for j in range(1, M + 1)))


def ldcg(labels: list, M: int, measure: dict) -> Number:
    """Eq. 6, with the left form of eq. 4 below: E[DCG] is the sum of p(i) · DCG(i), rel = 1."""
    expected = total(
        multiply(p(i, M, measure), discount_of(measure["discount"], i))
        for i in range(1, min(len(labels), M) + 1)
    )
    return quotient(dcg(labels, M, measure), expected)


def ildcg(ideal: list, M: int, measure: dict) -> Number:
    """Eq. 7; or the greatest LDCG of the lists that show the first items of the ideal order."""
    if measure["ideal"] == "eq7":
        return ldcg([r for r in ideal if r == ideal[0]], M, measure)
    lists = (ideal[:N] for N in range(1, min(len(ideal), M) + 1))
    return greatest([ldcg(labels, M, measure) for labels in lists])


def greatest(numbers: list[Number]) -> Number:
    """The greatest of numbers that are not negative, 0 of none."""
    largest: Number = fmpq(0)
    for x in numbers:
        if isinstance(x, fmpq) and isinstance(largest, fmpq):
            largest = max(largest, x)
        else:
            largest = ball(largest).max(ball(x))
    return largest


def groups_of(given: dict) -> list[list[int]]:
    """The positions of the items by falling score, equal scores together."""
    scores = given["scores"]
    falling = sorted(range(len(scores)), key=lambda a: Fraction(scores[a]), reverse=True)
    return [list(group) for _, group in groupby(falling, key=lambda a: Fraction(scores[a]))]


def orders_of(given: dict) -> list[list]:
    """Every order of the labels that the scores and the rule admit, each equally likely."""
    labels = given["labels"]
    if "scores" not in given:
        return [labels]
    groups, ties = groups_of(given), given["ties"]
    if ties == "expected":
        each = [distinct_orders(sorted(labels[a] for a in group)) for group in groups]
        return [[x for part in choice for x in part] for choice in product(*each)]
    key = {
        "id-descending": lambda a: given["ids"][a],
        "id-ascending": lambda a: given["ids"][a],
        "input": lambda a: a,
        "best": lambda a: labels[a],
        "worst": lambda a: labels[a],
    }[ties]
    falling = ties in ("id-descending", "best")
    return [[labels[a] for group in groups for a in sorted(group, key=key, reverse=falling)]]


def distinct_orders(items: list) -> list[list]:
    """The distinct orders of items; equal items make equally many orders alike."""
    if not items:
        return [[]]
    return [
        [x, *rest]
        for j, x in enumerate(items)
        if j == 0 or x != items[j - 1]
        for rest in distinct_orders(items[:j] + items[j + 1 :])
    ]


def value_of(measure: dict, given: dict, k: int | None) -> Number:
    """The metric of a case at a cut-off: the mean over the orders that are open."""
    labels = given.get("labels", [])
    judged = given.get("judged", labels)
    if k is None:
        of_list = measure["name"] == "P" or measure.get("norm") == "k"
        k = len(labels) if of_list else max(len(labels), len(judged))
        measure = {**measure, "Z": "none"}
    orders = orders_of({**given, "labels": labels})
    values = total(of_order(order, judged, k, measure) for order in orders)
    return divide(values, fmpq(len(orders)))
