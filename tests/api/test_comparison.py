"""Tests, effect sizes and corrections as declared: degenerate input, refusals, promises."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from rankspec import InputError, design
from rankspec.analysis.comparison.agreement import power
from rankspec.analysis.comparison.beside import Beside
from rankspec.analysis.comparison.corrections import BY_NAME as CORRECTIONS
from rankspec.analysis.comparison.corrections import correction_named
from rankspec.analysis.comparison.effects import BY_NAME as EFFECTS
from rankspec.analysis.comparison.systems import Pair, Systems
from rankspec.analysis.comparison.tests import (
    BY_NAME,
    JOINT_TESTS,
    RESAMPLING_TESTS,
    SIGNED_RANK_EXACT,
    TESTS,
    Choices,
)
from rankspec.analysis.comparison.tests import (
    test_named as named,
)
from rankspec.reference import comparison as equations
from rankspec.reference.numbers.reals import FLOATS

from ..each import each

ONE = Pair([0.5], [0.25])
CONSTANT = Pair([0.5, 0.75, 1.0], [0.25, 0.5, 0.75])
AS_TENTHS = Pair([0.3, 0.4, 0.8], [0.1, 0.2, 0.6])  # equal differences, but not as doubles
EQUAL = Pair([0.5, 0.25, 0.1], [0.5, 0.25, 0.1])
FLAT = Pair([0.5] * 3, [0.25] * 3)


@each(
    ("pair", "name", "why"),
    [
        (ONE, "t", "a standard deviation needs two queries"),
        (ONE, "pooled", "a standard deviation needs two queries"),
        (ONE, "welch", "a standard deviation needs two queries"),
        (ONE, "bayes", "a standard deviation needs two queries"),
        (CONSTANT, "t", "all differences are equal"),
        (AS_TENTHS, "t", "all differences are equal"),
        (EQUAL, "t", "all differences are 0"),
        (FLAT, "pooled", "neither system varies"),
        (FLAT, "welch", "neither system varies"),
    ],
)
def test_what_is_undefined_says_why(pair, name, why):
    outcome = BY_NAME[name](pair)
    assert (outcome.statistic, outcome.p, outcome.interval) == (None, None, None)
    assert outcome.why == why


def test_every_test_answers_degenerate_input():
    """The table that opens the chapter, row by row: t, pooled, signed rank, sign."""
    names = ("t", "pooled", "wilcoxon", "sign")
    found = {
        label: [BY_NAME[name](pair).p for name in names]
        for label, pair in {"one": ONE, "tenths": AS_TENTHS, "equal": EQUAL, "flat": FLAT}.items()
    }
    assert found["one"] == [None, None, 1.0, 1.0]
    assert found["equal"] == [None, 1.0, 1.0, 1.0]
    assert found["flat"] == [None, None, 0.25, 0.25]
    assert found["tenths"][0] is None
    assert 0 < found["tenths"][1] < 1
    assert found["tenths"][2:] == [0.25, 0.25]
    assert BY_NAME["pooled"](EQUAL).statistic == 0


@each(
    ("pair", "rope", "probabilities"),
    [
        (CONSTANT, 0.0, (0, 0, 1)),
        (CONSTANT, 0.25, (0, 1, 0)),
        (CONSTANT, 0.125, (0, 0, 1)),
        (Pair(CONSTANT.y, CONSTANT.x), 0.125, (1, 0, 0)),
        (EQUAL, 0.0, (0.5, 0, 0.5)),
        (EQUAL, 0.125, (0, 1, 0)),
    ],
)
@pytest.mark.spec("RS-CMP-14")
def test_equal_differences_are_certain(pair, rope, probabilities):
    assert BY_NAME["bayes"](pair, Choices(rope=rope)).probabilities == probabilities


def test_all_pairs_are_undefined_where_the_residual_is():
    systems = Systems({"A": [0.3, 0.4], "B": [0.1, 0.2], "C": [0.6, 0.7]})
    outcomes = JOINT_TESTS[0](systems)
    assert list(outcomes) == [("A", "B"), ("A", "C"), ("B", "C")]
    whys = {outcome.why for outcome in outcomes.values()}
    assert whys == {"the differences of every two systems are constant"}
    one = JOINT_TESTS[0](Systems({"A": [0.5], "B": [0.25]}))
    assert one["A", "B"].why == "a residual needs two queries"


def test_equal_systems_among_others_have_a_q_of_0():
    systems = Systems({"A": [0.3, 0.4, 0.9], "B": [0.3, 0.4, 0.9], "C": [0.6, 0.2, 0.1]})
    outcome = JOINT_TESTS[0](systems)["A", "B"]
    assert (outcome.statistic, outcome.p) == (0, 1)


def pairs(count, n):
    rng = random.Random(n)
    for _ in range(count):
        x = [rng.random() for _ in range(n)]
        yield Pair(x, [value + rng.gauss(0.02, 0.2) for value in x])


@pytest.mark.spec("RS-CMP-4/L1")
def test_an_interval_leaves_out_0_where_p_is_below_alpha():
    seen = set()
    for pair in pairs(40, 12):
        for name in ("t", "pooled", "welch"):
            for alpha in (0.05, 0.3):
                outcome = BY_NAME[name](pair, Choices(alpha=alpha))
                low, high = outcome.interval
                assert (low > 0 or high < 0) == (outcome.p < alpha)
                seen.add(outcome.p < alpha)
        two = JOINT_TESTS[0](Systems({"x": pair.x, "y": pair.y}))["x", "y"]
        assert (two.interval[0] > 0 or two.interval[1] < 0) == (two.p < 0.05)
        assert two.p == pytest.approx(BY_NAME["t"](pair).p, rel=1e-9)
    assert seen == {True, False}


@pytest.mark.spec("RS-CMP-14/L2", "RS-CMP-14/L3")
def test_the_probability_of_a_sign_is_half_of_p():
    for pair in pairs(20, 9):
        worse, none, better = BY_NAME["bayes"](pair).probabilities
        assert min(worse, better) == pytest.approx(BY_NAME["t"](pair).p / 2, rel=1e-12)
        assert none == pytest.approx(0, abs=1e-12)
        regions = [
            BY_NAME["bayes"](pair, Choices(rope=rope)).probabilities[1]
            for rope in (0.0, 0.01, 0.1, 1.0)
        ]
        assert regions == sorted(regions)
        assert regions[-1] > regions[0]


def test_scipy_has_the_same_where_nothing_is_rounded():
    """Multiples of 1/8, whose differences doubles have."""
    rng = random.Random(8)
    for _ in range(10):
        x, y = ([rng.randrange(9) / 8 for _ in range(15)] for _ in "xy")
        pair = Pair(x, y)
        for name, theirs in (
            ("t", stats.ttest_rel(x, y)),
            ("pooled", stats.ttest_ind(x, y)),
            ("welch", stats.ttest_ind(x, y, equal_var=False)),
        ):
            outcome = BY_NAME[name](pair)
            assert outcome.statistic == pytest.approx(theirs.statistic, rel=1e-12)
            assert outcome.p == pytest.approx(theirs.pvalue, rel=1e-11)
        for zeros in ("wilcox", "pratt"):
            theirs = stats.wilcoxon(x, y, zero_method=zeros, correction=True, method="asymptotic")
            z = equations.signed_rank_z(pair.D, zeros, True, FLOATS)
            assert 2 * stats.norm.sf(abs(z)) == pytest.approx(theirs.pvalue, rel=1e-10)


def test_the_signed_rank_test_says_how_p_was_computed():
    long = next(pairs(1, SIGNED_RANK_EXACT + 1))
    short = Pair(long.x[1:], long.y[1:])
    wilcoxon = BY_NAME["wilcoxon"]
    assert wilcoxon(short).how == "exact"
    assert wilcoxon(long).how == "normal approximation"
    assert wilcoxon(long, Choices(continuity=False)).p < wilcoxon(long).p
    exact = float(equations.signed_rank_p(long.D))
    assert wilcoxon(long).p == pytest.approx(exact, abs=0.003)
    assert wilcoxon(long).p != exact


def test_a_declaration_says_what_a_reader_must_know():
    assert [test.name for test in TESTS] == ["t", "pooled", "welch", "wilcoxon", "sign", "bayes"]
    resampling = {test.name for test in RESAMPLING_TESTS} | {"randomised-tukey"}
    assert resampling == {"randomisation", "bootstrap", "randomised-tukey"}
    for test in (*TESTS, *RESAMPLING_TESTS, *JOINT_TESTS):
        assert test.title
        assert test.assumes
        chapter = "RS-RND-" if test.name in resampling else "RS-CMP-"
        assert all(id_.startswith(chapter) for id_ in test.spec)
        assert named(test.name) is test


@each(
    ("call", "words"),
    [
        (lambda: Systems({"A": [1.0]}), "expected two or more, got 1"),
        (lambda: Systems({"A": [], "B": []}), "systems: expected at least one query, got none"),
        (lambda: Systems({"A": [1.0, 2.0], "B": [1.0]}), '"B" has 1 queries, "A" has 2'),
        (lambda: Systems({"A": [1.0], "B": [math.nan]}), '"B": nan at position 0 is not finite'),
        (lambda: Systems({"A": [1.0, math.inf], "B": [1.0, 1.0]}), '"A": inf at position 1'),
        (lambda: Systems({"A": [1.0], "B": ["x"]}), "expected a number at position 0, got 'x'"),
        (lambda: Systems({"A": [1.0], "B": [10**400]}), "expected a number at position 0"),
        (lambda: Choices(alpha=0.0), "alpha: expected a number between 0 and 1"),
        (lambda: Choices(alpha=math.nan), "alpha: expected a number between 0 and 1"),
        (lambda: Choices(zeros="prat"), 'zeros: unknown name "prat" (did you mean "pratt"?)'),
        (lambda: Choices(rope=-0.1), "rope: expected a number of 0 or more"),
        (lambda: Choices(rope=math.nan), "rope: expected a number of 0 or more"),
        (lambda: named("tt"), 'test: unknown name "tt"'),
        (lambda: named("wilcoxn"), 'did you mean "wilcoxon"?'),
        (lambda: correction_named("holms"), 'did you mean "holm"?'),
        (lambda: CORRECTIONS["bh"]([0.5, 1.5]), "from 0 to 1 at position 1, got 1.5"),
        (lambda: CORRECTIONS["bh"]([math.nan]), "from 0 to 1 at position 0, got nan"),
    ],
)
def test_bad_input_is_refused_with_its_place(call, words):
    with pytest.raises(InputError) as caught:
        call()
    assert words in str(caught.value)


@each("name", ["bonferroni", "holm", "bh"])
@pytest.mark.spec("RS-CMP-19", "RS-CMP-20", "RS-CMP-21")
def test_a_test_without_a_p_is_of_the_family(name):
    correction = CORRECTIONS[name]
    with_one = correction([0.01, None, 0.02])
    assert with_one[1] is None
    assert [with_one[0], with_one[2]] == correction([0.01, 1.0, 0.02])[::2]
    assert with_one[0] > correction([0.01, 0.02])[0]
    assert correction([]) == []
    assert CORRECTIONS["none"]([0.25, None]) == [0.25, None]


def test_effects_say_why_they_have_no_value():
    assert {name: effect.why(CONSTANT) for name, effect in EFFECTS.items()} == {
        "d_z": "all differences are equal", "d_av": None, "d": None, "g": None, "PAD": None,
    }  # fmt: skip
    assert EFFECTS["d_z"](CONSTANT) is None
    negative = Pair([-0.5], [0.0])
    assert EFFECTS["PAD"].why(negative) == "neither mean is above 0"
    assert EFFECTS["PAD"](Pair([0.5], [0.25])) == 0.5
    assert EFFECTS["g"](FLAT) is None


def test_values_of_any_size_are_compared():
    """Differences beyond a double, and below the least: t is free of scale."""
    huge = Pair([1.7e308, 1.0, 0.5e308], [-1.7e308, 0.0, 0.0])
    assert BY_NAME["t"](huge).p == pytest.approx(
        stats.ttest_1samp([3.4, 0, 0.5], 0).pvalue, rel=1e-9
    )
    tiny = Pair([5e-324, 1e-323, 5e-324], [0.0, 0.0, 5e-324])
    assert BY_NAME["t"](tiny).statistic == pytest.approx(Fraction(3) ** 0.5, rel=1e-15)
    assert huge.mean_difference == pytest.approx(1.3e308)


HUGE = 10**4000


@each(
    ("call", "message"),
    [
        (lambda: Choices(rope=HUGE), "rope: 1000"),
        (lambda: Choices(rope=-HUGE), "rope: -1000"),
        (lambda: Choices(rope=10**5000), "rope: a number of type int with thousands of digits"),
        (lambda: Choices(alpha=HUGE), "alpha: 1000"),
        (lambda: Choices(rope=Fraction(HUGE)), "rope: Fraction(1000"),
        (lambda: Choices(seed=HUGE), "seed: expected an integer from 0 to 2^64 - 1"),
        (lambda: Choices(replicates=HUGE), "replicates: expected an integer from 1 to 2^32"),
        (lambda: design(HUGE, deviation=0.1), "difference: 1000"),
        (lambda: design(Fraction(1, HUGE), deviation=0.1), "difference: Fraction(1, 1000"),
        (lambda: design(0.1, deviation=HUGE), "deviation: 1000"),
        (lambda: design(0.1, deviation=Fraction(1, HUGE)), "deviation: Fraction(1, 1000"),
        (lambda: design(0.1, deviation=1.7e308), "2^31 queries; the deviation is 1.7e+308"),
        (lambda: power(10, 0.1, HUGE), "deviation: 1000"),
        (lambda: power(HUGE, 0.1, 0.1), "n: expected a number of queries from 2 to 2^31"),
        (lambda: power(10, 0.1, 0.1, paired=np.array([1, 2])), "paired: expected True or False"),
        (lambda: power(10, 0.1, 0.1, 1 - Fraction(1, HUGE)), "alpha: Fraction("),
        (lambda: Beside(bin_width=np.array([1, 2])), "bin_width: expected a number above 0"),
        (lambda: Beside(bin_width=HUGE), "bin_width: only splits use it"),
        (lambda: Beside(splits=HUGE), "splits: expected an integer from 1 to 2^32"),
    ],
)
def test_numbers_beyond_doubles_and_arrays_are_named(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)


def test_fractions_are_numbers_as_their_doubles():
    assert power(10, Fraction(1, 10), Fraction(1, 5), Fraction(1, 20)) == power(10, 0.1, 0.2, 0.05)
    assert Choices(rope=Fraction(1, HUGE)).rope == 0
