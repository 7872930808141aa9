"""The laws of the Q-measure, NCU, O-measure, P-measure, P-plus, EBR and iRBU."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, islice, permutations
from math import prod

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rankspec.metrics.measure import Ranking
from rankspec.metrics.utility import METRICS
from rankspec.reference.numbers.reals import RATIONALS
from rankspec.reference.precision import first_relevant
from rankspec.reference.utility import (
    Item,
    all_users,
    blended_ratio,
    expected_utility,
    gain_relevance,
    means_of_sums,
    ncu,
    preferred,
    preferred_rank,
    sum_of_ratios,
)

from .broken import backwards, own_pool, using
from .law import law
from .rankings import cutoffs, depths, double, graded, grades, lists, stops, tables

betas = st.sampled_from([0, 0.25, 1, 10])
shares = st.integers(1, 16).map(lambda n: n / 16)
populations = st.sampled_from(["uniform", "graded", "rank-biased"])
few = st.lists(grades, min_size=1, max_size=5)


def gained(labels):
    """How the labels are relevant, by linear gain."""
    return [min(x, 1) for x in labels]


def falling(labels):
    return sorted(labels, reverse=True)


@pytest.mark.spec("RS-UTL-1", "RS-UTL-3/L1")
@law(labels=graded, more=graded, k=cutoffs, gain=tables, q_measure=using(beta=1))
def test_q_without_gain_is_ap(rs, *, labels, more, k, gain):
    judged = labels + more
    R, J = ([int(gain[x] > 0) for x in some] for some in (labels, judged))
    assert gain_relevance([gain[x] for x in labels]) == R
    value = rs.q_measure(labels, judged=judged, k=k, beta=0, gain=gain)
    assert value == rs.ap(R, judged=J, k=k, norm="min")


@pytest.mark.spec("RS-UTL-2", "RS-UTL-2/L1", "RS-UTL-2/L2")
@given(labels=few, more=graded, beta=betas)
def test_the_blended_ratio_is_precision_up_to_one(labels, more, beta):
    best = falling(labels + more)
    for i in range(1, len(labels) + 1):
        shown = labels[:i]
        C, cg = Fraction(sum(gained(shown))), Fraction(sum(shown))
        BR = blended_ratio(C, cg, i, sum(best[:i]), Fraction(beta))
        assert 0 <= BR <= 1
        if beta == 0:
            assert Fraction(C, i) == BR
        if shown == best[:i] and all(shown):
            assert BR == 1
        shifted = blended_ratio(C, cg, i + 1, sum(best[:i]), Fraction(beta))
        assert shifted < BR or BR == 0  # the control: another rank is another value


@pytest.mark.spec("RS-UTL-3/L2", "RS-UTL-5/L2")
@law(
    labels=graded,
    more=graded,
    k=cutoffs,
    beta=betas,
    stopping=populations,
    q_measure=lambda f: own_pool(lambda labels, **a: 1.5 * f(labels, **a)),
    ncu=lambda f: own_pool(lambda labels, **a: 1.5 * f(labels, **a)),
)
def test_q_and_ncu_lie_between_zero_and_one(rs, *, labels, more, k, beta, stopping):
    judged = labels + more
    assert 0 <= rs.q_measure(labels, judged=judged, k=k, beta=beta) <= 1
    assert 0 <= rs.ncu(labels, judged=judged, k=k, beta=beta, stopping=stopping) <= 1
    best = int(any(judged))
    assert rs.q_measure(falling(judged), k=k, beta=beta) == best
    assert rs.ncu(falling(judged), beta=beta, stopping=stopping) == best


@pytest.mark.spec("RS-UTL-3/L3")
@law(
    labels=lists(grades, least=2),
    a=st.integers(0, 7),
    b=st.integers(0, 7),
    k=cutoffs,
    beta=betas,
    q_measure=backwards,
)
def test_q_does_not_fall_where_a_higher_label_moves_up(rs, *, labels, a, b, k, beta):
    a, b = sorted((a % len(labels), b % len(labels)))
    assume(labels[a] < labels[b])
    other = list(labels)
    other[a], other[b] = labels[b], labels[a]
    value = rs.q_measure(labels, judged=labels, k=k, beta=beta)
    assert rs.q_measure(other, judged=labels, k=k, beta=beta) >= value


@pytest.mark.spec("RS-UTL-4", "RS-UTL-4/L1")
@law(
    labels=graded,
    more=graded,
    k=cutoffs,
    beta=betas,
    c=st.integers(1, 9),
    ncu=lambda f: lambda labels, **a: f(labels, **{**a, "gamma": 0.5}),
)
def test_uniform_users_by_other_names(rs, *, labels, more, k, beta, c):
    how = {"judged": labels + more, "k": k, "beta": beta}
    value = rs.ncu(labels, **how)
    assert rs.ncu(labels, stopping="rank-biased", **{"gamma": 1, **how}) == value
    assert rs.ncu(labels, stopping="graded", stops=[c] * 5, **how) == value


@pytest.mark.spec("RS-UTL-5", "RS-UTL-5/L1", "RS-UTL-3")
@law(labels=graded, more=graded, beta=betas, ncu=using(stopping="graded"))
def test_ncu_of_uniform_users_is_q(rs, labels, more, beta):
    judged = labels + more
    value = rs.q_measure(labels, judged=judged, beta=beta)
    assert rs.ncu(labels, judged=judged, beta=beta) == value
    ratios = sum_of_ratios(
        list(map(Fraction, labels)), list(map(Fraction, falling(judged))), len(labels), beta
    )
    divisor = sum(gained(judged))
    assert value == double(ratios / divisor if divisor else Fraction(0))


@pytest.mark.spec("RS-UTL-6", "RS-UTL-6/L1", "RS-UTL-6/L2")
@law(labels=graded, more=graded, k=cutoffs, beta=betas, o_measure=using(k=1))
def test_o_without_gain_is_rr(rs, *, labels, more, k, beta):
    judged = labels + more
    assert rs.o_measure(labels, judged=judged, k=k, beta=0) == rs.rr(gained(labels), k=k)
    value = rs.o_measure(labels, judged=judged, k=k, beta=beta)
    at = next((i for i, x in enumerate(labels[:k], start=1) if x), None)
    b = Fraction(beta)
    law = 0 if at is None else (1 + b * labels[at - 1]) / (at + b * sum(falling(judged)[:at]))
    assert value == double(Fraction(law))
    assert 0 <= value <= 1


@pytest.mark.spec("RS-UTL-7", "RS-UTL-7/L2", "RS-UTL-8", "RS-UTL-8/L2")
@law(
    labels=graded,
    more=graded,
    k=cutoffs,
    beta=betas,
    p_measure=backwards,
    p_plus=using(beta=2),
)
def test_p_and_p_plus_by_q_of_the_list_up_to_the_preferred_rank(rs, *, labels, more, k, beta):
    """The mean of the ratios of a list is its Q, but for the divisor; of one item more, its own."""
    judged = labels + more
    at = preferred_rank(labels, gained(labels), k or len(labels))
    top = labels[:k]
    assert at == (top.index(max(top)) + 1 if any(top) else 0)
    G, I = ([Fraction(x) for x in some] for some in (labels, falling(judged)))  # noqa: E741
    sums = [sum_of_ratios(G, I, i, beta) for i in (max(at - 1, 0), at)]
    p = rs.p_measure(labels, judged=judged, k=k, beta=beta)
    plus = rs.p_plus(labels, judged=judged, k=k, beta=beta)
    assert p == double(sums[1] - sums[0])
    assert plus == double(sums[1] / sum(gained(labels[:at])) if at else Fraction(0))
    assert 0 <= p <= 1
    assert 0 <= plus <= 1


@pytest.mark.spec("RS-UTL-7/L1", "RS-UTL-8/L1")
@law(R=lists(st.integers(0, 1)), x=st.integers(1, 4), more=graded, k=cutoffs, beta=betas,
     p_measure=using(beta=2), p_plus=using(beta=2))  # fmt: skip
def test_of_one_label_all_three_are_the_same(rs, *, R, x, more, k, beta):
    labels = [x * R_i for R_i in R]
    how = {"judged": labels + more, "k": k, "beta": beta}
    value = rs.o_measure(labels, **how)
    assert rs.p_measure(labels, **how) == value
    assert rs.p_plus(labels, **how) == value


@pytest.mark.spec("RS-UTL-9", "RS-UTL-9/L1", "RS-UTL-9/L2")
@law(labels=graded, more=graded, k=cutoffs, beta=betas, stop=stops, ebr=backwards)
def test_ebr_is_the_mean_over_where_users_stop(rs, *, labels, more, k, beta, stop):
    judged = labels + more
    G, I = ([Fraction(x) for x in some] for some in (labels, falling(judged)))  # noqa: E741
    relevant = [i for i, x in enumerate(labels[:k], start=1) if x]
    total = Fraction(0)
    for a, i in enumerate(relevant):
        ratio = sum_of_ratios(G, I, i, beta) - sum_of_ratios(G, I, i - 1, beta)
        before = prod((1 - Fraction(stop[labels[j - 1]]) for j in relevant[:a]), start=Fraction(1))
        total += before * Fraction(stop[labels[i - 1]]) * ratio
    value = rs.ebr(labels, judged=judged, k=k, beta=beta, stop=stop)
    assert value == double(total)
    assert 0 <= value <= 1
    certain = rs.ebr(labels, judged=judged, k=k, beta=beta, stop=[0, 1, 1, 1, 1])
    assert certain == rs.o_measure(labels, judged=judged, k=k, beta=beta)


@pytest.mark.spec("RS-UTL-10", "RS-UTL-10/L1", "RS-UTL-10/L2")
@law(labels=lists(grades, least=1), k=depths, phi=shares, stop=stops, irbu=backwards)
def test_irbu_of_all_who_stop(rs, *, labels, k, phi, stop):
    q = [1 - Fraction(stop[x]) for x in labels]
    ends = [prod(q[:i], start=Fraction(1)) * (1 - q[i]) for i in range(len(q))]
    law = sum((Fraction(phi) ** (i + 1) * y for i, y in enumerate(ends[:k])), Fraction(0))
    value = rs.irbu(labels, k=k, phi=phi, stop=stop)
    assert value == double(law)
    assert 0 <= value <= phi
    assert rs.irbu(labels, k=k + 1, phi=phi, stop=stop) >= value
    all_who_stop = rs.irbu(labels, k=k, phi=1, stop=stop)
    assert all_who_stop == double(1 - prod(q[:k], start=Fraction(1)))


# Under ties: by all orders.


def orders(groups):
    found = [()]
    for group in groups:
        found = [(*some, *order) for some in found for order in permutations(group)]
    return found


@st.composite
def grouped(draw):
    """Labels in tie groups, and the list with its scores."""
    groups = draw(st.lists(st.lists(grades, min_size=1, max_size=4), min_size=1, max_size=2))
    scores = [-a for a, group in enumerate(groups) for _ in group]
    return groups, [x for group in groups for x in group], scores


def once(f):
    """A metric that takes the order of the input for the mean over all orders."""
    return lambda labels, scores=None, **a: f(labels, **a)  # noqa: ARG005


@pytest.mark.spec("RS-EXP-56/L1", "RS-EXP-57/L1", "RS-EXP-58/L1", "RS-EXP-60/L1", "RS-EXP-61/L1")
@pytest.mark.spec("RS-EXP-56", "RS-EXP-57", "RS-EXP-58", "RS-EXP-60", "RS-EXP-61")
@pytest.mark.spec("RS-EXP-63", "RS-EXP-64", "RS-EXP-63/L1", "RS-EXP-64/L1")
@pytest.mark.slow(but=1)
@law(
    given_=grouped(),
    more=graded,
    k=depths,
    beta=betas,
    stopping=populations,
    q_measure=once,
    ncu=once,
    o_measure=once,
    p_measure=once,
    p_plus=once,
    ebr=once,
    irbu=once,
)
def test_the_expectation_is_the_mean_over_all_orders(rs, *, given_, more, k, beta, stopping):
    groups, labels, scores = given_
    judged = labels + more
    blended = {"judged": judged, "k": k, "beta": beta}
    for name, how in {
        "q_measure": blended,
        "ncu": {**blended, "stopping": stopping, "gamma": 0.5},
        "o_measure": blended,
        "p_measure": blended,
        "p_plus": blended,
        "ebr": blended,
        "irbu": {"k": k, "phi": 0.5},
    }.items():
        metric = next(m for m in METRICS if m.function == name)
        measure = metric(**{key: x for key, x in how.items() if key != "judged"})
        every = [exactly(measure, order, judged) for order in orders(groups)]
        mean = sum(every, Fraction(0)) / len(every)
        assert getattr(rs, name)(labels, scores=scores, **how) == double(mean), name


def exactly(measure, order, judged):
    ranking = Ranking.settled(order, judged)
    return Fraction(measure.metric.plain(measure, ranking, measure.depth_of(ranking), RATIONALS))


def items(group):
    return [Item(min(x, 1), Fraction(x), Fraction(x * x), x) for x in group]


@pytest.mark.spec("RS-EXP-55", "RS-EXP-55/L1")
@given(given_=grouped(), more=graded, k=depths, beta=betas, gamma=shares)
def test_expected_utility_is_the_mean_over_all_orders(given_, more, k, beta, gamma):
    groups, labels, _ = given_
    I = [Fraction(x) for x in falling(labels + more)]  # noqa: E741
    for share, weight in ((gamma, lambda x: Fraction(min(x, 1))), (1, lambda x: Fraction(x * x))):

        def one(order, share=share, weight=weight):
            w = [weight(x) for x in order]
            return ncu([Fraction(x) for x in order], w, I, k, beta, share, Fraction(1))

        every = [one(order) for order in orders(groups)]
        tied = [[Item(min(x, 1), Fraction(x), weight(x), x) for x in T] for T in groups]
        value = expected_utility(tied, I, k, beta, share)
        assert value == sum(every) / len(every)
        if len(set(every)) > 1:  # the control
            assert value not in (min(every), max(every))


@pytest.mark.spec("RS-UTL-4")
@given(w=st.lists(shares, max_size=6), gamma=shares)
def test_all_users(w, gamma):
    assert all_users(list(map(Fraction, w)), 1) == sum(map(Fraction, w))
    powers = [Fraction(gamma) ** c for c in range(len(w))]
    if gamma < 1:
        assert all_users([Fraction(1)] * len(w), gamma) == sum(powers)


@pytest.mark.spec("RS-EXP-59", "RS-EXP-59/L1")
@given(given_=grouped(), k=depths)
@example(given_=([[1], [3, 2, 2]], [1, 3, 2, 2], [0, -1, -1, -1]), k=2)
def test_where_the_preferred_rank_is(given_, k):
    groups, _, _ = given_
    every = orders(groups)
    found = list(preferred([items(T) for T in groups], k))
    shown = Fraction(sum(any(order[:k]) for order in every), len(every))
    shares = [x.P * sum(islice(first_relevant(x.n, x.c), x.m), Fraction(0)) for x in found]
    assert sum(shares, Fraction(0)) == shown
    for x, share in zip(found, shares, strict=True):
        highest = [o for o in every if any(o[:k]) and max(o[:k]) == x.g]
        assert share == Fraction(len(highest), len(every))
        assert all(x.s < o.index(x.g) + 1 <= x.s + x.m for o in highest)


@pytest.mark.spec("RS-EXP-62", "RS-EXP-62/L1")
@given(pairs=st.lists(st.tuples(shares, st.integers(0, 3)), min_size=1, max_size=5))
def test_means_of_products_and_sums(pairs):
    q, v = ([Fraction(x) for x in side] for side in zip(*pairs, strict=True))
    n = len(q)
    a, b, c = means_of_sums(q, v, n)
    for j in range(n + 1):
        sets = list(combinations(range(n), j))
        products = [prod((q[i] for i in some), start=Fraction(1)) for some in sets]
        assert a[j] == sum(products) / len(sets)
        sums = [sum((v[i] for i in some), Fraction(0)) for some in sets]
        both = [x * y for x, y in zip(products, sums, strict=True)]
        assert b[j] == sum(both) / len(sets)
        if j < n:
            next_ones = [
                x * v[i] for some, x in zip(sets, products, strict=True)
                for i in range(n) if i not in some
            ]  # fmt: skip
            assert c[j] == sum(next_ones) / len(next_ones)
    if n == 2 and q[0] != q[1] and v[0] != v[1]:  # the control: not the product of the means
        assert b[1] != a[1] * sum(v) / n
