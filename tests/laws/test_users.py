"""The laws of graded RBP, its residual, scaled DCG, INSQ, INST, BPM, NERR8 to NERR11 and
compatibility.

Their values are computed here once more in fractions, from their definitions.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations
from operator import mul

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankspec
from rankspec import InputError
from rankspec.errors import NoValue
from rankspec.metrics.grammar import measures
from rankspec.metrics.orders import open_groups

from ..each import each
from .broken import backwards, own_pool, shifted, using
from .law import READINGS, Metrics, law
from .rankings import (
    cutoffs,
    depths,
    double,
    graded,
    grades,
    lists,
    pair,
    persistences,
    rational_discounts,
    replaced,
    seeds,
    swapped,
)

BY = pytest.mark.parametrize("by", READINGS)

scales = st.one_of(st.integers(4, 9), st.sampled_from([4.25, 5.5, 1000]))
labels_of_four = lists(st.one_of(grades, st.floats(0, 4)))
quarters = st.sampled_from([0.25, 0.5, 0.75])
below_one = lists(st.sampled_from([0, 0.25, 0.5, 0.5, 3]))  # and above
tails = st.sampled_from(["always", "unjudged"])
flagged = st.lists(st.tuples(grades, st.integers(0, 1)), max_size=8)


def gains(labels, t):
    return [Fraction(x) / Fraction(t) for x in labels]


def exact_grbp(labels, k, p, t):
    p = Fraction(p)
    return sum(((1 - p) * g * p**i for i, g in enumerate(gains(labels[:k], t))), Fraction(0))


def exact_residual(U, k, p, tail):
    p, shown = Fraction(p), U[:k]
    if tail == "unjudged" and not any(shown):
        return Fraction(0)
    return sum(((1 - p) * p**i for i, u in enumerate(shown) if u), p ** len(shown))


def exact_sdcg(labels, k, t, d):
    weights = [Fraction(d(i)) for i in range(1, k + 1)]
    total = sum((g * w for g, w in zip(gains(labels, t), weights, strict=False)), Fraction(0))
    return total / sum(weights) if any(weights) else Fraction(0)


def mean_over_orders(items, scores, value):
    """Of all orders that respect the scores, the mean of value(items in order)."""
    positions = [
        order
        for order in permutations(range(len(items)))
        if all(scores[a] >= scores[b] for a, b in pairwise(order))
    ]
    return sum((value([items[a] for a in order]) for order in positions), Fraction(0)) / len(
        positions
    )


def half_scale(f):
    """A scale twice as long as asked."""
    return lambda labels, max_rel=4, **a: f(
        labels, max_rel=max_rel if max_rel == "pool" else 2 * max_rel, **a
    )


def longer_scale(f):
    """A scale that is longer by 1 than asked."""
    return lambda labels, max_rel=4, **a: f(labels, max_rel=max_rel + 1, **a)


# RS-USR-1: the scale


@pytest.mark.spec("RS-USR-1", "RS-USR-1/L1")
@law(
    labels=graded,
    k=cutoffs,
    t=st.integers(4, 9),
    by=st.sampled_from([2, 0.5, 8]),
    grbp=longer_scale,
    scaled_dcg=longer_scale,
)
def test_the_unit_of_labels_does_not_matter(rs, *, labels, k, t, by):
    for name in ("grbp", "scaled_dcg"):
        f = getattr(rs, name)
        assert f(labels, k=k, max_rel=t) == f([by * x for x in labels], k=k, max_rel=by * t)


@pytest.mark.spec("RS-USR-1/L2", "RS-CONV-3")
@law(labels=below_one, more=below_one, k=cutoffs, grbp=own_pool, scaled_dcg=own_pool)
def test_the_pool_s_highest_label_can_be_the_scale_s(rs, *, labels, more, k):
    top = max([1, *labels, *more])
    for name in ("grbp", "scaled_dcg"):
        f = getattr(rs, name)
        value = f(labels, k=k, max_rel="pool", judged=labels + more)
        assert value == f(labels, k=k, max_rel=top)


@BY
@each("bad", [0, -1, float("nan"), float("inf"), "query", "4", None, [], b"pool"])
@pytest.mark.spec("RS-USR-1")
def test_what_is_no_scale_is_refused(by, bad):
    for name in ("grbp", "scaled_dcg"):
        with pytest.raises(InputError, match=r"^max_rel: "):
            getattr(Metrics(by), name)([1], max_rel=bad)


@BY
@each(
    "labels, judged, says",
    [
        ([0, 5], None, "labels: 5 at position 1: with max_rel=4"),
        ([0, 4.5], None, "labels: 4.5 at position 1"),
        ([1, -1], None, "labels: -1 at position 1"),
        ([1], [1, 5], "judged: 5 at position 1"),
        ([1, float("nan")], None, "position 1"),
    ],
)
@pytest.mark.spec("RS-USR-1", "RS-CONV-1")
def test_labels_beyond_the_scale_are_refused(by, labels, judged, says):
    for name in ("grbp", "scaled_dcg"):
        for k in (None, 1):
            with pytest.raises(InputError) as error:
                getattr(Metrics(by), name)(labels, judged=judged, k=k)
            assert says in str(error.value)


# RS-USR-2: graded RBP


@pytest.mark.spec("RS-USR-2", "RS-USR-1")
@law(labels=labels_of_four, k=cutoffs, p=persistences, t=scales, grbp=half_scale)
def test_graded_rbp_is_its_sum(rs, *, labels, k, p, t):
    value = rs.grbp(labels, k=k, p=p, max_rel=t)
    assert value == double(exact_grbp(labels, k, p, t))


@pytest.mark.spec("RS-USR-2/L1")
@law(labels=graded, k=depths, p=quarters, grbp=half_scale)
def test_graded_rbp_is_greatest_where_all_gains_are_one(rs, labels, k, p):
    most = 1 - Fraction(p) ** min(k, len(labels))
    value = rs.grbp(labels, k=k, p=p)
    assert 0 <= value <= most < 1
    assert (value == most) == all(x == 4 for x in labels[:k])


@pytest.mark.spec("RS-USR-2/L2")
@law(R=lists(st.integers(0, 1)), k=cutoffs, p=persistences, t=scales, grbp=half_scale)
def test_of_two_labels_it_is_rbp(rs, *, R, k, p, t):
    labels = [t * x for x in R]
    assert rs.grbp(labels, k=k, p=p, max_rel=t) == rs.rbp(labels, k=k, p=p, rel=t)


@pytest.mark.spec("RS-USR-2/L3")
@law(labels=graded, k=cutoffs, p=quarters, grbp=shifted)
def test_it_is_the_mean_of_rbp_by_all_thresholds(rs, labels, k, p):
    by_threshold = [Fraction(rs.rbp(labels, k=k, p=p, rel=x)) for x in range(1, 5)]  # exact
    assert rs.grbp(labels, k=k, p=p) == double(sum(by_threshold) / 4)


@pytest.mark.spec("RS-USR-2/L4")
@law(
    labels=lists(grades, least=2),
    k=depths,
    p=quarters,
    i=seeds,
    j=seeds,
    better=grades,
    grbp=backwards,
)
def test_a_swap_or_an_upgrade_changes_it_by_a_known_amount(rs, *, labels, k, p, i, j, better):
    i, j = pair(len(labels), i, j)
    assume(j <= k)
    q, before, g = Fraction(p), exact_grbp(labels, k, p, 4), gains(labels, 4)
    rise = (1 - q) * (g[j - 1] - g[i - 1]) * (q ** (i - 1) - q ** (j - 1))
    assert rs.grbp(swapped(labels, i, j), k=k, p=p) == double(before + rise)
    rise = (1 - q) * (Fraction(better, 4) - g[i - 1]) * q ** (i - 1)
    assert rs.grbp(replaced(labels, i, better), k=k, p=p) == double(before + rise)


@pytest.mark.spec("RS-USR-2")
def test_ranks_far_below_are_not_lost():
    """Powers that the table of the core has no bits for are the reference's."""
    labels = [0] * 200 + [3, 1]
    p = 0.3
    for backend in ("c", "reference"):
        assert rankspec.grbp(labels, p=p, backend=backend) == double(exact_grbp(labels, None, p, 4))


# RS-EXP-45 to RS-EXP-47


@pytest.mark.spec("RS-EXP-45", "RS-EXP-45/L1", "RS-EXP-47", "RS-EXP-47/L1")
@law(
    items=st.lists(st.tuples(grades, st.integers(0, 2)), max_size=5),
    k=depths,
    p=quarters,
    grbp=using(scores=None),
    scaled_dcg=using(scores=None),
)
def test_under_ties_they_are_means_over_the_orders(rs, *, items, k, p):
    labels, scores = [x for x, _ in items], [s for _, s in items]
    value = rs.grbp(labels, scores=scores, k=k, p=p)
    assert value == double(mean_over_orders(labels, scores, lambda r: exact_grbp(r, k, p, 4)))
    value = rs.scaled_dcg(labels, scores=scores, k=k, discount="zipf")
    d = lambda i: Fraction(1, i)  # noqa: E731
    assert value == double(mean_over_orders(labels, scores, lambda r: exact_sdcg(r, k, 4, d)))


@pytest.mark.spec("RS-EXP-45/L2", "RS-EXP-47/L2")
@law(
    labels=lists(grades, least=1),
    k=depths,
    p=quarters,
    grbp=using(p=0.125),
    scaled_dcg=using(k=1000),
)
def test_where_all_are_tied_the_mean_gain_counts(rs, labels, k, p):
    mean, K = Fraction(sum(labels), 4 * len(labels)), min(k, len(labels))
    tied = {"scores": [1] * len(labels)}
    assert rs.grbp(labels, k=k, p=p, **tied) == double(mean * (1 - Fraction(p) ** K))
    assert rs.scaled_dcg(labels, k=K, **tied) == double(mean)


@pytest.mark.spec("RS-EXP-46", "RS-EXP-46/L1")
@law(
    items=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=5),
    k=depths,
    p=quarters,
    tail=tails,
    grbp_residual=using(ties="input"),
)
def test_the_expected_residual_is_the_mean_over_the_orders(rs, *, items, k, p, tail):
    U, scores = [u for u, _ in items], [s for _, s in items]
    value = rs.grbp_residual([0] * len(U), unjudged=U, scores=scores, k=k, p=p, tail=tail)
    mean = mean_over_orders(U, scores, lambda order: exact_residual(order, k, p, tail))
    assert value == double(mean)


# RS-USR-3: the residual


@pytest.mark.spec("RS-USR-3", "RS-USR-3/L2", "RS-USR-3/L3")
@law(
    items=flagged,
    k=cutoffs,
    p=persistences,
    tail=tails,
    grbp_residual=lambda f: (
        lambda labels, tail="always", **a: f(
            labels, tail={"always": "unjudged", "unjudged": "always"}[tail], **a
        )
    ),
)
def test_the_residual_is_that_of_rbp_or_nothing(rs, *, items, k, p, tail):
    labels, U = [x for x, _ in items], [u for _, u in items]
    value = rs.grbp_residual(labels, unjudged=U, k=k, p=p, tail=tail)
    assert value == double(exact_residual(U, k, p, tail))
    of_rbp = rs.rbp_residual(labels, unjudged=U, k=k, p=p)
    assert value == (of_rbp if tail == "always" or any(U[:k]) else 0) <= of_rbp


@pytest.mark.spec("RS-USR-3/L1")
@law(
    items=st.lists(st.tuples(grades, st.integers(0, 1), grades), max_size=6),
    below=graded,
    k=depths,
    p=quarters,
    grbp_residual=using(unjudged=None),
)
def test_every_completion_lies_within_the_residual(rs, *, items, below, k, p):
    items = items[:k]
    labels = [0 if u else x for x, u, _ in items]
    U = [u for _, u, _ in items]
    low = exact_grbp(labels, None, p, 4)
    residual = rs.grbp_residual(labels, unjudged=U, p=p)
    most = [4 if u else x for x, u, _ in items]
    completed = [y if u else x for x, u, y in items]
    for completion in (completed + below, most + [4] * 20):
        assert low <= exact_grbp(completion, None, p, 4) <= low + Fraction(residual)
    attained = exact_grbp(most + [4] * 20, None, p, 4)
    lacking = Fraction(p) ** (len(items) + 20)
    assert rs.grbp_residual(labels, unjudged=U, p=p) == double(attained + lacking - low)


# RS-USR-4: scaled DCG


@pytest.mark.spec("RS-USR-4")
@law(labels=labels_of_four, k=depths, t=scales, discount=rational_discounts, scaled_dcg=half_scale)
def test_scaled_dcg_is_its_quotient(rs, *, labels, k, t, discount):
    d = {"zipf": lambda i: Fraction(1, i), "none": lambda _: 1}.get(
        discount if isinstance(discount, str) else "", lambda i: discount[i - 1]
    )
    value = rs.scaled_dcg(labels, k=k, max_rel=t, discount=discount)
    assert value == double(exact_sdcg(labels, k, t, d))


@pytest.mark.spec("RS-USR-4/L1")
@law(labels=graded, k=depths, scaled_dcg=using(max_rel=5))
def test_scaled_dcg_is_one_where_all_gains_are(rs, labels, k):
    value = rs.scaled_dcg(labels, k=k)
    assert 0 <= value <= 1
    assert (value == 1) == (k <= len(labels) and all(x == 4 for x in labels[:k]))


@pytest.mark.spec("RS-USR-4/L2")
@law(labels=graded, k=depths, t=st.sampled_from([1, 4, 8]), scaled_dcg=shifted)
def test_scaled_dcg_is_ndcg_of_a_perfect_ideal(rs, labels, k, t):
    capped = [min(x, t) for x in labels]
    of_perfect = rs.ndcg(capped, k=k, ideal="perfect") / t  # exact: t is a power of two
    assert rs.scaled_dcg(capped, k=k, max_rel=t) == of_perfect
    pool = capped + [t] * k
    if t == 1:
        assert rs.scaled_dcg(capped, k=k, max_rel=t) == rs.ndcg(capped, k=k, judged=pool)


@pytest.mark.spec("RS-USR-4/L3")
@law(R=lists(st.integers(0, 1)), k=depths, t=scales, scaled_dcg=half_scale)
def test_without_a_discount_it_is_precision(rs, R, k, t):
    labels = [t * x for x in R]
    value = rs.scaled_dcg(labels, k=k, max_rel=t, discount="none")
    assert value == rs.precision(labels, k=k, rel=t)


# Names: RS-CONV-34


@pytest.mark.spec("RS-CONV-34", "RS-USR-2", "RS-USR-3")
def test_names_of_trec_eval_and_ir_measures():
    for name, meant in {
        "rbp": "GRBP(p=0.9, max_rel='pool')",
        "rbp_resid": "GRBP_residual(p=0.9, tail='unjudged')",
        "SDCG(max_rel=2)@10": "SDCG(max_rel=2)@10",
        "RBP": "RBP",
    }.items():
        assert [str(m) for m in measures(name)] == [meant]


@each("name", ["sdcg@10", "Sdcg", "SDcg@5", "sDcG(max_rel=2)@10", "Rbp", "rBP", "RbP@3"])
@pytest.mark.spec("RS-CONV-34")
def test_letters_that_alone_tell_two_measures_apart_are_asked_for(name):
    with pytest.raises(InputError, match="the case of its letters matters") as error:
        measures(name)
    both = ("SDCG", "sDCG") if "s" in name.lower() else ("RBP", "rbp")
    assert all(known in str(error.value) for known in both)


@pytest.mark.spec("RS-CONV-34", "RS-USR-4")
def test_scaled_dcg_is_of_rankings_and_sdcg_of_sessions():
    assert rankspec.SDCG is not rankspec.sDCG
    assert rankspec.SDCG(k=2, max_rel=2).of([2, 0]) == rankspec.scaled_dcg([2, 0], k=2, max_rel=2)
    with pytest.raises(InputError, match="SDCG"):
        rankspec.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["sDCG@10"])


@given(labels=graded, k=cutoffs, p=persistences)
@pytest.mark.spec("RS-USR-2", "RS-USR-4")
def test_batches_are_lists_one_by_one(labels, k, p):
    flat, offsets = [*labels, *labels, 3], [0, len(labels), 2 * len(labels), 2 * len(labels) + 1]
    for f, more in ((rankspec.grbp, {"p": p}), (rankspec.scaled_dcg, {})):
        one = f(labels, k=k, **more)
        assert list(f(flat, offsets=offsets, k=k, **more)) == [one, one, f([3], k=k, **more)]


# RS-USR-5, RS-USR-6: users with a goal

goals = st.sampled_from([0.5, 1, 1.5, 2.75])


def exact_mean(g, k, T, found):
    """The mean gain by the probabilities to get to k ranks; found: what the user counts."""
    T, V, above, below = Fraction(T), Fraction(1), Fraction(0), Fraction(0)
    g, found = [*g, *[0] * k][:k], [*found, *[0] * k]
    for i, g_i in enumerate(g, start=1):
        above, below = above + V * g_i, below + V
        left = T - sum(found[:i])
        V *= ((i + T + left - 1) / (i + T + left)) ** 2
    return above / below


def other_goal(f):
    """A goal that is greater by 1 than asked."""
    return lambda labels, T=1, **a: f(labels, T=T + 1, **a)


@pytest.mark.spec("RS-USR-5", "RS-USR-5/L1", "RS-USR-6", "RS-USR-6/L1")
@law(labels=lists(grades, least=1), k=depths, T=goals, insq=other_goal, inst=other_goal)
def test_values_of_users_with_a_goal(rs, labels, k, T):
    g = gains(labels, 4)
    for name, found in (("insq", []), ("inst", g)):
        value = getattr(rs, name)(labels, k=k, T=T)
        assert value == double(exact_mean(g, k, T, found))
        all_of_gain_1 = k <= len(labels) and all(x == 4 for x in labels[:k])
        at_once = name == "inst" and T == 0.5 and labels[0] == 4
        assert 0 <= value <= 1
        assert (value == 1) == (all_of_gain_1 or at_once)


@pytest.mark.spec("RS-USR-5/L2")
@law(labels=graded, k=depths, T=goals, insq=other_goal)
def test_insq_is_scaled_dcg_with_its_weights(rs, labels, k, T):
    unit = Fraction(10**9) ** 2
    weights = [unit / (i + 2 * Fraction(T) - 1) ** 2 for i in range(1, k + 1)]
    assert rs.insq(labels, k=k, T=T) == rs.scaled_dcg(labels, k=k, discount=weights)


@pytest.mark.spec("RS-USR-5/L3", "RS-USR-6")
@law(labels=lists(st.integers(1, 4), least=1), T=goals, insq=using(k=9), inst=using(k=9))
def test_an_endless_list_is_the_limit(rs, labels, T):
    """Of what lies beyond rank k less than 1/(k + c - 1) is left, and more than 1/(k + c)."""
    for name in ("insq", "inst"):
        f, n = getattr(rs, name), len(labels)
        near, nearer, endless = f(labels, T=T, k=n + 50), f(labels, T=T, k=n + 400), f(labels, T=T)
        if not (name == "inst" and T == 0.5 and labels[0] == 4):
            assert near > nearer > endless > near * (1 - 0.5)
            assert (near - endless) > 6 * (nearer - endless)


@pytest.mark.spec("RS-USR-5")
def test_the_endless_divisor_is_the_trigamma_function():
    from mpmath import mp, mpf, zeta

    with mp.workdps(40):
        for T in (0.5, 1, 1.5, 2.75, 100):
            expected = mpf(1) / (2 * mpf(T)) ** 2 / zeta(2, 2 * mpf(T))
            for backend in ("c", "reference"):
                assert rankspec.insq([4], T=T, backend=backend) == float(expected)


@pytest.mark.spec("RS-USR-6/L2", "RS-USR-6/L3")
@law(
    labels=graded,
    zeros=st.integers(0, 5),
    label=grades,
    more=st.integers(0, 3),
    T=goals,
    inst=other_goal,
)
def test_inst_of_gains_of_0(rs, *, labels, zeros, label, more, T):
    k = zeros + 1
    assert rs.inst([0] * zeros + [label], k=k, T=T) == rs.insq([0] * zeros + [label], k=k, T=T)
    k = len(labels) + 3
    longer = [*labels, *[0] * more]
    assert rs.inst(longer, k=k, T=T) == rs.inst(labels, k=k, T=T)
    assert rs.inst(longer, k=k, T=T) == double(exact_mean(gains(labels, 4), k, T, gains(labels, 4)))


@BY
@each("bad", [0, -1, float("nan"), float("inf"), "1", None, []])
@pytest.mark.spec("RS-USR-5", "RS-USR-6", "RS-USR-7")
def test_what_is_no_goal_is_refused(by, bad):
    for name in ("insq", "inst", "bpm"):
        with pytest.raises(InputError, match=r"^T: "):
            getattr(Metrics(by), name)([1], T=bad)
    for name in ("hb", "hc", "med"):
        with pytest.raises(InputError, match=f"^{name}: "):
            Metrics(by).bpm([1], **{name: -1 if bad == 0 else bad})


@BY
@pytest.mark.spec("RS-USR-5", "RS-USR-6", "RS-USR-8")
def test_what_is_too_deep_or_too_small_is_refused(by):
    rs = Metrics(by)
    for name in ("insq", "inst", "compatibility", "scaled_dcg"):
        with pytest.raises(InputError, match=r"^k: .* over at most 100000 ranks"):
            getattr(rs, name)([1], k=100_001)
    with pytest.raises(InputError, match=r"^T: .* at least 1/2, got 0\.49"):
        rs.inst([1], T=0.49)
    assert rs.bpm([4], k=1 << 62, T=9, hc=1) < 1e-18


# RS-USR-7: BPM


@pytest.mark.spec("RS-USR-7", "RS-USR-7/L1")
@law(R=lists(st.integers(0, 1)), k=depths, t=scales, bpm=shifted)
def test_with_a_goal_that_is_not_there_bpm_is_precision(rs, R, k, t):
    labels = [t * x for x in R]
    assert rs.bpm(labels, k=k, T=9, max_rel=t) == rs.precision(labels, k=k, rel=t)


@pytest.mark.spec("RS-USR-7", "RS-USR-7/L2")
@law(labels=lists(grades, least=1), k=depths, T=goals, bpm=other_goal)
def test_bpm_is_the_mean_gain_of_what_is_seen(rs, labels, k, T):
    g = [*gains(labels, 4), *[Fraction(0)] * k]
    seen = next(s for s in range(1, k + 1) if s == k or sum(g[:s]) >= Fraction(T))
    value = rs.bpm(labels, k=k, T=T)
    assert value == double(sum(g[:seen]) / seen)
    assert 0 <= value <= 1
    assert (value == 1) == all(x == 1 for x in g[:seen])


@pytest.mark.spec("RS-USR-7/L3")
@law(R=lists(st.integers(0, 1)), t=scales, bpm=shifted)
def test_with_a_goal_of_one_relevant_item_bpm_is_rr(rs, R, t):
    labels = [t * x for x in R]
    assert rs.bpm(labels, T=1, max_rel=t) == rs.rr(labels, rel=t)


@pytest.mark.spec("RS-USR-7")
@law(
    labels=lists(grades, least=1),
    k=depths,
    T=goals,
    change=st.tuples(*[st.sampled_from([0, 0.25, 0.5, 1])] * 3),
    bpm=using(hc=0, hb=0),
)
def test_the_goal_and_the_depth_can_change(rs, labels, k, T, change):
    hb, hc, med = map(Fraction, change)
    goal, depth, found = Fraction(T), Fraction(k), Fraction(0)
    g = gains(labels, 4)
    for i in range(1, 1000):
        g_i = g[i - 1] if i <= len(g) else Fraction(0)
        found += g_i
        if found >= goal or i >= depth:
            break
        goal, depth = goal + hb * (g_i - med), depth + hc * (g_i - med)
    value = rs.bpm(labels, k=k, T=T, hb=change[0], hc=change[1], med=change[2])
    assert value == double(found / i)


@pytest.mark.spec("RS-USR-7")
@pytest.mark.parametrize("backend", ["c", "reference"])
def test_a_goal_that_falls_is_met_below_the_list(backend: str) -> None:
    """Of goals 1, 3/4, 1/4 the third is what rank 1 gained."""
    goal = {"T": 1, "hb": 1, "hc": 0, "med": 0.5}
    assert rankspec.bpm([1], k=10, max_rel=4, backend=backend, **goal) == 1 / 12


# RS-USR-30 to RS-USR-33: NERR8 to NERR11

NERR = {
    "nerr8": (lambda _, **__: Fraction(1), ()),
    "nerr9": (lambda i, **_: Fraction(1, i), ()),
    "nerr10": (lambda i, p, **_: p ** (i - 1), ("p",)),
    "nerr11": (lambda i, T, **_: 1 / (i + 2 * T - 1) ** 2, ("T",)),
}
"""{a function: (how probable it is that rank i is seen where all gains are 0, its parameters)}"""
ONE_MORE = {name: (lambda f: lambda labels, **a: f([1, *labels], **a)) for name in NERR}


def exact_nerr(name, g, k, T=1, p=0.5):
    """1 less the share of what is seen that did not stop the user."""
    a = [NERR[name][0](i, T=Fraction(T), p=Fraction(p)) for i in range(1, k + 1)]
    Q = [Fraction(1)]
    for g_i in [*g, *[Fraction(0)] * k][:k]:
        Q.append(Q[-1] * (1 - g_i))
    return 1 - sum(map(mul, a, Q[1:])) / sum(map(mul, a, Q))


def asked(name, T, p):
    return {x: {"T": T, "p": p}[x] for x in NERR[name][1]}


@pytest.mark.spec("RS-USR-30", "RS-USR-31", "RS-USR-32", "RS-USR-33")
@pytest.mark.spec("RS-USR-30/L1", "RS-USR-30/L3")
@law(labels=lists(grades, least=1), k=depths, T=goals, p=quarters, zeros=seeds, **ONE_MORE)
def test_values_of_users_whom_gains_stop(rs, *, labels, k, T, p, zeros):
    g = gains(labels, 4)
    for name in NERR:
        value = getattr(rs, name)(labels, k=k, **asked(name, T, p))
        assert value == double(exact_nerr(name, g, k, T, p))
        assert 0 <= value <= 1
        assert (value == 1) == (labels[0] == 4)
        assert (value == 0) == (not any(labels[:k]))
        assert getattr(rs, name)(labels, k=1, **asked(name, T, p)) == double(g[0])
        longer = [*labels, *[0] * (zeros % 4)]
        k_of_both = len(labels) + 3
        found = [getattr(rs, name)(x, k=k_of_both, **asked(name, T, p)) for x in (labels, longer)]
        assert found == [double(exact_nerr(name, g, k_of_both, T, p))] * 2


def of_reversed(f):
    return lambda labels, **a: f(labels[::-1], **a)


@pytest.mark.spec("RS-USR-30/L2", "RS-USR-31", "RS-USR-32", "RS-USR-33")
@law(
    labels=lists(grades, least=2),
    at=st.tuples(seeds, seeds),
    k=cutoffs,
    T=goals,
    p=quarters,
    **dict.fromkeys(NERR, of_reversed),
)
def test_a_better_item_higher_up_never_lowers_nerr(rs, *, labels, at, k, T, p):
    n = len(labels)
    i, j = sorted(x % n for x in at)
    better = list(labels)
    better[i], better[j] = max(labels[i], labels[j]), min(labels[i], labels[j])
    raised = [*labels[:i], 4, *labels[i + 1 :]]
    for name in NERR:
        f = getattr(rs, name)
        value = f(labels, k=k, **asked(name, T, p))
        ideal = f(sorted(labels, reverse=True), k=k, **asked(name, T, p))
        assert value <= f(better, k=k, **asked(name, T, p)) <= ideal
        assert value <= f(raised, k=k, **asked(name, T, p))


@pytest.mark.spec("RS-USR-30/L4", "RS-USR-31/L2", "RS-USR-32/L2", "RS-USR-33/L2")
@law(zeros=st.integers(0, 5), more=graded, T=goals, p=quarters, t=scales, **ONE_MORE)
def test_of_labels_0_and_t_the_first_counts(rs, *, zeros, more, T, p, t):
    f, labels = zeros + 1, [0] * zeros + [t] + [t * (x % 2) for x in more]
    assert rs.nerr8(labels, max_rel=t) == rs.rr(labels, rel=t) == double(Fraction(1, f))
    harmonic = sum(Fraction(1, i) for i in range(1, f + 1))
    assert rs.nerr9(labels, max_rel=t) == double(1 / (f * harmonic))
    share = Fraction(p) ** (f - 1) * (1 - Fraction(p)) / (1 - Fraction(p) ** f)
    assert rs.nerr10(labels, p=p, max_rel=t) == double(share)
    assert rs.nerr11(labels[:f], k=f, T=T, max_rel=t) == rs.insq(labels[:f], k=f, T=T, max_rel=t)


@pytest.mark.spec("RS-USR-30/L5", "RS-USR-31/L1")
@law(labels=graded, k=depths, nerr8=ONE_MORE["nerr8"], nerr9=ONE_MORE["nerr9"])
def test_what_the_divisor_multiplies_nerr_by(rs, labels, k):
    g = gains(labels, 4)
    Q = [Fraction(1)]
    for g_i in [*g, *[Fraction(0)] * k][:k]:
        Q.append(Q[-1] * (1 - g_i))
    assert rs.nerr8(labels, k=k) == double((1 - Q[k]) / sum(Q[:k]))
    err = sum(g_i * q / i for i, (g_i, q) in enumerate(zip(g, Q[:k], strict=False), start=1))
    seen = sum(q / i for i, q in enumerate(Q[:k], start=1))
    assert rs.nerr9(labels, k=k) == double(Fraction(err) / seen)
    assert rs.err([float(x) for x in g], k=k, stop="label") == double(Fraction(err))


@pytest.mark.spec("RS-USR-32/L1", "RS-USR-33/L1")
@law(labels=lists(st.integers(1, 3), least=1), T=goals, nerr10=using(k=9), nerr11=using(k=9))
def test_an_endless_list_of_users_whom_gains_stop_is_the_limit(rs, labels, T):
    n, g, p = len(labels), gains(labels, 4), Fraction(1, 2)
    near, nearer = (rs.nerr11(labels, T=T, k=n + more) for more in (50, 400))
    endless = rs.nerr11(labels, T=T)
    assert near > nearer > endless > near / 2
    assert (near - endless) > 6 * (nearer - endless)
    Q, above, below = Fraction(1), Fraction(0), Fraction(0)
    for i, g_i in enumerate(g):
        above, below, Q = above + p**i * Q * g_i, below + p**i * Q, Q * (1 - g_i)
    assert rs.nerr10(labels, p=0.5) == double(above / (below + p**n * Q / (1 - p)))
    assert rs.nerr10(labels, p=0.5, k=n + 2) > rs.nerr10(labels, p=0.5)


@BY
@pytest.mark.spec("RS-USR-30", "RS-USR-31", "RS-USR-32", "RS-USR-33")
def test_what_is_no_user_whom_gains_stop_is_refused(by):
    rs = Metrics(by)
    for name in NERR:
        f = getattr(rs, name)
        assert f([], k=3) == 0
        with pytest.raises(InputError, match=r"^k: .* over at most 100000 ranks"):
            f([1], k=100_001)
        with pytest.raises(
            InputError, match=rf"^labels: 3 at position 1 .* {name.upper()} takes no"
        ):
            f([1, 3], judged=[1, 2], max_rel="pool")
        with pytest.raises(InputError, match=r"^labels: 5 at position 1"):
            f([1, 5])
        with pytest.raises(InputError, match=r"RS-BND-1\)$"):
            rankspec.IUB(measures(name)[0]).of([1, 0])
    with pytest.raises(InputError, match=r"^T: "):
        rs.nerr11([1], T=0)
    with pytest.raises(InputError, match=r"^p: "):
        rs.nerr10([1], p=1)


@BY
@pytest.mark.spec("RS-EXP-49", "RS-EXP-49/L1")
def test_nerr_under_ties_is_the_mean_over_orders(by):
    labels = [3, 0, 1]
    for name in NERR:
        orders = [exact_nerr(name, gains(x, 4), 2) for x in permutations(labels)]
        f, p = getattr(Metrics(by), name), {"p": 0.5} if name == "nerr10" else {}
        assert f(labels, scores=[1, 1, 1], k=2, **p) == double(sum(orders) / 6)
        assert f(labels, scores=[3, 2, 1], k=2, **p) != double(sum(orders) / 6)  # control


@BY
@each("k", [1, 3, 4, 7])
@pytest.mark.spec("RS-EXP-49", "RS-EXP-49/L1")
def test_nerr_of_groups_with_equal_labels_and_gains_of_1(by, k):
    """The cut-off lies within each group once, and below the list; a gain of 1 stops all users."""
    top, middle, low = [1], [2, 4, 0, 2], [0, 3]
    scores = [3] + [2] * 4 + [1] * 2
    for name in NERR:
        orders = [
            exact_nerr(name, gains([*top, *a, *b], 4), k)
            for a in permutations(middle)
            for b in permutations(low)
        ]
        f, p = getattr(Metrics(by), name), {"p": 0.5} if name == "nerr10" else {}
        value = f(top + middle + low, scores=scores, k=k, max_rel=4, **p)
        assert value == double(sum(orders) / len(orders))


@each("name", [*NERR, "inst", "bpm", "compatibility"])
@pytest.mark.spec("RS-EXP-49")
def test_a_long_group_of_few_orders_has_a_mean(name):
    """2000 equal items have one order; the recursion over them had no end."""
    f, labels = getattr(rankspec, name), [4, 1] + [0] * 2000
    own = {"nerr10": {"p": 0.5, "max_rel": 4}, "compatibility": {}}.get(name, {"max_rel": 4})
    value = f(labels, scores=[3, 2] + [1] * 2000, k=10, **own)
    assert value == f(labels, k=10, **own) > 0


# RS-USR-8: compatibility


def overlap(list_, other, k, p):
    """Σ p^(d-1) |first d of both| / d"""
    p = Fraction(p)
    return sum(
        (p ** (d - 1) * Fraction(len(set(list_[:d]) & set(other[:d])), d) for d in range(1, k + 1)),
        Fraction(0),
    )


def ideal_rankings(items):
    """All ideal rankings of (item, label) with labels above 0."""
    relevant = [item for item in items if item[1] > 0]
    for order in permutations(relevant):
        if all(a[1] >= b[1] for a, b in pairwise(order)):
            yield [a for a, _ in order]


@pytest.mark.spec("RS-USR-8", "RS-USR-8/L1", "RS-USR-8/L2", "RS-USR-8/L3")
@law(
    labels=st.lists(st.integers(-1, 2), max_size=4),
    more=st.lists(st.integers(0, 2), max_size=2),
    k=depths,
    p=quarters,
    compatibility=own_pool,
)
def test_compatibility_is_the_largest_overlap_with_an_ideal(rs, *, labels, more, k, p):
    items = list(enumerate([*labels, *more]))
    shown = [a for a, _ in items[: len(labels)]]
    best = max((overlap(shown, ideal, k, p), ideal) for ideal in ideal_rankings(items))
    N = len(best[1])
    by = overlap(best[1], best[1], k, p)
    value = rs.compatibility(labels, judged=labels + more, k=k, p=p)
    assert value == (double(best[0] / by) if by else 0)
    plain = rs.compatibility(labels, judged=labels + more, k=k, p=p, normalize=False)
    assert plain == double(best[0] * (1 - Fraction(p)) / (1 - Fraction(p) ** k))
    assert 0 <= plain <= value <= 1
    begins = any(shown[: min(N, k)] == x[: min(N, k)] for x in ideal_rankings(items))
    assert (value == 1) == (begins and N > 0)


@pytest.mark.spec("RS-USR-8/L4")
@law(
    labels=graded,
    more=graded,
    k=cutoffs,
    p=quarters,
    by=st.integers(1, 5),
    compatibility=lambda f: (
        lambda labels, judged, **a: f(
            [min(x, 5) for x in labels], judged=[min(x, 5) for x in judged], **a
        )
    ),
)
def test_compatibility_depends_on_the_order_of_labels_alone(rs, *, labels, more, k, p, by):
    value = rs.compatibility(labels, judged=labels + more, k=k, p=p)
    other = [[x and by * x + 2 for x in of] for of in (labels, more)]
    assert rs.compatibility(other[0], judged=other[0] + other[1], k=k, p=p) == value


@pytest.mark.spec("RS-USR-8")
@law(
    labels=graded,
    more=graded,
    p=quarters,
    compatibility=lambda f: lambda labels, k=None, **a: f(labels, k=k or 50, **a),
)
def test_without_a_depth_it_ends_with_the_longer_of_both(rs, labels, more, p):
    pool = labels + more
    depth = max(len(labels), sum(x > 0 for x in pool), 1)
    assert rs.compatibility(labels, judged=pool, p=p) == rs.compatibility(
        labels, judged=pool, p=p, k=depth
    )


# RS-EXP-48, RS-EXP-49


@pytest.mark.spec("RS-EXP-48", "RS-EXP-48/L1", "RS-EXP-49", "RS-EXP-49/L1")
@law(
    items=st.lists(st.tuples(st.sampled_from([0, 2, 4]), st.integers(0, 1)), max_size=4),
    k=depths,
    insq=using(scores=None),
    inst=using(scores=None),
    bpm=using(scores=None),
    compatibility=using(scores=None),
)
def test_means_over_the_orders_of_ties(rs, *, items, k):
    labels, scores = [x for x, _ in items], [s for _, s in items]
    for name in ("insq", "inst", "bpm", "compatibility"):
        f = getattr(rankspec.certify, name)
        mean = mean_over_orders(labels, scores, lambda r, f=f: Fraction(f(r, k=k).exact))
        assert getattr(rs, name)(labels, scores=scores, k=k) == double(mean)


@each("name", [*NERR, "inst", "bpm", "compatibility"])
@BY
@pytest.mark.spec("RS-EXP-49")
def test_groups_that_begin_below_the_cutoff_have_one_order(by, name):
    f, below = getattr(Metrics(by), name), [0, 1, 2, 3, 4, 4, 3, 2, 1, 0]
    own = {"nerr10": {"p": 0.5}}.get(name, {})
    value = f([4, 1, 2, *below], scores=[3, 3, 2] + [1] * 10, k=3, **own)
    orders = [f([*x, 2, *below], k=3, **own) for x in ([4, 1], [1, 4])]
    assert abs(value - sum(orders) / 2) <= 2**-52
    with pytest.raises(InputError, match=r"^ties: .* 226800 orders"):
        f([4, 1, 2, *below], scores=[3, 3, 2] + [1] * 10, k=4, **own)


@BY
@pytest.mark.spec("RS-EXP-49")
def test_too_many_orders_are_refused(by):
    rs, labels = Metrics(by), [0, 1, 2, 3, 4, 4, 3, 2, 1, 0]
    for name in ("inst", "bpm", "compatibility"):
        with pytest.raises(InputError, match=r"^ties: .* 113400 orders .* \(RS-EXP-49\)"):
            getattr(rs, name)(labels, scores=[1] * 10)
        assert getattr(rs, name)(labels, scores=[1] * 10, ties="best") >= 0
    assert rs.insq(labels, scores=[1] * 10, k=10) == 0.5


@BY
@pytest.mark.spec("RS-EXP-49")
def test_orders_with_too_many_ranks_are_refused(by):
    """Of 1000 orders of 1000 items, though 10000 orders may be gone through."""
    rs, labels = Metrics(by), [1] + [0] * 999
    for name in ("inst", "bpm", "compatibility"):
        with pytest.raises(InputError, match=r"1000000 ranks .* 400000 that .* \(RS-EXP-49\)"):
            getattr(rs, name)(labels, scores=[1] * 1000)
    with pytest.raises(InputError, match=r"9000000 ranks .* 4000000 that .* \(RS-EXP-49\)"):
        rs.nerr8([*labels, *[0] * 2000], scores=[1] * 3000)
    open_groups("BPM", [labels], 600)  # of 601 ways to begin
    with pytest.raises(NoValue, match=r" 422500 ranks "):
        open_groups("BPM", [[1] + [0] * 649], 650)


@each("name", [*NERR, "inst", "bpm", "compatibility"])
@BY
@pytest.mark.spec("RS-EXP-49")
def test_one_item_above_0_among_many_under_a_cutoff(by, name):
    n, k, own = 2000, 3, {"nerr10": {"p": 0.5}}.get(name, {})
    at = [[0] * i + [2] + [0] * (k - 1 - i) for i in range(k)]
    exact = getattr(rankspec.certify, name)
    values = [Fraction(exact(x, judged=[2], k=k, **own).exact) for x in [*at, [0] * k]]
    mean = (sum(values[:k]) + (n - k) * values[k]) / n
    tied = {"scores": [1] * n, "judged": [2] + [0] * (n - 1), "k": k, **own}
    assert getattr(Metrics(by), name)([2] + [0] * (n - 1), **tied) == double(mean) > 0


@BY
@pytest.mark.spec("RS-EXP-49")
def test_a_cutoff_that_changes_may_take_the_user_below_it(by):
    rs, of_user = Metrics(by), {"k": 2, "hc": 2, "T": 5}
    values = [rs.bpm([4, 4, *x], **of_user) for x in ([4, 0], [0, 4])]
    assert values == [0.6, 0.75]
    tied = rs.bpm([4, 4, 4, 0], scores=[3, 2, 1, 1], **of_user)
    assert tied == double((Fraction(3, 4) + Fraction(3, 5)) / 2)
