"""Averages over sessions, rank by rank: curves of sessions, and of last and other queries.

Every function takes judged sessions, and the conventions as named arguments:

judged    what judge_sessions() gives; or a SessionBatch
k         how many results of each query count, the paper's X: the queries of all sessions
          begin at the ranks 1, X + 1, 2 X + 1, ...
topic     only the sessions of this topic; a batch has no topics
least_queries
          only sessions with at least this many queries
gain, discount, query_discount, repeats, padding, ideal, backend
          as in rankspec.api.sessions

Each component of a session's vector is first rounded to the nearest double; each result is the
double nearest to what its definition gives for these (RS-NUM-5).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, repeat
from typing import Any

from ...api.session_inputs import vectors_of
from ...compute.arithmetic import standard_arithmetic
from ...compute.batch import SessionBatch, offsets_of
from ...compute.checks import check_number_of_ranks
from ...compute.gain import DiscountLike, GainLike, text_of, whole, yes_or_no
from ...errors import InputError, hint, is_named, shown, shown_text
from ...formats.frames import Label, QrelsLike
from ...formats.sessions import Appearances, Current, Scanned, Topics, naming_swapped
from ...metrics.grammar import cutoff
from ...records import replace
from ...reference import session as reference
from ...reference.numbers.reals import Exact
from ...reference.numerics import exact_sum, mean, nearest_double
from .evaluate import SessionsLike, given_sessions, judge_by, judgments_of
from .judgments import JudgedSessions, session_conventions

FINISHED = ("held", "continued", "average")


@dataclass(frozen=True)
class Curve:
    """The average of sessions at each rank.

    values: at the ranks 1, 2, ... of the sessions' queries, one after the other
    sessions: how many sessions there are
    running: the share of them that have a query 1, 2, ... (RS-SES-20)
    """

    values: tuple[float, ...]
    sessions: int
    running: tuple[float, ...]

    @property
    def ranks(self) -> int:
        """How many ranks there are: those of the longest session."""
        return len(self.values)


@dataclass(frozen=True)
class QueryCurves:
    """The averages of last queries and of all others, at the ranks 1, 2, ..., X of a query.

    last, non_last: the averages; 0 if there is no query
    last_queries, non_last_queries: how many of each there are
    """

    last: tuple[float, ...]
    non_last: tuple[float, ...]
    last_queries: int
    non_last_queries: int


@dataclass(frozen=True)
class SessionCurve:
    """The vector of one session, as long as that of the longest.

    session: its id, or its number in a batch, from 0
    values: at the ranks 1, 2, ... of its queries, one after the other
    queries: how many it has
    ranks: how many of the values are its own; all further values repeat the last (RS-SES-19)
    """

    session: str | int
    values: tuple[float, ...]
    queries: int
    ranks: int


@standard_arithmetic
def judge_sessions(
    judgments: QrelsLike,
    sessions: SessionsLike,
    *,
    judged_by: str | None = None,
    pool: str = "judged",
    unjudged: str = "nonrelevant",
    negative: str = "zero",
    grades: Mapping[Label, Label] | None = None,
    topics: Topics | None = None,
    current: Current | None = None,
    order: str = "score",
    scanned: Scanned | None = None,
    appearances: Appearances | None = None,
) -> JudgedSessions:
    """Label the results of sessions, to average over them.

    The arguments: as of rankspec.evaluate_sessions(). Spec: RS-SES-23.

    >>> judged = judge_sessions({"a": {"x": 2}}, {"a": [["y", "x"], ["x"]], "b": [["x"]]})
    >>> judged.left_out
    {'b': 'no judgment'}
    """
    with naming_swapped(judgments, sessions):
        all_sessions, unnamed = given_sessions(
            sessions, topics, current, order, scanned, appearances
        )
        labels = judgments_of(judgments)
    chosen = {"judged_by": judged_by, "pool": pool, "unjudged": unjudged, "negative": negative}
    conventions = session_conventions(all_sessions, grades=grades, **chosen)
    return judge_by(conventions, labels, all_sessions, unnamed)


@standard_arithmetic
def session_curve(
    judged: JudgedSessions | SessionBatch,
    k: int,
    *,
    normalised: bool = True,
    finished: str = "held",
    queries: int | None = None,
    topic: str | None = None,
    least_queries: int = 0,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    repeats: str | Exact = "every",
    padding: str | int = "X",
    ideal: str = "repeated",
    backend: str = "auto",
) -> Curve:
    """Return the mean nsDCG of sessions at each rank; sDCG if normalised is False.

    finished: what an ended session is divided by, at the ranks of longer sessions. "held": its
        ideal session ends too, and nsDCG keeps its value. "continued": the ideal session goes on,
        with as many queries as the longest session. "average": as "continued", but the mean of sDCG
        is divided by the mean of the ideal sessions. The last two need the padding "X"
    queries: the number of queries that the average covers, at least that of the longest session;
        use it to make averages of different sessions equally long. It needs the padding "X"

    The other arguments: see rankspec.evaluation.sessions.averages. Spec: RS-SES-21.

    >>> judgments = {"a": {"x": 1}, "b": {"x": 1}}
    >>> two = judge_sessions(judgments, {"a": [["x"]], "b": [["x"], ["y"]]})
    >>> session_curve(two, 1, query_discount="none").values
    (1.0, 0.75)
    >>> session_curve(two, 1, query_discount="none", finished="continued").values
    (1.0, 0.5)
    """
    normalised = yes_or_no(normalised, "normalised")
    finished = _checked_finished(finished, normalised, padding)
    X = _checked_cutoff(k)
    batch, _ = _chosen(judged, topic, least_queries)
    m = batch.numbers_of_queries()
    most = max(m) if queries is None else _checked_queries(queries, max(m), padding)
    if is_named(padding, ("X",)):
        check_number_of_ranks(most * X)
    if finished != "held":
        batch = _with_queries(batch, most)
    own, ideals = {"repeats": repeats, "padding": padding}, {"padding": padding, "ideal": ideal}
    discounts = {"gain": gain, "discount": discount, "query_discount": query_discount}

    def of(name: str, parameters: dict[str, Any]) -> list[array[float]]:
        return vectors_of(name, batch, X, backend, **discounts, **parameters)

    of_each = normalised and finished != "average"  # whether it is an average of quotients
    found = of("avg_nsdcg", own | ideals) if of_each else of("avg_sdcg", own)
    n = most * X if padding == "X" else max(map(len, found))
    if finished == "average":
        values = _quotients(found, of("isdcg", ideals), n)
    else:
        values = _averages(found, n)
    running = (reference.still_running(m, q) for q in range(1, most + 1))
    return Curve(values, len(batch), tuple(map(nearest_double, running)))


@standard_arithmetic
def query_curves(
    judged: JudgedSessions | SessionBatch,
    k: int,
    *,
    topic: str | None = None,
    least_queries: int = 0,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    repeats: str | Exact = "every",
    backend: str = "auto",
) -> QueryCurves:
    """Return the mean sDCG(q) at each rank, for last queries and for all others.

    Each query counts once, and keeps its gain beyond the end of its list.

    The arguments: see rankspec.evaluation.sessions.averages. Spec: RS-SES-24.

    >>> one = judge_sessions({"a": {"x": 1, "y": 1}}, {"a": [["z", "x"], ["x", "y"], ["y"]]})
    >>> query_curves(one, 2, discount="none", query_discount="none")
    QueryCurves(last=(1.0, 1.0), non_last=(0.5, 1.5), last_queries=1, non_last_queries=2)
    """
    X = _checked_cutoff(k)
    check_number_of_ranks(X)
    batch, _ = _chosen(judged, topic, least_queries)
    chosen = {"gain": gain, "discount": discount, "query_discount": query_discount}
    of_queries = vectors_of("query_sdcg", batch, X, backend, **chosen, repeats=repeats)
    last = {int(end) - 1 for begin, end in pairwise(batch.sessions) if end > begin}
    lasts, others = (
        [V for q, V in enumerate(of_queries) if (q in last) == is_last] for is_last in (True, False)
    )
    return QueryCurves(_averages(lasts, X), _averages(others, X), len(lasts), len(others))


@standard_arithmetic
def individual_curves(
    judged: JudgedSessions | SessionBatch,
    k: int,
    *,
    normalised: bool = True,
    topic: str | None = None,
    least_queries: int = 0,
    gain: GainLike = "linear",
    discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=2)",
    query_discount: DiscountLike | Callable[[int], float] = "jarvelin-2008(b=4)",
    repeats: str | Exact = "every",
    padding: str | int = "X",
    ideal: str = "repeated",
    backend: str = "auto",
) -> list[SessionCurve]:
    """nsDCG of each session at each rank, held where the session has ended; or sDCG, where it is
    not normalised.

    The arguments: see rankspec.evaluation.sessions.averages. Spec: RS-SES-19.

    >>> judgments = {"a": {"x": 1}, "b": {"x": 1}}
    >>> two = judge_sessions(judgments, {"a": [["x"]], "b": [["x"], ["y"]]})
    >>> [x.values for x in individual_curves(two, 1, query_discount="none")]
    [(1.0, 1.0), (1.0, 0.5)]
    """
    normalised = yes_or_no(normalised, "normalised")
    X = _checked_cutoff(k)
    batch, names = _chosen(judged, topic, least_queries)
    chosen: dict[str, Any] = {"repeats": repeats, "padding": padding}
    chosen |= {"gain": gain, "discount": discount, "query_discount": query_discount}
    if normalised:
        found = vectors_of("avg_nsdcg", batch, X, backend, **chosen, ideal=ideal)
    else:
        found = vectors_of("avg_sdcg", batch, X, backend, **chosen)
    n = max(map(len, found))
    of_sessions = zip(names, found, batch.numbers_of_queries(), strict=True)
    return [
        SessionCurve(name, tuple(reference.held(V, n)), m, len(V)) for name, V, m in of_sessions
    ]


def _checked_cutoff(k: int) -> int:
    """X, which the queries of all sessions share."""
    X = cutoff(k, "X")
    if X is None:
        raise InputError(
            "X: expected a number, got None; an average at each rank needs the same X for all "
            "queries (RS-SES-21)"
        )
    return X


def _checked_queries(queries: int, longest: int, padding: str | int) -> int:
    """To which query an average goes on."""
    number = whole(queries)
    if number is None or number < longest:
        raise InputError(
            f"queries: expected a whole number of at least {longest}, the length of the longest "
            f"session, got {shown(queries)}"
        )
    if padding != "X":
        raise InputError(
            'queries: each further query adds X ranks, so the padding must be "X", not '
            f"{shown(padding)}"
        )
    return number


def _checked_finished(finished: str, normalised: bool, padding: str | int) -> str:
    """The reading; an InputError for none, or without an ideal session that could go on."""
    word = text_of(finished)
    if word not in FINISHED:
        raise InputError(
            f"finished: unknown rule {shown(finished)}{hint(finished, FINISHED)}; expected one "
            f"of {', '.join(FINISHED)} (RS-SES-21)"
        )
    if word == "held":
        return word
    if not normalised:
        raise InputError(
            f'finished: "{word}" says how the ideal session goes on, but sDCG that is not '
            'normalised has none; leave finished="held" (RS-SES-21)'
        )
    if padding != "X":
        raise InputError(
            f'finished: with "{word}" the ideal session goes on with queries of X ranks: the '
            f'padding must be "X", not {shown(padding)} (RS-SES-21)'
        )
    return word


# ---- which sessions -----------------------------------------------------------------------


def _chosen(
    judged: JudgedSessions | SessionBatch, topic: str | None, least_queries: int
) -> tuple[SessionBatch, Sequence[str | int]]:
    """The sessions that are asked for, at least one, and their names."""
    names: Sequence[str | int]
    topics: Sequence[str | None]
    if isinstance(judged, JudgedSessions):
        batch, names = judged.batch, [session.id for session in judged.sessions]
        topics = [session.topic for session in judged.sessions]
        if topic is not None and not is_named(topic, topics):
            known = hint(topic, [x for x in topics if x is not None])
            named = shown_text(topic) if isinstance(topic, str) else shown(topic)
            raise InputError(f"topic: no judged session has the topic {named}{known}")
    elif isinstance(judged, SessionBatch):
        batch, names, topics = judged, range(len(judged)), [None] * len(judged)
        if topic is not None:
            raise InputError("topic: a batch has no topics; give judged sessions")
    else:
        raise InputError(
            f"judged: expected judged sessions or a batch of them, got {shown(judged)}"
        )
    least = whole(least_queries)
    if least is None or least < 0:
        raise InputError(f"least_queries: expected a number of queries, got {shown(least_queries)}")
    m = batch.numbers_of_queries()
    rows = [s for s in range(len(m)) if m[s] >= least and topic in (None, topics[s])]
    if not rows:
        which = "" if topic is None else f" of the topic {shown_text(topic)}"
        how = f" with {shown(least_queries)} queries or more" if m else ""
        why = "" if m else for_want_of_judgments(judged)
        raise InputError(f"sessions: there is none{which}{how} to take an average of{why}")
    if len(rows) == len(m):
        return batch, names
    return _of_sessions(batch, rows), [names[s] for s in rows]


def for_want_of_judgments(judged: JudgedSessions | SessionBatch) -> str:
    """That sessions were given, but without judgments; "" if none was."""
    n = len(judged.left_out) if isinstance(judged, JudgedSessions) else 0
    have = "has" if n == 1 else "have"
    return f"; the {n} given {have} no judgments" if n else ""


def _of_sessions(batch: SessionBatch, rows: Sequence[int]) -> SessionBatch:
    """Some sessions of a batch."""
    of_sessions = [(int(batch.sessions[s]), int(batch.sessions[s + 1])) for s in rows]
    queries = [
        (int(batch.offsets[q]), int(batch.offsets[q + 1]))
        for begin, end in of_sessions
        for q in range(begin, end)
    ]
    chosen = SessionBatch(
        _parts(batch.labels, queries),
        offsets_of(end - begin for begin, end in queries),
        sessions=offsets_of(end - begin for begin, end in of_sessions),
        documents=None if batch.documents is None else _parts(batch.documents, queries),
    )
    if batch.pool is None:
        return chosen
    pools = [(int(batch.pool_offsets[s]), int(batch.pool_offsets[s + 1])) for s in rows]
    offsets = offsets_of(end - begin for begin, end in pools)
    return replace(chosen, pool=_parts(batch.pool, pools), pool_offsets=offsets)


def _with_queries(batch: SessionBatch, n: int) -> SessionBatch:
    """The sessions with n queries each: the further ones have no results."""
    offsets = array("q", [0])
    for begin, end in pairwise(map(int, batch.sessions)):
        ends = [int(x) for x in batch.offsets[begin + 1 : end + 1]]
        offsets.extend([*ends, *[int(batch.offsets[end])] * (n - len(ends))])
    return replace(batch, offsets=offsets, sessions=offsets_of([n] * len(batch)))


def _parts(flat: Any, bounds: Iterable[tuple[int, int]]) -> Any:
    """Parts of a flat buffer, one after the other."""
    view = memoryview(flat)
    taken = array(view.format)
    for begin, end in bounds:
        taken.frombytes(view[begin:end].tobytes())
    return taken


# ---- averages of vectors ----------------------------------------------------------------


def _components(of_sessions: Sequence[Sequence[float]], n: int) -> list[tuple[float, ...]]:
    """At each of n ranks the components of all vectors, each held where it has ended."""
    return list(zip(*(reference.held(V, n) for V in of_sessions), strict=True))


def _averages(vectors: Sequence[Sequence[float]], n: int) -> tuple[float, ...]:
    """The average vector; that of none is 0 everywhere."""
    if not vectors:
        return (0.0,) * n
    runs = groupby(_components(vectors, n))  # where all have ended, each rank is as the one before
    return tuple(x for v, run in runs for x in repeat(mean(v), len(list(run))))


def _quotients(
    V: Sequence[Sequence[float]],
    I: Sequence[Sequence[float]],  # noqa: E741
    n: int,
) -> tuple[float, ...]:
    """norm-vect of the average vectors, rounded once: both are of all sessions, and sums serve."""
    v, i = ([exact_sum(x) for x in _components(vectors, n)] for vectors in (V, I))
    return tuple(map(nearest_double, reference.norm_vect(v, i)))
