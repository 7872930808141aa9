"""Doubles: the one nearest to a number, and the exact sums and means of them.

They stand apart from ``rankspec.reference.numerics``, which has them too: who asks the core for
values needs these alone. A sum is held as a quotient of whole numbers, n / d.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

TYPE_CHECKING = False  # a mean needs neither fractions nor typing, which take long to load
if TYPE_CHECKING:
    from fractions import Fraction


def nearest_double(x: int | float | Fraction) -> float:
    """The double nearest to x, ties to even; ±infinity beyond the range, as in IEEE 754; +0 for 0.

    Spec: RS-NUM-1
    """
    return _nearest_to(*x.as_integer_ratio())


def _nearest_to(n: int, d: int) -> float:
    try:
        return n / d + 0.0  # a quotient of two integers is correctly rounded; -0.0 becomes 0.0
    except OverflowError:
        return math.inf if n > 0 else -math.inf


def exact_sum(values: Iterable[float]) -> Fraction:
    """The exact sum of finite doubles."""
    from fractions import Fraction

    return Fraction(*_summed(values))


def _summed(values: Iterable[float]) -> tuple[int, int]:
    """The exact sum of finite doubles, as (n, d)."""
    of: dict[int, int] = {}  # the numerators over each divisor, which is a power of two
    for x in values:
        n, d = x.as_integer_ratio()
        of[d] = of.get(d, 0) + n
    unit = max(of, default=1)
    return sum(n * (unit // d) for d, n in of.items()), unit


def mean(values: Iterable[float]) -> float:
    """The double nearest to the exact mean of the given doubles; 0 of none.

    Spec: RS-NUM-5
    """
    values = list(values)
    if len(values) == 1:  # it is its own mean; 0.0 makes 0 of -0, as the others do
        return values[0] + 0.0
    n, d = _summed(values)
    return _nearest_to(n, d * len(values)) if values else 0.0


def part_of_mean(values: Sequence[float]) -> tuple[Fraction, int]:
    """(S, n), the exact sum of n doubles; parts are merged by adding both.

    Spec: RS-NUM-30
    """
    return exact_sum(values), len(values)


def mean_of_parts(S: Fraction, n: int) -> float:
    """The double nearest to S / n; of nothing, NaN.

    Spec: RS-NUM-30
    """
    return nearest_double(S / n) if n else math.nan


def total(values: Iterable[float]) -> float:
    """The double nearest to the exact sum of the given doubles.

    Spec: RS-CONV-53
    """
    return _nearest_to(*_summed(values))
