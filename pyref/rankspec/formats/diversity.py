"""Judgments with a label for each subtopic, and the probabilities of subtopics.

=============  ===================================  ==============================================
file           columns, divided by blanks           read as
=============  ===================================  ==============================================
qrels          query subtopic document label        {query: {document: {subtopic: label}}}
probabilities  query subtopic probability [inf|nav]  {query: {subtopic: weight}}
=============  ===================================  ==============================================

The first is what ndeval reads, and NTCIREVAL with labels L0, L1, ...; the second is NTCIREVAL's.
Spec: RS-DIV-20.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from typing import Any, TypeAlias

from ..compute.gain import exact
from ..errors import InputError, items_of, shown, shown_text
from ..reference.numbers.reals import Exact
from . import trec
from .data_frames import computed, is_of_columns, reading
from .frames import Label, checked_label, snapshot
from .ids import as_id, by_text
from .lookalikes import refuse_without_subtopics
from .streams import Source, Stream, is_file
from .trec import EXACT, How, Layout

Judgments: TypeAlias = dict[str, dict[str, dict[str, Label]]]
"""The labels by query, document and subtopic."""

DiversityQrels: TypeAlias = (
    "Source | Mapping[str, Mapping[str, Mapping[str, Label]]] | Iterable[Any]"
)
"""A file; a dict {query: {document: {subtopic: label}}}; rows (query, subtopic, document, label),
or with these as the attributes query_id, iteration, doc_id and relevance, as in ir_measures; or a
data frame of such columns."""

Probabilities: TypeAlias = "Source | Mapping[str, Mapping[str, Exact]]"
"""A file, or a dict {query: {subtopic: weight}}."""

QRELS = Layout(
    "qrels with subtopics",
    ("query", "subtopic", "document", "label"),
    2,
    3,
    expected="a finite number, or L0, L1, ... as NTCIR writes it",
    options=("duplicates",),
)
PROBABILITIES = Layout(
    "probabilities of subtopics",
    ("query", "subtopic", "probability"),
    1,
    2,
    expected="a number, 0 or above",
    others=", and perhaps inf or nav behind them",
    options=(),
)
COLUMNS = ("query_id", "iteration", "doc_id", "relevance")
IDS = ("query", "subtopic", "document")  # what the first three of a row are


def judgments_of(qrels: DiversityQrels, how: How = EXACT) -> Judgments:
    """The judgments, from a file or as they are given (RS-DIV-20)."""
    if is_file(qrels):
        stream = Stream(qrels)
        return _parse(stream.name, stream.content(), how)
    found = _of_mapping(qrels) if isinstance(qrels, Mapping) else _of_rows(qrels, how)
    if not found:
        raise trec.empty("qrels", QRELS)
    return found


def probabilities_of(given: Probabilities) -> dict[str, dict[str, Exact]]:
    """The weights of the subtopics of each query, from a file or as they are given."""
    if is_file(given):
        stream = Stream(given)
        return _parse_probabilities(stream.name, stream.content())
    if not isinstance(given, Mapping):
        raise InputError(
            "probabilities: expected a file or a dict {query: {subtopic: weight}}, got "
            f"{shown(given)}"
        )
    found: dict[str, dict[str, Exact]] = {}
    for query, own in by_text(snapshot(given, "probabilities"), "probabilities", "query").items():
        where = f"probabilities: query {shown_text(query)}"
        if not isinstance(own, Mapping):
            raise InputError(f"{where}: expected a dict of weights by subtopic, got {shown(own)}")
        found[query] = {}
        subtopics = by_text(snapshot(own, "probabilities"), "probabilities", "subtopic")
        for subtopic, x in subtopics.items():
            number = exact(x, f"{where}: that of subtopic {shown_text(subtopic)}")
            if number < 0:
                raise InputError(
                    f"{where}: the weight of subtopic {shown_text(subtopic)} is {shown(x)}; "
                    "expected 0 or more (RS-DIV-1)"
                )
            found[query][subtopic] = number
    return found


# ---- files ------------------------------------------------------------------------------------


def _parse(name: str, data: bytes, how: How) -> Judgments:
    """The judgments of a file; where one label is no whole number, all are doubles."""
    queries: Judgments = {}
    lines = data.split(b"\n")
    trec.refuse_ratings(name, data)
    refuse_without_subtopics(name, lines)
    fractional = False
    for number, fields in trec.rows_of(name, lines, QRELS, how, 0):
        query, subtopic, document = map(trec.id_of, fields[:3])
        try:
            label = _label(fields[3])
        except ValueError:
            raise trec.wrong_value(f"{name}:{number}", fields, QRELS) from None
        fractional = fractional or isinstance(label, float)
        labels = queries.setdefault(query, {}).setdefault(document, {})
        if subtopic not in labels:
            labels[subtopic] = label
        elif how.duplicates == "error":
            raise _duplicate(name, lines, number, fields)
        else:
            trec.keep(how.duplicates, labels, subtopic, label, in_place=True)
    if not queries:
        raise trec.empty(name, QRELS)
    if fractional:
        for documents in queries.values():
            for labels in documents.values():
                labels.update({s: float(x) for s, x in labels.items()})
    return queries


def _label(token: bytes) -> Label:
    """A label; L2 is 2, as NTCIR has it."""
    if token[:1] in (b"L", b"l") and token[1:].isdigit():
        token = token[1:]
    return trec.any_label(token)


def _duplicate(name: str, lines: list[bytes], second: int, fields: list[bytes]) -> InputError:
    """The error for two labels of a document for the same subtopic."""
    first = next(a for a, line in enumerate(lines, 1) if line.split()[:3] == fields[:3])
    query, subtopic, document = fields[:3]
    return InputError(
        f"{name}:{second}: document {shown_text(document)} for subtopic {shown_text(subtopic)} of "
        f"query {shown_text(query)} occurs a second time; it is already in line "
        f"{first}{trec.WHICH} (RS-CONV-10)"
    )


def _parse_probabilities(name: str, data: bytes) -> dict[str, dict[str, Exact]]:
    found: dict[str, dict[str, Exact]] = {}
    width = len(PROBABILITIES.columns)
    stripped = [_without_kind(line) for line in data.split(b"\n")]
    for number, fields in trec.rows_of(name, stripped, PROBABILITIES, EXACT, 0):
        query, subtopic = map(trec.id_of, fields[:2])
        try:
            weight = trec.any_label(fields[width - 1])
            if weight < 0:
                raise ValueError
        except ValueError:
            raise trec.wrong_value(f"{name}:{number}", fields, PROBABILITIES) from None
        own = found.setdefault(query, {})
        if subtopic in own:
            raise InputError(
                f"{name}:{number}: subtopic {shown_text(subtopic)} of query {shown_text(query)} "
                "occurs a second time (RS-DIV-20)"
            )
        own[subtopic] = weight
    if not found:
        raise trec.empty(name, PROBABILITIES)
    return found


def _without_kind(line: bytes) -> bytes:
    """A line without what NTCIR says of the subtopic: informational, or navigational."""
    fields = line.split()
    return b" ".join(fields[:3]) if len(fields) == 4 and fields[3] in (b"inf", b"nav") else line


# ---- what is given in Python ------------------------------------------------------------------


def _of_mapping(given: Mapping[Any, Any]) -> Judgments:
    found: Judgments = {}
    for query, documents in by_text(snapshot(given, "qrels"), "qrels", "query").items():
        found[query] = {}
        if not isinstance(documents, Mapping):
            raise InputError(
                f"qrels: expected a dict of documents for query {shown_text(query)}, got "
                f"{shown_text(shown(documents))}"
            )
        for document, labels in by_text(snapshot(documents, "qrels"), "qrels", "document").items():
            if not isinstance(labels, Mapping):
                raise InputError(
                    "qrels: expected {query: {document: {subtopic: label}}}, got "
                    f"{shown_text(shown(labels))} for {shown_text(document)}, read as a document, "
                    f"of query {shown_text(query)}{_by_subtopic(labels)} (RS-DIV-20)"
                )
            own = found[query][document] = {}
            for subtopic, x in by_text(snapshot(labels, "qrels"), "qrels", "subtopic").items():
                own[subtopic] = checked_label(x, _where(query, subtopic, document))
    return found


def _by_subtopic(documents: Any) -> str:
    """Return the message for documents of a subtopic in the place of a document's labels."""
    if not isinstance(documents, (Set, list, tuple)):
        return ""
    return (
        "; of {query: {subtopic: documents}} rows (query, subtopic, document, 1) are read: [(q, s, "
        "d, 1) for q, own in qrels.items() for s, documents in own.items() for d in documents]"
    )


def _of_rows(given: Any, how: How) -> Judgments:
    if is_of_columns(given) and hasattr(type(given), "__getitem__"):
        with reading(given, "qrels"):
            given = _rows_of_frame(computed(given))
    complaint = (
        "qrels: expected a file, dict, data frame or rows (query, subtopic, document, "
        f"label), got {shown_text(shown(given))}"
    )
    if isinstance(given, (str, bytes, bytearray)):
        raise InputError(complaint)
    found: Judgments = {}
    for position, row in enumerate(items_of(given, complaint)):
        *ids, x = _cells(row, position)
        query, subtopic, document = (
            as_id(cell, "qrels", what) for cell, what in zip(ids, IDS, strict=True)
        )
        label = checked_label(x, _where(query, subtopic, document))
        labels = found.setdefault(query, {}).setdefault(document, {})
        if subtopic not in labels:
            labels[subtopic] = label
        elif how.duplicates == "error":
            raise InputError(
                f"qrels: row {position}: document {shown_text(document)} occurs a second time "
                f"for subtopic {shown_text(subtopic)} of query {shown_text(query)}{trec.WHICH} "
                "(RS-CONV-10)"
            )
        else:
            trec.keep(how.duplicates, labels, subtopic, label, in_place=True)
    return found


def _rows_of_frame(frame: Any) -> Iterable[Any]:
    there = list(getattr(frame, "column_names", frame.columns))  # Arrow has its own word
    missing = [name for name in COLUMNS if name not in there]
    if missing:
        raise InputError(
            f"qrels: the data frame has no column {missing[0]!r}; it needs "
            f"{', '.join(COLUMNS)}, with the subtopic as iteration"
        )
    return zip(*map(_list_of, (frame[name] for name in COLUMNS)), strict=True)


def _list_of(column: Any) -> list[Any]:
    """The values of a column of a data frame, or of an Arrow table."""
    return column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()  # type: ignore[no-any-return]


def _cells(row: Any, position: int) -> tuple[Any, ...]:
    if all(hasattr(row, name) for name in COLUMNS):
        return tuple(getattr(row, name) for name in COLUMNS)
    if isinstance(row, Iterable) and not isinstance(row, (str, bytes, Mapping)):
        with suppress(TypeError):
            cells = tuple(row)
            if len(cells) == 4:
                return cells
    raise InputError(
        f"qrels: row {position} is {shown_text(shown(row))}; expected (query, subtopic, "
        f"document, label), or the attributes {', '.join(COLUMNS)}"
    )


def _where(query: str, subtopic: str, document: str) -> str:
    return (
        f"qrels: the label of document {shown_text(document)} for subtopic {shown_text(subtopic)} "
        f"of query {shown_text(query)}"
    )
