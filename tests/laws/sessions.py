"""Sessions to hold laws against, and their metrics once more: place by place, by definition.

The place (q, i) is rank i of query q. Every vector is evaluated as a sum over the places up to each
of its own, nothing is cumulated; numbers are exact fractions, or balls where a logarithm is
irrational.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint
from hypothesis import strategies as st

from ..reference.balls import ball, exp2, log, nearest
from .rankings import bases, double, eighths, grades, tables

QUERIES, RESULTS, DOCUMENTS = 4, 4, 5  # the most that a session here has

Number = Any  # a Fraction or a ball
Place = tuple[int, int]
LOG2 = {"log2": "log(b=2)"}


# ---- discounts and gains, from their definitions -------------------------------------------


def logarithm(x: Any, b: Any) -> Number:
    """log_b x: exact where it is a fraction of small terms, else a ball."""
    e = Fraction(math.log(x) / math.log(b)).limit_denominator(9)
    known = e.numerator < 99 and x**e.denominator == b**e.numerator
    return e if known else log(x, b)


def discount(choice: Any) -> Callable[[int], Number]:
    """The discount of a rank or of the number of a query."""
    if not isinstance(choice, str):
        return lambda i: Fraction(choice[i - 1])
    if choice in ("none", "zipf"):
        return lambda i: Fraction(1, i if choice == "zipf" else 1)
    kind, base = re.fullmatch(r"([a-z]+(?:-\d+)?)\(b=(.*)\)", LOG2.get(choice, choice)).groups()
    b = Fraction(int(base) if base.isdigit() else float(base))
    return {
        "log": lambda i: 1 / logarithm(i + 1, b),
        "jarvelin-2008": lambda i: 1 / (1 + logarithm(i, b)),
        "jarvelin-2002": lambda i: Fraction(1) if i < b else 1 / logarithm(i, b),
        "jiang-2016": lambda i: 1 / logarithm(i + b - 1, b),
    }[kind]


def gain(choice: Any) -> Callable[[Any], Number]:
    if choice == "linear":
        return Fraction
    if choice == "exp2":
        return lambda r: Fraction(2) ** int(r) - 1 if r == int(r) else exp2(r) - 1
    return lambda r: Fraction(choice[r])


def times(*factors: Number) -> Number:
    """A product; exact as long as all factors are."""
    if 0 in (x for x in factors if isinstance(x, Fraction)):
        return Fraction(0)
    if all(isinstance(x, Fraction) for x in factors):
        return math.prod(factors)
    return math.prod(map(as_ball, factors), start=ball(1))


def total(terms: Sequence[Number]) -> Number:
    """A sum; exact as long as all terms are."""
    if all(isinstance(x, Fraction) for x in terms):
        return sum(terms, Fraction(0))
    return sum(map(as_ball, terms), start=ball(0))


def quotient(x: Number, y: Number) -> Number:
    """x / y, and 0 where y = 0."""
    if isinstance(y, Fraction):
        return times(x, 1 / y) if y else Fraction(0)
    return times(x, 1 / y)


def as_ball(x: Number) -> flint.arb:
    return x if isinstance(x, flint.arb) else ball(x)


def greater(x: Number, y: Number) -> bool:
    """Whether x > y; balls that overlap are those of equal numbers."""
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return x > y
    return bool(as_ball(x) > as_ball(y))


def rounded(x: Number) -> float:
    """The nearest double."""
    return double(x) if isinstance(x, Fraction) else nearest(x)


# ---- a session with everything that its metrics take ----------------------------------------


@dataclass(frozen=True)
class Case:
    """The documents that each query shows, the label of each, and how they count.

    label: those of the documents 0, 1, 2, ...; judged: the pool, None: the documents shown
    """

    queries: Sequence[Sequence[int]]
    label: Sequence[Any]
    judged: Sequence[Any] | None = None
    k: int | None = None
    gain: Any = "linear"
    discount: Any = "jarvelin-2008(b=2)"
    query_discount: Any = "jarvelin-2008(b=4)"
    repeats: Any = 1
    padding: Any = "X"
    ideal: str = "repeated"

    def but(self, **changed: Any) -> Case:
        return replace(self, **changed)

    @property
    def labels(self) -> list[list[Any]]:
        return [[self.label[x] for x in ranked] for ranked in self.queries]

    @property
    def ids(self) -> list[list[int]]:
        return [list(ranked) for ranked in self.queries]

    @property
    def pool(self) -> list[Any]:
        if self.judged is not None:
            return list(self.judged)
        return [self.label[x] for x in sorted({x for ranked in self.queries for x in ranked})]

    def arguments(self, function: str) -> dict[str, Any]:
        """The named arguments of a function of a session."""
        names = [*_SHOWN, *_TAKES.get(function, ())]
        if function.startswith("isdcg"):
            names.remove("repeats")
        if function == "query_ndcg":
            names.remove("query_discount")
        given = {name: getattr(self, name) for name in names}
        return {**given, "judged": self.pool} if function in _POOLED else given


_SHOWN = ("ids", "k", "gain", "discount", "query_discount", "repeats")
_TAKES = {
    "avg_sdcg": ("padding",),
    "sdcg_vector": ("padding",),
    "query_ndcg": ("padding",),
    **dict.fromkeys(
        ("isdcg", "nsdcg", "avg_nsdcg", "isdcg_vector", "nsdcg_vector"), ("padding", "ideal")
    ),
}
_POOLED = ("isdcg", "nsdcg", "avg_nsdcg", "isdcg_vector", "nsdcg_vector", "query_ndcg")


@dataclass(frozen=True)
class By:
    """A case by definition. pooled: whether the metric is one that has a pool (RS-CONV-2)."""

    case: Case
    pooled: bool = True

    @cached_property
    def X(self) -> int:
        case = self.case
        if case.k is not None:
            return case.k
        lengths = [len(ranked) for ranked in case.queries] + [len(case.pool)] * self.pooled
        return max(lengths, default=0)

    @cached_property
    def ranks(self) -> list[int]:
        least = self.X if self.case.padding == "X" else min(self.case.padding, self.X)
        return [max(min(len(ranked), self.X), least) for ranked in self.case.queries]

    @cached_property
    def places(self) -> list[Place]:
        return [(q, i) for q, L in enumerate(self.ranks, start=1) for i in range(1, L + 1)]

    @cached_property
    def seen(self) -> list[Place]:
        """The places of results that are looked at."""
        return [
            (q, i)
            for q, ranked in enumerate(self.case.queries, start=1)
            for i in range(1, len(ranked) + 1)
            if i <= self.X
        ]

    def weight(self, place: Place) -> Number:
        q, i = place
        return times(discount(self.case.query_discount)(q), discount(self.case.discount)(i))

    def document(self, place: Place) -> int:
        q, i = place
        return self.case.queries[q - 1][i - 1]

    def gain(self, place: Place) -> Number:
        """What is gained at a place, before it is discounted."""
        if place not in self.seen:
            return Fraction(0)
        x = self.document(place)
        again = sum(self.document(other) == x for other in self.seen if other < place)
        factor = {"every": 1, "first": 0}.get(self.case.repeats, self.case.repeats)
        return times(gain(self.case.gain)(self.case.label[x]), Fraction(factor) ** again)

    @cached_property
    def arrangement(self) -> dict[Place, Any]:
        """{place: the label that the ideal session has there}"""
        best = sorted(self.case.pool, reverse=True)
        if self.case.ideal == "repeated":
            position = {(q, i): i - 1 for q, i in self.places}
        elif self.case.ideal == "spread":
            position = {place: sum(x < place for x in self.places) for place in self.places}
        else:
            weight = {place: self.weight(place) for place in self.places}
            position = {
                place: sum(
                    greater(weight[x], weight[place])
                    or (x < place and not greater(weight[place], weight[x]))
                    for x in self.places
                )
                for place in self.places
            }
        return {place: best[p] for place, p in position.items() if p < len(best)}

    def ideal_gain(self, place: Place) -> Number:
        shows = self.arrangement
        return gain(self.case.gain)(shows[place]) if place in shows else Fraction(0)

    def _sum(self, gain_at: Callable[[Place], Number], places: Sequence[Place]) -> Number:
        return total([times(gain_at(place), self.weight(place)) for place in places])

    def up_to(self, last: Place) -> list[Place]:
        return [place for place in self.places if place <= last]

    @property
    def sdcg(self) -> Number:
        return self._sum(self.gain, self.seen)

    @property
    def isdcg(self) -> Number:
        return self._sum(self.ideal_gain, self.places)

    @property
    def nsdcg(self) -> Number:
        return quotient(self.sdcg, self.isdcg)

    @property
    def sdcg_vector(self) -> list[Number]:
        return [self._sum(self.gain, self.up_to(place)) for place in self.places]

    @property
    def isdcg_vector(self) -> list[Number]:
        return [self._sum(self.ideal_gain, self.up_to(place)) for place in self.places]

    @property
    def nsdcg_vector(self) -> list[Number]:
        return list(map(quotient, self.sdcg_vector, self.isdcg_vector))

    @property
    def query_sdcg_vectors(self) -> list[list[Number]]:
        """sDCG(q)[i] of each query at each of its results."""
        return [
            [
                self._sum(self.gain, [(q, j) for j in range(1, i + 1)])
                for p, i in self.seen
                if p == q
            ]
            for q, _ in enumerate(self.case.queries, start=1)
        ]

    @property
    def query_sdcg(self) -> list[Number]:
        return [
            self._sum(self.gain, [place for place in self.seen if place[0] == q])
            for q, _ in enumerate(self.case.queries, start=1)
        ]

    @property
    def query_ndcg(self) -> list[Number]:
        g, d = gain(self.case.gain), discount(self.case.discount)
        best = sorted(self.case.pool, reverse=True)
        values = []
        for q, L in enumerate(self.ranks, start=1):
            shown = [times(self.gain((p, i)), d(i)) for p, i in self.seen if p == q]
            ideal = [times(g(r), d(i)) for i, r in enumerate(best[:L], start=1)]
            values.append(quotient(total(shown), total(ideal)))
        return values

    @property
    def query_ndcg_of_means(self) -> list[Number]:
        """The gain of a rank on average, weighted by d, over that of the ideal list's ranks."""
        g, d = gain(self.case.gain), discount(self.case.discount)
        best = sorted(self.case.pool, reverse=True)[: self.X]
        least = self.X if self.case.padding == "X" else min(self.case.padding, self.X)

        def average(terms: list[Number], ranks: int) -> Number:
            return quotient(total(terms), total([d(i) for i in range(1, ranks + 1)]))

        ideal = average([times(g(r), d(i)) for i, r in enumerate(best, 1)], max(len(best), least))
        return [
            quotient(
                average([times(self.gain((p, i)), d(i)) for p, i in self.seen if p == q], L), ideal
            )
            for q, L in enumerate(self.ranks, start=1)
        ]


def mean(values: Sequence[Number]) -> Number:
    return quotient(total(values), Fraction(len(values)))


def over(values: Sequence[Number], which: str) -> float:
    """One number of those of the queries, as a double."""
    if which in ("mean", "non-last"):
        return rounded(mean(values if which == "mean" else values[:-1]))
    if which == "sum":
        return rounded(total(values))
    doubles = [rounded(x) for x in values] or [0.0]
    return {"best": max(doubles), "worst": min(doubles), "first": doubles[0], "last": doubles[-1]}[
        which
    ]


OVER = ("mean", "sum", "best", "worst", "first", "last", "non-last")


# ---- strategies ------------------------------------------------------------------------------

depths = st.one_of(st.none(), st.integers(1, RESULTS + 2))
deltas = st.one_of(st.sampled_from([0, 1, 0.5, "every", "first"]), st.floats(0, 1))
fractional = st.sampled_from([0, Fraction(1, 3), 0.25, 0.5, 1])  # what is left, as a rational
paddings = st.one_of(st.just("X"), st.integers(0, RESULTS + 2))
ideals = st.sampled_from(["repeated", "spread", "greatest"])

weights = st.lists(st.integers(0, 4), min_size=6, max_size=6).map(
    lambda steps: [sum(steps[i:]) / 4 for i in range(5)] + [steps[-1] / 4] * 35
)
rational_discounts = st.one_of(st.sampled_from(["zipf", "none"]), weights)
strict_discounts = st.one_of(
    st.sampled_from(["zipf", "log2", "jarvelin-2008(b=2)", "jiang-2016(b=4)"]),
    st.builds("jarvelin-2008(b={})".format, bases.filter(lambda b: b < 1000)),
    st.builds("jiang-2016(b={})".format, bases),
)
any_discounts = st.one_of(rational_discounts, strict_discounts)


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    rational: bool = False,
    least: int = 0,
    discounts: Any = None,
    query_discounts: Any = None,
    again: bool = True,
    **fixed: Any,
) -> Case:
    """Any session, and a pool that covers it.

    rational: every number is a fraction; least: how many queries there are at least
    again: whether documents may come again; fixed: what is not drawn
    """
    choice = draw(st.sampled_from(["linear", "exp2", "table"]))
    label = {"linear": st.one_of(grades, eighths), "exp2": grades, "table": grades}[choice]
    known = draw(st.lists(label, min_size=DOCUMENTS * (1 if again else 3), max_size=DOCUMENTS * 3))
    documents = st.integers(0, (DOCUMENTS if again else len(known)) - 1)
    query = st.lists(documents, max_size=RESULTS, unique=True)
    queries = draw(st.lists(query, min_size=least, max_size=QUERIES))
    if not again:  # each document where it is shown first
        seen: set[int] = set()
        queries = [[x for x in ranked if not (x in seen or seen.add(x))] for ranked in queries]
    shown = [known[x] for x in sorted({x for ranked in queries for x in ranked})]
    ranks = discounts or (rational_discounts if rational else any_discounts)
    positions = query_discounts or (rational_discounts if rational else any_discounts)
    drawn = {
        "judged": st.lists(label, max_size=4).flatmap(lambda more: st.permutations(shown + more)),
        "k": depths,
        "gain": st.just(choice) if choice != "table" else tables,
        "discount": ranks,
        "query_discount": positions,
        "repeats": fractional if rational else deltas,
        "padding": paddings,
        "ideal": ideals,
    }
    chosen = {name: fixed[name] if name in fixed else draw(s) for name, s in drawn.items()}
    return Case(queries, known, **chosen)
