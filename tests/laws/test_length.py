"""The laws of length.

Where gain, discount and prior are rational, the value must be the double nearest to the exact one,
which is computed here from the definition.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import assume
from hypothesis import strategies as st

import rankspec
from rankspec.reference import length as reference_length
from rankspec.reference.numbers.reals import RATIONALS

from .broken import backwards, own_pool, using
from .law import READINGS, Metrics, law
from .rankings import (
    Case,
    cases,
    cutoffs,
    d,
    depths,
    double,
    exact_dcg,
    g,
    graded,
    grades,
    lists,
    pair,
    replaced,
    seeds,
    swapped,
    weights,
)

ideals = st.sampled_from(["true", "eq7"])
positive_weights = weights.filter(lambda w: w[0] > 0)
rational_priors = st.one_of(st.sampled_from(["discount", "uniform", "zipf"]), positive_weights)
priors = st.one_of(st.just("log2"), rational_priors)
rational = cases(rational=True)
tables = st.tuples(st.just([0, 1, 2, 4, 8]), st.just(grades))
small = st.lists(st.integers(0, 9), min_size=15, max_size=15).map(
    lambda numbers: sorted([10, *numbers], reverse=True)
)
integers = st.tuples(st.just("exp2"), st.just(grades))
factors = st.sampled_from([2, 3, 7, Fraction(1, 2)])


BOTH = pytest.mark.parametrize("by", READINGS)


def w(prior, case: Case, i: int) -> Fraction:
    """A rational weight of the prior, from its definition."""
    if not isinstance(prior, str):
        return Fraction(prior[i - 1])
    return d({"discount": case.discount, "uniform": "none"}.get(prior, prior), i)


def S(prior, case: Case, n: int) -> Fraction:
    return sum((w(prior, case, i) * d(case.discount, i) for i in range(1, n + 1)), Fraction(0))


def exact_Q(labels, prior, case: Case) -> Fraction:
    """LDCG without Z, from its definition."""
    N = min(len(labels), case.k or len(labels))
    below = S(prior, case, N)
    return exact_dcg(labels, case) / below if below else Fraction(0)


def exact_ideal(prior, case: Case, which: str) -> Fraction:
    """ILDCG without Z: the greatest of all numbers of results, or of the highest label's alone."""
    best_first = sorted(case.judged, reverse=True)[: case.depth]
    if which == "eq7":
        return exact_Q([x for x in best_first if x == best_first[0]], prior, case)
    sizes = range(1, len(best_first) + 1)
    return max((exact_Q(best_first[:n], prior, case) for n in sizes), default=Fraction(0))


def discounted(case: Case) -> bool:
    """Whether the discount is not 0 everywhere."""
    return not isinstance(case.discount, list) or case.discount[0] > 0


# The user's expected DCG


@pytest.mark.spec("RS-LEN-4", "RS-LEN-4/L1", "RS-LEN-4/L4", "RS-LEN-1", "RS-LEN-2", "RS-LEN-3")
@law(
    case=rational,
    prior=rational_priors,
    M=depths,
    rel=st.integers(1, 5),
    user_expected_dcg=using(rel=1),
)
def test_the_expectation_by_its_left_form(rs, *, case, prior, M, rel):
    assume(discounted(case))
    total = sum(w(prior, case, i) for i in range(1, M + 1))
    given = {"M": M, "rel": rel, "discount": case.discount, "prior": prior}
    values = rs.user_expected_dcg(list(range(M + 4)), **given).tolist()
    exact, by_definition = Fraction(0), [0.0]
    for i in range(1, M + 4):
        p = w(prior, case, i) / total if i <= M else 0
        exact += p * (2**rel - 1) * d(case.discount, i)
        by_definition.append(double(exact))
    assert values == by_definition


@pytest.mark.spec("RS-LEN-4/L2", "RS-LEN-4/L3")
@law(
    discount=small,
    prior=small,
    user_expected_dcg=lambda f: lambda N, **a: f([n * (n + 1) // 2 for n in N], **a),
)
def test_the_expectation_rises_by_less_and_less(rs, discount, prior):
    """Without Z, of small whole numbers: so the doubles are exact, and so are their differences."""
    values = rs.user_expected_dcg(list(range(6)), discount=discount, prior=prior).tolist()
    steps = [b - a for a, b in pairwise(values)]
    assert steps == [w_i * d_i for w_i, d_i in zip(prior, discount, strict=True)][:5]
    assert all(step >= 0 for step in steps)
    assert steps == sorted(steps, reverse=True)


@pytest.mark.spec("RS-LEN-4/L5")
@law(
    case=rational,
    prior=rational_priors,
    N=st.integers(0, 12),
    M=depths,
    user_expected_dcg=lambda f: lambda N, **a: f(N, **{**a, "M": None}),
)
def test_the_expectation_is_at_most_the_first_discount(rs, *, case, prior, N, M):
    assume(discounted(case))
    value = rs.user_expected_dcg(N, M=M, discount=case.discount, prior=prior)
    assert value <= double(d(case.discount, 1))


@pytest.mark.spec("RS-LEN-2", "RS-LEN-2/L1", "RS-LEN-3/L1", "RS-LEN-4/L2")
@law(
    i=st.integers(1, 8),
    rel=st.integers(1, 5),
    M=st.sampled_from([1, 2, 4, 8]),
    user_expected_dcg=using(rel=1),
)
def test_a_step_of_the_expectation_is_dcg_of_one_result_times_the_prior(rs, *, i, rel, M):
    """Of weights 1 and M = 1, 2, 4, 8 all of it is exact in doubles."""
    given = {"M": M, "rel": rel, "discount": "none", "prior": "uniform"}
    before, after = rs.user_expected_dcg([i - 1, i], **given).tolist()
    of_one = rs.dcg([0] * (i - 1) + [rel], discount="none", gain="exp2")
    assert of_one == 2**rel - 1
    assert after - before == (of_one / M if i <= M else 0)


# LDCG


@pytest.mark.spec("RS-LEN-5", "RS-LEN-5/L8", "RS-LEN-3", "RS-LEN-3/L3")
@law(case=rational, prior=rational_priors, ldcg=using(Z="none"))
def test_ldcg_is_its_definition_with_Z_and_without(rs, case, prior):
    assume(discounted(case))
    exact = exact_Q(case.labels, prior, case)
    assert rs.ldcg(case.labels, prior=prior, Z="none", **case.all) == double(exact)
    if case.k:
        exact *= sum(w(prior, case, i) for i in range(1, case.k + 1))
    assert rs.ldcg(case.labels, prior=prior, Z="M", **case.all) == double(exact)


@pytest.mark.spec("RS-LEN-5/L1")
@law(
    case=cases(rational=True, least=1),
    ldcg=lambda f: lambda labels, **a: f(labels, **a) * len(labels),
)
def test_without_a_prior_to_speak_of_ldcg_is_a_mean_gain(rs, case):
    """With a uniform prior it lies between the gains of the list."""
    assume(discounted(case))
    shown = [g(case.gain, x) for x in case.labels[: case.k]]
    value = rs.ldcg(case.labels, prior="uniform", Z="none", **case.all)
    assert double(min(shown)) <= value <= double(max(shown))


@pytest.mark.spec("RS-LEN-5/L2", "RS-LEN-9/L4", "RS-LEN-5")
@law(
    case=cases(least=2),
    prior=priors,
    i=seeds,
    j=seeds,
    ideal=ideals,
    ldcg=lambda f: lambda labels, **a: f(labels[::-1], **a),
)
def test_moving_a_higher_gain_up_never_lowers_ldcg_or_lndcg(rs, *, case, prior, i, j, ideal):
    assume(discounted(case))
    r = case.labels
    i, j = pair(len(r), i, j)
    moved = swapped(r, i, j)
    if r[i - 1] > r[j - 1]:
        r, moved = moved, r
    given = {"prior": prior, **case.all}
    assert rs.ldcg(moved, **given) >= rs.ldcg(r, **given)
    given |= {"judged": case.judged, "ideal": ideal}
    assert rs.lndcg(moved, **given) >= rs.lndcg(r, **given)


@pytest.mark.spec("RS-LEN-5/L2", "RS-LEN-9/L4")
@law(case=cases(least=1), prior=priors, i=seeds, ideal=ideals, lndcg=own_pool)
def test_raising_a_label_of_the_list_never_lowers_ldcg_or_lndcg(rs, *, case, prior, i, ideal):
    assume(discounted(case))
    r = case.labels
    raised = replaced(r, 1 + i % len(r), max(case.judged))
    given = {"prior": prior, **case.all}
    assert rs.ldcg(raised, **given) >= rs.ldcg(r, **given)
    given |= {"judged": case.judged, "ideal": ideal}
    assert rs.lndcg(raised, **given) >= rs.lndcg(r, **given)


@pytest.mark.spec("RS-LEN-5/L3")
@law(
    case=cases(rational=True, least=1),
    prior=rational_priors,
    order=st.randoms(use_true_random=False),
    ldcg=lambda f: lambda labels, **a: f(labels[:1], **a),
)
def test_lists_of_one_length_are_ordered_as_by_dcg(rs, *, case, prior, order):
    assume(discounted(case))
    other = [order.choice(case.judged) for _ in case.labels]
    mine, its = exact_dcg(case.labels, case), exact_dcg(other, case)
    ours, theirs = (rs.ldcg(r, prior=prior, Z="none", **case.all) for r in (case.labels, other))
    assert (ours > theirs) <= (mine > its)
    assert (ours < theirs) <= (mine < its)
    assert ours == double(mine / S(prior, case, min(len(other), case.depth)))


def _without_a_normaliser(labels, **a):
    return rankspec.dcg(labels, **{n: x for n, x in a.items() if n != "prior"})


@pytest.mark.spec("RS-LEN-5/L4", "RS-LEN-5/L5", "RS-LEN-5/L6")
@law(
    case=cases(rational=True, least=1),
    prior=rational_priors,
    ldcg=lambda _: _without_a_normaliser,
)
def test_what_a_result_more_changes(rs, case, prior):
    assume(discounted(case))
    r = case.labels
    more = [case.judged[0], max(r), 0]
    n = len(r) + 1
    step = d(case.discount, n) if n <= (case.k or n) else Fraction(0)
    before = rs.ldcg(r, prior=prior, **case.all)
    for label in more:
        gamma = g(case.gain, label)
        dcg = exact_dcg(r, case)
        direction = step * (gamma * S(prior, case, n - 1) - w(prior, case, n) * dcg)
        after = rs.ldcg([*r, label], prior=prior, **case.all)
        assert (after > before) <= (direction > 0)
        assert (after < before) <= (direction < 0)
        if gamma == 0:
            assert (direction < 0) == (dcg > 0 and w(prior, case, n) * step > 0)
        if label == max(r):
            assert direction >= 0


@pytest.mark.spec("RS-LEN-5/L7", "RS-LEN-9/L7", "RS-LEN-1/L3")
@law(
    case=cases(rational=True, least=1, gains=tables, discounts=positive_weights),
    prior=positive_weights,
    c=factors,
    ideal=ideals,
    lndcg=lambda f: lambda labels, **a: f(labels, **a) * a["gain"][1],
)
def test_scales(rs, *, case, prior, c, ideal):
    assume(isinstance(case.discount, list) and discounted(case))

    def scaled(numbers):
        return [c * Fraction(x) for x in numbers]

    gains, discount = scaled(case.gain), scaled(case.discount)
    exact = exact_Q(case.labels, prior, case)
    given = {"k": case.k, "Z": "none"}

    def value(gain=case.gain, discount=case.discount, prior=prior):
        return rs.ldcg(case.labels, gain=gain, discount=discount, prior=prior, **given)

    assert value(gain=gains) == double(c * exact)
    assert value(discount=discount) == double(exact)
    assert value(prior=scaled(prior)) == double(exact / c)
    own = value(discount=discount, prior="discount")
    assert own == double(exact_Q(case.labels, "discount", case) / c)
    if case.k:
        given = {"k": case.k, "Z": "M"}
        assert value(prior=scaled(prior)) == value()
        assert value(discount=discount, prior="discount") == value(prior="discount")
    given = {"judged": case.judged, "k": case.k, "ideal": ideal}
    lndcg = rs.lndcg(case.labels, gain=case.gain, discount=case.discount, prior=prior, **given)
    assert lndcg == rs.lndcg(
        case.labels, gain=gains, discount=discount, prior=scaled(prior), **given
    )


# The ideal


@pytest.mark.spec("RS-LEN-6", "RS-LEN-6/L1", "RS-LEN-7", "RS-LEN-8", "RS-LEN-8/L1", "RS-LEN-8/L2")
@law(
    case=cases(rational=True, cutoffs=depths),
    prior=rational_priors,
    ildcg=lambda f: lambda labels, **a: f(labels, **{**a, "ideal": "eq7"}),
)
def test_the_ideals_are_their_definitions(rs, case, prior):
    """And they agree exactly where the law says so."""
    assume(discounted(case))
    given = {"prior": prior, "Z": "none", **case.all}
    true, eq7 = (rs.ildcg(case.judged, ideal=which, **given) for which in ("true", "eq7"))
    exact = exact_ideal(prior, case, "true")
    assert true == double(exact)
    assert eq7 == double(exact_ideal(prior, case, "eq7"))
    assert eq7 <= true
    ordered = sorted(case.judged, reverse=True)
    top = [x for x in ordered if x == ordered[:1][0]] if ordered else []
    R = min(len(top), case.depth)
    if ordered and g(case.gain, ordered[0]) > 0:
        law_holds = all(
            sum(g(case.gain, ordered[i]) * d(case.discount, i + 1) for i in range(R, C))
            * S(prior, case, R)
            <= g(case.gain, ordered[0])
            * sum(d(case.discount, i) for i in range(1, R + 1))
            * (S(prior, case, C) - S(prior, case, R))
            for label in set(ordered)
            for C in [min(sum(x >= label for x in ordered), case.depth)]
            if label < ordered[0]
        )
        assert law_holds == (exact == exact_ideal(prior, case, "eq7"))


@pytest.mark.spec("RS-LEN-7", "RS-LEN-7/L1", "RS-LEN-7/L2")
@law(
    top=st.integers(5, 10),
    more=st.integers(5, 12),
    ildcg=using(ideal="eq7"),
)
def test_the_ideal_may_show_more_than_a_list_that_falls(rs, *, top, more):
    """One item of a label, one of the next, then many: the quotient falls at the second block, and
    rises above its beginning at the end of the third."""
    pool = [top, top - 1, *[top - 2] * more]
    case = Case(pool, pool, None, "exp2", "none")
    first, second, last = (exact_Q(pool[:n], "zipf", case) for n in (1, 2, len(pool)))
    assert second < first < last
    assert rs.ildcg(pool, prior="zipf", **case.all) == double(exact_ideal("zipf", case, "true"))
    values = [rs.lndcg(pool[:n], judged=pool, prior="zipf", **case.all) for n in (1, len(pool))]
    assert values[0] < values[1] == 1


@pytest.mark.spec("RS-LEN-7/L1", "RS-LEN-9/L1")
@law(
    case=cases(cutoffs=depths),
    prior=priors,
    order=st.randoms(use_true_random=False),
    size=seeds,
    ildcg=using(ideal="eq7"),
)
def test_no_list_of_the_pool_has_more_than_the_ideal(rs, *, case, prior, order, size):
    assume(discounted(case))
    r = sorted(case.judged, reverse=bool(size % 3))
    if size % 3 == 2:
        order.shuffle(r)
    r = r[: size % (len(r) + 1)]
    given = {"prior": prior, **case.all}
    assert rs.ldcg(r, **given) <= rs.ildcg(case.judged, ideal="true", **given)
    assert 0 <= rs.lndcg(r, judged=case.judged, **given) <= 1
    assert 0 <= rs.lndcg(case.labels, judged=case.judged, **given) <= 1


@pytest.mark.spec("RS-LEN-7/L1", "RS-LEN-7/L2")
@law(
    case=cases(gains=integers, cutoffs=depths),
    prior=priors,
    ildcg=using(prior="uniform"),
)
def test_the_ideal_list_ends_a_block(rs, case, prior):
    """The greatest LDCG of all lists of a small pool is that of a whole number of blocks."""
    assume(discounted(case))
    pool = sorted(case.judged, reverse=True)[:5]
    given = {"prior": prior, **case.all}
    every = {order for n in range(6) for order in permutations(pool, min(n, len(pool)))}
    values = rs.ldcg([list(r) for r in every], **given).tolist()
    ends = [pool[: case.k]] + [[x for x in pool if x >= label][: case.k] for label in pool]
    assert rs.ildcg(pool, **given) == max(values)
    assert rs.ildcg(pool, **given) == max(rs.ldcg(ends, **given))


@pytest.mark.spec("RS-LEN-7/L3", "RS-LEN-7/L4", "RS-LEN-3/L2")
@law(
    case=cases(least=1, cutoffs=depths),
    prior=priors,
    i=seeds,
    Z=st.sampled_from(["M", "none"]),
    ildcg=lambda f: lambda labels, **a: f(labels, **a) / a["k"] / len(labels),
)
def test_a_larger_pool_or_a_deeper_cut_never_lowers_the_ideal(rs, *, case, prior, i, Z):
    assume(discounted(case))
    pool = case.judged
    i = 1 + i % len(pool)
    given = {"prior": prior, "Z": Z, **case.all}
    value = rs.ildcg(pool, **given)
    assert rs.ildcg([*pool, pool[0]], **given) >= value
    assert rs.ildcg(replaced(pool, i, max(pool)), **given) >= value
    assert rs.ildcg(pool, **{**given, "k": case.k + 1}) >= value


@pytest.mark.spec("RS-LEN-6/L2")
@law(
    case=cases(rational=True, least=1, gains=tables, cutoffs=st.none()),
    prior=rational_priors,
    ildcg=lambda f: lambda labels, **a: f(labels, **a) / len(labels),
)
def test_more_of_the_highest_label_never_lower_the_ideal_of_eq_7(rs, case, prior):
    assume(discounted(case))
    top = max(case.judged)
    given = {"prior": prior, "ideal": "eq7", **case.all}
    values = [rs.ildcg([top] * R, **given) for R in range(1, 8)]
    assert values == sorted(values)
    assert values[0] == double(g(case.gain, top) / w(prior, case, 1))


@BOTH
@pytest.mark.spec("RS-LEN-6/L3", "RS-LEN-7/L3")
def test_a_better_item_can_lower_the_ideal_of_eq_7(by):
    rs = Metrics(by)
    pools = [[9, 9], [10, 9], [10, 9, 9]]
    eq7 = [rs.ildcg(J, gain="linear", ideal="eq7") for J in pools]
    assert f"{eq7[0]:.4f}" == "10.4990"
    assert eq7[1] == eq7[2] == 10
    true = [rs.ildcg(J, gain="linear") for J in pools]
    assert true == sorted(true)


@pytest.mark.spec("RS-LEN-8/L4", "RS-LEN-9/L8")
@law(
    case=cases(rational=True, least=1),
    level=grades,
    prior=rational_priors,
    ildcg=using(prior="zipf"),
)
def test_where_both_ideals_agree_always(rs, *, case, level, prior):
    assume(discounted(case))

    def both(pool, **a):
        return [rs.ildcg(pool, ideal=which, Z="none", **a) for which in ("true", "eq7")]

    true, eq7 = both(case.judged, prior="uniform", **case.all)
    assert true == eq7 == double(g(case.gain, max(case.judged)))
    binary = [level if i % 2 else 0 for i in range(len(case.judged))]
    true, eq7 = both(binary, prior=prior, k=case.k, gain="exp2", discount=case.discount)
    assert true == eq7
    top = [max(case.judged)] * 3
    true, eq7 = both(top + case.judged, prior=prior, **{**case.all, "k": 3})  # R = M
    assert true == eq7


@pytest.mark.spec("RS-LEN-8/L5", "RS-LEN-8")
@law(pool=lists(st.integers(0, 40)), k=st.integers(1, 5), ildcg=using(gain="linear"))
def test_up_to_five_shown_items_of_integer_labels_eq_7_is_the_ideal(rs, pool, k):
    given = {"k": k, "gain": "exp2"}
    true, eq7 = (rs.ildcg(pool, ideal=which, **given) for which in ("true", "eq7"))
    assert true == eq7


@pytest.mark.spec("RS-LEN-8/L6", "RS-LEN-10", "RS-LEN-10/L1", "RS-LEN-11", "RS-LEN-11/L1")
@law(
    case=cases(rational=True, least=2, gains=tables),
    prior=rational_priors,
    ideal=ideals,
    lndcg=own_pool,
)
def test_the_constraints_exactly(rs, case, prior, ideal):
    """Exact values decide; the doubles of the API never say the opposite."""
    case = replace(case, k=2)
    assume(discounted(case))
    high, low = sorted(case.labels[:2], reverse=True)
    w1, w2, d2 = w(prior, case, 1), w(prior, case, 2), d(case.discount, 2)
    given = {"prior": prior, **case.all}

    one, two = exact_Q([high], prior, case), exact_Q([high, low], prior, case)
    if high > low:
        assert (one > two) == (d2 > 0 and g(case.gain, low) * w1 < g(case.gain, high) * w2)
    else:
        assert (one < two) == (g(case.gain, high) > 0 and d2 > 0 and w2 < w1)
    pairs = [rs.ldcg([[high], [high, low]], **given)]
    pairs += [rs.lndcg([[high], [high, low]], judged=[case.judged] * 2, ideal=ideal, **given)]
    for a, b in pairs:
        assert (a > b) <= (one > two)
        assert (a < b) <= (one < two)
        assert (a == b) >= (one == two)
    if isinstance(prior, str) and isinstance(case.discount, str):
        assert exact_ideal(prior, replace(case, judged=[high, low]), "true") == max(one, two)
        a, b = rs.lndcg([[high], [high, low]], judged=[case.judged] * 2, ideal=ideal, **given)
        usable = rs.ildcg(case.judged, ideal=ideal, **given) > 0
        assert (a > b) == (usable and one > two)
        assert (a < b) == (usable and one < two)


@BOTH
@pytest.mark.spec(
    "RS-LEN-10/L2", "RS-LEN-10/L3", "RS-LEN-10/L4", "RS-LEN-10/L5", "RS-LEN-10/L6",
    "RS-LEN-11/L2", "RS-LEN-11/L3", "RS-LEN-11/L4",
)  # fmt: skip
def test_the_constraints_by_gain_and_prior(by):
    rs = Metrics(by)

    def c1(high, low, **given):
        return rs.ldcg([high], k=3, **given) > rs.ldcg([high, low], k=3, **given)

    def c2(label, **given):
        return rs.ldcg([label], k=3, **given) < rs.ldcg([label, label], k=3, **given)

    for high in range(1, 12):
        assert c2(high)
        assert not c2(high, prior="uniform")
        assert not c2(high, discount="none")
        assert not c2(high, discount="jarvelin-2002(b=2)")
        for low in range(high):
            assert c1(high, low)
            assert c1(high, low, prior="zipf")
            assert c1(high, low, prior="uniform")
            assert rs.dcg([high], gain="exp2") <= rs.dcg([high, low], gain="exp2")
            assert rs.ldcg([high], k=1) == rs.ldcg([high, low], k=1)
    assert [c1(1, low) for low in (0.7056, 0.7057)] == [True, False]
    assert [c1(2, low) for low in (1.5324, 1.5325)] == [True, False]
    linear = [(2, 1), (3, 1), (3, 2), (4, 2), (4, 3)]
    assert [c1(*labels, gain="linear") for labels in linear] == [True, True, False, True, False]
    assert rs.dcg([1], k=1) == rs.dcg([1, 1], k=1)
    assert rs.dcg([1], k=2) < rs.dcg([1, 1], k=2)


@BOTH
@pytest.mark.spec("RS-LEN-10/L6", "RS-DCG-7", "RS-DCG-8")
def test_only_the_ideal_shown_lets_ndcg_satisfy_C1(by):
    rs = Metrics(by)
    for ideal in ("k", "all", "perfect"):
        pool = {} if ideal == "perfect" else {"judged": [2, 2, 1]}
        options = {"gain": "linear", "k": 3, "ideal": ideal, **pool}
        assert rs.ndcg([2], **options) < rs.ndcg([2, 1], **options)
    options = {"gain": "linear", "k": 3, "ideal": "shown", "judged": [2, 2, 1]}
    assert rs.ndcg([2], **options) == 1
    assert abs(rs.ndcg([2, 1], **options) - 0.8066) < 0.00005


# LNDCG


@pytest.mark.spec("RS-LEN-9", "RS-LEN-9/L2", "RS-LEN-9/L5", "RS-LEN-9/L8")
@law(case=rational, prior=rational_priors, lndcg=own_pool)
def test_lndcg_is_the_quotient_of_its_parts(rs, case, prior):
    assume(discounted(case))
    given = {"judged": case.judged, **case.all}
    top = exact_Q(case.labels, prior, case)
    values = []
    for which in ("true", "eq7"):
        bottom = exact_ideal(prior, case, which)
        value = rs.lndcg(case.labels, prior=prior, ideal=which, **given)
        assert value == (double(top / bottom) if bottom else 0)
        values.append(value)
    assert values[0] <= values[1]
    of_uniform = exact_ideal("uniform", case, "true")
    if of_uniform:
        mean = exact_Q(case.labels, "uniform", case) / g(case.gain, max(case.judged))
        assert rs.lndcg(case.labels, prior="uniform", **given) == double(mean)


@pytest.mark.spec("RS-LEN-9/L2")
@BOTH
def test_lndcg_exceeds_one_where_eq_7_is_not_the_ideal(by):
    rs = Metrics(by)
    for J in ([3] + 9 * [2], [2] + 24 * [1], [5] + 5 * [4], [4] + 6 * [3], [2, 2] + 30 * [1]):
        assert rs.lndcg(J, ideal="eq7") > 1 == rs.lndcg(J)
        assert rs.lndcg(J[:-1], ideal="eq7") < 1
        top = [x for x in J if x == J[0]]
        assert rs.lndcg(top, judged=J, ideal="eq7") == 1 > rs.lndcg(top, judged=J)


@BOTH
@pytest.mark.spec("RS-LEN-3", "RS-LEN-5", "RS-LEN-7", "RS-LEN-9", "RS-CONV-4")
def test_a_discount_that_is_0_everywhere_leaves_nothing(by):
    rs = Metrics(by)
    for given in ({"discount": [0, 0]}, {"discount": [0, 0], "k": 2}):
        assert rs.ldcg([1, 2], **given) == 0
        assert rs.lndcg([1, 2], **given) == 0
        assert [rs.ildcg([1, 2], ideal=x, **given) for x in ("true", "eq7")] == [0, 0]
    assert rs.user_expected_dcg(2, M=2, discount=[0, 0]) == 0
    with pytest.raises(rankspec.InputError, match="prior: the weights add up to 0"):
        rs.ldcg([1, 2], prior=[0, 0])


@pytest.mark.spec("RS-LEN-9/L3")
@law(
    pool=st.lists(grades, min_size=1, max_size=8),
    n=seeds,
    i=seeds,
    discount=st.sampled_from(["zipf", "zipf", [8, 4, 2, 1, 0.5, 0.25, 0.125, 0.0625]]),
    prior=st.sampled_from(["discount", "zipf", [13, 11, 7, 5, 3, 2, 1, 0.5]]),
    gain=st.sampled_from(["exp2", "linear"]),
    lndcg=own_pool,
)
def test_lndcg_is_one_only_for_an_ideal_list(rs, *, pool, n, i, discount, prior, gain):
    assume(max(pool) > 0)
    J = sorted(pool, reverse=True)
    r = J[: 1 + n % len(J)]
    if i % 3 == 0:
        r = swapped(r, 1 + i % len(r), len(r))
    case = Case(r, J, None, gain, discount)
    best = exact_ideal(prior, case, "true")
    first = J[: len(r)]
    is_ideal = r == first and exact_Q(first, prior, case) == best
    given = {"judged": J, "gain": gain, "discount": discount, "prior": prior}
    assert (rs.lndcg(r, **given) == 1) == is_ideal
    if is_ideal:  # such a list ends a block
        assert len(r) == len(J) or J[len(r)] < r[-1]


@pytest.mark.spec("RS-LEN-9/L6")
@law(
    labels=graded,
    more=graded,
    M=st.integers(1, 12),
    ideal=ideals,
    lndcg=lambda f: lambda labels, k=None, **a: f([*labels, 0, 0, 0][:k], k=k, **a),
)
def test_M_has_no_part_where_all_can_be_shown(rs, *, labels, more, M, ideal):
    judged = labels + more
    deep = max(len(labels), len(judged), 1)
    given = {"judged": judged, "ideal": ideal}
    value = rs.lndcg(labels, **given)
    assert rs.lndcg(labels, k=deep, **given) == value
    assert rs.lndcg(labels, k=deep + M, **given) == value
    top = judged.count(max(judged, default=0))
    if max(len(labels), top) <= M:
        assert rs.lndcg(labels, k=M, judged=judged, ideal="eq7") == rs.lndcg(
            labels, judged=judged, ideal="eq7"
        )


@BOTH
@pytest.mark.spec("RS-LEN-9/L6")
def test_M_has_a_part_in_lndcg(by):
    for ideal in ("true", "eq7"):
        values = [Metrics(by).lndcg([1], judged=[1, 1, 1], k=M, ideal=ideal) for M in (1, 2, 3, 4)]
        assert values[0] == 1 > values[1] > values[2] == values[3]


# Ties


@pytest.mark.spec(
    "RS-EXP-11", "RS-EXP-11/L1", "RS-EXP-11/L2", "RS-EXP-12", "RS-EXP-12/L1", "RS-EXP-12/L2"
)  # fmt: skip
@law(
    case=cases(rational=True, cutoffs=cutoffs, least=1),
    prior=rational_priors,
    ideal=ideals,
    cut=st.integers(0, 4),
    ldcg=lambda f: lambda labels, **a: f(labels, **{**a, "scores": None}),
)
def test_the_expectation_over_ties(rs, *, case, prior, ideal, cut):
    assume(discounted(case))
    labels = case.labels[:4]
    cut = min(cut, len(labels))
    scores = [2] * cut + [1] * (len(labels) - cut)
    case = replace(case, k=case.depth)
    orders = [
        [*top, *rest] for top in permutations(labels[:cut]) for rest in permutations(labels[cut:])
    ]
    mean = sum(exact_Q(list(r), prior, case) for r in orders) / len(orders)
    value = rs.ldcg(labels, scores=scores, prior=prior, Z="none", **case.all)
    assert value == double(mean)
    if cut in (0, len(labels)):  # all tied
        N = min(len(labels), case.k)
        total = sum(g(case.gain, x) for x in labels) * sum(
            d(case.discount, i) for i in range(1, N + 1)
        )
        assert mean == total / len(labels) / S(prior, case, N)
    bottom = exact_ideal(prior, case, ideal)
    value = rs.lndcg(
        labels, scores=scores, judged=case.judged, prior=prior, ideal=ideal, **case.all
    )
    assert value == (double(mean / bottom) if bottom else 0)
    assert ideal == "eq7" or 0 <= value <= 1


@pytest.mark.spec("RS-EXP-12/L3")
@law(
    label=st.integers(1, 4),
    n=st.integers(1, 6),
    k=cutoffs,
    prior=st.sampled_from(["discount", "uniform", "zipf"]),
    ideal=ideals,
    lndcg=lambda f: lambda labels, **a: f([*labels, 0], **{**a, "scores": [*a["scores"], 1]}),
)
def test_equal_labels_that_are_tied_have_one(rs, *, label, n, k, prior, ideal):
    given = {"k": k, "prior": prior, "ideal": ideal}
    assert rs.lndcg([label] * n, scores=[1] * n, **given) == 1


# The adjustment of any metric


def lerr(labels, g_max: int, lam: Fraction) -> Fraction:
    """LERR without its constant factor, with the prior 1, lam; from its definition."""
    total, on = Fraction(0), Fraction(1)
    for i, x in enumerate(labels, 1):
        stop = Fraction(2**x - 1, 2**g_max)
        total, on = total + on * stop / i, on * (1 - stop)
    return total / sum((Fraction(1), lam / 2)[: len(labels)])


@pytest.mark.spec("RS-LEN-12", "RS-LEN-12/L2", "RS-LEN-12/L3", "RS-LEN-12/L4")
def test_lerr_satisfies_c1_and_c2_where_its_laws_say():
    for g_max in range(1, 7):
        for lam in (Fraction(1, 100), Fraction(1, 10), Fraction(1, 6), Fraction(1, 2), Fraction(1)):
            stops = [Fraction(2**x - 1, 2**g_max) for x in range(g_max + 1)]
            c1, c2 = [], []
            for a in range(1, g_max + 1):
                one = lerr([a], g_max, lam)
                c2.append(one < lerr([a, a], g_max, lam))
                assert c2[-1] == (lam < 1 - stops[a])
                for b in range(a):
                    c1.append(one > lerr([a, b], g_max, lam))
                    assert c1[-1] == (stops[a] * lam > (1 - stops[a]) * stops[b])
            if lam == Fraction(1, 2):
                assert all(c1)
                assert c2 == [True] * (g_max - 1) + [False]
            if g_max >= 3:
                assert not (all(c1) and all(c2))
    both = [lerr([a], 2, Fraction(1, 6)) < lerr([a, a], 2, Fraction(1, 6)) for a in (1, 2)]
    assert both == [True, True]  # control: for two labels above 0 there is a prior
    assert lerr([2], 2, Fraction(1, 6)) > lerr([2, 1], 2, Fraction(1, 6))


@pytest.mark.spec("RS-LEN-12", "RS-LEN-12/L1", "RS-LEN-12/L5", "RS-LEN-12/L6")
def test_the_adjustment_by_the_reference():
    """LDCG, LERR, LAP and LRBP of the reference, from the values of the API."""
    w = Fraction(1), Fraction(1, 2), Fraction(1, 3)
    weight = lambda i: w[i - 1]  # noqa: E731
    half = Fraction(1, 2)
    of_one = reference_length.rbp_of_one(half, RATIONALS)
    for labels in ([1], [1, 0], [1, 1], [0, 1, 1], []):
        n = len(labels)
        exact = reference_length.adjusted(
            Fraction(rankspec.certify.sp(labels).exact), n, 3, lambda i: Fraction(1, i), weight, 1
        )
        below = sum((w[i] / (i + 1) for i in range(n)), Fraction(0))
        assert exact == (Fraction(rankspec.certify.sp(labels).exact) / below if n else 0)
        zipf = reference_length.adjusted(
            Fraction(rankspec.certify.dcg(labels, discount="zipf").exact),
            n,
            3,
            lambda i: Fraction(1, i),
            weight,
            1,
        )
        assert zipf == rankspec.certify.ldcg(labels, discount="zipf", prior="zipf", Z="none").exact
        value = Fraction(rankspec.certify.rbp(labels, p=0.5).exact)
        below = sum((w[i] * half ** (i + 1) for i in range(n)), Fraction(0))
        assert reference_length.adjusted(value, n, 3, of_one, weight, 1) == (
            value / below if n else 0
        )
        if n == 3:
            cut = reference_length.adjusted(value, n, 2, of_one, weight, 1)
            assert cut == value / sum((w[i] * half ** (i + 1) for i in range(2)), Fraction(0))


# LERR, LAP, LRBP and LGAP

PERSISTENCES = st.sampled_from([0.5, 0.25, 0.75, 0.8])
FALLING = st.sampled_from(["discount", "uniform", "zipf", [8, 4, 2, 1] + [1] * 20])
STOPS = st.sampled_from([None, [0, 0, 0.25, 0.5, 1], [0.125, 0.25, 0.5, 0.5, 0.75], [0] * 5])


def exact_err(labels, stop) -> Fraction:
    total, on = Fraction(0), Fraction(1)
    for i, x in enumerate(labels, 1):
        total, on = total + on * stop[x] / i, on * (1 - stop[x])
    return total


def exact_sp(R) -> Fraction:
    return sum((Fraction(sum(R[:i]), i) for i in range(1, len(R) + 1) if R[i - 1]), Fraction(0))


def stop_table(stop) -> list[Fraction]:
    given = stop or [Fraction(2**x - 1, 16) for x in range(5)]
    return [Fraction(x) for x in given]


def over_expectation(total, N, prior, e, own) -> Fraction:
    """total / Σ w(i) e(i), without Z; own: the weights of the prior "discount"."""
    below = sum((weight_of(prior, own, i) * e(i) for i in range(1, N + 1)), Fraction(0))
    return total / below if below else Fraction(0)


def weight_of(prior, own, i) -> Fraction:
    if prior == "discount":
        return own(i)
    return (
        d({"uniform": "none"}.get(prior, prior), i)
        if isinstance(prior, str)
        else Fraction(prior[i - 1])
    )


def inverse(i) -> Fraction:
    return Fraction(1, i)


def exact_lerr(labels, M, prior, stop) -> Fraction:
    table, shown = stop_table(stop), labels[:M]
    least = min([x for x in table if x > 0], default=Fraction(0))
    total = exact_err(shown, table)
    return over_expectation(total, len(shown), prior, lambda i: least / i, inverse)


def exact_lap(labels, M, prior, rel) -> Fraction:
    R = [int(x >= rel) for x in labels[:M]]
    return over_expectation(exact_sp(R), len(R), prior, inverse, inverse)


def exact_lrbp(labels, M, prior, rel, p) -> Fraction:
    own = lambda i: Fraction(p) ** (i - 1)  # noqa: E731
    R = [int(x >= rel) for x in labels[:M]]
    total = sum((own(i) for i, x in enumerate(R, 1) if x), Fraction(0))
    return over_expectation(total, len(R), prior, own, own)


def exact_gsp(labels, q) -> Fraction:
    """The mean of SP over the users, of whom q_j take the labels from j on as relevant."""
    of_users = (
        Fraction(q_j) * exact_sp([int(x >= j) for x in labels]) for j, q_j in enumerate(q, 1)
    )
    return sum(of_users, Fraction(0))


def exact_lgap(labels, M, prior, q) -> Fraction:
    least, shown = Fraction(next(x for x in q if x)), labels[:M]
    total = exact_gsp(shown, q)
    return over_expectation(total, len(shown), prior, lambda i: least / i, inverse)


def check_by_definition(function, exact, own, labels, tied, M, prior, **given):
    """Of a settled list and of one that is tied from an item on, with Z and without."""
    head, tail = labels[:tied], labels[tied:]
    scores = [9 - i for i in range(len(head))] + [0] * len(tail)
    orders = [[*head, *rest] for rest in permutations(tail)]
    mean = sum((exact(r, M or 99, prior, **given) for r in orders), Fraction(0)) / len(orders)
    asked = {"scores": scores, "M": M, "prior": prior, **given}
    assert function(labels, Z="none", **asked) == double(mean)
    W = sum(weight_of(prior, own, i) for i in range(1, M + 1)) if M else 1
    assert function(labels, Z="M", **asked) == double(mean * W)


few = lists(grades).map(lambda labels: labels[:5])
wholly = {"labels": few, "tied": st.integers(0, 5), "M": cutoffs, "prior": FALLING}
two_deep = lambda f: lambda labels, **a: f([*labels, 0], **{**a, "scores": [*a["scores"], -1]})  # noqa: E731


@pytest.mark.spec("RS-LEN-12", "RS-LEN-13", "RS-LEN-13/L5", "RS-EXP-29", "RS-EXP-29/L1")
@law(stop=STOPS, lerr=two_deep, **wholly)
def test_lerr_in_fractions(rs, *, labels, tied, M, prior, stop):
    check_by_definition(rs.lerr, exact_lerr, inverse, labels, tied, M, prior, stop=stop)


@pytest.mark.spec("RS-LEN-12", "RS-LEN-14", "RS-LEN-14/L5", "RS-EXP-29", "RS-EXP-29/L1")
@law(rel=st.integers(1, 4), lap=two_deep, **wholly)
def test_lap_in_fractions(rs, *, labels, tied, M, prior, rel):
    check_by_definition(rs.lap, exact_lap, inverse, labels, tied, M, prior, rel=rel)


@pytest.mark.spec("RS-LEN-12", "RS-LEN-15", "RS-LEN-15/L6", "RS-EXP-29", "RS-EXP-29/L1")
@law(rel=st.integers(1, 4), p=PERSISTENCES, lrbp=two_deep, **wholly)
def test_lrbp_in_fractions(rs, *, labels, tied, M, prior, rel, p):
    own = lambda i: Fraction(p) ** (i - 1)  # noqa: E731
    check_by_definition(rs.lrbp, exact_lrbp, own, labels, tied, M, prior, rel=rel, p=p)


THRESHOLDS = st.sampled_from([[0.25] * 4, [0, 0.5, 0.25], [1], [0.125, 0, 0, 3]])


@pytest.mark.spec("RS-LEN-12", "RS-LEN-16", "RS-LEN-16/L7", "RS-EXP-29", "RS-EXP-29/L1")
@law(q=THRESHOLDS, lgap=two_deep, **wholly)
def test_lgap_in_fractions(rs, *, labels, tied, M, prior, q):
    check_by_definition(rs.lgap, exact_lgap, inverse, labels, tied, M, prior, q=q)


@pytest.mark.spec("RS-LEN-16/L1")
@law(labels=few, more=few, k=depths, q=THRESHOLDS, lgap=lambda f: lambda r, **a: 2 * f(r, **a))
def test_lgap_is_gap_over_what_is_expected_of_gap(rs, *, labels, more, k, q):
    judged = [*labels, *more, 4]
    pi = [Fraction(sum(q[:x])) for x in range(5)]
    divisor = sum(pi[x] for x in judged)
    GAP, least = exact_gsp(labels[:k], q) / divisor, Fraction(next(x for x in q if x))
    assert rs.gap(labels, judged=judged, k=k, q=q) == double(GAP)
    e = lambda i: least / (i * divisor)  # noqa: E731
    value = over_expectation(GAP, min(len(labels), k), "discount", e, inverse)
    assert rs.lgap(labels, k=k, q=q, Z="none") == double(value)


@pytest.mark.spec("RS-LEN-16/L5", "RS-LEN-16/L6")
@law(labels=graded, M=cutoffs, j=st.integers(1, 4), prior=FALLING, lgap=using(q=[1]))
def test_lgap_by_one_threshold_is_lap(rs, *, labels, M, j, prior):
    expected = rs.lap(labels, M=M, prior=prior, rel=j)
    for share in (1, 0.5):
        assert rs.lgap(labels, M=M, prior=prior, q=[0] * (j - 1) + [share]) == expected


@pytest.mark.spec("RS-LEN-13/L1")
@law(x=grades, prior=FALLING, lerr=using(Z="M", M=3))
def test_lerr_of_one_result_is_its_gain(rs, *, x, prior):
    first = prior[0] if isinstance(prior, list) else 1
    assert rs.lerr([x], max=4, prior=prior, Z="none") == (2**x - 1) / first
    assert rs.ldcg([x], prior=prior, Z="none") == (2**x - 1) / first


@pytest.mark.spec("RS-LEN-14/L1")
@law(
    labels=few,
    more=few,
    k=depths,
    norm=st.sampled_from(["R", "min", "k"]),
    lap=lambda f: lambda labels, **a: 2 * f(labels, **a),
)
def test_lap_is_ap_over_what_is_expected_of_ap(rs, *, labels, more, k, norm):
    judged = [*labels, *more, 1]
    divisor = {"R": sum(x >= 1 for x in judged), "k": k}
    divisor["min"] = min(divisor.values())
    AP = exact_sp([int(x >= 1) for x in labels[:k]]) / divisor[norm]
    assert rs.ap(labels, judged=judged, k=k, norm=norm) == double(AP)
    e = lambda i: Fraction(1, i * divisor[norm])  # noqa: E731
    value = over_expectation(AP, min(len(labels), k), "discount", e, inverse)
    assert rs.lap(labels, k=k, Z="none") == double(value)


@pytest.mark.spec("RS-LEN-15/L1")
@law(
    labels=graded,
    M=cutoffs,
    rel=st.integers(1, 4),
    p=st.sampled_from([0.5, 0.25, 0.75]),
    prior=FALLING,
    lrbp=using(rel=2),
)
def test_lrbp_is_ldcg_with_the_powers_for_its_discount(rs, *, labels, M, rel, p, prior):
    given = {"M": M, "prior": prior}
    R = [int(x >= rel) for x in labels]
    powers = [p**i for i in range(20)]
    of_indicators = rs.ldcg(R, gain="linear", discount=powers, **given)
    assert rs.lrbp(labels, p=p, rel=rel, **given) == of_indicators


ADJUSTED = [
    ("lerr", "err", {"max": 4}),
    ("lap", "sp", {}),
    ("lrbp", "rbp", {"p": 0.75}),
    ("lgap", "gap", {"q": [0.5, 0.25, 0.125]}),
]
doubled = {name: backwards for name, _, _ in ADJUSTED}


@pytest.mark.spec("RS-LEN-13/L2", "RS-LEN-14/L2", "RS-LEN-15/L2", "RS-LEN-16/L2")
@law(
    which=st.sampled_from(ADJUSTED), labels=graded, seed=seeds, M=cutoffs, prior=FALLING, **doubled
)
def test_lists_of_one_length_are_ordered_as_by_the_metric(rs, *, which, labels, seed, M, prior):
    name, of, given = which
    other = random.Random(seed).sample(labels, len(labels))
    adjusted, plain = getattr(rs, name), getattr(rs, of)
    a, b = (plain(r, k=M, **given) for r in (labels, other))
    x, y = (adjusted(r, M=M, prior=prior, **given) for r in (labels, other))
    assert (a < b) <= (x <= y)
    assert (a > b) <= (x >= y)
    assert (a == 0) == (x == 0)


@pytest.mark.spec("RS-LEN-13/L3", "RS-LEN-14/L3", "RS-LEN-15/L3", "RS-LEN-16/L3")
@law(
    which=st.sampled_from(ADJUSTED),
    labels=graded,
    M=depths,
    prior=FALLING,
    **{name: lambda f: lambda labels, **a: f(labels[:2], **a) for name, _, _ in ADJUSTED},
)
def test_a_result_more_of_no_relevance_costs(rs, *, which, labels, M, prior):
    name, _, given = which
    asked = {"M": M, "prior": prior, **given}
    before, after = (getattr(rs, name)(r, **asked) for r in (labels, [*labels, 0]))
    assert after <= before
    assert (after < before) == (len(labels) < M and before > 0)


@pytest.mark.spec("RS-LEN-14/L3", "RS-LEN-16/L3")
@law(
    n=st.integers(1, 6),
    M=depths,
    prior=FALLING,
    x=st.integers(1, 4),
    lap=using(prior=[1, 0] + [0] * 20, M=1),
    lgap=using(prior=[1, 0] + [0] * 20, M=1),
)
def test_a_relevant_result_more_pays_by_lap_and_lgap(rs, *, n, M, prior, x):
    for metric in (rs.lap, rs.lgap):
        before, after = (metric([x] * m, M=M, prior=prior) for m in (n, n + 1))
        assert (after > before) == (n < M)


@pytest.mark.spec("RS-LEN-13/L4", "RS-LEN-14/L4", "RS-LEN-15/L4", "RS-LEN-16/L4")
@law(
    which=st.sampled_from(ADJUSTED),
    J=lists(grades).map(lambda labels: labels[:4]),
    M=depths,
    prior=FALLING,
    **{name: lambda f: lambda labels, **a: 2 * f(labels, **a) for name, _, _ in ADJUSTED},
)
def test_the_best_list_of_a_pool(rs, *, which, J, M, prior):
    name, _, given = which
    asked = {"M": M, "prior": prior, **given}
    shown = [r for n in range(len(J) + 1) for r in permutations(J, n)]
    best = max(getattr(rs, name)(list(r), **asked) for r in shown)
    measure = getattr(rankspec, name.upper())(**asked)
    assert rankspec.IUB(measure).of(J, backend=rs.backend) == best


@pytest.mark.spec("RS-LEN-15/L5")
@law(n=st.integers(1, 12), p=PERSISTENCES, lrbp=using(prior="uniform"))
def test_lrbp_of_relevant_items_alone_by_its_own_discount(rs, *, n, p):
    p_exact = Fraction(p)
    value = rs.lrbp([1] * n, p=p, Z="none")
    assert value == double((1 + p_exact) / (1 + p_exact**n))
    assert 1 <= value < 1 + p
