"""The small world: the same few hundred inputs for every library, the smallest first.

All lists of up to three items with labels 0, 1 and 2; equal scores; judged items that the list does
not show; and what tells a convention: labels below 0 and fractional, an item without a judgment,
scores that differ as doubles alone, an empty list, longer lists. Two functions are told apart by
the first input that both can be asked and to which they answer differently. Where there is none,
their definitions are held against each other on a wider world, about which no library was asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from typing import Any

from heldout import Draw

from rankspec.analysis.identify.inputs import Domain, Input

UNTIED = (4.0, 3.0, 2.0)
TIED = ((2.0, 2.0, 2.0), (2.0, 2.0, 1.0), (2.0, 1.0, 1.0))


@cache
def world() -> tuple[Input, ...]:
    """All of it, the smallest first."""
    found = dict.fromkeys([*_lists(), *_ties(), *_pools(), *_edges(), *_longer()])
    return tuple(sorted(found, key=_size))


def _size(x: Input) -> tuple[Any, ...]:
    plain = all(isinstance(label, int) and label >= 0 for label in x.labels)
    shown = [(label is None, label or 0) for label in x.labels]
    return (
        len(x.labels) + len(x.unseen) + 3 * (not plain or not x.labels or x.k == 0),
        len(x.unseen),
        x.tied,
        x.k is None,
        sum(x.judged) + 0.0,
        x.k or 0,
        shown,
        x.scores,
        x.names,
    )


def _cuts(n: int) -> tuple[int | None, ...]:
    return (None, *range(1, n + 2))


def _named(
    labels: Sequence[Any], scores: Sequence[float], k: int | None, unseen: Any = ()
) -> Input:
    ids = tuple(f"d{a:02}" for a in range(1, len(labels) + 1))
    return Input(tuple(labels), tuple(scores), k, tuple(unseen), ids)


def _lists() -> Iterator[Input]:
    for n in (1, 2, 3):
        for labels, k in product(product((0, 1, 2), repeat=n), _cuts(n)):
            if n < 3 or k != 4:
                yield _named(labels, UNTIED[:n], k)


def _ties() -> Iterator[Input]:
    for pair in ((0, 1), (1, 0), (0, 2), (1, 2), (2, 1)):
        for k in (None, 1, 2):
            x = _named(pair, (1.0, 1.0), k)
            yield x
            yield replace(x, ids=("d02", "d01"))
    for kinds in ((0, 1, 2), (0, 0, 1), (0, 1, 1)):
        for labels in sorted(set(permutations(kinds))):
            for scores, k in product(TIED, (None, 1, 2, 3)):
                yield _named(labels, scores, k)


def _pools() -> Iterator[Input]:
    for labels in ((0,), (1,), (2,), (0, 0), (0, 1), (1, 0), (0, 2), (1, 0, 1)):
        for unseen, k in product(((0,), (1,), (2,), (2, 1)), (None, 1, 2, 3)):
            yield _named(labels, UNTIED[: len(labels)], k, unseen)


def _edges() -> Iterator[Input]:
    rows: tuple[tuple[Any, ...], ...] = ((-1, 1), (1, -1), (-1, 0), (0.5, 1), (1, 0.5), (0.5, 0),
        (1.5, 2), (2, 1.5, 0.25), (None, 1), (1, None), (None, None), (0, None, 1))  # fmt: skip
    for labels in rows:
        for k in (None, 1, len(labels)):
            yield _named(labels, UNTIED[: len(labels)], k)
    for k in (None, 1, 2):
        yield _named((0, 1), (1.0, 1.0 + 2.0**-40), k)
        yield _named((1, 0), (1.0, 1.0 + 2.0**-40), k)
        for unseen in ((), (1,)):
            yield Input((), (), k, unseen, ())
    yield _named((1, 0), UNTIED[:2], 0)
    yield _named((1, 0), UNTIED[:2], 10)


def _longer() -> Iterator[Input]:
    draw = Draw("world 1")
    for highest, n in product((1, 1, 3), (4, 5, 6, 8)):
        labels = [draw.below(highest + 1) for _ in range(n)]
        scores = [float(n - a) for a in range(n)]
        for k in (None, 2, n - 1, n):
            yield _named(labels, scores, k)
            yield _named(labels, scores, k, [1, 0, highest][: draw.below(4)])
    labels = [draw.below(2) for _ in range(20)]
    for k in (None, 5, 20):
        yield _named(labels, [float(draw.below(4)) for _ in range(20)], k)


def wider() -> list[Input]:
    """Inputs beyond the small world, the smallest first: more labels, cut-offs and equal scores."""
    labels = (0, 1, 2, 3, None, -1, 0.5, 1.5, 2.5)
    found: dict[Input, None] = {}
    for n in (1, 2, 3):
        for chosen in product(labels if n < 3 else labels[:5], repeat=n):
            for k in (None, *range(n + 3)):
                found[_named(chosen, UNTIED[:n], k)] = None
                if n < 3:
                    found[_named(chosen, (1.0,) * n, k)] = None
                    found[_named(chosen, UNTIED[:n], k, (1,))] = None
    small = set(world())
    return sorted((x for x in found if x not in small), key=_size)


def as_said(x: Input, domain: Domain) -> Input | None:
    """An input as an adapter of a domain can say it; None where it cannot.

    A cut-off that is at least the length is none for one that has no cut-offs.
    """
    order = range(len(x.labels))
    if not domain.scored:
        if x.tied:
            return None
        ranked = sorted(order, key=lambda a: -(x.scores or ())[a])
        x = Input(tuple(x.labels[a] for a in ranked), None, x.k, x.unseen)
    if not domain.named:
        x = replace(x, ids=None)
    if domain.cutoff == "never" and x.k is not None and x.k >= max(1, len(x.labels)):
        x = replace(x, k=None)
    if domain.named and not x.judged:
        return None  # qrels without a judgment of a query do not have the query
    return x if domain.takes(x) else None
