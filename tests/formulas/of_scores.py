"""The formulas of the chapter on relevance from scores."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from rankspec.reference.dcg import dcg, ndcg
from rankspec.reference.relevance import (
    alpha,
    control_points,
    control_points_of_program,
    distinct,
    end_slope,
    gain_phi,
    graded_ap,
    graded_rbp,
    phi,
    position,
    quantile,
    relevance,
    slopes,
    through,
    upper_whisker,
)
from rankspec.symbolic import SYMBOLS

from .evaluate import whole
from .worlds import DISCOUNTS, Formula, discount, indexed

World = dict[str, Any]
SCORES = [
    [Fraction(x) for x in scores]
    for scores in (
        [1, 2, 3, 4, 20],
        [0, 1, 5],
        [2, 3, 7, 8],
        [-3, 0, 1, 2, 2, 30],
        [1, 6, 7, 8, 8],
        [1, 1, 1, 1, 1, 3],
    )
]
QUARTILES = ("linear", "hinges", "weibull", "median-unbiased")
POINTS: list[list[tuple[Fraction, Fraction]]] = [
    [(Fraction(x), Fraction(y)) for x, y in points]
    for points in (
        [(0, 0), (2, 1)],
        [(0, 0), (1, 0), (3, 1)],
        [(0, 0), (1, "1/5"), (3, "1/2"), (7, 1)],
        [(-2, "1/7"), (0, "1/3"), (1, "1/2"), (5, "6/7")],
    )
]


def points_of_the_text() -> Iterator[World]:
    for x, name in product([*SCORES, [Fraction(7)], [Fraction(1), Fraction(1)]], QUARTILES):
        W, low, high = upper_whisker(x, name), x[0], x[-1]
        yield {
            "min": low, "med": quartile(x, Fraction(1, 2), name), "max": high, "W": W,
            "\\alpha": alpha(x, W) if low < high else None, "value": control_points(x, name),
        }  # fmt: skip


def points_of_the_program() -> Iterator[World]:
    """The whisker is one of the scores above 0."""
    for S, name in product(SCORES, QUARTILES):
        x = [s for s in S if s > 0]
        W = upper_whisker(x, name)
        shown = max(s for s in S if 0 < s <= W)
        yield {
            "S^+": tuple(x), "W": W, "med": quartile(x, Fraction(1, 2), name), "max": x[-1],
            "\\alpha": alpha(x, shown), "value": control_points_of_program(S, name),
        }  # fmt: skip


def distinct_points() -> Iterator[World]:
    for points in ([(0, 0)], [(0, 0), (0, 1), (2, 1)], [(1, 0), (2, 0), (2, "1/2"), (3, 1)]):
        pairs = [(Fraction(s), Fraction(y)) for s, y in points]
        X, Y = distinct(pairs)
        for j in range(len(X)):
            yield {
                "X_": indexed(X, 0), "Y_": indexed(Y, 0), "l": Fraction(len(X) - 1),
                "j": Fraction(j), "s_": indexed([s for s, _ in pairs]),
                "y_": indexed([y for _, y in pairs]),
                "each a": [{"a": Fraction(a)} for a in range(1, len(pairs) + 1)],
            }  # fmt: skip


def relevances_of_items() -> Iterator[World]:
    for S, name in product(SCORES, QUARTILES):
        own = through(control_points(S, name))
        values = relevance(S, "text", name)
        for i in range(1, len(S) + 1):
            yield {
                "i": Fraction(i), "s_": indexed(S), "rel_": indexed(values),
                "\\varphi": lambda s, own=own: phi(s, *own),
            }  # fmt: skip


def quantiles() -> Iterator[World]:
    for x, name, p in product(SCORES, QUARTILES, (1, 2, 3)):
        q = position(Fraction(p, 4), len(x), name)
        if q <= len(x) - 1 and q >= 1:
            yield {
                "x_": indexed(x), "q": q, "j": Fraction(q.__floor__()),
                "p": Fraction(p, 4), "Q_": lambda p, x=x, name=name: quartile(x, p, name),
            }  # fmt: skip


def quartile(x: Any, p: Any, name: str) -> Any:
    return quantile(x, position(p, len(x), name))


def whiskers() -> Iterator[World]:
    for x, name in product(SCORES, QUARTILES):
        W = upper_whisker(x, name)
        median = quartile(x, Fraction(1, 2), name)
        yield {
            "Q_": lambda p, x=x, name=name: quartile(x, p, name),
            "W": W, "min": x[0], "med": median, "max": x[-1], "\\alpha": alpha(x, W),
        }  # fmt: skip


def between() -> Iterator[World]:
    """Scores with an outlier, and a score from the whisker on."""
    for x, name in product(SCORES, QUARTILES):
        W = upper_whisker(x, name)
        if x[-1] > W:
            own = through(control_points(x, name))
            for share in (0, 1, 2, 4):
                s = W + (x[-1] - W) * share / 4
                yield {
                    "W": W, "min": x[0], "max": x[-1], "\\alpha": alpha(x, W), "s": s,
                    "\\varphi": lambda s, own=own: phi(s, *own),
                }  # fmt: skip


def interior_slopes() -> Iterator[World]:
    for points in POINTS:
        X, Y = zip(*points, strict=True)
        for j in range(1, len(X) - 1):
            yield {**intervals(X, Y), "j": Fraction(j), "d_": indexed(slopes(X, Y), 0)}


def intervals(X: Any, Y: Any) -> World:
    h = [b - a for a, b in pairwise(X)]
    D = [(b - a) / width for (a, b), width in zip(pairwise(Y), h, strict=True)]
    return {"h_": indexed(h, 0), "D_": indexed(D, 0), "X_": indexed(X, 0), "Y_": indexed(Y, 0)}


def end_slopes() -> Iterator[World]:
    """Of rising and of falling chords; the last case is that of chords that turn."""
    chords = [Fraction(x) for x in ("0", "1/9", "2", "-1", "-9", "9")]
    widths = [Fraction(1), Fraction(3)]
    for h0, h1, D0, D1 in product(widths, widths, chords, chords):
        yield {
            "h_": indexed([h0, h1], 0), "D_": indexed([D0, D1], 0),
            "d_0": end_slope(h0, h1, D0, D1),
        }  # fmt: skip


def relevances() -> Iterator[World]:
    """φ between two control points, from the first of them on."""
    for points in POINTS:
        X, Y, d = through(points)
        for j, share in product(range(len(X) - 1), (0, 1, 2, 3)):
            yield {
                **intervals(X, Y), "j": Fraction(j), "s": X[j] + (X[j + 1] - X[j]) * share / 4,
                "d_": indexed(d, 0), "\\varphi": lambda s, own=(X, Y, d): phi(s, *own),
            }  # fmt: skip


def without_outlier() -> Iterator[World]:
    for low, med, high in ((0, 1, 3), (0, 2, 3), (-1, 4, 6)):
        X, Y, d = through([(Fraction(low), 0), (Fraction(med), 0), (Fraction(high), 1)])
        h0, h1 = X[1] - X[0], X[2] - X[1]
        for share in range(5):
            t = Fraction(share, 4)
            yield {
                "c": (2 * h1 + h0) / (h1 + h0), "t": t, "\\varphi": phi(X[1] + t * h1, X, Y, d)
            }  # fmt: skip


def gains() -> Iterator[World]:
    for x in (0, 1, Fraction(1, 2), Fraction(2, 3)):
        yield {"\\varphi": Fraction(x), "g": gain_phi(x, SYMBOLS)}


RANKINGS = [([3, 0, 5], [5, 3, 0]), ([0], [2, 5]), ([], [3]), ([5, 0, 3, 3], [0, 3, 5, 5, 3])]
SHARES = {0: Fraction(0), 2: Fraction(1, 2), 3: Fraction(1), 5: Fraction(2)}
"""Relevances by score; that of 5 is above 1, so that its gain is another rational number."""


def share(s: Any) -> Fraction:
    return SHARES[int(s)]


def of_scores(name: str) -> Any:
    """DCG_φ, nDCG_φ, RBP_φ and AP_φ of lists of scores."""

    def worlds() -> Iterator[World]:
        for (r, S), k in product(RANKINGS, (1, 2, 3, 6)):
            if name != "DCG" and not any(S):
                continue
            phis, pool = [share(s) for s in r], [share(s) for s in S]

            def g(y: Any) -> Any:
                return gain_phi(y, SYMBOLS)

            yield {
                "n": Fraction(len(r)), "k": Fraction(k), "r": indexed(r), "S": tuple(S),
                "S_": indexed(sorted(S, reverse=True)), "d": indexed(DISCOUNTS),
                "p": Fraction(2, 3), "\\varphi": share, "\\varphi_": indexed(phis),
                "DCG_\\varphi@": lambda k, x=phis: dcg(x, whole(k), g, discount),
                "nDCG_\\varphi@": lambda k, x=phis, J=pool: ndcg(x, J, whole(k), g, discount),
                "RBP_\\varphi@": lambda k, x=phis: graded_rbp(x, whole(k), Fraction(2, 3)),
                "AP_\\varphi@": lambda k, x=phis, J=pool: graded_ap(x, J, whole(k)),
            }  # fmt: skip

    return worlds


FORMULAS = [
    Formula("RS-REL-1", quantiles),
    Formula("RS-REL-2", whiskers),
    Formula("RS-REL-3", whiskers),
    Formula("RS-REL-4", points_of_the_text),
    Formula("RS-REL-4/L4", whiskers),
    Formula("RS-REL-5", points_of_the_program, defines=("W^+",)),
    Formula("RS-REL-6", distinct_points),
    Formula("RS-REL-7", interior_slopes, defines=("w_0", "w_1")),
    Formula("RS-REL-7", end_slopes, display=1, defines=("\\delta",)),
    Formula("RS-REL-8", relevances, prose=("t", "u")),
    Formula("RS-REL-8/L4", without_outlier),
    Formula("RS-REL-9", relevances_of_items),
    Formula("RS-REL-9/L5", between, tight=True),
    Formula("RS-REL-10", gains),
    Formula("RS-REL-11", of_scores("DCG")),
    Formula("RS-REL-12", of_scores("nDCG")),
    Formula("RS-REL-14", of_scores("RBP")),
    Formula("RS-REL-15", of_scores("AP")),
]
