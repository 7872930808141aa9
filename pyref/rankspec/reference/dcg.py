"""Cumulated gain: CG, DCG, ideal DCG, nDCG, and averages of it; nCG, G and binG.

r     the labels in rank order: r(1) is r[0]
J     the labels of the judged items, the pool that the ideal ranking is drawn from
k     the cut-off; ranks beyond the end of the list contribute nothing
K     the cut-off of the ideal that nDCG divides by
g, d  the gain of a label and the discount of a rank (chapter "gain and discount")

Under ties, groups, s, n and m are as in the chapter "ties and expectation".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from math import comb

from .numbers.reals import Exact, Number, Reals
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


def ncg(r: Sequence[Exact], J: Sequence[Exact], k: int, g: Gain) -> Number:
    """nCG@k = CG[k] / CG[k] of the ideal ranking, and 0 where that is 0    [jarvelin-2002]

    Spec: RS-DCG-9
    """
    normaliser = cg(ideal(J), k, g)
    return cg(r, k, g) / normaliser if normaliser else 0


def ndcg_rel(
    r: Sequence[Exact], R: Sequence[int], J: Sequence[Exact], k: int, g: Gain, d: Discount, N_p: int
) -> Number:
    """nDCG_rel@k = (1/N_p) (Σ_{i=1..k, g > 0} nDCG@i + (N_p - those) · DCG@k / IDCG), and 0 where
    N_p = 0    [trec_eval]

    R: whether each item of the list has a gain, 1 or 0; N_p: how many items of the pool have one

    Spec: RS-DCG-10
    """
    if not N_p:
        return 0
    shown = r[:k]
    ideals = [0, *dcg_vector(ideal(J), g, d)]
    total: Number = 0
    found = 0
    for i, value in enumerate(dcg_vector(shown, g, d), start=1):
        if R[i - 1]:
            found += 1
            total = total + value / ideals[min(i, len(J))]
    return (total + dcg(shown, k, g, d) * (N_p - found) / ideals[-1]) / N_p


def gain_levels(gains: Sequence[bool], J: Sequence[Exact], g: Gain) -> list[int]:
    """t_1 < t_2 < ...: how many items of the pool have at least each of its gains above 0

    gains: whether each item of the ideal ranking has one

    Spec: RS-DCG-11
    """
    best = ideal(J)
    N_p = sum(gains)
    ends = [i for i in range(1, N_p) if best[i] != best[i - 1] and not _equal(g, best, i)]
    return [*ends, N_p] if N_p else []


def _equal(g: Gain, best: Sequence[Exact], i: int) -> bool:
    """Whether neighbours in the ideal ranking, of different labels, have the same gain."""
    return not g(best[i - 1]) - g(best[i])


def level_cutoffs(levels: Sequence[int], n: int) -> list[int]:
    """The cut-offs of nDCG_levels: t_1, t_2, ..., and n where that is above t_L + 1

    Spec: RS-DCG-11
    """
    return [*levels, n] if levels and n > levels[-1] + 1 else list(levels)


def ndcg_levels(
    r: Sequence[Exact], J: Sequence[Exact], k: int, g: Gain, d: Discount, levels: Sequence[int]
) -> Number:
    """nDCG_levels@k = the mean of DCG@min(t, k) / IDCG@t over the cut-offs t, and 0 where there is
    none    [trec_eval]

    Spec: RS-DCG-11
    """
    shown = r[:k]
    cuts = level_cutoffs(levels, len(shown))
    total = sum(dcg(shown, t, g, d) / idcg(J, t, g, d) for t in cuts)
    return total / len(cuts) if cuts else 0


def bin_g(R: Sequence[int], N_p: int, k: int, d: Discount) -> Number:
    """binG@k = (1/N_p) Σ_{i=1..k} R_i · d(b_i + 1), and 0 where N_p = 0; b_i of the items above are
    not relevant    [trec_eval]

    Spec: RS-DCG-12
    """
    total = d(1) * 0
    b = 0
    for R_i in R[:k]:
        if R_i:
            total = total + d(b + 1)
        b += not R_i
    return total / N_p if N_p else 0


def costs(best: Sequence[Exact], n: int) -> list[Exact]:
    """<c(1), ..., c(n)>: c(i) = Σ_{h=1..i} max(g*(h), 1), of the gains of the ideal ranking, 0
    beyond its end

    Spec: RS-DCG-13
    """
    gains = [*best[:n], *[0] * (n - len(best))]
    return list(accumulate(_summable(max(x, 1)) for x in gains))


def _summable(x: Exact) -> int | Fraction:
    """A number whose sums do not round; whole ones add up many times faster as they are."""
    return x if isinstance(x, int) else Fraction(x)


def g_measure(G: Sequence[Exact], best: Sequence[Exact], k: int, reals: Reals) -> Number:
    """G@k = Σ_{i=1..k} g_i / log2(2 + max(0, c(i) - cg(i))) / Σ g*, and 0 where that is 0
    [trec_eval]

    G, best: the gains in rank order, and those of the ideal ranking

    Spec: RS-DCG-13
    """
    divisor = sum(map(_summable, best))
    total = reals.exact(0)
    cg_i: int | Fraction = 0
    for cost, g_i in zip(costs(best, len(G[:k])), G, strict=False):
        if g_i:
            cg_i += _summable(g_i)
            lag = max(0, cost - cg_i)
            total = total + (1 / reals.log(2 + lag, 2)) * reals.exact(g_i)
    return total / reals.exact(divisor) if divisor else reals.exact(0)


def expected_ncg(groups: Groups, J: Sequence[Exact], k: int, g: Gain) -> Number:
    """E[nCG@k] = E[CG[k]] / CG[k] of the ideal ranking, and 0 where that is 0

    Spec: RS-EXP-80
    """
    normaliser = cg(ideal(J), k, g)
    return expected_dcg(groups, k, g, lambda _: Fraction(1)) / normaliser if normaliser else 0


def expected_ndcg_rel(
    groups: Groups, R: Groups, J: Sequence[Exact], k: int, g: Gain, d: Discount, N_p: int
) -> Number:
    """E[nDCG_rel@k] = (1/N_p) (Σ_i (r S + G d(i) + (r - 1) G D_j/(n - 1)) / (n IDCG@i)
    + ((N_p - C) E[DCG@k] - E[h DCG@k]) / IDCG), and 0 where N_p = 0

    R: whether the items of the groups have a gain, 1 or 0; r, G of a group, the number of these
    and their gain; S the expected DCG of the groups above, D_j the discounts of its ranks before
    the j-th; h items of the group that the cut-off divides are within it, C of those above

    Spec: RS-EXP-81
    """
    if not N_p:
        return 0
    ideals = [0, *dcg_vector(ideal(J), g, d)]
    total: Number = 0
    S: Number = d(1) * 0
    rest: Number = 0  # E[(N_p - C) DCG], of the groups so far
    C = 0
    for (s, n, m, group), indicators in zip(placed(groups, k), R, strict=False):
        r, G, D = sum(indicators), sum(g(x) for x in group), d(1) * 0
        others = max(n - 1, 1)
        for j in range(1, m + 1):
            i = s + j
            if r:
                value = S * r + (d(i) + D * (r - 1) / others) * G
                total = total + value / n / ideals[min(i, len(J))]
            D = D + d(i)
        own = D * G / n
        with_own = own + own * ((m - 1) * (r - 1)) / others  # E[h · what the group adds]
        rest = (S + own) * (N_p - C) - S * (m * r) / n - with_own
        S, C = S + own, C + r
    return (total + rest / ideals[-1]) / N_p


def expected_ndcg_levels(
    groups: Groups, J: Sequence[Exact], k: int, g: Gain, d: Discount, levels: Sequence[int]
) -> Number:
    """E[nDCG_levels@k] = the mean of E[DCG@min(t, k)] / IDCG@t, and 0 where there is no t

    Spec: RS-EXP-82
    """
    n = min(k, sum(len(group) for group in groups))
    cuts = level_cutoffs(levels, n)
    total = sum(expected_dcg(groups, min(t, n), g, d) / idcg(J, t, g, d) for t in cuts)
    return total / len(cuts) if cuts else 0


def expected_bin_g(R: Groups, N_p: int, k: int, d: Discount) -> Number:
    """E[binG@k] = (1/N_p) Σ_groups Σ_h w(h) d(b + h + 1), and 0 where N_p = 0

    Of a whole group with r relevant and c other items w(h) = r/(c + 1) for h = 0, ..., c; of its
    first m ranks, Σ_{j=1..m} (r/n) C(c, h) C(n-1-c, j-1-h) / C(n-1, j-1). b: those above.

    Spec: RS-EXP-83
    """
    total = d(1) * 0
    b = 0
    for _, n, m, group in placed(R, k):
        r = sum(group)
        c = n - r
        for h in range(c + 1) if r else ():
            w = weight_of_misses(n, r, m, h)
            total = total + d(b + h + 1) * w.numerator / w.denominator
        b += c
    return total / N_p if N_p else 0


def weight_of_misses(n: int, r: int, m: int, h: int) -> Fraction:
    """How many relevant items are expected, among the first m ranks of a group, with h of its
    n - r others before them

    Spec: RS-EXP-83
    """
    c = n - r
    if m == n:
        return Fraction(r, c + 1)
    ways = (
        Fraction(comb(c, h) * comb(r - 1, j - 1 - h), comb(n - 1, j - 1))
        for j in range(h + 1, min(m, h + r) + 1)
    )
    return sum(ways, Fraction(0)) * r / n


Sums = dict[tuple[int, Fraction], int]


def sums_of_gains(gains: Sequence[Exact], m: int, most: int | None = None) -> Sums | None:
    """{(j, sum): how many choices of j of the gains have it}, for j = 0, ..., m

    None where these pairs are more than most; more gains never have fewer pairs.

    Spec: RS-EXP-84
    """
    found: Sums = {(0, Fraction(0)): 1}
    for x, count in Counter(Fraction(x) for x in gains).items():
        added: Sums = {}
        for (j, total), ways in found.items():
            of_count = 1  # C(count, q)
            for q in range(min(count, m - j) + 1):
                at = (j + q, total + q * x)
                added[at] = added.get(at, 0) + ways * of_count
                of_count = of_count * (count - q) // (q + 1)
            if most is not None and len(added) > most:
                return None
        found = added
    return found


def sums_without(sums: Sums, x: Exact) -> Sums:
    """The sums of the gains other than one x: what has (j, sum) without it, W'(j, sum), is
    W(j, sum) - W'(j-1, sum - x)

    Spec: RS-EXP-84
    """
    found: Sums = {}
    for (j, total), ways in sorted(sums.items(), key=lambda entry: entry[0][0]):
        others = ways - found.get((j - 1, total - Fraction(x)), 0)
        if others:
            found[j, total] = others
    return found


def is_open(gains: Sequence[Exact]) -> bool:
    """Whether the gains of a group are not all the same.

    Spec: RS-EXP-84
    """
    return any(x != gains[0] for x in gains)


def counted_sums(groups: Groups, k: int, most: int) -> int | None:
    """How many pairs (j, sum) the open groups have; None where they are more than most

    Spec: RS-EXP-84
    """
    count = 0
    for _, _, m, gains in placed(groups, k):
        sums = sums_of_gains(gains, m - 1, most - count) if is_open(gains) else {}
        if sums is None:
            return None
        count += len(sums)
    return count


def gains_before(gains: Sequence[Exact], m: int) -> Iterator[tuple[int, Exact, Fraction, Fraction]]:
    """(j, g_x, S, P): the item at the j-th rank of a group, of the first m, has the gain g_x > 0,
    and those before it S, with the probability P

    Spec: RS-EXP-84
    """
    n = len(gains)
    if not is_open(gains):
        for j in range(1, m + 1) if any(gains) else ():
            yield j, gains[0], (j - 1) * Fraction(gains[0]), Fraction(1)
        return
    sums = sums_of_gains(gains, m - 1) or {}
    for g_x, count in Counter(gains).items():
        for (before, S), ways in sums_without(sums, g_x).items() if g_x else ():
            yield before + 1, g_x, S, Fraction(count * ways, n * comb(n - 1, before))


def expected_g(groups: Groups, best: Sequence[Exact], k: int, reals: Reals) -> Number:
    """E[G@k] = Σ_i Σ_x Σ_S P(S) g_x / (n log2(2 + max(0, c(i) - cg - S - g_x))) / Σ g*, over the
    items x of the groups; S the gain of the items of the group before x, cg of those above

    Spec: RS-EXP-84
    """
    divisor = sum((Fraction(x) for x in best), Fraction(0))
    cost = costs(best, sum(m for _, _, m, _ in placed(groups, k)))
    weights: dict[Fraction, Fraction] = {}  # of 1 / log2(x), by x
    above = Fraction(0)
    for s, _, m, gains in placed(groups, k):
        for j, g_x, S, P in gains_before(gains, m):
            lag = Fraction(cost[s + j - 1]) - above - S - Fraction(g_x)
            x = 2 + max(Fraction(0), lag)
            weights[x] = weights.get(x, Fraction(0)) + P * Fraction(g_x)
        above += sum((Fraction(x) for x in gains), Fraction(0))
    terms = ((1 / reals.log(x, 2)) * reals.exact(w) for x, w in weights.items())
    total = sum(terms, reals.exact(0))
    return total / reals.exact(divisor) if divisor else reals.exact(0)
