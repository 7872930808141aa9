"""From a batch of rankings to values: by the C core, or by the reference.

A :class:`Batch` holds ragged lists as flat buffers and offsets, as the C core reads them:
anything with the buffer protocol serves (``array.array``, ``memoryview``, a numpy array), so
that nothing here needs numpy.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import InputError
from .measure import Measure, Ranking, value
from .reference.numerics import nearest_double_of

BACKENDS = ("c", "reference")


@dataclass(frozen=True)
class Batch:
    """Lists of labels in rank order, list a at labels[offsets[a]:offsets[a + 1]].

    labels: a flat buffer of integers or floats
    offsets: int64, one more than there are lists, from 0 to len(labels), not falling
    starts: uint8 as long as labels, 1 where a tie group begins; None: the order is settled
    pool, pool_offsets: the labels of the judged items of each list; None: the list's own
    """

    labels: Any
    offsets: Any
    starts: Any = None
    pool: Any = None
    pool_offsets: Any = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def ranking(self, a: int) -> Ranking:
        """List a, as the reference takes it."""
        begin, end = int(self.offsets[a]), int(self.offsets[a + 1])
        labels = self.labels[begin:end].tolist()
        if self.starts is None:
            groups = [[label] for label in labels]
        else:
            groups = []
            for label, start in zip(labels, self.starts[begin:end], strict=True):
                if start or not groups:
                    groups.append([])
                groups[-1].append(label)
        if self.pool is None:
            return Ranking(groups, labels)
        pool = self.pool[int(self.pool_offsets[a]) : int(self.pool_offsets[a + 1])]
        return Ranking(groups, pool.tolist())


def values(
    measures: Sequence[Measure], batch: Batch, backend: str = "c"
) -> list[array[float]]:
    """The value of each measure for each list, correctly rounded: one array a measure."""
    if backend not in BACKENDS:
        raise InputError(f'backend: "{backend}" is none; there are "c" and "reference"')
    if backend == "reference":
        check_labels(measures, batch)
        return [array("d", (by_reference(m, batch, a) for a in range(len(batch)))) for m in measures]
    from .native import values_by_core

    return values_by_core(measures, batch)


def by_reference(measure: Measure, batch: Batch, a: int) -> float:
    """The value of list a, correctly rounded, by the certified reference (RS-NUM-3)."""
    ranking = batch.ranking(a)
    return nearest_double_of(lambda reals: value(measure, ranking, reals))


def check_labels(measures: Sequence[Measure], batch: Batch) -> None:
    """An InputError that names the first label that a measure cannot take."""
    for measure in measures:
        for buffer, offsets, what in (
            (batch.labels, batch.offsets, "labels"),
            (batch.pool, batch.pool_offsets, "judged"),
        ):
            if buffer is None:
                continue
            for position, label in enumerate(buffer.tolist()):
                refusal = refusal_of(measure, label)
                if refusal:
                    raise InputError(refused(what, position, offsets, label, refusal))


def refusal_of(measure: Measure, label: float) -> str | None:
    """Why a measure cannot take a label; None where it can."""
    if measure.metric.binary:
        return None if label == label and abs(label) != float("inf") else "a label must be finite"
    return measure.gain.refusal(label)


def refused(what: str, position: int, offsets: Any, label: float, why: str) -> str:
    """The message for a label that cannot be taken: where it is, and why."""
    place = f"position {position}"
    if len(offsets) > 2:
        a = next(a for a in range(len(offsets) - 1) if position < offsets[a + 1])
        place = f"list {a}, position {position - int(offsets[a])}"
    return f"{what}: {label!r} at {place}: {why}"
