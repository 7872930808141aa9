"""The provider of ir_measures against the providers that ir_measures has by default."""

from __future__ import annotations

import shutil

import pytest

import rankspec as rs
from rankspec.errors import InputError

from ..peers.agreement import differences
from ..peers.worlds import SEEDS, world
from .needs import library

library("pytrec_eval")
ir_measures = library("ir_measures")
from rankspec.compat import ir_measures as compat  # noqa: E402 - where that is installed

NAMES = ["nDCG", "nDCG@5", "nDCG(judged_only=True)@10", "AP", "AP(rel=2)@5", "P(rel=2)@5", "R@20"]
NAMES += ["AP(judged_only=True)", "P(judged_only=True)@3", "RR", "RR(rel=2)@3", "RR@10", "Rprec"]
NAMES += ["Success(rel=2)@5", "Success(judged_only=True)@1", "Bpref", "Bpref(rel=2)"]
NAMES += ["infAP", "infAP(rel=2)"]
NAMES += ["IPrec@0.1", "IPrec(rel=2)@0.7", "IPrec@1.0"]
NAMES += ["nDCG(gains={0:0,1:3,2:1})@10", "nDCG(gains={1:0,4:9})", "nDCG(gains={0:2,4:7})@20"]
MEASURES = [ir_measures.parse_measure(name) for name in NAMES]


def values(provider, measures, qrels, run):
    found = {str(m): {} for m in measures}
    for metric in provider.iter_calc(measures, qrels, run):
        assert metric.query_id not in found[str(metric.measure)]
        found[str(metric.measure)][metric.query_id] = metric.value
    return found


@pytest.fixture
def pipeline():
    before = list(ir_measures.DefaultPipeline.providers)
    yield ir_measures.DefaultPipeline
    assert before == [p for p in ir_measures.DefaultPipeline.providers if p.NAME != "rankspec"]
    compat.take_out()


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.spec("RS-CONV-18", "RS-CONV-9", "RS-CONV-13", "RS-CONV-25")
def test_the_values_are_those_of_the_default_providers(seed):
    assert all(map(compat.provider.supports, MEASURES))
    qrels, run = world(seed)
    ours = values(compat.provider, MEASURES, qrels, run)
    theirs = {}
    for measure in MEASURES:  # one by one: it may give nDCG the gains of another of the same call
        theirs |= values(ir_measures, [measure], qrels, run)
    assert differences(ours, theirs, 45) == []


@pytest.mark.skipif(shutil.which("perl") is None, reason="perl is not installed")
def test_those_of_gdeval_are_rounded_there():
    measures = [ir_measures.ERR @ 10, ir_measures.nDCG(dcg="exp-log2") @ 5]
    for seed in range(3):
        qrels, run = world(seed)
        ours = values(compat.provider, measures, qrels, run)
        theirs = values(ir_measures, measures, qrels, run)
        assert {
            (name, query, f"{x:.5f}") for name, own in ours.items() for query, x in own.items()
        } == {(name, query, f"{x:.5f}") for name, own in theirs.items() for query, x in own.items()}


COUNTED = [
    *("SetP", "SetP(rel=2)", "SetP(relative=True)", "SetP(judged_only=True)", "SetR", "SetF"),
    *("SetF(rel=2)", "SetAP", "NumRet", "NumRet(rel=1)", "NumRet(rel=2)", "NumRel", "NumQ"),
    "Judged@3",
]


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("name", COUNTED)
def test_sets_and_counts_are_those_of_the_default_providers(name):
    measure = ir_measures.parse_measure(name)
    for seed in range(4):
        qrels, run = world(seed)
        ours = values(compat.provider, [measure], qrels, run)
        assert differences(ours, values(ir_measures, [measure], qrels, run), 45) == []
        total, theirs = (
            x.calc_aggregate([measure], qrels, run)[measure] for x in (compat.provider, ir_measures)
        )
        assert abs(total - theirs) < 1e-9


def test_those_of_cwl_eval():
    library("cwl")
    measures = [ir_measures.RBP(rel=1), ir_measures.RBP(rel=2, p=0.5)]
    names = ("SDCG@5", "BPM@5", "NERR8@5", "NERR9@5")
    measures += [ir_measures.parse_measure(x.replace("@", "(max_rel=4)@")) for x in names]
    measures += [ir_measures.NERR10(max_rel=4)]
    for seed in range(5):
        qrels, run = world(seed)
        ours = values(compat.provider, measures, qrels, run)
        assert differences(ours, values(ir_measures, measures, qrels, run), 1000) == []


def test_control_another_label_or_parameter_is_seen():
    qrels, run = world(0)
    found = values(compat.provider, MEASURES, qrels, run)
    for other in (
        "nDCG(gains={0:0,1:3,2:1})@10 nDCG@10",
        "nDCG(judged_only=True)@10 nDCG@10",
        "AP(rel=2)@5 AP@5",
        "RR(rel=2)@3 RR@3",
    ):
        name, plain = other.split()
        measure = ir_measures.parse_measure(plain)
        (theirs,) = values(ir_measures, [measure], qrels, run).values()
        ours = found[str(ir_measures.parse_measure(name))]
        assert differences({"x": ours}, {"x": theirs}, 45)


@pytest.mark.slow
def test_every_shape_of_qrels_and_run_is_the_same():
    import pandas as pd

    qrels, run = world(0)
    rows = [ir_measures.Qrel(q, d, x) for q, own in qrels.items() for d, x in own.items()]
    docs = [ir_measures.ScoredDoc(q, d, x) for q, own in run.items() for d, x in own.items()]
    expected = values(compat.provider, MEASURES, qrels, run)
    assert values(compat.provider, MEASURES, iter(rows), iter(docs)) == expected
    assert values(compat.provider, MEASURES, pd.DataFrame(rows), pd.DataFrame(docs)) == expected


@pytest.mark.spec("RS-NUM-5")
def test_the_means_are_exact_and_so_are_those_of_calc():
    qrels, run = world(0)
    measures = MEASURES[:2]
    means = compat.provider.calc_aggregate(measures, qrels, run)
    expected = rs.evaluate(qrels, run, ["nDCG", "nDCG@5"], profile="ir_measures")
    assert list(means.values()) == list(expected.mean.values())
    evaluator = compat.provider.evaluator(measures, qrels)
    assert evaluator.calc(run).aggregated == means
    assert len(evaluator.calc(run).per_query) == 2 * len(qrels)
    assert evaluator.calc_aggregate({}) == dict.fromkeys(measures, 0.0)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "alpha_nDCG@10",
            "Compat(p=0.9)",
            "SetF(beta=2.0)",
            "INSQ(max_rel=4)",
            "NERR11(max_rel=4)",
        ),
        *("RBP(p=0.9)", "RBP(rel=1, p=0.99)", "RBP(rel=1)@10", "AP(rel=0)", "Accuracy@10"),
        *("SDCG(max_rel=4, min_rel=1)@10", "INST(max_rel=4)", "NERR10(max_rel=4, p=0.97)"),
        "IPrec(judged_only=True)@1.0",
        *("nDCG(gains={1:0.5})", "nDCG(dcg='exp-log2', gains={1:2})"),
    ],
)
def test_a_measure_of_another_definition_is_left_to_others(name):
    measure = ir_measures.parse_measure(name)
    assert not compat.provider.supports(measure)
    with pytest.raises(InputError, match="measure"):
        compat.meant(measure)


def test_a_measure_defined_at_run_time_is_left_to_its_definition():
    own = ir_measures.define_byquery(lambda _qrels, _run: 1.0, name="P")
    assert not compat.provider.supports(own)


def test_it_is_registered_and_can_be_put_first(pipeline):
    assert ir_measures.providers.registry["rankspec"] is compat.provider is ir_measures.rankspec
    assert compat.provider not in pipeline.providers  # by the import alone nothing changes
    compat.put_first()
    compat.put_first()
    assert pipeline.providers.count(compat.provider) == 1
    qrels, run = world(0)
    evaluator = ir_measures.evaluator(MEASURES, qrels)
    assert type(evaluator) is compat.Evaluator
    names = ["nDCG@5", "Accuracy@10", "NumRet"]
    measures = [ir_measures.parse_measure(name) for name in names]
    found = ir_measures.calc_aggregate(measures, qrels, run)
    assert set(found) == set(measures)
    compat.take_out()
    theirs = ir_measures.calc_aggregate(measures, qrels, run)
    assert found[measures[1]] == theirs[measures[1]]
    assert found[measures[0]] == pytest.approx(theirs[measures[0]], rel=1e-14)


def test_bad_input_has_its_place():
    for qrels, run, words in (
        ({1.5: {"a": 1}}, {}, "query id"),
        ({"1": {"a": 5}}, {"1": {"a": 1.0}}, "label 5"),
        ({"1": {"a": 1}}, {"1": {"a": float("inf")}}, "inf"),
    ):
        with pytest.raises(InputError, match=words):
            compat.provider.calc_aggregate([ir_measures.ERR @ 5], qrels, run)


def of_shape(shape, qrels, run):
    if shape == "dicts":
        return qrels, run
    rows = [ir_measures.Qrel(q, d, x) for q, own in qrels.items() for d, x in own.items()]
    docs = [ir_measures.ScoredDoc(q, d, x) for q, own in run.items() for d, x in own.items()]
    return rows, docs


@pytest.mark.parametrize("shape", ["dicts", "rows"])
def test_qrels_and_run_that_are_swapped_are_refused(pipeline, shape):
    compat.put_first()
    measures = [ir_measures.nDCG @ 10, ir_measures.AP, ir_measures.RR]
    given = of_shape(shape, {"1": {"a": 1.0, "b": 0.5}}, {"1": {"a": 1, "b": 0}})
    with pytest.raises(InputError, match=r'label of document "b" for query "1" is 0.5;.*swapped'):
        ir_measures.calc_aggregate(measures, *given)
    # 2.0 is the number 2
    whole = of_shape(shape, {"1": {"a": 2.0, "b": 0.0}}, {"1": {"a": 1.5, "b": 2.5}})
    assert ir_measures.calc_aggregate([ir_measures.RR], *whole) == {ir_measures.RR: 0.5}
    assert pipeline.providers[0] is compat.provider


BY_ID = {  # of whole numbers: the ranks of 7 and 9 are 2 and 1, and 11 is not retrieved
    "qrels": {1: {7: 1, 8: 0}, 2: {9: 1}, 10: {11: 1}},
    "run": {1: {8: 2.5, 7: 1.5}, 2: {9: 0.5}, 10: {12: 0.5}},
}


def with_ids(of, table, documents=str):
    return {of(q): {documents(d): x for d, x in own.items()} for q, own in table.items()}


def shaped(shape, qrels, run):
    if shape != "frames":
        return of_shape(shape, qrels, run)
    import pandas as pd

    rows, docs = of_shape("rows", qrels, run)
    return pd.DataFrame(rows), pd.DataFrame(docs)


@pytest.mark.spec("RS-CONV-41", "RS-CONV-44")
@pytest.mark.parametrize("shape", ["dicts", "rows", "frames"])
@pytest.mark.parametrize("of", [(int, int), (int, str), (str, int)])
def test_a_query_that_is_a_whole_number_has_one_value(shape, of):
    qrels = with_ids(of[0], BY_ID["qrels"], of[0])
    given = shaped(shape, qrels, with_ids(of[1], BY_ID["run"], of[1]))
    RR = ir_measures.RR
    found = list(compat.provider.iter_calc([RR], *given))
    assert [(x.query_id, x.value) for x in found] == list(zip(qrels, (0.5, 1.0, 0.0), strict=True))
    evaluator = compat.provider.evaluator([RR], given[0])
    means = compat.provider.calc_aggregate([RR], *given), evaluator.calc(given[1]).aggregated
    assert means == ({RR: 0.5}, {RR: 0.5})


@pytest.mark.spec("RS-CONV-44")
def test_so_it_has_where_another_provider_answers_besides(pipeline):
    compat.put_first()
    measures = [ir_measures.RR, ir_measures.Compat(p=0.95)]
    assert not compat.provider.supports(measures[1])
    qrels, run = with_ids(int, BY_ID["qrels"]), with_ids(int, BY_ID["run"])
    found = ir_measures.calc_aggregate(measures, qrels, run)
    texts = [with_ids(str, BY_ID[name]) for name in ("qrels", "run")]
    assert found == {measures[0]: 0.5} | ir_measures.calc_aggregate(measures[1:], *texts)
    assert pipeline.providers[0] is compat.provider


@pytest.mark.spec("RS-CONV-44")
def test_two_ids_of_the_same_text_are_refused():
    both = {1: {"a": 1}, "1": {"b": 1}}
    for qrels, run in ((both, {"1": {"a": 1.0}}), ({"1": {"a": 1}}, both)):
        with pytest.raises(InputError, match=r"the query ids 1 and '1' both have the text"):
            compat.provider.calc_aggregate([ir_measures.RR], qrels, run)


@pytest.mark.spec("RS-CONV-27", "RS-CONV-28")
@pytest.mark.parametrize("put", [False, True])
@pytest.mark.usefixtures("pipeline")
def test_what_is_hardly_meant_is_said_as_by_evaluate(put):
    if put:
        compat.put_first()
    by = ir_measures if put else compat.provider
    measures = [ir_measures.AP, ir_measures.AP(judged_only=True), ir_measures.nDCG]
    for qrels, run, words in (
        ({"1": {"a": 1}}, {"2": {"a": 1.0}}, "no query is both in the qrels and in the run"),
        ({"1": {"a": -1, "b": -2}}, {"1": {"a": 1, "b": 0}}, "are the two swapped"),
    ):
        for ask in (by.calc_aggregate, lambda *given: list(by.iter_calc(*given))):
            with pytest.warns(rs.InputWarning, match=words) as caught:
                ask(measures, qrels, run)
            assert len(caught) == 1
        with pytest.warns(rs.InputWarning, match=words):
            rs.evaluate(qrels, run, "AP")


@pytest.mark.filterwarnings("error")
def test_control_what_is_meant_is_not_remarked():
    compat.provider.calc_aggregate([ir_measures.AP], {"1": {"a": 1}}, {"1": {"a": 1.5}})


@pytest.mark.usefixtures("pipeline")
def test_pyterrier_asks_it_where_it_is_first(monkeypatch):
    pyterrier = library("pyterrier")
    import pandas as pd

    asked = []
    plain = compat.Evaluator._iter_calc

    def counted(self, run):
        asked.append(len(self.measures))
        return plain(self, run)

    monkeypatch.setattr(compat.Evaluator, "_iter_calc", counted)
    qrels, run = world(0, missing=False)
    rows = [(q, d, x) for q, own in qrels.items() for d, x in own.items()]
    judged = pd.DataFrame(rows, columns=["qid", "docno", "label"])
    found = [(q, d, x) for q, own in run.items() for d, x in own.items()]
    result = pd.DataFrame(found, columns=["qid", "docno", "score"])
    measures = [ir_measures.nDCG @ 10, ir_measures.AP(rel=2), "map"]
    theirs = pyterrier.Evaluate(result, judged, metrics=measures)
    assert not asked
    compat.put_first()
    ours = pyterrier.Evaluate(result, judged, metrics=measures)
    assert asked == [len(measures)]
    assert ours == pytest.approx(theirs, rel=1e-14)  # means by PyTerrier itself


@pytest.mark.spec("RS-CONV-41", "RS-CONV-43")
def test_pyterrier_makes_text_of_the_ids_of_a_run_alone():
    pyterrier = library("pyterrier")
    import pandas as pd

    judged = pd.DataFrame({"qid": ["7"], "docno": ["9"], "label": [1]})
    table = {"qid": [7, 7], "docno": [9, 10], "docid": [0, 1], "query": ["text"] * 2}
    result = pd.DataFrame(table | {"score": [0.5, 0.75]})
    assert pyterrier.Evaluate(result, judged, ["recip_rank"]) == {"recip_rank": 0.5}
    integers = judged.astype({"qid": int, "docno": int})
    with pytest.raises(TypeError, match="Expected string"):
        pyterrier.Evaluate(result, integers, ["recip_rank"])
    for qrels in (judged, integers):
        assert rs.evaluate(qrels, result, "RR")["RR"] == 0.5


@pytest.mark.spec("RS-CONV-42")
def test_pyterrier_ranks_a_score_that_is_nan_by_the_ids():
    pyterrier = library("pyterrier")
    import pandas as pd

    judged = pd.DataFrame({"qid": ["7"], "docno": ["9"], "label": [1]})
    for scores in ([float("nan"), 0.5], [0.5, float("nan")]):
        result = pd.DataFrame({"qid": ["7", "7"], "docno": ["9", "10"], "score": scores})
        assert pyterrier.Evaluate(result, judged, ["recip_rank"]) == {"recip_rank": 1.0}
        with pytest.raises(InputError, match='the score in column "score" is nan'):
            rs.evaluate(judged, result, "RR")
