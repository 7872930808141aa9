"""Rankings of news at points in time, and how often each item was tweeted: files of moniz-2016.

A table of rankings is a CSV file, plain or compressed: Timestamp, R1, ..., R100, a row a ranking,
with the IDLinks of its items. The scores are in one file, with the columns IDLink and
TimesPublishedTwitter, and maybe others.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, shown_text
from ..formats.streams import Stream
from .popularity import paths_in

ITEMS = 100
HEADER = ["Timestamp", *(f"R{rank}" for rank in range(1, ITEMS + 1))]
ITEM, TWEETS = "IDLink", "TimesPublishedTwitter"
NONE = ("", "NA", "-1")  # in the place of an item, and of tweets


class RankTable(NamedTuple):
    """The rankings of a topic: when each was taken, and its items in rank order."""

    times: list[datetime]
    rankings: list[list[str]]


class News(NamedTuple):
    """What a folder has of them: tables by name, scores by item or None, and the files of both."""

    tables: dict[str, RankTable]
    tweets: Mapping[str, int] | None
    files: dict[str, str]


def read_news(folder: str | os.PathLike[str]) -> News:
    """The tables of rankings and the scores in a folder; other files are none of it."""
    found = News({}, None, {})
    for path in paths_in(folder):
        if path.is_dir() or ".csv" not in path.suffixes:
            continue
        rows = _rows(path)
        header = next(rows, (0, []))[1]
        if header == HEADER:
            found.tables[path.name.partition(".")[0]] = _table(path, rows)
            found.files[path.name] = "rankings"
        elif {ITEM, TWEETS} <= set(header):
            if found.tweets is not None:
                raise InputError(f"{path}: there are other scores in the folder")
            tweets = _tweets(path, rows, header.index(ITEM), header.index(TWEETS))
            found = found._replace(tweets=tweets)
            found.files[path.name] = "scores of news"
    return found


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of a file with their lines; none where it is not text."""
    try:
        lines = Stream(path).content().decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return
    yield from enumerate(csv.reader(lines), start=1)


def _table(path: Path, rows: Iterator[tuple[int, list[str]]]) -> RankTable:
    found = RankTable([], [])
    for line, row in rows:
        if len(row) != len(HEADER):
            raise InputError(f"{path}, line {line}: {len(row)} cells; there must be {len(HEADER)}")
        try:
            found.times.append(datetime.fromisoformat(row[0]))
        except ValueError:
            where = f"{path}, line {line}"
            raise InputError(f"{where}: Timestamp is {shown_text(row[0])}, no time") from None
        found.rankings.append([item for item in row[1:] if item not in NONE])
    return found


def _tweets(
    path: Path, rows: Iterator[tuple[int, list[str]]], item: int, tweets: int
) -> dict[str, int]:
    found: dict[str, int] = {}
    for line, row in rows:
        where = f"{path}, line {line}"
        if len(row) <= max(item, tweets):
            raise InputError(f"{where}: {len(row)} cells; the header has more")
        text = row[tweets]
        if text not in NONE and not (text.isdigit() and len(text) <= 15):
            raise InputError(f"{where}: {TWEETS} is {shown_text(text)}, no whole number")
        found[row[item]] = 0 if text in NONE else int(text)
    return found


def distinct(ranking: Sequence[str]) -> list[str]:
    """The items, each at its first rank."""
    return list(dict.fromkeys(ranking))
