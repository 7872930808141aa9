"""The laws of numbers, RS-NUM-1 to RS-NUM-5.

Those of the fixed-point sums of the core, RS-NUM-6 to RS-NUM-9, are held by the comparison of
the core with the reference.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction

import flint
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import rankspec
from rankspec.compute import tables
from rankspec.compute.gain import discount
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make
from rankspec.metrics.measure import Ranking, value
from rankspec.reference import numerics
from rankspec.reference.numbers import enclosure
from rankspec.reference.numerics import exact_value, nearest_double, nearest_double_of

from ..reference import balls
from .broken import shifted
from .law import law
from .rankings import cases, discounts

finite = st.floats(allow_nan=False, allow_infinity=False)
rationals = st.builds(
    lambda n, d, e: Fraction(n, d) * Fraction(2) ** e,
    st.integers(-(10**20), 10**20),
    st.integers(1, 10**20),
    st.integers(-1150, 1000),
)


@given(rationals, rationals)
@pytest.mark.spec("RS-NUM-1/L1")
def test_rounding_is_monotone(x, y):
    x, y = sorted((x, y))
    assert nearest_double(x) <= nearest_double(y)
    close = x + abs(x) / 2**60
    assert nearest_double(x) <= nearest_double(close)


@given(finite)
@pytest.mark.spec("RS-NUM-1/L2")
def test_a_double_is_a_fixed_point(x):
    assert nearest_double(Fraction(x)) == x
    above = math.nextafter(x, math.inf)
    if above != math.inf:  # the control: its neighbour is another fixed point
        assert nearest_double(Fraction(above)) != x


def measured(metric, case, extra=()):
    """(measure, ranking) of a case for a metric, with the labels of extra in the pool."""
    chosen = {n: getattr(case, n) for n in ("gain", "discount") if n in metric.parameters}
    labels, judged = case.labels, [*case.judged, *extra]
    if {"max", "max_rel"} & set(metric.parameters):  # takes the labels 0 to 4
        labels, judged = ([int(label) % 5 for label in some] for some in (labels, judged))
    ranking = Ranking([[label] for label in labels], judged)
    return make(metric, case.k, **chosen), ranking


ALL_METRICS = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
# INST multiplies by fractions, which arb does not take; Yaap is rational where it is 0 alone.
IN_BALLS = pytest.mark.parametrize(
    "metric",
    [m for m in METRICS if m.name not in ("INST", "Yaap")],
    ids=lambda metric: metric.name,
)


def by_balls(measure, ranking, precision=300):
    """The ends of the value by arb; a quotient by 0 is left out, being no number there."""
    with flint.ctx.workprec(precision):
        x = value(measure, ranking, balls.Balls())
        x = x if isinstance(x, flint.arb) else balls.ball(x)
        assume(x.is_finite())
        return balls.ends_of(x)


@pytest.mark.slow(but=7)
@IN_BALLS
@given(case=cases())
@pytest.mark.spec("RS-NUM-2/L1")
def test_what_is_called_rational_is_that_number(metric, case):
    measure, ranking = measured(metric, case)
    exact = exact_value(lambda R: value(measure, ranking, R))
    assume(exact is not None)
    lower, upper = by_balls(measure, ranking)
    assert lower <= exact <= upper
    assert upper - lower <= abs(exact) / 2**200
    assert not lower <= exact + Fraction(1, 2**150) <= upper  # the control


@pytest.mark.spec("RS-NUM-2/L2")
@law(case=cases(), ndcg=shifted)
def test_perfect_rankings_are_recognised(rs, case):
    perfect = sorted(case.labels, reverse=True)
    assume(rs.idcg(perfect, **case.all) > 0)
    certified = rankspec.certify.ndcg(perfect, judged=case.labels, **case.all)
    assert certified.exact == certified.lower == certified.upper == 1
    assert rs.ndcg(perfect, judged=case.labels, **case.all) == 1
    if case.gain == "linear" and case.labels[0] > 0:  # the controls: short of perfect
        assert rankspec.certify.ndcg(perfect, judged=[*perfect, 10**7], **case.all).exact != 1
        assert rs.ndcg([x + 1 for x in perfect], judged=case.labels, **case.all) > 1


@pytest.mark.slow(but=8)
@IN_BALLS
@given(case=cases(), precision=st.sampled_from([24, 64, 128, 300]))
@pytest.mark.spec("RS-NUM-3/L1")
def test_every_enclosure_holds_the_value(metric, case, precision):
    measure, ranking = measured(metric, case, extra=[1])
    x = numerics.enclosure_of(lambda R: value(measure, ranking, R), precision)
    lower, upper = by_balls(measure, ranking, 2000)
    assert x.lower <= upper
    assert lower <= x.upper
    if upper > 0:  # the control: the interval is no wider than it must be
        assert not x.lower <= upper * 2 <= x.upper


@pytest.mark.slow(but=8)
@ALL_METRICS
@given(case=cases(), precision=st.sampled_from([30, 54, 64, 200, 1000]))
@pytest.mark.spec("RS-NUM-3/L2")
def test_the_double_does_not_depend_on_the_first_precision(metric, case, precision):
    measure, ranking = measured(metric, case)

    def of(R):
        return value(measure, ranking, R)

    double = nearest_double_of(of)
    assert nearest_double_of(of, precision) == double
    assert nearest_double_of(lambda R: of(R) + 1, precision) != double or double > 2**52


@given(choice=discounts, bits=st.sampled_from([32, 60, 96]), depth=st.integers(1, 24))
@pytest.mark.spec("RS-NUM-4/L1")
def test_an_entry_of_a_table_lacks_less_than_its_unit(choice, bits, depth):
    d = discount(choice)
    entries, exponent, unit = tables.fixed_point(d, depth, bits)
    scale = Fraction(2) ** exponent
    assert unit in (0, 2 ** (96 - bits))
    with flint.ctx.workprec(400):
        for i, D in enumerate(entries, start=1):
            x = d.of(balls.Balls())(i)
            lower, upper = balls.ends_of(x)
            assert D * scale <= upper
            assert lower < (D + unit) * scale or (unit == 0 and lower <= D * scale)
            assert not lower < D * scale - scale  # the control: nor is it above
            assert 0 <= D < 2**96


# RS-NUM-31, RS-NUM-32: by functions of the reference that are not public, as their margins lie
# below the bits that the public ones keep.

PRECISIONS = st.sampled_from([8, 24, 64, 128, 300, 1000, 4096])
LEAST = Fraction(5e-324)
HUGE = Fraction(1.7976931348623157e308)
positive = st.one_of(
    st.integers(1, 2**70),
    st.floats(min_value=5e-324, allow_infinity=False),
    st.builds(Fraction, st.integers(1, 2**1200), st.integers(1, 2**1200)),
    st.builds(lambda e, n: 1 + Fraction(n, 2**e), st.integers(1, 1074), st.sampled_from([-1, 1])),
    st.builds(lambda e, n: 2**e + n, st.integers(1, 5000), st.integers(0, 3)),
)


def between(lower: int, exact: flint.arb, upper: int) -> bool:
    """Whether a number that is known to a ball is certain to lie between two whole ones."""
    low, high = balls.ends_of(exact)
    assert high - low < Fraction(1, 2**60), "more bits are needed"
    return lower <= low and high <= upper


def contains(x: enclosure.Enclosure, exact: flint.arb) -> bool:
    """Whether the ball lies in the enclosure. Its exponents may have more bits than fit."""
    lower, upper = (flint.arb((end, x.exponent)) for end in (x.lo, x.hi))
    return bool(lower <= exact <= upper)


def units(x: enclosure.Enclosure) -> Fraction:
    """How wide an enclosure is, in units of the last of its bits."""
    spare = max(abs(x.lo), abs(x.hi)).bit_length() - x.precision
    return Fraction(x.hi - x.lo) / Fraction(2) ** spare


@pytest.mark.spec("RS-NUM-31/L1")
def test_the_series_of_artanh_lacks_less_than_its_bound():
    lacking = 0
    with flint.ctx.workprec(200):
        for bits in range(24):
            for z in {Fraction(a, b) for b in range(3, 25) for a in range(b // 3 + 1)}:
                lower, upper = enclosure._atanh(z.numerator, z.denominator, bits)
                exact = balls.ball(z).atanh() * 2**bits
                assert between(lower, exact, upper)
                lacking = max(lacking, math.floor(balls.ends_of(exact)[0]) - lower)
    assert lacking > 2  # the control: a bound without the terms does not hold


@given(
    z=st.builds(Fraction, st.integers(0, 2**40), st.integers(3 * 2**40, 2**90)),
    bits=st.integers(1, 4200),
)
@example(z=Fraction(1, 3), bits=4128)
@example(z=Fraction(1, 3), bits=32800)
@pytest.mark.spec("RS-NUM-31/L1")
def test_the_series_of_artanh_at_many_bits(z, bits):
    with flint.ctx.workprec(bits + 400):  # tell z³ from 0
        exact = balls.ball(z).atanh() * 2**bits
        lower, upper = enclosure._atanh(z.numerator, z.denominator, bits)
        assert between(lower, exact, upper)
        assert upper - lower <= 2 * (bits // 3 + 1) + 2  # J is what the width is derived from


@pytest.mark.spec("RS-NUM-31/L1")
def test_the_bound_of_the_series_of_artanh_cannot_be_less():
    lower, upper = enclosure._atanh(999, 4000, 2)
    with flint.ctx.workprec(200):
        exact = balls.ball(Fraction(999, 4000)).atanh() * 4
        assert between(lower, exact, upper)
        assert between(upper - 1, exact, upper)


@pytest.mark.spec("RS-NUM-31", "RS-NUM-31/L2")
@pytest.mark.parametrize("more", [0, 1, 40])
def test_logarithms_are_enclosed_whatever_bounds_of_the_series_are_right(monkeypatch, more):
    """Those of ln 2 are as close as can be; the others are `more` wider here and there."""
    rng, arguments = random.Random(31), set()

    def series(a, b, bits):
        arguments.add(Fraction(a, b))
        low, high = balls.ends_of(balls.ball(Fraction(a, b)).atanh() * 2**bits)
        low, high = math.floor(low), math.ceil(high)
        return (
            (low, high)
            if 3 * a == b
            else (low - rng.choice([0, more]), high + rng.choice([0, more]))
        )

    monkeypatch.setattr(enclosure, "_atanh", series)
    with flint.ctx.workprec(500):
        for n in (*range(2, 300), 2**61 - 1, 2**89 - 1, 2**150 + 1, 3**120):
            for bits in (8, 24, 60):
                assert contains(enclosure._ln_series(n, bits), balls.ball(n).log())
    arguments.remove(Fraction(1, 3))  # ln 2
    assert min(arguments) == 0
    assert Fraction(1, 6) < max(arguments) < Fraction(1, 5)  # as 2/3 < m <= 4/3


@given(x=positive, precision=PRECISIONS)
@example(x=LEAST, precision=64)
@example(x=HUGE, precision=64)
@example(x=1 + Fraction(1, 2**1074), precision=4096)
@example(x=1 - Fraction(1, 2**53), precision=64)
@example(x=2**4999 + 1, precision=8)
@example(x=Fraction(2**4999 - 1, 2**4998 + 1), precision=64)
@example(x=2**32 - 5, precision=64)
@example(x=2**64 - 59, precision=64)
@pytest.mark.spec("RS-NUM-31", "RS-NUM-31/L2", "RS-NUM-31/L3")
def test_logarithms_are_enclosed(x, precision):
    reals = enclosure.Enclosures(precision)
    with flint.ctx.workprec(precision + 3000):
        exact = balls.ball(x).log()
        found = reals.ln(x)
        assert contains(found, exact)
        if x != 1:  # the control: one unit further it is not
            moved = enclosure.Enclosure(found.hi + 1, found.hi + 1, found.exponent, precision + 1)
            assert not contains(moved, exact)
        if x == int(x) and x > 1:
            assert units(found) <= 2


@given(
    x=positive,
    b=st.one_of(st.just(2), st.integers(2, 1000), st.floats(min_value=1.0000000000000002)),
    precision=PRECISIONS,
)
@example(x=1 + Fraction(1, 2**1074), b=1.0000000000000002, precision=4096)
@pytest.mark.spec("RS-NUM-31/L2")
def test_logarithms_to_any_base_are_enclosed(x, b, precision):
    assume(b < math.inf)
    with flint.ctx.workprec(precision + 3000):
        try:
            found = enclosure.Enclosures(precision).log(x, b)
        except enclosure.Undecided:
            assert precision < 64  # ln b is not told from 0
            assert b < 1.1
        else:
            assert contains(found, balls.log(x, b))


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-31/L2", "RS-NUM-31/L3")
@pytest.mark.parametrize("precision", [64, 1000, 4096])
def test_logarithms_of_primes_after_each_other_stay_narrow(precision):
    """That of 2^32 - 5, the last that comes from the number before it, among them."""
    reals = enclosure.Enclosures(precision)
    h = enclosure._atanh(1, 3, precision + 32)
    with flint.ctx.workprec(precision + 100):
        for n in [*range(2, 600), *range(2**32 - 300, 2**32 + 10)]:
            assert contains(reals.ln(n), balls.ball(n).log())
            assert units(reals.ln(n)) <= 2
            if n < 2**32:
                ln = enclosure.ln_integer(n, precision + 32)
                width = (ln.upper - ln.lower) * 2 ** (precision + 32)
                assert width <= 6 * (h[1] - h[0]) * math.log2(n)


@pytest.mark.spec("RS-NUM-32/L1")
def test_the_series_of_exp_lacks_less_than_its_bound():
    lacking = 0
    with flint.ctx.workprec(200):
        for bits in range(8, 40):
            most = 1 << (bits - 8)
            for x in {*range(min(most, 64)), *range(max(0, most - 32), most)}:
                lower, upper = enclosure._exp_series(x, bits)
                exact = balls.ball(Fraction(x, 2**bits)).exp() * 2**bits
                assert between(lower, exact, upper)
                lacking = max(lacking, math.floor(balls.ends_of(exact)[0]) - lower)
    assert lacking > 0  # the control


@given(x=st.floats(0, 1, exclude_max=True), bits=st.integers(8, 4200))
@example(x=1 - 2**-53, bits=32816)
@example(x=5e-324, bits=2000)
@pytest.mark.spec("RS-NUM-32/L1")
def test_the_series_of_exp_at_many_bits(x, bits):
    whole = math.floor(Fraction(x) * 2 ** (bits - 8))
    lower, upper = enclosure._exp_series(whole, bits)
    with flint.ctx.workprec(2 * bits + 100):  # tell x² from 0
        exact = balls.ball(Fraction(whole, 2**bits)).exp() * 2**bits
        assert between(lower, exact, upper)


@pytest.mark.spec("RS-NUM-32/L1")
def test_the_bound_of_the_series_of_exp_cannot_be_less():
    lower, upper = enclosure._exp_series(724, 18)
    with flint.ctx.workprec(200):
        exact = balls.ball(Fraction(724, 2**18)).exp() * 2**18
        assert between(lower, exact, upper)
        assert between(upper - 1, exact, upper)


@given(
    lo=st.integers(0, 2**60 - 1),
    width=st.integers(0, 2**58),
    shift=st.integers(0, 1100),
    precision=st.sampled_from([64, 128, 1000]),
)
@example(lo=2**60 - 1, width=0, shift=0, precision=64)
@example(lo=0, width=2**60 - 1, shift=0, precision=64)
@example(lo=1, width=1, shift=1074, precision=64)
@pytest.mark.spec("RS-NUM-32")
def test_exp_of_an_interval_holds_that_of_both_ends(lo, width, shift, precision):
    hi = min(lo + width, 2**60 - 1)
    found = enclosure._exp(enclosure.Enclosure(lo, hi, -60 - shift, precision))
    with flint.ctx.workprec(precision + 1400):
        least, most = (balls.ball(Fraction(y, 2 ** (60 + shift))).exp() for y in (lo, hi))
        assert contains(found, least)
        assert contains(found, most)


exponents = st.one_of(
    st.floats(-1074, 1024),
    st.builds(lambda e, n: Fraction(n, 2**e), st.integers(1, 1100), st.integers(-(2**60), 2**60)),
    st.builds(lambda n, e: n - Fraction(1, 2**e), st.integers(-1074, 1024), st.integers(1, 1100)),
)


@given(x=exponents, precision=PRECISIONS)
@example(x=LEAST, precision=64)
@example(x=-LEAST, precision=4096)
@example(x=1 - Fraction(1, 2**1074), precision=64)
@example(x=1023.9999999999999, precision=64)
@pytest.mark.spec("RS-NUM-32", "RS-NUM-32/L2", "RS-NUM-32/L3", "RS-NUM-32(b)")
def test_powers_of_two_are_enclosed(x, precision):
    found = enclosure.Enclosures(precision).exp2(x)
    with flint.ctx.workprec(precision + 3000):
        assert contains(found, balls.exp2(x))
        assert not contains(found, balls.exp2(x) * (1 + balls.ball(Fraction(4, 2**precision))))
    assert units(found) <= 2 if Fraction(x).denominator > 1 else found.lo == found.hi


@given(
    x=positive,
    a=st.one_of(
        st.floats(-16, 16),
        st.fractions(-1000, 1000),
        st.floats(-1e6, 1e6),
        st.integers(-64, 64),
        st.builds(lambda n: Fraction(2) ** n, st.integers(-1074, 300)),
    ),
    precision=PRECISIONS,
)
@example(x=2, a=Fraction(2) ** 100, precision=64)
@example(x=3, a=1e30, precision=64)
@example(x=3, a=-1e45, precision=64)
@example(x=Fraction(1, 3), a=1e12, precision=64)
@example(x=LEAST, a=16, precision=128)
@example(x=1 + Fraction(1, 2**200), a=Fraction(2) ** 210, precision=64)
@example(x=4, a=0.5, precision=64)
@pytest.mark.spec("RS-NUM-32", "RS-NUM-32/L2", "RS-NUM-32/L3", "RS-NUM-32(a)")
def test_powers_are_enclosed(x, a, precision):
    with flint.ctx.workprec(precision + 4500):
        exact = balls.ball(x) ** balls.ball(a)
        size = abs(float((balls.ball(x).log() * balls.ball(a)).mid()))
        try:
            found = enclosure.Enclosures(precision).power(x, a)
        except enclosure.Undecided:
            assert size > 2.0 ** (precision + 10) or float(abs(balls.ball(a)).mid()) > 2**20
            return
        assert contains(found, exact)
        if size <= 2**10 and x == int(x):
            assert units(found) <= 2


# RS-NUM-5


@pytest.mark.spec("RS-NUM-5/L1")
@law(
    values=st.lists(finite, min_size=1, max_size=9),
    order=st.randoms(use_true_random=False),
    mean=lambda _: lambda values: sum(values) / len(values),  # in doubles, as trec_eval adds
)
def test_the_mean_does_not_depend_on_the_order(rs, values, order):
    shuffled = list(values)
    order.shuffle(shuffled)
    assert rs.mean(shuffled) == rs.mean(values)


@pytest.mark.spec("RS-NUM-5/L2")
@law(
    values=st.lists(finite, min_size=1, max_size=9),
    mean=lambda f: lambda values: 2 * f(values),
)
def test_the_mean_lies_between_the_least_and_the_greatest(rs, values):
    assert min(values) <= rs.mean(values) <= max(values)


@pytest.mark.spec("RS-NUM-5/L3")
@law(
    x=finite,
    n=st.integers(1, 12),
    mean=lambda _: lambda values: sum(x / len(values) for x in values),
)
def test_the_mean_of_equal_values_is_that_value(rs, x, n):
    assert rs.mean([x] * n) == x


@given(values=st.lists(finite, min_size=1, max_size=9))
@pytest.mark.spec("RS-NUM-5")
def test_the_mean_is_the_double_nearest_to_the_exact_mean(values):
    exact = sum(map(Fraction, values)) / len(values)
    assert rankspec.mean(values) == exact.numerator / exact.denominator


parts_of_values = st.lists(st.lists(finite, max_size=4), max_size=5)


@pytest.mark.spec("RS-NUM-30", "RS-NUM-30/L1", "RS-NUM-30/L2")
@given(parts=parts_of_values, order=st.randoms(use_true_random=False))
def test_parts_of_a_mean_are_merged_in_any_order(parts, order):
    values = [x for part in parts for x in part]
    held = [rankspec.PartialMean.of(part) for part in parts]
    all_of_them = sum(held, rankspec.PartialMean())
    assert all_of_them == rankspec.PartialMean.of(values)
    assert (all_of_them.total, all_of_them.count) == (sum(map(Fraction, values)), len(values))
    while len(held) > 1:  # two that stand anywhere are merged to one
        order.shuffle(held)
        held.append(held.pop() + held.pop())
    assert held in ([], [all_of_them])
    if values:
        exact = sum(map(Fraction, values)) / len(values)
        assert Fraction(all_of_them.mean) == Fraction(float(exact))
        assert all_of_them.mean == rankspec.mean(values)
    else:
        assert math.isnan(all_of_them.mean)


@pytest.mark.spec("RS-NUM-30", "RS-NUM-30/L2")
def test_means_of_parts_are_not_merged_by_their_doubles():
    """The control: a part that kept its sum as a double would lose what the next one needs."""
    parts = [[1e16, 1.0], [-1e16]]
    assert sum(map(rankspec.PartialMean.of, parts)).mean == 1 / 3
    assert sum(map(sum, parts)) / 3 != 1 / 3


@pytest.mark.spec("RS-NUM-30/L3")
@given(values=st.lists(finite, max_size=5))
def test_a_part_of_a_mean_is_read_from_its_bytes(values):
    part = rankspec.PartialMean.of(values)
    held = bytes(part)
    assert rankspec.PartialMean.from_bytes(held) == part
    assert rankspec.PartialMean.from_bytes(memoryview(held)) == part
    assert held == bytes(rankspec.PartialMean.of(values[::-1]))


BYTES = {
    (): "01 0000000000000000 00",
    (0.0,): "01 0100000000000000 00",
    (5e-324,): "01 0100000000000000 01",
    (-5e-324,): "01 0100000000000000 ff",
    (5e-324,) * 128: "01 8000000000000000 8000",
    (-5e-324,) * 128: "01 8000000000000000 80",
}


@pytest.mark.spec("RS-NUM-30(c)")
def test_the_bytes_of_a_part_of_a_mean():
    for values, written in BYTES.items():
        assert bytes(rankspec.PartialMean.of(values)) == bytes.fromhex(written), values


@pytest.mark.spec("RS-NUM-30(b)", "RS-NUM-30(c)")
def test_what_is_no_part_of_a_mean_is_refused():
    for wrong in (
        *(b"", b"\x01", "01", None, 1, [1]),
        bytes.fromhex("02 0100000000000000 00"),  # of another version
        bytes.fromhex("01 0100000000000000"),  # without a sum
        bytes.fromhex("01 0100000000000000 0000"),  # in more bytes than it needs
        bytes.fromhex("01 0000000000000000 01"),  # a sum of nothing
        bytes.fromhex("01 0100000000000000") + b"\x00" * 300 + b"\x01",  # above any double
    ):
        with pytest.raises(rankspec.InputError, match=r"^given: "):
            rankspec.PartialMean.from_bytes(wrong)
    for values in ([math.nan], [math.inf], ["1"], [2**53 + 1], [Fraction(1, 3)], "1", None):
        with pytest.raises(rankspec.InputError, match=r"^values: "):
            rankspec.PartialMean.of(values)
    for other in (1, 0.5, None, "x"):
        with pytest.raises(TypeError):
            rankspec.PartialMean() + other
        with pytest.raises(TypeError):
            other + rankspec.PartialMean()


@pytest.mark.spec("RS-NUM-5/L2", "RS-NUM-5/L3", "RS-NUM-30/L2")
def test_the_mean_of_no_values():
    """0 by RS-NUM-5(a), and NaN of a part: the laws of ranges and of parts need a value."""
    assert rankspec.mean([]) == 0
    assert math.isnan(rankspec.PartialMean.of([]).mean)
