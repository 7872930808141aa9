"""The laws of P, recall, RR, SP, AP, GAP, R-precision, success, bpref and AUC."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import assume
from hypothesis import strategies as st
from mpmath import mp

import rankspec
from rankspec import InputError
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.precision import NORM
from rankspec.reference.precision import (
    expected_number_relevant,
    gap,
    gsp,
    probability_relevant,
)

from .broken import backwards, own_pool, using
from .law import READINGS, Metrics, law
from .rankings import (
    binary,
    cutoffs,
    depths,
    double,
    graded,
    grades,
    lists,
    mixtures,
    pair,
    replaced,
    seeds,
    signed,
    swapped,
    thresholds,
)

# Not what counts items that are not relevant: NumNonrelRet falls where others rise.
BINARY_METRICS = [
    m for m in METRICS if m.binary and m.name != "NumNonrelRet" and not m.reads_negative
]
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
    """But infAP, to which a label below 0 is no judgment: tests/laws/test_inferred.py."""
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
@pytest.mark.spec("RS-PREC-12/L3", "RS-PREC-13/L3", "RS-PREC-15/L3")
@law(R=two, more=binary, k=cutoffs, i=seeds, j=seeds, rr=backwards)
def test_moving_a_relevant_item_up_never_lowers_a_metric(rs, *, R, more, k, i, j):
    """For P, recall and RR over any distance; for SP and AP too, since one step at a time."""
    i, j = pair(len(R), i, j)
    R = replaced(replaced(R, i, 0), j, 1)
    before, after = (every(rs, x, R + more, k) for x in (R, swapped(R, i, j)))
    assert all(a <= b for a, b in zip(before, after, strict=True))


@pytest.mark.spec("RS-PREC-2/L3", "RS-PREC-3/L3", "RS-PREC-4/L3", "RS-PREC-5/L4", "RS-PREC-7/L4")
@pytest.mark.spec("RS-PREC-13/L3")
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
    return lambda f: lambda labels, **a: f(labels, **{**a, "norm": by.get(a["norm"], a["norm"])})


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


@pytest.mark.spec("RS-PREC-6/L3")
@law(
    R=binary,
    more=binary,
    k=depths,
    ap=lambda f: lambda labels, **a: f(labels, **a | {"norm": a["norm"].replace("hits", "R")}),
)
def test_what_ap_divides_by_falls_from_the_pool_to_the_list_to_the_hits(rs, R, more, k):
    pool, retrieved, up_to_k = (
        rs.ap(R, judged=R + more, k=k, norm=norm) for norm in ("R", "retrieved", "hits")
    )
    assert pool <= retrieved <= up_to_k
    assert up_to_k == rs.ap(R[:k], norm="retrieved") == rs.ap(R[:k], k=k, norm="hits")
    assert retrieved == rs.ap(R, judged=R, k=k, norm="R")
    if k >= len(R):
        assert up_to_k == retrieved


@pytest.mark.spec("RS-PREC-6/L4")
@law(
    R=binary,
    more=st.integers(0, 3),
    norm=st.sampled_from(["retrieved", "hits"]),
    ap=lambda f: lambda labels, **a: f(labels, **a | {"norm": "k"}),
)
def test_an_item_more_that_is_relevant_can_lower_ap_by_the_list(rs, R, more, norm):
    """Where the value is 1, and the item comes below one that is not relevant."""
    R = [1, *R, 0, 1]
    k = len(R) + more
    assert rs.ap(R, k=k, norm=norm) < rs.ap([1] + [0] * (len(R) - 1), k=k, norm=norm) == 1


@pytest.mark.spec("RS-PREC-7/L1")
@law(
    R=binary,
    more=binary,
    k=cutoffs,
    norm=st.sampled_from(NORM.words),
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
    h, found = hits(R, k), sum(R)
    assert (rs.ap(R, judged=judged, k=k, norm="hits") == 1) == (h > 0 and all(R[:h]))
    at_the_top = 0 < found <= k and all(R[:found])
    assert (rs.ap(R, judged=judged, k=k, norm="retrieved") == 1) == at_the_top


@pytest.mark.spec("RS-PREC-7/L3")
@law(n=st.integers(1, 8), i=st.integers(0, 9), k=cutoffs, ap=backwards)
def test_ap_of_one_relevant_item_is_its_reciprocal_rank(rs, n, i, k):
    R = [int(rank == i) for rank in range(1, n + 1)]
    assert rs.ap(R, judged=[0, 1], k=k, norm="R") == rs.rr(R, k=k)


# GAP. By its mixture of thresholds, which is not how the spec defines it: AP for each user.


def mixture_sp(labels, k, q):
    """RS-PREC-9/L1: the SP of each threshold, by its pairs."""
    thresholds = enumerate(map(Fraction, q), start=1)
    return sum((q_j * exact_sp([x >= j for x in labels], k) for j, q_j in thresholds), Fraction(0))


def mixture_count(judged, q):
    """RS-PREC-10/L1."""
    return sum(Fraction(q_j) * sum(x >= j for x in judged) for j, q_j in enumerate(q, start=1))


def paper_s_form(labels, judged, q):
    """RS-PREC-11/L2, of labels from 0 to as many as there are numbers q."""

    def share(x):  # of the users for whom the labels from 1 to x are relevant
        return sum(map(Fraction, q[:x]), Fraction(0))

    ranks = range(1, len(labels) + 1)
    total = sum(
        (share(min(labels[h - 1], labels[i - 1])) / i for i in ranks for h in range(1, i + 1)),
        Fraction(0),
    )
    return total / sum(map(share, judged))


def one_threshold(f):
    """GAP of the users who ask for the least relevant label alone."""
    return lambda labels, **a: f(labels, **{**a, "q": [1]})


@pytest.mark.spec("RS-PREC-8", "RS-PREC-8/L1")
@law(
    x=st.one_of(grades, st.floats(-2, 9)),
    y=st.one_of(grades, st.floats(-2, 9)),
    q=mixtures,
    gap=lambda f: lambda labels, **a: f([-x for x in labels], **a),
)
def test_a_higher_label_is_not_less_probably_relevant(rs, x, y, q):
    """Read off GAP: of one item in a pool that has a label above all numbers q as well."""
    x, y = sorted((x, y))
    share = probability_relevant(x, q)
    assert share == sum((Fraction(q_j) for j, q_j in enumerate(q, 1) if j <= x), Fraction(0))
    assert 0 <= share <= probability_relevant(y, q) <= sum(map(Fraction, q))
    value = rs.gap([x], judged=[9], q=q)
    assert value == double(share / sum(map(Fraction, q))) <= rs.gap([y], judged=[9], q=q)


@pytest.mark.spec("RS-PREC-9", "RS-PREC-9/L1", "RS-PREC-10", "RS-PREC-10/L1", "RS-PREC-11",
                  "RS-PREC-11/L1")  # fmt: skip
@law(labels=graded, judged=graded, k=cutoffs, q=mixtures, gap=one_threshold)
def test_gap_is_a_mixture_of_sums_of_precisions(rs, *, labels, judged, k, q):
    """For any pool, also one that does not cover the list."""
    total, count = mixture_sp(labels, k, q), mixture_count(judged, q)
    assert gsp(labels, k or len(labels), q) == total
    assert expected_number_relevant(judged, q) == count
    value = rs.gap(labels, judged=judged, k=k, q=q)
    assert value == (double(total / count) if count else 0)


@pytest.mark.spec("RS-PREC-8", "RS-PREC-11")
@law(
    labels=signed,
    more=signed,
    k=cutoffs,
    q=mixtures,
    gap=lambda f: lambda labels, **a: f([-(-x // 1) for x in labels], **a),
)
def test_gap_of_any_labels_is_that_of_the_whole_numbers_below(rs, *, labels, more, k, q):
    whole, judged = ([min(max(int(x // 1), 0), len(q)) for x in some] for some in (labels, more))
    value = rs.gap(labels, judged=labels + more, k=k, q=q)
    assert value == rs.gap(whole, judged=whole + judged, k=k, q=q)


@pytest.mark.spec("RS-PREC-9/L2")
@law(
    labels=graded,
    k=depths,
    q=mixtures,
    gap=lambda f: lambda labels, **a: f(sorted(labels, reverse=True), **a),
)
def test_gsp_is_at_most_the_relevance_shown(rs, labels, k, q):
    shown = labels[:k]
    bound = sum((probability_relevant(x, q) for x in shown), Fraction(0))
    in_order = all(
        min(x, len(q)) >= y or not any(q[max(x, 0) : y])
        for a, x in enumerate(shown)
        for y in shown[a + 1 :]
    )
    total = gsp(labels, k, q)
    assert 0 <= total <= bound
    assert (total == bound) == in_order
    if bound:
        assert rs.gap(shown, judged=shown, q=q) == double(total / bound)
        assert (rs.gap(shown, judged=shown, q=q) == 1) == in_order


@pytest.mark.spec("RS-PREC-11/L2")
@law(labels=graded, more=graded, q=mixtures, gap=one_threshold)
def test_gap_in_the_form_of_its_paper(rs, labels, more, q):
    labels, judged = ([min(x, len(q)) for x in some] for some in (labels, labels + more))
    assume(mixture_count(judged, q))
    assert rs.gap(labels, judged=judged, q=q) == double(paper_s_form(labels, judged, q))


@pytest.mark.spec("RS-PREC-11/L3")
@law(
    labels=graded,
    more=graded,
    k=cutoffs,
    q=mixtures,
    j=st.integers(1, 4),
    gap=using(k=1),
)
def test_gap_of_one_kind_of_user_is_ap(rs, *, labels, more, k, q, j):
    judged = labels + more
    asking = [0] * (j - 1) + [q[0] or 1]
    assert rs.gap(labels, judged=judged, k=k, q=asking) == rs.ap(labels, judged=judged, k=k, rel=j)
    R, J = ([min(x, 1) for x in some] for some in (labels, judged))
    value = rs.gap(R, judged=J, k=k, q=q)
    assert value == (rs.ap(R, judged=J, k=k) if q[0] else 0)


@pytest.mark.spec("RS-PREC-11/L4", "RS-PREC-11/L5")
@law(
    labels=graded,
    more=st.lists(grades, max_size=2),
    k=depths,
    q=mixtures,
    gap=lambda f: own_pool(lambda labels, **a: 1.5 * f(labels, **a)),
)
def test_gap_is_one_only_where_each_user_s_relevant_items_come_first(rs, *, labels, more, k, q):
    judged = labels + more
    value = rs.gap(labels, judged=judged, k=k, q=q)
    assert 0 <= value <= 1
    perfect = mixture_count(judged, q) > 0
    for j, q_j in enumerate(q, start=1):
        N_j = sum(x >= j for x in judged)
        if q_j and N_j:
            top = labels[:N_j]
            perfect &= N_j <= k and len(top) == N_j and all(x >= j for x in top)
    assert (rankspec.certify.gap(labels, judged=judged, k=k, q=q).exact == 1) == perfect


@pytest.mark.spec("RS-PREC-11/L6")
@law(
    labels=lists(grades, least=2),
    more=graded,
    k=cutoffs,
    q=mixtures,
    i=seeds,
    j=seeds,
    gap=backwards,
)
def test_moving_a_higher_label_up_never_lowers_gap(rs, *, labels, more, k, q, i, j):
    i, j = pair(len(labels), i, j)
    judged = labels + more
    assume(labels[j - 1] > labels[i - 1])
    before, after = (rs.gap(r, judged=judged, k=k, q=q) for r in (labels, swapped(labels, i, j)))
    assert before <= after


@pytest.mark.spec("RS-PREC-11/L6")
@law(judged=st.lists(grades, max_size=5), k=cutoffs, q=mixtures, gap=backwards)
def test_no_list_of_the_pool_has_more_gap_than_the_ideal_ranking(rs, judged, k, q):
    best = rs.gap(sorted(judged, reverse=True), k=k, q=q)
    depth = k or len(judged)
    every = (gap(r, judged, depth, q) for n in range(6) for r in set(permutations(judged, n)))
    assert best == double(Fraction(max(every)))


@pytest.mark.spec("RS-PREC-11/L7")
@law(
    labels=lists(grades, least=1),
    more=graded,
    k=cutoffs,
    q=mixtures,
    i=seeds,
    better=grades,
    gap=own_pool,
)
def test_raising_a_label_with_the_pool_fixed_never_lowers_gap(rs, *, labels, more, k, q, i, better):
    i = 1 + i % len(labels)
    judged = [*labels, *more, better]
    raised = replaced(labels, i, max(better, labels[i - 1]))
    assert rs.gap(labels, judged=judged, k=k, q=q) <= rs.gap(raised, judged=judged, k=k, q=q)


@pytest.mark.parametrize("by", READINGS)
@pytest.mark.spec("RS-PREC-11/L7")
def test_raising_a_label_of_list_and_pool_can_lower_gap(by):
    rs = Metrics(by)
    assert rs.gap([2, 0, 1], q=[1, 1]) == 8 / 9
    assert rs.gap([2, 0, 2], q=[1, 1]) == 5 / 6


@pytest.mark.spec("RS-PREC-11/L8")
@law(
    labels=graded,
    more=graded,
    k=cutoffs,
    q=mixtures,
    c=st.sampled_from([2, 3, 0.125, 1024]),
    gap=lambda f: lambda labels, q, **a: f(labels, q=[x + 1 for x in q], **a),
)
def test_only_the_ratios_of_q_matter(rs, *, labels, more, k, q, c):
    judged = labels + more
    scaled = [c * x for x in q]
    assert rs.gap(labels, judged=judged, k=k, q=scaled) == rs.gap(labels, judged=judged, k=k, q=q)


@pytest.mark.parametrize("by", READINGS)
@pytest.mark.parametrize(
    "bad", [[], [0, 0], [-1, 2], [float("nan")], [float("inf")], "12", 1, None]
)
@pytest.mark.spec("RS-PREC-8")
def test_what_is_no_q_is_refused(by, bad):
    with pytest.raises(InputError, match=r"^q: "):
        Metrics(by).gap([1], q=bad)


@pytest.mark.spec("RS-PREC-12", "RS-PREC-12/L1", "RS-PREC-12/L2")
@law(R=binary, more=binary, shown=binary, k=cutoffs, rprec=own_pool)
def test_r_precision_is_precision_and_recall_at_R(rs, *, R, more, shown, k):
    judged = R + more
    N_p = sum(judged)
    value = rs.rprec(R, judged=judged, k=k)
    cut = min(k or N_p, N_p)
    assert value == (double(Fraction(hits(R, cut), N_p)) if N_p else 0)
    if N_p:
        assert rs.rprec(R, judged=judged) == rs.precision(R, k=N_p)
        assert rs.rprec(R, judged=judged) == rs.recall(R, judged=judged, k=N_p)
    assert 0 <= rs.rprec(shown, judged=judged, k=k, check=False) <= 1


@pytest.mark.spec("RS-PREC-13", "RS-PREC-13/L1", "RS-PREC-13/L2")
@law(R=binary, k=depths, success=backwards)
def test_success_is_whether_the_reciprocal_rank_is_above_0(rs, R, k):
    assert rs.success(R, k=k) == (rs.rr(R, k=k) > 0) == (1 in R[:k])
    assert rs.success(R, k=1) == rs.rr(R, k=1) == rs.precision(R, k=1)
    assert rs.success(R, k=k) <= rs.success(R, k=k + 1) <= rs.success(R)


judgments = lists(st.sampled_from([0, 1, None]))
"""Relevant, not relevant, not judged."""


def bpref_of(rs, R, more, k=None):
    """bpref of a list in which None is not judged; the pool is its judged items, and more."""
    judged = [x for x in R if x is not None] + more
    return rs.bpref([x or 0 for x in R], unjudged=[int(x is None) for x in R], judged=judged, k=k)


def all_judged(f):
    """Takes the unjudged items as not relevant."""
    return lambda labels, unjudged, judged, **a: f(
        labels, judged=judged + [0] * sum(unjudged), unjudged=[0] * len(labels), **a
    )


@pytest.mark.spec("RS-PREC-14", "RS-PREC-14/L1", "RS-PREC-15", "RS-PREC-15/L1")
@law(R=judgments, more=binary, k=cutoffs, bpref=all_judged)
def test_bpref_counts_the_judged_items_above(rs, R, more, k):
    """By counting pairs: for each relevant item shown, those above it that are not relevant."""
    judged = [x for x in R if x is not None] + more
    N_p, N_n = judged.count(1), judged.count(0)
    D = min(N_p, N_n)
    preferences = [
        1 - Fraction(min(R[:i].count(0), D), D) if D else Fraction(1)
        for i, x in enumerate(R[:k])
        if x == 1
    ]
    assert all(x >= y for x, y in pairwise(preferences))
    value = bpref_of(rs, R, more, k)
    assert value == (double(sum(preferences, Fraction(0)) / N_p) if N_p else 0)
    assert 0 <= value <= bpref_of(rs, R, more) <= 1


@pytest.mark.spec("RS-PREC-15/L2")
@law(R=judgments, more=binary, i=seeds, bpref=all_judged)
def test_an_unjudged_item_changes_nothing(rs, R, more, i):
    i %= len(R) + 1
    value = bpref_of(rs, R, more)
    assert value == bpref_of(rs, [*R[:i], None, *R[i:]], more)
    assert value == bpref_of(rs, [x for x in R if x is not None], more)


@pytest.mark.spec("RS-PREC-15/L3")
@law(R=lists(st.sampled_from([0, 1, None]), least=2), more=binary, k=cutoffs, i=seeds, j=seeds,
     bpref=backwards)  # fmt: skip
def test_moving_a_relevant_item_above_a_judged_one_never_lowers_bpref(rs, *, R, more, k, i, j):
    i, j = pair(len(R), i, j)
    R = replaced(replaced(R, i, 0), j, 1)
    assert bpref_of(rs, R, more, k) <= bpref_of(rs, swapped(R, i, j), more, k)


@pytest.mark.spec("RS-PREC-15/L4", "RS-PREC-14/L1")
@law(N_p=st.integers(1, 6), N_n=st.integers(1, 6), above=st.integers(0, 6), bpref=backwards)
def test_bpref_of_the_best_and_of_the_worst_order(rs, N_p, N_n, above):
    assert bpref_of(rs, [1] * N_p + [0] * N_n, []) == 1
    above = min(above, N_n)
    value = bpref_of(rs, [0] * above + [1] * N_p + [0] * (N_n - above), [])
    assert (value == 0) == (above >= min(N_p, N_n))
    assert (value == 1) == (above == 0)


def auc_of(rs, R, more, k=None):
    """AUC of a list in which None is not judged; the pool is its judged items, and more."""
    judged = [x for x in R if x is not None] + more
    return rs.auc([x or 0 for x in R], unjudged=[int(x is None) for x in R], judged=judged, k=k)


def lost_below(f):
    """Counts what is not shown as lost: no pair of it counts a half."""

    def of(labels, unjudged, judged, k=None, **a):
        shown = [x for x, u in zip(labels[:k], unjudged[:k], strict=True) if not u]
        ones, others = (judged.count(x) - shown.count(x) for x in (1, 0))
        pairs = judged.count(1) * judged.count(0)
        value = f(labels, unjudged=unjudged, judged=judged, k=k, **a)
        return value - (ones * others / 2 / pairs if pairs else 0)

    return of


@pytest.mark.spec("RS-PREC-40", "RS-PREC-40/L1")
@law(R=judgments, more=binary, k=cutoffs, auc=lost_below)
def test_auc_is_the_share_of_pairs_in_order(rs, R, more, k):
    """By going through the pairs, of which those that are not shown are at the end."""
    shown = R[:k]
    judged = [x for x in R if x is not None] + more
    places = {x: [i for i, y in enumerate(shown) if y == x] for x in (0, 1)}
    at = {x: own + [len(shown)] * (judged.count(x) - len(own)) for x, own in places.items()}
    pairs = [Fraction((a < b) + (a <= b), 2) for a in at[1] for b in at[0]]
    mean = sum(pairs, Fraction(0)) / len(pairs) if pairs else Fraction(0)
    assert auc_of(rs, R, more, k) == double(mean)
    assert 0 <= mean <= 1


@pytest.mark.spec("RS-PREC-40/L2", "RS-PREC-40/L5")
@law(R=some, auc=lambda f: lambda labels: f(labels) ** 2)
def test_auc_of_the_reversed_list(rs, R):
    assume(len(set(R)) == 2)
    value = rs.auc(R)
    a, b = Fraction(value).limit_denominator(100), R.count(1) * R.count(0)
    assert value == double(a)
    assert (a * b).denominator == 1
    assert rs.auc(R[::-1]) == double(1 - a)
    assert (value == 1) == (sorted(R, reverse=True) == R)
    assert (value == 0) == (sorted(R) == R)


@pytest.mark.spec("RS-PREC-40/L3")
@law(R=judgments, more=binary, i=seeds, auc=all_judged)
def test_an_unjudged_item_changes_no_auc(rs, R, more, i):
    i %= len(R) + 1
    value = auc_of(rs, R, more)
    assert value == auc_of(rs, [*R[:i], None, *R[i:]], more)
    assert value == auc_of(rs, [x for x in R if x is not None], more)


@pytest.mark.spec("RS-PREC-40/L4")
@law(R=lists(st.sampled_from([0, 1, None]), least=2), more=binary, k=cutoffs, i=seeds, j=seeds,
     auc=backwards)  # fmt: skip
def test_moving_a_relevant_item_above_a_judged_one_never_lowers_auc(rs, *, R, more, k, i, j):
    i, j = pair(len(R), i, j)
    R = replaced(replaced(R, i, 0), j, 1)
    assert auc_of(rs, R, more, k) <= auc_of(rs, swapped(R, i, j), more, k)


# RS-PREC-60: utility of a set

weights_of_utility = st.tuples(*[st.sampled_from([-1, -0.5, 0, 0.25, 2, 3])] * 4)


def exact_utility(R, N_p, k, weights, documents):
    """The worth of one document after the other."""
    a, b, c, d = map(Fraction, weights)
    shown = R[:k]
    missed = N_p - sum(shown)
    worth = sum((a if relevant else b for relevant in shown), Fraction(0))
    return worth + missed * c + (documents - len(shown) - missed) * d


def turned(f):
    """Utility that takes the relevant retrieved for the others."""
    return lambda labels, weights=(1, -1, 0, 0), **a: f(
        labels, weights=[weights[1], weights[0], *weights[2:]], **a
    )


@pytest.mark.spec("RS-PREC-60", "RS-PREC-60/L1", "RS-PREC-60/L2", "RS-PREC-60/L3")
@law(
    labels=lists(grades, least=1),
    more=lists(grades),
    k=cutoffs,
    weights=weights_of_utility,
    others=weights_of_utility,
    utility=turned,
)
def test_utility_is_what_the_documents_are_worth(rs, *, labels, more, k, weights, others):
    J, R = [*labels, *more], [int(x >= 1) for x in labels]
    N_p, D = sum(x >= 1 for x in J), 40

    def of(weights, labels=labels, J=J):
        return rs.utility(labels, judged=J, k=k, weights=weights, documents=D)

    value = exact_utility(R, N_p, k or len(R), weights, D)
    assert of(weights) == double(value)
    assert of((1, -1, 0, 0)) == rs.utility(labels, judged=J, k=k)
    assert of((1, 0, 0, 0)) == rs.num_rel_ret(labels, k=k)
    assert of((1, 1, 0, 0)) == rs.num_ret(labels, k=k)
    summed = [a + b for a, b in zip(weights, others, strict=True)]
    assert of(summed) == of(weights) + of(others)
    assert of([4 * x for x in weights]) == 4 * of(weights)
    if not R[0]:
        raised = [4, *labels[1:]]
        risen = of(weights, raised, [*raised, *more])
        assert risen - of(weights) == weights[0] - weights[1]


@pytest.mark.spec("RS-PREC-60", "RS-EXP-100", "RS-EXP-100/L1")
@law(
    labels=st.lists(grades, min_size=2, max_size=5),
    k=cutoffs,
    weights=weights_of_utility,
    utility=turned,
)
def test_expected_utility_is_the_mean_over_orders(rs, labels, k, weights):
    found = rs.utility(labels, scores=[1] * len(labels), k=k, weights=weights, documents=9)
    R = [int(x >= 1) for x in labels]
    orders = [exact_utility(x, sum(R), k or len(R), weights, 9) for x in permutations(R)]
    assert found == double(sum(orders) / len(orders))


@pytest.mark.spec("RS-PREC-60")
@pytest.mark.parametrize("by", ["c", "reference"])
def test_what_is_no_utility_is_refused(by):
    rs = Metrics(by)
    for bad in ([1, 0, 0], [1] * 5, "1000", 1, None, [1, 0, 0, float("nan")], [1, 0, 0, "1"]):
        with pytest.raises(InputError, match=r"^weights: "):
            rs.utility([1], weights=bad, documents=9)
    for bad in (-1, 0.5, 2**53 + 1, "9", [9]):
        with pytest.raises(InputError, match=r"^documents: "):
            rs.utility([1], documents=bad)
    with pytest.raises(
        InputError, match=r"^documents: .* the size of the collection is needed; .* documents="
    ):
        rs.utility([1], weights=[1, -1, 0, 0.5])
    with pytest.raises(InputError, match=r"^documents: 2 is too small: .* are 3 "):
        rs.utility([1, 0], judged=[1, 1, 0], documents=2)
    assert rs.utility([1, 0], judged=[1, 1, 0], documents=3) == 0
    assert rs.utility([], judged=[1, 1, 0], weights=[1, -1, -2, 0.5], documents=8) == -1


# RS-PREC-61: yet another average precision


def exact_odds(R, N_p, k):
    S = sum((Fraction(sum(R[:i]), i) for i, x in enumerate(R[:k], start=1) if x), Fraction(0))
    return (1 + S) / (1 + N_p - S)


@pytest.mark.spec("RS-PREC-61", "RS-PREC-61/L1", "RS-PREC-61/L2")
@law(labels=lists(grades), more=lists(grades), other=seeds, k=cutoffs, yaap=own_pool)
def test_yaap_is_the_logarithm_of_smoothed_odds(rs, *, labels, more, other, k):
    J, R = [*labels, *more], [int(x >= 1) for x in labels]
    N_p, depth = sum(x >= 1 for x in J), k or max(len(J), 1)
    odds = exact_odds(R, N_p, depth)
    value = rs.yaap(labels, judged=J, k=k)
    with mp.workdps(60):
        exact = mp.log(mp.mpf(odds.numerator) / odds.denominator)
        assert value == (float(exact) if odds != 1 else 0)
        assert -float(mp.log(1 + N_p)) <= value <= float(mp.log(1 + N_p))
    ap = rs.ap(labels, judged=J, k=k)
    assert (value == 0) == (N_p == 0 or ap == 0.5)
    turned = labels[other % 9 :] + labels[: other % 9]
    risen = exact_odds([int(x >= 1) for x in turned], N_p, depth) > odds
    assert (rs.yaap(turned, judged=J, k=k) > value) == (risen)


@pytest.mark.spec("RS-PREC-61", "RS-EXP-49", "RS-EXP-49/L1")
@pytest.mark.parametrize("by", ["c", "reference"])
def test_yaap_under_ties_is_the_mean_over_orders(by):
    rs = Metrics(by)
    for R in ([1, 0], [1, 0, 1], [1, 1, 0, 0], [0, 1, 0]):
        odds = [exact_odds(x, sum(R), len(R)) for x in permutations(R)]
        with mp.workdps(60):
            mean = sum(mp.log(mp.mpf(x.numerator) / x.denominator) for x in odds) / len(odds)
            assert rs.yaap(R, scores=[1] * len(R)) == float(mean)
    assert rs.yaap([1, 0, 0, 1], scores=[2, 2, 1, 0], k=1) == 0.5 * rs.yaap([1], judged=[1, 1]) + (
        0.5 * rs.yaap([0], judged=[1, 1])
    )
    assert rs.yaap([1, 1, 1], judged=[1]) == 0  # a pool that does not cover it
    with pytest.raises(InputError, match=r"^ties: Yaap has no closed form .* orders"):
        rs.yaap([1, 0] * 10, scores=[1] * 20)
