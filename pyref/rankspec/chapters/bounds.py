"""Bounds of metrics, applied to measures and rankings: each is a metric made of a metric.

``BOUNDS`` is the one list of them. ``UL2(nDCG)`` is a metric with the parameters of nDCG and those
of UL2, so that whatever takes a measure takes ``UL2(nDCG@10)``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from ..errors import InputError, hint, shown
from ..measure import Measure, Metric, Ranking, Reading, Tables
from ..parameters import Parameters, choice, parameters
from ..reference import bounds, dcg, expectation
from ..reference.numerics import nearest_double_of
from ..reference.precision import relevance
from ..reference.reals import Exact, Number, Reals

LARGEST_K = 1_000_000  # of eq. 7, which sums the discounts of all k ranks

FORMULA = choice(
    "bounds",
    "way to bound a metric",
    {"exact": "what they are", "karmaker-2022": "by the paper's formulas (RS-BND-9, RS-BND-10)"},
    "RS-BND-1",
    "exact, or karmaker-2022: that paper's formulas, of DCG, nDCG, SP and AP",
)
LOWER = choice(
    "lower",
    "lower bound",
    {"random": "that of a random ranking", "worst": "that of the worst ranking"},
    {"random": "RS-BND-2", "worst": "RS-BND-3"},
    "the lower bound: random, or worst",
)


# ---- the rankings of a pool --------------------------------------------------------------


def _settled(labels: Sequence[Exact], pool: Sequence[Exact]) -> Ranking:
    return Ranking([[label] for label in labels], pool)


def _in_any_order(labels: Sequence[Exact], pool: Sequence[Exact]) -> Ranking:
    return Ranking([labels] if labels else [], pool)


def _a(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """A@k; where ties are left open, its expectation."""
    return (m.metric.root.expected if x.tied else m.metric.root.plain)(m, x, k, R)


def _iub(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if _by_formula(m):
        return _FORMULAS[m.metric.root.function][0](m, x, k, R)
    best = m.metric.root.best
    if best is not None:
        return best(m, x, k, R)
    return m.metric.root.plain(m, _settled(dcg.ideal(x.pool), x.pool), k, R)


def _rlb(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if _by_formula(m):
        return _FORMULAS[m.metric.root.function][1](m, x, k, R)
    return m.metric.root.expected(m, _in_any_order(x.pool, x.pool), k, R)


def _wlb(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return m.metric.root.plain(m, _settled(bounds.worst(x.pool), x.pool), k, R)


def _lower(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return (_wlb if m.lower == "worst" else _rlb)(m, x, k, R)


def _expected(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return m.metric.root.expected(m, _in_any_order(x.labels, x.pool), k, R)


def _variance(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    metric = m.metric.root
    of_pool = _in_any_order(x.pool, x.pool)
    found = metric.variance(m, of_pool, k, R)  # type: ignore[misc]
    for divisor in metric.quotient.divisors if metric.quotient else ():
        by = divisor.reading(m, of_pool, k, R)
        found = found / (by * by) if by else 0
    return found


# ---- the formulas of karmaker-2022 -------------------------------------------------------


def _by_formula(m: Measure) -> bool:
    return "bounds" in m.metric.parameters and m.bounds == "karmaker-2022"


def _over_divisors(total: Reading) -> Reading:
    """A total over what its metric divides by."""

    def reading(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
        found = total(m, x, k, R)
        quotient = m.metric.root.quotient
        for divisor in quotient.divisors if quotient else ():
            by = divisor.reading(m, x, k, R)
            found = found / by if by else R.exact(0)
        return found

    return reading


def _idcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.idcg(x.pool, k, m.gain.of(R), m.discount.of(R))


def _dcg_of_eq7(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return bounds.expected_dcg_of_eq7(x.pool, k, m.gain.of(R), m.discount.of(R))


def _sp_of_karmaker(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    N_p = sum(relevance(x.pool, m.rel))
    return bounds.expected_sp_of_karmaker(N_p, len(x.pool) - N_p, k, R)


_LARGEST_SP: Reading = lambda m, x, k, R: R.exact(k)  # noqa: E731 - as the equations are

# (IUB, RLB) by the function of the metric.
_FORMULAS: dict[str, tuple[Reading, Reading]] = {
    "dcg": (_idcg, _dcg_of_eq7),
    "ndcg": (_over_divisors(_idcg), _over_divisors(_dcg_of_eq7)),
    "sp": (_LARGEST_SP, _sp_of_karmaker),
    "ap": (_over_divisors(_LARGEST_SP), _over_divisors(_sp_of_karmaker)),
}


def _check_formula(m: Measure) -> None:
    metric = m.metric.root
    if metric.function not in _FORMULAS:
        raise InputError(f'bounds: "karmaker-2022" has no formula for {metric.name} (RS-BND-9)')
    if m.k is not None and m.k > LARGEST_K and "discount" in metric.parameters:
        raise InputError(
            f"k: the cut-off is {m.k}; eq. 7 is summed up to {LARGEST_K} ranks (RS-BND-9)"
        )


# ---- what is made of them ----------------------------------------------------------------


def _u(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return bounds.upper(_a(m, x, k, R), _iub(m, x, k, R))


def _ul1(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return bounds.ul1(_a(m, x, k, R), _iub(m, x, k, R), _rlb(m, x, k, R))


def _ul2(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return bounds.ul2(_a(m, x, k, R), _iub(m, x, k, R), _rlb(m, x, k, R), R)


def _min_max(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return bounds.min_max(_a(m, x, k, R), _iub(m, x, k, R), _lower(m, x, k, R))


def _ratio(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return bounds.ratio(_a(m, x, k, R), _rlb(m, x, k, R))


def _z_value(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return expectation.z_value(_a(m, x, k, R), _rlb(m, x, k, R), _variance(m, x, k, R), R)


def _between_bounds(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return _iub(m, x, k, R) - _rlb(m, x, k, R)


def _between_chosen_bounds(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return _iub(m, x, k, R) - _lower(m, x, k, R)


def _needs_order(metric: Metric) -> str | None:
    """Why a metric has no bounds; None where it has."""
    if metric.of_pool:
        return "is of a pool, not of a ranking"
    if metric.sees_unjudged:
        return "is no value of a ranking of labels"
    return None


def _needs_variance(metric: Metric) -> str | None:
    if metric.variance is None:
        return "has no known variance in closed form"
    return _needs_order(metric)


Part: TypeAlias = tuple[str, Reading, str]
"""What a bound is made of: its name, its equation, its spec ID."""

A: Part = ("A", _a, "RS-BND-1")
IDEAL: Part = ("IUB", _iub, "RS-BND-1")
RANDOM: Part = ("RLB", _rlb, "RS-BND-2")
WORST: Part = ("WLB", _wlb, "RS-BND-3")
SPREAD: Part = ("variance", _variance, "RS-EXP-19")


def _lower_part(m: Measure) -> Part:
    return WORST if m.lower == "worst" else RANDOM


@dataclass(frozen=True, eq=False, repr=False)
class Bound:
    """What takes a measure and makes a measure: ``UL2(DCG(k=10))``.

    name: as it is written; title: in words; spec: its ID
    equation: its equation
    parameters: those that it has beside the metric's
    of_pool: whether it is of the pool alone
    parts: the numbers that the equation takes, of a measure
    divisor: what it divides by; None: nothing that can be 0
    refusal: why it is not to be had of a metric; None where it is
    """

    name: str
    title: str
    spec: str
    equation: Reading
    parameters: Parameters = field(default_factory=parameters)
    of_pool: bool = False
    parts: Callable[[Measure], Sequence[Part]] = lambda _: ()
    divisor: Reading | None = None
    refusal: Callable[[Metric], str | None] = _needs_order

    def __call__(self, measure: Measure, **given: Any) -> Measure:
        """The bound of a measure."""
        if not isinstance(measure, Measure):
            raise InputError(f"{self.name}: {shown(measure)} is no measure, such as rs.DCG(k=10)")
        metric = _metric(self, measure.metric)
        for name in given:
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                raise InputError(
                    f"{self.name} has no parameter {name!r}{hint(name, self.parameters)}; of its "
                    f"own it has {known}"
                )
        own = tuple(
            p.read(given[name]) if name in given else p.default
            for name, p in self.parameters.items()
        )
        made = Measure(metric, measure.k, measure.choices + own)
        metric.check(made)
        return made

    def __repr__(self) -> str:
        return f"<Bound {self.name}>"


@cache
def _metric(bound: Bound, of: Metric) -> Metric:
    """The metric that a bound of a metric is; there is one object of each."""
    if of.of is not None:
        raise InputError(f"{bound.name}: {of.name} is a bound itself, and has none")
    why = bound.refusal(of)
    if why:
        raise InputError(f"{bound.name}: {of.name} {why}, so it has none (RS-BND-1)")

    def check(m: Measure) -> None:
        of.check(m)
        if _by_formula(m):
            _check_formula(m)

    def tables(m: Measure, deepest: int) -> Tables:
        found = of.tables(m, deepest)
        if _by_formula(m) and m.k is not None and "discount" in found:
            return {**found, "discount": (m.discount, max(deepest, m.k))}
        return found

    def divides_by_0(m: Measure, pool: Sequence[Exact]) -> bool:
        if bound.divisor is None:
            return False
        x, k = _settled((), pool), m.depth(0, len(pool))
        divisor = bound.divisor
        return nearest_double_of(lambda R: divisor(m, x, k, R)) == 0

    return Metric(
        name=f"{bound.name}({of.name})",
        bound=bound.name,
        of=of,
        function=f"{bound.name.lower()}_{of.function}",
        title=f"{bound.title}, of {of.title}",
        spec=bound.spec,
        expected_spec=bound.spec,
        plain=bound.equation,
        expected=bound.equation,
        parameters=parameters(*of.parameters.values(), *bound.parameters.values()),
        pool=True,
        of_pool=bound.of_pool,
        cutoff=of.cutoff,
        divides_by_0=divides_by_0,
        ideal_uncut=of.ideal_uncut,
        tables=tables,
        check=check,
        relevance=of.relevance,
        has_extreme=lambda m, upwards: False,
        refusal=of.refusal,
    )


BOUNDS = (
    Bound(
        name="IUB",
        title="ideal upper bound",
        spec="RS-BND-1",
        equation=_iub,
        parameters=parameters(FORMULA),
        of_pool=True,
    ),
    Bound(
        name="RLB",
        title="randomised lower bound",
        spec="RS-BND-2",
        equation=_rlb,
        parameters=parameters(FORMULA),
        of_pool=True,
    ),
    Bound(
        name="WLB",
        title="lower bound of the worst ranking",
        spec="RS-BND-3",
        equation=_wlb,
        of_pool=True,
    ),
    Bound(
        name="U",
        title="upper bound normalisation",
        spec="RS-BND-4",
        equation=_u,
        parameters=parameters(FORMULA),
        parts=lambda m: (A, IDEAL),
        divisor=_iub,
    ),
    Bound(
        name="UL1",
        title="upper & lower bound normalisation, version 1",
        spec="RS-BND-5",
        equation=_ul1,
        parameters=parameters(FORMULA),
        parts=lambda m: (A, IDEAL, RANDOM),
        divisor=_iub,
    ),
    Bound(
        name="UL2",
        title="upper & lower bound normalisation, version 2",
        spec="RS-BND-6",
        equation=_ul2,
        parameters=parameters(FORMULA),
        parts=lambda m: (A, IDEAL, RANDOM),
        divisor=_between_bounds,
    ),
    Bound(
        name="MinMax",
        title="min-max normalisation",
        spec="RS-BND-7",
        equation=_min_max,
        parameters=parameters(LOWER, FORMULA),
        parts=lambda m: (A, IDEAL, _lower_part(m)),
        divisor=_between_chosen_bounds,
    ),
    Bound(
        name="Ratio",
        title="ratio to a random ranking",
        spec="RS-BND-8",
        equation=_ratio,
        parameters=parameters(FORMULA),
        parts=lambda m: (A, RANDOM),
        divisor=_rlb,
    ),
    Bound(
        name="expected",
        title="expectation in a random order of the list",
        spec="RS-EXP-1",
        equation=_expected,
    ),
    Bound(
        name="variance",
        title="variance in a random ranking",
        spec="RS-EXP-19",
        equation=_variance,
        of_pool=True,
        refusal=_needs_variance,
    ),
    Bound(
        name="z_value",
        title="standard deviations above a random ranking",
        spec="RS-EXP-23",
        equation=_z_value,
        parts=lambda m: (A, RANDOM, SPREAD),
        divisor=_variance,
        refusal=_needs_variance,
    ),
)


def bound_named(name: str) -> Bound:
    """The bound of that name."""
    for bound in BOUNDS:
        if name == bound.name:
            return bound
    names = [bound.name for bound in BOUNDS]
    raise InputError(f'"{name}" is no bound{hint(name, names)}; there are {", ".join(names)}')
