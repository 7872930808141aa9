"""A definition: a core and its choices; and the value that it predicts for an input."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, permutations, product
from math import factorial, prod
from typing import Any, TypeAlias

from ...metrics.measure import Ranking
from ...reference.numbers.reals import Exact
from ...reference.ties import order, tie_groups
from .choices import BY_NAME, CHOICES, DEFAULTS, as_now
from .computed import Core
from .inputs import Input, Label
from .outcomes import (
    CRASH,
    ERROR,
    NAN,
    NONE,
    NONSENSE,
    PRECISIONS,
    VALUE,
    Among,
    Between,
    Open,
    Outcome,
    Prediction,
    value,
)

OPEN = "open"
"""The value of ``undefined`` while it is not known."""

MOST_ORDERS = 120
SHORT = 16

_WORDS = {
    "zero": Outcome(VALUE, 0.0),
    "one": Outcome(VALUE, 1.0),
    "nan": Outcome(NAN),
    "omit": Outcome(NONE),
    "error": Outcome(ERROR),
    "crash": Outcome(CRASH),
}

Groups: TypeAlias = list[list[Label]]


@dataclass(frozen=True)
class Definition:
    """A core and the values of its choices, in the order of CHOICES."""

    core: Core
    values: tuple[str, ...]
    _known: dict[Input, Prediction] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @cached_property
    def choices(self) -> Mapping[str, str]:
        """The values by the names of the choices."""
        return dict(zip(DEFAULTS, self.values, strict=True))

    def but(self, **chosen: str) -> Definition:
        """The same with other values; their names have no spaces."""
        return self.with_(chosen)

    def with_(self, chosen: Mapping[str, str]) -> Definition:
        """The same with other values of some choices."""
        found = dict(self.choices) | as_now(chosen)
        return Definition(self.core, tuple(found.values()))

    @property
    def cost(self) -> tuple[bool, int, int, int]:
        """How far it is from the plainest one: the least is reported first.

        A name that users know comes first, then what lies outside, then what is no default.
        """
        outside = sum(BY_NAME[n].spec_of(x) == "" for n, x in self.choices.items())
        changed = sum(x != DEFAULTS[n] for n, x in self.choices.items())
        core = self.core
        return (not core.usual, outside + core.outside, changed + core.changed, core.order)

    @property
    def outside(self) -> list[str]:
        """What rankspec cannot say of it, in words."""
        found = [f"{self.core.name}: {self.core.about}"] if self.core.outside else []
        for choice in CHOICES:
            chosen = self.choices[choice.name]
            if choice.spec_of(chosen) == "":
                found.append(f"{choice.about}: {choice.values[chosen]}")
        return found

    def predict(self, x: Input) -> Prediction:
        """What a program of this definition answers; in doubles, not certified."""
        if x not in self._known:
            self._known[x] = self._predicted(x)
        return self._known[x]

    def _predicted(self, x: Input) -> Prediction:
        found = resolved(self, x)
        if not isinstance(found, Resolved):
            return found
        if found.ties in ("some order", "random"):
            number: Outcome | Among | Between = _in_some_order(self, found)
        elif self.core.refuses_ranking(found.ranking, found.k):
            return Outcome(ERROR)
        else:
            number = self.written(self.core.number(found.ranking, found.k))
        return Open(number, found.undefined == "pool") if found.undefined else number

    def written(self, number: float) -> Outcome:
        """The outcome of a number: scaled, and rounded."""
        scale = self.choices["scale"]
        if scale == "clipped":
            number = min(1.0, number)
        elif scale == "complement":
            number = 1 - number
        elif scale == "100":
            number = 100 * number
        return value(PRECISIONS[self.choices["output"]].rounded(number))


def plain(core: Core) -> Definition:
    """The definition of a core with the default choices."""
    ties = {"ties": core.ties} if core.ties else {}
    return Definition(core, tuple((DEFAULTS | ties).values()))


@dataclass(frozen=True)
class Resolved:
    """A ranking whose value is asked for: tie groups of labels, the pool, the cut-off."""

    groups: Groups
    pool: Sequence[Exact]
    k: int | None
    ties: str
    of_first: bool = False
    """Whether the pool is the first k items, of an order that is open."""
    undefined: str = ""
    """While nobody knows what is undefined, by what this may be: "pool" or "first k"."""

    @property
    def ranking(self) -> Ranking:
        """What a core takes."""
        return Ranking(self.groups, self.pool)


def resolved(d: Definition, x: Input) -> Resolved | Outcome:
    """The ranking that a definition reads an input as; or what it answers without one."""
    cut = _cutoff(d, x)
    if isinstance(cut, Outcome):
        return cut
    for choice, applies in (
        ("empty", not x.labels),
        ("one item", len(x.labels) == 1),
        ("nothing judged", bool(x.labels) and not x.judged),
    ):
        if applies and d.choices[choice] != "computed":
            return _WORDS[d.choices[choice]]
    labels = _labels(d, x.labels)
    unseen = _labels(d, x.unseen)
    if labels is None or unseen is None:
        return Outcome(ERROR)
    scores, names = x.scores, x.names
    ranks = x.ranks or tuple(range(1, len(labels) + 1))
    if d.choices["unjudged"] == "condensed":
        kept = [a for a, label in enumerate(labels) if label is not None]
        labels = [labels[a] for a in kept]
        scores = None if scores is None else tuple(scores[a] for a in kept)
        names = tuple(names[a] for a in kept)
        ranks = tuple(ranks[a] for a in kept)
    found = _ranked(d, labels, scores, names, ranks)
    return _defined(d, found, [y for y in unseen if y is not None], cut, labels)


def _cutoff(d: Definition, x: Input) -> int | Outcome | None:
    """The cut-off that counts."""
    k, n = x.k, len(x.labels)
    if k is not None:
        if d.choices["cut"] == "ignored":
            return None
        k += {"k": 0, "k+1": 1, "k-1": -1}[d.choices["cut"]]
        if k == 0 and x.k:  # one less than 1: nothing counts
            return Outcome(VALUE, 0.0)
        if k <= 0 and d.choices["k=0"] != "none":
            return _WORDS[d.choices["k=0"]]
        if k <= 0:
            k = None
    beyond = d.choices["beyond"]
    if beyond == "n" and n:
        return n if k is None else min(k, n)
    return Outcome(ERROR) if beyond == "error" and k is not None and k > n else k


def _labels(d: Definition, labels: Sequence[Label | None]) -> list[Label | None] | None:
    """The labels as they are read; None where one is refused."""
    found: list[Label | None] = []
    negative = d.choices["negative"]
    for label in labels:
        if label is None:
            if d.choices["unjudged"] == "error":
                return None
            found.append(None)
            continue
        if label < 0 and negative == "error":
            return None
        if label < 0 and negative != "kept":
            found.append(0 if negative == "zero" else None)
            continue
        whole = isinstance(label, int) or label == math.floor(label)
        read = label if whole else _fraction(d.choices["fractions"], label)
        if read is None or (read >= 0 and d.core.cannot_take(read)):
            return None
        found.append(read)
    return found


def _fraction(how: str, label: Label) -> Label | None:
    if how == "error":
        return None
    if how in ("truncate", "floor"):
        return math.trunc(label) if how == "truncate" else math.floor(label)
    if how == "rounded":
        return round(label)
    return 0 if how == "from-1" and 0 < label < 1 else label


def _ranked(
    d: Definition,
    labels: Sequence[Label | None],
    scores: Sequence[float] | None,
    names: Sequence[str],
    ranks: Sequence[int],
) -> tuple[list[list[Label | None]], str]:
    """The labels by tie group, and the tie rule that is left open."""
    if scores is None or d.choices["order"] == "file":
        return [[x] for x in labels], ""
    if d.choices["order"] == "rank":
        ranked = sorted(range(len(labels)), key=lambda a: ranks[a])
        return [[labels[a]] for a in ranked], ""
    if d.choices["scores"] == "float32":
        scores = [PRECISIONS["float32"].rounded(s) for s in scores]
    if d.choices["scale"] == "ascending":
        scores = [-s for s in scores]
    rule = d.choices["ties"]
    if len(labels) > SHORT and d.choices["long ties"] != "same":
        rule = d.choices["long ties"]
    if rule in ("expected", "threshold", "some order", "random"):
        groups = [[labels[a] for a in group] for group in tie_groups(scores)]
        return groups, rule if any(len(g) > 1 for g in groups) else ""
    if rule == "reversed":
        ranked = [a for group in tie_groups(scores) for a in reversed(group)]
    else:
        ranked = order(scores, labels, names, rule)
    return [[labels[a]] for a in ranked], ""


def _defined(
    d: Definition,
    found: tuple[list[list[Label | None]], str],
    unseen: list[Label],
    k: int | None,
    labels: Sequence[Label | None],
) -> Resolved | Outcome:
    """The ranking; or the value where it has none."""
    core, (groups, ties) = d.core, found
    numbers = [[0 if x is None else x for x in group] for group in groups]
    flat = [x for group in numbers for x in group]
    first = flat if k is None else flat[:k]
    kept = [[x] for x in flat] if not ties else numbers
    if core.keeps_unjudged:
        kept = groups  # type: ignore[assignment]
    by = d.choices["pool"]
    if by == "judged":
        pool: list[Any] = [*(x for x in labels if x is not None), *unseen]
        if d.choices["unjudged"] == "pooled" and not core.keeps_unjudged:
            pool += [0] * (len(flat) + len(unseen) - len(pool))
    elif by == "first k" and ties in ("expected", "threshold") and _is_cut(groups, k):
        return Outcome(NONSENSE)  # which items are the first k is open
    else:
        pool = flat if by == "retrieved" else first
    undefined = _undefined(d, k, Ranking(kept, pool), first)
    if undefined and d.choices["undefined"] != OPEN:
        return _WORDS[d.choices["undefined"]]
    return Resolved(kept, pool, k, ties, by == "first k", undefined)


def _is_cut(groups: Sequence[Sequence[Label | None]], k: int | None) -> bool:
    """Whether the cut-off divides a tie group."""
    ends = set(accumulate(len(group) for group in groups))
    return k is not None and k < max(ends, default=0) and k not in ends


def _undefined(d: Definition, k: int | None, x: Ranking, first: Sequence[Exact]) -> str:
    """By what it has no value: its divisor is 0, or nothing is relevant; "": it has one."""
    core, by = d.core, d.choices["undefined by"]
    nothing_is_0 = d.choices["undefined"] == "zero"
    is_open = d.choices["undefined"] == OPEN
    if core.divides_by_0(x, k):
        return "pool"
    if (is_open or by == "not above 0") and core.divides_below_0(x, k):
        return "pool"
    if not nothing_is_0 and (is_open or by != "first k") and _nothing(core, x.pool):
        return "pool"
    if not nothing_is_0 and (is_open or by == "first k") and _nothing(core, first):
        return "first k"
    return ""


def _nothing(core: Core, labels: Sequence[Exact]) -> bool:
    return all(x < core.rel for x in labels)


def _in_some_order(d: Definition, x: Resolved) -> Among | Between:
    """All values that the orders of the tie groups give; of too many orders, the range."""
    if prod(factorial(len(g)) for g in x.groups) <= MOST_ORDERS:
        orders = product(*(set(permutations(group)) for group in x.groups))
        settled = ([[y] for group in chosen for y in group] for chosen in orders)
        found = {_settled(d, x, groups) for groups in settled}
    else:
        best = [[y] for g in x.groups for y in sorted(g, key=_worth, reverse=True)]
        worst = [[y] for g in x.groups for y in sorted(g, key=_worth)]
        low, high = sorted((_settled(d, x, worst), _settled(d, x, best)))
        return Between(low, high)
    return Among(tuple(sorted(found)))


def _worth(label: Label | None) -> tuple[bool, Label]:
    """What labels are ordered by; one that nobody gave is the lowest."""
    return (label is not None, label or 0)


def _settled(d: Definition, x: Resolved, groups: Groups) -> float:
    pool = [y for (y,) in groups][: x.k] if x.of_first else x.pool
    return d.written(d.core.number(Ranking(groups, pool), x.k)).value
