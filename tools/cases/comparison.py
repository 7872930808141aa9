"""Statistics of systems on the same queries: ties, undefined input, corrections, examples."""

# fmt: off
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Comparison:
    """What goes in, and why.

    name: of the statistic, as tools/comparisons.py has it
    given: x and y, or systems, or p; and the parameters
    spec: what it is about, beside the entry of the statistic
    laws: "RS-CMP-5/L1 - comparison-0007": this value is the negative of that
    undefined: whether the statistic has no value
    """

    number: int
    why: str
    name: str
    given: dict[str, Any] = field(default_factory=dict)
    spec: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    undefined: bool = False


@dataclass(frozen=True)
class Group:
    """Statistics about one thing."""

    about: str
    cases: tuple[Comparison, ...]


def case(number: int, why: str, name: str, *, spec: str = "", laws: str = "",
         undefined: bool = False, **given: Any) -> Comparison:
    related = tuple(words.strip() for words in laws.split(";") if words.strip())
    return Comparison(number, why, name, given, tuple(spec.split()), related, undefined)


def group(about: str, *cases: Comparison) -> Group:
    return Group(about, cases)


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
]

OPTIONAL: list[Group] = []

CASES = [c for part in (REQUIRED, OPTIONAL) for g in part for c in g.cases]
