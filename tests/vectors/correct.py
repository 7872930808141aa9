"""Correct implementations: the same metrics in other arithmetic, each as somebody might have it.

They differ in the order of sums, in the logarithm and the power that they call, in what they divide
by what and when, and in the precision that they work in. All of them must meet every required case
within its `max_ulp`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from .doubles import Doubles, Measure
from .named import named

CORRECT: dict[str, type[Doubles]] = {"forward sums, log2": Doubles}
"""Implementations by what is particular of them."""

correct = named(CORRECT)


# ---- the order of a sum


@correct("backward sums")
class Backward(Doubles):
    def total(self, terms: Sequence[Any]) -> Any:
        return super().total(list(reversed(terms)))


@correct("sums of rising terms")
class Rising(Doubles):
    def total(self, terms: Sequence[Any]) -> Any:
        return super().total(sorted(terms))


@correct("sums of falling terms")
class Falling(Doubles):
    def total(self, terms: Sequence[Any]) -> Any:
        return super().total(sorted(terms, reverse=True))


@correct("pairwise sums")
class Pairwise(Doubles):
    def total(self, terms: Sequence[Any]) -> Any:
        if len(terms) < 2:
            return super().total(terms)
        half = len(terms) // 2
        return self.total(terms[:half]) + self.total(terms[half:])


@correct("sums in four lanes, as a vector unit has them")
class Lanes(Doubles):
    def total(self, terms: Sequence[Any]) -> Any:
        a, b, c, d = (super(Lanes, self).total(terms[lane::4]) for lane in range(4))
        return (a + b) + (c + d)


@correct("Kahan's sums")
class Kahan(Doubles):
    def total(self, terms: Sequence[Any]) -> Any:
        total = lost = 0.0
        for x in terms:
            y = x - lost
            following = total + y
            lost = (following - total) - y
            total = following
        return total


@correct("math.fsum")
class Fsum(Doubles):
    def total(self, terms: Sequence[Any]) -> Any:
        return math.fsum(terms)


# ---- logarithms and powers


@correct("log(i + 1)/log(2)")
class Natural(Doubles):
    def log(self, x: Any, b: Any) -> Any:
        return math.log(x) / math.log(b)


@correct("math.log(i + 1, b)")
class OfTwo(Doubles):
    def log(self, x: Any, b: Any) -> Any:
        return math.log(x, b)


@correct("log10(i + 1)/log10(2)")
class Decimal(Doubles):
    def log(self, x: Any, b: Any) -> Any:
        return math.log10(x) / math.log10(b)


@correct("log1p(i) · (1/ln 2)")
class Log1p(Doubles):
    def log(self, x: Any, b: Any) -> Any:
        return math.log1p(x - 1) * (1 / math.log(b))


@correct("gain · log(2)/log(i + 1), divided last")
class DividedLast(Doubles):
    def term(self, gain: Any, d: Measure, i: int) -> Any:
        if d["kind"] == "log":
            return gain * math.log(d["base"]) / math.log(i + 1)
        return super().term(gain, d, i)


@correct("gain divided by the logarithm, not multiplied by a discount")
class Divided(Doubles):
    def term(self, gain: Any, d: Measure, i: int) -> Any:
        if d["kind"] == "log":
            return gain / self.log_rank(i, d["base"])
        return super().term(gain, d, i)


@correct("2^r by shifts of whole labels, expm1 else")
class Shifts(Doubles):
    def exponential(self, r: Any) -> Any:
        if r == int(r):
            return float((1 << int(r)) - 1)
        return math.expm1(r * math.log(2))


@correct("2^r by ldexp, exp(r ln 2) else")
class Ldexp(Doubles):
    def power_of_two(self, x: Any) -> Any:
        whole = math.floor(x)
        return math.ldexp(math.exp((x - whole) * math.log(2)), whole)


@correct("2^r by math.pow, log2 by frexp")
class Frexp(Doubles):
    def log(self, x: Any, b: Any) -> Any:
        mantissa, e = math.frexp(x)
        log2 = math.log(2 * mantissa) / math.log(2) + (e - 1)
        return log2 if b == 2 else log2 / super().log(b, 2)

    def power_of_two(self, x: Any) -> Any:
        return math.pow(2, x)


# ---- what is divided when


@correct("each term over the ideal, then summed")
class TermByTerm(Doubles):
    def ndcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        best = self.best_dcg(x, judged, k, m)
        gains = self.gains(x, k, m)
        terms = [self.term(g, m["discount"], i) for i, g in enumerate(gains, start=1)]
        return self.total([self.quotient(term, best) for term in terms])


@correct("times the reciprocal of the ideal")
class Reciprocal(Doubles):
    def quotient(self, x: Any, y: Any) -> Any:
        return x * (1 / y) if y else 0.0


@correct("gains scaled by a power of two first")
class Scaled(Doubles):
    def ndcg(self, x: Any, judged: Any, k: int, m: Measure) -> Any:
        if m["ideal"] == "perfect" or not judged:
            return super().ndcg(x, judged, k, m)
        scale = 2.0 ** -math.frexp(self.gain(max(judged), m))[1]
        depth = self.depth_of_ideal(x, judged, k, m)

        def scaled(labels: Sequence[Any], n: int) -> Any:
            gains = [g * scale for g in self.gains(labels, n, m)]
            return self.sum_of_gains(gains, m["discount"])

        return self.quotient(scaled(x, k), scaled(self.falling(judged), depth))


@correct("running means of precision")
class Running(Doubles):
    def sp(self, x: Any, _: Any, k: int, m: Measure) -> Any:
        found, total = 0, 0.0
        for i, R in enumerate(self.relevant(x, k, m), start=1):
            found += R
            total += R * (found / i)
        return total

    def mean(self, values: Sequence[Any]) -> Any:
        mean = 0.0
        for n, x in enumerate(values, start=1):
            mean += (x - mean) / n
        return mean


@correct("persistence by Horner's rule, 1 - p within the sum")
class Horner(Doubles):
    def of_persistence(self, seen: Sequence[bool], m: Measure) -> Any:
        p = float(self.read(m["p"]))
        total = 0.0
        for R in reversed(seen):
            total = total * p + R * (1 - p)
        return total


# ---- precision


@correct("numpy: arrays, log2 and sum of these")
class Numpy(Doubles):
    def number(self, x: Any) -> Any:
        return np.float64(x)

    def total(self, terms: Sequence[Any]) -> Any:
        return np.sum(np.array(terms, dtype=np.float64))

    def log(self, x: Any, b: Any) -> Any:
        return np.log2(np.float64(x)) / np.log2(np.float64(b))

    def power_of_two(self, x: Any) -> Any:
        return np.exp2(np.float64(x))

    def sum_of_gains(self, gains: Sequence[Any], d: Measure) -> Any:
        discounts = np.array([self.discount(d, i) for i in range(1, len(gains) + 1)])
        return np.dot(np.array(gains, dtype=np.float64), discounts.astype(np.float64))


@correct("long double, rounded at the end")
class LongDouble(Doubles):
    def number(self, x: Any) -> Any:
        return np.longdouble(x)

    def log(self, x: Any, b: Any) -> Any:
        return np.log(np.longdouble(x)) / np.log(np.longdouble(b))

    def power_of_two(self, x: Any) -> Any:
        return np.exp2(np.longdouble(x))

    def root(self, x: Any) -> Any:
        return np.sqrt(np.longdouble(x))


@correct("multiplied and added in one rounding")
class Fused(Doubles):
    def sum_of_gains(self, gains: Sequence[Any], d: Measure) -> Any:
        total = 0.0
        for i, g in enumerate(gains, start=1):
            exact = Fraction(total) + Fraction(g) * Fraction(self.discount(d, i))
            total = exact.numerator / exact.denominator
        return total


@correct("ldexp, log(x)/log(b), falling sums, reciprocals")
class Together(Falling, Natural, Ldexp, Reciprocal):
    pass
