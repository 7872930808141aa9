"""Checks and errors of what is compared: one of several runs by its name, numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import SupportsFloat

from ...errors import InputError, shown


@contextmanager
def naming(kind: str, instead: str) -> Iterator[None]:
    """An error that begins with the kind of input, "run:" say, says which of them it is about."""
    try:
        yield
    except InputError as error:
        text = str(error)
        if not text.startswith(f"{kind}:"):
            raise
        raise InputError(f"{instead}{text.removeprefix(kind)}") from None


def as_double(name: str, x: SupportsFloat) -> float:
    """The double nearest to a real number; an InputError, which names it, beyond their range."""
    try:
        return float(x)
    except OverflowError:
        raise InputError(f"{name}: {shown(x)} is beyond the range of doubles") from None
