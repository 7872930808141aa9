"""When two expressions are equal: proved by simplification, or refuted by a number.

A claim that is neither proved nor refuted raises. So a check cannot pass because sympy
gave up, and a control cannot be rejected for that reason.
"""

from __future__ import annotations

import sympy

from rankspec.symbolic import SYMBOLS

__all__ = ["SYMBOLS", "equal", "nonnegative", "symbols"]


def symbols(names: str) -> tuple[sympy.Symbol, ...]:
    """Positive real symbols."""
    return sympy.symbols(names, positive=True, seq=True)


def equal(a, b) -> bool:
    """Whether two expressions are the same number for all positive values of their symbols."""
    difference = sympy.sympify(a) - sympy.sympify(b)
    free = sorted(difference.free_symbols, key=str)
    for shift in range(3):  # three points in general position
        point = {x: sympy.Rational(7 + 4 * j + shift, 3 + 2 * j) for j, x in enumerate(free)}
        if abs(difference.subs(point).evalf(40, chop=True)) > 1e-25:
            return False
    if _simplified(difference) == 0:
        return True
    raise AssertionError(f"neither proved nor refuted: {difference} = 0")


def _simplified(expression: sympy.Expr) -> sympy.Expr:
    """The expression over the logarithms of primes, as one quotient."""
    expanded = expression.replace(sympy.log, lambda x: sympy.expand_log(_log(x), force=True))
    return sympy.simplify(sympy.together(sympy.powsimp(sympy.expand(expanded))))


def _log(x: sympy.Expr) -> sympy.Expr:
    if x.is_Integer:
        return sum(e * sympy.log(p) for p, e in sympy.factorint(x).items())
    return sympy.log(sympy.factor(x))


def nonnegative(expression, *parameters) -> bool:
    """Whether a polynomial in nonnegative parameters has no negative coefficient.

    Then it is not negative for any of their values.
    """
    polynomial = sympy.Poly(sympy.expand(expression), *parameters)
    return all(c.is_nonnegative for c in polynomial.coeffs())
