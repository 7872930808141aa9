"""Fixed-point tables of discounts, as the C core sums them (RS-NUM-4)."""

from __future__ import annotations

from math import ceil

from ..later import enclosure, fractions, numerics, reals
from ..records import record
from ..typed import TYPE_CHECKING
from .gain import UNDISCOUNTED, Discount

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact, Number, Reals

BITS = 96  # of an entry: three limbs of 32
SHORT = 64  # ranks: fewer are made by the reference
FINE = 256  # bits of what all entries of a table are made of
GUARD = 64  # more bits of a power that is carried along


def fixed_point(discount: Discount, depth: int, bits: int = BITS) -> tuple[list[int], int, int]:
    """(D, exponent, unit): D(i) 2^exponent <= d(i) < (D(i) + unit) 2^exponent, i = 1 to depth.

    Entries have their `bits` highest bits; below BITS the lower ones are 0. unit is 0 where every
    entry is exact.
    """
    # One reading for all entries: it remembers the logarithms it has computed.
    first = enclosure.Enclosures(numerics.FIRST_PRECISION)
    d = discount.of(first)
    dropped = max(BITS - bits, 0)

    def entry(i: int, scale: int) -> int:
        if discount.rational:
            n, denominator = fractions.Fraction(discount.of(reals.RATIONALS)(i)).as_integer_ratio()
            shift = scale - dropped
            return (n << shift if shift >= 0 else n >> -shift) // denominator << dropped

        def of_rank(reals: Reals) -> Number:
            same = isinstance(reals, enclosure.Enclosures) and reals.precision == first.precision
            return d(i) if same else discount.of(reals)(i)

        return numerics.floor_scaled(of_rank, scale - dropped) << dropped

    exponent = exponent_of(discount, bits) if depth else 1 - max(BITS, bits)
    alike = discount == UNDISCOUNTED  # all ranks have the weight of the first
    entries = [entry(i, -exponent) for i in range(1, min(depth, 1 if alike else depth) + 1)]
    exact = discount.kind in ("none", "custom") and all(
        discount.of(reals.RATIONALS)(i) == D * fractions.Fraction(2) ** exponent
        for i, D in enumerate(entries, start=1)
    )
    return entries * depth if alike else entries, exponent, 0 if exact else 1 << dropped


def exponent_of(discount: Discount, bits: int = BITS) -> int:
    """The exponent of its entries: with d(1) all are below 2^t, since discounts do not rise."""
    largest = numerics.enclosure_of(lambda R: discount.of(R)(1), numerics.FIRST_PRECISION).upper
    t = largest.numerator.bit_length() - largest.denominator.bit_length() + 1
    return t - max(BITS, bits)


@record()
class Logarithm:
    """A discount lb b / (a + lb(i + s)) as the core makes a long table of it (RS-NUM-28).

    b: lb b in units of 2^(120 + exponent - shift), of 128 bits; a: in units of 2^-120; both are
        too small by less than 2 units
    s: a whole number; first: the rank from which on it is this; before it, it is 1
    exponent: that of the entries
    """

    discount: Discount
    b: int
    a: int
    s: int
    first: int
    shift: int
    exponent: int

    def entry(self, i: int) -> int:
        """The entry of a rank, by the reference."""
        return numerics.floor_scaled(lambda R: self.discount.of(R)(i), -self.exponent)


def logarithm_of(discount: Discount, depth: int) -> Logarithm | None:
    """How the core makes its table; None: it does not, or it is too short to begin."""
    base = fractions.Fraction(discount.b)
    shapes = {  # whether a is lb b, or 0; s; first
        "log": (False, fractions.Fraction(1), 1),
        "jarvelin-2008": (True, fractions.Fraction(0), 1),
        "jarvelin-2002": (False, fractions.Fraction(0), ceil(base)),
        "jiang-2016": (False, base - 1, 1),
    }
    if discount.kind not in shapes or depth < SHORT:
        return None
    plus, s, first = shapes[discount.kind]
    exponent = exponent_of(discount)
    lb_b = numerics.enclosure_of(lambda R: R.log(discount.b, 2), FINE)
    point = 128 - _bits(lb_b.lower)
    shift = 120 - exponent - point
    of_ranks = s.denominator == 1 and depth + s < 1 << 31
    if not (of_ranks and 0 <= shift <= 126 and lb_b.upper < 64):
        return None
    b, a = lb_b.floors(point)[0], lb_b.floors(120)[0] if plus else 0
    return Logarithm(discount, b, a, int(s), first, shift, exponent)


def _bits(x: fractions.Fraction) -> int:
    """The least t with x < 2^t."""
    n, d = x.as_integer_ratio()
    t = n.bit_length() - d.bit_length()
    return t + (x >= fractions.Fraction(2) ** t)


def powers(p: Exact, depth: int, bits: int = BITS) -> tuple[list[int], int, int]:
    """As fixed_point(), of p^(i-1), the discount of RBP (RS-NUM-15)."""
    numerator, denominator = fractions.Fraction(p).as_integer_ratio()
    dropped = max(BITS - bits, 0)
    power, entries = 1 << BITS - 1 + GUARD, []
    for _ in range(depth):
        entries.append(power >> GUARD + dropped << dropped)
        power = power * numerator // denominator
    return entries, 1 - BITS, (1 << dropped) + 1
