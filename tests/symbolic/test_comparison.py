"""Statistics of comparisons as formulas of the differences: what laws say of them, derived."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from rankspec.reference.comparison import (
    adjusted_difference,
    cohen_d,
    d_av,
    d_z,
    hedges_g,
    interval,
    mean,
    paired_t,
    pooled_t,
    pooled_variance,
    standard_deviation,
    variance,
    welch_df,
    welch_t,
)

from .proof import SYMBOLS, equal, symbols

X, Y = sympy.symbols("x1:4"), sympy.symbols("y1:4")
D = [x - y for x, y in zip(X, Y, strict=True)]
a, b = symbols("a b")


def same_square(x, y):
    """Whether two roots are one number, where their signs are: by their squares."""
    return sympy.simplify(sympy.together(x**2 - y**2)) == 0


@pytest.mark.spec("RS-CMP-3", "RS-CMP-3/L2")
def test_the_variance_is_the_mean_square_of_deviations():
    m = mean(X)
    assert equal(sympy.expand(variance(X) - sum((x - m) ** 2 for x in X) / 2), 0)
    shifted = [a * x + b for x in X]
    assert sympy.expand(mean(shifted) - a * m - b) == 0
    assert sympy.expand(variance(shifted) - a**2 * variance(X)) == 0
    assert sympy.expand(standard_deviation(X, 0, SYMBOLS) ** 2 - variance(X)) == 0


@pytest.mark.spec("RS-CMP-4")
def test_the_interval_is_about_its_mean():
    low, high = interval(a, b, Fraction(2), SYMBOLS)
    assert sympy.simplify(low + high - 2 * a) == 0
    assert sympy.simplify(high - low - 4 * sympy.sqrt(b)) == 0


@pytest.mark.slow
@pytest.mark.spec("RS-CMP-5", "RS-CMP-5/L1", "RS-CMP-5/L2")
def test_t_by_its_sums():
    S, Q = sum(D), sum(d * d for d in D)
    t = paired_t(D, SYMBOLS)
    assert same_square(t, S * sympy.sqrt(2) / sympy.sqrt(3 * Q - S**2))
    assert sympy.simplify(paired_t([-d for d in D], SYMBOLS) + t) == 0
    assert same_square(paired_t([a * d for d in D], SYMBOLS), t)
    assert not same_square(paired_t([d + a for d in D], SYMBOLS), t)


@pytest.mark.spec("RS-CMP-6/L2", "RS-CMP-7/L3")
def test_unpaired_t_leaves_out_the_covariance():
    c = sum((x - mean(X)) * (y - mean(Y)) for x, y in zip(X, Y, strict=True)) / 2
    assert sympy.expand(variance(D) - variance(X) - variance(Y) + 2 * c) == 0
    pooled = pooled_t(X, Y, SYMBOLS)
    assert same_square(pooled, welch_t(X, Y, SYMBOLS))
    squares = 3 * mean(D) ** 2 / (variance(X) + variance(Y))
    assert sympy.simplify(pooled**2 - squares) == 0


@pytest.mark.spec("RS-CMP-7/L2")
def test_welch_has_between_n_minus_1_and_twice_as_many_degrees_of_freedom():
    """For equal sizes ν = 2 (n - 1) - (n - 1)(u - v)²/(u² + v²) of the two variances."""
    u, v = variance(X), variance(Y)
    assert sympy.simplify(welch_df(X, Y) - (4 - 2 * (u - v) ** 2 / (u**2 + v**2))) == 0


@pytest.mark.spec("RS-CMP-15/L1", "RS-CMP-17/L1")
def test_effect_sizes_are_multiples_of_t():
    assert same_square(d_z(D, SYMBOLS), paired_t(D, SYMBOLS) / sympy.sqrt(3))
    factor = sympy.Rational(1) - sympy.Rational(3, 15)
    g = factor * pooled_t(X, Y, SYMBOLS) * sympy.sqrt(sympy.Rational(2, 3))
    assert same_square(hedges_g(X, Y, SYMBOLS), g)
    assert sympy.expand(pooled_variance(X, Y) - (variance(X) + variance(Y)) / 2) == 0


@pytest.mark.spec("RS-CMP-25", "RS-CMP-25/L1", "RS-CMP-25/L3")
def test_d_is_a_multiple_of_pooled_t_and_g_of_it():
    d = cohen_d(X, Y, SYMBOLS)
    assert same_square(d, pooled_t(X, Y, SYMBOLS) * sympy.sqrt(sympy.Rational(2, 3)))
    assert same_square(hedges_g(X, Y, SYMBOLS), sympy.Rational(12, 15) * d)


@pytest.mark.spec("RS-CMP-26", "RS-CMP-26/L4")
def test_the_difference_within_topics_is_that_of_least_squares():
    """Of two topics, three sessions each, by the normal equations."""
    strata = [(X[:2], Y[:1]), (X[2:], Y[1:])]
    design = sympy.Matrix([[1, 1, 0], [1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1], [0, 0, 1]])
    values = sympy.Matrix([X[0], X[1], Y[0], X[2], Y[1], Y[2]])
    fitted = (design.T * design).inv() * design.T * values
    assert sympy.expand(fitted[0] - adjusted_difference(strata)) == 0


@pytest.mark.spec("RS-CMP-16")
def test_d_av_has_the_mean_of_two_spreads():
    found = d_av(D, 0, X, Y, 0, SYMBOLS)
    spread = standard_deviation(X, 0, SYMBOLS) + standard_deviation(Y, 0, SYMBOLS)
    assert sympy.simplify(found * spread - 2 * mean(D)) == 0
