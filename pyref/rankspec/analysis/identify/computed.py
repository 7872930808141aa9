"""What a definition computes of a ranking: a measure of rankspec's, or what a program has."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from ...errors import InputError
from ...metrics.measure import Measure, Metric, Ranking, make
from ...reference.numbers.reals import FLOATS, Exact, Number, Reals

ABOVE_0 = 5e-324
"""The least double: with it as rel, every label above 0 is relevant."""

BINARY = (0, *(1,) * 15)

THRESHOLD = "rel"
"""The parameter that is the least relevant label."""

CANDIDATES: Mapping[str, Sequence[Any]] = {
    "gain": ("linear", "exp2", BINARY),
    "discount": (
        "log2",
        "log(b=2.718281828459045)",
        "log(b=10)",
        "jarvelin-2008(b=2)",
        "jarvelin-2002(b=2)",
        "jiang-2016(b=4)",
        "zipf",
        "none",
    ),
    THRESHOLD: (1, 2, 3, ABOVE_0),
    "p": (0.8, 0.5, 0.9, 0.95),
    "max": (4, 1, 2, 3, 5),
    "stop": (None, "label"),
}
"""What is tried of the parameters of that name; of others their words, or the default."""

Value: TypeAlias = "Callable[[Ranking, int | None, Reals], Number]"


@dataclass(frozen=True, eq=False)
class Core:
    """A definition without its conventions: what is computed of a ranking.

    name: as a measure is written, without a cut-off; order: where it stands among the others
    value: (ranking, cut-off, reals) -> number
    undefined: (cut-off, ranking) -> whether it divides by 0
    refuses: whether it cannot take a label
    rel: the least relevant label
    of_pool: whether the pool matters to it; keeps_unjudged: whether it asks what has no label
    metric, parameters: of rankspec's; None: it is no measure of rankspec's
    about: of others, what it is, in words
    usual: whether users know it by that name; a DCG without a discount is one in form only
    ties: the one tie rule that it has; "": any
    below_0: (cut-off, ranking) -> whether it divides by less than 0
    """

    name: str
    order: int
    value: Value
    undefined: Callable[[int | None, Ranking], bool]
    refuses: Callable[[Exact], bool] = lambda _: False
    rel: Exact = ABOVE_0
    of_pool: bool = True
    keeps_unjudged: bool = False
    metric: Metric | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    about: str = ""
    usual: bool = True
    ties: str = ""
    below_0: Callable[[int | None, Ranking], bool] = lambda *_: False
    _refused: dict[Exact, bool] = field(default_factory=dict, repr=False)
    _known: dict[tuple[Any, ...], Any] = field(default_factory=dict, repr=False)

    def number(self, x: Ranking, k: int | None) -> float:
        """Its value in doubles, computed once; NaN where it has none."""
        found: float | None = self._once("value", self._number, x, k)
        return math.nan if found is None else found

    def refuses_ranking(self, x: Ranking, k: int | None) -> bool:
        """Whether rankspec raises an InputError: too many orders of ties to go through, say."""
        return self._once("value", self._number, x, k) is None

    def divides_by_0(self, x: Ranking, k: int | None) -> bool:
        """Whether its divisor is 0, found out once; not where nobody can say."""
        found: bool = self._once("divisor", self._is_undefined, x, k)
        return found

    def divides_below_0(self, x: Ranking, k: int | None) -> bool:
        """Whether its divisor is below 0, found out once: only negative labels make it so."""
        if all(label >= 0 for label in x.pool):
            return False
        found: bool = self._once("below 0", self._is_below_0, x, k)
        return found

    def cannot_take(self, label: Exact) -> bool:
        """Whether it refuses a label, found out once."""
        if label not in self._refused:
            self._refused[label] = self.refuses(label)
        return self._refused[label]

    def _once(
        self, what: str, found: Callable[[Ranking, int | None], Any], x: Ranking, k: int | None
    ) -> Any:
        key = (what, tuple(map(tuple, x.groups)), tuple(x.pool), k)
        if key not in self._known:
            self._known[key] = found(x, k)
        return self._known[key]

    def _number(self, x: Ranking, k: int | None) -> float | None:
        try:
            return float(self.value(x, k, FLOATS))
        except InputError:
            return None
        except (ArithmeticError, ValueError, LookupError):
            return math.nan

    def _is_undefined(self, x: Ranking, k: int | None) -> bool:
        return _or_false(self.undefined, x, k)

    def _is_below_0(self, x: Ranking, k: int | None) -> bool:
        return _or_false(self.below_0, x, k)

    @property
    def outside(self) -> bool:
        """Whether rankspec has no such measure."""
        return self.metric is None

    def measure(self, k: int | None = None) -> Measure | None:
        """The measure of rankspec's with a cut-off."""
        return None if self.metric is None else make(self.metric, k, **self.parameters)

    @cached_property
    def changed(self) -> int:
        """How many of its parameters are not the default."""
        known = {} if self.metric is None else self.metric.parameters
        return sum(str(self.parameters[name]) != str(p.default) for name, p in known.items())

    @cached_property
    def spec(self) -> str:
        """The ID of its metric; "": it is not rankspec's."""
        return "" if self.metric is None else self.metric.spec


def _or_false(asked: Callable[[int | None, Ranking], bool], x: Ranking, k: int | None) -> bool:
    """What a function says of a ranking; False where it has no number for it."""
    try:
        return asked(k, x)
    except (ArithmeticError, ValueError, LookupError):
        return False
