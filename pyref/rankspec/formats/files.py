"""Files of qrels and runs: which format one has, told by its content, and what reads it.

TREC's is what is none of the others. Spec: RS-CONV-48, RS-CONV-49
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import partial
from importlib import import_module

from ..errors import InputError, hint, is_named, listed, quoted
from ..records import record
from ..typed import Any
from .column_names import ColumnNames, Wanted, wanted
from .columns import ColumnBlocks, Columns
from .file_format import FileFormat
from .limits import LINE
from .streams import Stream, is_file

HEAD = 1 << 16  # bytes that tell a format

TREC = "trec"


@record()
class TableFormat(FileFormat[Any]):
    """A format of qrels or of runs.

    name: as it is asked for
    read: (name of the file, its content, the columns that are wanted) -> Columns
    begins: (how the file begins, the columns that are wanted) -> whether it is such a one
    blocks: (its stream, the columns that are wanted) -> its rows in blocks of whole queries; None:
        it is read as a whole
    of: the tables that may have it; lines: whether it has lines, whose length is limited
    """

    name: str = ""
    blocks: Callable[[Stream, Wanted], Generator[Columns]] | None = None
    of: tuple[str, ...] = ("qrels", "run")
    lines: bool = True


def _reader(name: str) -> Callable[..., Columns]:
    """What reads a format, which is imported when there is such a file."""

    def read(*args: Any, **named: Any) -> Columns:
        from . import table_files

        found: Columns = getattr(table_files, name)(*args, **named)
        return found

    return read


def _lines_of(name: str, **given: Any) -> Callable[[str, bytes, Wanted], Columns]:
    """The same of a format of lines; given: what its reader takes."""

    def read(file: str, content: bytes, wanted: Wanted) -> Columns:
        from . import table_files

        reader = partial(getattr(table_files, name), **given)
        return table_files.whole(reader, file, content, wanted)

    return read


def _blocks_of(name: str, **given: Any) -> Callable[[Stream, Wanted], Generator[Columns]]:
    """The same in blocks."""

    def blocks(stream: Stream, wanted: Wanted) -> Generator[Columns]:
        from . import table_files

        reader = partial(getattr(table_files, name), **given)
        yield from table_files.in_blocks(reader, stream.name, stream.texts(), wanted)

    return blocks


def _blocks_of_parquet(stream: Stream, wanted: Wanted) -> Generator[Columns]:
    from .table_files import parquet_in_blocks

    with stream.seekable() as file:
        yield from parquet_in_blocks(stream.name, file, wanted)


# ---- how they begin ------------------------------------------------------------------------


def _parquet(head: bytes, _: Wanted) -> bool:
    return head.startswith(b"PAR1")


def _json(head: bytes, _: Wanted) -> bool:
    """An object of objects, or a list of objects."""
    begin = head.lstrip()
    return begin.startswith((b"{", b"[")) and (
        re.match(rb'\{\s*"(\\.|[^"\\])*"\s*:\s*\{|\[\s*\{|\{\s*\}|\[\s*\]', begin) is not None
    )


def _json_lines(head: bytes, _: Wanted) -> bool:
    begin = head.lstrip()
    return begin.startswith(b"{") and begin[1:].lstrip().startswith(b'"')


def _beir(head: bytes, _: Wanted) -> bool:
    line = _first_line(head, CELLS)
    return BEIR[0].encode() in line and BEIR in (
        tuple(_cells(line, "\t")),
        tuple(_cells(line, ",")),
    )


def _csv(head: bytes, wanted: Wanted) -> bool:
    return any(_has_names(head, wanted, delimiter) for delimiter in ",;")


def _tsv(head: bytes, wanted: Wanted) -> bool:
    return _has_names(head, wanted, "\t")


def _ntcir(head: bytes, _: Wanted) -> bool:
    fields = _first_line(head).split()
    return len(fields) == 3 and re.fullmatch(rb"[Ll][0-9]+", fields[2]) is not None


def _msmarco(head: bytes, _: Wanted) -> bool:
    """Three columns, the third of which is the first rank."""
    fields = _first_line(head).rstrip(b"\r").split(b"\t")
    return len(fields) == 3 and all(fields) and fields[2] == b"1"


CELLS = b"\r", b"\n"
"""What ends a line of cells; one of columns ends with LF alone."""


def _first_line(head: bytes, ends: tuple[bytes, ...] = (b"\n",)) -> bytes:
    """The first line that is not blank."""
    text = len(head) - len(head.lstrip())
    if text == len(head):
        return b""
    begin = 1 + max(head.rfind(end, 0, text) for end in ends)
    stops = [at for end in ends if (at := head.find(end, text)) >= 0]
    return head[begin : min(stops, default=len(head))]


def _has_names(head: bytes, wanted: Wanted, delimiter: str) -> bool:
    """Whether the first line names the columns of queries and of documents, or of one and numbers.

    That of numbers may be missing: who reads the file says so.
    """
    line = _first_line(head, CELLS)
    if delimiter.encode() not in line:
        return False
    cells = _cells(line, delimiter)
    return sum(bool(wanted.candidates(role, cells)) for role in wanted.roles) >= 2


def _cells(line: bytes, delimiter: str) -> list[str]:
    import csv

    text = line.decode("utf-8", "surrogateescape")
    with suppress(csv.Error):
        return [cell.strip() for cell in next(csv.reader([text], delimiter=delimiter), [])]
    return []


BEIR = ("query-id", "corpus-id", "score")


def _read_beir(name: str, content: bytes, wanted: Wanted) -> Columns:
    given = dict(zip(("query", "document", "label"), BEIR, strict=True))
    own = Wanted(wanted.table, wanted.number, given)
    return _lines_of("read_csv", delimiters="\t,")(name, content, own)


_SPEC = "RS-CONV-48"


def _lined(
    form: str,
    begins: Callable[..., bool],
    name: str,
    reader: str,
    of: tuple[str, ...] = ("qrels", "run"),
    **given: Any,
) -> TableFormat:
    """A format of lines, which are read as a whole or in blocks; given: what their reader takes."""
    read, blocks = _lines_of(reader, **given), _blocks_of(reader, **given)
    return TableFormat(form, _SPEC, read, begins, name, blocks, of)


FILES = (
    TableFormat("lines of TREC: qrels or a run", "RS-CONV-19", _reader(""), name=TREC),
    TableFormat(
        "Parquet",
        _SPEC,
        _reader("read_parquet"),
        _parquet,
        "parquet",
        _blocks_of_parquet,
        lines=False,
    ),
    TableFormat(
        "JSON: {query: {document: number}}, or a list of objects",
        _SPEC,
        _reader("read_json"),
        _json,
        "json",
        lines=False,
    ),
    _lined("a JSON object a line", _json_lines, "jsonl", "read_json_lines"),
    TableFormat(
        "qrels of BEIR: a table of query-id, corpus-id and score",
        _SPEC,
        _read_beir,
        _beir,
        "beir",
        of=("qrels",),
    ),
    _lined("cells and tabs, with a header", _tsv, "tsv", "read_csv", delimiters="\t"),
    _lined("cells and commas, with a header", _csv, "csv", "read_csv"),
    _lined("qrels of NTCIR: query, document, L2", _ntcir, "ntcir", "read_ntcir", ("qrels",)),
    _lined(
        "a run of MS MARCO: query, document, rank", _msmarco, "msmarco", "read_msmarco", ("run",)
    ),
    _lined(
        "three columns: query, document, label or score; it has to be asked for",
        lambda *_: False,
        "triples",
        "read_triples",
    ),
)
"""The formats of qrels and runs; the first that a file begins as is its own, else TREC's."""


def formats_of(table: str) -> list[str]:
    """The names of the formats that qrels or runs may have."""
    return [known.name for known in FILES if table in known.of]


# ---- reading -------------------------------------------------------------------------------


def opened(
    source: Any,
    table: str,
    order: str = "score",
    columns: ColumnNames | None = None,
    form: str | None = None,
    in_blocks: bool = False,
) -> Any:
    """The columns of a file that is not TREC's; a Stream of one that is; all else as it is.

    table: "qrels" or "run"; order: what orders a run; columns: their names (RS-CONV-43)
    form: the name of the format; None: the content tells it
    in_blocks: ColumnBlocks will do, which hold the largest query, and not the file
    """
    if form is not None:
        _check_form(form, table)
    if isinstance(source, str) and source.startswith(IR_DATASETS):
        return _of_ir_datasets(source, table)
    if not is_file(source):
        if form is not None:
            raise InputError(
                f"{table}_format: it applies to files, but the {table} is not a file (RS-CONV-48)"
            )
        return source
    if isinstance(source, Stream) and source.told:
        return source
    stream = source if isinstance(source, Stream) else Stream(source, again=True, lines=False)
    number = "label" if table == "qrels" else None if order == "file" else order
    named = wanted(columns, table, number)
    known = _told(stream, table, named) if form is None else _by_name(form)
    stream.limit_lines(known.lines)
    if known.name == TREC:
        stream.told = True
        stream.is_format_given = form is not None
        return stream
    if not in_blocks or known.blocks is None:
        return known.read(stream.name, stream.content(), named)
    return ColumnBlocks(
        partial(known.blocks, stream, named),
        lambda: known.read(stream.name, stream.content(), named),
    )


def _told(stream: Stream, table: str, named: Wanted) -> TableFormat:
    head = stream.head(HEAD)
    if len(head) == HEAD and not any(end in head for end in CELLS):
        head = stream.head(LINE.value)  # the names of many columns
    return next(
        (x for x in FILES if table in x.of and x.begins is not None and x.begins(head, named)),
        _by_name(TREC),
    )


def _by_name(name: str) -> TableFormat:
    return next(known for known in FILES if known.name == name)


def _check_form(form: Any, table: str) -> None:
    names = formats_of(table)
    if not is_named(form, names):
        raise InputError(
            f"{table}_format: unknown format {quoted(form)}{hint(form, names)}; expected one of "
            f"{listed(names)} (RS-CONV-48)"
        )


# ---- ir_datasets ---------------------------------------------------------------------------

IR_DATASETS = "irds:"


def _of_ir_datasets(source: str, table: str) -> list[Any]:
    """The qrels, or the scored documents, of a data set that ir_datasets knows."""
    try:
        ir_datasets: Any = import_module("ir_datasets")
    except ImportError:
        raise InputError(
            f"{source}: data sets by name are read with ir_datasets, which is not installed: pip "
            "install ir_datasets (RS-CONV-49)"
        ) from None
    name = source.removeprefix(IR_DATASETS)
    try:
        data = ir_datasets.load(name)
        has = data.has_qrels() if table == "qrels" else data.has_scoreddocs()
        rows = (
            list(data.qrels_iter() if table == "qrels" else data.scoreddocs_iter()) if has else []
        )
    except KeyError:
        raise InputError(f"{source}: ir_datasets has no such data set (RS-CONV-49)") from None
    except Exception as error:  # noqa: BLE001 - of downloads, and of each data set
        raise InputError(f"{source}: ir_datasets cannot read it: {error} (RS-CONV-49)") from None
    if not rows:
        what = "qrels" if table == "qrels" else "scored documents, which would be a run"
        raise InputError(f"{source}: this data set has no {what} (RS-CONV-49)")
    return rows
