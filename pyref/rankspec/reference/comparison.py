"""Comparing systems: differences, statistics, effect sizes, corrections.

The values of a system are doubles, taken as exact, or the integers that ``scaled`` makes of them. A
paired statistic is one of integers: D_1, ..., D_n, the differences of two systems on n queries, in
units of 2^e. So it is exact, free of the order of the queries, and odd in the two systems. X and Y
are the values of two systems as integers, in units of 2^e too.

Where an equation has no value, the function raises ``Undefined``, which says why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, chain, combinations
from math import floor, isqrt, lcm
from typing import NamedTuple

from .numbers.reals import RATIONALS, Exact, Number, Reals

BITS = 40
"""How many bits the greatest difference of two systems has."""

MOST_SCALED = 1 << (BITS - 1)
"""The bound of N max |j|: below it, differences of the integers j are exact (RS-CMP-24)."""

ZEROS = ("wilcox", "pratt", "zsplit")
"""The rules for differences of 0 in the signed rank test."""

Pairs = dict[tuple[int, int], tuple[list[int], int]]
"""D and e of each pair of systems i < j."""


class Undefined(ArithmeticError):
    """A statistic has no value for this input; the text says why."""


# ---- values that are fractions -------------------------------------------------------------


def common_denominator(*columns: Sequence[Exact]) -> int | None:
    """The least N for which each value is the double nearest to some j/N, or None

    N max |j| < 2^39. Then the j are unique, so that N is the least common multiple of the least
    denominators, and a value that is a j/N for a divisor of N needs no further factor.

    Spec: RS-CMP-24
    """
    values = list(chain(*columns))
    greatest = max((abs(Fraction(x)) for x in values), default=0) or 1
    most = isqrt(floor((MOST_SCALED - Fraction(1, 2)) / greatest))  # as max |x| is a rounded j/N
    if not most:
        return None
    N = 1
    for x in values:
        if numerator(x, N) is None:
            N = lcm(N, Fraction(x).limit_denominator(most).denominator)
            if most < N or numerator(x, N) is None:
                return None
    return N


def numerator(x: Exact, N: int) -> int | None:
    """The j for which x is the double nearest to j/N, or None

    Spec: RS-CMP-24
    """
    j = _nearest(x, N)
    return j if j / N == x else None


def _nearest(x: Exact, N: int) -> int:
    n, d = x.as_integer_ratio()
    return (2 * n * N + d) // (2 * d)


def scaled(*columns: Sequence[Exact]) -> tuple[list[list[int]], int] | None:
    """The integers j of columns of values j/N, and N; None without a common denominator

    Spec: RS-CMP-24
    """
    N = common_denominator(*columns)
    if N is None:
        return None
    return [[_nearest(x, N) for x in column] for column in columns], N


def fractions(*columns: Sequence[Exact]) -> list[list[Fraction]]:
    """The values as fractions j/N, or of the doubles without a common denominator

    Spec: RS-CMP-24
    """
    found = scaled(*columns)
    if found is None:
        return [[Fraction(x) for x in column] for column in columns]
    numerators, N = found
    return [[Fraction(j, N) for j in column] for column in numerators]


# ---- differences ---------------------------------------------------------------------------


def integers(*columns: Sequence[float]) -> tuple[list[list[int]], int]:
    """Columns of doubles as integers, in units of 2^e, and e; nothing is rounded

    Spec: RS-CMP-1
    """
    ratios = [[value.as_integer_ratio() for value in column] for column in columns]
    bits = max((d.bit_length() for column in ratios for _, d in column), default=1)
    exact = [[n << (bits - d.bit_length()) for n, d in column] for column in ratios]
    return exact, 1 - bits


def differences(x: Sequence[float], y: Sequence[float]) -> tuple[list[int], int]:
    """D and e: D_q · 2^e is x_q - y_q, rounded to a multiple of 2^e, ties to even

    2^(e + 40) is the least power of two that is above every |x_q - y_q|; e is 0 where all are 0.

    Spec: RS-CMP-1
    """
    (X, Y), unit = integers(x, y)
    exact = [u - v for u, v in zip(X, Y, strict=True)]
    p = max((abs(d).bit_length() for d in exact), default=0)
    if not p:
        return exact, 0
    return [_shifted(d, p - BITS) for d in exact], unit + p - BITS


def _shifted(d: int, shift: int) -> int:
    """d / 2^shift, rounded to an integer, ties to even."""
    if shift <= 0:
        return d << -shift
    floor, half = d >> shift, 1 << (shift - 1)
    rest = d - (floor << shift)
    return floor + (rest > half or (rest == half and floor & 1))


def all_differences(scores: Sequence[Sequence[float]]) -> Pairs:
    """The differences of each pair of systems; scores has a list for each system

    Spec: RS-CMP-1
    """
    pairs = combinations(range(len(scores)), 2)
    return {(i, j): differences(scores[i], scores[j]) for i, j in pairs}


def wins_ties_losses(D: Sequence[int]) -> tuple[int, int, int]:
    """How many differences are above 0, are 0, are below 0

    Spec: RS-CMP-2
    """
    return sum(d > 0 for d in D), sum(d == 0 for d in D), sum(d < 0 for d in D)


# ---- mean, spread, interval ----------------------------------------------------------------


def mean(X: Sequence[int], e: int = 0) -> Fraction:
    """m = 2^e (X_1 + ... + X_n) / n

    Spec: RS-CMP-3
    """
    if not X:
        raise Undefined("there is no query")
    return Fraction(2) ** e * sum(X) / len(X)


def variance(X: Sequence[int], e: int = 0) -> Fraction:
    """s² = 4^e (n Σ X_q² - (Σ X_q)²) / (n (n - 1))

    Spec: RS-CMP-3
    """
    n, total = len(X), sum(X)
    if n < 2:
        raise Undefined("a standard deviation needs two queries")
    return Fraction(4) ** e * (n * sum(u * u for u in X) - total * total) / (n * (n - 1))


def standard_deviation(X: Sequence[int], e: int = 0, reals: Reals = RATIONALS) -> Number:
    """s, the square root of the variance

    Spec: RS-CMP-3
    """
    return _root(variance(X, e), reals)


def interval(
    middle: Exact, square: Exact, quantile: Exact, reals: Reals = RATIONALS
) -> tuple[Number, Number]:
    """m - T √v and m + T √v: of a mean, v is the variance over n

    Spec: RS-CMP-4
    """
    half = reals.exact(quantile) * _root(square, reals)
    return reals.exact(middle) - half, reals.exact(middle) + half


def _root(x: Number, reals: Reals) -> Number:
    return reals.sqrt(reals.exact(x))


# ---- t -------------------------------------------------------------------------------------


def paired_t(D: Sequence[int], reals: Reals = RATIONALS) -> Number:
    """t = m / (s / √n)

    Spec: RS-CMP-5
    """
    return mean(D) / _root(_above_zero(D) / len(D), reals)


def _above_zero(D: Sequence[int]) -> Fraction:
    """The variance of differences, which must not be 0."""
    found = variance(D)
    if not found:
        raise Undefined("all differences are equal" if any(D) else "all differences are 0")
    return found


def pooled_variance(X: Sequence[int], Y: Sequence[int], e: int = 0) -> Fraction:
    """s_p² = ((n_x - 1) s_x² + (n_y - 1) s_y²) / (n_x + n_y - 2)

    Spec: RS-CMP-6
    """
    n_x, n_y = len(X), len(Y)
    found = ((n_x - 1) * variance(X, e) + (n_y - 1) * variance(Y, e)) / (n_x + n_y - 2)
    return _varied(found)


def pooled_t(X: Sequence[int], Y: Sequence[int], reals: Reals = RATIONALS) -> Number:
    """t = (m_x - m_y) / (s_p √(1/n_x + 1/n_y))

    Spec: RS-CMP-6
    """
    error = pooled_variance(X, Y) * (Fraction(1, len(X)) + Fraction(1, len(Y)))
    return (mean(X) - mean(Y)) / _root(error, reals)


def welch_t(X: Sequence[int], Y: Sequence[int], reals: Reals = RATIONALS) -> Number:
    """t = (m_x - m_y) / √(s_x²/n_x + s_y²/n_y)

    Spec: RS-CMP-7
    """
    return (mean(X) - mean(Y)) / _root(_varied(welch_square(X, Y)), reals)


def welch_square(X: Sequence[int], Y: Sequence[int], e: int = 0) -> Fraction:
    """s_x²/n_x + s_y²/n_y, the square of the standard error of m_x - m_y

    Spec: RS-CMP-7
    """
    return variance(X, e) / len(X) + variance(Y, e) / len(Y)


def welch_df(X: Sequence[int], Y: Sequence[int]) -> Fraction:
    """ν = (a + b)² / (a²/(n_x - 1) + b²/(n_y - 1)), with a = s_x²/n_x and b = s_y²/n_y

    Spec: RS-CMP-7
    """
    a, b = variance(X) / len(X), variance(Y) / len(Y)
    return _varied(a + b) ** 2 / (a * a / (len(X) - 1) + b * b / (len(Y) - 1))


def _varied(found: Fraction) -> Fraction:
    if not found:
        raise Undefined("neither system varies")
    return found


# ---- ranks and signs -----------------------------------------------------------------------


def doubled_ranks(D: Sequence[int], zeros: str = "wilcox") -> list[int]:
    """2 r_q with the sign of D_q: twice the mean rank of |D_q|, so that it is an integer

    A difference of 0 has none, and by "wilcox" the others are ranked without it.

    Spec: RS-CMP-8
    """
    sizes = Counter(abs(d) for d in D if d or zeros != "wilcox")
    ordered = sorted(sizes)
    ends = accumulate((sizes[size] for size in ordered), initial=0)
    doubled = {
        size: 2 * above + sizes[size] + 1 for size, above in zip(ordered, ends, strict=False)
    }
    return [_sign(d) * doubled[abs(d)] if d else 0 for d in D]


def signed_rank(D: Sequence[int], zeros: str = "wilcox") -> Fraction:
    """W: the sum of the ranks of the differences above 0; by "zsplit" half of those of 0, too

    Spec: RS-CMP-8
    """
    W = Fraction(sum(r for r in doubled_ranks(D, zeros) if r > 0), 2)
    z = sum(d == 0 for d in D)
    return W + Fraction(z * (z + 1), 4) if zeros == "zsplit" else W


def signed_rank_p(D: Sequence[int], zeros: str = "wilcox") -> Fraction:
    """p: the share of the ways to give the ranks signs whose |Σ ± r| is at least the observed

    The polynomial Π (1 + z^(2 r)) counts the ways by the sum of the ranks above 0. It is held as
    one integer: its value at a power of two that is above the sum of its coefficients.

    Spec: RS-CMP-9
    """
    signed = [r for r in doubled_ranks(D, zeros) if r]
    if not sum(signed):
        return Fraction(1)
    least = min(sum(r for r in signed if r > 0), -sum(r for r in signed if r < 0))
    bits = len(signed) + 2
    ways = 1
    for r in signed:
        ways += ways << bits * abs(r)
    below = ways & ((1 << bits * (least + 1)) - 1)
    return Fraction(2 * (below % ((1 << bits) - 1)), 1 << len(signed))


def signed_rank_z(
    D: Sequence[int], zeros: str = "wilcox", continuity: bool = True, reals: Reals = RATIONALS
) -> Number:
    """z = sgn(W - μ) max(|W - μ| - c, 0) / σ with μ = Σ r/2, σ² = Σ r²/4 and c = 1/2 or 0

    Spec: RS-CMP-10
    """
    signed = [r for r in doubled_ranks(D, zeros) if r]
    if not signed:
        raise Undefined("all differences are 0")
    total = sum(signed)  # 4 (W - μ)
    size = max(abs(total) - (2 if continuity else 0), 0)
    return _sign(total) * size / _root(sum(r * r for r in signed), reals)  # and 4 σ


def sign_p(D: Sequence[int]) -> Fraction:
    """p = min(1, 2 Σ_{i <= min(w, l)} C(w + l, i) / 2^(w + l)) of w wins and l losses

    Spec: RS-CMP-11
    """
    wins, _, losses = wins_ties_losses(D)
    n, ways, way = wins + losses, 0, 1
    for i in range(min(wins, losses) + 1):
        ways += way
        way = way * (n - i) // (i + 1)
    return min(Fraction(1), Fraction(2 * ways, 1 << n))


def _sign(x: int) -> int:
    return (x > 0) - (x < 0)


# ---- several systems -----------------------------------------------------------------------


class TwoWay(NamedTuple):
    """The sums of squares of m systems and n queries.

    Spec: RS-CMP-12
    """

    m: int
    n: int
    systems: Fraction
    queries: Fraction
    residual: Fraction

    @property
    def df_systems(self) -> int:
        """ν_S = m - 1"""
        return self.m - 1

    @property
    def df_queries(self) -> int:
        """ν_Q = n - 1"""
        return self.n - 1

    @property
    def df_residual(self) -> int:
        """ν = (m - 1)(n - 1)"""
        return (self.m - 1) * (self.n - 1)

    @property
    def residual_mean_square(self) -> Fraction:
        """V = SS_residual / ν, which must not be 0."""
        if self.n < 2:
            raise Undefined("a residual needs two queries")
        if not self.residual:
            raise Undefined("the differences of every two systems are constant")
        return self.residual / self.df_residual

    @property
    def F(self) -> Fraction:
        """F = (SS_systems / ν_S) / V"""
        return self.systems / self.df_systems / self.residual_mean_square


def two_way(scores: Sequence[Sequence[float]], pairs: Pairs | None = None) -> TwoWay:
    """The two-way analysis of variance without replication, of the differences of all pairs

    pairs: the differences of these scores, where they are known

    Spec: RS-CMP-12
    """
    m, n = len(scores), len(scores[0])
    systems = residual = Fraction(0)
    for D, e in (all_differences(scores) if pairs is None else pairs).values():
        total, unit = sum(D), Fraction(4) ** e / (m * n)
        systems += unit * total * total
        residual += unit * (n * sum(d * d for d in D) - total * total)
    X, e = integers(*scores)
    sums = [sum(column) for column in zip(*X, strict=True)]
    queries = Fraction(4) ** e * (n * sum(u * u for u in sums) - sum(sums) ** 2) / (m * n)
    return TwoWay(m, n, systems, queries, residual)


def tukey_q(D: Sequence[int], e: int, table: TwoWay, reals: Reals = RATIONALS) -> Number:
    """q = m / √(V / n) of the differences of two of the systems

    Spec: RS-CMP-13
    """
    return mean(D, e) / _root(table.residual_mean_square / table.n, reals)


# ---- the Bayesian reading of t -------------------------------------------------------------


def posterior_limits(
    D: Sequence[int], e: int, rope: Exact, reals: Reals = RATIONALS
) -> tuple[Number, Number]:
    """a = (-ρ - m) / (s/√n) and b = (ρ - m) / (s/√n): the ends of the region, in units of t

    Spec: RS-CMP-14
    """
    _above_zero(D)
    m, rho, error = mean(D, e), Fraction(rope), _root(variance(D, e) / len(D), reals)
    return (-rho - m) / error, (rho - m) / error


# ---- effect sizes --------------------------------------------------------------------------


def d_z(D: Sequence[int], reals: Reals = RATIONALS) -> Number:
    """d_z = m / s

    Spec: RS-CMP-15
    """
    return mean(D) / _root(_above_zero(D), reals)


def d_av(
    D: Sequence[int],
    e: int,
    X: Sequence[int],
    Y: Sequence[int],
    unit: int,
    reals: Reals = RATIONALS,
) -> Number:
    """d_av = m / ((s_x + s_y) / 2); X and Y are in units of 2^unit

    Spec: RS-CMP-16
    """
    s_x, s_y = variance(X, unit), variance(Y, unit)
    _varied(s_x + s_y)
    return 2 * mean(D, e) / (_root(s_x, reals) + _root(s_y, reals))


def hedges_g(X: Sequence[int], Y: Sequence[int], reals: Reals = RATIONALS) -> Number:
    """g = (1 - 3/(4 ν - 1)) (m_x - m_y) / s_p with ν = n_x + n_y - 2

    Spec: RS-CMP-17
    """
    df = len(X) + len(Y) - 2
    corrected = (1 - Fraction(3, 4 * df - 1)) * (mean(X) - mean(Y))
    return corrected / _root(pooled_variance(X, Y), reals)


def cohen_d(X: Sequence[int], Y: Sequence[int], reals: Reals = RATIONALS) -> Number:
    """d = (m_x - m_y) / s_p

    Spec: RS-CMP-25
    """
    return (mean(X) - mean(Y)) / _root(pooled_variance(X, Y), reals)


def adjusted_difference(strata: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Fraction:
    """δ = Σ_t w_t (m_xt - m_yt) / Σ_t w_t with w_t = k_t l_t / (k_t + l_t)

    strata: the k_t values of x and the l_t values of y, of each topic t

    Spec: RS-CMP-26
    """
    both = [(X, Y) for X, Y in strata if X and Y]
    if not both:
        raise Undefined("no topic has queries of both systems")
    weights = [Fraction(len(X) * len(Y), len(X) + len(Y)) for X, Y in both]
    weighted = (w * (mean(X) - mean(Y)) for w, (X, Y) in zip(weights, both, strict=True))
    return sum(weighted, start=Fraction(0)) / sum(weights)


def pad(m_x: Exact, m_y: Exact) -> Fraction:
    """PAD = |m_x - m_y| / max(m_x, m_y)    [karmaker-2022, eq. 8]

    Spec: RS-CMP-18
    """
    x, y = Fraction(m_x), Fraction(m_y)
    if max(x, y) <= 0:
        raise Undefined("neither mean is above 0")
    return abs(x - y) / max(x, y)


# ---- corrections ---------------------------------------------------------------------------


def bonferroni(p: Sequence[Exact]) -> list[Fraction]:
    """min(1, N p_a)

    Spec: RS-CMP-19
    """
    return [min(Fraction(1), len(p) * Fraction(value)) for value in p]


def holm(p: Sequence[Exact]) -> list[Fraction]:
    """max_{b <= a} min(1, (N - b + 1) p_(b)), with p_(1) <= ... <= p_(N)

    Spec: RS-CMP-20
    """
    order = sorted(range(len(p)), key=lambda a: p[a])
    stepped = (min(Fraction(1), (len(p) - b) * Fraction(p[a])) for b, a in enumerate(order))
    return _in_place(order, accumulate(stepped, max))


def benjamini_hochberg(p: Sequence[Exact]) -> list[Fraction]:
    """min_{b >= a} min(1, N p_(b) / b), with p_(1) <= ... <= p_(N)

    Spec: RS-CMP-21
    """
    order = sorted(range(len(p)), key=lambda a: p[a], reverse=True)
    stepped = (
        min(Fraction(1), len(p) * Fraction(p[a]) / (len(p) - b)) for b, a in enumerate(order)
    )
    return _in_place(order, accumulate(stepped, min))


def _in_place(order: Sequence[int], values: Iterable[Fraction]) -> list[Fraction]:
    """The values in the places that their order says."""
    return [value for _, value in sorted(zip(order, values, strict=True))]
