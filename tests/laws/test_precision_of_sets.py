"""The laws of counts, of measures of a set and of what is judged: RS-PREC-16 to RS-PREC-26."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankspec
from rankspec import InputError

from .broken import backwards, own_pool
from .law import READINGS, law
from .rankings import binary, cutoffs, depths, double, lists
from .test_expectation import orders, split

BACKENDS = pytest.mark.parametrize("by", READINGS)


def shown(R, k):
    return R[:k]


def one_more(f):
    """Has a rank more than there are."""
    return lambda labels, **a: f([*labels, 0], **a)


@pytest.mark.spec("RS-PREC-16", "RS-PREC-16/L1")
@law(R=binary, k=cutoffs, num_ret=one_more)
def test_the_number_retrieved_is_that_of_the_results(rs, R, k):
    assert rs.num_ret(R, k=k) == len(shown(R, k))
    assert rs.num_ret(sorted(R), k=k) == rs.num_ret(R, k=k)
    assert rs.num_ret(R, scores=[1] * len(R), k=k) == rs.num_ret(R, k=k)


@pytest.mark.spec("RS-PREC-17", "RS-PREC-17/L1", "RS-PREC-18", "RS-PREC-18/L1")
@law(R=binary, more=binary, k=depths, num_rel_ret=backwards)
def test_the_numbers_of_relevant_items_are_those_of_recall_and_precision(rs, *, R, more, k):
    found = rs.num_rel_ret(R, k=k)
    assert found == sum(shown(R, k))
    judged = R + more
    assert rs.num_rel(judged) == rs.num_rel(judged, k=k) == sum(judged)
    assert rs.recall(R, judged=judged, k=k) == (
        double(Fraction(int(found), sum(judged))) if any(judged) else 0
    )
    assert rs.precision(R, k=k) == double(Fraction(int(found), k))


@pytest.mark.spec("RS-PREC-19", "RS-PREC-19/L1")
@law(R=binary, k=cutoffs, num_q=lambda f: lambda labels, **a: f(labels, **a) * len(labels))
def test_a_query_is_one(rs, R, k):
    assert rs.num_q(R, k=k) == rs.num_q(R, scores=[1] * len(R)) == 1


@pytest.mark.spec("RS-PREC-20", "RS-PREC-20/L1")
@law(R=binary, k=depths, set_p=one_more)
def test_the_precision_of_a_set_is_that_of_what_is_shown(rs, R, k):
    first = shown(R, k)
    assert rs.set_p(R, k=k) == (double(Fraction(sum(first), len(first))) if first else 0)
    assert rs.set_p(R, k=k) == rs.precision(R, k=k if k <= len(R) else None)


@pytest.mark.spec("RS-PREC-21", "RS-PREC-21/L1", "RS-PREC-21/L2")
@law(R=binary, more=binary, k=depths, rel_p=own_pool)
def test_relative_precision_is_precision_and_then_recall(rs, *, R, more, k):
    judged = R + more
    N_p = sum(judged)
    value = rs.rel_p(R, judged=judged, k=k)
    assert value == (double(Fraction(sum(shown(R, k)), min(k, N_p))) if N_p else 0)
    if 0 < k <= N_p:
        assert value == rs.precision(R, k=k)
    if k >= N_p > 0:
        assert value == rs.recall(R, judged=judged, k=k)
    assert 0 <= value <= 1


@pytest.mark.spec("RS-PREC-22", "RS-PREC-22/L1", "RS-PREC-22/L2")
@law(
    R=binary,
    more=binary,
    k=depths,
    beta=st.sampled_from([0, 0.5, 1, 2, Fraction(1, 3)]),
    f_measure=own_pool,
)
def test_f_is_the_harmonic_mean_of_precision_and_recall(rs, *, R, more, k, beta):
    judged = R + more
    hits, N_p = sum(shown(R, k)), sum(judged)
    value = rs.f_measure(R, judged=judged, k=k, beta=beta)
    if not hits:
        assert value == 0
        return
    P, recall, weight = Fraction(hits, k), Fraction(hits, N_p), Fraction(beta) ** 2
    assert value == double((1 + weight) / (1 / P + weight / recall))
    assert double(min(P, recall)) <= value <= double(max(P, recall))
    one = rs.f_measure(R, judged=judged, k=k)
    assert one == double(2 / (1 / P + 1 / recall))
    if beta == 0:
        assert value == rs.precision(R, k=k)


@pytest.mark.spec("RS-ERR-54", "RS-PREC-22")
def test_beta_is_not_the_x_of_trec_eval() -> None:
    P, recall, x = Fraction(1, 2), Fraction(1), 2
    theirs = (x + 1) * P * recall / (recall + x * P)
    ours = rankspec.f_measure([1, 0], beta=2)
    assert (ours, theirs) == (double(Fraction(5, 6)), Fraction(3, 4))
    assert rankspec.measures("SetF") == rankspec.measures("set_F") == [rankspec.F()]
    with pytest.raises(InputError):
        rankspec.measures("SetF(beta=2)")


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), "x", None])
@pytest.mark.spec("RS-PREC-22")
def test_what_is_no_beta_is_refused(bad) -> None:
    with pytest.raises(InputError, match=r"^beta: "):
        rankspec.f_measure([1], beta=bad)


@pytest.mark.spec("RS-ERR-53", "RS-PREC-17")
def test_the_sum_of_the_numbers_relevant_has_their_threshold() -> None:
    """trec_eval -c -l 2 prints 1 for the topic, and 3 for all."""
    qrels, run = {"1": {"a": 2, "b": 1, "c": 1}}, {"1": {"a": 1.0}}
    found = rankspec.evaluate(qrels, run, "NumRel(rel=2)", queries="qrels")
    assert found["NumRel(rel=2)"] == sum(found.per_query["NumRel(rel=2)"].values()) == 1
    assert rankspec.evaluate(qrels, run, "NumRel")["NumRel"] == 3


@pytest.mark.spec("RS-PREC-23", "RS-PREC-23/L1")
@law(R=binary, more=binary, k=depths, set_ap=own_pool)
def test_set_ap_is_the_product_of_set_precision_and_recall(rs, *, R, more, k):
    judged = R + more
    first, N_p = shown(R, k), sum(judged)
    value = rs.set_ap(R, judged=judged, k=k)
    assert value == (double(Fraction(sum(first) ** 2, len(first) * N_p)) if first and N_p else 0)
    product = rs.set_p(R, k=k) * rs.recall(R, judged=judged, k=k)
    assert value == pytest.approx(product, rel=1e-15)


@pytest.mark.spec("RS-PREC-24", "RS-PREC-24/L1", "RS-PREC-25", "RS-PREC-25/L1")
@pytest.mark.spec("RS-PREC-26", "RS-PREC-26/L1")
@law(
    R=lists(st.sampled_from([0, 1, None]), least=1),
    k=depths,
    judged=lambda f: lambda labels, unjudged, **a: f(labels, unjudged=unjudged[::-1], **a),
)
def test_what_is_judged_and_what_is_not(rs, R, k):
    labels, U = [x or 0 for x in R], [int(x is None) for x in R]
    first = shown(R, k)
    open_ = first.count(None)
    assert rs.judged(labels, unjudged=U, k=k) == double(Fraction(len(first) - open_, len(first)))
    assert rs.unjudged(labels, unjudged=U, k=k) == double(Fraction(open_, k)) <= 1
    if k <= len(R):
        whole = Fraction(len(first) - open_, k) + Fraction(open_, k)
        assert whole == 1
    assert rs.num_nonrel_ret(labels, unjudged=U, k=k) == first.count(0)
    all_judged = rs.num_nonrel_ret(labels, k=k)
    assert all_judged == rs.num_ret(labels, k=k) - rs.num_rel_ret(labels, k=k)


def quotient_of_set(name, first, N_p, k):
    """Numerator and denominator, of the first k items."""
    found, shown_ = sum(first), len(first)
    return {
        "set_p": (found, shown_),
        "rel_p": (found, min(k, N_p)),
        "f_measure": (2 * found, N_p + k),
        "set_ap": (found**2, shown_ * N_p),
        "num_rel_ret": (found, 1),
    }[name]


SETS = ("set_p", "rel_p", "f_measure", "set_ap", "num_rel_ret")


@BACKENDS
@given(
    items=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=6),
    more=st.lists(st.integers(0, 1), max_size=3),
    k=depths,
    name=st.sampled_from(SETS),
)
@pytest.mark.spec("RS-EXP-30", "RS-EXP-30/L1", "RS-EXP-31", "RS-EXP-31/L1", "RS-EXP-4/L1")
def test_expectations_of_sets_are_means_over_all_orders(by, items, more, k, name):
    assume(k > 0)
    R, scores = split(items)
    judged = R + more
    every_order = list(orders(items))

    def mean(cut):
        found = [quotient_of_set(name, order[:cut], sum(judged), k) for order in every_order]
        return sum(Fraction(a, b) if b else Fraction(0) for a, b in found) / len(found)

    pools = {"judged": judged} if name not in ("set_p", "num_rel_ret") else {}
    value = getattr(rankspec, name)(R, scores=scores, k=k, backend=by, **pools)
    assert value == double(mean(k))
    one = getattr(rankspec, name)(R, k=k, backend=by, **pools)
    above, below = quotient_of_set(name, R[:k], sum(judged), k)
    assert one == (double(Fraction(above, below)) if below else 0)


def quotient_of_counts(name, first, k):
    """The same of what is judged."""
    return {
        "judged": (sum(x is not None for x in first), len(first)),
        "unjudged": (first.count(None), k),
        "num_nonrel_ret": (first.count(0), 1),
    }[name]


@BACKENDS
@given(
    items=st.lists(
        st.tuples(st.sampled_from([0, 1, None]), st.integers(0, 1)), min_size=1, max_size=6
    ),
    k=depths,
    name=st.sampled_from(["judged", "unjudged", "num_nonrel_ret"]),
)
@pytest.mark.spec("RS-EXP-32", "RS-EXP-32/L1")
def test_expected_numbers_of_judged_items_are_means_over_all_orders(by, items, k, name):
    assume(k > 0)
    R, scores = split(items)
    found = [quotient_of_counts(name, order[:k], k) for order in orders(items)]
    mean = sum(Fraction(a, b) for a, b in found) / len(found)
    labels, U = [x or 0 for x in R], [int(x is None) for x in R]
    function = getattr(rankspec, name)
    assert function(labels, scores=scores, unjudged=U, k=k, backend=by) == double(mean)


@pytest.mark.spec("RS-CONV-53")
def test_counts_are_summed_over_queries(tmp_path) -> None:
    qrels = {"1": {"a": 1, "b": 0}, "2": {"c": 2, "d": 1}}
    run = {"1": {"a": 2.0, "x": 1.0}, "2": {"c": 2.0, "b": 1.0, "d": 0.5}}
    names = ["num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "P.2"]
    found = rankspec.evaluate(qrels, run, names)
    assert [found[name] for name in names] == [2, 5, 3, 3, 0, 0.5]
    assert found.definition("num_ret")["mean"].startswith("the double nearest to the exact sum")
    assert "over queries NumQ: sum, NumRet: sum" in str(found)
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 c 2\n2 0 d 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2 t\n2 Q0 c 1 2 t\n2 Q0 b 2 1 t\n")
    from rankspec.evaluation import outputs

    of_files = rankspec.evaluate(tmp_path / "qrels", tmp_path / "run", ["num_ret", "map"])
    lines = outputs.trec({"r": of_files}, per_query=True).splitlines()
    assert [line.split() for line in lines if "num_ret" in line] == [
        ["num_ret", "1", "1"],
        ["num_ret", "2", "2"],
        ["num_ret", "all", "3"],
    ]
