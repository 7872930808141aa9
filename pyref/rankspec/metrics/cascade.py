"""ERR, nERR, RBP and its residual, applied to measures and rankings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import accumulate

from ..compute.call import MOST_GRADES, Call, Core, Double, Fields, Gains, Powers
from ..compute.gain import Gain, Geometric, exact, text_of, whole
from ..errors import InputError, items_of, shown
from ..later import cascade, dcg, precision
from ..typed import TYPE_CHECKING, Any
from . import axioms
from .breakdown import (
    RELEVANT,
    Breakdown,
    Column,
    LinearVariance,
    Ranks,
    of_label,
    of_list,
    of_rank,
)
from .helptext import Doc
from .measure import (
    NO_EXTREMES,
    Divisor,
    Extremes,
    Labels,
    Measure,
    Metric,
    Orders,
    Quotient,
    Ranking,
    always,
)
from .parameters import INVERSE_IN_CORE, REL, REL_IN_CORE, Parameter, parameters

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact, Number, Reals

OF_LABEL = "label"  # the label itself is the probability to stop
LARGEST_MAX = 52  # up to which each of the stop probabilities is a double


def largest_label(given: Any) -> int:
    """The largest label of ERR: a whole number from 1 to 52."""
    number = whole(given)
    if number is None or not 1 <= number <= LARGEST_MAX:
        raise InputError(
            f"max: expected the largest label, an integer from 1 to {LARGEST_MAX}, got "
            f"{shown(given)}"
        )
    return number


def stop_probabilities(given: Any) -> tuple[Exact, ...] | str | None:
    """Stop probabilities of the caller's own, of the labels 0, 1, 2, ... (RS-CAS-1); or "label"."""
    if given is None:
        return None
    if text_of(given) == OF_LABEL:
        return OF_LABEL
    if isinstance(given, (str, bytes, Mapping, Set)) or not isinstance(given, Iterable):
        raise InputError(
            "stop: expected a list of the probabilities of the labels 0, 1, 2, ..., as [0, 0.3, "
            f'0.9], or "label" if labels are such probabilities, got {shown(given)}'
        )
    items = items_of(given, f"stop: cannot iterate over {shown(given)}")
    table = tuple(exact(x, f"stop: the probability of label {a}") for a, x in enumerate(items))
    if not table:
        raise InputError("stop: expected at least the probability of label 0")
    for a, x in enumerate(table):
        if not 0 <= x <= 1:
            raise InputError(f"stop: the probability of label {a} is {shown(x)}; expected 0 to 1")
        if a and x < table[a - 1]:
            raise InputError(
                f"stop: the probability of label {a} is {shown(x)}, below that of label {a - 1}, "
                f"{shown(table[a - 1])}; probabilities must not fall as labels rise"
            )
    return table


def persistence(given: Any) -> Exact:
    """The probability of RBP that a user goes on: above 0 and below 1."""
    p = exact(given, "p: the probability to go on")
    if not 0 < p < 1:
        raise InputError(
            f"p: the probability of going on is {shown(p)}; it must be above 0 and below 1"
        )
    return p


def _meaning_of_stop(x: Any) -> str:
    if x is None:
        return "made of max (RS-CAS-1)"
    if x == OF_LABEL:
        return "label: the label itself, from 0 to 1 (RS-CAS-1)"
    return f"{list(x)} (RS-CAS-1)"


def _meaning_of_max(x: int) -> str:
    return f"the largest label is {x} (RS-CAS-1)"


MAX = Parameter(
    "max",
    4,
    largest_label,
    _meaning_of_max,
    "the largest label: the user stops at label g with probability (2^g - 1) / 2^max",
    annotation="int",
    meaning_in=lambda m: (
        _meaning_of_max(m.max) if m.stop is None else "not used: stop is given (RS-CAS-1)"
    ),
)
STOP = Parameter(
    "stop",
    None,
    stop_probabilities,
    _meaning_of_stop,
    "instead of max: the probabilities of stopping at the labels 0, 1, 2, ...: [0, 0.3, 0.9]; or "
    '"label": the labels are these probabilities',
    annotation="Sequence[float] | str | None",
)
PERSISTENCE = Parameter(
    "p",
    0.8,
    persistence,
    lambda x: f"{x}: the probability that the user goes on (RS-CAS-5)",
    "the probability that the user goes on to the next rank",
    annotation="float",
)


def by_label(m: Measure) -> bool:
    """Whether the labels themselves are the probabilities to stop."""
    return isinstance(m.stop, str)


def stop_table(m: Measure) -> tuple[Exact, ...]:
    """The probabilities to stop at the labels 0, 1, 2, ..."""
    if m.stop is not None:
        return m.stop  # type: ignore[no-any-return]
    return tuple(cascade.stop_probability(g, m.max) for g in range(m.max + 1))


def stop(m: Measure, R: Reals) -> Callable[[Exact], Number]:
    """The probability to stop at a label, in the given reading of the reals."""
    if by_label(m):
        return R.exact
    table = [R.exact(x) for x in stop_table(m)]
    return lambda label: table[int(label)]


def exact_stop(m: Measure) -> Callable[[Exact], Exact]:
    """The probability to stop at a label, as an exact number."""
    if by_label(m):
        return lambda label: label
    table = stop_table(m)
    return lambda label: table[int(label)]


def refusal(m: Measure, label: Exact) -> str | None:
    """Why a label has no probability to stop; None where it has."""
    if by_label(m):
        name = m.metric.root.name
        return None if 0 <= label <= 1 else f'with stop="label", {name} takes labels from 0 to 1'
    largest = m.max if m.stop is None else len(m.stop) - 1
    if 0 <= label <= largest and label == int(label):
        return None
    given = f"max={m.max}" if m.stop is None else "these stop probabilities"
    return f"with {given}, {m.metric.root.name} takes the whole numbers from 0 to {largest}"


def _scale(m: Measure) -> tuple[str, int] | None:
    return ("max", m.max) if m.stop is None else None


def check_stop(m: Measure) -> None:
    """An InputError where max and stop are both given."""
    if m.stop is not None and m.max != MAX.default:
        raise InputError(
            "max: stop already gives the probabilities of all labels; give only one of the two"
        )


def _stops_nowhere(m: Measure, pool: Sequence[Exact]) -> bool:
    if by_label(m):
        return not any(pool)
    table = stop_table(m)
    return all(table[int(label)] == 0 for label in pool)


def expected_err(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """E[ERR@k], which is ERR@k where nothing is tied."""
    return cascade.expected_err(x.groups, k, exact_stop(m), R)


def _ierr(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return cascade.ierr(x.pool, k, stop(m, R))


def _name_of_normaliser(m: Measure) -> str:
    return "IERR" if m.k is None else f"IERR@{m.k}"


def _relevant(m: Measure, labels: Sequence[Exact]) -> list[int]:
    return precision.relevance(labels, m.rel)


def unjudged_flags(labels: Sequence[Exact | None]) -> list[int]:
    """1 for each item that nobody has judged, else 0."""
    return [int(label is None) for label in labels]


def expected_rbp(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """E[RBP@k], which is RBP@k where nothing is tied."""
    return cascade.expected_rbp([_relevant(m, group) for group in x.groups], k, m.p, R)


def variance_of_rbp(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """That of RBP@k in a random order of the list."""
    return dcg.variance_of_dcg(_relevant(m, x.labels), k, R.exact, _rbp_weight(m, R))


def _rbp_weight(m: Measure, R: Reals) -> Callable[[int], Number]:
    """(1 - p) p^(i-1)"""
    stops, goes_on = 1 - R.exact(m.p), Geometric(m.p).of(R)
    return lambda i: stops * goes_on(i)


STOPPING: Fields = {
    "gain": Gains(lambda m: Gain("table", stop_table(m)), most=MOST_GRADES),
    "discount": INVERSE_IN_CORE,
}
_ERR_IN_CORE = Call("RS_ERR", STOPPING, lambda m: not by_label(m))
_NERR_IN_CORE = Call("RS_NERR", STOPPING, lambda m: not by_label(m))
PERSISTENT: Fields = {
    "theta": REL_IN_CORE,
    "p": Double(lambda m: m.p),
    "discount": Powers(lambda m: m.p),
}
RESIDUAL: Fields = {"p": Double(lambda m: m.p), "discount": Powers(lambda m: m.p)}
# ---- rank by rank ------------------------------------------------------------------------


def _stop(ranks: Ranks, R: Reals) -> Callable[[Exact], Number]:
    return stop(ranks.measure, R)


def _reached(ranks: Ranks, R: Reals) -> list[Number]:
    """How probable it is that the user gets to each rank: not to have stopped before, which a rank
    adds over itself.
    """
    terms, n = ranks.terms(R), min(ranks.k, ranks.ranking.length)
    stops = (-i * terms[i] for i in range(1, n))
    return list(accumulate(stops, initial=R.exact(1)))[:n]


WEIGHT = Column("weight", "weight", of_rank(_rbp_weight))
OF_ERR = Breakdown(
    (Column("reached", "reach", of_list(_reached)), Column("stop", "stop", of_label(_stop))),
    tied="adds: the mean of reach * stop / # over the orders, not the product of the means",
)
OF_RBP = Breakdown(
    (RELEVANT, WEIGHT),
    variance=LinearVariance(
        "rel",
        lambda m, x, R: lambda label: R.exact(_relevant(m, [label])[0]),
        "weight",
        _rbp_weight,
    ),
)
OF_RESIDUAL = Breakdown(
    (
        Column("unjudged", "new", of_label(lambda _, R: lambda label: R.exact(int(label is None)))),
        WEIGHT,
    ),
    rest="below",
    unjudged="it might be relevant (RS-CAS-6)",
)

GRADES = Labels(refusal=refusal, scale=_scale)

METRICS = (
    Metric(
        name="ERR",
        function="err",
        title="expected reciprocal rank",
        doc=Doc(
            "ERR@k, the expected value of 1/rank of the rank where a user stops; at an item of "
            "label g the user stops with probability (2^g - 1)/2^max.",
            ">>> err([4, 0, 1])\n0.9388020833333334",
            arguments={
                "max": "the largest possible label",
                "stop": (
                    "instead of max, the probabilities of stopping at the labels 0, 1, 2, ...; "
                    'or "label": each label is such a probability'
                ),
            },
        ),
        spec="RS-CAS-2",
        expected_spec="RS-EXP-14",
        plain=lambda m, x, k, R: cascade.err(x.labels, k, stop(m, R)),
        expected=expected_err,
        parameters=parameters(MAX, STOP),
        pool=False,
        labels=GRADES,
        check=check_stop,
        core=Core(_ERR_IN_CORE, bounds=_ERR_IN_CORE),
        axioms=axioms.cascades(exact_stop),
        breakdown=OF_ERR,
    ),
    Metric(
        name="nERR",
        function="nerr",
        title="normalised expected reciprocal rank",
        doc=Doc(
            "nERR@k, ERR@k divided by the ERR@k of the ideal ranking of the pool, or 0 if that "
            "is 0.",
            ">>> nerr([4, 1, 0]) == 1 > nerr([1, 4, 0])\nTrue",
            like="err",
        ),
        spec="RS-CAS-4",
        expected_spec="RS-EXP-15",
        plain=lambda m, x, k, R: cascade.nerr(x.labels, x.pool, k, stop(m, R)),
        expected=lambda m, x, k, R: cascade.expected_nerr(x.groups, x.pool, k, exact_stop(m), R),
        parameters=parameters(MAX, STOP),
        pool=True,
        quotient=Quotient(
            "ERR",
            expected_err,
            (Divisor(_name_of_normaliser, _ierr, "RS-CAS-3", sum_of_ideal=always),),
            lambda m, x, k: min(k, len(x.pool)),
            by_0=_stops_nowhere,
        ),
        labels=GRADES,
        check=check_stop,
        extremes=NO_EXTREMES,
        core=Core(_NERR_IN_CORE, bounds=_NERR_IN_CORE),
        axioms=axioms.cascades(exact_stop, normalised_by_pool=True),
        breakdown=OF_ERR,
    ),
    Metric(
        name="RBP",
        function="rbp",
        title="rank-biased precision",
        doc=Doc(
            "RBP@k, rank-biased precision: the rate at which a user finds relevant items, if the "
            "user goes on from each rank to the next with probability p.",
            ">>> rbp([1, 0, 1], p=0.5)\n0.625",
        ),
        spec="RS-CAS-5",
        expected_spec="RS-EXP-16",
        plain=lambda m, x, k, R: cascade.rbp(_relevant(m, x.labels), k, m.p, R),
        expected=expected_rbp,
        parameters=parameters(PERSISTENCE, REL),
        pool=False,
        orders=Orders(variance=variance_of_rbp),
        core=Core(
            Call("RS_RBP", PERSISTENT),
            bounds=Call("RS_RBP", PERSISTENT),
            variances=True,
        ),
        axioms=axioms.sums_of_rbp(),
        breakdown=OF_RBP,
        extremes=Extremes(by_rank=lambda _: True),
    ),
    Metric(
        name="RBP_residual",
        function="rbp_residual",
        title="residual of rank-biased precision",
        doc=Doc(
            "The residual of RBP@k: what RBP would gain if all unjudged and all unseen items "
            "were relevant.",
            ">>> rbp_residual([1, 0, 0], unjudged=[0, 0, 1], p=0.5)\n0.25",
            arguments={
                "unjudged": (
                    "a flag for each label, 1 where nobody has judged the item; by default all are "
                    "judged"
                ),
            },
            like="rbp",
        ),
        more_is_better=False,
        spec="RS-CAS-6",
        expected_spec="RS-EXP-16",
        plain=lambda m, x, k, R: cascade.rbp_residual(unjudged_flags(x.labels), k, m.p, R),
        expected=lambda m, x, k, R: cascade.expected_rbp_residual(
            [unjudged_flags(group) for group in x.groups], k, m.p, R
        ),
        parameters=parameters(PERSISTENCE),
        pool=False,
        labels=Labels(unjudged=True),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_RBP_RESIDUAL", {**RESIDUAL, "norm": "RS_TAIL_ALWAYS"})),
        breakdown=OF_RESIDUAL,
    ),
)
