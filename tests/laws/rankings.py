"""Rankings, pools, gains and discounts to hold laws against, and exact sums to check them by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.measure import Metric
from rankspec.metrics.parameters import Parameter

LONGEST = 8
DEPTH = 3 * LONGEST  # of custom weights: no list or pool here is longer

grades = st.integers(0, 4)
seeds = st.integers(0, 100)
eighths = st.integers(0, 80).map(lambda n: n / 8)
numbers = st.one_of(grades, st.integers(0, 10**6), eighths, st.floats(0, 1000))


def lists(labels: st.SearchStrategy, least: int = 0) -> st.SearchStrategy:
    return st.lists(labels, min_size=least, max_size=LONGEST)


graded = lists(grades)
binary = lists(st.integers(0, 1))
signed = lists(st.one_of(st.integers(-3, 4), st.floats(-3, 4)))
thresholds = st.one_of(st.integers(-2, 4), st.floats(-2, 4))
depths = st.integers(1, LONGEST + 3)
cutoffs = st.one_of(st.none(), depths)
norms = st.sampled_from(["R", "min", "k"])
ideals = st.sampled_from(["k", "all", "shown"])

bases = st.one_of(st.sampled_from([2, 3, 4, 10, 1.5, 2.5]), st.floats(1.01, 1000))
weights = st.lists(
    st.one_of(st.floats(0, 8, allow_subnormal=False), st.integers(0, 3)),
    min_size=DEPTH,
    max_size=DEPTH,
).map(lambda w: sorted(w, reverse=True))
rational_discounts = st.one_of(st.sampled_from(["zipf", "none"]), weights)
strict_discounts = st.one_of(
    st.sampled_from(["log2", "zipf"]),
    st.builds("log(b={})".format, bases),
    st.builds("jarvelin-2008(b={})".format, bases),
)
discounts = st.one_of(
    strict_discounts,
    rational_discounts,
    st.builds("jarvelin-2002(b={})".format, bases),
    st.builds("jiang-2016(b={})".format, bases),
)
every_discount = discounts
tables = st.lists(st.one_of(st.integers(0, 100), eighths), min_size=5, max_size=5).map(sorted)

priors = st.one_of(
    st.sampled_from(["discount", "uniform"]),
    discounts.filter(lambda choice: isinstance(choice, str) or choice[0] > 0),
)

control_points = st.lists(
    st.tuples(st.integers(-2, 6), eighths.map(lambda y: min(y / 4, 1))),
    min_size=1,
    max_size=4,
    unique_by=lambda point: point[0],
).map(lambda points: list(zip(*map(sorted, zip(*points, strict=True)), strict=True)))

probabilities = st.integers(0, 16).map(lambda n: n / 16)
stops = st.lists(probabilities, min_size=5, max_size=5).map(sorted)  # of the labels 0 to 4
persistences = st.one_of(st.sampled_from([0.5, 0.8, 0.95]), st.floats(0.01, 0.99))
mixtures = st.lists(st.one_of(st.integers(0, 3), eighths), min_size=1, max_size=5).filter(any)

# The values of a parameter that is no choice of words, for labels that are grades.
VALUES = {
    "gain": st.one_of(st.sampled_from(["linear", "exp2"]), tables),
    "discount": discounts,
    "beta": st.one_of(st.integers(0, 3), eighths),
    "gamma": st.integers(1, 16).map(lambda n: n / 16),
    "max": st.integers(4, 6),
    "max_rel": st.one_of(st.integers(4, 6), st.just(4.5), st.just("pool")),
    "p": persistences,
    "phi": st.integers(1, 16).map(lambda n: n / 16),
    "points": st.one_of(st.none(), control_points),
    "prior": priors,
    "q": mixtures,
    "levels": st.lists(st.sampled_from([0, 0.1, 0.3, 0.7, 1]), min_size=1, max_size=3),
    "weights": st.sampled_from([(1, -1, 0, 0), (2, -0.5, 0, 0), (1, 0.25, 0, 0)]),
    "documents": st.one_of(st.none(), st.just(10**6)),
    "multiple": st.sampled_from([0, 0.2, 0.7, 1, 1.4, 2]),
    "recall": st.sampled_from([0, 0.1, 0.3, 0.5, 0.7, 1]),
    "rel": st.integers(1, 3),
    "stop": st.one_of(st.none(), stops),
    "stops": st.one_of(st.none(), tables),
    "T": st.sampled_from([0.5, 1, 1.5, 3]),
    "hb": st.sampled_from([0, 0.5]),
    "hc": st.sampled_from([0, 1]),
    "med": st.sampled_from([0, 0.5]),
    "normalize": st.booleans(),
}

Choices = dict[tuple[str, tuple[str, ...]], Any]
"""Values by the name of the parameter and its words: metrics that have the same share one."""


@st.composite
def choices(draw: st.DrawFn) -> Choices:
    """A value for every parameter that any metric has."""
    every = {_key(p): p for metric in METRICS for p in metric.parameters.values()}
    return {
        key: draw(st.sampled_from(p.words) if p.words else VALUES[p.name])
        for key, p in every.items()
    }


def chosen_for(metric: Metric, chosen: Choices) -> dict[str, Any]:
    """The values for the parameters of one metric; what is not chosen is left to its default."""
    keys = {name: _key(p) for name, p in metric.parameters.items()}
    found = {name: chosen[key] for name, key in keys.items() if key in chosen}
    if found.get("stop") is not None:  # in the place of the largest label
        del found["max"]
    return found


def _key(parameter: Parameter) -> tuple[str, tuple[str, ...]]:
    return parameter.name, parameter.words


@dataclass(frozen=True)
class Case:
    """Labels in rank order, a pool, a cut-off, and a gain and a discount that fit."""

    labels: list[Any]
    judged: list[Any]
    k: int | None
    gain: Any
    discount: Any

    @property
    def conventions(self) -> dict[str, Any]:
        return {"gain": self.gain, "discount": self.discount}

    @property
    def all(self) -> dict[str, Any]:
        return {"k": self.k, **self.conventions}

    @property
    def depth(self) -> int:
        """The cut-off as a number."""
        return self.k or max(len(self.labels), len(self.judged))


@st.composite
def cases(draw, *, discounts=None, cutoffs=cutoffs, least=0, rational=False, gains=None):
    """Any list and a pool that covers it; with rational gains and discounts where asked for."""
    if gains is None:
        gains = st.one_of(
            st.tuples(st.just("linear"), st.just(numbers)),
            st.tuples(st.just("exp2"), st.just(st.integers(0, 40) if rational else eighths)),
            st.tuples(tables, st.just(grades)),
        )
    gain, label = draw(gains)
    labels, more = draw(lists(label, least)), draw(lists(label))
    if discounts is None:
        discounts = rational_discounts if rational else every_discount
    choice = draw(discounts)
    return Case(labels, draw(st.permutations(labels + more)), draw(cutoffs), gain, choice)


def g(gain: Any, label: Any) -> Fraction:
    """A rational gain, from its definition."""
    if gain == "linear":
        return Fraction(label)
    if gain == "exp2":
        return Fraction(2) ** label - 1
    return Fraction(gain[label])


def d(discount: Any, i: int) -> Fraction:
    """A rational discount, from its definition."""
    if discount == "zipf":
        return Fraction(1, i)
    if discount == "none":
        return Fraction(1)
    return Fraction(discount[i - 1])


def exact_dcg(labels: list[Any], case: Case) -> Fraction:
    """DCG@k of a rational case, from its definition."""
    return sum(
        (g(case.gain, r) * d(case.discount, i) for i, r in enumerate(labels[: case.k], start=1)),
        Fraction(0),
    )


def double(x: Fraction) -> float:
    """The double nearest to a rational number."""
    return x.numerator / x.denominator


def pair(n: int, i: int, j: int) -> tuple[int, int]:
    """Two ranks i < j <= n, n >= 2, from any two whole numbers."""
    i = i % (n - 1) + 1
    return i, i + 1 + j % (n - i)


def swapped(items: list[Any], i: int, j: int) -> list[Any]:
    """The items with those at the ranks i and j exchanged."""
    result = list(items)
    result[i - 1], result[j - 1] = items[j - 1], items[i - 1]
    return result


def replaced(items: list[Any], i: int, item: Any) -> list[Any]:
    """The items with another one at rank i."""
    return [*items[: i - 1], item, *items[i:]]


def unit(i: int) -> list[int]:
    """One item of label 1 at rank i, none above: its DCG is the discount of that rank."""
    return [0] * (i - 1) + [1]


def _loses_by_hits(m: Any) -> bool:
    w_1, w_2, w_3, w_4 = m.weights
    return w_1 - w_2 - w_3 + w_4 < 0


def _always(_: Any) -> bool:
    return True


UNORDERED: dict[str, Callable[[Any], bool]] = {
    "RBP_residual": _always,
    "GRBP_residual": _always,
    "Unjudged": _always,
    "NumNonrelRet": _always,
    "AUC": lambda m: m.k is not None,
    "AP": lambda m: m.norm == "hits",
    "NCU": lambda m: m.stopping == "graded",
    "P_measure": _always,
    "P_plus": _always,
    "EBR": _always,
    "G": _always,
    "BPM": _always,
    "infAP": _always,
    "Utility": _loses_by_hits,
}
"""The exceptions of RS-TIE-2/L2: whether a measure is one, by the name of its metric.

tests/exhaustive/test_tie_rules.py holds these names against the table of the spec, and finds a
counterexample for each.
"""


def is_unordered(measure: Any) -> bool:
    """Return True if "best" and "worst" need not give its extremes (RS-TIE-2/L2)."""
    exception = UNORDERED.get(measure.metric.name)
    return exception is not None and exception(measure)
