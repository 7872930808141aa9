"""The closed forms of the expectations of nCG, averages of nDCG and binary G, of all gains at once.

Gains and discounts are symbols, so that a closed form and the mean over all orders are equal as
rational functions. Labels are numbers, as they have an order.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from rankspec.reference.dcg import (
    bin_g,
    expected_bin_g,
    expected_ncg,
    expected_ndcg_levels,
    expected_ndcg_rel,
    gain_levels,
    ideal,
    ncg,
    ndcg_levels,
    ndcg_rel,
)
from rankspec.reference.ties import expectation

from ..each import each
from .proof import positive

names = positive("g1 g2 g3 d1 d2 d3 d4 d5")
GAINS, DISCOUNTS = [Fraction(0), *names[:3]], names[3:]
LISTS = [[[2, 1]], [[0, 2, 1]], [[1], [2, 0]], [[1, 1, 0]], [[0, 3], [1]], [[0, 1], [2, 0]]]
CASES = [(groups, k) for groups in LISTS for k in range(1, sum(map(len, groups)) + 1)]
of_every_list = each(("groups", "k"), CASES, ids=str, fast=6)


def g(label):
    return GAINS[label]


def d(i):
    return DISCOUNTS[i - 1]


def flat(groups):
    return [x for group in groups for x in group]


def pool_of(groups):
    """The list, and a document that it does not show."""
    return [*flat(groups), 2]


def relevant(labels):
    return [int(x > 0) for x in labels]


@pytest.mark.spec("RS-EXP-80", "RS-EXP-80/L1")
@of_every_list
def test_expected_ncg_is_the_mean_over_all_orders(groups, k):
    J = pool_of(groups)
    mean = expectation(lambda order: ncg(order, J, k, g), groups)
    assert expected_ncg(groups, J, k, g) == mean


@pytest.mark.spec("RS-EXP-80/L1")
def test_the_mean_is_that_of_the_gains():
    """The control: with their squares, or another pool, it is another function."""
    value = expected_ncg([[2, 1]], [2, 1], 1, g)
    assert value == (GAINS[1] + GAINS[2]) / (2 * GAINS[2])
    assert value != expected_ncg([[2, 1]], [2, 1], 1, lambda x: g(x) * g(x))
    assert value != expected_ncg([[2, 1]], [3, 2, 1], 1, g)


@pytest.mark.spec("RS-EXP-81", "RS-EXP-81/L1")
@of_every_list
def test_expected_ndcg_rel_is_the_mean_over_all_orders(groups, k):
    J = pool_of(groups)
    N_p = sum(relevant(J))
    R = [relevant(group) for group in groups]
    closed = expected_ndcg_rel(groups, R, J, k, g, d, N_p)
    assert closed == expectation(
        lambda order: ndcg_rel(order, relevant(order), J, k, g, d, N_p), groups
    )


@pytest.mark.spec("RS-EXP-82", "RS-EXP-82/L1")
@of_every_list
def test_expected_ndcg_levels_is_the_mean_over_all_orders(groups, k):
    J = pool_of(groups)
    levels = gain_levels([x > 0 for x in ideal(J)], J, g)
    mean = expectation(lambda order: ndcg_levels(order, J, k, g, d, levels), groups)
    assert expected_ndcg_levels(groups, J, k, g, d, levels) == mean


@pytest.mark.spec("RS-EXP-83", "RS-EXP-83/L1")
@of_every_list
def test_expected_binary_g_is_the_mean_over_all_orders(groups, k):
    R, N_p = [relevant(group) for group in groups], sum(relevant(pool_of(groups)))
    mean = expectation(lambda order: bin_g(order, N_p, k, d), R)
    assert expected_bin_g(R, N_p, k, d) == mean
    assert mean != expected_bin_g(R, N_p + 1, k, d)  # control
