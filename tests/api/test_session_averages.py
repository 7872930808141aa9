"""Averages over sessions: the three readings of a session that has ended, and averages of queries.

Expected values are fractions, with discounts 1/i and 1/q, and balls of another library.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.compute.batch import SessionBatch
from rankspec.evaluation.sessions.averages import Curve, QueryCurves, SessionCurve
from rankspec.evaluation.sessions.judgments import (
    SearchSession,
    SessionConventions,
    judged_sessions,
)
from tests.reference.balls import log, nearest

PLAIN: Any = {"discount": "none", "query_discount": "none"}
HARMONIC: Any = {"discount": "zipf", "query_discount": "zipf"}
Queries = Sequence[Sequence[int]]


def batch_of(sessions: Sequence[Queries], pools: Sequence[Sequence[int]]) -> SessionBatch:
    def offsets(lengths: Sequence[int]) -> array[int]:
        return array("q", accumulate(lengths, initial=0))

    queries = [ranked for session in sessions for ranked in session]
    return SessionBatch(
        array("B", [label for ranked in queries for label in ranked]),
        offsets([len(ranked) for ranked in queries]),
        pool=array("B", [label for pool in pools for label in pool]),
        pool_offsets=offsets([len(pool) for pool in pools]),
        sessions=offsets([len(session) for session in sessions]),
    )


# One query, and two: the readings differ at the ranks of the second, and from the first rank on.
#                 sDCG         ideal        nsDCG
#   ended         1 1          1 1          1 1
#   longer        0 1 2 3      2 3 5 6      0 1/3 2/5 1/2
TWO = batch_of([[[1, 0]], [[0, 1], [1, 1]]], [[1], [1, 2]])
THIRD, TWO_FIFTHS = Fraction(1 / 3), Fraction(2 / 5)  # the doubles
BY_READING = {
    "held": (1 / 2, float((1 + THIRD) / 2), float((1 + TWO_FIFTHS) / 2), 3 / 4),
    "continued": (1 / 2, float((1 + THIRD) / 2), float((Fraction(1, 2) + TWO_FIFTHS) / 2), 1 / 2),
    "average": (1 / 3, 2 / 4, 3 / 7, 4 / 8),
}  # fmt: skip


class TestReadings:
    @pytest.mark.parametrize("backend", ["c", "reference"])
    @pytest.mark.parametrize(("finished", "values"), BY_READING.items())
    def test_by_hand(self, finished: str, values: tuple[float, ...], backend: str) -> None:
        found = rs.session_curve(TWO, 2, finished=finished, backend=backend, **PLAIN)
        assert found == Curve(values, sessions=2, running=(1.0, 0.5))
        assert found.ranks == 4

    def test_not_normalised(self) -> None:
        found = rs.session_curve(TWO, 2, normalised=False, **PLAIN)
        assert found.values == (1 / 2, 1.0, 3 / 2, 2.0)

    def test_the_default_is_held(self) -> None:
        assert rs.session_curve(TWO, 2, **PLAIN).values == BY_READING["held"]

    @pytest.mark.parametrize("finished", BY_READING)
    def test_an_average_that_goes_on(self, finished: str) -> None:
        """As beside a session of three queries: the same but for the sums over sessions."""
        found = rs.session_curve(TWO, 2, finished=finished, queries=3, **PLAIN)
        further = {
            "held": (3 / 4, 3 / 4),
            # 1/3 and 3/8, 1/3 and 3/9
            "continued": (float((THIRD + Fraction(3, 8)) / 2), float(THIRD)),
            "average": (4 / 11, 4 / 12),
        }
        assert found.values == BY_READING[finished] + further[finished]
        assert found.running == (1.0, 0.5, 0.0)
        assert rs.session_curve(TWO, 2, finished=finished, queries=2, **PLAIN) == (
            rs.session_curve(TWO, 2, finished=finished, **PLAIN)
        )

    def test_without_a_pool_it_is_the_sessions_own_results(self) -> None:
        own = batch_of([[[1, 0]], [[0, 1], [1, 1]]], [[1, 0], [0, 1, 1, 1]])
        bare = SessionBatch(own.labels, own.offsets, sessions=own.sessions)
        for finished in BY_READING:
            how = {"finished": finished, **PLAIN}
            assert rs.session_curve(bare, 2, **how) == rs.session_curve(own, 2, **how)

    def test_the_greatest_ideal_goes_on_too(self) -> None:
        """Two judged items, one a rank: an ideal of one query has the better one, that of two has
        both."""
        batch = batch_of([[[1]], [[1], [1]]], [[2, 1], [2, 1]])
        how = {"ideal": "greatest", "finished": "continued", **PLAIN}
        ended, longer = (1 / 2, 1 / 3), (1 / 2, 2 / 3)
        assert rs.session_curve(batch, 1, **how).values == tuple(
            float((Fraction(a) + Fraction(b)) / 2) for a, b in zip(ended, longer, strict=True)
        )

    def test_nothing_to_gain(self) -> None:
        """0 where the ideal gains nothing; "average" divides by what the others gain."""
        batch = batch_of([[[0]], [[1]]], [[0], [1]])
        assert rs.session_curve(batch, 1, **PLAIN).values == (1 / 2,)
        assert rs.session_curve(batch, 1, finished="average", **PLAIN).values == (1.0,)
        nobody = batch_of([[[0]], [[0]]], [[0], []])
        for finished in BY_READING:
            assert rs.session_curve(nobody, 1, finished=finished, **PLAIN).values == (0.0,)

    def test_lists_as_they_are(self) -> None:
        """Padding 0: vectors of 1 and 3 ranks."""
        batch = batch_of([[[1]], [[0], [1, 1]]], [[1], [1, 1]])
        found = rs.session_curve(batch, 2, padding=0, normalised=False, **PLAIN)
        assert found.values == (1 / 2, 1.0, 3 / 2)
        assert found.running == (1.0, 0.5)
        normalised = rs.session_curve(batch, 2, padding=0, **PLAIN)
        assert normalised.values == (1 / 2, 3 / 4, float((1 + Fraction(2 / 3)) / 2))

    def test_sessions_without_queries(self) -> None:
        batch = batch_of([[], [[1]]], [[1], [1]])
        assert rs.session_curve(batch, 1, **PLAIN) == Curve((1 / 2,), 2, (1 / 2,))
        assert rs.session_curve(batch_of([[]], [[1]]), 1, **PLAIN) == Curve((), 1, ())

    def test_the_papers_discounts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """1 / (1 + log2 i) and 1 / (1 + log4 q), by balls of another library."""
        monkeypatch.setattr(flint.ctx, "prec", 200)
        d, D = [1 / (1 + log(i, 2)) for i in (1, 2)], [1 / (1 + log(q, 4)) for q in (1, 2)]
        one = [d[0], d[0]]
        two = [0, d[1], d[1] + D[1] * d[0], d[1] + D[1] * (d[0] + d[1])]
        ideal = [2 * d[0], 2 * d[0] + d[1], 2 * d[0] + d[1] + D[1] * 2 * d[0]]
        ideal += [(1 + D[1]) * (2 * d[0] + d[1])]
        held = [nearest(x) for x in [*one, one[-1], one[-1]]]
        found = rs.session_curve(TWO, 2, normalised=False)
        in_two = [nearest(x) if p else 0.0 for p, x in enumerate(two)]
        assert found.values == tuple(mean_of([held, in_two]))
        quotients = [0.0] + [nearest(v / i) for v, i in zip(two[1:], ideal[1:], strict=True)]
        assert rs.session_curve(TWO, 2).values == tuple(mean_of([[1.0] * 4, quotients]))


def mean_of(vectors: Sequence[Sequence[float]]) -> list[float]:
    """The double nearest to the mean of doubles, component by component."""
    return [
        float(sum(map(Fraction, components)) / len(components))
        for components in zip(*vectors, strict=True)
    ]


# ---- by fractions ---------------------------------------------------------------------------


def harmonic(queries: Queries, m: int, X: int) -> list[Fraction]:
    """The cumulated gain of a session at X ranks of each of m queries, d(i) = 1/i, D(q) = 1/q."""
    gains = []
    for q in range(1, m + 1):
        ranked = queries[q - 1] if q <= len(queries) else []
        gains += [
            Fraction(ranked[i - 1] if i <= len(ranked) else 0, i * q) for i in range(1, X + 1)
        ]
    return list(accumulate(gains))


def ideal_of(pool: Sequence[int], m: int, X: int) -> list[Fraction]:
    return harmonic([sorted(pool, reverse=True)] * m, m, X)


def quotient(v: Fraction, i: Fraction) -> Fraction:
    return v / i if i else Fraction(0)


def readings(
    sessions: Sequence[Queries], pools: Sequence[Sequence[int]], X: int
) -> dict[str, list[float]]:
    """The three readings of RS-SES-21, from their words."""
    m = max(map(len, sessions))
    found: dict[str, list[float]] = {"held": [], "continued": [], "average": []}
    for p in range(m * X):
        held, continued, V, I = [], [], [], []  # noqa: E741
        for session, pool in zip(sessions, pools, strict=True):
            own = len(session)
            v, goes_on = harmonic(session, m, X)[p], ideal_of(pool, m, X)[p]
            i = ideal_of(pool, own, X)[min(p, own * X - 1)] if own else Fraction(0)
            held.append(Fraction(float(quotient(v, i))))
            continued.append(Fraction(float(quotient(v, goes_on))))
            V.append(Fraction(float(v)))
            I.append(Fraction(float(goes_on)))
        found["held"].append(float(sum(held) / len(held)))
        found["continued"].append(float(sum(continued) / len(continued)))
        found["average"].append(float(quotient(sum(V, Fraction(0)), sum(I, Fraction(0)))))
    return found


LABELS = st.lists(st.integers(0, 3), max_size=4)
SESSIONS = st.lists(st.tuples(st.lists(LABELS, max_size=4), LABELS), min_size=1, max_size=5)


@given(SESSIONS, st.integers(1, 4))
def test_readings_by_fractions(given_: Any, X: int) -> None:
    sessions, pools = [session for session, _ in given_], [pool for _, pool in given_]
    for finished, values in readings(sessions, pools, X).items():
        found = rs.session_curve(batch_of(sessions, pools), X, finished=finished, **HARMONIC)
        assert found.values == tuple(values)
        m = [len(session) for session in sessions]
        shares = [sum(m_s >= q for m_s in m) / len(m) for q in range(1, max(m) + 1)]
        assert found.running == tuple(shares)


@given(SESSIONS, st.integers(1, 4))
def test_queries_by_fractions(given_: Any, X: int) -> None:
    sessions = [session for session, _ in given_]
    vectors: dict[bool, list[list[Fraction]]] = {True: [], False: []}
    for session in sessions:
        for q, ranked in enumerate(session, start=1):
            vector = [Fraction(float(x / q)) for x in harmonic([ranked], 1, X)]
            vectors[q == len(session)].append(vector)
    found = rs.query_curves(batch_of(sessions, [[]] * len(sessions)), X, **HARMONIC)
    for of, (values, n) in zip(
        vectors.values(),
        [(found.last, found.last_queries), (found.non_last, found.non_last_queries)],
        strict=True,
    ):
        assert n == len(of)
        assert values == tuple(
            float(sum(V[p] for V in of) / len(of)) if of else 0.0 for p in range(X)
        )


def test_a_mean_is_rounded_once() -> None:
    """Ten sessions that gain 1/10 each: doubles added one by one make 0.9999999999999999."""
    batch = batch_of([[[0] * 9 + [1]]] * 10, [[1]] * 10)
    assert rs.session_curve(batch, 10, normalised=False, **HARMONIC).values[-1] == 0.1
    assert sum([0.1] * 10) / 10 != 0.1


# ---- queries, and sessions one by one -------------------------------------------------------


class TestQueries:
    def test_each_query_counts_once(self) -> None:
        """Not each session: three others of one session, one of another, none of a third."""
        batch = batch_of([[[1], [1], [0], [0, 2]], [[0], [3]], [[1]]], [[]] * 3)
        assert rs.query_curves(batch, 2, **PLAIN) == QueryCurves(
            last=(4 / 3, float(Fraction(6, 3))),
            non_last=(2 / 4, 2 / 4),
            last_queries=3,
            non_last_queries=4,
        )

    def test_the_discount_of_the_query(self) -> None:
        batch = batch_of([[[1], [1], [1]]], [[]])
        found = rs.query_curves(batch, 1, discount="none", query_discount="zipf")
        assert (found.last, found.non_last) == ((float(Fraction(1, 3)),), (3 / 4,))

    def test_none_of_them(self) -> None:
        found = rs.query_curves(batch_of([[[1]]], [[]]), 2, **PLAIN)
        assert found == QueryCurves((1.0, 1.0), (0.0, 0.0), 1, 0)


class TestIndividual:
    def test_held_where_it_has_ended(self) -> None:
        assert rs.individual_curves(TWO, 2, normalised=False, **PLAIN) == [
            SessionCurve(0, (1.0, 1.0, 1.0, 1.0), queries=1, ranks=2),
            SessionCurve(1, (0.0, 1.0, 2.0, 3.0), queries=2, ranks=4),
        ]

    def test_normalised(self) -> None:
        found = rs.individual_curves(TWO, 2, **PLAIN)
        assert [x.values for x in found] == [(1.0,) * 4, (0.0, 1 / 3, 2 / 5, 1 / 2)]


# ---- which sessions -------------------------------------------------------------------------

FOUR = (
    SearchSession("a", [["x", "y"]], "1"),
    SearchSession("b", [["y", "z"], ["x", "z"]], "2"),
    SearchSession("c", [["z"], [], ["y"]], "1"),
    SearchSession("d", [["x"]], "3"),
)
JUDGMENTS = {"1": {"x": 1, "y": 2}, "2": {"x": 3, "y": 0, "z": 1}}


@pytest.fixture
def judged() -> Any:
    return judged_sessions(FOUR, JUDGMENTS, SessionConventions(judged_by="topic"))


def test_judged_from_dicts_and_files(tmp_path: Path) -> None:
    """Grades, topics, a ranking as the last query, and the pool of what was shown."""
    (tmp_path / "qrels").write_text("7 0 x 4\n7 0 y 1\n7 0 z -2\n")
    (tmp_path / "sessions").write_text("a\t1\t1\tx\nb\t1\t1\ty\n")
    how: Any = {"topics": {"a": "7"}, "current": {"a": ["z", "y"]}, "grades": {4: 2}}
    judged = rs.judge_sessions(tmp_path / "qrels", tmp_path / "sessions", **how)
    assert judged.sessions == (SearchSession("a", [["x"], ["z", "y"]], "7"),)
    found = rs.session_curve(judged, 2, normalised=False, **PLAIN)
    assert found.values == (2.0, 2.0, 2.0, 3.0)
    with pytest.raises(rs.InputError, match="is negative"):
        rs.judge_sessions(tmp_path / "qrels", tmp_path / "sessions", negative="error", **how)
    for pool, values in (("judged", (1 / 3,)), ("retrieved", (1.0,))):
        shown = rs.judge_sessions({"a": {"x": 1, "y": 3}}, {"a": [["x"]]}, pool=pool)
        assert rs.session_curve(shown, 1, **PLAIN).values == values


class TestFilters:
    @pytest.mark.parametrize(
        ("which", "kept"),
        [
            ({}, "abc"),
            ({"topic": "1"}, "ac"),
            ({"topic": "2"}, "b"),
            ({"least_queries": 2}, "bc"),
            ({"topic": "1", "least_queries": 2}, "c"),
            ({"least_queries": np.int64(3)}, "c"),
        ],
    )
    @pytest.mark.parametrize("repeats", ["every", "first"])
    def test_as_if_there_were_no_others(
        self, judged: Any, which: Any, kept: str, repeats: str
    ) -> None:
        sessions = [session for session in FOUR if session.id in kept]
        alone = judged_sessions(sessions, JUDGMENTS, SessionConventions(judged_by="topic"))
        how = {"repeats": repeats, **HARMONIC}
        for finished in BY_READING:
            found = rs.session_curve(judged, 2, finished=finished, **which, **how)
            assert found == rs.session_curve(alone, 2, finished=finished, **how)
            assert found.sessions == len(kept)
        assert rs.query_curves(judged, 2, **which, **how) == rs.query_curves(alone, 2, **how)
        curves = rs.individual_curves(judged, 2, **which, **how)
        assert curves == rs.individual_curves(alone, 2, **how)
        assert [x.session for x in curves] == list(kept)

    def test_by_hand(self, judged: Any) -> None:
        """Of the topic 1: x y | z, nothing, y: held 1 3 3 3 3 3, and 0 0 0 0 2 2."""
        found = rs.session_curve(judged, 2, topic="1", normalised=False, **PLAIN)
        assert found == Curve((0.5, 1.5, 1.5, 1.5, 2.5, 2.5), 2, (1.0, 0.5, 0.5))

    def test_a_repeated_document(self) -> None:
        twice = [SearchSession("a", [["x"], ["x"]])]
        judged = judged_sessions(twice, {"a": {"x": 1}}, SessionConventions())
        for repeats, values in (("every", (1.0, 2.0)), ("first", (1.0, 1.0)), (0.5, (1.0, 1.5))):
            found = rs.session_curve(judged, 1, normalised=False, repeats=repeats, **PLAIN)
            assert found.values == values

    def test_of_a_batch_of_arrays(self) -> None:
        """Flat numpy arrays, of which parts are taken."""
        as_numpy = SessionBatch(
            np.array(TWO.labels, dtype=np.int64),
            np.array(TWO.offsets),
            pool=np.array(TWO.pool, dtype=np.float64),
            pool_offsets=np.array(TWO.pool_offsets),
            sessions=np.array(TWO.sessions),
        )
        for finished in BY_READING:
            how = {"least_queries": 2, "finished": finished, **PLAIN}
            found = rs.session_curve(as_numpy, 2, **how)
            assert found == rs.session_curve(TWO, 2, **how)
            assert found.values == (0.0, 1 / 3, 2 / 5, 1 / 2)

    @pytest.mark.parametrize("at", ["discount", "query_discount"])
    def test_a_discount_as_a_function(self, at: str) -> None:
        function: Callable[[int], float] = lambda i: 1 / i  # noqa: E731
        for finished in BY_READING:
            by_name, by_function = ({**PLAIN, at: x} for x in ("zipf", function))
            found = rs.session_curve(TWO, 2, finished=finished, **by_function)
            assert found == rs.session_curve(TWO, 2, finished=finished, **by_name)


# ---- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"k": None}, "X: expected a number, got None; an average at each rank needs the same X"),
        ({"k": 333_334}, "X: a session would have 1000002 ranks; at most 1000000 are supported"),
        ({"k": 2 * 10**5, "queries": 6}, "X: a session would have 1200000 ranks; at most 1000000"),
        ({"normalised": "x"}, "normalised: expected True or False, got 'x'"),
        ({"least_queries": -1}, "least_queries: expected a number of queries, got -1"),
        ({"k": 0}, "X: the cut-off is 0; it must be at least 1"),
        (
            {"finished": "Held"},
            """finished: unknown rule 'Held' (did you mean "held"?); expected one of held, """,
        ),
        (
            {"finished": "average", "normalised": False},
            "how the ideal session goes on, but sDCG that is not normalised has none",
        ),
        ({"finished": "continued", "padding": 0}, 'padding must be "X", not 0'),
        (
            {"queries": 2},
            "queries: expected a whole number of at least 3, the length of the longest session, "
            "got 2",
        ),
        (
            {"queries": 4.0},
            "queries: expected a whole number of at least 3, the length of the longest session, "
            "got 4.0",
        ),
        ({"queries": 4, "padding": 0}, "queries: each further query adds X ranks, so the padding "),
        ({"topic": "7"}, 'topic: no judged session has the topic "7"'),
        ({"topic": "3"}, 'topic: no judged session has the topic "3"'),
        ({"least_queries": 4}, "sessions: there is none with 4 queries or more"),
        ({"topic": "2", "least_queries": 3}, 'none of the topic "2" with 3 queries or more'),
        ({"least_queries": "2"}, "least_queries: expected a number of queries, got '2'"),
        ({"gain": [0, 1]}, "labels"),
    ],
)
def test_refused(judged: Any, how: Any, words: str) -> None:
    with pytest.raises(rs.InputError) as error:
        rs.session_curve(judged, **{"k": 2, **how})
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_others_that_are_refused(judged: Any) -> None:
    with pytest.raises(rs.InputError, match="X: a session would have 1000001 ranks; at most 1000"):
        rs.query_curves(judged, 1_000_001)
    with pytest.raises(rs.InputError, match="normalised: expected True or False, got 0"):
        rs.individual_curves(judged, 2, normalised=0)  # type: ignore[arg-type]
    for curves in (rs.query_curves, rs.individual_curves):
        with pytest.raises(
            rs.InputError, match="least_queries: expected a number of queries, got True"
        ):
            curves(judged, 2, least_queries=True)


def test_no_sessions_and_no_topics() -> None:
    nobody = judged_sessions([], {}, SessionConventions())
    unjudged = judged_sessions(FOUR, {}, SessionConventions())
    for curves in (rs.session_curve, rs.query_curves, rs.individual_curves):
        with pytest.raises(rs.InputError, match="sessions: there is none to take an average of"):
            curves(nobody, 2)
        with pytest.raises(
            rs.InputError,
            match="there is none to take an average of; the 4 given have no judgments",
        ):
            curves(unjudged, 2)
        with pytest.raises(
            rs.InputError, match="topic: a batch has no topics; give judged sessions"
        ):
            curves(TWO, 2, topic="1")
        with pytest.raises(
            rs.InputError, match="judged: expected judged sessions or a batch of them, got"
        ):
            curves([[[1]]], 2)  # type: ignore[arg-type]
