"""How near the answers of a black box are to the numbers that its definition has."""

from __future__ import annotations

import math
from typing import NamedTuple

from ...errors import InputError
from ...reference.numbers.enclosure import Undecided
from ...reference.numerics import nearest_double_of
from .asked import Asked
from .definition import Definition, Resolved, resolved
from .inputs import Input
from .outcomes import VALUE

MOST = 60


class Accuracy(NamedTuple):
    """Answers against correctly rounded values.

    values: how many; exact: how many are equal; max_ulp: how far off one is, in units of the last
    place; of: its question
    """

    values: int
    exact: int
    max_ulp: float
    of: Input | None


def accuracy(asked: Asked, d: Definition) -> Accuracy | None:
    """The accuracy of answers that are doubles; None where they are rounded further."""
    if d.choices["output"] != "double" or d.choices["scale"] != "1" or d.core.outside:
        return None
    count = exact = 0
    worst, of = 0.0, None
    for x, answer in asked.known.items():
        if count == MOST:
            break
        plain = answer.kind == VALUE and all(label >= 0 for label in x.judged)
        true = _certified(d, x) if plain and asked.left([d], x, answer) else None
        if true is None or not math.isfinite(true):
            continue
        count += 1
        exact += answer.value == true
        off = abs(answer.value - true) / math.ulp(true)
        if off > worst:
            worst, of = off, x
    return Accuracy(count, exact, worst, of) if count else None


def _certified(d: Definition, x: Input) -> float | None:
    """The double nearest to the value of a definition; None where there is none."""
    found = resolved(d, x)
    if not isinstance(found, Resolved) or found.ties in ("some order", "random"):
        return None
    try:
        return nearest_double_of(lambda reals: d.core.value(found.ranking, found.k, reals))
    except (Undecided, ArithmeticError, ValueError, LookupError, TypeError, InputError):
        return None
