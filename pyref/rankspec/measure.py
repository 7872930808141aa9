"""Measures: a metric of the spec together with its parameters.

A :class:`Metric` is one entry of the spec that has a value; ``rankspec.chapters`` lists them.
A :class:`Measure` is a metric with all its parameters set, so that the number is determined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TypeAlias

from .conventions import LINEAR, LOG2, Discount, Gain
from .reference.reals import Exact, Number, Reals

Reading: TypeAlias = "Callable[[Measure, Ranking, int, Reals], Number]"
"""An equation of the reference, applied: (measure, ranking, cut-off, reals) -> number."""


@dataclass(frozen=True)
class Quotient:
    """What a normalised metric is a quotient of, so that its value can be explained.

    total, divisor: the equations, good for tied rankings too; the total is a sum over ranks
    total_name: what the total is called ("DCG"); divisor_name: likewise, for a measure
    divisor_spec: the ID of the divisor's definition
    """

    total_name: str
    total: Reading
    divisor_name: Callable[[Measure], str]
    divisor: Reading
    divisor_spec: str


@dataclass(frozen=True)
class Metric:
    """A metric of the spec.

    name: as measures are written ("nDCG"); function: its name in the API, the reference and C
    spec, expected_spec: the IDs of its definition and of its expectation under ties
    plain, expected: its equation for a settled order, and for tie groups
    parameters: which parameters of a measure it has, besides the cut-off
    pool: whether its value depends on the judged items that the list does not show
    trec, trec_cut: its name in trec_eval, without and with a cut-off (None: it has none)
    quotient: what it is a quotient of; None: it is a sum over ranks itself
    """

    name: str
    function: str
    title: str
    spec: str
    expected_spec: str
    plain: Reading
    expected: Reading
    parameters: tuple[str, ...]
    pool: bool
    trec: str | None = None
    trec_cut: str | None = None
    quotient: Quotient | None = None

    @property
    def judged(self) -> bool:
        """Whether it takes judged labels beside those of the list (RS-CONV-3)."""
        return self.pool and self.function != "idcg"

    @property
    def binary(self) -> bool:
        """Whether labels count only as relevant or not."""
        return "rel" in self.parameters


NORMS = ("R", "min", "k")
IDEALS = ("k", "all")


@dataclass(frozen=True)
class Measure:
    """A metric with its parameters: the full definition of a number.

    k: the cut-off; None is the whole list (and, for the ideal, the whole pool)
    gain, discount: of the gain-based metrics; rel, norm: of the binary ones
    ideal: where nDCG cuts the ideal: at "k", or "all" of the pool uncut
    """

    metric: Metric
    k: int | None = None
    gain: Gain = field(default=LINEAR)
    discount: Discount = field(default=LOG2)
    rel: Exact = 1
    norm: str = "R"
    ideal: str = "k"

    def __str__(self) -> str:
        """As ir_measures writes it: parameters that differ from their default, then @k."""
        given = [
            f"{name}={getattr(self, name)!r}"
            if name == "rel"
            else f"{name}={str(getattr(self, name))!r}"
            for name in self.metric.parameters
            if getattr(self, name) != _DEFAULTS[name]
        ]
        parameters = f"({', '.join(given)})" if given else ""
        return f"{self.metric.name}{parameters}" + (f"@{self.k}" if self.k is not None else "")

    @cached_property
    def uncut(self) -> Measure:
        """The same measure without a cut-off."""
        return self if self.k is None else replace(self, k=None)

    @property
    def trec_name(self) -> str:
        """As trec_eval prints it, where it has this measure; else as str() does."""
        if all(getattr(self, name) == _DEFAULTS[name] for name in self.metric.parameters):
            if self.k is None and self.metric.trec:
                return self.metric.trec
            if self.k is not None and self.metric.trec_cut:
                return f"{self.metric.trec_cut}_{self.k}"
        return str(self)

    def definition(self) -> dict[str, str]:
        """Every choice that the number depends on, by name, each with its spec ID."""
        chosen = {"metric": f"{self.metric.title} ({self.metric.spec})"}
        chosen["k"] = "the whole list (RS-CONV-2)" if self.k is None else f"{self.k} (RS-CONV-2)"
        if "gain" in self.metric.parameters:
            chosen["gain"] = f"{self.gain} ({self.gain.spec})"
        if "discount" in self.metric.parameters:
            chosen["discount"] = f"{self.discount} ({self.discount.spec})"
        if "rel" in self.metric.parameters:
            chosen["rel"] = f"label >= {self.rel} is relevant (RS-PREC-1)"
        if "norm" in self.metric.parameters:
            chosen["norm"] = f"{self.norm} (RS-PREC-6)"
        if "ideal" in self.metric.parameters:
            chosen["ideal"] = f"{self.ideal}: {_IDEAL[self.ideal]} (RS-DCG-7)"
        return chosen

    def depth(self, n: int, pool: int) -> int:
        """The cut-off as a number, for a list of n items and a pool of that size (RS-CONV-2)."""
        if self.k is not None:
            return self.k
        if self.metric.function == "precision" or self.norm == "k":
            return n
        return max(n, pool)

    def deepest_rank(self, n: int, pool: int) -> int:
        """The deepest rank that holds anything: of lists and pools up to these lengths."""
        deepest = max(n, pool)
        if self.k is None:
            return deepest
        return max(min(self.k, deepest), pool if self.ideal == "all" else 0)


_IDEAL = {"k": "cut where the list is", "all": "the whole pool, uncut"}
_DEFAULTS = {f.name: f.default for f in fields(Measure)}


@dataclass(frozen=True)
class Ranking:
    """What a measure is taken of: the labels by tie group, best first, and the pool's labels.

    Where no ties are left, each group has one label.
    """

    groups: Sequence[Sequence[Exact]]
    pool: Sequence[Exact]

    @property
    def labels(self) -> list[Exact]:
        return [label for group in self.groups for label in group]

    @property
    def tied(self) -> bool:
        return any(len(group) > 1 for group in self.groups)


def value(measure: Measure, ranking: Ranking, reals: Reals) -> Number:
    """The measure of a ranking, by the reference, in the given reading of the reals."""
    equation = measure.metric.expected if ranking.tied else measure.metric.plain
    k = measure.depth(sum(len(group) for group in ranking.groups), len(ranking.pool))
    return equation(measure, ranking, k, reals)
