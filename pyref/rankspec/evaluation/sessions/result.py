"""The result of an evaluation of sessions: its numbers, what they are, and how they print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from ...metrics import grammar
from ...metrics.measure import Measure, named
from ...text import cells_of, short_lists, shortened
from .. import means_over
from ..by_measure import Definition, Meant, OfMeasures
from ..conventions import convention, written_grades
from ..means_over import Evaluated
from ..render import (
    WIDTH,
    ValueRow,
    headings,
    name_beside,
    name_of_mean,
    rows_of,
    tables,
    wrapped,
)
from .judgments import CONVENTIONS, SessionConventions
from .lengths import Lengths, lengths_of

Systems: TypeAlias = "Mapping[str, SessionEvaluation]"
"""The evaluations of one or more files of sessions by name, all of the same measures and
conventions."""

SD = "sd"  # what the row of standard deviations is called
LONGEST_ID = 16  # of a session that is left out
LONGEST_NAME = 24  # of a file, in the notes


@dataclass(frozen=True, repr=False)
class SessionEvaluation(OfMeasures):
    """The values of measures for sessions and their judgments.

    measures: the computed measures; their names are the keys below, and any spelling finds them
    sessions: the ids of the sessions that were evaluated, in order
    queries: {session: how many queries it has}
    topics: {session: its topic}, of those that have one
    per_session: {name of a measure: {session: value}}; a session without a value is left out
    mean: {name of a measure: mean over all sessions with a value} (RS-NUM-5); NaN where none has
    sd: {name of a measure: standard deviation over these sessions} (RS-SES-27); NaN for fewer than
        two
    left_out: {session that was not evaluated: why} (RS-CONV-26)
    conventions: every choice that the measures do not make themselves
    parameters: {parameter: value} used where a measure did not name its own
    warnings: what in the input looks like a mistake (RS-CONV-27)
    """

    measures: tuple[Measure, ...]
    sessions: tuple[str, ...]
    queries: dict[str, int]
    topics: dict[str, str]
    per_session: dict[str, dict[str, float]]
    mean: dict[str, float]
    sd: dict[str, float] = field(compare=False)  # the values say it; NaN equals nothing
    left_out: dict[str, str]
    conventions: SessionConventions
    parameters: Mapping[str, Any] = field(default_factory=dict, compare=False)
    warnings: tuple[str, ...] = field(default=(), compare=False)

    _by_measure = ("per_session", "mean", "sd")

    def __repr__(self) -> str:
        """What it is of, in a line."""
        return f"<SessionEvaluation of {named(self.measures)}; sessions: {len(self.sessions)}>"

    @property
    def lengths(self) -> Lengths:
        """How many queries the sessions have (RS-SES-32)."""
        return lengths_of([self.queries[session] for session in self.sessions])

    def definition(self, name: str) -> Definition:
        """Return the definition of a measure: each convention, with its spec ID."""
        measure = self._measure(name)
        chosen = measure.definition()
        for known in CONVENTIONS:
            if known.name == "pool" and not measure.metric.pool:
                continue
            x = getattr(self.conventions, known.name)
            chosen[known.name] = f"{x}: {known.values[x]} ({known.spec})"
        if grades := written_grades(self.conventions.grades):
            chosen["grades"] = f"{grades} (RS-CONV-25)"
        chosen |= {
            "value": "the double nearest to the real number (RS-NUM-1)",
            "mean": "the double nearest to the exact mean of the values (RS-NUM-5)",
            "sd": "that to the standard deviation, over N - 1, of the values (RS-SES-27)",
        }
        return Definition(chosen)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data for JSON."""
        return {
            "measures": {str(m): dict(self.definition(str(m))) for m in self.measures},
            "conventions": written_conventions(self.conventions),
            "sessions": list(self.sessions),
            "queries": self.queries,
            "topics": self.topics,
            "left_out": self.left_out,
            "mean": dict(self.mean),
            "sd": dict(self.sd),
            "per_session": dict(self.per_session),
        }

    def __str__(self) -> str:
        """A table of the means."""
        return table({"mean": self}).rstrip("\n")

    def _values(self) -> tuple[str, Sequence[str], Mapping[str, Mapping[str, float]]]:
        return "session", self.sessions, self.per_session

    def _noted(self) -> Iterator[str]:
        return _notes({"": self}, sd=False)

    def _meant(self) -> Meant:
        return partial(grammar.measures, defaults=self.parameters)


def table(systems: Systems, *, per_session: bool = False, sd: bool = False, digits: int = 4) -> str:
    """Columns of at most 80 characters in all: a row a system, or a table a system and a row a
    session. sd: the standard deviation too, in a row below the mean, and how many queries the
    sessions have.
    """
    found_rows = {}
    for name, found in systems.items():
        taken = found.sessions if per_session else ()
        found_rows[name] = rows(found, name_of_mean(taken), per_session)
        if sd:
            found_rows[name] += row_of_sd(found, name_beside(SD, taken))
    each = "session" if per_session or sd else None
    header, legend = headings(next(iter(systems.values())).measures)
    blocks = tables(found_rows, header, digits, "sessions", each)
    lines = [line for note in short_lists(_notes(systems, sd)) for line in wrapped(note)]
    return "\n\n".join([*blocks, *legend, "\n".join(lines)]) + "\n"


def rows(evaluation: SessionEvaluation, mean: str, per_session: bool) -> list[ValueRow]:
    """The values of the sessions, where they are asked for, and the means, under that name."""
    sessions = evaluation.sessions if per_session else ()
    return rows_of(sessions, evaluation.per_session, mean, evaluation.mean)


def row_of_sd(evaluation: SessionEvaluation, name: str) -> list[ValueRow]:
    """The standard deviations, under that name."""
    return rows_of((), evaluation.per_session, name, evaluation.sd)


def _notes(systems: Systems, sd: bool) -> Iterator[str]:
    """What the numbers are the mean of, and what may surprise, a text each; sd: the sessions'
    lengths too.
    """
    first = next(iter(systems.values()))
    counted = [
        Evaluated(_where(name, systems), len(found.sessions), found.per_session)
        for name, found in systems.items()
    ]
    number = means_over.number_of(counted, "session", "sessions")
    chosen = [f"{name.replace('_', ' ')}: {x}" for name, x in differing(first.conventions).items()]
    yield ", ".join([number, *chosen])
    for name, found in systems.items():
        where = _where(name, systems)
        if sd and found.sessions:
            yield f"{where}{found.lengths}"
        yield from left_out(where, found.left_out)
    yield from means_over.undefined(counted)


def _where(name: str, systems: Systems) -> str:
    """How a line about a system begins."""
    return f"{shortened(name, LONGEST_NAME)}: " if len(systems) > 1 else ""


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


def written_conventions(conventions: SessionConventions) -> dict[str, str]:
    """The conventions by name, as the command line has them."""
    chosen = {known.name: getattr(conventions, known.name) for known in CONVENTIONS}
    return chosen | {"grades": written_grades(conventions.grades) or convention("grades").unset[0]}
