"""How a comparison of runs with their repetition is written: pages, cells of lines, plain data.

Spec: RS-AGR-43
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...evaluation import render, typeset
from . import text
from .agreement import Repetition
from .grid import count, p_cell, signed
from .replication_found import ADVANCED, ByMeasure, Repeated, Replicated


def table(found: Replicated, digits: int) -> str:
    """The tables in 80 columns, with notes."""
    return text.page(_grids(found, digits), _notes(found))


def markdown(found: Replicated, digits: int) -> str:
    """The tables as pipe tables, with notes."""
    return typeset.pipe_tables(_grids(found, digits), _notes(found))


def latex(found: Replicated, digits: int) -> str:
    """The tables for LaTeX with booktabs; notes are comments."""
    return typeset.booktabs(_grids(found, digits), _notes(found))


# ---- the tables ----------------------------------------------------------------------------


def _grids(found: Replicated, digits: int) -> Iterator[typeset.Grid]:
    if found.rankings is not None:
        yield typeset.Grid(
            "rankings",
            "run",
            ["KTU", "RBO"],
            [
                (role, [render.cell(x, digits) for x in (of.mean_ktu, of.mean_rbo)])
                for role, of in found.rankings.items()
            ],
        )
    for by in found.measures.values():
        header = ["original", "replicated", "RMSE", "t (df)", "p"]
        kept = [0, 1, 2, 3, 4] if found.rankings is not None else [0, 1, 3, 4]
        yield typeset.Grid(
            f"{by.measure}: means, and values query by query",
            "run",
            [header[i] for i in kept],
            [(role, [_cells(x, digits)[i] for i in kept]) for role, x in by.runs.items()],
        )
    if any(by.improvement for by in found.measures.values()):
        yield typeset.Grid(
            "improvements over the baseline",
            "measure",
            ["original", "replicated", "ER", "delta RI"],
            [(by.measure, _improved(by, digits)) for by in found.measures.values()],
        )


def _cells(x: Repeated, digits: int) -> list[str]:
    t, df = x.test.statistic, x.test.df
    return [
        render.short_cell(x.original, digits),
        render.short_cell(x.replicated, digits),
        render.short_cell(x.rmse, digits),
        "-" if t is None else f"{t:.{digits}f} ({df:.6g})",
        p_cell(x.test.p),
    ]


def _improved(by: ByMeasure, digits: int) -> list[str]:
    if by.improvement is None:
        return ["-"] * 4
    x = by.improvement
    return [
        signed(x.original, digits),
        signed(x.replicated, digits),
        render.short_cell(x.ratio, digits),
        render.short_cell(x.delta_ri, digits),
    ]


def _notes(found: Replicated) -> Iterator[str]:
    for role, (original, replicated) in found.names.items():
        yield f"{role}: {original}, replicated by {replicated}"
    if found.rankings is None:
        yield (
            "t, p: pooled t-test (RS-CMP-6) of the values on the other collection less those on "
            "the first; that they do not differ significantly does not show that they are equal"
        )
    else:
        of = next(iter(found.rankings.values()))
        yield (
            "KTU: Kendall's tau union (RS-AGR-17), which depends on the ids; RBO: RS-AGR-9, "
            f"p={of.p:.6g}; means over {count(len(of.rbo))}, of the first "
            f"{of.depth} documents"
        )
        yield from _without_ktu(found)
        yield (
            "RMSE: RS-AGR-18; t, p: paired t-test (RS-CMP-5) of the repetition less the original; "
            "that the two do not differ significantly does not show that they are equal"
        )
    if any(by.improvement for by in found.measures.values()):
        yield (
            "ER: effect ratio, 1 where the improvement is there again (RS-AGR-19); delta RI: the "
            "original relative improvement less the other, 0 then (RS-AGR-20)"
        )
    yield from _reasons(found)


def _without_ktu(found: Replicated) -> Iterator[str]:
    """Where KTU is undefined."""
    for role, of in (found.rankings or {}).items():
        lacking = [query for query, value in of.ktu.items() if value is None]
        if lacking:
            n = len(lacking)
            yield (
                f"-  KTU of {role}: undefined, {n} of {count(len(of.ktu))} "
                f"{'has' if n == 1 else 'have'} lists of different "
                "lengths, or of fewer than 2 documents"
            )


def _reasons(found: Replicated) -> Iterator[str]:
    for by in found.measures.values():
        for role, x in by.runs.items():
            if x.test.why:
                yield f"-  t: undefined, {x.test.why}: {by.measure} of {role}"
        if by.improvement is not None and by.improvement.ratio is None:
            yield f"-  ER: undefined, the original runs have equal means: {by.measure}"
        if by.improvement is not None and by.improvement.delta_ri is None:
            yield f"-  delta RI: undefined, a baseline has the mean 0: {by.measure}"


# ---- for programs --------------------------------------------------------------------------

HEADER = (
    "measure", "run", "original", "replicated", "queries_original", "queries_replicated",
    "mean_original", "mean_replicated", "rmse", "t", "df", "p", "ktu", "rbo",
    "improvement_original", "improvement_replicated", "effect_ratio", "delta_ri", "why",
)  # fmt: skip


def csv_text(found: Replicated, digits: int | None) -> str:
    """A line a measure and run, divided by commas."""
    return typeset.comma_separated([HEADER, *_lines(found, digits)])


def tsv(found: Replicated, digits: int | None) -> str:
    """The same, divided by tabs."""
    return typeset.tab_separated([HEADER, *_lines(found, digits)])


def _lines(found: Replicated, digits: int | None) -> Iterator[Sequence[str]]:
    for by in found.measures.values():
        for role, x in by.runs.items():
            ranked = None if found.rankings is None else found.rankings[role]
            of = by.improvement if role == ADVANCED else None
            numbers = (
                x.original, x.replicated, x.rmse, x.test.statistic, x.test.df, x.test.p,
                *((None, None) if ranked is None else (ranked.mean_ktu, ranked.mean_rbo)),
                *((None,) * 4 if of is None
                  else (of.original, of.replicated, of.ratio, of.delta_ri)),
            )  # fmt: skip
            cells = (render.cell(number, digits, none="") for number in numbers)
            yield (by.measure, role, *found.names[role], *map(str, x.queries), *cells, x.test.why)


def to_dict(found: Replicated) -> dict[str, Any]:
    """The comparison as plain data."""
    return {
        "runs": [
            {"run": role, "original": a, "replicated": b} for role, (a, b) in found.names.items()
        ],
        "rankings": None
        if found.rankings is None
        else [{"run": role, **_ranking_dict(of)} for role, of in found.rankings.items()],
        "measures": [_measure_dict(by) for by in found.measures.values()],
    }


def _ranking_dict(of: Repetition) -> dict[str, Any]:
    return {
        "ktu": of.mean_ktu,
        "rbo": of.mean_rbo,
        "rbo_p": of.p,
        "top": of.depth,
        "per_query": {q: {"ktu": of.ktu[q], "rbo": of.rbo[q]} for q in of.rbo},
    }


def _measure_dict(by: ByMeasure) -> dict[str, Any]:
    improvement = by.improvement
    return {
        "measure": by.measure,
        "runs": [
            {
                "run": role,
                "original": x.original,
                "replicated": x.replicated,
                "queries_original": x.queries[0],
                "queries_replicated": x.queries[1],
                "rmse": x.rmse,
                "t": x.test.statistic,
                "df": x.test.df,
                "p": x.test.p,
                "why": x.test.why,
            }
            for role, x in by.runs.items()
        ],
        "improvement": None
        if improvement is None
        else {
            "original": improvement.original,
            "replicated": improvement.replicated,
            "effect_ratio": improvement.ratio,
            "delta_ri": improvement.delta_ri,
        },
    }
