"""Evaluations as text: a table for people, and TSV, JSON and trec_eval's lines for programs.

Each function takes the evaluations of one or more runs by name, all of the same measures and
conventions, and returns the whole text. The tables of measures and profiles are here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from typing import Any

from ..errors import InputError
from ..metrics.bounds import PAPER_NAMES, Bound
from ..metrics.measure import Measure, Metric
from ..metrics.parameters import Parameter, written
from ..text import beginning, cells_of, ending, printable
from . import profiles
from .evaluate import Evaluation
from .profiles import Profile

Runs = Mapping[str, Evaluation]
Row = tuple[str, list[float | None]]

ALL = "all"  # what programs that read lines know the mean by
WIDTH = 80
GAP = "  "
LONGEST_COLUMN = 48  # where the first column is wide too
LONGEST_HEADING = 24  # of a measure; a longer one stands under the table
LONGEST_DEFINITION = 4 * WIDTH


def table(runs: Runs, *, per_query: bool = False, digits: int = 4) -> str:
    """Columns of at most 80 characters in all: a row a run, or a table a run and a row a query."""
    rows = {
        name: _rows(evaluation, name_of_mean(evaluation.queries if per_query else ()), per_query)
        for name, evaluation in runs.items()
    }
    header, legend = headings(next(iter(runs.values())).measures)
    blocks = tables(rows, header, digits, "run", "query" if per_query else None)
    return "\n\n".join([*blocks, *legend, "\n".join(_notes(runs))]) + "\n"


def tsv(runs: Runs, *, per_query: bool = False, digits: int | None = None) -> str:
    """Tab-separated: run, query ("all" is the mean), then a column a measure."""
    rows = {name: _rows(evaluation, ALL, per_query) for name, evaluation in runs.items()}
    return tab_separated(rows, ["run", "query", *_measures(runs)], digits)


def trec(runs: Runs, *, per_query: bool = False, digits: int = 4) -> str:
    """As trec_eval prints: measure, query or "all", value; several runs, each after its runid.

    No cell has blanks: whoever reads such lines divides them there.
    """
    lines = []
    for name, evaluation in runs.items():
        if len(runs) > 1:
            lines.append(("runid", ALL, "_".join(name.split())))
        names = ["".join(measure.trec_name.split()) for measure in evaluation.measures]
        for query, values in _rows(evaluation, ALL, per_query):
            written = zip(names, values, strict=True)
            lines.extend((m, query, cell(x, digits)) for m, x in written if x is not None)
    return "".join(f"{m:22}\t{one_cell(query)}\t{x}\n" for m, query, x in lines)


def json(runs: Runs, *, per_query: bool = False, **about: Any) -> str:
    """JSON: the definition of each measure, and all numbers as doubles that round-trip.

    A mean that there is not, as no query has a value, is null.
    """
    from json import dumps

    by_run = {name: evaluation.to_dict() for name, evaluation in runs.items()}
    first = next(iter(by_run.values()))
    document = {
        **about,
        "profile": first["profile"],
        "conventions": first["conventions"],
        "measures": first["measures"],
        "runs": [
            {
                "run": name,
                "queries": found["queries"],
                "missing": found["missing"],
                "mean": {m: or_none(x) for m, x in found["mean"].items()},
            }
            | ({"per_query": found["per_query"]} if per_query else {})
            for name, found in by_run.items()
        ],
    }
    return dumps(document, indent=2) + "\n"


def _measures(runs: Runs) -> list[str]:
    return [str(measure) for measure in next(iter(runs.values())).measures]


def _rows(evaluation: Evaluation, mean: str, per_query: bool) -> list[Row]:
    queries = evaluation.queries if per_query else ()
    return rows_of(queries, evaluation.per_query, mean, evaluation.mean)


def name_of_mean(names: Iterable[str]) -> str:
    """What the row of the mean is called in a table: as none of the other rows (RS-CONV-35)."""
    names, mean = set(names), "mean"
    while mean in names:
        mean = f"({mean})"
    return mean


def rows_of(
    names: Iterable[str],
    by_measure: Mapping[str, Mapping[str, float]],
    mean: str,
    means: Mapping[str, float],
) -> list[Row]:
    """(name, values of all measures) of queries, say, and the means last, under the given name.

    None: there is no value (RS-CONV-4), or no mean, as none has one. An InputError where a name
    is what the mean is known by (RS-CONV-35).
    """
    names = list(names)
    if mean == ALL and ALL in names:
        raise InputError(
            f'"{ALL}" is the name of a query or session here, and of the mean in tsv and trec; '
            "--format json and table tell the two apart (RS-CONV-35)"
        )
    rows: list[Row] = [(x, [values.get(x) for values in by_measure.values()]) for x in names]
    return [*rows, (mean, list(map(or_none, means.values())))]


def or_none(mean: float) -> float | None:
    """A mean, or None where there is none, which is NaN in a result."""
    return None if isnan(mean) else mean


def headings(measures: Sequence[Measure]) -> tuple[list[str], list[str]]:
    """What columns of these measures are called; and, in at most one block, what is short for what.

    A name that is too long for a column is there without its parameters, and has a number.
    """
    written = list(map(str, measures))
    long = [name for name in written if len(name) > LONGEST_HEADING]
    number = {name: f"[{n}]" for n, name in enumerate(long, start=1)}
    header = [
        f"{short_name(measure)} {number[name]}" if name in number else name
        for measure, name in zip(measures, written, strict=True)
    ]
    shown = told_apart(long, LONGEST_DEFINITION)
    lines = [
        line
        for name, text in zip(long, shown, strict=True)
        for line in wrapped(f"{number[name]} {text}", " " * (len(number[name]) + 1))
    ]
    return header, ["\n".join(lines)] if lines else []


def short_name(measure: Measure) -> str:
    """The name of a measure without its parameters."""
    metric = measure.metric
    if metric.of is not None:
        return f"{metric.bound}({short_name(measure.inner)})"
    return metric.name if measure.k is None else f"{metric.name}@{measure.k}"


def tables(
    systems: Mapping[str, Sequence[Row]],
    header: Sequence[str],
    digits: int,
    of: str,
    each: str | None,
) -> list[str]:
    """A table of the means, a row a system; or a table a system, of all of its rows.

    of, each: what systems are, and what the other rows are of; None: there are but means
    """
    fixed = {
        name: [(label, [cell(x, digits) for x in values]) for label, values in rows]
        for name, rows in systems.items()
    }
    if each is None:
        return [columns(of, header, [(name, rows[-1][1]) for name, rows in fixed.items()])]
    blocks = [columns(each, header, rows) for rows in fixed.values()]
    if len(systems) == 1:
        return blocks
    titles = told_apart(list(systems), WIDTH)
    return [f"{title}\n{block}" for title, block in zip(titles, blocks, strict=True)]


def tab_separated(
    systems: Mapping[str, Sequence[Row]], header: Sequence[str], digits: int | None
) -> str:
    """Lines of system, name and values, divided by tabs."""
    lines = [header]
    for system, rows in systems.items():
        for name, values in rows:
            lines.append([system, name, *(cell(x, digits, none="") for x in values)])
    return "".join("\t".join(map(one_cell, line)) + "\n" for line in lines)


def cell(x: float | None, digits: int | None, none: str = "-") -> str:
    """A number as a cell; without a number of digits all that are its own."""
    if x is None:
        return none
    return repr(x) if digits is None else f"{x:.{digits}f}"


def one_cell(text: str) -> str:
    """The text without the characters that divide cells and lines."""
    return text.translate({ord(c): " " for c in "\t\n\r"})


def _notes(runs: Runs) -> Iterator[str]:
    """What the numbers are the mean of, and what may surprise."""
    first = next(iter(runs.values()))
    differing = profiles.differing(first.conventions)
    chosen = [f"{name}: {x}" for name, x in ({"ties": first.ties} | differing).items()]
    under = [f"profile: {first.profile}"] if first.profile else []
    counts = {len(evaluation.queries) for evaluation in runs.values()}
    of = " to ".join(map(str, sorted({min(counts), max(counts)})))
    number = f"{of} {'query' if counts == {1} else 'queries'}"
    yield from wrapped(", ".join([number, *under, *chosen]))
    if first.judgments is not None:
        yield from wrapped(f"judgments: {first.judgments}", "  ")
    for measure, own in first.otherwise.items():
        choices = profiles.differing(own, first.conventions).items()
        yield from wrapped(f"{measure}: {', '.join(f'{name}: {x}' for name, x in choices)}", "  ")
    rule = first.conventions.queries
    fate = "they are empty lists" if rule == "qrels" else f"left out (queries: {rule})"
    for name, evaluation in runs.items():
        if missing := len(evaluation.missing):
            of = "them" if rule == "qrels" else "the qrels' queries"
            yield from wrapped(
                f"{printable(name)} has no results for {missing} of {of}: {fate}", "  "
            )
        if extra := len(evaluation.extra):
            has = "1 query" if extra == 1 else f"{extra} queries"
            yield from wrapped(f"{printable(name)} has {has} without judgments: left out", "  ")
        for measure, values in evaluation.per_query.items():
            if missing := len(evaluation.queries) - len(values):
                where = f"{printable(name)}, " if len(runs) > 1 else ""
                yield from wrapped(
                    f"{where}{measure}: {missing} undefined, no part of the mean", "  "
                )
            if apart := len(evaluation.apart.get(measure, ())):
                where = f"{printable(name)}, " if len(runs) > 1 else ""
                yield from wrapped(
                    f"{where}{measure}: {apart} left out of the mean, undefined by other judgments "
                    "(RS-CONV-14)",
                    "  ",
                )


def wrapped(line: str, indent: str = "") -> list[str]:
    """The line in as many as it needs, those after the first indented; a colon ends none."""
    if cells_of(line) <= WIDTH:
        return [line]
    from textwrap import wrap  # costs start-up time

    whole = line.replace(": ", ":\0")
    if not line.isascii():  # for textwrap, a wide character and a mark behind it are two
        whole = "".join(c + "\1" * (cells_of(c) - 1) for c in whole)
    found = wrap(whole, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
    return [part.replace("\0", " ").replace("\1", "") for part in found]


def columns(corner: str, header: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Aligned columns, the first to the left and the others to the right.

    What does not fit into the width continues in another block below, with the first column
    repeated; a label that is too long is shortened.
    """
    labels = [corner, *(label for label, _ in rows)]
    header = told_apart(header, max(WIDTH - len(GAP) - max(map(cells_of, labels)), LONGEST_COLUMN))
    widths = [
        max(cells_of(name), *(len(cells[i]) for _, cells in rows)) for i, name in enumerate(header)
    ]
    room = WIDTH - len(GAP) - max(widths, default=0)
    labels = told_apart(labels, max(room, 12))
    first = max(map(cells_of, labels))
    blocks, begin = [], 0
    while begin < len(header):
        end, used = begin + 1, first + len(GAP) + widths[begin]
        while end < len(header) and used + len(GAP) + widths[end] <= WIDTH:
            used += len(GAP) + widths[end]
            end += 1
        lines = [(labels[0], header), *zip(labels[1:], (cells for _, cells in rows), strict=True)]
        blocks.append(
            "\n".join(
                GAP.join(
                    [
                        f"{label}{_blanks(label, first)}",
                        *(f"{_blanks(cells[i], widths[i])}{cells[i]}" for i in range(begin, end)),
                    ]
                )
                for label, cells in lines
            )
        )
        begin = end
    return "\n\n".join(blocks)


def _blanks(text: str, width: int) -> str:
    """What fills the cells of a column up beside a text."""
    return " " * (width - cells_of(text))


def shortened(text: str, width: int) -> str:
    """The text, printable, and with its middle left out where it is too long."""
    text = printable(text)
    if cells_of(text) <= width:
        return text
    left = (width - 3) // 2
    return f"{beginning(text, left)}...{ending(text, width - 3 - left)}"


def told_apart(texts: Sequence[str], width: int) -> list[str]:
    """The texts, shortened so that those which differ still do.

    Where their ends are the same, that with which they begin to differ stands between; where that
    is the same too, as it goes on for long, they are numbered.
    """
    found = {text: shortened(text, width) for text in texts}
    for alike in _alike(found):
        begin = _first_difference([printable(text) for text in alike])
        found |= {text: _around(text, begin, width) for text in alike}
    numbered = [text for alike in _alike(found) for text in alike]
    mark = len(f" [{len(numbered)}]")
    found |= {
        text: f"{shortened(text, width - mark)} [{n}]" for n, text in enumerate(numbered, start=1)
    }
    return [found[text] for text in texts]


def _alike(found: Mapping[str, str]) -> list[list[str]]:
    """The texts that are shown as another is, by what they are shown as."""
    groups: dict[str, list[str]] = {}
    for text, short in found.items():
        groups.setdefault(short, []).append(text)
    return [group for group in groups.values() if len(group) > 1]


def _around(text: str, at: int, width: int) -> str:
    """The ends of a text, and between them what stands around a place in its middle."""
    text = printable(text)
    if cells_of(text) <= width:
        return text
    end = width // 4
    inner = width - 2 * (end + 3)
    before = at - len(ending(text[:at], inner // 2))
    last = len(text) - len(ending(text, end + inner))
    begin = max(min(before, last), len(beginning(text, end)))
    middle = beginning(text[begin:], inner)
    return f"{beginning(text, end)}...{middle}...{ending(text, end)}"


def _first_difference(texts: Sequence[str]) -> int:
    """The place up to which all texts are the same."""
    first, last = min(texts), max(texts)
    places = (at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return next(places, len(first))


FEWEST_DIGITS = 8
MOST_DIGITS = 16  # where these leave two the same, repr() does not
LARGEST_WHOLE = 2**63


def numbers(values: Iterable[float]) -> dict[float, str]:
    """Each number as written: whole ones complete, and of others the digits that tell all apart."""
    values = set(values)
    for digits in range(FEWEST_DIGITS, MOST_DIGITS + 1):
        found = {x: _number(x, digits) for x in values}
        if len(set(found.values())) == len(values):
            return found
    return {x: _number(x, None) for x in values}


def _number(x: float, digits: int | None) -> str:
    """As many digits as are asked for (None: as many as the double needs), or a whole number."""
    if abs(x) <= LARGEST_WHOLE and x == int(x):
        return str(int(x))
    if digits is None:
        return repr(float(x))
    before_the_point = len(str(int(abs(x)))) if abs(x) <= LARGEST_WHOLE else 0
    return f"{x:.{max(digits, before_the_point + 1)}g}"


def names_table(about: Mapping[str, str]) -> str:
    """Names, each with what it stands for."""
    width = max(map(len, about)) + len(GAP)
    lines = (wrapped(f"{name:{width}}{text}", " " * width) for name, text in about.items())
    return "".join(f"{line}\n" for block in lines for line in block)


def metrics_table(
    metrics: Sequence[Metric], of_sessions: Sequence[Metric] = (), bounds: Sequence[Bound] = ()
) -> str:
    """The metrics: name, title and spec ID; parameters; the names that other programs have. Those
    of sessions, and the bounds, with what papers call those.
    """
    lines: list[str] = []
    for metric in metrics:
        about = _about(metric)
        names = {"trec_eval": about["trec_eval"], **about["names"]}
        listed = "; ".join(f"{program}: {', '.join(x)}" for program, x in names.items() if x)
        lines += _entry(metric)
        lines += wrapped(f"{'':9}{listed}", " " * 9) if listed else []
    notes = _helps(p for m in metrics for p in m.parameters.values())
    text = "\n".join([*lines, "", METRICS_NOTE + "\n".join(notes), ""])
    if of_sessions:
        lines = [line for metric in of_sessions for line in _entry(metric)]
        more = _helps(p for m in of_sessions for p in m.parameters.values())
        own = "\n".join(line for line in more if line not in notes)
        text += "\n" + "\n".join([SESSIONS_TITLE, *lines, "", SESSIONS_NOTE + own, ""])
    if not bounds:
        return text
    lines = [line for bound in bounds for line in _entry(bound)]
    notes = _helps(p for bound in bounds for p in bound.parameters.values())
    papers = [f"  {name:12}{measure}" for name, measure in PAPER_NAMES.items()]
    blocks = [*lines, "", BOUNDS_NOTE + "\n".join(notes), "", PAPERS_NOTE + "\n".join(papers), ""]
    return f"{text}\n" + "\n".join(blocks)


def _entry(x: Metric | Bound) -> Iterator[str]:
    """Name, title and spec ID; below them the parameters."""
    about = f"{x.name:8} {x.title}"
    yield f"{about:{WIDTH - 10}}{x.spec:>10}"
    parameters = ", ".join(written(p.name, p.default) for p in x.parameters.values())
    if parameters:
        yield from wrapped(f"{'':9}{parameters}", " " * 9)


def _helps(parameters: Iterable[Parameter]) -> list[str]:
    """A line on each parameter, and another where they differ."""
    helps = dict.fromkeys((p.name, p.help) for p in parameters)
    return [line for name, about in helps for line in wrapped(f"  {name:9} {about}", " " * 12)]


METRICS_NOTE = """\
Names are read in any case of letters (RS-CONV-34). A parameter follows its
measure in parentheses, the cut-off comes last:
  nDCG@10   nDCG(gain='exp2', discount='zipf')@20   AP(rel=2, norm='min')@100
"""

SESSIONS_TITLE = "Of sessions of several queries:"

SESSIONS_NOTE = """\
The cut-off of these is of the results of each query:
  nsDCG@10   nsDCG(ideal='spread', padding=0)@10   query_sDCG(over='last')@10
"""

BOUNDS_NOTE = """\
Each of these is of a measure of rankings, and its parameters follow that:
  UL2(nDCG@10)   MinMax(AP@100, lower='worst')   UL1(SP, bounds='karmaker-2022')
"""

PAPERS_NOTE = """\
What papers call them, which may stand for it with a cut-off behind (RS-BND-11):
"""


def metrics_json(
    metrics: Sequence[Metric], of_sessions: Sequence[Metric] = (), bounds: Sequence[Bound] = ()
) -> str:
    """The metrics as JSON, and the bounds of them: those have the names of what they are of."""
    from json import dumps

    entries = [_about(metric) for metric in (*metrics, *of_sessions)]
    entries += [_about_bound(bound, metrics) for bound in bounds]
    return dumps(entries, indent=2) + "\n"


def _about_bound(bound: Bound, metrics: Sequence[Metric]) -> dict[str, Any]:
    papers = {x: m for x, m in PAPER_NAMES.items() if m.startswith(f"{bound.name}(")}
    return {
        "name": bound.name,
        "title": bound.title,
        "spec": bound.spec,
        "parameters": {name: str(p.default) for name, p in bound.parameters.items()},
        "of": [metric.name for metric in metrics if bound.refusal(metric) is None],
        "papers": papers,
    }


def _about(metric: Metric) -> dict[str, Any]:
    return {
        "name": metric.name,
        "title": metric.title,
        "spec": metric.spec,
        "expected_spec": metric.expected_spec,
        "of_sessions": metric.of_sessions,
        "parameters": {name: str(p.default) for name, p in metric.parameters.items()},
        "trec_eval": [
            *([metric.names.trec] if metric.names.trec else []),
            *([f"{metric.names.trec_cut}.K"] if metric.names.trec_cut else []),
        ],
        "names": {program: list(names) for program, names in metric.names.others.items()},
    }


def profiles_table(chosen: Profile | None) -> str:
    """What each profile makes of each convention; or one of them, with what its values mean."""
    if chosen is not None:
        return _profile(chosen)
    assigned = profiles.assignments()
    rows = [
        (c.name, [values[c.name] for values in assigned.values()]) for c in profiles.CONVENTIONS
    ]
    width = max(len(p.name) for p in profiles.PROFILES) + len(GAP)
    notes = [
        line
        for p in profiles.PROFILES
        for line in (
            *wrapped(f"{p.name:{width}}{_about_profile(p)}", " " * width),
            *_otherwise(p, " " * width),
        )
    ]
    return "\n".join([columns("convention", list(assigned), rows), "", *notes, ""])


def _about_profile(chosen: Profile) -> str:
    metrics = f"; {' and '.join(chosen.metrics)} only" if chosen.metrics else ""
    return f"{chosen.program}{metrics}{chosen.note and '; '}{chosen.note}"


def _otherwise(chosen: Profile, indent: str) -> Iterator[str]:
    """What it refuses, and where it has other conventions for some measures."""
    if chosen.whole_labels:
        taken = f"{indent}takes {chosen.taken_labels()} only: {chosen.whole_labels}"
        yield from wrapped(taken, indent)
    for x in chosen.of_metrics:
        yield from wrapped(f"{indent}{x}", indent)


def _profile(chosen: Profile) -> str:
    lines = [*wrapped(f"{chosen.name}: {_about_profile(chosen)}"), *_otherwise(chosen, "  "), ""]
    values = profiles.as_text(chosen.conventions)
    width = max(map(len, values)) + len(GAP)
    for convention in profiles.CONVENTIONS:
        x = values[convention.name]
        written = profiles.written(convention.name, x)
        known = {**convention.values, **dict([convention.unset])}
        meaning = known.get(written, convention.about)
        spec = profiles.spec_of(convention.name, x)
        line = f"{convention.name:{width}}{written}: {meaning} ({spec})"
        lines += wrapped(line, " " * width)
    return "\n".join([*lines, ""])


def profiles_json(chosen: Profile | None) -> str:
    """One profile as JSON, or all, with the default conventions."""
    from json import dumps

    def plain(p: Profile) -> dict[str, Any]:
        return {
            "name": p.name,
            "program": p.program,
            "metrics": p.metrics,
            "note": p.note,
            "whole_labels": p.whole_labels,
            "highest_label": p.highest_label,
            "of_metrics": [
                {
                    "metrics": x.metrics,
                    "which": x.which,
                    "conventions": dict(x.conventions),
                    "refused": x.refused,
                }
                for x in p.of_metrics
            ],
            "conventions": profiles.as_text(p.conventions),
        }

    document = (
        plain(chosen)
        if chosen
        else {
            "default": profiles.as_text(profiles.Conventions()),
            "profiles": [plain(p) for p in profiles.PROFILES],
        }
    )
    return dumps(document, indent=2) + "\n"
