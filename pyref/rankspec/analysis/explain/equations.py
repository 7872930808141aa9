"""The equation of an explained value with its numbers, which give the value that is shown."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ...evaluation import render
from ...metrics.bounds import Bound, bound_named, parts_of, spec_of
from ...metrics.measure import Measure, Quotient

if TYPE_CHECKING:
    from .explanation import Explanation

MOST_DIGITS = 17  # of a double
SMALL, LARGE = 1e-5, 1e9  # from and up to which a number is written without an exponent


def equation(explanation: Explanation, digits: int) -> Iterator[str]:
    """The value as it follows from the columns."""
    metric, inner = explanation.measure.metric, explanation.measure.inner
    quotient, k = inner.metric.quotient, inner.k

    def named(name: str) -> str:
        name = f"{name}@{k}" if k is not None else name
        return f"E[{name}]" if explanation.expected else name

    if explanation.total is not None:
        total = named(quotient.total_name if quotient else inner.metric.name)
        if quotient and inner.metric.of_pool:  # the ideal list is as long as it is
            total = f"{quotient.total_name}@{explanation.shown_by_ideal}"
        terms = [row.contribution for row in explanation.rows]
        yield _sum(total, terms, explanation.total, digits, beyond=explanation.beyond)
        if quotient:
            yield from _divisors(explanation, quotient, digits)
            yield wrapped(_quotient(explanation, named(inner.metric.name), total, digits))
    if metric.of is not None:
        yield from _bound(explanation, named(inner.metric.name), digits)
    if explanation.left_out:
        yield "the query has no value, as no label of its pool is above 0   (RS-CONV-4)"
    if explanation.value is not None:
        yield f"as a double: {explanation.value!r}"


def _bound(explanation: Explanation, inner: str, digits: int) -> Iterator[str]:
    """A bound as it follows from its parts, each with its value."""
    measure, value, parts = explanation.measure, explanation.value, explanation.parts
    bound = bound_named(measure.metric.bound)
    for name, _, spec in parts_of(measure):
        equal = f"{inner} = " if name == "A" else ""
        here = name == "A" or measure.metric.of_pool or _by_formula(spec)
        hint = "" if here else f": {_to_see(name, measure)}"
        yield wrapped(f"{name} = {equal}{_short(parts[name], digits)}   ({spec}){hint}")
    form = bound.written(measure, value is not None and value < 0)
    if not form and value is None:
        yield f"{bound.name} is undefined   (RS-CONV-4)"
    elif explanation.spread and value is not None:
        yield from _variance(explanation, value, digits)
    elif not form:
        equal = f"{inner} = " if explanation.total is not None and not parts else ""
        written = _short(value or 0.0, digits)
        yield wrapped(f"{bound.name} = {equal}{written}   ({spec_of(measure)})")
    elif _divides_by_0(bound, explanation):
        instead = "is undefined" if value is None else f"= {value:g}"
        spec = measure.metric.spec if value == 0 else "RS-CONV-4"
        yield f"{bound.name} {instead}, as {' - '.join(bound.by(measure))} = 0   ({spec})"
    elif value is not None:

        def numbers(digits: int) -> str:
            return re.sub(r"\w+", lambda x: _part(parts, x[0], digits), form)

        case = f", as A {'<' if value < 0 else '>='} RLB" if bound.name == "UL2" else ""
        yield f"{bound.name} = {form}{case}   ({measure.metric.spec})"
        yield wrapped(f"    = {_computed(numbers, value, digits)}", 6)


def _by_formula(spec: str) -> bool:
    """Whether a part is a formula of a paper, and the value of no order."""
    return spec in ("RS-BND-9", "RS-BND-10")


def _to_see(bound: str, measure: Measure) -> str:
    """The command that explains a part."""
    name = f"{bound}({measure.inner})"
    quote = '"' if "'" in name else "'"
    return f"explain -m {quote}{name}{quote}"


def _variance(explanation: Explanation, value: float, digits: int) -> Iterator[str]:
    """The variance as it follows from its closed form."""
    metric, found = explanation.measure.inner.metric, explanation.spread
    n = explanation.documents
    if "E[A^2]" in found:
        spec = "RS-EXP-22" if metric.name == "RR" else "RS-EXP-21"
        E = explanation.parts["RLB"]

        def numbers(digits: int) -> str:
            return "{} - {mean} * {mean}".format(
                _short(found["E[A^2]"], digits), mean=_short(E, digits)
            )

        written = _computed(numbers, value, digits)
        yield wrapped(f"variance = E[A^2] - E[A]^2 = {written}   ({spec})")
    elif n < 2 or 0 in explanation.divisors.values():
        yield f"variance = 0   ({'RS-EXP-20' if n < 2 else 'RS-CONV-4'})"
    else:
        names = ["V * (n * D2 - D * D) / (n - 1)", *(f"({x})^2" for x in explanation.divisors)]
        V, D, D2 = found.values()

        def numbers(digits: int) -> str:
            d, d2 = _short(D, digits), _short(D2, digits)
            by = [f"{x} / {x}" for y in explanation.divisors.values() for x in [_short(y, digits)]]
            spread = f"{_short(V, digits)} * ({n} * {d2} - {d} * {d}) / {n - 1}"
            return " / ".join([spread, *by])

        what = "rel" if metric.binary else "gain"
        factor = "weight" if "p" in metric.parameters else "disc"
        factor = factor if "discount" in metric.parameters or factor == "weight" else "1"
        yield wrapped(
            f"V = {_short(V, digits)}: the variance of {what}, of the n = {n} documents; "
            f"D = {_short(D, digits)}, D2 = {_short(D2, digits)}: the sums of {factor} and of its "
            "square"
        )
        yield wrapped(f"variance = {' / '.join(names)}   (RS-EXP-20)")
        yield wrapped(f"    = {_computed(numbers, value, digits)}", 6)


def _divides_by_0(bound: Bound, explanation: Explanation) -> bool:
    """Whether a bound divides by 0. UL2 divides by another number where it is below 0."""
    parts, value = explanation.parts, explanation.value
    upper, *lower = (parts[name] for name in bound.by(explanation.measure))
    return upper == sum(lower) and (value is None or value >= 0)


def _part(parts: Mapping[str, float], name: str, digits: int) -> str:
    return _short(parts[name], digits) if name in parts else name


def _divisors(explanation: Explanation, quotient: Quotient, digits: int) -> Iterator[str]:
    """A line for each divisor."""
    for divisor, (name, x) in zip(quotient.divisors, explanation.divisors.items(), strict=True):
        spec = f"   ({divisor.spec})"
        if divisor.sum_of_ideal and not explanation.measure.metric.of_pool:
            terms = [row.ideal_contribution or 0.0 for row in explanation.rows]
            yield _sum(name, terms, x, digits, spec)
        elif (
            quotient.shown_by_ideal
            and not divisor.sum_of_ideal
            and divisor is quotient.divisors[-1]
        ):
            shown = f"the ideal list shows {explanation.shown_by_ideal}"
            yield f"{name} = {_short(x, digits)}{spec}: {shown}"
        else:
            yield f"{name} = {_short(x, digits)}{spec}"


def _quotient(explanation: Explanation, name: str, total: str, digits: int) -> str:
    """The value as the total over the divisors, or why it is 0 or undefined."""
    value = explanation.value
    if explanation.measure.metric.of is not None:
        value = next(iter(explanation.parts.values()), value)  # A, or of the variance the mean
    zero = [by for by, x in explanation.divisors.items() if x == 0]
    if zero and value != 0:
        instead = "is undefined" if value is None else f"= {value:g}"
        return f"{name} {instead}, as {zero[-1]} = 0 (RS-CONV-4)"
    if zero:
        why = "RS-CONV-4" if explanation.retrieved else "RS-CONV-5"
        return f"{name} = 0, as {zero[-1]} = 0 ({why})"
    names = " / ".join([total, *explanation.divisors])
    numbers = [explanation.total or 0.0, *explanation.divisors.values()]

    def written(digits: int) -> str:
        return " / ".join(_short(x, digits) for x in numbers)

    return f"{name} = {names} = {_computed(written, value or 0.0, digits)}"


def _computed(written: Callable[[int], str], value: float, digits: int) -> str:
    """An expression in numbers with its value, and as many digits as it takes to get that from
    them; no number has fewer than those asked for.
    """
    style = _style(value, digits)
    for more in range(digits, MOST_DIGITS + 1):
        with suppress(ArithmeticError):
            if format(_calculated(written(more)), style) == format(value, style):
                return f"{written(more)} = {_short(value, digits)}"
    return f"{written(digits)} = {_short(value, digits)}"


def _calculated(expression: str) -> float:
    """What an expression in numbers comes to, as who reads it would calculate it."""
    names = {"__builtins__": {}, "sqrt": math.sqrt, "inf": math.inf}
    return float(eval(expression, names))  # noqa: S307 - written here, of our own numbers


def _sum(
    name: str,
    terms: Sequence[float],
    total: float,
    digits: int,
    spec: str = "",
    beyond: float | None = None,
) -> str:
    """A sum with its terms, those in the middle left out where there are many.

    beyond: a term that is no rank's
    """
    written = [_short(x, digits) for x in terms if x]
    if beyond:
        written.append(f"{_short(beyond, digits)} below")
    end = f" = {_short(total, digits)}" * (len(written) != 1) + spec
    begin = f"{name} = "
    if not written:
        return f"{name} = 0{spec}"
    line = begin + " + ".join(written) + end
    while len(line) > render.WIDTH and len(written) > 2:
        del written[-2]
        line = begin + " + ".join([*written[:-1], "...", written[-1]]) + end
    return wrapped(line)


def _short(x: float, digits: int) -> str:
    """A number of an equation: whole, or so many decimals, or of a small one so many digits."""
    return f"{x:.0f}" if is_whole(x) and abs(x) < LARGE else format(x, _style(x, digits))


def _style(x: float, digits: int) -> str:
    """How a number that is not whole is written."""
    size = abs(x)
    if size >= LARGE:
        return f".{max(digits, 1)}e"
    if not digits or not x:
        return f".{digits}f"
    if size < SMALL:
        return f".{digits - 1}e"
    return f".{max(digits, digits - 1 - math.floor(math.log10(size)))}f"


def decimal(x: float, digits: int) -> str:
    return f"{x:.{digits}f}" if abs(x) < LARGE else f"{x:.{max(digits, 1)}e}"


def is_whole(x: float) -> bool:
    return x == x // 1


def wrapped(line: str, indent: int = 4) -> str:
    return "\n".join(render.wrapped(line, " " * indent))
