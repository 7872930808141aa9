"""Cumulated gain: CG, DCG, ideal DCG and nDCG.

r     the labels in rank order: r(1) is r[0]
J     the labels of the judged items, the pool that the ideal ranking is drawn from
k     the cut-off; ranks beyond the end of the list contribute nothing
K     the cut-off of the ideal that nDCG divides by
g, d  the gain of a label and the discount of a rank (chapter "gain and discount")

Under ties, groups, s, n and m are as in the chapter "ties and expectation".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from .numbers.reals import Exact, Number
from .ties import Groups, placed

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


def ideal_cutoff(cut: str, J: Sequence[Exact], k: int, n: int = 0) -> int:
    """K = k for "k" and "perfect", |J| for "all", min(k, n) for "shown"

    Spec: RS-DCG-7
    """
    return {"k": k, "all": len(J), "shown": min(k, n), "perfect": k}[cut]


def perfect_dcg(k: int, d: Discount) -> Number:
    """Σ_{i=1..k} d(i), the DCG@k of k items of gain 1

    Spec: RS-DCG-8
    """
    return sum(d(i) for i in range(1, k + 1))


def divisor_of_ndcg(cut: str, J: Sequence[Exact], k: int, n: int, g: Gain, d: Discount) -> Number:
    """IDCG@K, and for "perfect" the DCG@K of K items of gain 1; n: how many items are shown

    Spec: RS-DCG-7
    """
    K = ideal_cutoff(cut, J, k, n)
    return perfect_dcg(K, d) if cut == "perfect" else idcg(J, K, g, d)


def ndcg(
    r: Sequence[Exact], J: Sequence[Exact], k: int, g: Gain, d: Discount, cut: str = "k"
) -> Number:
    """nDCG@k = DCG@k / IDCG@K, and 0 where IDCG@K = 0    [karmaker-2022 eq. 2 with cut "k"]

    Spec: RS-DCG-6
    """
    normaliser = divisor_of_ndcg(cut, J, k, len(r), g, d)
    return dcg(r, k, g, d) / normaliser if normaliser else 0


def expected_dcg(groups: Groups, k: int, g: Gain, d: Discount) -> Number:
    """E[DCG@k] = Σ_groups (1/n) Σ_{x in group} g(x) · Σ_{j=1..m} d(s + j)

    Each item of a group is at each of its ranks with probability 1/n. With d = 1 this is
    E[CG@k].

    Spec: RS-EXP-2
    """
    total: Number = 0
    for s, n, m, group in placed(groups, k):
        total = total + sum(g(x) for x in group) * sum(d(s + j) for j in range(1, m + 1)) / n
    return total


def expected_ndcg(
    groups: Groups, J: Sequence[Exact], k: int, g: Gain, d: Discount, cut: str = "k"
) -> Number:
    """E[nDCG@k] = E[DCG@k] / IDCG@K, and 0 where IDCG@K = 0

    Spec: RS-EXP-3
    """
    n = sum(len(group) for group in groups)
    ideal_value = divisor_of_ndcg(cut, J, k, n, g, d)
    return expected_dcg(groups, k, g, d) / ideal_value if ideal_value else 0


def variance_of_dcg(J: Sequence[Exact], k: int, g: Gain, d: Discount) -> Number:
    """Var[DCG@k] = σ² (n Σ d(i)² - (Σ d(i))²) / (n - 1), and 0 where n < 2

    σ² is the variance of the n gains, (1/n) Σ g(x)² - ((1/n) Σ g(x))²; the sums of discounts
    are over i = 1, ..., min(k, n).

    Spec: RS-EXP-20
    """
    n = len(J)
    if n < 2:
        return 0
    mean = sum(g(x) for x in J) / n
    spread = sum((g(x) - mean) * (g(x) - mean) for x in J) / n
    discounts = [d(i) for i in range(1, min(k, n) + 1)]
    D = sum(discounts)
    return spread * (n * sum(x * x for x in discounts) - D * D) / (n - 1)
