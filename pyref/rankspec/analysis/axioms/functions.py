"""Functions of a program as metrics: how they are called, and what came instead of a value.

A function is called in a process of its own, as ``identify`` calls one: what it prints, and what
ends its process, stays there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...errors import InputError, shown_error
from ...reference.axioms import Labels, Shown
from ..identify.child import Box, Load, called
from ..identify.outcomes import CRASH, DEATHS, ERROR, NONE, NONSENSE, TIMEOUT, VALUE, Outcome

TIED = Fraction(1, 2**40)

GIVEN = ("labels", "judged", "k")
"""What a function may take: the labels in rank order, those of the pool, and the cut-off."""

SEVERAL = "several"
"""The kind of an outcome that is a list of outcomes."""

MOST_DEATHS = 12
MOST_TIMEOUTS = 3


class Near(float):
    """A double; one that is as near as 2^-40 of the greater is equal to it."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (int, float)):
            return NotImplemented
        x, y = float(self), float(other)
        return x == y or abs(x - y) <= float(TIED) * max(abs(x), abs(y))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: float) -> bool:
        return self != other and float(self) < float(other)

    def __gt__(self, other: float) -> bool:
        return self != other and float(self) > float(other)

    def __le__(self, other: float) -> bool:
        return self == other or float(self) < float(other)

    def __ge__(self, other: float) -> bool:
        return self == other or float(self) > float(other)

    __hash__ = None  # type: ignore[assignment]  # what is near has no hash

    @property
    def near(self) -> float:
        return float(self)


@dataclass(frozen=True)
class Taken:
    """Which of GIVEN a function takes.

    by_position: in this order; by_name: (name of the parameter, one of GIVEN)
    """

    by_position: tuple[str, ...]
    by_name: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> list[str]:
        """What it takes, in the order of GIVEN."""
        own = {*self.by_position, *(what for _, what in self.by_name)}
        return [name for name in GIVEN if name in own]


def taken(function: Callable[..., Any], name: str, caller: str = "axioms") -> Taken:
    """Which of labels, pool and cut-off a function takes.

    The first parameter takes the labels. Those called ``judged`` and ``k`` take what they are
    called, wherever they stand; of the others, those without a default take what is left, in order.

    Raises InputError where it takes no labels, or more than there is; caller: who says so. Spec:
    RS-AXM-1(d).
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # of a built-in
        return Taken(GIVEN)
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return Taken(GIVEN)
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if not positional:
        raise InputError(
            f"{caller}: {name} takes no argument for the labels; expected a function of labels, "
            "judged and k, or of the first one or two"
        )
    rest = [p for p in parameters if p is not positional[0] and p.kind is not p.VAR_KEYWORD]
    own_names = {p.name for p in rest if p.name in GIVEN and p.kind is not p.POSITIONAL_ONLY}
    left = [x for x in GIVEN[1:] if x not in own_names]
    by_position, by_name = [GIVEN[0]], []
    for p in rest:
        if p.name in own_names:
            by_name.append((p.name, p.name))
        elif p.default is p.empty:
            if not left or p.kind is p.KEYWORD_ONLY:
                raise InputError(
                    f'{caller}: {name} has a further argument "{p.name}"; expected labels, judged '
                    "and k, or the first one or two"
                )
            if p.kind is p.POSITIONAL_ONLY:
                by_position.append(left.pop(0))
            else:
                by_name.append((p.name, left.pop(0)))
    return Taken(tuple(by_position), tuple(by_name))


@dataclass(frozen=True)
class Adapted:
    """A function that is called with a dict of GIVEN, or with several.

    declared: what it takes, where a Box reads it
    """

    function: Callable[..., Any]
    takes: Taken

    @property
    def declared(self) -> dict[str, Any]:
        return {"takes": self.takes}

    def __call__(self, given: dict[str, Any] | list[dict[str, Any]]) -> Any:
        if isinstance(given, list):
            return Outcome(SEVERAL, value=[called(self._one, (x,)) for x in given])  # type: ignore[arg-type]
        return self._one(given)

    def _one(self, given: dict[str, Any]) -> Any:
        by_name = {name: given[what] for name, what in self.takes.by_name}
        return self.function(*(given[name] for name in self.takes.by_position), **by_name)


@dataclass(frozen=True)
class Refused:
    """A function that takes no labels, or more than there is."""

    why: str

    @property
    def declared(self) -> dict[str, Any]:
        return {"refused": self.why}


def adapted(load: Load, name: str) -> Load:
    """What loads a function that is called with a dict of GIVEN."""

    def loaded() -> Any:
        function = load()
        try:
            return Adapted(function, taken(function, name))
        except InputError as error:
            return Refused(str(error))

    return loaded


@dataclass
class Calls:
    """How often a function was called, how often without a number, and what came instead first.

    first: what came, in words; of: for which list and pool
    """

    made: int = 0
    failed: int = 0
    first: str = ""
    of: Shown | None = None


class OfFunction:
    """A function of Python, in a process of its own. What is no finite number is no value.

    k: the cut-off that it is called with; None where it takes none
    """

    taken_of = "rankings"

    def __init__(
        self,
        load: Load,
        name: str,
        k: int | None = None,
        timeout: float = 10.0,
        isolated: bool = True,
    ) -> None:
        self.name = name
        self._box = Box(adapted(load, name), timeout, isolated)
        self._deaths = self._timeouts = 0
        self._at_once = True
        self._known: dict[Any, Near | None] = {}
        self.calls = Calls()
        self.takes = self._facts()
        self.k = k if "k" in self.takes else None

    def __call__(self, labels: Labels, pool: Labels, k: int | None) -> Near | None:
        key = Shown(labels, pool, k)
        if key not in self._known:
            self._known[key] = self._called(key)
        return self._known[key]

    def is_defined(self, labels: Labels, pool: Labels, k: int | None) -> bool:
        """Whether it gives a number."""
        return self(labels, pool, k) is not None

    def close(self) -> None:
        """End its process."""
        self._box.close()

    def _facts(self) -> list[str]:
        try:
            facts = self._box.facts()
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a module raises
            facts = {"error": shown_error(error)}
        if "error" not in facts and "takes" in facts["declared"]:
            names: list[str] = facts["declared"]["takes"].names
            return names
        self.close()
        if "error" in facts:
            raise InputError(f"{self.name}: {facts['error']}")
        raise InputError(facts["declared"]["refused"])

    def ahead(self, asked: Iterable[Shown]) -> None:
        """Ask for values that will be needed, in one message to the process.

        Where that ends the process, or takes too long, they are asked for one by one.
        """
        new = [x for x in dict.fromkeys(asked) if x not in self._known]
        if not new or not self._at_once:
            return
        found = self._box([_given(x) for x in new])
        self._at_once = found.kind == SEVERAL
        if self._at_once:
            for x, outcome in zip(new, found.value, strict=True):  # type: ignore[call-overload]
                self._known[x] = self._kept(x, outcome)

    def _called(self, of: Shown) -> Near | None:
        return self._kept(of, self._box(_given(of)))

    def _kept(self, of: Shown, found: Outcome) -> Near | None:
        self.calls.made += 1
        if found.kind == VALUE:
            return Near(found.value)
        self.calls.failed += 1
        if self.calls.of is None:
            self.calls.of, self.calls.first = of, instead(found)
        self._deaths += found.kind in DEATHS
        self._timeouts += found.kind == TIMEOUT
        if self._deaths >= MOST_DEATHS or self._timeouts >= MOST_TIMEOUTS:
            self.close()
            raise InputError(
                f"axioms: {self.name}: {self._deaths} of {self.calls.made} calls killed its "
                f"process or exceeded the timeout; the last call: {instead(found)}"
            )
        return None


def _given(of: Shown) -> dict[str, Any]:
    """What a function is called with."""
    labels, pool = ([_plain(x) for x in side] for side in (of.labels, of.pool))
    return {"labels": labels, "judged": pool, "k": of.k}


def _plain(x: Any) -> int | float:
    """A label as programs know them."""
    return x if isinstance(x, int) else float(x)


def instead(found: Outcome) -> str:
    """What came instead of a finite number, in words."""
    if found.kind == ERROR:
        return found.text
    if found.kind == NONSENSE:
        return f"no number ({found.text})"
    if found.kind == CRASH:
        return f"its process ended ({found.text})"
    return "None" if found.kind == NONE else str(found)
