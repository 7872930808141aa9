"""An explanation as text: the ranks as a table, what the marks mean, the equation, the definition.

The equation is written in ``equations``; ``explanation`` has the numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...evaluation import profiles, render
from ...formats.frames import Label
from ...metrics.bounds import ANY_ORDER
from ...reference.numerics import nearest_double
from ...text import shortened
from .equations import decimal, equation, is_whole, wrapped

if TYPE_CHECKING:
    from .explanation import Explanation, Row

ALWAYS_SHOWN = 20  # ranks from the top; below them, stretches that add nothing are summed up
SHORTEST_STRETCH = 3
MOST_GROUPS = 10  # of tied documents, that are listed
NARROWEST_DOCUMENT = 10


def table(explanation: Explanation, digits: int = 4) -> str:
    """The ranks, the equation with its numbers, and the conventions, in 80 columns."""
    written = "undefined" if explanation.value is None else f"{explanation.value:.{digits}f}"
    title = f" of query {explanation.query}: {written}"
    measure, definition = str(explanation.measure), dict(explanation.definition)
    if len(measure) > render.WIDTH // 2:
        definition = {"measure": measure} | definition
        measure = f"{render.short_name(explanation.measure)} (measure: below)"
    blocks = [shortened(measure + title, render.WIDTH)]
    if explanation.rows:
        blocks.append(_ranks(explanation, digits))
    blocks += ["\n".join(_notes(explanation)), "\n".join(equation(explanation, digits))]
    width = max(map(len, definition)) + len(render.GAP)
    blocks.append(
        "\n".join(wrapped(f"{name:{width}}{choice}", width) for name, choice in definition.items())
    )
    return "\n\n".join(filter(None, blocks)) + "\n"


def json(explanation: Explanation, **about: Any) -> str:
    """JSON, all numbers as doubles that round-trip."""
    from json import dumps

    return dumps({**about, **explanation.to_dict()}, indent=2) + "\n"


def _ranks(explanation: Explanation, digits: int) -> str:
    """The table of the ranks. What a metric does not have is no column."""
    rows = explanation.rows
    scores = [None if row.score is None else nearest_double(row.score) for row in rows]
    score_written = render.numbers(x for x in scores if x is not None)
    labels = [x for row in rows for x in (row.label, row.ideal_label) if x is not None]
    written = render.numbers(labels)
    columns = {
        "score": ["" if x is None else score_written[x] for x in scores],
        "label": [_label(row, written) for row in rows],
        "phi": _numbers([row.phi for row in rows], digits),
        "gain": _numbers([row.gain for row in rows], digits),
        "disc": _numbers([row.discount for row in rows], digits),
        "reach": _numbers([row.reached for row in rows], digits),
        "stop": _numbers([row.stop for row in rows], digits),
        "rel": _numbers([row.relevant for row in rows], digits),
        "new": _numbers([row.unjudged for row in rows], digits),
        "weight": _numbers([row.weight for row in rows], digits),
        "prec": _numbers([row.precision for row in rows], digits),
        "adds": _numbers([row.contribution for row in rows], digits),
        "sum": _numbers([row.running for row in rows], digits),
        "expect": _numbers([row.expected for row in rows], digits),
        "ideal": ["" if row.ideal_label is None else written[row.ideal_label] for row in rows],
        "adds ": _numbers([row.ideal_contribution for row in rows], digits),
    }
    columns = {name: cells for name, cells in columns.items() if any(cells)}
    widths = [max(len(name), *map(len, cells)) for name, cells in columns.items()]
    number = len(str(rows[-1].rank)) + 2
    room = render.WIDTH - number - sum(len(render.GAP) + width for width in widths)
    room = max(room, NARROWEST_DOCUMENT)
    documents = render.told_apart([row.document or "" for row in rows], room)
    lines = []
    for stretch in _stretches(rows):
        first, last = stretch[0].rank, stretch[-1].rank
        if first == last:
            mark = "=" if stretch[0].tied else " "
            cells = [column[first - 1] for column in columns.values()]
            lines.append((f"{first:{number - 2}}{mark} {documents[first - 1]}".rstrip(), cells))
        else:
            label = f"{'':{number - 1}} ({last - first + 1} add 0)"
            lines.append((label, [""] * len(columns)))
    corner = f"{'#':>{number - 2}}  document" if any(documents) else f"{'#':>{number - 2}}"
    header = [name.strip() for name in columns]
    return "\n".join(line.rstrip() for line in render.columns(corner, header, lines).split("\n"))


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
    whole = all(x is None or is_whole(x) for x in column)
    return ["" if x is None else decimal(x, 0 if whole else digits) for x in column]


def _notes(explanation: Explanation) -> Iterator[str]:
    """What the marks mean, where they occur, and what the table does not show."""
    rows, chosen = explanation.rows, explanation.conventions
    if explanation.retrieved is None:
        of_rows = "No row of this query is ranked: an empty list (RS-CONV-21)."
        of_run = "The run has no results for this query: an empty list (RS-CONV-9)."
        yield of_run if explanation.ranking is None else of_rows
    if spans := dict.fromkeys(row.tied for row in rows if row.tied):
        yield wrapped(f"= {_ties(explanation, spans)}")
        if made := _made_of_means(explanation):
            yield wrapped(made)
    if "q" in explanation.measure.metric.parameters and any(row.precision for row in rows):
        yield wrapped(
            "adds = rel * prec; prec: the share found so far, by each label up to the document's "
            "as the least relevant one, and of these the mean by q (RS-PREC-9)"
        )
    if any(row.document is not None and row.label is None for row in rows):
        if explanation.measure.metric.relevance:
            yield "- unjudged: has relevance 0 (RS-CONV-20)"
        elif explanation.measure.metric.sees_unjudged:
            yield "- unjudged: it might be relevant (RS-CAS-6)"
        else:
            yield "- unjudged: counts as 0 (RS-CONV-8)"
    if not chosen.scored and any(row.label is not None and row.label < 0 for row in rows):
        meaning = "as no judgment" if chosen.negative == "unjudged" else "as 0"
        yield f"> a negative label counts {meaning} (RS-CONV-15)"
    yield from _not_shown(explanation)
    yield from _ideal_alone(explanation)


def _ties(explanation: Explanation, spans: Iterable[tuple[int, int]]) -> str:
    """Which ranks are tied, what orders them, and why scores that differ may be equal."""
    rule, metric = explanation.ties, explanation.measure.metric
    if metric.bound in ANY_ORDER:
        of = "pool" if metric.of_pool else "list"
        number = explanation.documents
        return (
            f"in any order of the {number} documents of the {of}: each rank shows the mean over "
            f"all orders ({metric.spec})"
        )
    groups = [f"{first}-{last}" for first, last in spans]
    if len(groups) > MOST_GROUPS:
        groups = [*groups[: MOST_GROUPS - 1], "...", f"{groups[-1]} ({len(groups)} groups)"]
    ranks = ", ".join(groups)
    order = profiles.convention("ties").values[rule]
    if explanation.expected:
        order = "each shows the mean of its group"
    as_floats = "; compared as 32-bit floats (RS-CONV-12)"
    return f"equal scores: ranks {ranks}; {order} ({rule})" + as_floats * (
        explanation.conventions.scores == "float32"
    )


def _made_of_means(explanation: Explanation) -> str:
    """That what a rank adds is no product of means, where it is a product and ties are open."""
    metric = explanation.measure.inner.metric
    if not explanation.expected:
        return ""
    if "stop" in metric.parameters:
        return "adds: the mean of reach * stop / # over the orders, not the product of the means"
    if metric.name in ("SP", "AP"):
        return "adds: the mean of rel * prec over the orders, not the product of the means shown"
    if metric.name == "RR":
        return "adds: the share of orders with the first relevant document there, over #"
    return ""


def _not_shown(explanation: Explanation) -> Iterator[str]:
    """The documents of the run that are in no row."""
    k = explanation.measure.k
    if not explanation.retrieved or explanation.measure.metric.of_pool:
        return
    shown = sum(row.score is not None for row in explanation.rows)
    if explanation.measure.metric.bound in ANY_ORDER:
        shown = explanation.listed if k is None else min(k, explanation.listed)
    of = "run" if explanation.ranking is None else "file"
    if below := explanation.listed - shown:
        yield f"{below} more of the {of} {_are(below)} below the cut-off (RS-CONV-2)"
    if out := explanation.retrieved - explanation.listed:
        reasons = []
        if explanation.conventions.unjudged == "condensed":
            reasons.append("unjudged (RS-CONV-13)")
        if explanation.conventions.depth is not None:
            reasons.append("beyond the depth (RS-CONV-16)")
        yield wrapped(f"{out} more of the {of} {_are(out)} left out: {' or '.join(reasons)}")


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _ideal_alone(explanation: Explanation) -> Iterator[str]:
    """That the ideal goes on below the cut-off of the list."""
    rows, k = explanation.rows, explanation.measure.k
    if k is not None and rows and rows[-1].rank > k:
        yield f"below rank {k} there is the ideal alone, which is not cut (RS-DCG-7)"
