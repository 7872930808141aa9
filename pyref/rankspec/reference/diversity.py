"""Queries of several intents: α-nDCG, ERR-IA, NRBP, the intent-aware means, D-nDCG and D♯-nDCG.

rows   the labels of the ranked items in rank order, one label a subtopic: rows[i - 1][j]
J      the rows of the judged items, the pool, in the order that decides between equal ones
P      the probability of each subtopic; 0 where it does not count
s      of a label, the share of the novelty that an item takes from later ones (α, or a probability
       to stop)
g      the gain of a label
G      the gains of novelty, G_1, G_2, ...: what each rank adds, for all subtopics
w      the weight of a rank: a discount, 1/i, or a power of β
k      the cut-off; ranks beyond the end of the list hold nothing
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from math import gcd, inf, lcm, log2
from operator import mul

from .numbers.reals import RATIONALS, Exact, Number, Reals

Row = Sequence[Exact]
Exactly = Callable[[Exact], Fraction]
"""A gain, or a share of novelty, of a label: a rational number."""
Weight = Callable[[int], Number]

MOST_STEPS = 50_000
"""How many beginnings of a list the search for the exact ideal may look at (RS-DIV-5)."""

NEARLY = 1e-9  # relative: what doubles may be wrong by in that search, and far more


class TooManySteps(ArithmeticError):
    """The search for the exact ideal was given up (RS-DIV-5)."""


def probabilities(
    J: Sequence[Row], theta: Exact, weights: Sequence[Exact] | None, m: int
) -> list[Fraction]:
    """P(j) = w_j / Σ w; without weights, w_j = 1 where an item of the pool is relevant to j, else 0

    m: the number of subtopics. Where no subtopic counts, all are 0.

    Spec: RS-DIV-1
    """
    if weights is None:
        weights = [int(any(r[j] >= theta for r in J)) for j in range(m)]
    w = [Fraction(x) for x in weights]
    total = sum(w, start=Fraction(0))
    return [w_j / total if total else w_j for w_j in w]


def novelty_gains(
    rows: Sequence[Row], P: Sequence[Fraction], g: Exactly, s: Exactly, reals: Reals = RATIONALS
) -> list[Number]:
    """G_i = Σ_j P(j) g(r_ij) Π_{l<i} (1 - s(r_lj))    [clarke-2008]

    Spec: RS-DIV-2
    """
    left = [reals.exact(p) for p in P]  # P(j) times the product, carried along
    gains = []
    for row in rows:
        gains.append(_gain(row, left, g, reals))
        shares = [s(r) for r in row]
        if any(shares):
            left = [x * (1 - share) if share else x for x, share in zip(left, shares, strict=True)]
    return gains


def _gain(row: Row, left: Sequence[Number], g: Exactly, reals: Reals) -> Number:
    gained = ((x, g(r)) for x, r in zip(left, row, strict=True) if x)
    return sum((x * gain for x, gain in gained if gain), start=reals.exact(0))


def alpha_dcg(G: Sequence[Number], k: int, d: Weight) -> Number:
    """α-DCG@k = Σ_{i=1..k} d(i) G_i    [clarke-2008]

    Spec: RS-DIV-3
    """
    return _weighted(G[:k], d)


def err_ia(G: Sequence[Number], k: int, reals: Reals) -> Number:
    """ERR-IA@k = Σ_{i=1..k} G_i / i    [chapelle-2011]

    Spec: RS-DIV-7
    """
    return _weighted(G[:k], lambda i: reals.exact(Fraction(1, i)))


def nrbp(G: Sequence[Number], k: int, alpha: Exact, beta: Exact, reals: Reals) -> Number:
    """NRBP = (1 - (1 - α) β) Σ_{i=1..k} β^(i-1) G_i    [clarke-2009]

    Spec: RS-DIV-9
    """
    a, b = Fraction(alpha), reals.exact(beta)
    total: Number = reals.exact(0)
    weight: Number = reals.exact(1)  # β^(i-1), carried along
    for G_i in G[:k]:
        if G_i:
            total = total + weight * G_i
        weight = weight * b
    return total * (1 - reals.exact(1 - a) * b)


def _weighted(G: Sequence[Number], w: Weight) -> Number:
    return sum(w(i) * G_i for i, G_i in enumerate(G, start=1) if G_i)


def greatest_sum(k: int, g: Fraction, s: Fraction, w: Weight, reals: Reals) -> Number:
    """Σ_{i=1..k} w(i) g (1 - s)^(i-1): of a list of items that are all relevant to all subtopics

    g, s: the greatest gain and share of novelty of a label

    Spec: RS-DIV-3
    """
    total: Number = reals.exact(0)
    gain = reals.exact(g)  # g (1 - s)^(i-1), carried along
    for i in range(1, k + 1 if s < 1 else min(k, 1) + 1):
        total = total + w(i) * gain
        gain = gain * reals.exact(1 - s)
    return total


def normalised(total: Number, ideal: Number, reals: Reals) -> Number:
    """The value over that of the ideal list, and 0 where that is 0    [clarke-2008]

    Spec: RS-DIV-6, RS-DIV-8, RS-DIV-10
    """
    return total / ideal if ideal else reals.exact(0)


def greedy_ideal(
    J: Sequence[Row], k: int, P: Sequence[Fraction], g: Exactly, s: Exactly
) -> list[Row]:
    """The list that takes, rank by rank, an item of the pool that gains most; of several the first
    of the pool    [clarke-2008]

    It ends where no item gains anything.

    Spec: RS-DIV-4
    """
    rows, waiting = _kinds(J, P, g, s)
    gains = _FallingGains(rows, waiting, P, g, s)
    chosen: list[Row] = []
    while len(chosen) < k and (best := gains.greatest()):
        a = min(best, key=lambda b: waiting[b][-1])
        gains.take(a)
        chosen.append(rows[a])
    return chosen


class _FallingGains:
    """Gains of the next item of each kind, as integers that have a factor in common.

    As gains only fall, one that was computed earlier is an upper bound: what is below the greatest
    by it is not computed again. The bounds are binary logarithms as doubles, each off by far less
    than NEARLY_LB.

    waiting: the items of each kind, the last first
    """

    NEARLY_LB = 1e-3
    FEW_BITS = 256

    def __init__(
        self,
        rows: Sequence[Row],
        waiting: Sequence[list[int]],
        P: Sequence[Fraction],
        g: Exactly,
        s: Exactly,
    ) -> None:
        labels = {r for row in rows for r in row}
        unit = lcm(*(g(r).denominator for r in labels))
        self._gains = [
            [(j, int(g(r) * unit)) for j, r in enumerate(row) if g(r) and P[j]] for row in rows
        ]
        self._unit = lcm(*(s(r).denominator for r in labels))
        self._leaves = [[int((1 - s(r)) * self._unit) for r in row] for row in rows]
        unit = lcm(*(p.denominator for p in P))
        self._left = [int(p * unit) for p in P]
        self._waiting = waiting
        self._kinds_that_gain = Counter(j for gains in self._gains for j, _ in gains)
        self._bounds = [(-inf, a) for a in range(len(rows))]
        self._scale = 0.0  # the binary logarithm of the factor
        self._most_bits = self.FEW_BITS

    def greatest(self) -> list[int]:
        """Return the kinds whose items gain most; none if nothing is gained."""
        computed: list[tuple[int, int]] = []
        least = -inf
        while self._bounds and -self._bounds[0][0] >= least - self.NEARLY_LB:
            _, a = heappop(self._bounds)
            gain = sum(self._left[j] * x for j, x in self._gains[a])
            if gain and self._waiting[a]:
                computed.append((gain, a))
                least = max(least, log2(gain) + self._scale)
        for gain, a in computed:
            heappush(self._bounds, (-log2(gain) - self._scale, a))
        most = max(computed, default=(0, 0))[0]
        return [a for gain, a in computed if gain == most]

    def take(self, a: int) -> None:
        """Take the first item of a kind."""
        self._waiting[a].pop()
        left = [x * share for x, share in zip(self._left, self._leaves[a], strict=True)]
        self._scale -= log2(self._unit)
        if not self._waiting[a]:
            for j, _ in self._gains[a]:
                self._kinds_that_gain[j] -= 1
                if not self._kinds_that_gain[j]:
                    left[j] = 0  # no item gains by it any more
        if max(map(int.bit_length, left)) > self._most_bits:
            common = gcd(*left)
            left = [x // common for x in left]
            self._scale += log2(common)
            self._most_bits = max(self.FEW_BITS, 2 * max(map(int.bit_length, left)))
        self._left = left


def _kinds(
    J: Sequence[Row], P: Sequence[Fraction], g: Exactly, s: Exactly
) -> tuple[list[Row], list[list[int]]]:
    """The rows of the pool that are different to these gains, each with its items, the last first.

    Items that gain nothing are left out.
    """
    alike: dict[Row, list[int]] = {}
    for a in reversed(range(len(J))):
        alike.setdefault(tuple(J[a]), []).append(a)
    kinds: dict[tuple[tuple[Fraction, Fraction], ...], tuple[Row, list[int]]] = {}
    for row, items in alike.items():
        key = tuple(
            (g(r), s(r)) if p else (Fraction(0), Fraction(0)) for r, p in zip(row, P, strict=True)
        )
        if any(gain for gain, _ in key):
            kinds.setdefault(key, (row, []))[1].extend(items)
    of_kinds = kinds.values()
    return [row for row, _ in of_kinds], [sorted(items, reverse=True) for _, items in of_kinds]


def exact_ideal(
    J: Sequence[Row],
    k: int,
    P: Sequence[Fraction],
    g: Exactly,
    s: Exactly,
    w: Callable[[int], float],
) -> list[list[Row]]:
    """The lists of items of the pool that may have the greatest Σ_{i=1..k} w(i) G_i

    w: the weights, not rising, as doubles; a list is left out where it is certain that another has
    more. Branch and bound: no rank gains more than its item would now, as gains only fall. Of two
    beginnings with the same items the lower one is given up, too.

    Raises TooManySteps.

    Spec: RS-DIV-5
    """
    rows, items = _kinds(J, P, g, s)
    search = _Search([[float(g(r)) for r in row] for row in rows], rows, s, w)
    search.look(tuple(map(len, items)), list(map(float, P)), min(k, sum(map(len, items))))
    lists = [[rows[a] for a in chosen] for chosen in search.nearly_best()]
    return list({tuple(novelty_gains(shown, P, g, s)): shown for shown in lists}.values())


class _Search:
    """A search for the best lists of items, in doubles; which is best is decided elsewhere.

    g: the gains of each kind of item, by subtopic; rows, s, w: as in exact_ideal()
    """

    def __init__(
        self,
        g: Sequence[Sequence[float]],
        rows: Sequence[Row],
        s: Exactly,
        w: Callable[[int], float],
    ) -> None:
        self.g = g
        self.leaves = [[1 - float(s(r)) for r in row] for row in rows]
        self.w = w
        self.best = 0.0
        self.found: list[tuple[float, tuple[int, ...]]] = []
        self.steps = 0

    def nearly_best(self) -> list[tuple[int, ...]]:
        """The kinds of items of the lists that may be best."""
        return [chosen for value, chosen in self.found if value >= self.best * (1 - NEARLY)]

    def look(self, counts: tuple[int, ...], left: list[float], depth: int) -> None:
        """Looks at all lists of that length, the most promising first."""
        weights = [self.w(i) for i in range(1, depth + 1)]
        seen: dict[tuple[int, ...], tuple[float, set[tuple[float, ...]]]] = {}
        Beginning = tuple[tuple[int, ...], list[float], tuple[int, ...], tuple[float, ...], float]
        beginnings: list[Beginning] = [(counts, left, (), (), 0.0)]
        while beginnings:
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise TooManySteps
            counts, left, chosen, gains, value = beginnings.pop()
            i = len(chosen)
            if i == depth:
                self.best = max(self.best, value)
                self.found.append((value, chosen))
                continue
            most, vectors = seen.get(counts, (0.0, set()))
            if gains in vectors or value < most * (1 - NEARLY):
                continue
            seen[counts] = (max(most, value), {*vectors, gains})
            now = [sum(map(mul, left, row)) for row in self.g]
            if value + _bound(now, counts, weights[i:]) < self.best * (1 - NEARLY):
                continue
            for a in sorted(range(len(now)), key=now.__getitem__):
                if counts[a]:
                    fewer = (*counts[:a], counts[a] - 1, *counts[a + 1 :])
                    less = list(map(mul, left, self.leaves[a]))
                    more = value + weights[i] * now[a]
                    beginnings.append((fewer, less, (*chosen, a), (*gains, now[a]), more))


def _bound(now: Sequence[float], counts: Sequence[int], weights: Sequence[float]) -> float:
    """What further ranks add at most: the best of what items would gain now."""
    total, rank = 0.0, 0
    for a in sorted(range(len(now)), key=now.__getitem__, reverse=True):
        taken = min(counts[a], len(weights) - rank)
        total += now[a] * sum(weights[rank : rank + taken])
        rank += taken
    return total


def column(rows: Sequence[Row], j: int) -> list[Exact]:
    """The labels of one subtopic."""
    return [row[j] for row in rows]


def intent_aware(values: Sequence[Number], P: Sequence[Fraction], reals: Reals) -> Number:
    """M-IA = Σ_j P(j) M_j, of the values for each subtopic    [agrawal-2009]

    Spec: RS-DIV-11, RS-DIV-12, RS-DIV-13
    """
    return sum((p * x for p, x in zip(P, values, strict=True) if p), start=reals.exact(0))


def subtopic_recall(
    rows: Sequence[Row],
    J: Sequence[Row],
    k: int,
    P: Sequence[Fraction],
    theta: Exact,
    reals: Reals,
) -> Number:
    """S-recall@k, I-rec@k: of the subtopics that count and that an item of the pool is relevant to,
    the share that one of the first k items is relevant to

    [zhai-2003; sakai-2011]

    Spec: RS-DIV-14
    """
    counted = [j for j, p in enumerate(P) if p and any(row[j] >= theta for row in J)]
    covered = sum(any(row[j] >= theta for row in rows[:k]) for j in counted)
    return reals.exact(Fraction(covered, len(counted)) if counted else 0)


def global_gains(rows: Sequence[Row], P: Sequence[Fraction], g: Exactly) -> list[Fraction]:
    """GG_i = Σ_j P(j) g(r_ij)    [sakai-2011]

    Spec: RS-DIV-15
    """
    return [_gain(row, P, g, RATIONALS) for row in rows]


def d_ndcg(
    GG: Sequence[Fraction], GG_J: Sequence[Fraction], k: int, d: Weight, reals: Reals
) -> Number:
    """D-nDCG@k = Σ_{i=1..k} d(i) GG_i / Σ_{i=1..k} d(i) GG*_i, and 0 where that is 0

    [sakai-2011]

    GG_J: the global gains of the pool, of which the highest first are GG*

    Spec: RS-DIV-16
    """
    ideal = sorted(GG_J, reverse=True)[:k]
    return normalised(_weighted(GG[:k], d), _weighted(ideal, d), reals)


def dsharp(I_rec: Number, D_nDCG: Number, gamma: Exact, reals: Reals) -> Number:
    """D♯-nDCG@k = γ I-rec@k + (1 - γ) D-nDCG@k    [sakai-2011]

    Spec: RS-DIV-17
    """
    return reals.exact(gamma) * I_rec + (1 - reals.exact(gamma)) * D_nDCG
