"""Fixed-point tables of discounts, as the C core sums them (RS-NUM-4)."""

from __future__ import annotations

from fractions import Fraction

from ..reference.numbers.enclosure import Enclosures
from ..reference.numbers.reals import RATIONALS, Exact, Number, Reals
from ..reference.numerics import FIRST_PRECISION, enclosure_of, floor_scaled
from .gain import Discount

BITS = 96  # of an entry: three limbs of 32
GUARD = 64  # more bits of a power that is carried along


def fixed_point(discount: Discount, depth: int, bits: int = BITS) -> tuple[list[int], int, int]:
    """(D, exponent, unit): D(i) 2^exponent <= d(i) < (D(i) + unit) 2^exponent, i = 1 to depth.

    Entries have their `bits` highest bits; below BITS the lower ones are 0. unit is 0 where every
    entry is exact.
    """
    # One reading for all entries: it remembers the logarithms it has computed.
    first = Enclosures(FIRST_PRECISION)
    d = discount.of(first)
    dropped = max(BITS - bits, 0)

    def entry(i: int, scale: int) -> int:
        if discount.rational:
            n, denominator = Fraction(discount.of(RATIONALS)(i)).as_integer_ratio()
            shift = scale - dropped
            return (n << shift if shift >= 0 else n >> -shift) // denominator << dropped

        def of_rank(reals: Reals) -> Number:
            same = isinstance(reals, Enclosures) and reals.precision == first.precision
            return d(i) if same else discount.of(reals)(i)

        return floor_scaled(of_rank, scale - dropped) << dropped

    # Discounts do not rise: all are below 2^top if the first is.
    largest = enclosure_of(lambda _: d(1), FIRST_PRECISION).upper if depth else Fraction(0)
    top = largest.numerator.bit_length() - largest.denominator.bit_length() + 1
    exponent = top - max(BITS, bits)
    entries = [entry(i, -exponent) for i in range(1, depth + 1)]
    exact = discount.kind in ("none", "custom") and all(
        discount.of(RATIONALS)(i) == D * Fraction(2) ** exponent
        for i, D in enumerate(entries, start=1)
    )
    return entries, exponent, 0 if exact else 1 << dropped


def powers(p: Exact, depth: int, bits: int = BITS) -> tuple[list[int], int, int]:
    """As fixed_point(), of p^(i-1), the discount of RBP (RS-NUM-15)."""
    numerator, denominator = Fraction(p).as_integer_ratio()
    dropped = max(BITS - bits, 0)
    power, entries = 1 << BITS - 1 + GUARD, []
    for _ in range(depth):
        entries.append(power >> GUARD + dropped << dropped)
        power = power * numerator // denominator
    return entries, 1 - BITS, (1 << dropped) + 1
