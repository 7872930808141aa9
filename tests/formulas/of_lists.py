"""The formulas of the chapters on gains, cumulated gain and ties."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from rankspec.reference import gain as gains
from rankspec.reference.dcg import (
    cg,
    dcg,
    dcg_vector,
    expected_dcg,
    expected_ncg,
    expected_ndcg,
    idcg,
    ideal,
    ideal_cutoff,
    ncg,
    ndcg,
    variance_of_dcg,
)
from rankspec.reference.numbers.reals import RATIONALS
from rankspec.reference.precision import rr
from rankspec.reference.ties import expectation, variance, z_value
from rankspec.symbolic import SYMBOLS

from .evaluate import whole
from .worlds import (
    CUTOFFS,
    GROUPS,
    UNSHOWN,
    Formula,
    discount,
    gain,
    indexed,
    lists,
    mean_over,
    of_list,
    of_pool,
    orders,
    placed,
    value,
)

World = dict[str, Any]
BASES = (2, 4, 8, Fraction(9, 4))
RANKS = (1, 2, 3, 7)


def linear_gains() -> Iterator[World]:
    for r in (0, 1, Fraction(5, 2)):
        yield {"r": Fraction(r), "g": lambda x: gains.gain_linear(x, RATIONALS)}


def exponential_gains() -> Iterator[World]:
    for r in (0, 1, 3, Fraction(1, 2)):
        yield {"r": Fraction(r), "g": lambda x: gains.gain_exp2(x, SYMBOLS)}


def tables_of_gains() -> Iterator[World]:
    table = [Fraction(x) for x in (1, 3, 4)]
    for r in range(3):
        g = indexed([gains.gain_table(x, dict(enumerate(table)), RATIONALS) for x in range(3)], 0)
        yield {"r": Fraction(r), "g": g, "w_": indexed(table, 0)}


def propensities() -> Iterator[World]:
    """Powers that are rational, so that two ways to write them are seen to be equal."""
    powers = [
        (Fraction(A), B, N_l) for A, B, N_l in ((0, 1, 5), (1, 2, 0), (2, 1, 4), ("1/2", 3, 6))
    ]
    for N, (A, B, N_l) in product((3, 20), powers):
        weight = gains.inverse_propensity(N_l, N, A, B, SYMBOLS)
        numbers = {"N": Fraction(N), "A": A, "B": Fraction(B), "N_\\ell": Fraction(N_l)}
        yield {**numbers, "p_\\ell": 1 / weight}


def discounts(name: str) -> Any:
    """The worlds of a discount with a base."""
    of = getattr(gains, name)

    def worlds() -> Iterator[World]:
        for b, i in product(BASES, RANKS):
            yield {"b": Fraction(b), "i": Fraction(i), "d": lambda j, b=b: of(whole(j), b, SYMBOLS)}

    return worlds


def plain_discounts(name: str) -> Any:
    of = getattr(gains, name)

    def worlds() -> Iterator[World]:
        for i in RANKS:
            yield {"i": Fraction(i), "d": lambda j: of(whole(j), RATIONALS)}

    return worlds


def weights() -> Iterator[World]:
    w = [Fraction(x) for x in ("2", "2/3", "1/5")]
    for i in range(1, 4):
        d = indexed([gains.discount_custom(j, w, RATIONALS) for j in range(1, 4)])
        yield {"i": Fraction(i), "d": d, "w_": indexed(w)}


def cg_of_lists() -> Iterator[World]:
    for _, _, _, world in lists():
        yield world


def idcg_of_pools() -> Iterator[World]:
    for _, J, _, world in lists():
        yield {**world, "IDCG@": lambda k, J=J: idcg(J, whole(k), gain, discount)}


def vectors() -> Iterator[World]:
    for r, _, _, world in lists():
        yield {**world, "DCG": tuple(dcg_vector(r, gain, discount))}


def ideals() -> Iterator[World]:
    for _, J, _, world in lists():
        yield {**world, "J^*": tuple(ideal(J))}


def cut_ideals() -> Iterator[World]:
    for (r, J, k, world), cut in product(lists(), ("k", "all", "shown")):
        yield {**world, "for": cut, "K": ideal_cutoff(cut, J, k, len(r))}


def ndcg_of_lists() -> Iterator[World]:
    for (r, J, k, world), cut in product(lists(), ("k", "all", "shown")):
        yield {
            **world,
            "K": Fraction(ideal_cutoff(cut, J, k, len(r))),
            "nDCG@": lambda k, r=r, J=J, cut=cut: ndcg(r, J, whole(k), gain, discount, cut),
        }


def perfect_ndcg() -> Iterator[World]:
    for r, J, _, world in lists():
        yield {
            **world,
            "nDCG@": lambda k, r=r, J=J: ndcg(r, J, whole(k), gain, discount, "perfect"),
        }


def ncg_of_lists() -> Iterator[World]:
    for r, J, k, world in lists():
        if cg(ideal(J), k, gain):
            yield {**world, "nCG@": lambda k, r=r, J=J: ncg(r, J, whole(k), gain)}


def tied() -> Iterator[tuple[Any, int, World]]:
    for (groups, unshown), k in product(zip(GROUPS, UNSHOWN, strict=True), CUTOFFS):
        n = sum(map(len, groups))
        J = [x for group in groups for x in group] + unshown
        yield groups, k, {
            **of_pool(J), "k": Fraction(k), "n": Fraction(n), "each T": placed(groups, k)
        }  # fmt: skip


def expected_dcgs() -> Iterator[World]:
    """By the closed form, and by the mean over all orders."""
    for groups, k, world in tied():
        yield {**world, "E[]": value(expected_dcg(groups, k, gain, discount))}
        if len(groups) < 3:
            yield {**world, "E[]": mean_over(groups, of_list)}


def expected_ndcgs() -> Iterator[World]:
    for (groups, k, world), cut in product(tied(), ("k", "all", "shown")):
        J, n = list(world["J"]), whole(world["n"])
        K = Fraction(ideal_cutoff(cut, J, k, n))

        def bind(order: list[Any], J: list[Any] = J, cut: str = cut) -> World:
            of_order = lambda x: ndcg(order, J, whole(x), gain, discount, cut)  # noqa: E731
            return {**of_list(order), "nDCG@": of_order}

        yield {**world, "K": K, "E[]": mean_over(groups, bind)}


def closed_ndcgs() -> Iterator[World]:
    """E[nDCG@k] by its closed form, E[DCG@k] by its own."""
    for (groups, k, world), cut in product(tied(), ("k", "all", "shown")):
        J, n = list(world["J"]), whole(world["n"])
        K = Fraction(ideal_cutoff(cut, J, k, n))
        closed = {
            "nDCG@": lambda k, x=groups, J=J, cut=cut: expected_ndcg(
                x, J, whole(k), gain, discount, cut
            ),
            "DCG@": lambda k, x=groups: expected_dcg(x, whole(k), gain, discount),
        }
        yield {**world, "K": K, "E[]": lambda body, closed=closed: body(closed)}


def expected_ncgs() -> Iterator[World]:
    for groups, k, world in tied():
        J = list(world["J"])
        if not cg(ideal(J), k, gain):
            continue
        closed = {
            "nCG@": lambda k, x=groups, J=J: expected_ncg(x, J, whole(k), gain),
            "CG@": lambda k, x=groups: expected_dcg(x, whole(k), gain, lambda _: Fraction(1)),
        }
        yield {**world, "E[]": lambda body, closed=closed: body(closed)}


POOLS = ([2, 2], [0, 3], [1, 0, 2], [3, 0, 1, 1])


def variances() -> Iterator[World]:
    """By the closed form, and by the definition over all orders."""
    for J, k in product(POOLS, (1, 2, 3, 5)):
        mean = sum(map(gain, J)) / len(J)
        world = {
            **of_pool(J), "n": Fraction(len(J)), "k": Fraction(k), "\\bar g": mean,
            "each x": [{"x": x} for x in J],
        }  # fmt: skip
        yield {**world, "Var[]": value(variance_of_dcg(J, k, gain, discount))}
        E = mean_over([J], of_list)

        def by_definition(body: Any, E: Any = E) -> Any:
            return E(lambda own: body(own) ** 2) - E(body) ** 2

        yield {**world, "Var[]": by_definition}


# Ties


def metric(order: Any) -> Fraction:
    """A metric that depends on each place of a list."""
    return dcg(order, 3, gain, discount) + dcg(order[:1], 1, gain, discount) ** 2


def means_over_ties() -> Iterator[World]:
    for groups in GROUPS:
        yield {
            "t": Fraction(len(groups)),
            "T_": indexed([tuple(group) for group in groups]),
            "each \\pi": [{"\\pi": tuple(order)} for order in orders(groups)],
            "M": metric,
            "E[]": value(expectation(metric, groups)),
        }


def variances_of_any_metric() -> Iterator[World]:
    for J in POOLS:
        yield {
            "E[]": mean_over([J], lambda order: {"M": metric(order)}),
            "Var[]": value(variance(metric, J)),
        }


def z_values() -> Iterator[World]:
    for J in ([1, 0], [1, 0, 0], [1, 1], [1, 1, 0, 0]):
        R = lambda order: rr(order, len(order), RATIONALS)  # noqa: E731
        mean, spread = expectation(R, [J]), variance(R, J)
        for order in orders([J]):
            yield {
                "A": R(order),
                "RLB": mean,
                "Var[]": value(spread),
                "z": z_value(R(order), mean, spread, SYMBOLS),
            }


FORMULAS = [
    Formula("RS-GAIN-1", linear_gains),
    Formula("RS-GAIN-2", exponential_gains),
    Formula("RS-GAIN-3", tables_of_gains),
    Formula("RS-GAIN-4", propensities),
    Formula("RS-DISC-1", discounts("discount_log")),
    Formula("RS-DISC-2", discounts("discount_jarvelin_2008")),
    Formula("RS-DISC-3", discounts("discount_jarvelin_2002")),
    Formula("RS-DISC-4", plain_discounts("discount_zipf")),
    Formula("RS-DISC-5", weights),
    Formula("RS-DISC-6", plain_discounts("discount_none")),
    Formula("RS-DISC-7", discounts("discount_jiang_2016")),
    Formula("RS-DCG-1", cg_of_lists),
    Formula("RS-DCG-2", cg_of_lists),
    Formula("RS-DCG-3", vectors),
    Formula("RS-DCG-4", ideals),
    Formula("RS-DCG-5", idcg_of_pools),
    Formula("RS-DCG-6", ndcg_of_lists),
    Formula("RS-DCG-7", cut_ideals),
    Formula("RS-DCG-8", perfect_ndcg),
    Formula("RS-DCG-9", ncg_of_lists),
    Formula("RS-EXP-2", expected_dcgs),
    Formula("RS-EXP-3", closed_ndcgs),
    Formula("RS-EXP-3", expected_ndcgs),
    Formula("RS-EXP-80", expected_ncgs),
    Formula("RS-EXP-20", variances, prose=("K", r"\sigma^2")),
    Formula("RS-EXP-1", means_over_ties),
    Formula("RS-EXP-19", variances_of_any_metric),
    Formula("RS-EXP-23", z_values),
]
