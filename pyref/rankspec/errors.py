"""The errors that rankspec raises for what it is given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

LONGEST_SHOWN = 60


class InputError(ValueError):
    """An input that the spec does not admit; the message says which, where and why."""


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
    try:
        text = " ".join(line.strip() for line in repr(x).splitlines())  # an array has several
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        text = f"a number of type {type(x).__name__} with thousands of digits"
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
