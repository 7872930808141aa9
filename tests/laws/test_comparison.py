"""The laws of comparisons. Each holds for the reference, and its check finds a planted slip.

A statistic is compared as the double nearest to it, so that = is exact. Values are doubles of any
size, or tenths, whose differences tie.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from math import isqrt, lcm, ldexp
from typing import Any

import pytest
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from rankspec.reference import comparison as reference
from rankspec.reference.comparison import Undefined
from rankspec.reference.numerics import nearest_double_of

from .law import law_by

ZEROS = st.sampled_from(reference.ZEROS)


class Equations:
    """The equations of the reference, some of them replaced."""

    def __init__(self, _reading: str, **broken: Callable[..., Any]) -> None:
        self._broken = broken

    def __getattr__(self, name: str) -> Any:
        found = getattr(reference, name)
        return self._broken[name](found) if name in self._broken else found

    def double(self, name: str, *arguments: Any) -> float | None:
        """The double nearest to a statistic; None where it is undefined."""
        equation = getattr(self, name)
        try:
            return nearest_double_of(lambda reals: equation(*arguments, reals))
        except Undefined:
            return None


def law(**given_by_name: Any) -> Any:
    return law_by(Equations, "reference", **given_by_name)


# ---- what is drawn -------------------------------------------------------------------------

tenths = st.integers(0, 10).map(lambda a: a / 10)
anything = st.floats(-1e6, 1e6, allow_nan=False)
whole = st.integers(-8, 8).map(float)


def columns(of: SearchStrategy[float], count: int = 2, least: int = 1, most: int = 8) -> Any:
    """Values of some systems for as many queries each."""
    return st.integers(least, most).flatmap(
        lambda n: st.tuples(*[st.lists(of, min_size=n, max_size=n)] * count)
    )


mixed = st.one_of(tenths, tenths, anything)
values = st.one_of(columns(tenths), columns(mixed), columns(whole))
integer_lists = st.lists(st.integers(-9, 9), min_size=1, max_size=8)
p_values = st.lists(
    st.one_of(st.sampled_from([0.01, 0.02, 0.05, 1.0]), st.floats(0, 1)), min_size=1, max_size=9
)
factors = st.integers(1, 9)


def negated(x: float | None) -> float | None:
    return None if x is None else 0.0 - x


# What breaks an equation: rounding down, ranks without ties, a divisor n, and the like.


def exact_differences(_: Any) -> Any:
    """The differences of the doubles, in units of their own."""

    def found(x: Any, y: Any) -> tuple[list[int], int]:
        (X, Y), unit = reference.integers(x, y)
        return [a - b for a, b in zip(X, Y, strict=True)], unit

    return found


def rounded_down(_: Any) -> Any:
    def found(x: Any, y: Any) -> tuple[list[int], int]:
        (X, Y), unit = reference.integers(x, y)
        exact = [a - b for a, b in zip(X, Y, strict=True)]
        p = max((abs(d).bit_length() for d in exact), default=0)
        return [d >> p - 40 if p > 40 else d << 40 - p for d in exact], unit + p - 40

    return found


def plus(amount: Any) -> Callable[..., Any]:
    """A result that is off by an amount."""
    return lambda equation: lambda *arguments: equation(*arguments) + amount


def of_first(equation: Any) -> Any:
    """What the first query counts twice for."""
    return lambda X, *more: equation([*X[:1], *X], *more)


def squared(equation: Any) -> Any:
    return lambda *arguments: equation(*arguments) * equation(*arguments)


def halved(equation: Any) -> Any:
    return lambda *arguments: equation(*arguments) / 2


# ---- values that are fractions -------------------------------------------------------------

MOST = 2**39


@st.composite
def fractions(draw: st.DrawFn) -> tuple[list[int], int]:
    """j and N with N max |j| < 2^39."""
    N = draw(st.one_of(st.integers(1, 40), st.integers(1, 10**6)))
    most = (MOST - 1) // N
    j = st.one_of(st.integers(-min(most, 40), min(most, 40)), st.integers(-most, most))
    return draw(st.lists(j, max_size=8)), N


def greater(_: Any) -> Any:
    """Twice the denominator."""
    return lambda *columns: 2 * N if (N := reference.common_denominator(*columns)) else None


def by_halves(_: Any) -> Any:
    """The numerators of the doubles as they are, in units of a power of two."""
    return lambda *columns: (reference.integers(*columns)[0], 10)


@pytest.mark.spec("RS-CMP-24", "RS-CMP-24/L1", "RS-CMP-24/L2", "RS-CMP-24/L3")
@law(case=fractions(), data=st.data(), common_denominator=greater, scaled=by_halves)
def test_fractions_are_recovered_from_their_doubles(E, case, data):
    j, N = case
    values = [a / N for a in j]
    least = lcm(*(Fraction(a, N).denominator for a in j))
    assert E.common_denominator(values) == least
    signs = data.draw(st.lists(st.sampled_from([1, -1]), min_size=len(j), max_size=len(j)))
    order = data.draw(st.permutations(range(len(j))))
    assert E.common_denominator([signs[q] * values[q] for q in order]) == least
    (numerators,), denominator = E.scaled(values)
    assert [Fraction(a, denominator) for a in numerators] == [Fraction(a, N) for a in j]


@pytest.mark.spec("RS-CMP-24/L1")
@law(x=st.fractions(-3, 3, max_denominator=400).map(float), common_denominator=greater)
def test_no_lesser_denominator_has_the_same_doubles(E, x):
    least = E.common_denominator([x])
    others = [N for N in range(1, 2 * least) if round(x * N) / N == x]
    assert others == [least]


def with_more_bits(right: Any) -> Any:
    """The numerators of the first system times 2^45 + 1: differences of more than 40 bits."""

    def found(*columns: Any) -> tuple[list[list[int]], int]:
        (X, Y), N = right(*columns)
        return [[(2**45 + 1) * a for a in X], Y], N

    return found


@pytest.mark.spec("RS-CMP-24/L4")
@law(
    case=fractions(),
    scaled=with_more_bits,
)
def test_differences_of_numerators_are_exact(E, case):
    j, N = case
    values = [a / N for a in j]
    (X, Y), _ = E.scaled(values, values[::-1])
    D, e = reference.differences(X, Y)
    assert [Fraction(2) ** e * d for d in D] == [a - b for a, b in zip(X, Y, strict=True)]


# ---- differences ---------------------------------------------------------------------------


@pytest.mark.spec("RS-CMP-1", "RS-CMP-1/L1")
@law(xy=values, differences=rounded_down)
def test_differences_are_antisymmetric(E, xy):
    (D, e), (back, other) = E.differences(*xy), E.differences(*xy[::-1])
    assert back == [-d for d in D]
    assert e == other


def unlike_the_first(equation: Any) -> Any:
    """Differences of which the first is one more."""

    def found(x: Any, y: Any) -> Any:
        D, e = equation(x, y)
        return [d + (a == 0) for a, d in enumerate(D)], e

    return found


@pytest.mark.spec("RS-CMP-1/L2")
@law(xy=values, data=st.randoms(use_true_random=False), differences=unlike_the_first)
def test_differences_are_free_of_the_order(E, xy, data):
    order = list(range(len(xy[0])))
    data.shuffle(order)
    D, e = E.differences(*xy)
    assert E.differences(*([x[q] for q in order] for x in xy)) == ([D[q] for q in order], e)


@pytest.mark.spec("RS-CMP-1/L3")
@law(
    xy=values,
    j=st.integers(-900, 900),
    differences=lambda _: (
        lambda x, y: (
            [round((a - b) * 2**40) for a, b in zip(x, y, strict=True)],
            -40,
        )
    ),
)
def test_differences_scale_by_powers_of_two(E, xy, j):
    scaled = [[ldexp(a, j) for a in x] for x in xy]
    assume(
        all(
            ldexp(b, -j) == a
            for x, y in zip(xy, scaled, strict=True)
            for a, b in zip(x, y, strict=True)
        )
    )
    D, e = E.differences(*xy)
    assert E.differences(*scaled) == (D, e + j if any(D) else 0)


@pytest.mark.spec("RS-CMP-1/L4")
@law(xy=values, differences=rounded_down)
def test_differences_have_forty_bits(E, xy):
    D, e = E.differences(*xy)
    exact = [Fraction(a) - Fraction(b) for a, b in zip(*xy, strict=True)]
    for d, true in zip(D, exact, strict=True):
        assert abs(d * Fraction(2) ** e - true) <= Fraction(2) ** (e - 1)
    if any(D):
        assert 2**39 <= max(map(abs, D)) <= 2**40
        top = Fraction(2) ** (e + 40)
        assert top > max(map(abs, exact)) >= top / 2
    else:
        assert not any(exact)
        assert e == 0


@pytest.mark.spec("RS-CMP-1/L5")
@law(
    N=st.sampled_from([3, 5, 7, 10, 30, 100, 1000, 2520]),
    data=st.data(),
    differences=exact_differences,
)
def test_equal_differences_of_quotients_tie(E, N, data):
    """Quotients j/N up to 1, of which some differ by half or more: N' < 2^12."""
    d = data.draw(st.integers(0, N))
    pairs = [data.draw(st.integers(0, N - d)) for _ in range(3)]
    x = [1.0, *((a + d) / N for a in pairs)]
    y = [0.25, *(a / N for a in pairs)]
    D, _ = E.differences(x, y)
    assert len(set(D[1:])) == 1


def test_every_two_values_of_p_at_ten_tie_where_they_should():
    """All 121 differences of tenths: 21 different ones, of which doubles make more."""
    grid = list(product(range(11), repeat=2))
    x, y = ([a / 10 for a in column] for column in zip(*grid, strict=True))
    D, _ = reference.differences(x, y)
    by_tenths = {}
    for (a, b), d in zip(grid, D, strict=True):
        by_tenths.setdefault(a - b, set()).add(d)
    assert all(len(found) == 1 for found in by_tenths.values())
    assert len(set(D)) == 21
    assert len(set(map(abs, D))) == 11
    assert len({abs(a - b) for a, b in zip(x, y, strict=True)}) == 23


@pytest.mark.spec("RS-CMP-1/L5")
def test_a_denominator_that_is_too_large_can_lose_a_tie():
    """The control of the bound: differences of j/N next to the middle of two integers."""
    N = 2**20 + 7
    near = (N - 1) // 2 * pow(2**39, -1, N) % N  # 2^39 near / N is 1/(2 N) below a half
    x, y = [1.0], [0.0]
    for a in range(0, 4000, 13):
        x.append((a + near) / N)
        y.append(a / N)
    assert len(set(reference.differences(x, y)[0][1:])) == 2


@pytest.mark.spec("RS-CMP-2", "RS-CMP-2/L1", "RS-CMP-2/L2")
@law(
    D=integer_lists,
    wins_ties_losses=lambda equation: lambda D: equation([d or 1 for d in D]),
)
def test_wins_and_losses_change_places(E, D):
    w, t, l = E.wins_ties_losses(D)  # noqa: E741
    assert E.wins_ties_losses([-d for d in D]) == (l, t, w)
    assert w + t + l == len(D)


# ---- mean, spread, interval ----------------------------------------------------------------


@pytest.mark.spec("RS-CMP-3", "RS-CMP-3/L1")
@law(xy=values, differences=lambda _: lambda x, y: reference.differences(x, [1.0 + b for b in y]))
def test_the_two_means_are_near(E, xy):
    D, e = E.differences(*xy)
    (X, Y), unit = reference.integers(*xy)
    exact = reference.mean(X, unit) - reference.mean(Y, unit)
    assert abs(reference.mean(D, e) - exact) <= Fraction(2) ** (e - 1)


@pytest.mark.spec("RS-CMP-3/L2", "RS-CMP-3/L3")
@law(X=integer_lists, a=st.integers(-5, 5), b=st.integers(-5, 5), mean=of_first, variance=of_first)
def test_mean_and_spread_shift_and_scale(E, X, a, b):
    assume(len(X) > 1)
    changed = [a * u + b for u in X][::-1]
    assert E.mean(changed) == a * E.mean(X) + b
    assert E.variance(changed) == a * a * E.variance(X)
    assert E.mean(X, 3) == 8 * E.mean(X)
    assert E.variance(X, -1) == E.variance(X) / 4


@pytest.mark.spec("RS-CMP-4", "RS-CMP-4/L2")
@law(
    m=st.fractions(-9, 9, max_denominator=20),
    v=st.fractions(0, 9, max_denominator=20),
    T=st.floats(0, 20),
    interval=lambda equation: lambda m, v, T, reals: equation(m + 1, v, T, reals),
)
def test_the_interval_turns_with_the_mean(E, m, v, T):
    def ends(middle: Fraction) -> list[float]:
        return [
            nearest_double_of(lambda reals, a=a: E.interval(middle, v, T, reals)[a]) for a in (0, 1)
        ]

    low, high = ends(m)
    assert ends(-m) == [0.0 - high, 0.0 - low]
    assert low <= float(m) <= high


# ---- t -------------------------------------------------------------------------------------


@pytest.mark.spec("RS-CMP-5", "RS-CMP-5/L1", "RS-CMP-5/L2", "RS-CMP-5/L3")
@law(D=integer_lists, a=factors, paired_t=of_first)
def test_t_is_odd_and_free_of_scale_and_order(E, D, a):
    t = E.double("paired_t", D)
    assert E.double("paired_t", [-d for d in D]) == negated(t)
    assert E.double("paired_t", [a * d for d in D][::-1]) == t


@pytest.mark.spec("RS-CMP-6", "RS-CMP-6/L1", "RS-CMP-7", "RS-CMP-7/L1")
@law(
    X=integer_lists,
    Y=integer_lists,
    pooled_t=lambda equation: lambda X, Y, reals: equation(X, [*Y, 1], reals),
    welch_t=lambda equation: lambda X, Y, reals: equation(X, [*Y, 1], reals),
    welch_df=lambda equation: lambda X, Y: equation(X, [*Y, 1]),
)
def test_unpaired_t_is_odd(E, X, Y):
    for name in ("pooled_t", "welch_t"):
        assert E.double(name, Y, X) == negated(E.double(name, X, Y))
    if E.double("welch_t", X, Y) is not None:
        assert E.welch_df(X, Y) == E.welch_df(Y, X)


@pytest.mark.spec("RS-CMP-6/L2")
@law(xy=columns(whole, least=2), pooled_variance=halved)
def test_the_paired_t_is_greater_where_values_are_correlated(E, xy):
    (X, Y), _ = reference.integers(*xy)
    D = [a - b for a, b in zip(X, Y, strict=True)]
    n, m = len(D), reference.mean(D)
    c = Fraction(n * sum(a * b for a, b in zip(X, Y, strict=True)) - sum(X) * sum(Y), n * (n - 1))
    spread = reference.variance(X) + reference.variance(Y)
    assume(m and spread and reference.variance(D))
    assert 2 * E.pooled_variance(X, Y) == spread  # t² = n m² / spread
    assert reference.variance(D) == spread - 2 * c
    paired, pooled = E.double("paired_t", D), E.double("pooled_t", X, Y)
    assert abs(paired) >= abs(pooled) if c > 0 else abs(paired) <= abs(pooled)


@pytest.mark.spec("RS-CMP-7/L2", "RS-CMP-7/L3")
@law(
    X=integer_lists,
    Y=integer_lists,
    welch_df=plus(2),
    welch_t=lambda equation: lambda X, Y, reals: equation([*X, X[0]], Y, reals),
)
def test_welch_s_degrees_of_freedom(E, X, Y):
    assume(min(len(X), len(Y)) > 1 and (reference.variance(X) or reference.variance(Y)))
    assert min(len(X), len(Y)) - 1 <= E.welch_df(X, Y) <= len(X) + len(Y) - 2
    if len(X) == len(Y):
        assert E.double("welch_t", X, Y) == E.double("pooled_t", X, Y)


# ---- ranks and signs -----------------------------------------------------------------------


def lowest_ranks(_: Any) -> Any:
    """Equal differences have the lowest of their ranks, not the mean."""

    def found(D: Any, zeros: str = "wilcox") -> Fraction:
        sizes = sorted(abs(d) for d in D if d or zeros != "wilcox")
        return Fraction(sum(sizes.index(d) + 1 for d in D if d > 0))

    return found


@pytest.mark.spec("RS-CMP-8", "RS-CMP-8/L1")
@law(D=integer_lists, zeros=ZEROS, signed_rank=lowest_ranks)
def test_the_two_sums_of_ranks(E, D, zeros):
    n, z = len(D), D.count(0)
    all_of = {"wilcox": n - z, "pratt": n, "zsplit": n}[zeros]
    less = Fraction(z * (z + 1), 2) if zeros == "pratt" else 0
    both = E.signed_rank(D, zeros) + E.signed_rank([-d for d in D], zeros)
    assert both == Fraction(all_of * (all_of + 1), 2) - less


@pytest.mark.spec("RS-CMP-8/L2", "RS-CMP-8/L3")
@law(
    D=integer_lists,
    zeros=ZEROS,
    signed_rank=lambda equation: lambda D, zeros: equation(D, zeros) + (max(D) > 50),
)
def test_ranks_are_of_the_order_alone(E, D, zeros):
    W = E.signed_rank(D, zeros)
    assert E.signed_rank([d**3 for d in D], zeros) == W
    if 0 not in D:
        assert E.signed_rank(D, "wilcox") == W


def by_enumeration(D, zeros):
    """p over all ways to give the ranks signs; ranks by counting."""
    kept = [d for d in D if d] if zeros == "wilcox" else D
    ranked = [
        sum(abs(o) < abs(d) for o in kept) * 2 + sum(abs(o) == abs(d) for o in kept) + 1
        for d in kept
        if d
    ]
    seen = abs(sum(r if d > 0 else -r for r, d in zip(ranked, [d for d in D if d], strict=True)))
    sums = [
        sum(s * r for s, r in zip(way, ranked, strict=True))
        for way in product((1, -1), repeat=len(ranked))
    ]
    return Fraction(sum(abs(total) >= seen for total in sums), len(sums)), sums


@pytest.mark.spec("RS-CMP-9", "RS-CMP-9/L1", "RS-CMP-9/L2", "RS-CMP-9/L3")
@law(
    D=st.lists(st.integers(-6, 6), min_size=1, max_size=9),
    zeros=ZEROS,
    signed_rank_p=lambda equation: lambda D, _: equation(D, "wilcox"),
)
def test_the_signed_rank_p_is_a_share_of_all_ways(E, D, zeros):
    p = E.signed_rank_p(D, zeros)
    assert p == by_enumeration(D, zeros)[0]
    assert p == E.signed_rank_p([-d for d in D], zeros)
    n = len(D) - D.count(0)
    least = Fraction(2, 2**n)
    one_sign = min(D) >= 0 or max(D) <= 0
    assert (p == least) == one_sign if n else p == 1
    assert p >= min(least, 1)


@pytest.mark.spec("RS-CMP-9/L4")
@law(
    n=st.integers(1, 12),
    data=st.data(),
    signed_rank_p=lambda equation: lambda D: equation([d or 1 for d in D[1:]]) if D[1:] else 1,
)
def test_without_ties_the_ranks_are_whole_numbers(E, n, data):
    """The number of subsets of {1..n} by their sum, from the recursion that tables are made by."""
    signs = data.draw(st.lists(st.sampled_from([1, -1]), min_size=n, max_size=n))
    ways = [1]
    for r in range(1, n + 1):
        ways = [a + b for a, b in zip([*ways, *[0] * r], [*[0] * r, *ways], strict=True)]
    W = sum(r for r, s in enumerate(signs, start=1) if s > 0)
    lesser = min(W, n * (n + 1) // 2 - W)
    p = min(Fraction(1), Fraction(2 * sum(ways[: lesser + 1]), 2**n))
    assert E.signed_rank_p([s * r for r, s in enumerate(signs, start=1)]) == p


@pytest.mark.spec("RS-CMP-10", "RS-CMP-10/L1", "RS-CMP-10/L2", "RS-CMP-10/L3")
@law(
    D=st.lists(st.integers(-5, 5), min_size=1, max_size=8),
    zeros=st.sampled_from(["wilcox", "pratt"]),
    signed_rank_z=squared,
    doubled_ranks=lambda equation: lambda D, zeros: [2 * r for r in equation(D, zeros)],
)
def test_the_normal_approximation_has_the_moments_of_the_ranks(E, D, zeros):
    assume(any(D))
    back = [-d for d in D]
    for continuity in (True, False):
        z = E.double("signed_rank_z", D, zeros, continuity)
        assert E.double("signed_rank_z", back, zeros, continuity) == negated(z)
    squares = sum(r * r for r in E.doubled_ranks(D, zeros))  # 16 σ²
    _, sums = by_enumeration(D, zeros)  # 4 (W - μ)
    assert sum(sums) == 0
    assert Fraction(sum(s * s for s in sums), len(sums)) == squares
    assert Fraction(squares, 16) == variance_with_ties(D, zeros)


def variance_with_ties(D, zeros):
    """n(n + 1)(2n + 1)/24, less what ties and zeros take."""

    def cubic(n: int) -> int:
        return n * (n + 1) * (2 * n + 1)

    z = D.count(0)
    n = len(D) if zeros == "pratt" else len(D) - z
    sizes = [abs(d) for d in D if d]
    ties = sum(sizes.count(size) ** 3 - sizes.count(size) for size in set(sizes))
    return (cubic(n) - Fraction(ties, 2) - (cubic(z) if zeros == "pratt" else 0)) / 24


@pytest.mark.spec("RS-CMP-11", "RS-CMP-11/L1", "RS-CMP-11/L2")
@law(D=integer_lists, sign_p=lambda equation: lambda D: equation([*D, 1]))
def test_the_sign_test_sees_signs_alone(E, D):
    assert E.sign_p([-d for d in D]) == E.sign_p(D)
    assert E.sign_p(D) == reference.signed_rank_p([(d > 0) - (d < 0) for d in D])


# ---- several systems -----------------------------------------------------------------------

several = st.integers(2, 4).flatmap(lambda m: columns(whole, count=m, least=2, most=5))


def one_more(field: str) -> Any:
    return lambda equation: (
        lambda *arguments: equation(*arguments)._replace(
            **{field: getattr(equation(*arguments), field) + 1}
        )
    )


def usual_sums(scores):
    """The sums of squares of deviations from means."""
    x = [[Fraction(value) for value in column] for column in scores]
    m, n = len(x), len(x[0])
    grand = sum(map(sum, x)) / (m * n)
    row, column = [sum(c) / n for c in x], [sum(q) / m for q in zip(*x, strict=True)]
    residual = sum((x[i][q] - row[i] - column[q] + grand) ** 2 for i in range(m) for q in range(n))
    total = sum((value - grand) ** 2 for c in x for value in c)
    return (
        n * sum((a - grand) ** 2 for a in row),
        m * sum((a - grand) ** 2 for a in column),
        residual,
        total,
    )


@pytest.mark.spec("RS-CMP-12", "RS-CMP-12/L1")
@law(scores=several, two_way=one_more("residual"))
def test_pairs_of_differences_have_the_usual_sums_of_squares(E, scores):
    table = E.two_way(scores)
    systems, queries, residual, total = usual_sums(scores)
    assert (table.systems, table.queries, table.residual) == (systems, queries, residual)
    assert table.systems + table.queries + table.residual == total
    assert (table.df_systems + table.df_queries + table.df_residual) == table.m * table.n - 1


@pytest.mark.spec("RS-CMP-12/L2", "RS-CMP-13", "RS-CMP-13/L1", "RS-CMP-13/L2")
@law(xy=columns(mixed, least=2), two_way=one_more("residual"), tukey_q=halved)
def test_two_systems_have_the_paired_t(E, xy):
    D, e = reference.differences(*xy)
    assume(reference.variance(D))
    table = E.two_way(xy)
    t_squared = reference.mean(D) ** 2 * len(D) / reference.variance(D)
    assert t_squared == table.F
    q = E.double("tukey_q", D, e, table)
    assert E.double("tukey_q", [-d for d in D], e, table) == negated(q)
    assert abs(Fraction(q) ** 2 - 2 * t_squared) <= 2 * t_squared / 2**52


@pytest.mark.spec("RS-CMP-12/L3", "RS-CMP-13/L3")
@law(
    scores=several,
    more=st.integers(1, 5),
    two_way=lambda equation: (
        lambda scores: equation(scores)._replace(residual=sum(Fraction(x) ** 2 for x in scores[0]))
    ),
)
def test_queries_and_the_order_of_systems_change_no_residual(E, scores, more):
    table = E.two_way(scores)
    harder = [[column[0] + more, *column[1:]] for column in scores]
    for other in (E.two_way(harder), E.two_way(scores[::-1])):
        assert (other.systems, other.residual) == (table.systems, table.residual)


# ---- the Bayesian reading ------------------------------------------------------------------


@pytest.mark.spec("RS-CMP-14", "RS-CMP-14/L1")
@law(
    D=integer_lists,
    rope=st.floats(0, 5),
    posterior_limits=lambda equation: (
        lambda D, e, rope, reals: equation(D, e, rope + 1, reals)[::-1]
    ),
)
def test_the_region_turns_with_the_systems(E, D, rope):
    def limits(of):
        try:
            return [
                nearest_double_of(lambda reals, a=a: E.posterior_limits(of, 0, rope, reals)[a])
                for a in (0, 1)
            ]
        except Undefined:
            return None

    found = limits(D)
    assert limits([-d for d in D]) == (found and [0.0 - found[1], 0.0 - found[0]])
    if found:
        assert found[0] <= found[1]


# ---- effect sizes --------------------------------------------------------------------------


def approximately_equal(x, y):
    """Doubles of one number that was rounded twice more on the way."""
    return abs(x - y) <= 4 * max(abs(x), abs(y)) * 2.0**-52


@pytest.mark.spec("RS-CMP-15", "RS-CMP-15/L1", "RS-CMP-15/L2")
@law(D=integer_lists, d_z=halved)
def test_d_z_is_t_over_the_root_of_n(E, D):
    d = E.double("d_z", D)
    assert E.double("d_z", [-a for a in D]) == negated(d)
    if d is not None:
        assert approximately_equal(d, E.double("paired_t", D) / len(D) ** 0.5)


@pytest.mark.spec("RS-CMP-16", "RS-CMP-16/L1", "RS-CMP-16/L2")
@law(xy=values, d_av=halved)
def test_d_av_is_at_least_what_the_root_mean_square_makes(E, xy):
    D, e = reference.differences(*xy)
    (X, Y), unit = reference.integers(*xy)
    d = E.double("d_av", D, e, X, Y, unit)
    back = E.double("d_av", [-a for a in D], e, Y, X, unit)
    assert back == negated(d)
    if d is not None:
        mean_square = (reference.variance(X, unit) + reference.variance(Y, unit)) / 2
        least = reference.mean(D, e) ** 2 / mean_square
        assert Fraction(d) ** 2 >= least * (1 - Fraction(1, 2**52))


@pytest.mark.spec("RS-CMP-17", "RS-CMP-17/L1", "RS-CMP-17/L2")
@law(X=integer_lists, Y=integer_lists, hedges_g=halved)
def test_g_is_a_corrected_pooled_t(E, X, Y):
    g = E.double("hedges_g", X, Y)
    assert E.double("hedges_g", Y, X) == negated(g)
    if g is not None:
        n, df = len(X) * len(Y) / (len(X) + len(Y)), len(X) + len(Y) - 2
        t = E.double("pooled_t", X, Y)
        assert approximately_equal(g, (1 - 3 / (4 * df - 1)) * t / n**0.5)


@pytest.mark.spec("RS-CMP-25", "RS-CMP-25/L1", "RS-CMP-25/L2", "RS-CMP-25/L3")
@law(X=integer_lists, Y=integer_lists, cohen_d=halved)
def test_d_is_a_multiple_of_pooled_t_and_g_of_it(E, X, Y):
    d = E.double("cohen_d", X, Y)
    assert E.double("cohen_d", Y, X) == negated(d)
    if d is not None:
        n, df = len(X) * len(Y) / (len(X) + len(Y)), len(X) + len(Y) - 2
        assert approximately_equal(d, E.double("pooled_t", X, Y) / n**0.5)
        assert approximately_equal(E.double("hedges_g", X, Y), (1 - 3 / (4 * df - 1)) * d)


strata_of_integers = st.lists(
    st.tuples(*[st.lists(st.integers(-9, 9), max_size=4)] * 2), min_size=1, max_size=4
)


def unweighted(_equation: Any) -> Any:
    """The mean of the topics' differences, each topic alike."""

    def equation(strata: Any) -> Fraction:
        both = [(X, Y) for X, Y in strata if X and Y]
        apart = (reference.mean(X) - reference.mean(Y) for X, Y in both)
        return sum(apart, start=Fraction(0)) / len(both)

    return equation


@pytest.mark.spec("RS-CMP-26", "RS-CMP-26/L1", "RS-CMP-26/L2", "RS-CMP-26/L3", "RS-CMP-26/L4")
@law(strata=strata_of_integers, shift=factors, times=factors, adjusted_difference=unweighted)
def test_the_difference_within_topics_is_that_of_least_squares(E, strata, shift, times):
    assume(any(X and Y for X, Y in strata))
    found = E.adjusted_difference(strata)
    assert E.adjusted_difference([(Y, X) for X, Y in strata]) == -found
    shifted = [([x + t * shift for x in X], [y + t * shift for y in Y])
               for t, (X, Y) in enumerate(strata)]  # fmt: skip
    assert E.adjusted_difference(shifted) == found
    # the normal equations: what is left is 0 in sum over each topic, and over the sessions of x
    left = Fraction(0)
    for X, Y in strata:
        if X and Y:
            constant = (sum(X) + sum(Y) - len(X) * found) / (len(X) + len(Y))
            left += sum(x - found - constant for x in X)
    assert left == 0
    # topics with as many sessions of x for each of y
    X, Y = next((X, Y) for X, Y in strata if X and Y)
    alike = [(X, Y), ([x + shift for x in X] * times, Y * times)]
    (all_x, all_y) = ([*alike[0][side], *alike[1][side]] for side in (0, 1))
    assert E.adjusted_difference(alike) == reference.mean(all_x) - reference.mean(all_y)


def test_the_factor_of_g_is_near_the_quotient_of_gamma_functions():
    """The shares that RS-CMP-17 states, by python-flint."""
    import flint

    for df, share in ((2, "0.013"), (20, "0.0001"), (100, "0.0001"), (2000, "0.0001")):
        half = flint.arb(df) / 2
        exact = half.gamma() / (half.sqrt() * (half - flint.arb(1) / 2).gamma())
        factor = 1 - flint.arb(3) / (4 * df - 1)
        assert 0 < factor / exact - 1 < flint.arb(share)


@pytest.mark.spec("RS-CMP-18", "RS-CMP-18/L1", "RS-CMP-18/L2", "RS-CMP-18/L3", "RS-CMP-18/L4")
@law(
    x=st.fractions(0, 9, max_denominator=30),
    y=st.fractions(0, 9, max_denominator=30),
    a=factors,
    b=st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100),
    pad=lambda equation: lambda x, y: equation(x, y + Fraction(1, 2)),
)
def test_pad_is_a_share_that_a_shift_makes_greater(E, x, y, a, b):
    assume(max(x, y) > 0)
    found = E.pad(x, y)
    assert found == E.pad(y, x) == E.pad(a * x, a * y)
    assert 0 <= found <= 1
    assert (found == 0) == (x == y)
    if x != y:
        down = b * max(x, y)
        assert E.pad(x - down, y - down) > found


# ---- corrections ---------------------------------------------------------------------------


def too_much(equation: Any) -> Any:
    return lambda p: [2 * value for value in equation(p)]


def in_order_of_size(equation: Any) -> Any:
    return lambda p: sorted(equation(p))


@pytest.mark.spec(
    "RS-CMP-19",
    "RS-CMP-19/L1",
    "RS-CMP-19/L2",
    "RS-CMP-20/L1",
    "RS-CMP-20/L2",
    "RS-CMP-21/L1",
    "RS-CMP-21/L2",
)
@law(
    p=p_values,
    bonferroni=too_much,
    holm=in_order_of_size,
    benjamini_hochberg=lambda _: reference.bonferroni,
)
def test_corrected_p_are_monotone_and_between(E, p):
    one = [E.bonferroni(p), E.holm(p), E.benjamini_hochberg(p)]
    for least, b in zip(map(Fraction, p), one[2], strict=True):
        assert least <= b <= 1
    for corrected, greater in pairwise(one[::-1]):
        assert all(a <= b <= 1 for a, b in zip(corrected, greater, strict=True))
    if len(p) > 1 and len(set(p)) == 1 and p[0] and p[0] * len(p) <= 1:
        assert one[2] == [Fraction(value) for value in p]  # all equal: no false discovery is added
    for corrected in one:
        order = sorted(range(len(p)), key=lambda a: p[a])
        for a, b in pairwise(order):
            assert corrected[a] <= corrected[b]
            assert p[a] != p[b] or corrected[a] == corrected[b]


@pytest.mark.spec("RS-CMP-20", "RS-CMP-20/L3", "RS-CMP-21", "RS-CMP-21/L3")
@law(
    p=p_values,
    alpha=st.one_of(st.sampled_from([0.05, 0.01]), st.floats(0, 1, exclude_max=True)),
    holm=lambda _: reference.bonferroni,
    benjamini_hochberg=lambda _: reference.holm,
)
def test_what_is_at_most_alpha_is_what_the_steps_reject(E, p, alpha):
    N, level, ordered = len(p), Fraction(alpha), sorted(map(Fraction, p))
    down = 0
    while down < N and ordered[down] * (N - down) <= level:
        down += 1
    up = max((b for b in range(1, N + 1) if ordered[b - 1] * N <= level * b), default=0)
    for corrected, count in ((E.holm(p), down), (E.benjamini_hochberg(p), up)):
        rejected = [value <= level for value in corrected]
        assert sum(rejected) == count
        assert all(
            Fraction(value) <= ordered[count - 1] for value, r in zip(p, rejected, strict=True) if r
        )


def test_roots_are_rounded_once():
    """The nearest double of √2-like standard deviations, by integer square roots alone."""
    for X in ([0, 1, 3], [0, 0, 1], [5, -7, 11, 2], [10**9, 3, -(10**8)]):
        square = reference.variance(X)
        found = Fraction(nearest_double_of(lambda R, X=X: reference.standard_deviation(X, 0, R)))
        scaled = isqrt(int(square * 4**200))
        near = Fraction(scaled, 2**200)
        spacing = Fraction(2) ** ((near.numerator // near.denominator or 1).bit_length() - 53)
        assert abs(found - near) <= spacing / 2 + Fraction(1, 2**199)
