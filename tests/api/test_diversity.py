"""The functions of diversity, and evaluations: forms, conventions, and what is refused."""

from __future__ import annotations

import inspect
import math
import pickle

import numpy as np
import pytest

import rankspec as rs
from rankspec import InputError
from rankspec.evaluation.conventions import DIVERSITY, conventions_of
from rankspec.metrics.catalogue import DIVERSITY_METRICS

from ..each import each

POOL = [[1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]]
QRELS = {"q": {"a": {"1": 1}, "b": {"1": 1, "2": 0}, "c": {"2": 1}}, "r": {"a": {"1": 1}}}
RUN = {"q": {"b": 2, "a": 2, "c": 1}}


def unquoted(text: str) -> str:
    """A message without the quotes around ids."""
    return text.replace('"', "")


@pytest.mark.spec("RS-DIV-18")
@each("metric", DIVERSITY_METRICS, ids=[m.name for m in DIVERSITY_METRICS])
def test_every_metric_by_every_way(metric):
    function = getattr(rs, metric.function)
    value = function(POOL[:3], judged=POOL, k=2)
    assert type(value) is float
    assert 0 <= value <= 1
    measure = metric(k=2)
    assert measure.of(POOL[:3], judged=POOL) == value
    assert getattr(rs.certify, metric.function)(POOL[:3], judged=POOL, k=2).value == value
    assert rs.measures(str(measure)) == [measure]
    assert eval(repr(measure), {"rs": rs}) == measure  # noqa: S307
    assert pickle.loads(pickle.dumps(measure)) == measure  # noqa: S301
    several = function([POOL[:3], POOL[:1]], judged=[POOL, POOL], k=[1, 2])
    assert several.shape == (2, 2)
    assert several[0][1] == value
    parameters = inspect.signature(function).parameters
    assert set(metric.parameters) < set(parameters)
    for name, parameter in metric.parameters.items():
        assert parameter.read(parameters[name].default) == parameter.default


@pytest.mark.spec("RS-CONV-11", "RS-DIV-3")
def test_errors_of_values_name_the_ranking_or_the_query():
    deep, words = 10**6, 'norm="max" sums the gains of all ranks, here 1000000,'
    measure = '^measure "alpha_DCG@1000000": '
    with pytest.raises(InputError, match=measure + words):
        rs.alpha_dcg(POOL, k=deep)
    with pytest.raises(InputError, match=f"{measure}ranking 0: {words}"):
        rs.alpha_dcg([POOL[:1], POOL], k=deep)
    with pytest.raises(InputError, match=f'{measure}query "q": {words}'):
        rs.evaluate_diversity(QRELS, RUN, ["alpha_DCG@1000000"])


@pytest.mark.spec("RS-CONV-34")
@each(
    "name, meant",
    [
        ("alpha-nDCG@10", "alpha_nDCG@10"),
        ("α-nDCG@10", "alpha_nDCG@10"),
        ("α_nDCG@10", "alpha_nDCG@10"),
        ("alpha-DCG@5", "alpha_DCG@5"),
        ("ERR-IA@20", "ERR_IA@20"),
        ("nERR-IA@20", "nERR_IA@20"),
        ("MAP-IA", "AP_IA"),
        ("MAP_IA", "AP_IA"),
        ("P-IA@5", "P_IA@5"),
        ("strec@5", "StRecall@5"),
        ("STREC@5", "StRecall@5"),
        ("I-rec@10", "StRecall@10"),
        ("D-nDCG@10", "D_nDCG@10"),
        ("D#-nDCG@10", "Dsharp_nDCG@10"),
        ("D♯-nDCG@10", "Dsharp_nDCG@10"),
        ("alpha_nDCG(alpha=0.25,ideal='exact')@10", "alpha_nDCG(alpha=0.25, ideal='exact')@10"),
    ],
)
def test_what_others_call_them(name, meant):
    assert [str(m) for m in rs.measures(name)] == [meant]


@pytest.mark.spec("RS-DIV-18")
@each(
    "call, words",
    [
        (lambda: rs.alpha_ndcg([1, 0]), "labels: item 1 is 1, not a list; each item has a list"),
        (lambda: rs.alpha_ndcg(np.array([1, 0])), "labels: the array has 1 dimensions"),
        (lambda: rs.alpha_ndcg([[1], [1, 0]]), "labels: item 2 has 2 labels, and item 1 has 1"),
        (lambda: rs.alpha_ndcg([[1, math.nan]]), "item 1 has the label nan for subtopic 2"),
        (lambda: rs.alpha_ndcg([[1, math.inf]]), "a label must be finite"),
        (lambda: rs.alpha_ndcg([["x"]]), "'x'"),
        (lambda: rs.alpha_ndcg("10"), "labels"),
        (lambda: rs.alpha_ndcg([[1]], judged=[[1, 0]]), "labels: the items have 1 labels"),
        (lambda: rs.alpha_ndcg([[1]], judged=[[0]]), "judged: the list shows 1 more items"),
        (
            lambda: rs.alpha_ndcg([[1]], judged_offsets=[0, 1]),
            "judged_offsets: they need judged, which is not given",
        ),
        (lambda: rs.alpha_ndcg([[[1]]], judged=[[1]]), "judged: one ranking for a list of 1"),
        (lambda: rs.alpha_ndcg([[1], [0]], offsets=[0, 3]), "offsets"),
        (lambda: rs.alpha_ndcg([[1]], alpha=2), "alpha"),
        (lambda: rs.alpha_ndcg([[1]], alpha=-0.5), "alpha"),
        (lambda: rs.alpha_ndcg([[1]], alpha=math.nan), "alpha"),
        (lambda: rs.alpha_dcg([[1]], k=10**6), "here 1000000, but supports at most 100000"),
        (lambda: rs.err_ia([[1]], k=10**18), 'Give a lower cut-off, or norm="none"'),
        (lambda: rs.nrbp([[1]], beta=1), "beta: the patience is 1; expected 0 to below 1"),
        (lambda: rs.dsharp_ndcg([[1]], gamma=2), "gamma"),
        (lambda: rs.alpha_ndcg([[1]], ideal="best"), "ideal"),
        (lambda: rs.alpha_ndcg([[1]], k=0), "k: the cut-off is 0"),
        (lambda: rs.alpha_ndcg([[1]], backend="gpu"), 'unknown backend "gpu"'),
        (lambda: rs.alpha_ndcg([[1]], probabilities=[1, 1]), "the probabilities have 2 subtopics"),
        (
            lambda: rs.alpha_ndcg([[1]], probabilities=[0]),
            "all weights are 0; at least one must be above 0",
        ),
        (
            lambda: rs.alpha_ndcg([[1]], probabilities=[-1]),
            "the weight of subtopic 1 is -1; expected 0 or more",
        ),
        (lambda: rs.alpha_ndcg([[1]], probabilities=[math.nan]), "finite number"),
        (
            lambda: rs.alpha_ndcg([[[1]], [[1]]], probabilities=[[1]]),
            "1 lists are given for 2 rankings",
        ),
        (
            lambda: rs.alpha_ndcg([[1], [1]], discount=[1]),
            "weights for 1 ranks are given, but rank 2 needs one",
        ),
        (lambda: rs.err_ia([[5]], stopping="max"), "whole numbers 0 to 4"),
        (lambda: rs.err_ia([[0.5]], stopping="max"), "whole numbers 0 to 4"),
        (lambda: rs.d_ndcg([[0.5]], gain="exp2"), "whole labels"),
        (lambda: rs.d_ndcg([[-1]]), "a label must not be negative"),
        (lambda: rs.alpha_nDCG().of([1]), "labels: item 1 is 1, not a list"),
        (lambda: rs.certify.alpha_ndcg([[[1]]]), "certify: expected one ranking of items"),
        (
            lambda: rs.certify.alpha_ndcg([[1]], scores=[1]),
            "already in rank order; leave scores out",
        ),
        (lambda: rs.certify.ndcg([1], probabilities=[1]), "nDCG has no subtopics"),
        (lambda: rs.UL2(rs.alpha_nDCG(k=2)), "alpha_nDCG"),
        (lambda: rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "alpha_nDCG"), "RS-DIV-19"),
        (lambda: rs.axioms("alpha_nDCG@2"), "axioms are checked only for rankings and sessions"),
        (lambda: rs.of_relevance("alpha_nDCG@2", [1, 2]), "it takes no labels of a ranking"),
        (
            lambda: rs.evaluate_sessions({"s": {"a": 1}}, {"s": [["a"]]}, "P_IA"),
            "for sessions use one of",
        ),
    ],
)
def test_what_is_refused(call, words):
    with pytest.raises(InputError) as refused:
        call()
    assert unquoted(words) in unquoted(str(refused.value))


@pytest.mark.spec("RS-DIV-18")
def test_empty_lists_large_labels_and_strided_arrays():
    assert rs.alpha_ndcg([], judged=POOL) == 0
    assert rs.alpha_ndcg([]) == 0
    assert rs.alpha_ndcg([[10**9, 0]], k=5) == 1
    assert rs.d_ndcg([[0], [10**9]], discount="zipf") == 0.5
    wide = np.array([[1, 9, 0, 9], [8, 8, 8, 8], [0, 9, 1, 9]])[::2, ::2]
    assert rs.alpha_ndcg(wide) == rs.alpha_ndcg([[1, 0], [0, 1]]) == 1
    assert rs.st_recall(np.array([[True, False]]), judged=[[1, 0], [0, 1]]) == 0.5
    assert rs.alpha_ndcg([[-0.0, 1.0]]) == rs.alpha_ndcg([[0, 1]])
    assert rs.alpha_ndcg([[1]], judged=[[0]], check=False) == 0
    function = rs.alpha_dcg(POOL, discount=lambda i: 1 / i, norm="none")
    assert function == rs.alpha_dcg(POOL, discount="zipf", norm="none")


@pytest.mark.spec("RS-DIV-19")
def test_the_conventions_of_evaluations():
    declared = {known.name: known for known in conventions_of(DIVERSITY)}
    found = inspect.signature(rs.evaluate_diversity).parameters
    taken = {n for n, p in found.items() if p.kind is p.KEYWORD_ONLY} - {"probabilities", "backend"}
    assert taken == set(declared)
    for name, known in declared.items():
        assert found[name].default is None
        assert found[name].annotation == f"{known.type} | None"


@pytest.mark.spec("RS-DIV-19")
def test_queries_and_what_is_undefined():
    found = rs.evaluate_diversity(QRELS, {"q": RUN["q"], "x": {"a": 1}}, "StRecall@1")
    assert found.per_query["StRecall@1"] == {"q": 0.5, "r": 0.0}
    assert found.missing == ("r",)
    assert found.extra == ("x",)
    both = rs.evaluate_diversity(QRELS, RUN, "StRecall@1", queries="both")
    assert both.queries == ("q",)
    empty = {"q": {"a": {"1": 0}}, "r": {"a": {"1": 1}}}
    run = {"q": {"a": 1}, "r": {"a": 1}}
    for undefined, mean in {"zero": 0.5, "omit": 1.0}.items():
        found = rs.evaluate_diversity(empty, run, "alpha_nDCG", undefined=undefined)
        assert found["alpha_nDCG"] == mean
    nan = rs.evaluate_diversity(empty, run, "alpha_nDCG", undefined="nan")
    assert math.isnan(nan.per_query["alpha_nDCG"]["q"])
    given = {"undefined": "omit", "probabilities": {"q": {"1": 1}, "r": {"1": 1}}}
    for name in ("StRecall", "alpha_nDCG", "D_nDCG"):
        found = rs.evaluate_diversity(empty, run, name, **given)
        assert found.per_query[name] == {"r": 1.0}
    assert rs.evaluate_diversity(empty, run, "P_IA@1", **given).per_query["P_IA@1"]["q"] == 0
    with pytest.raises(InputError, match=r"query .q. has the divisor 0, which"):
        rs.evaluate_diversity(empty, run, "alpha_nDCG", undefined="error")


@pytest.mark.spec("RS-DIV-19")
def test_unjudged_negative_and_depth():
    run = {"q": {"x": 3, "a": 2, "c": 1}}
    judged = {"q": QRELS["q"]}
    assert rs.evaluate_diversity(judged, run, "StRecall@1")["StRecall@1"] == 0
    condensed = rs.evaluate_diversity(judged, run, "StRecall@1", unjudged="condensed")
    assert condensed["StRecall@1"] == 0.5
    assert rs.evaluate_diversity(judged, run, "StRecall", depth=2)["StRecall"] == 0.5
    junk = {"q": {"a": {"1": -2}, "b": {"1": 1}, "c": {"1": 1}}}
    run = {"q": {"a": 2, "b": 1}}
    assert rs.evaluate_diversity(junk, run, "nERR_IA@2")["nERR_IA@2"] == pytest.approx(0.4)
    left = {"negative": "unjudged", "unjudged": "condensed"}
    assert rs.evaluate_diversity(junk, run, "nERR_IA@1", **left)["nERR_IA@1"] == 1
    with pytest.raises(InputError, match=r"label -2 of document .a. for subtopic .1. of query .q."):
        rs.evaluate_diversity(junk, run, "nERR_IA@2", negative="error")


@pytest.mark.spec("RS-DIV-19", "RS-DIV-4")
def test_the_ideal_takes_the_highest_id_first():
    """As ndeval: with the lowest first the ideal would be another, and the value 1."""
    labels = {"a": "12", "b": "13", "c": "24"}
    qrels = {"q": {d: {s: int(s in own) for s in "1234"} for d, own in labels.items()}}
    measure = "nERR_IA(alpha=1)@3"
    found = rs.evaluate_diversity(qrels, {"q": {"a": 3, "b": 2, "c": 1}}, measure)
    #  a: 2 new subtopics, b and c: 1; the ideal is c, then b with two, too
    assert found.mean[str(rs.measures(measure)[0])] == pytest.approx((2 + 1 / 2 + 1 / 3) / 3)


@pytest.mark.spec("RS-DIV-19")
@each(
    "given, words",
    [
        (
            {"ties": "expected"},
            'ties: queries with subtopics do not support "expected"; expected one of',
        ),
        ({"unjudged": "lowest"}, 'unjudged: queries with subtopics do not support "lowest"'),
        ({"undefined": "one"}, 'undefined: queries with subtopics do not support "one"'),
        ({"negative": "kept"}, 'negative: queries with subtopics do not support "kept"'),
        ({"order": "scores"}, 'order: unknown choice "scores"'),
        ({"rel": 0}, "rel must be above 0, because unjudged documents count as label 0"),
        ({"backend": "x"}, "unknown backend"),
        ({"measures": "nDCG@10"}, "it takes one label per item; for labels by subtopic use one of"),
        ({"measures": "ERR_IA(stopping='max')"}, "label 7 of document c for subtopic 2 of query q"),
    ],
)
def test_what_an_evaluation_refuses(given, words):
    measures = given.pop("measures", "alpha_nDCG@10")
    qrels = {"q": {**QRELS["q"], "c": {"2": 7}}}
    with pytest.raises(InputError) as refused:
        rs.evaluate_diversity(qrels, RUN, measures, **given)
    assert unquoted(words) in unquoted(str(refused.value))


@pytest.mark.spec("RS-DIV-19")
def test_an_evaluation_says_what_it_is():
    found = rs.evaluate_diversity(
        QRELS, RUN, ["alpha_nDCG@10", "D#-nDCG@10"], gain="exp2", rel=1, queries="both",
        probabilities={"q": {"1": 0.5, "2": 0.5}, "r": {"1": 1}},
    )  # fmt: skip
    assert list(found.mean) == ["alpha_nDCG@10", "Dsharp_nDCG(gain='exp2')@10"]
    definition = found.definition("alpha-nDCG@10")
    assert definition["judgments"] == "subtopics have given probabilities (RS-DIV-19)"
    assert definition["alpha"].endswith("(RS-DIV-2)")
    assert "alpha_nDCG@10" in str(found)
    assert found.to_dict()["mean"] == dict(found.mean)
