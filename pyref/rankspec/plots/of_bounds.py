"""Plots of the chapter bounds: what a random ranking has, and what normalising by it does."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..compute.gain import exact
from ..errors import InputError
from ..metrics.catalogue import RLB, SP
from ..reference.bounds import ul1, ul2
from .drawing import (
    DASHES,
    HUES,
    MUTED,
    Name,
    as_list,
    axes_beside,
    check,
    check_distinct,
    few,
    set_title,
    style,
    write_beside,
    write_in_corner,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ITEMS = (10, 100)
MOST_ITEMS = 1000
SHARES = (0.2, 0.5, 0.8)  # of the items that are relevant
LOWER_BOUNDS = (0.1, 0.3, 0.6)
CURVE = 200  # steps


def expected_sp(
    *, items: Sequence[int] = ITEMS, shares: Sequence[Any] = SHARES, backend: str = "auto"
) -> Figure:
    """E[SP@k] / k of a random ranking, and the formula of karmaker-2022. Spec: RS-BND-2, RS-BND-10.

    items   the numbers of items, one panel for each
    shares  the shares of relevant items, between 0 and 1; rounded to whole items, at least 1
    """
    sizes = few("items", items, 1, 3)
    for n in sizes:
        check("the number of items", n, 2, MOST_ITEMS)
    parts = _between_0_and_1("shares", shares)
    with style():
        figure, panels = axes_beside(len(sizes))
        for axes, n in zip(panels, sizes, strict=True):
            relevant = [max(1, round(n * share)) for share in parts]
            _draw_expected_sp(figure, axes, n, relevant, backend)
        how = "solid: exactly; dashed: by the formula (relevant / items)²"
        set_title(panels[0], f"What a random ranking has: E[SP@k] / k\n{how}")
        panels[0].set_ylabel("E[SP@k] / k")
        panels[0].set_ylim(0, 1.02)
        panels[0].set_yticks([0, 0.25, 0.5, 0.75, 1])
    return figure


def _draw_expected_sp(
    figure: Figure, axes: Axes, n: int, relevant: Sequence[int], backend: str
) -> None:
    cutoffs = range(1, n + 1)
    pools = [[1] * N_p + [0] * (n - N_p) for N_p in relevant]

    def curves(bounds: str) -> list[list[float]]:
        """Of each pool E[SP@k] / k, for k from 1."""
        rows = [
            [x / k for x in as_list(RLB(SP(k=k), bounds=bounds).of(pools, backend=backend))]
            for k in cutoffs
        ]
        return [list(column) for column in zip(*rows, strict=True)]

    names = []
    for N_p, exactly, by_formula, hue in zip(
        relevant, curves("exact"), curves("karmaker-2022"), HUES, strict=False
    ):
        axes.plot(cutoffs, exactly, color=hue)
        axes.plot(cutoffs, by_formula, color=hue, linestyle=DASHES[1], linewidth=1.2)
        names.append(Name(f"{N_p} relevant", (exactly[-1] + by_formula[-1]) / 2, hue))
    axes.set_xlim(1 - 0.02 * n, n)
    axes.set_xlabel(f"k, of {n} items")
    write_beside(figure, axes, names, n)


def bounds(*, lower: Sequence[Any] = LOWER_BOUNDS) -> Figure:
    """UL1 and UL2 of a value, for some lower bounds. Spec: RS-BND-5, RS-BND-6.

    lower  the lower bounds as shares of the upper one, RLB / IUB, between 0 and 1
    """
    given = _between_0_and_1("lower", lower)
    values = [Fraction(step, CURVE) for step in range(CURVE + 1)]
    with style():
        figure, panels = axes_beside(2)
        for axes, of, name in zip(panels, (ul1, ul2), ("UL1 (V1, eq. 5)", "UL2 (V2, eq. 6)"),
                                  strict=True):  # fmt: skip
            axes.plot([0, 1], [0, 1], color=MUTED, linewidth=1)
            names = []
            for RLB_, hue, dashes in zip(given, HUES, DASHES, strict=False):
                at = sorted({*values, RLB_})
                curve = [float(of(A, 1, RLB_)) for A in at]
                axes.plot([float(A) for A in at], curve, color=hue, linestyle=dashes)
                axes.plot(float(RLB_), float(of(RLB_, 1, RLB_)), "o", color=hue)
                names.append(Name(f"RLB/IUB = {float(RLB_):g}", curve[-1], hue))
            axes.set_xlim(0, 1)
            axes.set_xlabel("A / IUB")
            set_title(axes, name)
            if of is ul1:  # all curves of UL2 end in one point; they look as those of UL1
                write_beside(figure, axes, names, 1)
        panels[0].set_ylim(-1.05, 1.05)
        write_in_corner(panels[0], "thin: A / IUB; dots: A = RLB", 0.34, MUTED)
    return figure


def _between_0_and_1(what: str, given: Sequence[Any]) -> list[Fraction]:
    numbers = [Fraction(exact(x, f"plot: {what}")) for x in few(what, given, 1, len(HUES))]
    check_distinct(what, numbers)
    for x in numbers:
        if not 0 < x < 1:
            raise InputError(f"plot: {what}: {float(x):g}; it must be between 0 and 1")
    return numbers
