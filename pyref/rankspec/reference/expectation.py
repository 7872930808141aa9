"""Ties and expectation: the order of a scored list, and the mean over the orders it leaves open.

A scored list falls into tie groups: the items of equal score, groups by falling score.
A rule orders the items within each group; or the value is the *expectation*, the mean
over all orders of all groups [mcsherry-2008].

groups  the labels (or the relevance indicators) group by group, best score first
s       the number of items ranked above a group
n, m    the size of a group, and how many of its ranks are within the cut-off

A random ranking is one group of all items; its variances stand at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, islice, permutations, product
from math import factorial, prod
from typing import Any

from .cascade import Stop, ierr
from .dcg import Discount, Gain, idcg, ideal_cutoff
from .length import Weights, ideal_ldcg, user_expected_dcg
from .numbers.reals import RATIONALS, Exact, Number, Reals
from .precision import expected_number_relevant, normaliser

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


def first_relevant(n: int, r: int, reals: Reals = RATIONALS) -> Iterator[Number]:
    """P(1), P(2), ..., P(n - r + 1): that the first of r relevant items is the j-th of n

    P(j) = C(n - j, r - 1) / C(n, r), one from the other: P(j + 1) = P(j) (n - j - r + 1) / (n - j).

    Spec: RS-EXP-7
    """
    P = reals.exact(r) / n
    for j in range(1, n - r + 2):
        yield P
        P = P * (n - j - r + 1) / (n - j) if j < n else P


def expected_rr(groups: Groups, k: int, reals: Reals = RATIONALS) -> Number:
    """E[RR@k] = Σ_{j=1..m} P(j) / (s + j), with P(j) of the first group that holds relevant items

    Spec: RS-EXP-7
    """
    for s, n, m, group in placed(groups, k):
        if r := sum(group):
            P = enumerate(islice(first_relevant(n, r, reals), m), start=1)
            return sum((P_j / (s + j) for j, P_j in P), start=reals.exact(0))
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


def mean_products(q: Sequence[Number], m: int) -> list[Number]:
    """<a_0, a_1, ..., a_m>: a_j is the mean of the products of j of the n numbers q

    a_j(n) = ((n - j) a_j(n - 1) + j q_n a_{j-1}(n - 1)) / n: of n places for the n-th number, j
    are among the first j.

    Spec: RS-EXP-13
    """
    a: list[Number] = [1] + [0] * m
    for n, q_n in enumerate(q, start=1):
        for j in range(min(n, m), 0, -1):
            a[j] = ((n - j) * a[j] + j * q_n * a[j - 1]) / n
    return a


def expected_err(groups: Groups, k: int, R: Stop) -> Number:
    """E[ERR@k] = Σ_groups Q Σ_{j=1..m} (a_{j-1} - a_j) / (s + j)

    Q is the probability that the user goes on to the group, the product of 1 - R over all items
    above it; a_j that the user goes on after j of its ranks.

    Spec: RS-EXP-14
    """
    total: Number = 0
    Q: Number = 1
    for s, n, m, group in placed(groups, k):
        q = [1 - R(x) for x in group]
        a = mean_products(q, m)
        for j in range(1, m + 1):
            total = total + Q * (a[j - 1] - a[j]) / (s + j)
        if m == n:  # else nothing follows
            Q = Q * prod(q)
    return total


def expected_nerr(groups: Groups, J: Sequence[Exact], k: int, R: Stop) -> Number:
    """E[nERR@k] = E[ERR@k] / IERR@k, and 0 where IERR@k = 0

    Spec: RS-EXP-15
    """
    normaliser = ierr(J, k, R)
    return expected_err(groups, k, R) / normaliser if normaliser else 0


def expected_rbp(groups: Groups, k: int, p: Exact, reals: Reals = RATIONALS) -> Number:
    """E[RBP@k] = (1 - p) Σ_groups (r/n) Σ_{j=1..m} p^(s+j-1), where r items of it are relevant

    Spec: RS-EXP-16
    """
    total = reals.exact(0)
    weight = 1 - reals.exact(p)  # (1 - p) p^(s+j-1), carried along
    for _, n, m, group in placed(groups, k):
        for _ in range(m):
            total = total + weight * sum(group) / n
            weight = weight * reals.exact(p)
    return total


def expected_rbp_residual(groups: Groups, k: int, p: Exact, reals: Reals = RATIONALS) -> Number:
    """E[Residual] = E[RBP@k] of the items that nobody has judged, and p^min(k, n)

    Spec: RS-EXP-16
    """
    beyond = reals.exact(1)
    for _ in range(sum(m for _, _, m, _ in placed(groups, k))):
        beyond = beyond * reals.exact(p)
    return expected_rbp(groups, k, p, reals) + beyond


def expected_gsp(groups: Groups, k: int, q: Sequence[Exact], reals: Reals = RATIONALS) -> Number:
    """E[GSP@k] = Σ_j q_j E[SP@k], where items are relevant whose label is at least j

    Spec: RS-EXP-17
    """
    total = reals.exact(0)
    for j, q_j in enumerate(q, start=1):
        R = [[int(x >= j) for x in group] for group in groups]
        total = total + reals.exact(q_j) * expected_sp(R, k, reals)
    return total


def expected_gap(
    groups: Groups, J: Sequence[Exact], k: int, q: Sequence[Exact], reals: Reals = RATIONALS
) -> Number:
    """E[GAP@k] = E[GSP@k] / the expected number of relevant items of J, and 0 where it is 0

    Spec: RS-EXP-18
    """
    divisor = expected_number_relevant(J, q, reals)
    return expected_gsp(groups, k, q, reals) / divisor if divisor else reals.exact(0)


def variance(metric: Callable[[list[Any]], Number], J: Sequence[Any]) -> Number:
    """Var[metric] = E[metric²] - E[metric]², over all orders of J

    This is the definition. The functions below are its closed forms.

    Spec: RS-EXP-19
    """
    mean = expectation(metric, [J])
    return expectation(lambda r: metric(r) * metric(r), [J]) - mean * mean


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


def variance_of_sp(N_p: int, n: int, k: int, reals: Reals = RATIONALS) -> Number:
    """Var[SP@k] = Σ_{t=1..4} π_t A_t - E[SP@k]²

    SP@k is the sum of R_i R_j / j over i <= j <= K, K = min(k, n). In its square, A_t gathers the
    products of t different indicators, all of which are 1 with the probability π_t =
    N_p (N_p - 1) ... (N_p - t + 1) / (n (n - 1) ... (n - t + 1)); H = Σ 1/j, H2 = Σ 1/j².

    Spec: RS-EXP-21
    """
    K = min(k, n)
    H = sum((reals.exact(1) / j for j in range(1, K + 1)), reals.exact(0))
    H2 = sum((reals.exact(1) / (j * j) for j in range(1, K + 1)), reals.exact(0))
    A = [
        H2,
        2 * (H * H - H2) + 3 * (H - H2),
        2 * K * H + 5 * K - 9 * H - 5 * H * H + 7 * H2,
        K * K - 2 * K * H + 3 * H * H - 5 * K + 6 * H - 3 * H2,
    ]
    mean = expected_sp([[1] * N_p + [0] * (n - N_p)], k, reals)
    pi = reals.exact(1)
    square = reals.exact(0)
    for t, A_t in enumerate(A):
        if t >= n:  # there are not so many items
            break
        pi = pi * (N_p - t) / (n - t)
        square = square + pi * A_t
    return square - mean * mean


def variance_of_rr(N_p: int, n: int, k: int, reals: Reals = RATIONALS) -> Number:
    """Var[RR@k] = Σ_{j=1..min(k, n)} P(j) / j² - E[RR@k]², with P(j) of RS-EXP-7

    Spec: RS-EXP-22
    """
    if N_p == 0:
        return reals.exact(0)
    P = enumerate(islice(first_relevant(n, N_p, reals), k), start=1)
    square = sum((P_j / (j * j) for j, P_j in P), start=reals.exact(0))
    mean = expected_rr([[1] * N_p + [0] * (n - N_p)], k, reals)
    return square - mean * mean


def z_value(A: Number, mean: Number, variance: Number, reals: Reals) -> Number:
    """z = (A - E[A]) / √Var[A], and 0 where Var[A] = 0

    Spec: RS-EXP-23
    """
    gap = A - mean
    return gap / reals.sqrt(variance) if variance and gap else 0
