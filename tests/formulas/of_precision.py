"""The formulas of precision, RR, SP and AP, which the papers of bounds and of length have."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from rankspec.reference.precision import (
    ap,
    expected_ap,
    expected_hits,
    expected_precision,
    expected_recall,
    expected_rr,
    expected_sp,
    expected_sp_of_group,
    expected_success,
    normaliser,
    precision,
    recall,
    relevance,
    rprec,
    rr,
    sp,
    success,
    variance_of_rr,
    variance_of_sp,
)

from .evaluate import whole
from .of_bounds import COUNTS
from .worlds import CUTOFFS, Formula, Groups, indexed, mean_over, placed, value

World = dict[str, Any]
LISTS = [[], [1], [0], [0, 1], [1, 0, 1], [0, 1, 1, 0]]
GROUPS: list[list[list[int]]] = [
    [], [[1]], [[0, 0]], [[1, 0]], [[1, 1, 0]], [[0], [1, 0]], [[1, 0], [1, 1, 0]],
]  # fmt: skip


def of_list(R: list[int]) -> World:
    """The names that the formulas have for relevance indicators."""
    return {
        "n": Fraction(len(R)),
        "R_": indexed([Fraction(x) for x in R]),
        "Prec": lambda k: precision(R, whole(k)),
        "SP@": lambda k: sp(R, whole(k)),
        "RR@": lambda k: rr(R, whole(k)),
        "Success@": lambda k: success(R, whole(k)),
    }


def indicators() -> Iterator[World]:
    for x, theta in product((0, 1, 2), (Fraction(1), Fraction(3, 2))):
        (R,) = relevance([x], theta)
        yield {"r": indexed([x]), "i": Fraction(1), "\\theta": theta, "R_": indexed([R])}


def lists() -> Iterator[World]:
    for R, k, N_p in product(LISTS, CUTOFFS, (1, 2, 4)):
        yield {
            **of_list(R), "k": Fraction(k), "N_p": Fraction(N_p),
            "Recall@": lambda k, R=R, N_p=N_p: recall(R, N_p, whole(k)),
            "Rprec@": lambda k, R=R, N_p=N_p: rprec(R, N_p, whole(k)),
        }  # fmt: skip


def normalised() -> Iterator[World]:
    names = ("R", "min", "k", "retrieved", "hits")
    for R, k, N_p, norm in product(LISTS[1:], CUTOFFS, (0, 1, 3), names):
        yield {
            **of_list(R), "k": Fraction(k), "N_p": Fraction(N_p), "for": norm,
            "Z": Fraction(normaliser(norm, N_p, k, R)),
            "AP@": lambda k, R=R, N_p=N_p, norm=norm: ap(R, N_p, whole(k), norm),
        }  # fmt: skip


def tied() -> Iterator[tuple[Groups, int, World]]:
    for groups, k in product(GROUPS, CUTOFFS):
        bound, c = [], 0
        for own in placed(groups, k):
            s, m, T = whole(own["s"]), whole(own["m"]), own["T"]
            r = sum(T)
            S_T = expected_sp_of_group(s, Fraction(c), len(T), r, m)
            bound.append({**own, "r_T": Fraction(r), "c": Fraction(c), "S_T": Fraction(S_T)})
            c += r
        yield groups, k, {**of_list([]), "k": Fraction(k), "each T": bound}


def means(closed: Any) -> Any:
    """The mean over all orders, and the closed form of the reference."""

    def worlds() -> Iterator[World]:
        for groups, k, world in tied():
            yield {**world, "E[]": mean_over(groups, of_list)}
            yield {**world, "E[]": value(closed(groups, k))}

    return worlds


def mean_recalls() -> Iterator[World]:
    for groups, _, world in tied():
        closed = {"Recall@": lambda k, x=groups: expected_recall(x, 3, whole(k))}
        yield {**world, "N_p": Fraction(3), "E[]": lambda body, own=closed: body(own)}


def of_first_group(closed: Any) -> Any:
    """The worlds of a mean that depends on the first group with a relevant item."""

    def worlds() -> Iterator[World]:
        for groups, k, world in tied():
            first = next((own for own in world["each T"] if own["r_T"]), None)
            if first is not None:
                yield {**world, **first, "E[]": mean_over(groups, of_list)}
                yield {**world, **first, "E[]": value(closed(groups, k))}

    return worlds


def parts() -> Iterator[World]:
    """The part of a tie group of more than one item in SP."""
    for _, _, world in tied():
        for own in world["each T"]:
            if len(own["T"]) > 1:
                q = Fraction(own["r_T"] - 1, len(own["T"]) - 1)
                yield {**world, **own, "H_": harmonic, "q": q}


def harmonic(j: Any) -> Fraction:
    return sum((Fraction(1, i) for i in range(1, whole(j) + 1)), Fraction(0))


def average_precisions() -> Iterator[World]:
    for (groups, k, world), N_p, norm in product(tied(), (0, 1, 3), ("R", "min", "k")):
        closed = {
            "AP@": lambda k, x=groups, N_p=N_p, norm=norm: expected_ap(x, N_p, whole(k), norm),
            "SP@": lambda k, x=groups: expected_sp(x, whole(k)),
        }
        Z = Fraction(normaliser(norm, N_p, k))
        yield {**world, "Z": Z, "E[]": lambda body, own=closed: body(own)}


def all_tied() -> Iterator[tuple[list[int], int, World]]:
    for (N_p, N_n), k in product([*COUNTS, (4, 1)], CUTOFFS):
        R, n = [1] * N_p + [0] * N_n, N_p + N_n
        yield R, k, {
            **of_list([]), "N_p": Fraction(N_p), "n": Fraction(n), "k": Fraction(k),
            "K": Fraction(min(k, n)), "H_": harmonic,
        }  # fmt: skip


def laws_of_sp() -> Iterator[World]:
    for R, k, world in all_tied():
        if 2 <= len(R) >= k:
            yield {**world, "value": expected_sp([R], k)}


def differences_of_sp() -> Iterator[World]:
    for R, k, world in all_tied():
        n, N_p = len(R), sum(R)
        if 2 <= n >= k:
            yield {**world, "value": expected_sp([R], k) - k * Fraction(N_p, n) ** 2}


def variances(closed: Any) -> Any:
    """The closed form of the reference, and the definition over all orders."""

    def worlds() -> Iterator[World]:
        for R, k, world in all_tied():
            N_p, n, K = sum(R), len(R), min(k, len(R))
            if not N_p:
                continue
            shares = [Fraction(1)]
            for a in range(n):
                shares.append(shares[-1] * Fraction(N_p - a, n - a))
            squares = sum((Fraction(1, i * i) for i in range(1, K + 1)), Fraction(0))
            E = mean_over([R], of_list)
            own = {"H": harmonic(K), "H^{(2)}": squares, "\\pi_": indexed(shares, 0), "E[]": E}
            yield {**world, **own, "Var[]": value(closed(N_p, n, k))}
            yield {**world, **own, "Var[]": variance_by(E)}

    return worlds


def variance_by(E: Any) -> Any:
    """The operator Var, by the means of a metric and of its square."""
    return lambda body: E(lambda own: body(own) ** 2) - E(body) ** 2


FORMULAS = [
    Formula("RS-PREC-1", indicators),
    Formula("RS-PREC-2", lists),
    Formula("RS-PREC-3", lists),
    Formula("RS-PREC-5", lists),
    Formula("RS-PREC-6", normalised),
    Formula("RS-PREC-7", normalised),
    Formula("RS-PREC-12", lists),
    Formula("RS-PREC-13", lists),
    Formula("RS-EXP-4", means(expected_hits)),
    Formula("RS-EXP-5", means(expected_precision)),
    Formula("RS-EXP-6", mean_recalls),
    Formula("RS-EXP-7", of_first_group(expected_rr)),
    Formula("RS-EXP-8", parts),
    Formula("RS-EXP-8/L1", parts, inline=(2,)),
    Formula("RS-EXP-9", means(expected_sp)),
    Formula("RS-EXP-9/L2", laws_of_sp, inline=(3,)),
    Formula("RS-EXP-9/L3", differences_of_sp, inline=(1,)),
    Formula("RS-EXP-10", average_precisions),
    Formula("RS-EXP-21", variances(variance_of_sp), defines=("A_1", "A_2", "A_3", "A_4")),
    Formula("RS-EXP-22", variances(variance_of_rr)),
    Formula("RS-EXP-25", of_first_group(expected_success)),
]
