"""Sessions: queries in a sequence, and the gain of all of them. sDCG, its ideal and nsDCG.

S      the labels of the results of each query, in rank order: those of query q are S[q - 1]
t      which appearance of its document in the session each result is: 1, 2, ...
G      the gains of the results that are looked at, query by query
J      the labels of the judged items, the pool of the session
X      how many results of each query are looked at
s      how many results of each query were scanned, where that was observed
c      how many ranks each query has at least, up to X
L      how many ranks each query has
delta  what is left of a gain each time that its document comes again
g, d   the gain of a label and the discount of a rank (chapter "gain and discount")
D      the discount of a query by its position q = 1, 2, ...
V, I   the vector of a session, or of several on average, and that of the ideal
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cache, cmp_to_key
from heapq import merge
from itertools import accumulate, repeat
from operator import mul
from typing import TypeVar

from .dcg import Discount, Gain, dcg, dcg_vector, idcg, ideal
from .numbers.reals import Exact, Number, Reals
from .numerics import exact_sum, nearest_double_of

Result = TypeVar("Result")
"""The label of a result, or its document."""

DiscountIn = Callable[[Reals], Discount]
"""A discount in whatever reading of the reals is asked for."""


def scanned(S: Sequence[Sequence[Result]], s: Sequence[int | None]) -> list[list[Result]]:
    """<r_q(1), ..., r_q(min(n_q, s_q))>: of each query what was scanned   [jarvelin-2008 section 4]

    s: where s_q is None, all of the list

    Spec: RS-SES-26
    """
    return [list(r_q[:s_q]) for r_q, s_q in zip(S, s, strict=True)]


def appearances(documents: Sequence[Sequence[Hashable]], X: int) -> list[list[int]]:
    """t_q(i): how often the document at rank i of query q has been shown, this time included.

    Spec: RS-SES-1
    """
    shown: Counter[Hashable] = Counter()
    t: list[list[int]] = []
    for ranked in documents:
        t.append([])
        for document in ranked[:X]:
            shown[document] += 1
            t[-1].append(shown[document])
    return t


def distinct_relevant(R: Sequence[Sequence[int]], t: Sequence[Sequence[int]]) -> int:
    """Σ_q Σ_i R_q(i) [t_q(i) = 1], the relevant documents of a session, each once

    R: for each result that is looked at 1 where it is relevant, else 0

    Spec: RS-SES-29
    """
    return sum(
        R_i
        for R_q, t_q in zip(R, t, strict=True)
        for R_i, t_i in zip(R_q, t_q, strict=True)
        if t_i == 1
    )


def instance_recall(found: int, N_rel: int, reals: Reals) -> Number:
    """Instance recall = found / N_rel, and 0 where N_rel = 0    [over-1999]

    found: the distinct relevant documents of the session

    Spec: RS-SES-29
    """
    return reals.exact(Fraction(found, N_rel)) if N_rel else reals.exact(0)


def precision_at_recall(
    R_q: Sequence[int], N_rel: int, rho: Exact, which: str, reals: Reals
) -> Number:
    """max P_q(i) over the ranks i with Σ_{j=1..i} R_q(j) ≥ ρ N_rel / 100, or P_q of the first of
    them, where P_q(i) = (1/i) Σ_{j=1..i} R_q(j), and 0 where there is none

    which: "interpolated" or "first"    [jarvelin-2008 section 1 names it, and defines neither]

    Spec: RS-SES-30
    """
    needed = Fraction(rho) * N_rel / 100
    found = enumerate(accumulate(R_q), start=1)
    P_q = [Fraction(n, i) for i, n in found if n >= needed]
    if not N_rel or not P_q:
        return reals.exact(0)
    return reals.exact(max(P_q) if which == "interpolated" else P_q[0])


def gains(
    S: Sequence[Sequence[Exact]], t: Sequence[Sequence[int]] | None, X: int, g: Gain, delta: Number
) -> list[list[Number]]:
    """G_q[i] = g(r_q(i)) · delta^(t_q(i) - 1) for i = 1, ..., min(n_q, X)

    t None: each is the first appearance of its document.

    Spec: RS-SES-2
    """
    if t is None:
        return [[g(r) for r in ranked[:X]] for ranked in S]
    most = max((t_i for t_q in t for t_i in t_q), default=1)
    powers = list(accumulate(repeat(delta, most - 1), mul, initial=1))  # δ^0, δ^1, ...
    return [
        [g(r) * powers[t_i - 1] for r, t_i in zip(ranked[:X], t_q, strict=True)]
        for ranked, t_q in zip(S, t, strict=True)
    ]


def sdcg_of_query(G_q: Sequence[Number], q: int, d: Discount, D: Discount) -> list[Number]:
    """sDCG(q) = (1 + log_bq q)^-1 · DCG    [jarvelin-2008 eq. 1, where D(q) is the factor]

    Spec: RS-SES-3
    """
    return [D(q) * x for x in dcg_vector(G_q, _itself, d)]


def _itself(gain: Number) -> Number:
    return gain


def ranks(n: Sequence[int], X: int, c: int) -> list[int]:
    """L_q = min(X, max(n_q, c)); c = X: each list is padded to X    [jarvelin-2008 section 4]

    Spec: RS-SES-4
    """
    return [min(X, max(n_q, c)) for n_q in n]


def sdcg_vector(
    G: Sequence[Sequence[Number]], L: Sequence[int], d: Discount, D: Discount
) -> list[Number]:
    """sDCG: the discounted gains of the queries, concatenated and cumulated    [jarvelin-2008
    section 3.3]

    Spec: RS-SES-5
    """
    discounted: list[Number] = []
    for q, (G_q, L_q) in enumerate(zip(G, L, strict=True), start=1):
        discounted += [D(q) * d(i) * x for i, x in enumerate(G_q, start=1)]
        discounted += [0] * (L_q - len(G_q))
    return list(accumulate(discounted))


def sdcg(G: Sequence[Sequence[Number]], d: Discount, D: Discount) -> Number:
    """sDCG@X = Σ_q sDCG(q)[X], the last component of the session's vector

    Spec: RS-SES-6
    """
    return sum(D(q) * dcg(G_q, len(G_q), _itself, d) for q, G_q in enumerate(G, start=1))


def repeated_ideal(J: Sequence[Exact], L: Sequence[int]) -> list[list[Exact]]:
    """Each query shows the ideal list from its beginning on    [jarvelin-2008 section 3.3]

    Spec: RS-SES-7
    """
    best = ideal(J)
    return [best[:L_q] for L_q in L]


def repeated_isdcg(
    J: Sequence[Exact], L: Sequence[int], g: Gain, d: Discount, D: Discount
) -> Number:
    """IsDCG@X = Σ_q D(q) · IDCG@L_q, sDCG@X of the repeated ideal    [RS-SES-7/L1]

    Spec: RS-SES-7
    """
    IDCG = idcg_vector(J, max(L, default=0), g, d)
    return sum(D(q) * IDCG[min(L_q, len(J))] for q, L_q in enumerate(L, start=1))


def idcg_vector(J: Sequence[Exact], k: int, g: Gain, d: Discount) -> list[Number]:
    """<IDCG@0, IDCG@1, ..., IDCG@min(k, |J|)>: one pass for lists of many lengths

    Spec: RS-DCG-5
    """
    return [0, *dcg_vector(ideal(J)[:k], g, d)]


def spread_ideal(J: Sequence[Exact], L: Sequence[int]) -> list[list[Exact]]:
    """Each query shows the ideal list from where the query before it ended

    Spec: RS-SES-8
    """
    best = ideal(J)
    return [best[end - L_q : end] for L_q, end in zip(L, accumulate(L), strict=True)]


def greatest_ideal(
    J: Sequence[Exact], L: Sequence[int], d: DiscountIn, D: DiscountIn
) -> list[list[Exact]]:
    """Each item of the pool once, so that sDCG is greatest: the best where D(q) d(i) is

    A query shows its items at its first ranks, as weights do not rise with i (RS-SES-9/L3).

    Spec: RS-SES-9
    """
    arranged: list[list[Exact]] = [[] for _ in L]
    for (q, _), r in zip(_by_weight(L, d, D), ideal(J), strict=False):
        arranged[q - 1].append(r)
    return arranged


def _by_weight(L: Sequence[int], d: DiscountIn, D: DiscountIn) -> Iterator[tuple[int, int]]:
    """The places (q, i) by their weights D(q) d(i), the greatest first; equals as they stand.

    The places of one query are in order already, so they are merged, as many as are asked for.
    """

    def double(*signed: tuple[int, tuple[int, int]]) -> float:
        return nearest_double_of(lambda R: sum(s * D(R)(q) * d(R)(i) for s, (q, i) in signed))

    @cache
    def weight(place: tuple[int, int]) -> float:
        return double((1, place))

    def compared(x: tuple[int, int], y: tuple[int, int]) -> float:
        if weight(x) != weight(y):  # rounding keeps the order
            return weight(y) - weight(x)
        return double((1, y), (-1, x))

    queries = [zip(repeat(q), range(1, L_q + 1)) for q, L_q in enumerate(L, start=1)]
    return merge(*queries, key=cmp_to_key(compared))  # type: ignore[arg-type]


def nsdcg(sDCG: Number, IsDCG: Number) -> Number:
    """nsDCG@X = sDCG@X / IsDCG@X, and 0 where IsDCG@X = 0    [jarvelin-2008 section 3.3]

    Spec: RS-SES-11
    """
    return sDCG / IsDCG if IsDCG else 0


def sdcg_per_query(sDCG: Number, m: int) -> Number:
    """sDCG@X / m, the number of queries, and 0 where m = 0    [sDCG/q of jiang-2016]

    Spec: RS-SES-12
    """
    return sDCG / m if m else 0


def average_position(V: Sequence[Number], reals: Reals) -> Number:
    """avg-pos(V) = |V|^-1 · Σ_p V[p], and 0 of an empty vector    [jarvelin-2008 section 4]

    Spec: RS-SES-13
    """
    return sum(V) / reals.exact(len(V)) if V else 0


def gains_of_queries(G: Sequence[Sequence[Number]], d: Discount, D: Discount) -> list[Number]:
    """<sDCG(1)[X], sDCG(2)[X], ...>, what each query adds to the session

    Spec: RS-SES-14
    """
    return [(sdcg_of_query(G_q, q, d, D) or [0])[-1] for q, G_q in enumerate(G, start=1)]


def ndcg_of_queries(
    G: Sequence[Sequence[Number]], J: Sequence[Exact], L: Sequence[int], g: Gain, d: Discount
) -> list[Number]:
    """<DCG@X of query 1 / IDCG@L_1, DCG@X of query 2 / IDCG@L_2, ...>, nDCG@X where L_q = X

    Spec: RS-SES-15
    """
    IDCG = idcg_vector(J, max(L, default=0), g, d)
    return [
        nsdcg(dcg(G_q, len(G_q), _itself, d), IDCG[min(L_q, len(J))])
        for G_q, L_q in zip(G, L, strict=True)
    ]


def ndcg_of_means(
    G: Sequence[Sequence[Number]],
    J: Sequence[Exact],
    X: int,
    c: int,
    g: Gain,
    d: Discount,
    reals: Reals,
) -> list[Number]:
    """The same of means of gains by rank: DCG@X over d(1) + ... + d(L_q), and IDCG@X over the sum
    for the ranks of the ideal list    [program of jiang-2016, where c = 0]

    Spec: RS-SES-25
    """

    L_J, *L = ranks([len(J), *map(len, G)], X, c)
    IDCG = idcg(J, X, g, d)

    @cache
    def sum_of_discounts(j: int) -> Number:
        return sum(d(i) for i in range(1, j + 1))

    def mean(DCG: Number, j: int) -> Number:
        return nsdcg(reals.exact(0) + DCG, sum_of_discounts(j))

    def ndcg(DCG: Number, L_q: int) -> Number:
        if L_q == L_J:  # one sum, of as many ranks as there may be, that cancels
            return nsdcg(DCG, IDCG)
        return nsdcg(mean(DCG, L_q), mean(IDCG, L_J))

    return [ndcg(dcg(G_q, len(G_q), _itself, d), L_q) for G_q, L_q in zip(G, L, strict=True)]


def over_queries(values: Sequence[Number], which: str, reals: Reals) -> Number:
    """One number of those of the queries, and 0 where there is none to take.

    which: "sum", "mean", "best", "worst", "first", "last", or "non-last", the mean of all but the
        last    [jarvelin-2008 sections 3.2, 4]

    Spec: RS-SES-16
    """
    if which in ("mean", "non-last"):
        return average_position(values if which == "mean" else values[:-1], reals)
    if not values:
        return 0
    if which == "sum":
        return sum(values)
    if which == "best":
        return reals.greatest([reals.exact(0) + x for x in values])
    if which == "worst":
        return -reals.greatest([reals.exact(0) - x for x in values])
    return values[{"first": 0, "last": -1}[which]]


def norm_vect(V: Sequence[Number], I: Sequence[Number]) -> list[Number]:  # noqa: E741
    """norm-vect(V, I) = <v_1 / i_1, v_2 / i_2, ...>, 0 where i = 0    [jarvelin-2008 eq. 5]

    Spec: RS-SES-17
    """
    return [nsdcg(v, i) for v, i in zip(V, I, strict=True)]


def avg_vect(vectors: Sequence[Sequence[Number]]) -> list[Number]:
    """avg-vect(𝔇) = |𝔇|^-1 · Σ_{V ∈ 𝔇} V    [jarvelin-2008 eq. 4]

    Spec: RS-SES-18
    """
    return [sum(components) / len(vectors) for components in zip(*vectors, strict=True)]


def held(V: Sequence[Number], n: int) -> list[Number]:
    """V with n components: its last is that of all further ones    [jarvelin-2008 section 3.3]

    Spec: RS-SES-19
    """
    last = V[-1] if V else 0
    return [*V, *[last] * (n - len(V))]


def still_running(m: Sequence[int], q: int) -> Fraction:
    """The share of sessions, of m(1), m(2), ... queries, that have a query q.

    Spec: RS-SES-20
    """
    return Fraction(sum(m_s >= q for m_s in m), len(m)) if m else Fraction(0)


def sessions_by_queries(m: Sequence[int]) -> dict[int, int]:
    """How many sessions have exactly 0, 1, 2, ... queries, of m(1), m(2), ...; no number is 0

    [jarvelin-2008 Table 2]

    Spec: RS-SES-32
    """
    return {q: m.count(q) for q in sorted(set(m))}


def variance(v: Sequence[float]) -> Fraction:
    """s^2 = Σ_s (v_s - mean)^2 / (N - 1), exactly, of two sessions or more.

    Spec: RS-SES-27
    """
    m = exact_sum(v) / len(v)
    return sum(((Fraction(x) - m) ** 2 for x in v), start=Fraction(0)) / (len(v) - 1)


def standard_deviation(v: Sequence[float], reals: Reals) -> Number:
    """s, the square root of the variance over sessions.

    Spec: RS-SES-27
    """
    return reals.sqrt(reals.exact(variance(v)))
