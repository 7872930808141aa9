"""The laws of ties and expectation.

The mean over all orders is computed here once more, from its definition: all n! orders of the
items are gone through, and those that do not respect the scores are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from math import comb

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rankspec.chapters import METRICS
from rankspec.chapters.length import IDEAL as LENGTH_IDEAL
from rankspec.chapters.precision import NORM
from rankspec.measure import Measure, Ranking, value
from rankspec.notation import make
from rankspec.reference.expectation import expectation, expected_hits, tie_groups
from rankspec.reference.numerics import nearest_double_of
from rankspec.reference.precision import sp

from .broken import own_pool, using
from .law import Metrics, law
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
    lists,
    rational_discounts,
    tables,
)

ORDERING = ["id-descending", "id-ascending", "input", "best", "worst"]
RULES = [*ORDERING, "expected"]
ORDERED = [m for m in METRICS if not m.sees_unjudged]  # the residual of RBP is of no labels
few_scores = st.sampled_from([0, 1, 2.5])
BACKENDS = pytest.mark.parametrize("by", ["c", "reference"])


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


def every(rs, items, k, chosen, *, ties=None, ids=None):
    """The values of all metrics for scored items; the pool has items that the list lacks."""
    labels, scores = split(items)
    judged = [*labels, 2, 1]
    values = []
    for metric in ORDERED:
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
@law(items=scored(scores=st.floats(-100, 100)), k=cutoffs, chosen=choices(), dcg=rounded)
def test_a_strictly_increasing_map_of_the_scores_changes_nothing(rs, *, items, k, chosen):
    """Scores by their ranks, and by halving and shifting where that is exact."""
    distinct = sorted({score for _, score in items})
    by_rank = [(label, distinct.index(score)) for label, score in items]
    values = every(rs, items, k, chosen)
    assert every(rs, by_rank, k, chosen) == values
    assert every(rs, [(label, 2 * score) for label, score in items], k, chosen) == values


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
    order=st.randoms(use_true_random=False),
    rr=keeping_input_order,
)
def test_which_items_form_a_group_does_not_depend_on_the_order_of_the_input(
    rs, *, items, k, chosen, order
):
    shuffled = list(items)
    order.shuffle(shuffled)
    assert every(rs, shuffled, k, chosen) == every(rs, items, k, chosen)
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
    order=st.randoms(use_true_random=False),
    ndcg=lambda f: (
        lambda labels, ties=None, **a: f(
            labels, ties=ties, **(a if ties != "best" else {**a, "scores": [0] * len(labels)})
        )
    ),
)
def test_without_ties_all_rules_agree(rs, *, labels, k, chosen, order):
    scores = list(range(len(labels)))
    order.shuffle(scores)
    items, ids = list(zip(labels, scores, strict=True)), list(range(len(labels)))
    in_order = [label for label, _ in sorted(items, key=lambda item: -item[1])]
    judged = [*labels, 2, 1]
    plain = [
        getattr(rs, m.function)(
            judged if m.of_pool else in_order, k=k, **arguments_for(m, chosen, judged)
        )
        for m in ORDERED
    ]
    for rule in RULES:
        assert every(rs, items, k, chosen, ties=rule, ids=ids) == plain


def orders(items):
    """Every order of the items in which no score stands below a lower one."""
    for order in permutations(items):
        scores = [score for _, score in order]
        if scores == sorted(scores, reverse=True):
            yield [label for label, _ in order]


@pytest.mark.spec("RS-TIE-2/L2", "RS-EXP-1/L2")
@law(
    items=scored(longest=5),
    k=cutoffs,
    chosen=choices(),
    ap=lambda f: (
        lambda labels, ties=None, **a: f(labels, ties="input" if ties == "best" else ties, **a)
    ),
)
def test_best_and_worst_are_the_extremes_of_all_orders(rs, *, items, k, chosen):
    every_order = [list(enumerate_scores(order)) for order in orders(items)]
    values = [every(rs, order, k, chosen) for order in every_order]
    best, worst, mean = (every(rs, items, k, chosen, ties=t) for t in ("best", "worst", "expected"))
    assert best == [max(column) for column in zip(*values, strict=True)]
    assert worst == [min(column) for column in zip(*values, strict=True)]
    assert all(a <= b <= c for a, b, c in zip(worst, mean, best, strict=True))


def enumerate_scores(order):
    """Labels with scores that keep them in their order."""
    return ((label, -position) for position, label in enumerate(order))


@pytest.mark.spec("RS-TIE-2/L3")
@law(
    items=scored(),
    k=cutoffs,
    chosen=choices(),
    order=st.randoms(use_true_random=False),
    sp=keeping_input_order,
)
def test_rules_but_input_do_not_depend_on_the_order_of_the_input(rs, *, items, k, chosen, order):
    with_ids = [(item, name) for item, name in zip(items, "bdface", strict=False)]
    shuffled = list(with_ids)
    order.shuffle(shuffled)
    for rule in RULES:
        if rule != "input":
            a, b = (
                every(rs, [i for i, _ in x], k, chosen, ties=rule, ids=[name for _, name in x])
                for x in (with_ids, shuffled)
            )
            assert a == b


@pytest.mark.spec("RS-EXP-1/L3")
@law(
    items=scored(),
    k=cutoffs,
    chosen=choices(),
    ndcg=keeping_input_order,
)
def test_expectation_is_of_the_set_of_labels_in_each_group(rs, *, items, k, chosen):
    by_label = sorted(items, key=lambda item: item[0])
    assert every(rs, by_label, k, chosen) == every(rs, items, k, chosen)


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


@ALL_METRICS
@given(items=scored(longest=5), k=cutoffs, chosen=choices())
@example(items=[(0, 1), (2, 1), (1, 1), (0, 1), (3, 1), (1, 1)], k=4, chosen=DEFAULTS)
@example(items=[(1, 2), (0, 1), (3, 1), (0, 1), (2, 1), (1, 1)], k=None, chosen=DEFAULTS)
@settings(max_examples=30)
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
)
def test_expectation_is_the_mean_over_all_orders(metric, items, k, chosen):
    check_mean(metric, items, k, chosen)


@ALL_METRICS
@BACKENDS
def test_control_the_value_of_one_order_is_not_the_mean(metric, by):
    """The same comparison rejects every metric with ties kept in the order of the input."""
    items = [(0, 1), (3, 1), (1, 0)]
    if metric.of_pool:  # has no ties to break: a pool is no order
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
@pytest.mark.parametrize("norm", NORM.words)
def test_a_long_tied_list_meets_its_closed_form(by, norm):
    """Beyond what brute force reaches: 1,000 tied items, 300 of them relevant."""
    R = ([1, 1, 1] + [0] * 7) * 100
    n, N_p, k = 1000, 300, 100
    rs = Metrics(by)
    exact = all_tied_sp(n, N_p, k)
    divisor = {"R": N_p, "min": min(k, N_p), "k": k}[norm]
    assert rs.ap(R, scores=tied(R), k=k, norm=norm) == double(exact / divisor)
    assert rs.ap(R, scores=tied(R), k=k, norm=norm) != rs.ap(R, k=k, norm=norm)
    assert rs.rr(R, scores=tied(R)) == double(Fraction(N_p, n - N_p + 1) * (H(n) - H(N_p - 1)))
