"""Session files in JSON (RS-CONV-24).

{"sessions": [{"id": "1", "topic": "7", "queries": [["a", "b"], {"results": []}]}]}
"""

from __future__ import annotations

import json
from typing import Any

from ..errors import InputError, shown, shown_text
from ..sources import check_id
from .data import SearchSession


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
            raise at.error("id", f"session {shown_text(identifier)} is there a second time")
        queries = at.required(session, "queries", list)
        found[identifier] = SearchSession(
            identifier,
            [_documents(_Place(name, f"{at.path}.queries[{q}]"), x) for q, x in enumerate(queries)],
            topic,
        )
    return list(found.values())


def _parsed(name: str, content: bytes) -> Any:
    """The document, or an InputError where it is no JSON."""
    try:
        return json.loads(content.decode("utf-8", "surrogateescape"), object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise InputError(f"{name}:{error.lineno}: no JSON: {error.msg} (RS-CONV-24)") from None
    except InputError as error:
        raise InputError(f"{name}: {error} (RS-CONV-24)") from None
    except RecursionError:
        raise InputError(f"{name}: lists or objects in too many others (RS-CONV-24)") from None
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        raise InputError(f"{name}: a number of thousands of digits (RS-CONV-24)") from None


def _documents(at: _Place, query: Any) -> list[str]:
    """The documents of a query: a list, or an object that has them as its results."""
    name = ""
    if isinstance(query, dict):
        name = "results"
        query = at.required(query, name, list)
    if not isinstance(query, list):
        raise at.error("", f"{shown(query)} is no list of documents, nor an object with results")
    for rank, document in enumerate(query):
        where = f"{name}[{rank}]"
        if not isinstance(document, str):
            raise at.error(where, f"{shown(document)} is no document; ids are texts")
        at.identifier(document, where, "document")
    return query


_KINDS: dict[type, str] = {list: "list", str: "text"}


class _Place:
    """A place in the document, with what is expected there."""

    def __init__(self, name: str, path: str = "") -> None:
        self._name = name
        self.path = path

    def required(self, given: Any, key: str, kind: type) -> Any:
        """The value of a key, of that kind."""
        if not isinstance(given, dict):
            raise self.error("", f"{shown(given)} is no object with {key}")
        if key not in given:
            raise self.error("", f"there is no {key}")
        if not isinstance(given[key], kind):
            raise self.error(key, f"{shown(given[key])} is no {_KINDS[kind]}")
        return given[key]

    def identifier(self, x: str, key: str, kind: str) -> str:
        """An id, which is not blank."""
        if not x.strip():
            raise self.error(key, "it is blank")
        check_id(x, f"{self._name}: {self._within(key)}", kind)
        return x

    def error(self, key: str, what: str) -> InputError:
        within = self._within(key)
        return InputError(f"{self._name}: {within}{': ' if within else ''}{what} (RS-CONV-24)")

    def _within(self, key: str) -> str:
        dot = "." if self.path and key and not key.startswith("[") else ""
        return f"{self.path}{dot}{key}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, none of whose keys is there twice."""
    found: dict[str, Any] = {}
    for key, x in pairs:
        if key in found:
            raise InputError(f"the key {shown_text(key)} is twice in one object")
        found[key] = x
    return found
