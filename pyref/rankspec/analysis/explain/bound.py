"""The equation of a bound with its numbers: of its parts, or the closed form of a variance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...metrics.bounds import A, Bound, part_alone, parts_of, spec_of
from ...metrics.breakdown import LinearVariance, VarianceForm
from ...text import short_list
from .numerals import computed, short, wrapped
from .value import ExplainedValue


def equation_of_bound(
    bound: Bound, explained: ExplainedValue, inner: str, digits: int
) -> Iterator[str]:
    """A bound as it follows from its parts, each with its value; inner: what A is."""
    measure, value = explained.measure, explained.value
    yield from _parts(explained, inner, digits)
    form = bound.written(measure, value is not None and value < 0)
    closed_form = bound.closed_form(measure.inner.metric)
    if not form and value is None:
        yield f"{bound.name} is undefined   (RS-CONV-4)"
    elif closed_form and explained.spread and value is not None:
        yield from _variance(explained, closed_form, value, digits)
    elif not form:
        equal = f"{inner} = " if explained.total is not None and not explained.parts else ""
        written = short(value or 0.0, digits)
        yield wrapped(f"{bound.name} = {equal}{written}   ({spec_of(measure)})")
    elif _divides_by_0(bound, explained):
        instead = "is undefined" if value is None else f"= {value:g}"
        spec = measure.metric.spec if value == 0 else "RS-CONV-4"
        yield f"{bound.name} {instead}, as {' - '.join(bound.by(measure))} = 0   ({spec})"
    elif value is not None:
        yield from _of_parts(bound, form, explained, value, digits)


def _parts(explained: ExplainedValue, inner: str, digits: int) -> Iterator[str]:
    """A line for each part, with the command that explains it where no table here does."""
    measure = explained.measure
    for part in parts_of(measure):
        name, _, spec = part
        equal = f"{inner} = " if name == A[0] else ""
        alone = "" if measure.metric.of_pool else part_alone(measure, part)
        hint = f": {_command(alone)}" if alone and short_list(alone) == alone else ""
        yield wrapped(f"{name} = {equal}{short(explained.parts[name], digits)}   ({spec}){hint}")


def _command(measure: str) -> str:
    """The command that explains a measure."""
    quote = '"' if "'" in measure else "'"
    return f"explain -m {quote}{measure}{quote}"


def _of_parts(
    bound: Bound, form: str, explained: ExplainedValue, value: float, digits: int
) -> Iterator[str]:
    """The equation in the names of the parts, and in their numbers."""

    def numbers(digits: int) -> str:
        return re.sub(r"\w+", lambda x: _number(explained.parts, x[0], digits), form)

    case = bound.case(value < 0)
    yield f"{bound.name} = {form}{case and ', '}{case}   ({explained.measure.metric.spec})"
    yield wrapped(f"    = {computed(numbers, value, digits)}", 6)


def _number(parts: Mapping[str, float], name: str, digits: int) -> str:
    return short(parts[name], digits) if name in parts else name


def _divides_by_0(bound: Bound, explained: ExplainedValue) -> bool:
    """Whether a bound divides by 0. UL2 divides by another number where it is below 0."""
    parts, value = explained.parts, explained.value
    upper, *lower = (parts[name] for name in bound.by(explained.measure))
    return upper == sum(lower) and (value is None or value >= 0)


# ---- the variance ------------------------------------------------------------------------


def _variance(
    explained: ExplainedValue, form: VarianceForm, value: float, digits: int
) -> Iterator[str]:
    """The variance as it follows from its closed form."""
    n = explained.documents
    if not isinstance(form, LinearVariance):
        yield _of_square(explained, form.spec, value, digits)
    elif n < 2 or 0 in explained.divisors.values():
        yield f"variance = 0   ({'RS-EXP-20' if n < 2 else 'RS-CONV-4'})"
    else:
        yield from _of_gains(explained, form, value, digits)


def _of_square(explained: ExplainedValue, spec: str, value: float, digits: int) -> str:
    """The mean of the square, less the square of the mean."""
    (square,), (E,) = explained.spread.values(), explained.parts.values()

    def numbers(digits: int) -> str:
        mean = short(E, digits)
        return f"{short(square, digits)} - {mean} * {mean}"

    written = computed(numbers, value, digits)
    return wrapped(f"variance = E[A^2] - E[A]^2 = {written}   ({spec})")


def _of_gains(
    explained: ExplainedValue, form: LinearVariance, value: float, digits: int
) -> Iterator[str]:
    """The variance of the gains, times that of where they are."""
    n, (V, D, D2) = explained.documents, explained.spread.values()
    names = ["V * (n * D2 - D * D) / (n - 1)", *(f"({x})^2" for x in explained.divisors)]

    def numbers(digits: int) -> str:
        d, d2 = short(D, digits), short(D2, digits)
        by = [f"{x} / {x}" for y in explained.divisors.values() for x in [short(y, digits)]]
        spread = f"{short(V, digits)} * ({n} * {d2} - {d} * {d}) / {n - 1}"
        return " / ".join([spread, *by])

    yield wrapped(
        f"V = {short(V, digits)}: the variance of {form.gain_name}, of the n = {n} documents; "
        f"D = {short(D, digits)}, D2 = {short(D2, digits)}: the sums of {form.factor_name} and of "
        "its square"
    )
    yield wrapped(f"variance = {' / '.join(names)}   (RS-EXP-20)")
    yield wrapped(f"    = {computed(numbers, value, digits)}", 6)
