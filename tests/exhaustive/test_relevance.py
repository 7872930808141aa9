"""All small sets of integer scores: the reference against an independent definition, and laws.

What is independent stands in tests/vectors/definitions.py: quartiles by plotting positions and as
medians of halves, slopes by Brodlie's formula, cubics by de Casteljau's algorithm, in python-flint.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise

import pytest

from rankspec.reference.relevance import (
    alpha,
    control_points_of_program,
    distinct,
    hermite,
    phi,
    points_of,
    position,
    quantile,
    relevance,
    slopes,
    through,
    upper_whisker,
)

from ..each import each
from ..vectors import definitions

pytestmark = pytest.mark.slow(but=1)

QUARTILES = ["linear", "hinges", "median-unbiased", "weibull"]
VARIANTS = ["text", "authors-program"]
BY = pytest.mark.parametrize("quartiles", QUARTILES)
IN = pytest.mark.parametrize("variant", VARIANTS)
SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


@cache
def score_sets() -> list[list[Fraction]]:
    """Every multiset of up to 5 scores from -2 to 3, up to 7 from 0 to 3, and with one far out."""
    small = [
        x
        for scores, most in ((range(-2, 4), 5), (range(4), 7))
        for n in range(1, most + 1)
        for x in combinations_with_replacement(scores, n)
    ]
    far = [(*x, top) for x in small if len(x) > 3 and x[0] >= 0 for top in (8, 40)]
    return [[Fraction(s) for s in x] for x in dict.fromkeys(small + far)]


def as_fractions(numbers):
    return [Fraction(int(x.p), int(x.q)) for x in numbers]


def quartiles_of(x, name):
    return [quantile(x, position(p, len(x), name)) for p in SHARES]


@BY
@each(("step", "fewest"), [(5, 60), (1, 300)], fast=1)
@pytest.mark.spec(
    "RS-REL-1", "RS-REL-1/L1", "RS-REL-1/L2", "RS-REL-2", "RS-REL-2/L1", "RS-REL-2/L2",
    "RS-REL-3", "RS-REL-3/L1", "RS-REL-3/L2",
)  # fmt: skip
def test_quartiles_whisker_and_alpha(quartiles, step, fewest):
    """Of every set of scores; in the fast lane of every fifth."""
    outliers = 0
    for x in score_sets()[::step]:
        Q = quartiles_of(x, quartiles)
        W = upper_whisker(x, quartiles)
        exact = [definitions.rational(s) for s in x]
        other = [definitions.quartile(exact, q, quartiles) for q in (1, 2, 3)]
        assert as_fractions([*other, definitions.fence(exact, quartiles)]) == [*Q, W]
        assert x[0] <= Q[0] <= Q[1] <= Q[2] <= x[-1]
        assert Q[1] == (x[(len(x) - 1) // 2] + x[len(x) // 2]) / 2
        assert Q[2] <= W
        assert (Q[1] == W) == (Q[0] == Q[2])
        if x[-1] > W:
            outliers += 1
            assert 1 - alpha(x, W) == (W - x[0]) / (x[-1] - x[0])
            assert 0 < alpha(x, W) <= 1
            assert (alpha(x, W) == 1) == (x[0] == W)
    assert outliers > fewest


@pytest.mark.slow
@pytest.mark.spec("RS-REL-1/L5", "RS-REL-2/L4", "RS-REL-2/L5")
def test_the_definitions_of_quartiles_in_order_and_few_scores():
    fewest = dict.fromkeys(QUARTILES, 99)
    for x in score_sets():
        all_by = [(upper_whisker(x, name), quartiles_of(x, name)) for name in QUARTILES]
        for (W, Q), (W_next, Q_next) in pairwise(all_by):
            assert W_next >= W
            assert Q[0] >= Q_next[0]
            assert Q[2] <= Q_next[2]
        assert len(x) % 2 == 0 or all_by[0] == all_by[1]
        for name, (W, _) in zip(QUARTILES, all_by, strict=True):
            if x[-1] > W:
                fewest[name] = min(fewest[name], len(x))
    assert fewest == {"linear": 4, "hinges": 5, "weibull": 6, "median-unbiased": 5}


@pytest.mark.slow
@pytest.mark.long(but=3)
@BY
@IN
@pytest.mark.spec(
    "RS-REL-4", "RS-REL-4/L1", "RS-REL-4/L2", "RS-REL-4/L4", "RS-REL-5", "RS-REL-5/L1",
    "RS-REL-5/L2", "RS-REL-5/L4", "RS-REL-6", "RS-REL-6/L1", "RS-REL-7", "RS-REL-7/L1",
    "RS-REL-7/L2", "RS-REL-7/L5", "RS-REL-8", "RS-REL-8/L1", "RS-REL-8/L2", "RS-REL-8/L3",
    "RS-REL-9", "RS-REL-9/L1", "RS-REL-9/L4",
)  # fmt: skip
def test_control_points_slopes_and_relevances(variant, quartiles):
    measure = {"variant": variant, "quartiles": quartiles, "points": None}
    for x in score_sets():
        points = points_of(x, variant, quartiles)
        rel = relevance(x, variant, quartiles)
        assert rel == as_fractions(definitions.relevances(x, x, measure))
        if variant == "authors-program":
            used = [s for s in x if s > 0]
            assert points == control_points_of_program(used, quartiles)
            assert all(y == 0 for s, y in zip(x, rel, strict=True) if s <= 0)
            if not used:
                assert points == []
                continue
        else:
            used = x
        W, Q = upper_whisker(used, quartiles), quartiles_of(used, quartiles)
        assert any(s > W for s in used) == (len(points) == 4)
        assert all(s <= t and y <= z for (s, y), (t, z) in pairwise(points))
        assert points[1] == (Q[1], 0)
        if len(points) == 4:
            (_, _), (med, _), (whisker, height), (high, _) = points
            assert whisker == (W if variant == "text" else max(s for s in used if s <= W))
            assert med <= whisker < high
            assert 0 <= height < 1
            assert [s > whisker for s in used] == [s > W for s in used]
            if variant == "text":
                spare = (high - whisker) * (med - x[0]) / ((high - x[0]) * (high - med))
                assert height - (whisker - med) / (high - med) == spare
        X, Y = distinct(points)
        assert all(s < t and y <= z for (s, y), (t, z) in pairwise(zip(X, Y, strict=True)))
        assert [max(y for s, y in points if s == t) for t in X] == Y
        assert_slopes(X, Y)
        assert rel == sorted(rel)
        assert 0 <= rel[0] <= rel[-1] == 1


def assert_slopes(X, Y):
    """Within three chords of both sides, at the ends within two; and φ through its points."""
    d = slopes(X, Y) if len(X) > 1 else []
    chords = [(Y[j + 1] - Y[j]) / (X[j + 1] - X[j]) for j in range(len(X) - 1)]
    for j, D in enumerate(chords):
        assert 0 <= d[j] <= 3 * D
        assert 0 <= d[j + 1] <= 3 * D
        assert d[j] == d[j + 1] == 0 if D == 0 else D > 0
        ends = [phi(s, X, Y, d) for s in (X[j], X[j + 1])]
        assert ends == [Y[j], Y[j + 1]]
        middle = hermite(Fraction(1, 2), X[j + 1] - X[j], (Y[j], Y[j + 1]), (d[j], d[j + 1]))
        assert Y[j] <= middle <= Y[j + 1]
    if len(chords) > 1:
        assert d[0] < 2 * chords[0] or chords[0] == 0
        assert d[-1] < 2 * chords[-1] or chords[-1] == 0
    if X:
        assert phi(X[0] - 1, X, Y, d) == Y[0]
        assert phi(X[-1] + 1, X, Y, d) == Y[-1]


@pytest.mark.slow
@BY
@pytest.mark.spec(
    "RS-REL-6", "RS-REL-6/L2", "RS-REL-6/L3", "RS-REL-7/L4", "RS-REL-9/L2", "RS-REL-9/L5",
    "RS-ERR-13",
)  # fmt: skip
def test_relevance_0_up_to_the_median_and_straight_lines(quartiles):
    seen = dict.fromkeys(["lowest", "highest", "whisker", "none"], 0)
    for x in score_sets():
        rel = relevance(x, "text", quartiles)
        low, high = x[0], x[-1]
        if low == high:
            assert rel == [1] * len(x)
            assert relevance(x, "authors-program", quartiles) == [int(low > 0)] * len(x)
            continue
        W, med = upper_whisker(x, quartiles), quartiles_of(x, quartiles)[1]
        if med in (low, high) or med == W:
            seen["lowest"] += med == low
            seen["highest"] += med == high
            seen["whisker"] += low < med == W
            assert rel == [(s - low) / (high - low) for s in x]
            d = through(points_of(x, "text", quartiles))[2]
            assert set(d) == {1 / (high - low)}
        else:
            seen["none"] += 1
            assert [y > 0 for y in rel] == [s > med for s in x]
            assert sum(y > 0 for y in rel) <= len(x) // 2
        if high > W:
            for s, y in zip(x, rel, strict=True):
                if s >= W:
                    bound = (W - low + 3 * (s - W)) / (high - low)
                    assert (W - low) / (high - low) <= y <= bound
        if len(set(x)) == 2:
            assert rel == [s == high for s in x]
            median = sorted(x)[len(x) // 2]
            program = relevance(x, "authors-program", quartiles)
            if high <= 0:
                assert program == [0] * len(x)
            elif low > 0 and median == high == x[(len(x) - 1) // 2]:
                assert program == [1 if s == high else low / high for s in x]
            else:
                assert program == rel
    assert min(seen.values()) > 10, seen


@pytest.mark.slow
@pytest.mark.long(but=3)
@BY
@IN
@pytest.mark.spec(
    "RS-REL-1/L3", "RS-REL-1/L4", "RS-REL-2/L3", "RS-REL-3/L3", "RS-REL-4/L3", "RS-REL-5/L3",
    "RS-REL-7/L6", "RS-REL-9/L3", "RS-ERR-16",
)  # fmt: skip
def test_other_units_and_other_zeros(variant, quartiles):
    depends = 0
    factor, shift = Fraction(7, 3), Fraction(11, 2)
    for x in score_sets():
        rel = relevance(x, variant, quartiles)
        larger = [factor * s for s in x]
        assert relevance(larger, variant, quartiles) == rel
        scaled = [(factor * s, y) for s, y in points_of(x, variant, quartiles)]
        assert points_of(larger, variant, quartiles) == scaled
        moved = [s + shift for s in x]
        depends += relevance(moved, variant, quartiles) != rel
        Q = quartiles_of(x, quartiles)
        assert quartiles_of(moved, quartiles) == [q + shift for q in Q]
        assert quartiles_of([-s for s in reversed(x)], quartiles) == [-q for q in reversed(Q)]
        assert upper_whisker(larger, quartiles) == factor * upper_whisker(x, quartiles)
    assert (depends > 0) == (variant == "authors-program")


@pytest.mark.slow
@pytest.mark.spec("RS-REL-8/L4", "RS-REL-8/L5", "RS-ERR-15")
def test_without_an_outlier_the_closed_form_and_where_it_is_convex():
    convex = set()
    for x in score_sets():
        points = points_of(x, "text", "linear")
        (low, _), (med, _), (high, _) = points[0], points[1], points[-1]
        if len(points) == 4 or not low < med < high:
            continue
        X, Y, d = through(points)
        h0, h1 = med - low, high - med
        c = (2 * h1 + h0) / (h1 + h0)
        values = []
        for step in range(17):
            t = Fraction(step, 16)
            value = phi(med + t * h1, X, Y, d)
            assert value == t**2 * (3 - 2 * t) - c * t**2 * (1 - t)
            assert value < t or t in (0, 1)
            values.append(value)
        bends = [a + b - 2 * y for a, y, b in zip(values, values[1:], values[2:], strict=False)]
        if h1 >= h0:
            assert all(bend >= 0 for bend in bends)
        elif 2 * h1 < h0:  # so far from it that 17 values show it
            assert min(bends) < 0
        convex.add(h1 >= h0)
    assert convex == {True, False}


def test_the_independent_definition_can_fail():
    """The control: other quartiles, the other variant, a point that moves."""
    x = [Fraction(s) for s in (1, 2, 3, 4, 9, 40)]
    rel = relevance(x, "text", "linear")
    measure = {"variant": "text", "quartiles": "linear", "points": None}
    assert as_fractions(definitions.relevances(x, x, measure)) == rel
    for changed in (
        {"quartiles": "weibull"},
        {"variant": "authors-program"},
        {"points": [[1, 0], [9, 0.5], [40, 1]]},
    ):
        other = definitions.relevances(x, x, {**measure, **changed})
        assert as_fractions(other) != rel
