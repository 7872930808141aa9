"""Data frames as columns: of pandas, polars, pyarrow, DuckDB and whatever speaks Arrow or narwhals.

What gives ``__arrow_c_stream__`` is read by it (``arrow``), with no library but its own. A frame of
pandas is read by its own arrays, which needs nothing but pandas. Some others go through narwhals,
where that is installed. None of these libraries is imported before somebody has made a frame.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module

from ..compute.gain import text_of, whole
from ..errors import CoreMissing, InputError, shown, shown_text
from ..typed import TYPE_CHECKING, Any
from . import trec
from .column_names import Wanted
from .columns import Columns, Ids, Origin, absent, in_column, numbers_of, unreadable

BY_NARWHALS = ("cudf", "dask", "ibis", "modin", "pyspark", "sqlframe")
"""The packages whose frames narwhals turns into ones that are read here."""

if TYPE_CHECKING:
    from .arrow import Column

Rows = list[tuple[str, str, Any]]


def is_frame(source: Any) -> bool:
    """Whether a value is a data frame that is read here by column."""
    return (
        hasattr(type(source), "__arrow_c_stream__")
        or _is_of("pandas", "DataFrame", source)
        or _is_of("polars", "LazyFrame", source)
        or _is_of_narwhals(source)
        or _package(source) in BY_NARWHALS
    )


def is_of_columns(x: Any) -> bool:
    """Whether x has columns, which its class says too: a lazy frame would compute them."""
    return hasattr(type(x), "columns") or hasattr(x, "columns")


def columns_of_arrow(table: Any, wanted: Wanted, origin: Origin) -> Columns:
    """The columns that are wanted of what gives an Arrow stream; origin: where its rows are."""
    with reading(table, wanted.table):
        return _of_arrow(table, wanted, origin)


def columns_of(frame: Any, wanted: Wanted) -> Columns | Rows:
    """The columns that are wanted; or rows, where numbers are Python objects of several types."""
    with reading(frame, wanted.table):
        return _columns_of(frame, wanted)


@contextmanager
def reading(frame: Any, table: str) -> Iterator[None]:
    """Makes an InputError of what the library of a frame raises while it is read.

    Frames that are lazy compute only then. table: "qrels", "run" or the name of a file
    """
    try:
        yield
    except (InputError, CoreMissing, MemoryError):
        raise
    except Exception as error:
        kind, why = type(frame).__name__, " ".join(str(error).split())[:200]
        raise InputError(
            f"{table}: the {kind} of {_package(frame).strip('_')} cannot be read: "
            f"{type(error).__name__}: {why} (RS-CONV-42)"
        ) from error


def computed(frame: Any) -> Any:
    """A frame whose columns can be had by their names, of one that may be lazy."""
    if _is_of("polars", "LazyFrame", frame):
        return frame.collect()
    return frame.to_arrow_table() if _is_of_duckdb(frame) else frame


def _columns_of(frame: Any, wanted: Wanted) -> Columns | Rows:
    if _is_of_narwhals(frame):
        return _columns_of(frame.to_native(), wanted)
    if _is_of("polars", "LazyFrame", frame):
        names = wanted.among(frame.collect_schema().names(), wanted.table)
        return _columns_of(frame.select(list(dict.fromkeys(names.values()))).collect(), wanted)
    if _is_of("pandas", "DataFrame", frame):
        return _of_pandas(frame, wanted)
    if hasattr(type(frame), "__arrow_c_stream__"):
        return _of_arrow(frame, wanted)
    return _columns_of(_by_narwhals(frame), wanted)


def _is_of(module: str, name: str, x: Any) -> bool:
    """Whether x is of a class of a module that is loaded."""
    kind = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and isinstance(x, kind)


def _is_of_narwhals(x: Any) -> bool:
    return _package(x) == "narwhals" and hasattr(x, "to_native")


def _is_of_duckdb(x: Any) -> bool:
    return _package(x) in ("duckdb", "_duckdb")


def _package(x: Any) -> str:
    return type(x).__module__.partition(".")[0]


def _by_narwhals(frame: Any) -> Any:
    """A frame of pandas or Arrow with the same columns."""
    try:
        narwhals = import_module("narwhals")
    except ImportError:
        raise InputError(
            f"narwhals reads data frames of {_package(frame)}, and it is not installed: pip "
            "install narwhals; or give the result of to_pandas()"
        ) from None
    try:
        known = narwhals.from_native(frame)
    except TypeError:
        raise InputError(
            f"unsupported data frame {type(frame).__name__} of {_package(frame)}"
        ) from None
    if isinstance(known, narwhals.LazyFrame):
        known = known.collect()
    native = known.to_native()
    return known.to_pandas() if _package(native) in BY_NARWHALS else native


# ---- Arrow -------------------------------------------------------------------------------


def _of_arrow(frame: Any, wanted: Wanted, origin: Origin | None = None) -> Columns:
    from .arrow import Table

    origin = origin or Origin(wanted.table)
    if _is_of_duckdb(frame):  # which computes what is asked for
        names = wanted.among(frame.columns, origin.source)
        frame = frame.select(*(quoted_for_sql(name) for name in dict.fromkeys(names.values())))
    elif _is_of("polars", "DataFrame", frame):  # some columns of others cannot be handed over
        names = wanted.among(frame.columns, origin.source)
        frame = frame.select(list(dict.fromkeys(names.values())))
    table = Table(frame, origin.source)
    names = wanted.among(table.names, origin.source)
    queries, documents = (
        table.column(names[role]).ids(f"{role} id", origin, names[role])
        for role in ("query", "document")
    )
    number = wanted.number
    if number is None:
        return Columns(queries, documents, None, origin=origin)
    numbers = table.column(names[number]).numbers(number, origin, names[number])
    return Columns(queries, documents, numbers, number, origin, names[number])


def quoted_for_sql(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


# ---- pandas ------------------------------------------------------------------------------


def _of_pandas(frame: Any, wanted: Wanted) -> Columns | Rows:
    origin = Origin(wanted.table)
    names = wanted.among(list(frame.columns), origin.source)
    by_role = {role: frame[name] for role, name in names.items()}
    queries, documents = (
        _ids_of_series(by_role[role], f"{role} id", origin, str(names[role]))
        for role in ("query", "document")
    )
    number = wanted.number
    if number is None:
        return Columns(queries, documents, None, origin=origin)
    name = str(names[number])
    numbers = _numbers_of_series(by_role[number], number, origin, name)
    if isinstance(numbers, list):
        return list(zip(queries.texts(), documents.texts(), numbers, strict=True))
    return Columns(queries, documents, numbers, number, origin, name)


def _check_present(series: Any, what: str, origin: Origin, name: str) -> None:
    missing = series.isna().to_numpy()
    if missing.any():
        raise absent(what, origin, int(missing.argmax()), name)


def _by_arrow(series: Any) -> Column | None:
    """The column of an Arrow stream that a series is; None: it is kept otherwise."""
    dtype = series.dtype
    if type(dtype).__name__ != "ArrowDtype" and getattr(dtype, "storage", None) != "pyarrow":
        return None
    from .arrow import Table

    return Table(series.array.__arrow_array__(), "a column of pandas").column(None)


def _ids_of_series(series: Any, what: str, origin: Origin, name: str) -> Ids:
    import numpy as np

    if not len(series):  # of whatever type: pandas makes floats or objects of no values
        return Ids.of_texts([], name=name)
    _check_present(series, what, origin, name)
    dtype = series.dtype
    if type(dtype).__name__ == "CategoricalDtype":
        values = _ids_of_series(dtype.categories.to_series(), what, origin, name)
        codes = np.ascontiguousarray(series.cat.codes.to_numpy(), dtype=np.int64)
        return Ids(values.text, values.offsets, values.integers, codes, name)
    if (column := _by_arrow(series)) is not None:
        return column.ids(what, origin, name)
    if dtype.kind in "iu":
        plain = series.to_numpy(dtype=getattr(dtype, "numpy_dtype", dtype))
        return Ids(integers=numbers_of(plain, what, origin, name), name=name)
    if dtype.name in ("object", "string", "str"):
        return _ids_of_objects(series.tolist(), what, origin, name)
    fix = "; cast it to text"
    if dtype.kind == "f":
        fix = '; integers become floats where some are missing: .astype("int64")'
    raise unreadable(name, what, str(dtype), origin, fix)


def _ids_of_objects(values: list[Any], what: str, origin: Origin, name: str) -> Ids:
    """Ids of texts, and of whole numbers by their digits. RS-CONV-41"""
    if set(map(type, values)) != {str}:
        values = [_text_of(x, what, origin.row(a), name) for a, x in enumerate(values)]
    with suppress(UnicodeError):
        return Ids.of_texts(values, name=name)
    for a, x in enumerate(values):
        with suppress(UnicodeError):
            if trec.id_of(trec.id_bytes(x)) == x:
                continue
        raise InputError(
            f"{origin.row(a)}: the {what}{in_column(name)}, {x!a}, has no unique encoding in UTF-8"
        )
    raise AssertionError("some id has no bytes of its own")


def _text_of(x: Any, what: str, where: str, name: str) -> str:
    if (text := text_of(x)) is not None:
        return text
    if (number := whole(x)) is not None:
        return str(number)
    raise InputError(
        f"{where}: the {what}{in_column(name)} is {shown_text(shown(x))}, of type "
        f"{type(x).__name__}; ids are text or integers (RS-CONV-41)"
    )


def _numbers_of_series(series: Any, what: str, origin: Origin, name: str) -> Any:
    """An array of integers or floats, or a list of what nobody knows."""
    if not len(series):
        return _numbers_of_objects([])
    _check_missing_number(series, what, origin, name)
    dtype = series.dtype
    if type(dtype).__name__ == "CategoricalDtype":
        series = series.astype(dtype.categories.dtype)
        dtype = series.dtype
    if (column := _by_arrow(series)) is not None:
        return column.numbers(what, origin, name)
    if dtype.name == "object":
        return _numbers_of_objects(series.tolist())
    if dtype.kind in "biuf":
        plain = series.to_numpy(dtype=getattr(dtype, "numpy_dtype", None))
        return numbers_of(plain, what, origin, name)
    raise unreadable(name, what, str(dtype), origin)


def _check_missing_number(series: Any, what: str, origin: Origin, name: str) -> None:
    """A NaN of a plain array of floats is one, and not nothing."""
    if getattr(series.dtype, "numpy_dtype", None) is not None or series.dtype.kind != "f":
        _check_present(series, what, origin, name)


def _numbers_of_objects(values: list[Any]) -> Any:
    """Numbers of Python as an array, where that holds them exactly."""
    import numpy as np

    if set(map(type, values)) <= {int, bool}:
        with suppress(OverflowError):
            return np.array(values, dtype=np.int64)
    if set(map(type, values)) == {float}:
        return np.array(values, dtype=np.float64)
    return values
