"""The laws of bounds, derived from the reference's own functions, and karmaker-2022's eq. 9.

A, IUB and RLB are positive symbols; where an order between them is claimed, each is a sum of the
one below it and a symbol, so that every branch is the one that holds for all values.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
import sympy

import rankspec as rs
from rankspec.reference.bounds import (
    expected_dcg_of_eq7,
    expected_sp_of_karmaker,
    min_max,
    ratio,
    ul1,
    ul2,
    upper,
    worst,
)
from rankspec.reference.dcg import dcg, expected_dcg
from rankspec.reference.precision import expected_sp_of_group
from rankspec.reference.ties import expectation
from rankspec.symbolic import of

from .proof import SYMBOLS, equal, nonnegative, symbols

A, IUB, RLB, WLB, c, k, n, N_p, x = symbols("A IUB RLB WLB c k n N_p x")
s, t, u = symbols("s t u")  # steps from one number to the next
gains = symbols("g1:4")
discounts = symbols("d1:7")


def d(i):
    return discounts[i - 1]


def gain(label):
    return label


def H(j):
    return sympy.harmonic(j)


def above(A, IUB, RLB):
    return ul2(A, IUB, RLB, SYMBOLS)


# The functions of three numbers


@pytest.mark.spec("RS-BND-4", "RS-BND-5", "RS-BND-6", "RS-BND-7", "RS-BND-8", "RS-BND-4/L5")
def test_each_is_a_function_of_two_numbers():
    """RLB = ρ IUB and A = U IUB; UL2 with A a step above RLB, or RLB a step above A."""
    U, rho = A / IUB, RLB / IUB
    assert equal(upper(A, IUB), U)
    assert equal(ul1(A, IUB, RLB), U**2 / (U + rho))
    assert not equal(ul1(A, IUB, RLB), U**2 / (1 + rho))  # control
    assert equal(min_max(A, IUB, RLB), (U - rho) / (1 - rho))
    assert equal(ratio(A, RLB), U / rho)
    better, worse = above(RLB + s, IUB, RLB), above(A, IUB, A + s)
    assert equal(better, min_max(RLB + s, IUB, RLB))
    assert equal(worse, ratio(A, A + s) - 1)
    assert not equal(worse, min_max(A, IUB, A + s))  # control


@pytest.mark.spec("RS-BND-4/L4")
def test_a_common_factor_changes_nothing():
    assert equal(upper(c * A, c * IUB), upper(A, IUB))
    assert equal(ul1(c * A, c * IUB, c * RLB), ul1(A, IUB, RLB))
    for a, lower in ((RLB + s, RLB), (A, A + s)):
        assert equal(above(c * a, c * IUB, c * lower), above(a, IUB, lower))
    assert equal(min_max(c * A, c * IUB, c * RLB), min_max(A, IUB, RLB))
    assert equal(ratio(c * A, c * RLB), ratio(A, RLB))
    assert not equal(ul1(c * A, IUB, c * RLB), ul1(A, IUB, RLB))  # control


@pytest.mark.spec("RS-BND-5/L1", "RS-BND-5/L2", "RS-BND-5/L3")
def test_where_ul1_is():
    """At the best ranking, at chance, at 0; and how far it is below its greatest value."""
    assert equal(ul1(IUB, IUB, RLB), IUB / (IUB + RLB))
    assert equal(ul1(IUB, IUB, IUB), Fraction(1, 2))
    assert not equal(ul1(IUB, IUB, RLB), 1)  # control: what the paper says of it
    assert equal(ul1(RLB, IUB, RLB), RLB / IUB / 2)
    assert sympy.limit(ul1(A, IUB, RLB), A, 0) == 0 == ul1(0, IUB, RLB)
    assert sympy.limit(ul1(IUB, IUB, RLB), RLB, 0) == 1
    best = A + s  # IUB
    short, over = sympy.fraction(sympy.together(ul1(best, best, RLB) - ul1(A, best, RLB)))
    assert nonnegative(short, A, RLB, s)
    assert nonnegative(over, A, RLB, s)
    assert not nonnegative(-short, A, RLB, s)  # control


def falls(f, by) -> bool:
    """Whether the derivative is surely negative: no coefficient has the wrong sign."""
    numerator, denominator = sympy.fraction(sympy.factor(sympy.diff(f, by)))
    free = sorted(f.free_symbols, key=str)
    if not nonnegative(denominator, *free):
        numerator, denominator = -numerator, -denominator
    assert nonnegative(denominator, *free)
    return numerator != 0 and nonnegative(-numerator, *free)


@pytest.mark.spec("RS-BND-5/L4", "RS-BND-5/L6", "RS-BND-5/L7", "RS-BND-5/L8")
def test_ul1_rises_with_the_metric_falls_with_the_bound_and_is_convex():
    value = ul1(A, IUB, RLB)
    assert falls(-value, A)
    assert falls(value, RLB)
    assert not falls(value, A)
    assert not falls(-value, RLB)
    assert equal(sympy.diff(value, A, 2), 2 * RLB**2 / (IUB * (A + RLB) ** 3))  # > 0
    loss = upper(A, IUB) - value
    U, rho = A / IUB, RLB / IUB
    assert equal(loss, U * rho / (U + rho))
    assert falls(-loss, A)
    assert falls(loss / U, A)
    assert not falls(loss, A)  # control
    assert equal(loss.subs(A, IUB), rho / (1 + rho))


@pytest.mark.spec("RS-BND-6/L2", "RS-BND-6/L3", "RS-BND-6/L4")
def test_where_ul2_is():
    assert equal(above(RLB + s, RLB + s, RLB), 1)
    assert equal(above(sympy.Integer(0), IUB, RLB), -1)
    assert equal(above(RLB, RLB + s, RLB), 0)
    assert equal(above(WLB, IUB, WLB + s), WLB / (WLB + s) - 1)
    assert above(RLB, RLB, RLB) == 0  # all orders alike
    assert not equal(above(WLB, IUB, WLB + s), -1)  # control: what the paper says of it


@pytest.mark.spec("RS-BND-6/L1", "RS-BND-6/L5", "RS-BND-6/L7", "RS-BND-6/L9", "RS-BND-6/L10")
def test_ul2_on_either_side_of_chance():
    """Its slopes, that it is continuous, and how it changes with RLB; each of the branches is the
    reference's, for A > RLB and A < RLB."""
    better = above(RLB + s, RLB + s + t, RLB)  # RLB < A < IUB
    worse = above(A, A + s + t, A + s)  # A < RLB < IUB
    assert equal(better, s / (s + t))
    assert equal(worse, -s / (A + s))
    upwards, downwards = (A - RLB) / (IUB - RLB), A / RLB - 1
    assert equal(better, upwards.subs({A: RLB + s, IUB: RLB + s + t}, simultaneous=True))
    assert equal(worse, downwards.subs(RLB, A + s))
    assert equal(sympy.diff(upwards, A), 1 / (IUB - RLB))
    assert equal(sympy.diff(downwards, A), 1 / RLB)
    assert equal((1 / (IUB - RLB) - 1 / RLB).subs(IUB, 2 * RLB), 0)
    assert sympy.limit(better, s, 0) == sympy.limit(worse, s, 0) == 0
    in_rlb = sympy.diff(upwards, RLB).subs(IUB, A + t)  # A < IUB
    assert equal(in_rlb, -t / (A + t - RLB) ** 2)
    assert equal(sympy.diff(downwards, RLB), -A / RLB**2)
    assert not equal(sympy.diff(upwards, RLB), 0)  # control
    U, rho = A / IUB, RLB / IUB
    lost_above, lost_below = rho * (1 - U) / (1 - rho), 1 - U * (1 - rho) / rho
    assert equal(U - upwards, lost_above)
    assert equal(U - downwards, lost_below)
    assert equal(lost_above.subs(A, RLB), rho)
    assert equal(lost_below.subs(A, RLB), rho)
    assert equal(sympy.diff(lost_below, A), -(IUB - RLB) / (IUB * RLB))
    assert equal(sympy.diff(lost_above, A), -RLB / (IUB * (IUB - RLB)))


@pytest.mark.spec("RS-BND-7/L1", "RS-BND-7/L3", "RS-BND-7/L4", "RS-BND-7/L5", "RS-BND-8/L3")
def test_min_max_and_the_ratio():
    assert equal(sympy.diff(min_max(A, IUB, RLB), A), 1 / (IUB - RLB))
    assert equal(min_max(0, IUB, RLB), -RLB / (IUB - RLB))
    of_worst = min_max(A, IUB, WLB)
    mu = min_max(RLB, IUB, WLB)
    assert equal(min_max(A, IUB, RLB), (of_worst - mu) / (1 - mu))
    assert not equal(min_max(A, IUB, RLB), of_worst - mu)  # control
    worse = above(A, A + s + t, A + s)
    rho = (A + s) / (A + s + t)
    assert equal(min_max(A, A + s + t, A + s), rho / (1 - rho) * worse)
    assert equal(ratio(A, A + s), worse + 1)
    assert equal(ratio(IUB, RLB), IUB / RLB)


# Means over all random orders


@pytest.mark.spec("RS-BND-6/L8", "RS-BND-7/L2", "RS-BND-8/L1", "RS-BND-4/L3")
@pytest.mark.parametrize(
    "deviations",
    [(s, -s), (s, t, -s - t), (-s, -t, s + t), (s, t, u, -s - t - u), (0, s, t, -s - t)],
)
def test_means_over_orders_whose_values_deviate_from_their_mean(deviations):
    """The values of a metric are RLB plus deviations that sum to 0, all signs of them known; IUB is
    anything above."""
    scale = len(deviations)
    # No value is below 0: RLB is a symbol above the deepest deviation.
    rlb = RLB + s + t + u
    values = [rlb + e for e in deviations]
    iub = rlb + s + t + u + c

    def mean(f):
        return sum((f(a) for a in values), sympy.Integer(0)) / scale

    spread = sum(abs(sympy.sympify(e)) for e in deviations) / scale
    law = spread / 2 * (1 / (iub - rlb) - 1 / rlb)
    assert equal(mean(lambda a: above(a, iub, rlb)), law)
    assert not equal(mean(lambda a: above(a, iub, rlb)), spread / 2 / (iub - rlb))  # control
    assert equal(mean(lambda a: above(a, 2 * rlb, rlb)), 0)
    assert equal(mean(lambda a: min_max(a, iub, rlb)), 0)
    assert equal(mean(lambda a: min_max(a, iub, RLB)), min_max(rlb, iub, RLB))
    assert equal(mean(lambda a: ratio(a, rlb)), 1)
    assert equal(mean(lambda a: upper(a, iub)), rlb / iub)


# The bounds of a pool


@pytest.mark.spec("RS-BND-1", "RS-BND-2", "RS-BND-2/L1", "RS-BND-3", "RS-BND-3/L1")
def test_the_bounds_of_dcg():
    """Labels are g1 <= g1 + s <= g1 + s + t, discounts fall by steps: RLB is the mean over all
    orders, and no order has more than the ideal one or less than the worst."""
    labels = [gains[0], gains[0] + s, gains[0] + s + t]
    steps = symbols("e1:4")

    def falling(i):
        return sum(steps[i - 1 :])

    for cut in (1, 2, 3):
        value = expected_dcg([labels], cut, gain, d)
        mean = expectation(lambda r, cut=cut: dcg(r, cut, gain, d), [labels])
        assert equal(value, mean)
        assert not equal(value, mean + s)  # control
        least, most = dcg(labels, cut, gain, falling), dcg(labels[::-1], cut, gain, falling)
        for order in ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1)):
            between = dcg([labels[a] for a in order], cut, gain, falling)
            variables = (*steps, s, t)
            assert nonnegative(most - between, *variables)
            assert nonnegative(between - least, *variables)
            assert not nonnegative(least - most, *variables)  # control
    assert worst([3, 1, 2]) == [1, 2, 3]


@pytest.mark.slow
@pytest.mark.spec("RS-BND-1", "RS-BND-1/L2", "RS-BND-5", "RS-BND-6")
def test_bounds_of_a_list_of_symbols():
    """The labels of the list are symbols, those of the pool are numbers."""
    pool = [3, 0, 1]
    y, z = symbols("y z")
    w = sympy.log(2) / sympy.log(3)
    value, best, mean = y + z * w, 3 + w, sympy.Rational(4, 3) * (1 + w)
    measure = rs.DCG(k=2)
    assert equal(of(rs.IUB(measure), pool), best)
    assert equal(of(rs.RLB(measure), pool), mean)
    assert equal(of(rs.WLB(measure), pool), w)
    assert equal(of(rs.UL1(measure), [y, z], judged=pool), value**2 / best / (value + mean))
    normalised = of(rs.UL1(rs.nDCG(k=2)), [y, z], judged=pool)
    assert equal(normalised, value**2 / best / (value + mean))
    assert not equal(normalised, value**2 / best / (value + best))  # control
    assert equal(of(rs.UL2(measure), [3, 1], judged=pool), 1)
    assert equal(of(rs.UL2(measure), [0, 1], judged=pool), w / mean - 1)


# The paper's bounds


@pytest.mark.spec("RS-BND-9", "RS-BND-9/L1", "RS-BND-9/L2", "RS-BND-9/L3", "RS-ERR-6")
def test_eq_7_up_to_the_pool_and_beyond():
    average = sum(gains) / 3
    for cut in range(1, 7):
        printed = expected_dcg_of_eq7(gains, cut, gain, d)
        exactly = expected_dcg([gains], cut, gain, d)
        assert equal(printed - exactly, average * sum(discounts[3:cut]))
        if cut > 3:
            assert not equal(printed, exactly)  # control
            level = [sympy.Integer(2)] * 3
            best = 2 * sum(discounts[:3])
            beyond = best + 2 * sum(discounts[3:cut])
            assert equal(expected_dcg_of_eq7(level, cut, gain, d), beyond)
            assert equal(above(best, best, beyond), best / beyond - 1)


def exact_sp(N_p, n, k, H_k):
    """RS-EXP-9/L2."""
    return N_p / (n * (n - 1)) * ((N_p - 1) * k + (n - N_p) * H_k)


@pytest.mark.slow
@pytest.mark.spec("RS-BND-10", "RS-BND-10/L1", "RS-BND-10/L3", "RS-BND-10/L4", "RS-ERR-5")
def test_the_papers_bound_of_sp_and_the_expectation():
    h = symbols("h")[0]  # H_k
    printed = expected_sp_of_karmaker(N_p, n - N_p, k, SYMBOLS)
    assert equal(printed, k * (N_p / n) ** 2)
    for cut in range(1, 6):
        by_reference = expected_sp_of_group(0, 0, n, N_p, cut, SYMBOLS)
        assert equal(by_reference, exact_sp(N_p, n, cut, H(cut)))
    exactly = exact_sp(N_p, n, k, h)
    assert equal(exactly - printed, N_p * (n - N_p) / (n * (n - 1)) * (h - k / n))
    quotient = N_p * (n - 1) / n * k / ((N_p - 1) * k + (n - N_p) * h)
    assert equal(printed / exactly, quotient)
    assert equal(quotient.subs({k: 1, h: 1}, simultaneous=True), N_p / n)
    assert not equal(quotient, N_p / n)  # control
    limit = sympy.limit(exactly.subs(N_p, x * n), n, sympy.oo)
    assert equal(limit, k * x**2 + x * (1 - x) * h)
    assert equal(sympy.limit((exactly - printed).subs(N_p, x * n), n, sympy.oo), x * (1 - x) * h)
    assert not equal(limit, k * x**2)  # control: what the paper has for every n
    share = sympy.limit(quotient.subs(N_p, x * n), n, sympy.oo)
    assert equal(share, x * k / (x * k + (1 - x) * h))


@pytest.mark.spec("RS-BND-10/L2", "RS-BND-10/L3")
def test_the_papers_bound_of_sp_is_nearer_the_deeper_the_cut_off():
    """Of 1 + s relevant items among 1 + s + t, t >= 1. The share falls as H_k/k rises, and that
    falls with k, since H_k = 1 + u; the share is below 1 as long as H_k/k is above 1/n."""
    y = symbols("y")[0]  # H_k/k
    relevant, items = 1 + s, 1 + s + t
    share = relevant * (items - 1) / items / ((relevant - 1) + (items - relevant) * y)
    assert falls(share, y)
    assert not falls(-share, y)  # control
    step = (1 + u) / k - (1 + u + 1 / (k + 1)) / (k + 1)
    numerator, denominator = sympy.fraction(sympy.factor(step))
    assert nonnegative(numerator, k, u)
    assert nonnegative(denominator, k, u)
    assert equal(share.subs(y, 1 / items), 1)  # H_k/k > 1/n for k <= n, since H_k > 1 >= k/n


# Eq. 9: Σ_j j C(N_p, j) C(N_n, i - j) = N_p/(N_p + N_n) · i · C(N_p + N_n, i)


def step_up(i, j):
    """F(i + 1, j) / F(i, j), for F the quotient of a summand and the right side.

    C(N_n, i + 1 - j) / C(N_n, i - j) = (N_n - i + j) / (i + 1 - j), and the right side grows from i
    to i + 1 by (i + 1) C(n, i + 1) / (i C(n, i)) = (n - i) / i.
    """
    return (n - N_p - i + j) / (i + 1 - j) * i / (n - i)


def step_along(i, j):
    """F(i, j + 1) / F(i, j): C(N_p, j + 1) / C(N_p, j) = (N_p - j) / (j + 1), and
    C(N_n, i - j - 1) / C(N_n, i - j) = (i - j) / (N_n - i + j + 1)."""
    return (j + 1) / j * (N_p - j) / (j + 1) * (i - j) / (n - N_p - i + j + 1)


def certificate(i, j):
    """G(i, j) / F(i, j)."""
    return -(j - 1) * (n - N_p - i + j) / ((i + 1 - j) * (n - i))


def summand(counts, i, j):
    """F(i, j) in whole numbers; 0 < N_p, 0 < i <= n."""
    relevant, other = counts
    items = relevant + other
    right = Fraction(relevant, items) * i * comb(items, i)
    return j * comb(relevant, j) * comb(other, i - j) / right if 0 <= j <= i else Fraction(0)


@pytest.mark.spec("RS-EXP-5/L2", "RS-ERR-23")
def test_eq_9_by_a_certificate():
    """F(i + 1, j) - F(i, j) = G(i, j + 1) - G(i, j), with G a rational multiple of F: summed over j
    the right side is G(i, i + 2) - G(i, 1) = 0, so that Σ_j F(i, j) does not depend on i, for
    1 <= i <= n; at i = 1 it is F(1, 1) = 1.

    G(i, j) = -(j - 1) j C(N_p, j) C(N_n, i + 1 - j) / (...) is 0 for j = 1 and j >= i + 2.
    """
    i, j = symbols("i j")
    left = step_up(i, j) - 1
    right = certificate(i, j + 1) * step_along(i, j) - certificate(i, j)
    assert equal(left, right)
    assert not equal(left, certificate(i, j + 1) - certificate(i, j))  # control
    assert equal(certificate(i, sympy.Integer(1)), 0)
    # The steps are those of the summands: by gamma functions, for symbols.
    relevant, other = N_p, n - N_p

    def F(i, j):
        product = j * sympy.binomial(relevant, j) * sympy.binomial(other, i - j)
        return product / (relevant / n * i * sympy.binomial(n, i))

    assert sympy.combsimp(F(i + 1, j) / F(i, j) / step_up(i, j)) == 1
    assert sympy.combsimp(F(i, j + 1) / F(i, j) / step_along(i, j)) == 1
    assert sympy.combsimp(F(i, j + 1) / F(i, j) / step_up(i, j)) != 1  # control
    # At i = 1, and the sum at every i, also where N_p <= i or N_n < i.
    for counts in [(a, b) for a in range(1, 6) for b in range(5)]:
        assert summand(counts, 1, 1) == 1
        for size in range(1, sum(counts) + 1):
            assert sum(summand(counts, size, a) for a in range(1, size + 1)) == 1


@pytest.mark.spec("RS-ERR-23")
def test_the_papers_own_proof_of_eq_9():
    """Each step of its induction, with the sums of Vandermonde for numbers and the rest for
    symbols: absorption, Pascal's rule, and the last line."""
    i, j = symbols("i j")
    relevant, other = N_p, n - N_p
    absorbed = relevant * sympy.binomial(relevant - 1, j - 1)
    assert sympy.combsimp(j * sympy.binomial(relevant, j) / absorbed) == 1
    whole = sympy.binomial(other, i - j)  # C(N_n + 1, m) - C(N_n, m - 1) = C(N_n, m), m = i - j
    parts = sympy.binomial(other + 1, i - j), sympy.binomial(other, i - j - 1)
    assert equal(*(sympy.combsimp(part / whole) - x for part, x in zip(parts, (1, 0), strict=True)))
    last = (n - i + 1) * sympy.binomial(n, i - 1) / (i * sympy.binomial(n, i))
    assert sympy.combsimp(last) == 1
    induction = relevant - relevant / n * (i - 1)  # of C(n, i - 1)
    assert equal(induction, (n - i + 1) * relevant / n)
    for a in range(1, 6):
        for b in range(6):
            for size in range(1, a + b + 2):
                sums = [comb(a - 1, m - 1) * comb(b + 1, size - m) for m in range(1, size + 1)]
                assert sum(sums) == comb(a + b, size - 1)
