"""The claims of karmaker-2022: of its tables, of its formulas, and what cannot be computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb
from typing import Any

from ...metrics.catalogue import DCG, RLB, SP, UL1, UL2
from ..reproduction import Check, Claim
from .printed import (
    CONFLICTS,
    CUT_OFF,
    CUTOFFS,
    DATA_SETS,
    METHODS,
    NUMBERS,
    PAD,
    PAD_TABLES,
    PAIRS,
    PRINTED,
    QUERY_SETS,
    RIGHT_CELL,
    SAMPLES,
    SIGNIFICANT,
    STUDIES,
    SWAPS,
    TAU,
    Cells,
)
from .tables import (
    corrected,
    counts,
    cut_off,
    in_other_order,
    means,
    pad,
    possible,
    study_of,
    tau,
    worked,
)


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
                "Table 13, all eight methods: so SP would grow by more a rank in ranks 21 to 30 "
                "than in the first 5, as of rankings that are better at their end",
                any(late <= early for early, late in sp_a_rank("MQ2007")),
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

    def as_printed(columns: Callable[[str, str], Mapping[str, Fraction]]) -> int:
        return sum(
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
                f"by the means of the five cut-offs: {as_printed(means)} of 8 tau as printed",
                as_printed(means) == len(TAU),
                True,
                (CUT_OFF,),
            ),
            *(
                Check(
                    f"by the scores at k = {k}: {as_printed(at(index))} of 8",
                    as_printed(at(index)) == len(TAU),
                    False,
                )
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
                "no orders of eight methods without ties have it; if five pairs differ it is 0.642",
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
                "Table 6, and the means of Tables 2 to 5: 3 pairs by V2 on MQ2007, 0 by the others",
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
        "Section 5",
        "orders and significant differences disagree more for uninformative queries than for ideal",
        tuple(
            Check(
                f"{metric} on {of}: tau {TAU[metric, of][1]} and {TAU[metric, of][2]}, "
                f"{CONFLICTS[metric, of][1]} and {CONFLICTS[metric, of][2]} disagreements",
                Fraction(TAU[metric, of][1]) < Fraction(TAU[metric, of][2])
                and CONFLICTS[metric, of][1] > CONFLICTS[metric, of][2],
                metric != "MSP_V1" and (metric, of) != ("DCG_V1", "MQ2007"),
                ("RS-ERR-30",)
                if metric == "MSP_V1" or (metric, of) == ("DCG_V1", "MQ2007")
                else (),
            )
            for metric, of in TAU
        ),
    )
    yield Claim(
        "Section 4.5.2",
        "V2 of MSP ranks the methods in another order than MAP for all query sets of both data "
        "sets",
        tuple(
            Check(
                f"Table 16, {name} of {of}: tau is {TAU['MSP_V2', of][column]}",
                TAU["MSP_V2", of][column] != "1",
                (of, name) != ("MQ2007", "Ideal"),
                ("RS-ERR-30",) if (of, name) == ("MQ2007", "Ideal") else (),
            )
            for of in DATA_SETS
            for column, name in enumerate(QUERY_SETS)
        ),
    )


def claims_on_pad() -> Iterator[Claim]:
    """Which PAD is greater, by the printed figures and by the means; and what it is."""
    checks = []
    for study, (original, *others) in STUDIES.items():
        number = PAD_TABLES[study]
        greater = all(
            Fraction(x) > Fraction(y)
            for metric in others
            for x, y in zip(PAD[metric], PAD[original], strict=True)
        )
        checks.append(
            Check(f"Table {number}, as printed: in all 12 comparisons with {study}", greater, True)
        )
        computed = all(
            pad(means(metric, of).values()) > pad(means(original, of).values())
            for metric in others
            for of in DATA_SETS
        )
        checks.append(Check("All Query, by the means: in all four", computed, True))
    claim = "PAD, by which a metric that distinguishes better is higher, is higher for V1 and V2"
    yield Claim("Sections 4.4.3 and 4.5.4", claim, tuple(checks))
    of_negatives = means("MSP_V2", "MSLR-WEB30K")
    shares = [pad((of_negatives[a], of_negatives[b])) for a, b in combinations(METHODS, 2)]
    yield Claim(
        "Eq. 8",
        "PAD is a percentage",
        (
            Check(
                "Table 14, V2, where two means are negative: PAD of a pair is from "
                f"{float(min(shares)):.2f} to {float(max(shares)):.2f}",
                all(0 <= share <= 100 for share in shares),
                False,
                ("RS-ERR-25",),
            ),
        ),
    )


IMPOSSIBLE = {
    ("DCG_V2, MSLR-WEB30K", "uninform."): "it is odd and 45 at least, unless a "
    "difference in opposite directions is counted",
    ("MSP_V1, MQ2007", "All"): "it is 5 at least",
    ("MSP_V2, MQ2007", "All"): "it is 14 at least",
}


def numbers(metric: str, of: str) -> str:
    return ", ".join(map(str, SIGNIFICANT[metric, of]))


def claims_on_counts() -> Iterator[Claim]:
    for study, tables in {"nDCG": "7 and 8", "MAP": "17 and 18"}.items():
        checks, sound = [], []
        for label, name, first, second, conflicts in counts(study):
            can = possible(first, second, conflicts)
            why = IMPOSSIBLE.get((label, name))
            if why is None:
                sound.append(can)
            else:
                fact = f"{label}, {name}: {conflicts} of {first} and {second}, but {why}"
                checks.append(Check(fact, can, False, ("RS-ERR-28",)))
        checks.append(Check(f"the other {len(sound)} can be", all(sound), True))
        yield Claim(
            f"Tables {tables}",
            "the numbers of significant differences by two metrics, and of disagreements, go "
            "together",
            tuple(checks),
        )
    all_ = {metric: SIGNIFICANT[metric, "MQ2007"][0] for metric in STUDIES["nDCG"]}
    yield Claim(
        "Section 4.4.3",
        "on MQ2007 V1 of DCG detects more differences than nDCG over all queries, and V1 and V2 "
        "over the ideal ones",
        (
            *(
                Check(
                    f"Table 8, All: {number} by {metric}, {all_['nDCG']} by nDCG",
                    number > all_["nDCG"],
                    metric != "DCG_V1",
                    ("RS-ERR-30",),
                )
                for metric, number in all_.items()
                if metric != "nDCG"
            ),
            Check(
                "Table 8, Ideal: 8 by DCG_V1, 15 by DCG_V2, 7 by nDCG",
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
                f"Tables 8 and 18, {metric} on {of}: {numbers(metric, of)}, by "
                f"{study_of(metric)} {numbers(study_of(metric), of)}",
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
                "Tables 10 and 11, as printed: 0.25 of V1 there, 0.21 of nDCG; the others equal",
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
                f"Table {20 if column < 3 else 21}, {name}: {SWAPS['MSP_V2'][column]}; MAP "
                f"{SWAPS['MAP'][column]}, V1 {SWAPS['MSP_V1'][column]}",
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
                f"{of}: two sets of {part}, of {all_} queries",
                2 * part < all_,
                of != "MQ2007",
                ("RS-ERR-32",) if of == "MQ2007" else (),
            )
            for of, (all_, part) in SAMPLES.items()
        ),
    )


def claims_on_extremes(backend: str) -> Iterator[Claim]:
    """What section 4.0.1 says of the values of eqs. 5 and 6, by SP."""

    def by(bound: Any, labels: Sequence[int], k: int) -> float:
        return float(bound(SP(k=k)).of(labels, backend=backend))

    perfect = [by(UL1, [1] * N_p + [0] * N_n, N_p) for N_p in (1, 2) for N_n in (0, 1, 2)]
    yield Claim(
        "Section 4.0.1",
        "the range of V1 is from 0 to 1",
        (
            Check(
                "up to two relevant items before up to two others: the perfect ranking has "
                f"{min(perfect):.4f} to {max(perfect):.4f}",
                1 in perfect,
                False,
                ("RS-ERR-19",),
            ),
        ),
    )
    orders = [by(UL2, labels, 2) for labels in ([1, 0], [0, 1])]
    yield Claim(
        "Section 4.0.1",
        "V2 is 1 of a perfect ranking, 0 of a random one, -1 where all results are irrelevant",
        (
            Check("one relevant item, one other, the perfect ranking: 1", orders[0] == 1, True),
            Check("the same, k = 1, the relevant one last: -1", by(UL2, [0, 1], 1) == -1, True),
            Check(
                f"the same, k = 2: {orders[0]:.4f} and {orders[1]:.4f}, with the mean "
                f"{sum(orders) / 2:.4f}",
                orders[0] == -orders[1],
                False,
                ("RS-ERR-20",),
            ),
            Check(
                f"one relevant item alone, whose ranking is perfect: {by(UL2, [1], 1):.4f}",
                by(UL2, [1], 1) == 1,
                False,
                ("RS-ERR-21",),
            ),
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
            Check("labels 0, 1, 2, up to five items, k up to their number: equal", agree, True),
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
        (Check("up to seven relevant and seven other items, every i: equal", identity, True),),
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
                "up to seven relevant and seven other items, k to 7: the formula gives less of all",
                not below,
                False,
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
