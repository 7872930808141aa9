"""Data-driven relevance: from the scores of a query's items to a relevance from 0 to 1.

S     the scores of all items of the query, exact rational numbers; x is S in rising order
p     the share of a quantile: 1/4, 1/2, 3/4
X, Y  the control points: scores that rise, and the relevance at each
h, D  the widths of the intervals between them, and the slopes of their chords
d     the slopes of φ at the control points
s     the score of an item

All is rational: + - * / and comparisons, of Fractions or of sympy numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor

from .numbers.reals import Exact, Number, Reals

Points = Sequence[tuple[Number, Number]]
Function = tuple[Sequence[Number], Sequence[Number], Sequence[Number]]

HALF = Fraction(1, 2)
FENCE = Fraction(3, 2)  # of the box plot rule, in interquartile ranges


def quantile(x: Sequence[Number], position: Fraction) -> Number:
    """Q = x_j + (position - j) (x_{j+1} - x_j), j = floor(position), ranks from 1 and within n

    Spec: RS-REL-1
    """
    position = min(max(position, Fraction(1)), Fraction(len(x)))
    j = floor(position)
    rest = position - j
    return x[j - 1] + rest * (x[j] - x[j - 1]) if rest else x[j - 1]


def position(p: Fraction, n: int, quartiles: str) -> Fraction:
    """Where in n scores the p-quantile stands, by a definition of quartiles

    Spec: RS-REL-1
    """
    depth = Fraction((n + 3) // 2, 2)  # of Tukey's hinges
    return {
        "linear": 1 + (n - 1) * p,
        "hinges": depth if p < HALF else n + 1 - depth if p > HALF else Fraction(n + 1, 2),
        "weibull": (n + 1) * p,
        "median-unbiased": (n + Fraction(1, 3)) * p + Fraction(1, 3),
    }[quartiles]


def upper_whisker(x: Sequence[Number], quartiles: str) -> Number:
    """Q3 + 1.5 IQR    [moniz-2016 section 4]

    Spec: RS-REL-2
    """
    Q1, Q3 = (quantile(x, position(p, len(x), quartiles)) for p in (HALF / 2, 3 * HALF / 2))
    return Q3 + FENCE * (Q3 - Q1)


def alpha(x: Sequence[Number], whisker: Number) -> Number:
    """α = (max - whisker) / (max - min)    [moniz-2016 section 4]

    Spec: RS-REL-3
    """
    return (x[-1] - whisker) / (x[-1] - x[0])


def control_points(S: Sequence[Number], quartiles: str) -> Points:
    """(min, 0), (median, 0), (whisker, 1 - α) where a score is above the whisker, (max, 1)

    Spec: RS-REL-4
    """
    x = sorted(S)
    if not x:
        return []
    whisker = upper_whisker(x, quartiles)
    median = quantile(x, position(HALF, len(x), quartiles))
    outlier = [(whisker, 1 - alpha(x, whisker))] if x[-1] > whisker else []
    return [(x[0], 0), (median, 0), *outlier, (x[-1], 1)]


def control_points_of_program(S: Sequence[Number], quartiles: str) -> Points:
    """As the authors' program has them: of the scores above 0, the first point (0, 0), the
    whisker the highest score up to Q3 + 1.5 IQR, an outlier where α is not 0

    Spec: RS-REL-5
    """
    x = sorted(s for s in S if s > 0)
    if not x:
        return []
    whisker = max(s for s in x if s <= upper_whisker(x, quartiles))
    median = quantile(x, position(HALF, len(x), quartiles))
    outlier = [(whisker, 1 - alpha(x, whisker))] if x[-1] > whisker else []
    return [(0, 0), (median, 0), *outlier, (x[-1], 1)]


def distinct(points: Points) -> tuple[list[Number], list[Number]]:
    """X, Y: of points with the same score the last counts

    Spec: RS-REL-6
    """
    of_score = dict(points)
    return list(of_score), list(of_score.values())


def interior_slope(h0: Number, h1: Number, D0: Number, D1: Number) -> Number:
    """d = (w0 + w1) / (w0/D0 + w1/D1), w0 = 2 h1 + h0, w1 = h1 + 2 h0, and 0 where D0 D1 <= 0
    [Fritsch & Butland 1984]

    Spec: RS-REL-7
    """
    if D0 * D1 <= 0:
        return 0
    w0, w1 = 2 * h1 + h0, h1 + 2 * h0
    return (w0 + w1) / (w0 / D0 + w1 / D1)


def end_slope(h0: Number, h1: Number, D0: Number, D1: Number) -> Number:
    """d = ((2 h0 + h1) D0 - h0 D1) / (h0 + h1), h0 and D0 being those of the end; 0 where it and D0
    differ in sign, at most 3 D0 where D0 and D1 do

    Spec: RS-REL-7
    """
    d = ((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1)
    if d * D0 <= 0:
        return 0
    if D0 * D1 <= 0 and abs(d) > abs(3 * D0):
        return 3 * D0
    return d


def slopes(X: Sequence[Number], Y: Sequence[Number]) -> list[Number]:
    """The slope of φ at each control point; that of the chord where there are but two

    Spec: RS-REL-7
    """
    h = [b - a for a, b in pairwise(X)]
    D = [(b - a) / width for (a, b), width in zip(pairwise(Y), h, strict=True)]
    if len(D) < 2:
        return D * len(X)
    inner = [
        interior_slope(*widths, *chords)
        for widths, chords in zip(pairwise(h), pairwise(D), strict=True)
    ]
    first = end_slope(h[0], h[1], D[0], D[1])
    last = end_slope(h[-1], h[-2], D[-1], D[-2])
    return [first, *inner, last]


def hermite(t: Number, h: Number, y: tuple[Number, Number], d: tuple[Number, Number]) -> Number:
    """y0 (1 + 2t)(1 - t)^2 + h d0 t (1 - t)^2 + y1 t^2 (3 - 2t) - h d1 t^2 (1 - t)

    Spec: RS-REL-8
    """
    u = 1 - t
    return (y[0] * (1 + 2 * t) + h * d[0] * t) * u * u + (y[1] * (3 - 2 * t) - h * d[1] * u) * t * t


def phi(s: Number, X: Sequence[Number], Y: Sequence[Number], d: Sequence[Number]) -> Number:
    """φ(s): the Hermite interpolant through the control points; constant beyond them

    Spec: RS-REL-8
    """
    if not X or s < X[0]:
        return Y[0] if X else 0
    if s >= X[-1]:
        return Y[-1]
    k = max(k for k in range(len(X)) if X[k] <= s)
    h = X[k + 1] - X[k]
    return hermite((s - X[k]) / h, h, (Y[k], Y[k + 1]), (d[k], d[k + 1]))


def points_of(S: Sequence[Number], variant: str, quartiles: str) -> Points:
    """The control points by the text, or by the authors' program

    Spec: RS-REL-9
    """
    if variant == "text":
        return control_points(S, quartiles)
    return control_points_of_program(S, quartiles)


def through(points: Points) -> Function:
    """X, Y, d: what φ is made of, from control points

    Spec: RS-REL-9
    """
    X, Y = distinct(points)
    return X, Y, slopes(X, Y)


def relevance(S: Sequence[Number], variant: str, quartiles: str) -> list[Number]:
    """<φ(s) of each score s of S>, by the control points of S itself

    Spec: RS-REL-9
    """
    X, Y, d = through(points_of(S, variant, quartiles))
    return [phi(s, X, Y, d) for s in S]


def gain_phi(phi_s: Number, reals: Reals) -> Number:
    """g = 2^φ - 1    [moniz-2016 section 2]

    Spec: RS-REL-10
    """
    return reals.exp2(phi_s) - 1


def graded_rbp(rel: Sequence[Number], k: int, p: Exact) -> Number:
    """RBP_φ@k = (1 - p) Σ_{i=1..k} φ_i p^(i-1)    [moffat-2008, of graded relevance]

    Spec: RS-REL-14
    """
    p = Fraction(p)
    total: Number = 0
    weight = 1 - p  # (1 - p) p^(i-1), carried along
    for phi_i in rel[:k]:
        total = total + weight * phi_i
        weight = weight * p
    return total


def graded_ap(rel: Sequence[Number], J: Sequence[Number], k: int) -> Number:
    """AP_φ@k = Σ_{i=1..k} (1/i) Σ_{j=1..i} min(φ_i, φ_j) / Σ_J φ, and 0 where that is 0

    Spec: RS-REL-15
    """
    total: Number = 0
    for i, phi_i in enumerate(rel[:k], start=1):
        total = total + sum(min(phi_i, phi_j) for phi_j in rel[:i]) / Fraction(i)
    norm = sum(J)
    return total / norm if norm else 0
