"""Canonical forms: where structure, not more digits, decides an equality.

Every logarithmic discount is a quotient of two logarithms, ln b / ln x with rational b and
x. Write b = γ^f and x = β^e, where γ and β are no perfect powers; then

    ln b / ln x  =  (f/e) · (ln γ / ln β),        and it is rational where β = γ.

So a sum of rational gains times such discounts is a rational combination of 1 and of
ln γ / ln β for the primitive bases β that occur. Gains 2^r - 1 with a fractional r bring
in factors 2^φ with 0 < φ < 1. A :class:`Form` holds the coefficients, exactly:

    Σ  c[β, φ] · 2^φ · ln γ / ln β        (β = None stands for the factor 1).

Two equal forms are equal numbers, and two proportional forms have a rational quotient.
That is all that is used; that unequal forms are unequal numbers is not assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from .reals import Exact


class NoCanonicalForm(ArithmeticError):
    """The operation leads out of the numbers that have a canonical form."""


Key = tuple[Fraction | None, Fraction]
_ONE: Key = (None, Fraction(0))


class Form:
    """The number Σ c[β, φ] · 2^φ · ln γ / ln β."""

    __slots__ = ("coefficients",)

    def __init__(self, coefficients: dict[Key, Fraction]) -> None:
        self.coefficients = {key: c for key, c in coefficients.items() if c}

    @property
    def rational(self) -> Fraction | None:
        """The value, where the form shows that it is rational."""
        if set(self.coefficients) <= {_ONE}:
            return self.coefficients.get(_ONE, Fraction(0))
        return None

    def __bool__(self) -> bool:
        return bool(self.coefficients)

    def __neg__(self) -> Form:
        return Form({key: -c for key, c in self.coefficients.items()})

    def __add__(self, other: Form | Exact) -> Form:
        total = dict(self.coefficients)
        for key, c in _form(other).coefficients.items():
            total[key] = total.get(key, Fraction(0)) + c
        return Form(total)

    __radd__ = __add__

    def __sub__(self, other: Form | Exact) -> Form:
        return self + (-_form(other))

    def __rsub__(self, other: Form | Exact) -> Form:
        return _form(other) - self

    def __mul__(self, other: Form | Exact) -> Form:
        total: dict[Key, Fraction] = {}
        for (beta, phi), c in self.coefficients.items():
            for (beta2, phi2), c2 in _form(other).coefficients.items():
                if beta is not None and beta2 is not None:
                    raise NoCanonicalForm("a product of two logarithmic discounts")
                whole, fraction = divmod(phi + phi2, 1)
                key = (beta2 if beta is None else beta, fraction)
                total[key] = total.get(key, Fraction(0)) + c * c2 * 2**whole
        return Form(total)

    __rmul__ = __mul__

    def __truediv__(self, other: Form | Exact) -> Form:
        divisor = _form(other)
        if not divisor:
            raise ZeroDivisionError("division by zero")
        if divisor.rational is not None:
            return self * (1 / divisor.rational)
        # Proportional forms: every coefficient has the same quotient.
        key, c = next(iter(divisor.coefficients.items()))
        quotient = self.coefficients.get(key, Fraction(0)) / c
        if self.coefficients == (divisor * quotient).coefficients:
            return Form({_ONE: quotient})
        raise NoCanonicalForm("a quotient of two forms that are not proportional")

    def __rtruediv__(self, other: Form | Exact) -> Form:
        return _form(other) / self


class Logarithm:
    """log_b(x), until it is used as a divisor: 1 / log_b(x) is a form, log_b(x) is none."""

    def __init__(self, x: Fraction, b: Fraction) -> None:
        self.x = x
        self.b = b

    def __radd__(self, n: int) -> Logarithm:
        return Logarithm(self.x * self.b**n, self.b)  # n + log_b(x) = log_b(b^n x)

    def __rtruediv__(self, n: Exact) -> Form:
        beta, e = primitive(self.x)
        gamma, f = primitive(self.b)
        key = (None if beta == gamma else beta, Fraction(0))
        return Form({key: Fraction(n) * f / e})


class CanonicalForms:
    """The reals, read as canonical forms."""

    def exact(self, x: Exact) -> Form:
        return _form(x)

    def log(self, x: Exact, b: Exact) -> Logarithm:
        return Logarithm(Fraction(x), Fraction(b))

    def exp2(self, x: Exact) -> Form:
        whole, fraction = divmod(Fraction(x), 1)
        return Form({(None, fraction): Fraction(2) ** whole})

    def greatest(self, numbers: Sequence[Form]) -> Form:
        raise NoCanonicalForm("a comparison")


def _form(x: Form | Exact) -> Form:
    return x if isinstance(x, Form) else Form({_ONE: Fraction(x)})


@cache
def primitive(x: Fraction) -> tuple[Fraction, int]:
    """(β, e) with x = β^e and e as large as it can be, for rational x > 1."""
    for e in range(x.numerator.bit_length() - 1, 1, -1):
        n, d = _root(x.numerator, e), _root(x.denominator, e)
        if n**e == x.numerator and d**e == x.denominator:
            return Fraction(n, d), e
    return x, 1


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
