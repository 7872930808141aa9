"""Polynomials in logarithms, which are multiplied out only where nothing cheaper decides.

With lb for the logarithm to base 2, a :class:`Polynomial` is a sum of terms

    c · 2^φ · Π lb(β)^e        c rational, 0 <= φ < 1, whole exponents e of either sign,

over rational bases β > 1 that are no perfect powers, 2 excepted (lb 2 = 1). The powers of two and
the logarithms of primes are treated as unknowns of which only 2^φ · 2^ψ = 2^(φ+ψ) is known. So
equal polynomials are equal numbers; equal numbers need not be equal polynomials.

A polynomial is kept as the sum or the product that it was made as. Written out, a product of two
sums of 1,000 terms has 10^6; whether one polynomial is a multiple of another is therefore asked

1.  of their *residues*: the values at two points in the whole numbers modulo a prime. Taking
    residues keeps sums and products, so a = c·b would carry over, and its failure is a proof.
    Nearly all polynomials that are no multiples are told apart here.
2.  of their factors, one against one.
3.  of all their terms.
4.  of these as partial fractions, which know that lb 6 = 1 + lb 3 (module ``logarithms``).
"""

from __future__ import annotations

from _blake2 import blake2b  # hashlib loads OpenSSL, which nobody needs
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import prod
from operator import add, mul
from typing import Any, NamedTuple, TypeAlias

from .enclosure import Enclosure, Enclosures
from .logarithms import KEPT, logarithm, partial_fractions


class NoCanonicalForm(ArithmeticError):
    """The operation leads out of the numbers that have a canonical form."""


Base: TypeAlias = int | Fraction


class Monomial(NamedTuple):
    """2^φ · Π lb(β)^e, the bases rising, no e = 0."""

    phi: int | Fraction
    powers: tuple[tuple[Base, int], ...]


UNIT = Monomial(0, ())
Terms: TypeAlias = dict[Monomial, Fraction]
Residues: TypeAlias = tuple[int, int]

MOST_TERMS = 10**6
"""More are not written out."""

# P and (P - 1)/2 are primes, and P = 7 modulo 8. So 2 is a square modulo P and generates a group
# of the prime order (P - 1)/2; modulo that prime nearly every denominator of φ has an inverse.
P = 2**60 - 5849
ORDER_OF_2 = P // 2


class Polynomial:
    """A term c · monomial, or the sum or the product of two polynomials."""

    __slots__ = ("_residues", "operation", "parts", "positive", "term")

    def __init__(
        self,
        term: tuple[Monomial, Fraction] | None,
        operation: Callable[[int, int], int] = add,
        parts: tuple[Polynomial, ...] = (),
    ) -> None:
        self.term = term
        self.operation = operation
        self.parts = parts
        self._residues: Residues | None = None
        # Whether it is a positive number because all terms are: each monomial is positive.
        self.positive: bool = term[1] > 0 if term else all(part.positive for part in parts)
        if parts:
            (a, b), (c, d) = (part.residues for part in parts)
            self._residues = operation(a, c) % P, operation(b, d) % P

    def __add__(self, other: Polynomial) -> Polynomial:
        if self.term and other.term:
            (m, c), (n, d) = self.term, other.term
            if m == n:
                return monomial(m, c + d)
        if not self or not other:
            return self or other
        return Polynomial(None, add, (self, other))

    def __mul__(self, other: Polynomial) -> Polynomial:
        if self.term and other.term:
            (m, c), (n, d) = self.term, other.term
            return monomial(*_times(m, n, c * d))
        if not self or not other:
            return ZERO
        if self is ONE or other is ONE:
            return other if self is ONE else self
        return Polynomial(None, mul, (self, other))

    def __bool__(self) -> bool:
        """Whether it is not written as 0."""
        return self.term is None or bool(self.term[1])

    @property
    def residues(self) -> Residues:
        if self._residues is None:
            assert self.term  # noqa: S101
            self._residues = _residue(0, *self.term), _residue(1, *self.term)
        return self._residues

    def operands(self, operation: Callable[[int, int], int]) -> list[Polynomial]:
        """The polynomials whose sum, or whose product, it is."""
        found, waiting = [], [self]
        while waiting:
            x = waiting.pop()
            if x.parts and x.operation is operation:
                waiting += x.parts
            else:
                found.append(x)
        return found

    def terms(self) -> Terms:
        """The coefficients that are not 0, all multiplied out."""
        if self.term:
            return dict([self.term]) if self else {}
        if self.operation is mul:
            return _product(*(part.terms() for part in self.parts))
        total: Terms = {}
        for summand in self.operands(add):
            for m, c in (summand.term,) if summand.term else summand.terms().items():
                total[m] = total[m] + c if m in total else c
        return {m: c for m, c in total.items() if c}


def monomial(m: Monomial, c: Fraction) -> Polynomial:
    return Polynomial((m, c) if c else (UNIT, c))


def inverse(m: Monomial, c: Fraction) -> Polynomial:
    """1 / (c · m), for c that is not 0."""
    whole, phi = divmod(-m.phi, 1)
    powers = tuple((beta, -e) for beta, e in m.powers)
    return monomial(Monomial(phi, powers), Fraction(2) ** whole / c)


ZERO = monomial(UNIT, Fraction(0))
ONE = monomial(UNIT, Fraction(1))


def ratio(a: Polynomial, b: Polynomial) -> Fraction | None:
    """c with a = c · b, where the polynomials show it; b is not 0."""
    if a.term and b.term:
        return _ratio_of_terms(a.terms(), b.terms())
    if not _may_be_multiples(a, b):
        return None
    try:
        c = _ratio_by_factors(a.operands(mul), b.operands(mul))
        if c is None:
            c = _ratio_of_terms(*(partial_fractions(x.terms().items()) for x in (a, b)))
    except NoCanonicalForm:
        return None
    return c


def _may_be_multiples(a: Polynomial, b: Polynomial) -> bool:
    (a0, a1), (b0, b1) = a.residues, b.residues
    return (a0 * b1 - a1 * b0) % P == 0


def _ratio_by_factors(above: list[Polynomial], below: list[Polynomial]) -> Fraction | None:
    """The ratio of two products: what is common is cancelled, the rest multiplied out."""
    cancelled = Fraction(1)
    rest: list[Polynomial] = []
    for a in above:
        for b in below:
            if _may_be_multiples(a, b):
                c = _ratio_of_terms(a.terms(), b.terms())
                if c:
                    cancelled *= c
                    below.remove(b)
                    break
        else:
            rest.append(a)
    c = _ratio_of_terms(prod(rest, start=ONE).terms(), prod(below, start=ONE).terms())
    return None if c is None else cancelled * c


def _ratio_of_terms(a: Mapping[Any, Fraction], b: Mapping[Any, Fraction]) -> Fraction | None:
    if not a:
        return Fraction(0)
    if a.keys() != b.keys():
        return None
    m, d = next(iter(b.items()))
    c = a[m] / d
    return c if all(a[m] == c * d for m, d in b.items()) else None


def _times(m: Monomial, n: Monomial, c: Fraction) -> tuple[Monomial, Fraction]:
    """c · m · n"""
    whole, phi = divmod(m.phi + n.phi, 1) if m.phi and n.phi else (0, m.phi or n.phi)
    if not m.powers or not n.powers:
        powers = m.powers or n.powers
    else:
        exponents = dict(m.powers)
        for beta, e in n.powers:
            exponents[beta] = exponents.get(beta, 0) + e
        powers = tuple(sorted((beta, e) for beta, e in exponents.items() if e))
    return Monomial(phi, powers), c * 2 if whole else c


def _product(a: Terms, b: Terms) -> Terms:
    if len(a) * len(b) > MOST_TERMS:
        raise NoCanonicalForm(f"a product of more than {MOST_TERMS} terms")
    total: Terms = {}
    for m, c in a.items():
        for n, d in b.items():
            key, value = _times(m, n, c * d)
            total[key] = total[key] + value if key in total else value
    return {m: c for m, c in total.items() if c}


def _residue(point: int, m: Monomial, c: Fraction) -> int:
    """The value of c · m at a point, modulo P."""
    try:
        value = c.numerator * pow(c.denominator, -1, P)
        if m.phi:
            exponent = m.phi.numerator * pow(m.phi.denominator, -1, ORDER_OF_2)
            value *= pow(2, exponent % ORDER_OF_2, P)
    except ValueError:
        raise NoCanonicalForm(f"a denominator that {P} or {ORDER_OF_2} divides") from None
    for beta, e in m.powers:
        value = value * _power(point, beta, e) % P
    return value % P


@lru_cache(maxsize=KEPT)
def _power(point: int, beta: Base, e: int) -> int:
    """lb(β)^e at a point: a sum of those of primes, for which any numbers serve, but lb 2 = 1."""
    lb = sum(c.numerator * _prime(point, p) for p, c in logarithm(beta))
    return pow(lb, e, P)


@lru_cache(maxsize=KEPT)
def _prime(point: int, p: int) -> int:
    """lb(p) at a point, the same whenever it is asked for."""
    if p == 2:
        return 1
    return int.from_bytes(blake2b(f"{point} {p}".encode(), digest_size=16).digest()) % P


class EnclosedPolynomials:
    """Polynomials, read as enclosures of one precision; each part is read once."""

    def __init__(self, precision: int) -> None:
        self._reals = Enclosures(precision)
        self._known: dict[Polynomial, Enclosure] = {}
        self._monomials: dict[Monomial, Enclosure] = {}

    def enclosure(self, x: Polynomial) -> Enclosure:
        waiting = [x]  # instead of recursion: a sum of 1,000 terms is 1,000 sums deep
        while waiting:
            y = waiting[-1]
            unknown = [part for part in y.parts if part not in self._known]
            if unknown:
                waiting += unknown
                continue
            waiting.pop()
            if y.term:
                m, c = y.term
                self._known[y] = self._monomial(m) * c
            else:
                a, b = (self._known[part] for part in y.parts)
                self._known[y] = a + b if y.operation is add else a * b
        return self._known[x]

    def _monomial(self, m: Monomial) -> Enclosure:
        if m not in self._monomials:
            x = self._reals.exp2(m.phi)
            for beta, e in m.powers:
                lb = self._reals.log(beta, 2)
                for _ in range(abs(e)):
                    x = x * lb if e > 0 else x / lb
            self._monomials[m] = x
        return self._monomials[m]
