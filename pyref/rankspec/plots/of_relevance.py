"""The plot of the chapter relevance: φ through its control points."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import copysign, isfinite, log10
from typing import TYPE_CHECKING, Any

from .. import api
from ..analysis import relevance as phi
from ..compute.arrays import read_lists
from ..errors import InputError
from ..metrics.measure import Measure
from ..metrics.relevance import control_points
from .drawing import HUES, MARKERS, as_list, axes_beside, check, few, list_below, set_title, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Sixteen items of much the same popularity; and two that are far above the others.
WITHOUT_OUTLIERS = (3, 7, 11, 18, 22, 27, 31, 36, 44, 49, 53, 61, 70, 78, 89, 97)
WITH_OUTLIERS = (2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 20, 24, 31, 78, 97)
EXAMPLES = (WITHOUT_OUTLIERS, WITH_OUTLIERS)
MOST_SCORES = 100_000
CURVE = 400  # steps
NEAR = 0.02  # of the width: one control point stands on the next
MOST_DECADES = 6  # that have a tick
MOST_TIMES = 1e12  # from where a logarithmic scale begins to where it ends


def relevance(
    scores: Any = EXAMPLES,
    *,
    variant: str = "text",
    quartiles: str = "own",
    backend: str = "auto",
) -> Figure:
    """φ, the relevance of an item by its score, with its control points. Spec: RS-REL-8.

    scores              those of all items; or several such lists, each of which is drawn by itself
    variant, quartiles  as in rankspec.relevance
    """
    scores = few("scores", scores, 1, MOST_SCORES)
    lists = scores if hasattr(scores[0], "__iter__") else [scores]
    check("the number of lists", len(lists), 1, len(HUES))
    measure = phi.measure_of(variant, quartiles)
    with style():
        figure, all_axes = axes_beside(len(lists))
        for own, axes, hue in zip(lists, all_axes, HUES, strict=False):
            items = read_lists(own, None, "scores").flat.tolist()
            _draw_relevance(axes, items, measure, hue, backend)
        set_title(all_axes[0], "The relevance of a score: φ through its control points")
        all_axes[0].set_ylabel("φ")
    return figure


def _draw_relevance(
    axes: Axes, scores: Sequence[Any], measure: Measure, hue: str, backend: str
) -> None:
    from matplotlib.ticker import SymmetricalLogLocator

    how: dict[str, Any] = {"variant": measure.variant, "quartiles": measure.quartiles}
    of_items = as_list(api.relevance(scores, **how, backend=backend))
    points = control_points(measure, scores)
    at = [float(x) for x in scores] + [float(x) for x, _ in points]
    low, high = min(at), max(at)
    if not isfinite(2 * (high - low)):
        raise InputError("plot: the scores are too far apart to be drawn")
    named = list(phi.named(points, measure))
    threshold = _linear_up_to([point.score for point in named])
    if threshold is None:
        axes.set_xlabel("score")
    else:
        axes.set_xscale("symlog", linthresh=threshold)
        locator = SymmetricalLogLocator(base=10, linthresh=threshold)
        locator.set_params(numticks=MOST_DECADES)
        axes.xaxis.set_major_locator(locator)
        axes.set_xlabel(f"score (logarithmic beyond ±{threshold:.4g})")
    scale = axes.xaxis.get_transform()
    first, last = scale.transform([low, high])
    margin = 0.06 * (last - first) or 1.0
    ends = first - margin, last + margin
    steps = [ends[0] + (ends[1] - ends[0]) * i / CURVE for i in range(CURVE + 1)]
    curve = sorted({*map(float, scale.inverted().transform(steps)), *at})
    given = dict(points) or {0: 0}  # no score counts: φ is 0
    heights = as_list(api.relevance(curve, points=given.items(), backend=backend))
    axes.plot(curve, heights, color=hue)
    axes.plot([float(s) for s in scores], of_items, "|", color=hue, markersize=9, alpha=0.7)
    for point, marker in zip(named, MARKERS, strict=False):
        axes.plot(
            point.score,
            point.relevance,
            marker,
            color=hue,
            markersize=7,
            label=f"{point.name}: φ({point.score:.8g}) = {point.relevance:.4g}",
        )
    if named:
        list_below(axes)
    axes.set_xlim(curve[0], curve[-1])
    axes.set_ylim(-0.06, 1.06)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])


def _linear_up_to(scores: Sequence[float]) -> float | None:
    """Up to where a scale is linear that is logarithmic beyond; None where one need not be.

    It need not where neighbours are apart on a linear scale, or not much farther on the other one.
    """
    if len(scores) < 2:
        return None
    sizes = [abs(score) for score in scores if score]
    threshold = max(min(sizes), max(sizes) / MOST_TIMES)

    def symlog(score: float) -> float:
        size = abs(score) / threshold
        return copysign(size if size <= 1 else 1 + log10(size), score)

    nearest = _least_share(scores)
    wide = nearest < NEAR and 2 * nearest < _least_share([symlog(score) for score in scores])
    return threshold if wide else None


def _least_share(rising: Sequence[float]) -> float:
    """How near the nearest of neighbours are: a share of the width of all."""
    return min(b - a for a, b in pairwise(rising)) / (rising[-1] - rising[0])
