"""How bounds by what is unjudged are written: pages, cells of lines, plain data.

Spec: RS-AGR-42
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...evaluation import render, typeset
from . import text
from .grid import MARK, count, signed
from .unjudged_found import Bounds, DifferenceBounds, MeasureBounds


def table(found: Bounds, digits: int) -> str:
    """The tables in 80 columns, with notes."""
    return text.page(_grids(found, digits), _notes(found))


def markdown(found: Bounds, digits: int) -> str:
    """The tables as pipe tables, with notes."""
    return typeset.pipe_tables(_grids(found, digits), _notes(found))


def latex(found: Bounds, digits: int) -> str:
    """The tables for LaTeX with booktabs; notes are comments."""
    return typeset.booktabs(_grids(found, digits), _notes(found))


def _grids(found: Bounds, digits: int) -> Iterator[typeset.Grid]:
    depths = list(next(iter(found.judged.values())))
    yield typeset.Grid(
        "share of the first k documents that are judged",
        "system",
        [f"Judged@{k}" for k in depths],
        [(name, [render.cell(of[k], digits) for k in depths]) for name, of in found.judged.items()],
    )
    for by in found.measures.values():
        yield typeset.Grid(
            f"{by.measure}: means over {count(len(by.queries))}, by any judgment of the unjudged",
            "system",
            ["mean", "lowest", "highest"],
            [
                (name, [render.short_cell(value, digits) for value in (x.mean, x.low, x.high)])
                for name, x in by.systems.items()
            ],
        )
        kind = "exact" if by.exact else "enclosing"
        yield typeset.Grid(
            f"{by.measure}: differences, and their {kind} intervals",
            "pair",
            ["difference", "lowest", "highest"],
            [(render.OfTwo(x.first, x.second), _cells(x, digits)) for x in by.differences],
        )


def _cells(x: DifferenceBounds, digits: int) -> list[str]:
    ends = signed(x.low, digits), signed(x.high, digits)
    return [signed(x.difference, digits, x.decided), *ends]


def _notes(found: Bounds) -> Iterator[str]:
    yield (
        f"{MARK}  one of the two is the better one, whatever the labels of the unjudged "
        "documents; without the mark these decide, and with it nothing is said of significance"
    )
    kinds = {by.exact for by in found.measures.values()}
    if True in kinds:
        yield "exact: some judgment of all unjudged documents attains each end (RS-AGR-24)"
    if False in kinds:
        yield (
            "enclosing: the extremes of each system by itself, which a document that both show "
            "need not attain together (RS-AGR-23)"
        )
    yield "lowest, highest of a mean: RS-CONV-14; Judged@k: the mean over the queries (RS-AGR-41)"


HEADER = (
    "measure", "first", "second", "queries", "difference", "low", "high", "exact", "decided",
    "mean_first", "low_first", "high_first", "mean_second", "low_second", "high_second",
)  # fmt: skip


def csv_text(found: Bounds, digits: int | None) -> str:
    """A line a measure and pair, divided by commas."""
    return typeset.comma_separated(_lines(found, digits))


def tsv(found: Bounds, digits: int | None) -> str:
    """The same, divided by tabs."""
    return typeset.tab_separated(_lines(found, digits))


def _lines(found: Bounds, digits: int | None) -> Iterator[Sequence[str]]:
    depths = list(next(iter(found.judged.values())))
    names = (f"judged_{k}_{which}" for which in ("first", "second") for k in depths)
    yield (*HEADER, *names)
    for by in found.measures.values():
        for x in by.differences:
            two = [by.systems[name] for name in (x.first, x.second)]
            judged = [found.judged[name][k] for name in (x.first, x.second) for k in depths]
            yield (
                by.measure, x.first, x.second, str(len(by.queries)),
                *(render.cell(value, digits) for value in (x.difference, x.low, x.high)),
                _yes(by.exact), _yes(x.decided),
                *(render.cell(v, digits) for of in two for v in (of.mean, of.low, of.high)),
                *(render.cell(value, digits) for value in judged),
            )  # fmt: skip


def _yes(given: bool) -> str:
    return "yes" if given else "no"


def to_dict(found: Bounds) -> dict[str, Any]:
    """The bounds as plain data."""
    return {
        "judged": [
            {"system": name, "k": k, "mean": value}
            for name, of in found.judged.items()
            for k, value in of.items()
        ],
        "measures": [_measure_dict(by) for by in found.measures.values()],
    }


def _measure_dict(by: MeasureBounds) -> dict[str, Any]:
    return {
        "measure": by.measure,
        "queries": len(by.queries),
        "exact": by.exact,
        "systems": [
            {"system": name, "mean": x.mean, "low": x.low, "high": x.high}
            for name, x in by.systems.items()
        ],
        "pairs": [
            {
                "first": x.first,
                "second": x.second,
                "difference": x.difference,
                "low": x.low,
                "high": x.high,
                "decided": x.decided,
                "per_query": x.per_query,
            }
            for x in by.differences
        ],
    }
