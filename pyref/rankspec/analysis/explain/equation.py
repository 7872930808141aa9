"""The equation of an explained value with its numbers, which give the value that is shown."""

from __future__ import annotations

from collections.abc import Iterator

from ...metrics.bounds import bound_of
from ...metrics.measure import Divisor, Quotient
from .bound import equation_of_bound
from .numerals import computed, short, summed, wrapped
from .value import ExplainedValue


def equation(explained: ExplainedValue, digits: int) -> Iterator[str]:
    """The value as it follows from the columns."""
    inner = explained.measure.inner.metric
    quotient = inner.quotient
    if explained.total is not None:
        total = _named(explained, quotient.total_name if quotient else inner.name)
        if quotient and inner.of_pool:  # the ideal list is as long as it is
            total = f"{quotient.total_name}@{explained.shown_by_ideal}"
        terms = [row.contribution for row in explained.rows]
        rest = (explained.beyond, inner.breakdown.rest)
        yield summed(total, terms, explained.total, digits, rest=rest)
        if quotient:
            yield from _divisors(explained, quotient, digits)
            yield wrapped(_quotient(explained, _named(explained, inner.name), total, digits))
    if bound := bound_of(explained.measure):
        yield from equation_of_bound(bound, explained, _named(explained, inner.name), digits)
    if explained.left_out:
        yield "the query has no value, as no label of its pool is above 0   (RS-CONV-4)"
    if explained.value is not None:
        yield f"as a double: {explained.value!r}"


def _named(explained: ExplainedValue, name: str) -> str:
    """A total or a metric with its cut-off; in E[] where it is an expectation."""
    k = explained.measure.inner.k
    name = f"{name}@{k}" if k is not None else name
    return f"E[{name}]" if explained.expected else name


def _divisors(explained: ExplainedValue, quotient: Quotient, digits: int) -> Iterator[str]:
    """A line for each divisor."""
    for divisor, (name, x) in zip(quotient.divisors, explained.divisors.items(), strict=True):
        inner = explained.measure.inner
        spec = f"   ({divisor.spec_in(inner)})"
        if divisor.sum_of_ideal(inner) and not explained.measure.metric.of_pool:
            terms = [row.ideal_contribution or 0.0 for row in explained.rows]
            yield summed(name, terms, x, digits, spec)
        elif _is_of_ideal_list(divisor, quotient, explained):
            shown = f"the ideal list shows {explained.shown_by_ideal}"
            yield f"{name} = {short(x, digits)}{spec}: {shown}"
        else:
            yield f"{name} = {short(x, digits)}{spec}"


def _is_of_ideal_list(divisor: Divisor, quotient: Quotient, explained: ExplainedValue) -> bool:
    """Whether a divisor is the value of the ideal list, and no sum over its ranks."""
    last = divisor is quotient.divisors[-1]
    sums = divisor.sum_of_ideal(explained.measure.inner)
    return explained.shown_by_ideal is not None and last and not sums


def _quotient(explained: ExplainedValue, name: str, total: str, digits: int) -> str:
    """The value as the total over the divisors, or why it is 0 or undefined."""
    value = next(iter(explained.parts.values()), explained.value)  # of a bound A, or the mean
    zero = [by for by, x in explained.divisors.items() if x == 0]
    if zero and value != 0:
        instead = "is undefined" if value is None else f"= {value:g}"
        return f"{name} {instead}, as {zero[-1]} = 0 (RS-CONV-4)"
    if zero:
        why = "RS-CONV-4" if explained.retrieved else "RS-CONV-5"
        return f"{name} = 0, as {zero[-1]} = 0 ({why})"
    names = " / ".join([total, *explained.divisors])
    numbers = [explained.total or 0.0, *explained.divisors.values()]

    def written(digits: int) -> str:
        return " / ".join(short(x, digits) for x in numbers)

    return f"{name} = {names} = {computed(written, value or 0.0, digits)}"
