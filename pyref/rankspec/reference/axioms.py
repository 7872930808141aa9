"""What a metric must do, by the literature: constraints as comparisons of two values of it.

E     a metric: a function of the labels in rank order, of the labels of the pool, and of the
      cut-off (None: the whole list); its value is a number of any kind that can be compared, or
      None where it is not defined
r     the labels of a list in rank order: r(1) is r[0]
J     the labels of the pool, which covers the lists that are compared
k     the cut-off

A constraint is a function of one list, its pool and a cut-off. It yields the comparisons that it
asks for there: none where it asks for nothing. A metric satisfies it where ``holds`` says so of
all of them. What asks for one number at least (a threshold) is a function of that number.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from typing import Any, NamedTuple, TypeAlias

from .numbers.reals import Exact, Number

Labels: TypeAlias = tuple[Exact, ...]
Metric: TypeAlias = Callable[[Any, Labels, int | None], Number | None]


class Shown(NamedTuple):
    """A list, or the lists of a session, with the pool and the cut-off of its evaluation."""

    labels: Any
    pool: Labels
    k: int | None


class Comparison(NamedTuple):
    """What is asked of two values, or of a value and a number: first sign second.

    sign: ">", ">=" or "="; "defined", of the first alone, which has no second
    """

    first: Shown
    sign: str
    second: Shown | Exact | None


SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
}


def holds(E: Metric, asked: Comparison) -> bool:
    """Whether a metric does as asked; a value that is not defined does not.

    Spec: RS-AXM-1
    """
    first = E(*asked.first)
    if asked.sign == "defined":
        return first is not None
    second = E(*asked.second) if isinstance(asked.second, Shown) else asked.second
    return first is not None and second is not None and SIGNS[asked.sign](first, second)


def exchanged(r: Labels, i: int, j: int) -> Labels:
    """The list with the items at the positions i < j exchanged."""
    return (*r[:i], r[j], *r[i + 1 : j], r[i], *r[j + 1 :])


def depths(r: Labels, k: int | None) -> Sequence[int]:
    """The cut-off; without one, every depth of the list."""
    return range(1, len(r) + 1) if k is None else (k,)


def left(J: Labels, r: Labels) -> list[Exact]:
    """The items of the pool that a list does not show."""
    rest = list(J)
    for x in r:
        rest.remove(x)
    return rest


# ---- fewer results against more -----------------------------------------------------------


def c1(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """r_1 > r_2: E(<r_1>) > E(<r_1, r_2>)    [lv-2014 section 3]

    Spec: RS-AXM-2, RS-LEN-10
    """
    if len(r) == 2 and r[0] > r[1]:
        yield Comparison(Shown(r[:1], J, k), ">", Shown(r, J, k))


def c2(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """r_1 = r_2 > 0: E(<r_1, r_2>) > E(<r_1>)    [lv-2014 section 3]

    Spec: RS-AXM-3, RS-LEN-11
    """
    if len(r) == 2 and r[0] == r[1] > 0:
        yield Comparison(Shown(r, J, k), ">", Shown(r[:1], J, k))


def fewer_and_better(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """min(r_1..r_n) > max(r_{n+1}..): the first n alone are above all of r    [rankspec]

    Spec: RS-AXM-4
    """
    for n in range(1, len(r)):
        if min(r[:n]) > max(r[n:]):
            yield Comparison(Shown(r[:n], J, k), ">", Shown(r, J, k))


def more_as_good(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """r_1 = ... = r_n > 0: r is above its first n - 1    [rankspec]

    Spec: RS-AXM-5
    """
    if len(r) > 1 and min(r) == max(r) > 0:
        yield Comparison(Shown(r, J, k), ">", Shown(r[:-1], J, k))


# ---- the seven properties of moffat-2013 ---------------------------------------------------


def within(lower: Exact | None, upper: Exact | None) -> Callable[..., Iterator[Comparison]]:
    """lower <= E <= upper, as far as they are given

    Spec: RS-AXM-7
    """

    def constraint(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
        if lower is not None:
            yield Comparison(Shown(r, J, k), ">=", lower)
        if upper is not None:
            yield Comparison(Shown(r, J, k), "<=", upper)

    return constraint


def monotonicity(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """E@(k+1) >= E@k

    Spec: RS-AXM-8
    """
    for depth in depths(r, k):
        yield Comparison(Shown(r, J, depth + 1), ">=", Shown(r, J, depth))


def convergence(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """i <= k < j and r_j > r_i: exchanging the two raises E@k; j may be no rank, but left in J

    Spec: RS-AXM-9
    """
    for depth in depths(r, k):
        for i in range(min(depth, len(r))):
            for j in range(depth, len(r)):
                if r[j] > r[i]:
                    better = Shown(exchanged(r, i, j), J, depth)
                    yield Comparison(better, ">", Shown(r, J, depth))
            for x in sorted(set(left(J, r))):
                if x > r[i]:
                    better = Shown((*r[:i], x, *r[i + 1 :]), J, depth)
                    yield Comparison(better, ">", Shown(r, J, depth))


def top_weightedness(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """i < j <= k and r_j > r_i: exchanging the two raises E@k

    Spec: RS-AXM-10
    """
    deepest = len(r) if k is None else min(k, len(r))
    for i in range(deepest):
        for j in range(i + 1, deepest):
            if r[j] > r[i]:
                yield Comparison(Shown(exchanged(r, i, j), J, k), ">", Shown(r, J, k))


def localisation(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """E@k of r and J is E@k of the first k of r, which are the pool too

    Spec: RS-AXM-11
    """
    for depth in depths(r, k):
        alone = Shown(r[:depth], r[:depth], depth)
        yield Comparison(Shown(r, J, depth), "=", alone)


def completeness(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """max J <= 0: E is defined

    Spec: RS-AXM-12
    """
    if max(J, default=0) <= 0:
        yield Comparison(Shown(r, J, k), "defined", None)


def best(E: Metric, J: Labels, k: int | None) -> tuple[Shown, Number | None]:
    """The list of items of J with the greatest E, and its value; of several the first

    Where a list that shows an item has no value no greatest is known, and it is that list.

    Spec: RS-AXM-13
    """
    lists = sorted({r for n in range(len(J) + 1) for r in permutations(J, n)}, key=len)
    values = [(Shown(r, J, k), E(r, J, k)) for r in lists]
    found = values[0]
    for shown, value in values[1:]:
        if value is None:
            return shown, None
        if found[1] is None or value > found[1]:
            found = shown, value
    return found


def realisability(E: Metric, J: Labels, other: Labels, k: int | None) -> Comparison | None:
    """max J > 0 and max J' > 0: the greatest E of the lists of J is that of the lists of J'

    Spec: RS-AXM-13
    """
    if max(J, default=0) <= 0 or max(other, default=0) <= 0:
        return None
    return Comparison(best(E, J, k)[0], "=", best(E, other, k)[0])


# ---- ferrante-2015 --------------------------------------------------------------------------


def replacement(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """x > r_i, x of J and not shown: putting x in the place of r_i does not lower E

    Spec: RS-AXM-14
    """
    for i, x in enumerate(r):
        for y in sorted(set(left(J, r))):
            if y > x:
                better = Shown((*r[:i], y, *r[i + 1 :]), J, k)
                yield Comparison(better, ">=", Shown(r, J, k))


def swap(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """i < j and r_j > r_i: exchanging the two does not lower E

    Spec: RS-AXM-15
    """
    for i in range(len(r)):
        for j in range(i + 1, len(r)):
            if r[j] > r[i]:
                yield Comparison(Shown(exchanged(r, i, j), J, k), ">=", Shown(r, J, k))


# ---- amigo-2013 -----------------------------------------------------------------------------


def priority(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """r_i < r_{i+1}: exchanging the two raises E

    Spec: RS-AXM-16
    """
    for i in range(len(r) - 1):
        if r[i] < r[i + 1]:
            yield Comparison(Shown(exchanged(r, i, i + 1), J, k), ">", Shown(r, J, k))


def deepness(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """i < j, r_i = r_j < r_{i+1} = r_{j+1}: exchanging the first two raises E more

    Spec: RS-AXM-17
    """
    for i in range(len(r) - 1):
        for j in range(i + 2, len(r) - 1):
            if r[i] == r[j] < r[i + 1] == r[j + 1]:
                first, second = (Shown(exchanged(r, x, x + 1), J, k) for x in (i, j))
                yield Comparison(first, ">", second)


def deepness_threshold(a: Exact, n: int, k: int | None) -> Comparison:
    """E(<a>) > E(<0, ..., 0, a, ..., a>), n times each, of one pool; for all n from some n on

    Spec: RS-AXM-18
    """
    deep = (0,) * n + (a,) * n
    return Comparison(Shown((a,), deep, k), ">", Shown(deep, deep, k))


def closeness_threshold(a: Exact, n: int, k: int | None) -> Comparison:
    """E(<0, ..., 0, a, ..., a>) > E(<a>), n times each, of one pool; for some n

    Spec: RS-AXM-19
    """
    deep = (0,) * n + (a,) * n
    return Comparison(Shown(deep, deep, k), ">", Shown((a,), deep, k))


def confidence(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """max r > 0: appending a 0 of J lowers E

    Spec: RS-AXM-20
    """
    if max(r, default=0) > 0 and 0 in left(J, r):
        yield Comparison(Shown(r, J, k), ">", Shown((*r, 0), J, k))


# ---- others ---------------------------------------------------------------------------------


def appended(r: Labels, J: Labels, k: int | None) -> Iterator[Comparison]:
    """Appending a 0 of J does not change E

    Spec: RS-AXM-21
    """
    if 0 in left(J, r):
        yield Comparison(Shown((*r, 0), J, k), "=", Shown(r, J, k))


def query_order(queries: tuple[Labels, ...], J: Labels, k: int | None) -> Iterator[Comparison]:
    """The later of two queries has more at a rank: exchanging the two items raises E
    [jarvelin-2008 section 3]

    Spec: RS-AXM-22
    """
    for p in range(len(queries)):
        for q in range(p + 1, len(queries)):
            for i, (x, y) in enumerate(zip(queries[p], queries[q], strict=False)):
                if y > x:
                    better = list(queries)
                    better[p] = (*queries[p][:i], y, *queries[p][i + 1 :])
                    better[q] = (*queries[q][:i], x, *queries[q][i + 1 :])
                    yield Comparison(Shown(tuple(better), J, k), ">", Shown(queries, J, k))
