"""``Adjusted(RBP(p=0.8))``: a measure over what a user expects of it for a list so long.

The paper's approach for any measure (RS-LEN-17). LDCG, LERR, LAP, LRBP and LGAP are that of DCG,
ERR, AP, RBP and GAP, and have kernels in the C core.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ..compute.computable import Ranking, Tables
from ..errors import InputError
from ..later import length, numerics
from ..records import field, record, replace
from . import helptext
from .average import MEAN
from .breakdown import Breakdown
from .diversity import DiversityMetric
from .length import Prior, Z
from .length import prior as prior_of
from .made import (
    MadeMetric,
    NamedMaker,
    OwnMetric,
    columns_of_inside,
    help_of_maker,
    inside_of,
    made_by,
)
from .measure import (
    NO_EXTREMES,
    Divisor,
    Measure,
    Metric,
    Orders,
    Quotient,
    Reading,
    help_of_metric,
)
from .parameters import Parameter, parameters

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact, Number, Reals

SPEC = "RS-LEN-17"
MOST_RANKS = 1000
"""The ranks of which each is a list of its own, whose value is computed."""
HIGHEST_LABEL = 255

_PRIOR = Parameter(
    "prior",
    Prior(),
    prior_of,
    lambda x: "discount: as E(i) (RS-LEN-17)" if x.weights is None else f"{x} (RS-LEN-1)",
    "where the user expects the relevant result: discount (as E(i)), uniform, or any discount",
    annotation="PriorLike | Callable[[int], float]",
)


@record(eq=False, repr=False)
class Adjustment(NamedMaker):
    """The maker of adjusted measures: ``Adjusted(A)``."""

    __doc__ = helptext.told(help_of_maker, __doc__ or "An adjustment.")

    def __call__(self, measure: Measure, **parameters: Any) -> Measure:
        """Return the measure over what a user expects of it."""
        made = made_by(self, partial(adjusted, self), measure, parameters, self.such_as)
        made.metric.check(made)
        return made

    def refusal(self, metric: Metric) -> str | None:
        """Return why a metric cannot be adjusted; None where it can."""
        of_others = metric.of_sessions or isinstance(metric, DiversityMetric)
        reasons = {
            "is made of a measure; Adjusted stands within averages, as in GM(Adjusted(RR)), and is "
            "not defined of Phi(A)": isinstance(metric, MadeMetric),
            "is not of rankings with one label per item": of_others,
            "is adjusted for the length already": "prior" in metric.parameters,
            "is of the pool alone, which has no length": metric.of_pool,
            "takes scores, of which none is the least relevant label": metric.relevance is not None,
            "asks what nobody judged": metric.sees_unjudged or not metric.more_is_better,
            "is a count": metric.average is not MEAN,
        }
        return next((why for why, applies in reasons.items() if applies), None)


@record(eq=False, repr=False)
class AdjustedMetric(OwnMetric):
    """A metric that is another one, adjusted for the length.

    by: the adjustment; inside: the metric that is adjusted
    """

    by: Adjustment = field(kw_only=True)

    __doc__ = helptext.told(help_of_metric, __doc__ or "A metric.")

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return adjusted, (self.by, self.inside)  # a copy is the same object

    def divides_by_list(self, m: Measure) -> bool:  # noqa: ARG002
        return False


@cache
def least_label(m: Measure) -> int:
    """Return the least label from 1 on of which one item has a value at rank 1.

    An InputError says that there is none up to `HIGHEST_LABEL`, or that an item of label 0 has one.
    """
    labels = (x for x in range(1, HIGHEST_LABEL + 1) if m.metric.refusal(m, x) is None)
    least = next((x for x in labels if _value(m, [x], [x]) > 0), None)
    if least is None:
        raise InputError(
            f"Adjusted: {m} has no value for an item of a label from 1 to {HIGHEST_LABEL} ({SPEC})"
        )
    if _value(m, [0], [least]) or _value(m, [0, least], [least]) < 0:
        raise InputError(f"Adjusted: {m} is not 0 where a list gains nothing ({SPEC})")
    return least


def _value(m: Measure, labels: Sequence[Exact], pool: Sequence[Exact]) -> float:
    x, k = Ranking.settled(labels, pool), m.depth(len(labels), len(pool))
    return numerics.nearest_double_of(lambda R: m.metric.plain(m, x, k, R))


def _of_one(m: Measure, n: int, pool: Any, k: int, R: Reals) -> Callable[[int], Number]:
    """i -> A of n items, of which the one at rank i has the least label, and the others have 0."""
    label = least_label(m)

    def value(i: int) -> Number:
        labels: list[Exact] = [0] * n
        labels[i - 1] = label
        return m.metric.plain(m, Ranking.settled(labels, pool), k, R)

    return cache(value)


def _over_expectation(total: Reading) -> Reading:
    """Return the reading of a metric's total over what a user expects of it."""

    def reading(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
        _check_length(m, min(x.length, k))
        if min(x.length, k) == 0:
            return R.exact(0)
        value = total(inside_of(m), x, k, R)
        return length.adjusted(value, x.length, k, *_expected_by(m, x, k, R))

    return reading


def _expectation(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """Return what a user expects of a list so long."""
    return length.expectation_of_one(min(x.length, k), *_expected_by(m, x, k, R))


def _expected_by(
    m: Measure, x: Ranking, k: int, R: Reals
) -> tuple[Callable[[int], Number], Callable[[int], Number], Number]:
    """Return E, w and Z: the values of one relevant result, the weights and their factor."""
    inner = inside_of(m)
    of_one = _of_one(inner, x.length, x.pool, k, R)
    M = m.k if m.Z == "M" else None
    if m.prior.weights is None:
        w = _falling_as(of_one if M is None else _of_one(inner, M, x.pool, k, R))
    else:
        w = m.prior.weights.of(R)
    return of_one, w, 1 if M is None else length.Z(M, 1, w, R)


def _falling_as(of_one: Callable[[int], Number]) -> Callable[[int], Number]:
    """Return the weights of the prior "discount": E(i) / E(1)."""
    first = of_one(1)
    return lambda i: of_one(i) / first if first else 0


def _breakdown(of: Metric) -> Breakdown:
    """Return how the total is made up: as that of the metric that is adjusted."""
    inner = of.breakdown
    return replace(
        inner,
        columns=columns_of_inside(inner.columns),
        places=lambda m, x, k: inner.places(inside_of(m), x, k),
        adds=lambda m, group: inner.adds(inside_of(m), group),
        variance=None,
    )


def _check_length(m: Measure, n: int) -> None:
    if n > MOST_RANKS:
        raise InputError(
            f"{m}: the list has {n} results; each rank is computed as a list of its own, of at "
            f"most {MOST_RANKS}: give it a cut-off ({SPEC})"
        )


def _check(m: Measure) -> None:
    inner = inside_of(m)
    inner.metric.check(inner)
    if inner.metric.divides_by_list(inner):
        raise InputError(
            f"Adjusted: {inner} divides by a number of the list itself, which does not cancel "
            f"({SPEC})"
        )
    if m.k is not None and m.k > MOST_RANKS and m.Z == "M":
        raise InputError(
            f"Adjusted: the cut-off is {m.k}; Z(M, 1) is summed over at most {MOST_RANKS} ranks, "
            f'each a list of its own ({SPEC}); Z="none" works without it'
        )
    least_label(inner)


def _tables(m: Measure, deepest: int) -> Tables:
    inner = inside_of(m)
    of_inner = inner.metric.tables(inner, deepest)
    if m.prior.weights is None:
        return of_inner
    return {**of_inner, "prior": (m.prior.weights, m.k if m.k and m.Z == "M" else deepest)}


@cache
def adjusted(by: Adjustment, of: Metric) -> Metric:
    """Return the adjusted metric of another one; there is one object of each."""
    if why := by.refusal(of):
        raise InputError(f"{by.name}: {of.name} {why} ({by.spec})")
    return AdjustedMetric(
        by=by,
        inside=of,
        name=f"{by.name}({of.name})",
        function=f"{by.name.lower()}_{of.function}",
        title=f"{of.title}, {by.title}",
        spec=by.spec,
        expected_spec=by.spec,
        plain=_over_expectation(of.plain),
        expected=_over_expectation(of.expected),
        parameters=parameters(*of.parameters.values(), *by.parameters.values()),
        pool=of.pool,
        cutoff="M",
        labels=of.labels,
        quotient=Quotient(
            of.name,
            lambda m, x, k, R: of.expected(inside_of(m), x, k, R),
            (Divisor(lambda _: "user's expectation", _expectation, "RS-LEN-12", by_rank=True),),
        ),
        breakdown=_breakdown(of),
        orders=Orders(unknown="has bounds that no order of the pool need reach (RS-BND-1)"),
        extremes=NO_EXTREMES,
        beyond=of.beyond,
        tables=_tables,
        check=_check,
    )


Adjusted = Adjustment(
    name="Adjusted",
    title="adjusted for the length of the list",
    spec=SPEC,
    parameters=parameters(_PRIOR, Z),
    formula="Adjusted(A) = A / (Z Σ w(i) E(i)), E(i): A of one relevant item, at rank i",
    such_as="rs.RBP(p=0.8)",
    example=">>> rs.Adjusted(rs.P(k=2)).of([1]) > rs.Adjusted(rs.P(k=2)).of([1, 0])\nTrue",
)
