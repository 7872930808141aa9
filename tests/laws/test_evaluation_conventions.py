"""The conventions of an evaluation: RS-CONV-4, 9, 10, 12, 13 and 15 to 18.

A law says what a convention does to the input, so it is held by doing that to the input and
evaluating without the convention; all the others are drawn at random.
"""

from __future__ import annotations

import io
import json
from collections import UserDict
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import floor

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankspec
from rankspec.errors import InputError
from rankspec.evaluation.conventions import CONVENTIONS, Conventions
from rankspec.evaluation.outputs import OUTPUTS
from rankspec.evaluation.profiles import PROFILES, assignments
from rankspec.reference.ties import order
from tests.conventions import convention_values

from ..each import LANE, each
from .broken import using
from .law import READINGS, Metrics, law
from .qrels_and_runs import (
    CHOICES,
    MEASURES,
    RULES,
    Table,
    as_dicts,
    conventions,
    counted,
    forms,
    labels,
    outcome,
    pairs,
    qrels_tables,
    rows_of,
    run_tables,
    scores,
    table_of,
    tables,
)

pytestmark = pytest.mark.slow(but=2)

BY = pytest.mark.parametrize("by", READINGS)
FLOATS = [1.0, 1.0 + 2**-24, 1.0 + 2**-23, 1.0 + 3 * 2**-24, 100000001.0, 100000001.5, 1e-46]
FLOATS += [0.0, -0.0, 3.4028235677973362e38, 3.4028235677973366e38, 1e39, 1e300, -1e39, -1e300]
ids = st.sampled_from(["d1", "d2", "d3", "d4", "d5"])
close_runs = tables(st.sampled_from(FLOATS), smallest=1)


@given(qrels=qrels_tables, run=run_tables, form=forms, chosen=conventions())
def test_both_backends_give_equal_evaluations(qrels, run, form, chosen):
    found = []
    for backend in ("c", "reference"):
        try:
            given_ = form(rows_of(qrels), rows_of(run))
            found.append(rankspec.evaluate(*given_, MEASURES, backend=backend, **chosen))
        except InputError as error:
            found.append(str(error))
    assert found[0] == found[1]


# RS-CONV-4: undefined quotients


def _has_a_divisor(name: str, judged: dict[str, int]) -> bool:
    of_1 = ["nDCG@3", "nDCG(gain='exp2')", "AP", "R@3", "nERR", "GAP@2"]
    least = {**dict.fromkeys(of_1, 1), "AP(rel=2)": 2}.get(name)
    return least is None or any(label >= least for label in judged.values())


@pytest.mark.spec("RS-CONV-4", "RS-CONV-4/L1", "RS-CONV-4/L2")
@law(
    qrels=tables(st.integers(-1, 2), smallest=1),
    run=run_tables,
    form=forms,
    evaluate=using(undefined="zero"),
)
def test_only_a_value_without_a_divisor_is_chosen(rs, qrels, run, form):
    names = [*MEASURES, "AP(rel=2)", "AP(norm='k')", "P"]
    plain = rs.evaluate(qrels, run, names)
    for undefined, instead in {"zero": 0.0, "one": 1.0, "omit": None}.items():
        chosen = rs.evaluate(*form(rows_of(qrels), rows_of(run)), names, undefined=undefined)
        for name in names:
            expected = {
                query: plain.per_query[name][query] if _has_a_divisor(name, judged) else instead
                for query, judged in qrels.items()
            }
            expected = {query: x for query, x in expected.items() if x is not None}
            assert chosen.per_query[name] == expected
            if expected:
                mean = sum(map(Fraction, expected.values()), Fraction(0)) / len(expected)
                assert chosen.mean[name] == mean.numerator / mean.denominator
            else:
                assert np.isnan(chosen.mean[name])


DIVIDING = [*MEASURES, "AP(norm='hits')@1", "nDCG(ideal='shown')", "P", "UL2(DCG)"]


@pytest.mark.spec("RS-CONV-4/L4")
@law(
    qrels=tables(st.integers(-1, 2), smallest=1),
    run=run_tables,
    form=forms,
    names=st.sampled_from([DIVIDING[i::3] for i in range(3)]) if LANE.fast else st.just(DIVIDING),
    evaluate=using(undefined="omit"),
)
def test_what_is_no_number_is_nan_or_an_error(rs, *, qrels, run, form, names):
    for name in names:
        given = name, "UL2(DCG)"
        omit = rs.evaluate(qrels, run, given, undefined="omit")
        nan = rs.evaluate(*form(rows_of(qrels), rows_of(run)), given, undefined="nan")
        assert set(nan.per_query[name]) == set(nan.queries)
        numbers = {q: x for q, x in nan.per_query[name].items() if not np.isnan(x)}
        assert numbers == omit.per_query[name]
        files = form(rows_of(qrels), rows_of(run))
        if len(numbers) < len(nan.queries):
            assert np.isnan(nan.mean[name])
            assert None in nan.to_dict()["per_query"][name].values()
            with pytest.raises(InputError, match=r"has the divisor 0, .* \(RS-CONV-4\)$"):
                rs.evaluate(*files, name, undefined="error")
        else:
            assert nan.mean[name] == omit.mean[name]
            found = rs.evaluate(*files, name, undefined="error")
            assert found.per_query[name] == rs.evaluate(qrels, run, name).per_query[name]


@pytest.mark.spec("RS-CONV-4/L5")
@law(
    qrels=qrels_tables,
    run=run_tables,
    form=forms,
    k=st.integers(1, 3),
    ties=st.sampled_from(["id-descending", "id-ascending", "input"]),
    evaluate=using(pool="judged"),
)
def test_the_first_k_alone_can_decide_what_is_undefined(rs, *, qrels, run, form, k, ties):
    names = [
        f"{name}@{k}"
        for name in (
            *("nDCG", "nDCG(ideal='all')", "nDCG(ideal='shown')", "nCG", "nDCG_rel", "nDCG_levels"),
            *("G", "LNDCG", "nERR", "R", "RelP", "SetAP", "Rprec", "binG", "Q_measure", "Compat"),
            *("AP", "AP(norm='min')", "AP(norm='retrieved')", "AP(norm='hits')"),
        )
    ]
    given = {"undefined": "omit", "depth": k, "pool": "retrieved", "ties": ties}
    found = rs.evaluate(*form(rows_of(qrels), rows_of(run)), names, **given)
    relevant = rs.evaluate(qrels, run, f"Success@{k}", ties=ties)
    with_one = {q for q, x in relevant.per_query[f"Success@{k}"].items() if x}
    assert [set(found.per_query[name]) for name in names] == [with_one] * len(names)


@pytest.mark.spec("RS-CONV-4/L5")
def test_two_measures_can_be_undefined_where_something_relevant_is_shown():
    given = {"undefined": "omit", "depth": 1, "pool": "retrieved"}
    for name in ("AUC@1", "RprecMult(multiple=0.05)@1"):
        qrels = {"q": {"a": 1, "b": 0}}  # b is judged, and not retrieved
        assert rankspec.evaluate(qrels, {"q": {"a": 1.0}}, name, **given).per_query == {name: {}}


@pytest.mark.spec("RS-CONV-4", "RS-CONV-14")
@pytest.mark.parametrize("undefined", ["nan", "error"])
def test_what_is_no_number_has_no_extremes(undefined):
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0}}
    with pytest.raises(InputError, match=r"^undefined: .* gives no number.*RS-CONV-14"):
        rankspec.evaluate(qrels, run, "AP", unjudged="lowest", undefined=undefined)


PARTLY = {"q": {"a": 1}, "p": {"a": 0}, "o": {"a": 2}}  # of p nothing is relevant
RETRIEVED = {query: {"a": 1.0} for query in PARTLY}
APART = {query: {"a": 1.0, "b": 2.0} for query in PARTLY}


@pytest.mark.spec("RS-CONV-46")
@each("runs", [{}, UserDict()], ids=["a dict", "another mapping"])
def test_no_run_is_no_evaluation(runs):
    """Of several systems, none: of qrels, and of what would be runs in their place."""
    for qrels in (PARTLY, {"a": RETRIEVED}, {}):
        with pytest.raises(InputError, match=r"^runs: expected \{name: run\}, got none"):
            rankspec.evaluate_runs(qrels, runs, "AP")


@pytest.mark.spec("RS-CONV-4")
@pytest.mark.parametrize(
    ("measures", "undefined", "notes"),
    [
        (
            ["nDCG", "R@5", "RR"],
            "omit",
            [
                "3 queries, ties: id-descending, undefined: omit",
                "1 query has no relevant document (no label above 0)",
                "nDCG, R@5: 1 undefined, the means are over 2 of 3",
                "RR: the mean is over all 3",
            ],
        ),
        (
            ["nDCG", "R@5", "RR"],
            "omit-query",
            [
                "2 of 3 queries, ties: id-descending, undefined: omit-query",
                "every measure: 1 undefined, no part of the means",
            ],
        ),
        (
            ["nDCG"],
            "omit",
            [
                "2 of 3 queries, ties: id-descending, undefined: omit",
                "nDCG: 1 undefined, no part of the mean",
            ],
        ),
        (
            ["nDCG", "RR", "R@5"],
            "nan",
            [
                "3 queries, ties: id-descending, undefined: nan",
                "1 query has no relevant document (no label above 0)",
                "nDCG, R@5: 1 undefined, and so the means",
            ],
        ),
        (
            ["nDCG", "RR"],
            "zero",
            [
                "3 queries, ties: id-descending",
                "1 query has no relevant document (no label above 0)",
            ],
        ),
    ],
)
def test_a_table_says_of_how_many_queries_its_means_are(measures, undefined, notes):
    found = rankspec.evaluate(PARTLY, RETRIEVED, measures, undefined=undefined)
    assert str(found).splitlines()[-len(notes) :] == notes
    runs = {"a": RETRIEVED, "b": APART}  # what is so in each is said once
    both = rankspec.evaluate_runs(PARTLY, runs, measures, undefined=undefined)
    assert str(both).splitlines()[-len(notes) :] == notes


def test_it_says_it_of_each_run_where_they_differ():
    few, all_three = ({q: {"a": 1.0} for q in own} for own in ("qo", "qop"))
    runs = {"few": few, "all": all_three}
    found = rankspec.evaluate_runs(PARTLY, runs, ["AP", "R", "RR"], undefined="omit", queries="run")
    assert str(found).splitlines()[3:] == [
        "",
        "2 to 3 queries, ties: id-descending, undefined: omit, queries: run",
        "all, 1 query has no relevant document (no label above 0)",
        "few has no results for 1 of the qrels' queries: left out (queries: run)",
        "all, AP, R: 1 undefined, the means are over 2 of 3",
        "all, RR: the mean is over all 3",
    ]


def test_nan_is_written_as_no_value():
    qrels, run = {"q": {"a": 0}, "p": {"a": 1}}, {"q": {"a": 1.0}, "p": {"a": 1.0}}
    found = rankspec.evaluate(qrels, run, "AP", undefined="nan")
    nothing = rankspec.evaluate({"q": {"a": 0}}, run, "AP", undefined="omit")
    written = json.loads(OUTPUTS[2].write({"run": found}, None, {}, per_query=True))["runs"][0]
    assert (written["mean"], written["per_query"]) == ({"AP": None}, {"AP": {"q": None, "p": 1}})
    for output in OUTPUTS[1], OUTPUTS[3]:
        written = output.write({"run": found}, output.digits, {}, per_query=True)
        assert "nan" not in written.lower()
    assert "AP: 1 undefined, and so the mean" in str(found)
    assert str(found).splitlines()[1].split()[-1] == str(nothing).splitlines()[1].split()[-1]
    explained = rankspec.explain(qrels, run, "q", "AP", undefined="nan")
    assert "AP = nan, as N_p = 0 (RS-CONV-4)" in str(explained)
    assert explained.to_dict()["value"] is None
    assert rankspec.explain(qrels, run, "p", "AP", undefined="error").value == 1


@pytest.mark.spec("RS-CONV-4", "RS-CONV-4/L3")
@law(
    qrels=tables(st.integers(-1, 2), smallest=1),
    run=run_tables,
    form=forms,
    negative=st.sampled_from(["zero", "unjudged"]),
    evaluate=using(undefined="omit"),
)
def test_a_query_without_a_label_above_0_is_left_out_of_every_mean(rs, qrels, run, form, negative):
    names = [*MEASURES, "AP(rel=2)", "AP(norm='k')", "P", "RR", "ERR@2", "IDCG", "RBP_residual"]
    of_some = {query: judged for query, judged in qrels.items() if max(judged.values()) > 0}
    assume(of_some)
    more = {"queries": "qrels", "negative": negative}
    plain = rs.evaluate(of_some, run, names, undefined="omit", **more)
    tables_ = form(rows_of(qrels), rows_of(run))
    chosen = rs.evaluate(*tables_, names, undefined="omit-query", **more)
    assert chosen.per_query == plain.per_query
    assert repr(chosen.mean) == repr(plain.mean)  # NaN included


@pytest.mark.spec("RS-CONV-4", "RS-CONV-14")
def test_the_extremes_where_queries_are_left_out():
    """For measures that have nothing to divide by there, they are those of omit."""
    qrels = {"a": {"d": 1, "e": 1}, "b": {"e": 0}}
    run = {"a": {"e": 1.0}, "b": {"e": 2.0, "u": 1.0}}
    names = ["nDCG", "R", "AP@1"]
    for unjudged in ("lowest", "highest"):
        both = [
            rankspec.evaluate(qrels, run, names, unjudged=unjudged, undefined=u)
            for u in ("omit", "omit-query")
        ]
        assert both[0].per_query == both[1].per_query
        assert both[0].mean == both[1].mean
        for name in ("P", "ERR", "RR", "DCG", "AP(norm='k')", "nDCG(gain=[1,2])"):
            with pytest.raises(InputError, match=r'undefined="omit-query" its .*RS-CONV-14'):
                rankspec.evaluate(qrels, run, name, unjudged=unjudged, undefined="omit-query")


@pytest.mark.spec("RS-CONV-4")
def test_a_query_that_is_left_out_is_explained():
    qrels, run = {"q": {"a": 0, "b": -1}}, {"q": {"a": 1.0}}
    why = "the query has no value, as no label of its pool is above 0   (RS-CONV-4)"
    for measure in ("ERR@5", "P", "nDCG", "AP(norm='k')", "U(ERR)", "RBP"):
        found = rankspec.explain(qrels, run, "q", measure, undefined="omit-query")
        assert found.value is None
        assert found.left_out
        assert why in str(found)
        assert "no label of the pool is above 0" in found.definition["undefined"]
        found = rankspec.explain(qrels, run, "q", measure, undefined="omit")
        assert why not in str(found)
    found = rankspec.evaluate(qrels, run, "nDCG_phi", undefined="omit-query")
    written = found.definition("nDCG_phi")["undefined"]
    assert written == "omit-query: none where the divisor is 0 (RS-CONV-4)"


@BY
@pytest.mark.spec("RS-CONV-4")
def test_the_divisor_decides_also_for_a_query_that_the_run_misses(by):
    qrels, evaluate = {"q": {"a": 0}, "p": {"a": 1}}, Metrics(by).evaluate
    for undefined, values in {
        "zero": {"q": 0.0, "p": 0.0},
        "one": {"q": 1.0, "p": 0.0},
        "omit": {"p": 0.0},
        "omit-query": {"p": 0.0},
    }.items():
        for name in ("nDCG@3", "AP", "R@3"):
            assert evaluate(qrels, {}, name, undefined=undefined).per_query[name] == values
        if undefined == "omit-query":
            for name in ("P", "RR", "DCG@4"):
                assert evaluate(qrels, {}, name, undefined=undefined).per_query[name] == values
            continue
        for name in ("P", "AP(norm='k')", "RR", "DCG@4", "IDCG"):
            plain = evaluate(qrels, {}, name)
            assert evaluate(qrels, {}, name, undefined=undefined).per_query == plain.per_query


@BY
@pytest.mark.spec("RS-CONV-4")
def test_an_ideal_of_zero_gains_or_zero_weights(by):
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0}}
    for choice in ({"gain": (0, 0)}, {"discount": (0, 0)}):
        result = Metrics(by).evaluate(qrels, run, "nDCG@2", undefined="one", **choice)
        assert list(result.mean.values()) == [1.0]
    least = 2.0**-1074  # so that the ideal is above 0, though 0 is the double nearest to it
    result = Metrics(by).evaluate(
        qrels, run, "nDCG", undefined="omit", gain=(0, least), discount=(least,)
    )
    assert list(result.mean.values()) == [1.0]


# RS-CONV-40: the precision of results

NEAREST = {
    "double": lambda x: x,
    "float32": lambda x: float(np.float32(x)),
    "decimals-5": lambda x: float(f"{Decimal(x):.5f}"),
}


@pytest.mark.spec("RS-CONV-40/L1")
@law(
    qrels=qrels_tables,
    run=run_tables,
    form=forms,
    more=conventions(),
    evaluate=using(results="double"),
)
def test_results_are_rounded_last(rs, qrels, run, form, more):
    names = [*MEASURES, "UL2(DCG@2)"]
    plain = outcome(rs.evaluate, qrels, run, measures=names, **more)
    for results, nearest in NEAREST.items():
        files = form(rows_of(qrels), rows_of(run))
        found = outcome(rs.evaluate, *files, measures=names, results=results, **more)
        if isinstance(plain, str):
            assert found == plain
            continue
        queries, per_query, means = plain
        assert found[0] == queries
        for name, values in per_query.items():
            assert found[1][name] == {query: nearest(x) for query, x in values.items()}
            assert found[1][name] == {query: nearest(x) for query, x in found[1][name].items()}
            assert repr(found[2][name]) == repr(nearest(means[name]))  # NaN included


@pytest.mark.spec("RS-CONV-40")
def test_results_at_the_ends_of_a_float_and_between_two_decimals():
    run = {"q": {"a": 1.0}}

    def dcg(label, results):
        return rankspec.evaluate({"q": {"a": label}}, run, "DCG", results=results)["DCG"]

    assert dcg(1e39, "float32") == np.inf
    assert dcg(1e-46, "float32") == 0
    assert dcg(1e300, "decimals-5") == 1e300
    assert [dcg(x, "decimals-5") for x in (1 / 64, 3 / 64)] == [0.01562, 0.04688]  # to even
    found = rankspec.evaluate({"q": {"a": 1}}, run, "DCG", results="float32").definition("DCG")
    assert found["results"].endswith("(RS-CONV-40)")
    with pytest.raises(InputError, match=r"^results: .* \(RS-CONV-40\)$"):
        rankspec.explain({"q": {"a": 1}}, run, "q", "DCG", results="float32")


# RS-CONV-9: which queries


@pytest.mark.spec("RS-CONV-9/L1")
@law(
    qrels=qrels_tables,
    run=run_tables,
    form=forms,
    more=conventions(but="queries"),
    evaluate=using(queries="qrels"),
)
def test_a_rule_for_queries_restricts_the_qrels(rs, qrels, run, form, more):
    if more.get("ties") == "expected":
        more = {**more, "depth": None}  # a depth that cuts a tie is an error of its own
    rows = rows_of(qrels), rows_of(run)
    only_qrels, only_run = [q for q in qrels if q not in run], [q for q in run if q not in qrels]
    for rule in convention_values("queries", "qrels"):
        found = outcome(rs.evaluate, *form(*rows), queries=rule, **more)
        if rule in ("complete", "same") and only_qrels:
            assert f'in the qrels, but not in the run; queries="{rule}"' in found
        elif rule == "same" and only_run:
            assert 'is in the run, but not in the qrels; queries="same"' in found
        elif rule == "both" and len(only_qrels) == len(qrels):
            assert found == (
                "no query is in both the qrels and the run, so there is nothing to evaluate "
                "(RS-CONV-9)"
            )
        else:
            chosen = {q: qrels.get(q, {}) for q in run} if rule == "run" else qrels
            if rule == "both":
                chosen = {q: judged for q, judged in qrels.items() if q in run}
            assert found == outcome(rs.evaluate, chosen, run, **more)


@BY
@pytest.mark.spec("RS-CONV-9")
def test_a_query_is_there_where_a_line_names_it(by):
    """Although its only label counts as no judgment, and its only document is left out."""
    chosen = {"negative": "unjudged", "unjudged": "condensed", "queries": "same"}
    result = Metrics(by).evaluate({"q": {"a": -1}}, {"q": {"a": 1.0}}, ["AP", "P@1"], **chosen)
    assert result.queries == ("q",)
    assert result.missing == ()
    assert result.per_query == {"AP": {"q": 0.0}, "P@1": {"q": 0.0}}


@BY
@pytest.mark.spec("RS-CONV-9")
def test_the_order_of_the_queries_and_the_missing_ones(by):
    qrels, run = {"b": {"d": 1}, "a": {"d": 1}, "c": {"d": 1}}, {q: {"d": 1.0} for q in "xabc"}
    for rule, queries in {"qrels": "bac", "both": "bac", "complete": "bac", "run": "xabc"}.items():
        result = Metrics(by).evaluate(qrels, run, "AP", queries=rule)
        assert result.queries == tuple(queries)
    del run["a"]
    for rule in ("qrels", "both", "run"):
        assert Metrics(by).evaluate(qrels, run, "AP", queries=rule).missing == ("a",)


@pytest.mark.spec("RS-CONV-9")
def test_the_queries_without_judgments_that_are_left_out():
    qrels, run = {"b": {"d": 1}, "a": {"d": 1}}, {q: {"d": 1.0} for q in "yxb"}
    for backend in ("c", "reference"):
        for rule, extra in {"qrels": ("x", "y"), "both": ("x", "y"), "run": ()}.items():
            result = rankspec.evaluate(qrels, run, "AP", queries=rule, backend=backend)
            assert result.extra == extra, (backend, rule)
            assert ("run has 2 queries without judgments: left out" in str(result)) == bool(extra)
    assert rankspec.evaluate(qrels, {"b": {"d": 1.0}}, "AP").extra == ()


# RS-CONV-10: duplicates


def _kept(rows, rule):
    """The rows that a rule keeps, by position."""
    positions = {}
    for position, (query, document, _) in enumerate(rows):
        positions.setdefault((query, document), []).append(position)
    best = {
        "first": min,
        "last": max,
        "best": lambda found: max(found, key=lambda a: (rows[a][2], -a)),
    }[rule]
    return [rows[position] for position in sorted(map(best, positions.values()))]


@pytest.mark.spec("RS-CONV-10/L1")
@law(
    qrels=pairs(labels),
    run=pairs(scores),
    form=forms.filter(lambda form: form is not as_dicts),
    more=conventions(),
    evaluate=using(duplicates="first"),
)
def test_duplicates_are_as_if_only_the_kept_were_there(rs, qrels, run, form, more):
    for rule, ties in product(convention_values("duplicates", "error"), {"input", more["ties"]}):
        more = {**more, "ties": ties}
        assert outcome(rs.evaluate, *form(qrels, run), duplicates=rule, **more) == outcome(
            rs.evaluate, table_of(_kept(qrels, rule)), table_of(_kept(run, rule)), **more
        )


@BY
@pytest.mark.spec("RS-CONV-10")
def test_what_is_kept_has_its_own_place(by):
    """Which ties by input show: "a" is before "b" where the first of its rows is kept."""
    for second, values in {2.0: (0.5, 0.5, 0.5), 1.0: (1.0, 0.5, 1.0)}.items():
        first = 1.0 if second == 2.0 else 2.0
        run = [("q", "a", first), ("q", "b", 2.0), ("q", "a", second)]
        for rule, value in zip(("first", "last", "best"), values, strict=True):
            chosen = {"ties": "input", "duplicates": rule}
            assert Metrics(by).evaluate({"q": {"a": 1}}, run, "RR", **chosen)["RR"] == value
    level = [("q", "a", 2.0), ("q", "b", 2.0), ("q", "a", 2.0)]
    chosen = {"ties": "input", "duplicates": "best"}
    assert Metrics(by).evaluate({"q": {"a": 1}}, level, "RR", **chosen)["RR"] == 1.0


# RS-CONV-12: the precision of scores


def _rounded(run: Table) -> Table:
    """Scores as 32-bit floats by numpy; infinite ones as doubles beyond all others."""
    with np.errstate(over="ignore"):
        floats = {q: {d: np.float32(s) for d, s in ds.items()} for q, ds in run.items()}
    return {
        q: {d: float(np.clip(float(s), -1e200, 1e200)) for d, s in ds.items()}
        for q, ds in floats.items()
    }


@pytest.mark.spec("RS-CONV-12/L1")
@law(
    qrels=qrels_tables,
    run=close_runs,
    form=forms,
    more=conventions(but="scores"),
    evaluate=using(scores="double"),
)
def test_float32_is_the_run_with_rounded_scores(rs, qrels, run, form, more):
    assert outcome(
        rs.evaluate, *form(rows_of(qrels), rows_of(run)), scores="float32", **more
    ) == outcome(rs.evaluate, qrels, _rounded(run), **more)


@BY
@pytest.mark.spec("RS-CONV-12")
@each(
    ("above", "below", "tied_by"),
    [
        (100000001.5, 100000001.0, {"float32"}),
        (1.0 + 2**-23, 1.0 + 2**-24, set()),  # the lower is half way, and goes to the even 1
        (1.0 + 2**-24, 1.0, {"float32"}),
        (1e39, 3.4028235677973366e38, {"float32"}),  # both infinite
        (1e39, 3.4028234663852886e38, set()),  # the largest 32-bit float
        (1e-46, -1e-46, {"float32"}),
        (0.0, -0.0, {"double", "float32"}),
        (2**53 + 1, 2**53, {"float32"}),  # whole numbers are not rounded to doubles
        (Fraction(1, 3), 1 / 3, {"float32"}),
    ],
)
def test_what_ties_in_which_precision(by, above, below, tied_by):
    run = {"q": {"a": below, "b": above}}
    for precision in convention_values("scores"):
        result = Metrics(by).evaluate({"q": {"b": 1}}, run, "RR", scores=precision, ties="expected")
        assert result["RR"] == (0.75 if precision in tied_by else 1.0)


# RS-CONV-13: condensed lists


@pytest.mark.spec("RS-CONV-13/L1")
@law(
    qrels=qrels_tables,
    run=run_tables,
    form=forms,
    more=conventions(but="unjudged"),
    evaluate=using(unjudged="nonrelevant"),
)
def test_condensed_is_the_run_without_its_unjudged_documents(rs, qrels, run, form, more):
    judged = counted(qrels, more["negative"])
    left = {q: {d: s for d, s in ds.items() if d in judged.get(q, {})} for q, ds in run.items()}
    assert outcome(
        rs.evaluate, *form(rows_of(qrels), rows_of(run)), unjudged="condensed", **more
    ) == outcome(rs.evaluate, qrels, left, **more)


# RS-CONV-15: negative labels


@pytest.mark.spec("RS-CONV-15/L1", "RS-CONV-15/L2")
@law(
    qrels=qrels_tables,
    run=run_tables,
    form=forms,
    more=conventions(but="negative"),
    evaluate=using(negative="zero"),
)
def test_a_negative_label_is_0_or_is_not_there(rs, qrels, run, form, more):
    rows = rows_of(qrels), rows_of(run)
    for negative, unjudged in product(("zero", "unjudged"), ("nonrelevant", "condensed")):
        more = {**more, "unjudged": unjudged}
        found = outcome(rs.evaluate, *form(*rows), negative=negative, **more)
        plain = counted(qrels, negative)
        assert found == outcome(rs.evaluate, plain, run, negative="error", **more)


@pytest.mark.spec("RS-CONV-15/L3")
@law(
    qrels=qrels_tables,
    run=run_tables,
    form=forms,
    more=conventions(but="negative"),
    evaluate=lambda f: (
        lambda *x, negative, **a: f(
            *x, negative="unjudged" if negative == "kept" else negative, **a
        )
    ),
)
def test_a_negative_label_that_is_kept_is_not_relevant(rs, qrels, run, form, more):
    rows = rows_of(qrels), rows_of(run)
    measures = ["AP", "P@2", "R@3", "RR", "GAP@2", "RBP@3", "Rprec", "Success@2", "Bpref"]
    kept, zero = (
        outcome(rs.evaluate, *form(*rows), negative=x, measures=measures, **more)
        for x in ("kept", "zero")
    )
    assert kept == zero


@BY
@given(qrels=qrels_tables, run=run_tables, form=forms)
@pytest.mark.spec("RS-CONV-15/L3")
def test_a_measure_of_gains_takes_no_negative_label(by, qrels, run, form):
    rows = rows_of(qrels), rows_of(run)
    found = outcome(Metrics(by).evaluate, *form(*rows), negative="kept", measures=["P", "nDCG@2"])
    if any(x < 0 for *_, x in rows[0]):
        assert found.startswith('measure "nDCG@2": label -')
        assert found.endswith("a label must not be negative")
    else:
        assert found == outcome(Metrics(by).evaluate, *form(*rows), measures=["P", "nDCG@2"])


@BY
@given(qrels=qrels_tables, run=run_tables, form=forms)
@pytest.mark.spec("RS-CONV-15")
def test_the_first_negative_label_is_named(by, qrels, run, form):
    found = outcome(Metrics(by).evaluate, *form(rows_of(qrels), rows_of(run)), negative="error")
    negative = [(q, d, x) for q, d, x in rows_of(qrels) if x < 0]
    if negative:
        assert found.startswith(f"qrels: the label {negative[0][2]} of document ")
        assert found.endswith(" is negative (RS-CONV-15)")
    else:
        assert found == outcome(Metrics(by).evaluate, qrels, run)


# RS-CONV-39: fractional labels

ROUNDED = {
    "exact": lambda x: x,
    "floor": floor,
    "truncate": int,
    "from-1": lambda x: 0 if 0 < x < 1 else x,
}
eighths = st.integers(-16, 24).map(lambda n: n / 8)


@pytest.mark.spec("RS-CONV-39/L1")
@law(
    qrels=tables(eighths, smallest=1),
    run=run_tables,
    form=forms,
    more=conventions(but="gain"),
    evaluate=using(labels="exact"),
)
def test_a_label_counts_as_the_rounded_one(rs, qrels, run, form, more):
    rows = rows_of(qrels), rows_of(run)
    measures = ["nDCG@3", "AP", "P(rel=0.5)@2", "DCG@4", "GAP@2", "RBP@3"]
    for name, rounded in ROUNDED.items():
        plain = {q: {d: rounded(x) for d, x in own.items()} for q, own in qrels.items()}
        found = outcome(rs.evaluate, *form(*rows), labels=name, measures=measures, **more)
        assert found == outcome(rs.evaluate, plain, run, measures=measures, **more)


@BY
@pytest.mark.spec("RS-CONV-39")
def test_labels_of_letor_files_are_rounded_too(by):
    file = b"1.5 qid:1 1:0.5\n0.5 qid:1 1:0.75\n-0.5 qid:1 1:0.25\n"
    rounded = {
        "floor": b"1 qid:1 1:0.5\n0 qid:1 1:0.75\n-1 qid:1 1:0.25\n",
        "truncate": b"1 qid:1 1:0.5\n0 qid:1 1:0.75\n0 qid:1 1:0.25\n",
        "from-1": b"1.5 qid:1 1:0.5\n0 qid:1 1:0.75\n-0.5 qid:1 1:0.25\n",
    }

    def values(content, **given):
        rs = Metrics(by)
        result = rs.evaluate_letor(io.BytesIO(content), ["nDCG", "AP", "DCG"], feature=1, **given)
        return result.per_query, result.highest

    for name, content in rounded.items():
        assert values(file, labels=name) == values(content)
    given = {"profile": "trec_eval-10", "ties": "input"}
    assert values(file, labels="truncate", **given) == values(rounded["truncate"], **given)
    with pytest.raises(InputError, match="cuts the fraction off"):
        values(file, **given)


@pytest.mark.spec("RS-CONV-39")
def test_a_definition_says_how_labels_are_rounded():
    given = {"q": {"a": 1.5}}, {"q": {"a": 1.0}}, "DCG"
    assert "labels" not in rankspec.evaluate(*given).definition("DCG")
    chosen = rankspec.evaluate(*given, labels="floor").definition("DCG")["labels"]
    assert chosen.endswith("the greatest whole number up to them (RS-CONV-39)")


# RS-CONV-16: the depth


def _ranked(run: Table, judged: Table, chosen: dict) -> dict[str, list[str]]:
    """The documents of each query in rank order, by the reference's rules for ties."""
    lists = {}
    for query, scored in (_rounded(run) if chosen["scores"] == "float32" else run).items():
        known = judged.get(query, {})
        documents = [d for d in scored if chosen["unjudged"] != "condensed" or d in known]
        rule = "input" if chosen["ties"] == "expected" else chosen["ties"]
        places = order(
            [scored[d] for d in documents],
            [known.get(d, 0) for d in documents],
            [d.encode("utf-8", "surrogateescape") for d in documents],
            rule,
        )
        lists[query] = [documents[a] for a in places]
    return lists


def _cut(run: Table, ranked: dict[str, list[str]], depth: int | None) -> Table:
    """The run, in its order, with the documents of the first ranks only."""
    return {q: {d: s for d, s in ds.items() if d in ranked[q][:depth]} for q, ds in run.items()}


@pytest.mark.spec("RS-CONV-16/L1")
@law(
    qrels=qrels_tables,
    run=run_tables,
    form=forms,
    more=conventions(but="depth"),
    evaluate=using(depth=None),
)
def test_a_depth_cuts_the_run(rs, qrels, run, form, more):
    for depth, ties in product((1, 2, 4), {"expected", more["ties"]}):
        more = {**more, "ties": ties}
        found = outcome(rs.evaluate, *form(rows_of(qrels), rows_of(run)), depth=depth, **more)
        ranked = _ranked(run, counted(qrels, more["negative"]), more)
        if ties == "expected" and _cut_ties(qrels, run, ranked, depth, more):
            assert found.startswith(f"depth: rank {depth} and the next of query ")
        else:
            assert found == outcome(rs.evaluate, qrels, _cut(run, ranked, depth), **more)


def _cut_ties(qrels: Table, run: Table, ranked: dict, depth: int, chosen: dict) -> bool:
    """Whether the last document of that depth is tied with the next, in a query that counts."""
    counts = {"qrels": {*qrels}, "both": {*qrels} & {*run}, "run": {*run}}[chosen["queries"]]
    scored = _rounded(run) if chosen["scores"] == "float32" else run
    return any(
        len(documents) > depth and scored[q][documents[depth - 1]] == scored[q][documents[depth]]
        for q, documents in ranked.items()
        if q in counts
    )


@pytest.mark.spec("RS-CONV-16/L2")
@law(
    qrels=qrels_tables,
    run=run_tables,
    k=st.integers(1, 3),
    deeper=st.integers(0, 2),
    ties=st.sampled_from(RULES[:-1]),
    evaluate=using(pool="retrieved"),
)
def test_above_a_cut_off_the_depth_does_not_show(rs, *, qrels, run, k, deeper, ties):
    heads = ["nDCG", "DCG", "IDCG", "CG", "P", "R", "RR", "SP", "AP", "AP(norm='min')"]
    names = [f"{head}@{k}" for head in [*heads, "AP(norm='k')"]]
    cut = rs.evaluate(qrels, run, names, depth=k + deeper, ties=ties)
    assert cut.per_query == rs.evaluate(qrels, run, names, ties=ties).per_query


@BY
@pytest.mark.spec("RS-CONV-16")
@each("depth", [0, -1, 1.0, True, "3", 2**63])
def test_what_is_no_depth_is_refused(by, depth):
    with pytest.raises(InputError, match=r"^depth: .*\(RS-CONV-16\)$"):
        Metrics(by).evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", depth=depth)


# RS-CONV-17: the pool of retrieved documents


@pytest.mark.spec("RS-CONV-17/L1")
@law(
    qrels=qrels_tables,
    run=run_tables,
    form=forms,
    more=conventions(but="pool"),
    evaluate=using(pool="judged"),
)
def test_the_retrieved_pool_is_that_of_the_list_alone(rs, qrels, run, form, more):
    judged = counted(qrels, more["negative"])
    found = outcome(rs.evaluate, *form(rows_of(qrels), rows_of(run)), pool="retrieved", **more)
    assume(not isinstance(found, str))
    lists = {q: docs[: more["depth"]] for q, docs in _ranked(run, judged, more).items()}
    restricted = {
        q: {d: judged.get(q, {}).get(d, 0) for d in lists.get(q, [])}
        for q in (run if more["queries"] == "run" else qrels)
    }
    assert found == outcome(rs.evaluate, restricted, run, **more)


@pytest.mark.parametrize("backend", READINGS)
@pytest.mark.spec("RS-CONV-17/L1", "RS-PREC-15")
def test_the_retrieved_pool_of_bpref_is_what_is_judged_of_the_list(backend):
    """x is unjudged, b is not retrieved."""
    run = {"q": {"x": 3.0, "c": 2.0, "a": 1.0}}
    given = {"measures": "Bpref", "backend": backend}
    found = rankspec.evaluate({"q": {"a": 1, "b": 1, "c": 0}}, run, pool="retrieved", **given)
    assert found["Bpref"] == rankspec.evaluate({"q": {"a": 1, "c": 0}}, run, **given)["Bpref"] == 0
    found = rankspec.evaluate({"q": {"a": 1, "b": 1}}, run, pool="retrieved", **given)
    assert found["Bpref"] == 1.0


@pytest.mark.slow(but=1)
@pytest.mark.spec("RS-CONV-17/L2", "RS-CONV-17/L3")
@law(
    qrels=qrels_tables,
    run=run_tables,
    form=forms,
    more=conventions(but="pool"),
    evaluate=using(pool="judged", gain=(1, 1, 2, 5)),
)
def test_the_retrieved_pool_bounds_values_and_changes_no_other(rs, qrels, run, form, more):
    bounded = ["nDCG@3", "nDCG", "R@3", "R", "AP", "AP(norm='min')@2", "nERR", "nERR@2", "GAP@3"]
    names = [*bounded, "DCG@4", "CG", "P", "P@2", "RR", "SP@3", "ERR@2", "RBP"]
    given_ = form(rows_of(qrels), rows_of(run))
    found = outcome(rs.evaluate, *given_, measures=names, pool="retrieved", **more)
    assume(not isinstance(found, str))
    plain = outcome(rs.evaluate, qrels, run, measures=names, **more)
    for position, (name, values) in enumerate(found[1].items()):
        if position < len(bounded):
            assert all(x <= 1 for x in values.values())
        elif more["undefined"] != "omit-query":  # which asks the pool
            assert values == plain[1][name]


# RS-CONV-18: profiles

profiles = st.sampled_from(PROFILES)


OWN = {("ir_measures", "RR"): {"ties": "id-ascending", "scores": "double"}}  # with a cut-off


def _metrics(profile):
    return profile.metrics or ("nDCG", "AP", "R", "P", "RR")


def _at(*metrics):
    return [f"{metric}@{k}" for metric in metrics for k in (1, 3)]


def _plain(result):
    """What a result has in common with that of another way to ask for the same."""
    if isinstance(result, str):
        return result
    return replace(result, profile=None, conventions=Conventions(), otherwise={})


def _refused(result, profile, chosen):
    """Whether the profile refuses the gain table that is given, in which label 0 has a gain."""
    if not isinstance(result, str) or "cannot do as its program does" not in result:
        return False
    assert "gain" in chosen
    assert profile.name == "ir_measures"  # the others refuse it without a cut-off only
    return True


def _evaluation(evaluate, *given_, **chosen):
    try:
        return evaluate(*given_, **chosen)
    except InputError as error:
        return str(error)


def _forgetting(f):
    """Takes the default for what a profile says."""

    def evaluate(*given_, profile=None, **chosen):  # noqa: ARG001
        return f(*given_, **chosen)

    return evaluate


@pytest.mark.spec("RS-CONV-18/L1")
@law(qrels=qrels_tables, run=close_runs, form=forms, profile=profiles, evaluate=_forgetting)
def test_a_profile_is_its_values_one_by_one(rs, qrels, run, form, profile):
    rows = rows_of(qrels), rows_of(run)
    for metric in _metrics(profile):
        by_name = _evaluation(rs.evaluate, *form(*rows), _at(metric), profile=profile.name)
        values = vars(profile.conventions) | OWN.get((profile.name, metric), {})
        one_by_one = _evaluation(rs.evaluate, *form(*rows), _at(metric), **values)
        assert _plain(by_name) == _plain(one_by_one)


def _stubborn(f):
    """Takes from a profile what a parameter says otherwise."""

    def evaluate(*given_, profile=None, **chosen):
        return f(*given_, profile=profile) if profile else f(*given_, **chosen)

    return evaluate


@pytest.mark.spec("RS-CONV-18/L2")
@law(
    qrels=qrels_tables,
    run=close_runs,
    form=forms,
    profile=profiles,
    options=conventions(),
    named=st.sets(st.sampled_from(list(CHOICES)), min_size=1),
    evaluate=_stubborn,
)
def test_a_parameter_takes_the_place_of_the_profiles(
    rs, *, qrels, run, form, profile, options, named
):
    rows = rows_of(qrels), rows_of(run)
    given_ = {name: x for name, x in options.items() if name in named and x is not None}
    for metric in _metrics(profile):
        both = _evaluation(rs.evaluate, *form(*rows), _at(metric), profile=profile.name, **given_)
        values = vars(profile.conventions) | OWN.get((profile.name, metric), {}) | given_
        alone = _evaluation(rs.evaluate, *form(*rows), _at(metric), **values)
        assert _refused(both, profile, given_) or _plain(both) == _plain(alone)


@pytest.mark.spec("RS-CONV-18")
def test_each_convention_has_a_default_and_a_place_in_the_table():
    assert [c.name for c in CONVENTIONS] == list(vars(Conventions()))
    for convention in CONVENTIONS:
        if convention.values:
            assert getattr(Conventions(), convention.name) == next(iter(convention.values))
    rows = assignments()
    assert list(rows) == ["default", *(profile.name for profile in PROFILES)]
    assert all(list(row) == list(vars(Conventions())) for row in rows.values())
    assert rows["default"]["depth"] == "none"
    assert rows["default"]["ties"] == "id-descending"
    assert rows["gdeval"]["gain"] == "exp2"
    assert rows["trec_eval-9"]["scores"] == "float32"


@BY
@pytest.mark.spec("RS-CONV-18", "RS-CONV-18/L2")
def test_a_profile_has_other_conventions_for_some_measures(by):
    """However the run is given, and though it is read several times then."""
    qrels, evaluate = {"q": {"a": 1}}, Metrics(by).evaluate
    lines = b"q Q0 a 1 16777217 t\nq Q0 b 2 16777216 t\n"  # tied as 32-bit floats
    rows = [("q", "a", 16777217.0), ("q", "b", 16777216.0)]
    names = ["RR@5", "RR", "ERR", "U(RR@5)", "RBP(p=0.5)"]
    asked = [*names[:-1], "RBP(p=0.5, rel=1)"]  # ir_measures' RBP without rel is another
    values = [1.0, 0.5, 1 / 16, 1.0, 0.5]
    for run in ({"q": {"a": 16777217.0, "b": 16777216.0}}, rows, iter(rows), io.BytesIO(lines)):
        found = evaluate(qrels, run, asked, profile="ir_measures")
        assert list(found.mean.items()) == [*zip(names, values, strict=True)]
        assert list(found.per_query) == names
        assert [*map(str, found.measures)] == names
    assert found.definition("RR")["scores"].startswith("float32")
    assert found.definition("RR@5")["scores"].startswith("double")
    assert found.definition("RR@5")["ties"].startswith("id-ascending")
    assert found.definition("RBP(p=0.5)")["ties"].startswith("input")
    assert found.conventions.scores == "float32"
    tied = {"q": {"a": 1.0, "b": 1.0}}
    assert evaluate(qrels, tied, "RR@5", profile="ir_measures")["RR@5"] == 1
    for rule, value in {"id-descending": 0.5, "expected": 0.75}.items():
        found = evaluate(qrels, tied, "RR@5", profile="ir_measures", ties=rule)
        assert found["RR@5"] == value  # a parameter is for every measure
    assert evaluate(qrels, tied, "RR@5", profile="ir_measures").queries == ("q",)
    with pytest.raises(InputError, match=r"^measures: expected at least one, .* got none$"):
        evaluate(qrels, tied, [], profile="ir_measures")


ALL = {"queries": "qrels"}  # trec_eval -c
JUDGED_ONLY = {"unjudged": "condensed", "negative": "unjudged"}  # trec_eval -J


@BY
@pytest.mark.spec("RS-CONV-18")
def test_a_profile_refuses_what_its_program_computes_otherwise(by):
    qrels, run, evaluate = {"q": {"a": 1}}, {"q": {"a": 1.0}}, Metrics(by).evaluate
    for profile, measure, why in (
        ("trec_eval-10", "RBP", "graded relevance"),
        ("trec_eval-10", "U(RBP(p=0.9))", "graded relevance"),
        ("trec_eval-10", "RBP_residual", "0 where all documents are judged"),
        ("trec_eval-10", "IDCG(gain=[0,0.5])", "differ"),
        ("trec_eval-9", "nDCG(gain=[1,2])", "unjudged documents none"),
        ("trec_eval-9", "nDCG(gain=[0,0.5])", "differ"),
        ("ir_measures", "nDCG(gain=[1,2])@3", "unjudged documents none"),
        ("ir_measures", "RBP(p=0.97, rel=1)", "the first 1000"),
        ("ir_measures", "RBP(p=0.97)", "graded labels in ir_measures"),
        ("ir_measures", "Compat", "the higher score first"),
        ("ranx", "RBP", "the label itself"),
    ):
        message = f'profile "{profile}" cannot do as its program does: .*{why}.*RS-CONV-18'
        with pytest.raises(InputError, match=message):
            evaluate(qrels, run, measure, profile=profile)
    for profile, measure, why, rules in (
        ("trec_eval-9", "yaap", "counts 0 for a query that the run misses", ALL),
        ("trec_eval-9", "utility.2,-1,-1,0", "counts 0 for a query that the run misses", ALL),
        ("trec_eval-10", "utility.2,-1,0,0", "in the list of a query that the run misses", ALL),
        ("trec_eval-9", "11pt_avg", "it divides 0 by 0", JUDGED_ONLY),
        ("trec_eval-10", "iprec_at_recall.0", "it divides 0 by 0", JUDGED_ONLY),
        ("ir_measures", "IPrec@0.0", "it divides 0 by 0", JUDGED_ONLY),
    ):
        message = f'profile "{profile}" cannot do as its program does: .*{why}.*RS-CONV-18'
        with pytest.raises(InputError, match=message):
            evaluate(qrels, run, measure, profile=profile, **rules)
        evaluate(qrels, run, measure, **rules)
        evaluate(qrels, run, measure, profile=profile)
    for profile, measure in (("trec_eval-9", "utility"), ("trec_eval-10", "yaap")):
        evaluate(qrels, run, measure, profile=profile, **ALL)
    evaluate(qrels, run, "utility.2,-1,0,0", profile="trec_eval-9", **ALL)
    for profile in ("trec_eval-9", "trec_eval-10"):
        message = f'profile "{profile}" cannot do as its program does: its Rndcg is 0 .*RS-CONV-18'
        with pytest.raises(InputError, match=message):
            evaluate(qrels, run, "nDCG_levels", profile=profile, rel=2)
        assert evaluate(qrels, run, "nDCG_levels", profile=profile, rel=1)["nDCG_levels"] == 1
    for profile, measure, value in (  # what the program does not have, and what it does alike
        ("trec_eval-9", "RBP", 1 - 0.8),
        ("trec_eval-9", "LNDCG", 1),
        ("trec_eval-9", "nDCG(gain=[1,2])@3", 1),
        ("trec_eval-9", "nDCG(gain=[0,3])", 1),
        ("ir_measures", "RBP(p=0.96, rel=1)", 1 - 0.96),
        ("ranx", "RR@5", 1),
    ):
        assert list(evaluate(qrels, run, measure, profile=profile).mean.values()) == [value]


@BY
@pytest.mark.spec("RS-CONV-18")
@pytest.mark.parametrize("profile", PROFILES, ids=lambda p: p.name)
def test_labels_that_a_program_does_not_read_are_refused(by, profile):
    qrels = {"p": {"a": 1.0}, "q": {"a": 1, "b": 2.5}}
    run = {"p": {"a": 1.0}, "q": {"a": 1.0, "b": 2.0}}
    evaluate = Metrics(by).evaluate
    if profile.name in ("sklearn", "ir_measures"):  # takes them; stops at most of them
        assert evaluate(qrels, run, "nDCG", profile=profile.name)["nDCG"] == 1
        return
    message = f'label 2.5 of document "b" for query "q": the profile "{profile.name}"'
    with pytest.raises(InputError, match=message):
        evaluate(qrels, run, "nDCG", profile=profile.name)
    with pytest.raises(InputError, match=message):
        rankspec.explain(qrels, run, "q", "nDCG", profile=profile.name)
    whole = {"p": {"a": 1.0}, "q": {"a": 1.0, "b": 2.0}}
    assert [*evaluate(whole, run, "nDCG", profile=profile.name).mean.values()] == [1]
    if profile.name == "gdeval":
        with pytest.raises(InputError, match=r'label 5 of document "a" .* up to 4, as gdeval'):
            evaluate({"p": {"a": 5}}, run, "nDCG", profile="gdeval")
    if profile.metrics is None:  # where labels are scores, they are not the program's
        found = evaluate(qrels, run, "nDCG", profile=profile.name, relevance="phi")
        assert found["nDCG_phi"] == 1


@BY
@pytest.mark.spec("RS-CONV-18")
def test_what_a_measure_says_comes_before_the_profile(by):
    qrels, run = {"q": {"a": 1, "b": 3}}, {"q": {"a": 2.0, "b": 1.0}}
    names = ["nDCG", "nDCG(gain='linear')", "nDCG(gain='exp2')"]
    result = Metrics(by).evaluate(qrels, run, names, profile="gdeval")
    assert list(result.mean) == ["nDCG(gain='exp2')", "nDCG"]
    plain = Metrics(by).evaluate(qrels, run, names)
    assert result.mean == plain.mean
    assert result.mean["nDCG"] != result.mean["nDCG(gain='exp2')"]


@BY
@pytest.mark.spec("RS-CONV-18")
@each(
    ("chosen", "message"),
    [
        (
            {"profile": "gdeval"},
            r'"AP": the profile "gdeval" has no AP, only nDCG and ERR \(RS-CONV-18\)',
        ),
        (
            {"profile": "trec_eval"},
            r'^unknown profile "trec_eval" \(did you mean "trec_eval-9"\?\)',
        ),
        ({"profile": 9}, r"^unknown profile 9; there are .* \(RS-CONV-18\)$"),
        ({"queries": "all"}, r'^queries: unknown choice "all".*\(RS-CONV-9\)$'),
        ({"scores": "float16"}, r'^scores: unknown choice "float16" \(did you mean "float32"\?\)'),
        ({"unjudged": "condense"}, r'\(did you mean "condensed"\?\).*\(RS-CONV-13\)$'),
        ({"negative": 0}, r"^negative: unknown choice 0.*\(RS-CONV-15\)$"),
        ({"undefined": 1}, r"^undefined: unknown choice 1.*\(RS-CONV-4\)$"),
        ({"duplicates": "any"}, r'^duplicates: unknown choice "any".*\(RS-CONV-10\)$'),
        ({"pool": []}, r"^pool: unknown choice \[\].*\(RS-CONV-17\)$"),
    ],
)
def test_what_is_no_profile_or_value_is_refused(by, chosen, message):
    with pytest.raises(InputError, match=message):
        Metrics(by).evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", **chosen)


@pytest.mark.spec("RS-CONV-18", "RS-CONV-18/L2")
def test_a_metric_has_its_own_gain_unless_something_says_otherwise():
    """nDCG is linear, LNDCG is not; a profile, an option and a measure come before that."""
    qrels = {"q": {"a": 3, "b": 2, "c": 1}}
    run = {"q": {"c": 3.0, "a": 2.0, "b": 1.0}}
    labels = [1, 3, 2]
    linear, exp2 = rankspec.ndcg(labels, gain="linear"), rankspec.ndcg(labels, gain="exp2")
    length_linear, length_exp2 = (
        rankspec.lndcg(labels, gain="linear"),
        rankspec.lndcg(labels, gain="exp2"),
    )
    assert linear != exp2
    assert length_linear != length_exp2

    def values(*measures, **given):
        return [*rankspec.evaluate(qrels, run, measures, **given).mean.values()]

    both = "nDCG", "LNDCG"
    assert values(*both) == values(*both, gain="own") == [linear, length_exp2]
    assert values(*both, gain="linear") == [linear, length_linear]
    assert values("nDCG(gain='exp2')", "LNDCG", gain="linear") == [exp2, length_linear]
    assert values("nDCG", profile="gdeval") == [exp2]
    assert values("nDCG", profile="gdeval", gain="own") == [linear]
    assert values("nDCG", discount="own", rel="own") == [linear]
    with pytest.raises(InputError, match='ties: unknown rule "own"'):
        values("nDCG", ties="own")
