"""The values of a metric for what is given, one number or an array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from ..compute.backends import values
from ..compute.gain import Discount, Gain
from ..errors import InputError, items_of, shown
from ..metrics.grammar import metric
from ..metrics.measure import Measure, Metric, cutoff, make
from .inputs import Input
from .session_inputs import SessionInput

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

Cutoffs: TypeAlias = "int | Sequence[int | None] | None"
Values: TypeAlias = "float | Array"


def values_at(
    name: str, lists: Input | SessionInput, k: Cutoffs, backend: str, **parameters: Any
) -> Values:
    """The values of a metric at one or several cut-offs."""
    several = several_cutoffs(k)
    of = metric(name)
    given = items_of(k, f"k: {shown(k)} is no list of cut-offs") if several else [k]  # type: ignore[arg-type]
    cutoffs = [cutoff(k_j, of.cutoff) for k_j in given]
    parameters = lists.with_weights(parameters, cutoffs)
    measures = [measure_of(of, k_j, parameters) for k_j in cutoffs]
    columns = values(measures, lists.batch, backend)
    lists.check_pools([of], backend)
    if lists.single and not several:
        return float(columns[0][0])
    import numpy as np  # one ranking and one k need no arrays

    if not several:
        return np.frombuffer(columns[0])
    if not columns:
        return np.empty((0,) if lists.single else (len(lists.batch), 0))
    table = np.stack([np.frombuffer(column) for column in columns], axis=1)
    return table[0] if lists.single else table


def several_cutoffs(k: Any) -> bool:
    """Whether k is several cut-offs, in an order."""
    if isinstance(k, (str, bytes, bytearray, Mapping, Set)) or getattr(k, "ndim", 1) == 0:
        return False
    return isinstance(k, Iterable)


def either(k: Cutoffs, M: Cutoffs) -> Cutoffs:
    """The cut-offs, by either name."""
    if k is not None and M is not None:
        raise InputError("M: it is the cut-off, and so is k; give one of them")
    return k if M is None else M


def measure_of(metric: Metric, k: int | None, parameters: dict[str, Any]) -> Measure:
    if all(map(_is_plain, parameters.values())):
        return _known_measure(metric, k, **parameters)
    return make(metric, k, **parameters)


def _is_plain(x: Any) -> bool:
    """Whether x can be looked up: it says of itself truly what it is equal to, and is short."""
    if type(x) is tuple:
        return len(x) <= LONGEST_KEPT and all(type(y) in _PLAIN for y in x)
    return type(x) in _PLAIN


_PLAIN = frozenset((str, int, float, bool, type(None), Fraction, Gain, Discount))
LONGEST_KEPT = 256  # weights or gains of a measure that is remembered
_known_measure = lru_cache(maxsize=1024, typed=True)(make)
