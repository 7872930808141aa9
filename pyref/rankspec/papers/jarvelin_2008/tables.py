"""The tables of jarvelin-2008: the vectors of the appendix, Table 2 and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ... import api
from ...api import sessions as functions
from ...reference.numerics import nearest_double
from ..reproduction import Cell, Figure, Table
from .printed import (
    ALL_QUERIES,
    CG,
    DCG,
    DISCOUNT,
    ERRATUM,
    MOST,
    PLACES,
    QUERIES,
    SCENARIOS,
    SESSIONS_A_CELL,
    SESSIONS_A_SYSTEM,
    TABLE_2,
    G,
)


def table_of_the_appendix(backend: str) -> Table:
    columns: tuple[Sequence[Cell], ...] = (
        G,
        [Figure(text, x, 0) for text, x in zip(CG, cg_vector(backend), strict=True)],
        [
            Figure(text, x, PLACES, erratum_of(i))
            for i, (text, x) in enumerate(zip(DCG, dcg_vector(G, backend), strict=True), start=1)
        ],
        by_eq_2_as_printed(backend),
    )
    rows = [(f"{i:4}", cells) for i, cells in enumerate(zip(*columns, strict=True), start=1)]
    title = "Appendix: the vectors of G', with b = 4; last, what eq. 2 gives as it is printed"
    return Table(title, "rank", ("G'", "CG'", "DCG'", "with log_b i"), tuple(rows))


def erratum_of(rank: int) -> str | None:
    """The erratum that lists a component of DCG'."""
    return ERRATUM if rank > 1 else None


def cg_vector(backend: str) -> list[float]:
    return numbers(api.cg_vector(G, backend=backend))


def dcg_vector(gains: Sequence[float], backend: str) -> list[float]:
    return numbers(api.dcg_vector(gains, discount=DISCOUNT, backend=backend))


def by_eq_2_as_printed(backend: str) -> list[float]:
    """CG[i] / (1 + log_b i): CG[i] as the one gain, at rank i."""
    return numbers(
        api.dcg(
            [alone(i, x) for i, x in enumerate(cg_vector(backend), start=1)],
            discount=DISCOUNT,
            backend=backend,
        )
    )


def alone(rank: int, gain: float = 1) -> list[float]:
    """A list with one gain, at a rank."""
    return [0] * (rank - 1) + [gain]


def numbers(array: Any) -> list[float]:
    """An array of the API as a list."""
    return list(array.tolist())


# Table 2


def table_2() -> Table:
    rows = [(system, counts) for system, (counts, _) in TABLE_2.items()]
    header = tuple(f"{q}" for q in range(1, MOST + 1))
    return Table("Table 2: sessions with exactly so many queries", "", header, tuple(rows))


def table_of_sums() -> Table:
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for system, (counts, average) in TABLE_2.items():
        sessions, queries = sum(counts), sum(lengths(system))
        rows.append(
            (
                system,
                (
                    Figure(SESSIONS_A_SYSTEM, sessions, 0),
                    Figure(SESSIONS_A_CELL, sessions / SCENARIOS, 0),
                    queries,
                    Figure(average, nearest_double(Fraction(queries, sessions)), PLACES),
                ),
            )
        )
    both = [m for system in TABLE_2 for m in lengths(system)]
    per_session = nearest_double(Fraction(sum(both), len(both)))
    rows.append(("both", (len(both), None, Figure(ALL_QUERIES, sum(both), 0), per_session)))
    header = ("sessions", "a scenario", "queries", "average")
    return Table("Table 2 and section 3.1: what follows from the counts", "", header, tuple(rows))


def lengths(system: str) -> list[int]:
    """How many queries each session of a system has."""
    counts, _ = TABLE_2[system]
    return [m for m, sessions in enumerate(counts, start=1) for _ in range(sessions)]


def table_of_discounts(backend: str) -> Table:
    D = query_discounts(QUERIES, backend)
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for system in TABLE_2:
        last = [D[m - 1] for m in lengths(system)]
        others = [D[q] for m in lengths(system) for q in range(m - 1)]
        rows.append((system, (len(last), mean(last), len(others), mean(others))))
    title = (
        "Figure 1: what Table 2 says of the queries that it compares, the last ones and the "
        "others; and the mean of the query discount, bq = 4, which is in their gains"
    )
    return Table(title, "", ("last", "discount", "others", "discount"), tuple(rows))


def mean(values: Sequence[float]) -> float:
    return float(functions.avg_vect([[x] for x in values])[0])


def query_discounts(discount: str, backend: str) -> list[float]:
    """D(1), ..., D(11)."""
    sessions = [[[0]] * (q - 1) + [[1]] for q in range(1, MOST + 1)]
    return numbers(functions.sdcg(sessions, query_discount=discount, backend=backend))


class OfIdealQueries(NamedTuple):
    """The sessions of Table 2 if each query showed the ideal list, after 1, ..., 11 queries.

    running: the share of sessions that have this query
    gain: the mean of sDCG, in IDCG; a finished session keeps its own
    normalised: its share of the sDCG of an ideal session that goes on
    """

    running: list[float]
    gain: list[float]
    normalised: list[float]


def of_ideal_queries(system: str, backend: str) -> OfIdealQueries:
    queries = lengths(system)
    ideal = going_on(MOST, backend)
    held = [numbers(functions.held(ideal[:m], MOST)) for m in queries]
    gain = numbers(functions.avg_vect(held))
    running = [functions.still_running(queries, q) for q in range(1, MOST + 1)]
    return OfIdealQueries(running, gain, numbers(functions.norm_vect(gain, ideal)))


def going_on(queries: int, backend: str) -> list[float]:
    """The sDCG of an ideal session after 1, 2, ... queries, in IDCG."""
    return numbers(functions.isdcg_vector([[0]] * queries, judged=[1], k=1, backend=backend))


def table_of_ideal_queries(ideal: dict[str, OfIdealQueries]) -> Table:
    columns = [column for about in zip(*ideal.values(), strict=True) for column in about]
    rows = [(f"Q{q}", cells) for q, cells in enumerate(zip(*columns, strict=True), start=1)]
    title = (
        "Table 2, if each query showed the ideal list, Systems 1 and 2: the share of sessions that "
        "still run, the mean sDCG in IDCG, gains held, and its share of the ideal that goes on"
    )
    header = tuple(f"{of} {n}" for of in ("running", "gain", "share") for n in (1, 2))
    return Table(title, "", header, tuple(rows))
