"""A progress bar on the standard error, for work that takes more than a second.

Only a terminal gets one, and rich is imported only when it is drawn.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from .text import shortened
from .typed import Any, TypeAlias, TypeVar

Progress: TypeAlias = Callable[[int, int | None], None]
"""Told now and then, from any thread: (bytes that are done, all bytes or None: unknown)."""

PATIENCE = 1.0  # seconds without a bar
WIDTH_OF_NAME = 32


@contextmanager
def progress_bar(name: str, wanted: bool = True, of: str = "") -> Iterator[Progress | None]:
    """What the work within is to tell how far it is; None where nobody would see it.

    name: what is worked on; of: what is counted, "" for bytes, "%" for a share of the whole. The
    bar is gone when the work is over.
    """
    if not wanted or not _terminal():
        yield None
        return
    bar = _Bar(name, of)
    try:
        yield bar.show
    finally:
        bar.remove()


def _terminal() -> bool:
    """Whether the standard error is a terminal that can draw."""
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


Item = TypeVar("Item")


def each(items: Sequence[Item], progress: Progress | None) -> Iterator[Item]:
    """The items, one after the other; progress is told how many are done."""
    for done, item in enumerate(items, start=1):
        yield item
        if progress is not None:
            progress(done, len(items))


class Readings:
    """Several readings of one file, or other parts, one after another, which are one work.

    expected: how many there will be, as far as it is known
    """

    def __init__(self, progress: Progress | None, expected: int) -> None:
        self.expected = expected
        self._progress = progress
        self._begun = 0

    def expect(self, more: int) -> None:
        """After those that have begun there will be so many."""
        self.expected = self._begun + more

    def next(self) -> Progress | None:
        """What the next reading is to tell how far it is; None where nobody would see it."""
        progress, before = self._progress, self._begun
        self._begun += 1
        if progress is None:
            return None

        def tell(done: int, total: int | None) -> None:
            if total is None:
                progress(done, None)
            else:
                progress(before * total + done, self.expected * total)

        return tell


class _Bar:
    def __init__(self, name: str, of: str = "") -> None:
        self.name, self.of = name, of
        self.begun = monotonic()
        self.lock = allocate_lock()
        self.drawn: Any = None  # rich's Progress, and its task

    def show(self, done: int, total: int | None) -> None:
        if monotonic() - self.begun < PATIENCE:
            return
        with self.lock:
            if self.drawn is None:
                self.drawn = _display(self.name, self.of, done, total)
                self.drawn[0].start()  # known by now: it is removed if this is interrupted
            display, task = self.drawn
            display.update(task, completed=done, total=total)

    def remove(self) -> None:
        with self.lock:
            if self.drawn is not None:
                self.drawn[0].stop()
                self.drawn = None
            self.begun = float("inf")  # a thread that is late draws no other


def _display(name: str, of: str, done: int, total: int | None) -> tuple[Any, Any]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    counted = {"": DownloadColumn, "%": TaskProgressColumn}.get(of, MofNCompleteColumn)()
    display = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        counted,
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = display.add_task(shortened(name, WIDTH_OF_NAME), completed=done, total=total)
    return display, task
