"""The laws of levels, and of what is made of them: RS-PREC-27 and after it."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rankspec
from rankspec import InputError
from rankspec.metrics.precision import MOST_STEPS, ROUNDING
from rankspec.reference.precision import items_at_level, steps_of_iprec

from ..each import each
from .broken import backwards, own_pool, using
from .law import READINGS, law
from .rankings import binary, cutoffs, depths, double, lists, pair, swapped
from .test_expectation import orders, scored, split

BACKENDS = pytest.mark.parametrize("by", READINGS)
TENTHS = [i / 10 for i in range(11)]
levels = st.one_of(st.sampled_from([*TENTHS, 0.25, 0.05, 1 / 3]), st.floats(0, 1))
roundings = st.sampled_from(ROUNDING.words)
some = lists(st.integers(0, 1), least=1)


def greatest(R, c, k=None):
    """IPrec as it is defined: the greatest precision at a rank with c relevant items."""
    n = len(R) if k is None else min(k, len(R))
    found = [Fraction(sum(R[:i]), i) for i in range(1, n + 1) if sum(R[:i]) >= c]
    return max(found, default=Fraction(0))


# ---- how many items a level asks for -----------------------------------------------------


@pytest.mark.spec("RS-PREC-27")
@each(
    "level, N_p, by_rounding",
    [
        (0.7, 3, (2, 2, 3)),  # 2.0999999999999996
        (0.7, 45, (31, 32, 32)),  # 31.499999999999996
        (0.3, 7, (2, 3, 3)),
        (0.3, 57, (17, 17, 18)),  # 17.099999999999998 + 0.9 = 17.999999999999996
        (0.1, 1, (0, 1, 1)),
        (0.1, 10, (1, 1, 1)),
        (0.05, 1, (0, 0, 1)),
        (0.5, 5, (3, 3, 3)),
        (0.5, 4, (2, 2, 2)),
        (Fraction(1, 10), 10, (1, 1, 1)),
        (1, 7, (7, 7, 7)),
        (0, 7, (0, 0, 0)),
        (0.9, 0, (0, 0, 0)),
    ],
)
def test_levels_as_the_programs_round_them(level, N_p, by_rounding):
    """Of trec_eval 10, lround(level * n), and of 9, (long) (level * n + 0.9), in doubles."""
    words = ("nearest", "plus-0.9", "up")
    assert tuple(items_at_level(level, N_p, word) for word in words) == by_rounding
    product = float(level) * N_p
    assert by_rounding[0] == floor(Fraction(product) + Fraction(1, 2))
    assert by_rounding[1] == int(product + 0.9)


@given(level=levels, more=levels, N_p=st.integers(0, 10**6), rounding=roundings)
@pytest.mark.spec("RS-PREC-27/L1")
def test_what_a_level_asks_for_rises_with_it_and_with_the_pool(level, more, N_p, rounding):
    low, high = sorted([level, more])
    c = items_at_level(low, N_p, rounding)
    assert 0 <= c <= items_at_level(high, N_p, rounding) <= N_p
    assert c <= items_at_level(low, N_p + 1, rounding)


@pytest.mark.spec("RS-PREC-27/L2")
def test_0_9_more_is_up_but_for_its_doubles():
    cases = [(x, N_p) for N_p in range(1, 1001) for x in TENTHS]
    up = [items_at_level(*case, "up") for case in cases]
    for (x, N_p), items in zip(cases, up, strict=True):
        tenths = round(10 * x) * N_p
        assert (tenths + 9) // 10 == -(-tenths // 10) == items
    differing = [
        case
        for case, items in zip(cases, up, strict=True)
        if items_at_level(*case, "plus-0.9") != items
    ]
    assert (len(cases), len(differing), differing[0]) == (11000, 89, (0.7, 3))
    assert all(float(x) * N_p + 0.9 < ceil(Fraction(repr(x)) * N_p) for x, N_p in differing)


# ---- interpolated precision --------------------------------------------------------------


@pytest.mark.spec("RS-PREC-28", "RS-PREC-28/L1")
@law(
    R=binary, more=binary, shown=binary, k=cutoffs, level=levels, rounding=roundings, iprec=own_pool
)
def test_interpolated_precision_is_the_greatest_from_a_recall_on(
    rs, *, R, more, shown, k, level, rounding
):
    at = {"k": k, "recall": level, "rounding": rounding}
    c = items_at_level(level, sum(R + more), rounding)
    assert rs.iprec(R, judged=R + more, **at) == double(greatest(R, c, k))
    assert 0 <= rs.iprec(shown, judged=R, **at) <= 1


@pytest.mark.spec("RS-PREC-28/L2", "RS-PREC-28/L3")
@law(R=binary, more=binary, k=depths, level=levels, rounding=roundings, iprec=backwards)
def test_interpolated_precision_by_level_and_by_cut_off(rs, R, more, k, level, rounding):
    judged = R + more
    by_level = [
        rs.iprec(R, judged=judged, recall=x, rounding=rounding) for x in sorted([*TENTHS, level])
    ]
    assert all(x >= y for x, y in pairwise(by_level))
    at = {"judged": judged, "recall": level, "rounding": rounding}
    by_k = [rs.iprec(R, k=j, **at) for j in (k, k + 1, None)]
    assert all(x <= y for x, y in pairwise(by_k))
    first = R.index(1) + 1 if 1 in R else 0
    assert (rs.iprec(R, k=first or 1, recall=0) > 0) == (first > 0)


@pytest.mark.spec("RS-PREC-28/L4")
@law(
    R=lists(st.integers(0, 1), least=2),
    i=st.integers(0, 100),
    j=st.integers(0, 100),
    k=cutoffs,
    level=levels,
    iprec=backwards,
)
def test_a_relevant_item_moved_up_never_lowers_it(rs, *, R, i, j, k, level):
    i, j = pair(len(R), i, j)
    assume(R[i - 1] < R[j - 1])
    better = swapped(R, i, j)
    assert rs.iprec(better, k=k, recall=level) >= rs.iprec(R, k=k, recall=level)


@pytest.mark.spec("RS-PREC-28/L5")
@law(
    n=st.integers(1, 9),
    i=st.integers(0, 8),
    k=cutoffs,
    level=st.floats(0.5, 1),
    rounding=roundings,
    iprec=backwards,
)
def test_of_one_relevant_item_it_is_the_reciprocal_rank(rs, *, n, i, k, level, rounding):
    assume(i < n)
    R = [int(j == i) for j in range(n)]
    assert rs.iprec(R, k=k, recall=level, rounding=rounding) == rs.rr(R, k=k)


@pytest.mark.spec("RS-PREC-28/L6")
@law(
    R=binary,
    more=some,
    k=cutoffs,
    tenths=st.integers(1, 10),
    iprec=using(rounding="nearest"),
)
def test_it_is_that_of_a_session_of_one_query(rs, R, more, k, tenths):
    judged = R + more
    assume(any(judged) and R)
    of_session = rankspec.query_p_at_recall([R], judged=judged, recall=10 * tenths, k=k)
    at = {"recall": tenths / 10, "rounding": "up"}
    assert rs.iprec(R, judged=judged, k=k, **at) == of_session


@pytest.mark.spec("RS-PREC-28", "RS-PREC-27")
@BACKENDS
@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan"), float("inf"), "0.5", None, [0.5]])
def test_what_is_no_level_is_refused(bad, by):
    with pytest.raises(InputError, match=r"^recall: "):
        rankspec.iprec([1, 0], recall=bad, backend=by)
    with pytest.raises(InputError, match=r"^rounding: unknown .* 'down'; expected one of"):
        rankspec.iprec([1, 0], rounding="down", backend=by)


@pytest.mark.spec("RS-PREC-28")
def test_levels_at_the_ends_of_the_doubles():
    assert rankspec.iprec([0, 1], recall=-0.0) == rankspec.iprec([0, 1], recall=5e-324) == 0.5
    assert rankspec.iprec([0, 1], recall=5e-324, rounding="up") == 0.5
    assert str(rankspec.IPrec(recall=-0.0)) == "IPrec(recall=0.0)"
    assert rankspec.iprec([10**9, 0], recall=1, rel=10**9) == 1


@pytest.mark.spec("RS-PREC-29", "RS-PREC-29/L1", "RS-PREC-29/L2")
@law(
    R=binary,
    more=binary,
    k=cutoffs,
    over=st.lists(levels, min_size=1, max_size=4),
    rounding=roundings,
    avg_iprec=own_pool,
)
def test_the_mean_over_levels(rs, *, R, more, k, over, rounding):
    at = {"judged": R + more, "k": k, "rounding": rounding}
    cs = [items_at_level(x, sum(R + more), rounding) for x in over]
    mean = sum(greatest(R, c, k) for c in cs) / len(cs)
    assert rs.avg_iprec(R, levels=over, **at) == double(mean)
    assert 0 <= mean <= 1
    assert rs.avg_iprec(R, levels=over[:1], **at) == rs.iprec(R, recall=over[0], **at)
    assert rs.avg_iprec(R, **at) == rs.avg_iprec(R, levels=TENTHS[::-1], **at)


@pytest.mark.spec("RS-PREC-29")
@BACKENDS
@pytest.mark.parametrize("bad", [[], [1.5], [-1], [None], 0.5, "0.5", [float("nan")], None])
def test_what_are_no_levels_is_refused(bad, by):
    with pytest.raises(InputError, match=r"^levels: "):
        rankspec.avg_iprec([1, 0], levels=bad, backend=by)


# ---- precision at multiples of R ---------------------------------------------------------

multiples = st.one_of(st.sampled_from([i / 5 for i in range(11)]), st.floats(0, 5))


@pytest.mark.spec("RS-PREC-30", "RS-PREC-30/L1", "RS-PREC-30/L2", "RS-PREC-30/L3")
@law(R=binary, more=binary, shown=binary, k=cutoffs, multiple=multiples, rprec_mult=own_pool)
def test_precision_at_a_multiple_of_R(rs, *, R, more, shown, k, multiple):
    judged = R + more
    c = int(multiple * sum(judged) + 0.9)
    found = rs.rprec_mult(R, judged=judged, k=k, multiple=multiple)
    assert found == (double(Fraction(sum(R[: min(k or c, c)]), c)) if c else 0)
    if c:
        at_c = rs.rprec_mult(R, judged=judged, multiple=multiple)
        assert at_c == rs.precision(R, k=c)
    assert rs.rprec_mult(R, judged=judged, k=k) == rs.rprec(R, judged=judged, k=k)
    assert 0 <= rs.rprec_mult(shown, judged=judged, k=k, multiple=multiple) <= 1


@pytest.mark.spec("RS-PREC-30/L4")
@law(
    R=lists(st.integers(0, 1), least=2),
    i=st.integers(0, 100),
    j=st.integers(0, 100),
    k=cutoffs,
    multiple=multiples,
    rprec_mult=backwards,
)
def test_a_relevant_item_moved_up_never_lowers_it_at_a_multiple(rs, *, R, i, j, k, multiple):
    i, j = pair(len(R), i, j)
    assume(R[i - 1] < R[j - 1])
    better = rs.rprec_mult(swapped(R, i, j), k=k, multiple=multiple)
    assert better >= rs.rprec_mult(R, k=k, multiple=multiple)


@pytest.mark.spec("RS-PREC-30")
@BACKENDS
@pytest.mark.parametrize("bad", [-0.1, 10**7, float("nan"), float("inf"), "1", None])
def test_what_is_no_multiple_is_refused(bad, by):
    with pytest.raises(InputError, match=r"^multiple: "):
        rankspec.rprec_mult([1, 0], multiple=bad, backend=by)


# ---- under ties --------------------------------------------------------------------------


@BACKENDS
@given(
    items=scored(st.integers(0, 1), least=1),
    more=st.lists(st.integers(0, 1), max_size=3),
    k=cutoffs,
    level=levels,
    rounding=roundings,
)
@pytest.mark.spec("RS-EXP-90", "RS-EXP-90/L1", "RS-EXP-91", "RS-EXP-91/L1")
@pytest.mark.spec("RS-EXP-92", "RS-EXP-92/L1")
def test_expected_interpolated_precision_is_the_mean_over_all_orders(
    *, by, items, more, k, level, rounding
):
    R, scores = split(items)
    c = items_at_level(level, sum(R + more), rounding)
    every_order = [greatest(order, c, k) for order in orders(items)]
    mean = sum(every_order) / len(every_order)
    at = {"k": k, "recall": level, "rounding": rounding, "judged": R + more, "backend": by}
    assert rankspec.iprec(R, scores=scores, **at) == double(mean)
    r = int(level * 2 * sum(R + more) + 0.9)
    found = [Fraction(sum(order[: min(k or r, r)]), r or 1) for order in orders(items)]
    multiple = {"multiple": 2 * level, "k": k, "judged": R + more, "backend": by}
    assert rankspec.rprec_mult(R, scores=scores, **multiple) == double(sum(found) / len(found))
    of_mean = {**at, "levels": [level, 0, level]}
    del of_mean["recall"]
    all_levels = [2 * greatest(order, c, k) + greatest(order, 0, k) for order in orders(items)]
    wanted = double(Fraction(sum(all_levels), 3 * len(all_levels)))
    assert rankspec.avg_iprec(R, scores=scores, **of_mean) == wanted
    worst, best = (rankspec.iprec(R, scores=scores, ties=x, **at) for x in ("worst", "best"))
    assert worst == double(min(every_order))
    assert best == double(max(every_order))


@pytest.mark.spec("RS-EXP-90/L2")
@law(n=st.integers(1, 12), k=cutoffs, iprec=using(scores=None))
def test_expected_of_one_relevant_item_all_tied(rs, n, k):
    R = [1] + [0] * (n - 1)
    assert rs.iprec(R, scores=[1] * n, recall=1, k=k) == rs.rr(R, scores=[1] * n, k=k)


@pytest.mark.spec("RS-EXP-90")
def test_too_many_steps_are_refused_and_rules_are_not():
    R, scores = [0] * 400 + [1] * 100, [1] * 500
    assert steps_of_iprec([R], 500) > MOST_STEPS > steps_of_iprec([R[-104:]], 500)
    with pytest.raises(InputError, match=r"^ties: IPrec .* choose a tie rule"):
        rankspec.iprec(R, scores=scores)
    assert rankspec.iprec(R, scores=scores, ties="best") == 1
    assert rankspec.iprec(R, scores=scores, ties="worst") == 0.2


@pytest.mark.spec("RS-EXP-91")
def test_the_steps_of_all_different_levels_count():
    """Steps of IPrec: 20 · 41 precisions, and 60 · 20 ranks and numbers of relevant items."""
    R, scores = [1] * 20 + [0] * 40, [1] * 60
    assert 11 * steps_of_iprec([R], 60) == 11 * 20 * 41 * 60 * 20 == 10_824_000 > MOST_STEPS
    with pytest.raises(InputError, match=r"^ties: AvgIPrec .* 10824000 steps .* \(RS-EXP-91\)"):
        rankspec.avg_iprec(R, scores=scores)
    levels = [0.5] * 11
    value = rankspec.avg_iprec(R, scores=scores, levels=levels)
    assert value == rankspec.iprec(R, scores=scores, recall=0.5)


@BACKENDS
@pytest.mark.spec("RS-PREC-29", "RS-EXP-91")
def test_levels_that_are_given_again_count_again(by):
    """Of one relevant item at rank 2, and of two at ranks 1 and 3: 1 and 2/3."""
    often = 5000
    levels = [0.5] * often + [1.0]
    value = rankspec.avg_iprec([1, 0, 1], levels=levels, backend=by)
    assert value == double(Fraction(often * 3 + 2, 3 * (often + 1)))
    tied = [Fraction(1), Fraction(1), Fraction(2, 3)], [Fraction(1), Fraction(2, 3), Fraction(2, 3)]
    low, high = (sum(values) / 3 for values in tied)  # of the orders 110, 101 and 011
    value = rankspec.avg_iprec([1, 0, 1], scores=[1, 1, 1], levels=levels, backend=by)
    assert value == double((often * low + high) / (often + 1))
