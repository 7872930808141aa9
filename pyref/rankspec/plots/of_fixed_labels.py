"""Figures 3 and 4 of moniz-2016 of any runs: nDCG of fixed labels and nDCG_phi of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..analysis.fixed_labels import CUTOFFS, QueryValues, means, values_by_query
from ..evaluation.render import told_apart
from ..formats.frames import QrelsLike, RunLike
from ..reference.randomness import draws
from .drawing import DASHES, HUES, INK, MARKERS, check, list_below, set_title, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

K = 10  # of the points, as in the paper
MOST_RUNS = len(HUES)
LONGEST_NAME = 28
QUERIES, DOCUMENTS = 40, 100  # of the example
NOISE = {"good.run": 60, "poor.run": 300}  # beside scores that count up to MOST
MOST = 60


def fixed_labels(
    qrels: QrelsLike | None = None,
    runs: Mapping[str, RunLike] | None = None,
    *,
    label_qrels: QrelsLike | None = None,
    variant: str = "text",
    backend: str = "auto",
) -> Figure:
    """nDCG of fixed labels and nDCG_phi of scores. Spec: RS-DCG-6, RS-REL-12.

    At the left their means by k; at the right, for each query, nDCG@10 - nDCG_phi@10 against
    nDCG@10. Without qrels and runs an example is drawn.

    qrels, runs, variant  as in rankspec.analysis.fixed_labels.values_by_query
    label_qrels           its labels
    """
    if qrels is None or runs is None:
        qrels, runs = example()
    check("the number of runs", len(runs), 1, MOST_RUNS)
    how = {"variant": variant, "backend": backend}
    values = values_by_query(qrels, runs, labels=label_qrels, k=CUTOFFS, **how)
    names = dict(zip(runs, told_apart(list(runs), LONGEST_NAME), strict=True))
    with style():
        from matplotlib.figure import Figure

        figure = Figure(layout="constrained", figsize=(9.6, 3.6 + 0.5 * len(runs)))
        by_k, by_query = figure.subplots(1, 2)
        _draw_means(by_k, values, names)
        _draw_differences(by_query, [x for x in values if x.k == K], names)
    return figure


def _draw_means(axes: Axes, values: Sequence[QueryValues], names: Mapping[str, str]) -> None:
    rows = list(means(values))
    for run, hue, marker in zip(names, HUES, MARKERS, strict=False):
        own = [x for x in rows if x.run == run]
        at = range(len(own))
        look: dict[str, Any] = {"color": hue, "marker": marker}
        axes.plot(at, [x.ndcg for x in own], ls=DASHES[0], label=f"nDCG, {names[run]}", **look)
        axes.plot(
            at, [x.ndcg_phi for x in own], ls=DASHES[1], label=f"nDCG_φ, {names[run]}", **look
        )
    axes.set_xticks(range(len(CUTOFFS)), [str(k) for k in CUTOFFS])
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("k")
    set_title(axes, "Means over the queries")
    list_below(axes)


def _draw_differences(axes: Axes, values: Sequence[QueryValues], names: Mapping[str, str]) -> None:
    axes.axhline(0, color=INK, linewidth=1)
    for run, hue, marker in zip(names, HUES, MARKERS, strict=False):
        own = [x for x in values if x.run == run]
        x, y = [of.ndcg for of in own], [of.ndcg - of.ndcg_phi for of in own]
        axes.plot(x, y, marker, color=hue, markersize=3.5, alpha=0.75, label=names[run])
    axes.grid(visible=True, axis="both")
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel(f"nDCG@{K}")
    axes.set_ylabel(f"nDCG@{K} − nDCG_φ@{K}")
    set_title(axes, "A point for each query")
    list_below(axes)


def example() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, int]]]]:
    """Made-up qrels of scores, few of them high, and two runs.

    The random numbers are those of the specification (RS-RND-5).
    """
    ids = [f"d{d}" for d in range(DOCUMENTS)]
    qrels: dict[str, dict[str, int]] = {}
    for q in range(QUERIES):
        numbers = (1 + x % 1000 for x in draws(0, q, DOCUMENTS))
        qrels[f"q{q}"] = {d: 1000 // x + x // 20 for d, x in zip(ids, numbers, strict=True)}
    runs = {
        name: {
            f"q{q}": {
                d: min(qrels[f"q{q}"][d], MOST) + x % noise
                for d, x in zip(ids, draws(seed, q, DOCUMENTS), strict=True)
            }
            for q in range(QUERIES)
        }
        for seed, (name, noise) in enumerate(NOISE.items(), start=1)
    }
    return qrels, runs
