"""Errors about one of several runs, or sets of judgments, that are given by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...errors import InputError


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
