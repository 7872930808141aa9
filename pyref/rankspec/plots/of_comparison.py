"""Comparisons of systems: means, differences by query, p-values of all pairs, ranks, significance.

Every figure takes:

found  a result of rankspec.compare() for 2 to 30 systems; by default the comparison of an example
test   the test whose p-values are drawn; by default the comparison's first test with p-values

Significance is by the corrected p; a line below the title names the test, level and correction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby, pairwise
from math import ceil
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..analysis.comparison.agreement import Power, discriminative_power
from ..analysis.comparison.comparison import Comparison, compare
from ..analysis.comparison.found import Difference, Interval, OfMeasure, Summary, Tested
from ..analysis.comparison.grid import MARK, p_cell
from ..analysis.comparison.systems import Pair
from ..analysis.comparison.tests import AnyTest
from ..errors import InputError, hint, listed, quoted, shown
from ..evaluation.evaluate import evaluate
from ..evaluation.render import told_apart
from ..evaluation.result import Evaluation
from ..reference import agreement as equations
from ..reference.randomness import draws
from ..text import shortened
from .drawing import (
    DASHES,
    GROUND,
    HUES,
    INK,
    MARKERS,
    MUTED,
    Name,
    check,
    imported,
    one_axes,
    set_title,
    style,
    write_beside,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_SYSTEMS = 30
MOST_PANELS = 4  # measures that have axes of their own
MOST_MEASURES = 8  # that share axes
MOST_QUERIES = 10_000  # bars of one pair
MOST_PAIRS = 3  # that a message names
LONGEST_NAME = 28
MOST_MARKERS = 20  # of a curve
CHARACTERS = 11.5  # of a title, in an inch
ROOM = 1.3  # of the axes to the longest bar: names stand above and below it
INTERVALS = {"t": "by t", "bca": "by the BCa bootstrap"}

NO_BREAK = "\N{NO-BREAK SPACE}"

Names = tuple[str, str]


def comparison_means(
    found: Comparison | None = None, *, interval: str = "t", test: str | None = None
) -> Figure:
    """The mean of each system with its interval, a panel a measure. Spec: RS-CMP-4, RS-RND-13.

    A filled marker differs significantly from the square, which marks the baseline, or without one
    the best system of the measure. The rows are ordered by the first measure.

    interval: "t", or "bca"

    The other arguments: see rankspec.plots.of_comparison.
    """
    found = _checked(_example("means") if found is None else found, MOST_PANELS)
    if not isinstance(interval, str) or interval not in INTERVALS:
        raise InputError(
            "plot: interval: unknown interval "
            f"{quoted(str(interval))}{hint(str(interval), INTERVALS)}; expected one of "
            f"{listed(INTERVALS)}"
        )
    by = _test(found, test)
    order = _order(found)
    with style():
        figure, panels = _panels(
            len(found.measures), len(found.measures), 2.6, 0.8 + 0.27 * len(order), beside=2.0
        )
        for axes, of in zip(panels, found.measures.values(), strict=True):
            _draw_means(axes, found, of, order, interval, by)
        _name_rows(panels[0], order)
        square = "the baseline" if found.baseline is not None else "the best"
        _entitle(
            figure,
            f"Means and their {_level(found)} intervals, {INTERVALS[interval]}",
            [
                f"square: {square}; filled: differs from it significantly, "
                f"{_how(found, by)}; hollow: does not",
                *_without_intervals(found, interval),
            ],
        )
    return figure


def comparison_differences(
    found: Comparison | None = None, *, pair: Names | None = None, test: str | None = None
) -> Figure:
    """The difference of two systems for each query, sorted, a panel a measure. Spec: RS-CMP-1.

    A line across the bars marks the mean difference; a band marks its interval by paired t.

    pair: the names of two systems that are compared, the first less the second; needed where the
        comparison has several pairs

    The other arguments: see rankspec.plots.of_comparison.
    """
    found = _checked(_example("differences") if found is None else found, MOST_PANELS)
    if not found.design.paired:
        raise InputError(
            f"plot: differences by {found.unit.name} need the same {found.unit.plural} in all "
            f"systems, but the design is unpaired: {found.design.why}"
        )
    two = _pair(found, pair)
    by = _test(found, test)
    for of in found.measures.values():
        check(f"the number of queries of {of.measure}", len(of.queries), 1, MOST_QUERIES)
    first, second = told_apart(list(two), LONGEST_NAME)
    with style():
        n = len(found.measures)
        figure, panels = _panels(n, min(n, 2), 6.4 if n == 1 else 5.2, 3.0)
        for axes, of in zip(panels, found.measures.values(), strict=True):
            _draw_differences(axes, of, two, (first, second), by, found.unit.name)
        _entitle(
            figure,
            f"{first} − {second}, {found.unit.name} by {found.unit.name}",
            [
                f"line and band: the mean and its {_level(found)} interval, by paired t; "
                f"{MARK}{NO_BREAK}significant, {_how(found, by)}"
            ],
        )
    return figure


def comparison_asl(found: Comparison | None = None, *, test: str | None = None) -> Figure:
    """The p-values of all pairs, falling, a curve a measure (ASL curves). Spec: RS-AGR-11.

    The p-values are uncorrected: the achieved significance levels. The lower a curve, the more
    systems its measure tells apart, which need not make the measure better. Pairs with an undefined
    p come first, and have no point.

    The arguments: see rankspec.plots.of_comparison.
    """
    found = _checked(_example("asl") if found is None else found, MOST_MEASURES)
    by = _test(found, test)
    alpha = float(found.choices.alpha)
    powers = {m: _power(of, by.name, alpha) for m, of in found.measures.items()}
    if not any(power.curve for power in powers.values()):
        raise InputError(f"plot: no pair has a p by {by.name}: {_first_reason(found, by.name)}")
    pairs = found.family // len(found.measures)
    told = told_apart(list(powers), LONGEST_NAME)
    with style():
        figure, axes = one_axes()
        names = []
        for name, of, power, look in zip(
            told, found.measures.values(), powers.values(), _looks(), strict=False
        ):
            corrected = bool(_correction(found, by))
            names.append(_draw_levels(axes, name, of, power, by, look, corrected))
        axes.axhline(alpha, color=MUTED, linewidth=1, zorder=1)
        axes.set_yscale("function", functions=(_root, _square))
        axes.set_ylim(0, 1)
        axes.set_yticks(*_levels_at(alpha))
        axes.set_xlim(0.5, pairs + 0.5)
        _tick_whole_numbers(axes)
        axes.set_xlabel("pairs of systems, the highest p first")
        axes.set_ylabel("p (square root scale)")
        notes = [f"{by.title}; beside each curve the pairs with {_level_of_p(found)}"]
        if _correction(found, by):
            notes[0] += f", and in brackets those after {found.correction.title}"
        _entitle(figure, f"Achieved significance levels of {_counted(pairs, 'pair')}", notes)
        write_beside(figure, axes, names, pairs + 0.5)
    return figure


def comparison_ranks(found: Comparison | None = None) -> Figure:
    """The rank of each system by each measure; lines that cross are swaps. Spec: RS-AGR-1.

    Equal means share the mean of their ranks. Between each two measures the figure shows Kendall's
    τ_b of their orders, and the number of pairs of systems that they order differently.

    found: as of rankspec.plots.of_comparison
    """
    found = _checked(_example("ranks") if found is None else found, MOST_MEASURES)
    ranks = {m: _ranks(_means(of)) for m, of in found.measures.items()}
    systems = sorted(found.systems, key=lambda name: [of[name] for of in ranks.values()])
    columns = range(len(ranks))
    with style():
        figure, axes = one_axes()
        figure.set_size_inches(max(6.4, 2.6 + 1.25 * len(ranks)), 1.7 + 0.25 * len(systems))
        names = []
        told = told_apart(systems, LONGEST_NAME)
        for name, shown_as, look in zip(systems, told, _looks(), strict=False):
            hue, dashes, marker = look
            of = [ranks[m][name] for m in ranks]
            axes.plot(columns, of, color=hue, linestyle=dashes, marker=marker, clip_on=False)
            names.append(Name(shown_as, of[-1], hue, dashes, marker))
        _write_agreement(axes, found)
        axes.set_xlim(-0.15, max(len(ranks) - 1, 0.3))
        axes.set_ylim(len(systems) + 0.5, 0.5)
        axes.set_yticks(range(1, len(systems) + 1))
        axes.set_ylabel("rank by the mean")
        axes.tick_params(axis="x", length=0)
        _name_columns(axes, list(ranks))
        sizes = {len(ids) for of in found.measures.values() for ids in of.ids.values()}
        numbers = " to ".join(map(str, sorted({min(sizes), max(sizes)})))
        _entitle(
            figure,
            "The order of the systems by each measure",
            [f"means over {numbers} {found.unit.name if sizes == {1} else found.unit.plural}"],
        )
        write_beside(figure, axes, names, columns[-1])
    return figure


def comparison_significance(found: Comparison | None = None, *, test: str | None = None) -> Figure:
    """Which pairs differ significantly, a triangle of all pairs a measure. Spec: RS-CMP-23.

    With a baseline there is one table, of the other systems by the measures. The systems are
    ordered by the first measure, the best first.

    The arguments: see rankspec.plots.of_comparison.
    """
    found = _checked(_example("significance") if found is None else found, MOST_MEASURES)
    if found.baseline is None:
        check("the number of measures without a baseline", len(found.measures), 1, MOST_PANELS)
    by = _test(found, test)
    order = _order(found)
    with style():
        if found.baseline is None:
            figure = _triangles(found, order, by)
            better = "an arrow points to the better system, above the cell or at its right"
        else:
            others = [name for name in order if name != found.baseline]
            figure = _beside_the_baseline(found, others, by)
            better = "an arrow up: better than the baseline, down: worse"
        _entitle(
            figure,
            "Significant differences" + _from_the_baseline(found),
            [f"filled: {_how(found, by)}; {better}; ×: p is undefined"],
        )
    return figure


# ---- means ---------------------------------------------------------------------------------


def _draw_means(
    axes: Axes, found: Comparison, of: OfMeasure, order: Sequence[str], interval: str, by: AnyTest
) -> None:
    best = max(order, key=lambda name: of.systems[name].mean)
    square = best if found.baseline is None else found.baseline
    known = _by_pair(of)
    for row, name in enumerate(order):
        x = of.systems[name]
        ends = _ends(x, interval)
        if ends is not None:
            axes.plot(ends, [row, row], color=HUES[1], linewidth=1.6, solid_capstyle="butt")
        different = known.get(frozenset((name, square)))
        significant = different is not None and different.tests[by.name].significant
        axes.plot(
            x.mean,
            row,
            "s" if name == square else "o",
            color=HUES[1],
            markersize=6,
            markerfacecolor=HUES[1] if significant else GROUND,
            markeredgewidth=1.4,
        )
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.locator_params(axis="x", nbins=5)
    axes.set_xlabel(f"mean {shortened(of.measure, LONGEST_NAME)}", parse_math=False)


def _ends(x: Summary, interval: str) -> Interval | None:
    return x.interval if interval == "t" else x.bca


def _without_intervals(found: Comparison, interval: str) -> Iterator[str]:
    """Of which measures no mean has an interval, and why."""
    for of in found.measures.values():
        if all(_ends(x, interval) is None for x in of.systems.values()):
            number = _counted(max(map(len, of.ids.values())), found.unit.name)
            yield f"{of.measure}: no intervals, there is {number}"


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), told_apart(list(names), LONGEST_NAME), parse_math=False)


# ---- differences ---------------------------------------------------------------------------


def _draw_differences(
    axes: Axes, of: OfMeasure, two: Names, told: Names, by: AnyTest, unit: str
) -> None:
    """unit: what a bar is of"""
    pair = Pair(of.values[two[0]], of.values[two[1]])
    one = pair.scale * Fraction(2) ** pair.e
    bars = sorted((float(d * one) for d in pair.D), reverse=True)
    places = range(1, len(bars) + 1)
    wins, ties, losses = pair.wins_ties_losses
    for part, hue in ((slice(wins), HUES[1]), (slice(wins + ties, None), HUES[0])):
        axes.bar(places[part], bars[part], width=0.8, color=hue, linewidth=0)
    known = _by_pair(of)[frozenset(two)]
    turned = (known.first, known.second) != two
    low, high = _turned(known.interval, turned) or (pair.mean_difference, pair.mean_difference)
    axes.axhspan(low, high, color=MUTED, alpha=0.25, linewidth=0, zorder=0.5)
    axes.axhline(pair.mean_difference, color=INK, linewidth=1.2)
    axes.axhline(0, color=MUTED, linewidth=0.8)
    most = ROOM * max(map(abs, (*bars, low, high))) or 1.0
    axes.set_ylim(-most, most)
    axes.set_xlim(0.4, len(bars) + 0.6)
    _tick_whole_numbers(axes)
    axes.set_xlabel(f"{_counted(len(bars), unit)}, sorted; {ties} equal")
    _write_at_end(axes, f"{told[0]} is better: {wins}", 1, HUES[1])
    _write_at_end(axes, f"{told[1]} is better: {losses}", 0, HUES[0])
    tested = known.tests[by.name]
    p = f"p = {p_cell(tested.corrected)}".replace("= <", "< ") if _has_p(tested) else "no p"
    mark = f" {MARK}" if tested.significant else ""
    mean = f"mean {pair.mean_difference:+.4f}".replace("-", "−")
    set_title(axes, f"{shortened(of.measure, LONGEST_NAME)}: {mean}, {p}{mark}")


def _turned(ends: Interval | None, turned: bool) -> Interval | None:
    """The interval of the difference the other way round."""
    return (-ends[1], -ends[0]) if turned and ends is not None else ends


def _write_at_end(axes: Axes, words: str, above: int, hue: str) -> None:
    """In the corner that sorted bars leave free: at the right above, at the left below."""
    axes.annotate(
        words,
        (above, above),
        xycoords="axes fraction",
        xytext=(-6 if above else 6, -3 if above else 3),
        textcoords="offset points",
        color=hue,
        horizontalalignment="right" if above else "left",
        verticalalignment="top" if above else "bottom",
        parse_math=False,
    )


# ---- levels --------------------------------------------------------------------------------


def _power(of: OfMeasure, test: str, alpha: float) -> Power:
    """Discriminative power by the p-values before the correction."""
    return discriminative_power([x.tests[test].outcome.p for x in of.differences], alpha)


def _draw_levels(
    axes: Axes, told: str, of: OfMeasure, power: Power, by: AnyTest, look: Look, in_brackets: bool
) -> Name:
    """A curve, or a point; what is written beside it."""
    hue, dashes, marker = look
    curve = power.curve
    places = range(power.undefined + 1, power.pairs + 1)
    axes.plot(
        places,
        curve,
        color=hue,
        linestyle=dashes,
        marker=marker,
        markevery=ceil(len(curve) / MOST_MARKERS) or 1,
        clip_on=False,
    )
    told = f"{told}: {power.significant}"
    if in_brackets and by.name in of.power:
        told += f" ({of.power[by.name].significant})"
    if power.undefined:
        told += f"; {power.undefined} undefined"
    return Name(told, curve[-1] if curve else 1.0, hue, dashes, marker)


def _root(p: Any) -> Any:
    return abs(p) ** 0.5


def _square(x: Any) -> Any:
    return x**2


NEAR = 0.06  # of the height of the axes: the text of one tick stands on the next


def _levels_at(alpha: float) -> tuple[list[float], list[str]]:
    """The ticks, α among them, and none too near to it."""
    usual = (0.0, 0.01, 0.1, 0.25, 0.5, 0.75, 1.0)
    ticks = sorted([alpha, *(p for p in usual if abs(_root(p) - _root(alpha)) > NEAR)])
    return ticks, [f"α = {p:.6g}" if p == alpha else f"{p:g}" for p in ticks]


def _first_reason(found: Comparison, test: str) -> str:
    """Why a p is undefined."""
    outcomes = (x.tests[test].outcome for of in found.measures.values() for x in of.differences)
    return next((x.why for x in outcomes if x.why), "it has none")


# ---- ranks ---------------------------------------------------------------------------------


def _ranks(means: dict[str, float]) -> dict[str, float]:
    """The rank of each system, of equal ones the mean of their ranks."""
    falling = sorted(means, key=lambda name: -means[name])
    ranks: dict[str, float] = {}
    above = 0
    for _, group in groupby(falling, key=lambda name: means[name]):
        names = list(group)
        ranks |= dict.fromkeys(names, above + (len(names) + 1) / 2)
        above += len(names)
    return ranks


def _write_agreement(axes: Axes, found: Comparison) -> None:
    """Between neighbouring columns, above the lines: how far their orders agree."""
    for column, (a, b) in enumerate(pairwise(found.measures)):
        tau = found.agreement[a, b]
        x, y = (list(_means(found.measures[m]).values()) for m in (a, b))
        swaps = len(equations.swapped(x, y))
        known = "undefined" if tau is None else f"{tau:.2f}".replace("-", "−")
        axes.annotate(
            f"τ_b {known}\n{_counted(swaps, 'swap')}",
            (column + 0.5, 1),
            xycoords=axes.get_xaxis_transform(),
            color=MUTED,
            fontsize=8.5,
            horizontalalignment="center",
            verticalalignment="bottom",
        )


def _name_columns(axes: Axes, names: Sequence[str]) -> None:
    told = told_apart(list(names), LONGEST_NAME)
    lines = ["\n".join(wrap(name, 13, break_on_hyphens=False)) for name in told]
    axes.set_xticks(range(len(names)), lines, parse_math=False)


# ---- significance --------------------------------------------------------------------------


CELL, SMALL_CELL = 0.56, 0.3  # inches
MOST_WITH_P = 8  # systems whose p-values are written in the cells
A_CHARACTER = 0.085  # inches


def _triangles(found: Comparison, order: Sequence[str], by: AnyTest) -> Figure:
    told = told_apart(list(order), LONGEST_NAME)
    n, with_p = len(order), len(order) <= MOST_WITH_P
    side = n * (CELL if with_p else SMALL_CELL)
    width = max(side + A_CHARACTER * (max(map(len, told)) - 3), 3.4)
    measures = len(found.measures)
    figure, panels = _panels(measures, min(measures, 2), width, side + 0.3)
    for axes, of in zip(panels, found.measures.values(), strict=True):
        known = _by_pair(of)
        for row, name in enumerate(order):
            for column in range(row):
                above = order[column]
                x = known[frozenset((name, above))]
                up = (x.difference > 0) == (x.first == above)
                _draw_cell(axes, (column, row), x.tests[by.name], "^" if up else ">", with_p)
            axes.text(row - 0.4, max(row, 0.3), told[row], va="center", parse_math=False)
        _bare(axes, n, n)
        axes.set_ylim(top=0)  # above the first name is no cell
        set_title(axes, shortened(of.measure, LONGEST_NAME))
    return figure


def _beside_the_baseline(found: Comparison, others: Sequence[str], by: AnyTest) -> Figure:
    """A row a system, a column a measure."""
    columns, rows = len(found.measures), len(others)
    figure, axes = one_axes()
    figure.set_size_inches(max(6.4, 3 + 1.1 * columns), 1.4 + 0.42 * rows)
    for column, of in enumerate(found.measures.values()):
        for row, name in enumerate(others):
            x = of[name, str(found.baseline)]
            sign = "^" if x.difference > 0 else "v"
            _draw_cell(axes, (column, row), x.tests[by.name], sign, with_p=True)
    _bare(axes, columns, rows)
    axes.set_aspect("auto")
    axes.tick_params(axis="x", length=0)
    _name_rows(axes, others)
    _name_columns(axes, list(found.measures))
    return figure


def _draw_cell(axes: Axes, at: tuple[int, int], tested: Tested, arrow: str, with_p: bool) -> None:
    """A square; filled, with an arrow to the better system, where the difference is significant."""
    rectangle = imported("matplotlib.patches").Rectangle
    column, row = at
    cell = (column - 0.46, row - 0.46), 0.92, 0.92
    axes.add_patch(rectangle(*cell, facecolor="none", edgecolor=MUTED, linewidth=0.6))
    if tested.significant:
        axes.add_patch(rectangle(*cell, color=HUES[1], alpha=0.3, linewidth=0))
    p = tested.corrected
    apart = 0.2 if with_p and tested.significant else 0  # of the arrow and p, from the middle
    if p is None:
        axes.plot(column, row, "x", color=MUTED, markersize=5)
        return
    if tested.significant:
        axes.plot(column, row - apart, arrow, color=INK, markersize=6)
    if with_p:
        axes.text(column, row + apart, p_cell(p), ha="center", va="center", fontsize=7)


def _bare(axes: Axes, columns: int, rows: int) -> None:
    """Axes of cells alone."""
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_aspect("equal", anchor="NW")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)


def _from_the_baseline(found: Comparison) -> str:
    if found.baseline is None:
        return ""
    return f" from the baseline, {shortened(found.baseline, LONGEST_NAME)}"


# ---- what is given -------------------------------------------------------------------------


def _checked(found: Comparison, most: int) -> Comparison:
    """An InputError where it is no comparison, or is of too many."""
    if not isinstance(found, Comparison):
        raise InputError(
            f"plot: found: expected a result of rankspec.compare(), got {shown(found)}"
        )
    check("the number of systems", len(found.systems), 2, MOST_SYSTEMS)
    check("the number of measures", len(found.measures), 1, most)
    return found


def _test(found: Comparison, name: str | None) -> AnyTest:
    """The test of that name; by default the first that has p-values."""
    with_p = {test.name: test for test in found.tests if test.has_p}
    if name is None and with_p:
        return next(iter(with_p.values()))
    if name is None or name == "bayes":
        raise InputError(
            "plot: test: bayes gives probabilities, not p-values, so there is nothing to draw"
        )
    name = str(name)
    if name not in with_p:
        raise InputError(
            f"plot: test: the comparison has no test {quoted(name)}{hint(name, with_p)}; "
            f"expected one of {listed(with_p)}"
        )
    return with_p[name]


def _pair(found: Comparison, pair: Any) -> Names:
    """The pair that is asked for, or the only one."""
    known = [(x.first, x.second) for x in next(iter(found.measures.values())).differences]
    if pair is None:
        if len(known) == 1:
            return known[0]
        some = [f"{a} - {b}" for a, b in known[:MOST_PAIRS]]
        more = f" and {len(known) - MOST_PAIRS} more" if len(known) > MOST_PAIRS else ""
        raise InputError(
            f"plot: pair: name two systems (--pair A B); the pairs are {', '.join(some)}{more}"
        )
    names = list(pair) if isinstance(pair, (tuple, list)) else []
    if len(names) != 2:
        raise InputError(f"plot: pair: expected the names of two systems, got {shown(pair)}")
    for name in names:
        if name not in found.systems:
            raise InputError(
                "plot: pair: unknown system "
                f"{quoted(str(name))}{hint(str(name), found.systems)}; expected one of "
                f"{listed(found.systems)}"
            )
    if names[0] == names[1]:
        raise InputError(f"plot: pair: {quoted(names[0])} is given twice")
    if not {(names[0], names[1]), (names[1], names[0])} & set(known):
        raise InputError(
            f"plot: pair: {quoted(names[0])} and {quoted(names[1])} are not compared; each pair "
            f"includes the baseline {quoted(str(found.baseline))}"
        )
    return names[0], names[1]


# ---- the example ---------------------------------------------------------------------------


SKILLS = {  # what a relevant document is worth to each system beside chance, and each grade of it
    "bm25": (18, 0),
    "bm25+prf": (22, 0),
    "dense": (0, 16),
    "hybrid": (18, 14),
    "tf-idf": (6, 3),
}
TWO = ("bm25+prf", "dense")
MEASURES = ("nDCG@10", "AP", "P@5", "RR")
SHOWN = {"means": 2, "differences": 1, "significance": 2}  # of the measures; the others show all
QUERIES, DOCUMENTS, NOISE = 40, 20, 80
LABELS = (0, 0, 0, 0, 0, 0, 1, 1, 2, 3)


@cache
def _example(figure: str) -> Comparison:
    return compare(example(figure), tests="t", replicates=1000)


def example(figure: str) -> dict[str, Evaluation]:
    """Made-up systems on 40 queries, as a figure needs them.

    The random numbers are those of the specification, for the seeds 0 to 5 (RS-RND-5).
    """
    names = TWO if figure == "differences" else tuple(SKILLS)
    measures = MEASURES[: SHOWN.get(figure, len(MEASURES))]
    labels = [[LABELS[x % len(LABELS)] for x in draws(0, q, DOCUMENTS)] for q in range(QUERIES)]
    qrels = {f"q{q}": {f"d{d}": x for d, x in enumerate(of)} for q, of in enumerate(labels)}
    found = {}
    for seed, (name, (relevant, grade)) in enumerate(SKILLS.items(), start=1):
        if name in names:
            run = {
                f"q{q}": {
                    f"d{d}": relevant * (label > 0) + grade * label + chance
                    for d, (label, chance) in enumerate(
                        zip(of, draws(seed, q, NOISE), strict=False)
                    )
                }
                for q, of in enumerate(labels)
            }
            found[name] = evaluate(qrels, run, measures, backend="reference")
    return found


# ---- what they share -----------------------------------------------------------------------

Look = tuple[str, Any, str]
"""Hue, dashes, marker."""


def _looks() -> list[Look]:
    """Sixteen, told apart by any two of hue, dashes and marker, again and again.

    Dashes and markers are orthogonal Latin squares: a + 2 b and a + b in the field of 4 elements.
    """
    looks = [
        (hue, DASHES[a ^ double], MARKERS[a ^ b])
        for b, double in enumerate((0, 2, 3, 1))
        for a, hue in enumerate(HUES)
    ]
    return looks * ceil(MOST_SYSTEMS / len(looks))


def _means(of: OfMeasure) -> dict[str, float]:
    return {name: x.mean for name, x in of.systems.items()}


def _order(found: Comparison) -> list[str]:
    """The systems, the best by the first measure first."""
    means = _means(next(iter(found.measures.values())))
    return sorted(found.systems, key=lambda name: -means[name])


def _by_pair(of: OfMeasure) -> dict[frozenset[str], Difference]:
    return {frozenset((x.first, x.second)): x for x in of.differences}


def _has_p(tested: Tested) -> bool:
    return tested.corrected is not None


def _level(found: Comparison) -> str:
    return f"{100 * (1 - float(found.choices.alpha)):.6g} %"


def _how(found: Comparison, by: AnyTest) -> str:
    """By which test, at which level, with which correction something is significant."""
    family = f" over {_counted(found.family, 'p-value')}" if _correction(found, by) else ""
    how = "" if by.corrected else f", {found.correction.title}{family}"
    return f"{by.title}{how}, {_level_of_p(found)}"


def _correction(found: Comparison, by: AnyTest) -> str:
    """What corrects the p-values of the test; "": nothing, or the test itself."""
    return "" if by.corrected or found.correction.name == "none" else found.correction.title


def _level_of_p(found: Comparison) -> str:
    """In one word: no line ends within it."""
    return f"p ≤ α = {float(found.choices.alpha):.6g}".replace(" ", NO_BREAK)


def _counted(n: int, what: str) -> str:
    several = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{n} {what if n == 1 else several}"


def _tick_whole_numbers(axes: Axes) -> None:
    axes.xaxis.set_major_locator(
        imported("matplotlib.ticker").MaxNLocator(nbins=10, integer=True, min_n_ticks=1)
    )


def _panels(
    n: int, columns: int, width: float, height: float, beside: float = 0.0
) -> tuple[Figure, list[Axes]]:
    """n axes in so many columns, each of that size in inches; beside: for what is at the left."""
    from matplotlib.figure import Figure

    rows = -(-n // columns)
    figure = Figure(layout="constrained")
    figure.set_size_inches(max(6.4, beside + columns * width), rows * height + 1.0)
    panels = figure.subplots(rows, columns, squeeze=False, sharey=beside > 0)
    axes = list(panels.flat)
    for spare in axes[n:]:
        spare.remove()
    return figure, axes[:n]


def _entitle(figure: Figure, title: str, notes: Sequence[str]) -> None:
    """A title, and below it how the picture is read, in as many lines as they take."""
    width = int(CHARACTERS * figure.get_size_inches()[0])
    lines = [line for words in (title, *notes) for line in wrap(words, width)]
    figure.suptitle(
        "\n".join(lines), x=0.015, horizontalalignment="left", fontsize=10, parse_math=False
    )
