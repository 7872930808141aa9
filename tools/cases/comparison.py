"""Statistics of systems on the same queries: ties, undefined input, corrections, examples."""

# fmt: off
from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

from rankspec.reference import comparison as equations
from rankspec.reference.numbers.reals import Reals
from rankspec.reference.numerics import exact_value, nearest_double_of

from . import Group
from .statistics import Statistic, Statistics, statistic


def case(number: int, why: str, name: str, **given: Any) -> Statistic:
    return statistic(number, why, name, **given)


def group(about: str, *cases: Statistic) -> Group:
    return Group(about, cases)  # type: ignore[arg-type]


# ---- the functions, by the names of their arguments ----------------------------------------


def _of_pair(equation: Callable[..., Any]) -> Callable[..., Any]:
    """An equation of D, as a function of the values of two systems."""
    return lambda x, y, **more: equation(equations.differences(x, y)[0], **more)


def _of_two(equation: Callable[..., Any]) -> Callable[..., Any]:
    """An equation of X and Y, as a function of the values of two systems."""
    return lambda x, y, **more: equation(*equations.integers(x, y)[0], **more)


def _nearest(equation: Callable[..., Any]) -> Callable[..., Any]:
    """A function of reals: the fraction that its value is, or else the double nearest to it."""
    def rounded(**given: Any) -> Any:
        def value(reals: Reals) -> Any:
            return equation(**given, reals=reals)
        exact = exact_value(value)
        return nearest_double_of(value) if exact is None else exact
    return rounded


def _each_nearest(equation: Callable[..., Sequence[Any]],
                  count: Callable[..., int]) -> Callable[..., Any]:
    """The same of an equation with several values."""
    def rounded(**given: Any) -> list[Any]:
        return [_nearest(lambda reals, a=a: equation(**given, reals=reals)[a])()
                for a in range(count(**given))]
    return rounded


@dataclass(frozen=True)
class Differences:
    D: list[int]
    e: int


def _numerators(systems: list[list[float]]) -> list[list[int]] | None:
    found = equations.scaled(*systems)
    return None if found is None else found[0]


def _mean(x: list[float]) -> Fraction:
    (X,), unit = equations.integers(x)
    return equations.mean(X, unit)


def _mean_difference(x: list[float], y: list[float]) -> Fraction:
    return _mean(x) - _mean(y)


def _standard_deviation(x: list[float], reals: Reals) -> Any:
    (X,), unit = equations.integers(x)
    return equations.standard_deviation(X, unit, reals)


def _interval(x: list[float], y: list[float], quantile: float, reals: Reals) -> Sequence[Any]:
    D, e = equations.differences(x, y)
    return equations.interval(
        _mean_difference(x, y), equations.variance(D, e) / len(D), quantile, reals)


def _two_way(systems: list[list[float]]) -> list[Fraction]:
    table = equations.two_way(systems)
    return [table.systems, table.queries, table.residual, table.F]


def _tukey_q(systems: list[list[float]], reals: Reals) -> list[Any]:
    pairs = equations.all_differences(systems)
    table = equations.two_way(systems, pairs)
    return [equations.tukey_q(D, e, table, reals) for D, e in pairs.values()]


def _pairs(systems: list[list[float]]) -> int:
    return comb(len(systems), 2)


def _limits(x: list[float], y: list[float], rope: float, reals: Reals) -> Sequence[Any]:
    return equations.posterior_limits(*equations.differences(x, y), rope, reals)


def _d_av(x: list[float], y: list[float], reals: Reals) -> Any:
    (X, Y), unit = equations.integers(x, y)
    return equations.d_av(*equations.differences(x, y), X, Y, unit, reals)


def _adjusted_difference(topics: list[list[list[float]]]) -> Fraction:
    """Of each topic the values of x and those of y."""
    columns, unit = equations.integers(*(column for two in topics for column in two))
    strata = list(zip(columns[::2], columns[1::2], strict=True))
    return equations.adjusted_difference(strata) * Fraction(2) ** unit


FUNCTIONS: dict[str, tuple[str, Callable[..., Any]]] = {
    "differences": ("RS-CMP-1", lambda x, y: Differences(*equations.differences(x, y))),
    "common_denominator": ("RS-CMP-24", lambda systems: equations.common_denominator(*systems)),
    "numerators": ("RS-CMP-24", _numerators),
    "wins_ties_losses": ("RS-CMP-2", _of_pair(equations.wins_ties_losses)),
    "mean": ("RS-CMP-3", _mean),
    "mean_difference": ("RS-CMP-3", _mean_difference),
    "standard_deviation": ("RS-CMP-3", _nearest(_standard_deviation)),
    "interval": ("RS-CMP-4", _each_nearest(_interval, lambda **_: 2)),
    "paired_t": ("RS-CMP-5", _nearest(_of_pair(equations.paired_t))),
    "pooled_t": ("RS-CMP-6", _nearest(_of_two(equations.pooled_t))),
    "welch_t": ("RS-CMP-7", _nearest(_of_two(equations.welch_t))),
    "welch_df": ("RS-CMP-7", _of_two(equations.welch_df)),
    "signed_rank": ("RS-CMP-8", _of_pair(equations.signed_rank)),
    "signed_rank_p": ("RS-CMP-9", _of_pair(equations.signed_rank_p)),
    "signed_rank_z": ("RS-CMP-10", _nearest(_of_pair(equations.signed_rank_z))),
    "sign_p": ("RS-CMP-11", _of_pair(equations.sign_p)),
    "two_way": ("RS-CMP-12", _two_way),
    "tukey_q": ("RS-CMP-13", _each_nearest(_tukey_q, _pairs)),
    "posterior_limits": ("RS-CMP-14", _each_nearest(_limits, lambda **_: 2)),
    "d_z": ("RS-CMP-15", _nearest(_of_pair(equations.d_z))),
    "d_av": ("RS-CMP-16", _nearest(_d_av)),
    "hedges_g": ("RS-CMP-17", _nearest(_of_two(equations.hedges_g))),
    "cohen_d": ("RS-CMP-25", _nearest(_of_two(equations.cohen_d))),
    "adjusted_difference": ("RS-CMP-26", _adjusted_difference),
    "pad": ("RS-CMP-18", lambda x, y: equations.pad(_mean(x), _mean(y))),
    "bonferroni": ("RS-CMP-19", equations.bonferroni),
    "holm": ("RS-CMP-20", equations.holm),
    "benjamini_hochberg": ("RS-CMP-21", equations.benjamini_hochberg),
}


# ---- how two results stand -----------------------------------------------------------------


def _numbers(found: Any) -> list[Any]:
    if isinstance(found, Differences):
        return found.D
    return list(found) if isinstance(found, (list, tuple)) else [found]


def _each(holds: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def of_all(mine: Any, other: Any) -> bool:
        pairs = zip(_numbers(mine), _numbers(other), strict=True)
        return all(holds(float(x), float(y)) for x, y in pairs)
    return of_all


STATISTICS = Statistics(FUNCTIONS, {}, {
    "=": _each(operator.eq),
    "<=": _each(operator.le),
    ">": _each(operator.gt),
    "-": _each(lambda x, y: x == -y),
})


# P@10 of five queries; sakai-2015, table 5.1; Student's ten patients
TENTHS = ([0.3, 0.4, 1.0, 0.5, 0.1], [0.1, 0.2, 0.5, 0.5, 0.7])
SAKAI = (
    [0.7, 0.3, 0.2, 0.6, 0.4, 0.4, 0.0, 0.7, 0.1, 0.3, 0.5, 0.4, 0.0, 0.6, 0.5, 0.3, 0.1, 0.5, 0.2,
     0.1],
    [0.5, 0.1, 0.0, 0.2, 0.4, 0.3, 0.0, 0.5, 0.3, 0.3, 0.4, 0.4, 0.1, 0.4, 0.2, 0.1, 0.1, 0.6, 0.3,
     0.2],
    [0.0, 0.0, 0.2, 0.1, 0.3, 0.3, 0.1, 0.2, 0.4, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.2, 0.1, 0.5, 0.4,
     0.3],
)
SLEEP = ([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
         [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])


def of(pair: Any, **more: Any) -> dict[str, Any]:
    return {"x": list(pair[0]), "y": list(pair[1]), **more}


def turned(pair: Any, **more: Any) -> dict[str, Any]:
    return of((pair[1], pair[0]), **more)


CONSTANT = ([0.5, 0.75, 1.0], [0.25, 0.5, 0.75])
TENTH_MORE = ([0.3, 0.4, 0.8], [0.1, 0.2, 0.6])
EQUAL = ([0.5, 0.25, 0.1], [0.5, 0.25, 0.1])
ONE = ([0.5], [0.25])
FLAT = ([0.5, 0.5, 0.5], [0.25, 0.25, 0.25])
ROOTS = ([4.0, 6.0, 8.0, 8.0], [1.0, 5.0, 3.0, 3.0])
UNEVEN = ([0.5, 0.25, 1.0, 0.75], [0.125, 0.5])
P = [0.01, 0.04, 0.03, 0.005, 0.2, 0.03]

TWO_TOPICS = [[[3.0, 1.0], [0.5]], [[0.75, 0.25], [0.0, 1.0, 0.5, 0.25]]]

REQUIRED = [
    group(
        "exact differences",
        case(1, "0.3 - 0.1 and 0.4 - 0.2 tie", "differences", **of(TENTHS), spec="RS-CMP-1/L5"),
        case(2, "the systems exchanged", "differences", **turned(TENTHS),
             laws="RS-CMP-1/L1 - comparison-0001"),
        case(3, "the queries in another order", "differences", x=[0.1, 0.5, 1.0, 0.4, 0.3],
             y=[0.7, 0.5, 0.5, 0.2, 0.1], spec="RS-CMP-1/L2"),
        case(4, "half of all values: the exponent is one less", "differences",
             x=[0.15, 0.2, 0.5, 0.25, 0.05], y=[0.05, 0.1, 0.25, 0.25, 0.35],
             laws="RS-CMP-1/L3 = comparison-0001"),
        case(5, "equal systems", "differences", **of(EQUAL), spec="RS-CMP-1(a)"),
        case(6, "no query", "differences", x=[], y=[], spec="RS-CMP-1(b)"),
        case(7, "differences beyond the range of a double", "differences", x=[1.7e308, 1.0],
             y=[-1.7e308, 0.0], spec="RS-CMP-1(c)"),
        case(8, "differences of the least doubles", "differences", x=[5e-324, 1e-323],
             y=[0.0, 0.0], spec="RS-CMP-1(c)"),
        case(9, "halfway between two integers: to the even one", "differences",
             x=[0.5, 2.0 ** -41, 3 * 2.0 ** -41, -(2.0 ** -41)], y=[0.0] * 4, spec="RS-CMP-1/L4"),
        case(10, "just below a power of two: the integer is 2^40", "differences",
             x=[1.0 - 2.0 ** -53], y=[0.0], spec="RS-CMP-1/L4"),
        case(11, "wins, a tie, a loss", "wins_ties_losses", **of(TENTHS), spec="RS-CMP-2/L2"),
        case(12, "the systems exchanged", "wins_ties_losses", **turned(TENTHS),
             spec="RS-CMP-2/L1"),
    ),
    group(
        "means and spread",
        case(13, "a mean of tenths", "mean", x=SAKAI[0]),
        case(14, "two means, of which nothing is rounded", "mean_difference", **of(SAKAI),
             spec="RS-CMP-3/L1"),
        case(15, "a standard deviation", "standard_deviation", x=SAKAI[0]),
        case(16, "one that is rational", "standard_deviation", x=[1.0, 2.0, 3.0]),
        case(17, "shifted and turned", "standard_deviation", x=[8.0, 7.0, 6.0],
             laws="RS-CMP-3/L2 = comparison-0016"),
        case(18, "in another order", "standard_deviation", x=[2.0, 3.0, 1.0],
             laws="RS-CMP-3/L3 = comparison-0016"),
        case(19, "one query: its value", "mean", x=[0.1], spec="RS-CMP-3(a)"),
        case(20, "one query", "standard_deviation", x=[0.1], spec="RS-CMP-3(a)",
             undefined=True),
        case(21, "equal values", "standard_deviation", x=[0.1] * 3, spec="RS-CMP-3(b)"),
        case(22, "an interval by its quantile", "interval",
             **of(SAKAI, quantile=2.093024054408263)),
        case(23, "the systems exchanged: the ends are -b and -a", "interval",
             **turned(SAKAI, quantile=2.093024054408263), spec="RS-CMP-4/L2"),
        case(24, "equal differences: a point", "interval", **of(CONSTANT, quantile=4.3),
             spec="RS-CMP-4(b)"),
        case(25, "one query", "interval", **of(ONE, quantile=2.0), spec="RS-CMP-4(a)",
             undefined=True),
    ),
    group(
        "t",
        case(26, "Student's sleep data, paired", "paired_t", **of(SLEEP)),
        case(27, "the systems exchanged", "paired_t", **turned(SLEEP),
             laws="RS-CMP-5/L1 - comparison-0026"),
        case(28, "twice all values", "paired_t", x=[2 * v for v in SLEEP[0]],
             y=[2 * v for v in SLEEP[1]], laws="RS-CMP-5/L2 = comparison-0026"),
        case(29, "the queries in the opposite order", "paired_t", x=SLEEP[0][::-1],
             y=SLEEP[1][::-1], laws="RS-CMP-5/L3 = comparison-0026"),
        case(30, "table 5.1 of sakai-2015", "paired_t", **of(SAKAI)),
        case(31, "a rational t", "paired_t", **of(ROOTS)),
        case(32, "equal differences", "paired_t", **of(CONSTANT), spec="RS-CMP-5(a)",
             undefined=True),
        case(33, "differences that are equal as tenths, and are not as doubles", "paired_t",
             **of(TENTH_MORE), spec="RS-CMP-5(a)", undefined=True),
        case(34, "equal systems", "paired_t", **of(EQUAL), spec="RS-CMP-5(a)", undefined=True),
        case(35, "one query", "paired_t", **of(ONE), spec="RS-CMP-5(a)", undefined=True),
        case(36, "Student's sleep data, pooled", "pooled_t", **of(SLEEP),
             laws="RS-CMP-6/L2 > comparison-0026"),
        case(37, "the systems exchanged", "pooled_t", **turned(SLEEP),
             laws="RS-CMP-6/L1 - comparison-0036"),
        case(38, "samples of four and of two", "pooled_t", **of(UNEVEN)),
        case(39, "neither varies", "pooled_t", **of(FLAT), spec="RS-CMP-6(b)", undefined=True),
        case(40, "one query", "pooled_t", **of(ONE), spec="RS-CMP-6(a)", undefined=True),
        case(41, "Welch's t of as many queries is the pooled one", "welch_t", **of(SLEEP),
             spec="RS-CMP-6(c)", laws="RS-CMP-7/L3 = comparison-0036"),
        case(42, "the systems exchanged", "welch_t", **turned(SLEEP),
             laws="RS-CMP-7/L1 - comparison-0041"),
        case(43, "samples of four and of two", "welch_t", **of(UNEVEN)),
        case(44, "degrees of freedom", "welch_df", **of(SLEEP), spec="RS-CMP-7/L2"),
        case(45, "of samples of four and of two", "welch_df", **of(UNEVEN), spec="RS-CMP-7/L2"),
        case(46, "neither varies", "welch_t", **of(FLAT), spec="RS-CMP-7(a)", undefined=True),
    ),
    group(
        "ranks and signs",
        case(47, "five differences of 0, left out", "signed_rank", **of(SAKAI, zeros="wilcox"),
             spec="RS-CMP-8/L1"),
        case(48, "the systems exchanged: what is left of 120", "signed_rank",
             **turned(SAKAI, zeros="wilcox"), spec="RS-CMP-8/L1"),
        case(49, "zeros have ranks", "signed_rank", **of(SAKAI, zeros="pratt")),
        case(50, "half of the ranks of zeros", "signed_rank", **of(SAKAI, zeros="zsplit")),
        case(51, "no zeros", "signed_rank", x=[3.0, -1.0, 4.0], y=[0.0] * 3, zeros="wilcox"),
        case(52, "no zeros, another rule", "signed_rank", x=[3.0, -1.0, 4.0], y=[0.0] * 3,
             zeros="zsplit", laws="RS-CMP-8/L3 = comparison-0051"),
        case(53, "cubes: the same ranks", "signed_rank", x=[27.0, -1.0, 64.0], y=[0.0] * 3,
             zeros="wilcox", laws="RS-CMP-8/L2 = comparison-0051"),
        case(54, "equal systems", "signed_rank", **of(EQUAL, zeros="zsplit"), spec="RS-CMP-8(a)"),
        case(55, "exact, with ties", "signed_rank_p", **of(SAKAI, zeros="wilcox")),
        case(56, "the systems exchanged", "signed_rank_p", **turned(SAKAI, zeros="wilcox"),
             laws="RS-CMP-9/L2 = comparison-0055"),
        case(57, "zeros have ranks", "signed_rank_p", **of(SAKAI, zeros="pratt")),
        case(58, "half of the ranks of zeros: the same p", "signed_rank_p",
             **of(SAKAI, zeros="zsplit"), spec="RS-CMP-9(b)"),
        case(59, "all of one sign: the least p", "signed_rank_p", **of(SLEEP, zeros="wilcox"),
             spec="RS-CMP-9/L3"),
        case(60, "equal systems", "signed_rank_p", **of(EQUAL, zeros="wilcox"),
             spec="RS-CMP-9(a)"),
        case(61, "four differences: 4 of 16 ways have |Σ ± r| of 8 or 10",
             "signed_rank_p", x=[-1.0, 2.0, 3.0, 4.0], y=[0.0] * 4, zeros="wilcox",
             spec="RS-CMP-9/L1 RS-CMP-9/L4"),
        case(62, "the normal approximation", "signed_rank_z",
             **of(SAKAI, zeros="wilcox", continuity=True), spec="RS-CMP-10/L3"),
        case(63, "without the correction", "signed_rank_z",
             **of(SAKAI, zeros="wilcox", continuity=False), spec="RS-CMP-10/L2"),
        case(64, "zeros have ranks", "signed_rank_z",
             **of(SAKAI, zeros="pratt", continuity=False), spec="RS-CMP-10/L2"),
        case(65, "the systems exchanged", "signed_rank_z",
             **turned(SAKAI, zeros="wilcox", continuity=True),
             laws="RS-CMP-10/L1 - comparison-0062"),
        case(66, "equal systems", "signed_rank_z", **of(EQUAL, zeros="wilcox", continuity=True),
             spec="RS-CMP-10(a)", undefined=True),
        case(67, "10 wins, 5 losses, 5 ties", "sign_p", **of(SAKAI)),
        case(68, "the systems exchanged", "sign_p", **turned(SAKAI),
             laws="RS-CMP-11/L1 = comparison-0067"),
        case(69, "as many wins as losses", "sign_p", x=[1.0, 0.0], y=[0.0, 1.0],
             spec="RS-CMP-11(a)"),
        case(70, "equal sizes", "sign_p", x=[1.0, 1.0, 1.0, -1.0], y=[0.0] * 4),
        case(71, "equal sizes: ranks say what signs say", "signed_rank_p",
             x=[1.0, 1.0, 1.0, -1.0], y=[0.0] * 4, zeros="wilcox",
             laws="RS-CMP-11/L2 = comparison-0070"),
    ),
    group(
        "several systems",
        case(72, "table 5.1 of sakai-2015: systems, queries, residual, F", "two_way",
             systems=list(SAKAI)),
        case(73, "whole numbers", "two_way",
             systems=[[7.0, 9.0, 10.0, 4.0], [6.0, 5.0, 8.0, 8.0], [11.0, 3.0, 7.0, 6.0]],
             spec="RS-CMP-12/L1"),
        case(74, "two systems: F is t squared, 25/3 of 5/√3", "two_way", systems=list(ROOTS),
             spec="RS-CMP-12/L2"),
        case(75, "more for all systems, of one query", "tukey_q",
             systems=[[7.0, 9.0, 10.0, 8.0], [6.0, 5.0, 8.0, 12.0], [11.0, 3.0, 7.0, 10.0]],
             spec="RS-CMP-12/L3", laws="RS-CMP-12/L3 = comparison-0077"),
        case(76, "table 5.1 of sakai-2015", "tukey_q", systems=list(SAKAI)),
        case(77, "whole numbers", "tukey_q",
             systems=[[7.0, 9.0, 10.0, 4.0], [6.0, 5.0, 8.0, 8.0], [11.0, 3.0, 7.0, 6.0]]),
        case(78, "two systems", "tukey_q", systems=list(SLEEP), spec="RS-CMP-13/L2"),
        case(79, "the two exchanged", "tukey_q", systems=[SLEEP[1], SLEEP[0]],
             laws="RS-CMP-13/L1 - comparison-0078"),
        case(80, "constant differences of each two", "tukey_q",
             systems=[[0.3, 0.4, 0.8], [0.1, 0.2, 0.6], [0.1, 0.2, 0.6]],
             spec="RS-CMP-12(b) RS-CMP-13(a)", undefined=True),
        case(81, "one query", "two_way", systems=[[0.5], [0.25], [1.0]], spec="RS-CMP-12(a)",
             undefined=True),
    ),
    group(
        "a region of practical equivalence",
        case(82, "one of 0.05", "posterior_limits", **of(SAKAI, rope=0.05)),
        case(83, "none", "posterior_limits", **of(SAKAI, rope=0.0)),
        case(84, "the systems exchanged: -b and -a", "posterior_limits",
             **turned(SAKAI, rope=0.05), spec="RS-CMP-14/L1"),
        case(85, "equal differences", "posterior_limits", **of(CONSTANT, rope=0.1),
             spec="RS-CMP-14(b)", undefined=True),
        case(86, "one query", "posterior_limits", **of(ONE, rope=0.1), spec="RS-CMP-14(a)",
             undefined=True),
    ),
    group(
        "effect sizes",
        case(87, "d_z", "d_z", **of(SAKAI), spec="RS-CMP-15/L1"),
        case(88, "the systems exchanged", "d_z", **turned(SAKAI),
             laws="RS-CMP-15/L2 - comparison-0087"),
        case(89, "equal differences", "d_z", **of(CONSTANT), spec="RS-CMP-15(a)", undefined=True),
        case(90, "d_av", "d_av", **of(SAKAI), spec="RS-CMP-16/L2"),
        case(91, "the systems exchanged", "d_av", **turned(SAKAI),
             laws="RS-CMP-16/L1 - comparison-0090"),
        case(92, "one of the two does not vary", "d_av", x=[1.0, 2.0, 3.0], y=[0.5] * 3,
             spec="RS-CMP-16(b)"),
        case(93, "neither varies", "d_av", **of(FLAT), spec="RS-CMP-16(a)", undefined=True),
        case(94, "Hedges' g", "hedges_g", **of(SAKAI), spec="RS-CMP-17/L1"),
        case(95, "the systems exchanged", "hedges_g", **turned(SAKAI),
             laws="RS-CMP-17/L2 - comparison-0094"),
        case(96, "neither varies", "hedges_g", **of(FLAT), spec="RS-CMP-17(a)", undefined=True),
        case(97, "PAD of two means", "pad", **of(SAKAI)),
        case(98, "the systems exchanged", "pad", **turned(SAKAI),
             laws="RS-CMP-18/L1 = comparison-0097"),
        case(99, "one half and two fifths of 8", "pad", x=[4.0], y=[3.0]),
        case(100, "eight times as much", "pad", x=[32.0], y=[24.0],
             laws="RS-CMP-18/L2 = comparison-0099"),
        case(101, "2 less: a greater PAD", "pad", x=[2.0], y=[1.0],
             laws="RS-CMP-18/L3 > comparison-0099"),
        case(102, "means of 0 and less", "pad", x=[-0.5], y=[0.0], spec="RS-CMP-18(a)",
             undefined=True),
        case(103, "one mean is 0", "pad", x=[0.5], y=[0.0], spec="RS-CMP-18(b) RS-CMP-18/L4"),
        case(104, "one mean is negative", "pad", x=[0.5], y=[-0.25], spec="RS-CMP-18(c)"),
    ),
    group(
        "corrections",
        case(105, "Bonferroni", "bonferroni", p=P, spec="RS-CMP-19/L2"),
        case(106, "none", "bonferroni", p=[], spec="RS-CMP-19/L1"),
        case(107, "a test without a p counts as 1", "bonferroni", p=[0.01, 1.0],
             spec="RS-CMP-19(a) RS-CMP-19/L1"),
        case(108, "Holm", "holm", p=P, spec="RS-CMP-20/L2 RS-CMP-20/L3",
             laws="RS-CMP-20/L1 <= comparison-0105"),
        case(109, "a step that would fall: 2 · 0.02 after 3 · 0.015", "holm",
             p=[0.015, 0.02, 0.03], spec="RS-CMP-20/L3"),
        case(110, "a test without a p counts as 1", "holm", p=[0.01, 1.0], spec="RS-CMP-20(a)"),
        case(111, "Benjamini and Hochberg", "benjamini_hochberg", p=P,
             spec="RS-CMP-21/L2 RS-CMP-21/L3", laws="RS-CMP-21/L1 <= comparison-0108"),
        case(112, "7 · 0.003, rounded, over 5 is another double than 7/5 · 0.003, rounded once",
             "benjamini_hochberg", p=[0.003, 0.003, 0.003, 0.003, 0.003, 0.5, 0.75]),
        case(113, "a test without a p counts as 1", "benjamini_hochberg", p=[0.01, 1.0],
             spec="RS-CMP-21(a)"),
    ),
    group(
        "values with a common denominator",
        case(114, "0.1 + 0.2 is 0.3 in tenths", "numerators", systems=[[0.1, 0.2, 0.3]],
             spec="RS-CMP-24/L2"),
        case(115, "tenths of one system and thirds of another", "common_denominator",
             systems=[[0.3, 0.1, 0.2], [1 / 3, 0.5, 1.0]], spec="RS-CMP-24/L1"),
        case(116, "their numerators", "numerators", systems=[[0.3, 0.1, 0.2], [1 / 3, 0.5, 1.0]]),
        case(117, "in another order, of other signs", "common_denominator",
             systems=[[0.2, -0.3, 0.1], [1.0, 1 / 3, -0.5]],
             laws="RS-CMP-24/L3 = comparison-0115"),
        case(118, "no value", "common_denominator", systems=[[]], spec="RS-CMP-24(a)"),
        case(119, "all values are 0", "numerators", systems=[[0.0, -0.0]], spec="RS-CMP-24(a)"),
        case(120, "the greatest integer whose denominator is 1", "common_denominator",
             systems=[[2.0**39 - 1]], spec="RS-CMP-24(b)"),
        case(121, "an integer that is too great", "common_denominator", systems=[[2.0**39]],
             spec="RS-CMP-24(b)"),
        case(122, "an irrational value: 1/log2(3)", "common_denominator",
             systems=[[0.5, 0.6309297535714574]], spec="RS-CMP-24(c)"),
        case(123, "the greatest denominator of numbers near to 1", "common_denominator",
             systems=[[741453 / 741454]]),
        case(124, "one more", "common_denominator", systems=[[741455 / 741456]]),
        case(125, "many thirds of ten thousand: 1000000/9999 and 1/9999", "numerators",
             systems=[[1000000 / 9999], [1 / 9999]], spec="RS-CMP-24/L2"),
        case(126, "0.1 and the next double", "common_denominator",
             systems=[[0.1, 0.10000000000000002]]),
        case(127, "the least double", "common_denominator", systems=[[5e-324]]),
        case(128, "N max |j| = 2^39 - 1", "common_denominator",
             systems=[[8191 * 121369 / 553]]),
    ),
    group(
        "systems on sessions of their own",
        case(129, "Cohen's d", "cohen_d", **of(SAKAI), spec="RS-CMP-25/L1 RS-CMP-25/L3"),
        case(130, "the systems exchanged", "cohen_d", **turned(SAKAI),
             laws="RS-CMP-25/L2 - comparison-0129"),
        case(131, "neither varies", "cohen_d", **of(FLAT), spec="RS-CMP-25(a)", undefined=True),
        case(132, "different numbers of sessions", "cohen_d", x=[1.0, 2.0, 4.0], y=[0.5, 0.0]),
        case(133, "different numbers of sessions: pooled t", "pooled_t", x=[1.0, 2.0, 4.0],
             y=[0.5, 0.0]),
        case(134, "different numbers of sessions: Welch's t", "welch_t", x=[1.0, 2.0, 4.0],
             y=[0.5, 0.0]),
        case(135, "its degrees of freedom", "welch_df", x=[1.0, 2.0, 4.0], y=[0.5, 0.0],
             spec="RS-CMP-7/L2"),
        case(136, "two topics, whose difference is no part of it", "adjusted_difference",
             topics=[[[8.0, 9.0, 8.0, 9.0], [8.0, 9.0]], [[1.0], [1.0, 1.0]]], known=0),
        case(137, "weights of 2/3 and 4/3", "adjusted_difference", topics=TWO_TOPICS,
             spec="RS-CMP-26/L4"),
        case(138, "the systems exchanged", "adjusted_difference",
             topics=[two[::-1] for two in TWO_TOPICS], laws="RS-CMP-26/L2 - comparison-0137"),
        case(139, "8 added to the values of a topic", "adjusted_difference",
             topics=[[[x + 8 for x in column] for column in TWO_TOPICS[0]], TWO_TOPICS[1]],
             laws="RS-CMP-26/L3 = comparison-0137"),
        case(140, "a topic that one system has no session of", "adjusted_difference",
             topics=[*TWO_TOPICS, [[7.0, 5.0], []]], laws="RS-CMP-26(b) = comparison-0137"),
        case(141, "no topic of both", "adjusted_difference", topics=[[[7.0], []], [[], [5.0]]],
             spec="RS-CMP-26(a)", undefined=True),
        case(142, "one topic: the difference of the means", "adjusted_difference",
             topics=[[[0.5, 0.25], [1.0, 0.5, 0.25]]], spec="RS-CMP-26/L1"),
    ),
]

OPTIONAL: list[Group] = []
