"""The laws of DCG_phi and nDCG_phi, through the public API.

A value must be the double nearest to the true one, which python-flint encloses by the definitions
of tests/vectors. Scores are whole numbers or doubles; both are exact.
"""

from __future__ import annotations

import statistics
from fractions import Fraction
from itertools import permutations
from math import log

import flint
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator

import rankspec
from rankspec.reference import relevance as reference

from ..reference.balls import ends_of
from ..vectors import definitions
from .broken import backwards, own_pool, using
from .law import READINGS, Metrics, law
from .rankings import double, pair, replaced, seeds, swapped

BOTH = pytest.mark.parametrize("by", READINGS)
QUARTILES = ["linear", "hinges", "median-unbiased", "weibull"]

popular = st.one_of(st.integers(0, 8), st.integers(0, 8), st.integers(9, 1000))
anything = st.one_of(popular, st.integers(-9, -1), st.floats(-100, 100, allow_subnormal=False))
variants = st.sampled_from(["text", "authors-program"])
quartiles = st.sampled_from(["own", *QUARTILES])
cuts = st.one_of(st.none(), st.integers(1, 12))
factors = st.sampled_from([2, 3, 7, 0.5])


def scores(of=anything, least=0, most=9):
    return st.lists(of, min_size=least, max_size=most)


def own(variant, name):
    """The definition of quartiles that is meant."""
    return {"text": "linear", "authors-program": "hinges"}[variant] if name == "own" else name


def control_points(pool, variant, name="own"):
    pool = [Fraction(s) for s in pool]
    return reference.points_of(pool, variant, own(variant, name))


def flat_to_the_median(pool):
    """Whether relevance is 0 up to the median (RS-REL-9/L2), which is given too."""
    (low, _), (med, _), *outlier, (high, _) = control_points(pool, "text")
    return low < med < high and all(med < whisker for whisker, _ in outlier), med


def by_definition(name, labels, pool, k, **parameters):
    """The double nearest to the value, by the definitions in python-flint."""
    measure = {
        "name": name,
        "discount": {"kind": "log", "base": 2},
        "variant": "text",
        "quartiles": "own",
        "points": None,
    } | parameters
    with flint.ctx.workprec(3000):  # 2^φ - 1 for a φ of 2^-1074 loses 1074 bits
        judged = [Fraction(s) for s in pool]
        value = definitions.of_order(
            [Fraction(s) for s in labels], judged, k or max(len(labels), len(pool)), measure
        )
        if isinstance(value, flint.fmpq):
            return double(Fraction(int(value.p), int(value.q)))
        lower, upper = map(double, ends_of(value))
    assert lower == upper
    return lower


# The definitions


@pytest.mark.spec(
    "RS-REL-1", "RS-REL-2", "RS-REL-3", "RS-REL-4", "RS-REL-5", "RS-REL-6", "RS-REL-7", "RS-REL-8",
    "RS-REL-9", "RS-REL-10", "RS-REL-11", "RS-REL-12",
)  # fmt: skip
@law(
    labels=scores(most=6),
    more=scores(),
    k=cuts,
    variant=variants,
    name=quartiles,
    dcg_phi=own_pool,
    ndcg_phi=own_pool,
)
def test_both_metrics_are_their_definitions(rs, *, labels, more, k, variant, name):
    parameters = {"variant": variant, "quartiles": name}
    pool = labels + more
    for metric, function in (("DCG_phi", rs.dcg_phi), ("nDCG_phi", rs.ndcg_phi)):
        value = function(labels, judged=pool, k=k, **parameters)
        assert value == by_definition(metric, labels, pool, k, **parameters)


@st.composite
def control_points_of_ones_own(draw):
    n = draw(st.integers(1, 5))
    X = draw(st.lists(anything, min_size=n, max_size=n, unique=True))
    Y = draw(st.lists(st.floats(0, 1, allow_subnormal=False), min_size=n, max_size=n))
    return list(zip(sorted(X), sorted(Y), strict=True))


@pytest.mark.spec("RS-REL-6", "RS-REL-6/L1", "RS-REL-8", "RS-REL-8/L3", "RS-REL-11", "RS-REL-12")
@law(
    labels=scores(most=6),
    more=scores(),
    points=control_points_of_ones_own(),
    dcg_phi=using(points=[(0, 0), (9, 1)]),
)
def test_points_of_ones_own(rs, labels, more, points):
    pool = labels + more
    value = rs.dcg_phi(labels, judged=pool, points=points)
    assert value == by_definition("DCG_phi", labels, pool, None, points=points)
    assert value == rs.dcg_phi(
        labels, points=points, variant="authors-program", quartiles="weibull"
    )
    normalised = rs.ndcg_phi(labels, judged=pool, points=points)
    assert normalised == by_definition("nDCG_phi", labels, pool, None, points=points)


@pytest.mark.spec("RS-EXP-2", "RS-EXP-3", "RS-REL-11", "RS-REL-12")
@law(
    labels=scores(least=2, most=4),
    cut=st.integers(0, 4),
    k=cuts,
    variant=variants,
    dcg_phi=using(scores=None),
    ndcg_phi=using(scores=None),
)
def test_the_expectation_over_ties(rs, *, labels, cut, k, variant):
    """Of two tie groups: the mean over all orders is enclosed by the means of their enclosures."""
    cut = min(cut, len(labels))
    ranked_by = [2] * cut + [1] * (len(labels) - cut)
    orders = [
        [*top, *rest] for top in permutations(labels[:cut]) for rest in permutations(labels[cut:])
    ]
    for name in ("dcg_phi", "ndcg_phi"):
        certify = getattr(rankspec.certify, name)
        ends = [certify(order, judged=labels, k=k, variant=variant) for order in orders]
        lower = double(sum(x.lower for x in ends) / len(ends))
        upper = double(sum(x.upper for x in ends) / len(ends))
        value = getattr(rs, name)(labels, scores=ranked_by, judged=labels, k=k, variant=variant)
        assert lower <= value <= upper


# What scores do to the values


@pytest.mark.spec("RS-REL-12/L1", "RS-REL-12/L2", "RS-REL-9", "RS-REL-9/L1")
@law(
    labels=scores(),
    more=scores(least=1),
    k=cuts,
    variant=variants,
    name=quartiles,
    ndcg_phi=backwards,
)
def test_the_order_of_scores_is_ideal(rs, *, labels, more, k, variant, name):
    pool = labels + more
    given_ = {"judged": pool, "k": k, "variant": variant, "quartiles": name}
    assert 0 <= rs.ndcg_phi(labels, **given_) <= 1
    defined = variant == "text" or max(pool) > 0
    assert rs.ndcg_phi(sorted(pool, reverse=True), **given_) == int(defined)


@pytest.mark.spec("RS-REL-6", "RS-REL-6/L2", "RS-REL-12", "RS-CONV-4")
@law(
    score=anything,
    n=st.integers(1, 9),
    k=cuts,
    variant=variants,
    ndcg_phi=using(variant="authors-program"),
)
def test_equal_scores(rs, score, n, k, variant):
    """Every order is ideal; by the program none has a relevance where they are not above 0."""
    defined = variant == "text" or score > 0
    assert rs.ndcg_phi([score] * n, k=k, variant=variant) == int(defined)
    assert rs.dcg_phi([score], k=k, variant=variant) == int(defined)


@pytest.mark.spec("RS-REL-6/L3", "RS-REL-12/L3")
@law(
    low=anything,
    high=anything,
    binary=st.lists(st.integers(0, 1), min_size=1, max_size=9),
    k=cuts,
    name=quartiles,
    ndcg_phi=using(variant="authors-program"),
)
def test_two_distinct_scores_are_binary_labels(rs, *, low, high, binary, k, name):
    assume(low < high and 0 < sum(binary) < len(binary))
    labels = [high if bit else low for bit in binary]
    assert rs.ndcg_phi(labels, k=k, quartiles=name) == rs.ndcg(binary, k=k)
    assert rs.dcg_phi(labels, k=k, quartiles=name) == rs.dcg(binary, k=k)


@pytest.mark.spec(
    "RS-REL-1/L3", "RS-REL-2/L3", "RS-REL-3/L3", "RS-REL-4/L3", "RS-REL-7/L6", "RS-REL-9/L3",
    "RS-REL-11/L4", "RS-REL-12/L4",
)  # fmt: skip
@law(
    labels=scores(popular, least=1),
    more=scores(popular),
    k=cuts,
    a=factors,
    b=st.integers(-50, 50),
    name=quartiles,
    ndcg_phi=using(variant="authors-program"),
)
def test_unit_and_zero_of_scores_play_no_part_in_the_text(rs, *, labels, more, k, a, b, name):
    pool = labels + more
    other = [a * s + b for s in labels], [a * s + b for s in pool]
    for function in (rs.dcg_phi, rs.ndcg_phi):
        before = function(labels, judged=pool, k=k, quartiles=name)
        assert function(other[0], judged=other[1], k=k, quartiles=name) == before


def _raised(f):
    """Adds 1 to all scores."""
    return lambda labels, judged, **a: f(
        [s + 1 for s in labels], judged=[s + 1 for s in judged], **a
    )


@pytest.mark.spec("RS-REL-5/L3", "RS-REL-9/L3", "RS-REL-11/L4", "RS-REL-12/L4")
@law(
    labels=scores(popular, least=1),
    more=scores(popular),
    k=cuts,
    a=factors,
    name=quartiles,
    ndcg_phi=_raised,
)
def test_the_unit_of_scores_plays_no_part_in_the_program(rs, *, labels, more, k, a, name):
    given_ = {"k": k, "quartiles": name, "variant": "authors-program"}
    pool = labels + more
    for function in (rs.dcg_phi, rs.ndcg_phi):
        before = function(labels, judged=pool, **given_)
        assert function([a * s for s in labels], judged=[a * s for s in pool], **given_) == before


@BOTH
@pytest.mark.spec("RS-REL-5/L3", "RS-REL-9/L3", "RS-ERR-16")
def test_the_zero_of_scores_does_in_the_program(by):
    rs = Metrics(by)
    labels = [100, 80, 90, 15, 10]
    moved = [s + 1 for s in labels]
    assert rs.ndcg_phi(labels) == rs.ndcg_phi(moved)
    values = [rs.ndcg_phi(x, variant="authors-program") for x in (labels, moved)]
    assert values[0] != values[1]


@pytest.mark.spec("RS-REL-5", "RS-REL-5/L2", "RS-REL-9/L4")
@law(
    labels=scores(popular),
    more=scores(popular),
    lower=scores(st.floats(-9, 0)),
    k=cuts,
    name=quartiles,
    dcg_phi=using(variant="text"),
)
def test_scores_up_to_0_play_no_part_in_the_program(rs, *, labels, more, lower, k, name):
    pool = labels + more
    given_ = {"k": k, "quartiles": name, "variant": "authors-program"}
    before = rs.dcg_phi(labels, judged=pool, **given_)
    assert rs.dcg_phi(labels, judged=pool + lower, **given_) == before
    assert rs.dcg_phi(labels + lower, judged=pool, **given_) == before
    assert rs.dcg_phi(lower, judged=pool, **given_) == 0


@pytest.mark.spec("RS-REL-8/L2", "RS-REL-9/L1", "RS-REL-10/L1", "RS-REL-11/L3", "RS-REL-12/L5")
@law(
    labels=scores(least=2),
    more=scores(),
    i=seeds,
    j=seeds,
    variant=variants,
    k=cuts,
    dcg_phi=backwards,
    ndcg_phi=backwards,
)
def test_moving_a_higher_score_up_or_raising_one_never_lowers(
    rs, *, labels, more, i, j, variant, k
):
    pool = labels + more
    i, j = pair(len(labels), i, j)
    moved = swapped(labels, i, j)
    given_ = {"judged": pool, "variant": variant, "k": k}
    if labels[i - 1] > labels[j - 1]:
        labels, moved = moved, labels
    raised = replaced(labels, i, max(pool))
    for function in (rs.dcg_phi, rs.ndcg_phi):
        before = function(labels, **given_)
        assert function(moved, **given_) >= before
        assert function(raised, **given_) >= before


@pytest.mark.spec("RS-REL-9/L2", "RS-REL-11/L5", "RS-REL-12/L5", "RS-ERR-13")
@law(
    labels=scores(least=2),
    i=seeds,
    j=seeds,
    k=cuts,
    ndcg_phi=lambda f: lambda labels, **a: f(labels, **{**a, "points": [(-100, 0), (1000, 1)]}),
)
def test_the_order_up_to_the_median_does_not_count(rs, labels, i, j, k):
    flat, med = flat_to_the_median(labels)
    assume(flat)
    lower = [a for a, s in enumerate(labels, start=1) if s <= med]
    moved = swapped(labels, *(lower[x % len(lower)] for x in (i, j)))
    assert rs.ndcg_phi(moved, k=k) == rs.ndcg_phi(labels, k=k)
    assert rs.dcg_phi(moved, k=k) == rs.dcg_phi(labels, k=k)
    nothing = [s for s in labels if s <= med]
    assert rs.dcg_phi(nothing, judged=labels, k=k) == 0
    assert len(nothing) >= len(labels) - len(labels) // 2


@pytest.mark.spec("RS-REL-8", "RS-REL-11")
@law(
    pool=scores(least=1),
    far=st.integers(1, 10**6),
    variant=variants,
    dcg_phi=lambda f: lambda labels, **a: f([s % 100 for s in labels], **a),
)
def test_scores_beyond_the_pool_have_the_relevance_of_its_ends(rs, pool, far, variant):
    given_ = {"judged": pool, "variant": variant}
    low, high = (min(pool) if variant == "text" else 0), max(pool)
    assume(low <= high and high != 0)
    for end, beyond in ((low, low - far), (high, high + far)):
        assert rs.dcg_phi([beyond], **given_) == rs.dcg_phi([end], **given_)


# DCG


@pytest.mark.spec("RS-REL-10", "RS-REL-11", "RS-REL-11/L1")
@law(
    labels=scores(st.integers(-4, 20)),
    k=cuts,
    dcg_phi=using(points=[(0, 0), (32, 1)]),
)
def test_it_is_dcg_of_relevances(rs, labels, k):
    """Two control points: φ is s/16, a double."""
    relevances = [min(max(s, 0), 16) / 16 for s in labels]
    value = rs.dcg_phi(labels, k=k, points=[(0, 0), (16, 1)])
    assert value == rs.dcg(relevances, k=k, gain="exp2")


@pytest.mark.spec("RS-REL-10", "RS-REL-10/L1", "RS-REL-10/L2")
@law(
    s=st.integers(0, 1024),
    t=st.integers(0, 1024),
    dcg_phi=lambda f: lambda labels, **a: 1 - f(labels, **a),
)
def test_the_gain_is_nearly_the_relevance(rs, s, t):
    def g(x):
        return rs.dcg_phi([x], points=[(0, 0), (1024, 1)])

    assert (g(s) < g(t)) == (s < t)
    assert (g(0), g(1024)) == (0, 1)
    assert s / 1024 * log(2) * (1 - 2**-50) <= g(s) <= s / 1024  # log(2) is rounded
    assert s / 1024 - g(s) < 0.08608


@pytest.mark.spec("RS-REL-8/L3", "RS-REL-11/L2")
@law(
    labels=scores(),
    more=scores(),
    k=cuts,
    variant=variants,
    dcg_phi=lambda f: lambda labels, **a: 1.5 * f(labels, **a),
)
def test_the_bound_of_dcg_phi(rs, *, labels, more, k, variant):
    value = rs.dcg_phi(labels, judged=labels + more, k=k, variant=variant)
    assert 0 <= value <= rs.dcg([1] * len(labels), k=k)


# The relevance function, by the reference


@pytest.mark.spec("RS-REL-7/L3", "RS-REL-8/L1", "RS-REL-8/L2", "RS-REL-8/L3")
@given(points=control_points_of_ones_own(), p=st.fractions(0, 1), q=st.fractions(0, 1))
def test_phi_rises_no_steeper_than_three_chords(points, p, q):
    exact = [(Fraction(s), Fraction(y)) for s, y in points]
    X, Y, d = reference.through(exact)
    width = X[-1] - X[0]
    s, t = sorted((X[0] + p * width, X[0] + q * width))
    low, high = (reference.phi(x, X, Y, d) for x in (s, t))
    assert Y[0] <= low <= high <= Y[-1]
    if len(X) > 1:
        chords = [(z - y) / (x - w) for w, x, y, z in zip(X, X[1:], Y, Y[1:], strict=False)]
        assert high - low <= 3 * max(chords) * (t - s)
    assert [reference.phi(x, X, Y, d) for x in X] == Y


@pytest.mark.spec("RS-REL-9/L5", "RS-ERR-14")
@given(
    pool=scores(popular, least=4), tops=st.lists(st.integers(10**4, 10**7), min_size=2, max_size=2)
)
def test_the_others_fall_as_the_highest_score_grows(pool, tops):
    """The quartiles stay; the law's bound holds for every other score, and falls."""
    bounds = []
    for top in sorted(tops):
        x = sorted(Fraction(s) for s in [*pool, top])
        whisker = reference.upper_whisker(x, "linear")
        assume(x[-1] > whisker)
        rel = reference.relevance(x, "text", "linear")
        bound = (whisker - x[0] + 3 * max(0, x[-2] - whisker)) / (x[-1] - x[0])
        assert rel[-1] == 1
        assert rel[-2] <= bound
        bounds.append(bound)
    assert bounds[1] <= bounds[0]


# Programs that share no code with rankspec. They compute in doubles, with a rounding a step; so
# here, where it is not rankspec's value that is in question but whether both have the same curve
# and the same quartiles in mind, a tolerance is right: some hundred units in the last place.


CLOSE = {"rtol": 1e-12, "atol": 1e-12}


@pytest.mark.spec("RS-REL-7", "RS-REL-8")
@given(
    steps=st.lists(st.tuples(st.integers(1, 50), st.integers(0, 9)), min_size=2, max_size=6),
    sign=st.sampled_from([1, -1]),
)
def test_scipy_has_the_same_curve(steps, sign):
    """Through points that rise, that fall, and, mirrored in part, that do both."""
    X, Y = [Fraction(0)], [Fraction(0)]
    for j, (width, height) in enumerate(steps):
        X.append(X[-1] + width)
        Y.append(Y[-1] + (sign if j % 2 else 1) * height)
    d = reference.slopes(X, Y)
    inside = [X[0] + (X[-1] - X[0]) * Fraction(i, 40) for i in range(41)]
    curve = PchipInterpolator([float(x) for x in X], [float(y) for y in Y])
    ours = [float(reference.phi(s, X, Y, d)) for s in inside]
    np.testing.assert_allclose(curve([float(s) for s in inside]), ours, **CLOSE)
    slopes = curve.derivative()([float(x) for x in X])
    np.testing.assert_allclose(slopes, [float(x) for x in d], **CLOSE)


def test_another_curve_of_scipy_is_not_within_the_tolerance():
    X, Y = [0, 1, 3, 4], [0, 0, 1, 3]
    curve = PchipInterpolator(X, Y)
    d = reference.slopes([Fraction(x) for x in X], [Fraction(y) for y in Y])
    moved = [*d[:2], d[2] * (1 + Fraction(1, 10**9)), d[3]]
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(curve.derivative()(X), [float(x) for x in moved], **CLOSE)


@pytest.mark.spec("RS-REL-1")
@given(pool=scores(st.integers(-50, 1000), least=1, most=12))
def test_numpy_and_statistics_have_the_same_quartiles(pool):
    """statistics computes with the fractions that it is given: so there, exactly."""
    x = sorted(Fraction(s) for s in pool)
    shares = [Fraction(i, 4) for i in (1, 2, 3)]

    def ours(name):
        return [reference.quantile(x, reference.position(p, len(x), name)) for p in shares]

    for name in ("linear", "weibull", "median-unbiased"):
        theirs = np.quantile(pool, [0.25, 0.5, 0.75], method=name.replace("-", "_"))
        np.testing.assert_allclose(theirs, [float(q) for q in ours(name)], **CLOSE)
    if len(x) > 2:  # with fewer it goes on beyond the lowest and the highest
        assert statistics.quantiles(x, n=4, method="exclusive") == ours("weibull")
        assert statistics.quantiles(x, n=4, method="inclusive") == ours("linear")
    half = (len(x) + 1) // 2
    halves = [statistics.median(part) for part in (x[:half], x, x[-half:])]
    assert halves == ours("hinges")
