"""In a small world the class is exact: its members agree everywhere, and no others do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, product

import pytest

from rankspec.analysis.identify import probes
from rankspec.analysis.identify.child import Box
from rankspec.analysis.identify.choices import CHOICES
from rankspec.analysis.identify.definition import plain
from rankspec.analysis.identify.forms import FORMS as FORMS_OF_ADAPTERS
from rankspec.analysis.identify.hypotheses import cores
from rankspec.analysis.identify.identification import identified
from rankspec.analysis.identify.inputs import Domain, Input, domain
from rankspec.analysis.identify.outcomes import agrees
from tests.identify.boxes import ap, dcg, ndcg, of_lists, of_scores
from tests.identify.test_own_measures import CONSTANT, NAMES, VARIANTS, is_found, name_of

LIMITS = {"max_label": 2, "integers": True, "negative": False, "min_length": 1}
FORMS = {"scores": (of_scores, 3, 4), "lists": (of_lists, 3, 4)}


def world_and_class(form, metric, parameters, longest):
    box, *_ = FORMS[form]
    limits = {**LIMITS, "max_length": longest}
    if form == "lists":
        limits["unjudged"] = False
    fn = box(metric, **parameters)
    world = list(probes.small_world(domain(FORMS_OF_ADAPTERS[form].domain, limits), longest))
    return world, identified(lambda: fn, form, limits, 10.0, False, world)


def check(form, metric, parameters, longest):
    world, found = world_and_class(form, metric, parameters, longest)
    assert found.found.unexplained == []
    if name_of(metric, parameters) in CONSTANT:
        is_found(found, name_of(metric, parameters))
        return
    first, *others = found.found.members
    precision = found.asked.precision
    answers = {x: first.predict(x) for x in world}
    for d in others:
        for x, answer in answers.items():
            assert agrees(d.predict(x), answer, precision), (d.core.name, d.choices, x)
    # Longer lists and pools, too; they come first, for they tell most definitions apart.
    answers = {x: first.predict(x) for x in found.asked.known} | answers
    known = {(d.core.name, d.choices["ties"]) for d in found.found.members}
    rules = ["expected", "input", "best", "worst", "reversed"] if form == "scores" else ["expected"]
    for core in cores():
        for ties in [core.ties] if core.ties else rules:
            if (core.name, ties) not in known:
                other = plain(core).with_({"ties": ties})
                assert any(
                    not agrees(other.predict(x), a, precision) for x, a in answers.items()
                ), (
                    core.name,
                    ties,
                )


SOME = [x for a, x in enumerate(VARIANTS) if not x[1] or a % 5 == 0]  # every metric at least once


@pytest.mark.slow
@pytest.mark.long(but=14)
@pytest.mark.spec("RS-IDF-1", "RS-IDF-1/L1")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("metric", "parameters"), SOME, ids=[name_of(*x) for x in SOME])
def test_the_class_is_exact(form, metric, parameters):
    check(form, metric, parameters, FORMS[form][1])


@pytest.mark.slow
@pytest.mark.long(but=3)
@pytest.mark.spec("RS-IDF-1")
@pytest.mark.parametrize(("metric", "parameters"), VARIANTS[::6], ids=NAMES[::6])
def test_the_class_is_exact_up_to_4_items(metric, parameters):
    check("lists", metric, parameters, 4)


# ---- the choices, of all lists of up to 2 items --------------------------------------------

OF_TWO = {"max_length": 2, "max_label": 2}


def world_of_two(of: Domain) -> Iterator[Input]:
    """Whatever choices are about: no item, 0 as a cut-off, labels below 0, fractions, no label.

    0 is the cut-off of ordinary lists alone: what decides where two choices meet is none.
    """
    labels = [-1, 0, 0.5, 1, 2, *[None] * of.unjudged]
    pools: list[tuple[int, ...]] = [(), (1,), (2, 0)] if of.pool else [()]
    for n in range(3):
        scored = list(probes.weak_orders(n)) if n else [()]
        orders = scored if of.scored else [None]
        for of_list, scores, k, pool in product(
            product(labels, repeat=n), orders, (None, 0, 1, 2, 3), pools
        ):
            if k != 0 or ({0, 1, 2} >= set(of_list) and any(of_list)):
                yield Input(of_list, scores, k, pool)


def ndcg_of_lists(recommended, judged, k):
    ideal = dcg(sorted(judged.values(), reverse=True), k)
    return dcg([judged.get(i, 0) for i in recommended], k) / ideal if ideal else 0.0


def guarded_ap(labels, scores, k):
    if not labels:
        raise ValueError("no items")
    return ap(labels, scores, k) if any(x >= 1 for x in labels) else math.nan


def precision(recommended, judged, k):
    depth = len(recommended) if k is None else k
    return sum(judged.get(i, 0) >= 1 for i in recommended[:depth]) / depth if depth else 0.0


def refused_p(recommended, judged, k):
    if not recommended:
        raise ValueError("no items")
    labels = [judged[i] for i in recommended]
    return sum(x >= 1 for x in labels[:k]) / (k or len(labels))


OF_CHOICES = {
    "nDCG": ("scores", ndcg),
    "AP": ("scores", guarded_ap),
    "nDCG of lists": ("lists", ndcg_of_lists),
    "P of lists": ("lists", precision),
    "P that refuses": ("lists", refused_p),
}
UNKNOWABLE = {("ties", "threshold"), ("ties", "random"), ("ties", "some order")}
"""What is of one measure alone, or no rule."""


def others_of(found):
    """The reported definition with one choice otherwise; with two, where the class is complete."""
    of, d = found.domain, found.definition
    alone = [
        (c.name, x)
        for c in CHOICES
        for x in c.values
        if c.name in found.choices
        and (d.core.of_pool or c.name != "pool")
        and c.name not in ("long ties", "output")  # no list of two items is long
        and x != d.choices[c.name]
        and (c.name, x) not in UNKNOWABLE
        and not (x == "retrieved" and not of.pool)
        and not (c.name == "ties" and x.startswith("id-") and not of.named)
    ]
    two = combinations(alone, 2) if found.found.complete else ()
    chosen = [*([x] for x in alone), *(pair for pair in two if pair[0][0] != pair[1][0])]
    return [d.with_(dict(x)) for x in chosen]


@pytest.mark.slow
@pytest.mark.long(but=2)
@pytest.mark.spec("RS-IDF-1", "RS-IDF-1/L1")
@pytest.mark.parametrize(("form", "fn"), OF_CHOICES.values(), ids=list(OF_CHOICES))
def test_the_class_is_exact_in_the_choices(form, fn):
    said = FORMS_OF_ADAPTERS[form]
    world = list(world_of_two(domain(said.domain, OF_TWO)))
    found = identified(lambda: fn, form, OF_TWO, 10.0, False, world)
    assert found.found.unexplained == []
    box = Box(lambda: fn, 10.0, False)
    answers = {x: box(*said.arguments(x, found.domain)) for x in world}
    for d in found.found.members:
        for x, answer in answers.items():
            assert agrees(d.predict(x), answer, found.asked.precision), (d.choices, x, answer)
    answers |= found.asked.known  # scores that differ as doubles alone, and other fractions
    members = {(d.core.name, d.values) for d in found.found.members}
    others = [d for d in others_of(found) if (d.core.name, d.values) not in members]
    assert len(others) > 20
    for d in others:
        assert any(
            not agrees(d.predict(x), answer, found.asked.precision) for x, answer in answers.items()
        ), d.choices
