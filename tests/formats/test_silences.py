"""Warnings and errors for queries without relevant documents, unmatched and repeated ids."""

from __future__ import annotations

import io
import warnings
from typing import Any

import pytest

import rankspec as rs
from rankspec.compat.groups import evaluate_groups
from tests.each import each

BACKENDS = ("c", "reference")
QRELS = {"p": {"a": 0, "b": -1}, "q": {"a": 1}, "r": {"a": 1}}


@each("backend", BACKENDS)
@each("queries", ["qrels", "both"])
@pytest.mark.spec("RS-CONV-9")
def test_queries_without_a_relevant_document_are_counted(queries: str, backend: str) -> None:
    run = {"p": {"a": 1.0}, "q": {"a": 1.0}}
    found = rs.evaluate(QRELS, run, "AP", queries=queries, backend=backend)
    assert found.without_relevant == ("p",)
    assert "1 query has no relevant document (no label above 0)" in str(found)
    assert found.to_dict()["without_relevant"] == ["p"]
    if queries == "qrels":
        assert "run has no results for 1 of them" in str(found)
        assert rs.evaluate(QRELS, {"q": {"a": 1.0}}, "AP", queries=queries).without_relevant == (
            "p",
        )
    all_relevant = rs.evaluate(QRELS, {"q": {"a": 1.0}}, "AP", queries="both", backend=backend)
    assert all_relevant.without_relevant == ()
    assert "no relevant" not in str(all_relevant)


@each("labels", [{"a": 0}, {"a": 0.0, "b": -0.5}, {"a": -1}])
@pytest.mark.spec("RS-CONV-9")
def test_one_query_without_a_relevant_document_is_counted_too(labels: dict[str, float]) -> None:
    found = rs.evaluate({"q": labels}, {"q": {"a": 1.0, "x": 2.0}}, "AP")
    assert (found["AP"], found.without_relevant) == (0.0, ("q",))


def test_users_and_subtopics_are_counted_as_queries_are() -> None:
    users = rs.evaluate_lists({"u": ["a"], "v": ["b"]}, {"u": ["a"], "v": []}, "AP")
    assert users.without_relevant == ("v",)
    judged = {"q": {"a": {"s": 0}}, "p": {"a": {"s": 1}}}
    run = {"q": {"a": 1.0}, "p": {"a": 1.0}}
    assert rs.evaluate_diversity(judged, run, "StRecall@1").without_relevant == ("q",)


@pytest.mark.spec("RS-CONV-9", "RS-CONV-21")
def test_rows_without_a_relevant_one_are_counted() -> None:
    """In a LETOR file, and in groups of rows."""
    lines = "1 qid:q 1:3\n0 qid:p 1:2\n0 qid:p 1:1\n-1 qid:o 1:1\n"
    of_file = rs.evaluate_letor(io.StringIO(lines), "AP", feature=1)
    assert of_file.without_relevant == ("p", "o")
    given = {"labels": [1, 0, 0, 0], "scores": [3.0, 2.0, 1.0, 1.0]}
    of_rows = evaluate_groups("AP", **given, group_id=["q", "p", "p", "o"])
    assert of_rows.without_relevant == ("p", "o")
    for found in (of_file, of_rows):
        assert "2 queries have no relevant document (no label above 0)" in str(found)


@pytest.mark.spec("RS-CONV-26", "RS-SES-23")
def test_sessions_that_nobody_gave_or_judged() -> None:
    judged = {"s": {"d": 1}}
    for none in ([], {}):
        with pytest.raises(rs.InputError, match="expected at least one session"):
            rs.evaluate_sessions(judged, none, "sDCG")
    with pytest.warns(rs.InputWarning, match='only the judgments have "s", only the sessions'):
        assert rs.evaluate_sessions(judged, {"t": [["d"]]}, "sDCG").sessions == ()
    with pytest.warns(rs.InputWarning, match='the judgments have "d", the session "e"'):
        assert rs.evaluate_sessions(judged, {"s": [["e"]]}, "sDCG")["sDCG"] == 0.0
    with warnings.catch_warnings(action="error"):
        rs.evaluate_sessions(judged, {"s": [["d", "e"]], "t": [["e"]]}, "sDCG")


@pytest.mark.spec("RS-SES-23")
def test_a_document_twice_in_one_query_of_a_session_is_an_error() -> None:
    with pytest.raises(rs.InputError, match=r"query 2, rank 3: document \"d\" .* at rank 1"):
        rs.evaluate_sessions({"s": {"d": 1}}, {"s": [["d"], ["d", "e", "d"]]}, "sDCG")
    again = rs.evaluate_sessions({"s": {"d": 1}}, {"s": [["d"], ["d"]]}, "sDCG(discount='none')")
    assert again.sessions == ("s",)  # in another query a document may come again


@pytest.mark.spec("RS-TIE-2")
def test_an_id_has_one_score() -> None:
    scored: dict[str, Any] = {"scores": [2, 1, 1]}
    with pytest.raises(rs.InputError, match=r"position 1 occurs a second time .* position 0"):
        rs.ndcg([3, 2, 1], ids=["a", "a", "b"], **scored)
    assert rs.rr([0, 0, 1], ids=["a", "b", "b"], **scored) == 1 / 3  # a tie, in the given order
    assert (
        rs.rr([[0, 1], [1, 0]], ids=[[1, 2], [1, 2]], scores=[[2, 1], [1, 2]]).tolist() == [0.5] * 2
    )


@pytest.mark.spec("RS-CONV-41")
def test_documents_of_sessions_may_be_integers() -> None:
    found = rs.evaluate_sessions({"s": {7: 1}}, {"s": [[8, 7]]}, "sDCG(discount='zipf')")
    assert found["sDCG(discount='zipf')"] == 1 / 2


@pytest.mark.spec("RS-DIV-20")
def test_levels_of_subtopics_and_documents() -> None:
    run = {"q": {"a": 1.0}}
    with pytest.raises(rs.InputError, match="documents and subtopics have changed places"):
        rs.evaluate_diversity({"q": {"s1": {"a": 1}}}, run, "StRecall@1")
    by_subtopic = {"q": {"s1": {"a"}, "s2": {"b"}}}
    with pytest.raises(rs.InputError, match=r"rows .query, subtopic, document, 1. are read"):
        rs.evaluate_diversity(by_subtopic, run, "StRecall@1")  # type: ignore[arg-type]
    rows = [(q, s, d, 1) for q, own in by_subtopic.items() for s, ds in own.items() for d in ds]
    assert rs.evaluate_diversity(rows, run, "StRecall@1")["StRecall@1"] == 1 / 2
