"""What a table says of undefined values: over how many queries, or sessions, each mean is.

Spec: RS-CONV-4
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isnan

from ..typed import NamedTuple, TypeVar

T = TypeVar("T")

C = TypeVar("C")


class Evaluated(NamedTuple):
    """What is counted of a run.

    where: how a line about it begins; total: how many queries are evaluated
    values: {name of a measure: {query: value}}, without the queries that have none
    apart: {name of a measure: queries whose values have no part in the mean}
    """

    where: str
    total: int
    values: Mapping[str, Mapping[str, float]]
    apart: Mapping[str, Sequence[str]] = {}

    @property
    def counts(self) -> dict[str, tuple[int, int]]:
        """Of each measure, how many values there are not, and how many the mean is of."""
        return {
            measure: (self.total - len(own), len(own) - len(self.apart.get(measure, ())))
            for measure, own in self.values.items()
        }

    @property
    def nan(self) -> dict[str, int]:
        """Of each measure, how many values are NaN."""
        return {measure: sum(map(isnan, own.values())) for measure, own in self.values.items()}


def number_of(runs: Sequence[Evaluated], one: str, several: str) -> str:
    """How many queries there are; and of how many of them the means are, where that is one number.

    one, several: "query" and "queries", or "session" and "sessions"
    """
    totals = {run.total for run in runs}
    over = {of_mean for run in runs for _, of_mean in run.counts.values()}
    number = " to ".join(map(str, sorted({min(totals), max(totals)})))
    if len(totals) == len(over) == 1 and over != totals:
        number = f"{min(over)} of {number}"
    return f"{number} {one if totals == {1} else several}"


def undefined(runs: Sequence[Evaluated]) -> Iterator[str]:
    """Of which values there are none, once where it is so in all runs; and of what the means are
    then, where they are not of the same queries.
    """
    for where, (total, counts) in _once([(x.where, (x.total, x.counts)) for x in runs]):
        groups = _by_count(counts)
        for (missing, of_mean), measures in groups.items():
            mean = "the mean" if len(measures) == 1 else "the means"
            over = f"{mean} {'is' if len(measures) == 1 else 'are'} over"
            names = ", ".join(measures)
            if len(groups) > 1 and missing:
                yield f"{where}{names}: {missing} undefined, {over} {of_mean} of {total}"
            elif len(groups) > 1 and of_mean == total:
                yield f"{where}{names}: {over} all {total}"
            elif missing:
                names = names if len(measures) == 1 else "every measure"
                yield f"{where}{names}: {missing} undefined, no part of {mean}"


def nan(runs: Sequence[Evaluated]) -> Iterator[str]:
    """Which values are NaN, and so the means, once where it is so in all runs."""
    for where, counts in _once([(x.where, x.nan) for x in runs]):
        for number, measures in _by_count(counts).items():
            if number:
                mean = "the mean" if len(measures) == 1 else "the means"
                yield f"{where}{', '.join(measures)}: {number} undefined, and so {mean}"


def _once(found: Sequence[tuple[str, T]]) -> Sequence[tuple[str, T]]:
    """What is found of each run; of all of them, where it is the same."""
    first = found[0][1]
    return [("", first)] if all(x == first for _, x in found) else found


def _by_count(counts: Mapping[str, C]) -> dict[C, list[str]]:
    """The measures of each count, in their order."""
    found: dict[C, list[str]] = {}
    for measure, count in counts.items():
        found.setdefault(count, []).append(measure)
    return found
