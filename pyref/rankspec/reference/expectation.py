"""Ties and expectation: the order of a scored list, and the mean over the orders it leaves open.

A scored list falls into tie groups: the items of equal score, groups by falling score.
A rule orders the items within each group; or the value is the *expectation*, the mean
over all orders of all groups [mcsherry-2008].

groups  the labels (or the relevance indicators) group by group, best score first
s       the number of items ranked above a group
n, m    the size of a group, and how many of its ranks are within the cut-off
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, permutations, product
from math import comb, factorial, prod
from typing import Any

from .dcg import Discount, Gain, idcg, ideal_cutoff
from .length import Weights, ideal_ldcg, user_expected_dcg
from .precision import normaliser
from .reals import RATIONALS, Exact, Number, Reals

Groups = Sequence[Sequence[Any]]

RULES = ("id-descending", "id-ascending", "input", "best", "worst", "expected")


def tie_groups(scores: Sequence[Exact]) -> list[list[int]]:
    """The positions of the items, grouped by equal score, groups by falling score.

    Spec: RS-TIE-1
    """
    positions = sorted(range(len(scores)), key=lambda a: scores[a], reverse=True)
    return [list(group) for _, group in groupby(positions, key=lambda a: scores[a])]


def order(
    scores: Sequence[Exact], labels: Sequence[Exact], ids: Sequence[Any] | None, rule: str
) -> list[int]:
    """The positions of the items in rank order, the ties resolved by a rule.

    Spec: RS-TIE-2
    """

    def resolved(group: list[int]) -> list[int]:
        if rule == "id-descending" and ids is not None:
            return sorted(group, key=lambda a: ids[a], reverse=True)
        if rule == "id-ascending" and ids is not None:
            return sorted(group, key=lambda a: ids[a])
        if rule == "best":
            return sorted(group, key=lambda a: labels[a], reverse=True)
        if rule == "worst":
            return sorted(group, key=lambda a: labels[a])
        if rule == "input":
            return group
        raise ValueError(f"no order by the rule {rule!r}")

    return [a for group in tie_groups(scores) for a in resolved(group)]


def expectation(metric: Callable[[list[Any]], Number], groups: Groups) -> Number:
    """E[metric] = the mean of metric over all orders of all tie groups

    This is the definition. It costs the product of the factorials of the group sizes; the
    functions below are its closed forms.

    Spec: RS-EXP-1
    """
    orders = product(*(permutations(group) for group in groups))
    total = sum(metric([x for group in choice for x in group]) for choice in orders)
    return total / Fraction(prod(factorial(len(group)) for group in groups))


def placed(groups: Groups, k: int) -> Iterator[tuple[int, int, int, Sequence[Any]]]:
    """(s, n, m, group) of each tie group that begins within the cut-off."""
    s = 0
    for group in groups:
        n = len(group)
        if s < k and n:
            yield s, n, min(n, k - s), group
        s += n


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
    ideal_value = idcg(J, ideal_cutoff(cut, J, k), g, d)
    return expected_dcg(groups, k, g, d) / ideal_value if ideal_value else 0


def expected_hits(groups: Groups, k: int, reals: Reals = RATIONALS) -> Number:
    """E[Σ_{i=1..k} R_i] = Σ_groups m · r/n, where r items of the group are relevant

    Spec: RS-EXP-4
    """
    total = reals.exact(0)
    for _, n, m, group in placed(groups, k):
        total = total + reals.exact(m) * sum(group) / n
    return total


def expected_precision(groups: Groups, k: int, reals: Reals = RATIONALS) -> Number:
    """E[Prec(k)] = E[Σ_{i=1..k} R_i] / k, and 0 where k = 0

    Spec: RS-EXP-5
    """
    return expected_hits(groups, k, reals) / k if k else reals.exact(0)


def expected_recall(groups: Groups, N_p: int, k: int, reals: Reals = RATIONALS) -> Number:
    """E[Recall@k] = E[Σ_{i=1..k} R_i] / N_p, and 0 where N_p = 0

    Spec: RS-EXP-6
    """
    return expected_hits(groups, k, reals) / N_p if N_p else reals.exact(0)


def expected_rr(groups: Groups, k: int, reals: Reals = RATIONALS) -> Number:
    """E[RR@k] = Σ_{j=1..m} P(j) / (s + j), with P(j) = C(n - j, r - 1) / C(n, r)

    The sum is over the ranks of the first group that holds r > 0 relevant items; P(j) is
    the probability that the first of them is at its j-th rank.

    Spec: RS-EXP-7
    """
    for s, n, m, group in placed(groups, k):
        if r := sum(group):
            return sum(
                (
                    reals.exact(Fraction(comb(n - j, r - 1), comb(n, r))) / (s + j)
                    for j in range(1, m + 1)
                ),
                start=reals.exact(0),
            )
    return reals.exact(0)


def expected_sp_of_group(
    s: int, above: Number, n: int, r: Number, m: int, reals: Reals = RATIONALS
) -> Number:
    """Σ_{j=1..m} (r/n) · (above + 1 + (j - 1) (r - 1)/(n - 1)) / (s + j)

    The item at the j-th rank of the group is relevant with probability r/n. Given that it
    is, the relevant items up to it are itself, those ranked above the group, and
    (j - 1)(r - 1)/(n - 1) expected among the j - 1 before it.

    Spec: RS-EXP-8
    """
    total = reals.exact(0)
    for j in range(1, m + 1):
        among = (reals.exact(j - 1) * (r - 1)) / (n - 1) if j > 1 else reals.exact(0)
        total = total + (above + 1 + among) / (s + j)
    return total * r / n


def expected_sp(groups: Groups, k: int, reals: Reals = RATIONALS) -> Number:
    """E[SP@k] = the sum of the groups' contributions

    Spec: RS-EXP-9
    """
    total = reals.exact(0)
    above = 0
    for s, n, m, group in placed(groups, k):
        r = sum(group)
        if r:
            total = total + expected_sp_of_group(s, above, n, r, m, reals)
        above += r
    return total


def expected_ap(groups: Groups, N_p: int, k: int, norm: str, reals: Reals = RATIONALS) -> Number:
    """E[AP@k] = E[SP@k] / normaliser, and 0 where it is 0

    Spec: RS-EXP-10
    """
    divisor = normaliser(norm, N_p, k)
    return expected_sp(groups, k, reals) / divisor if divisor else reals.exact(0)


def expected_ldcg(groups: Groups, M: int, g: Gain, d: Discount, w: Weights, z: Number) -> Number:
    """E[LDCG] = E[DCG@M] / E[DCG] of so many results, and 0 where that is 0

    The length of the list, and so the divisor, is the same in all orders.

    Spec: RS-EXP-11
    """
    N = min(sum(len(group) for group in groups), M)
    divisor = user_expected_dcg(N, d, w, z)
    return expected_dcg(groups, M, g, d) / divisor if divisor else 0


def expected_lndcg(
    groups: Groups,
    J: Sequence[Exact],
    M: int,
    g: Gain,
    d: Discount,
    w: Weights,
    which: str,
    reals: Reals,
) -> Number:
    """E[LNDCG] = E[LDCG] / ILDCG, and 0 where ILDCG = 0

    Spec: RS-EXP-12
    """
    divisor = ideal_ldcg(which, J, M, g, d, w, 1, reals)
    return expected_ldcg(groups, M, g, d, w, 1) / divisor if divisor else 0
