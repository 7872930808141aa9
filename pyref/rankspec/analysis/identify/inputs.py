"""What a black box is asked about: inputs, and the domain of those that an adapter can say."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, TypeAlias

from ...errors import InputError, hint, items_of, listed, quoted, shown

Label: TypeAlias = int | float

CUTOFFS = ("optional", "required", "never")
LONGEST = 48  # lists that are asked about
JUDGED = ("dict", "set", "list")


@dataclass(frozen=True)
class Input:
    """One question: a list of items, what judges them, and a cut-off.

    labels: of the items in the order of the input; None: nobody has judged the item
    scores: which rank them, the highest first; None: they stand in rank order
    k: the cut-off; None: none is given
    unseen: the labels of judged items that the list does not show
    ids: the names of the items; None: d1, d2, ...
    ranks: what the rank column of a run says; None: it counts the lines
    """

    labels: tuple[Label | None, ...]
    scores: tuple[float, ...] | None = None
    k: int | None = None
    unseen: tuple[Label, ...] = ()
    ids: tuple[str, ...] | None = None
    ranks: tuple[int, ...] | None = None

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.labels, self.scores, self.k, self.unseen, self.ids, self.ranks))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The ids of the items."""
        return self.ids or tuple(f"d{a:02}" for a in range(1, len(self.labels) + 1))

    @cached_property
    def tied(self) -> bool:
        """Whether two scores are equal."""
        return self.scores is not None and len(set(self.scores)) < len(self.scores)

    @cached_property
    def judged(self) -> list[Label]:
        """All labels that there are, of items shown and of others."""
        return [*(x for x in self.labels if x is not None), *self.unseen]

    def as_dict(self) -> dict[str, Any]:
        """Plain data: what is not there is left out."""
        found: dict[str, Any] = {"labels": list(self.labels)}
        if self.scores is not None:
            found["scores"] = list(self.scores)
        if self.unseen:
            found["unseen"] = list(self.unseen)
        if self.ids is not None:
            found["ids"] = list(self.ids)
        if self.ranks is not None:
            found["ranks"] = list(self.ranks)
        return found | {"k": self.k}

    def __str__(self) -> str:
        """On one line."""
        parts = [f"labels {_row(self.labels)}"]
        if self.scores is not None:
            parts.append(f"scores {_row(self.scores)}")
        if self.ranks is not None:
            parts.append(f"ranks {_row(self.ranks)}")
        if self.unseen:
            parts.append(f"unseen {_row(self.unseen)}")
        return ", ".join([*parts, f"k={self.k}"])


def _row(numbers: Iterable[Label | None]) -> str:
    return ",".join("-" if x is None else f"{x!r}" for x in numbers) or "none"


def input_of(given: Mapping[str, Any]) -> Input:
    """An input from plain data, as Input.as_dict() gives it."""
    known = {f.name for f in fields(Input)}
    for name in given:
        if name not in known:
            raise InputError(f'input: unknown part "{name}"{hint(name, known)}')
    read: dict[str, Any] = {n: tuple(x) if isinstance(x, list) else x for n, x in given.items()}
    return Input(**read)


@dataclass(frozen=True)
class Domain:
    """The inputs that an adapter can say: what it declares, and what its form has.

    cutoff: "optional", "required" (no call without one) or "never"; cutoffs: the only ones
    k_within: no cut-off beyond the list
    binary: labels are 0 and 1; integers: none is a fraction; negative: some may be below 0
    max_label: the highest; ties: scores may be equal; pool: some judged items are not shown
    unjudged: items without a judgment; min_length, max_length: of lists
    needs_relevant: one item of the pool at least is relevant
    judged: what the form "lists" gives as judgments, a dict, a set or a list of the relevant ids
    float_labels: labels are given as floats
    several: a call is of several queries, in lists, and has the average over them
    top: the highest label of ordinary questions, which the search raises where it must
    """

    scored: bool = True
    named: bool = False
    cutoff: str = "optional"
    cutoffs: tuple[int, ...] | None = None
    k_within: bool = False
    binary: bool = False
    integers: bool = False
    negative: bool = True
    max_label: int | None = None
    ties: bool = True
    pool: bool = True
    unjudged: bool = True
    min_length: int = 0
    max_length: int = 1000
    needs_relevant: bool = False
    judged: str = "dict"
    float_labels: bool = False
    several: bool = False
    top: int = 3

    @property
    def highest(self) -> int:
        """The highest label of ordinary questions."""
        if self.binary:
            return 1
        return self.top if self.max_label is None else min(self.top, self.max_label)

    def takes(self, x: Input) -> bool:
        """Whether the adapter can say this input."""
        n = len(x.labels)
        return (
            self.min_length <= n <= self.max_length
            and self._takes_cutoff(x.k, n)
            and (x.scores is not None) == self.scored
            and (self.named or x.ranks is None)
            and (self.ties or not x.tied)
            and (self.pool or not x.unseen)
            and (self.unjudged or None not in x.labels)
            and all(map(self._takes_label, x.judged))
            and (not self.needs_relevant or any(label > 0 for label in x.judged))
        )

    def _takes_cutoff(self, k: int | None, n: int) -> bool:
        if k is None:
            return self.cutoff != "required"
        return (
            self.cutoff != "never"
            and (self.cutoffs is None or k in self.cutoffs)
            and (not self.k_within or k <= n)
        )

    def _takes_label(self, label: Label) -> bool:
        if self.binary:
            return label in (0, 1)
        return (
            (not self.integers or label == math.floor(label))
            and (self.negative or label >= 0)
            and (self.max_label is None or label <= self.max_label)
        )


DECLARABLE = tuple(f.name for f in fields(Domain) if f.name not in ("scored", "named", "top"))
"""What an adapter can declare."""


def domain(of_form: Domain, declared: Mapping[str, Any]) -> Domain:
    """The domain of a form, with what an adapter declares; an InputError for what is none."""
    limits = dict(declared)
    if limits.get("cutoffs") is not None:
        limits["cutoffs"] = tuple(items_of(limits["cutoffs"], "cutoffs: expected cut-offs"))
    for name, x in limits.items():
        if name not in DECLARABLE:
            raise InputError(
                f'declared: unknown limit "{name}"{hint(name, DECLARABLE)}; expected one of '
                f"{', '.join(DECLARABLE)}"
            )
        _check(name, x)
    found = replace(of_form, **limits)
    _together(found)
    return found if found.judged == "dict" else replace(found, binary=True, unjudged=False)


def _together(d: Domain) -> None:
    """Refuse declarations that leave nothing to ask, or nothing that tells definitions apart."""
    if d.max_length < 1:
        raise InputError(f"max_length: with {d.max_length} no list is left to ask about")
    if d.min_length > d.max_length:
        raise InputError(f"min_length: {d.min_length} is above max_length, {d.max_length}")
    if d.min_length > LONGEST:
        raise InputError(
            f"min_length: it is {d.min_length}, but identify asks about lists of at most "
            f"{LONGEST} items"
        )
    if d.max_label == 0 and not d.binary:
        raise InputError("max_label: with 0 no item is relevant, so no measure can be recognised")
    if d.cutoffs == () and d.cutoff == "required":
        raise InputError("cutoffs: none is given, although a cut-off is required")
    if d.cutoffs == () and d.cutoff == "optional":
        raise InputError(
            'cutoffs: expected at least one; cutoff="never" declares that there is none'
        )
    within = d.cutoffs is None or any(0 < k <= d.max_length for k in d.cutoffs)
    if d.k_within and d.cutoff == "required" and not within:
        raise InputError(f"cutoffs: none is at most max_length, {d.max_length}")


def _check(name: str, x: Any) -> None:
    words = {"cutoff": CUTOFFS, "judged": JUDGED}.get(name)
    if words is not None:
        if not isinstance(x, str) or x not in words:
            raise InputError(f"{name}: unknown value {quoted(x)}; expected one of {listed(words)}")
        return
    default = getattr(Domain, name)
    if isinstance(default, bool):
        fits = isinstance(x, bool)
    elif name == "cutoffs":
        fits = x is None or all(map(_is_count, x))
    else:
        fits = _is_count(x) or (x is None and default is None)
    if not fits:
        raise InputError(f"{name}: {shown(x)} cannot be declared")


def _is_count(x: Any) -> bool:
    return isinstance(x, int) and not isinstance(x, bool) and x >= 0
