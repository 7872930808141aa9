"""Scores in a file, their control points and relevance: what ``rankspec relevance`` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..compute import backends
from ..compute.arrays import read_lists
from ..errors import InputError, nearest, shown_text, suggestion
from ..evaluation import render
from ..formats import trec
from ..formats.column_names import ColumnNames
from ..formats.columns import Columns
from ..formats.frames import Label, by_column, labels_of
from ..formats.streams import Source, Stream
from ..metrics.catalogue import DCG_phi
from ..metrics.measure import Measure
from ..metrics.relevance import SPEC_OF_VARIANT, control_points, quartiles_of, whisker
from ..reference.numerics import nearest_double
from ..text import shortened

MOST_ITEMS = 30  # in a table: of more, those in the middle are left out
LAST_ITEMS = 5


@dataclass(frozen=True)
class Point:
    """A control point. Where several had its score, the last counts (RS-REL-6).

    name: what it is, or all of them were
    """

    name: str
    score: float
    relevance: float


@dataclass(frozen=True)
class Relevance:
    """φ of the items of a query, or of a file of numbers, and what it is made of.

    query: None of a file of numbers, of which an item is the number of its line
    points: the control points that count, by rising score
    whisker: the upper whisker; None where no score counts
    alpha: None where no score is above the whisker
    items, scores, phi: in the order of the file
    """

    query: str | None
    points: tuple[Point, ...]
    whisker: float | None
    alpha: float | None
    items: tuple[str, ...]
    scores: tuple[Label, ...]
    phi: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as JSON has it."""
        items = zip(self.items, self.scores, self.phi, strict=True)
        return {
            "query": self.query,
            "control_points": [
                {"name": p.name, "score": p.score, "phi": p.relevance} for p in self.points
            ],
            "whisker": self.whisker,
            "alpha": self.alpha,
            "items": [{"item": i, "score": s, "phi": phi} for i, s, phi in items],
        }


def measure_of(variant: str, quartiles: str) -> Measure:
    """What says how φ is made of scores."""
    return DCG_phi(variant=variant, quartiles=quartiles)


def relevance_of(
    file: Source,
    measure: Measure,
    query: str | None = None,
    backend: str = "auto",
    columns: ColumnNames | None = None,
) -> list[Relevance]:
    """φ of the items of a file: qrels whose labels are scores, or one number a line.

    file: qrels in any format that evaluate() reads (RS-CONV-48), or numbers

    query: the one of the qrels that is asked for; None: all
    columns: column names other than the usual ones (RS-CONV-43)
    """
    table = by_column(file, "qrels", columns=columns)
    if isinstance(table, Columns):
        found: Mapping[str | None, Mapping[str, Label]] = labels_of(table)  # type: ignore[assignment]
    else:
        stream = table if isinstance(table, Stream) else Stream(table)
        found = _scores(stream.name, stream.content())
    return [_relevance(q, scores, measure, backend) for q, scores in _chosen(found, query)]


def _scores(name: str, text: bytes) -> Mapping[str | None, Mapping[str, Label]]:
    """The scores by query and item; the query of a file of numbers is None."""
    first = next((line.split(None, 2) for line in text.split(b"\n") if line.split(None, 1)), [])
    if not first:
        raise trec.empty(name, trec.QRELS, "one number a line")
    if len(first) == 1:
        return {None: trec.parse_numbers(name, text)}
    trec.refuse_ratings(name, text)
    return trec.parse_qrels(name, text)  # type: ignore[return-value]


def _chosen(
    scores: Mapping[str | None, Mapping[str, Label]], query: str | None
) -> Iterator[tuple[str | None, Mapping[str, Label]]]:
    if query is None:
        yield from scores.items()
        return
    if None in scores:
        raise InputError("--query: the file has one number a line, so it names no queries")
    query = trec.canonical_id(query)
    if query not in scores:
        near = nearest(query, [q for q in scores if q is not None], cutoff=0.5)
        raise InputError(f"query {shown_text(query)} is not in the file{suggestion(near)}")
    yield query, scores[query]


def _relevance(
    query: str | None, scores: Mapping[str, Label], measure: Measure, backend: str
) -> Relevance:
    lists = read_lists(list(scores.values()), None, "scores")
    points = control_points(measure, scores.values())
    fence = whisker(measure, scores.values())
    return Relevance(
        query=query,
        points=tuple(named(points, measure)),
        whisker=None if fence is None else nearest_double(fence),
        alpha=nearest_double(1 - points[2][1]) if len(points) == len(NAMES) else None,
        items=tuple(scores),
        scores=tuple(scores.values()),
        phi=tuple(backends.relevance(measure, lists.flat, lists.offsets, backend)),
    )


NAMES = ("min", "median", "whisker", "max")


def named(points: Sequence[tuple[Any, Any]], measure: Measure) -> Iterator[Point]:
    """The control points that count, with their names, of those that were made of scores."""
    names = NAMES if len(points) == len(NAMES) else [n for n in NAMES if n != "whisker"]
    if measure.variant == "authors-program":
        names = ["zero", *names[1:]]
    of_score: dict[Any, list[str]] = {}
    for (score, _), name in zip(points, names, strict=False):
        of_score.setdefault(score, []).append(name)
    for score, relevance in dict(points).items():
        name = " = ".join(of_score[score])
        yield Point(name, nearest_double(score), nearest_double(relevance))


# ---- as text -----------------------------------------------------------------------------


def to_dict(found: Sequence[Relevance], measure: Measure) -> dict[str, Any]:
    """How relevance is made, and that of each query, as plain data."""
    how = {"variant": measure.variant, "quartiles": _quartiles(measure)}
    return {**how, "queries": [x.to_dict() for x in found]}


def tsv(found: Sequence[Relevance], digits: int | None) -> str:
    """Tab-separated: query, item, score, phi."""
    lines = ["query\titem\tscore\tphi\n"]
    for x in found:
        for item, score, phi in zip(x.items, x.scores, x.phi, strict=True):
            written = render.cell(phi, digits)
            lines.append(f"{x.query or ''}\t{item}\t{score!r}\t{written}\n")
    return "".join(lines)


def table(found: Sequence[Relevance], measure: Measure, digits: int = 4) -> str:
    """Of each query the control points, and the items by falling score, in 80 columns."""
    return "\n".join(_block(x, measure, digits) for x in found)


def _block(x: Relevance, measure: Measure, digits: int) -> str:
    of = f"query {x.query}, " if x.query is not None else ""
    scores = f"{len(x.scores)} score{'s' * (len(x.scores) != 1)}"
    how = f", variant {measure.variant} ({_spec(measure)}), quartiles {_quartiles(measure)}"
    title = shortened(of, render.WIDTH - len(scores + how)) + scores + how
    rows = _shown(x)
    numbers = [p.score for p in x.points] + [score for _, score, _ in rows]
    written = render.numbers(numbers if x.whisker is None else [*numbers, x.whisker])
    points = [(p.name, [written[p.score], f"{p.relevance:.{digits}f}"]) for p in x.points]
    parts = [title]
    if points:
        parts.append(render.columns("control point", ["score", "phi"], points))
    parts.append("\n".join(render.wrapped(_about_whisker(x, written, digits))))
    parts.append(_items(rows, len(x.items), written, digits))
    return "".join(f"{line.rstrip()}\n" for line in "\n\n".join(parts).split("\n"))


def _shown(x: Relevance) -> list[tuple[str, Label, float]]:
    """Item, score and φ by falling score, without the middle of a long list."""
    rows = sorted(zip(x.items, x.scores, x.phi, strict=True), key=lambda row: -row[1])
    if len(rows) <= MOST_ITEMS:
        return rows
    return rows[: MOST_ITEMS - LAST_ITEMS] + rows[-LAST_ITEMS:]


def _items(
    rows: Sequence[tuple[str, Label, float]],
    number: int,
    written: Mapping[float, str],
    digits: int,
) -> str:
    """The table of the items that are shown, of so many; ids as long as there is room."""
    header = ["score", "phi"]
    cells = [[written[score], f"{phi:.{digits}f}"] for _, score, phi in rows]
    widths = (max(map(len, column)) for column in zip(header, *cells, strict=True))
    room = render.WIDTH - sum(len(render.GAP) + width for width in widths)
    labels = render.told_apart([item for item, _, _ in rows], room)
    lines = list(zip(labels, cells, strict=True))
    if left_out := number - len(rows):
        lines.insert(len(lines) - LAST_ITEMS, (f"... ({left_out} more)", ["", ""]))
    return render.columns("item", header, lines)


def _about_whisker(x: Relevance, written: Mapping[float, str], digits: int) -> str:
    if x.whisker is None:
        return "no score is above 0: all have relevance 0 (RS-REL-5)"
    fence = f"upper whisker {written[x.whisker]} (RS-REL-2)"
    if x.alpha is None:
        return f"{fence}: no score is above it"
    above = sum(score > x.whisker for score in x.scores)
    return f"{fence}: {above} above it, alpha = {x.alpha:.{digits}f} (RS-REL-3)"


def _spec(measure: Measure) -> str:
    return SPEC_OF_VARIANT[measure.variant]


def _quartiles(measure: Measure) -> str:
    return quartiles_of(measure.variant, measure.quartiles)
