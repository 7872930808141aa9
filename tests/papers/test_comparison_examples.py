"""Worked examples of the literature, and what R prints of them, by the tests of rankspec.

Each figure stands beside the call of R 4.2.2 that printed it (exactRankTests 0.8-35 for
``wilcox.exact``). R's differences are those of doubles, ours are rounded to 40 bits (RS-CMP-1): so
what depends on them agrees to 11 digits. R's studentised range has 10 digits or fewer.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from rankspec.analysis.comparison import corrections
from rankspec.analysis.comparison.distributions import range_quantile, t_quantile
from rankspec.analysis.comparison.effects import BY_NAME as EFFECTS
from rankspec.analysis.comparison.systems import Pair, Systems
from rankspec.analysis.comparison.tests import BY_NAME as TESTS
from rankspec.analysis.comparison.tests import Choices
from rankspec.reference import comparison as equations
from rankspec.reference.numerics import nearest_double_of

# Student (1908), from Cushny and Peebles (1905): hours of sleep gained by two drugs; R: sleep
DRUG_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
DRUG_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

# ruff: noqa: E501 - printed rows

# Sakai, Information Access Evaluation Methodology (2015), table 5.1: 20 topics, three systems
A = [0.7, 0.3, 0.2, 0.6, 0.4, 0.4, 0.0, 0.7, 0.1, 0.3,
     0.5, 0.4, 0.0, 0.6, 0.5, 0.3, 0.1, 0.5, 0.2, 0.1]  # fmt: skip
B = [0.5, 0.1, 0.0, 0.2, 0.4, 0.3, 0.0, 0.5, 0.3, 0.3,
     0.4, 0.4, 0.1, 0.4, 0.2, 0.1, 0.1, 0.6, 0.3, 0.2]  # fmt: skip
C = [0.0, 0.0, 0.2, 0.1, 0.3, 0.3, 0.1, 0.2, 0.4, 0.4,
     0.4, 0.3, 0.3, 0.2, 0.2, 0.2, 0.1, 0.5, 0.4, 0.3]  # fmt: skip

# Sakai, Laboratory Experiments in Information Retrieval (2018): 20topics3runs
RUN_1 = [0.4695, 0.2813, 0.3914, 0.6884, 0.6121, 0.3266, 0.5605, 0.5916, 0.4385, 0.5821,
         0.2871, 0.5186, 0.5188, 0.5019, 0.4702, 0.3290, 0.4758, 0.3028, 0.3752, 0.2796]  # fmt: skip
RUN_2 = [0.3732, 0.3783, 0.3868, 0.5896, 0.4725, 0.2330, 0.4328, 0.5073, 0.3889, 0.5551,
         0.3274, 0.5066, 0.5198, 0.4981, 0.3878, 0.4387, 0.4946, 0.3400, 0.4895, 0.2335]  # fmt: skip
RUN_3 = [0.3575, 0.2435, 0.3167, 0.6024, 0.4766, 0.2429, 0.4066, 0.4707, 0.3384, 0.4597,
         0.2769, 0.4066, 0.3859, 0.4568, 0.3437, 0.2649, 0.4045, 0.3253, 0.3205, 0.2240]  # fmt: skip


def near(x, digits=11):
    return pytest.approx(x, rel=10.0**-digits, abs=0)


def assert_as_printed(outcome, t, df, p, *interval):
    assert outcome.statistic == near(t)
    assert outcome.df == near(df)
    assert outcome.p == near(p)
    assert list(outcome.interval) == [near(end, 10) for end in interval]


@pytest.mark.spec("RS-CMP-3", "RS-CMP-4", "RS-CMP-5", "RS-CMP-6", "RS-CMP-7")
def test_students_sleep_data():
    pair = Pair(DRUG_1, DRUG_2)
    # t.test(a, b, paired = TRUE)
    assert_as_printed(TESTS["t"](pair), -4.0621276833820366, 9, 0.0028328901973842702,
                      -2.4598857632769823844, -0.7001142367230175356)  # fmt: skip
    # t.test(a, b)
    assert_as_printed(TESTS["welch"](pair), -1.860813467486853057, 17.776473516178498357,
                      0.079394140187358173, -3.365483230711710405, 0.205483230711710180)  # fmt: skip
    # t.test(a, b, var.equal = TRUE)
    assert_as_printed(TESTS["pooled"](pair), -1.860813467486852835, 18, 0.079186714215938175,
                      -3.363874032287598403, 0.203874032287598594)  # fmt: skip
    assert pair.wins_ties_losses == (0, 1, 9)


@pytest.mark.spec("RS-CMP-8", "RS-CMP-9", "RS-CMP-10", "RS-CMP-11")
def test_students_sleep_data_by_ranks():
    """In tenths of hours, since in doubles R loses a tie: it prints .00909 and .00763 either way."""
    outcome = TESTS["wilcoxon"](Pair(DRUG_1, DRUG_2))
    assert outcome.statistic == 0
    assert outcome.p == 0.00390625  # wilcox.exact(10 * a, 10 * b, paired = TRUE)
    assert outcome.how == "exact"
    D, _ = equations.differences(DRUG_1, DRUG_2)
    for continuity, p in ((True, 0.0090906980159250559), (False, 0.0076324416482055155)):
        # wilcox.test(a, b, paired = TRUE, exact = FALSE, correct = ...)
        assert normal_p(D, continuity) == near(p)


def normal_p(D, continuity):
    from rankspec.analysis.comparison.distributions import normal_two_sided

    z = nearest_double_of(lambda R: equations.signed_rank_z(D, "wilcox", continuity, R))
    return normal_two_sided(z)


@pytest.mark.spec("RS-CMP-3", "RS-CMP-4", "RS-CMP-5", "RS-CMP-15")
def test_sakais_table_5_1_as_printed():
    """Mean, variance, effect size, t, p, margin of error, as elinor's documentation cites them."""
    pair = Pair(A, B)
    outcome = TESTS["t"](pair)
    assert pair.mean_difference == 0.075
    assert round(float(equations.variance(*pair.differences)), 4) == 0.0251
    assert round(EFFECTS["d_z"](pair), 3) == 0.473
    assert round(outcome.statistic, 3) == 2.116
    assert round(outcome.p, 3) == 0.048
    assert round((outcome.interval[1] - outcome.interval[0]) / 2, 4) == 0.0742
    # t.test(A, B, paired = TRUE)
    assert_as_printed(outcome, 2.1157598612734660, 19, 4.7796761844964321e-02,
                      8.0594473224405592e-04, 1.4919405526775595e-01)  # fmt: skip


@pytest.mark.spec("RS-CMP-8", "RS-CMP-9", "RS-CMP-10", "RS-CMP-11")
def test_sakais_table_5_1_by_ranks_and_signs():
    """R says .0432 for the doubles, and .0399 for ten times the values: ties are lost."""
    pair = Pair(A, B)
    outcome = TESTS["wilcoxon"](pair)
    assert (outcome.statistic, outcome.p) == (96, 0.04034423828125)
    # wilcox.exact(round(10 * A), round(10 * B), paired = TRUE)
    for continuity, p in ((True, 0.0399460216747035), (False, 0.037229303102167162)):
        # wilcox.test(round(10 * A), round(10 * B), paired = TRUE, exact = FALSE, correct = ...)
        assert normal_p(pair.D, continuity) == near(p)
    assert TESTS["sign"](pair).p == near(0.30175781250000006)  # binom.test(10, 15)


@pytest.mark.spec("RS-CMP-12", "RS-CMP-13")
def test_sakais_table_5_1_by_two_way_anova():
    """m <- aov(score ~ topic + system); summary(m); TukeyHSD(m, "system")"""
    systems = Systems({"A": A, "B": B, "C": C})
    table = systems.two_way
    assert float(table.systems) == near(0.108333333333334)
    assert float(table.queries) == near(1.029333333333333)
    assert float(table.residual) == near(0.831666666666667)
    assert round(float(table.F), 5) == 2.47495
    printed = {  # diff, lwr and upr of the second less the first; p adj
        ("A", "B"): (
            -0.075000000000000122,
            -0.18909422895103659,
            0.039094228951036342,
            0.256697746377003821,
        ),
        ("A", "C"): (
            -0.100000000000000200,
            -0.21409422895103666,
            0.014094228951036264,
            0.095686847118544249,
        ),
        ("B", "C"): (
            -0.025000000000000078,
            -0.13909422895103654,
            0.089094228951036386,
            0.854963181114632542,
        ),
    }
    assert_as_tukey_printed(systems, printed)


def assert_as_tukey_printed(systems, printed):
    outcomes = TESTS["tukey"](systems)
    assert outcomes.keys() == printed.keys()
    for names, (difference, lower, upper, p) in printed.items():
        outcome = outcomes[names]
        assert systems.pairs[names].mean_difference == near(-difference)
        assert outcome.interval == (near(-upper, 9), near(-lower, 9))
        assert outcome.p == near(p, 9 if p > 1e-3 else 6)
        assert outcome.df == 38


@pytest.mark.spec("RS-CMP-12", "RS-CMP-13")
def test_sakais_three_runs():
    systems = Systems({"1": RUN_1, "2": RUN_2, "3": RUN_3})
    table = systems.two_way
    assert float(table.systems) == near(0.075394570333333)
    assert float(table.queries) == near(0.579826147333333)
    assert float(table.residual) == near(0.071008309666667)
    assert round(float(table.F), 5) == 20.17365
    assert_as_tukey_printed(systems, {
        ("1", "2"): (-0.022375000000000034, -0.055713312822454869, 0.010963312822454802, 2.4288216184902778e-01),
        ("1", "3"): (-0.083845000000000058, -0.117183312822454894, -0.050506687177545223, 1.1054215700578851e-06),
        ("2", "3"): (-0.061470000000000025, -0.094808312822454860, -0.028131687177545189, 1.8291589534003005e-04),
    })  # fmt: skip


@pytest.mark.spec("RS-CMP-5", "RS-CMP-6", "RS-CMP-7", "RS-CMP-9")
@pytest.mark.parametrize(
    ("runs", "paired", "welch", "pooled", "W", "signed_rank", "sign"),
    [
        ((RUN_1, RUN_2), (1.310112962540682213, 0.205776489583906513),
         (0.633805866673122664, 36.098466223485871751, 0.530203369918044176),
         (0.633805866673122664, 0.530004381183074136), 139, 0.21616744995117188, 0.26317596435546875),
        ((RUN_1, RUN_3), (8.2606608187210604, 1.0375894790919263e-07),
         (2.388171406168789535, 35.878783060785146120, 0.022319901029379040),
         (2.388171406168789090, 0.022006911730420943), 208, 5.7220458984375e-06, 4.0054321289062493e-05),
    ],
)  # fmt: skip
def test_sakais_runs_in_pairs(runs, paired, welch, pooled, W, signed_rank, sign):
    """t.test and wilcox.test(a, b, paired = TRUE), exact without ties; binom.test"""
    pair = Pair(*runs)
    assert (TESTS["t"](pair).statistic, TESTS["t"](pair).p) == (near(paired[0]), near(paired[1]))
    found = TESTS["welch"](pair)
    assert (found.statistic, found.df, found.p) == tuple(map(near, welch))
    assert (TESTS["pooled"](pair).statistic, TESTS["pooled"](pair).p) == tuple(map(near, pooled))
    assert (TESTS["wilcoxon"](pair).statistic, TESTS["wilcoxon"](pair).p) == (W, signed_rank)
    assert TESTS["sign"](pair).p == near(sign)


@pytest.mark.spec("RS-CMP-9")
def test_the_depression_scale_of_hollander_and_wolfe():
    """The example of R's wilcox.test: V = 40, p-value = 0.03906 (two-sided)"""
    x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    outcome = TESTS["wilcoxon"](Pair(x, y))
    assert (outcome.statistic, outcome.p) == (40, 0.0390625)


@pytest.mark.spec("RS-CMP-9", "RS-CMP-10")
def test_ties_and_zeros_as_exact_rank_tests_has_them():
    D = [19, -11, 0, 5, 0, 5, -3, 8, 8, 8]
    assert equations.signed_rank(D) == 28
    assert equations.signed_rank_p(D) == Fraction(0.1796875)  # wilcox.exact(d)
    assert normal_p(D, True) == near(0.18073580937360564)  # wilcox.test(d, exact = FALSE)


@pytest.mark.spec("RS-CMP-11")
def test_tagues_ten_queries():
    """Information Retrieval Experiment, 1981, page 97: K = 7; P(K <= 3 or K >= 7) has 2 · 0.172."""
    D = [11, 1, 1, -2, 2, 47, 11, -1, 1, -7]
    assert equations.wins_ties_losses(D) == (7, 0, 3)
    assert equations.sign_p(D) == Fraction(2 * (1 + 10 + 45 + 120), 1024)


@pytest.mark.spec("RS-CMP-19", "RS-CMP-20", "RS-CMP-21")
def test_corrections_are_those_of_p_adjust():
    p = [0.01, 0.04, 0.03, 0.005, 0.2, 0.03]
    for name, printed in {  # p.adjust(p, method)
        "bonferroni": [0.059999999999999998, 0.239999999999999991, 0.179999999999999993,
                       0.029999999999999999, 1.0, 0.179999999999999993],
        "holm": [0.050000000000000003, 0.119999999999999996, 0.119999999999999996,
                 0.029999999999999999, 0.200000000000000011, 0.119999999999999996],
        "bh": [0.029999999999999999, 0.048000000000000001, 0.044999999999999998,
               0.029999999999999999, 0.200000000000000011, 0.044999999999999998],
    }.items():  # fmt: skip
        found = corrections.BY_NAME[name](p)
        assert found == [near(value, 15) for value in printed], name


@pytest.mark.spec("RS-CMP-22")
def test_quantiles_are_those_of_r():
    assert t_quantile(0.05, 19) == near(2.0930240544083091869)  # qt(.975, 19)
    assert t_quantile(0.01, 3) == near(5.8409093097333544264)  # qt(.995, 3)
    assert range_quantile(0.05, 3, 38) == near(3.4490209015394581726, 9)  # qtukey(.95, 3, 38)
    assert range_quantile(0.05, 2, 10) == near(3.1510641768803409057, 8)  # qtukey(.95, 2, 10)
    assert range_quantile(0.01, 8, 343) == near(5.0323190308339116328, 8)  # qtukey(.99, 8, 343)


def test_choices_reach_the_tests():
    """Zeros with ranks change p: a reading that ignored them would not."""
    found = {rule: TESTS["wilcoxon"](Pair(A, B), Choices(zeros=rule)).p for rule in equations.ZEROS}
    assert found["wilcox"] != found["pratt"] == found["zsplit"]
