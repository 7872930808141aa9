"""Position priors of what was observed: clicks by rank, or how long lists were.

    >>> rs.lndcg([2, 1], prior=prior_of_clicks([60, 25, 15]), M=3)       # doctest: +SKIP

Spec: RS-LEN-19, RS-LEN-20.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from fractions import Fraction
from typing import Any, TypeAlias

from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import whole
from ..errors import InputError, items_of, shown
from ..formats.counts import MOST_COUNT, read_counts
from ..formats.streams import Source, is_file
from ..metrics.parameters import LARGEST_M
from ..reference import length as equations

CLICKS, LENGTHS = "RS-LEN-19", "RS-LEN-20"
LONGEST = 1000
"""Results of a list; the fractions of more lengths have more digits than a prior takes."""

LAST_RANK = {"clicks": (LARGEST_M, CLICKS), "lengths": (LONGEST, LENGTHS)}
"""The last rank that a file of each can have, and the entry that says so."""

Counts: TypeAlias = "Source | Mapping[int, int]"
"""The number of times that each number occurs: a file of lines of number and count, or a dict."""


@standard_arithmetic
def prior_of_clicks(clicks: Counts | Sequence[int], *, M: int | None = None) -> list[Fraction]:
    """Return the position prior under which the clicks are most likely: a share for each rank.

    clicks: how often each rank was clicked: the counts of the ranks 1, 2, ..., a dict {rank:
        count}, or a file of lines of rank and count. A rank without a count has 0 clicks
    M: the number of ranks, those behind the last count with 0; None: up to the last count

    The shares are fractions, do not rise and add up to 1; prior= of a measure takes them.

    Spec: RS-LEN-19

    >>> [str(p) for p in prior_of_clicks([6, 1, 3], M=4)]
    ['3/5', '1/5', '1/5', '0']
    """
    by_rank = _counts("clicks", clicks, "rank", LARGEST_M, CLICKS)
    return equations.prior_of_clicks(_listed(by_rank, M, "clicks", "rank", CLICKS))


@standard_arithmetic
def prior_of_lengths(lengths: Counts, *, M: int | None = None) -> list[Fraction]:
    """Return the mean of the uniform priors of lists of these lengths: a share for each rank.

    lengths: how many lists have each length: a dict {length: count}, such as
        Counter(map(len, lists)), or a file of lines of length and count. At most 1000 results
    M: the number of ranks, those behind the longest list with 0; None: up to the longest list

    The shares are fractions, do not rise and add up to 1; prior= of a measure takes them.

    Spec: RS-LEN-20

    >>> [str(p) for p in prior_of_lengths({1: 3, 2: 1}, M=3)]
    ['7/8', '1/8', '0']
    """
    by_length = _counts("lengths", lengths, "length", LONGEST, LENGTHS)
    return equations.prior_of_lengths(_listed(by_length, M, "lengths", "length", LENGTHS))


def _counts(name: str, source: Any, of: str, most: int, spec: str) -> dict[int, int]:
    """The counts by number, of which one is above 0.

    name: the argument; of: what the numbers are
    """
    if is_file(source):
        return read_counts(source, of, most, spec)
    expected = f"expected counts by {of}"
    if isinstance(source, (bytes, bytearray)):
        raise InputError(f"{name}: {expected}, got {shown(source)} ({spec})")
    if isinstance(source, Set) and of == "rank":
        raise InputError(f"{name}: {expected}, got {shown(source)}; a set has no order ({spec})")
    if callable(getattr(source, "items", None)):  # a series of pandas has an index, too
        pairs = items_of(source.items(), f"{name}: {expected}, got {shown(source)}")
    elif of == "length":  # a list may be one of lengths, or of counts
        raise InputError(
            f"{name}: {expected}, a dict such as Counter(map(len, lists)), got {shown(source)} "
            f"({spec})"
        )
    else:
        items = items_of(source, f"{name}: {expected}, got {shown(source)} ({spec})")
        pairs = list(enumerate(items, start=1))
    counts: dict[int, int] = {}
    for key, x in pairs:
        place = _whole(key, f"{name}: a {of}", 1, most, spec)
        if place in counts:
            raise InputError(f"{name}: the {of} {place} occurs a second time ({spec})")
        counts[place] = _whole(x, f"{name}: the count of {of} {place}", 0, MOST_COUNT, spec)
    if not any(counts.values()):
        what = "all counts are 0" if counts else "there are none"
        raise InputError(f"{name}: {what}; at least one must be above 0 ({spec})")
    return counts


def _whole(x: Any, what: str, least: int, most: int, spec: str) -> int:
    """A whole number between both, or a double that is one."""
    number = whole(x)
    if number is None and isinstance(x, float) and float.is_integer(x):
        number = int(x)
    if number is None or not least <= number <= most:
        last = "10^18" if most == MOST_COUNT else most
        raise InputError(
            f"{what} is {shown(x)}; it must be a whole number from {least} to {last} ({spec})"
        )
    return number


def _listed(counts: Mapping[int, int], M: Any, name: str, of: str, spec: str) -> list[int]:
    """The counts of the numbers 1, 2, ..., up to M, or to the last that has one."""
    last = max(counts)
    if M is None:
        ranks = last
    else:
        ranks = _whole(M, "M: the number of ranks", 1, LARGEST_M, spec)
        if ranks < last:
            raise InputError(
                f"M: the number of ranks is {ranks}, but {name} has a count of {of} {last} ({spec})"
            )
    return [counts.get(i, 0) for i in range(1, ranks + 1)]
