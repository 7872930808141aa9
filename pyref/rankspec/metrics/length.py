"""LDCG, ILDCG, LNDCG, LERR, LAP, LRBP and LGAP, applied to measures and rankings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..compute import gain
from ..compute.call import Call, Core, Fields, Table, Word
from ..compute.gain import UNDISCOUNTED, ZIPF, Discount, DiscountLike, Geometric
from ..errors import InputError
from ..later import dcg, enclosure, length, numerics
from ..later import precision as equations
from ..records import record, replace
from ..typed import TYPE_CHECKING, Any, TypeAlias
from . import axioms, cascade, precision
from .dcg import DISCOUNTED_GAINS, GAINS, expected_dcg, gains_nothing, variance_of_dcg
from .helptext import Doc
from .measure import (
    Divisor,
    Extremes,
    Measure,
    Metric,
    Orders,
    Quotient,
    Ranking,
    Reading,
    Tables,
)
from .parameters import (
    DISCOUNT,
    DISCOUNT_IN_CORE,
    GAIN,
    GAIN_IN_CORE,
    LARGEST_M,
    REL,
    Parameter,
    choice,
    parameters,
)

if TYPE_CHECKING:
    from ..reference.numbers.reals import Exact, Number, Reals

PriorLike: TypeAlias = "Prior | DiscountLike"


@record()
class Prior:
    """What the position prior is proportional to (RS-LEN-1): weights, or None for the discount."""

    weights: Discount | None = None

    def __str__(self) -> str:
        if self.weights is None:
            return "discount"
        return "uniform" if self.weights == UNDISCOUNTED else str(self.weights)

    def of(self, own: Discount | Geometric) -> Discount | Geometric:
        """The weights of the ranks, in a metric with a discount of its own."""
        return self.weights or own


def prior(choice: Any) -> Prior:
    """A prior from "discount", "uniform", or anything that a discount can be.

    >>> str(prior("uniform")), str(prior([3, 2, 1]))
    ('uniform', '[3, 2, 1]')
    """
    if isinstance(choice, Prior):
        return choice
    if (name := gain.text_of(choice)) in ("discount", "uniform"):
        return Prior(None if name == "discount" else UNDISCOUNTED)
    weights = gain.discount(choice, "prior", ("discount", "uniform"))
    if weights.depth and weights.is_zero(1):
        raise InputError("prior: the weights add up to 0; at least one must be above 0")
    return Prior(weights)


def _meaning(given: Prior) -> str:
    if given.weights is None:
        return "discount: as the ranks are discounted (RS-LEN-1)"
    of = "" if given.weights == UNDISCOUNTED else f", {given.weights.spec}"
    return f"{given} (RS-LEN-1{of})"


PRIOR = Parameter(
    "prior",
    Prior(),
    prior,
    _meaning,
    "where the user expects the relevant result: discount, uniform, or any discount",
    annotation="PriorLike | Callable[[int], float]",
)
Z = choice(
    "Z",
    "factor of E[DCG]",
    {"M": "Z(M, 1), where there is a cut-off M", "none": "left out"},
    "RS-LEN-3",
    "the factor of E[DCG]: M (Z(M, 1), if there is a cut-off M), or none",
)
IDEAL = choice(
    "ideal",
    "ideal of LNDCG",
    {"true": "the greatest LDCG of the pool", "eq7": "the items of the highest label alone"},
    "RS-LEN-8",
    "what LNDCG divides by: true, the greatest LDCG, or eq7, the paper's",
)
EXP2 = replace(GAIN, default=gain.gain("exp2"))


def weights(m: Measure) -> Discount | Geometric:
    """What the position prior of a measure is proportional to."""
    return m.prior.of(_own_discount(m))  # type: ignore[no-any-return]


def _own_discount(m: Measure) -> Discount | Geometric:
    """How the metric discounts ranks: by its parameter, by p^(i-1), or by 1/i (RS-LEN-12)."""
    if "discount" in m.metric.parameters:
        return m.discount  # type: ignore[no-any-return]
    return Geometric(m.p) if "p" in m.metric.parameters else ZIPF


def _w(m: Measure, R: Reals) -> Callable[[int], Number]:
    return weights(m).of(R)


def _has_Z(m: Measure) -> bool:
    return "Z" in m.metric.parameters and m.Z == "M" and m.k is not None


def _z(m: Measure, R: Reals) -> Number:
    return length.Z(m.k, 1, _w(m, R), R) if m.k is not None and _has_Z(m) else 1


def _tables(m: Measure, deepest: int) -> Tables:
    summed = m.k if m.k is not None and _has_Z(m) else deepest
    own = {"discount": (m.discount, deepest)} if "discount" in m.metric.parameters else {}
    return {**own, "prior": (weights(m), summed)}


def _check(m: Measure) -> None:
    if m.k is not None and m.k > LARGEST_M and _has_Z(m):
        raise InputError(
            f"M: the cut-off is {m.k}; Z(M, 1) is summed over at most {LARGEST_M} ranks "
            '(RS-LEN-3); LDCG, ILDCG, LERR, LAP, LRBP and LGAP work without it: Z="none"'
        )


def _check_lerr(m: Measure) -> None:
    cascade.check_stop(m)
    _check(m)


def user_expected_dcg(m: Measure, numbers: Sequence[int], rel: Exact) -> list[float]:
    """E[DCG] of lists of so many results, for a result of relevance rel (RS-LEN-4)."""
    shown = [N if m.k is None else min(N, m.k) for N in numbers]
    vectors: dict[object, list[Number]] = {}  # one serves all numbers

    def vector(R: Reals) -> list[Number]:
        precision = R.precision if isinstance(R, enclosure.Enclosures) else None
        if precision not in vectors:
            d = m.discount.of(R)
            w = d if weights(m) == m.discount else _w(m, R)  # what is the same is computed once
            z = length.Z(m.k, rel, w, R) if m.k is not None else R.exp2(rel) - 1
            longest = max(shown, default=0)
            vectors[precision] = [0, *length.user_expected_dcg_vector(longest, d, w, z)]
        return vectors[precision]

    return [numerics.nearest_double_of(lambda R, N=N: vector(R)[N]) for N in shown]  # type: ignore[misc]


def _ldcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return length.ldcg(x.labels, k, m.gain.of(R), m.discount.of(R), _w(m, R), _z(m, R))


def _expected_ldcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return length.expected_ldcg(x.groups, k, m.gain.of(R), m.discount.of(R), _w(m, R), _z(m, R))


def _user_expected_dcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    shown = min(len(x.labels), k)
    return length.user_expected_dcg(shown, m.discount.of(R), _w(m, R), _z(m, R))


def _ildcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return length.ideal_ldcg(
        m.ideal, x.pool, k, m.gain.of(R), m.discount.of(R), _w(m, R), _z(m, R), R
    )


def _best_ldcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """The greatest LDCG of the lists of the pool."""
    return length.ildcg(x.pool, k, m.gain.of(R), m.discount.of(R), _w(m, R), _z(m, R), R)


def _best_lndcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    divisor = _ildcg(m, x, k, R)
    return _best_ldcg(m, x, k, R) / divisor if divisor else 0


def _shown_by_ideal(m: Measure, x: Ranking, k: int) -> int:
    """How many results the ideal list shows: the fewest that have its value, up to rounding."""
    labels = dcg.ideal(x.pool)[:k]

    def ldcg_of_first(N: int) -> float:
        first = Ranking.settled(labels[:N], x.pool)
        return numerics.nearest_double_of(lambda R: _ldcg(m, first, k, R))

    return (
        max(block_ends(labels), key=ldcg_of_first)
        if m.ideal == "true"
        else labels.count(max(labels, default=0))
    )


def block_ends(labels: Sequence[Exact]) -> list[int]:
    """Where the blocks of equal labels end, which is where an ideal list does (RS-LEN-7/L2)."""
    return [N for N in range(1, len(labels)) if labels[N - 1] != labels[N]] + [len(labels)]


def _ideal_name(m: Measure) -> str:
    return "ILDCG" if m.k is None else f"ILDCG@{m.k}"


# ---- the adjustment of other metrics -----------------------------------------------------------


def _R_rel(m: Measure, R: Reals) -> Number:
    """The probability to stop at the result that the user expects: the least that there is."""
    found = [1] if cascade.by_label(m) else [x for x in cascade.stop_table(m) if x]
    return R.exact(min(found, default=0))


def _R(m: Measure, x: Ranking) -> list[int]:
    return equations.relevance(x.labels, m.rel)


def _R_groups(m: Measure, x: Ranking) -> list[list[int]]:
    return [equations.relevance(group, m.rel) for group in x.groups]


OfOne: TypeAlias = "Callable[[Measure, Reals], Callable[[int], Number]]"


def _err_of_one(m: Measure, R: Reals) -> Callable[[int], Number]:
    return lambda i: length.err_of_one(i, _R_rel(m, R))


def _sp_of_one(_: Measure, R: Reals) -> Callable[[int], Number]:
    return lambda i: length.sp_of_one(i, R)


def _rbp_of_one(m: Measure, R: Reals) -> Callable[[int], Number]:
    return length.rbp_of_one(m.p, R)


def _gsp_of_one(m: Measure, R: Reals) -> Callable[[int], Number]:
    return lambda i: length.gsp_of_one(i, m.q, R)


def _over_expectation(total_name: str, total: Reading, of_one: OfOne) -> Quotient:
    """A metric over what a user expects of it, for a list so long."""

    def expected(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
        shown = min(x.length, k)
        return length.expectation_of_one(shown, of_one(m, R), _w(m, R), _z(m, R))

    name = lambda m: "user's expectation"  # noqa: E731
    return Quotient(total_name, total, (Divisor(name, expected, "RS-LEN-12", by_rank=True),))


def _lerr(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return length.lerr(x.labels, k, cascade.stop(m, R), _R_rel(m, R), _w(m, R), _z(m, R))


def _lap(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return length.lap(_R(m, x), k, _w(m, R), _z(m, R), R)


def _lrbp(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return length.lrbp(_R(m, x), k, m.p, _w(m, R), _z(m, R), R)


def _lgap(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return length.lgap(x.labels, k, m.q, _w(m, R), _z(m, R), R)


def _best_lgap(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """The greatest LGAP of the lists of the pool."""
    return length.greatest_lgap(x.pool, k, m.q, _w(m, R), _z(m, R), R)


def _best_lerr(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    """The greatest LERR of the lists of the pool."""
    return length.greatest_lerr(x.pool, k, cascade.stop(m, R), _R_rel(m, R), _w(m, R), _z(m, R), R)


def _of_all_relevant(metric: Reading) -> Reading:
    """The value of the list that shows all relevant items of the pool, and no others."""

    def best(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
        relevant = [label for label in x.pool if label >= m.rel]
        return metric(m, Ranking.settled(relevant, x.pool), k, R)

    return best


_EXPECTED = Divisor(lambda m: "user's expectation", _user_expected_dcg, "RS-LEN-4", by_rank=True)

_ADJUSTED: Fields = {"gain": GAIN_IN_CORE, "discount": DISCOUNT_IN_CORE, "weights": Table("prior")}
_Z_IN_CORE = Word(lambda m: m.Z, {"M": 1, "none": 0})
_IDEAL_IN_CORE = Word(lambda m: m.ideal, {"true": "RS_IDEAL_TRUE", "eq7": "RS_IDEAL_EQ7"})
_LDCG_IN_CORE = Call("RS_LDCG", {**_ADJUSTED, "z": _Z_IN_CORE})
_LNDCG_IN_CORE = Call("RS_LNDCG", {**_ADJUSTED, "ideal": _IDEAL_IN_CORE})
_BY_LENGTH: Fields = {"weights": Table("prior"), "z": _Z_IN_CORE}

_ABOUT_LENGTH = {
    "M": (
        "the greatest number of results that can be shown; the list is cut there. The argument "
        "may also be called k"
    ),
    "prior": (
        'where the user expects the relevant result: "discount", "uniform", or any value that '
        "discount takes"
    ),
    "Z": '"M" puts the factor Z(M, 1) into the expectation if M is given; "none" leaves it out',
}

METRICS = (
    Metric(
        name="LDCG",
        function="ldcg",
        title="length-adjusted discounted cumulated gain",
        doc=Doc(
            "LDCG, DCG divided by the DCG that a user expects of a list of this length; 0 for an "
            "empty list.",
            ">>> ldcg([2, 1], M=3)\n5.534231632003019",
            arguments=_ABOUT_LENGTH,
        ),
        spec="RS-LEN-5",
        expected_spec="RS-EXP-11",
        plain=_ldcg,
        expected=_expected_ldcg,
        parameters=parameters(EXP2, DISCOUNT, PRIOR, Z),
        pool=False,
        cutoff="M",
        quotient=Quotient("DCG", expected_dcg, (_EXPECTED,)),
        tables=_tables,
        check=_check,
        orders=Orders(best=_best_ldcg, ends=block_ends, variance=variance_of_dcg),
        core=Core(
            _LDCG_IN_CORE,
            bounds=_LDCG_IN_CORE,
        ),
        axioms=axioms.adjusted(unit=False),
        breakdown=DISCOUNTED_GAINS,
    ),
    Metric(
        name="ILDCG",
        function="ildcg",
        title="ideal length-adjusted discounted cumulated gain",
        doc=Doc(
            "ILDCG, the greatest LDCG of all lists of at most M items of the pool; labels are "
            'those of the pool. With ideal "eq7", the LDCG of only the items with the highest '
            "label (RS-LEN-6).",
            ">>> ildcg([0, 1, 2], M=3) == ldcg([2], M=3)\nTrue",
            like="ldcg",
        ),
        spec="RS-LEN-7",
        expected_spec="RS-LEN-7",
        plain=_ildcg,
        expected=_ildcg,
        parameters=parameters(EXP2, DISCOUNT, PRIOR, Z, IDEAL),
        pool=True,
        of_pool=True,
        cutoff="M",
        quotient=Quotient("IDCG", expected_dcg, (_EXPECTED,), _shown_by_ideal),
        tables=_tables,
        check=_check,
        extremes=Extremes(lambda m, upwards: m.ideal == "true"),
        core=Core(Call("RS_ILDCG", {**_ADJUSTED, "z": _Z_IN_CORE, "ideal": _IDEAL_IN_CORE})),
        breakdown=GAINS,
    ),
    Metric(
        name="LNDCG",
        function="lndcg",
        title="length-adjusted normalised discounted cumulated gain",
        doc=Doc(
            'LNDCG = LDCG / ILDCG, or 0 if ILDCG is 0. With ideal "eq7", ILDCG is the paper\'s '
            "eq. 7 and LNDCG may exceed 1.",
            ">>> lndcg([2, 1], judged=[2, 1, 0])\n0.8656990565937391",
            like="ldcg",
        ),
        spec="RS-LEN-9",
        expected_spec="RS-EXP-12",
        plain=lambda m, x, k, R: length.lndcg(
            x.labels, x.pool, k, m.gain.of(R), m.discount.of(R), _w(m, R), m.ideal, R
        ),
        expected=lambda m, x, k, R: length.expected_lndcg(
            x.groups, x.pool, k, m.gain.of(R), m.discount.of(R), _w(m, R), m.ideal, R
        ),
        parameters=parameters(EXP2, DISCOUNT, PRIOR, IDEAL),
        pool=True,
        cutoff="M",
        quotient=Quotient(
            "DCG",
            expected_dcg,
            (_EXPECTED, Divisor(_ideal_name, _ildcg, "RS-LEN-8")),
            _shown_by_ideal,
            by_0=gains_nothing,
        ),
        tables=_tables,
        extremes=Extremes(lambda m, upwards: m.ideal == "true" and not upwards),
        orders=Orders(best=_best_lndcg, ends=block_ends, variance=variance_of_dcg),
        core=Core(
            _LNDCG_IN_CORE,
            bounds=_LNDCG_IN_CORE,
        ),
        axioms=axioms.adjusted(unit=True),
        breakdown=DISCOUNTED_GAINS,
    ),
    Metric(
        name="LERR",
        function="lerr",
        title="length-adjusted expected reciprocal rank",
        doc=Doc(
            "LERR, ERR divided by the ERR that a user expects of a list of this length; 0 for an "
            "empty list.",
            ">>> lerr([4], M=3) > lerr([4, 0], M=3)\nTrue",
            arguments={
                "max": "the largest label that there can be",
                "stop": "as of err()",
                **_ABOUT_LENGTH,
            },
        ),
        spec="RS-LEN-13",
        expected_spec="RS-EXP-29",
        plain=_lerr,
        expected=lambda m, x, k, R: length.expected_lerr(
            x.groups, k, cascade.exact_stop(m), _R_rel(m, R), _w(m, R), _z(m, R), R
        ),
        parameters=parameters(cascade.MAX, cascade.STOP, PRIOR, Z),
        pool=False,
        cutoff="M",
        quotient=_over_expectation("ERR", cascade.expected_err, _err_of_one),
        labels=cascade.GRADES,
        tables=_tables,
        check=_check_lerr,
        orders=Orders(best=_best_lerr),
        core=Core(
            Call("RS_LERR", {**cascade.STOPPING, **_BY_LENGTH}, lambda m: not cascade.by_label(m))
        ),
        axioms=axioms.adjusted_cascades(cascade.exact_stop, weights),
        breakdown=cascade.OF_ERR,
    ),
    Metric(
        name="LAP",
        function="lap",
        title="length-adjusted average precision",
        doc=Doc(
            "LAP, AP divided by the AP that a user expects of a list of this length; 0 for an "
            "empty list. The divisor of AP is the same in both and cancels, so the pool has no "
            "effect.",
            ">>> lap([1], M=3) > lap([1, 0], M=3)\nTrue",
            arguments=_ABOUT_LENGTH,
        ),
        spec="RS-LEN-14",
        expected_spec="RS-EXP-29",
        plain=_lap,
        expected=lambda m, x, k, R: length.expected_lap(_R_groups(m, x), k, _w(m, R), _z(m, R), R),
        parameters=parameters(REL, PRIOR, Z),
        pool=False,
        cutoff="M",
        quotient=_over_expectation("SP", precision.expected_sp, _sp_of_one),
        tables=_tables,
        check=_check,
        orders=Orders(
            best=_of_all_relevant(_lap), ends=block_ends, variance=precision.variance_of_sp
        ),
        core=Core(Call("RS_LAP", {**precision.BY_RANK, **_BY_LENGTH})),
        axioms=axioms.adjusted_precisions(weights),
        breakdown=precision.OF_SP,
    ),
    Metric(
        name="LRBP",
        function="lrbp",
        title="length-adjusted rank-biased precision",
        doc=Doc(
            "LRBP, RBP divided by the RBP that a user expects of a list of this length; 0 for an "
            "empty list.",
            ">>> lrbp([1], M=3) > lrbp([1, 0], M=3)\nTrue",
            arguments=_ABOUT_LENGTH,
        ),
        spec="RS-LEN-15",
        expected_spec="RS-EXP-29",
        plain=_lrbp,
        expected=lambda m, x, k, R: length.expected_lrbp(
            _R_groups(m, x), k, m.p, _w(m, R), _z(m, R), R
        ),
        parameters=parameters(cascade.PERSISTENCE, REL, PRIOR, Z),
        pool=False,
        cutoff="M",
        quotient=_over_expectation("RBP", cascade.expected_rbp, _rbp_of_one),
        tables=_tables,
        check=_check,
        orders=Orders(
            best=_of_all_relevant(_lrbp), ends=block_ends, variance=cascade.variance_of_rbp
        ),
        core=Core(Call("RS_LRBP", {**cascade.PERSISTENT, **_BY_LENGTH})),
        axioms=axioms.adjusted_sums_of_rbp(weights),
        breakdown=cascade.OF_RBP,
    ),
    Metric(
        name="LGAP",
        function="lgap",
        title="length-adjusted graded average precision",
        doc=Doc(
            "LGAP, GAP divided by the GAP that a user expects of a list of this length; 0 for an "
            "empty list. The divisor of GAP is the same in both and cancels, so the pool has no "
            "effect.",
            ">>> lgap([2], M=3) > lgap([2, 0], M=3)\nTrue",
            arguments={"q": "as of gap()", **_ABOUT_LENGTH},
        ),
        spec="RS-LEN-16",
        expected_spec="RS-EXP-29",
        plain=_lgap,
        expected=lambda m, x, k, R: length.expected_lgap(x.groups, k, m.q, _w(m, R), _z(m, R), R),
        parameters=parameters(precision.Q, PRIOR, Z),
        pool=False,
        cutoff="M",
        quotient=_over_expectation("GSP", precision.expected_gsp, _gsp_of_one),
        tables=_tables,
        check=_check,
        orders=Orders(best=_best_lgap),
        core=Core(Call("RS_LGAP", {**precision.THRESHOLDS, **_BY_LENGTH})),
        axioms=axioms.adjusted_graded_precisions(weights),
        breakdown=precision.OF_GSP,
    ),
)
