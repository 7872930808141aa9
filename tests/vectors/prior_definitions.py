"""The priors of observations once more, by brute force and nothing of the package."""

from __future__ import annotations

from fractions import Fraction


def _with_zeros(counts, M):
    return [*counts, *[0] * ((M or 0) - len(counts))]


def prior_of_clicks(counts, M=None):
    """The least, over the ranks a from which is counted, of the greatest mean from a to b."""
    c = _with_zeros(counts, M)
    mean = {
        (a, b): Fraction(sum(c[a : b + 1]), b - a + 1) for b in range(len(c)) for a in range(b + 1)
    }
    found = [
        min(max(mean[a, b] for b in range(i, len(c))) for a in range(i + 1)) for i in range(len(c))
    ]
    return [x / sum(c) for x in found]


def prior_of_lengths(counts, M=None):
    """The mean of a uniform prior for each list."""
    c = _with_zeros(counts, M)
    p = [Fraction(0)] * len(c)
    for n, lists in enumerate(c, start=1):
        for i in range(n):
            p[i] += Fraction(lists, n)
    return [x / sum(c) for x in p]
