"""Results by measure, whose names are known in any spelling."""

from __future__ import annotations

from collections.abc import (
    Callable,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    Sequence,
    ValuesView,
)
from functools import partial

from ..errors import InputError, shown
from ..metrics.foreign import is_foreign
from ..metrics.measure import Measure
from ..text import short_list, short_lists
from ..typed import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

if TYPE_CHECKING:
    from .data_frames import Table

Meant: TypeAlias = "Callable[[Any], Iterable[Measure]]"
"""The measures that a name stands for."""

_Key: TypeAlias = "Callable[[Any], str]"

V = TypeVar("V")


class ByMeasure(dict[str, V]):
    """What there is of each measure: a dict by its name as it prints, which takes any spelling.

    key: the name as it prints, of any spelling; a KeyError where it was not computed
    """

    def __init__(
        self, found: Mapping[str, V] | Iterable[tuple[str, V]] = (), key: _Key | None = None
    ) -> None:
        super().__init__(found)
        self._key = key

    def __missing__(self, name: Any) -> V:
        if self._key is None:
            raise KeyError(name)
        known = self._key(name)
        if known == name:  # computed, but not here: a set of queries may lack it
            raise KeyError(name)
        return dict.__getitem__(self, known)

    def __contains__(self, name: object) -> bool:
        none = object()
        return self.get(name, none) is not none

    def get(self, name: Any, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default


class Definition(dict[str, str]):
    """Every choice that a number depends on, by name; prints as one line a choice."""

    def __str__(self) -> str:
        width = max(map(len, self))
        return "\n".join(f"{name:{width}}  {choice}" for name, choice in self.items())


class OfMeasures:
    """A result of several measures: like a dict of the means, by their names in any spelling.

    measures: what was computed; mean: {name of a measure: its mean}
    """

    if TYPE_CHECKING:

        @property
        def measures(self) -> tuple[Measure, ...]: ...

        @property
        def mean(self) -> dict[str, float]: ...

    _by_measure: ClassVar[tuple[str, ...]] = ("mean",)  # the fields that are made a ByMeasure

    def __post_init__(self) -> None:
        key = _key_of(self)
        for name in self._by_measure:
            object.__setattr__(self, name, ByMeasure(getattr(self, name), key))

    def __getitem__(self, name: str) -> float:
        """The mean of a measure, named in any spelling."""
        return self.mean[str(self._measure(name))]

    def __iter__(self) -> Iterator[str]:
        """The names of the measures, as they print."""
        return iter(self.mean)

    def __len__(self) -> int:
        """How many measures there are."""
        return len(self.mean)

    def __contains__(self, name: object) -> bool:
        """Whether a measure was computed, named in any spelling."""
        return name in self.mean

    def keys(self) -> KeysView[str]:
        """The names of the measures, as they print: ``dict()`` of a result has the means."""
        return self.mean.keys()

    def values(self) -> ValuesView[float]:
        """The means."""
        return self.mean.values()

    def items(self) -> ItemsView[str, float]:
        """The names of the measures, with the means."""
        return self.mean.items()

    def to_pandas(self, *, long: bool = False) -> Any:
        """A pandas.DataFrame of the values: a row a query, a column a measure (RS-CONV-47).

        The first column is "query" (of sessions "session"), and the others are called as measures
        print. A query without a value has NaN. The means are no rows: `mean` has them.

        long: a row a query and measure, of the columns "query", "measure" and "value"

        Raises InputError where pandas is not installed.
        """
        from .data_frames import to_pandas

        return to_pandas(self._as_table(long))

    def to_polars(self, *, long: bool = False) -> Any:
        """The same as a polars.DataFrame; a query without a value has null (RS-CONV-47).

        Raises InputError where polars is not installed, and for an id that is no UTF-8.
        """
        from .data_frames import to_polars

        return to_polars(self._as_table(long))

    def to_arrow(self, *, long: bool = False) -> Any:
        """The same as a pyarrow.Table; a query without a value has null (RS-CONV-47).

        Raises InputError where pyarrow is not installed, and for an id that is no UTF-8.
        """
        from .data_frames import to_arrow

        return to_arrow(self._as_table(long))

    def _repr_html_(self) -> str:
        """What a notebook shows: the means, and the conventions folded under them."""
        from .html_page import html

        definitions = {str(m): self.definition(str(m)) for m in self.measures}
        return html(self.mean, self._noted(), definitions)

    def definition(self, name: str) -> Definition:
        """What exactly the numbers of a measure are: each convention, with its spec ID."""
        raise NotImplementedError

    def _as_table(self, long: bool) -> Table:
        """The values by query or session, as columns."""
        from . import data_frames

        return (data_frames.long if long else data_frames.wide)(*self._values())

    def _values(self) -> tuple[str, Sequence[str], Mapping[str, Mapping[str, float]]]:
        """What the values are of, the ids of these, and {name of a measure: {id: value}}."""
        raise NotImplementedError

    def _noted(self) -> Iterable[str]:
        """What the numbers are the mean of, and what may surprise, a text each."""
        raise NotImplementedError

    def _measure(self, name: str | Measure) -> Measure:
        return computed(self.measures, self._meant(), name)

    def _meant(self) -> Meant:
        """What measures a name stands for that is no name as it prints."""
        raise NotImplementedError


def spelled(of: OfMeasures, found: Mapping[str, V]) -> ByMeasure[V]:
    """What there is of each measure of a result: it takes any spelling, as the result does."""
    return ByMeasure(found, _key_of(of))


def like(known: Mapping[str, V], found: Mapping[str, V]) -> ByMeasure[V]:
    """What else there is of the same measures: it takes the same spellings."""
    return ByMeasure(found, known._key if isinstance(known, ByMeasure) else None)


def _key_of(of: OfMeasures) -> _Key:
    return partial(name_of, of.measures, of._meant())


def name_of(measures: Sequence[Measure], meant: Meant, name: Any) -> str:
    """The name as it prints, of a measure among those; a KeyError where there is none."""
    if not isinstance(name, (str, Measure)) and not is_foreign(name):
        there = ", ".join(short_lists(map(str, measures)))
        raise KeyError(f"expected the name of a measure, got {shown(name)}; computed were {there}")
    try:
        return str(computed(measures, meant, name))
    except InputError as error:
        raise KeyError(str(error)) from None


def computed(measures: Sequence[Measure], meant: Meant, name: Any) -> Measure:
    """The measure of that name among those that were computed, or a KeyError.

    meant: the measures that the name stands for, where none is written so
    """
    for measure in measures:
        if name in (measure, str(measure)):
            return measure
    for measure in meant(name):
        if measure in measures:
            return measure
    there = ", ".join(short_lists(map(str, measures)))
    raise KeyError(f"{short_list(str(name))} was not computed; computed were {there}")
