"""Rows by column as the C core takes them: their ids, numbers, and the rows of each query."""

from __future__ import annotations

from math import isfinite

from ..compute.core import ffi, lib, numbers_in
from ..errors import InputError
from ..formats.columns import Columns, Ids
from ..formats.trec import MOST_RANK
from ..records import record
from ..typed import Any
from .conventions import Conventions, meaning

MOST_EXACT = 1 << 53  # whole numbers up to here are doubles


class IdColumn:
    """The ids of rows; their buffers live as long as this."""

    def __init__(self, ids: Ids) -> None:
        x = self.structure = ffi.new("rs_id_column *")
        self._keep = [text := numbers_in(ids.text), nothing := ffi.new("char[]", 1)]
        x.n, x.rows = ids.different, len(ids)
        x.text, x.size = text if len(text) else nothing, len(text)
        if ids.integers is not None:
            x.integers = self._held("int64_t[]", ids.integers)
            x.is_unsigned = ids.integers.dtype.kind == "u"
        elif ids.offsets.dtype.itemsize == 4:
            x.short_offsets = self._held("int32_t[]", ids.offsets)
        else:
            x.offsets = self._held("int64_t[]", ids.offsets)
        if ids.codes is not None:
            x.codes = self._held("int64_t[]", ids.codes)

    def _held(self, kind: str, buffer: Any) -> Any:
        self._keep.append(numbers_in(buffer, kind))
        return self._keep[-1]

    def size_of_text(self, columns: Columns) -> int:
        """How many bytes the ids of all rows have."""
        return check(lib.rs_bytes_of(self.structure), columns)


@record()
class Groups:
    """The rows of each query, whose ids are in the order of first mention."""

    structure: Any
    names: list[str]
    offsets: list[int]


def grouped(columns: Columns) -> Groups:
    """The rows by query."""
    x = ffi.gc(ffi.new("rs_groups *"), lib.rs_free_groups)
    check(lib.rs_group_rows(IdColumn(columns.queries).structure, x), columns)
    begins, lengths = x.ids.begin[0 : x.n], x.ids.length[0 : x.n]
    names = [
        bytes(ffi.buffer(x.ids.text + begin, length)).decode("utf-8", "surrogateescape")
        for begin, length in zip(begins, lengths, strict=True)
    ]
    return Groups(x, names, list(x.offsets[0 : x.n + 1]))


def check(result: int, columns: Columns) -> int:
    """What the core says, but for what is wrong with a column that was right before."""
    if result == lib.RS_NO_MEMORY:
        raise MemoryError
    if result == lib.RS_BAD_COLUMN:
        raise changed(columns)
    return int(result)


def changed(columns: Columns) -> InputError:
    """The error for columns in which somebody writes meanwhile."""
    return InputError(f"{columns.origin.source}: the columns changed while they were read")


def labels_as_counted(columns: Columns, conventions: Conventions) -> Any:
    """The labels, int64 or float64 (RS-CONV-39); None: some are neither."""
    import numpy as np

    labels, rule = columns.numbers, conventions.labels
    if columns.number != "label":
        return None
    if labels.dtype.kind == "u":
        return labels.view(np.int64) if not len(labels) or labels.max() < 1 << 63 else None
    counted = meaning("labels", rule)
    if labels.dtype.kind == "i" or counted is None:
        return labels
    distinct, position = np.unique(labels, return_inverse=True)
    of_distinct = [counted(x) if isfinite(x) else x for x in distinct.tolist()]
    return np.array(of_distinct, np.float64)[position]


def scores_as_doubles(columns: Columns, conventions: Conventions) -> Any:
    """Doubles in the same order as what orders the rows, the highest first; None: not by a number.

    Spec: RS-CONV-6, RS-CONV-12, RS-CONV-32. LookupError: the numbers are not what is asked for.
    """
    import numpy as np

    order = conventions.ordered_by
    if order is None:
        return None
    numbers = columns.numbers
    if columns.number != order:
        raise LookupError
    if numbers.dtype.kind != "f":
        exact = not len(numbers) or max(-int(numbers.min()), int(numbers.max())) <= MOST_EXACT
        if not exact and order == "score" and not conventions.rounds_scores:
            numbers = np.unique(numbers, return_inverse=True)[1]
        elif not exact and order == "rank":
            raise LookupError
        numbers = numbers.astype(np.float64)
    if order == "score":
        return numbers
    if not ((numbers == np.floor(numbers)) & (np.abs(numbers) <= MOST_RANK)).all():
        raise LookupError
    return 0.0 - numbers
