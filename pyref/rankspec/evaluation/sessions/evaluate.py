"""Sessions against judgments: the values of measures, session by session and on average.

>>> result = evaluate_sessions("qrels.txt", "sessions.tsv", "nsDCG@10")   # doctest: +SKIP
>>> result["nsDCG@10"], result.per_session["nsDCG@10"]["s1"]              # doctest: +SKIP
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from ...compute import backends
from ...compute.arithmetic import standard_arithmetic
from ...compute.checks import TooFewWeights
from ...compute.gain import DiscountLike, GainLike
from ...errors import InputError, by_value, shown, shown_text
from ...formats.frames import Label, QrelsLike, labels_of, snapshot
from ...formats.search_session import SearchSession, check_name, place_in
from ...formats.sessions import (
    Appearances,
    Current,
    Scanned,
    Topics,
    appearances_of,
    documents_of,
    in_order,
    naming_swapped,
    rankings_of,
    read_judgments,
    read_sessions,
    scanned_of,
    topics_of,
    with_appearances,
    with_rankings,
    with_scanned,
    with_topics,
)
from ...formats.streams import Source, is_file
from ...metrics import grammar
from ...metrics.catalogue import SESSION_METRICS
from ...metrics.measure import Measure
from ...metrics.session import is_defined
from ...records import replace
from ...reference import session as reference
from ...reference.numbers.reals import Exact
from ...reference.numerics import nearest_double_of
from ..evaluate import mean_of, warn_of_input
from ..measures import MeasuresLike, names_of
from .judgments import (
    JudgedSessions,
    SessionConventions,
    judged_sessions,
    key_of,
    session_conventions,
)
from .result import SessionEvaluation

SessionsLike: TypeAlias = "Source | Iterable[SearchSession] | Mapping[str, Sequence[Sequence[str]]]"
"""A file of sessions; sessions; or a dict: the documents of each query of each session."""

UNNAMED = "not among the topics"


@standard_arithmetic
def evaluate_sessions(
    judgments: QrelsLike,
    sessions: SessionsLike,
    measures: MeasuresLike,
    *,
    judged_by: str | None = None,
    pool: str = "judged",
    unjudged: str = "nonrelevant",
    negative: str = "zero",
    grades: Mapping[Label, Label] | None = None,
    undefined: str = "zero",
    topics: Topics | None = None,
    current: Current | None = None,
    order: str = "score",
    scanned: Scanned | None = None,
    appearances: Appearances | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    query_discount: DiscountLike | None = None,
    repeats: str | Exact | None = None,
    padding: str | int | None = None,
    ideal: str | None = None,
    backend: str = "auto",
) -> SessionEvaluation:
    """Evaluate sessions against judgments of the documents shown in them.

    judgments: a path ("-": standard input) or an open file: TREC qrels, or lines of session or
        topic, document and label, divided by tabs, plain or compressed; a dict {session or topic:
        {document: label}}; rows or a data frame, as of evaluate()
    sessions: a file as of read_sessions(), a list of sessions, or a dict of the documents of their
        queries, {session: [[document, ...], ...]}
    measures: one or several of the metrics of sessions, as "nsDCG(repeats='first')@10"
    judged_by: whether judgments belong to the "topic" of a session (the default if there are
        topics) or to the "session" (RS-SES-23)
    pool: whether ideal sessions contain all "judged" documents or only the "retrieved" (RS-SES-23)
    unjudged: results without a judgment are "nonrelevant", or an "error"
    negative: labels below 0 count as "zero", or are an "error" (RS-CONV-15)
    grades: {label: replacement}; labels not in it stay as they are (RS-CONV-25)
    undefined: an undefined value is "zero", left out ("omit"), or an "error" (RS-CONV-26)
    topics, current, order: as of read_sessions()
    scanned: how many results of each query the searcher looked at, if that was observed: a file of
        lines of session, query and number, or a dict {session: [number, ...]} with None for
        unobserved queries (RS-SES-26)
    appearances: labels of single results, where a document is judged otherwise when it comes
        again: a file of lines of session, query, document and label, or a dict {session:
        [{document: label} of each query, or None]} (RS-SES-33)
    gain, discount, query_discount, repeats, padding, ideal: values for measures that do not name
        their own
    backend: "auto": the C core, or, with a warning, the reference if the core is not built; "c":
        the core; "reference": the certified reference in Python. All give the same values

    Raises InputError, with the place, for input that the spec does not admit.
    """
    defaults = {
        "gain": gain,
        "discount": discount,
        "query_discount": query_discount,
        "repeats": repeats,
        "padding": padding,
        "ideal": ideal,
    }
    chosen = session_measures(measures, defaults)
    with naming_swapped(judgments, sessions):
        all_sessions, unnamed = given_sessions(
            sessions, topics, current, order, scanned, appearances
        )
        labels = judgments_of(judgments)
    conventions = session_conventions(
        all_sessions,
        judged_by=judged_by,
        grades=grades,
        pool=pool,
        unjudged=unjudged,
        negative=negative,
        undefined=undefined,
    )
    found = evaluate_by(conventions, labels, all_sessions, unnamed, chosen, backend)
    warn_of_input(found.warnings)
    return replace(found, parameters=_read(defaults))


def evaluate_by(
    conventions: SessionConventions,
    judgments: Mapping[str, Mapping[str, Label]],
    sessions: Sequence[SearchSession],
    unnamed: Iterable[str],
    measures: Sequence[Measure],
    backend: str = "auto",
) -> SessionEvaluation:
    """As evaluate_sessions(), of what is read already; unnamed: the sessions without a topic."""
    judged = judge_by(conventions, judgments, sessions, unnamed)
    check_gains(measures, judged, judgments)
    columns = values(measures, judged, backend)
    ids = [session.id for session in judged.sessions]
    per_session = {
        str(measure): dict(zip(ids, column, strict=True))
        for measure, column in zip(measures, columns, strict=True)
    }
    counts_as_0 = {"zero": True, "omit": False, "error": False}
    if not by_value("undefined", conventions.undefined, counts_as_0):
        _leave_out_undefined(per_session, measures, judged, conventions.undefined)
    return SessionEvaluation(
        measures=tuple(measures),
        sessions=tuple(ids),
        queries={session.id: len(session.queries) for session in judged.sessions},
        topics={s.id: s.topic for s in judged.sessions if s.topic is not None},
        per_session=per_session,
        mean={str(m): mean_of(m, per_session[str(m)], "session") for m in measures},
        sd={name: _sd_of(found.values()) for name, found in per_session.items()},
        left_out=judged.left_out,
        conventions=conventions,
        warnings=tuple(_warnings(judged, judgments, sessions)),
    )


def _leave_out_undefined(
    per_session: Mapping[str, dict[str, float]],
    measures: Iterable[Measure],
    judged: JudgedSessions,
    undefined: str,
) -> None:
    """Remove undefined values; under undefined="error" raise InputError at the first."""
    rankings = [judged.batch.ranking(a) for a in range(len(judged.sessions))]
    for measure in measures:
        for session, ranking in zip(judged.sessions, rankings, strict=True):
            if is_defined(measure, ranking):
                continue
            if undefined == "error":
                raise InputError(
                    f'measure "{measure}": session {shown_text(session.id)} has no defined value, '
                    'which undefined="error" does not admit (RS-CONV-26)'
                )
            del per_session[str(measure)][session.id]


def _warnings(
    judged: JudgedSessions,
    judgments: Mapping[str, Mapping[str, Label]],
    sessions: Sequence[SearchSession],
) -> Iterable[str]:
    """Yield what may be wrong with ids of which none is in both (RS-CONV-27)."""
    if not sessions:
        return
    if not judged.sessions:
        by_topic = judged.conventions.of_topics
        names = [(s.topic if by_topic else s.id) or "" for s in sessions]
        kind = "topic" if by_topic else "session"
        yield (
            f"no {kind} is both in the judgments and in the sessions; only the judgments have "
            f"{shown_text(next(iter(judgments)))}, only the sessions have {shown_text(names[0])}: "
            f"a {kind} must have the same id in both (RS-CONV-27)"
        )
        return
    of = {s.id: judged.judged[key_of(s, judged.conventions)] for s in judged.sessions}
    shown_there = [(s.id, d) for s in judged.sessions for ranked in s.queries for d in ranked]
    by_query = any(own for s in judged.sessions for own in s.appearances)
    if shown_there and not by_query and not any(d in of[name] for name, d in shown_there):
        first, document = next(((x, d) for x, d in shown_there if of[x]), shown_there[0])
        known = next(iter(of[first]), "")
        yield (
            "no document that the sessions show is judged: for session "
            f"{shown_text(first)} the judgments have {shown_text(known)}, the session "
            f"{shown_text(document)}; a document must have the same id in both (RS-CONV-27)"
        )


def _sd_of(values: Iterable[float]) -> float:
    """The standard deviation over sessions; NaN of fewer than two (RS-SES-27)."""
    v = list(values)
    if len(v) < 2 or any(map(math.isnan, v)):
        return math.nan
    return nearest_double_of(lambda R: reference.standard_deviation(v, R))


def judge_by(
    conventions: SessionConventions,
    judgments: Mapping[str, Mapping[str, Label]],
    sessions: Iterable[SearchSession],
    unnamed: Iterable[str],
) -> JudgedSessions:
    """The labels of sessions that are read already; unnamed: the sessions without a topic."""
    judged = judged_sessions(sessions, judgments, conventions)
    return replace(judged, left_out=dict.fromkeys(unnamed, UNNAMED) | judged.left_out)


def session_measures(measures: MeasuresLike, defaults: Mapping[str, Any]) -> tuple[Measure, ...]:
    """The measures of sessions that are asked for, each once, in the order of first mention.

    defaults: what a parameter is that the name does not say; None: the metric's own
    """
    read = _read(defaults)
    found = dict.fromkeys(m for x in names_of(measures) for m in grammar.measures(x, read))
    for measure in found:
        if not measure.metric.of_sessions:
            names = ", ".join(metric.name for metric in SESSION_METRICS)
            raise InputError(
                f'measure "{measure}": it takes one ranking; for sessions use one of {names} '
                "(query_nDCG: the nDCG of the "
                f"queries){grammar.of_other_case(measure.metric.name)}"
            )
    return tuple(found)


def _read(defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The values of parameters; None: the metric's own."""
    known = {n: p for metric in SESSION_METRICS for n, p in metric.parameters.items()}
    return {name: None if x is None else known[name].read(x) for name, x in defaults.items()}


def given_sessions(
    sessions: SessionsLike,
    topics: Topics | None = None,
    current: Current | None = None,
    order: str = "score",
    scanned: Scanned | None = None,
    appearances: Appearances | None = None,
) -> tuple[list[SearchSession], list[str]]:
    """The sessions, and the ids of those that have no topic where topics are given."""
    found = _sessions(sessions)
    if not found:
        raise InputError("sessions: expected at least one session, got none (RS-CONV-26)")
    found = with_rankings(found, rankings_of(current, order))
    found = with_appearances(found, appearances_of(appearances))
    found = with_scanned(found, scanned_of(scanned))
    if topics is None:
        return found, []
    known = topics_of(topics)
    return with_topics(found, known), [s.id for s in found if s.id not in known]


def judgments_of(judgments: QrelsLike) -> dict[str, dict[str, Label]]:
    """The judgments, from a file or as they are given."""
    if is_file(judgments):
        return read_judgments(judgments)
    return labels_of(judgments)


def _sessions(sessions: SessionsLike) -> list[SearchSession]:
    if is_file(sessions):
        return read_sessions(sessions)
    if isinstance(sessions, Mapping):
        sessions = [
            SearchSession(name, queries) for name, queries in snapshot(sessions, "sessions").items()
        ]
    given = in_order(sessions, f"sessions: {shown(sessions)} is no file, dict or list of sessions")
    found: dict[str, SearchSession] = {}
    for session in given:
        if not isinstance(session, SearchSession):
            raise InputError(
                f"sessions: expected a session (rankspec.SearchSession), got {shown(session)}"
            )
        check_name(session.id, "sessions", "session")
        if session.id in found:
            where = f"session {shown_text(session.id)}"
            raise InputError(f"sessions: {where} occurs twice")
        found[session.id] = _checked(session)
    return list(found.values())


def _checked(session: SearchSession) -> SearchSession:
    """A session with a checked id, of lists of documents."""
    where = f"session {shown_text(session.id)}"
    if session.topic is not None:
        check_name(session.topic, where, "topic")
    given = in_order(session.queries, f"{where}: {shown(session.queries)} is no list of queries")
    queries = [documents_of(query, f"{where}, query {q}") for q, query in enumerate(given, start=1)]
    return replace(session, queries=queries)


def check_gains(
    measures: Iterable[Measure],
    judged: JudgedSessions,
    judgments: Mapping[str, Mapping[str, Label]],
) -> None:
    """An InputError that names the first document whose label a measure cannot take."""
    distinct = {label for documents in judged.judged.values() for label in documents.values()}
    at = [
        (s.id, q, document, label)
        for s in judged.sessions
        for q, own in enumerate(s.appearances, start=1)
        for document, label in own.items()
    ]
    distinct |= {label for *_, label in at}
    for measure in measures:
        refused = {x: why for x in distinct if (why := measure.metric.refusal(measure, x))}
        for session, q, document, label in at if refused else ():
            if label in refused:
                raise InputError(
                    f'measure "{measure}": label {label} of document {shown_text(document)} for '
                    f"query {q} of session {shown_text(session)}: {refused[label]}"
                )
        for key, documents in judged.judged.items() if refused else ():
            for document, label in documents.items():
                if label in refused:
                    raise InputError(
                        f"{place_in(judgments, key, document)}"
                        f'measure "{measure}": label {label} of document {shown_text(document)} '
                        f"for {judged.conventions.judged_by} {shown_text(key)}: {refused[label]}"
                    )


def values(
    measures: Sequence[Measure], judged: JudgedSessions, backend: str
) -> Sequence[Sequence[float]]:
    """The value of each measure for each session, a column a measure."""
    try:
        return backends.values(measures, judged.batch, backend)
    except TooFewWeights as error:
        raise InputError(f'measure "{error.measure}": {error}') from None
