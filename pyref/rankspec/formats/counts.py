"""Files of counts by rank, or by length: lines of two whole numbers (RS-LEN-19, RS-LEN-20)."""

from __future__ import annotations

from ..errors import InputError, shown_text
from .streams import Source, Stream
from .text_lines import lines_of

MOST_COUNT = 10**18
"""The greatest count."""


def read_counts(file: Source, of: str, most: int, spec: str) -> dict[int, int]:
    """Return the counts of a file: {number: count}.

    of: what the first number of a line is, "rank" or "length"; most: the greatest that it may be
    spec: the entry that errors name
    """
    stream = Stream(file)
    counts: dict[int, int] = {}
    expected = f"expected {of} and count, two whole numbers ({spec})"
    for number, line in lines_of(stream.name, stream.content()):
        where, fields = f"{stream.name}:{number}", line.split()
        if len(fields) != 2:
            raise InputError(f"{where}: found {shown_text(line.strip())}; {expected}")
        for field in fields:
            if not field.isdigit():
                raise InputError(f"{where}: {shown_text(field)} is no whole number; {expected}")
        place, count = map(_number, fields)
        if not 1 <= place <= most:
            written = shown_text(fields[0])
            raise InputError(
                f"{where}: the {of} is {written}; it must be from 1 to {most} ({spec})"
            )
        if place in counts:
            raise InputError(f"{where}: the {of} {place} occurs a second time ({spec})")
        if count > MOST_COUNT:
            raise InputError(
                f"{where}: the count is {shown_text(fields[1])}; it must be at most 10^18 ({spec})"
            )
        counts[place] = count
    if not any(counts.values()):
        what = "all counts are 0" if counts else "empty"
        raise InputError(f"{stream.name}: {what}; expected lines of {of} and count ({spec})")
    return counts


def _number(digits: bytes) -> int:
    """A whole number; of many digits another one that is beyond all limits, too."""
    return int(digits.lstrip(b"0")[: len(str(MOST_COUNT)) + 1] or b"0")
