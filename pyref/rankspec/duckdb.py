"""Evaluate runs in DuckDB where they are: block by block, or by SQL functions.

    from rankspec import duckdb as engine
    engine.evaluate(con.sql("from qrels"), con.sql("from 'runs/*.parquet'"), ["nDCG@10", "AP"])

    engine.register(con)
    con.sql("select query_id, rankspec('nDCG@10', list(relevance order by score desc), pool) ...")

``evaluate`` reads a relation as DuckDB computes it, in blocks of whole queries. As with a TREC
file, memory grows with the judgments and the largest query, not with the run. If the rows of a
query are not adjacent, DuckDB sorts them, using its own temporary files if memory is short.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .api.means import PartialMean
from .compute.gain import DiscountLike, GainLike
from .errors import InputError, shown_given
from .evaluation.data_frames import library
from .evaluation.evaluate import evaluate_as, judged_by, prepared, warn_of
from .evaluation.measures import MeasuresLike
from .evaluation.plans import asked
from .evaluation.result import Evaluation
from .formats.arrow import Table
from .formats.batches import BLOCK, whole_queries
from .formats.column_names import ColumnNames, check_columns, wanted
from .formats.columns import ColumnBlocks, Columns, Origin
from .formats.data_frames import columns_of_arrow, quoted_for_sql, reading
from .formats.frames import Label, QrelsLike, by_column
from .metrics.grammar import measures as measures_named
from .metrics.measure import Measure
from .reference.numbers.reals import Exact

if TYPE_CHECKING:
    from .formats.column_names import Wanted

SPEC = "RS-CONV-54"
BATCH = 1 << 16  # rows that DuckDB hands over at a time
POSITION = "position of the row"


# ---- relations ---------------------------------------------------------------------------


def evaluate(
    qrels: QrelsLike,
    run: Any,
    measures: MeasuresLike,
    *,
    profile: str | None = None,
    order: str | None = None,
    ties: str | None = None,
    scores: str | None = None,
    unjudged: str | None = None,
    labels: str | None = None,
    negative: str | None = None,
    relevance: str | None = None,
    undefined: str | None = None,
    results: str | None = None,
    queries: str | None = None,
    duplicates: str | None = None,
    depth: int | None = None,
    pool: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
    grades: Mapping[Label, Label] | None = None,
    columns: ColumnNames | None = None,
    backend: str = "auto",
) -> Evaluation:
    """Evaluate a run that is a relation of DuckDB, which may be larger than memory.

    qrels: a relation, or whatever rs.evaluate() takes
    run: a relation, such as con.sql("from 'runs/*.parquet'"); it is read in its order; if the rows
        of a query are not adjacent, it is read a second time, sorted by DuckDB
    columns: column names other than the usual ones (RS-CONV-43)

    All other arguments, and the values, means and warnings, are those of rs.evaluate().
    Spec: RS-CONV-54.
    """
    of = asked(
        profile,
        {
            "order": order,
            "ties": ties,
            "scores": scores,
            "unjudged": unjudged,
            "labels": labels,
            "negative": negative,
            "relevance": relevance,
            "undefined": undefined,
            "results": results,
            "queries": queries,
            "duplicates": duplicates,
            "depth": depth,
            "pool": pool,
            "gain": gain,
            "discount": discount,
            "rel": rel,
        },
    )
    plan = of.plan(measures)
    _check_relation(run)
    check_columns(columns)
    number = of.conventions.ordered_by
    read = _Read(run, wanted(columns, "run", number))
    meant, how = judged_by(by_column(qrels, "qrels", columns=columns), of.conventions, None, grades)
    judged = prepared(meant, of.conventions, backend)
    rows = ColumnBlocks(read.in_order, lambda: ColumnBlocks(read.sorted))
    found = evaluate_as(plan, judged, rows, backend, None, how)
    warn_of([found])
    return found


def _check_relation(run: Any) -> None:
    engine = library("duckdb", "rankspec.duckdb")
    library("pyarrow", "rankspec.duckdb")
    if not isinstance(run, engine.DuckDBPyRelation):
        raise InputError(
            f"run: expected a relation of DuckDB, as from con.sql(), got {shown_given(run)}; "
            f"rs.evaluate() takes runs outside DuckDB ({SPEC})"
        )


class _Read:
    """A relation, read as blocks of whole queries, as often as somebody asks."""

    def __init__(self, relation: Any, wants: Wanted) -> None:
        self.wants = wants
        self.names = wants.among(relation.columns, wants.table)
        quoted = [quoted_for_sql(name) for name in dict.fromkeys(self.names.values())]
        self.relation = relation.select(*quoted)

    def in_order(self) -> Generator[Columns]:
        """In the order in which DuckDB has the rows."""
        return self._blocks(self.relation)

    def sorted(self) -> Generator[Columns]:
        """By query, the rows of each as they came."""
        query, position = quoted_for_sql(self.names["query"]), quoted_for_sql(POSITION)
        numbered = self.relation.select("*", _code(f"row_number() over () as {position}"))
        return self._blocks(numbered.order(f"{query}, {position}"))

    def _blocks(self, relation: Any) -> Generator[Columns]:
        origin = Origin(self.wants.table, lambda _: f"{self.wants.table}: a row")
        # A connection has one open result: whoever ends early closes it.
        with reading(relation, origin.source), relation.to_arrow_reader(BATCH) as batches:
            for table in whole_queries(batches, self.names["query"], BLOCK):
                yield columns_of_arrow(table, self.wants, origin)


def _code(sql: str) -> Any:
    engine: Any = library("duckdb", "rankspec.duckdb")
    return engine.SQLExpression(sql)


# ---- functions of SQL --------------------------------------------------------------------


def register(connection: Any) -> None:
    """Give a connection of DuckDB the functions rankspec, rankspec_mean and rankspec_part.

    rankspec(measure, ranked, judged): the value of a measure for one query
        ranked: the list of the labels in rank order; null is a document without a judgment
        judged: the list of the labels of all judged documents; null or empty: there are none
    rankspec(measure, ranked, judged, scores): the same for labels in any order, ranked by a list of
        their scores; for equal scores it gives the expected value (RS-TIE-2)
    rankspec_mean(values): the exact mean of a list of values, or of a list of parts; a null counts
    as no value rankspec_part(values): the partial mean of a list of values, as bytes (RS-NUM-30)

    DuckDB calls each function once per block of about two thousand rows. Spec: RS-CONV-54.
    """
    engine = library("duckdb", "rankspec.duckdb")
    library("pyarrow", "rankspec.duckdb")
    if not isinstance(connection, engine.DuckDBPyConnection):
        raise InputError(
            "register: expected a connection of DuckDB, as from duckdb.connect(), got "
            f"{shown_given(connection)} ({SPEC})"
        )
    for name, function, gives in (
        ("rankspec", _values, "DOUBLE"),
        ("rankspec_mean", _means, "DOUBLE"),
        ("rankspec_part", _parts, "BLOB"),
    ):
        with suppress(engine.Error):  # that it has, of an earlier call
            connection.remove_function(name)
        connection.create_function(
            name, function, None, gives, type="arrow", null_handling="special"
        )


def _values(*given: Any) -> Any:
    """The value of each row."""
    import numpy as np
    import pyarrow as arrow

    if len(given) not in (3, 4):
        raise InputError(
            f"rankspec: {len(given)} arguments; expected (measure, ranked, judged) or (measure, "
            f"ranked, judged, scores) ({SPEC})"
        )
    names = given[0].combine_chunks().dictionary_encode()
    if names.null_count:
        raise InputError(f"rankspec: the measure is null; expected its name ({SPEC})")
    lists = [_flat(x, what) for x, what in zip(given[1:], _LISTS, strict=False)]
    measures = [_one_measure(name) for name in names.dictionary.to_pylist()]
    if len(measures) == 1:
        return arrow.array(_of(measures[0], lists))
    found = np.empty(len(names))
    which = names.indices.to_numpy()
    for a, measure in enumerate(measures):
        rows = np.flatnonzero(which == a)
        found[rows] = _of(measure, [_taken(x, rows) for x in lists])
    return arrow.array(found)


_LISTS = ("label", "judged label", "score")


def _one_measure(name: str) -> Measure:
    found = measures_named(name)
    if len(found) != 1:
        raise InputError(f"rankspec: expected one measure, got {', '.join(map(str, found))}")
    return found[0]


def _of(measure: Measure, lists: list[Any]) -> Any:
    (ranked, offsets), (judged, judged_offsets), *scored = lists
    given: dict[str, Any] = {}
    if scored:
        (given["scores"], own) = scored[0]
        if (own != offsets).any():
            raise InputError(
                f"rankspec: expected as many scores as labels for a query, or none ({SPEC})"
            )
    return measure.of(
        ranked, offsets=offsets, judged=judged, judged_offsets=judged_offsets, **given
    )


def _flat(column: Any, what: str) -> tuple[Any, Any]:
    """The numbers of lists, one list behind the other, and where each begins."""
    import numpy as np
    import pyarrow as arrow
    from pyarrow import compute

    column = column.combine_chunks()
    n = len(column)
    if arrow.types.is_null(column.type):
        return np.empty(0, np.int64), np.zeros(n + 1, np.int64)
    if not arrow.types.is_list(column.type) and not arrow.types.is_large_list(column.type):
        raise InputError(
            f"rankspec: expected a list of {what}s, as from list(... order by ...), got the type "
            f"{column.type} ({SPEC})"
        )
    lengths = compute.fill_null(compute.list_value_length(column), 0).to_numpy()
    offsets = np.zeros(n + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    flat = column.flatten()
    if arrow.types.is_null(flat.type):
        flat = flat.cast(arrow.int64())
    if what == "label" and flat.null_count:
        flat = compute.fill_null(flat, arrow.scalar("0").cast(flat.type))
    if not len(flat):
        return np.empty(0, np.int64), offsets
    origin = Origin("rankspec", lambda _: "rankspec: a list")
    numbers = Table(arrow.chunked_array([flat]), "rankspec").column(None).numbers(what, origin, "")
    return numbers, offsets


def _taken(lists: tuple[Any, Any], rows: Any) -> tuple[Any, Any]:
    """Some of the lists."""
    import numpy as np

    flat, offsets = lists
    parts = [flat[offsets[a] : offsets[a + 1]] for a in rows]
    ends = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return (np.concatenate(parts) if parts else flat[:0]), ends


def _means(*given: Any) -> Any:
    """The exact mean of each row's values, or parts."""
    import pyarrow as arrow

    parts = (_part(row) for row in _rows(given, "rankspec_mean"))
    return arrow.array([part.mean if part.count else None for part in parts], arrow.float64())


def _parts(*given: Any) -> Any:
    import pyarrow as arrow

    return arrow.array([bytes(_part(row)) for row in _rows(given, "rankspec_part")], arrow.binary())


def _rows(given: tuple[Any, ...], name: str) -> Iterator[list[Any]]:
    import pyarrow as arrow

    if len(given) != 1:
        raise InputError(f"{name}: {len(given)} arguments; expected a list ({SPEC})")
    kind = given[0].type
    of = arrow.types
    takes = of.is_floating, of.is_integer, of.is_binary, of.is_null
    if not of.is_null(kind) and not (
        of.is_list(kind) and any(fits(kind.value_type) for fits in takes)
    ):
        raise InputError(
            f"{name}: expected a list of DOUBLE, or of parts as rankspec_part gives, got {kind}; "
            f"cast it to DOUBLE[] ({SPEC})"
        )
    for row in given[0]:
        yield [x for x in row.as_py() or () if x is not None]


def _part(row: list[Any]) -> PartialMean:
    if row and isinstance(row[0], bytes):
        return sum(map(PartialMean.from_bytes, row), PartialMean())
    return PartialMean.of(row)
