"""Qrels and runs in other files than TREC's: tables with names of columns, lines of few columns.

Each function makes Columns of the bytes of a file, and says file and line of what is wrong.
Spec: RS-CONV-48
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from itertools import accumulate, chain, count, islice
from math import isfinite
from typing import Any, NamedTuple, NoReturn, TypeAlias

from ..errors import InputError, shown_text
from . import trec
from .column_names import Wanted
from .columns import Columns, Ids, Origin, Ungrouped
from .data_frames import columns_of
from .limits import FREE, RATIO, TOKEN

BLANKS = " \t\v\f\r"  # RS-CONV-19
_FIELD = 1 << 30  # of the csv module: what is longer than RS-CONV-30 admits is said in our words


class Rows:
    """The rows of a file as they are read: ids, numbers, and the line of each.

    place: of a row, for messages: the name of the file, and the line
    column: the name of the column of numbers; check: what they must be as a whole
    """

    def __init__(
        self, name: str, wanted: Wanted, place: Callable[[str, int], str] = "{}:{}".format
    ) -> None:
        self.name = name
        self.wanted = wanted
        self.column = ""
        self.check: Callable[[Rows], None] = lambda _: None
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

    def add_columns(
        self,
        queries: Iterable[str],
        documents: Iterable[str],
        numbers: Iterable[Any],
        lines: Iterable[int],
    ) -> None:
        self.queries += queries
        self.documents += documents
        self.numbers += numbers
        self.lines += lines

    def add_object(self, line: int, row: dict[str, Any], by_role: dict[str, str]) -> None:
        """A row that is an object of JSON; by_role: the keys that count."""
        place, number = self._place(self.name, line), self.wanted.number
        cells = {role: _value(place, row, role, key) for role, key in by_role.items()}
        self.queries.append(_id(place, by_role, "query", cells))
        self.documents.append(_id(place, by_role, "document", cells))
        self.lines.append(line)
        if number is not None:
            self.numbers.append(_number(place, by_role[number], number, cells[number]))

    def whole_queries(self) -> Rows:
        """The rows but for those of the last query, more of which may follow; these are left."""
        last, cut = self.queries[-1], len(self.queries)
        while cut and self.queries[cut - 1] == last:
            cut -= 1
        found = Rows(self.name, self.wanted, self._place)
        found.column, found.check = self.column, self.check
        for name in ("queries", "documents", "numbers", "lines"):
            rows = getattr(self, name)
            setattr(found, name, rows[:cut])
            del rows[:cut]
        return found

    def columns(self) -> Columns:
        """The rows by column."""
        number = self.wanted.number
        if not self.queries:
            raise without_rows(self.name, self.wanted)
        self.check(self)
        lines, place = self.lines, self._place
        origin = Origin(self.name, (lambda a: place(self.name, lines[a])) if lines else None)
        queries, documents = _ids(self.queries, origin), _ids(self.documents, origin)
        if number is None:
            return Columns(queries, documents, None, origin=origin)
        numbers = _array(self.numbers, number)
        return Columns(queries, documents, numbers, number, origin, self.column)


Reader = Callable[[Rows, Iterator[bytes]], Iterator[None]]
"""Reads the rows of a file into Rows, from texts that end with a line, and pauses now and then."""

BLOCK = 1 << 16  # rows; whole queries are collected until there are so many


def whole(reader: Reader, name: str, content: bytes, wanted: Wanted) -> Columns:
    """All rows of a file."""
    found = Rows(name, wanted)
    for _ in reader(found, iter([content])):
        pass
    return found.columns()


def in_blocks(
    reader: Reader, name: str, texts: Iterator[bytes], wanted: Wanted
) -> Generator[Columns]:
    """The same in blocks of whole queries, if the rows of each stand together."""
    found = Rows(name, wanted)
    for _ in reader(found, texts):
        if len(found.queries) >= BLOCK:
            block = found.whole_queries()
            if block.queries:
                yield block.columns()
    yield found.columns()


def _ids(texts: list[str], origin: Origin) -> Ids:
    """Ids, each different one once; an InputError for one that is too long."""
    try:
        import numpy as np
    except ImportError:
        raise InputError(
            f"{origin.source}: reading tables from files needs numpy, which is not installed; "
            "pip install numpy (RS-CONV-48)"
        ) from None

    numbers = dict(zip(dict.fromkeys(texts), count(), strict=False))
    codes = np.fromiter(map(numbers.__getitem__, texts), np.int64, len(texts))
    for x in numbers:
        if len(x) > TOKEN.value // 4:
            _check_size(origin.row(texts.index(x)), "id", _bytes(x))
    return Ids.of_texts(list(numbers), codes)


def _check_size(place: str, what: str, content: bytes) -> None:
    if len(content) > TOKEN.value:
        a = "an" if what == "id" else "a"
        raise TOKEN.exceeded(place, f"{a} {what} of {len(content)} bytes", TOKEN.value)


def _array(numbers: list[Any], number: str) -> Any:
    """Integers where all are, and else doubles."""
    import numpy as np

    whole = number != "score" and all(type(x) is int for x in numbers)
    return np.array(numbers, dtype=np.int64 if whole else np.float64)


# ---- CSV and TSV ---------------------------------------------------------------------------


def read_csv(found: Rows, texts: Iterator[bytes], delimiters: str = ",;") -> Iterator[None]:
    """A table of lines whose first names the columns."""
    name, wanted = found.name, found.wanted
    reader = _reader(name, texts, delimiters)
    _, header, wrong = _lines_of(name, reader, 1)
    if wrong is not None:
        raise wrong
    if not header:
        raise InputError(f"{name}: empty; expected a line with the names of columns")
    names = [x.strip() for x in header[0]]
    by_role = wanted.among(names, name)
    found.column = by_role.get(wanted.number or "", "")
    table = _Table({role: names.index(x) for role, x in by_role.items()}, len(names), by_role)
    lines, cells, wrong = _lines_of(name, reader, LINES)
    while cells or wrong:
        if not _add_at_once(found, lines, cells, table):
            _add_cells(found, lines, cells, table)
        if wrong is not None:
            raise wrong
        yield
        lines, cells, wrong = _lines_of(name, reader, LINES)


class _Table(NamedTuple):
    """Where the cells of each role are, how many a line has, and what their columns are called."""

    places: dict[str, int]
    width: int
    by_role: dict[str, str]


def _add_at_once(found: Rows, lines: Sequence[int], cells: Cells, table: _Table) -> bool:
    """Add the rows by column; False: there is something about them, and none was added."""
    number = found.wanted.number
    if set(map(len, cells)) != {table.width}:
        return False
    columns = {role: [x[at].strip(BLANKS) for x in cells] for role, at in table.places.items()}
    tokens = [] if number is None else list(map(_bytes, columns[number]))
    numbers = [] if number is None else _numbers_at_once(tokens, number)
    if numbers is None or not (all(columns["query"]) and all(columns["document"])):
        return False
    found.add_columns(columns["query"], columns["document"], numbers, lines)
    return True


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _numbers_at_once(tokens: Sequence[bytes], number: str) -> list[Any] | None:
    """The numbers of these bytes, as _NUMBERS has them; None: one is none, or not plainly one."""
    if max(map(len, tokens), default=0) > TOKEN.value:
        return None
    try:
        if number == "score":  # trec.decimal() of each
            numbers = list(map(float, tokens))
            return numbers if isfinite(sum(numbers)) and b"_" not in b"".join(tokens) else None
        value_of = _NUMBERS[number]
        values = {x: value_of(x) for x in set(tokens)}
    except ValueError:
        return None
    return [values[x] for x in tokens]


def _add_cells(found: Rows, lines: Sequence[int], rows: Cells, table: _Table) -> None:
    """Add the rows one by one, or say what is wrong with the first that is no row."""
    name, number, by_role = found.name, found.wanted.number, table.by_role
    query, document = table.places["query"], table.places["document"]
    value_of = _NUMBERS.get(number or "", trec.decimal)
    for line, cells in zip(lines, rows, strict=True):
        if len(cells) != table.width:
            raise _cells(f"{name}:{line}", cells, table.width)
        x, y = cells[query].strip(BLANKS), cells[document].strip(BLANKS)
        if not x or not y:
            role = "document" if x else "query"
            raise _empty(f"{name}:{line}", role, by_role[role])
        found.queries.append(x)
        found.documents.append(y)
        found.lines.append(line)
        if number is not None:
            cell = cells[table.places[number]]
            _check_size(f"{name}:{line}", number, _bytes(cell))
            try:
                found.numbers.append(value_of(cell.strip(BLANKS).encode()))
            except ValueError:
                raise _no_number(f"{name}:{line}", number, by_role[number], cell) from None


_NUMBERS: dict[str, Callable[[bytes], Any]] = {
    "label": trec.any_label,
    "rank": trec.label_of,
    "score": trec.decimal,
}


Cells: TypeAlias = list[list[str]]
"""The cells of lines."""

LINES = 1 << 14  # which are read before they are looked at


def _reader(name: str, texts: Iterator[bytes], delimiters: str) -> Any:
    text = _text(name, next(texts, b""))
    first = next((line for line in text[: 1 << 16].splitlines() if line.strip()), "")
    delimiter = max(delimiters, key=first.count)
    more = chain([text], (_text(name, x) for x in texts))
    lines = chain.from_iterable(io.StringIO(x, newline="") for x in more)
    return csv.reader(lines, delimiter=delimiter, strict=True)


def _text(name: str, content: bytes) -> str:
    if (at := content.find(b"\0")) >= 0:
        raise trec.nul(f"{name}:{content.count(bytes([10]), 0, at) + 1}")
    return content.decode("utf-8", "surrogateescape")


def _lines_of(name: str, reader: Any, most: int) -> tuple[Sequence[int], Cells, InputError | None]:
    """The next lines that are not blank: the number of each, that of the first it stands in, and
    its cells; and what is wrong with the line after them. No lines: there are none left.
    """
    found: Cells = []
    wrong: InputError | None = None
    before = csv.field_size_limit(_FIELD)  # for all: so it is set for as long as lines are read
    try:
        while not found and wrong is None:
            begin = reader.line_num + 1
            cells: Cells = []
            try:
                cells.extend(islice(reader, most))  # of which those before an error stay
            except csv.Error as error:
                line = begin + sum(map(_height, cells))
                wrong = InputError(f"{name}:{line}: no cells of a table: {error} (RS-CONV-48)")
            if not cells:
                break
            lines, found = _without_blank(_numbers_of(begin, cells, reader.line_num), cells)
    finally:
        csv.field_size_limit(before)
    return (lines if found else ()), found, wrong


def _numbers_of(begin: int, cells: Cells, end: int) -> Sequence[int]:
    """The numbers of lines, of which the first is given, and the last that was read."""
    if end == begin + len(cells) - 1:
        return range(begin, end + 1)
    return list(accumulate(map(_height, cells[:-1]), initial=begin))


def _height(cells: list[str]) -> int:
    """How many lines a line of cells stands in."""
    return 1 + sum(len(_LINE_END.findall(x)) for x in cells)


_LINE_END = re.compile(r"\r\n|\r|\n")


def _without_blank(lines: Sequence[int], cells: Cells) -> tuple[Sequence[int], Cells]:
    if min(map(len, cells)) > 1:
        return lines, cells
    kept = [
        (line, x)
        for line, x in zip(lines, cells, strict=True)
        if len(x) > 1 or "".join(x).strip(BLANKS)
    ]
    return [line for line, _ in kept], [x for _, x in kept]


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


def read_json_lines(found: Rows, texts: Iterator[bytes]) -> Iterator[None]:
    """A JSON object a line; the keys of the first name the columns."""
    name, wanted = found.name, found.wanted
    by_role: dict[str, str] = {}
    for line, text in _numbered_lines(name, texts):
        if text is None:
            yield
        elif text.strip():
            row = _object(f"{name}:{line}", text)
            if not by_role:
                by_role = _columns_of_object(row, wanted, name)
                found.column = by_role.get(wanted.number or "", "")
            found.add_object(line, row, by_role)


def _columns_of_object(row: dict[str, Any], wanted: Wanted, name: str) -> dict[str, str]:
    """Return {what a column holds: its key}; where lists are nested, no name of a key helps."""
    try:
        return wanted.among(list(row), name)
    except InputError:
        nested = [key for key, x in row.items() if isinstance(x, (list, dict))]
        missing = [role for role in wanted.roles if len(wanted.candidates(role, list(row))) != 1]
        flat = len(row) - len(nested) - (len(wanted.roles) - len(missing))
        if not nested or flat >= len(missing):
            raise
        number = wanted.number or "number"
        raise InputError(
            f"{name}: {shown_text(nested[0])} is {_shown(row[nested[0]])}, nested in another; "
            f"expected {{query: {{document: {number}}}}}, or one row per query and document, a "
            f"flat object with the ids of both{f' and a {number}' * bool(wanted.number)}; "
            f"rs.evaluate_lists() takes {{query: list of ids}} (RS-CONV-48)"
        ) from None


def _numbered_lines(name: str, texts: Iterator[bytes]) -> Iterator[tuple[int, str | None]]:
    """The lines with their numbers, and None after those of each text."""
    line = 1
    for content in texts:
        for line, text in enumerate(_text(name, content).split("\n"), start=line):  # noqa: B020
            yield line, text
        yield line, None


def _object(place: str, text: str) -> dict[str, Any]:
    try:
        row = _DECODER.decode(text)
    except _Refused as error:
        raise InputError(f"{place}: {error} (RS-CONV-48)") from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"{place}: not valid JSON in column {error.colno} of the line: {error.msg} (RS-CONV-48)"
        ) from None
    except (ValueError, RecursionError):
        raise InputError(
            f"{place}: a number has thousands of digits, or lists are nested too deep (RS-CONV-48)"
        ) from None
    if not isinstance(row, dict):
        raise InputError(
            f"{place}: found {shown_text(text.strip())}; expected one JSON object per line "
            "(RS-CONV-48)"
        )
    return row


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [key for key, _ in pairs]
        twice = next(key for key in names if names.count(key) > 1)
        raise _Refused(f"the key {shown_text(twice)} occurs twice in one object")
    return found


def _constant(text: str) -> NoReturn:
    raise _Refused(f"{text} is not a JSON number")


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
            f"{place}: the {role} id in {shown_text(by_role[role])} is {_shown(x)}; expected a "
            "string or integer (RS-CONV-48)"
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
    return found.columns()


def _document(name: str, content: bytes) -> Any:
    try:
        return _DECODER.decode(_text(name, content))
    except _Refused as error:
        raise InputError(f"{name}: {error} (RS-CONV-48)") from None
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name}:{error.lineno}: not valid JSON in column {error.colno} of the line: "
            f"{error.msg} (RS-CONV-48)"
        ) from None
    except (ValueError, RecursionError):
        raise InputError(
            f"{name}: a number has thousands of digits, or lists are nested too deep (RS-CONV-48)"
        ) from None


def _of_records(name: str, rows: list[Any], wanted: Wanted) -> Columns:
    found, number = Rows(name, wanted, "{}[{}]".format), wanted.number
    by_role: dict[str, str] = {}
    for a, row in enumerate(rows):
        if not isinstance(row, dict):
            raise InputError(f"{name}[{a}]: found {_shown(row)}; expected an object (RS-CONV-48)")
        by_role = by_role or _columns_of_object(row, wanted, name)
        found.add_object(a, row, by_role)
    found.column = by_role.get(number or "", "")
    return found.columns()


# ---- lines of few columns ------------------------------------------------------------------


def read_ntcir(found: Rows, texts: Iterator[bytes]) -> Iterator[None]:
    """Judgments of NTCIR: query, document and a label as L2; a second column may be between."""
    name = found.name
    for lines in _fields(name, texts):
        for line, fields in lines:
            if len(fields) not in (3, 4) or not NTCIR_LABEL.fullmatch(fields[-1]):
                raise _line(f"{name}:{line}", fields, "the columns of NTCIR: query, document, L2")
            found.add(line, fields[0], fields[-2], trec.label_of(fields[-1][1:]))
        yield


NTCIR_LABEL = re.compile(rb"[Ll][0-9]{1,18}")


def read_msmarco(found: Rows, texts: Iterator[bytes]) -> Iterator[None]:
    """A run of MS MARCO: query, document, rank; the ranks of a query are 1, 2, ... in any order."""
    found.check = _check_ranks
    expected = "the columns of a run of MS MARCO: query, document, rank"
    yield from _read_triples(found, texts, "rank", expected)


def _check_ranks(found: Rows) -> None:
    """An InputError where the ranks of a query are not 1, 2, ..., each once; scores else, where
    these are wanted.
    """
    ranks: dict[str, dict[int, int]] = {}
    for query, rank, line in zip(found.queries, found.numbers, found.lines, strict=True):
        own = ranks.setdefault(query, {})
        if own.setdefault(rank, line) != line:
            raise InputError(
                f"{found.name}:{line}: rank {rank} of query {shown_text(query)} occurs a second "
                f"time; it is already in line {own[rank]}; {SCORES} (RS-CONV-48)"
            )
    for query, own in ranks.items():
        for rank, line in own.items():
            if not 1 <= rank <= len(own):
                raise InputError(
                    f"{found.name}:{line}: rank {rank} of query {shown_text(query)}, which has "
                    f"{len(own)} documents; expected 1 to {len(own)}, each once; {SCORES} "
                    "(RS-CONV-48)"
                )
    if found.wanted.number != "rank":
        found.numbers = [-rank for rank in found.numbers]


SCORES = 'if the third column is a score, give run_format="triples" (--run-format triples)'


def read_triples(found: Rows, texts: Iterator[bytes]) -> Iterator[None]:
    """Lines of three columns: query, document, label or score."""
    number = found.wanted.number
    expected = f"three columns: query, document, {number or 'number'}"
    yield from _read_triples(found, texts, number or "score", expected)


def _read_triples(
    found: Rows, texts: Iterator[bytes], number: str, expected: str
) -> Iterator[None]:
    name, value_of = found.name, _NUMBERS[number]
    for lines in _fields(name, texts):
        if not _add_triples_at_once(found, lines, number):
            for line, fields in lines:
                try:
                    query, document, value = fields
                    _check_size(f"{name}:{line}", number, value)
                    found.add(line, query, document, value_of(value))
                except ValueError:
                    fix = ""
                    if number == "rank" and len(fields) == 3 and trec.is_number(fields[2]):
                        fix = f"; {SCORES}"
                    raise _line(f"{name}:{line}", fields, expected + fix) from None
        yield


def _add_triples_at_once(found: Rows, lines: list[_Fields], number: str) -> bool:
    """Add the rows by column; False: there is something about them, and none was added."""
    if {len(fields) for _, fields in lines} != {3}:
        return False
    numbered, rows = zip(*lines, strict=True)
    queries, documents, tokens = zip(*rows, strict=True)
    numbers = _numbers_at_once(tokens, number)
    if numbers is None:
        return False
    found.add_columns(map(trec.id_of, queries), map(trec.id_of, documents), numbers, numbered)
    return True


_Fields: TypeAlias = tuple[int, list[bytes]]


def _fields(name: str, texts: Iterator[bytes]) -> Iterator[list[_Fields]]:
    """The columns of each line that is not blank, divided by blanks, and its number; by text."""
    before = 0
    for text in texts:
        found: list[_Fields] = []
        lines = text.split(b"\n")
        end = len(lines) if b"\0" not in text else text.count(b"\n", 0, text.index(0))
        for line, content in enumerate(lines[:end], start=before + 1):
            if fields := content.split(None, trec.MOST_COUNTED):
                found.append((line, fields))
        yield found
        if end < len(lines):
            raise trec.nul(f"{name}:{before + end + 1}")
        before += len(lines) - 1


def _line(place: str, fields: Sequence[bytes], expected: str) -> InputError:
    s = "" if len(fields) == 1 else "s"
    return InputError(
        f"{place}: found {len(fields)} column{s}, {shown_text(b' '.join(fields))}; expected "
        f"{expected} (RS-CONV-48)"
    )


# ---- Parquet -------------------------------------------------------------------------------


def read_parquet(name: str, content: bytes, wanted: Wanted) -> Columns:
    """A Parquet file, of which only the columns that count are read."""
    found = _of_table(name, _parquet_table(name, content, wanted), wanted)
    if not len(found):
        raise without_rows(name, wanted)
    return found


def parquet_in_blocks(name: str, file: Any, wanted: Wanted) -> Generator[Columns]:
    """The same in blocks of whole queries, if the rows of each stand together.

    file: open, and not compressed. Ungrouped: there is no pyarrow, which reads it so
    """
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise Ungrouped from None
    from .batches import whole_queries

    with _undamaged(name):
        opened = parquet.ParquetFile(file, pre_buffer=False)
        names = wanted.among(opened.schema_arrow.names, name)
        columns = list(dict.fromkeys(names.values()))
        _check_ratio(name, opened.metadata.num_rows * len(columns), file.seek(0, io.SEEK_END))
        batches = opened.iter_batches(BLOCK, columns=columns, use_threads=False)
        if not opened.metadata.num_rows:
            raise without_rows(name, wanted)
        for table in whole_queries(batches, names["query"], BLOCK):
            yield _of_table(name, table, wanted)


def _of_table(name: str, table: Any, wanted: Wanted) -> Columns:
    found = columns_of(table, replace(wanted, table=name))
    assert isinstance(found, Columns)  # noqa: S101 - an Arrow table has no objects of Python
    for role, ids in (("query", found.queries), ("document", found.documents)):
        if ids.offsets is not None and len(ids):
            _check_sizes(role, ids, found.origin)
    return found if found.numbers is None else replace(found, numbers=_as_in_lines(found))


def _check_sizes(role: str, ids: Ids, origin: Origin) -> None:
    """An InputError for the first id of rows that is empty, or longer than ids of files may be."""
    import numpy as np

    sizes = np.diff(ids.offsets)
    sizes = sizes if ids.codes is None else sizes[ids.codes]
    wrong = np.flatnonzero((sizes == 0) | (sizes > TOKEN.value))
    if len(wrong):
        place = origin.row(int(wrong[0]))
        _check_size(place, "id", bytes(int(sizes[wrong[0]])))
        raise _empty(place, role, ids.name)


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
    with _undamaged(name):
        file = parquet.ParquetFile(pyarrow.BufferReader(content))
        names = wanted.among(file.schema_arrow.names, name)
        columns = list(dict.fromkeys(names.values()))
        _check_ratio(name, file.metadata.num_rows * len(columns), len(content))
        return file.read(columns=columns)


def _polars_table(name: str, content: bytes, wanted: Wanted) -> Any:
    try:
        polars: Any = import_module("polars")
    except ImportError:
        raise InputError(
            f"{name}: reading Parquet needs pyarrow or polars, and neither is installed: pip "
            'install "rankspec[frames]"'
        ) from None
    with _undamaged(name):
        frame = polars.scan_parquet(io.BytesIO(content))
        names = wanted.among(frame.collect_schema().names(), name)
        columns = list(dict.fromkeys(names.values()))
        _check_ratio(name, frame.select(polars.len()).collect().item() * len(columns), len(content))
        return frame.select(columns).collect()


def _check_ratio(name: str, cells: int, size: int) -> None:
    """Raise InputError where a Parquet file of so many bytes states far more cells. RS-CONV-30"""
    most = RATIO.value
    if cells * BYTES_OF_A_CELL > max(FREE, most * size):
        cells_of = f"{cells} cells of {BYTES_OF_A_CELL} bytes in {size} bytes of Parquet"
        raise RATIO.exceeded(name, f"{cells_of}, more than {most} bytes for each", most)


BYTES_OF_A_CELL = 8  # a number, or an offset and a short id


@contextmanager
def _undamaged(name: str) -> Iterator[None]:
    """What may be wrong with Parquet data, in words."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - of several classes of pyarrow and polars
        why = " ".join(str(error).split())[:200]
        raise InputError(f"{name}: the Parquet data are damaged: {why} (RS-CONV-48)") from None
