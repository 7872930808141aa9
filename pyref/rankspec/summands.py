"""The summands of a sum over ranks, from the equation of the sum itself.

An equation of the reference is read once more, in numbers that remember what they were added up
from: :class:`Summands`, each an unevaluated sum of numbers of another reading. Adding keeps the
parts of both, a factor or divisor goes to each part (the distributive law). What comes out is the
value, in parts: one a rank, in the order of the ranks, where a rank is what the equation adds up.
"""

from __future__ import annotations

from collections.abc import Sequence

from .reference.reals import Exact, Number, Reals


class Summands:
    """A number as the sum of its parts, which are numbers of one reading; `zero` is its 0."""

    __slots__ = ("parts", "zero")

    def __init__(self, parts: list[Number], zero: Number) -> None:
        self.parts = parts
        self.zero = zero

    @property
    def sum(self) -> Number:
        # Nothing is added to a lone part: some readings have logarithms only to divide by.
        return sum(self.parts[1:], start=self.parts[0]) if self.parts else self.zero

    def __bool__(self) -> bool:
        return bool(self.sum)

    def __add__(self, other: Summands | Exact) -> Summands:
        if isinstance(other, Summands):
            return self._of(self.parts + other.parts)
        # A constant is no rank's: the sum with it is one number.
        return self if other == 0 else self._of([other + self.sum])

    __radd__ = __add__

    def __sub__(self, other: Exact) -> Summands:
        return self + -other

    def __mul__(self, other: Summands | Exact) -> Summands:
        # Of two sums the second keeps its parts: "the gain, times the discounts of the ranks".
        if isinstance(other, Summands):
            factor = self.sum
            return self._of([factor * part for part in other.parts])
        return self._of([part * other for part in self.parts])

    def __truediv__(self, other: Exact) -> Summands:
        return self._of([part / other for part in self.parts])

    def __rtruediv__(self, other: Exact) -> Summands:
        return self._of([other / self.sum])

    def _of(self, parts: list[Number]) -> Summands:
        return Summands(parts, self.zero)


class InSummands:
    """A reading of the reals, with each sum in its parts."""

    def __init__(self, reals: Reals) -> None:
        self.reals = reals
        self.zero = reals.exact(0)

    def exact(self, x: Exact) -> Summands:
        """One part; 0, which every sum begins with, has none."""
        return Summands([self.reals.exact(x)] if x else [], self.zero)

    def log(self, x: Exact, b: Exact) -> Summands:
        return Summands([self.reals.log(x, b)], self.zero)

    def exp2(self, x: Exact) -> Summands:
        return Summands([self.reals.exp2(x)], self.zero)

    def greatest(self, numbers: Sequence[Summands]) -> Summands:
        return Summands([self.reals.greatest([x.sum for x in numbers])], self.zero)

    def sqrt(self, x: Summands) -> Summands:
        return Summands([self.reals.sqrt(x.sum)], self.zero)


def summands(total: Number) -> list[Number]:
    """The parts of a sum that was read so."""
    return total.parts if isinstance(total, Summands) else []
