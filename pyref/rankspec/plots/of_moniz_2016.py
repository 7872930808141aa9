"""Figures 2 and 3 of moniz-2016: nDCG of relevance made of scores beside nDCG of fixed labels."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..papers import moniz_2016 as paper
from ..papers.popularity import read_folder
from ..text import shortened
from .drawing import (
    HUES,
    INK,
    MARKERS,
    MUTED,
    axes_beside,
    one_axes,
    set_title,
    style,
    write_in_corner,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_HUE_OF_READING = dict(zip(paper.READINGS, HUES[1::-1], strict=True))
LONGEST_LINE, SHORTEST_LINE = 90, 30  # of a title
TITLE_SHARE = 0.88  # of the width of a picture


def moniz_2016(
    *,
    samples: int = paper.SAMPLES,
    data: str | os.PathLike[str] | None = None,
    backend: str = "auto",
) -> Figure:
    """nDCG_phi@10 beside nDCG@10, as in figures 2 and 3 of moniz-2016. Spec: RS-REL-12, RS-DCG-6.

    samples   how many samples of random scores a box has: the scenarios of the authors' program
    data      a folder of tables of counts: instead of the boxes a point for each ranking of news
    """
    if data is not None:
        return _scatter(paper.rankings_of(read_folder(data).tables, backend))
    return _box_plot(paper.boxes_of(paper.PROGRAM, samples, backend))


def _box_plot(boxes: Sequence[paper.Box]) -> Figure:
    """A panel a scenario: boxes from quartile to quartile, whiskers to the least and the most."""
    with style():
        figure, panels = axes_beside(len(paper.PROGRAM.scenarios))
        for axes, (scenario, (what, _)) in zip(
            panels, paper.PROGRAM.scenarios.items(), strict=True
        ):
            chosen = paper.chosen_of(boxes, paper.PROGRAM, scenario)
            axes.axhline(chosen[0].ndcg, color=INK, linewidth=1.2)
            write_in_corner(axes, "nDCG@10", chosen[0].ndcg, INK, axes.get_yaxis_transform())
            for at, box in enumerate(chosen):
                _box(axes, at, box, _HUE_OF_READING[box.reading])
            centres = range(0, len(chosen), len(_HUE_OF_READING))
            axes.set_xticks(
                [at + 0.5 for at in centres], [chosen[at].distribution for at in centres]
            )
            set_title(axes, f"Scenario {scenario}\n{what}")
        panels[0].set_ylabel(f"nDCG_φ@10 of {paper.samples_in_words(len(boxes[0].values))}")
        for row, (reading, hue) in enumerate(_HUE_OF_READING.items()):
            write_in_corner(panels[0], f"φ of the {reading}", 0.2 - 0.08 * row, hue)
    return figure


def _box(axes: Axes, at: int, box: paper.Box, hue: str) -> None:
    names = ("whislo", "q1", "med", "q3", "whishi")
    line = {"color": hue}
    axes.bxp(
        [dict(zip(names, box.summary, strict=True))],
        positions=[at],
        widths=0.6,
        showfliers=False,
        boxprops=line,
        whiskerprops=line,
        capprops=line,
        medianprops={"color": hue, "linewidth": 2.6},
        manage_ticks=False,
    )


def _scatter(rankings: Sequence[paper.Rankings]) -> Figure:
    """A point a ranking, in the colour of the step of the counts that it goes by."""
    with style():
        figure, axes = one_axes()
        axes.axline((0, 0), slope=1, color=MUTED, linewidth=1)
        for step, hue, marker in zip(paper.STEPS, HUES, MARKERS, strict=True):
            shown = [x for x in rankings if (x.step, x.k) == (step, paper.K)]
            x = [value for of in shown for value in of.ndcg]
            y = [value for of in shown for value in of.phi["text"]]
            about = f"by the counts after {paper.hours(step)}"
            axes.plot(x, y, marker, color=hue, markersize=3.5, alpha=0.75, label=about)
        axes.grid(visible=True, axis="both")
        axes.set_xlim(0, 1.02)
        axes.set_ylim(0, 1.02)
        axes.set_xlabel("nDCG@10")
        axes.set_ylabel("nDCG_φ@10")
        axes.legend(
            loc="upper left",
            labelcolor="linecolor",
            frameon=False,
            handletextpad=0,
            markerscale=1.5,
        )
        tables = ", ".join(dict.fromkeys(x.table for x in rankings))
        for longest in range(LONGEST_LINE, SHORTEST_LINE - 1, -1):
            line = shortened(tables, longest)
            title = set_title(axes, f"Rankings of {paper.ITEMS} items by early counts\n{line}")
            if title.get_window_extent().width < TITLE_SHARE * figure.bbox.width:
                break
    return figure
