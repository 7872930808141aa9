"""``Phi(ERR(stop='label'))``: a measure of the relevance φ of scores, in the place of labels.

DCG_phi and nDCG_phi are that of DCG and nDCG with the gain 2^φ - 1, and have kernels in the C core.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from typing import Any

from ..errors import InputError
from ..records import field, record, replace
from ..reference import precision, relevance
from ..reference.numbers.reals import Exact, Number, Reals
from . import helptext
from .breakdown import Breakdown, Column
from .diversity import DiversityMetric
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
    Labels,
    Measure,
    Metric,
    Quotient,
    Ranking,
    Reading,
    as_written,
    chosen,
    help_of_metric,
)
from .parameters import Parameter, parameters
from .relevance import BREAKDOWN, PHI, POINTS, QUARTILES, VARIANT, relevance_of

SPEC = "RS-REL-16"
OF_GRADES = {"stop": "label", "max_rel": 1}
"""The values of parameters for labels from 0 to 1, in the place of their defaults."""


@record(eq=False, repr=False)
class OfRelevance(NamedMaker):
    """The maker of measures of scores: ``Phi(A)``."""

    __doc__ = helptext.told(help_of_maker, __doc__ or "Of relevance.")

    def __call__(self, measure: Measure, **parameters: Any) -> Measure:
        """Return the measure of the relevance that follows from scores.

        ERR and others that stop do so with the probability φ, and a scale of labels ends at 1,
        where nothing else is said.
        """
        if isinstance(measure, Measure):
            measure = _of_grades(measure)
        made = made_by(self, partial(of_relevance, self), measure, parameters, self.such_as)
        made.metric.check(made)
        return made

    def refusal(self, metric: Metric) -> str | None:
        """Return why a metric has no relevance in the place of labels; None where it has."""
        of_others = metric.of_sessions or isinstance(metric, DiversityMetric)
        reasons = {
            "is made of a measure; Phi stands within bounds and averages, as in UL2(Phi(AP)), and "
            "is not defined of Adjusted(A)": isinstance(metric, MadeMetric),
            "is not of rankings with one label per item": of_others,
            "takes scores already": metric.relevance is not None,
            "asks what nobody judged": metric.sees_unjudged or metric.in_pairs,
            "has thresholds at the labels 1, 2, ...; AP has them at every relevance": (
                "q" in metric.parameters
            ),
        }
        return next((why for why, applies in reasons.items() if applies), None)


def _of_grades(m: Measure) -> Measure:
    """Return a measure with the parameters that labels from 0 to 1 ask for, where it says none."""
    given = {name: getattr(m, name) for name in m.explicit} | chosen(m)
    of_grades = {
        name: x
        for name, x in OF_GRADES.items()
        if name in m.metric.parameters and name not in given and "max" not in given
    }
    return m.metric(m.k, **given, **of_grades) if of_grades else m


@record(eq=False, repr=False)
class OfRelevanceMetric(OwnMetric):
    """A metric that is another one, of the relevance of scores.

    by: what makes it; inside: the metric of labels
    """

    by: OfRelevance = field(kw_only=True)

    def always_written(self, m: Measure) -> Sequence[str]:
        """Return what stands at the default for labels, where Phi(A) has another default."""
        of = self.inside.parameters
        return [name for name in OF_GRADES if name in of and getattr(m, name) == of[name].default]

    __doc__ = helptext.told(help_of_metric, __doc__ or "A metric.")

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return of_relevance, (self.by, self.inside)  # a copy is the same object

    def divides_by_0(self, m: Measure, pool: Sequence[Exact]) -> bool:
        return self.inside.divides_by_0(inside_of(m), _relevances(m, pool, pool))

    def is_undefined(self, m: Measure, n: int, pool: Sequence[Exact]) -> bool:
        return self.inside.is_undefined(inside_of(m), n, _relevances(m, pool, pool))

    def is_undefined_for(self, m: Measure, x: Ranking) -> bool:
        return self.inside.is_undefined_for(inside_of(m), _relevant(m, x))


def _relevances(m: Measure, scores: Sequence[Exact], pool: Sequence[Exact]) -> list[Any]:
    phi = relevance_of(m, pool)
    return [phi(s) for s in scores]


def _relevant(m: Measure, x: Ranking) -> Ranking:
    """Return a ranking of relevances in the place of one of scores."""
    groups = [_relevances(m, group, x.pool) for group in x.groups]
    return Ranking(groups, _relevances(m, x.pool, x.pool))


def _reading(of: Reading, graded: Reading | None = None) -> Reading:
    """Return a reading of scores; graded: what it is where no threshold divides relevances."""

    def reading(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
        total = graded if graded is not None and _is_graded(inside_of(m)) else of
        return total(inside_of(m), _relevant(m, x), k, R)

    return reading


# ---- AP and RBP, which have a threshold ------------------------------------------------------


def _is_graded(m: Measure) -> bool:
    """Return True if the least relevant label is left at 1, as no threshold is meant then."""
    return bool(m.rel == 1)


def _by_thresholds(x: Ranking) -> tuple[Ranking, list[Fraction]]:
    """Return how many of all relevances each one reaches, and by how much they rise."""
    of_all = {Fraction(y) for group in (*x.groups, x.pool) for y in group}
    levels = sorted(y for y in of_all if y > 0)
    rises = [b - a for a, b in pairwise([Fraction(0), *levels])]

    def reached(group: Sequence[Exact]) -> list[int]:
        return [bisect_right(levels, Fraction(y)) for y in group]

    return Ranking([reached(group) for group in x.groups], reached(x.pool)), rises


def _graded_ap(_: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """AP of a threshold that is uniform on [0, 1]: GAP of the levels that there are (RS-REL-15)."""
    if not x.tied:
        return R.exact(relevance.graded_ap(x.labels, x.pool, k))
    of_levels, q = _by_thresholds(x)
    return precision.expected_gap(of_levels.groups, of_levels.pool, k, q, R)


def _graded_rbp(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """RBP of graded relevance (RS-REL-14); of tied items the mean relevance counts."""
    means: list[Fraction] = []
    for group in filter(len, x.groups):
        means += [sum((Fraction(y) for y in group), Fraction(0)) / len(group)] * len(group)
    return R.exact(relevance.graded_rbp(means, k, m.p))


GRADED: dict[str, Reading] = {"AP": _graded_ap, "RBP": _graded_rbp}
GRADED_MEANINGS = {
    "AP": {
        "rel": "none: each item counts by its relevance (RS-REL-15)",
        "norm": "R: the sum of the relevances of the pool (RS-REL-15)",
    },
    "RBP": {"rel": "none: each item counts by its relevance (RS-REL-14)"},
}


def _parameters(of: Metric) -> Iterator[Parameter]:
    """Return the parameters of a metric, which mean other things where it has no threshold."""
    graded = GRADED_MEANINGS.get(of.name, {})
    for p in of.parameters.values():
        if p.name in graded:

            def meaning(m: Measure, p: Parameter = p) -> str:
                return graded[p.name] if _is_graded(m) else p.meaning(getattr(m, p.name))

            yield replace(p, meaning_in=meaning)
        else:
            yield p


def _check(m: Measure) -> None:
    inner = inside_of(m)
    inner.metric.check(inner)
    graded = inner.metric.name in GRADED and _is_graded(inner)
    says_1 = graded and "rel" in inner.explicit
    if inner.metric.binary and (says_1 or not graded) and not 0 < inner.rel < 1:
        without = "; without rel, each item counts by its relevance" if says_1 else ""
        raise InputError(
            f'measure "{as_written(inner)}": relevance is from 0 to 1; say from where on an item '
            f"is relevant, as in {inner.metric.name}(rel=0.5){without} ({SPEC})"
        )
    if inner.metric.name == "AP" and _is_graded(inner) and inner.norm != "R":
        raise InputError(
            f'measure "{inner}": without a threshold, as in rel=0.5, AP of relevances is divided '
            f'by their sum; it has no norm="{inner.norm}" (RS-REL-15)'
        )
    for y in (0, Fraction(1, 3), 1):
        if why := inner.metric.refusal(inner, y):
            raise InputError(
                f'measure "{as_written(inner)}": it does not take relevances from 0 to 1: {why} '
                f"({SPEC})"
            )


@cache
def of_relevance(by: OfRelevance, of: Metric) -> Metric:
    """Return the metric of scores of a metric of labels; there is one object of each."""
    if why := by.refusal(of):
        raise InputError(f"{by.name}: {of.name} {why} ({by.spec})")
    graded = GRADED.get(of.name)
    best, variance = of.orders.best, of.orders.variance
    orders = replace(
        of.orders,
        best=None if best is None else _reading(best, graded),
        variance=None if variance is None or graded else _reading(variance),
        by_paper=None,
    )
    return OfRelevanceMetric(
        by=by,
        inside=of,
        name=f"{by.name}({of.name})",
        function=f"{by.name.lower()}_{of.function}",
        title=f"{of.title}, {by.title}",
        spec=by.spec,
        expected_spec=by.spec,
        plain=_reading(of.plain, graded),
        expected=_reading(of.expected, graded),
        parameters=parameters(*_parameters(of), *by.parameters.values()),
        pool=True,
        of_pool=of.of_pool,
        cutoff=of.cutoff,
        labels=Labels(relevance=relevance_of),
        quotient=None if graded else _quotient(of.quotient),
        breakdown=_breakdown(of),
        orders=orders,
        extremes=NO_EXTREMES,
        beyond=lambda m: of.beyond(inside_of(m)),
        tables=lambda m, deepest: of.tables(inside_of(m), deepest),
        check=_check,
        average=of.average,
        whole_numbers=of.whole_numbers,
        more_is_better=of.more_is_better,
    )


def _quotient(of: Quotient | None) -> Quotient | None:
    """Return the quotient that a metric of scores is, of the same total and divisors."""
    if of is None:
        return None
    divisors = tuple(
        replace(
            d,
            name=lambda m, d=d: d.name(inside_of(m)),
            reading=_reading(d.reading),
            spec=lambda m, d=d: d.spec_in(inside_of(m)),
            sum_of_ideal=lambda m, d=d: d.sum_of_ideal(inside_of(m)),
        )
        for d in of.divisors
    )
    by_ideal = of.shown_by_ideal
    return Quotient(
        of.total_name,
        _reading(of.total),
        divisors,
        by_ideal and (lambda m, x, k: by_ideal(inside_of(m), _relevant(m, x), k)),
        by_k=lambda m: of.by_k(inside_of(m)),
        by_list=lambda m: of.by_list(inside_of(m)),
        ideal_uncut=lambda m: of.ideal_uncut(inside_of(m)),
    )


# ---- rank by rank ------------------------------------------------------------------------


def _breakdown(of: Metric) -> Breakdown:
    """Return how a value is made up: with φ, and of AP and RBP by the values at each rank."""
    inner = of.breakdown
    own: tuple[Column, ...] = ()
    if of.name not in GRADED:
        own = columns_of_inside(
            inner.columns, lambda ranks: _relevant(ranks.measure, ranks.ranking)
        )
    return Breakdown(
        columns=(PHI, *own),
        places=lambda m, x, k: inner.places(inside_of(m), _relevant(m, x), k),
        rest=inner.rest,
        unjudged=BREAKDOWN.unjudged,
        tied="" if of.name in GRADED else inner.tied,
        by_cutoff=inner.by_cutoff or of.name in GRADED,
        adds=lambda m, group: any(x is not None for x in group),
        whole=inner.whole,
    )


Phi = OfRelevance(
    name="Phi",
    title="of the relevance of scores",
    spec=SPEC,
    parameters=parameters(VARIANT, QUARTILES, POINTS),
    formula="Phi(A)(r, S) = A(φ(r), φ(S)), φ: the relevance that follows from the scores S",
    such_as="rs.AP()",
    values="The values, of scores:",
    example=">>> rs.Phi(rs.AP(), points=[(0, 0), (100, 1)]).of([0, 100])\n0.5",
)
