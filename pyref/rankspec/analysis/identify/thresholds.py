"""The least relevant label between two whole numbers: a bisection, a question each step.

Whole labels tell a threshold up to the next whole number. A label between them is put where it
counts if it is relevant, until what counts and what does not are close.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nextafter

from .asked import Asked
from .definition import Definition
from .inputs import Domain, Input, Label

STEPS = 24  # until the number of the fewest digits is asked
MOST_STEPS = 80  # until two neighbouring doubles are left
STAGE = "threshold"


def threshold(asked: Asked, d: Definition, domain: Domain) -> float | None:
    """The fraction that is the least relevant label; None: there is none, or no question tells.

    d: a definition that is left, of which labels from a whole number on are relevant
    """
    rel = d.core.rel
    if domain.integers or domain.binary or rel != int(rel) or rel < 1 or rel > domain.highest:
        return None
    pattern = next(_patterns(d, domain), None)
    if pattern is None:
        return None
    low, high = float(rel) - 1, float(rel)
    if not _counts(asked, d, pattern, nextafter(high, low)) or _counts(
        asked, d, pattern, nextafter(low, high)
    ):
        return None  # the whole number itself, or whatever is above the one below it
    return _between(asked, d, pattern, low, high)


def _between(asked: Asked, d: Definition, x: Input, low: float, high: float) -> float | None:
    """The least label that counts, where the lower one does not; the shortest if that is it."""
    for step in range(MOST_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            return high
        counts = _counts(asked, d, x, middle)
        if counts is None:
            return None
        low, high = (low, middle) if counts else (middle, high)
        if step == STEPS:
            shortest = _shortest(low, high)
            if shortest == low:  # as where labels are rounded
                return None
            if _counts(asked, d, x, shortest) and not _counts(asked, d, x, nextafter(shortest, 0)):
                return shortest
    return None


def _shortest(low: float, high: float) -> float:
    """The number of the fewest digits between them, the higher one too; the lower if it is one."""
    if low == round(low, 6):
        return low
    found = (float(f"{high:.{digits}g}") for digits in range(1, 18))
    return next(x for x in found if low < x <= high)


def _patterns(d: Definition, domain: Domain) -> Iterator[Input]:
    """Questions whose answer tells whether the first label is relevant."""
    rel = int(d.core.rel)
    for n in range(max(2, domain.min_length), domain.max_length + 1):
        labels = (rel, rel, *(0 for _ in range(n - 2)))
        scores = tuple(float(n - a) for a in range(n)) if domain.scored else None
        names = tuple(f"d{a:02}" for a in range(n)) if domain.named else None
        for k in dict.fromkeys((1, 2, None, *(domain.cutoffs or ()))):
            x = Input(labels, scores, k, (), names)
            if domain.takes(x) and d.predict(x) != d.predict(_with_first(x, 0)):
                yield x
        if n > max(2, domain.min_length):
            return


def _with_first(x: Input, label: Label) -> Input:
    return Input((label, *x.labels[1:]), x.scores, x.k, x.unseen, x.ids)


def _counts(asked: Asked, d: Definition, pattern: Input, label: float) -> bool | None:
    """Whether a label is relevant; None where the answer is neither's."""
    x = _with_first(pattern, label)
    if asked.tired or asked.skips(x, STAGE):
        return None
    answer = asked.ask(x, STAGE)
    told: Sequence[Input] = (pattern, _with_first(pattern, 0))
    yes, no = (bool(asked.left([d], instead, answer)) for instead in told)
    return yes if yes != no else None
