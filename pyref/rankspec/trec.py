"""TREC files: qrels, the relevance judgments, and runs, the scored results of a system.

=====  =================================  =========================================
file   columns, divided by blanks         read as
=====  =================================  =========================================
qrels  query iteration document label     {query: {document: label}}, labels int64
run    query Q0 document rank score tag   {query: {document: score}}, finite doubles
=====  =================================  =========================================

The iteration, the rank and the tag are not used: a run is ordered by its scores (RS-CONV-7).
Plain or gzip, LF or CRLF, tabs or spaces, in any order of lines; blank lines are skipped.
Ids may be any bytes: what is no UTF-8 becomes surrogates ("surrogateescape"), from which
:func:`id_bytes` has the bytes again.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any, TypeAlias, TypeVar

from .errors import InputError

Source: TypeAlias = "str | os.PathLike[str] | IO[bytes] | IO[str]"
"""Where a file is read from: a path, "-" for the standard input, or an open file."""

Value = TypeVar("Value", int, float)

INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True)
class Layout:
    """The columns of a kind of file, and those that are read: 0, `document` and `value`."""

    kind: str
    columns: tuple[str, ...]
    document: int
    value: int
    expected: str


QRELS = Layout("qrels", ("query", "iteration", "document", "label"), 2, 3, "an integer (int64)")
RUN = Layout("a run", ("query", "Q0", "document", "rank", "score", "tag"), 2, 4, "a finite number")


def read_qrels(source: Source, duplicates: str = "error") -> dict[str, dict[str, int]]:
    """The judgments of a qrels file, by query and document, in the order of the file.

    duplicates: which judgment of a document judged twice is kept: "first", "last" or "best";
        "error": none (RS-CONV-10)

    Raises InputError, with file and line, for whatever is no qrels file.
    """
    return _parse(*contents_of(source), QRELS, _label, duplicates)


def read_run(source: Source, duplicates: str = "error") -> dict[str, dict[str, float]]:
    """The scores of a run, by query and document, in the order of the file.

    duplicates: as of read_qrels(), for a document retrieved twice

    Raises InputError, with file and line, for whatever is no run.
    """
    return _parse(*contents_of(source), RUN, _score, duplicates)


def is_file(source: Any) -> bool:
    """Whether a value is a :data:`Source`."""
    return isinstance(source, (str, os.PathLike)) or hasattr(source, "read")


def id_bytes(identifier: str) -> bytes:
    """The bytes of an id, as they stand in a file."""
    return identifier.encode("utf-8", "surrogateescape")


def _label(token: bytes) -> int:
    label = int(token)
    if label not in INT64 or b"_" in token:  # int() takes 1_000
        raise ValueError
    return label


def _score(token: bytes) -> float:
    score = float(token)
    if not math.isfinite(score) or b"_" in token:
        raise ValueError
    return score


def _parse(
    name: str,
    data: bytes,
    layout: Layout,
    value_of: Callable[[bytes], Value],
    duplicates: str,
) -> dict[str, dict[str, Value]]:
    queries: dict[str, dict[str, Value]] = {}
    width, column, value_column = len(layout.columns), layout.document, layout.value
    query_bytes = b""  # of the line before: lines mostly come query by query
    documents: dict[str, Value] = {}
    for number, line in enumerate(data.split(b"\n"), start=1):
        fields = line.split()
        if len(fields) != width:
            if not fields:
                continue
            raise _wrong_columns(f"{name}:{number}", fields, layout)
        if fields[0] != query_bytes:
            query_bytes = fields[0]
            query = query_bytes.decode("utf-8", "surrogateescape")
            documents = queries.setdefault(query, {})
        document = fields[column].decode("utf-8", "surrogateescape")
        try:
            value = value_of(fields[value_column])
        except ValueError:
            raise InputError(
                f"{name}:{number}: the {layout.columns[value_column]} is "
                f"{shown(fields[value_column])}; expected {layout.expected}"
            ) from None
        if document not in documents:
            documents[document] = value
        elif duplicates == "error":
            raise _duplicate(name, data, number, layout)
        else:
            keep(duplicates, documents, document, value)
    if not queries:
        raise InputError(f"{name}: empty; expected {_expected(layout)}")
    return queries


def keep(rule: str, documents: dict[str, Any], document: str, value: Any) -> None:
    """One of two values of a document is kept, in its own place (RS-CONV-10)."""
    if rule == "last" or (rule == "best" and value > documents[document]):
        del documents[document]
        documents[document] = value


def _expected(layout: Layout) -> str:
    return f"the {len(layout.columns)} columns of {layout.kind}: {' '.join(layout.columns)}"


def _wrong_columns(place: str, fields: list[bytes], layout: Layout) -> InputError:
    found = f"{len(fields)} column{'s' if len(fields) > 1 else ''}, {shown(b' '.join(fields))}"
    other = RUN if layout is QRELS else QRELS
    hint = f" (these could be those of {other.kind})" if len(fields) == len(other.columns) else ""
    return InputError(f"{place}: found {found}{hint}; expected {_expected(layout)}")


def _duplicate(name: str, data: bytes, second: int, layout: Layout) -> InputError:
    """The error for a document given twice; the file is searched again for the first line."""
    lines = data.split(b"\n")

    def pair(line: bytes) -> list[bytes]:
        fields = line.split()
        return [fields[0], fields[layout.document]] if fields else []

    query, document = pair(lines[second - 1])
    first = next(number for number, line in enumerate(lines, 1) if pair(line) == [query, document])
    return InputError(
        f"{name}:{second}: document {shown(document)} of query {shown(query)} a second time; "
        f"it is in line {first} already (RS-CONV-10)"
    )


def shown(token: bytes | str, length: int = 60) -> str:
    """A text as messages quote it: printable, on one line, cut where it is long."""
    text = token if isinstance(token, str) else token[: 4 * length].decode("utf-8", "replace")
    quoted = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:length])
    return f'"{quoted}{"..." if len(text) > length else ""}"'


def contents_of(source: Source) -> tuple[str, bytes]:
    """The name of a source, for messages, and its bytes, decompressed."""
    name, data = _bytes(source)
    if data[:2] == b"\x1f\x8b":
        data = _decompressed(name, data)
    for magic, program in _UNREAD.items():
        if data.startswith(magic):
            raise InputError(f"{name}: compressed by {program}; expected plain text or gzip")
    nul = data.find(b"\0")
    if nul >= 0:
        line = data.count(b"\n", 0, nul) + 1
        raise InputError(f"{name}:{line}: found a NUL byte; expected plain text or gzip")
    return name, data.removeprefix(b"\xef\xbb\xbf")  # a byte order mark is no part of an id


_UNREAD = {b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}


def _bytes(source: Source) -> tuple[str, bytes]:
    if isinstance(source, (str, os.PathLike)):
        name = os.fspath(source)
        if name == "-":
            if sys.stdin is None:
                raise InputError("standard input: closed")
            return "standard input", sys.stdin.buffer.read()
        try:
            with open(name, "rb") as file:  # noqa: PTH123  (pathlib would cost start-up time)
                return name, file.read()
        except IsADirectoryError:
            raise InputError(f"{name}: a directory; expected a file") from None
        except OSError as error:
            raise InputError(f"{name}: cannot be read: {error.strerror}") from None
        except ValueError as error:  # a NUL byte in a path
            raise InputError(f"{shown(name)}: cannot be read: {error}") from None
    content = source.read()
    opened = getattr(source, "name", None)
    return (
        opened if isinstance(opened, str) else "the open file",
        content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"),
    )


def _decompressed(name: str, data: bytes) -> bytes:
    import gzip
    import io
    import zlib

    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return file.read()
    except EOFError:
        raise InputError(f"{name}: the gzip data end too early: the file is cut short") from None
    except (OSError, zlib.error) as error:
        raise InputError(f"{name}: the gzip data are damaged: {error}") from None
