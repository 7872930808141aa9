"""Recognises whether systems have the same sessions, or each its own.

Spec: RS-SES-31
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from ...errors import InputError, check_known, listed, quoted
from .found import StudyDesign
from .tests import BY_NAME, UNPAIRED_BY_NAME, AnyTest
from .units import DIFFERENT, SESSION, Unit, check_topics

DESIGNS = ("paired", "unpaired")
DEFAULT_TESTS = {"paired": ("t", "randomisation"), "unpaired": ("welch", "stratified")}
MOST_NAMED = 3  # queries in a message


def study_design(unit: Unit, evaluations: Mapping[str, Any], chosen: str | None) -> StudyDesign:
    """Return the design of the study, by which sessions the systems have in common.

    chosen: "paired" or "unpaired"; None: it is recognised

    An InputError says which sessions keep it from being either.
    """
    if chosen is not None:
        check_known("design", chosen, DESIGNS)
    if chosen == "unpaired":
        if unit is not SESSION:
            raise InputError(
                f'design: "unpaired" is for sessions; systems on {unit.plural} are compared on '
                f"the same {unit.plural} (RS-CMP-23)"
            )
        return StudyDesign("unpaired", "as chosen: each system has sessions of its own")
    ids = {name: set(unit.ids(evaluation)) for name, evaluation in evaluations.items()}
    if chosen is None and unit is SESSION and not _same(ids):
        return StudyDesign("unpaired", "no session is in two systems")
    _check_same_sessions(unit, evaluations, ids)
    return StudyDesign("paired", f"all systems have the same {unit.plural}")


def _check_same_sessions(
    unit: Unit, evaluations: Mapping[str, Any], ids: Mapping[str, set[str]]
) -> None:
    """An InputError where not all systems have the same queries, or sessions of two topics."""
    first, *others = evaluations
    for name in others:
        where = f"systems: {quoted(first)} and {quoted(name)}"
        check_same(unit, where, first, ids[first], name, ids[name])
        check_topics(first, evaluations[first], name, evaluations[name])


def _same(ids: Mapping[str, set[str]]) -> bool:
    """True where all have the same sessions, False where no two share one; else an InputError."""
    same: list[tuple[str, str]] = []
    apart: list[tuple[str, str]] = []
    for two in combinations(ids, 2):
        one, other = (ids[name] for name in two)
        if one != other and one & other:
            raise InputError(_some_shared(two, one, other))
        (same if one == other else apart).append(two)
    if same and apart:
        raise InputError(
            f"systems: {_both(same[0])} have the same sessions, but {_both(apart[0])} share none; "
            f"{EITHER}"
        )
    return bool(same)


def _some_shared(two: tuple[str, str], one: set[str], other: set[str]) -> str:
    only = next((name, x) for name, x in zip(two, (one - other, other - one), strict=True) if x)
    return (
        f"systems: {_both(two)} share {_sessions(one & other)}, but only {quoted(only[0])} has "
        f"{_some(only[1])}; {EITHER}"
    )


EITHER = (
    "systems are compared on the same sessions, or each on its own sessions (RS-SES-31); "
    f"{DIFFERENT}"
)


def _both(two: Sequence[str]) -> str:
    return " and ".join(map(quoted, two))


def _sessions(shared: set[str]) -> str:
    return f"the session {_some(shared)}" if len(shared) == 1 else f"{len(shared)} sessions"


def _some(ids: set[str]) -> str:
    more = f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else ""
    return f"{listed(sorted(ids)[:MOST_NAMED])}{more}"


def check_same(unit: Unit, where: str, first: str, a: set[str], second: str, b: set[str]) -> None:
    """An InputError where two systems, of these names, have values for different queries."""
    for name, only in ((first, a - b), (second, b - a)):
        if only:
            raise InputError(
                f"{where}: only {quoted(name)} has {_some(only)}; "
                f"systems can be compared only on the same {unit.plural} (RS-CMP-23)"
            )


def check_tests(tests: Sequence[AnyTest], design: StudyDesign, unit: Unit) -> None:
    """An InputError where a test is not one of this design."""
    known = BY_NAME if design.paired else UNPAIRED_BY_NAME
    for test in tests:
        if test.name not in known:
            needs = "the same" if test.paired else "different"
            raise InputError(
                f"tests: {quoted(test.name)} needs {needs} {unit.plural} in all systems, but the "
                f"design is {design.name}: {design.why}; expected one of {listed(tuple(known))} "
                "(RS-SES-31)"
            )
