"""Users who read from the top and stop: ERR, its normalised form, and RBP.

r      the labels in rank order: r(1) is r[0]
R      the probability that a user who sees the item of a label stops there
R_i    for RBP: the relevance indicators in rank order, 1 where the item at rank i is relevant
k      the cut-off; ranks beyond the end of the list hold nothing
p      the persistence of RBP: the probability that a user goes on to the next rank

Under ties, groups, s, n and m are as in the chapter "ties and expectation".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import prod

from .dcg import ideal
from .numbers.reals import RATIONALS, Exact, Number, Reals
from .ties import Groups, are_exact_stops_faster, exact_mean_stops, mean_stops, placed

Stop = Callable[[Exact], Number]


def stop_probability(g: int, g_max: int, reals: Reals = RATIONALS) -> Number:
    """R = (2^g - 1) / 2^g_max    [chapelle-2009 eq. 4]

    Spec: RS-CAS-1
    """
    return reals.exact(Fraction(2**g - 1, 2**g_max))


def err(r: Sequence[Exact], k: int, R: Stop) -> Number:
    """ERR@k = Σ_{i=1..k} (1/i) R(r(i)) Π_{j=1..i-1} (1 - R(r(j)))    [chapelle-2009 eq. 5]

    Spec: RS-CAS-2
    """
    return err_vector(r[:k], R)[-1] if r[:k] else 0


def err_vector(r: Sequence[Exact], R: Stop) -> list[Number]:
    """<ERR@1, ERR@2, ..., ERR@n>

    Spec: RS-CAS-2
    """
    vector: list[Number] = []
    total: Number = 0
    going_on: Number = 1  # the product, carried along
    for i, r_i in enumerate(r, start=1):
        total = total + going_on * R(r_i) / i
        going_on = going_on * (1 - R(r_i))
        vector.append(total)
    return vector


def ierr(J: Sequence[Exact], k: int, R: Stop) -> Number:
    """IERR@k = ERR@k of the ideal ranking

    Spec: RS-CAS-3
    """
    return err(ideal(J), k, R)


def nerr(r: Sequence[Exact], J: Sequence[Exact], k: int, R: Stop) -> Number:
    """nERR@k = ERR@k / IERR@k, and 0 where IERR@k = 0

    Spec: RS-CAS-4
    """
    normaliser = ierr(J, k, R)
    return err(r, k, R) / normaliser if normaliser else 0


def rbp(R: Sequence[int], k: int, p: Exact, reals: Reals = RATIONALS) -> Number:
    """RBP@k = (1 - p) Σ_{i=1..k} R_i p^(i-1)    [moffat-2008]

    Spec: RS-CAS-5
    """
    total: Number = reals.exact(0)
    weight, at = 1 - reals.exact(p), 1  # (1 - p) p^(at-1), carried along
    for i, R_i in enumerate(R[:k], start=1):
        if R_i:
            weight, at = weight * power_of(p, i - at, reals), i
        total = total + weight * R_i
    return total


def power_of(p: Exact, n: int, reals: Reals = RATIONALS) -> Number:
    """p^n, by squares

    Spec: RS-CAS-5
    """
    found, square = reals.exact(1), reals.exact(p)
    while n:
        if n & 1:
            found = found * square
        n >>= 1
        if n:
            square = square * square
    return found


def powers(p: Exact, reals: Reals = RATIONALS) -> Callable[[int], Number]:
    """i -> p^(i-1), each from the one before: how probable it is that the user sees rank i

    Spec: RS-CAS-5
    """
    known: list[Number] = [reals.exact(1)]

    def power(i: int) -> Number:
        while len(known) < i:
            known.append(known[-1] * reals.exact(p))
        return known[i - 1]

    return power


def rbp_residual(U: Sequence[int], k: int, p: Exact, reals: Reals = RATIONALS) -> Number:
    """Residual = (1 - p) Σ_{i=1..k} U_i p^(i-1) + p^min(k, n)    [moffat-2008]

    U_i is 1 where nobody has judged the item at rank i, else 0: what RBP might gain at most
    were all that is not known relevant.

    Spec: RS-CAS-6
    """
    return rbp(U, k, p, reals) + power_of(p, len(U[:k]), reals)


def expected_err(groups: Groups, k: int, R: Stop, reals: Reals | None = None) -> Number:
    """E[ERR@k] = Σ_groups Q Σ_{j=1..m} (a_{j-1} - a_j) / (s + j)

    Q is the probability that the user goes on to the group, the product of 1 - R over all items
    above it; a_j that the user goes on after j of its ranks.

    reals: what makes numbers of those of R, which are exact then; None: they are numbers

    Spec: RS-EXP-14
    """
    total: Number = 0
    Q: Number = 1
    number = cache(reals.exact) if reals else lambda x: x
    for s, n, m, group in placed(groups, k):
        stops = list(map(R, group))
        if reals and are_exact_stops_faster(stops, m):
            c: Iterable[Number] = (number(1) * c_j for c_j in exact_mean_stops(stops, m))
        else:
            c = mean_stops(list(map(number, stops)), m)
        for j, c_j in enumerate(c, start=1):
            total = total + Q * c_j / (s + j)
        if m == n:  # else nothing follows
            Q = Q * prod(1 - number(x) for x in stops)
    return total


def expected_nerr(
    groups: Groups, J: Sequence[Exact], k: int, R: Stop, reals: Reals | None = None
) -> Number:
    """E[nERR@k] = E[ERR@k] / IERR@k, and 0 where IERR@k = 0

    Spec: RS-EXP-15
    """
    normaliser = ierr(J, k, (lambda x: reals.exact(R(x))) if reals else R)
    return expected_err(groups, k, R, reals) / normaliser if normaliser else 0


def expected_rbp(groups: Groups, k: int, p: Exact, reals: Reals = RATIONALS) -> Number:
    """E[RBP@k] = (1 - p) Σ_groups (r/n) Σ_{j=1..m} p^(s+j-1), where r items of it are relevant

    Spec: RS-EXP-16
    """
    total: Number = reals.exact(0)
    weight, at = 1 - reals.exact(p), 1  # (1 - p) p^(at-1), carried along
    for s, n, m, group in placed(groups, k):
        r = sum(group)
        for i in range(s + 1, s + m + 1):
            if r:
                weight, at = weight * power_of(p, i - at, reals), i
            total = total + weight * r / n
    return total


def expected_rbp_residual(groups: Groups, k: int, p: Exact, reals: Reals = RATIONALS) -> Number:
    """E[Residual] = E[RBP@k] of the items that nobody has judged, and p^min(k, n)

    Spec: RS-EXP-16
    """
    shown = sum(m for _, _, m, _ in placed(groups, k))
    return expected_rbp(groups, k, p, reals) + power_of(p, shown, reals)
