"""The relevance function of moniz-2016 once more, from its definition, in fractions."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import flint

from tests.reference.balls import ends_of, log


def nearest(ball: flint.arb) -> float:
    """The double nearest to a number that a ball is narrow enough to tell."""
    lower, upper = (end.numerator / end.denominator for end in ends_of(ball))
    assert lower == upper
    return float(lower)


def hinges(x: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Medians of the halves, the middle score being in both."""
    half = (len(x) + 1) // 2
    lower, upper = x[:half], x[-half:]
    return median(lower), median(upper)


def median(x: Sequence[int]) -> Fraction:
    return Fraction(statistics.median([Fraction(s) for s in x]))


def control_points(scores: Sequence[int], reading: str) -> list[tuple[Fraction, Fraction]]:
    """Minimum, median, whisker where there is an outlier, and maximum."""
    x = sorted(Fraction(s) for s in scores if s > 0 or reading == "text")
    if reading == "text":
        Q1, _, Q3 = statistics.quantiles(x, n=4, method="inclusive")
        whisker = Q3 + (Q3 - Q1) * 3 / 2
        first = x[0]
    else:
        Q1, Q3 = hinges(x)
        whisker = max(s for s in x if s - Q3 <= (Q3 - Q1) * 3 / 2)
        first = Fraction(0)
    low, high = x[0], x[-1]
    points = [(first, Fraction(0)), (median(x), Fraction(0)), (high, Fraction(1))]
    if high > whisker:
        points.insert(2, (whisker, 1 - (high - whisker) / (high - low)))
    return points


def phi(s: int, points: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """The cubic of an interval by Newton's divided differences, its ends twice each.

    For points at different scores, the first two of relevance 0.
    """
    assert points[1][1] == 0
    h = [b - a for (a, _), (b, _) in pairwise(points)]
    D = [(y1 - y0) / w for ((_, y0), (_, y1)), w in zip(pairwise(points), h, strict=True)]
    slopes = [Fraction(0)]  # the first chord is level, and so is its end
    for (h0, h1), (D0, D1) in zip(pairwise(h), pairwise(D), strict=True):
        if D0 == 0:
            slopes.append(Fraction(0))
        else:  # a weighted harmonic mean
            share = (h0 + 2 * h1) / (3 * (h0 + h1))
            slopes.append(1 / (share / D0 + (1 - share) / D1))
    slopes.append(max(D[-1] + (D[-1] - D[-2]) * h[-1] / (h[-1] + h[-2]), Fraction(0)))
    assert slopes[-1] <= 3 * D[-1]
    k = max(k for k in range(len(h)) if points[k][0] <= s)
    a, w = points[k][0], h[k]
    twice = (D[k] - slopes[k]) / w
    thrice = ((slopes[k + 1] - D[k]) / w - twice) / w
    t = s - a
    return points[k][1] + slopes[k] * t + twice * t**2 + thrice * t**2 * (t - w)


def dcg(gains: Sequence[Any]) -> flint.arb:
    return sum((g / log(i + 1, 2) for i, g in enumerate(gains, start=1)), flint.arb(0))
