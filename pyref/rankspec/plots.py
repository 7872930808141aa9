"""Pictures of the metrics, drawn by matplotlib from the values of the API.

``user_expected_dcg``, ``length``, ``relevance`` and ``moniz_2016`` give a matplotlib Figure, which
``rankspec plot`` writes to a file.

Needs matplotlib: ``pip install "rankspec[plot]"``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib import import_module
from io import BytesIO
from itertools import pairwise
from math import ceil, copysign, isfinite, log10
from numbers import Integral
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from . import api, conventions, phi
from .chapters.length import Prior, PriorLike, prior
from .chapters.relevance import control_points
from .conventions import DiscountLike
from .errors import InputError, hint, shown
from .inputs import read_lists
from .measure import Measure
from .notation import cutoff
from .papers import moniz_2016 as paper
from .popularity import read_folder
from .profiles import listed, quoted
from .reference.reals import Exact
from .report import shortened, told_apart

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

INK = "#1c2b36"
MUTED = "#62707b"
GRID = "#dfe4e8"
# After Okabe and Ito: told apart by every eye, and by their lightness.
HUES = ("#d55e00", "#0072b2", "#00805d", "#b0579a")
_DASHES = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
_MARKERS = ("o", "s", "^", "D")
_HUE_OF_READING = dict(zip(paper.READINGS, HUES[1::-1], strict=True))
_STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": MUTED,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.labelcolor": INK,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.dpi": 100,
    "figure.figsize": (6.4, 3.8),  # 640 pixels across
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same picture everywhere
    "font.size": 9.5,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "lines.linewidth": 1.8,
    "lines.markersize": 4.5,
    "savefig.dpi": 200,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "rankspec",  # the same identifiers each time
    "text.color": INK,
    "xtick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.color": MUTED,
    "ytick.labelcolor": INK,
    "ytick.major.size": 0,
}
FORMATS = ("png", "svg", "pdf")
MOST_RESULTS = 100  # more are no picture
MOST_TICKS = 16
TICK_GAP = 6  # pixels between what is written at two ticks
LONGEST_NAME = 28  # of a curve
LONGEST_LINE, SHORTEST_LINE = 90, 30  # of a title
TITLE_SHARE = 0.88  # of the width of a picture

DEFAULT_M = 10
PRIORS = ("discount", "uniform", "zipf")
PERFECT_GOOD_BAD = (2, 2, 2, 1, 1, 0, 0, 0, 0, 0)
CUTOFFS = (1, 3, 5)

# Sixteen items of much the same popularity; and two that are far above the others.
WITHOUT_OUTLIERS = (3, 7, 11, 18, 22, 27, 31, 36, 44, 49, 53, 61, 70, 78, 89, 97)
WITH_OUTLIERS = (2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 20, 24, 31, 78, 97)
EXAMPLES = (WITHOUT_OUTLIERS, WITH_OUTLIERS)
MOST_SCORES = 100_000
CURVE = 400  # steps
NEAR = 0.02  # of the width: one control point stands on the next
MOST_DECADES = 6  # that have a tick
MOST_TIMES = 1e12  # from where a logarithmic scale begins to where it ends


def user_expected_dcg(
    *,
    M: int = DEFAULT_M,
    priors: Sequence[PriorLike] = PRIORS,
    discount: DiscountLike = "log2",
) -> Figure:
    """The user's expected DCG of a list against its length N, for position priors. Spec: RS-LEN-4.

    M         the greatest number of results that can be shown
    priors    each "discount" (of eq. 3), "uniform", the name of a discount, or weights of ranks
    discount  as in rankspec.api
    """
    _check("M", M, 2, MOST_RESULTS)
    chosen = [prior(x) for x in _few("priors", priors, 1, len(HUES))]
    _check_distinct("priors", chosen)
    texts = told_apart([_about_prior(x) for x in chosen], LONGEST_NAME)
    lengths = range(1, M + 1)
    curves = [
        _listed(api.user_expected_dcg(lengths, M=M, prior=x, discount=discount)) for x in chosen
    ]
    with _style():
        figure, axes = _axes()
        for expected, hue, dashes in zip(curves, HUES, _DASHES, strict=False):
            axes.plot(lengths, expected, color=hue, linestyle=dashes)
            axes.plot(lengths, expected, "o", color=hue)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("results shown, N")
        _title(axes, f"What a user expects of N results: E[DCG], M = {M}")
        ends = [expected[-1] for expected in curves]
        _write(figure, axes, [Name(*name) for name in zip(texts, ends, HUES, strict=False)], M)
        _mark_ranks(figure, axes, [str(n) for n in lengths])
    return figure


def length(
    labels: Sequence[Exact] = PERFECT_GOOD_BAD,
    *,
    k: Sequence[int] = CUTOFFS,
    backend: str = "c",
) -> Figure:
    """LNDCG and nDCG@k of a ranking of which more and more is shown. Spec: RS-LEN-9, RS-DCG-6.

    labels  the whole ranking, which is the pool of judged items too
    k       the cut-offs of nDCG; M of LNDCG is the length of the ranking
    """
    given = _few("labels", labels, 2, MOST_RESULTS)
    labels = [_label(x, rank) for rank, x in enumerate(given, start=1)]
    M = len(labels)
    cutoffs = _cutoffs(_few("k", k, 0, len(HUES) - 1), M)
    lists = [labels[:n] for n in range(1, M + 1)]
    options: dict[str, Any] = {"judged": [labels] * M, "gain": "exp2", "backend": backend}
    lndcg = _listed(api.lndcg(lists, M=M, **options))
    with _style():
        figure, axes = _axes()
        shown = range(1, M + 1)
        names = []
        for (cut, text), hue, dashes in zip(cutoffs.items(), HUES[1:], _DASHES[1:], strict=False):
            ndcg = _listed(api.ndcg(lists, k=cut, **options))
            axes.plot(shown, ndcg, color=hue, linestyle=dashes)
            end = ndcg.index(max(ndcg))  # what is shown after it changes nothing
            axes.plot(end + 1, ndcg[end], "o", color=hue, markersize=7)
            names.append(Name(text, ndcg[-1], hue))
        axes.plot(shown, lndcg, "o-", color=HUES[0], linewidth=2.6)
        names.append(Name("LNDCG", lndcg[-1], HUES[0]))
        axes.set_ylim(0, 1.12)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
        axes.set_xlabel("results shown, N; below, the label of the last of them")
        _title(axes, "What more results do to nDCG and to LNDCG")
        _write(figure, axes, names, M)
        _mark_ranks(figure, axes, [f"{n}\n{label}" for n, label in enumerate(labels, start=1)])
    return figure


def _label(given: Any, rank: int) -> Exact:
    """A label that the gain of the picture takes, or an InputError that names its rank."""
    what = f"plot: labels: the label of rank {rank}"
    label = conventions.exact(given, what)
    refusal = conventions.gain("exp2").refusal(label)
    if refusal:
        raise InputError(f"{what} is {shown(given)}; {refusal}")
    return label


def _cutoffs(given: Sequence[Any], M: int) -> dict[int, str]:
    """Cut-offs of nDCG with the names of their curves: those from M on have the same curve."""
    cuts = [cutoff(x) for x in given]
    _check_distinct("k", cuts)
    names: dict[int, str] = {}
    for cut in cuts:
        if cut is None:
            raise InputError("plot: k: None is no cut-off")
        at = min(cut, M)
        names[at] = f"{names[at]}, @{cut}" if at in names else f"nDCG@{cut}"
    return names


def _about_prior(given: Prior) -> str:
    known = {"discount": "p(i) ∝ discount", "uniform": "p(i) = 1/M", "zipf": "p(i) ∝ 1/i"}
    weights = given.weights.weights if given.weights else ()
    written = ", ".join(map(str, weights)) or str(given)
    return known.get(written, f"p(i) ∝ {written}")


def relevance(
    scores: Any = EXAMPLES,
    *,
    variant: str = "text",
    quartiles: str = "own",
    backend: str = "c",
) -> Figure:
    """φ, the relevance of an item by its score, with its control points. Spec: RS-REL-8.

    scores              those of all items; or several such lists, each of which is drawn by itself
    variant, quartiles  as in rankspec.relevance
    """
    scores = _few("scores", scores, 1, MOST_SCORES)
    lists = scores if hasattr(scores[0], "__iter__") else [scores]
    _check("the number of lists", len(lists), 1, len(HUES))
    measure = phi.measure_of(variant, quartiles)
    with _style():
        figure, all_axes = _axes_beside(len(lists))
        for own, axes, hue in zip(lists, all_axes, HUES, strict=False):
            items = read_lists(own, None, "scores").flat.tolist()
            _draw_relevance(axes, items, measure, hue, backend)
        _title(all_axes[0], "The relevance of a score: φ through its control points")
        all_axes[0].set_ylabel("φ")
    return figure


def _draw_relevance(
    axes: Axes, scores: Sequence[Any], measure: Measure, hue: str, backend: str
) -> None:
    from matplotlib.ticker import SymmetricalLogLocator

    how: dict[str, Any] = {"variant": measure.variant, "quartiles": measure.quartiles}
    of_items = _listed(api.relevance(scores, **how, backend=backend))
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
    heights = _listed(api.relevance(curve, points=given.items(), backend=backend))
    axes.plot(curve, heights, color=hue)
    axes.plot([float(s) for s in scores], of_items, "|", color=hue, markersize=9, alpha=0.7)
    for point, marker in zip(named, _MARKERS, strict=False):
        axes.plot(
            point.score,
            point.relevance,
            marker,
            color=hue,
            markersize=7,
            label=f"{point.name}: φ({point.score:.8g}) = {point.relevance:.4g}",
        )
    if named:
        _list_below(axes)
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


def moniz_2016(
    *,
    samples: int = paper.SAMPLES,
    data: str | os.PathLike[str] | None = None,
    backend: str = "c",
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
    with _style():
        figure, panels = _axes_beside(len(paper.PROGRAM.scenarios))
        for axes, (scenario, (what, _)) in zip(
            panels, paper.PROGRAM.scenarios.items(), strict=True
        ):
            chosen = paper.chosen_of(boxes, paper.PROGRAM, scenario)
            axes.axhline(chosen[0].ndcg, color=INK, linewidth=1.2)
            _corner(axes, "nDCG@10", chosen[0].ndcg, INK, axes.get_yaxis_transform())
            for at, box in enumerate(chosen):
                _box(axes, at, box, _HUE_OF_READING[box.reading])
            centres = range(0, len(chosen), len(_HUE_OF_READING))
            axes.set_xticks(
                [at + 0.5 for at in centres], [chosen[at].distribution for at in centres]
            )
            _title(axes, f"Scenario {scenario}\n{what}")
        panels[0].set_ylabel(f"nDCG_φ@10 of {paper.samples_in_words(len(boxes[0].values))}")
        for row, (reading, hue) in enumerate(_HUE_OF_READING.items()):
            _corner(panels[0], f"φ of the {reading}", 0.2 - 0.08 * row, hue)
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
    with _style():
        figure, axes = _axes()
        axes.axline((0, 0), slope=1, color=MUTED, linewidth=1)
        for step, hue, marker in zip(paper.STEPS, HUES, _MARKERS, strict=True):
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
            title = _title(axes, f"Rankings of {paper.ITEMS} items by early counts\n{line}")
            if title.get_window_extent().width < TITLE_SHARE * figure.bbox.width:
                break
    return figure


class Plot(NamedTuple):
    """A plot that has a name: one line on it, what it can be told, and what draws it.

    computed: whether it is of metrics, which a backend computes
    """

    about: str
    options: tuple[str, ...]
    draw: Callable[..., Figure]
    computed: bool


PLOTS = {
    "expected-dcg": Plot(
        "the user's expected DCG against the length of the list, for position priors",
        ("M",),
        user_expected_dcg,
        computed=False,
    ),
    "length": Plot(
        "LNDCG and nDCG@k of a ranking of which more and more is shown",
        ("labels",),
        length,
        computed=True,
    ),
    "relevance": Plot(
        "relevance made of scores, without and with outliers, and its control points",
        ("scores",),
        relevance,
        computed=True,
    ),
    "moniz-2016": Plot(
        "nDCG_phi of random scores, or of those of --data, beside nDCG of fixed labels",
        ("samples", "data"),
        moniz_2016,
        computed=True,
    ),
}


def plot(name: str, *, backend: str = "c", **options: Any) -> Figure:
    """The plot of that name; what is None is left to it."""
    if name not in PLOTS:
        known = f"{hint(name, PLOTS)}; there are {listed(PLOTS)}"
        raise InputError(f"plot: {quoted(name)} is no plot{known}")
    chosen = PLOTS[name]
    given = {option: x for option, x in options.items() if x is not None}
    for option in given:
        if option not in chosen.options:
            raise InputError(f"plot: {name} has no {option}")
    return chosen.draw(**given, **({"backend": backend} if chosen.computed else {}))


def encoded(figure: Figure, suffix: str) -> bytes:
    """The picture as PNG, SVG or PDF: the same bytes each time, as there is no date in them."""
    dates: dict[str, dict[str, Any]] = {
        "png": {},
        "svg": {"Date": None},
        "pdf": {"CreationDate": None},
    }
    into = BytesIO()
    _imported(f"matplotlib.backends.backend_{'agg' if suffix == 'png' else suffix}")
    with _style():
        figure.savefig(into, format=suffix, metadata=dates[suffix])
    return into.getvalue()


def format_of(path: str) -> str:
    """The format that the suffix of a file says, or an InputError."""
    if not path:
        raise InputError("plot: the name of the file is empty")
    if path.endswith(("/", os.sep)):
        raise InputError(f"{path}: this names a folder; the name of a file is expected")
    suffix = Path(path).suffix.removeprefix(".").lower()
    if suffix not in FORMATS:
        known = ", ".join(f".{name}" for name in FORMATS)
        raise InputError(f"{path}: the suffix says the format of a picture; there are {known}")
    return suffix


# Drawing


def _style() -> AbstractContextManager[None]:
    """Our style, whatever the user's own is."""
    for module in ("figure", "backends.backend_agg"):  # what drawing and measuring import
        _imported(f"matplotlib.{module}")
    context: AbstractContextManager[None] = _imported("matplotlib.style").context(
        ["default", _STYLE]
    )
    return context


def _imported(module: str) -> Any:
    """A module of matplotlib, or an InputError that says why there is none."""
    try:
        with _any_backend():
            import_module("matplotlib")  # first: the errors of the two differ
            return import_module(module)
    except Exception as error:  # whatever is wrong with an installation, or its configuration
        if isinstance(error, ModuleNotFoundError) and error.name == "matplotlib":
            raise InputError(
                'plot: it needs matplotlib, which is not installed: pip install "rankspec[plot]"'
            ) from None
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"plot: matplotlib cannot be imported: {said}") from error


@contextmanager
def _any_backend() -> Iterator[None]:
    """Without MPLBACKEND, which a file does not need and which may name a backend there is not.

    A program that goes on to open windows has the backend that it names all the same.
    """
    backend = os.environ.get("MPLBACKEND")
    if backend is None or "matplotlib" in sys.modules:  # which reads it once
        yield
        return
    del os.environ["MPLBACKEND"]
    try:
        yield
        with suppress(ValueError):  # there is no such backend
            import_module("matplotlib").rcParams["backend"] = backend
    finally:
        os.environ["MPLBACKEND"] = backend


def _axes() -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure  # not pyplot: no window, no state

    figure = Figure(layout="constrained")
    return figure, figure.add_subplot()


def _corner(axes: Axes, text: str, height: float, hue: str, transform: Any = None) -> None:
    """A text at the left, below a height: a share of the axes' if no transform says otherwise."""
    axes.annotate(
        text,
        (0, height),
        xycoords=transform or axes.transAxes,
        xytext=(6, -3),
        textcoords="offset points",
        color=hue,
        verticalalignment="top",
    )


def _list_below(axes: Axes) -> None:
    """The names of markers in a list below the axes, where nothing else is."""
    axes.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, -0.24),
        frameon=False,
        labelcolor="linecolor",
        handletextpad=0.4,
        borderaxespad=0,
    )


def _axes_beside(n: int) -> tuple[Figure, list[Axes]]:
    """Axes one beside the other, with one scale of values; more than two make the picture wider."""
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    width, height = figure.get_size_inches()
    figure.set_size_inches(width * max(1, n / 2), height)
    return figure, list(figure.subplots(1, n, sharey=True, squeeze=False)[0])


class Name(NamedTuple):
    """What is written beside a curve, at the height where it ends, in its colour."""

    text: str
    height: float
    hue: str


def _write(figure: Figure, axes: Axes, names: Sequence[Name], end: float) -> None:
    """The names of curves, to the right of where they end, and apart."""
    texts = [
        axes.annotate(
            name.text,
            (end, name.height),
            xytext=(9, 0),
            textcoords="offset points",
            color=name.hue,
            verticalalignment="center",
        )
        for name in names
    ]
    figure.draw_without_rendering()
    line = 1.15 * max(text.get_window_extent().height for text in texts)
    wanted = [axes.transData.transform((end, name.height))[1] for name in names]
    heights = _apart(wanted, line, axes.bbox.y0 + line / 2)
    for text, at, height in zip(texts, wanted, heights, strict=True):
        text.xyann = (9, (height - at) * 72 / figure.dpi)


def _apart(wanted: Sequence[float], gap: float, least: float) -> list[float]:
    """Heights that are a gap apart or more, in the order of those wanted and near them.

    The first of equal ones is the highest; none is below the least.
    """
    order = sorted(range(len(wanted)), key=lambda a: (wanted[a], -a))
    blocks: list[list[float]] = []  # of neighbours, each as if it were the lowest
    for row, a in enumerate(order):
        blocks.append([wanted[a] - row * gap])
        while len(blocks) > 1 and fmean(blocks[-2]) >= fmean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    levels = [max(fmean(block), least) for block in blocks for _ in block]
    heights = {
        a: level + row * gap for row, (a, level) in enumerate(zip(order, levels, strict=True))
    }
    return [heights[a] for a in range(len(wanted))]


def _mark_ranks(figure: Figure, axes: Axes, texts: Sequence[str]) -> None:
    """Ticks at the ranks 1, 2, ..., as many as have room for their texts."""
    M = len(texts)
    axes.set_xticks(range(1, M + 1), texts)
    figure.draw_without_rendering()
    widest = max(text.get_window_extent().width for text in axes.get_xticklabels())
    first, second = axes.transData.transform([(1, 0), (2, 0)])
    step = max(-(-M // MOST_TICKS), ceil((widest + TICK_GAP) / (second[0] - first[0])))
    ticks = range(1, M + 1, step)
    axes.set_xticks(ticks, [texts[n - 1] for n in ticks])


def _listed(values: Any) -> list[float]:
    """An array of the API, as a list."""
    return values.tolist()  # type: ignore[no-any-return]


def _title(axes: Axes, text: str) -> Text:
    return axes.set_title(text, loc="left", fontsize=10.5, pad=12, parse_math=False)


def _few(what: str, given: Any, least: int, most: int) -> list[Any]:
    """The items of a sequence that has no more of them than can be drawn."""
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise InputError(f"plot: {what}: {shown(given)} is no sequence of them")
    items = list(given)
    _check(f"the number of {what}", len(items), least, most)
    return items


def _check(what: str, number: Any, least: int, most: int) -> None:
    whole = isinstance(number, Integral) and not isinstance(number, bool)
    if not whole or not least <= number <= most:
        raise InputError(f"plot: {what} is {shown(number)}; it must be from {least} to {most}")


def _check_distinct(what: str, items: Sequence[Any]) -> None:
    twice = next((x for a, x in enumerate(items) if x in items[:a]), None)
    if twice is not None:
        raise InputError(f"plot: {what}: {twice} is there twice")
