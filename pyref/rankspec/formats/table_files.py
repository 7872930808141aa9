"""Qrels and runs in other files than TREC's: tables with names of columns, lines of few columns.

Each function makes Columns of the bytes of a file, and says file and line of what is wrong.
Spec: RS-CONV-48
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from math import isfinite
from typing import Any, NoReturn

from ..errors import InputError, shown_text
from . import trec
from .column_names import Wanted
from .columns import Columns, Ids, Origin
from .data_frames import columns_of
from .limits import TOKEN

_FIELD = 1 << 30  # of the csv module: what is longer than RS-CONV-30 admits is said in our words


class Rows:
    """The rows of a file as they are read: ids, numbers, and the line of each.

    place: of a row, for messages: the name of the file, and the line
    """

    def __init__(
        self, name: str, wanted: Wanted, place: Callable[[str, int], str] = "{}:{}".format
    ) -> None:
        self.name = name
        self.wanted = wanted
        self.queries: list[str] = []
        self.documents: list[str] = []
        self.numbers: list[Any] = []
        self.lines: list[int] = []
        self._place = place

    def add(self, line: int, query: bytes, document: bytes, number: Any) -> None:
        self.queries.append(trec.id_of(query))
        self.documents.append(trec.id_of(document))
        self.numbers.append(number)
        self.lines.append(line)

    def add_object(self, line: int, row: dict[str, Any], by_role: dict[str, str]) -> None:
        """A row that is an object of JSON; by_role: the keys that count."""
        place, number = self._place(self.name, line), self.wanted.number
        cells = {role: _value(place, row, role, key) for role, key in by_role.items()}
        self.queries.append(_id(place, by_role, "query", cells))
        self.documents.append(_id(place, by_role, "document", cells))
        self.lines.append(line)
        if number is not None:
            self.numbers.append(_number(place, by_role[number], number, cells[number]))

    def columns(self, number: str | None, name: str = "") -> Columns:
        """The rows by column; number: what the numbers are, and name: their column."""
        if not self.queries:
            raise without_rows(self.name, self.wanted)
        lines, place = self.lines, self._place
        origin = Origin(self.name, (lambda a: place(self.name, lines[a])) if lines else None)
        queries, documents = _ids(self.queries, origin), _ids(self.documents, origin)
        if number is None:
            return Columns(queries, documents, None, origin=origin)
        numbers = _array(self.numbers, number)
        return Columns(queries, documents, numbers, number, origin, name)


def _ids(texts: list[str], origin: Origin) -> Ids:
    """Ids, each different one once; an InputError for one that is empty or too long."""
    import numpy as np

    numbers: dict[str, int] = {}
    codes = np.fromiter((numbers.setdefault(x, len(numbers)) for x in texts), np.int64, len(texts))
    longest = TOKEN.value
    for x in numbers:
        if len(x) > longest // 4 and len(x.encode("utf-8", "surrogateescape")) > longest:
            place = origin.row(texts.index(x))
            raise TOKEN.exceeded(place, f"an id of {len(x)} characters", longest)
    return Ids.of_texts(list(numbers), codes)


def _array(numbers: list[Any], number: str) -> Any:
    """Integers where all are, and else doubles."""
    import numpy as np

    whole = number != "score" and all(type(x) is int for x in numbers)
    return np.array(numbers, dtype=np.int64 if whole else np.float64)


# ---- CSV and TSV ---------------------------------------------------------------------------


def read_csv(name: str, content: bytes, wanted: Wanted, delimiters: str = ",;") -> Columns:
    """A table of lines whose first names the columns."""
    reader = _reader(name, content, delimiters)
    lines = _lines_of(name, reader)
    _, header = next(lines, (0, None))
    if header is None:
        raise InputError(f"{name}: empty; expected a line with the names of columns")
    by_role = wanted.among([x.strip() for x in header], name)
    places = {role: [x.strip() for x in header].index(column) for role, column in by_role.items()}
    return _of_cells(name, lines, wanted, places, len(header), by_role)


def _of_cells(
    name: str,
    lines: Iterator[tuple[int, list[str]]],
    wanted: Wanted,
    places: dict[str, int],
    width: int,
    by_role: dict[str, str],
) -> Columns:
    found, number = Rows(name, wanted), wanted.number
    query, document = places["query"], places["document"]
    at = -1 if number is None else places[number]
    value_of = _NUMBERS.get(number or "", trec.decimal)
    for line, cells in lines:
        if len(cells) != width:
            raise _cells(f"{name}:{line}", cells, width)
        x, y = cells[query].strip(), cells[document].strip()
        if not x or not y:
            role = "document" if x else "query"
            raise _empty(f"{name}:{line}", role, by_role[role])
        found.queries.append(x)
        found.documents.append(y)
        found.lines.append(line)
        if at >= 0:
            try:
                found.numbers.append(value_of(cells[at].strip().encode()))
            except ValueError:
                raise _no_number(
                    f"{name}:{line}", number, by_role[number or ""], cells[at]
                ) from None
    return found.columns(number, by_role.get(number or "", ""))


_NUMBERS: dict[str, Callable[[bytes], Any]] = {
    "label": trec.any_label,
    "rank": trec.label_of,
    "score": trec.decimal,
}


def _reader(name: str, content: bytes, delimiters: str) -> Any:
    text = _text(name, content)
    first = next((line for line in text[: 1 << 16].splitlines() if line.strip()), "")
    delimiter = max(delimiters, key=first.count)
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)


def _text(name: str, content: bytes) -> str:
    if (at := content.find(b"\0")) >= 0:
        raise trec.nul(f"{name}:{content.count(bytes([10]), 0, at) + 1}")
    return content.decode("utf-8", "surrogateescape")


def _lines_of(name: str, reader: Any) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that is not blank, and its number: that of the first it stands in."""
    before = csv.field_size_limit(_FIELD)
    try:
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise InputError(f"{name}:{line}: no cells of a table: {error}") from None
            if cells and (len(cells) > 1 or cells[0].strip()):
                yield line, cells
    finally:
        csv.field_size_limit(before)


def _cells(place: str, cells: Sequence[str], width: int) -> InputError:
    s = "" if len(cells) == 1 else "s"
    return InputError(
        f"{place}: found {len(cells)} cell{s}, {shown_text(' | '.join(cells[:10]))}; the first "
        f"line names {width} columns (RS-CONV-48)"
    )


def _empty(place: str, role: str, column: str) -> InputError:
    return InputError(f"{place}: there is no {role} id in column {shown_text(column)} (RS-CONV-48)")


def _no_number(place: str, number: str | None, column: str, cell: str) -> InputError:
    kind = "a whole number, at most 2^53" if number == "rank" else "a finite number"
    return InputError(
        f"{place}: the {number} in column {shown_text(column)} is {shown_text(cell)}; expected "
        f"{kind} (RS-CONV-48)"
    )


# ---- JSON lines ----------------------------------------------------------------------------


def without_rows(name: str, wanted: Wanted) -> InputError:
    """The error for a file without a row, whatever its format."""
    return InputError(f"{name}: it has no rows; expected rows of {wanted.table} (RS-CONV-48)")


class _Refused(ValueError):
    """What JSON admits, or Python's reader of it, and this does not."""


def read_json_lines(name: str, content: bytes, wanted: Wanted) -> Columns:
    """A JSON object a line; the keys of the first name the columns."""
    found, number = Rows(name, wanted), wanted.number
    by_role: dict[str, str] = {}
    for line, text in enumerate(_text(name, content).split("\n"), start=1):
        if not text.strip():
            continue
        row = _object(f"{name}:{line}", text)
        by_role = by_role or wanted.among(list(row), name)
        found.add_object(line, row, by_role)
    return found.columns(number, by_role.get(number or "", ""))


def _object(place: str, text: str) -> dict[str, Any]:
    try:
        row = _DECODER.decode(text)
    except _Refused as error:
        raise InputError(f"{place}: {error} (RS-CONV-48)") from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"{place}: no JSON in column {error.colno} of the line: {error.msg} (RS-CONV-48)"
        ) from None
    except (ValueError, RecursionError):
        raise InputError(
            f"{place}: a number of thousands of digits, or lists in too many others (RS-CONV-48)"
        ) from None
    if not isinstance(row, dict):
        raise InputError(
            f"{place}: found {shown_text(text.strip())}; expected a JSON object a line (RS-CONV-48)"
        )
    return row


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for key in names if names.count(key) > 1)
        raise _Refused(f"the key {shown_text(twice)} is twice in one object")
    return found


def _constant(text: str) -> NoReturn:
    raise _Refused(f"{text} is no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_constant)
"""Made once: json.loads() would make one for each line."""


def _value(place: str, row: dict[str, Any], role: str, key: str) -> Any:
    if row.get(key) is None:
        what = role if role in _NUMBERS else f"{role} id"
        why = "is null" if key in row else "is not there"
        raise InputError(f"{place}: there is no {what}: {shown_text(key)} {why} (RS-CONV-48)")
    return row[key]


def _id(place: str, by_role: dict[str, str], role: str, cells: dict[str, Any]) -> str:
    x = cells[role]
    text = str(x) if type(x) is int else x
    if not isinstance(text, str) or not text or not _is_utf8(text):
        raise InputError(
            f"{place}: the {role} id in {shown_text(by_role[role])} is {_shown(x)}; ids are texts "
            "or integers (RS-CONV-48)"
        )
    return text


def _is_utf8(text: str) -> bool:
    """Whether a text has bytes of its own: an escape may be half of a pair of surrogates."""
    try:
        return text.isascii() or trec.canonical_id(text) == text
    except InputError:
        return False


def _number(place: str, column: str, number: str, x: Any) -> Any:
    whole = type(x) is int and x in trec.INT64
    with suppress(OverflowError):
        if number == "score" and type(x) in (int, float) and isfinite(float(x)):
            return float(x)
    if whole or (number == "label" and type(x) is float and isfinite(x)):
        return x
    kind = "a whole number" if number == "rank" else "a finite number, or an integer of 64 bits"
    raise InputError(
        f"{place}: the {number} in {shown_text(column)} is {_shown(x)}; expected {kind} "
        "(RS-CONV-48)"
    )


def _shown(x: Any) -> str:
    if isinstance(x, (list, dict)):
        return "a list" if isinstance(x, list) else "an object"
    return shown_text(json.dumps(x, ensure_ascii=False))[1:-1]


# ---- JSON ----------------------------------------------------------------------------------


def read_json(name: str, content: bytes, wanted: Wanted) -> Columns:
    """An object {query: {document: number}}, or a list of objects of which each is a row."""
    document = _document(name, content)
    if isinstance(document, list):
        return _of_records(name, document, wanted)
    if not isinstance(document, dict):
        raise InputError(
            f"{name}: found {_shown(document)}; expected {{query: {{document: "
            f"{wanted.number or 'number'}}}}}, or a list of objects (RS-CONV-48)"
        )
    found, number = Rows(name, wanted), wanted.number or "score"
    for query, documents in document.items():
        if not isinstance(documents, dict):
            raise InputError(
                f"{name}: query {shown_text(query)}: found {_shown(documents)}; expected an object "
                f"{{document: {number}}} (RS-CONV-48)"
            )
        for x, value in documents.items():
            place = f"{name}: query {shown_text(query)}"
            keys = {"query": query, "document": x}
            found.queries.append(_id(place, keys, "query", keys))
            found.documents.append(_id(place, keys, "document", keys))
            if wanted.number is not None:
                found.numbers.append(_number(place, x, number, value))
    return found.columns(wanted.number)


def _document(name: str, content: bytes) -> Any:
    try:
        return _DECODER.decode(_text(name, content))
    except _Refused as error:
        raise InputError(f"{name}: {error} (RS-CONV-48)") from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name}:{error.lineno}: no JSON in column {error.colno} of the line: {error.msg} "
            "(RS-CONV-48)"
        ) from None
    except (ValueError, RecursionError):
        raise InputError(
            f"{name}: a number of thousands of digits, or lists in too many others (RS-CONV-48)"
        ) from None


def _of_records(name: str, rows: list[Any], wanted: Wanted) -> Columns:
    found, number = Rows(name, wanted, "{}[{}]".format), wanted.number
    by_role: dict[str, str] = {}
    for a, row in enumerate(rows):
        if not isinstance(row, dict):
            raise InputError(f"{name}[{a}]: found {_shown(row)}; expected an object (RS-CONV-48)")
        by_role = by_role or wanted.among(list(row), name)
        found.add_object(a, row, by_role)
    return found.columns(number, by_role.get(number or "", ""))


# ---- lines of few columns ------------------------------------------------------------------


def read_ntcir(name: str, content: bytes, wanted: Wanted) -> Columns:
    """Judgments of NTCIR: query, document and a label as L2; a second column may be between."""
    found = Rows(name, wanted)
    for line, fields in _fields(name, content):
        if len(fields) not in (3, 4) or not NTCIR_LABEL.fullmatch(fields[-1]):
            raise _line(f"{name}:{line}", fields, "the columns of NTCIR: query, document, L2")
        found.add(line, fields[0], fields[-2], trec.label_of(fields[-1][1:]))
    return found.columns(wanted.number)


NTCIR_LABEL = re.compile(rb"[Ll][0-9]{1,18}")


def read_msmarco(name: str, content: bytes, wanted: Wanted) -> Columns:
    """A run of MS MARCO: query, document, rank; the ranks of a query are 1, 2, ... in any order."""
    found = Rows(name, wanted)
    for line, fields in _fields(name, content):
        try:
            query, document, rank = fields
            found.add(line, query, document, trec.label_of(rank))
        except ValueError:
            raise _line(
                f"{name}:{line}", fields, "the columns of a run of MS MARCO: query, document, rank"
            ) from None
    _check_ranks(found)
    if wanted.number != "rank":
        found.numbers = [-rank for rank in found.numbers]
    return found.columns(wanted.number)


def _check_ranks(found: Rows) -> None:
    """An InputError where the ranks of a query are not 1, 2, ..., each once."""
    ranks: dict[str, dict[int, int]] = {}
    for query, rank, line in zip(found.queries, found.numbers, found.lines, strict=True):
        own = ranks.setdefault(query, {})
        if own.setdefault(rank, line) != line:
            raise InputError(
                f"{found.name}:{line}: rank {rank} of query {shown_text(query)} a second time; it "
                f"is in line {own[rank]} already{SCORES}"
            )
    for query, own in ranks.items():
        for rank, line in own.items():
            if not 1 <= rank <= len(own):
                raise InputError(
                    f"{found.name}:{line}: rank {rank} of query {shown_text(query)}, which has "
                    f"{len(own)} documents; expected 1 to {len(own)}, each once{SCORES}"
                )


SCORES = '; of scores it is format "triples" (RS-CONV-48)'


def read_triples(name: str, content: bytes, wanted: Wanted) -> Columns:
    """Lines of three columns: query, document, label or score."""
    found, number = Rows(name, wanted), wanted.number
    value_of = _NUMBERS.get(number or "", trec.decimal)
    for line, fields in _fields(name, content):
        try:
            query, document, value = fields
            found.add(line, query, document, value_of(value))
        except ValueError:
            raise _line(
                f"{name}:{line}", fields, f"three columns: query, document, {number or 'number'}"
            ) from None
    return found.columns(number)


def _fields(name: str, content: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """The columns of each line that is not blank, divided by blanks, and its number."""
    for number, line in enumerate(content.split(b"\n"), start=1):
        fields = line.split(None, trec.MOST_COUNTED)
        if b"\0" in line:
            raise trec.nul(f"{name}:{number}")
        if fields:
            yield number, fields


def _line(place: str, fields: Sequence[bytes], expected: str) -> InputError:
    s = "" if len(fields) == 1 else "s"
    return InputError(
        f"{place}: found {len(fields)} column{s}, {shown_text(b' '.join(fields))}; expected "
        f"{expected} (RS-CONV-48)"
    )


# ---- Parquet -------------------------------------------------------------------------------


def read_parquet(name: str, content: bytes, wanted: Wanted) -> Columns:
    """A Parquet file, of which only the columns that count are read."""
    table = _parquet_table(name, content, wanted)
    found = columns_of(table, replace(wanted, table=name))
    assert isinstance(found, Columns)  # noqa: S101 - an Arrow table has no objects of Python
    if not len(found):
        raise without_rows(name, wanted)
    return found if found.numbers is None else replace(found, numbers=_as_in_lines(found))


def _as_in_lines(columns: Columns) -> Any:
    """The numbers that lines of text would be read to: a score is a double. RS-CONV-48"""
    numbers = columns.numbers
    unsigned = columns.number == "label" and numbers.dtype.kind == "u" and len(numbers)
    if columns.number == "score" or (unsigned and int(numbers.max()) not in trec.INT64):
        return numbers.astype("float64", copy=False)
    return numbers


def _parquet_table(name: str, content: bytes, wanted: Wanted) -> Any:
    """A table of Arrow, or a frame of polars where only that is installed."""
    try:
        pyarrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        return _polars_table(name, content, wanted)
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(content))
        names = wanted.among(file.schema_arrow.names, name)
        return file.read(columns=list(dict.fromkeys(names.values())))
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - of several classes of pyarrow
        raise _damaged(name, error) from None


def _polars_table(name: str, content: bytes, wanted: Wanted) -> Any:
    try:
        polars: Any = import_module("polars")
    except ImportError:
        raise InputError(
            f"{name}: a Parquet file, which is read with pyarrow or polars; neither is installed: "
            'pip install "rankspec[frames]"'
        ) from None
    try:
        frame = polars.scan_parquet(io.BytesIO(content))
        names = wanted.among(frame.collect_schema().names(), name)
        return frame.select(list(dict.fromkeys(names.values()))).collect()
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - of several classes of polars
        raise _damaged(name, error) from None


def _damaged(name: str, error: Exception) -> InputError:
    why = " ".join(str(error).split())[:200]
    return InputError(f"{name}: the Parquet data are damaged: {why} (RS-CONV-48)")
