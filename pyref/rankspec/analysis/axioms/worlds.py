"""The small worlds that are searched: lists, pools and sessions, the smallest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

from ...reference.axioms import Labels
from ...reference.numbers.reals import Exact

LISTS = 128
"""How many lists of the greatest length there may be."""

LONGEST_POOL = 3
"""Of pools whose best lists are looked for."""

LARGEST_NUMBER = 8
"""To which a number that an axiom asks for is looked for."""


@dataclass(frozen=True)
class World:
    """All lists of some labels up to a length, each with pools of its items and one or two more.

    scale: the labels, in rising order
    length: of the longest list
    """

    scale: tuple[Exact, ...]
    length: int

    @classmethod
    def of(cls, scale: Sequence[Exact], length: int | None = None) -> World:
        """With these labels; without a length, that of at most 128 longest lists."""
        labels = tuple(sorted(set(scale)))
        if length is None:
            length = 1
            while len(labels) ** (length + 1) <= LISTS:
                length += 1
        return cls(labels, length)

    def lists(self, more: int = 1) -> Iterator[tuple[Labels, Labels]]:
        """(list, pool), in the order of their lengths; pools have up to so many items more."""
        for n in range(self.length + 1):
            for r in product(self.scale, repeat=n):
                for left in range(more + 1):
                    for rest in combinations_with_replacement(self.scale, left):
                        yield r, r + rest

    def exceeds(self, most: int) -> bool:
        """Whether there are more than so many lists with pools of up to two items more."""
        labels = len(self.scale)
        pools = 1 + labels + labels * (labels + 1) // 2
        return more_lists_than(most // pools, labels, self.length)

    def pools(self) -> Iterator[Labels]:
        """The pools of up to three items."""
        for n in range(1, LONGEST_POOL + 1):
            yield from combinations_with_replacement(self.scale, n)

    def sessions(self) -> Iterator[tuple[tuple[Labels, ...], Labels]]:
        """Sessions of two queries with one result, of three with one, of two with two.

        The pools are those of lists: of the session's items, and of these and one more.
        """
        for queries, results in ((2, 1), (3, 1), (2, 2)):
            for labels in product(self.scale, repeat=queries * results):
                starts = range(0, queries * results, results)
                session = tuple(labels[i : i + results] for i in starts)
                yield session, labels
                for x in self.scale:
                    yield session, (*labels, x)

    @property
    def about_sessions(self) -> str:
        return f"sessions of up to 3 queries and 4 results of the labels {self._labels}"

    @property
    def about_pools(self) -> str:
        return f"pools of up to {LONGEST_POOL} of the labels {self._labels}"

    @property
    def _labels(self) -> str:
        return ", ".join(map(str, self.scale))

    def __str__(self) -> str:
        labels = self._labels
        return f"lists of up to {self.length} of the labels {labels}"


def more_lists_than(most: int, labels: int, length: int) -> bool:
    """Whether there are more lists of so many labels, up to a length; however great it is."""
    lists = 0
    for n in range(length + 1):
        lists += labels**n
        if lists > most:
            return True
    return False
