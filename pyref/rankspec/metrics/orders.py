"""Tied items whose orders are gone through, where the mean over them has no closed form."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import InputError, shown
from ..later import users
from ..typed import Any

MOST_ORDERS = 10_000


def check_orders(name: str, groups: Sequence[Sequence[Any]]) -> None:
    """An InputError where ties leave more orders open than are gone through. Spec: RS-EXP-49"""
    n = users.number_of_orders(groups)
    if n > MOST_ORDERS:
        raise InputError(
            f"ties: {name} has no closed form for tied items, whose labels have {shown(n)} orders "
            f"here, and at most {MOST_ORDERS} are gone through (RS-EXP-49); give a rule, "
            'ties="id-descending" say'
        )
