"""The laws of numbers, RS-NUM-1 to RS-NUM-5.

Those of the fixed-point sums of the core, RS-NUM-6 to RS-NUM-9, are held by the comparison of
the core with the reference.
"""

from __future__ import annotations

import math
from fractions import Fraction

import flint
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankspec
from rankspec.compute import tables
from rankspec.compute.gain import discount
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make
from rankspec.metrics.measure import Ranking, value
from rankspec.reference import numerics
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
