"""Graded RBP, its residual and scaled DCG, applied to measures and rankings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..compute.call import Call, Core, Double, Fields, Gains, Powers
from ..compute.computable import Tables
from ..compute.gain import Gain, Geometric, exact, text_of
from ..errors import InputError, shown
from ..reference import dcg, users
from ..reference.numbers.reals import Exact, Number, Reals
from .breakdown import DISCOUNT as DISCOUNT_COLUMN
from .breakdown import Breakdown, Column, LinearVariance, discount_factor, of_label, of_rank
from .cascade import OF_RESIDUAL, PERSISTENCE, unjudged_flags
from .dcg import LARGEST_PERFECT
from .helptext import Doc
from .measure import (
    NO_EXTREMES,
    Divisor,
    Labels,
    Measure,
    Metric,
    Orders,
    Quotient,
    Ranking,
)
from .names import Names
from .parameters import DISCOUNT, DISCOUNT_IN_CORE, Parameter, choice, parameters

OF_POOL = "pool"  # the highest label of the pool is that of the scale


def highest_label(given: Any) -> Exact | str:
    """The highest label of the scale: a number above 0; or "pool"."""
    if text_of(given) == OF_POOL:
        return OF_POOL
    found = exact(given, "max_rel: the highest label of the scale")
    if found <= 0:
        raise InputError(
            f"max_rel: {shown(given)}; the highest label of the scale is a number above 0, or "
            '"pool", the highest label of the pool'
        )
    return found


MAX_REL = Parameter(
    "max_rel",
    4,
    highest_label,
    lambda x: (
        "the highest label of the pool, 1 at least (RS-USR-1)"
        if x == OF_POOL
        else f"the highest label of the scale is {x} (RS-USR-1)"
    ),
    'the highest label of the scale, whose gain is 1; or "pool": the highest label of the pool',
    annotation="float | str",
)
TAIL = choice(
    "tail",
    "tail of the residual",
    {
        "always": "what lies below the list is open",
        "unjudged": "what lies below counts only where one of the first k is unjudged",
    },
    "RS-USR-3",
    "whether what lies below the list is open always, or only where one of the first k is unjudged",
)


def scale_of(m: Measure, x: Ranking) -> Exact:
    """The highest label of the scale, for a ranking."""
    return users.highest(x.pool) if m.max_rel == OF_POOL else m.max_rel  # type: ignore[no-any-return]


def _refusal(m: Measure, label: Exact) -> str | None:
    name = m.metric.root.name
    if m.max_rel == OF_POOL:
        return None if label >= 0 else f"{name} takes no label below 0"
    if 0 <= label <= m.max_rel:
        return None
    return f"with max_rel={m.max_rel}, {name} takes labels from 0 to {m.max_rel}"


def _scale(m: Measure) -> tuple[str, int] | None:
    return None if m.max_rel == OF_POOL else ("max_rel", m.max_rel)


GRADES = Labels(refusal=_refusal, scale=_scale)


def _label(_: Measure, __: Ranking, R: Reals) -> Callable[[Exact], Number]:
    return R.exact


def _scaled_gain(m: Measure, x: Ranking, R: Reals) -> Callable[[Exact], Number]:
    t = scale_of(m, x)
    return lambda label: users.scaled_gain(label, t, R)


def _weight(m: Measure, R: Reals) -> Callable[[int], Number]:
    """(1 - p) p^(i-1)"""
    stops, goes_on = 1 - R.exact(m.p), Geometric(m.p).of(R)
    return lambda i: stops * goes_on(i)


def _variance_of_grbp(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.variance_of_dcg(x.labels, k, _scaled_gain(m, x, R), _weight(m, R))


# ---- scaled DCG --------------------------------------------------------------------------


def _dcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.expected_dcg(x.groups, k, R.exact, m.discount.of(R))


def _variance_of_dcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.variance_of_dcg(x.labels, k, R.exact, m.discount.of(R))


def _weights(m: Measure, _: Ranking, k: int, R: Reals) -> Number:
    return dcg.perfect_dcg(k, m.discount.of(R))


def _name_of_weights(m: Measure) -> str:
    return "perfect DCG" if m.k is None else f"perfect DCG@{m.k}"


def _no_weights(m: Measure, _: Sequence[Exact]) -> bool:
    return m.discount.is_zero(1)  # type: ignore[no-any-return]


def _check_summed(m: Measure) -> None:
    if m.k is not None and m.k > LARGEST_PERFECT:
        raise InputError(
            f"k: the cut-off is {m.k}; the discounts that SDCG divides by are summed up to "
            f"{LARGEST_PERFECT} ranks (RS-USR-4)"
        )


def _tables(m: Measure, deepest: int) -> Tables:
    return {"discount": (m.discount, max(deepest, m.k or 0))}


# ---- how the C core takes them -----------------------------------------------------------


def _up_to(m: Measure) -> Gain:
    """A gain that is the label, up to the highest of the scale."""
    return Gain("linear", () if m.max_rel == OF_POOL else (m.max_rel,))


_GRBP_IN_CORE: Fields = {
    "gain": Gains(_up_to),
    "p": Double(lambda m: m.p),
    "discount": Powers(lambda m: m.p),
}
_SDCG_IN_CORE: Fields = {
    "gain": Gains(_up_to),
    "discount": DISCOUNT_IN_CORE,
    "ideal": "RS_IDEAL_PERFECT",
}

# ---- rank by rank ------------------------------------------------------------------------

GAIN_COLUMN = Column(
    "gain", "gain", of_label(lambda ranks, R: _scaled_gain(ranks.measure, ranks.ranking, R))
)
_LABEL_COLUMN = Column("label", "label", of_label(lambda ranks, R: R.exact))

METRICS = (
    Metric(
        name="GRBP",
        function="grbp",
        title="graded rank-biased precision",
        doc=Doc(
            "GRBP@k, rank-biased precision of graded labels: the rate at which a user gains who "
            "goes on from rank to rank with the probability p; the gain is the label over max_rel.",
            ">>> grbp([2, 0, 1], p=0.5, max_rel=2)\n0.5625",
            arguments={
                "max_rel": (
                    'the highest label of the scale; or "pool": the highest of the pool, 1 at least'
                )
            },
        ),
        spec="RS-USR-2",
        expected_spec="RS-EXP-45",
        plain=lambda m, x, k, R: users.grbp(x.labels, k, m.p, scale_of(m, x), R),
        expected=lambda m, x, k, R: users.expected_grbp(x.groups, k, m.p, scale_of(m, x), R),
        parameters=parameters(PERSISTENCE, MAX_REL),
        pool=True,
        names=Names(with_parameters={"rbp": "p=0.9, max_rel='pool'"}),
        labels=GRADES,
        orders=Orders(variance=_variance_of_grbp),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_GRBP", _GRBP_IN_CORE)),
        breakdown=Breakdown(
            (GAIN_COLUMN, Column("weight", "weight", of_rank(_weight))),
            variance=LinearVariance("gain", _scaled_gain, "weight", _weight),
        ),
    ),
    Metric(
        name="GRBP_residual",
        function="grbp_residual",
        title="residual of graded rank-biased precision",
        doc=Doc(
            "The residual of GRBP@k: what it would gain were the gain 1 of all that is unjudged or "
            'not shown. With tail "unjudged" it is 0 where all of the first k are judged, as in '
            "trec_eval.",
            ">>> grbp_residual([1, 0, 0], unjudged=[0, 0, 1], p=0.5)\n0.25",
            arguments={
                "unjudged": (
                    "a flag for each label, 1 where nobody has judged the item; by default all are "
                    "judged"
                ),
            },
            like="rbp",
        ),
        spec="RS-USR-3",
        expected_spec="RS-EXP-46",
        plain=lambda m, x, k, R: users.grbp_residual(unjudged_flags(x.labels), k, m.p, m.tail, R),
        expected=lambda m, x, k, R: users.expected_grbp_residual(
            [unjudged_flags(group) for group in x.groups], k, m.p, m.tail, R
        ),
        parameters=parameters(PERSISTENCE, TAIL),
        pool=False,
        names=Names(with_parameters={"rbp_resid": "p=0.9, tail='unjudged'"}),
        labels=Labels(unjudged=True),
        extremes=NO_EXTREMES,
        breakdown=replace(OF_RESIDUAL, unjudged="it might have the gain 1 (RS-USR-3)"),
    ),
    Metric(
        name="SDCG",
        function="scaled_dcg",
        title="scaled discounted cumulated gain",
        doc=Doc(
            "SDCG@k, scaled DCG: the mean gain of the first k ranks, weighted by the discounts; a "
            "gain is the label over max_rel. Not sDCG, the DCG of a session: sdcg().",
            ">>> scaled_dcg([2, 0], k=2, max_rel=2)\n0.6131471927654584",
            arguments={
                "max_rel": (
                    'the highest label of the scale; or "pool": the highest of the pool, 1 at least'
                )
            },
        ),
        spec="RS-USR-4",
        expected_spec="RS-EXP-47",
        plain=lambda m, x, k, R: users.scaled_dcg(x.labels, k, scale_of(m, x), m.discount.of(R), R),
        expected=lambda m, x, k, R: users.expected_scaled_dcg(
            x.groups, k, scale_of(m, x), m.discount.of(R), R
        ),
        parameters=parameters(MAX_REL, DISCOUNT),
        pool=True,
        labels=GRADES,
        quotient=Quotient(
            "DCG",
            _dcg,
            (
                Divisor(_name_of_weights, _weights, "RS-DCG-8"),
                Divisor(
                    lambda m: "max_rel", lambda m, x, k, R: R.exact(scale_of(m, x)), "RS-USR-1"
                ),
            ),
            by_k=lambda _: True,
            by_0=_no_weights,
        ),
        orders=Orders(variance=_variance_of_dcg),
        extremes=NO_EXTREMES,
        tables=_tables,
        check=_check_summed,
        core=Core(Call("RS_SCALED_DCG", _SDCG_IN_CORE)),
        breakdown=Breakdown(
            (_LABEL_COLUMN, DISCOUNT_COLUMN),
            variance=LinearVariance("label", _label, "disc", discount_factor),
        ),
    ),
)
