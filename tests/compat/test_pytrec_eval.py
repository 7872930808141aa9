"""rankspec.compat.pytrec_eval against pytrec_eval: the same names, keys, queries and values."""

from __future__ import annotations

import inspect
import io
import math
import random

import pytest

import rankspec as rs
from rankspec.compat import pytrec_eval as ours
from rankspec.errors import InputError

from ..peers.agreement import differences
from ..peers.worlds import SEEDS, world
from .needs import library

pytrec_eval = library("pytrec_eval")

MEASURES = {"map", "map_cut", "P_5", "P.7,10", "recall", "recip_rank", "Rprec", "ndcg"}
MEASURES |= {"ndcg_cut.1,10", "success", "bpref", "gm_map", "gm_bpref", "set_F", "num_rel_ret"}
MEASURES |= {"iprec_at_recall", "11pt_avg", "Rprec_mult", "infAP"}
OPTIONS = [{}, {"relevance_level": 2}, {"judged_docs_only_flag": True}]


def by_measure(found):
    """{measure: {query: value}}"""
    return {
        key: {query: own[key] for query, own in found.items()}
        for key in {key for own in found.values() for key in own}
    }


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.spec("RS-CONV-18", "RS-CONV-9")
def test_keys_queries_and_values_are_those_of_pytrec_eval(options):
    for seed in SEEDS:
        qrels, run = world(seed)
        theirs = pytrec_eval.RelevanceEvaluator(qrels, MEASURES, **options).evaluate(run)
        mine = ours.RelevanceEvaluator(qrels, MEASURES, **options).evaluate(run)
        assert list(mine) == list(theirs)
        assert all(list(mine[query]) == list(theirs[query]) for query in mine)
        assert differences(by_measure(mine), by_measure(theirs), 45) == []


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.spec("RS-CONV-18", "RS-DCG-11")
def test_averages_of_ndcg_where_few_documents_reach_the_level(level):
    """Rndcg of a query without a relevant document is 0; the others count all gains."""
    names = {"Rndcg", "ndcg", "ndcg_rel", "G", "binG"}
    qrels = {"p": {"a": 1}, "q": {"a": 2, "b": 1, "c": 0}, "r": {"a": 3, "b": -1}, "s": {"a": 0}}
    run = {query: {"b": 2.0, "a": 1.0, "z": 0.5} for query in qrels}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=level).evaluate(run)
    mine = ours.RelevanceEvaluator(qrels, names, relevance_level=level).evaluate(run)
    assert differences(by_measure(mine), by_measure(theirs), 45) == []
    assert sum(own["Rndcg"] > 0 for own in theirs.values()) == 4 - level


@pytest.mark.spec("RS-CONV-18", "RS-CONV-13")
def test_what_is_nan_of_no_judged_document_is_nan_here():
    """trec_eval -J divides 0 by 0 at the levels of recall that need no relevant document."""
    names = {"iprec_at_recall", "11pt_avg", "map", "P_5"}
    qrels = {
        "both": {"a": 1, "b": 0},
        "none": {"a": 1, "b": 2, "c": -1},
        "nothing relevant": {"a": 0},
        "below 0": {"a": -1, "b": 1},
    }
    run = {query: {"x": 2.0, "y": 1.0} for query in qrels}
    run["both"] = {"x": 2.0, "a": 1.0}
    run["below 0"] = {"x": 2.0, "a": 1.0}
    evaluators = (
        module.RelevanceEvaluator(qrels, names, judged_docs_only_flag=True)
        for module in (pytrec_eval, ours)
    )
    theirs, mine = (evaluator.evaluate(run) for evaluator in evaluators)
    assert [list(own) for own in theirs.values()] == [list(own) for own in theirs.values()]
    nan = 0
    for query, own in theirs.items():
        for name, value in own.items():
            nan += math.isnan(value)
            assert mine[query][name] == pytest.approx(value, abs=1e-12, nan_ok=True), (query, name)
    assert nan == 2 + 12 + 2


def test_control_another_option_is_seen():
    def values(**options):
        return [
            ours.RelevanceEvaluator(qrels, MEASURES, **options).evaluate(run)
            for qrels, run in map(world, range(3))
        ]

    assert values() != values(relevance_level=2)
    assert values() != values(judged_docs_only_flag=True)


def test_the_values_are_those_of_the_profile():
    by_logarithms = {"bpref", "gm_map", "gm_bpref"}
    for qrels, run in map(world, range(5)):
        mine = by_measure(ours.RelevanceEvaluator(qrels, MEASURES - by_logarithms).evaluate(run))
        profiled = rs.evaluate(qrels, run, list(mine), profile="trec_eval-9")
        for key, column in mine.items():
            assert profiled.per_query[key] == column


def test_one_evaluator_takes_several_runs():
    qrels, run = world(0)
    _, other = world(1)
    other = dict(zip(run, other.values(), strict=False))
    evaluator = ours.RelevanceEvaluator(qrels, ["map"])
    first = evaluator.evaluate(run)
    assert evaluator.evaluate(other) != first
    assert evaluator.evaluate(run) == first


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({"1": {"a": 1}}, {}),
        ({}, {"1": {"a": 1.0}}),
        ({"1": {}}, {"1": {"a": 1.0}}),
        ({"1": {"a": 1}}, {"2": {"a": 1.0}}),
        ({"1": {"a": 1}}, {"1": {}}),
        ({"1": {"a": 1}, "2": {}, "3": {"b": 1}}, {"4": {"a": 1.0}, "3": {"b": 2.0}}),
        ({"1": {"a": -1, "b": -1}}, {"1": {"a": 1.0, "b": 2.0, "c": 3.0}}),
    ],
    ids=str,
)
def test_what_is_missing_on_either_side_is_missing_there(qrels, run):
    measures = {"map", "P_5", "recip_rank"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    assert ours.RelevanceEvaluator(qrels, measures).evaluate(run) == theirs


def test_the_names_are_theirs():
    assert ours.supported_measures < set(pytrec_eval.supported_measures)
    assert set(ours._THEIRS) == set(pytrec_eval.supported_measures)
    assert {"map", "ndcg_cut", "P", "bpref"} <= ours.supported_measures
    for name in ("RelevanceEvaluator", "parse_run", "parse_qrel", "compute_aggregated_measure"):
        theirs = inspect.signature(getattr(pytrec_eval, name))
        assert list(inspect.signature(getattr(ours, name)).parameters) == list(theirs.parameters)
    for name in pytrec_eval.__all__:
        assert hasattr(ours, name)


def test_files_are_read_as_theirs():
    qrels = "1 0 a 1\n1 0 b 0\n2 0 a 2"
    run = "1 Q0 a 1 2.5 tag\n1 Q0 b 2 -1e-3 tag\n2 Q0 é 1 7 tag\n"
    assert ours.parse_qrel(io.StringIO(qrels)) == pytrec_eval.parse_qrel(io.StringIO(qrels))
    assert ours.parse_run(io.StringIO(run)) == pytrec_eval.parse_run(io.StringIO(run))
    assert ours.parse_run(run.splitlines()) == pytrec_eval.parse_run(run.splitlines())


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["1 0 a 1", "1 0 a 1"], "qrels:2: document"),
        (["1 0 a"], "qrels:1: found 3 columns"),
        ("1 0 a 1", "a list of lines"),
    ],
)
def test_bad_lines_have_their_place(lines, words):
    with pytest.raises(InputError, match=words):
        ours.parse_qrel(lines)


@pytest.mark.spec("RS-NUM-5")
def test_values_are_aggregated_as_there():
    values = [0.1, 0.2, 0.3]
    assert ours.compute_aggregated_measure("map", values) == 0.2  # the double nearest to the mean
    assert pytrec_eval.compute_aggregated_measure("map", values) != 0.2  # of doubles added
    assert ours.compute_aggregated_measure("num_ret", [3.0, 4.0]) == 7.0
    for bad, words in (
        (("gm_map", [800]), "expected logarithms"),
        (("map", [float("nan")]), "finite"),
    ):
        with pytest.raises(InputError, match=words):
            ours.compute_aggregated_measure(*bad)


@pytest.mark.spec("RS-CONV-53")
def test_a_geometric_mean_is_of_logarithms_as_there():
    qrels = {"1": {"a": 1}, "2": {"a": 1, "b": 1}, "3": {"a": 1}}
    run = {"1": {"b": 2.0, "a": 1.0}, "2": {"c": 3.0, "a": 1.0}, "3": {"b": 1.0}}  # 1/2, 1/4, 0
    found = ours.RelevanceEvaluator(qrels, {"gm_map"}).evaluate(run)
    values = [own["gm_map"] for own in found.values()]
    assert values == [math.log(0.5), math.log(0.25), math.log(1e-5)]
    mean = ours.compute_aggregated_measure("gm_map", values)
    assert mean == pytest.approx((0.5 * 0.25 * 1e-5) ** (1 / 3), rel=1e-15)
    assert mean == pytest.approx(pytrec_eval.compute_aggregated_measure("gm_map", values), 1e-15)
    assert mean == pytest.approx(rs.evaluate(qrels, run, "GM(AP)")["GM(AP)"], rel=1e-15)
    assert ours.compute_aggregated_measure("gm_map", [0.0, 0.0]) == 1.0
    assert ours.compute_aggregated_measure("gm_map", [-1e308]) == 0.0
    assert math.isnan(ours.compute_aggregated_measure("gm_map", []))


def test_the_aggregate_of_logarithms_is_the_nearest_double():
    sympy = library("sympy")
    rng = random.Random(0)
    for _ in range(40):
        values = [rng.uniform(-12, 0) for _ in range(rng.randint(1, 5))]
        exact = sympy.exp(sum(map(sympy.Rational, values)) / len(values))
        assert ours.compute_aggregated_measure("gm_map", values) == float(exact.evalf(60))


@pytest.mark.filterwarnings("error::rankspec.InputWarning")
@pytest.mark.parametrize("name", ["official", "set", "all_trec"])
def test_a_set_is_theirs_without_texts(name):
    qrels, run = world(0)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {name}).evaluate(run)
    found = ours.RelevanceEvaluator(qrels, {name}).evaluate(run)
    (keys,), (others,) = (set(map(tuple, x.values())) for x in (found, theirs))
    assert keys == tuple(key for key in others if key not in ("runid", "relstring"))
    assert set(pytrec_eval.supported_nicknames[name]) >= ours.supported_nicknames[name]


def test_a_set_is_in_the_order_of_theirs_with_other_measures():
    qrels, run = world(0)
    measures = ["ndcg_cut.100,5,20", "P", "recall_7", "gm_map", "map", "num_ret", "Rprec"]
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    found = ours.RelevanceEvaluator(qrels, measures).evaluate(run)
    assert {q: list(own) for q, own in found.items()} == {q: list(x) for q, x in theirs.items()}


@pytest.mark.spec("RS-CONV-27", "RS-CONV-28")
def test_what_is_hardly_meant_is_said_as_by_evaluate():
    scores = {"1": {"a": -1, "b": -2}}
    for qrels, run, words in (
        ({"1": {"a": 1}}, {"2": {"a": 1.0}}, "no query is both in the qrels and in the run"),
        ({str(q): {"a": 1} for q in range(9)}, {"0": {"a": 1.0}, "x": {}, "y": {}}, "only 1 query"),
        (scores, {"1": {"a": 1, "b": 0}}, "are the two swapped"),
    ):
        evaluator = ours.RelevanceEvaluator(qrels, {"map"})
        with pytest.warns(rs.InputWarning, match=words) as caught:
            evaluator.evaluate(run)
        assert [x.filename for x in caught] == [__file__]
        with pytest.warns(rs.InputWarning, match=words):
            rs.evaluate(qrels, run, "AP", profile="trec_eval-9", queries="qrels")


@pytest.mark.filterwarnings("error")
def test_control_what_is_meant_is_not_remarked():
    ours.RelevanceEvaluator({"1": {"a": 1}, "2": {"b": -1}}, {"map"}).evaluate({"1": {"a": 1.0}})
    ours.RelevanceEvaluator({"1": {"a": 1}}, {"map"}).evaluate({"1": {}})


@pytest.mark.parametrize(
    ("measures", "words"),
    [
        ({"prefs"}, 'unsupported measure "prefs"'),
        ({"nDCG@10"}, r'unsupported measure "nDCG@10" \(did you mean "ndcg_cut_10"'),
        ({"nDGC@10"}, r'unsupported measure "nDGC@10" \(did you mean "ndcg_cut_10"'),
        ({"ndgc_cut_5,10"}, 'did you mean "ndcg_cut_5,10"'),
        ({"RR"}, 'did you mean "recip_rank"'),
        ({"AP"}, 'did you mean "map"'),
        ({"GM(AP)"}, 'did you mean "gm_map"'),
        ({"nDCG(gain='exp2')@10"}, r'measure "nDCG\(gain=\'exp2\'\)@10"; there are'),
        ({"offical"}, 'did you mean "official"'),
        ({"recip_rank_10"}, "takes no cut-off"),
        ({"P_0"}, "at least 1"),
        ({"ndgc"}, 'did you mean "ndcg"'),
        ("map", "expected a set of names"),
        ([3], "expected the name of a measure"),
    ],
)
def test_a_measure_that_is_not_here_is_an_error(measures, words):
    with pytest.raises(InputError, match=words):
        ours.RelevanceEvaluator({"1": {"a": 1}}, measures)


@pytest.mark.parametrize(
    ("qrels", "run", "words"),
    [
        ({"1": {"a": 0.5}}, {}, "whole labels"),
        ({1: {"a": 1}}, {}, "query_relevance: the query id 1 is not a string"),
        ({"1": {"a": 1}}, {2: {"a": 1.0}}, "scores: the query id 2 is not a string"),
        ([("1", "a", 1)], {}, "query_relevance: expected a dict"),
        ({"1": {"a": 1}}, {"1": {"a": float("nan")}}, "nan"),
        ({"1": {"a": 1}}, [("1", "a", 1.0)], "scores: expected a dict"),
    ],
)
def test_bad_input_has_its_place(qrels, run, words):
    with pytest.raises(InputError, match=words):
        ours.RelevanceEvaluator(qrels, {"map"}).evaluate(run)


def test_a_duplicate_names_no_option_that_there_is_not():
    for parse, line in ((ours.parse_run, "q Q0 a 1 1 t\n"), (ours.parse_qrel, "q 0 a 1\n")):
        with pytest.raises(InputError) as error:
            parse(io.StringIO(2 * line))
        assert str(error.value).endswith("it is already in line 1 (RS-CONV-10)")
