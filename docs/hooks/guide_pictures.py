"""The pictures that the guides alone have; pictures.py puts them on the pages.

Those that a user can draw of own data are in rankspec.plots. These say one thing each: how much a
rank counts, what the divisors of AP make of one list, how fast gains grow, which conventions
libraries choose, and where the vectors are. All numbers are computed, or read from the files.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import disagree_answers
import libraries
import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BACKEND = "reference"  # the site builds before the C core does
RANKS = range(1, 21)
DEPTH = 10
FOUND = [1, 0] * (DEPTH // 2)
RELEVANT = range(sum(FOUND), 31)
GRADES = range(5)


class Picture(NamedTuple):
    """A picture: one line on it, and what draws it of a checkout."""

    about: str
    draw: Callable[[Path], Figure]


# ---- curves ------------------------------------------------------------------------------


def weights(_: Path) -> Figure:
    """A list with one relevant document, at each rank: its value, as a share of that at rank 1."""
    import rankspec as rs

    lists = [[0] * (rank - 1) + [1] for rank in RANKS]
    curves = {
        "nDCG": rs.dcg(lists, backend=BACKEND),
        "RBP, p = 0.8": rs.rbp(lists, p=0.8, backend=BACKEND),
        "RR": rs.rr(lists, backend=BACKEND),
        f"P@{DEPTH}": rs.precision(lists, k=DEPTH, backend=BACKEND),
    }
    shares = {name: values / np.asarray(values)[0] for name, values in curves.items()}
    return lines("How much a relevant document counts, by its rank", "rank", RANKS, shares)


def ap_divisors(_: Path) -> Figure:
    """One list, every second of whose items is relevant, by the number of relevant items."""
    import rankspec as rs

    lists, judged = [FOUND] * len(RELEVANT), [[1] * R for R in RELEVANT]
    curves = {
        f'norm="{norm}"': rs.ap(lists, judged=judged, k=DEPTH, norm=norm, backend=BACKEND)
        for norm in ("hits", "min", "k", "R")
    }
    title = f"AP@{DEPTH} of one list, by its divisor"
    return lines(title, "relevant items in all, R", RELEVANT, curves)


def gains(_: Path) -> Figure:
    """The gain of each label, as a share of that of the highest."""
    import rankspec as rs

    labels = [[label] for label in GRADES]
    curves = {
        "label": rs.dcg(labels, backend=BACKEND),
        "2^label − 1": rs.dcg(labels, gain="exp2", backend=BACKEND),
    }
    shares = {name: values / np.asarray(values)[-1] for name, values in curves.items()}
    return lines("The gain of a label, as a share of the highest", "label", GRADES, shares)


def lines(title: str, below: str, at: range, curves: Mapping[str, Any]) -> Figure:
    """Curves from 0 to 1, a point each for an integer, with their names where they end."""
    from rankspec.plots import drawing

    with drawing.style():
        figure, axes = drawing.one_axes()
        names = []
        for (name, values), hue, dashes in zip(
            curves.items(), drawing.HUES, drawing.DASHES, strict=False
        ):
            heights = np.asarray(values).tolist()
            axes.plot(at, heights, color=hue, linestyle=dashes)
            axes.plot(at, heights, "o", color=hue, markersize=3)
            names.append(drawing.Name(name, heights[-1], hue, dashes))
        axes.set_ylim(0, 1.05)
        axes.set_xlabel(below)
        drawing.set_title(axes, title)
        drawing.write_beside(figure, axes, names, at[-1])
        drawing.mark_ranks(figure, axes, list(map(str, at)), at)
    return figure


# ---- counts ------------------------------------------------------------------------------

NAMES = {
    "linear": "the label",
    "exp2": "2^label − 1",
    "set": "relevant or not",
    "no ties": "takes lists without scores",
    "no undefined": "not asked",
    "input": "input order",
    "id-descending": "greater id first",
    "id-ascending": "smaller id first",
    "expected": "mean over all orders",
    "worst": "worst order",
    "random": "random order",
    "zero": "0",
    "one": "1",
    "nan": "NaN",
    "error": "an error",
}


def choices(root: Path) -> Figure:
    """How many libraries make each choice in their first nDCG function."""
    from rankspec.plots import drawing

    first: dict[str, Any] = {}
    for f in disagree_answers.measured(root):
        first.setdefault(f.library["library"], f)
    groups = {
        "gain": Counter(gain_of(f) for f in first.values()),
        "equal scores": Counter(choice(f, "ties") for f in first.values()),
        "nothing relevant": Counter(choice(f, "undefined") for f in first.values()),
    }
    rows = [
        (f"{group}: {NAMES.get(name, name)}", n, hue)
        for (group, counts), hue in zip(groups.items(), drawing.HUES, strict=False)
        for name, n in counts.most_common()
    ]
    return bars(f"What the nDCG of {len(first)} libraries does", rows)


def gain_of(f: Any) -> str:
    """The gain of a function, of which sets of relevant items show nothing."""
    return "set" if f.domain.binary else str(f.data["definition"]["parameters"]["gain"].split()[0])


def choice(f: Any, name: str) -> str:
    """What a function chooses, as the table of libraries shows it."""
    return next((value for _, value, _ in libraries.chosen(f, [name])), f"no {name}")


def vectors(root: Path) -> Figure:
    """How many cases each file of vectors has."""
    from rankspec.plots import drawing

    counts = {}
    for path in sorted((root / "spec/vectors").glob("*.json")):
        file = json.loads(path.read_text("utf-8"))
        if "chapter" in file or "statistics" in file:
            counts[path.name] = file["count"]
    rows = [(name, n, drawing.HUES[1]) for name, n in sorted(counts.items(), key=lambda x: -x[1])]
    return bars(f"{sum(counts.values()):,} cases in {len(counts)} files", rows)


def bars(title: str, rows: Sequence[tuple[str, int, str]]) -> Figure:
    """A bar for each (name, number, colour), the first at the top."""
    from rankspec.plots import drawing

    names, numbers, hues = zip(*rows, strict=True)
    with drawing.style():
        figure, axes = drawing.one_axes()
        figure.set_size_inches(6.4, 3.5)
        drawn = axes.barh(names, numbers, height=0.65, color=hues)
        axes.bar_label(drawn, [f"{n:,}" for n in numbers], padding=4, color=drawing.INK)
        axes.invert_yaxis()
        axes.grid(visible=False)
        axes.spines["bottom"].set_visible(False)
        axes.set_xticks([])
        drawing.set_title(axes, title)
    return figure


PICTURES = {
    "weights": Picture(
        "how much a relevant document counts, by its rank, in four metrics", weights
    ),
    "ap-divisors": Picture("AP@10 of one list by four divisors, as R grows", ap_divisors),
    "gains": Picture("the gain of the labels 0 to 4, linear and exponential", gains),
    "choices": Picture(
        "how many libraries choose each gain, order of equal scores and value of 0/0", choices
    ),
    "vectors": Picture("how many cases each file of vectors has", vectors),
}
