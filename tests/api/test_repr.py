"""What results are in a session, without print(): one short line; print() has the table."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import rankspec as rs
from rankspec.evaluation.profiles import PROFILES, Profile

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 2}}
RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 2.0, "b": 1.0}}
MEASURES = [f"nDCG@{k}" for k in (1, 2, 3, 4, 5)]

EVALUATION = rs.evaluate(QRELS, RUN, ["nDCG@2", "AP"])
CLASSES = rs.classify(QRELS, [RUN, RUN, RUN], MEASURES, top=1)
SESSIONS = {"1": [["a", *(f"b{i}" for i in range(499))]], "2": [["b"]], "3": [["c"]]}
JUDGED = {"1": {"a": 1}, "2": {"b": 1}}
EXPLANATION = rs.explain(QRELS, RUN, "q2", rs.UL2(rs.P(k=1)))


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (EVALUATION, "<Evaluation of nDCG@2, AP; queries: 2>"),
        (
            rs.evaluate(QRELS, RUN, MEASURES),
            "<Evaluation of nDCG@1, nDCG@2, nDCG@3 and 2 more; queries: 2>",
        ),
        (
            CLASSES,
            "<Classification by nDCG@1, nDCG@2, nDCG@3 and 2 more; systems: 3, queries: 2>",
        ),
        (
            rs.evaluate_sessions(JUDGED, SESSIONS, "nsDCG@2"),
            "<SessionEvaluation of nsDCG@2; sessions: 2>",
        ),
        (rs.judge_sessions(JUDGED, SESSIONS), "<JudgedSessions; sessions: 2, left out: 1>"),
        (EXPLANATION, '<Explanation of UL2(P@1), query "q2"; value: -1.0, ranks: 1>'),
    ],
)
def test_is_a_line(result: Any, shown: str) -> None:
    assert repr(result) == shown
    assert repr(pickle.loads(pickle.dumps(result))) == shown  # noqa: S301


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_a_result_under_a_profile_is_pickled(profile: Profile) -> None:
    chosen = profile.beside(["negative"])
    assert pickle.loads(pickle.dumps(chosen)) == chosen  # noqa: S301
    result = rs.evaluate(QRELS, RUN, "nDCG@2", profile=profile.name)
    assert str(pickle.loads(pickle.dumps(result))) == str(result)  # noqa: S301


@pytest.mark.parametrize("result", [EVALUATION, CLASSES, EXPLANATION])
def test_print_has_more(result: Any) -> None:
    assert str(result).count("\n") > 1
