"""A list of failures that are known: a case that is in it must fail still. Spec: RS-CONF-7.

A line a case: its id, and behind it whatever one likes. "#" begins a comment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...errors import InputError, hint, shown_text
from ...formats.streams import Stream
from .cases import ids

HEADING = """\
# Cases that fail, and are known to: rankspec conform --known FILE. A case that passes is an error.
"""


def read(path: str) -> list[str]:
    """The ids in a file; an InputError where it cannot be read, or a case is none."""
    content = Stream(path).content()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}: cannot be read: it is no text in UTF-8") from None
    found: list[str] = []
    cases = set(ids())
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words[0] not in cases:
            raise InputError(
                f"{path}:{number}: no case is called {shown_text(words[0])}{hint(words[0], cases)}"
            )
        found.append(words[0])
    return list(dict.fromkeys(found))


def written(failed: Mapping[str, str], kept: Iterable[str] = ()) -> str:
    """The text of such a file: {id: why it fails}, and ids of cases that were not asked."""
    lines = [f"{name:18} # {why[:60]}".rstrip() for name, why in failed.items()]
    lines += [name for name in kept if name not in failed]
    return HEADING + "".join(f"{line}\n" for line in sorted(lines))
