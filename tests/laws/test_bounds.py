"""The laws of bounds, against all orders of small pools.

A metric is taken with choices that make it rational. Its values for all orders of a pool are exact
numbers, by its own equation; the greatest, their mean and the least are the bounds, and what is
made of them is computed here from its definition. The package's doubles must be the nearest ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.chapters import METRICS
from rankspec.measure import Measure, Metric, Ranking
from rankspec.reference.reals import RATIONALS

from .rankings import double

BOTH = pytest.mark.parametrize("by", ["c", "reference"])
CUTOFFS = (1, 2, 5, None)

BOUNDED = [metric for metric in METRICS if not metric.of_pool and not metric.sees_unjudged]
UNCUT_IDEAL = ("LDCG", "LNDCG")  # those whose best list need not show the whole pool

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
    "nDCG": [{"ideal": "k"}, {"ideal": "all"}],
    "LNDCG": [{"ideal": "true"}, {"ideal": "eq7"}],
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


def depth(k: int | None, r: Labels, J: Labels) -> int:
    return k or max(len(r), len(J))


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
    """(IUB, RLB, WLB), from the values of all orders, and of all lists where the best is shorter."""
    of_orders = [exact(A, r, J, k) for r in orders(J)]
    of_lists = [exact(A, r, J, k) for r in lists(J)]
    best = max(of_lists) if A.metric.name in UNCUT_IDEAL else max(of_orders)
    assert best == max(of_lists)  # RS-BND-1/L1
    return best, sum(of_orders, Fraction(0)) / len(of_orders), min(of_orders)


def values_of(A: Measure, r: Labels, J: Labels) -> Values:
    k = depth(A.k, r, J)
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
    if measure.metric.of_pool:
        return measure.of([list(J) for _, J in cases], backend=by).tolist()
    ranked, judged = zip(*cases, strict=True)
    given = {"judged": [list(J) for J in judged]} if measure.metric.judged else {}
    return measure.of([list(r) for r in ranked], **given, backend=by).tolist()


def disagreements(
    A: Measure, cases: list[tuple[Labels, Labels]], made: Made, by: str
) -> list[tuple[Labels, Labels]]:
    """The lists and pools whose value is not the double nearest to that of the definition."""
    values = doubles(made.of(A), cases, by)
    right = [double(made.by_definition(values_of(A, r, J))) for r, J in cases]
    return [case for case, x, y in zip(cases, values, right, strict=True) if x != y]


# Bounds of every metric


IDS = [
    pytest.param(metric, given, id=f"{metric.name}-{'-'.join(given.values()) or 'only'}")
    for metric in BOUNDED
    for given in variants(metric)
]
EVERY_METRIC = pytest.mark.parametrize(("metric", "choice"), IDS)


@BOTH
@EVERY_METRIC
@pytest.mark.spec("RS-BND-1", "RS-BND-1/L1", "RS-BND-2", "RS-BND-2/L1", "RS-BND-3", "RS-BND-3/L1")
@pytest.mark.spec("RS-BND-4", "RS-BND-5", "RS-BND-6", "RS-BND-7", "RS-BND-8")
def test_bounds_are_those_of_all_orders_and_what_is_made_of_them_its_definition(
    metric, choice, by
):
    """For all orders of the pool, and for lists that show a part of it."""
    cases = [(r, J) for J in POOLS[by] for r in (lists(J) if len(J) < 4 else orders(J))]
    for k in CUTOFFS:
        A = rational(metric, k, **choice)
        for name, made in EVERY.items():
            assert not disagreements(A, cases, made, by), (name, k)


@pytest.mark.parametrize("name", EVERY)
def test_a_wrong_definition_is_found(name):
    """The control: each value with one of its numbers mistaken."""
    wrong = {
        "IUB": lambda x: x.RLB,
        "RLB": lambda x: (x.IUB + x.WLB) / 2,
        "WLB": lambda x: Fraction(0),
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
