"""The measures that ``-m`` asks for: one, or several that commas divide."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable

from ..errors import InputError

MEASURE = "-m"


def asked(text: str) -> list[str]:
    """The measures of one -m: the type of its argument.

    A comma within brackets or quotes divides nothing, and a number behind one is a further cut-off.
    """
    if os.path.lexists(text) and not is_measure(text):
        raise argparse.ArgumentTypeError(
            f'"{text}" is a file, not a measure; give files without an option, and measures like '
            f"nDCG@10 after {MEASURE}"
        )
    if "," not in text:
        return [text]
    from ..metrics.plain import plain_measure

    plain = [name.strip() for name in text.split(",")]
    if all(plain_measure(name, {}) is not None for name in plain):
        return plain
    from ..metrics.grammar import listed

    names = listed(text)
    return names if all(names) else [text]  # of which the error says that it ends with a comma


_FILE = re.compile(r"[^(]*(/[^(]*|\.[A-Za-z_]+)")
"""What is a path, or ends as the name of a file; no measure is written so."""


def is_measure(word: str) -> bool:
    """Whether a word reads as a measure; of the names of most files that is seen at once."""
    if _FILE.fullmatch(word):
        return False
    from ..metrics.grammar import measures

    try:
        return bool(measures(word))
    except InputError:
        return False


def complain_of_measure(word: str) -> None:
    """An InputError where a word is hardly anything but a measure, and is none."""
    if re.search("[@(]", word):
        from ..metrics.grammar import measures

        measures(word)


def check_no_measures(files: Iterable[list[str] | str | None]) -> None:
    """An InputError for a measure where a file belongs."""
    for given in files:
        for word in [given] if isinstance(given, str) else given or []:
            if not os.path.lexists(word) and is_measure(word):
                raise InputError(
                    f'"{word}" is a measure, and there is no file of that name; put measures '
                    f'after {MEASURE}: {MEASURE} "{word}"'
                )
