"""The values of a metric for what is given, one number or an array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from ..compute.backends import values
from ..metrics.grammar import metric
from ..metrics.measure import Measure, Metric, make
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
    cutoffs: list[Any] = list(k) if several else [k]  # type: ignore[arg-type]
    parameters = lists.with_weights(parameters, cutoffs)
    measures = [measure_of(metric(name), k_j, parameters) for k_j in cutoffs]
    columns = values(measures, lists.batch, backend)
    lists.check_pools([metric(name)], backend)
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


def measure_of(metric: Metric, k: int | None, parameters: dict[str, Any]) -> Measure:
    if any(isinstance(x, tuple) and len(x) > LONGEST_KEPT for x in parameters.values()):
        return make(metric, k, **parameters)
    try:
        return _known_measure(metric, k, **parameters)
    except TypeError:  # a gain table or weights as a list cannot be looked up
        return make(metric, k, **parameters)


LONGEST_KEPT = 256  # weights or gains of a measure that is remembered
_known_measure = lru_cache(maxsize=1024, typed=True)(make)
