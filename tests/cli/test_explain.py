"""``rankspec explain`` and ``rs.explain``: the rows by hand, the value as evaluate() gives it."""

from __future__ import annotations

import json
import math
import pickle
import re
from collections.abc import Callable
from copy import copy
from fractions import Fraction
from itertools import pairwise, permutations
from math import inf
from pathlib import Path
from time import process_time
from typing import Any, ClassVar

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.analysis.explain.contributions import Contributions
from rankspec.analysis.explain.explanation import table
from rankspec.cli.main import main
from rankspec.evaluation.conventions import convention
from rankspec.evaluation.profiles import PROFILES
from rankspec.metrics.breakdown import Breakdown, Column, of_rank
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import measures
from rankspec.metrics.measure import Metric, Ranking
from rankspec.records import replace
from rankspec.reference.numbers.reals import Number, Reals
from rankspec.reference.numerics import nearest_double, nearest_double_of
from tests.reference.balls import log, nearest

from ..each import each
from . import running
from .running import Capture

QRELS = {"q1": {"a": 3, "b": 0, "c": -1, "d": 2, "e": 1}, "q2": {"a": 1}, "q3": {"z": 0}}
RUN = {"q1": {"x": 9.0, "a": 8.5, "c": 8.5, "d": 7.0, "b": 1.0}, "q3": {"y": 1.0}, "q4": {"a": 1.0}}
CUTOFFS = (1, 3, 50)  # each metric has one of them, in turn
MEASURES = [str(m(k)) for a, m in enumerate(METRICS) for k in (None, CUTOFFS[a % 3])]
MORE_MEASURES = [
    "nDCG(gain='exp2', discount='jarvelin-2008(b=2)')@4",
    "DCG(gain='0-1-10-100', discount='zipf')",
    "nDCG(discount=[1, 0.5, 0.5, 0.25, 0])@5",
    "AP(norm='min')@2",
    "AP(rel=2, norm='k')",
    "RR(rel=3)",
    "nDCG(ideal='all')@2",
    "nDCG(ideal='all')@1",
    "nDCG(ideal='all')@50",
    "LDCG(gain='linear', prior='uniform')@2",
    "LDCG(Z='none', discount='zipf')@3",
    "LNDCG(ideal='eq7', prior=[3, 2, 1, 1, 0, 0, 0, 0, 0, 0])@2",
    "GAP(q=[0, 0.5, 0, 0.25])@3",
    "ERR(stop=[0, 0.25, 0.5, 1])",
    "nERR(stop=[0.125, 0.25, 0.5, 1])@4",
    "RBP(p=0.5, rel=2)@3",
    "RBP_residual(p=0.95)@4",
]


TIES = convention("ties").values


def half_ulp(x: float) -> Fraction:
    """How far the number that x is the nearest double of may be from it."""
    return Fraction(math.ulp(x)) / 2


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(flint.ctx, "prec", 200)
    qrels = [f"{q} 0 {d} {x}\n" for q, documents in QRELS.items() for d, x in documents.items()]
    run = [f"{q} Q0 {d} 1 {x} t\n" for q, documents in RUN.items() for d, x in documents.items()]
    Path("qrels.txt").write_text("".join(qrels))
    Path("a.run").write_text("".join(run))


def printed(capsys: Capture, *arguments: str) -> str:
    return running.output(capsys, "explain", "qrels.txt", "a.run", *arguments)


class TestValues:
    @pytest.mark.slow
    @each("rule", TIES)
    @each("measure", MEASURES + MORE_MEASURES, fast=25)
    def test_are_those_of_evaluate(self, measure: str, rule: str) -> None:
        result = rs.evaluate(QRELS, RUN, measure, ties=rule)
        (name,) = result.per_query
        for query, value in result.per_query[name].items():
            explanation = rs.explain(QRELS, RUN, query, measure, ties=rule)
            assert explanation.value == value
            assert max(map(len, str(explanation).splitlines())) <= 80

    @pytest.mark.slow(but=5)
    @pytest.mark.parametrize("measure", MEASURES + MORE_MEASURES[:1] + MORE_MEASURES[3:])
    @given(
        listed=st.lists(st.tuples(st.integers(-1, 3), st.integers(0, 3)), max_size=7),
        unlisted=st.lists(st.integers(0, 3), max_size=3),
        rule=st.sampled_from(sorted(TIES)),
    )
    def test_follow_from_the_rows(
        self, listed: list[tuple[int, int]], unlisted: list[int], measure: str, rule: str
    ) -> None:
        """The rows add up to the total, and the total over the divisors is the value.

        Each of these doubles is off by at most half an ulp, and so are sum and quotient bounded.
        """
        judged = {f"d{i}": label for i, (label, _) in enumerate(listed)}
        judged |= {f"e{i}": label for i, label in enumerate(unlisted)}
        if measure.startswith("AUC"):
            judged["nonrelevant"] = 0  # without one it is refused
        run = {f"d{i}": score for i, (_, score) in enumerate(listed)}
        x = rs.explain({"q": judged}, {"q": run}, "q", measure, ties=rule)
        adds = [row.contribution for row in x.rows] + [x.beyond or 0.0]
        error = abs(sum(map(Fraction, adds)) - Fraction(x.total))
        assert error <= sum(map(half_ulp, adds)) + half_ulp(x.total)
        if x.rows and x.beyond is None:
            assert x.rows[-1].running == x.total
        assert x.value == rs.evaluate({"q": judged}, {"q": run}, measure, ties=rule)[measure]
        divisors = x.divisors.values()
        if 0 in divisors:
            assert x.value == 0
        else:
            most, least = (
                math.prod(Fraction(y) + side * half_ulp(y) for y in divisors) for side in (1, -1)
            )
            lowest = (Fraction(x.total) - half_ulp(x.total)) / most
            highest = (Fraction(x.total) + half_ulp(x.total)) / least
            assert nearest_double(lowest) <= x.value <= nearest_double(highest)


class TestRowsByHand:
    def test_ndcg_with_open_ties(self) -> None:
        """The group {a: 3, c: -1, which counts as 0} is at the ranks 2 and 3: mean gain 3/2."""
        x = rs.explain(QRELS, RUN, "q1", "nDCG@10", ties="expected")
        half, one, two, three = (flint.arb(n) / 2 for n in (1, 2, 4, 6))
        terms = [0 * one, three / 2 / log(3, 2), three / 4, two / log(5, 2), 0 * one]
        ideal = [three, two / log(3, 2), half, 0 * one, 0 * one]
        assert [row.document for row in x.rows] == ["x", "a", "c", "d", "b"]
        assert [row.score for row in x.rows] == [9.0, 8.5, 8.5, 7.0, 1.0]
        assert [row.label for row in x.rows] == [None, 3, -1, 2, 0]
        assert [row.counted for row in x.rows] == [0, 3, 0, 2, 0]
        assert [row.tied for row in x.rows] == [None, (2, 3), (2, 3), None, None]
        assert [row.gain for row in x.rows] == [0.0, 1.5, 1.5, 2.0, 0.0]
        assert [row.discount for row in x.rows] == [nearest(1 / log(i + 1, 2)) for i in range(1, 6)]
        assert [row.contribution for row in x.rows] == [nearest(t) for t in terms]
        sums = [sum(terms[:i], start=flint.arb(0)) for i in range(1, 6)]
        assert [row.running for row in x.rows] == [nearest(s) for s in sums]
        assert [row.ideal_label for row in x.rows] == [3, 2, 1, 0, 0]
        assert [row.ideal_contribution for row in x.rows] == [nearest(t) for t in ideal]
        assert x.total == nearest(sums[-1])
        best = sum(ideal, start=flint.arb(0))
        assert x.divisors == {"IDCG@10": nearest(best)}
        assert x.value == nearest(sums[-1] / best)
        assert x.expected
        assert {row.relevant for row in x.rows} == {None}

    def test_dcg_with_broken_ties(self) -> None:
        """c comes before a: by document id, descending."""
        x = rs.explain(QRELS, RUN, "q1", "DCG(gain='exp2')@3")
        assert [row.document for row in x.rows] == ["x", "c", "a"]
        assert [row.gain for row in x.rows] == [0.0, 0.0, 7.0]
        assert [row.contribution for row in x.rows] == [0.0, 0.0, 3.5]
        assert [row.tied for row in x.rows] == [None, (2, 3), (2, 3)]
        assert not x.expected
        assert x.divisors == {}

    @pytest.mark.spec("RS-EXP-49")
    @each("measure", ["INST", "BPM", "Compat", "NERR8"])
    def test_ranks_of_several_tied_groups_add_up(self, measure: str) -> None:
        """The mean over 3! · 2! orders: each order of each group with each of the other."""
        qrels = {"q": {"a": 2, "b": 1, "c": 0, "d": 3, "e": 1}}
        run = {"q": {"a": 2.0, "b": 2.0, "c": 2.0, "d": 1.0, "e": 1.0}}
        x = rs.explain(qrels, run, "q", measure, ties="expected")
        orders = [
            (*first, *second) for first in permutations("abc") for second in permutations("de")
        ]
        lists = [
            {"q": dict(zip(order, (5.0, 4.0, 3.0, 2.0, 1.0), strict=True))} for order in orders
        ]
        values = [rs.evaluate(qrels, run, measure)[measure] for run in lists]
        adds = [row.contribution for row in x.rows]
        assert sum(adds) + (x.beyond or 0.0) == pytest.approx(sum(values) / 12, rel=1e-12)

    @pytest.mark.spec("RS-EXP-49")
    @each("measure", ["NERR8", "NERR8@2", "NERR11@3", "INST@2", "BPM@2", "Compat@2"])
    def test_a_rank_adds_the_mean_of_what_it_adds_in_each_order(self, measure: str) -> None:
        """Where an item of gain 1, or the cut-off, ends some orders before others."""
        qrels = {"q": {"a": 4, "b": 2, "c": 0, "d": 2}}
        x = rs.explain(qrels, {"q": dict.fromkeys("abcd", 1.0)}, "q", measure, ties="expected")
        orders = list(permutations("abcd"))
        runs = [{"q": {d: -float(i) for i, d in enumerate(order)}} for order in orders]
        of_each = [rs.explain(qrels, run, "q", measure).rows for run in runs]
        for i, row in enumerate(x.rows):
            mean = sum(rows[i].contribution or 0.0 for rows in of_each) / len(orders)
            assert row.contribution == pytest.approx(mean, rel=1e-12)

    def test_a_label_of_0_adds_the_gain_it_has(self) -> None:
        """And fractions below the least relevant label add theirs."""
        x = rs.explain(QRELS, RUN, "q1", "CG(gain='1-2-3-4')@4")
        assert [row.contribution for row in x.rows] == [1.0, 1.0, 4.0, 3.0]
        assert [row.running for row in x.rows] == [1.0, 2.0, 6.0, 9.0]
        x = rs.explain({"q": {"a": 0.5, "b": 0.25}}, {"q": {"a": 2, "b": 1}}, "q", "DCG")
        assert x.rows[0].contribution == 0.5

    @pytest.mark.parametrize(
        ("measure", "adds", "divisor", "value"),
        [
            # c is judged not relevant; a and d are relevant, and so is e, which is not retrieved.
            ("P@4", [0, 0, 1, 1], 4, "1/2"),
            ("R@4", [0, 0, 1, 1], 3, "2/3"),
            ("SP@4", [0, 0, "1/3", "1/2"], None, "5/6"),
            ("AP@4", [0, 0, "1/3", "1/2"], 3, "5/18"),
            ("AP(norm='min')@2", [0, 0], 2, "0"),
            ("RR@4", [0, 0, "1/3", 0], None, "1/3"),
        ],
    )
    def test_binary(self, measure: str, adds: list, divisor: int | None, value: str) -> None:
        x = rs.explain(QRELS, RUN, "q1", measure)
        k = len(adds)
        assert [row.relevant for row in x.rows] == [0, 0, 1, 1][:k]
        assert [row.precision for row in x.rows] == [0, 0, 1 / 3, 1 / 2][:k]
        assert [row.contribution for row in x.rows] == [float(Fraction(t)) for t in adds]
        assert list(x.divisors.values()) == ([] if divisor is None else [divisor])
        assert x.value == float(Fraction(value))
        assert {row.gain for row in x.rows} == {row.ideal_label for row in x.rows} == {None}

    @pytest.mark.parametrize(
        ("measure", "adds", "value"),
        [
            # Each of a and c is at rank 2 or 3 with probability 1/2, and only a is relevant.
            ("P@4", [0, "1/2", "1/2", 1], "1/2"),
            ("R", [0, "1/2", "1/2", 1, 0], "2/3"),
            ("SP", [0, "1/4", "1/6", "1/2", 0], "11/12"),
            ("AP", [0, "1/4", "1/6", "1/2", 0], "11/36"),
            ("RR", [0, "1/4", "1/6", 0, 0], "5/12"),
        ],
    )
    def test_binary_with_open_ties(self, measure: str, adds: list, value: str) -> None:
        x = rs.explain(QRELS, RUN, "q1", measure, ties="expected")
        k = len(adds)
        assert [row.relevant for row in x.rows] == [0, 0.5, 0.5, 1, 0][:k]
        assert [row.precision for row in x.rows] == [0, 1 / 4, 1 / 3, 1 / 2, 2 / 5][:k]
        assert [row.contribution for row in x.rows] == [float(Fraction(t)) for t in adds]
        assert x.value == float(Fraction(value))

    def test_idcg_shows_the_judged_documents(self) -> None:
        x = rs.explain(QRELS, RUN, "q1", "IDCG(discount='zipf')")
        assert [row.document for row in x.rows] == ["a", "d", "e", "b", "c"]
        assert [row.contribution for row in x.rows] == [3.0, 1.0, 1 / 3, 0.0, 0.0]
        assert {row.score for row in x.rows} == {None}

    def test_the_ideal_is_shown_beyond_the_list(self) -> None:
        x = rs.explain({"q": {"a": 2, "b": 2, "c": 1}}, {"q": {"a": 1.0}}, "q", "nDCG@2")
        assert [row.document for row in x.rows] == ["a", None]
        assert [row.ideal_label for row in x.rows] == [2, 2]
        assert [row.running for row in x.rows] == [2.0, 2.0]
        assert x.rows[1].label is x.rows[1].counted is x.rows[1].gain is None

    @pytest.mark.parametrize("rule", ["expected", "id-descending"])
    def test_the_ideal_is_shown_beyond_the_cut_off_where_it_is_not_cut(self, rule: str) -> None:
        """a and c tie at the ranks 2 and 3, of which the cut-off leaves the first."""
        x = rs.explain(QRELS, RUN, "q1", "nDCG(ideal='all', discount='zipf')@2", ties=rule)
        first = {"expected": "a", "id-descending": "c"}[rule]
        adds = {"expected": 0.75, "id-descending": 0.0}[rule]
        assert [row.document for row in x.rows] == ["x", first, None, None, None]
        assert [row.score for row in x.rows] == [9.0, 8.5, None, None, None]
        assert [row.tied for row in x.rows] == [None, (2, 3), None, None, None]
        assert [row.contribution for row in x.rows] == [0.0, adds, 0.0, 0.0, 0.0]
        assert [row.running for row in x.rows] == [0.0, adds, adds, adds, adds]
        assert [row.ideal_label for row in x.rows] == [3, 2, 1, 0, 0]
        assert [row.ideal_contribution for row in x.rows] == [3.0, 1.0, 1 / 3, 0.0, 0.0]
        assert x.total == adds
        assert x.divisors == {"IDCG": 13 / 3}
        assert x.value == float(Fraction(adds) / Fraction(13, 3))

    def test_the_length_normaliser_grows_rank_by_rank(self) -> None:
        """Discount and prior 1/i: the user's expectation of i results is 1 + 1/4 + ... + 1/i^2.

        The pool is 3, 2, 1, 0, 0: the best list of one has 3, of two (3 + 2/2) / (5/4), which is
        more, and of three (3 + 1 + 1/3) / (49/36), which is less.
        """
        x = rs.explain(QRELS, RUN, "q1", "LNDCG(gain='linear', discount='zipf')@3")
        assert [row.document for row in x.rows] == ["x", "c", "a"]
        assert [row.contribution for row in x.rows] == [0.0, 0.0, 1.0]
        assert [row.expected for row in x.rows] == [1.0, 1.25, float(Fraction(49, 36))]
        assert [row.ideal_label for row in x.rows] == [3, 2, None]
        assert [row.ideal_contribution for row in x.rows] == [3.0, 1.0, None]
        assert x.shown_by_ideal == 2
        ideal = Fraction(4) / Fraction(5, 4)
        assert x.divisors == {
            "user's expectation": float(Fraction(49, 36)),
            "ILDCG@3": float(ideal),
        }
        assert x.value == float(1 / Fraction(49, 36) / ideal)
        by_eq7 = rs.explain(QRELS, RUN, "q1", "LNDCG(gain='linear', discount='zipf', ideal='eq7')")
        assert by_eq7.shown_by_ideal == 1
        assert by_eq7.divisors["ILDCG"] == 3

    def test_the_ideal_of_a_list_of_at_most_m(self) -> None:
        """ILDCG is explained by the list that has it: of the pool 3, 2, 1, 0, 0 the best two."""
        x = rs.explain(QRELS, RUN, "q1", "ILDCG(gain='linear', discount='zipf', Z='none')@4")
        assert [row.label for row in x.rows] == [3, 2]
        assert [row.expected for row in x.rows] == [1.0, 1.25]
        assert x.total == 4
        assert x.value == 4 / 1.25
        with_Z = rs.explain(QRELS, RUN, "q1", "ILDCG(gain='linear', discount='zipf')@2")
        assert with_Z.divisors == {"user's expectation": 1.25 / 1.5}  # p is 2/3, 1/3


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("NERR8(max_rel=4)@2", [0.0, 0.5]),  # 1/4 over 1 + 1, of gains 0 and 1
        ("BPM(T=5, max_rel=4)@4", [0.0, 0.25]),  # 1 over 4 ranks
        ("infAP", [0.0, (1 + 1e-5 / (1 + 2e-5)) / 2]),  # 1/2 + 1/2 times eps over 1 + 2 eps
    ],
)
def test_what_has_no_gain_adds_nothing(measure: str, expected: list[float]) -> None:
    x = rs.explain({"q": {"a": 0, "b": 4}}, {"q": {"a": 2.0, "b": 1.0}}, "q", measure)
    assert [row.contribution for row in x.rows] == pytest.approx(expected, rel=1e-15)
    assert x.total == pytest.approx(sum(expected), rel=1e-15)


def test_what_has_no_gain_adds_nothing_to_levels() -> None:
    qrels = {"q": {"a": 0, "b": 4, "c": 1}}
    x = rs.explain(qrels, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, "q", "nDCG_levels")
    second = 4 / math.log2(3) / (4 + 1 / math.log2(3)) / 2  # at ranks 1 and 2, where levels end
    assert [row.contribution for row in x.rows] == pytest.approx([0, second, 0], rel=1e-15)


class TestSummands:
    """What a rank adds is the sum at its cut-off less the sum at the one before."""

    @pytest.mark.slow(but=5)
    @pytest.mark.parametrize("name", MEASURES + MORE_MEASURES)
    @given(
        groups=st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=4), max_size=4),
        unlisted=st.lists(st.integers(0, 3), max_size=2),
    )
    def test_are_differences(self, groups: list[list[int]], unlisted: list[int], name: str) -> None:
        (measure,) = measures(name)
        of_levels = measure.metric.name == "nDCG_levels"
        if (
            measure.metric.expected_spec == "RS-EXP-49"
            or measure.metric.breakdown.whole
            or of_levels
        ):
            return  # its value at a cut-off is no part of it
        pool = [label for group in groups for label in group] + unlisted
        if measure.metric.of_pool:
            groups = [[label] for label in sorted(pool, reverse=True)]
        sums = Contributions(measure, Ranking(groups, pool))

        def equation(cutoff: int) -> Callable[[Reals], Number]:
            return lambda R: sums.equation(measure, sums.ranking, cutoff, R) - beyond(cutoff)

        def beyond(cutoff: int) -> Fraction:
            """What the residual of RBP has of no rank."""
            residual = measure.metric.name.endswith("RBP_residual")
            if measure.metric.name == "NumQ":  # it is 1, whatever there is
                return Fraction(1)
            if measure.metric.name == "AUC":  # half of all pairs: what shows nothing has as many
                relevant = sum(label >= 1 for label in pool)
                return Fraction(relevant * (len(pool) - relevant), 2)
            listed = sum(map(len, groups))
            return Fraction(measure.p) ** min(cutoff, listed) if residual else Fraction(0)

        assert sums.running(0) == 0
        for i in range(1, min(sums.k, 5, *discount_depth(measure)) + 1):
            up_to, before = equation(i), equation(i - 1)
            difference = nearest_double_of(lambda R, a=up_to, b=before: a(R) - b(R))  # type: ignore[misc]
            assert sums.contribution(i) == difference
            assert sums.running(i) == nearest_double_of(up_to)

    @pytest.mark.slow(but=2)
    @pytest.mark.parametrize("measure", ["nDCG", "AP", "RR", "P@1000"])
    @pytest.mark.parametrize("distinct", [1, 1000])
    def test_are_had_in_one_pass(self, measure: str, distinct: int) -> None:
        """A pass a rank takes ten times as long and more, of 1,000 ranks."""
        judged = {f"d{i}": i % 7 % 4 for i in range(0, 1000, 2)}
        run = {f"d{i}": i % distinct for i in range(1000)}
        begun = process_time()
        rs.explain({"q": judged}, {"q": run}, "q", measure, ties="expected")
        assert process_time() - begun < 2


class TestColumns:
    """What is shown of a metric is data of the metric: nothing else knows of its columns."""

    def own(self) -> rs.Measure:
        """DCG with a column that no metric of the spec has."""
        twice = Column("twice", "2x", of_rank(lambda _, R: lambda i: R.exact(2 * i)), "2x: # twice")
        breakdown = Breakdown((*rs.DCG.breakdown.columns, twice), unjudged="counts as nothing")
        metric = replace(rs.DCG, name="own", function="own", breakdown=breakdown)
        return replace(rs.DCG(k=4), metric=metric)

    def test_a_new_one_is_shown(self) -> None:
        x = rs.explain(QRELS, RUN, "q1", self.own())
        assert [row.twice for row in x.rows] == [2, 4, 6, 8]
        assert [row.gain for row in x.rows] == [
            row.gain for row in rs.explain(QRELS, RUN, "q1", "DCG@4").rows
        ]
        header, *lines = str(x).split("\n\n")[1].splitlines()
        assert header.split()[-4:] == ["disc", "2x", "adds", "sum"]
        assert [line.split()[-3] for line in lines] == ["2", "4", "6", "8"]
        assert "2x: # twice\n- unjudged: counts as nothing\n" in str(x)

    def test_json_has_it_behind_those_that_each_row_has(self) -> None:
        (row, *_) = rs.explain(QRELS, RUN, "q1", self.own()).to_dict()["rows"]
        (known, *_) = rs.explain(QRELS, RUN, "q1", "DCG@4").to_dict()["rows"]
        assert list(row) == [*known, "twice"]
        assert row == known | {"twice": 2}

    def test_a_row_has_those_of_other_metrics_too(self) -> None:
        (row, *_) = rs.explain(QRELS, RUN, "q1", "DCG").rows
        assert row.phi is row.precision is row.weight is None
        with pytest.raises(AttributeError, match="a row has no 'twice'"):
            _ = row.twice
        assert pickle.loads(pickle.dumps(row)) == copy(row) == row  # noqa: S301 - our own

    @pytest.mark.parametrize("metric", METRICS, ids=str)
    def test_the_closed_form_of_each_variance_is_shown(self, metric: Metric) -> None:
        assert (metric.breakdown.variance is None) == (metric.orders.variance is None)
        assert metric.breakdown.columns


def discount_depth(measure: rs.Measure) -> list[int]:
    """The last rank that has a weight, where the weights are given."""
    tables = measure.metric.tables(measure, 0).values()
    return [int(weights.depth) for weights, _ in tables if weights.depth < inf]


class TestConventions:
    """By hand, on q1: x (unjudged), {a: 3, c: -1} tied, d: 2, b: 0; e: 1 is not retrieved."""

    def documents(self, **conventions: Any) -> list[str]:
        x = rs.explain(QRELS, RUN, "q1", "CG", **conventions)
        return [row.document for row in x.rows if row.document is not None]

    def test_condensed(self, capsys: Capture) -> None:
        assert self.documents(unjudged="condensed") == ["c", "a", "d", "b"]
        text = printed(capsys, "--query", "q1", "--unjudged", "condensed")
        assert "\n1 more of the run is left out: unjudged (RS-CONV-13)\n" in text
        assert "- unjudged" not in text

    def test_negative_labels_as_no_judgment(self, capsys: Capture) -> None:
        assert self.documents(unjudged="condensed", negative="unjudged") == ["a", "d", "b"]
        text = printed(capsys, "--query", "q1", "--negative", "unjudged")
        assert "-1>0" in text
        assert "\n> a negative label counts as no judgment (RS-CONV-15)\n" in text
        x = rs.explain(QRELS, RUN, "q1", "nDCG", negative="unjudged")
        # Of five documents in the pool four are left: the ideal has one rank less.
        assert [row.ideal_label for row in x.rows] == [3, 2, 1, 0, None]

    def test_depth(self, capsys: Capture) -> None:
        assert self.documents(depth=2) == ["x", "c"]
        text = printed(capsys, "--query", "q1", "--depth", "2", "-m", "P@1")
        assert "\n1 more of the run is below the cut-off (RS-CONV-2)\n" in text
        assert "\n3 more of the run are left out: beyond the depth (RS-CONV-16)\n" in text

    def test_depth_of_condensed_lists(self, capsys: Capture) -> None:
        options = ["--unjudged", "condensed", "--depth", "1"]
        text = printed(capsys, "--query", "q1", *options)
        reasons = "unjudged (RS-CONV-13) or beyond the depth (RS-CONV-16)"
        assert f" 4 more of the run are left out: {reasons} " in " ".join(text.split())
        assert max(map(len, text.splitlines())) <= 80

    def test_the_pool_of_what_is_retrieved(self) -> None:
        x = rs.explain(QRELS, RUN, "q1", "nDCG", pool="retrieved")
        assert [row.ideal_label for row in x.rows] == [3, 2, 0, 0, 0]
        x = rs.explain(QRELS, RUN, "q1", "IDCG", pool="retrieved")
        assert [row.document for row in x.rows] == ["a", "d", "x", "c", "b"]
        assert [row.label for row in x.rows] == [3, 2, None, -1, 0]

    def test_an_undefined_value(self, capsys: Capture) -> None:
        text = printed(capsys, "--query", "q3", "--undefined", "omit")
        assert text.startswith("nDCG@10 of query q3: undefined\n")
        assert "\nnDCG@10 is undefined, as IDCG@10 = 0 (RS-CONV-4)\n" in text
        assert "as a double" not in text
        text = printed(capsys, "--query", "q3", "--undefined", "omit", "--format", "json")
        assert json.loads(text)["value"] is None
        text = printed(capsys, "--query", "q3", "--undefined", "one", "-m", "AP")
        assert text.startswith("AP of query q3: 1.0000\n")
        assert "\nAP = 1, as N_p = 0 (RS-CONV-4)\nas a double: 1.0\n" in text

    def test_scores_that_are_one_float(self) -> None:
        run = {"q": {"a": 1 + 2**-30, "b": 1.0, "c": 0.5}}
        judged = {"q": {"b": 1}}
        assert [r.tied for r in rs.explain(judged, run, "q", "RR").rows] == [None, None, None]
        x = rs.explain(judged, run, "q", "RR", scores="float32")
        assert [row.document for row in x.rows] == ["b", "a", "c"]
        assert [row.tied for row in x.rows] == [(1, 2), (1, 2), None]
        assert "compared as 32-bit floats (RS-CONV-12)" in " ".join(str(x).split())

    @pytest.mark.parametrize("profile", [p.name for p in PROFILES])
    def test_a_profile(self, profile: str) -> None:
        if profile == "sklearn":  # which knows no negative labels
            qrels, run = {"q1": {"a": 1, "b": 0}}, {"q1": {"a": 1.0, "b": 1.0}}
        else:
            qrels, run = {"q1": QRELS["q1"]}, {"q1": RUN["q1"]}
        x = rs.explain(qrels, run, "q1", "nDCG@3", profile=profile)
        result = rs.evaluate(qrels, run, "nDCG@3", profile=profile)
        (values,) = result.per_query.values()
        assert x.value == values["q1"]
        assert x.definition["profile"] == f"{profile} (RS-CONV-18)"
        assert max(map(len, str(x).splitlines())) <= 80

    @pytest.mark.parametrize("rule", ["lowest", "highest"])
    def test_bounds_have_no_labels_to_show(self, rule: str) -> None:
        with pytest.raises(rs.InputError, match="so no labels can be shown"):
            rs.explain(QRELS, RUN, "q1", "AP", unjudged=rule)

    def test_in_json(self, capsys: Capture) -> None:
        text = printed(capsys, "--query", "q1", "--depth", "3", "--format", "json")
        document = json.loads(text)
        assert document["conventions"]["depth"] == 3
        assert document["listed"] == 3
        assert document["retrieved"] == 5


class TestTable:
    def test_of_ndcg(self, capsys: Capture) -> None:
        text = printed(capsys, "--query", "q1", "--ties", "expected")
        assert text.startswith("nDCG@10 of query q1: 0.5371\n\n")
        ranks = text.split("\n\n")[1].splitlines()
        assert ranks[0].split() == (
            "# document score label gain disc adds sum ideal adds".split()  # noqa: SIM905
        )
        assert ranks[1].split() == "1 x 9 - 0.0000 1.0000 0.0000 0.0000 3 3.0000".split()  # noqa: SIM905
        assert ranks[3].split() == "3= c 8.5 -1>0 1.5000 0.5000 0.7500 1.6964 1 0.5000".split()  # noqa: SIM905
        for line in (
            "= equal scores: ranks 2-3; each shows the mean of its group (expected)",
            "- unjudged: counts as 0 (RS-CONV-8)",
            "> a negative label counts as 0 (RS-CONV-15)",
            "E[DCG@10] = 0.9464 + 0.7500 + 0.8614 = 2.5577",
            "IDCG@10 = 3 + 1.2619 + 0.5000 = 4.7619   (RS-DCG-5)",
            "E[nDCG@10] = E[DCG@10] / IDCG@10 = 2.5577 / 4.7619 = 0.5371",
        ):
            assert line in text.splitlines(), text

    def test_of_ndcg_over_the_whole_ideal(self, capsys: Capture) -> None:
        measure = "nDCG(ideal='all', discount='zipf')@4"
        lines = printed(capsys, "--query", "q1", "-m", measure, "--ties", "best").splitlines()
        for line in (
            "1 more of the run is below the cut-off (RS-CONV-2)",
            "below rank 4 there is the ideal alone, which is not cut (RS-DCG-7)",
            "DCG@4 = 1.5000 + 0.5000 = 2",
            "IDCG = 3 + 1 + 0.3333 = 4.3333   (RS-DCG-5)",
            "nDCG@4 = DCG@4 / IDCG = 2 / 4.3333 = 0.4615",
            "ideal       all: the whole pool, uncut (RS-DCG-7)",
        ):
            assert line in lines
        cut = printed(capsys, "--query", "q1", "-m", "nDCG@4")
        assert "RS-DCG-7)\n" in cut
        assert "ideal alone" not in cut

    def test_of_ap(self, capsys: Capture) -> None:
        text = printed(capsys, "--query", "q1", "-m", "map", "--digits", "2")
        lines = text.splitlines()
        assert "SP = 0.33 + 0.50 = 0.83" in lines
        assert "N_p = 3   (RS-PREC-6)" in lines
        assert "AP = SP / N_p = 0.83 / 3 = 0.28" in lines
        assert f"as a double: {5 / 18!r}" in lines

    @each("measure", MEASURES, fast=30)
    def test_every_convention_is_cited(self, measure: str) -> None:
        x = rs.explain(QRELS, RUN, "q1", measure, ties="expected")
        text = " ".join(str(x).split())
        result = rs.evaluate(QRELS, RUN, measure, ties="expected")
        assert x.definition == result.definition(measure)
        for choice in x.definition.values():
            assert " ".join(choice.split()) in text

    def test_small_numbers_have_digits(self) -> None:
        """Of 4 decimals 0.0049 / 0.0056 would be left, which is 0.8750."""
        judged = {f"d{i}": int(i == 300) for i in range(400)} | {"e": 1}
        x = rs.explain({"q": judged}, {"q": {f"d{i}": -i for i in range(400)}}, "q", "AP")
        assert "SP = 0.003322\n" in str(x)
        assert "AP = SP / N_p = 0.003322 / 2 = 0.001661\n" in str(x)
        deep = rs.explain({"q": judged}, {"q": {f"d{i}": -i for i in range(400)}}, "q", "RBP")
        assert f"RBP = {0.2 * 0.8**300:.3e}\n" in str(deep)

    @each("measure", [m for m in MEASURES if "@1" not in m], fast=5)
    def test_the_numbers_that_are_shown_give_the_value(self, measure: str) -> None:
        """As who reads them calculates: right in the last place that is shown."""
        judged = {f"d{i}": i * i % 5 % 3 for i in range(70)} | {"e": 2}
        run = {f"d{i}": (i * 37) % 71 for i in range(70)}
        x = rs.explain({"q": judged}, {"q": run}, "q", measure, ties="expected")
        blocks = [str(table(x, digits)).split("\n\n")[-2] for digits in (1, 2, 3, 4, 8)]
        for line in (x for b in blocks for x in re.sub(r"\n    +", " ", b).splitlines()):
            *_, expression, shown = ["", *line.partition("   (")[0].split(" = ")]
            if re.fullmatch(r"[-0-9.e/() *]+", expression):
                mantissa, _, exponent = shown.partition("e")
                places = len(mantissa.partition(".")[2]) - int(exponent or 0)
                calculated = eval(expression)  # noqa: S307
                assert abs(calculated - float(shown)) <= 0.5000001 * 10**-places

    def test_a_divisor_of_0(self, capsys: Capture) -> None:
        text = printed(capsys, "--query", "q3", "-m", "nDCG@5")
        assert "\nnDCG@5 = 0, as IDCG@5 = 0 (RS-CONV-4)\n" in text

    def test_a_query_that_the_run_misses_is_an_empty_list(self, capsys: Capture) -> None:
        text = printed(capsys, "--query", "q2")
        assert text.startswith("nDCG@10 of query q2: 0.0000\n")
        assert "The run has no results for this query: an empty list (RS-CONV-9)." in text
        assert "P = 0, as k = 0 (RS-CONV-5)" in printed(capsys, "--query", "q2", "-m", "P")

    def test_what_is_below_the_cut_off_is_counted(self, capsys: Capture) -> None:
        text = printed(capsys, "--query", "q1", "-m", "P@2")
        assert "3 more of the run are below the cut-off (RS-CONV-2)" in text

    def test_long_lists_are_summed_up_where_nothing_is_added(self) -> None:
        run = {f"d{i:03}": 1000 - i for i in range(1, 201)}
        judged = {"d002": 1, "d050": 1, "d053": 1, "d057": 1}
        x = rs.explain({"q": judged}, {"q": run}, "q", "AP")
        ranks = str(x).split("\n\n")[1].splitlines()[1:]
        shown = [line.split()[0] for line in ranks if "add" not in line]
        assert shown == [*map(str, range(1, 21)), "50", "51", "52", "53", "57"]
        elided = [line.strip() for line in ranks if "add" in line]
        assert elided == ["(29 add 0)", "(3 add 0)", "(143 add 0)"]
        assert len(x.rows) == 200

    def test_many_tie_groups_are_not_all_listed(self) -> None:
        run = {f"d{i:03}": 100 - i // 2 for i in range(100)}
        text = " ".join(str(rs.explain({"q": {"d000": 1}}, {"q": run}, "q", "AP")).split())
        assert "= equal scores: ranks 1-2, 3-4, 5-6, " in text
        assert "17-18, ..., 99-100 (50 groups); by document id" in text

    @each("digits", [0, 4, 17], fast=1)
    @each("measure", [*MEASURES[2::4], f"nDCG@{2**62}", *MORE_MEASURES], fast=10)
    def test_80_columns(self, measure: str, digits: int) -> None:
        judged = {f"clueweb09-en0000-{'0123' * 12}-{i}": i % 4 for i in range(30)}
        run = {document: i // 2 / 7 for i, document in enumerate(judged)}
        if "discount=[" in measure:
            measure = measure.replace("0]", "0" + ", 0" * 60 + "]")
        (asked,) = measures(measure)
        ties = "input" if asked.metric.expected_spec == "RS-EXP-49" else "expected"
        x = rs.explain({"q" * 100: judged}, {"q" * 100: run}, "q" * 100, measure, ties=ties)
        lines = table(x, digits).splitlines()
        assert max(map(len, lines)) <= 80
        assert all(line == line.rstrip() for line in lines)

    def test_columns_are_aligned(self, capsys: Capture) -> None:
        ranks = printed(capsys, "--query", "q1").split("\n\n")[1].splitlines()
        assert all(len(a) == len(b) for a, b in pairwise(ranks))

    def test_help_has_examples(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "80")
        assert main(["explain", "--help"]) == 0
        text = capsys.readouterr().out
        assert "\nexamples:\n  rankspec explain qrels.txt" in text
        assert max(map(len, text.splitlines())) <= 80


class TestJson:
    @each("measure", MEASURES, fast=10)
    def test_round_trip(self, capsys: Capture, measure: str) -> None:
        text = printed(capsys, "--query", "q1", "-m", measure, "--format", "json")
        document = json.loads(text)
        about = {"rankspec", "qrels", "run"}
        (name,) = map(str, rs.measures(measure))
        assert about <= set(document)
        x = rs.explain("qrels.txt", "a.run", "q1", measure)
        assert {key: document[key] for key in document.keys() - about} == x.to_dict()
        assert document["measure"] == name
        assert document["value"] == rs.evaluate(QRELS, RUN, measure).per_query[name]["q1"]

    def test_exact_scores_become_doubles(self) -> None:
        run = {"q": {"a": Fraction(1, 3), "b": 2**1024 - 1}}
        x = rs.explain({"q": {"a": 1}}, run, "q", "RR")
        assert [row["score"] for row in x.to_dict()["rows"]] == [float("inf"), 1 / 3]
        assert "0.33333333" in str(x)


@pytest.mark.spec("RS-CONV-25")
class TestJudgments:
    """topics and grades, as of evaluate()."""

    MAP: ClassVar = {"s1": "q1", "s2": "q1", "s3": "q9"}
    SESSIONS: ClassVar = {"s1": RUN["q1"], "s2": {"e": 1.0}, "s3": {"a": 1.0}}
    GRADES: ClassVar = {3: 1, -1: 2}

    @each("measure", ["nDCG@3", "AP", "UL2(P@2)", "RBP_residual"])
    def test_the_value_is_that_of_evaluate(self, measure: str) -> None:
        for asked in ({"topics": self.MAP}, {"topics": self.MAP, "grades": self.GRADES}):
            result = rs.evaluate(QRELS, self.SESSIONS, measure, **asked)
            for query in ("s1", "s2"):
                x = rs.explain(QRELS, self.SESSIONS, query, measure, **asked)
                assert x.value == result.per_query[measure][query]
                assert x.definition == result.definition(measure)

    def test_labels_are_those_that_are_meant(self) -> None:
        x = rs.explain(QRELS, RUN, "q1", "nDCG", grades=self.GRADES)
        assert [row.label for row in x.rows] == [None, 2, 1, 2, 0]
        assert x.definition["judgments"] == "grades 3=1,-1=2 (RS-CONV-25)"

    def test_a_query_without_a_topic(self) -> None:
        with pytest.raises(rs.InputError, match='query "s3" is in the run, but has no judgments'):
            rs.explain(QRELS, self.SESSIONS, "s3", "nDCG", topics=self.MAP)
        with pytest.raises(rs.InputError, match="the qrels contain none of the topics"):
            rs.explain(QRELS, self.SESSIONS, "s3", "nDCG", topics={"s3": "q9"})

    def test_of_the_command(self, capsys: Capture) -> None:
        Path("map").write_text("q1 q1\nq5 q1\n")
        options = ["--query", "q1", "-m", "nDCG", "--topics", "map", "--grades", "3=1,-1=2"]
        asked = {"topics": "map", "grades": self.GRADES}
        x = rs.explain("qrels.txt", "a.run", "q1", "nDCG", **asked)
        assert printed(capsys, *options) == f"{x}\n"
        assert main(["explain", "-", "a.run", "--query", "q1", "--topics", "-"]) == 2
        assert "only one of the files can be the standard input" in capsys.readouterr().err


BAD = {
    "unknown query": (["--query", "q11"], 'query "q11" is not in the qrels (did you mean "q1"?)'),
    "nothing near": (["--query", "other"], 'query "other" is not in the qrels\n'),
    "without judgments": (["--query", "q4"], '"q4" is in the run, but has no judgments (RS-CONV-9'),
    "several": (["--query", "q1", "-m", "ndcg_cut.5,10"], "expected one measure, got nDCG@5, "),
    "two options": (["--query", "q1", "-m", "AP", "-m", "RR"], "expected one measure, got AP, RR"),
    "unknown measure": (
        ["--query", "q1", "-m", "nDGC@5"],
        'unknown measure "nDGC@5" (did you mean "',
    ),
    "rule": (["--query", "q1", "--ties", "luck"], 'ties: unknown rule "luck"'),
    "no query": ([], "the following arguments are required: --query"),
    "digits": (["--query", "q1", "--digits", "x"], "expected 0 to 17"),
    "gain": (["--query", "q1", "-m", "DCG(gain='0-1')"], 'label 3 of document "a" for query "q1"'),
}


class TestBadInput:
    @pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD.keys())
    def test_is_one_line(self, capsys: Capture, arguments: list[str], message: str) -> None:
        assert main(["explain", "qrels.txt", "a.run", *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("rankspec: error: ")
        assert err.count("\n") == 1
        assert message in err

    def test_one_standard_input(self, capsys: Capture) -> None:
        assert main(["explain", "-", "-", "--query", "q1"]) == 2
        assert "only one of the files can be the standard input" in capsys.readouterr().err

    def test_a_query_that_is_no_text(self) -> None:
        with pytest.raises(rs.InputError, match=r"query 7\.5 is not in the qrels"):
            rs.explain(QRELS, RUN, 7.5, "AP")  # type: ignore[arg-type]
        with pytest.raises(rs.InputError, match='query "7" is not in the qrels'):
            rs.explain(QRELS, RUN, 7, "AP")

    @pytest.mark.parametrize("query", [bytearray(b"q1"), ["q1"], {"q1"}, {}, ([],)])
    @pytest.mark.parametrize("file", [True, False])
    def test_a_query_that_has_no_hash(self, query: Any, file: bool) -> None:
        files: Any = ("qrels.txt", "a.run") if file else (QRELS, RUN)
        with pytest.raises(rs.InputError, match=f"query {re.escape(repr(query))} is not in the q"):
            rs.explain(*files, query, "AP")


@pytest.mark.spec("RS-NUM-3")
@pytest.mark.parametrize("ties", ["id-descending", "expected"])
@pytest.mark.parametrize(
    ("labels", "measures"),
    [
        ((0.1, 0, 0.1), ["nDCG", "DCG", "IDCG"]),
        ((2**53 + 1, 1), ["nDCG", "DCG", "IDCG", "DCG(discount='jarvelin-2008(b=2)')"]),
        ((54, 1), ["nDCG(gain='exp2')", "DCG(gain='exp2', discount='log(b=10)')"]),
    ],
)
def test_numbers_halfway_between_two_doubles(
    labels: tuple[float, ...], measures: list[str], ties: str
) -> None:
    """Structure decides them, where more digits would not."""
    documents = "abc"[: len(labels)]
    qrels = {"q": dict(zip(documents, labels, strict=True))}
    run = {"q": {document: -float(rank) for rank, document in enumerate(documents)}}
    for measure in measures:
        explanation = rs.explain(qrels, run, "q", measure, ties=ties)
        assert explanation.value == rs.evaluate(qrels, run, measure, ties=ties)[measure]
        assert explanation.rows[-1].running == explanation.total


class TestWhichQueries:
    """A query is explained where it is evaluated (RS-CONV-9)."""

    QRELS: ClassVar = {"q1": {"a": 1}, "q2": {"a": 1}}
    RUN: ClassVar = {"q2": {"a": 1.0}, "q3": {"a": 1.0}}

    @pytest.mark.parametrize("rule", convention("queries").values)
    @pytest.mark.parametrize("query", ["q1", "q2", "q3"])
    @pytest.mark.spec("RS-CONV-9")
    def test_as_evaluated(self, query: str, rule: str) -> None:
        try:
            values = rs.evaluate(self.QRELS, self.RUN, "AP", queries=rule).per_query["AP"]
        except rs.InputError as refused:
            with pytest.raises(rs.InputError, match=re.escape(str(refused))):
                rs.explain(self.QRELS, self.RUN, query, "AP", queries=rule)
            return
        if query in values:
            assert (
                rs.explain(self.QRELS, self.RUN, query, "AP", queries=rule).value == values[query]
            )
        else:
            with pytest.raises(rs.InputError, match="RS-CONV-9"):
                rs.explain(self.QRELS, self.RUN, query, "AP", queries=rule)

    def test_a_value_without_a_mean(self) -> None:
        huge = {"q": {"a": 1023, "b": 1023}}
        explanation = rs.explain(huge, {"q": {"a": 2.0, "b": 1.0}}, "q", "CG(gain='exp2')")
        assert explanation.value == math.inf

    @pytest.mark.spec("RS-CONV-19")
    def test_an_id_is_its_bytes(self, tmp_path: Path) -> None:
        (tmp_path / "qrels").write_bytes(b"q\xc3\xa9 0 a 1\n")
        (tmp_path / "run").write_bytes(b"q\xc3\xa9 Q0 a 1 2 t\n")
        for query in ("q\u00e9", "q\udcc3\udca9"):
            assert rs.explain(tmp_path / "qrels", tmp_path / "run", query, "AP").value == 1.0
        with pytest.raises(rs.InputError, match=r"the id '\\ud800' cannot be encoded in UTF-8"):
            rs.explain(tmp_path / "qrels", tmp_path / "run", "\ud800", "AP")

    @pytest.mark.spec("RS-CONV-15")
    def test_a_negative_label_of_another_query_is_an_error_too(self) -> None:
        with pytest.raises(rs.InputError, match="negative"):
            rs.explain(
                {"q1": {"a": 1}, "q2": {"a": -1}}, {"q1": {"a": 1.0}}, "q1", "AP", negative="error"
            )


class TestNothingIsLeft:
    def test_documents_that_are_all_left_out_are_counted(self, capsys: Capture) -> None:
        Path("qrels.txt").write_text("q1 0 a -1\n")
        Path("a.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n")
        for measure in ("nDCG", "LNDCG", "P@5"):
            out = printed(
                capsys,
                "--query",
                "q1",
                "-m",
                measure,
                "--negative",
                "unjudged",
                "--unjudged",
                "condensed",
            )
            assert "2 more of the run are left out: unjudged (RS-CONV-13)" in out

    def test_the_list_of_an_ideal_has_a_name_of_its_own(self, capsys: Capture) -> None:
        out = printed(capsys, "--query", "q1", "-m", "ILDCG@3", "--ties", "expected")
        assert "IDCG@1 = 7" in out
        assert "ILDCG@3 = IDCG@1 / user's expectation = 7 / 0.46928 = 14.9165" in out

    def test_documents_that_differ_in_the_middle_stay_distinct(self, capsys: Capture) -> None:
        names = [f"https://www.example.org/a/long/path/number/{n}/page" for n in range(3)]
        Path("qrels.txt").write_text("".join(f"q1 0 {name} 1\n" for name in names))
        run = "".join(f"q1 Q0 {name} 1 {1234567 - n} t\n" for n, name in enumerate(names))
        Path("a.run").write_text(run)
        lines = printed(capsys, "--query", "q1", "-m", "LNDCG").splitlines()
        rows = [line for line in lines if line.lstrip()[:1] in "123" and "12345" in line]
        assert len({line[3:13] for line in rows}) == len(rows) == 3


@pytest.mark.spec("RS-CONV-4")
def test_what_may_not_be_undefined_is_refused_as_in_an_evaluation():
    said = 'measure "nDCG": query "q3" has the divisor 0, which undefined="error" does not admit'
    for refused in (
        rs.explain,
        lambda qrels, run, *_, **given: rs.evaluate(qrels, run, "nDCG", **given),
    ):
        with pytest.raises(rs.InputError, match=re.escape(said)):
            refused(QRELS, RUN, "q3", "nDCG", undefined="error")
    assert rs.explain(QRELS, RUN, "q1", "nDCG", undefined="error").value > 0
