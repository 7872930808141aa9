"""The profile trec_eval-9 against pytrec_eval, which is trec_eval 9 compiled into Python."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate
from rankspec.evaluation.runs import evaluate_runs
from rankspec.evaluation.sessions.evaluate import evaluate_sessions
from rankspec.metrics import grammar
from rankspec.records import replace

from ..each import each
from . import trec_eval
from .agreement import Values, differences, mean_differences
from .worlds import SEEDS, Table, world

pytrec_eval = pytest.importorskip(
    "pytrec_eval", reason='pytrec_eval is not installed: pip install ".[peers]"'
)

NAMES = ["ndcg", "ndcg_cut.1,3,10,100", "map", "map_cut.2,5", "P.1,5,20", "recall.1,5,50"]
NAMES += ["recip_rank", "Rprec", "success.1,5", "11pt_avg"]
SETS = ["num_ret", "num_rel", "num_rel_ret", "set_P", "set_recall", "set_F", "set_map"]
SETS += ["set_relative_P", "relative_P.1,5,20", "num_nonrel_judged_ret", "num_q", "utility"]
AT_LEVELS = ["iprec_at_recall.0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1"]
AT_LEVELS += ["Rprec_mult.0.2,0.4,0.6,0.8,1.0,1.2,1.4,1.6,1.8,2.0"]
MEASURES = [measure for name in NAMES for measure in grammar.measures(name)]
ADDITIONS = 45  # no list and no pool is longer


def of_pytrec_eval(qrels: Table, run: Table, **options: Any) -> Values:
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, NAMES, **options)
    computed = evaluator.evaluate(run)
    return {
        str(m): {query: values[m.trec_name] for query, values in computed.items()} for m in MEASURES
    }


NAN_OF_NOTHING = ("IPrec", "AvgIPrec")


def by_profile(qrels: Table, run: Table, **options: Any) -> tuple[Values, dict[str, float]]:
    """The values and the means, under the names of MEASURES also where an option renames them."""
    condensed = options.get("unjudged") == "condensed"  # which some are refused for: 0/0 there
    kept = [m for m in MEASURES if not condensed or m.metric.name not in NAN_OF_NOTHING]
    asked = [x for x in NAMES if not condensed or not x.startswith(("iprec", "11pt"))]
    result = evaluate(qrels, run, asked, profile="trec_eval-9", **options)
    names = list(map(str, kept))
    return (
        dict(zip(names, result.per_query.values(), strict=True)),
        dict(zip(names, result.mean.values(), strict=True)),
    )


@pytest.mark.spec("RS-CONV-18", "RS-CONV-12", "RS-CONV-9", "RS-CONV-15", "RS-CONV-8")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_profile_is_pytrec_eval(seed: int) -> None:
    qrels, run = world(seed)
    theirs = of_pytrec_eval(qrels, run)
    ours, means = by_profile(qrels, run)
    assert differences(ours, theirs, ADDITIONS) == []
    their_means = {
        str(m): pytrec_eval.compute_aggregated_measure(m.trec_name, [*theirs[str(m)].values()])
        for m in MEASURES
    }
    assert mean_differences(means, their_means, len(qrels), ADDITIONS) == []


@pytest.mark.spec("RS-CONV-18", "RS-PREC-27", "RS-PREC-28")
@pytest.mark.parametrize("seed", SEEDS)
def test_levels_are_those_of_pytrec_eval(seed: int) -> None:
    qrels, run = world(seed)
    names = [name.partition(".")[0] for name in AT_LEVELS]
    computed = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run)
    measures = [measure for name in AT_LEVELS for measure in grammar.measures(name)]
    found = evaluate(qrels, run, AT_LEVELS, profile="trec_eval-9")
    for measure, ours in zip(measures, found.per_query.values(), strict=True):
        assert ours == {q: own[measure.trec_name] for q, own in computed.items()}, measure


@pytest.mark.spec("RS-PREC-27")
@pytest.mark.parametrize("name", AT_LEVELS)
def test_any_number_of_relevant_documents_is_rounded_as_there(name: str) -> None:
    """Up to 300 of them, the best ranking of two thirds: the value tells how many are asked for."""
    measures = grammar.measures(name)
    qrels = {str(n): {f"d{i}": 1 for i in range(n)} for n in range(1, 301)}
    run = {
        q: {f"d{i}": 2.0 + i for i in range(len(own) * 2 // 3)}
        | {"x": 0.0}
        | {f"y{i}": 1 + i / (len(own) + 1) for i in range(len(own))}
        | {f"d{i}": 1 + (i + 0.5) / (len(own) + 1) for i in range(len(own) * 2 // 3, len(own))}
        for q, own in qrels.items()
    }
    computed = pytrec_eval.RelevanceEvaluator(qrels, [name.partition(".")[0]]).evaluate(run)
    differing = 0
    for profile in ("trec_eval-9", "trec_eval-10"):
        found = evaluate(qrels, run, name, profile=profile)
        for measure, ours in zip(measures, found.per_query.values(), strict=True):
            theirs = {q: own[measure.trec_name] for q, own in computed.items()}
            if profile == "trec_eval-9":
                assert ours == theirs, measure
            differing += ours != theirs
    assert bool(differing) == (name == AT_LEVELS[0])  # the control: another rounding


@pytest.mark.spec("RS-PREC-15", "RS-CONV-15", "RS-CONV-18")
@pytest.mark.parametrize("seed", SEEDS)
def test_bpref_passes_over_negative_labels(seed: int) -> None:
    qrels, run = world(seed)
    computed = pytrec_eval.RelevanceEvaluator(qrels, ["bpref"]).evaluate(run)
    theirs = {"Bpref": {query: values["bpref"] for query, values in computed.items()}}
    ours = evaluate(qrels, run, "bpref", profile="trec_eval-9", negative="unjudged")
    assert differences(ours.per_query, theirs, ADDITIONS) == []
    assert any(label < 0 for own in qrels.values() for label in own.values())
    for backend in ("auto", "reference"):
        with pytest.raises(InputError, match=r'give negative="unjudged" \(--negative unjudged\)'):
            evaluate(qrels, run, "bpref", profile="trec_eval-9", backend=backend)
        with pytest.raises(InputError, match=r'^measure "Bpref": .*give negative="unjudged"'):
            evaluate_runs(qrels, {"a": run}, "bpref", profile="trec_eval-9", backend=backend)


@pytest.mark.spec("RS-PREC-15", "RS-CONV-15", "RS-CONV-18")
@pytest.mark.parametrize("backend", ["auto", "reference"])
@pytest.mark.parametrize("seed", SEEDS[:10])
def test_where_no_label_is_below_0_bpref_needs_nothing(seed: int, backend: str) -> None:
    judged, run = world(seed)
    qrels = {q: {d: x for d, x in own.items() if x >= 0} for q, own in judged.items()}
    qrels = {query: own for query, own in qrels.items() if own}
    computed = pytrec_eval.RelevanceEvaluator(qrels, ["bpref", "map"]).evaluate(run)
    names = {"Bpref": "bpref", "AP": "map"}
    theirs = {m: {q: x[name] for q, x in computed.items()} for m, name in names.items()}
    ours = evaluate(qrels, run, ["bpref", "map"], profile="trec_eval-9", backend=backend)
    assert differences(ours.per_query, theirs, ADDITIONS) == []
    several = evaluate_runs(qrels, {"a": run}, "bpref", profile="trec_eval-9", backend=backend)
    assert several["a"].per_query["bpref"] == ours.per_query["bpref"]


@pytest.mark.spec("RS-PREC-50", "RS-PREC-51", "RS-CONV-15", "RS-CONV-18")
@pytest.mark.parametrize("seed", SEEDS)
def test_infap_of_a_sample_of_the_judgments(seed: int) -> None:
    """Some of the judgments made −1 or −2, others left out; in one call with other measures."""
    qrels, run = world(seed)
    rng = random.Random(seed)
    drawn = {
        q: {d: rng.choice([x, x, -1, -2]) for d, x in own.items() if rng.random() < 0.8}
        for q, own in qrels.items()
    }
    drawn = {q: {**own, "judged": 1} for q, own in drawn.items()}  # else pytrec_eval may crash
    names = ["infAP", "map", "ndcg"]
    theirs = pytrec_eval.RelevanceEvaluator(drawn, names).evaluate(run)
    theirs = {x: {q: own[x] for q, own in theirs.items()} for x in names}
    for negative in ("zero", "unjudged"):
        found = evaluate(drawn, run, names, profile="trec_eval-9", negative=negative).per_query
        ours = dict(zip(names, found.values(), strict=True))
        assert differences(ours, theirs, ADDITIONS) == []
    judged = {q: {d: max(x, 0) for d, x in own.items()} for q, own in drawn.items()}
    other = evaluate(judged, run, "infAP", profile="trec_eval-9").per_query["infAP"]
    assert differences({"infAP": other}, {"infAP": theirs["infAP"]}, ADDITIONS) != []


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_left_is_the_rounding_of_its_additions(seed: int) -> None:
    """With trec_eval's additions in rank order, all its doubles come out, to the last bit."""
    qrels, run = world(seed)
    for m in MEASURES:
        for query, value in of_pytrec_eval(qrels, run)[str(m)].items():
            assert trec_eval.value(m, qrels[query], run[query]) == value, (m, query)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_relevance_level_is_rel(seed: int) -> None:
    qrels, run = world(seed)
    theirs = of_pytrec_eval(qrels, run, relevance_level=2)
    ours, _ = by_profile(qrels, run, rel=2)
    assert differences(ours, theirs, ADDITIONS) == []


@pytest.mark.spec("RS-CONV-13")
@pytest.mark.parametrize("seed", SEEDS)
def test_judged_documents_only_is_condensed(seed: int) -> None:
    """Documents with a negative label are left out too."""
    qrels, run = world(seed)
    theirs = of_pytrec_eval(qrels, run, judged_docs_only_flag=True)
    ours, _ = by_profile(qrels, run, unjudged="condensed", negative="unjudged")
    assert differences(ours, {name: theirs[name] for name in ours}, ADDITIONS) == []
    for measure in MEASURES:
        if measure.metric.name in NAN_OF_NOTHING:
            with pytest.raises(InputError, match="divides 0 by 0"):
                evaluate(qrels, run, measure, profile="trec_eval-9", unjudged="condensed")


@pytest.mark.parametrize(
    "option",
    [
        {"scores": "double"},
        {"ties": "id-ascending"},
        {"ties": "input"},
        {"ties": "expected"},
        {"queries": "qrels"},
        {"queries": "run"},
        {"unjudged": "condensed"},
        {"undefined": "one"},
        {"undefined": "omit"},
        {"pool": "retrieved"},
        {"gain": "exp2"},
        {"rel": 2},
        {"depth": 20},
    ],
    ids=str,
)
def test_control_another_convention_is_seen(option: dict[str, Any]) -> None:
    worlds = [world(seed) for seed in SEEDS]
    assert any(
        differences(by_profile(*w, **option)[0], of_pytrec_eval(*w), ADDITIONS) for w in worlds
    )


@pytest.mark.spec("RS-CONV-18")
def test_fractional_labels_are_refused_in_both() -> None:
    with pytest.raises(TypeError, match="integer"):
        pytrec_eval.RelevanceEvaluator({"1": {"a": 0.5}}, ["ndcg"])
    with pytest.raises(InputError, match="trec_eval cuts the fraction off"):
        evaluate({"1": {"a": 0.5}}, {"1": {"a": 1.0}}, "ndcg", profile="trec_eval-9")


@pytest.mark.spec("RS-CONV-9")
def test_without_a_query_in_both() -> None:
    """pytrec_eval returns nothing, and trec_eval stops, as we do."""
    assert (
        pytrec_eval.RelevanceEvaluator({"1": {"a": 1}}, ["map"]).evaluate({"2": {"a": 1.0}}) == {}
    )
    with pytest.raises(InputError, match="there is nothing to evaluate"):
        evaluate({"1": {"a": 1}}, {"2": {"a": 1.0}}, "map", profile="trec_eval-9")


LEVELS = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]


@pytest.mark.spec("RS-SES-30")
@each("seed", range(200), fast=40)
def test_the_interpolated_precision_at_recall_is_that_of_a_query(seed: int) -> None:
    """iprec_at_recall of a list, of which each session here shows one."""
    choose = random.Random(seed)
    documents = [f"d{i}" for i in range(choose.randint(1, 30))]
    judged = {d: choose.randint(0, 1) for d in documents if choose.random() < 0.8}
    judged["elsewhere"] = 1  # so that something is relevant, and a recall of 100 % is not reached
    ranked = choose.sample(documents, choose.randint(1, len(documents)))
    run = {"q": {d: float(-i) for i, d in enumerate(ranked)}}
    theirs = pytrec_eval.RelevanceEvaluator({"q": judged}, ["iprec_at_recall"]).evaluate(run)["q"]
    relevant = sum(judged.values())
    for recall in LEVELS:
        # 70 % of 3, 2.1, are 2 there: the whole part of 2.999... in doubles
        meant = 66 if (relevant, recall) == (3, 70) else recall
        measure = f"query_P_at_recall(recall={meant})"
        ours = evaluate_sessions({"q": judged}, {"q": [ranked]}, measure)[measure]
        assert ours == theirs[f"iprec_at_recall_{recall / 100:.2f}"]


@pytest.mark.spec("RS-CONV-53", "RS-CONV-18")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_geometric_means_are_those_of_trec_eval(seed: int) -> None:
    """pytrec_eval has the logarithm of a query's value, and the exponential of their mean."""
    qrels, run = world(seed)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, ["gm_map", "gm_bpref"]).evaluate(run)
    ours = evaluate(qrels, run, ["gm_map", "gm_bpref"], profile="trec_eval-9", negative="unjudged")
    for name in ("gm_map", "gm_bpref"):
        logs = [values[name] for values in theirs.values()]
        found = pytrec_eval.compute_aggregated_measure(name, logs)
        assert found == pytest.approx(ours[name], rel=1e-13)
        for query, values in theirs.items():
            own = max(ours.per_query[str(grammar.measures(name)[0])][query], 1e-5)
            assert math.exp(values[name]) == pytest.approx(own, rel=1e-13)
    other = evaluate(qrels, run, "GM(AP, floor=2e-5)", profile="trec_eval-9")
    zeros = 0.0 in ours.per_query["GM(AP)"].values()
    assert (other.mean["GM(AP, floor=2e-05)"] != ours["GM(AP)"]) == zeros


@pytest.mark.spec("RS-PREC-16", "RS-PREC-17", "RS-PREC-18", "RS-PREC-19", "RS-PREC-20")
@pytest.mark.spec("RS-PREC-21", "RS-PREC-22", "RS-PREC-23", "RS-PREC-26", "RS-CONV-53")
@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_counts_and_measures_of_a_set(seed: int, rel: int) -> None:
    qrels, run = world(seed)
    computed = pytrec_eval.RelevanceEvaluator(qrels, SETS, relevance_level=rel).evaluate(run)
    given: dict[str, Any] = {"profile": "trec_eval-9", "negative": "unjudged", "rel": rel}
    for measure in (m for name in SETS for m in grammar.measures(name, {"rel": rel})):
        defaults = tuple(p.default for p in measure.metric.parameters.values())
        of = replace(measure, choices=defaults).trec_name  # it has the level for all at once
        found = evaluate(qrels, run, measure, **given)
        (ours,) = found.per_query.values()
        theirs = {query: values[of] for query, values in computed.items()}
        assert differences({"m": ours}, {"m": theirs}, 1) == [], of
        if measure.metric.average.name == "sum":
            assert found[str(measure)] == sum(theirs.values()), of


@pytest.mark.spec("RS-DCG-10", "RS-DCG-11", "RS-DCG-12", "RS-DCG-13", "RS-CONV-18")
@pytest.mark.parametrize("seed", SEEDS)
def test_averages_of_ndcg_and_g(seed: int) -> None:
    names = {"nDCG_rel": "ndcg_rel", "nDCG_levels": "Rndcg", "binG": "binG", "G": "G"}
    qrels, run = world(seed)
    computed = pytrec_eval.RelevanceEvaluator(qrels, set(names.values())).evaluate(run)
    theirs = {
        ours: {query: values[name] for query, values in computed.items()}
        for ours, name in names.items()
    }
    found = evaluate(qrels, run, list(names), profile="trec_eval-9")
    ours = dict(zip(names, found.per_query.values(), strict=True))
    assert differences(ours, theirs, 4 * ADDITIONS) == []
    wrong = {**ours, "binG": ours["G"]}
    assert differences(wrong, theirs, 4 * ADDITIONS) != []  # the control


@pytest.mark.spec("RS-CONV-41")
@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({7: {"9": 1}}, {7: {"9": 0.5}}),
        ({"7": {9: 1}}, {"7": {9: 0.5}}),
        ({"7": {"9": 1}}, {7: {"9": 0.5}}),
        ({"7": {"9": 1}}, {"7": {9: 0.5}}),
    ],
)
def test_integers_are_no_ids_there(qrels: Any, run: Any) -> None:
    with pytest.raises(TypeError):
        pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    assert evaluate(qrels, run, "RR")["RR"] == 1.0


@pytest.mark.spec("RS-CONV-42")
def test_a_score_that_is_nan_is_ranked_by_the_ids_there() -> None:
    for run in ({"9": math.nan, "10": 0.5}, {"9": 0.5, "10": math.nan}):
        found = pytrec_eval.RelevanceEvaluator({"q": {"9": 1}}, {"recip_rank"}).evaluate({"q": run})
        assert found["q"]["recip_rank"] == 1.0
        with pytest.raises(InputError, match="finite"):
            evaluate({"q": {"9": 1}}, {"q": run}, "RR")
