"""Tied items whose orders are gone through, where the mean over them has no closed form."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import NoValue, shown
from ..later import users
from ..typed import Any

MOST_ORDERS = 10_000
MOST_RANKS = 400_000  # of all orders together, which take some 10 s at most
MOST_SHARED_RANKS = 4_000_000  # where orders are cheap, as they share what they have in common


def open_groups(
    name: str, groups: Sequence[Sequence[Any]], k: int, most: int = MOST_RANKS
) -> list[Sequence[Any]]:
    """The groups, of which one that begins below the cut-off is taken apart: the value is the same
    in all of its orders. A NoValue where they leave more orders open than are gone through, or
    these have more ranks up to the cut-off than `most`.

    Spec: RS-EXP-49
    """
    found: list[Sequence[Any]] = []
    s = 0
    for group in groups:
        found += [group] if s < k else [[x] for x in group]
        s += len(group)
    n = users.number_of_orders(found)
    if n > MOST_ORDERS:
        raise NoValue.of_ties(
            f"{name} has no closed form for tied items; their labels have {shown(n)} orders "
            f"here, more than the {MOST_ORDERS} that can be enumerated (RS-EXP-49)"
        )
    ranks = users.number_of_beginnings(found, k) * min(s, k)
    if ranks > most:
        raise NoValue.of_ties(
            f"{name} has no closed form for tied items; the orders of their labels up to the "
            f"cut-off have {shown(ranks)} ranks here, more than the {most} that can be gone "
            "through (RS-EXP-49)"
        )
    return found
