"""Canonical forms: structure decides equality, and a form is the number it stands for.

That a form is that number is held against arb; where two forms are said to be equal or
proportional, against quotients that are known by construction.
"""

from __future__ import annotations

import math
from fractions import Fraction
from operator import mul
from random import Random

import flint
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import rankspec
from rankspec.reference.dcg import dcg, idcg, ndcg
from rankspec.reference.gain import (
    discount_jarvelin_2008,
    discount_log,
    discount_none,
    discount_zipf,
    gain_exp2,
    gain_linear,
)
from rankspec.reference.length import Z, ildcg, lndcg, prior, user_expected_dcg
from rankspec.reference.numbers import polynomial
from rankspec.reference.numbers.canonical import CanonicalForms, Form, NoCanonicalForm, primitive
from rankspec.reference.numerics import certify, exact_value, nearest_double_of

from . import balls

pytestmark = pytest.mark.spec("RS-NUM-2")

FORMS = CanonicalForms()
PRECISION = 300


def brute_primitive(n: int) -> tuple[int, int]:
    """(β, e) by trying every base and multiplying up."""
    for beta in [*range(2, math.isqrt(n) + 1), n]:
        power, e = beta, 1
        while power < n:
            power, e = power * beta, e + 1
        if power == n:
            return beta, e
    raise AssertionError


def test_primitive_of_the_integers_to_2000_by_brute_force():
    for n in range(2, 2001):
        assert primitive(Fraction(n)) == brute_primitive(n)


@given(st.integers(2, 60), st.integers(1, 12))
def test_primitive_of_a_power_has_the_base_of_its_root(beta, e):
    base, e0 = primitive(Fraction(beta))
    assert primitive(Fraction(beta) ** e) == (base, e0 * e)


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 9))
@example(9, 4, 1)
@example(8, 4, 1)
def test_primitive_of_rationals(n, d, e):
    x = Fraction(n, d)
    assume(x > 1)
    beta, f = primitive(x**e)
    assert beta**f == x**e
    assert primitive(beta) == (beta, 1)
    assert f % e == 0


# Random expressions, read twice: as forms and as balls.

bases = st.sampled_from([2, 4, 10, Fraction(3, 2), Fraction(9, 4), 0.1 + 2])
terms = st.tuples(
    st.sampled_from(["rational", "power", "log", "jarvelin-2008"]),
    st.fractions(min_value=-100, max_value=100, max_denominator=50),
    st.integers(1, 300),
)


def total(R, terms, b):
    """The sum of the terms, in the reading R of the reals."""
    result = R.exact(0)
    for kind, c, i in terms:
        result = result + R.exact(c) * {
            "rational": R.exact,
            "power": lambda i: R.exp2(Fraction(i, 7)),
            "log": lambda i: discount_log(i, b, R),
            "jarvelin-2008": lambda i: discount_jarvelin_2008(i, b, R),
        }[kind](i)
    return result


def ball_of(form: Form) -> flint.arb:
    """The quotient of Σ c · 2^φ · Π lb(β)^e and another such sum, by arb."""
    return ball_of_terms(form.numerator.terms()) / ball_of_terms(form.denominator.terms())


def ball_of_terms(terms) -> flint.arb:
    result = flint.arb(0)
    for (phi, powers), c in terms.items():
        term = balls.ball(c) * balls.exp2(phi)
        for beta, e in powers:
            term *= balls.log(beta, 2) ** e
        result += term
    return result


def assert_same_number(x: flint.arb, y: flint.arb) -> None:
    """The balls overlap, and are so small that this is no accident."""
    (a, b), (c, d) = balls.ends_of(x), balls.ends_of(y)
    assert a <= d
    assert c <= b
    assert max(b - a, d - c) < Fraction(1, 2**100)


@given(st.lists(terms, max_size=8), bases)
def test_a_sum_is_the_number_it_stands_for(chosen, b):
    with flint.ctx.workprec(PRECISION):
        assert_same_number(ball_of(total(FORMS, chosen, b)), total(balls.Balls(), chosen, b))


few = st.lists(terms, max_size=4)


@given(few, few, bases, bases)
def test_a_product_is_the_number_it_stands_for(some, others, b, c):
    with flint.ctx.workprec(PRECISION):
        form = total(FORMS, some, b) * total(FORMS, others, c)
        ball = total(balls.Balls(), some, b) * total(balls.Balls(), others, c)
        assert_same_number(ball_of(form), ball)
        assert (form - form).rational == 0


@given(few, few, few, few, bases, bases)
def test_sums_and_products_of_quotients_are_the_numbers_they_stand_for(n, d, m, e, b, c):
    """n/d + m/e and n/d · m/e, and (n/d) / (m/e)."""
    with flint.ctx.workprec(PRECISION):
        forms = [total(FORMS, chosen, base) for chosen, base in ((n, b), (d, c), (m, c), (e, b))]
        arbs = [ball_of(form) for form in forms]
        assume(all(abs(x) > 1e-6 for x in arbs[1:]))
        (x, y), (u, v) = ((a[0] / a[1], a[2] / a[3]) for a in (forms, arbs))
        for form, ball in ((x + y, u + v), (x - y, u - v), (x * y, u * v), (x / y, u / v)):
            assert_same_number(ball_of(form), ball)
        assert (x / x).rational == 1 if x else x.rational == 0


@given(st.lists(terms, min_size=1, max_size=6), st.fractions(max_denominator=99), bases)
def test_proportional_forms_have_a_rational_quotient(chosen, c, b):
    form = total(FORMS, chosen, b)
    assume(form)
    assert (form * c / form).rational == c


@given(few, few, few, st.fractions(max_denominator=99), bases)
def test_quotients_by_multiples_of_one_number_are_added(n, m, d, c, b):
    """n/d + m/(c · d) = (c · n + m)/(c · d)"""
    x, y, z = (total(FORMS, chosen, b) for chosen in (n, m, d))
    assume(z and c)
    both = x / z + y / (z * c)
    assert len(both.denominator.operands(mul)) <= 2  # z and c, not z twice
    assert (both * z - x - y / c).rational == 0


@given(few, few, few, st.fractions(max_denominator=99), bases, bases)
@pytest.mark.spec("RS-NUM-2/L3")
def test_products_that_share_no_factor_are_compared_term_by_term(some, others, more, c, b, b2):
    """(x + y) · z is x · z + y · z, which is not seen before both are multiplied out."""
    x, y, z = total(FORMS, some, b), total(FORMS, others, b2), total(FORMS, more, b)
    assume((x + y) and z)
    assert ((x * z + y * z) * c / ((x + y) * z)).rational == c
    if c:
        assert (((x + y) * z) / ((x * z + y * z) * c)).rational == 1 / c


@given(st.lists(terms, min_size=1, max_size=6), bases)
def test_forms_that_are_not_proportional_have_no_rational_quotient(chosen, b):
    form = total(FORMS, chosen, b) + FORMS.exact(1000)
    other = form + 1 / FORMS.log(Fraction(997), Fraction(991))
    assume(form.rational is None)
    assert (other / form).rational is None
    assert (form / form).rational == 1  # the control


def test_squares_and_products_of_discounts():
    d = [discount_log(i, 2, FORMS) for i in range(7)[1:]]
    assert (d[1] * d[1] / (d[1] * d[1])).rational == 1
    assert ((d[1] + d[3]) * (d[1] - d[3]) / (d[1] * d[1] - d[3] * d[3])).rational == 1
    assert (d[1] * d[3] / (d[1] * d[1])).rational is None
    assert (d[1] * discount_log(8, 2, FORMS) / (d[1] * d[1])).rational == Fraction(1, 2)  # 9 = 3^2


def test_a_change_of_base_cancels():
    """log_10(i) = log_10(2) · log_2(i)"""
    for i in (3, 6, 10, 12, 100):
        ten, two = (1 / FORMS.log(i, b) for b in (10, 2))
        assert (two / ten * (1 / FORMS.log(2, 10))).rational == 1
        assert (two / ten).rational is None  # the control


# lb 6 = 1 + lb 3: what is equal by relations of logarithms, and what is not seen to be.


def equal_to_the_discount_of_rank_two(R):
    d2, d5 = (discount_log(i, 2, R) for i in (2, 5))
    return d5 * (1 + d2)


@pytest.mark.spec("RS-NUM-2/L5")
def test_logarithms_of_a_plane_are_known_to_be_related():
    def quotient(R):
        return equal_to_the_discount_of_rank_two(R) / discount_log(2, 2, R)

    with flint.ctx.workprec(PRECISION):
        assert_same_number(quotient(balls.Balls()), flint.arb(1))
    assert exact_value(quotient) == 1
    assert exact_value(lambda R: quotient(R) + discount_log(2, 2, R)) is None  # the control
    assert not discount_log(2, 2, FORMS) - equal_to_the_discount_of_rank_two(FORMS)


@pytest.mark.spec("RS-NUM-2/L5")
@given(st.lists(st.sampled_from([2, 3, 4, 5, 6, 9, 10, 12, 15, 18, 20, 45, 75]), min_size=4,
                max_size=4, unique=True), st.sampled_from([2, 3, 6, 10]))  # fmt: skip
def test_partial_fractions_of_two_logarithms(x, b):
    """1 / (h1 h2) = 1 / (h1 (h1 + h2)) + 1 / (h2 (h1 + h2)), with h1 + h2 = log(x1 x2)."""

    def inverse(y, R):
        return 1 / R.log(y, b)

    def difference(R, more=0):
        h1, h2, both = (inverse(y, R) for y in (x[0], x[1], x[0] * x[1]))
        other = inverse(x[2], R) * inverse(x[3], R)
        return h1 * h2 + other - (h1 * both + h2 * both + other) + more * h1 * h2

    assert exact_value(lambda R: difference(R) / inverse(x[2], R)) == 0
    assert exact_value(lambda R: (1 + difference(R)) / (1 + difference(R) * 2)) == 1
    assert exact_value(lambda R: difference(R, Fraction(1, 10**9)) / inverse(7, R)) is None


def triples(R):
    """The same number twice, with three discounts in a product, which are not looked into."""
    d2, d5, d6 = (discount_log(i, 2, R) for i in (2, 5, 6))
    return d2 * d6 + d6 * d6, d5 * d6 + d5 * d2 * d6 + d6 * d6


def test_equal_numbers_may_be_unequal_forms():
    with flint.ctx.workprec(PRECISION):
        x, y = triples(balls.Balls())
        assert_same_number(x / y, flint.arb(1))
    assert exact_value(lambda R: triples(R)[0] / triples(R)[1]) is None


@pytest.mark.slow
def test_no_form_is_taken_for_unequal_because_it_looks_so():
    x, other = triples(FORMS)
    with pytest.raises(NoCanonicalForm, match="whether a number is 0"):
        bool(x - other)
    with pytest.raises(NoCanonicalForm, match="whether a number is 0"):
        1 / (x - other)
    with pytest.raises(NoCanonicalForm, match="a comparison"):
        FORMS.greatest([x, other])
    assert FORMS.greatest([x, other + 1, other]).rational is None  # the control: 1 + x wins
    assert x - other + Fraction(1, 10**3000)


# The greatest.


@given(st.lists(few, min_size=1, max_size=5), bases)
def test_the_greatest_is_none_less_than_any(chosen, b):
    forms = [total(FORMS, some, b) for some in chosen]
    try:
        greatest = FORMS.greatest(forms)
    except NoCanonicalForm:
        assume(False)
    assert any(greatest is form for form in forms)
    with flint.ctx.workprec(PRECISION):
        assert not any(ball_of(form) > ball_of(greatest) for form in forms)


@given(few, st.lists(st.integers(1, 300), min_size=1, max_size=4), st.permutations(range(4)), bases)
def test_equal_greatest_numbers_are_seen_to_be_equal(some, ranks, order, b):
    x, y = total(FORMS, some, b), sum(discount_log(i, b, FORMS) for i in ranks)
    numbers = [x, x + y, (x * y + y * y) / y, y / (y / (x + y)) if x + y else y + x]
    greatest = FORMS.greatest([numbers[i] for i in order])
    assert greatest is not x
    assert (greatest - (x + y)).rational == 0


@pytest.mark.parametrize("labels", [[0], [0, 0, 0]])
def test_the_greatest_of_zeros_is_zero(labels):
    d = discount_log(2, 2, FORMS)
    zeros = [0 * d / (1 + d * d), FORMS.exact(0), 0 / d]
    assert FORMS.greatest(zeros).rational == 0
    assert FORMS.greatest([*zeros, d]) is d  # the control
    greatest = exact_value(lambda R: ildcg(labels, 3, linear(R), log2(R), log2(R), 1, R))
    assert greatest == 0


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("e", [100, 2000, 30000])
def test_a_difference_beyond_the_first_precision_is_seen(e):
    d, tiny = discount_log(2, 2, FORMS), Fraction(1, 2**e)
    assert (FORMS.greatest([d, d + tiny, d - tiny]) - d).rational == tiny
    assert (FORMS.greatest([d, d * (1 + tiny), d * (1 - tiny)]) / d).rational == 1 + tiny


def test_a_difference_beyond_the_last_precision_is_left_open():
    d, tiny = discount_log(2, 2, FORMS), Fraction(1, 2**40000)
    with pytest.raises(NoCanonicalForm):
        FORMS.greatest([d, d + tiny])


# Residues: a proof that two polynomials are not proportional.


def test_the_modulus_is_what_its_comment_says():
    assert flint.fmpz(polynomial.P).is_prime()
    assert flint.fmpz(polynomial.ORDER_OF_2).is_prime()
    assert polynomial.P % 8 == 7
    assert polynomial.P == 2 * polynomial.ORDER_OF_2 + 1
    assert pow(2, polynomial.ORDER_OF_2, polynomial.P) == 1


@given(few, few, few, bases, bases)
@pytest.mark.spec("RS-NUM-2/L4")
def test_residues_survive_multiplying_out(some, others, more, b, c):
    x, y, z = total(FORMS, some, b), total(FORMS, others, c), total(FORMS, more, b)
    for form in (x * y, x * y + z, (x + y * z) * x):
        written = polynomial.ZERO
        for m, coefficient in form.numerator.terms().items():
            written = written + polynomial.monomial(m, coefficient)
        assert written.residues == form.numerator.residues


@given(few, few, bases, st.fractions(max_denominator=99))
def test_residues_only_save_work(some, others, b, c):
    """Where they do not tell two forms apart, the terms do."""
    x, y = total(FORMS, some, b), total(FORMS, others, b)
    assume(y)
    pairs = [(x, y), (x + y * c, y), (x * y, y * y), (y * c, y)]
    told = [(above / below).rational for above, below in pairs]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(polynomial, "_may_be_multiples", lambda *_: True)
        assert [(above / below).rational for above, below in pairs] == told
    assert told[-1] == c


@given(few, few, bases)
def test_what_is_called_positive_is(some, others, b):
    form = total(FORMS, some, b) * total(FORMS, others, b)
    with flint.ctx.workprec(PRECISION):
        assert not form.numerator.positive or ball_of(form) > 0


def test_all_terms_of_a_positive_sum_are_positive():
    x = discount_log(2, 2, FORMS)
    assert (x + 1).numerator.positive
    assert not (x - 1).numerator.positive
    assert not ((x + 1) * (1 - x)).numerator.positive
    assert not (x - x).numerator.positive


def test_what_has_too_many_terms_is_left_open(monkeypatch):
    def value(R):
        x, y, z = (discount_log(i, 2, R) for i in (2, 4, 5))
        return (x + y) * (x + z) / (x * x + x * z + x * y + y * z)

    assert exact_value(value) == 1
    monkeypatch.setattr(polynomial, "MOST_TERMS", 3)
    assert exact_value(value) is None


def test_a_denominator_without_residues_is_left_open():
    rational = Fraction(1, polynomial.P)
    assert exact_value(lambda R: R.exact(rational) * 3 + 1) == 3 * rational + 1
    assert exact_value(lambda R: R.exact(rational) + discount_log(2, 2, R)) is None
    assert exact_value(lambda R: R.exp2(Fraction(1, polynomial.ORDER_OF_2)) + 1) is None
    with pytest.raises(NoCanonicalForm, match="a denominator"):
        FORMS.exact(rational) + discount_log(2, 2, FORMS)
    assert certify(lambda R: R.exact(rational) + discount_log(2, 2, R)).double > 0.63


@pytest.mark.parametrize("zero", [FORMS.exact(0), FORMS.exp2(Fraction(1, 2)) * 0, 0])
def test_division_by_zero(zero):
    with pytest.raises(ZeroDivisionError):
        FORMS.exact(1) / zero


@given(st.integers(1, 60), st.sampled_from([2, 3, 10, Fraction(3, 2)]))
def test_a_discount_at_a_power_of_the_base_is_rational(e, b):
    x = Fraction(b) ** e
    assert (1 / FORMS.log(x, b)).rational == Fraction(1, e)


def test_rational_ranks_of_the_log2_discount_are_those_of_powers_of_two():
    rational = {i: discount_log(i, 2, FORMS).rational for i in range(1, 2000)}
    assert {i for i, d in rational.items() if d is not None} == {2**e - 1 for e in range(1, 11)}
    assert all(rational[2**e - 1] == Fraction(1, e) for e in range(1, 11))


def test_ranks_that_are_powers_of_one_base_share_a_coefficient():
    """1/log2(9) = 1/2 · 1/log2(3): a difference of logarithmic discounts that is exactly 0."""
    assert not discount_log(8, 2, FORMS) * 2 - discount_log(2, 2, FORMS)
    assert not discount_log(26, 2, FORMS) * 3 - discount_log(2, 2, FORMS)
    assert discount_log(26, 2, FORMS) * 2 - discount_log(2, 2, FORMS)  # the control


@given(st.integers(0, 3000), st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(5, 7)]))
def test_powers_of_two_multiply(n, phi):
    x = FORMS.exp2(phi + n)
    assert (x * FORMS.exp2(-phi)).rational == Fraction(2) ** n
    assert x.rational is None


def test_a_whole_power_of_two_is_rational():
    assert FORMS.exp2(Fraction(-3)).rational == Fraction(1, 8)


labels = st.lists(st.integers(0, 9), min_size=1, max_size=12)


def linear(R):
    return lambda r: gain_linear(r, R)


def log2(R):
    return lambda i: discount_log(i, 2, R)


@given(labels, st.integers(1, 12), st.integers(1, 50), st.integers(1, 50))
@pytest.mark.spec("RS-DCG-6/L4")
def test_ndcg_of_a_multiple_of_the_ideal_is_rational(r, k, n, d):
    """A list that is the ideal one times n, judged by the ideal one times d."""
    assume(any(r))
    ideal = sorted(r, reverse=True)

    def value(R):
        return ndcg([n * x for x in ideal], [d * x for x in r], k, linear(R), log2(R))

    assert exact_value(value) == Fraction(n, d)
    assert nearest_double_of(value) == n / d


@given(labels, st.integers(1, 12))
@example([1, 1, 0], 1)
def test_ndcg_is_exactly_one_only_where_the_gains_are_ideal(r, k):
    ideal = sorted(r, reverse=True)
    exact = exact_value(lambda R: ndcg(r, r, k, linear(R), log2(R)))
    assert (exact == 1) == (any(r) and r[:k] == ideal[:k])


def test_an_irrational_ndcg_has_no_exact_value():
    assert exact_value(lambda R: ndcg([0, 1], [1, 0], 2, linear(R), log2(R))) is None


@given(labels, st.integers(1, 12))
def test_ideal_minus_itself_is_zero(r, k):
    def value(R):
        return idcg(r, k, linear(R), log2(R)) - dcg(sorted(r)[::-1], k, linear(R), log2(R))

    assert exact_value(value) == 0


# The length-adjusted DCG: products of two discounts, and the greatest of quotients.


def exp2(R):
    return lambda r: gain_exp2(r, R)


def log10(R):
    return lambda i: discount_log(i, 10, R)


def uniform(R):
    return lambda i: discount_none(i, R)


def zipf(R):
    return lambda i: discount_zipf(i, R)


def lndcg_of(r, J, M=10**6, w=log2, g=linear, d=log2, which="true"):
    return lambda R: lndcg(r, J, M, g(R), d(R), w(R), which, R)


weights = st.sampled_from([log2, log10, uniform, zipf])
gains = st.sampled_from([linear, exp2])
small = st.lists(st.integers(0, 3), min_size=1, max_size=6)


@given(small, small, st.integers(1, 6), weights, weights, gains, st.sampled_from(["true", "eq7"]))
def test_an_exact_lndcg_is_the_number(r, J, M, w, d, g, which):
    value = lndcg_of(r, J, M, w, g, d, which)
    exact = exact_value(value)
    assume(exact is not None)
    with flint.ctx.workprec(PRECISION):
        ball = balls.ball(0) + value(balls.Balls())
        assume(ball.is_finite())  # 0/0 is no number there
        lower, upper = balls.ends_of(ball)
    assert lower <= exact <= upper
    assert upper - lower < Fraction(1, 2**200)


def ideal_length(J, w, g, d) -> int:
    """The n whose first n of the ideal ranking have the greatest quotient, by floats."""
    top = sorted(J, reverse=True)
    above = below = 0.0
    quotients = []
    for i, label in enumerate(top, start=1):
        above += g(label) * d(i)
        below += w(i) * d(i)
        quotients.append(above / below)
    return 1 + max(range(len(top)), key=quotients.__getitem__)


@pytest.mark.parametrize("fractional", [0, Fraction(1, 4)])
@pytest.mark.parametrize("w", [log2, log10, zipf])
@pytest.mark.parametrize("J", [[2, 1], [4, 4, 3, 1, 0], [1] * 7, [3, 2, 2, 2, 1, 1, 0, 0]])
def test_the_ideal_list_is_recognised(J, w, fractional):
    """With log2 for the discount; labels that are no whole numbers have gains of 2^φ."""
    J = [label + fractional for label in J]
    floats = (lambda r: 2**r - 1, lambda i: 1 / math.log2(i + 1))
    prior_of = {log2: floats[1], log10: floats[1], zipf: lambda i: 1 / i}[w]
    n = ideal_length(J, prior_of, *floats)
    top = sorted(J, reverse=True)
    assert exact_value(lndcg_of(top[:n], J, w=w, g=exp2)) == 1
    if n > 1:
        assert exact_value(lndcg_of(top[: n - 1], J, w=w, g=exp2)) is None  # the control
    # The factor by which a prior is multiplied cancels: log10 has the ideal of log2.


@given(st.integers(1, 40), st.integers(1, 40), weights)
def test_one_result_against_an_ideal_of_one(a, b, w):
    """<a> with the pool {a, b}: a/b where the second item does not raise the quotient b/w(1)."""
    a, b = sorted((a, b))
    second = {log2: Fraction(63, 100), log10: Fraction(63, 100), uniform: 1, zipf: Fraction(1, 2)}
    assume(a <= b * second[w])  # w(2)/w(1), from below
    assert exact_value(lndcg_of([a], [a, b], w=w)) == Fraction(a, b)


def test_two_lengths_with_the_same_quotient():
    """2/1 = (2 + 1/2)/(1 + 1/4)."""

    def value(r):
        return exact_value(lndcg_of(r, [2, 1], w=zipf, d=zipf))

    assert value([2]) == value([2, 1]) == 1
    assert value([1]) == Fraction(1, 2)
    assert value([1, 2]) == Fraction(4, 5)


@given(st.integers(1, 8), st.integers(1, 8), st.integers(1, 5), st.integers(1, 5))
def test_every_length_of_equal_labels_has_the_same_quotient_by_a_uniform_prior(n, pool, a, b):
    assert exact_value(lndcg_of([a] * n, [b] * pool, w=uniform)) == Fraction(a, b)
    greatest = exact_value(lambda R: ildcg([b] * pool, 99, linear(R), log2(R), uniform(R), 1, R))
    assert greatest == b


@pytest.mark.parametrize("w", [log2, log10, uniform, zipf])
def test_an_lndcg_exactly_between_two_doubles(w):
    n, d = 2**53 + 1, 2**54
    value = lndcg_of([n, n], [d, d], w=w)
    assert exact_value(value) == Fraction(n, d)
    assert nearest_double_of(value) == 0.5
    assert nearest_double_of(lndcg_of([n + 2, n + 2], [d, d], w=w)) == 0.5 + 2.0**-52


@given(st.integers(1, 7), weights, weights)
def test_a_prior_sums_to_one(M, w, d):
    """Each p(i) divides by a sum of its own."""
    assert exact_value(lambda R: sum(prior(i, M, w(R)) for i in range(1, M + 1))) == 1

    def difference(R):  # of the two forms of what a user expects
        expected = sum(prior(i, M, w(R)) * d(R)(i) for i in range(1, M + 1))
        return user_expected_dcg(M, d(R), w(R), Z(M, 1, w(R), R)) - expected

    assert exact_value(difference) == 0


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("w", [log2, log10, uniform, zipf])
def test_long_lists_are_decided_without_multiplying_out(w, monkeypatch):
    def refuse(*_):
        raise AssertionError("multiplied out")

    monkeypatch.setattr(polynomial, "_product", refuse)
    random = Random(2014)
    r, J = (random.choices(range(5), k=n) for n in (200, 400))
    assert exact_value(lndcg_of(r, J, w=w, g=exp2)) is None
    top = [4] * J.count(4)
    assert exact_value(lndcg_of(top, J, w=w, g=exp2, which="eq7")) == 1
    assert exact_value(lndcg_of([2] * len(top), J, w=w, g=exp2, which="eq7")) == Fraction(3, 15)


# Square roots, which are divisors: y / √x is rational only where y²/x is the square of a rational.


@given(
    st.lists(terms, min_size=1, max_size=4),
    st.fractions(min_value=-50, max_value=50, max_denominator=30),
    st.fractions(min_value=1, max_value=50, max_denominator=30),
    bases,
)
@pytest.mark.spec("RS-NUM-2/L6")
def test_a_quotient_by_the_root_of_a_square_is_rational(chosen, c, e, b):
    """c s / √(e² s²) = ± c / e, where the square is not seen to be one."""
    s = total(FORMS, chosen, b)
    with flint.ctx.workprec(PRECISION):
        ball = total(balls.Balls(), chosen, b)
        assume(abs(ball) > 1e-6)
        sign = 1 if ball > 0 else -1
    root = FORMS.sqrt((s * s + s * s) * (e * e / 2))
    assert (s * c / root).rational == sign * c / e
    assert (FORMS.exact(0) / root).rational == 0


@given(st.integers(-(2**54), 2**54), st.integers(1, 2**54), st.sampled_from(["nDCG", "DCG"]))
@example(2**55 - 2, 2**55, "nDCG")
@pytest.mark.spec("RS-NUM-2/L6", "RS-EXP-23")
def test_the_z_value_of_two_labels_with_the_sum_of_their_pool(gap, spread, metric):
    """(a - b) / |c - e|, times (1 - d(2)) / (1 - d(2)), for a + b = c + e."""
    spread += (gap - spread) % 2
    total_of = abs(gap) + spread
    r, J = ([(total_of + x) // 2, (total_of - x) // 2] for x in (gap, spread))
    measure = rankspec.z_value(getattr(rankspec, metric)())
    found = rankspec.certify.certified(measure, r, judged=J, check=False)
    assert found.exact == Fraction(gap, spread)
    for backend in ("c", "reference"):
        assert measure.of(r, judged=J, check=False, backend=backend) == gap / spread


@pytest.mark.spec("RS-NUM-2/L6")
def test_the_z_value_of_one_item_of_a_square_and_one():
    """At k = 1, with a share 1/5 of one gain, √(p (1 - p)) is 2/5, whatever the gain."""
    measure = rankspec.z_value(rankspec.DCG(k=1, gain="exp2"))
    for labels, z in (([0.5, 0, 0, 0, 0], Fraction(2)), ([0, 0.3, 0, 0, 0], Fraction(-1, 2))):
        assert rankspec.certify.certified(measure, labels).exact == z
        assert measure.of(labels) == z
    roots_of_half = rankspec.certify.certified(measure, [0.5, 0, 0])  # √2, times what cancels
    assert roots_of_half.exact is None
    assert roots_of_half.value == math.sqrt(2)


def test_a_root_that_is_no_divisor_or_irrational_is_left_open():
    lb3 = 1 / discount_log(2, 2, FORMS)
    with pytest.raises(NoCanonicalForm):
        lb3 / FORMS.sqrt(FORMS.exact(2) * lb3 * lb3)
    with pytest.raises(NoCanonicalForm):
        1 / FORMS.sqrt(lb3)
    assert FORMS.sqrt(FORMS.exact(Fraction(9, 4))).rational == Fraction(3, 2)


def test_the_checks_can_fail():
    with flint.ctx.workprec(PRECISION):
        form = discount_log(4, 2, FORMS)
        with pytest.raises(AssertionError):
            assert_same_number(ball_of(form * Fraction(10**30 + 1, 10**30)), balls.log(2, 5))
        assert_same_number(ball_of(form), balls.log(2, 5))
        assert brute_primitive(64) == (2, 6)
