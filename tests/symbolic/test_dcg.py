"""The laws of cumulated gain, derived from the reference's own functions.

Gains and discounts are symbols. Where an order is claimed, gains are written as sums of steps
ε >= 0 (a higher label, no lower gain) and discounts as sums of steps δ >= 0 (a later rank, no
higher discount): a difference without negative coefficients is then never negative.
"""

from __future__ import annotations

from itertools import combinations, permutations, product

import pytest
import sympy

from rankspec import symbolic
from rankspec.compute.gain import Discount, Gain
from rankspec.reference.dcg import cg, dcg, idcg, ndcg
from rankspec.reference.gain import discount_jarvelin_2008, discount_log, discount_none, gain_exp2

from .proof import SYMBOLS, equal, nonnegative, symbols

N = 4
c, t = symbols("c t")
gains = symbols(f"g1:{N + 2}")
weights = symbols(f"d1:{N + 2}")
eps = symbols(f"epsilon:{N}")
delta = symbols(f"delta1:{N + 1}")


def d(i):
    """An arbitrary discount."""
    return weights[i - 1]


def g(x):
    """Labels are their own gains."""
    return x


def rising(label):
    """A gain that does not fall with the label."""
    return sum(eps[: label + 1])


def falling(i):
    """A discount that does not rise with the rank, down to 0 after rank N."""
    return sum(delta[i - 1 :])


def up_to(k):
    """The discount d, counted as 0 beyond k."""
    return lambda i: d(i) if i <= k else 0


@pytest.mark.spec("RS-DCG-1/L1")
def test_cg_is_free_of_the_order():
    for k in range(1, N + 1):
        for order in permutations(gains[:k]):
            assert cg([*order, *gains[k:N]], k, g) == cg(gains[:N], k, g)
    assert cg([gains[1], gains[0]], 1, g) != cg(gains[:2], 1, g)  # control


@pytest.mark.spec("RS-DCG-1/L2")
def test_cg_steps():
    for k in range(1, N):
        step = cg(gains[:N], k + 1, g) - cg(gains[:N], k, g)
        assert step == gains[k]
        assert step != gains[k - 1]  # control


@pytest.mark.spec("RS-DCG-2/L2")
def test_swap_difference():
    r = gains[:N]
    for k, (i, j) in product(range(1, N + 2), combinations(range(1, N + 1), 2)):
        swapped = list(r)
        swapped[i - 1], swapped[j - 1] = r[j - 1], r[i - 1]
        change = dcg(swapped, k, g, d) - dcg(r, k, g, d)
        law = (r[j - 1] - r[i - 1]) * (up_to(k)(i) - up_to(k)(j))
        assert equal(change, law)
        if i <= k:
            assert not equal(change, -law)  # control
    change = dcg(list(reversed(r)), 2, g, d) - dcg(r, 2, g, d)
    assert not equal(change, (r[-1] - r[0]) * (d(1) - d(N)))  # control: not one swap, and k < N


@pytest.mark.spec("RS-DCG-2/L3")
def test_upgrade_difference():
    r, better = gains[:N], gains[N]
    for i in range(1, N + 1):
        upgraded = [*r[: i - 1], better, *r[i:]]
        change = dcg(upgraded, N, g, d) - dcg(r, N, g, d)
        assert equal(change, (better - r[i - 1]) * d(i))
        assert not equal(change, better * d(i))  # control


@pytest.mark.spec("RS-DCG-2/L4")
def test_items_of_gain_zero_at_the_end_change_nothing():
    r = gains[:2]
    assert dcg([*r, 0, 0], 4, g, d) == dcg(r, 4, g, d) == dcg(r, 2, g, d)
    assert dcg([*r[:1], 0, *r[1:]], 4, g, d) != dcg(r, 4, g, d)  # control: not at the end


@pytest.mark.spec("RS-DCG-2")
def test_dcg_of_log_discount_changes_base_by_a_factor():
    def of_base(base):
        return dcg(gains[:N], N, g, lambda i: discount_log(i, base, SYMBOLS))

    assert equal(of_base(1 + t), SYMBOLS.log(1 + t, 2) * of_base(2))
    assert not equal(of_base(1 + t), of_base(2))  # control


@pytest.mark.spec("RS-DCG-2/L1", "RS-DCG-5/L1")
def test_no_order_has_more_than_the_ideal():
    """For all labels 0 to 3, every gain, every discount, every selection of the pool, every k."""
    pool = [0, 1, 2, 3]
    for k, n in product(range(1, N + 1), range(N + 1)):
        best = idcg(pool, k, rising, falling)
        for r in permutations(pool, n):
            assert nonnegative(best - dcg(r, k, rising, falling), *eps, *delta)
    # Controls: the worst order does have less, and the order by falling label is what attains it.
    assert not nonnegative(dcg(pool, N, rising, falling) - best, *eps, *delta)
    assert dcg([3, 2, 1, 0], N, rising, falling) == best


@pytest.mark.spec("RS-DCG-5/L2", "RS-DCG-5/L3")
def test_a_larger_pool_a_higher_label_or_a_deeper_cut_never_lowers_the_ideal():
    pools = [pool for n in range(N) for pool in combinations(range(N), n)]
    for pool, k in product(pools, range(1, N + 1)):
        ideal = idcg(pool, k, rising, falling)
        for label in range(N):
            assert nonnegative(idcg([*pool, label], k, rising, falling) - ideal, *eps, *delta)
        for j in range(len(pool)):
            raised = [*pool[:j], N - 1, *pool[j + 1 :]]
            assert nonnegative(idcg(raised, k, rising, falling) - ideal, *eps, *delta)
        if k > 1:
            less = idcg(pool, k - 1, rising, falling)
            assert nonnegative(ideal - less, *eps, *delta)
            assert (ideal == less) or k <= len(pool)
    fewer = idcg([3], 2, rising, falling) - idcg([3, 1], 2, rising, falling)
    assert not nonnegative(fewer, *eps, *delta)  # control


def ndcg_of_base(discount, base):
    """nDCG of a list with exponential gain and symbolic labels, by one ideal order."""
    labels = symbols("r1:4")
    r, J = labels, [labels[1], labels[0], labels[2]]  # for labels with r2 >= r1 >= r3

    def by(R):
        return dcg(R, 3, lambda x: gain_exp2(x, SYMBOLS), lambda i: discount(i, base, SYMBOLS))

    return by(r) / by(J)


@pytest.mark.spec("RS-DCG-6/L4", "RS-DISC-1/L2")
def test_ndcg_of_log_discount_is_free_of_the_base():
    assert equal(ndcg_of_base(discount_log, 1 + t), ndcg_of_base(discount_log, 2))


@pytest.mark.spec("RS-DCG-6", "RS-DISC-2/L3")
def test_ndcg_of_jarvelin_2008_is_not():
    """The control of the test above: the same procedure rejects the other discount."""
    free = equal(
        ndcg_of_base(discount_jarvelin_2008, 1 + t), ndcg_of_base(discount_jarvelin_2008, 2)
    )
    assert not free


@pytest.mark.spec("RS-DCG-6", "RS-DISC-1/L2")
@pytest.mark.slow(but=2)
@pytest.mark.parametrize("labels", [[0, 1], [1, 0, 2], [3, 2, 3, 0, 1, 2]])
def test_ndcg_function_is_free_of_a_symbolic_base(labels):
    value = symbolic.ndcg(labels, discount=Discount("log", b=1 + t), gain="exp2")
    assert equal(value, symbolic.ndcg(labels, gain="exp2"))
    assert not equal(value, symbolic.ndcg(labels, discount="zipf", gain="exp2"))  # control


@pytest.mark.spec("RS-DCG-6/L4", "RS-GAIN-1/L2", "RS-GAIN-3/L2")
def test_ndcg_is_free_of_a_factor_of_gains_or_discounts():
    r, J = [1, 3, 0], [3, 2, 1]

    def table(x):
        return gains[x]

    value = ndcg(r, J, 3, table, d)
    assert equal(ndcg(r, J, 3, lambda x: c * table(x), d), value)
    assert equal(ndcg(r, J, 3, table, lambda i: c * d(i)), value)
    assert not equal(ndcg(r, J, 3, lambda x: c + table(x), d), value)  # control
    assert not equal(ndcg(r, J, 3, table, lambda i: c + d(i)), value)  # control


@pytest.mark.spec("RS-DCG-6/L1", "RS-DCG-6/L2")
def test_the_shortfall_of_a_list_is_a_sum_over_its_cumulated_gains():
    """Abel's summation: IDCG - DCG = Σ (ideal CG@i - CG@i) (d(i) - d(i+1)), with d(k+1) = 0."""
    labels = [0, 1, 1, 3]
    ideal = sorted(labels, reverse=True)
    for k, r in product(range(1, N + 1), set(permutations(labels))):
        shortfall = idcg(labels, k, rising, falling) - dcg(r, k, rising, falling)
        by_steps = sum(
            (cg(ideal, i, rising) - cg(r, i, rising))
            * (falling(i) - (falling(i + 1) if i < k else 0))
            for i in range(1, k + 1)
        )
        assert equal(shortfall, by_steps)
        # Hence with strictly falling discounts it is 0 only where each gain is the ideal one.
        zero = sympy.expand(shortfall) == 0
        assert zero == (list(r[:k]) == ideal[:k])
    assert not equal(shortfall, by_steps + eps[0] * delta[0])  # control


@pytest.mark.spec("RS-DCG-6/L3")
def test_a_swap_or_an_upgrade_never_lowers_ndcg():
    """The numerator alone changes, and by what has no negative coefficient."""
    J = [3, 2, 1, 0]
    for r in permutations(J):
        for i, j in combinations(range(N), 2):
            if r[j] > r[i]:
                moved = list(r)
                moved[i], moved[j] = r[j], r[i]
                rise = dcg(moved, N, rising, falling) - dcg(r, N, rising, falling)
                assert nonnegative(rise, *eps, *delta)
                assert not nonnegative(-rise, *eps, *delta)  # control
        raised = [*r[:2], 3, *r[3:]]
        rise = dcg(raised, N, rising, falling) - dcg(r, N, rising, falling)
        assert nonnegative(rise, *eps, *delta)


@pytest.mark.spec("RS-DCG-6/L3")
def test_raising_a_label_of_list_and_pool_can_lower_ndcg():
    before, after = symbolic.ndcg([1, 0]), symbolic.ndcg([1, 2])
    assert before == 1
    assert after < 1


@pytest.mark.spec("RS-DCG-7", "RS-DCG-7/L1", "RS-DCG-7/L2", "RS-DCG-7/L3")
def test_ndcg_over_the_whole_ideal():
    """The pool's gains are numbers, so that they have an order; the list's and d are symbols."""
    r, J = gains[:N], [1, 3, 0, 2]
    whole = idcg(J, N, g, d)
    assert equal(whole, 3 * d(1) + 2 * d(2) + d(3))
    for k in range(1, N + 2):
        value = ndcg(r, J, k, g, d, "all")
        assert equal(value, dcg(r, k, g, d) / whole)
        assert equal(value, ndcg(r, J, k, g, d, "k") * idcg(J, k, g, d) / whole)
        nothing_below = k >= 3  # the fourth of the pool has no gain
        assert equal(value, ndcg(r, J, k, g, d, "k")) == nothing_below  # else a control
        if k < N:
            step = ndcg(r, J, k + 1, g, d, "all") - value
            assert equal(step, r[k] * d(k + 1) / whole)
            assert not equal(step, r[k - 1] * d(k) / whole)  # control


@pytest.mark.spec("RS-DISC-6/L1")
def test_dcg_without_a_discount_is_cg():
    value = dcg(gains[:N], 3, g, lambda i: discount_none(i, SYMBOLS))
    assert equal(value, cg(gains[:N], 3, g))
    assert not equal(value, dcg(gains[:N], 3, g, d))  # control


@pytest.mark.spec("RS-DISC-6/L2")
def test_the_order_is_lost_without_a_discount():
    for r in permutations([0, 1, 3]):
        assert ndcg(r, r, 3, lambda x: gains[x], lambda _: 1) == 1
    assert ndcg([0, 1, 3], [0, 1, 3], 3, lambda x: gains[x], d) != 1  # control


@pytest.mark.spec("RS-GAIN-3/L1")
def test_tables_that_stand_for_the_other_gains():
    labels = [2, 0, 3, 1]
    linear, exponential = Gain("table", (0, 1, 2, 3)), Gain("table", (0, 1, 3, 7))
    assert symbolic.ndcg(labels, gain=linear) == symbolic.ndcg(labels, gain="linear")
    assert symbolic.ndcg(labels, gain=exponential) == symbolic.ndcg(labels, gain="exp2")
    assert symbolic.ndcg(labels, gain=linear) != symbolic.ndcg(labels, gain="exp2")  # control


@pytest.mark.spec("RS-DISC-4/L2")
def test_dcg_of_one_relevant_item_with_zipfian_discount_is_its_reciprocal_rank():
    for i in range(6):
        labels = [0] * i + [1] + [0] * (5 - i)
        assert symbolic.dcg(labels, discount="zipf") == symbolic.rr(labels)
        assert symbolic.ndcg(labels, discount="zipf") == symbolic.rr(labels)
    assert symbolic.dcg([1, 1], discount="zipf") != symbolic.rr([1, 1])  # control


@pytest.mark.spec("RS-DCG-2", "RS-DCG-6")
def test_closed_forms_of_short_lists():
    log = sympy.log
    x, y = symbols("x y")
    assert equal(symbolic.dcg([x, y]), x + y * log(2) / log(3))
    assert equal(symbolic.dcg([x, y], gain="exp2"), 2**x - 1 + (2**y - 1) * log(2) / log(3))
    assert equal(symbolic.ndcg([0, 1]), log(2) / log(3))
    assert equal(symbolic.ndcg([1, 2, 0], gain="exp2"), (log(3) + 3 * log(2)) / log(54))
    assert not equal(symbolic.ndcg([0, 1]), log(3) / log(4))  # control
