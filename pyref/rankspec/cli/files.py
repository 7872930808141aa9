"""Files that are named on the command line: what they are called, also in errors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from ..errors import InputError


def check_standard_input(paths: Sequence[str]) -> None:
    if paths.count("-") > 1:
        raise InputError("only one of the files can be the standard input")


def names_of(paths: Sequence[str], what: str = "run", spec: str = "") -> list[str]:
    """Return what the runs are called: the file names, or the paths where those are not distinct.

    what, spec: what they are, and the ID of what refuses the same one twice, for errors
    """
    real = list(map(_real, paths))
    for path, file in zip(paths, real, strict=True):
        if real.count(file) > 1:
            by = f" ({spec})" if spec else ""
            raise InputError(f"{path}: the same {what} is given twice{by}")
    names = [path.rpartition("/")[2] or path for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def _real(path: str) -> str:
    """The path of a file without links; opening it will say what is wrong."""
    with suppress(ValueError):  # a NUL byte in it
        return path if path == "-" else os.path.realpath(path)
    return path


@contextmanager
def naming(path: str, runs: Sequence[str], *others: str) -> Iterator[None]:
    """An error says which of several runs it is about; or which of the other files."""
    try:
        yield
    except InputError as error:
        known = tuple(f"{name}:" for name in (path, "standard input", *others))
        if str(error).startswith(known) or len(runs) == 1:
            raise
        raise InputError(f"{path}: {error}") from None
