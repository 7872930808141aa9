"""Length-adjusted DCG, ERR, AP, RBP and GAP: what a list gains, against what a user expects of a
list so long.

r, J, g, d  as in the chapter "cumulated gain"
M     the greatest number of results that can be shown: the cut-off
N     the number of results that are shown: the length of the list, at most M
w     the weights of the ranks 1, 2, ... that the position prior is proportional to; they do not
      rise with the rank
z     the factor Z(M, rel) of the user's expected DCG, or 1 where it is left out
R     of ERR the probability to stop at a label, of AP and RBP the relevance indicators
p     the persistence of RBP
q     the probabilities that a user takes the labels from 1, from 2, ... on as relevant, of GAP
R_rel the probability to stop at the one relevant result that the user expects
c     counts of the ranks 1, 2, ...: of clicks there, or of lists of that length

Under ties, groups are as in the chapter "ties and expectation".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate

from .cascade import Stop, err, err_vector, expected_err, expected_rbp, powers, rbp
from .dcg import Discount, Gain, dcg, dcg_vector, expected_dcg, ideal
from .numbers.reals import RATIONALS, Exact, Number, Reals
from .precision import expected_gsp, expected_sp, gsp, gsp_vector, sp
from .ties import Groups

Weights = Callable[[int], Number]


def prior(i: int, M: int, w: Weights) -> Number:
    """p(i) = w(i) / Σ_{j=1..M} w(j) where i <= M, else 0    [lv-2014 eq. 3, with w = d]

    Spec: RS-LEN-1
    """
    return w(i) / sum(w(j) for j in range(1, M + 1)) if i <= M else 0


def prior_of_clicks(c: Sequence[int]) -> list[Fraction]:
    """<p(1), ..., p(M)>, p(i) = min_{a=1..i} max_{b=i..M} (c(a) + ... + c(b)) / (b - a + 1) / Σ c

    By pooling: a block of ranks whose mean is above that of the block before it joins that block.

    Spec: RS-LEN-19
    """
    blocks: list[tuple[int, int]] = []  # of ranks with one p: the sum of their counts, how many
    for count in c:
        total, size = count, 1
        while blocks and total * blocks[-1][1] > blocks[-1][0] * size:
            above, ranks = blocks.pop()
            total, size = total + above, size + ranks
        blocks.append((total, size))
    n = sum(c)
    return [p for total, size in blocks for p in [Fraction(total, size * n)] * size]


def prior_of_lengths(c: Sequence[int]) -> list[Fraction]:
    """<p(1), ..., p(M)>, p(i) = Σ_{n=i..M} c(n) / n / Σ c

    Spec: RS-LEN-20
    """
    lists = sum(c)
    shares = [Fraction(c_n, n * lists) for n, c_n in enumerate(c, start=1)]
    return list(accumulate(reversed(shares)))[::-1]


def dcg_of_one(i: int, rel: Exact, d: Discount, reals: Reals) -> Number:
    """DCG(i) = (2^rel - 1) · d(i)    [lv-2014 eq. 2]

    Spec: RS-LEN-2
    """
    return (reals.exp2(rel) - 1) * d(i)


def Z(M: int, rel: Exact, w: Weights, reals: Reals) -> Number:
    """Z(M, rel) = (2^rel - 1) / Σ_{i=1..M} w(i), and 0 where all weights are 0    [lv-2014 eq. 5]

    Spec: RS-LEN-3
    """
    total = sum(w(i) for i in range(1, M + 1))
    return (reals.exp2(rel) - 1) / total if total else 0


def user_expected_dcg(N: int, d: Discount, w: Weights, z: Number) -> Number:
    """E[DCG] = z · Σ_{i=1..N} w(i) · d(i)    [lv-2014 eq. 4, with w = d]

    Spec: RS-LEN-4
    """
    return z * sum(w(i) * d(i) for i in range(1, N + 1))


def user_expected_dcg_vector(N: int, d: Discount, w: Weights, z: Number) -> list[Number]:
    """<E[DCG] of one result, of two, ..., of N>

    Spec: RS-LEN-4
    """
    return [z * s for s in accumulate(w(i) * d(i) for i in range(1, N + 1))]


def expectation_of_one(N: int, of_one: Callable[[int], Number], w: Weights, z: Number) -> Number:
    """z · Σ_{i=1..N} w(i) · E(i), where E(i) is a metric's value of one relevant result at rank i

    It is the user's expected DCG of any metric    [lv-2014 section 4]

    Spec: RS-LEN-12
    """
    return z * sum(w(i) * of_one(i) for i in range(1, N + 1))


def adjusted(
    value: Number, n: int, M: int, of_one: Callable[[int], Number], w: Weights, z: Number
) -> Number:
    """E / the user's expectation of it for min(n, M) results, and 0 where that is 0

    Spec: RS-LEN-12, RS-LEN-17, RS-LEN-18
    """
    expected = expectation_of_one(min(n, M), of_one, w, z)
    return value / expected if expected else 0


def err_of_one(i: int, R_rel: Number) -> Number:
    """ERR of a list with one item, at rank i, at which users stop with probability R_rel

    Spec: RS-LEN-12
    """
    return R_rel / i


def sp_of_one(i: int, reals: Reals) -> Number:
    """SP of a list with one relevant item, at rank i; AP is that over its normaliser

    Spec: RS-LEN-12
    """
    return reals.exact(1) / i


def rbp_of_one(p: Exact, reals: Reals) -> Callable[[int], Number]:
    """i -> RBP of a list with one relevant item, at rank i: (1 - p) p^(i-1)

    Spec: RS-LEN-12
    """
    stops, goes_on = 1 - reals.exact(p), powers(p, reals)
    return lambda i: stops * goes_on(i)


def gsp_of_one(i: int, q: Sequence[Exact], reals: Reals) -> Number:
    """GSP of a list with one item of the least label that anyone takes as relevant, at rank i

    GAP is that over its normaliser.

    Spec: RS-LEN-12
    """
    return reals.exact(next((q_j for q_j in q if q_j), 0)) / i


def lerr(r: Sequence[Exact], M: int, R: Stop, R_rel: Number, w: Weights, z: Number) -> Number:
    """LERR = ERR / (z · Σ_{i=1..min(n, M)} w(i) R_rel / i), and 0 where that is 0

    Spec: RS-LEN-13
    """
    return adjusted(err(r, M, R), len(r), M, lambda i: err_of_one(i, R_rel), w, z)


def greatest_lerr(
    J: Sequence[Exact], M: int, R: Stop, R_rel: Number, w: Weights, z: Number, reals: Reals
) -> Number:
    """max_{N=1..min(M, |J|)} LERR of the first N of the ideal ranking

    Spec: RS-LEN-13
    """
    totals = err_vector(ideal(J)[:M], R)
    steps = (w(i) * err_of_one(i, R_rel) for i in range(1, len(totals) + 1))
    expected = [z * s for s in accumulate(steps)]
    quotients = (ERR / E for ERR, E in zip(totals, expected, strict=True) if E)
    return reals.greatest([reals.exact(0), *quotients])


def lap(R: Sequence[int], M: int, w: Weights, z: Number, reals: Reals = RATIONALS) -> Number:
    """LAP = SP / (z · Σ_{i=1..min(n, M)} w(i) / i), and 0 where that is 0

    AP's normaliser stands above and below, and is left out.

    Spec: RS-LEN-14
    """
    return adjusted(sp(R, M, reals), len(R), M, lambda i: sp_of_one(i, reals), w, z)


def lrbp(
    R: Sequence[int], M: int, p: Exact, w: Weights, z: Number, reals: Reals = RATIONALS
) -> Number:
    """LRBP = RBP / (z · Σ_{i=1..min(n, M)} w(i) (1 - p) p^(i-1)), and 0 where that is 0

    Spec: RS-LEN-15
    """
    return adjusted(rbp(R, M, p, reals), len(R), M, rbp_of_one(p, reals), w, z)


def lgap(
    r: Sequence[Exact],
    M: int,
    q: Sequence[Exact],
    w: Weights,
    z: Number,
    reals: Reals = RATIONALS,
) -> Number:
    """LGAP = GSP / (z · Σ_{i=1..min(n, M)} w(i) π_rel / i), and 0 where that is 0

    π_rel is the first of q that is above 0. GAP's normaliser stands above and below; it is left
    out.

    Spec: RS-LEN-16
    """
    total = gsp(r, M, q, reals)
    return adjusted(total, len(r), M, lambda i: gsp_of_one(i, q, reals), w, z)


def greatest_lgap(
    J: Sequence[Exact], M: int, q: Sequence[Exact], w: Weights, z: Number, reals: Reals
) -> Number:
    """max_{N=1..min(M, |J|)} LGAP of the first N of the ideal ranking

    Spec: RS-LEN-16
    """
    totals = gsp_vector(ideal(J)[:M], q, reals)
    steps = (w(i) * gsp_of_one(i, q, reals) for i in range(1, len(totals) + 1))
    expected = [z * s for s in accumulate(steps)]
    quotients = (GSP / E for GSP, E in zip(totals, expected, strict=True) if E)
    return reals.greatest([reals.exact(0), *quotients])


def ldcg(r: Sequence[Exact], M: int, g: Gain, d: Discount, w: Weights, z: Number) -> Number:
    """LDCG = DCG / E[DCG], and 0 where E[DCG] = 0    [lv-2014 eq. 6]

    Spec: RS-LEN-5
    """
    expected = user_expected_dcg(min(len(r), M), d, w, z)
    return dcg(r, M, g, d) / expected if expected else 0


def ildcg_eq7(J: Sequence[Exact], M: int, g: Gain, d: Discount, w: Weights, z: Number) -> Number:
    """ILDCG = LDCG of the R results of the highest label m of J alone    [lv-2014 eq. 7]

    Spec: RS-LEN-6
    """
    m = max(J, default=0)
    return ldcg([label for label in J if label == m], M, g, d, w, z)


def ildcg(
    J: Sequence[Exact], M: int, g: Gain, d: Discount, w: Weights, z: Number, reals: Reals
) -> Number:
    """ILDCG = max_{N=1..min(M, |J|)} LDCG of the first N of the ideal ranking

    Spec: RS-LEN-7
    """
    shown = ideal(J)[:M]
    expected = user_expected_dcg_vector(len(shown), d, w, z)
    quotients = zip(dcg_vector(shown, g, d), expected, strict=True)
    return reals.greatest([reals.exact(0), *(DCG / E for DCG, E in quotients if E)])


def ideal_ldcg(
    which: str,
    J: Sequence[Exact],
    M: int,
    g: Gain,
    d: Discount,
    w: Weights,
    z: Number,
    reals: Reals,
) -> Number:
    """ILDCG by its definition for "true", by eq. 7 for "eq7"

    Spec: RS-LEN-8
    """
    if which == "eq7":
        return ildcg_eq7(J, M, g, d, w, z)
    return ildcg(J, M, g, d, w, z, reals)


def lndcg(
    r: Sequence[Exact],
    J: Sequence[Exact],
    M: int,
    g: Gain,
    d: Discount,
    w: Weights,
    which: str,
    reals: Reals,
) -> Number:
    """LNDCG = LDCG / ILDCG, and 0 where ILDCG = 0    [lv-2014 eq. 8 with the ideal "eq7"]

    Z(M, rel) stands in both and is left out.

    Spec: RS-LEN-9
    """
    normaliser = ideal_ldcg(which, J, M, g, d, w, 1, reals)
    return ldcg(r, M, g, d, w, 1) / normaliser if normaliser else 0


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


def _items(groups: Groups) -> int:
    return sum(len(group) for group in groups)


def expected_lerr(
    groups: Groups,
    M: int,
    R: Stop,
    R_rel: Number,
    w: Weights,
    z: Number,
    reals: Reals | None = None,
) -> Number:
    """E[LERR] = E[ERR@M] / what the user expects of so many results, and 0 where that is 0

    Spec: RS-EXP-29
    """
    total = expected_err(groups, M, R, reals)
    return adjusted(total, _items(groups), M, lambda i: err_of_one(i, R_rel), w, z)


def expected_lap(groups: Groups, M: int, w: Weights, z: Number, reals: Reals = RATIONALS) -> Number:
    """E[LAP] = E[SP@M] / what the user expects of so many results, and 0 where that is 0

    Spec: RS-EXP-29
    """
    total = expected_sp(groups, M, reals)
    return adjusted(total, _items(groups), M, lambda i: sp_of_one(i, reals), w, z)


def expected_lrbp(
    groups: Groups, M: int, p: Exact, w: Weights, z: Number, reals: Reals = RATIONALS
) -> Number:
    """E[LRBP] = E[RBP@M] / what the user expects of so many results, and 0 where that is 0

    Spec: RS-EXP-29
    """
    total = expected_rbp(groups, M, p, reals)
    return adjusted(total, _items(groups), M, rbp_of_one(p, reals), w, z)


def expected_lgap(
    groups: Groups,
    M: int,
    q: Sequence[Exact],
    w: Weights,
    z: Number,
    reals: Reals = RATIONALS,
) -> Number:
    """E[LGAP] = E[GSP@M] / what the user expects of so many results, and 0 where that is 0

    Spec: RS-EXP-29
    """
    total = expected_gsp(groups, M, q, reals)
    return adjusted(total, _items(groups), M, lambda i: gsp_of_one(i, q, reals), w, z)
