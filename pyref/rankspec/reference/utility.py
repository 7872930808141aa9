"""Graded precision and normalised utility: the blended ratio, Q, NCU, O, P-measure, P+, EBR, iRBU.

R      the relevance indicators in rank order: R_i is 1 where the item at rank i has a gain
G      the gains in rank order
pool   the gains of the pool in the ideal order
N_p    the number of items of the pool that have a gain
k      the cut-off; ranks beyond the end of the list hold nothing
β      how much gain counts in the blended ratio beside relevance; 0: it is precision
w      the stop values in rank order: how many users stop at an item, against others
γ      what a relevant item leaves of the users who go on

Under ties, an item is (relevant or not, gain, stop value, label); groups, s, n and m are as in the
chapter "ties and expectation"; C, S are the number of relevant items above a group, and their gain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, islice
from math import comb
from typing import NamedTuple

from .numbers.reals import RATIONALS, Exact, Number, Reals
from .precision import first_relevant, hits_of_group
from .ties import mean_stops, placed


class Item(NamedTuple):
    """An item: whether it is relevant, its gain, how many users stop there, and its label."""

    R: int
    g: Number
    w: Number
    label: Exact


Groups = Sequence[Sequence[Item]]


def gain_relevance(G: Sequence[Number]) -> list[int]:
    """R_i = 1 where the gain is above 0, else 0

    Spec: RS-UTL-1
    """
    return [1 if g else 0 for g in G]


def ideal_sums(pool: Sequence[Number], reals: Reals = RATIONALS) -> Iterator[Number]:
    """cg*(1), cg*(2), ...: the gains of the ideal ranking, added up; beyond its end the last

    Spec: RS-UTL-2
    """
    total = reals.exact(0)
    for g in pool:
        total = total + g
        yield total
    while True:
        yield total


def ideal_gains(pool: Sequence[Number], n: int, reals: Reals = RATIONALS) -> list[Number]:
    """<cg*(1), ..., cg*(n)>

    Spec: RS-UTL-2
    """
    return list(islice(ideal_sums(pool, reals), n))


def blended_ratio(C: Number, cg: Number, i: int, ideal: Number, beta: Number) -> Number:
    """BR(i) = (C(i) + β cg(i)) / (i + β cg*(i))    [sakai-2008]

    C, cg: how many of the first i items are relevant, and what they gain; ideal: cg*(i)

    Spec: RS-UTL-2
    """
    return (C + beta * cg) / (i + beta * ideal)


def blended_ratios(
    G: Sequence[Number], pool: Sequence[Number], k: int, beta: Exact, reals: Reals = RATIONALS
) -> Iterator[tuple[int, int, Number]]:
    """(i, C(i), BR(i)) of the relevant items up to k

    Spec: RS-UTL-2
    """
    C, cg, b = 0, reals.exact(0), reals.exact(beta)
    for i, (g, ideal) in enumerate(zip(G[:k], ideal_sums(pool, reals), strict=False), start=1):
        if g:
            C, cg = C + 1, cg + g
            yield i, C, blended_ratio(reals.exact(C), cg, i, ideal, b)


def sum_of_ratios(
    G: Sequence[Number], pool: Sequence[Number], k: int, beta: Exact, reals: Reals = RATIONALS
) -> Number:
    """Σ_{i=1..k} R_i · BR(i)

    Spec: RS-UTL-3
    """
    return sum((BR for _, _, BR in blended_ratios(G, pool, k, beta, reals)), reals.exact(0))


def q_measure(
    G: Sequence[Number], pool: Sequence[Number], k: int, beta: Exact, reals: Reals = RATIONALS
) -> Number:
    """Q@k = Σ_{i=1..k} R_i · BR(i) / min(k, N_p), and 0 where N_p = 0    [sakai-2011]

    Spec: RS-UTL-3
    """
    divisor = min(k, sum(gain_relevance(pool)))
    return sum_of_ratios(G, pool, k, beta, reals) / divisor if divisor else reals.exact(0)


def stop_weights(N_p: int, gamma: Exact, reals: Reals = RATIONALS) -> Number:
    """Σ_{c=1..N_p} γ^(c-1), all users of a rank-biased population

    Spec: RS-UTL-4
    """
    total, power = reals.exact(0), reals.exact(1)
    for _ in range(N_p):
        total, power = total + power, power * reals.exact(gamma)
    return total


def all_users(w: Sequence[Number], gamma: Exact, reals: Reals = RATIONALS) -> Number:
    """What NCU divides by: with γ = 1 the sum of the stop values of the relevant items of the pool,
    else that of the powers of γ, as many as they are

    w     their stop values

    Spec: RS-UTL-4
    """
    return sum(w, reals.exact(0)) if gamma == 1 else stop_weights(len(w), gamma, reals)


def ncu(
    G: Sequence[Number], w: Sequence[Number], pool: Sequence[Number], k: int, beta: Exact,
    gamma: Exact, users: Number, reals: Reals = RATIONALS,
) -> Number:  # fmt: skip
    """NCU@k = Σ_{i=1..k} R_i · w_i γ^(C(i)-1) · BR(i) / users, and 0 where there are none
    [sakai-2008]

    Spec: RS-UTL-5
    """
    total = reals.exact(0)
    power = reals.exact(1)  # γ^(C(i)-1), carried along
    for i, _, BR in blended_ratios(G, pool, k, beta, reals):
        total = total + w[i - 1] * power * BR
        power = power * reals.exact(gamma)
    return total / users if users else reals.exact(0)


def o_measure(
    G: Sequence[Number], pool: Sequence[Number], k: int, beta: Exact, reals: Reals = RATIONALS
) -> Number:
    """O@k = BR(i) at the first relevant item i <= k, and 0 where there is none    [sakai-2007]

    Spec: RS-UTL-6
    """
    return next((BR for _, _, BR in blended_ratios(G, pool, k, beta, reals)), reals.exact(0))


def preferred_rank(r: Sequence[Exact], R: Sequence[int], k: int) -> int:
    """The first rank up to k of the highest label there that is relevant; 0: there is none

    Spec: RS-UTL-7
    """
    best = max((x for x, R_i in zip(r[:k], R, strict=False) if R_i), default=None)
    return 0 if best is None else list(r).index(best) + 1


def p_measure(
    r: Sequence[Exact], G: Sequence[Number], pool: Sequence[Number], k: int, beta: Exact,
    reals: Reals = RATIONALS,
) -> Number:  # fmt: skip
    """P@k = BR(i) at the preferred rank i, and 0 where there is none    [sakai-2007]

    Spec: RS-UTL-7
    """
    at = preferred_rank(r, gain_relevance(G), k)
    ratios = {i: BR for i, _, BR in blended_ratios(G, pool, at, beta, reals)}
    return ratios.get(at, reals.exact(0))


def p_plus(
    r: Sequence[Exact], G: Sequence[Number], pool: Sequence[Number], k: int, beta: Exact,
    reals: Reals = RATIONALS,
) -> Number:  # fmt: skip
    """P+@k = the mean of BR(i) over the relevant items up to the preferred rank, and 0 where there
    is none    [sakai-2007]

    Spec: RS-UTL-8
    """
    at = preferred_rank(r, gain_relevance(G), k)
    ratios = [BR for _, _, BR in blended_ratios(G, pool, at, beta, reals)]
    return sum(ratios, reals.exact(0)) / len(ratios) if ratios else reals.exact(0)


def ebr(
    G: Sequence[Number], stops: Sequence[Number], pool: Sequence[Number], k: int, beta: Exact,
    reals: Reals = RATIONALS,
) -> Number:  # fmt: skip
    """EBR@k = Σ_{i=1..k} R_i · R(r(i)) Π_{j<i} (1 - R_j · R(r(j))) · BR(i)    [sakai-2020a]

    stops: R(r(i)), the probability to stop at the item of rank i who sees it

    Spec: RS-UTL-9
    """
    total, going_on = reals.exact(0), reals.exact(1)
    for i, _, BR in blended_ratios(G, pool, k, beta, reals):
        total = total + going_on * stops[i - 1] * BR
        going_on = going_on * (1 - stops[i - 1])
    return total


def irbu(stops: Sequence[Number], k: int, phi: Exact, reals: Reals = RATIONALS) -> Number:
    """iRBU@k = Σ_{i=1..k} φ^i R(r(i)) Π_{j<i} (1 - R(r(j)))    [sakai-2020a]

    Spec: RS-UTL-10
    """
    total, going_on, power = reals.exact(0), reals.exact(1), reals.exact(1)
    for R_i in stops[:k]:
        power = power * reals.exact(phi)
        total = total + going_on * R_i * power
        going_on = going_on * (1 - R_i)
    return total


# ---- under ties ------------------------------------------------------------------------


class Group(NamedTuple):
    """A tie group, by the sums over its relevant items.

    r: how many they are; G, W, WG: their gains, their stop values, the products of the two
    """

    r: int
    G: Number
    W: Number
    WG: Number


def sums_of(items: Sequence[Item], reals: Reals) -> Group:
    """What the relevant items of a tie group add up to

    Spec: RS-EXP-55
    """
    relevant = Counter(x for x in items if x.R).items()  # alike items add up by their number
    zero = reals.exact(0)
    return Group(
        sum(c for _, c in relevant),
        sum((x.g * c for x, c in relevant), zero),
        sum((x.w * c for x, c in relevant), zero),
        sum((x.w * x.g * c for x, c in relevant), zero),
    )


def powers_before(n: int, r: int, j: int, gamma: Exact, reals: Reals) -> tuple[Number, Number]:
    """E[γ^h] and E[h γ^h], h of the other r - 1 relevant items before the j-th rank of the group

    Spec: RS-EXP-55
    """
    if gamma == 1:
        mean = reals.exact(Fraction((j - 1) * (r - 1), n - 1)) if j > 1 else reals.exact(0)
        return reals.exact(1), mean
    M_0, M_1 = reals.exact(0), reals.exact(0)
    power, last = reals.exact(1), 0
    for h, P in hits_of_group(n - 1, r - 1, j - 1):
        for _ in range(last, h):
            power = power * reals.exact(gamma)
        last = h
        term = power * reals.exact(P)
        M_0, M_1 = M_0 + term, M_1 + term * h
    return M_0, M_1


def expected_utility(
    groups: Groups, pool: Sequence[Number], k: int, beta: Exact, gamma: Exact,
    reals: Reals = RATIONALS,
) -> Number:  # fmt: skip
    """E[Σ_{i=1..k} R_i · w_i γ^(C(i)-1) · BR(i)] = Σ γ^C (A E[γ^h] + B E[h γ^h]) / (n D_i) over the
    ranks i = s + j <= k of the groups that have relevant items, D_i = i + β cg*(i),
    A = W (C + 1) + β (W S + WG), B = W + β (G W - WG)/(r - 1)

    Spec: RS-EXP-55
    """
    total = reals.exact(0)
    b = reals.exact(beta)
    C, S, above = 0, reals.exact(0), reals.exact(1)  # above: γ^C
    ideal = ideal_gains(pool, sum(m for _, _, m, _ in placed(groups, k)), reals)
    for s, n, m, items in placed(groups, k):
        T = sums_of(items, reals)
        if not T.r:
            continue
        A = T.W * (C + 1) + b * (T.W * S + T.WG)
        B = T.W + b * ((T.G * T.W - T.WG) / (T.r - 1)) if T.r > 1 else reals.exact(0)
        for j in range(1, m + 1):
            M_0, M_1 = powers_before(n, T.r, j, gamma, reals)
            D = (b * ideal[s + j - 1] + s + j) * n
            total = total + above * (A * M_0 + B * M_1) / D
        for _ in range(T.r):
            above = above * reals.exact(gamma)
        C, S = C + T.r, S + T.G
    return total


def expected_q_measure(
    groups: Groups, pool: Sequence[Number], k: int, beta: Exact, reals: Reals = RATIONALS
) -> Number:
    """E[Q@k] = E[Σ R_i · BR(i)] / min(k, N_p), and 0 where N_p = 0

    Spec: RS-EXP-56
    """
    divisor = min(k, sum(gain_relevance(pool)))
    if not divisor:
        return reals.exact(0)
    return expected_utility(groups, pool, k, beta, 1, reals) / divisor


def expected_ncu(
    groups: Groups, pool: Sequence[Number], k: int, beta: Exact, gamma: Exact, users: Number,
    reals: Reals = RATIONALS,
) -> Number:  # fmt: skip
    """E[NCU@k] = E[Σ R_i · w_i γ^(C(i)-1) · BR(i)] / users, and 0 where there are none

    Spec: RS-EXP-57
    """
    if not users:
        return reals.exact(0)
    return expected_utility(groups, pool, k, beta, gamma, reals) / users


def expected_o_measure(
    groups: Groups, pool: Sequence[Number], k: int, beta: Exact, reals: Reals = RATIONALS
) -> Number:
    """E[O@k] = Σ_{j=1..m} P(j) (1 + β G/r) / (i + β cg*(i)), i = s + j, of the first group that has
    relevant items, with P(j) of RS-EXP-7

    Spec: RS-EXP-58
    """
    b = reals.exact(beta)
    total = reals.exact(0)
    for s, n, m, items in placed(groups, k):
        T = sums_of(items, reals)
        if T.r:
            ideal = ideal_gains(pool, s + m, reals)
            for j, P in zip(range(1, m + 1), first_relevant(n, T.r, reals), strict=False):
                ratio = blended_ratio(reals.exact(1), T.G / T.r, s + j, ideal[s + j - 1], b)
                total = total + P * ratio
            break
    return total


class Preferred(NamedTuple):
    """A group where the preferred rank may be, at an item of one label.

    P: the probability that no higher label is shown; s, C, S: the items above the group, the
        relevant ones, and their gain
    n, c: how many items of the group there may be in its first m ranks, and how many of them have
        the label; r, G: how many of the others are relevant, and their gain
    g: the gain of the label; before: how many groups stand above
    """

    P: Fraction
    s: int
    C: int
    S: Number
    n: int
    c: int
    m: int
    r: int
    G: Number
    g: Number
    before: int


def preferred(groups: Groups, k: int, reals: Reals = RATIONALS) -> Iterator[Preferred]:
    """The groups and the labels that the preferred rank may be of

    Only a group that the cut-off divides may hide its highest labels: of n items, H above a label,
    none is among the first m with the probability C(n - H, m) / C(n, m).

    Spec: RS-EXP-59
    """
    shown = list(placed(groups, k))
    best: Exact | None = None  # the highest relevant label above the last group
    for *_, items in shown[:-1]:
        best = max([x.label for x in items if x.R] + ([] if best is None else [best]), default=best)
    hidden = Fraction(1)  # the probability that no label so far is among the first ranks
    if shown:
        _, n, m, items = shown[-1]
        for label in sorted({x.label for x in items if x.R}, reverse=True):
            if best is None or label > best:
                yield _preferred(shown, len(shown) - 1, label, hidden, reals)
                left = n - sum(x.label >= label for x in items)
                hidden = Fraction(comb(left, m), comb(n, m))
    if best is not None and hidden:
        at = next(a for a, (*_, items) in enumerate(shown) if any(x.label == best for x in items))
        yield _preferred(shown, at, best, hidden, reals)


def _preferred(
    shown: Sequence[tuple[int, int, int, Sequence[Item]]], at: int, label: Exact, P: Fraction,
    reals: Reals,
) -> Preferred:  # fmt: skip
    above = [x for *_, items in shown[:at] for x in items if x.R]
    s, _, m, items = shown[at]
    others = [x for x in items if x.label < label and x.R]
    chosen = [x for x in items if x.label == label]
    zero = reals.exact(0)
    return Preferred(
        P, s, len(above), sum((x.g for x in above), zero), sum(x.label <= label for x in items),
        len(chosen), m, len(others), sum((x.g for x in others), zero), chosen[0].g, at,
    )  # fmt: skip


def expected_p_measure(
    groups: Groups, pool: Sequence[Number], k: int, beta: Exact, reals: Reals = RATIONALS
) -> Number:
    """E[P@k] = Σ P Σ_{j=1..m} P_j (C + 1 + h + β (S + g + h G/r)) / D_i, i = s + j, over the groups
    and labels of the preferred rank; P_j that the first of c is the j-th of n, and
    h = (j - 1) r/(n - c) of the others expected before it

    Spec: RS-EXP-60
    """
    total = reals.exact(0)
    b = reals.exact(beta)
    for x in preferred(groups, k, reals):
        P = reals.exact(x.P)
        ideal = ideal_gains(pool, x.s + x.m, reals)
        for j, P_j in zip(range(1, x.m + 1), first_relevant(x.n, x.c, reals), strict=False):
            share = reals.exact(Fraction(j - 1, x.n - x.c) if j > 1 else 0)
            ratio = blended_ratio(
                share * x.r + (x.C + 1), x.S + x.g + share * x.G, x.s + j, ideal[x.s + j - 1], b
            )
            total = total + ratio * P * P_j
    return total


def expected_p_plus(
    groups: Groups, pool: Sequence[Number], k: int, beta: Exact, reals: Reals = RATIONALS
) -> Number:
    """E[P+@k] = Σ P Σ_{j=1..m} P_j Σ_h Q_h (E + E_h) / (C + 1 + h), over the groups and labels of
    the preferred rank; Q_h that h of the r other relevant items stand before it, E the ratios of
    the groups above, E_h of this group

    Spec: RS-EXP-61
    """
    total = reals.exact(0)
    for x in preferred(groups, k, reals):
        above = expected_utility(
            [[_counted(y) for y in T] for T in groups], pool, x.s, beta, 1, reals
        )
        D = _divisors(x, pool, beta, reals)
        inverse = list(accumulate((1 / d for d in D), initial=reals.exact(0)))
        ranked = list(accumulate((t / d for t, d in enumerate(D)), initial=reals.exact(0)))
        for j, P_j in zip(range(1, x.m + 1), first_relevant(x.n, x.c), strict=False):
            for h, Q_h in hits_of_group(x.n - x.c, x.r, j - 1):
                own = _ratios_of_group(
                    x, j, h, D[j - 1], inverse[j - 1], ranked[j - 1], beta, reals
                )
                total = total + (above + own) * reals.exact(x.P * P_j * Q_h / (x.C + 1 + h))
    return total


def _counted(x: Item) -> Item:
    return x._replace(w=x.R)


def _divisors(x: Preferred, pool: Sequence[Number], beta: Exact, reals: Reals) -> list[Number]:
    """s + j + β cg*(s + j), for j = 1, ..., m"""
    ideal = ideal_gains(pool, x.s + x.m, reals)
    b = reals.exact(beta)
    return [b * ideal[x.s + j - 1] + (x.s + j) for j in range(1, x.m + 1)]


def _ratios_of_group(
    x: Preferred, j: int, h: int, D: Number, inverse: Number, ranked: Number, beta: Exact,
    reals: Reals,
) -> Number:  # fmt: skip
    """E_h: what the group adds, the preferred rank its j-th, and h others of it before

    An item before it is relevant with the probability h/(j - 1), and then (t - 1) (h - 1)/(j - 2)
    are expected before the t-th rank. inverse, ranked: Σ_{t<j} 1/D and Σ_{t<j} (t - 1)/D.

    Spec: RS-EXP-61
    """
    b = reals.exact(beta)
    mean = x.G / x.r if x.r else reals.exact(0)
    own = blended_ratio_over(reals.exact(x.C + 1 + h), x.S + x.g + mean * h, D, b)
    if not h:
        return own
    among = reals.exact(Fraction(h - 1, j - 2)) if j > 2 else reals.exact(0)
    first = (x.S + mean) * b + (x.C + 1)
    return own + (first * inverse + (mean * b + 1) * among * ranked) * reals.exact(
        Fraction(h, j - 1)
    )


def blended_ratio_over(C: Number, cg: Number, D: Number, beta: Number) -> Number:
    """(C + β cg) / D

    Spec: RS-UTL-2
    """
    return (C + beta * cg) / D


class Means(NamedTuple):
    """Means over the choices of j items of n, of numbers q and v that each has.

    products: of their numbers q; sums: of these times the sum of their numbers v; with_next: of
    the products times the number v of one item more, which is not among them
    """

    products: list[Number]
    sums: list[Number]
    with_next: list[Number]


def means_of_sums(q: Sequence[Number], v: Sequence[Number], m: int) -> Means:
    """a_j, b_j and c_j for j = 0, ..., m, each from those of one item less    [as RS-EXP-13]

    a_j(n) = ((n-j) a_j + j q a_{j-1}) / n; b_j(n) = ((n-j) b_j + j q (b_{j-1} + v a_{j-1})) / n;
    c_j(n) = ((n-1-j) c_j + j q c_{j-1} + v a_j) / n, on the right of n - 1 items.

    Spec: RS-EXP-62
    """
    a: list[Number] = [1] + [0] * m
    b: list[Number] = [0] * (m + 1)
    c: list[Number] = [0] * (m + 1)
    for n, (q_n, v_n) in enumerate(zip(q, v, strict=True), start=1):
        for j in range(min(n, m), -1, -1):
            c[j] = (max(n - 1 - j, 0) * c[j] + (j * q_n * c[j - 1] if j else 0) + v_n * a[j]) / n
            if j:
                b[j] = ((n - j) * b[j] + j * q_n * (b[j - 1] + v_n * a[j - 1])) / n
                a[j] = ((n - j) * a[j] + j * q_n * a[j - 1]) / n
    return Means(a, b, c)


def expected_ebr(
    groups: Groups, pool: Sequence[Number], k: int, beta: Exact, reals: Reals = RATIONALS
) -> Number:
    """E[EBR@k] = Σ Q (V (a_{j-1} - a_j) + b_{j-1} + c_{j-1} - b_j) / D_i over the ranks i = s + j
    of the groups, with a, b and c of q = 1 - w and v = R + β g; Q that the user goes on to the
    group, V what the items above have of v

    w     of an item: the probability to stop there

    Spec: RS-EXP-63
    """
    total = reals.exact(0)
    bt = reals.exact(beta)
    Q, V = reals.exact(1), reals.exact(0)
    ideal = ideal_gains(pool, sum(m for _, _, m, _ in placed(groups, k)), reals)
    for s, n, m, items in placed(groups, k):
        q = [1 - x.w if x.R else reals.exact(1) for x in items]
        v = [bt * x.g + 1 if x.R else reals.exact(0) for x in items]
        a, b, c = means_of_sums(q, v, m)
        for j in range(1, m + 1):
            stopped = (a[j - 1] - a[j]) * V + (b[j - 1] + c[j - 1] - b[j])
            total = total + Q * stopped / (bt * ideal[s + j - 1] + (s + j))
        if m == n:  # else nothing follows
            for q_x, v_x in zip(q, v, strict=True):
                Q, V = Q * q_x, V + v_x
    return total


def expected_irbu(groups: Groups, k: int, phi: Exact, reals: Reals = RATIONALS) -> Number:
    """E[iRBU@k] = Σ Q Σ_{j=1..m} φ^(s+j) (a_{j-1} - a_j) over the groups, Q and a of RS-EXP-14

    Spec: RS-EXP-64
    """
    total, Q, power = reals.exact(0), reals.exact(1), reals.exact(1)
    for _, n, m, items in placed(groups, k):
        for c_j in mean_stops([x.w for x in items], m):
            power = power * reals.exact(phi)
            total = total + Q * c_j * power
        if m == n:  # else nothing follows
            for x in items:
                Q = Q * (1 - x.w)
    return total
