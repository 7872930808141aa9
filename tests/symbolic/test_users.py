"""The laws of users by models, derived from the reference's own functions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest
import sympy

from rankspec.reference.cascade import err, rbp, rbp_residual
from rankspec.reference.dcg import ndcg
from rankspec.reference.ties import expectation
from rankspec.reference.users import (
    compatibility,
    expected_grbp,
    expected_grbp_residual,
    expected_insq,
    expected_scaled_dcg,
    grbp,
    grbp_residual,
    insq,
    nerr8,
    nerr9,
    nerr10,
    nerr11,
    scaled_dcg,
)

from ..each import each
from .proof import SYMBOLS, equal, symbols

N = 4
x = symbols(f"x1:{N + 1}")
w = symbols(f"d1:{2 * N + 1}")
p, t = symbols("p t")
T = Fraction(3, 2)
GROUPS = [[x[:1], x[1:4]], [x[:4]], [x[:2], x[2:4]], [x[:1], x[1:2]]]


def d(i):
    return w[i - 1]


def weights_at(weights):
    return lambda i: weights[i - 1]


def same(a, b) -> bool:
    return sympy.expand(a - b) == 0


@pytest.mark.spec("RS-USR-2/L1", "RS-USR-2/L2", "RS-USR-2/L4")
def test_graded_rbp_is_rbp_of_gains():
    for n, k in product(range(N + 1), range(1, N + 2)):
        value = grbp(x[:n], k, p, t, SYMBOLS)
        assert same(value, rbp(x[:n], k, p, SYMBOLS) / t)
        assert same(grbp([t] * n, k, p, t, SYMBOLS), 1 - p ** min(n, k))
        assert not same(value, rbp(x[:n], k, p, SYMBOLS)) or n == 0  # control
    value = grbp(x, N, p, t, SYMBOLS)
    for i, j in combinations(range(1, N + 1), 2):
        moved = list(x)
        moved[i - 1], moved[j - 1] = x[j - 1], x[i - 1]
        rise = (1 - p) * (x[j - 1] - x[i - 1]) / t * (p ** (i - 1) - p ** (j - 1))
        assert same(grbp(moved, N, p, t, SYMBOLS) - value, rise)


@pytest.mark.spec("RS-EXP-45/L1", "RS-EXP-45/L2")
def test_expected_graded_rbp_is_the_mean_over_all_orders():
    for groups, k in product(GROUPS, (1, 3, 5)):
        value = expected_grbp(groups, k, p, t, SYMBOLS)
        assert same(value, expectation(lambda r, k=k: grbp(r, k, p, t, SYMBOLS), groups))
        assert not same(value, expected_grbp(groups, k, p, 2 * t, SYMBOLS))  # control
    for k in (1, 3, 5):
        mean = sum(x) / (N * t)
        assert same(expected_grbp([x], k, p, t, SYMBOLS), mean * (1 - p ** min(k, N)))


@pytest.mark.spec("RS-USR-3/L2", "RS-USR-3/L3", "RS-EXP-46/L1")
@each("U", list(product((0, 1), repeat=4)), fast=5)
def test_the_expected_residual_is_the_mean_over_all_orders(U):
    for k, tail in product((1, 2, 3, 5), ("always", "unjudged")):
        value = grbp_residual(U, k, p, tail, SYMBOLS)
        full = rbp_residual(U, k, p, SYMBOLS)
        assert same(value, full if tail == "always" or any(U[:k]) else 0)
        for groups in ([U], [U[:1], U[1:]], [U[:3], U[3:]]):
            expected = expected_grbp_residual(groups, k, p, tail, SYMBOLS)
            mean = expectation(
                lambda u, k=k, tail=tail: grbp_residual(u, k, p, tail, SYMBOLS), groups
            )
            assert same(expected, mean)
    one = expected_grbp_residual([(0, 1)], 1, p, "unjudged", SYMBOLS)
    assert not same(one, expected_grbp_residual([(0, 1)], 1, p, "always", SYMBOLS))  # control


@pytest.mark.spec("RS-USR-4/L1", "RS-USR-4/L2", "RS-EXP-47/L1", "RS-EXP-47/L2")
def test_scaled_dcg_is_ndcg_of_a_perfect_ideal():
    for n, k in product(range(1, N + 1), range(1, N + 3)):
        value = scaled_dcg(x[:n], k, t, d, SYMBOLS)
        assert equal(value, ndcg(x[:n], x[:n], k, lambda label: label, d, "perfect") / t)
        if k <= n:
            assert equal(scaled_dcg([t] * n, k, t, d, SYMBOLS), 1)
            assert equal(expected_scaled_dcg([x[:n]], k, t, d, SYMBOLS), sum(x[:n]) / (n * t))
        else:
            assert not equal(scaled_dcg([t] * n, k, t, d, SYMBOLS), 1)  # control
    for groups, k in product(GROUPS, (1, 3)):
        mean = expectation(lambda r, k=k: scaled_dcg(r, k, t, d, SYMBOLS), groups)
        assert equal(expected_scaled_dcg(groups, k, t, d, SYMBOLS), mean)


@pytest.mark.spec("RS-USR-5/L1", "RS-USR-5/L2", "RS-USR-5/L3", "RS-EXP-48/L1")
def test_insq_is_scaled_dcg_with_its_weights():
    for n, k in product(range(1, N + 1), range(1, N + 3)):
        value = insq(x[:n], k, Fraction(3, 2), SYMBOLS)
        weights = [1 / sympy.Integer(i + 2) ** 2 for i in range(1, k + 1)]
        assert equal(value, scaled_dcg(x[:n], k, 1, weights_at(weights), SYMBOLS))
        assert equal(insq([1] * n, k, Fraction(3, 2), SYMBOLS), 1) == (k <= n)
    endless = insq(x[:1], None, 1, SYMBOLS)
    assert equal(endless, x[0] / 4 / (sympy.pi**2 / 6 - 1))
    assert not equal(endless, x[0] / 4 / (sympy.pi**2 / 6))  # control
    for groups, k in product(GROUPS, (1, 3)):
        mean = expectation(lambda r, k=k: insq(r, k, 1, SYMBOLS), groups)
        assert equal(expected_insq(groups, k, k, 1, SYMBOLS), mean)


def is_quotient(value, above, below) -> bool:
    """Whether a rational function is above/below, two polynomials."""
    numerator, denominator = sympy.fraction(sympy.together(value))
    return same(numerator * below, denominator * above)


def by_users_whom_gains_stop(g, k, T):
    """(a value, how probable it is that rank i is seen where all gains are 0), one a metric"""
    yield nerr8(g, k, SYMBOLS), lambda _: sympy.Integer(1)
    yield nerr9(g, k, SYMBOLS), lambda i: sympy.Rational(1, i)
    yield nerr10(g, k, p, SYMBOLS), lambda i: p ** (i - 1)
    yield nerr11(g, k, T, SYMBOLS), lambda i: 1 / (i + 2 * sympy.Rational(T) - 1) ** 2


@pytest.mark.spec("RS-USR-30/L5", "RS-USR-31/L1", "RS-USR-32/L2", "RS-USR-33/L2")
@each("n", [1, 2, 3], fast=2)
@each("k", [1, 2, 3], fast=2)
def test_nerr_is_one_less_the_share_that_did_not_stop_the_user(n, k):
    g = [*x[: min(n, k)], *[sympy.Integer(0)] * (k - n)]
    Q = [sympy.prod([sympy.Integer(1), *(1 - g_i for g_i in g[:i])]) for i in range(k + 1)]
    for value, a in by_users_whom_gains_stop(x[:n], k, T):
        below = sum(a(i) * Q[i - 1] for i in range(1, k + 1))
        above = sum(a(i) * Q[i] for i in range(1, k + 1))
        assert is_quotient(value, below - above, below)
        assert not is_quotient(value, below - above, below + 1)  # control
    assert is_quotient(nerr8(x[:n], k, SYMBOLS), 1 - Q[k], sum(Q[:k]))
    seen = sum(Q[i - 1] * sympy.Rational(1, i) for i in range(1, k + 1))
    assert is_quotient(nerr9(x[:n], k, SYMBOLS), err(x[:n], k, lambda label: label), seen)


@pytest.mark.spec("RS-USR-32/L2", "RS-USR-33/L2")
def test_nerr_of_endless_lists_and_of_one_item():
    endless = nerr10(x[:1], None, p, SYMBOLS)
    assert equal(endless, x[0] / (1 + p / (1 - p) * (1 - x[0])))
    assert not equal(endless, x[0] / (1 + p / (1 - p)))  # control
    assert equal(nerr10([0, 0, 1], None, p, SYMBOLS), p**2 * (1 - p) / (1 - p**3))
    assert equal(nerr11([0, 0, 1], 3, T, SYMBOLS), insq([0, 0, 1], 3, T, SYMBOLS))
    rest = sympy.pi**2 / 6 - 1 - sympy.Rational(1, 4)
    assert equal(nerr11(x[:1], None, 1, SYMBOLS), x[0] / (1 + 4 * (1 - x[0]) * rest))


@pytest.mark.spec("RS-USR-8/L1", "RS-USR-8/L2")
def test_compatibility_is_an_overlap():
    for labels in product((0, 1, 2), repeat=3):
        for k in (1, 2, 3, 5):
            items = sorted(range(3), key=lambda a, labels=labels: -labels[a])  # stable
            ideal = [a for a in items if labels[a] > 0]

            def of(ranking, k=k, ideal=ideal):
                both = (len({*ranking[:i]} & {*ideal[:i]}) for i in range(1, k + 1))
                return sum(p ** (i - 1) * sympy.Rational(m, i) for i, m in enumerate(both, 1))

            value = compatibility(labels, labels, k, p, True, SYMBOLS)
            assert equal(value, of([0, 1, 2]) / of(ideal) if ideal else 0)
            if ideal == list(range(len(ideal))) and ideal:
                assert equal(value, 1)
    assert not equal(compatibility((1, 2), (1, 2), 2, p, True, SYMBOLS), 1)  # control
