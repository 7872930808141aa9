"""What each rank adds to a total, and the other numbers of its ranks, in nearest doubles.

Nothing is computed in a second way: the reference's own equation adds up the total, in numbers that
keep their summands (:mod:`rankspec.analysis.explain.summands`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from ...metrics.breakdown import Column, LinearVariance, Numbers, VarianceForm
from ...metrics.measure import Divisor, Measure, Ranking, Reading
from ...records import replace
from ...reference.numbers.enclosure import Enclosures
from ...reference.numbers.reals import Exact, Number, Reals
from ...reference.numerics import Value, nearest_double_of
from ...reference.ties import placed
from .summands import InSummands, summands


def last_rank(measure: Measure, ranking: Ranking) -> int:
    """The cut-off as a number, or all ranks where these count whatever it is."""
    counted = replace(measure, k=None) if measure.metric.breakdown.whole else measure
    return counted.depth(ranking.length, len(ranking.pool))


class Contributions:
    """The numbers of a ranking, each the double nearest to what the reference says."""

    def __init__(self, measure: Measure, ranking: Ranking, k: int | None = None) -> None:
        """k: the cut-off; None: the measure's."""
        self.measure = measure
        self.ranking = ranking
        self.breakdown = measure.metric.breakdown
        self.k = last_rank(measure, ranking) if k is None else k
        self.equation: Reading = (
            measure.metric.quotient.total if measure.metric.quotient else measure.metric.expected
        )
        self._readings: dict[int | None, Reals] = {}
        self._terms: dict[Reals, dict[int, Number]] = {}
        self._sums: dict[Reals, list[Number]] = {}
        self._columns: dict[tuple[Column, Reals], Numbers] = {}

    def total(self) -> float:
        return self._nearest(lambda R: self.equation(self.measure, self.ranking, self.k, R))

    def rest(self) -> float | None:
        """The summand that is no rank's, where there is one."""
        if not self.breakdown.rest:
            return None
        if self.breakdown.by_cutoff:
            return self._nearest(lambda R: self._up_to(0, R))
        return self._nearest(lambda R: self._parts(R)[-1])

    def contribution(self, i: int) -> float:
        """What a rank adds to the total."""
        if self.breakdown.by_cutoff:
            if i > self.ranking.length or not self.breakdown.adds(self.measure, self._group(i)):
                return 0.0
            return self._nearest(lambda R: self._up_to(i, R) - self._up_to(i - 1, R))
        return self._nearest(lambda R: self.terms(R).get(i, 0))

    def running(self, i: int) -> float:
        """The total up to a rank."""
        if self.breakdown.by_cutoff:
            return self._nearest(lambda R: self._up_to(min(i, self.ranking.length), R))
        return self._nearest(lambda R: self.sums(R)[min(i, len(self.sums(R)) - 1)])

    def number(self, column: Column, i: int) -> float | None:
        """The number of a column at a rank; None: it has none there."""
        empty = False

        def value(R: Reals) -> Number:
            nonlocal empty
            found = self._numbers(column, R)(i)
            empty = found is None
            return 0 if empty else found

        found = self._nearest(value)
        return None if empty else found

    def divisors(self) -> dict[str, float]:
        """What the total is divided by, by name."""
        quotient = self.measure.metric.quotient
        found = quotient.divisors if quotient else ()
        return {d.name(self.measure): self._divisor(d, self.k) for d in found}

    def expected(self, i: int) -> float | None:
        """The divisor that grows with the list, for a list that ends with rank i."""
        quotient = self.measure.metric.quotient
        for divisor in quotient.divisors if quotient else ():
            if divisor.by_rank and i <= min(self.k, self.ranking.length):
                return self._divisor(divisor, i)
        return None

    def terms(self, R: Reals) -> dict[int, Number]:
        """What each rank adds to the total, where the equation has a summand for it."""
        if R not in self._terms:
            terms: dict[int, Number] = {}
            for part, ranks in zip(self._parts(R), self._places(), strict=False):
                for i in ranks:
                    own = part / len(ranks)
                    terms[i] = terms[i] + own if i in terms else own
            self._terms[R] = terms
        return self._terms[R]

    def sums(self, R: Reals) -> list[Number]:
        """The sums of the terms up to each rank: those of rank i are the i-th, from 0."""
        if R not in self._sums:
            terms = self.terms(R)
            last = max(terms, default=0)
            terms_in_order = (terms.get(i, 0) for i in range(1, last + 1))
            self._sums[R] = list(accumulate(terms_in_order, initial=R.exact(0)))
        return self._sums[R]

    def _group(self, i: int) -> Sequence[Exact]:
        """The labels of the tie group that has the rank."""
        return next(group for s, n, _, group in placed(self.ranking.groups, i) if s < i <= s + n)

    def _up_to(self, i: int, R: Reals) -> Number:
        if i == 0 and not self.breakdown.rest:
            return R.exact(0)
        return self.equation(self.measure, self.ranking, i, R)

    def _parts(self, R: Reals) -> list[Number]:
        return summands(self.equation(self.measure, self.ranking, self.k, InSummands(R)))

    def _places(self) -> Iterator[Sequence[int]]:
        return self.breakdown.places(self.measure, self.ranking, self.k)

    def _numbers(self, column: Column, R: Reals) -> Numbers:
        if (column, R) not in self._columns:
            self._columns[column, R] = column.numbers(self, R)
        return self._columns[column, R]

    def _divisor(self, divisor: Divisor, k: int) -> float:
        return self._nearest(lambda R: divisor.reading(self.measure, self.ranking, k, R))

    def _nearest(self, value: Value) -> float:
        """A reading serves all ranks: enclosures remember the logarithms they know."""

        def remembering(reals: Reals) -> Number:
            precision = reals.precision if isinstance(reals, Enclosures) else None
            return value(self._readings.setdefault(precision, reals))

        return nearest_double_of(remembering)


def numbers_of_variance(
    form: VarianceForm, variance: Measure, mean: Reading, pool: Ranking, k: int
) -> dict[str, float]:
    """The numbers that the closed form of a variance is made of, of a pool in any order.

    mean: the reading of E[A]
    """
    if isinstance(form, LinearVariance):
        return _numbers_of_linear_variance(form, variance.inner, pool, k)

    def square(R: Reals) -> Number:
        E = mean(variance, pool, k, R)
        return variance.metric.plain(variance, pool, k, R) + E * E

    return {"E[A^2]": nearest_double_of(square)}


def _numbers_of_linear_variance(
    form: LinearVariance, measure: Measure, pool: Ranking, k: int
) -> dict[str, float]:
    """The variance of the gains, the sum of the factors, and that of their squares.

    Spec: RS-EXP-20
    """
    ranks = range(1, min(k, pool.length) + 1)

    def variance_of_gains(R: Reals) -> Number:
        gains = list(map(form.gain(measure, pool, R), pool.labels))
        if not gains:  # of the empty pool (RS-EXP-20)
            return R.exact(0)
        average = sum(gains, R.exact(0)) / len(gains)
        return sum(((x - average) * (x - average) for x in gains), R.exact(0)) / len(gains)

    def factors(R: Reals) -> list[Number]:
        return list(map(form.factor(measure, R), ranks))

    return {
        "variance of gains": nearest_double_of(variance_of_gains),
        "sum": nearest_double_of(lambda R: sum(factors(R), R.exact(0))),
        "sum of squares": nearest_double_of(lambda R: sum((x * x for x in factors(R)), R.exact(0))),
    }
