"""The laws of bounds, against all orders of small pools.

A metric is taken with choices that make it rational. Its values for all orders of a pool are exact
numbers, by its own equation; the greatest, their mean and the least are the bounds, and what is
made of them is computed here from its definition. The package's doubles must be the nearest ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise, permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.measure import Measure, Metric, Ranking
from rankspec.reference.numbers.reals import RATIONALS

from ..each import LANE, each, in_lane, thinned
from .law import READINGS
from .rankings import double, graded

SPEC = Path(__file__).parents[2] / "spec"

pytestmark = pytest.mark.slow(but=2)

BOTH = pytest.mark.parametrize("by", READINGS)
CUTOFFS = (1, 2, 5, None)

BOUNDED = [metric for metric in METRICS if rs.UL2.refusal(metric) is None]
UNCUT_IDEAL = (
    "LDCG",
    "LNDCG",
    "LERR",
    "LAP",
    "LRBP",
    "LGAP",
)  # whose best list may be part of the pool

# Choices by which every metric is rational, and those beside the defaults that change its bounds.
RATIONAL: dict[str, Any] = {
    "gain": "exp2",
    "discount": "zipf",
    "points": ((0, 0), (1, 1)),
    "max": 2,
    "p": 0.5,
    "q": (1, 3),
}
VARIANTS = {
    "AP": [{"norm": "R"}, {"norm": "min"}, {"norm": "k"}],
    "nDCG": [{"ideal": "k"}, {"ideal": "all"}, {"ideal": "perfect"}],
    "LNDCG": [{"ideal": "true"}, {"ideal": "eq7"}],
    "IPrec": [{"recall": 0}, {"recall": 0.5}, {"recall": 1}],
    "AvgIPrec": [{}, {"levels": (0.5, 1)}],
}


def rational(metric: Metric, k: int | None = None, **given: Any) -> Measure:
    """A metric of the package, with choices that make it rational."""
    return metric(k=k, **{n: x for n, x in RATIONAL.items() if n in metric.parameters}, **given)


def variants(metric: Metric) -> list[dict[str, Any]]:
    return VARIANTS.get(metric.name, [{}])


Labels = tuple[int, ...]


def pools(largest: int, labels: int) -> Iterator[Labels]:
    """All pools of up to so many items, with the labels 0, 1, ..."""
    for n in range(largest + 1):
        yield from combinations_with_replacement(range(labels), n)


# The reference, which is slower, has the smaller ones.
POOLS = {
    "c": [*pools(4, labels=3), (0, 0, 0, 1, 1, 1), (0, 1, 1, 1, 1, 1)],
    "reference": [*pools(3, labels=3), (0, 1, 1, 1, 1)],
}


@cache
def orders(J: Labels) -> list[Labels]:
    """All distinct orders; each is one of the same number of permutations."""
    return sorted(set(permutations(J)))


@cache
def lists(J: Labels) -> list[Labels]:
    """All lists that show items of the pool, each at most once."""
    return sorted({r for n in range(len(J) + 1) for r in permutations(J, n)})


def depth(A: Measure, r: Labels, J: Labels) -> int:
    """The cut-off; without one, RS-BND-1(a): P and AP with the normaliser "k" divide by it."""
    by_k = getattr(A, "norm", "") == "k" or getattr(A, "ideal", "") == "perfect"
    by_length = A.metric in (rs.P, rs.RelP, rs.F, rs.SDCG)
    if A.k is None and (by_length or by_k):
        return len(r) or len(J)
    return A.k or max(len(r), len(J))


@cache
def exact(A: Measure, r: Labels, J: Labels, k: int) -> Fraction:
    """A@k of a list, as an exact number."""
    ranking = Ranking([[x] for x in r], list(J))
    return Fraction(A.metric.plain(A, ranking, k, RATIONALS))


@dataclass(frozen=True)
class Values:
    """A of a list, and the bounds that all orders of the pool give."""

    A: Fraction
    IUB: Fraction
    RLB: Fraction
    WLB: Fraction


@cache
def bounds_of(A: Measure, J: Labels, k: int) -> tuple[Fraction, Fraction, Fraction]:
    """(IUB, RLB, WLB): of all orders, and of all lists where the best may be shorter."""
    of_orders = [exact(A, r, J, k) for r in orders(J)]
    of_lists = [exact(A, r, J, k) for r in lists(J)]
    best = max(of_lists) if A.metric.name in UNCUT_IDEAL else max(of_orders)
    assert best == max(of_lists)  # RS-BND-1/L1
    return best, sum(of_orders, Fraction(0)) / len(of_orders), min(of_orders)


def values_of(A: Measure, r: Labels, J: Labels) -> Values:
    k = depth(A, r, J)
    return Values(exact(A, r, J, k), *bounds_of(A, J, k))


# What is made of A and its bounds, from the definitions, case by case.


def upper(x: Values) -> Fraction:
    return Fraction(0) if x.IUB == 0 else x.A / x.IUB


def ul1(x: Values) -> Fraction:
    if x.IUB == 0 or x.A == 0:
        return Fraction(0)
    return x.A / x.IUB * (x.A / (x.A + x.RLB))


def ul2(x: Values) -> Fraction:
    if x.A < x.RLB:
        return (x.A - x.RLB) / x.RLB
    return Fraction(0) if x.IUB == x.RLB else (x.A - x.RLB) / (x.IUB - x.RLB)


def min_max(x: Values, LB: Fraction) -> Fraction:
    return Fraction(0) if x.IUB == LB else (x.A - LB) / (x.IUB - LB)


def ratio(x: Values) -> Fraction:
    return Fraction(0) if x.RLB == 0 else x.A / x.RLB


@dataclass(frozen=True)
class Made:
    """What is made of a measure: by the package, and by definition."""

    of: Callable[[Measure], Measure]
    by_definition: Callable[[Values], Fraction]


IUB = Made(rs.IUB, lambda x: x.IUB)
RLB = Made(rs.RLB, lambda x: x.RLB)
WLB = Made(rs.WLB, lambda x: x.WLB)
U = Made(rs.U, upper)
UL1 = Made(rs.UL1, ul1)
UL2 = Made(rs.UL2, ul2)
MIN_MAX = Made(rs.MinMax, lambda x: min_max(x, x.RLB))
WORST_MIN_MAX = Made(lambda A: rs.MinMax(A, lower="worst"), lambda x: min_max(x, x.WLB))
RATIO = Made(rs.Ratio, ratio)

EVERY = {
    "IUB": IUB,
    "RLB": RLB,
    "WLB": WLB,
    "U": U,
    "UL1": UL1,
    "UL2": UL2,
    "MinMax": MIN_MAX,
    "MinMax, worst": WORST_MIN_MAX,
    "Ratio": RATIO,
}


def doubles(measure: Measure, cases: list[tuple[Labels, Labels]], by: str) -> list[float]:
    """The package's values for lists and their pools."""
    ranked, judged = zip(*cases, strict=True)
    given = {"judged": [list(J) for J in judged], "check": False}  # a law is of any pool
    given = given if measure.metric.pool else {}
    return measure.of([list(r) for r in ranked], **given, backend=by).tolist()


def disagreements(
    A: Measure, cases: list[tuple[Labels, Labels]], made: Made, by: str
) -> list[tuple[Labels, Labels]]:
    """The lists and pools whose value is not the double nearest to that of the definition."""
    values = doubles(made.of(A), cases, by)
    right = [double(made.by_definition(values_of(A, r, J))) for r, J in cases]
    return [case for case, x, y in zip(cases, values, right, strict=True) if x != y]


# Bounds of every metric


IRRATIONAL = ("binG", "G", "INSQ")  # whatever their parameters are
IDS = [
    pytest.param(metric, given, id=f"{metric.name}-{'-'.join(map(str, given.values())) or 'only'}")
    for metric in BOUNDED
    if metric.name not in IRRATIONAL
    for given in variants(metric)
]
EVERY_METRIC = pytest.mark.parametrize(("metric", "choice"), IDS)


@pytest.mark.slow(but=1)
@pytest.mark.long(but=9)
@BOTH
@EVERY_METRIC
@pytest.mark.spec("RS-BND-1", "RS-BND-1/L1", "RS-BND-2", "RS-BND-2/L1", "RS-BND-3", "RS-BND-3/L1")
@pytest.mark.spec("RS-BND-4", "RS-BND-5", "RS-BND-6", "RS-BND-7", "RS-BND-8")
def test_bounds_are_those_of_all_orders_and_what_is_made_of_them_its_definition(metric, choice, by):
    """For all orders of the pool, and for lists that show a part of it."""
    cases = [(r, J) for J in POOLS[by] for r in (lists(J) if len(J) < 3 else orders(J))]
    for k in CUTOFFS:
        A = rational(metric, k, **choice)
        for name, made in EVERY.items():
            assert not disagreements(A, cases, made, by), (name, k)


def has_bound(bound, metric):
    try:
        bound(metric())
    except rs.InputError:
        return False
    return True


def better_first(order):
    """Yield (order, that with one item above a worse neighbour that was above it)."""
    for i in range(len(order) - 1):
        if order[i] < order[i + 1]:
            yield (*order[:i], order[i + 1], order[i], *order[i + 2 :])


def falls_or_is_below_reversed(measure, largest):
    """Return the first pool of which an exchange lowers the value, or an order has less than the
    reverse of the ideal."""
    for n in range(2, largest + 1):
        for J in combinations_with_replacement(range(4), n):
            every = sorted(set(permutations(J)))
            values = measure.of([list(r) for r in every], judged=[list(J)] * len(every))
            value = dict(zip(every, values.tolist(), strict=True))
            if any(value[s] < value[r] for r in every for s in better_first(r)):
                return J
            if value[J] != min(value.values()):
                return J
    return None


@pytest.mark.spec("RS-BND-3/L1", "RS-BND-7/L1")
@each("metric", [m for m in METRICS if has_bound(rs.WLB, m)], ids=lambda m: m.name, fast=6)
def test_no_order_is_below_the_worst(metric):
    """Of small worlds, by all parameters that change which items count, and how much."""
    largest = in_lane(3, 4)
    choices = [{}]
    if "gain" in metric.parameters:
        choices += [{"gain": "exp2"}, {"gain": [1, 1, 2, 9]}]
    if "rel" in metric.parameters:
        choices += [{"rel": 2}]
    if "q" in metric.parameters:
        choices += [{"q": (0.5, 0, 0.5)}, {"q": (0, 0, 1)}]
    if "beta" in metric.parameters:
        choices += [{"beta": 0.25}, {"beta": 9}]
    if "recall" in metric.parameters:
        choices += [{"recall": 0.5}, {"recall": 1}]
    for choice, k in product(choices, (None, 1, 2, 3)):
        measure = metric(k=k, **choice)
        assert falls_or_is_below_reversed(measure, largest) is None, (choice, k)


@pytest.mark.spec("RS-BND-3", "RS-BND-3/L1", "RS-BND-7")
def test_g_has_no_worst_order():
    """The control: [1, 2, 3] lags 2, 2, 0 behind the ideal ranking, [1, 3, 2] only 2, 1, 0."""
    assert falls_or_is_below_reversed(rs.G(k=3), 3) == (1, 2, 3)
    lag = {(1, 2, 3): (2, 2, 0), (1, 3, 2): (2, 1, 0)}
    for order, behind in lag.items():
        value = sum(g / math.log2(2 + d) for g, d in zip(order, behind, strict=True)) / 6
        assert rs.G(k=3).of(list(order)) == pytest.approx(value, rel=1e-12)
    assert rs.MinMax(rs.G(k=3)).of([3, 2, 1]) == 1
    for refused in (lambda: rs.WLB(rs.G()), lambda: rs.MinMax(rs.G(), lower="worst")):
        with pytest.raises(rs.InputError, match="G has no known worst order"):
            refused()


@pytest.mark.spec("RS-EXP-19")
def test_the_entry_names_the_metrics_that_have_a_variance():
    text = (SPEC / "ties.md").read_text(encoding="utf-8")
    names = re.split(r",\s+|\s+and\s+", re.search(r"have a\s+closed form, ([^;]*);", text)[1])
    assert set(names) == {m.name for m in METRICS if has_bound(rs.variance, m)}


@pytest.mark.parametrize("name", EVERY)
def test_a_wrong_definition_is_found(name):
    """The control: each value with one of its numbers mistaken."""
    wrong = {
        "IUB": lambda x: x.RLB,
        "RLB": lambda x: (x.IUB + x.WLB) / 2,
        "WLB": lambda x: 0 * x.WLB,
        "U": lambda x: x.A / x.IUB if x.IUB else Fraction(1),
        "UL1": lambda x: ul1(Values(x.A, x.IUB, x.WLB, x.WLB)),
        "UL2": lambda x: min_max(x, x.RLB),
        "MinMax": lambda x: min_max(x, x.WLB),
        "MinMax, worst": lambda x: min_max(x, Fraction(0)),
        "Ratio": lambda x: x.A / x.RLB if x.RLB else Fraction(1),
    }
    cases = [(r, J) for J in POOLS["reference"] for r in orders(J)]
    for metric in (rs.DCG, rs.SP):
        A = rational(metric, 2)
        assert disagreements(A, cases, Made(EVERY[name].of, wrong[name]), "c")
        assert not disagreements(A, cases, EVERY[name], "c")


# Laws of one list: it shows items of a pool that has something to gain, each at most once

MEASURES = [
    rational(metric, k, **choice)
    for metric in BOUNDED
    if metric.name not in IRRATIONAL
    for choice in variants(metric)
    for k in (1, 2, None)
]
AT_2 = [A for A in MEASURES if A.k == 2]


def measures() -> list[Measure]:
    """All measures; in the fast lane every seventh, of all cut-offs."""
    return MEASURES[3::7] if LANE.fast else MEASURES


def measures_of(by: str) -> list[Measure]:
    """All by C; by the reference, which is slower, those at one cut-off."""
    return measures() if by == "c" else AT_2


@cache
def numbers(made: Made, A: Measure, by: str) -> list[tuple[Values, float]]:
    """The exact numbers of every list, and the package's value."""
    cases = [(r, J) for J in POOLS["reference"] for r in lists(J)]
    exactly = [values_of(A, r, J) for r, J in cases]
    pairs = zip(exactly, doubles(made.of(A), cases, by), strict=True)
    return [(x, y) for x, y in pairs if x.IUB > 0]


def law(made: Made, *broken: Made) -> Callable[[Callable[[Values, float], None]], Any]:
    """The check of one list as a test: it holds by either backend, and for no broken value."""

    def decorate(check: Callable[[Values, float], None]) -> Any:
        def check_all(made: Made, by: str) -> None:
            for A in measures_of(by):
                for x, y in numbers(made, A, by):
                    check(x, y)

        @BOTH
        @thinned
        def test(by: str) -> None:
            check_all(made, by)
            for wrong in broken:
                with pytest.raises(AssertionError):
                    check_all(wrong, by)

        test.__name__, test.__doc__, test.__module__ = (
            check.__name__,
            check.__doc__,
            check.__module__,
        )
        return test

    return decorate


def shares(x: Values) -> tuple[Fraction, Fraction]:
    """U and ρ."""
    return x.A / x.IUB, x.RLB / x.IUB


@pytest.mark.spec("RS-BND-4/L1")
@law(U, RATIO, UL1)
def test_the_range_of_u(x, y):
    assert 0 <= y <= 1
    assert (y == 1) == (x.A == x.IUB)


@pytest.mark.spec("RS-BND-5/L1", "RS-BND-5/L2")
@law(UL1, U, UL2)
def test_the_range_of_ul1(x, y):
    _, rho = shares(x)
    assert 0 <= y <= double(1 / (1 + rho)) < 1
    assert (y == double(1 / (1 + rho))) == (x.A == x.IUB)


@pytest.mark.spec("RS-BND-5/L2")
@law(UL1, U, UL2)
def test_ul1_of_the_best_ranking(x, y):
    if x.A == x.IUB:
        assert y == double(x.IUB / (x.IUB + x.RLB))
        assert 0.5 <= y < 1
        assert (y == 0.5) == (x.RLB == x.IUB)


@pytest.mark.spec("RS-BND-5/L3")
@law(UL1, U, UL2)
def test_ul1_at_chance(x, y):
    if x.A == x.RLB:
        assert y == double(x.RLB / x.IUB / 2)


@pytest.mark.spec("RS-BND-4/L5", "RS-BND-5/L7")
@law(UL1, U, UL2)
def test_ul1_by_two_numbers(x, y):
    u, rho = shares(x)
    assert y == double(u * u / (u + rho)) == double(u - u * rho / (u + rho))


@pytest.mark.spec("RS-BND-6/L1", "RS-BND-6/L2", "RS-BND-6/L3")
@law(UL2, MIN_MAX, U)
def test_the_range_of_ul2(x, y):
    assert -1 <= y <= 1
    assert (y == 1) == (x.A == x.IUB > x.RLB)
    assert (y == -1) == (x.A == 0)
    if x.A == x.WLB < x.RLB:
        assert y == double(x.WLB / x.RLB - 1)


@pytest.mark.spec("RS-BND-6/L4")
@law(UL2, U, WORST_MIN_MAX)
def test_ul2_at_chance(x, y):
    assert (y == 0) == (x.A == x.RLB or x.A >= x.RLB == x.IUB)


@pytest.mark.spec("RS-BND-4/L5", "RS-BND-6/L7", "RS-BND-6/L10")
@law(UL2, U, MIN_MAX)
def test_ul2_by_two_numbers(x, y):
    u, rho = shares(x)
    if rho < 1:
        above, below = (u - rho) / (1 - rho), u / rho - 1
        assert y == double(above if u >= rho else below)
        lost = rho * (1 - u) / (1 - rho) if u >= rho else 1 - u * (1 - rho) / rho
        assert y == double(u - lost)


@pytest.mark.spec("RS-BND-4/L5", "RS-BND-7/L1", "RS-BND-7/L3", "RS-BND-7/L4")
@law(MIN_MAX, U, UL2)
def test_min_max_with_the_random_bound(x, y):
    u, rho = shares(x)
    if rho < 1:
        assert y == double((u - rho) / (1 - rho))
        assert -double(rho / (1 - rho)) <= y <= 1
        assert y == double(ul2(x) if u >= rho else ul2(x) * rho / (1 - rho))
        mu = (x.RLB - x.WLB) / (x.IUB - x.WLB)
        assert y == double((min_max(x, x.WLB) - mu) / (1 - mu))


@pytest.mark.spec("RS-BND-7/L1")
@law(WORST_MIN_MAX, MIN_MAX)
def test_min_max_with_the_worst_ranking(x, y):
    assert y <= 1
    assert y >= 0 or x.A < x.WLB  # of lists that show a part of the pool
    if x.A == x.WLB < x.IUB:
        assert y == 0


@pytest.mark.spec("RS-BND-4/L5", "RS-BND-8/L2", "RS-BND-8/L3")
@law(RATIO, U, UL2)
def test_the_ratio(x, y):
    u, rho = shares(x)
    assert y == double(u / rho)
    assert 0 <= y <= double(1 / rho)
    if x.A < x.RLB:
        assert y == double(ul2(x) + 1)


# Laws of the bounds, and of all rankings of one pool


@BOTH
@EVERY_METRIC
@pytest.mark.spec("RS-BND-1/L3", "RS-BND-2/L2", "RS-BND-2/L3", "RS-BND-3/L2")
def test_the_bounds_of_a_pool(metric, choice, by):
    by_recall = metric in (rs.IPrec, rs.AvgIPrec)  # k ranks may hold fewer than a level asks for
    for J in POOLS["reference"]:
        for k in (1, 2, 5):
            A = rational(metric, k, **choice)
            either = [list(J), list(J)[::-1]]
            iub, rlb, wlb = (made(A).of(either, backend=by) for made in (rs.IUB, rs.RLB, rs.WLB))
            assert all(x[0] == x[1] for x in (iub, rlb, wlb))
            assert wlb[0] <= rlb[0] <= iub[0]
            assert (rlb[0] > 0) == (iub[0] > 0)
            if not by_recall:
                assert (iub[0] > 0) == any(J)
            weighted = min(k, len(J) - J.count(0)) if metric is rs.Rprec else k
            if metric is not rs.nDCG_levels and not by_recall:  # nDCG_levels has ranks of its own
                assert (wlb[0] == 0) == (min(weighted, len(J)) <= J.count(0))
            values = [exact(A, r, J, k) for r in orders(J)]
            if min(values) < max(values):
                assert wlb[0] < rlb[0] < iub[0]
                assert min(values) < bounds_of(A, J, k)[1] < max(values)


@BOTH
@pytest.mark.spec("RS-BND-1/L2")
@each("J", POOLS["c"], fast=9)
def test_the_ideal_bounds_in_closed_form(J, by):
    def iub(A: Measure, J: Labels) -> float:
        return rs.IUB(A).of(list(J), backend=by)

    N_p = sum(x > 0 for x in J)
    for k in (1, 2, 5):
        assert iub(rs.DCG(k=k), J) == rs.idcg(list(J), k=k)
        assert iub(rs.LDCG(k=k), J) == rs.ildcg(list(J), k=k)
        assert iub(rs.SP(k=k), J) == min(k, N_p)
        assert iub(rs.P(k=k), J) == min(k, N_p) / k
        assert iub(rs.RBP(k=k, p=0.5), J) == 1 - 0.5 ** min(k, N_p)
        normalised = (rs.nDCG(k=k), rs.LNDCG(k=k), rs.nERR(k=k, max=2))
        for A in (*normalised, rs.RR(k=k), rs.Success(k=k)):
            assert iub(A, J) == (N_p > 0)
        for norm, Z in {"R": N_p, "min": min(k, N_p), "k": k}.items():
            assert iub(rs.AP(k=k, norm=norm), J) == (min(k, N_p) / Z if Z else 0)
        for A in (rs.R(k=k), rs.Rprec(k=k)):
            assert iub(A, J) == (min(k, N_p) / N_p if N_p else 0)
        for recall, c in ((0, 1), (0.5, -(-N_p // 2)), (1, N_p)):
            reached = min(k, N_p) >= max(c, 1)
            assert iub(rs.IPrec(k=k, recall=recall, rounding="up"), J) == reached
        uncut = rs.nDCG(k=k, ideal="all")
        assert iub(uncut, J) == rs.ndcg(sorted(J, reverse=True), k=k, ideal="all")
    assert iub(rs.SP(k=2), (0, 1)) != 2  # control: what karmaker-2022 divides by


def rises(pairs: list[tuple[Fraction, float]]) -> bool:
    """Whether the second number rises strictly with the first."""
    return all(x < x1 and y < y1 for (x, y), (x1, y1) in pairwise(sorted(set(pairs))))


@pytest.mark.slow
@BOTH
@pytest.mark.spec("RS-BND-5/L4", "RS-BND-6/L5", "RS-BND-7/L5")
def test_of_one_pool_each_orders_rankings_as_the_metric_does(by):
    """Strictly, in doubles too: the values of small pools are far apart."""
    for J, A in product(POOLS["reference"], AT_2):
        for k in {depth(A, r, J) for r in lists(J)}:
            cases = [(r, J) for r in lists(J) if depth(A, r, J) == k]
            exactly = [values_of(A, r, J) for r, J in cases]
            for made in (U, UL1, UL2, MIN_MAX, WORST_MIN_MAX, RATIO):
                values = doubles(made.of(A), cases, by)
                pairs = [(x.A, y) for x, y in zip(exactly, values, strict=True)]
                x = exactly[0]
                if x.WLB < x.RLB < x.IUB:
                    assert rises(pairs)
                    assert not rises([(a, -y) for a, y in pairs])  # control
                elif x.RLB == x.IUB > 0 and made is UL2:
                    assert rises([(a, y) for a, y in pairs if a <= x.RLB])


def certified(measure: Measure, r: Labels, J: Labels) -> Fraction:
    """The package's value as an exact number, by the reference."""
    found = rs.certify.certified(measure, list(r), judged=list(J)).exact
    assert found is not None
    return found


def mean(made: Made, A: Measure, J: Labels) -> Fraction:
    """The mean of the package's exact values over all orders."""
    values = [certified(made.of(A), r, J) for r in orders(J)]
    return sum(values, Fraction(0)) / len(values)


@pytest.mark.slow
@pytest.mark.spec("RS-BND-4/L3", "RS-BND-5/L8", "RS-BND-6/L8", "RS-BND-7/L2", "RS-BND-8/L1")
def test_the_means_over_all_random_orders():
    signs = set()
    for J in POOLS["reference"]:
        for A in AT_2:
            every = [values_of(A, r, J) for r in orders(J)]
            x = every[0]
            if x.IUB == 0:
                assert mean(U, A, J) == mean(MIN_MAX, A, J) == mean(RATIO, A, J) == 0
                continue
            assert mean(U, A, J) == x.RLB / x.IUB
            assert mean(MIN_MAX, A, J) == 0
            assert mean(RATIO, A, J) == 1
            if x.WLB < x.IUB:
                mu = (x.RLB - x.WLB) / (x.IUB - x.WLB)
                assert mean(WORST_MIN_MAX, A, J) == mu
            alike = len({x.A for x in every}) == 1
            least = x.RLB / x.IUB / 2
            assert (mean(UL1, A, J) == least) if alike else (mean(UL1, A, J) > least)
            if x.RLB < x.IUB:
                spread = sum((abs(y.A - y.RLB) for y in every), Fraction(0)) / len(every)
                expected = spread / 2 * (1 / (x.IUB - x.RLB) - 1 / x.RLB)
                assert mean(UL2, A, J) == expected
                excess = 2 * x.RLB - x.IUB
                assert (expected > 0) == (excess > 0 and not alike)
                assert (expected < 0) == (excess < 0 and not alike)
                signs.add((expected > 0) - (expected < 0))
    assert signs == {-1, 0, 1}  # control: none of the cases is missing


@pytest.mark.spec("RS-BND-5/L2", "RS-BND-6/L8", "RS-BND-7/L1", "RS-BND-8/L2")
def test_how_far_the_ranges_reach():
    """P@1 of N_p relevant items among n."""
    P = rs.P(k=1)
    for n in (2, 3, 10, 1000):
        few, many = [1] + [0] * (n - 1), [0] + [1] * (n - 1)
        assert rs.UL1(P).of(few) == n / (n + 1)
        assert rs.MinMax(P).of(many) == -(n - 1)
        assert rs.Ratio(P).of(few) == n
        for N_p in {1, n // 2, n - 1}:
            best, worst = [1] * N_p + [0] * (n - N_p), [0] * (n - N_p) + [1] * N_p
            values = [Fraction(x) for x in rs.UL2(P).of([best, worst]).tolist()]
            assert values == [1, -1]
            share = Fraction(N_p, n)  # of the orders, that begin with a relevant item
            assert share * values[0] + (1 - share) * values[1] == 2 * share - 1


@BOTH
@pytest.mark.spec("RS-BND-5/L5", "RS-BND-6/L6")
def test_between_pools_the_order_is_another(by):
    """The numbers that the laws name; and two systems, of which that with the higher mean of U has
    the lower mean of UL1 and of UL2."""
    half = Values(Fraction(1, 2), Fraction(1), Fraction(1, 10), Fraction(0))
    more = Values(Fraction(3, 5), Fraction(1), Fraction(2, 5), Fraction(0))
    assert (ul1(half), ul1(more)) == (Fraction(5, 12), Fraction(9, 25))
    assert (ul2(half), ul2(more)) == (Fraction(4, 9), Fraction(1, 3))
    first = [[0, 1, 0, 0], [1, 0, 1, 1]]
    second = [[0, 0, 0, 1], [1, 1, 1, 0]]

    def higher(bound) -> bool:
        """Whether the first system has the higher mean."""
        mine, its = (bound(rs.SP(k=3)).of(system, backend=by) for system in (first, second))
        return mine.sum() > its.sum()

    assert [higher(bound) for bound in (rs.U, rs.UL1, rs.UL2)] == [True, False, False]


# Ties, undefined values, names, scales


@pytest.mark.spec("RS-BND-4", "RS-BND-5", "RS-BND-6", "RS-BND-7", "RS-BND-8", "RS-CONV-4")
def test_which_queries_are_undefined():
    """Of the queries "all" both documents are relevant, of "one" one, of "none" none."""
    relevant = {"all": {"a": 1, "b": 1}, "one": {"a": 1, "b": 0}, "none": {"a": 0, "b": 0}}
    run = {query: {"a": 2.0, "b": 1.0} for query in relevant}
    some, alike = {"all", "one"}, {"one"}
    for name, defined in {
        "U(SP)@2": some,
        "UL1(SP)@2": some,
        "UL2(SP)@2": alike,
        "MinMax(SP)@2": alike,
        "MinMax(SP, lower='worst')@2": alike,
        "Ratio(SP)@2": some,
    }.items():
        (by_name,) = rs.evaluate(relevant, run, name, undefined="omit").per_query.values()
        assert set(by_name) == defined
        (by_name,) = rs.evaluate(relevant, run, name, undefined="zero").per_query.values()
        assert {query for query, x in by_name.items() if x == 0} == set(relevant) - defined


@BOTH
@pytest.mark.spec("RS-BND-4", "RS-CONV-4", "RS-EXP-23")
def test_the_pool_alone_decides_which_queries_are_undefined(by):
    """Whatever the list is, also where it is below RLB = IUB, shows less, or nothing, or ties."""
    pool = {"a": 1, "b": 1}
    runs = {
        "all": {"a": 2.0, "b": 1.0},
        "some": {"a": 2.0},
        "none": {},
        "tied": {"a": 1.0, "b": 1.0},
        "other": {"c": 3.0, "d": 3.0, "a": 3.0},
    }
    makers = [rs.U, rs.UL1, rs.UL2, rs.MinMax, rs.Ratio, rs.z_value]
    makers.append(lambda A: rs.MinMax(A, lower="worst"))
    undefined_of = {"0 = IUB": makers, "RLB = IUB": [rs.UL2, *makers[3:4], *makers[5:]]}
    for what, qrels in (("RLB = IUB", pool), ("0 = IUB", dict.fromkeys(pool, 0))):
        for (name, run), make in product(runs.items(), makers):
            given = {"q": run} if run else {"other": {"a": 1.0}}
            for ties in ("id-descending", "expected"):
                measure = make(rs.SP(k=2))
                value = {
                    how: rs.evaluate(
                        {"q": qrels}, given, measure, undefined=how, ties=ties, backend=by
                    ).per_query[str(measure)]
                    for how in ("zero", "omit", *(["one"] if make is not rs.z_value else []))
                }
                counts = make not in undefined_of[what]
                assert ("q" in value["omit"]) == counts, (measure, name, what)
                if counts:
                    assert value["omit"]["q"] == value["zero"]["q"] == value["one"]["q"]
                elif make is not rs.z_value:
                    assert value["one"]["q"] == 1, (measure, name, what)
                below = make is rs.UL2 and what == "RLB = IUB" and name in ("some", "none", "other")
                assert counts or (value["zero"]["q"] < 0) == below, (measure, name, what)
    short, whole = ({"q": dict.fromkeys(documents, 1.0)} for documents in ("a", "ab"))
    qrels = {"q": {"a": 1, "b": 0}}  # P of both is the same in any order, that of one is not
    for run, expected in ((short, 1.0), (whole, math.nan)):
        found = rs.evaluate(qrels, run, "UL2(P)", undefined="omit", backend=by)["UL2(P)"]
        assert found == expected or (math.isnan(found) and math.isnan(expected))


@BOTH
@pytest.mark.spec("RS-BND-4", "RS-BND-4/L3")
def test_under_ties_the_formula_is_applied_to_the_expectation(by):
    """Which is the mean over the orders of what is linear in A, and not of UL1 and UL2."""
    groups = [((0, 2, 1), (1, 0, 0)), ((1, 0, 2), (0, 0, 0)), ((2, 0, 1), (1, 1, 0))]
    unlike = set()
    for labels, scores in groups:
        J = tuple(sorted(labels))
        for A in (rational(rs.DCG, 2), rational(rs.SP, 2), rational(rs.ERR)):
            k = A.k or 3
            open_orders = [
                tuple(labels[a] for a in order)
                for order in permutations(range(3))
                if [scores[a] for a in order] == sorted(scores, reverse=True)
            ]
            every = [exact(A, r, J, k) for r in open_orders]
            average = sum(every, Fraction(0)) / len(every)
            bounds = bounds_of(A, J, k)
            for name, made in EVERY.items():
                if made.of(A).metric.of_pool:
                    continue
                value = made.of(A).of(list(labels), scores=list(scores), backend=by)
                assert value == double(made.by_definition(Values(average, *bounds)))
                of_orders = [made.by_definition(Values(a, *bounds)) for a in every]
                if value != double(sum(of_orders, Fraction(0)) / len(every)):
                    unlike.add(name)
    assert unlike == {"UL1", "UL2"}


LISTS_AND_POOLS = [
    *((r, J) for J in POOLS["reference"][:14] for r in lists(J)),
    *((r, J) for J in ((), (0,), (1, 0)) for r in ((1, 1), (0, 2, 1), (2,))),  # not covered
]


@BOTH
@pytest.mark.spec("RS-BND-4/L2")
def test_upper_bound_normalisation_by_other_names(by):
    same = [
        (rs.DCG, rs.nDCG, {"gain": "exp2"}, {"gain": "exp2"}),
        (rs.ERR, rs.nERR, {"max": 2}, {"max": 2}),
        (rs.SP, rs.AP, {}, {"norm": "min"}),
        (rs.LDCG, rs.LNDCG, {}, {"ideal": "true"}),
    ]
    for k in (1, 2, 5, None):
        for metric, normalised, given_one, given_other in same:
            values = doubles(rs.U(metric(k=k, **given_one)), LISTS_AND_POOLS, by)
            assert values == doubles(normalised(k=k, **given_other), LISTS_AND_POOLS, by)
    assert values != doubles(rs.LNDCG(k=1), LISTS_AND_POOLS, by)  # control


@pytest.mark.slow
@BOTH
@pytest.mark.spec("RS-BND-4/L4", "RS-BND-11/L2")
def test_a_factor_of_the_pool_changes_nothing(by):
    """Of every pair also where the pool has nothing to gain, and does not cover the list."""
    same = [
        [rs.DCG(k=2, gain="exp2"), *(rs.nDCG(k=2, gain="exp2", ideal=x) for x in ("k", "all"))],
        [rs.DCG(), rs.nDCG()],
        [rs.SP(k=2), *(rs.AP(k=2, norm=x) for x in ("R", "min", "k"))],
        [rs.SP(), *(rs.AP(norm=x) for x in ("R", "min"))],
        [rs.ERR(k=2, max=2), rs.nERR(k=2, max=2)],
        [rs.LDCG(k=2), *(rs.LNDCG(k=2, ideal=x) for x in ("true", "eq7"))],
        [rs.R(k=2), rs.P(k=2)],
    ]
    for made in (U, UL1, UL2, MIN_MAX, WORST_MIN_MAX, RATIO):
        for first, *others in same:
            values = doubles(made.of(first), LISTS_AND_POOLS, by)
            for other in others:
                assert doubles(made.of(other), LISTS_AND_POOLS, by) == values, made.of(other)
        assert values != doubles(made.of(rs.DCG(k=2)), LISTS_AND_POOLS, by)  # control


@BOTH
@pytest.mark.spec("RS-BND-11", "RS-BND-11/L1")
def test_the_names_of_the_paper_and_the_base_of_its_logarithm(by):
    means = {
        "DCG_V1^UL": rs.UL1(rs.DCG(gain="exp2")),
        "DCG_V2^UL@2": rs.UL2(rs.DCG(gain="exp2", k=2)),
        "SP_V1^UL@2": rs.UL1(rs.SP(k=2)),
        "MSP_V1^UL@2": rs.UL1(rs.SP(k=2)),
        "SP_V2^UL": rs.UL2(rs.SP()),
        "MSP_V2^UL": rs.UL2(rs.SP()),
    }
    for name, measure in means.items():
        assert rs.measures(name) == [measure]
    for name in ("DCG_V3^UL", "DCG_V1^U", "nDCG_V1^UL", "MDCG_V1^UL", "DCG_V1^UL(k=2)"):
        with pytest.raises(rs.InputError):
            rs.measures(name)
    for bound in (rs.UL1, rs.UL2):
        one, *others = (
            doubles(bound(rs.DCG(k=2, gain="exp2", discount=d)), LISTS_AND_POOLS, by)
            for d in ("log2", "log(b=10)", "log(b=1.5)")
        )
        assert all(values == one for values in others)
        zipf = bound(rs.DCG(k=2, gain="exp2", discount="zipf"))
        assert doubles(zipf, LISTS_AND_POOLS, by) != one  # control


@pytest.mark.spec("RS-BND-2")
def test_a_mean_over_too_many_orders_is_refused():
    """No tie rule would help: all items of the pool are tied, whatever the list is."""
    pool = [1] * 100 + [0] * 400
    of_iprec, of_each = (2005000000, "RS-EXP-90"), (11 * 2005000000, "RS-EXP-91")
    for measure, (steps, spec) in ((rs.IPrec(recall=0.5), of_iprec), (rs.AvgIPrec(), of_each)):
        assert rs.IUB(measure).of(pool) == 1
        for made in (rs.RLB, rs.UL1, rs.UL2):
            with pytest.raises(rs.InputError) as error:
                made(measure).of(pool[::-1])
            assert str(error.value) == (
                "RLB: it is the mean over all orders of the pool; "
                f"{measure.metric.name} has no closed form for tied items; the mean over their "
                f"orders would take {steps} steps here, more than 10000000 ({spec})"
            )


@each("measure", [rs.LERR(), rs.LERR(k=7), rs.iRBU(), rs.LAP(), rs.Q_measure(), rs.ERR(max=52)])
@pytest.mark.spec("RS-BND-6", "RS-BND-7", "RS-BND-8", "RS-EXP-23")
def test_a_list_that_is_one_tie_group_of_its_pool_is_a_random_one(measure):
    labels, judged, scores = [0] * 250 + [1] + [0] * 249, [1] + [0] * 499, [1] * 500
    for bound in (rs.UL2(measure), rs.MinMax(measure)):
        assert bound.of(labels, judged=judged, scores=scores, backend="reference") == 0
    z = rs.z_value(rs.LAP(k=30))
    assert z.of(labels, judged=judged, scores=scores, backend="reference") == 0
    assert z.of(labels, judged=judged, scores=[*scores[:251], *[0] * 249]) != 0
    few = {"judged": judged[:50], "scores": scores[:50], "backend": "reference"}
    assert rs.Ratio(measure).of(labels[225:275], **few) == 1
    assert rs.Ratio(measure).of([0] * 50, judged=[0] * 50, scores=[1] * 50) == 0


@pytest.mark.parametrize("by", ["c", "reference"])
@each("measure", [rs.LERR(), rs.iRBU(), rs.AP()])
@pytest.mark.spec("RS-BND-6", "RS-BND-7", "RS-BND-8")
def test_a_list_of_other_items_or_groups_is_no_random_one(measure, by):
    """Other labels than the pool's, of as many items; a list that misses one; two tie groups."""
    for labels, judged, scores in (
        ([1, 0, 0], [1, 1, 0], [1, 1, 1]),
        ([1, 1, 0], [1, 0, 0], [1, 1, 1]),
        ([1, 0], [1, 0, 0], [1, 1]),
        ([1, 0, 0], [1, 0, 0], [2, 2, 1]),
    ):
        given = {"judged": judged, "scores": scores, "backend": by, "check": False}
        assert rs.UL2(measure).of(labels, **given) != 0
        assert rs.MinMax(measure).of(labels, **given) != 0
        assert rs.Ratio(measure).of(labels, **given) != 1
    given = {"scores": [1, 1, 1], "backend": by}
    assert rs.MinMax(measure, lower="worst").of([1, 0, 0], **given) > 0
    by_formula = rs.UL2(rs.AP(k=2), bounds="karmaker-2022")
    assert by_formula.of([1, 0, 0], **given) != 0


@pytest.mark.spec("RS-BND-6")
def test_what_needs_no_mean_has_a_value_beyond_its_limit():
    pool = [1] * 100 + [0] * 400
    assert rs.UL2(rs.IPrec(recall=0.5)).of(pool, scores=[1] * 500) == 0


@pytest.mark.spec("RS-BND-1")
def test_which_metrics_have_bounds():
    graded = "CG DCG nDCG LDCG LNDCG DCG_phi nDCG_phi GAP ERR nERR LERR GRBP SDCG INSQ"
    assert {metric.name for metric in BOUNDED} == {
        *graded.split(),
        *["P", "R", "RR", "SP", "AP", "Rprec", "Success", "RBP", "LAP", "LRBP", "LGAP"],
        *["nCG", "nDCG_rel", "nDCG_levels", "binG", "G", "RelP", "F"],
        *["IPrec", "AvgIPrec"],
        *["Q_measure", "O_measure", "iRBU"],
    }
    without = ["IDCG", "ILDCG", "RBP_residual", "GRBP_residual", "INST", "BPM", "Compat", "Bpref"]
    without += ["AUC", "infAP", "Utility", "Yaap", "NERR8", "NERR9", "NERR10", "NERR11"]
    without += ["NCU", "P_measure", "P_plus", "EBR"]
    counts = ["NumRel", "Judged", "Unjudged", "NumNonrelRet"]
    for name in (*without, *counts, "UL2(DCG)", "IUB(DCG)"):
        for made in EVERY.values():
            with pytest.raises(rs.InputError, match=r"(RS-BND-1|RS-EXP-19)\)$"):
                made.of(rs.measures(name)[0])


UNCUT = [rs.P(), rs.AP(norm="k"), rs.AP(), rs.SP(), rs.R(), rs.RR(), rs.LDCG(discount="zipf")]
UNCUT.append(rs.DCG(discount="zipf"))


@BOTH
@pytest.mark.spec("RS-BND-1")
@pytest.mark.spec("RS-BND-4", "RS-BND-8", "RS-EXP-19", "RS-EXP-23")
@each("A", UNCUT, ids=str, fast=4)
def test_without_a_cut_off_the_numbers_of_one_table_can_be_divided(A, by):
    """A, its bounds, U, ratio, UL2 and z-value are at one and the same k, whatever A divides by."""
    J = [1, 1, 0, 0]
    r = {"short": [1, 0], "long": [0, 1, 0, 0, 1, 0], "empty": [], "same": [0, 1, 1, 0]}
    bounds = {"IUB": {}, "RLB": {}}
    for name, own in r.items():

        def exactly(measure: Measure, own: Labels = own) -> Fraction:
            given = {"judged": J} if measure.metric.pool else {}
            value = measure.of(own, **given, backend=by)
            certified = rs.certify.certified(measure, own, **given)
            assert value == certified.value
            return certified.exact if certified.exact is not None else Fraction(certified.value)

        value, iub, rlb = (exactly(x) for x in (A, rs.IUB(A), rs.RLB(A)))
        assert exactly(rs.U(A)) == value / iub, name
        assert exactly(rs.Ratio(A)) == value / rlb, name
        gap = value - rlb
        by_bounds = gap / rlb if gap < 0 else gap and gap / (iub - rlb)
        assert exactly(rs.UL2(A)) == by_bounds, name
        spread = exactly(rs.variance(A))
        z = gap and spread and gap / Fraction(math.sqrt(spread))
        assert math.isclose(exactly(rs.z_value(A)), z, rel_tol=1e-14), name
        bounds["IUB"][name], bounds["RLB"][name] = iub, rlb
    if A.metric is rs.P:
        assert bounds["IUB"]["short"] == 1  # of two results; of the four of the pool it is 1/2
        assert bounds["IUB"]["empty"] == Fraction(1, 2)
        assert rs.IUB(A).of(J, backend=by) == 0.5
        assert A.of(r["short"], backend=by) == 0.5
    if str(A) == "AP(norm='k')":
        assert bounds["IUB"]["short"] == 1
        assert bounds["RLB"]["short"] == Fraction(5, 12)


@BOTH
@pytest.mark.spec("RS-BND-1", "RS-LEN-3")
def test_without_a_cut_off_ldcg_has_no_factor_and_neither_have_its_bounds(by):
    """Z asks for an M that is named; with k = max(n, |J|) for it U would be another quotient."""
    J, r = [2, 1, 0], [1, 2]
    bare, named = rs.LDCG(Z="none"), rs.LDCG(k=3)
    for bound in (rs.IUB, rs.RLB, rs.WLB, rs.U, rs.UL1, rs.UL2, rs.variance, rs.z_value):
        values = [bound(A).of(r, judged=J, backend=by) for A in (rs.LDCG(), bare, named)]
        assert values[0] == values[1]
        assert (values[0] == values[2]) == (bound not in (rs.IUB, rs.RLB, rs.WLB, rs.variance))
    assert rs.LDCG().of(r, backend=by) == bare.of(r, backend=by) != named.of(r, backend=by)


@BOTH
@pytest.mark.spec("RS-BND-4/L1", "RS-BND-5/L1", "RS-BND-6/L1", "RS-BND-7")
def test_unjudged_items_and_lists_that_show_less_leave_the_limits_but_that_of_the_worst(by):
    cases = [(r, J) for J in POOLS["reference"] for r in orders((*J, 0)) if len(J) < 5]
    for A in (rs.DCG(k=2), rs.SP(), rs.ERR(k=2), rs.LDCG()):
        for bound, least in ((rs.U, 0), (rs.UL1, 0), (rs.UL2, -1)):
            assert all(least <= y <= 1 for y in doubles(bound(A), cases, by))
    for r in ([0, 0, 1], [1], []):  # of the pool {1, 1, 2}, of which the worst two are 1, 1
        value = rs.MinMax(rs.DCG(k=2), lower="worst").of(r, judged=[1, 1, 2], backend=by)
        assert value < 0
        assert rs.UL2(rs.DCG(k=2)).of(r, judged=[1, 1, 2], backend=by) >= -1


@pytest.mark.spec("RS-BND-7")
def test_equal_bounds_that_no_enclosure_shows_to_be_equal():
    """A pool of one label has one order; INSQ without a cut-off divides by an irrational number."""
    for lower in ("random", "worst"):
        for r, pool in (([], [1]), ([0], [1, 1]), ([2, 2], [2, 2])):
            measure = rs.MinMax(rs.INSQ(), lower=lower)
            assert measure.of(r, judged=pool, check=False) == 0


@BOTH
@pytest.mark.spec("RS-BND-4", "RS-BND-5", "RS-BND-6", "RS-BND-7")
def test_where_the_bounds_are_equal_a_list_above_them_has_0(by):
    """RLB = IUB, and A above it: no quotient is above 1 but U, if there is an ideal."""
    above_ideal = 0
    lists_and_pools = [(r, J) for J in POOLS["reference"] for r in orders((0, 1, 2, 2))]
    for A in (rational(rs.DCG, 2), rational(rs.SP, 2), rational(rs.ERR, 3)):
        exactly = {case: values_of(A, *case) for case in lists_and_pools}
        cases = [case for case, x in exactly.items() if x.A > x.IUB == x.RLB]
        values = {made: doubles(made(A), cases, by) for made in SIX}
        for i, case in enumerate(cases):
            has_ideal = exactly[case].IUB > 0
            above_ideal += has_ideal
            assert values[rs.UL2][i] == values[rs.MinMax][i] == 0
            assert (values[rs.U][i] > 1) == (values[rs.Ratio][i] > 1) == has_ideal
            assert (values[rs.UL1][i] > 0) == has_ideal
    assert above_ideal > 50


SIX = (rs.U, rs.UL1, rs.UL2, rs.MinMax, rs.Ratio)


@BOTH
@thinned
@pytest.mark.spec("RS-BND-4/L5", "RS-BND-6", "RS-BND-7")
def test_at_a_share_of_1_two_numbers_do_not_give_ul2_and_min_max(by):
    """ρ = 1: (U - ρ) / (1 - ρ) is 0/0, or by 0 where the list is below its pool."""
    seen = set()
    lists_and_pools = [(r, J) for J in POOLS["reference"] for r in lists(J)]
    for A in measures():
        exactly = {case: values_of(A, *case) for case in lists_and_pools}
        cases = [case for case, x in exactly.items() if x.IUB == x.RLB > 0]
        values = [doubles(made(A), cases, by) for made in (rs.UL2, rs.MinMax)]
        for case, ul2, min_max in zip(cases, *values, strict=True):
            U, rho = shares(exactly[case])
            assert rho == 1
            assert min_max == 0
            assert ul2 == double(U / rho - 1 if rho > U else Fraction(0))
            seen.add(rho > U)
    assert seen == {True, False}


@BOTH
@pytest.mark.spec("RS-BND-4", "RS-BND-5", "RS-BND-6", "RS-BND-7")
def test_a_pool_that_does_not_cover_the_list_limits_nothing(by):
    """The pool has one item of label 1; so has the list, ten times."""
    r, J = [1] * 10 + [0], [1] + [0] * 10
    for bound in (rs.U, rs.UL1, rs.UL2, rs.MinMax):
        with pytest.raises(rs.InputError, match="label 1 occurs 10 times in the list, but once in"):
            bound(rs.CG(k=10)).of(r, judged=J, backend=by)
        assert bound(rs.CG(k=10)).of(r, judged=J, check=False, backend=by) > 1
        assert bound(rs.CG(k=10)).of(J, judged=J, backend=by) <= 1
    for bound in (rs.U, rs.UL1, rs.UL2, rs.MinMax, rs.Ratio):
        assert bound(rs.CG()).of(r, judged=[0], check=False, backend=by) == 0


@BOTH
@pytest.mark.spec("RS-BND-4/L1", "RS-BND-5/L1", "RS-BND-6/L1", "RS-BND-7/L1")
@given(r=graded, k=st.integers(1, 9), discount=st.sampled_from(["log2", "none", "zipf"]))
def test_the_ranges_of_irrational_values(by, r, k, discount):
    A = rs.DCG(k=k, gain="exp2", discount=discount)
    assert 0 <= rs.U(A).of(r, backend=by) <= 1
    assert 0 <= rs.UL1(A).of(r, backend=by) < 1
    assert -1 <= rs.UL2(A).of(r, backend=by) <= 1
    assert 0 <= rs.MinMax(A, lower="worst").of(r, backend=by) <= 1
    best = sorted(r, reverse=True)
    iub, rlb, wlb = (bound(A).of(r, backend=by) for bound in (rs.IUB, rs.RLB, rs.WLB))
    assert wlb <= rlb <= iub
    assert rs.UL2(A).of(best, backend=by) == (iub > rlb)
    assert rs.UL1(A).of(best, backend=by) >= 0.5 * (iub > 0)


# The paper's formulas


def by_paper(bound: Any, A: Measure, J: Labels, r: Labels | None = None, **given: Any) -> float:
    measure = bound(A, bounds="karmaker-2022")
    if r is None:
        return measure.of(list(J), **given)
    return measure.of(list(r), judged=list(J), **given)


@BOTH
@pytest.mark.spec("RS-BND-9", "RS-BND-9/L1", "RS-BND-9/L2", "RS-BND-9/L3")
@each("J", POOLS["c"][1:], fast=9)
def test_the_papers_bounds_of_dcg(J, by):
    n = len(J)
    gain = sum((Fraction(2**x - 1) for x in J), Fraction(0)) / n
    D = [sum((Fraction(1, i) for i in range(1, k + 1)), Fraction(0)) for k in range(n + 4)]
    for k in range(1, n + 4):
        A = rational(rs.DCG, k)
        iub, exactly, _ = bounds_of(A, J, k)
        assert by_paper(rs.IUB, A, J, backend=by) == double(iub)
        lower = by_paper(rs.RLB, A, J, backend=by)
        assert lower == double(gain * D[k]) == double(exactly + gain * (D[max(k, n)] - D[n]))
        assert (lower == double(exactly)) == (k <= n or gain == 0)
        ideal = rational(rs.nDCG, k)
        assert by_paper(rs.RLB, ideal, J, backend=by) == double(gain * D[k] / iub if iub else 0)
        assert by_paper(rs.IUB, ideal, J, backend=by) == (iub > 0)
        if k > n and 0 < min(J) == max(J):
            assert lower > double(iub)
            value = by_paper(rs.UL2, A, J, J, backend=by)
            assert value == double(D[n] / D[k] - 1) < 0
    assert (lower != double(exactly)) == any(J)  # the last k is beyond the pool


@BOTH
@pytest.mark.spec("RS-BND-10", "RS-BND-10/L1", "RS-BND-10/L2", "RS-BND-10/L3")
@pytest.mark.spec("RS-BND-10/L5", "RS-BND-10/L6")
@each(("n", "N_p"), [(n, N_p) for n in range(1, 7) for N_p in range(n + 1)], fast=10)
def test_the_papers_bounds_of_sp(n, N_p, by):
    J = (0,) * (n - N_p) + (1,) * N_p
    quotients, H = [], Fraction(0)
    for k in range(1, n + 4):
        H += Fraction(1, k)
        A = rs.SP(k=k)
        iub, expected, _ = bounds_of(A, J, k)
        printed = k * Fraction(N_p, n) ** 2
        assert by_paper(rs.RLB, A, J, backend=by) == double(printed)
        assert by_paper(rs.IUB, A, J, backend=by) == k
        by_k = rs.AP(k=k, norm="k")
        assert by_paper(rs.RLB, by_k, J, backend=by) == double(printed / k)
        assert by_paper(rs.IUB, by_k, J, backend=by) == 1
        assert (iub == k) == (N_p >= k)
        best = by_paper(rs.UL2, A, J, J[::-1], backend=by)
        assert (best == 1) == (N_p >= k and printed < k)
        assert (by_paper(rs.U, A, J, J[::-1], backend=by) == 1) == (N_p >= k)
        if k > n:
            assert expected == bounds_of(A, J, n)[1]
            assert N_p < n or (printed == k and expected == n)
            continue
        assert (expected > printed) if 0 < N_p < n else (expected == printed)
        if n >= 2:
            excess = Fraction(N_p * (n - N_p), n * (n - 1)) * (H - Fraction(k, n))
            assert expected - printed == excess
        if 0 < N_p < n:
            quotient = Fraction(N_p * (n - 1), n) * k / ((N_p - 1) * k + (n - N_p) * H)
            assert printed / expected == quotient < 1
            quotients.append(quotient)
    if quotients:
        assert quotients[0] == Fraction(N_p, n)
        assert all(x < y for x, y in pairwise(quotients))


@BOTH
@pytest.mark.spec("RS-BND-9", "RS-BND-10")
def test_no_other_metric_has_the_papers_bounds(by):
    for metric in BOUNDED:
        measure = rs.UL2(metric(k=2))
        if metric.name in ("DCG", "nDCG", "SP", "AP"):
            assert by_paper(rs.UL2, metric(k=2), (1, 0, 1), (0, 1, 1), backend=by) < 0
        else:
            with pytest.raises(rs.InputError, match="has no formula"):
                rs.UL2(metric(k=2), bounds="karmaker-2022")
        assert "bounds" in measure.metric.parameters
    with pytest.raises(rs.InputError):
        rs.UL2(rs.DCG(k=10**6 + 1), bounds="karmaker-2022")
