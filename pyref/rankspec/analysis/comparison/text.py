"""How comparisons are written: a page, LaTeX, Markdown, cells of lines, plain data.

Page, LaTeX and Markdown have the same tables, which are made here once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...errors import InputError
from ...evaluation import render
from ...evaluation.typeset import (
    Grid,
    booktabs,
    comma_separated,
    for_people,
    pipe_tables,
    tab_separated,
)
from ...text import printable
from . import figures, text_of_measures
from .effects import EFFECTS
from .found import Compared, Difference, OfMeasure, Summary, Tested
from .grid import (
    MARK,
    SHARES,
    WHOLE,
    corrected_cell,
    count,
    finite,
    interval,
    p_cell,
    short,
    signed,
    too_few_said,
)
from .tests import STRATIFIED, AnyTest, Outcome
from .units import SESSION, Unit

INDENT = "    "
MOST_HOWS = 3  # ways in which p was computed, in a note


# ---- the tables ----------------------------------------------------------------------------


def grids(found: Compared, digits: int) -> Iterator[Grid]:
    """Of each measure the means, the differences with their corrected p, and the details."""
    for of in found.measures.values():
        yield _of_means(found, of, digits)
        yield Grid(
            f"{of.measure}: differences{', and p by test, corrected' if _with_p(found) else ''}",
            "pair",
            [
                "difference",
                *(f"{_level(found)} {name} interval" for name in _with_intervals(found)),
                *(short(x.name) if x.has_p else SHARES for x in found.tests),
            ],
            [(_pair(x), _of_difference(found, x, digits)) for x in of.differences],
        )
        yield Grid(
            f"{of.measure}: {'statistics, p by itself, ' if _with_p(found) else ''}effect sizes",
            "pair",
            [*_statistics(found), *_effects(found), *(["W/T/L"] if found.design.paired else [])],
            [(_pair(x), _details(found, x, digits)) for x in of.differences],
        )
    for grid in text_of_measures.grids(found, digits):
        yield replace(grid, title=found.unit.said(grid.title))


def _of_means(found: Compared, of: OfMeasure, digits: int) -> Grid:
    """The means; where systems have sessions of their own, with how many."""
    unit, header = found.unit, ["mean", "sd", f"{_level(found)} interval", "BCa interval"]
    cells = {name: _of_system(x, digits) for name, x in of.systems.items()}
    if found.design.paired:
        title = f"{of.measure}: means over {count(len(of.queries), unit.name, unit.plural)}"
        return Grid(title, "system", header, list(cells.items()))
    rows = [(name, [str(len(of.ids[name])), *own]) for name, own in cells.items()]
    title = f"{of.measure}: means, each system over {unit.plural} of its own"
    return Grid(title, "system", [unit.plural, *header], rows)


def _level(found: Compared) -> str:
    return f"{100 * (1 - found.choices.alpha):.12g}%"


def _pair(x: Difference) -> str:
    return render.OfTwo(x.first, x.second)


def _of_system(x: Summary, digits: int) -> list[str]:
    cells = [render.short_cell(x.mean, digits), render.short_cell(x.sd, digits)]
    return [*cells, interval(x.interval, digits), interval(x.bca, digits)]


def _of_difference(found: Compared, x: Difference, digits: int) -> list[str]:
    by_t = {} if found.design.test in x.tests else {found.design.test: x.interval}
    ends = by_t | {name: tested.outcome.interval for name, tested in x.tests.items()}
    cells = [signed(x.difference, digits)]
    cells += [interval(ends[name], digits) for name in _with_intervals(found)]
    return [*cells, *(corrected_cell(x.tests[test.name]) for test in found.tests)]


def _with_intervals(found: Compared) -> list[str]:
    """The tests whose intervals are shown: those that have one, or else that of the design."""
    return [test.name for test in found.tests if test.has_interval] or [found.design.test]


def _with_p(found: Compared) -> list[AnyTest]:
    """Return the tests that have a p-value (RS-CMP-23(e))."""
    return [test for test in found.tests if test.has_p]


def _statistics(found: Compared) -> list[str]:
    heads = []
    for test in _with_p(found):
        head = short(test.name)
        if test.statistic not in ("", "difference"):
            name = test.statistic if test.statistic == head else f"{test.statistic} {head}"
            heads.append(f"{name} (df)" if _has_df(found, test.name) else name)
        heads.append(f"p {head}")
    return heads


def _has_df(found: Compared, name: str) -> bool:
    return any(
        x.tests[name].outcome.df is not None
        for of in found.measures.values()
        for x in of.differences
    )


def _details(found: Compared, x: Difference, digits: int) -> list[str]:
    cells = []
    for test in _with_p(found):
        outcome = x.tests[test.name].outcome
        if test.statistic not in ("", "difference"):
            cells.append(_statistic(outcome, digits))
        cells.append(p_cell(outcome.p))
    cells += [render.short_cell(x.effects[name], digits) for name in _effects(found)]
    return [*cells, f"{x.wins}/{x.ties}/{x.losses}"] if found.design.paired else cells


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


# ---- what the tables are of ----------------------------------------------------------------


def notes(found: Compared) -> Iterator[str]:
    """What is significant, by which tests, over which family; and why what is missing is."""
    choices, correction = found.choices, found.correction
    if found.unit is SESSION:
        yield f"design: {found.design.name}: {found.design.why} (RS-SES-31)"
    if _with_p(found):
        yield (
            f"{MARK}  significant at the level alpha = {choices.alpha:.6g}: "
            "the corrected p is at most alpha"
        )
    for test in found.tests:
        how = _hows(found, test.name)
        told = f"; {how}" if how else ""
        yield f"{short(test.name)}: {test.title} ({', '.join(test.spec)}){told}"
        if test is STRATIFIED:
            yield (
                f"adjusted {short(test.name)}: the mean difference within topics, each topic "
                "weighted by the numbers of its sessions (RS-CMP-26)"
            )
        if not test.has_p:
            yield (
                f"{SHARES}: the probabilities by {test.name} that the mean of the first system is "
                "lower by more than the rope, within the rope, and higher by more than the rope; "
                f"rope = {choices.rope!r}"
            )
    yield from _families(found)
    pairs = "with the baseline" if found.baseline is not None else "of systems"
    if any(not test.corrected for test in _with_p(found)):
        keeps = f", which keeps the {correction.controls}" if correction.name != "none" else ""
        yield (
            f"correction: {correction.title} ({correction.spec}){keeps}; of each test the family "
            f"is {len(found.measures)} {'measure' if len(found.measures) == 1 else 'measures'} x "
            f"{found.family // len(found.measures)} "
            f"{'pair' if found.family == len(found.measures) else 'pairs'} {pairs}: "
            f"{found.family}"
        )
    if any(x.bca is not None for of in found.measures.values() for x in of.systems.values()):
        yield (
            f"intervals: of differences by the test named {_kind(found)}, the first of means by t; "
            f"BCa of {choices.replicates} bootstrap samples, seed {choices.seed}; "
            f"{_uncorrected(found)}"
        )
        if choices.replicates * choices.alpha < 2:
            yield (
                f"{choices.replicates} samples are too few for a {_level(found)} BCa interval: "
                "its ends are those of all samples, or near to them"
            )
    effects = ", ".join(f"{name} {spec}" for name, spec in _effects(found).items())
    won = f"; W/T/L: {found.unit.plural} that the first wins, ties, loses"
    yield f"{effects}{won if found.design.paired else ''}"
    yield from map(found.unit.said, text_of_measures.notes(found))
    yield from _reasons(found)


def _kind(found: Compared) -> str:
    """Return which kind of test the t-test of the design is."""
    return "(t: paired)" if found.design.paired else "(welch, pooled: unpaired)"


def _uncorrected(found: Compared) -> str:
    """Which intervals are not corrected for the number of pairs."""
    joint = [test.name for test in found.tests if test.corrected and test.has_interval]
    return f"not corrected, but those of {', '.join(joint)}" if joint else "not corrected"


def _families(found: Compared) -> Iterator[str]:
    for test in found.tests:
        if test.corrected:
            yield (
                f"{short(test.name)} is corrected by itself, of each measure for all pairs of the "
                f"{len(found.systems)} systems"
            )


def _hows(found: Compared, test: str) -> str:
    """In which ways p was computed, each once."""
    outcomes = (x.tests[test].outcome for _, x in _differences(found))
    hows = list(dict.fromkeys(x.how for x in outcomes if x.how))
    more = f" and {len(hows) - MOST_HOWS} more" if len(hows) > MOST_HOWS else ""
    return "; ".join(hows[:MOST_HOWS]) + more


def _differences(found: Compared) -> Iterator[tuple[str, Difference]]:
    """Each difference, and what it is of: a measure, perhaps a set of queries, a pair."""
    for name, compared in {"": found, **found.subsets}.items():
        for of in compared.measures.values():
            for x in of.differences:
                yield f"{of.measure}{name and ', '}{name} of {_pair(x)}", x


def _reasons(found: Compared) -> Iterator[str]:
    """Why statistics are undefined, with the pairs."""
    reasons: dict[str, list[str]] = {}
    for place, x in _differences(found):
        for name, tested in x.tests.items():
            if why := tested.outcome.why:
                reasons.setdefault(f"{short(name)}: undefined, {why}", []).append(place)
    for reason, places in reasons.items():
        more = f" and {len(places) - 3} more" if len(places) > 3 else ""
        yield f"-  {reason}: {'; '.join(places[:3])}{more}"


# ---- formats -------------------------------------------------------------------------------


def table(found: Compared, digits: int) -> str:
    """The tables in 80 columns, with notes."""
    return page(grids(found, digits), notes(found))


def page(grids: Iterable[Grid], notes: Iterable[str]) -> str:
    """Tables in 80 columns, with notes."""
    grids, notes = for_people(grids, notes)
    blocks = ["\n".join([*_lines_of(grid.title), _columns(grid)]) for grid in grids]
    lines = [line for note in notes for line in _lines_of(note)]
    text = "\n\n".join([*blocks, "\n".join(lines)])
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def _lines_of(words: str) -> list[str]:
    """Lines in 80 columns, of words with names that may be long."""
    return render.wrapped(printable(words), INDENT)


def _columns(grid: Grid) -> str:
    return render.columns(grid.corner, grid.header, grid.rows, grid.of_names)


def markdown(found: Compared, digits: int) -> str:
    """The tables as pipe tables, with notes."""
    return pipe_tables(grids(found, digits), notes(found))


def latex(found: Compared, digits: int) -> str:
    """The tables for LaTeX with booktabs; notes are comments."""
    return booktabs(grids(found, digits), notes(found))


HEADER = (
    "measure", "first", "second", "queries", "mean_first", "mean_second", "difference", "low",
    "high", "test", "statistic", "df", "p", "corrected_p", "significant", "worse", "equal",
    "better", "rope", *(x.name for x in EFFECTS), "wins", "ties", "losses", "how", "why", "set",
)  # fmt: skip


APART = ("design", "queries_first", "queries_second")
"""The further columns of systems on sessions of their own."""


def header(found: Compared) -> list[str]:
    """The names of the columns; that of the number of units is what they are."""
    more = () if found.design.paired else APART
    return [found.unit.said(name) for name in (*HEADER, *more)]


def csv_text(found: Compared, digits: int | None) -> str:
    """A line a measure, pair and test, or a figure of measures, divided by commas."""
    return comma_separated(_rows(found, digits))


def tsv(found: Compared, digits: int | None) -> str:
    """The same, divided by tabs."""
    return tab_separated(_rows(found, digits))


def _rows(found: Compared, digits: int | None) -> Iterator[Sequence[str]]:
    """The lines, of measures where these are asked for; else of pairs, by all and by each set."""
    if found.of_measures:
        yield from figures.lines(found, digits)
        return
    if found.against or found.splits:
        raise InputError(
            "format: this format has one line per pair of systems, or with --measures "
            "(measures=True) per pair of measures; swap rates need --measures"
        )
    yield header(found)
    for name, of in {WHOLE: found, **found.subsets}.items():
        for line, more in _lines(of, digits):
            yield (*line, name, *more)
        yield from ((*line, name) for line in _lines_not_compared(found, of))


def _lines(found: Compared, digits: int | None) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """The cells of each line, and those of the further columns."""

    def number(x: float | None) -> str:
        return render.cell(x, digits, none="")

    rope, with_p = repr(found.choices.rope), {test.name for test in _with_p(found)}
    for of in found.measures.values():
        for x in of.differences:
            means = of.systems[x.first].mean, of.systems[x.second].mean
            n, more = len(of.queries), []
            if not found.design.paired:
                sizes = [len(of.ids[name]) for name in (x.first, x.second)]
                n, more = sum(sizes), [found.design.name, *map(str, sizes)]
            won = ["" if w is None else str(w) for w in (x.wins, x.ties, x.losses)]
            for name, tested in x.tests.items():
                outcome = tested.outcome
                ends = outcome.interval or (None, None)
                shares = outcome.probabilities or (None, None, None)
                yield (
                    of.measure, x.first, x.second, str(n),
                    *map(number, (*means, x.difference, *ends)), name,
                    *map(number, (outcome.statistic, outcome.df, outcome.p, tested.corrected)),
                    "" if tested.corrected is None else "yes" if tested.significant else "no",
                    *map(number, shares), "" if name in with_p else rope,
                    *map(number, x.effects.values()),
                    *won, outcome.how, outcome.why,
                ), more  # fmt: skip


def _lines_not_compared(found: Compared, of_set: Compared) -> Iterator[Sequence[str]]:
    """The lines of a set whose cells are empty, with the reason."""
    for measure, n in of_set.too_few.items():
        for x in found.measures[measure].differences:
            for test in x.tests:
                cells = {
                    "measure": measure, "first": x.first, "second": x.second, "queries": str(n),
                    "test": test, "why": too_few_said(n, found.unit),
                }  # fmt: skip
                yield [cells.get(name, "") for name in HEADER[:-1]]


def to_dict(found: Compared) -> dict[str, Any]:
    """The comparison as plain data."""
    choices = found.choices
    return {
        "unit": found.unit.name,
        "design": {"name": found.design.name, "why": found.design.why},
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
        **_found_dict(found),
        "subsets": {
            name: _found_dict(of) | {"not_compared": _not_compared_dicts(of)}
            for name, of in found.subsets.items()
        },
        **figures.swaps_dict(found),
    }  # fmt: skip


def _found_dict(found: Compared) -> dict[str, Any]:
    """What is found on all queries, or on those of a set."""
    return {
        "measures": [_measure_dict(of, found.unit) for of in found.measures.values()],
        "agreement": [
            {"first": a, "second": b, "tau_b": tau} for (a, b), tau in found.agreement.items()
        ],
        "between_measures": figures.between_dicts(found),
    }


def _not_compared_dicts(found: Compared) -> list[dict[str, Any]]:
    """The measures by which a set is not compared, and why."""
    unit = found.unit
    return [
        {"measure": measure, unit.plural: n, "why": too_few_said(n, unit)}
        for measure, n in found.too_few.items()
    ]


def _measure_dict(of: OfMeasure, unit: Unit) -> dict[str, Any]:
    return {
        "measure": of.measure,
        unit.plural: len(of.queries),
        "systems": [
            {
                "system": name,
                unit.plural: len(of.ids[name]),
                "mean": x.mean,
                "sd": x.sd,
                "interval": finite(x.interval),
                "bca": finite(x.bca),
            }
            for name, x in of.systems.items()
        ],
        "pairs": [_pair_dict(x) for x in of.differences],
        "power": {
            name: {
                "significant": x.significant,
                "pairs": x.pairs,
                "share": x.share,
                "undefined": x.undefined,
                "curve": x.curve,
            }
            for name, x in of.power.items()
        },
        "mean_pad": of.mean_pad,
    }


def _pair_dict(x: Difference) -> dict[str, Any]:
    return {
        "first": x.first,
        "second": x.second,
        "difference": x.difference,
        "interval": finite(x.interval),
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
        "interval": finite(found.interval),
        "probabilities": found.probabilities,
        **dict(zip(("worse", "equal", "better"), found.probabilities or [None] * 3, strict=True)),
        "how": found.how or None,
        "why": found.why or None,
    }
