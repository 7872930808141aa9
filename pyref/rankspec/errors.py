"""The errors that rankspec raises for what it is given."""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import Any

LONGEST_SHOWN = 60
SHORTEST_WORD, LONG_WORD = 4, 8  # of letters, for slips of the pen


class InputError(ValueError):
    """An input that the spec does not admit; the message says which, where and why."""


class InputWarning(UserWarning):
    """An input that the spec admits, but that is hardly meant; the message says what and why."""


class CoreMissing(ImportError):
    """The C core is not built; the message says how to build it."""


class CoreMissingWarning(RuntimeWarning):
    """The C core is not built, and the reference answers instead; the message says what helps."""


HOW_TO_BUILD = (
    "To get the core, install a C compiler and the headers of Python (Debian, Ubuntu: apt install "
    "build-essential python3-dev; Fedora: dnf install gcc python3-devel; macOS: xcode-select "
    '--install), then run "pip install ." in the project\'s folder'
)
MEANWHILE = (
    "The reference in Python answers instead: the same values, some thousand times slower. "
    f"{HOW_TO_BUILD}"
)


def shown(x: Any) -> str:
    """repr(x) for a message: on one line, cut where it is long, and never an error itself."""
    if isinstance(x, FunctionType):
        return "a function"  # whose repr() is an address
    try:
        text = " ".join(line.strip() for line in repr(x).splitlines())  # an array has several
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        text = f"a number of type {type(x).__name__} with thousands of digits"
    except Exception:  # noqa: BLE001 - what a caller's own class raises, or lists within lists
        text = f"something of type {type(x).__name__}"
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def shown_text(token: bytes | str, length: int = LONGEST_SHOWN) -> str:
    """A text as messages quote it: printable, on one line, cut where it is long."""
    text = token if isinstance(token, str) else token[: 4 * length].decode("utf-8", "replace")
    quoted = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:length])
    return f'"{quoted}{"..." if len(text) > length else ""}"'


def nearest(x: Any, names: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The name that x may have been meant to be, whatever its case; None: nothing is near."""
    if not isinstance(x, str):
        return None
    import difflib  # costs start-up time, and only errors need it

    by_lower = {name.lower(): name for name in names}
    found = difflib.get_close_matches(x.lower(), by_lower, n=1, cutoff=cutoff)
    return by_lower[found[0]] if found else None


def hint(x: Any, names: Iterable[str], cutoff: float = 0.6) -> str:
    """The nearest name as the end of a message's first half."""
    name = nearest(x, names, cutoff)
    return "" if name is None else f'; did you mean "{name}"?'


def nearest_spelling(x: str, names: Iterable[str]) -> str | None:
    """The one name of which x may be a slip of the pen, whatever its case; None: there is none.

    One edit is such a slip, or two of a word of eight letters or more, where the first letter
    stands: a letter missing, doubled, taken for another or for its neighbour. No shorter word than
    of four letters has any, and no word that is as near to another name: names of measures differ
    by a letter.
    """
    x = x.lower()
    by_lower = {name.lower(): name for name in names}
    if x in by_lower:
        return by_lower[x]
    most = 1 if len(x) < LONG_WORD else 2
    found = sorted(
        (edits, name)
        for name in by_lower
        if max(len(x), len(name)) >= SHORTEST_WORD and (edits := _edits(x, name, most)) <= most
    )
    if not found or (len(found) > 1 and found[0][0] == found[1][0]):
        return None
    name = found[0][1]
    return by_lower[name] if name[0] == x[:1] else None


def _edits(x: str, y: str, most: int) -> int:
    """The least number of letters taken out, put in, replaced or swapped with their neighbour.

    Any number above most may stand for a greater one.
    """
    if abs(len(x) - len(y)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(y) + 1))
    for i, a in enumerate(x, start=1):
        above, before, row = before, row, [i]
        for j, b in enumerate(y, start=1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b)))
            if i > 1 and j > 1 and a == y[j - 2] and x[i - 2] == b:
                row[j] = min(row[j], above[j - 2] + 1)
    return row[-1]
