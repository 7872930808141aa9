"""Position priors of observations: of clicks by rank, and of the lengths of lists."""

# fmt: off
from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from rankspec.analysis import priors

from . import Group
from .statistics import Statistic, Statistics, statistic


def group(about: str, *cases: Statistic) -> Group:
    return Group(about, cases)  # type: ignore[arg-type]


def _of_clicks(counts: list[int], M: Any = None) -> list[Fraction]:
    return priors.prior_of_clicks(counts, M=M)


def _of_lengths(counts: list[int], M: Any = None) -> list[Fraction]:
    return priors.prior_of_lengths(dict(enumerate(counts, start=1)), M=M)


FUNCTIONS = {
    "prior_of_clicks": ("RS-LEN-19", _of_clicks),
    "prior_of_lengths": ("RS-LEN-20", _of_lengths),
}


def _shares(counts: list[int]) -> list[Fraction]:
    return [Fraction(c, sum(counts)) for c in counts]


FLAGS: dict[str, tuple[str, Any]] = {
    "pooled": ("a rank has more clicks than the rank above it, and is pooled with that one",
               lambda x, _: any(a < b for a, b in pairwise(x["counts"]))),
    "pooled-again": ("a pool of two ranks or more is pooled with another rank above it",
                     lambda x, p: any(a == b and c > d for (a, b), (c, d) in
                                      zip(pairwise(p), pairwise(x["counts"]), strict=True))),
    "uniform": ("every rank has the same probability", lambda _, p: len(set(p)) == 1),
    "as-counted": ("the probabilities are the shares of the counts",
                   lambda x, p: p == _shares(x["counts"])),
    "zero-between": ("a count of 0 stands above another one, and its rank has a probability",
                     lambda x, p: any(c == 0 and q > 0 for c, q in
                                      zip(x["counts"], p, strict=True))),
    "zero-at-the-end": ("the last rank has the probability 0", lambda _, p: p[-1] == 0),
    "more-ranks": ("M is above the last rank that has a count",
                   lambda x, _: x["M"] > len(x["counts"])),
    "large": ("a count is above 2^53", lambda x, _: max(x["counts"]) > 2**53),
}
RELATIONS = {
    "extends": lambda mine, other: mine[:len(other)] == other and not any(mine[len(other):]),
}
STATISTICS = Statistics(FUNCTIONS, FLAGS, RELATIONS)


def _of(whole: int, *parts: int) -> list[Fraction]:
    return [Fraction(part, whole) for part in parts]


REQUIRED = [
    group(
        "clicks by rank",
        statistic(1, "they fall", "prior_of_clicks", counts=[6, 3, 1], known=_of(10, 6, 3, 1),
                  flags="as-counted", spec="RS-LEN-19/L1 RS-LEN-19/L3 RS-LEN-19(b)"),
        statistic(2, "the third rank has more than the second", "prior_of_clicks",
                  counts=[60, 10, 30], known=_of(5, 3, 1, 1), flags="pooled",
                  spec="RS-LEN-19/L1 RS-LEN-19/L2 RS-LEN-19/L4"),
        statistic(3, "they rise", "prior_of_clicks", counts=[1, 2, 3], known=_of(3, 1, 1, 1),
                  flags="pooled uniform"),
        statistic(4, "a pool rises when a rank joins it, but not above the first rank",
                  "prior_of_clicks", counts=[5, 2, 1, 6], known=_of(14, 5, 3, 3, 3),
                  flags="pooled pooled-again", spec="RS-LEN-19/L2 RS-LEN-19/L4"),
        statistic(5, "the last rank takes all others into its pool", "prior_of_clicks",
                  counts=[4, 2, 1, 13], known=_of(4, 1, 1, 1, 1),
                  flags="pooled pooled-again uniform"),
        statistic(6, "equal counts side by side", "prior_of_clicks", counts=[4, 4, 2],
                  known=_of(5, 2, 2, 1), flags="as-counted"),
        statistic(7, "a rank without clicks between others", "prior_of_clicks",
                  counts=[5, 0, 2, 1], known=_of(8, 5, 1, 1, 1), flags="pooled zero-between",
                  spec="RS-LEN-19(a)"),
        statistic(8, "no clicks from some rank on", "prior_of_clicks", counts=[3, 1, 0, 0],
                  known=_of(4, 3, 1, 0, 0), flags="as-counted zero-at-the-end",
                  spec="RS-LEN-19(a)"),
        statistic(9, "clicks on the last rank alone", "prior_of_clicks", counts=[0, 0, 4],
                  known=_of(3, 1, 1, 1), flags="pooled zero-between uniform"),
        statistic(10, "one rank", "prior_of_clicks", counts=[7], known=_of(1, 1),
                  flags="uniform as-counted"),
        statistic(11, "ten times as many clicks", "prior_of_clicks", counts=[600, 100, 300],
                  flags="pooled", laws="RS-LEN-19/L5 = priors-0002"),
        statistic(12, "five ranks, of which three have counts", "prior_of_clicks",
                  counts=[60, 10, 30], M=5, flags="more-ranks zero-at-the-end",
                  laws="RS-LEN-19/L6 extends priors-0002"),
        statistic(13, "counts that a double does not hold", "prior_of_clicks",
                  counts=[2**53 + 1, 10**17 + 1, 3], flags="large pooled",
                  known=[Fraction(2**53 + 10**17 + 2, 2 * (2**53 + 10**17 + 5))] * 2
                  + [Fraction(3, 2**53 + 10**17 + 5)]),
    ),
    group(
        "lengths of lists",
        statistic(20, "three lists of one result, one of two", "prior_of_lengths", counts=[3, 1],
                  known=_of(8, 7, 1), spec="RS-LEN-20/L1 RS-LEN-20/L3 RS-LEN-20(b)"),
        statistic(21, "all lists have three results", "prior_of_lengths", counts=[0, 0, 5],
                  known=_of(3, 1, 1, 1), flags="uniform", spec="RS-LEN-20/L2"),
        statistic(22, "a length between others that no list has", "prior_of_lengths",
                  counts=[1, 0, 2, 1], known=_of(48, 12 + 8 + 3, 8 + 3, 8 + 3, 3),
                  spec="RS-LEN-20/L3"),
        statistic(23, "the lists of both cases before together: the mean of 5 and 4",
                  "prior_of_lengths", counts=[1, 0, 7, 1],
                  known=_of(108, 12 + 28 + 3, 28 + 3, 28 + 3, 3), spec="RS-LEN-20/L4"),
        statistic(24, "ten times as many lists", "prior_of_lengths", counts=[10, 0, 20, 10],
                  laws="RS-LEN-20/L5 = priors-0022"),
        statistic(25, "more ranks than the longest list has", "prior_of_lengths", counts=[3, 1],
                  M=4, known=_of(8, 7, 1, 0, 0), flags="more-ranks zero-at-the-end",
                  spec="RS-LEN-20(a)"),
    ),
    group(
        "what must be refused",
        statistic(30, "a negative count", "prior_of_clicks", counts=[3, -1], error="clicks"),
        statistic(31, "no clicks at all", "prior_of_clicks", counts=[0, 0], error="clicks"),
        statistic(32, "no ranks", "prior_of_clicks", counts=[], error="clicks"),
        statistic(33, "half a click", "prior_of_clicks", counts=[3, 0.5], error="clicks"),
        statistic(34, "fewer ranks than have counts", "prior_of_clicks", counts=[3, 1], M=1,
                  error="M"),
        statistic(35, "no list at all", "prior_of_lengths", counts=[0], error="lengths"),
        statistic(36, "a negative number of lists", "prior_of_lengths", counts=[2, -2],
                  error="lengths"),
        statistic(37, "a list of 1001 results", "prior_of_lengths", counts=[0] * 1000 + [1],
                  error="lengths"),
    ),
]
OPTIONAL: list[Group] = []
