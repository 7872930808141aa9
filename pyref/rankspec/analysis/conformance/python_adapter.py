"""A Python function as a program that speaks the protocol. Spec: RS-CONF-9.

    python -m rankspec.analysis.conformance.python_adapter pkg.mod:function

function(case) takes the case as a dict and returns a number, a list of numbers, or of a whole
evaluation {"queries": {query: number}, "mean": number}. NotImplementedError says that the
implementation has no such thing, ValueError and TypeError that the input is invalid; anything else
that it raises is an error. The module may have NAME and VERSION. What it prints goes to the
standard error. Where there is no such function, it says so in the place of "ready":
{"type": "no function", "reason": "..."}.
"""

from __future__ import annotations

import json
import math
import os
import platform
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, BinaryIO

from ...errors import hint, shown
from .protocol import NO_FUNCTION, VERSION

LONGEST_REASON = 300


def main(words: list[str]) -> int:
    """Answer cases until the stop; the exit status."""
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the function prints, in C too, is no answer
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # and what it reads is no case
    sys.stdout = sys.stderr
    sys.path[:0] = [path for path in ("",) if path not in sys.path]
    try:
        module, function = loaded(words[0])
    except NoFunction as error:
        _say(answers, {"type": NO_FUNCTION, "reason": str(error)})
        return 1
    except NotLoaded as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for line in asked:
        message = json.loads(line)
        if message["type"] == "stop":
            break
        if message["type"] == "start":
            _say(answers, _ready(module))
        else:
            _say(answers, _answer(function, message))
    return 0


class NotLoaded(Exception):
    """A module that cannot be imported; the text says why."""


class NoFunction(Exception):
    """What was named is no function; the text says what it is."""


EXPECTED = "expected PKG.MOD:NAME"


def loaded(text: str) -> tuple[Any, Callable[[Any], Any]]:
    """The module and the function of "pkg.mod:function"."""
    name, _, attribute = text.partition(":")
    attribute = attribute or "adapter"
    module = _imported(name, text)
    function: Any = module
    for part in attribute.split("."):
        if not hasattr(function, part):
            near = hint(part, dir(function))
            raise NoFunction(f"{name} has no {attribute}{near or f'; {EXPECTED}'}")
        function = getattr(function, part)
    if not callable(function) or isinstance(function, type):
        of = type(function).__name__
        of = f"an {of}" if of[0] in "aeiou" else f"a {of}"
        what = "a class" if isinstance(function, type) else f"{shown(function)}, {of}"
        raise NoFunction(f"{name}:{attribute} is no function; it is {what}")
    return module, function


def _imported(name: str, text: str) -> Any:
    if not all(map(str.isidentifier, name.split("."))):
        raise NoFunction(f"{text}: {EXPECTED}{_of_file(name)}" if text else EXPECTED)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise NoFunction(f"there is no module {name} ({error}){_of_file(name)}") from None
        raise _not_loaded(name, error) from None
    except Exception as error:  # noqa: BLE001 - whatever a module raises
        raise _not_loaded(name, error) from None


def _of_file(name: str) -> str:
    """What to say where a file is named, not its module; "" where none is."""
    if not name.endswith(".py"):
        return ""
    return f"; {name} is a file, its module is {name.removesuffix('.py').rpartition('/')[2]}"


def _not_loaded(name: str, error: Exception) -> NotLoaded:
    said = f"{type(error).__name__}: {error}"
    return NotLoaded(f"{name} cannot be imported: {said}{_place(error)}")


def _place(error: BaseException) -> str:
    """Where an error was raised, if that is in no machinery of imports."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    last = [x for x in frames if "importlib" not in x.filename and x.filename != __file__]
    return f" ({last[-1].filename}:{last[-1].lineno})" if last else ""


def _say(answers: BinaryIO, message: Mapping[str, Any]) -> None:
    answers.write(json.dumps(message, allow_nan=False).encode() + b"\n")
    answers.flush()


def _ready(module: Any) -> dict[str, Any]:
    name = module.__name__
    package = sys.modules[name.partition(".")[0]]
    versions = (getattr(module, "VERSION", None), getattr(package, "__version__", None), "")
    version = next(x for x in versions if x is not None)
    return {
        "type": "ready",
        "protocol": VERSION,
        "name": str(getattr(module, "NAME", name)),
        "version": str(version),
        "language": f"Python {platform.python_version()}",
    }


def _answer(function: Callable[[Any], Any], message: dict[str, Any]) -> dict[str, Any]:
    case = {name: x for name, x in message.items() if name != "type"}
    try:
        return {"type": "value", "id": message["id"], "value": plain(function(case))}
    except NotImplementedError as error:
        kind, said = "unsupported", error
    except (ValueError, TypeError) as error:
        kind, said = "refused", error  # type: ignore[assignment]
    except Exception as error:  # noqa: BLE001 - whatever an implementation raises
        kind, said = "error", error  # type: ignore[assignment]
    return {"type": kind, "id": message["id"], "reason": _words(said)[:LONGEST_REASON]}


def _words(error: Exception) -> str:
    """What an exception says; its type alone where it says nothing, or cannot."""
    try:
        said = str(error)
    except Exception:  # noqa: BLE001 - whatever its __str__ raises
        said = ""
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


class NoNumber(Exception):
    """What a function returned is no number."""


def plain(x: Any) -> Any:
    """A value as JSON has it: of numpy's and others' numbers and arrays, too."""
    if hasattr(x, "tolist"):
        x = x.tolist()
    if isinstance(x, Mapping):
        return {str(name): plain(part) for name, part in x.items()}
    if isinstance(x, (list, tuple)):
        return [plain(part) for part in x]
    if x is None:
        return None
    if isinstance(x, bool):
        raise NoNumber("the function returned bool, no number")
    try:
        number = float(x)
    except OverflowError:
        number = math.inf if x > 0 else -math.inf
    except (TypeError, ValueError):
        raise NoNumber(f"the function returned {type(x).__name__}, no number") from None
    return number if math.isfinite(number) else str(number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
