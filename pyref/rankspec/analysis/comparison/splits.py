"""Swaps between random halves of the queries: all splits at once, in integers.

Spec: RS-AGR-14, RS-AGR-30
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from ...compute.gain import whole
from ...compute.randomness import (
    MOST_SUMS,
    Integers,
    check_replicates,
    check_seed,
    halves,
    in_blocks,
)
from ...errors import InputError
from ...progress import Progress
from ...reference.agreement import Bin, together
from ...reference.numbers.reals import Exact
from .agreement import BIN, BINS, SPLITS, check_above_0
from .found import SplitSwaps
from .resampling import matrix, sums_of
from .systems import Systems, exact_fraction, rounding_slack


def check_width(width: Exact) -> Fraction:
    """Return the width of the bins, read as RS-CMP-24 does; InputError if it is not above 0."""
    return exact_fraction(check_above_0("bin_width", width))


def check_splits(trials: int) -> int:
    """How often the queries are split; an InputError where that is no number from 0."""
    return 0 if whole(trials) == 0 else check_replicates(trials, "splits")


def swaps_of_splits(
    systems: Systems,
    seed: int,
    trials: int,
    width: Fraction = BIN,
    progress: Progress | None = None,
) -> SplitSwaps:
    """Comparisons and swaps between halves of the queries, by bins of difference (RS-AGR-14).

    Differences are of integers (RS-AGR-30). If these are rounded, a difference that may be 0, or at
    the upper end of its bin, but for the rounding is taken to be.
    """
    seed, n = check_seed(seed), len(systems.scores[0])
    if n < 2:
        raise InputError(f"splits: expected at least 2 queries, to split them, got {n}")
    half = n // 2
    X, unit, c = together(systems.scores)
    slack = c * rounding_slack(half)
    found = _Bins(matrix(X, "values"), _ends(width * half / unit, slack), slack)
    for block in in_blocks(trials, max(n, len(found.first))):
        found.count(halves(seed, SPLITS, block, n))
        if progress is not None:
            progress(block.stop, trials)
    return SplitSwaps(half, trials, seed, width, found.bins())


def _ends(width: Fraction, slack: int) -> Integers:
    """Return the sums from which a difference is in the bins from 1 on; width: of a bin of sums."""
    return np.array([min(ceil(b * width) - slack, MOST_SUMS) for b in range(1, BINS)])


class _Bins:
    """The counts of the bins, of each pair of systems.

    X: systems x queries; ends: where the bins from 1 on begin
    slack: a difference of sums of up to this size may be 0
    """

    def __init__(self, X: Integers, ends: Integers, slack: int) -> None:
        self.X, self.ends, self.slack = X, ends, slack
        self.first, self.second = np.triu_indices(len(X), 1)
        self.comparisons, self.swaps = np.zeros((2, BINS), np.int64)

    def count(self, signs: NDArray[np.int8]) -> None:
        """Counts the splits whose halves have these signs: splits x queries."""
        d, other = (self._differences(signs == sign) for sign in (1, -1))
        bins = np.searchsorted(self.ends, np.abs(d), side="right")
        bins[self._directions(d) == 0] = 0
        swapped = self._directions(d) * self._directions(other) < 0
        self.comparisons += np.bincount(bins.ravel(), minlength=BINS)
        self.swaps += np.bincount(bins[swapped], minlength=BINS)

    def _differences(self, half: NDArray[np.bool_]) -> Integers:
        sums = sums_of(half, self.X)
        return sums[:, self.first] - sums[:, self.second]

    def _directions(self, d: Integers) -> Integers:
        """1, -1, or 0 where a difference is one of rounding alone."""
        return np.sign(d) * (np.abs(d) > self.slack)

    def bins(self) -> list[Bin]:
        return [Bin(int(c), int(s)) for c, s in zip(self.comparisons, self.swaps, strict=True)]
