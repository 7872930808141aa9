"""Find the average of a black box from its answers to several queries. Spec: RS-IDF-3."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from ...reference.numbers.reals import FLOATS
from . import probes
from .asked import Asked
from .choices import BY_NAME
from .definition import Definition, Resolved, resolved
from .inputs import Domain, Input
from .outcomes import NAN, VALUE, Outcome, agrees, value

QUERIES = 3  # of a question
QUESTIONS = 4  # of queries that all have a value
WITH_NOTHING = 3  # of queries in which nothing is relevant


def average(asked: Asked, d: Definition, domain: Domain) -> str:
    """Return the first value of the choice "average" that gives all answers."""
    answers = [(row, asked.ask_together(row)) for row in questions(domain)]
    for name, over_queries in AVERAGES.items():
        predicted = [(over_queries(d, row), answer) for row, answer in answers]
        if answers and all(
            p is not None and agrees(p, answer, asked.precision) for p, answer in predicted
        ):
            return name
    return list(BY_NAME["average"].values)[-1]


def questions(domain: Domain) -> list[tuple[Input, ...]]:
    """Queries that are asked together; the last rows have one in which nothing is relevant."""
    found = probes.ordinary(domain)
    rows = [found[a : a + QUERIES] for a in range(0, QUERIES * QUESTIONS, QUERIES)]
    some = iter(found[QUERIES * QUESTIONS :])
    empty = [x for x in probes.nothing(domain) if not any(map(bool, x.judged))][:WITH_NOTHING]
    rows += [list(filter(None, (next(some, None), x, next(some, None)))) for x in empty]
    return [row for row in (_with_one_cutoff(domain, row) for row in rows) if len(row) > 1]


def _with_one_cutoff(domain: Domain, row: Sequence[Input]) -> tuple[Input, ...]:
    """The queries with the cut-off of one of them, the first that all can have."""
    for k in (x.k for x in row):
        chosen = tuple(replace(x, k=k) for x in row)
        if all(map(domain.takes, chosen)):
            return chosen
    return ()


def _numbers(d: Definition, row: Sequence[Input]) -> list[float] | None:
    """The values of the queries; None where one has none."""
    found = [d.predict(x) for x in row]
    numbers = [x.value for x in found if isinstance(x, Outcome) and x.kind == VALUE]
    return numbers if len(numbers) == len(row) else None


def _mean(d: Definition, row: Sequence[Input]) -> Outcome | None:
    numbers = _numbers(d, row)
    if numbers is None:
        return Outcome(NAN) if any(d.predict(x) == Outcome(NAN) for x in row) else None
    return value(sum(numbers) / len(numbers))


def _mean_of_relevant(d: Definition, row: Sequence[Input]) -> Outcome | None:
    return _mean(d, [x for x in row if any(label >= d.core.rel for label in x.judged)])


def _sum(d: Definition, row: Sequence[Input]) -> Outcome | None:
    numbers = _numbers(d, row)
    return None if numbers is None else value(sum(numbers))


def _ratio_of_sums(d: Definition, row: Sequence[Input]) -> Outcome | None:
    parts = list(_parts(d, row))
    below = sum(divisor for _, divisor in parts)
    if len(parts) < len(row) or not below:
        return None
    return d.written(sum(total for total, _ in parts) / below)


def _parts(d: Definition, row: Sequence[Input]) -> Iterator[tuple[float, float]]:
    """Of each query the numerator and the denominator of its value, where that is a quotient."""
    quotient = None if d.core.metric is None else d.core.metric.quotient
    for x in row if quotient else ():
        found = resolved(d, x)
        if not isinstance(found, Resolved):  # its divisor is 0
            yield 0.0, 0.0
            continue
        m, ranking = d.core.measure(found.k), found.ranking
        assert m is not None  # noqa: S101 - it has a metric
        assert quotient is not None  # noqa: S101
        k = m.depth_of(ranking)
        divisors = [y.reading(m, ranking, k, FLOATS) for y in quotient.divisors]
        yield float(quotient.total(m, ranking, k, FLOATS)), float(prod(divisors))


AVERAGES: Mapping[str, Callable[[Definition, Sequence[Input]], Outcome | None]] = {
    "mean": _mean,
    "mean of the relevant": _mean_of_relevant,
    "sum": _sum,
    "ratio of sums": _ratio_of_sums,
}
"""The function of the queries' values for each value of "average"; None: no number."""
