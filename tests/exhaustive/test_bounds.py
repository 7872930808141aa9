"""Every small pool: its bounds, what is normalised by them, and variances, in exact rationals.

The reference and the definitions of tests/vectors/definitions.py, which try all orders, give the
same rational number, and the core the double nearest to it. All metrics here are rational.
"""

from __future__ import annotations

from array import array
from fractions import Fraction
from functools import cache
from itertools import accumulate, product

import pytest

import rankspec as rs
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.metrics.measure import Ranking, value
from rankspec.reference.numbers.reals import RATIONALS
from rankspec.reference.numerics import nearest_double

from ..each import each
from ..vectors import definitions

GRADES = range(3)
CUTOFFS = [1, 2, 3, 5, None]
MORE = [(0,), (2,), (1, 2), (0, 0, 1)]

# A metric with its parameters, and what definitions.py calls them.
ZIPF = {"gain": {"kind": "linear"}, "discount": {"kind": "zipf"}}
EXP2 = {"gain": {"kind": "exp2"}, "discount": {"kind": "zipf"}}
METRICS = {
    "DCG": (rs.DCG, {"discount": "zipf"}, {"name": "DCG", **ZIPF}),
    "nDCG": (
        rs.nDCG,
        {"gain": "exp2", "discount": "zipf", "ideal": "all"},
        {"name": "nDCG", **EXP2, "ideal": "all"},
    ),
    "AP": (rs.AP, {}, {"name": "AP", "rel": 1, "norm": "R"}),
    "AP by k": (rs.AP, {"norm": "k", "rel": 2}, {"name": "AP", "rel": 2, "norm": "k"}),
    "ERR": (rs.ERR, {"max": 3}, {"name": "ERR", "max": 3, "stop": None}),
    "GAP": (rs.GAP, {"q": [0.25, 0.75]}, {"name": "GAP", "q": [0.25, 0.75]}),
    "P": (rs.P, {}, {"name": "P", "rel": 1}),
    "R": (rs.R, {}, {"name": "R", "rel": 1}),
    "RR": (rs.RR, {}, {"name": "RR", "rel": 1}),
    "IPrec": (
        rs.IPrec,
        {"recall": 0.5},
        {"name": "IPrec", "rel": 1, "recall": 0.5, "rounding": "nearest"},
    ),
    "RBP": (rs.RBP, {"p": 0.5}, {"name": "RBP", "p": Fraction(1, 2), "rel": 1}),
}
OF_POOL = [(rs.IUB, {}), (rs.RLB, {}), (rs.WLB, {})]
OF_LIST = [
    (rs.U, {}),
    (rs.UL1, {}),
    (rs.UL2, {}),
    (rs.MinMax, {}),
    (rs.MinMax, {"lower": "worst"}),
    (rs.Ratio, {}),
    (rs.expected, {}),
]
FORMULA = {"bounds": "karmaker-2022"}
BY_FORMULA = [(bound, {**own, **FORMULA}) for bound, own in OF_LIST[:-1]]

HAVING_BOUNDS = pytest.mark.parametrize(
    "name", ["DCG", "nDCG", "AP", "AP by k", "ERR", "GAP", "P", "IPrec"]
)
HAVING_FORMULAS = pytest.mark.parametrize("name", ["DCG", "nDCG", "AP", "AP by k"])
HAVING_VARIANCE = pytest.mark.parametrize(
    "name", [n for n in METRICS if n not in ("ERR", "GAP", "IPrec")]
)


def lists_up_to(length):
    return [r for n in range(length + 1) for r in product(GRADES, repeat=n)]


def flat(rows):
    return (
        array("B", [x for row in rows for x in row]),
        array("q", accumulate((len(row) for row in rows), initial=0)),
    )


def as_fraction(x):
    return Fraction(int(x.p), int(x.q))


def measure_of(name, k, bound, own):
    metric, parameters, _ = METRICS[name]
    return bound(metric(k=k, **parameters), **own)


# The definitions, each computed once.


@cache
def of_order(name, k, labels, J):
    return definitions.of_order(list(labels), list(J), k, METRICS[name][2])


@cache
def of_random(name, k, labels, J):
    return definitions.of_random(list(labels), list(J), k, METRICS[name][2])


@cache
def bounds_of(name, k, J, formula=False):
    """(IUB, RLB, WLB); but for the formulas the best, the mean and the least over all orders."""
    orders = definitions.distinct_orders(sorted(J))
    all_values = [of_order(name, k, tuple(order), J) for order in orders]
    if formula:
        IUB, RLB = definitions.formulas(list(J), k, METRICS[name][2])
        return IUB, RLB, min(all_values)
    return max(all_values), of_random(name, k, J, J), min(all_values)


def defined(name, k, bound, own, A, labels, J):
    """What a bound is by the definitions; A: of the list."""
    if bound is rs.expected:
        return as_fraction(of_random(name, k, tuple(sorted(labels)), J))
    IUB, RLB, WLB = bounds_of(name, k, J, formula="bounds" in own)
    if bound in (rs.IUB, rs.RLB, rs.WLB):
        return as_fraction({rs.IUB: IUB, rs.RLB: RLB, rs.WLB: WLB}[bound])
    LB = WLB if own.get("lower") == "worst" else RLB
    return as_fraction(definitions.normalised(bound.name, A, IUB, LB))


def assert_all(name, bounds, rankings, batch, of_list):
    """Each bound at each cut-off; of_list(k, a): A of ranking a."""
    for bound, own in bounds:
        measures = [measure_of(name, k, bound, own) for k in CUTOFFS]
        columns = values(measures, batch, "c")
        for measure, column in zip(measures, columns, strict=True):
            for a, (ranking, double) in enumerate(zip(rankings, column, strict=True)):
                J = tuple(sorted(ranking.pool))
                n = len(ranking.labels)
                by_length = name in ("P", "AP by k")  # RS-BND-1(a)
                k = measure.k or ((n or len(J)) if by_length else max(n, len(J)))
                A = of_list(k, a)
                exact = defined(name, k, bound, own, A, ranking.labels, J)
                assert value(measure, ranking, RATIONALS) == exact, f"{measure} of {ranking}"
                assert double == nearest_double(exact), f"{measure} of {ranking}"


def assert_of_pools(name, bounds, pools):
    rankings = [Ranking([[x] for x in J], J) for J in pools]
    assert_all(name, bounds, rankings, Batch(*flat(pools)), lambda *_: None)


def assert_settled(name, bounds, pairs):
    """Lists in an order, each with its pool."""
    rankings = [Ranking([[x] for x in labels], pool) for labels, pool in pairs]
    batch = Batch(*flat([labels for labels, _ in pairs]), None, *flat([pool for _, pool in pairs]))

    def of_list(k, a):
        labels, pool = pairs[a]
        return of_order(name, k, labels, tuple(sorted(pool)))

    assert_all(name, bounds, rankings, batch, of_list)


@pytest.mark.slow(but=2)
@HAVING_BOUNDS
@pytest.mark.spec("RS-BND-1", "RS-BND-2", "RS-BND-3", "RS-CONV-2")
def test_the_bounds_of_every_pool_of_up_to_four(name):
    """IUB and WLB are the greatest and the least value of any order."""
    assert_of_pools(name, OF_POOL, lists_up_to(4))


@pytest.mark.slow(but=1)
@HAVING_BOUNDS
@pytest.mark.spec(
    "RS-BND-4", "RS-BND-5", "RS-BND-6", "RS-BND-7", "RS-BND-8", "RS-CONV-4", "RS-CONV-5"
)
@each("n", range(5), fast=4)
def test_every_order_of_every_pool_of_up_to_four(name, n):
    assert_settled(name, OF_LIST, [(row, row) for row in product(GRADES, repeat=n)])


@pytest.mark.slow(but=1)
@HAVING_BOUNDS
@pytest.mark.spec(
    "RS-BND-4", "RS-BND-5", "RS-BND-6", "RS-BND-7", "RS-BND-8", "RS-CONV-2", "RS-CONV-3"
)
@each("n", range(4), fast=3)
def test_lists_of_up_to_three_with_larger_pools_and_with_smaller_ones(name, n):
    rows = list(product(GRADES, repeat=n))
    larger = [(row, row + more) for row in rows for more in MORE if n < 3]
    assert_settled(name, OF_LIST, [*larger, *((row, row[1:]) for row in rows if row)])


@pytest.mark.slow
@HAVING_FORMULAS
@pytest.mark.spec("RS-BND-9", "RS-BND-10")
def test_the_formulas_of_karmaker_2022(name):
    assert_of_pools(name, [(rs.IUB, FORMULA), (rs.RLB, FORMULA)], lists_up_to(3))
    pairs = [(row, row + more) for row in lists_up_to(3) for more in ((), (0, 1))]
    assert_settled(name, BY_FORMULA, pairs)


@pytest.mark.slow
@HAVING_BOUNDS
@pytest.mark.spec("RS-BND-4", "RS-BND-5", "RS-BND-6", "RS-BND-7", "RS-BND-8", "RS-EXP-1")
def test_all_tie_groups_of_lists_of_up_to_three(name):
    """The expectation of the metric, and then the formula."""
    pairs = [
        (row, (1, *starts))
        for row in lists_up_to(3)
        if row
        for starts in product((0, 1), repeat=len(row) - 1)
    ]
    batch = Batch(*flat([row for row, _ in pairs]), bytes(x for _, own in pairs for x in own))
    rankings = [batch.ranking(a) for a in range(len(batch))]

    @cache
    def of_list(k, a):
        row, starts = pairs[a]
        scores = [-x for x in accumulate(starts)]
        given = {"labels": list(row), "scores": scores, "ties": "expected"}
        return definitions.mean_of_orders(given, list(row), list(row), k, METRICS[name][2])

    assert_all(name, OF_LIST, rankings, batch, of_list)


@pytest.mark.slow(but=4)
@HAVING_VARIANCE
@pytest.mark.spec("RS-EXP-19", "RS-EXP-20", "RS-EXP-21", "RS-EXP-22")
def test_the_variance_of_every_pool_of_up_to_five(name):
    pools = [p for n in range(6) for p in product(GRADES, repeat=n) if list(p) == sorted(p)]
    measures = [measure_of(name, k, rs.variance, {}) for k in CUTOFFS]
    columns = values(measures, Batch(*flat(pools)), "c")
    for measure, column in zip(measures, columns, strict=True):
        for J, double in zip(pools, column, strict=True):
            k = measure.k or len(J)
            exact = as_fraction(definitions.variance(list(J), k, METRICS[name][2]))
            ranking = Ranking([[x] for x in J], J)
            assert value(measure, ranking, RATIONALS) == exact, f"{measure} of {J}"
            assert double == nearest_double(exact)


def test_the_definitions_can_fail():
    """The control: other bounds, another lower bound, another cut-off."""
    J, labels = (0, 1, 2), (1, 0, 2)
    A = of_order("DCG", 2, labels, J)
    exact = defined("DCG", 2, rs.UL2, {}, A, labels, J)
    measure = measure_of("DCG", 2, rs.UL2, {})
    assert value(measure, Ranking([[x] for x in labels], J), RATIONALS) == exact < 0
    for bound, own, k in (
        (rs.MinMax, {}, 2),
        (rs.MinMax, {"lower": "worst"}, 2),
        (rs.UL1, {}, 2),
        (rs.UL2, {}, 3),
    ):
        A = of_order("DCG", k, labels, J)
        assert defined("DCG", k, bound, own, A, labels, J) != exact
