"""The Q-measure of the core: values, and what it leaves to the reference."""

from __future__ import annotations

import math
import random
from array import array
from fractions import Fraction
from itertools import permutations, product

import pytest

import rankspec as rs
from rankspec.compute.batch import Batch
from rankspec.metrics.measure import make

from .test_cascade import batch_of, undecided_share

MEASURES = (rs.Q_measure, rs.NCU, rs.O_measure, rs.P_measure, rs.P_plus, rs.EBR)


def q(labels, judged, k, beta):
    """By the definition, rounded."""
    return float(exact_q(labels, judged, k, beta))


def exact_q(labels, judged, k, beta):
    """By the definition, in fractions."""
    best = sorted(judged, reverse=True)
    total = Fraction(0)
    for i in range(1, min(k or len(labels), len(labels)) + 1):
        shown = labels[:i]
        if shown[-1]:
            hits = sum(x > 0 for x in shown)
            total += Fraction(hits + beta * sum(shown), i + beta * sum(best[:i]))
    divisor = min(k or len(judged), sum(x > 0 for x in judged))
    return total / divisor if divisor else Fraction(0)


def mean_q(groups, judged, k, beta):
    """The mean over all orders of the tie groups."""
    orders = list(product(*map(permutations, groups)))
    of_orders = (exact_q([x for T in order for x in T], judged, k, beta) for order in orders)
    return float(sum(of_orders) / len(orders))


@pytest.mark.slow(but=2)
@pytest.mark.spec("RS-UTL-3", "RS-NUM-61", "RS-NUM-61/L1")
@pytest.mark.parametrize("beta", [0, 1, 7, 2**20])
def test_values_are_those_of_the_definition(beta):
    rng = random.Random(beta)
    for _ in range(150):
        labels = rng.choices([0, 0, 0, 1, 2, 3, 200], k=rng.randint(0, 30))
        judged = labels + rng.choices([0, 1, 2, 255], k=rng.randint(0, 9))
        rng.shuffle(judged)
        cutoffs = [1, 2, 5, 10, 40]
        found = rs.q_measure(labels, judged=judged, k=cutoffs, beta=beta, backend="c").tolist()
        assert found == [q(labels, judged, k, beta) for k in cutoffs]
        assert (
            found
            == rs.q_measure(
                labels, judged=judged, k=cutoffs, beta=beta, backend="reference"
            ).tolist()
        )
    shifted = [q([0, *labels], judged, k, beta) for k in cutoffs]
    assert shifted != found or not any(found)  # the control


@pytest.mark.spec("RS-EXP-55", "RS-EXP-56", "RS-NUM-61", "RS-NUM-61/L1")
@pytest.mark.parametrize("beta", [0, 1, 2**20])
def test_tied_values_are_means_over_the_orders(beta):
    rng = random.Random(beta + 1)
    for _ in range(25):
        groups = [
            rng.choices([0, 0, 1, 2, 200], k=rng.randint(1, 3)) for _ in range(rng.randint(1, 3))
        ]
        labels = [x for T in groups for x in T]
        scores = [-a for a, T in enumerate(groups) for _ in T]
        judged = labels + rng.choices([0, 1, 2, 255], k=rng.randint(0, 3))
        cutoffs = [1, 2, 3, 5, 10]
        given = {"scores": scores, "judged": judged, "k": cutoffs, "beta": beta}
        found = rs.q_measure(labels, backend="c", **given).tolist()
        assert found == [mean_q(groups, judged, k, beta) for k in cutoffs]
    assert found != [mean_q([[0], *groups], judged, k, beta) for k in cutoffs] or not any(found)


HALFWAY = [
    [[3140410145], [930847395], [1752995437], [1200367646]],
    [[2675604912], [2185596105, 160732175, 1623363793]],
    [[1088388251, 3056345743], [2048742765, 1350594306]],
]
"""Gains of tie groups whose Q is in the middle of two doubles, though no quotient is whole. A pool
of as many items that gain 3688045021 each: 1 + beta times that is 3 · 2^50."""


@pytest.mark.spec("RS-NUM-61", "RS-NUM-61/L1")
@pytest.mark.parametrize("groups", HALFWAY, ids=["not tied", "1 and 3", "2 and 2"])
def test_what_is_cut_off_of_the_quotients_counts(groups):
    gains = [g for T in groups for g in T]
    table = [0, *sorted(gains), 3688045021]
    labels = [table.index(g) for g in gains]
    scores = [-a for a, T in enumerate(groups) for _ in T]
    best = [len(table) - 1] * len(gains)
    given = {"judged": best, "gain": table, "beta": 915851, "check": False}
    orders = list(product(*map(permutations, groups)))
    pool = [3688045021] * len(gains)
    of_orders = [exact_q([g for T in order for g in T], pool, None, 915851) for order in orders]
    exact = sum(of_orders) / len(orders)
    assert exact.numerator.bit_length() == 54
    assert exact.denominator & (exact.denominator - 1) == 0
    below = math.floor(exact * 2**54 / 2) * 2.0**-53  # as if nothing had been cut off
    found = rs.q_measure(labels, scores=scores, backend="c", **given)
    assert found == float(exact) != below


@pytest.mark.spec("RS-NUM-61", "RS-NUM-61/L2")
def test_the_limits_of_the_core():
    """Large gains, a pool that does not cover the list, fractions, ties: by either backend."""

    def tied(n, **given):
        return {"scores": [1] * n, "beta": 2**20, **given}

    for labels, given in (
        ([1, 0, 2], {"gain": [0, 2**31, 2**32 - 1], "beta": 2**20}),
        ([1, 0, 2], {"gain": [0, 2**31, 2**32]}),
        ([1, 0, 2], {"gain": [0, 0.5, 2]}),
        ([3, 2, 1], {"judged": [1], "check": False}),
        ([1.5, 0, 2], {}),
        ([2, 1, 0], {"scores": [1, 1, 1]}),
        ([2, 2, 1], {"scores": [1, 1, 0], "judged": [1], "check": False}),
        ([1, 0, 2], {"scores": [1, 1, 1], "gain": [0, 2**31, 2**32 - 1], "beta": 2**20}),
        ([1, 2] * 40, tied(80, gain=[0, 2**31 + 1, 2**32 - 1])),
        ([2] * 60, tied(60, gain=[0, 1, 2**32 - 1], judged=[1], check=False)),
        ([1, 0, 2], {"scores": [1, 1, 1], "beta": 0.5}),
        ([0, 255, 1] * 100, {"scores": [2, 1, 1] * 100, "beta": 2**20}),
        ([1, 0, 2], {"beta": 0.5}),
        ([1, 0, 2], {"beta": 2**20 + 1}),
        ([1, 0, 300], {}),
        ([0, 255] * 500, {"beta": 2**20}),
        ([], {"judged": [1]}),
    ):
        by_core = rs.q_measure(labels, backend="c", **given)
        assert by_core == rs.q_measure(labels, backend="reference", **given), (labels, given)


def test_usual_lists_are_decided(monkeypatch):
    settled = [make(x, k) for x in MEASURES for k in (1, 2, 5, 10, None)]
    tied = [make(x, k) for x in (rs.Q_measure, rs.NCU) for k in (1, 2, 5, 10, None)]
    for wanted, begins in ((settled, 1), (tied, 0.3)):  # of the items, those that begin a group
        batch = batch_of(random.Random(5), 60, 25, begins)
        own = Batch(batch.labels, batch.offsets, batch.starts)
        assert undecided_share(monkeypatch, wanted, own) <= 0.02


def test_bad_labels_are_refused_where_they_are():
    labels, offsets = array("d", [1, 0, 2, float("nan")]), array("q", [0, 2, 4])
    with pytest.raises(rs.InputError, match=r"list 1, position 1"):
        rs.q_measure(labels, offsets=offsets, backend="c")
    with pytest.raises(rs.InputError, match=r"judged: .*position 1"):
        rs.q_measure([1, 0], judged=[1, -1], backend="c")


# ---- the other measures of the chapter -----------------------------------------------------------


def ratios(labels, judged, k, beta):
    """(label, blended ratio) of the items with a gain up to k, by the definition, in fractions."""
    best = sorted(judged, reverse=True)
    for i in range(1, min(k or len(labels), len(labels)) + 1):
        if labels[i - 1]:
            hits, gain = sum(x > 0 for x in labels[:i]), sum(labels[:i])
            yield labels[i - 1], Fraction(hits + beta * gain, i + beta * sum(best[:i]))


def exact_o(labels, judged, k, beta):
    return next((x for _, x in ratios(labels, judged, k, beta)), Fraction(0))


def to_preferred(labels, judged, k, beta):
    """The ratios down to the first of the highest label."""
    found = list(ratios(labels, judged, k, beta))
    best = max((label for label, _ in found), default=0)
    last = next((i for i, (label, _) in enumerate(found) if label == best), -1)
    return [x for _, x in found[: last + 1]]


def exact_p(labels, judged, k, beta):
    return (to_preferred(labels, judged, k, beta) or [Fraction(0)])[-1]


def exact_p_plus(labels, judged, k, beta):
    found = to_preferred(labels, judged, k, beta)
    return sum(found, Fraction(0)) / max(len(found), 1)


def exact_ncu(labels, judged, k, beta, by_gain=False, gamma=Fraction(1)):
    found = enumerate(ratios(labels, judged, k, beta))
    total = sum(((g if by_gain else 1) * gamma**c * x for c, (g, x) in found), Fraction(0))
    users = sum((g if by_gain else 1) * gamma**c for c, g in enumerate(x for x in judged if x))
    return total / users if users else Fraction(0)


def exact_ebr(labels, judged, k, beta, stops):
    total, going_on = Fraction(0), Fraction(1)
    for label, x in ratios(labels, judged, k, beta):
        total += going_on * stops[label] * x
        going_on *= 1 - stops[label]
    return total


STOPS = [0.0, 0.0, 0.3, 1 / 3, 1.0]
GRADED_BY_MAX = [Fraction(2**g - 1, 16) for g in range(5)]
CASES = [
    (rs.o_measure, {}, exact_o, {}),
    (rs.p_measure, {}, exact_p, {}),
    (rs.p_plus, {}, exact_p_plus, {}),
    (rs.ncu, {}, exact_ncu, {}),
    (rs.ncu, {"stopping": "graded"}, exact_ncu, {"by_gain": True}),
    (rs.ncu, {"stopping": "rank-biased", "gamma": 0.9}, exact_ncu, {"gamma": Fraction(0.9)}),
    (rs.ebr, {}, exact_ebr, {"stops": GRADED_BY_MAX}),
    (rs.ebr, {"stop": STOPS}, exact_ebr, {"stops": list(map(Fraction, STOPS))}),
]
NAMES = ["O", "P", "P+", "NCU", "graded NCU", "rank-biased NCU", "EBR by max", "EBR"]


@pytest.mark.slow(but=9)
@pytest.mark.spec("RS-UTL-5", "RS-UTL-6", "RS-UTL-7", "RS-UTL-8", "RS-UTL-9")
@pytest.mark.spec("RS-NUM-61", "RS-NUM-61/L1", "RS-NUM-62", "RS-NUM-62/L1")
@pytest.mark.parametrize("beta", [0, 1, 2**20])
@pytest.mark.parametrize(("function", "given", "exact", "also"), CASES, ids=NAMES)
def test_blended_ratios_are_those_of_the_definition(function, given, exact, also, beta):
    rng = random.Random(beta)
    for _ in range(60):
        labels = rng.choices([0, 0, 0, 1, 2, 3, 4], k=rng.randint(0, 30))
        judged = labels + rng.choices([0, 1, 2, 4], k=rng.randint(0, 9))
        rng.shuffle(judged)
        cutoffs = [1, 2, 5, 10, 40]
        call = {"judged": judged, "k": cutoffs, "beta": beta, **given}
        found = function(labels, backend="c", **call).tolist()
        assert found == [float(exact(labels, judged, k, beta, **also)) for k in cutoffs]
        assert found == function(labels, backend="reference", **call).tolist()
    shifted = [float(exact([0, *labels], judged, k, beta, **also)) for k in cutoffs]
    assert shifted != found or not any(found)  # the control


@pytest.mark.spec("RS-EXP-57", "RS-EXP-58", "RS-EXP-60", "RS-EXP-61", "RS-EXP-63", "RS-NUM-61")
@pytest.mark.parametrize(("function", "given", "exact", "also"), CASES, ids=NAMES)
def test_tied_ratios_are_means_over_the_orders(function, given, exact, also):
    rng = random.Random(7)
    for _ in range(25):
        groups = [
            rng.choices([0, 0, 1, 2, 4], k=rng.randint(1, 3)) for _ in range(rng.randint(1, 3))
        ]
        labels = [x for T in groups for x in T]
        judged = labels + rng.choices([0, 1, 2, 4], k=rng.randint(0, 3))
        scores = [-a for a, T in enumerate(groups) for _ in T]
        cutoffs = [1, 2, 3, 10]
        orders = [[x for T in order for x in T] for order in product(*map(permutations, groups))]
        means = [
            float(sum(exact(x, judged, k, 1, **also) for x in orders) / len(orders))
            for k in cutoffs
        ]
        call = {"scores": scores, "judged": judged, "k": cutoffs, **given}
        assert function(labels, backend="c", **call).tolist() == means


@pytest.mark.spec("RS-NUM-61/L2", "RS-NUM-62/L2")
@pytest.mark.parametrize(("function", "given"), [case[:2] for case in CASES], ids=NAMES)
def test_what_the_core_leaves_has_the_same_value(function, given):
    """Large gains and weights, a pool that does not cover the list, fractions, tied items."""
    for labels, more in (
        ([1, 0, 2], {"gain": [0, 2**31, 2**32 - 1], "beta": 2**20}),
        ([1, 0, 2], {"gain": [0, 2**17, 2**17 + 1]}),
        ([1, 2, 2], {"gain": [0, 2**30 + 1, 2**31 - 1]}),
        ([1, 0, 2], {"gain": [1, 2**16, 2**17 - 1], "beta": 7}),
        ([1, 0, 2], {"gain": [0, 0.5, 2]}),
        ([3, 2, 1], {"judged": [1], "check": False}),
        ([2, 2, 0], {"scores": [1, 1, 0]}),
        ([2, 0, 1], {"scores": [1, 1, 0], "judged": [1], "check": False}),
        ([1, 0, 2], {"beta": 0.5}),
        ([2, 4] * 100, {"gain": "exp2"}),
        ([], {"judged": [1]}),
    ):
        by_core = function(labels, backend="c", **given, **more)
        assert by_core == function(labels, backend="reference", **given, **more), (labels, more)


@pytest.mark.spec("RS-NUM-62", "RS-NUM-62/L1")
@pytest.mark.parametrize(
    "stops", [[0, 2**-70], [0, 1 / 3], [0, 1 - 2**-53], [0, 2**-40], [0, 2**-128], [0, 1e-300]]
)
def test_parts_that_no_short_number_holds(stops):
    labels = [1, 0, 1, 1] * 9
    for call in ({"stop": stops}, {"stop": [stops[1] / 3, stops[1]], "gain": [1, 2], "beta": 3}):
        by_core = rs.ebr(labels, backend="c", **call)
        assert by_core == rs.ebr(labels, backend="reference", **call)
        biased = {"stopping": "rank-biased", "gamma": call["stop"][1], "k": [1, 5, 40]}
        by_core = rs.ncu(labels, backend="c", **biased).tolist()
        assert by_core == rs.ncu(labels, backend="reference", **biased).tolist()


@pytest.mark.spec("RS-NUM-62", "RS-NUM-62/L1")
def test_what_is_cut_off_of_the_parts_counts():
    """EBR of [0, 0, 1, 1] is R/3 + (1 - R) R/2, of R = 3a/2^28 it is a (5 · 2^28 - 9a) / 2^57: with
    54 bits in the middle of two doubles, though 1/3 is cut off.
    """
    seen = 0
    for a in range(2**23 + 1, 2**23 + 400, 2):
        over = a * (5 * 2**28 - 9 * a)
        if over.bit_length() == 54 and over % 4 == 3:  # half way, and the even one is above
            found = rs.ebr([0, 0, 1, 1], stop=[0, 3 * a / 2**28], beta=0, backend="c")
            assert found == float(Fraction(over, 2**57)) != (over - 1) / 2**57
            seen += 1
    assert seen > 50


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-62", "RS-NUM-62/L2")
def test_more_users_than_the_core_adds_up():
    pool = [1] * (2**17 + 1)
    call = {"judged": pool, "stopping": "rank-biased", "gamma": 0.5, "check": False}
    by_core = rs.ncu([1, 0, 1], backend="c", **call)
    assert by_core == float(Fraction(1 + Fraction(2, 3) / 2) / 2)  # but for 2^-131072


@pytest.mark.parametrize("function", [rs.ebr, rs.p_plus, rs.g_measure])
def test_labels_are_refused_where_they_are(function):
    labels, offsets = array("d", [1, 0, 2, float("nan")]), array("q", [0, 2, 4])
    with pytest.raises(rs.InputError, match=r"list 1, position 1"):
        function(labels, offsets=offsets, backend="c")
    with pytest.raises(rs.InputError, match=r"judged: .*position 1"):
        function([1, 0], judged=[1, -1], backend="c")


def test_a_label_without_a_probability_is_refused():
    for backend in ("c", "reference"):
        with pytest.raises(rs.InputError, match=r"labels: 5 at position 1: with max=4, EBR takes"):
            rs.ebr([1, 5, -1], backend=backend)
        with pytest.raises(rs.InputError, match=r"judged: 2 at position 2: with these"):
            rs.ebr([1, 0], judged=[1, 0, 2], stop=[0, 0.5], backend=backend)
