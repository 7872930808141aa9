"""Values j/N and the integers j say the same, by every test, interval and effect size."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import nextafter, ulp

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.analysis.comparison import resampling
from rankspec.analysis.comparison.corrections import MAX_T
from rankspec.analysis.comparison.systems import Pair
from rankspec.analysis.comparison.tests import BY_NAME, Choices
from rankspec.reference import comparison, randomness

from ..api.test_compare import evaluated
from ..each import each

MOST, MOST_DENOMINATOR = 10**6, 10**4
FEW = 20
Columns = Sequence[Sequence[int]]

ONE = evaluated({"A": [1], "B": [1]}, "RR")["A"]


def evaluations(columns: Columns, N: int) -> dict[str, rs.Evaluation]:
    """Systems with the values j/N of a measure, as doubles."""
    found = {}
    for name, column in zip("ABC", columns, strict=True):
        by_query = {f"q{q:05}": j / N for q, j in enumerate(column)}
        found[name] = replace(ONE, queries=tuple(by_query), per_query={"RR": by_query})
    return found


def near(x: float, of_integers: float, N: int) -> bool:
    """Return True if N x is the other number to 4 units in its last place."""
    return abs(Fraction(x) * N - Fraction(of_integers)) <= 4 * Fraction(ulp(of_integers))


def assert_scaled(mine: rs.Comparison, whole: rs.Comparison, N: int) -> None:
    """Numbers with a unit are 1/N of the others, and the rest is the same."""
    of, other = mine["RR"], whole["RR"]
    for name, summary in of.systems.items():
        there = other.systems[name]
        for ends, wanted in ((summary.interval, there.interval), (summary.bca, there.bca)):
            assert (ends is None) == (wanted is None)
            for end, want in zip(ends or (), wanted or (), strict=True):
                assert near(end, want, N)
        assert summary.sd is None or near(summary.sd, there.sd or 0.0, N)
    for x, y in zip(of.differences, other.differences, strict=True):
        assert near(x.difference, y.difference, N)
        assert (x.wins, x.ties, x.losses) == (y.wins, y.ties, y.losses)
        assert x.effects == y.effects
        for end, want in zip(x.interval or (), y.interval or (), strict=True):
            assert near(end, want, N)
        for name, tested in x.tests.items():
            a, b = tested.outcome, y.tests[name].outcome
            assert (a.p, a.df, a.why, a.how) == (b.p, b.df, b.why, b.how)
            assert (a.probabilities, tested.corrected) == (b.probabilities, y.tests[name].corrected)
            if BY_NAME[name].statistic == "difference":
                assert near(a.statistic or 0.0, b.statistic or 0.0, N)
            else:
                assert a.statistic == b.statistic
            for end, want in zip(a.interval or (), b.interval or (), strict=True):
                assert near(end, want, N)


def assert_law(columns: Columns, N: int, replicates: int = FEW) -> None:
    systems = [evaluations(columns, denominator) for denominator in (N, 1)]
    mine, whole = (rs.compare(x, tests=list(BY_NAME), replicates=replicates) for x in systems)
    assert_scaled(mine, whole, N)
    mine, whole = (
        rs.compare(x, tests="randomisation", correction=MAX_T.name, replicates=replicates)
        for x in systems
    )
    assert_scaled(mine, whole, N)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[list[int]], int]:
    """Three systems: of few values, so that much ties, or of any."""
    n = draw(st.integers(1, 7))
    greatest = draw(st.sampled_from([1, 3, 10, 1000, MOST]))
    shift = draw(st.sampled_from([0, MOST - greatest]))
    one = st.lists(st.integers(-greatest, greatest), min_size=n, max_size=n)
    columns = [[abs(j) + shift if shift else j for j in draw(one)] for _ in range(3)]
    return columns, draw(st.one_of(st.integers(1, 30), st.integers(1, MOST_DENOMINATOR)))


@pytest.mark.spec("RS-CMP-23/L5")
@given(cases())
@example(([[3] * 8 + [2, 4], [2] * 10, [1] * 10], 10))
@example(([[3, 1, 2], [1, 2, 3], [4, 9, 3]], 10))
@example(([[MOST, MOST - 1, MOST - 2], [MOST - 1, MOST - 2, MOST - 3], [0, 1, 2]], 9999))
def test_values_say_what_their_numerators_say(case: tuple[list[list[int]], int]) -> None:
    assert_law(*case)


@pytest.mark.slow
@pytest.mark.spec("RS-CMP-23/L5")
@each(("n", "greatest", "N"), [(200, 10, 10), (2000, MOST, 9973), (10_000, 1000, 10_000)])
def test_many_values_say_what_their_numerators_say(n: int, greatest: int, N: int) -> None:
    rng = random.Random(n)
    first = [rng.randint(0, greatest) for _ in range(n)]
    columns = [
        first,
        [min(MOST, max(0, j + rng.choice([-1, 0, 0, 1]))) for j in first],
        [rng.randint(0, greatest) for _ in range(n)],
    ]
    assert_law(columns, N, replicates=20)


# ---- the slack of rounded differences --------------------------------------------------------

tenths = st.lists(st.integers(-12, 12), min_size=1, max_size=9)


def rounded(j: Sequence[int], N: int) -> list[int]:
    """The differences of the doubles to 0, as if they had no common denominator."""
    return comparison.differences([a / N for a in j], [0.0] * len(j))[0]


@pytest.mark.spec("RS-CMP-23/L3")
@given(tenths, st.integers(1, 1000), st.integers(0, 99))
@example([1] * 8 + [0, 2], 10, 0)
@example([2, -1, -1], 10, 0)
def test_samples_of_rounded_differences_count_as_those_of_the_numbers(
    j: list[int], N: int, seed: int
) -> None:
    n, D = len(j), rounded(j, N)
    samples = list(randomness.bootstrap_samples(seed, n, 40))
    exact = randomness.studentised_bootstrap(j, samples)
    assert randomness.studentised_bootstrap(D, samples, 2 * n) == exact
    assert resampling.studentised_bootstraps([D, D], seed, 40, slack=[2 * n, 2 * n]) == [exact] * 2
    sums, of_j = (sorted(sum(x[i] for i in sample) for sample in samples) for x in (D, j))
    assert randomness.bias(sum(D), sums, 2 * n) == randomness.bias(sum(j), of_j)
    (bulk,) = resampling.bca_intervals([D], 0.1, seed, 40, slack=2 * n)
    assert bulk == randomness.bca(D, 0.1, samples, 2 * n)


TIES = [
    ((-3, 1, 1, 2, 7), (1, 3, 3, 3, 3)),
    ((-2, 0, 1, 2, 4), (1, 2, 2, 2, 2)),
    ((-2, 1, 2, 4, 5), (1, 1, 2, 2, 2)),
    ((1, 3, 4, 5, 7), (2, 3, 3, 3, 3)),
    ((2, -2, 0), (2, 2, 2)),
]
"""Differences, and samples with their statistic: of values near to the mean; of sums of 0."""


@pytest.mark.spec("RS-CMP-23/L3")
@each(("j", "sample"), TIES)
@each("unit", [2**8, 2**37])
def test_a_tie_reaches_whatever_was_rounded(
    j: tuple[int, ...], sample: tuple[int, ...], unit: int
) -> None:
    """Each difference is off by up to 1: the greatest rounding that the slack is for."""
    n = len(j)
    counts = np.bincount(sample, minlength=n).astype(float)[None]
    W = randomness.centred(j)
    assert randomness.squared_share([W[i] for i in sample]) == randomness.squared_share(j)
    for off in product((-1, 0, 1), repeat=n):
        D = [unit * a + b for a, b in zip(j, off, strict=True)]
        found = randomness.studentised_bootstrap(D, [sample], 2 * n)
        assert found is not None
        assert found.count == 1
        member = resampling._Studentised(D, 2 * n)
        own = np.array(member.W, float)
        member.count(counts, counts @ own, counts @ (own * own))
        assert member.reached == 1


def test_without_a_slack_ties_are_lost() -> None:
    """The control of the test above."""
    j = [1] * 8 + [0, 2]
    samples = list(randomness.bootstrap_samples(0, 10, 999))
    right, wrong = (randomness.studentised_bootstrap(D, samples) for D in (j, rounded(j, 10)))
    assert right is not None
    assert wrong is not None
    assert right.count == 0
    assert wrong.count > 90


@pytest.mark.spec("RS-CMP-14")
def test_a_region_ends_where_equal_differences_of_decimals_are() -> None:
    """0.7 as a double is below 7/10, of which the mean difference is."""
    for x, y, rope in (([0.7, 0.9], [0.0, 0.2], 0.7), ([0.3, 0.4], [0.2, 0.3], 0.1)):
        assert BY_NAME["bayes"](Pair(x, y), Choices(rope=rope)).probabilities == (0, 1, 0)
        more = Choices(rope=nextafter(rope, 0))
        assert BY_NAME["bayes"](Pair(x, y), more).probabilities == (0, 0, 1)


# ---- numbers from outside --------------------------------------------------------------------


def test_the_interval_of_five_tenths() -> None:
    """BCa of (4, 9, 3, 10, 1): z0 counts 4 of the sums as equal to 27; the ends are tenths of a
    fifth, exactly."""
    values = [0.4, 0.9, 0.3, 1.0, 0.1]
    mine = rs.compare(evaluations([[4, 9, 3, 10, 1]] * 3, 10))["RR"].systems["A"].bca
    whole = rs.compare(evaluations([[4, 9, 3, 10, 1]] * 3, 1))["RR"].systems["A"].bca
    assert mine == (0.26, 0.84)
    assert whole == (2.6, 8.4)
    assert sum(values) == 2.7
