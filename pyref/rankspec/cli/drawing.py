"""A picture that a command draws, written into a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .output import save

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(path: str, figure: Callable[[], Figure]) -> None:
    """Write a picture, in the format that the file's suffix says."""
    from ..plots import encoded, format_of

    suffix = format_of(path)
    with _without_warnings("matplotlib"):
        picture = encoded(figure(), suffix)
    save(path, picture)


@contextmanager
def _without_warnings(name: str) -> Iterator[None]:
    """What a library logs of its folders and settings is not for those who only want a picture."""
    import logging

    logger = logging.getLogger(name)
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
