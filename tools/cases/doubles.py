"""How far a value in plain double precision may be off: max_ulp, by an explicit model of errors.

The equations of the reference are read once more, in numbers that carry a bound of their error. The
model, which spec/vectors/README.md states (u = 2^-53):

* an input is the nearest double;
* + - * and the square root are correctly rounded: relative error u, or 2^-1075 near 0; a quotient
  is that, or the product with the reciprocal: 2 u;
* a sum of n terms is added in any order: (n - 1) u times the sum of their magnitudes; where all
  terms are free of errors and all sums of them are doubles, it is exact, but in a quotient, where
  both sums may have been divided by something term by term;
* log_b x is ln x / ln b, each logarithm within 1 ulp; 2^x is within 1 ulp, exact for whole x;
* a rational number that is made of counts (those of bpref) is within 8 ulp of 1, or of itself.

What is read are the formulas of the specification. Where the reference takes fewer steps, as for
long lists, `plain.py` has the formula: max_ulp is for programs that take it as it is written.

Errors are carried on to first order and all of higher orders, by their magnitudes: nothing is taken
to cancel. A comparison that the error could turn is no matter of doubles: there is no max_ulp.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from math import isinf
from struct import pack, unpack
from typing import Any

from rankspec.api.inputs import Input
from rankspec.metrics.measure import Measure
from rankspec.metrics.relevance import quartiles_of
from rankspec.reference.numbers.enclosure import Enclosure, Enclosures, Undecided
from rankspec.reference.numbers.reals import Exact
from rankspec.reference.numerics import nearest_double
from rankspec.reference.relevance import phi, points_of, through

from . import INPUTS, VECTORS
from .facts import Facts, measure_of
from .plain import plainly

PRECISION = 256
WORKING = Enclosures(PRECISION)
U = Fraction(1, 2**53)
TINY = Fraction(1, 2**1075)
HUGE = Fraction(2) ** 1024
ZERO = Fraction(0)
LN_2 = Fraction(69, 100)  # or a little more


class NoPromise(ArithmeticError):
    """Doubles may see another order of two numbers, or leave their range."""


class Rounded:
    """A number in doubles: the real number, and how far from it the double may be.

    real: an enclosure of the number; exact: the number, where the double is free of errors
    err: of the terms of the sum that it is; magnitude: what the magnitudes of these add up to
    terms: how many they are; unit: they are multiples of it, where all are free of errors
    """

    __slots__ = ("err", "exact", "magnitude", "real", "terms", "unit")

    def __init__(
        self,
        real: Enclosure,
        err: Fraction,
        *,
        exact: Fraction | None = None,
        sum_of: tuple[int, Fraction, Fraction | None] | None = None,
    ) -> None:
        self.real = real
        self.err = _up(err)
        self.exact = exact
        size = _size(real)
        unit = None if exact is None else _unit(exact)
        self.terms, self.magnitude, self.unit = sum_of or (1, size, unit)
        if size + err >= HUGE:
            raise NoPromise("beyond the range")

    @property
    def error(self) -> Fraction:
        """How far off the double may be, once the sum has been added up in some order."""
        if self.exact is not None:
            return ZERO
        if self.terms == 1:
            return self.err
        n = self.terms - 1
        return _up(self.err + n * U * (self.magnitude + self.err) * (1 + 2 * n * U))

    @property
    def scaled_error(self) -> Fraction:
        """The same were each term of the sum multiplied by a number before it is added."""
        if self.exact is None or self.terms == 1:
            return self.error
        return _up(self.terms * U * self.magnitude * (1 + 2 * self.terms * U))

    @property
    def size(self) -> Fraction:
        return _size(self.real)

    def __bool__(self) -> bool:
        if self.exact is not None:
            return bool(self.exact)
        if _least(self.real) <= self.error:
            raise NoPromise("is it 0?")
        return True

    def __neg__(self) -> Rounded:
        exact = None if self.exact is None else -self.exact
        return Rounded(-self.real, self.err, exact=exact, sum_of=self._sum)

    @property
    def _sum(self) -> tuple[int, Fraction, Fraction | None]:
        return self.terms, self.magnitude, self.unit

    def __add__(self, other: Any) -> Rounded:
        y = rounded(other)
        if y.exact == 0 or self.exact == 0:
            return self if y.exact == 0 else y
        units = [x.unit for x in (self, y) if x.unit is not None]
        unit = min(units) if len(units) == 2 else None
        terms, magnitude = self.terms + y.terms, _up(self.magnitude + y.magnitude)
        exact = None
        if unit is not None and self.exact is not None and y.exact is not None:
            total = self.exact + y.exact
            if magnitude <= unit * 2**53 or (terms == 2 and _is_double(total)):
                exact = total
        sum_of = (terms, magnitude, unit)
        return Rounded(self.real + y.real, self.err + y.err, exact=exact, sum_of=sum_of)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Rounded:
        return self + -rounded(other)

    def __rsub__(self, other: Any) -> Rounded:
        return -self + rounded(other)

    def __mul__(self, other: Any) -> Rounded:
        y = rounded(other)
        real = self.real * y.real
        if self.exact is not None and y.exact is not None and _is_double(self.exact * y.exact):
            return _exactly(self.exact * y.exact)
        if self.exact == 0 or y.exact == 0:
            return _exactly(ZERO)
        d, e = self.error, y.error
        err = self.size * e + y.size * d + d * e
        scales = _is_power(self.exact) or _is_power(y.exact)
        return Rounded(real, err + _rounding(_size(real) + err, free=scales))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Rounded:
        y = rounded(other)
        if not y:
            raise ZeroDivisionError("division by zero")
        if self.exact == 0:
            return _exactly(ZERO)
        if y.exact is not None and _is_power(y.exact):
            return self * _exactly(1 / y.exact)
        real = self.real / y.real
        err = (self.scaled_error + _size(real) * y.scaled_error) / (_least(y.real) - y.scaled_error)
        return Rounded(real, err + 2 * _rounding(_size(real) + err))

    def __rtruediv__(self, other: Any) -> Rounded:
        return rounded(other) / self

    # Comparisons: of scores, and of what relevance is made of.

    def __lt__(self, other: Any) -> bool:
        return self._below(rounded(other))

    def __gt__(self, other: Any) -> bool:
        return rounded(other)._below(self)

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        return not self < other and not self > other

    def __hash__(self) -> int:
        return hash(self.exact)

    def __abs__(self) -> Rounded:
        negative: bool = self < 0
        return -self if negative else self

    def _below(self, other: Rounded) -> bool:
        if self.exact is not None and other.exact is not None:
            return bool(self.exact < other.exact)
        gap = other - self
        if _least(gap.real) <= gap.error:
            raise NoPromise("which is greater?")
        return bool(gap.real.lo > 0)


def rounded(x: Any) -> Rounded:
    """An input: the number, if it is a double, or the double nearest to it."""
    if isinstance(x, Rounded):
        return x
    exact = Fraction(x)
    if _is_double(exact):
        return _exactly(exact)
    return Rounded(WORKING.exact(exact), _rounding(abs(exact)))


def _exactly(x: Fraction) -> Rounded:
    return Rounded(WORKING.exact(x), ZERO, exact=x)


class Doubles:
    """The reals, read as doubles with a bound of their error.

    relevance: the error of each φ, by its value
    """

    def __init__(self, relevance: dict[Fraction, Fraction] | None = None) -> None:
        self.relevance = relevance or {}

    def exact(self, x: Exact) -> Rounded:
        known = rounded(x)
        if isinstance(x, Fraction) and known.exact is None:  # a rational number, made of counts
            return Rounded(known.real, 16 * U * max(known.size, Fraction(1)))
        return known

    def log(self, x: Exact, b: Exact) -> Rounded:
        """ln x / ln b, each within 1 ulp; an argument that is no double is rounded first."""
        if x == 1:
            return _exactly(ZERO)
        real = WORKING.log(x, b)
        err = 6 * U  # of two logarithms and a quotient
        for argument in (Fraction(x), Fraction(b)):
            if not _is_double(argument):
                err += U / (_least(WORKING.log(argument, 2)) * LN_2)
        return Rounded(real, _size(real) * err * (1 + 6 * U))

    def ln(self, x: Exact) -> Rounded:
        """ln x of a quotient of sums, which has roundings of its own: it is off by some ulp."""
        if x == 1:
            return _exactly(ZERO)
        real = WORKING.ln(x)
        return Rounded(real, 2 * _rounding(_size(real)) + 64 * U)

    def exp2(self, x: Exact) -> Rounded:
        exact = Fraction(x)
        if exact.denominator == 1:
            return rounded(Fraction(2) ** exact.numerator)
        real = WORKING.exp2(exact)
        size = _size(real)
        off = self.relevance.get(exact, rounded(exact).error)
        err = size * off  # (2^off - 1) < off, for off below 1
        return Rounded(real, err + 2 * _rounding(size + err))

    def power(self, x: Exact, a: Exact) -> Rounded:  # no metric has one
        raise NotImplementedError

    def greatest(self, numbers: Sequence[Rounded]) -> Rounded:
        """The greatest, of which the error is that of one of those that it may be."""
        lowest = max(x.real.lower - x.error for x in numbers)
        left = [x for x in numbers if x.real.upper + x.error >= lowest]
        if len(left) == 1 or all(x.exact is not None for x in left):
            return max(left, key=lambda x: x.real.lower)
        return Rounded(WORKING.greatest([x.real for x in left]), max(x.error for x in left))

    def inverse_squares(self, x: Exact) -> Rounded:
        """A trigamma function is good for some units of the last place."""
        real = WORKING.inverse_squares(x)
        return Rounded(real, 16 * _rounding(_size(real)))

    def sqrt(self, x: Rounded) -> Rounded:
        least = _least(x.real) - x.error
        if least <= 0:
            raise NoPromise("is it below 0?")
        real = WORKING.sqrt(x.real)
        err = x.error / _least(WORKING.sqrt(WORKING.exact(least))) / 2
        return Rounded(real, err + _rounding(_size(real) + err))


def _size(x: Enclosure) -> Fraction:
    return _up(max(abs(x.lower), abs(x.upper)))


def _least(x: Enclosure) -> Fraction:
    return ZERO if x.lo <= 0 <= x.hi else min(abs(x.lower), abs(x.upper))


def _rounding(size: Fraction, *, free: bool = False) -> Fraction:
    """The error of a rounding to a number of that size; free: only near 0 there is one."""
    return TINY if free else size * U + TINY


def _up(x: Fraction) -> Fraction:
    """x, or a little more, with few digits."""
    n, d = x.as_integer_ratio()
    excess = max(n.bit_length(), d.bit_length()) - 128
    if excess <= 0 or n == 0:
        return x
    shift = n.bit_length() - d.bit_length() - 64
    scaled = x / Fraction(2) ** shift
    return (scaled.__floor__() + 1) * Fraction(2) ** shift


def _is_double(x: Fraction) -> bool:
    try:
        return Fraction(nearest_double(x)) == x
    except OverflowError:
        return False


def _is_power(x: Fraction | None) -> bool:
    if not x:
        return False
    n, d = abs(x).as_integer_ratio()
    return n & (n - 1) == 0 and d & (d - 1) == 0


def _unit(x: Fraction) -> Fraction | None:
    """The greatest power of 2 that a dyadic rational is a multiple of."""
    n, d = x.as_integer_ratio()
    if d & (d - 1) or n == 0:
        return None
    return Fraction(n & -n, d)


# ---- the value of a case -------------------------------------------------------------------

MOST = 2**20
"""Beyond so many units half of the digits are gone, and there is no promise."""


def max_ulp(facts: Facts, expected: Any) -> int | None:
    """How many doubles from the expected one a value may be; None: doubles promise nothing."""
    doubles = expected if isinstance(expected, list) else [expected]
    try:
        values = [rounded(x) for x in _values(facts)]
        found = [distance(x, float.fromhex(y["hex"])) for x, y in zip(values, doubles, strict=True)]
    except (NoPromise, Undecided):
        return None
    return max(found, default=0)


def distance(x: Rounded, double: float) -> int:
    """How many doubles there are from the right one to the farthest that the value may be."""
    ends = [x.real.lower - x.error, x.real.upper + x.error]
    if isinf(double) or (double == 0 and x.error) or ends[0] <= -HUGE or ends[1] >= HUGE:
        raise NoPromise("0, or beyond the range")
    if x.exact is not None:
        ends = [x.exact]
    found = max(abs(_place(nearest_double(end)) - _place(double)) for end in ends)
    if found > MOST:
        raise NoPromise("hardly a digit is left")
    return found


def _place(x: float) -> int:
    """The place of a double among all of them, 0 having the place 0."""
    (bits,) = unpack(">q", pack(">d", abs(x)))
    return -int(bits) if x < 0 else int(bits)


@plainly()
def _values(facts: Facts) -> list[Any]:
    """The value, one for each cut-off, or the components of a vector."""
    case = facts.case
    if case.name == "mean":
        return [sum(map(rounded, case.labels), rounded(0)) / max(len(case.labels), 1)]
    if case.name == "double":
        n, d = map(rounded, case.labels)
        if n.exact is None or d.exact is None:
            raise NoPromise("no quotient of doubles")
        return [n / d]
    _check_scores(case.given.get("scores", ()))
    measure = facts.measure
    if measure.metric.of_sessions:
        session = facts.session()
        if case.name in VECTORS:
            return list(measure.vector(session, Doubles()))
        return [_at(facts, k).value(session, Doubles()) for k in _cutoffs(facts)]
    ranking = _ranking(facts)
    return [
        m.value(ranking, Doubles(relevance_of(m, ranking)))
        for m in map(partial(_at, facts), _cutoffs(facts))
    ]


def _check_scores(scores: Iterable[Exact]) -> None:
    """Scores that are no doubles may be ranked otherwise."""
    if any(not _is_double(Fraction(x)) for x in scores):
        raise NoPromise("scores that are no doubles")


def _cutoffs(facts: Facts) -> list[Any]:
    return facts.k if isinstance(facts.k, list) else [facts.k]


def _at(facts: Facts, k: int | None) -> Measure:
    return measure_of(facts.case.name, k, facts.given)


def _ranking(facts: Facts) -> Any:
    """The ranking of the case, as the reference takes it."""
    metric = facts.measure.metric
    given = {n: facts.given[n] for n in INPUTS if n in facts.given}
    if metric.of_pool or not metric.judged:
        given.pop("judged", None)
    read = Input(facts.labels, backend="reference", check=False, **given)
    return read.batch_for(metric).ranking(0)


def relevance_of(measure: Measure, ranking: Any) -> dict[Fraction, Fraction]:
    """The error of each φ of a metric that makes relevance of scores, by its value."""
    if measure.metric.labels.relevance is None:
        return {}
    scores = [s for s in (*ranking.labels, *ranking.pool) if s is not None]
    exact = measure.relevance(ranking.pool)
    X, Y, d = through(_control_points(measure, [rounded(s) for s in ranking.pool]))
    errors: dict[Fraction, Fraction] = {}
    for s in scores:
        known = Fraction(exact(s))
        errors[known] = max(errors.get(known, ZERO), rounded(phi(rounded(s), X, Y, d)).error)
    return errors


def _control_points(measure: Measure, pool: list[Rounded]) -> Any:
    if measure.points is not None:
        return [(rounded(s), rounded(y)) for s, y in measure.points]
    return points_of(pool, measure.variant, quartiles_of(measure.variant, measure.quartiles))
