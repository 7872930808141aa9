"""karmaker-2022: the errata of its tables, from the printed cells alone."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil, floor, isqrt
from typing import Any

import pytest

import rankspec as rs
from rankspec.papers.karmaker_2022 import printed as paper
from rankspec.papers.karmaker_2022.tables import nearest_count, possible, swap_rate, tau
from rankspec.papers.reproduction import Reproduction

from . import errata

HALF = Fraction(1, 20_000)  # of a unit of the fourth decimal


@pytest.fixture(scope="module")
def found() -> Reproduction:
    return rs.reproduce("karmaker-2022")


def mean(cells: Any) -> Fraction:
    return Fraction(sum(map(Fraction, cells)), len(cells))


def column(metric: str, data_set: str, **instead: str) -> dict[str, Fraction]:
    """The mean of each row, with another cell at k = 15 for some methods."""
    rows = paper.PRINTED[metric, data_set]
    return {m: mean((*row[:2], instead.get(m, row[2]), *row[3:])) for m, row in rows.items()}


def order(values: dict[str, Fraction]) -> list[str]:
    assert len(set(values.values())) == 8
    return sorted(values, key=values.__getitem__, reverse=True)


def differing(one: list[str], other: list[str]) -> set[frozenset[str]]:
    """The pairs that stand in another order: their first of one list is the second of the other."""
    return {frozenset((a, b)) for a, b in combinations(one, 2) if other.index(b) < other.index(a)}


def pad_bounds(values: dict[str, Fraction], error: Fraction = HALF) -> tuple[Fraction, Fraction]:
    """What the mean PAD of all pairs can be if each mean is within an error."""
    least = most = Fraction(0)
    for low, high in combinations(sorted(values.values()), 2):
        assert low + error < high - error  # which is the greater one is beyond doubt
        ends = [1 - (low + a) / (high + b) for a in (-error, 0, error) for b in (-error, 0, error)]
        least, most = least + min(ends), most + max(ends)
    return 100 * least / 28, 100 * most / 28


def pad(values: dict[str, Fraction]) -> Fraction:
    return pad_bounds(values, Fraction(0))[0]


def places(printed: str) -> int:
    return len(printed.partition(".")[2])


def cut(value: Fraction, decimals: int) -> str:
    return errata.truncated(value, decimals) if decimals else str(floor(value))


def round_half_up(value: Fraction, decimals: int) -> str:
    return errata.rounded(value, decimals) if decimals else str(floor(value + Fraction(1, 2)))


def test_the_printed_cells() -> None:
    """Eight methods at five cut-offs for each metric and data set, with four decimals at most."""
    assert len(paper.PRINTED) == 12
    for rows in paper.PRINTED.values():
        assert tuple(rows) == paper.METHODS
        assert {len(row) for row in rows.values()} == {5}
        assert all(1 <= places(cell) <= 4 for row in rows.values() for cell in row)


@pytest.mark.spec("RS-ERR-24")
def test_the_table_of_what_is_cut_off(found: Reproduction) -> None:
    rows = errata.table("RS-ERR-24")
    for printed, value, rounded in rows:
        assert cut(Fraction(value), places(printed)) == printed
        assert round_half_up(Fraction(value), places(printed)) == rounded != printed
    verdicts: dict[str, set[str]] = {}
    for table in found.tables:
        for _, _, figure in table.figures():
            verdicts.setdefault(figure.verdict, set()).add(figure.printed)
    of_pad = {"1.74", "35.7", "25.57", "20.01"}
    listed = {row[0] for row in rows}
    assert of_pad <= verdicts["RS-ERR-24"] <= listed | of_pad
    assert listed <= verdicts["RS-ERR-24"] | verdicts["possible"]
    assert "26" in verdicts["equal"]
    assert cut(Fraction(3600, 140), 0) == "25"


@pytest.mark.spec("RS-ERR-24")
def test_every_rate_is_a_share_of_28_pairs() -> None:
    """Cut off, each is d/28 or 1 - 2d/28 for one d; but for that of RS-ERR-27.

    Two decimals at least: "0.5" is 0.50, as final zeros are left out.
    """

    def counts(printed: str, rates: list[Fraction]) -> list[int]:
        decimals = max(2, places(printed))
        return [d for d, x in enumerate(rates) if Fraction(cut(x, decimals)) == Fraction(printed)]

    swaps = [Fraction(d, 28) for d in range(29)]
    taus = [1 - Fraction(d, 14) for d in range(15)]
    for printed in {x for row in paper.SWAPS.values() for x in row}:
        assert counts(printed, swaps) == [nearest_count(printed, swap_rate)]
    for printed in {x for row in paper.TAU.values() for x in row} - {"0.624"}:
        assert counts(printed, taus) == [nearest_count(printed, tau)]
    assert counts("0.624", taus) == []


@pytest.mark.spec("RS-ERR-24")
def test_the_orders_by_the_means_give_every_tau() -> None:
    originals = {"DCG": "nDCG", "MSP": "MAP"}
    for (metric, of), (printed, *_) in paper.TAU.items():
        original = column(originals[metric[:3]], of)
        d = len(differing(order(original), order(column(metric, of))))
        assert float(cut(1 - Fraction(2 * d, 28), 3)) == float(printed)


@pytest.mark.spec("RS-ERR-25")
def test_the_table_of_pad() -> None:
    rows = errata.table("RS-ERR-25")
    assert len(rows) == 5
    listed = {(row[0], row[1]) for row in rows}
    assert listed == {cell[1:] for cell in (*paper.ERRATA["RS-ERR-25"], *paper.WITHIN)}
    for metric, of, printed, value, least, most in rows:
        assert printed == paper.PAD[metric][paper.DATA_SETS.index(of)]
        values = column(metric, of)
        low, high = pad_bounds(values)
        assert errata.rounded(pad(values), 4) == value
        assert Fraction(least) == Fraction(floor(100 * low), 100)
        assert Fraction(most) == Fraction(ceil(100 * high), 100)
        within = low <= Fraction(printed) <= high
        assert within == (printed == "6.42") == ((9, metric, of) in paper.WITHIN)
    for metric, printed in paper.PAD.items():
        for of, figure in zip(paper.DATA_SETS, printed, strict=False):
            if (metric, of) not in listed | {("MSP_V2", "MQ2007")}:
                assert cut(pad(column(metric, of)), places(figure)) == figure


@pytest.mark.spec("RS-ERR-25")
def test_6_42_can_be_had() -> None:
    """Means that are printed as these are, and whose PAD is cut off to it."""
    values = column("DCG_V2", "MQ2007")
    low_end = {
        m: x + (HALF if x < mean(list(values.values())) else -HALF) for m, x in values.items()
    }
    assert pad(low_end) < Fraction("6.43")
    assert pad(values) > Fraction("6.42")  # and in between all


@pytest.mark.spec("RS-ERR-25")
def test_pad_of_negative_means() -> None:
    values = column("MSP_V2", "MSLR-WEB30K")
    near = {m: values[m] for m in ("L2LR", "RNet", "LNet")}
    assert [errata.rounded(abs(x), 4) for x in near.values()] == ["0.0150", "0.0520", "0.0529"]
    assert [x > 0 for x in near.values()] == [True, False, False]
    shares = [100 * (max(a, b) - min(a, b)) / max(a, b) for a, b in combinations(near.values(), 2)]
    assert errata.rounded(shares[1], 2) == "453.34"
    assert errata.rounded(-shares[2], 2) == "1.69"
    assert shares[2] < 0
    assert errata.rounded(sum(shares, Fraction(0)) / 28, 2) == "32.11"


@pytest.mark.spec("RS-ERR-26")
def test_the_cell_with_a_zero_too_many() -> None:
    rows = paper.PRINTED["MSP_V2", "MQ2007"]
    falls = [
        m for m, row in rows.items() if not all(Fraction(a) < Fraction(b) for a, b in pairwise(row))
    ]
    assert falls == ["ARank"]
    assert rows["ARank"][2] == "0.0116"
    assert errata.rounded(pad(column("MSP_V2", "MQ2007")), 4) == "22.8452"
    right = column("MSP_V2", "MQ2007", ARank="0.116")
    assert errata.rounded(pad(right), 4) == "20.0164"
    assert cut(pad(right), 2) == "20.01" == paper.PAD["MSP_V2"][1]
    for cell, least, value in (("0.0116", "22.79", "22.8452"), ("0.1116", "20.08", "20.1356")):
        other = column("MSP_V2", "MQ2007", ARank=cell)
        low, _ = pad_bounds(other)
        assert cut(low, 2) == least
        assert errata.rounded(pad(other), 4) == value
        assert least in errata.entry("RS-ERR-26")
        assert low > Fraction("20.02")
        assert order(other)[-1] == "ARank"
    assert order(right)[-1] == "ARank"


def partitions(n: int, largest: int) -> Any:
    if n == 0:
        yield ()
    for part in range(min(n, largest), 0, -1):
        for rest in partitions(n - part, part):
            yield (part, *rest)


@pytest.mark.spec("RS-ERR-27")
def test_no_tau_of_eight_methods() -> None:
    def cut_to_0_624(s: int, ab: int) -> bool:
        return isqrt(s * s * 10**6 // ab) == 624  # floor(1000 s / sqrt(ab))

    untied = {28 - sum(g * (g - 1) // 2 for g in groups): groups for groups in partitions(8, 8)}
    have = {
        (a, b, s)
        for a in untied
        for b in untied
        for s in range(1, min(a, b) + 1)
        if a >= b and cut_to_0_624(s, a * b)
    }
    assert have == {(16, 13, 9)}
    assert untied[16] == (4, 4)
    assert untied[13] == (6, 1, 1)
    assert not [d for d in range(15) if cut(1 - Fraction(d, 14), 3) == "0.624"]
    assert cut(1 - Fraction(5, 14), 3) == "0.642"
    assert cut(1 - Fraction(6, 14), 3) == "0.571"
    assert sorted("0.624") == sorted("0.642")


@pytest.mark.spec("RS-ERR-28")
def test_disagreements_by_their_definition() -> None:
    """Of x and y differences z are common: all z that 140 comparisons leave room for."""

    def possible_numbers(x: int, y: int) -> set[int]:
        return {x + y - 2 * z for z in range(max(0, x + y - 140), min(x, y) + 1)}

    impossible = set()
    originals = {"DCG": "nDCG", "MSP": "MAP"}
    for (metric, of), conflicts in paper.CONFLICTS.items():
        both = paper.SIGNIFICANT[originals[metric[:3]], of], paper.SIGNIFICANT[metric, of]
        for name, x, y, disagree in zip(paper.QUERY_SETS, *both, conflicts, strict=True):
            assert (disagree in possible_numbers(x, y)) == possible(x, y, disagree)
            if disagree not in possible_numbers(x, y):
                impossible.add((metric, of, name, f"{x}", f"{y}", f"{disagree}"))
    assert impossible == {tuple(row[:6]) for row in errata.table("RS-ERR-28")}
    for x in range(0, 141, 7):
        for y in range(0, 141, 5):
            can = {disagree for disagree in range(141) if possible(x, y, disagree)}
            assert can == possible_numbers(x, y)


@pytest.mark.spec("RS-ERR-29")
def test_the_orders_of_both_data_sets() -> None:
    text = errata.entry("RS-ERR-29").replace("\n", " ")
    first, second = (order(column("nDCG", of)) for of in paper.DATA_SETS)
    assert ", ".join(first) in text
    assert ", ".join(second) in text
    assert [order(column("DCG_V1", of)) for of in paper.DATA_SETS] == [first, second]
    assert differing(first, second) == {frozenset(("LMART", "RF")), frozenset(("RBoost", "L2LR"))}
    third = order(column("DCG_V2", "MQ2007"))
    assert order(column("DCG_V2", "MSLR-WEB30K")) == first
    assert ", ".join(third) in text
    assert differing(first, third) == {
        frozenset(("LMART", "RF")),
        frozenset(("ARank", "RBoost")),
        frozenset(("ARank", "L2LR")),
    }
    for metric in ("MAP", "MSP_V1", "MSP_V2"):
        d = len(differing(*(order(column(metric, of)) for of in paper.DATA_SETS)))
        assert float(cut(Fraction(d, 28), 3)) == float(paper.SWAPS[metric][0])


@pytest.mark.spec("RS-ERR-30")
def test_what_the_text_says() -> None:
    assert len(errata.table("RS-ERR-30")) == 8
    assert paper.TAU["DCG_V1", "MQ2007"] == ("1", "1", "1")
    assert [paper.TAU["MSP_V1", of] for of in paper.DATA_SETS] == [("1", "1", "1")] * 2
    assert paper.CONFLICTS["MSP_V1", "MQ2007"][1:] == (2, 3)
    detected = {m: paper.SIGNIFICANT[m, "MQ2007"][0] for m in ("nDCG", "DCG_V1", "DCG_V2")}
    assert detected == {"nDCG": 0, "DCG_V1": 0, "DCG_V2": 6}
    assert paper.TAU["MSP_V2", "MQ2007"] == ("0.785", "0.624", "1")
    ideal = {metric: row[2] for metric, row in paper.SWAPS.items()}
    assert max(ideal[m] for m in ("MAP", "MSP_V1", "MSP_V2")) == ideal["MSP_V2"] == "0.321"
    assert (paper.SWAPS["DCG_V1"][3], paper.SWAPS["nDCG"][3]) == ("0.25", "0.21")


@pytest.mark.spec("RS-ERR-31")
def test_by_eq_3_later_ranks_would_be_better_than_the_first() -> None:
    for row in paper.PRINTED["MAP", "MQ2007"].values():
        sp = {k: k * Fraction(cell) for k, cell in zip(paper.CUTOFFS, row, strict=True)}
        assert (sp[30] - sp[20]) / 10 > sp[5] / 5
    last = [Fraction(row[4]) for row in paper.PRINTED["MAP", "MQ2007"].values()]
    assert (min(last), max(last)) == (Fraction("0.3624"), Fraction("0.4140"))


@pytest.mark.spec("RS-ERR-31", "RS-ERR-5")
@pytest.mark.parametrize(("N_p", "n"), [(1, 2), (3, 7), (6, 7), (5, 5)])
def test_what_a_rank_of_a_random_ranking_adds_falls(N_p: int, n: int) -> None:
    """By all placements of the relevant items."""
    orders = [[int(i in chosen) for i in range(n)] for chosen in combinations(range(n), N_p)]
    adds = [mean([Fraction(sum(R[: i + 1]) * R[i], i + 1) for R in orders]) for i in range(n)]
    assert adds == [
        Fraction(N_p, n) * (Fraction(1, i) + Fraction(i - 1, i) * Fraction(N_p - 1, n - 1))
        for i in range(1, n + 1)
    ]
    assert all(a > b for a, b in pairwise(adds)) == (N_p < n)


@pytest.mark.spec("RS-ERR-32")
def test_two_halves() -> None:
    assert paper.SAMPLES == {"MSLR-WEB30K": (10_000, 1_000), "MQ2007": (1_000, 500)}
    assert [2 * part == all_ for all_, part in paper.SAMPLES.values()] == [False, True]
