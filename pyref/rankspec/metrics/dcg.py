"""CG, DCG, IDCG and nDCG, applied to measures and rankings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..compute.call import Call, Core, Fields, IdealCutoffs, Weights, Word
from ..compute.computable import Tables
from ..compute.gain import LOG2, UNDISCOUNTED
from ..errors import InputError, NoValue
from ..later import bounds, dcg, precision
from ..records import replace
from ..typed import TYPE_CHECKING
from . import axioms
from .breakdown import DISCOUNT as DISCOUNT_COLUMN
from .breakdown import GAIN as GAIN_COLUMN
from .breakdown import RELEVANT, Breakdown, LinearVariance, discount_factor, each_rank
from .helptext import Doc
from .measure import (
    NO_EXTREMES,
    Divisor,
    Extremes,
    Labels,
    Measure,
    Metric,
    Orders,
    PaperBounds,
    Quotient,
    Ranking,
    over_divisors,
)
from .names import Names, Spelling
from .parameters import (
    DISCOUNT,
    DISCOUNT_IN_CORE,
    GAIN,
    GAIN_IN_CORE,
    REL,
    REL_IN_CORE,
    choice,
    parameters,
)

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact, Number, Reals

IDEAL = choice(
    "ideal",
    "cut-off of the ideal",
    {
        "k": "cut where the list is",
        "all": "the whole pool, uncut",
        "shown": "cut at the number of items shown, where that is less than k",
        "perfect": "no pool: k items of gain 1, the sum of the discounts",
    },
    {"k": "RS-DCG-7", "all": "RS-DCG-7", "shown": "RS-DCG-7", "perfect": "RS-DCG-8"},
    "where nDCG cuts the ideal: k, as the list; all, the pool uncut; shown, at most as long as the "
    "list; or perfect, k items of gain 1",
)
LARGEST_PERFECT = 100_000  # of k items of gain 1, whose discounts are summed
MOST_SUMS = 20_000  # of gains of tied items
_OF_POOL = ("k", "all")  # the ideals that are the pool's, however long the list is


def gains_nothing(m: Measure, pool: Sequence[Exact]) -> bool:
    """Whether the ideal of a pool gains nothing."""
    return m.discount.is_zero(1) or all(m.gain.is_zero(label) for label in pool)


def _nothing_to_divide_by(m: Measure, pool: Sequence[Exact]) -> bool:
    return m.discount.is_zero(1) if _is_perfect(m) else gains_nothing(m, pool)


def _no_ideal_of_list(m: Measure, x: Ranking) -> bool:
    return x.length == 0 or gains_nothing(m, x.pool)


def _ideal_uncut(m: Measure) -> bool:
    return m.ideal == "all"  # type: ignore[no-any-return]


def _is_perfect(m: Measure) -> bool:
    return m.ideal == "perfect"  # type: ignore[no-any-return]


def _check_perfect(m: Measure) -> None:
    if _is_perfect(m) and m.k is not None and m.k > LARGEST_PERFECT:
        raise InputError(
            f'k: the cut-off is {m.k}; with ideal "perfect" it may be at most {LARGEST_PERFECT}, '
            "because the discounts are summed (RS-DCG-8)"
        )


def _tables(m: Measure, deepest: int) -> Tables:
    summed = m.k if _is_perfect(m) and m.k is not None else 0
    return {"discount": (m.discount, max(deepest, summed))}


def expected_dcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """DCG@k, in tie groups its expectation."""
    return dcg.expected_dcg(x.groups, k, m.gain.of(R), m.discount.of(R))


def variance_of_dcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """The variance of DCG@k in a random order of the list."""
    return dcg.variance_of_dcg(x.labels, k, m.gain.of(R), m.discount.of(R))


def idcg_of_pool(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """IDCG@k of the pool."""
    return dcg.idcg(x.pool, k, m.gain.of(R), m.discount.of(R))


def _dcg_of_eq7(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return bounds.expected_dcg_of_eq7(x.pool, k, m.gain.of(R), m.discount.of(R))


def _normaliser(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.divisor_of_ndcg(m.ideal, x.pool, k, x.length, m.gain.of(R), m.discount.of(R))


def _shown_by_ideal(m: Measure, x: Ranking, k: int) -> int | None:
    if _is_perfect(m):
        return None
    return min(dcg.ideal_cutoff(m.ideal, x.pool, k, x.length), len(x.pool))


def _name_of_normaliser(m: Measure) -> str:
    if _is_perfect(m):
        return "perfect DCG" if m.k is None else f"perfect DCG@{m.k}"
    if m.ideal == "shown":
        return "IDCG@n" if m.k is None else f"IDCG@min({m.k}, n)"
    return "IDCG" if m.k is None or _ideal_uncut(m) else f"IDCG@{m.k}"


_DISCOUNTED: Fields = {"gain": GAIN_IN_CORE, "discount": DISCOUNT_IN_CORE}
_CG_IN_CORE = Call("RS_DCG", {**_DISCOUNTED, "discount": Weights(UNDISCOUNTED)})
_DCG_IN_CORE = Call("RS_DCG", _DISCOUNTED)
_IDEALS = {"k": "RS_IDEAL_OF_POOL", "all": "RS_IDEAL_OF_POOL"}
_IDEALS_OF_LIST = {"shown": "RS_IDEAL_OF_SHOWN", "perfect": "RS_IDEAL_PERFECT"}
_BY_IDEAL: Fields = {**_DISCOUNTED, "k_ideal": IdealCutoffs()}
_NDCG_IN_CORE = Call(
    "RS_NDCG", {**_BY_IDEAL, "ideal": Word(lambda m: m.ideal, _IDEALS | _IDEALS_OF_LIST)}
)
_BIN_G_IN_CORE = Call("RS_BIN_G", {"theta": REL_IN_CORE, "discount": Weights(LOG2)})
_G_IN_CORE = Call("RS_G", {**_DISCOUNTED, "discount": Weights(LOG2)})
_BOUNDS_OF_NDCG_IN_CORE = Call("RS_NDCG", {**_BY_IDEAL, "ideal": Word(lambda m: m.ideal, _IDEALS)})


def _gain(m: Measure, _: Ranking, R: Reals) -> Callable[[Exact], Number]:
    return m.gain.of(R)  # type: ignore[no-any-return]


GAINS = Breakdown((GAIN_COLUMN, DISCOUNT_COLUMN))
DISCOUNTED_GAINS = replace(GAINS, variance=LinearVariance("gain", _gain, "disc", discount_factor))

# ---- averages of nDCG, nCG, G and binG -----------------------------------------------------------


def _gains_at_all(m: Measure, labels: Sequence[Exact]) -> list[bool]:
    return [not m.gain.is_zero(label) for label in labels]


def _number_gaining(m: Measure, pool: Sequence[Exact]) -> int:
    return sum(_gains_at_all(m, pool))


def _no_gain(m: Measure, pool: Sequence[Exact]) -> bool:
    return not _number_gaining(m, pool)


def _nothing_discounted(m: Measure, pool: Sequence[Exact]) -> bool:
    return m.discount.is_zero(1) or _no_gain(m, pool)


def _expected_cg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.expected_dcg(x.groups, k, m.gain.of(R), UNDISCOUNTED.of(R))


def _icg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.cg(dcg.ideal(x.pool), k, m.gain.of(R))


def _ndcg_rel(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if _nothing_discounted(m, x.pool):
        return R.exact(0)
    N_p = _number_gaining(m, x.pool)
    gaining = _gains_at_all(m, x.labels)
    return dcg.ndcg_rel(x.labels, gaining, x.pool, k, m.gain.of(R), m.discount.of(R), N_p)


def _expected_ndcg_rel(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if _nothing_discounted(m, x.pool):
        return R.exact(0)
    gaining = [_gains_at_all(m, group) for group in x.groups]
    N_p = _number_gaining(m, x.pool)
    d = m.discount.of(R)
    return dcg.expected_ndcg_rel(x.groups, gaining, x.pool, k, m.gain.of(R), d, N_p)


def _levels(m: Measure, x: Ranking) -> list[int]:
    """The ends of the levels of gain in the ideal ranking, by exact gains."""
    best = dcg.ideal(x.pool)
    return dcg.gain_levels(_gains_at_all(m, best), x.pool, _order_of_gains(m))


def _order_of_gains(m: Measure) -> Callable[[Exact], Exact]:
    """Numbers that are equal where gains are: labels, but for a table."""
    return (lambda x: m.gain.table[int(x)]) if m.gain.kind == "table" else (lambda x: x)


def _ndcg_levels(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if _nothing_discounted(m, x.pool):
        return R.exact(0)
    g, d = m.gain.of(R), m.discount.of(R)
    return R.exact(0) + dcg.ndcg_levels(x.labels, x.pool, k, g, d, _levels(m, x))


def _expected_ndcg_levels(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    if _nothing_discounted(m, x.pool):
        return R.exact(0)
    g, d = m.gain.of(R), m.discount.of(R)
    return R.exact(0) + dcg.expected_ndcg_levels(x.groups, x.pool, k, g, d, _levels(m, x))


def _R(m: Measure, labels: Sequence[Exact]) -> list[int]:
    return precision.relevance(labels, m.rel)


def _misses(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """The sum of binG, before it is divided."""
    return R.exact(0) + dcg.expected_bin_g([_R(m, T) for T in x.groups], 1, k, LOG2.of(R))


def _exact_gains(m: Measure, labels: Sequence[Exact]) -> list[Exact]:
    if m.gain.kind == "exp2":
        return [2 ** int(label) - 1 for label in labels]
    if m.gain.kind not in ("linear", "table"):
        raise ValueError(f"the gain {m.gain.kind} has no exact values")
    return list(map(_order_of_gains(m), labels))


def _refusal_of_g(m: Measure, label: Exact) -> str | None:
    refused = m.gain.refusal(label)
    if refused is None and m.gain.kind == "exp2" and label != int(label):
        return 'with gain="exp2", G takes whole numbers'
    return refused  # type: ignore[no-any-return]


def _best_gains(m: Measure, x: Ranking) -> list[Exact]:
    return _exact_gains(m, dcg.ideal(x.pool))


def _g(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.g_measure(_exact_gains(m, x.labels), _best_gains(m, x), k, R)


def _expected_g(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    groups = [_exact_gains(m, group) for group in x.groups]
    if dcg.counted_sums(groups, k, MOST_SUMS) is None:
        raise NoValue.of_ties(
            f"{m.metric.root.name} with tied items needs the possible sums of their gains, and "
            f"here there are more than {MOST_SUMS} (RS-EXP-84)"
        )
    return dcg.expected_g(groups, _best_gains(m, x), k, R)


def _each_rank_of_levels(m: Measure, x: Ranking, k: int) -> Iterator[Sequence[int]]:
    """The ranks above the end of a level, for each level."""
    n = min(k, x.length)
    for t in dcg.level_cutoffs(_levels(m, x), n):
        yield from each_rank(m, x, min(t, n))


_BY_CUTOFF = Breakdown(
    (GAIN_COLUMN,), tied="adds: how much the mean over the orders changes", by_cutoff=True
)
_BY_CUTOFF_OF_GAINS = replace(_BY_CUTOFF, adds=lambda m, group: any(_gains_at_all(m, group)))


def _undiscounted_by(by: Call) -> Call:
    return Call(
        "RS_NDCG", {**by.fields, "discount": Weights(UNDISCOUNTED), "ideal": "RS_IDEAL_OF_POOL"}
    )


METRICS = (
    Metric(
        name="CG",
        function="cg",
        title="cumulated gain",
        doc=Doc(
            "CG[k], the sum of the gains of the first k ranks.",
            ">>> cg([3, 2, 3, 0, 0, 1], k=3)\n8.0",
        ),
        spec="RS-DCG-1",
        expected_spec="RS-EXP-2",
        plain=lambda m, x, k, R: dcg.cg(x.labels, k, m.gain.of(R)),
        expected=lambda m, x, k, R: dcg.expected_dcg(x.groups, k, m.gain.of(R), UNDISCOUNTED.of(R)),
        parameters=parameters(GAIN),
        pool=False,
        orders=Orders(
            variance=lambda m, x, k, R: dcg.variance_of_dcg(
                x.labels, k, m.gain.of(R), UNDISCOUNTED.of(R)
            )
        ),
        core=Core(
            _CG_IN_CORE,
            bounds=_CG_IN_CORE,
            variances=True,
        ),
        axioms=axioms.sums(axioms.gains, axioms.undiscounted),
        breakdown=Breakdown((GAIN_COLUMN,), variance=LinearVariance("gain", _gain)),
        extremes=Extremes(by_rank=lambda _: True),
    ),
    Metric(
        name="DCG",
        function="dcg",
        title="discounted cumulated gain",
        doc=Doc(
            "DCG@k, the sum of gain times discount over the first k ranks.",
            ">>> dcg([3, 2, 3], k=2)\n4.261859507142915",
        ),
        spec="RS-DCG-2",
        expected_spec="RS-EXP-2",
        plain=lambda m, x, k, R: dcg.dcg(x.labels, k, m.gain.of(R), m.discount.of(R)),
        expected=expected_dcg,
        parameters=parameters(GAIN, DISCOUNT),
        pool=False,
        names=Names(
            others={"ranx": ("dcg",)},
            with_parameters={"dcg_burges": "gain='exp2'"},
        ),
        orders=Orders(
            variance=variance_of_dcg,
            by_paper=PaperBounds(idcg_of_pool, _dcg_of_eq7, "RS-BND-9", of_an_order=True),
        ),
        core=Core(
            _DCG_IN_CORE,
            bounds=_DCG_IN_CORE,
            variances=True,
        ),
        axioms=axioms.sums(axioms.gains, axioms.discounts),
        breakdown=DISCOUNTED_GAINS,
        extremes=Extremes(by_rank=lambda _: True),
    ),
    Metric(
        name="IDCG",
        function="idcg",
        title="ideal discounted cumulated gain",
        doc=Doc(
            "IDCG@k, the DCG@k of the labels in the ideal order. The labels are those of the pool.",
            ">>> idcg([0, 1, 3], k=2) == dcg([3, 1, 0], k=2)\nTrue",
        ),
        spec="RS-DCG-5",
        expected_spec="RS-DCG-5",
        plain=idcg_of_pool,
        expected=idcg_of_pool,
        parameters=parameters(GAIN, DISCOUNT),
        pool=True,
        of_pool=True,
        core=Core(Call("RS_IDCG", _DISCOUNTED)),
        breakdown=GAINS,
    ),
    Metric(
        name="nDCG",
        function="ndcg",
        title="normalised discounted cumulated gain",
        doc=Doc(
            "nDCG@k = DCG@k / IDCG@k, or 0 if IDCG@k is 0. ideal sets where the ideal ranking is "
            'cut: "k" at k; "all" not at all; "shown" at the end of a list shorter than k '
            '(RS-DCG-7); with "perfect" the divisor is the sum of the first k discounts '
            "(RS-DCG-8).",
            ">>> ndcg([3, 2, 3, 0, 1, 2], k=10)\n0.9608081943360616",
        ),
        spec="RS-DCG-6",
        expected_spec="RS-EXP-3",
        plain=lambda m, x, k, R: dcg.ndcg(
            x.labels, x.pool, k, m.gain.of(R), m.discount.of(R), m.ideal
        ),
        expected=lambda m, x, k, R: dcg.expected_ndcg(
            x.groups, x.pool, k, m.gain.of(R), m.discount.of(R), m.ideal
        ),
        parameters=parameters(GAIN, DISCOUNT, IDEAL),
        pool=True,
        names=Names(
            trec="ndcg",
            trec_cut="ndcg_cut",
            others={"ir_measures": ("NDCG",), "NTCIREVAL": ("MSnDCG",), "ranx": ("ndcg",)},
            with_parameters={"ndcg_burges": "gain='exp2'"},
            spellings={
                "dcg": Spelling(
                    "gain",
                    {"log2": "linear", "exp-log2": "exp2"},
                    chooses=("gain", "discount"),
                )
            },
        ),
        quotient=Quotient(
            "DCG",
            expected_dcg,
            (
                Divisor(
                    _name_of_normaliser,
                    _normaliser,
                    lambda m: "RS-DCG-8" if _is_perfect(m) else "RS-DCG-5",
                    sum_of_ideal=lambda m: not _is_perfect(m),
                ),
            ),
            _shown_by_ideal,
            by_k=_is_perfect,
            by_0=_nothing_to_divide_by,
            by_list=lambda m: m.ideal == "shown",
            by_0_of_list=_no_ideal_of_list,
            ideal_uncut=_ideal_uncut,
        ),
        orders=Orders(
            variance=variance_of_dcg,
            by_paper=PaperBounds(
                over_divisors(idcg_of_pool),
                over_divisors(_dcg_of_eq7),
                "RS-BND-9",
                of_an_order=True,
            ),
        ),
        extremes=Extremes(lambda m, _: m.ideal in _OF_POOL, in_layers=True),
        tables=_tables,
        check=_check_perfect,
        core=Core(
            _NDCG_IN_CORE,
            bounds=_BOUNDS_OF_NDCG_IN_CORE,
            variances=True,
        ),
        axioms=axioms.normalised(
            axioms.gains,
            axioms.discounts,
            lambda m: m.ideal in _OF_POOL,
            at_any_depth=lambda m: not _ideal_uncut(m),
        ),
        breakdown=DISCOUNTED_GAINS,
    ),
    Metric(
        name="nCG",
        function="ncg",
        title="normalised cumulated gain",
        doc=Doc(
            "nCG@k, CG[k] divided by the CG[k] of the ideal ranking, or 0 if that is 0.",
            ">>> ncg([3, 2, 3, 0, 1, 2], k=2)\n0.8333333333333334",
        ),
        spec="RS-DCG-9",
        expected_spec="RS-EXP-80",
        plain=lambda m, x, k, R: dcg.ncg(x.labels, x.pool, k, m.gain.of(R)),
        expected=lambda m, x, k, R: dcg.expected_ncg(x.groups, x.pool, k, m.gain.of(R)),
        parameters=parameters(GAIN),
        pool=True,
        names=Names(others={"others": ("NCG",)}),
        quotient=Quotient(
            "CG",
            _expected_cg,
            (
                Divisor(
                    lambda m: "ICG" if m.k is None else f"ICG@{m.k}",
                    _icg,
                    "RS-DCG-9",
                    sum_of_ideal=lambda _: True,
                ),
            ),
            lambda m, x, k: min(k, len(x.pool)),
            by_0=_no_gain,
        ),
        orders=Orders(
            variance=lambda m, x, k, R: dcg.variance_of_dcg(
                x.labels, k, m.gain.of(R), UNDISCOUNTED.of(R)
            )
        ),
        extremes=NO_EXTREMES,
        core=Core(
            _undiscounted_by(_NDCG_IN_CORE), bounds=_undiscounted_by(_NDCG_IN_CORE), variances=True
        ),
        axioms=axioms.normalised(axioms.gains, axioms.undiscounted, at_any_depth=lambda _: False),
        breakdown=Breakdown((GAIN_COLUMN,), variance=LinearVariance("gain", _gain)),
    ),
    Metric(
        name="nDCG_rel",
        function="ndcg_rel",
        title="nDCG averaged over the relevant items",
        doc=Doc(
            "The mean of nDCG@i over the ranks i up to k that hold a gain; each item of the pool "
            "with a gain that is not shown counts as DCG@k / IDCG of the whole ideal.",
            ">>> ndcg_rel([0, 1]) == ndcg([0, 1])\nTrue",
        ),
        spec="RS-DCG-10",
        expected_spec="RS-EXP-81",
        plain=_ndcg_rel,
        expected=_expected_ndcg_rel,
        parameters=parameters(GAIN, DISCOUNT),
        pool=True,
        names=Names(trec="ndcg_rel"),
        undefined=_nothing_discounted,
        core=Core(Call("RS_NDCG_REL", _DISCOUNTED)),
        breakdown=_BY_CUTOFF_OF_GAINS,
        extremes=NO_EXTREMES,
    ),
    Metric(
        name="nDCG_levels",
        function="ndcg_levels",
        title="nDCG averaged over the levels of gain",
        doc=Doc(
            "The mean of nDCG at the ranks where the gains of the ideal ranking change, and at "
            "the end of a longer list.",
            ">>> ndcg_levels([2, 1]), ndcg_levels([1, 2]) < ndcg([1, 2])\n(1.0, True)",
        ),
        spec="RS-DCG-11",
        expected_spec="RS-EXP-82",
        plain=_ndcg_levels,
        expected=_expected_ndcg_levels,
        parameters=parameters(GAIN, DISCOUNT),
        pool=True,
        names=Names(trec="Rndcg"),
        undefined=_nothing_discounted,
        core=Core(Call("RS_NDCG_LEVELS", _DISCOUNTED)),
        breakdown=Breakdown((GAIN_COLUMN,), _each_rank_of_levels),
        extremes=NO_EXTREMES,
    ),
    Metric(
        name="binG",
        function="bin_g",
        title="binary G",
        doc=Doc(
            "binG@k: each relevant item within the cut-off counts 1/log2(2 + b), where b is the "
            "number of items above it that are not relevant; the sum is divided by the number of "
            "relevant items of the pool.",
            ">>> bin_g([0, 0, 1]), bin_g([1, 0, 0])\n(0.5, 1.0)",
        ),
        spec="RS-DCG-12",
        expected_spec="RS-EXP-83",
        plain=lambda m, x, k, R: (
            R.exact(0) + dcg.bin_g(_R(m, x.labels), sum(_R(m, x.pool)), k, LOG2.of(R))
        ),
        expected=lambda m, x, k, R: (
            R.exact(0)
            + dcg.expected_bin_g([_R(m, T) for T in x.groups], sum(_R(m, x.pool)), k, LOG2.of(R))
        ),
        parameters=parameters(REL),
        pool=True,
        names=Names(trec="binG"),
        core=Core(_BIN_G_IN_CORE),
        quotient=Quotient(
            "discounted hits",
            _misses,
            (Divisor(lambda m: "N_p", lambda m, x, k, R: sum(_R(m, x.pool)), "RS-DCG-12"),),
            by_0=lambda m, pool: not any(_R(m, pool)),
        ),
        extremes=NO_EXTREMES,
        breakdown=replace(_BY_CUTOFF, columns=(RELEVANT,), adds=lambda m, group: any(_R(m, group))),
    ),
    Metric(
        name="G",
        function="g_measure",
        title="normalised gain by what is missed",
        doc=Doc(
            "G@k: each gain within the cut-off is divided by the logarithm of how far the list "
            "lags behind the ideal ranking there; the sum is divided by the sum of the gains of "
            "the pool.",
            ">>> g_measure([2, 1]), g_measure([0, 2])\n(1.0, 0.6309297535714574)",
        ),
        spec="RS-DCG-13",
        expected_spec="RS-EXP-84",
        plain=_g,
        expected=_expected_g,
        parameters=parameters(GAIN),
        pool=True,
        names=Names(trec="G"),
        undefined=_no_gain,
        core=Core(_G_IN_CORE),
        orders=Orders(
            no_worst="has no known worst order, as it need not end with the best (RS-BND-3)"
        ),
        breakdown=_BY_CUTOFF_OF_GAINS,
        labels=Labels(refusal=_refusal_of_g),
        extremes=NO_EXTREMES,
    ),
)
