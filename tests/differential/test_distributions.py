"""Tail probabilities and quantiles against enclosures by python-flint, far into the tails.

The studentised range of two systems is enclosed too, as that of t; of more systems it is computed
once more with 60 digits, bounded by sums over pairs, and compared with SciPy's.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import flint
import pytest
from scipy.stats import studentized_range

from rankspec.analysis.comparison.distributions import (
    f_above,
    normal_two_sided,
    range_above,
    range_quantile,
    t_below,
    t_quantile,
    t_two_sided,
)

from ..each import each
from ..reference.balls import ball

DFS = (1, 1.5, 2, 3, 4.75, 9, 19, 35.82502309155869, 99, 343, 9999, 10**6)
TAILS = (0.999, 0.5, 0.05, 1e-3, 1e-6, 1e-30, 1e-100, 1e-299)
DIGITS, OF_RANGES = 1e-12, 1e-10


def relative_error(found: float, true: flint.arb) -> flint.arb:
    return abs(ball(found) / true - 1)


def beta(a, b, x):
    """The regularised incomplete beta function."""
    return x.beta_lower(a, b, 1)


def f_enclosed(F, df_1, df_2):
    """P(X >= F), by the argument of which no digit is lost."""
    a, b, above = ball(df_1) / 2, ball(df_2) / 2, ball(df_1) * F
    return beta(b, a, ball(df_2) / (above + ball(df_2)))


def t_enclosed(t, df):
    return f_enclosed(ball(t) ** 2, 1, df)


@pytest.fixture(autouse=True)
def _bits():
    with flint.ctx.workprec(200):
        yield


def tails_of(df):
    """Values of t, from near 0 to where p is 1e-299, but none beyond 1e150."""
    found = [1e-8, 1e-3, *(t_quantile(p, df) for p in TAILS), math.sqrt(df), 38.0]
    return [t for t in found if t <= 1e150]


@pytest.mark.spec("RS-CMP-22", "RS-CMP-22/L2")
@each("df", DFS, fast=8)
def test_t_has_twelve_digits(df):
    for t in tails_of(df):
        true = t_enclosed(t, df)
        if true > 1e-300:
            assert relative_error(t_two_sided(t, df), true) < DIGITS
            assert relative_error(f_above(t * t, 1, df), f_enclosed(ball(t * t), 1, df)) < DIGITS
            assert t_two_sided(-t, df) == t_two_sided(t, df)
            assert abs(ball(t_below(t, df)) - (1 - true / 2)) < DIGITS
            assert relative_error(t_below(-t, df), true / 2) < DIGITS


@each(
    ("df_1", "df_2"),
    [(1, 19), (2, 38), (7, 343), (27, 9999), (2, 2), (99, 5), (999, 10**6)],
    fast=3,
)
def test_f_has_twelve_digits(df_1, df_2):
    for F in (1e-9, 0.01, 0.5, 1.0, 1.5, 4.0, 20.0, 300.0, 1e4, 1e8, 1e40):
        true = f_enclosed(ball(F), df_1, df_2)
        if true > 1e-300:
            assert relative_error(f_above(F, df_1, df_2), true) < DIGITS


def f_of(p, df_1, df_2):
    """An F that is exceeded with about the probability p, by halving its logarithm."""
    low, high = -1.0, 308.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if f_above(10.0**middle, df_1, df_2) > p else (low, middle)
    return 10.0**low


@pytest.mark.spec("RS-CMP-22")
@each("df_1", [1, 3, 27, 50, 999, 10**4])
@each("df_2", [2, 9, 37.5, 50, 999, 10**6], fast=3)
def test_f_has_twelve_digits_down_to_its_limit(df_1, df_2):
    for p in (1e-100, 1e-240, 2e-250):
        F = f_of(p, df_1, df_2)
        assert relative_error(f_above(F, df_1, df_2), f_enclosed(F, df_1, df_2)) < DIGITS


@pytest.mark.spec("RS-CMP-22")
def test_f_loses_digits_below_its_limit():
    """The control: the limit that the entry states is needed."""
    F = f_of(1e-285, 50, 999)
    assert relative_error(f_above(F, 50, 999), f_enclosed(F, 50, 999)) > 1e-4


@pytest.mark.spec("RS-CMP-22")
def test_an_f_near_the_last_double_has_a_probability():
    """Times its degrees of freedom it is beyond the range of doubles."""
    F = 1e307
    assert relative_error(f_above(F, 50, 1), f_enclosed(F, 50, 1)) < DIGITS


def test_the_normal_distribution_has_twelve_digits():
    for z in (0.0, 1e-9, 0.1, 0.7, 1.0, 1.96, 3.0, 6.0, 10.0, 20.0, 30.0, 37.0):
        true = (ball(z) / flint.arb(2).sqrt()).erfc()
        assert true > 1e-300
        assert relative_error(normal_two_sided(z), true) < DIGITS
        assert normal_two_sided(-z) == normal_two_sided(z)


@pytest.mark.spec("RS-CMP-22/L3")
@each("df", DFS)
def test_a_quantile_of_t_has_twelve_digits(df):
    """Just below it p is more than alpha, just above it less."""
    for alpha in (0.999, 0.9, 0.5, 0.32, 0.1, 0.05, 0.01, 1e-3, 1e-6, 1e-12):
        T = ball(t_quantile(alpha, df))
        off = ball(DIGITS)
        below, above = ((T * (1 + sign * off)) ** 2 for sign in (-1, 1))
        assert f_enclosed(below, 1, df) > ball(alpha) > f_enclosed(above, 1, df)


def test_the_check_of_digits_can_fail():
    true = t_enclosed(2.0, 19)
    assert not relative_error(t_two_sided(2.0, 19) * (1 + 4e-12), true) < DIGITS
    assert not relative_error(t_two_sided(2.0, 19.0000001), true) < DIGITS


# ---- the studentised range -----------------------------------------------------------------


@pytest.mark.spec("RS-CMP-22/L1")
@each("df", [df for df in DFS if df != 1.5], fast=1)
def test_the_range_of_two_is_that_of_t(df):
    for t in (*tails_of(df), 1e-4):
        q = t * math.sqrt(2)
        true = t_enclosed(0, df) if q == 0 else f_enclosed(ball(q) ** 2 / 2, 1, df)
        if q <= 1e100 and true > 1e-300:
            assert relative_error(range_above(q, 2, df), true) < OF_RANGES


@each(
    ("m", "df", "q"),
    [
        *((3, 5, q) for q in (0.5, 3.0, 20.0)),
        *((8, 38, q) for q in (1.0, 4.5, 6.0)),
        *((28, 343, q) for q in (3.0, 5.2)),
        *((100, 99, q) for q in (5.0, 7.5)),
    ],
    fast=4,
)
def test_the_range_is_that_of_scipy_where_that_has_digits(m, df, q):
    found = range_above(q, m, df)
    assert abs(found - studentized_range.sf(q, m, df)) < OF_RANGES * found + 1e-13


@each(("m", "df", "q"), [(3, 343, 50.0), (8, 343, 60.0), (28, 9999, 45.0), (1000, 10**6, 48.0)])
def test_a_small_probability_of_a_range_is_a_sum_over_pairs(m, df, q):
    """P(some pair is apart) <= Σ P(this pair is), and so far out two pairs never are at once."""
    pairs = math.comb(m, 2) * f_enclosed(ball(q) ** 2 / 2, 1, df)
    assert 1e-300 < pairs < 1e-90
    assert relative_error(range_above(q, m, df), pairs) < OF_RANGES


@cache
def normal_range_above(r: Fraction, m: int) -> flint.arb:
    """P(range of m normal numbers >= r): enclosed, but for the e^-200 beyond [-20, 20 + r]."""
    root = flint.acb(2).sqrt()

    def below(z: flint.acb) -> flint.acb:
        return (-z / root).erfc() / 2

    def integrand(z: flint.acb, _: bool) -> flint.acb:
        density = (-z * z / 2).exp() / (2 * flint.acb.pi()).sqrt()
        whole = below(z)
        return m * density * (whole ** (m - 1) - (whole - below(z - shift)) ** (m - 1))

    shift = flint.acb(ball(r))
    ends = flint.acb(-20), flint.acb(20) + shift
    return flint.acb.integral(integrand, *ends).real


def range_by_many_digits(q, m, df, step):
    """The outer integral over log S as a sum in flint's numbers, from -12 to 3."""
    total = weight = flint.arb(0)
    points = int(15 / step)
    for a in range(points):
        u = Fraction(-12) + a * Fraction(step)
        s = ball(u).exp()
        w = (ball(df) * (ball(u) - (s * s - 1) / 2)).exp()
        weight += w
        if w > 1e-24:
            total += w * normal_range_above(Fraction(q) * Fraction(math.exp(u)), m)
    return total / weight


@pytest.mark.slow
@each(("m", "df", "q"), [(3, 38, 3.4490209014394516)])
def test_the_range_with_many_digits(m, df, q):
    with flint.ctx.workprec(120):
        true = range_by_many_digits(q, m, df, Fraction(1, 16))
        assert relative_error(range_above(q, m, df), true) < OF_RANGES


@each("df", [38, 2, 10**6], fast=1)
def test_a_quantile_of_the_range_has_ten_digits(df):
    for alpha in (0.9, 0.05, 1e-12):
        T = ball(range_quantile(alpha, 2, df))
        off = ball(OF_RANGES)
        below, above = ((T * (1 + sign * off)) ** 2 / 2 for sign in (-1, 1))
        assert f_enclosed(below, 1, df) > ball(alpha) > f_enclosed(above, 1, df)
        for m in (3, 28):
            q = range_quantile(alpha, m, df)
            assert abs(range_above(q, m, df) / alpha - 1) < OF_RANGES


@each("df", [1, 5, 343], fast=1)
def test_the_range_grows_with_the_systems_and_falls_with_q(df):
    rising = [range_above(3.5, m, df) for m in (2, 3, 5, 10, 100, 1000)]
    falling = [range_above(q, 7, df) for q in (0.0, 0.1, 1.0, 3.0, 10.0, 100.0)]
    assert rising == sorted(set(rising))
    assert falling == sorted(set(falling), reverse=True)
    assert falling[0] == 1.0


def test_without_scipy_the_error_names_the_extra(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(
        ValueError, match=r'SciPy, which is not installed: pip install "rankspec\[c'
    ):
        t_two_sided(2.0, 5)
