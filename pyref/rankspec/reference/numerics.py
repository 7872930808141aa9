"""From real numbers to doubles: rounding, certified values and exact means.

``value`` arguments are functions that evaluate a metric in the reals they are given:
``value(reals)`` is a number of that reading.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    Decimal,
    localcontext,
)
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from .numbers.canonical import CanonicalForms, Form, NoCanonicalForm
from .numbers.enclosure import Enclosure, Enclosures, Undecided, enclose
from .numbers.reals import Exact, Number, Reals
from .numbers.sums import exact_sum as exact_sum  # noqa: PLC0414 - they are had from here, too
from .numbers.sums import mean as mean  # noqa: PLC0414
from .numbers.sums import mean_of_parts as mean_of_parts  # noqa: PLC0414
from .numbers.sums import nearest_double as nearest_double  # noqa: PLC0414
from .numbers.sums import part_of_mean as part_of_mean  # noqa: PLC0414
from .numbers.sums import total as total  # noqa: PLC0414

Value = Callable[[Reals], Number]

FIRST_PRECISION = 128
ASKED_PRECISION = 1 << 11
LAST_PRECISION = 1 << 15


class Certificate(NamedTuple):
    """A proven value: lower <= value <= upper, and both ends round to the same results."""

    lower: Fraction
    upper: Fraction
    double: float
    """The double nearest to it."""
    digits: str
    """The value in decimal, correctly rounded to the significant digits asked for."""
    exact: Fraction | None
    """The value itself, where it is known to be rational."""
    form: Form | None = None
    """Its canonical form, where it has one."""

    def __repr__(self) -> str:
        """Without its fractions, which may have more digits than Python writes."""
        return f"Certificate(double={self.double!r}, digits={self.digits!r})"


def enclosure_of(value: Value, precision: int) -> Enclosure:
    """The value as an enclosure; an exact result (an int or a Fraction) is enclosed too."""
    x = value(Enclosures(precision))
    return x if isinstance(x, Enclosure) else enclose(x, precision)


def exact_value(value: Value) -> Fraction | None:
    """The value as a rational number, where its canonical form shows that it is one.

    Spec: RS-NUM-2
    """
    form = canonical_form(value)
    return None if form is None else form.rational


def canonical_form(value: Value) -> Form | None:
    """The value as a canonical form, where it has one.

    Spec: RS-NUM-2
    """
    try:
        forms = CanonicalForms()
        x = value(forms)
        return x if isinstance(x, Form) else forms.exact(x)
    except NoCanonicalForm:
        return None


def nearest_double_of(value: Value, precision: int = FIRST_PRECISION) -> float:
    """The correctly rounded double of a value.

    Both ends of an enclosure round to the same double, or the precision is doubled. Only a
    value exactly between two doubles would go on forever, and such a value is rational: its
    canonical form is asked once. That is late, since the form of a sum of many fractions is long.

    Spec: RS-NUM-3
    """
    asked = False
    while precision <= LAST_PRECISION:
        try:
            x = enclosure_of(value, precision)
            lower, upper = nearest_double(x.lower), nearest_double(x.upper)
            if lower == upper:
                return lower
        except Undecided:
            pass
        if precision >= ASKED_PRECISION and not asked:
            exact = exact_value(value)
            if exact is not None:
                return nearest_double(exact)
            asked = True
        precision *= 2
    raise _undecided()


def nearest_doubles_of(vector: Callable[[Reals], Sequence[Number]], size: int) -> list[float]:
    """The correctly rounded double of each component of a vector of that size.

    What one enclosure of the whole does not decide is asked for by itself.

    Spec: RS-NUM-3
    """

    def component(p: int) -> float:
        return nearest_double_of(lambda reals: vector(reals)[p])

    try:
        components = vector(Enclosures(FIRST_PRECISION))
    except Undecided:  # of one of them, which needs more bits
        return [component(p) for p in range(size)]
    found = []
    for p, x in enumerate(components):
        ends = (x.lower, x.upper) if isinstance(x, Enclosure) else (x, x)
        lower, upper = map(nearest_double, ends)
        found.append(lower if lower == upper else component(p))
    return found


def decimal_digits(x: Fraction, digits: int) -> str:
    """x in decimal, correctly rounded to so many significant digits, ties to even."""
    with localcontext(prec=digits, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX):
        return str(Decimal(x.numerator) / Decimal(x.denominator))


def decimals_around(lower: Fraction, upper: Fraction, digits: int) -> tuple[str, str]:
    """Both ends in decimal with so many significant digits, rounded outwards."""
    ends = []
    for x, rounding in ((lower, ROUND_FLOOR), (upper, ROUND_CEILING)):
        with localcontext(prec=digits, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX):
            ends.append(str(Decimal(x.numerator) / Decimal(x.denominator)))
    return ends[0], ends[1]


def certify(value: Value, digits: int = 30) -> Certificate:
    """The value with its proof: an enclosure so narrow that it decides double and digits.

    Spec: RS-NUM-3
    """
    form = canonical_form(value)
    exact = None if form is None else form.rational
    if exact is not None:
        text = decimal_digits(exact, digits)
        return Certificate(exact, exact, nearest_double(exact), text, exact, form)
    precision = FIRST_PRECISION
    while precision <= LAST_PRECISION:
        try:
            x = enclosure_of(value, precision)
            ends = x.lower, x.upper
            doubles = {nearest_double(end) for end in ends}
            texts = {decimal_digits(end, digits) for end in ends}
            if len(doubles) == len(texts) == 1:
                return Certificate(*ends, doubles.pop(), texts.pop(), None, form)
        except Undecided:
            pass
        precision *= 2
    raise _undecided()


def _undecided() -> Undecided:
    return Undecided(
        f"{LAST_PRECISION} bits do not decide the rounding, and no canonical form is known"
    )


def floor_scaled(value: Value, bits: int, precision: int = FIRST_PRECISION) -> int:
    """floor(value · 2^bits): an entry of a fixed-point table.

    Spec: RS-NUM-4
    """
    while precision <= LAST_PRECISION:
        lower, upper = enclosure_of(value, precision).floors(bits)
        if lower == upper:
            return lower
        exact = exact_value(value)
        if exact is not None:
            return math.floor(exact * Fraction(2) ** bits)
        precision *= 2
    raise Undecided(f"{LAST_PRECISION} bits do not decide a table entry")


def geometric_mean(values: Sequence[float], floor: float) -> float:
    """The double nearest to (Π max(v_i, floor))^(1/n) of n doubles; 0 of none.

    It is looked for from what floating point says it is. Whether it is above y, of which no double
    lies between it and y, is whether the product is above y^n; the two are never equal.

    Spec: RS-CONV-53
    """
    v = [max(x, floor) for x in values]
    n = len(v)
    if not v or min(v) == 0:
        return 0.0
    found = math.exp(math.fsum(map(math.log, v)) / n)
    found = min(max(found, min(v)), max(v))
    while found < max(v) and _is_above(v, found, math.nextafter(found, math.inf)):
        found = math.nextafter(found, math.inf)
    while found > min(v) and not _is_above(v, math.nextafter(found, 0), found):
        found = math.nextafter(found, 0)
    return found


Bounded = tuple[int, int, int]  # (low, high, e): a number from low · 2^e to high · 2^e


def _is_above(v: Sequence[float], below: float, above: float) -> bool:
    """Whether the geometric mean is above the middle of two neighbouring doubles."""
    middle = (Fraction(below) + Fraction(above)) / 2
    counts = Counter(v)
    bits = FIRST_PRECISION
    while True:
        low, high, e = _power(_bounded(middle), len(v), bits)
        product = (1, 1, 0)
        for x, count in counts.items():
            product = _times(product, _power(_bounded(Fraction(x)), count, bits), bits)
        of_low, of_high, of_e = product
        unit = min(e, of_e)
        if of_low << (of_e - unit) > high << (e - unit):
            return True
        if of_high << (of_e - unit) < low << (e - unit):
            return False
        bits *= 2


def _bounded(x: Fraction) -> Bounded:
    """A positive number that is a whole one over a power of two."""
    return x.numerator, x.numerator, 1 - x.denominator.bit_length()


def _times(x: Bounded, y: Bounded, bits: int) -> Bounded:
    """The product, of which no more than so many bits are kept."""
    low, high = x[0] * y[0], x[1] * y[1]
    spare = max(0, high.bit_length() - bits)
    return low >> spare, -(-high >> spare), x[2] + y[2] + spare


def _power(x: Bounded, n: int, bits: int) -> Bounded:
    """x^n for n >= 1, by squares."""
    found = (1, 1, 0)
    while n:
        if n & 1:
            found = _times(found, x, bits)
        x = _times(x, x, bits)
        n >>= 1
    return found


# ---- real numbers that are compared ------------------------------------------------------


class Summand:
    """A real number of which the nearest double is known, and the equation."""

    def __init__(self, double: float, value: Value) -> None:
        self.double = double
        self.value = value

    @cached_property
    def rational(self) -> Fraction | None:
        """The number, where its canonical form shows that it is rational."""
        return exact_value(self.value)

    @cached_property
    def enclosure(self) -> Enclosure:
        """The number, at the first precision."""
        return enclosure_of(self.value, FIRST_PRECISION)

    def is_equal(self, other: Summand) -> bool:
        """Whether the two are seen to be the same number."""
        x, y = self.enclosure, other.enclosure
        if x.upper < y.lower or y.upper < x.lower:
            return False
        forms = CanonicalForms()
        try:
            return not (forms.exact(0) + self.value(forms) - other.value(forms))
        except NoCanonicalForm:
            return False


ONE = Summand(1.0, lambda reals: reals.exact(1))
Summands = dict[Summand, Fraction]
"""A sum of real numbers, each with its coefficient."""

COMPARED_PRECISIONS = (FIRST_PRECISION, 512, 2048)


class RealSum:
    """A sum of real numbers, near to that of their doubles; exact where a comparison needs it.

    near, off: |sum - near| <= off; summands: the sum, which is made when it is needed

    Spec: RS-NUM-25
    """

    def __init__(self, near: Fraction, off: Fraction, summands: Callable[[], Summands]) -> None:
        self.near = near
        self.off = off
        self._summands = summands

    def __sub__(self, other: RealSum) -> RealSum:
        def summands() -> Summands:
            found = dict(self.folded)
            for x, c in other.folded.items():
                found[x] = found.get(x, Fraction(0)) - c
            return found

        return RealSum(self.near - other.near, self.off + other.off, summands)

    def __neg__(self) -> RealSum:
        return self * -1

    def __mul__(self, c: Exact) -> RealSum:
        c = Fraction(c)
        return RealSum(
            self.near * c,
            self.off * abs(c),
            lambda: {x: c * own for x, own in self.folded.items()},
        )

    @property
    def sign(self) -> int:
        """1, 0 or -1."""
        if abs(self.near) > self.off or not self.off:
            return _sign(self.near)
        return self._exact[0]

    @property
    def double(self) -> float:
        """The double nearest to near; where the sign is open by it, that nearest to the sum."""
        if abs(self.near) > self.off or not self.off:
            return nearest_double(self.near)
        return self._exact[1]

    @cached_property
    def folded(self) -> Summands:
        """The sum, in which all that is rational is a multiple of 1, and equal numbers are one."""
        if not self.off:
            return {ONE: self.near}
        return _folded(self._summands())

    @cached_property
    def _exact(self) -> tuple[int, float]:
        """The sign of the sum, and the double nearest to it; 0 where nothing tells it from 0."""
        if self.folded.keys() <= {ONE}:
            constant = self.folded.get(ONE, Fraction(0))
            return _sign(constant), nearest_double(constant)

        def value(reals: Reals) -> Number:
            return sum((x.value(reals) * c for x, c in self.folded.items()), reals.exact(0))

        for precision in COMPARED_PRECISIONS:
            try:
                x = enclosure_of(value, precision)
                if x:
                    return (1 if x.lo > 0 else -1), nearest_double_of(value)
            except Undecided:
                pass
        return 0, 0.0


def _folded(summands: Summands) -> Summands:
    constant, rest = Fraction(0), Summands()
    for x, c in summands.items():
        if c and x.rational is not None:
            constant += c * x.rational
        elif c:
            same = x if x in rest else next((y for y in rest if y.is_equal(x)), x)
            rest[same] = rest.get(same, Fraction(0)) + c
    return {x: c for x, c in ((ONE, constant), *rest.items()) if c}


def _sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)


def mean_of_reals(doubles: Sequence[float], summands: Callable[[], Sequence[Summand]]) -> RealSum:
    """The mean of real numbers, one at least, of which the nearest doubles are given.

    Spec: RS-NUM-25
    """
    n = len(doubles)

    def of_mean() -> Summands:
        found = Summands()
        for x in summands():
            found[x] = found.get(x, Fraction(0)) + Fraction(1, n)
        return found

    off = exact_sum(map(math.ulp, doubles)) / (2 * n)
    return RealSum(exact_sum(doubles) / n, off, of_mean)
