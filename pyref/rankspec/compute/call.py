"""Calls of the C core as data: what it calls a metric, and the fields of the measure.

A metric says so in its chapter, and the binding reads it (``core.py``). A field of the core's
rs_measure is one of the kinds below, a name of a constant of the core, a number as it is, or None
for NULL; those that are not named are 0 or NULL. What a kind is `of` is a function of the measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from ..records import record
from ..typed import TYPE_CHECKING, Any, TypeAlias
from .gain import Discount, Gain

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact

MOST_GRADES = 256  # whose probabilities to stop the core takes; of thresholds, one less


def is_double(x: Exact) -> bool:
    """Whether a number is a double exactly."""
    try:
        return float(x) == x
    except OverflowError:
        return False


def _always(_: Any) -> bool:
    return True


@record()
class Gains:
    """A gain (rs_gain). most: how many gains its table may have; None: any number."""

    of: Callable[[Any], Gain]
    most: int | None = None

    def fits(self, measure: Any) -> bool:
        table = self.of(measure).table
        return (self.most is None or len(table) <= self.most) and all(map(is_double, table))


@record()
class Table:
    """The fixed-point table of a parameter, as deep as its measures need it (rs_discount).

    name: of the parameter
    """

    name: str


@record()
class Weights:
    """The table of a discount, down to the deepest rank that holds anything (rs_discount).

    if_tied: whether only tied lists take it; it is NULL for others
    """

    discount: Discount
    if_tied: bool = False


@record()
class Powers:
    """The table of the discount p^(i-1), as deep (rs_discount)."""

    of: Callable[[Any], Exact]


@record()
class WeightsOfQueries:
    """The table of a discount of queries, for as many as a session has (rs_discount)."""

    of: Callable[[Any], Discount]


@record()
class IdealCutoffs:
    """Where each ideal is cut: where the list is, or nowhere (int64_t *)."""


@record()
class Double:
    """A number (double)."""

    of: Callable[[Any], Exact]

    def fits(self, measure: Any) -> bool:
        return is_double(self.of(measure))


@record()
class Doubles:
    """Numbers (double *). most: how many there may be; None: any number."""

    of: Callable[[Any], tuple[Exact, ...]]
    most: int | None = None

    def fits(self, measure: Any) -> bool:
        numbers = self.of(measure)
        return (self.most is None or len(numbers) <= self.most) and all(map(is_double, numbers))


@record()
class Count:
    """How many (int64_t); None is RS_WHOLE, and so is a number above it."""

    of: Callable[[Any], int | None]


@record()
class Word:
    """A choice among a few (int32_t). words: what the core calls each; others it has not."""

    of: Callable[[Any], Any]
    words: Mapping[Any, str | int]

    def fits(self, measure: Any) -> bool:
        return self.of(measure) in self.words


@record()
class Structure:
    """A pointer to a structure of the core. fields: those that are not named are 0 or NULL."""

    name: str
    fields: Fields

    def fits(self, measure: Any) -> bool:
        return all(fits(measure) for fits in _limits(self.fields.values()))


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
Fields: TypeAlias = Mapping[str, Argument]


def _limits(arguments: Iterable[Argument]) -> Iterator[Callable[[Any], bool]]:
    """Whether each argument fits, of those that may not."""
    for argument in arguments:
        if isinstance(argument, Structure):
            yield from _limits(argument.fields.values())
        elif isinstance(argument, Gains | Double | Doubles | Word):
            yield argument.fits


@record()
class Call:
    """A call of the C core for a measure.

    metric: its name there; fields: those of rs_measure beside the metric and the cut-offs
    when: whether the core has this measure, whatever its fields are
    """

    metric: str
    fields: Fields
    when: Callable[[Any], bool] = _always

    @cached_property
    def _limits(self) -> list[Callable[[Any], bool]]:
        return list(_limits(self.fields.values()))

    def can_take(self, measure: Any) -> bool:
        """Whether the core has the measure, and can hold its parameters exactly."""
        return self.when(measure) and all(fits(measure) for fits in self._limits)


@record()
class Core:
    """What the C core has of a metric; None: nothing, it is left to the reference.

    values: the call for its values
    bounds: that for its bounds, without which of them. variances: whether variances are among them
    vectors: of a metric of sessions, that for the vector that it is of
    relevance: of a metric of scores, the points of what it makes of them
    """

    values: Call | None = None
    bounds: Call | None = None
    variances: bool = False
    vectors: Call | None = None
    relevance: Structure | None = None


NOTHING = Core()
