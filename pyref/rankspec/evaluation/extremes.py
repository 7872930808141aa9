"""The lowest and the highest value that judgments of the unjudged could give (RS-CONV-14).

Of all the judgments a few are enough, the *candidates*: lists and pools in which every document
has a label, one of them with the extreme value. They are evaluated as any other list is. The
spec entry proves that they are enough; the names here are the ones there.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from operator import add
from typing import Any, TypeAlias

from ..api.means import PartialMean
from ..compute.batch import Batch, offsets_of
from ..compute.checks import check_depth
from ..compute.gain import Discount, Gain
from ..compute.tables import BITS, fixed_point
from ..errors import InputError
from ..formats.frames import Label
from ..metrics.measure import Measure
from ..reference.numbers.enclosure import Undecided
from ..reference.numbers.reals import RATIONALS
from ..reference.numerics import LAST_PRECISION, floor_scaled, nearest_double
from ..reference.precision import relevance
from .conventions import Conventions
from .ranked import RankedLists, typecode_of

LABELS_AT_ONCE = 1 << 22  # of candidates, before they are evaluated
first_bits = BITS  # of discounts and gains, where a layered candidate is certified

Values: TypeAlias = Sequence[float | None]
ValuesOf: TypeAlias = Callable[[Sequence[Measure], Batch], list[Values]]
"""The values of measures for lists whose labels are all known; None: no value (RS-CONV-4)."""

Candidate: TypeAlias = tuple[int, Any, Any]
"""The number of a query, a list for it, and the pool that belongs to the list."""


@dataclass(frozen=True)
class _PartlyJudged:
    """A ranked list some of whose documents have no judgment.

    labels: in rank order, 0 where there is no judgment
    unjudged: the positions of these, from 0
    judged: the labels of all judged documents in the pool, falling
    """

    labels: Any
    unjudged: list[int]
    judged: Any

    @property
    def pool_size(self) -> int:
        return len(self.judged) + len(self.unjudged)


def extreme_values(
    measures: Sequence[Measure],
    lists: RankedLists,
    conventions: Conventions,
    highest: Label,
    values_of: ValuesOf,
) -> list[Values]:
    """The lowest or highest values of each measure for each list, a column a measure.

    highest: the highest label of the qrels
    """
    top: Label = highest if highest > 0 else 1
    upwards = conventions.extreme == "highest"
    for measure in measures:
        refusal = measure.metric.refusal(measure, top)
        if refusal:
            raise InputError(
                f'measure "{measure}": label {top}, which an unjudged document may have '
                f"(RS-CONV-14): {refusal}"
            )
    queries = list(_queries(lists, conventions.own_pool, top))
    return [_extremes(measure, queries, top, upwards, values_of) for measure in measures]


def omissible(
    measures: Sequence[Measure], lists: RankedLists, conventions: Conventions
) -> list[list[bool]]:
    """For each measure and list, whether some judgment leaves it without a value (RS-CONV-4).

    The one with the label 0 for all does, if any: a divisor never falls where a label rises.
    """
    pools = [_pool(query, 0, 0) for query in _queries(lists, conventions.own_pool, top=0)]
    return [
        [measure.metric.judged and measure.metric.divides_by_0(measure, pool) for pool in pools]
        for measure in measures
    ]


def extreme_mean_is_over(
    values: Mapping[str, float], optional: Set[str], upwards: bool
) -> dict[str, float]:
    """The values of the queries that have a part in the lowest, or upwards the highest mean.

    optional: the queries that a judgment leaves without a value. Such a query has a part where its
    value moves the mean that way; of several the furthest comes first, and one query must be left.
    """
    chosen = {query: x for query, x in values.items() if query not in optional}
    total, n = sum(map(Fraction, chosen.values())), len(chosen)
    further = sorted((query for query in values if query in optional), key=values.__getitem__)
    for query in reversed(further) if upwards else further:
        x = Fraction(values[query])
        if n and (x * n <= total if upwards else x * n >= total):
            break
        chosen[query] = values[query]
        total, n = total + x, n + 1
    return chosen


def extreme_part(sure: PartialMean, optional: Mapping[float, int], upwards: bool) -> PartialMean:
    """As extreme_mean_is_over(), the part that has these values.

    sure: of the queries that no judgment leaves without a value
    optional: {value: how many of the others have it}
    """
    total, n = sure.total, sure.count
    for value in sorted(optional, reverse=upwards):
        x = Fraction(value)
        if n and (x * n <= total if upwards else x * n >= total):
            break
        total, n = total + x * optional[value], n + optional[value]
    return PartialMean(total, n)


def _queries(lists: RankedLists, retrieved: bool, top: Label) -> Iterator[_PartlyJudged]:
    """retrieved: whether the pool is the list, its unjudged documents included (RS-CONV-17)"""
    batch = lists.batch
    form = typecode_of([top, *batch.labels.tolist(), *batch.pool.tolist()])
    for a in range(len(batch)):
        begin, end = batch.offsets[a], batch.offsets[a + 1]
        labels = array(form, batch.labels[begin:end].tolist())
        flags = lists.unjudged[begin:end]
        unjudged = [position for position, flag in enumerate(flags) if flag]
        if retrieved:
            judged = [label for label, flag in zip(labels, flags, strict=True) if not flag]
        else:
            judged = batch.pool[batch.pool_offsets[a] : batch.pool_offsets[a + 1]].tolist()
        yield _PartlyJudged(labels, unjudged, array(form, sorted(judged, reverse=True)))


def _extremes(
    measure: Measure, queries: list[_PartlyJudged], top: Label, upwards: bool, values_of: ValuesOf
) -> Values:
    """The lowest values, or upwards the highest, of one measure; None: no judgment gives one."""
    found: list[float | None] = [None] * len(queries)

    def take(results: Iterable[tuple[int, float | None]]) -> None:
        for a, x in results:
            best = found[a]
            if x is not None and (best is None or (x > best if upwards else x < best)):
                found[a] = x

    candidates = (
        (a, *candidate)
        for a, query in enumerate(queries)
        for candidate in _two_label_candidates(measure, query, top, upwards)
    )
    take(_evaluated(measure, candidates, values_of))
    if upwards and measure.metric.extremes.in_layers:
        take(_highest_ndcg(measure, queries, top, values_of))
    return found


def _evaluated(
    measure: Measure, candidates: Iterable[Candidate], values_of: ValuesOf
) -> Iterator[tuple[int, float | None]]:
    """The value of each candidate, with the number of its query."""
    of_queries: list[int] = []
    lists: list[Any] = []
    pools: list[Any] = []
    size = 0
    for a, labels, pool in candidates:
        of_queries.append(a)
        lists.append(labels)
        pools.append(pool)
        size += len(labels) + len(pool)
        if size > LABELS_AT_ONCE:
            yield from zip(of_queries, _values(measure, lists, pools, values_of), strict=True)
            of_queries, lists, pools, size = [], [], [], 0
    if of_queries:
        yield from zip(of_queries, _values(measure, lists, pools, values_of), strict=True)


def _values(measure: Measure, lists: list[Any], pools: list[Any], values_of: ValuesOf) -> Values:
    (column,) = values_of([measure], Batch(*_flat(lists), None, *_flat(pools)))
    return column


def _flat(rows: list[Any]) -> tuple[Any, Any]:
    """The rows in one buffer, and their offsets."""
    joined = array(rows[0].typecode)
    joined.frombytes(b"".join(rows))
    return joined, offsets_of(map(len, rows))


# ---- candidates of two labels: 0 and the highest ------------------------------------------


def _two_label_candidates(
    measure: Measure, query: _PartlyJudged, top: Label, upwards: bool
) -> Iterator[tuple[Any, Any]]:
    """Lists and pools where the unjudged at the highest (lowest) ranks have the highest label."""
    shown = query.labels[: measure.k]
    order = query.unjudged if upwards else query.unjudged[::-1]
    raised = 0
    counts = _counts(measure, bisect_left(query.unjudged, len(shown)), len(order), upwards)
    if measure.metric.extremes.in_layers and not upwards:
        counts = _lowest_counts(measure, query, top, counts)
    if measure.metric.extremes.of_hits:
        counts = _extreme_counts_of_hits(measure, query, top, counts, upwards)
    for count in counts:
        for position in order[raised:count]:
            if position < len(shown):
                shown[position] = top
        raised = count
        yield shown[:], _pool(query, count, top)


def _counts(measure: Measure, shown: int, unjudged: int, upwards: bool) -> Sequence[int]:
    """How many unjudged documents have the highest label: the numbers to try, rising.

    shown: how many of them are above the cut-off
    """
    if not measure.metric.judged:  # no label lowers the value by being higher
        return [unjudged if upwards else 0]
    if not upwards:  # those below the cut-off come first: they only add to the divisor
        return range(unjudged - shown, unjudged + 1)
    if measure.metric.extremes.in_layers:  # the layered candidates are the better ones
        return sorted({0, unjudged})
    return range(min(shown + 1, unjudged) + 1)  # one below, where else there is no value


def _pool(query: _PartlyJudged, count: int, top: Label) -> Any:
    form = query.judged.typecode
    others = len(query.unjudged) - count
    return array(form, [top]) * count + query.judged + array(form, [0]) * others


# ---- Recall and AP, which the ranks of the hits decide -------------------------------------


def _extreme_counts_of_hits(
    measure: Measure, query: _PartlyJudged, top: Label, counts: Sequence[int], upwards: bool
) -> Sequence[int]:
    """Return those of the counts that may give the extreme of Recall or AP, mostly one."""
    of_hits = measure.metric.extremes.of_hits
    assert of_hits is not None  # noqa: S101 - the caller has seen it
    if not 0 < measure.rel <= top:  # a document is as relevant with the label 0 as with the highest
        return counts[:1]
    k = measure.depth(len(query.labels), query.pool_size)
    R = relevance(query.labels[: measure.k], measure.rel)
    raised = query.unjudged[: bisect_left(query.unjudged, len(R))]
    bits = 2 * first_bits if of_hits.precisions else 0
    if of_hits.precisions:
        numerators = _sums_of_precisions(R, raised, upwards, 1 << bits)
        slack = (len(R) + 1) * (2 * len(raised) + 1)
    else:
        numerators, slack = [sum(R) + x for x in range(len(raised) + 1)], 0
    judged = sum(relevance(query.judged, measure.rel))
    lower: dict[int, Fraction] = {}
    upper: dict[int, Fraction] = {}
    without_value = []  # by the quotient: what it is then is a convention (RS-CONV-4)
    for count in counts:
        divisor = of_hits.divisor(measure, judged + count, k) << bits
        x = min(count, len(raised)) if upwards else count - counts[0]
        if divisor:
            lower[count] = Fraction(numerators[x], divisor)
            upper[count] = Fraction(numerators[x] + slack, divisor)
        else:
            without_value.append(count)
    if not lower:
        return without_value[:1]
    choose = max if upwards else min
    ends = choose(lower.values()), choose(upper.values())
    if nearest_double(ends[0]) == nearest_double(ends[1]):
        best = choose(lower, key=lower.__getitem__)
        return sorted([*without_value, best])
    open_ = (c for c in lower if (upper[c] >= ends[0] if upwards else lower[c] <= ends[1]))
    return sorted([*without_value, *open_])


def _sums_of_precisions(R: list[int], raised: list[int], upwards: bool, unit: int) -> list[int]:
    """Return SP@k times a unit, rounded down, with the first 0, 1, 2, ... of the raised relevant.

    Upwards they are raised from the highest rank on, else from the lowest. Of each sum, each of the
    terms lacks less than 1.
    """
    above = list(accumulate(R, initial=0))
    inverses = [unit // i for i in range(1, len(R) + 1)]
    # The gain of the hits below a rank if that rank becomes a hit.
    below = list(
        accumulate((r * x for r, x in zip(R[::-1], inverses[::-1], strict=True)), initial=0)
    )
    below.reverse()
    total = sum(r * (h * unit // i) for i, (r, h) in enumerate(zip(R, above[1:], strict=True), 1))
    sums, gained = [total], 0
    for x, p in enumerate(raised if upwards else raised[::-1]):
        hits = above[p] + 1 + (x if upwards else 0)
        total += hits * unit // (p + 1) + below[p] + gained
        sums.append(total)
        if not upwards:
            gained += inverses[p]
    return sums


# ---- nDCG in layers -----------------------------------------------


def _highest_ndcg(
    measure: Measure, queries: list[_PartlyJudged], top: Label, values_of: ValuesOf
) -> Iterator[tuple[int, float | None]]:
    """The highest nDCG of each query that has one, each certified.

    A candidate's value is the highest one, once it is the double nearest to an upper bound of
    all. Where it is not, the bound is taken again with twice as many bits.
    """
    remaining = [a for a, query in enumerate(queries) if query.unjudged]
    bits = first_bits
    while remaining:
        if bits > LAST_PRECISION:
            raise Undecided(f"{LAST_PRECISION} bits do not decide the highest {measure}")
        bounds: dict[int, Fraction] = {}
        candidates: list[Candidate] = []
        coarse = []
        for a in remaining:
            try:
                layered = _layered(measure, queries[a], top, bits)
            except _TooCoarse:
                coarse.append(a)
                continue
            if layered is not None:
                bounds[a], labels, pool = layered
                candidates.append((a, labels, pool))
        remaining = coarse
        for a, x in _evaluated(measure, candidates, values_of):
            if x == nearest_double(bounds[a]):
                yield a, x
            else:
                remaining.append(a)
        bits *= 2


class _TooCoarse(ArithmeticError):
    """So few bits that what is above 0 was rounded to 0, and there is no bound."""


@dataclass(frozen=True)
class _Layers:
    """A query in whole numbers: gains and discounts rounded down, each in a scale of its own.

    shown: the labels above the cut-off; unjudged: the positions there that have no judgment
    levels: the labels that may occur, rising from 0 to the highest; gains: theirs
    discounts: of the ranks; gain_unit, unit: how far gains and discounts may be above these
    ideal_cutoff: how many of the pool are in the ideal; S: S[n] is the discount of the n best
    widths: of the layer between a level and the one below, the difference of the gains
    N: how many judged documents of the pool reach each layer
    """

    shown: Any
    unjudged: list[int]
    levels: list[Label]
    gains: list[int]
    gain_unit: int
    discounts: Sequence[int]
    unit: int
    ideal_cutoff: int
    S: list[int]
    widths: list[int]
    N: list[int]

    def dcg(self) -> int:
        """DCG with the label 0 for the unjudged, rounded down."""
        gain_of = dict(zip(self.levels, self.gains, strict=True))
        pairs = zip(self.shown, self.discounts, strict=False)
        return sum(gain_of[label] * d for label, d in pairs)

    def idcg(self, x: Iterable[int]) -> int:
        """IDCG rounded down, where x of the unjudged reach each layer."""
        reached = zip(self.widths, self.N, x, strict=True)
        return self.gains[0] * self.S[-1] + sum(w * self.S[n + x_l] for w, n, x_l in reached)

    def slack(self, terms: int) -> int:
        """What rounding takes from a sum of so many gains times discounts, at most."""
        first = self.discounts[0] if terms else 0
        return terms * (self.gains[-1] * self.unit + self.gain_unit * (first + self.unit))


def _in_layers(measure: Measure, query: _PartlyJudged, top: Label, bits: int) -> _Layers:
    check_depth(measure, measure.deepest_rank(len(query.labels), query.pool_size))
    k = measure.depth(len(query.labels), query.pool_size)
    ideal_cutoff = (
        query.pool_size if measure.metric.ideal_uncut(measure) else min(k, query.pool_size)
    )
    shown = query.labels[:k]
    levels = sorted({0, top, *query.judged})
    gains, gain_unit = _gains(measure.gain, levels, bits)
    discounts, unit = _discounts(measure.discount, max(len(shown), ideal_cutoff), bits)
    S = list(accumulate(discounts[:ideal_cutoff], initial=0))
    rising = query.judged[::-1]
    return _Layers(
        shown,
        query.unjudged[: bisect_left(query.unjudged, len(shown))],
        levels,
        gains,
        gain_unit,
        discounts,
        unit,
        ideal_cutoff,
        S + [S[-1]] * (query.pool_size - ideal_cutoff),
        [above - below for below, above in pairwise(gains)],
        [len(rising) - bisect_left(rising, level) for level in levels[1:]],
    )


def _lowest_counts(
    measure: Measure, query: _PartlyJudged, top: Label, counts: Sequence[int]
) -> Sequence[int]:
    """Return those of the counts that may give the lowest nDCG, mostly one.

    With the count rise DCG, by more and more, and IDCG, by less and less, both exactly and rounded
    down. So the quotient falls to its least value and then rises, and DCG - λ IDCG, of which the
    sign tells whether a quotient is at most λ, is convex: bisection finds both (RS-CONV-14).
    """
    if len(counts) < 3:
        return counts
    c = _in_layers(measure, query, top, first_bits)
    height = c.gains[-1] - c.gains[0]
    raised = (height * c.discounts[i] for i in reversed(c.unjudged))
    dcg = list(accumulate(raised, initial=c.dcg()))
    dcg_slack, idcg_slack = c.slack(len(c.shown)), c.slack(c.ideal_cutoff)

    @cache
    def idcg(a: int) -> int:
        return c.idcg([counts[a]] * len(c.N))

    def does_not_fall(a: int) -> bool:
        """Return True if the quotient at a + 1 is at least that at a."""
        return dcg[a + 1] * idcg(a) >= dcg[a] * idcg(a + 1)

    # Where an IDCG is rounded to 0, its quotient may be anything.
    begin = bisect_left(range(len(counts)), True, key=lambda a: idcg(a) > 0)
    end = len(counts)
    if begin == end:
        return counts
    a = begin + bisect_left(range(begin, end - 1), True, key=does_not_fall)
    upper = Fraction(dcg[a] + dcg_slack, idcg(a))
    lower = Fraction(dcg[a] * idcg(begin), idcg(a) * (idcg(begin) + idcg_slack))
    if nearest_double(lower) == nearest_double(upper):
        return [*counts[:begin], counts[a]]

    def may_be_least(a: int) -> bool:
        return dcg[a] * upper.denominator <= upper.numerator * (idcg(a) + idcg_slack)

    first = begin + bisect_left(range(begin, a), True, key=may_be_least)
    last = a + bisect_left(range(a + 1, end), True, key=lambda a: not may_be_least(a))
    return [*counts[:begin], *counts[first : last + 1]]


def _layered(
    measure: Measure, query: _PartlyJudged, top: Label, bits: int
) -> tuple[Fraction, Any, Any] | None:
    """(an upper bound of the nDCG of all judgments, a list, its pool): the list attains the bound
    but for the rounding of discounts and gains. None where no judgment adds to DCG, so that the
    label 0 for all is best. _TooCoarse where an IDCG above 0 is rounded to 0.

    The bound is the highest quotient DCG / IDCG where DCG is taken with discounts and gains
    rounded up, and IDCG with those rounded down. Dinkelbach's iteration finds it.
    """
    c = _in_layers(measure, query, top, bits)
    # P(x): the discounts at the x highest unjudged ranks, rounded up; so is the least DCG.
    P = list(accumulate((c.discounts[i] + c.unit for i in c.unjudged), initial=0))
    least_dcg = c.dcg() + c.slack(len(c.shown))
    p, q, chosen = 0, 1, None
    while True:
        x = _maximisers(P, c.S, c.N, p, q)
        dcg = least_dcg + sum(w * P[x_l] for w, x_l in zip(c.widths, x, strict=True))
        idcg = c.idcg(x)
        if not idcg and c.gain_unit and any(map(add, c.N, x)):
            raise _TooCoarse
        if not idcg or (chosen and dcg * q <= p * idcg):
            break
        p, q, chosen = dcg, idcg, x
    if not chosen:
        return None
    shown = c.shown
    pool = query.judged + array(shown.typecode, [0]) * (len(query.unjudged) - len(c.unjudged))
    # A document has the highest level whose layer it reaches: x falls from level to level.
    for level, x_l, x_next in zip(c.levels[1:], chosen, [*chosen[1:], 0], strict=True):
        for position in c.unjudged[x_next:x_l]:
            shown[position] = level
    pool.extend(shown[position] for position in c.unjudged)
    return Fraction(p, q), shown, pool


def _maximisers(P: list[int], S: list[int], N: list[int], p: int, q: int) -> list[int]:
    """For each layer l the least x that maximises q P(x) - p S(N_l + x).

    N falls from layer to layer and the increments of S fall, so x falls too: the layer in the
    middle bounds x for those on either side.
    """
    x = [0] * len(N)
    ranges = [(0, len(N), 0, len(P))]
    while ranges:
        begin, end, least, most = ranges.pop()
        if begin < end:
            l = (begin + end) // 2  # noqa: E741
            differences = [q * P[y] - p * S[N[l] + y] for y in range(least, most)]
            x[l] = least + differences.index(max(differences))
            ranges += [(begin, l, x[l], most), (l + 1, end, least, x[l] + 1)]
    return x


def _gains(gain: Gain, levels: Sequence[Label], bits: int) -> tuple[list[int], int]:
    """(G, unit): the gains of rising levels in a common scale, between G and G + unit."""
    try:
        return _in_whole_numbers([gain.of(RATIONALS)(level) for level in levels]), 0
    except ArithmeticError:  # 2^r with a fraction r
        scale = bits - math.ceil(levels[-1])
        return [_floor_of_gain(gain, level, scale) for level in levels], 1


def _floor_of_gain(gain: Gain, label: Label, scale: int) -> int:
    return floor_scaled(lambda R: gain.of(R)(label), scale)


def _discounts(discount: Discount, depth: int, bits: int) -> tuple[Sequence[int], int]:
    """(D, unit): the discounts of the ranks 1, 2, ... in a common scale, between D and D + unit."""
    # Longer than asked for, so that one table serves lists of many lengths.
    return _table(discount, min(1 << depth.bit_length(), discount.depth), bits)


@lru_cache(maxsize=8)
def _table(discount: Discount, depth: int, bits: int) -> tuple[Sequence[int], int]:
    if bits > first_bits:  # where fewer did not do: as exactly as can be
        try:
            of_rank = discount.of(RATIONALS)
            return _in_whole_numbers([of_rank(i) for i in range(1, depth + 1)]), 0
        except ArithmeticError:  # a logarithm
            pass
    entries, _, unit = fixed_point(discount, depth, bits)
    return entries, unit


def _in_whole_numbers(numbers: Sequence[Fraction]) -> list[int]:
    """The numbers times their least common denominator."""
    scale = math.lcm(*(x.denominator for x in numbers))
    return [int(x * scale) for x in numbers]
