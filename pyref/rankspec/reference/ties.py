"""Ties and expectation: the order of a scored list, and the mean over the orders it leaves open.

A scored list falls into tie groups: the items of equal score, groups by falling score.
A rule orders the items within each group; or the value is the *expectation*, the mean
over all orders of all groups [mcsherry-2008].

groups  the labels (or the relevance indicators) group by group, best score first
s       the number of items ranked above a group
n, m    the size of a group, and how many of its ranks are within the cut-off

A random ranking is one group of all items. The closed forms, of expectations and of variances,
stand in the chapters of the metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, permutations, product
from math import factorial, prod
from typing import Any

from .numbers.reals import Exact, Number, Reals

Groups = Sequence[Sequence[Any]]

RULES = ("id-descending", "id-ascending", "input", "best", "worst", "expected")


def tie_groups(scores: Sequence[Exact]) -> list[list[int]]:
    """The positions of the items, grouped by equal score, groups by falling score.

    Spec: RS-TIE-1
    """
    positions = sorted(range(len(scores)), key=lambda a: scores[a], reverse=True)
    return [list(group) for _, group in groupby(positions, key=lambda a: scores[a])]


def order(
    scores: Sequence[Exact], labels: Sequence[Exact | None], ids: Sequence[Any] | None, rule: str
) -> list[int]:
    """The positions of the items in rank order, the ties resolved by a rule.

    An item without a label, None, is below all that have one.

    Spec: RS-TIE-2
    """

    def height(a: int) -> tuple[bool, Exact]:
        label = labels[a]
        return (False, 0) if label is None else (True, label)

    def resolved(group: list[int]) -> list[int]:
        if rule == "id-descending" and ids is not None:
            return sorted(group, key=lambda a: ids[a], reverse=True)
        if rule == "id-ascending" and ids is not None:
            return sorted(group, key=lambda a: ids[a])
        if rule == "best":
            return sorted(group, key=height, reverse=True)
        if rule == "worst":
            return sorted(group, key=height)
        if rule == "input":
            return group
        raise ValueError(f"no order by the rule {rule!r}")

    return [a for group in tie_groups(scores) for a in resolved(group)]


def expectation(metric: Callable[[list[Any]], Number], groups: Groups) -> Number:
    """E[metric] = the mean of metric over all orders of all tie groups

    This is the definition. It costs the product of the factorials of the group sizes; the
    chapters have its closed forms, ``expected_dcg`` beside ``dcg``.

    Spec: RS-EXP-1
    """
    orders = product(*(permutations(group) for group in groups))
    total = sum(metric([x for group in choice for x in group]) for choice in orders)
    return total / Fraction(prod(factorial(len(group)) for group in groups))


def placed(groups: Groups, k: int) -> Iterator[tuple[int, int, int, Sequence[Any]]]:
    """(s, n, m, group) of each tie group that begins within the cut-off."""
    s = 0
    for group in groups:
        n = len(group)
        if s < k and n:
            yield s, n, min(n, k - s), group
        s += n


def mean_products(q: Sequence[Number], m: int) -> list[Number]:
    """<a_0, a_1, ..., a_m>: a_j is the mean of the products of j of the n numbers q

    a_j(n) = ((n - j) a_j(n - 1) + j q_n a_{j-1}(n - 1)) / n: of n places for the n-th number, j
    are among the first j.

    Spec: RS-EXP-13
    """
    a: list[Number] = [1] + [0] * m
    for n, q_n in enumerate(q, start=1):
        for j in range(min(n, m), 0, -1):
            a[j] = ((n - j) * a[j] + j * q_n * a[j - 1]) / n
    return a


def mean_stops(R: Sequence[Number], m: int) -> list[Number]:
    """<c_1, ..., c_m>: c_j = a_{j-1} - a_j of the numbers q = 1 - R: the mean of the products of
    j - 1 of them and another R

    c_{j+1}(n) = (R_n a_j + j q_n c_j + (n-1-j) c_{j+1}) / n, on the right of n - 1 items. All are
    sums of what is not below 0: a difference would cancel where the R are small.

    Spec: RS-EXP-14
    """
    a: list[Number] = [1] + [0] * m
    c: list[Number] = [0] * m  # c_{j+1} at j
    for n, R_n in enumerate(R, start=1):
        q_n = 1 - R_n
        for j in range(min(n, m - 1), -1, -1):
            before = j * q_n * c[j - 1] if j else 0
            c[j] = (R_n * a[j] + before + max(n - 1 - j, 0) * c[j]) / n
            if j:
                a[j] = ((n - j) * a[j] + j * q_n * a[j - 1]) / n
    return c


def variance(metric: Callable[[list[Any]], Number], J: Sequence[Any]) -> Number:
    """Var[metric] = E[metric²] - E[metric]², over all orders of J

    This is the definition. The chapters have its closed forms, ``variance_of_dcg`` beside ``dcg``.

    Spec: RS-EXP-19
    """
    mean = expectation(metric, [J])
    return expectation(lambda r: metric(r) * metric(r), [J]) - mean * mean


def z_value(A: Number, mean: Number, variance: Number, reals: Reals) -> Number:
    """z = (A - E[A]) / √Var[A], and 0 where Var[A] = 0

    Spec: RS-EXP-23
    """
    gap = A - mean
    return gap / reals.sqrt(variance) if variance and gap else 0
