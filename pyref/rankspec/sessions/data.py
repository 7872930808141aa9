"""Sessions of documents, and their judgments: from both to labels by query (RS-SES-23)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..engine import SessionBatch
from ..errors import InputError, shown_text
from ..lists import typecode_of
from ..sources import Label


@dataclass(frozen=True)
class SearchSession:
    """What was shown to somebody who searched: the documents of each query, in rank order.

    id: its name; topic: what was searched for, where that is known
    """

    id: str
    queries: Sequence[Sequence[str]]
    topic: str | None = None


@dataclass(frozen=True)
class SessionConventions:
    """Every choice that the metrics' definitions leave open, between files and labels.

    judged_by: whose judgments they are: "topic" or "session" (RS-SES-23)
    pool: what the ideal is made of: all that is "judged", or the "retrieved" (RS-SES-23)
    unjudged: results without a judgment are "nonrelevant", or an "error"
    negative: labels below 0 count as "zero", or are an "error"
    grades: {label: the label that is meant}; those that it does not name stay
    undefined: a value that is not defined is "zero", or "omit": there is none
    """

    judged_by: str = "session"
    pool: str = "judged"
    unjudged: str = "nonrelevant"
    negative: str = "zero"
    grades: Mapping[Label, Label] | None = None
    undefined: str = "zero"


@dataclass(frozen=True)
class JudgedSessions:
    """Sessions with the labels of their results.

    sessions: those that have judgments, in order; batch: their labels, in that order
    left_out: {id of a session: why it is left out}
    """

    sessions: tuple[SearchSession, ...]
    batch: SessionBatch
    left_out: dict[str, str]


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
    labels: list[Label] = []
    pool: list[Label] = []
    documents = array("q")
    offsets, begins, pool_offsets = array("q", [0]), array("q", [0]), array("q", [0])
    for session in sessions:
        key = session.topic if conventions.judged_by == "topic" else session.id
        if key is None or key not in judgments:
            what = "it has no topic" if key is None else f"{conventions.judged_by} {key}"
            left_out[session.id] = what if key is None else f"there is no judgment for {what}"
            continue
        judged = _counted(judgments[key], key, conventions)
        number: dict[str, int] = {}
        for q, ranked in enumerate(session.queries, start=1):
            for i, document in enumerate(ranked, start=1):
                documents.append(number.setdefault(document, len(number)))
                if conventions.unjudged == "error" and document not in judged:
                    raise InputError(
                        f"session {shown_text(session.id)}, query {q}, rank {i}: document "
                        f"{shown_text(document)} has no judgment (RS-SES-23)"
                    )
                labels.append(judged.get(document, 0))
            offsets.append(len(labels))
        begins.append(len(offsets) - 1)
        retrieved = conventions.pool == "retrieved"
        pool += [judged.get(d, 0) for d in number] if retrieved else judged.values()
        pool_offsets.append(len(pool))
        kept.append(session)
    typecode = typecode_of([*labels, *pool])
    batch = SessionBatch(
        array(typecode, labels),
        offsets,
        pool=array(typecode, pool),
        pool_offsets=pool_offsets,
        sessions=begins,
        documents=documents,
    )
    return JudgedSessions(tuple(kept), batch, left_out)


def _counted(
    judged: Mapping[str, Label], key: str, conventions: SessionConventions
) -> dict[str, Label]:
    """The judgments as they count."""
    grades = conventions.grades or {}
    counted = {document: grades.get(label, label) for document, label in judged.items()}
    for document, label in counted.items():
        if label < 0:
            if conventions.negative == "error":
                raise InputError(
                    f"{conventions.judged_by} {shown_text(key)}: the label {label} of document "
                    f"{shown_text(document)} is negative (RS-CONV-15)"
                )
            counted[document] = 0
    return counted
