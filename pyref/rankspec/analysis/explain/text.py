"""An explained value as text: the ranks, what the marks mean, the equation, the definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...evaluation import render
from ...evaluation.conventions import convention
from ...formats.frames import Label
from ...metrics.bounds import bound_of
from ...reference.numerics import nearest_double
from ...text import short_list, shortened
from .equation import equation
from .numerals import decimal, is_integer, wrapped
from .value import ExplainedValue, Row

ALWAYS_SHOWN = 20  # ranks from the top; below them, stretches that add nothing are summed up
SHORTEST_STRETCH = 3
MOST_GROUPS = 10  # of tied documents, that are listed
NARROWEST_DOCUMENT = 10


def table(explained: ExplainedValue, digits: int = 4) -> str:
    """The ranks, the equation with its numbers, and the conventions, in 80 columns."""
    written = "undefined" if explained.value is None else render.short_cell(explained.value, digits)
    title = f" of query {explained.query}: {written}"
    measure = short_list(str(explained.measure))
    definition = {name: short_list(choice) for name, choice in explained.definition.items()}
    if len(measure) > render.WIDTH // 2:
        definition = {"measure": measure} | definition
        short_name = explained.measure.metric.in_short(explained.measure)
        measure = f"{short_name} (measure: below)"
    blocks = [shortened(measure + title, render.WIDTH)]
    if explained.rows:
        blocks.append(_ranks(explained, digits))
    blocks += ["\n".join(_notes(explained)), "\n".join(equation(explained, digits))]
    width = max(map(len, definition)) + len(render.GAP)
    blocks.append(
        "\n".join(wrapped(f"{name:{width}}{choice}", width) for name, choice in definition.items())
    )
    return "\n\n".join(filter(None, blocks)) + "\n"


def _ranks(explained: ExplainedValue, digits: int) -> str:
    """The table of the ranks."""
    rows = explained.rows
    columns = _columns(explained, digits)
    widths = [max(len(name), *map(len, cells)) for name, cells in columns]
    number = len(str(rows[-1].rank)) + 2
    room = render.WIDTH - number - sum(len(render.GAP) + width for width in widths)
    room = max(room, NARROWEST_DOCUMENT)
    documents = render.told_apart([row.document or "" for row in rows], room)
    lines = []
    for stretch in _stretches(rows):
        first, last = stretch[0].rank, stretch[-1].rank
        if first == last:
            mark = "=" if stretch[0].tied else " "
            cells = [column[first - 1] for _, column in columns]
            lines.append((f"{first:{number - 2}}{mark} {documents[first - 1]}".rstrip(), cells))
        else:
            label = f"{'':{number - 1}} ({last - first + 1} add 0)"
            lines.append((label, [""] * len(columns)))
    corner = f"{'#':>{number - 2}}  document" if any(documents) else f"{'#':>{number - 2}}"
    header = [name for name, _ in columns]
    return "\n".join(line.rstrip() for line in render.columns(corner, header, lines).split("\n"))


def _columns(explained: ExplainedValue, digits: int) -> list[tuple[str, list[str]]]:
    """The columns with their headings. What a metric does not have is no column."""
    rows = explained.rows
    scores = [None if row.score is None else nearest_double(row.score) for row in rows]
    score_written = render.numbers(x for x in scores if x is not None)
    labels = [x for row in rows for x in (row.label, row.ideal_label) if x is not None]
    written = render.numbers(labels)
    columns = [
        ("score", ["" if x is None else score_written[x] for x in scores]),
        ("label", [_label(row, written) for row in rows]),
        *(
            (column.heading, _numbers([row.columns[column.name] for row in rows], digits))
            for column in explained.measure.inner.metric.breakdown.columns
        ),
        ("adds", _numbers([row.contribution for row in rows], digits)),
        ("sum", _numbers([row.running for row in rows], digits)),
        ("expect", _numbers([row.expected for row in rows], digits)),
        ("ideal", ["" if x is None else written[x] for x in (row.ideal_label for row in rows)]),
        ("adds", _numbers([row.ideal_contribution for row in rows], digits)),
    ]
    return [(heading, cells) for heading, cells in columns if any(cells)]


def _stretches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows one by one; deep below the top, those that add nothing together."""
    stretch: list[Row] = []
    for row in rows:
        if row.rank > ALWAYS_SHOWN and not row.contribution and not row.ideal_contribution:
            stretch.append(row)
            continue
        yield from _together(stretch)
        stretch = []
        yield [row]
    yield from _together(stretch)


def _together(stretch: list[Row]) -> list[list[Row]]:
    return [stretch] if len(stretch) >= SHORTEST_STRETCH else [[row] for row in stretch]


def _label(row: Row, written: Mapping[Label, str]) -> str:
    """The label as judged; "-" where it is not, and what a negative one counts as."""
    if row.document is None:
        return ""
    if row.label is None:
        return "-"
    as_judged = row.label >= 0 or row.label == row.counted
    return written[row.label] if as_judged else f"{written[row.label]}>{row.counted}"


def _numbers(column: Sequence[float | None], digits: int) -> list[str]:
    """One style for a column: whole numbers where all are."""
    whole = all(x is None or is_integer(x) for x in column)
    return ["" if x is None else decimal(x, 0 if whole else digits) for x in column]


def _notes(explained: ExplainedValue) -> Iterator[str]:
    """What the marks mean, where they occur, and what the table does not show."""
    rows, chosen = explained.rows, explained.conventions
    breakdown = explained.measure.inner.metric.breakdown
    if explained.retrieved is None:
        of_rows = "No row of this query is ranked: an empty list (RS-CONV-21)."
        of_run = "The run has no results for this query: an empty list (RS-CONV-9)."
        yield of_run if explained.ranking is None else of_rows
    if spans := dict.fromkeys(row.tied for row in rows if row.tied):
        yield wrapped(f"= {_ties(explained, spans)}")
        if explained.expected and breakdown.tied:
            yield wrapped(breakdown.tied)
    for column in breakdown.columns:
        if column.note and any(row.columns[column.name] for row in rows):
            yield wrapped(column.note)
    if any(row.document is not None and row.label is None for row in rows):
        yield f"- unjudged: {breakdown.unjudged}"
    below_0 = any(row.label is not None and row.label < 0 for row in rows)
    if below_0 and not chosen.scored and chosen.negative != "kept":
        meaning = "as no judgment" if chosen.negative == "unjudged" else "as 0"
        yield f"> a negative label counts {meaning} (RS-CONV-15)"
    yield from _not_shown(explained)
    yield from _ideal_alone(explained)


def _ties(explained: ExplainedValue, spans: Iterable[tuple[int, int]]) -> str:
    """Which ranks are tied, what orders them, and why scores that differ may be equal."""
    rule, metric = explained.ties, explained.measure.metric
    if _is_of_any_order(explained):
        of = "pool" if metric.of_pool else "list"
        number = explained.documents
        return (
            f"in any order of the {number} documents of the {of}: each rank shows the mean over "
            f"all orders ({metric.spec})"
        )
    groups = [f"{first}-{last}" for first, last in spans]
    if len(groups) > MOST_GROUPS:
        groups = [*groups[: MOST_GROUPS - 1], "...", f"{groups[-1]} ({len(groups)} groups)"]
    ranks = ", ".join(groups)
    order = convention("ties").values[rule]
    if explained.expected:
        order = "each shows the mean of its group"
    as_floats = "; compared as 32-bit floats (RS-CONV-12)"
    return f"equal scores: ranks {ranks}; {order} ({rule})" + as_floats * (
        explained.conventions.scores == "float32"
    )


def _is_of_any_order(explained: ExplainedValue) -> bool:
    bound = bound_of(explained.measure)
    return bound is not None and bound.any_order


def _not_shown(explained: ExplainedValue) -> Iterator[str]:
    """The documents of the run that are in no row."""
    k = explained.measure.k
    if not explained.retrieved or explained.measure.metric.of_pool:
        return
    shown = sum(row.score is not None for row in explained.rows)
    if _is_of_any_order(explained):
        shown = explained.listed if k is None else min(k, explained.listed)
    of = "run" if explained.ranking is None else "file"
    if below := explained.listed - shown:
        yield f"{below} more of the {of} {_are(below)} below the cut-off (RS-CONV-2)"
    if out := explained.retrieved - explained.listed:
        reasons = []
        if explained.conventions.condensed:
            reasons.append("unjudged (RS-CONV-13)")
        if explained.conventions.depth is not None:
            reasons.append("beyond the depth (RS-CONV-16)")
        yield wrapped(f"{out} more of the {of} {_are(out)} left out: {' or '.join(reasons)}")


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _ideal_alone(explained: ExplainedValue) -> Iterator[str]:
    """That the ideal goes on below the cut-off of the list."""
    rows, k = explained.rows, explained.measure.k
    if k is not None and rows and rows[-1].rank > k:
        yield f"below rank {k} there is the ideal alone, which is not cut (RS-DCG-7)"
