"""Agreement against other programs: what they printed, by the call that printed it, and SciPy here.

Other programs round at every step: they are within some units of the last place that they print.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import isnan, sqrt, ulp

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankspec import InputError
from rankspec.analysis.comparison import agreement as named
from rankspec.reference import agreement as reference
from rankspec.reference.comparison import Undefined
from rankspec.reference.numerics import nearest_double_of

from ..each import each

stats = pytest.importorskip("scipy.stats", reason="pip install scipy")

values = st.one_of(st.integers(0, 3).map(float), st.floats(0, 1))


# ---- Kendall's τ_b -------------------------------------------------------------------------


@pytest.mark.spec("RS-AGR-2")
@given(st.lists(st.tuples(values, values), min_size=2, max_size=12))
@example([(0.3, 1.0), (0.1 + 0.2, 2.0)])
def test_tau_b_is_scipys(both):
    x, y = map(list, zip(*both, strict=True))
    theirs = stats.kendalltau(x, y).statistic
    try:
        ours = nearest_double_of(lambda reals: reference.tau_b(x, y, reals))
    except Undefined:
        assert isnan(theirs)
    else:
        assert abs(ours - theirs) <= 4 * ulp(1.0)


@pytest.mark.spec("RS-AGR-2")
def test_tau_b_is_rs():
    """R 4: cor(c(.61,.55,.55,.40,.38,.30), c(.50,.52,.44,.44,.20,.31), method="kendall")"""
    x, y = [0.61, 0.55, 0.55, 0.40, 0.38, 0.30], [0.50, 0.52, 0.44, 0.44, 0.20, 0.31]
    assert reference.tau_b(x, y) == Fraction(9, 14)
    assert abs(0.64285714285714279 - 9 / 14) <= ulp(1.0)


# ---- τ_AP: the figures of ircor (tests/testthat/test_tauAP.R, b765358) ---------------------

X = (
    [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
    [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
    [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
)
Y = (
    [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
    [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
    [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
)
TIED_X = (
    [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1],
    [0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4],
    [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1, 0.4],
)
TIED_Y = (
    [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1],
    [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6],
    [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2],
)


@pytest.mark.spec("RS-AGR-3", "RS-AGR-4", "RS-AGR-5")
@each(
    ("function", "x", "y", "printed"),
    [
        (reference.tau_ap, X, Y, (0.8519, 0.2504, -0.6971)),
        (reference.tau_ap_a, X, Y, (0.8519, 0.2504, -0.6971)),
        (reference.tau_ap_a, X, TIED_Y, (0.7454, 0.2692, -0.5558)),
        (reference.tau_ap_b, X, Y, (0.8333, 0.2880, -0.668)),
        (reference.tau_ap_b, TIED_X, TIED_Y, (0.7321, 0.297, -0.7047)),
        (reference.tau_ap_b, TIED_Y, TIED_X, (0.7321, 0.297, -0.7047)),
    ],
)
def test_tau_ap_is_ircors(function, x, y, printed):
    found = [float(function(a, b)) for a, b in zip(x, y, strict=True)]
    assert [round(value, 4) for value in found] == list(printed)


# ---- RBO: rows of sigir2024-rbo (rbo/test.csv, 0338fd9), which its R program printed ------

RBO = [
    (
        "11 (8 21) (2 18) (6 16 20) (4 10)",
        "8 (9 20 21) (2 3) 13 1 11 14 19",
        0.93912403977192,
        {
            "w": (0.482369482292872, 0.346394412736983, 0.712103626756557, 0.365709214019575),
            "a": (0.46852753894333, 0.332552469387441, 0.698261683407016, 0.365709214019575),
            "b": (0.486650566878314, 0.350675497322425, 0.716384711341999, 0.365709214019575),
        },
    ),
    (
        "(3 6) (2 7) 10",
        "(3 6 7 10) (1 2)",
        0.965413635276732,
        {
            "w": (0.946064537517568, 0.343706790399566, 0.958770957517067, 0.615064167117501),
            "a": (0.92051534467649, 0.319428239558438, 0.934492406675939, 0.615064167117501),
            "b": (0.956844651806714, 0.348953051936765, 0.964017219054266, 0.615064167117501),
        },
    ),
    (
        "(2 9 13 14 17) (5 11)",
        "8 16 (6 10 18) 14 5 2 3 (1 11 19)",
        0.971813369867667,
        {
            "w": (0.378316081680315, 0.139230302040199, 0.783675290599478, 0.644444988559279),
            "a": (0.377432846972023, 0.138576262122468, 0.783950386807411, 0.645374124684943),
            "b": (0.378211692122799, 0.139236431029208, 0.785084542702099, 0.64584811167289),
        },
    ),
    (
        "(4 14) 10 9 16 1 (11 21) 7",
        "(4 7 9 10 14 16) 21 (1 11) (3 6 17 18)",
        0.980350757903177,
        {
            "w": (0.95731778452095, 0.350742506261885, 0.95731778452095, 0.606575278259065),
            "a": (0.939619367902257, 0.336112285552834, 0.939619367902257, 0.603507082349424),
            "b": (0.96333114711547, 0.35963910728389, 0.96333114711547, 0.60369203983158),
        },
    ),
]


def ranking(text):
    groups, inside = [], False
    for word in text.replace("(", "( ").replace(")", " )").split():
        if word in "()":
            inside = word == "("
            groups += [[]] if inside else []
        elif inside:
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups


@pytest.mark.spec("RS-AGR-6", "RS-AGR-7", "RS-AGR-8")
@each("row", RBO, ids=lambda row: row[0])
@each("ties", reference.TIES)
def test_rbo_is_that_of_its_authors(row, ties):
    x, y, p, printed = row
    functions = reference.rbo_ext, reference.rbo_min, reference.rbo_max, reference.rbo_res
    for function, value in zip(functions, printed[ties], strict=True):
        found = nearest_double_of(
            lambda reals, of=function: of(ranking(x), ranking(y), p, ties, reals)
        )
        assert abs(found - value) < 1e-14, function.__name__


# ---- repro_eval 0.5.0 ----------------------------------------------------------------------

ORIGINAL = {"1": ["d1", "d7", "d3", "d4", "d9"]}
REPEATED = {"1": ["d7", "d1", "d4", "d2", "d3"]}


@pytest.mark.spec("RS-AGR-9", "RS-AGR-17")
def test_rankings_are_compared_as_repro_eval_does():
    """KTU(orig, rep, per_topic=True); RBO(orig, rep, 0.8, 5, False, True), and with the depth 8"""
    found = named.compare_rankings(ORIGINAL, REPEATED, 0.8, 5)
    assert found.ktu == {"1": -0.6}
    assert abs(found.rbo["1"] - 0.5766143106457242) <= ulp(1.0)
    deeper = named.compare_rankings(ORIGINAL, REPEATED, 0.8, 8)
    assert abs(deeper.rbo["1"] - 0.5795177848000306) <= ulp(1.0)


@pytest.mark.spec("RS-AGR-18", "RS-AGR-19", "RS-AGR-20")
def test_values_are_compared_as_repro_eval_does():
    """RMSE(a, a2), ER(a, b, a2, b2), DRI(a, b, a2, b2), with a topic a value"""
    a, b, a2, b2 = (
        dict(enumerate(run))
        for run in ([0.5, 0.25, 0.75], [0.5, 0.25, 0.25], [0.5, 0.375, 0.5], [0.25, 0.25, 0.5])
    )
    assert named.rmse(a, a2) == 0.1613743060919757
    found = named.compare_effects(b, a, b2, a2)
    assert found.ratio == 0.75
    assert abs(found.delta_ri - 0.1250000000000001) <= ulp(1.0)


# ---- κ: scikit-learn 1.9.1 -----------------------------------------------------------------


@pytest.mark.spec("RS-AGR-15")
@each(
    ("weights", "printed"),
    [("none", 0.4285714285714286), ("linear", 0.5), ("quadratic", 0.5454545454545454)],
)
def test_kappa_is_scikit_learns(weights, printed):
    """cohen_kappa_score([2, 0, 2, 2, 0, 1], [0, 0, 2, 2, 0, 2], weights=weights)"""
    found = float(reference.kappa([2, 0, 2, 2, 0, 1], [0, 0, 2, 2, 0, 2], weights))
    assert abs(found - printed) <= ulp(1.0)


# ---- power ---------------------------------------------------------------------------------


@pytest.mark.spec("RS-AGR-22")
@each(
    ("difference", "deviation", "alpha", "beta", "paired", "printed"),
    [
        (0.1, 0.3162278, 0.05, 0.2, True, 80.430493975681),
        (0.05, 0.2, 0.05, 0.2, True, 127.515830968104),
        (0.1, 0.5, 0.05, 0.2, True, 198.150820953487),
        (0.1, 0.2, 0.05, 0.2, False, 63.7656101707757),
        (0.1, 0.2, 0.01, 0.05, True, 74.61090211686),
        (1, 0.2, 0.05, 0.2, True, 2.49129003339512),
    ],
)
def test_n_is_rs(difference, deviation, alpha, beta, paired, printed):
    """power.t.test(delta=, sd=, sig.level=, power=1-beta, type="paired", strict=TRUE)$n"""
    found = named.queries_needed(difference, deviation, alpha, beta, paired)
    assert found - 1 < printed <= found


@pytest.mark.spec("RS-AGR-22")
@each(
    ("n", "difference", "deviation", "paired", "printed"),
    [
        (20, 1, 1, False, 0.8689530277245856),
        (20, 0.1, 0.2, True, 0.56450441843908394),
        (2, 0.1, 0.2, True, 0.061948606687284635),
    ],
)
def test_the_power_is_rs(n, difference, deviation, paired, printed):
    """power.t.test(n=, delta=, sd=, type="paired", strict=TRUE)$power"""
    assert abs(named.power(n, difference, deviation, 0.05, paired) - printed) < 1e-11


@pytest.mark.spec("RS-AGR-22")
@each("n", [2, 3, 7, 30, 1000], fast=2)
@each("effect", [0.01, 0.3, 1.0, 8.0], fast=2)
@each("alpha", [0.5, 0.05, 1e-4], fast=1)
def test_the_power_is_an_integral_over_chi_squared(n, effect, alpha):
    """By Gauss and Legendre, over the probability of S itself."""
    df, shift = n - 1, sqrt(n) * effect
    t = -stats.t.ppf(alpha / 2, df)
    nodes, weights = np.polynomial.legendre.leggauss(80)
    edges = stats.chi.isf(
        np.concatenate([np.logspace(-18, -1, 60), 1 - np.logspace(-1, -18, 60)]), df
    )
    edges = np.unique(np.concatenate([[0.0], edges, [stats.chi.isf(1e-25, df)]]))
    total = 0.0
    for a, b in pairwise(edges):
        s = (a + b) / 2 + (b - a) / 2 * nodes
        S = s / sqrt(df)
        beyond = stats.norm.cdf(shift - t * S) + stats.norm.cdf(-shift - t * S)
        total += (b - a) / 2 * float(weights @ (stats.chi.pdf(s, df) * beyond))
    assert abs(named.power(n, effect, 1.0, alpha) - total) < 1e-9


# ---- bad input -----------------------------------------------------------------------------

NAN = float("nan")


@pytest.mark.spec("RS-AGR-1", "RS-AGR-7", "RS-AGR-11", "RS-AGR-14", "RS-AGR-22")
@each(
    ("call", "words"),
    [
        (lambda: named.compare_orders({"A": NAN}, {"A": 1}, 0.9), "x: value 1 is nan"),
        (lambda: named.compare_orders({"A": 1}, {"B": 1}, 0.9), "only one of the two has"),
        (
            lambda: named.compare_orders({"A": 1}, {"A": 1}, 1),
            "p: expected a number between 0 and 1, got 1",
        ),
        (
            lambda: named.compare_orders({"A": "1"}, {"A": 1}, 0.9),
            "x: value 1 is '1'; expected a number",
        ),
        (lambda: named.discriminative_power([1.5]), "p-value 1 is 1.5"),
        (lambda: named.discriminative_power([NAN]), "p-value 1 is nan"),
        (
            lambda: named.discriminative_power([0.5], alpha=0),
            "alpha: expected a number between 0 and 1, got 0",
        ),
        (lambda: named.swap_rates({"A": {"1": 1.0}}), "queries: expected at least 2, .*got 1"),
        (lambda: named.swap_rates({"A": {"1": 1.0}, "B": {"2": 1.0}}), "only one of the two has"),
        (lambda: named.swap_rates({"A": {"\ud800": 1.0}}), "id '.ud800' has no unique encoding"),
        (lambda: named.swap_rates({"A": {1: 1.0}}), "scores of A: the query id 1 is not a string"),
        (lambda: named.swap_rates({}, width=0), "width: expected a number above 0, got 0"),
        (lambda: named.swap_rates({}, bins=0), "bins: expected a number of bins, got 0"),
        (lambda: named.label_agreement({}, {}, "cubic"), "weights: unknown name 'cubic'"),
        (lambda: named.compare_rankings({}, {}, 0.9), "queries: expected at least one, got none"),
        (lambda: named.compare_rankings({"q": ["a", "a"]}, {"q": []}, 0.9), "occurs twice"),
        (
            lambda: named.compare_rankings(ORIGINAL, REPEATED, 0.9, 0),
            "depth: expected a whole number above 0, got 0",
        ),
        (lambda: named.compare_rankings({"q": [1]}, {"q": [2]}, 0.9), 'query "q": the document id'),
        (lambda: named.power(1, 0.1, 0.2), "n: expected a number of queries from 2 .*, got 1"),
        (lambda: named.power(10, 0, 0.2), "difference: expected a number above 0, got 0"),
        (lambda: named.queries_needed(1e-9, 1.0), "more than 2\\^31"),
        (lambda: named.check_ranking("x", ["ab"]), "x: expected a group of items, got 'ab'"),
    ],
)
def test_bad_input_is_refused(call, words):
    with pytest.raises(InputError, match=words):
        call()


# ---- ids that are no UTF-8 -----------------------------------------------------------------

IN_ORDER = ("e", "\udc80", "é", "\udcff")
"""Ids in the order of their bytes, 65, 80, C3 A9 and FF; as texts "é" is before both surrogates."""


@pytest.mark.slow
@pytest.mark.spec("RS-AGR-14")
def test_queries_are_split_in_the_order_of_their_bytes():
    values = {"A": [0.1, 0.5, 0.3, 0.9], "B": [0.4, 0.2, 0.6, 0.3]}

    def bins_of(ids):
        return [
            named.swap_rates({s: dict(zip(ids, row, strict=True)) for s, row in values.items()}, n)
            for n in range(10)
        ]

    assert bins_of(IN_ORDER) == bins_of("abcd")
    assert bins_of("acbd") != bins_of("abcd")


@pytest.mark.spec("RS-AGR-17")
def test_documents_have_the_places_of_their_bytes():
    """By hand: 1, 2, 3, 4 and 2, 1, 4, 3 have 4 concordant pairs of 6; as texts, only 2."""
    a, b, c, d = IN_ORDER
    found = named.compare_rankings({"q": [a, b, c, d]}, {"q": [b, a, d, c]}, 0.9)
    assert found.ktu["q"] == (4 - 2) / 6


@pytest.mark.spec("RS-AGR-2", "RS-AGR-15")
def test_what_is_undefined_is_none_and_not_0():
    found = named.compare_orders({"A": 1, "B": 1}, {"A": 1, "B": 2}, 0.9)
    assert (found.tau_b, found.tau_ap_b, found.swapped) == (None, None, [])
    assert named.label_agreement({"q": {"a": 1}}, {"q": {"a": 1}}).kappa is None
    assert named.label_agreement({}, {}).both == 0


@pytest.mark.spec("RS-AGR-22")
def test_power_without_scipy_names_the_extra(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(InputError, match=r"rankspec\[compare\]"):
        named.power(10, 0.1, 0.2)
