"""The formulas of the chapter on bounds, and those of precision that the papers of bounds have."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from rankspec.reference.bounds import (
    expected_dcg_of_eq7,
    expected_sp_of_karmaker,
    min_max,
    ratio,
    ul1,
    ul2,
    upper,
    worst,
)
from rankspec.reference.dcg import dcg, expected_dcg, idcg
from rankspec.reference.precision import expected_sp, sp

from .evaluate import whole
from .worlds import Formula, discount, gain, mean_over, of_pool

World = dict[str, Any]
POOLS = ([], [0], [2], [0, 0], [3, 1], [0, 3, 1], [2, 0, 2], [1, 0, 2, 3])
CUTOFFS = (1, 2, 3, 5)


def pools() -> Iterator[tuple[list[int], int, World]]:
    """DCG of the orders of a pool, between its bounds by the reference."""
    for J, k in product(POOLS, CUTOFFS):
        yield J, k, {
            **of_pool(J),
            "k": Fraction(k),
            "A": lambda order, k=k: dcg(order, k, gain, discount),
            "IUB": idcg(J, k, gain, discount),
            "RLB": expected_dcg([J], k, gain, discount),
            "WLB": dcg(worst(J), k, gain, discount),
        }  # fmt: skip


def introduction() -> Iterator[World]:
    for J, k, world in pools():
        if world["IUB"]:
            for order in permutations(J):
                A = dcg(order, k, gain, discount)
                rho = expected_dcg([J], k, gain, discount) / world["IUB"]
                yield {**world, "A": A, "U": upper(A, world["IUB"]), "\\rho": rho}


def bounds_of_pools() -> Iterator[World]:
    for _, _, world in pools():
        yield world


def mean_of_pools() -> Iterator[World]:
    for J, _, world in pools():
        if J:
            orders = [{"\\pi": indexed_order(order)} for order in permutations(range(len(J)))]
            yield {**world, "each \\pi": orders}


def indexed_order(order: tuple[int, ...]) -> Any:
    return lambda J: tuple(J[i] for i in order)


NUMBERS = [Fraction(x) for x in ("0", "1/3", "1/2", "2/3", "1", "7/5", "2")]


def numbers(*, beyond: bool = True) -> Iterator[World]:
    """A value between bounds, or beyond them, and what normalises by them."""
    for A, IUB, RLB in product(NUMBERS, NUMBERS, NUMBERS):
        if RLB > IUB or (A > IUB and not beyond) or (RLB == 0) != (IUB == 0):
            continue
        yield {
            "A": A, "IUB": IUB, "RLB": RLB, "LB": RLB,
            "U": upper(A, IUB), "UL1": ul1(A, IUB, RLB), "UL2": ul2(A, IUB, RLB),
            "MinMax": min_max(A, IUB, RLB), "Ratio": ratio(A, RLB),
            "\\rho": upper(RLB, IUB),
        }  # fmt: skip


def within() -> Iterator[World]:
    yield from numbers(beyond=False)


def within_positive() -> Iterator[World]:
    for world in within():
        if world["IUB"]:
            yield world


def of_two_numbers() -> Iterator[World]:
    for world in numbers(beyond=False):
        if 0 < world["\\rho"] < 1:
            yield world


def chance_by_ul2() -> Iterator[World]:
    for J, k, world in pools():
        RLB, IUB = world["RLB"], world["IUB"]
        if not 0 < RLB < IUB:
            continue

        def bind(order: list[int], k: int = k, RLB: Any = RLB, IUB: Any = IUB) -> World:
            A = dcg(order, k, gain, discount)
            return {"A": A, "UL2": ul2(A, IUB, RLB)}

        yield {"RLB": RLB, "IUB": IUB, "E[]": mean_over([J], bind)}


def dcg_by_the_paper() -> Iterator[World]:
    for J, k, world in pools():
        if J:
            bound = {"DCG@": lambda k, J=J: expected_dcg_of_eq7(J, whole(k), gain, discount)}
            yield {**world, "k": Fraction(k), "RLB[]": lambda body, bound=bound: body(bound)}


COUNTS = ((1, 0), (1, 1), (2, 1), (1, 3), (3, 2), (0, 2))


def sp_by_the_paper() -> Iterator[World]:
    for (N_p, N_n), k in product(COUNTS, CUTOFFS):
        lower = {"SP@": lambda k, N=(N_p, N_n): expected_sp_of_karmaker(*N, whole(k))}
        upper_bound = {"SP@": lambda k: sp([1] * whole(k), whole(k))}
        yield {
            "N_p": Fraction(N_p), "n": Fraction(N_p + N_n), "k": Fraction(k),
            "RLB[]": lambda body, bound=lower: body(bound),
            "IUB[]": lambda body, bound=upper_bound: body(bound),
        }  # fmt: skip


def exact_sp() -> Iterator[World]:
    for (N_p, N_n), k in product(COUNTS, range(1, 6)):
        n = N_p + N_n
        if n >= 2 and k <= n:
            yield {
                "N_p": Fraction(N_p), "n": Fraction(n), "k": Fraction(k),
                "E": expected_sp([[1] * N_p + [0] * N_n], k),
                "H_": lambda k: sum((Fraction(1, j) for j in range(1, whole(k) + 1)), Fraction(0)),
            }  # fmt: skip


def exact_sp_of_both() -> Iterator[World]:
    for world in exact_sp():
        if 0 < world["N_p"] < world["n"]:
            yield world


FORMULAS = [
    Formula("bounds.md", introduction, tight=True),
    Formula("RS-BND-1", bounds_of_pools),
    Formula("RS-BND-2", mean_of_pools),
    Formula("RS-BND-3", bounds_of_pools),
    Formula("RS-BND-4", numbers),
    Formula("RS-BND-4/L1", within, inline=(0,), tight=True),
    Formula("RS-BND-4/L5", of_two_numbers),
    Formula("RS-BND-5", numbers),
    Formula("RS-BND-5/L1", within_positive, inline=(0,), tight=True),
    Formula("RS-BND-6", numbers),
    Formula("RS-BND-6/L1", within, inline=(0,), tight=True),
    Formula("RS-BND-6/L8", chance_by_ul2),
    Formula("RS-BND-7", numbers),
    Formula("RS-BND-8", numbers),
    Formula("RS-BND-9", dcg_by_the_paper),
    Formula("RS-BND-10", sp_by_the_paper),
    Formula("RS-BND-10/L1", exact_sp),
    Formula("RS-BND-10/L3", exact_sp_of_both),
]
