"""What the plots share: the style, the axes, where names stand, and how a picture is written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib import import_module
from io import BytesIO
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from ..compute.gain import whole
from ..errors import InputError, items_of, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

INK = "#1c2b36"
MUTED = "#62707b"
GRID = "#dfe4e8"
GROUND = "#ffffff"
# After Okabe and Ito: told apart by every eye, and by their lightness.
HUES = ("#d55e00", "#0072b2", "#00805d", "#b0579a")
DASHES = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))
MARKERS = ("o", "s", "^", "D")
STYLE = {
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
MOST_TICKS = 16
TICK_GAP = 6  # pixels between what is written at two ticks
NAME_BEGINS, SAMPLE, SAMPLE_GAP = 9, 20, 4  # points from the axes to a name, or to its sample


def encoded(figure: Figure, suffix: str) -> bytes:
    """The picture as PNG, SVG or PDF: the same bytes each time, as there is no date in them."""
    dates: dict[str, dict[str, Any]] = {
        "png": {},
        "svg": {"Date": None},
        "pdf": {"CreationDate": None},
    }
    into = BytesIO()
    imported(f"matplotlib.backends.backend_{'agg' if suffix == 'png' else suffix}")
    with style():
        figure.savefig(into, format=suffix, metadata=dates[suffix])
    return into.getvalue()


def format_of(path: str) -> str:
    """The format that the suffix of a file says, or an InputError."""
    if not path:
        raise InputError("plot: the file name is empty")
    if path.endswith(("/", os.sep)):
        raise InputError(f"{path}: expected a file name, got a folder")
    suffix = Path(path).suffix.removeprefix(".").lower()
    if suffix not in FORMATS:
        known = ", ".join(f".{name}" for name in FORMATS)
        raise InputError(
            f"{path}: the suffix sets the format of the picture; expected one of {known}"
        )
    return suffix


def style() -> AbstractContextManager[None]:
    """Our style, whatever the user's own is."""
    for module in ("figure", "backends.backend_agg"):  # what drawing and measuring import
        imported(f"matplotlib.{module}")
    context: AbstractContextManager[None] = imported("matplotlib.style").context(["default", STYLE])
    return context


def imported(module: str) -> Any:
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


def one_axes() -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure  # not pyplot: no window, no state

    figure = Figure(layout="constrained")
    return figure, figure.add_subplot()


def axes_beside(n: int) -> tuple[Figure, list[Axes]]:
    """Axes one beside the other, with one scale of values; more than two make the picture wider."""
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    width, height = figure.get_size_inches()
    figure.set_size_inches(width * max(1, n / 2), height)
    return figure, list(figure.subplots(1, n, sharey=True, squeeze=False)[0])


def set_title(axes: Axes, text: str) -> Text:
    return axes.set_title(text, loc="left", fontsize=10.5, pad=12, parse_math=False)


def write_in_corner(axes: Axes, text: str, height: float, hue: str, transform: Any = None) -> None:
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


def list_below(axes: Axes) -> None:
    """The names of markers in a list below the axes, where nothing else is."""
    axes.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, -0.24),
        frameon=False,
        labelcolor="linecolor",
        handletextpad=0.4,
        borderaxespad=0,
    )


class Name(NamedTuple):
    """What is written beside a curve, at the height where it ends, in its colour.

    dashes, marker: those of the curve, drawn before the name; None: nothing is
    """

    text: str
    height: float
    hue: str
    dashes: Any = None
    marker: str = "none"


def write_beside(figure: Figure, axes: Axes, names: Sequence[Name], end: float) -> None:
    """The names of curves, to the right of where they end, and apart."""
    begin = NAME_BEGINS + (SAMPLE + SAMPLE_GAP) * any(name.dashes is not None for name in names)
    texts = [
        axes.annotate(
            name.text,
            (end, name.height),
            xytext=(begin, 0),
            textcoords="offset points",
            color=name.hue,
            verticalalignment="center",
            parse_math=False,
        )
        for name in names
    ]
    figure.draw_without_rendering()
    line = 1.15 * max(text.get_window_extent().height for text in texts)
    wanted = [axes.transData.transform((end, name.height))[1] for name in names]
    heights = apart(wanted, line, axes.bbox.y0 + line / 2, axes.bbox.y1)
    for name, text, at, height in zip(names, texts, wanted, heights, strict=True):
        above = (height - at) * 72 / figure.dpi
        text.xyann = (begin, above)
        if name.dashes is not None:
            _draw_sample(figure, axes, name, end, above)


def _draw_sample(figure: Figure, axes: Axes, name: Name, end: float, above: float) -> None:
    """A piece of the curve before its name, so many points above where the curve ends."""
    from matplotlib.transforms import Affine2D, ScaledTranslation

    points = Affine2D().scale(1 / 72) + figure.dpi_scale_trans
    at_end: Any = axes.transData  # it may be any transform, whatever its type is said to be
    look: dict[str, Any] = {
        "color": name.hue,
        "transform": points + ScaledTranslation(end, name.height, at_end),
        "clip_on": False,
    }
    ends = NAME_BEGINS, NAME_BEGINS + SAMPLE
    axes.plot(ends, [above, above], linestyle=name.dashes, linewidth=1.4, **look)
    if name.marker != "none":
        axes.plot(fmean(ends), above, name.marker, **look)


def apart(wanted: Sequence[float], gap: float, least: float, most: float) -> list[float]:
    """Heights that are a gap apart or more, in the order of those wanted and near them.

    The first of equal ones is the highest; none is below the least, nor above the most where they
    have room below it.
    """
    order = sorted(range(len(wanted)), key=lambda a: (wanted[a], -a))
    blocks: list[list[float]] = []  # of neighbours, each as if it were the lowest
    for row, a in enumerate(order):
        blocks.append([wanted[a] - row * gap])
        while len(blocks) > 1 and fmean(blocks[-2]) >= fmean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    highest = most - (len(wanted) - 1) * gap  # of the lowest
    levels = [max(min(fmean(block), highest), least) for block in blocks for _ in block]
    heights = {
        a: level + row * gap for row, (a, level) in enumerate(zip(order, levels, strict=True))
    }
    return [heights[a] for a in range(len(wanted))]


def mark_ranks(
    figure: Figure, axes: Axes, texts: Sequence[str], places: Sequence[float] | None = None
) -> None:
    """Ticks at the ranks 1, 2, ..., or at other places, as many as have room for their texts."""
    M = len(texts)
    at = range(1, M + 1) if places is None else places
    axes.set_xticks(at, texts)
    figure.draw_without_rendering()
    widest = max(text.get_window_extent().width for text in axes.get_xticklabels())
    between = at[1] - at[0] if M > 1 else 1
    first, second = axes.transData.transform([(0, 0), (between, 0)])
    step = max(-(-M // MOST_TICKS), ceil((widest + TICK_GAP) / (second[0] - first[0])))
    axes.set_xticks(at[::step], texts[::step])


def as_list(values: Any) -> list[float]:
    """An array of the API, as a list."""
    return values.tolist()  # type: ignore[no-any-return]


def few(what: str, given: Any, least: int, most: int) -> list[Any]:
    """The items of a sequence that has no more of them than can be drawn."""
    complaint = f"plot: {what}: expected a sequence, got {shown(given)}"
    if isinstance(given, (str, bytes)):
        raise InputError(complaint)
    items = items_of(given, complaint)
    check(f"the number of {what}", len(items), least, most)
    return items


def check(what: str, number: Any, least: int, most: int) -> None:
    given = whole(number)
    if given is None or not least <= given <= most:
        raise InputError(f"plot: {what} is {shown(number)}; it must be from {least} to {most}")


def check_distinct(what: str, items: Sequence[Any]) -> None:
    twice = next((x for a, x in enumerate(items) if x in items[:a]), None)
    if twice is not None:
        raise InputError(f"plot: {what}: {twice} is listed twice")
