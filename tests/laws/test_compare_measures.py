"""Laws of the orders of systems by their means, and of what compare reports of measures and sets.

Values are tenths, whose sums as doubles miss those of the numbers; these are known as Fractions.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

import rankspec as rs
from rankspec.analysis.comparison.agreement import splits
from rankspec.analysis.comparison.splits import swaps_of_splits
from rankspec.analysis.comparison.systems import Systems
from rankspec.compute.randomness import halves
from rankspec.reference.agreement import Conflicts, levels, swap_bins

from ..api.test_compare import TENTHS, evaluated
from ..api.test_compare_measures import ODD, SIX, planted
from ..each import each


def tenths(seed: int, systems: int, n: int) -> list[list[int]]:
    """Rows of which some have equal sums: the values of one, moved from query to query."""
    choose = random.Random(seed)
    rows = [[choose.randint(0, 10) for _ in range(n)] for _ in range(systems)]
    for row in rows[::2]:
        rows.append(row[:])
        for _ in range(3 * n):
            a, b = choose.sample(range(n), 2)
            if rows[-1][a] < 10 and rows[-1][b] > 0:
                rows[-1][a] += 1
                rows[-1][b] -= 1
    return rows


def as_doubles(rows: list[list[int]]) -> list[list[float]]:
    return [[x / 10 for x in row] for row in rows]


def ranks(sums: list) -> list[int]:
    """The place of each among the different sums, from the lowest."""
    known = sorted(set(sums))
    return [known.index(x) for x in sums]


@pytest.mark.spec("RS-AGR-30", "RS-AGR-30/L1", "RS-AGR-30/L2")
@each(("seeds", "fewest"), [(range(0, 60, 4), 2), (range(60), 10)], fast=1)
def test_equal_means_have_one_level(seeds: range, fewest: int) -> None:
    lost = 0
    for seed in seeds:
        rows = tenths(seed, 6, 2 + seed % 40)
        scores = as_doubles(rows)
        wanted = ranks([sum(row) for row in rows])
        assert levels(scores) == wanted
        assert levels([row[::-1] for row in scores]) == wanted
        assert levels(scores[::-1]) == wanted[::-1]
        lost += ranks([sum(map(Fraction, row)) for row in scores]) != wanted
    assert lost > fewest  # so often the sums of the doubles tell equal means apart


@pytest.mark.spec("RS-AGR-30/L3")
@each("above", [1 + 1e-6, 3, 1000])
@each("scale", [1.0, 0.75, 1000.0, 1e-300])
def test_other_means_have_other_levels(above: float, scale: float) -> None:
    """Three systems, of which neighbours differ by 2^-36 of the greatest value, or more."""
    step = scale * above * 2**-36
    rows = [[scale - step * s, scale, 0.0] for s in (0, 3, 6)]
    assert levels(rows) == [2, 1, 0]
    assert levels([[scale, scale - scale * 2**-42, 0.0], [scale, scale, 0.0]]) == [0, 0]


@pytest.mark.spec("RS-AGR-14", "RS-AGR-30", "RS-AGR-30/L4")
@each("seed", range(6), fast=2)
@each("n", [2, 7, 20])
@each("width", [Fraction(1, 100), Fraction(1, 10), Fraction(1, 30)])
@each("last", [[], [0.785398163397448]], ids=["tenths", "no common denominator"])
def test_splits_count_as_the_numbers_do(
    seed: int, n: int, width: Fraction, last: list[float]
) -> None:
    """The bins of the reference, by the tenths themselves; many differences are multiples of the
    width, and many are 0.

    last: of one more query, which all systems have, so that differences stay as they are
    """
    rows = tenths(seed, 4, n)
    systems = Systems({str(s): row + last for s, row in enumerate(as_doubles(rows))})
    exact = [[*(Fraction(x, 10) for x in row), *map(Fraction, last)] for row in rows]
    wanted = swap_bins(exact, splits(n + len(last), seed, 25), width, 21)
    assert swaps_of_splits(systems, seed, 25, width).bins == wanted


def test_the_doubles_themselves_count_otherwise() -> None:
    """Without a slack: the control of the test above."""
    rows = tenths(1, 4, 20)
    halved = list(splits(20, 1, 25))
    by_numbers = swap_bins(
        [[Fraction(x, 10) for x in row] for row in rows], halved, Fraction(1, 100), 21
    )
    assert swap_bins(as_doubles(rows), halved, Fraction(1, 100), 21) != by_numbers


@pytest.mark.spec("RS-AGR-14")
@each("n", [2, 3, 4, 5, 9, 40])
@each("start", [0, 6])
def test_halves_in_bulk_are_those_of_the_reference(n: int, start: int) -> None:
    signs = halves(7, 4, range(start, start + 5), n).tolist()
    one_by_one = list(splits(n, 7, start + 5))[start:]
    for row, (first, second) in zip(signs, one_by_one, strict=True):
        assert {q for q, sign in enumerate(row) if sign == 1} == set(first)
        assert {q for q, sign in enumerate(row) if sign == -1} == set(second)


# ---- what is reported ----------------------------------------------------------------------


@pytest.mark.spec("RS-AGR-31", "RS-AGR-31/L1")
def test_measures_exchanged() -> None:
    evaluations = planted(SIX)
    exchanged = {
        name: replace(x, measures=x.measures[::-1], per_query=dict(reversed(x.per_query.items())))
        for name, x in evaluations.items()
    }
    one, two = (
        rs.compare(x, tests="sign", correction="none", measures=True, rbo_p=0.9, replicates=10)
        for x in (evaluations, exchanged)
    )
    here, there = one.between["P@10", "AP"], two.between["AP", "P@10"]
    assert here.orders.tau_ap[0] != here.orders.tau_ap[1]
    assert there.orders.tau_ap == here.orders.tau_ap[::-1]
    assert there.orders.swapped == [(b, a) for a, b in here.orders.swapped] != []
    for name in ("tau_b", "tau_ap_b", "rbo"):
        assert getattr(there.orders, name) == getattr(here.orders, name)
    counts = here.conflicts["sign"]
    exchanged_counts = Conflicts(counts.agree, counts.lost, counts.gained, *counts[3:])
    assert there.conflicts["sign"] == exchanged_counts != counts


@pytest.mark.spec("RS-AGR-31", "RS-AGR-31/L2")
def test_a_set_is_compared_as_if_there_were_no_other_queries() -> None:
    evaluations = evaluated(TENTHS, ["P@10", "RR"])
    own = evaluations["A"].queries[3:15]
    alone = evaluated({name: values[3:15] for name, values in TENTHS.items()}, ["P@10", "RR"])
    given = {"tests": ["t", "randomisation", "tukey"], "replicates": 50, "measures": True}
    found = rs.compare(evaluations, subsets={"some": own}, **given).subsets["some"]
    assert found.to_dict() == rs.compare(alone, **given).to_dict()


@pytest.mark.spec("RS-AGR-31/L3")
def test_nothing_is_swapped_between_a_collection_and_itself() -> None:
    evaluations = planted(SIX)
    sets = {"odd": ODD}
    given = {"tests": "sign", "replicates": 10, "subsets": sets}
    found = rs.compare(evaluations, against=evaluations, against_subsets=sets, **given)
    assert [(x.rate, x.swapped) for x in found.against] == [(0, [])] * 4


@pytest.mark.spec("RS-AGR-31/L4")
def test_splits_depend_on_the_seed_alone() -> None:
    whole = evaluated(TENTHS, ["RR", "P@10"])
    part = evaluated(TENTHS, ["P@10"])
    given = {"tests": "sign", "replicates": 10, "splits": 40}
    one, two, other = (
        rs.compare(x, seed=seed, **given).splits["P@10"].bins
        for x, seed in ((whole, 5), (part, 5), (part, 6))
    )
    assert one == two != other
    assert sum(b.comparisons for b in one) == 40 * len(list(combinations(TENTHS, 2)))
