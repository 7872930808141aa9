"""karmaker-2022: which printed figures can stand beside each other, and which cannot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import floor, isqrt

import flint
import pytest
from scipy import stats

from rankspec.papers.karmaker_2022 import joint
from rankspec.papers.karmaker_2022 import printed as paper
from rankspec.papers.karmaker_2022.tables import lost_and_gained

from . import errata

Order = Sequence[str]


def turned(one: Order, other: Order) -> set[frozenset[str]]:
    """The pairs in another order."""
    return {frozenset(pair) for pair in combinations(one, 2)
            if other.index(pair[1]) < other.index(pair[0])}  # fmt: skip


def pairs_of(printed: str, of_tau: bool) -> int:
    """The number of pairs, of 28, whose rate is cut off to what is printed (RS-ERR-24)."""
    places = max(2, len(printed.partition(".")[2]))
    if printed == "0.624":  # RS-ERR-27
        printed = "0.642"
    rates = [1 - Fraction(d, 14) if of_tau else Fraction(d, 28) for d in range(15)]
    (found,) = [d for d, x in enumerate(rates)
                if Fraction(floor(x * 10**places), 10**places) == Fraction(printed)]  # fmt: skip
    return found


def tau_pairs(metric: str, of: str) -> tuple[int, ...]:
    return tuple(pairs_of(x, of_tau=True) for x in paper.TAU[metric, of])


def swapped(metric: str) -> tuple[int, ...]:
    return tuple(pairs_of(x, of_tau=False) for x in paper.SWAPS[metric])


def by_means(metric: str, of: str) -> list[str]:
    rows = paper.PRINTED[metric, of]
    return sorted(rows, key=lambda m: sum(map(Fraction, rows[m])), reverse=True)


@pytest.mark.spec("RS-ERR-43")
def test_a_closed_walk_turns_an_even_number_of_pairs() -> None:
    """All walks over three orders of four methods, and over four orders of three."""
    for n, length in ((4, 3), (3, 4)):
        orders = list(permutations("abcd"[:n]))
        sums = {
            sum(len(turned(a, b)) for a, b in zip(walk, (*walk[1:], walk[0]), strict=True))
            for walk in product(orders, repeat=length)
        }
        assert sums == set(range(0, max(sums) + 1, 2))


@pytest.mark.spec("RS-ERR-43", "RS-ERR-29")
def test_the_walks_of_the_errata() -> None:
    both = tau_pairs("DCG_V2", "MQ2007")
    walk = (both[1], swapped("DCG_V2")[4], both[2], swapped("nDCG")[4])
    assert walk == (1, 14, 0, 14)
    assert sum(walk) % 2 == 1
    of_all = (tau_pairs("DCG_V2", "MSLR-WEB30K")[0], swapped("DCG_V2")[0], both[0],
              swapped("nDCG")[0])  # fmt: skip
    assert of_all == (0, 3, 3, 3)
    text = errata.entry("RS-ERR-43").replace("\n", " ")
    assert "1 + 14 + 0 + 14 = 29" in text
    assert "0 + 3 + 3 + 3 = 9" in text
    odd = [w.steps for study in paper.STUDIES for w in joint.walks(study)
           if not w.same_sets and not w.possible]  # fmt: skip
    assert sorted(odd) == sorted([walk, of_all])


# Orders: of uninformative and ideal queries of MQ2007 by nDCG (and V1), and by V2. Each set has
# three of the four figures of RS-ERR-43.
REPAIRED = {
    "tau, uninform.": (
        "RF RBoost ARank LMART L2LR RNet CA LNet",
        "LMART CA ARank L2LR RBoost RF LNet RNet",
        "RF RBoost LMART L2LR ARank RNet CA LNet",
        "LMART CA ARank L2LR RBoost RF LNet RNet",
    ),
    "tau, Ideal": (
        "RF LMART RBoost ARank CA L2LR LNet RNet",
        "L2LR LMART CA ARank RBoost RNet RF LNet",
        "RF LMART RBoost CA ARank L2LR LNet RNet",
        "L2LR LMART ARank CA RBoost RNet RF LNet",
    ),
    "swap rate of V2": (
        "RF LMART CA ARank RBoost L2LR RNet LNet",
        "L2LR LMART CA RNet RBoost ARank LNet RF",
        "RF LMART CA RBoost ARank L2LR RNet LNet",
        "L2LR LMART CA RNet RBoost ARank LNet RF",
    ),
    "swap rate of nDCG": (
        "RF LMART CA ARank L2LR RBoost RNet LNet",
        "LNet RF LMART RBoost CA RNet L2LR ARank",
        "RF LMART ARank CA L2LR RBoost RNet LNet",
        "LNet RF LMART RBoost CA RNet L2LR ARank",
    ),
}


def between(all_: Order, half: Order, other: Order) -> bool:
    """Whether all queries rank a pair as both halves do, where these agree (RS-ERR-32)."""
    return not turned(half, all_) & turned(other, all_)


@pytest.mark.spec("RS-ERR-43", "RS-ERR-32")
def test_each_of_the_four_figures_may_be_the_wrong_one() -> None:
    printed = {"tau, uninform.": 1, "tau, Ideal": 0, "swap rate of V2": 14, "swap rate of nDCG": 14}
    for wrong, orders in REPAIRED.items():
        U, ideal, U2, ideal2 = (x.split() for x in orders)
        have = {
            "tau, uninform.": len(turned(U, U2)),
            "tau, Ideal": len(turned(ideal, ideal2)),
            "swap rate of V2": len(turned(U2, ideal2)),
            "swap rate of nDCG": len(turned(U, ideal)),
        }
        assert {name for name in have if have[name] != printed[name]} == {wrong}
        assert between(by_means("nDCG", "MQ2007"), U, ideal)
        assert between(by_means("DCG_V1", "MQ2007"), U, ideal)
        assert between(by_means("DCG_V2", "MQ2007"), U2, ideal2)
    assert not between(["a", "b"], ["b", "a"], ["b", "a"])  # control


# Orders that have all figures of Tables 6 and 11, and 16 and 21, that are called possible:
# uninformative and ideal queries by the original metric, V1 and V2.
POSSIBLE = {
    ("nDCG", "MSLR-WEB30K"): (
        ("ARank RF RBoost LNet CA RNet LMART L2LR", "ARank LNet RBoost RF RNet LMART L2LR CA"),
        ("ARank RF RBoost LNet CA RNet L2LR LMART", "ARank LNet RBoost RF RNet LMART L2LR CA"),
        ("ARank RF LNet RBoost CA RNet L2LR LMART", "ARank LNet RBoost RF RNet LMART L2LR CA"),
    ),
    ("MAP", "MSLR-WEB30K"): (
        ("LNet ARank RF RBoost CA RNet LMART L2LR", "ARank LNet RBoost RF RNet CA L2LR LMART"),
        ("LNet ARank RF RBoost CA RNet LMART L2LR", "ARank LNet RBoost RF RNet CA L2LR LMART"),
        ("LNet RF ARank RBoost CA RNet L2LR LMART", "LNet ARank RBoost RF RNet CA L2LR LMART"),
    ),
    ("MAP", "MQ2007"): (
        ("CA LMART RF RBoost L2LR ARank RNet LNet", "RF LMART LNet L2LR CA RBoost RNet ARank"),
        ("CA LMART RF RBoost L2LR ARank RNet LNet", "RF LMART LNet L2LR CA RBoost RNet ARank"),
        ("LMART CA RBoost RF L2LR LNet RNet ARank", "RF LMART LNet L2LR CA RBoost RNet ARank"),
    ),
}

# Means over the two halves of MQ2007, in the order of METHODS, that have the PAD of Tables 9 and
# 19, the orders of POSSIBLE or REPAIRED (another swap rate of V2), and the means of all queries.
HALVES = {
    "nDCG": (
        "0.373204 0.352409 0.370794 0.428711 0.366344 0.381814 0.368300 0.384524",
        "0.534236 0.533791 0.534246 0.504089 0.534256 0.534266 0.538300 0.534276",
    ),
    "DCG_V1": (
        "0.205646 0.186631 0.201068 0.242009 0.193022 0.205956 0.193391 0.205966",
        "0.430434 0.430369 0.431612 0.413991 0.434498 0.436404 0.440849 0.437114",
    ),
    "DCG_V2": (
        "0.055765 0.022042 0.056586 0.157684 0.037616 0.074686 0.055666 0.096836",
        "0.450635 0.449598 0.452614 0.401716 0.452624 0.452634 0.452654 0.452644",
    ),
    "MAP": (
        "0.33475 0.33005 0.36611 0.36686 0.33279 0.37762 0.3595 0.36721",
        "0.29749 0.36247 0.35313 0.37934 0.34929 0.36066 0.36186 0.36771",
    ),
    "MSP_V1": (
        "0.24484 0.2396 0.26902 0.27055 0.24171 0.28703 0.26879 0.2708",
        "0.21688 0.28044 0.27318 0.29449 0.26969 0.27357 0.27581 0.28332",
    ),
    "MSP_V2": (
        "0.0906 0.13543 0.19565 0.1898 0.13503 0.21561 0.18741 0.23825",
        "0.1348 0.18317 0.17607 0.23176 0.17577 0.18163 0.18307 0.19063",
    ),
}


def test_the_pad_of_two_halves_is_possible() -> None:
    """Of MSLR-WEB30K the sets are a tenth each, and nothing is known of their means."""
    for metric, halves in HALVES.items():
        study = "nDCG" if metric[0].lower() in "nd" else "MAP"
        U, ideal = (dict(zip(paper.METHODS, map(Fraction, x.split()), strict=True)) for x in halves)
        for method, row in paper.PRINTED[metric, "MQ2007"].items():
            cells = [*map(Fraction, row)]
            if (metric, method) == ("MSP_V2", "ARank"):
                cells[2] = Fraction("0.116")  # RS-ERR-26
            of_all = sum(cells) / 5
            assert abs((U[method] + ideal[method]) / 2 - of_all) <= Fraction(1, 20_000)
        for values, column in ((U, 3), (ideal, 5)):
            shares = [1 - min(x, y) / max(x, y) for x, y in combinations(values.values(), 2)]
            printed = paper.PAD[metric][column]
            places = len(printed.partition(".")[2])
            assert errata.truncated(100 * sum(shares) / 28, places) == printed, (metric, column)
        at = paper.STUDIES[study].index(metric)
        if study == "MAP":
            expected = POSSIBLE["MAP", "MQ2007"][at]
        else:
            orders = REPAIRED["swap rate of V2"]
            expected = orders[2:] if metric == "DCG_V2" else orders[:2]
        for values, order in zip((U, ideal), expected, strict=True):
            assert sorted(values, key=lambda m: values[m], reverse=True) == order.split()


@pytest.mark.spec("RS-ERR-43", "RS-ERR-44")
def test_what_is_called_possible_is() -> None:
    """Tables 10 and 20 need no more: an order of 500 other queries is any number of pairs away."""
    for (study, of), given in POSSIBLE.items():
        orders = [[x.split() for x in both] for both in given]
        (U, ideal), *others = orders
        at = 3 + paper.DATA_SETS.index(of)
        for metric, (u, i) in zip(paper.STUDIES[study], orders, strict=True):
            assert len(turned(u, i)) == swapped(metric)[at], (study, of, metric)
            if of == "MQ2007":
                assert between(by_means(metric, of), u, i)
        for metric, (u, i) in zip(paper.STUDIES[study][1:], others, strict=True):
            _, *expected = tau_pairs(metric, of)
            assert [len(turned(U, u)), len(turned(ideal, i))] == expected, (study, of, metric)


@pytest.mark.spec("RS-ERR-44")
def test_walks_of_the_same_query_sets() -> None:
    rows = errata.table("RS-ERR-44")
    assert len(rows) == 8
    ours = {(" + ".join(map(str, w.steps)), sum(w.steps))
            for study in paper.STUDIES for w in joint.walks(study)
            if w.same_sets and not w.possible}  # fmt: skip
    assert {(steps, int(sum_)) for _, steps, sum_ in rows} == ours
    for _, steps, sum_ in rows:
        assert sum(map(int, steps.split(" + "))) == int(sum_)
        assert int(sum_) % 2 == 1
    for of in paper.DATA_SETS:
        assert tau_pairs("MSP_V1", of) == (0, 0, 0)
    assert swapped("MAP")[1:3] == (10, 8)
    assert swapped("MSP_V1")[1:3] == (9, 7)
    for at, name in ((1, "uninform."), (2, "Ideal")):  # what a walk over both data sets is made of
        steps = (tau_pairs("DCG_V1", "MSLR-WEB30K")[at], swapped("DCG_V1")[at],
                 tau_pairs("DCG_V1", "MQ2007")[at], swapped("nDCG")[at])  # fmt: skip
        own = f"nDCG and DCG_V1, {name}, both data sets"
        assert [w.steps for w in joint.walks("nDCG") if w.orders == own] == [steps]


def outcomes(x: int, y: int, disagree: int, opposite: bool) -> Iterator[tuple[int, int]]:
    """(z common, o of these in opposite directions) with so many disagreements, of 140."""
    for z in range(max(0, x + y - 140), min(x, y) + 1):
        for o in range(z + 1 if opposite else 1):
            if x + y - 2 * z + o == disagree:
                yield z, o


def counted() -> Iterator[tuple[str, str, str, int, int, int]]:
    originals = {"DCG": "nDCG", "MSP": "MAP"}
    for (metric, of), conflicts in paper.CONFLICTS.items():
        both = paper.SIGNIFICANT[originals[metric[:3]], of], paper.SIGNIFICANT[metric, of]
        for name, x, y, disagree in zip(paper.QUERY_SETS, *both, conflicts, strict=True):
            yield metric, of, name, x, y, disagree


@pytest.mark.spec("RS-ERR-28")
def test_only_the_first_row_depends_on_opposite_differences() -> None:
    by_opposites = [list(outcomes(*map(int, row[3:6]), opposite=True))
                    for row in errata.table("RS-ERR-28")]  # fmt: skip
    assert by_opposites == [[(33, 1)], [], []]
    assert "unless opposite differences count" in errata.table("RS-ERR-28")[0][6]


@pytest.mark.spec("RS-ERR-45")
def test_differences_that_are_lost() -> None:
    listed = {tuple(row) for row in errata.table("RS-ERR-45")}
    found, quiet, impossible = set(), [], 0
    for metric, of, name, x, y, disagree in counted():
        common = {z for z, _ in outcomes(x, y, disagree, opposite=False)}
        if not common:
            impossible += 1
            continue
        (z,) = common
        assert lost_and_gained(x, y, disagree) == (x - z, y - z)
        row = tuple(map(str, (metric, of, name, x, y, disagree, x - z, y - z)))
        if disagree:
            found.add(row)
        else:
            quiet.append((metric, of, name))
            assert x == y
        for z, o in outcomes(x, y, disagree, opposite=True):  # then fewer are lost
            assert x - z == Fraction(disagree - o - (y - x), 2) <= x - min(common)
    assert found == listed
    assert (len(found), len(quiet), impossible) == (14, 7, 3)
    lost = {row[:3]: row[6] for row in listed if row[6] != "0"}
    assert lost == {("MSP_V2", "MSLR-WEB30K", "uninform."): "8",
                    ("MSP_V2", "MSLR-WEB30K", "Ideal"): "2"}  # fmt: skip


@pytest.mark.spec("RS-ERR-46")
def test_swap_rates_that_are_lower() -> None:
    totals = {True: [0, 0, 0], False: [0, 0, 0]}
    originals = {"DCG": "nDCG", "MSP": "MAP"}
    columns = {"10": range(3), "20": range(3), "11": range(3, 5), "21": range(3, 5)}
    for number, metric, *counts in errata.table("RS-ERR-46"):
        own = [Fraction(paper.SWAPS[metric][c]) for c in columns[number]]
        theirs = [Fraction(paper.SWAPS[originals[metric[:3]]][c]) for c in columns[number]]
        both = list(zip(own, theirs, strict=True))
        expected = [sum(a < b for a, b in both), sum(a == b for a, b in both),
                    sum(a > b for a, b in both)]  # fmt: skip
        assert list(map(int, counts)) == expected
        across = number in ("10", "20")
        totals[across] = [a + b for a, b in zip(totals[across], expected, strict=True)]
    assert totals == {True: [4, 7, 1], False: [2, 5, 1]}


@pytest.mark.spec("RS-ERR-47")
def test_student_and_the_bootstrap_disagree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Differences 0, 1, 2, 3, 3: all 3125 bootstrap samples, and Student's p by balls."""
    z = (0, 1, 2, 3, 3)
    n = len(z)

    def t_squared(x: Sequence[int]) -> Fraction | None:
        """n mean² / variance; None: all are equal."""
        total, squares = sum(x), sum(v * v for v in x)
        spread = n * squares - total * total
        return Fraction((n - 1) * total * total, spread) if spread else None

    t2 = t_squared(z)
    assert t2 is not None
    shifted = [n * v - sum(z) for v in z]
    beyond = constant = 0
    for sample in product(shifted, repeat=n):
        own = t_squared(sample)
        constant += own is None and sum(sample) != 0
        beyond += own is not None and own >= t2
    text = errata.entry("RS-ERR-47").replace("\n", " ")
    assert (beyond, n**n) == (195, 3125)
    assert constant <= 35
    monkeypatch.setattr(flint.ctx, "prec", 100)
    # Student's distribution with 4 degrees of freedom: sin θ (1 + cos² θ / 2), tan θ = t/2.
    cos2 = 1 / (1 + flint.arb(t2.numerator) / t2.denominator / 4)
    p = 1 - (1 - cos2).sqrt() * (1 + cos2 / 2)
    assert 0.03665 < float(p) < 0.03675
    assert isqrt(int(t2 * 10**6)) == 3086
    assert "t = 3.087" in text
    assert "0.0367" in text
    assert "195 have" in text
    low, high = Fraction(195, 3125), Fraction(230, 3125)
    assert f"{float(low):.4f} to {float(high):.4f}" in text
    assert float(p) < 0.05 < low


@pytest.mark.spec("RS-ERR-48")
def test_a_mean_over_classes_is_another_one() -> None:
    classes = [[1, 1], [0]]
    values = [x for own in classes for x in own]
    over_queries = Fraction(sum(values), len(values))
    over_classes = sum(Fraction(sum(own), len(own)) for own in classes) / 2
    assert (over_queries, over_classes) == (Fraction(2, 3), Fraction(1, 2))
    text = errata.entry("RS-ERR-48").replace("\n", " ")
    assert f"is {over_queries}, over classes {over_classes}" in text


@pytest.mark.spec("RS-ERR-49")
def test_the_bound_of_the_lower_bound() -> None:
    """By all pairs of small queries; and it is met where U and rho are the same for all."""
    shares = [Fraction(a, 4) for a in range(1, 5)]
    for U1, U2, r1, r2 in product(shares, repeat=4):
        V1 = [U * U / (U + r) for U, r in ((U1, r1), (U2, r2))]
        U, V, rho = (U1 + U2) / 2, sum(V1, Fraction(0)) / 2, (r1 + r2) / 2
        least = joint.least_share(U, V)
        assert least <= rho
        assert (least == rho) == (U1 * r2 == U2 * r1)


@pytest.mark.spec("RS-ERR-49")
def test_the_bounds_of_tables_13_and_15() -> None:
    half = Fraction(1, 20_000)
    rows = errata.table("RS-ERR-49")
    (printed,) = [row[1:] for row in rows if row[0].startswith("$\\bar\\rho$")]
    for at, least in enumerate(printed):
        bounds = {}
        for method in paper.METHODS:
            U = Fraction(paper.PRINTED["MAP", "MQ2007"][method][at]) - half
            V = Fraction(paper.PRINTED["MSP_V1", "MQ2007"][method][at]) + half
            bounds[method] = U * U / V - U
        assert errata.truncated(max(bounds.values()), 4) == least
        assert joint.least_shares("MQ2007", paper.CUTOFFS[at]) == bounds
    assert max(bounds, key=lambda m: bounds[m]) == "LMART"


def test_what_every_t_test_must_find() -> None:
    """Of 0 and 1, half of which are exchanged, t is as small as its bound has it."""
    n, a, b = 1000, 600, 520
    x = [1] * a + [0] * (n - a)
    y = [0] * (n - b) + [1] * b  # as far apart as two such lists can be
    d = [p - q for p, q in zip(x, y, strict=True)]
    mean = Fraction(sum(d), n)
    variance = sum((v - mean) ** 2 for v in d) / (n - 1)
    t2 = mean * mean * n / variance

    def deviation2(m: Fraction) -> Fraction:
        return m * (1 - m)

    A, B = deviation2(Fraction(a, n)), deviation2(Fraction(b, n))
    most2 = A + B + 2 * Fraction(isqrt(int(A * B * 10**12)) + 1, 10**6)
    assert t2 >= mean * mean * (n - 1) / most2
    unpaired = (A + B) / (n - 1)
    assert unpaired < most2 / (n - 1)
    half = Fraction(1, 20_000)  # no mean is printed that is as near as that to the middle
    for metric, of in paper.NUMBERS:
        least = -1 if metric.endswith("V2") else 0
        found = 0
        for at in range(5):
            cells = [Fraction(row[at]) for row in paper.PRINTED[metric, of].values()]
            for x, y in combinations(cells, 2):
                A, B = (max((1 - w) * (w - least) for w in (v - half, v, v + half))
                        for v in (x, y))  # fmt: skip
                apart = abs(x - y) - Fraction(1, 10_000)  # two cells, half a unit each
                # apart > t (√A + √B) / √(n - 1), both squared twice
                left = apart**2 * (paper.SAMPLES[of][0] - 1) / Fraction("1.963") ** 2 - A - B
                found += apart > 0 and left > 0 and left**2 > 4 * A * B
        assert joint.must_be_found(metric, of) == found <= paper.SIGNIFICANT[metric, of][0]
    assert joint.must_be_found("MAP", "MQ2007") == 2


def test_the_critical_t() -> None:
    """With 999 degrees of freedom or more, at 0.05."""
    assert stats.t.ppf(0.975, 999) < joint.CRITICAL_T
    assert stats.t.ppf(0.975, 10**6) > 1.9599
