"""Qrels and runs as the objects of other libraries that are neither dicts nor rows. RS-CONV-46.

They are told by their class; no library is imported that is not loaded already.
"""

from __future__ import annotations

from typing import Any

from ..errors import InputError

_RANX = {"qrels": ("Qrels", "qrels"), "run": ("Run", "run")}
"""{"qrels" or "run": its class in ranx, and the attribute that holds it}."""


def unwrapped(source: Any, what: str) -> Any:
    """What an object of ranx holds, as a dict in its order; anything else as it is.

    what: "qrels" or "run"
    """
    name = _name_in_ranx(source)
    if name is None:
        return source
    wanted, attribute = _RANX[what]
    if name != wanted:
        raise InputError(
            f"{what}: a {name} of ranx; expected its {wanted}. The qrels come first, "
            "rs.evaluate(qrels, run, measures) (RS-CONV-46)"
        )
    return {query: dict(own.items()) for query, own in getattr(source, attribute).items()}


def _name_in_ranx(x: Any) -> str | None:
    """The name of the class in ranx that an object is of; None: it is of none."""
    known = {wanted for wanted, _ in _RANX.values()}
    for c in type(x).__mro__:
        if c.__name__ in known and c.__module__.split(".")[0] == "ranx":
            return c.__name__
    return None
