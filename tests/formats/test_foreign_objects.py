"""Objects of ranx, ir_measures and pytrec_eval: == with the dicts and names that they stand for."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import rankspec as rs
from rankspec.errors import InputError
from rankspec.formats import objects as reading
from rankspec.formats.objects import unwrapped

from ..peers.compiled_ranx import compiled_ranx

__all__ = ["compiled_ranx"]

objects = pytest.mark.spec("RS-CONV-46")
Table = dict[str, dict[str, Any]]


def world(seed: int) -> tuple[Table, Table]:
    """Judgments and scores, with ties and without judgments for some."""
    by = random.Random(seed)
    documents = [f"é{a}" if a % 7 == 0 else f"d{a}" for a in range(25)]
    qrels = {f"q{q}": {d: by.randrange(4) for d in by.sample(documents, 8)} for q in range(9)}
    run = {f"q{q}": {d: by.randrange(8) / 4 for d in by.sample(documents, 12)} for q in range(9)}
    return qrels, run


# ---- ranx --------------------------------------------------------------------------------


@pytest.fixture
def of_ranx(compiled_ranx: Any) -> Callable[[Table, Table], tuple[Any, Any]]:
    """The objects of ranx."""

    def objects_of(qrels: Table, run: Table) -> tuple[Any, Any]:
        with warnings.catch_warnings(action="ignore"):  # numba's, on what it compiles
            return compiled_ranx.Qrels(qrels), compiled_ranx.Run(run, name="a")

    return objects_of


@pytest.mark.slow
@pytest.mark.spec("RS-CONV-46", "RS-CONV-46/L2")
@pytest.mark.parametrize("backend", ["c", "reference"])
def test_l1_objects_of_ranx_are_the_dicts_that_they_hold(backend: str, of_ranx: Any) -> None:
    for seed in range(3):
        dicts = world(seed)
        qrels, run = of_ranx(*dicts)
        for measures in (["nDCG@10", "AP", "RR"], "P@3"):
            found = rs.evaluate(qrels, run, measures, backend=backend)
            assert found == rs.evaluate(*dicts, measures)
        assert rs.evaluate(dicts[0], run, "AP") == rs.evaluate(qrels, dicts[1], "AP")


@pytest.mark.slow
@objects
def test_many_documents_of_ranx_are_read_at_once(
    monkeypatch: pytest.MonkeyPatch, of_ranx: Any
) -> None:
    dicts = world(5)
    qrels, run = of_ranx(*dicts)
    slowly = unwrapped(qrels, "qrels"), unwrapped(run, "run")
    monkeypatch.setattr(reading, "COMPILED_FROM", 0)
    assert (unwrapped(qrels, "qrels"), unwrapped(run, "run")) == slowly
    assert [list(own) for own in unwrapped(run, "run").values()] == [
        list(own) for own in slowly[1].values()
    ]
    assert {type(x) for own in unwrapped(qrels, "qrels").values() for x in own.values()} == {int}


@pytest.mark.slow
@objects
def test_the_order_of_a_run_of_ranx_is_its_own(of_ranx: Any) -> None:
    """ranx sorts what it is given by score."""
    qrels, run = of_ranx({"q": {"d_a": 1}}, {"q": {"d_b": 1.0, "d_a": 2.0}})
    assert rs.evaluate(qrels, run, "RR", order="file")["RR"] == 1.0
    assert rs.evaluate(qrels, {"q": {"d_b": 1.0, "d_a": 2.0}}, "RR", order="file")["RR"] == 0.5
    added = type(run)()
    added.add_score("q", "d_b", 1.0)
    added.add_score("q", "d_a", 2.0)
    assert rs.evaluate(qrels, added, "RR")["RR"] == 1.0


@pytest.mark.slow
@objects
def test_objects_of_ranx_in_the_wrong_place(of_ranx: Any) -> None:
    qrels, run = of_ranx({"q": {"d_a": 1}}, {"q": {"d_a": 1.0}})
    with pytest.raises(InputError, match=r"^qrels: a Run of ranx; expected its Qrels"):
        rs.evaluate(run, qrels, "RR")
    with pytest.raises(InputError, match=r"^run: a Qrels of ranx; expected its Run"):
        rs.evaluate(qrels, qrels, "RR")
    with pytest.raises(InputError, match="qrels: empty"):
        rs.evaluate(type(qrels)(), run, "RR")


@pytest.mark.slow
@objects
def test_runs_of_ranx_are_the_values_of_ranx(compiled_ranx: Any, of_ranx: Any) -> None:
    """Its own numbers, where no scores tie."""
    qrels, run = world(7)
    apart = {q: {d: x + a / 1024 for a, (d, x) in enumerate(own.items())} for q, own in run.items()}
    theirs_qrels, theirs_run = of_ranx(qrels, apart)
    ours = rs.evaluate_runs(theirs_qrels, {"a": theirs_run}, ["nDCG@10", "P@5", "RR"])["a"]
    with warnings.catch_warnings(action="ignore"):
        theirs = compiled_ranx.evaluate(theirs_qrels, theirs_run, ["ndcg@10", "precision@5", "mrr"])
    assert [ours[name] for name in theirs] == pytest.approx(list(theirs.values()), rel=1e-14)


# ---- ir_measures -------------------------------------------------------------------------


@pytest.fixture
def irm() -> Any:
    return pytest.importorskip(
        "ir_measures", reason='ir_measures is not installed: pip install ".[peers]"'
    )


@objects
def test_rows_and_iterators_of_ir_measures(irm: Any) -> None:
    qrels, run = world(1)
    judged = [irm.Qrel(q, d, x) for q, own in qrels.items() for d, x in own.items()]
    scored = [irm.ScoredDoc(q, d, x) for q, own in run.items() for d, x in own.items()]
    wanted = rs.evaluate(qrels, run, ["nDCG@10", "AP"], profile="ir_measures")
    for of in (list, iter, tuple):
        found = rs.evaluate(of(judged), of(scored), ["nDCG@10", "AP"], profile="ir_measures")
        assert found == wanted


@objects
def test_files_read_by_ir_measures(irm: Any, tmp_path: Any) -> None:
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 b 0\n")
    (tmp_path / "run").write_text("q Q0 a 1 0.5 t\nq Q0 b 2 1.5 t\n")
    rows = irm.read_trec_qrels(str(tmp_path / "qrels")), irm.read_trec_run(str(tmp_path / "run"))
    of_files = rs.evaluate(tmp_path / "qrels", tmp_path / "run", "AP")
    assert rs.evaluate(*rows, "AP") == of_files


NAMES = ["nDCG", "nDCG@5", "AP", "AP(rel=2)@5", "P@5", "P(rel=2)@1", "R@20", "RR", "RR(rel=2)@3"]
NAMES += ["Rprec", "Success@5", "Bpref", "nDCG(dcg='exp-log2')@10", "ERR@10", "RBP(rel=1)"]
NAMES += ["RBP(p=0.5,rel=2)@5"]


@objects
@pytest.mark.spec("RS-CONV-34")
def test_measures_of_ir_measures_are_the_measures_of_their_names(irm: Any) -> None:
    qrels, run = world(2)
    given = [irm.parse_measure(name) for name in NAMES]
    found, named = rs.evaluate(qrels, run, given), rs.evaluate(qrels, run, NAMES)
    assert found == named
    for x, name in zip(given, NAMES, strict=True):
        assert found[x] == named[name]
        assert found.per_query[x] == found.per_query[name]
        assert x in found
        assert rs.measures(x) == rs.measures(name)
        assert rs.evaluate(qrels, run, x).mean == {str(rs.measures(name)[0]): named[name]}
    assert irm.P @ 3 not in found
    assert rs.explain(qrels, run, "q1", irm.AP).value == named.per_query["AP"]["q1"]
    assert list(rs.evaluate_lists(["a"], {"a"}, irm.RR, k=5)) == ["RR@5"]


@objects
def test_measures_of_ir_measures_have_its_values(irm: Any) -> None:
    pytest.importorskip(
        "pytrec_eval", reason='pytrec_eval is not installed: pip install ".[peers]"'
    )
    qrels, run = world(3)
    measures = [
        irm.nDCG @ 5,
        irm.nDCG(gains={2: 5, 3: 8}) @ 5,
        irm.nDCG(gains={1: 2, 2: 9, 3: 20}),
        irm.AP(rel=2),
        irm.P(rel=3) @ 5,
    ]
    # One by one: in one call ir_measures 0.4.3 may give nDCG the gains of another measure.
    theirs = {m: irm.calc_aggregate([m], qrels, run)[m] for m in measures}
    ours = rs.evaluate(qrels, run, measures, profile="ir_measures")
    for measure in measures:
        assert ours[measure] == pytest.approx(theirs[measure], rel=1e-13)
    condensed = irm.AP(judged_only=True)
    ours = rs.evaluate(qrels, run, condensed, profile="ir_measures", unjudged="condensed")
    assert ours[condensed] == pytest.approx(irm.calc_aggregate([condensed], qrels, run)[condensed])


@objects
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P", "measure P of ir_measures: it lacks a cut-off, without which ir_measures has no P"),
        ("IPrec", "it lacks recall, without which ir_measures has no IPrec"),
        ("AP(judged_only=True)", 'give unjudged="condensed" beside it (RS-CONV-34)'),
        ("RBP(p=0.5)", "without rel it is of graded labels in ir_measures; RBP(rel=1) is this RBP"),
        ("nDCG(gains={0: 1})", "it gives label 0 a gain where that is judged, and unjudged docu"),
        ("nDCG(gains={-1: 1})", "gains must be of labels from 0 on"),
        ("nDCG(gains={'a': 1})", "gains must be of whole labels"),
        ("nDCG(gains=3)", "gains must be of labels from 0 on"),
        ("nDCG(gains={1: 5, 3: 8})", "the gain of label 2 is 2, below that of label 1, 5"),
        ("AP(foo=1)", "AP has no parameter 'foo' there"),
        ("nDCG(dcg='natural')", "dcg is"),
        ("RR@0", "the cut-off is 0"),
    ],
)
def test_measures_of_ir_measures_that_are_refused(irm: Any, text: str, message: str) -> None:
    given = eval(text.replace("@", " @ "), vars(irm.measures))  # noqa: S307 - the texts above
    with pytest.raises(InputError) as error:
        rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1.5}}, [given])
    assert message in str(error.value)


@objects
def test_a_label_above_those_of_gains_is_refused(irm: Any) -> None:
    with pytest.raises(InputError, match='label 3 of document "a" for query "q"'):
        rs.evaluate({"q": {"a": 3}}, {"q": {"a": 1.5}}, irm.nDCG(gains={1: 5}))


# ---- pytrec_eval -------------------------------------------------------------------------


@objects
def test_dicts_and_sets_of_measures_of_pytrec_eval() -> None:
    pytrec_eval = pytest.importorskip(
        "pytrec_eval", reason='pytrec_eval is not installed: pip install ".[peers]"'
    )
    qrels, run = world(4)
    measures = {"map", "ndcg", "recip_rank", "P_5"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    ours = rs.evaluate(qrels, run, measures, profile="trec_eval-9")
    for query, values in theirs.items():
        for name, x in values.items():
            assert ours.per_query[name][query] == pytest.approx(x, rel=1e-14)
