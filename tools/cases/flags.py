"""Why cases exist: each flag is a reason in words, and a check that the reason holds."""

from __future__ import annotations

import struct
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from itertools import chain, pairwise, permutations, product
from math import floor, inf, log, nextafter
from operator import add
from statistics import median
from typing import Any

from rankspec.certify import certified
from rankspec.metrics.grammar import measures
from rankspec.metrics.measure import Measure
from rankspec.metrics.precision import NORM, ROUNDING
from rankspec.metrics.relevance import QUARTILES, VARIANT, quartiles_of
from rankspec.reference.numerics import exact_sum, mean, nearest_double, nearest_double_of
from rankspec.reference.relevance import Points, points_of, upper_whisker
from rankspec.reference.ties import RULES

from .facts import Facts, double_loop, midpoint_distance
from .laws import as_its_laws_say

LOGARITHMIC = ("log", "jarvelin-2008", "jarvelin-2002")
WITH_BASE = (*LOGARITHMIC, "jiang-2016")
NORMS_OF_POOL = ("R", "min", "k")  # those of AP that do not ask the list


def _straddles(facts: Facts) -> bool:
    ends = [0]
    for group in facts.groups:
        ends.append(ends[-1] + len(group))
    return any(s < facts.k < end and facts.differs(k=end) for s, end in pairwise(ends))


def _rounds_to(double: Callable[[float], bool]) -> Callable[[Facts], bool]:
    return lambda facts: double(facts.value)


def _weighted(facts: Facts, kind: str) -> bool:
    return bool(facts.measure.discount.kind == kind)


def _by_ranks(facts: Facts, ranks: Callable[[int], bool]) -> bool:
    return any(label and ranks(i) for i, label in enumerate(facts.labels, start=1))


def _distinct(facts: Facts, **alternatives: Any) -> bool:
    """Whether the value differs for each of the values of one parameter."""
    ((name, choices),) = alternatives.items()
    values = [facts.double(**{name: choice}) for choice in choices]
    return len(set(values)) == len(values)


def _by_decimals(facts: Facts) -> Fraction:
    """CG of the labels read as the decimals that they are written with."""
    return sum((Fraction(repr(label)) for label in facts.labels[: facts.k]), Fraction(0))


def _by_decimals_of_level(facts: Facts) -> bool:
    """Whether the level as a decimal asks for another number of relevant items."""
    m = facts.measure
    N_p = sum(x >= m.rel for x in facts.pool)
    added = Fraction(9, 10) if m.rounding == "plus-0.9" else Fraction(1, 2)
    c = floor(Fraction(repr(m.recall)) * N_p + added)
    return bool(facts.differs(recall=Fraction(c, N_p), rounding="up"))


def _off_by_one(facts: Facts) -> bool:
    naive = double_loop(facts)
    return naive in (nextafter(facts.value, inf), nextafter(facts.value, -inf))


def _without_last(facts: Facts) -> float:
    """The value of the list that shows one result less; the pool stays."""
    judged = facts.pool if facts.measure.metric.judged else None
    return float(facts.double(labels=facts.labels[:-1], judged=judged))


def _ideal(facts: Facts, ideal: str, pool: list[Any] | None = None) -> float:
    """ILDCG without Z, by either ideal."""
    labels = facts.pool if pool is None else pool
    return float(facts.double(name="ILDCG", labels=labels, Z="none", ideal=ideal))


def _with_gain(facts: Facts) -> list[Any]:
    """The items of the pool that have a gain, best first."""
    return [x for x in sorted(facts.pool, reverse=True) if not facts.measure.gain.is_zero(x)]


def _best_lengths(facts: Facts) -> int:
    """How many of the lists that an ideal ranking begins with have the greatest LDCG."""
    falling = sorted(facts.pool, reverse=True)[: facts.k]
    values = [
        facts.certified(name="LDCG", labels=falling[:N], Z="none").exact
        for N in range(1, len(falling) + 1)
    ]
    known = [x for x in values if x is not None]
    return known.count(max(known)) if len(known) == len(values) else 0


def _points(facts: Facts, variant: str | None = None) -> Points:
    """The control points of the pool, before those of the same score are one."""
    m = facts.measure
    variant = variant or m.variant
    quartiles = quartiles_of(variant, m.quartiles)
    return points_of([Fraction(s) for s in facts.pool], variant, quartiles)


def _upper_whisker(facts: Facts, quartiles: str | None = None) -> Any:
    """The upper whisker of the pool, without the scores that the variant leaves out."""
    m = facts.measure
    scores = sorted(Fraction(s) for s in facts.pool if s > 0 or m.variant == "text")
    return upper_whisker(scores, quartiles_of(m.variant, quartiles or m.quartiles))


def _whiskers(facts: Facts) -> list[Any]:
    """The whiskers by the four definitions of quartiles, the lowest expected first."""
    names = ("linear", "hinges", "median-unbiased", "weibull")
    return [_upper_whisker(facts, name) for name in names]


def _parabola(points: Points) -> Any:
    """The slope that a parabola through the first three points has at the first."""
    (x_0, y_0), (x_1, y_1), (x_2, y_2) = [(Fraction(x), Fraction(y)) for x, y in points[:3]]
    h_0, h_1 = x_1 - x_0, x_2 - x_1
    return ((2 * h_0 + h_1) * (y_1 - y_0) / h_0 - h_0 * (y_2 - y_1) / h_1) / (h_0 + h_1)


def _without_outlier(facts: Facts) -> Points:
    first, median, *_, last = _points(facts)
    return [first, median, last]


def _moved(facts: Facts, by: Callable[[Any], Any]) -> float:
    """The value of the scores so changed."""
    judged = [by(s) for s in facts.given["judged"]] if "judged" in facts.given else None
    return float(facts.double(labels=[by(s) for s in facts.labels], judged=judged))


def _coincide(facts: Facts, a: int, b: int) -> bool:
    points = _points(facts)
    return points[a][0] == points[b][0] and len(set(facts.pool)) > 1


def _binary(facts: Facts) -> dict[str, Any]:
    """Labels and pool with 1 for the higher of two scores."""
    top = max(facts.pool)
    return {
        name: [int(s == top) for s in x]
        for name, x in (("labels", facts.labels), ("judged", facts.pool))
    }


def _alone(facts: Facts) -> list[float]:
    """The value of each item by itself, with nothing of a gain above or below it."""
    n = len(facts.labels)
    return [
        facts.double(labels=[0] * a + [label] + [0] * (n - a - 1))
        for a, label in enumerate(facts.labels)
    ]


def _with_mean_stop(facts: Facts) -> float:
    """The value were each item one that users stop at with the mean probability of the items."""
    g_max = facts.measure.max
    stop = [Fraction(2**label - 1, 2**g_max) for label in facts.labels]
    mean_stop = sum(stop, Fraction(0)) / len(stop)
    return float(facts.double(labels=[0] * len(stop), stop=[mean_stop]))


def _mean_over_orders(facts: Facts) -> float:
    """The mean of the value over all orders of the tie groups, in double precision."""
    own = {"scores": None, "ties": None, "judged": facts.pool}
    orders = product(*(permutations(group) for group in facts.groups))
    values = [
        facts.double(labels=[facts.labels[a] for part in choice for a in part], **own)
        for choice in orders
    ]
    return mean(values)


def _variance_over_orders(facts: Facts) -> float:
    """The variance of the metric over all orders of the pool, in double precision."""
    values = [facts.double(name=facts.of, labels=list(order)) for order in permutations(facts.pool)]
    return mean([(x - mean(values)) ** 2 for x in values])


def _by_cut_off(facts: Facts) -> list[float]:
    """The value at each of the cut-offs of the case."""
    return [facts.double(k=k) for k in facts.k]


def _slows(values: list[float]) -> bool:
    """Whether values rise, by less from each to the next."""
    steps = [y - x for x, y in pairwise(values)]
    return min(steps) > 0 and all(x > y for x, y in pairwise(steps))


def _spread(facts: Facts) -> bool:
    """Whether the ideal ranking is better than a random one."""
    return facts.of_pool("IUB").value > facts.of_pool("RLB").value


# What a normalised metric is a quotient of: both have the same upper and lower bounds, but for a
# factor.
TOTALS = {"nDCG": "DCG", "AP": "SP", "nERR": "ERR", "R": "CG", "LNDCG": "LDCG"}


NORMALISED = {"DCG": "nDCG", "ERR": "nERR"}


def _of_total(facts: Facts) -> float:
    bound = facts.measure.metric.bound
    return float(facts.double(name=f"{bound}({TOTALS[facts.of]})", judged=facts.pool))


# Sessions

_PLAIN = {"sDCG": "DCG", "nsDCG": "nDCG", "IsDCG": "IDCG", "query_sDCG": "DCG"}


def _without_empty_queries(facts: Facts) -> dict[str, Any]:
    """What is given, the queries without results taken out."""
    given = {"labels": facts.labels, "ids": facts.given.get("ids")}
    return {n: x and [ranked for ranked in x if ranked] for n, x in given.items()}


def _places(facts: Facts) -> int:
    return len(facts.labels) * int(facts.k)


def _weights(facts: Facts) -> list[float]:
    """What the places of the session weigh, each query with X ranks."""
    m = facts.measure
    places = product(range(1, len(facts.labels) + 1), range(1, facts.k + 1))
    return [_weight(m, q, i) for q, i in places]


def _weight(m: Measure, q: int, i: int) -> float:
    return nearest_double_of(lambda R: m.query_discount.of(R)(q) * m.discount.of(R)(i))


Check = Callable[[Facts], Any]
FLAGS: dict[str, tuple[str, Check]] = {
    # the cut-off
    "k-cuts-list": (
        "the cut-off leaves items out that would count",
        lambda f: f.k < len(f.labels) and f.differs(k=None),
    ),
    "k-beyond-list": (
        "the cut-off is beyond the end of the list: the ranks between hold nothing",
        lambda f: f.k > len(f.labels),
    ),
    "k-beyond-pool": (
        "the cut-off is beyond the size of the pool",
        lambda f: f.k > len(f.pool),
    ),
    "divisor-stays-k": (
        "k is beyond the list, and the value is divided by k, not by the length",
        lambda f: f.k > len(f.labels) and f.differs(k=len(f.labels)),
    ),
    "whole-pool": (
        "without a cut-off the ideal takes the whole pool, not as many items as the list has",
        lambda f: f.k is None and f.differs(k=len(f.labels)),
    ),
    "huge-k": ("the cut-off does not fit in 32 bits", lambda f: f.k >= 2**32),
    "rises-with-cut-off": (
        "from cut-off to cut-off the value does not fall, and the last is above the first",
        lambda f: (
            _by_cut_off(f) == sorted(_by_cut_off(f)) and _by_cut_off(f)[0] < _by_cut_off(f)[-1]
        ),
    ),
    "falls-with-cut-off": (
        "from each cut-off to the next the value falls",
        lambda f: all(x > y for x, y in pairwise(_by_cut_off(f))),
    ),
    # the pool
    "ideal-from-pool": (
        "the ideal is that of all judged items, not that of the list's own labels",
        lambda f: "judged" in f.given and f.differs(judged=None),
    ),
    "ideal-uncut": (
        "the ideal is not cut: cut where the list is, it gives a higher value",
        lambda f: f.measure.ideal == "all" and f.double(ideal="k") > f.value,
    ),
    "ideal-cuts-agree": (
        "the ideal gives this value cut and uncut",
        lambda f: len({f.double(ideal=cut) for cut in ("k", "all")}) == 1,
    ),
    "ideal-of-shown": (
        "the ideal is no longer than the list: cut at k alone, it gives a lower value",
        lambda f: f.measure.ideal == "shown" and f.double(ideal="k") < f.value,
    ),
    "ideal-perfect": (
        "the ideal is k items of gain 1: that of the pool gives another value",
        lambda f: f.measure.ideal == "perfect" and f.differs(ideal="k"),
    ),
    "unsorted-pool": (
        "the pool is given in an order that is not the ideal one",
        lambda f: sorted(f.pool, reverse=True) != f.pool,
    ),
    "above-one": (
        "the pool lacks labels of the list, and the value exceeds 1; it is not clipped",
        lambda f: f.value > 1,
    ),
    "relevant-items-missing": (
        "the pool has relevant items that the list does not show",
        lambda f: len(f.pool) > len(f.labels) and f.differs(judged=None),
    ),
    # extremes of the list
    "empty-list": ("there are no items in the list", lambda f: not f.labels and f.value == 0),
    "single-item": ("one item", lambda f: len(f.labels) == 1),
    "nothing-relevant": (
        "no item has a gain or is relevant",
        lambda f: f.value == 0 and f.labels,
    ),
    "undefined-quotient": (
        "the divisor is 0, and the value 0 by convention",
        lambda f: f.value == 0 and (f.double(name="IDCG", labels=f.pool) == 0),
    ),
    # exact values
    "exact-one": ("the value is exactly 1", lambda f: f.exact == 1),
    "rounds-to-one": (
        "the nearest double is 1.0, though the value is less than 1",
        lambda f: f.value == 1 and f.proof.upper < 1,
    ),
    "rational-quotient": (
        "the value is rational, though numerator and denominator are not",
        lambda f: f.exact is not None and f.certified(name="DCG").exact is None,
    ),
    "rational-ranks": (
        "the value is rational, because only ranks with rational discounts hold a gain",
        lambda f: (
            f.exact is not None
            and _weighted(f, "log")
            and all(i & (i + 1) == 0 for i, x in enumerate(f.labels, start=1) if x)
        ),
    ),
    # gains
    "gain-table": (
        "the gain is a table, and no other gain gives this value",
        lambda f: f.measure.gain.kind == "table" and f.differs(gain="linear"),
    ),
    "gain-of-label-0": (
        "label 0 has a gain",
        lambda f: f.measure.gain.table[0] > 0 and 0 in f.labels,
    ),
    "gain-matters": (
        "linear and exponential gain give different values",
        lambda f: _distinct(f, gain=["linear", "exp2"]),
    ),
    "gain-indifferent": (
        "the labels are 0 and 1: linear and exponential gain agree",
        lambda f: not f.differs(gain="linear") and not f.differs(gain="exp2"),
    ),
    "fractional-label": (
        "a label is no whole number",
        lambda f: any(x != int(x) for x in f.labels),
    ),
    "label-is-its-double": (
        "a label stands for the double that it is: read as decimals they would give another value",
        lambda f: nearest_double(_by_decimals(f)) != f.value,
    ),
    "gain-is-no-double": (
        "a gain 2^r - 1 needs more than 53 bits: rounding it first gives another value",
        lambda f: double_loop(f) != f.value and max(f.labels) > 53,
    ),
    "largest-label": (
        "the largest label that the gain 2^r - 1 takes",
        lambda f: max(f.labels) == 1023,
    ),
    "label-beyond-2^53": (
        "a label is a whole number that is no double",
        lambda f: any(isinstance(x, int) and float(x) != x for x in f.numbers),
    ),
    "labels-as-numbers": (
        "labels are compared as numbers: as text they would be in another order",
        lambda f: sorted(f.pool) != sorted(f.pool, key=str),
    ),
    # discounts
    "discount-matters": (
        "log, jarvelin-2008 and jarvelin-2002, of this base, give different values",
        lambda f: _distinct(
            f,
            discount=[f"{kind}(b={f.measure.discount.b})" for kind in LOGARITHMIC],
        ),
    ),
    "as-log2": (
        "the discount of this base is that of log2",
        lambda f: f.measure.discount.kind != "log" and not f.differs(discount="log2"),
    ),
    "base-factor": (
        "the base of the logarithm changes the value",
        lambda f: f.measure.discount.b != 2 and f.differs(discount="log2"),
    ),
    "base-free": (
        "the base of the logarithm does not change nDCG",
        lambda f: f.measure.discount.b != 2 and not f.differs(discount="log2"),
    ),
    "fractional-base": (
        "the base of the logarithm is no whole number",
        lambda f: f.measure.discount.b != int(f.measure.discount.b),
    ),
    "discount-above-one": (
        "the first discount exceeds 1",
        lambda f: f.double(name="DCG", labels=[1]) > 1,
    ),
    "jarvelin-2002-rank-below-base": (
        "items stand at ranks below the base, which the discount of 2002 leaves undiscounted",
        lambda f: (
            _weighted(f, "jarvelin-2002")
            and _by_ranks(f, lambda i: 1 < i < f.measure.discount.b)
            and f.differs(discount=f"jarvelin-2008(b={f.measure.discount.b})")
        ),
    ),
    "jarvelin-2002-rank-at-base": (
        "an item stands at the rank that is the base, where both branches give 1",
        lambda f: _by_ranks(f, lambda i: i == f.measure.discount.b),
    ),
    "not-ideal-but-one": (
        "nDCG is 1, though the list is not in the ideal order",
        lambda f: f.exact == 1 and sorted(f.labels, reverse=True) != f.labels,
    ),
    "zipf": ("the discount is 1/i", lambda f: _weighted(f, "zipf") and f.differs(discount="log2")),
    "no-discount": (
        "there is no discount, so the order does not count",
        lambda f: _weighted(f, "none") and not f.differs(labels=f.labels[::-1]),
    ),
    "weights": ("the discount is given as weights", lambda f: _weighted(f, "custom")),
    "zero-weights": (
        "ranks with items have the weight 0",
        lambda f: 0 in f.measure.discount.weights[: len(f.labels)],
    ),
    "weights-are-their-doubles": (
        "the weights are the doubles nearest to 1/i, and the value is not that of 1/i",
        lambda f: (
            all(w == 1 / i for i, w in enumerate(f.measure.discount.weights, start=1))
            and f.differs(discount="zipf")
        ),
    ),
    # binary metrics
    "threshold-above-one": (
        "labels below the threshold are not relevant, though positive",
        lambda f: f.measure.rel > 1 and f.differs(rel=1),
    ),
    "fractional-threshold": (
        "the threshold is no whole number",
        lambda f: f.measure.rel != int(f.measure.rel),
    ),
    "threshold-not-positive": (
        "label 0 is relevant",
        lambda f: f.measure.rel <= 0 and 0 in f.labels and f.differs(rel=1),
    ),
    "negative-label": ("a label is negative", lambda f: min(f.labels) < 0),
    "recall-matters": (
        "at the level 0 the value is another",
        lambda f: f.differs(recall=0),
    ),
    "multiple-matters": (
        "at R itself the value is another",
        lambda f: f.differs(multiple=1),
    ),
    "rounding-matters": (
        "another rounding of the level gives another value",
        lambda f: any(f.differs(rounding=rounding) for rounding in ROUNDING.words),
    ),
    "rounding-of-doubles": (
        "with the decimals of the level, rounded as exactly as 0.9 is added, the value is another",
        _by_decimals_of_level,
    ),
    "norm-matters": (
        "another normaliser of AP gives another value",
        lambda f: any(f.differs(norm=norm) for norm in NORM.words),
    ),
    "norms-agree": (
        "all normalisers of AP give this value",
        lambda f: len({f.double(norm=norm) for norm in NORMS_OF_POOL}) == 1,
    ),
    "fewer-relevant-than-k": (
        "there are fewer relevant items than k, so AP by k cannot reach 1",
        lambda f: sum(x >= f.measure.rel for x in f.pool) < f.k,
    ),
    "relevant-beyond-cut-off": (
        "the first relevant item is beyond the cut-off",
        lambda f: f.value == 0 and f.differs(k=None),
    ),
    # length
    "cut-to-m": (
        "the list is longer than M: it has the value of its first M results",
        lambda f: len(f.labels) > f.k and not f.differs(labels=f.labels[: f.k]),
    ),
    "no-gain-costs": (
        "the list ends with a result without a gain, and is worth more without it",
        lambda f: f.labels[-1] == 0 and _without_last(f) > f.value,
    ),
    "shorter-is-better": (
        "the list is worth more without its last result, though that has a gain",
        lambda f: f.labels[-1] > 0 and _without_last(f) > f.value,
    ),
    "longer-is-better": (
        "the list is worth less without its last result",
        lambda f: _without_last(f) < f.value,
    ),
    "length-is-free": (
        "the list has the same value without its last result",
        lambda f: _without_last(f) == f.value,
    ),
    "z-matters": (
        "with the factor Z and without it there are different values",
        lambda f: _distinct(f, Z=["M", "none"]),
    ),
    "no-m-no-z": (
        "without a cut-off there is no Z to leave out",
        lambda f: f.k is None and not _distinct(f, Z=["M", "none"]),
    ),
    "prior-matters": (
        "the priors discount and uniform give other values than this one",
        lambda f: all(
            f.differs(prior=prior)
            for prior in ("discount", "uniform")
            if prior != f.given.get("prior", "discount")
        ),
    ),
    "prior-is-discount": (
        "the prior is the discount by another name",
        lambda f: f.given["prior"] != "discount" and not f.differs(prior="discount"),
    ),
    "m-matters": (
        "another M gives another value, though the list is no longer than either",
        lambda f: f.k > len(f.labels) and f.differs(k=f.k + 1),
    ),
    "m-beyond-all": (
        "M is beyond list and pool, and plays no part",
        lambda f: f.k > max(len(f.labels), len(f.pool)) and not f.differs(k=None),
    ),
    "ideals-differ": (
        "the ideal is longer than eq. 7 of lv-2014 has it",
        lambda f: _ideal(f, "eq7") < _ideal(f, "true"),
    ),
    "ideals-agree": (
        "the ideal is that of eq. 7 of lv-2014",
        lambda f: _ideal(f, "eq7") == _ideal(f, "true"),
    ),
    "ideals-differ-by-one-item": (
        "with one item of the lowest label less in the pool the two ideals agree",
        lambda f: (
            _ideal(f, "eq7") < _ideal(f, "true")
            and _ideal(f, "eq7", sorted(f.pool)[1:]) == _ideal(f, "true", sorted(f.pool)[1:])
        ),
    ),
    "above-one-by-eq7": (
        "the list is better than the ideal of eq. 7, and the value exceeds 1",
        lambda f: f.value > 1 >= f.double(ideal="true"),
    ),
    "ideals-of-two-lengths": (
        "two ideal lists of different length have exactly the greatest value",
        lambda f: _best_lengths(f) > 1,
    ),
    "ideal-ends-inside": (
        "the ideal shows more than the items of the highest label, and not all that have a gain",
        lambda f: (
            _ideal(f, "true")
            > max(_ideal(f, "eq7"), f.double(name="LDCG", labels=_with_gain(f), Z="none"))
        ),
    ),
    "short-and-perfect": (
        "the value is exactly 1, though the pool has more items with a gain, and M has room",
        lambda f: (
            f.exact == 1
            and (f.k is None or f.k > len(f.labels))
            and len(_with_gain(f)) > len(f.labels)
        ),
    ),
    "expectation-slows": (
        "what is divided by rises with each result, and by less each time",
        lambda f: _slows([1 / value for value in _by_cut_off(f)]),
    ),
    "z-divides-out": (
        "LDCG over ILDCG, both with the factor Z, is this value",
        lambda f: (
            abs(
                f.double(name="LDCG", Z="M") / f.double(name="ILDCG", labels=f.pool, Z="M")
                - f.value
            )
            < 1e-15
            and f.differs(name="LDCG", Z="M")
        ),
    ),
    # relevance from scores
    "outlier": ("a score is above the upper whisker", lambda f: len(_points(f)) == 4),
    "no-outlier": ("no score is above the upper whisker", lambda f: len(_points(f)) == 3),
    "whisker-matters": (
        "without the control point at the whisker the value is another",
        lambda f: len(_points(f)) == 4 and f.differs(points=_without_outlier(f)),
    ),
    "variant-matters": (
        "by the text and by the authors' program there are different values",
        lambda f: _distinct(f, variant=VARIANT.words),
    ),
    "variants-agree": (
        "the text and the authors' program give one value",
        lambda f: f.double(variant="text") == f.double(variant="authors-program"),
    ),
    "quartiles-matter": (
        "each of the four definitions of quartiles gives a different value",
        lambda f: _distinct(f, quartiles=QUARTILES.words[1:]),
    ),
    "quartiles-agree": (
        "all definitions of quartiles give one value",
        lambda f: len({f.double(quartiles=name) for name in QUARTILES.words}) == 1,
    ),
    "median-is-lowest": (
        "the median is the lowest score: relevance is linear",
        lambda f: _coincide(f, 0, 1),
    ),
    "median-is-highest": (
        "the median is the highest score, and scores below it have a relevance",
        lambda f: (
            _coincide(f, 1, -1) and f.differs(labels=[s for s in f.labels if s == max(f.pool)])
        ),
    ),
    "median-is-whisker": (
        "the median is the upper whisker, and has a relevance",
        lambda f: (
            len(_points(f)) == 4
            and _coincide(f, 1, 2)
            and f.double(name="DCG_phi", labels=[median(f.pool)], judged=f.pool, k=None) > 0
        ),
    ),
    "equal-scores": ("all scores of the pool are equal", lambda f: len(set(f.pool)) == 1),
    "two-scores": (
        "two distinct scores: the value is that of binary labels",
        lambda f: (
            len(set(f.pool)) == 2 and f.value == f.double(name="nDCG", gain=None, **_binary(f))
        ),
    ),
    "none-above-0": (
        "no score is above 0, and by the authors' program none has a relevance",
        lambda f: max(f.pool) <= 0 and f.double(variant="authors-program") == 0,
    ),
    "negative-score": ("a score is negative", lambda f: min([*f.labels, *f.pool]) < 0),
    "scores-up-to-0-left-out": (
        "scores of 0 or less change nothing in the authors' program, and do by the text",
        lambda f: (
            f.value == f.double(judged=[s for s in f.pool if s > 0])
            and f.double(variant="text")
            != f.double(variant="text", judged=[s for s in f.pool if s > 0])
        ),
    ),
    "zero-free": (
        "1 more for each score changes nothing",
        lambda f: _moved(f, lambda s: s + 1) == f.value,
    ),
    "zero-matters": (
        "1 more for each score changes the value",
        lambda f: _moved(f, lambda s: s + 1) != f.value,
    ),
    "unit-free": (
        "each score three times changes nothing",
        lambda f: _moved(f, lambda s: 3 * s) == f.value,
    ),
    "order-below-median-free": (
        "the scores up to the median are in no order, and it does not count",
        lambda f: f.exact == 1 and sorted(f.labels, reverse=True) != f.labels,
    ),
    "beyond-the-pool": (
        "the list has scores beyond those of the pool: they have the relevance of its ends",
        lambda f: (
            not min(f.pool) <= min(f.labels) <= max(f.labels) <= max(f.pool)
            and f.value
            == f.double(labels=[min(max(s, min(f.pool)), max(f.pool)) for s in f.labels])
        ),
    ),
    "points-matter": (
        "the control points are given, and the scores' own would give another value",
        lambda f: f.measure.points is not None and f.differs(points=None),
    ),
    "pool-plays-no-part": (
        "the control points are given, and the pool changes nothing",
        lambda f: f.measure.points is not None and not f.differs(judged=None),
    ),
    "whiskers-in-order": (
        "the whisker rises from the quartiles linear to hinges, median-unbiased and weibull, and "
        "by all of them the highest score is above it",
        lambda f: all(low < high < max(f.pool) for low, high in pairwise(_whiskers(f))),
    ),
    "whisker-is-highest": (
        "the upper whisker is the highest score, which is no outlier",
        lambda f: _upper_whisker(f) == max(f.pool),
    ),
    "end-slope-is-0": (
        "at the first control point the parabola through the first three would fall: the slope "
        "there is 0",
        lambda f: _parabola(f.measure.points) < 0,
    ),
    "gain-below-relevance": (
        "the gain of the one control point is less than its relevance, and more than ln 2 of it",
        lambda f: f.measure.points[0][1] * log(2) < f.value < f.measure.points[0][1],
    ),
    # users who stop
    "dulled-by-what-is-above": (
        "the items are worth less than the sum of what each is worth alone at its rank",
        lambda f: f.value < sum(_alone(f)) - 1e-9,
    ),
    "max-matters": (
        "with a largest label of one more the value is another",
        lambda f: f.differs(max=f.measure.max + 1),
    ),
    "max-rel-matters": (
        "with another highest label of the scale the value is another",
        lambda f: f.differs(max_rel=5 if f.measure.max_rel == 4 else 8),
    ),
    "tail-matters": (
        "with the tail that is open always the value is another",
        lambda f: f.measure.tail != "always" and f.differs(tail="always"),
    ),
    "largest-label-of-all": (
        "a label is the largest that there can be",
        lambda f: max(f.labels) == f.measure.max,
    ),
    "stop-matters": (
        "the stop probabilities are given, and those made of max would give another value",
        lambda f: isinstance(f.measure.stop, tuple) and f.differs(stop=None),
    ),
    "stop-at-label-0": (
        "users stop at label 0 too",
        lambda f: f.measure.stop[0] > 0 and 0 in f.labels,
    ),
    "sure-to-stop": (
        "all users stop at an item above the last: what is below does not count",
        lambda f: any(
            f.measure.stop[label] == 1 and not f.differs(labels=f.labels[:i])
            for i, label in enumerate(f.labels[:-1], start=1)
        ),
    ),
    "p-matters": (
        "with the default persistence the value is another",
        lambda f: f.measure.p != 0.8 and f.differs(p=None),
    ),
    "p-is-its-double": (
        "p stands for the double that it is: read as a decimal it would give another value",
        lambda f: f.differs(p=Fraction(repr(f.measure.p))),
    ),
    "all-judged": (
        "all items are judged: what is not shown remains",
        lambda f: not any(f.given["unjudged"]) and f.value > 0,
    ),
    "unjudged-matter": (
        "were all items judged, the residual would be less",
        lambda f: f.double(unjudged=[0] * len(f.labels)) < f.value,
    ),
    "unjudged-are-passed-over": (
        "were the unjudged items judged not relevant, the value would be another",
        lambda f: f.differs(
            unjudged=[0] * len(f.labels), judged=[*f.pool, *[0] * sum(f.given["unjudged"])]
        ),
    ),
    "unjudged-beyond-cut-off": (
        "an item beyond the cut-off is unjudged, and counts among all that is not shown",
        lambda f: any(f.given["unjudged"][f.k :]) and not f.differs(unjudged=[0] * len(f.labels)),
    ),
    # graded average precision
    "q-matters": (
        "with the default probabilities the value is another",
        lambda f: f.differs(q=None),
    ),
    "q-by-its-ratios": (
        "the probabilities do not sum to 1, and eight times each gives this value too",
        lambda f: sum(f.measure.q) != 1 and not f.differs(q=[8 * q for q in f.measure.q]),
    ),
    "label-beyond-q": (
        "a label above the last of q is as the last",
        lambda f: (
            max(f.labels) > len(f.measure.q)
            and not f.differs(
                labels=[min(x, len(f.measure.q)) for x in f.labels],
                judged=[min(x, len(f.measure.q)) for x in f.pool],
            )
        ),
    ),
    "never-relevant": (
        "a label above 0 is relevant to no user",
        lambda f: any(x > 0 and f.double(labels=[x], judged=[x], k=None) == 0 for x in f.labels),
    ),
    "as-ap": (
        "the value is that of AP with a threshold",
        lambda f: any(
            f.value == f.double(name="AP", judged=f.pool, rel=rel)
            for rel in range(1, len(f.measure.q) + 1)
        ),
    ),
    "unlike-ap": (
        "AP has another value, wherever its threshold is",
        lambda f: all(
            f.value != f.double(name="AP", judged=f.pool, rel=rel)
            for rel in range(1, len(f.measure.q) + 1)
        ),
    ),
    # bounds
    "as-normalised": (
        "the value is that of the metric divided by its value for the ideal ranking",
        lambda f: f.value == f.double(name=NORMALISED.get(f.of, f.of), judged=f.pool),
    ),
    "below-random": (
        "the ranking is worse than a random one, and the value is negative",
        lambda f: f.value < 0,
    ),
    "at-minus-one": ("the value is exactly -1", lambda f: f.exact == -1),
    "worst-above-minus-one": (
        "no ranking is worse, and yet the value is above -1",
        lambda f: f.labels == sorted(f.pool) and -1 < f.value < 0,
    ),
    "as-random": (
        "the ranking is exactly as good as a random one, though not all are",
        lambda f: (
            f.certified(name=f"MinMax({f.of})", lower=None, judged=f.pool).exact == 0 and _spread(f)
        ),
    ),
    "no-spread": (
        "an ideal ranking is no better than a random one: 0/0, and the value is 0",
        lambda f: not _spread(f) and f.exact == 0 and f.double(name=f.of) >= f.of_pool("RLB").value,
    ),
    "no-spread-yet-worse": (
        "all rankings of the pool have one value, and the list has less",
        lambda f: not _spread(f) and f.value < 0,
    ),
    "between-the-bounds": (
        "the ranking is better than a random one, and not ideal",
        lambda f: (
            f.of_pool("RLB").value < f.double(name=f.of, judged=f.pool) < f.of_pool("IUB").value
        ),
    ),
    "bounds-from-pool": (
        "the bounds are those of the pool, not those of the list's own labels",
        lambda f: "judged" in f.given and f.differs(judged=None),
    ),
    "above-ideal": (
        "the pool lacks labels of the list, which is better than the ideal",
        lambda f: f.value > 1 and f.double(name=f.of, judged=f.pool) > f.of_pool("IUB").value,
    ),
    "lower-matters": (
        "by the random and by the worst ranking there are different values",
        lambda f: _distinct(f, lower=["random", "worst"]),
    ),
    "formula-matters": (
        "the formulas of karmaker-2022 give another value than the bounds themselves",
        lambda f: _distinct(f, bounds=["exact", "karmaker-2022"]),
    ),
    "formula-agrees": (
        "the formulas of karmaker-2022 give this value too",
        lambda f: not _distinct(f, bounds=["exact", "karmaker-2022"]),
    ),
    "formula-above-ideal": (
        "by the formula a random ranking is better than the ideal one is",
        lambda f: (
            f.of_pool("RLB", bounds="karmaker-2022").value > f.of_pool("IUB", bounds="exact").value
        ),
    ),
    "as-its-total": (
        "the metric is a quotient, and what it is a quotient of has this value too",
        lambda f: f.value == _of_total(f) != f.double(name=f.of),
    ),
    "unlike-its-total": (
        "the metric is a quotient, and what it is a quotient of has another value",
        lambda f: f.value != _of_total(f),
    ),
    "best-is-shorter": (
        "the best list does not show all of the pool",
        lambda f: f.value > f.double(name=f.of, labels=sorted(f.pool, reverse=True)),
    ),
    "worst-above-zero": (
        "the worst ranking is worth something",
        lambda f: f.of_pool("WLB").value > 0,
    ),
    "formula-linear-in-ties": (
        "the value is the mean of the values of all orders",
        lambda f: abs(_mean_over_orders(f) - f.value) < 1e-12,
    ),
    "formula-not-linear-in-ties": (
        "the value is not the mean of the values of all orders",
        lambda f: abs(_mean_over_orders(f) - f.value) > 1e-6,
    ),
    "name-of-the-paper": (
        "the measure is what the name means with which the words on the case begin",
        lambda f: measures(f.case.why.split(":")[0]) == [f.measure],
    ),
    # variances
    "products-of-means-fail": (
        "were each item one with the mean stop probability, the value would be another",
        lambda f: f.value != _with_mean_stop(f),
    ),
    "products-of-means-agree": (
        "were each item one with the mean stop probability, the value would be the same",
        lambda f: f.value == _with_mean_stop(f),
    ),
    "as-rr": (
        "users stop where RR stops, and the value is that of RR",
        lambda f: f.value == f.double(name="RR"),
    ),
    "rational-root": (
        "the variance is the square of a rational number",
        lambda f: f.exact is not None and f.exact != 0,
    ),
    "irrational-root": (
        "all is rational but the root of the variance",
        lambda f: (
            f.exact is None and None not in (f.of_pool("RLB").exact, f.of_pool("variance").exact)
        ),
    ),
    "no-variance": (
        "all rankings have one value",
        lambda f: f.value == 0 == f.of_pool("variance").value,
    ),
    "variance-of-orders": (
        "the value is the variance of the values of all orders of the pool",
        lambda f: abs(_variance_over_orders(f) - f.value) < 1e-12 < f.value,
    ),
    # ties
    "no-ties": (
        "no two scores are equal: every rule gives this value",
        lambda f: len({f.double(ties=rule, ids=list(range(len(f.labels)))) for rule in RULES}) == 1,
    ),
    "all-tied": (
        "all scores are equal: the value of a random ranking",
        lambda f: len(f.groups) == 1 and len(f.labels) > 1,
    ),
    "tie-rule-matters": (
        "best, worst and expected order of the ties differ in value",
        lambda f: (
            f.double(ties="worst", ids=None)
            < f.double(ties="expected", ids=None)
            < f.double(ties="best", ids=None)
        ),
    ),
    "tie-group-straddles-cutoff": (
        "a tie group begins above the cut-off and ends below it, and what is below would count",
        _straddles,
    ),
    "several-groups": (
        "more than one group of tied items",
        lambda f: sum(len(group) > 1 for group in f.groups) > 1,
    ),
    "group-without-relevant-above": (
        "nothing is relevant in the groups above the one that decides",
        lambda f: not any(f.labels[a] >= 1 for a in f.groups[0]) and f.value > 0,
    ),
    "ids-as-text": (
        "ids are compared as text: as numbers they would be in another order",
        lambda f: sorted(f.given["ids"]) != sorted(f.given["ids"], key=int),
    ),
    "ids-beyond-ascii": (
        "ids are compared by code point, the byte order of UTF-8, not that of UTF-16",
        lambda f: (
            sorted(f.given["ids"]) != sorted(f.given["ids"], key=lambda x: x.encode("utf-16-be"))
        ),
    ),
    "input-order": (
        "ties keep the order of the input: reversed, the input has another value",
        lambda f: (
            f.given["ties"] == "input"
            and f.differs(labels=f.labels[::-1], scores=f.given["scores"][::-1])
        ),
    ),
    "minus-zero": (
        "-0.0 and 0.0 are equal scores",
        lambda f: {"-0.0", "0.0"} <= {repr(x) for x in f.given["scores"]},
    ),
    "scores-beyond-float32": (
        "scores differ as doubles and would tie in 32 bits",
        lambda f: f.differs(scores=[float32(x) for x in f.given["scores"]]),
    ),
    "scores-beyond-2^53": (
        "scores are whole numbers that doubles cannot tell apart",
        lambda f: f.differs(scores=[float(x) for x in f.given["scores"]]),
    ),
    "independence-fails": (
        "the product of the expectations of Prec(i) and R_i, as in karmaker-2022, is another value",
        lambda f: (
            f.value
            != nearest_double(f.k * Fraction(sum(x >= 1 for x in f.labels), len(f.labels)) ** 2)
        ),
    ),
    # rounding
    "double-loop-off-by-one-ulp": (
        "a loop in double precision, with every gain and discount correctly rounded, gives a "
        "neighbouring double",
        _off_by_one,
    ),
    "tie-to-even": (
        "the value is exactly between two doubles",
        lambda f: f.exact is not None and midpoint_distance(f.exact) == 0,
    ),
    "near-midpoint": (
        "the value is within 2^-13 units of the last place of a number between two doubles",
        lambda f: 0 < midpoint_distance(f.proof.lower) < Fraction(1, 2**13),
    ),
    "very-near-midpoint": (
        "the value is within 2^-50 units of the last place of a number between two doubles",
        lambda f: 0 < midpoint_distance(f.proof.lower) < Fraction(1, 2**50),
    ),
    "subnormal": (
        "the value is a subnormal number",
        _rounds_to(lambda x: 0 < x < 2.0**-1022),
    ),
    "underflow": ("the value is positive and rounds to 0", lambda f: f.proof.lower > 0 == f.value),
    "overflow": ("the value is beyond the range of a double", _rounds_to(lambda x: x == inf)),
    "parts-overflow": (
        "DCG and IDCG are beyond the range of a double, their quotient is not",
        lambda f: f.double(name="DCG") == inf and f.value <= 1,
    ),
    # sessions
    "empty-session": ("there are no queries", lambda f: not f.labels),
    "empty-query": (
        "a query without results is followed by one, which it discounts",
        lambda f: (
            any(not ranked and any(f.labels[q:]) for q, ranked in enumerate(f.labels))
            and f.differs(**_without_empty_queries(f))
        ),
    ),
    "lists-of-many-lengths": (
        "the queries of the session have lists of different lengths",
        lambda f: len(set(map(len, f.labels))) > 1,
    ),
    "x-beyond-lists": (
        "X is beyond the end of every list",
        lambda f: f.k > max(map(len, f.labels)),
    ),
    "x-cuts-lists": (
        "X leaves results out that would count",
        lambda f: f.k < max(map(len, f.labels)) and f.differs(k=None),
    ),
    "x-of-pool": (
        "without X, X is the size of the pool, as it is longer than every list",
        lambda f: (
            f.k is None
            and len(f.pool) > max(map(len, f.labels))
            and not f.differs(k=len(f.pool))
            and f.differs(k=max(map(len, f.labels)))
        ),
    ),
    "query-discount-matters": (
        "without a discount of queries the value is another",
        lambda f: f.differs(query_discount="none"),
    ),
    "rank-discount-matters": (
        "without a discount of ranks the value is another",
        lambda f: f.differs(discount="none"),
    ),
    "unlike-by-rank": (
        "were the results one list, discounted by rank, the value would be another",
        lambda f: f.differs(labels=[list(chain(*f.labels))], ids=None),
    ),
    "one-query": (
        "the first query is not discounted: the value is that of its list by itself",
        lambda f: (
            len(f.labels) == 1
            and f.value
            == certified(
                _PLAIN[f.of], f.labels[0], k=f.k, gain=f.measure.gain, discount=f.measure.discount
            ).value
        ),
    ),
    "repeats-matter": (
        "by the first time, every time and half as much each time there are different values",
        lambda f: _distinct(f, repeats=["first", "every", 0.5]),
    ),
    "nothing-repeated": (
        "no document comes again: there is no difference by what repeats gain",
        lambda f: not any(f.differs(repeats=x) for x in ("first", "every", 0.5)),
    ),
    "twice-in-a-list": (
        "a document stands twice in one list",
        lambda f: any(len(set(ranked)) < len(ranked) for ranked in f.given["ids"]),
    ),
    "not-looked-at": (
        "a document has been shown below X before, where nobody looked: it is new",
        lambda f: (
            not f.differs(repeats="every")
            and any(
                set(ranked[: f.k]) & {x for other in f.given["ids"][:q] for x in other[f.k :]}
                for q, ranked in enumerate(f.given["ids"])
            )
        ),
    ),
    "by-document": (
        "the pool has each document of the session once: with each result the value is another",
        lambda f: "judged" not in f.given and f.differs(ids=None),
    ),
    "padding-matters": (
        "with lists as they are, of at least 3 ranks, and of X ranks there are different values",
        lambda f: _distinct(f, padding=[0, 3, "X"]),
    ),
    "padding-beyond-x": (
        "the least number of ranks is above X: X counts",
        lambda f: f.measure.padding > f.k and not f.differs(padding="X"),
    ),
    "ideal-sessions-differ": (
        "the three ideal sessions give different values",
        lambda f: _distinct(f, ideal=["repeated", "spread", "greatest"]),
    ),
    "ideal-sessions-agree": (
        "the three ideal sessions give this value",
        lambda f: len({f.double(ideal=x) for x in ("repeated", "spread", "greatest")}) == 1,
    ),
    "equal-places": (
        "two places of the session weigh the same: the earlier gets the better item",
        lambda f: _places(f) > len(set(_weights(f))),
    ),
    "ideal-is-nothing": (
        "the ideal session gains nothing, and the value is 0 by convention",
        lambda f: not any(f.pool) and (not f.value or not any(f.value)),
    ),
    "empty-places-gain-nothing": (
        "the pool has fewer items than places; with items of label 0 there the value is another",
        lambda f: f.differs(judged=[*f.pool, *[0] * _places(f)]),
    ),
    "over-matters": (
        "each of the numbers of those of the queries has another value",
        lambda f: _distinct(f, over=list(f.measure.metric.parameters["over"].words)),
    ),
    "no-other-query": (
        "there is one query, and none that is not the last: 0",
        lambda f: len(f.labels) == 1 and f.measure.over == "non-last" and not f.value,
    ),
    "base-near-1": (
        "the base of the query discount is close to 1: later queries hardly gain",
        lambda f: f.measure.query_discount.b < 1.01,
    ),
    "base-near-1000": (
        "the base of the query discount is close to 1000, which it must not reach",
        lambda f: 999 < f.measure.query_discount.b < 1000,
    ),
    # means
    "sum-in-doubles-differs": (
        "adding in double precision and dividing gives another value",
        lambda f: _added(f.labels) / len(f.labels) != mean(f.labels),
    ),
    "sum-rounded-first-differs": (
        "rounding the exact sum before the division gives another value",
        lambda f: nearest_double(exact_sum(f.labels)) / len(f.labels) != mean(f.labels),
    ),
    "sum-overflows": (
        "the sum is beyond the range of a double, the mean is not",
        lambda f: nearest_double(exact_sum(f.labels)) == inf > mean(f.labels),
    ),
    "order-of-addition": (
        "added in double precision, the sum depends on the order",
        lambda f: _added(f.labels) != _added(f.labels[::-1]),
    ),
    "cancellation": (
        "large values cancel, and the small one is the mean",
        lambda f: _added(f.labels) == 0 != mean(f.labels),
    ),
    # laws
    "as-its-laws-say": (
        "laws that it cites give this value in another way, from other values of the same input",
        as_its_laws_say,
    ),
    # refused
    "invalid-input": ("the input must be refused", lambda f: f.case.error is not None),
}


def _added(values: list[float]) -> float:
    """The sum in double precision, from left to right; sum() is exacter in newer Pythons."""
    return reduce(add, values, 0.0)


def float32(x: float) -> float:
    return float(struct.unpack("f", struct.pack("f", x))[0])
