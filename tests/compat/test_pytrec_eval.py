"""rankspec.compat.pytrec_eval against pytrec_eval: the same names, keys, queries and values."""

from __future__ import annotations

import inspect
import io

import pytest

import rankspec as rs
from rankspec.compat import pytrec_eval as ours
from rankspec.errors import InputError

from ..peers.agreement import differences
from ..peers.worlds import SEEDS, world
from .needs import library

pytrec_eval = library("pytrec_eval")

MEASURES = {"map", "map_cut", "P_5", "P.7,10", "recall", "recip_rank", "Rprec", "ndcg"}
MEASURES |= {"ndcg_cut.1,10", "success", "bpref", "iprec_at_recall", "11pt_avg", "Rprec_mult"}
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
        assert all(set(mine[query]) == set(theirs[query]) for query in mine)
        assert differences(by_measure(mine), by_measure(theirs), 45) == []


def test_control_another_option_is_seen():
    def values(**options):
        return [
            ours.RelevanceEvaluator(qrels, MEASURES, **options).evaluate(run)
            for qrels, run in map(world, range(3))
        ]

    assert values() != values(relevance_level=2)
    assert values() != values(judged_docs_only_flag=True)


def test_the_values_are_those_of_the_profile():
    for qrels, run in map(world, range(5)):
        mine = by_measure(ours.RelevanceEvaluator(qrels, MEASURES - {"bpref"}).evaluate(run))
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
    for bad, words in ((("gm_map", [0.5]), "geometric"), (("map", [float("nan")]), "finite")):
        with pytest.raises(InputError, match=words):
            ours.compute_aggregated_measure(*bad)


@pytest.mark.parametrize(
    ("measures", "words"),
    [
        ({"official"}, 'unsupported measure "official"'),
        ({"infAP"}, 'unsupported measure "infAP"'),
        ({"recip_rank_10"}, "has no cut-off"),
        ({"P_0"}, "at least 1"),
        ({"ndgc"}, 'did you mean "ndcg"'),
        ("map", "no set of names"),
        ([3], "no name of a measure"),
    ],
)
def test_a_measure_that_is_not_here_is_an_error(measures, words):
    with pytest.raises(InputError, match=words):
        ours.RelevanceEvaluator({"1": {"a": 1}}, measures)


@pytest.mark.parametrize(
    ("qrels", "run", "words"),
    [
        ({"1": {"a": 0.5}}, {}, "whole labels"),
        ({1: {"a": 1}}, {}, "query id"),
        ([("1", "a", 1)], {}, "no mapping"),
        ({"1": {"a": 1}}, {"1": {"a": float("nan")}}, "nan"),
        ({"1": {"a": 1}}, [("1", "a", 1.0)], "no mapping"),
    ],
)
def test_bad_input_has_its_place(qrels, run, words):
    with pytest.raises(InputError, match=words):
        ours.RelevanceEvaluator(qrels, {"map"}).evaluate(run)
