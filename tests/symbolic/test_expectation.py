"""The closed forms of expectations, derived from the reference's own functions.

Wherever the equations admit it, gains, discounts, indicators, ranks and counts are symbols.
The mean over all orders (RS-EXP-1) is the reference's ``expectation``.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from types import SimpleNamespace

import pytest
import sympy

from rankspec.reference import precision as equations
from rankspec.reference.cascade import (
    err,
    expected_err,
    expected_nerr,
    expected_rbp,
    expected_rbp_residual,
    nerr,
    rbp,
    rbp_residual,
)
from rankspec.reference.dcg import (
    cg,
    dcg,
    expected_dcg,
    expected_g,
    expected_ndcg,
    g_measure,
    ndcg,
    variance_of_dcg,
)
from rankspec.reference.precision import (
    auc,
    bpref,
    expected_ap,
    expected_auc,
    expected_bpref,
    expected_gap,
    expected_gsp,
    expected_hits,
    expected_infap,
    expected_precision,
    expected_preferences,
    expected_recall,
    expected_rr,
    expected_set_ap,
    expected_sp,
    expected_sp_of_group,
    expected_utility,
    gap,
    gsp,
    infap,
    precision,
    recall,
    relevance,
    rr,
    set_ap,
    sp,
    utility,
    variance_of_rr,
    variance_of_sp,
)
from rankspec.reference.ties import expectation, mean_products, variance, z_value

from ..each import each
from .proof import SYMBOLS, equal, nonnegative, symbols

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


@pytest.mark.slow(but=12)
@cases
@pytest.mark.spec("RS-EXP-2/L1")
def test_expected_dcg_is_the_mean_over_all_orders(groups, k):
    mean = expectation(lambda r: dcg(r, k, g, d), groups)
    value = expected_dcg(groups, k, g, d)
    assert equal(value, mean)
    assert not equal(value, mean + w[0] * x[0])  # control


@pytest.mark.slow(but=12)
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


@pytest.mark.slow
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


@pytest.mark.slow
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


# ERR, nERR, RBP and GAP. Labels are their own probabilities to stop.


def same(a, b) -> bool:
    """Whether two polynomials are the same."""
    return sympy.expand(a - b) == 0


@pytest.mark.spec("RS-EXP-13", "RS-EXP-13/L1", "RS-EXP-13/L2", "RS-EXP-13/L4")
def test_means_of_products():
    for size in range(N + 1):
        a = mean_products(x[:size], N + 1)
        for j in range(size + 1):
            total = sum(sympy.prod(some) for some in combinations(x[:size], j))
            assert same(a[j], total / sympy.Integer(comb(size, j)))
            if size:
                mean = expectation(lambda order, j=j: sympy.prod(order[:j]), [x[:size]])
                assert same(a[j], mean)
            if j:
                assert not same(a[j], total) or comb(size, j) == 1  # control
            for x_i in x[:size]:
                assert nonnegative(sympy.diff(a[j], x_i), *x)
        assert a[size + 1 :] == [0] * (N + 1 - size)


@pytest.mark.spec("RS-EXP-13/L3")
def test_means_of_products_of_equal_numbers():
    y = symbols("y")[0]
    for size in range(1, 8):
        for many in range(size + 1):
            a = mean_products([y] * many + [1] * (size - many), size)
            for j in range(size + 1):
                drawn = sum(y**h * comb(many, h) * comb(size - many, j - h) for h in range(j + 1))
                assert same(a[j], drawn / sympy.Integer(comb(size, j)))
    assert not same(a[1], 1)  # control


@pytest.mark.slow(but=12)
@cases
@pytest.mark.spec("RS-EXP-14/L1")
def test_expected_err_is_the_mean_over_all_orders(groups, k):
    mean = expectation(lambda r: err(r, k, g), groups)
    value = expected_err(groups, k, g)
    assert same(value, mean)
    assert not same(value, mean + x[0])  # control


@pytest.mark.spec("RS-EXP-15/L1", "RS-EXP-15/L2")
def test_expected_nerr_is_the_mean_over_all_orders():
    stop = {0: 0, 1: x[0], 2: x[1]}.get
    groups, J = [[1, 0], [2, 1]], [2, 1, 0]
    for k in range(1, 6):
        mean = expectation(lambda r, k=k: nerr(r, J, k, stop), groups)
        value = expected_nerr(groups, J, k, stop)
        assert equal(value, mean)
        third = {2: sympy.Rational(1, 3)}.get
        assert expected_nerr([[2] * 3], [2] * 3, k, third) == 1
    assert not equal(value, 2 * mean)  # control


@pytest.mark.spec("RS-EXP-14/L2", "RS-EXP-14/L3")
@each("size", range(1, 7), fast=3)
def test_expected_err_all_tied(size):
    rho = symbols("rho")[0]
    for k in range(1, size + 1):
        law = sum(rho * (1 - rho) ** (i - 1) / i for i in range(1, k + 1))
        assert same(expected_err([[rho] * size], k, g), law)
        for relevant in range(size + 1):
            group = [rho] * relevant + [0] * (size - relevant)
            law = sum(
                rho
                * (1 - rho) ** h
                * sympy.Rational(h + 1, i * i * comb(size, i))
                * comb(relevant, h + 1)
                * comb(size - relevant, i - h - 1)
                for i in range(1, k + 1)
                for h in range(i)
            )
            assert same(expected_err([group], k, g), law)
    assert not same(expected_err([[rho, 0]], 2, g), law)  # control


@pytest.mark.spec("RS-EXP-14/L4")
def test_expected_err_of_users_who_stop_at_once_is_expected_rr():
    for sizes in compositions(5):
        for bits in ([1, 0, 1, 1, 0], [0, 1, 0, 0, 1]):
            groups = grouped(bits, sizes)
            for k in range(1, 6):
                value = expected_err(groups, k, sympy.Integer)
                assert equal(value, expected_rr(groups, k, SYMBOLS))
    assert not equal(value, expected_rr(groups, 1, SYMBOLS))  # control


@pytest.mark.slow(but=12)
@cases
@pytest.mark.spec("RS-EXP-16/L1", "RS-EXP-16/L2", "RS-EXP-16/L3")
def test_expected_rbp_is_the_mean_over_all_orders(groups, k):
    p = symbols("p")[0]
    mean = expectation(lambda R: rbp(R, k, p, SYMBOLS), groups)
    value = expected_rbp(groups, k, p, SYMBOLS)
    assert same(value, mean)
    assert not same(value, mean + x[0])  # control
    residual = expectation(lambda U: rbp_residual(U, k, p, SYMBOLS), groups)
    assert same(expected_rbp_residual(groups, k, p, SYMBOLS), residual)
    s, powers = 0, sympy.Integer(0)
    for group in groups:
        m = min(len(group), max(0, k - s))
        powers += sum(group) / sympy.Integer(len(group)) * p**s * (1 - p**m)
        s += len(group)
    assert same(value, powers)


@pytest.mark.spec("RS-EXP-17/L1", "RS-EXP-17/L2", "RS-EXP-18/L1", "RS-EXP-18/L2")
def test_expected_gap_is_the_mean_over_all_orders():
    q, J = symbols("q1:4"), [3, 1, 0, 2, 2]
    for sizes in compositions(4):
        groups = grouped([2, 0, 3, 1], sizes)
        for k in range(1, 5):
            mean = expectation(lambda r, k=k: gsp(r, k, q, SYMBOLS), groups)
            value = expected_gsp(groups, k, q, SYMBOLS)
            assert same(value, mean)
            divisor = sum(q_j * sum(x >= j for x in J) for j, q_j in enumerate(q, start=1))
            assert equal(expected_gap(groups, J, k, q, SYMBOLS), mean / divisor)
            by_ap = sum(
                q_j * sum(x >= j for x in J) * expected_ap(
                    [relevance(group, j) for group in groups], sum(x >= j for x in J), k, "R",
                    SYMBOLS,
                )
                for j, q_j in enumerate(q, start=1)
            )  # fmt: skip
            assert same(value, by_ap)
    mean = expectation(lambda r: gap(r, J, 3, q, SYMBOLS), groups)
    assert equal(expected_gap(groups, J, 3, q, SYMBOLS), mean)
    assert not equal(expected_gap(groups, J, 2, q, SYMBOLS), mean)  # control
    for k in range(1, 5):
        counts = {1: 3, 2: 2, 3: 1}
        law = sum(
            q_j * all_tied_sp(sympy.Integer(4), counts[j], k) for j, q_j in enumerate(q, start=1)
        )
        assert same(expected_gsp([[2, 0, 3, 1]], k, q, SYMBOLS), law)


# Variances.


@pytest.mark.slow
@pytest.mark.spec("RS-EXP-20/L1", "RS-EXP-20/L4")
def test_the_variance_of_dcg_is_that_over_all_orders():
    c, b = symbols("c b")
    for size in range(1, N + 1):
        for k in range(1, size + 1):
            value = variance_of_dcg(x[:size], k, g, d)
            assert same(value, variance(lambda r, k=k: dcg(r, k, g, d), x[:size]))
            assert same(variance_of_dcg(x[:size], k, lambda y: c * y + b, d), c**2 * value)
            assert same(variance_of_dcg(x[:size], k, g, lambda i: c * d(i)), c**2 * value)
    assert not same(value, variance_of_dcg(x, N - 1, g, d))  # control


@pytest.mark.spec("RS-EXP-20/L2", "RS-EXP-20/L3")
def test_the_variance_of_dcg_as_a_sum_of_squares():
    """n Σ d² - (Σ d)² = Σ_{i<j} (d_i - d_j)² + (n - K) Σ d²: 0 only where L2 says so."""
    for K in range(1, N + 1):
        squares = sum(d_i**2 for d_i in w[:K])
        pairs = sum((a - b) ** 2 for a, b in combinations(w[:K], 2))
        assert same(n * squares - sum(w[:K]) ** 2, pairs + (n - K) * squares)
    for size in range(2, 9):
        for relevant in range(size + 1):
            R = [sympy.Integer(1)] * relevant + [sympy.Integer(0)] * (size - relevant)
            for k in range(1, size + 1):
                value = variance_of_dcg(R, k, g, lambda _: sympy.Integer(1))
                law = sympy.Rational(
                    relevant * (size - relevant) * k * (size - k), size**2 * (size - 1)
                )
                assert value == law
    assert variance_of_dcg([1, 0, sympy.Integer(0)], 1, g, d) != 0  # control


def A(K, H1, H2):
    """The sums A_1, ..., A_4 of RS-EXP-21, in K and its harmonic numbers."""
    return [
        H2,
        2 * H1**2 + 3 * H1 - 5 * H2,
        2 * K * H1 + 5 * K - 9 * H1 - 5 * H1**2 + 7 * H2,
        K**2 - 2 * K * H1 + 3 * H1**2 - 5 * K + 6 * H1 - 3 * H2,
    ]


def harmonic(K):
    return tuple(sympy.Add(*(sympy.Rational(1, j**e) for j in range(1, K + 1))) for e in (1, 2))


@pytest.mark.spec("RS-EXP-21/L1", "RS-EXP-21")
@pytest.mark.parametrize("K", range(9))
def test_the_square_of_sp_by_the_number_of_its_indicators(K):
    """All terms of the square, gone through: by how many different indicators they have."""
    terms = [(i, j) for j in range(1, K + 1) for i in range(1, j + 1)]
    sums = dict.fromkeys((1, 2, 3, 4), sympy.Integer(0))
    for i, j in terms:
        for h, m in terms:
            sums[len({i, j, h, m})] += sympy.Rational(1, j * m)
    assert list(sums.values()) == A(K, *harmonic(K))
    assert sum(sums.values()) == K**2  # L3
    assert K < 2 or list(sums.values()) != A(K - 1, *harmonic(K - 1))  # control


@pytest.mark.slow
@pytest.mark.spec("RS-EXP-21/L2", "RS-EXP-21/L3")
def test_the_sums_of_the_variance_of_sp_by_induction():
    """For every K: they are 0 for K = 0, and each step is what rank K + 1 adds."""
    K, h1, h2 = symbols("K h1 h2")
    assert A(0, 0, 0) == [0, 0, 0, 0]
    y = K + 1
    steps = [
        1 / y**2,
        3 * K / y**2 + 4 * h1 / y,
        K * (K - 1) / y**2 + 2 * ((K - 1) * h1 + 3 * (K - h1)) / y,
        2 * (K - 2) * (K - h1) / y,
    ]
    after, before = A(y, h1 + 1 / y, h2 + 1 / y**2), A(K, h1, h2)
    for later, earlier, step in zip(after, before, steps, strict=True):
        assert sympy.simplify(later - earlier - step) == 0
        assert sympy.simplify(later - earlier - 2 * step) != 0  # control
    assert sympy.expand(sum(before)) == K**2


@pytest.mark.spec("RS-EXP-21/L2")
@pytest.mark.parametrize("K", range(7))
def test_what_a_rank_adds_to_the_square_of_sp(K):
    """The steps of the induction, term by term, for so many ranks above."""
    terms = [(i, j) for j in range(1, K + 1) for i in range(1, j + 1)]
    y, sums = K + 1, [sympy.Integer(0)] * 5
    above = [(), *((i,) for i in range(1, K + 1))]  # 1 + S, its terms
    for a in above:
        for b in above:
            sums[len({y, *a, *b})] += sympy.Rational(1, y * y)
        for i, j in terms:
            sums[len({y, *a, i, j})] += sympy.Rational(2, y * j)
    h1, _ = harmonic(K)
    assert sums[1:] == [
        sympy.Rational(1, y**2),
        sympy.Rational(3 * K, y**2) + 4 * h1 / y,
        sympy.Rational(K * (K - 1), y**2) + 2 * ((K - 1) * h1 + 3 * (K - h1)) / y,
        2 * (K - 2) * (K - h1) / y,
    ]


def placements(size, relevant):
    """Each ranking of so many relevant items among so many."""
    for chosen in combinations(range(size), relevant):
        yield [int(i in chosen) for i in range(size)]


@pytest.mark.spec("RS-EXP-21/L1", "RS-EXP-21/L4", "RS-EXP-22/L1", "RS-EXP-22/L2")
@pytest.mark.parametrize("size", range(1, 9))
def test_variances_of_sp_and_rr_are_those_over_all_placements(size):
    def spread(metric, relevant, k):
        found = [metric(R, k, SYMBOLS) for R in placements(size, relevant)]
        mean = sum(found) / len(found)
        return sum((y - mean) ** 2 for y in found) / len(found)

    for relevant in range(size + 1):
        for k in {1, 2, 3, size, size + 2}:
            assert variance_of_sp(relevant, size, k, SYMBOLS) == spread(sp, relevant, k)
            assert variance_of_rr(relevant, size, k, SYMBOLS) == spread(rr, relevant, k)
    for k in range(1, size + 1):
        h1, h2 = harmonic(k)
        law = h2 / size - (h1 / size) ** 2
        assert variance_of_sp(1, size, k, SYMBOLS) == variance_of_rr(1, size, k, SYMBOLS) == law
        assert size == 1 or law != h2 / size  # control


@pytest.mark.spec("RS-EXP-23/L1", "RS-EXP-23/L3")
@each("x", [x[:3], x[:2], x], fast=1)
def test_z_values_have_the_mean_0_and_the_mean_square_1(x):
    c, b = symbols("c b")
    mean = sum(x) / len(x)
    spread = sum((x_i - mean) ** 2 for x_i in x) / len(x)
    z = [z_value(x_i, mean, spread, SYMBOLS) for x_i in x]
    assert equal(sum(z), 0)
    assert equal(sum(y**2 for y in z) / len(z), 1)
    assert not equal(sum(y**2 for y in z), 1)  # control
    for x_i, y in zip(x, z, strict=True):
        assert equal(z_value(c * x_i + b, c * mean + b, c**2 * spread, SYMBOLS), y)


# Metrics of counts, whose counts and weights are symbols where the equations admit it.


JUDGED = ([1, 0, 1, 0], [0, 1, None, 1], [1, None, 0, 0])  # None: nobody has judged the item


def cut_groups(lists):
    """Each list, cut into groups in each way, at each cut-off."""
    for items in lists:
        for sizes in compositions(len(items)):
            for k in range(1, len(items) + 1):
                yield grouped(items, sizes), k


@pytest.mark.slow(but=12)
@cases
@pytest.mark.spec("RS-EXP-100/L1")
def test_expected_utility_is_the_mean_over_all_orders(groups, k):
    D, weights = symbols("D")[0], symbols("w1:5")
    mean = expectation(lambda R: utility(R, N_p, k, weights, D, SYMBOLS), groups)
    value = expected_utility(groups, N_p, k, weights, D, SYMBOLS)
    assert equal(value, mean)
    assert not equal(value, mean + weights[0] * x[0])  # control


@pytest.mark.spec("RS-EXP-31/L1")
def test_expected_set_ap_is_the_mean_over_all_orders():
    for groups, k in cut_groups([[1, 0, 1, 0], [0, 1, 1, 1]]):
        mean = expectation(lambda R, k=k: set_ap(R, N_p, k, SYMBOLS), groups)
        value = expected_set_ap(groups, N_p, k, SYMBOLS)
        assert equal(value, mean)
    assert not equal(value, 2 * mean)  # control


@pytest.mark.spec("RS-EXP-31")
def test_expected_set_ap_all_tied_is_the_square_of_a_hypergeometric_number():
    for size in range(2, 8):
        for relevant in range(1, size + 1):
            for k in range(1, size + 1):
                value = expected_set_ap([[1] * relevant + [0] * (size - relevant)], N_p, k, SYMBOLS)
                pairs = sympy.Rational((k - 1) * (relevant - 1), size - 1)
                assert equal(value, sympy.Rational(relevant, size) * (1 + pairs) / N_p)
    assert not equal(value, sympy.Rational(relevant, size) / N_p)  # control


@pytest.mark.spec("RS-EXP-26", "RS-EXP-27/L1")
def test_expected_bpref_is_the_mean_over_all_orders(monkeypatch):
    """Of any preferences, one symbol for each number of items above."""
    p = symbols("p0:5")
    monkeypatch.setattr(equations, "preference", lambda b, *_: p[b])
    for groups, k in cut_groups(JUDGED):
        mean = expectation(lambda R, k=k: bpref(R, N_p, s, k, SYMBOLS), groups)
        value = expected_bpref(groups, N_p, s, k, SYMBOLS)
        assert equal(value, mean)
        by_rank = expected_preferences(groups, N_p, s, k, SYMBOLS)
        assert equal(by_rank, mean * N_p)
    assert not equal(value, mean + p[0])  # control


@pytest.mark.spec("RS-EXP-93/L1", "RS-EXP-93/L2")
def test_expected_auc_is_the_mean_over_all_orders():
    N_n = symbols("N_n")[0]
    for groups, k in cut_groups(JUDGED):
        mean = expectation(lambda R, k=k: auc(R, N_p, N_n, k, SYMBOLS), groups)
        value = expected_auc(groups, N_p, N_n, k, SYMBOLS)
        assert equal(value, mean)
        own = [x for group in groups for x in group]
        tied = expected_auc([own], own.count(1), own.count(0), k, SYMBOLS)
        assert equal(tied, sympy.Rational(1, 2))
    assert not equal(expected_auc(groups, N_p, N_n, 1, SYMBOLS), mean)  # control


@pytest.mark.spec("RS-EXP-95/L1")
def test_expected_infap_is_the_mean_over_all_orders():
    for groups, k in cut_groups([[1, -1, 1, 0], [1, None, 1, -1], [0, 1, 1, None], [1, 1, 0, 0]]):
        mean = expectation(lambda S, k=k: infap(S, N_p, k, SYMBOLS), groups)
        value = expected_infap(groups, N_p, k, SYMBOLS)
        assert equal(value, mean)
    assert not equal(value, 2 * mean)  # control


@pytest.mark.spec("RS-EXP-84/L1")
def test_expected_g_is_the_mean_over_all_orders():
    """With a symbol for each logarithm: of any discount."""
    logs = SimpleNamespace(exact=SYMBOLS.exact, log=lambda x, _: sympy.Symbol(f"log{x}"))
    best = [3, 2, 1, 1]
    for groups, k in cut_groups([[2, 0, 3, 1], [1, 1, 0, 3]]):
        mean = expectation(lambda G, k=k: g_measure(G, best, k, logs), groups)
        value = expected_g(groups, best, k, logs)
        assert equal(value, mean)
    assert not equal(value, 2 * mean)  # control
