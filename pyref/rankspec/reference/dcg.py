"""Cumulated gain: CG, DCG, ideal DCG and nDCG.

r     the labels in rank order: r(1) is r[0]
J     the labels of the judged items, the pool that the ideal ranking is drawn from
k     the cut-off; ranks beyond the end of the list contribute nothing
K     the cut-off of the ideal that nDCG divides by
g, d  the gain of a label and the discount of a rank (chapter "gain and discount")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from .numbers.reals import Exact, Number

Gain = Callable[[Exact], Number]
Discount = Callable[[int], Number]


def cg(r: Sequence[Exact], k: int, g: Gain) -> Number:
    """CG[k] = Σ_{i=1..k} g(r(i))    [jarvelin-2008 appendix eq. 1]

    Spec: RS-DCG-1
    """
    return sum(g(r_i) for r_i in r[:k])


def dcg(r: Sequence[Exact], k: int, g: Gain, d: Discount) -> Number:
    """DCG@k = Σ_{i=1..k} g(r(i)) · d(i)    [lv-2014 eq. 1]

    Spec: RS-DCG-2
    """
    return sum(g(r_i) * d(i) for i, r_i in enumerate(r[:k], start=1))


def dcg_vector(r: Sequence[Exact], g: Gain, d: Discount) -> list[Number]:
    """DCG = <DCG@1, DCG@2, ..., DCG@n>    [jarvelin-2008 appendix eq. 2]

    Spec: RS-DCG-3
    """
    return list(accumulate(g(r_i) * d(i) for i, r_i in enumerate(r, start=1)))


def ideal(J: Sequence[Exact]) -> list[Exact]:
    """The labels of the pool in the ideal order: best first.

    Spec: RS-DCG-4
    """
    return sorted(J, reverse=True)


def idcg(J: Sequence[Exact], k: int, g: Gain, d: Discount) -> Number:
    """IDCG@k = DCG@k of the ideal ranking

    Spec: RS-DCG-5
    """
    return dcg(ideal(J), k, g, d)


def ideal_cutoff(cut: str, J: Sequence[Exact], k: int) -> int:
    """K = k for "k", |J| for "all"

    Spec: RS-DCG-7
    """
    return {"k": k, "all": len(J)}[cut]


def ndcg(
    r: Sequence[Exact], J: Sequence[Exact], k: int, g: Gain, d: Discount, cut: str = "k"
) -> Number:
    """nDCG@k = DCG@k / IDCG@K, and 0 where IDCG@K = 0    [karmaker-2022 eq. 2 with cut "k"]

    Spec: RS-DCG-6
    """
    normaliser = idcg(J, ideal_cutoff(cut, J, k), g, d)
    return dcg(r, k, g, d) / normaliser if normaliser else 0
