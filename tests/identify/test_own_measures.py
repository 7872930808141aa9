"""rankspec's own measures, under each convention and profile, are found by their answers."""

from __future__ import annotations

from itertools import product

import pytest

from rankspec import identify
from rankspec.evaluation.profiles import PROFILES
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.measure import make
from tests.each import each
from tests.identify.boxes import of_files, of_lists, of_scores

OF_LABELS = [metric for metric in METRICS if metric.labels.relevance is None]
EXTRA = {"gain": ["exp2"], "discount": ["zipf", "jarvelin-2008(b=2)"], "rel": [2], "p": [0.5]}
RULES = ["expected", "input", "best", "worst"]


def variants():
    """Each metric with each word of its parameters, and some other values, one at a time."""
    for metric in OF_LABELS:
        yield metric, {}
        for name, parameter in metric.parameters.items():
            others = [x for x in parameter.words if x != parameter.default]
            for x in [*others, *EXTRA.get(name, [])]:
                yield metric, {name: x}


def name_of(metric, parameters):
    return str(make(metric, None, **parameters))


VARIANTS = list(variants())
NAMES = [name_of(*x) for x in VARIANTS]


CONSTANT = {
    "NumQ": 1.0,
    "Judged": 1.0,
    "Unjudged": 0.0,
    "GRBP_residual(tail='unjudged')": 0.0,
}
"""What has one value for every list whose items are all judged, so that nothing identifies it."""

SLOW_WITH_TIES = {"INST": 16}
"""The longest list that is asked with ties: ten thousand orders of a longer one take 10 seconds."""


SECONDS = 60
"""For one call: NERR11 of ten thousand orders takes 6 seconds of an idle processor."""


def is_found(found, name):
    assert found.found.unexplained == []
    if name in CONSTANT and not found.domain.unjudged:
        assert found.found.constant is not None
        assert found.found.constant.value == CONSTANT[name]
        assert found.measures == []
        return
    assert name in found.measures, (name, found.measures)


def limits_of(metric):
    longest = SLOW_WITH_TIES.get(metric.name)
    return {"max_label": 4, **({} if longest is None else {"max_length": longest})}


@pytest.mark.slow
@pytest.mark.long(but=5)
@pytest.mark.spec("RS-IDF-1")
@pytest.mark.parametrize(("metric", "parameters"), VARIANTS, ids=NAMES)
def test_each_measure_of_scores(metric, parameters):
    found = identify(of_scores(metric, **parameters), timeout=SECONDS, **limits_of(metric))
    is_found(found, name_of(metric, parameters))


@pytest.mark.slow(but=1)  # DCG, which is found soon
@pytest.mark.long(but=4)
@pytest.mark.spec("RS-IDF-1")
@pytest.mark.parametrize(
    "metric", sorted(OF_LABELS, key=lambda m: m.name != "DCG"), ids=lambda m: m.name
)
def test_each_metric_of_lists(metric):
    found = identify(of_lists(metric), form="lists", max_label=4, unjudged=False)
    is_found(found, name_of(metric, {}))


OF_JUDGMENTS = ["Judged", "Unjudged", "GRBP_residual(tail='unjudged')"]


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-1", "RS-IDF-3")
@pytest.mark.parametrize("name", OF_JUDGMENTS)
def test_what_only_items_without_a_judgment_tell(name):
    declared = {"max_label": 4, "integers": True, "negative": False}
    found = identify(of_files(name, ties="id-ascending"), form="trec", **declared)
    assert found.found.unexplained == []
    assert found.measures == [name]
    assert found.choices["ties"] == ["id-ascending"]


RULED = [m for m in OF_LABELS if m.name in ("nDCG", "AP", "ERR", "RBP")]
OTHERS = [m for m in OF_LABELS if m not in RULED]


@pytest.mark.slow
@pytest.mark.long(but=3)
@pytest.mark.spec("RS-IDF-1")
@pytest.mark.parametrize(
    ("metric", "ties"),
    [
        *product(RULED, RULES),
        *((m, RULES[1 + a % 3]) for a, m in enumerate(OTHERS[::2])),
    ],
    ids=lambda x: x if isinstance(x, str) else x.name,
)
def test_each_tie_rule(metric, ties):
    """Every rule with some metrics, and half of the others with one of the rules in turn.

    By the rule "expected" test_each_measure_of_scores has asked of all.
    """
    found = identify(of_scores(metric, ties), timeout=SECONDS, **limits_of(metric))
    is_found(found, name_of(metric, {}))
    assert metric.name in CONSTANT or ties in found.choices["ties"]


PROFILED = [
    (profile.name, name)
    for profile, name in product(PROFILES, ["nDCG", "AP", "RR", "P", "R", "Success", "DCG", "ERR"])
    if not profile.metrics or name in profile.metrics
]


@pytest.mark.slow
@pytest.mark.long(but=3)
@pytest.mark.spec("RS-IDF-1")
@pytest.mark.parametrize(("profile", "name"), PROFILED)
def test_each_profile_of_files(profile, name):
    declared = {"max_label": 4, "min_length": 2, "integers": True, "cutoff": "required"}
    found = identify(of_files(name, profile=profile), form="trec", **declared)
    gain = next(p for p in PROFILES if p.name == profile).conventions.gain
    names = {name, f"{name}(gain='{gain}')"} if gain else {name}
    assert found.found.unexplained == []
    assert names & set(found.measures)


@pytest.mark.slow
@pytest.mark.spec("RS-IDF-4")
@each("profile", [p.name for p in PROFILES], fast=1)
def test_the_nearest_profile_of_a_profile_has_all_its_answers(profile):
    declared = {"max_label": 4, "min_length": 2, "integers": True, "negative": False}
    found = identify(of_files("nDCG", profile=profile), form="trec", **declared)
    assert found.profile is not None
    assert (found.profile.agrees, found.profile.refuted) == (found.profile.asked, None)


CONVENTIONS = [
    ("scores", "float32"),
    ("scores", "double"),
    ("negative", "zero"),
    ("negative", "error"),
    ("unjudged", "condensed"),
    ("undefined", "one"),
    ("undefined", "omit"),
    ("pool", "retrieved"),
    ("ties", "id-descending"),
    ("ties", "id-ascending"),
    ("ties", "input"),
    ("ties", "best"),
    ("ties", "worst"),
    ("ties", "expected"),
]


@pytest.mark.slow
@pytest.mark.long(but=3)  # each of them, by one of the measures
@pytest.mark.spec("RS-IDF-1")
@pytest.mark.parametrize(("convention", "value"), CONVENTIONS)
@pytest.mark.parametrize("name", ["nDCG", "AP"])
def test_each_convention_of_evaluations(name, convention, value):
    found = identify(of_files(name, **{convention: value}), form="trec")
    is_found(found, name)
    assert value in found.choices[convention]
