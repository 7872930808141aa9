"""DCG_phi and nDCG_phi, applied to measures and rankings: labels are scores (moniz-2016)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

from ..compute.call import Call, Core, Count, Doubles, Fields, Structure, Word
from ..compute.gain import exact
from ..errors import InputError, items_of, shown
from ..reference import dcg, relevance
from ..reference.numbers.reals import Exact, Number, Reals, rational
from .breakdown import DISCOUNT as DISCOUNT_COLUMN
from .breakdown import Breakdown, Column, LinearVariance, Ranks, discount_factor, of_label
from .dcg import METRICS as OF_DCG
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
    always,
)
from .parameters import DISCOUNT, DISCOUNT_IN_CORE, Parameter, choice, parameters

Points: TypeAlias = tuple[tuple[Exact, Exact], ...]

SPEC_OF_VARIANT = {"text": "RS-REL-4", "authors-program": "RS-REL-5"}
VARIANT = choice(
    "variant",
    "reading of the control points",
    {"text": "the paper's text", "authors-program": "the authors' program"},
    SPEC_OF_VARIANT,
    "how the control points follow from the scores: text, or authors-program",
)
QUARTILES = choice(
    "quartiles",
    "definition of quartiles",
    {
        "own": "linear in the text, hinges in the authors' program",
        "linear": "definition 7 of Hyndman and Fan",
        "hinges": "Tukey's hinges",
        "weibull": "definition 6 of Hyndman and Fan",
        "median-unbiased": "definition 8 of Hyndman and Fan",
    },
    "RS-REL-1",
    "own (linear for text, hinges for authors-program), linear, hinges, weibull, median-unbiased",
)


def points(given: Any) -> Points | None:
    """Control points of the caller's own: (score, relevance), both rising (RS-REL-6)."""
    if given is None:
        return None
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputError(
            "points: expected a list of control points [(score, relevance), ...], got "
            f"{shown(given)}"
        )
    items = items_of(given, f"points: {shown(given)} cannot be read item by item")
    found = tuple(_point(a, point) for a, point in enumerate(items))
    if not found:
        raise InputError("points: expected at least one control point, got none")
    for a, ((s0, y0), (s1, y1)) in enumerate(pairwise(found), start=1):
        if s1 <= s0:
            raise InputError(f"points: the score of point {a} is {s1}, not above {s0} before it")
        if y1 < y0:
            raise InputError(f"points: the relevance of point {a} is {y1}, below {y0} before it")
    return found


def _point(a: int, point: Any) -> tuple[Exact, Exact]:
    try:
        score, relevance = point
    except (TypeError, ValueError):
        raise InputError(
            f"points: point {a} is {shown(point)}; expected (score, relevance)"
        ) from None
    s = exact(score, f"points: the score of point {a}")
    y = exact(relevance, f"points: the relevance of point {a}")
    if not 0 <= y <= 1:
        raise InputError(f"points: the relevance of point {a} is {shown(y)}; expected 0 to 1")
    return s, y


def _meaning_of_points(x: Points | None) -> str:
    return "made of the scores" if x is None else f"{x} (RS-REL-6)"


def _points_in(m: Measure) -> str:
    made = f" ({SPEC_OF_VARIANT[m.variant]})" if m.points is None else ""
    return _meaning_of_points(m.points) + made


POINTS = Parameter(
    "points",
    None,
    points,
    _meaning_of_points,
    "control points of your own: [(score, relevance), ...]",
    meaning_in=_points_in,
)


def quartiles_of(variant: str, quartiles: str) -> str:
    """The definition of quartiles that is meant."""
    own = {"text": "linear", "authors-program": "hinges"}
    return own[variant] if quartiles == "own" else quartiles


def control_points(m: Measure, pool: Iterable[Exact]) -> list[tuple[Number, Number]]:
    """The control points of φ, of a pool of scores or of the measure's own (RS-REL-9)."""
    if m.points is not None:
        return [(Fraction(s), Fraction(y)) for s, y in m.points]
    return list(relevance.points_of([Fraction(s) for s in pool], *_reading(m)))


def _reading(m: Measure) -> tuple[str, str]:
    return m.variant, quartiles_of(m.variant, m.quartiles)


def whisker(m: Measure, pool: Iterable[Exact]) -> Number | None:
    """The upper whisker of a pool of scores; None where no score counts."""
    variant, quartiles = _reading(m)
    points = relevance.points_of(S := [Fraction(s) for s in pool], variant, quartiles)
    if not points:
        return None
    if variant == "text":
        return relevance.upper_whisker(sorted(S), quartiles)
    *_, (whisker, _), (highest, _) = points
    return whisker if len(points) == 4 else highest  # which is in the whisker then


@lru_cache(maxsize=64)
def _function(m: Measure, pool: tuple[Fraction, ...]) -> relevance.Function:
    """φ of a pool of scores: its control points and slopes."""
    return relevance.through(control_points(m, pool))


def relevance_of(m: Measure, pool: Sequence[Exact]) -> Callable[[Exact | None], Number]:
    """φ of a pool of scores; without a score there is no relevance (RS-CONV-20)."""
    X, Y, d = _function(m, tuple(map(rational, pool)))
    return lambda s: 0 if s is None else relevance.phi(rational(s), X, Y, d)


def gain_of(m: Measure, x: Ranking, R: Reals) -> Callable[[Exact], Number]:
    """The gain of a score, by the pool of a ranking."""
    phi = relevance_of(m, x.pool)
    return lambda s: relevance.gain_phi(phi(s), R)


def _expected_dcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.expected_dcg(x.groups, k, gain_of(m, x, R), m.discount.of(R))


def _variance_of_dcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.variance_of_dcg(x.labels, k, gain_of(m, x, R), m.discount.of(R))


def _idcg(m: Measure, x: Ranking, k: int, R: Reals) -> Number:
    return dcg.idcg(x.pool, k, gain_of(m, x, R), m.discount.of(R))


def _gains_nothing(m: Measure, pool: Sequence[Exact]) -> bool:
    phi = relevance_of(m, pool)
    return m.discount.is_zero(1) or all(phi(s) == 0 for s in pool)


def _name_of_normaliser(m: Measure) -> str:
    return "IDCG_phi" if m.k is None else f"IDCG_phi@{m.k}"


_POINTS_IN_CORE = Structure(
    "rs_points",
    {
        "scores": Doubles(lambda m: tuple(s for s, _ in m.points or ())),
        "relevance": Doubles(lambda m: tuple(y for _, y in m.points or ())),
        "n": Count(lambda m: len(m.points or ())),
        "variant": Word(
            lambda m: m.variant, {"text": "RS_TEXT", "authors-program": "RS_AUTHORS_PROGRAM"}
        ),
        "quartiles": Word(
            lambda m: quartiles_of(m.variant, m.quartiles),
            {
                "linear": "RS_QUARTILES_LINEAR",
                "hinges": "RS_HINGES",
                "weibull": "RS_WEIBULL",
                "median-unbiased": "RS_MEDIAN_UNBIASED",
            },
        ),
    },
)
_DISCOUNTED: Fields = {"points": _POINTS_IN_CORE, "discount": DISCOUNT_IN_CORE}


def _phi(ranks: Ranks, R: Reals) -> Callable[[Exact | None], Number]:
    phi = relevance_of(ranks.measure, ranks.ranking.pool)
    return lambda s: R.exact(phi(s))


PHI = Column("phi", "phi", of_label(_phi))
BREAKDOWN = Breakdown(
    (
        PHI,
        Column(
            "gain",
            "gain",
            of_label(lambda ranks, R: gain_of(ranks.measure, ranks.ranking, R)),
        ),
        DISCOUNT_COLUMN,
    ),
    unjudged="has relevance 0 (RS-CONV-20)",
    variance=LinearVariance("gain", gain_of, "disc", discount_factor),
)

_, _DCG, _, _nDCG = OF_DCG[:4]  # noqa: N816

METRICS = (
    Metric(
        name="DCG_phi",
        function="dcg_phi",
        title="discounted cumulated gain of data-driven relevance",
        doc=Doc(
            "DCG_phi@k: DCG with the gain 2^φ - 1, where φ is the relevance that follows from an "
            "item's score.",
            ">>> dcg_phi([70, 100, 10], k=1) < dcg_phi([100, 70, 10], k=1)\nTrue",
            arguments={
                "labels": "the items' scores (popularity, price, clicks), in rank order",
                "judged": "scores of all items, from which φ is made; by default the list's own",
                "variant, quartiles, points": "as of relevance()",
            },
        ),
        spec="RS-REL-11",
        expected_spec="RS-EXP-2",
        plain=lambda m, x, k, R: dcg.dcg(x.labels, k, gain_of(m, x, R), m.discount.of(R)),
        expected=_expected_dcg,
        parameters=parameters(DISCOUNT, VARIANT, QUARTILES, POINTS),
        pool=True,
        labels=Labels(relevance=relevance_of, instead_of=_DCG),
        orders=Orders(variance=_variance_of_dcg),
        breakdown=BREAKDOWN,
        extremes=NO_EXTREMES,
        formula="DCG_phi@k = Σ_{i=1..k} (2^φ(i) - 1) · d(i)    [moniz-2016 section 2]",
        core=Core(
            Call("RS_DCG_PHI", _DISCOUNTED),
            bounds=Call("RS_DCG_PHI", _DISCOUNTED),
            relevance=_POINTS_IN_CORE,
        ),
    ),
    Metric(
        name="nDCG_phi",
        function="ndcg_phi",
        title="normalised discounted cumulated gain of data-driven relevance",
        doc=Doc(
            "nDCG_phi@k: DCG_phi@k divided by that of the ideal order of all scored items, or 0 "
            "if that is 0.",
            ">>> ndcg_phi([100, 90, 80, 15, 10]) == 1 > ndcg_phi([100, 80, 90, 15, 10])\nTrue",
            like="dcg_phi",
        ),
        spec="RS-REL-12",
        expected_spec="RS-EXP-3",
        plain=lambda m, x, k, R: dcg.ndcg(x.labels, x.pool, k, gain_of(m, x, R), m.discount.of(R)),
        expected=lambda m, x, k, R: dcg.expected_ndcg(
            x.groups, x.pool, k, gain_of(m, x, R), m.discount.of(R)
        ),
        parameters=parameters(DISCOUNT, VARIANT, QUARTILES, POINTS),
        pool=True,
        quotient=Quotient(
            "DCG_phi",
            _expected_dcg,
            (Divisor(_name_of_normaliser, _idcg, "RS-DCG-5", sum_of_ideal=always),),
            lambda m, x, k: min(k, len(x.pool)),
            by_0=_gains_nothing,
        ),
        labels=Labels(relevance=relevance_of, instead_of=_nDCG),
        orders=Orders(variance=_variance_of_dcg),
        breakdown=BREAKDOWN,
        extremes=NO_EXTREMES,
        formula="nDCG_phi@k = DCG_phi@k / that of the ideal order, and 0 where that is 0",
        core=Core(
            Call("RS_NDCG_PHI", _DISCOUNTED),
            bounds=Call("RS_NDCG_PHI", _DISCOUNTED),
            relevance=_POINTS_IN_CORE,
        ),
    ),
)
