"""The resampling tests of the chapter "randomness" in bulk: the same counts as the reference's.

A family is a sequence of differences, an integer a query; all its members are of the same queries,
in the same order. Replicates are computed in blocks, so that memory stays bounded. Sums are exact;
where a comparison is made in doubles, what their error leaves open is decided in integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations
from math import ceil, comb, factorial, floor, isqrt, prod
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compute.gain import real_number
from ...compute.randomness import (
    EXACT,
    MOST_SUMS,
    Integers,
    check_replicates,
    check_seed,
    draw_counts,
    first_sums,
    flip_bits,
    in_blocks,
    permuted_ranges,
)
from ...errors import InputError, items_of, shown
from ...progress import Progress
from ...reference import randomness as reference
from ...reference.randomness import MOST_ENUMERATED, Resampled, Stratum

Doubles = NDArray[np.float64]
Slack = int | Sequence[int]
"""By how many units equal sums can differ: of all members of a family, or of each (RS-CMP-23)."""

REPLICATES = 10_000
MOST_FLIPPED = MOST_ENUMERATED.bit_length() - 1  # queries, all of whose signs are gone through
LIMB = 26  # bits: two such parts of a number of int64 have exact sums in doubles
MOST_QUERIES = 1 << 26
UNIT = 2.0**-53  # the relative error of a rounding
STEPS_AT_ONCE = 1 << 26  # of permutations, between two reports of progress


# ---- what is given -----------------------------------------------------------------------


def matrix(rows: Sequence[Sequence[int]], what: str = "differences") -> Integers:
    """Rows of integers, as int64; an InputError where they are none, or too large to be summed."""
    if isinstance(rows, np.ndarray) and rows.ndim == 2 and rows.dtype.kind in "iu":
        return _checked(rows, int(rows.max(initial=0)), int(rows.min(initial=0)), what)
    expected = f"{what}: expected a list of lists of integers"
    listed = [items_of(row, expected) for row in items_of(rows, expected)]
    numbers = [[_integer(x, what) for x in row] for row in listed]
    lengths = sorted({len(row) for row in numbers})
    if len(lengths) > 1:
        raise InputError(
            f"{what}: the rows have {lengths[0]} and {lengths[-1]} numbers; expected equally many"
        )
    flat = [0, *chain.from_iterable(numbers)]
    return _checked(np.array(numbers, dtype=object), max(flat), min(flat), what)


def _checked(numbers: NDArray[Any], high: int, low: int, what: str) -> Integers:
    if not numbers.size:
        raise InputError(f"{what}: expected at least one, got none")
    if max(numbers.shape) > MOST_QUERIES:
        raise InputError(f"{what}: {max(numbers.shape)} are too many; at most 2^26 are supported")
    if max(high, -low) * max(numbers.shape) >= MOST_SUMS:
        raise InputError(f"{what}: {max(high, -low)} is too large: sums must stay below 2^62")
    return np.ascontiguousarray(numbers, dtype=np.int64)


def _integer(x: Any, what: str) -> int:
    try:
        return index(x)
    except TypeError:
        raise InputError(f"{what}: {shown(x)} is no integer") from None


def _of_each(slack: Slack, D: Integers) -> list[int]:
    """The slack of each member."""
    return [slack] * len(D) if isinstance(slack, int) else list(slack)


def _told(blocks: list[range], m: int, progress: Progress | None) -> Iterator[range]:
    """The blocks, one after the other; progress is told of each that is done."""
    for block in blocks:
        yield block
        if progress is not None:
            progress(block.stop, m)


# ---- exact sums --------------------------------------------------------------------------


def sums_of(weights: NDArray[Any], D: Integers) -> Integers:
    """weights @ D.T, exactly: weights are whole, from 0 to the number n of queries, with a sum of
    at most n in each row

    A product in doubles is exact where n times the greatest |D| is at most 2^53, in any order of
    summation. Beyond that D = 2^26 high + low, and both products are.
    """
    rows = weights.astype(np.float64, copy=False)
    if int(np.abs(D).max()) * D.shape[1] <= EXACT:
        return _product(rows, D)
    sums: Integers = (_product(rows, D >> LIMB) << LIMB) + _product(rows, D & ((1 << LIMB) - 1))
    return sums


def _product(rows: Doubles, D: Integers) -> Integers:
    sums: Integers = np.matmul(rows, D.T.astype(np.float64)).astype(np.int64)
    return sums


def flipped_sums(D: Integers, seed: int, replicates: range) -> Integers:
    """Σ s_q D_q of each replicate and member: Σ D less twice what has the sign -1 (RS-RND-4)."""
    negative = sums_of(flip_bits(seed, replicates, D.shape[1]), D)
    sums: Integers = D.sum(axis=1) - 2 * negative
    return sums


def every_flipped_sum(D: Integers) -> Integers:
    """Σ s_q D_q by each of the 2^n signs, of each member."""
    sums = np.zeros((1, len(D)), np.int64)
    for column in D.T:
        sums = np.concatenate([sums + column, sums - column])
    return sums


# ---- sign flips --------------------------------------------------------------------------


def randomisations(
    family: Sequence[Sequence[int]],
    seed: int = 0,
    m: int = REPLICATES,
    progress: Progress | None = None,
    slack: Slack = 0,
) -> list[Resampled]:
    """The randomisation test of each member by itself, with shared flips (RS-RND-9).

    slack: a sum that is less than the observed one by this much reaches it (RS-CMP-23)
    """
    D, seed, m = matrix(family), check_seed(seed), check_replicates(m)
    slacks = _of_each(slack, D)
    observed = np.abs(D.sum(axis=1)) - slacks
    few = (D != 0).sum(axis=1) <= MOST_FLIPPED
    drawn = np.flatnonzero(~few)
    counts = np.zeros(len(D), np.int64)
    if len(drawn):
        for block in _told(in_blocks(m, D.shape[1]), m, progress):
            reached = np.abs(flipped_sums(D[drawn], seed, block)) >= observed[drawn]
            counts[drawn] += reached.sum(axis=0)
    return [
        _enumerated(D[j], slacks[j]) if few[j] else Resampled(int(counts[j]), m, exact=False)
        for j in range(len(D))
    ]


def _enumerated(D: Integers, slack: int) -> Resampled:
    sums = every_flipped_sum(D[None, D != 0])
    reached = np.abs(sums) >= abs(D.sum()) - slack
    return Resampled(int(reached.sum()), len(sums), exact=True)


def step_down(
    family: Sequence[Sequence[int]],
    seed: int = 0,
    m: int = REPLICATES,
    progress: Progress | None = None,
    slack: Slack = 0,
) -> list[Resampled]:
    """The step-down max-T test of the family, with shared flips (RS-RND-10).

    slack: each observed sum counts as nearer to 0 by this much (RS-CMP-23)
    """
    D, seed, m = matrix(family), check_seed(seed), check_replicates(m)
    queries = D.any(axis=0)
    exact = bool(queries.sum() <= MOST_FLIPPED)
    test = _StepDown(D, _of_each(slack, D))
    if exact:
        sums = every_flipped_sum(D[:, queries])
        test.count(sums)
        m = len(sums)
    else:
        for block in _told(in_blocks(m, max(D.shape)), m, progress):
            test.count(flipped_sums(D, seed, block))
    return [Resampled(b, m, exact) for b in test.monotone()]


class _StepDown:
    """Counts the arrangements that reach each member, among it and what is not more extreme.

    The statistic is S^2 / Q with Q = Σ D^2. In doubles its relative error is below 8 units: one for
    each of S, S again, S^2, Q, the quotient, and their products. What is nearer to a member's own
    statistic than that is decided by the least integer |S| that reaches it, which is a square root.
    """

    def __init__(self, D: Integers, slacks: Sequence[int]) -> None:
        rows = zip(D.tolist(), slacks, strict=True)
        self.S = [max(0, abs(sum(row)) - slack) for row, slack in rows]
        self.Q = [sum(d * d for d in row) or 1 for row in D.tolist()]
        statistics = [Fraction(S * S, Q) for S, Q in zip(self.S, self.Q, strict=True)]
        self.rising = sorted(range(len(D)), key=statistics.__getitem__)
        self.observed = np.array([float(statistics[j]) for j in self.rising])
        self.counts = [0] * len(D)

    def count(self, sums: Integers) -> None:
        """Counts these arrangements: a row each, with the sum of each member."""
        S = np.abs(sums)[:, self.rising]
        squares = S.astype(np.float64) ** 2
        statistics = squares / np.array([float(self.Q[j]) for j in self.rising])
        greatest = np.maximum.accumulate(statistics, axis=1)
        sure = greatest > self.observed * (1 + 16 * UNIT)
        doubtful = ~sure & (greatest >= self.observed * (1 - 16 * UNIT))
        reached = sure.sum(axis=0)
        for place in np.flatnonzero(doubtful.any(axis=0)).tolist():
            rows = doubtful[:, place]
            least = self._least(place)
            reached[place] += (S[rows, : place + 1] >= least).any(axis=1).sum()
        for place, j in enumerate(self.rising):
            self.counts[j] += int(reached[place])

    def _least(self, place: int) -> Integers:
        """The least |S| of each of the members up to a place whose statistic reaches its own.

        S^2 / Q_k >= T^2 / Q_j for S >= sqrt(T^2 Q_k / Q_j), rounded up. A member whose differences
        are all 0 has only the sum 0, and no least is found below T = 0.
        """
        j = self.rising[place]
        squares = (-(-(self.S[j] ** 2) * self.Q[k] // self.Q[j]) for k in self.rising[: place + 1])
        roots = (isqrt(x - 1) + 1 if x else 0 for x in squares)
        return np.array([min(root, MOST_SUMS) for root in roots], dtype=np.int64)

    def monotone(self) -> list[int]:
        """The counts, none below that of a more extreme member."""
        least, counts = 0, list(self.counts)
        for j in reversed(self.rising):
            counts[j] = least = max(least, counts[j])
        return counts


# ---- permutations within topics ----------------------------------------------------------


def randomised_hsd(
    X: Sequence[Sequence[int]],
    seed: int = 0,
    m: int = REPLICATES,
    progress: Progress | None = None,
    slack: int = 0,
) -> dict[tuple[int, int], Resampled]:
    """The randomised Tukey HSD test of each pair of systems (RS-RND-11).

    X: a row a topic, in it an integer a system
    slack: a range that is less than the difference by this much reaches it (RS-CMP-23)
    """
    values, seed, m = matrix(X, "values"), check_seed(seed), check_replicates(m)
    topics, systems = values.shape
    pairs = list(combinations(range(systems), 2))
    sums = values.sum(axis=0).tolist()
    observed = np.array([abs(sums[a] - sums[b]) - slack for a, b in pairs], dtype=np.int64)
    # 9! and 2^17 are beyond it
    exact = factorial(min(systems, 9)) ** min(topics, MOST_FLIPPED + 1) <= MOST_ENUMERATED
    if exact:
        ranges = _every_range(values)
        counts, m = _reaching(ranges, observed), len(ranges)
    else:
        counts = np.zeros(len(pairs), np.int64)
        size = max(1, STEPS_AT_ONCE // values.size)
        blocks = [range(begin, min(begin + size, m)) for begin in range(0, m, size)]
        for block in _told(blocks, m, progress):
            counts += _reaching(permuted_ranges(seed, block, values), observed)
    return {pair: Resampled(int(b), m, exact) for pair, b in zip(pairs, counts, strict=True)}


def _reaching(ranges: Integers, observed: Integers) -> Integers:
    """How many ranges are at least as large, of each of the differences observed."""
    return len(ranges) - np.searchsorted(np.sort(ranges), observed)


def _every_range(values: Integers) -> Integers:
    """The range of the sums, by each of the permutations of each topic."""
    orders = list(permutations(range(values.shape[1])))
    sums = np.zeros((1, values.shape[1]), np.int64)
    for row in values:
        sums = (sums[:, None] + row[orders][None]).reshape(-1, len(row))
    ranges: Integers = sums.max(axis=1) - sums.min(axis=1)
    return ranges


# ---- permutations of sessions ------------------------------------------------------------


def stratified(
    strata: Sequence[Stratum],
    seed: int = 0,
    m: int = REPLICATES,
    progress: Progress | None = None,
    slack: int = 0,
) -> Resampled:
    """The permutation test of two systems within topics (RS-RND-14).

    strata: the integers of both systems, of each topic
    slack: a sum that is nearer to the middle by this much reaches it (RS-CMP-23)
    """
    seed, m = check_seed(seed), check_replicates(m)
    both = [(X, Y) for X, Y in strata if X and Y]
    rows = [matrix([[*X, *Y]], "values")[0] for X, Y in both]
    sizes = [len(X) for X, _ in both]
    least, most = _unreached(both, slack)
    exact = prod(map(comb, map(len, rows), sizes)) <= MOST_ENUMERATED
    if exact:
        sums = _every_sum(rows, sizes)
        return Resampled(int(((sums <= least) | (sums >= most)).sum()), len(sums), exact=True)
    count = 0
    for block in _told(in_blocks(m, max(map(len, rows))), m, progress):
        drawn = (
            first_sums(seed, block, t, row, k)
            for t, (row, k) in enumerate(zip(rows, sizes, strict=True))
        )
        sums = np.sum(list(drawn), axis=0)
        count += int(((sums <= least) | (sums >= most)).sum())
    return Resampled(count, m, exact=False)


def _unreached(both: Sequence[Stratum], slack: int) -> tuple[int, int]:
    """The greatest sum below the mean of all sums that reaches the observed one, and the least
    above it."""
    shares = (Fraction(len(X) * (sum(X) + sum(Y)), len(X) + len(Y)) for X, Y in both)
    middle = sum(shares, start=Fraction(0))
    away = max(abs(sum(sum(X) for X, _ in both) - middle) - slack, Fraction(0))
    return floor(middle - away), ceil(middle + away)


def _every_sum(rows: Sequence[Integers], sizes: Sequence[int]) -> Integers:
    """The sum of the values of the first system, by each choice of its sessions."""
    sums = np.zeros(1, np.int64)
    for row, k in zip(rows, sizes, strict=True):
        own = np.array([sum(chosen) for chosen in combinations(row.tolist(), k)], np.int64)
        sums = (sums[:, None] + own).ravel()
    return sums


# ---- the bootstrap -----------------------------------------------------------------------


def studentised_bootstraps(
    family: Sequence[Sequence[int]],
    seed: int = 0,
    m: int = REPLICATES,
    progress: Progress | None = None,
    slack: Slack = 0,
) -> list[Resampled | None]:
    """The studentised bootstrap test of each member, with shared draws (RS-RND-12).

    None where the differences of a member are constant and not 0.
    slack: by how much equal sums of the member can differ (RS-CMP-23)
    """
    D, seed, m = matrix(family), check_seed(seed), check_replicates(m)
    members = [
        _Studentised(row, own) for row, own in zip(D.tolist(), _of_each(slack, D), strict=True)
    ]
    W = np.array([[float(w) for w in member.W] for member in members])
    for block in _told(in_blocks(m, D.shape[1]), m, progress):
        counts = draw_counts(seed, block, D.shape[1])
        first, second = counts @ W.T, counts @ (W * W).T
        for j, member in enumerate(members):
            member.count(counts, first[:, j], second[:, j])
    return [member.result(m) for member in members]


class _Studentised:
    """Counts the samples whose S1^2 / (n S2) reaches that of the differences.

    S1 and S2 are the sums of the centred differences of a sample and of their squares. With a
    slack, |S1| is greater by ``more``: the sample is sure where even S1 itself reaches it, and what
    is not sure is decided in integers. A sum of n
    products is off by at most n + 1 units times the sum of their magnitudes, which is at most
    sqrt(n S2); S2 by n + 3 units of itself. So the quotient, which is at most 1, is off by less
    than 4 (n + 9) units (RS-RND-12): twice that is doubtful, and is decided in integers.
    """

    def __init__(self, D: list[int], slack: int) -> None:
        self.n, self.W = len(D), reference.centred(D, slack)
        self.more = 4 * self.n * slack
        self.observed = reference.squared_share(D, -slack)
        self.undefined = any(D) and not any(self.W)
        self.reached = 0

    def count(self, counts: Doubles, first: Doubles, second: Doubles) -> None:
        """Counts these samples: how often each query is drawn, S1 and S2."""
        if not self.observed:
            self.reached += len(counts)
            return
        squares = self.n * np.where(second > 0, second, 1.0)
        near, off = float(self.observed), 8 * (self.n + 9) * UNIT
        sure = first**2 / squares > near + off
        doubtful = ~sure & ((np.abs(first) + self.more) ** 2 / squares >= near - off)
        self.reached += int(sure.sum())
        self.reached += sum(map(self._reaches, counts[doubtful].astype(np.int64).tolist()))

    def _reaches(self, counts: list[int]) -> bool:
        S1 = abs(sum(c * w for c, w in zip(counts, self.W, strict=True))) + self.more
        S2 = sum(c * w * w for c, w in zip(counts, self.W, strict=True))
        squares = self.observed.numerator * self.n * S2
        return S2 > 0 and S1 * S1 * self.observed.denominator >= squares

    def result(self, m: int) -> Resampled | None:
        return None if self.undefined else Resampled(self.reached, m, exact=False)


def bca_intervals(
    family: Sequence[Sequence[int]],
    alpha: float = 0.05,
    seed: int = 0,
    m: int = REPLICATES,
    progress: Progress | None = None,
    slack: Slack = 0,
) -> list[tuple[Fraction, Fraction]]:
    """The BCa interval of the mean of each member, in the unit of its integers (RS-RND-13).

    slack: by how much equal sums of the member can differ (RS-CMP-23)
    """
    D, seed, m = matrix(family), check_seed(seed), check_replicates(m)
    level = real_number(alpha)
    if level is None or not 0 < level < 1:
        raise InputError(f"alpha: expected a number between 0 and 1, got {shown(alpha)}")
    sums = np.empty((m, len(D)), np.int64)
    for block in _told(in_blocks(m, D.shape[1]), m, progress):
        sums[block.start : block.stop] = sums_of(draw_counts(seed, block, D.shape[1]), D)
    sums.sort(axis=0)
    return [
        reference.bca_of_sums(row, float(level), column, own)
        for row, column, own in zip(D.tolist(), sums.T.tolist(), _of_each(slack, D), strict=True)
    ]
