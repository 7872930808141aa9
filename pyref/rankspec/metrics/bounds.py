"""Bounds of metrics, applied to measures and rankings: each is a metric made of a metric.

``BOUNDS`` is the one list of them. ``UL2(nDCG)`` is a metric with the parameters of nDCG and those
of UL2, so that whatever takes a measure takes ``UL2(nDCG@10)``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, ClassVar, TypeAlias

from ..compute.call import NOTHING, Argument, Call, Core, Word
from ..errors import InputError, NoValue, hint
from ..records import field, record, replace
from ..reference import bounds, dcg, ties
from ..reference.numbers.reals import Exact, Number, Reals
from ..reference.numerics import nearest_double_of
from . import helptext
from .axioms import Proofs, known
from .breakdown import VarianceForm
from .dcg import METRICS as OF_DCG
from .made import MadeMetric, made_by, signature_of
from .measure import (
    NO_EXTREMES,
    Measure,
    Metric,
    PaperBounds,
    Ranking,
    Reading,
    Tables,
    always,
    help_of_metric,
)
from .parameters import Parameters, choice, parameters

LARGEST_K = 1_000_000  # of eq. 7, which sums the discounts of all k ranks

FORMULA = choice(
    "bounds",
    "way to bound a metric",
    {
        "exact": "as they are defined",
        "karmaker-2022": "by that paper's formulas, RS-BND-9, RS-BND-10",
    },
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


def _in_any_order(labels: Sequence[Exact], pool: Sequence[Exact]) -> Ranking:
    return Ranking([labels] if labels else [], pool)


def _best(m: Measure, x: Ranking, k: int) -> Ranking:
    """The ideal order of the pool, or as much of it as makes the best list."""
    labels, orders = dcg.ideal(x.pool), m.metric.root.orders
    if orders.best is None:
        return Ranking.settled(labels, x.pool)

    def value_of_first(n: int) -> float:
        first = Ranking.settled(labels[:n], x.pool)
        return nearest_double_of(lambda R: m.metric.root.plain(m, first, k, R))

    return Ranking.settled(labels[: max(orders.ends(labels[:k]), key=value_of_first)], x.pool)


def _a(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """A@k; where ties are left open, its expectation."""
    return (m.metric.root.expected if x.tied else m.metric.root.plain)(m, x, k, R)


def _iub(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if by_formula(m):
        return _by_paper(m).upper(m, x, k, R)
    best = m.metric.root.orders.best
    if best is not None:
        return best(m, x, k, R)
    return m.metric.root.plain(m, Ranking.settled(dcg.ideal(x.pool), x.pool), k, R)


def _rlb(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if by_formula(m):
        return _by_paper(m).lower(m, x, k, R)
    return _mean_of_all_orders("RLB", "pool", m, _in_any_order(x.pool, x.pool), k, R)


def _wlb(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return m.metric.root.plain(m, Ranking.settled(bounds.worst(x.pool), x.pool), k, R)


def _lower(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return (_wlb if m.lower == "worst" else _rlb)(m, x, k, R)


def _expected(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return _mean_of_all_orders("expected", "list", m, _in_any_order(x.labels, x.pool), k, R)


def _mean_of_all_orders(name: str, of: str, m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """The expectation of A; name, of: its name, and what all the orders are of, for errors."""
    try:
        return m.metric.root.expected(m, x, k, R)
    except NoValue as error:
        if error.what == "ties":  # a rule for these would change nothing
            about = f"it is the mean over all orders of the {of}; {error.why}"
            raise NoValue(name, about) from None
        raise


def _variance(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    metric = m.metric.root
    of_pool = _in_any_order(x.pool, x.pool)
    found = metric.orders.variance(m, of_pool, k, R)  # type: ignore[misc]
    for divisor in metric.quotient.divisors if metric.quotient else ():
        by = divisor.reading(m, of_pool, k, R)
        found = found / (by * by) if by else 0
    return found


# ---- the formulas of karmaker-2022 -------------------------------------------------------


def by_formula(m: Measure) -> bool:
    """Whether a bound is by the formulas of karmaker-2022."""
    return "bounds" in m.metric.parameters and m.bounds == "karmaker-2022"


def _by_paper(m: Measure) -> PaperBounds:
    return m.metric.root.orders.by_paper  # type: ignore[return-value]


def _check_formula(m: Measure) -> None:
    metric = m.metric.root
    if metric.orders.by_paper is None:
        raise InputError(f'bounds: "karmaker-2022" has no formula for {metric.name} (RS-BND-9)')
    if m.k is not None and m.k > LARGEST_K and "discount" in metric.parameters:
        raise InputError(
            f"k: the cut-off is {m.k}; eq. 7 is summed over at most {LARGEST_K} ranks (RS-BND-9)"
        )


# ---- what is made of them ----------------------------------------------------------------


def _is_random(m: Measure, x: Ranking) -> bool:
    """True if A and RLB are the same mean, though no enclosure of an irrational number shows it."""
    return not by_formula(m) and bounds.is_random(x.groups, x.pool)


def _u(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return bounds.upper(_a(m, x, k, R), _iub(m, x, k, R))


def _ul1(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return bounds.ul1(_a(m, x, k, R), _iub(m, x, k, R), _rlb(m, x, k, R))


def _ul2(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if _is_random(m, x):
        return R.exact(0)
    return bounds.ul2(_a(m, x, k, R), _iub(m, x, k, R), _rlb(m, x, k, R), R)


def _has_one_order(m: Measure, x: Ranking) -> bool:
    """Whether all orders of the pool are the same, and so the bounds, though no enclosure of an
    irrational number shows that it equals another.
    """
    return not by_formula(m) and m.metric.root.orders.best is None and len(set(x.pool)) <= 1


def _min_max(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if _has_one_order(m, x) or (m.lower == "random" and _is_random(m, x)):
        return R.exact(0)
    return bounds.min_max(_a(m, x, k, R), _iub(m, x, k, R), _lower(m, x, k, R))


def _ratio(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if _is_random(m, x):
        return R.exact(1 if _rlb(m, x, k, R) else 0)
    return bounds.ratio(_a(m, x, k, R), _rlb(m, x, k, R))


def _z_value(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if _is_random(m, x):
        return R.exact(0)
    return ties.z_value(_a(m, x, k, R), _rlb(m, x, k, R), _variance(m, x, k, R), R)


def _between_bounds(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if _has_one_order(m, x):
        return R.exact(0)
    return _iub(m, x, k, R) - _rlb(m, x, k, R)


def _between_chosen_bounds(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if _has_one_order(m, x):
        return R.exact(0)
    return _iub(m, x, k, R) - _lower(m, x, k, R)


def _needs_ranking(metric: Metric) -> str | None:
    """Return why a metric has no mean over all orders of a list; None where it has."""
    if metric.no_order:
        return metric.no_order
    if metric.of_pool:
        return "is of a pool, not of a ranking (RS-BND-1)"
    if metric.average.name != "mean":
        return f"is averaged by its {metric.average.name}, and bounds by their mean (RS-CONV-53)"
    return None


def _needs_order(metric: Metric) -> str | None:
    """Return why a metric has no bounds; None where it has."""
    if metric.orders.unknown:
        return metric.orders.unknown
    if metric.sees_unjudged:
        return "asks what nobody judged, of which an order of the pool has nothing (RS-BND-1)"
    if why := _needs_ranking(metric):
        return why
    is_count = metric.average is not metric.root.average
    return "is a count, of which no bounds are known (RS-CONV-53)" if is_count else None


def _needs_pool(metric: Metric) -> str | None:
    """Why no order of a pool bounds a metric; None where one does."""
    if metric.quotient is not None and metric.quotient.by_list is always:
        return "divides by what the list shows, so that no order of the pool bounds it (RS-BND-1)"
    return _needs_order(metric)


def _needs_worst(metric: Metric) -> str | None:
    """Return why no order is known as the worst of a pool; None where one is."""
    return _needs_pool(metric) or metric.orders.no_worst or None


def _needs_variance(metric: Metric) -> str | None:
    if metric.orders.variance is None:
        return metric.no_order or "has no known variance in closed form (RS-EXP-19)"
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


# ---- how the C core takes them -------------------------------------------------------------

_WORST_IN_CORE = Word(lambda m: m.lower, {"random": 0, "worst": 1})


def _core(bound: Bound, of: Metric) -> Core:
    """What the C core has of a bound of a metric: not what is by a paper's formula."""
    call = of.core.bounds
    if call is None or not bound.core or (bound.of_variance and not of.core.variances):
        return NOTHING
    which, worst = bound.core
    fields = {**call.fields, "bound": which, "worst": worst}
    return Core(Call(call.metric, fields, lambda m: call.when(m) and not by_formula(m)))


# ---- the rankings whose values the bounds are ----------------------------------------------

Shown: TypeAlias = "Callable[[Measure, Ranking, int], Ranking | None]"
"""A ranking that a value is that of, of (measure, ranking, cut-off); None: of none."""


def ideal_ranking(m: Measure, x: Ranking, k: int) -> Ranking | None:
    """The ranking that IUB is the value of."""
    by_order = not by_formula(m) or _by_paper(m).of_an_order
    return _best(m, x, k) if by_order else None


def _help(bound: Bound) -> str:
    """What help() says of a bound."""
    nDCG = next(metric for metric in OF_DCG if metric.name == "nDCG")
    example, (given, ranking) = bound(nDCG(k=3)), nDCG.example()
    k = example.depth_of(ranking)
    found = nearest_double_of(lambda R: bound.equation(example, ranking, k, R))
    pool = helptext.OF_POOL if bound.of_pool else ""
    return helptext.page(
        f"{bound.name}{signature_of(bound)}",
        f"{bound.title} ({bound.spec}). Of a measure A it makes another one.{pool}",
        bound.formula or helptext.equation(bound.spec),
        [("measure", "A, such as rs.nDCG(k=10)"), *helptext.helps(bound.parameters)],
        "The values:",
        f">>> {example!r}.of({given})\n{found!r}",
    )


@record(eq=False, repr=False)
class Bound:
    """What takes a measure and makes a measure: ``UL2(DCG(k=10))``.

    name: as it is written; title: in words; spec: its ID
    equation: its equation
    parameters: those that it has beside the metric's
    of_pool: whether it is of the pool alone; of_list: whether it is of the list's orders alone
    parts: the numbers that the equation takes, of a measure
    written: the equation in the names of the parts; (measure, whether the value is below 0)
    by: the names of what it divides by, a part, or one less another
    divisor: what it divides by; None: nothing that can be 0
    shown: the ranking whose value it is, for those that are the value of one
    refusal: why it is not to be had of a metric; None where it is
    formula: its equation in a line, where no function of the reference bears its ID
    of_variance: whether it takes the variance of a metric
    core: its arguments in the C core: which bound, and whether its lower one is that of the worst
        ranking; none: it is not there
    any_order: whether it is of no order more than of another
    best_last: whether its ranking has the best items last
    case: when the equation as written holds, where there are two; (whether the value is below 0)
    closed_form: the closed form that it is, of a metric
    no_quotient: where it is no quotient of an ideal, and so not 1 where it is undefined, what it is
    axioms: what is proven of the axioms of RS-AXM, of any metric
    """

    name: str
    title: str
    spec: str
    equation: Reading
    parameters: Parameters = field(default_factory=parameters)
    of_pool: bool = False
    of_list: bool = False
    parts: Callable[[Measure], Sequence[Part]] = lambda _: ()
    written: Callable[[Measure, bool], str] = lambda *_: ""
    by: Callable[[Measure], Sequence[str]] = lambda _: ()
    divisor: Reading | None = None
    shown: Shown = lambda m, x, k: x
    refusal: Callable[[Metric], str | None] = _needs_pool
    formula: str = ""
    of_variance: bool = False
    core: tuple[Argument, ...] = ()
    any_order: bool = False
    best_last: bool = False
    case: Callable[[bool], str] = lambda _: ""
    closed_form: Callable[[Metric], VarianceForm | None] = lambda _: None
    no_quotient: str = ""
    axioms: Proofs = field(default_factory=dict)

    __doc__ = helptext.told(_help, __doc__ or "A bound.")  # -OO has none
    __signature__ = helptext.told(signature_of)

    def __call__(self, measure: Measure, **given: Any) -> Measure:
        """The bound of a measure."""
        made = made_by(self, partial(metric_of, self), measure, given, "rs.DCG(k=10)")
        made.metric.check(made)
        return made

    def __repr__(self) -> str:
        return f"<Bound {self.name}>"

    def __reduce__(self) -> tuple[Callable[[str], Bound], tuple[str]]:
        return bound_named, (self.name,)  # a copy is the same object


@record(eq=False, repr=False)
class BoundMetric(MadeMetric):
    """A metric that is a bound of another one.

    by: the bound; inside: what it is a bound of
    """

    by: Bound = field(kw_only=True)

    whose_ties: ClassVar[str] = "A is "  # what the others are made of has no ties

    __doc__ = helptext.told(help_of_metric, __doc__ or "A metric.")

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return metric_of, (self.by, self.inside)  # a copy is the same object

    @property
    def bound(self) -> str:
        return self.by.name

    def divides_by_0(self, m: Measure, pool: Sequence[Exact]) -> bool:
        divisor = self.by.divisor
        if divisor is None:
            return super().divides_by_0(m, pool)
        x, k = Ranking.settled((), pool), m.depth(0, len(pool))
        return nearest_double_of(lambda R: divisor(m, x, k, R)) == 0

    def is_undefined(self, m: Measure, n: int, pool: Sequence[Exact]) -> bool:
        if m.k is None and self.divisor_is_k(m):  # of P, the number of results is the cut-off
            m = replace(m, k=m.depth(n, len(pool)))
        return self.divides_by_0(m, pool)

    def is_undefined_for(self, m: Measure, x: Ranking) -> bool:
        return self.inside.is_undefined_for(m, _in_any_order(x.labels, x.pool))

    def needs_relevant(self, m: Measure) -> bool:
        return self.judged and self.divides_by_0(m, [0])

    @property
    def no_quotient(self) -> str:
        return self.by.no_quotient

    def divisor_is_k(self, m: Measure) -> bool:
        return self.inside.divisor_is_k(m)

    def ideal_uncut(self, m: Measure) -> bool:
        return self.inside.ideal_uncut(m)

    def made_of(self, m: Measure) -> dict[str, str]:
        found = super().made_of(m)
        of_pool = ", ".join(f"{name} ({spec})" for name, _, spec in parts_of(m) if name != "A")
        return found | ({"of the pool": of_pool} if of_pool else {})

    def whole(self, n: int, pool: int) -> int:
        return n or pool  # bounds of none: RS-BND-1(a)


@cache
def metric_of(bound: Bound, of: Metric) -> Metric:
    """The metric that a bound of a metric is; there is one object of each."""
    if isinstance(of, BoundMetric):
        raise InputError(
            f"{bound.name}: {of.name} is itself a bound; expected a measure (RS-BND-1)"
        )
    why = bound.refusal(of)
    if why:
        raise InputError(f"{bound.name}: {of.name} {why}")

    def check(m: Measure) -> None:
        of.check(m)
        if not bound.of_list and of.divides_by_list(m):
            raise InputError(
                f"{bound.name}: the divisor of {m.inner} depends on the list shown, so no order "
                "of the pool bounds it (RS-BND-1)"
            )
        if "lower" in bound.parameters and m.lower == "worst" and of.orders.no_worst:
            raise InputError(f"lower: {of.name} {of.orders.no_worst}")
        if by_formula(m):
            _check_formula(m)

    def tables(m: Measure, deepest: int) -> Tables:
        found = of.tables(m, deepest)
        if by_formula(m) and m.k is not None and "discount" in found:
            return {**found, "discount": (m.discount, max(deepest, m.k))}
        return found

    return BoundMetric(
        by=bound,
        inside=of,
        name=f"{bound.name}({of.name})",
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
        labels=of.labels,
        extremes=NO_EXTREMES,
        tables=tables,
        check=check,
        axioms=bound.axioms,
        core=_core(bound, of),
    )


BOUNDS = (
    Bound(
        name="IUB",
        title="ideal upper bound",
        spec="RS-BND-1",
        equation=_iub,
        parameters=parameters(FORMULA),
        of_pool=True,
        shown=ideal_ranking,
        formula="IUB = A of the ideal ranking of the pool    [karmaker-2022 section 4]",
        core=("RS_IUB", 0),
    ),
    Bound(
        name="RLB",
        title="randomised lower bound",
        spec="RS-BND-2",
        equation=_rlb,
        parameters=parameters(FORMULA),
        of_pool=True,
        shown=lambda m, x, k: None if by_formula(m) else _in_any_order(x.pool, x.pool),
        formula="RLB = the mean of A over all orders of the pool    [karmaker-2022 section 4]",
        core=("RS_RLB", 0),
        any_order=True,
    ),
    Bound(
        name="WLB",
        title="lower bound of the worst ranking",
        spec="RS-BND-3",
        equation=_wlb,
        of_pool=True,
        shown=lambda m, x, k: Ranking.settled(bounds.worst(x.pool), x.pool),
        formula="WLB = A of the worst ranking of the pool, best last",
        core=("RS_WLB", 1),
        best_last=True,
        refusal=_needs_worst,
    ),
    Bound(
        name="U",
        title="upper bound normalisation",
        spec="RS-BND-4",
        equation=_u,
        parameters=parameters(FORMULA),
        parts=lambda m: (A, IDEAL),
        written=lambda *_: "A / IUB",
        by=lambda _: ("IUB",),
        divisor=_iub,
        axioms=known("RS-BND-4/L1", "range", "boundedness", when=lambda m: not by_formula(m)),
        core=("RS_U", 0),
    ),
    Bound(
        name="UL1",
        title="upper & lower bound normalisation, version 1",
        spec="RS-BND-5",
        equation=_ul1,
        parameters=parameters(FORMULA),
        parts=lambda m: (A, IDEAL, RANDOM),
        written=lambda *_: "(A / IUB) * (A / (A + RLB))",
        by=lambda _: ("IUB",),
        divisor=_iub,
        axioms=known("RS-BND-5/L1", "range", "boundedness", when=lambda m: not by_formula(m)),
        core=("RS_UL1", 0),
    ),
    Bound(
        name="UL2",
        title="upper & lower bound normalisation, version 2",
        spec="RS-BND-6",
        equation=_ul2,
        parameters=parameters(FORMULA),
        parts=lambda m: (A, IDEAL, RANDOM),
        written=lambda _, below: f"(A - RLB) / {'RLB' if below else '(IUB - RLB)'}",
        by=lambda _: ("IUB", "RLB"),
        divisor=_between_bounds,
        axioms=known("RS-BND-6/L1", "signed-range", when=lambda m: not by_formula(m)),
        core=("RS_UL2", 0),
        case=lambda below: f"as A {'<' if below else '>='} RLB",
    ),
    Bound(
        name="MinMax",
        title="min-max normalisation",
        spec="RS-BND-7",
        equation=_min_max,
        parameters=parameters(LOWER, FORMULA),
        parts=lambda m: (A, IDEAL, _lower_part(m)),
        written=lambda m, _: "(A - {0}) / (IUB - {0})".format(_lower_part(m)[0]),
        by=lambda m: ("IUB", _lower_part(m)[0]),
        divisor=_between_chosen_bounds,
        core=("RS_MIN_MAX", _WORST_IN_CORE),
    ),
    Bound(
        name="Ratio",
        title="ratio to a random ranking",
        spec="RS-BND-8",
        equation=_ratio,
        parameters=parameters(FORMULA),
        parts=lambda m: (A, RANDOM),
        written=lambda *_: "A / RLB",
        by=lambda _: ("RLB",),
        divisor=_rlb,
        core=("RS_RATIO", 0),
    ),
    Bound(
        name="expected",
        title="expectation in a random order of the list",
        spec="RS-EXP-1",
        equation=_expected,
        of_list=True,
        shown=lambda m, x, k: _in_any_order(x.labels, x.pool),
        refusal=_needs_ranking,
        formula="E[A] = the mean of A over all orders of the list",
        core=("RS_EXPECTED_VALUE", 0),
        any_order=True,
    ),
    Bound(
        name="variance",
        title="variance in a random ranking",
        spec="RS-EXP-19",
        equation=_variance,
        of_pool=True,
        parts=lambda m: (RANDOM,),
        shown=lambda m, x, k: _in_any_order(x.pool, x.pool),
        refusal=_needs_variance,
        of_variance=True,
        core=("RS_VARIANCE", 0),
        any_order=True,
        closed_form=lambda metric: metric.breakdown.variance,
    ),
    Bound(
        name="z_value",
        title="standard deviations above a random ranking",
        spec="RS-EXP-23",
        equation=_z_value,
        parts=lambda m: (A, RANDOM, SPREAD),
        written=lambda *_: "(A - RLB) / sqrt(variance)",
        by=lambda _: ("variance",),
        divisor=_variance,
        refusal=_needs_variance,
        of_variance=True,
        core=("RS_Z_VALUE", 0),
        no_quotient="z_value is a number of standard deviations",
    ),
)


def bound_named(name: str) -> Bound:
    """The bound of that name."""
    for bound in BOUNDS:
        if name == bound.name:
            return bound
    names = [bound.name for bound in BOUNDS]
    raise InputError(
        f'unknown bound "{name}"{hint(name, names)}; expected one of {", ".join(names)}'
    )


def parts_of(measure: Measure) -> list[Part]:
    """What a measure is made of, where it is a bound and made of several numbers."""
    if not isinstance(measure.metric, BoundMetric):
        return []
    parts = measure.metric.by.parts(measure)
    return [(name, reading, _spec_of(measure, reading, spec)) for name, reading, spec in parts]


def bound_of(measure: Measure) -> Bound | None:
    """The bound that a measure is; None: it is none."""
    return measure.metric.by if isinstance(measure.metric, BoundMetric) else None


def part_alone(measure: Measure, part: Part) -> str:
    """The name of the measure that a part of a bound is; "" where it is A, or a paper's formula."""
    name, _, spec = part
    by_paper = by_formula(measure) and spec == _by_paper(measure).spec
    return "" if name == A[0] or by_paper else f"{name}({measure.inner})"


def spec_of(measure: Measure) -> str:
    """The ID of the equation of a bound: its own, or that of a paper's formula."""
    return _spec_of(measure, measure.metric.plain, measure.metric.spec)


def _spec_of(measure: Measure, equation: Reading, spec: str) -> str:
    """The ID of an equation, or that of the paper's formula that stands for it."""
    is_formula = by_formula(measure) and equation in (_iub, _rlb)
    return _by_paper(measure).spec if is_formula else spec


PAPER_NAMES = {  # RS-BND-11
    "DCG_V1^UL": "UL1(DCG(gain='exp2'))",
    "DCG_V2^UL": "UL2(DCG(gain='exp2'))",
    "SP_V1^UL": "UL1(SP)",
    "SP_V2^UL": "UL2(SP)",
    "MSP_V1^UL": "UL1(SP)",
    "MSP_V2^UL": "UL2(SP)",
    "RNDCG": "Ratio(nDCG)",
}
"""What papers call a measure, without the cut-off: karmaker-2022, and gienapp-2020 the last."""
