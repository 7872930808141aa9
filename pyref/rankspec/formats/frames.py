"""Qrels and runs from whatever holds them: TREC files, dicts, rows or data frames.

All become {query: {document: number}} with checked, exact Python numbers, in the order given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import suppress

from ..compute.gain import exact
from ..errors import InputError, by_value, dimensions, items_of, shown, shown_text
from ..later import fractions
from ..typed import TYPE_CHECKING, Any, TypeAlias
from . import trec
from .column_names import ColumnNames, check_columns, wanted
from .columns import ColumnBlocks, Columns, Origin
from .ids import as_id, by_text, check_bytes
from .objects import unwrapped
from .streams import Source, Stream, is_file, is_open_file
from .trec import EXACT, How

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact

Label: TypeAlias = int | float
Table: TypeAlias = dict[str, dict[str, Any]]


class FromLists(dict[str, dict[str, Any]]):
    """Qrels or a run, {query: {document: number}}, made of lists of ids, and checked (RS-CONV-45).

    Of a run the numbers fall from document to document: they are its rank order.
    """


QrelsLike: TypeAlias = "Source | Columns | Mapping[str, Mapping[str, Label]] | Iterable[Any]"
RunLike: TypeAlias = (
    "Source | Stream | Columns | ColumnBlocks | Mapping[str, Mapping[str, float]] | Iterable[Any]"
)
"""A TREC file; a dict of dicts; rows (query, document, number), or with these as the attributes
query_id, doc_id and relevance or score, as in ir_measures; a data frame of such columns (of
pandas, polars, or whatever gives a column by its name that has to_list); or Columns."""


def labels_of(qrels: QrelsLike, how: How = EXACT) -> dict[str, dict[str, Label]]:
    """The judgments: labels are integers of int64 or finite doubles (RS-CONV-1, RS-CONV-10)."""
    qrels = by_column(qrels, "qrels")
    if is_file(qrels):
        return trec.read_qrels(qrels, how)
    if isinstance(qrels, FromLists):
        return qrels
    if isinstance(qrels, Columns):
        labels = _of_columns(qrels, "label", checked_label, how.duplicates)
    else:
        labels = _checked(qrels, "qrels", "relevance", checked_label, how.duplicates)
    if not labels:
        raise InputError(
            "qrels: empty; expected {query: {document: label}}, or rows (query, document, label)"
        )
    return labels


def scores_of(run: RunLike, how: How = EXACT) -> dict[str, dict[str, Exact]]:
    """The scores: finite numbers, compared exactly (RS-CONV-6, RS-CONV-10).

    They are what orders the run, the highest first, where that is not its score (RS-CONV-32).
    """
    run = by_column(run, "run", how.order)
    if is_file(run):
        return trec.read_run(run, how)  # type: ignore[return-value]
    if isinstance(run, FromLists):
        return run
    if isinstance(run, Columns):
        return _of_columns_in_order(run, how)
    in_given_order = by_value("order", how.order, {"score": False, "rank": None, "file": True})
    if in_given_order is None:
        raise InputError(
            'order: "rank" needs a TREC file with a rank column; order="file" keeps the given '
            "order (RS-CONV-32)"
        )
    scores = _checked(run, "run", "score", exact, _kept(how))
    return _in_order_of_rows(scores) if in_given_order else scores


def _kept(how: How) -> str:
    """Which of two rows of a document is kept: of those in order the best is the first."""
    return "first" if how.order == "file" and how.duplicates == "best" else how.duplicates


def _in_order_of_rows(scores: Table) -> Table:
    return {q: {d: -a for a, d in enumerate(own)} for q, own in scores.items()}


def _of_columns_in_order(run: Columns, how: How) -> Table:
    """The scores of a run by column, or what orders it in their place (RS-CONV-32)."""
    if how.order == "file":
        return _in_order_of_rows(_of_columns(run, None, exact, _kept(how)))
    number = by_value("order", how.order, {"score": exact, "rank": _rank_as_score})
    return _of_columns(run, how.order, number, how.duplicates)


def _of_columns(
    columns: Columns, number: str | None, of: Callable[[Any, str], Any], duplicates: str
) -> Table:
    if number not in (None, columns.number):
        raise InputError(f"{columns.origin.source}: expected {number}s, got {columns.number}s")
    rows = list(columns.rows())
    return _of_rows(rows, columns.origin, columns.number, of, duplicates)


def _rank_as_score(x: Any, what: str) -> int:
    """A score that orders as the ranks do, from the first on (RS-CONV-32)."""
    rank: Any = exact(x, what)
    if rank != int(rank) or abs(rank) > trec.MOST_RANK:
        raise InputError(f"{what} is {shown(x)}; it must be a whole number, at most 2^53")
    return -int(rank)


def by_column(
    source: Any,
    table: str,
    order: str = "score",
    columns: ColumnNames | None = None,
    form: str | None = None,
    in_blocks: bool = False,
) -> Any:
    """The columns of a data frame, or of a file that is not TREC's; whatever else holds qrels or a
    run as it is, and a TREC file as a Stream.

    table: "qrels" or "run"; order: what orders a run; columns: their names (RS-CONV-43)
    form: the format of the file; None: its content tells it (RS-CONV-48)
    in_blocks: ColumnBlocks will do for a file
    """
    if type(source) is dict and form is None:
        return source
    from .data_frames import columns_of, is_frame
    from .files import opened

    source = opened(source, table, order, columns, form, in_blocks)
    if is_file(source) or not is_frame(source):
        return source
    number = "label" if table == "qrels" else None if order == "file" else order
    return columns_of(source, wanted(columns, table, number))


def named(
    qrels: Any,
    run: Any,
    order: str,
    columns: ColumnNames | None,
    qrels_format: str | None = None,
    run_format: str | None = None,
) -> tuple[QrelsLike, RunLike]:
    """Qrels and run, of which data frames and tables in files are read by these names of their
    columns (RS-CONV-43), and files by these formats (RS-CONV-48).
    """
    given = columns is not None or qrels_format is not None or run_format is not None
    if type(qrels) is dict and type(run) is dict and not given:
        return qrels, run  # of which all that follows would say the same
    check_columns(columns)
    check_read_once({"qrels": qrels, "run": run})
    found = (
        by_column(qrels, "qrels", columns=columns, form=qrels_format),
        by_column(run, "run", order, columns, run_format, in_blocks=True),
    )
    check_of_tables(columns, found[0], found[1])
    return found


def check_read_once(given: Mapping[str, Any], argument: str = "", spec: str = "27") -> None:
    """An InputError for what can be read once, as a generator or an open file, under two names.

    given: {name: what it is}; argument: that the names are of, and the convention, for messages
    """
    first: dict[int, str] = {}
    for name, x in given.items():
        is_open = is_open_file(x)
        if not is_open and not isinstance(x, Iterator):
            continue
        if id(x) in first:
            instead = "open it once for each" if is_open else "give a list of its rows"
            raise InputError(
                f"{argument}{name} is the same object as {first[id(x)]}, but it can be read only "
                f"once; {instead} (RS-CONV-{spec})"
            )
        first[id(x)] = name


def check_of_tables(columns: ColumnNames | None, *found: Any) -> None:
    """An InputError where names of columns are given, and nothing that was read has any."""
    if columns is not None and all(is_file(x) or isinstance(x, Mapping) for x in found):
        raise InputError(
            "columns: they apply to data frames and files with column names, but neither the "
            "qrels nor the run is one (RS-CONV-43)"
        )


def checked_label(x: Any, what: str) -> Label:
    label = exact(x, what)
    if isinstance(label, fractions.Fraction) and label.denominator == 1:
        label = int(label)
    if isinstance(label, float) or (isinstance(label, int) and label in trec.INT64):
        return label
    with suppress(OverflowError):
        if label == float(label):
            return float(label)
    raise InputError(f"{what} is {shown(x)}; it must be an integer of 64 bits or a double")


def _checked(
    source: Any, what: str, column: str, number: Callable[[Any, str], Any], duplicates: str
) -> dict[str, dict[str, Any]]:
    source = unwrapped(source, what)
    if isinstance(source, Mapping):
        return _of_mapping(source, what, column, number)
    if hasattr(source, "columns") and hasattr(source, "__getitem__"):
        source = _rows_of_frame(source, what, column)
    complaint = (
        f"{what}: expected a file, dict, data frame or rows (query, document, {column}), got "
        f"{shown_text(shown(source))}"
    )
    if isinstance(source, (bytes, bytearray)):
        raise InputError(complaint)
    return _of_rows(items_of(source, complaint), Origin(what), column, number, duplicates)


def _rows_of_frame(frame: Any, what: str, column: str) -> Iterable[Any]:
    """The rows of a data frame (pandas, polars, ...), from its columns by their names."""
    wanted = ("query_id", "doc_id", column)
    missing = [name for name in wanted if name not in list(frame.columns)]
    if missing:
        raise InputError(
            f"{what}: the data frame has no column {missing[0]!r}; "
            f"it needs {', '.join(wanted)}, and has {shown_text(str(list(frame.columns)))}"
        )
    return zip(*(frame[name].to_list() for name in wanted), strict=True)


def snapshot(given: Mapping[Any, Any], what: str) -> dict[Any, Any]:
    """The items of a mapping as a dictionary of our own, whose length is what was iterated.

    A dictionary is copied at once, so that no other thread comes between. what: for an error
    """
    if type(given) is dict:
        return given.copy()
    items = given.items()
    try:
        pairs = list(items)
        found = dict(pairs)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{what}: the items of a {type(given).__name__} are not pairs of key and value: {error}"
        ) from None
    if len(found) != len(pairs):
        raise InputError(f"{what}: the {type(given).__name__} has the key {_twice(pairs)} twice")
    return found


def _twice(pairs: list[tuple[Any, Any]]) -> str:
    seen = set()
    for key, _ in pairs:
        if key in seen:
            break
        seen.add(key)
    return shown(key)


def _of_mapping(
    source: Mapping[Any, Any], what: str, column: str, number: Callable[[Any, str], Any]
) -> Table:
    table: Table = {}
    for query, documents in by_text(snapshot(source, what), what, "query").items():
        check_bytes(query, what, "query")
        if not isinstance(documents, Mapping):
            raise InputError(
                f"{what}: expected a dict {{document: {column}}} for query {shown_text(query)}, "
                f"got {shown_text(shown(documents))}{_what_takes(documents, what)}"
            )
        checked = table[query] = {}
        own = by_text(snapshot(documents, what), what, "document", of_query(query))
        for document, x in own.items():
            check_bytes(document, what, "document")
            if isinstance(x, Mapping):
                where = _where(what, column, query, document)
                raise InputError(f"{where} is {shown(x)}; expected a number{_what_takes(x, what)}")
            checked[document] = x if _plain(x) else number(x, _where(what, column, query, document))
    return table


def _of_rows(
    rows: list[Any],
    origin: Origin,
    column: str,
    number: Callable[[Any, str], Any],
    duplicates: str,
) -> Table:
    table: Table = {}
    what, as_it_is = origin.source, number is not _rank_as_score
    for position, row in enumerate(rows):
        query, document, x = _cells(row, position, what, column)
        query, document = as_id(query, what, "query"), as_id(document, what, "document")
        documents = table.setdefault(query, {})
        simple = as_it_is and _plain(x)
        value = x if simple else number(x, _where(what, column, query, document))
        if document not in documents:
            documents[document] = value
        elif duplicates == "error":
            raise _duplicate(rows, position, origin, column)
        else:
            trec.keep(duplicates, documents, document, value)
    return table


def _cells(row: Any, position: int, what: str, column: str) -> tuple[Any, Any, Any]:
    if hasattr(row, "query_id") and hasattr(row, "doc_id") and hasattr(row, column):
        return row.query_id, row.doc_id, getattr(row, column)
    if isinstance(row, Iterable) and not isinstance(row, (str, bytes, Mapping)):
        cells = tuple(row)
        if len(cells) == 3:
            return cells
    raise InputError(
        f"{what}: row {position} is {shown_text(shown(row))}; expected (query, document, "
        f"{column}), or the attributes query_id, doc_id and {column}"
    )


def _duplicate(rows: list[Any], second: int, origin: Origin, column: str) -> InputError:
    def pair(position: int) -> tuple[str, str]:
        query, document, _ = _cells(rows[position], position, origin.source, column)
        return as_id(query, origin.source, "query"), as_id(document, origin.source, "document")

    query, document = pair(second)
    first = next(a for a in range(second) if pair(a) == (query, document))
    before = origin.row(first).removeprefix(f"{origin.source}: ")
    fix = _PADDING if document == "-1" else trec.WHICH
    return InputError(
        f"{origin.row(second)}: document {shown_text(document)} of query {shown_text(query)} "
        f"occurs a second time; it is already in {before}{fix} (RS-CONV-10)"
    )


_PADDING = "; FAISS and other indexes fill up their lists with -1: leave out the rows with this id"


def _plain(x: Any) -> bool:
    """Whether x needs no closer look: the common case, and a cheap test."""
    return (type(x) is float and math.isfinite(x)) or (type(x) is int and -(2**63) <= x < 2**63)


def check_id(x: Any, what: str, kind: str) -> None:
    """An InputError for an id that is no text, where only texts are taken."""
    if not isinstance(x, str):
        raise InputError(f"{what}: the {kind} id {shown(x)} is not a string")
    check_bytes(x, what, kind)


def of_query(query: str) -> str:
    """Whose documents they are, in a message."""
    return f" of query {shown_text(query)}"


def _what_takes(x: Any, what: str) -> str:
    """What takes such a thing in the place of a query's documents; or nothing."""
    if isinstance(x, (list, tuple, Set)) or dimensions(x) == 1:
        return "; for lists of ids, and sets of relevant ids, use rs.evaluate_lists()"
    if what == "run" and (isinstance(x, Mapping) or is_file(x)):
        return "; for several runs, {name: run}, use rs.evaluate_runs()"
    return ""


def _where(what: str, column: str, query: str, document: str) -> str:
    return f"{what}: the {column} of document {shown_text(document)} for query {shown_text(query)}"
