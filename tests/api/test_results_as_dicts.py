"""The results of evaluations, used as dicts of the means by the names of their measures."""

from __future__ import annotations

from typing import Any

import rankspec as rs

NAMES = ["nDCG@10", "AP(rel=2)", "RR"]
OF_SESSIONS = ["sDCG@2", "nsDCG@10"]


def results() -> list[tuple[Any, list[str]]]:
    run = {"q": {"a": 2.0, "b": 1.0}}
    sessions = {"s": [["a", "b"], ["c"]]}
    return [
        (rs.evaluate({"q": {"a": 2, "b": 1}}, run, NAMES), NAMES),
        (rs.evaluate_sessions({"s": {"a": 2}}, sessions, OF_SESSIONS), OF_SESSIONS),
        (rs.evaluate({"q": {"a": 0}}, run, ["AP"], undefined="omit"), ["AP"]),  # NaN
    ]


def test_the_names_of_the_measures_are_the_keys() -> None:
    for result, names in results():
        assert list(result) == list(result.keys()) == names
        assert len(result) == len(names)
        assert list(result.values()) == list(result.mean.values()) or "AP" in names
        assert repr(list(result.items())) == repr(list(result.mean.items()))
        assert repr(dict(result)) == repr(dict(result.mean))
        assert repr([result[name] for name in result]) == repr([*result.mean.values()])


def test_any_spelling_is_in_a_result() -> None:
    (result, _), (of_sessions, _), _ = results()
    for name in ("nDCG@10", "ndcg_cut_10", "ndcg@10", rs.nDCG(k=10), "AP(rel=2)", "recip_rank"):
        assert name in result, name
    for absent in ("nDCG@5", "AP", "no measure", "", 3, None):
        assert absent not in result, absent
    assert "nsdcg@10" in of_sessions
    assert "nsDCG@5" not in of_sessions


def test_a_result_with_measures_is_true() -> None:
    assert all(result for result, _ in results())
