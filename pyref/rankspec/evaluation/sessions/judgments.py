"""Sessions of documents, and their judgments: from both to labels by query (RS-SES-23)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any, NamedTuple

from ...compute.batch import SessionBatch, offsets_of
from ...compute.gain import text_of
from ...errors import InputError, by_value, hint, listed, shown, shown_text
from ...formats.frames import Label
from ...formats.search_session import SearchSession, place_in
from ..conventions import SESSIONS, checked_grades, convention, default, meaning
from ..ranked import typecode_of


@dataclass(frozen=True)
class SessionConventions:
    """The choices between files and labels that the metrics' definitions leave open.

    judged_by: what a judgment belongs to, "topic" or "session" (RS-SES-23)
    pool: which documents the ideal contains: all "judged", or the "retrieved" ones (RS-SES-23)
    unjudged: results without a judgment are "nonrelevant", or an "error"
    negative: labels below 0 count as "zero", or are an "error"
    undefined: an undefined value is "zero", left out ("omit"), or an "error" (RS-CONV-26)
    grades: {label: replacement}; labels not in it stay as they are (RS-CONV-25)
    """

    judged_by: str = default("judged_by", SESSIONS)
    pool: str = default("pool", SESSIONS)
    unjudged: str = default("unjudged", SESSIONS)
    negative: str = default("negative", SESSIONS)
    undefined: str = default("undefined", SESSIONS)
    grades: Mapping[Label, Label] | None = default("grades", SESSIONS)

    @property
    def of_topics(self) -> bool:
        """True where the judgments of its topic are those of a session (RS-SES-23)."""
        return bool(meaning("judged_by", self.judged_by))


CONVENTIONS = tuple(
    known
    for name in (x.name for x in fields(SessionConventions))
    if (known := convention(name).applied_to(SESSIONS)).values
)
"""The choices between files and labels that have names; grades are another one."""


@dataclass(frozen=True, repr=False)
class JudgedSessions:
    """Sessions with the labels of their results.

    sessions: those that have judgments, in order
    batch: their labels, in that order
    left_out: {id of a session: why it is left out}
    judged: {session or topic: {document: label}}, with the labels as counted
    conventions: the conventions used
    """

    sessions: tuple[SearchSession, ...]
    batch: SessionBatch
    left_out: dict[str, str]
    judged: dict[str, dict[str, Label]]
    conventions: SessionConventions = SessionConventions()

    def __repr__(self) -> str:
        """What it has, in a line."""
        kept, left_out = len(self.sessions), len(self.left_out)
        return f"<JudgedSessions; sessions: {kept}, left out: {left_out}>"


def judged_sessions(
    sessions: Iterable[SearchSession],
    judgments: Mapping[str, Mapping[str, Label]],
    conventions: SessionConventions,
) -> JudgedSessions:
    """Sessions with the labels of their results; those without judgments are left out.

    judgments: {session or topic: {document: label}}
    """
    kept: list[SearchSession] = []
    left_out: dict[str, str] = {}
    counted: dict[str, dict[str, Label]] = {}
    found: list[_Labels] = []
    for unlabelled in sessions:
        key = key_of(unlabelled, conventions)
        if key is None or key not in judgments:
            left_out[unlabelled.id] = _why_left_out(key, conventions)
            continue
        if key not in counted:
            counted[key] = _counted(judgments, key, conventions)
        _check_once(unlabelled)
        session = _counted_there(unlabelled, conventions) if unlabelled.appearances else unlabelled
        if by_value("unjudged", conventions.unjudged, {"nonrelevant": False, "error": True}):
            _check_judged(session, counted[key])
        found.append(_labels_of(session, counted[key], conventions))
        kept.append(session)
    return JudgedSessions(tuple(kept), _batch_of(found), left_out, counted, conventions)


def key_of(session: SearchSession, conventions: SessionConventions) -> Any:
    """Return the topic or session whose judgments a session has; None where there is no topic."""
    return session.topic if conventions.of_topics else session.id


class _Labels(NamedTuple):
    """The labels of a session: of the results of each query, and of its pool.

    documents: what tells the results apart, in the form of these
    """

    queries: list[list[Label]]
    documents: list[list[int]]
    pool: list[Label]


def _labels_of(
    session: SearchSession, judged: Mapping[str, Label], conventions: SessionConventions
) -> _Labels:
    number: dict[str, int] = {}
    documents = [[number.setdefault(d, len(number)) for d in ranked] for ranked in session.queries]
    queries = [
        [own.get(d, judged.get(d, 0)) for d in ranked]
        for ranked, own in zip(session.queries, _by_query(session), strict=True)
    ]
    known = _greatest(judged, session) if session.appearances else judged
    retrieved = meaning("pool", conventions.pool)
    pool = [known.get(d, 0) for d in number] if retrieved else [*known.values()]
    return _Labels(queries, documents, pool)


def _by_query(session: SearchSession) -> list[Mapping[str, Label]]:
    """The labels of single results, for each query of the session (RS-SES-33)."""
    own = list(session.appearances)
    return [*own, *({} for _ in range(len(session.queries) - len(own)))]


def _greatest(judged: Mapping[str, Label], session: SearchSession) -> dict[str, Label]:
    """The judgments with the greatest label of each document that is judged where it appears."""
    found = dict(judged)
    for own in session.appearances:
        for document, label in own.items():
            found[document] = max(label, found.get(document, label))
    return found


def _check_once(session: SearchSession) -> None:
    """Raise InputError for a document that a query shows twice."""
    for q, ranked in enumerate(session.queries, start=1):
        if len(set(ranked)) == len(ranked):
            continue
        i = next(i for i, document in enumerate(ranked) if document in ranked[:i])
        where = f"{session.place}: " if session.place else ""
        raise InputError(
            f"{where}session {shown_text(session.id)}, query {q}, rank {i + 1}: document "
            f"{shown_text(ranked[i])} occurs a second time; it is already at rank "
            f"{ranked.index(ranked[i]) + 1} (RS-SES-23)"
        )


def _check_judged(session: SearchSession, judged: Mapping[str, Label]) -> None:
    """An InputError for the first result without a judgment."""
    by_query = zip(session.queries, _by_query(session), strict=True)
    for q, (ranked, own) in enumerate(by_query, start=1):
        for i, document in enumerate(ranked, start=1):
            if document not in judged and document not in own:
                where = f"{session.place}: " if session.place else ""
                raise InputError(
                    f"{where}session {shown_text(session.id)}, query {q}, rank {i}: document "
                    f"{shown_text(document)} has no judgment (RS-SES-23)"
                )


def _batch_of(sessions: Sequence[_Labels]) -> SessionBatch:
    queries = [ranked for session in sessions for ranked in session.queries]
    labels = [label for ranked in queries for label in ranked]
    pool = [label for session in sessions for label in session.pool]
    of_queries = (ranked for session in sessions for ranked in session.documents)
    typecode = typecode_of([*labels, *pool])
    return SessionBatch(
        array(typecode, labels),
        offsets_of(map(len, queries)),
        pool=array(typecode, pool),
        pool_offsets=offsets_of(len(session.pool) for session in sessions),
        sessions=offsets_of(len(session.queries) for session in sessions),
        documents=array("q", chain.from_iterable(of_queries)),
    )


def _why_left_out(key: str | None, conventions: SessionConventions) -> str:
    if key is None:
        return "no topic"
    return "no judgment" + " of its topic" * conventions.of_topics


def _counted(
    judgments: Mapping[str, Mapping[str, Label]], key: str, conventions: SessionConventions
) -> dict[str, Label]:
    """The judgments of a session or topic as they count."""

    def where(document: str) -> str:
        return f"{place_in(judgments, key, document)}{conventions.judged_by} {shown_text(key)}"

    return _as_counted(judgments[key], conventions, where)


def _counted_there(session: SearchSession, conventions: SessionConventions) -> SearchSession:
    """The session with the labels of single results as they count (RS-SES-33)."""

    def place(q: int) -> Callable[[str], str]:
        return lambda _: f"appearances: query {q} of session {shown_text(session.id)}"

    counted = [
        _as_counted(own, conventions, place(q))
        for q, own in enumerate(session.appearances, start=1)
    ]
    return replace(session, appearances=counted)


def _as_counted(
    labels: Mapping[str, Label], conventions: SessionConventions, where: Callable[[str], str]
) -> dict[str, Label]:
    grades = conventions.grades or {}
    counted = {document: grades.get(label, label) for document, label in labels.items()}
    for document, label in counted.items():
        if label < 0:
            if by_value("negative", conventions.negative, {"zero": False, "error": True}):
                raise InputError(
                    f"{where(document)}: the label {label} of document {shown_text(document)} is "
                    "negative (RS-CONV-15)"
                )
            counted[document] = 0
    return counted


def session_conventions(
    sessions: Iterable[SearchSession],
    *,
    grades: Mapping[Label, Label] | None = None,
    **given: str | None,
) -> SessionConventions:
    """The conventions that are given, checked, and the default for the others, and for None.

    judged_by: by default by topic where a session has one, else by session
    """
    chosen = {name: x for name, x in given.items() if x is not None}
    if "judged_by" not in chosen:
        topics = any(session.topic is not None for session in sessions)
        chosen["judged_by"] = "topic" if topics else "session"
    for known in CONVENTIONS:
        x = chosen.get(known.name, known.default)
        word = text_of(x)
        if word is None or word not in known.values:
            raise InputError(
                f"{known.name}: unknown rule {shown(x)}{hint(word, known.values)}; expected one "
                f"of {listed(known.values)} ({known.spec})"
            )
        meaning(known.name, word)
        chosen[known.name] = word
    return SessionConventions(**chosen, grades=checked_grades(grades))
