"""How popular items were at each step after their publication, from tables of counts.

A table is a CSV file, plain or compressed: IDLink, TS1, ..., TS144, a row an item, with its
cumulative count 20, 40, ..., 2880 minutes after its publication, and -1 where it had not been seen.
So are the tables of the set "News Popularity in Multiple Social Media Platforms".
"""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from ..errors import InputError, shown, shown_text
from ..formats.streams import Stream

STEPS = 144
MINUTES = 20  # of a step
HEADER = ["IDLink", *(f"TS{step}" for step in range(1, STEPS + 1))]
NOT_SEEN = -1

Series: TypeAlias = Sequence[int]
"""The counts of an item: that of step s is at s - 1."""


class Folder(NamedTuple):
    """The items of each table of a folder, and of each file that is none why it is left out.

    A table is called what its file is, up to the first dot.
    """

    tables: dict[str, list[Series]]
    left_out: dict[str, str]


def paths_in(folder: str | os.PathLike[str]) -> list[Path]:
    """What is in a folder of data, by name."""
    if not isinstance(folder, (str, os.PathLike)):
        raise InputError(f"data: expected a folder, got {shown(folder)}")
    if folder == "":  # which would be the current one
        raise InputError("data: the folder name is empty")
    try:
        return sorted(Path(folder).iterdir())
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from None


def read_folder(
    folder: str | os.PathLike[str], others: Mapping[str, str] = MappingProxyType({})
) -> Folder:
    """The tables of a folder, by the names of the files; not of the folders in it.

    others: the files that are something else, and what; without any, a table must be there
    """
    found = Folder({}, dict(others))
    for path in paths_in(folder):
        if path.name in others:
            continue
        table, name = read_table(path), path.name.partition(".")[0]
        if isinstance(table, str):
            found.left_out[path.name] = table
        elif name in found.tables:
            raise InputError(f"{path}: the folder holds another table {shown_text(name)}")
        else:
            found.tables[name] = table
    if not found.tables and not others:
        raise InputError(f"{folder}: no table in it has the columns IDLink, TS1, ..., TS{STEPS}")
    return found


def read_table(path: Path) -> list[Series] | str:
    """The items that were seen in the end, by their IDLink; or why it is no such table."""
    if path.is_dir():
        return "a folder"
    if ".csv" not in path.suffixes:
        return "not .csv"
    try:
        lines = Stream(path).content().decode("ascii").splitlines()
    except UnicodeDecodeError:
        return "not ASCII"
    rows = csv.reader(lines)
    if next(rows, None) != HEADER:
        return "other columns"
    items = sorted(_item(f"{path}, line {line}", row) for line, row in enumerate(rows, start=2))
    return [counts for _, counts in items if counts[-1] != NOT_SEEN]


def _item(where: str, row: list[str]) -> tuple[int, Series]:
    if len(row) != len(HEADER):
        raise InputError(f"{where}: {len(row)} cells; expected {len(HEADER)}")
    for name, text in zip(HEADER, row, strict=True):
        digits = text.removeprefix("-")
        if not digits.isdigit() or len(text) > 15 or int(text) < NOT_SEEN:
            raise InputError(
                f"{where}: {name} is {shown_text(text)}; expected a whole number of {NOT_SEEN} "
                "or more"
            )
    identifier, *counts = map(int, row)
    return identifier, counts
