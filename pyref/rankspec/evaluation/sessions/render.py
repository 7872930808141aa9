"""Evaluations of sessions as text: a table for people, TSV and JSON for programs.

Each function takes the evaluations of one or more files of sessions by name, all of the same
measures and conventions, and returns the whole text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...text import cells_of, shortened
from ..render import (
    ALL,
    WIDTH,
    Row,
    headings,
    name_of_mean,
    or_none,
    rows_of,
    tab_separated,
    tables,
    wrapped,
)
from .evaluate import SessionEvaluation, written_conventions
from .judgments import SessionConventions

Systems = Mapping[str, SessionEvaluation]

LONGEST_ID = 16  # of a session that is left out
LONGEST_NAME = 24  # of a file, in the notes


def table(systems: Systems, *, per_session: bool = False, digits: int = 4) -> str:
    """Columns of at most 80 characters in all: a row a system, or a table a system and a row a
    session.
    """
    rows = {
        name: _rows(found, name_of_mean(found.sessions if per_session else ()), per_session)
        for name, found in systems.items()
    }
    each = "session" if per_session else None
    header, legend = headings(next(iter(systems.values())).measures)
    blocks = tables(rows, header, digits, "sessions", each)
    return "\n\n".join([*blocks, *legend, "\n".join(_notes(systems))]) + "\n"


def tsv(systems: Systems, *, per_session: bool = False, digits: int | None = None) -> str:
    """Tab-separated: sessions (the file), session ("all" is the mean), then a column a measure."""
    rows = {name: _rows(evaluation, ALL, per_session) for name, evaluation in systems.items()}
    return tab_separated(rows, ["sessions", "session", *_measures(systems)], digits)


def json(systems: Systems, *, per_session: bool = False, **about: Any) -> str:
    """JSON: the definition of each measure, and all numbers as doubles that round-trip.

    A mean that there is not, as no session has a value, is null.
    """
    from json import dumps

    by_system = {name: evaluation.to_dict() for name, evaluation in systems.items()}
    first = next(iter(by_system.values()))
    document = {
        **about,
        "conventions": first["conventions"],
        "measures": first["measures"],
        "systems": [
            {
                "file": name,
                "sessions": found["sessions"],
                "left_out": found["left_out"],
                "mean": {m: or_none(x) for m, x in found["mean"].items()},
            }
            | ({x: found[x] for x in ("queries", "topics", "per_session")} if per_session else {})
            for name, found in by_system.items()
        ],
    }
    return dumps(document, indent=2) + "\n"


def _measures(systems: Systems) -> list[str]:
    return [str(measure) for measure in next(iter(systems.values())).measures]


def _rows(evaluation: SessionEvaluation, mean: str, per_session: bool) -> list[Row]:
    sessions = evaluation.sessions if per_session else ()
    return rows_of(sessions, evaluation.per_session, mean, evaluation.mean)


def _notes(systems: Systems) -> Iterator[str]:
    """What the numbers are the mean of, and what may surprise."""
    first = next(iter(systems.values()))
    counts = sorted({len(found.sessions) for found in systems.values()})
    of = " to ".join(map(str, dict.fromkeys((counts[0], counts[-1]))))
    number = f"{of} {'session' if counts == [1] else 'sessions'}"
    chosen = [f"{name.replace('_', ' ')}: {x}" for name, x in differing(first.conventions).items()]
    yield from wrapped(", ".join([number, *chosen]))
    for name, found in systems.items():
        where = f"{shortened(name, LONGEST_NAME)}: " if len(systems) > 1 else ""
        yield from left_out(where, found.left_out)
        for measure, values in found.per_session.items():
            if missing := len(found.sessions) - len(values):
                yield from wrapped(f"{where}{measure}: {missing} undefined, no part of the mean")


def differing(conventions: SessionConventions) -> dict[str, str]:
    """Whose judgments they are, and the conventions that differ from the default."""
    default = written_conventions(SessionConventions())
    chosen = written_conventions(conventions)
    return {n: x for n, x in chosen.items() if n == "judged_by" or x != default[n]}


def left_out(where: str, found: Mapping[str, str]) -> Iterator[str]:
    """A line on the sessions that are left out, for each reason."""
    for why in dict.fromkeys(found.values()):
        yield _left_out(where, [session for session, x in found.items() if x == why], why)


def _left_out(where: str, sessions: Sequence[str], why: str) -> str:
    """A line on the sessions that are left out, as many of their ids as fit."""
    line, more = f"{where}{len(sessions)} left out ({why}): ", ", ..."
    shown = ""
    for a, session in enumerate(sessions):
        longer = f"{shown}{', ' if a else ''}{shortened(session, LONGEST_ID)}"
        end = "" if a + 1 == len(sessions) else more
        if a and cells_of(line + longer + end) > WIDTH:
            return line + shown + more
        shown = longer
    return line + shown
