"""When two expressions are equal: proved by simplification, or refuted by a number.

Rational functions are compared as elements of their field, which decides both.

A claim that is neither proved nor refuted raises. So a check cannot pass because sympy
gave up, and a control cannot be rejected for that reason.
"""

from __future__ import annotations

from fractions import Fraction
from functools import total_ordering

import sympy

from rankspec.symbolic import SYMBOLS

__all__ = ["SYMBOLS", "Positive", "equal", "nonnegative", "positive", "symbols"]


def symbols(names: str) -> tuple[sympy.Symbol, ...]:
    """Positive real symbols."""
    return sympy.symbols(names, positive=True, seq=True)


def equal(a, b) -> bool:
    """Whether two expressions are the same number for all positive values of their symbols."""
    difference = sympy.sympify(a) - sympy.sympify(b)
    if difference.is_Rational:
        return difference == 0
    free = sorted(difference.free_symbols, key=str)
    element = _field_element(difference, free) if free else None
    if element is not None:
        return element == 0
    for shift in range(3):  # three points in general position
        point = {x: sympy.Rational(7 + 4 * j + shift, 3 + 2 * j) for j, x in enumerate(free)}
        if abs(difference.subs(point).evalf(40, chop=True)) > 1e-25:
            return False
    if _simplified(difference) == 0:
        return True
    raise AssertionError(f"neither proved nor refuted: {difference} = 0")


def _field_element(expression: sympy.Expr, generators: list[sympy.Expr]):
    """The expression as a rational function of the generators, or None."""
    try:
        return sympy.field(generators, sympy.QQ)[0].from_expr(expression)
    except ValueError:
        return None


def _simplified(expression: sympy.Expr) -> sympy.Expr:
    """The expression over the logarithms of primes, as one quotient."""
    expanded = expression.replace(sympy.log, lambda x: sympy.expand_log(_log(x), force=True))
    generators = sorted(expanded.free_symbols | expanded.atoms(sympy.log), key=str)
    if generators and _field_element(expanded, generators) == 0:
        return sympy.S.Zero
    return sympy.simplify(sympy.together(sympy.powsimp(sympy.expand(expanded))))


def _log(x: sympy.Expr) -> sympy.Expr:
    if x.is_Integer:
        return sum(e * sympy.log(p) for p, e in sympy.factorint(x).items())
    return sympy.log(sympy.factor(x))


def nonnegative(expression, *parameters) -> bool:
    """Whether a polynomial in nonnegative parameters has no negative coefficient.

    Then it is not negative for any of their values.
    """
    try:
        ring = sympy.ring(parameters, sympy.QQ)[0]
        return all(c >= 0 for c in ring.from_expr(sympy.sympify(expression)).coeffs())
    except ValueError:  # its coefficients are no numbers
        polynomial = sympy.Poly(sympy.expand(expression), *parameters)
        return all(c.is_nonnegative for c in polynomial.coeffs())


@total_ordering
class Positive:
    """A rational function of positive symbols that can be compared, where its sign is plain.

    It is plain where no two coefficients of the numerator differ in sign. Any other comparison
    raises, so that no branch is taken that is not proved. The reference takes these as numbers.
    """

    def __init__(self, field, x):
        self.field, self.x = field, x

    def _of(self, y):
        if isinstance(y, Positive):
            return y.x
        y = Fraction(y)
        return self.field(sympy.QQ(y.numerator, y.denominator))

    def __add__(self, y):
        return Positive(self.field, self.x + self._of(y))

    def __sub__(self, y):
        return Positive(self.field, self.x - self._of(y))

    def __rsub__(self, y):
        return Positive(self.field, self._of(y) - self.x)

    def __mul__(self, y):
        return Positive(self.field, self.x * self._of(y))

    def __truediv__(self, y):
        return Positive(self.field, self.x / self._of(y))

    def __rtruediv__(self, y):
        return Positive(self.field, self._of(y) / self.x)

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self):
        return self if self.sign() >= 0 else 0 - self

    def __eq__(self, y):
        return bool(self.x == self._of(y))

    def __lt__(self, y):
        return (self - y).sign() < 0

    def __hash__(self):
        return hash(self.x)

    def __repr__(self):
        return f"<{self.x}>"

    def sign(self):
        """-1, 0 or 1."""
        above, below = ({1 if c > 0 else -1 for c in part.coeffs()} for part in self._parts())
        if len(above) > 1 or len(below) > 1:
            raise AssertionError(f"the sign is not plain: {self.x}")
        return min(above) * min(below) if above else 0

    def _parts(self):
        return self.x.numer, self.x.denom


def positive(names: str) -> list[Positive]:
    """Positive symbols as numbers that can be compared."""
    field, *generators = sympy.field(names, sympy.QQ)
    return [Positive(field, x) for x in generators]
