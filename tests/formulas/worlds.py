"""Small worlds: the lists, pools, gains and discounts of which formulas are evaluated.

Gains and weights are fractions that no formula makes equal by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from rankspec.reference.dcg import cg, dcg, idcg, ideal

from .evaluate import UndefinedError, World, whole

GAINS = [Fraction(x) for x in ("0", "2/3", "5/2", "7")]
DISCOUNTS = [Fraction(x) for x in ("1", "3/5", "1/2", "2/7", "1/11", "1/13", "1/17", "0")]
PRIOR = [Fraction(x) for x in ("5/3", "1", "7/9", "2/5", "1/7", "1/8", "1/19", "1/23")]
LISTS: list[tuple[list[int], list[int]]] = [
    ([], []),
    ([], [1]),
    ([0], [0, 0]),
    ([2], [2]),
    ([1, 3], [3, 1, 2]),
    ([2, 0, 3], [3, 2, 1, 0]),
    ([1, 0, 2, 3], [1, 0, 2, 3, 3]),
]
GROUPS: list[list[list[int]]] = [
    [],
    [[2]],
    [[0, 0]],
    [[1, 3]],
    [[2], [3, 0, 1]],
    [[1, 2, 0], [3, 1]],
    [[3, 0], [1], [2, 2]],
    [[1]],
]
UNSHOWN: list[list[int]] = [[2], [3, 0], [0], [], [2], [], [1], [0]]
"""The further items of the pool of each."""
CUTOFFS = (1, 2, 3, 6)


@dataclass(frozen=True)
class Formula:
    """A formula of the spec, and the worlds in which it is to be true.

    where: the entry or the law, or the page whose introduction has it
    display: which of the displays there
    inline: which formulas in the line, instead of a display
    prose: the names that formulas in the line define
    iff: the formula is true where, and only where, the world "holds"
    tight: each relation that admits equality is an equality in some world
    defines: the names that the formula itself introduces
    """

    where: str
    worlds: Callable[[], Iterator[dict[str, Any]]]
    display: int = 0
    inline: tuple[int, ...] = ()
    prose: tuple[str, ...] = ()
    iff: bool = False
    tight: bool = False
    defines: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        place = f"${'+'.join(map(str, self.inline))}" if self.inline else f"$${self.display}"
        return f"{self.where} {place}"


def indexed(items: Sequence[Any], first: int = 1) -> Callable[[Any], Any]:
    """Return the item at a rank, or at an index from `first`."""

    def at(i: Any) -> Any:
        j = whole(i) - first
        if not 0 <= j < len(items):
            raise UndefinedError(f"no item {i}")
        return items[j]

    return at


def gain(label: Any) -> Fraction:
    return GAINS[int(label)]


def discount(i: Any) -> Fraction:
    return DISCOUNTS[int(i) - 1]


def nothing(i: Any) -> Fraction:
    """A discount that is 0 everywhere."""
    return Fraction(0 * i)


def prior(i: Any) -> Fraction:
    return PRIOR[int(i) - 1]


def of_pool(J: Sequence[int], d: Any = discount) -> dict[str, Any]:
    """Return the names that the formulas have for a pool, a gain and a discount."""
    return {
        "J": tuple(J),
        "J_": indexed([order_statistic(J, i) for i in range(1, len(J) + 1)]),
        "g": indexed(GAINS, first=0),
        "d": indexed([d(i) for i in range(1, len(DISCOUNTS) + 1)]),
        "IDCG": idcg(J, len(J), gain, d),
        "IDCG@": lambda k: idcg(J, whole(k), gain, d),
        "ICG@": lambda k: cg(ideal(J), whole(k), gain),
    }


def order_statistic(J: Sequence[int], i: int) -> int:
    """The i-th greatest label: of which fewer than i are greater, and i or more not less."""
    return next(x for x in J if sum(y > x for y in J) < i <= sum(y >= x for y in J))


def of_list(r: Sequence[int], d: Any = discount) -> dict[str, Any]:
    """Return the names that the formulas have for a list."""
    return {
        "n": Fraction(len(r)),
        "r": indexed(r),
        "CG@": lambda k: cg(r, whole(k), gain),
        "DCG@": lambda k: dcg(r, whole(k), gain, d),
    }


def lists() -> Iterator[tuple[list[int], list[int], int, dict[str, Any]]]:
    """Lists with pools at cut-offs; one with a discount that is 0 everywhere."""
    for (r, J), k in product(LISTS, CUTOFFS):
        yield r, J, k, {**of_list(r), **of_pool(J), "k": Fraction(k)}


Groups = Sequence[Sequence[Any]]


def placed(groups: Groups, k: int) -> list[dict[str, Any]]:
    """Return the names that a sum over the tie groups binds: T, s, m and j."""
    bound, s = [], 0
    for T in groups:
        m = min(len(T), max(0, k - s))
        bound.append({"T": tuple(T), "s": Fraction(s), "m": Fraction(m)})
        s += len(T)
    return bound


def orders(groups: Groups) -> list[list[Any]]:
    """All orders of the groups, each as often as it is one."""
    return [
        [x for group in choice for x in group]
        for choice in product(*(permutations(group) for group in groups))
    ]


def mean_over(groups: Groups, bind: Callable[[list[Any]], World]) -> Callable[[Any], Any]:
    """The operator E: the mean of an expression over all orders, each of which binds names.

    Each order of equal items stands for as many orders, so that one of them is taken.
    """

    different = [list(order) for order in sorted(set(map(tuple, orders(groups))))]

    def mean(body: Callable[[World], Any]) -> Any:
        values = [body(bind(order)) for order in different]
        return sum(values, Fraction(0)) / len(different)

    return mean


def value(x: Any) -> Callable[..., Any]:
    """A function that has the one value of a world: E[...], by a closed form."""
    return lambda *_: x
