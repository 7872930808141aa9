"""Figure 1 of karmaker-2022, the types of queries, and with real rankings figures 2 and 3."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..errors import InputError
from ..papers.karmaker_2022 import experiment
from ..papers.karmaker_2022.rankers import chosen
from ..reference.query_types import EASY, HARD, IDEAL, UNINFORMATIVE
from .drawing import GRID, HUES, INK, MUTED, imported, one_axes, set_title, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAND = 0.09  # of the value, above and below the diagonal: what is near it
# Corners, (real, expected), of the regions.
NEAR = ((0, 0), (BAND, 0), (1, 1 - BAND), (1, 1), (1 - BAND, 1), (0, BAND))
BELOW = ((BAND, 0), (1, 0), (1, 1 - BAND))
# Where the name of each region stands.
REGIONS = {"uninformative": ((0.475, 0.525), NEAR), "informative": ((0.66, 0.3), BELOW)}
CORNERS = {"hard": (0.09, 0.09), "easy": (0.91, 0.91), "ideal": (0.88, 0.1)}
METRICS = {"nDCG": "nDCG", "MAP": "AP"}  # of the case studies, of one query
KINDS = {  # each with what its queries are called; those of --data are by the signed gap
    "": "other queries",
    UNINFORMATIVE: "uninformative: smallest real − expected (signed)",
    HARD: "of these hard",
    EASY: "of these easy",
    IDEAL: "ideal: greatest real − expected",
}
HUES_OF_KINDS = (MUTED, HUES[0], HUES[0], HUES[0], HUES[1])
MARKERS_OF_KINDS = ("o", "s", "v", "P", "^")
SIZE = 0.16  # of a circle
WIDER = 3  # times as wide as the histogram are the points beside it


def query_types(
    *,
    data: str | os.PathLike[str] | None = None,
    feature: Iterable[int] | None = None,
    predictions: Iterable[str | os.PathLike[str]] | None = None,
    run: Iterable[str | os.PathLike[str]] | None = None,
    train: str | os.PathLike[str] | None = None,
    backend: str = "auto",
) -> Figure:
    """Queries by their real value and that of a random ranking. Spec: RS-BND-12, RS-BND-13.

    Without data the figure shows the regions of figure 1; queries near the diagonal are
    uninformative (``gap="absolute"``). With data the queries with the smallest difference are
    uninformative (``gap="signed"``), as in the paper's experiment; these can also lie far above the
    diagonal.

    data  a folder of LETOR files; the figure shows a point for each query, and for each type the
          distribution of the expected values
    feature, predictions, run, train  rankers of their rows, as for ``rankspec.reproduce``
    """
    rankers = chosen(feature, predictions, run, train)
    if data is None:
        if rankers.any:
            raise InputError("query-types: rankers need rows to rank; give data")
        return _regions()
    return _points(experiment.originals_of(experiment.read(data, rankers), backend))


def _regions() -> Figure:
    patches = imported("matplotlib.patches")
    with style():
        figure, axes = one_axes()
        figure.set_size_inches(5.4, 4.6)
        for hue, (name, (at, corners)) in zip((HUES[0], HUES[1]), REGIONS.items(), strict=True):
            axes.add_patch(patches.Polygon(corners, color=hue, alpha=0.16, linewidth=0))
            axes.text(*at, name, color=hue, ha="center", va="center",
                      rotation=45 if name == "uninformative" else 0,
                      rotation_mode="anchor", transform_rotates_text=True)  # fmt: skip
        for name, at in CORNERS.items():
            hue = HUES[1] if name == "ideal" else HUES[0]
            axes.add_patch(
                patches.Ellipse(at, SIZE, SIZE, fill=False, edgecolor=hue, linewidth=1.4)
            )
            axes.text(*at, name, color=hue, ha="center", va="center", fontweight="bold")
        axes.text(0.27, 0.73, "worse than random", color=MUTED, ha="center", va="center")
        _frame(axes, ends=(0.155, 0.845))
        axes.grid(visible=False)
        set_title(axes, "Types of queries; uninformative: real ≈ expected (absolute)")
    return figure


def _frame(axes: Axes, ends: Sequence[float] = (0, 1)) -> None:
    """The unit square, in which both axes have one scale, and its diagonal."""
    axes.plot(ends, ends, color=MUTED, linewidth=1)
    axes.grid(visible=True, axis="both")
    ticks = [0, 0.25, 0.5, 0.75, 1]
    axes.set_xticks(ticks)
    axes.set_yticks(ticks)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_box_aspect(1)
    axes.set_xlabel("real value: the mean of the rankings")
    axes.set_ylabel("expected value: that of a random ranking")


def _points(studies: dict[str, experiment.Study]) -> Figure:
    """Of each study the points, and beside them the histogram of expected values."""
    with style():
        from matplotlib.figure import Figure

        figure = Figure(layout="constrained", figsize=(11, 5))
        panels = figure.subplots(1, 4, width_ratios=(WIDER, 1, WIDER, 1), sharey=True)
        for (name, study), axes, beside in zip(
            studies.items(), panels[::2], panels[1::2], strict=True
        ):
            _frame(axes)
            _draw_points(axes, study)
            set_title(axes, f"{METRICS[name]} of {len(study.real)} queries")
            _draw_histogram(beside, study)
            beside.set_box_aspect(WIDER)
        panels[2].set_ylabel("")
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower left", ncols=len(names), frameon=False,
                      labelcolor="linecolor", handletextpad=0)  # fmt: skip
    return figure


def _draw_points(axes: Axes, study: experiment.Study) -> None:
    kinds = [kind_of(classes) for classes in study.classes()]
    for (kind, name), hue, marker in zip(
        KINDS.items(), HUES_OF_KINDS, MARKERS_OF_KINDS, strict=True
    ):
        own = [q for q, x in enumerate(kinds) if x == kind]
        axes.plot(
            [float(study.real[q]) for q in own],
            [float(study.expected[q]) for q in own],
            marker,
            color=hue,
            markersize=3.5 if marker in "os^" else 5,
            alpha=0.75,
            label=name,
        )


def kind_of(classes: Sequence[str]) -> str:
    """Which of the kinds a query is drawn as."""
    return next((kind for kind in (IDEAL, HARD, EASY, UNINFORMATIVE) if kind in classes), "")


def _draw_histogram(axes: Axes, study: experiment.Study) -> None:
    """How many queries have which expected value; each bar is made of the types of its queries."""
    kinds = [kind_of(classes) for classes in study.classes()]
    bins = experiment.BINS
    left = [0] * bins
    for kind, hue in zip(KINDS, HUES_OF_KINDS, strict=True):
        own = [x for x, of in zip(study.expected, kinds, strict=True) if of == kind]
        counts = experiment.in_bins(own)
        axes.barh([(at + 0.5) / bins for at in range(bins)], counts, height=0.9 / bins, left=left,
                  color=hue, alpha=0.75, edgecolor=GRID, linewidth=0)  # fmt: skip
        left = [a + b for a, b in zip(left, counts, strict=True)]
    for at, count in enumerate(left):
        axes.annotate(f"{count}", (count, (at + 0.5) / bins), xytext=(3, 0),
                      textcoords="offset points", va="center", color=INK, fontsize=8)  # fmt: skip
    axes.set_xticks([])
    axes.set_xlim(0, 1.3 * max(left))
    axes.set_xlabel("queries, by\nexpected value")
