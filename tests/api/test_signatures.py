"""The functions of the metrics say their arguments; the metrics declare them. Both say the same."""

from __future__ import annotations

import inspect
from inspect import Parameter
from typing import Any

import pytest

import rankspec as rs
from rankspec.metrics.catalogue import DIVERSITY_METRICS, METRICS, SESSION_METRICS
from rankspec.metrics.measure import Metric

KNOWN = (*METRICS, *SESSION_METRICS, *DIVERSITY_METRICS)


def signature_of(metric: Metric) -> dict[str, Parameter]:
    return dict(inspect.signature(getattr(rs, metric.function)).parameters)


def arguments_around(metric: Metric) -> tuple[dict[str, Any], dict[str, Any]]:
    """What stands before and after the metric's parameters, with its default."""
    before: dict[str, Any] = {"labels": Parameter.empty}
    judged = {"judged": None, "judged_offsets": None, "check": True} if metric.judged else {}
    if metric in DIVERSITY_METRICS:
        before |= {"offsets": None, "judged": None, "judged_offsets": None, "probabilities": None}
        return before | {"check": True, "k": None}, {"backend": "auto"}
    if metric.of_sessions:
        before |= {"ids": None, "offsets": None, "sessions": None, **judged}
        return before | {"k": None}, {"backend": "auto"}
    if not metric.of_pool:
        before |= {"scores": None, "ids": None, "ties": None}
    before |= {"offsets": None, **judged}
    before |= {"unjudged": None} if metric.sees_unjudged else {}
    return before | {"k": None, metric.cutoff: None}, {"backend": "auto"}


def differences(metric: Metric, signature: dict[str, Parameter]) -> list[str]:
    """Where the arguments of a function are not those that its metric declares."""
    before, after = arguments_around(metric)
    wanted = [*before, *metric.parameters, *after]
    if list(signature) != wanted:
        return [f"the arguments are {list(signature)}, not {wanted}"]
    found = [
        f"{name}: {signature[name].default!r}, not {default!r}"
        for name, default in (before | after).items()
        if signature[name].default is not default and signature[name].default != default
    ]
    for name, declared in metric.parameters.items():
        default = declared.read(signature[name].default)
        if default != declared.default or type(default) is not type(declared.default):
            found.append(f"{name}: {default!r}, not {declared.default!r}")
        if signature[name].annotation != declared.annotation:
            found.append(f"{name}: {signature[name].annotation}, not {declared.annotation}")
    kinds = [parameter.kind for parameter in signature.values()]
    if kinds != [Parameter.POSITIONAL_OR_KEYWORD] + [Parameter.KEYWORD_ONLY] * (len(kinds) - 1):
        found.append("only the labels may be given without a name")
    return found


@pytest.mark.parametrize("metric", KNOWN, ids=lambda m: m.function)
def test_a_function_has_the_parameters_of_its_metric(metric: Metric) -> None:
    assert differences(metric, signature_of(metric)) == []


@pytest.mark.parametrize(
    ("function", "metric"),
    [
        ("cg_vector", rs.CG),
        ("dcg_vector", rs.DCG),
        ("relevance", rs.DCG_phi),
        ("user_expected_dcg", rs.LDCG),
        ("sdcg_vector", rs.avg_sDCG),
        ("isdcg_vector", rs.IsDCG),
        ("nsdcg_vector", rs.avg_nsDCG),
        ("query_sdcg_vectors", rs.query_sDCG),
    ],
)
def test_a_function_beside_it_has_the_same_defaults(function: str, metric: Metric) -> None:
    signature = inspect.signature(getattr(rs, function)).parameters
    shared = [name for name in metric.parameters if name in signature]
    assert shared
    assert shared == [name for name in signature if name in shared]
    for name in shared:
        declared = metric.parameters[name]
        assert declared.read(signature[name].default) == declared.default, name


@pytest.mark.parametrize("metric", KNOWN, ids=lambda m: m.function)
def test_what_a_metric_and_its_measure_are_called_with(metric: Metric) -> None:
    """As completion and help ask for it, of the metric itself too: ``rs.LGAP.of``."""
    assert list(inspect.signature(metric).parameters) == ["k", *metric.parameters]
    for of in (metric.of, metric().of):
        assert list(inspect.signature(of).parameters) == ["labels", "given"]


def test_the_value_by_a_metric_has_its_defaults() -> None:
    given: dict[str, Any] = {"judged": [3, 2, 1], "scores": [1, 2, 3]}
    for metric in (rs.nDCG, rs.LGAP, rs.UL2(rs.AP()).metric):
        assert metric.of([0, 1, 3], **given) == metric().of([0, 1, 3], **given)
    assert rs.nDCG.of([0, 1, 3]) == rs.ndcg([0, 1, 3])
    with pytest.raises(rs.InputError, match=r"^labels: "):
        rs.LGAP.of("abc")


def test_an_argument_has_the_same_type_in_each_function() -> None:
    types: dict[str, set[str]] = {}
    for metric in KNOWN:
        for name, parameter in signature_of(metric).items():
            types.setdefault(name, set()).add(str(parameter.annotation))
    assert {name: found for name, found in types.items() if len(found) != 1} == {}
    assert len(types) >= 20


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("ideal", {"default": "all"}),
        ("ideal", {"annotation": "int"}),
        ("gain", {"default": "exp2"}),
        ("k", {"default": 10}),
        ("check", {"default": False}),
        ("backend", {"kind": Parameter.POSITIONAL_OR_KEYWORD}),
    ],
)
def test_a_difference_is_found(name: str, wrong: dict[str, Any]) -> None:
    signature = signature_of(rs.nDCG)
    assert differences(rs.nDCG, signature | {name: signature[name].replace(**wrong)}) != []


def test_a_missing_argument_is_found() -> None:
    signature = signature_of(rs.nDCG)
    del signature["gain"]
    assert differences(rs.nDCG, signature)
    assert differences(rs.nDCG, signature_of(rs.DCG))
