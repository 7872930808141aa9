"""What power reports: where its standard deviations come from, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from statistics import stdev, variance
from typing import Any

import pytest

import rankspec as rs

from ..api.test_compare import TENTHS, evaluated
from ..each import each

EXACT = {name: [Fraction(x, 10) for x in values] for name, values in TENTHS.items()}
PAIR = {name: TENTHS[name] for name in "AB"}

# R: power.t.test(delta=, sd=, sig.level=, power=1-beta, type=, strict=TRUE)$n, rounded up
OF_R = [
    (0.05, 0.2, "paired", 0.05, 0.2, 128),
    (0.1, 0.5, "paired", 0.05, 0.2, 199),
    (0.1, 0.2, "unpaired", 0.05, 0.2, 64),
    (0.1, 0.2, "paired", 0.01, 0.05, 75),
]


@pytest.mark.spec("RS-AGR-50")
@each(("difference", "deviation", "test", "alpha", "beta", "n"), OF_R)
def test_n_is_that_of_r(
    difference: float, deviation: float, test: str, alpha: float, beta: float, n: int
) -> None:
    found = rs.design(
        difference, deviation=deviation, tests=test, alpha=alpha, beta=beta, n=[n - 1]
    )
    (row,) = found.rows
    assert (row.queries, row.test, row.pilot) == (n, test, None)
    assert row.powers[n] >= 1 - beta > row.powers[n - 1]


@pytest.mark.spec("RS-AGR-50", "RS-AGR-50/L1")
def test_the_deviations_of_a_pair() -> None:
    found = rs.design(0.05, pilot=evaluated(PAIR))
    d = [a - b for a, b in zip(EXACT["A"], EXACT["B"], strict=True)]
    of_values = sqrt((variance(EXACT["A"]) + variance(EXACT["B"])) / 2)
    assert [row.test for row in found.rows] == ["paired", "unpaired"]
    assert [row.deviation for row in found.rows] == pytest.approx([stdev(d), of_values], rel=1e-11)
    assert [row.pilot for row in found.rows] == [("P@10", 2, 20)] * 2


@pytest.mark.spec("RS-AGR-50")
def test_the_deviation_of_three_systems() -> None:
    """R's aov(score ~ topic + system) prints the residual sum of squares 0.83167, 38 degrees."""
    (row,) = rs.design(0.05, pilot=evaluated(TENTHS), tests="paired").rows
    assert row.deviation**2 == pytest.approx(2 * 0.83167 / 38, rel=1e-5)


@pytest.mark.spec("RS-AGR-50/L2")
@each("test", ["paired", "unpaired"])
def test_the_unit_does_not_matter(test: str) -> None:
    one, two = (
        rs.design(x * 0.05, deviation=x * 0.3, tests=test).rows[0].queries for x in (1.0, 8.0)
    )
    assert one == two > rs.design(0.06, deviation=0.3, tests=test).rows[0].queries


@pytest.mark.spec("RS-AGR-50")
def test_rows_are_of_measures_tests_and_differences_in_this_order() -> None:
    found = rs.design([0.1, 0.05], pilot=evaluated(PAIR, ["P@10", "P@20"]))
    known = [(row.pilot.measure, row.test, row.difference) for row in found.rows if row.pilot]
    assert known == [
        (measure, test, least)
        for measure in ("P@10", "P@20")
        for test in ("paired", "unpaired")
        for least in (0.1, 0.05)
    ]


@pytest.mark.spec("RS-AGR-50")
def test_a_difference_that_is_given_again_is_taken_once() -> None:
    given = [0.1, 0.05, Fraction(1, 10), 0.05]
    assert rs.design(given, deviation=0.2) == rs.design([0.1, 0.05], deviation=0.2)


SHIFTED = {"A": [3, 4, 6], "B": [1, 2, 4]}  # as doubles 0.3 - 0.1 is not 0.4 - 0.2


@pytest.mark.spec("RS-AGR-50")
def test_a_measure_without_variance_is_not_the_end_of_the_others() -> None:
    """The differences of SHIFTED are all equal; the values of a system differ."""
    found = rs.design(0.05, pilot=evaluated(SHIFTED), n=[10])
    paired, unpaired = found.rows
    assert (paired.deviation, paired.queries, paired.powers) == (None, None, {})
    assert paired.why.startswith("the variance is undefined: ")
    alone = rs.design(0.05, pilot=evaluated(SHIFTED), n=[10], tests="unpaired")
    assert (unpaired,) == alone.rows
    text = " ".join(str(found).split())
    assert "P@10, paired, 0.0500 n/a n/a n/a n/a" in text
    assert text.count("n/a: P@10, paired: the variance is undefined: ") == 1
    assert found.to_dict()["rows"][0]["why"] == paired.why
    assert found.to_dict()["rows"][1]["why"] is None


@pytest.mark.spec("RS-AGR-50")
@each(
    ("given", "words"),
    [
        ({"deviation": 0.2, "difference": 0}, "difference: expected a number above 0, got 0$"),
        ({"deviation": 0.2, "difference": []}, "difference: expected at least one, got none"),
        ({"deviation": 0.0}, r"deviation: expected a number above 0, got 0\.0$"),
        ({"deviation": float("inf")}, "deviation: value 1 is inf"),
        ({"deviation": 0.2, "alpha": 0}, "alpha: expected a number between 0 and 1, got 0$"),
        ({"deviation": 0.2, "alpha": 1.0}, r"alpha: expected a number between 0 and 1, got 1\.0$"),
        ({"deviation": 0.2, "beta": 1}, "beta: expected a number between 0 and 1, got 1$"),
        ({"deviation": 0.2, "alpha": 1e-13}, "alpha: 1e-13 is too small; .* from 1e-12 on"),
        ({"deviation": 0.2, "beta": 1e-10}, "beta: 1e-10 is too small; .* from 1e-09 on"),
        ({"deviation": 0.2, "n": [1]}, "n: expected a number of queries .*, got 1$"),
        (
            {"deviation": 0.2, "tests": "pared"},
            r'tests: unknown test "pared" \(did you mean "paired"\?\)',
        ),
        ({"deviation": 0.2, "tests": ["paired", "unpaired"]}, "a deviation serves one test"),
        ({"deviation": 0.2, "tests": []}, "tests: expected at least one test, got none"),
        ({}, "give a deviation, or a pilot"),
        ({"deviation": 0.2, "pilot": PAIR}, "give a deviation, or a pilot"),
        ({"pilot": {"A": [1, 2]}}, "expected two or more, got 1"),
        ({"pilot": {"A": [1], "B": [2]}}, r"pilot: P@10: the variance is undefined"),
        (
            {"pilot": SHIFTED, "tests": "paired"},
            "pilot: P@10: the variance is undefined",
        ),
        ({"pilot": {"A": [1, 1], "B": [2, 2]}, "tests": "unpaired"}, "for the unpaired test is 0"),
    ],
)
def test_what_is_refused(given: dict[str, Any], words: str) -> None:
    given = {"difference": 0.05, **given}
    if "pilot" in given and "deviation" not in given:
        given["pilot"] = evaluated(given["pilot"])
    with pytest.raises(rs.InputError, match=words):
        rs.design(**given)
