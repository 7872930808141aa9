"""karmaker-2022: the normaliser of eq. 3, and the expectations of sections 4.3 and 4.5.

The paper's formulas stand here as it prints them; what is right is computed by going through
all orders.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import pytest

import rankspec as rs

from . import errata

BACKENDS = pytest.mark.parametrize("backend", ["c", "reference"])
SMALL = [(N_p, N_n) for N_p in range(6) for N_n in range(6) if N_p + N_n]


def relevance(N_p: int, N_n: int) -> list[int]:
    return [1] * N_p + [0] * N_n


def all_orders(N_p: int, N_n: int) -> list[list[int]]:
    n = N_p + N_n
    return [[int(i in chosen) for i in range(n)] for chosen in combinations(range(n), N_p)]


def sp(R: list[int], k: int) -> Fraction:
    """Eq. 4, from its definition."""
    return sum(
        (Fraction(sum(R[:i]), i) * R[i - 1] for i in range(1, min(k, len(R)) + 1)), Fraction(0)
    )


def mean_sp(N_p: int, N_n: int, k: int) -> Fraction:
    """E[SP@k] of a random ranking: the mean over all placements of the relevant items."""
    orders = all_orders(N_p, N_n)
    return sum((sp(R, k) for R in orders), Fraction(0)) / len(orders)


def printed_sp(N_p: int, N_n: int, k: int) -> Fraction:
    """Section 4.5.1: k (N_p/(N_p + N_n))²."""
    return k * Fraction(N_p, N_p + N_n) ** 2


def exact_sp(N_p: int, N_n: int, k: int) -> Fraction:
    """RS-ERR-5: N_p/(n (n - 1)) · ((N_p - 1) k + N_n H_k)."""
    n = N_p + N_n
    H_k = sum((Fraction(1, j) for j in range(1, k + 1)), Fraction(0))
    return Fraction(N_p, n * (n - 1)) * ((N_p - 1) * k + N_n * H_k)


@BACKENDS
@pytest.mark.spec("RS-PREC-7", "RS-PREC-5")
def test_eq_3_is_sp_over_k(backend):
    """For every ranking of up to five items: eq. 3 is AP with the normaliser "k", eq. 4 is SP."""
    for n in range(1, 6):
        for bits in range(2**n):
            R = [bits >> i & 1 for i in range(n)]
            for k in range(1, 7):
                total = sp(R, k)
                assert rs.sp(R, k=k, backend=backend) == float(total)
                assert rs.ap(R, k=k, norm="k", backend=backend) == float(total / k)
    assert rs.ap([1, 0], k=2, norm="k") != rs.ap([1, 0], k=2, norm="R")  # control


@pytest.mark.spec("RS-ERR-4")
@pytest.mark.parametrize("k", range(1, 7))
def test_the_maximum_of_sp_is_the_lesser_of_k_and_the_relevant_items(k):
    for N_p, N_n in SMALL:
        best = max(sp(R, k) for R in all_orders(N_p, N_n))
        assert best == min(k, N_p)
        assert (best == k) == (N_p >= k)  # what the paper divides by, only then


@BACKENDS
@pytest.mark.spec("RS-ERR-4", "RS-PREC-6")
def test_eq_3_cannot_reach_one_where_fewer_than_k_are_relevant(backend):
    """The counterexample of the erratum, and that "min" is the upper bound."""
    best = [1, 0]
    assert rs.ap(best, k=2, norm="k", backend=backend) == 0.5
    assert rs.ap(best, k=2, norm="min", backend=backend) == 1.0


@BACKENDS
@pytest.mark.spec("RS-ERR-5", "RS-EXP-9")
def test_the_expectation_of_sp_is_not_the_product_of_expectations(backend):
    """The exact form is the mean over all orders; the printed one is it nowhere in between."""
    for N_p, N_n in SMALL:
        n = N_p + N_n
        for k in range(1, n + 1):
            mean = mean_sp(N_p, N_n, k)
            labels = relevance(N_p, N_n)
            assert rs.sp(labels, scores=[0] * n, k=k, backend=backend) == float(mean)
            if n >= 2:
                assert mean == exact_sp(N_p, N_n, k)
            if 0 < N_p < n:
                assert printed_sp(N_p, N_n, k) < mean
            else:
                assert printed_sp(N_p, N_n, k) == mean


@pytest.mark.spec("RS-ERR-5")
def test_the_table_of_the_erratum():
    rows = [[Fraction(cell) for cell in row] for row in errata.table("RS-ERR-5")]
    assert len(rows) == 5
    for *counts, exact, printed in rows:
        N_p, N_n, k = map(int, counts)
        assert exact == mean_sp(N_p, N_n, k) == exact_sp(N_p, N_n, k)
        assert printed == printed_sp(N_p, N_n, k) != exact


@pytest.mark.spec("RS-ERR-5")
def test_at_the_first_rank_the_printed_bound_is_too_low_by_the_share_of_relevant_items():
    for N_p, N_n in SMALL:
        if N_p:
            assert mean_sp(N_p, N_n, 1) == printed_sp(N_p, N_n, 1) * Fraction(N_p + N_n, N_p)


@pytest.mark.spec("RS-EXP-5", "RS-ERR-5")
def test_eq_9_is_right():
    """Σ_j j C(N_p, j) C(N_n, i - j) = N_p/n · i · C(n, i): hence E[Prec(i)] = N_p/n."""
    for N_p, N_n in SMALL:
        n = N_p + N_n
        for i in range(1, n + 1):
            left = sum(j * comb(N_p, j) * comb(N_n, i - j) for j in range(1, i + 1))
            assert left == Fraction(N_p, n) * i * comb(n, i)
            value = rs.precision(relevance(N_p, N_n), scores=[0] * n, k=i)
            assert value == float(Fraction(left, i * comb(n, i)))
    assert left != Fraction(N_p, n) * (i - 1) * comb(n, i - 1)  # control


@BACKENDS
@pytest.mark.spec("RS-ERR-6", "RS-EXP-2")
def test_eq_7_holds_up_to_the_length_of_the_list_and_not_beyond(backend):
    labels = [2, 0, 1]

    def eq_7(k: int) -> float:
        """E[2^R - 1] Σ_{i=1..k} 1/log2(i + 1) = 4/3 · DCG@k of ones, certified."""
        ones = rs.certify.dcg([1] * k).lower
        return float(Fraction(4, 3) * ones)

    orders = list(permutations(labels))
    for k in range(1, 7):
        value = rs.dcg(labels, scores=[0] * 3, k=k, gain="exp2", backend=backend)
        mean = sum(rs.certify.dcg(r, k=k, gain="exp2").lower for r in orders) / len(orders)
        assert value == float(mean)
        assert (value == eq_7(k)) == (k <= 3)


@pytest.mark.spec("RS-ERR-6")
def test_eq_7_can_exceed_the_ideal():
    """One item of label 1 and k = 2: its only ranking has DCG@2 = 1."""
    assert rs.dcg([1], scores=[0], k=2, gain="exp2") == rs.idcg([1], k=2, gain="exp2") == 1
    eq_7 = rs.certify.dcg([1, 1], k=2).lower
    assert errata.rounded(eq_7, places=4) == "1.6309"
    assert "1.6309" in errata.entry("RS-ERR-6")


@pytest.mark.spec("RS-ERR-6")
def test_the_items_of_label_zero_count_among_the_n():
    """Without them the mean gain would be one over the items of positive label only."""
    labels, positive = [2, 0, 1, 0], [2, 1]
    value = rs.cg(labels, scores=[0] * 4, k=1, gain="exp2")
    assert value == (3 + 0 + 1 + 0) / 4
    assert value != sum(2**r - 1 for r in positive) / len(positive)
