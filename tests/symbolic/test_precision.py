"""Sums of precisions as polynomials in the relevance indicators.

A function of indicators R_1, ..., R_n, each 0 or 1, is one multilinear polynomial in them. It
is read off the reference's values for all 2^n rankings.
"""

from __future__ import annotations

from itertools import combinations, product

import pytest
import sympy

from rankspec.reference.precision import (
    ap,
    expected_number_relevant,
    gap,
    gsp,
    probability_relevant,
    relevance,
    sp,
)

from ..each import each
from .proof import SYMBOLS, equal, nonnegative, symbols

n = 5
R = symbols(f"R1:{n + 1}")


def polynomial(metric):
    """The multilinear polynomial with the metric's value at every corner of the cube."""
    ring, *variables = sympy.ring(R, sympy.QQ)
    total = ring.zero
    for corner in product([0, 1], repeat=n):
        term = ring.from_expr(sympy.sympify(metric(list(corner))))
        for R_i, x_i in zip(variables, corner, strict=True):
            term *= R_i if x_i else 1 - R_i
        total += term
    return total.as_expr()


def pairs(k):
    """Σ_{i <= j <= k} R_i R_j / j, where R_i² = R_i."""
    return sum(
        (R[i - 1] * R[j - 1] if i < j else R[j - 1]) / sympy.Integer(j)
        for j in range(1, k + 1)
        for i in range(1, j + 1)
    )


@pytest.mark.spec("RS-PREC-5/L2")
def test_sp_is_a_sum_over_pairs():
    for k in range(1, n + 1):
        value = polynomial(lambda R, k=k: sp(R, k, SYMBOLS))
        assert equal(value, pairs(k))
        assert not equal(value, pairs(k) + R[0])  # control
    assert not equal(value, pairs(n - 1))  # control


@pytest.mark.spec("RS-PREC-5/L1", "RS-PREC-5/L4")
def test_sp_lies_between_zero_and_the_number_of_relevant_items():
    """h - SP is Σ (1 - Prec(i)) R_i; each upgrade adds terms."""
    value = polynomial(lambda R: sp(R, n, SYMBOLS))
    assert nonnegative(value, *R)
    # Σ R_j (1 - (1/j) Σ_{i<=j} R_i) = Σ R_j (1/j) Σ_{i<j} (1 - R_i): nonnegative term by term.
    shortfall = sum(
        R[j - 1] * sum(1 - R[i - 1] for i in range(1, j)) / sympy.Integer(j)
        for j in range(1, n + 1)
    )
    assert equal(sum(R) - value, shortfall)
    for R_i in R:
        assert nonnegative(sympy.diff(value, R_i), *R)  # the polynomial is linear in each
    assert not nonnegative(sympy.diff(-value, R[0]), *R)  # control


@pytest.mark.spec("RS-PREC-5/L3")
def test_sp_swap_difference():
    """A relevant item moved from rank i + 1 to i gains c/(i (i + 1))."""
    value = polynomial(lambda R: sp(R, n, SYMBOLS))
    for i in range(1, n):
        above = sum(R[: i - 1])
        after = value.subs({R[i - 1]: 1, R[i]: 0})
        before = value.subs({R[i - 1]: 0, R[i]: 1})
        rise = (above + 1) / sympy.Integer(i * (i + 1))
        # The terms of the ranks below cancel: they hold the same items above them.
        assert equal(sympy.expand(after - before), rise)
        assert not equal(sympy.expand(after - before), rise * 2)  # control


@pytest.mark.spec("RS-PREC-5")
def test_ap_with_norm_k_is_sp_over_k():
    for k in range(1, n + 1):
        value = polynomial(lambda R, k=k: ap(R, sum(R), k, "k", SYMBOLS))
        assert equal(value, pairs(k) / k)
        assert not equal(value, pairs(k) / (k + 1))  # control


# GAP, for all lists of labels 0 to 3 where the labels from 1, 2, 3 on are relevant to q1, q2, q3.

q = symbols("q1:4")
GRADED = list(product(range(4), repeat=4))


def of_thresholds(labels, k):
    """Σ_j q_j SP_j."""
    return sum(q_j * sp(relevance(labels, j), k, SYMBOLS) for j, q_j in enumerate(q, start=1))


@pytest.mark.slow
@pytest.mark.spec("RS-PREC-9/L1", "RS-PREC-11/L2")
def test_gsp_is_a_mixture_of_sp_and_of_the_paper_s_form():
    for r, k in product(GRADED, range(1, 5)):
        value = sympy.expand(gsp(r, k, q, SYMBOLS))
        assert value == sympy.expand(of_thresholds(r, k))
        shared = sum(
            sum(q[: min(r[h], r[i])]) / sympy.Integer(i + 1) for i in range(k) for h in range(i + 1)
        )
        assert value == sympy.expand(shared)
        assert not any(r[:k]) or value != sympy.expand(2 * shared)  # control


@pytest.mark.spec("RS-PREC-9/L2")
@each("r", GRADED, fast=50)
def test_gsp_is_at_most_the_relevance_shown(r):
    for k in range(1, 5):
        shown = sum(probability_relevant(x, q, SYMBOLS) for x in r[:k])
        lacking = sympy.expand(shown - gsp(r, k, q, SYMBOLS))
        assert nonnegative(lacking, *q)
        assert (lacking == 0) == (list(r[:k]) == sorted(r[:k], reverse=True))
        assert lacking == 0 or not nonnegative(-lacking, *q)  # control


@pytest.mark.spec("RS-PREC-10/L1", "RS-PREC-11/L1")
def test_gap_is_a_mean_of_ap_with_weights_of_the_pool():
    J = [3, 1, 1, 0, 2]
    N_j = [sum(x >= j for x in J) for j in (1, 2, 3)]
    weights = [q_j * N for q_j, N in zip(q, N_j, strict=True)]
    assert equal(expected_number_relevant(J, q, SYMBOLS), sum(weights))
    for r in ([1, 0, 3, 2], [0, 0], [3, 1]):
        for k in range(1, 5):
            mean = sum(
                weight * ap(relevance(r, j), N, k, "R", SYMBOLS)
                for j, (weight, N) in enumerate(zip(weights, N_j, strict=True), start=1)
            ) / sum(weights)
            assert equal(gap(r, J, k, q, SYMBOLS), mean)
    assert not equal(gap([3, 1], J, 2, q, SYMBOLS), mean / 2)  # control


@pytest.mark.spec("RS-PREC-11/L6", "RS-PREC-11/L7")
@pytest.mark.slow
def test_a_swap_or_an_upgrade_never_lowers_gsp():
    """The divisor of GAP is the pool's: the numerator alone changes."""
    for r, k in product(GRADED, (1, 2, 4)):
        value = gsp(r, k, q, SYMBOLS)
        for i, j in combinations(range(4), 2):
            if r[j] > r[i]:
                moved = list(r)
                moved[i], moved[j] = r[j], r[i]
                assert nonnegative(gsp(moved, k, q, SYMBOLS) - value, *q)
        for i in range(4):
            raised = [*r[:i], 3, *r[i + 1 :]]
            assert nonnegative(gsp(raised, k, q, SYMBOLS) - value, *q)
    lower = gsp([0, 1], 2, q, SYMBOLS) - gsp([1, 0], 2, q, SYMBOLS)
    assert not nonnegative(lower, *q)  # control


@pytest.mark.spec("RS-PREC-11/L7", "RS-PREC-11/L8")
def test_gap_of_list_and_pool():
    c = symbols("c")[0]
    before, after = (gap(r, r, 3, q[:2], SYMBOLS) for r in ([2, 0, 1], [2, 0, 2]))
    equal_q = dict.fromkeys(q, 1)
    assert before.subs(equal_q) == sympy.Rational(8, 9)
    assert after.subs(equal_q) == sympy.Rational(5, 6)
    assert equal(gap([2, 0, 1], [2, 0, 1], 3, [c * q_j for q_j in q[:2]], SYMBOLS), before)
    assert not equal(gap([2, 0, 1], [2, 0, 1], 3, [c + q_j for q_j in q[:2]], SYMBOLS), before)
