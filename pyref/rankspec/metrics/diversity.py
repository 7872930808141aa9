"""The metrics of diversity, of items with a label for each subtopic, applied to measures.

``METRICS`` is the list of them; that of rankings is in ``rankspec.metrics.catalogue``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, TypeAlias, TypeVar, cast

from ..compute import gain
from ..compute.computable import IntentRanking
from ..errors import InputError, NoValue, shown
from ..records import record
from ..reference import cascade, dcg, diversity, precision
from ..reference.diversity import Exactly, Row, TooManySteps
from ..reference.numbers.reals import FLOATS, RATIONALS, Exact, Number, Reals
from . import helptext
from .cascade import largest_label
from .helptext import Doc
from .measure import (
    NO_EXTREMES,
    Labels,
    Measure,
    Metric,
    Reading,
    help_of_metric,
)
from .names import Names
from .parameters import DISCOUNT, GAIN, REL, Parameter, Parameters, choice, parameters

Defined: TypeAlias = "Callable[[Measure, IntentRanking], bool]"
Kept = TypeVar("Kept")

MOST_RANKS = 100_000  # that norm="max" adds up
EXAMPLE_ROWS = ((1, 0), (0, 0), (0, 1))  # labels of three items for two subtopics
AS_ALPHA = "alpha"
AS_MAX = "max"


def _from_0_to_1(name: str, what: str, below: bool = False) -> Callable[[Any], Exact]:
    """Reads a number from 0 to 1; below: 1 itself is none."""

    def read(given: Any) -> Exact:
        x = gain.exact(given, f"{name}: {what}")
        if not 0 <= x <= 1 or (below and x == 1):
            end = "below 1" if below else "1"
            raise InputError(f"{name}: {what} is {shown(x)}; expected 0 to {end}")
        return x

    return read


ALPHA = Parameter(
    "alpha",
    0.5,
    _from_0_to_1("alpha", "the intolerance of redundancy"),
    lambda x: f"{x}: a subtopic gains 1 - {x} times as much after each relevant item (RS-DIV-2)",
    "how much less a subtopic gains after each item relevant to it, from 0 to 1",
    annotation="float",
)
BETA = Parameter(
    "beta",
    0.5,
    _from_0_to_1("beta", "the patience", below=True),
    lambda x: f"{x}: a rank weighs that times as much as the one before it (RS-DIV-9)",
    "how much a rank weighs, relative to the rank before it: from 0 to below 1",
    annotation="float",
)
GAMMA = Parameter(
    "gamma",
    0.5,
    _from_0_to_1("gamma", "the weight of I-rec"),
    lambda x: f"{x}: the weight of I-rec, beside D-nDCG (RS-DIV-17)",
    "the weight of I-rec, beside D-nDCG: from 0 to 1",
    annotation="float",
)
NORM = choice(
    "norm",
    "normaliser that does not depend on the collection",
    {
        "max": "over the value of a list of items that are all relevant to all subtopics",
        "none": "as it is",
    },
    "RS-DIV-3",
    "max: divide by the value of a list whose items are relevant to all subtopics; or none",
)
IDEAL = choice(
    "ideal",
    "ideal list",
    {
        "greedy": "rank by rank an item of the pool that gains most",
        "exact": "the list of items of the pool that has the greatest value",
    },
    {"greedy": "RS-DIV-4", "exact": "RS-DIV-5"},
    "greedy: at each rank take an item that gains most; exact: the best list, for small pools",
)
STOPPING = choice(
    "stopping",
    "way to stop",
    {
        AS_ALPHA: "relevant items gain 1, and leave 1 - alpha of what is left",
        AS_MAX: "an item gains (2^g - 1) / 2^max, and leaves the rest",
    },
    {AS_ALPHA: "RS-DIV-2", AS_MAX: "RS-CAS-1"},
    "alpha: items are relevant or not; max: an item of label g gains (2^g - 1) / 2^max",
)
MAX = Parameter(
    "max",
    4,
    largest_label,
    lambda x: f"the largest label is {x} (RS-CAS-1)",
    'the largest label, where stopping is "max"',
    annotation="int",
)


# ---- gains and shares of novelty of a label ---------------------------------------------------


def _gain_and_share(m: Measure) -> tuple[Exactly, Exactly]:
    """g and s of RS-DIV-2: rational numbers of a label."""
    if getattr(m, "stopping", AS_ALPHA) == AS_MAX:
        stops = cache(lambda r: Fraction(cascade.stop_probability(max(int(r), 0), m.max)))
        return stops, stops
    alpha = Fraction(m.alpha)
    return _relevant(m), cache(lambda r: alpha if r >= m.rel else Fraction(0))


def _relevant(m: Measure) -> Exactly:
    return cache(lambda r: Fraction(int(r >= m.rel)))


def _gain(m: Measure) -> Exactly:
    of = m.gain.of(RATIONALS)
    return cache(lambda r: Fraction(of(r)))


def _greatest(m: Measure) -> tuple[Fraction, Fraction]:
    """The greatest gain and share of novelty that a label has."""
    if getattr(m, "stopping", AS_ALPHA) == AS_MAX:
        R = Fraction(cascade.stop_probability(m.max, m.max))
        return R, R
    return Fraction(1), Fraction(m.alpha)


# ---- what the equations are taken of, each made once of a ranking -----------------------------


def _once(x: IntentRanking, key: tuple[Any, ...], make: Callable[[], Kept]) -> Kept:
    if key not in x.kept:
        x.kept[key] = make()
    return cast("Kept", x.kept[key])


def _P(m: Measure, x: IntentRanking) -> list[Fraction]:
    """The probabilities of the subtopics."""
    return _once(
        x,
        ("P", m.rel),
        lambda: diversity.probabilities(x.pool, m.rel, x.probabilities, x.subtopics),
    )


def _of_novelty(m: Measure) -> tuple[Any, ...]:
    """What of a measure the gains of novelty depend on."""
    if getattr(m, "stopping", AS_ALPHA) == AS_ALPHA:
        return (AS_ALPHA, m.alpha, m.rel)
    return (AS_MAX, m.max, m.rel)


def _novelty(m: Measure, x: IntentRanking, rows: Sequence[Row], R: Reals) -> list[Number]:
    """The gains of novelty of a list."""
    return diversity.novelty_gains(rows, _P(m, x), *_gain_and_share(m), R)


def _own_novelty(m: Measure, x: IntentRanking, R: Reals) -> list[Number]:
    """The gains of novelty of the list shown."""
    key = ("G", type(R), getattr(R, "precision", None), *_of_novelty(m))
    return _once(x, key, lambda: _novelty(m, x, x.rows, R))


def _ideals(m: Measure, x: IntentRanking, k: int) -> list[list[Row]]:
    """The ideal list; those that it may be, where that is open.

    It may be longer than k.
    """
    P, gs = _P(m, x), _gain_and_share(m)
    if m.ideal == "greedy":
        # The list for the greatest k so far: it begins with that of a smaller one.
        key = ("greedy", *_of_novelty(m))
        most, known = x.kept.get(key, (0, []))
        if most < min(k, len(x.pool)):
            most, known = x.kept[key] = k, diversity.greedy_ideal(x.pool, k, P, *gs)
        return [known]

    def search() -> list[list[Row]]:
        w = _weights(m, FLOATS)
        try:
            return diversity.exact_ideal(x.pool, k, P, *gs, w)
        except TooManySteps:
            different = len(set(map(tuple, x.pool)))
            raise NoValue(
                f'measure "{m}"',
                f"the exact ideal of a pool of {len(x.pool)} items, {different} of them "
                f'different, would take more than {diversity.MOST_STEPS} steps; ideal="greedy" '
                "is what other programs use (RS-DIV-5)",
            ) from None

    return _once(x, ("exact", m.metric.name, k, m.choices), search)


def _weights(m: Measure, R: Reals) -> diversity.Weight:
    """The weight of each rank."""
    if "discount" in m.metric.parameters:
        return cast("diversity.Weight", m.discount.of(R))
    if "beta" in m.metric.parameters:
        return cascade.powers(m.beta, R)
    return lambda i: R.exact(Fraction(1, i))


# ---- the equations, applied -------------------------------------------------------------------


def _sum(m: Measure, G: list[Number], k: int, R: Reals) -> Number:
    """The weighted sum of gains that the metric is."""
    if "discount" in m.metric.parameters:
        return diversity.alpha_dcg(G, k, m.discount.of(R))
    if "beta" in m.metric.parameters:
        return diversity.nrbp(G, k, m.alpha, m.beta, R)
    return diversity.err_ia(G, k, R)


def _cascade(m: Measure, x: Any, k: int, R: Reals) -> Number:
    """α-DCG and ERR-IA."""
    total = _sum(m, _own_novelty(m, x, R), k, R)
    if m.norm == "none":
        if "discount" in m.metric.parameters and x.probabilities is None:
            return total * R.exact(sum(map(bool, _P(m, x))))  # each subtopic counts 1 there
        return R.exact(0) + total
    if k > MOST_RANKS:
        raise NoValue(
            f'measure "{m}"',
            f'norm="max" sums the gains of all ranks, here {k}, but supports at most '
            f'{MOST_RANKS}. Give a lower cut-off, or norm="none" (RS-DIV-3)',
        )
    greatest = diversity.greatest_sum(k, *_greatest(m), _weights(m, R), R)
    return diversity.normalised(total, greatest, R)


def _nrbp(m: Measure, x: Any, k: int, R: Reals) -> Number:
    return _sum(m, _own_novelty(m, x, R), k, R)


def _normalised(m: Measure, x: Any, k: int, R: Reals) -> Number:
    """α-nDCG, nERR-IA and nNRBP."""
    ideals = [R.exact(0) + _sum(m, _novelty(m, x, rows[:k], R), k, R) for rows in _ideals(m, x, k)]
    ideal = ideals[0] if len(ideals) == 1 else R.greatest(ideals)
    if not _has_ideal(m, x):
        return R.exact(0)
    return diversity.normalised(_sum(m, _own_novelty(m, x, R), k, R), ideal, R)


def _intent_aware(of: Callable[[Measure, list[Exact], list[Exact], int, Reals], Number]) -> Reading:
    """The mean over subtopics of what a metric is of the labels of each."""

    def reading(m: Measure, x: Any, k: int, R: Reals) -> Number:
        P = _P(m, x)
        values = [
            of(m, diversity.column(x.rows, j), diversity.column(x.pool, j), k, R) if p else 0
            for j, p in enumerate(P)
        ]
        return diversity.intent_aware(values, P, R)

    return reading


def _ndcg(m: Measure, r: list[Exact], J: list[Exact], k: int, R: Reals) -> Number:
    return dcg.ndcg(r, J, k, m.gain.of(R), m.discount.of(R))


def _ap(m: Measure, r: list[Exact], J: list[Exact], k: int, R: Reals) -> Number:
    R_i, N_p = precision.relevance(r, m.rel), sum(precision.relevance(J, m.rel))
    return precision.ap(R_i, N_p, k, "R", R)


def _p(m: Measure, r: list[Exact], _: list[Exact], k: int, R: Reals) -> Number:
    return precision.precision(precision.relevance(r, m.rel), len(r) if m.k is None else k, R)


def _subtopic_recall(m: Measure, x: Any, k: int, R: Reals) -> Number:
    return diversity.subtopic_recall(x.rows, x.pool, k, _P(m, x), m.rel, R)


def _d_ndcg(m: Measure, x: Any, k: int, R: Reals) -> Number:
    P, g = _P(m, x), _gain(m)
    GG, GG_J = (
        _once(x, (what, m.gain, *P), lambda rows=rows: diversity.global_gains(rows, P, g))  # type: ignore[misc]
        for what, rows in (("GG", x.rows), ("GG of the pool", x.pool))
    )
    return diversity.d_ndcg(GG, GG_J, k, m.discount.of(R), R)


def _dsharp(m: Measure, x: Any, k: int, R: Reals) -> Number:
    return diversity.dsharp(_subtopic_recall(m, x, k, R), _d_ndcg(m, x, k, R), m.gamma, R)


# ---- which labels are taken, and when a value is defined --------------------------------------


def _refusal_of_stop(m: Measure, label: Exact) -> str | None:
    if m.stopping == AS_MAX and (label != int(label) or not 0 <= label <= m.max):
        return f"the labels are the whole numbers 0 to {m.max}; max says where they end (RS-CAS-1)"
    return None


def _refusal_of_gain(m: Measure, label: Exact) -> str | None:
    if why := m.gain.refusal(label):
        return cast("str", why)
    if m.gain.kind == "exp2" and label != int(label):
        return 'the gain "exp2" takes whole labels here: global gains are compared (RS-DIV-15)'
    return None


def _has_subtopics(m: Measure, x: IntentRanking) -> bool:
    return any(_P(m, x))


def _has_relevant(m: Measure, x: IntentRanking) -> bool:
    """Whether an item of the pool is relevant to a subtopic that counts."""
    P = _P(m, x)
    return any(p and r >= m.rel for row in x.pool for p, r in zip(P, row, strict=True))


def _has_ideal(m: Measure, x: IntentRanking) -> bool:
    """Whether an item of the pool gains something."""
    P, (g, _) = _P(m, x), _gain_and_share(m)
    return any(p and g(r) for row in x.pool for p, r in zip(P, row, strict=True))


def _has_global_gain(m: Measure, x: IntentRanking) -> bool:
    P, g = _P(m, x), _gain(m)
    return any(p and g(r) for row in x.pool for p, r in zip(P, row, strict=True))


# ---- the metrics ------------------------------------------------------------------------------


@record(eq=False, repr=False)
class DiversityMetric(Metric):
    """A metric that is taken of items with a label for each subtopic.

    defined: whether a value is defined: some subtopic counts, and no ideal gain is 0
    """

    defined: Defined = _has_subtopics

    __doc__ = helptext.told(help_of_metric, __doc__ or "A metric.")

    taken_of: ClassVar[str] = "diversity"
    taken_of_one: ClassVar[str] = "ranking of items with a label for each subtopic"
    argument: ClassVar[str] = "labels"
    no_order: ClassVar[str | None] = "is of items with several labels (RS-BND-1)"

    def example(self) -> tuple[list[Any], Any]:
        return [list(row) for row in EXAMPLE_ROWS], IntentRanking(EXAMPLE_ROWS, EXAMPLE_ROWS)


def _metric(
    name: str,
    function: str,
    title: str,
    spec: str,
    equation: Reading,
    chosen: Parameters,
    formula: str = "",
    **more: Any,
) -> DiversityMetric:
    return DiversityMetric(
        name=name,
        function=function,
        title=title,
        spec=spec,
        expected_spec=spec,
        plain=equation,
        expected=equation,  # ties are settled before
        parameters=chosen,
        pool=True,
        extremes=NO_EXTREMES,
        formula=formula,
        **more,
    )


def _doc(says: str, example: str) -> Doc:
    return Doc(says, example)


def _as_it_is(*names: str) -> dict[str, str]:
    """Names that cannot stand before brackets: of ndeval, NTCIREVAL and papers."""
    return dict.fromkeys(names, "")


_BY_STOPPING = Labels(refusal=_refusal_of_stop)
_BY_GAIN = Labels(refusal=_refusal_of_gain)

METRICS = (
    _metric(
        "alpha_DCG",
        "alpha_dcg",
        "DCG of novelty",
        "RS-DIV-3",
        _cascade,
        parameters(ALPHA, REL, DISCOUNT, NORM),
        doc=_doc(
            'α-DCG@k, the discounted sum of the gains of novelty; with norm "max", divided by '
            "the same sum for a list whose items are all relevant to all subtopics.",
            '>>> alpha_dcg([[1, 0], [1, 0]], judged=[[1, 0], [1, 0], [0, 1]], discount="none",\n'
            '...           norm="none")\n1.5',
        ),
        names=Names(others={"papers": ("α_DCG",)}, with_parameters=_as_it_is("alpha-DCG", "α-DCG")),
    ),
    _metric(
        "alpha_nDCG",
        "alpha_ndcg",
        "normalised DCG of novelty",
        "RS-DIV-6",
        _normalised,
        parameters(ALPHA, REL, DISCOUNT, IDEAL),
        defined=_has_ideal,
        formula="α-nDCG@k = α-DCG@k / that of the ideal list, and 0 where that is 0",
        doc=_doc(
            "α-nDCG@k, α-DCG divided by the α-DCG of the ideal list.",
            ">>> alpha_ndcg([[1, 0], [0, 1]], judged=[[1, 0], [0, 1], [1, 0]], k=2)\n1.0",
        ),
        names=Names(
            others={"papers": ("α_nDCG",)}, with_parameters=_as_it_is("alpha-nDCG", "α-nDCG")
        ),
    ),
    _metric(
        "ERR_IA",
        "err_ia",
        "intent-aware expected reciprocal rank",
        "RS-DIV-7",
        _cascade,
        parameters(ALPHA, REL, STOPPING, MAX, NORM),
        labels=_BY_STOPPING,
        doc=_doc(
            "ERR-IA@k, the sum of the gains of novelty, each divided by its rank; with norm "
            '"max", divided by the same sum for a list whose items are all relevant to all '
            "subtopics.",
            '>>> err_ia([[1, 0], [1, 1]], norm="none")\n0.875',
        ),
        names=Names(with_parameters=_as_it_is("ERR-IA")),
    ),
    _metric(
        "nERR_IA",
        "nerr_ia",
        "normalised intent-aware expected reciprocal rank",
        "RS-DIV-8",
        _normalised,
        parameters(ALPHA, REL, STOPPING, MAX, IDEAL),
        labels=_BY_STOPPING,
        defined=_has_ideal,
        formula="nERR-IA@k = ERR-IA@k / that of the ideal list, and 0 where that is 0",
        doc=_doc(
            "nERR-IA@k, ERR-IA divided by the ERR-IA of the ideal list.",
            ">>> nerr_ia([[0, 0], [1, 1]], judged=[[1, 1], [0, 0]])\n0.5",
        ),
        names=Names(with_parameters=_as_it_is("nERR-IA")),
    ),
    _metric(
        "NRBP",
        "nrbp",
        "novelty- and rank-biased precision",
        "RS-DIV-9",
        _nrbp,
        parameters(ALPHA, BETA, REL),
        doc=_doc(
            "NRBP, the sum of the gains of novelty, where each rank weighs beta times as much as "
            "the rank before it.",
            ">>> nrbp([[1, 0], [1, 1]])\n0.65625",
        ),
    ),
    _metric(
        "nNRBP",
        "nnrbp",
        "normalised novelty- and rank-biased precision",
        "RS-DIV-10",
        _normalised,
        parameters(ALPHA, BETA, REL, IDEAL),
        defined=_has_ideal,
        formula="nNRBP = NRBP / that of the ideal list, and 0 where that is 0",
        doc=_doc(
            "nNRBP, NRBP divided by the NRBP of the ideal list.",
            ">>> nnrbp([[0, 0], [1, 1]], judged=[[1, 1], [0, 0]])\n0.5",
        ),
    ),
    _metric(
        "nDCG_IA",
        "ndcg_ia",
        "intent-aware nDCG",
        "RS-DIV-11",
        _intent_aware(_ndcg),
        parameters(GAIN, DISCOUNT, REL),
        formula="nDCG-IA@k = Σ_j P(j) nDCG@k of subtopic j",
        doc=_doc(
            "nDCG-IA@k, the mean over subtopics of nDCG@k.",
            ">>> ndcg_ia([[2, 0], [1, 0]], judged=[[2, 0], [1, 0], [0, 1]])\n0.5",
        ),
        names=Names(with_parameters=_as_it_is("NDCG-IA")),
    ),
    _metric(
        "AP_IA",
        "ap_ia",
        "intent-aware average precision",
        "RS-DIV-12",
        _intent_aware(_ap),
        parameters(REL),
        formula="AP-IA@k = Σ_j P(j) AP@k of subtopic j",
        doc=_doc(
            "AP-IA@k, the mean over subtopics of AP@k.",
            ">>> ap_ia([[0, 1], [1, 0]])\n0.75",
        ),
        names=Names(others={"ir_measures": ("MAP_IA",)}, with_parameters=_as_it_is("MAP-IA")),
    ),
    _metric(
        "P_IA",
        "p_ia",
        "intent-aware precision",
        "RS-DIV-13",
        _intent_aware(_p),
        parameters(REL),
        formula="P-IA@k = Σ_j P(j) P@k of subtopic j",
        doc=_doc(
            "P-IA@k, the mean over subtopics of precision at k.",
            ">>> p_ia([[1, 1], [1, 0]], k=2)\n0.75",
        ),
        names=Names(
            others={"ir_measures": ("precision_IA", "PrecisionIA", "PrecIA")},
            with_parameters=_as_it_is("P-IA"),
        ),
    ),
    _metric(
        "StRecall",
        "st_recall",
        "subtopic recall",
        "RS-DIV-14",
        _subtopic_recall,
        parameters(REL),
        defined=_has_relevant,
        doc=_doc(
            "S-recall@k and I-rec@k: the share of subtopics for which one of the first k items "
            "is relevant.",
            ">>> st_recall([[1, 0], [0, 1]], k=1)\n0.5",
        ),
        names=Names(
            others={"ndeval": ("strec",), "ir_measures": ("STREC",), "NTCIREVAL": ("I_rec",)},
            with_parameters=_as_it_is("I-rec", "S-recall"),
        ),
    ),
    _metric(
        "D_nDCG",
        "d_ndcg",
        "nDCG of global gains",
        "RS-DIV-16",
        _d_ndcg,
        parameters(GAIN, DISCOUNT, REL),
        labels=_BY_GAIN,
        defined=_has_global_gain,
        doc=_doc(
            "D-nDCG@k, nDCG of the global gains; the global gain of an item is the mean of its "
            "gains over the subtopics.",
            '>>> d_ndcg([[0, 0], [2, 1]], judged=[[2, 1], [0, 0]], discount="zipf")\n0.5',
        ),
        names=Names(with_parameters=_as_it_is("D-nDCG")),
    ),
    _metric(
        "Dsharp_nDCG",
        "dsharp_ndcg",
        "nDCG of global gains, with intent recall",
        "RS-DIV-17",
        _dsharp,
        parameters(GAMMA, GAIN, DISCOUNT, REL),
        labels=_BY_GAIN,
        defined=_has_global_gain,
        doc=_doc(
            "D♯-nDCG@k, the mean of I-rec@k, with the weight gamma, and D-nDCG@k.",
            ">>> dsharp_ndcg([[1, 0]], judged=[[1, 0], [0, 1]], k=1, gamma=0.25)\n0.875",
        ),
        names=Names(with_parameters=_as_it_is("D#-nDCG", "D♯-nDCG")),
    ),
)


def is_defined(m: Measure, x: IntentRanking) -> bool:
    """Whether the value is defined: some subtopic counts, and no ideal gain is 0."""
    return cast("DiversityMetric", m.metric).defined(m, x)
