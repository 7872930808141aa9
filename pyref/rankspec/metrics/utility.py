"""Q, NCU, O-measure, P-measure, P+, EBR and iRBU, applied to measures and rankings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from ..compute.call import MOST_GRADES, Call, Core, Count, Double, Doubles, Fields, Gains, Word
from ..compute.gain import Gain, exact, gain
from ..errors import InputError, shown
from ..reference import dcg, utility
from ..reference.numbers.reals import RATIONALS, Exact, Number, Reals
from . import cascade
from .breakdown import GAIN as GAIN_COLUMN
from .breakdown import Breakdown, groups_within
from .helptext import Doc
from .measure import NO_EXTREMES, Divisor, Labels, Measure, Metric, Orders, Quotient, Ranking
from .names import Names
from .parameters import GAIN, GAIN_IN_CORE, Parameter, choice, parameters


def _beta(given: Any) -> Exact:
    """How much gain counts: a number of at least 0."""
    beta = exact(given, "beta: the weight of gain")
    if beta < 0:
        raise InputError(f"beta: the weight of gain is {shown(beta)}; it must be at least 0")
    return beta


def _gamma(given: Any) -> Exact:
    """What a relevant item leaves of the users who go on: above 0, at most 1."""
    gamma = exact(given, "gamma: the share that goes on")
    if not 0 < gamma <= 1:
        raise InputError(
            f"gamma: the share that goes on is {shown(gamma)}; it must be above 0 and at most 1"
        )
    return gamma


def _phi(given: Any) -> Exact:
    """The utility of a rank against that of the rank above it: above 0, at most 1."""
    phi = exact(given, "phi: the share of utility")
    if not 0 < phi <= 1:
        raise InputError(
            f"phi: the ratio of the utilities of two ranks is {shown(phi)}; it must be above 0 "
            "and at most 1"
        )
    return phi


BETA = Parameter(
    "beta",
    1,
    _beta,
    lambda x: f"{x}: the weight of gain in the blended ratio (RS-UTL-2)",
    "how much gain counts in the blended ratio; 0: it is precision",
    annotation="float",
)
STOPPING = choice(
    "stopping",
    "population of users",
    {
        "uniform": "as many stop at each relevant item",
        "graded": "users stop at relevant items by the stop values of their labels",
        "rank-biased": "at each relevant item gamma times as many stop as at the one above",
    },
    "RS-UTL-4",
    "where the users of NCU stop: uniform, graded or rank-biased",
)


def _meaning_of_stops(x: Any) -> str:
    return f"{'the gains' if x is None else x}: the stop values of labels (RS-UTL-4)"


def _meaning_of_gamma(x: Exact) -> str:
    return f"{x}: the users at a relevant item over those at the one above (RS-UTL-4)"


def _read_stops(given: Any) -> Any:
    try:
        return None if given is None else gain(given)
    except InputError as error:
        raise InputError(f"stops: {str(error).removeprefix('gain: ')}") from None


STOPS = Parameter(
    "stops",
    None,
    _read_stops,
    _meaning_of_stops,
    "the stop values of graded users, as a gain: by default they are the gains",
    annotation="GainLike | None",
    meaning_in=lambda m: (
        _meaning_of_stops(m.stops)
        if m.stopping == "graded"
        else "not used: stopping is not graded (RS-UTL-4)"
    ),
)
GAMMA: Parameter = Parameter(
    "gamma",
    0.95,
    _gamma,
    _meaning_of_gamma,
    "of rank-biased users, how many stop at a relevant item over those at the one above",
    annotation="float",
    meaning_in=lambda m: (
        _meaning_of_gamma(m.gamma)
        if m.stopping == "rank-biased"
        else "not used: stopping is not rank-biased (RS-UTL-4)"
    ),
)
PHI = Parameter(
    "phi",
    0.99,
    _phi,
    lambda x: f"{x}: the utility of a rank over that of the one above (RS-UTL-10)",
    "the utility of a rank over that of the one above",
    annotation="float",
)


def _gains(m: Measure, labels: Sequence[Exact], R: Reals) -> list[Number]:
    """The gains; one of nothing is a plain 0, which is told from others in any reading."""
    g = m.gain.of(R)
    return [0 if m.gain.is_zero(label) else g(label) for label in labels]


def _ideal(m: Measure, x: Ranking, R: Reals) -> list[Number]:
    return _gains(m, dcg.ideal(x.pool), R)


Weight = Callable[[Exact], Number]


def _one(R: Reals) -> Weight:
    return lambda _: R.exact(1)


def _items(m: Measure, x: Ranking, weight: Weight, R: Reals) -> list[list[utility.Item]]:
    g = m.gain.of(R)

    @cache
    def item(label: Exact) -> utility.Item:
        relevant = not m.gain.is_zero(label)
        return utility.Item(int(relevant), g(label), weight(label), label)

    return [list(map(item, group)) for group in x.groups]


def _relevant(m: Measure, labels: Sequence[Exact]) -> list[Exact]:
    return [label for label in labels if not m.gain.is_zero(label)]


def _gains_nothing(m: Measure, pool: Sequence[Exact]) -> bool:
    return not _relevant(m, pool)


def _sum_of_ratios(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    items = _items(m, x, _one(R), R)
    return utility.expected_utility(items, _ideal(m, x, R), k, m.beta, 1, R)


# ---- the users of NCU ----------------------------------------------------------------------------


def _stops(m: Measure) -> Any:
    return m.gain if m.stops is None else m.stops


def _stop_weight(m: Measure, R: Reals) -> Weight:
    return _stops(m).of(R) if m.stopping == "graded" else _one(R)


def _share(m: Measure) -> Exact:
    return m.gamma if m.stopping == "rank-biased" else 1


def _users(m: Measure, x: Ranking, _: int, R: Reals) -> Number:
    weight = _stop_weight(m, R)
    return utility.all_users([weight(label) for label in _relevant(m, x.pool)], _share(m), R)


def _no_users(m: Measure, pool: Sequence[Exact]) -> bool:
    relevant = _relevant(m, pool)
    return not relevant or (
        m.stopping == "graded" and all(_stops(m).is_zero(label) for label in relevant)
    )


def _utility(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    items = _items(m, x, _stop_weight(m, R), R)
    return utility.expected_utility(items, _ideal(m, x, R), k, m.beta, _share(m), R)


def _ncu(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    w = list(map(_stop_weight(m, R), x.labels))
    users = _users(m, x, k, R)
    return utility.ncu(_gains(m, x.labels, R), w, _ideal(m, x, R), k, m.beta, _share(m), users, R)


def _expected_ncu(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    items = _items(m, x, _stop_weight(m, R), R)
    users = _users(m, x, k, R)
    return utility.expected_ncu(items, _ideal(m, x, R), k, m.beta, _share(m), users, R)


def _refusal_of_ncu(m: Measure, label: Exact) -> str | None:
    refused = m.gain.refusal(label)
    if refused is None and m.stopping == "graded" and m.stops is not None:
        refused = m.stops.refusal(label)
    return refused  # type: ignore[no-any-return]


# ---- users who stop as those of ERR --------------------------------------------------------------


def _refusal_of_ebr(m: Measure, label: Exact) -> str | None:
    return cascade.refusal(m, label) or m.gain.refusal(label)


def _stop_items(m: Measure, x: Ranking, R: Reals) -> list[list[utility.Item]]:
    stop = cascade.stop(m, R)
    return [[utility.Item(1, 0, stop(label), label) for label in group] for group in x.groups]


# ---- rank by rank --------------------------------------------------------------------------------


def _where_relevant(m: Measure, x: Ranking, k: int) -> Iterator[Sequence[int]]:
    """A summand for each rank of a group that has something relevant."""
    for group, ranks in groups_within(x, k):
        if _relevant(m, group):
            yield from ([i] for i in ranks)


_OF_RATIOS = Breakdown(
    (GAIN_COLUMN,),
    _where_relevant,
    tied="adds: the mean of the blended ratio over the orders, 0 where it is not relevant",
)
_STOP_COLUMN = cascade.OF_ERR.columns[-1]
_OF_STOPS = Breakdown((GAIN_COLUMN, _STOP_COLUMN), tied="adds: the mean over the orders")
_BY_CUTOFF = Breakdown(
    (GAIN_COLUMN,), tied="adds: how much the mean over the orders changes", by_cutoff=True
)


# ---- in the core ---------------------------------------------------------------------------------

LARGEST_BETA_IN_CORE = 1 << 20


def _is_whole_beta(m: Measure) -> bool:
    return m.beta <= LARGEST_BETA_IN_CORE and m.beta == int(m.beta)  # type: ignore[no-any-return]


def _is_ncu_in_core(m: Measure) -> bool:
    return _is_whole_beta(m) and (m.stopping != "graded" or m.stops is None)


def _is_ebr_in_core(m: Measure) -> bool:
    return _is_whole_beta(m) and not cascade.by_label(m)


def _gains_of_labels_that_stop(m: Measure) -> Gain:
    """The gains of the labels that have a probability to stop; the core refuses others."""
    labels = range(len(cascade.stop_table(m)))
    g = m.gain.of(RATIONALS)
    return Gain("table", tuple(g(x) for x in labels if m.gain.refusal(x) is None))


_BLENDED: Fields = {"gain": GAIN_IN_CORE, "p": Double(lambda m: m.beta)}
_Q_IN_CORE = Call("RS_Q_MEASURE", _BLENDED, _is_whole_beta)
_O_IN_CORE = Call("RS_O_MEASURE", _BLENDED, _is_whole_beta)
_P_IN_CORE = Call("RS_P_MEASURE", _BLENDED, _is_whole_beta)
_P_PLUS_IN_CORE = Call("RS_P_PLUS", _BLENDED, _is_whole_beta)
_USERS = {
    "uniform": "RS_USERS_UNIFORM",
    "graded": "RS_USERS_GRADED",
    "rank-biased": "RS_USERS_RANK_BIASED",
}
_NCU_IN_CORE = Call(
    "RS_NCU",
    {
        **_BLENDED,
        "norm": Word(lambda m: m.stopping, _USERS),
        "theta": Double(lambda m: m.gamma),
    },
    _is_ncu_in_core,
)
_EBR_IN_CORE = Call(
    "RS_EBR",
    {
        **_BLENDED,
        "gain": Gains(_gains_of_labels_that_stop),
        "q": Doubles(cascade.stop_table, most=MOST_GRADES - 1),
        "n_q": Count(lambda m: len(cascade.stop_table(m))),
    },
    _is_ebr_in_core,
)
_IRBU_IN_CORE: Fields = {
    "gain": cascade.STOPPING["gain"],
    "p": Double(lambda m: m.phi),
}

_NO_WORST = Orders(unknown="has no known worst order (RS-BND-1)")

METRICS = (
    Metric(
        name="Q_measure",
        function="q_measure",
        title="Q-measure",
        doc=Doc(
            "Q@k, the Q-measure: the sum of the blended ratios at the relevant items, divided by "
            "min(k, R), where R is the number of relevant items; items with a gain are relevant.",
            ">>> q_measure([3, 0, 2, 1]) == 1 > q_measure([0, 3, 2, 1])\nFalse",
        ),
        spec="RS-UTL-3",
        expected_spec="RS-EXP-56",
        plain=lambda m, x, k, R: utility.q_measure(
            _gains(m, x.labels, R), _ideal(m, x, R), k, m.beta, R
        ),
        expected=lambda m, x, k, R: utility.expected_q_measure(
            _items(m, x, _one(R), R), _ideal(m, x, R), k, m.beta, R
        ),
        parameters=parameters(GAIN, BETA),
        pool=True,
        names=Names(with_parameters={"Q-measure": ""}),
        quotient=Quotient(
            "sum of blended ratios",
            _sum_of_ratios,
            (
                Divisor(
                    lambda m: "min(k, N_p)",
                    lambda m, x, k, R: min(k, len(_relevant(m, x.pool))),
                    "RS-UTL-3",
                ),
            ),
            by_0=_gains_nothing,
        ),
        extremes=NO_EXTREMES,
        core=Core(_Q_IN_CORE),
        breakdown=_OF_RATIOS,
    ),
    Metric(
        name="NCU",
        function="ncu",
        title="normalised cumulative utility",
        doc=Doc(
            "NCU@k, normalised cumulative utility: the expected blended ratio at the relevant "
            "item where a user stops.",
            ">>> ncu([2, 0, 1], stopping='graded') == ncu([2, 0, 1], stopping='graded', stops=[0, "
            "1, 2])\nTrue",
            arguments={
                "stops": "for graded users, the stop values of the labels; by default the gains",
            },
        ),
        spec="RS-UTL-5",
        expected_spec="RS-EXP-57",
        plain=_ncu,
        expected=_expected_ncu,
        parameters=parameters(GAIN, BETA, STOPPING, STOPS, GAMMA),
        pool=True,
        names=Names(
            with_parameters={
                "NCUguP": "stopping='graded', beta=0",
                "NCUguBR": "stopping='graded'",
                "NCUrbP": "stopping='rank-biased', beta=0",
                "NCUrbBR": "stopping='rank-biased'",
            }
        ),
        labels=Labels(refusal=_refusal_of_ncu),
        core=Core(_NCU_IN_CORE),
        quotient=Quotient(
            "cumulated utility",
            _utility,
            (Divisor(lambda m: "users", _users, "RS-UTL-4"),),
            by_0=_no_users,
        ),
        orders=_NO_WORST,
        extremes=NO_EXTREMES,
        breakdown=_OF_RATIOS,
    ),
    Metric(
        name="O_measure",
        function="o_measure",
        title="O-measure",
        doc=Doc(
            "O@k, the O-measure: the blended ratio at the first relevant item within the "
            "cut-off, or 0 if there is none.",
            ">>> o_measure([3, 0]), o_measure([0, 1], beta=0)\n(1.0, 0.5)",
        ),
        spec="RS-UTL-6",
        expected_spec="RS-EXP-58",
        plain=lambda m, x, k, R: utility.o_measure(
            _gains(m, x.labels, R), _ideal(m, x, R), k, m.beta, R
        ),
        expected=lambda m, x, k, R: utility.expected_o_measure(
            _items(m, x, _one(R), R), _ideal(m, x, R), k, m.beta, R
        ),
        parameters=parameters(GAIN, BETA),
        pool=True,
        names=Names(with_parameters={"O-measure": ""}),
        core=Core(_O_IN_CORE),
        extremes=NO_EXTREMES,
        breakdown=_OF_RATIOS,
    ),
    Metric(
        name="P_measure",
        function="p_measure",
        title="P-measure",
        doc=Doc(
            "The P-measure: the blended ratio at the preferred rank, the first rank of the "
            "highest relevant label within the cut-off; 0 if there is none.",
            ">>> p_measure([1, 3], beta=0), o_measure([1, 3], beta=0)\n(1.0, 1.0)",
        ),
        spec="RS-UTL-7",
        expected_spec="RS-EXP-60",
        plain=lambda m, x, k, R: utility.p_measure(
            x.labels, _gains(m, x.labels, R), _ideal(m, x, R), k, m.beta, R
        ),
        expected=lambda m, x, k, R: utility.expected_p_measure(
            _items(m, x, _one(R), R), _ideal(m, x, R), k, m.beta, R
        ),
        parameters=parameters(GAIN, BETA),
        pool=True,
        names=Names(with_parameters={"P-measure": ""}),
        core=Core(_P_IN_CORE),
        orders=_NO_WORST,
        extremes=NO_EXTREMES,
        breakdown=_BY_CUTOFF,
    ),
    Metric(
        name="P_plus",
        function="p_plus",
        title="P-plus",
        doc=Doc(
            "P+@k: the mean of the blended ratios at the relevant items up to the preferred "
            "rank, the first rank of the highest relevant label within the cut-off; 0 if there "
            "is none.",
            ">>> p_plus([1, 0, 3], beta=0) == 5 / 6\nTrue",
        ),
        spec="RS-UTL-8",
        expected_spec="RS-EXP-61",
        plain=lambda m, x, k, R: utility.p_plus(
            x.labels, _gains(m, x.labels, R), _ideal(m, x, R), k, m.beta, R
        ),
        expected=lambda m, x, k, R: utility.expected_p_plus(
            _items(m, x, _one(R), R), _ideal(m, x, R), k, m.beta, R
        ),
        parameters=parameters(GAIN, BETA),
        pool=True,
        names=Names(with_parameters={"P-plus": "", "P+": ""}),
        core=Core(_P_PLUS_IN_CORE),
        orders=_NO_WORST,
        extremes=NO_EXTREMES,
        breakdown=_BY_CUTOFF,
    ),
    Metric(
        name="EBR",
        function="ebr",
        title="expected blended ratio",
        doc=Doc(
            "EBR@k, the expected blended ratio at the relevant item where a user of ERR stops.",
            ">>> ebr([4, 0]) == ebr([4, 0], max=4) < 1\nTrue",
            arguments={
                "max": "the largest possible label",
                "stop": (
                    "instead of max, the probabilities of stopping at the labels 0, 1, 2, ...; "
                    'or "label": each label is such a probability'
                ),
            },
        ),
        spec="RS-UTL-9",
        expected_spec="RS-EXP-63",
        plain=lambda m, x, k, R: utility.ebr(
            _gains(m, x.labels, R),
            list(map(cascade.stop(m, R), x.labels)),
            _ideal(m, x, R),
            k,
            m.beta,
            R,
        ),
        expected=lambda m, x, k, R: utility.expected_ebr(
            _items(m, x, cascade.stop(m, R), R), _ideal(m, x, R), k, m.beta, R
        ),
        parameters=parameters(GAIN, BETA, cascade.MAX, cascade.STOP),
        pool=True,
        labels=Labels(refusal=_refusal_of_ebr, scale=cascade.GRADES.scale),
        core=Core(_EBR_IN_CORE),
        check=cascade.check_stop,
        orders=_NO_WORST,
        extremes=NO_EXTREMES,
        breakdown=_OF_STOPS,
    ),
    Metric(
        name="iRBU",
        function="irbu",
        title="rank-biased utility of one intent",
        doc=Doc(
            "iRBU@k, the expected power phi^i of the rank i where a user of ERR stops.",
            ">>> irbu([4], phi=0.5) == 15 / 32\nTrue",
            like="ebr",
        ),
        spec="RS-UTL-10",
        expected_spec="RS-EXP-64",
        plain=lambda m, x, k, R: utility.irbu(list(map(cascade.stop(m, R), x.labels)), k, m.phi, R),
        expected=lambda m, x, k, R: utility.expected_irbu(_stop_items(m, x, R), k, m.phi, R),
        parameters=parameters(PHI, cascade.MAX, cascade.STOP),
        pool=False,
        labels=cascade.GRADES,
        check=cascade.check_stop,
        extremes=NO_EXTREMES,
        core=Core(Call("RS_IRBU", _IRBU_IN_CORE, lambda m: not cascade.by_label(m))),
        breakdown=Breakdown((_STOP_COLUMN,), tied=_OF_STOPS.tied),
    ),
)
