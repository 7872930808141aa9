"""karmaker-2022: what its tables say of one another, and its formulas on small examples.

The paper ranks two data sets by eight trained rankers. Neither those rankings nor the samples of
queries are published, so that the means over queries (Tables 2 to 5 and 12 to 15) are taken as they
are printed; from them follow the columns "All" of Tables 6, 9, 10, 16, 19 and 20. Of the other
figures is said what they can be, and in which way they agree.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb
from typing import Any

from ..chapters import DCG, RLB, SP, UL1, UL2, nDCG
from ..measure import Measure
from ..reproduction import Cell, Check, Claim, Figure, Paper, Table

CUTOFFS = (5, 10, 15, 20, 30)
METHODS = ("ARank", "LNet", "RBoost", "RF", "RNet", "CA", "L2LR", "LMART")
DATA_SETS = ("MSLR-WEB30K", "MQ2007")
QUERY_SETS = ("All", "uninform.", "Ideal")
STUDIES = {
    "nDCG": ("nDCG", "DCG_V1", "DCG_V2"),
    "MAP": ("MAP", "MSP_V1", "MSP_V2"),
}
PAIRS = len(METHODS) * (len(METHODS) - 1) // 2
COMPARISONS = PAIRS * len(CUTOFFS)

Cells = dict[str, tuple[str, ...]]

# Tables 2 to 5 and 12 to 15: the means over queries, by metric and data set.
_TABLES = {
    ("nDCG", "MSLR-WEB30K"): (
        2,
        """
        ARank 0.3218 0.3492 0.3704 0.3896 0.4237
        LNet 0.1534 0.1827 0.2066 0.2288 0.2686
        RBoost 0.3062 0.3346 0.3578 0.3777 0.4141
        RF 0.3832 0.4118 0.4325 0.4493 0.4795
        RNet 0.154 0.1833 0.207 0.2292 0.269
        CA 0.3985 0.4138 0.4288 0.4428 0.4707
        L2LR 0.1977 0.2371 0.2696 0.2974 0.3444
        LMART 0.4365 0.454 0.4706 0.4856 0.513
        """,
    ),
    ("nDCG", "MQ2007"): (
        3,
        """
        ARank 0.3881 0.4156 0.448 0.4797 0.5372
        LNet 0.3767 0.4035 0.4384 0.4687 0.5282
        RBoost 0.3834 0.414 0.449 0.4807 0.5355
        RF 0.4035 0.4286 0.4609 0.4914 0.5476
        RNet 0.3809 0.4131 0.4451 0.4764 0.536
        CA 0.3928 0.4207 0.4544 0.4824 0.5399
        L2LR 0.3873 0.4159 0.4474 0.4779 0.538
        LMART 0.3931 0.4206 0.4535 0.4857 0.5441
        """,
    ),
    ("DCG_V1", "MSLR-WEB30K"): (
        4,
        """
        ARank 0.249 0.2616 0.2719 0.2818 0.2995
        LNet 0.0977 0.1124 0.1257 0.1384 0.1617
        RBoost 0.2327 0.2474 0.2601 0.2708 0.2907
        RF 0.3043 0.3187 0.3289 0.3365 0.3505
        RNet 0.0982 0.113 0.126 0.1388 0.1621
        CA 0.3188 0.3208 0.3255 0.3306 0.3424
        L2LR 0.1373 0.1605 0.1809 0.1985 0.2278
        LMART 0.3549 0.3588 0.3648 0.3706 0.3818
        """,
    ),
    ("DCG_V2", "MSLR-WEB30K"): (
        4,
        """
        ARank 0.2374 0.2531 0.2648 0.2761 0.2964
        LNet 0.0469 0.0606 0.0721 0.0837 0.1048
        RBoost 0.2217 0.2374 0.2509 0.2626 0.2852
        RF 0.3086 0.3265 0.3385 0.3478 0.3652
        RNet 0.0476 0.0614 0.0727 0.0843 0.1054
        CA 0.3259 0.3286 0.3341 0.3401 0.3545
        L2LR 0.0982 0.1248 0.1475 0.1671 0.1996
        LMART 0.3677 0.3742 0.3824 0.3902 0.4056
        """,
    ),
    ("DCG_V1", "MQ2007"): (
        5,
        """
        ARank 0.2882 0.2991 0.3157 0.3314 0.3558
        LNet 0.2777 0.2886 0.3068 0.3213 0.3481
        RBoost 0.2822 0.2975 0.3161 0.3317 0.3542
        RF 0.2992 0.3095 0.3262 0.3409 0.3642
        RNet 0.2791 0.2957 0.3133 0.3271 0.3536
        CA 0.2911 0.3031 0.32 0.3335 0.3582
        L2LR 0.2858 0.2991 0.315 0.3295 0.3562
        LMART 0.2901 0.3019 0.3192 0.3355 0.361
        """,
    ),
    ("DCG_V2", "MQ2007"): (
        5,
        """
        ARank 0.1348 0.2092 0.2587 0.2995 0.3638
        LNet 0.1141 0.1872 0.2485 0.284 0.3453
        RBoost 0.1359 0.2061 0.2633 0.3042 0.3635
        RF 0.1681 0.2356 0.2859 0.3223 0.3866
        RNet 0.1177 0.2044 0.2554 0.2908 0.3573
        CA 0.1512 0.2214 0.2762 0.3029 0.3666
        L2LR 0.1331 0.2097 0.2599 0.3001 0.368
        LMART 0.1636 0.2311 0.2806 0.3183 0.3801
        """,
    ),
    ("MAP", "MSLR-WEB30K"): (
        12,
        """
        ARank 0.5414 0.4948 0.4724 0.4598 0.4493
        LNet 0.3203 0.2994 0.293 0.2911 0.2943
        RBoost 0.5449 0.4967 0.475 0.4618 0.452
        RF 0.6216 0.5717 0.5433 0.5244 0.5053
        RNet 0.3212 0.3008 0.2939 0.2919 0.2956
        CA 0.6235 0.5631 0.53 0.5107 0.4903
        L2LR 0.356 0.3353 0.333 0.3353 0.3457
        LMART 0.6487 0.5928 0.5613 0.5414 0.5198
        """,
    ),
    ("MAP", "MQ2007"): (
        13,
        """
        ARank 0.3066 0.2923 0.302 0.3173 0.3624
        LNet 0.3379 0.3233 0.3328 0.3468 0.3905
        RBoost 0.3467 0.3366 0.3477 0.3636 0.4035
        RF 0.3674 0.352 0.3585 0.3736 0.414
        RNet 0.3281 0.3175 0.3275 0.3443 0.3878
        CA 0.3597 0.3457 0.356 0.3716 0.4127
        L2LR 0.3543 0.3386 0.3458 0.3607 0.404
        LMART 0.3582 0.3459 0.3539 0.3692 0.4101
        """,
    ),
    ("MSP_V1", "MSLR-WEB30K"): (
        14,
        """
        ARank 0.3856 0.3387 0.3156 0.3017 0.2868
        LNet 0.1978 0.1732 0.1641 0.1597 0.1572
        RBoost 0.3905 0.3422 0.3196 0.305 0.2905
        RF 0.4579 0.4079 0.3791 0.3591 0.3363
        RNet 0.1988 0.1745 0.1651 0.1606 0.1585
        CA 0.4594 0.4001 0.3673 0.3471 0.3231
        L2LR 0.226 0.2018 0.1963 0.1951 0.1982
        LMART 0.482 0.4265 0.3948 0.3741 0.3488
        """,
    ),
    ("MSP_V2", "MSLR-WEB30K"): (
        14,
        """
        ARank 0.3472 0.3055 0.2799 0.2617 0.2373
        LNet -0.0721 -0.0573 -0.0508 -0.0452 -0.0389
        RBoost 0.3502 0.3019 0.2754 0.2567 0.2339
        RF 0.4783 0.427 0.39 0.3608 0.322
        RNet -0.0718 -0.0551 -0.0498 -0.0452 -0.038
        CA 0.4836 0.4127 0.3676 0.3385 0.2977
        L2LR -0.0223 -0.004 0.0149 0.0312 0.055
        LMART 0.5259 0.4632 0.4211 0.3896 0.3466
        """,
    ),
    ("MSP_V1", "MQ2007"): (
        15,
        """
        ARank 0.2366 0.219 0.2222 0.2287 0.2478
        LNet 0.2676 0.2492 0.2519 0.257 0.2744
        RBoost 0.2738 0.2603 0.2647 0.2714 0.2853
        RF 0.2914 0.2732 0.2739 0.28 0.2941
        RNet 0.259 0.2443 0.2476 0.2552 0.2724
        CA 0.2863 0.2689 0.2728 0.2794 0.2941
        L2LR 0.2806 0.2622 0.2633 0.2693 0.2861
        LMART 0.2829 0.2673 0.2691 0.2755 0.2905
        """,
    ),
    ("MSP_V2", "MQ2007"): (
        15,
        """
        ARank 0.0392 0.0778 0.0116 0.14 0.1905
        LNet 0.0909 0.1315 0.1638 0.1846 0.2257
        RBoost 0.123 0.154 0.188 0.213 0.2513
        RF 0.1586 0.1904 0.206 0.226 0.2729
        RNet 0.085 0.1308 0.1567 0.1825 0.222
        CA 0.1422 0.1741 0.198 0.2204 0.2584
        L2LR 0.1232 0.1548 0.1846 0.2093 0.2543
        LMART 0.1541 0.1949 0.2138 0.2369 0.2725
        """,
    ),
}


def _read(text: str) -> Cells:
    rows = (line.split() for line in text.strip().splitlines())
    return {method: tuple(cells) for method, *cells in rows}


PRINTED = {key: _read(text) for key, (_, text) in _TABLES.items()}
NUMBERS = {key: number for key, (number, _) in _TABLES.items()}

# Tables 9 and 19, PAD: of all queries, then of the uninformative and the ideal ones. Of each the
# two data sets.
PAD = {
    "nDCG": ("31", "1.74", "7.39", "5.85", "35.74", "1.61"),
    "DCG_V1": ("35.7", "3.6", "9.98", "7.825", "40.21", "1.98"),
    "DCG_V2": ("46.7", "6.42", "41.75", "44.81", "44.53", "2.98"),
    "MAP": ("25.57", "5.91", "12.28", "5.89", "30.18", "6.77"),
    "MSP_V1": ("31.84", "6.86", "16", "7.19", "35.53", "8.04"),
    "MSP_V2": ("97.63", "20.01", "25.65", "28.27", "48.29", "13.49"),
}
PAD_TABLES = {"nDCG": 9, "MAP": 19}

# Tables 6 and 16, Kendall's τ with the original metric: All, uninformative, ideal.
TAU = {
    ("DCG_V1", "MSLR-WEB30K"): ("1", "0.928", "1"),
    ("DCG_V2", "MSLR-WEB30K"): ("1", "0.85", "1"),
    ("DCG_V1", "MQ2007"): ("1", "1", "1"),
    ("DCG_V2", "MQ2007"): ("0.785", "0.928", "1"),
    ("MSP_V1", "MSLR-WEB30K"): ("1", "1", "1"),
    ("MSP_V2", "MSLR-WEB30K"): ("0.928", "0.857", "0.928"),
    ("MSP_V1", "MQ2007"): ("1", "1", "1"),
    ("MSP_V2", "MQ2007"): ("0.785", "0.624", "1"),
}
TAU_TABLES = {"nDCG": 6, "MAP": 16}

# Tables 10 and 20: swap rates across the data sets, for All, uninformative, ideal. Tables 11 and
# 21: across uninformative and ideal, in each data set.
SWAPS = {
    "nDCG": ("0.107", "0.42", "0.35", "0.21", "0.5"),
    "DCG_V1": ("0.107", "0.42", "0.35", "0.25", "0.5"),
    "DCG_V2": ("0.107", "0.42", "0.35", "0.21", "0.5"),
    "MAP": ("0.25", "0.357", "0.2857", "0.1428", "0.3928"),
    "MSP_V1": ("0.25", "0.321", "0.25", "0.1428", "0.3928"),
    "MSP_V2": ("0.178", "0.25", "0.321", "0.1071", "0.2857"),
}
SWAP_TABLES = {"nDCG": (10, 11), "MAP": (20, 21)}

# Tables 8 and 18: of 140 comparisons those with a significant difference. Tables 7 and 17: in how
# many the original metric and another disagree.
SIGNIFICANT = {
    ("nDCG", "MSLR-WEB30K"): (133, 33, 130),
    ("DCG_V1", "MSLR-WEB30K"): (133, 51, 130),
    ("DCG_V2", "MSLR-WEB30K"): (133, 78, 130),
    ("nDCG", "MQ2007"): (0, 9, 7),
    ("DCG_V1", "MQ2007"): (0, 29, 8),
    ("DCG_V2", "MQ2007"): (6, 33, 15),
    ("MAP", "MSLR-WEB30K"): (129, 61, 122),
    ("MSP_V1", "MSLR-WEB30K"): (129, 76, 124),
    ("MSP_V2", "MSLR-WEB30K"): (129, 81, 122),
    ("MAP", "MQ2007"): (45, 0, 71),
    ("MSP_V1", "MQ2007"): (50, 2, 74),
    ("MSP_V2", "MQ2007"): (59, 21, 88),
}
CONFLICTS = {
    ("DCG_V1", "MSLR-WEB30K"): (0, 18, 0),
    ("DCG_V2", "MSLR-WEB30K"): (0, 46, 0),
    ("DCG_V1", "MQ2007"): (0, 20, 1),
    ("DCG_V2", "MQ2007"): (6, 24, 8),
    ("MSP_V1", "MSLR-WEB30K"): (0, 15, 2),
    ("MSP_V2", "MSLR-WEB30K"): (0, 36, 4),
    ("MSP_V1", "MQ2007"): (1, 2, 3),
    ("MSP_V2", "MQ2007"): (8, 21, 17),
}

# Counts that the text gives as percentages of the comparisons, in the order of the text.
PERCENTAGES = {46: "32", 24: "17", 33: "23", 78: "55", 36: "26", 61: "43", 81: "57"}
GROWTH = "74.6"  # of nDCG by RNet on the first data set, from k = 5 to 30, in per cent
SAMPLES = {"MSLR-WEB30K": (10_000, 1_000), "MQ2007": (1_000, 500)}  # queries; of each set of them

CUT_OFF = "RS-ERR-24"
WRONG_CELL = ("MSP_V2", "MQ2007", "ARank", 15)
RIGHT_CELL = "0.116"

# spec/errata.md: what the tables do not give, by table, row and column.
ERRATA: dict[str, tuple[tuple[int, str, str], ...]] = {
    "RS-ERR-25": (
        (9, "nDCG", "MSLR-WEB30K"),
        (9, "DCG_V1", "MQ2007"),
        (9, "DCG_V2", "MQ2007"),
        (19, "MSP_V2", "MSLR-WEB30K"),
        (19, "MSP_V1", "MQ2007"),
    ),
    "RS-ERR-26": ((19, "MSP_V2", "MQ2007"),),
    "RS-ERR-27": ((16, "MSP_V2, MQ2007", "uninform."),),
    "RS-ERR-29": ((10, "nDCG", "All"), (10, "DCG_V1", "All")),
}


def compute(
    backend: str, *, data: str | os.PathLike[str] | None = None
) -> tuple[list[Table], list[Claim]]:
    """The tables and claims, by a backend.

    data: a folder of LETOR files, of which some features are the rankers
    """
    tables: list[Table] = []
    claims: list[Claim] = []
    for study in STUDIES:
        tables += [means_table(study), pad_table(study)]
        if study == "MAP":
            tables.append(corrected_table())
        tables += [tau_table(study), swap_table(study), *counted_tables(study)]
        tables.append(conflict_table(study))
    tables += [percentages_table(), growth_table(), worked_table(backend)]
    claims += [
        *claims_on_growth(),
        *claims_on_ranges(),
        *claims_on_orders(),
        claim_on_pad(),
        *claims_on_counts(),
        *claims_on_swaps(),
        claim_on_query_sets(),
        *claims_on_formulas(backend),
        claim_on_penalties(backend),
        *not_computable(),
    ]
    return tables, claims


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
    return len(printed.partition(".")[2])


def cut_off(value: Fraction, decimals: int) -> Fraction:
    """The value without its further decimals."""
    return Fraction(int(value * 10**decimals), 10**decimals)


def figure(printed: str, value: Fraction, where: tuple[int, str, str] | None = None) -> Figure:
    """A figure: as printed if rounded; by RS-ERR-24 if cut off; or by the erratum of its cell."""
    found = Figure(printed, float(value), places(printed))
    if found.equal:
        return found
    if cut_off(value, found.places) == Fraction(printed):
        return replace(found, erratum=CUT_OFF)
    listing = (id_ for id_, cells in ERRATA.items() if where in cells)
    return replace(found, erratum=next(listing, None))


# Tables


def means_table(study: str) -> Table:
    numbers = sorted({NUMBERS[metric, of] for metric in STUDIES[study] for of in DATA_SETS})
    columns = {
        f"{metric}, {of[:4]}": means(metric, of) for of in DATA_SETS for metric in STUDIES[study]
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
    rows = [
        (
            metric,
            tuple(
                figure(printed, pad(means(metric, of).values()), (number, metric, of))
                for printed, of in zip(PAD[metric], DATA_SETS, strict=False)
            ),
        )
        for metric in STUDIES[study]
    ]
    return Table(f"Table {number}, All Query: PAD in per cent", "metric", DATA_SETS, tuple(rows))


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
                nearest = nearest_count(printed, tau)
                cells += [figure(printed, tau(nearest), (number, label, name)), nearest]
            rows.append((label, tuple(cells)))
    title = (
        f"Table {number}: Kendall's tau with {original}, and how many of the {PAIRS} pairs are in "
        "another order. All: by the means of the five cut-offs; the others: of the numbers of "
        "pairs the one whose tau is nearest"
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
    """The other swap rates: which share of the pairs each can be."""
    across, within = SWAP_TABLES[study]
    columns = ("uninform.", "Ideal"), DATA_SETS
    for number, names, begin in ((across, columns[0], 1), (within, columns[1], 3)):
        rows = []
        for metric in STUDIES[study]:
            cells: list[Cell] = []
            for printed in SWAPS[metric][begin : begin + 2]:
                pairs = nearest_count(printed, swap_rate)
                cells += [figure(printed, swap_rate(pairs)), pairs]
            rows.append((metric, tuple(cells)))
        header = tuple(name for of in names for name in (of, f"pairs, {of}"))
        what = "uninformative and ideal queries across the data sets"
        if number == within:
            what = "uninformative against ideal queries"
        title = f"Table {number}, {what}: of the shares of {PAIRS} pairs the nearest"
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


def conflict_table(study: str) -> Table:
    tables = {"nDCG": (8, 7), "MAP": (18, 17)}[study]
    rows = [
        (
            f"{label}, {name}",
            (first, second, conflicts, "yes" if possible(first, second, conflicts) else "no"),
        )
        for label, name, first, second, conflicts in counts(study)
    ]
    title = (
        f"Tables {tables[0]} and {tables[1]}: significant differences by {study} and by the other "
        "metric, in how many of them the two disagree, and whether these can be"
    )
    header = (study, "other", "disagree", "possible")
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


# Claims


def rising(cells: Cells) -> bool:
    """Whether each method's means rise from cut-off to cut-off."""
    rows = ([Fraction(x) for x in row] for row in cells.values())
    return all(a < b for row in rows for a, b in pairwise(row))


def claims_on_growth() -> Iterator[Claim]:
    yield Claim(
        "Section 4.4",
        "the mean nDCG@k of each method increases with k",
        tuple(
            Check(f"Table {NUMBERS['nDCG', of]}: all eight rows", rising(PRINTED["nDCG", of]), True)
            for of in DATA_SETS
        ),
    )
    cells = corrected()
    yield Claim(
        "Table 15",
        "V2 of MSP rises with k, for each method on MQ2007",
        (
            Check(
                "as printed: not ARank, with 0.0778, 0.0116, 0.14 at k = 10, 15, 20",
                rising(PRINTED["MSP_V2", "MQ2007"]),
                False,
                ("RS-ERR-26",),
            ),
            Check(f"with {RIGHT_CELL} instead of 0.0116", rising(cells), True, ("RS-ERR-26",)),
        ),
    )
    yield Claim(
        "Section 3.2, eq. 3",
        "MAP@k is the mean of SP@k / k",
        (
            Check(
                "Table 13: then in ranks 21 to 30 SP grows by less a rank than in the first 5, "
                "for one method at least",
                any(late < early for early, late in sp_a_rank("MQ2007")),
                False,
                ("RS-ERR-31",),
            ),
        ),
    )


def sp_a_rank(data_set: str) -> Iterator[tuple[Fraction, Fraction]]:
    """By eq. 3: how much a rank adds to SP in the first five ranks, and in ranks 21 to 30."""
    for row in PRINTED["MAP", data_set].values():
        first, *_, before, last = map(Fraction, row)
        yield first, (30 * last - 20 * before) / 10


def claims_on_ranges() -> Iterator[Claim]:
    """What eqs. 5 and 6 say of each query, and so of the means."""
    for study, (original, *others) in STUDIES.items():
        checks = []
        for of in DATA_SETS:
            U = PRINTED[original, of]
            for metric in others:
                pairs = [
                    (Fraction(x), Fraction(u))
                    for method, row in PRINTED[metric, of].items()
                    for x, u in zip(row, U[method], strict=True)
                ]
                number = NUMBERS[metric, of]
                lower = 0 if metric.endswith("V1") else -1
                fact = (
                    f"Table {number}, {metric}: from {lower} to {study} in all {len(pairs)} cells"
                )
                checks.append(Check(fact, all(lower <= x <= u for x, u in pairs), True))
        yield Claim(
            "Section 4.0.1",
            f"V1 is from 0 to 1, V2 from -1 to 1; by eqs. 5 and 6 neither is above {original}",
            tuple(checks),
        )


def claims_on_orders() -> Iterator[Claim]:
    """Tables 6 and 16, by the means and by each cut-off, and what the text says of them."""

    def as_printed(columns: Callable[[str, str], Mapping[str, Fraction]]) -> bool:
        return all(
            cut_off(tau(in_other_order(columns(study_of(metric), of), columns(metric, of))), 3)
            == Fraction(printed)
            for (metric, of), (printed, *_) in TAU.items()
        )

    def at(index: int) -> Callable[[str, str], Mapping[str, Fraction]]:
        return lambda metric, of: {
            method: Fraction(row[index]) for method, row in PRINTED[metric, of].items()
        }

    yield Claim(
        "Tables 6 and 16, All",
        "the methods are ranked by the scores of a metric",
        (
            Check(
                "by the means of the five cut-offs all eight are as printed",
                as_printed(means),
                True,
                (CUT_OFF,),
            ),
            *(
                Check(f"by the scores at k = {k} they are", as_printed(at(index)), False)
                for index, k in enumerate(CUTOFFS)
            ),
        ),
    )
    possible_taus = {cut_off(tau(pairs), 3) for pairs in range(PAIRS + 1)}
    yield Claim(
        "Table 16 and section 4.5.2",
        "tau is 0.624 for the uninformative queries of MQ2007",
        (
            Check(
                "orders of eight methods without ties can have it; 0.642, of five pairs, they can",
                Fraction("0.624") in possible_taus,
                False,
                ("RS-ERR-27",),
            ),
        ),
    )
    yield Claim(
        "Section 4.4.1",
        "over all queries only V2 ranks the methods in another order than nDCG, and only on MQ2007",
        (
            Check(
                "Table 6, and the means of Tables 2 to 5",
                all(
                    (in_other_order(means("nDCG", of), means(metric, of)) > 0)
                    == (TAU[metric, of][0] != "1")
                    == ((metric, of) == ("DCG_V2", "MQ2007"))
                    for metric in STUDIES["nDCG"][1:]
                    for of in DATA_SETS
                ),
                True,
            ),
        ),
    )
    yield Claim(
        "Section 4.5.2",
        "V2 of MSP ranks the methods in another order than MAP for all query sets of both data "
        "sets",
        tuple(
            Check(
                f"Table 16: tau is below 1 for {name} of {of}",
                TAU["MSP_V2", of][column] != "1",
                (of, name) != ("MQ2007", "Ideal"),
                ("RS-ERR-30",) if (of, name) == ("MQ2007", "Ideal") else (),
            )
            for of in DATA_SETS
            for column, name in enumerate(QUERY_SETS)
        ),
    )


def claim_on_pad() -> Claim:
    """Section 4.4.3 and 4.5.4: which PAD is greater, by the printed figures and by the means."""
    checks = []
    for study, (original, *others) in STUDIES.items():
        number = PAD_TABLES[study]
        greater = all(
            Fraction(x) > Fraction(y)
            for metric in others
            for x, y in zip(PAD[metric], PAD[original], strict=True)
        )
        checks.append(Check(f"Table {number}, as printed: V1 and V2 above {study}", greater, True))
        computed = all(
            pad(means(metric, of).values()) > pad(means(original, of).values())
            for metric in others
            for of in DATA_SETS
        )
        checks.append(Check("All Query, by the means: likewise", computed, True))
    of_negatives = means("MSP_V2", "MSLR-WEB30K")
    shares = [pad((of_negatives[a], of_negatives[b])) for a, b in combinations(METHODS, 2)]
    checks.append(
        Check(
            "Table 14, V2: PAD of a pair is from 0 to 100 %; it is from "
            f"{float(min(shares)):.2f} to {float(max(shares)):.2f}, as three means are near 0",
            all(0 <= share <= 100 for share in shares),
            False,
            ("RS-ERR-25",),
        )
    )
    claim = "PAD, by which a metric that distinguishes better is higher, is higher for V1 and V2"
    return Claim("Sections 4.4.3 and 4.5.4", claim, tuple(checks))


IMPOSSIBLE = {
    ("DCG_V2, MSLR-WEB30K", "uninform."): "their sum is odd, and so is how often they disagree",
    ("MSP_V1, MQ2007", "All"): "they disagree 5 times at least",
    ("MSP_V2, MQ2007", "All"): "they disagree 14 times at least",
}


def claims_on_counts() -> Iterator[Claim]:
    for study, numbers in {"nDCG": "7 and 8", "MAP": "17 and 18"}.items():
        checks, sound = [], []
        for label, name, first, second, conflicts in counts(study):
            can = possible(first, second, conflicts)
            why = IMPOSSIBLE.get((label, name))
            if why is None:
                sound.append(can)
            else:
                fact = f"{label}, {name}: {conflicts} of {first} and {second}; {why}"
                checks.append(Check(fact, can, False, ("RS-ERR-28",)))
        checks.append(Check(f"the other {len(sound)} can be", all(sound), True))
        yield Claim(
            f"Tables {numbers}",
            "how often two metrics disagree on what is significant, and how much is by each",
            tuple(checks),
        )
    more = {
        metric: SIGNIFICANT[metric, "MQ2007"][0] > SIGNIFICANT["nDCG", "MQ2007"][0]
        for metric in STUDIES["nDCG"][1:]
    }
    yield Claim(
        "Section 4.4.3",
        "on MQ2007 V1 of DCG detects more differences than nDCG over all queries, and V1 and V2 "
        "over the ideal ones",
        (
            Check("Table 8, All: V1 does", more["DCG_V1"], False, ("RS-ERR-30",)),
            Check("Table 8, All: V2 does", more["DCG_V2"], True, ("RS-ERR-30",)),
            Check(
                "Table 8, Ideal: both do",
                all(
                    SIGNIFICANT[metric, "MQ2007"][2] > SIGNIFICANT["nDCG", "MQ2007"][2]
                    for metric in STUDIES["nDCG"][1:]
                ),
                True,
            ),
        ),
    )
    yield Claim(
        "Sections 4.4.3 and 4.5.4",
        "V1 and V2 detect as many differences or more, and more of the uninformative queries",
        tuple(
            Check(
                f"Tables 8 and 18, {metric} on {of}",
                all(
                    a >= b
                    for a, b in zip(
                        SIGNIFICANT[metric, of], SIGNIFICANT[study_of(metric), of], strict=True
                    )
                )
                and SIGNIFICANT[metric, of][1] > SIGNIFICANT[study_of(metric), of][1],
                True,
            )
            for metric, of in CONFLICTS
        ),
    )


def claims_on_swaps() -> Iterator[Claim]:
    yield Claim(
        "Sections 4.4.4 and 5",
        "V1 and V2 of DCG have the swap rates of nDCG, but for V1 across the query sets of "
        "MSLR-WEB30K",
        (
            Check(
                "Tables 10 and 11, as printed",
                all(
                    (SWAPS[metric][column] == SWAPS["nDCG"][column])
                    == ((metric, column) != ("DCG_V1", 3))
                    for metric in STUDIES["nDCG"][1:]
                    for column in range(5)
                ),
                True,
            ),
            Check(
                "Table 10, All, by the means: 2 pairs by nDCG and V1, 3 by V2",
                len(
                    {
                        in_other_order(*(means(metric, of) for of in DATA_SETS))
                        for metric in STUDIES["nDCG"]
                    }
                )
                == 1,
                False,
                ("RS-ERR-29",),
            ),
        ),
    )
    names = ("All", "uninformative", "ideal", "MSLR-WEB30K", "MQ2007")
    yield Claim(
        "Section 5",
        "V2 of MSP has the lowest swap rate across data sets, and across query sets",
        tuple(
            Check(
                f"Table {20 if column < 3 else 21}, {name}",
                all(
                    Fraction(SWAPS["MSP_V2"][column]) < Fraction(SWAPS[metric][column])
                    for metric in ("MAP", "MSP_V1")
                ),
                name != "ideal",
                ("RS-ERR-30",) if name == "ideal" else (),
            )
            for column, name in enumerate(names)
        ),
    )


def claim_on_query_sets() -> Claim:
    return Claim(
        "Section 4.4",
        "the uninformative and the ideal queries are two special sub-sets",
        tuple(
            Check(
                f"{of}: two sets of {part} leave others of the {all_}",
                2 * part < all_,
                of != "MQ2007",
                ("RS-ERR-32",) if of == "MQ2007" else (),
            )
            for of, (all_, part) in SAMPLES.items()
        ),
    )


def claims_on_formulas(backend: str) -> Iterator[Claim]:
    """Eqs. 7 and 9, and the expectation of SP, on all small pools."""

    def by(metric: Any, pools: Sequence[Sequence[int]], k: int, bounds: str) -> list[float]:
        parameters = {"gain": "exp2"} if metric is DCG else {}
        found: Any = RLB(metric(k=k, **parameters), bounds=bounds).of(pools, backend=backend)
        return [float(x) for x in found]

    formula, exact = "karmaker-2022", "exact"
    agree = all(
        by(DCG, pools, k, formula) == by(DCG, pools, k, exact)
        for n in range(1, 6)
        for pools in [[list(x) for x in combinations_with_replacement(range(3), n)]]
        for k in range(1, n + 1)
    )
    (beyond,) = by(DCG, [[1]], 2, formula)
    yield Claim(
        "Section 4.3.1, eq. 7",
        "the expected DCG@k is the mean gain times the sum of the discounts of k ranks",
        (
            Check("labels 0, 1, 2, up to five items, k up to their number", agree, True),
            Check(
                f"one item of label 1, k = 2: its DCG@2 is 1, eq. 7 gives {beyond:.4f}",
                beyond == by(DCG, [[1]], 2, exact)[0],
                False,
                ("RS-ERR-6",),
            ),
        ),
    )
    mixed = [(N_p, N_n) for N_p in range(1, 8) for N_n in range(1, 8)]
    identity = all(
        (N_p + N_n) * sum(j * comb(N_p, j) * comb(N_n, i - j) for j in range(1, i + 1))
        == N_p * i * comb(N_p + N_n, i)
        for N_p, N_n in mixed
        for i in range(1, N_p + N_n + 1)
    )
    below = all(
        a < b
        for k in range(1, 8)
        for pools in [[[1] * N_p + [0] * N_n for N_p, N_n in mixed if N_p + N_n >= k]]
        for a, b in zip(by(SP, pools, k, formula), by(SP, pools, k, exact), strict=True)
    )
    (printed,), (right,) = by(SP, [[1, 1, 0, 0]], 1, formula), by(SP, [[1, 1, 0, 0]], 1, exact)
    yield Claim(
        "Section 4.5.1, eq. 9",
        "the expected precision at i is the share of relevant items",
        (Check("up to seven relevant and seven other items, every i: eq. 9", identity, True),),
    )
    yield Claim(
        "Section 4.5.1",
        "the expected SP@k is k (Np / n)^2",
        (
            Check(
                f"two of four items relevant, k = 1: the formula gives {printed}, the mean of all "
                f"orders is {right}",
                printed == right,
                False,
                ("RS-ERR-5",),
            ),
            Check(
                "up to seven relevant and seven other items, k to 7: the formula is too low",
                below,
                True,
                ("RS-ERR-5",),
            ),
        ),
    )


def claim_on_penalties(backend: str) -> Claim:
    values = worked(backend)
    left = {name: (V1 / A, V2 / A) for name, (A, _, V1, V2) in values.items()}
    return Claim(
        "Section 3.3",
        "normalisation penalises hard and easy queries, and ideal ones least",
        tuple(
            Check(
                f"the examples, V{version + 1}: less of nDCG is left of hard and easy than of "
                "informative, and of that less than of ideal",
                max(left["hard"][version], left["easy"][version])
                < left["informative"][version]
                < left["ideal"][version],
                True,
            )
            for version in (0, 1)
        ),
    )


def not_computable() -> Iterator[Claim]:
    """What no definition gives without the rankings: said, so that no figure is left out."""
    where = "Not computed"
    for claim in (
        "Tables 2 to 5 and 12 to 15, 480 means over queries: the eight trained rankers, their "
        "rankings and the samples of queries are not published",
        "Tables 6, 9, 10, 11, 16, 19, 20 and 21, uninformative and ideal queries: the means over "
        "these queries are not printed",
        "Tables 7, 8, 17 and 18: the tests need the values of each query",
        "Figures 2 and 3, the histograms, and 1,700 queries, 119.06 and 41.47 documents a query: "
        "they are of samples that are not published",
    ):
        yield Claim(where, claim, ())


PAPER = Paper(
    name="karmaker-2022",
    authors="Karmaker and Feng",
    title="Joint upper & lower bound normalization for IR evaluation",
    year=2022,
    contents="what Tables 2 to 21 say of one another, eqs. 5 to 9 on examples; with --data the "
    "experiment, on LETOR files ranked by features",
    compute=compute,
    options=("data",),
)
