"""Formulas as the specification writes them, where the reference takes fewer or other steps.

The values are the same. What doubles make of them is not, and `doubles.py` is about the formulas.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from rankspec.reference import bounds, cascade, precision, ties, utility
from rankspec.reference.numbers.reals import RATIONALS, Exact, Number, Reals
from rankspec.reference.ties import Groups, mean_products, placed


def mean_stops(R: Sequence[Number], m: int) -> list[Number]:
    """a_{j-1} - a_j. RS-EXP-14"""
    a = mean_products([1 - x for x in R], m)
    return [a[j - 1] - a[j] for j in range(1, m + 1)]


def power_of(p: Exact, n: int, reals: Reals = RATIONALS) -> Number:
    """p · p · ... · p. RS-CAS-5"""
    found = reals.exact(1)
    for _ in range(n):
        found = found * reals.exact(p)
    return found


def expected_rbp(groups: Groups, k: int, p: Exact, reals: Reals = RATIONALS) -> Number:
    """Each rank with the share of its group. RS-EXP-16"""
    total = reals.exact(0)
    weight = 1 - reals.exact(p)
    for _, n, m, group in placed(groups, k):
        for _ in range(m):
            total = total + weight * sum(group) / n
            weight = weight * reals.exact(p)
    return total


def expected_hits(groups: Groups, k: int, reals: Reals = RATIONALS) -> Number:
    """Each group with its share, whole groups too. RS-EXP-4"""
    total = reals.exact(0)
    for _, n, m, group in placed(groups, k):
        total = total + reals.exact(m) * sum(group) / n
    return total


def sums_of(items: Sequence[utility.Item], reals: Reals) -> utility.Group:
    """Item by item, alike or not. RS-EXP-55"""
    relevant = [x for x in items if x.R]
    zero = reals.exact(0)
    return utility.Group(
        len(relevant),
        sum((x.g for x in relevant), zero),
        sum((x.w for x in relevant), zero),
        sum((x.w * x.g for x in relevant), zero),
    )


def expected_p_measure(
    groups: Groups, pool: Sequence[Number], k: int, beta: Exact, reals: Reals = RATIONALS
) -> Number:
    """With the probability of each rank, a rational number made of counts. RS-EXP-60"""
    total = reals.exact(0)
    b = reals.exact(beta)
    for x in utility.preferred(groups, k, reals):
        ideal = utility.ideal_gains(pool, x.s + x.m, reals)
        found = precision.first_relevant(x.n, x.c)
        for j, P_j in zip(range(1, x.m + 1), found, strict=False):
            h = reals.exact(Fraction(j - 1, x.n - x.c) if j > 1 else 0)
            ratio = utility.blended_ratio(
                h * x.r + (x.C + 1), x.S + x.g + h * x.G, x.s + j, ideal[x.s + j - 1], b
            )
            total = total + ratio * reals.exact(x.P * P_j)
    return total


def is_random(*_: Any) -> bool:
    """A less RLB, whatever A is. RS-BND-6"""
    return False


PLAIN: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    (ties.mean_stops, mean_stops),
    (cascade.power_of, power_of),
    (cascade.expected_rbp, expected_rbp),
    (precision.expected_hits, expected_hits),
    (utility.sums_of, sums_of),
    (utility.expected_p_measure, expected_p_measure),
    (bounds.is_random, is_random),
]
"""Functions of the reference, each with its formula."""


@contextmanager
def plainly() -> Iterator[None]:
    """The reference with these formulas, wherever it has the function by its name."""
    places = [
        (module, name, reference, plain)
        for module in [m for n, m in sys.modules.items() if n.startswith("rankspec.")]
        for reference, plain in PLAIN
        for name in (reference.__name__,)
        if getattr(module, name, None) is reference
    ]
    for module, name, _, plain in places:
        setattr(module, name, plain)
    try:
        yield
    finally:
        for module, name, reference, _ in places:
            setattr(module, name, reference)
