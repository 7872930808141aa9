"""Rounding: the nearest double by its definition, by decimals, and by arb."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import flint
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import rankspec
from rankspec.reference import numerics
from rankspec.reference.dcg import dcg, ndcg
from rankspec.reference.gain import (
    discount_custom,
    discount_log,
    discount_zipf,
    gain_exp2,
    gain_linear,
)
from rankspec.reference.numbers.enclosure import Undecided
from rankspec.reference.numerics import (
    LAST_PRECISION,
    certify,
    exact_sum,
    exact_value,
    floor_scaled,
    mean,
    nearest_double,
    nearest_double_of,
)

from ..each import each
from . import balls

ULP_OF_1 = Fraction(1, 2**52)
LARGEST = Fraction(2) ** 1024 - Fraction(2) ** 970  # what rounds to 2^1024, and so to infinity

finite = st.floats(allow_nan=False, allow_infinity=False)


def is_nearest(double: float, x: Fraction) -> bool:
    """Whether no double is nearer to x, and a tie went to the even one. From the definition."""
    if abs(x) >= LARGEST:
        return double == (math.inf if x > 0 else -math.inf)
    if math.isinf(double):
        return False
    error = abs(Fraction(double) - x)
    for neighbour in (math.nextafter(double, math.inf), math.nextafter(double, -math.inf)):
        if math.isinf(neighbour):
            continue
        other = abs(Fraction(neighbour) - x)
        if other < error or (other == error and not is_even(double)):
            return False
    return True


def is_even(double: float) -> bool:
    """Whether the last bit of the significand is 0; subnormals are multiples of 2^-1074."""
    unit = max(math.frexp(double)[1] - 53, -1074)
    return Fraction(double) / Fraction(2) ** unit % 2 == 0


def midpoint_above(double: float) -> Fraction:
    return (Fraction(double) + Fraction(math.nextafter(double, math.inf))) / 2


@given(st.fractions(), st.integers(-1200, 1100))
@example(Fraction(1), -1075)  # half the least double: a tie, to the even 0
@example(Fraction(3), -1075)  # a tie between two subnormals
@example(Fraction(2**53 + 1), 0)
@example(Fraction(2**53 - 1), 971)  # the largest double
@example(Fraction(2**54 - 1), 970)  # a tie between it and 2^1024: infinity
@example(Fraction(2**55 - 3), 969)  # just below that tie
@pytest.mark.spec("RS-NUM-1")
def test_nearest_double_by_definition(x, e):
    x = x * Fraction(2) ** e
    assert is_nearest(nearest_double(x), x)


@given(finite.filter(lambda d: d < 1.7e308))
@example(0.0)
@example(5e-324)
@example(2.2250738585072009e-308)  # the largest subnormal
@pytest.mark.spec("RS-NUM-1")
def test_ties_go_to_the_even_double(double):
    above = math.nextafter(double, math.inf)
    tie = midpoint_above(double)
    nearest = nearest_double(tie)
    assert nearest == (double if is_even(double) else above)
    assert nearest_double(tie - Fraction(1, 2**3000)) == double
    assert nearest_double(tie + Fraction(1, 2**3000)) == above


@given(finite)
@pytest.mark.spec("RS-NUM-1")
def test_a_double_is_its_own_nearest(double):
    assert nearest_double(double) == nearest_double(Fraction(double)) == double


@given(st.integers(-(10**30), 10**30), st.integers(-360, 320))
@example(17976931348623157, 292)
@example(17976931348623159, 292)
@example(4, -324)
@example(2, -324)
@pytest.mark.spec("RS-NUM-1")
def test_nearest_double_of_a_decimal_is_what_the_decimal_reads_as(n, e):
    assert nearest_double(Fraction(Decimal(n).scaleb(e))) == float(f"{n}e{e}")


@given(finite, finite)
@pytest.mark.spec("RS-NUM-1")
def test_an_exact_sum_or_product_rounds_as_the_processor_rounds_it(a, b):
    assert nearest_double(Fraction(a) + Fraction(b)) == a + b
    assert nearest_double(Fraction(a) * Fraction(b)) == a * b


# Values of metrics.


def linear(R):
    return lambda r: gain_linear(r, R)


def weighted(labels, weights):
    """DCG with the caller's weights: any rational number can be made of it."""
    return lambda R: dcg(labels, len(labels), linear(R), lambda i: discount_custom(i, weights, R))


def logarithmic(labels, b=2, gain=linear):
    return lambda R: dcg(labels, len(labels), gain(R), lambda i: discount_log(i, b, R))


@given(st.floats(min_value=1, max_value=2**40), st.sampled_from([0, -1, 1]))
@example(1.0, 0)
@example(1 + 2**-52, 0)
@pytest.mark.spec("RS-NUM-3")
def test_a_value_between_two_doubles_and_just_beside(double, side):
    """The third weight decides; without it the value is a tie, which no enclosure could decide."""
    half = float(midpoint_above(double) - Fraction(double))
    value = weighted([1, 1, 1], [double, half, side * 1e-300])
    above = math.nextafter(double, math.inf)
    even = double if is_even(double) else above
    assert nearest_double_of(value) == {-1: double, 0: even, 1: above}[side]


@pytest.mark.parametrize(
    ("labels", "double"),
    [
        ([0, 0, 2**54 + 2], 2.0**53),  # rank 3 has the discount 1/2: 2^53 + 1, a tie
        ([0, 0, 2**54 + 6], 2.0**53 + 4),
        ([2**53, 0, 2], 2.0**53),
        ([2**53 + 1], 2.0**53),
        ([0, 2**60, 2**53 + 1, 0], None),
    ],
)
@pytest.mark.spec("RS-NUM-2", "RS-NUM-3")
def test_a_tie_of_integer_labels_is_settled_by_its_form(labels, double):
    value = logarithmic(labels)
    exact = exact_value(value)
    if double is None:  # a control: an irrational value has no tie and no exact form
        assert exact is None
    else:
        assert exact in {midpoint_above(double), midpoint_above(math.nextafter(double, 0))}
        assert nearest_double_of(value) == double


@pytest.mark.spec("RS-NUM-2", "RS-NUM-3")
def test_an_ndcg_that_is_a_tie():
    """(2^53 + 1)/2^54 as a quotient of two irrational numbers."""
    n, d = 2**53 + 1, 2**54

    def value(R):
        return ndcg([n, n], [d, d], 2, linear(R), lambda i: discount_log(i, 2, R))

    assert exact_value(value) == Fraction(n, d)
    assert nearest_double_of(value) == 0.5


def unseen_one(R):
    """1, because log2 6 = 1 + log2 3; in products of three discounts the forms do not know it."""
    d2, d5, d6 = (discount_log(i, 2, R) for i in (2, 5, 6))
    return (d5 * d6 + d5 * d2 * d6 + d6 * d6) / (d2 * d6 + d6 * d6)


@pytest.mark.spec("RS-NUM-2", "RS-NUM-3")
def test_a_tie_of_products_is_settled_by_its_form():
    def value(R):
        d = discount_log(2, 2, R)
        return (1 + ULP_OF_1 / 2) * (d * d) / (d * d)

    assert exact_value(value) == midpoint_above(1.0)
    assert nearest_double_of(value) == 1.0


def test_a_value_that_bits_decide_is_not_asked_for_its_form(monkeypatch):
    """The form of a sum of many fractions takes the cube of their number."""
    monkeypatch.setattr(numerics, "exact_value", None)

    def value(R):  # far less than 2^-128 above the middle of two doubles
        return R.exact(1) + R.exact(ULP_OF_1 / 2) + R.exact(Fraction(1, 3) / 2**1000)

    assert nearest_double_of(value) == 1 + ULP_OF_1


@each("last", [LAST_PRECISION >> 4, LAST_PRECISION], fast=1)
def test_a_tie_that_its_form_does_not_show_is_undecided(last, monkeypatch):
    monkeypatch.setattr(numerics, "LAST_PRECISION", last)

    def value(R):
        return (1 + ULP_OF_1 / 2) * unseen_one(R)

    assert exact_value(value) is None
    with pytest.raises(Undecided, match=f"^{last} bits"):
        nearest_double_of(value, precision=last // 4)


@given(
    st.lists(st.integers(0, 2**40), min_size=1, max_size=20),
    st.sampled_from([2, 3, 10, 1.5, Fraction(7, 3)]),
)
@pytest.mark.spec("RS-NUM-3")
def test_dcg_is_the_double_nearest_to_what_arb_computes(labels, b):
    with flint.ctx.workprec(400):
        lower, upper = balls.ends_of(logarithmic(labels, b)(balls.Balls()))
    double = nearest_double_of(logarithmic(labels, b))
    assert is_nearest(double, lower)
    assert is_nearest(double, upper)


@given(st.lists(st.floats(0, 1000), min_size=1, max_size=8))
@pytest.mark.spec("RS-NUM-3")
def test_dcg_of_fractional_labels_with_exponential_gain_likewise(labels):
    value = logarithmic(labels, gain=lambda R: lambda r: gain_exp2(r, R))
    with flint.ctx.workprec(2500):
        lower, upper = balls.ends_of(value(balls.Balls()))
    assume(upper - lower < abs(lower) / 2**200 or not any(labels))
    double = nearest_double_of(value)
    assert is_nearest(double, (lower + upper) / 2)


@pytest.mark.spec("RS-NUM-1", "RS-NUM-3")
def test_the_range_of_a_double():
    assert nearest_double_of(logarithmic([1.7976931348623157e308] * 3)) == math.inf
    assert nearest_double_of(weighted([5e-324], [0.5])) == 0.0  # a tie, to the even 0
    assert nearest_double_of(weighted([5e-324], [0.5 + 2**-53])) == 5e-324
    assert nearest_double_of(logarithmic([0, 0, 5e-324, 5e-324])) == 5e-324


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=9), st.sampled_from([1, 17, 30, 150]))
@pytest.mark.spec("RS-NUM-3")
def test_a_certificate_holds_the_value_and_proves_double_and_digits(labels, digits):
    proof = certify(logarithmic(labels), digits)
    with flint.ctx.workprec(1000):
        lower, upper = balls.ends_of(logarithmic(labels)(balls.Balls()))
    written = Fraction(proof.digits)
    unit = Fraction(1, 10 ** (digits - 1)) * 10 ** (len(str(int(lower))) - 1)
    assert abs(written - lower) <= unit / 2 + (upper - lower)
    if proof.exact is None:
        assert proof.lower <= lower
        assert upper <= proof.upper
        assert proof.upper - proof.lower <= lower * 64 / 2**128
    else:
        assert proof.lower == proof.upper == proof.exact
        assert lower <= proof.exact <= upper
    assert proof.double == nearest_double(proof.lower) == nearest_double(proof.upper)


# Fixed-point tables.


@given(st.integers(1, 10**7), st.sampled_from([32, 64, 96]))
@example(1, 96)
@example(2**20 - 1, 96)
@pytest.mark.spec("RS-NUM-4")
def test_a_table_entry_is_the_floor_of_the_scaled_discount(i, bits):
    entry = floor_scaled(lambda R: discount_log(i, 2, R), bits)
    with flint.ctx.workprec(bits + 200):
        scaled = 1 / balls.log(i + 1, 2) * flint.arb(2) ** bits
        assert entry <= balls.ends_of(scaled)[1]
        assert balls.ends_of(scaled)[0] < entry + 1


def ball_of_z(gap: Fraction, variance: Fraction) -> float:
    """gap / √variance, rounded by arb."""
    with flint.ctx.workprec(400):
        return balls.nearest(balls.ball(gap) / balls.ball(variance).sqrt())


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-3", "RS-EXP-23")
def test_numbers_of_thousands_of_digits_are_in_no_message():
    """Their variance has more digits than Python writes, and its root is irrational."""
    p = 1 - Fraction(1, 2**40)
    labels = [1, 0] * 100
    n, powers = len(labels), [p**i for i in range(len(labels))]
    gap = sum(x * (r - Fraction(1, 2)) for x, r in zip(powers, labels, strict=True))
    spread = Fraction(1, 4) * (n * sum(x * x for x in powers) - sum(powers) ** 2) / (n - 1)
    assert spread.denominator > 10**4300
    z_value = rankspec.z_value(rankspec.RBP(p=float(p)))
    qrels = {"q": {f"d{i:03}": r for i, r in enumerate(labels)}}
    run = {"q": {f"d{i:03}": float(-i) for i in range(n)}}
    for backend in ("c", "reference"):
        assert z_value.of(labels, backend=backend) == ball_of_z(gap, spread)
        found = rankspec.evaluate(qrels, run, [z_value, "P@10"], backend=backend)
        assert (found[str(z_value)], found["P@10"]) == (ball_of_z(gap, spread), 0.5)
    large, zipf = [2**62 + i % 3 for i in range(400)], [Fraction(1, i) for i in range(1, 401)]
    mean = Fraction(sum(large), len(large))
    of_gains = sum((x - mean) ** 2 for x in large) / len(large)
    spread = of_gains * (len(large) * sum(x * x for x in zipf) - sum(zipf) ** 2) / (len(large) - 1)
    gap = sum(d * (x - mean) for d, x in zip(zipf, large, strict=True))
    measure = rankspec.z_value(rankspec.DCG(discount="zipf"))
    assert measure.of(large, backend="reference") == ball_of_z(gap, spread)
    certified = rankspec.certify.certified(rankspec.RBP(p=float(p)), labels * 4)
    assert certified.exact.denominator > 10**4300
    assert "more than 600 digits" in str(certified)
    assert repr(certified).startswith("Certified(value=")


@given(st.integers(1, 10**9), st.sampled_from([0, 1, 64, 96]))
@pytest.mark.spec("RS-NUM-4")
def test_a_rational_table_entry_is_exact(i, bits):
    assert floor_scaled(lambda R: discount_zipf(i, R), bits) == 2**bits // i


@given(st.integers(1, 64), st.sampled_from([2, 3, Fraction(5, 2)]), st.sampled_from([64, 96]))
@pytest.mark.spec("RS-NUM-4", "RS-DISC-1/L3")
def test_a_table_entry_of_a_rational_discount_is_exact(e, b, bits):
    """1/log_b(b^e) = 1/e: no enclosure can tell it from what lies just below."""
    assert floor_scaled(lambda R: 1 / R.log(Fraction(b) ** e, b), bits) == 2**bits // e


@pytest.mark.spec("RS-NUM-4")
@each("last", [LAST_PRECISION >> 4, LAST_PRECISION], fast=1)
def test_a_table_entry_on_a_boundary_that_its_form_does_not_show_is_undecided(last, monkeypatch):
    monkeypatch.setattr(numerics, "LAST_PRECISION", last)
    with pytest.raises(Undecided, match=f"^{last} bits"):
        floor_scaled(unseen_one, 64, precision=last // 4)


# Sums and means of doubles.


@given(st.lists(finite))
@example([1e308, -1e308, 5e-324])
@pytest.mark.spec("RS-NUM-5")
def test_an_exact_sum(values):
    assert exact_sum(values) == sum(map(Fraction, values))


@given(st.lists(st.floats(-1e300, 1e300)))
@example([0.1] * 10)
@pytest.mark.spec("RS-NUM-5")
def test_an_exact_sum_rounds_as_fsum_does(values):
    assert nearest_double(exact_sum(values)) == math.fsum(values)


@given(st.lists(finite, min_size=1))
@example([0.1] * 10)
@example([1.7976931348623157e308] * 3)
@example([5e-324, 0.0])
@pytest.mark.spec("RS-NUM-5")
def test_a_mean_is_the_double_nearest_to_the_exact_mean(values):
    assert is_nearest(mean(values), sum(map(Fraction, values)) / len(values))


@pytest.mark.spec("RS-NUM-5")
def test_a_mean_is_rounded_once():
    """Where the sum is rounded before it is divided, the mean of these is one ulp off."""
    values = [0.1, 0.1, 0.5]
    exact = sum(map(Fraction, values)) / 3
    assert is_nearest(mean(values), exact)
    assert not is_nearest(math.fsum(values) / 3, exact)  # the control: rounded twice


@pytest.mark.spec("RS-NUM-5")
def test_the_mean_of_nothing_is_zero():
    assert mean([]) == 0.0


def test_the_checks_can_fail():
    """Controls: a neighbour is not nearest, nor is the odd end of a tie, nor the wrong infinity."""
    assert not is_nearest(math.nextafter(0.1, 1), Fraction(1, 10))
    assert is_nearest(0.1, Fraction(1, 10))
    tie = midpoint_above(1.0)
    assert is_nearest(1.0, tie)
    assert not is_nearest(math.nextafter(1.0, 2), tie)
    assert not is_nearest(1.7976931348623157e308, LARGEST)
    assert not is_nearest(math.inf, LARGEST - 1)
