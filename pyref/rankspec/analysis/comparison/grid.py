"""A table of a comparison, as each format writes it, and the cells that tables share."""

from __future__ import annotations

from dataclasses import dataclass

from ...evaluation import render
from .agreement import Power
from .found import Tested

WHOLE = "all"
"""What the set of all queries is called."""

MARK = "*"  # behind a corrected p that is at most alpha
LEAST_P = 4  # decimals of p

SHORT = {"randomisation": "random.", "randomised-tukey": "r-tukey"}


@dataclass(frozen=True)
class Grid:
    """A table: its title, what the first column is of, the other columns, and rows."""

    title: str
    corner: str
    header: list[str]
    rows: list[tuple[str, list[str]]]


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


def signed(x: float, digits: int) -> str:
    """A difference, with its sign."""
    return f"{'' if x < 0 else '+'}{render.short_cell(x, digits)}"
