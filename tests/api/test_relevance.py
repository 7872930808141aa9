"""rs.relevance: φ of lists and arrays, and what it refuses.

Expected values: where there is no outlier, and the median is between the lowest and the highest
score, φ above the median has the closed form t²(3 - 2t) - c t²(1 - t), with
t = (s - median)/(max - median), c = (2 h1 + h0)/(h1 + h0), h0 = median - min, h1 = max - median.
The quartiles are those of Python's statistics, over exact fractions.
"""

from __future__ import annotations

import statistics
from array import array
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankspec as rs

from ..each import each

BY = pytest.mark.parametrize("by", ["c", "reference"])
scores = st.integers(-50, 50) | st.fractions(-50, 50, max_denominator=8).map(float)


def without_outliers(s: Sequence[float]) -> list[float] | None:
    """φ by the closed form; None where there are outliers, or the median is an end."""
    exact = [Fraction(x) for x in s]
    low, high = min(exact), max(exact)
    q1, median, q3 = statistics.quantiles(exact, n=4, method="inclusive")
    if high > q3 + Fraction(3, 2) * (q3 - q1) or not low < median < high:
        return None
    h0, h1 = median - low, high - median
    c = (2 * h1 + h0) / (h1 + h0)
    t = [max((x - median) / h1, Fraction(0)) for x in exact]
    phi = [x * x * (3 - 2 * x) - c * x * x * (1 - x) for x in t]
    return [x.numerator / x.denominator for x in phi]


@BY
@given(s=st.lists(scores, min_size=3, max_size=12))
@pytest.mark.spec("RS-REL-9", "RS-REL-8", "RS-REL-4")
def test_the_closed_form_without_outliers(by: str, s: list[float]) -> None:
    expected = without_outliers(s)
    assume(expected is not None)
    assert rs.relevance(s, backend=by).tolist() == expected


@BY
@pytest.mark.spec("RS-REL-9", "RS-REL-3")
def test_an_outlier_by_hand(by: str) -> None:
    """0, 1, 2, 3, 16: Q1 = 1, Q3 = 3, whisker 6, α = 10/16. Chords from the median: (3/8)/4 = 3/32
    and (5/8)/10 = 1/16. Slopes: 0 at the median; at the whisker, with the weights 2·10 + 4 = 24
    and 10 + 2·4 = 18, 42/(24·32/3 + 18·16) = 42/544 = 21/272. φ(3), a quarter of the way:
    3/8 · (1/16)(5/2) - 4 · 21/272 · (1/16)(3/4) = 15/256 - 63/4352 = 3/68.
    """
    assert rs.relevance([0, 1, 2, 3, 16], backend=by).tolist() == [0, 0, 0, 3 / 68, 1]


@BY
@pytest.mark.spec("RS-REL-5")
def test_the_authors_program(by: str) -> None:
    """Of the scores above 0, which are 1, 2 and 3, the median is 2; of all it is 1."""
    program = rs.relevance([-9, 0, 1, 2, 3], variant="authors-program", backend=by)
    assert program.tolist() == [0, 0, 0, 0, 1]
    text = rs.relevance([-9, 0, 1, 2, 3], backend=by)
    assert text.tolist()[3] > 0


@pytest.mark.spec("RS-REL-1")
def test_quartiles() -> None:
    """Of 0, 1, 2, 3, 7 linear quartiles and hinges are 1 and 3, and 7 is above the whisker 6; those
    of definition 6 are 1/2 and 5, and it is not above 47/4. There t = 1/5, c = 12/7.
    """
    s = [0, 1, 2, 3, 7]
    found = {q: rs.relevance(s, quartiles=q).tolist()[3] for q in ("linear", "hinges", "weibull")}
    assert found["linear"] == found["hinges"] == rs.relevance(s).tolist()[3]
    assert found["weibull"] == 43 / 875  # (1/25)(13/5) - (12/7)(1/25)(4/5)
    assert found["weibull"] != found["linear"]


@BY
@pytest.mark.spec("RS-REL-6")
def test_points_of_your_own(by: str) -> None:
    """Two points: a line, constant beyond them."""
    found = rs.relevance([-1, 0, 1, 3, 4, 9], points=[(0, 0.25), (4, 1)], backend=by)
    assert found.tolist() == [0.25, 0.25, 0.4375, 0.8125, 1, 1]
    assert rs.relevance([5, 7], points=[(6, 0.5)], backend=by).tolist() == [0.5, 0.5]


@BY
@pytest.mark.parametrize(
    ("s", "expected"),
    [
        ([], []),
        ([7], [1]),
        ([-2.5, -2.5], [1, 1]),
        ([1, 2], [0, 1]),
        ([0, 0, 0, 9], [0, 0, 0, 1]),
        ([0, 9, 9, 9], [0, 1, 1, 1]),
    ],
)
@pytest.mark.spec("RS-REL-6")
def test_degenerate_scores(by: str, s: list[float], expected: list[float]) -> None:
    assert rs.relevance(s, backend=by).tolist() == expected


S = [100, 90, 80, 15, 10, 3, 1, 2]
OF_5, OF_3 = rs.relevance(S[:5]).tolist(), rs.relevance(S[5:]).tolist()


@pytest.mark.parametrize(
    ("given_", "offsets", "expected", "shape"),
    [
        (S[:5], None, OF_5, (5,)),
        (tuple(S[:5]), None, OF_5, (5,)),
        (array("d", S[:5]), None, OF_5, (5,)),
        (np.array(S[:5], dtype=np.uint8), None, OF_5, (5,)),
        ([Fraction(s) for s in S[:5]], None, OF_5, (5,)),
        ([S[:5], S[5:]], None, OF_5 + OF_3, (8,)),
        ([S[:5], [], S[5:]], None, OF_5 + OF_3, (8,)),
        (S, [0, 5, 5, 8], OF_5 + OF_3, (8,)),
        (np.array(S, dtype=np.float32), np.array([0, 5, 8]), OF_5 + OF_3, (8,)),
        (np.array([S[5:], S[5:]]), None, OF_3 + OF_3, (2, 3)),
        ([], [0], [], (0,)),
    ],
)
@pytest.mark.spec("RS-REL-9", "RS-CONV-11")
def test_forms(given_: Any, offsets: Any, expected: list[float], shape: tuple[int, ...]) -> None:
    found = rs.relevance(given_, offsets)
    assert found.dtype == np.float64
    assert found.shape == shape
    assert found.reshape(-1).tolist() == expected


def test_the_result_is_the_caller_s_own() -> None:
    found = rs.relevance([1, 2, 3])
    found[0] = 0.5
    assert rs.relevance([1, 2, 3])[0] == 0


@BY
@each(
    ("given_", "message"),
    [
        ({"scores": [1, float("nan")]}, "scores: nan at position 1: a score must be finite"),
        ({"scores": [[1], [2, float("-inf")]]}, "scores: -inf at list 1, position 1: a score"),
        ({"scores": np.array([[1, 2], [np.inf, 0]])}, "scores: inf at list 1, position 0: a"),
        ({"scores": ["a"]}, "scores: 'a' at position 0 is not a number"),
        ({"scores": "12"}, "scores: expected a list of numbers, got str"),
        ({"scores": None}, "scores: expected a list of numbers, got NoneType"),
        ({"scores": [Decimal("0.1")]}, "or a number that is exactly a double"),
        ({"scores": [1, 2], "offsets": [0, 3]}, "offsets: offset 1 is 3, but there are 2 scores"),
        (
            {"scores": [1, 2], "offsets": [0, 1]},
            "offsets: the last offset is 1, but there are 2 scores",
        ),
        ({"scores": [1, 2], "offsets": [0.5, 2]}, "offsets: expected integers"),
        (
            {"scores": [[1], [2]], "offsets": [0, 2]},
            "with offsets the numbers must be in one flat list",
        ),
        (
            {"variant": "texts"},
            r"variant: unknown reading .*: 'texts' \(did you mean \"text\"\?\)",
        ),
        ({"quartiles": 7}, "quartiles: unknown definition of quartiles: 7; expected one of"),
        ({"points": []}, "points: expected at least one control point, got none"),
        ({"points": 3}, "points: expected a list of control points .*, got 3"),
        ({"points": "0-1"}, "points: expected a list of control points .*, got '0-1'"),
        ({"points": [(0, 0), 1]}, r"points: point 1 is 1; expected \(score, relevance\)"),
        ({"points": [(0, 0, 1)]}, r"points: point 0 is \(0, 0, 1\); expected \(score"),
        ({"points": [(1, 0), (0, 1)]}, "the score of point 1 is 0, not above 1 before it"),
        ({"points": [(1, 0), (1, 1)]}, "the score of point 1 is 1, not above 1 before it"),
        ({"points": [(0, 0.5), (1, 0.25)]}, "the relevance of point 1 is 0.25, below 0.5 before"),
        ({"points": [(0, 0), (1, 1.5)]}, "the relevance of point 1 is 1.5; expected 0 to 1"),
        ({"points": [(0, -1)]}, "the relevance of point 0 is -1; expected 0 to 1"),
        ({"points": [(float("nan"), 0)]}, "points: the score of point 0"),
        ({"points": [(0, float("nan"))]}, "points: the relevance of point 0"),
        ({"points": [("x", 0)]}, "points: the score of point 0"),
    ],
)
@pytest.mark.spec("RS-REL-6", "RS-REL-9")
def test_what_is_refused(by: str, given_: dict[str, Any], message: str) -> None:
    with pytest.raises(rs.InputError, match=message) as error:
        rs.relevance(**{"scores": [1, 2, 3], **given_}, backend=by)
    assert "\n" not in str(error.value)


def test_no_such_backend() -> None:
    with pytest.raises(rs.InputError, match='unknown backend "gpu"; there are "auto", "c" and'):
        rs.relevance([1], backend="gpu")
