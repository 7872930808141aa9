"""TREC files: qrels, the relevance judgments, and runs, the scored results of a system.

=====  =================================  =========================================
file   columns, divided by blanks         read as
=====  =================================  =========================================
qrels  query iteration document label     {query: {document: label}}, labels int64
run    query Q0 document rank score tag   {query: {document: score}}, finite doubles
=====  =================================  =========================================

The iteration, the rank and the tag are not used: a run is ordered by its scores (RS-CONV-7).
LF or CRLF, tabs or spaces, in any order of lines; blank lines are skipped.
Spec: RS-CONV-19. This reading makes a dictionary of a whole file; the C core reads the same files
in pieces (:mod:`rankspec.reader`), and leaves the words for what is wrong to this module.
Ids may be any bytes: what is no UTF-8 becomes surrogates ("surrogateescape"), from which
:func:`id_bytes` has the bytes again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from .errors import InputError, shown_text
from .streams import Source, Stream

Value = TypeVar("Value", int, float)

MOST_COUNTED = 100  # columns of a line
LONE_CR = " (a CR that no LF follows ends no line)"

INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True)
class Layout:
    """The columns of a kind of file, and those that are read: 0, `document` and `value`.

    expected: of a value, for messages; if_decimal: what else a decimal may have been meant to be;
    of: what column 0 holds; others: what else the file might have been
    """

    kind: str
    columns: tuple[str, ...]
    document: int
    value: int
    expected: str
    if_decimal: str = ""
    of: str = "query"
    others: str = ""


QRELS = Layout(
    "qrels",
    ("query", "iteration", "document", "label"),
    2,
    3,
    "an integer (int64)",
    ', or relevance="phi" (RS-CONV-20)',
)
SCORED_QRELS = replace(QRELS, expected="a finite number", if_decimal="")
RUN = Layout("a run", ("query", "Q0", "document", "rank", "score", "tag"), 2, 4, "a finite number")


def read_qrels(
    source: Source, duplicates: str = "error", decimals: bool = False
) -> dict[str, dict[str, Any]]:
    """The judgments of a qrels file, by query and document, in the order of the file.

    duplicates: which judgment of a document judged twice is kept: "first", "last" or "best";
        "error": none (RS-CONV-10)
    decimals: whether labels are scores: any decimals, which make all labels of the file doubles
        (RS-CONV-20)

    Raises InputError, with file and line, for whatever is no qrels file.
    """
    stream = Stream(source)
    return parse_qrels(stream.name, stream.content(), duplicates, decimals=decimals)


def read_run(source: Source | Stream, duplicates: str = "error") -> dict[str, dict[str, float]]:
    """The scores of a run, by query and document, in the order of the file.

    duplicates: as of read_qrels(), for a document retrieved twice

    Raises InputError, with file and line, for whatever is no run.
    """
    stream = source if isinstance(source, Stream) else Stream(source)
    return parse_run(stream.name, stream.content(), duplicates)


def parse_qrels(
    name: str,
    text: bytes,
    duplicates: str = "error",
    *,
    decimals: bool = False,
    layout: Layout = QRELS,
) -> dict[str, dict[str, Any]]:
    """As read_qrels(), of bytes; name: of the file, and layout: its words, for messages."""
    if not decimals:
        return _parse(name, text, layout, label_of, duplicates)
    with suppress(InputError):
        return _parse(name, text, SCORED_QRELS, label_of, duplicates)
    return _parse(name, text, SCORED_QRELS, _label_as_double, duplicates)


def parse_run(
    name: str, text: bytes, duplicates: str = "error", lines_before: int = 0
) -> dict[str, dict[str, float]]:
    """As read_run(), of bytes; name and lines_before: of the file, for messages."""
    return _parse(name, text, RUN, decimal, duplicates, lines_before)


def parse_numbers(name: str, text: bytes) -> dict[str, int | float]:
    """The scores of a file of one number a line, by the numbers of their lines.

    As labels that are scores: doubles where one of them is no whole number.
    """
    try:
        return dict(_numbers(name, text, label_of))
    except InputError:
        return dict(_numbers(name, text, _label_as_double))


def _numbers(
    name: str, text: bytes, value_of: Callable[[bytes], Value]
) -> Iterator[tuple[str, Value]]:
    first = True
    for number, line in enumerate(text.split(b"\n"), start=1):
        token = line.strip()
        if not token:
            continue
        if b"\0" in token:
            raise nul(f"{name}:{number}")
        try:
            yield str(number), value_of(token)
        except ValueError:
            why = "; a header is not read" if first else ", as the first line is one"
            why = lone_cr(line) or why
            raise InputError(
                f"{name}:{number}: the score is {shown_text(token)}; expected a finite number{why}"
            ) from None
        first = False


def id_bytes(identifier: str) -> bytes:
    """The bytes of an id, as they stand in a file."""
    return identifier.encode("utf-8", "surrogateescape")


def canonical_id(identifier: str) -> str:
    """The id as it is read from a file: of texts with the same bytes, the same one."""
    try:
        return id_of(id_bytes(identifier))
    except UnicodeEncodeError:
        raise InputError(f"the id {identifier!a} has no bytes in UTF-8") from None


def id_of(token: bytes) -> str:
    """The id of these bytes."""
    return token.decode("utf-8", "surrogateescape")


def label_of(token: bytes) -> int:
    digits = token[1:] if token[:1] in (b"+", b"-") else token
    significant = digits.lstrip(b"0")  # Python refuses to read thousands of digits, zeros or not
    if not digits.isdigit() or len(significant) > 19:
        raise ValueError
    label = int(significant or b"0") * (-1 if token[:1] == b"-" else 1)
    if label not in INT64:
        raise ValueError
    return label


def _label_as_double(token: bytes) -> float:
    with suppress(ValueError):
        return float(label_of(token))
    return decimal(token)


def decimal(token: bytes) -> float:
    """The double nearest to a decimal, or a ValueError."""
    x = float(token)
    if not math.isfinite(x) or b"_" in token:
        raise ValueError
    return x


def _parse(
    name: str,
    data: bytes,
    layout: Layout,
    value_of: Callable[[bytes], Value],
    duplicates: str,
    lines_before: int = 0,
) -> dict[str, dict[str, Value]]:
    queries: dict[str, dict[str, Value]] = {}
    width, column, value_column = len(layout.columns), layout.document, layout.value
    query_bytes = b""  # of the line before: lines mostly come query by query
    documents: dict[str, Value] = {}
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=lines_before + 1):
        fields = line.split(None, MOST_COUNTED)
        if b"\0" in line:
            raise nul(f"{name}:{number}")
        if len(fields) != width:
            if not fields:
                continue
            cut = len(fields) < width and number == lines_before + len(lines)
            raise _wrong_columns(f"{name}:{number}", fields, layout, cut, lone_cr(line))
        if fields[0] != query_bytes:
            query_bytes = fields[0]
            query = id_of(query_bytes)
            documents = queries.setdefault(query, {})
        document = id_of(fields[column])
        try:
            value = value_of(fields[value_column])
        except ValueError:
            raise InputError(
                f"{name}:{number}: the {layout.columns[value_column]} is "
                f"{shown_text(fields[value_column])}; expected {layout.expected}"
                f"{layout.if_decimal if _is_decimal(fields[value_column]) else ''}"
            ) from None
        if document not in documents:
            documents[document] = value
        elif duplicates == "error":
            raise _duplicate(name, lines, number, layout, lines_before)
        else:
            keep(duplicates, documents, document, value)
    if not queries:
        raise empty(name, layout)
    return queries


def _is_decimal(label: bytes) -> bool:
    try:
        decimal(label)
    except ValueError:
        return False
    return True


def keep(rule: str, documents: dict[str, Any], document: str, value: Any) -> None:
    """One of two values of a document is kept, in its own place (RS-CONV-10)."""
    if rule == "last" or (rule == "best" and value > documents[document]):
        del documents[document]
        documents[document] = value


def nul(place: str) -> InputError:
    """The error for a byte that no text has."""
    return InputError(f"{place}: found a NUL byte; expected text, plain or compressed")


def _expected(layout: Layout) -> str:
    columns = " ".join(layout.columns)
    return f"the {len(layout.columns)} columns of {layout.kind}: {columns}{layout.others}"


def empty(name: str, layout: Layout, *others: str) -> InputError:
    """The error for a file without a line; others: what else it might have been."""
    return InputError(f"{name}: empty; expected {', or '.join([_expected(layout), *others])}")


def lone_cr(line: bytes) -> str:
    """What to say of a line that has CR within, as the line ends of a file may be."""
    return LONE_CR if b"\r" in line.strip() else ""


def _wrong_columns(
    place: str, fields: list[bytes], layout: Layout, cut: bool, why: str
) -> InputError:
    number = len(fields) if len(fields) <= MOST_COUNTED else f"more than {MOST_COUNTED}"
    columns = "column" if number == 1 else "columns"
    found = f"{number} {columns}, {shown_text(b' '.join(fields))}"
    other = QRELS if layout is RUN else RUN
    if len(fields) == len(other.columns):
        found += f" (these could be those of {other.kind})"
    elif cut:
        found += " (the last line, and without a line end: is the file cut short?)"
    return InputError(f"{place}: found {found}{why}; expected {_expected(layout)}")


def _duplicate(
    name: str, lines: list[bytes], second: int, layout: Layout, lines_before: int
) -> InputError:
    """The error for a document given twice; the lines are searched again for the first."""
    pair = pair_of(lines[second - lines_before - 1], layout)
    first = next(a for a, line in enumerate(lines, 1) if pair_of(line, layout) == pair)
    return duplicate(name, second, lines_before + first, pair, layout.of)


def pair_of(line: bytes, layout: Layout) -> tuple[bytes, bytes]:
    """The query and the document of a line; two empty ids if it has none."""
    fields = line.split()
    return (fields[0], fields[layout.document]) if len(fields) > layout.document else (b"", b"")


def duplicate(
    name: str, second: int, first: int, pair: tuple[bytes, bytes], of: str = "query"
) -> InputError:
    """The error for a document given twice, in the lines of these numbers; of: what has it."""
    query, document = pair
    return InputError(
        f"{name}:{second}: document {shown_text(document)} of {of} {shown_text(query)} a second "
        f"time; it is in line {first} already (RS-CONV-10)"
    )
