"""Results as data frames: one row a query, one column a measure, of pandas, polars or Arrow.

Means are no rows: who averages a column would count them. Each library is imported when it is asked
for, and none is needed.
Spec: RS-CONV-47
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from inspect import signature
from io import BytesIO
from json import dumps
from math import nan
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

from ..errors import InputError, shown_text

EXTRA = "frames"


class Table(NamedTuple):
    """Columns of texts, of numbers and of whole numbers, by their names; None: there is none."""

    texts: Mapping[str, Sequence[str | None]]
    numbers: Mapping[str, Sequence[float | None]]
    counts: Mapping[str, Sequence[int]] = {}


def wide(unit: str, names: Sequence[str], by_measure: Mapping[str, Mapping[str, float]]) -> Table:
    """A row a query, a column a measure; unit: what the rows are of, a query or a session."""
    numbers = {m: [found.get(name) for name in names] for m, found in by_measure.items()}
    return Table({unit: names}, numbers)


def long(unit: str, names: Sequence[str], by_measure: Mapping[str, Mapping[str, float]]) -> Table:
    """A row a query and measure, measure by measure."""
    each = [(name, m, found.get(name)) for m, found in by_measure.items() for name in names]
    units, measures, values = zip(*each, strict=True) if each else ((), (), ())
    return Table({unit: units, "measure": measures}, {"value": values})


def of_runs(tables: Mapping[str, Table]) -> Table:
    """The tables of several runs below each other, and before them the column "run"."""
    run = [name for name, x in tables.items() for _ in next(iter(x.texts.values()))]
    heads = dict.fromkeys(column for x in tables.values() for column in x.texts)
    measures = dict.fromkeys(column for x in tables.values() for column in x.numbers)

    def below(column: str, columns: Mapping[str, Mapping[str, Sequence[Any]]]) -> list[Any]:
        return [
            cell
            for name, x in tables.items()
            for cell in columns[name].get(column, [None] * len(next(iter(x.texts.values()))))
        ]

    texts = {name: x.texts for name, x in tables.items()}
    numbers = {name: x.numbers for name, x in tables.items()}
    return Table(
        {"run": run} | {column: below(column, texts) for column in heads},
        {column: below(column, numbers) for column in measures},
    )


def to_pandas(table: Table) -> Any:
    """A pandas.DataFrame; a number that there is not is NaN."""
    pandas = library("pandas", "to_pandas")
    numpy = library("numpy", "to_pandas")
    columns = {
        name: pandas.Series(list(texts), dtype=None if _all_unicode(texts) and texts else object)
        for name, texts in table.texts.items()
    }
    columns |= {
        name: numpy.array([nan if x is None else x for x in numbers], dtype=numpy.float64)
        for name, numbers in table.numbers.items()
    }
    columns |= {name: numpy.array(x, dtype=numpy.int64) for name, x in table.counts.items()}
    return pandas.DataFrame(columns)


def to_polars(table: Table) -> Any:
    """A polars.DataFrame; a number that there is not is null."""
    polars = library("polars", "to_polars")
    check_unicode(table, "polars")
    columns = {**table.texts, **table.numbers, **table.counts}
    schema = dict.fromkeys(table.texts, polars.String)
    schema |= dict.fromkeys(table.numbers, polars.Float64)
    schema |= dict.fromkeys(table.counts, polars.Int64)
    return polars.DataFrame({name: list(x) for name, x in columns.items()}, schema=schema)


def to_arrow(table: Table) -> Any:
    """A pyarrow.Table; a number that there is not is null."""
    arrow = library("pyarrow", "to_arrow")
    check_unicode(table, "Arrow")
    columns = {name: arrow.array(x, type=arrow.string()) for name, x in table.texts.items()}
    columns |= {name: arrow.array(x, type=arrow.float64()) for name, x in table.numbers.items()}
    columns |= {name: arrow.array(x, type=arrow.int64()) for name, x in table.counts.items()}
    return arrow.table(columns)


def parquet_of(table: Table, said: Mapping[str, Any]) -> bytes:
    """A Parquet file; said: plain data that its metadata have, as JSON, under "rankspec".

    pyarrow writes it, or where it is not installed polars.
    """
    try:
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        return _parquet_by_polars(table, said)
    made = to_arrow(table).replace_schema_metadata({"rankspec": dumps(said)})
    sink = arrow.BufferOutputStream()
    parquet.write_table(made, sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _parquet_by_polars(table: Table, said: Mapping[str, Any]) -> bytes:
    try:
        polars: Any = import_module("polars")
    except ImportError:
        raise InputError(
            "parquet: writing it needs pyarrow or polars, and neither is installed: pip install "
            f'"rankspec[{EXTRA}]"'
        ) from None
    takes = signature(polars.DataFrame.write_parquet).parameters
    if "metadata" not in takes:
        raise InputError(
            f"parquet: polars {polars.__version__} cannot write metadata; pip install pyarrow, "
            "or a later polars"
        )
    sink = BytesIO()
    with catch_warnings():
        simplefilter("ignore")  # polars calls its metadata experimental
        to_polars(table).write_parquet(sink, metadata={"rankspec": dumps(said)})
    return sink.getvalue()


def library(name: str, what: str) -> Any:
    """The library of that name, or an InputError that says how to get it; what: who needs it."""
    try:
        return import_module(name)
    except ImportError:
        raise InputError(
            f'{what}: it needs {name}, which is not installed: pip install "rankspec[{EXTRA}]"'
        ) from None


def check_unicode(table: Table, of: str) -> None:
    """An InputError where an id has bytes that are no UTF-8, which that library cannot hold."""
    for column, texts in table.texts.items():
        if not _all_unicode(texts):
            bad = next(text for text in texts if text is not None and not _all_unicode([text]))
            raise InputError(
                f"{of}: the {column} {shown_text(bad)} is not valid UTF-8, which {of} requires; "
                "to_pandas() and the formats csv and tsv keep its bytes (RS-CONV-47)"
            )


def _all_unicode(texts: Sequence[str | None]) -> bool:
    try:
        "".join(filter(None, texts)).encode()
    except UnicodeEncodeError:
        return False
    return True
