"""A picture that a command draws, written into a file."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .output import complain, save

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(path: str, figure: Callable[[], Figure]) -> None:
    """Write a picture, in the format that the file's suffix says."""
    from ..plots import encoded, format_of

    suffix = format_of(path)
    with _without_warnings("matplotlib"), _missing_glyphs() as missing:
        picture = encoded(figure(), suffix)
    if missing and suffix != "svg":  # in which text stays text
        complain(
            f"warning: {path}: the font has no glyph for {' '.join(missing)}; "
            "a picture with the suffix .svg keeps the characters"
        )
    save(path, picture)


@contextmanager
def _missing_glyphs() -> Iterator[dict[str, None]]:
    """The characters that the font lacks; matplotlib warns of each when it draws it."""
    missing: dict[str, None] = {}
    with warnings.catch_warnings():
        warnings.filterwarnings("always", r"Glyph \d+ .*missing from")
        show = warnings.showwarning

        def noted(message: Warning | str, *rest: Any, **named: Any) -> None:
            if glyph := re.match(r"Glyph (\d+) .*missing from", str(message)):
                missing[chr(int(glyph[1]))] = None
            else:
                show(message, *rest, **named)

        warnings.showwarning = noted
        yield missing


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
