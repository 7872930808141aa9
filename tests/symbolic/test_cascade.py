"""The laws of ERR, nERR, RBP and its residual, derived from the reference's own functions.

The probabilities to stop are symbols: a label is its own probability. Where an order is claimed,
the probabilities to go on are sums of steps >= 0, so that a difference without negative
coefficients is never negative.
"""

from __future__ import annotations

from itertools import combinations, permutations, product

import pytest
import sympy

from rankspec.reference.cascade import err, ierr, nerr, rbp, rbp_residual
from rankspec.reference.dcg import dcg
from rankspec.reference.precision import rr

from .proof import SYMBOLS, equal, nonnegative, symbols

N = 4
x = symbols(f"x1:{N + 2}")  # probabilities to stop, or relevance indicators
u = symbols(f"u1:{N + 1}")
q = symbols(f"q1:{N + 2}")  # probabilities to go on
delta = symbols(f"delta:{N + 1}")
epsilon, p, rho = symbols("epsilon p rho")


def R(label):
    """Labels are their own probabilities to stop."""
    return label


def stopping(going_on):
    return [1 - q_i for q_i in going_on]


def rising(label):
    """A probability to stop that does not fall with the label, 0 to 3; what goes on is positive."""
    return 1 - sum(delta[: N - label])


def same(a, b) -> bool:
    """Whether two polynomials are the same."""
    return sympy.expand(a - b) == 0


def after(going_on):
    """<Q_0, Q_1, ...>."""
    shares = [sympy.Integer(1)]
    for q_i in going_on:
        shares.append(shares[-1] * q_i)
    return shares


@pytest.mark.spec("RS-CAS-2/L1", "RS-CAS-2/L3")
def test_err_by_those_who_go_on():
    """And so it is at most 1: what it lacks has no negative coefficient in those who go on."""
    for n, k in product(range(N + 1), range(1, N + 2)):
        Q = after(q[:n])
        Q += [Q[-1]] * k
        steps = sum((Q[i - 1] - Q[i]) / sympy.Integer(i) for i in range(1, k + 1))
        falls = sum(Q[i] / sympy.Integer(i * (i + 1)) for i in range(1, k))
        value = err(stopping(q[:n]), k, R)
        assert same(value, steps)
        assert same(value, 1 - falls - Q[k] / k)
        assert nonnegative(1 - value, *q)
        assert not same(value, 1 - falls - Q[k] / (k + 1))  # control


@pytest.mark.spec("RS-CAS-2/L2")
def test_err_is_linear_in_each_and_no_more():
    for n, k in product(range(1, N + 1), range(1, N + 2)):
        value = sympy.Poly(sympy.expand(err(x[:n], k, R)), *x[:n])
        assert max(value.degree_list()) == 1
        assert value.total_degree() == min(k, n)


@pytest.mark.spec("RS-CAS-2/L3")
def test_the_terms_of_an_endless_list_are_those_of_a_logarithm():
    """ρ (1 - ρ)^(i-1) / i, of which the sum is ρ/(1 - ρ) · -ln(1 - (1 - ρ))."""
    y = sympy.Symbol("y")
    series = sympy.series(-sympy.log(1 - y) / y, y, 0, N).removeO()
    value = err([rho] * N, N, R)
    assert same(value, rho * series.subs(y, 1 - rho))
    assert not same(value, series.subs(y, 1 - rho))  # control


@pytest.mark.spec("RS-CAS-2/L4", "RS-CAS-4/L3")
def test_a_better_item_moved_up_never_lowers_err():
    """It stops ε more of the users than the one above it, with which it changes places."""
    for k, (i, j) in product(range(1, N + 2), combinations(range(N), 2)):
        worse_above = list(q[:N])
        worse_above[i] = q[j] + epsilon
        moved = list(q[:N])
        moved[i], moved[j] = q[j], q[j] + epsilon
        rise = err(stopping(moved), k, R) - err(stopping(worse_above), k, R)
        assert nonnegative(rise, *q, epsilon)
        assert (sympy.expand(rise) == 0) == (i >= k)  # else it rises, where users get there
        if i < k:
            assert not nonnegative(-rise, *q, epsilon)  # control


@pytest.mark.spec("RS-CAS-2/L4")
def test_a_swap_of_neighbours_changes_err_by_a_known_amount():
    for i in range(1, N):
        swapped = [*x[: i - 1], x[i], x[i - 1], *x[i + 1 : N]]
        above = sympy.prod([1 - y for y in x[: i - 1]])
        change = err(swapped, N, R) - err(x[:N], N, R)
        assert same(change, above * (x[i] - x[i - 1]) / (i * (i + 1)))
        assert not same(change, above * (x[i] - x[i - 1]) / i)  # control


@pytest.mark.spec("RS-CAS-2/L5", "RS-CAS-2/L6", "RS-CAS-4/L3")
def test_an_upgrade_or_a_result_more_never_lowers_err():
    for k, i in product(range(1, N + 2), range(N)):
        before = [*q[:i], q[i] + epsilon, *q[i + 1 : N]]
        rise = err(stopping(q[:N]), k, R) - err(stopping(before), k, R)
        assert nonnegative(rise, *q, epsilon)
        assert (sympy.expand(rise) == 0) == (i >= k)
    term = after(q[:N])[N] * (1 - q[N]) / sympy.Integer(N + 1)
    longer = err(stopping(q), N + 1, R)
    assert same(longer - err(stopping(q), N, R), term)
    assert same(longer - err(stopping(q[:N]), N + 1, R), term)
    assert not same(longer, err(stopping(q[:N]), N, R))  # control


@pytest.mark.spec("RS-CAS-2/L7")
def test_err_of_users_who_stop_at_once_is_rr():
    for corner in product([0, 1], repeat=N):
        for k in range(1, N + 2):
            assert equal(err(corner, k, sympy.Integer), rr(corner, k, SYMBOLS))
    assert not equal(err((0, 1), 2, lambda g: sympy.Rational(g, 2)), rr((0, 1), 2, SYMBOLS))


NOTHING = -1  # shown where a list has ended: all users go on, 1 = δ0 + ... + δN


def filled(r, k):
    """The list with nothing after its end, so that ERR@k is of as many factors as any other."""
    return [*r, *[NOTHING] * k][:k]


@pytest.mark.slow
@pytest.mark.spec("RS-CAS-3/L1", "RS-CAS-4/L1", "RS-CAS-4/L2")
def test_no_list_has_more_than_the_ideal():
    """For all labels 0 to 3, all probabilities, every selection of the pool, every k.

    It has as much only where each probability is the ideal one; or the first alone, where that is
    1, which is δ0 = 0.
    """
    pool = [0, 1, 2, 3]
    for k, n in product(range(1, N + 1), range(N + 1)):
        best = ierr(pool, k, rising)
        for r in permutations(pool, n):
            lacking = sympy.expand(best - err(filled(r, k), k, rising))
            assert nonnegative(lacking, *delta)
            assert (lacking == 0) == (filled(r, k) == [3, 2, 1, 0][:k])
            assert (lacking.subs(delta[0], 0) == 0) == (r[:1] == (3,))
    worst = err(pool, N, rising)
    assert not nonnegative(worst - best, *delta)  # control


@pytest.mark.slow
@pytest.mark.spec("RS-CAS-3/L2", "RS-CAS-3/L3")
def test_a_larger_pool_a_higher_label_or_a_deeper_cut_never_lowers_the_ideal():
    def ideal(pool, k):
        return ierr(filled(pool, N), k, rising)

    pools = [pool for n in range(N) for pool in combinations(range(N), n)]
    for pool, k in product(pools, range(1, N + 1)):
        before = ideal(pool, k)
        for label in range(N):
            assert nonnegative(ideal([*pool, label], k) - before, *delta)
        for j in range(len(pool)):
            assert nonnegative(ideal([*pool[:j], N - 1, *pool[j + 1 :]], k) - before, *delta)
    rise = ideal([3, 1], 1) - ideal([3], 1)
    assert sympy.expand(rise) == 0
    assert not nonnegative(ideal([1], 2) - ideal([3], 2), *delta)  # control
    assert same(ierr([1, 3], 2, rising), ierr([1, 3], 5, rising))


@pytest.mark.spec("RS-CAS-4", "RS-CAS-4/L2")
def test_nerr_is_err_over_that_of_the_falling_labels():
    stop = {0: 0, 1: x[0], 2: x[1]}
    r, J = [1, 0, 2], [2, 0, 1, 1]
    for k in range(1, N + 1):
        value = nerr(r, J, k, stop.get)
        best = [2, 1, 1, 0]
        assert equal(value, err(r, k, stop.get) / err(best, k, stop.get))
        assert equal(nerr(best, J, k, stop.get), 1)
        assert not equal(value, 1)  # control
    assert nerr([0], [0, 0], 2, stop.get) == 0


# RBP. R_i and U_i are symbols, which stand for 0 or 1.


def geometric(i):
    return (1 - p) * p ** (i - 1)


@pytest.mark.spec("RS-CAS-5/L1", "RS-CAS-5/L2", "RS-CAS-5/L5")
def test_rbp_is_dcg_with_geometric_weights():
    for k in range(1, N + 2):
        value = rbp(x[:N], k, p, SYMBOLS)
        assert same(value, dcg(x[:N], k, lambda label: label, geometric))
        assert same(rbp([1] * N, k, p, SYMBOLS), 1 - p ** min(k, N))
        assert not same(value, dcg(x[:N], k, lambda label: label, lambda i: p**i))  # control
    # Of the ranks beyond k, all relevant, p^k is what an endless list would add.
    assert same(rbp([1] * 9, 9, p, SYMBOLS) - rbp([1] * 9, 4, p, SYMBOLS), p**4 - p**9)


@pytest.mark.spec("RS-CAS-5/L1", "RS-CAS-5/L3")
def test_a_swap_or_an_upgrade_changes_rbp_by_a_known_amount():
    value = rbp(x[:N], N, p, SYMBOLS)
    for i, j in combinations(range(1, N + 1), 2):
        moved = list(x[:N])
        moved[i - 1], moved[j - 1] = x[j - 1], x[i - 1]
        rise = rbp(moved, N, p, SYMBOLS) - value
        assert same(rise.subs({x[i - 1]: 0, x[j - 1]: 1}), geometric(i) - geometric(j))
        factors = sympy.factor(geometric(i) - geometric(j))  # is not negative for p < 1:
        assert same(factors, (1 - p) ** 2 * p ** (i - 1) * sum(p**a for a in range(j - i)))
    for i in range(1, N + 1):
        assert same(sympy.diff(value, x[i - 1]), geometric(i))
        assert not same(sympy.diff(value, x[i - 1]), geometric(i + 1))  # control


@pytest.mark.spec("RS-CAS-5/L4")
def test_rbp_from_the_top():
    for n in range(1, N + 1):
        rest = rbp(x[1:n], N, p, SYMBOLS)
        assert same(rbp(x[:n], N, p, SYMBOLS), (1 - p) * x[0] + p * rest)
        assert not same(rbp(x[:n], N, p, SYMBOLS), (1 - p) * x[0] + rest) or n == 1  # control


@pytest.mark.spec("RS-CAS-6/L1", "RS-CAS-6/L2")
def test_rbp_and_its_residual_are_that_of_the_best_completion():
    for n, k, m in product(range(N + 1), range(1, N + 2), range(3)):
        K = min(n, k)
        together = rbp(x[:n], k, p, SYMBOLS) + rbp_residual(u[:n], k, p, SYMBOLS)
        completed = [x_i + u_i for x_i, u_i in zip(x[:K], u[:K], strict=True)] + [1] * m
        assert same(together, rbp(completed, K + m, p, SYMBOLS) + p ** (K + m))
        judged_not_relevant = [1 - x_i - u_i for x_i, u_i in zip(x[:n], u[:n], strict=True)]
        assert same(1 - together, rbp(judged_not_relevant, k, p, SYMBOLS))
        assert not same(together, rbp(completed, K + m, p, SYMBOLS))  # control


@pytest.mark.spec("RS-CAS-6/L3")
def test_a_judgment_or_a_result_more_lowers_the_residual():
    value = rbp_residual(u, N, p, SYMBOLS)
    for i in range(1, N + 1):
        assert same(sympy.diff(value, u[i - 1]), geometric(i))
    for n in range(N):
        shorter = rbp_residual(u[:n], N, p, SYMBOLS)
        assert same(rbp_residual([*u[:n], 1], N, p, SYMBOLS), shorter)
        judged = rbp_residual([*u[:n], 0], N, p, SYMBOLS)
        assert same(shorter - judged, geometric(n + 1))
        assert not same(shorter, judged)  # control
