"""Agreement: orders, ties, overlaps, tests of two measures, assessors, repeated runs."""

# fmt: off
from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rankspec.analysis.comparison import agreement as named
from rankspec.reference import agreement as reference
from rankspec.reference.comparison import Undefined
from rankspec.reference.numerics import exact_value, nearest_double_of

from . import Group
from .statistics import Statistic, Statistics, statistic


def group(about: str, *cases: Statistic) -> Group:
    return Group(about, cases)  # type: ignore[arg-type]


# ---- the functions, by the names of their arguments --------------------------------------


def _none_if_undefined(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with None for what has no value."""
    def of(**given: Any) -> Any:
        try:
            return function(**given)
        except Undefined:
            return None
    return of


def _real(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the reals: the rational number that it is, or the nearest double."""
    def of(**given: Any) -> Any:
        def value(reals: Any) -> Any:
            return function(**given, reals=reals)
        exact = exact_value(value)
        return nearest_double_of(value) if exact is None else exact
    return _none_if_undefined(of)


def _lists(function: Callable[..., Any]) -> Callable[..., Any]:
    def of(x: list[Any], y: list[Any], **given: Any) -> Any:
        named.check_lists(x, y)
        return function(x=x, y=y, **given)
    return of


def _rankings(function: Callable[..., Any]) -> Callable[..., Any]:
    def of(x: list[Any], y: list[Any], p: float, **given: Any) -> Any:
        named.check_ranking("x", x)
        named.check_ranking("y", y)
        named.check_share("p", p)
        return function(x=x, y=y, p=p, **given)
    return of


def _swap_bins(scores: Any, halves: Any, width: list[int], bins: int) -> Any:
    return reference.swap_bins(scores, halves, Fraction(*width), bins)


def _variance(collections: list[Any], kind: str) -> Any:
    spread = reference.within if kind == "within" else reference.residual
    return reference.variance([spread(scores) for scores in collections])


FUNCTIONS: dict[str, tuple[str, Callable[..., Any]]] = {
    "pairs": ("RS-AGR-1", _lists(lambda x, y: list(reference.pairs(x, y)))),
    "swapped": ("RS-AGR-1", _lists(reference.swapped)),
    "tau_b": ("RS-AGR-2", _lists(_real(reference.tau_b))),
    "tau_ap": ("RS-AGR-3", _lists(_none_if_undefined(reference.tau_ap))),
    "tau_ap_a": ("RS-AGR-4", _lists(_none_if_undefined(reference.tau_ap_a))),
    "tau_ap_b": ("RS-AGR-5", _lists(_none_if_undefined(reference.tau_ap_b))),
    "rbo_ext": ("RS-AGR-7", _rankings(_real(reference.rbo_ext))),
    "rbo_min": ("RS-AGR-8", _rankings(_real(reference.rbo_min))),
    "rbo_max": ("RS-AGR-8", _rankings(_real(reference.rbo_max))),
    "rbo_res": ("RS-AGR-8", _rankings(_real(reference.rbo_res))),
    "rbo_at_depth": ("RS-AGR-9", _real(reference.rbo_at_depth)),
    "conflicts": ("RS-AGR-10", lambda first, second, alpha:
                  list(reference.conflicts(first, second, alpha))),
    "discriminative_power": ("RS-AGR-11", _none_if_undefined(reference.discriminative_power)),
    "asl_curve": ("RS-AGR-11", reference.asl_curve),
    "mean_pad": ("RS-AGR-12", _none_if_undefined(reference.mean_pad)),
    "swap_rate": ("RS-AGR-13", _lists(_none_if_undefined(reference.swap_rate))),
    "swap_bins": ("RS-AGR-14", lambda **given: list(map(list, _swap_bins(**given)))),
    "levels": ("RS-AGR-30", reference.levels),
    "splits": ("RS-AGR-14", lambda n, seed, trials: list(named.splits(n, seed, trials))),
    "kappa": ("RS-AGR-15", _lists(_none_if_undefined(reference.kappa))),
    "bias": ("RS-AGR-16", _none_if_undefined(reference.bias)),
    "ktu": ("RS-AGR-17", _none_if_undefined(reference.ktu)),
    "rmse": ("RS-AGR-18", _lists(_real(reference.rmse))),
    "effect_ratio": ("RS-AGR-19", _none_if_undefined(reference.effect_ratio)),
    "delta_ri": ("RS-AGR-20", _none_if_undefined(reference.delta_ri)),
    "variance": ("RS-AGR-21", _none_if_undefined(_variance)),
    "enclosing_interval": ("RS-AGR-23", reference.enclosing_interval),
    "favouring": ("RS-AGR-24", lambda x, y, unjudged: sorted(reference.favouring(x, y, unjudged))),
}


# ---- flags -------------------------------------------------------------------------------


def _as_number(x: Any) -> Any:
    return x if isinstance(x, (int, float, Fraction)) else None


FLAGS = {
    "undefined": ("there is no value", lambda _, y: y is None),
    "one": ("the value is 1", lambda _, y: _as_number(y) == 1),
    "zero": ("the value is 0", lambda _, y: _as_number(y) == 0),
    "minus-one": ("the value is -1", lambda _, y: _as_number(y) == -1),
    "irrational": ("the value is no rational number", lambda _, y: isinstance(y, float)),
    "ties-in-y": ("values of y are tied", lambda x, _: len(set(x["y"])) < len(x["y"])),
    "tied-in-doubles-only-nearly": ("two values differ in the last bit alone",
                                    lambda x, _: _nearly_tied(x["x"])),
    "all-counted": ("the counts sum to the number of pairs",
                    lambda x, y: sum(y) == len(x["first"] if "first" in x else _pairs(x["x"]))),
    "within-range": ("the value is from -1 to 1", lambda _, y: -1 <= y <= 1),
    "sums-to-0": ("the values sum to 0", lambda _, y: sum(y) == 0),
    "ties-matter": ("another variant gives another value", lambda x, y: any(
        FUNCTIONS["rbo_ext"][1](**{**x, "ties": ties}) != y for ties in reference.TIES)),
    "weights-matter": ("other weights give another value", lambda x, y: any(
        reference.kappa(x["x"], x["y"], weights) != y for weights in reference.WEIGHTS)),
    "halves": ("no query is in both halves, and all but one at most are in one",
               lambda x, y: all(len({*a, *b}) == len(a) + len(b) == x["n"] // 2 * 2
                                for a, b in y)),
    "tied-but-for-rounding": ("means of doubles differ that have one level",
                              lambda x, y: len(set(y)) < len(set(_means(x["scores"])))),
    "one-level": ("all means have one level", lambda _, y: set(y) == {0}),
}


def _means(scores: list[list[float]]) -> list[Fraction]:
    return [sum(map(Fraction, row), start=Fraction(0)) / len(row) for row in scores]


def _nearly_tied(x: list[float]) -> bool:
    return any(0 < abs(a - b) < 1e-15 for a in x for b in x)


def _pairs(x: list[Any]) -> list[Any]:
    return [(i, j) for i in range(len(x)) for j in range(i)]


RELATIONS = {
    ">=": lambda mine, other: mine >= other,
    "<=": lambda mine, other: mine <= other,
    "<": lambda mine, other: mine < other,
    ">": lambda mine, other: mine > other,
    "negates": lambda mine, other: mine == -other,
    "turns": lambda mine, other: [[j, i] for i, j in mine] == [list(pair) for pair in other],
    "exchanges-ties-of": lambda mine, other: mine == [*other[:2], other[3], other[2], other[4]],
    "exchanges-gains-of": lambda mine, other: mine == [other[0], other[2], other[1], *other[3:]],
    "more-by-gain-less-loss": lambda mine, other: mine[1] - mine[2] == other,
    "half-of-1-less": lambda mine, other: mine == (1 - other) / 2,
    "mirrors": lambda mine, other: mine == (-other[1], -other[0]),
    "counts": lambda mine, other: mine[0] == len(other),
    "count>=": lambda mine, other: mine[0] >= other[0],
    "holds": lambda mine, other: mine[0] <= other[0] and other[1] <= mine[1],
    "differs-from": lambda mine, other: mine != other,
    "half-of": lambda mine, other: 2 * mine == other,
}
STATISTICS = Statistics(FUNCTIONS, FLAGS, RELATIONS)

# ---- cases -------------------------------------------------------------------------------

NDCG, AP = [0.61, 0.58, 0.58, 0.4], [0.31, 0.33, 0.28, 0.2]
SIX_X, SIX_Y = [0.61, 0.55, 0.55, 0.4, 0.38, 0.3], [0.5, 0.52, 0.44, 0.44, 0.2, 0.31]
# ircor, tests/testthat/helper_data.R, set1; y rounded to tenths
TEN_X = [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992]
TEN_Y = [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988]
TIED_X = [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1]
TIED_Y = [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1]
ABC, BADC = [["A"], ["B"], ["C"]], [["B"], ["A"], ["D"], ["C"]]
LEFT = [["i3", "i6"], ["i2", "i7"], ["i10"]]  # sigir2024-rbo, rbo/test.csv, row 7
RIGHT = [["i3", "i6", "i7", "i10"], ["i1", "i2"]]
HALF = 0.5
ASSESSED = [2, 0, 2, 2, 0, 1], [0, 0, 2, 2, 0, 2]
FOUND = [[0.1, 0.01], [0.2, 0.04], [-0.1, 0.2], [0.3, 0.02], [0.5, None], [0.0, 0.01]]
OTHER = [[0.2, 0.02], [-0.1, 0.05], [-0.3, 0.01], [0.1, 0.3], [0.5, 0.6], [0.2, 0.9]]
P_VALUES = [0.2, 0.05, None, 0.01]
RUNS: dict[str, Any] = {"a": [0.5, 0.25, 0.75], "b": [0.5, 0.25, 0.25], "a2": [0.5, 0.375, 0.5],
        "b2": [0.25, 0.25, 0.5]}
REPEATED: dict[str, Any] = {"a": RUNS["a2"], "b": RUNS["b2"], "a2": RUNS["a"], "b2": RUNS["b"]}
SAME: dict[str, Any] = {**RUNS, "a2": RUNS["a"], "b2": RUNS["b"]}
FOURFOLD: dict[str, Any] = {name: [4 * v for v in RUNS[name]] for name in RUNS}
TWO = [[0.5, 0.25, 1.0], [0.25, 0.25, 0.5]]
SHIFTED = [[0.5, 1.25, 1.0], [0.25, 1.25, 0.5]]

REQUIRED = [
    group(
        "pairs in two orders",
        statistic(1, "a tie and a swapped pair", "pairs", x=NDCG, y=AP, flags="all-counted",
                  spec="RS-AGR-1/L1", known=[4, 1, 1, 0, 0]),
        statistic(2, "exchanged", "pairs", x=AP, y=NDCG,
                  laws="RS-AGR-1/L2 exchanges-ties-of agreement-0001"),
        statistic(3, "the swapped pair", "swapped", x=NDCG, y=AP),
        statistic(4, "exchanged: turned", "swapped", x=AP, y=NDCG,
                  laws="RS-AGR-1/L2 turns agreement-0003"),
        statistic(5, "values a hundred times as large, less 50", "pairs",
                  x=[11, 8, 8, -10], y=AP, laws="RS-AGR-1/L3 = agreement-0001"),
        statistic(6, "one item", "pairs", x=[0.5], y=[0.25], spec="RS-AGR-1(a)"),
        statistic(7, "0.1 + 0.2 is above 0.3: no tolerance ties them", "pairs",
                  x=[0.1 + 0.2, 0.3], y=[2, 1], flags="tied-in-doubles-only-nearly"),
        statistic(8, "integers beyond 2^53 that are one double", "pairs",
                  x=[2**53 + 1, 2**53], y=[2, 1], known=[1, 0, 0, 0, 0]),
    ),
    group(
        "Kendall's τ_b",
        statistic(10, "a tie in x", "tau_b", x=NDCG, y=AP, flags="irrational within-range",
                  spec="RS-AGR-2/L1"),
        statistic(11, "exchanged", "tau_b", x=AP, y=NDCG, laws="RS-AGR-2/L2 = agreement-0010"),
        statistic(12, "reversed", "tau_b", x=NDCG, y=[-v for v in AP],
                  laws="RS-AGR-2/L3 negates agreement-0010"),
        statistic(13, "ties in both, and a rational value", "tau_b", x=SIX_X, y=SIX_Y,
                  known=Fraction(9, 14)),
        statistic(14, "no ties", "tau_b", x=[1, 2, 3, 4], y=[1, 3, 2, 4], spec="RS-AGR-2/L4",
                  known=Fraction(2, 3)),
        statistic(15, "the same ties and order", "tau_b", x=NDCG, y=[6, 5, 5, 4], flags="one",
                  spec="RS-AGR-2/L1"),
        statistic(16, "one item", "tau_b", x=[1], y=[1], flags="undefined", spec="RS-AGR-2(a)"),
        statistic(17, "all of x tied", "tau_b", x=[1, 1, 1], y=[1, 2, 3], flags="undefined",
                  spec="RS-AGR-2(b)"),
        statistic(18, "all tied in both", "tau_b", x=[1, 1], y=[2, 2], flags="undefined",
                  spec="RS-AGR-2(b)"),
        statistic(19, "no item", "tau_b", x=[], y=[], flags="undefined", spec="RS-AGR-2(a)"),
        statistic(20, "lists of two lengths", "tau_b", x=[1, 2], y=[1], error="x, y"),
    ),
    group(
        "τ_AP and its ties",
        statistic(22, "ten systems", "tau_ap", x=TEN_X, y=TEN_Y, known=Fraction(23, 27),
                  flags="within-range", spec="RS-AGR-3/L1"),
        statistic(23, "the first two exchanged", "tau_ap", x=[4, 3, 2, 1], y=[3, 4, 2, 1],
                  spec="RS-AGR-3/L2", known=Fraction(1, 3)),
        statistic(24, "the last two exchanged", "tau_ap", x=[4, 3, 2, 1], y=[4, 3, 1, 2],
                  laws="RS-AGR-3/L2 > agreement-0023", known=Fraction(7, 9)),
        statistic(25, "the same order", "tau_ap", x=[4, 3, 2], y=[9, 8, 1], flags="one",
                  spec="RS-AGR-3/L1"),
        statistic(26, "the reversed order", "tau_ap", x=[4, 3, 2], y=[1, 8, 9],
                  flags="minus-one", spec="RS-AGR-3/L1"),
        statistic(27, "not symmetric", "tau_ap", x=[3, 1, 2, 4], y=[4, 3, 2, 1]),
        statistic(28, "the other way round", "tau_ap", x=[4, 3, 2, 1], y=[3, 1, 2, 4],
                  laws="RS-AGR-3 differs-from agreement-0027"),
        statistic(29, "one item", "tau_ap", x=[1], y=[1], flags="undefined", spec="RS-AGR-3(a)"),
        statistic(30, "a tie in y", "tau_ap", x=[3, 2, 1], y=[2, 2, 1],
                  flags="undefined ties-in-y", spec="RS-AGR-3(b)"),
        statistic(31, "a tie in x", "tau_ap", x=[2, 2, 1], y=[3, 2, 1], flags="undefined",
                  spec="RS-AGR-3(b)"),
        statistic(32, "ten systems, ties in y", "tau_ap_a", x=TEN_X, y=TIED_Y,
                  flags="ties-in-y", known=Fraction(161, 216), spec="RS-AGR-4/L1"),
        statistic(33, "no ties: τ_AP", "tau_ap_a", x=TEN_X, y=TEN_Y,
                  laws="RS-AGR-4/L2 = agreement-0022"),
        statistic(34, "all of y tied", "tau_ap_a", x=[3, 2, 1], y=[1, 1, 1], flags="zero",
                  spec="RS-AGR-4(b)"),
        statistic(35, "the first two tied: the mean of both orders", "tau_ap_a",
                  x=[4, 3, 2, 1], y=[9, 9, 5, 2], spec="RS-AGR-4/L1", known=Fraction(2, 3)),
        statistic(36, "a tie in x", "tau_ap_a", x=[2, 2, 1], y=[3, 2, 1], flags="undefined",
                  spec="RS-AGR-4(a)"),
        statistic(37, "ten systems, ties in both", "tau_ap_b", x=TIED_X, y=TIED_Y,
                  flags="ties-in-y", known=Fraction(41, 56)),
        statistic(38, "exchanged", "tau_ap_b", x=TIED_Y, y=TIED_X,
                  laws="RS-AGR-5/L1 = agreement-0037"),
        statistic(39, "the same ties and order", "tau_ap_b", x=TIED_Y, y=TIED_Y, flags="one",
                  spec="RS-AGR-5/L2"),
        statistic(40, "no ties: the mean of both τ_AP", "tau_ap_b", x=TEN_X, y=TEN_Y,
                  spec="RS-AGR-5/L3", known=Fraction(5, 6)),
        statistic(41, "all of x tied", "tau_ap_b", x=[1, 1, 1], y=[3, 2, 1], flags="undefined",
                  spec="RS-AGR-5(b)"),
        statistic(42, "one item", "tau_ap_b", x=[1], y=[2], flags="undefined",
                  spec="RS-AGR-5(a)"),
        statistic(43, "the first two of y tied", "tau_ap_b", x=[4, 3, 2, 1], y=[9, 9, 5, 2],
                  flags="ties-in-y", known=Fraction(2, 3)),
        statistic(44, "one item", "tau_ap_a", x=[1], y=[2], flags="undefined",
                  spec="RS-AGR-4(a)"),
    ),
    group(
        "rank-biased overlap",
        statistic(50, "rankings of two lengths, extrapolated", "rbo_ext", x=ABC, y=BADC, p=HALF,
                  ties="a", known=Fraction(43, 96)),
        statistic(51, "exchanged", "rbo_ext", x=BADC, y=ABC, p=HALF, ties="a",
                  laws="RS-AGR-7/L3 = agreement-0050"),
        statistic(52, "the least", "rbo_min", x=ABC, y=BADC, p=HALF, ties="a",
                  flags="irrational", laws="RS-AGR-8/L1 < agreement-0050"),
        statistic(53, "the greatest", "rbo_max", x=ABC, y=BADC, p=HALF, ties="a",
                  laws="RS-AGR-8/L1 > agreement-0050", known=Fraction(11, 24)),
        statistic(54, "their difference", "rbo_res", x=ABC, y=BADC, p=HALF, ties="a",
                  flags="irrational"),
        statistic(55, "ties, by a", "rbo_ext", x=LEFT, y=RIGHT, p=HALF, ties="a",
                  flags="ties-matter"),
        statistic(56, "ties, by b", "rbo_ext", x=LEFT, y=RIGHT, p=HALF, ties="b",
                  flags="ties-matter irrational"),
        statistic(57, "ties, by w", "rbo_ext", x=LEFT, y=RIGHT, p=HALF, ties="w",
                  flags="ties-matter"),
        statistic(58, "no ties: all variants are one", "rbo_ext", x=ABC, y=BADC, p=HALF,
                  ties="b", laws="RS-AGR-6/L1 = agreement-0050"),
        statistic(59, "no ties, by w", "rbo_ext", x=ABC, y=BADC, p=HALF, ties="w",
                  laws="RS-AGR-6/L1 = agreement-0050"),
        statistic(60, "equal rankings with ties, by w", "rbo_ext", x=LEFT, y=LEFT, p=HALF,
                  ties="w", flags="one", spec="RS-AGR-7/L1 RS-AGR-6/L3"),
        statistic(61, "equal rankings with ties, by a: less than 1", "rbo_ext", x=LEFT, y=LEFT,
                  p=HALF, ties="a", laws="RS-AGR-6/L3 < agreement-0060"),
        statistic(62, "nothing in common", "rbo_ext", x=ABC, y=[["D"], ["E"]], p=HALF, ties="a",
                  flags="zero", spec="RS-AGR-7/L2"),
        statistic(63, "nothing in common: the least is 0", "rbo_min", x=ABC, y=[["D"], ["E"]],
                  p=HALF, ties="a", flags="zero", spec="RS-AGR-8(b)"),
        statistic(64, "nothing in common: the greatest", "rbo_max", x=ABC, y=[["D"], ["E"]],
                  p=HALF, ties="a"),
        statistic(65, "a ranking without items", "rbo_ext", x=ABC, y=[], p=HALF, ties="a",
                  flags="undefined", spec="RS-AGR-6(a) RS-AGR-7(a)"),
        statistic(66, "a ranking without items", "rbo_min", x=[], y=ABC, p=HALF, ties="a",
                  flags="undefined", spec="RS-AGR-8(a)"),
        statistic(67, "p is 1", "rbo_ext", x=ABC, y=BADC, p=1, ties="a", error="p",
                  spec="RS-AGR-7(b)"),
        statistic(68, "an item occurs twice", "rbo_ext", x=[["A"], ["B", "A"]], y=ABC, p=HALF,
                  ties="a", error="x"),
        statistic(69, "p of decimals is the double that it is", "rbo_ext", x=ABC, y=BADC, p=0.9,
                  ties="a"),
        statistic(70, "the least with ties, by b", "rbo_min", x=LEFT, y=RIGHT, p=0.9, ties="b",
                  flags="irrational"),
        statistic(71, "the greatest with ties, by b", "rbo_max", x=LEFT, y=RIGHT, p=0.9,
                  ties="b", flags="irrational"),
        statistic(72, "the first of two that are tied: half of it, by a", "rbo_ext",
                  x=[["A", "B"]], y=[["A", "B"]], p=HALF, ties="a", spec="RS-AGR-6/L2",
                  known=Fraction(3, 4)),
    ),
    group(
        "two measures by their tests",
        statistic(80, "each kind of conflict", "conflicts", first=FOUND, second=OTHER,
                  alpha=0.05, flags="all-counted",
                  spec="RS-AGR-10/L1 RS-AGR-10(a) RS-AGR-10(b)", known=[1, 1, 1, 1, 2]),
        statistic(81, "exchanged", "conflicts", first=OTHER, second=FOUND, alpha=0.05,
                  laws="RS-AGR-10/L2 exchanges-gains-of agreement-0080"),
        statistic(82, "gained less lost, as many more are significant", "conflicts",
                  first=[[0.1, 0.2], [0.1, 0.3]], second=[[0.1, 0.01], [0.1, 0.02]], alpha=0.05,
                  spec="RS-AGR-10/L3", known=[0, 2, 0, 0, 0]),
        statistic(83, "half of the pairs", "discriminative_power", p=P_VALUES, alpha=0.05,
                  spec="RS-AGR-11(b)", known=(2, Fraction(1, 2))),
        statistic(84, "the curve", "asl_curve", p=P_VALUES, spec="RS-AGR-11(b)"),
        statistic(85, "a higher level", "discriminative_power", p=P_VALUES, alpha=0.25,
                  laws="RS-AGR-11/L1 count>= agreement-0083; RS-AGR-11/L2 counts agreement-0084"),
        statistic(86, "no pair", "discriminative_power", p=[], alpha=0.05, flags="undefined",
                  spec="RS-AGR-11(a)"),
        statistic(87, "three means", "mean_pad", means=[4, 3, 2], known=Fraction(13, 36)),
        statistic(88, "in another unit", "mean_pad", means=[2, 1.5, 1],
                  laws="RS-AGR-12/L1 = agreement-0087"),
        statistic(89, "one taken off", "mean_pad", means=[3, 2, 1],
                  laws="RS-AGR-12/L2 > agreement-0087"),
        statistic(90, "one system", "mean_pad", means=[0.5], flags="undefined",
                  spec="RS-AGR-12(a)"),
        statistic(91, "two means that are not above 0", "mean_pad", means=[0.5, 0, -0.25],
                  flags="undefined", spec="RS-AGR-12(b)"),
    ),
    group(
        "swaps",
        statistic(95, "two of six pairs", "swap_rate", x=[4, 3, 2, 1], y=[3, 4, 1, 2],
                  known=Fraction(1, 3)),
        statistic(96, "τ_b of the same", "tau_b", x=[4, 3, 2, 1], y=[3, 4, 1, 2]),
        statistic(97, "again, as of τ", "swap_rate", x=[1, 2, 3, 4], y=[2, 1, 4, 3],
                  laws="RS-AGR-13/L1 half-of-1-less agreement-0096"),
        statistic(98, "one system", "swap_rate", x=[1], y=[1], flags="undefined",
                  spec="RS-AGR-13(a)"),
        statistic(99, "a tie is no swap", "swap_rate", x=[1, 1, 2], y=[2, 1, 3], flags="zero",
                  spec="RS-AGR-13(b)"),
        statistic(100, "every comparison a swap", "swap_bins",
                  scores=[[0.5, 0.25], [0.25, 0.5]], halves=[[[0], [1]], [[1], [0]]],
                  width=[1, 10], bins=4, known=[[0, 0], [0, 0], [2, 2], [0, 0]],
                  spec="RS-AGR-14(a) RS-AGR-14/L1"),
        statistic(101, "a difference of exactly a bin's width, the last bin, and one of 0",
                  "swap_bins", scores=[[0.5, 0.5], [0.25, 0.5], [0.0, 0.75]],
                  halves=[[[0], [1]]], width=[1, 4], bins=2, spec="RS-AGR-14(b)",
                  known=[[0, 0], [3, 2]]),
        statistic(102, "the same on both halves", "swap_bins",
                  scores=[[0.5, 0.5], [0.25, 0.25]], halves=[[[0], [1]]], width=[1, 4], bins=2,
                  spec="RS-AGR-14/L2", known=[[0, 0], [1, 0]]),
        statistic(103, "splits of five queries: one is left out", "splits", n=5, seed=1,
                  trials=3, flags="halves"),
        statistic(104, "one query", "splits", n=1, seed=1, trials=3, error="queries",
                  spec="RS-AGR-14(c)"),
    ),
    group(
        "assessors",
        statistic(110, "three labels", "kappa", x=ASSESSED[0], y=ASSESSED[1], weights="none",
                  flags="weights-matter", known=Fraction(3, 7), spec="RS-AGR-15/L1"),
        statistic(111, "linear weights", "kappa", x=ASSESSED[0], y=ASSESSED[1],
                  weights="linear", flags="weights-matter", known=Fraction(1, 2)),
        statistic(112, "quadratic weights", "kappa", x=ASSESSED[0], y=ASSESSED[1],
                  weights="quadratic", flags="weights-matter", known=Fraction(6, 11)),
        statistic(113, "exchanged", "kappa", x=ASSESSED[1], y=ASSESSED[0], weights="linear",
                  laws="RS-AGR-15/L2 = agreement-0111"),
        statistic(114, "labels three times as large, and 1 more", "kappa",
                  x=[7, 1, 7, 7, 1, 4], y=[1, 1, 7, 7, 1, 7], weights="quadratic",
                  laws="RS-AGR-15/L3 = agreement-0112"),
        statistic(115, "all labels equal", "kappa", x=[0, 1, 1], y=[0, 1, 1], weights="none",
                  flags="one", spec="RS-AGR-15/L1"),
        statistic(116, "nothing judged by both", "kappa", x=[], y=[], weights="none",
                  flags="undefined", spec="RS-AGR-15(a)"),
        statistic(117, "one label for all by both", "kappa", x=[1, 1], y=[1, 1],
                  weights="none", flags="undefined", spec="RS-AGR-15(b)"),
        statistic(118, "one label for all by one", "kappa", x=[1, 1, 1], y=[1, 0, 2],
                  weights="none", flags="zero", spec="RS-AGR-15(c)"),
        statistic(119, "two labels", "kappa", x=[0, 3, 3, 0], y=[0, 3, 0, 0], weights="none"),
        statistic(120, "two labels, with weights", "kappa", x=[0, 3, 3, 0], y=[0, 3, 0, 0],
                  weights="quadratic", laws="RS-AGR-15/L4 = agreement-0119"),
        statistic(121, "labels that lack 2: no places of labels", "kappa", x=[0, 1, 3, 3],
                  y=[1, 1, 3, 0], weights="linear"),
        statistic(122, "one system favoured", "bias", first=[0.5, 0.25, 0.25],
                  second=[0.75, 0.25, 0.25], flags="sums-to-0", spec="RS-AGR-16/L1"),
        statistic(123, "lenient with all", "bias", first=[0.5, 0.25, 0.25],
                  second=[0.875, 0.375, 0.375], laws="RS-AGR-16/L2 = agreement-0122"),
        statistic(124, "no system", "bias", first=[], second=[], flags="undefined",
                  spec="RS-AGR-16(a)"),
        statistic(125, "one system", "bias", first=[0.5], second=[0.75], flags="sums-to-0",
                  spec="RS-AGR-16(b)"),
    ),
    group(
        "a run and its repetition",
        statistic(130, "five documents, one of them another", "ktu",
                  x=["d1", "d7", "d3", "d4", "d9"], y=["d7", "d1", "d4", "d2", "d3"],
                  known=Fraction(-3, 5)),
        statistic(131, "the same list", "ktu", x=["b", "a", "c"], y=["b", "a", "c"],
                  flags="one", spec="RS-AGR-17/L1"),
        statistic(132, "the last two exchanged", "ktu", x=["a", "b", "c"], y=["a", "c", "b"],
                  known=Fraction(1, 3)),
        statistic(133, "the same, with other names", "ktu", x=["b", "a", "c"],
                  y=["b", "c", "a"], laws="RS-AGR-17/L2 differs-from agreement-0132"),
        statistic(134, "one document", "ktu", x=["a"], y=["b"], flags="undefined",
                  spec="RS-AGR-17(a)"),
        statistic(135, "two lengths", "ktu", x=["a", "b"], y=["a", "b", "c"],
                  flags="undefined", spec="RS-AGR-17(b)"),
        statistic(136, "RBO at 3", "rbo_at_depth", x=["A", "B", "C"], y=["B", "A", "D"], p=HALF,
                  depth=3, known=Fraction(8, 21)),
        statistic(137, "RBO at 4, lists of 3", "rbo_at_depth", x=["A", "B", "C"],
                  y=["B", "A", "D"], p=HALF, depth=4, spec="RS-AGR-9(a)",
                  known=Fraction(7, 18)),
        statistic(138, "equal lists", "rbo_at_depth", x=["A", "B", "C"], y=["A", "B", "C"],
                  p=HALF, depth=3, flags="one", spec="RS-AGR-9/L1"),
        statistic(139, "empty lists", "rbo_at_depth", x=[], y=[], p=HALF, depth=2,
                  flags="zero", spec="RS-AGR-9(b)"),
        statistic(140, "the extrapolated RBO of the lists of 3", "rbo_ext", x=ABC,
                  y=[["B"], ["A"], ["D"]], p=HALF, ties="a",
                  laws="RS-AGR-9/L2 differs-from agreement-0136"),
        statistic(141, "RMSE", "rmse", x=[0.5, 0.5], y=[0.5, 1.5], flags="irrational",
                  spec="RS-AGR-18/L2"),
        statistic(142, "RMSE that is rational", "rmse", x=[3, 4], y=[2, 3], known=Fraction(1)),
        statistic(143, "the same values", "rmse", x=[0.1, 0.2], y=[0.1, 0.2], flags="zero",
                  spec="RS-AGR-18/L1"),
        statistic(144, "no query", "rmse", x=[], y=[], flags="undefined", spec="RS-AGR-18(a)"),
        statistic(145, "three quarters of the effect", "effect_ratio", **RUNS,
                  known=Fraction(3, 4)),
        statistic(146, "the same runs", "effect_ratio", **SAME, flags="one",
                  spec="RS-AGR-19/L1"),
        statistic(147, "all values four times as large", "effect_ratio", **FOURFOLD,
                  laws="RS-AGR-19/L2 = agreement-0145"),
        statistic(148, "equal means of the original", "effect_ratio", a=[1, 2], b=[2, 1],
                  a2=[1], b2=[2], flags="undefined", spec="RS-AGR-19(a)"),
        statistic(149, "no query", "effect_ratio", a=[], b=[], a2=[1], b2=[2],
                  flags="undefined", spec="RS-AGR-19(b)"),
        statistic(150, "ΔRI", "delta_ri", **RUNS, known=Fraction(1, 8)),
        statistic(151, "the same runs", "delta_ri", **SAME, flags="zero", spec="RS-AGR-20/L1"),
        statistic(152, "exchanged", "delta_ri", **REPEATED,
                  laws="RS-AGR-20/L2 negates agreement-0150"),
        statistic(153, "a baseline of 0", "delta_ri", a=[1], b=[0], a2=[1], b2=[1],
                  flags="undefined", spec="RS-AGR-20(a)"),
        statistic(154, "no query", "delta_ri", a=[1], b=[1], a2=[], b2=[], flags="undefined",
                  spec="RS-AGR-20(b)"),
    ),
    group(
        "designs, and judgments that are not known",
        statistic(160, "within systems", "variance", collections=[TWO], kind="within",
                  known=Fraction(1, 12)),
        statistic(161, "residual", "variance", collections=[TWO], kind="residual",
                  known=Fraction(1, 32), spec="RS-AGR-21/L1"),
        statistic(162, "a query with 1 more for both", "variance", collections=[SHIFTED],
                  kind="residual", laws="RS-AGR-21/L2 = agreement-0161"),
        statistic(163, "pooled over two collections", "variance",
                  collections=[TWO, [[1, 2], [2, 2], [3, 5]]], kind="residual",
                  known=Fraction(17, 64)),
        statistic(164, "one query", "variance", collections=[[[1], [2]]], kind="residual",
                  flags="undefined", spec="RS-AGR-21(a)"),
        statistic(165, "an enclosing interval", "enclosing_interval", x=[0.25, 0.5],
                  y=[0.125, 0.75], known=(Fraction(-1, 2), Fraction(3, 8)),
                  spec="RS-AGR-23/L2"),
        statistic(166, "exchanged", "enclosing_interval", x=[0.125, 0.75], y=[0.25, 0.5],
                  laws="RS-AGR-23/L3 mirrors agreement-0165"),
        statistic(167, "no unjudged document", "enclosing_interval", x=[0.5, 0.5],
                  y=[0.25, 0.25], spec="RS-AGR-23(a)",
                  known=(Fraction(1, 4), Fraction(1, 4))),
        statistic(168, "some judgment of these", "enclosing_interval", x=[0.375, 0.375],
                  y=[0.5, 0.5]),
        statistic(169, "all judgments of these hold it", "enclosing_interval", x=[0.25, 0.5],
                  y=[0.125, 0.75], laws="RS-AGR-23/L1 holds agreement-0168"),
        statistic(170, "what stands higher in x", "favouring", x=[1, 2, 3],
                  y=[2, 1, 3, 4], unjudged=[1, 2, 3, 4], known=[1],
                  spec="RS-AGR-24(a)"),
        statistic(171, "what x alone has", "favouring", x=[1, 2, 3], y=[3],
                  unjudged=[2, 3], known=[2], spec="RS-AGR-24/L1"),
    ),
    group(
        "orders of systems by their means",
        statistic(180, "tenths: two equal means, and a higher one", "levels",
                  scores=[[0.1, 0.2, 0.3], [0.3, 0.3, 0.0], [0.3, 0.3, 0.1]],
                  flags="tied-but-for-rounding", known=[0, 0, 1], spec="RS-AGR-30/L1"),
        statistic(181, "the queries in another order", "levels",
                  scores=[[0.3, 0.2, 0.1], [0.0, 0.3, 0.3], [0.1, 0.3, 0.3]],
                  laws="RS-AGR-30/L2 = agreement-0180"),
        statistic(182, "means that differ a little more than 2^-40 of the values", "levels",
                  scores=[[0.5, 0.5], [0.5, 0.5 + 2**-36]], known=[0, 1], spec="RS-AGR-30/L3"),
        statistic(183, "all values 0", "levels", scores=[[0.0, 0.0], [0.0, 0.0]],
                  flags="one-level", spec="RS-AGR-30(a)"),
        statistic(184, "a negative mean, and small values beside a large one", "levels",
                  scores=[[-1.0, 0.25], [1000.0, -999.9], [0.1, 0.0], [0.2, 0.0]],
                  known=[0, 1, 1, 2], flags="tied-but-for-rounding"),
        statistic(185, "integers: no sum is rounded, however near they are", "levels",
                  scores=[[2.0**38, 0.0], [2.0**38 - 1, 0.0], [0.0, 2.0**38]],
                  known=[1, 0, 1], spec="RS-AGR-30/L3"),
    ),
]
OPTIONAL: list[Group] = []
