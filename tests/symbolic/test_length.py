"""The laws of length, derived from the reference's own functions.

Gains, discounts and the weights of the prior are symbols. Where an order is claimed, discounts and
weights are sums of steps >= 0 (a later rank, no higher discount, no more weight), and gains are
sums of steps >= 0 by label.
"""

from __future__ import annotations

from itertools import combinations, pairwise, permutations, product

import pytest
import sympy

from rankspec.reference.cascade import err, rbp
from rankspec.reference.dcg import dcg, idcg
from rankspec.reference.gain import discount_log, gain_exp2, gain_linear
from rankspec.reference.length import (
    Z,
    adjusted,
    dcg_of_one,
    err_of_one,
    expected_lap,
    expected_ldcg,
    expected_lerr,
    expected_lgap,
    expected_lndcg,
    expected_lrbp,
    gsp_of_one,
    ildcg,
    ildcg_eq7,
    lap,
    ldcg,
    lerr,
    lgap,
    lndcg,
    lrbp,
    prior,
    rbp_of_one,
    sp_of_one,
    user_expected_dcg,
    user_expected_dcg_vector,
)
from rankspec.reference.precision import sp
from rankspec.reference.ties import expectation

from .proof import SYMBOLS, equal, nonnegative, symbols

pytestmark = pytest.mark.slow(but=1)

M = 4
c, rel, gamma = symbols("c rel gamma")
gains = symbols(f"g1:{M + 2}")
discounts = symbols(f"d1:{M + 3}")
weights = symbols(f"w1:{M + 3}")
delta = symbols(f"delta1:{M + 2}")
omega = symbols(f"omega1:{M + 2}")
LAMBDA = sympy.log(2) / sympy.log(3)  # w(2)/w(1) of the defaults


def g(x):
    """Labels are their own gains."""
    return x


def d(i):
    return discounts[i - 1]


def w(i):
    return weights[i - 1]


def one(_):
    return sympy.Integer(1)


def falling(steps):
    """A function of the rank that does not rise."""
    return lambda i: sum(steps[i - 1 :])


def times(f, factor):
    return lambda x: factor * f(x)


def log2(i):
    return discount_log(i, 2, SYMBOLS)


def exp2(x):
    return gain_exp2(x, SYMBOLS)


def D(n):
    return sum(d(i) for i in range(1, n + 1))


def S(n):
    return sum(w(i) * d(i) for i in range(1, n + 1))


def numerator(x):
    """What decides the sign of a quotient of polynomials in positive symbols."""
    above, below = sympy.fraction(sympy.together(x))
    assert below.is_positive or nonnegative(below, *sorted(below.free_symbols, key=str))
    return sympy.expand(above)


# The prior, Z and the user's expected DCG


@pytest.mark.spec("RS-LEN-1", "RS-LEN-1/L1")
def test_the_prior_sums_to_one():
    for m in range(1, M + 1):
        assert equal(sum(prior(i, m, w) for i in range(1, m + 1)), 1)
        assert not equal(sum(prior(i, m, w) for i in range(1, m)), 1)  # control
        assert prior(m + 1, m, w) == 0


@pytest.mark.spec("RS-LEN-1/L2", "RS-LEN-1/L3")
def test_the_prior_does_not_rise_and_has_no_scale():
    step = falling(omega)
    for i in range(1, M):
        assert nonnegative(numerator(prior(i, M, step) - prior(i + 1, M, step)), *omega)
        assert not nonnegative(numerator(prior(i + 1, M, step) - prior(i, M, step)), *omega)
        assert equal(prior(i, M, times(w, c)), prior(i, M, w))
        assert not equal(prior(i, M, lambda j: c + w(j)), prior(i, M, w))  # control
        base = prior(i, M, lambda j: discount_log(j, 1 + c, SYMBOLS))
        assert equal(base, prior(i, M, log2))


@pytest.mark.spec("RS-LEN-2", "RS-LEN-2/L1")
def test_dcg_of_one_result_is_dcg_of_a_list():
    for i in range(1, M + 1):
        r = [0] * (i - 1) + [rel] + [0] * (M - i)
        assert equal(dcg_of_one(i, rel, d, SYMBOLS), dcg(r, M, exp2, d))
        assert not equal(dcg_of_one(i, rel, d, SYMBOLS), dcg(r, M, g, d))  # control
        assert equal(dcg_of_one(i, 1, d, SYMBOLS), d(i))


@pytest.mark.spec("RS-LEN-3", "RS-LEN-3/L1", "RS-LEN-3/L2")
def test_the_factor_Z():
    for m in range(1, M + 1):
        W = sum(w(i) for i in range(1, m + 1))
        assert equal(Z(m, rel, w, SYMBOLS) * W, 2**rel - 1)
        assert equal(Z(m, rel, w, SYMBOLS), (2**rel - 1) * Z(m, 1, w, SYMBOLS))
        assert not equal(Z(m, rel, w, SYMBOLS), 2**rel * Z(m, 1, w, SYMBOLS))  # control
        fall = numerator(Z(m, 1, w, SYMBOLS) - Z(m + 1, 1, w, SYMBOLS))
        assert nonnegative(fall, *weights)
        assert not nonnegative(-fall, *weights)  # control


@pytest.mark.spec("RS-LEN-4", "RS-LEN-4/L1", "RS-ERR-11")
def test_both_forms_of_eq_4():
    """The left form by the definition of an expectation; the right one up to N = M only."""
    z = Z(3, rel, w, SYMBOLS)
    for N in range(1, M + 2):
        left = sum(prior(i, 3, w) * dcg_of_one(i, rel, d, SYMBOLS) for i in range(1, N + 1))
        right = user_expected_dcg(N, d, w, z)
        assert equal(left, user_expected_dcg(min(N, 3), d, w, z))
        assert equal(left, right) == (N <= 3)  # beyond: a control
    assert equal(1 + LAMBDA**2, user_expected_dcg(2, log2, log2, Z(1, 1, log2, SYMBOLS)))


@pytest.mark.spec("RS-LEN-4/L2", "RS-LEN-4/L3")
def test_the_expectation_rises_by_less_and_less():
    z = symbols("z")[0]
    values = [0, *user_expected_dcg_vector(M, d, w, z)]
    steps = [b - a for a, b in pairwise(values)]
    for i, step in enumerate(steps, start=1):
        assert equal(step, z * w(i) * d(i))
        assert not equal(step, z * w(i) * d(i + 1))  # control
        assert equal(values[i], user_expected_dcg(i, d, w, z))
    ordered = user_expected_dcg_vector(M, falling(delta), falling(omega), 1)
    for a, b, e in zip([0, *ordered], ordered, ordered[1:], strict=False):
        assert nonnegative((b - a) - (e - b), *delta, *omega)
        assert not nonnegative((e - b) - (b - a), *delta, *omega)  # control


@pytest.mark.spec("RS-LEN-4/L3")
def test_the_derivative_of_a_step_of_the_defaults():
    x = symbols("x")[0]
    derivative = sympy.diff(1 / sympy.log(x + 1, 2) ** 2, x)
    law = -2 * sympy.log(2) ** 2 / ((x + 1) * sympy.log(x + 1) ** 3)
    assert sympy.simplify(derivative - law) == 0
    assert law.is_negative
    assert sympy.simplify(derivative - law / 2) != 0  # control


@pytest.mark.spec("RS-LEN-4/L4", "RS-LEN-4/L5")
def test_the_expectation_by_rel_and_its_bound():
    of_rel = user_expected_dcg(3, d, w, Z(M, rel, w, SYMBOLS))
    of_one = user_expected_dcg(3, d, w, Z(M, 1, w, SYMBOLS))
    assert equal(of_rel, (2**rel - 1) * of_one)
    assert not equal(of_rel, rel * of_one)  # control
    for N in range(1, M + 1):
        value = user_expected_dcg(N, falling(delta), w, Z(M, 1, w, SYMBOLS))
        spare = numerator(falling(delta)(1) - value)
        assert nonnegative(spare, *delta, *weights)
        assert not nonnegative(-spare, *delta, *weights)  # control


# LDCG


@pytest.mark.spec("RS-LEN-5", "RS-LEN-5/L1", "RS-LEN-5/L3", "RS-LEN-5/L8", "RS-LEN-3/L3")
def test_ldcg_as_a_mean_and_as_dcg_of_its_length():
    z = Z(M, 1, w, SYMBOLS)
    for N in range(1, M + 1):
        r = gains[:N]
        Q = ldcg(r, M, g, d, w, 1)
        shares = [w(i) * d(i) / S(N) for i in range(1, N + 1)]
        assert equal(sum(shares), 1)
        assert equal(Q, sum(r[i - 1] / w(i) * shares[i - 1] for i in range(1, N + 1)))
        assert equal(Q, dcg(r, N, g, d) / S(N))
        assert equal(ldcg(r, M, g, d, w, z), Q * sum(weights[:M]))
        assert equal(ldcg(gains[: N + 1], N, g, d, w, 1), Q)  # cut at M = N
        assert not equal(Q, dcg(r, N, g, d) / D(N))  # control
    assert not equal(ldcg(gains[:3], M, g, d, w, 1), ldcg(gains[:3], 2, g, d, w, 1))  # control


@pytest.mark.spec("RS-LEN-5/L2")
def test_a_swap_or_an_upgrade_changes_ldcg_as_it_does_dcg():
    r = gains[:M]
    for i, j in combinations(range(M), 2):
        moved = list(r)
        moved[i], moved[j] = r[j], r[i]
        change = ldcg(moved, M, g, d, w, 1) - ldcg(r, M, g, d, w, 1)
        assert equal(change, (r[j] - r[i]) * (d(i + 1) - d(j + 1)) / S(M))
        assert not equal(change, (r[j] - r[i]) * (d(i + 1) - d(j + 1)))  # control
        raised = [*r[:i], gains[M], *r[i + 1 :]]
        rise = ldcg(raised, M, g, d, w, 1) - ldcg(r, M, g, d, w, 1)
        assert equal(rise, (gains[M] - r[i]) * d(i + 1) / S(M))


@pytest.mark.slow
@pytest.mark.spec("RS-LEN-5/L4", "RS-LEN-5/L5")
def test_a_result_more():
    for N in range(1, M):
        r = list(gains[:N])
        change = ldcg([*r, gamma], M, g, d, w, 1) - ldcg(r, M, g, d, w, 1)
        direction = d(N + 1) * (gamma * S(N) - w(N + 1) * dcg(r, N, g, d))
        assert equal(change, direction / (S(N) * S(N + 1)))
        assert not equal(change, direction / S(N))  # control
        of_nothing = ldcg([*r, 0], M, g, d, w, 1) - ldcg(r, M, g, d, w, 1)
        assert equal(of_nothing, -w(N + 1) * d(N + 1) * dcg(r, N, g, d) / (S(N) * S(N + 1)))


@pytest.mark.spec("RS-LEN-5/L6")
def test_a_result_as_good_as_the_best_never_lowers_ldcg():
    """Every gain is gamma less a shortfall; the weights fall by steps."""
    short = symbols(f"s1:{M + 1}")
    v = falling(omega)
    for N in range(1, M):
        r = [gamma - s for s in short[:N]]
        total = sum(v(i) * d(i) for i in range(1, N + 1))
        direction = gamma * total - v(N + 1) * dcg(r, N, g, d)
        assert nonnegative(direction, gamma, *short, *omega, *discounts)
        rising = gamma * total - 2 * v(1) * dcg(r, N, g, d)
        assert not nonnegative(rising, gamma, *short, *omega, *discounts)  # control


@pytest.mark.slow
@pytest.mark.spec("RS-LEN-5/L7")
def test_scales_of_gain_discount_and_prior():
    r = gains[:3]

    def value(gain=g, discount=d, weight=w, *, with_Z):
        return ldcg(r, M, gain, discount, weight, Z(M, 1, weight, SYMBOLS) if with_Z else 1)

    for with_Z in (True, False):
        before = value(with_Z=with_Z)
        assert equal(value(gain=times(g, c), with_Z=with_Z), c * before)
        assert equal(value(discount=times(d, c), with_Z=with_Z), before)
        assert not equal(value(discount=lambda i: c + d(i), with_Z=with_Z), before)  # control
    same = value(weight=d, with_Z=True)
    assert equal(value(discount=times(d, c), weight=times(d, c), with_Z=True), same)
    same = value(weight=d, with_Z=False)
    assert equal(value(discount=times(d, c), weight=times(d, c), with_Z=False), same / c)
    assert equal(value(weight=times(w, c), with_Z=True), value(with_Z=True))
    assert equal(value(weight=times(w, c), with_Z=False), value(with_Z=False) / c)


@pytest.mark.spec("RS-LEN-5/L7", "RS-LEN-9/L7")
def test_with_Z_the_base_of_the_logarithm_does_not_matter():
    def of_base(base, *, with_Z):
        def by(i):
            return discount_log(i, base, SYMBOLS)

        return ldcg(gains[:3], M, g, by, by, Z(M, 1, by, SYMBOLS) if with_Z else 1)

    assert equal(of_base(1 + c, with_Z=True), of_base(2, with_Z=True))
    assert not equal(of_base(1 + c, with_Z=False), of_base(2, with_Z=False))  # control


# The ideal


@pytest.mark.spec("RS-LEN-6", "RS-LEN-6/L1", "RS-LEN-6/L2")
def test_the_ideal_of_eq_7():
    a, b = gains[:2]
    table = [0, b, a].__getitem__
    for R in range(1, M + 1):
        J = [1, *[2] * R, 0]
        assert equal(ildcg_eq7(J, M, table, d, w, 1), a * D(R) / S(R))
        assert equal(ildcg_eq7(J, M, table, d, w, 1), ldcg([2] * R, M, table, d, w, 1))
        assert not equal(ildcg_eq7(J, M, table, d, w, 1), ldcg(J[:R], M, table, d, w, 1))
    v = falling(omega)

    def by_R(R):
        return ildcg_eq7([1] * R, M, lambda _: 1, d, v, 1)

    for R in range(1, M):
        assert nonnegative(numerator(by_R(R + 1) - by_R(R)), *discounts, *omega)
        assert not nonnegative(numerator(by_R(R) - by_R(R + 1)), *discounts, *omega)  # control


@pytest.mark.spec("RS-LEN-7", "RS-LEN-7/L2")
@pytest.mark.slow
def test_a_step_is_a_mediant():
    """Q(N) - Q(N-1) and g/w(N) - Q(N) have the sign of g/w(N) - Q(N-1).

    So a step that does not lower Q leaves it at most g/w(N), which does not fall within a block.
    """
    for N in range(2, M + 1):
        r = gains[:N]
        before, after = ldcg(r[:-1], M, g, d, w, 1), ldcg(r, M, g, d, w, 1)
        distance = r[-1] / w(N) - before
        assert equal(after - before, w(N) * d(N) / S(N) * distance)
        assert equal(r[-1] / w(N) - after, S(N - 1) / S(N) * distance)
        assert not equal(after - before, S(N - 1) / S(N) * distance)  # control


@pytest.mark.spec("RS-LEN-7/L1")
def test_no_list_has_more_than_the_ideal_ranking_of_its_length():
    """All have the same divisor, and the DCG of none is above (RS-DCG-5/L1)."""
    epsilon = symbols("epsilon:3")

    def rising(label):
        return sum(epsilon[: label + 1])

    pool = [0, 1, 2]
    for n in (1, 2, 3):
        best = idcg(pool, n, rising, falling(delta))
        for r in permutations(pool, n):
            spare = numerator(
                best / user_expected_dcg(n, falling(delta), falling(omega), 1)
                - ldcg(r, M, rising, falling(delta), falling(omega), 1)
            )
            assert nonnegative(spare, *epsilon, *delta, *omega)
            if list(r) != [2, 1, 0][:n]:
                assert not nonnegative(-spare, *epsilon, *delta, *omega)  # control


@pytest.mark.slow
@pytest.mark.spec("RS-LEN-8", "RS-LEN-8/L1", "RS-LEN-8/L2", "RS-LEN-8/L3")
def test_the_boundary_of_eq_7():
    """Q(R) - Q(C) has the sign of the difference of the two sides of the law."""
    a, b = gains[:2]
    for C in range(2, M + 1):
        for R in range(1, C):
            block = [a] * R
            difference = ldcg(block, M, g, d, w, 1) - ldcg([*block, *gains[R:C]], M, g, d, w, 1)
            left = sum(gains[i - 1] / a * d(i) for i in range(R + 1, C + 1))
            right = D(R) / S(R) * (S(C) - S(R))
            assert equal(difference * S(C) / a, right - left)
            assert not equal(difference * S(C) / a, right + left)  # control
            beta = (S(C) - S(R)) / (D(C) - D(R)) / (S(R) / D(R))
            of_two = ldcg(block, M, g, d, w, 1) - ldcg([*block, *[b] * (C - R)], M, g, d, w, 1)
            assert equal(of_two * S(C) / a, (beta - b / a) * (D(C) - D(R)))


@pytest.mark.spec("RS-LEN-8/L3")
def test_beta_does_not_rise():
    v, R = falling(omega), 1

    def beta(C):
        ranks = range(R + 1, C + 1)
        return sum(v(i) * d(i) for i in ranks) / sum(d(i) for i in ranks) / v(1)

    for C in range(R + 1, M):
        assert nonnegative(numerator(beta(C) - beta(C + 1)), *discounts, *omega)
        assert not nonnegative(numerator(beta(C + 1) - beta(C)), *discounts, *omega)  # control


@pytest.mark.spec("RS-LEN-8/L4", "RS-LEN-9/L8")
def test_with_a_uniform_prior_the_ideal_is_the_highest_gain():
    top, steps = gains[0], gains[1 : M + 1]
    for N in range(1, M + 1):
        r = [top - s for s in steps[:N]]
        shortfall = numerator(top - ldcg(r, M, g, d, one, 1))
        assert nonnegative(shortfall, *steps, *discounts)
        assert not nonnegative(-shortfall, *steps, *discounts)  # control
        assert equal(ldcg([top] * N, M, g, d, one, 1), top)
    table = [0, 1, 3].__getitem__
    J, r = [2, 2, 1, 0], [1, 0, 2]
    mean = (d(1) / 3 + d(3)) / D(3)
    assert equal(lndcg(r, J, M, table, d, one, "eq7", SYMBOLS), mean)
    assert not equal(lndcg(r, J, M, table, d, w, "eq7", SYMBOLS), mean)  # control


@pytest.mark.spec("RS-LEN-8/L6")
def test_when_two_results_differ():
    a, b = gains[:2]
    difference = ldcg([a, b], M, g, d, w, 1) - ldcg([a], M, g, d, w, 1)
    assert equal(difference, d(2) * (b * w(1) - a * w(2)) / (w(1) * S(2)))
    assert not equal(difference, d(2) * (b * w(1) - a * w(1)) / (w(1) * S(2)))  # control
    for m, printed in ((1, "0.7057"), (2, "1.5325"), (3, "2.4374")):
        threshold = sympy.log(1 + (2**m - 1) * LAMBDA, 2)
        assert equal(ldcg([threshold], 1, exp2, one, one, 1), LAMBDA * (2**m - 1))
        assert f"{float(threshold):.4f}" == printed
    # With c = 2^-m the difference m - threshold is -log2(c + (1 - c) λ), for large m log2(1/λ).
    assert equal((c + (1 - c) * LAMBDA) / c, 1 + (1 / c - 1) * LAMBDA)
    assert f"{float(sympy.log(1 / LAMBDA, 2)):.4f}" == "0.6644"


@pytest.mark.spec("RS-LEN-8/L2", "RS-ERR-8")
def test_a_counterexample_to_eq_7():
    J = [5, 4, 4, 4, 4, 4]
    assert ildcg_eq7(J, 6, exp2, log2, log2, 1) == 31
    assert ildcg(J, 6, exp2, log2, log2, 1, SYMBOLS) > 31
    assert ildcg(J, 5, exp2, log2, log2, 1, SYMBOLS) == 31  # control


# LNDCG


@pytest.mark.spec("RS-LEN-9", "RS-LEN-9/L5", "RS-LEN-9/L7")
def test_lndcg_is_free_of_Z_and_of_scales():
    """eq. 7 is the ideal here: the comparisons of the other need gains with an order."""
    table = [0, gains[0], gains[1]].__getitem__
    r, J = [1, 2, 0], [2, 1, 2]

    def value(gain=table, discount=d, weight=w):
        return lndcg(r, J, M, gain, discount, weight, "eq7", SYMBOLS)

    for z in (c, Z(M, rel, w, SYMBOLS)):
        quotient = ldcg(r, M, table, d, w, z) / ildcg_eq7(J, M, table, d, w, z)
        assert equal(quotient, value())
    mixed = ldcg(r, M, table, d, w, c) / ildcg_eq7(J, M, table, d, w, 1)
    assert not equal(mixed, value())  # control
    assert equal(value(gain=times(table, c)), value())
    assert equal(value(discount=times(d, c)), value())
    assert equal(value(weight=times(w, c)), value())
    assert equal(value(discount=times(d, c), weight=times(d, c)), value(weight=d))
    assert not equal(value(weight=lambda i: c + w(i)), value())  # control


@pytest.mark.spec("RS-LEN-9/L6", "RS-ERR-10")
def test_lndcg_depends_on_M():
    for which in ("true", "eq7"):
        values = [lndcg([1], [1, 1, 1], m, exp2, log2, log2, which, SYMBOLS) for m in (1, 2, 3)]
        square = LAMBDA**2
        law = [1, (1 + square) / (1 + LAMBDA), (square + sympy.Rational(5, 4)) / (LAMBDA + 1.5)]
        for value, expected in zip(values, law, strict=True):
            assert abs((value - expected).evalf(30)) < 1e-14
        assert [f"{float(x):.4f}" for x in values] == ["1.0000", "0.8572", "0.7734"]
        deeper = lndcg([1], [1, 1, 1], 4, exp2, log2, log2, which, SYMBOLS)
        assert deeper.evalf(30) == values[2].evalf(30)  # control: M >= n and M >= |J|


@pytest.mark.spec("RS-LEN-9/L3")
def test_the_ideal_list_has_one():
    assert lndcg([2, 1], [1, 2, 0], M, exp2, log2, log2, "true", SYMBOLS) != 1
    assert lndcg([2], [1, 2, 0], M, exp2, log2, log2, "true", SYMBOLS) == 1


# The constraints


@pytest.mark.spec("RS-LEN-10", "RS-LEN-10/L1", "RS-LEN-10/L6", "RS-ERR-9")
def test_when_C1_holds():
    high, low = gains[:2]
    difference = ldcg([high], 2, g, d, w, 1) - ldcg([high, low], 2, g, d, w, 1)
    assert equal(difference, d(2) * (high * w(2) - low * w(1)) / (w(1) * S(2)))
    assert not equal(difference, d(2) * (high * w(1) - low * w(2)) / (w(1) * S(2)))  # control
    assert ldcg([high, low], 1, g, d, w, 1) == ldcg([high], 1, g, d, w, 1)  # M = 1
    for k in (1, 2):
        more = dcg([high, low], k, g, d) - dcg([high], k, g, d)
        assert more == (0 if k == 1 else low * d(2))


@pytest.mark.spec("RS-LEN-10/L2", "RS-LEN-10/L3", "RS-LEN-10/L4", "RS-LEN-10/L5")
def test_C1_by_gain_and_prior():
    """C1 is g(r3) < g(r1) · w(2)/w(1)."""
    x, lam = symbols("x lambda")  # x = r1 - 1 for integer labels
    half = gain_exp2(x + 1, SYMBOLS) / 2 - gain_exp2(x, SYMBOLS)
    assert equal(half, sympy.Rational(1, 2))  # so g(r1 - 1) < g(r1)/2, and w(2) >= w(1)/2 suffices
    assert not equal(half, 0)  # control
    assert sympy.Rational(1, 2) < LAMBDA
    threshold = sympy.log(1 + lam * (2**x - 1), 2)
    assert equal(sympy.simplify(gain_exp2(threshold, SYMBOLS)), lam * gain_exp2(x, SYMBOLS))
    assert [gain_linear(r, SYMBOLS) - (r + 1) * LAMBDA > 0 for r in (0, 1, 2, 3)] == [
        False, False, True, True,
    ]  # fmt: skip
    high, low = gains[:2]
    uniform = ldcg([high + low], 2, g, d, one, 1) - ldcg([high + low, low], 2, g, d, one, 1)
    assert equal(uniform, d(2) * high / D(2))


@pytest.mark.spec("RS-LEN-11", "RS-LEN-11/L1", "RS-LEN-11/L2", "RS-LEN-11/L3", "RS-LEN-11/L4")
def test_when_C2_holds():
    x = gains[0]
    difference = ldcg([x, x], 2, g, d, w, 1) - ldcg([x], 2, g, d, w, 1)
    assert equal(difference, x * d(2) * (w(1) - w(2)) / (w(1) * S(2)))
    assert not equal(difference, x * d(2) * w(1) / (w(1) * S(2)))  # control
    assert equal(ldcg([x, x], 2, g, d, one, 1), ldcg([x], 2, g, d, one, 1))
    assert LAMBDA < 1
    assert ldcg([x, x], 1, g, d, w, 1) == ldcg([x], 1, g, d, w, 1)
    assert [dcg([x, x], k, g, d) - dcg([x], k, g, d) for k in (1, 2)] == [0, x * d(2)]


# The adjustment of any metric


@pytest.mark.spec("RS-LEN-12", "RS-LEN-12/L1")
def test_the_adjustment_of_dcg_is_ldcg():
    high, low = gains[:2]
    value = adjusted(dcg([high, low], 2, g, d), 2, 2, d, w, 1)
    assert equal(value, ldcg([high, low], 2, g, d, w, 1))
    assert not equal(value, adjusted(dcg([high, low], 2, g, d), 1, 2, d, w, 1))  # control


@pytest.mark.spec("RS-LEN-12/L2", "RS-LEN-12/L3")
def test_the_adjustment_of_err():
    """Multiplied crosswise, the differences are the two conditions; Ra and Rb stay below 1."""
    Ra, Rb, lam = symbols("Ra Rb lambda")
    prior = lambda i: sympy.S.One if i == 1 else lam  # noqa: E731

    def lerr(stops):
        total, on = sympy.S.Zero, sympy.S.One
        for i, stop in enumerate(stops, 1):
            total, on = total + on * stop / i, on * (1 - stop)
        return adjusted(total, len(stops), 2, lambda i: err_of_one(i, sympy.S.One), prior, 1)

    below = 2 * (1 + lam / 2)
    assert equal((lerr([Ra]) - lerr([Ra, Rb])) * below, Ra * lam - (1 - Ra) * Rb)
    assert equal((lerr([Ra, Ra]) - lerr([Ra])) * below, Ra * ((1 - Ra) - lam))
    assert not equal((lerr([Ra, Ra]) - lerr([Ra])) * below, Ra * (1 - lam))  # control


@pytest.mark.spec("RS-LEN-12/L5", "RS-LEN-12/L6")
def test_the_adjustment_of_ap_and_rbp():
    lam, p = symbols("lambda p")
    prior = lambda i: sympy.S.One if i == 1 else lam  # noqa: E731

    def lap(R):
        return adjusted(sp(R, 2, SYMBOLS), len(R), 2, lambda i: sp_of_one(i, SYMBOLS), prior, 1)

    assert equal((lap([1]) - lap([1, 0])) * (1 + lam / 2), lam / 2)
    assert equal((lap([1, 1]) - lap([1])) * (1 + lam / 2), 1 - lam / 2)

    def lrbp(R):
        return adjusted(rbp(R, 2, p, SYMBOLS), len(R), 2, rbp_of_one(p, SYMBOLS), prior, 1)

    assert equal((lrbp([1]) - lrbp([1, 0])) * (1 + lam * p), lam * p)
    assert equal((lrbp([1, 1]) - lrbp([1])) * (1 + lam * p), p * (1 - lam))
    assert not equal(lrbp([1, 1]), lrbp([1]))  # control


@pytest.mark.slow
@pytest.mark.spec("RS-LEN-13", "RS-LEN-13/L1", "RS-LEN-13/L2", "RS-LEN-13/L3")
def test_lerr():
    stops, R_rel = symbols("R1:5"), symbols("R_rel")[0]
    table = lambda x: 0 if x is None else stops[x]  # noqa: E731
    for N in range(1, M + 1):
        r = list(range(N))
        below = R_rel * sum(w(i) / i for i in range(1, N + 1))
        value = lerr(r, M, table, R_rel, w, c)
        assert equal(value, err(r, M, table) / (c * below))
        assert not equal(value, err(r, M, table) / below)  # control
        for shown in range(1, N):  # cut at M, a list is its first M items
            assert equal(lerr(r, shown, table, R_rel, w, c), lerr(r[:shown], M, table, R_rel, w, c))
        if N < M:
            longer = lerr([*r, None], M, table, R_rel, w, 1)
            share = w(N + 1) * R_rel / (N + 1) / below
            assert equal(longer * (1 + share), lerr(r, M, table, R_rel, w, 1))
    assert equal(lerr([0], M, table, R_rel, w, 1), stops[0] / (R_rel * w(1)))
    assert lerr([], M, table, R_rel, w, 1) == 0


@pytest.mark.spec("RS-LEN-14", "RS-LEN-14/L1", "RS-LEN-14/L2", "RS-LEN-14/L3", "RS-LEN-14/L4")
def test_lap():
    S_inverse = lambda N: sum(w(i) / i for i in range(1, N + 1))  # noqa: E731
    for R in product([0, 1], repeat=3):
        value = lap(R, M, w, 1, SYMBOLS)
        assert equal(value, sp(R, M, SYMBOLS) / S_inverse(3))
        of_ap = adjusted(sp(R, M, SYMBOLS) / c, 3, M, lambda i: sp_of_one(i, SYMBOLS) / c, w, 1)
        assert equal(value, of_ap)  # any divisor c
        longer = lap([*R, 0], M, w, 1, SYMBOLS)
        assert equal(longer * (S_inverse(3) + w(4) / 4), value * S_inverse(3))
        assert sum(R) == 0 or not equal(longer, value)  # control
    for N in range(1, M + 1):
        assert equal(lap([1] * N, M, w, 1, SYMBOLS), N / S_inverse(N))
    v = falling(omega)
    for N in range(1, M):
        step = lap([1] * (N + 1), M, v, 1, SYMBOLS) - lap([1] * N, M, v, 1, SYMBOLS)
        assert nonnegative(numerator(step), *omega)
        assert not nonnegative(numerator(-step), *omega)  # control
    assert lap([], M, w, 1, SYMBOLS) == 0


@pytest.mark.spec("RS-LEN-17", "RS-LEN-17/L5")
def test_the_constraints_of_any_measure():
    A, of_a, of_both = symbols("A1:3"), *symbols("a b")
    v = symbols("w1:3")
    weight, one = (lambda i, x=x: x[i - 1] for x in (v, A))
    S = v[0] * A[0] + v[1] * A[1]
    short, long = (adjusted(x, n, 2, one, weight, 1) for n, x in ((1, of_a), (2, of_both)))
    assert equal((short - long) * v[0] * A[0] * S, of_a * S - of_both * v[0] * A[0])
    assert not equal((short - long) * v[0] * A[0] * S, of_a * S - of_both * A[0])  # control


def of_graded(r, q):
    """GSP of labels: the probabilities that an item and one above it, or itself, are relevant."""
    both = [[sum(q[: min(a, b)]) for a in r[: i + 1]] for i, b in enumerate(r)]
    return sum(sum(pairs) / sympy.Integer(i) for i, pairs in enumerate(both, 1))


@pytest.mark.spec("RS-LEN-12/L7", "RS-LEN-16", "RS-LEN-16/L1", "RS-LEN-16/L3", "RS-LEN-16/L4")
@pytest.mark.spec("RS-LEN-16/L5", "RS-LEN-16/L6")
def test_lgap():
    q = symbols("q1:4")
    pi = [sum(q[:x]) for x in range(4)]
    S_inverse = lambda N: sum(w(i) / i for i in range(1, N + 1))  # noqa: E731
    for r in [(3, 1, 2), (0, 2, 2), (1, 0, 3), (0, 0, 0)]:
        value = lgap(r, M, q, w, 1, SYMBOLS)
        assert equal(value, of_graded(r, q) / (q[0] * S_inverse(3)))
        of_gap = adjusted(of_graded(r, q) / c, 3, M, lambda i: gsp_of_one(i, q, SYMBOLS) / c, w, 1)
        assert equal(value, of_gap)  # any divisor c
        assert equal(value, lgap(r, M, [c * x for x in q], w, 1, SYMBOLS))
        longer = lgap([*r, 0], M, q, w, 1, SYMBOLS)
        assert equal(longer * S_inverse(4), value * S_inverse(3))
        assert sum(r) == 0 or not equal(longer, value)  # control
        of_one = lgap(r, M, [0, q[1], 0], w, 1, SYMBOLS)
        assert equal(of_one, lap([int(x >= 2) for x in r], M, w, 1, SYMBOLS))
    for falling_list in ([3, 2, 2, 1], [2, 2, 0, 0]):
        total = lgap(falling_list, M, q, w, 1, SYMBOLS) * q[0] * S_inverse(4)
        assert equal(total, sum(pi[x] for x in falling_list))
    a, b = 3, 1
    below = q[0] * (w(1) + w(2) / 2)
    one, two, both = (lgap(r, 2, q, w, 1, SYMBOLS) for r in ([a], [a, b], [a, a]))
    assert equal(one, pi[a] / (q[0] * w(1)))
    assert equal(two, (pi[a] + pi[b]) / below)
    assert equal(both, 2 * pi[a] / below)
    assert lgap([], M, q, w, 1, SYMBOLS) == 0


@pytest.mark.slow
@pytest.mark.spec("RS-LEN-15", "RS-LEN-15/L1", "RS-LEN-15/L2", "RS-LEN-15/L3", "RS-LEN-15/L5")
def test_lrbp():
    p = symbols("p")[0]
    power = lambda i: p ** (i - 1)  # noqa: E731
    for R in product([0, 1], repeat=3):
        value = lrbp(R, M, p, w, c, SYMBOLS)
        assert equal(value, ldcg(R, M, g, power, w, c))
        below = c * (1 - p) * sum(w(i) * power(i) for i in range(1, 4))
        assert equal(value, rbp(R, M, p, SYMBOLS) / below)
        longer = lrbp([*R, 0], M, p, w, c, SYMBOLS)
        assert equal(longer * (below + c * (1 - p) * w(4) * power(4)), value * below)
        assert sum(R) == 0 or not equal(longer, value)  # control
    for N in range(1, M + 1):
        own = lrbp([1] * N, M, p, power, 1, SYMBOLS)
        assert equal(own, (1 + p) / (1 + p**N))
        assert not equal(own, (1 + p) / (1 + p ** (N + 1)))  # control
    assert lrbp([], M, p, w, 1, SYMBOLS) == 0


# The expectation over ties


@pytest.mark.spec("RS-EXP-29", "RS-EXP-29/L1")
@pytest.mark.parametrize("sizes", [(3,), (1, 2), (2, 1)])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_the_expectation_of_adjusted_metrics(sizes, m):
    stops, p = symbols("R1:4"), symbols("p")[0]
    labels = iter([0, 1, 2])
    groups = [[next(labels) for _ in range(size)] for size in sizes]
    mean = expectation(lambda r: lerr(r, m, stops.__getitem__, gamma, w, c), groups)
    value = expected_lerr(groups, m, stops.__getitem__, gamma, w, c)
    assert equal(value, mean)
    assert not equal(value, 2 * mean)  # control
    R = [[int(x != 1) for x in group] for group in groups]
    mean = expectation(lambda r: lap(r, m, w, c, SYMBOLS), R)
    assert equal(expected_lap(R, m, w, c, SYMBOLS), mean)
    mean = expectation(lambda r: lrbp(r, m, p, w, c, SYMBOLS), R)
    assert equal(expected_lrbp(R, m, p, w, c, SYMBOLS), mean)
    q = symbols("q1:3")
    mean = expectation(lambda r: lgap(r, m, q, w, c, SYMBOLS), groups)
    assert equal(expected_lgap(groups, m, q, w, c, SYMBOLS), mean)


@pytest.mark.slow(but=4)
@pytest.mark.spec("RS-EXP-11", "RS-EXP-11/L1", "RS-EXP-12", "RS-EXP-12/L1")
@pytest.mark.parametrize("sizes", [(3,), (1, 2), (2, 1), (1, 1, 1)])
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_the_expectation_is_the_mean_over_all_orders(sizes, m):
    table = [0, *gains[:3]].__getitem__
    labels = iter([1, 3, 2])
    groups = [[next(labels) for _ in range(size)] for size in sizes]
    z = c
    mean = expectation(lambda r: ldcg(r, m, table, d, w, z), groups)
    assert equal(expected_ldcg(groups, m, table, d, w, z), mean)
    J = [3, 1, 2]
    mean = expectation(lambda r: lndcg(r, J, m, table, d, w, "eq7", SYMBOLS), groups)
    value = expected_lndcg(groups, J, m, table, d, w, "eq7", SYMBOLS)
    assert equal(value, mean)
    first = lndcg([1, 3, 2], J, m, table, d, w, "eq7", SYMBOLS)
    assert equal(value, first) == (sizes == (1, 1, 1) or (m == 1 and sizes[0] == 1))  # control


@pytest.mark.spec("RS-EXP-11/L2")
def test_the_expectation_of_a_list_that_is_all_tied():
    for m in (1, 2, 3, 4):
        N = min(3, m)
        value = expected_ldcg([gains[:3]], m, g, d, w, c)
        assert equal(value, sum(gains[:3]) / 3 * D(N) / (c * S(N)))
        assert not equal(value, sum(gains[:3]) / N * D(N) / S(N))  # control
