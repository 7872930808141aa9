"""The lines between the runner and a program: one JSON object each, UTF-8. Spec: RS-CONF-1.

What a program writes is read with suspicion: whatever is not as the protocol has it is a
:class:`Nonsense`, whose text says what is wrong with the line.
"""

from __future__ import annotations

import json
import re
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from ...errors import InputError, shown, shown_text
from ...text import printable
from .cases import Case

VERSION = 1
STOP = {"type": "stop"}
ANSWERS = ("value", "unsupported", "refused", "error")
NO_FUNCTION = "no function"
"""What the adapter of Python functions says in the place of "ready" where there is none."""

REFUSAL = "refusal"
"""What a case requires that must be refused; a program is not told."""

LONGEST_REASON = 300
LONGEST_NAME = 60

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
_HEXADECIMAL = re.compile(
    r"[+-]?0[xX]([0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)([pP][+-]?[0-9]+)?", re.ASCII | re.I
)
_BITS = re.compile(r"(0x)?[0-9a-f]{16}", re.ASCII | re.IGNORECASE)
_WORDS = {
    **dict.fromkeys(("nan", "-nan", "+nan"), "nan"),
    **dict.fromkeys(("inf", "+inf", "infinity", "+infinity"), "inf"),
    **dict.fromkeys(("-inf", "-infinity"), "-inf"),
}


class Nonsense(ValueError):
    """A line that is not as the protocol has it; the text says what is wrong.

    id: which case it is about, as far as it says; None: it does not
    """

    def __init__(self, complaint: str, about: str | None = None) -> None:
        super().__init__(complaint)
        self.id = about


@dataclass(frozen=True)
class About:
    """What an adapter says of itself; command: how it was run."""

    name: str
    version: str
    language: str
    command: str


@dataclass(frozen=True)
class Answer:
    """What came of a case.

    kind: "value", "unsupported", "refused", "error", "nonsense", "crashed" or "timeout"
    value: a double, a list of doubles, or {"queries": {query: double}, "mean": double}; queries
        may be None: the mean alone was told
    reason: in words, of all but a value
    """

    kind: str
    value: Any = None
    reason: str = ""


def line_of(message: Mapping[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def start(vectors: str, profile: str, grade: str) -> dict[str, Any]:
    """What a program is told first."""
    return {
        "type": "start",
        "protocol": VERSION,
        "vectors": vectors,
        "profile": profile,
        "grade": grade,
    }


def question(case: Case) -> dict[str, Any]:
    """A case as a program is asked it: without what is expected, and that it is a refusal."""
    asked: dict[str, Any] = {
        "type": "case",
        "id": case.id,
        "measure": case.measure,
        "input": case.input,
        "requires": [word for word in case.requires if word != REFUSAL],
    }
    if case.conventions is not None:
        asked |= {"conventions": case.conventions, "profile": case.more.get("profile")}
    return asked


# ---- what a program answers ------------------------------------------------------------------


def read_ready(line: bytes, command: str) -> About:
    """What a program says when it is ready; an InputError where --python names no function."""
    message = _message(line)
    if message.get("type") == NO_FUNCTION:
        raise InputError(f"python: {_short(message.get('reason', ''), LONGEST_REASON)}")
    if message.get("type") != "ready":
        raise Nonsense(f'expected {{"type": "ready", ...}}, got the type {_type(message)}')
    spoken = message.get("protocol")
    if type(spoken) is not int or spoken != VERSION:
        said = _shown(spoken)
        raise Nonsense(f'"protocol" is {said}; this runner speaks {VERSION}')
    if not isinstance(message.get("name"), str) or not message["name"].strip():
        raise Nonsense('"name" is missing: what the implementation is called')
    name, version, language = (
        _short(message.get(part, ""), LONGEST_NAME) for part in ("name", "version", "language")
    )
    return About(name, version, language, command)


def id_of(message: Mapping[str, Any]) -> str | None:
    """The case that an answer says it is of."""
    found = message.get("id")
    return found if isinstance(found, str) else None


def about(line: bytes) -> str | None:
    """The case that a line is about, whatever else it says; None: none."""
    try:
        return id_of(_message(line))
    except Nonsense:
        return None


def read_answer(line: bytes, case: Case) -> Answer:
    """The answer to a case; a Nonsense where it is none, or is that of another."""
    message = _message(line)
    if message.get("type") not in ANSWERS:
        raise Nonsense(
            f"the type is {_type(message)}; expected {', '.join(ANSWERS)}", id_of(message)
        )
    if "id" not in message:
        raise Nonsense('"id" is missing')
    if message["id"] != case.id:
        raise Nonsense(f"the id is {_quoted(message['id'])}; expected {case.id}", id_of(message))
    if message["type"] != "value":
        return Answer(message["type"], reason=_short(message.get("reason", ""), LONGEST_REASON))
    if "value" not in message:
        raise Nonsense('"value" is missing', case.id)
    try:
        return Answer("value", read_value(message["value"], case))
    except Nonsense as error:
        raise Nonsense(str(error), case.id) from None


def read_value(given: Any, case: Case) -> Any:
    """A value in the form that a case has: a number, a list, or an evaluation."""
    if case.refused:
        return given  # whatever it is, the case fails
    if isinstance(case.expected, list):
        if not isinstance(given, list):
            raise Nonsense(f"the value is {_shown(given)}; expected a list of numbers")
        return [read_number(x) for x in given]
    if "mean" in case.expected:
        return _evaluation(given)
    return read_number(given)


def _evaluation(given: Any) -> dict[str, Any]:
    queries = given.get("queries") if isinstance(given, dict) else None
    if not isinstance(queries, dict) or "mean" not in given:
        raise Nonsense(
            f'the value is {_shown(given)}; {{"queries": {{query: number}}, "mean": number}} '
            "was expected"
        )
    return {
        "queries": {query: _perhaps(x) for query, x in queries.items()},
        "mean": _perhaps(given["mean"]),
    }


def _perhaps(x: Any) -> float | None:
    return None if x is None else read_number(x)


def read_number(x: Any) -> float:
    """A double: a JSON number, a decimal or hexadecimal in a string, or {"bits": "3fe..."}."""
    if isinstance(x, (int, float)) and not isinstance(x, bool):
        try:
            return float(x)
        except OverflowError:
            raise Nonsense("the value is an integer beyond the range of a double") from None
    if isinstance(x, str):
        return _number_of_text(x.strip())
    if isinstance(x, dict) and set(x) == {"bits"}:
        bits = x["bits"]
        if not isinstance(bits, str) or not _BITS.fullmatch(bits):
            raise Nonsense(f'"bits" is {_quoted(bits)}; expected 16 hexadecimal digits')
        return float(struct.unpack(">d", bytes.fromhex(bits[-16:]))[0])
    nan = ', and "NaN" stands for none' if x is None else ""
    raise Nonsense(f"the value is {_shown(x)}; expected a number{nan}")


def _number_of_text(text: str) -> float:
    if text.lower() in _WORDS:
        return float(_WORDS[text.lower()])
    if len(text) <= 4000 and _DECIMAL.fullmatch(text):
        return float(text)
    if len(text) <= 4000 and _HEXADECIMAL.fullmatch(text):
        try:
            return float.fromhex(text)
        except OverflowError:
            return float("-inf" if text.startswith("-") else "inf")
    raise Nonsense(f"the value is {shown_text(text)}; expected a number")


def _message(line: bytes) -> dict[str, Any]:
    """The object that a line is."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise Nonsense(f"the line is not UTF-8: {shown_text(line)}") from None
    try:
        found = json.loads(text, parse_constant=_no_constant)
    except Nonsense:
        raise
    except RecursionError:
        raise Nonsense(
            f"the line is nested too deep, of some hundred levels: {shown_text(text.strip())}"
        ) from None
    except ValueError as error:
        if not isinstance(error, json.JSONDecodeError):  # Python reads no longer integers
            raise Nonsense(
                f"an integer of the line has more than {sys.get_int_max_str_digits()} digits: "
                f"{shown_text(text.strip())}"
            ) from None
        raise Nonsense(f"the line is not JSON: {shown_text(text.strip())}") from None
    if not isinstance(found, dict):
        raise Nonsense(f"expected a JSON object, got the line {shown_text(text.strip())}")
    return found


def _no_constant(word: str) -> NoReturn:
    raise Nonsense(f'{word} is not JSON; send the string "{word}"')


def _type(message: Mapping[str, Any]) -> str:
    return _quoted(message["type"]) if "type" in message else "missing"


def _quoted(x: Any) -> str:
    return shown_text(x) if isinstance(x, str) else _shown(x)


def _shown(x: Any) -> str:
    """What JSON has read, as JSON has it, for a message."""
    try:
        return shown(_Written(json.dumps(x, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return shown(x)


class _Written(str):
    """A text that shown() puts into no quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return printable(str(self))


def _short(x: Any, length: int) -> str:
    """What a program says in words: in one printable line, cut where it is long."""
    text = printable(" ".join((x if isinstance(x, str) else _shown(x))[: 4 * length].split()))
    return text if len(text) <= length else text[: length - 3] + "..."
