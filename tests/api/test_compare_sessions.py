"""rs.compare of sessions: figures of SciPy and R, one value a session, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import rankspec as rs
from rankspec import InputError

from ..each import each
from .test_compare import HOLM, P_OF_T, TENTHS, TUKEY, corrected, evaluated

GRADED = {f"d{i}": i for i in range(8)}
VALUE = "sDCG@1"  # of a session of one query: the label of the first result


def of_sessions(
    labels: dict[str, list[int]], measures: Any = VALUE, **conventions: Any
) -> dict[str, rs.SessionEvaluation]:
    """Evaluations with these values of sDCG@1, each of a session of one query."""
    found = {}
    for name, values in labels.items():
        sessions = {f"s{a:02}": [[f"d{x}"]] for a, x in enumerate(values)}
        judgments = dict.fromkeys(sessions, GRADED)
        found[name] = rs.evaluate_sessions(judgments, sessions, measures, **conventions)
    return found


@pytest.fixture(scope="module")
def three() -> dict[str, rs.SessionEvaluation]:
    return of_sessions(TENTHS)


def test_the_figures_are_those_of_the_values(three: dict[str, rs.SessionEvaluation]) -> None:
    """Ten times the tenths: t, p and effect sizes have no unit, differences have one."""
    found = rs.compare(three, tests=["t", "randomisation", "tukey"], replicates=2000)
    of = found[VALUE]
    assert of.queries == tuple(f"s{a:02}" for a in range(20))
    for names, p in P_OF_T.items():
        assert of[names].tests["t"].outcome.p == pytest.approx(p, rel=1e-9)
    assert corrected(found, "t", VALUE) == pytest.approx(HOLM, rel=1e-9)
    assert corrected(found, "tukey", VALUE) == pytest.approx(TUKEY, rel=1e-9)
    pair = of["A", "B"]
    assert (pair.difference, pair.wins, pair.ties, pair.losses) == (0.75, 10, 5, 5)
    assert pair.interval == pytest.approx((0.0080594473224, 1.4919405526776), rel=1e-10)
    assert pair.tests["randomisation"].outcome.p == 0.06591796875  # SciPy, of the tenths
    assert of.systems["A"].bca == pytest.approx((2.5, 4.4), abs=0.051)  # SciPy, times ten


def test_what_it_says_is_of_sessions(three: dict[str, rs.SessionEvaluation]) -> None:
    text = str(rs.compare(three, replicates=10))
    assert "sDCG@1: means over 20 sessions" in text
    assert "W/T/L: sessions that the first wins" in " ".join(text.split())
    assert "quer" not in text


def test_one_session() -> None:
    found = rs.compare(of_sessions({"A": [7], "B": [5]}))
    pair = found[VALUE]["A", "B"]
    assert (pair.difference, pair.interval, found[VALUE].systems["A"].sd) == (2, None, None)
    assert pair.tests["t"].outcome.why == "a standard deviation needs two sessions"
    assert "means over 1 session\n" in str(found)


# ---- what is refused -----------------------------------------------------------------------


def refused(evaluations: Any, **how: Any) -> str:
    with pytest.raises(InputError) as error:
        rs.compare(evaluations, **how)
    return str(error.value)


def test_different_sessions(three: dict[str, rs.SessionEvaluation]) -> None:
    short = of_sessions({"B": TENTHS["B"][:15]})
    only = '"A" has "s15", "s16", "s17" and 2 more'
    assert refused({"A": three["A"], **short}, design="paired") == (
        f'systems: "A" and "B": only {only}; systems can be '
        "compared only on the same sessions (RS-CMP-23)"
    )
    assert refused({"A": three["A"], **short}) == (
        f'systems: "A" and "B" share 15 sessions, but only {only}; systems are compared on the '
        "same sessions, or each on its own sessions (RS-SES-31); if equal ids are different "
        'sessions, design="unpaired" (--design unpaired) takes them as such'
    )


def test_sessions_of_one_id_and_two_topics() -> None:
    judged, shown = {"t": GRADED, "u": GRADED}, {"s1": [["d1"]], "s2": [["d2"]]}
    A, B = (
        rs.evaluate_sessions(judged, shown, VALUE, topics={"s1": "t", "s2": topic})
        for topic in ("t", "u")
    )
    assert rs.compare({"A": A, "B": A})[VALUE]["A", "B"].difference == 0
    assert refused({"A": A, "B": B}) == (
        'systems: the session "s2" is of "t" for "A", but of "u" for "B"; both systems need the '
        'same sessions (RS-SES-31); if equal ids are different sessions, design="unpaired" '
        "(--design unpaired) takes them as such"
    )
    assert rs.compare({"A": A, "B": B}, design="unpaired").design.name == "unpaired"


def test_queries_beside_sessions(three: dict[str, rs.SessionEvaluation]) -> None:
    assert refused({"A": three["A"], "B": evaluated({"B": TENTHS["B"]})["B"]}) == (
        'systems: "A" is evaluated by sessions, and "B" by queries'
    )


@each(
    ("other", "said"),
    [
        (of_sessions({"B": TENTHS["B"]}, "sDCG@2"), "are evaluated by different measures"),
        (of_sessions({"B": TENTHS["B"]}, unjudged="error"), "by different conventions"),
    ],
)
def test_other_measures_and_conventions(
    other: dict[str, rs.SessionEvaluation], said: str, three: dict[str, rs.SessionEvaluation]
) -> None:
    assert said in refused({"A": three["A"], **other})


def test_sessions_without_a_value() -> None:
    """A session that no system has a value for is left out; one that one has is refused."""
    judged = {"s1": {"a": 1}, "s2": {"a": 1}, "s3": {"a": 0}}
    by = {
        name: rs.evaluate_sessions(judged, {s: [[doc]] for s in judged}, "nsDCG", undefined="omit")
        for name, doc in (("A", "a"), ("B", "b"))
    }
    found = rs.compare(by)["nsDCG"]
    assert (found.queries, found.systems["A"].mean) == (("s1", "s2"), by["A"]["nsDCG"])
    del by["B"].per_session["nsDCG"]["s2"]
    assert refused(by) == (
        'nsDCG: only "A" has "s2"; systems can be compared only on the same sessions (RS-CMP-23)'
    )


def test_flips_are_shared_by_the_same_sessions() -> None:
    """Two measures with as many values, of different sessions."""
    found = of_sessions(TENTHS, [VALUE, "sDCG@2"])
    for name, evaluation in found.items():
        per_session = {m: dict(of) for m, of in evaluation.per_session.items()}
        del per_session[VALUE]["s00"], per_session["sDCG@2"]["s01"]
        found[name] = replace(evaluation, per_session=per_session)
    assert rs.compare(found, tests="t").family == 6
    assert refused(found, correction="max-t") == (
        'correction "max-t": sDCG@1 and sDCG@2 have values for different sessions; this '
        "correction flips the signs of the same sessions for all measures (RS-CMP-23)"
    )
