"""The laws of averages over sessions, of doubles that are components of their vectors."""

from __future__ import annotations

from fractions import Fraction
from itertools import count, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.api.session_inputs import SessionInput
from rankspec.evaluation.sessions.averages import query_curves, session_curve

from .law import READINGS
from .rankings import double, grades
from .sessions import By, Case, rational_discounts

BOTH = pytest.mark.parametrize("by", READINGS)
READINGS = ("held", "continued", "average")
X = 2

labels = st.lists(grades, max_size=3)
lists = st.lists(labels, min_size=1, max_size=4)
several = st.lists(lists, min_size=1, max_size=4)
discounts = st.fixed_dictionaries(
    {"discount": rational_discounts, "query_discount": rational_discounts}
)
prefixed = st.sampled_from(["repeated", "spread"])  # ideals that a longer session begins with


def batch_of(sessions, pools):
    return SessionInput(sessions, judged=pools).batch


def covering(session, more=()):
    """A pool that covers each list of a session, each result of which is a document."""
    return [x for ranked in session for x in ranked] + [*more]


def curve(sessions, pools, by, **given):
    return list(session_curve(batch_of(sessions, pools), X, backend=by, **given).values)


def mean(values):
    """The double nearest to the exact mean of doubles."""
    return double(sum(map(Fraction, values), Fraction(0)) / len(values))


def held(V, n):
    return [*V, *[V[-1] if V else 0.0] * (n - len(V))]


def vectors(name, sessions, by, pools=None, **given):
    function = getattr(rs, name)
    judged = [{}] * len(sessions) if pools is None else [{"judged": J} for J in pools]
    return [
        function(s, k=X, backend=by, **J, **given).tolist()
        for s, J in zip(sessions, judged, strict=True)
    ]


@BOTH
@pytest.mark.spec("RS-SES-21", "RS-SES-21/L2", "RS-SES-21/L5")
@given(sessions=several, chosen=discounts, ideal=prefixed)
def test_the_readings_of_a_session_that_has_ended(by, sessions, chosen, ideal):
    pools = [covering(s) for s in sessions]
    n = X * max(map(len, sessions))
    long = [[*s, *[[]] * (n // X - len(s))] for s in sessions]
    V = [held(v, n) for v in vectors("sdcg_vector", sessions, by, **chosen)]
    normalised = [
        held(v, n) for v in vectors("nsdcg_vector", sessions, by, pools, ideal=ideal, **chosen)
    ]
    continued = vectors("nsdcg_vector", long, by, pools, ideal=ideal, **chosen)
    ideals = vectors("isdcg_vector", long, by, pools, ideal=ideal, **chosen)
    found = {
        reading: curve(sessions, pools, by, finished=reading, ideal=ideal, **chosen)
        for reading in READINGS
    }
    columns = range(n)
    assert found["held"] == [mean([v[p] for v in normalised]) for p in columns]
    assert found["continued"] == [mean([v[p] for v in continued]) for p in columns]
    sums = [[sum(Fraction(v[p]) for v in rows) for p in columns] for rows in (V, ideals)]
    quotients = [v / i if i else Fraction(0) for v, i in zip(*sums, strict=True)]
    assert found["average"] == list(map(double, quotients))
    plain = curve(sessions, pools, by, normalised=False, **chosen)
    assert plain == [mean([v[p] for v in V]) for p in columns]
    # the end, and the range
    last = [
        rs.nsdcg(s, k=X, judged=J, ideal=ideal, backend=by, **chosen)
        for s, J in zip(sessions, pools, strict=True)
    ]
    assert found["held"][-1] == mean(last)
    assert plain[-1] == mean([rs.sdcg(s, k=X, backend=by, **chosen) for s in sessions])
    assert all(x <= y for x, y in zip(found["continued"], found["held"], strict=True))
    if ideal == "repeated":
        assert all(0 <= x <= 1 for values in found.values() for x in values)


@BOTH
@pytest.mark.spec("RS-SES-21/L1")
@given(
    sessions=several,
    m=st.integers(1, 3),
    chosen=discounts,
    ideal=st.sampled_from(["repeated", "spread", "greatest"]),
)
def test_held_and_continued_are_the_same_of_equally_long_sessions(by, sessions, m, chosen, ideal):
    alike = [[*s, *[[]] * m][:m] for s in sessions]
    pools = [covering(s) for s in alike]
    held, continued = (
        curve(alike, pools, by, finished=x, ideal=ideal, **chosen) for x in ("held", "continued")
    )
    assert held == continued
    shorter = [[[1]], [[1], [0]]]  # control
    values = [curve(shorter, [[1], [1]], by, finished=x) for x in ("held", "continued")]
    assert values[0] != values[1]


@BOTH
@pytest.mark.spec("RS-SES-21/L3")
@given(sessions=several, more=labels, chosen=discounts, ideal=prefixed)
def test_averages_of_one_scenario(by, sessions, more, chosen, ideal):
    pool = covering([ranked for s in sessions for ranked in s], more)
    pools = [pool] * len(sessions)
    n = X * max(map(len, sessions))
    long = [[*s, *[[]] * (n // X - len(s))] for s in sessions]
    ideals = vectors("isdcg_vector", long, by, pools, ideal=ideal, **chosen)
    assert all(vector == ideals[0] for vector in ideals)
    V = [held(v, n) for v in vectors("sdcg_vector", sessions, by, **chosen)]
    average, continued = (
        curve(sessions, pools, by, finished=x, ideal=ideal, **chosen)
        for x in ("average", "continued")
    )
    for p, i in enumerate(map(Fraction, ideals[0])):
        total = sum(Fraction(v[p]) for v in V)
        assert average[p] == double(total / len(V) / i if i else Fraction(0))
    # "continued" is the same number, but for the rounding of each quotient
    by_place = [
        By(Case(*documents(s), judged=pool, k=X, ideal=ideal, **chosen)).nsdcg_vector for s in long
    ]
    assert continued == [mean([double(v[p]) for v in by_place]) for p in range(n)]


def documents(session):
    """Each result as a document: those of the queries, and their labels."""
    numbers = count()
    queries = [[next(numbers) for _ in ranked] for ranked in session]
    return queries, [x for ranked in session for x in ranked]


@BOTH
@pytest.mark.spec("RS-SES-21/L4")
def test_the_order_of_sessions_of_different_lengths(by):
    sessions, pools = [[[2]], [[2], [1]]], [[2], [2]]
    batches = [batch_of([s], [J]) for s, J in zip(sessions, pools, strict=True)]
    continued, held = (
        [session_curve(batch, 1, finished=x, queries=2, backend=by).values[1] for batch in batches]
        for x in ("continued", "held")
    )
    assert continued == [double(Fraction(3, 5)), double(Fraction(4, 5))]
    assert held == [1, double(Fraction(4, 5))]


@BOTH
@pytest.mark.spec("RS-SES-24", "RS-SES-24/L1", "RS-SES-24/L2", "RS-SES-24/L3")
@given(sessions=several, chosen=discounts)
def test_last_and_other_queries(by, sessions, chosen):
    pools = [covering(s) for s in sessions]
    last, others = [], []
    for s in sessions:
        V = [held(v.tolist(), X) for v in rs.query_sdcg_vectors(s, k=X, backend=by, **chosen)]
        last.append(V[-1])
        others += V[:-1]
    found = query_curves(batch_of(sessions, pools), X, backend=by, **chosen)
    assert list(found.last) == [mean(column) for column in zip(*last, strict=True)]
    assert list(found.non_last) == [mean(c) for c in zip(*others, strict=True)] or not others
    assert (found.last_queries, found.non_last_queries) == (len(last), len(others))
    N, M = len(last), len(last) + len(others)
    for p in range(X):
        every = [Fraction(v[p]) for v in last + others]
        means = [
            sum((Fraction(v[p]) for v in rows), Fraction(0)) / max(len(rows), 1)
            for rows in (last, others)
        ]
        assert sum(every) / M == Fraction(N, M) * means[0] + Fraction(M - N, M) * means[1]
    for values in (found.last, found.non_last):
        assert all(x <= y for x, y in pairwise(values))
    deeper = query_curves(batch_of(sessions, pools), X + 1, backend=by, **chosen)
    assert deeper.last[:X] == found.last
    assert deeper.non_last[:X] == found.non_last
    other = query_curves(batch_of([[[1], [2]]], [[]]), X, backend=by)  # control
    assert other.last != other.non_last
