"""Canonical forms: structure decides equality, and a form is the number it stands for."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rankspec.reference.canonical import CanonicalForms, Form, NoCanonicalForm, primitive
from rankspec.reference.dcg import dcg, idcg, ndcg
from rankspec.reference.gain import discount_jarvelin_2008, discount_log, gain_linear
from rankspec.reference.numerics import exact_value, nearest_double_of

from . import balls

pytestmark = pytest.mark.spec("RS-NUM-2")

FORMS = CanonicalForms()
PRECISION = 300


def brute_primitive(n: int) -> tuple[int, int]:
    """(β, e) by trying every base and multiplying up."""
    for beta in range(2, n + 1):
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


def ball_of(form: Form, b) -> flint.arb:
    """Σ c[β, φ] · 2^φ · ln γ / ln β, by arb."""
    gamma, _ = primitive(Fraction(b))
    result = flint.arb(0)
    for (beta, phi), c in form.coefficients.items():
        ratio = 1 if beta is None else balls.log(gamma, beta)
        result += balls.ball(c) * balls.exp2(phi) * ratio
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
        assert_same_number(ball_of(total(FORMS, chosen, b), b), total(balls.Balls(), chosen, b))


@given(st.lists(terms, max_size=5), st.lists(terms, max_size=5), bases)
def test_a_product_is_the_number_it_stands_for(some, others, b):
    powers = [term for term in others if term[0] in ("rational", "power")]
    with flint.ctx.workprec(PRECISION):
        form = total(FORMS, some, b) * total(FORMS, powers, b)
        ball = total(balls.Balls(), some, b) * total(balls.Balls(), powers, b)
        assert_same_number(ball_of(form, b), ball)
        assert ball_of(form - form, b) == 0


@given(st.lists(terms, min_size=1, max_size=6), st.fractions(max_denominator=99), bases)
def test_proportional_forms_have_a_rational_quotient(chosen, c, b):
    form = total(FORMS, chosen, b)
    assume(form)
    assert (form * c / form).rational == c


@given(st.lists(terms, min_size=1, max_size=6), bases)
def test_forms_that_are_not_proportional_have_no_quotient(chosen, b):
    form = total(FORMS, chosen, b) + FORMS.exact(1000)
    other = form + 1 / FORMS.log(Fraction(997), Fraction(991))
    assume(form.rational is None)
    with pytest.raises(NoCanonicalForm):
        other / form


def test_a_product_of_two_discounts_has_no_form():
    d = discount_log(2, 2, FORMS)
    with pytest.raises(NoCanonicalForm):
        d * d


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


def test_the_checks_can_fail():
    with flint.ctx.workprec(PRECISION):
        form = discount_log(4, 2, FORMS)
        with pytest.raises(AssertionError):
            assert_same_number(ball_of(form * Fraction(10**30 + 1, 10**30), 2), balls.log(2, 5))
        assert_same_number(ball_of(form, 2), balls.log(2, 5))
        assert brute_primitive(64) == (2, 6)
