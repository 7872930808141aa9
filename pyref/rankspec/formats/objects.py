"""Qrels and runs as the objects of other libraries that are neither dicts nor rows. RS-CONV-46.

They are told by their class; no library is imported that is not loaded already.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ..errors import InputError
from ..typed import Any

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
    held = {query: own for query, own in getattr(source, attribute).items()}  # noqa: C416
    if sum(map(len, held.values())) < COMPILED_FROM:
        return {query: dict(own.items()) for query, own in held.items()}
    columns = _compiled()
    found = {}
    for query, own in held.items():
        documents, numbers = columns(own)
        found[query] = dict(zip(documents, numbers, strict=True))
    return found


COMPILED_FROM = 1 << 17
"""How many documents take longer, one by one, than numba takes to compile what reads them."""


@lru_cache(maxsize=1)
def _compiled() -> Callable[[Any], tuple[list[str], list[Any]]]:
    """What reads a dict of numba at once, as ranx has them: whoever has ranx has numba."""
    import numba

    def columns(held: Any) -> tuple[list[Any], list[Any]]:
        documents = [x for x in held.keys()]  # noqa: C416, SIM118 - numba knows no other words
        numbers = [x for x in held.values()]  # noqa: C416
        return documents, numbers

    return numba.njit(columns)  # type: ignore[no-any-return]


def _name_in_ranx(x: Any) -> str | None:
    """The name of the class in ranx that an object is of; None: it is of none."""
    known = {wanted for wanted, _ in _RANX.values()}
    for c in type(x).__mro__:
        if c.__name__ in known and c.__module__.split(".")[0] == "ranx":
            return c.__name__
    return None
