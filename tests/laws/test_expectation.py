"""The laws of ties and expectation.

The mean over all orders is computed here once more, from its definition: all n! orders of the
items are gone through, and those that do not respect the scores are left out. So is the variance of
a random ranking, and all that is made of both.
"""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import chain, combinations, compress, pairwise, permutations, product, zip_longest
from math import comb, prod

import flint
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import rankspec
from rankspec import InputError
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make
from rankspec.metrics.length import IDEAL as LENGTH_IDEAL
from rankspec.metrics.measure import Measure, Ranking, value
from rankspec.records import replace
from rankspec.reference.cascade import expected_err
from rankspec.reference.numbers.enclosure import Enclosures
from rankspec.reference.numbers.reals import RATIONALS
from rankspec.reference.numerics import nearest_double, nearest_double_of
from rankspec.reference.precision import expected_gsp, expected_hits, sp
from rankspec.reference.ties import (
    are_exact_stops_faster,
    exact_mean_stops,
    expectation,
    mean_products,
    mean_stops,
    tie_groups,
    variance,
)
from tests.conventions import convention_values

from ..each import LANE, each, in_lane
from ..reference.balls import Balls, ends_of
from .broken import own_pool, using
from .law import READINGS, Metrics, at_most, law
from .rankings import (
    binary,
    cases,
    choices,
    chosen_for,
    cutoffs,
    d,
    depths,
    double,
    g,
    grades,
    ideals,
    is_unordered,
    lists,
    mixtures,
    persistences,
    rational_discounts,
    stops,
    tables,
)

pytestmark = pytest.mark.slow(but=2)

ORDERING = convention_values("ties", "expected")
RULES = [*ORDERING, "expected"]
ORDERED = [m for m in METRICS if not m.sees_unjudged]  # the residual of RBP is of no labels
OF_LOGARITHMS = {
    "binG",
    "G",
    "INSQ",
    "INST",
    "NERR11",
    "Yaap",
}  # irrational, whatever their parameters are
PARTS = (
    st.sampled_from([slice(i, None, 4) for i in range(4)]) if LANE.fast else st.just(slice(None))
)
"""The metrics that an example takes: all; in the fast lane, a quarter."""
MOST = in_lane(4, 6)  # labels of a list of which all orders are gone through
few_scores = st.sampled_from([0, 1, 2.5])
BACKENDS = pytest.mark.parametrize("by", READINGS)


@st.composite
def scored(draw, labels=grades, longest=6, least=0, scores=few_scores):
    """[(label, score)], so that few scores make many ties."""
    return draw(st.lists(st.tuples(labels, scores), min_size=least, max_size=longest))


def split(items):
    """(labels, scores) of scored items."""
    return [label for label, _ in items], [score for _, score in items]


def arguments_for(metric, chosen, judged):
    """The parameters that the metric has, and the pool where it takes one beside the list."""
    return {**chosen_for(metric, chosen), **({"judged": judged} if metric.judged else {})}


def every(rs, part, items, k, chosen, *, ties=None, ids=None):
    """The values of a part of the metrics for scored items; the pool has items the list lacks."""
    labels, scores = split(items)
    judged = [*labels, 2, 1]
    values = []
    for metric in ORDERED[part]:
        function, arguments = getattr(rs, metric.function), arguments_for(metric, chosen, judged)
        if metric.of_pool:
            values.append(function(judged, k=k, **arguments))
        else:
            values.append(function(labels, scores=scores, k=k, ties=ties, ids=ids, **arguments))
    return values


# Tie groups and rules.


def rounded(f):
    """A metric that holds scores to few digits, as 32-bit floats would."""
    return lambda labels, scores=None, **a: f(
        labels, scores=None if scores is None else [round(x) for x in scores], **a
    )


@pytest.mark.spec("RS-TIE-1/L1")
@law(
    items=scored(scores=st.floats(-100, 100)), k=cutoffs, chosen=choices(), part=PARTS, dcg=rounded
)
def test_a_strictly_increasing_map_of_the_scores_changes_nothing(rs, *, part, items, k, chosen):
    """Scores by their ranks, and by halving and shifting where that is exact."""
    distinct = sorted({score for _, score in items})
    by_rank = [(label, distinct.index(score)) for label, score in items]
    values = every(rs, part, items, k, chosen)
    assert every(rs, part, by_rank, k, chosen) == values
    assert every(rs, part, [(label, 2 * score) for label, score in items], k, chosen) == values


def keeping_input_order(f):
    """A metric under ties that keeps the order of the input, as a stable sort does."""
    return lambda labels, scores=None, ties=None, **a: f(
        labels, scores=scores, ties="input" if scores is not None else ties, **a
    )


@pytest.mark.spec("RS-TIE-1/L2")
@law(
    items=scored(),
    k=cutoffs,
    chosen=choices(),
    part=PARTS,
    order=st.randoms(use_true_random=False),
    rr=keeping_input_order,
)
def test_which_items_form_a_group_does_not_depend_on_the_order_of_the_input(
    rs, *, part, items, k, chosen, order
):
    shuffled = list(items)
    order.shuffle(shuffled)
    assert every(rs, part, shuffled, k, chosen) == every(rs, part, items, k, chosen)
    groups = [
        sorted(x[a] for a in group)
        for x in (items, shuffled)
        for group in tie_groups([score for _, score in x])
    ]
    assert groups[: len(groups) // 2] == groups[len(groups) // 2 :]


@pytest.mark.spec("RS-TIE-2/L1", "RS-EXP-1/L1")
@law(
    labels=lists(grades),
    k=cutoffs,
    chosen=choices(),
    part=PARTS,
    order=st.randoms(use_true_random=False),
    ndcg=lambda f: (
        lambda labels, ties=None, **a: f(
            labels, ties=ties, **(a if ties != "best" else {**a, "scores": [0] * len(labels)})
        )
    ),
)
def test_without_ties_all_rules_agree(rs, *, part, labels, k, chosen, order):
    scores = list(range(len(labels)))
    order.shuffle(scores)
    items, ids = list(zip(labels, scores, strict=True)), list(range(len(labels)))
    in_order = [label for label, _ in sorted(items, key=lambda item: -item[1])]
    judged = [*labels, 2, 1]
    plain = [
        getattr(rs, m.function)(
            judged if m.of_pool else in_order, k=k, **arguments_for(m, chosen, judged)
        )
        for m in ORDERED[part]
    ]
    for rule in RULES:
        assert every(rs, part, items, k, chosen, ties=rule, ids=ids) == plain


def orders(items):
    """Every order of the items in which no score stands below a lower one."""
    for order in permutations(items):
        scores = [score for _, score in order]
        if scores == sorted(scores, reverse=True):
            yield [label for label, _ in order]


@pytest.mark.slow
@pytest.mark.spec("RS-TIE-2/L2", "RS-EXP-1/L2")
@law(
    items=scored(longest=5),
    k=cutoffs,
    chosen=choices(),
    part=PARTS,
    ap=lambda f: (
        lambda labels, ties=None, **a: f(labels, ties="input" if ties == "best" else ties, **a)
    ),
)
def test_best_and_worst_are_the_extremes_of_all_orders(rs, *, part, items, k, chosen):
    every_order = [list(enumerate_scores(order)) for order in orders(items)]
    values = [every(rs, part, order, k, chosen) for order in every_order]
    best, worst, mean = (
        every(rs, part, items, k, chosen, ties=t) for t in ("best", "worst", "expected")
    )
    most = [max(column) for column in zip(*values, strict=True)]
    least = [min(column) for column in zip(*values, strict=True)]
    assert all(a <= b <= c for a, b, c in zip(least, mean, most, strict=True))
    ordered = [not is_unordered(make(m, k, **chosen_for(m, chosen))) for m in ORDERED[part]]
    assert list(compress(best, ordered)) == list(compress(most, ordered))
    assert list(compress(worst, ordered)) == list(compress(least, ordered))


@pytest.mark.spec("RS-TIE-2/L2")
def test_ebr_and_g_can_be_larger_where_the_higher_label_stands_lower():
    """EBR, beta 0: 3/16 at precision 1/2, then 13/16 of 1/16 at 2/3; and 1/16, then 15/16 of 3/16.

    G: the sums (1/2 + 3/lb 3 + 2)/6 and (1/2 + 2/2 + 3)/6 = 3/4.
    """
    ebr = partial(rankspec.ebr, [0, 1, 2], beta=0)
    assert ebr(scores=[1, 0, 0], ties="best") == 49 / 384
    assert ebr() == 19 / 128 > 49 / 384
    g = partial(rankspec.g_measure, [1, 2, 3])
    assert g(scores=[1, 0, 0], ties="best") == rankspec.g_measure([1, 3, 2]) < g() == 0.75


def enumerate_scores(order):
    """Labels with scores that keep them in their order."""
    return ((label, -position) for position, label in enumerate(order))


@pytest.mark.slow
@pytest.mark.spec("RS-TIE-2/L3")
@law(
    items=scored(),
    k=cutoffs,
    chosen=choices(),
    part=PARTS,
    order=st.randoms(use_true_random=False),
    sp=keeping_input_order,
)
def test_rules_but_input_do_not_depend_on_the_order_of_the_input(
    rs, *, part, items, k, chosen, order
):
    with_ids = [(item, name) for item, name in zip(items, "bdface", strict=False)]
    shuffled = list(with_ids)
    order.shuffle(shuffled)
    for rule in RULES:
        if rule != "input":
            a, b = (
                every(
                    rs, part, [i for i, _ in x], k, chosen, ties=rule, ids=[name for _, name in x]
                )
                for x in (with_ids, shuffled)
            )
            assert a == b


@pytest.mark.spec("RS-EXP-1/L3")
@law(
    items=scored(),
    k=cutoffs,
    chosen=choices(),
    part=PARTS,
    ndcg=keeping_input_order,
)
def test_expectation_is_of_the_set_of_labels_in_each_group(rs, *, part, items, k, chosen):
    by_label = sorted(items, key=lambda item: item[0])
    assert every(rs, part, by_label, k, chosen) == every(rs, part, items, k, chosen)


# Expectation = mean over all orders, for every metric there is.


def mean_over_orders(measure: Measure, items, judged) -> float:
    """RS-EXP-1, by brute force over all n! orders; the double nearest to it."""

    def mean(R):
        values = [
            value(measure, Ranking([[label] for label in order], judged), R)
            for order in orders(items)
        ]
        return sum(values[1:], start=values[0]) / len(values)

    return nearest_double_of(mean)


def closed_form(measure: Measure, items, judged, by: str) -> float:
    labels, scores = split(items)
    metric = measure.metric
    arguments = {name: getattr(measure, name) for name in metric.parameters}
    function = getattr(Metrics(by), metric.function)
    if metric.of_pool:
        return function(judged, k=measure.k, **arguments)
    if metric.judged:
        arguments["judged"] = judged
    return function(labels, scores=scores, ties="expected", k=measure.k, **arguments)


def check_mean(metric, items, k, chosen, *, distort: Callable[[float], float] = lambda x: x):
    judged = [*(label for label, _ in items), 2, 1]
    measure = make(metric, k, **chosen_for(metric, chosen))
    mean = mean_over_orders(measure, items, judged)
    for by in ("c", "reference"):
        assert distort(closed_form(measure, items, judged, by)) == mean


ALL_METRICS = pytest.mark.parametrize("metric", ORDERED, ids=lambda metric: metric.name)
DEFAULTS = {}  # nothing is chosen


@pytest.mark.slow(but=2)
@pytest.mark.long(but=15)
@ALL_METRICS
@given(items=scored(longest=5), k=cutoffs, chosen=choices())
@example(items=[(0, 1), (2, 1), (1, 1), (0, 1), (3, 1), (1, 1)], k=4, chosen=DEFAULTS)
@example(items=[(1, 2), (0, 1), (3, 1), (0, 1), (2, 1), (1, 1)], k=None, chosen=DEFAULTS)
@at_most(30)
@pytest.mark.spec(
    "RS-EXP-1",
    "RS-EXP-2/L1",
    "RS-EXP-3/L1",
    "RS-EXP-5/L1",
    "RS-EXP-6/L1",
    "RS-EXP-7/L1",
    "RS-EXP-9/L1",
    "RS-EXP-10/L1",
    "RS-EXP-11/L1",
    "RS-EXP-12/L1",
    "RS-EXP-14/L1",
    "RS-EXP-15/L1",
    "RS-EXP-16/L1",
    "RS-EXP-18/L1",
    "RS-EXP-24/L1",
    "RS-EXP-25/L1",
    "RS-EXP-27/L1",
)
def test_expectation_is_the_mean_over_all_orders(metric, items, k, chosen):
    check_mean(metric, items, k, chosen)


@ALL_METRICS
@BACKENDS
def test_control_the_value_of_one_order_is_not_the_mean(metric, by):
    """The same comparison rejects every metric with ties kept in the order of the input."""
    items = [(0, 1), (3, 1), (1, 0)]
    if metric.of_pool or metric.name in ("NumRet", "NumQ"):  # the same in every order
        with pytest.raises(AssertionError):
            check_mean(metric, items, 1, DEFAULTS, distort=lambda x: x + 1)
        return
    labels, scores = split(items)
    judged = [*labels, 2, 1]
    arguments = arguments_for(metric, DEFAULTS, judged)
    one = getattr(Metrics(by), metric.function)(
        labels, scores=scores, ties="input", k=1, **arguments
    )
    assert one != mean_over_orders(make(metric, 1), items, judged)


@given(items=scored(longest=5, least=1), k=depths)
@pytest.mark.spec("RS-EXP-1", "RS-EXP-4/L1")
def test_the_reference_s_mean_is_that_over_all_orders(items, k):
    """`expectation` itself, against the orders gone through here; and RS-EXP-4, exactly."""
    labels, scores = split(items)
    groups = [[int(labels[a] > 0) for a in group] for group in tie_groups(scores)]
    every_order = [[int(label > 0) for label in order] for order in orders(items)]

    def mean(metric):
        return sum((metric(R) for R in every_order), Fraction(0)) / len(every_order)

    assert expectation(lambda R: sp(R, k), groups) == mean(lambda R: sp(R, k))
    assert expected_hits(groups, k) == mean(lambda R: Fraction(sum(R[:k])))


def test_control_of_the_reference_s_mean():
    """One of the two orders of a tied pair is not their mean."""
    assert list(orders([(0, 1), (1, 1), (1, 0)])) == [[0, 1, 1], [1, 0, 1]]
    mean = expectation(lambda R: sp(R, 3), [[0, 1], [1]])
    assert mean == (sp([0, 1, 1], 3) + sp([1, 0, 1], 3)) / 2
    assert mean not in (sp([0, 1, 1], 3), sp([1, 0, 1], 3))


# All tied, and the laws of each closed form. H(j) and the formulas are those of the spec.


def H(j):
    return sum((Fraction(1, i) for i in range(1, j + 1)), Fraction(0))


def constant(f):
    """A metric that does not average over ties where every score is 1."""
    return lambda labels, scores=None, **a: f(labels, scores=scores, ties="input", **a)


def tied(labels):
    return [1] * len(labels)


@pytest.mark.spec("RS-EXP-2/L2")
@law(case=cases(rational=True, least=1), dcg=constant)
def test_expected_dcg_all_tied(rs, case):
    n = len(case.labels)
    mean = sum(g(case.gain, r) for r in case.labels) / n
    total = sum((d(case.discount, i) for i in range(1, min(case.k or n, n) + 1)), Fraction(0))
    assert rs.dcg(case.labels, scores=tied(case.labels), **case.all) == double(mean * total)


@pytest.mark.spec("RS-EXP-2/L3")
@law(
    case=cases(discounts=st.just("none"), least=1),
    more=depths,
    dcg=using(discount="log2"),
)
def test_expected_cg_of_the_whole_list_is_free_of_ties(rs, case, more):
    n = len(case.labels)
    for scores in (tied(case.labels), [i // 2 for i in range(n)]):
        for k in (None, n + more - 1):
            value = rs.dcg(case.labels, scores=scores, k=k, **case.conventions)
            assert value == rs.cg(case.labels, gain=case.gain)


@pytest.mark.spec("RS-EXP-3/L2")
@law(case=cases(), cut=ideals, ndcg=lambda f: own_pool(lambda labels, **a: 1.5 * f(labels, **a)))
def test_expected_ndcg_lies_between_zero_and_one(rs, case, cut):
    scores = [i % 2 for i in range(len(case.labels))]
    value = rs.ndcg(case.labels, scores=scores, judged=case.judged, ideal=cut, **case.all)
    assert 0 <= value <= 1


@pytest.mark.spec("RS-EXP-3/L3")
@law(
    case=cases(least=1),
    ndcg=lambda f: lambda labels, **a: f([*labels, 0], **{**a, "scores": a["scores"] + [1]}),
)
def test_expected_ndcg_of_equal_labels_is_one(rs, case):
    labels = [max(case.labels)] * len(case.labels)
    assume(rs.idcg(labels, **case.all) > 0)
    assert rs.ndcg(labels, scores=tied(labels), **case.all) == 1


@pytest.mark.spec("RS-EXP-4/L2")
@law(items=scored(labels=st.integers(0, 1), least=1), k=depths, precision=constant)
def test_expected_hits_are_the_expected_cg_of_the_indicators(rs, items, k):
    labels, scores = split(items)
    groups = [[labels[a] for a in group] for group in tie_groups(scores)]
    hits = expected_hits(groups, k)
    assert rs.cg(labels, scores=scores, k=k) == double(hits)
    assert rs.precision(labels, scores=scores, k=k) == double(hits / k)


@pytest.mark.spec("RS-EXP-5/L2")
@law(R=lists(st.integers(0, 1), least=1), k=depths, precision=constant)
def test_expected_precision_all_tied(rs, R, k):
    assume(k <= len(R))
    value = rs.precision(R, scores=tied(R), k=k)
    assert value == double(Fraction(sum(R), len(R)))


@pytest.mark.spec("RS-EXP-6/L2")
@law(R=lists(st.integers(0, 1), least=1), k=depths, recall=constant)
def test_expected_recall_all_tied(rs, R, k):
    assume(any(R))
    assert rs.recall(R, scores=tied(R), k=k) == double(Fraction(min(k, len(R)), len(R)))


@pytest.mark.spec("RS-EXP-7/L2")
@law(R=lists(st.integers(0, 1), least=1), more=depths, rr=constant)
def test_expected_rr_all_tied(rs, R, more):
    n, N_p = len(R), sum(R)
    assume(N_p)
    law = Fraction(N_p, n - N_p + 1) * (H(n) - H(N_p - 1))
    assert rs.rr(R, scores=tied(R), k=n - N_p + more) == double(law)
    by_first = sum(Fraction(comb(n - j, N_p - 1), j) for j in range(1, n + 1)) / comb(n, N_p)
    assert law == by_first


@pytest.mark.spec("RS-EXP-7/L3")
@law(n=st.integers(1, 60), i=st.integers(0, 59), k=depths, rr=constant)
def test_expected_rr_of_one_relevant_item_all_tied(rs, n, i, k):
    R = [int(position == i % n) for position in range(n)]
    assert rs.rr(R, scores=tied(R), k=k) == double(H(min(k, n)) / n)


@st.composite
def below(draw):
    """(relevance of the items above, relevance within the group, ranks within the cut-off)"""
    above, group = draw(binary), draw(lists(st.integers(0, 1), least=1))
    return above, group, draw(st.integers(1, len(group)))


def sp_of(R):
    return sum((Fraction(sum(R[:i]), i) * R[i - 1] for i in range(1, len(R) + 1)), Fraction(0))


@pytest.mark.spec("RS-EXP-8/L1", "RS-EXP-8/L2")
@law(parts=below(), sp=constant)
def test_a_group_s_part_of_sp(rs, parts):
    """In harmonic numbers; what is above the group adds its own SP."""
    above, group, m = parts
    s, c, n, r = len(above), sum(above), len(group), sum(group)
    if n == 1:
        part = Fraction(r * (c + 1), s + 1)
    else:
        q = Fraction(r - 1, n - 1)
        part = Fraction(r, n) * ((c + 1 - (s + 1) * q) * (H(s + m) - H(s)) + m * q)
    scores = [-i for i in range(s)] + [-s] * n
    assert rs.sp(above + group, scores=scores, k=s + m) == double(sp_of(above) + part)


def all_tied_sp(n, N_p, k):
    return Fraction(N_p, n * (n - 1)) * ((N_p - 1) * k + (n - N_p) * H(k))


@pytest.mark.spec("RS-EXP-9/L2", "RS-EXP-9/L3")
@law(R=lists(st.integers(0, 1), least=2), k=depths, sp=constant)
def test_expected_sp_all_tied_and_what_independence_would_give(rs, R, k):
    n, N_p, k = len(R), sum(R), min(k, len(R))
    value = all_tied_sp(n, N_p, k)
    assert rs.sp(R, scores=tied(R), k=k) == double(value)
    independent = k * Fraction(N_p, n) ** 2
    excess = Fraction(N_p * (n - N_p), n * (n - 1)) * (H(k) - Fraction(k, n))
    assert value == independent + excess
    assert (excess > 0) == (0 < N_p < n)


@pytest.mark.spec("RS-EXP-28/L1", "RS-EXP-28/L3")
@law(groups=st.lists(lists(st.integers(0, 1), least=1), max_size=3), k=depths, ap=constant)
def test_expected_ap_over_hits_is_the_mean_over_the_orders(rs, *, groups, k):
    groups = [group[:4] for group in groups]
    R = [x for group in groups for x in group]
    scores = [-s for s, group in enumerate(groups) for _ in group]
    found = [list(chain(*order)) for order in product(*map(permutations, groups))]
    mean = sum((ap_over_hits(r, k) for r in found), Fraction(0)) / len(found)
    assert rs.ap(R, scores=scores, k=k, norm="hits") == double(mean)
    if k >= len(R):
        assert rs.ap(R, scores=scores, k=k, norm="retrieved") == double(mean)


def ap_over_hits(R, k):
    return sp_of(R[:k]) / sum(R[:k]) if any(R[:k]) else Fraction(0)


@pytest.mark.spec("RS-EXP-28/L2")
@law(n=st.integers(1, 30), k=depths, ap=constant)
def test_expected_ap_over_hits_of_one_relevant_item(rs, n, k):
    R = [0] * (n - 1) + [1]
    assert rs.ap(R, scores=tied(R), k=k, norm="hits") == double(H(min(k, n)) / n)


@pytest.mark.spec("RS-EXP-10/L2")
@law(R=lists(st.integers(0, 1), least=2), ap=constant)
def test_expected_ap_all_tied(rs, R):
    n, N_p = len(R), sum(R)
    assume(N_p)
    law = Fraction((N_p - 1) * n + (n - N_p) * H(n), n * (n - 1))
    assert rs.ap(R, scores=tied(R), norm="R") == double(law)


rational_gains = st.one_of(st.sampled_from(["linear", "exp2"]), tables)
rational_priors = st.one_of(
    st.sampled_from(["discount", "uniform"]),
    rational_discounts.filter(lambda choice: isinstance(choice, str) or choice[0] > 0),
)


def w(prior, discount, i):
    """A rational weight of the prior, from its definition."""
    if prior == "uniform":
        return Fraction(1)
    return d(discount if prior == "discount" else prior, i)


def sums(N, discount, prior):
    """(D(N), S(N)): the discounts of N ranks, and those times the weights."""
    ranks = range(1, N + 1)
    return (
        sum((d(discount, i) for i in ranks), Fraction(0)),
        sum((w(prior, discount, i) * d(discount, i) for i in ranks), Fraction(0)),
    )


def exact_ldcg(labels, M, gain, discount, prior):
    """LDCG without Z of a list in rank order, in fractions."""
    N = min(len(labels), M)
    _, S = sums(N, discount, prior)
    dcg = sum(g(gain, labels[i - 1]) * d(discount, i) for i in range(1, N + 1))
    return dcg / S if S else Fraction(0)


def exact_ildcg(judged, M, ideal, gain, discount, prior):
    """The best LDCG without Z of the first items of the ideal order, or that of eq. 7."""
    falling = sorted(judged, reverse=True)
    if ideal == "eq7":
        return exact_ldcg([x for x in falling if x == falling[0]], M, gain, discount, prior)
    lists = (falling[:N] for N in range(len(falling) + 1))
    return max(exact_ldcg(labels, M, gain, discount, prior) for labels in lists)


@pytest.mark.spec("RS-EXP-11/L1", "RS-EXP-12/L1")
@law(
    items=scored(longest=5),
    M=depths,
    gain=rational_gains,
    discount=rational_discounts,
    prior=rational_priors,
    ideal=st.sampled_from(LENGTH_IDEAL.words),
    lndcg=lambda f: lambda labels, **a: f(labels, **{**a, "k": a["k"] + 1}),
)
def test_expected_ldcg_and_lndcg_in_fractions(rs, *, items, M, gain, discount, prior, ideal):
    """The mean over all orders with nothing but fractions, with Z and without."""
    labels, scores = split(items)
    judged = [*labels, 2, 1]
    conventions = {"gain": gain, "discount": discount, "prior": prior}
    every_order = list(orders(items))
    total = sum(exact_ldcg(order, M, **conventions) for order in every_order)
    mean = Fraction(total) / len(every_order)
    arguments = {"scores": scores, "k": M, **conventions}
    assert rs.ldcg(labels, Z="none", **arguments) == double(mean)
    W = sum(w(prior, discount, i) for i in range(1, M + 1))
    assert rs.ldcg(labels, Z="M", **arguments) == double(mean * W)
    best = exact_ildcg(judged, M, ideal, **conventions)
    value = rs.lndcg(labels, judged=judged, ideal=ideal, **arguments)
    assert value == (double(mean / best) if best else 0)


@pytest.mark.spec("RS-EXP-11/L2")
@law(
    labels=lists(grades, least=1),
    M=depths,
    gain=rational_gains,
    discount=rational_discounts,
    prior=rational_priors,
    ldcg=constant,
)
def test_expected_ldcg_all_tied(rs, *, labels, M, gain, discount, prior):
    """With Z; and the same gains twice, a longer list of the same mean, have no less."""
    n = len(labels)
    mean = sum(g(gain, r) for r in labels) / n
    W = sum(w(prior, discount, i) for i in range(1, M + 1))
    values = []
    for some in (labels, labels * 2):
        D, S = sums(min(len(some), M), discount, prior)
        value = rs.ldcg(
            some, scores=tied(some), k=M, gain=gain, discount=discount, prior=prior, Z="M"
        )
        assert value == (double(mean * D / S * W) if S else 0)
        values.append(value)
    assert values[0] <= values[1]


@pytest.mark.spec("RS-EXP-12/L2")
@law(case=cases(), lndcg=lambda f: own_pool(lambda labels, **a: 1.5 * f(labels, **a)))
def test_expected_lndcg_lies_between_zero_and_one(rs, case):
    scores = [i % 2 for i in range(len(case.labels))]
    value = rs.lndcg(case.labels, scores=scores, judged=case.judged, ideal="true", **case.all)
    assert 0 <= value <= 1


@pytest.mark.spec("RS-EXP-12/L3")
@law(
    case=cases(least=1),
    ideal=st.sampled_from(LENGTH_IDEAL.words),
    lndcg=lambda f: lambda labels, **a: f([*labels, 0], **{**a, "scores": a["scores"] + [1]}),
)
def test_expected_lndcg_of_equal_labels_is_one(rs, case, ideal):
    labels = [max(case.labels)] * len(case.labels)
    assume(rs.ildcg(labels, ideal=ideal, **case.all) > 0)
    assert rs.lndcg(labels, scores=tied(labels), ideal=ideal, **case.all) == 1


@BACKENDS
@pytest.mark.parametrize("norm", ["R", "min", "k", "retrieved"])
def test_a_long_tied_list_meets_its_closed_form(by, norm):
    """Beyond what brute force reaches: 1,000 tied items, 300 of them relevant."""
    R = ([1, 1, 1] + [0] * 7) * 100
    n, N_p, k = 1000, 300, 100
    rs = Metrics(by)
    exact = all_tied_sp(n, N_p, k)
    divisor = {"R": N_p, "min": min(k, N_p), "k": k, "retrieved": N_p}[norm]
    assert rs.ap(R, scores=tied(R), k=k, norm=norm) == double(exact / divisor)
    assert rs.ap(R, scores=tied(R), k=k, norm=norm) != rs.ap(R, k=k, norm=norm)
    assert rs.rr(R, scores=tied(R)) == double(Fraction(N_p, n - N_p + 1) * (H(n) - H(N_p - 1)))


# ERR, nERR, RBP, GAP.


@given(
    x=st.lists(st.integers(0, 8).map(lambda n: Fraction(n, 8)), max_size=6),
    i=st.integers(0, 5),
    order=st.randoms(use_true_random=False),
)
@pytest.mark.spec("RS-EXP-13", "RS-EXP-13/L1", "RS-EXP-13/L2", "RS-EXP-13/L3", "RS-EXP-13/L4")
def test_means_of_products(x, i, order):
    n = len(x)
    a = mean_products(x, n + 1)
    for j in range(n + 1):
        products = [prod(some) for some in combinations(x, j)]
        assert a[j] == Fraction(sum(products), comb(n, j))
        assert a[j] == Fraction(sum(prod(o[:j]) for o in permutations(x)), prod(range(1, n + 1)))
    assert a[n + 1] == 0
    deep = mean_products(x, n + 3)  # beyond n there is no set, and no mean: RS-EXP-13(b)
    assert deep == [*a, 0, 0]
    for j in range(1, n + 1):  # the recurrence, to j = n, where a_n(n - 1) counts as 0
        before = mean_products(x[:-1], n)
        assert a[j] == Fraction(n - j, n) * before[j] + Fraction(j, n) * x[-1] * before[j - 1]
    assert all(b >= c for b, c in pairwise(a))
    shuffled = list(x)
    order.shuffle(shuffled)
    assert mean_products(shuffled, n) == a[: n + 1]
    if i < n:
        raised = mean_products([*x[:i], Fraction(1), *x[i + 1 :]], n)
        assert all(b <= c for b, c in zip(a, raised, strict=False))
    # Of c equal numbers among ones: how many of the c are drawn is hypergeometric.
    c, y = i % (n + 1), Fraction(3, 8)
    for j, mean in enumerate(mean_products([y] * c + [Fraction(1)] * (n - c), n)):
        drawn = sum(y**h * comb(c, h) * comb(n - c, j - h) for h in range(j + 1))
        assert mean == Fraction(drawn, comb(n, j))


def test_control_of_the_means_of_products():
    """Neither the product of the means nor that of the first is the mean of the products."""
    x = [Fraction(1), Fraction(1, 2), Fraction(1, 4)]
    assert mean_products(x, 2)[2] not in (mean_products(x, 1)[1] ** 2, x[0] * x[1])


@pytest.mark.spec("RS-EXP-14/L2", "RS-EXP-15/L2")
@law(
    g=grades,
    n=st.integers(1, 40),
    k=cutoffs,
    stop=stops,
    err=lambda f: lambda labels, **a: f([*labels, 0], **{**a, "scores": [1, *a["scores"]]}),
)
def test_expected_err_of_equal_labels_is_err(rs, *, g, n, k, stop):
    rho = Fraction(stop[g])
    law = sum((rho * (1 - rho) ** (i - 1) / i for i in range(1, min(k or n, n) + 1)), Fraction(0))
    assert rs.err([g] * n, scores=[1] * n, k=k, stop=stop) == double(law)
    value = rs.nerr([g] * n, scores=[1] * n, k=k, stop=stop)
    assert value == (1 if rho else 0)


def err_of_two_labels(n, N_p, K, rho):
    """RS-EXP-14/L3."""
    return sum(
        rho * (1 - rho) ** h / i
        * Fraction((h + 1) * comb(N_p, h + 1) * comb(n - N_p, i - h - 1), i * comb(n, i))
        for i in range(1, K + 1)
        for h in range(i)
    )  # fmt: skip


@pytest.mark.spec("RS-EXP-14/L3", "RS-EXP-14/L4")
@law(R=lists(st.integers(0, 1), least=1), k=depths, stop=stops, err=constant)
def test_expected_err_of_two_labels_all_tied(rs, R, k, stop):
    n, N_p, K = len(R), sum(R), min(k, len(R))
    law = err_of_two_labels(n, N_p, K, Fraction(stop[3]))
    assert rs.err(R, scores=tied(R), k=k, stop=[0, stop[3]]) == double(Fraction(law))
    assert rs.err(R, scores=tied(R), k=k, stop=[0, 1]) == rs.rr(R, scores=tied(R), k=k)


@pytest.mark.spec("RS-EXP-14/L4")
@law(
    items=scored(labels=st.integers(0, 1)),
    k=cutoffs,
    err=lambda f: lambda labels, **a: f(labels, **{**a, "stop": [0, 0.75]}),
)
def test_expected_err_of_users_who_stop_at_once_is_expected_rr(rs, items, k):
    labels, scores = split(items)
    assert rs.err(labels, scores=scores, k=k, stop=[0, 1]) == rs.rr(labels, scores=scores, k=k)


@pytest.mark.spec("RS-EXP-15/L2")
@law(
    items=scored(),
    more=lists(grades),
    k=cutoffs,
    stop=stops,
    nerr=lambda f: own_pool(lambda labels, **a: 1.5 * f(labels, **a)),
)
def test_expected_nerr_lies_between_zero_and_one(rs, *, items, more, k, stop):
    labels, scores = split(items)
    assert 0 <= rs.nerr(labels, scores=scores, judged=labels + more, k=k, stop=stop) <= 1


@pytest.mark.spec("RS-EXP-16/L2", "RS-EXP-16/L3")
@law(items=scored(labels=st.integers(0, 1)), k=depths, p=persistences, rbp=constant)
def test_expected_rbp_in_powers(rs, items, k, p):
    labels, scores = split(items)
    q, law, s = Fraction(p), Fraction(0), 0
    for group in tie_groups(scores):
        r, size = sum(labels[a] for a in group), len(group)
        m = min(size, max(0, k - s))
        law += Fraction(r, size) * q**s * (1 - q**m)
        s += size
    assert rs.rbp(labels, scores=scores, k=k, p=p) == double(law)
    if labels:
        law = Fraction(sum(labels), len(labels)) * (1 - q ** min(k, len(labels)))
        assert rs.rbp(labels, scores=tied(labels), k=k, p=p) == double(law)


@BACKENDS
@given(
    items=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=6),
    k=cutoffs,
    p=persistences,
)
@pytest.mark.spec("RS-EXP-16/L1", "RS-CAS-6")
def test_the_expected_residual_is_the_mean_over_all_orders(by, items, k, p):
    """Items by whether they are judged, and whether a tie group begins there."""
    unjudged, starts = ([int(item[at]) for item in items] for at in (0, 1))
    starts[0] = 1
    measure = make(rankspec.RBP_residual, k, p=p)
    flags, n = array("B", unjudged), len(items)
    batch = Batch(array("B", [1] * n), array("q", [0, n]), bytes(starts), unjudged=flags)
    scores = [-sum(starts[: a + 1]) for a in range(n)]
    q, K = Fraction(p), min(k or n, n)
    every_order = list(orders(list(zip(unjudged, scores, strict=True))))
    total = sum(sum((1 - q) * q**i for i, u in enumerate(U[:k]) if u) for U in every_order)
    mean = Fraction(total) / len(every_order) + q**K
    assert values([measure], batch, by)[0][0] == double(mean)
    settled = Batch(array("B", [1] * n), array("q", [0, n]), None, unjudged=flags)
    one = values([measure], settled, by)[0][0]
    assert one == rankspec.rbp_residual([1] * n, unjudged=unjudged, k=k, p=p)
    assert (one == double(mean)) or not all(starts)  # the control: one order is not the mean


@pytest.mark.spec("RS-EXP-25", "RS-EXP-25/L2")
@law(R=lists(st.integers(0, 1), least=1), k=depths, success=constant)
def test_expected_success_is_that_not_all_of_the_first_are_irrelevant(rs, R, k):
    n, N_p, m = len(R), sum(R), min(k, len(R))
    none = Fraction(comb(n - N_p, m), comb(n, m))
    assert rs.success(R, scores=tied(R), k=k) == double(1 - none)


@pytest.mark.spec("RS-EXP-24")
@law(R=lists(st.integers(0, 1), least=1), k=cutoffs, rprec=constant)
def test_expected_r_precision_all_tied(rs, R, k):
    assume(any(R))
    law = Fraction(min(k or sum(R), sum(R)), len(R))
    assert rs.rprec(R, scores=tied(R), k=k) == double(law)


@BACKENDS
@given(
    items=st.lists(
        st.tuples(st.sampled_from([0, 1, 2]), st.integers(0, 1)), min_size=1, max_size=6
    ),
    more=st.lists(st.integers(0, 1), max_size=3),
    k=cutoffs,
)
@pytest.mark.spec("RS-EXP-26", "RS-EXP-26/L1", "RS-EXP-27", "RS-EXP-27/L1")
def test_the_expected_bpref_is_the_mean_over_all_orders(by, items, more, k):
    """Items by whether they are relevant, not, or unjudged (2), and their scores."""
    R, scores = split(items)
    judged = [x for x in R if x != 2] + more
    N_p, N_n = judged.count(1), judged.count(0)

    def one(order):
        above = [sum(x == 0 for x in order[:i]) for i, x in enumerate(order[:k]) if x == 1]
        D = min(N_p, N_n)
        return sum((1 - Fraction(min(b, D), D) if D else Fraction(1)) for b in above)

    every_order = list(orders(items))
    mean = Fraction(sum(map(one, every_order)), max(N_p, 1)) / len(every_order)
    unjudged = [int(x == 2) for x in R]
    given = {"unjudged": unjudged, "judged": judged, "k": k, "backend": by}
    assert rankspec.bpref([x % 2 for x in R], scores=scores, **given) == double(mean)
    if k is None and len(set(scores)) == 1:
        whole = sum(one([0] * i + [1] + [0] * (R.count(0) - i)) for i in range(R.count(0) + 1))
        assert mean == Fraction(R.count(1), max(N_p, 1)) * whole / (R.count(0) + 1)


@BACKENDS
@given(
    items=st.lists(
        st.tuples(st.sampled_from([1, 0, 2]), st.integers(0, 1)), min_size=3, max_size=6
    ),
    more=st.lists(st.integers(0, 1), max_size=3),
    k=st.sampled_from([2, 1, 3, 4, None]),
)
@example(items=[(1, 1), (1, 1), (0, 1), (0, 0)], more=[], k=1)
@example(items=[(1, 1), (1, 1), (0, 0), (2, 0)], more=[1, 0], k=1)
@pytest.mark.spec("RS-EXP-93", "RS-EXP-93/L1", "RS-EXP-93/L2", "RS-EXP-93/L3")
def test_the_expected_auc_is_the_mean_over_all_orders(by, items, more, k):
    """Items by whether they are relevant, not, or unjudged (2), and their scores."""
    R, scores = split(items)
    judged = [x for x in R if x != 2] + more
    N = {x: judged.count(x) for x in (0, 1)}

    def one(order):
        at = {x: [i for i, y in enumerate(order[:k]) if y == x] for x in (0, 1)}
        at = {x: own + [len(order)] * (N[x] - len(own)) for x, own in at.items()}
        return sum(Fraction((a < b) + (a <= b), 2) for a in at[1] for b in at[0])

    every_order = list(map(one, orders(items)))
    pairs = max(N[0] * N[1], 1)
    mean = Fraction(sum(every_order)) / len(every_order) / pairs
    unjudged = [int(x == 2) for x in R]
    given = {"unjudged": unjudged, "judged": judged, "k": k, "backend": by}
    assert rankspec.auc([x % 2 for x in R], scores=scores, **given) == double(mean)
    if not more and len(set(scores)) == 1 and N[0] * N[1]:
        assert mean == Fraction(1, 2)
    if k is None and not more and N[0] * N[1]:
        above, below = ([s for x, s in zip(R, scores, strict=True) if x == y] for y in (1, 0))
        assert mean * pairs == sum(Fraction((a > b) + (a >= b), 2) for a in above for b in below)


def gsp_of(labels, k, q):
    """GSP as a mixture of SP."""
    return sum(
        (Fraction(q_j) * sp_of([int(x >= j) for x in labels[:k]]) for j, q_j in enumerate(q, 1)),
        Fraction(0),
    )


@given(items=scored(longest=5, least=1), k=depths, q=mixtures)
@pytest.mark.spec("RS-EXP-17", "RS-EXP-17/L1", "RS-EXP-17/L2")
def test_expected_gsp_is_the_mean_over_all_orders(items, k, q):
    labels, scores = split(items)
    groups = [[labels[a] for a in group] for group in tie_groups(scores)]
    every_order = [gsp_of(order, k, q) for order in orders(items)]
    mean = sum(every_order) / len(every_order)
    assert expected_gsp(groups, k, q) == mean
    n, K = len(labels), min(k, len(labels))
    if n > 1:
        law = sum(
            Fraction(q_j) * all_tied_sp(n, sum(x >= j for x in labels), K)
            for j, q_j in enumerate(q, 1)
        )
        assert expected_gsp([labels], k, q) == law
    if len(set(every_order)) > 1:  # the control
        assert mean not in (max(every_order), min(every_order))


@pytest.mark.spec("RS-EXP-18/L2")
@law(items=scored(), more=lists(grades), k=depths, q=mixtures, gap=constant)
def test_expected_gap_is_a_mixture_of_expected_ap(rs, *, items, more, k, q):
    labels, scores = split(items)
    judged = labels + more
    weights = {j: Fraction(q_j) * sum(x >= j for x in judged) for j, q_j in enumerate(q, 1)}
    assume(any(weights.values()))
    total = Fraction(0)
    for j, weight in weights.items():
        if weight:
            R = [[int(labels[a] >= j) for a in group] for group in tie_groups(scores)]
            ap_j = expectation(lambda r: sp(r, k), R) / sum(x >= j for x in judged)
            total += weight * ap_j
    value = rs.gap(labels, scores=scores, judged=judged, k=k, q=q)
    assert value == double(total / sum(weights.values()))


# A random ranking: expectation, variance and z-value of every metric, by all orders of up to seven.

WORLDS = [
    [3, 2, 2, 1, 0, 0, 0],
    [1, 0, 0, 1, 0, 0, 0],
    [0, 4, 1, 1, 3, 0],
    [0, 1, 2, 3, 4],
    [1, 1, 0, 1],
    [0, 0, 0],
    [2, 2, 2],
    [0, 1],
    [1],
    [],
]
RANDOM = [m for m in ORDERED if rankspec.RLB.refusal(m) is None]
# They divide by the length of the list, or by what so many ranks can have, without a cut-off.
BY_K = ("P", "RelP", "F", "Unjudged", "SDCG")
OF_RANDOM = pytest.mark.parametrize("metric", RANDOM, ids=lambda metric: metric.name)
CUTS = (None, 1, 2, 3, 5, 9)


def all_orders(labels):
    """Each different order once: they are equally likely."""
    return sorted(set(permutations(labels)))


def moments(measure, labels, judged, k, R):
    """(mean, mean square of what differs from it) of the values of all orders."""
    plain = measure.metric.plain
    found = [
        R.exact(0) + plain(measure, Ranking([[x] for x in order], judged), k, R)
        for order in all_orders(labels)
    ]
    mean = sum(found[1:], start=found[0]) / len(found)
    squares = [(x - mean) * (x - mean) for x in found]
    return mean, sum(squares[1:], start=squares[0]) / len(found)


def assert_nearest(x, exact):
    """That a double is the one nearest to a fraction, or to every number of a ball."""
    if isinstance(exact, flint.arb):
        assert {nearest_double(end) for end in ends_of(exact)} == {x}
    else:
        assert x == double(Fraction(exact))


def measures_of(metric, k, labels):
    """(measure, the reals that its values are taken in): as by default, and a rational one.

    Not as by default where nothing has a gain: balls have no quotient by 0.
    """
    if metric.relevance is None and "discount" in metric.parameters:
        if any(labels):
            yield make(metric, k), Balls()
        yield make(metric, k, discount="zipf"), RATIONALS
    elif metric.name in OF_LOGARITHMS:
        if any(labels):
            yield make(metric, k), Balls()
    else:
        yield make(metric, k), RATIONALS if metric.relevance is None else Balls()


def check_random_ranking(metric, labels, k, *, distort=lambda x: x):
    """By both backends and each way to ask; the pool is the list's own labels."""
    n = len(labels)
    for measure, R in measures_of(metric, k, labels):
        with flint.ctx.workprec(400):
            mean, square = moments(measure, labels, labels, k or n, R)
            value = R.exact(0) + metric.plain(
                measure, Ranking([[x] for x in labels], labels), k or n, R
            )
            constant = len(set(all_orders(labels))) < 2 or _is_0(square)
            z = R.exact(0) if constant else None
            if z is None and isinstance(square, flint.arb):
                z = (value - mean) / square.sqrt()
            chosen = {name: getattr(measure, name) for name in metric.parameters}
            for by in ("c", "reference"):
                function = getattr(Metrics(by), metric.function)
                tied_value = function(labels, scores=[0] * n, k=k, **chosen)
                asked = rankspec.expected(measure).of(labels, backend=by)
                lowest = rankspec.RLB(measure).of(labels, backend=by)
                assert tied_value == asked == lowest
                if not _is_0(mean):
                    assert_nearest(distort(asked), mean)
                else:
                    assert distort(asked) == 0
                if metric.orders.variance is None:
                    continue
                spread = rankspec.variance(measure).of(labels, backend=by)
                score = rankspec.z_value(measure).of(labels, backend=by)
                if constant:
                    assert distort(spread) == 0
                    assert score == 0
                else:
                    assert_nearest(distort(spread), square)
                    _check_z(score, value - mean, square, z)


def _is_0(x):
    """Whether a number is 0; a ball, whether it is as near to 0 as its precision has it."""
    return abs(x) < Fraction(1, 2**300) if isinstance(x, Fraction) else bool(abs(x) < 2.0**-300)


def _check_z(score, gap, square, z):
    if z is not None:
        if _is_0(gap):
            assert score == 0
        else:
            assert_nearest(score, z)
    else:  # between the roots of fractions: z² lies between the squares of the midpoints
        exact, sign = gap * gap / square, (gap > 0) - (gap < 0)
        if not sign:
            assert score == 0
            return
        x = abs(Fraction(score))
        assert (score > 0) == (sign > 0)
        low, high = ((x + Fraction(math.nextafter(float(x), to))) / 2 for to in (0.0, math.inf))
        assert low * low <= exact <= high * high


@pytest.mark.slow(but=4)
@pytest.mark.long(but=54)
@OF_RANDOM
@pytest.mark.parametrize("labels", WORLDS, ids=lambda labels: "".join(map(str, labels)) or "none")
@pytest.mark.spec(
    "RS-EXP-1",
    "RS-EXP-19",
    "RS-EXP-19/L1",
    "RS-EXP-20/L1",
    "RS-EXP-21/L1",
    "RS-EXP-22/L1",
    "RS-EXP-23",
)
def test_a_random_ranking_by_all_its_orders(metric, labels):
    for k in CUTS:
        check_random_ranking(metric, labels, k)


@OF_RANDOM
def test_control_of_random_rankings(metric):
    with pytest.raises(AssertionError):
        check_random_ranking(metric, [2, 0, 1, 0], 2, distort=lambda x: math.nextafter(x, 9.0))


def has_variance(metric):
    try:
        rankspec.variance(metric())
    except InputError:
        return False
    return True


@pytest.mark.spec("RS-EXP-19", "RS-EXP-20", "RS-EXP-21", "RS-EXP-22")
@each("backend", ["c", "reference"])
@each("metric", [m for m in METRICS if has_variance(m)], ids=lambda m: m.name)
def test_fewer_than_two_items_have_one_order(metric, backend):
    """So the variance is 0, of the empty pool too, with and without a cut-off."""
    for k in (None, 1, 3):
        for J in ([], [0], [1]):
            assert rankspec.variance(metric(k=k)).of(J, backend=backend) == 0, (k, J)
            assert rankspec.z_value(metric(k=k)).of(J, backend=backend) == 0, (k, J)


@BACKENDS
@pytest.mark.parametrize(
    "name", ["ERR", "nERR", "GAP", "RBP_residual", "IDCG", "ILDCG", "Q_measure", "NCU", "P_plus"]
)
@pytest.mark.spec("RS-EXP-19", "RS-EXP-23")
def test_metrics_without_a_variance_are_refused(by, name):
    measure = make(next(m for m in METRICS if m.name == name), 2)
    for bound in (rankspec.variance, rankspec.z_value):
        why = "has no known variance in closed form|is of a pool|is no value"
        with pytest.raises(InputError, match=f"{name} ({why})"):
            bound(measure).of([1, 0], backend=by)


def of(rs, bound, measure, labels, **given):
    """A bound of a measure, by the backend of a law; where the law is broken, of its metric."""
    return getattr(rankspec, bound)(measure).of(labels, backend=rs.backend, **given)


@pytest.mark.slow(but=5)
@pytest.mark.long(but=17)
@OF_RANDOM
@BACKENDS
@given(labels=st.lists(grades, max_size=MOST), more=st.lists(grades, max_size=2), k=cutoffs)
@at_most(10)
@pytest.mark.spec("RS-EXP-1", "RS-EXP-19", "RS-EXP-23")
def test_the_list_and_the_pool_may_differ(metric, by, labels, more, k):
    """`expected` is of the orders of the list with the pool fixed; a variance is of the pool."""
    judged = labels + more
    # P divides by the length of the list, and so do its bounds: RS-BND-1(a)
    depth = k or (metric.name in BY_K and len(labels)) or len(judged)
    measure = make(metric, k, **({"discount": "zipf"} if "discount" in metric.parameters else {}))
    if metric.relevance is not None or metric.name in OF_LOGARITHMS:
        return
    of_list = k or (len(labels) if metric.name in BY_K else len(judged))
    mean, _ = moments(measure, labels, judged, of_list, RATIONALS)
    assert_nearest(rankspec.expected(measure).of(labels, judged=judged, backend=by), mean)
    if metric.orders.variance is None:
        return
    total, square = moments(measure, judged, judged, depth, RATIONALS)
    value = metric.plain(measure, Ranking([[x] for x in labels], judged), depth, RATIONALS)
    score = rankspec.z_value(measure).of(labels, judged=judged, backend=by)
    if square:
        _check_z(score, value - total, square, None)
    else:
        assert score == 0


VARIABLE = [
    m
    for m in RANDOM
    if m.orders.variance is not None and m.relevance is None and m.name not in OF_LOGARITHMS
]


@pytest.mark.slow(but=5)
@pytest.mark.long(but=16)
@pytest.mark.parametrize("metric", VARIABLE, ids=lambda metric: metric.name)
@BACKENDS
@given(labels=st.lists(grades, max_size=MOST), k=cutoffs, chosen=choices())
@at_most(12)
@pytest.mark.spec("RS-EXP-19/L1", "RS-EXP-19/L3")
def test_a_variance_is_0_where_all_orders_agree_and_within_the_bounds(
    metric, by, labels, k, chosen
):
    given_ = chosen_for(metric, chosen)
    for name in {"discount", "prior"} & set(given_):
        given_[name] = "zipf"
    if "gain" in given_:
        given_["gain"] = "exp2"
    measure = make(metric, k, **given_)
    assume(not metric.divides_by_list(measure))  # it has no bounds
    spread = rankspec.variance(measure).of(labels, backend=by)
    found = {
        metric.plain(measure, Ranking([[x] for x in order], labels), k or len(labels), RATIONALS)
        for order in all_orders(labels)
    }
    assert spread >= 0
    assert (spread == 0) == (len(found) == 1)
    best, mean, worst = (
        getattr(rankspec, name)(measure).of(labels, backend=by) for name in ("IUB", "RLB", "WLB")
    )
    assert best >= double(Fraction(max(found)))
    assert worst == double(Fraction(min(found)))
    assert worst <= mean <= best
    exact, square = moments(measure, labels, labels, k or len(labels), RATIONALS)
    assert square <= (Fraction(best) * (1 + Fraction(1, 2**52)) - exact) * (exact - min(found))
    if len(found) == 2 and len(all_orders(labels)) == 2:  # the control: attained by two orders
        assert square == (max(found) - exact) * (exact - min(found))


@given(R=st.lists(st.integers(0, 1), min_size=1, max_size=5), k=depths)
@pytest.mark.spec("RS-EXP-19", "RS-EXP-21/L1")
def test_the_reference_s_variance_is_that_over_all_orders(R, k):
    found = [sp(list(order), k) for order in permutations(R)]
    mean = sum(found) / len(found)
    assert variance(lambda r: sp(r, k), R) == sum((x - mean) ** 2 for x in found) / len(found)


@pytest.mark.slow(but=1)
@pytest.mark.spec("RS-EXP-19/L2", "RS-EXP-23/L3")
@BACKENDS
@given(judged=st.lists(grades, min_size=1, max_size=MOST + 1), n=st.integers(0, 7), k=depths)
@at_most(25)
def test_a_quotient_has_the_variance_of_its_total_over_the_square(by, judged, n, k):
    """Rational ones; and what differs by a divisor has one z-value."""
    labels = judged[:n]
    made = rankspec.measures
    N_p = sum(x >= 1 for x in judged)
    ideal = double_free_idcg(judged, k)
    pairs = [
        ("DCG(discount='zipf')", "nDCG(discount='zipf')", ideal),
        ("SP", "AP", N_p),
        ("SP", "AP(norm='min')", min(k, N_p)),
        ("SP", "AP(norm='k')", k),
    ]
    for total, quotient, divisor in pairs:
        whole, part = made(f"{total}@{k}")[0], made(f"{quotient}@{k}")[0]
        _, square = moments(whole, judged, judged, k, RATIONALS)
        spread = rankspec.variance(part).of(judged, backend=by)
        assert spread == (double(square / divisor**2) if divisor else 0)
        z = [rankspec.z_value(m).of(labels, judged=judged, backend=by) for m in (whole, part)]
        assert z[0] == z[1]
    R, J = ([int(x >= 1) for x in some] for some in (labels, judged))
    cg, p, recall = (made(f"{name}@{k}")[0] for name in ("CG", "P", "R"))
    _, square = moments(cg, J, J, k, RATIONALS)
    assert rankspec.variance(p).of(judged, backend=by) == double(square / k**2)
    assert rankspec.variance(recall).of(judged, backend=by) == (
        double(square / N_p**2) if N_p else 0
    )
    z = rankspec.z_value(cg).of(R, judged=J, backend=by)
    for m in (p, recall):
        assert rankspec.z_value(m).of(labels, judged=judged, backend=by) == z
    ldcg, lndcg = (made(f"{name}(discount='zipf')@{k}")[0] for name in ("LDCG", "LNDCG"))
    z = [rankspec.z_value(m).of(labels, judged=judged, backend=by) for m in (ldcg, lndcg)]
    assert z[0] == z[1]


def double_free_idcg(judged, k):
    """IDCG@k with the discount 1/i, as a fraction."""
    falling = sorted(judged, reverse=True)[:k]
    return sum((Fraction(x, i) for i, x in enumerate(falling, start=1)), Fraction(0))


def variance_of_dcg(measure, labels, by):
    return rankspec.variance(measure).of(labels, backend=by)


@BACKENDS
@given(
    labels=st.lists(grades, min_size=2, max_size=7),
    k=depths,
    discount=rational_discounts,
    c=st.sampled_from([2, 4, 0.5]),
    b=st.integers(0, 3),
)
@pytest.mark.spec("RS-EXP-20", "RS-EXP-20/L2", "RS-EXP-20/L4", "RS-EXP-23/L3")
def test_the_variance_of_dcg(by, *, labels, k, discount, c, b):
    n, K = len(labels), min(k, len(labels))
    ds = [d(discount, i) for i in range(1, K + 1)]
    mean = Fraction(sum(labels), n)
    sigma2 = sum((x - mean) ** 2 for x in labels) / n
    law = sigma2 / (n - 1) * (n * sum(x * x for x in ds) - sum(ds) ** 2)
    measure = rankspec.DCG(k=k, gain="linear", discount=discount)
    spread = variance_of_dcg(measure, labels, by)
    assert spread == double(Fraction(law))
    flat = len(set(ds)) == 1
    assert (law == 0) == (len(set(labels)) == 1 or (n == K and flat) or ds[0] == 0)
    table = [c * x + b for x in range(5)]
    scaled = rankspec.DCG(k=k, gain=table, discount=discount)
    assert variance_of_dcg(scaled, labels, by) == double(law * Fraction(c) ** 2)
    z = [rankspec.z_value(m).of(labels, backend=by) for m in (measure, scaled)]
    assert z[0] == z[1]
    if not isinstance(discount, str):
        louder = rankspec.DCG(k=k, gain="linear", discount=[c * x for x in discount])
        assert variance_of_dcg(louder, labels, by) == double(law * Fraction(c) ** 2)


@BACKENDS
@given(N_p=st.integers(0, 60), more=st.integers(0, 60), k=st.integers(1, 130))
@pytest.mark.spec("RS-EXP-20/L3", "RS-EXP-22/L2", "RS-EXP-21/L4")
def test_variances_beyond_what_brute_force_reaches(by, N_p, more, k):
    """Counts; and one relevant item, where SP, AP and RR are one over its rank."""
    n, K = N_p + more, min(k, N_p + more)
    assume(n > 1)
    R = [1] * N_p + [0] * more
    law = Fraction(N_p * more * K * (n - K), n * n * (n - 1))
    assert rankspec.variance(rankspec.CG(k=k)).of(R, backend=by) == double(law)
    one = [1] + [0] * (n - 1)
    squares = sum((Fraction(1, j * j) for j in range(1, K + 1)), Fraction(0))
    law = squares / n - (H(K) / n) ** 2
    for metric in (rankspec.RR, rankspec.SP, rankspec.AP):
        assert rankspec.variance(metric(k=k)).of(one, backend=by) == double(law)


@BACKENDS
@given(judged=st.lists(grades, min_size=2, max_size=6), k=depths, c=st.floats(0.01, 4))
@at_most(20)
@pytest.mark.spec("RS-EXP-23/L1", "RS-EXP-23/L2")
def test_what_a_z_value_promises(by, judged, k, c):
    """Each double of z lies within 2^-53 of its size of the z whose squares have the mean 1."""
    for measure in (rankspec.SP(k=k), rankspec.RR(k=k), rankspec.nDCG(k=k, discount="zipf")):
        of_all = all_orders(judged)
        z = [Fraction(rankspec.z_value(measure).of(list(order), backend=by)) for order in of_all]
        if rankspec.variance(measure).of(judged, backend=by) == 0:
            assert not any(z)
            continue
        size, unit = sum(map(abs, z)) / len(z), Fraction(1, 2**52)
        assert abs(sum(z) / len(z)) <= size * unit
        square = sum(x * x for x in z) / len(z)
        assert abs(square - 1) <= 2 * square * unit
        assert abs(square - 1 + Fraction(1, len(judged))) > unit  # the control: not n - 1
        for sign in (1, -1):
            rare = Fraction(sum(sign * x >= Fraction(c) for x in z), len(z))
            assert rare <= 1 / (1 + Fraction(c) ** 2)


@pytest.mark.spec("RS-EXP-14")
def test_mean_stops_are_differences_of_mean_products():
    rng = random.Random(14)
    for n in range(8):
        R = [Fraction(rng.randint(0, 9), 9) for _ in range(n)]
        a = mean_products([1 - x for x in R], n)
        for m in range(n + 1):
            found = mean_stops(R, m)
            assert found == [a[j - 1] - a[j] for j in range(1, m + 1)]
    assert found != a[1:]  # the control


@pytest.mark.spec("RS-EXP-14")
def test_exact_mean_stops_are_the_mean_stops():
    rng = random.Random(15)
    for n in range(1, 9):
        values = [0, 1, 0.3, Fraction(1, 3), Fraction(7, 9)][: rng.randint(1, 5)]
        R = [rng.choice(values) for _ in range(n)]
        for m in range(n + 1):
            found = list(exact_mean_stops(R, m))
            assert found == mean_stops([Fraction(x) for x in R], m)
    assert found != mean_stops([Fraction(1, 2)] * n, n)  # the control


@pytest.mark.spec("RS-EXP-14", "RS-EXP-15", "RS-EXP-29")
def test_many_tied_items_of_few_labels():
    """One item at which users stop with probability p: p/n at each of the first k ranks."""
    n, k, p, after = 2000, 1500, Fraction(3, 16), [4, 4, 0]
    harmonic = sum(Fraction(1, i) for i in range(1, n + 1))
    tied = [[2] + [0] * (n - 1), [4], [4], [0]]
    R = {0: Fraction(0), 2: p, 4: Fraction(15, 16)}.__getitem__
    assert are_exact_stops_faster([R(x) for x in tied[0]], n)
    assert not are_exact_stops_faster([Fraction(x, 99) for x in range(99)], 99)
    first = p * harmonic / n
    second = (1 - p) * R(4) * (Fraction(1, n + 1) + (1 - R(4)) * Fraction(1, n + 2))
    assert expected_err(tied, n + 3, R, RATIONALS) == first + second
    found = expected_err(tied, n + 3, R, Enclosures(128))
    assert found.lower <= first + second <= found.upper
    assert relative_width(found) < Fraction(1, 2**100)
    labels, scores = [*tied[0], *after], [9] * n + [3, 2, 1]
    value = rankspec.err(labels, scores=scores, backend="reference")
    assert value == nearest_double(first + second) == rankspec.err(labels, scores=scores)
    cut = sum(Fraction(1, i) for i in range(1, k + 1)) / n * p
    assert rankspec.err(tied[0], scores=[1] * n, k=k, backend="reference") == nearest_double(cut)


@pytest.mark.spec("RS-EXP-29", "RS-BND-2")
def test_bounds_of_lerr_of_a_large_pool_are_those_of_the_core():
    labels = [1] + [0] * 999
    value = rankspec.lerr(labels, scores=[1] * 1000)
    first, squares = (sum(Fraction(1, i**e) for i in range(1, 1001)) for e in (1, 2))
    assert value == nearest_double(first / 1000 / squares)
    for bound in (rankspec.expected, rankspec.RLB):
        assert bound(rankspec.LERR()).of(labels) == value


def relative_width(total) -> Fraction:
    return (total.upper - total.lower) / total.upper


@given(
    groups=st.lists(
        st.lists(
            st.one_of(
                st.floats(0, 1),
                st.floats(0, 1e-200),
                st.sampled_from([0.0, 5e-324, 1e-9, 0.5, 1 - 2**-53, 1.0]),
            ),
            min_size=1,
            max_size=12,
        ),
        min_size=1,
        max_size=4,
    ),
    k=st.integers(1, 40),
    precision=st.sampled_from([64, 128, 512]),
)
@example(groups=[[1e-300, 1e-200, 0.0, 1e-100]], k=4, precision=128)
@example(groups=[[5e-324] * 12, [1 - 2**-53] * 12], k=24, precision=64)
@example(groups=[[1.0, 1e-20, 1.0], [0.5]], k=2, precision=64)
@pytest.mark.spec("RS-EXP-14/L5")
def test_no_digits_cancel_in_expected_err(groups, k, precision):
    found = expected_err(groups, k, Enclosures(precision).exact)
    exact = expected_err(groups, k, Fraction)
    assume(exact > 0)
    assert found.lower <= exact <= found.upper
    assert relative_width(found) <= Fraction(2) ** (6 - precision) * sum(map(len, groups))


@pytest.mark.spec("RS-EXP-14/L5")
def test_a_difference_of_means_of_products_does_cancel():
    """The control."""
    reals = Enclosures(128)
    q = [1 - reals.exact(x) for x in (1e-30, 1e-35, 1e-25)]
    a = mean_products(q, 1)
    assert relative_width(a[0] - a[1]) > Fraction(2) ** (7 - 128) * 3


TINY = (0.0, 1e-300, 1e-200, 1e-100, 1e-50)


def err_of_tiny(labels):
    value, going_on = Fraction(0), Fraction(1)
    for i, x in enumerate((Fraction(TINY[label]) for label in labels), start=1):
        value, going_on = value + going_on * x / i, going_on * (1 - x)
    return value


@cache
def mean_err_of_tiny(labels):
    return float(expectation(err_of_tiny, [labels]))


@pytest.mark.spec("RS-EXP-14")
@pytest.mark.parametrize("backend", ["c", "reference"])
@each("labels", [(1, 1, 0, 2), (1, 0), (0, 1, 2, 3, 4, 1)], fast=2)
def test_tiny_probabilities_to_stop_cancel_nowhere(backend, labels):
    """The means of products differ in digits far beyond those of any enclosure."""
    value = rankspec.err(labels, scores=[1] * len(labels), stop=TINY, backend=backend)
    assert value == mean_err_of_tiny(labels) != float(err_of_tiny(labels))


# The expectation in a random order of the list, of what has no bounds.

WITHOUT_BOUNDS = [
    m for m in METRICS if rankspec.RLB.refusal(m) and rankspec.expected.refusal(m) is None
]
MADE_OF_A_MEASURE = [
    rankspec.Adjusted(rankspec.RR()),
    rankspec.Adjusted(rankspec.nDCG(discount="zipf"), Z="none"),
    rankspec.Adjusted(rankspec.EBR(), prior="uniform"),
    rankspec.Adjusted(rankspec.IPrec(recall=0.5)),
    rankspec.Adjusted(rankspec.INST()),
    rankspec.Phi(rankspec.Compat(p=0.5), points=[(0, 0), (4, 1)]),
]
OF_LIST = [
    *(pytest.param(m, id=m().metric.name) for m in WITHOUT_BOUNDS),
    *(pytest.param(lambda k, m=m: replace(m, k=k), id=str(m)) for m in MADE_OF_A_MEASURE),
]
LISTS_AND_MORE = [
    ([1, 0, 2], [2, 0]),
    ([2, 2, 0, 1], []),
    ([0, 1], [0, 0]),
    ([0, 0], []),
    ([], [1]),
]


@pytest.mark.slow(but=4)
@pytest.mark.spec("RS-EXP-1", "RS-LEN-17")
@pytest.mark.parametrize("metric", OF_LIST)
def test_what_has_no_bounds_has_an_expectation_over_the_orders_of_the_list(metric):
    """By all orders, of unjudged items too; the pool stays, whatever the list shows of it."""
    for (labels, more), k in product(LISTS_AND_MORE, (1, 2, 3)):
        measure = metric(k=k)
        unjudged = [int(a == 1) for a in range(len(labels))] * measure.metric.sees_unjudged
        pool = [x for x, open_ in zip_longest(labels, unjudged, fillvalue=0) if not open_] + more
        of = {"judged": pool} if measure.metric.judged else {}
        told = {"unjudged": unjudged} if unjudged else {}
        found = rankspec.expected(measure).of(labels, **of, **told)
        assert found == measure.of(labels, scores=[0] * len(labels), **of, **told)
        shown = [None if open_ else x for x, open_ in zip_longest(labels, unjudged, fillvalue=0)]
        orders = [[shown[a] for a in order] for order in permutations(range(len(labels)))]
        irrational = measure.metric.name in ("Yaap", "NERR11")
        with flint.ctx.workprec(400):
            R = Balls() if irrational else RATIONALS
            plain = measure.metric.plain
            each_value = [
                R.exact(0) + plain(measure, Ranking([[x] for x in order], pool), k, R)
                for order in orders
            ]
            mean = sum(each_value[1:], start=each_value[0]) / len(each_value)
            if _is_0(mean):
                assert found == 0
            else:
                assert_nearest(found, mean)


@pytest.mark.spec("RS-EXP-1")
def test_what_has_an_expectation_in_a_random_order():
    """All metrics that are averaged by their mean, but those of the pool alone."""
    refused = {m.name for m in METRICS if rankspec.expected.refusal(m)}
    assert refused == {"IDCG", "ILDCG", "NumRel", "NumRet", "NumRelRet", "NumQ", "NumNonrelRet"}
    count = rankspec.Mean(rankspec.NumRelRet(k=2))
    assert rankspec.expected(count).of([1, 0, 1]) == 4 / 3
    for made, why in {
        rankspec.IDCG(): "IDCG is of a pool",
        rankspec.NumRelRet(): "NumRelRet is averaged by its sum",
        rankspec.GM(rankspec.AP()): "is averaged by its geometric mean",
        rankspec.sDCG(): "sDCG is of a session",
        rankspec.UL2(rankspec.AP()): "is itself a bound",
    }.items():
        with pytest.raises(InputError, match=f"^expected: .*{why}"):
            rankspec.expected(made)


@pytest.mark.spec("RS-EXP-1", "RS-EXP-49", "RS-EXP-90", "RS-EXP-84")
@each(
    ("measure", "labels", "why"),
    [
        (rankspec.Compat(p=0.5), list(range(12)), "479001600 orders"),
        (rankspec.Adjusted(rankspec.IPrec()), [1] * 100 + [0] * 400, "2005000000 steps"),
        (rankspec.G(), [2**i for i in range(30)], "sums of their gains"),
    ],
)
def test_an_expectation_over_too_many_orders_is_refused(measure, labels, why):
    """No rule for ties would help, as all items are tied."""
    with pytest.raises(InputError) as error:
        rankspec.expected(measure).of(labels)
    message = str(error.value)
    assert message.startswith("expected: it is the mean over all orders of the list; ")
    assert why in message
    assert "tie rule" not in message
