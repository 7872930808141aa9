"""What the equations need of the real numbers, and the plain readings of it.

An equation is written once and read in several kinds of numbers. ``+ - * /`` come with
the numbers themselves; making a number from an input, and the irrational functions of
the spec, come from a :class:`Reals`:

==================  ==========================================  ======================
reading             numbers                                     module
==================  ==========================================  ======================
``FLOATS``          ``float``: fast, uncertified                here
``RATIONALS``       ``Fraction``: exact, no irrational numbers  here
``Enclosures``      intervals of adjustable precision           ``enclosure``
``CanonicalForms``  exact, logarithms as unknowns               ``canonical``
``Symbols``         sympy expressions                           ``rankspec.symbolic``
==================  ==========================================  ======================
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

Number: TypeAlias = Any
"""A number of any reading: float, Fraction, Enclosure, Form or sympy expression."""

Exact: TypeAlias = int | float | Fraction
"""An input. It stands for exactly the number it is; a float is a dyadic rational."""


class Reals(Protocol):
    """A way to compute with real numbers."""

    def exact(self, x: Exact) -> Number:
        """The input ``x`` as a number of this reading."""

    def log(self, x: Exact, b: Exact) -> Number:
        """log_b(x), for x > 0 and b > 1."""

    def ln(self, x: Exact) -> Number:
        """ln x, for x > 0."""

    def exp2(self, x: Exact) -> Number:
        """2^x."""

    def power(self, x: Exact, a: Exact) -> Number:
        """x^a, for x > 0."""

    def greatest(self, numbers: Sequence[Number]) -> Number:
        """The greatest of some numbers of this reading, one at least."""

    def sqrt(self, x: Number) -> Number:
        """The square root of a number of this reading, which is not below 0."""

    def inverse_squares(self, x: Exact) -> Number:
        """1/x² + 1/(x + 1)² + 1/(x + 2)² + ..., the trigamma function, for x > 0."""


class Floats:
    """Double-precision arithmetic: every step rounds, nothing is certified."""

    def exact(self, x: Exact) -> float:
        return float(x)

    def log(self, x: Exact, b: Exact) -> float:
        return math.log2(x) if b == 2 else math.log(x) / math.log(b)

    def ln(self, x: Exact) -> float:
        return math.log(x)

    def exp2(self, x: Exact) -> float:
        return math.exp2(x)

    def power(self, x: Exact, a: Exact) -> float:
        return math.pow(x, a)

    def greatest(self, numbers: Sequence[float]) -> float:
        return max(numbers)

    def sqrt(self, x: float) -> float:
        return math.sqrt(x)

    def inverse_squares(self, x: Exact) -> float:
        y = float(x) + 100  # of which the series below lacks less than an ulp
        first = math.fsum(1 / (float(x) + i) ** 2 for i in range(100))
        return first + 1 / y + 1 / (2 * y**2) + 1 / (6 * y**3) - 1 / (30 * y**5) + 1 / (42 * y**7)


class Rationals:
    """Exact rational arithmetic, for the metrics that need no irrational number."""

    def exact(self, x: Exact) -> Fraction:
        return rational(x)

    def log(self, x: Exact, b: Exact) -> Fraction:  # noqa: ARG002 - as the others have it
        raise ArithmeticError("a logarithm has no exact rational value here")

    def ln(self, x: Exact) -> Fraction:
        if x != 1:
            raise ArithmeticError("a logarithm has no exact rational value here")
        return Fraction(0)

    def exp2(self, x: Exact) -> Fraction:
        exponent = rational(x)
        if exponent.denominator != 1:
            raise ArithmeticError("a power of 2 with a fractional exponent is irrational")
        return Fraction(2) ** exponent.numerator

    def power(self, x: Exact, a: Exact) -> Fraction:
        exponent = rational(a)
        if exponent.denominator != 1:
            raise ArithmeticError("a power with a fractional exponent has no exact value here")
        return rational(x) ** exponent.numerator

    def greatest(self, numbers: Sequence[Fraction]) -> Fraction:
        return max(numbers)

    def sqrt(self, x: Fraction) -> Fraction:
        root = root_of(Fraction(x))
        if root is None:  # numbers have no place in these words: they may have any number of digits
            raise ArithmeticError("a square root is irrational")
        return root

    def inverse_squares(self, x: Exact) -> Fraction:  # noqa: ARG002 - as the others have it
        raise ArithmeticError("an endless sum of inverse squares has no exact rational value here")


def rational(x: Exact) -> Fraction:
    """Return the number as a fraction of Python's integers.

    Fraction(x) keeps an integer of numpy, whose products wrap, as its numerator; and a cache that
    such a fraction enters answers with it for the integer that it equals.
    """
    fraction = Fraction(x)
    if type(fraction.numerator) is int and type(fraction.denominator) is int:
        return fraction
    return Fraction(int(fraction.numerator), int(fraction.denominator))


def root_of(x: Fraction) -> Fraction | None:
    """The square root of x >= 0 where it is rational, else None."""
    n, d = (math.isqrt(part) for part in x.as_integer_ratio())
    return Fraction(n, d) if n * n * x.denominator == x.numerator * d * d else None


FLOATS = Floats()
RATIONALS = Rationals()
