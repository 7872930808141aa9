"""The closed forms of expectations, derived from the reference's own functions.

Wherever the equations admit it, gains, discounts, indicators, ranks and counts are symbols.
The mean over all orders (RS-EXP-1) is the reference's ``expectation``.
"""

from __future__ import annotations

from itertools import combinations

import pytest
import sympy

from rankspec.reference.dcg import cg, dcg, ndcg
from rankspec.reference.expectation import (
    expectation,
    expected_ap,
    expected_dcg,
    expected_hits,
    expected_ndcg,
    expected_precision,
    expected_recall,
    expected_rr,
    expected_sp,
    expected_sp_of_group,
)
from rankspec.reference.precision import precision, recall, sp

from .proof import SYMBOLS, equal, symbols

N = 4
x = symbols(f"x1:{N + 1}")  # gains, or relevance indicators
w = symbols(f"d1:{N + 1}")
n, r, s, c, N_p = symbols("n r s c N_p")


def g(label):
    return label


def d(i):
    return w[i - 1]


def compositions(size):
    """The ways to cut that many items into groups: (2, 1, 1), (1, 3), ..."""
    if size == 0:
        yield ()
    for first in range(1, size + 1):
        for rest in compositions(size - first):
            yield (first, *rest)


def grouped(items, sizes):
    items = iter(items)
    return [[next(items) for _ in range(size)] for size in sizes]


cases = pytest.mark.parametrize(
    ("groups", "k"),
    [
        pytest.param(grouped(x, sizes), k, id=f"{'-'.join(map(str, sizes))}@{k}")
        for size in (1, 2, 3, N)
        for sizes in compositions(size)
        for k in range(1, size + 2)
        if k <= N
    ],
)


def H(j):
    return sympy.harmonic(j)


@cases
@pytest.mark.spec("RS-EXP-2/L1")
def test_expected_dcg_is_the_mean_over_all_orders(groups, k):
    mean = expectation(lambda r: dcg(r, k, g, d), groups)
    value = expected_dcg(groups, k, g, d)
    assert equal(value, mean)
    assert not equal(value, mean + w[0] * x[0])  # control


@cases
@pytest.mark.spec("RS-EXP-3/L1")
def test_expected_ndcg_is_the_mean_over_all_orders(groups, k):
    J = [3, 2, 0, 1]  # the pool's gains; the list's stay symbols
    for cut in ("k", "all"):
        mean = expectation(lambda r, cut=cut: ndcg(r, J, k, g, d, cut), groups)
        value = expected_ndcg(groups, J, k, g, d, cut)
        assert equal(value, mean)
        assert not equal(value, 2 * mean)  # control


@cases
@pytest.mark.spec("RS-EXP-4/L1", "RS-EXP-5/L1", "RS-EXP-6/L1")
def test_expected_counts_are_the_mean_over_all_orders(groups, k):
    hits = expectation(lambda R: cg(R, k, g), groups)
    assert equal(expected_hits(groups, k, SYMBOLS), hits)
    mean = expectation(lambda R: precision(R, k, SYMBOLS), groups)
    assert equal(expected_precision(groups, k, SYMBOLS), mean)
    mean = expectation(lambda R: recall(R, N_p, k, SYMBOLS), groups)
    assert equal(expected_recall(groups, N_p, k, SYMBOLS), mean)
    assert not equal(expected_recall(groups, N_p, k, SYMBOLS), hits / k**2)  # control


@pytest.mark.spec("RS-EXP-4/L2")
def test_expected_hits_are_the_expected_cg_of_the_indicators():
    groups = [x[:1], x[1:]]
    assert equal(expected_hits(groups, 2, SYMBOLS), expected_dcg(groups, 2, g, lambda _: 1))
    assert not equal(expected_hits(groups, 2, SYMBOLS), expected_dcg(groups, 2, g, d))  # control


@pytest.mark.spec("RS-EXP-2/L2", "RS-EXP-2/L3")
def test_expected_dcg_all_tied_and_of_the_whole_list():
    for k in range(1, N + 1):
        value = expected_dcg([x], k, g, d)
        assert equal(value, sum(x) / N * sum(w[:k]))
        assert not equal(value, sum(x) * sum(w[:k]))  # control
    for sizes in compositions(N):
        assert equal(expected_dcg(grouped(x, sizes), N, g, lambda _: 1), cg(x, N, g))
    assert not equal(expected_dcg([x], N - 1, g, lambda _: 1), cg(x, N - 1, g))  # control


@pytest.mark.spec("RS-EXP-3/L3")
def test_expected_ndcg_of_equal_labels_is_one():
    for k in range(1, N + 1):
        assert equal(expected_ndcg([[7] * N], [7] * N, k, g, d), 1)
    assert not equal(expected_ndcg([[7, 7, 0]], [7, 7, 0], 1, g, d), 1)  # control


@pytest.mark.spec("RS-EXP-5/L2", "RS-EXP-6/L2")
def test_expected_precision_and_recall_all_tied():
    for k in range(1, N + 1):
        value = expected_precision([x], k, SYMBOLS)
        assert equal(value, sum(x) / N)
        assert equal(expected_recall([x], sum(x), k, SYMBOLS), sympy.Rational(k, N))
    assert not equal(value, sum(x) / N / N)  # control


# Reciprocal rank.


def first_relevant(n, r):
    """RS-EXP-7/L2, with symbols or numbers."""
    return r * (H(n) - H(r - 1)) / (n - r + 1)


@pytest.mark.spec("RS-EXP-7/L2", "RS-EXP-7/L3")
def test_expected_rr_all_tied():
    for size in range(1, 13):
        for relevant in range(1, size + 1):
            group = [1] * relevant + [0] * (size - relevant)
            value = expected_rr([group], size - relevant + 1, SYMBOLS)
            assert equal(value, first_relevant(size, relevant))
            assert equal(expected_rr([group], 2 * size, SYMBOLS), value)
        for k in range(1, size + 1):
            value = expected_rr([[1] + [0] * (size - 1)], k, SYMBOLS)
            assert equal(value, H(k) / size)
    assert not equal(value, H(k) / (size + 1))  # control


@pytest.mark.spec("RS-EXP-7/L2")
def test_the_closed_form_of_expected_rr_satisfies_the_recursion_of_its_sum():
    """S(n, r) = Σ_j C(n-j, r-1)/j obeys Pascal's rule, S(n, r) = S(n-1, r) + S(n-1, r-1) for
    r >= 2 (the term j = n of the left side is 0). The closed form, times C(n, r), does too."""
    h, h0 = symbols("h h0")  # H_{n-1} and H_{r-2}

    def S(ratio, n, r, h_n, h_r):
        """C(n, r) · r (H_n - H_{r-1}) / (n - r + 1), with C(n, r) as a ratio to C(n-1, r-1)."""
        return ratio * r * (h_n - h_r) / (n - r + 1)

    left = S(n / r, n, r, h + 1 / n, h0 + 1 / (r - 1))
    right = S((n - r) / r, n - 1, r, h, h0 + 1 / (r - 1)) + S(1, n - 1, r - 1, h, h0)
    assert equal(left, right)
    assert not equal(left, S((n - r) / r, n - 1, r, h, h0) + S(1, n - 1, r - 1, h, h0))  # control


# Sums of precisions.


def by_placements(size, relevant, m):
    """The group's part of SP, averaged over the placements of its relevant items.

    s items are above the group, c of them relevant: both symbols.
    """
    placements = list(combinations(range(1, size + 1), relevant))
    total = sum(
        (c + sum(1 for i in chosen if i <= j)) / (s + j)
        for chosen in placements
        for j in chosen
        if j <= m
    )
    return total / sympy.Integer(len(placements))


@pytest.mark.spec("RS-EXP-8")
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_sp_of_a_group_is_the_mean_over_its_placements(size):
    for relevant in range(size + 1):
        for m in range(1, size + 1):
            value = expected_sp_of_group(s, c, size, relevant, m, SYMBOLS)
            assert equal(value, by_placements(size, relevant, m))
    assert not equal(value, by_placements(size, size - 1, m))  # control


@pytest.mark.spec("RS-EXP-8/L1", "RS-EXP-8/L2")
def test_sp_of_a_group_in_harmonic_numbers():
    """With n, r, s and c symbols. H_{s+m} - H_s is a sum of m terms."""
    q = (r - 1) / (n - 1)
    for m in range(1, 7):
        value = expected_sp_of_group(s, c, n, r, m, SYMBOLS)
        difference = sum(1 / (s + j) for j in range(1, m + 1))
        assert equal(value, r / n * ((c + 1 - (s + 1) * q) * difference + m * q))
        if m > 1:
            assert not equal(value, r / n * ((c + 1 - s * q) * difference + m * q))  # control
    single = expected_sp_of_group(s, c, 1, r, 1, SYMBOLS)
    assert equal(single, r * (c + 1) / (s + 1))
    assert not equal(single, r * c / (s + 1))  # control


def all_tied_sp(n, N_p, k):
    return N_p / (n * (n - 1)) * ((N_p - 1) * k + (n - N_p) * H(k))


@pytest.mark.spec("RS-EXP-9/L2", "RS-EXP-9/L3", "RS-ERR-5")
def test_expected_sp_all_tied():
    for k in range(1, 8):
        value = expected_sp_of_group(0, 0, n, N_p, k, SYMBOLS)
        assert equal(value, all_tied_sp(n, N_p, k))
        independent = k * (N_p / n) ** 2  # karmaker-2022
        excess = N_p * (n - N_p) / (n * (n - 1)) * (H(k) - k / n)
        assert equal(value - independent, excess)
        assert not equal(value, independent)  # control


@pytest.mark.spec("RS-EXP-9/L1", "RS-EXP-9/L2")
def test_expected_sp_is_the_mean_over_all_orders():
    for sizes in compositions(5):
        for bits in ([1, 0, 1, 1, 0], [0, 1, 0, 0, 1]):
            groups = grouped(bits, sizes)
            for k in range(1, 6):
                mean = expectation(lambda R, k=k: sp(R, k, SYMBOLS), groups)
                assert equal(expected_sp(groups, k, SYMBOLS), mean)
    assert equal(expected_sp([bits], 3, SYMBOLS), all_tied_sp(sympy.Integer(5), 2, 3))
    assert not equal(expected_sp([bits], 3, SYMBOLS), mean)  # control: that mean is of k = 5


@pytest.mark.spec("RS-EXP-10/L2")
def test_expected_ap_all_tied():
    for size in range(2, 9):
        value = expected_sp_of_group(0, 0, size, N_p, size, SYMBOLS) / N_p
        law = ((N_p - 1) * size + (size - N_p) * H(size)) / (size * (size - 1))
        assert equal(value, law)
        for relevant in range(1, size + 1):
            group = [1] * relevant + [0] * (size - relevant)
            value = expected_ap([group], relevant, size, "R", SYMBOLS)
            assert equal(value, law.subs(N_p, relevant))
            if relevant < size:
                assert not equal(value, relevant / sympy.Integer(size))  # control
