"""The laws of relevance from scores, derived from the reference's own functions.

Scores are sums of positive steps; so what is compared on the way, to order scores, to find
outliers and to choose a slope, is compared for all of them at once, or not at all (`Positive`).
Where a formula has no branches, its letters are plain symbols.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, pairwise, product

import pytest
import sympy

from rankspec.reference.dcg import dcg, ndcg
from rankspec.reference.gain import gain_exp2
from rankspec.reference.relevance import (
    alpha,
    control_points,
    control_points_of_program,
    distinct,
    end_slope,
    gain_phi,
    hermite,
    interior_slope,
    phi,
    points_of,
    position,
    quantile,
    relevance,
    slopes,
    through,
    upper_whisker,
)

from .proof import SYMBOLS, Positive, equal, nonnegative, positive, symbols

QUARTILES = ["linear", "hinges", "median-unbiased", "weibull"]
DEFINITIONS = pytest.mark.parametrize("quartiles", QUARTILES)
SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
VARIANTS = {"text": "linear", "authors-program": "hinges"}

t, h, c, a, b = symbols("t h c a b")


def rising(n, *more):
    """n scores that rise, the first of them positive; and the symbols that are asked for."""
    numbers = positive(" ".join([*(f"e{i}" for i in range(n)), *more]))
    return list(accumulate(numbers[:n])), *numbers[n:]


def quartile(x, p, quartiles):
    return quantile(x, position(p, len(x), quartiles))


# Quartiles, the whisker, α


@DEFINITIONS
@pytest.mark.spec("RS-REL-1", "RS-REL-1/L1", "RS-REL-1/L2", "RS-REL-1/L3", "RS-REL-1/L4")
def test_quartiles(quartiles):
    for n in range(1, 10):
        x, scale, shift = rising(n, "scale", "shift")
        Q = [quartile(x, p, quartiles) for p in SHARES]
        assert x[0] <= Q[0] <= Q[1] <= Q[2] <= x[-1]
        assert 2 * Q[1] == x[(n - 1) // 2] + x[n // 2]
        moved = [scale * s + shift for s in x]
        assert [quartile(moved, p, quartiles) for p in SHARES] == [scale * q + shift for q in Q]
        mirrored = [0 - s for s in reversed(x)]
        assert [quartile(mirrored, p, quartiles) for p in SHARES] == [0 - q for q in reversed(Q)]
        if n > 1:  # controls
            assert 2 * Q[1] != x[0] + x[n // 2] or n == 2
            assert [quartile(moved, p, quartiles) for p in SHARES] != Q
            assert Q[0] != Q[2]


@pytest.mark.spec("RS-REL-1/L5", "RS-REL-2/L4")
def test_the_definitions_of_quartiles_in_order():
    differ = set()
    for n in range(1, 10):
        (x,) = rising(n)
        for one, other in pairwise(QUARTILES):
            low, high = (quartile(x, SHARES[0], q) for q in (one, other))
            assert high <= low
            low, high = (quartile(x, SHARES[2], q) for q in (one, other))
            assert low <= high
            assert upper_whisker(x, one) <= upper_whisker(x, other)
            differ |= {(one, other)} if low < high else set()
        same = upper_whisker(x, "linear") == upper_whisker(x, "hinges")
        assert same == (n % 2 == 1)
    assert len(differ) == 3  # control


@DEFINITIONS
@pytest.mark.spec("RS-REL-2", "RS-REL-2/L1", "RS-REL-2/L2", "RS-REL-2/L3")
def test_the_upper_whisker(quartiles):
    for n in range(1, 10):
        x, scale, shift = rising(n, "scale", "shift")
        Q = [quartile(x, p, quartiles) for p in SHARES]
        W = upper_whisker(x, quartiles)
        assert W == Q[2] + 3 * (Q[2] - Q[0]) / 2 >= Q[2] >= Q[1]
        assert W - Q[1] == (Q[2] - Q[1]) + 3 * (Q[2] - Q[0]) / 2  # two summands, none below 0
        assert (Q[1] < W) == (n > 1)
        moved = [scale * s + shift for s in x]
        assert upper_whisker(moved, quartiles) == scale * W + shift
        assert upper_whisker(moved, quartiles) != W  # control


@DEFINITIONS
@pytest.mark.spec("RS-REL-2/L5")
def test_few_scores_have_no_outlier(quartiles):
    fewest = {"linear": 4, "hinges": 5, "weibull": 6, "median-unbiased": 5}[quartiles]
    for n in range(1, fewest):
        (x,) = rising(n)
        assert x[-1] <= upper_whisker(x, quartiles)
    (x,) = rising(fewest)
    with pytest.raises(AssertionError, match="not plain"):  # control: either can be
        assert x[-1] <= upper_whisker(x, quartiles)
    zeros_and_one = [Fraction(0)] * (fewest - 1) + [Fraction(1)]
    assert zeros_and_one[-1] > upper_whisker(zeros_and_one, quartiles)


@pytest.mark.spec("RS-REL-3", "RS-REL-3/L1", "RS-REL-3/L2", "RS-REL-3/L3", "RS-REL-4/L4")
def test_alpha():
    low, u, v, z, scale, shift = positive("low u v z scale shift")
    med, W = low + u, low + u + v
    x = [low, med, W + z]
    share = alpha(x, W)
    assert 0 < share < 1 == alpha(x, low)
    assert 1 - share == (W - low) / (x[-1] - low)
    moved = [scale * s + shift for s in x]
    assert alpha(moved, scale * W + shift) == share != alpha(moved, W)
    above_chord = (1 - share) - (W - med) / (x[-1] - med)
    assert above_chord == (x[-1] - W) * (med - low) / ((x[-1] - low) * (x[-1] - med)) > 0
    assert above_chord != (x[-1] - W) / (x[-1] - med)  # control


# Control points


def far_out(n, quartiles):
    """n scores, the highest, and it alone, an outlier however high it is; and two symbols.

    The others are at equal distances, which settles the slope at the highest.
    """
    low, u, out, scale, shift = positive("low u out scale shift")
    x = [low + i * u for i in range(n - 1)]
    x += [x[-1] + 10 * n * u + out]
    assert x[-2] <= upper_whisker(x, quartiles) < x[-1]
    return x, scale, shift


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.spec(
    "RS-REL-4", "RS-REL-4/L1", "RS-REL-4/L2", "RS-REL-4/L3", "RS-REL-5", "RS-REL-5/L1",
    "RS-REL-5/L3", "RS-REL-5/L4", "RS-REL-9", "RS-REL-9/L1", "RS-REL-9/L2", "RS-REL-9/L3",
)  # fmt: skip
def test_scores_with_an_outlier_and_without(variant):
    """The order of the control points, that of the relevances, and what a new scale changes."""
    quartiles = VARIANTS[variant]
    x, scale, shift = far_out(6, quartiles)
    points = points_of(x, variant, quartiles)
    (s0, y0), (med, y1), (W, y2), (s3, y3) = points
    assert s0 < med < W < s3 == x[-1]
    assert y0 == y1 == 0 < y2 < 1 == y3
    assert y2 == (W - x[0]) / (x[-1] - x[0])
    assert s0 == (x[0] if variant == "text" else 0)
    assert (upper_whisker(x, quartiles) if variant == "text" else x[-2]) == W
    rel = relevance(x, variant, quartiles)
    assert rel == sorted(rel)
    assert [y > 0 for y in rel] == [s > med for s in x]
    assert rel[-1] == 1
    assert relevance([scale * s for s in x], variant, quartiles) == rel
    moved = points_of([scale * s + shift for s in x], variant, quartiles)
    assert (moved == [(scale * s + shift, y) for s, y in points]) == (variant == "text")
    low, u, _ = positive("low u shift")
    x = [low + i * u for i in (0, 1, 2, 5)]  # no outlier: the first point has a part in φ
    assert points_of(x, variant, quartiles)[1:] == [(low + u * Fraction(3, 2), 0), (x[-1], 1)]
    rel = relevance(x, variant, quartiles)
    assert relevance([5 * s / 3 for s in x], variant, quartiles) == rel
    assert (relevance([s + u for s in x], variant, quartiles) == rel) == (variant == "text")


@pytest.mark.spec("RS-REL-5/L2", "RS-REL-9/L4", "RS-REL-6")
def test_scores_up_to_0_play_no_part_in_the_program():
    x, low, _ = far_out(5, "hinges")
    more = [0 - low, Fraction(0), *x, 0 - 3 * low]
    assert control_points_of_program(more, "hinges") == control_points_of_program(x, "hinges")
    assert control_points(more[1:-1], "hinges") != control_points(x, "hinges")  # control
    rel = relevance(more, "authors-program", "hinges")
    assert rel == [0, 0, *relevance(x, "authors-program", "hinges"), 0]
    assert control_points_of_program([0 - low, 0 - 2 * low], "hinges") == []


@pytest.mark.spec("RS-REL-6", "RS-REL-6/L1", "RS-REL-6/L2", "RS-REL-7/L4", "RS-ERR-13")
def test_points_that_coincide_leave_a_straight_line():
    """min < max, and the median is the lowest, the highest, or the whisker."""
    low, u, v = positive("low u v")
    middle, high = low + u, low + u + v
    for x in (
        [low] * 3 + [middle, middle + u],
        [low] * 5 + [middle, low + 100 * u + v],
        [low] * 4 + [low + 100 * u],
        [low, middle] + [high] * 3,
        [low] + [middle] * 7 + [high],
        [low] + [middle] * 7 + [high, high + u],
        [low, low + u / 2] + [middle] * 6 + [high],
    ):
        X, Y, d = through(control_points(x, "linear"))
        assert all(s < other for s, other in pairwise(X))
        assert all(y <= other for y, other in pairwise(Y))
        assert all(1 / (x[-1] - x[0]) == D for D in d)
        assert relevance(x, "text", "linear") == [(s - x[0]) / (x[-1] - x[0]) for s in x]
    x = [low, middle, middle + u, middle + 3 * u]  # control: nothing coincides
    assert relevance(x, "text", "linear") != [(s - x[0]) / (x[-1] - x[0]) for s in x]


@pytest.mark.slow
@pytest.mark.spec("RS-REL-6", "RS-REL-6/L3")
def test_equal_and_two_distinct_scores():
    low, u = positive("low u")
    high = low + u
    for n in range(1, 6):
        assert distinct(control_points([low] * n, "linear")) == ([low], [1])
        assert relevance([low] * n, "text", "linear") == [1] * n
        assert relevance([low] * n, "authors-program", "hinges") == [1] * n
        assert relevance([Fraction(0)] * n, "text", "linear") == [1] * n
        assert relevance([Fraction(0)] * n, "authors-program", "hinges") == [0] * n
    for few, many in product(range(1, 6), repeat=2):
        x = [low] * few + [high] * many
        for quartiles in QUARTILES:
            binary = [0] * few + [1] * many
            assert relevance(x, "text", quartiles) == binary
            of_lower = low / high if many > few else 0
            by_program = relevance(x, "authors-program", quartiles)
            assert by_program == [of_lower] * few + [1] * many
        assert relevance([0 * low] * few + x[few:], "authors-program", "hinges") == binary


# Slopes and φ


@pytest.mark.spec("RS-REL-7", "RS-REL-7/L1", "RS-REL-7/L2")
def test_inner_slopes_keep_to_three_times_the_chords():
    h0, h1, D0, D1 = positive("h0 h1 D0 D1")
    d = interior_slope(h0, h1, D0, D1)
    assert 0 < d < 3 * D0
    assert d < 3 * D1
    with pytest.raises(AssertionError, match="not plain"):  # control
        assert d < 2 * D0
    assert interior_slope(h0, h1, 0 * D0, D1) == interior_slope(h0, h1, D0, 0 * D1) == 0
    assert interior_slope(h0, h1, D0, 0 - D1) == 0
    assert interior_slope(h0, h1, D0, D0) == D0  # L4
    assert 1 / d == ((2 * h1 + h0) / D0 + (h1 + 2 * h0) / D1) / (3 * (h0 + h1))


@pytest.mark.spec("RS-REL-7", "RS-REL-7/L1", "RS-REL-7/L2", "RS-REL-7/L5")
def test_end_slopes_keep_to_twice_the_chord():
    """D1 below and above the chord at which the formula gives 0, (2 h0 + h1) D0 / h0."""
    h0, h1, D0, part, more = positive("h0 h1 D0 part more")
    limit = (2 * h0 + h1) * D0 / h0
    for D1 in (limit / (1 + part), 0 * D0):
        d = end_slope(h0, h1, D0, D1)
        assert d == ((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1)
        assert 0 < d <= (2 * h0 + h1) / (h0 + h1) * D0 < 2 * D0
    assert end_slope(h0, h1, D0, limit) == end_slope(h0, h1, D0, limit + more) == 0
    assert end_slope(h0, h1, 0 * D0, D0) == 0
    assert end_slope(h0, h1, D0, D0) == D0  # L4
    steep = 0 - (D0 * (h0 + 2 * h1) / h0 + more)  # control: points that fall reach the cap
    assert end_slope(h0, h1, D0, steep) == 3 * D0


@pytest.mark.spec("RS-REL-7", "RS-REL-7/L1", "RS-REL-7/L4", "RS-REL-7/L6")
def test_slopes_of_a_line_and_of_another_scale():
    h0, h1, h2, e, scale = positive("h0 h1 h2 e scale")
    X = [h0, h0 + h1, h0 + h1 + h2]
    assert slopes(X, [3 * s / 7 for s in X]) == [Fraction(3, 7)] * 3
    assert slopes(X[:2], [0 * e, e]) == [e / h1] * 2
    Y = [0 * e, 0 * e, e]
    d = slopes(X, Y)
    assert d == [0, 0, (2 * h2 + h1) / (h1 + h2) * e / h2]
    assert slopes([scale * s + e for s in X], Y) == [y / scale for y in d]
    assert slopes([scale * s for s in X], Y) != d  # control


@pytest.mark.slow
@pytest.mark.spec("RS-REL-7/L3", "RS-REL-8", "RS-REL-8/L1")
def test_the_hermite_cubic_and_its_derivative():
    """affine in a and b: so between its values at the corners of [0, 3]^2."""
    y, D = symbols("y D")

    def cubic(a, b):
        return hermite(t, h, (y, y + h * D), (a * D, b * D))

    curve = cubic(a, b)
    assert equal(curve.subs(t, 0), y)
    assert equal(curve.subs(t, 1), y + h * D)
    slope = sympy.diff(curve, t) / h  # by the score
    assert equal(slope.subs(t, 0), a * D)
    assert equal(slope.subs(t, 1), b * D)
    u = 1 - t
    law = D * (a * u**2 + 2 * (3 - a - b) * t * u + b * t**2)
    assert equal(slope, law)
    assert not equal(slope, law + D * t * u)  # control
    assert sympy.Poly(law / D, a, b).total_degree() == 1
    corners = {(0, 0): 6 * t * u, (3, 0): 3 * u**2, (0, 3): 3 * t**2, (3, 3): 3 * (1 - 2 * t) ** 2}
    for (left, right), form in corners.items():
        assert equal(slope.subs({a: left, b: right}), D * form)
        within = sympy.Interval(0, 1)
        assert sympy.minimum(form, t, within) == 0
        assert sympy.maximum(form, t, within) <= 3
    steeper = slope.subs({a: 4, b: 4, D: 1, t: sympy.Rational(1, 2)})
    assert steeper < 0  # control: beyond 3 D it can fall


@pytest.mark.spec("RS-REL-8", "RS-REL-8/L1", "RS-REL-8/L2", "RS-REL-8/L3", "RS-REL-7/L3")
def test_phi_rises_through_its_points():
    """Inside, u = 1 - t: both have positive symbols, and φ is between the ends of the interval."""
    s0, w0, w1, w2, e1, p, q = positive("s0 w0 w1 w2 e1 p q")
    X = [s0, s0 + w0, s0 + w0 + w1, s0 + w0 + w1 + w2]
    height = e1 / (e1 + 1)
    Y = [0 * e1, 0 * e1, height, 0 * e1 + 1]
    # the ends of the slopes are given, so that no branch is open: any within [0, 3 D]
    D = [(y1 - y0) / (x1 - x0) for (x0, x1), (y0, y1) in zip(pairwise(X), pairwise(Y), strict=True)]
    d = [0 * e1, 0 * e1, interior_slope(w1, w2, D[1], D[2]), 2 * D[2] * p / (p + q)]
    for j, (x, y) in enumerate(zip(X, Y, strict=True)):
        assert phi(x, X, Y, d) == y == [0, 0, height, 1][j]
    share = p / (p + q)
    for j in range(3):
        inside = phi(X[j] + (X[j + 1] - X[j]) * share, X, Y, d)
        assert inside == hermite(share, X[j + 1] - X[j], (Y[j], Y[j + 1]), (d[j], d[j + 1]))
        if j == 0:
            assert inside == 0
        if j == 1:
            assert 0 < inside < height
    assert phi(X[0] - p, X, Y, d) == 0
    assert phi(X[3] + p, X, Y, d) == 1
    assert phi(s0, [], [], []) == 0
    assert phi(s0, [s0 + p], [height], []) == phi(s0 + 2 * p, [s0 + p], [height], []) == height


@pytest.mark.spec("RS-REL-8/L4", "RS-REL-8/L5", "RS-ERR-14", "RS-ERR-15")
def test_phi_without_an_outlier():
    low, h0, h1, p, q = positive("low h0 h1 p q")
    X, Y, d = through([(low, 0 * low), (low + h0, 0 * low), (low + h0 + h1, 0 * low + 1)])
    share = p / (p + q)
    of_median = (2 * h1 + h0) / (h1 + h0)
    value = phi(low + h0 + h1 * share, X, Y, d)
    assert value == share * share * (3 - 2 * share) - of_median * share * share * (1 - share)
    assert value == share - share * (1 - share) * (1 - (2 - of_median) * share)
    assert 0 < value < share  # below the chord
    assert 1 < of_median < 2
    assert phi(low + h0 * share, X, Y, d) == 0

    curve = t**2 * (3 - 2 * t) - c * t**2 * (1 - t)
    bend = sympy.diff(curve, t, 2)
    assert equal(bend.subs(t, 0), 6 - 2 * c)
    assert equal(bend.subs(t, 1), 4 * c - 6)
    assert sympy.Poly(bend, t).degree() == 1
    g0, g1 = symbols("g0 g1")
    of_c = (2 * g1 + g0) / (g1 + g0)
    assert equal((4 * c - 6).subs(c, of_c), 2 * (g1 - g0) / (g0 + g1))  # >= 0 where g1 >= g0
    assert sympy.limit(of_c, g0, 0) == 2
    assert sympy.limit(of_c, g1, 0) == 1
    assert equal(curve.subs(c, 2), t**2)
    assert not equal(curve.subs(c, 2), t)  # as it is where the median is the lowest score


@pytest.mark.spec("RS-ERR-14", "RS-REL-9/L5")
def test_the_point_at_the_whisker_against_none():
    """The highest score comes nearer to the whisker; the other outliers fall as it grows."""
    low, u, v, z, p, q = positive("low u v z p q")
    med, W, high = low + u, low + u + v, low + u + v + z
    without = through([(low, 0 * low), (med, 0 * low), (high, 0 * low + 1)])
    share = alpha([low, high], W)
    assert share < 1 - phi(W, *without)
    assert (1 - share) / (W - med) > share / (high - W) == 1 / (high - low)  # chords
    # no slope is more than 3 D: φ(s) <= 1 - α + 3 (s - W) D, the bound of the law
    s = W + z * p / (p + q)
    bound = (W - low + 3 * (s - W)) / (high - low)
    assert bound == (1 - share) + 3 * (s - W) * share / (high - W) > 1 - share
    x, y = symbols("x y")
    assert sympy.limit((x + 3 * y) / (x + h), h, sympy.oo) == 0


# The gain and the metrics


@pytest.mark.spec("RS-REL-10", "RS-REL-10/L1", "RS-REL-10/L2")
def test_the_gain():
    x = symbols("x")[0]
    gain = gain_phi(x, SYMBOLS)
    assert equal(gain, gain_exp2(x, SYMBOLS))
    assert (gain.subs(x, 0), gain.subs(x, 1)) == (0, 1)
    assert sympy.diff(gain, x).is_positive
    assert sympy.diff(gain, x, 2).is_positive  # convex: below its chord, above its tangent at 0
    assert equal(sympy.diff(gain, x).subs(x, 0), sympy.log(2))
    top = -sympy.log(sympy.log(2), 2)
    spare = x - gain
    assert sympy.simplify(sympy.diff(spare, x).subs(x, top)) == 0
    largest = 1 - (1 + sympy.log(sympy.log(2))) / sympy.log(2)
    assert sympy.simplify(spare.subs(x, top) - largest) == 0
    assert (round(float(top), 4), round(float(largest), 4)) == (0.5288, 0.0861)
    assert sympy.simplify(sympy.diff(spare, x).subs(x, top / 2)) != 0  # control


@pytest.mark.spec(
    "RS-REL-11", "RS-REL-11/L1", "RS-REL-11/L2", "RS-REL-11/L3", "RS-REL-12", "RS-REL-12/L2",
    "RS-REL-12/L3",
)  # fmt: skip
def test_the_metrics():
    """Relevances f1..f4 stand for any; discounts are sums of steps."""
    f = symbols("f1:5")
    steps = symbols("delta1:5")
    relevance_of = dict(enumerate(f))

    def discount(i):
        return sum(steps[i - 1 :])

    def gain(s):
        return gain_phi(relevance_of[s], SYMBOLS)

    value = dcg([0, 1, 2, 3], 4, gain, discount)
    assert equal(value, dcg(list(f), 4, lambda y: gain_exp2(y, SYMBOLS), discount))
    swap = dcg([1, 0, 2, 3], 4, gain, discount) - value
    assert equal(swap, (gain(1) - gain(0)) * (discount(1) - discount(2)))
    assert not equal(swap, (gain(1) - gain(0)) * discount(1))  # control
    spare = sum(discount(i) for i in (1, 2, 3, 4)) - dcg(
        [0, 1, 2, 3], 4, lambda s: 1 - relevance_of[s], discount
    )
    assert nonnegative(spare, *f, *steps)  # gains are at most 1
    binary = {0: 0, 1: 1}
    of_binary = ndcg([0, 1, 0], [0, 1, 0], 3, lambda s: gain_phi(binary[s], SYMBOLS), discount)
    assert equal(of_binary, ndcg([0, 1, 0], [0, 1, 0], 3, lambda s: s, discount))
    # the order of scores is ideal: gains rise with them
    rises = symbols("rho1:5")
    table = [0, *accumulate(rises)]
    best = dcg([3, 2, 1, 0], 3, table.__getitem__, discount)
    for r in ([2, 3, 1, 0], [0, 1, 2, 3], [3, 1, 2, 0]):
        assert nonnegative(best - dcg(r, 3, table.__getitem__, discount), *rises, *steps)
        assert not nonnegative(dcg(r, 3, table.__getitem__, discount) - best, *rises, *steps)


def test_a_sign_that_is_not_plain_is_refused():
    x, y = positive("x y")
    assert isinstance(x, Positive)
    assert x + y > x
    assert x - x == 0
    with pytest.raises(AssertionError, match="not plain"):
        assert x > y
