"""Random inputs that an identification never saw: the same for the same domain, on any machine.

They are drawn over the whole of what an adapter declares: labels from 0 to 3, now and then below 0
or fractional; equal scores; items without a judgment; cut-offs within the list and beyond it;
lists of up to 12 items, and some of up to 30. Only ``random.random`` is used, whose numbers are the
same in every version of Python.

Figures are quoted from a seed on which no change of the search was made: who changes the search
after seeing what it misses here declares a new seed, and asks every library again. What is stored
says of which seed it is, so that a library that was not asked again can be read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from random import Random
from typing import Any

from rankspec.analysis.identify.inputs import Domain, Input

COUNT = 500
SEED = "held-out 3"
BEFORE = "held-out 2"
"""The seed of what is stored without one."""


def held_out(
    domain: Domain, without: Collection[Input] = (), count: int = COUNT, seed: str = SEED
) -> list[Input]:
    """Different inputs of a domain, none of which was asked before; fewer where there are few."""
    draw = Draw(seed)
    found: dict[Input, None] = {}
    for _ in range(60 * count):
        x = _input(draw, domain)
        if domain.takes(x) and x not in without and not _names_no_query(x, domain):
            found.setdefault(x)
        if len(found) == count:
            break
    return list(found)


def _names_no_query(x: Input, domain: Domain) -> bool:
    """Whether files say nothing of it: qrels without a judgment do not have the query."""
    return domain.named and not x.judged


def fingerprint(inputs: Sequence[Input]) -> str:
    """A hash of inputs, which says whether they are those that were asked."""
    text = json.dumps([x.as_dict() for x in inputs], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Draw:
    """Random numbers by a seed."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed).random  # noqa: S311 - the same inputs each time

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return int(self._random() * n)

    def among(self, values: Sequence[Any]) -> Any:
        """One of some values."""
        return values[self.below(len(values))]

    def chance(self, p: float) -> bool:
        """True with a probability."""
        return self._random() < p

    def shuffled(self, values: Sequence[Any]) -> list[Any]:
        """The values in another order."""
        return [x for _, x in sorted((self._random(), x) for x in values)]


def _input(draw: Draw, domain: Domain) -> Input:
    n = _length(draw, domain)
    labels = _labels(draw, domain, n)
    more = domain.pool and draw.chance(0.5)
    unseen = _plain(draw, domain, 1 + draw.below(4)) if more else []
    scores = _scores(draw, domain, n)
    ids = tuple(f"d{a:02}" for a in draw.shuffled(range(1, n + 1))) if domain.named else None
    k = _cutoff(draw, domain, n)
    return Input(tuple(labels), scores, k, tuple(unseen), ids)


def _length(draw: Draw, domain: Domain) -> int:
    high = min(30 if draw.chance(0.1) else 12, domain.max_length)
    return domain.min_length + draw.below(max(1, high - domain.min_length + 1))


def _labels(draw: Draw, domain: Domain, n: int) -> list[Any]:
    labels = _plain(draw, domain, n)
    kind = draw.below(10)
    if kind == 0 and domain.negative and not domain.binary:
        labels = [x if draw.chance(0.7) else -1 - draw.below(2) for x in labels]
    if kind == 1 and not domain.integers and not domain.binary:
        labels = [x if draw.chance(0.5) else draw.among((0.25, 0.5, 1.5, 2.75)) for x in labels]
    if kind in (2, 3) and domain.unjudged:
        return [x if draw.chance(0.7) else None for x in labels]
    return labels


def _plain(draw: Draw, domain: Domain, n: int) -> list[Any]:
    """Whole labels, of which more or fewer are relevant."""
    relevant = draw.among((0.15, 0.5, 0.85))
    return [1 + draw.below(domain.highest) if draw.chance(relevant) else 0 for _ in range(n)]


def _scores(draw: Draw, domain: Domain, n: int) -> tuple[float, ...] | None:
    if not domain.scored:
        return None
    if domain.ties and draw.chance(0.35):
        return tuple(float(1 + draw.below(1 + n // 2)) for _ in range(n))
    return tuple(float(x) / 4 for x in draw.shuffled(range(1, n + 1)))


def _cutoff(draw: Draw, domain: Domain, n: int) -> int | None:
    if domain.cutoff == "never" or (domain.cutoff == "optional" and draw.chance(0.2)):
        return None
    if domain.cutoffs is not None:
        return int(draw.among(domain.cutoffs))
    return 1 + draw.below(max(1, n) + (0 if domain.k_within else 3))
