"""Graded RBP, its residual, scaled DCG, INSQ, INST, BPM, NERR8 to NERR11 and compatibility, applied
to measures and rankings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from ..compute.call import Call, Core, Double, Fields, Gains, Powers, Word
from ..compute.computable import Tables
from ..compute.gain import ZIPF, Gain, Geometric, exact, text_of, yes_or_no
from ..errors import InputError, NoValue, hint, shown
from ..later import dcg, fractions, users
from ..records import replace
from ..typed import TYPE_CHECKING, Any, TypeAlias
from .breakdown import DISCOUNT as DISCOUNT_COLUMN
from .breakdown import (
    Breakdown,
    Column,
    LinearVariance,
    Ranks,
    discount_factor,
    of_label,
    of_list,
    of_rank,
)
from .cascade import OF_RESIDUAL, PERSISTENCE, RESIDUAL, unjudged_flags
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
from .orders import MOST_RANKS, MOST_SHARED_RANKS, open_groups
from .parameters import DISCOUNT, DISCOUNT_IN_CORE, Parameter, choice, parameters

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact, Number, Reals
    from ..reference.ties import Groups

OF_POOL = "pool"  # the highest label of the pool is that of the scale


def highest_label(given: Any) -> Exact | str:
    """The highest label of the scale: a number above 0; or "pool"."""
    if text_of(given) == OF_POOL:
        return OF_POOL
    if isinstance(given, str):
        raise InputError(
            'max_rel: expected a number above 0, or "pool" for the highest label of the pool, '
            f"got {shown(given)}{hint(given, [OF_POOL])}"
        )
    found = exact(given, "max_rel: the highest label of the scale")
    if found <= 0:
        raise InputError(
            'max_rel: expected a number above 0, or "pool" for the highest label of the pool, '
            f"got {shown(given)}"
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
    "always: what lies below the list counts as open; unjudged: only if one of the first k is "
    "unjudged",
)


def scale_of(m: Measure, x: Ranking) -> Exact:
    """The highest label of the scale, for a ranking."""
    return users.highest(x.pool) if m.max_rel == OF_POOL else m.max_rel


def _refusal(m: Measure, label: Exact) -> str | None:
    name = m.metric.root.name
    if m.max_rel == OF_POOL:
        if not math.isfinite(label):
            return "a label must be finite"
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
            f"k: the cut-off is {m.k}; the discounts in the divisor of SDCG are summed over at "
            f"most {LARGEST_PERFECT} ranks (RS-USR-4)"
        )


def _tables(m: Measure, deepest: int) -> Tables:
    return {"discount": (m.discount, max(deepest, m.k or 0))}


# ---- users with a goal, and compatibility ------------------------------------------------

LARGEST_INTEGER = 1 << 53  # up to which doubles tell integers apart


def _number(name: str, what: str, least: int) -> Callable[[Any], Exact]:
    """Reads a number that is above 0, or of at least 0."""

    def read(given: Any) -> Exact:
        found = exact(given, f"{name}: {what}")
        if found < 0 or (least and found == 0):
            must = "above 0" if least else "of at least 0"
            raise InputError(f"{name}: {what} is {shown(given)}; it must be a number {must}")
        return found

    return read


def _changing(name: str, what: str, default: Exact) -> Parameter:
    return Parameter(
        name,
        default,
        _number(name, what, 0),
        lambda x: f"{x}: {what} (RS-USR-7)",
        what,
        annotation="float",
    )


GOAL = Parameter(
    "T",
    1,
    _number("T", "what the user wants to find", 1),
    lambda x: (
        f"{x}: what the user wants to find, in gains (RS-USR-5, RS-USR-6, RS-USR-7, RS-USR-33)"
    ),
    "the number of gains that the user wants to find",
    annotation="float",
)
H_B = _changing("hb", "how much T rises with a gain above med, and falls with one below", 0)
H_C = _changing(
    "hc", "how much the number of ranks rises with a gain above med, and falls with one below", 0
)
MED = _changing("med", "the gain that changes nothing", 0.5)
NORMALIZE = Parameter(
    "normalize",
    True,
    lambda given: yes_or_no(given, "normalize"),
    lambda x: (
        "over the overlap of the ideal ranking with itself (RS-USR-8)"
        if x
        else "over the weights of all ranks (RS-USR-8)"
    ),
    "whether to divide by the overlap of the ideal ranking with itself",
    annotation="bool",
)
PERSISTENCE_OF_NERR = replace(
    PERSISTENCE,
    default=0.9,
    meaning=lambda x: (
        f"{x}: who is not stopped by a gain goes on with the probability p (RS-USR-32)"
    ),
    help="the probability that a user whom the gain does not stop goes on to the next rank",
)
PERSISTENCE_OF_OVERLAP = replace(
    PERSISTENCE,
    default=0.95,
    meaning=lambda x: f"{x}: each rank has p times the weight of the one above (RS-USR-8)",
    help="the persistence: each rank has p times the weight of the one above",
)


def _gains(m: Measure, x: Ranking, labels: Sequence[Exact]) -> list[Any]:
    return users.scaled_gains(labels, scale_of(m, x))


def _insq(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return users.expected_insq([_gains(m, x, group) for group in x.groups], k, m.k, m.T, R)


def _weight_of_insq(m: Measure, R: Reals) -> Callable[[int], Number]:
    d, below = users.insq_discount(m.T, R), users.inverse_squares(2 * users.number(m.T), m.k, R)
    return lambda i: d(i) / below


def _variance_of_insq(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.variance_of_dcg(x.labels, k, _scaled_gain(m, x, R), _weight_of_insq(m, R))


def _by_pool(m: Measure) -> bool:
    """Whether a label may be above the highest of the scale, wherever it stands."""
    return bool(m.max_rel == OF_POOL)


def _probabilities(m: Measure, x: Ranking, labels: Sequence[Exact]) -> list[Any]:
    """The gains of a list, of which none is above 1: else nobody would go on with a probability."""
    highest = scale_of(m, x)
    for at, label in enumerate(x.labels):
        if label > highest:
            raise NoValue(
                "labels",
                f'is above the highest label of the pool, {shown(highest)}; with max_rel="pool", '
                f"{m.metric.root.name} takes no such label ({m.metric.root.spec})",
                shown(label),
                at,
            )
    return _gains(m, x, labels)


def _inst(m: Measure, x: Ranking, labels: Sequence[Exact], R: Reals) -> Number:
    return users.inst(_probabilities(m, x, labels), m.k, m.T, R)


def _nerr8(m: Measure, groups: Groups, R: Reals) -> Number:
    return users.expected_nerr8(groups, m.k, R)


def _nerr9(m: Measure, groups: Groups, R: Reals) -> Number:
    return users.expected_nerr9(groups, m.k, R)


def _nerr10(m: Measure, groups: Groups, R: Reals) -> Number:
    return users.expected_nerr10(groups, m.k, m.p, R)


def _nerr11(m: Measure, groups: Groups, R: Reals) -> Number:
    return users.expected_nerr11(groups, m.k, m.T, R)


def _bpm(m: Measure, x: Ranking, labels: Sequence[Exact], R: Reals) -> Number:
    return users.bpm(_gains(m, x, labels), m.k, m.T, (m.hb, m.hc, m.med), R)


def _compat(m: Measure, x: Ranking, labels: Sequence[Exact], R: Reals) -> Number:
    k = users.compat_depth(labels, x.pool) if m.k is None else m.k
    return users.compatibility(labels, x.pool, k, m.p, m.normalize, R)


OfOrder: TypeAlias = "Callable[[Measure, Ranking, Sequence[Exact], Reals], Number]"
OfGroups: TypeAlias = "Callable[[Measure, Groups, Reals], Number]"


def _of_list(value: OfOrder) -> Callable[[Measure, Ranking, int, Reals], Number]:
    return lambda m, x, k, R: value(m, x, x.labels, R)


def _depth(m: Measure, x: Ranking) -> int:
    """The number of ranks that decide the value; hc may take the user of BPM below k."""
    if m.k is None or ("hc" in m.metric.parameters and m.hc):
        return x.length
    return min(x.length, m.k)


def _open_groups(m: Measure, x: Ranking, most: int = MOST_RANKS) -> list[Sequence[Any]]:
    return open_groups(m.metric.root.name, x.groups, _depth(m, x), most)


def _beginnings(m: Measure, x: Ranking) -> list[Sequence[Exact]]:
    """The labels that the value depends on, once for each way in which they may be ordered."""
    groups = _open_groups(m, x, MOST_SHARED_RANKS)
    return [labels for labels, _ in users.beginnings_of(groups, _depth(m, x))]


def _plain_by_groups(value: OfGroups) -> Callable[[Measure, Ranking, int, Reals], Number]:
    return lambda m, x, k, R: value(m, [[g_i] for g_i in _probabilities(m, x, x.labels)], R)


def _mean_by_groups(value: OfGroups) -> Callable[[Measure, Ranking, int, Reals], Number]:
    """The same mean, of a metric whose orders share what they have in common."""

    def reading(m: Measure, x: Ranking, k: int, R: Reals) -> Number:  # noqa: ARG001
        groups = _open_groups(m, x, MOST_SHARED_RANKS)
        return value(m, [_probabilities(m, x, group) for group in groups], R)

    return reading


def _mean(value: OfOrder) -> Callable[[Measure, Ranking, int, Reals], Number]:
    """The mean over the orders of ties; an InputError where these are too many."""

    def reading(m: Measure, x: Ranking, k: int, R: Reals) -> Number:  # noqa: ARG001
        groups, depth = _open_groups(m, x), _depth(m, x)
        return users.mean_over_orders(lambda labels: value(m, x, labels, R), groups, depth, R)

    return reading


def each_order_to_the_cutoff(m: Measure, x: Ranking, _: int) -> Iterator[Sequence[int]]:
    """The ranks up to the cut-off, once for each order of their labels."""
    for labels in _beginnings(m, x):
        yield from ([i] for i in range(1, len(labels) + 1))


def _each_gain(m: Measure, x: Ranking, _: int) -> Iterator[Sequence[int]]:
    """The ranks that somebody sees and that hold a gain, order by order."""
    for labels in _beginnings(m, x):
        gains = _gains(m, x, labels)
        seen = gains.index(1) + 1 if 1 in gains else len(gains)
        yield from ([i] for i, g_i in enumerate(gains[:seen], start=1) if g_i)


def _each_gain_seen(m: Measure, x: Ranking, _: int) -> Iterator[Sequence[int]]:
    """The ranks that the user of BPM sees and that hold a gain, order by order."""
    for labels in _beginnings(m, x):
        gains = _gains(m, x, labels)
        seen = users.bpm_length(gains, m.k, m.T, (m.hb, m.hc, m.med)) or 0
        yield from ([i] for i, g_i in enumerate(gains[:seen], start=1) if g_i)


def _check_depth(m: Measure) -> None:
    if m.k is not None and m.k > LARGEST_PERFECT:
        raise InputError(
            f"k: the cut-off is {m.k}; the weights of {m.metric.name} are summed over at most "
            f"{LARGEST_PERFECT} ranks ({m.metric.spec})"
        )


def _check_inst(m: Measure) -> None:
    _check_depth(m)
    if fractions.Fraction(1, 2) > m.T:
        raise InputError(
            f"T: INST needs T of at least 1/2, got {shown(m.T)}; with less the probability of "
            "going on is undefined (RS-USR-6)"
        )


_UNKNOWN = Orders(unknown="has no known best order, and no closed form over all orders (RS-BND-1)")
_NO_MEAN = Orders(unknown="has no closed form over all orders (RS-BND-1)")


# ---- how the C core takes them -----------------------------------------------------------


def _up_to(m: Measure) -> Gain:
    """A gain that is the label, up to the highest of the scale."""
    return Gain("linear", () if m.max_rel == OF_POOL else (m.max_rel,))


def _tells_labels(m: Measure) -> bool:
    """Whether the core, which compares doubles, tells which labels are above the highest."""
    return bool(m.max_rel == OF_POOL or m.max_rel < LARGEST_INTEGER)


_GRBP_IN_CORE: Fields = {
    "gain": Gains(_up_to),
    "p": Double(lambda m: m.p),
    "discount": Powers(lambda m: m.p),
}
_TAIL_IN_CORE = Word(lambda m: m.tail, {"always": "RS_TAIL_ALWAYS", "unjudged": "RS_TAIL_UNJUDGED"})
_SDCG_IN_CORE: Fields = {
    "gain": Gains(_up_to),
    "discount": DISCOUNT_IN_CORE,
    "ideal": "RS_IDEAL_PERFECT",
}


def _of_scale(**more: Any) -> Fields:
    """The fields of a measure whose labels are on a scale."""
    return {"gain": Gains(_up_to), **more}


def _is_static(m: Measure) -> bool:
    return bool(m.hb == 0 and m.hc == 0)


_P_IN_CORE = Double(lambda m: m.p)
_T_IN_CORE = Double(lambda m: m.T)
_NORMALIZE_IN_CORE = Word(lambda m: m.normalize, {True: 1, False: 0})
_SUMMED_IN_CORE: Fields = {"discount": DISCOUNT_IN_CORE, "ideal": "RS_IDEAL_PERFECT"}


def _no_tables(_: Measure, __: int) -> Tables:
    return {}


def _inverse_ranks(m: Measure, deepest: int) -> Tables:
    return {"discount": (ZIPF, max(deepest, m.k or 0))}


# ---- rank by rank ------------------------------------------------------------------------

GAIN_COLUMN = Column(
    "gain", "gain", of_label(lambda ranks, R: _scaled_gain(ranks.measure, ranks.ranking, R))
)
_SCALE_IN_DOC = {
    "max_rel": 'the highest label of the scale, or "pool": that of the pool, but at least 1'
}


def _ideal_ranks(ranks: Ranks, R: Reals) -> list[Number | None]:
    """The rank that each item has in the ideal ranking, where the order is settled."""
    x = ranks.ranking
    if x.tied:
        return [None] * x.length
    labels = [0 if label is None else label for label in x.labels]
    found = users.ideal_ranks(labels, x.pool)
    return [None if rank is None else R.exact(rank) for rank in found]


_IDEAL_COLUMN = Column(
    "ideal", "ideal", of_list(_ideal_ranks), "ideal: the rank in the ideal ranking (RS-USR-8)"
)


def _nearly_err(
    number: int,
    doc: Doc,
    value: OfGroups,
    more: tuple[Parameter, ...] = (),
    *,
    core: Fields,
    tables: Callable[[Measure, int], Tables] = _no_tables,
) -> Metric:
    """One of the four metrics of azzopardi-2021, which differ in how the user goes on."""
    return Metric(
        name=f"NERR{number}",
        function=f"nerr{number}",
        title=f"nearly expected reciprocal rank by equation {number}",
        doc=doc,
        spec=f"RS-USR-{number + 22}",
        expected_spec="RS-EXP-49",
        plain=_plain_by_groups(value),
        expected=_mean_by_groups(value),
        parameters=parameters(*more, MAX_REL),
        pool=True,
        labels=GRADES,
        check=_check_depth,
        orders=_NO_MEAN,
        extremes=NO_EXTREMES,
        tables=tables,
        beyond=_by_pool,
        core=Core(Call(f"RS_NERR{number}", _of_scale(**core), _tells_labels)),
        breakdown=Breakdown((GAIN_COLUMN,), _each_gain),
    )


METRICS = (
    Metric(
        name="GRBP",
        function="grbp",
        title="graded rank-biased precision",
        doc=Doc(
            "GRBP@k, rank-biased precision of graded labels: the rate at which a user gains, if "
            "the user goes on from each rank to the next with probability p; the gain is the "
            "label divided by max_rel.",
            ">>> grbp([2, 0, 1], p=0.5, max_rel=2)\n0.5625",
            arguments=_SCALE_IN_DOC,
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
        core=Core(Call("RS_GRBP", _GRBP_IN_CORE, _tells_labels)),
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
            "The residual of GRBP@k: what GRBP would gain if all unjudged and all unseen items "
            'had gain 1. With tail "unjudged" it is 0 if all of the first k are judged, as in '
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
        more_is_better=False,
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
        core=Core(Call("RS_RBP_RESIDUAL", {**RESIDUAL, "norm": _TAIL_IN_CORE})),
        breakdown=replace(OF_RESIDUAL, unjudged="it might have the gain 1 (RS-USR-3)"),
    ),
    Metric(
        name="SDCG",
        function="scaled_dcg",
        title="scaled discounted cumulated gain",
        doc=Doc(
            "SDCG@k, scaled DCG: the mean gain of the first k ranks, weighted by the discounts; "
            "a gain is the label divided by max_rel. This is not sDCG, the DCG of a session: see "
            "sdcg().",
            ">>> scaled_dcg([2, 0], k=2, max_rel=2)\n0.6131471927654584",
            arguments=_SCALE_IN_DOC,
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
        core=Core(Call("RS_SCALED_DCG", _SDCG_IN_CORE, _tells_labels)),
        breakdown=Breakdown(
            (DISCOUNT_COLUMN,),
            variance=LinearVariance("label", _label, "disc", discount_factor),
        ),
    ),
    Metric(
        name="INSQ",
        function="insq",
        title="INSQ",
        doc=Doc(
            "INSQ@k, the mean gain with the weights 1/(i + 2T - 1)^2 of the ranks i; without k "
            "the weights are those of an endless list.",
            ">>> insq([4, 0, 2], k=3)\n0.6639344262295082",
            arguments=_SCALE_IN_DOC,
        ),
        spec="RS-USR-5",
        expected_spec="RS-EXP-48",
        plain=_insq,
        expected=_insq,
        parameters=parameters(GOAL, MAX_REL),
        pool=True,
        labels=GRADES,
        check=_check_depth,
        orders=Orders(variance=_variance_of_insq),
        extremes=NO_EXTREMES,
        core=Core(Call("RS_INSQ", _of_scale(p=_T_IN_CORE), _tells_labels)),
        breakdown=Breakdown(
            (GAIN_COLUMN, Column("weight", "weight", of_rank(_weight_of_insq))),
            variance=LinearVariance("gain", _scaled_gain, "weight", _weight_of_insq),
        ),
    ),
    Metric(
        name="INST",
        function="inst",
        title="INST",
        doc=Doc(
            "INST@k, the mean gain of a user who is the less likely to go on, the more of T is "
            "found; without k the list is endless.",
            ">>> inst([4, 0, 2])\n0.6636517792696658",
            arguments=_SCALE_IN_DOC,
        ),
        spec="RS-USR-6",
        expected_spec="RS-EXP-49",
        plain=_of_list(_inst),
        expected=_mean(_inst),
        parameters=parameters(GOAL, MAX_REL),
        pool=True,
        labels=GRADES,
        check=_check_inst,
        orders=_UNKNOWN,
        extremes=NO_EXTREMES,
        beyond=_by_pool,
        core=Core(Call("RS_INST", _of_scale(p=_T_IN_CORE), _tells_labels)),
        breakdown=Breakdown((GAIN_COLUMN,), each_order_to_the_cutoff),
    ),
    Metric(
        name="BPM",
        function="bpm",
        title="Bejeweled player model",
        doc=Doc(
            "BPM@k, the mean gain of the ranks that a user sees; the user stops when T is found, "
            "at rank k at the latest; hb and hc change T and k from rank to rank.",
            ">>> bpm([2, 0, 4, 1], k=3)\n0.5",
            arguments=_SCALE_IN_DOC,
        ),
        spec="RS-USR-7",
        expected_spec="RS-EXP-49",
        plain=_of_list(_bpm),
        expected=_mean(_bpm),
        parameters=parameters(GOAL, MAX_REL, H_B, H_C, MED),
        pool=True,
        labels=GRADES,
        orders=_UNKNOWN,
        extremes=NO_EXTREMES,
        beyond=lambda m: m.hc != 0,
        core=Core(
            Call("RS_BPM", _of_scale(p=_T_IN_CORE), lambda m: _tells_labels(m) and _is_static(m))
        ),
        breakdown=Breakdown((GAIN_COLUMN,), _each_gain_seen),
    ),
    _nearly_err(
        8,
        Doc(
            "NERR8@k, the mean gain of a user who sees at most k ranks, and whom an item stops "
            "with a probability equal to its gain.",
            ">>> nerr8([2, 0, 4], k=3)\n0.5",
            arguments=_SCALE_IN_DOC,
        ),
        _nerr8,
        core={},
    ),
    _nearly_err(
        9,
        Doc(
            "NERR9@k, like NERR8, but the user also goes on from rank i only with probability "
            "i/(i + 1): its numerator is the ERR@k of these gains.",
            ">>> nerr9([2, 0, 4], k=2)\n0.4",
            arguments=_SCALE_IN_DOC,
        ),
        _nerr9,
        core=_SUMMED_IN_CORE,
        tables=_inverse_ranks,
    ),
    _nearly_err(
        10,
        Doc(
            "NERR10@k, like NERR8, but the user also goes on only with probability p, as in RBP; "
            "without k the list is endless.",
            ">>> nerr10([2, 0, 4], k=2, p=0.5)\n0.4",
            arguments=_SCALE_IN_DOC,
        ),
        _nerr10,
        (PERSISTENCE_OF_NERR,),
        core={"p": _P_IN_CORE},
    ),
    _nearly_err(
        11,
        Doc(
            "NERR11@k, like NERR8, but the user also goes on as in INSQ, wanting to find T; "
            "without k the list is endless.",
            ">>> nerr11([2, 0, 4], k=1)\n0.5",
            arguments=_SCALE_IN_DOC,
        ),
        _nerr11,
        (GOAL,),
        core={"p": _T_IN_CORE},
    ),
    Metric(
        name="Compat",
        function="compatibility",
        title="compatibility",
        doc=Doc(
            "Compat@k, the rank-biased overlap, up to rank k, of the list and the nearest ideal "
            "ranking; without k up to the end of both.",
            ">>> compatibility([2, 0, 1], p=0.5) == compatibility([2, 1, 0], p=0.5)\nFalse",
        ),
        spec="RS-USR-8",
        expected_spec="RS-EXP-49",
        plain=_of_list(_compat),
        expected=_mean(_compat),
        parameters=parameters(PERSISTENCE_OF_OVERLAP, NORMALIZE),
        pool=True,
        check=_check_depth,
        undefined=lambda _, pool: not any(label > 0 for label in pool),
        orders=_UNKNOWN,
        extremes=NO_EXTREMES,
        core=Core(Call("RS_COMPAT", {"p": _P_IN_CORE, "norm": _NORMALIZE_IN_CORE})),
        breakdown=Breakdown((_IDEAL_COLUMN,), each_order_to_the_cutoff),
    ),
)
