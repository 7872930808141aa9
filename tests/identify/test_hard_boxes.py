"""Programs whose definitions are easy to miss, or to mistake for others."""

from __future__ import annotations

import json
import math

import pytest
from numpy import float32

from rankspec import identify
from rankspec.analysis.identify.inputs import Input
from rankspec.metrics.catalogue import METRICS
from tests.each import each
from tests.identify.boxes import dcg, of_scores, ordered

GRADES = {"integers": True, "negative": False}
BY_NAME = {metric.name: metric for metric in METRICS}


def found_of(box, form=None, **declared):
    return identify(box, form, isolated=False, **declared)


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-4")
def test_a_report_of_a_measure_with_a_prior():
    box = of_scores(BY_NAME["LNDCG"], "input")
    found = found_of(box, max_length=5, **GRADES)
    assert "LNDCG" in str(found)
    assert json.loads(json.dumps(found.as_dict()))["definition"]["measure"].startswith("LNDCG")
    assert found.vectors


# ---- what is undefined ---------------------------------------------------------------------


def one_of_nothing(norm):
    """AP from label 2 on, and 1 where its divisor is 0."""

    def box(labels, scores, k):
        seen = [x >= 2 for x in ordered(labels, scores)[:k]]
        found = [sum(seen[:i]) / i for i, hit in enumerate(seen, start=1) if hit]
        divisor = len(found) if norm == "hits" else sum(x >= 2 for x in labels)
        return sum(found) / divisor if divisor else 1.0

    return box


def hit_in_an_order_of_its_own(labels, scores, k):
    """Whether one of the first k is relevant; scores are 32-bit floats, and ties as they fall."""
    if not 1 <= k <= len(labels) or not any(labels):
        raise ValueError("nothing to look for")
    place = sorted(range(len(labels)), key=lambda a: (-float(float32(scores[a])), a * 5 % 7))
    return float(any(labels[a] for a in place[:k]))


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3")
def test_what_is_undefined_for_all_that_was_asked_explains_nothing():
    """A threshold that no binary label reaches fits any answer, and was taken for the measure."""
    found = found_of(hit_in_an_order_of_its_own, cutoff="required", binary=True, min_length=1)
    assert found.measures[0] == "Success"
    assert not any("rel=2" in name for name in found.measures)
    assert found.choices["undefined"] == ["error"]


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3", "RS-CONV-4")
@each(("norm", "measure"), [("relevant", "AP(rel=2)"), ("hits", "AP(rel=2, norm='hits')")])
def test_1_where_no_label_reaches_the_threshold(norm, measure):
    found = found_of(one_of_nothing(norm), max_length=6, **GRADES)
    assert (found.identified, found.measures[0]) == (True, measure)
    assert found.choices["undefined"] == ["one"]
    assert found.predict(Input((0, 1, 0, 0), (4.0, 3.0, 2.0, 1.0))).value == 1


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3", "RS-CONV-4")
def test_a_guard_against_divisors_that_are_not_above_0():
    def box(labels, scores, k):
        ideal = dcg(sorted(labels, reverse=True), k)
        return dcg(ordered(labels, scores), k) / ideal if ideal > 0 else 0

    found = found_of(box, integers=True, max_length=6)
    assert (found.identified, found.measures[0]) == (True, "nDCG")
    assert (found.choices["negative"], found.choices["undefined by"]) == (["kept"], ["not above 0"])
    assert found.predict(Input((-2,), (1.0,), 6)).value == 0
    assert found.predict(Input((-2, 1, -2), (3.0, 2.0, 1.0), 3)).value == 0


# ---- unjudged items ------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3", "RS-CONV-8")
def test_negative_items_that_leave_the_list_with_the_unjudged():
    def box(recommended, judged, k):
        kept = [judged[i] for i in recommended if judged.get(i, -1) >= 0]
        ideal = dcg(sorted((x for x in judged.values() if x >= 0), reverse=True), k)
        return dcg(kept, k) / ideal if ideal else 0.0

    found = found_of(box, "lists", integers=True)
    assert (found.identified, found.measures[0]) == (True, "nDCG")
    assert (found.choices["negative"], found.choices["unjudged"]) == (["unjudged"], ["condensed"])
    assert found.predict(Input((-2, -2, 4), k=7)).value == 1


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3")
def test_an_error_for_what_has_no_judgment():
    def box(recommended, judged, k):
        found = dcg([judged[i] for i in recommended], k)
        ideal = dcg(sorted(judged.values(), reverse=True), k)
        return found / ideal if ideal else 0.0

    found = found_of(box, "lists", **GRADES)
    assert (found.identified, found.measures[0]) == (True, "nDCG")
    assert found.choices["unjudged"] == ["error"]


# ---- thresholds ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3", "RS-PREC-1")
@each("rel", [4, 5])
def test_a_threshold_above_the_ordinary_labels(rel):
    def box(recommended, judged, k):
        return sum(judged.get(i, 0) >= rel for i in recommended[:k]) / k if k else 0.0

    found = found_of(box, "lists", cutoff="required", **GRADES)
    assert (found.identified, found.measures) == (True, [f"P(rel={rel})"])
    assert found.predict(Input((rel, rel - 1), k=2)).value == 0.5


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3")
@each("rel", [4, 5])
def test_a_threshold_of_a_measure_of_0_and_1(rel):
    def box(labels, scores, k):
        return float(any(x >= rel for x in ordered(labels, scores)[:k]))

    found = found_of(box, max_length=6, **GRADES)
    assert (found.identified, found.measures[0]) == (True, f"Success(rel={rel})")


@pytest.mark.spec("RS-IDF-4")
@each("value", [0.0, 0.25, 1])
def test_a_constant_has_no_definition(value):
    found = found_of(lambda labels, scores, k: value, **GRADES)  # noqa: ARG005
    assert (found.identified, found.definition) == (False, None)
    assert found.as_dict()["constant"] == value
    assert f"Every answer is {float(value)}: a constant" in str(found)


# ---- what orders a run ---------------------------------------------------------------------

COLUMNS = {"rank": lambda line: int(line[3]), "file": lambda _: 0, "score": lambda x: -float(x[4])}


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3", "RS-CONV-32")
@each("order", COLUMNS)
def test_what_orders_a_run(order):
    def box(qrels, run, k):
        judged = {line.split()[2]: int(line.split()[3]) for line in qrels.splitlines()}
        lines = sorted(map(str.split, run.splitlines()), key=COLUMNS[order])
        ideal = dcg(sorted(judged.values(), reverse=True), k)
        return dcg([judged.get(line[2], 0) for line in lines], k) / ideal if ideal else 0.0

    found = found_of(box, "trec", max_length=6, **GRADES)
    assert (found.identified, found.measures[0]) == (True, "nDCG")
    assert found.definition.choices["order"] == order
    assert ("RS-CONV-32" in str(found)) == (order != "score")
    asked = Input((0, 1, 2), (1.0, 3.0, 2.0), 1, ids=("a", "b", "c"), ranks=(3, 2, 1))
    assert found.predict(asked).value == {"rank": 1, "file": 0, "score": 0.5}[order]


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3", "RS-PREC-1")
@each("rel", [0.6, 0.5, 1 / 3, 1.7])
def test_a_threshold_between_whole_numbers(rel):
    def box(labels, scores, k):
        depth = len(labels) if k is None else k
        return sum(x >= rel for x in ordered(labels, scores)[:k]) / depth if depth else 0.0

    found = found_of(box, negative=False, max_length=6)
    assert (found.identified, found.measures[0]) == (True, f"P(rel={rel!r})")
    assert found.choices["fractions"][0] == "exact"


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3")
def test_a_threshold_of_f1_between_whole_numbers():
    def f1(labels, scores, k):
        hits = sum(x >= 0.6 for x in ordered(labels, scores)[:k])
        divisor = (len(labels) if k is None else k) + sum(x >= 0.6 for x in labels)
        return 2 * hits / divisor if divisor else 0.0

    assert found_of(f1, negative=False, max_length=6).measures[0] == "F(rel=0.6)"


# ---- lists of one item, and long ones -------------------------------------------------------


def refusing(recommended, judged, k):
    if len(recommended) == 1:
        raise ValueError("one item")
    return by_labels(recommended, judged, k)


def nan_for_one(recommended, judged, k):
    return math.nan if len(recommended) == 1 else by_labels(recommended, judged, k)


def by_labels(recommended, judged, k, weight=lambda i: 1 / math.log2(i + 1)):
    def summed(labels):
        return sum(x * weight(i) for i, x in enumerate(labels[:k], start=1))

    ideal = summed(sorted(judged.values(), reverse=True))
    return summed([judged.get(i, 0) for i in recommended]) / ideal if ideal else 0.0


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3", "RS-CONV-2")
@each(("box", "value"), [(refusing, "error"), (nan_for_one, "nan")], ids=["error", "nan"])
def test_a_list_of_one_item_tells_nothing_of_cutoffs_beyond_it(box, value):
    found = found_of(box, "lists", max_length=6, **GRADES)
    assert (found.identified, found.found.unsettled) == (True, [])
    assert (found.choices["one item"], found.choices["beyond"]) == ([value], ["k"])


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3", "RS-CONV-2")
def test_an_empty_list_is_asked_about_with_cutoffs_and_without():
    def box(recommended, judged, k):
        return sum(judged.get(i, 0) >= 1 for i in recommended[:k]) / (k or len(recommended))

    found = found_of(box, "lists", max_length=6, **GRADES)
    assert (found.identified, found.measures[0]) == (False, "P")
    assert {(u.input.labels, u.answer.kind) for u in found.found.unexplained} == {((), "value")}


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3", "RS-DISC-3")
def test_a_discount_that_begins_below_the_usual_ranks():
    def box(recommended, judged, k):
        return by_labels(recommended, judged, k, lambda i: 1 / max(1, math.log(i, 12)))

    found = found_of(box, "lists", integers=True)
    assert (found.identified, found.measures[0]) == (True, "nDCG(discount='jarvelin-2002(b=12)')")
    assert found.choices["unjudged"] == ["nonrelevant"]


# ---- slips ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3")
@each(("more", "name"), [(-1, "P(one rank less)"), (1, "P(one rank more)")])
def test_hits_that_are_counted_one_rank_off(more, name):
    def box(labels, scores, k):
        return sum(x >= 1 for x in ordered(labels, scores)[: k + more]) / k if k else 0.0

    found = found_of(box, cutoff="required", max_length=6, **GRADES)
    assert (found.identified, found.measures[0]) == (True, name)
    assert "Outside rankspec's conventions:" in str(found)


# ---- what is reported ----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3", "RS-TIE-2")
def test_a_rule_of_ties_that_gives_every_number_is_the_rule():
    def box(labels, scores, k):
        if len(set(scores)) < len(scores) and len(labels) > 5:
            return math.nan
        ideal = dcg(sorted(labels, reverse=True), k)
        return dcg(ordered(labels, scores), k) / ideal if ideal else 0.0

    found = found_of(box, max_length=6, **GRADES)
    assert found.choices["ties"] == ["input"]
    assert {u.answer.kind for u in found.found.unexplained} == {"nan"}


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-4")
def test_each_name_of_the_class_has_a_line():
    def shown(labels, scores, k):
        seen = ordered(labels, scores)[:k]
        return sum(seen) / len(seen) if seen else 0.0

    found = found_of(shown, binary=True)
    lines = str(found).splitlines()
    at = lines.index("  the same on all inputs asked:")
    named = [line.split("  with ") for line in lines[at + 1 : at + 5]]
    assert [name for name, *_ in named] == [f"    {name}" for name in found.measures[1:5]]
    assert ["    P", "beyond: n"] in named
    assert ["    SetP(rel=5e-324)"] in named
    assert "Accuracy: 60 of 60 values are correctly rounded\n" in str(found) + "\n"


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-3", "RS-IDF-4")
def test_a_table_of_gains_is_said_not_to_be_tried():
    def table(labels, scores, k):
        return dcg(ordered(labels, scores), k, [0, 3, 4, 7].__getitem__)

    text = str(found_of(table, max_label=3, max_length=5, **GRADES))
    assert "Tables of gains, weights or stop probabilities were not tried" in text


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-4")
def test_values_that_are_all_refuted_are_not_listed():
    def box(labels, scores, k):
        if min(labels, default=0) < 0:
            return 0.123 * len(labels)
        ideal = dcg(sorted(labels, reverse=True), k)
        return dcg(ordered(labels, scores), k) / ideal if ideal else 0.0

    found = found_of(box, integers=True, max_length=6)
    assert not found.identified
    assert "negative" not in found.choices
    assert found.as_dict()["unsettled"] == ["negative"]
    assert "No value explains these answers: negative" in str(found)
