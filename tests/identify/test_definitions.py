"""Definitions that programs have beside the plainest: how they are found, and called."""

from __future__ import annotations

import math
from functools import cache
from itertools import product

import pytest

from rankspec import identify
from rankspec.analysis.identify import search
from rankspec.analysis.identify.asked import Asked
from rankspec.analysis.identify.definition import plain
from rankspec.analysis.identify.hypotheses import cores
from rankspec.analysis.identify.inputs import Domain, Input
from rankspec.analysis.identify.nearest import as_in_profile, nearest_profile
from rankspec.analysis.identify.outcomes import DOUBLE, VALUE, Outcome
from rankspec.analysis.identify.search import Found
from rankspec.evaluation.profiles import PROFILES
from rankspec.metrics.catalogue import METRICS
from tests.each import each
from tests.identify.boxes import dcg, ndcg, of_lists, ordered

GRADES = {"integers": True, "negative": False}


def found_of(box, form=None, **declared):
    found = identify(box, form, isolated=False, **declared)
    assert found.found.unexplained == []
    return found


@cache
def core_named(name):
    """Return a core; all of them are made anew by each call of cores()."""
    return next(core for core in cores() if core.name == name)


# ---- where the divisor is 0 --------------------------------------------------------------


def ap_of_hits(labels, scores, k):
    hits = [i for i, x in enumerate(ordered(labels, scores)[:k], start=1) if x >= 1]
    if not hits:
        return math.nan
    return sum(a / i for a, i in enumerate(hits, start=1)) / len(hits)


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-1", "RS-CONV-4")
def test_the_divisor_of_the_definition_decides_what_is_undefined():
    found = found_of(ap_of_hits, **GRADES)
    assert found.measures[0] == "AP(norm='hits')"
    chosen = found.definition.choices
    assert (chosen["pool"], chosen["undefined"], chosen["undefined by"]) == (
        "judged",
        "nan",
        "pool",
    )


# ---- thresholds --------------------------------------------------------------------------


def f1_of(relevant):
    def f1(labels, scores, k):
        hits = sum(map(relevant, ordered(labels, scores)[:k]))
        divisor = (len(labels) if k is None else k) + sum(map(relevant, labels))
        return 2 * hits / divisor if divisor else 0.0

    return f1


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3")
@each(
    ("relevant", "measure", "fractions"),
    {
        "above 0": (lambda x: x > 0, "F(rel=5e-324)", "exact"),
        "from 1": (lambda x: x >= 1, "F", "exact"),
        "from 3": (lambda x: x >= 3, "F(rel=3)", "exact"),
        "rounded": (lambda x: round(x) >= 1, "F", "rounded"),
    }.values(),
    ids=["above 0", "from 1", "from 3", "rounded"],
)
def test_thresholds_are_told_apart(relevant, measure, fractions):
    found = found_of(f1_of(relevant))
    assert (found.measures[0], found.choices["fractions"][0]) == (measure, fractions)
    assert ("every label above 0 is relevant" in str(found)) == ("5e-324" in measure)


# ---- unjudged items beside negative labels -----------------------------------------------


def by_hand(pooled):
    """nDCG with negative labels as they are, of which the ideal has unjudged items or not."""

    def box(recommended, judged, k):
        ranked = [judged.get(i, 0) for i in recommended]
        pool = [*judged.values(), *(0 for i in recommended if pooled and i not in judged)]
        best = dcg(sorted(pool, reverse=True), k)
        return dcg(ranked, k) / best if any(x > 0 for x in pool) and best else 0.0

    return box


@pytest.mark.spec("RS-CONV-8")
@each(("how", "ideal"), [("nonrelevant", 1 - 1 / math.log2(3)), ("pooled", 1 - 1 / 2)])
def test_whether_unjudged_items_are_in_the_pool(how, ideal):
    asked = Input((1, None, -1))
    d = plain(core_named("nDCG")).with_({"negative": "kept", "unjudged": how})
    assert d.predict(asked).value == pytest.approx((1 - 1 / 2) / ideal)


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3")
@each(("pooled", "how"), [(False, "nonrelevant"), (True, "pooled")])
def test_the_pool_of_unjudged_items_is_found(pooled, how):
    found = found_of(by_hand(pooled), "lists", integers=True)
    assert (found.measures[0], found.choices["unjudged"]) == ("nDCG", [how])


# ---- parameters that no list has ---------------------------------------------------------


def rbp(p):
    def box(labels, scores, k):
        ranked = enumerate(ordered(labels, scores)[:k])
        return (1 - p) * sum(p**i for i, x in ranked if x >= 1)

    return box


def err(highest):
    def box(labels, scores, k):
        total, left = 0.0, 1.0
        for i, x in enumerate(ordered(labels, scores)[:k], start=1):
            stops = (2**x - 1) / 2 ** (highest or max(labels))
            total, left = total + left * stops / i, left * (1 - stops)
        return total

    return box


ESTIMATED = {
    "p": (rbp(0.85), "RBP(p=0.85)"),
    "p, rounded": (lambda y, s, k: round(rbp(0.73)(y, s, k), 4), "RBP(p=0.73)"),
    "base": (lambda y, s, k: dcg(ordered(y, s), k, base=3.0), "DCG(discount='log(b=3)')"),
    "max": (err(6), "ERR(max=6)"),
    "max of the list": (err(None), "ERR(max of the list)"),
}


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3")
@each(("box", "measure"), ESTIMATED.values(), ids=ESTIMATED, fast=2)
def test_a_parameter_is_estimated(box, measure):
    found = found_of(box, **GRADES)
    assert found.measures[0] == measure
    assert found.calls < 150


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3", "RS-CONV-32")
def test_a_list_in_the_order_of_the_input():
    found = found_of(lambda y, _, k: ndcg(y, [-a for a in range(len(y))], k), **GRADES)
    assert (found.measures[0], found.choices["order"]) == ("nDCG", ["file"])
    assert not {"ties", "long ties", "scores"} & set(found.choices)
    assert "RS-CONV-32" in str(found)


# ---- names -------------------------------------------------------------------------------


def precision_of_shown(labels, scores, k):
    shown = ordered(labels, scores)[:k]
    return sum(shown) / len(shown) if shown else 0.0


def capped_recall(labels, scores, k):
    divisor = min(sum(labels), len(labels) if k is None else k)
    return sum(ordered(labels, scores)[:k]) / divisor if divisor else 0.0


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-1")
@each(("box", "name"), [(precision_of_shown, "SetP"), (capped_recall, "RelP")])
def test_the_usual_name_comes_first(box, name):
    found = found_of(box, binary=True)
    assert found.measures[0] == name
    assert any("discount='none'" in x for x in found.measures[1:])
    assert "the same on all inputs asked" in str(found)


# ---- the class, and what is reported -----------------------------------------------------


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-1", "RS-IDF-4")
def test_the_class_gives_all_answers():
    found = found_of(ndcg)
    for d in found.found.members:
        assert all(found.asked.left([d], x, a) for x, a in found.asked.known.items())
    same = found.as_dict()["same"]
    assert len(same["others"]) == same["definitions"] - 1
    assert same["complete"]
    values = found.choices
    combined = [
        found.definition.with_(dict(zip(values, chosen, strict=True)))
        for chosen in product(*values.values())
    ]
    all_of_them = set(combined) <= set(found.found.members)
    assert same["combined"] == all_of_them


@pytest.mark.spec("RS-IDF-1")
def test_a_combination_that_an_answer_refutes_is_not_of_the_class():
    first = plain(core_named("nDCG")).with_({"ties": "best"})
    asked = Asked(lambda x: Outcome(VALUE, 1.0 if x.labels[0] else 0.0))
    asked.ask(Input((1, 0), (1.0, 1.0)), "ties")  # 1.0, and not 0.63
    asked.ask(Input((0, 1), (1.0, 1.0)), "ties")  # which the first does not give, either
    known = [first, first.with_({"ties": "worst"}), first.with_({"long ties": "some order"})]
    found = Found(members=known)
    search.keep_those_that_explain(asked, found)
    assert found.members == [known[0], known[2]]


@pytest.mark.spec("RS-IDF-3")
def test_a_question_that_only_the_last_row_has_is_chosen():
    kept, zero = (plain(core_named("nDCG")).with_({"negative": x}) for x in ("kept", "zero"))
    questions = [Input((1, 0), k=k) for k in range(1, 100)] + [Input((-1, 1))]
    asked = Asked(lambda _: Outcome("none"))
    assert search._most_telling([kept, zero], questions, asked) == (1.0, 99)
    assert search._most_telling([kept, kept], questions, asked) == (0.0, 0)


@pytest.mark.spec("RS-IDF-4")
def test_the_nearest_measures_are_different_ones():
    questions = [Input((3, 1, 2), (3.0, 2.0, 1.0), k) for k in (1, 2, 5)]
    # Whatever becomes of a cut-off beyond the list.
    asked = Asked(plain(core_named("nDCG")).predict)
    for x in questions:
        asked.ask(x, "measure")
    found, names = Found(), ["nDCG", "AP", "RR"]
    search._nearest(found, asked, list(map(core_named, names)), Domain(), questions)
    assert sorted(d.core.name for d, *_ in found.nearest) == sorted(names)


@pytest.mark.spec("RS-IDF-4")
def test_what_a_later_choice_explains_is_not_unexplained():
    first = plain(core_named("nDCG")).with_({"one item": "nan"})
    asked = Asked(lambda x: Outcome("nan" if len(x.labels) == 1 else VALUE, 0.25))
    explained, not_ = Input((1,), k=1), Input((1, 0), k=1)
    said = [
        search.Unexplained("beyond", x, asked.ask(x, "beyond"), "1.0") for x in (explained, not_)
    ]
    found = Found(members=[first], unexplained=said)
    search._against_all(asked, found)
    assert [u.input for u in found.unexplained] == [not_]


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-4")
def test_repeats_and_identified_are_two_things():
    def of(box):
        report = identify(box, isolated=False, **GRADES).as_dict()
        return report["repeats"], report["identified"], report["definition"] is not None

    assert of(ndcg) == (True, True, True)
    assert of(lambda y, s, k: ndcg(y, s, k) ** 1.01) == (True, False, False)
    asked = []
    assert of(lambda y, s, k: asked.append(0) or ndcg(y, s, k) * len(asked))[:2] == (False, False)


@pytest.mark.spec("RS-IDF-4")
@each("profile", [p for p in PROFILES if as_in_profile(p, plain(core_named("nDCG")))], fast=6)
def test_the_nearest_profile_of_a_profile_is_itself(profile):
    there = as_in_profile(profile, plain(core_named("nDCG")))
    near = nearest_profile(Asked(lambda _: Outcome("none")), [there])
    known = next(p for p in PROFILES if p.name == near.name)
    assert as_in_profile(known, there) == there


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-4")
def test_calls_that_raise_and_that_vary_are_listed():
    asked = []

    def box(labels, scores, k):
        if min(labels, default=0) < 0:
            raise ValueError(f"label {min(labels)}")
        asked.append(0)
        tie = len(set(scores)) < len(scores)
        return ndcg(labels, scores if not tie or len(asked) % 2 else scores[::-1], k)

    found = identify(box, isolated=False)
    (error,) = [step for step in found.errors() if step.stage == "negative"]
    assert min(error.input.labels) < 0
    text = " ".join(str(found).split())
    assert f"negative: {error.input}: error (ValueError: label " in text
    assert found.asked.varying
    assert f"Several answers to {len(found.asked.varying)} questions:" in text


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-4")
def test_no_number_and_no_definition_is_broken():
    found = found_of(ndcg)
    lines = str(found).splitlines()
    for name in found.measures[1:4]:
        assert any(name in line for line in lines)
    long = [round(0.1 * a, 1) for a in range(48)]
    found.found.unexplained.append(
        type("", (), {"input": Input(tuple(long)), "answer": 0.25, "predicted": "0.5"})
    )
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80
    row = text.split("labels ")[1].split(", k=None", maxsplit=1)[0]
    assert [float(x) for x in "".join(x.strip() + ("" if x.strip().endswith(",") else ",")
            for x in row.splitlines()).replace(" ", "").strip(",").split(",")] == long  # fmt: skip


# ---- the precision of answers ------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3")
def test_few_values_of_few_digits_are_not_rounded():
    metric = next(m for m in METRICS if m.name == "P")
    found = found_of(
        of_lists(metric), "lists", binary=True, unjudged=False, max_length=5, cutoffs=[5]
    )
    assert found.asked.precision == DOUBLE
    assert found.choices["output"] == ["double"]
