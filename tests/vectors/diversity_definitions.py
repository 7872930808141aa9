"""The metrics of diversity, defined independently of the package: by users, by counting, by orders.

Rational values are exact; those with logarithms are computed with 60 digits.
"""

from __future__ import annotations

import functools
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations
from typing import Any

Rows = list[list[int]]
DIGITS = 60


def _weights(judged: Rows, labels: Rows, probabilities: Any, rel: Any) -> list[Fraction]:
    m = len((judged or labels)[0]) if probabilities is None else len(probabilities)
    if probabilities is None:
        probabilities = [max([row[j] >= rel for row in judged], default=False) for j in range(m)]
    total = sum(Fraction(w) for w in probabilities)
    return [Fraction(w) / total if total else Fraction(0) for w in probabilities]


def _sum(gains: list[Any], weight: Any) -> Any:
    """Σ weight(i) gain, exactly or in decimals, as the weights are."""
    with localcontext(prec=DIGITS):
        terms = [
            w * (Decimal(x.numerator) / x.denominator if isinstance(w, Decimal) else x)
            for i, x in enumerate(gains, start=1)
            for w in [weight(i)]
        ]
        return sum(terms[1:], start=terms[0]) if terms else Fraction(0)


def _over(x: Any, y: Any) -> Any:
    with localcontext(prec=DIGITS):
        if isinstance(x, Decimal) or isinstance(y, Decimal):
            x, y = (
                z if isinstance(z, Decimal) else Decimal(z.numerator) / z.denominator
                for z in (x, y)
            )
        return x / y if y else Fraction(0)


@functools.cache
def _ln(x: int) -> Decimal:
    with localcontext(prec=DIGITS):
        return Decimal(x).ln()


def _discount(name: str) -> Any:
    if name == "none":
        return lambda i: Fraction(1)  # noqa: ARG005
    if name == "zipf":
        return lambda i: Fraction(1, i)
    if name == "jarvelin-2008(b=2)":
        return lambda i: _ln(2) / (_ln(2) + _ln(i))
    return lambda i: _ln(2) / _ln(i + 1)


class _Users:
    """Each subtopic is a share of the users; who finds something new is less keen on more of it."""

    def __init__(self, P: list[Fraction], rel: Any, alpha: Any, stop: str, largest: int) -> None:
        self.P, self.rel, self.alpha, self.stop, self.max = P, rel, Fraction(alpha), stop, largest

    def found(self, label: int) -> Fraction:
        if self.stop == "max":
            return Fraction(2**label - 1, 2**self.max)
        return Fraction(1) if label >= self.rel else Fraction(0)

    def kept(self, label: int) -> Fraction:
        if self.stop == "max":
            return 1 - self.found(label)
        return 1 - self.alpha if label >= self.rel else Fraction(1)

    def gains(self, rows: Rows) -> list[Fraction]:
        gains, keen = [], self.P
        for row in rows:
            gains.append(
                sum((p * self.found(x) for p, x in zip(keen, row, strict=True)), Fraction(0))
            )
            keen = [p * self.kept(x) for p, x in zip(keen, row, strict=True)]
        return gains

    def greedy(self, pool: Rows, k: int) -> Rows:
        left, taken = [*pool], []
        while left and len(taken) < k:
            gains = [self.gains([*taken, row])[-1] for row in left]
            taken.append(left.pop(gains.index(max(gains))))
        return taken


def _cascade(weight_of: Any, normalised: bool) -> Any:
    def metric(
        labels: Rows,
        judged: Rows,
        probabilities: Any = None,
        k: Any = None,
        alpha: Any = 0.5,
        rel: Any = 1,
        stopping: str = "alpha",
        norm: str = "max",
        ideal: str = "greedy",
        **more: Any,
    ) -> Any:
        users = _Users(
            _weights(judged, labels, probabilities, rel), rel, alpha, stopping, more.get("max", 4)
        )
        k = max(len(labels), len(judged)) if k is None else k
        weight = weight_of(**more)
        value = _sum(users.gains(labels)[:k], weight)
        if normalised and ideal == "greedy":
            return _over(value, _sum(users.gains(users.greedy(judged, k)), weight))
        if normalised:
            orders = [users.gains(list(x)) for x in permutations(judged, min(k, len(judged)))]
            return _over(value, max(_sum(G, weight) for G in orders))
        if norm == "none":
            several = weight_of is _by_discount and probabilities is None
            return value * sum(map(bool, users.P)) if several else value
        if weight_of is _by_power:  # an endless list that is relevant to all: a geometric series
            return value * (1 - (1 - Fraction(alpha)) * Fraction(more.get("beta", 0.5)))
        if not any(users.P):
            return Fraction(0)
        best = 1 if stopping == "alpha" else users.max
        every = _Users([Fraction(1)], 1 if stopping == "alpha" else rel, alpha, stopping, users.max)
        return _over(value, _sum(every.gains([[best]] * k), weight))

    return metric


def _by_discount(discount: str = "log2", **_: Any) -> Any:
    return _discount(discount)


def _by_rank(**_: Any) -> Any:
    return lambda i: Fraction(1, i)


def _by_power(beta: Any = 0.5, **_: Any) -> Any:
    return lambda i: Fraction(beta) ** (i - 1)


alpha_dcg = _cascade(_by_discount, normalised=False)
alpha_ndcg = _cascade(_by_discount, normalised=True)
err_ia = _cascade(_by_rank, normalised=False)
nerr_ia = _cascade(_by_rank, normalised=True)
nrbp = _cascade(_by_power, normalised=False)
nnrbp = _cascade(_by_power, normalised=True)


def _gain(gain: Any) -> Any:
    if gain == "exp2":
        return lambda r: Fraction(2**r - 1)
    return Fraction if gain == "linear" else lambda r: Fraction(gain[r])


def _mean_over_subtopics(of_one: Any) -> Any:
    def metric(
        labels: Rows,
        judged: Rows,
        probabilities: Any = None,
        k: Any = None,
        rel: Any = 1,
        **more: Any,
    ) -> Any:
        P = _weights(judged, labels, probabilities, rel)
        total: Any = Fraction(0)
        for j, p in enumerate(P):
            columns = ([row[j] for row in rows] for rows in (labels, judged))
            x = of_one(*columns, k, rel=rel, **more) if p else Fraction(0)
            with localcontext(prec=DIGITS):
                if isinstance(x, Decimal) or isinstance(total, Decimal):
                    x, total = (
                        z if isinstance(z, Decimal) else Decimal(z.numerator) / z.denominator
                        for z in (x, total)
                    )
                    total += x * p.numerator / p.denominator
                else:
                    total += p * x
        return total

    return metric


def _ndcg(
    r: list[int], J: list[int], k: Any, gain: Any = "linear", discount: str = "log2", **_: Any
) -> Any:
    g, d = _gain(gain), _discount(discount)
    k = max(len(r), len(J)) if k is None else k
    return _over(
        _sum([g(x) for x in r[:k]], d), _sum(sorted((g(x) for x in J), reverse=True)[:k], d)
    )


def _ap(r: list[int], J: list[int], k: Any, rel: Any) -> Fraction:
    k = len(r) if k is None else k
    relevant = sum(x >= rel for x in J)
    hits = [i for i, x in enumerate(r[:k], start=1) if x >= rel]
    total = sum((Fraction(n, i) for n, i in enumerate(hits, start=1)), start=Fraction(0))
    return total / relevant if relevant else Fraction(0)


def _p(r: list[int], _: list[int], k: Any, rel: Any) -> Fraction:
    k = len(r) if k is None else k
    return Fraction(sum(x >= rel for x in r[:k]), k)


ndcg_ia = _mean_over_subtopics(_ndcg)
ap_ia = _mean_over_subtopics(_ap)
p_ia = _mean_over_subtopics(_p)


def st_recall(
    labels: Rows, judged: Rows, probabilities: Any = None, k: Any = None, rel: Any = 1
) -> Fraction:
    P = _weights(judged, labels, probabilities, rel)
    counted = [j for j, p in enumerate(P) if p and max([row[j] for row in judged]) >= rel]
    covered = {j for row in labels[:k] for j in counted if row[j] >= rel}
    return Fraction(len(covered), len(counted)) if counted else Fraction(0)


def d_ndcg(
    labels: Rows,
    judged: Rows,
    probabilities: Any = None,
    k: Any = None,
    rel: Any = 1,
    gain: Any = "linear",
    discount: str = "log2",
) -> Any:
    P, g = _weights(judged, labels, probabilities, rel), _gain(gain)
    own, pool = (
        [sum((p * g(r) for p, r in zip(P, row, strict=True)), start=Fraction(0)) for row in rows]
        for rows in (labels, judged)
    )
    k = max(len(own), len(pool)) if k is None else k
    d = _discount(discount)
    return _over(_sum(own[:k], d), _sum(sorted(pool, reverse=True)[:k], d))


def dsharp_ndcg(labels: Rows, judged: Rows, gamma: Any = 0.5, **given: Any) -> Any:
    recall = {n: x for n, x in given.items() if n in ("probabilities", "k", "rel")}
    D, share = d_ndcg(labels, judged, **given), Fraction(gamma)
    I_rec = st_recall(labels, judged, **recall)
    if not isinstance(D, Decimal):
        return share * I_rec + (1 - share) * D
    with localcontext(prec=DIGITS):
        known = share * I_rec
        rest = 1 - share
        return Decimal(known.numerator) / known.denominator + D * rest.numerator / rest.denominator
