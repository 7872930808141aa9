"""The arguments of public functions that are conventions or parameters of metrics, against the
declarations of these: names, types and defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import pytest

import rankspec as rs
from rankspec.errors import InputError
from rankspec.evaluation.conventions import (
    CONVENTIONS,
    DECLARED,
    LETOR,
    LISTS,
    RUNS,
    SESSIONS,
    Convention,
    Conventions,
    conventions_of,
)
from rankspec.evaluation.sessions.judgments import SessionConventions
from rankspec.formats import trec
from rankspec.metrics.parameters import GAIN
from rankspec.metrics.session import IDEAL, PADDING, QUERY_DISCOUNT, RANK_DISCOUNT, REPEATS

Function = Callable[..., Any]

BY_PROFILE = {
    rs.evaluate: RUNS,
    rs.evaluate_runs: RUNS,
    rs.evaluate_lists: LISTS,
    rs.evaluate_letor: LETOR,
}
"""Functions of which a profile assigns what is not given: there the default is None."""

OF_SESSIONS = {rs.evaluate_sessions: (), rs.judge_sessions: ("undefined",)}
"""Functions of sessions, and the conventions that they have no use for."""

CURVES = (rs.session_curve, rs.query_curves, rs.individual_curves)
PARAMETERS = {
    "gain": GAIN,
    "discount": RANK_DISCOUNT,
    "query_discount": QUERY_DISCOUNT,
    "repeats": REPEATS,
    "padding": PADDING,
    "ideal": IDEAL,
}


def difference(function: Function, kind: str, without: tuple[str, ...] = ()) -> str:
    """The first difference between a signature and the declaration; "": there is none."""
    declared = {known.name: known for known in conventions_of(kind) if known.name not in without}
    anywhere = {known.name for known in DECLARED}
    if kind == SESSIONS:
        anywhere -= {"gain", "discount"}  # which are parameters of the metrics there
    found = inspect.signature(function).parameters
    taken = {
        name: parameter
        for name, parameter in found.items()
        if parameter.kind is parameter.KEYWORD_ONLY and name in anywhere
    }
    if set(taken) != set(declared):
        return f"not in both: {sorted(set(taken) ^ set(declared))}"
    for name, parameter in taken.items():
        default, annotation = expected(declared[name], kind)
        if parameter.default != default:
            return f"{name}: the default is {parameter.default!r}, and not {default!r}"
        if parameter.annotation != annotation:
            return f"{name}: the type is {parameter.annotation}, and not {annotation}"
    return ""


def expected(known: Convention, kind: str) -> tuple[Any, str]:
    """The default and the type that a signature should have."""
    default = known.default if kind == SESSIONS and not known.open_default else None
    return default, known.type if default is not None else f"{known.type} | None"


@pytest.mark.spec("RS-CONV-18")
@pytest.mark.parametrize("function", BY_PROFILE)
def test_the_conventions_of_rankings(function: Function) -> None:
    assert difference(function, BY_PROFILE[function]) == ""


@pytest.mark.spec("RS-CONV-18")
@pytest.mark.parametrize("function", OF_SESSIONS)
def test_the_conventions_of_sessions(function: Function) -> None:
    assert difference(function, SESSIONS, OF_SESSIONS[function]) == ""


def test_the_convention_of_reading_sessions() -> None:
    found = inspect.signature(rs.read_sessions).parameters["order"]
    order = next(known for known in conventions_of(SESSIONS) if known.name == "order")
    assert (found.default, found.annotation) == (order.default, order.type)
    for name in order.values:
        assert trec.checked_order(name) == name
    with pytest.raises(InputError) as of_reading:
        trec.checked_order("scores")
    with pytest.raises(InputError) as of_runs:
        rs.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "AP", order="scores")
    assert str(of_reading.value) == str(of_runs.value)


def test_a_wrong_default_a_wrong_type_and_a_missing_name_are_found() -> None:
    def wrong_default(
        *, judged_by: str | None = None, pool: str = "retrieved", unjudged: str = "nonrelevant"
    ) -> None: ...

    def wrong_type(
        *, judged_by: str | None = None, pool: int = "judged", unjudged: str = "nonrelevant"
    ) -> None: ...

    def missing(*, judged_by: str | None = None, pool: str = "judged") -> None: ...

    without = ("negative", "undefined", "grades", "topics", "order")
    found = [difference(f, SESSIONS, without) for f in (wrong_default, wrong_type, missing)]
    assert found == [
        "pool: the default is 'retrieved', and not 'judged'",
        "pool: the type is int, and not str",
        "not in both: ['unjudged']",
    ]


@pytest.mark.parametrize("function", CURVES)
def test_the_parameters_of_curves(function: Function) -> None:
    """Those of the metrics, with the same defaults as these."""
    found = {n: p for n, p in inspect.signature(function).parameters.items() if n in PARAMETERS}
    assert {"gain", "discount", "query_discount", "repeats"} <= set(found)
    for name, parameter in found.items():
        assert PARAMETERS[name].read(parameter.default) == PARAMETERS[name].default, name


def test_the_parameters_that_sessions_are_evaluated_with() -> None:
    found = inspect.signature(rs.evaluate_sessions).parameters
    assert {name: found[name].default for name in PARAMETERS} == dict.fromkeys(PARAMETERS)


def test_assignments_have_a_field_for_each_convention() -> None:
    assert assigned(Conventions()) == {known.name: known.default for known in CONVENTIONS}
    of_sessions = {known.name: known.default for known in conventions_of(SESSIONS)}
    del of_sessions["topics"], of_sessions["order"]  # of what is read before there are judgments
    assert assigned(SessionConventions()) == of_sessions


def assigned(conventions: Any) -> Mapping[str, Any]:
    return {x.name: getattr(conventions, x.name) for x in fields(conventions)}


@pytest.mark.parametrize("kind", [RUNS, LETOR, SESSIONS])
def test_a_default_is_one_of_the_values(kind: str) -> None:
    for known in conventions_of(kind):
        if known.values:
            assert known.default in known.values, known.name
    for known in DECLARED:
        assert set(known.specs) <= set(known.values), known.name
