"""The laws of graded RBP, its residual, and scaled DCG.

Their values are computed here once more in fractions, from their definitions.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankspec
from rankspec import InputError
from rankspec.metrics.grammar import measures

from ..each import each
from .broken import backwards, own_pool, shifted, using
from .law import Metrics, law
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

BY = pytest.mark.parametrize("by", ["c", "reference"])

scales = st.one_of(st.integers(4, 9), st.sampled_from([4.25, 5.5, 1000]))
labels_of_four = lists(st.one_of(grades, st.floats(0, 4)))
quarters = st.sampled_from([0.25, 0.5, 0.75])
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
@law(labels=graded, more=graded, k=cutoffs, grbp=own_pool, scaled_dcg=own_pool)
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
