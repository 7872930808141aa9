"""Canonical forms: where structure, not more digits, decides an equality.

Every logarithmic discount is a quotient of two logarithms, ln b / ln x with rational b and
x. Write b = γ^f and x = β^e, where γ and β are no perfect powers, and lb for the logarithm to
base 2; then

    ln b / ln x  =  (f/e) · lb(γ) · lb(β)^-1,        and it is rational where β = γ.

So sums and products of rational gains and such discounts are polynomials in the lb(β) and their
inverses (module ``polynomial``). Gains 2^r - 1 with a fractional r bring in factors 2^φ with
0 < φ < 1. A :class:`Form` is a quotient of two polynomials; it is rational where its numerator
is a multiple of its denominator.

Equal forms are equal numbers. That is all that is used: unequal forms are not assumed to be
unequal numbers, and some are not. lb(2·3) = 1 + lb 3 is known in products of two discounts
(module ``logarithms``), but not of three. Whether a number is 0, and which of several is the
greatest, is therefore read from enclosures where it is not an equality of forms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn

from .enclosure import Enclosure, Undecided
from .logarithms import KEPT
from .polynomial import (
    ONE,
    UNIT,
    Base,
    EnclosedPolynomials,
    Monomial,
    NoCanonicalForm,
    Polynomial,
    inverse,
    monomial,
    ratio,
)
from .reals import Exact, rational, root_of

__all__ = ["CanonicalForms", "Form", "Logarithm", "NoCanonicalForm", "primitive"]

PRECISIONS = (32, 128, 2048, 1 << 15)
"""Of the enclosures that are asked. 2^r - 1 of the least double r is above 2^-1075."""


class Form:
    """The number numerator / denominator."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Polynomial, denominator: Polynomial = ONE) -> None:
        if denominator.term and denominator is not ONE:
            numerator, denominator = numerator * inverse(*denominator.term), ONE
        self.numerator = numerator
        self.denominator = denominator

    @property
    def rational(self) -> Fraction | None:
        """The value, where the form shows that it is rational."""
        return ratio(self.numerator, self.denominator)

    def __bool__(self) -> bool:
        """Whether the number is not 0."""
        if self.numerator.positive:
            return True
        value = ratio(self.numerator, ONE)
        if value is not None:
            return value != 0
        for precision in PRECISIONS:
            try:
                return bool(EnclosedPolynomials(precision).enclosure(self.numerator))
            except Undecided:
                pass
        raise NoCanonicalForm("whether a number is 0")

    def __neg__(self) -> Form:
        return self * -1

    def __add__(self, other: Form | Exact) -> Form:
        y = _form(other)
        if self.denominator is y.denominator:
            return Form(self.numerator + y.numerator, self.denominator)
        c = ratio(self.denominator, y.denominator)
        if c is not None:
            return Form(self.numerator + y.numerator * _polynomial(c), self.denominator)
        return Form(
            self.numerator * y.denominator + y.numerator * self.denominator,
            self.denominator * y.denominator,
        )

    __radd__ = __add__

    def __sub__(self, other: Form | Exact) -> Form:
        return self + (-_form(other))

    def __rsub__(self, other: Form | Exact) -> Form:
        return _form(other) - self

    def __mul__(self, other: Form | Exact) -> Form:
        y = _form(other)
        return Form(self.numerator * y.numerator, self.denominator * y.denominator)

    __rmul__ = __mul__

    def __truediv__(self, other: Form | Exact) -> Form:
        if isinstance(other, Root):
            return NotImplemented
        y = _form(other)
        if not y:
            raise ZeroDivisionError("division by zero")
        return Form(self.numerator * y.denominator, self.denominator * y.numerator)

    def __rtruediv__(self, other: Form | Exact) -> Form:
        return _form(other) / self


class Logarithm:
    """log_b(x), until it is used as a divisor: all that the spec needs is 1 / log_b(x)."""

    def __init__(self, x: Fraction, b: Fraction) -> None:
        self.x = x
        self.b = b

    def __radd__(self, n: int) -> Logarithm:
        return Logarithm(self.x * self.b**n, self.b)  # n + log_b(x) = log_b(b^n x)

    def __rtruediv__(self, n: Exact) -> Form:
        beta, e = primitive(self.x)
        gamma, f = primitive(self.b)
        powers = ((gamma, 1), (beta, -1)) if beta != gamma else ()
        known = tuple(sorted((base, power) for base, power in powers if base != 2))  # lb 2 = 1
        return Form(monomial(Monomial(0, known), Fraction(n) * f / e))


class Root:
    """√x, which is not known to be rational, until it is used as a divisor.

    y / √x is rational only where its square, y²/x, is; and that has a form. So a root such as that
    of (1 - d)², of a square that was multiplied out, need not be found. Nothing else that is made
    of the root has a form.
    """

    def __init__(self, x: Form) -> None:
        self.x = x

    def __rtruediv__(self, y: Form | Exact) -> Form:
        above = _form(y)
        square = (above * above / self.x).rational
        root = None if square is None else root_of(square)
        if root is None:
            raise NoCanonicalForm("a square root")
        return _form(-root if root and _is_negative(above) else root)

    def _no_form(self, *_: object) -> NoReturn:
        raise NoCanonicalForm("a square root")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _no_form


class CanonicalForms:
    """The reals, read as canonical forms."""

    def exact(self, x: Exact) -> Form:
        return _form(x)

    def log(self, x: Exact, b: Exact) -> Logarithm:
        return Logarithm(rational(x), rational(b))

    def ln(self, x: Exact) -> Form:
        if x != 1:
            raise NoCanonicalForm("a natural logarithm")
        return _form(0)

    def exp2(self, x: Exact) -> Form:
        whole, phi = divmod(rational(x), 1)
        return Form(monomial(Monomial(phi, ()), Fraction(2) ** whole))

    def power(self, x: Exact, a: Exact) -> Form:
        exponent = rational(a)
        if exponent.denominator != 1:
            raise NoCanonicalForm("a power with a fractional exponent")
        return _form(rational(x) ** exponent.numerator)

    def greatest(self, numbers: Sequence[Form]) -> Form:
        """Enclosures tell which are surely smaller; those that are left must be equal forms."""
        left = list(numbers)
        for precision in PRECISIONS:
            left = list(_not_smaller(left, EnclosedPolynomials(precision)))
            if all(_equal(left[0], x) for x in left[1:]):
                return left[0]
        raise NoCanonicalForm("a comparison")

    def inverse_squares(self, x: Exact) -> Form:  # noqa: ARG002 - as the others have it
        raise NoCanonicalForm("an endless sum of inverse squares")

    def sqrt(self, x: Form) -> Form | Root:
        value = x.rational
        root = None if value is None else root_of(value)
        return Root(x) if root is None else _form(root)


def _is_negative(x: Form) -> bool:
    """Whether a number that is not 0 is below 0."""
    for precision in PRECISIONS:
        try:
            value = _enclosure(x, EnclosedPolynomials(precision))
            if value:
                return value.hi < 0
        except Undecided:
            pass
    raise NoCanonicalForm("the sign of a number")


def _not_smaller(numbers: Sequence[Form], enclosed: EnclosedPolynomials) -> Iterator[Form]:
    """The numbers that are not surely smaller than another one."""
    try:
        values = [_enclosure(x, enclosed) for x in numbers]
    except Undecided:  # of a divisor that this precision does not tell from 0
        return iter(numbers)
    bound = max(value.lower for value in values)
    return (x for x, value in zip(numbers, values, strict=True) if value.upper >= bound)


def _enclosure(x: Form, enclosed: EnclosedPolynomials) -> Enclosure:
    return enclosed.enclosure(x.numerator) / enclosed.enclosure(x.denominator)


def _equal(x: Form, y: Form) -> bool:
    a, b = x.numerator * y.denominator, y.numerator * x.denominator
    return (bool(b) and ratio(a, b) == 1) or (ratio(a, ONE) == 0 and ratio(b, ONE) == 0)


def _form(x: Form | Root | Exact) -> Form:
    if isinstance(x, Root):
        raise NoCanonicalForm("a square root")
    return x if isinstance(x, Form) else Form(_polynomial(rational(x)))


def _polynomial(x: Fraction) -> Polynomial:
    return monomial(UNIT, x)


@lru_cache(maxsize=KEPT)
def primitive(x: Fraction) -> tuple[Base, int]:
    """(β, e) with x = β^e and e as large as it can be, for rational x > 1."""
    n, d = x.as_integer_ratio()
    for e in range(n.bit_length() - 1, 1, -1):
        root_n, root_d = _root(n, e), _root(d, e)
        if root_n**e == n and root_d**e == d:
            return _quotient(root_n, root_d), e
    return _quotient(n, d), 1


def _quotient(n: int, d: int) -> Base:
    return n if d == 1 else Fraction(n, d)  # an int is looked up many times faster


def _root(n: int, e: int) -> int:
    """The integer part of the e-th root of n."""
    lo, hi = 1, 1 << -(-n.bit_length() // e)
    while lo < hi:
        middle = (lo + hi + 1) // 2
        if middle**e <= n:
            lo = middle
        else:
            hi = middle - 1
    return lo
