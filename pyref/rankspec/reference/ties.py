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

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, permutations, product
from math import factorial, lcm, prod
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


MOST_VALUES = 16  # of different q, beyond which the steps of exact_mean_stops() are not cheap
MOST_DIGITS = 100_000  # of its whole numbers, in binary


def are_exact_stops_faster(R: Sequence[Exact], m: int) -> bool:
    """True if exact_mean_stops() takes less time than mean_stops(): many items of few values.

    Spec: RS-EXP-14
    """
    if len(R) * m < 2000 or len(set(R)) > MOST_VALUES:
        return False
    return _scale(R).bit_length() * len(R) <= MOST_DIGITS


def _scale(R: Sequence[Exact]) -> int:
    """The least number of which all products with R are whole."""
    return lcm(*(Fraction(x).denominator for x in set(R)))


def exact_mean_stops(R: Sequence[Exact], m: int) -> Iterator[Fraction]:
    """c_1, ..., c_m of mean_stops() for exact numbers, with m <= n, as differences a_{j-1} - a_j

    With Q = q scale and n_Q numbers of each Q, a_j = E_j / (C(n, j) scale^j) of
    E(x) = Π (1 + Q x)^n_Q. From D(x) E'(x) = N(x) E(x), D(x) = Π (1 + Q x),
    j E_j = Σ_{t=1..min(j, deg D)} (N_{t-1} - (j - t) D_t) E_{j-t}, all in whole numbers.

    Spec: RS-EXP-14
    """
    n, scale = len(R), _scale(R)
    D, N = [1], [0]
    for Q, n_Q in Counter(int(scale * (1 - Fraction(x))) for x in R).items():
        N = [a + Q * (b + n_Q * d) for a, b, d in zip([*N, 0], [0, *N], [*D, 0], strict=True)]
        D = [d + Q * e for d, e in zip([*D, 0], [0, *D], strict=True)]
    E, sets = [1], 1  # sets: C(n, j) scale^j
    for j in range(1, m + 1):
        terms = ((N[t - 1] - (j - t) * D[t]) * E[j - t] for t in range(1, min(j, len(D) - 1) + 1))
        E.append(sum(terms) // j)
        times = (n - j + 1) * scale
        yield Fraction(E[j - 1] * times - E[j] * j, sets * times)
        sets = sets * times // j


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
