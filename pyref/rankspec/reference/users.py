"""Users by models: graded RBP and its residual, scaled DCG, INSQ, INST, BPM, NERR8 to NERR11, and
compatibility.

r      the labels in rank order: r(1) is r[0]
J      the labels of the judged items, the pool
t      the highest label of the scale, of which the gain is 1; g_i = r(i)/t is that of rank i
U_i    1 where nobody has judged the item at rank i, else 0
k      the cut-off; ranks beyond the end of the list hold nothing
p      the persistence: the probability that a user goes on to the next rank
d      the discount of a rank (chapter "gain and discount")
g      the gains in rank order, from 0 to 1: g_1 is g[0]
T      what the user wants to find, in gains
V(i)   how probable it is that a user gets to rank i
Q_i    the product of 1 - g_1, ..., 1 - g_i: how probable it is that no gain stopped the user so far

Under ties, groups, s, n and m are as in the chapter "ties and expectation".
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, product
from math import ceil, comb, factorial, prod
from typing import Any, TypeVar

from . import bounds
from .cascade import expected_rbp, power_of, powers, rbp_residual
from .dcg import Discount, dcg, expected_dcg, perfect_dcg
from .numbers.reals import RATIONALS, Exact, Number, Reals
from .ties import Groups, placed

State = TypeVar("State")  # what a metric comes to at a rank
Sums = tuple[int, Number, Number, Number]


def number(x: Exact) -> Fraction:
    """An input as the number that it is."""
    return Fraction(x)


def _exact(x: Exact) -> Exact:
    """The number itself: what is divided by a float rounds."""
    return Fraction(x) if isinstance(x, float) else x


def highest(J: Sequence[Exact]) -> Exact:
    """t = the highest label of the pool, 1 at least

    Spec: RS-USR-1
    """
    return max([1, *J])


def scaled_gain(label: Exact, t: Exact, reals: Reals = RATIONALS) -> Number:
    """g = label / t

    Spec: RS-USR-1
    """
    return reals.exact(label) / _exact(t)


def grbp(r: Sequence[Exact], k: int, p: Exact, t: Exact, reals: Reals = RATIONALS) -> Number:
    """GRBP@k = ((1 - p)/t) Σ_{i=1..k} r(i) p^(i-1)    [moffat-2008]

    Spec: RS-USR-2
    """
    share = (1 - reals.exact(p)) / _exact(t)
    return share * dcg(r, k, reals.exact, powers(p, reals))


def expected_grbp(groups: Groups, k: int, p: Exact, t: Exact, reals: Reals = RATIONALS) -> Number:
    """E[GRBP@k] = ((1 - p)/t) Σ_groups (1/n) Σ_{x in group} x · Σ_{j=1..m} p^(s+j-1)

    Spec: RS-EXP-45
    """
    share = (1 - reals.exact(p)) / _exact(t)
    return share * expected_dcg(groups, k, reals.exact, powers(p, reals))


def grbp_residual(
    U: Sequence[int], k: int, p: Exact, tail: str = "always", reals: Reals = RATIONALS
) -> Number:
    """Residual = (1 - p) Σ_{i=1..k} U_i p^(i-1) + p^min(k, n); with the tail "unjudged" 0 where all
    of the first k are judged

    Spec: RS-USR-3
    """
    if tail == "unjudged" and not any(U[:k]):
        return reals.exact(0)
    return rbp_residual(U, k, p, reals)


def expected_grbp_residual(
    groups: Groups, k: int, p: Exact, tail: str = "always", reals: Reals = RATIONALS
) -> Number:
    """E[Residual] = E[RBP@k] of the items that nobody has judged, and p^min(k, n); with the tail
    "unjudged" that times the share of orders that have an unjudged item among the first k

    Spec: RS-EXP-46
    """
    all_judged, shown = Fraction(int(tail != "always")), 0
    for _, n, m, group in placed(groups, k):
        if all_judged and any(group):
            all_judged *= Fraction(comb(n - sum(group), m), comb(n, m))
        shown += m
    beyond = power_of(p, shown, reals)
    return expected_rbp(groups, k, p, reals) + beyond * (1 - all_judged)


def scaled_dcg(
    r: Sequence[Exact], k: int, t: Exact, d: Discount, reals: Reals = RATIONALS
) -> Number:
    """SDCG@k = Σ_{i=1..k} r(i) d(i) / (t Σ_{i=1..k} d(i)), and 0 where that is divided by 0

    Spec: RS-USR-4
    """
    weights = perfect_dcg(k, d)
    return dcg(r, k, reals.exact, d) / weights / _exact(t) if weights else 0


def expected_scaled_dcg(
    groups: Groups, k: int, t: Exact, d: Discount, reals: Reals = RATIONALS
) -> Number:
    """E[SDCG@k] = E[DCG@k] / (t Σ_{i=1..k} d(i)), and 0 where that is divided by 0

    Spec: RS-EXP-47
    """
    weights = perfect_dcg(k, d)
    return expected_dcg(groups, k, reals.exact, d) / weights / _exact(t) if weights else 0


# ---- users with a goal: INSQ, INST, BPM --------------------------------------------------


def scaled_gains(r: Sequence[Exact], t: Exact) -> list[Fraction]:
    """g_i = r(i) / t

    Spec: RS-USR-1
    """
    return [(Fraction(x) if isinstance(x, int | float) else x) / Fraction(t) for x in r]


def inverse_squares(x: Fraction, terms: int | None, reals: Reals) -> Number:
    """Σ_{i=0..terms-1} 1/(x + i)²; None: without end

    Spec: RS-USR-5
    """
    if terms is None:
        return reals.inverse_squares(x)
    return sum((reals.exact(1 / (x + i) ** 2) for i in range(terms)), start=reals.exact(0))


def insq_discount(T: Exact, reals: Reals) -> Discount:
    """i -> 1 / (i + 2T - 1)²

    Spec: RS-USR-5
    """
    return lambda i: reals.exact(1 / (i + 2 * Fraction(T) - 1) ** 2)


def insq(g: Sequence[Fraction], k: int | None, T: Exact, reals: Reals = RATIONALS) -> Number:
    """INSQ@k = Σ_{i=1..k} g_i/(i + 2T - 1)² / Σ_{i=1..k} 1/(i + 2T - 1)²    [moffat-2012]

    Spec: RS-USR-5
    """
    return expected_insq([[x] for x in g], len(g) if k is None else k, k, T, reals)


def expected_insq(
    groups: Groups, shown: int, k: int | None, T: Exact, reals: Reals = RATIONALS
) -> Number:
    """E[INSQ@k] = E[DCG@k] / Σ_{i=1..k} 1/(i + 2T - 1)², with that discount

    shown: of how many ranks the gains count; k: where the user stops, None: nowhere

    Spec: RS-EXP-48
    """
    if not any(any(group) for _, _, _, group in placed(groups, shown)):
        return reals.exact(0)  # without the divisor, which has no canonical form
    total = expected_dcg(groups, shown, reals.exact, insq_discount(T, reals))
    return total / inverse_squares(2 * Fraction(T), k, reals)


def inst(g: Sequence[Fraction], k: int | None, T: Exact, reals: Reals = RATIONALS) -> Number:
    """INST@k = Σ_{i=1..k} g_i V(i) / Σ_{i=1..k} V(i), V(i + 1) = V(i) ((i + c - 1)/(i + c))² with
    c = 2T - g_1 - ... - g_i    [moffat-2015]

    Spec: RS-USR-6
    """
    shown = g[:k]
    if not any(shown):
        return reals.exact(0)  # without the divisor, which has no canonical form
    total: Number = reals.exact(0)
    seen: Number = reals.exact(0)
    V = reals.exact(1)
    c = 2 * Fraction(T)
    for i, g_i in enumerate(shown, start=1):
        total = total + V * g_i
        seen = seen + V
        c = c - g_i
        V = V * ((i + c - 1) / (i + c)) ** 2
    n = len(shown)
    if any(i + 2 * Fraction(T) - found == 1 for i, found in enumerate(accumulate(shown), 1)):
        return total / seen  # nobody goes on from that rank: T is 1/2, and all is found at rank 1
    below = None if k is None else k - n  # ranks, which hold nothing: c stays what it is
    return total / (seen + V * (n + c) ** 2 * inverse_squares(n + c, below, reals))


def bpm_length(
    g: Sequence[Fraction],
    k: int | None,
    T: Exact,
    change: tuple[Exact, Exact, Exact] = (0, 0, Fraction(1, 2)),
) -> int | None:
    """How many ranks the user of BPM sees; None: without end    [zhang-2017, as cwl_eval has it]

    The user stops at the first rank i with g_1 + ... + g_i >= T_i or i >= k_i; T_1 = T, k_1 = k,
    T_{i+1} = T_i + h_b (g_i - m), k_{i+1} = k_i + h_c (g_i - m) for change = (h_b, h_c, m).

    Spec: RS-USR-7
    """
    h_b, h_c, m = (Fraction(x) for x in change)
    T_i, k_i, found = Fraction(T), None if k is None else Fraction(k), Fraction(0)
    for i, g_i in enumerate(g, start=1):
        found += g_i
        if found >= T_i or (k_i is not None and i >= k_i):
            return i
        T_i += h_b * (g_i - m)
        k_i = None if k_i is None else k_i + h_c * (g_i - m)
    below = len(g) + 1  # from here on all gains are 0: T and k fall by the same at each rank
    ends = []
    if found >= T_i:
        ends.append(below)
    elif h_b * m:
        ends.append(below + ceil((T_i - found) / (h_b * m)))
    if k_i is not None:
        ends.append(max(below, ceil((k_i + below * h_c * m) / (1 + h_c * m))))
    return min(ends, default=None)


def bpm(
    g: Sequence[Fraction],
    k: int | None,
    T: Exact,
    change: tuple[Exact, Exact, Exact] = (0, 0, Fraction(1, 2)),
    reals: Reals = RATIONALS,
) -> Number:
    """BPM@k = (g_1 + ... + g_s) / s for the user who sees s ranks    [zhang-2017]

    Spec: RS-USR-7
    """
    s = bpm_length(g, k, T, change)
    found = sum(map(reals.exact, g[:s] if s else ()), start=reals.exact(0))
    return found / s if s else found


# ---- users whom each gain may stop: NERR8 to NERR11 ---------------------------------------


def mean_of_stopped(
    groups: Groups, n: int, a: Discount, below: Callable[[], Number], reals: Reals = RATIONALS
) -> Number:
    """E[Σ_{i=1..n} a(i) g_i Q_{i-1} / (Σ_{i=1..n} a(i) Q_{i-1} + below Q_n)], and 0 for n = 0

    Over the orders of the groups; orders that begin alike share the sums up to there.

    a: how probable it is that the user, whom no gain stops, gets to a rank, over that of rank 1
    below: the sum of a(i) over the ranks below the list, where all gains are 0; it is asked for
        where somebody gets there

    Spec: RS-USR-30, RS-USR-31, RS-USR-32, RS-USR-33, RS-EXP-49
    """
    zero, one = reals.exact(0), reals.exact(1)
    a, below, exact = cache(a), cache(below), cache(reals.exact)

    def after(sums: Sums, g_i: Fraction) -> Sums:
        i, total, seen, Q = sums
        if Q is zero:  # a gain of 1 has stopped all users
            return sums
        here = a(i) * Q
        if not g_i:
            return i + 1, total, seen + here, Q
        Q = zero if g_i == 1 else Q * (1 - exact(g_i))
        return i + 1, total + here * exact(g_i), seen + here, Q

    def value(sums: Sums) -> Number:
        _, total, seen, Q = sums
        if total is zero:
            return zero
        return total / (seen if Q is zero else seen + below() * Q)

    ends = ends_of_orders(groups, n, (1, zero, zero, one), after)
    mean = sum((value(sums) * ways for sums, ways in ends), start=zero)
    return mean / sum(ways for _, ways in ends)


def _summed(a: Discount, n: int, last: int, reals: Reals) -> Number:
    """The sum of a(i) over the ranks below n, up to the last."""
    return sum(map(a, range(n + 1, last + 1)), start=reals.exact(0))


def shown_of(groups: Groups, k: int | None) -> int:
    """How many ranks the list shows up to k

    Spec: RS-EXP-49
    """
    n = sum(map(len, groups))
    return n if k is None else min(n, k)


def nerr8(g: Sequence[Fraction], k: int | None, reals: Reals = RATIONALS) -> Number:
    """NERR8@k = Σ_{i=1..k} g_i V(i) / Σ_{i=1..k} V(i), V(i + 1) = V(i) (1 - g_i)

    [azzopardi-2021 eq. 8]; k None: the length of the list

    Spec: RS-USR-30
    """
    return expected_nerr8([[x] for x in g], k, reals)


def expected_nerr8(groups: Groups, k: int | None, reals: Reals = RATIONALS) -> Number:
    """E[NERR8@k], where a(i) = 1

    Spec: RS-EXP-49
    """
    n = shown_of(groups, k)
    below = reals.exact(0 if k is None else k - n)
    return mean_of_stopped(groups, n, lambda _: reals.exact(1), lambda: below, reals)


def nerr9(g: Sequence[Fraction], k: int | None, reals: Reals = RATIONALS) -> Number:
    """NERR9@k = Σ_{i=1..k} g_i V(i) / Σ_{i=1..k} V(i), V(i + 1) = V(i) (1 - g_i) i/(i + 1)

    [azzopardi-2021 eq. 9]; k None: the length of the list

    Spec: RS-USR-31
    """
    return expected_nerr9([[x] for x in g], k, reals)


def expected_nerr9(groups: Groups, k: int | None, reals: Reals = RATIONALS) -> Number:
    """E[NERR9@k], where a(i) = 1/i

    Spec: RS-EXP-49
    """
    n = shown_of(groups, k)

    def a(i: int) -> Number:
        return reals.exact(1) / i

    return mean_of_stopped(groups, n, a, lambda: _summed(a, n, n if k is None else k, reals), reals)


def nerr10(g: Sequence[Fraction], k: int | None, p: Exact, reals: Reals = RATIONALS) -> Number:
    """NERR10@k = Σ_{i=1..k} g_i V(i) / Σ_{i=1..k} V(i), V(i + 1) = V(i) p (1 - g_i)

    [azzopardi-2021 eq. 10]; k None: without end, where the ranks below a list of n have p^n/(1 - p)

    Spec: RS-USR-32
    """
    return expected_nerr10([[x] for x in g], k, p, reals)


def expected_nerr10(groups: Groups, k: int | None, p: Exact, reals: Reals = RATIONALS) -> Number:
    """E[NERR10@k], where a(i) = p^(i-1)

    Spec: RS-EXP-49
    """
    n, a = shown_of(groups, k), powers(p, reals)

    def below() -> Number:
        return a(n + 1) / (1 - reals.exact(p)) if k is None else _summed(a, n, k, reals)

    return mean_of_stopped(groups, n, a, below, reals)


def nerr11(g: Sequence[Fraction], k: int | None, T: Exact, reals: Reals = RATIONALS) -> Number:
    """NERR11@k = Σ_{i=1..k} g_i V(i) / Σ_{i=1..k} V(i), V(i + 1) = V(i) (1 - g_i) (1 - 1/(i + 2T))²

    [azzopardi-2021 eq. 11]; k None: without end, with a trigamma function for what lies below

    Spec: RS-USR-33
    """
    return expected_nerr11([[x] for x in g], k, T, reals)


def expected_nerr11(groups: Groups, k: int | None, T: Exact, reals: Reals = RATIONALS) -> Number:
    """E[NERR11@k], where a(i) = 1 / (i + 2T - 1)²

    Spec: RS-EXP-49
    """
    n = shown_of(groups, k)

    def below() -> Number:
        return inverse_squares(n + 2 * Fraction(T), None if k is None else k - n, reals)

    return mean_of_stopped(groups, n, insq_discount(T, reals), below, reals)


# ---- compatibility -----------------------------------------------------------------------


def ideal_ranks(r: Sequence[Exact], J: Sequence[Exact]) -> list[int | None]:
    """Of each rank's item the rank that it has in the best ideal ranking; None: it is not there

    That ranking holds what has a label above 0, the highest first, and of equal labels what the
    list shows first.

    Spec: RS-USR-8
    """
    rising = sorted(J)
    better = {x: len(rising) - bisect_right(rising, x) for x in set(r)}
    alike: dict[Exact, int] = {}
    found: list[int | None] = []
    for x in r:
        alike[x] = alike.get(x, 0) + 1
        found.append(better[x] + alike[x] if x > 0 else None)
    return found


def overlap_weights(p: Exact, k: int, reals: Reals) -> list[Number]:
    """<o_1, ..., o_k>: o_a = Σ_{i=a..k} p^(i-1)/i, what an item adds that both show up to rank a

    Spec: RS-USR-8
    """
    power = powers(p, reals)
    terms = [power(i) / i for i in range(1, k + 1)]
    return list(accumulate(reversed(terms)))[::-1]


def compat_depth(r: Sequence[Exact], J: Sequence[Exact]) -> int:
    """The number of ranks of the list, or of items above 0 in the pool, if these are more

    Spec: RS-USR-8
    """
    return max(len(r), sum(x > 0 for x in J))


def compatibility(
    r: Sequence[Exact],
    J: Sequence[Exact],
    k: int,
    p: Exact,
    normalize: bool = True,
    reals: Reals = RATIONALS,
) -> Number:
    """Compat@k = Σ_{i=1..k} o_max(i, I(i)) / Σ_{i=1..N} o_i, and 0 where N = 0    [clarke-2021]

    I(i) is the rank in the ideal ranking, of N items; not normalised it is over Σ_{i=1..k} p^(i-1).

    Spec: RS-USR-8
    """
    ranks, N = ideal_ranks(r, J), sum(x > 0 for x in J)
    if not N or not r:
        return reals.exact(0)
    o = overlap_weights(p, k, reals)
    total = reals.exact(0)
    for i, ideal in enumerate(ranks[:k], start=1):
        both = k + 1 if ideal is None else max(i, ideal)
        total = total + (o[both - 1] if both <= k else o[0] * 0)
    power = powers(p, reals)
    weights = o[:N] if normalize else [power(i) for i in range(1, k + 1)]
    return total / sum(weights, start=reals.exact(0))


# ---- what has no closed form -------------------------------------------------------------


def distinct_orders(group: Sequence[Any]) -> Iterator[list[Any]]:
    """Each order of a group once, of those that differ in labels; all are equally likely

    Spec: RS-EXP-49
    """
    numbers = {x: a for a, x in enumerate(dict.fromkeys(group))}
    values = list(numbers)
    order = sorted(numbers[x] for x in group)
    while True:
        yield [values[a] for a in order]
        rises = (i for i in range(len(order) - 2, -1, -1) if order[i] < order[i + 1])
        if (i := next(rises, None)) is None:
            return
        j = next(j for j in range(len(order) - 1, i, -1) if order[j] > order[i])
        order[i], order[j] = order[j], order[i]
        order[i + 1 :] = order[:i:-1]


def number_of_orders(groups: Groups) -> int:
    """How many orders the groups leave open that differ in labels

    Spec: RS-EXP-49
    """
    return prod(orders_of_counts(Counter(group).values()) for group in groups)


def orders_of_counts(counts: Collection[int]) -> int:
    """How many orders there are of so many items of each label

    Spec: RS-EXP-49
    """
    return factorial(sum(counts)) // prod(map(factorial, counts))


def ends_of_orders(
    groups: Groups, k: int, top: State, after: Callable[[State, Any], State]
) -> list[tuple[State, int]]:
    """(what it comes to at rank k, of how many orders) for each way to begin up to there

    top: the state above the list; after: that below one more item. Orders that begin alike share
    the states up to where they part.

    Spec: RS-EXP-49
    """
    ends = [(top, 1)]
    for _, _, m, group in placed(groups, k):
        counts = Counter(group)
        open_ends = [(end, ways, tuple(counts.values())) for end, ways in ends]
        for _ in range(m):
            open_ends = [
                (after(end, x), ways, (*left[:a], left[a] - 1, *left[a + 1 :]))
                for end, ways, left in open_ends
                for a, x in enumerate(counts)
                if left[a]
            ]
        ends = [(end, ways * orders_of_counts(left)) for end, ways, left in open_ends]
    return ends


def number_of_beginnings(groups: Groups, k: int) -> int:
    """The number of different first k labels of the orders of the groups

    Spec: RS-EXP-49
    """
    return prod(
        bounds.count_of_orders(group, m) if m < n else orders_of_counts(Counter(group).values())
        for _, n, m, group in placed(groups, k)
    )


def beginnings_of(groups: Groups, k: int) -> Iterator[tuple[list[Any], int]]:
    """(the first k labels, of how many orders) for each way to begin

    Spec: RS-EXP-49
    """
    for parts in product(*(list(_beginnings(group, m)) for _, _, m, group in placed(groups, k))):
        yield [x for labels, _ in parts for x in labels], prod(ways for _, ways in parts)


def _beginnings(group: Sequence[Any], m: int) -> Iterator[tuple[list[Any], int]]:
    """(the first m labels, of how many orders) for each way in which a group may begin."""
    if m == len(group):
        yield from ((labels, 1) for labels in distinct_orders(group))
        return
    values = list(dict.fromkeys(group))
    numbers = {x: a for a, x in enumerate(values)}
    for first, ways in bounds.distinct_orders([numbers[x] for x in group], m):
        yield [values[int(a)] for a in first], ways


def mean_over_orders(
    metric: Callable[[Sequence[Any]], Number], groups: Groups, k: int, reals: Reals = RATIONALS
) -> Number:
    """E[metric] = the mean over the distinct orders of all groups; metric takes the first k labels

    Spec: RS-EXP-49
    """
    total = reals.exact(0)
    for labels, ways in beginnings_of(groups, k):
        total = total + metric(labels) * ways
    return total / number_of_orders(groups)
