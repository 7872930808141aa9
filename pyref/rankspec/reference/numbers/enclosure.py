"""Enclosures: intervals with integer endpoints that are certain to hold the value.

An :class:`Enclosure` of precision p is a pair of integers and a power of two,

    lo · 2^e  <=  x  <=  hi · 2^e,

whose endpoints are rounded outwards to p bits after every operation. So the true value
is never lost; more precision only makes the interval narrower. Integer arithmetic alone
is used: there is no rounding mode to trust.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import isqrt

from .reals import Exact


class Undecided(ArithmeticError):
    """The enclosure is too wide to answer; more precision is needed."""


class Enclosure:
    """A real number x with lo·2^exponent <= x <= hi·2^exponent."""

    __slots__ = ("exponent", "hi", "lo", "precision")

    def __init__(self, lo: int, hi: int, exponent: int, precision: int) -> None:
        excess = (hi if lo >= 0 else max(-lo, abs(hi))).bit_length() - precision
        if excess > 0:
            lo = lo >> excess  # rounds towards minus infinity
            hi = -(-hi >> excess)  # rounds towards plus infinity
            exponent += excess
        self.lo = lo
        self.hi = hi
        self.exponent = exponent
        self.precision = precision

    @property
    def lower(self) -> Fraction:
        return _scaled(self.lo, self.exponent)

    @property
    def upper(self) -> Fraction:
        return _scaled(self.hi, self.exponent)

    def floors(self, bits: int) -> tuple[int, int]:
        """floor(lower · 2^bits) and floor(upper · 2^bits)."""
        e = self.exponent + bits
        return (self.lo << e, self.hi << e) if e >= 0 else (self.lo >> -e, self.hi >> -e)

    def __repr__(self) -> str:
        return f"[{_shown(self.lower)}, {_shown(self.upper)}]"

    def __bool__(self) -> bool:
        """Whether x is not 0; raises :class:`Undecided` where the interval cannot tell."""
        if self.lo > 0 or self.hi < 0:
            return True
        if self.lo == self.hi == 0:
            return False
        raise Undecided("is it 0?")

    def __neg__(self) -> Enclosure:
        return Enclosure(-self.hi, -self.lo, self.exponent, self.precision)

    def __add__(self, other: Enclosure | Exact) -> Enclosure:
        y = self._like(other)
        x, p = self, self.precision
        if x.exponent < y.exponent:
            x, y = y, x
        s, e = x.exponent - y.exponent, y.exponent
        far = s - p - 2
        if far > 0 and (x.lo or x.hi):  # bits of y that are rounded away below
            lo, hi = (x.lo << s - far) + (y.lo >> far), (x.hi << s - far) - (-y.hi >> far)
            return Enclosure(lo, hi, e + far, p)
        return Enclosure((x.lo << s) + y.lo, (x.hi << s) + y.hi, e, p)

    __radd__ = __add__

    def __sub__(self, other: Enclosure | Exact) -> Enclosure:
        return self + (-self._like(other))

    def __rsub__(self, other: Enclosure | Exact) -> Enclosure:
        return -self + other

    def __mul__(self, other: Enclosure | Exact) -> Enclosure:
        y = self._like(other)
        e = self.exponent + y.exponent
        if self.lo >= 0 and y.lo >= 0:
            return Enclosure(self.lo * y.lo, self.hi * y.hi, e, self.precision)
        corners = (self.lo * y.lo, self.lo * y.hi, self.hi * y.lo, self.hi * y.hi)
        return Enclosure(min(corners), max(corners), e, self.precision)

    __rmul__ = __mul__

    def __truediv__(self, other: Enclosure | Exact) -> Enclosure:
        y = self._like(other)
        # The numerator is scaled up so far that the quotients have two bits to spare.
        if self.lo >= 0 and y.lo > 0:  # the usual case, which needs two of the quotients
            s = max(0, self.precision + 2 + y.hi.bit_length() - self.hi.bit_length())
            lo, hi = (self.lo << s) // y.hi, -(-(self.hi << s) // y.lo)
        else:
            if not y:
                raise ZeroDivisionError("division by zero")
            numerator, denominator = max(abs(self.lo), abs(self.hi)), max(abs(y.lo), abs(y.hi))
            s = max(0, self.precision + 2 + denominator.bit_length() - numerator.bit_length())
            pairs = [(n << s, d) for n in (self.lo, self.hi) for d in (y.lo, y.hi)]
            lo = min(n // d for n, d in pairs)
            hi = max(-(-n // d) for n, d in pairs)
        return Enclosure(lo, hi, self.exponent - y.exponent - s, self.precision)

    def __rtruediv__(self, other: Enclosure | Exact) -> Enclosure:
        return self._like(other) / self

    def _like(self, x: Enclosure | Exact) -> Enclosure:
        if isinstance(x, Enclosure):
            return x
        return Enclosure(x, x, 0, self.precision) if type(x) is int else enclose(x, self.precision)


def _scaled(n: int, exponent: int) -> Fraction:
    return Fraction(n << exponent) if exponent >= 0 else Fraction(n, 1 << -exponent)


def _shown(x: Fraction) -> str:
    """About the number: all its digits may be more than Python writes."""
    try:
        return repr(float(x))
    except OverflowError:
        return "inf" if x > 0 else "-inf"


def enclose(x: Exact, precision: int) -> Enclosure:
    """The narrowest enclosure of the exact input x at this precision (one point if it fits)."""
    n, d = x.as_integer_ratio()
    if d & (d - 1) == 0:  # a dyadic rational, as every float and int is
        return Enclosure(n, n, 1 - d.bit_length(), precision)
    s = max(0, precision + 2 + d.bit_length() - abs(n).bit_length())
    return Enclosure((n << s) // d, -((-n << s) // d), -s, precision)


@cache
def _bernoulli(n: int) -> list[Fraction]:
    """B_2, B_4, ..., B_2n, from the tangent numbers T_1, ..., T_n, which are whole:
    B_2k = (-1)^(k-1) 2k T_k / (4^k (4^k - 1)).
    """
    T = [0, 1]
    for k in range(2, n + 1):
        T.append((k - 1) * T[-1])
    for k in range(2, n + 1):
        for j in range(k, n + 1):
            T[j] = (j - k) * T[j - 1] + (j - k + 2) * T[j]
    powers = [4**k for k in range(n + 1)]
    return [
        Fraction((-1) ** (k - 1) * 2 * k * T[k], powers[k] * (powers[k] - 1))
        for k in range(1, n + 1)
    ]


def _bernoulli_numbers() -> Iterator[Fraction]:
    """B_2, B_4, B_6, ..."""
    done, n = 0, 32
    while True:
        yield from _bernoulli(n)[done:]
        done, n = n, 2 * n


class Enclosures:
    """The reals, read as enclosures of ``precision`` bits."""

    def __init__(self, precision: int) -> None:
        self.precision = precision
        # Logarithms and powers are computed with bits to spare, so that their own
        # error stays below that of one rounding to `precision`.
        self._working = precision + 32

    def exact(self, x: Exact) -> Enclosure:
        return enclose(x, self.precision)

    def log(self, x: Exact, b: Exact) -> Enclosure:
        """log_b(x) = ln x / ln b."""
        return _log(x, b, self.precision, self._working)

    def ln(self, x: Exact) -> Enclosure:
        ln = _ln(x, self._working)
        return Enclosure(ln.lo, ln.hi, ln.exponent, self.precision)

    def exp2(self, x: Exact) -> Enclosure:
        """2^x = 2^floor(x) · exp(frac(x) · ln 2).

        Spec: RS-NUM-32
        """
        whole = Fraction(x).__floor__()
        fraction = Fraction(x) - whole
        power = (
            _exp(ln_integer(2, self._working) * fraction) if fraction else enclose(1, self._working)
        )
        return Enclosure(power.lo, power.hi, power.exponent + whole, self.precision)

    def power(self, x: Exact, a: Exact) -> Enclosure:
        """x^a = 2^q · exp(a ln x - q ln 2), with a whole q that leaves the exponent in [0, 1).

        Where a ln x is so far from 0 that its enclosure is wider than that, more precision is
        needed.

        Spec: RS-NUM-32
        """
        exponent, ln_2 = _ln(x, self._working) * Fraction(a), ln_integer(2, self._working)
        q = (exponent / ln_2).floors(0)[0]
        rest = exponent - ln_2 * q
        if rest.lo < 0:  # a ln x is so close to q ln 2 that it may be below
            q, rest = q - 1, rest + ln_2
        if rest.lo < 0 or rest.floors(0)[1] > 0:
            raise Undecided("what is the whole part of the exponent?")
        power = _exp(rest)
        return Enclosure(power.lo, power.hi, power.exponent + q, self.precision)

    def greatest(self, numbers: Sequence[Enclosure]) -> Enclosure:
        """From the greatest lower end to the greatest upper end: which is greatest stays open."""
        lower = max(numbers, key=lambda x: x.lower)
        upper = max(numbers, key=lambda x: x.upper)
        e = min(lower.exponent, upper.exponent)
        lo, hi = lower.lo << (lower.exponent - e), upper.hi << (upper.exponent - e)
        return Enclosure(lo, hi, e, self.precision)

    def sqrt(self, x: Enclosure) -> Enclosure:
        """The whole square roots of both ends, scaled up so far that they have precision bits."""
        if x.lo < 0:
            raise Undecided("is it below 0?")
        s = max(0, 2 * self.precision + 2 - x.lo.bit_length())
        s += (x.exponent - s) % 2
        lo, hi = isqrt(x.lo << s), isqrt(x.hi << s)
        return Enclosure(
            lo, hi + 1 if hi * hi < x.hi << s else hi, (x.exponent - s) // 2, self.precision
        )

    def inverse_squares(self, x: Exact) -> Enclosure:
        """Σ_{i>=0} 1/(x + i)²."""
        return _inverse_squares(Fraction(x), self.precision, self._working)


KEPT = 1 << 16
"""How many logarithms and sums are kept: each list asks for those of its ranks once more."""


@lru_cache(KEPT)
def _inverse_squares(x: Fraction, precision: int, p: int) -> Enclosure:
    """The first N terms, and of the rest, from y = x + N on, the series of Euler and Maclaurin:
    1/y + 1/(2 y²) + B_2/y³ + B_4/y⁵ + ..., which is between two of its partial sums in a row.
    """
    N = max(0, p // 4 + 8 - int(x))
    total = enclose(0, p)
    for i in range(N):
        total = total + enclose(1, p) / enclose((x + i) ** 2, p)
    y = x + N
    total = total + enclose(1 / y + 1 / (2 * y * y), p)
    power, least = enclose(1 / y**3, p), Fraction(1, 1 << p)
    for B in _bernoulli_numbers():
        term = power * B
        if abs(B) * power.upper < least:
            break
        total = total + term
        power = power / enclose(y * y, p)
    ends = sorted([total.lower, total.upper, (total + term).lower, (total + term).upper])
    e = -precision - 64
    lo, hi = (math.floor(ends[0] / Fraction(2) ** e), math.ceil(ends[-1] / Fraction(2) ** e))
    return Enclosure(lo, hi, e, precision)


@lru_cache(KEPT)
def _log(x: Exact, b: Exact, precision: int, bits: int) -> Enclosure:
    ratio = _ln(x, bits) / _ln(b, bits)
    return Enclosure(ratio.lo, ratio.hi, ratio.exponent, precision)


def _ln(x: Exact, bits: int) -> Enclosure:
    n, d = x.as_integer_ratio()
    ln = ln_integer(n, bits)
    return ln if d == 1 else ln - ln_integer(d, bits)


@lru_cache(KEPT)
def ln_integer(n: int, bits: int) -> Enclosure:
    """ln n, from the logarithms of its factors where it has small ones, else from ln(n - 1).

    A table of discounts asks for ln 2, ln 3, ln 4, ...: most of them are sums of two
    that are known already, which is many times cheaper than a series. That of ln n - ln(n - 1)
    is short, and n - 1 is even.

    Spec: RS-NUM-31
    """
    length = n.bit_length()
    p = _small_factor(n) if length <= MOST_BITS_FACTORED else None
    if p is None and n > 1 and length <= MOST_BITS_NEIGHBOURED:
        return ln_integer(n - 1, bits) + _ln_of_step(n, bits)
    if p is None:
        return _ln_series(n, bits)
    e, rest = 1, n // p
    while rest % p == 0:
        e, rest = e + 1, rest // p
    power = ln_integer(p, bits) * e if e > 1 else ln_integer(p, bits)
    return power + ln_integer(rest, bits)


MOST_BITS_FACTORED = 64
"""Of a number whose small factors are looked for."""
MOST_BITS_NEIGHBOURED = 32
"""Of one whose logarithm is made of that of the number before it."""


@cache
def _small_primes() -> list[int]:
    return [p for p in range(2, 1000) if all(p % q for q in range(2, int(p**0.5) + 1))]


def _small_factor(n: int) -> int | None:
    """The least prime factor of n, if it is below 1000 and not n itself."""
    for p in _small_primes():
        if p * p > n:
            return None
        if n % p == 0:
            return p
    return None


def _atanh(a: int, b: int, bits: int) -> tuple[int, int]:
    """Bounds of atanh(a/b) · 2^bits, for 0 <= a/b <= 1/3, from its power series.

    atanh z = z + z^3/3 + z^5/5 + ..., with every power of z and every quotient rounded down. The
    terms lack less than 2 each, and the rest of the series is below 2.

    Spec: RS-NUM-31
    """
    power = (a << bits) // b
    total, terms = 0, 0
    while power:
        total += power // (2 * terms + 1)
        power = power * a * a // (b * b)
        terms += 1
    return total, total + 2 * terms + 2


def _ln_of_step(n: int, bits: int) -> Enclosure:
    """ln n - ln(n - 1) = 2 atanh(1/(2n - 1))."""
    lo, hi = _atanh(1, 2 * n - 1, bits)
    return Enclosure(lo, hi, 1 - bits, bits)


def _ln_series(n: int, bits: int) -> Enclosure:
    """ln n = k ln 2 + 2 atanh((m - 1)/(m + 1)), where n = 2^k m and 2/3 < m <= 4/3.

    Of a longer number the first bits + 64 bits are taken: ln(1 + x) < x, so the others add less
    than 2^-(bits + 63), which is less than a unit.

    Spec: RS-NUM-31
    """
    if n == 1:
        return Enclosure(0, 0, 0, bits)
    cut = max(0, n.bit_length() - bits - 64)
    n >>= cut
    k = n.bit_length() - 1
    if 3 * n > 4 << k:
        k += 1
    a, b = n - (1 << k), n + (1 << k)
    lo, hi = _atanh(abs(a), b, bits)
    if a < 0:
        lo, hi = -hi, -lo
    lo2, hi2 = _atanh(1, 3, bits)  # ln 2 = 2 atanh(1/3)
    k += cut
    return Enclosure(k * lo2 + lo, k * hi2 + hi + (cut > 0), 1 - bits, bits)


def _exp(y: Enclosure) -> Enclosure:
    """exp(y) for 0 <= y < 1: the power series at y/2^8, squared eight times.

    The series is that of the lower end x. With y/2^8 less than d units above x, exp(y/2^8) is less
    than exp(x) + 2d: the slope is below 2.

    Spec: RS-NUM-32
    """
    bits = y.precision + 16
    low, high = y.floors(bits - 8)
    lo, hi = _exp_series(low, bits)
    power = Enclosure(lo, hi + 2 * (high + 1 - low), -bits, bits)
    for _ in range(8):
        power = power * power
    return power


def _exp_series(x: int, bits: int) -> tuple[int, int]:
    """Bounds of exp(x/2^bits) · 2^bits, for 0 <= x/2^bits < 2^-8, from its power series.

    Each term x^j/j! is made of the one before and rounded down. Those that are added, and the rest
    of the series, lack less than 1 a term.

    Spec: RS-NUM-32
    """
    total, term, terms = 0, 1 << bits, 0
    while term:
        total += term
        terms += 1
        term = (term * x >> bits) // terms
    return total, total + terms
