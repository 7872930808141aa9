"""The lines of a small file that is held in memory, with their numbers."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import InputError
from . import limits, trec


def lines_of(name: str, content: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that are neither blank nor comments, with their numbers."""
    longest, most = limits.TOKEN.value, limits.LINE.value
    for number, line in enumerate(content.split(b"\n"), start=1):
        if len(line) > most:
            raise limits.LINE.exceeded(f"{name}:{number}", f"a line of {len(line)} bytes", most)
        if len(line) > longest:
            limits.check_tokens(f"{name}:{number}", line.split(b"\t", 4)[:4], longest)
        if b"\0" in line:
            raise trec.nul(f"{name}:{number}")
        if trec.lone_cr(line):
            raise InputError(
                f"{name}:{number}: found a carriage return (CR) within a line{trec.LONE_CR}"
            )
        if line.strip() and not line.startswith(b"#"):
            yield number, line
