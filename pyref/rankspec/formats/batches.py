"""Whole queries out of a stream of Arrow batches in which the rows of each query stand together.

What is held is a block of rows, or the largest query. Needs pyarrow, of which the batches are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

BLOCK = 1 << 18  # rows; whole queries are collected until there are so many


def whole_queries(batches: Iterable[Any], query: str, rows: int = BLOCK) -> Iterator[Any]:
    """Tables of at least so many rows, but for the last, of which none cuts a query.

    query: the name of the column that says whose a row is
    """
    import pyarrow as arrow

    held: list[Any] = []  # whole queries, and the begin of one more
    tail: list[Any] = []  # the begin of that one
    size = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        column = batch.column(query)
        cut = _begin_of_last(column)
        if not cut and tail and _differ(tail[-1].column(query), column):
            held, tail = held + tail, []
            if size >= rows:
                yield arrow.Table.from_batches(held)
                held, size = [], 0
        elif cut:
            held, tail = [*held, *tail, batch.slice(0, cut)], []
            size += cut
            if size >= rows:
                yield arrow.Table.from_batches(held)
                held, size = [], 0
            batch = batch.slice(cut)  # noqa: PLW2901
        tail.append(batch)
        size += batch.num_rows
    if held or tail:
        yield arrow.Table.from_batches(held + tail)


def _begin_of_last(column: Any) -> int:
    """Where the rows of the last query begin; a null is one, too, which the reader refuses."""
    from pyarrow import compute

    last = column[len(column) - 1]
    if last.is_valid:
        differs = compute.fill_null(compute.not_equal(column, last), True)
    else:
        differs = column.is_valid()
    found = np.flatnonzero(differs.to_numpy(zero_copy_only=False))
    return int(found[-1]) + 1 if len(found) else 0


def _differ(before: Any, after: Any) -> bool:
    return bool(before[len(before) - 1].as_py() != after[0].as_py())
