"""Session files in JSON (RS-CONV-24).

{"sessions": [{"id": "1", "topic": "7", "queries": [["a", "b"], {"results": []}]}]}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..errors import InputError, shown_text
from .limits import TOKEN
from .search_session import BLANKS, SearchSession, check_name

FORM = '{"sessions": [{"id": "1", "queries": [["a", "b"]]}]}'

_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]|(u[dD][c-fC-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
"""An escape; the first group is the second half of a surrogate pair that has no first."""

_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"|[][{}\n]', re.DOTALL)


class _Number(NamedTuple):
    """A number as it is written: none is read."""

    text: str


def read_json(name: str, content: bytes) -> list[SearchSession]:
    """The sessions of a file, in its order; name: of the file, for messages."""
    at = _Place(name)
    sessions = at.required(_parsed(name, content), "sessions", list)
    if not sessions:
        raise InputError(f"{name}: empty; expected sessions (RS-CONV-24)")
    found: dict[str, SearchSession] = {}
    for s, session in enumerate(sessions):
        at = _Place(name, f"sessions[{s}]")
        identifier = at.identifier(at.required(session, "id", str), "id", "session")
        topic = session.get("topic")
        if topic is not None:
            topic = at.identifier(at.required(session, "topic", str), "topic", "topic")
        if identifier in found:
            raise at.error("id", f"session {shown_text(identifier)} occurs a second time")
        queries = at.required(session, "queries", list)
        found[identifier] = SearchSession(
            identifier,
            [_documents(_Place(name, f"{at.path}.queries[{q}]"), x) for q, x in enumerate(queries)],
            topic,
            f"{name}: {at.path}",
        )
    return list(found.values())


def _parsed(name: str, content: bytes) -> Any:
    """The document, or an InputError where it is no JSON."""
    wrong: dict[int, tuple[Any, str]] = {}  # objects and numbers by id(), with what is wrong

    def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, x in pairs:
            if key in found:
                wrong[id(found)] = found, f"the key {shown_text(key)} is twice in one object"
            found[key] = x
        return found

    def refused(constant: str) -> _Number:
        number = _Number(constant)
        wrong[id(number)] = number, f"{constant} is no number of JSON"
        return number

    try:
        document = json.loads(
            _text(content),
            object_pairs_hook=read_object,
            parse_int=_Number,
            parse_float=_Number,
            parse_constant=refused,
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name}:{error.lineno}: not valid JSON: {error.msg} (RS-CONV-24)"
        ) from None
    except RecursionError:
        raise InputError(
            f"{name}:{_deepest(content)}: lists or objects are nested too deep (RS-CONV-24)"
        ) from None
    if wrong:
        path, x = next((path, x) for path, x in _within(document) if id(x) in wrong)
        raise _Place(name, path).error("", wrong[id(x)][1])
    return document


def _text(content: bytes) -> str:
    """The characters; a byte that is no UTF-8 is a surrogate, as an escape must not be."""
    content = _ESCAPE.sub(lambda x: rb"\ud800" if x[1] else x[0], content)
    return content.decode("utf-8", "surrogateescape")


def _deepest(content: bytes) -> int:
    """The line of the bracket that stands in most others."""
    line, depth, most, found = 1, 0, 0, 1
    for token in _BRACKETS.finditer(content):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(token[0], 0)
        line += token[0] == b"\n"
        if depth > most:
            most, found = depth, line
    return found


def _within(document: Any) -> Iterator[tuple[str, Any]]:
    """The document and what is in it, with their paths, in its order."""
    left = [("", document)]
    while left:
        path, x = left.pop()
        yield path, x
        inner: list[tuple[str, Any]] = []
        if isinstance(x, dict):
            inner = [(f"{path}.{key}" if path else key, value) for key, value in x.items()]
        elif isinstance(x, list):
            inner = [(f"{path}[{a}]", value) for a, value in enumerate(x)]
        left += reversed(inner)


def _shown(x: Any) -> str:
    """A value as JSON has it, for a message."""
    if isinstance(x, _Number):
        return shown_text(x.text)[1:-1]
    if isinstance(x, str):
        return shown_text(x)
    if isinstance(x, (list, dict)):
        return "a list" if isinstance(x, list) else "an object"
    return json.dumps(x)  # null, true, false


def _documents(at: _Place, query: Any) -> list[str]:
    """The documents of a query: a list, or an object that has them as its results."""
    name = ""
    if isinstance(query, dict):
        name = "results"
        query = at.required(query, name, list)
    if not isinstance(query, list):
        raise at.error("", f"{_shown(query)} is no list of documents, nor an object with results")
    documents = []
    for rank, document in enumerate(query):
        where = f"{name}[{rank}]"
        if not isinstance(document, str):
            raise at.error(where, f"{_shown(document)} is no document; ids are texts")
        documents.append(at.identifier(document, where, "document"))
    return documents


_KINDS: dict[type, str] = {list: "list", str: "text"}


class _Place:
    """A place in the document, with what is expected there."""

    def __init__(self, name: str, path: str = "") -> None:
        self._name = name
        self.path = path

    def required(self, given: Any, key: str, kind: type) -> Any:
        """The value of a key, of that kind."""
        if not isinstance(given, dict):
            raise self.error("", f"{_shown(given)} is no object with {key}")
        if key not in given:
            raise self.error("", f'there is no key "{key}"; expected {FORM}')
        if not isinstance(given[key], kind):
            raise self.error(key, f"{_shown(given[key])} is no {_KINDS[kind]}")
        return given[key]

    def identifier(self, x: str, key: str, kind: str) -> str:
        """An id, without the blanks around it."""
        x = x.strip(BLANKS)
        if len(x) > TOKEN.value:
            where = f"{self._name}: {self._within(key)}"
            raise TOKEN.exceeded(where, f"an id of {len(x)} characters", TOKEN.value)
        check_name(x, f"{self._name}: {self._within(key)}", kind)
        return x

    def error(self, key: str, what: str) -> InputError:
        within = self._within(key)
        return InputError(f"{self._name}: {within}{': ' if within else ''}{what} (RS-CONV-24)")

    def _within(self, key: str) -> str:
        dot = "." if self.path and key and not key.startswith("[") else ""
        return f"{self.path}{dot}{key}"
