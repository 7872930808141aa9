"""The laws of Phi(A), a measure of the relevance of scores, in the place of labels."""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.certify import certified
from rankspec.metrics.catalogue import METRICS

from ..each import each

GRADED = ["ERR@3", "nERR", "AP", "AP@2", "RBP(p=0.5)", "GRBP(p=0.5)", "Q_measure", "NCU", "EBR"]
IRRATIONAL = ["LDCG@3", "LNDCG", "nDCG", "nCG(gain='exp2')", "SDCG@3", "G"]
BY_THRESHOLD = ["P(rel=0.5)@2", "R(rel=0.5)@2", "RR(rel=0.25)", "AP(rel=0.5)", "RBP(rel=0.5)"]
scores = st.lists(st.sampled_from([0, 1, 2, 3, 5, 8, 40, 100]), min_size=1, max_size=5)
variants = st.sampled_from(["text", "authors-program"])
quartiles = st.sampled_from(["own", "weibull"])


def phi_of(name: str, **parameters: object) -> rs.Measure:
    (measure,) = rs.measures(name)
    return rs.Phi(measure, **parameters)


@pytest.mark.spec("RS-REL-16", "RS-REL-16/L1", "RS-REL-16/L2", "RS-REL-13")
@pytest.mark.parametrize(
    "name",
    ["ERR@3", "Q_measure", "LDCG@3", "P(rel=0.5)@2", "SDCG(max_rel=4)@2", "nDCG(gain='exp2')"],
)
@given(r=scores, more=scores, variant=variants, q=quartiles)
def test_of_one_list_it_is_the_measure_of_its_relevances(name, r, more, variant, q):
    how = {"variant": variant, "quartiles": q}
    pool = [*r, *more]
    value = phi_of(name, **how).of(r, judged=pool)
    labels = name.replace("ERR", "ERR(stop='label')")
    assert value == rs.of_relevance(labels, r, judged=pool, **how)
    if name.startswith("nDCG"):
        assert value == rs.ndcg_phi(r, judged=pool, **how)


@pytest.mark.spec("RS-REL-14", "RS-REL-15", "RS-REL-16")
@given(r=scores, more=scores, k=st.sampled_from([None, 1, 2, 4]), variant=variants)
def test_ap_and_rbp_without_a_threshold_are_graded(r, more, k, variant):
    pool = {"judged": [*r, *more]}
    how = {"k": k, "variant": variant}
    assert rs.Phi(rs.AP(k=k), variant=variant).of(r, **pool) == rs.ap_phi(r, **pool, **how)
    rbp = rs.Phi(rs.RBP(k=k, p=0.75), variant=variant).of(r, **pool)
    assert rbp == rs.rbp_phi(r, p=0.75, **pool, **how)


def exact(measure: rs.Measure, r: list[int], **pool: object) -> Fraction:
    return Fraction(certified(measure, r, **pool).exact)


@pytest.mark.slow(but=2)
@pytest.mark.spec("RS-REL-16", "RS-REL-16/L3")
@pytest.mark.parametrize("name", ["AP", "RBP(p=0.5)", "ERR@3", "nERR", "P(rel=0.5)@2", "GRBP@3"])
@given(r=scores, tied=st.integers(0, 4), more=scores)
def test_under_ties_it_is_the_mean_over_the_orders(name, r, tied, more):
    measure, pool = phi_of(name), [*r, *more]
    head, tail = r[:tied], r[tied:]
    values = [exact(measure, [*head, *order], judged=pool) for order in permutations(tail)]
    order = {"scores": [9 - i for i in range(len(head))] + [0] * len(tail)}
    mean = sum(values, Fraction(0)) / len(values)
    assert measure.of(r, judged=pool, **order) == float(mean)


@pytest.mark.spec("RS-REL-16", "RS-REL-16/L4")
@each("name", ["AP", "ERR@3", "RBP(p=0.5)@2", "P(rel=0.5)@2"])
def test_bounds_are_those_of_all_orders(name):
    measure, pool = phi_of(name), [100, 80, 80, 90, 10]
    values = [exact(measure, list(r)) for r in set(permutations(pool))]
    orders = [exact(measure, list(r)) for r in permutations(pool)]
    assert rs.IUB(measure).of(pool) == float(max(values))
    assert rs.RLB(measure).of(pool) == float(sum(orders) / len(orders))
    assert rs.IUB(measure).of(pool) == measure.of(sorted(pool, reverse=True))
    r = [80, 100, 10, 90, 80]
    IUB, RLB, A = max(values), sum(orders) / len(orders), exact(measure, r)
    UL2 = (A - RLB) / (IUB - RLB if A >= RLB else RLB)
    assert rs.UL2(measure).of(r) == float(UL2)


@pytest.mark.spec("RS-REL-16/L4", "RS-BND-1/L1")
@each("name", ["LDCG@4", "LNDCG@4", "LERR@4", "LAP(rel=0.5)@4", "LRBP(rel=0.5)@4"])
def test_iub_of_a_length_adjusted_measure_is_that_of_a_shorter_list(name):
    measure, pool = phi_of(name), [9, 3, 2, 1]
    best = max(measure.of(r, judged=pool) for n in range(1, 5) for r in permutations(pool, n))
    assert rs.IUB(measure).of(pool) == best > measure.of(pool, judged=pool)


RUN = {"q": {"a": 5.0, "b": 4.0, "x": 3.5, "c": 3.0}, "r": {"d": 2.0, "b": 2.0}}
QRELS = {"q": {"a": 90, "b": 100, "c": 10, "d": 15, "e": 80}, "r": {"a": 3, "b": 8, "d": 100}}
SHOWN = {"q": [90, 100, None, 10], "r": [100, 8]}


@pytest.mark.spec("RS-CONV-20", "RS-CONV-20/L4")
@each("name", [*GRADED, *IRRATIONAL, *BY_THRESHOLD])
@each(("relevance", "variant"), [("phi", "text"), ("phi-authors-program", "authors-program")])
def test_each_measure_of_an_evaluation_is_phi_of_it(name, relevance, variant):
    result = rs.evaluate(QRELS, RUN, name, relevance=relevance)
    ((_, by_query),) = result.per_query.items()
    if name.startswith("nDCG"):
        measure = rs.nDCG_phi(variant=variant)
    else:
        measure = phi_of(name, variant=variant)
    with_label = rs.evaluate(QRELS, RUN, measure)
    assert [*with_label.per_query.values()] == [by_query]
    for query, labels in SHOWN.items():
        pool = [*QRELS[query].values()]
        if variant == "text":  # a document without a score is worth one that has the least
            least = [min(pool) if x is None else x for x in labels]
            assert by_query[query] == measure.of(least, judged=pool, check=False)


@pytest.mark.spec("RS-CONV-20", "RS-REL-16")
def test_bounds_and_averages_are_of_the_measure_of_scores():
    made = rs.evaluate(QRELS, RUN, ["UL2(AP)", "GM(ERR@3)"], relevance="phi").mean
    assert [*made] == ["UL2(Phi(AP))", "GM(Phi(ERR(stop='label')@3))"]
    plain = rs.evaluate(QRELS, RUN, ["UL2(Phi(AP))", "GM(Phi(ERR(stop='label')@3))"]).mean
    assert made == plain


@pytest.mark.spec("RS-CONV-20")
def test_what_is_written_of_scores_has_the_variant_of_the_call_unless_it_says_one():
    names = ["AP", "Phi(AP)", "UL2(Phi(AP))", "Phi(AP, variant='text')", "nDCG_phi"]
    made = rs.evaluate(QRELS, RUN, names, relevance="phi-authors-program").mean
    authors = "variant='authors-program'"
    bound = f"UL2(Phi(AP, {authors}))"
    assert [*made] == [f"Phi(AP, {authors})", bound, "Phi(AP)", f"nDCG_phi({authors})"]
    assert made == rs.evaluate(QRELS, RUN, [*made]).mean


@pytest.mark.spec("RS-REL-16", "RS-CONV-4")
def test_it_is_undefined_where_no_score_is_relevant():
    alike = {"q": {"a": 5, "b": 5}}
    low = rs.Phi(rs.AP(), points=[(0, 0), (10, 0), (100, 1)])
    result = rs.evaluate(alike, {"q": {"a": 1.0}}, low, undefined="nan")
    assert math.isnan(result.per_query[str(low)]["q"])


REFUSED = {
    "P@5": "say from where on an item is relevant, as in P(rel=0.5)",
    "LAP": "say from where on an item is relevant, as in LAP(rel=0.5)",
    "GAP": "has thresholds at the labels 1, 2, ...",
    "LGAP": "has thresholds at the labels 1, 2, ...",
    "Bpref": "asks what nobody judged",
    "RBP_residual": "asks what nobody judged",
    "AP(norm='min')": 'it has no norm="min"',
    "P(rel=1.5)@3": "relevance is from 0 to 1",
    "AP(rel=2)": "relevance is from 0 to 1",
    "Adjusted(P(rel=0.5)@2)": "is not defined of Adjusted(A)",
    "ERR(max=3)": "it does not take relevances from 0 to 1",
    "DCG(gain=[0, 1])": "of which it is DCG_phi; that has no gain",
    # written at the default that it has for labels
    "AP(rel=1)@2": 'measure "AP(rel=1)@2": relevance is from 0 to 1',
    "GM(RBP(rel=1, p=0.5))": 'measure "RBP(p=0.5, rel=1)": relevance is from 0 to 1',
    "ERR(max=4)": 'measure "ERR(max=4)": it does not take relevances from 0 to 1: with max=4',
    "UL2(nERR(stop=None)@3)": 'measure "nERR(stop=None)@3": it does not take',
    "nDCG(gain='linear')": "measure \"nDCG(gain='linear')\": labels are scores here, of which it",
    "RLB(DCG(gain='linear')@2)": "that has no gain",
}


@pytest.mark.spec("RS-REL-16", "RS-CONV-20")
@each(("name", "words"), REFUSED.items())
def test_what_has_no_relevance_is_refused_with_its_reason(name, words):
    with pytest.raises(rs.InputError) as refused:
        rs.evaluate(QRELS, RUN, name, relevance="phi")
    assert words in str(refused.value)
    assert "RS-CONV-20" in str(refused.value)


@pytest.mark.spec("RS-REL-16")
@each("metric", [rs.SDCG, rs.GRBP, rs.INST, rs.NERR8, rs.BPM], ids=lambda m: m.name)
def test_a_scale_that_is_written_is_kept(metric):
    """Also at the default for labels, and within a bound or an average; else it ends at 1."""
    written, other, default = (metric(k=3, **own) for own in ({"max_rel": 4}, {"max_rel": 5}, {}))
    assert written == default  # as measures of labels they are the same
    assert (str(written), repr(written)) == (str(default), repr(default))
    name = metric.name
    for measure, scale in ((written, 4), (other, 5), (default, 1)):
        made = rs.Phi(measure)
        assert str(made) == f"Phi({name}(max_rel={scale})@3)"
        assert made == rs.measures(str(made))[0] == eval(repr(made), {"rs": rs})  # noqa: S307
        assert made == pickle.loads(pickle.dumps(made))  # noqa: S301
        assert rs.Phi(pickle.loads(pickle.dumps(measure))) == made  # noqa: S301
        of_labels = metric(k=3, max_rel=scale)
        shown, pool = [100, 80, 15], [100, 80, 15, 10]
        assert made.of(shown, judged=pool) == rs.of_relevance(of_labels, shown, judged=pool)
        assert rs.Phi(rs.GM(measure).inner) == made
        found = rs.evaluate(QRELS, RUN, [measure, rs.GM(measure)], relevance="phi").mean
        assert list(found) == [str(made), f"GM({made})"]
    assert rs.evaluate(QRELS, RUN, f"{name}(max_rel=4)@3", relevance="phi").mean.keys() == {
        f"Phi({name}(max_rel=4)@3)"
    }


@pytest.mark.spec("RS-REL-16", "RS-CONV-20")
def test_a_default_that_means_the_same_of_relevances_may_be_written():
    same = {
        "AP(norm='R')": "Phi(AP)",
        "nDCG(ideal='k', discount='log2')@3": "nDCG_phi@3",
        "nCG(gain='linear')": "Phi(nCG)",
        "RBP(p=0.8)": "Phi(RBP)",
    }
    assert list(rs.evaluate(QRELS, RUN, [*same], relevance="phi").mean) == [*same.values()]
    with pytest.raises(rs.InputError, match=r"nDCG\(gain='linear'\).* that has no gain"):
        rs.evaluate(QRELS, RUN, "nDCG", relevance="phi", gain="linear")
    with pytest.raises(rs.InputError, match=r"AP\(rel=1\).* relevance is from 0 to 1"):
        rs.evaluate(QRELS, RUN, "AP", relevance="phi", rel=1)
    of_call = {"relevance": "phi", "gain": "exp2", "rel": 1}  # not of what is a measure already
    measures = [rs.nDCG(), rs.AP()]
    assert list(rs.evaluate(QRELS, RUN, measures, **of_call).mean) == ["nDCG_phi", "Phi(AP)"]


@pytest.mark.spec("RS-REL-16")
def test_every_graded_metric_has_a_form_of_scores():
    """Of those that are left out each has a threshold, or a reason of its own."""
    without = {m.name for m in METRICS if rs.Phi.refusal(m) is not None}
    assert without == {
        *["DCG_phi", "nDCG_phi", "GAP", "LGAP", "Bpref", "infAP", "AUC", "Judged", "Unjudged"],
        *["NumNonrelRet", "RBP_residual", "GRBP_residual"],
    }
    for metric in METRICS:
        if metric.name not in without:
            parameters = {"rel": 0.5} if metric.binary else {}
            measure = rs.Phi(metric(k=2, **parameters))
            assert math.isfinite(measure.of([3, 40], judged=[3, 40, 100, 0]))


@pytest.mark.spec("RS-REL-16", "RS-CONV-20/L3")
def test_scores_in_another_unit_have_the_same_values():
    """Also below 0, and above the labels that a gain of labels takes."""
    scores, pool = [40, 3, 100], [3, 40, 100, 0, 30]

    def in_another_unit(x):
        return 64 * x - 640

    measures = [
        rs.Phi(metric(k=2, **({"rel": 0.5} if metric.binary else {})))
        for metric in METRICS
        if rs.Phi.refusal(metric) is None
    ]
    bounds = [bound(phi_of(x)) for bound in (rs.UL2, rs.IUB) for x in ("LDCG@2", "ERR@2", "AP")]
    for m in (*measures, *bounds):
        value = m.of(scores, judged=pool)
        moved = [*map(in_another_unit, pool)]
        assert m.of([*map(in_another_unit, scores)], judged=moved) == value, m
    exp2 = rs.Phi(rs.nDCG(gain="exp2"))
    assert exp2.of([5, -2, 1]) == rs.ndcg_phi([5, -2, 1]) == 1
    assert exp2.of([12, 5000]) == rs.ndcg_phi([12, 5000])


@each("text", ["Phi(AP@2)", "Phi(ERR(stop='label'), variant='authors-program')"])
def test_it_is_written_copied_and_read_as_other_measures(text):
    (measure,) = rs.measures(text)
    assert str(measure) == text
    assert eval(repr(measure), {"rs": rs}) == measure  # noqa: S307
    assert pickle.loads(pickle.dumps(measure)) == copy.deepcopy(measure) == measure  # noqa: S301


@pytest.mark.spec("RS-REL-16")
@each("name", [*GRADED, *IRRATIONAL, *BY_THRESHOLD, "UL2(AP)", "LERR@3", "BPM", "Compat"], fast=8)
@each("query", ["q", "r"])
def test_an_explanation_has_the_value_and_its_parts(name, query):
    explanation = rs.explain(QRELS, RUN, query, name, relevance="phi")
    assert (
        explanation.value
        == rs.evaluate(QRELS, RUN, name, relevance="phi").per_query[str(explanation.measure)][query]
    )
    phi = rs.relevance([*QRELS[query].values()])
    by_document = dict(zip(QRELS[query], phi, strict=True))
    for row in explanation.rows:
        if row.document is not None:
            assert row.phi == by_document.get(row.document, 0)
    adds = math.fsum(row.contribution for row in explanation.rows if row.contribution is not None)
    assert math.isclose(adds, explanation.total, rel_tol=1e-12, abs_tol=1e-15)


@pytest.mark.spec("RS-REL-14", "RS-REL-15", "RS-REL-16")
@each(("name", "spec"), [("AP", "RS-REL-15"), ("RBP", "RS-REL-14"), ("UL2(AP)", "RS-REL-15")])
def test_a_definition_names_a_threshold_only_where_there_is_one(name, spec):
    def definition(text):
        return rs.explain(QRELS, RUN, "q", text, relevance="phi").definition

    graded = dict(definition(name))
    assert graded["rel"] == f"none: each item counts by its relevance ({spec})"
    assert graded.get("norm", spec).endswith((spec, f"{spec})"))
    by_threshold = dict(
        definition(name.replace("AP", "AP(rel=0.5)").replace("RBP", "RBP(rel=0.5)"))
    )
    assert by_threshold["rel"] == "label >= 0.5 is relevant (RS-PREC-1)"
