"""The limits of what is read: of a token, a line, a source without an end, and compression.

A file of some megabytes that becomes gigabytes must not take the memory of the machine, and a pipe
that never ends must not fill its disk. Each limit is far above what data have, and an environment
variable raises it. Spec: RS-CONV-30
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from ..errors import InputError, shown_text
from ..typed import NamedTuple, TypeAlias

Fill: TypeAlias = Callable[[memoryview], int]


class Limit(NamedTuple):
    """A limit: the environment variable that raises it, and its value without that."""

    variable: str
    default: int

    @property
    def value(self) -> int:
        """The limit that holds now."""
        given = os.environ.get(self.variable, "").strip()
        if not given:
            return self.default
        if not given.isascii() or not given.isdigit() or len(given) > 18 or int(given) < 1:
            raise InputError(
                f"the environment variable {self.variable} is {shown_text(given)}; expected a "
                "whole number, from 1 to 10^18 - 1 (RS-CONV-30)"
            )
        return int(given)

    def exceeded(self, place: str, found: str, value: int) -> InputError:
        """The error for something above the limit: where it is, and what is found there."""
        return InputError(
            f"{place}: found {found}; the limit is {value}, and the environment variable "
            f"{self.variable}=N sets another (RS-CONV-30)"
        )


TOKEN = Limit("RANKSPEC_MOST_TOKEN", 1 << 16)  # bytes of an id, a label, a score or a field
LINE = Limit("RANKSPEC_MOST_LINE", 1 << 24)  # bytes
RATIO = Limit("RANKSPEC_MOST_RATIO", 100)  # bytes for each that is compressed
STREAM = Limit("RANKSPEC_MOST_STREAM", 1 << 30)  # bytes of a source without a size
HELD = Limit("RANKSPEC_MOST_HELD", 1 << 28)  # bytes of one that is held in memory
FREE = 1 << 24  # bytes that may come from any file, however few it has
PIECE = 1 << 20
NEAR = 1 << 12  # bytes in which the end of a line mostly is


def check_tokens(place: str, tokens: Iterable[bytes], value: int) -> None:
    """An InputError where one of the columns of a line is too long; value: the limit."""
    for token in tokens:
        if len(token) > value:
            raise TOKEN.exceeded(place, f"a column of {len(token)} bytes", value)


def of_lines(name: str, fill: Fill) -> Fill:
    """The same, which raises InputError where a line is too long."""
    most = LINE.value
    piece = min(PIECE, most)  # so no line within a piece is too long
    begin = at = 0  # where the line begins, and where the bytes end that were read

    def checked(part: memoryview) -> None:
        nonlocal begin, at
        first, last = _first(part), _last(part)
        end = at + len(part) if first < 0 else at + first
        if end - begin > most:
            found = f"a line of more than {most} bytes, which begins at byte {begin}"
            raise LINE.exceeded(name, found, most)
        if last >= 0:
            begin = at + last + 1
        at += len(part)

    def fill_and_check(buffer: memoryview) -> int:
        done = 0
        while done < len(buffer):
            wanted = min(piece, len(buffer) - done)
            n = fill(buffer[done : done + wanted])
            checked(buffer[done : done + n])
            done += n
            if n < wanted:
                break
        return done

    return fill_and_check


def of_size(name: str, fill: Fill, limit: Limit) -> Fill:
    """The same, which raises InputError where there are more bytes than the limit."""
    left = most = limit.value

    def fill_and_check(buffer: memoryview) -> int:
        nonlocal left
        n = fill(buffer[: left + 1])
        if n > left:
            raise limit.exceeded(name, without_size(most), most)
        left -= n
        return n

    return fill_and_check


def without_size(most: int) -> str:
    """Return the words for a source that goes on too long."""
    return f"more than {most} bytes in a source without a size, such as a pipe or a device"


def _first(part: memoryview) -> int:
    """Where the first newline is, or -1."""
    near = bytes(part[:NEAR]).find(b"\n")
    return near if near >= 0 or len(part) <= NEAR else bytes(part).find(b"\n")


def _last(part: memoryview) -> int:
    """Where the last newline is, or -1."""
    before = max(0, len(part) - NEAR)
    near = bytes(part[before:]).rfind(b"\n")
    return before + near if near >= 0 or before == 0 else bytes(part).rfind(b"\n")


def of_ratio(name: str, fill: Fill, compressed: Callable[[], int]) -> Fill:
    """The same, which raises InputError where far more bytes come than were compressed."""
    most = RATIO.value
    total = 0

    def fill_and_check(buffer: memoryview) -> int:
        nonlocal total
        done = 0
        while done < len(buffer):
            wanted = min(PIECE, len(buffer) - done)
            n = fill(buffer[done : done + wanted])
            done += n
            total += n
            if total > max(FREE, most * compressed()):
                found = f"more than {most} bytes for each compressed one"
                raise RATIO.exceeded(name, found, most)
            if n < wanted:
                break
        return done

    return fill_and_check
