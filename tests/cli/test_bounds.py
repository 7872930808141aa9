"""``rankspec eval`` with bounds, and with ERR, RBP and graded AP: names, formats, conventions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rankspec as rs
from rankspec.cli.main import main

from ..each import each
from . import running
from .running import Capture

QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 0, "b": 0}, "q3": {"a": 3, "b": 0}}
RUN = {
    "q1": {"b": 3.0, "a": 2.0, "x": 1.0},
    "q2": {"a": 1.0},
    "q3": {"b": 2.0, "a": 1.0},
}
LONG = "MinMax(ERR(stop=[0, 0.25, 0.5, 0.75, 1, 1, 1])@20, lower='worst')"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    qrels = [f"{q} 0 {d} {x}\n" for q, documents in QRELS.items() for d, x in documents.items()]
    run = [f"{q} Q0 {d} 1 {x} t\n" for q, documents in RUN.items() for d, x in documents.items()]
    Path("qrels.txt").write_text("".join(qrels))
    Path("a.run").write_text("".join(run))


def output(capsys: Capture, *arguments: str) -> str:
    return running.output(capsys, "eval", "qrels.txt", "a.run", *arguments)


def error(capsys: Capture, *arguments: str) -> str:
    return running.complaint(capsys, "eval", "qrels.txt", "a.run", *arguments)


class TestFormats:
    """P@2 of q1 is 1, of q2 0, of q3 1/2; at random 2/3, 0 and 1/2; at best 1, 0 and 1/2."""

    def test_table(self, capsys: Capture) -> None:
        assert output(capsys, "-m", "UL2(P@2)", "-m", "RLB(P@2)", "-q") == (
            "query  UL2(P@2)  RLB(P@2)\n"
            "q1       1.0000    0.6667\n"
            "q2       0.0000    0.0000\n"
            "q3       0.0000    0.5000\n"
            "mean     0.3333    0.3889\n"
            "\n"
            "3 queries, ties: id-descending\n"
            "1 query has no relevant document (no label above 0)\n"
        )

    def test_a_long_name_fits(self, capsys: Capture) -> None:
        lines = output(capsys, "-m", LONG, "-m", "UL2(nDCG@10)", "-q").splitlines()
        assert max(map(len, lines)) <= 80
        assert lines[0].split("  ") == ["query", "MinMax(ERR@20) [1]", "UL2(nDCG@10)"]
        assert f"[1] {rs.measures(LONG)[0]}" in lines

    def test_tsv(self, capsys: Capture) -> None:
        lines = output(capsys, "-m", LONG, "-m", "MSP_V2^UL@2", "--format", "tsv").splitlines()
        (name,) = map(str, rs.measures(LONG))
        assert lines[0].split("\t") == ["run", "query", name, "UL2(SP@2)"]
        # SP@2 of q1 is 2, the best; q3: 1/2, at random (1/2)(1 + 1/2) = 3/4.
        assert lines[1].split("\t")[-1] == repr((1 + 0 - 1 / 3) / 3)

    def test_trec(self, capsys: Capture) -> None:
        lines = output(capsys, "-m", "U(P@2)", "-m", "ERR@1", "--format", "trec").splitlines()
        assert lines == [
            "U(P@2)                \tall\t0.6667",
            "ERR@1                 \tall\t0.0208",
        ]

    def test_json(self, capsys: Capture) -> None:
        document = json.loads(output(capsys, "-m", "UL1(P@2)", "-q", "--format", "json"))
        (run,) = document["runs"]
        assert run["per_query"] == {"UL1(P@2)": {"q1": 0.6, "q2": 0.0, "q3": 0.5}}
        definition = document["measures"]["UL1(P@2)"]
        assert definition["metric"].endswith("version 1, of precision (RS-BND-5)")
        assert definition["A"] == "P@2 (RS-PREC-2)"
        assert definition["of the pool"] == "IUB (RS-BND-1), RLB (RS-BND-2)"


class TestDefinitions:
    def test_says_which_bounds(self) -> None:
        def of_pool(measure: str) -> str | None:
            return rs.evaluate(QRELS, RUN, measure).definition(measure).get("of the pool")

        assert of_pool("MinMax(AP, lower='worst')") == "IUB (RS-BND-1), WLB (RS-BND-3)"
        assert of_pool("z_value(AP)") == "RLB (RS-BND-2), variance (RS-EXP-19)"
        assert of_pool("UL2(SP, bounds='karmaker-2022')") == "IUB (RS-BND-10), RLB (RS-BND-10)"
        assert of_pool("RLB(AP)") is None
        assert of_pool("AP") is None

    def test_of_ties_says_that_a_is_the_expectation(self) -> None:
        """So the value of UL1 and UL2 is not that of theirs."""
        result = rs.evaluate(QRELS, RUN, ["UL2(AP)", "AP"], ties="expected")
        about = "the expectation over all orders of each tie group (RS-EXP-10)"
        assert result.definition("UL2(AP)")["ties"] == f"expected: A is {about}"
        assert result.definition("AP")["ties"] == f"expected: {about}"

    def test_of_the_pool_alone_the_run_does_not_enter(self) -> None:
        definition = rs.evaluate(QRELS, RUN, "IUB(AP)").definition("IUB(AP)")
        assert {"order", "ties", "unjudged", "undefined"}.isdisjoint(definition)


class TestConventions:
    @pytest.mark.spec("RS-CONV-4")
    def test_undefined(self, capsys: Capture) -> None:
        """Of q2 nothing is relevant; of q3 each order has the same P@2."""
        bounds = ["U", "UL1", "UL2", "MinMax", "Ratio", "z_value"]
        for undefined, x in (("zero", 0.0), ("one", 1.0), ("omit", None)):
            there = [x for x in bounds if (undefined, x) != ("one", "z_value")]
            found = rs.evaluate(
                QRELS, RUN, [f"{bound}(P@2)" for bound in there], undefined=undefined
            )
            for bound in there:
                values = found.per_query[f"{bound}(P@2)"]
                assert values.get("q2") == x
                if bound in ("UL2", "MinMax", "z_value"):
                    assert values.get("q3") == x
                else:
                    assert values["q3"] > 0
        printed = output(capsys, "-m", "UL2(P@2)", "--undefined", "omit")
        assert "UL2(P@2): 2 undefined, no part of the mean" in printed

    @pytest.mark.spec("RS-EXP-23")
    def test_no_z_value_is_one_where_nothing_varies(self, capsys: Capture) -> None:
        for how in (["-m", "z_value(P@2)"], ["-m", "AP,z_value(P)@2"]):
            assert main(["eval", "qrels.txt", "a.run", *how, "--undefined", "one"]) == 2
            message = 'measure "z_value(P@2)": undefined="one" applies to quotients'
            assert message in capsys.readouterr().err
        with pytest.raises(rs.InputError, match=r'^measure .*: undefined="one" applies '):
            rs.explain(QRELS, RUN, "q2", "z_value(P@2)", undefined="one")

    @pytest.mark.spec("RS-CONV-4")
    def test_what_is_expected_is_undefined_where_the_metric_is(self) -> None:
        found = rs.evaluate(QRELS, RUN, ["expected(nDCG)", "expected(DCG)"], undefined="omit")
        assert list(found.per_query["expected(nDCG)"]) == ["q1", "q3"]
        assert list(found.per_query["expected(DCG)"]) == ["q1", "q2", "q3"]

    def test_defaults_reach_the_measure_inside(self, capsys: Capture) -> None:
        names = ["UL2(nDCG@2)", "U(AP)", "UL1(RBP)", "DCG_V1^UL"]
        options = ["--gain", "0-1-5-9", "--discount", "zipf", "--rel", "2"]
        measures = [word for name in names for word in ("-m", name)]
        header = output(capsys, *measures, *options, "--format", "tsv").splitlines()[0]
        assert header.split("\t")[2:] == [
            "UL2(nDCG(gain='0-1-5-9', discount='zipf')@2)",
            "U(AP(rel=2))",
            "UL1(RBP(rel=2))",
            "UL1(DCG(gain='exp2', discount='zipf'))",  # whose name says the gain
        ]

    def test_labels_that_are_scores(self, capsys: Capture) -> None:
        printed = output(capsys, "-m", "UL2(nDCG@10)", "--relevance", "phi", "--format", "tsv")
        assert printed.splitlines()[0].split("\t")[-1] == "UL2(nDCG_phi@10)"
        printed = output(capsys, "-m", "UL2(AP)", "--relevance", "phi", "--format", "tsv")
        assert printed.splitlines()[0].split("\t")[-1] == "UL2(Phi(AP))"
        assert "as in P(rel=0.5)" in error(capsys, "-m", "UL2(P@2)", "--relevance", "phi")

    @pytest.mark.spec("RS-CONV-14")
    @pytest.mark.parametrize("rule", ["lowest", "highest"])
    @pytest.mark.parametrize(
        "measure", ["UL2(nDCG)", "IUB(AP)", "z_value(AP)", "nERR", "GAP", "RBP_residual"]
    )
    def test_extremes_that_cannot_be_had(self, measure: str, rule: str, capsys: Capture) -> None:
        assert f"its {rule} value over all judgments is not known" in error(
            capsys, "-m", measure, "--unjudged", rule
        )

    @pytest.mark.spec("RS-CONV-14")
    def test_extremes_of_err_and_rbp(self) -> None:
        """x of q1 is unjudged, behind the labels 1 and 2: at best it has the label 3."""
        low, high = (
            rs.evaluate(QRELS, RUN, ["ERR", "RBP(p=0.5)"], unjudged=rule).per_query
            for rule in ("lowest", "highest")
        )
        err = 1 / 16 + 15 / 16 * 3 / 16 / 2
        assert low["ERR"]["q1"] == err
        assert high["ERR"]["q1"] == err + 15 / 16 * 13 / 16 * 7 / 16 / 3
        assert (low["RBP(p=0.5)"]["q1"], high["RBP(p=0.5)"]["q1"]) == (0.75, 0.875)

    def test_rbp_and_its_residual_enclose_what_could_be(self) -> None:
        found = rs.evaluate(QRELS, RUN, ["RBP(p=0.5)", "RBP_residual(p=0.5)"])
        # x, at rank 3, and what is below.
        assert found.per_query["RBP_residual(p=0.5)"] == {"q1": 0.25, "q2": 0.5, "q3": 0.25}

    @pytest.mark.spec("RS-CONV-13")
    def test_residual_of_a_condensed_list(self) -> None:
        """Where the unjudged are left out, what is below the shorter list is left."""
        found = rs.evaluate(QRELS, RUN, "RBP_residual(p=0.5)", unjudged="condensed")
        assert found.per_query["RBP_residual(p=0.5)"] == {"q1": 0.25, "q2": 0.5, "q3": 0.25}

    def test_a_label_that_err_cannot_take(self, capsys: Capture) -> None:
        message = error(capsys, "-m", "UL2(ERR(max=2)@10)")
        assert 'label 3 of document "a" for query "q3"' in message
        assert "with max=2, ERR takes the whole numbers from 0 to 2" in message

    def test_a_bound_of_what_a_profile_has(self, capsys: Capture) -> None:
        output(capsys, "-m", "UL2(nDCG@10)", "-m", "U(ERR@20)", "--profile", "gdeval")
        assert 'the profile "gdeval" has no AP' in error(
            capsys, "-m", "UL2(AP)", "--profile", "gdeval"
        )

    @pytest.mark.parametrize("bound", ["UL2", "IUB", "variance", "expected"])
    def test_both_backends(self, bound: str, capsys: Capture) -> None:
        arguments = ["-m", f"{bound}(nDCG@2)", "-m", f"{bound}(AP)", "-q", "--format", "tsv"]
        for ties in ("expected", "input"):
            c, reference = (
                output(capsys, *arguments, "--ties", ties, "--backend", backend)
                for backend in ("c", "reference")
            )
            assert c == reference


NEAR = {
    "ULL2(nDCG@10)": 'unknown measure "ULL2(nDCG@10)" (did you mean "UL2(nDCG@10)"?)',
    "MinMaxx(nDCG)": 'unknown measure "MinMaxx(nDCG)" (did you mean "MinMax(nDCG)"?)',
    "expcted(AP)": 'unknown measure "expcted(AP)" (did you mean "expected(AP)"?)',
    "DCG_V3^UL": 'unknown measure "DCG_V3^UL"; `rankspec measures` lists all',  # V1 is as near
    "UL2[nDCG]": "is no measure, but UL2 is; write it like UL2(nDCG@10)",
    "UL2(nDGC@10)": 'unknown measure "nDGC@10" (did you mean "nDCG@10"?)',
    "UL2(nDCG(gian='exp2'))": "nDCG has no parameter 'gian' (did you mean \"gain\"?)",
    "UL2": 'measure "UL2": UL2 needs a measure, as in UL2(nDCG@10), and takes only one',
    "UL2@10": "UL2 needs a measure, as in UL2(nDCG@10), and takes only one",
    "UL2()": "UL2 needs a measure, as in UL2(nDCG@10), and takes only one",
    "UL2(nDCG": "a parenthesis is not closed",
    "UL2(nDCG, AP)": "UL2 needs a measure, as in UL2(nDCG@10), and takes only one",
    "UL2(AP, nDCG@5,10)": "UL2 needs a measure, as in UL2(nDCG@10), and takes only one",
    "UL2(nDCG@5,10, AP)": "UL2 needs a measure, as in UL2(nDCG@10), and takes only one",
    "UL2(nDCG@5,10)@5": "it has two cut-offs",
    "UL2(nDCG@5)@5,10": "it has two cut-offs",
    "UL2(bounds='exact')": "unknown measure \"bounds='exact'\"",
    "UL2(UL1(nDCG))": "UL2: UL1(nDCG) is itself a bound; expected a measure (RS-BND-1)",
    "UL2(IDCG)": "IDCG is of a pool, not of a ranking (RS-BND-1)",
    "UL2(RBP_residual)": "RBP_residual asks what nobody judged",
    "variance(ERR)": "ERR has no known variance in closed form",
    "UL2(nDCG@10)@5": "it has two cut-offs",
    "UL2(ndcg_cut.10)@5": "it has two cut-offs",
    "UL2(nDCG)@0": "k: the cut-off is 0; it must be at least 1",
    "UL2(nDCG, lower='worst')": "UL2 has no parameter 'lower'; of its own it has bounds",
    "MinMax(nDCG, lowr='worst')": "MinMax has no parameter 'lowr' (did you mean \"lower\"?)",
    "MinMax(nDCG, lower='best')": "lower: unknown lower bound: 'best'",
    "UL2(nDCG, bounds='exact', bounds='exact')": "bounds is given twice",
    "UL2(nDCG, bounds=exact)": "the value of bounds is not a number, string or table",
    "UL2(ERR, bounds='karmaker-2022')": '"karmaker-2022" has no formula for ERR (RS-BND-9)',
    "UL2(DCG@1000001, bounds='karmaker-2022')": (
        "eq. 7 is summed over at most 1000000 ranks (RS-BND-9)"
    ),
}


@each(("measure", "message"), NEAR.items(), ids=NEAR.keys())
def test_near_names(measure: str, message: str, capsys: Capture) -> None:
    printed = error(capsys, "-m", measure)
    assert message in printed
    assert printed.count("measure ") <= 2


def test_bounds_of_what_trec_eval_calls_measures() -> None:
    for text in ("UL2(ndcg_cut.5,10)", "UL2(nDCG@5,10)", "UL2(nDCG)@5,10"):
        assert list(map(str, rs.measures(text))) == ["UL2(nDCG@5)", "UL2(nDCG@10)"]
    assert list(map(str, rs.measures("MinMax(nDCG(gain='exp2')@5,10, lower='worst')"))) == [
        f"MinMax(nDCG(gain='exp2')@{k}, lower='worst')" for k in (5, 10)
    ]
    assert list(map(str, rs.measures("RNDCG@5,10"))) == ["Ratio(nDCG@5)", "Ratio(nDCG@10)"]
    assert list(map(str, rs.measures("U(map)"))) == ["U(AP)"]
    assert list(map(str, rs.measures("U(ndcg_cut_10, bounds='karmaker-2022')"))) == [
        "U(nDCG@10, bounds='karmaker-2022')"
    ]
