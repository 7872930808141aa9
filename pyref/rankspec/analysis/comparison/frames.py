"""A comparison as a data frame: a row a measure and pair, or one for each test besides.

Spec: RS-CONV-47
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...evaluation.data_frames import Table
from .found import Compared, Difference, OfMeasure, Tested
from .tests import AnyTest

PROBABILITIES = ("worse", "equal", "better")
"""Of the first system, by the test that has no p-value."""

ENDS = ("low", "high")
"""Of the interval that a test has of the mean difference."""

Row = tuple[OfMeasure, Difference]
Column = Callable[[OfMeasure, Difference], float | None]


def wide(found: Compared) -> Table:
    """A row a measure and pair; of each test its p-values, or the probabilities that it has."""
    rows = _rows(found)
    of_tests = {
        f"{what}_{test.name}": [_number(what, x.tests[test.name]) for _, x in rows]
        for test in found.tests
        for what in _of_test(test, found.design.test)
    }
    by_t = {
        "low": [None if x.interval is None else x.interval[0] for _, x in rows],
        "high": [None if x.interval is None else x.interval[1] for _, x in rows],
    }
    numbers = _numbers(rows) | by_t | of_tests | _effects(rows)
    return Table(_texts(rows), numbers, _counts(found, rows))


def _of_test(test: AnyTest, of_row: str) -> tuple[str, ...]:
    """Return the columns of a test in the wide frame; the row has the interval of one test."""
    if not test.statistic:
        return PROBABILITIES
    ends = ENDS if test.has_interval and test.name != of_row else ()
    return ("p", "corrected_p", *ends)


def long(found: Compared) -> Table:
    """A row a measure, pair and test, with all that is known of it."""
    rows = [(of, x, name) for of, x in _rows(found) for name in x.tests]
    pairs = [(of, x) for of, x, _ in rows]
    tested = [x.tests[name] for _, x, name in rows]
    texts = _texts(pairs) | {
        "test": [name for *_, name in rows],
        "how": [x.outcome.how for x in tested],
        "why": [x.outcome.why for x in tested],
    }
    whats = (*ENDS, "statistic", "df", "p", "corrected_p", *PROBABILITIES)
    of_tests = {what: [_number(what, x) for x in tested] for what in whats}
    return Table(texts, _numbers(pairs) | of_tests | _effects(pairs), _counts(found, pairs))


def _rows(found: Compared) -> list[Row]:
    return [(of, x) for of in found.measures.values() for x in of.differences]


def _texts(rows: Sequence[Row]) -> dict[str, list[str | None]]:
    return {
        "measure": [of.measure for of, _ in rows],
        "first": [x.first for _, x in rows],
        "second": [x.second for _, x in rows],
    }


def _numbers(rows: Sequence[Row]) -> dict[str, list[float | None]]:
    """The means and their difference."""
    columns: dict[str, Column] = {
        "mean_first": lambda of, x: of.systems[x.first].mean,
        "mean_second": lambda of, x: of.systems[x.second].mean,
        "difference": lambda _, x: x.difference,
    }
    return {name: [column(*row) for row in rows] for name, column in columns.items()}


def _effects(rows: Sequence[Row]) -> dict[str, list[float | None]]:
    names = next((list(x.effects) for _, x in rows), [])
    return {name: [x.effects[name] for _, x in rows] for name in names}


def _counts(found: Compared, rows: Sequence[Row]) -> dict[str, list[int]]:
    plural = found.unit.plural
    if not found.design.paired:
        sizes = [(len(of.ids[x.first]), len(of.ids[x.second])) for of, x in rows]
        return {
            plural: [a + b for a, b in sizes],
            f"{plural}_first": [a for a, _ in sizes],
            f"{plural}_second": [b for _, b in sizes],
        }
    return {
        plural: [len(of.queries) for of, _ in rows],
        "wins": [x.wins or 0 for _, x in rows],
        "ties": [x.ties or 0 for _, x in rows],
        "losses": [x.losses or 0 for _, x in rows],
    }


def _number(what: str, tested: Tested) -> float | None:
    outcome = tested.outcome
    worse, equal, better = outcome.probabilities or (None, None, None)
    low, high = outcome.interval or (None, None)
    known = {
        "worse": worse,
        "equal": equal,
        "better": better,
        "low": low,
        "high": high,
        "statistic": outcome.statistic,
        "df": outcome.df,
        "p": outcome.p,
        "corrected_p": tested.corrected,
    }
    return known[what]
