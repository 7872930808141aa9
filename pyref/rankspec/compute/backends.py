"""From a batch to values: by the C core, or by the reference."""

from __future__ import annotations

import sys
import warnings
from array import array
from collections.abc import Callable, Sequence
from functools import cache

from ..errors import MEANWHILE, CoreMissing, CoreMissingWarning, InputError, shown
from ..typed import Any
from .batch import Batch, SessionBatch
from .by_reference import relevance_by_reference, values_by_reference, vectors_by_reference
from .computable import Computable
from .gain import text_of

BACKENDS = ("auto", "c", "reference")


def answering(backend: str) -> str:
    """The backend that answers, "c" or "reference": by "auto" the core, where there is one."""
    if type(backend) is str and backend == "auto":
        return _found()
    name = text_of(backend)
    if name not in BACKENDS:
        raise no_backend(backend)
    return _found() if name == "auto" else name


@cache
def _found() -> str:
    """The core, or, with a warning, the reference: asked once a process."""
    try:
        from . import core  # noqa: F401
    except CoreMissing as missing:
        # Where warnings are errors this is one, each time: nothing is kept then.
        warnings.warn(
            f"the C core of rankspec cannot be loaded: {missing.__cause__}. {MEANWHILE}",
            CoreMissingWarning,
            stacklevel=depth_of_caller(),
        )
        return "reference"
    return "c"


def depth_of_caller() -> int:
    """How many frames above the caller of this the first is that is not of this package."""
    package = __name__.partition(".")[0]
    depth, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in (
        package,
        "functools",
    ):
        depth, frame = depth + 1, frame.f_back
    return depth


def values(
    measures: Sequence[Computable], batch: Batch, backend: str = "auto"
) -> list[array[float]]:
    """The value of each measure for each list, correctly rounded: one array a measure."""
    if answering(backend) == "reference":
        return values_by_reference(measures, batch)
    return _of_core()(measures, batch)


@cache
def _of_core() -> Callable[[Sequence[Computable], Batch], list[array[float]]]:
    """What has values by the compiled core, which only their computation needs."""
    from .by_core import values_by_core

    return values_by_core


def vectors(
    measure: Computable, batch: SessionBatch, backend: str = "auto"
) -> tuple[array[float], array[int]]:
    """The vectors of a measure of sessions, each component correctly rounded: flat, and offsets.

    A vector a session: that of sDCG, for avg_sDCG; of nsDCG, for avg_nsDCG; of the ideal session,
    for IsDCG. For query_sDCG a vector a query: sDCG(q), of its results as they are.
    """
    if answering(backend) == "reference":
        return vectors_by_reference(measure, batch)
    from .by_core import vectors_by_core

    return vectors_by_core(measure, batch)


def relevance(
    measure: Computable, scores: Any, offsets: Any, backend: str = "auto"
) -> array[float]:
    """The relevance of each score by a measure of scores, the double nearest to φ (RS-REL-9).

    scores, offsets: as the labels of a Batch; a list is its own pool
    """
    if answering(backend) == "reference":
        return relevance_by_reference(measure, scores, offsets)
    from .by_core import relevance_by_core

    return relevance_by_core(measure, scores, offsets)


def no_backend(name: Any) -> InputError:
    """The error for a backend that there is not."""
    text = text_of(name)
    given = shown(name) if text is None else f'"{text}"'
    return InputError(f'unknown backend {given}; there are "auto", "c" and "reference"')
