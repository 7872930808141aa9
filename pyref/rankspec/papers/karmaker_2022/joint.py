"""What the tables of karmaker-2022 leave possible together, though each figure alone could be.

Two orders of eight methods without ties differ in a number of pairs. Walk from order to order and
back to the first: each pair is turned an even number of times, so that the numbers sum to an even
one, and none is above the sum of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, groupby
from math import sqrt
from typing import NamedTuple

from ..reproduction import Cell, Check, Claim, Table
from .printed import (
    CUTOFFS,
    DATA_SETS,
    METHODS,
    NUMBERS,
    PRINTED,
    QUERY_SETS,
    SAMPLES,
    SIGNIFICANT,
    STUDIES,
    SWAP_TABLES,
    SWAPS,
    TAU,
    TAU_TABLES,
)
from .tables import counts, cut_off, lost_and_gained, nearest_count, study_of, swap_rate, tau

UNINFORMATIVE, IDEAL = QUERY_SETS[1:]
HALF = Fraction(1, 20_000)  # of the last place of a printed mean
# The t at which a difference is significant at 0.05, with 999 degrees of freedom or more: at most.
CRITICAL_T = 1.963


class Walk(NamedTuple):
    """A closed walk over orders: from each to the next, and from the last to the first.

    orders: what is ranked by what
    steps: in how many pairs one order and the next differ
    same_sets: whether it needs the query sets of MSLR-WEB30K to be the same in all tables
    """

    orders: str
    steps: tuple[int, ...]
    same_sets: bool

    @property
    def possible(self) -> bool:
        return sum(self.steps) % 2 == 0 and 2 * max(self.steps) <= sum(self.steps)


def tau_step(metric: str, of: str, queries: str) -> int:
    """In how many pairs the original metric and another differ, by Table 6 or 16."""
    return nearest_count(TAU[metric, of][QUERY_SETS.index(queries)], tau)


def across_step(metric: str, queries: str) -> int:
    """In how many pairs the data sets differ, by Table 10 or 20."""
    return nearest_count(SWAPS[metric][QUERY_SETS.index(queries)], swap_rate)


def within_step(metric: str, of: str) -> int:
    """In how many pairs uninformative and ideal queries differ, by Table 11 or 21."""
    return nearest_count(SWAPS[metric][len(QUERY_SETS) + DATA_SETS.index(of)], swap_rate)


def walks(study: str) -> Iterator[Walk]:
    """All that go along four figures."""
    original, *others = STUDIES[study]
    first, second = DATA_SETS
    for metric in others:
        both = f"{original} and {metric}"
        for of in DATA_SETS:
            steps = (
                tau_step(metric, of, UNINFORMATIVE),
                within_step(metric, of),
                tau_step(metric, of, IDEAL),
                within_step(original, of),
            )
            yield Walk(f"{both}, {of}, both query sets", steps, same_sets=False)
        for queries in QUERY_SETS:
            steps = (
                tau_step(metric, first, queries),
                across_step(metric, queries),
                tau_step(metric, second, queries),
                across_step(original, queries),
            )
            yield Walk(f"{both}, {queries}, both data sets", steps, queries != QUERY_SETS[0])
    for metric in STUDIES[study]:
        steps = (
            across_step(metric, UNINFORMATIVE),
            within_step(metric, second),
            across_step(metric, IDEAL),
            within_step(metric, first),
        )
        yield Walk(f"{metric}, both data sets and query sets", steps, same_sets=True)


def walks_table(study: str) -> Table:
    rows: list[tuple[str, tuple[Cell, ...]]] = [
        (
            walk.orders,
            (
                " + ".join(map(str, walk.steps)),
                sum(walk.steps),
                ("yes" if walk.possible else "no") + ", same" * walk.same_sets,
            ),
        )
        for walk in walks(study)
    ]
    across, within = SWAP_TABLES[study]
    return Table(
        f"Tables {TAU_TABLES[study]}, {across} and {within} together: pairs of methods in another "
        "order, along four figures and back to the first order; the sum must be even. Same: so "
        f"if Table {across} is of the same query sets of MSLR-WEB30K as the others",
        "orders",
        ("pairs", "sum", "possible"),
        tuple(rows),
    )


def claims_on_walks() -> Iterator[Claim]:
    """Which figures cannot be together, whatever the orders are."""
    odd = {
        "nDCG and DCG_V2, All, both data sets": "RS-ERR-29",
        "nDCG and DCG_V2, MQ2007, both query sets": "RS-ERR-43",
    }
    for study in STUDIES:
        across, within = SWAP_TABLES[study]
        checks = []
        for same_sets, begin in ((False, ""), (True, "if of the same query sets: ")):
            found = [walk for walk in walks(study) if walk.same_sets == same_sets]
            checks += [
                Check(
                    f"{begin}{walk.orders}: {' + '.join(map(str, walk.steps))} pairs, which is odd",
                    False,
                    False,
                    ("RS-ERR-44",) if same_sets else (odd[walk.orders],),
                )
                for walk in found
                if not walk.possible
            ]
            rest = sum(walk.possible for walk in found)
            if rest:
                checks.append(Check(f"{begin}the other {rest}: even sums", True, True))
        yield Claim(
            f"Tables {TAU_TABLES[study]}, {across} and {within}",
            "there are orders of eight methods with these tau and swap rates",
            tuple(checks),
        )


# Significant differences


def _check_lost(label: str, rows: Sequence[tuple[str, str, int, int, int]]) -> Check:
    """Whether any difference is lost, by the rows that can be."""
    found = []
    for _, name, *numbers in rows:
        lost, gained = lost_and_gained(*numbers)
        whole = lost.denominator == 1 and lost >= 0
        found.append((name, lost if whole else None, gained))
    words = [
        f"{name}: {lost} lost, {gained} gained" if lost is not None else f"{name}: impossible"
        for name, lost, gained in found
    ]
    any_lost = any(lost for _, lost, _ in found)
    expected = label == f"MSP_V2, {DATA_SETS[0]}"
    return Check(f"{label}: {'; '.join(words)}", any_lost, expected, ("RS-ERR-45",))


def must_be_found(metric: str, of: str) -> int:
    """How many differences of printed means every t test, paired or not, must find.

    Values between l and 1 with the mean m have a variance of at most (1 - m)(m - l), and the
    standard deviation of differences is at most the sum of both.
    """
    n, _ = SAMPLES[of]
    lowest = -1 if metric.endswith("V2") else 0

    def deviation(printed: float) -> float:
        """The greatest of all m that are so printed: that of the m nearest to the middle."""
        m = min(max((1 + lowest) / 2, printed - float(HALF)), printed + float(HALF))
        return sqrt((1 - m) * (m - lowest))

    rows = {method: [float(x) for x in row] for method, row in PRINTED[metric, of].items()}
    return sum(
        abs(rows[a][at] - rows[b][at]) - 2 * float(HALF)
        > CRITICAL_T * (deviation(rows[a][at]) + deviation(rows[b][at])) / sqrt(n - 1)
        for at in range(len(CUTOFFS))
        for a, b in combinations(METHODS, 2)
    )


def claims_on_significance() -> Iterator[Claim]:
    yield Claim(
        "Abstract",
        "some differences that are significant by the original metric no longer are by V1 and V2",
        tuple(
            _check_lost(label, list(rows))
            for study in STUDIES
            for label, rows in groupby(counts(study), lambda row: row[0])
        ),
    )
    yield Claim(
        "Tables 8 and 18, All",
        "the means of Tables 2 to 5 and 12 to 15 differ as often as is said",
        tuple(
            Check(
                f"{metric}, {of}: {SIGNIFICANT[metric, of][0]}; every t test finds "
                f"{must_be_found(metric, of)} at least, whatever the queries",
                must_be_found(metric, of) <= SIGNIFICANT[metric, of][0],
                True,
            )
            for metric, of in NUMBERS
        ),
    )


# Consistency


def better_swap_rates(metric: str, columns: Sequence[int]) -> tuple[int, int, int]:
    """In how many columns of SWAPS a metric has a lower rate than the original, the same, a
    higher one.
    """
    rates = [(Fraction(SWAPS[metric][c]), Fraction(SWAPS[study_of(metric)][c])) for c in columns]
    signs = [(x > y) - (x < y) for x, y in rates]
    return signs.count(-1), signs.count(0), signs.count(1)


def claims_on_consistency() -> Iterator[Claim]:
    checks = []
    for study, (_, *others) in STUDIES.items():
        across, within = SWAP_TABLES[study]
        for metric in others:
            for number, columns in ((across, range(3)), (within, range(3, 5))):
                lower, same, higher = better_swap_rates(metric, columns)
                fact = (
                    f"Table {number}, {metric}: lower in {lower} columns, the same in {same}, "
                    f"higher in {higher}"
                )
                holds = lower > 0 and higher == 0
                spec = () if holds else ("RS-ERR-46",)
                checks.append(Check(fact, holds, holds, spec))
    yield Claim(
        "Abstract",
        "V1 and V2 have better consistency across data sets, that is lower swap rates",
        tuple(checks),
    )


# Means


def least_share(U: Fraction, V1: Fraction, half: Fraction = Fraction(0)) -> Fraction:
    """The least that the mean of rho = RLB/IUB can be where U and V1 have such means.

    By eq. 5 V1 = U²/(U + rho) of each query, and (Σ U)² <= Σ V1 · Σ (U + rho), by Cauchy and
    Schwarz. half: how far each mean may be from what is printed
    """
    return (U - half) ** 2 / (V1 + half) - (U - half)


def least_shares(of: str, k: int) -> Mapping[str, Fraction]:
    """For each method what Tables 12 to 15 leave of that, at a cut-off."""
    at = CUTOFFS.index(k)
    original, V1, _ = STUDIES["MAP"]
    return {
        method: least_share(
            Fraction(PRINTED[original, of][method][at]), Fraction(PRINTED[V1, of][method][at]), HALF
        )
        for method in METHODS
    }


def claim_on_shares() -> Claim:
    """The bound, which eq. 3 and section 4.5.1 would meet by the relevant documents of queries."""

    def most(k: int) -> Fraction:
        return max(least_shares("MQ2007", k).values())

    return Claim(
        "Tables 13 and 15, eqs. 3 and 5",
        "the lower bound of MSP is a share of k that does not depend on k, the mean of (Np / n)^2",
        (
            Check(
                f"k = 5: {float(cut_off(most(5), 4))} at least, by V1 and MAP; in public parts of "
                "MQ2007 it is 0.1267, or 0.1486 without the queries that have no relevant item",
                most(5) <= Fraction("0.1267"),
                True,
                ("RS-ERR-49",),
            ),
            Check(
                f"k = 30: {float(cut_off(most(30), 4))} at least, more than either",
                most(30) <= Fraction("0.1486"),
                False,
                ("RS-ERR-49",),
            ),
        ),
    )
