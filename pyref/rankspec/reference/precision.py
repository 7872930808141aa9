"""Precision and what is made of it: P, recall, RR, SP, AP, graded AP, R-precision, success, bpref,
AUC, inferred AP, counts, measures of a set, and interpolated precision.

R      the relevance indicators in rank order: R_i is R[i - 1], 1 where the item at rank i
       is relevant and 0 where it is not
N_p    the number of relevant items in the pool
k      the cut-off; ranks beyond the end of the list hold nothing relevant
q      of graded AP: q[j - 1] is the probability that to a user the labels from j on are relevant

Under ties, groups, s, n and m are as in the chapter "ties and expectation"; r is the number of
relevant items of a group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, islice
from math import ceil, comb, floor, lcm, prod
from typing import NamedTuple

from .numbers.reals import RATIONALS, Exact, Number, Reals
from .ties import Groups, placed


def relevance(r: Sequence[Exact], theta: Exact) -> list[int]:
    """R_i = 1 where r(i) >= theta, else 0

    Spec: RS-PREC-1
    """
    return [1 if r_i >= theta else 0 for r_i in r]


def precision(R: Sequence[int], k: int, reals: Reals = RATIONALS) -> Number:
    """Prec(k) = (1/k) Σ_{i=1..k} R_i, and 0 where k = 0    [karmaker-2022 section 3.2]

    Spec: RS-PREC-2
    """
    return reals.exact(sum(R[:k])) / k if k else reals.exact(0)


def recall(R: Sequence[int], N_p: int, k: int, reals: Reals = RATIONALS) -> Number:
    """Recall@k = (1/N_p) Σ_{i=1..k} R_i, and 0 where N_p = 0

    Spec: RS-PREC-3
    """
    return reals.exact(sum(R[:k])) / N_p if N_p else reals.exact(0)


def rr(R: Sequence[int], k: int, reals: Reals = RATIONALS) -> Number:
    """RR@k = 1/i for the least i <= k with R_i = 1, and 0 where there is none

    Spec: RS-PREC-4
    """
    for i, R_i in enumerate(R[:k], start=1):
        if R_i:
            return reals.exact(1) / i
    return reals.exact(0)


def sp(R: Sequence[int], k: int, reals: Reals = RATIONALS) -> Number:
    """SP@k = Σ_{i=1..k} Prec(i) · R_i    [karmaker-2022 eq. 4]

    Spec: RS-PREC-5
    """
    total = reals.exact(0)
    found = 0  # i · Prec(i), carried along
    for i, R_i in enumerate(R[:k], start=1):
        found += R_i
        if R_i:
            total = total + reals.exact(found) / i
    return total


def normaliser(norm: str, N_p: int, k: int, R: Sequence[int] = ()) -> int:
    """What AP@k divides by: "R": N_p, "min": min(k, N_p), "k": k, "retrieved": Σ_{i=1..n} R_i,
    "hits": Σ_{i=1..k} R_i

    Spec: RS-PREC-6
    """
    of_list = {"retrieved": sum(R), "hits": sum(R[:k])}
    return {"R": N_p, "min": min(k, N_p), "k": k, **of_list}[norm]


def ap(R: Sequence[int], N_p: int, k: int, norm: str, reals: Reals = RATIONALS) -> Number:
    """AP@k = SP@k / normaliser, and 0 where it is 0    [karmaker-2022 eq. 3 with norm "k"]

    Spec: RS-PREC-7
    """
    divisor = normaliser(norm, N_p, k, R)
    return sp(R, k, reals) / divisor if divisor else reals.exact(0)


def yaap(R: Sequence[int], N_p: int, k: int, reals: Reals = RATIONALS) -> Number:
    """Yaap@k = ln((1 + SP@k) / (1 + N_p - SP@k))    [robertson-2012, trec_eval]

    Spec: RS-PREC-61
    """
    return reals.ln(odds_of_yaap(R, N_p, k))


def odds_of_yaap(R: Sequence[int], N_p: int, k: int) -> Fraction:
    """(1 + SP@k) / (1 + N_p - SP@k), and 1 where that has no logarithm: where SP@k >= N_p + 1

    Spec: RS-PREC-61
    """
    a, d = exact_sp(R, k).as_integer_ratio()
    return Fraction(d + a, (1 + N_p) * d - a) if a < (1 + N_p) * d else Fraction(1)


def exact_sp(R: Sequence[int], k: int) -> Fraction:
    """SP@k, two neighbouring summands at a time: where they are short, their sums are cheap

    Spec: RS-PREC-5
    """
    found = accumulate(R[:k])
    left = [(c, i) for i, (R_i, c) in enumerate(zip(R, found, strict=False), start=1) if R_i]
    while len(left) > 1:
        odd = left[-1:] if len(left) % 2 else []
        left = [_added(x, y) for x, y in zip(left[::2], left[1::2], strict=False)] + odd
    return Fraction(*left[0]) if left else Fraction(0)


def _added(x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
    """The sum of two fractions (a, b) = a/b, over the least common multiple."""
    below = lcm(x[1], y[1])
    return x[0] * (below // x[1]) + y[0] * (below // y[1]), below


def expected_yaap(
    orders: Iterable[tuple[Sequence[int], int]], N_p: int, k: int, reals: Reals = RATIONALS
) -> Number:
    """E[Yaap@k] = ln(Π odds) / n, the product over the n orders, all equally likely

    It is the logarithm of one rational number, so that it is seen where it is 0.

    orders: the indicators up to k, and how many orders begin so

    Spec: RS-EXP-49
    """
    odds, n = Fraction(1), 0
    for R, ways in orders:
        odds *= odds_of_yaap(R, N_p, k) ** ways
        n += ways
    return reals.ln(odds) / n


def rprec(R: Sequence[int], N_p: int, k: int, reals: Reals = RATIONALS) -> Number:
    """Rprec@k = (1/N_p) Σ_{i=1..min(k, N_p)} R_i, and 0 where N_p = 0

    Spec: RS-PREC-12
    """
    return recall(R, N_p, min(k, N_p), reals)


def success(R: Sequence[int], k: int, reals: Reals = RATIONALS) -> Number:
    """Success@k = 1 where Σ_{i=1..k} R_i > 0, else 0

    Spec: RS-PREC-13
    """
    return reals.exact(1 if any(R[:k]) else 0)


def preference(b: int, N_p: int, N_n: int) -> Fraction:
    """1 - min(b, D)/D, D = min(N_p, N_n), and 1 where D = 0    [buckley-2004; trec_eval]

    b     how many judged items above a relevant one are not relevant
    N_n   how many of the pool are not

    Spec: RS-PREC-14
    """
    D = min(N_p, N_n)
    return 1 - Fraction(min(b, D), D) if D else Fraction(1)


def bpref(R: Sequence[int | None], N_p: int, N_n: int, k: int, reals: Reals = RATIONALS) -> Number:
    """bpref@k = (1/N_p) Σ preference(b_i) over the relevant items at the ranks i <= k, and 0 where
    N_p = 0; b_i of the items above have R = 0, and R is None where nobody has judged an item

    Spec: RS-PREC-15
    """
    total = reals.exact(0)
    b = 0  # b_i, carried along
    for R_i in R[:k]:
        if R_i == 1:
            total = total + reals.exact(preference(b, N_p, N_n))
        elif R_i == 0:
            b += 1
    return total / N_p if N_p else reals.exact(0)


def auc(R: Sequence[int | None], N_p: int, N_n: int, k: int, reals: Reals = RATIONALS) -> Number:
    """AUC@k = (Σ_{i<=k, R_i=1} (N_n - b_i) + (N_p - h) (N_n - c)/2) / (N_p N_n), and 0 where that
    is 0    [hanley-1982]

    b_i   how many of the items above rank i have R = 0; R is None where nobody has judged an item
    h, c  how many of the first k have R = 1, and R = 0
    N_n   how many of the pool are not relevant

    Spec: RS-PREC-40
    """
    won = reals.exact(0)
    h = c = 0
    for R_i in R[:k]:
        if R_i == 1:
            won = won + (N_n - c)
            h += 1
        elif R_i == 0:
            c += 1
    pairs = N_p * N_n
    return (won + reals.exact((N_p - h) * (N_n - c)) / 2) / pairs if pairs else reals.exact(0)


def in_sample(r: Sequence[Exact | None], theta: Exact) -> list[int | None]:
    """S_i = 1 where r(i) >= max(theta, 0), 0 where theta > r(i) >= 0, and -1 where r(i) < 0; None,
    of an item that is not in the pool, where r(i) is None    [trec_eval]

    Spec: RS-PREC-50
    """
    return [None if x is None else -1 if x < 0 else int(x >= theta) for x in r]


EPSILON = Fraction(1, 100_000)


def inferred_precision(i: int, d: int, r: int, c: int, reals: Reals = RATIONALS) -> Number:
    """(1/i) (1 + d (r + ε)/(r + c + 2ε)), ε = 10^-5    [yilmaz-2006]

    d     how many of the items above rank i are in the pool
    r, c  how many of these are judged, and relevant, or not

    Spec: RS-PREC-51
    """
    whole = EPSILON.denominator  # by which both sides of the quotient are multiplied
    judged = (r + c) * whole + 2
    return reals.exact(Fraction(judged + d * (r * whole + 1), judged * i))


def inferred_precisions(S: Sequence[int | None], k: int, reals: Reals = RATIONALS) -> Number:
    """Σ inferred_precision over the ranks i <= k with S_i = 1

    Spec: RS-PREC-51
    """
    total = reals.exact(0)
    above: dict[int | None, int] = {1: 0, 0: 0, -1: 0, None: 0}
    for i, S_i in enumerate(S[:k], start=1):
        if S_i == 1:
            d = i - 1 - above[None]
            total = total + inferred_precision(i, d, above[1], above[0], reals)
        above[S_i] += 1
    return total


def infap(S: Sequence[int | None], N_p: int, k: int, reals: Reals = RATIONALS) -> Number:
    """infAP@k = (1/N_p) Σ inferred_precision, and 0 where N_p = 0    [yilmaz-2006]

    Spec: RS-PREC-51
    """
    return inferred_precisions(S, k, reals) / N_p if N_p else reals.exact(0)


def num_ret(n: int, k: int, reals: Reals = RATIONALS) -> Number:
    """NumRet@k = min(k, n), of a list of n items

    Spec: RS-PREC-16
    """
    return sum((reals.exact(1) for _ in range(min(k, n))), reals.exact(0))


def num_rel(J: Sequence[int], reals: Reals = RATIONALS) -> Number:
    """NumRel = Σ_J R, of the relevance indicators of the pool

    Spec: RS-PREC-17
    """
    return sum((reals.exact(R_i) for R_i in J), reals.exact(0))


def num_rel_ret(R: Sequence[int], k: int, reals: Reals = RATIONALS) -> Number:
    """NumRelRet@k = Σ_{i=1..k} R_i

    Spec: RS-PREC-18
    """
    return sum((reals.exact(R_i) for R_i in R[:k]), reals.exact(0))


def num_q(reals: Reals = RATIONALS) -> Number:
    """NumQ = 1 for each query

    Spec: RS-PREC-19
    """
    return reals.exact(0) + 1


def set_p(R: Sequence[int], k: int, reals: Reals = RATIONALS) -> Number:
    """SetP@k = Σ_{i=1..k} R_i / min(k, n), and 0 of an empty list

    Spec: RS-PREC-20
    """
    shown = min(k, len(R))
    return reals.exact(sum(R[:k])) / shown if shown else reals.exact(0)


def rel_p(R: Sequence[int], N_p: int, k: int, reals: Reals = RATIONALS) -> Number:
    """RelP@k = Σ_{i=1..k} R_i / min(k, N_p), and 0 where that is 0

    Spec: RS-PREC-21
    """
    most = min(k, N_p)
    return reals.exact(sum(R[:k])) / most if most else reals.exact(0)


def f_measure(R: Sequence[int], N_p: int, k: int, beta: Exact, reals: Reals = RATIONALS) -> Number:
    """F@k = (1 + beta^2) Σ_{i=1..k} R_i / (beta^2 N_p + k), and 0 where that is 0

    Spec: RS-PREC-22
    """
    divisor = divisor_of_f(N_p, k, beta)
    return reals.exact(sum(R[:k])) / reals.exact(divisor) if divisor else reals.exact(0)


def divisor_of_f(N_p: int, k: int, beta: Exact) -> Fraction:
    """(beta^2 N_p + k) / (1 + beta^2), what F@k divides the hits by

    Spec: RS-PREC-22
    """
    square = Fraction(beta) ** 2
    return (square * N_p + k) / (1 + square)


def set_ap(R: Sequence[int], N_p: int, k: int, reals: Reals = RATIONALS) -> Number:
    """SetAP@k = (Σ_{i=1..k} R_i)^2 / (min(k, n) N_p), and 0 where that is 0

    Spec: RS-PREC-23
    """
    divisor = min(k, len(R)) * N_p
    return reals.exact(sum(R[:k]) ** 2) / divisor if divisor else reals.exact(0)


def utility(
    R: Sequence[int],
    N_p: int,
    k: int,
    weights: Sequence[Exact],
    documents: int = 0,
    reals: Reals = RATIONALS,
) -> Number:
    """Utility@k = w_1 h + w_2 (m - h) + w_3 (N_p - h) + w_4 (D - m - N_p + h), h = Σ_{i=1..m} R_i

    m = min(k, n); D is the number of documents of the collection    [trec_eval]

    Spec: RS-PREC-60
    """
    shown = R[:k]
    h = reals.exact(sum(shown))
    return utility_of_hits(h, len(shown), N_p, weights, documents, reals)


def utility_of_hits(
    h: Number,
    m: int,
    N_p: int,
    weights: Sequence[Exact],
    documents: int,
    reals: Reals = RATIONALS,
) -> Number:
    """w_1 h + w_2 (m - h) + w_3 (N_p - h) + w_4 (D - m - N_p + h)

    Spec: RS-PREC-60
    """
    counts = (h, m - h, N_p - h, documents - m - N_p + h)
    return sum((reals.exact(w) * x for w, x in zip(weights, counts, strict=True)), reals.exact(0))


def judged(U: Sequence[int], k: int, reals: Reals = RATIONALS) -> Number:
    """Judged@k = Σ_{i=1..k} (1 - U_i) / min(k, n), and 0 of an empty list

    U     1 where nobody has judged the item at rank i

    Spec: RS-PREC-24
    """
    shown = U[:k]
    return reals.exact(len(shown) - sum(shown)) / len(shown) if shown else reals.exact(0)


def unjudged(U: Sequence[int], k: int, reals: Reals = RATIONALS) -> Number:
    """Unjudged@k = Σ_{i=1..k} U_i / k, and 0 where k = 0

    Spec: RS-PREC-25
    """
    return reals.exact(sum(U[:k])) / k if k else reals.exact(0)


def num_nonrel_ret(R: Sequence[int | None], k: int, reals: Reals = RATIONALS) -> Number:
    """NumNonrelRet@k: how many of the ranks i <= k have R_i = 0; R is None of an unjudged item

    Spec: RS-PREC-26
    """
    return sum((reals.exact(int(R_i == 0)) for R_i in R[:k]), reals.exact(0))


def expected_pairs(
    groups: Sequence[Sequence[int | None]], N_p: int, N_n: int, k: int, reals: Reals = RATIONALS
) -> Number:
    """Σ_groups m (r_T (N_n - c) - c_T (N_p - h)) / (2n) + N_p N_n / 2

    h, c      how many items of the groups above are relevant, and judged and not
    r_T, c_T  the same of the group

    Spec: RS-EXP-93
    """
    total = reals.exact(0)
    h = c = 0
    for _, n, m, group in placed(groups, k):
        r_T, c_T = group.count(1), group.count(0)
        total = total + reals.exact(m) * (r_T * (N_n - c) - c_T * (N_p - h)) / (2 * n)
        h, c = h + r_T, c + c_T
    return total + reals.exact(1) * (N_p * N_n) / 2


def expected_auc(
    groups: Sequence[Sequence[int | None]], N_p: int, N_n: int, k: int, reals: Reals = RATIONALS
) -> Number:
    """E[AUC@k] = the expected pairs / (N_p N_n), and 0 where that is 0

    Spec: RS-EXP-93
    """
    pairs = N_p * N_n
    return expected_pairs(groups, N_p, N_n, k, reals) / pairs if pairs else reals.exact(0)


def items_at_level(level: Exact, N_p: int, rounding: str) -> int:
    """c = ⌈λ N_p⌉ ("up"), ⌊rd(rd(λ N_p) + 0.9)⌋ ("plus-0.9") or ⌊rd(λ N_p) + 1/2⌋ ("nearest")
    [trec_eval]

    level     λ; "up" takes a double as the shortest decimal that is read as it
    rd        the nearest double, ties to even

    Spec: RS-PREC-27
    """
    if rounding == "up":
        return ceil(written_level(level) * N_p)
    product = Fraction(float(Fraction(float(level)) * N_p))
    if rounding == "nearest":
        return floor(product + Fraction(1, 2))
    return floor(float(product + Fraction(0.9)))


def written_level(level: Exact) -> Fraction:
    """A level as it is written: a double as the shortest decimal that is read as it

    Spec: RS-PREC-27
    """
    return Fraction(repr(level)) if isinstance(level, float) else Fraction(level)


def iprec(R: Sequence[int], k: int, c: int, reals: Reals = RATIONALS) -> Number:
    """IPrec@k = max of Prec(i) over the ranks i <= k up to which c items are relevant, and 0 where
    there is none    [trec_eval]

    It is looked for at the relevant ranks: between two of them precision falls.

    Spec: RS-PREC-28
    """
    above, below = 0, 1
    h = 0
    for i, R_i in enumerate(R[:k], start=1):
        h += R_i
        if R_i and h >= c and h * below > above * i:
            above, below = h, i
    return reals.exact(above) / below


def rprec_mult(R: Sequence[int], k: int, c: int, reals: Reals = RATIONALS) -> Number:
    """RprecMult@k = (1/c) Σ_{i=1..min(k, c)} R_i, and 0 where c = 0    [trec_eval]

    Spec: RS-PREC-30
    """
    return reals.exact(sum(R[: min(k, c)])) / c if c else reals.exact(0)


def avg_iprec(R: Sequence[int], k: int, cs: Sequence[int], reals: Reals = RATIONALS) -> Number:
    """AvgIPrec@k = the mean of IPrec@k over levels, which ask for cs relevant items    [trec_eval]

    Spec: RS-PREC-29
    """
    of = {c: iprec(R, k, c, reals) for c in set(cs)}
    return sum((of[c] for c in cs), start=reals.exact(0)) / len(cs)


def probability_relevant(x: Exact, q: Sequence[Exact], reals: Reals = RATIONALS) -> Number:
    """Σ_{j=1..x} q_j, the probability that an item of label x is relevant    [robertson-2010]

    Spec: RS-PREC-8
    """
    return sum((reals.exact(q_j) for j, q_j in enumerate(q, start=1) if j <= x), reals.exact(0))


def gsp(r: Sequence[Exact], k: int, q: Sequence[Exact], reals: Reals = RATIONALS) -> Number:
    """GSP@k = Σ_{i=1..k} (1/i) Σ_{h=1..i} Σ_{j=1..min(r(h), r(i))} q_j    [robertson-2010]

    It is the sum of q_j SP@k over the labels j from which on items are relevant.

    Spec: RS-PREC-9
    """
    return next(reversed(gsp_vector(r[:k], q, reals)), reals.exact(0))


def gsp_vector(r: Sequence[Exact], q: Sequence[Exact], reals: Reals = RATIONALS) -> list[Number]:
    """<GSP@1, GSP@2, ..., GSP@n>

    Spec: RS-PREC-9
    """
    totals, total = [], reals.exact(0)
    counts = [0] * len(q)  # how many items so far have a label of at least j
    for i, r_i in enumerate(r, start=1):
        counts = [c + (j <= r_i) for j, c in enumerate(counts, start=1)]
        reached = (
            (q_j, c) for j, (q_j, c) in enumerate(zip(q, counts, strict=True), 1) if j <= r_i
        )
        total = total + sum((reals.exact(q_j) * c for q_j, c in reached), reals.exact(0)) / i
        totals.append(total)
    return totals


def expected_number_relevant(
    J: Sequence[Exact], q: Sequence[Exact], reals: Reals = RATIONALS
) -> Number:
    """The sum over the pool of the probabilities that its items are relevant    [robertson-2010]

    Spec: RS-PREC-10
    """
    return sum((probability_relevant(x, q, reals) for x in J), reals.exact(0))


def gap(
    r: Sequence[Exact], J: Sequence[Exact], k: int, q: Sequence[Exact], reals: Reals = RATIONALS
) -> Number:
    """GAP@k = GSP@k / the expected number of relevant items of J, and 0 where it is 0
    [robertson-2010]

    Spec: RS-PREC-11
    """
    divisor = expected_number_relevant(J, q, reals)
    return gsp(r, k, q, reals) / divisor if divisor else reals.exact(0)


def expected_hits(groups: Groups, k: int, reals: Reals = RATIONALS) -> Number:
    """E[Σ_{i=1..k} R_i] = Σ_groups m · r/n, where r items of the group are relevant

    Spec: RS-EXP-4
    """
    total, one = reals.exact(0), reals.exact(1)
    for _, n, m, group in placed(groups, k):
        hits = one * sum(group)
        total = total + (hits if m == n else hits * m / n)
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


def expected_quotient_of_hits(
    groups: Groups, k: int, divisor: Exact, reals: Reals = RATIONALS
) -> Number:
    """E[Σ_{i=1..k} R_i] / divisor, and 0 where that is 0: of SetP, RelP and F

    Spec: RS-EXP-30
    """
    return expected_hits(groups, k, reals) / reals.exact(divisor) if divisor else reals.exact(0)


def expected_flags(groups: Groups, k: int, divisor: int, reals: Reals = RATIONALS) -> Number:
    """E[Σ_{i=1..k} f_i] / divisor, and 0 where that is 0

    Judged, Unjudged and NumNonrelRet have flags f of their own.

    Spec: RS-EXP-32
    """
    return expected_quotient_of_hits(groups, k, divisor, reals)


def expected_utility(
    groups: Groups,
    N_p: int,
    k: int,
    weights: Sequence[Exact],
    documents: int = 0,
    reals: Reals = RATIONALS,
) -> Number:
    """E[Utility@k], which is linear in h: Utility@k with E[h] in the place of h

    Spec: RS-EXP-100
    """
    h = expected_hits(groups, k, reals)
    m = sum(m for _, _, m, _ in placed(groups, k))
    return utility_of_hits(h, m, N_p, weights, documents, reals)


def expected_square_of_hits(groups: Groups, k: int, reals: Reals = RATIONALS) -> Number:
    """E[(Σ_{i=1..k} R_i)^2] = Σ_groups Σ_{j=1..m} (r/n) (1 + 2 c + 2 (j - 1) (r - 1)/(n - 1))

    The item at the j-th rank of a group below c relevant items is relevant with probability r/n.
    Given that, it makes the square of the hits above it, h, that of h + 1.

    Spec: RS-EXP-31
    """
    total = reals.exact(0)
    c = 0
    for _, n, m, group in placed(groups, k):
        r = sum(group)
        for j in range(1, m + 1) if r else ():
            among = Fraction((j - 1) * (r - 1), n - 1) if j > 1 else Fraction(0)
            total = total + reals.exact((1 + 2 * (c + among)) * r / n)
        c += r
    return total


def expected_set_ap(groups: Groups, N_p: int, k: int, reals: Reals = RATIONALS) -> Number:
    """E[SetAP@k] = E[(Σ_{i=1..k} R_i)^2] / (min(k, n) N_p), and 0 where that is 0

    Spec: RS-EXP-31
    """
    divisor = min(k, sum(map(len, groups))) * N_p
    return expected_square_of_hits(groups, k, reals) / divisor if divisor else reals.exact(0)


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
    """E[AP@k] = E[SP@k] / normaliser, and 0 where it is 0; of "hits" it is RS-EXP-28

    Spec: RS-EXP-10
    """
    if norm == "hits":
        return expected_ap_over_hits(groups, k, reals)
    divisor = normaliser(norm, N_p, k, [R_i for group in groups for R_i in group])
    return expected_sp(groups, k, reals) / divisor if divisor else reals.exact(0)


def hits_of_group(n: int, r: int, m: int) -> Iterator[tuple[int, Fraction]]:
    """h and C(r, h) C(n - r, m - h) / C(n, m): that h of the r relevant of n are among the first m

    Spec: RS-EXP-28
    """
    orders = comb(n, m)
    h = max(0, m - (n - r))
    ways = comb(r, h) * comb(n - r, m - h)  # carried along from h to h + 1
    while h <= min(r, m):
        yield h, Fraction(ways, orders)
        ways = ways * (r - h) * (m - h) // ((h + 1) * (n - r - m + h + 1))
        h += 1


def expected_ap_over_hits(groups: Groups, k: int, reals: Reals = RATIONALS) -> Number:
    """E[SP@k / Σ_{i=1..k} R_i] = Σ_h P(h) (S + S_h) / (c + h), and 0 where c + h = 0

    The groups that end within the cut-off have c relevant items and add S to SP in any order. Of
    the group that it divides, h of the first m ranks are relevant with the probability P(h); these
    ranks are then a group of their own, which adds S_h.

    Spec: RS-EXP-28
    """
    S = reals.exact(0)
    c = 0
    for s, n, m, group in placed(groups, k):
        r = sum(group)
        if m < n:
            H = sum((reals.exact(1) / (s + j) for j in range(1, m + 1)), reals.exact(0))
            H_1 = sum((reals.exact(j - 1) / (s + j) for j in range(2, m + 1)), reals.exact(0))
            total = reals.exact(0)
            for h, P in hits_of_group(n, r, m):
                among = H_1 * (h - 1) / (m - 1) if m > 1 else reals.exact(0)
                S_h = (H * (c + 1) + among) * h / m  # RS-EXP-8 of m items, all of whose ranks count
                total = total + reals.exact(P) * (S + S_h) / (c + h) if c + h else total
            return total
        if r:
            S = S + expected_sp_of_group(s, c, n, r, m, reals)
            c += r
    return S / c if c else reals.exact(0)


def expected_rprec(groups: Groups, N_p: int, k: int, reals: Reals = RATIONALS) -> Number:
    """E[Rprec@k] = E[Σ_{i=1..min(k, N_p)} R_i] / N_p, and 0 where N_p = 0

    Spec: RS-EXP-24
    """
    return expected_recall(groups, N_p, min(k, N_p), reals)


def expected_success(groups: Groups, k: int, reals: Reals = RATIONALS) -> Number:
    """E[Success@k] = Σ_{j=1..m} P(j), with P(j) of the first group that holds relevant items

    Spec: RS-EXP-25
    """
    for _, n, m, group in placed(groups, k):
        if r := sum(group):
            return sum(islice(first_relevant(n, r, reals), m), start=reals.exact(0))
    return reals.exact(0)


def expected_preference_at_rank(
    above: int, group: Sequence[int | None], j: int, N_p: int, N_n: int
) -> Fraction:
    """(r/n) Σ_{i=0..c} C(c, i) C(n-1-c, j-1-i) / C(n-1, j-1) · preference(above + i)

    The item at the j-th rank of the group is relevant with probability r/n. Given that it is, i of
    the group's c judged items that are not relevant stand before it with the probability of the
    binomials.

    Spec: RS-EXP-26
    """
    n, r, c = len(group), group.count(1), group.count(0)
    others = n - 1 - c
    i = max(0, j - 1 - others)
    ways = comb(c, i) * comb(others, j - 1 - i)  # carried along from i to i + 1
    total = Fraction(0)
    while i <= min(c, j - 1):
        total += preference(above + i, N_p, N_n) * ways
        ways = ways * (c - i) * (j - 1 - i) // ((i + 1) * (others - (j - 1 - i) + 1))
        i += 1
    return total / comb(n - 1, j - 1) * r / n


def expected_preferences(
    groups: Sequence[Sequence[int | None]], N_p: int, N_n: int, k: int, reals: Reals = RATIONALS
) -> Number:
    """E[Σ preference(b_i)] = the sum over the ranks of the groups

    Spec: RS-EXP-26
    """
    total = reals.exact(0)
    above = 0
    for _, _, m, group in placed(groups, k):
        for j in range(1, m + 1) if 1 in group else ():
            total = total + reals.exact(expected_preference_at_rank(above, group, j, N_p, N_n))
        above += group.count(0)
    return total


def expected_preferences_of_group(
    above: int, group: Sequence[int | None], m: int, N_p: int, N_n: int
) -> Fraction:
    """(r/(c+1)) Σ_{i=0..c} preference(above + i) of a whole group, where each i is as probable as
    any other; of one that the cut-off divides, the sum over its first m ranks

    Spec: RS-EXP-26
    """
    r, c = group.count(1), group.count(0)
    if m < len(group):
        ranks = range(1, m + 1) if r else ()
        terms = (expected_preference_at_rank(above, group, j, N_p, N_n) for j in ranks)
        return sum(terms, Fraction(0))
    preferences = (preference(above + i, N_p, N_n) for i in range(c + 1))
    return sum(preferences, Fraction(0)) * r / (c + 1)


def expected_bpref(
    groups: Sequence[Sequence[int | None]], N_p: int, N_n: int, k: int, reals: Reals = RATIONALS
) -> Number:
    """E[bpref@k] = (1/N_p) Σ_groups E[Σ preference(b_i)], and 0 where N_p = 0

    Spec: RS-EXP-27
    """
    total = Fraction(0)
    above = 0
    for _, _, m, group in placed(groups, k):
        total += expected_preferences_of_group(above, group, m, N_p, N_n)
        above += group.count(0)
    return reals.exact(total) / N_p if N_p else reals.exact(0)


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


def orders_at_most(s: int, above: int, n: int, r: int, m: int, c: int, x: Fraction) -> int:
    """In how many of the C(n, r) orders of a group no rank has a precision above x that counts

    A rank counts that is one of the first m, and relevant, where that makes c relevant items or
    more; above of them stand above the group.

    Spec: RS-EXP-90
    """
    ways = [1] + [0] * r  # by how many of the ranks so far are relevant
    for j in range(1, m + 1):
        for h in range(min(j, r), 0, -1):
            counts = above + h >= c and (above + h) * x.denominator > x.numerator * (s + j)
            ways[h] += 0 if counts else ways[h - 1]
    return sum(w * comb(n - m, r - h) for h, w in enumerate(ways) if r - h <= n - m)


class OpenGroup(NamedTuple):
    """A tie group whose order changes precisions: s items stand above it, `above` of them relevant;
    r of its n items are relevant, and m of its ranks are up to k

    Spec: RS-EXP-90
    """

    s: int
    above: int
    n: int
    r: int
    m: int

    def precisions(self, c: int) -> Iterator[Fraction]:
        """Those that a relevant rank can have which makes c relevant items or more."""
        for h in range(max(1, c - self.above), self.r + 1):
            for j in range(h, min(self.m, self.n - self.r + h) + 1):
                yield Fraction(self.above + h, self.s + j)


def settled_and_open(groups: Groups, k: int, c: int) -> tuple[Fraction, list[OpenGroup]]:
    """The greatest precision that counts in groups of one kind of item, and the other groups

    Spec: RS-EXP-90
    """
    settled = Fraction(0)
    found = []
    above = 0
    for s, n, m, group in placed(groups, k):
        r = sum(group)
        if 0 < r < n:
            found.append(OpenGroup(s, above, n, r, m))
        elif r and above + m >= c:
            settled = max(settled, Fraction(above + m, s + m))  # it rises from rank to rank
        above += r
    return settled, found


def steps_of_iprec(groups: Groups, k: int) -> int:
    """How many steps E[IPrec@k] takes at most: precisions times ranks times relevant items

    Spec: RS-EXP-90
    """
    _, found = settled_and_open(groups, k, 0)
    return sum(x.r * (x.n - x.r + 1) for x in found) * sum(x.m * x.r for x in found)


def expected_iprec(groups: Groups, k: int, c: int, reals: Reals = RATIONALS) -> Number:
    """E[IPrec@k] = Σ x (P(IPrec@k <= x) - P(IPrec@k <= x')) over the possible precisions x, x'
    being the next one below; that probability is the product of the groups'

    Spec: RS-EXP-90
    """
    settled, found = settled_and_open(groups, k, c)
    greater = {x for group in found for x in group.precisions(c) if x > settled}
    total, below = Fraction(0), Fraction(0)
    for x in [settled, *sorted(greater)]:
        ways = (Fraction(orders_at_most(*group, c, x), comb(group.n, group.r)) for group in found)
        at_most = prod(ways, start=Fraction(1))
        total += x * (at_most - below)
        below = at_most
    return reals.exact(total)


def expected_avg_iprec(
    groups: Groups, k: int, cs: Sequence[int], reals: Reals = RATIONALS
) -> Number:
    """E[AvgIPrec@k] = the mean of E[IPrec@k] over the levels

    Spec: RS-EXP-91
    """
    of = {c: expected_iprec(groups, k, c, reals) for c in set(cs)}
    return sum((of[c] for c in cs), start=reals.exact(0)) / len(cs)


def expected_rprec_mult(groups: Groups, k: int, c: int, reals: Reals = RATIONALS) -> Number:
    """E[RprecMult@k] = E[Σ_{i=1..min(k, c)} R_i] / c, and 0 where c = 0

    Spec: RS-EXP-92
    """
    return expected_quotient_of_hits(groups, min(k, c), c, reals)


def steps_of_infap(groups: Sequence[Sequence[int | None]], k: int) -> int:
    """How many steps E[infAP@k] takes at most: ranks times numbers of judged items above, times the
    ranks once more, as the numbers grow with these

    Spec: RS-EXP-95
    """
    total = 0
    for _, n, m, group in placed(groups, k):
        g = group.count(1) - 1 + group.count(0)
        total += m * m * (min(g, n - 1 - g, m - 1) + 1) if 1 in group else 0
    return total


def expected_inferred_precisions_of_group(
    above: Mapping[int | None, int],
    group: Sequence[int | None],
    m: int,
    reals: Reals = RATIONALS,
) -> Number:
    """(r_T/n) Σ_{j=1..m} (1/(s + j)) (1 + Σ_q P(q | j) D(j, q) Q(q)), of the n items of a group

    above     how many items above the group are relevant (1), judged and not (0), in the pool and
              not judged (-1), or not in the pool (None); s is how many there are
    P(q | j)  = C(j-1, q) C(n-j, g-q) / C(n-1, g), that q of the g other judged items stand among
              the j - 1 before the j-th, which is relevant with probability r_T/n
    D(j, q)   = d + q + (j-1-q) u_T/w, the mean number of items above that are in the pool: of the
              w others that are not judged u_T are
    Q(q)      = (r + q (r_T-1)/g + ε)/(r + c + q + 2ε), the mean precision of the judged ones

    Spec: RS-EXP-95
    """
    n, r_T, c_T, u_T = len(group), group.count(1), group.count(0), group.count(-1)
    if not r_T or not m:
        return reals.exact(0)
    s = sum(above.values())
    r, c, d = above[1], above[0], s - above[None]
    g = r_T - 1 + c_T
    w = n - 1 - g
    common = lcm(*range(s + 1, s + m + 1))  # and so whole numbers in the place of the 1/(s + j)
    orders = first = comb(n - 1, g)
    total = reals.exact(0)
    for q in range(min(g, m - 1) + 1):
        # first = C(n-1-q, g-q): at the (q + 1)-th rank, all before it are judged
        found, ways, j = 0, first, q + 1
        while ways and j <= m:
            in_pool = w * (d + q) + (j - 1 - q) * u_T if w else d + q
            found += ways * in_pool * (common // (s + j))
            ways = ways * j * (n - j - g + q) // ((j - q) * (n - j)) if j < n else 0
            j += 1
        mean_relevant = r + (Fraction(q * (r_T - 1), g) if g else 0)
        mean_precision = (mean_relevant + EPSILON) / (r + c + q + 2 * EPSILON)
        total = total + reals.exact(found) * reals.exact(mean_precision)
        first = first * (g - q) // (n - 1 - q) if q < g else 0
    total = total / reals.exact(orders * (w or 1))
    inverse_ranks = sum(common // (s + j) for j in range(1, m + 1))
    return (total + reals.exact(inverse_ranks)) / reals.exact(common) * r_T / n


def expected_inferred_precisions(
    groups: Sequence[Sequence[int | None]], k: int, reals: Reals = RATIONALS
) -> Number:
    """E[Σ inferred_precision] = the sum over the groups

    Spec: RS-EXP-95
    """
    total = reals.exact(0)
    above: dict[int | None, int] = {1: 0, 0: 0, -1: 0, None: 0}
    for _, _, m, group in placed(groups, k):
        total = total + expected_inferred_precisions_of_group(above, group, m, reals)
        for S_i in group:
            above[S_i] += 1
    return total


def expected_infap(
    groups: Sequence[Sequence[int | None]], N_p: int, k: int, reals: Reals = RATIONALS
) -> Number:
    """E[infAP@k] = (1/N_p) E[Σ inferred_precision], and 0 where N_p = 0

    Spec: RS-EXP-95
    """
    return expected_inferred_precisions(groups, k, reals) / N_p if N_p else reals.exact(0)
