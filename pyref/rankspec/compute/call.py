"""Calls of the C core as data: which function of it, and what it is given.

A metric says so in its chapter, and the binding reads it (``core.py``). Between the lists and the
cut-offs a function of the core takes arguments; each is one of the kinds below, a name of a
constant of the core, a number as it is, or None for NULL. What a kind is `of` is a function of the
measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from ..reference.numbers.reals import Exact
from .gain import Discount, Gain

MOST_GRADES = 256  # whose probabilities to stop the core takes; of thresholds, one less


def is_double(x: Exact) -> bool:
    """Whether a number is a double exactly."""
    try:
        return float(x) == x
    except OverflowError:
        return False


def _always(_: Any) -> bool:
    return True


class Gains(NamedTuple):
    """A gain (rs_gain). most: how many gains its table may have; None: any number."""

    of: Callable[[Any], Gain]
    most: int | None = None

    def fits(self, measure: Any) -> bool:
        table = self.of(measure).table
        return (self.most is None or len(table) <= self.most) and all(map(is_double, table))


class Table(NamedTuple):
    """The fixed-point table of a parameter, as deep as its measures need it (rs_discount).

    name: of the parameter
    """

    name: str


class Weights(NamedTuple):
    """The table of a discount, down to the deepest rank that holds anything (rs_discount).

    if_tied: whether only tied lists take it; it is NULL for others
    """

    discount: Discount
    if_tied: bool = False


class Powers(NamedTuple):
    """The table of the discount p^(i-1), as deep (rs_discount)."""

    of: Callable[[Any], Exact]


class WeightsOfQueries(NamedTuple):
    """The table of a discount of queries, for as many as a session has (rs_discount)."""

    of: Callable[[Any], Discount]


class IdealCutoffs(NamedTuple):
    """Where each ideal is cut: where the list is, or nowhere (int64_t *)."""


class Double(NamedTuple):
    """A number (double)."""

    of: Callable[[Any], Exact]

    def fits(self, measure: Any) -> bool:
        return is_double(self.of(measure))


class Doubles(NamedTuple):
    """Numbers (double *). most: how many there may be; None: any number."""

    of: Callable[[Any], tuple[Exact, ...]]
    most: int | None = None

    def fits(self, measure: Any) -> bool:
        numbers = self.of(measure)
        return (self.most is None or len(numbers) <= self.most) and all(map(is_double, numbers))


class Count(NamedTuple):
    """How many (int64_t); None is RS_WHOLE, and so is a number above it."""

    of: Callable[[Any], int | None]


class Word(NamedTuple):
    """A choice among a few (int32_t). words: what the core calls each; others it has not."""

    of: Callable[[Any], Any]
    words: Mapping[Any, str | int]

    def fits(self, measure: Any) -> bool:
        return self.of(measure) in self.words


class Structure(NamedTuple):
    """A pointer to a structure of the core. fields: those that are not named are 0 or NULL."""

    name: str
    fields: Mapping[str, Argument]


Kind: TypeAlias = (
    Gains
    | Table
    | Weights
    | Powers
    | WeightsOfQueries
    | IdealCutoffs
    | Double
    | Doubles
    | Count
    | Word
    | Structure
)
Argument: TypeAlias = Kind | str | int | None


def _limits(arguments: Iterable[Argument]) -> Iterator[Callable[[Any], bool]]:
    """Whether each argument fits, of those that may not."""
    for argument in arguments:
        if isinstance(argument, Structure):
            yield from _limits(argument.fields.values())
        elif isinstance(argument, Gains | Double | Doubles | Word):
            yield argument.fits


@dataclass(frozen=True)
class Call:
    """A call of the C core.

    function: its name; arguments: those between the lists and the cut-offs
    reads: what it is of: lists, pools, or both
    when: whether the core has this measure, whatever its arguments are
    """

    function: str
    arguments: tuple[Argument, ...] = ()
    reads: Literal["lists", "pools", "both"] = "lists"
    when: Callable[[Any], bool] = _always

    @cached_property
    def _limits(self) -> list[Callable[[Any], bool]]:
        return list(_limits(self.arguments))

    def can_take(self, measure: Any) -> bool:
        """Whether the core has the measure, and can hold its parameters exactly."""
        return self.when(measure) and all(fits(measure) for fits in self._limits)


@dataclass(frozen=True)
class Core:
    """What the C core has of a metric; None: nothing, it is left to the reference.

    values: the call for its values
    bounds: that for its bounds; before its arguments stand which bound, and whether its lower one
        is that of the worst ranking. variances: whether variances are among them
    vectors: of a metric of sessions, that for the vector that it is of
    relevance: of a metric of scores, that for what it makes of them
    """

    values: Call | None = None
    bounds: Call | None = None
    variances: bool = False
    vectors: Call | None = None
    relevance: Call | None = None


NOTHING = Core()
