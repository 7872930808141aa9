"""The vectors of whole evaluations: their form, and that they hold.

By the C core, by the reference, and by definitions that share no code with rankspec.
"""

from __future__ import annotations

import copy
import io
import math
import warnings
from fractions import Fraction

import flint
import pytest

import rankspec as rs
from rankspec.evaluation.conventions import DECLARED, RUNS
from rankspec.evaluation.profiles import PROFILES

from ..each import each
from . import evaluation_definitions
from .test_vectors import (
    BACKENDS,
    FILES,
    assert_a_spoiled_case_is_not_valid,
    by_id,
    choices,
)

FILE = FILES["evaluation"]
CASES = {
    case["id"]: case
    for part in ("required", "optional")
    for group in FILE[part]
    for case in group["cases"]
}
VALID = [case for case in CASES.values() if "error" not in case["expected"]]
REFUSED = [case for case in CASES.values() if "error" in case["expected"]]


# The file.


@each(
    "spoil",
    [
        lambda case: case.pop("profile"),
        lambda case: case["conventions"].pop("ties"),
        lambda case: case["conventions"].update(depth=[]),
        lambda case: case["input"].pop("run"),
        lambda case: case["input"].update(letor=""),
        lambda case: case["expected"].pop("mean"),
        lambda case: case["expected"].update(mean=0.5),
        lambda case: case["expected"].update(line=1),
    ],
)
def test_the_schema_can_fail(spoil):
    assert_a_spoiled_case_is_not_valid(FILE, spoil)


def test_flags_are_explained_where_they_occur_and_nowhere_else():
    assert set(FILE["flags"]) == {flag for case in CASES.values() for flag in case["flags"]}


def test_each_value_of_each_convention_and_each_profile_has_required_cases():
    required = [case for group in FILE["required"] for case in group["cases"]]
    for known in DECLARED:
        if known.name == "topics":
            seen = ["topics" in case["input"] for case in required]
            assert any(seen)
            continue
        every = [case for case in required if known.name in case["conventions"]]
        seen = {str(case["conventions"][known.name]) for case in every}
        wanted = set(known.values or {"None"}) - {"nan"}  # which JSON does not have
        assert seen >= wanted, known.name
        assert known.values or len(seen) > 1, known.name
    assert {case["profile"] for case in required} == {None, *(p.name for p in PROFILES)}


# The values.


def names(x, name):
    """A text as an open file of that name."""
    if not isinstance(x, str):
        return x
    stream = io.BytesIO(x.encode())
    stream.name = name
    return stream


def measure_of(measure):
    if "of" in measure:
        own = {n: x for n, x in choices(measure).items() if n != "of"}
        return getattr(rs, measure["name"])(measure_of(measure["of"]), **own)
    return getattr(rs, measure["name"])(**choices(measure))


def run(case, backend, **changes):
    """The values of the queries and their mean by the public API."""
    files = {name: names(x, name) for name, x in case["input"].items()}
    how = {n: x for n, x in {**case["conventions"], **changes}.items() if x is not None}
    if "grades" in how:
        how["grades"] = dict(how["grades"])
    measure, qrels = measure_of(case["measure"]), files.pop("qrels", None)
    with warnings.catch_warnings(action="ignore"):
        if "sessions" in files:
            found = rs.evaluate_sessions(
                qrels, files.pop("sessions"), measure, backend=backend, **files, **how
            )
            return dict(found.per_session[str(measure)]), found.mean[str(measure)]
        if "letor" in files:
            found = rs.evaluate_letor(files.pop("letor"), measure, backend=backend, **files, **how)
        else:
            found = rs.evaluate(qrels, files.pop("run"), measure, backend=backend, **files, **how)
    (name,) = found.per_query
    return dict(found.per_query[name]), found.mean[name]


def expected_of(case):
    values = {q: float.fromhex(x["hex"]) for q, x in case["expected"]["queries"].items()}
    mean = case["expected"]["mean"]
    return values, math.nan if mean is None else float.fromhex(mean["hex"])


@BACKENDS
@each("case", VALID, **by_id, fast=80)
def test_a_vector_holds(case, backend):
    values, mean = run(case, backend)
    expected, of_mean = expected_of(case)
    assert values == expected
    assert list(values) == list(expected)
    assert mean == of_mean or (math.isnan(mean) and math.isnan(of_mean))


@BACKENDS
@each("case", REFUSED, **by_id, fast=40)
def test_an_input_to_be_refused_is_refused(case, backend):
    """By its conventions; or, where the profile refuses it, by that."""
    changes = {} if case["profile"] is None else {"profile": case["profile"]}
    with pytest.raises(rs.InputError) as refused:
        run(case, backend, **changes)
    if "line" in case["expected"]:
        assert "{error}:{line}: ".format(**case["expected"]) in str(refused.value)


def nearest(x: Fraction) -> float:
    return x.numerator / x.denominator


def by_definitions(case):
    with flint.ctx.workprec(2000):
        return evaluation_definitions.evaluate(case)


def assert_by_definitions(case):
    """Each value, and the exact mean of the doubles."""
    values, order = by_definitions(case)
    expected = case["expected"]["queries"]
    results = case["conventions"].get("results", "double")
    assert order == list(expected)
    for query, (lower, upper) in values.items():
        assert nearest(lower) == nearest(upper)
        given = evaluation_definitions.result_of(nearest(lower), results)
        assert given == float.fromhex(expected[query]["hex"]), query
    by_query = {query: Fraction(nearest(lower)) for query, (lower, _) in values.items()}
    doubles = list(by_query.values())
    mean = case["expected"]["mean"]
    assert (mean is None) == (not doubles)
    if mean is not None:
        exact = sum(doubles, Fraction(0)) / len(doubles)
        if "mean-not-of-all" in case["flags"]:
            exact = evaluation_definitions.least_mean(case, by_query)
        assert mean["exact"] is None or Fraction(mean["exact"]) == exact
        given = evaluation_definitions.result_of(nearest(exact), results)
        assert float.fromhex(mean["hex"]) == mean["decimal"] == given


@each("case", VALID, **by_id)
def test_a_vector_holds_by_plain_definitions(case):
    assert_by_definitions(case)


NOT_PLAIN = {"measure", "unjudged", "undefined", "ties", "sessions", "current", "topics"}
"""What the plain definitions do not check: measures, rules, and the forms of files of sessions."""
PROGRAMS = {"evaluation-0179"}
"""What only the program of a profile refuses."""


def plainly_refused(case):
    return case["expected"]["error"] not in NOT_PLAIN and case["id"] not in PROGRAMS


@each("case", [case for case in REFUSED if plainly_refused(case)], **by_id)
def test_an_input_is_refused_by_plain_definitions(case):
    with pytest.raises(evaluation_definitions.Refused) as refused, flint.ctx.workprec(200):
        evaluation_definitions.evaluate(case)
    told = {name: x for name, x in case["expected"].items() if name != "message"}
    assert refused.value.told == told


def test_the_plain_definitions_can_fail():
    """The control: for each flag that names a value of a convention, that value."""
    wrong = 0
    for case in VALID:
        for flag in case["flags"]:
            if not flag.startswith("unlike-"):
                continue
            _, convention, value = flag.replace("judged-by", "judged_by").split("-", 2)
            if convention in ("gain", "discount", "rel", "relevance"):  # they are the measure's
                continue
            changed = copy.deepcopy(case)
            changed["conventions"][convention] = None if value == "none" else value
            with pytest.raises((AssertionError, evaluation_definitions.Refused, StopIteration)):
                assert_by_definitions(changed)
            wrong += 1
    assert wrong > 100


def test_each_convention_of_runs_is_in_each_case_of_runs():
    known = {c.name for c in DECLARED if RUNS in c.of} - {"topics"}
    for case in CASES.values():
        if "run" in case["input"]:
            assert set(case["conventions"]) == known, case["id"]
