"""Runs and qrels that are DataFrames of Spark, evaluated where their rows are.

    from rankspec import spark
    found = spark.evaluate(qrels, run, ["nDCG@10", "AP"])
    found["nDCG@10"]     # the mean
    found.per_query      # a DataFrame: a row a query, a column a measure

Values and means are those of rs.evaluate() for the same rows on one machine, to the last bit. All
rows of a query come to one task, sorted by query, as Arrow batches; the task cuts them into blocks
of whole queries and gives each block to the C core. A task holds a block, or the largest query. Its
last row is what the means need of it, as bytes: Spark commits the output of one attempt of each
task, so that retries and speculation count nothing twice, as an accumulator would.

Needs pyspark on the driver, and rankspec, pyarrow and numpy on each executor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from .compute.gain import DiscountLike, GainLike
from .errors import InputError, listed, shown_given, shown_text
from .evaluation.data_frames import Table, check_unicode, library
from .evaluation.evaluate import warn_of_input
from .evaluation.measures import MeasuresLike
from .evaluation.parts import Block, Part, Whole, block_of, highest_of, merged, needs_highest
from .evaluation.plans import Plan, asked
from .evaluation.result import Evaluation
from .formats.batches import BLOCK, whole_queries
from .formats.column_names import ColumnNames, Wanted, wanted
from .formats.columns import Columns, Origin, absent, unreadable
from .formats.data_frames import columns_of_arrow
from .formats.frames import Label
from .reference.numbers.reals import Exact

if TYPE_CHECKING:
    from .evaluation.by_measure import Definition

SPEC = "RS-CONV-54"
QRELS, RUN = 0, 1
QUERY, SIDE, DOCUMENT, LABEL, NUMBER, POSITION = [
    "query",
    "side",
    "document",
    "label",
    "number",
    "position",
]
PART = "part of the means"


def evaluate(
    qrels: Any,
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
    position: str | None = None,
    partitions: int | None = None,
    backend: str = "auto",
) -> SparkEvaluation:
    """Evaluate a run against qrels, both DataFrames of Spark. Spec: RS-CONV-54.

    qrels, run: columns of query, document and label or score, under the usual names or those in
        `columns` (RS-CONV-43); ids are texts or integers of any width
    position: the column of integers that numbers the rows; conventions about the order of rows need
        it: order="file", ties="input", duplicates="first" or "last"
    partitions: the number of tasks; None: by spark.sql.shuffle.partitions

    All other arguments are those of rs.evaluate(). Nothing is read before you ask for values or
    means, except with unjudged="lowest" and "highest", which need the highest label of all queries.
    Raises InputError for wrong arguments or column types. A wrong row raises InputError when you
    ask for means; when you ask for values, Spark raises a PythonException with the same message.
    """
    given = {
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
    }
    task = _Task(profile, given, measures, grades, columns, backend)
    plan = task.plan()
    rows = _rows(qrels, run, task, position, partitions)
    if needs_highest(plan):
        task = task.with_highest(rows)
    return SparkEvaluation(plan, rows.evaluated(task))


class SparkEvaluation:
    """The values of measures for the queries of a run on Spark, and their means.

    per_query: a DataFrame with one row per query, "query" as text, and one column per measure; null
        means no value (RS-CONV-47). Spark computes it once, and keeps it until unpersist(), on disk
        if memory is short
    measures: the requested measures

    The means are computed when they are first asked for, with mean, whole or found["nDCG@10"].
    """

    def __init__(self, plan: Plan, rows: Any) -> None:
        from pyspark.sql import functions
        from pyspark.storagelevel import StorageLevel

        self.measures = plan.measures
        self._plan = plan
        self._rows = rows.persist(StorageLevel.MEMORY_AND_DISK)
        self.per_query = self._rows.where(functions.col(PART).isNull()).drop(PART)

    @cached_property
    def whole(self) -> Whole:
        """The means, and how many queries there are; warns as rs.evaluate() does (RS-CONV-27)."""
        from pyspark.sql import functions

        with _in_our_words():
            found = self._rows.where(functions.col(PART).isNotNull()).select(PART).collect()
        whole = merged(self._plan, (Part.from_bytes(bytes(row[0])) for row in found))
        warn_of_input(whole.warnings)
        return whole

    @property
    def mean(self) -> dict[str, float]:
        """{name of a measure: its mean over queries}, as of rs.evaluate()."""
        return self.whole.mean

    def __getitem__(self, name: str) -> float:
        """The mean of a measure, by any spelling of its name."""
        return self._evaluation[name]

    def definition(self, name: str) -> Definition:
        """Return the definition of a measure: each convention, with its spec ID."""
        return self._evaluation.definition(name)

    def unpersist(self) -> None:
        """Make Spark drop the values; it recomputes them if they are needed again."""
        self._rows.unpersist()

    def __repr__(self) -> str:
        names = ", ".join(map(str, self.measures))
        return f"<SparkEvaluation of {names}>"

    @cached_property
    def _evaluation(self) -> Evaluation:
        """The means as of one machine, without the values."""
        plan, whole = self._plan, self.whole
        own = {str(m): conventions for conventions, few in plan.groups for m in few}
        return Evaluation(
            measures=plan.measures,
            queries=(),
            per_query={name: {} for name in whole.mean},
            mean=whole.mean,
            conventions=plan.conventions,
            missing=(),
            profile=plan.profile.name if plan.profile else None,
            highest=whole.highest,
            otherwise={name: x for name, x in own.items() if x != plan.conventions},
        )


# ---- on the driver -----------------------------------------------------------------------


@dataclass(frozen=True)
class _Rows:
    """The rows of qrels and run in one DataFrame, the columns of each under our names.

    names: {QRELS or RUN: {what a column holds: its name there}}
    """

    frame: Any
    names: Mapping[int, Mapping[str, str]]
    has_position: bool
    partitions: int | None

    def by_query(self, frame: Any) -> Any:
        """All rows of a query in one partition, together."""
        number = () if self.partitions is None else (self.partitions,)
        order = [QUERY, SIDE, *([POSITION] if self.has_position else [])]
        return frame.repartition(*number, QUERY).sortWithinPartitions(*order)

    def evaluated(self, task: _Task) -> Any:
        from pyspark.sql.types import BinaryType, DoubleType, StringType, StructField, StructType

        numbers = [StructField(str(m), DoubleType()) for m in task.plan().measures]
        fields = [StructField("query", StringType()), *numbers, StructField(PART, BinaryType())]
        work = partial(_values, task, self.names, self.has_position)
        return self.by_query(self.frame).mapInArrow(work, StructType(fields))


def _rows(qrels: Any, run: Any, task: _Task, position: str | None, partitions: int | None) -> _Rows:
    """The rows of both, of which all that is wrong with their types is said here."""
    library("pyarrow", "rankspec.spark")
    from pyspark.sql import DataFrame, functions

    if partitions is not None and (type(partitions) is not int or partitions < 1):
        raise InputError(
            f"partitions: expected a number of tasks, an integer from 1 on, got {partitions!r}"
        )
    for what, frame in (("qrels", qrels), ("run", run)):
        if not isinstance(frame, DataFrame):
            raise InputError(
                f"{what}: expected a DataFrame of Spark, got {shown_given(frame)}; for data on "
                f"this machine use rs.evaluate() ({SPEC})"
            )
    plan = task.plan()
    number = plan.conventions.ordered_by
    names = {
        QRELS: wanted(task.columns, "qrels", "label").among(qrels.columns, "qrels"),
        RUN: wanted(task.columns, "run", number).among(run.columns, "run"),
    }
    frames = {QRELS: qrels, RUN: run}
    positions = _positions(plan, frames, position)
    kinds = {
        side: {role: _kind(frames[side], name) for role, name in names[side].items()}
        for side in frames
    }
    _check_kinds(names, kinds)

    def ids(side: int, role: str) -> Any:
        column = _column(names[side][role])
        one, other = kinds[QRELS][role], kinds[RUN][role]
        # The texts of the same bytes are the same ids, whatever a collation says.
        as_text = one != other or one.typeName() in _TEXTS
        return (column.cast("string") if as_text else column).alias(role)

    def numbers(side: int, of: int, role: str | None, name: str) -> Any:
        if role is None:
            return functions.lit(None).cast("double").alias(name)
        kind = kinds[of][role]
        column = _column(names[of][role]) if side == of else functions.lit(None).cast(kind)
        return column.alias(name)

    frame = None
    for side, own in frames.items():
        chosen = own.select(
            functions.lit(side).cast("tinyint").alias(SIDE),
            ids(side, QUERY),
            ids(side, DOCUMENT),
            numbers(side, QRELS, "label", LABEL),
            numbers(side, RUN, number, NUMBER),
            *([positions[side].cast("bigint").alias(POSITION)] if positions else []),
        )
        frame = chosen if frame is None else frame.unionAll(chosen)
    return _Rows(frame, names, bool(positions), partitions)


_TEXTS = ("string", "varchar", "char")
_INTEGERS = ("byte", "tinyint", "short", "smallint", "integer", "int", "long", "bigint")
_NUMBERS = (*_INTEGERS, "boolean", "float", "double", "decimal")


def _column(name: str) -> Any:
    from pyspark.sql import functions

    return functions.col("`" + name.replace("`", "``") + "`")


def _kind(frame: Any, name: str) -> Any:
    return frame.schema[name].dataType


def _is_integer(kind: Any) -> bool:
    name = kind.typeName()
    return name in _INTEGERS or (name == "decimal" and kind.scale == 0)


def _check_kinds(
    names: Mapping[int, Mapping[str, str]], kinds: Mapping[int, Mapping[str, Any]]
) -> None:
    """An InputError for a column of a type that is no id, or no number (RS-CONV-42)."""
    for side, table in ((QRELS, "qrels"), (RUN, "run")):
        for role, kind in kinds[side].items():
            is_id, name = role in (QUERY, DOCUMENT), kind.typeName()
            fits = name in _TEXTS or _is_integer(kind) if is_id else name in _NUMBERS
            if not fits:
                what = f"{role} id" if is_id else role
                raise unreadable(names[side][role], what, kind.simpleString(), Origin(table))


def _positions(plan: Plan, frames: Mapping[int, Any], position: str | None) -> dict[int, Any]:
    """What orders the rows of each query, where somebody asks for it; nothing: nobody does."""
    from pyspark.sql import functions

    of_both: list[str] = []
    of_run: list[str] = []
    for own, _ in plan.groups:
        of_run += ['order="file"'] * (own.order == "file")
        of_run += ['ties="input"'] * (own.ties == "input")
        of_both += [f'duplicates="{own.duplicates}"'] * (own.duplicates in ("first", "last"))
    needing = list(dict.fromkeys([*of_both, *of_run]))
    if not needing:
        return {}
    if position is None:
        raise InputError(
            f"position: {listed(needing)} depends on the order of rows, but a DataFrame of Spark "
            f"has none; name a column of integers that gives it, position=NAME ({SPEC})"
        )
    found = {side: functions.lit(0) for side in frames}
    for side in (QRELS, RUN) if of_both else (RUN,):
        table = "qrels" if side == QRELS else "run"
        if frames[side].columns.count(position) != 1:
            raise InputError(
                f"{table}: there is no column {shown_text(str(position))} for the position of "
                f"rows, or there are several; its columns are {listed(frames[side].columns)} "
                f"({SPEC})"
            )
        kind = _kind(frames[side], position)
        if not _is_integer(kind) or kind.typeName() == "decimal":
            raise unreadable(position, "position", kind.simpleString(), Origin(table))
        found[side] = _column(position)
    return found


_SAID = re.compile(r"rankspec\.errors\.InputError: (.*?)\s*(?:\n|$)")


@contextmanager
def _in_our_words() -> Iterator[None]:
    """Makes an InputError of one that an executor has raised."""
    from pyspark.errors import PythonException

    try:
        yield
    except PythonException as error:
        if said := _SAID.search(str(error)):
            raise InputError(said[1]) from None
        raise


# ---- on the executors --------------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    """What is asked of each partition; plain data, and what pickle takes.

    highest: the highest label of all queries, where values depend on it
    rows: so many are a block
    """

    profile: str | None
    given: Mapping[str, Any]
    measures: Any
    grades: Mapping[Label, Label] | None
    columns: ColumnNames | None
    backend: str
    highest: Label | None = None
    rows: int = BLOCK

    def plan(self) -> Plan:
        return asked(self.profile, self.given).plan(self.measures)

    def with_highest(self, rows: _Rows) -> _Task:
        """The same, with the highest label, which is computed here."""
        from pyspark.sql import functions

        qrels = rows.by_query(rows.frame.where(functions.col(SIDE) == QRELS))
        work = partial(_highest, self, rows.names, rows.has_position)
        with _in_our_words():
            found = qrels.mapInArrow(work, "highest string").collect()
        # As text: a label is a whole number of 64 bits, or a double.
        numbers = [_number(row[0]) for row in found]
        return replace(self, highest=max(numbers, default=0))


def _number(text: str) -> Label:
    return int(text) if text.lstrip("-").isdigit() else float.fromhex(text)


def _written(label: Label) -> str:
    return str(label) if isinstance(label, int) else float(label).hex()


def _highest(
    task: _Task, names: Mapping[int, Mapping[str, str]], has_position: bool, batches: Iterable[Any]
) -> Iterator[Any]:
    """The highest label of a partition."""
    import pyarrow as arrow

    plan = task.plan()
    highest: Label = 0
    for qrels, _ in _blocks(task, names, has_position, batches):
        highest = max(highest, highest_of(plan, qrels, task.grades, task.backend))
    yield arrow.RecordBatch.from_pydict({"highest": arrow.array([_written(highest)])})


def _values(
    task: _Task, names: Mapping[int, Mapping[str, str]], has_position: bool, batches: Iterable[Any]
) -> Iterator[Any]:
    """The values of the queries of a partition, and at the end its part."""
    plan, part = task.plan(), Part()
    columns = [str(m) for m in plan.measures]
    for qrels, run in _blocks(task, names, has_position, batches):
        block = block_of(
            plan, qrels, run, highest=task.highest, grades=task.grades, backend=task.backend
        )
        part += block.part
        yield _as_batch(columns, block)
    yield _as_batch(columns, None, part)


def _as_batch(columns: list[str], block: Block | None, part: Part | None = None) -> Any:
    """The rows of a block; or of no block one row, which is a part."""
    import pyarrow as arrow

    queries: list[Any] = [None] if block is None else block.queries
    values = [[None]] * len(columns) if block is None else block.values
    parts = [None if part is None else bytes(part)] * len(queries)
    check_unicode(Table({"query": queries}, {}), "Spark")
    arrays = [arrow.array(queries, type=arrow.string())]
    arrays += [arrow.array(x, type=arrow.float64()) for x in values]
    arrays += [arrow.array(parts, type=arrow.binary())]
    return arrow.RecordBatch.from_arrays(arrays, ["query", *columns, PART])


def _blocks(
    task: _Task, names: Mapping[int, Mapping[str, str]], has_position: bool, batches: Iterable[Any]
) -> Iterator[tuple[Columns | None, Columns]]:
    """The qrels and the run of whole queries, block by block."""
    from pyspark import TaskContext

    context = TaskContext.get()
    where = "a row" if context is None else f"a row of partition {context.partitionId()}"
    order = task.plan().conventions.order
    for table in whole_queries(batches, QUERY, task.rows):
        qrels, run = (_of_side(table, side) for side in (QRELS, RUN))
        if has_position:
            _check_positions(run, "run", where)
            if task.plan().conventions.duplicates in ("first", "last"):
                _check_positions(qrels, "qrels", where)
        number = None if order == "file" else order
        judged = _columns(qrels, "qrels", "label", names[QRELS], where) if len(qrels) else None
        yield judged, _columns(run, "run", number, names[RUN], where)


def _of_side(table: Any, side: int) -> Any:
    from pyarrow import compute

    return table.filter(compute.equal(table.column(SIDE), side))


def _columns(
    table: Any, what: str, number: str | None, names: Mapping[str, str], where: str
) -> Columns:
    """Rows as they are read on one machine, under the names that they had."""
    ours = {QUERY: QUERY, DOCUMENT: DOCUMENT}
    if number is not None:
        ours[number] = LABEL if number == "label" else NUMBER
    given = {role: names[role] for role in ours}
    if len(set(given.values())) < len(given):  # one column as two
        given = dict(zip(ours, ours, strict=True))
    chosen = table.select(list(ours.values())).rename_columns(list(given.values()))
    origin = Origin(what, lambda _: f"{what}: {where}")
    return columns_of_arrow(chosen, Wanted(what, number, given), origin)


def _check_positions(table: Any, what: str, where: str) -> None:
    """An InputError where two rows of a query have one position, or one has none."""
    from pyarrow import compute

    queries, positions = (table.column(x).combine_chunks() for x in (QUERY, POSITION))
    if positions.null_count:
        raise absent("position", Origin(what, lambda _: f"{what}: {where}"), 0, "")
    same = compute.and_(
        compute.equal(queries[1:], queries[:-1]), compute.equal(positions[1:], positions[:-1])
    )
    if compute.any(same).as_py():
        a = same.index(True).as_py()
        raise InputError(
            f"{what}: two rows of query {shown_text(str(queries[a].as_py()))} have the position "
            f"{positions[a].as_py()}, so their order is undefined ({SPEC})"
        )
