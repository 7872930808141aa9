"""What systems are compared on: the same queries, or the same sessions of several queries.

Tests, intervals and effect sizes take a value a unit, whatever that is.

Spec: RS-CMP-23, RS-SES-31
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import InputError, quoted, shown
from ...evaluation.result import Evaluation
from ...evaluation.sessions.result import SessionEvaluation


@dataclass(frozen=True)
class Unit:
    """What has one value of a measure.

    name, plural: what it is called
    result: the class of the evaluations that have such values
    ids: those of an evaluation, in order
    values: {id: value} of an evaluation and the name of a measure, of those that enter the mean
    chosen: the conventions of an evaluation
    """

    name: str
    plural: str
    result: type
    ids: Callable[[Any], Sequence[str]]
    values: Callable[[Any, str], dict[str, float]]
    chosen: Callable[[Any], Any]

    def said(self, text: str) -> str:
        """What is said of queries, said of this unit."""
        return text.replace("queries", self.plural).replace("query", self.name)


def _of_queries(evaluation: Evaluation, measure: str) -> dict[str, float]:
    """The values that the mean is of (RS-CONV-4, RS-CONV-14)."""
    known = next(m for m in evaluation.measures if str(m) == measure)
    if not known.metric.average.linear:
        raise InputError(
            f'measure "{measure}": compare() works on means of differences, but this measure has '
            f"a {known.metric.average.name}; evaluate() gives its value for each run (RS-CONV-53)"
        )
    apart = set(evaluation.apart.get(measure, ()))
    return {q: x for q, x in evaluation.per_query[measure].items() if q not in apart}


QUERY = Unit(
    "query",
    "queries",
    Evaluation,
    lambda x: x.queries,
    _of_queries,
    lambda x: (x.conventions, x.otherwise),
)
SESSION = Unit(
    "session",
    "sessions",
    SessionEvaluation,
    lambda x: x.sessions,
    lambda x, measure: dict(x.per_session[measure]),  # those that are defined (RS-CONV-26)
    lambda x: x.conventions,
)
UNITS = (QUERY, SESSION)


def unit_of(evaluations: Mapping[str, Any]) -> Unit:
    """The unit of all these evaluations; an InputError where there are several, or none."""
    units = {name: _unit(name, evaluation) for name, evaluation in evaluations.items()}
    first = next(iter(units), None)
    if first is None:
        return QUERY
    for name, unit in units.items():
        if unit is not units[first]:
            raise InputError(
                f"systems: {quoted(first)} is evaluated by {units[first].plural}, and "
                f"{quoted(name)} by {unit.plural}"
            )
    return units[first]


def _unit(name: str, evaluation: Any) -> Unit:
    for unit in UNITS:
        if isinstance(evaluation, unit.result):
            return unit
    raise InputError(
        f"evaluations: {quoted(name)}: expected a result of rs.evaluate or rs.evaluate_sessions, "
        f"got {shown(evaluation)}"
    )


DIFFERENT = (
    'if equal ids are different sessions, design="unpaired" (--design unpaired) takes them as such'
)


def check_topics(first: str, a: Any, second: str, b: Any) -> None:
    """An InputError where sessions of one id are of two topics: they are not the same session."""
    if not isinstance(a, SessionEvaluation):
        return
    for session in a.sessions:
        topics = a.topics.get(session), b.topics.get(session)
        if topics[0] != topics[1]:
            one, other = ("without a topic" if x is None else f"of {quoted(x)}" for x in topics)
            raise InputError(
                f"systems: the session {quoted(session)} is {one} for {quoted(first)}, but "
                f"{other} for {quoted(second)}; both systems need the same sessions (RS-SES-31); "
                f"{DIFFERENT}"
            )
