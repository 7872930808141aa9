"""In a small world the class is exact: its members agree everywhere, and no others do."""

from __future__ import annotations

import pytest

from rankspec.analysis.identify import probes
from rankspec.analysis.identify.definition import plain
from rankspec.analysis.identify.forms import FORMS as FORMS_OF_ADAPTERS
from rankspec.analysis.identify.hypotheses import cores
from rankspec.analysis.identify.identification import identified
from rankspec.analysis.identify.inputs import domain
from rankspec.analysis.identify.outcomes import agrees
from tests.each import each
from tests.identify.boxes import of_lists, of_scores
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
@pytest.mark.spec("RS-IDF-1", "RS-IDF-1/L1")
@each(("metric", "parameters"), SOME, ids=[name_of(*x) for x in SOME], fast=1)
@each("form", FORMS, fast=1)
def test_the_class_is_exact(form, metric, parameters):
    check(form, metric, parameters, FORMS[form][1])


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-1")
@each(("metric", "parameters"), VARIANTS[::6], ids=NAMES[::6])
def test_the_class_is_exact_up_to_4_items(metric, parameters):
    check("lists", metric, parameters, 4)
