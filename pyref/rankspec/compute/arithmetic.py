"""The arithmetic of doubles as IEEE 754 has it by default, whatever else is loaded (RS-NUM-26).

A library may have told the processor, for a whole thread, to round doubles otherwise, or to take
numbers below the normal ones for 0. Each public function that computes sees to it that its own
arithmetic is the default, and gives back what it found.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps

from ..errors import CoreMissing
from ..typed import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

# Names, and no numbers in place, so that Python does not compute with them beforehand.
_ONE, _LITTLE, _MUCH = 1.0, 2.0**-60, 2.0**60
_LEAST_NORMAL = sys.float_info.min


def is_standard() -> bool:
    """Whether doubles are rounded to the nearest, and those below the normal ones are numbers."""
    nearest = _ONE + _LITTLE == _ONE - _LITTLE
    return nearest and _LEAST_NORMAL / 4.0 * _MUCH != 0.0


def standard_arithmetic(function: Callable[P, R]) -> Callable[P, R]:
    """The function, computed with the default arithmetic of doubles."""

    @wraps(function)
    def computed(*args: P.args, **kwargs: P.kwargs) -> R:
        if is_standard():
            return function(*args, **kwargs)
        try:
            from .core import lib
        except CoreMissing as error:
            raise CoreMissing(
                "another library has changed how this process rounds doubles, or takes small ones "
                f"for 0; only the C core can put that right for a while (RS-NUM-26), and {error}"
            ) from None
        saved = lib.rs_standard_arithmetic()
        try:
            return function(*args, **kwargs)
        finally:
            lib.rs_restore_arithmetic(saved)

    return computed
