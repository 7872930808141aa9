"""The closed forms of the expectations of graded precision and utility, of all gains at once.

Gains, β, stop values and γ are symbols, so that a closed form and the mean over all orders are
equal as rational functions. Labels are numbers, as they have an order.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, islice

import pytest

from rankspec.reference.precision import first_relevant
from rankspec.reference.ties import expectation
from rankspec.reference.utility import (
    Item,
    all_users,
    ebr,
    expected_ebr,
    expected_irbu,
    expected_ncu,
    expected_o_measure,
    expected_p_measure,
    expected_p_plus,
    expected_q_measure,
    expected_utility,
    irbu,
    means_of_sums,
    ncu,
    o_measure,
    p_measure,
    p_plus,
    preferred,
    q_measure,
    sum_of_ratios,
)

from ..each import each
from .proof import Positive, positive

beta, gamma, *symbols = positive("b c g1 g2 g3 w1 w2 w3")
GAINS = [Fraction(0), *symbols[:3]]
STOPS = [Fraction(0), *symbols[3:]]
HIDDEN = [3, 1]
"""Labels of the pool that no list shows."""


class Symbolic:
    """The reals of which some are symbols."""

    @staticmethod
    def exact(x):
        return x if isinstance(x, Positive) else Fraction(x)


REALS = Symbolic()
LISTS = [
    [[2, 1]],
    [[1, 0, 2]],
    [[1, 1, 3]],
    [[0, 0], [1, 3]],
    [[2], [0, 1]],
    [[1, 2, 0, 3]],
    [[1, 0], [2, 1]],
    [[1, 2], [3, 0, 0]],
]
CASES = [(groups, k) for groups in LISTS for k in range(1, sum(map(len, groups)) + 1)]
of_every_list = each(("groups", "k"), CASES, ids=str, fast=3)


def items_of(groups, stops=None):
    """The items of tie groups; `stops`: how many users stop at a label, 1 by default."""
    stops = stops or [Fraction(1)] * len(GAINS)
    return [[Item(int(x > 0), GAINS[x], stops[x], x) for x in group] for group in groups]


def pool_of(groups):
    labels = sorted([*HIDDEN, *(x for group in groups for x in group)], reverse=True)
    return [GAINS[x] for x in labels]


def gains_of(order):
    return [x.g for x in order]


def labels_of(order):
    return [x.label for x in order]


def stops_of(order):
    return [x.w for x in order]


@pytest.mark.spec("RS-EXP-55/L1", "RS-EXP-56", "RS-EXP-56/L1")
@of_every_list
def test_expected_q_measure_is_the_mean_over_all_orders(groups, k):
    items, pool = items_of(groups), pool_of(groups)
    total = expected_utility(items, pool, k, beta, 1, REALS)
    mean = expectation(lambda order: sum_of_ratios(gains_of(order), pool, k, beta, REALS), items)
    assert total == mean
    value = expected_q_measure(items, pool, k, beta, REALS)
    assert value == expectation(lambda o: q_measure(gains_of(o), pool, k, beta, REALS), items)
    if mean:
        assert value != expected_q_measure(items, pool, k, 1 + beta, REALS)  # control


@pytest.mark.slow
@pytest.mark.spec("RS-EXP-55/L1", "RS-EXP-57", "RS-EXP-57/L1")
@of_every_list
def test_expected_ncu_is_the_mean_over_all_orders(groups, k):
    """By stop values for each label; and by γ, of a rank-biased population."""
    pool = pool_of(groups)
    for stops, g in ((STOPS, 1), (None, gamma)):
        items = items_of(groups, stops)
        of_pool = [x.w for group in items_of([HIDDEN, *groups], stops) for x in group if x.R]
        users = all_users(of_pool, g, REALS)

        def value(order, g=g, users=users):
            return ncu(gains_of(order), stops_of(order), pool, k, beta, g, users, REALS)

        closed = expected_ncu(items, pool, k, beta, g, users, REALS)
        assert closed == expectation(value, items)


@pytest.mark.spec("RS-EXP-58", "RS-EXP-58/L1")
@of_every_list
def test_expected_o_measure_is_the_mean_over_all_orders(groups, k):
    items, pool = items_of(groups), pool_of(groups)
    mean = expectation(lambda o: o_measure(gains_of(o), pool, k, beta, REALS), items)
    assert expected_o_measure(items, pool, k, beta, REALS) == mean


@pytest.mark.spec("RS-EXP-59/L1")
@of_every_list
def test_the_preferred_rank_is_somewhere_where_a_gain_is_shown(groups, k):
    items = items_of(groups)
    total = sum(
        (
            x.P * P
            for x in preferred(items, k, REALS)
            for P in islice(first_relevant(x.n, x.c), x.m)
        ),
        Fraction(0),
    )
    assert total == expectation(lambda order: Fraction(any(x.R for x in order[:k])), items)


@pytest.mark.spec("RS-EXP-59", "RS-EXP-60", "RS-EXP-60/L1")
@of_every_list
def test_expected_p_measure_is_the_mean_over_all_orders(groups, k):
    items, pool = items_of(groups), pool_of(groups)

    def value(order):
        return p_measure(labels_of(order), gains_of(order), pool, k, beta, REALS)

    assert expected_p_measure(items, pool, k, beta, REALS) == expectation(value, items)


@pytest.mark.spec("RS-EXP-59", "RS-EXP-61", "RS-EXP-61/L1")
@of_every_list
def test_expected_p_plus_is_the_mean_over_all_orders(groups, k):
    items, pool = items_of(groups), pool_of(groups)

    def value(order):
        return p_plus(labels_of(order), gains_of(order), pool, k, beta, REALS)

    assert expected_p_plus(items, pool, k, beta, REALS) == expectation(value, items)


@pytest.mark.spec("RS-EXP-62", "RS-EXP-62/L1")
def test_means_of_products_and_of_their_sums():
    q, v = [*STOPS[1:], beta], [*GAINS[1:], gamma]
    n = len(q)
    means = means_of_sums(q, v, n - 1)
    for j in range(n):
        products, sums, following = [], [], []
        for chosen in combinations(range(n), j):
            product = Fraction(1)
            for x in chosen:
                product = product * q[x]
            products.append(product)
            sums.append(product * sum((v[x] for x in chosen), Fraction(0)))
            following += [product * v[x] for x in range(n) if x not in chosen]
        for mean, numbers in zip(
            (means.products[j], means.sums[j], means.with_next[j]),
            (products, sums, following),
            strict=True,
        ):
            assert mean == sum(numbers, Fraction(0)) / len(numbers)
    assert means.sums[1] != means.with_next[0]  # control


@pytest.mark.spec("RS-EXP-63", "RS-EXP-63/L1")
@of_every_list
def test_expected_ebr_is_the_mean_over_all_orders(groups, k):
    items, pool = items_of(groups, STOPS), pool_of(groups)
    mean = expectation(lambda o: ebr(gains_of(o), stops_of(o), pool, k, beta, REALS), items)
    assert expected_ebr(items, pool, k, beta, REALS) == mean


@pytest.mark.spec("RS-EXP-64", "RS-EXP-64/L1")
@of_every_list
def test_expected_irbu_is_the_mean_over_all_orders(groups, k):
    items = items_of(groups, [gamma, *STOPS[1:]])
    mean = expectation(lambda order: irbu(stops_of(order), k, beta, REALS), items)
    assert expected_irbu(items, k, beta, REALS) == mean
