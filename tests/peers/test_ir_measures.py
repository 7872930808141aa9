"""The profile ir_measures against that package, with its own choice of providers."""

from __future__ import annotations

import math
import shutil
import warnings
from typing import Any

import pytest

import rankspec
from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate
from rankspec.metrics.grammar import measures

from .agreement import Values, differences, mean_differences
from .compiled_ranx import compiled_ranx
from .worlds import SEEDS, Table, world

__all__ = ["compiled_ranx"]

pytest.importorskip("pytrec_eval", reason='pytrec_eval is not installed: pip install ".[peers]"')
ir_measures = pytest.importorskip(
    "ir_measures", reason='ir_measures is not installed: pip install ".[peers]"'
)

NEEDS_PERL = pytest.mark.skipif(
    shutil.which("perl") is None, reason="perl is not installed: apt-get install perl"
)
MEASURES = ["nDCG", "nDCG@5", "AP", "AP(rel=2)@5", "P@5", "P(rel=2)@1", "R@20", "RR", "RR(rel=2)"]
MEASURES += ["R(rel=2)@5", "RR@1", "RR@10", "RR(rel=2)@3", "Rprec", "Rprec(rel=2)", "Success@5"]
MEASURES += ["NumRet", "NumRelRet", "SetP", "SetRelP", "SetR", "SetF", "SetAP"]
MEASURES += ["Judged@5", "Judged"]
MEASURES += ["IPrec@0.0", "IPrec@0.1", "IPrec@0.7", "IPrec(rel=2)@0.5", "IPrec@1.0"]
ADDITIONS = 45  # no list and no pool is longer


def of_ir_measures(names: list[str], qrels: Table, run: Table) -> tuple[Values, dict[str, float]]:
    """The values and the means, under these names."""
    measures = {ir_measures.parse_measure(name): name for name in names}
    found: dict[str, dict[str, float]] = {name: {} for name in names}
    for metric in ir_measures.iter_calc(measures, qrels, run):
        found[measures[metric.measure]][metric.query_id] = metric.value
    means = ir_measures.calc_aggregate(measures, qrels, run)
    return found, {measures[m]: x for m, x in means.items()}


@pytest.mark.spec("RS-CONV-18", "RS-CONV-12", "RS-CONV-9")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_profile_is_ir_measures(seed: int) -> None:
    qrels, run = world(seed)
    values, means = of_ir_measures(MEASURES, qrels, run)
    ours = evaluate(qrels, run, MEASURES, profile="ir_measures")
    per_query = dict(zip(MEASURES, ours.per_query.values(), strict=True))
    assert differences(per_query, values, ADDITIONS) == []
    of_names = dict(zip(MEASURES, ours.mean.values(), strict=True))
    assert mean_differences(of_names, means, len(qrels), ADDITIONS) == []


@pytest.mark.spec("RS-PREC-17", "RS-PREC-19", "RS-ERR-54", "RS-CONV-18")
def test_numbers_of_what_the_run_misses_and_a_beta_that_is_none() -> None:
    """A query that the run misses has no relevant documents there, and is none."""
    qrels, run = {"p": {"a": 1, "b": 0}, "q": {"a": 1}}, {"p": {"a": 2.0, "b": 1.0}}
    _, means = of_ir_measures(["NumRel", "NumQ", "SetF(beta=2.0)"], qrels, run)
    assert (means["NumRel"], means["NumQ"]) == (1, 1)
    ours = evaluate(qrels, run, ["NumRel", "NumQ"], profile="ir_measures", queries="both")
    assert dict(ours.mean) == {"NumRel": 1, "NumQ": 1}
    with pytest.raises(InputError, match='give queries="both"'):
        evaluate(qrels, run, "NumRel", profile="ir_measures")
    assert means["SetF(beta=2.0)"] == 0.75 / 2  # of the other query 0
    assert evaluate(qrels, run, "F(beta=2)")["F(beta=2)"] == 5 / 6 / 2


@pytest.mark.parametrize(
    "option",
    [
        {"scores": "double"},
        {"ties": "id-ascending"},
        {"queries": "both"},
        {"unjudged": "condensed"},
        {"undefined": "omit"},
        {"pool": "retrieved"},
    ],
    ids=str,
)
def test_control_another_convention_is_seen(option: dict[str, Any]) -> None:
    worlds = [world(seed) for seed in range(10)]
    names = [x for x in MEASURES if "unjudged" not in option or not x.startswith("IPrec")]
    assert any(
        differences(
            evaluate(*w, names, profile="ir_measures", **option).per_query,
            of_ir_measures(names, *w)[0],
            ADDITIONS,
        )
        for w in worlds
    )


@NEEDS_PERL
@pytest.mark.spec("RS-CONV-18")
@pytest.mark.parametrize("seed", range(10))
def test_exponential_gain_is_gdeval_with_scores_as_doubles(seed: int) -> None:
    """gdeval's 5 decimals, as the profile's note says, and 0 for each query that it leaves out."""
    qrels, run = world(seed)
    name = "nDCG(dcg='exp-log2')@10"
    values, _ = of_ir_measures([name], qrels, run)
    (ours,) = evaluate(qrels, run, name, profile="ir_measures").per_query.values()
    assert {query: f"{x:.5f}" for query, x in ours.items()} == {
        query: f"{x:.5f}" for query, x in values[name].items()
    }


@NEEDS_PERL
@pytest.mark.spec("RS-CAS-2")
@pytest.mark.parametrize("seed", range(10))
def test_err_is_gdeval_with_scores_as_doubles(seed: int) -> None:
    """A query that gdeval leaves out has the value 0, by its definition here."""
    qrels, run = world(seed)
    values, _ = of_ir_measures(["ERR@10"], qrels, run)
    (ours,) = evaluate(qrels, run, "ERR@10", profile="ir_measures").per_query.values()
    assert {query: f"{x:.5f}" for query, x in ours.items()} == {
        query: f"{x:.5f}" for query, x in values["ERR@10"].items()
    }


RBP = ["RBP(rel=1)", "RBP(p=0.5, rel=2)", "RBP(p=0.96, rel=1)"]


@pytest.mark.spec("RS-CAS-5", "RS-CONV-18")
@pytest.mark.parametrize("seed", SEEDS)
def test_rbp_is_that_of_cwl_eval(seed: int) -> None:
    """cwl_eval multiplies the weights of 1000 ranks, one after the other, and normalises them."""
    pytest.importorskip("cwl", reason='cwl_eval is not installed: pip install ".[peers]"')
    qrels, run = world(seed)
    values, _ = of_ir_measures(RBP, qrels, run)
    ours = evaluate(qrels, run, RBP, profile="ir_measures")
    columns = dict(zip(RBP, ours.per_query.values(), strict=True))
    assert differences(columns, values, 1000) == []


BY_CWL_EVAL = {
    "SDCG(max_rel=4)@5": "SDCG@5",
    "SDCG(max_rel=5)@100": "SDCG(max_rel=5)@100",
    "INSQ(T=1.0, max_rel=4)": "INSQ@1000",
    "INSQ(T=2.5, max_rel=4)": "INSQ(T=2.5)@1000",
    "INST(T=1.0, max_rel=4)": "INST@1000",
    "INST(T=0.5, max_rel=6)": "INST(T=0.5, max_rel=6)@1000",
    "NERR8(max_rel=4)@5": "NERR8@5",
    "NERR8(max_rel=5)@100": "NERR8(max_rel=5)@100",
    "NERR9(max_rel=4)@5": "NERR9@5",
    "NERR9(max_rel=5)@100": "NERR9(max_rel=5)@100",
    "NERR10(p=0.9, max_rel=4)": "NERR10",
    "NERR10(p=0.5, max_rel=5)": "NERR10(p=0.5, max_rel=5)",
    "NERR11(T=1.0, max_rel=4)": "NERR11@1000",
    "NERR11(T=2.5, max_rel=5)": "NERR11(T=2.5, max_rel=5)@1000",
    "BPM(T=1.0, max_rel=4)@10": "BPM@10",
    "BPM(T=0.75, max_rel=4)@3": "BPM(T=0.75)@3",
}


def of_queries_of(run: Table, values: Values) -> Values:
    """What a provider that passes over queries without documents has, too."""
    return {name: {q: x for q, x in own.items() if q in run} for name, own in values.items()}


@pytest.mark.slow(but=2)
@pytest.mark.long(but=9)
@pytest.mark.spec("RS-USR-4", "RS-USR-5", "RS-USR-6", "RS-USR-7", "RS-CONV-18")
@pytest.mark.spec("RS-USR-30", "RS-USR-31", "RS-USR-32", "RS-USR-33")
@pytest.mark.parametrize("seed", SEEDS)
def test_measures_of_users_are_those_of_cwl_eval(seed: int) -> None:
    pytest.importorskip("cwl", reason='cwl_eval is not installed: pip install ".[peers]"')
    qrels, run = world(seed, labels=(0, 0, 1, 1, 2, 4))
    values, _ = of_ir_measures(list(BY_CWL_EVAL), qrels, run)
    ours = evaluate(qrels, run, list(BY_CWL_EVAL.values()), profile="ir_measures")
    columns = dict(zip(BY_CWL_EVAL, ours.per_query.values(), strict=True))
    assert differences(of_queries_of(run, columns), of_queries_of(run, values), 3000) == []
    (deep,) = evaluate(qrels, run, "INST@999", profile="ir_measures").per_query.values()
    control, name = of_queries_of(run, {"INST": deep}), "INST(T=1.0, max_rel=4)"
    assert differences(control, of_queries_of(run, {"INST": values[name]}), 3000)


@pytest.mark.spec("RS-USR-7")
def test_the_depth_of_cwl_eval_s_dynamic_bpm_does_not_change() -> None:
    bpm = pytest.importorskip("cwl.ruler.measures.cwl_bpm", reason="cwl_eval is not installed")
    from cwl.ruler.ranking import Ranking

    labels, numpy = [2, 2, 0, 1, 4, 0], pytest.importorskip("numpy")
    ranking = Ranking("1", numpy.array(labels) / 4, numpy.ones(len(labels)))
    for hb in (0.0, 0.5, 1.0):
        found = bpm.BPMDCWLMetric(2.0, 3, hb, 5.0, 0.25).measure(ranking)
        given: dict[str, Any] = {"k": 3, "T": 2, "hb": hb, "med": 0.25}
        assert abs(found - rankspec.bpm(labels, **given)) < 1e-15
        assert rankspec.bpm(labels, **given, hc=5) != rankspec.bpm(labels, **given)


COMPAT = ["Compat", "Compat(p=0.8)", "Compat(p=0.9, normalize=False)"]


@pytest.mark.spec("RS-USR-8")
@pytest.mark.parametrize("seed", SEEDS)
def test_compatibility_is_that_of_ir_measures(seed: int) -> None:
    """Of scores above 0, each another: what a run does not show has the score 0 there."""
    qrels, run = world(seed)
    above = {
        q: {d: a + 1.0 for a, d in enumerate(sorted(own, key=lambda d, own=own: own[d]))}
        for q, own in run.items()
    }
    values, _ = of_ir_measures(COMPAT, qrels, above)
    ours = evaluate(qrels, above, COMPAT, ties="id-ascending")
    columns = dict(zip(COMPAT, ours.per_query.values(), strict=True))
    assert differences(of_queries_of(run, columns), of_queries_of(run, values), 3000) == []


@pytest.mark.spec("RS-USR-8")
def test_equal_labels_with_negative_scores_are_in_another_order_there() -> None:
    qrels, run = {"1": {"a": 1, "b": 1, "c": 1}}, {"1": {"a": -1.0, "x": -2.0}}
    values, _ = of_ir_measures(["Compat(p=0.5)"], qrels, run)
    assert values["Compat(p=0.5)"]["1"] < evaluate(qrels, run, "Compat(p=0.5)")["Compat(p=0.5)"]


@pytest.mark.spec("RS-USR-8", "RS-CONV-18")
@pytest.mark.parametrize(
    ("qrels", "run", "value"),
    [
        ({"b": 1, "a": 1}, {"a": 1.0, "b": 1.0}, 0.48717948717948717),
        ({"b": 1, "x": 1}, {"b": -1.0, "c": -2.0}, 0.24358974358974358),
    ],
)
def test_the_profile_refuses_compatibility_whose_ideal_is_of_scores(
    qrels: Any, run: Any, value: float
) -> None:
    """Of equal labels and scores it takes the document that the qrels have first."""
    values, _ = of_ir_measures(["Compat(p=0.95)"], {"1": qrels}, {"1": run})
    assert values["Compat(p=0.95)"]["1"] == value
    for measure in ("Compat", "Compat(normalize=False)@5", "GM(Compat)"):
        with pytest.raises(InputError, match="cannot do as its program does: its ideal ranking"):
            evaluate({"1": qrels}, {"1": run}, measure, profile="ir_measures")


@pytest.mark.spec("RS-CONV-18")
def test_rbp_of_a_p_near_1_is_refused_as_cwl_eval_ends_at_rank_1000() -> None:
    pytest.importorskip("cwl", reason="cwl_eval is not installed (.[peers])")
    qrels, run, name = {"1": {"a": 1}}, {"1": {"a": 1.0}}, "RBP(p=0.99, rel=1)"
    values, _ = of_ir_measures([name], qrels, run)
    assert values[name]["1"] > evaluate(qrels, run, name)[name] * (1 + 1e-5)
    with pytest.raises(InputError, match="the first 1000"):
        evaluate(qrels, run, name, profile="ir_measures")


@pytest.mark.slow(but=1)
@pytest.mark.spec("RS-CONV-18")
@pytest.mark.usefixtures("compiled_ranx")
@pytest.mark.parametrize("seed", range(5))
def test_exponential_gain_without_a_cut_off_is_ranx(seed: int) -> None:
    """Where ranx is installed, which ir_measures asks last; it keeps the order of 15 documents."""
    qrels, run = world(seed, longest=15, missing=False, labels=(0, 0, 1, 1, 2, 4))
    name = "nDCG(dcg='exp-log2')"
    with warnings.catch_warnings(action="ignore"):  # numba's, on what it compiles
        values, _ = of_ir_measures([name], qrels, run)
    (ours,) = evaluate(qrels, run, name, profile="ir_measures").per_query.values()
    assert differences({name: ours}, values, ADDITIONS) == []


GAINS = ["nDCG(gains={0:0,1:1,2:5,3:6,4:9})", "nDCG(gains={0:0,1:1,2:5,3:6,4:9})@3"]


@pytest.mark.spec("RS-CONV-18")
@pytest.mark.parametrize("seed", range(5))
def test_gains_are_those_of_the_judged_labels(seed: int) -> None:
    qrels, run = world(seed)
    values, _ = of_ir_measures(GAINS, qrels, run)
    names = [name.replace("gains={0:0,1:1,2:5,3:6,4:9}", "gain=[0,1,5,6,9]") for name in GAINS]
    ours = evaluate(qrels, run, names, profile="ir_measures")
    columns = dict(zip(GAINS, ours.per_query.values(), strict=True))
    assert differences(columns, values, ADDITIONS) == []


@pytest.mark.spec("RS-CONV-18")
def test_a_gain_of_label_0_is_refused_as_unjudged_documents_have_none() -> None:
    qrels, run = {"1": {"a": 1, "b": 0}}, {"1": {"c": 2.0, "a": 1.0}}
    values, _ = of_ir_measures(["nDCG(gains={0:1,1:2})"], qrels, run)
    unjudged = (2 / math.log2(3)) / (2 + 1 / math.log2(3))
    assert abs(values["nDCG(gains={0:1,1:2})"]["1"] - unjudged) < 1e-15
    assert evaluate(qrels, run, "nDCG(gain=[1,2])").mean["nDCG(gain='1-2')"] > unjudged + 0.1
    with pytest.raises(InputError, match="unjudged documents none"):
        evaluate(qrels, run, "nDCG(gain=[1,2])", profile="ir_measures")


@pytest.mark.spec("RS-CONV-18")
def test_a_cut_reciprocal_rank_is_another_providers() -> None:
    """RR@k takes ties by document id, ascending, and scores as doubles; RR does not."""
    qrels = {"1": {"a": 1}}
    for run in ({"1": {"a": 1.0, "b": 1.0}}, {"1": {"b": 1.0, "a": 1.0}}):
        values, _ = of_ir_measures(["RR", "RR@5"], qrels, run)
        assert values == {"RR": {"1": 0.5}, "RR@5": {"1": 1.0}}
        ours = evaluate(qrels, run, ["RR", "RR@5"], profile="ir_measures")
        assert ours.per_query == values


@pytest.mark.spec("RS-CONV-18")
def test_what_ir_measures_does_not_have() -> None:
    """So that for these the profile's conventions apply, and nothing is claimed."""
    qrels, run = {"1": {"a": 1}}, {"1": {"a": 1.0}}
    for name in ("ERR", "RBP", "RBP(rel=1)@10", "nDCG(dcg='exp-log2',gains={1:2})@3"):
        with pytest.raises(ValueError, match="Unsupported"):
            of_ir_measures([name], qrels, run)


OF_A_SET = {"NumRelRet": "NumRelRet", "SetRelP": "RelP", "SetR": "R", "SetF": "F"}
"""Its names whose measure has another name here."""


@pytest.mark.spec("RS-CONV-34")
def test_each_of_its_names_is_the_same_measure_or_none() -> None:
    for name, theirs in ir_measures.measures.registry.items():
        try:
            (ours,) = measures(f"{name}@10")
        except InputError as error:
            message = str(error)
        else:
            assert ours.metric.name == OF_A_SET.get(name, theirs.NAME), name
            continue
        assert message.startswith(f'"{name}@10" is no measure of rankspec: it is '), name


@pytest.mark.spec("RS-CONV-41")
def test_integers_as_ids_are_a_matter_of_the_provider() -> None:
    qrels, run = {7: {9: 1}}, {7: {9: 0.5}}
    with pytest.raises(TypeError, match="Expected string"):
        ir_measures.calc_aggregate([ir_measures.nDCG], qrels, run)
    for measure in (ir_measures.RR @ 10, ir_measures.Judged @ 1, ir_measures.Compat(p=0.9)):
        assert ir_measures.calc_aggregate([measure], qrels, run)[measure] == 1.0
        assert ir_measures.calc_aggregate([measure], qrels, {7: {"9": 0.5}})[measure] == 0.0
    for scored in (run, {"7": {"9": 0.5}}):
        found = evaluate(qrels, scored, ["nDCG", "RR@10", "Judged@1"], profile="ir_measures")
        assert set(found.values()) == {1.0}


@NEEDS_PERL
@pytest.mark.spec("RS-CONV-41")
def test_gdeval_gives_a_query_that_is_an_integer_two_values() -> None:
    found = ir_measures.iter_calc([ir_measures.ERR @ 5], {7: {9: 1}}, {7: {9: 0.5}})
    values = {metric.query_id: metric.value for metric in found}
    assert set(values) == {7, "7"}
    assert values[7] == 0.0 < values["7"]


@pytest.mark.spec("RS-CONV-42", "RS-CONV-43")
def test_its_frames_are_of_pandas_by_four_names_and_may_have_nan() -> None:
    pd = pytest.importorskip("pandas", reason='pandas is not installed: pip install ".[peers]"')
    polars = pytest.importorskip("polars", reason='polars is not installed: pip install ".[test]"')
    qrels = pd.DataFrame({"query_id": ["q"], "doc_id": ["9"], "relevance": [1]})
    run = pd.DataFrame({"query_id": ["q"] * 2, "doc_id": ["9", "10"], "score": [math.nan, 0.5]})
    assert ir_measures.calc_aggregate([ir_measures.RR], qrels, run) == {ir_measures.RR: 1.0}
    with pytest.raises(InputError, match='row 0: the score in column "score" is nan'):
        evaluate(qrels, run, "RR", profile="ir_measures")
    others = [qrels.rename(columns={"doc_id": "docno"}), qrels.rename(columns=str.upper)]
    others += [polars.from_pandas(qrels)]
    for frame in others:
        with pytest.raises(ValueError, match="unknown qrels format"):
            ir_measures.calc_aggregate([ir_measures.RR], frame, run)
        assert evaluate(frame, run.fillna(1), "RR", profile="ir_measures")["RR"] == 1.0
