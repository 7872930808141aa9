"""The laws of P, recall, RR, SP and AP."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from rankspec.chapters import METRICS

from .broken import backwards, own_pool
from .law import law
from .rankings import (
    binary,
    cutoffs,
    depths,
    double,
    lists,
    norms,
    pair,
    replaced,
    seeds,
    signed,
    swapped,
    thresholds,
)

BINARY_METRICS = [m for m in METRICS if m.binary]
some = lists(st.integers(0, 1), least=1)
two = lists(st.integers(0, 1), least=2)


def every(rs, labels, judged, k, **parameters):
    """The values of all binary metrics, AP with each normaliser."""
    result = []
    for metric in BINARY_METRICS:
        arguments = {**parameters, **({"judged": judged} if metric.judged else {})}
        for norm in ("R", "min", "k") if "norm" in metric.parameters else (None,):
            chosen = {} if norm is None else {"norm": norm}
            result.append(getattr(rs, metric.function)(labels, k=k, **arguments, **chosen))
    return result


def hits(R, k):
    """How many of the first k are relevant."""
    return sum(R[:k])


def lenient(f):
    """A metric that takes every positive label as relevant."""
    return lambda labels, **a: f(labels, **{**a, "rel": 1e-9})


def of_the_list(f):
    """A precision that divides by the length of a list that is shorter than k."""
    return lambda labels, k=None, **a: f(labels, k=min(k or 1, max(len(labels), 1)), **a)


@pytest.mark.spec("RS-PREC-1/L1")
@law(
    label=signed.filter(bool),
    low=thresholds,
    high=thresholds,
    precision=lambda f: lambda labels, rel, **a: f([-x for x in labels], rel=-rel, **a),
)
def test_a_higher_threshold_makes_nothing_relevant(rs, label, low, high):
    assume(low <= high)
    for r in label:
        assert rs.precision([r], rel=high) <= rs.precision([r], rel=low)
        assert rs.precision([r], rel=low) == (1 if r >= low else 0)


@pytest.mark.spec("RS-PREC-1/L2")
@law(labels=signed, more=signed, rel=thresholds, k=cutoffs, ap=lenient)
def test_every_metric_sees_only_the_indicators(rs, *, labels, more, rel, k):
    R, judged = ([int(r >= rel) for r in x] for x in (labels, labels + more))
    assert every(rs, labels, labels + more, k, rel=rel) == every(rs, R, judged, k, rel=1)


@pytest.mark.spec("RS-PREC-2/L1")
@law(R=binary, k=depths, precision=of_the_list)
def test_precision_times_k_is_a_whole_number(rs, R, k):
    value = rs.precision(R, k=k)
    assert value in [double(Fraction(j, k)) for j in range(min(k, len(R)) + 1)]
    assert value == double(Fraction(hits(R, k), k))


@pytest.mark.spec("RS-PREC-2/L2")
@law(
    R=binary,
    k=cutoffs,
    order=st.randoms(use_true_random=False),
    precision=lambda f: lambda labels, k=None, **a: f(labels, k=max((k or 2) - 1, 1), **a),
)
def test_precision_is_free_of_the_order(rs, R, k, order):
    top = R[:k]
    order.shuffle(top)
    assert rs.precision(top + R[len(top) :], k=k) == rs.precision(R, k=k)


@pytest.mark.spec("RS-PREC-2/L3", "RS-PREC-3/L3", "RS-PREC-4/L3", "RS-PREC-7/L4")
@law(R=two, more=binary, k=cutoffs, i=seeds, j=seeds, rr=backwards)
def test_moving_a_relevant_item_up_never_lowers_a_metric(rs, *, R, more, k, i, j):
    """For P, recall and RR over any distance; for SP and AP too, since one step at a time."""
    i, j = pair(len(R), i, j)
    R = replaced(replaced(R, i, 0), j, 1)
    before, after = (every(rs, x, R + more, k) for x in (R, swapped(R, i, j)))
    assert all(a <= b for a, b in zip(before, after, strict=True))


@pytest.mark.spec("RS-PREC-2/L3", "RS-PREC-3/L3", "RS-PREC-4/L3", "RS-PREC-5/L4", "RS-PREC-7/L4")
@law(
    R=some,
    more=binary,
    k=cutoffs,
    i=seeds,
    recall=own_pool,
)
def test_making_an_item_relevant_never_lowers_a_metric(rs, *, R, more, k, i):
    """With N_p fixed. SP rises where the rank is within the cut-off."""
    i = 1 + i % len(R)
    R = replaced(R, i, 0)
    upgraded, judged = replaced(R, i, 1), replaced(R, i, 1) + more
    before, after = (every(rs, x, judged, k) for x in (R, upgraded))
    assert all(a <= b for a, b in zip(before, after, strict=True))
    if k is None or i <= k:
        assert rs.sp(R, k=k) < rs.sp(upgraded, k=k)
    else:
        assert rs.sp(R, k=k) == rs.sp(upgraded, k=k)


@pytest.mark.spec("RS-PREC-3/L1")
@law(
    R=binary,
    more=binary,
    k=depths,
    recall=lambda f: lambda labels, k, **a: f(labels, k=k, **a) / min(k or 9, 3),
)
def test_recall_lies_between_zero_and_one_and_rises_with_k(rs, R, more, k):
    judged = R + more
    value, deeper, whole = (rs.recall(R, judged=judged, k=x) for x in (k, k + 1, None))
    assert 0 <= value <= deeper <= whole <= 1
    N_p = sum(judged)
    assert value == (double(Fraction(hits(R, k), N_p)) if N_p else 0)


@pytest.mark.spec("RS-PREC-3/L2")
@law(R=binary, more=binary, k=depths, precision=of_the_list)
def test_precision_and_recall_count_the_same_items(rs, R, more, k):
    judged = R + more
    assume(sum(judged))
    found = round(rs.precision(R, k=k) * k)
    assert rs.precision(R, k=k) == found / k
    assert rs.recall(R, judged=judged, k=k) == found / sum(judged)


@pytest.mark.spec("RS-PREC-4/L1")
@law(R=some, tail=binary, k=cutoffs, rr=lambda f: lambda labels, **a: f(labels[::-1], **a))
def test_rr_does_not_depend_on_what_follows_the_first_relevant_item(rs, R, tail, k):
    value = rs.rr(R, k=k)
    if 1 in R:
        first = R.index(1) + 1
        assert rs.rr(R[:first] + tail, k=k) == value
        assert value in (0, rs.precision(R, k=first))
        assert (value == 0) == (k is not None and k < first)
    else:
        assert value == 0


@pytest.mark.spec("RS-PREC-4/L2")
@law(R=binary, k=depths, rr=lambda f: lambda labels, k=None, **a: f(labels, k=k, **a) / (k or 1))
def test_rr_does_not_fall_with_the_cut_off(rs, R, k):
    assert rs.rr(R, k=k) <= rs.rr(R, k=k + 1) <= rs.rr(R)


def exact_sp(R, k):
    """RS-PREC-5/L2: the sum over pairs of relevant items."""
    top = R[:k]
    return sum(
        (
            Fraction(1, j)
            for j in range(1, len(top) + 1)
            for i in range(1, j + 1)
            if top[i - 1] and top[j - 1]
        ),
        Fraction(0),
    )


@pytest.mark.spec("RS-PREC-5/L1")
@law(R=binary, more=binary, k=depths, sp=lambda f: lambda labels, **a: f([1, *labels], **a))
def test_sp_is_at_most_the_number_of_relevant_items(rs, R, more, k):
    h, value = hits(R, k), rs.sp(R, k=k)
    assert 0 <= value <= h <= min(k, sum(R + more))
    assert (value == h) == all(R[:h])


@pytest.mark.spec("RS-PREC-5/L2")
@law(R=binary, k=cutoffs, sp=backwards)
def test_sp_is_a_sum_over_pairs(rs, R, k):
    assert rs.sp(R, k=k) == double(exact_sp(R, k))


@pytest.mark.spec("RS-PREC-5/L3")
@law(R=two, k=depths, i=seeds, sp=backwards)
def test_a_swap_of_neighbours_raises_sp_by_a_known_amount(rs, R, k, i):
    i = 1 + i % (len(R) - 1)
    assume(i + 1 <= k)
    R = replaced(replaced(R, i, 0), i + 1, 1)
    c = hits(R, i + 1)
    rise = Fraction(c, i * (i + 1))
    assert rs.sp(swapped(R, i, i + 1), k=k) == double(exact_sp(R, k) + rise)


def dividing(by):
    """An AP that divides by another normaliser than asked."""
    return lambda f: lambda labels, **a: f(labels, **{**a, "norm": by[a["norm"]]})


@pytest.mark.spec("RS-PREC-6/L1")
@law(R=binary, more=binary, k=depths, ap=dividing({"R": "min", "min": "R", "k": "k"}))
def test_ap_by_min_is_the_largest(rs, R, more, k):
    by = {norm: rs.ap(R, judged=R + more, k=k, norm=norm) for norm in ("R", "min", "k")}
    assert by["min"] >= by["R"]
    assert by["min"] >= by["k"]


@pytest.mark.spec("RS-PREC-6/L2")
@law(R=binary, more=binary, k=depths, ap=dividing({"R": "R", "min": "R", "k": "k"}))
def test_min_is_one_of_the_other_normalisers(rs, R, more, k):
    judged = R + more
    by = {norm: rs.ap(R, judged=judged, k=k, norm=norm) for norm in ("R", "min", "k")}
    if k >= sum(judged):
        assert by["min"] == by["R"]
    if k <= sum(judged):
        assert by["min"] == by["k"]


@pytest.mark.spec("RS-PREC-7/L1")
@law(
    R=binary,
    more=binary,
    k=cutoffs,
    norm=norms,
    ap=lambda f: lambda labels, **a: 1.5 * f(labels, **a),
)
def test_ap_lies_between_zero_and_one(rs, *, R, more, k, norm):
    assert 0 <= rs.ap(R, judged=R + more, k=k, norm=norm) <= 1


@pytest.mark.spec("RS-PREC-7/L2")
@law(
    R=binary,
    more=binary,
    k=depths,
    ap=dividing({"R": "R", "min": "k", "k": "k"}),
)
def test_ap_is_one_only_where_the_top_is_relevant(rs, R, more, k):
    judged = R + more
    N_p = sum(judged)
    top = min(k, N_p)
    perfect = N_p > 0 and len(R) >= top and all(R[:top])
    assert (rs.ap(R, judged=judged, k=k, norm="min") == 1) == perfect
    assert (rs.ap(R, judged=judged, k=k, norm="R") == 1) == (perfect and N_p <= k)
    assert (rs.ap(R, judged=judged, k=k, norm="k") == 1) == (perfect and k <= N_p)


@pytest.mark.spec("RS-PREC-7/L3")
@law(n=st.integers(1, 8), i=st.integers(0, 9), k=cutoffs, ap=backwards)
def test_ap_of_one_relevant_item_is_its_reciprocal_rank(rs, n, i, k):
    R = [int(rank == i) for rank in range(1, n + 1)]
    assert rs.ap(R, judged=[0, 1], k=k, norm="R") == rs.rr(R, k=k)
