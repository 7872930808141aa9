"""The numbers of an equation as text: with as many digits as give the value that is shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress

from ...evaluation import render

MOST_DIGITS = 17  # of a double
SMALL, LARGE = 1e-5, 1e9  # from and up to which a number is written without an exponent


def computed(written: Callable[[int], str], value: float, digits: int) -> str:
    """An expression in numbers with its value, and as many digits as it takes to get that from
    them; no number has fewer than those asked for.
    """
    style = _style(value, digits)
    for more in range(digits, MOST_DIGITS + 1):
        with suppress(ArithmeticError):
            if format(_calculated(written(more)), style) == format(value, style):
                return f"{written(more)} = {short(value, digits)}"
    return f"{written(digits)} = {short(value, digits)}"


def _calculated(expression: str) -> float:
    """What an expression in numbers comes to, as who reads it would calculate it."""
    names = {"__builtins__": {}, "sqrt": math.sqrt, "inf": math.inf}
    return float(eval(expression, names))  # noqa: S307 - written here, of our own numbers


def summed(
    name: str,
    terms: Sequence[float],
    total: float,
    digits: int,
    spec: str = "",
    rest: tuple[float | None, str] = (None, ""),
) -> str:
    """A sum with its terms, those in the middle left out where there are many.

    rest: a term that is no rank's, and what it is of
    """
    written = [short(x, digits) for x in terms if x]
    beyond, of = rest
    if beyond:
        written.append(f"{short(beyond, digits)} {of}")
    end = f" = {short(total, digits)}" * (len(written) != 1) + spec
    begin = f"{name} = "
    if not written:
        return f"{name} = 0{spec}"
    line = begin + " + ".join(written) + end
    while len(line) > render.WIDTH and len(written) > 2:
        del written[-2]
        line = begin + " + ".join([*written[:-1], "...", written[-1]]) + end
    return wrapped(line)


def short(x: float, digits: int) -> str:
    """A number of an equation: an integer, or with so many decimals (of a small one, digits)."""
    return f"{x:.0f}" if is_integer(x) and abs(x) < LARGE else format(x, _style(x, digits))


def _style(x: float, digits: int) -> str:
    """How a number that is no integer is written."""
    size = abs(x)
    if size >= LARGE:
        return f".{max(digits, 1)}e"
    if not digits or not x:
        return f".{digits}f"
    if size < SMALL:
        return f".{digits - 1}e"
    return f".{max(digits, digits - 1 - math.floor(math.log10(size)))}f"


def decimal(x: float, digits: int) -> str:
    """A number of a column, with so many decimals."""
    return f"{x:.{digits}f}" if abs(x) < LARGE else f"{x:.{max(digits, 1)}e}"


def is_integer(x: float) -> bool:
    return x == x // 1


def wrapped(line: str, indent: int = 4) -> str:
    """A line in 80 columns, with what follows indented."""
    return "\n".join(render.wrapped(line, " " * indent))
