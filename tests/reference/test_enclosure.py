"""Enclosures hold the value: against exact rationals, and against python-flint's arb."""

from __future__ import annotations

import math
from fractions import Fraction

import flint
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rankspec.reference.numbers.enclosure import Enclosure, Enclosures, Undecided, enclose

from . import balls

pytestmark = pytest.mark.spec("RS-NUM-3")

precisions = st.sampled_from([8, 24, 53, 64, 128, 300])
rationals = st.builds(
    lambda n, d, e: Fraction(n, d) * Fraction(2) ** e,
    st.integers(-(10**12), 10**12),
    st.integers(1, 10**12),
    st.integers(-200, 200),
)


@st.composite
def intervals(draw, precision):
    """An enclosure of that precision with a number inside it: ends, zero and all."""
    ends = sorted(draw(st.tuples(*2 * [st.integers(-(2**40), 2**40)])))
    x = Enclosure(*ends, draw(st.integers(-80, 80)), precision)
    t = draw(st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 3)]))
    return x, x.lower + t * (x.upper - x.lower)


@st.composite
def pairs(draw):
    precision = draw(precisions)
    return draw(intervals(precision)), draw(intervals(precision))


def holds(x: Enclosure, number: Fraction) -> bool:
    return x.lower <= number <= x.upper


@given(rationals, precisions)
def test_an_input_is_enclosed_within_two_units_of_the_last_place(number, precision):
    x = enclose(number, precision)
    assert holds(x, number)
    assert x.upper - x.lower <= abs(number) * Fraction(2) ** (2 - precision)


@given(st.integers(-(2**128), 2**128), st.integers(-1074, 900))
def test_a_dyadic_input_that_fits_is_a_point(n, e):
    number = Fraction(n) * Fraction(2) ** e
    x = enclose(number, 129)
    assert x.lower == x.upper == number


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(5e-324)
@example(-1.7976931348623157e308)
def test_a_double_is_a_point(number):
    x = enclose(number, 53)
    assert x.lower == x.upper == Fraction(number)


@given(pairs())
def test_sum_difference_product_hold_every_value(pair):
    (x, a), (y, b) = pair
    assert holds(x + y, a + b)
    assert holds(x - y, a - b)
    assert holds(x * y, a * b)
    assert holds(-x, -a)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_sum_of_numbers_far_apart_is_narrow_and_holds_both(sign):
    third = sign * Fraction(1, 3) / 2**500
    far = enclose(third, 64)
    for x in (enclose(1, 64) + far, far + 1):
        assert holds(x, 1 + third)
        assert 0 < x.upper - x.lower <= Fraction(2) ** -63
    x = enclose(0, 64) + far
    assert (x.lower, x.upper) == (far.lower, far.upper)


@given(pairs())
def test_quotient_holds_every_value(pair):
    (x, a), (y, b) = pair
    assume(not y.lower <= 0 <= y.upper)
    assert holds(x / y, a / b)


@given(pairs())
def test_a_divisor_that_may_be_zero_is_refused(pair):
    (x, _), (y, _) = pair
    assume(y.lower < 0 < y.upper)
    with pytest.raises(Undecided):
        x / y


@pytest.mark.parametrize("zero", [0, Fraction(0), 0.0, enclose(0, 64)])
def test_division_by_zero(zero):
    with pytest.raises(ZeroDivisionError):
        enclose(1, 64) / zero


@given(rationals, rationals, precisions)
def test_ints_floats_and_fractions_mix_in(a, n, precision):
    x, f = enclose(a, precision), float(n)
    for b in (int(n), n, f):
        assert holds(x + b, a + Fraction(b))
        assert holds(b + x, a + Fraction(b))
        assert holds(x - b, a - Fraction(b))
        assert holds(b - x, Fraction(b) - a)
        assert holds(x * b, a * Fraction(b))
        assert holds(b * x, a * Fraction(b))
        if b:
            assert holds(x / b, a / Fraction(b))
        if a:
            assert holds(b / x, Fraction(b) / a)


@given(pairs(), st.integers(-100, 100))
def test_floors_are_those_of_the_ends(pair, bits):
    (x, _), _ = pair
    ends = (x.lower, x.upper)
    assert x.floors(bits) == tuple(math.floor(end * Fraction(2) ** bits) for end in ends)


@given(st.lists(rationals, min_size=4, max_size=4), precisions)
def test_more_precision_is_never_wider(numbers, precision):
    def term(p: int) -> Enclosure:
        a, b, c, d = (enclose(x, p) for x in numbers)
        return (a * b - c) * d

    coarse, fine = term(precision), term(precision + 40)
    assert coarse.lower <= fine.lower <= fine.upper <= coarse.upper


@given(rationals, rationals, precisions)
def test_a_quotient_of_points_is_tight(a, b, precision):
    assume(a and b)
    x, y = (enclose(number, 400) for number in (a, b))
    quotient = Enclosure(x.lo, x.hi, x.exponent, precision) / y
    assert quotient.upper - quotient.lower <= abs(a / b) * Fraction(2) ** (3 - precision)


@given(st.data(), precisions, st.integers(1, 6))
def test_the_greatest_is_enclosed(data, precision, n):
    pairs = [data.draw(intervals(precision)) for _ in range(n)]
    greatest = Enclosures(precision).greatest([x for x, _ in pairs])
    assert holds(greatest, max(a for _, a in pairs))
    assert greatest.upper - greatest.lower <= max(x.upper - x.lower for x, _ in pairs)


@given(st.lists(st.floats(-1e300, 1e300), min_size=1))
def test_the_greatest_of_points_is_a_point(numbers):
    greatest = Enclosures(64).greatest([enclose(x, 64) for x in numbers])
    assert greatest.lower == greatest.upper == max(numbers)


def test_the_ends_of_the_greatest_may_come_from_two():
    """[0, 3] and [1, 2]: the first reaches further, the second cannot be less than 1."""
    greatest = Enclosures(64).greatest([Enclosure(0, 3, 0, 64), Enclosure(1, 2, 0, 64)])
    assert (greatest.lower, greatest.upper) == (1, 3)


@pytest.mark.parametrize(
    ("x", "truth"),
    [
        (Enclosure(1, 2, 0, 64), True),
        (Enclosure(-2, -1, -9, 64), True),
        (Enclosure(0, 0, 5, 64), False),
    ],
)
def test_truth_where_it_is_known(x, truth):
    assert bool(x) is truth


@pytest.mark.parametrize("ends", [(-1, 1), (0, 1), (-1, 0)])
def test_truth_that_is_not_known_raises(ends):
    with pytest.raises(Undecided):
        bool(Enclosure(*ends, -100, 64))


# The irrational functions, against arb: its ball at a higher precision must lie inside.


def arb_log(x, b, precision: int) -> flint.arb:
    with flint.ctx.workprec(precision):
        return balls.log(x, b)


ENOUGH = 1500  # bits: tells even 2^(5e-324) from 1


def arb_exp2(x, precision: int) -> flint.arb:
    with flint.ctx.workprec(precision):
        return balls.exp2(x)


def assert_encloses(x: Enclosure, truth: flint.arb) -> None:
    lower, upper = balls.ends_of(truth)
    assert x.lower <= lower
    assert upper <= x.upper


def assert_tight(x: Enclosure, units: int) -> None:
    """The interval is at most so many units in the last place of its precision wide."""
    magnitude = max(abs(x.lo), abs(x.hi)).bit_length() + x.exponent
    assert x.upper - x.lower <= units * Fraction(2) ** (magnitude - x.precision)


ranks = st.one_of(st.integers(2, 200), st.integers(2, 10**7), st.integers(2, 2**63))
bases = st.sampled_from([2, 3, 4, 10, 1.5, Fraction(5, 2), 2.718281828459045, 1024, 10**7])


@given(ranks, bases, precisions)
@example(10**7 + 1, 2, 128)
@example(2**61 - 1, 2, 128)
def test_log_of_a_rank_is_enclosed_tightly(i, b, precision):
    x = Enclosures(precision).log(i, b)
    assert_encloses(x, arb_log(i, b, precision + 200))
    assert_tight(x, 3)


@given(
    st.fractions(min_value=Fraction(1, 10**6), max_value=10**9).filter(bool),
    st.floats(min_value=1.0000001, max_value=1e300),
    precisions,
)
@example(Fraction(1), 1.0000000000000002, 64)
@example(Fraction(10**7 + 1, 10**7), 1.0000000000000002, 64)
@example(Fraction(5e-324), 1.7976931348623157e308, 64)
def test_log_of_any_rational_in_any_base_is_enclosed(x, b, precision):
    assert_encloses(Enclosures(precision).log(x, b), arb_log(x, b, 2 * precision + 300))


@given(st.integers(1, 60), st.sampled_from([2, 3, 7, Fraction(3, 2)]))
def test_log_of_a_power_holds_the_integer(e, b):
    x = Enclosures(128).log(Fraction(b) ** e, b)
    assert holds(x, Fraction(e))
    assert_tight(x, 3)


def test_log_of_one_is_zero():
    x = Enclosures(64).log(1, 2)
    assert x.lower == x.upper == 0


@given(st.floats(min_value=-1074, max_value=1024), precisions)
@example(0.1, 128)
@example(2.0**-52, 128)
@example(5e-324, 128)
@example(-5e-324, 128)
@example(-(2.0**-60), 128)
@example(1022.9999999999999, 128)
@example(0.9999999999999999, 24)
def test_exp2_is_enclosed_tightly(x, precision):
    power = Enclosures(precision).exp2(x)
    assert_encloses(power, arb_exp2(x, ENOUGH))
    assert_tight(power, 3)


@given(st.fractions(min_value=-50, max_value=50, max_denominator=10**9), precisions)
def test_exp2_of_a_rational_is_enclosed(x, precision):
    power = Enclosures(precision).exp2(x)
    assert_encloses(power, arb_exp2(x, ENOUGH))
    assert_tight(power, 3)


@given(st.integers(-2000, 2000))
def test_exp2_of_an_integer_is_a_point(x):
    power = Enclosures(64).exp2(x)
    assert power.lower == power.upper == Fraction(2) ** x


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("precision", [64, 128])
def test_every_rank_of_a_long_list_is_enclosed(precision):
    reals = Enclosures(precision)  # one cache of logarithms, as a table of discounts uses it
    for i in [*range(2, 3000), *range(10**6, 10**6 + 50)]:
        assert_encloses(reals.log(i, 2), arb_log(i, 2, precision + 100))


def test_the_checks_can_fail():
    """Controls: a shifted interval is caught, and so is one that is too wide."""
    good = Enclosures(64).log(3, 2)
    shifted = Enclosure(good.lo + 4, good.hi + 4, good.exponent, 64)
    with pytest.raises(AssertionError):
        assert_encloses(shifted, arb_log(3, 2, 300))
    wide = Enclosure(good.lo - 4, good.hi + 4, good.exponent, 64)
    assert_encloses(wide, arb_log(3, 2, 300))
    with pytest.raises(AssertionError):
        assert_tight(wide, 3)
    assert math.log2(3) == float(arb_log(3, 2, 300))  # arb computes what it is asked for
