"""Measures made of a measure, ``UL2(nDCG())`` and ``GM(AP())``: how they are called and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import InputError, hint, shown
from ..records import field, record, replace
from . import helptext
from .breakdown import Column, Ranks
from .measure import Measure, Metric, Ranking, chosen
from .parameters import Parameters, as_python, written

if TYPE_CHECKING:
    from inspect import Signature

    from ..reference.numbers.reals import Exact, Number, Reals


class Maker(Protocol):
    """The maker of a measure from another one: a bound, an average, an adjustment."""

    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> Parameters: ...

    def __call__(self, measure: Measure, **given: Any) -> Measure: ...


def signature_of(maker: Maker | NamedMaker) -> Signature:
    """How it is called: with a measure, and by name with what is its own."""
    return helptext.signature("measure", maker.parameters)


def help_of_maker(maker: NamedMaker) -> str:
    """Return the page that help() prints of a maker."""
    return helptext.page(
        f"{maker.name}{signature_of(maker)}",
        f"{maker.title} ({maker.spec}). Of a measure A it makes another one.",
        maker.formula,
        [("measure", f"A, such as {maker.such_as}"), *helptext.helps(maker.parameters)],
        maker.values,
        maker.example,
    )


@record(eq=False, repr=False)
class NamedMaker:
    """A maker of which there is one object of each, that is a name of its module: ``GM``.

    name: as it is written; title: in words; spec: its ID; parameters: those of its own
    formula: its equation in a line
    such_as: a measure that it takes, in Python
    example: a call for the help; values: what stands above it there
    """

    name: str
    title: str
    spec: str
    parameters: Parameters
    formula: str
    such_as: str
    example: str
    values: str = "The values:"

    __doc__ = helptext.told(help_of_maker, __doc__ or "A maker.")  # -OO has none
    __signature__ = helptext.told(signature_of)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    def __reduce__(self) -> str:
        return self.name  # a copy is the same object


def made_by(
    maker: Maker,
    metric_of: Callable[[Metric], Metric],
    measure: Measure,
    given: dict[str, Any],
    example: str,
) -> Measure:
    """The measure that is made of another one; InputError for what is none.

    metric_of: the metric that is made of a metric
    given: the parameters of its own
    """
    if not isinstance(measure, Measure):
        raise InputError(
            f"{maker.name}: expected a measure, such as {example}, got {shown(measure)}"
        )
    metric = metric_of(measure.metric)
    for name in given:
        if name not in maker.parameters:
            known = ", ".join(maker.parameters) or "none"
            raise InputError(
                f"{maker.name} has no parameter {name!r}{hint(name, maker.parameters)}; of its "
                f"own it has {known}"
            )
    own = (
        p.value(given[name]) if name in given else p.default for name, p in maker.parameters.items()
    )
    return Measure(metric, measure.k, (*measure.choices, *own), measure.explicit.union(given))


@record(eq=False, repr=False)
class MadeMetric(Metric):
    """A metric that is made of another one.

    by: what makes it; inside: what it is made of
    """

    by: Maker = field(kw_only=True)
    inside: Metric = field(kw_only=True)

    @property
    def root(self) -> Metric:
        return self.inside

    def is_of_first(self, m: Measure) -> bool:  # noqa: ARG002
        return False  # what it is made of may be of other lists

    @property
    def own_parameters(self) -> Parameters:
        return {n: p for n, p in self.parameters.items() if n not in self.inside.parameters}

    def of_inside(self, m: Measure) -> Measure:
        """Return the measure that a measure is made of."""
        of = self.inside.parameters
        return Measure(self.inside, m.k, m.choices[: len(of)], m.explicit.intersection(of))

    def inner(self, m: Measure) -> Measure:
        return self.of_inside(m)

    def around(self, m: Measure, inner: Measure) -> Measure:
        return self.by(inner, **{name: getattr(m, name) for name in self.own_parameters})

    def divides_by_0(self, m: Measure, pool: Sequence[Exact]) -> bool:
        return self.inside.divides_by_0(self.of_inside(m), pool)

    def is_undefined(self, m: Measure, n: int, pool: Sequence[Exact]) -> bool:
        return self.inside.is_undefined(self.of_inside(m), n, pool)

    def divides_by_list(self, m: Measure) -> bool:
        return self.inside.divides_by_list(self.of_inside(m))

    def is_undefined_for(self, m: Measure, x: Ranking) -> bool:
        return self.inside.is_undefined_for(self.of_inside(m), x)

    def needs_relevant(self, m: Measure) -> bool:
        return self.inside.needs_relevant(self.of_inside(m))

    def written(self, m: Measure, also: Iterable[str] = ()) -> str:
        own = [name for name in also if name in self.own_parameters]
        shown = {name: getattr(m, name) for name in own} | chosen(m)
        given = [written(name, x) for name, x in shown.items()]
        of_inside = [*self.always_written(m), *(name for name in also if name not in own)]
        inside = self.inside.written(self.of_inside(m), of_inside)
        return f"{self.by.name}({', '.join([inside, *given])})"

    def always_written(self, m: Measure) -> Sequence[str]:  # noqa: ARG002 - OfRelevanceMetric does
        """Return the parameters of the inner measure that are written at their default, too."""
        return ()

    def in_short(self, m: Measure) -> str:
        return f"{self.by.name}({self.inside.in_short(self.of_inside(m))})"

    def in_python(self, m: Measure, also: Iterable[str] = ()) -> str:
        shown = {name: getattr(m, name) for name in also} | chosen(m)
        given = [f"{name}={as_python(x)}" for name, x in shown.items()]
        inside = self.inside.in_python(self.of_inside(m), self.always_written(m))
        return f"rs.{self.by.name}({', '.join([inside, *given])})"

    def made_of(self, m: Measure) -> dict[str, str]:
        inside = self.inside.written(self.of_inside(m), self.always_written(m))
        return {"A": f"{inside} ({self.inside.spec})"}

    def about_values(self) -> str:
        return "The values:"


@record(eq=False, repr=False)
class OwnMetric(MadeMetric):
    """A made metric with a total over ranks of its own, which is no bound or average of another."""

    def inner(self, m: Measure) -> Measure:
        return m

    @property
    def root(self) -> Metric:
        return self


def inside_of(m: Measure) -> Measure:
    """Return the measure that one of an OwnMetric is made of, also within a bound or an average."""
    while not isinstance(m.metric, OwnMetric):
        m = m.inner
    return m.metric.of_inside(m)


# ---- rank by rank ------------------------------------------------------------------------


@dataclass
class InnerRanks:
    """The ranks of a made measure, as the measure that it is made of sees them."""

    measure: Measure
    ranking: Any
    k: int
    terms: Callable[[Reals], Mapping[int, Number]]


def columns_of_inside(
    columns: Iterable[Column], ranking: Callable[[Ranks], Any] = lambda ranks: ranks.ranking
) -> tuple[Column, ...]:
    """Return the columns of a measure, for the ranks of one that is made of it.

    ranking: the ranking that the inner measure sees
    """

    def of_inside(column: Column) -> Column:
        return replace(
            column,
            numbers=lambda ranks, R: column.numbers(
                InnerRanks(inside_of(ranks.measure), ranking(ranks), ranks.k, ranks.terms), R
            ),
        )

    return tuple(map(of_inside, columns))
