"""The conventions that the definitions leave open, RS-CONV-1 to RS-CONV-6 and RS-CONV-11.

Those of runs and qrels, RS-CONV-7 to RS-CONV-10, are held by test_evaluate.py.
"""

from __future__ import annotations

from array import array
from fractions import Fraction
from functools import partial
from itertools import accumulate, chain

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankspec
from rankspec import InputError
from rankspec.metrics.catalogue import METRICS

from ..each import LANE, each
from .broken import own_pool, truncating
from .law import READINGS, Metrics, law
from .rankings import (
    binary,
    cases,
    cutoffs,
    depths,
    double,
    graded,
    grades,
    lists,
    norms,
    seeds,
    signed,
    thresholds,
)

BY = pytest.mark.parametrize("by", READINGS)
ALL_METRICS = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
SCALED = [m.function for m in METRICS if {"max", "max_rel"} & set(m.parameters)]  # of labels 0 to 4
UNSCALED = [m for m in METRICS if m.function not in SCALED]
GAINED = [m.function for m in UNSCALED if "gain" in m.parameters]
SCORED = [m.function for m in UNSCALED if not m.binary and m.takes_any_label]
BINARY = [m.function for m in METRICS if m.binary]
POOLED = [m.function for m in METRICS if m.judged]
RANKED = [m.function for m in METRICS if not m.of_pool and not m.sees_unjudged]
OF_NOTHING = ("RBP_residual", "GRBP_residual", "NumQ")  # what is 1 for the empty list
BELOW_0 = ("utility", "yaap")
LINEAR = {m.function: {"gain": "linear"} if "gain" in m.parameters else {} for m in METRICS}


# RS-CONV-1: labels


EXACT = [*GAINED, *SCORED, *BINARY]
SOME = st.sampled_from([EXACT[i::3] for i in range(3)]) if LANE.fast else st.just(EXACT)
"""The functions that an example takes: all; in the fast lane, a third."""


@pytest.mark.spec("RS-CONV-1")
@law(
    labels=lists(st.integers(0, 2**24), least=1),
    k=cutoffs,
    names=SOME,
    ndcg=lambda f: (
        lambda labels, **a: f(
            [x + 0.25 for x in labels] if isinstance(labels, array) else labels, **a
        )
    ),
)
def test_a_number_is_the_same_label_in_every_type(rs, labels, k, names):
    forms = [
        labels,
        [float(x) for x in labels],
        [Fraction(x) for x in labels],
        array("q", labels),
        np.array(labels, np.float32),
        np.array(labels, np.uint32),
    ]
    for name in names:
        assert len({getattr(rs, name)(form, k=k, **LINEAR[name]) for form in forms}) == 1


@pytest.mark.spec("RS-CONV-1")
@law(labels=lists(st.floats(0, 100, width=32)), k=cutoffs, cg=truncating)
def test_a_fraction_is_exactly_the_dyadic_number_that_it_is(rs, labels, k):
    exact = sum((Fraction(x) for x in labels[:k]), Fraction(0))
    assert rs.cg(labels, k=k) == double(exact)
    assert rs.cg(np.array(labels, np.float32), k=k) == double(exact)


@BY
@given(labels=lists(grades), at=seeds, bad=st.sampled_from([-1, -0.5, float("nan"), float("inf")]))
@pytest.mark.spec("RS-CONV-1")
def test_labels_that_a_gain_cannot_take_are_refused(by, labels, at, bad):
    """Wherever they stand: in the list or the pool, above or below the cut-off."""
    rs = Metrics(by)
    at %= len(labels) + 1
    spoiled = [*labels[:at], bad, *labels[at:]]
    for name in GAINED:
        with pytest.raises(InputError, match=f"at position {at}: a label must"):
            getattr(rs, name)(spoiled, k=1)
    for name in SCALED:
        with pytest.raises(InputError, match=rf"at position {at}: with max(_rel)?=4, \w+ takes"):
            getattr(rs, name)(spoiled, k=1)
    with pytest.raises(InputError, match=f"judged: .* at position {at}: a label must"):
        rs.ndcg(labels, judged=spoiled, k=1)


@BY
@given(labels=signed, k=depths, rel=thresholds)
@pytest.mark.spec("RS-CONV-1")
def test_binary_metrics_take_negative_labels_but_no_nan(by, labels, k, rel):
    rs = Metrics(by)
    for name in BINARY:
        assert getattr(rs, name)(labels, k=k, rel=rel) >= 0 or name in BELOW_0
        for bad in (float("nan"), float("inf")):
            with pytest.raises(InputError, match="a label must be finite"):
                getattr(rs, name)([*labels, bad], k=k, rel=rel)


# RS-CONV-2: the cut-off


@pytest.mark.spec("RS-CONV-2")
@law(
    labels=graded,
    more=graded,
    beyond=st.integers(1, 5),
    precision=lambda f: (
        lambda labels, k=None, **a: f(labels, k=k and max(1, min(k, len(labels))), **a)
    ),
)
def test_ranks_beyond_the_list_hold_nothing(rs, labels, more, beyond):
    n, judged = len(labels), labels + more
    for k in (max(n, 1), n + beyond, 2**62):
        assert rs.cg(labels, k=k) == rs.cg(labels)
        assert rs.dcg(labels, k=k) == rs.dcg(labels)
        assert rs.rr(labels, k=k) == rs.rr(labels)
        assert rs.sp(labels, k=k) == rs.sp(labels)
        assert rs.recall(labels, judged=judged, k=k) == rs.recall(labels, judged=judged)
        relevant = sum(x >= 1 for x in labels)
        assert rs.precision(labels, k=k) == double(Fraction(relevant, k))


@pytest.mark.spec("RS-CONV-2")
@law(
    labels=graded,
    more=graded,
    ndcg=lambda f: lambda labels, k=None, **a: f(labels, k=k or max(len(labels), 1), **a),
)
def test_no_cut_off_is_the_whole_list_and_the_whole_pool(rs, labels, more):
    judged = labels + more
    whole, n = max(len(judged), 1), max(len(labels), 1)
    assert rs.ndcg(labels, judged=judged) == rs.ndcg(labels, judged=judged, k=whole)
    assert rs.idcg(judged) == rs.idcg(judged, k=whole)
    for norm in ("R", "min"):
        assert rs.ap(labels, judged=judged, norm=norm) == rs.ap(
            labels, judged=judged, norm=norm, k=whole
        )
    assert rs.ap(labels, judged=judged, norm="k") == rs.ap(labels, judged=judged, norm="k", k=n)
    assert rs.precision(labels) == rs.precision(labels, k=n)


@BY
@ALL_METRICS
@each("k", [0, -1, 1.0, True, "3", [1, 0], [2, None, -5]])
@pytest.mark.spec("RS-CONV-2")
def test_what_is_no_cut_off_is_refused(by, metric, k):
    with pytest.raises(InputError, match=f"^{metric.cutoff}: "):
        getattr(Metrics(by), metric.function)([1, 0], k=k)


@pytest.mark.slow(but=12)
@ALL_METRICS
@BY
@given(labels=graded, ks=st.lists(cutoffs, max_size=4))
@pytest.mark.spec("RS-CONV-2")
def test_several_cut_offs_give_a_value_for_each(by, metric, labels, ks):
    function = getattr(Metrics(by), metric.function)
    assert function(labels, k=ks).tolist() == [function(labels, k=k) for k in ks]


# RS-CONV-3: the pool


@pytest.mark.spec("RS-CONV-3")
@law(
    case=cases(),
    order=st.randoms(use_true_random=False),
    ndcg=lambda f: lambda labels, judged=None, **a: f(labels, judged=(judged or labels)[:3], **a),
)
def test_the_order_of_the_pool_does_not_matter_and_the_list_is_its_own_pool(rs, case, order):
    shuffled = list(case.judged)
    order.shuffle(shuffled)
    value = rs.ndcg(case.labels, judged=case.judged, **case.all)
    assert rs.ndcg(case.labels, judged=shuffled, **case.all) == value
    for name in set(POOLED) - set(SCALED):
        function = partial(getattr(rs, name), **LINEAR[name])
        assert function(case.labels) == function(case.labels, judged=case.labels)


@pytest.mark.spec("RS-CONV-3")
@law(R=binary, pool=binary, k=cutoffs, norm=norms, ap=own_pool, recall=own_pool)
def test_a_pool_is_taken_as_given_and_nothing_is_clipped(rs, *, R, pool, k, norm):
    """Whatever the pool lacks: the divisor is the pool's, the numerator the list's."""
    N_p = sum(pool)
    assume(N_p)
    assert rs.recall(R, judged=pool, k=k) == double(Fraction(sum(R[:k]), N_p))
    divisor = {"R": N_p, "min": min(k or N_p, N_p), "k": k or len(R)}[norm]
    total = sum(
        (Fraction(sum(R[:i]), i) for i in range(1, len(R[:k]) + 1) if R[i - 1]), Fraction(0)
    )
    value = rs.ap(R, judged=pool, k=k, norm=norm)
    assert value == (double(total / divisor) if divisor else 0)


@BY
@pytest.mark.spec("RS-CONV-3")
def test_a_pool_that_lacks_labels_gives_more_than_one(by):
    rs = Metrics(by)
    assert rs.ndcg([2, 1], judged=[1, 0]) > 1
    assert rs.recall([1, 1], judged=[1]) == 2
    assert rs.ap([1, 1], judged=[1]) == 2


# RS-CONV-4 and RS-CONV-5: nothing to divide by, nothing in the list


@pytest.mark.spec("RS-CONV-4")
@law(
    n=st.integers(0, 8),
    m=st.integers(0, 8),
    k=cutoffs,
    norm=norms,
    ndcg=lambda f: lambda labels, **a: f(labels, **a) or 1.0,  # as LightGBM has it
)
def test_an_undefined_quotient_is_zero(rs, *, n, m, k, norm):
    nothing, pool = [0] * n, [0] * m
    assert rs.ndcg(nothing, judged=pool, k=k) == 0
    assert rs.ndcg([3, 2], judged=pool, k=k) == 0  # the pool alone decides
    assert rs.recall(nothing, judged=pool, k=k) == 0
    assert rs.recall([1], judged=pool, k=k) == 0
    assert rs.ap(nothing, judged=pool, k=k, norm=norm) == 0


@pytest.mark.slow(but=12)
@BY
@ALL_METRICS
@given(judged=graded, k=cutoffs, rel=thresholds)
@pytest.mark.spec("RS-CONV-5")
def test_the_empty_list_has_the_value_zero(by, metric, judged, k, rel):
    rs = Metrics(by)
    function = getattr(rs, metric.function)
    parameters = {"rel": rel} if metric.binary else {}
    assert function([], k=k, **parameters) == (1 if metric.name in OF_NOTHING else 0)
    if metric.function in POOLED and metric.name != "Yaap":  # RS-PREC-61(a): below 0
        relevant = [x >= parameters.get("rel", 0) for x in judged]
        tied = metric.name == "AUC" and len(set(relevant)) == 2  # RS-PREC-40
        assert function([], judged=judged, k=k, **parameters) == (0.5 if tied else 0)
    if metric.of_pool:  # the control: it is a function of the pool
        assert function([*judged, 1], k=k) > 0
    assert function([], offsets=[0], k=k, **parameters).tolist() == []


# RS-CONV-6: scores


@BY
@given(labels=lists(grades), at=seeds, bad=st.sampled_from([float("nan"), float("inf"), -1e999]))
@pytest.mark.spec("RS-CONV-6")
def test_scores_that_are_no_finite_numbers_are_refused(by, labels, at, bad):
    at %= len(labels) + 1
    scores = [0.5] * len(labels)
    for name in RANKED:
        with pytest.raises(InputError, match=f"at position {at}: a score must be finite"):
            getattr(Metrics(by), name)([1, *labels], scores=[*scores[:at], bad, *scores[at:]])


scores = st.one_of(st.floats(-10, 10), st.sampled_from([0.0, -0.0]), st.integers(-3, 3))


@pytest.mark.spec("RS-CONV-6")
@law(
    items=st.lists(st.tuples(grades, scores), max_size=6),
    k=cutoffs,
    ndcg=lambda f: (
        lambda labels, scores, **a: f(labels, scores=[x + (str(x) == "-0.0") for x in scores], **a)
    ),
)
def test_minus_zero_is_zero(rs, items, k):
    labels = [label for label, _ in items]
    given_, plain = ([s for _, s in items], [s or 0.0 for _, s in items])
    assert rs.ndcg(labels, scores=given_, k=k) == rs.ndcg(labels, scores=plain, k=k)


@pytest.mark.spec("RS-CONV-6")
@law(
    base=st.integers(2**53, 2**62),
    rr=lambda f: lambda labels, scores: f(labels, scores=[float(s) for s in scores]),
)
def test_whole_scores_are_compared_as_whole_numbers(rs, base):
    assert rs.rr([0, 1], scores=[base, base + 1]) == 1
    assert rs.rr([1, 0], scores=[base, base + 1]) == 0.5
    assert rs.rr([1, 0], scores=[base, base]) == 0.75


@pytest.mark.spec("RS-CONV-6")
@law(
    scores=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=6),
    rr=lambda f: lambda labels, scores: f(labels, scores=np.asarray(scores).astype(np.float32)),
)
def test_doubles_are_not_rounded_and_floats_are_the_doubles_they_are(rs, scores):
    labels = [1, *[0] * (len(scores) - 1)]
    narrow = np.array(scores, np.float32)
    by_narrow = rs.rr(labels, scores=narrow)
    assert by_narrow == rs.rr(labels, scores=narrow.tolist())
    above, level = (
        sum(s > scores[0] for s in scores),
        sum(s == scores[0] for s in scores),
    )
    mean = sum(Fraction(1, above + j) for j in range(1, level + 1)) / level
    assert rs.rr(labels, scores=scores) == double(mean)


@BY
@pytest.mark.spec("RS-CONV-6")
def test_two_scores_that_32_bits_cannot_tell_apart(by):
    rs = Metrics(by)
    assert rs.rr([0, 1], scores=[100000001.0, 100000001.5]) == 1.0
    assert rs.rr([0, 1], scores=np.array([100000001.0, 100000001.5], np.float32)) == 0.75


# RS-CONV-11: many lists


@pytest.mark.spec("RS-CONV-11")
@law(
    rows=st.lists(st.tuples(graded, graded), max_size=5),
    k=cutoffs,
    ndcg=lambda f: (
        lambda labels, **a: f(
            labels, **({**a, "judged": a["judged"][::-1]} if _is_batch(labels) else a)
        )
    ),
)
def test_a_value_depends_on_its_own_list_and_pool_alone(rs, rows, k):
    labels = [list(r) for r, _ in rows]
    pools = [r + more for r, more in rows]
    flat, ends = list(chain(*labels)), [0, *accumulate(map(len, labels))]
    flat_pools, pool_ends = list(chain(*pools)), [0, *accumulate(map(len, pools))]
    for name in POOLED:
        function = getattr(rs, name)
        one_by_one = [function(r, judged=J, k=k) for r, J in zip(labels, pools, strict=True)]
        by_offsets = function(flat, offsets=ends, judged=flat_pools, judged_offsets=pool_ends, k=k)
        assert by_offsets.tolist() == one_by_one
        if rows:
            assert function(labels, judged=pools, k=k).tolist() == one_by_one


def _is_batch(labels):
    return bool(labels) and isinstance(labels[0], list)


@pytest.mark.slow(but=12)
@BY
@ALL_METRICS
@given(labels=lists(grades), ends=st.lists(st.integers(-1, 9), max_size=5))
@pytest.mark.spec("RS-CONV-11")
def test_offsets_that_do_not_fit_are_refused(by, metric, labels, ends):
    fit = bool(ends) and ends[0] == 0 and ends[-1] == len(labels) and ends == sorted(ends)
    function = getattr(Metrics(by), metric.function)
    if fit:
        assert len(function(labels, offsets=ends)) == len(ends) - 1
    else:
        with pytest.raises(InputError, match="offset"):
            function(labels, offsets=ends)


@BY
@given(rows=st.integers(0, 4), columns=st.integers(0, 5), data=st.data())
@pytest.mark.spec("RS-CONV-11")
def test_a_row_of_an_array_is_a_list(by, rows, columns, data):
    cells = data.draw(st.lists(grades, min_size=rows * columns, max_size=rows * columns))
    table = np.array(cells, np.uint8).reshape(rows, columns)
    rs = Metrics(by)
    assert rs.dcg(table).tolist() == [rs.dcg(row.tolist()) for row in table]
    assert rs.dcg(table, k=[1, 2]).shape == (rows, 2)


@pytest.mark.spec("RS-CONV-4", "RS-CONV-4/L1", "RS-DCG-10", "RS-DCG-11", "RS-DCG-13", "RS-USR-8")
def test_averages_and_overlaps_are_undefined_where_nothing_is_relevant():
    """As nDCG is: they divide by what the pool has, though by no sum over ranks."""
    qrels = {"q": {"a": 0, "b": 0}, "p": {"a": 1}}
    run = {"q": {"a": 2.0}, "p": {"a": 1.0}}
    names = ["nDCG", "nDCG_rel", "nDCG_levels", "G", "Compat"]
    for undefined, expected in (("zero", 0.5), ("one", 1.0), ("omit", 1.0)):
        found = rankspec.evaluate(qrels, run, names, undefined=undefined)
        assert list(found.mean.values()) == [expected] * len(names)
    with pytest.raises(InputError, match="G"):
        rankspec.evaluate(qrels, run, "G", undefined="error")
