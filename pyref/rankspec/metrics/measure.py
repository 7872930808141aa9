"""Measures: a metric of the spec together with its parameters.

A :class:`Metric` is one entry of the spec that has a value; ``rankspec.metrics.catalogue`` lists
them.
A :class:`Measure` is a metric with all its parameters set, so that the number is determined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from ..compute.call import NOTHING, Core
from ..compute.computable import Ranking as Ranking  # noqa: PLC0414 - it is had from here, too
from ..compute.computable import Session as Session  # noqa: PLC0414
from ..compute.computable import Tables as Tables  # noqa: PLC0414
from ..compute.gain import Discount
from ..reference.numbers.reals import Exact, Number, Reals
from . import helptext
from .breakdown import Breakdown
from .parameters import Parameters

Reading: TypeAlias = "Callable[[Measure, Any, int, Reals], Number]"
"""An equation of the reference, applied: (measure, ranking, cut-off, reals) -> number. The ranking
is a Ranking; of a metric of sessions it is a Session.
"""

VectorOf: TypeAlias = "Callable[[Measure, Session, int, Reals], list[Number]]"
LengthsOf: TypeAlias = "Callable[[Measure, Session, int], list[int]]"

RelevanceOf: TypeAlias = "Callable[[Measure, Sequence[Exact]], Callable[[Exact | None], Number]]"


@dataclass(frozen=True)
class Divisor:
    """What a total is divided by.

    name: its name in a measure; reading: its equation; spec: the ID of that
    by_rank: whether it grows from rank to rank, as the list does
    sum_of_ideal: whether it is what the ranks of the ideal list add up to
    """

    name: Callable[[Measure], str]
    reading: Reading
    spec: str
    by_rank: bool = False
    sum_of_ideal: bool = False


@dataclass(frozen=True)
class Quotient:
    """What a normalised metric is a quotient of, so that its value can be explained.

    total: its equation, good for tied rankings too, a sum over ranks; total_name: its name ("DCG")
    divisors: what it is divided by, one after the other
    shown_by_ideal: how many results the ideal list shows, where the metric has one: the last
        divisor is that list's value; (measure, ranking, cut-off) -> number
    """

    total_name: str
    total: Reading
    divisors: tuple[Divisor, ...]
    shown_by_ideal: Callable[[Measure, Ranking, int], int] | None = None


@dataclass(frozen=True)
class Vector:
    """The vector that a metric of sessions is of.

    components: its equation, (measure, session, cut-off, reals) -> numbers
    lengths: how long it is, (measure, session, cut-off) -> the length of each
    averaged: whether the value is of all its components, padded ranks too
    a_query: whether each query has one
    """

    components: VectorOf
    lengths: LengthsOf
    averaged: bool = False
    a_query: bool = False


def _never(_: Measure) -> bool:
    return False


def _refusal(m: Measure, label: Exact) -> str | None:
    if "gain" in m.metric.parameters:
        return m.gain.refusal(label)  # type: ignore[no-any-return]
    return None if math.isfinite(label) else "a label must be finite"


def _discount(m: Measure, deepest: int) -> Tables:
    return {"discount": (m.discount, deepest)} if "discount" in m.metric.parameters else {}


@dataclass(frozen=True, eq=False, repr=False)
class Metric:
    """A metric of the spec; there is one object of each.

    name: as measures are written ("nDCG"); function: its name in the API, the reference and C
    bound: of a bound, its own name ("UL2", where the name is "UL2(nDCG)")
    spec, expected_spec: the IDs of its definition and of its expectation under ties
    plain, expected: its equation for a settled order, and for tie groups
    parameters: what a measure can be told beside the cut-off, by name
    pool: whether its value depends on the judged items that the list does not show
    of_pool: whether it is of the pool alone: its labels are those of the pool
    cutoff: what its paper calls the cut-off
    trec, trec_cut: its name in trec_eval, without and with a cut-off (None: it has none)
    names: its names in other programs, {program: names}; "recall_at_K": the cut-off is part of it
    quotient: what it is a quotient of; None: it is a sum over ranks itself
    divisor_is_k: whether the divisor is the cut-off itself
    divides_by_0: whether the divisor is 0 for a pool of those labels (RS-CONV-4)
    ideal_uncut: whether the ideal that it divides by is not cut where the list is
    tables: the parameters that are functions of the rank, and how deep each is needed, from the
        deepest rank that holds anything
    check: an InputError where parameters and cut-off do not go together
    relevance: of a metric whose labels are scores, what it makes of them: from the scores of a pool
        the relevance of any; that of None, an item without a score, is 0
    has_extreme: whether its lowest, or upwards its highest value over all judgments can be found
        (RS-CONV-14); (measure, upwards) -> bool
    by_layers: whether its highest value over all judgments is found layer by layer of the labels,
        as that of a sum of discounted gains over the ideal's (RS-CONV-14)
    of_scores: the name of the metric that it is where labels are scores (RS-CONV-20); "": of none
    no_quotient: of what is no quotient of an ideal, and so not 1 where it is undefined, what it is
    refusal: why it cannot take a label; None where it can
    takes_any_label: whether that is any finite number
    sees_unjudged: whether it asks which items have no label
    scale: the parameter that says where its scale of labels ends, and that label, if there is one:
        the value depends on it, whatever the labels are
    best: its value for the best list of a pool, where that is not its ideal ranking
    variance: its variance, or that of its total, in a random order of the list (RS-EXP-19)
    formula: its equation in a line, where no function of the reference bears its ID
    breakdown: how a value is made up, rank by rank
    of: of a bound, what it is a bound of (chapter "bounds")
    of_sessions: whether it is taken of sessions, not of rankings (chapter "session")
    vector: of a metric of sessions, the vector that it is of; None: of none
    core: what the C core has of it
    """

    name: str
    function: str
    title: str
    spec: str
    expected_spec: str
    plain: Reading
    expected: Reading
    parameters: Parameters
    pool: bool
    of_pool: bool = False
    cutoff: str = "k"
    trec: str | None = None
    trec_cut: str | None = None
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    quotient: Quotient | None = None
    divisor_is_k: Callable[[Measure], bool] = _never
    divides_by_0: Callable[[Measure, Sequence[Exact]], bool] = lambda *_: False
    ideal_uncut: Callable[[Measure], bool] = _never
    tables: Callable[[Measure, int], Tables] = _discount
    check: Callable[[Measure], None] = lambda _: None
    relevance: RelevanceOf | None = None
    has_extreme: Callable[[Measure, bool], bool] = lambda *_: True
    by_layers: bool = False
    of_scores: str = ""
    no_quotient: str = ""
    refusal: Callable[[Measure, Exact], str | None] = _refusal
    sees_unjudged: bool = False
    scale: Callable[[Measure], tuple[str, int] | None] = lambda _: None
    best: Reading | None = None
    variance: Reading | None = None
    formula: str = ""
    breakdown: Breakdown = field(default_factory=Breakdown)
    of: Metric | None = None
    bound: str = ""
    of_sessions: bool = False
    vector: Vector | None = None
    core: Core = NOTHING

    __doc__ = helptext.told(helptext.of_metric, __doc__ or "A metric.")  # -OO has none
    __signature__ = helptext.told(helptext.signature_of_metric)

    def __call__(self, k: int | None = None, **parameters: Any) -> Measure:
        """A measure: this metric at a cut-off, with its parameters."""
        from .grammar import make  # which reads the list of all metrics

        return make(self, k, **parameters)

    def __repr__(self) -> str:
        return f"<Metric {self.name}>"

    def __reduce__(self) -> tuple[Callable[[str], Metric], tuple[str]]:
        return metric_named, (self.name,)  # a copy is the same object

    @property
    def judged(self) -> bool:
        """Whether it is of a list, and of judged items beside it (RS-CONV-3)."""
        return self.pool and not self.of_pool

    @property
    def binary(self) -> bool:
        """Whether labels count only as relevant or not."""
        return "rel" in self.parameters

    @property
    def takes_any_label(self) -> bool:
        """Whether no finite label is refused."""
        return self.refusal is _refusal and "gain" not in self.parameters

    @property
    def root(self) -> Metric:
        """Of a bound, the metric that it is a bound of; else the metric itself."""
        return self if self.of is None else self.of

    @property
    def own_parameters(self) -> Parameters:
        """Of a bound, those that are not the metric's."""
        if self.of is None:
            return self.parameters
        return {name: p for name, p in self.parameters.items() if name not in self.of.parameters}


@dataclass(frozen=True, repr=False)
class Measure:
    """A metric with its parameters: the full definition of a number.

    k: the cut-off; None is the whole list (and, for the ideal, the whole pool)
    choices: the values of the metric's parameters, in their order; each is also an attribute
    """

    metric: Metric
    k: int | None
    choices: tuple[Any, ...]

    def __post_init__(self) -> None:
        self.__dict__.update(zip(self.metric.parameters, self.choices, strict=True))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a measure has no {name!r}")

    def __str__(self) -> str:
        """As ir_measures writes it: parameters that differ from their default, then @k."""
        given = [written(name, x) for name, x in self._chosen().items()]
        if self.metric.of is not None:
            return f"{self.metric.bound}({', '.join([str(self.inner), *given])})"
        parameters = f"({', '.join(given)})" if given else ""
        return f"{self.metric.name}{parameters}" + (f"@{self.k}" if self.k is not None else "")

    def __repr__(self) -> str:
        """As it is made in Python, after `import rankspec as rs`."""
        of = self.metric.of
        given = [] if of is None else [repr(self.inner)]
        if of is None and self.k is not None:
            given.append(f"k={self.k}")
        given += [f"{name}={as_python(x)}" for name, x in self._chosen().items()]
        return f"rs.{self.metric.bound or self.metric.name}({', '.join(given)})"

    @property
    def inner(self) -> Measure:
        """Of a bound, the measure that it is a bound of."""
        of = self.metric.root
        return Measure(of, self.k, self.choices[: len(of.parameters)])

    def around(self, inner: Measure) -> Measure:
        """The same bound, with the same parameters of its own, of another measure."""
        from .bounds import bound_named  # which makes metrics

        own = {name: getattr(self, name) for name in self.metric.own_parameters}
        return bound_named(self.metric.bound)(inner, **own)

    def of(self, labels: Any, **given: Any) -> Any:
        """The value for one ranking, or for each of many.

        given: scores, ids, ties, offsets, judged, judged_offsets, unjudged and backend, as in
        rankspec.api; any measure takes judged labels (RS-CONV-3). A measure of sessions takes
        sessions: the arguments are those of rankspec.sessions.
        """
        if self.metric.of_sessions:
            from ..api.sessions import of as of_sessions  # which reads sessions

            return of_sessions(self, labels, **given)
        from ..api.rankings import of  # which reads lists

        return of(self, labels, **given)

    def _chosen(self) -> dict[str, Any]:
        """The metric's own parameters that differ from their default."""
        own = {name: (getattr(self, name), p) for name, p in self.metric.own_parameters.items()}
        return {name: x for name, (x, p) in own.items() if x != p.default}

    def _parameters(self) -> dict[str, Any]:
        return dict(zip(self.metric.parameters, self.choices, strict=True))

    @cached_property
    def uncut(self) -> Measure:
        """The same measure without a cut-off."""
        return self if self.k is None else replace(self, k=None)

    @property
    def trec_name(self) -> str:
        """As trec_eval prints it, where it has this measure; else as str() does."""
        if self.choices == tuple(p.default for p in self.metric.parameters.values()):
            if self.k is None and self.metric.trec:
                return self.metric.trec
            if self.k is not None and self.metric.trec_cut:
                return f"{self.metric.trec_cut}_{self.k}"
        return str(self)

    def definition(self) -> dict[str, str]:
        """Every choice that the number depends on, by name, each with its spec ID."""
        chosen = {"metric": f"{self.metric.title} ({self.metric.spec})"}
        if self.metric.of is not None:
            from .bounds import parts_of  # which makes metrics

            chosen["A"] = f"{self.inner} ({self.metric.of.spec})"
            of_pool = ", ".join(
                f"{name} ({spec})" for name, _, spec in parts_of(self) if name != "A"
            )
            if of_pool:
                chosen["of the pool"] = of_pool
        chosen["k"] = "the whole list (RS-CONV-2)" if self.k is None else f"{self.k} (RS-CONV-2)"
        for name, x in self._parameters().items():
            parameter = self.metric.parameters[name]
            within = parameter.meaning_in
            chosen[name] = parameter.meaning(x) if within is None else within(self)
        return chosen

    def depth(self, n: int, pool: int) -> int:
        """The cut-off as a number, for a list of n items and a pool of that size (RS-CONV-2)."""
        if self.k is not None:
            return self.k
        if self.metric.divisor_is_k(self):
            return n if n or self.metric.of is None else pool  # bounds of none: RS-BND-1(a)
        return max(n, pool)

    def depth_of(self, ranking: Ranking | Session) -> int:
        """The cut-off as a number, for a ranking or a session; a pool counts where it matters."""
        return self.depth(ranking.length, len(ranking.pool) if self.metric.pool else 0)

    def deepest_rank(self, n: int, pool: int) -> int:
        """The deepest rank that holds anything: of lists and pools up to these lengths."""
        deepest = max(n, pool)
        if self.k is None:
            return deepest
        return max(min(self.k, deepest), pool if self.metric.ideal_uncut(self) else 0)

    # ---- what is computed of it: rankspec.compute.computable ----

    @property
    def cutoff_name(self) -> str:
        """What its paper calls the cut-off."""
        return self.metric.cutoff

    @property
    def of_sessions(self) -> bool:
        """Whether it is taken of sessions, not of rankings."""
        return self.metric.of_sessions

    @property
    def reads_pool(self) -> bool:
        """Whether its value depends on the judged items that the list does not show."""
        return self.metric.pool

    @property
    def reads_pool_alone(self) -> bool:
        """Whether it is of the pool alone."""
        return self.metric.of_pool

    @property
    def ideal_uncut(self) -> bool:
        """Whether the ideal that it divides by is not cut where the list is."""
        return self.metric.ideal_uncut(self)

    @property
    def core(self) -> Core:
        """What the C core has of it."""
        return self.metric.core

    def tables(self, deepest: int) -> Tables:
        """The parameters that are functions of the rank, and how deep each is needed."""
        return self.metric.tables(self, deepest)

    def refusal(self, label: Exact) -> str | None:
        """Why it cannot take a label; None where it can."""
        return self.metric.refusal(self, label)

    def value(self, ranking: Ranking | Session, reals: Reals) -> Number:
        """Its value for a ranking, or a session, by the reference, in that reading of the reals."""
        equation = self.metric.expected if ranking.tied else self.metric.plain
        return equation(self, ranking, self.depth_of(ranking), reals)

    def relevance(self, scores: Sequence[Exact]) -> Callable[[Exact | None], Number]:
        """Of a metric whose labels are scores, what it makes of them."""
        return self.metric.relevance(self, scores)  # type: ignore[misc]

    @property
    def query_weights(self) -> Discount | None:
        """The discount of queries; None: it has none."""
        return self.query_discount if "query_discount" in self.metric.parameters else None

    @property
    def asks_documents(self) -> bool:
        """Whether it matters which documents come again in a session."""
        return "repeats" in self.metric.parameters and self.repeats != 1

    @property
    def averages_vector(self) -> bool:
        """Whether the value is of all components of a vector, padded ranks too."""
        return self.metric.vector is not None and self.metric.vector.averaged

    @property
    def vector_a_query(self) -> bool:
        """Whether it has a vector a query, not one a session."""
        return self.metric.vector is not None and self.metric.vector.a_query

    def padded_ranks(self, listed: int, pooled: int) -> int | None:
        """How many ranks a query has at most, where lists and pools have up to these lengths;
        None: as many as results.
        """
        if "padding" not in self.metric.parameters:
            return None
        k = self.depth(listed, pooled if self.metric.pool else 0)
        return min(k, max(listed, k if self.padding == "X" else self.padding))

    def vector(self, session: Session, reals: Reals) -> list[Number]:
        """The vector that it is of; where each query has one, one after the other."""
        of = self.metric.vector
        return of.components(self, session, self.depth_of(session), reals)  # type: ignore[union-attr]

    def vector_lengths(self, session: Session) -> list[int]:
        """How long each vector is; where it has no vector, how many ranks the session has."""
        return self.metric.vector.lengths(self, session, self.depth_of(session))  # type: ignore[union-attr]


def written(parameter: str, x: Any) -> str:
    """A parameter with its value, as it stands in a measure."""
    return f"{parameter}={_literal(x)}"


def _literal(x: Any) -> str:
    """A value as it can be read again."""
    if isinstance(x, tuple):
        return f"({', '.join(map(_literal, x))}{',' * (len(x) == 1)})"
    as_it_is = x is None or isinstance(x, (int, float, Fraction))
    return str(x) if as_it_is else repr(str(x))


def named(measures: Sequence[Measure], most: int = 3) -> str:
    """The names of measures in a line, if they are not too many."""
    names = ", ".join(map(str, measures[:most]))
    return names if len(measures) <= most else f"{names} and {len(measures) - most} more"


def as_python(x: Any) -> str:
    """The value of a parameter, as it can be given in Python."""
    if x is None or isinstance(x, (int, float, Fraction, str, tuple)):
        return repr(x)
    numbers = getattr(x, "table", ()) or getattr(x, "weights", ())  # of a gain, or of a discount
    if isinstance(numbers, Discount):  # of a prior
        numbers = numbers.weights
    return repr(list(numbers) if numbers else str(x))


def metric_named(name: str) -> Metric:
    """The metric of a name, that of a bound too; there is one object of each."""
    from .bounds import bound_named  # which makes metrics
    from .grammar import metric

    bound, _, of = name.rstrip(")").rpartition("(")
    return bound_named(bound)(metric(of)()).metric if bound else metric(of)


def value(measure: Measure, ranking: Ranking | Session, reals: Reals) -> Number:
    """The measure of a ranking, or of a session, by the reference, in that reading of the reals."""
    return measure.value(ranking, reals)
