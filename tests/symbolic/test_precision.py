"""Sums of precisions as polynomials in the relevance indicators.

A function of indicators R_1, ..., R_n, each 0 or 1, is one multilinear polynomial in them. It
is read off the reference's values for all 2^n rankings.
"""

from __future__ import annotations

from itertools import product

import pytest
import sympy

from rankspec.reference.precision import ap, sp

from .proof import SYMBOLS, equal, nonnegative, symbols

n = 5
R = symbols(f"R1:{n + 1}")


def polynomial(metric):
    """The multilinear polynomial with the metric's value at every corner of the cube."""
    total = sympy.Integer(0)
    for corner in product([0, 1], repeat=n):
        term = metric(list(corner))
        for R_i, x_i in zip(R, corner, strict=True):
            term *= R_i if x_i else 1 - R_i
        total += term
    return sympy.expand(total)


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
