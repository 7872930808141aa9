"""Means of values, and means in parts, which are merged without a rounding."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from numbers import Real
from typing import Any

from ..compute.arithmetic import standard_arithmetic
from ..compute.foreign_arrays import as_python_number
from ..errors import InputError, items_of, shown
from ..records import record
from ..reference import numerics

UNIT = 1074  # every double is a multiple of 2^-1074
VERSION = 1
_COUNT = 8  # bytes
_HEAD = 1 + _COUNT


@standard_arithmetic
def mean(values: Iterable[float]) -> float:
    """The double nearest to the exact mean of finite doubles; 0 of none. Spec: RS-NUM-5.

    >>> mean([0.1, 0.2, 0.3])
    0.2
    """
    return numerics.mean(finite_doubles(values))


@record()
class PartialMean:
    """The exact sum of some values, and how many there are. Spec: RS-NUM-30.

    Add parts with + and sum(). However the values are divided into parts, and in whatever order the
    parts are added, the mean is the same double as that of rs.mean().

    total: the sum; count: how many values it has

    >>> parts = [PartialMean.of([0.1, 0.2]), PartialMean.of([0.3])]
    >>> sum(parts).mean, PartialMean.from_bytes(bytes(parts[0])) == parts[0]
    (0.2, True)
    """

    total: Fraction = Fraction(0)
    count: int = 0

    @staticmethod
    @standard_arithmetic
    def of(values: Iterable[float]) -> PartialMean:
        """Return the part for these values; InputError if one is no finite double."""
        return PartialMean(*numerics.part_of_mean(finite_doubles(values)))

    @property
    def mean(self) -> float:
        """The double nearest to the exact mean; of no value, NaN."""
        return numerics.mean_of_parts(self.total, self.count)

    def __add__(self, other: object) -> PartialMean:
        if not isinstance(other, PartialMean):
            return NotImplemented
        return PartialMean(self.total + other.total, self.count + other.count)

    def __radd__(self, other: object) -> PartialMean:
        """What sum() begins with is 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    def __bytes__(self) -> bytes:
        """The part as bytes, the same for equal parts (RS-NUM-30(c))."""
        whole = self.total.numerator * ((1 << UNIT) // self.total.denominator)
        size = (whole if whole >= 0 else ~whole).bit_length() // 8 + 1
        head = bytes([VERSION]) + self.count.to_bytes(_COUNT, "little")
        return head + whole.to_bytes(size, "little", signed=True)

    @staticmethod
    def from_bytes(given: bytes) -> PartialMean:
        """Return the part that bytes() encoded; InputError for other bytes."""
        if not isinstance(given, (bytes, bytearray, memoryview)):
            raise InputError(f"given: expected the bytes of a PartialMean, got {shown(given)}")
        held = bytes(given)
        if len(held) <= _HEAD or held[0] != VERSION:
            raise InputError(
                f"given: these {len(held)} bytes are not a PartialMean of version {VERSION} "
                "(RS-NUM-30)"
            )
        count = int.from_bytes(held[1:_HEAD], "little")
        whole = int.from_bytes(held[_HEAD:], "little", signed=True)
        part = PartialMean(Fraction(whole, 1 << UNIT), count)
        if abs(whole) > count * _HIGHEST or bytes(part) != held:
            raise InputError("given: these bytes encode no sum of doubles (RS-NUM-30)")
        return part


_HIGHEST = ((1 << 53) - 1) << (971 + UNIT)  # the greatest double


def finite_doubles(values: Any) -> list[float]:
    """Values as doubles, none changed; an InputError where one is not finite, or is no double."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InputError(f"values: expected a list of numbers, got {shown(values)}")
    return [
        _finite_double(x, a)
        for a, x in enumerate(items_of(values, f"values: {shown(values)} is no list of numbers"))
    ]


def _finite_double(x: Any, position: int) -> float:
    x = as_python_number(x)
    try:
        double = float(x) if isinstance(x, Real) else math.nan
    except OverflowError:
        double = math.nan
    if not math.isfinite(double) or double != x:  # no number, or no double
        raise InputError(
            f"values: the value at position {position} is {shown(x)}; expected a finite double"
        )
    return double
