"""The tables of karmaker-2022 beside what the printed means give, and a worked example."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from ...metrics.catalogue import RLB, UL1, UL2, nDCG
from ...metrics.measure import Measure
from ..reproduction import Cell, Figure, Table
from .printed import (
    COMPARISONS,
    CONFLICTS,
    COUNT_TABLES,
    CUT_OFF,
    CUTOFFS,
    DATA_SETS,
    ERRATA,
    GROWTH,
    METHODS,
    NUMBERS,
    PAD,
    PAD_COLUMNS,
    PAD_TABLES,
    PAIRS,
    PERCENTAGES,
    PRINTED,
    QUERY_SETS,
    RIGHT_CELL,
    SIGNIFICANT,
    STUDIES,
    SWAP_TABLES,
    SWAPS,
    TAU,
    TAU_TABLES,
    WITHIN,
    WRONG_CELL,
    Cells,
)

RATE_PLACES = 3
NOT_COMPUTED = (
    "Uninformative and ideal queries: not computed, as their means are not printed; beside each "
    "figure the nearest value that"
)

# The statistics of the paper, of exact means


def study_of(metric: str) -> str:
    """The case study that a metric is in, by the name of the original metric."""
    return next(study for study, metrics in STUDIES.items() if metric in metrics)


def means(metric: str, data_set: str, cells: Cells | None = None) -> dict[str, Fraction]:
    """The mean over the cut-offs of each method, of cells as they are printed."""
    rows = PRINTED[metric, data_set] if cells is None else cells
    return {method: sum(map(Fraction, row)) / Fraction(len(row)) for method, row in rows.items()}


def pad(values: Iterable[Fraction]) -> Fraction:
    """Eq. 8 in per cent, its mean over all pairs. The greater of two negative means is negative,
    and so is what is divided by it."""
    x = list(values)
    found = [100 * abs(a - b) / max(a, b) for a, b in combinations(x, 2)]
    return sum(found, Fraction(0)) / len(found)


def in_other_order(one: Mapping[str, Fraction], other: Mapping[str, Fraction]) -> int:
    """How many pairs of methods two metrics, or data sets, rank differently."""
    return sum((one[a] - one[b]) * (other[a] - other[b]) < 0 for a, b in combinations(one, 2))


def swap_rate(pairs: int) -> Fraction:
    """The share of pairs that are in another order."""
    return Fraction(pairs, PAIRS)


def tau(pairs: int) -> Fraction:
    """Kendall's τ of orders without ties in which so many pairs differ."""
    return 1 - 2 * swap_rate(pairs)


def nearest_count(printed: str, rate: Callable[[int], Fraction]) -> int:
    """The number of pairs whose rate is nearest to what is printed."""
    return min(range(PAIRS + 1), key=lambda pairs: abs(rate(pairs) - Fraction(printed)))


def places(printed: str) -> int:
    """The decimals of a figure; of a rate that is 1 as many as the others have, which are 0."""
    return len(printed.partition(".")[2]) or (RATE_PLACES if printed == "1" else 0)


def cut_off(value: Fraction, decimals: int) -> Fraction:
    """The value without its further decimals."""
    return Fraction(int(value * 10**decimals), 10**decimals)


def figure(printed: str, value: Fraction, where: tuple[int, str, str] | None = None) -> Figure:
    """A figure: as printed if rounded; by RS-ERR-24 if cut off; or by the erratum of its cell.

    where: its table, row and column
    """
    found = Figure(printed, float(value), places(printed))
    if found.equal:
        return found
    if cut_off(value, found.places) == Fraction(printed):
        return replace(found, erratum=CUT_OFF)
    return replace(found, erratum=erratum_of(where), possible=where in WITHIN)


def nearest(
    printed: str, rate: Callable[[int], Fraction], where: tuple[int, str, str]
) -> tuple[Figure, int]:
    """A figure that is not computed, beside the nearest rate that 28 pairs can give, and how many
    of them are in another order then. What stands in an erratum cannot be, with others or alone.
    """
    pairs = nearest_count(printed, rate)
    return not_computed(printed, where, rate(pairs)), pairs


def not_computed(
    printed: str, where: tuple[int, str, str], value: Fraction | None = None
) -> Figure:
    """A figure that nothing that is printed gives: it is in an erratum, or possible."""
    erratum = erratum_of(where)
    known = None if value is None else float(value)
    excluded = erratum is not None
    return Figure(printed, known, places(printed), erratum, not excluded, excluded)


def erratum_of(where: tuple[int, str, str] | None) -> str | None:
    return next((id_ for id_, cells in ERRATA.items() if where in cells), None)


# Tables


def _short(data_set: str) -> str:
    """The name of a data set in a header: MSLR, MQ2007."""
    return data_set.partition("-")[0]


def means_table(study: str) -> Table:
    numbers = sorted({NUMBERS[metric, of] for metric in STUDIES[study] for of in DATA_SETS})
    columns = {
        f"{metric}, {_short(of)}": means(metric, of)
        for of in DATA_SETS
        for metric in STUDIES[study]
    }
    rows = [
        (method, tuple(float(column[method]) for column in columns.values())) for method in METHODS
    ]
    title = (
        f"Tables {numbers[0]} to {numbers[-1]}: the means of the five cut-offs, which the next "
        "tables are computed from"
    )
    return Table(title, "method", tuple(columns), tuple(rows))


def pad_table(study: str) -> Table:
    number = PAD_TABLES[study]
    rows = []
    for metric in STUDIES[study]:
        cells = []
        for printed, (queries, of) in zip(PAD[metric], PAD_COLUMNS, strict=True):
            if queries == QUERY_SETS[0]:
                cells.append(figure(printed, pad(means(metric, of).values()), (number, metric, of)))
            else:
                cells.append(not_computed(printed, (number, metric, f"{queries}, {of}")))
        rows.append((metric, tuple(cells)))
    title = (
        f"Table {number}: PAD in per cent. All: by the means of the five cut-offs. Uninformative "
        "and ideal queries: not computed, as their means are not printed"
    )
    header = tuple(f"{queries}, {_short(of)}" for queries, of in PAD_COLUMNS)
    return Table(title, "metric", header, tuple(rows))


def corrected() -> Cells:
    """The cells of WRONG_CELL's table as they must have been."""
    metric, data_set, method, k = WRONG_CELL
    cells = dict(PRINTED[metric, data_set])
    row = list(cells[method])
    row[CUTOFFS.index(k)] = RIGHT_CELL
    return cells | {method: tuple(row)}


def corrected_table() -> Table:
    metric, data_set, method, k = WRONG_CELL
    wrong = PRINTED[metric, data_set][method][CUTOFFS.index(k)]
    value = pad(means(metric, data_set, corrected()).values())
    printed = PAD[metric][DATA_SETS.index(data_set)]
    return Table(
        f"Table 19, {metric} on {data_set}, if Table 15 had {RIGHT_CELL} for {wrong} "
        f"({method}, k = {k}): RS-ERR-26",
        "metric",
        (data_set,),
        ((metric, (figure(printed, value),)),),
    )


def tau_table(study: str) -> Table:
    original, *others = STUDIES[study]
    number = TAU_TABLES[study]
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for of in DATA_SETS:
        for metric in others:
            pairs = in_other_order(means(original, of), means(metric, of))
            label = f"{metric}, {of}"
            all_, *parts = TAU[metric, of]
            cells: list[Cell] = [figure(all_, tau(pairs), (number, label, "All")), pairs]
            for printed, name in zip(parts, QUERY_SETS[1:], strict=True):
                cells += nearest(printed, tau, (number, label, name))
            rows.append((label, tuple(cells)))
    title = (
        f"Table {number}: Kendall's tau with {original}, and how many of the {PAIRS} pairs of "
        "methods are in another order. All: computed from the means of the five cut-offs. "
        f"{NOT_COMPUTED} {PAIRS} pairs can give, and how many it takes"
    )
    header = tuple(name for of in QUERY_SETS for name in (of, f"pairs, {of}"))
    return Table(title, "metric", header, tuple(rows))


def swap_table(study: str) -> Table:
    number = SWAP_TABLES[study][0]
    rows = []
    for metric in STUDIES[study]:
        pairs = in_other_order(*(means(metric, of) for of in DATA_SETS))
        where = (number, metric, "All")
        rows.append((metric, (figure(SWAPS[metric][0], swap_rate(pairs), where), pairs)))
    title = (
        f"Table {number}, All: the share of pairs that the data sets rank differently, by the "
        "means of the five cut-offs"
    )
    return Table(title, "metric", ("All", "pairs"), tuple(rows))


def counted_tables(study: str) -> Iterator[Table]:
    """The other swap rates: beside each the nearest that there can be."""
    across, within = SWAP_TABLES[study]
    columns = ("uninform.", "Ideal"), DATA_SETS
    for number, names, begin in ((across, columns[0], 1), (within, columns[1], 3)):
        rows = []
        for metric in STUDIES[study]:
            cells: list[Cell] = []
            for printed, name in zip(SWAPS[metric][begin : begin + 2], names, strict=True):
                cells += nearest(printed, swap_rate, (number, metric, name))
            rows.append((metric, tuple(cells)))
        header = tuple(name for of in names for name in (of, f"pairs, {of}"))
        what = "the share of pairs that the data sets rank differently"
        if number == within:
            what = "the share of pairs that the two sets of queries rank differently"
        title = (
            f"Table {number}: {what}. {NOT_COMPUTED} {PAIRS} pairs can give, and how many it takes"
        )
        yield Table(title, "metric", header, tuple(rows))


def possible(first: int, second: int, conflicts: int) -> bool:
    """Whether two metrics with so many significant differences can disagree so often.

    The disagreements are the differences that one metric has and the other has not: at least
    |first - second| of them, at most first + second, and even if and only if that is.
    """
    most = min(first + second, 2 * COMPARISONS - first - second)
    return abs(first - second) <= conflicts <= most and (first + second - conflicts) % 2 == 0


def counts(study: str) -> Iterator[tuple[str, str, int, int, int]]:
    """Of each data set, metric and query set: both numbers of differences, and disagreements."""
    original, *others = STUDIES[study]
    for of in DATA_SETS:
        for metric in others:
            found = zip(
                QUERY_SETS,
                SIGNIFICANT[original, of],
                SIGNIFICANT[metric, of],
                CONFLICTS[metric, of],
                strict=True,
            )
            for name, first, second, conflicts in found:
                yield f"{metric}, {of}", name, first, second, conflicts


def lost_and_gained(first: int, second: int, disagree: int) -> tuple[Fraction, Fraction]:
    """The differences that only the first of two metrics has, and those that only the other has.

    With x and y of them and D disagreements: (D - (y - x)) / 2 and (D + (y - x)) / 2.
    """
    gain = second - first
    return Fraction(disagree - gain, 2), Fraction(disagree + gain, 2)


def significance_table(study: str) -> Table:
    number = COUNT_TABLES[study][0]
    rows = []
    for of in DATA_SETS:
        for metric in STUDIES[study]:
            label = f"{metric}, {of}"
            found = zip(SIGNIFICANT[metric, of], QUERY_SETS, strict=True)
            cells = tuple(not_computed(f"{count}", (number, label, name)) for count, name in found)
            rows.append((label, cells))
    title = (
        f"Table {number}: of {COMPARISONS} comparisons those with a significant difference. Not "
        "computed: the tests need the values of each query"
    )
    return Table(title, "metric", QUERY_SETS, tuple(rows))


def conflict_table(study: str) -> Table:
    significant, number = COUNT_TABLES[study]
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for label, name, first, second, conflicts in counts(study):
        found = not_computed(f"{conflicts}", (number, label, name))
        lost, gained = map(float, lost_and_gained(first, second, conflicts))
        can = possible(first, second, conflicts)
        shares: tuple[Cell, ...] = (int(lost), int(gained)) if can else (lost, gained)
        rows.append((f"{label}, {name}", (first, second, found, *shares)))
    title = (
        f"Table {number}: in how many comparisons {study} and the other metric disagree. By it and "
        f"Table {significant}: how many of the differences of {study} are lost, and how many gained"
    )
    header = (study, "other", "disagree", "lost", "gained")
    return Table(title, "metric, queries", header, tuple(rows))


def percentages_table() -> Table:
    rows = [
        (f"{count} of {COMPARISONS}", (figure(printed, Fraction(100 * count, COMPARISONS)),))
        for count, printed in PERCENTAGES.items()
    ]
    return Table("Sections 4.4 and 4.5: percentages", "count", ("per cent",), tuple(rows))


def growth_table() -> Table:
    first, *_, last = PRINTED["nDCG", "MSLR-WEB30K"]["RNet"]
    growth = 100 * (Fraction(last) / Fraction(first) - 1)
    return Table(
        "Section 4.4: the growth of nDCG of RNet on MSLR-WEB30K from k = 5 to 30, by Table 2",
        "from, to",
        ("per cent",),
        ((f"{first}, {last}", (figure(GROWTH, growth),)),),
    )


# A worked example: ours, as the paper has none

K = 5
EXAMPLES = {
    "informative": (2, 0, 1, 1, 0, 0, 0, 0, 0, 0),
    "ideal": (2, 1, 1, 0, 0, 0, 0, 0, 0, 0),
    "hard": (0, 0, 0, 0, 1, 0, 0, 0, 0, 0),
    "easy": (2, 2, 1, 2, 2, 2, 2, 2, 2, 1),
}


def worked(backend: str) -> dict[str, tuple[float, ...]]:
    """nDCG, its lower bound, and both normalised versions, for each kind of query."""
    A = nDCG(k=K, gain="exp2")
    of: tuple[Measure, ...] = (A, RLB(A), UL1(A), UL2(A))
    lists = list(EXAMPLES.values())
    columns: list[Any] = [measure.of(lists, backend=backend) for measure in of]
    return dict(
        zip(EXAMPLES, zip(*(column.tolist() for column in columns), strict=True), strict=True)
    )


def worked_table(backend: str) -> Table:
    rows = []
    for (name, labels), values in zip(EXAMPLES.items(), worked(backend).values(), strict=True):
        A, _, first, second = values
        rows.append((f"{name}: {' '.join(map(str, labels))}", (*values, first / A, second / A)))
    return Table(
        f"Figure 1 by queries of ten items: nDCG@{K}, its value for a random ranking, V1 and V2, "
        "and what share of nDCG these leave; the labels, which are ours, in the order of rank",
        "query",
        ("nDCG", "RLB", "V1", "V2", "V1/nDCG", "V2/nDCG"),
        tuple(rows),
    )
