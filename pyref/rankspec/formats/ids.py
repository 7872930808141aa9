"""Ids of queries and documents as texts: what dicts, rows and lists may call them. RS-CONV-44."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from ..compute.gain import text_of, whole
from ..errors import InputError, dimensions, shown, shown_text
from ..typed import Any, TypeVar
from . import trec

V = TypeVar("V")

_PLAIN = {str}
_INTEGERS = {int}


def text_of_id(x: Any) -> str | None:
    """The text of an id: a text itself, the digits of an integer, a UUID; None: it is no id."""
    text = text_of(x)
    if text is not None:
        return text
    number = whole(x)
    if number is not None:
        try:
            return str(number)
        except ValueError:  # Python writes no whole number of more than 4,300 digits
            return None
    uuid = sys.modules.get("uuid")  # who has a UUID has loaded it
    return str(x) if uuid is not None and isinstance(x, uuid.UUID) else None


def as_id(x: Any, what: str, kind: str) -> str:
    """The text of an id, or an InputError; kind: "query", "document" or "subtopic"."""
    text = x if type(x) is str else text_of_id(x)
    if text is None:
        raise InputError(f"{what}: the {kind} id {shown(x)} {no_id(x)}")
    check_bytes(text, what, kind)
    return text


def no_id(x: Any) -> str:
    """What is wrong with what is no id, to follow its name, and what helps."""
    fix = ""
    if isinstance(x, (bytes, bytearray)):
        fix = "; decode() makes a text of it"
    elif isinstance(x, float) and x == x and x == x // 1:  # noqa: PLR0124 - no NaN
        fix = "; convert it with int()"
    elif dimensions(x, 1) == 0 and hasattr(x, "item") and text_of_id(x.item()) is not None:
        fix = "; convert it with item()"
    return f"is not a string, integer or UUID{fix} (RS-CONV-44)"


def check_bytes(text: str, what: str, kind: str) -> None:
    """An InputError for a text that has no bytes of its own (RS-CONV-19)."""
    if text.isascii():
        return
    try:
        read_back = trec.id_bytes(text).decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        read_back = ""
    if read_back != text:
        raise InputError(f"{what}: the {kind} id {text!a} has no unique encoding in UTF-8")


def texts_of_ids(ids: list[Any], what: str, kind: str) -> list[str]:
    """The texts of several ids: mostly they are of one type, which is seen at once.

    Whether texts have bytes of their own is not looked at where all are plain.
    """
    kinds = set(map(type, ids))
    if kinds <= _PLAIN:
        return ids
    if kinds == _INTEGERS:
        try:
            return list(map(str, ids))
        except ValueError:
            pass
    return [as_id(x, what, kind) for x in ids]


def by_text(given: dict[Any, V], what: str, kind: str, of: str = "") -> dict[str, V]:
    """A dict by the texts of its ids; an InputError where two of these are the same.

    of: whose documents they are, for the error
    """
    keys = list(given)
    texts = texts_of_ids(keys, what, kind)
    if texts is keys:
        return given
    found = dict(zip(texts, given.values(), strict=True))
    if len(found) < len(texts):
        raise _the_same(keys, texts, what, kind, of)
    return found


def _the_same(
    keys: Iterable[Any], texts: Iterable[str], what: str, kind: str, of: str
) -> InputError:
    first: dict[str, Any] = {}
    for key, text in zip(keys, texts, strict=True):
        if text in first:
            two = f"{shown(first[text])} and {shown(key)}"
            return InputError(
                f"{what}: the {kind} ids {two}{of} both have the text {shown_text(text)}: an "
                "integer counts as the text of its digits (RS-CONV-44)"
            )
        first[text] = key
    raise AssertionError("no two ids are the same")
