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
from rankspec.analysis.comparison import agreement as named
from rankspec.analysis.comparison import resampling
from rankspec.analysis.comparison.corrections import MAX_T
from rankspec.analysis.comparison.judgments import compare_evaluations
from rankspec.analysis.comparison.judgments_found import LabelTable
from rankspec.analysis.comparison.replication import _of_measure as replicated
from rankspec.analysis.comparison.replication import _Run
from rankspec.analysis.comparison.replication_found import ByMeasure
from rankspec.analysis.comparison.systems import Pair
from rankspec.analysis.comparison.tests import BY_NAME, Choices, Outcome
from rankspec.analysis.comparison.unjudged import bounds
from rankspec.reference import agreement, comparison, randomness

from ..api.test_compare import evaluated
from ..each import each

MOST, MOST_DENOMINATOR = 10**6, 10**4
FEW = 20
Columns = Sequence[Sequence[int]]

ONE = evaluated({"A": [1], "B": [1]}, "RR")["A"]
TWO = evaluated({"A": [1]}, ["RR", "AP"])["A"].measures


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


# ---- what else is said of systems -----------------------------------------------------------


def two_measures(columns: Columns, others: Columns, N: int) -> dict[str, rs.Evaluation]:
    """Systems with such values of two measures."""
    first, second = evaluations(columns, N), evaluations(others, N)
    return {
        name: replace(
            x,
            measures=TWO,
            per_query={"RR": x.per_query["RR"], "AP": second[name].per_query["RR"]},
        )
        for name, x in first.items()
    }


def order(sums: Sequence[int]) -> list[int]:
    """Return the place of each sum among the different ones."""
    return [sorted(set(sums)).index(x) for x in sums]


@st.composite
def two_cases(draw: st.DrawFn) -> tuple[list[list[int]], list[list[int]], int]:
    """Values of three systems twice, of at least two queries, and a denominator."""
    n = draw(st.integers(2, 6))
    greatest = draw(st.sampled_from([1, 3, 10, MOST]))
    column = st.lists(st.integers(0, greatest), min_size=n, max_size=n)
    columns = st.lists(column, min_size=3, max_size=3)
    return draw(columns), draw(columns), draw(st.integers(1, MOST_DENOMINATOR))


@pytest.mark.spec("RS-AGR-30", "RS-AGR-30/L1", "RS-AGR-31", "RS-CMP-24")
@given(two_cases())
@example(([[3, 1, 2], [1, 2, 3], [2, 2, 2]], [[1, 2, 3], [3, 3, 0], [0, 3, 2]], 10))
@example(([[1, 2], [2, 1], [3, 0]], [[MOST, 0], [0, MOST], [1, MOST - 1]], 9973))
def test_orders_and_swaps_of_values_are_those_of_their_numerators(
    case: tuple[list[list[int]], list[list[int]], int],
) -> None:
    columns, others, N = case
    width = Fraction(1, 4)
    mine, whole = (
        rs.compare(
            two_measures(columns, others, denominator),
            tests="sign",
            replicates=FEW,
            measures=True,
            rbo_p=0.5,
            subsets={"first": ["q00000", "q00001"]},
            against=two_measures(others, columns, denominator),
            against_subsets={"first": ["q00000", "q00001"]},
            splits=FEW,
            bin_width=float(width / denominator),
        )
        for denominator in (N, 1)
    )
    assert mine.between == whole.between
    assert mine.set_swaps == whole.set_swaps
    assert mine.against == whole.against
    assert mine.agreement == whole.agreement
    for of, there in zip(mine.splits.values(), whole.splits.values(), strict=True):
        assert of.bins == there.bins
    levels = [agreement.levels([[j / N for j in x] for x in of]) for of in (columns, others)]
    assert levels == [order([sum(x) for x in of]) for of in (columns, others)]
    splits = list(named.splits(len(columns[0]), 0, FEW))
    assert mine.splits["RR"].bins == agreement.swap_bins(columns, splits, width, 21)


@pytest.mark.spec("RS-AGR-40", "RS-CMP-24")
@given(two_cases())
@example(([[3, 1, 2], [1, 2, 3], [2, 2, 2]], [[1, 2, 3], [3, 3, 0], [0, 3, 2]], 10))
def test_two_sets_of_judgments_say_of_values_what_they_say_of_numerators(
    case: tuple[list[list[int]], list[list[int]], int],
) -> None:
    columns, others, N = case
    label = named.label_agreement({"q": {"a": 1}}, {"q": {"a": 1}})
    labels = LabelTable(label, label, label, {(1, 1): 1})
    mine, whole = (
        compare_evaluations(
            labels,
            {"one": evaluations(columns, by), "other": evaluations(others, by)},
            {"tests": ["t", "sign"], "replicates": FEW},
        )["RR"]
        for by in (N, 1)
    )
    for name in ("tau_b", "tau_ap_b", "swapped", "changes"):
        assert getattr(mine, name) == getattr(whole, name)
    for name, shift in mine.systems.items():
        there = whole.systems[name]
        for end, want in (
            (shift.shift, there.shift),
            (shift.bias, there.bias),
            *zip(shift.shift_interval or (), there.shift_interval or (), strict=True),
            *zip(shift.bias_interval or (), there.bias_interval or (), strict=True),
        ):
            assert near(end, want, N)


def values(column: Sequence[int], N: int) -> dict[str, float]:
    return {f"q{q}": j / N for q, j in enumerate(column)}


def assert_same_test(mine: Outcome, whole: Outcome) -> None:
    assert (mine.statistic, mine.df, mine.p, mine.why) == (
        whole.statistic,
        whole.df,
        whole.p,
        whole.why,
    )


@pytest.mark.spec("RS-AGR-43", "RS-AGR-18", "RS-CMP-24")
@given(two_cases())
@example(([[9999, 9998], [1, 2], [0, 0]], [[9998, 9997], [2, 1], [0, 0]], 10_000))
def test_a_repetition_in_another_unit(
    case: tuple[list[list[int]], list[list[int]], int],
) -> None:
    columns, others, N = case
    mine, whole = (
        by_values("RR", [values(x, by) for x in (*columns[:2], *others[:2])]) for by in (N, 1)
    )
    for same in (True, False):
        for role, run in mine[same].runs.items():
            there = whole[same].runs[role]
            assert_same_test(run.test, there.test)
            assert (run.rmse is None) == (there.rmse is None) == (not same)
            assert run.rmse is None or near(run.rmse, there.rmse or 0.0, N)
        one, other = mine[same].improvement, whole[same].improvement
        assert one is not None
        assert other is not None
        assert (one.ratio, one.delta_ri) == (other.ratio, other.delta_ri)
        assert near(one.original, other.original, N)
        assert near(one.replicated, other.replicated, N)


def by_values(measure: str, four: Sequence[dict[str, float]]) -> dict[bool, ByMeasure]:
    """What replicate says of the values of two runs and of their repetitions, on the same queries
    and as if they were others."""
    b, a, b2, a2 = (
        _Run(replace(ONE, queries=tuple(x), per_query={measure: x}, mean={measure: 0.0}), {})
        for x in four
    )
    names = {"baseline": ("b", "b2"), "advanced": ("a", "a2")}
    return {
        same: replicated(
            measure, names, {"baseline": b, "advanced": a}, {"baseline": b2, "advanced": a2}, same
        )
        for same in (True, False)
    }


@pytest.mark.spec("RS-AGR-50", "RS-CMP-24")
@given(two_cases())
@example(([[3, 1, 2], [1, 2, 3], [2, 2, 2]], [[1, 2, 3], [3, 3, 0], [0, 3, 2]], 10))
def test_a_pilot_in_another_unit(case: tuple[list[list[int]], list[list[int]], int]) -> None:
    columns, _, N = case
    plans = []
    for by in (N, 1):
        try:
            plans.append(rs.design(1 / by, pilot=evaluations(columns, by), n=[10]).rows)
        except rs.InputError as error:
            plans.append(str(error))  # no variance, or too many queries
    if isinstance(plans[0], str) or isinstance(plans[1], str):
        assert isinstance(plans[0], type(plans[1]))
        return
    for mine, whole in zip(*plans, strict=True):
        assert mine.queries == whole.queries
        assert near(mine.deviation, whole.deviation, N)
        assert mine.powers.values() == pytest.approx(list(whole.powers.values()), rel=1e-9)


@pytest.mark.spec("RS-AGR-42/L2", "RS-AGR-42/L3", "RS-CMP-24")
@given(two_cases())
@example(([[3, 1, 2], [2, 1, 3], [3, 3, 0]], [[1, 2, 3], [1, 2, 3], [2, 2, 2]], 10))
def test_an_interval_that_ends_at_0_decides_nothing_in_any_unit(
    case: tuple[list[list[int]], list[list[int]], int],
) -> None:
    x, y, N = case
    queries = list(values(x[0], N))
    found = bounds(("A", "B"), queries, *((values(x[i], N), values(y[i], N)) for i in range(3)))
    D = [[a - b for a, b in zip(x[i], y[i], strict=True)] for i in range(3)]
    n, (d, low, high) = len(queries), map(sum, D)
    assert (found.difference, found.low, found.high) == (d / (n * N), low / (n * N), high / (n * N))
    assert found.decided == (low > 0 or high < 0)
    ends = [(a / N, b / N) for a, b in zip(D[1], D[2], strict=True)]
    assert list(found.per_query.values()) == ends


@pytest.mark.spec("RS-AGR-42/L2")
def test_ends_of_irrational_values_that_are_0_are_0() -> None:
    """The sums of two DCG are equal, those of the doubles are not."""
    lists = (([0, 0, 1, 1], [0]), ([0, 0, 1], [0, 0, 0, 1]))
    x, y = ({"q1": rs.dcg(a), "q2": rs.dcg(b)} for a, b in lists)
    assert sum(map(Fraction, x.values())) != sum(map(Fraction, y.values()))
    found = bounds(("A", "B"), list(x), (x, y), (x, y), (x, y))
    assert (found.low, found.high, found.decided) == (0.0, 0.0, False)


LIST, UPPER, LOWER = [0, 0, 1, 1], [0, 0, 1], [0, 0, 0, 1]
"""Labels whose DCG is that of two others together, but not as doubles."""


@pytest.mark.spec("RS-AGR-40/L4")
def test_equal_shifts_of_irrational_values_have_no_bias() -> None:
    """Both systems gain a document at rank 3: 0.9306… - 0.4306… and 0.5 - 0."""
    assert Fraction(rs.dcg(LIST)) - Fraction(rs.dcg(LOWER)) != Fraction(rs.dcg(UPPER))
    gains = {"one": {"A": LOWER, "B": [0]}, "other": {"A": LIST, "B": UPPER}}
    label = named.label_agreement({"q": {"a": 1}}, {"q": {"a": 1}})
    found = compare_evaluations(
        LabelTable(label, label, label, {(1, 1): 1}),
        {
            name: {
                system: replace(
                    ONE,
                    queries=("q1", "q2"),
                    per_query={"RR": dict.fromkeys(("q1", "q2"), rs.dcg(labels))},
                )
                for system, labels in by.items()
            }
            for name, by in gains.items()
        },
        {"tests": "sign", "replicates": FEW},
    )["RR"]
    for shift in found.systems.values():
        assert (shift.bias, shift.bias_interval) == (0.0, (0.0, 0.0))
        assert shift.shift == 0.5 or shift.shift == nextafter(0.5, 0)


@pytest.mark.spec("RS-AGR-43", "RS-AGR-19(a)")
def test_an_effect_of_rounding_alone_has_no_ratio() -> None:
    a, b = ({"q1": rs.dcg(x), "q2": rs.dcg(y)} for x, y in ((LIST, [0]), (UPPER, LOWER)))
    assert sum(map(Fraction, a.values())) != sum(map(Fraction, b.values()))
    b2, a2 = {"q1": 0.25, "q2": 0.5}, {"q1": 0.75, "q2": 0.75}
    for same, found in by_values("RR", [b, a, b2, a2]).items():
        assert found.improvement is not None, same
        assert found.improvement.ratio is None
        assert found.improvement.replicated == 0.375


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
