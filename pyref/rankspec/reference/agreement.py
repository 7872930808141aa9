"""Agreement of orders, of the tests of two measures, of assessors, of a run and its repetition.

Values are doubles, or Fractions, taken as exact: two of them are equal, or one is greater. A NaN is
neither, and is refused before it comes here.

Where an equation has no value, the function raises ``Undefined``, which says why.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations, pairwise
from math import comb, floor, lcm
from typing import NamedTuple, TypeAlias

from .cascade import power_of
from .comparison import Undefined, differences, pad, scaled
from .numbers.reals import RATIONALS, Exact, Number, Reals

Ranking: TypeAlias = Sequence[Sequence[Hashable]]
"""Groups of items, the best first; the items of one group are tied."""

TIES = ("a", "b", "w")
"""How RBO treats ties: as uncertain, with a correction for it, or as equal ranks."""


def sign(x: Exact, y: Exact) -> int:
    """1 where x > y, -1 where x < y, else 0."""
    return (x > y) - (x < y)


# ---- pairs of items in two orders ----------------------------------------------------------


class Pairs(NamedTuple):
    """How many pairs of items two lists of values order alike, and otherwise

    concordant: both order the pair, and alike; discordant: both do, and not alike
    only_x: tied in x alone; only_y: tied in y alone; both: tied in both

    Spec: RS-AGR-1
    """

    concordant: int
    discordant: int
    only_x: int
    only_y: int
    both: int


def pairs(x: Sequence[Exact], y: Sequence[Exact]) -> Pairs:
    """The pairs of items, counted by how x and y order them

    Spec: RS-AGR-1
    """
    found = Counter((sign(x[i], x[j]), sign(y[i], y[j])) for i, j in combinations(range(len(x)), 2))
    return Pairs(
        found[1, 1] + found[-1, -1],
        found[1, -1] + found[-1, 1],
        found[0, 1] + found[0, -1],
        found[1, 0] + found[-1, 0],
        found[0, 0],
    )


def swapped(x: Sequence[Exact], y: Sequence[Exact]) -> list[tuple[int, int]]:
    """The discordant pairs (i, j), with x_i > x_j and y_i < y_j

    Spec: RS-AGR-1
    """
    n = range(len(x))
    return [(i, j) for i in n for j in n if x[i] > x[j] and y[i] < y[j]]


def tau_b(x: Sequence[Exact], y: Sequence[Exact], reals: Reals = RATIONALS) -> Number:
    """τ_b = (C - D) / √((C + D + T_x)(C + D + T_y))    [kendall-1945]

    Spec: RS-AGR-2
    """
    return tau_b_of(pairs(x, y), reals)


def tau_b_of(found: Pairs, reals: Reals = RATIONALS) -> Number:
    """τ_b of pairs that have been counted

    Spec: RS-AGR-2
    """
    C, D, T_x, T_y, _ = found
    if not sum(found):
        raise Undefined("a correlation needs two items")
    if not C + D + T_y or not C + D + T_x:
        raise Undefined("all values are tied")
    return (C - D) / reals.sqrt(reals.exact((C + D + T_y) * (C + D + T_x)))


# ---- correlation of the tops ---------------------------------------------------------------


def tau_ap(x: Sequence[Exact], y: Sequence[Exact]) -> Fraction:
    """τ_AP = 2/(n - 1) Σ_{i=2..n} C(i)/(i - 1) - 1, of the order of y    [yilmaz-2008]

    Spec: RS-AGR-3
    """
    _at_least_two(y)
    _without_ties(x, "x")
    _without_ties(y, "y")
    return _tau_ap_of_groups(x, y)


def tau_ap_a(x: Sequence[Exact], y: Sequence[Exact]) -> Fraction:
    """τ_AP,a: the mean of τ_AP over the orders of the ties of y; x has none    [urbano-2017]

    Spec: RS-AGR-4
    """
    _at_least_two(y)
    _without_ties(x, "x")
    return _tau_ap_of_groups(x, y)


def _tau_ap_of_groups(x: Sequence[Exact], y: Sequence[Exact]) -> Fraction:
    total = Fraction(0)
    above: list[int] = []
    for group in groups(y):
        a, t = len(above), len(group)
        share = sum((Fraction(1, t * (a + j)) for j in range(t)), start=Fraction(0)) if a else 0
        total += share * sum(x[j] > x[i] for i in group for j in above)
        total += sum((Fraction(j, a + j) for j in range(1, t)), start=Fraction(0)) / 2
        above += group
    return 2 * total / (len(y) - 1) - 1


def tau_ap_b(x: Sequence[Exact], y: Sequence[Exact]) -> Fraction:
    """τ_AP,b = (δ(x, y) + δ(y, x)) / 2    [urbano-2017]

    Spec: RS-AGR-5
    """
    _at_least_two(y)
    return (directed(x, y) + directed(y, x)) / 2


def directed(x: Sequence[Exact], y: Sequence[Exact]) -> Fraction:
    """δ(x, y) = 2/(n - t_1) Σ_i C(i)/a(i) - 1, over the items below the first group of y

    Spec: RS-AGR-5
    """
    above: list[int] = []
    total, n = Fraction(0), 0
    for group in groups(y):
        if above:
            right = sum(x[j] > x[i] for i in group for j in above)
            total, n = total + Fraction(right, len(above)), n + len(group)
        above += group
    if not n:
        raise Undefined("all values are tied")
    return 2 * total / n - 1


def groups(y: Sequence[Exact]) -> list[list[int]]:
    """The positions of equal values, the highest value first."""
    found: dict[Exact, list[int]] = {}
    for i, value in enumerate(y):
        found.setdefault(value, []).append(i)
    return [found[value] for value in sorted(found, reverse=True)]


def _at_least_two(y: Sequence[Exact]) -> None:
    if len(y) < 2:
        raise Undefined("a correlation needs two items")


def _without_ties(x: Sequence[Exact], name: str) -> None:
    if len(set(x)) < len(x):
        raise Undefined(f"values of {name} are tied")


# ---- rank-biased overlap -------------------------------------------------------------------


@dataclass(frozen=True)
class Overlap:
    """Two rankings S and L of s <= l items, at the depths from 1 to l.

    X: the overlap at each depth that is seen
    A: the agreement of the first s depths; norms: what an overlap beyond is divided by
    mean_new: beyond s, the mean contribution of those items of L that S lacks
    sum_new: beyond s, the sum of the contributions of the first d - s of them
    """

    s: int
    l: int  # noqa: E741 - the paper's name
    X: list[Fraction]
    A: list[Number]
    norms: list[Number]
    mean_new: list[Fraction]
    sum_new: list[Fraction]


def contribution(top: int, bottom: int, d: int, ties: str) -> Fraction:
    """c(e | d): how much of an item of the ranks top to bottom is among the first d

    Spec: RS-AGR-6
    """
    if d < top:
        return Fraction(0)
    if d >= bottom or ties == "w":
        return Fraction(1)
    return Fraction(d - top + 1, bottom - top + 1)


def _spans(ranking: Ranking) -> dict[Hashable, tuple[int, int]]:
    """The first and the last rank of the group of each item."""
    found: dict[Hashable, tuple[int, int]] = {}
    for group in ranking:
        top = len(found) + 1
        found |= dict.fromkeys(group, (top, top + len(group) - 1))
    return found


def overlap(x: Ranking, y: Ranking, ties: str, reals: Reals = RATIONALS) -> Overlap:
    """What RBO is made of    [webber-2010; ties: corsi-2024]

    Spec: RS-AGR-6
    """
    S, L = sorted((_spans(x), _spans(y)), key=len)
    s, l = len(S), len(L)  # noqa: E741
    common, new = S.keys() & L.keys(), [e for e in L if e not in S]
    X, A, norms, mean_new, sum_new = [], [], [], [], []
    for d in range(1, l + 1):
        of_S = {e: contribution(*span, d, ties) for e, span in S.items()}
        of_L = {e: contribution(*span, d, ties) for e, span in L.items()}
        X.append(sum((of_S[e] * of_L[e] for e in common), start=Fraction(0)))
        whole_S = list(of_S.values()) if d <= s else [Fraction(1)] * d
        norm = _norm(whole_S, list(of_L.values()), d, ties, reals)
        if d <= s:
            A.append(reals.exact(X[-1]) / norm)
        else:
            norms.append(norm)
            begun = [of_L[e] for e in new if of_L[e]]
            mean_new.append(sum(begun, start=Fraction(0)) / len(begun))
            sum_new.append(sum((of_L[e] for e in new[: d - s]), start=Fraction(0)))
    return Overlap(s, l, X, A, norms, mean_new, sum_new)


def _norm(
    of_S: Sequence[Fraction], of_L: Sequence[Fraction], d: int, ties: str, reals: Reals
) -> Number:
    """What the overlap at a depth is divided by

    Spec: RS-AGR-6
    """
    if ties == "w":
        return reals.exact((sum(of_S) + sum(of_L)) / Fraction(2))
    if ties == "a":
        return reals.exact(d)
    square = sum(c * c for c in of_S) * sum(c * c for c in of_L)
    return reals.sqrt(reals.exact(square))


def rbo_ext(x: Ranking, y: Ranking, p: Exact, ties: str = "a", reals: Reals = RATIONALS) -> Number:
    """RBO_EXT: what is not seen agrees as what is seen does    [webber-2010, eq. 32]

    Spec: RS-AGR-7
    """
    o = _seen(x, y, ties, reals)
    last = o.A[-1]
    A = o.A + [
        (reals.exact(X) + (d - o.s) * reals.exact(new) * last) / norm
        for d, X, new, norm in _beyond(o, o.mean_new)
    ]
    q = reals.exact(p)
    agreed = (reals.exact(o.X[-1]) + (o.l - o.s) * last) / o.l
    tail = agreed * power_of(p, o.l, reals)
    return (1 - q) * _sum(A, q, reals) + tail


def rbo_min(x: Ranking, y: Ranking, p: Exact, ties: str = "a", reals: Reals = RATIONALS) -> Number:
    """RBO_MIN: no item that is not seen is common    [webber-2010, eq. 11]

    Spec: RS-AGR-8
    """
    o = _seen(x, y, ties, reals)
    A = o.A + [reals.exact(X) / norm for _, X, _, norm in _beyond(o, o.mean_new)]
    q = reals.exact(p)
    found = (1 - q) * _sum(A, q, reals)
    if not o.X[-1]:
        return found
    harmonic = _sum([reals.exact(Fraction(1, d)) for d in range(1, o.l + 1)], q, reals)
    tail = reals.ln(1 / (1 - Fraction(p))) / q - harmonic
    return found + reals.exact(o.X[-1]) * (1 - q) * tail


def rbo_max(x: Ranking, y: Ranking, p: Exact, ties: str = "a", reals: Reals = RATIONALS) -> Number:
    """RBO_MAX: as many of the items that are not seen are common as can be

    Spec: RS-AGR-8
    """
    o = _seen(x, y, ties, reals)
    A = o.A + [reals.exact(X + new) / norm for _, X, new, norm in _beyond(o, o.sum_new)]
    f = o.l + o.s - int(o.X[-1])
    A += [reals.exact(Fraction(2 * d - f, d)) for d in range(o.l + 1, f + 1)]
    q = reals.exact(p)
    return (1 - q) * _sum(A, q, reals) + power_of(p, f, reals)


def rbo_res(x: Ranking, y: Ranking, p: Exact, ties: str = "a", reals: Reals = RATIONALS) -> Number:
    """RBO_RES = RBO_MAX - RBO_MIN

    Spec: RS-AGR-8
    """
    return rbo_max(x, y, p, ties, reals) - rbo_min(x, y, p, ties, reals)


def _seen(x: Ranking, y: Ranking, ties: str, reals: Reals) -> Overlap:
    if not x or not y:
        raise Undefined("a ranking is empty")
    return overlap(x, y, ties, reals)


def _beyond(o: Overlap, new: list[Fraction]) -> Iterable[tuple[int, Fraction, Fraction, Number]]:
    return zip(range(o.s + 1, o.l + 1), o.X[o.s :], new, o.norms, strict=True)


def _sum(A: Sequence[Number], q: Number, reals: Reals) -> Number:
    """Σ A_d q^(d - 1)"""
    found = reals.exact(0)
    for agreement in reversed(A):
        found = found * q + agreement
    return found


def rbo_at_depth(
    x: Sequence[Hashable], y: Sequence[Hashable], p: Exact, depth: int, reals: Reals = RATIONALS
) -> Number:
    """Σ_{d=1..depth} p^(d-1) X_d/d / Σ_{d=1..depth} p^(d-1)

    Spec: RS-AGR-9
    """
    seen: set[Hashable] = set()
    X, A = 0, []
    for d in range(1, depth + 1):
        for item in (*x[d - 1 : d], *y[d - 1 : d]):
            X += item in seen
            seen.add(item)
        A.append(reals.exact(Fraction(X, d)))
    q = reals.exact(p)
    return _sum(A, q, reals) / _sum([reals.exact(1)] * depth, q, reals)


# ---- what the tests of measures say --------------------------------------------------------


class Conflicts(NamedTuple):
    """How many pairs of systems two measures find to differ.

    Spec: RS-AGR-10
    """

    agree: int
    gained: int
    lost: int
    opposite: int
    neither: int


def conflicts(
    first: Sequence[tuple[Exact, Exact | None]],
    second: Sequence[tuple[Exact, Exact | None]],
    alpha: Exact,
) -> Conflicts:
    """Of each pair a difference and its p-value, None for a p-value that is not defined

    Spec: RS-AGR-10
    """
    found = Counter(
        (_direction(*one, alpha), _direction(*other, alpha))
        for one, other in zip(first, second, strict=True)
    )
    return Conflicts(
        found[1, 1] + found[-1, -1],
        found[0, 1] + found[0, -1],
        found[1, 0] + found[-1, 0],
        found[1, -1] + found[-1, 1],
        found[0, 0],
    )


def _direction(difference: Exact, p: Exact | None, alpha: Exact) -> int:
    """1 or -1 where a difference is significant, else 0."""
    return sign(difference, 0) if p is not None and p <= alpha else 0


def discriminative_power(p: Sequence[Exact | None], alpha: Exact) -> tuple[int, Fraction]:
    """How many pairs have p <= α, and which share of the pairs they are    [sakai-2006]

    Spec: RS-AGR-11
    """
    if not p:
        raise Undefined("there is no pair")
    count = sum(value is not None and value <= alpha for value in p)
    return count, Fraction(count, len(p))


def asl_curve(p: Sequence[Exact | None]) -> list[Exact]:
    """The achieved significance levels, the greatest first    [sakai-2006]

    Spec: RS-AGR-11
    """
    return sorted((value for value in p if value is not None), reverse=True)


def mean_pad(means: Sequence[Exact]) -> Fraction:
    """The mean over all pairs of |m_i - m_j| / max(m_i, m_j)    [karmaker-2022, eq. 8]

    Spec: RS-AGR-12
    """
    found = [pad(x, y) for x, y in combinations(means, 2)]
    if not found:
        raise Undefined("there is no pair")
    return sum(found, start=Fraction(0)) / len(found)


# ---- swaps ---------------------------------------------------------------------------------


def swap_rate(x: Sequence[Exact], y: Sequence[Exact]) -> Fraction:
    """D / (n (n - 1)/2): the share of the pairs that two lists order otherwise    [karmaker-2022]

    Spec: RS-AGR-13
    """
    n = len(x)
    if n < 2:
        raise Undefined("there is no pair")
    return Fraction(pairs(x, y).discordant, n * (n - 1) // 2)


class Bin(NamedTuple):
    """Comparisons whose difference lies in one interval, and how many of them were swaps.

    Spec: RS-AGR-14
    """

    comparisons: int
    swaps: int

    @property
    def rate(self) -> Fraction | None:
        """swaps / comparisons, None where there is no comparison"""
        return Fraction(self.swaps, self.comparisons) if self.comparisons else None


def swap_bins(
    scores: Sequence[Sequence[Exact]],
    halves: Iterable[tuple[Sequence[int], Sequence[int]]],
    width: Exact,
    bins: int,
) -> list[Bin]:
    """Of each split of the queries and each pair of systems, by |d| / width    [voorhees-2002]

    scores: a row a system, in it a value a query
    halves: of each split the positions of two disjoint sets of queries

    Spec: RS-AGR-14
    """
    exact = [[Fraction(value) for value in row] for row in scores]
    unit = lcm(*(value.denominator for row in exact for value in row))
    rows = [[int(value * unit) for value in row] for row in exact]  # sums of integers are fast

    def means(half: Sequence[int]) -> list[Fraction]:
        return [Fraction(sum(row[q] for q in half), len(half) * unit) for row in rows]

    comparisons, swaps = [0] * bins, [0] * bins
    for A, B in halves:
        in_A, in_B = means(A), means(B)
        for i, j in combinations(range(len(rows)), 2):
            d = in_A[i] - in_A[j]
            b = min(floor(abs(d) / Fraction(width)), bins - 1)
            comparisons[b] += 1
            swaps[b] += d * (in_B[i] - in_B[j]) < 0
    return list(map(Bin, comparisons, swaps))


def together(scores: Sequence[Sequence[float]]) -> tuple[list[list[int]], Fraction, int]:
    """X, u and c: X_sq u is x_sq, and equal sums of h of the values differ by at most 2 c h units

    With a common denominator N, u is 1/N and c is 0. Otherwise u is a power of two, X_sq is rounded
    as a difference to 0, and c is 1.

    Spec: RS-AGR-30
    """
    found = scaled(*scores)
    if found is not None:
        return found[0], Fraction(1, found[1]), 0
    flat = [value for row in scores for value in row]
    X, e = differences(flat, [0.0] * len(flat))
    ends = accumulate(map(len, scores), initial=0)
    return [X[begin:end] for begin, end in pairwise(ends)], Fraction(2) ** e, 1


def levels(scores: Sequence[Sequence[float]]) -> list[int]:
    """The level of the mean of each system, from 0 up; equal means share one

    scores: a row a system, in it a value a query of that system

    Spec: RS-AGR-30
    """
    X, _, c = together(scores)
    means = [Fraction(sum(row), len(row)) for row in X]
    found = [0] * len(means)
    for below, above in pairwise(sorted(range(len(means)), key=lambda s: means[s])):
        found[above] = found[below] + (means[above] - means[below] > 2 * c)
    return found


# ---- assessors -----------------------------------------------------------------------------


WEIGHTS = ("none", "linear", "quadratic")


def kappa(x: Sequence[Exact], y: Sequence[Exact], weights: str = "none") -> Fraction:
    """κ = 1 - Σ_i w(x_i, y_i)/n / Σ_i Σ_j w(x_i, y_j)/n²    [cohen-1960, cohen-1968]

    Spec: RS-AGR-15
    """
    n, of_x, of_y = len(x), Counter(x), Counter(y)
    if not n:
        raise Undefined("nothing has two labels")
    seen = sum((_weight(a, b, weights) for a, b in zip(x, y, strict=True)), start=Fraction(0))
    chance = sum(
        (of_x[a] * of_y[b] * _weight(a, b, weights) for a in of_x for b in of_y),
        start=Fraction(0),
    )
    if not chance:
        raise Undefined("both assessors gave one and the same label to everything")
    return 1 - seen * n / chance


def _weight(a: Exact, b: Exact, weights: str) -> Fraction:
    if weights == "none":
        return Fraction(a != b)
    apart = abs(Fraction(a) - Fraction(b))
    return apart if weights == "linear" else apart * apart


def bias(first: Sequence[Exact], second: Sequence[Exact]) -> list[Fraction]:
    """b_s = (m'_s - m_s) - the mean of that over all systems

    Spec: RS-AGR-16
    """
    shifts = [Fraction(b) - Fraction(a) for a, b in zip(first, second, strict=True)]
    if not shifts:
        raise Undefined("there is no system")
    middle = mean(shifts)
    return [shift - middle for shift in shifts]


def shifts_by_query(
    first: Sequence[Sequence[Exact]], second: Sequence[Sequence[Exact]]
) -> tuple[list[list[Fraction]], list[list[Fraction]]]:
    """d_sq = x'_sq - x_sq, and b_sq = d_sq - the mean of d_uq over all systems u

    first, second: a row a system, in it a value a query

    Spec: RS-AGR-40
    """
    by_query = [
        ([Fraction(b) - Fraction(a) for a, b in zip(x, y, strict=True)], bias(x, y))
        for x, y in zip(zip(*first, strict=True), zip(*second, strict=True), strict=True)
    ]
    shifts, biases = zip(*by_query, strict=True)
    return [list(row) for row in zip(*shifts, strict=True)], [
        list(row) for row in zip(*biases, strict=True)
    ]


# ---- a run and its repetition --------------------------------------------------------------


def ktu(x: Sequence[str], y: Sequence[str]) -> Fraction:
    """Kendall's τ of the places that the two lists have in the union of their ids    [breuer-2020]

    Spec: RS-AGR-17
    """
    if len(x) != len(y):
        raise Undefined(f"lists of {len(x)} and of {len(y)} documents")
    place = {doc: i for i, doc in enumerate(sorted({*x, *y}, key=_utf8))}
    if len(x) < 2:
        raise Undefined("a correlation needs two items")
    discordant = _inversions(
        [b for _, b in sorted((place[a], place[b]) for a, b in zip(x, y, strict=True))]
    )
    return 1 - Fraction(2 * discordant, comb(len(x), 2))


def _inversions(values: Sequence[int]) -> int:
    """How many pairs of different numbers stand with the higher one first."""
    count, before = 0, list[int]()
    for value in values:
        at = bisect(before, value)
        count += len(before) - at
        before.insert(at, value)
    return count


def _utf8(identifier: str) -> bytes:
    """The bytes of an id, of which those that are no UTF-8 are surrogates."""
    return identifier.encode("utf-8", "surrogateescape")


def rmse(x: Sequence[Exact], y: Sequence[Exact], reals: Reals = RATIONALS) -> Number:
    """RMSE = √(Σ_q (x_q - y_q)² / n)    [breuer-2020]

    Spec: RS-AGR-18
    """
    if not x:
        raise Undefined("there is no query")
    squares = ((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(x, y, strict=True))
    square = sum(squares, start=Fraction(0)) / len(x)
    if not square:
        return reals.exact(0)
    return reals.exact(square) / reals.sqrt(reals.exact(square))  # a divisor has a canonical form


def mean(x: Sequence[Exact]) -> Fraction:
    """The mean of a system over the queries."""
    if not x:
        raise Undefined("there is no query")
    return sum((Fraction(value) for value in x), start=Fraction(0)) / len(x)


def effect_ratio(
    a: Sequence[Exact], b: Sequence[Exact], a2: Sequence[Exact], b2: Sequence[Exact]
) -> Fraction:
    """ER = (mean a' - mean b') / (mean a - mean b)    [breuer-2020]

    Spec: RS-AGR-19
    """
    effect = mean(a) - mean(b)
    if not effect:
        raise Undefined("the original runs have equal means")
    return (mean(a2) - mean(b2)) / effect


def delta_ri(
    a: Sequence[Exact], b: Sequence[Exact], a2: Sequence[Exact], b2: Sequence[Exact]
) -> Fraction:
    """ΔRI = RI - RI' with RI = (mean a - mean b) / mean b    [breuer-2020]

    Spec: RS-AGR-20
    """
    return _relative(a, b) - _relative(a2, b2)


def _relative(a: Sequence[Exact], b: Sequence[Exact]) -> Fraction:
    if not mean(b):
        raise Undefined("a baseline has the mean 0")
    return (mean(a) - mean(b)) / mean(b)


# ---- how many queries ----------------------------------------------------------------------


class Spread(NamedTuple):
    """A sum of squares and its degrees of freedom.

    Spec: RS-AGR-21
    """

    squares: Fraction
    df: int


def within(scores: Sequence[Sequence[Exact]]) -> Spread:
    """Σ_s Σ_q (x_sq - x_s.)², with m (n - 1) degrees of freedom    [sakai-2016]

    Spec: RS-AGR-21
    """
    rows = [[Fraction(value) for value in row] for row in scores]
    squares = sum(((v - mean(row)) ** 2 for row in rows for v in row), start=Fraction(0))
    return Spread(squares, sum(len(row) - 1 for row in rows))


def residual(scores: Sequence[Sequence[Exact]]) -> Spread:
    """Σ_s Σ_q (x_sq - x_s. - x_.q + x_..)², with (m - 1)(n - 1) degrees of freedom    [sakai-2016]

    Spec: RS-AGR-21
    """
    m, n = len(scores), len(scores[0]) if scores else 0
    squares, df = within(scores)
    columns = [mean(column) for column in zip(*scores, strict=True)]
    between = m * sum(((c - mean(columns)) ** 2 for c in columns), start=Fraction(0))
    return Spread(squares - between, df - (n - 1))


def variance(spreads: Sequence[Spread]) -> Fraction:
    """σ² = Σ_C SS_C / Σ_C ν_C, pooled over collections C    [sakai-2016]

    Spec: RS-AGR-21
    """
    df = sum(spread.df for spread in spreads)
    if df <= 0:
        raise Undefined("too few values to estimate a variance")
    return sum((spread.squares for spread in spreads), start=Fraction(0)) / df


# ---- judgments that are not known ----------------------------------------------------------


def enclosing_interval(x: tuple[Exact, Exact], y: tuple[Exact, Exact]) -> tuple[Fraction, Fraction]:
    """[x_low - y_high, x_high - y_low]

    Spec: RS-AGR-23
    """
    (x_low, x_high), (y_low, y_high) = x, y
    return Fraction(x_low) - Fraction(y_high), Fraction(x_high) - Fraction(y_low)


def favouring(
    x: Sequence[Hashable], y: Sequence[Hashable], unjudged: Iterable[Hashable]
) -> frozenset[Hashable]:
    """The unjudged items that stand higher in x than in y; an item that is not there is last

    Spec: RS-AGR-24
    """
    rank_x, rank_y = ({item: i for i, item in enumerate(order)} for order in (x, y))
    last = max(len(x), len(y))
    return frozenset(u for u in unjudged if rank_x.get(u, last) < rank_y.get(u, last))
