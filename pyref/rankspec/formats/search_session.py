"""A search session as plain data, and the ids that its files have (RS-CONV-22)."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TypeVar

from ..errors import InputError, shown
from ..records import field, record
from . import trec
from .frames import Label, check_id

Found = TypeVar("Found")

BLANKS = " \t\n\r\v\f"  # around an id they are no part of it (RS-CONV-22)
WITHIN_NO_ID = "\t\n\r\0"


@record()
class SearchSession:
    """A search session: the documents shown for each query, in rank order.

    id: its name
    queries: for each query its documents
    topic: the topic of the search, if known
    place: the file and line that it was read from, for messages
    appearances: for each of the first queries the labels of results that were judged there
    """

    id: str
    queries: Sequence[Sequence[str]]
    topic: str | None = None
    place: str = field(default_factory=str, compare=False)
    appearances: Sequence[Mapping[str, Label]] = ()


class FromFile(dict[str, Found]):
    """What was read from the lines of a file, by an id; messages name the line of one.

    name, content: of the file; ids_of: the ids in a line, as in the keys
    """

    def __init__(
        self,
        found: Mapping[str, Found],
        name: str,
        content: bytes,
        ids_of: Callable[[bytes], Sequence[bytes]],
    ) -> None:
        super().__init__(found)
        self._name, self._content, self._ids_of = name, content, ids_of

    def place(self, *ids: str) -> str:
        """The file and the first line that begins with these ids."""
        wanted = [trec.id_bytes(x) for x in ids]
        for number, line in enumerate(self._content.split(b"\n"), start=1):
            if list(self._ids_of(line)[: len(wanted)]) == wanted:
                return f"{self._name}:{number}"
        return self._name

    def restricted(self, ids: Container[str]) -> FromFile[Found]:
        """Return the part that was read for some of the ids."""
        found = {x: self[x] for x in self if x in ids}
        return FromFile(found, self._name, self._content, self._ids_of)


def place_in(table: Mapping[str, object], *ids: str) -> str:
    """Where a table has this, to begin a message: nowhere, if it was read from no file."""
    return f"{table.place(*ids)}: " if isinstance(table, FromFile) else ""


def check_name(x: object, what: str, kind: str) -> None:
    """An InputError for what is no id of a session, topic or document (RS-CONV-22)."""
    check_id(x, what, kind)
    problem = id_problem(str(x))
    if problem:
        raise InputError(f"{what}: {problem} as the {kind} id (RS-CONV-22)")


def id_problem(x: str) -> str:
    """What is wrong with the text of an id; nothing, if it could stand in a file."""
    if not x.strip(BLANKS):
        return "a blank"
    if any(c in x for c in WITHIN_NO_ID):
        return f"{shown(x)}, which has a tab, a line end or a NUL,"
    return ""
