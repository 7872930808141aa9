"""The summands of a sum over ranks, from the equation of the sum itself.

An equation of the reference is read once more, in numbers that remember what they were added up
from: :class:`Summands`, each an unevaluated sum of numbers of another reading. A total, which
begins with 0, keeps what is added to it as further parts. A factor or divisor goes to each part
(the distributive law) and completes the total: with what is added then it is one number. What comes
out is the value in parts, in the order in which the equation adds them up.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...reference.numbers.reals import Exact, Number, Reals


class Summands:
    """A number as the sum of its parts, which are numbers of one reading; `zero` is its 0.

    total: whether it is a total that is still being added up
    """

    __slots__ = ("parts", "total", "zero")

    def __init__(self, parts: list[Number], zero: Number, *, total: bool = False) -> None:
        self.parts = parts
        self.zero = zero
        self.total = total

    @property
    def sum(self) -> Number:
        # Nothing is added to a lone part: some readings have logarithms only to divide by.
        return sum(self.parts[1:], start=self.parts[0]) if self.parts else self.zero

    def __bool__(self) -> bool:
        return bool(self.sum)

    def __neg__(self) -> Summands:
        return self * -1

    def __add__(self, other: Summands | Exact) -> Summands:
        if isinstance(other, Summands):
            if self.total:
                return Summands(self.parts + other.parts, self.zero, total=True)
            return self._of([self.sum + other.sum])
        # A constant is no rank's: the sum with it is one number.
        return self._of([other + self.sum])

    def __radd__(self, other: Exact) -> Summands:
        return Summands(self.parts, self.zero, total=True) if other == 0 else self + other

    def __sub__(self, other: Summands | Exact) -> Summands:
        by = other.sum if isinstance(other, Summands) else other
        return self._of([self.sum - by])

    def __rsub__(self, other: Exact) -> Summands:
        return self._of([other - self.sum])

    def __mul__(self, other: Summands | Exact) -> Summands:
        # Of two sums the second keeps its parts: "the gain, times the discounts of the ranks".
        if isinstance(other, Summands):
            factor = self.sum
            return self._of([factor * part for part in other.parts])
        return self._of([part * other for part in self.parts])

    __rmul__ = __mul__

    def __truediv__(self, other: Summands | Exact) -> Summands:
        by = other.sum if isinstance(other, Summands) else other
        return self._of([part / by for part in self.parts])

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
        return Summands([self.reals.exact(x)] if x else [], self.zero, total=not x)

    def log(self, x: Exact, b: Exact) -> Summands:
        return Summands([self.reals.log(x, b)], self.zero)

    def ln(self, x: Exact) -> Summands:
        return Summands([self.reals.ln(x)], self.zero)

    def exp2(self, x: Exact) -> Summands:
        return Summands([self.reals.exp2(x)], self.zero)

    def power(self, x: Exact, a: Exact) -> Summands:
        return Summands([self.reals.power(x, a)], self.zero)

    def greatest(self, numbers: Sequence[Summands]) -> Summands:
        return Summands([self.reals.greatest([x.sum for x in numbers])], self.zero)

    def inverse_squares(self, x: Exact) -> Summands:
        return Summands([self.reals.inverse_squares(x)], self.zero)

    def sqrt(self, x: Summands) -> Summands:
        return Summands([self.reals.sqrt(x.sum)], self.zero)


def summands(total: Number) -> list[Number]:
    """The parts of a sum that was read so."""
    return total.parts if isinstance(total, Summands) else []
