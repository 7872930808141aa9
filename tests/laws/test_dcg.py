"""The laws of cumulated gain.

Differences that a law states exactly are checked with rational gains and discounts: the value
after the change must be the double nearest to the exact value before plus the law's change.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import flint
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import rankspec
from rankspec.errors import InputError
from rankspec.metrics.dcg import MOST_SUMS
from rankspec.reference.dcg import ideal
from rankspec.reference.numerics import nearest_double

from ..each import each
from ..reference.balls import ends_of
from .broken import own_pool, shifted, using
from .law import READINGS, Metrics, law
from .rankings import (
    Case,
    binary,
    cases,
    d,
    depths,
    discounts,
    double,
    exact_dcg,
    g,
    graded,
    grades,
    ideals,
    lists,
    pair,
    replaced,
    seeds,
    strict_discounts,
    swapped,
)

ranks = st.integers(1, 8)
factors = st.sampled_from([2, 3, 7, 0.5])
rational = cases(rational=True, least=1)


def unsorted_ideal(_):
    """An nDCG whose ideal is the pool in the order given, as Spark's graded variant takes it."""

    def broken(labels, judged=None, **a):
        a.pop("ideal", None)
        pool = labels if judged is None else judged
        return _quotient(rankspec.dcg(labels, **a), rankspec.dcg(pool, **a))

    return broken


def _quotient(x, y):
    return x / y if y else 0.0


@pytest.mark.spec("RS-DCG-1/L1")
@law(case=rational, order=st.randoms(use_true_random=False), cg=lambda _: rankspec.dcg)
def test_cg_is_free_of_the_order(rs, case, order):
    top = case.labels[: case.k]
    order.shuffle(top)
    permuted = top + case.labels[len(top) :]
    assert rs.cg(permuted, k=case.k, gain=case.gain) == rs.cg(case.labels, k=case.k, gain=case.gain)


@pytest.mark.spec("RS-DCG-1/L2")
@law(case=rational, cg=lambda f: lambda labels, k=None, **a: f(labels[1:], k=k, **a))
def test_cg_steps(rs, case):
    n = len(case.labels)
    exact = Fraction(0)
    for k in range(1, n + 1):
        exact += g(case.gain, case.labels[k - 1])
        assert rs.cg(case.labels, k=k, gain=case.gain) == double(exact)
    vector = rs.cg_vector(case.labels, gain=case.gain).tolist()
    assert vector == sorted(vector)
    assert vector == [rs.cg(case.labels, k=k, gain=case.gain) for k in range(1, n + 1)]


@pytest.mark.spec("RS-DCG-2/L1")
@law(case=cases(), idcg=lambda _: rankspec.dcg)
def test_dcg_lies_between_zero_and_the_ideal(rs, case):
    assert 0 <= rs.dcg(case.labels, **case.all) <= rs.idcg(case.judged, **case.all)


@pytest.mark.spec("RS-DCG-2/L2")
@law(case=cases(rational=True, least=2), i=seeds, j=seeds, dcg=shifted)
def test_a_swap_changes_dcg_by_the_product_of_the_differences(rs, *, case, i, j):
    r, k = case.labels, case.k or len(case.labels)
    i, j = pair(len(r), i, j)

    def up_to_k(rank):
        return d(case.discount, rank) if rank <= k else Fraction(0)

    gain = g(case.gain, r[j - 1]) - g(case.gain, r[i - 1])
    change = gain * (up_to_k(i) - up_to_k(j))
    assert rs.dcg(swapped(r, i, j), **case.all) == double(exact_dcg(r, case) + change)


@pytest.mark.spec("RS-DCG-2/L2", "RS-DCG-6/L3")
@law(
    case=cases(least=2),
    i=seeds,
    j=seeds,
    cut=ideals,
    dcg=lambda f: lambda labels, **a: f(labels[::-1], **a),
)
def test_moving_a_higher_gain_up_never_lowers_dcg_or_ndcg(rs, *, case, i, j, cut):
    r = case.labels
    i, j = pair(len(r), i, j)
    moved = swapped(r, i, j)
    if r[i - 1] > r[j - 1]:
        r, moved = moved, r
    assert rs.dcg(moved, **case.all) >= rs.dcg(r, **case.all)
    assert rs.ndcg(moved, judged=case.judged, ideal=cut, **case.all) >= rs.ndcg(
        r, judged=case.judged, ideal=cut, **case.all
    )


@pytest.mark.spec("RS-DCG-2/L3")
@law(case=rational, i=seeds, dcg=shifted)
def test_an_upgrade_changes_dcg_by_the_gain_times_the_discount(rs, case, i):
    r, better = case.labels, case.judged[0]
    i = 1 + i % min(case.k or len(r), len(r))
    change = (g(case.gain, better) - g(case.gain, r[i - 1])) * d(case.discount, i)
    assert rs.dcg(replaced(r, i, better), **case.all) == double(exact_dcg(r, case) + change)


@pytest.mark.spec("RS-DCG-2/L3", "RS-DCG-6/L3")
@law(
    case=cases(least=1),
    i=seeds,
    cut=ideals,
    ndcg=own_pool,  # raised in the pool as well
)
def test_raising_a_label_of_the_list_never_lowers_dcg_or_ndcg(rs, *, case, i, cut):
    r, best = case.labels, max(case.judged)
    i = 1 + i % len(r)
    raised = replaced(r, i, best)
    assert rs.dcg(raised, **case.all) >= rs.dcg(r, **case.all)
    assert rs.ndcg(raised, judged=case.judged, ideal=cut, **case.all) >= rs.ndcg(
        r, judged=case.judged, ideal=cut, **case.all
    )


@pytest.mark.spec("RS-DCG-2/L4")
@law(
    case=cases(),
    zeros=st.integers(1, 3),
    beyond=ranks,
    dcg=lambda f: lambda labels, **a: f([*labels, 1] if len(labels) > 3 else labels, **a),
)
def test_items_of_gain_zero_at_the_end_change_nothing(rs, *, case, zeros, beyond):
    assume(not isinstance(case.gain, list) or case.gain[0] == 0)
    longer = case.labels + [0] * zeros
    value = rs.dcg(case.labels, **case.all)
    assert rs.dcg(longer, **case.all) == value
    whole = rs.dcg(case.labels, **case.conventions)
    assert rs.dcg(case.labels, k=len(case.labels) + beyond, **case.conventions) == whole


@pytest.mark.spec("RS-DCG-3/L1")
@law(case=cases(), dcg_vector=lambda f: lambda labels, **a: f(sorted(labels), **a))
def test_the_components_of_the_vector_are_dcg_at_each_rank(rs, case):
    vector = rs.dcg_vector(case.labels, **case.conventions).tolist()
    assert vector == [
        rs.dcg(case.labels, k=i, **case.conventions) for i in range(1, len(case.labels) + 1)
    ]


@pytest.mark.spec("RS-DCG-3/L2")
@law(case=rational, dcg_vector=lambda f: lambda labels, **a: f(labels[::-1], **a))
def test_the_steps_of_the_vector_are_discounted_gains(rs, case):
    exact, vector = Fraction(0), rs.dcg_vector(case.labels, **case.conventions).tolist()
    for i, r in enumerate(case.labels, start=1):
        exact += g(case.gain, r) * d(case.discount, i)
        assert vector[i - 1] == double(exact)
    assert vector == sorted(vector)


@pytest.mark.spec("RS-DCG-4/L1")
@law(
    judged=lists(grades),
    discount=strict_discounts,
    idcg=lambda f: lambda judged, **a: f(sorted(set(judged)), **a),
)
def test_the_ideal_ranking_is_a_permutation(rs, judged, discount):
    best_first = ideal(judged)
    assert best_first == sorted(judged)[::-1]
    assert rs.idcg(judged, discount=discount) == rs.dcg(best_first, discount=discount)


@pytest.mark.spec("RS-DCG-4/L2", "RS-DCG-5/L1")
@law(
    case=cases(least=2),
    order=st.randoms(use_true_random=False),
    idcg=lambda _: rankspec.dcg,
)
def test_no_order_of_the_pool_has_more_than_the_ideal(rs, case, order):
    shuffled = list(case.judged)
    order.shuffle(shuffled)
    assert rs.dcg(shuffled, **case.all) <= rs.idcg(case.judged, **case.all)


@pytest.mark.spec("RS-DCG-5/L1")
@law(
    case=cases(gains=st.tuples(st.just("exp2"), st.just(grades))),
    k=depths,
    idcg=lambda f: lambda judged, k, **a: f(judged, k=max(k - 1, 1), **a),
)
def test_the_ideal_is_the_largest_dcg_of_all_lists_of_the_pool(rs, case, k):
    pool = case.judged[:4]
    every_list = {order for n in range(5) for order in permutations(pool, min(n, len(pool)))}
    attained = max(rs.dcg([list(r) for r in every_list], k=k, **case.conventions))
    assert rs.idcg(pool, k=k, **case.conventions) == attained


@pytest.mark.spec("RS-DCG-5/L2")
@law(case=cases(least=1), i=seeds, idcg=lambda _: rankspec.dcg)
def test_a_larger_pool_or_a_higher_label_never_lowers_the_ideal(rs, case, i):
    pool, k = case.judged, case.depth
    i = 1 + i % len(pool)
    value = rs.idcg(pool, k=k, **case.conventions)
    assert rs.idcg([pool[0], *pool], k=k, **case.conventions) >= value
    raised = replaced(pool, i, max(pool))
    assert rs.idcg(raised, k=k, **case.conventions) >= value


@pytest.mark.spec("RS-DCG-5/L3")
@law(
    case=cases(),
    k=depths,
    idcg=lambda f: lambda judged, k=None, **a: f(judged, k=k, **a) / (k or 1),
)
def test_the_ideal_does_not_fall_with_the_cut_off(rs, case, k):
    pool = sorted(case.judged)
    value = rs.idcg(pool, k=k, **case.conventions)
    deeper = rs.idcg(pool, k=k + 1, **case.conventions)
    assert value <= deeper
    if k >= len(pool):
        assert value == deeper == rs.idcg(pool, **case.conventions)


@pytest.mark.spec("RS-DCG-6/L1")
@law(case=cases(), cut=ideals, ndcg=unsorted_ideal)
def test_ndcg_lies_between_zero_and_one(rs, case, cut):
    assert 0 <= rs.ndcg(case.labels, judged=case.judged, ideal=cut, **case.all) <= 1
    assert 0 <= rs.ndcg(case.labels, ideal=cut, **case.all) <= 1


def is_ideal(case: Case) -> bool:
    """Whether each rank up to k has the gain that the ideal ranking has there."""
    k = case.depth
    mine, best = (
        [g(case.gain, r) if isinstance(case.gain, list) else r for r in items[:k]]
        for items in (case.labels, sorted(case.judged, reverse=True))
    )
    return mine + [0] * (k - len(mine)) == best + [0] * (k - len(best))


@pytest.mark.spec("RS-DCG-6/L2")
@law(
    case=st.one_of(
        cases(discounts=strict_discounts, gains=st.tuples(st.just(gain), st.just(labels)))
        for gain, labels in (
            ("linear", grades),
            ("exp2", grades),
            ([0, 0, 1, 1, 5], grades),
            ("linear", st.integers(0, 1)),
        )
    ),
    # An ideal of the list's own labels calls a list perfect that lacks items of the pool.
    ndcg=own_pool,
)
def test_ndcg_is_one_only_where_every_gain_is_the_ideal_one(rs, case):
    assume(rs.idcg(case.judged, **case.all) > 0)
    value = rs.ndcg(case.labels, judged=case.judged, **case.all)
    assert (value == 1) == is_ideal(case)
    exact = rankspec.certify.ndcg(case.labels, judged=case.judged, **case.all).exact
    assert (exact == 1) == is_ideal(case)


@pytest.mark.spec("RS-DCG-6/L2")
@pytest.mark.parametrize("by", READINGS)
def test_a_double_of_one_need_not_be_exactly_one(by):
    """A list that falls short by less than half a unit: the double is 1.0, the value is not."""
    labels, judged = [2**62, 0, 1], [2**62, 1]
    assert Metrics(by).ndcg(labels, judged=judged) == 1.0
    certified = rankspec.certify.ndcg(labels, judged=judged)
    assert certified.exact is None
    assert certified.upper < 1


@pytest.mark.spec("RS-DCG-6/L3")
@pytest.mark.parametrize("by", READINGS)
def test_raising_a_label_of_list_and_pool_can_lower_ndcg(by):
    assert Metrics(by).ndcg([1, 0]) == 1 > Metrics(by).ndcg([1, 2])


@pytest.mark.spec("RS-DCG-6/L4")
@law(
    case=cases(gains=st.tuples(st.just([0, 1, 2, 4, 8]), st.just(grades))),
    c=factors,
    cut=ideals,
    ndcg=lambda f: (
        lambda labels, **a: f(
            labels, **{**a, "gain": [x + 1 for x in a["gain"]] if a["gain"][1] != 1 else a["gain"]}
        )
    ),
)
def test_ndcg_is_free_of_a_factor_of_gains_or_discounts(rs, *, case, c, cut):
    given = {"judged": case.judged, "k": case.k, "ideal": cut}
    value = rs.ndcg(case.labels, **given, **case.conventions)
    gain = [c * x for x in case.gain]
    assert rs.ndcg(case.labels, **given, gain=gain, discount=case.discount) == value
    if isinstance(case.discount, list):
        weights = [Fraction(c) * Fraction(w) for w in case.discount]
        assert rs.ndcg(case.labels, **given, gain=case.gain, discount=weights) == value


@pytest.mark.spec("RS-DCG-6/L4")
@law(
    labels=graded,
    more=binary,
    discount=discounts,
    k=depths,
    ndcg=lambda f: own_pool(lambda labels, **a: 2 * f(labels, **a)),
)
def test_ndcg_is_the_quotient_of_its_parts(rs, *, labels, more, discount, k):
    """Within two roundings: the doubles of DCG and IDCG are each off by half a unit."""
    judged = labels + more
    parts = rs.dcg(labels, k=k, discount=discount), rs.idcg(judged, k=k, discount=discount)
    value = rs.ndcg(labels, judged=judged, k=k, discount=discount)
    if parts[1] == 0:
        assert value == 0
    else:
        quotient = Fraction(parts[0]) / Fraction(parts[1])
        assert abs(Fraction(value) - quotient) <= abs(quotient) * Fraction(1, 2**51)


# The ideal's cut-off.


def exact_idcg(case: Case, k: int | None) -> Fraction:
    """IDCG@k of a rational case, from its definition."""
    best = sorted(case.judged, reverse=True)
    return exact_dcg(best, Case(best, best, k, case.gain, case.discount))


@pytest.mark.spec("RS-DCG-7/L1", "RS-DCG-7")
@law(case=cases(rational=True, least=1), k=depths, ndcg=using(ideal="k"))
def test_ndcg_over_the_whole_ideal_is_less_by_the_factor_of_the_two_ideals(rs, case, k):
    """By exact sums: DCG@k / IDCG, and that is nDCG@k times IDCG@k / IDCG."""
    cut = Case(case.labels, case.judged, k, case.gain, case.discount)
    above, to_k, whole = exact_dcg(case.labels, cut), exact_idcg(case, k), exact_idcg(case, None)
    by_k = rs.ndcg(case.labels, judged=case.judged, ideal="k", **cut.all)
    by_all = rs.ndcg(case.labels, judged=case.judged, ideal="all", **cut.all)
    assert (to_k == 0) == (whole == 0)
    assert by_k == (double(above / to_k) if to_k else 0)
    assert by_all == (double(above / to_k * (to_k / whole)) if whole else 0)
    assert by_all <= by_k


def cut_at_the_list(f):
    """An nDCG that cuts the whole ideal at the length of the list."""
    return lambda labels, judged, k=None, ideal="k", **a: (
        f(labels, judged=judged, k=k, **a)
        if ideal == "k"
        else f(labels[:k], judged=sorted(judged)[::-1][: len(labels)], **a)
    )


@pytest.mark.spec("RS-DCG-7/L2", "RS-DCG-6")
@law(case=cases(), more=st.integers(0, 3), zeros=st.integers(0, 5), ndcg=cut_at_the_list)
def test_both_cut_offs_of_the_ideal_are_one_where_nothing_is_below(rs, *, case, more, zeros):
    def both(judged, k):
        return [
            rs.ndcg(case.labels, judged=judged, k=k, ideal=cut, **case.conventions)
            for cut in ("k", "all")
        ]

    size = len(case.judged)
    for k in (None, max(size + more, 1)):
        by_k, by_all = both(case.judged, k)
        assert by_k == by_all
    if not (isinstance(case.gain, list) and case.gain[0]):
        by_k, by_all = both(case.judged + [0] * zeros, max(size, 1))
        assert by_k == by_all


@pytest.mark.spec("RS-DCG-7/L5")
@law(case=cases(rational=True), k=depths, ndcg=using(ideal="all"))
def test_an_ideal_as_short_as_the_list_never_lowers_ndcg(rs, case, k):
    n = len(case.labels)
    cut = Case(case.labels, case.judged, k, case.gain, case.discount)
    by_k, by_shown = (
        rs.ndcg(case.labels, judged=case.judged, ideal=x, **cut.all) for x in ("k", "shown")
    )
    best = exact_idcg(case, min(k, n)) if n else 0
    assert by_shown == (double(exact_dcg(case.labels, cut) / best) if best else 0)
    assert by_shown >= by_k
    if n >= min(k, len(case.judged)):
        assert by_shown == by_k


@pytest.mark.spec("RS-DCG-8/L1", "RS-DCG-8/L2", "RS-DCG-8/L3")
@law(case=cases(rational=True), k=depths, ndcg=using(ideal="k"))
def test_ndcg_over_perfect_items_is_dcg_over_a_number(rs, case, k):
    """Whatever the pool is; where that has k items of gain 1, and none above, as cut at k."""
    cut = Case(case.labels, case.judged, k, case.gain, case.discount)
    perfect = sum((d(case.discount, i) for i in range(1, k + 1)), Fraction(0))
    exact = exact_dcg(case.labels, cut)
    for judged in (case.judged, [*case.judged, 0]):
        value = rs.ndcg(case.labels, judged=judged, ideal="perfect", **cut.all)
        assert value == (double(exact / perfect) if perfect else 0)
    if all(g(case.gain, x) <= 1 for x in case.labels):
        assert 0 <= value <= 1
    R = [int(x > 0) for x in case.labels]
    given = {"judged": R + [1] * k, "k": k, "discount": case.discount}
    assert rs.ndcg(R, ideal="perfect", **given) == rs.ndcg(R, ideal="k", **given)


@pytest.mark.spec("RS-DCG-7/L3")
@law(case=cases(rational=True, least=2), i=seeds, ndcg=using(ideal="k"))
def test_ndcg_over_the_whole_ideal_rises_by_what_each_rank_adds(rs, case, i):
    whole = exact_idcg(case, None)
    assume(whole > 0)
    k = 1 + i % (len(case.labels) - 1)
    before = Case(case.labels, case.judged, k, case.gain, case.discount)
    step = g(case.gain, case.labels[k]) * d(case.discount, k + 1) / whole
    exact = exact_dcg(case.labels, before) / whole
    given = {"judged": case.judged, "ideal": "all", **case.conventions}
    values = rs.ndcg(case.labels, k=[k, k + 1], **given).tolist()
    assert values == [double(exact), double(exact + step)]
    assert values == sorted(values)


@pytest.mark.spec("RS-DCG-7/L3")
@pytest.mark.parametrize("by", READINGS)
def test_ndcg_over_the_cut_ideal_can_fall(by):
    values = Metrics(by).ndcg([1, 0], judged=[1, 1], k=[1, 2])
    assert values[0] == 1 > values[1]


@pytest.mark.spec("RS-DCG-7/L4")
@law(
    case=cases(discounts=strict_discounts, gains=st.tuples(st.just("exp2"), st.just(grades))),
    k=depths,
    ndcg=using(ideal="k"),
)
def test_ndcg_over_the_whole_ideal_is_one_only_where_nothing_is_below_the_cut(rs, case, k):
    cut = Case(case.labels, case.judged, k, case.gain, case.discount)
    value = rs.ndcg(case.labels, judged=case.judged, ideal="all", **cut.all)
    complete = not any(sorted(case.judged, reverse=True)[k:]) and any(case.judged)
    assert (value == 1) == (is_ideal(cut) and complete)


# nCG, averages of nDCG, G and binG: by their definitions in fractions, or in 200 bits.


def falling(labels):
    return sorted(labels, reverse=True)


@pytest.mark.spec("RS-DCG-9", "RS-DCG-9/L1", "RS-DCG-9/L2", "RS-EXP-80", "RS-EXP-80/L1")
@law(labels=graded, more=graded, k=depths, ncg=own_pool)
def test_ncg_is_ndcg_without_a_discount(rs, labels, more, k):
    judged = labels + more
    value = rs.ncg(labels, judged=judged, k=k)
    best = sum(falling(judged)[:k])
    assert value == double(Fraction(sum(labels[:k]), best) if best else Fraction(0))
    assert 0 <= value <= 1
    assert rs.ndcg(labels, judged=judged, k=k, discount="none") == value
    tied = rs.ncg(labels, scores=[1] * len(labels), judged=judged, k=k)
    share = Fraction(min(k, len(labels)), max(len(labels), 1))
    assert tied == double(sum(labels) * share / best if best else Fraction(0))


def ndcg_of(labels, judged, i, t):
    """DCG of the first i labels over the ideal one at t, with the discount 1/i."""
    value = sum((Fraction(x, h) for h, x in enumerate(labels[:i], start=1)), Fraction(0))
    return value / sum(Fraction(x, h) for h, x in enumerate(falling(judged)[:t], start=1))


def exact_ndcg_rel(labels, judged, k):
    shown, N_p = labels[:k], sum(x > 0 for x in judged)
    hits = [i for i, x in enumerate(shown, start=1) if x]
    if not N_p:
        return Fraction(0)
    found = sum((ndcg_of(shown, judged, i, i) for i in hits), Fraction(0))
    rest = ndcg_of(shown, judged, len(shown), len(judged))
    return (found + (N_p - len(hits)) * rest) / N_p


def exact_ndcg_levels(labels, judged, k):
    shown = labels[:k]
    cuts = sorted({sum(y >= x for y in judged) for x in judged if x})
    cuts += [len(shown)] if cuts and len(shown) >= cuts[-1] + 2 else []
    values = [ndcg_of(shown, judged, t, t) for t in cuts]
    return sum(values, Fraction(0)) / len(values) if values else Fraction(0)


def one_order(f):
    """Takes the order of the input for all orders."""
    return lambda labels, scores=None, **a: f(labels, **a)  # noqa: ARG005


@pytest.mark.spec("RS-DCG-10", "RS-DCG-10/L1", "RS-DCG-11", "RS-DCG-11/L1")
@pytest.mark.spec("RS-EXP-81", "RS-EXP-81/L1", "RS-EXP-82", "RS-EXP-82/L1")
@law(
    labels=lists(grades),
    first=st.integers(0, 8),
    more=graded,
    k=depths,
    ndcg_rel=one_order,
    ndcg_levels=one_order,
)
def test_the_averages_of_ndcg_and_their_means(rs, *, labels, first, more, k):
    labels = labels[:6]
    judged, how = labels + more, {"judged": labels + more, "k": k, "discount": "zipf"}
    scores = [int(a < first) for a in range(len(labels))]
    orders = [
        [*a, *b]
        for a in set(permutations(labels[:first]))
        for b in set(permutations(labels[first:]))
    ]
    for function, exact in ((rs.ndcg_rel, exact_ndcg_rel), (rs.ndcg_levels, exact_ndcg_levels)):
        value = function(labels, **how)
        assert value == double(exact(labels, judged, k))
        assert 0 <= value <= 1
        mean = sum((exact(o, judged, k) for o in orders), Fraction(0)) / len(orders)
        assert function(labels, scores=scores, **how) == double(mean)


@pytest.mark.spec("RS-DCG-10/L2", "RS-DCG-11/L2", "RS-DCG-12/L2")
@law(n=st.integers(1, 8), i=st.integers(0, 7), x=st.integers(1, 4), k=depths, ndcg_rel=using(k=1),
     bin_g=using(k=1), ndcg_levels=using(discount="none"))  # fmt: skip
def test_of_one_relevant_item_or_one_level_they_are_ndcg(rs, *, n, i, x, k):
    labels = [x * (a == i % n) for a in range(n)]
    value = rs.ndcg(labels, k=k)
    assert rs.ndcg_rel(labels, k=k) == value
    assert rs.bin_g(labels, k=k) == value
    R = [x] * (i % n) + [0, x, 0]
    N_p = sum(y > 0 for y in R) + 1
    found = rs.ndcg_levels(R[: N_p + 1], judged=[*R, x])
    assert found == rs.ndcg(R[: N_p + 1], judged=[*R, x], k=N_p)


def close(value, exact):
    """That a double is the nearest one to a ball."""
    return {nearest_double(end) for end in ends_of(exact)} == {value}


def arb_of(x):
    x = Fraction(x)
    return flint.arb(x.numerator) / x.denominator


def exact_g(labels, judged, k):
    """G, in balls."""
    best = falling(judged)
    total = flint.arb(0)
    for i, x in enumerate(labels[:k], start=1):
        cost = sum(max(y, 1) for y in best[:i]) + max(i - len(best), 0)
        lag = max(0, cost - sum(labels[:i]))
        total += arb_of(x) / (flint.arb(2 + lag).log() / flint.arb(2).log())
    return total / sum(best) if any(best) else flint.arb(0)


@pytest.mark.spec("RS-DCG-12", "RS-DCG-12/L1", "RS-DCG-13", "RS-DCG-13/L1", "RS-DCG-13/L2")
@pytest.mark.spec("RS-EXP-83", "RS-EXP-83/L1", "RS-EXP-84", "RS-EXP-84/L1")
@law(labels=lists(grades), first=st.integers(0, 8), more=graded, k=depths, g_measure=one_order,
     bin_g=one_order)  # fmt: skip
def test_g_and_bin_g_and_their_means(rs, *, labels, first, more, k):
    labels, more = labels[:5], more[:3]
    scores = [int(a < first) for a in range(len(labels))]
    for function, L, M in (
        (rs.g_measure, labels, more),
        (rs.g_measure, [min(x, 1) for x in labels], [min(x, 1) for x in more]),
    ):
        with flint.ctx.workprec(300):
            value = function(L, judged=L + M, k=k)
            assert close(value, exact_g(L, L + M, k))
            assert 0 <= value <= 1
            assert function(L, judged=L + M, k=k + 1) >= value
            orders = [[*a, *b] for a in permutations(L[:first]) for b in permutations(L[first:])]
            mean = sum((exact_g(o, L + M, k) for o in orders), flint.arb(0)) / len(orders)
            tied = function(L, scores=scores, judged=L + M, k=k)
            assert close(tied, mean)
    assert rs.bin_g(L, judged=L + M, k=k) == value
    assert rs.bin_g(L, scores=scores, judged=L + M, k=k) == tied


@pytest.mark.slow
@each("backend", ["c", "reference"])
@pytest.mark.spec("RS-EXP-84")
def test_too_many_sums_of_gains_are_refused(backend):
    """Those of 15 gains of which no two sums are equal are 2^15 - 1, in any order."""

    def g(gains, n, k=None):
        scores = [*([1] * n), *range(-1, n - len(gains) - 1, -1)]
        return rankspec.g_measure(gains, scores=scores, k=k, backend=backend)

    for gains in ([2**i for i in range(24)], [2**i for i in reversed(range(15))]):
        with pytest.raises(InputError, match=f"^ties: G .* {MOST_SUMS} .*RS-EXP-84"):
            g(gains, len(gains))
    assert 0 < g([2**i for i in range(24)], 24, k=3) < 1  # 1 + 24 + 276 sums
    assert 0 < g([2**i for i in range(24)], 8) < 1


@pytest.mark.slow
@pytest.mark.spec("RS-EXP-84", "RS-EXP-84(b)", "RS-DCG-13/L2")
def test_the_expected_g_of_long_ties():
    """Of labels 0 and 1 it is the expected binG, which has a closed form; and equal gains in any
    order have one value."""
    for labels in ([1, 0] * 60, [1] + [0] * 1000, [0, 0, 1] * 30):
        scores = [1] * len(labels)
        for k in (None, 40):
            value = rankspec.g_measure(labels, scores=scores, k=k)
            assert value == rankspec.bin_g(labels, scores=scores, k=k)
    for label, gain in ((1, "linear"), (3, "exp2")):
        labels, judged = [label] * 3000, [label] * 4000
        tied = rankspec.g_measure(labels, scores=[1] * 3000, judged=judged, gain=gain)
        assert tied == rankspec.g_measure(labels, judged=judged, gain=gain)
