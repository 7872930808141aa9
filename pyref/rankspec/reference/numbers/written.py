"""Canonical forms in writing: ``2 + 1/log2(3)``, ``(3 + 2/log2(3))/(3 + 3/log2(3))``.

Bases are no perfect powers, so that a reader sees which logarithms are the same; ``^`` is a power.
"""

from __future__ import annotations

from operator import add

from .canonical import Form
from .polynomial import Monomial, Polynomial, Terms

MOST_TERMS = 24
MOST_CHARACTERS = 800
DEEPEST = 50
"""What is longer, or is made of deeper products of sums, is not written."""


def written(form: Form) -> str | None:
    """The number in writing; None where that would be longer than a reader takes in."""
    rational = form.rational
    if rational is not None:
        most = 10**MOST_CHARACTERS
        short = max(map(abs, rational.as_integer_ratio())) < most
        return str(rational) if short else None
    above, below = (_few_terms(x) for x in (form.numerator, form.denominator))
    if above is None or below is None:
        return None
    text = _sum(above)
    if below != {Monomial(0, ()): 1}:
        text = f"({text})/({_sum(below)})"
    return text if len(text) <= MOST_CHARACTERS else None


def _few_terms(x: Polynomial) -> Terms | None:
    return x.terms() if _bound(x, DEEPEST) <= MOST_TERMS else None


def _bound(x: Polynomial, deep: int) -> int:
    """How many terms there are at most, multiplied out, where they are no more than MOST_TERMS."""
    if x.term:
        return 1
    if not deep:
        return MOST_TERMS + 1
    if x.operation is add:
        summands = x.operands(add)
        if all(part.term for part in summands):  # of which many may be one
            return len(x.terms())
        return sum(_bound(part, deep - 1) for part in summands[: MOST_TERMS + 1])
    a, b = x.parts
    return _bound(a, deep - 1) * _bound(b, deep - 1)


def _sum(terms: Terms) -> str:
    ordered = sorted(terms, key=lambda m: (len(m.powers), m.powers, m.phi))
    text = ""
    for m in ordered:
        c = terms[m]
        sign = (" - " if c < 0 else " + ") if text else ("-" if c < 0 else "")
        text += sign + _term(m, *abs(c).as_integer_ratio())
    return text


def _term(m: Monomial, n: int, d: int) -> str:
    """n/d · 2^φ · Π lb(β)^e."""
    above = [f"2^({m.phi})"] if m.phi else []
    above += [_power(f"log2({beta})", e) for beta, e in m.powers if e > 0]
    below = [_power(f"log2({beta})", -e) for beta, e in m.powers if e < 0]
    above = [str(n), *above] if n != 1 or not above else above
    below = [str(d), *below] if d != 1 else below
    divisor = "*".join(below)
    if not below:
        return "*".join(above)
    return f"{'*'.join(above)}/({divisor})" if len(below) > 1 else f"{'*'.join(above)}/{divisor}"


def _power(base: str, e: int) -> str:
    return base if e == 1 else f"{base}^{e}"
