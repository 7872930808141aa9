"""karmaker-2022: the normaliser of eq. 3, and the expectations of sections 4.3 and 4.5.

The paper's formulas stand here as it prints them; what is right is computed by going through
all orders.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import comb

import pytest

import rankspec as rs

from ..each import each
from . import errata

BACKENDS = pytest.mark.parametrize("backend", ["c", "reference"])
SMALL = [(N_p, N_n) for N_p in range(6) for N_n in range(6) if N_p + N_n]


def relevance(N_p: int, N_n: int) -> list[int]:
    return [1] * N_p + [0] * N_n


@cache
def all_orders(N_p: int, N_n: int) -> list[list[int]]:
    n = N_p + N_n
    return [[int(i in chosen) for i in range(n)] for chosen in combinations(range(n), N_p)]


def sp(R: list[int], k: int) -> Fraction:
    """Eq. 4, from its definition."""
    return sum(
        (Fraction(sum(R[:i]), i) * R[i - 1] for i in range(1, min(k, len(R)) + 1)), Fraction(0)
    )


@cache
def bounds_of_sp(N_p: int, N_n: int, k: int) -> tuple[Fraction, Fraction, list[Fraction]]:
    """IUB, RLB and the values of all placements of the relevant items."""
    values = [sp(R, k) for R in all_orders(N_p, N_n)]
    return max(values), sum(values, Fraction(0)) / len(values), values


def mean_sp(N_p: int, N_n: int, k: int) -> Fraction:
    """E[SP@k] of a random ranking: the mean over all placements of the relevant items."""
    return bounds_of_sp(N_p, N_n, k)[1]


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
        rankings = [list(R) for R in product((0, 1), repeat=n)]
        for k in range(1, 7):
            totals = [sp(R, k) for R in rankings]
            values = rs.sp(rankings, k=k, backend=backend).tolist()
            assert values == [float(total) for total in totals]
            values = rs.ap(rankings, k=k, norm="k", backend=backend).tolist()
            assert values == [float(total / k) for total in totals]
    assert rs.ap([1, 0], k=2, norm="k") != rs.ap([1, 0], k=2, norm="R")  # control


@pytest.mark.spec("RS-ERR-4")
@pytest.mark.parametrize("k", range(1, 7))
def test_the_maximum_of_sp_is_the_lesser_of_k_and_the_relevant_items(k):
    for N_p, N_n in SMALL:
        best = bounds_of_sp(N_p, N_n, k)[0]
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
@each(("N_p", "N_n"), SMALL, fast=12)
def test_the_expectation_of_sp_is_not_the_product_of_expectations(backend, N_p, N_n):
    """The exact form is the mean over all orders; the printed one is it nowhere in between."""
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
        """E[2^R - 1] Σ_{i=1..k} 1/log2(i + 1) = 4/3 · DCG@k of ones."""
        return float(Fraction(4, 3) * dcg_of_ones(k))

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


# Upper and lower bounds: section 4


def eq_5(A: Fraction, IUB: Fraction, RLB: Fraction) -> Fraction:
    return A / IUB * (A / (A + RLB))


def eq_6(A: Fraction, IUB: Fraction, RLB: Fraction) -> Fraction:
    """With 0/0 as 0."""
    if A >= RLB:
        return (A - RLB) / (IUB - RLB) if IUB != RLB else Fraction(0)
    return (A - RLB) / RLB


def rows_of(identifier: str) -> list[list[Fraction]]:
    return [[Fraction(x.replace("−", "-")) for x in row] for row in errata.table(identifier)]


@BACKENDS
@pytest.mark.spec("RS-ERR-19", "RS-BND-5")
def test_no_ranking_has_a_v1_of_one(backend):
    """Of all queries of up to ten items the perfect ranking has less; and the erratum's table."""
    for N_p, N_n in SMALL:
        for k in range(1, 8):
            IUB, RLB, values = bounds_of_sp(N_p, N_n, k)
            if N_p:
                best = eq_5(IUB, IUB, RLB)
                assert max(eq_5(A, IUB, RLB) for A in values if A) == best == IUB / (IUB + RLB)
                assert Fraction(1, 2) <= best < 1
                perfect = relevance(N_p, N_n)
                assert rs.UL1(rs.SP(k=k)).of(perfect, backend=backend) == float(best)
    rows = rows_of("RS-ERR-19")
    assert len(rows) == 6
    for *counts, IUB, RLB, best in rows:
        assert bounds_of_sp(*map(int, counts))[:2] == (IUB, RLB)
        assert best == eq_5(IUB, IUB, RLB)


@BACKENDS
@pytest.mark.spec("RS-ERR-20", "RS-BND-6")
def test_random_rankings_do_not_have_a_v2_of_0_on_average(backend):
    rows = rows_of("RS-ERR-20")
    assert len(rows) == 8
    for *counts, IUB, RLB, mean in rows:
        N_p, N_n, k = map(int, counts)
        assert bounds_of_sp(N_p, N_n, k)[:2] == (IUB, RLB)
        orders = all_orders(N_p, N_n)
        values = [eq_6(sp(R, k), IUB, RLB) for R in orders]
        assert sum(values, Fraction(0)) / len(values) == mean
        assert rs.UL2(rs.SP(k=k)).of(orders, backend=backend).tolist() == [float(x) for x in values]
        assert (mean == 0) == (IUB == 2 * RLB)
        if k == 1:
            assert mean == Fraction(2 * N_p, N_p + N_n) - 1


@pytest.mark.spec("RS-ERR-20")
def test_two_items_are_the_smallest_counterexample_to_a_mean_of_0():
    """Of one item, and of two at k = 1, the mean is 0."""
    means = {}
    for N_p, N_n in SMALL:
        for k in (1, 2):
            IUB, RLB, values = bounds_of_sp(N_p, N_n, k)
            mean = sum((eq_6(A, IUB, RLB) for A in values), Fraction(0)) / len(values)
            means[N_p + N_n, k] = means.get((N_p + N_n, k), set()) | {mean}
    assert means[1, 1] == means[1, 2] == means[2, 1] == {0}
    assert means[2, 2] == {0, Fraction(1, 3)}


@BACKENDS
@pytest.mark.spec("RS-ERR-21", "RS-BND-6")
def test_plus_one_and_minus_one(backend):
    rows = rows_of("RS-ERR-21")
    assert len(rows) == 7
    for *counts, best, worst in rows:
        N_p, N_n, k = map(int, counts)
        IUB, RLB, values = bounds_of_sp(N_p, N_n, k)
        assert (best, worst) == (eq_6(IUB, IUB, RLB), eq_6(min(values), IUB, RLB))
        perfect = relevance(N_p, N_n)
        of_both = rs.UL2(rs.SP(k=k)).of([perfect, perfect[::-1]], backend=backend)
        assert of_both.tolist() == [float(best), float(worst)]
    for N_p, N_n in SMALL:
        for k in range(1, 8):
            IUB, RLB, values = bounds_of_sp(N_p, N_n, k)
            v2 = [eq_6(A, IUB, RLB) for A in values]
            assert (max(v2) == 1) == (RLB < IUB)
            assert (min(v2) == -1) == (k <= N_n and N_p > 0)
            assert N_p <= k or N_n <= k or (min(v2), max(v2)) == (-1, 1)  # the paper's condition
            paper = rs.UL2(rs.SP(k=k), bounds="karmaker-2022").of(relevance(N_p, N_n))
            assert paper < 1 or N_p >= k


@pytest.mark.spec("RS-ERR-22")
def test_which_penalty_is_linear():
    def is_linear(values: list[Fraction]) -> bool:
        return values[1] == (values[0] + values[2]) / 2

    two, one, zero, four = map(Fraction, (2, 1, 0, 4))
    by_5 = [eq_5(A, two, one) for A in (zero, one, two)]
    by_6 = [eq_6(A, two, one) for A in (zero, one, two)]
    assert by_5 == [0, Fraction(1, 4), Fraction(2, 3)]
    assert by_6 == [-1, 0, 1]
    assert [is_linear(values) for values in (by_5, by_6)] == [False, True]
    by_5 = [eq_5(two, two, RLB) for RLB in (zero, one, two)]
    by_6 = [eq_6(two, four, RLB) for RLB in (zero, one, two)]
    assert by_5 == [1, Fraction(2, 3), Fraction(1, 2)]
    assert by_6 == [Fraction(1, 2), Fraction(1, 3), 0]
    assert not is_linear(by_5)
    assert not is_linear(by_6)


@pytest.mark.spec("RS-ERR-23", "RS-ERR-4")
@each(("N_p", "N_n"), SMALL, fast=12)
def test_the_conditions_of_eq_9(N_p, N_n):
    """It holds without any; what needs N_p >= k is that the greatest SP is k."""
    n = N_p + N_n
    for i in range(1, n + 4):
        left = sum(j * comb(N_p, j) * comb(N_n, i - j) for j in range(1, i + 1))
        assert left == Fraction(N_p, n) * i * comb(n, i)
        assert left == (N_p * comb(n - 1, i - 1) if N_p else 0)
        if i <= n:
            orders = all_orders(N_p, N_n)
            mean = sum(Fraction(sum(R[:i]), i) for R in orders) / len(orders)
            assert mean == Fraction(N_p, n)
            dependent = sum(Fraction(sum(R[:i]), i) * R[i - 1] for R in orders) / len(orders)
            assert (dependent == mean * mean) == (N_p in (0, n) or i == n)
        assert (bounds_of_sp(N_p, N_n, i)[0] == i) == (N_p >= i)


@BACKENDS
@pytest.mark.spec("RS-ERR-33")
def test_the_expected_gain_is_not_the_gain_of_the_expected_label(backend):
    assert rs.RLB(rs.CG(k=1, gain="exp2")).of([0, 2], backend=backend) == 1.5
    expected_label = rs.RLB(rs.CG(k=1)).of([0, 2], backend=backend)
    assert 2**expected_label - 1 == 1
    for labels in ([0], [1], [0, 0], [1, 1], [0, 1]):  # the last is the smallest counterexample
        gain = Fraction(sum(2**x - 1 for x in labels), len(labels))
        of_label = 2 ** (sum(labels) / len(labels)) - 1
        assert (gain == of_label) == (len(set(labels)) == 1)


@BACKENDS
@pytest.mark.spec("RS-ERR-34", "RS-BND-5", "RS-BND-6")
def test_v1_takes_most_from_the_perfect_ranking(backend):
    for N_p, N_n in SMALL:
        for k in (1, 2, 3):
            IUB, RLB, values = bounds_of_sp(N_p, N_n, k)
            if IUB == RLB:
                continue
            ordered = sorted(set(values))
            by_5 = [A / IUB - eq_5(A, IUB, RLB) for A in ordered]
            by_6 = [A / IUB - eq_6(A, IUB, RLB) for A in ordered]
            assert by_5 == sorted(set(by_5))
            assert by_6 == sorted(set(by_6), reverse=True)
    A = rs.SP(k=2)
    U, V1, V2 = (bound(A).of([[1, 0], [0, 1]], backend=backend) for bound in (rs.U, rs.UL1, rs.UL2))
    assert [Fraction(x).limit_denominator(100) for x in U - V1] == [Fraction(3, 7), Fraction(3, 10)]
    assert [Fraction(x).limit_denominator(100) for x in U - V2] == [0, Fraction(5, 6)]
    assert eq_5(Fraction(1), Fraction(1), Fraction(1)) == Fraction(1, 2)
    assert eq_5(Fraction(3, 5), Fraction(1), Fraction(1, 5)) == Fraction(9, 20) < Fraction(1, 2)


# The paper's bounds: eq. 7, and section 4.5.1


@cache
def dcg_of_ones(k: int) -> Fraction:
    """Σ_{i=1..k} 1/log2(i + 1), certified."""
    return rs.certify.dcg([1] * k).lower


@BACKENDS
@pytest.mark.spec("RS-BND-9", "RS-BND-10", "RS-BND-11", "RS-ERR-5", "RS-ERR-6")
@each(("N_p", "N_n"), SMALL, fast=12)
def test_the_papers_bounds_are_what_it_prints(backend, N_p, N_n):
    n, labels = N_p + N_n, relevance(N_p, N_n)
    for k in range(1, 8):
        printed = rs.RLB(rs.SP(k=k), bounds="karmaker-2022").of(labels, backend=backend)
        assert printed == float(printed_sp(N_p, N_n, k))
        printed = rs.RLB(rs.DCG(k=k, gain="exp2"), bounds="karmaker-2022")
        assert printed.of(labels, backend=backend) == float(Fraction(N_p, n) * dcg_of_ones(k))


@BACKENDS
@pytest.mark.spec("RS-BND-10", "RS-BND-11")
def test_the_papers_bound_of_msp_and_the_exact_one(backend):
    (exactly,) = rs.measures("MSP_V1^UL@1")
    paper = rs.UL1(rs.SP(k=1), bounds="karmaker-2022")
    one = Fraction(1)
    assert exactly.of([1, 0], backend=backend) == float(eq_5(one, one, Fraction(1, 2)))
    assert paper.of([1, 0], backend=backend) == float(eq_5(one, one, Fraction(1, 4)))
