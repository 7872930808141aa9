"""How comparisons are written: a page, LaTeX, Markdown, cells of lines, plain data.

Page, LaTeX and Markdown have the same tables, which are made here once.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ...evaluation import render
from .effects import EFFECTS
from .found import Compared, Difference, OfMeasure, Summary, Tested
from .tests import Outcome
from .units import Unit

INDENT = "    "
MARK = "*"  # behind a corrected p that is at most alpha
LEAST_P = 4  # decimals of p
MOST_HOWS = 3  # ways in which p was computed, in a note


@dataclass(frozen=True)
class Grid:
    """A table: its title, what the first column is of, the other columns, and rows."""

    title: str
    corner: str
    header: list[str]
    rows: list[tuple[str, list[str]]]


# ---- the tables ----------------------------------------------------------------------------


def grids(found: Compared, digits: int) -> Iterator[Grid]:
    """Of each measure the means, the differences with their corrected p, and the details."""
    for of in found.measures.values():
        unit = found.unit
        count = f"{len(of.queries)} {unit.name if len(of.queries) == 1 else unit.plural}"
        yield Grid(
            f"{of.measure}: means over {count}",
            "system",
            ["mean", "sd", f"{_level(found)} interval", "BCa interval"],
            [(name, _of_system(x, digits)) for name, x in of.systems.items()],
        )
        yield Grid(
            f"{of.measure}: differences, and p by test, corrected",
            "pair",
            ["difference", f"{_level(found)} interval", *(_short(x.name) for x in found.tests)],
            [(_pair(x), _of_difference(found, x, digits)) for x in of.differences],
        )
        yield Grid(
            f"{of.measure}: statistics, p by itself, effect sizes",
            "pair",
            [*_statistics(found), *_effects(found), "W/T/L"],
            [(_pair(x), _details(found, x, digits)) for x in of.differences],
        )
    if any(of.power for of in found.measures.values()):
        yield Grid(
            "significant pairs",
            "measure",
            [_short(test.name) for test in found.tests],
            [(of.measure, _power(found, of)) for of in found.measures.values()],
        )
    if found.agreement and len(found.systems) > 2:
        yield Grid(
            "agreement of the measures' orders of the systems",
            "measures",
            ["tau_b"],
            [(f"{a}, {b}", [render.cell(x, digits)]) for (a, b), x in found.agreement.items()],
        )


def _level(found: Compared) -> str:
    return f"{100 * (1 - found.choices.alpha):.12g}%"


SHORT = {"randomisation": "random.", "randomised-tukey": "r-tukey"}


def _short(name: str) -> str:
    """A test's name as the head of a narrow column."""
    return SHORT.get(name, name)


def _pair(x: Difference) -> str:
    return f"{x.first} - {x.second}"


def _of_system(x: Summary, digits: int) -> list[str]:
    cells = [render.short_cell(x.mean, digits), render.short_cell(x.sd, digits)]
    return [*cells, _interval(x.interval, digits), _interval(x.bca, digits)]


def _interval(ends: tuple[float, float] | None, digits: int) -> str:
    if ends is None:
        return "-"
    return f"[{', '.join(render.short_cell(end, digits) for end in ends)}]"


def _of_difference(found: Compared, x: Difference, digits: int) -> list[str]:
    sign = "" if x.difference < 0 else "+"
    cells = [sign + render.short_cell(x.difference, digits), _interval(x.interval, digits)]
    return [*cells, *(_corrected(x.tests[test.name]) for test in found.tests)]


def _corrected(tested: Tested) -> str:
    """The corrected p, with a mark where it is significant; or three probabilities."""
    if tested.outcome.probabilities is not None:
        return "/".join(f"{x:.3f}" for x in tested.outcome.probabilities)
    return f"{p_cell(tested.corrected)}{MARK if tested.significant else ' '}"


def p_cell(p: float | None) -> str:
    """A p-value in so many decimals; one that has none but zeros as less than the last."""
    if p is None:
        return "-"
    return f"{p:.{LEAST_P}f}" if p >= 10**-LEAST_P else f"<0.{'0' * (LEAST_P - 1)}1"


def _statistics(found: Compared) -> list[str]:
    heads = []
    for test in found.tests:
        short = _short(test.name)
        if test.statistic not in ("", "difference"):
            name = test.statistic if test.statistic == short else f"{test.statistic} {short}"
            heads.append(f"{name} (df)" if _has_df(found, test.name) else name)
        heads.append(f"p {short}")
    return heads


def _has_df(found: Compared, name: str) -> bool:
    return any(
        x.tests[name].outcome.df is not None
        for of in found.measures.values()
        for x in of.differences
    )


def _details(found: Compared, x: Difference, digits: int) -> list[str]:
    cells = []
    for test in found.tests:
        outcome = x.tests[test.name].outcome
        if test.statistic not in ("", "difference"):
            cells.append(_statistic(outcome, digits))
        cells.append(p_cell(outcome.p))
    cells += [render.short_cell(x.effects[name], digits) for name in _effects(found)]
    return [*cells, f"{x.wins}/{x.ties}/{x.losses}"]


def _effects(found: Compared) -> dict[str, str]:
    """The effect sizes that belong to the tests, and the entries of the spec that define them."""
    kinds = {test.paired for test in found.tests}
    return {x.name: x.spec for x in EFFECTS if kinds.intersection(x.beside)}


def _statistic(outcome: Outcome, digits: int) -> str:
    if outcome.statistic is None:
        return "-"
    if outcome.statistic == int(outcome.statistic) and outcome.df is None:  # wins, ranks
        return str(int(outcome.statistic))
    df = "" if outcome.df is None else f" ({outcome.df:.6g})"
    return f"{render.short_cell(outcome.statistic, digits)}{df}"


def _power(found: Compared, of: OfMeasure) -> list[str]:
    known = [of.power.get(test.name) for test in found.tests]
    return [
        "-" if x is None else f"{x.significant}/{x.pairs} ({100 * x.share:.0f}%)" for x in known
    ]


# ---- what the tables are of ----------------------------------------------------------------


def notes(found: Compared) -> Iterator[str]:
    """What is significant, by which tests, over which family; and why what is missing is."""
    choices, correction = found.choices, found.correction
    yield (
        f"{MARK}  significant at the level alpha = {choices.alpha:.6g}: "
        "the corrected p is at most alpha"
    )
    for test in found.tests:
        how = _hows(found, test.name)
        told = f"; {how}" if how else ""
        yield f"{_short(test.name)}: {test.title} ({', '.join(test.spec)}){told}"
    yield from _families(found)
    pairs = "with the baseline" if found.baseline is not None else "of systems"
    if any(not test.corrected for test in found.tests):
        yield (
            f"correction: {correction.title} ({correction.spec}), which keeps the "
            f"{correction.controls}; of each test the family is {len(found.measures)} "
            f"{'measure' if len(found.measures) == 1 else 'measures'} x "
            f"{found.family // len(found.measures)} "
            f"{'pair' if found.family == len(found.measures) else 'pairs'} {pairs}: "
            f"{found.family}"
        )
    if any(x.bca is not None for of in found.measures.values() for x in of.systems.values()):
        yield (
            f"intervals: of differences, and the first of means, by t; BCa of {choices.replicates} "
            f"bootstrap samples, seed {choices.seed}; not corrected"
        )
        if choices.replicates * choices.alpha < 2:
            yield (
                f"{choices.replicates} samples are too few for a {_level(found)} BCa interval: "
                "its ends are those of all samples, or near to them"
            )
    effects = ", ".join(f"{name} {spec}" for name, spec in _effects(found).items())
    yield f"{effects}; W/T/L: {found.unit.plural} that the first wins, ties, loses"
    yield from _reasons(found)


def _families(found: Compared) -> Iterator[str]:
    for test in found.tests:
        if test.corrected:
            yield (
                f"{_short(test.name)} is corrected by itself, of each measure for all pairs of the "
                f"{len(found.systems)} systems"
            )


def _hows(found: Compared, test: str) -> str:
    """In which ways p was computed, each once."""
    outcomes = (x.tests[test].outcome for of in found.measures.values() for x in of.differences)
    hows = list(dict.fromkeys(x.how for x in outcomes if x.how))
    more = f" and {len(hows) - MOST_HOWS} more" if len(hows) > MOST_HOWS else ""
    return "; ".join(hows[:MOST_HOWS]) + more


def _reasons(found: Compared) -> Iterator[str]:
    """Why statistics are undefined, with the pairs."""
    reasons: dict[str, list[str]] = {}
    for of in found.measures.values():
        for x in of.differences:
            for name, tested in x.tests.items():
                if why := tested.outcome.why:
                    reasons.setdefault(f"{_short(name)}: undefined, {why}", []).append(
                        f"{of.measure} of {_pair(x)}"
                    )
    for reason, places in reasons.items():
        more = f" and {len(places) - 3} more" if len(places) > 3 else ""
        yield f"-  {reason}: {'; '.join(places[:3])}{more}"


# ---- formats -------------------------------------------------------------------------------


def table(found: Compared, digits: int) -> str:
    """The tables in 80 columns, with notes."""
    return page(grids(found, digits), notes(found))


def page(grids: Iterable[Grid], notes: Iterable[str]) -> str:
    """Tables in 80 columns, with notes."""
    blocks = [
        f"{grid.title}\n{render.columns(grid.corner, grid.header, grid.rows)}" for grid in grids
    ]
    lines = [line for note in notes for line in render.wrapped(note, INDENT)]
    text = "\n\n".join([*blocks, "\n".join(lines)])
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def markdown(found: Compared, digits: int) -> str:
    """The tables as pipe tables, with notes."""
    return pipe_tables(grids(found, digits), notes(found))


def pipe_tables(grids: Iterable[Grid], notes: Iterable[str]) -> str:
    """Tables for Markdown, with notes."""
    blocks = []
    for grid in grids:
        rows = [[grid.corner, *grid.header], *([name, *cells] for name, cells in grid.rows)]
        lines = [f"| {' | '.join(_each(_in_markdown, row))} |" for row in rows]
        lines.insert(1, f"|---|{'---:|' * len(grid.header)}")
        blocks.append("\n".join([f"**{_in_markdown(grid.title)}**", "", *lines]))
    blocks.append("\n".join(f"- {_in_markdown(note)}" for note in notes))
    return "\n\n".join(blocks) + "\n"


def _each(change: Callable[[str], str], cells: Sequence[str]) -> list[str]:
    return [change(cell.strip()) for cell in cells]


def _in_markdown(text: str) -> str:
    for c in "\\|*_`<[":
        text = text.replace(c, f"\\{c}")
    return render.one_cell(text)


def latex(found: Compared, digits: int) -> str:
    """The tables for LaTeX with booktabs; notes are comments."""
    return booktabs(grids(found, digits), notes(found))


def booktabs(grids: Iterable[Grid], notes: Iterable[str]) -> str:
    """Tables for LaTeX, with the rules of booktabs; notes are comments."""
    blocks = ["\n".join(["% \\usepackage{booktabs}", *(f"% {_line(x)}" for x in notes)])]
    for grid in grids:
        rows = [f"{' & '.join(_each(_in_latex, [name, *cells]))} \\\\" for name, cells in grid.rows]
        head = f"{' & '.join(_each(_in_latex, [grid.corner, *grid.header]))} \\\\"
        blocks.append(
            "\n".join(
                [
                    f"% {_line(grid.title)}",
                    f"\\begin{{tabular}}{{l{'r' * len(grid.header)}}}",
                    "\\toprule",
                    head,
                    "\\midrule",
                    *rows,
                    "\\bottomrule",
                    "\\end{tabular}",
                ]
            )
        )
    return "\n\n".join(blocks) + "\n"


def _line(text: str) -> str:
    return " ".join(text.split())


LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"$<$", ">": r"$>$", "*": r"$^{*}$", "[": r"{[}",
}  # fmt: skip
"""A bracket that begins a row would be an argument of the line break before it."""

NUMBER = r"-?[0-9.]+(e[+-]?[0-9]+)?"
INTERVAL = re.compile(rf"\[{NUMBER}, {NUMBER}\]")


def _in_latex(text: str) -> str:
    if INTERVAL.fullmatch(text):
        return f"${text}$"  # its minus is no hyphen
    sign = {"+": "$+$", "-": "$-$"}.get(text[:1], "") if text[1:2].isdigit() else ""
    body = text[1:] if sign else text
    return sign + "".join(LATEX.get(c, c) for c in _line(body))


HEADER = (
    "measure", "first", "second", "queries", "mean_first", "mean_second", "difference", "low",
    "high", "test", "statistic", "df", "p", "corrected_p", "significant", "worse", "equal",
    "better", *(x.name for x in EFFECTS), "wins", "ties", "losses", "how", "why",
)  # fmt: skip


def header(found: Compared) -> list[str]:
    """The names of the columns; that of the number of units is what they are."""
    return [found.unit.said(name) for name in HEADER]


def csv_text(found: Compared, digits: int | None) -> str:
    """A line a measure, pair and test, divided by commas."""
    return comma_separated([header(found), *_lines(found, digits)])


def comma_separated(rows: Iterable[Sequence[str]]) -> str:
    """Lines of cells divided by commas."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def tsv(found: Compared, digits: int | None) -> str:
    """The same, divided by tabs."""
    return tab_separated([header(found), *_lines(found, digits)])


def tab_separated(rows: Iterable[Sequence[str]]) -> str:
    """Lines of cells divided by tabs."""
    return "".join("\t".join(map(render.one_cell, row)) + "\n" for row in rows)


def _lines(found: Compared, digits: int | None) -> Iterator[Sequence[str]]:
    def number(x: float | None) -> str:
        return render.cell(x, digits, none="")

    for of in found.measures.values():
        for x in of.differences:
            means = of.systems[x.first].mean, of.systems[x.second].mean
            ends = x.interval or (None, None)
            for name, tested in x.tests.items():
                outcome = tested.outcome
                shares = outcome.probabilities or (None, None, None)
                yield (
                    of.measure, x.first, x.second, str(len(of.queries)),
                    *map(number, (*means, x.difference, *ends)), name,
                    *map(number, (outcome.statistic, outcome.df, outcome.p, tested.corrected)),
                    "" if tested.corrected is None else "yes" if tested.significant else "no",
                    *map(number, (*shares, *x.effects.values())),
                    *map(str, (x.wins, x.ties, x.losses)), outcome.how, outcome.why,
                )  # fmt: skip


def to_dict(found: Compared) -> dict[str, Any]:
    """The comparison as plain data."""
    choices = found.choices
    return {
        "unit": found.unit.name,
        "systems": list(found.systems),
        "baseline": found.baseline,
        "alpha": choices.alpha,
        "seed": choices.seed,
        "replicates": choices.replicates,
        "rope": choices.rope,
        "tests": [
            {"name": x.name, "title": x.title, "assumes": found.unit.said(x.assumes),
             "spec": list(x.spec), "corrected_by_itself": x.corrected}
            for x in found.tests
        ],
        "correction": {
            "name": found.correction.name,
            "title": found.correction.title,
            "controls": found.correction.controls,
            "spec": found.correction.spec,
            "family": found.family,
        },
        "measures": [_measure_dict(of, found.unit) for of in found.measures.values()],
        "agreement": [
            {"first": a, "second": b, "tau_b": tau} for (a, b), tau in found.agreement.items()
        ],
    }  # fmt: skip


def _measure_dict(of: OfMeasure, unit: Unit) -> dict[str, Any]:
    return {
        "measure": of.measure,
        unit.plural: len(of.queries),
        "systems": [
            {
                "system": name,
                "mean": x.mean,
                "sd": x.sd,
                "interval": _finite(x.interval),
                "bca": _finite(x.bca),
            }
            for name, x in of.systems.items()
        ],
        "pairs": [_pair_dict(x) for x in of.differences],
        "power": {
            name: {"significant": x.significant, "pairs": x.pairs, "share": x.share}
            for name, x in of.power.items()
        },
    }


def _finite(ends: tuple[float, float] | None) -> tuple[float | None, ...] | None:
    """An interval for JSON, which has no infinity: None is an end that no double holds."""
    return None if ends is None else tuple(end if isfinite(end) else None for end in ends)


def _pair_dict(x: Difference) -> dict[str, Any]:
    return {
        "first": x.first,
        "second": x.second,
        "difference": x.difference,
        "interval": _finite(x.interval),
        "wins": x.wins,
        "ties": x.ties,
        "losses": x.losses,
        "effects": dict(x.effects),
        "tests": {name: _tested_dict(tested) for name, tested in x.tests.items()},
    }


def _tested_dict(tested: Tested) -> dict[str, Any]:
    found = tested.outcome
    return {
        "statistic": found.statistic,
        "df": found.df,
        "p": found.p,
        "corrected_p": tested.corrected,
        "significant": None if tested.corrected is None else tested.significant,
        "interval": _finite(found.interval),
        "probabilities": found.probabilities,
        "how": found.how or None,
        "why": found.why or None,
    }
