"""The cells that the tables of comparisons share."""

from __future__ import annotations

from math import isfinite

from ...evaluation import render
from .agreement import Power
from .found import Interval, Tested
from .units import Unit

WHOLE = "all"
"""What the set of all queries is called."""

FEWEST = 2  # queries of a set that have a value, for it to be compared on

SHARES = "worse/equal/better"
"""The probabilities of the Bayesian test."""

NOT_COMPARED = "n/a"
"""The cell of what has too few queries."""

MARK = "*"  # behind a corrected p that is at most alpha
LEAST_P = 4  # decimals of p

SHORT = {"randomisation": "random.", "randomised-tukey": "r-tukey"}


def short(test: str) -> str:
    """A test's name as the head of a narrow column."""
    return SHORT.get(test, test)


def corrected_cell(tested: Tested) -> str:
    """The corrected p, with a mark where it is significant; or three probabilities."""
    if tested.outcome.probabilities is not None:
        return "/".join(f"{x:.3f}" for x in tested.outcome.probabilities)
    return f"{p_cell(tested.corrected)}{MARK if tested.significant else ' '}"


def p_cell(p: float | None) -> str:
    """A p-value in so many decimals; one that has none but zeros as less than the last."""
    if p is None:
        return "-"
    return f"{p:.{LEAST_P}f}" if p >= 10**-LEAST_P else f"<0.{'0' * (LEAST_P - 1)}1"


def power_cell(power: Power | None) -> str:
    """How many pairs are significant, of how many."""
    return "-" if power is None else share_cell(power.significant, power.pairs, power.share)


def share_cell(count: int, of: int, share: float) -> str:
    """A count, of how many, and its share."""
    return f"{count}/{of} ({100 * share:.0f}%)"


def signed(x: float, digits: int, mark: bool | None = None) -> str:
    """A difference with its sign; mark: whether it has a mark, None where none of them has."""
    end = "" if mark is None else MARK if mark else " "
    return f"{'' if x < 0 else '+'}{render.short_cell(x, digits)}{end}"


def too_few_said(n: int, unit: Unit) -> str:
    """Return why a set is not compared by a measure that n of its queries have a value of."""
    few = f"only one {unit.name}" if n else f"no {unit.name}"
    return f"{few} of the set has a value; a comparison needs two"


def interval(ends: Interval | None, digits: int) -> str:
    """An interval in brackets."""
    if ends is None:
        return "-"
    return f"[{', '.join(render.short_cell(end, digits) for end in ends)}]"


def away(ends: Interval | None) -> bool:
    """Whether an interval lies on one side of 0."""
    return ends is not None and (ends[0] > 0 or ends[1] < 0)


def count(n: int, one: str = "query", several: str = "queries") -> str:
    """So many queries, in words."""
    return f"{n} {one if n == 1 else several}"


def finite(ends: Interval | None) -> tuple[float | None, ...] | None:
    """An interval for JSON, which has no infinity: None is an end that no double holds."""
    return None if ends is None else tuple(end if isfinite(end) else None for end in ends)
