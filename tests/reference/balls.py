"""python-flint's arb as an independent judge of real numbers: exact ends, exact inputs."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

import flint


def ball(x) -> flint.arb:
    """An exact input as a ball of the working precision of ``flint.ctx``."""
    number = Fraction(x)
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def ends_of(x: flint.arb) -> tuple[Fraction, Fraction]:
    """The ends of a ball, exactly."""
    middle, radius = (
        Fraction(int(m)) * Fraction(2) ** int(e) for m, e in (x.mid().man_exp(), x.rad().man_exp())
    )
    return middle - radius, middle + radius


def nearest(x: flint.arb) -> float:
    """The double that is nearest to each number of a ball."""
    low, high = (end.numerator / end.denominator for end in ends_of(x))
    assert low == high, "more bits are needed"
    return low


def log(x, b) -> flint.arb:
    return ball(x).log() / ball(b).log()


def exp2(x) -> flint.arb:
    return flint.arb(2) ** ball(x)


class Balls:
    """The reals of the spec, read as balls."""

    def exact(self, x) -> flint.arb:
        return ball(x)

    def log(self, x, b) -> flint.arb:
        return log(x, b)

    def ln(self, x) -> flint.arb:
        return ball(x).log()

    def exp2(self, x) -> flint.arb:
        return exp2(x)

    def power(self, x, a) -> flint.arb:
        return ball(x) ** ball(a)

    def greatest(self, numbers) -> flint.arb:
        return reduce(flint.arb.max, numbers)

    def inverse_squares(self, x) -> flint.arb:
        return flint.arb(2).zeta(ball(x))

    def sqrt(self, x) -> flint.arb:
        return x.sqrt()
