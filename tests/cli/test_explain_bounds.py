"""``rankspec explain`` of bounds, ERR, RBP and graded AP: by hand, and against evaluate()."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import rankspec as rs
from rankspec.analysis.explain.explanation import table
from rankspec.analysis.explain.summands import InSummands, summands
from rankspec.cli.main import main
from rankspec.metrics.catalogue import BOUNDS, METRICS
from rankspec.reference.numbers.reals import RATIONALS

from ..each import each

Capture = pytest.CaptureFixture[str]

QRELS = {
    "q1": {"a": 3, "b": 0, "c": -1, "d": 2, "e": 1},
    "q2": {"a": 1},
    "q3": {"z": 0},
    "q4": {"y": 0, "z": 0},
}
RUN = {"q1": {"x": 9.0, "a": 8.5, "c": 8.5, "d": 7.0, "b": 1.0}, "q3": {"y": 1.0}}

RANKINGS = [m for m in METRICS if not m.of_pool and not m.sees_unjudged]
MEASURES = [
    f"{bound.name}({metric.name}{cut})"
    for a, bound in enumerate(BOUNDS)
    for b, metric in enumerate(RANKINGS)
    if bound.refusal(metric) is None
    for cut in [("", "@3", "@50")[(a + b) % 3]]
]
FORMULAS = [
    "UL2(DCG(gain='exp2')@3, bounds='karmaker-2022')",
    "UL1(nDCG@50, bounds='karmaker-2022')",
    "UL1(SP, bounds='karmaker-2022')",
    "MinMax(AP(norm='min')@2, bounds='karmaker-2022')",
    "RLB(AP(norm='k'), bounds='karmaker-2022')",
    "IUB(SP@2, bounds='karmaker-2022')",
    "IUB(DCG@2, bounds='karmaker-2022')",
]
OTHERS = [
    "MinMax(ERR(max=3)@3, lower='worst')",
    "MinMax(LNDCG(ideal='eq7')@2, lower='worst')",
    "UL2(nDCG(ideal='all')@2)",
    "UL2(nDCG_phi@2)",
    "IUB(LDCG(Z='none')@3)",
]
ALL = MEASURES + FORMULAS + OTHERS


def explained(measure: str, query: str = "q1", **options: Any) -> rs.Explanation:
    return rs.explain(QRELS, RUN, query, measure, **options)


def of_q1(measure: rs.Measure, **options: Any) -> float:
    return rs.evaluate(QRELS, RUN, measure, **options).per_query[str(measure)]["q1"]


def equation(measure: str, query: str = "q1", **options: Any) -> list[str]:
    """The lines of the equation."""
    return str(explained(measure, query, **options)).split("\n\n")[-2].splitlines()


def cells(measure: str, **options: Any) -> list[list[str]]:
    """The table of the ranks."""
    return [
        line.split() for line in str(explained(measure, **options)).split("\n\n")[1].splitlines()
    ]


class TestValues:
    @each("ties", ["id-descending", "expected"])
    @each("measure", ALL, fast=12)
    def test_are_those_of_evaluate(self, measure: str, ties: str) -> None:
        result = rs.evaluate(QRELS, RUN, measure, ties=ties)
        (name,) = result.per_query
        for query, value in result.per_query[name].items():
            x = explained(measure, query, ties=ties)
            assert x.value == value
            assert x.definition == result.definition(name)

    @each("ties", ["id-descending", "expected"])
    @each("measure", ALL, fast=12)
    def test_parts_are_measures_of_their_own(self, measure: str, ties: str) -> None:
        """A, IUB, RLB, WLB and the variance are what the metrics of these names give."""
        (m,) = rs.measures(measure)
        x = explained(measure, ties=ties)
        for part, found in x.parts.items():
            if part == "A" and (m.k or not m.inner.metric.divisor_is_k(m.inner)):
                assert found == of_q1(m.inner, ties=ties)
            elif part != "A":
                own = {n: getattr(m, n) for n in m.metric.own_parameters if n == "bounds"}
                own = own if part in ("IUB", "RLB") else {}
                bound = getattr(rs, part)(m.inner, **own)
                assert found == of_q1(bound)

    @each("measure", ALL, fast=12)
    def test_the_rows_add_up_to_the_total(self, measure: str) -> None:
        for query, labels in QRELS.items():
            x = explained(measure, query, ties="expected")
            if x.total is None:
                assert x.rows == ()
                continue
            relevant = sum(label > 0 for label in labels.values())
            of_nothing = -math.log(1 + relevant) if "Yaap" in measure else 0.0
            added = sum(row.contribution for row in x.rows)
            assert of_nothing + added == pytest.approx(x.total, rel=1e-14)
            if x.rows:
                assert x.rows[-1].running == x.total


class TestByHand:
    """q1: x (unjudged), c: -1, a: 3, d: 2, b: 0, where a and c are tied; e: 1 is not retrieved."""

    def test_ul2_below_a_random_ranking(self) -> None:
        """SP = 1/3 + 2/4; in any order i/5 · 3/5 ... = 143.1/60; best 3."""
        x = explained("UL2(SP)")
        # Of five places three are relevant: E[SP] = Σ_i (3/5)(1 + (i - 1)/2)/i.
        mean = sum(Fraction(3, 5) * (1 + Fraction(i - 1, 2)) / i for i in range(1, 6))
        A = Fraction(1, 3) + Fraction(2, 4)
        assert x.parts == {"A": float(A), "IUB": 3.0, "RLB": float(mean)}
        assert x.value == float((A - mean) / mean)
        assert x.total == float(A)
        assert equation("UL2(SP)") == [
            "SP = 0.3333 + 0.5000 = 0.8333",
            "A = SP = 0.8333   (RS-BND-1)",
            "IUB = 3   (RS-BND-1): explain -m 'IUB(SP)'",
            "RLB = 2.1850   (RS-BND-2): explain -m 'RLB(SP)'",
            "UL2 = (A - RLB) / RLB, as A < RLB   (RS-BND-6)",
            "    = (0.8333 - 2.1850) / 2.1850 = -0.6186",
            f"as a double: {float((A - mean) / mean)!r}",
        ]

    def test_ul2_above_a_random_ranking(self) -> None:
        """The list is all of the pool in an order: a, d, b, e, c."""
        qrels, run = {"q": QRELS["q1"]}, {"q": dict(zip("adbec", (5, 4, 3, 2, 1), strict=True))}
        x = rs.explain(qrels, run, "q", "UL2(P@2)")
        assert x.parts == {"A": 1.0, "IUB": 1.0, "RLB": 0.6}
        assert x.value == 1.0
        assert "UL2 = (A - RLB) / (IUB - RLB), as A >= RLB   (RS-BND-6)" in str(x)
        assert "    = (1 - 0.6000) / (1 - 0.6000) = 1\n" in str(x)

    def test_each_rank_stands_beside_the_ideal(self) -> None:
        assert cells("UL2(SP@3)") == [
            "# document score label rel prec adds sum ideal adds".split(),  # noqa: SIM905
            ["1", "x", "9", "-", "0", "0.0000", "0.0000", "0.0000", "3", "1"],
            ["2=", "c", "8.5", "-1>0", "0", "0.0000", "0.0000", "0.0000", "2", "1"],
            ["3=", "a", "8.5", "3", "1", "0.3333", "0.3333", "0.3333", "1", "1"],
        ]

    @pytest.mark.parametrize(
        ("measure", "lines"),
        [
            ("U(CG@3)", ["U = A / IUB   (RS-BND-4)", "    = 3 / 6 = 0.5000"]),
            (
                "UL1(CG@3)",  # 3 of 6, and 3.6 on average
                [
                    "UL1 = (A / IUB) * (A / (A + RLB))   (RS-BND-5)",
                    "    = (3 / 6) * (3 / (3 + 3.6000)) = 0.2273",
                ],
            ),
            (
                "MinMax(CG@3, lower='worst')",
                [
                    "MinMax = (A - WLB) / (IUB - WLB)   (RS-BND-7)",
                    "    = (3 - 1) / (6 - 1) = 0.4000",
                ],
            ),
            ("Ratio(CG@3)", ["Ratio = A / RLB   (RS-BND-8)", "    = 3 / 3.6000 = 0.8333"]),
            (
                # σ² = 14/5 - (6/5)² = 1.36; times (5 · 3 - 9)/4 = 1.5
                "z_value(CG@3)",
                [
                    "z_value = (A - RLB) / sqrt(variance)   (RS-EXP-23)",
                    "    = (3 - 3.6000) / sqrt(2.0400) = -0.4201",
                ],
            ),
        ],
    )
    def test_the_equation_with_its_numbers(self, measure: str, lines: list[str]) -> None:
        assert equation(measure)[-3:-1] == lines

    def test_of_the_pool_alone(self) -> None:
        ranks = cells("IUB(SP@3)")
        assert [row[1:3] for row in ranks[1:]] == [["a", "3"], ["d", "2"], ["e", "1"]]
        assert equation("IUB(SP@3)")[:2] == ["SP@3 = 1 + 1 + 1 = 3", "IUB = SP@3 = 3   (RS-BND-1)"]
        ranks = cells("WLB(SP@4)")
        assert [row[1] for row in ranks[1:]] == ["b", "c", "e", "d"]
        assert equation("WLB(SP@4)")[1] == "WLB = SP@4 = 0.8333   (RS-BND-3)"
        assert "RLB = 3.6000   (RS-BND-2)" in equation("variance(CG@3)")

    @pytest.mark.parametrize(
        "metric", ["SP@3", "DCG(discount='zipf')@4", "RR", "ERR@4", "RBP(p=0.5)"]
    )
    def test_a_rank_of_rlb_is_the_mean_over_all_orders(self, metric: str) -> None:
        """Each order explained on its own, rank by rank."""
        pool = {"a": 3, "b": 0, "d": 2, "e": 1}
        x = rs.explain({"q": pool}, {"q": {}}, "q", f"RLB({metric})")
        orders = [
            rs.explain({"q": pool}, {"q": {d: -i for i, d in enumerate(order)}}, "q", metric).rows
            for order in permutations(pool)
        ]
        for i, row in enumerate(x.rows):
            mean = sum(Fraction(rows[i].contribution) for rows in orders) / len(orders)
            assert row.contribution == pytest.approx(float(mean), rel=1e-15)
            assert row.tied == (1, 4)
            assert (row.document, row.label, row.counted, row.score) == (None,) * 4
        told = " ".join(str(x).split())
        assert (
            "= in any order of the 4 documents of the pool: each rank shows the mean over all "
            "orders (RS-BND-2)" in told
        )
        assert str(x).split("\n\n")[1].split()[:2] in (["#", "gain"], ["#", "rel"], ["#", "reach"])

    def test_expected_is_of_the_list(self) -> None:
        told = " ".join(str(explained("expected(SP@3)")).split())
        assert "= in any order of the 5 documents of the list: each rank" in told
        assert "2 more of the run are below the cut-off (RS-CONV-2)" in told
        assert "more of the run" not in " ".join(str(explained("expected(SP)")).split())

    @pytest.mark.parametrize(
        ("measure", "of"),
        [
            ("UL2(nDCG@3)", "'RLB(nDCG@3)'"),
            ("Ratio(DCG(gain='exp2'))", "\"RLB(DCG(gain='exp2'))\""),
        ],
    )
    def test_a_part_can_be_seen(self, measure: str, of: str) -> None:
        lines = equation(measure)
        (line,) = [line for line in lines if line.startswith("RLB = ")]
        assert line.endswith(f"   (RS-BND-2): explain -m {of}")
        x = explained(of[1:-1])
        assert x.value == explained(measure).parts["RLB"]
        assert x.rows

    def test_a_part_by_formula_is_of_no_ranking(self) -> None:
        text = "\n".join(equation("UL1(SP, bounds='karmaker-2022')"))
        assert "explain -m" not in text

    def test_a_variance_of_the_empty_pool(self) -> None:
        for measure in ("variance(P)", "variance(DCG)", "variance(LDCG@3)"):
            assert rs.explain({"q": {}}, {"q": {"a": 1}}, "q", measure).value == 0, measure

    def test_a_variance_that_is_linear(self) -> None:
        """q1 has the gains 3, 0, 0, 2, 1: the mean 6/5, of the squares 14/5."""
        x = explained("variance(CG@3)")
        assert x.spread == {"variance of gains": 1.36, "sum": 3.0, "sum of squares": 3.0}
        assert equation("variance(CG@3)")[-5:-1] == [
            "V = 1.3600: the variance of gain, of the n = 5 documents; D = 3, D2 = 3: the",
            "    sums of 1 and of its square",
            "variance = V * (n * D2 - D * D) / (n - 1)   (RS-EXP-20)",
            "    = 1.3600 * (5 * 3 - 3 * 3) / 4 = 2.0400",
        ]
        x = explained("variance(RBP(p=0.5)@2)")
        spread = {"variance of gains": 0.24, "sum": 0.75, "sum of squares": 0.3125}
        assert x.spread == spread
        assert x.value == float(Fraction(24, 100) * (5 * Fraction(5, 16) - Fraction(9, 16)) / 4)
        lines = equation("variance(R@2)")
        assert lines[-3] == "variance = V * (n * D2 - D * D) / (n - 1) / (N_p)^2   (RS-EXP-20)"
        assert lines[-2] == "    = 0.2400 * (5 * 2 - 2 * 2) / 4 / 3 / 3 = 0.04000"

    @pytest.mark.parametrize(("measure", "spec"), [("SP", 21), ("AP(norm='k')", 21), ("RR", 22)])
    def test_a_variance_by_the_mean_of_squares(self, measure: str, spec: int) -> None:
        """One relevant item of three: SP and RR are 1, 1/2 or 1/3, and a third of it is AP."""
        qrels = {"q": {"a": 1, "b": 0, "c": 0}}
        x = rs.explain(qrels, {"q": {}}, "q", f"variance({measure})")
        scale = 9 if "AP" in measure else 1
        assert x.spread == {"E[A^2]": float(Fraction(49, 36) / 3 / scale)}
        told = " ".join(str(x).split())
        assert "variance = E[A^2] - E[A]^2 = 0." in told
        assert f"(RS-EXP-{spec}) as a double" in told

    @pytest.mark.spec("RS-EXP-20")
    def test_a_variance_of_one_document(self) -> None:
        x = rs.explain({"q": {"a": 1}}, {"q": {}}, "q", "variance(DCG)")
        assert "\nvariance = 0   (RS-EXP-20)\n" in str(x)
        assert "\nvariance = 0   (RS-CONV-4)\n" in str(explained("variance(nDCG)", "q4"))

    def test_by_the_formula_of_the_paper_there_is_no_ranking(self) -> None:
        x = explained("RLB(SP@3, bounds='karmaker-2022')")
        assert (x.total, x.rows, x.divisors) == (None, (), {})
        assert x.value == float(3 * Fraction(3, 5) ** 2)
        assert equation("RLB(SP@3, bounds='karmaker-2022')")[0] == "RLB = 1.0800   (RS-BND-10)"
        assert "IUB = 3   (RS-BND-10)" in equation("UL1(SP@3, bounds='karmaker-2022')")
        assert "RLB = 2.5571   (RS-BND-9)" in equation("UL1(DCG@3, bounds='karmaker-2022')")

    @pytest.mark.spec("RS-CONV-4")
    def test_a_divisor_of_0(self) -> None:
        """Nothing of q3 is relevant: IUB and RLB are 0."""
        assert equation("UL2(DCG)", "q3")[-2] == "UL2 = 0, as IUB - RLB = 0   (RS-BND-6)"
        assert equation("U(DCG)", "q3")[-2] == "U = 0, as IUB = 0   (RS-BND-4)"
        x = explained("UL2(DCG)", "q3", undefined="omit")
        assert x.value is None
        assert "UL2 is undefined, as IUB - RLB = 0   (RS-CONV-4)" in str(x)
        one = explained("MinMax(AP, lower='worst')", "q3", undefined="one")
        assert one.value == 1.0
        assert "MinMax = 1, as IUB - WLB = 0   (RS-CONV-4)" in str(one)

    def test_an_expectation_that_is_undefined(self) -> None:
        lines = equation("expected(nDCG)", "q3", undefined="omit")
        assert lines[-2:] == [
            "nDCG is undefined, as IDCG = 0 (RS-CONV-4)",
            "expected is undefined   (RS-CONV-4)",
        ]

    @pytest.mark.spec("RS-CONV-4", "RS-BND-4", "RS-BND-6")
    @pytest.mark.parametrize(
        ("undefined", "value", "words"),
        [
            ("zero", -0.5, "UL2 = (A - RLB) / RLB, as A < RLB   (RS-BND-6)"),
            ("one", 1.0, "UL2 = 1, as IUB - RLB = 0   (RS-CONV-4)"),
            ("omit", None, "UL2 is undefined, as IUB - RLB = 0   (RS-CONV-4)"),
        ],
    )
    def test_below_rlb_where_iub_is_rlb_the_pool_decides(
        self, undefined: str, value: float | None, words: str
    ) -> None:
        """All that is judged is relevant, and the list shows half of it: A - RLB = -RLB/2."""
        qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 2.0, "x": 1.0}}
        x = rs.explain(qrels, run, "q", "UL2(P@2)", undefined=undefined)
        assert x.value == value
        found = rs.evaluate(qrels, run, "UL2(P@2)", undefined=undefined)
        assert found.per_query["UL2(P@2)"].get("q") == value
        assert words in str(x)

    def test_of_scores(self) -> None:
        qrels = {"q": {"a": 100, "b": 80, "c": 90, "d": 15, "e": 10}}
        run = {"q": {"a": 5.0, "x": 4.0, "c": 3.0}}
        x = rs.explain(qrels, run, "q", "UL2(nDCG@3)", relevance="phi")
        assert x.rows[0].phi == 1.0
        assert x.value == rs.evaluate(qrels, run, "UL2(nDCG@3)", relevance="phi")["UL2(nDCG_phi@3)"]
        x = rs.explain(qrels, run, "q", "IUB(nDCG@3)", relevance="phi", pool="retrieved")
        assert [row.document for row in x.rows] == ["a", "c"]
        x = rs.explain(qrels, run, "q", "WLB(nDCG@3)", relevance="phi", pool="retrieved")
        assert [row.document for row in x.rows] == ["c", "a"]

    @pytest.mark.parametrize("metric", ["LDCG", "LNDCG"])
    def test_the_best_list_may_be_shorter_than_the_pool(self, metric: str) -> None:
        """The label 3 alone: another result adds less than a user expects of its rank."""
        x = explained(f"IUB({metric}@4)")
        assert [row.document for row in x.rows] == ["a"]
        beside = explained(f"UL2({metric}@4)").rows
        assert [row.ideal_label for row in beside] == [3, None, None, None]

    @pytest.mark.spec("RS-BND-1")
    def test_without_a_cut_off_it_is_that_of_the_metric(self) -> None:
        """P of a list of one is 1, the best there is; of a random one it is 1/2."""
        qrels, run = {"q": {"a": 1, "b": 1, "c": 0, "d": 0}}, {"q": {"a": 1.0}}
        x = rs.explain(qrels, run, "q", "UL2(P)")
        assert x.divisors == {"k": 1.0}
        assert x.parts == {"A": 1.0, "IUB": 1.0, "RLB": 0.5}
        assert x.value == 1
        x = rs.explain(qrels, run, "q", "UL2(SP)")  # which does not divide by its length
        assert x.parts == {"A": 1.0, "IUB": 2.0, "RLB": 49 / 36}


class TestCascade:
    def test_err(self) -> None:
        """a stops with 7/16, d with 3/16, the others never."""
        x = explained("ERR")
        assert [row.stop for row in x.rows] == [0, 0, 7 / 16, 3 / 16, 0]
        assert [row.reached for row in x.rows] == [1, 1, 1, 9 / 16, 9 / 16 * 13 / 16]
        assert [row.contribution for row in x.rows] == [0, 0, 7 / 48, 27 / 1024, 0]

    def test_err_under_ties(self) -> None:
        """One of a and c is at rank 2: half of those who get there stop with 7/16."""
        x = explained("ERR", ties="expected")
        assert [row.stop for row in x.rows] == [0, 7 / 32, 7 / 32, 3 / 16, 0]
        assert [row.reached for row in x.rows] == [1, 1, 25 / 32, 9 / 16, 9 / 16 * 13 / 16]
        assert [row.contribution for row in x.rows] == [0, 7 / 64, 7 / 96, 27 / 1024, 0]

    @pytest.mark.parametrize("ties", ["id-descending", "expected"])
    def test_a_rank_adds_those_who_stop_there(self, ties: str) -> None:
        rows = explained("ERR(stop=[0, 0.25, 0.5, 1])", ties=ties).rows
        following = [row.reached for row in rows[1:]]
        for row, reached in zip(rows, following, strict=False):
            assert row.reached is not None
            assert reached is not None
            assert row.contribution == pytest.approx((row.reached - reached) / row.rank, rel=1e-15)

    def test_rbp(self) -> None:
        x = explained("RBP(p=0.5)", ties="expected")
        assert [row.weight for row in x.rows] == [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32]
        assert [row.relevant for row in x.rows] == [0, 0.5, 0.5, 1, 0]
        assert [row.contribution for row in x.rows] == [0, 1 / 8, 1 / 16, 1 / 16, 0]
        assert x.total == x.value == 1 / 4

    def test_residual_of_rbp(self) -> None:
        x = explained("RBP_residual(p=0.5)")
        assert [row.unjudged for row in x.rows] == [1, 0, 0, 0, 0]
        assert [row.contribution for row in x.rows] == [1 / 2, 0, 0, 0, 0]
        assert x.beyond == 1 / 32
        assert x.value == 1 / 2 + 1 / 32
        assert "RBP_residual = 0.5000 + 0.03125 below = 0.5312\n" in str(x)
        assert "- unjudged: it might be relevant (RS-CAS-6)" in str(x)
        assert explained("RBP_residual", "q2").value == explained("RBP_residual", "q2").beyond == 1

    @pytest.mark.spec("RS-CAS-1")
    @pytest.mark.parametrize("around", ["{}", "UL2({})"])
    def test_the_definition_has_one_source_of_stop_probabilities(self, around: str) -> None:
        definition = explained(around.format("ERR(stop=[0, 0.25, 0.5, 1])")).definition
        assert definition["max"] == "not used: stop is given (RS-CAS-1)"
        assert definition["stop"].startswith("[0, ")
        definition = explained(around.format("ERR(max=3)")).definition
        assert definition["max"] == "the largest label is 3 (RS-CAS-1)"
        assert definition["stop"] == "made of max (RS-CAS-1)"

    @pytest.mark.spec("RS-CAS-6")
    def test_the_residual_has_no_labels_for_the_unjudged(self) -> None:
        told = explained("RBP_residual").definition["unjudged"]
        assert told == "nonrelevant: not used, as it asks which are unjudged (RS-CAS-6)"
        assert "count as label 0" in explained("RBP").definition["unjudged"]
        condensed = explained("RBP_residual", unjudged="condensed").definition["unjudged"]
        assert condensed == "condensed: are left out of the list (RS-CONV-13)"

    def test_gap(self) -> None:
        """Of the labels 3 and 2, of which all are relevant with 3/4 and 2/4: at rank 4 both of two
        for label 1 and label 2.
        """
        x = explained("GAP")
        assert [row.relevant for row in x.rows] == [0, 0, 3 / 4, 2 / 4, 0]
        assert [row.contribution for row in x.rows] == [0, 0, 1 / 4, 1 / 4, 0]
        assert x.divisors == {"expected number relevant": 1.5}
        assert x.value == 1 / 3
        # At rank 4 the label 1 and the label 2 have each found two of four.
        assert [row.precision for row in x.rows] == [None, None, 1 / 3, 1 / 2, None]
        assert "adds = rel * prec; prec: the share found so far" in str(x)

    def test_gap_adds_what_the_columns_say(self) -> None:
        """b, of label 2, after a, of label 1: q_1 · 2/2 and q_2 · 1/2 of 1/2 + 1/4."""
        qrels, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
        first, second = rs.explain(qrels, run, "q", "GAP(q=[0.5, 0.25])").rows
        assert (first.relevant, first.precision, first.contribution) == (0.5, 1.0, 0.5)
        assert (second.relevant, second.contribution) == (0.75, 0.625)
        assert second.precision == float(Fraction(625, 750))

    @pytest.mark.parametrize(
        ("measure", "told"),
        [
            ("AP", "adds: the mean of rel * prec over the orders"),
            ("RLB(SP)", "adds: the mean of rel * prec over the orders"),
            ("nERR", "adds: the mean of reach * stop / # over the orders"),
            ("RR", "adds: the share of orders with the first relevant document there, over #"),
            ("DCG", None),
            ("P@3", None),
            ("RBP", None),
        ],
    )
    def test_what_ties_add_is_no_product_of_means(self, measure: str, told: str | None) -> None:
        for ties in ("expected", "best"):
            text = str(explained(measure, ties=ties))
            open_ = ties == "expected" or measure.startswith("RLB")
            assert ("adds: " in text) == (told is not None and open_)
            assert told is None or not open_ or told in text

    def test_gap_skips_no_label(self) -> None:
        """A label of which nothing is in the list, and one that is never the first."""
        x = rs.explain(
            {"q": {"a": 1, "b": 3, "c": 4}},
            {"q": {"x": 4.0, "b": 3.0, "a": 2.0}},
            "q",
            "GAP(q=[0.5, 0, 0.25, 0.125])",
        )
        # Rank 2, label 3: (0.5 + 0 + 0.25)/2; rank 3, label 1: 0.5 · 2/3.
        assert [row.contribution for row in x.rows] == [0, 0.375, 1 / 3]
        assert x.total == 17 / 24


def test_what_is_added_to_a_complete_sum_is_one_number() -> None:
    """Else a mean over the orders of a tie group would have as many parts as the group has sets."""
    R = InSummands(RATIONALS)
    two, three = R.exact(2), R.exact(3)
    assert summands(R.exact(0) + two + three) == [2, 3]
    assert summands(0 + two + three) == [2, 3]
    assert summands((R.exact(0) + two + three) * 2 + three) == [13]
    assert summands(1 - (R.exact(0) + two + three)) == [-4]


class TestText:
    @each("measure", [*ALL, "ERR", "nERR@3", "RBP", "RBP_residual", "GAP"], fast=24)
    def test_80_columns(self, measure: str) -> None:
        for query in ("q1", "q3"):
            x = explained(measure, query, ties="expected")
            for digits in (0, 4, 17):
                lines = table(x, digits).splitlines()
                assert max(map(len, lines)) <= 80
                assert all(line == line.rstrip() for line in lines)

    @each("measure", [*ALL[::7], "RBP_residual"], fast=6)
    def test_json(self, measure: str, capsys: Capture, tmp_path: Path) -> None:
        qrels = [f"{q} 0 {d} {x}\n" for q, docs in QRELS.items() for d, x in docs.items()]
        run = [f"{q} Q0 {d} 1 {x} t\n" for q, docs in RUN.items() for d, x in docs.items()]
        for name, lines in (("qrels", qrels), ("run", run)):
            (tmp_path / name).write_text("".join(lines))
        files = [str(tmp_path / "qrels"), str(tmp_path / "run")]
        assert main(["explain", *files, "--query", "q1", "-m", measure, "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        x = explained(measure)
        assert {name: found[name] for name in x.to_dict()} == x.to_dict()
        assert found["parts"] == x.parts
