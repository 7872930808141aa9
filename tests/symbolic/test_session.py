"""The laws of sessions, derived from the reference's own functions.

Gains, discounts of ranks and of queries are symbols. Where an order is claimed, discounts are sums
of steps >= 0 (a later rank or query, no higher discount) and gains sums of steps >= 0 by label.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, combinations, pairwise, permutations, product

import pytest
import sympy

from rankspec import symbolic
from rankspec.reference import session as reference
from rankspec.reference.dcg import dcg, dcg_vector, idcg, ideal, ndcg
from rankspec.reference.gain import (
    discount_jarvelin_2008,
    discount_jiang_2016,
    discount_log,
    discount_none,
)
from rankspec.reference.session import (
    average_position,
    avg_vect,
    gains,
    gains_of_queries,
    greatest_ideal,
    ndcg_of_queries,
    norm_vect,
    nsdcg,
    over_queries,
    repeated_ideal,
    sdcg,
    sdcg_of_query,
    sdcg_per_query,
    sdcg_vector,
    spread_ideal,
)

from ..each import each
from .proof import SYMBOLS, equal, nonnegative, symbols

c, q, t, u = symbols("c q t u")
delta = symbols("delta")[0]
bq = 1 + t  # any base above 1
d_, D_ = symbols("d1:6"), symbols("D1:6")
step, fall = symbols("s1:6"), symbols("f1:6")
eps = symbols("epsilon1:4")
G = [list(symbols(f"g{p}_1:4")) for p in (1, 2, 3)]


def d(i):
    return d_[i - 1]


def D(p):
    return D_[p - 1]


def falling_d(i):
    return sum(step[i - 1 :])


def falling_D(p):
    return sum(fall[p - 1 :])


def g(x):
    """Labels are their own gains."""
    return x


def rising(label):
    """A gain that does not fall with the label; label 0 gains nothing."""
    return sum(eps[:label])


# ---- eq. 1 --------------------------------------------------------------------------------------


@pytest.mark.spec("RS-SES-3/L2", "RS-SES-3/L3")
def test_the_discount_of_eq_1():
    """D(q) = 1/(1 + ln q / ln bq): 1 at q = 1, it falls with q and rises with bq, to 1."""
    eq1 = discount_jarvelin_2008(1 + u, bq, SYMBOLS)
    assert equal(eq1, 1 / (1 + sympy.log(1 + u) / sympy.log(1 + t)))
    assert not equal(eq1, 1 / (1 + sympy.log(1 + t) / sympy.log(1 + u)))  # control
    assert discount_jarvelin_2008(1, bq, SYMBOLS) == 1
    by_query, by_base = (sympy.together(sympy.diff(1 / eq1, x)) for x in (u, t))
    assert by_query.is_positive  # 1/D rises with q
    assert (-by_base).is_positive  # and falls with bq
    assert not by_base.is_positive  # control
    assert sympy.limit(discount_jarvelin_2008(7, bq, SYMBOLS), t, sympy.oo) == 1
    assert sympy.limit(discount_jarvelin_2008(7, bq, SYMBOLS), t, 0) == 0


@pytest.mark.spec("RS-SES-3/L2", "RS-SES-3/L3", "RS-DISC-7/L2", "RS-DISC-7/L3")
def test_the_discount_of_jiang_2016():
    """x ln x rises from 1 on, so that d rises with b."""
    f = 1 / jiang_2016(1 + u, bq)  # log_b(i + b - 1)
    assert sympy.diff(f, u).is_positive
    assert equal(jiang_2016(sympy.Integer(1), bq), 1)
    x, b = 1 + u + t, 1 + t  # i + b - 1 and b
    slope = sympy.diff(f, t) * x * b * sympy.log(b) ** 2
    assert equal(slope, b * sympy.log(b) - x * sympy.log(x))
    assert sympy.diff(x * sympy.log(x), u).is_positive  # so that the slope of 1/d is below 0
    assert not equal(slope, x * sympy.log(x) - b * sympy.log(b))  # control
    assert sympy.limit(jiang_2016(sympy.Integer(7), bq), t, sympy.oo) == 1


@pytest.mark.spec("RS-DISC-7/L1", "RS-DISC-7/L4", "RS-DISC-7/L5", "RS-DISC-7")
def test_the_discount_of_jiang_2016_among_the_others():
    for i in range(1, 40):
        of_2 = discount_jiang_2016(i, 2, SYMBOLS)
        assert of_2 == discount_log(i, 2, SYMBOLS)
        assert i == 1 or not equal(of_2, discount_jarvelin_2008(i, 2, SYMBOLS))  # control
    i, b = 1 + u, bq  # by their reciprocals, logarithms to one base of b i, i + b - 1 and i + 1
    others = [1 / f(i, b, SYMBOLS) for f in (discount_jarvelin_2008, discount_log)]
    own = 1 / jiang_2016(i, b)
    arguments = [(b * i), (i + 1), (i + b - 1)]
    for x, argument in zip([*others, own], arguments, strict=True):
        assert equal(x, sympy.log(argument) / sympy.log(b))
    assert equal(arguments[0] - arguments[2], (b - 1) * (i - 1))
    assert equal(arguments[2] - arguments[1], b - 2)
    for base in (2, 3, 4, 7):
        for e in range(1, 5):
            found = discount_jiang_2016(base**e - base + 1, base, SYMBOLS)
            assert found == sympy.Rational(1, e)


def jiang_2016(i, b):
    return discount_jiang_2016(i, b, SYMBOLS)


@pytest.mark.spec("RS-SES-3/L1", "RS-SES-3/L4")
def test_sdcg_of_a_query():
    for p in (1, 2, 3):
        V = sdcg_of_query(G[0], p, d, D)
        assert len(V) == 3
        for i, v in enumerate(V, start=1):
            plain = sum(d(j) * G[0][j - 1] for j in range(1, i + 1))
            assert equal(v, D(p) * plain)
            assert not equal(v, D(p + 1) * plain)  # control
    for r in product(range(3), repeat=3):
        V = sdcg_of_query([sympy.Integer(x) for x in r], 2, d, D)
        J = [2, 2, 1, 0, *r]
        for i, v in enumerate(V, start=1):
            assert equal(v / (D(2) * idcg(J, i, g, d)), ndcg(r, J, i, g, d))


@pytest.mark.spec("RS-SES-3/L3", "RS-SES-6/L3")
def test_sdcg_rises_with_the_base():
    slope = sympy.diff(sdcg(G, d, lambda p: discount_jarvelin_2008(p, bq, SYMBOLS)), t)
    parts = [
        sympy.diff(discount_jarvelin_2008(p, bq, SYMBOLS), t)
        * sum(d(i) * G[p - 1][i - 1] for i in (1, 2, 3))
        for p in (1, 2, 3)
    ]
    assert equal(slope, sum(parts))
    assert parts[0] == 0
    for part in parts[1:]:
        assert sympy.factor(part).is_positive
        assert not sympy.factor(-part).is_positive  # control


# ---- gains that come again ----------------------------------------------------------------------


@pytest.mark.spec("RS-SES-2/L1", "RS-SES-2/L2", "RS-SES-2/L3", "RS-SES-6/L8")
def test_gains_that_come_again():
    documents = [["a", "b"], ["b", "a"], ["a"]]
    S = [[G[0][0], G[0][1]], [G[0][1], G[0][0]], [G[0][0]]]
    t_ = reference.appearances(documents, 2)
    found = gains(S, t_, 2, g, delta)
    a, b = G[0][:2]
    assert equal(sum(found[0] + found[1] + found[2]), a * (1 + delta + delta**2) + b * (1 + delta))
    assert gains(S, t_, 2, g, 1) == gains(S, None, 2, g, 0) == S  # every; without t all are first
    assert sum(sum(row) for row in gains(S, t_, 2, g, 0)) == a + b
    polynomial = sympy.Poly(sympy.expand(sdcg(found, d, D)), delta)
    assert all(x.is_positive for x in polynomial.coeffs())
    assert polynomial.degree() == 2
    middle = polynomial.as_expr()
    chord = (1 - delta) * middle.subs(delta, 0) + delta * middle.subs(delta, 1)
    excess = sympy.expand((chord - middle).subs(delta, 1 / (1 + u)) * (1 + u) ** 2)
    assert nonnegative(sympy.expand(sympy.simplify(excess)), u, *d_, *D_, a, b)
    assert not nonnegative(-sympy.expand(sympy.simplify(excess)), u, *d_, *D_, a, b)  # control


# ---- the vector, and what is made of it ---------------------------------------------------------


@pytest.mark.spec("RS-SES-5/L1", "RS-SES-5/L2", "RS-SES-6/L1", "RS-SES-14/L1")
def test_the_sessions_vector():
    rows = [G[0], G[1][:1], G[2][:2]]
    V = sdcg_vector(rows, [3, 2, 2], d, D)
    steps = [b - a for a, b in pairwise([0, *V])]
    weights = [D(p) * d(i) for p, L in ((1, 3), (2, 2), (3, 2)) for i in range(1, L + 1)]
    shown = [*G[0], G[1][0], 0, *G[2][:2]]
    assert all(equal(x, w * y) for x, w, y in zip(steps, weights, shown, strict=True))
    assert not equal(steps[3], D(1) * d(4) * G[1][0])  # control: ranks begin anew
    of_queries = gains_of_queries(rows, d, D)
    for end, total in zip((3, 5, 7), accumulate(of_queries), strict=True):
        assert equal(V[end - 1], total)
    assert equal(V[-1], sdcg(rows, d, D))
    assert equal(sum(of_queries), sdcg(rows, d, D))
    assert equal(over_queries(of_queries, "mean", SYMBOLS), sdcg_per_query(V[-1], 3))
    others, last = (over_queries(of_queries, x, SYMBOLS) for x in ("non-last", "last"))
    assert equal(2 * others + last, 3 * over_queries(of_queries, "mean", SYMBOLS))


@pytest.mark.spec("RS-SES-13/L1")
def test_the_average_position_is_a_weighted_sum():
    for L in ([3, 3, 3], [3, 0, 2], [1, 1, 1]):
        rows = [row[:n] for row, n in zip(G, L, strict=True)]
        V, N = sdcg_vector(rows, L, d, D), sum(L)
        steps = [D(p) * d(i) * x for p, row in enumerate(rows, 1) for i, x in enumerate(row, 1)]
        law = sum(sympy.Rational(N - p + 1, N) * x for p, x in enumerate(steps, start=1))
        assert equal(average_position(V, SYMBOLS), law)
        assert not equal(average_position(V, SYMBOLS), sum(steps) / N)  # control
        assert equal(V[-1] - law, sum(sympy.Rational(p - 1, N) * x for p, x in enumerate(steps, 1)))


@pytest.mark.spec("RS-SES-6/L4", "RS-SES-6/L5", "RS-SES-6/L6", "RS-SES-6/L7", "RS-SES-6/L2")
def test_how_sdcg_changes():
    value = sdcg(G, d, D)
    plain = [dcg(row, 3, g, d) for row in G]
    for p, r in combinations((1, 2, 3), 2):
        rows = list(G)
        rows[p - 1], rows[r - 1] = G[r - 1], G[p - 1]
        change = sdcg(rows, d, D) - value
        assert equal(change, (D(p) - D(r)) * (plain[r - 1] - plain[p - 1]))
        assert not equal(change, (D(p) - D(r)) * (plain[p - 1] - plain[r - 1]))  # control
    assert equal(sdcg(G, d, one), sdcg(G[:1], d, one) + sdcg(G[1:], d, one))
    loss = sdcg(G[:1], falling_d, falling_D) + sdcg(G[1:], falling_d, falling_D)
    loss -= sdcg(G, falling_d, falling_D)
    every = [x for row in G for x in row]
    assert nonnegative(loss, *step, *fall, *every)
    assert not nonnegative(-loss, *step, *fall, *every)  # control
    delay = sdcg(G[:2], falling_d, falling_D) - sdcg([[], *G[:2]], falling_d, falling_D)
    assert nonnegative(delay, *step, *fall, *every)
    assert sdcg([*G, [0, 0], []], d, D) == value
    mixed = [
        [c * x + u * y for x, y in zip(a, b, strict=True)] for a, b in zip(G, G[::-1], strict=True)
    ]
    assert equal(sdcg(mixed, d, D), c * value + u * sdcg(G[::-1], d, D))
    assert equal(sdcg(G[:1], d, D), D(1) * plain[0])
    assert equal(sdcg(G[:1], d, one), plain[0])


def one(_):
    return sympy.Integer(1)


# ---- ideal sessions -----------------------------------------------------------------------------


def value_of(arranged, d, D, g=g):
    return sdcg([[0 if r is None else g(r) for r in row] for row in arranged], d, D)


@pytest.mark.spec("RS-SES-7/L1", "RS-SES-8/L1", "RS-SES-8/L2")
def test_ideals_of_repeated_and_spread_lists():
    J = [1, 3, 0, 2]
    for L in ([2, 2, 2], [3, 0, 1], [4, 4, 5]):
        found = value_of(repeated_ideal(J, L), d, D)
        assert equal(found, sum(D(p) * idcg(J, n, g, d) for p, n in enumerate(L, start=1)))
        assert not equal(found, value_of(spread_ideal(J, L), d, D))  # control
        assert [r for row in spread_ideal(J, L) for r in row] == ideal(J)[: sum(L)]
    same = value_of(repeated_ideal(J, [2, 2, 2]), d, D)
    assert equal(same, idcg(J, 2, g, d) * (D(1) + D(2) + D(3)))
    for L in range(6):
        assert repeated_ideal(J, [L]) == spread_ideal(J, [L])


def upper_bound_holds(arranged, L, J, d, D, g, parameters):
    """Whether no placement of items of J at the places gains more, term by term."""
    best = value_of(arranged, d, D, g)
    places = [(p, i) for p, n in enumerate(L, start=1) for i in range(1, n + 1)]
    for chosen in permutations(range(len(places)), min(len(J), len(places))):
        for items in permutations(J, len(chosen)):
            placed = sum(
                (
                    D(p) * d(i) * g(r)
                    for (p, i), r in zip([places[x] for x in chosen], items, strict=True)
                ),
                sympy.Integer(0),
            )
            if not nonnegative(best - placed, *parameters):
                return False
    return True


@pytest.mark.spec("RS-SES-9/L1", "RS-SES-8/L3", "RS-SES-7/L2")
@each("later", [True, False], fast=1)
def test_the_rearrangement_inequality(later):
    """Gains are sums of steps, and so are the weights, by the order that the discounts give them.

    d = (a, 1) and D = (b, 1) up to a scale: D(2) d(1) = a stands before D(1) d(2) = b or after it.
    """
    x, y = symbols("x y")
    J, L = [3, 2, 1], [2, 2]
    a, b = (1 + x + y, 1 + x) if later else (1 + x, 1 + x + y)

    def d2(i, a=a):
        return [a, sympy.Integer(1)][i - 1]

    def D2(p, b=b):
        return [b, sympy.Integer(1)][p - 1]

    order = [(1, 1), *([(2, 1), (1, 2)] if later else [(1, 2), (2, 1)]), (2, 2)]
    arranged = [[None, None], [None, None]]
    for (p, i), r in zip(order, ideal(J), strict=False):
        arranged[p - 1][i - 1] = r
    parameters = (x, y, *eps)
    assert upper_bound_holds(arranged, L, J, d2, D2, rising, parameters)
    numbers = {x: sympy.Rational(1, 3), y: sympy.Rational(1, 5)}

    def of(f, numbers=numbers):
        weights = [sympy.sympify(f(i)).subs(numbers) for i in (1, 2)]
        exact = [Fraction(int(w.p), int(w.q)) for w in weights]
        return lambda R: lambda i: R.exact(exact[i - 1])

    assert greatest_ideal(J, L, of(d2), of(D2)) == [
        [r for r in row if r is not None] for row in arranged
    ]
    spread = spread_ideal(J, L)
    assert upper_bound_holds(spread, L, J, d2, D2, rising, parameters) == (not later)
    assert not upper_bound_holds([row[::-1] for row in arranged], L, J, d2, D2, rising, parameters)


@pytest.mark.spec("RS-SES-7/L2", "RS-SES-10/L1")
def test_no_arrangement_of_covered_lists_gains_more_than_the_repeated_ideal():
    J, L = [2, 1, 0], [2, 1]
    best = value_of(repeated_ideal(J, L), falling_d, falling_D, rising)
    parameters = (*step, *fall, *eps)
    for first, second in product(permutations(J, 2), permutations(J, 1)):
        shown = value_of([list(first), list(second)], falling_d, falling_D, rising)
        assert nonnegative(best - shown, *parameters)
        if (first, second) != ((2, 1), (2,)):
            assert not nonnegative(shown - best, *parameters)  # control
    once = value_of(spread_ideal(J, L), falling_d, falling_D, rising)
    assert nonnegative(best - once, *parameters)


# ---- nsDCG --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.spec("RS-SES-11/L3", "RS-SES-11/L6", "RS-SES-15/L1", "RS-SES-15/L4")
def test_nsdcg_is_a_weighted_mean_of_ndcg():
    J, X = [3, 2, 2, 1, 0], 3
    sessions = [[[3, 0, 2], [1], []], [[2, 2, 3], [0, 1, 0], [3]]]
    for S in sessions:
        rows, L = gains(S, None, X, g, 1), [X] * 3
        of_each = ndcg_of_queries(rows, J, L, g, d)
        for of_query, r in zip(of_each, S, strict=True):
            assert equal(of_query, ndcg(r, J, X, g, d))
        value = nsdcg(sdcg(rows, d, D), value_of(repeated_ideal(J, L), d, D))
        weighted = sum(D(p) * x for p, x in enumerate(of_each, start=1)) / (D(1) + D(2) + D(3))
        assert equal(value, weighted)
        assert not equal(value, sum(of_each) / 3)  # control
        flat = nsdcg(sdcg(rows, d, one), value_of(repeated_ideal(J, L), d, one))
        assert equal(flat, over_queries(of_each, "mean", SYMBOLS))
        longer = nsdcg(sdcg([*rows, []], d, D), value_of(repeated_ideal(J, [*L, X]), d, D))
        assert equal(longer, value * (D(1) + D(2) + D(3)) / (D(1) + D(2) + D(3) + D(4)))


@pytest.mark.spec("RS-SES-11/L5")
@pytest.mark.slow
def test_a_larger_base_moves_weight_to_later_queries():
    """The mean of z_1, z_2 with the weights 1, D(2) moves towards z_2 when D(2) rises."""
    first, more = symbols("z w")
    mean = (first + D(2) * (first + more)) / (1 + D(2))
    assert equal(sympy.diff(mean, D(2)), more / (1 + D(2)) ** 2)
    # With 1/D = 1 + ln q / ln b, D'/D for b' > b rises with q, as a quotient of linear functions of
    # ln q; with 1/D = ln(q + b - 1)/ln b it does because y ln y rises, y = q + b - 1.
    x, b, more_b = 1 + u, symbols("beta")[0], symbols("gamma")[0]
    two = [1 + x * y for y in (b + more_b, b)]  # 1/D of ln q = x, and 1/ln of the bases: b' is low
    assert equal(sympy.diff(two[0] / two[1], u) * two[1] ** 2, more_b)
    y, z = 1 + u + t, 1 + u + t + more_b  # q + b - 1 and q + b' - 1
    slope = sympy.diff(sympy.log(y) / sympy.log(z), u) * y * z * sympy.log(z) ** 2
    assert equal(slope, z * sympy.log(z) - y * sympy.log(y))
    assert not equal(slope, y * sympy.log(y) - z * sympy.log(z))  # control


@pytest.mark.spec("RS-SES-11/L7", "RS-SES-17/L4", "RS-SES-17", "RS-SES-18/L1", "RS-SES-18/L3")
def test_normalised_and_average_vectors():
    V, W = list(d_[:3]), list(D_[:3])
    found = norm_vect([c * x for x in V], [u * y for y in W])
    assert all(equal(x, c / u * y) for x, y in zip(found, norm_vect(V, W), strict=True))
    assert norm_vect(V, V) == [1, 1, 1]
    assert norm_vect(V, [0, *W[1:]])[0] == 0
    ideal_vector = sdcg_vector([[3, 1], [3, 1]], [2, 2], d, D)
    assert norm_vect(ideal_vector, ideal_vector) == [1] * 4
    assert avg_vect([V, V]) == V
    both = avg_vect([V, W])
    assert all(equal(2 * x, v + w) for x, v, w in zip(both, V, W, strict=True))
    doubled = avg_vect([[c * x + y for x, y in zip(V, W, strict=True)], [c * x for x in V]])
    law = [c * v + w / 2 for v, w in zip(V, W, strict=True)]
    assert all(equal(x, y) for x, y in zip(doubled, law, strict=True))
    assert not equal(both[0], V[0])  # control
    quotients = avg_vect([norm_vect(V, W), norm_vect(W, V)])
    of_averages = norm_vect(avg_vect([V, W]), avg_vect([W, V]))
    assert not equal(quotients[0], of_averages[0])  # RS-SES-18/L4
    alike = avg_vect([norm_vect(V, W), norm_vect(V, W)])
    assert all(equal(x, y) for x, y in zip(alike, norm_vect(avg_vect([V, V]), W), strict=True))


# ---- the paper's own example --------------------------------------------------------------------


@pytest.mark.spec("RS-SES-5", "RS-SES-3", "RS-SES-6", "RS-SES-11")
def test_the_appendixs_vectors_as_expressions():
    """G' with b = 4: <3, 3 + 4/3, ...>; as a second query, bq = 4, two thirds of that follow."""
    shown = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
    log4 = {i: sympy.log(i) / (2 * sympy.log(2)) for i in range(1, 11)}
    exact = list(accumulate(r / (1 + log4[i]) for i, r in enumerate(shown, start=1)))

    def of_base_4(i):
        return discount_jarvelin_2008(i, 4, SYMBOLS)

    cg = sdcg_vector([shown], [10], lambda i: discount_none(i, SYMBOLS), one)
    assert cg == [3, 5, 8, 8, 8, 9, 11, 13, 16, 16]
    V = sdcg_vector([shown, shown], [10, 10], of_base_4, of_base_4)
    assert all(equal(v, x) for v, x in zip(V, exact, strict=False))
    assert V[:2] == [3, sympy.Rational(13, 3)]  # RS-ERR-2
    assert all(
        equal(v - V[9], sympy.Rational(2, 3) * x) for v, x in zip(V[10:], exact, strict=True)
    )
    assert not equal(V[11] - V[9], exact[1])  # control: a later query counts less
    one_of_each = symbolic.sdcg([shown, shown], discount="jarvelin-2008(b=4)")
    assert equal(one_of_each, sympy.Rational(5, 3) * exact[-1])
    assert equal(
        symbolic.nsdcg([[0, 1], [1, 0]], discount="jarvelin-2008(b=2)"),
        sympy.Rational(7, 6) / (sympy.Rational(5, 3) * sympy.Rational(3, 2)),
    )
    dcg_ = dcg_vector(shown, g, of_base_4)
    assert all(equal(a, b) for a, b in zip(dcg_, exact, strict=True))
