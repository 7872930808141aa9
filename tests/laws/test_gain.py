"""The laws of gains and discounts."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from rankspec.metrics.catalogue import METRICS

from .broken import reading, shifted, truncating, using
from .law import law
from .rankings import (
    Case,
    bases,
    binary,
    cases,
    cutoffs,
    depths,
    discounts,
    double,
    eighths,
    graded,
    grades,
    numbers,
    tables,
    unit,
)

pytestmark = pytest.mark.slow(but=2)

# G takes few gains, EBR few labels.
GAINED = [m for m in METRICS if "gain" in m.parameters and m.name not in ("G", "EBR")]
ranks = st.one_of(st.integers(1, 40), st.integers(1, 1200))
factors = st.sampled_from([2, 3, 10, 1024, 0.5, 0.125])


def every(rs, labels, judged, k, **conventions):
    """The values of all gain-based metrics."""
    values = []
    for m in GAINED:
        chosen = {n: x for n, x in conventions.items() if n in m.parameters}
        pool = {"judged": judged} if m.judged else {}
        given = judged if m.of_pool else labels
        values.append(getattr(rs, m.function)(given, k=k, **pool, **chosen))
    return values


@pytest.mark.spec("RS-GAIN-1/L1")
@law(r=numbers, s=numbers, cg=truncating)
def test_linear_gain_rises(rs, r, s):
    assert rs.cg([0]) == 0
    assume(r < s)
    assert rs.cg([r]) < rs.cg([s])


@pytest.mark.spec("RS-GAIN-1/L2")
@law(labels=st.lists(eighths, max_size=8), c=factors, k=cutoffs, ndcg=truncating)
def test_linear_gain_scales(rs, labels, c, k):
    scaled = [c * r for r in labels]
    assert rs.cg(scaled) == double(Fraction(c) * sum(map(Fraction, labels), Fraction(0)))
    more = [1.0, 2.5]
    assert rs.ndcg(scaled, judged=[*scaled, *(c * r for r in more)], k=k, gain="linear") == rs.ndcg(
        labels, judged=labels + more, k=k, gain="linear"
    )


def capped(f):
    return lambda labels, **a: f([min(x, 31) for x in labels], **a)


@pytest.mark.spec("RS-GAIN-2/L1")
@law(r=st.integers(0, 1023), s=st.integers(0, 1023), cg=capped)
def test_exponential_gain_rises(rs, r, s):
    assert rs.cg([0], gain="exp2") == 0
    assume(r < s)
    assert rs.cg([r], gain="exp2") < rs.cg([s], gain="exp2")


@pytest.mark.spec("RS-GAIN-2/L1")
@law(r=st.floats(0, 1023), s=st.floats(0, 1023), cg=truncating)
def test_exponential_gain_of_fractional_labels(rs, r, s):
    """Doubles: neighbours may round alike, but a quarter apart they differ."""
    assume(r < s)
    assert rs.cg([r], gain="exp2") <= rs.cg([s], gain="exp2")
    if s - r > 0.25:
        assert rs.cg([r], gain="exp2") < rs.cg([s], gain="exp2")


@pytest.mark.spec("RS-GAIN-2/L2")
@law(
    labels=binary, more=binary, k=cutoffs, discount=discounts, ndcg=reading("gain", "exp2", [1, 2])
)
def test_exponential_gain_of_binary_labels_is_linear(rs, labels, more, k, discount):
    a, b = (
        every(rs, labels, labels + more, k, gain=gain, discount=discount)
        for gain in ("linear", "exp2")
    )
    assert a == b


@pytest.mark.spec("RS-GAIN-2/L3")
@law(r=st.integers(0, 1022), cg=using(gain="linear"))
def test_exponential_gain_doubles(rs, r):
    assert rs.cg([r + 1], gain="exp2") == double(Fraction(2 * (2**r - 1) + 1))
    if r < 50:
        assert rs.cg([r + 1], gain="exp2") == 2 * rs.cg([r], gain="exp2") + 1


@pytest.mark.spec("RS-GAIN-3/L1")
@law(
    labels=graded,
    more=graded,
    k=cutoffs,
    discount=discounts,
    ndcg=reading("gain", "exp2", [1, 2, 4, 8, 16]),
)
def test_tables_that_stand_for_the_other_gains(rs, labels, more, k, discount):
    for gain, table in (("linear", [0, 1, 2, 3, 4]), ("exp2", [0, 1, 3, 7, 15])):
        by_name = every(rs, labels, labels + more, k, gain=gain, discount=discount)
        assert every(rs, labels, labels + more, k, gain=table, discount=discount) == by_name


@pytest.mark.spec("RS-GAIN-3/L2")
@law(
    labels=graded,
    more=graded,
    k=cutoffs,
    table=tables,
    c=factors,
    ndcg=lambda f: lambda labels, **a: f(labels, **{**a, "gain": [x + 1 for x in a["gain"]]}),
)
def test_ndcg_is_free_of_a_factor_of_the_table(rs, *, labels, more, k, table, c):
    scaled = [c * x for x in table]
    value = rs.ndcg(labels, judged=labels + more, k=k, gain=table)
    assert rs.ndcg(labels, judged=labels + more, k=k, gain=scaled) == value


# Discounts, each read off a list with one item.


@pytest.mark.spec("RS-DISC-1/L1")
@law(i=ranks, b=bases, dcg=using(discount="jarvelin-2002(b=4)"))
def test_log_discount_falls(rs, i, b):
    at, next_ = (rs.dcg(unit(rank), discount=f"log(b={b})") for rank in (i, i + 1))
    assert at > next_ > 0


@pytest.mark.spec("RS-DISC-1/L2")
@law(
    labels=graded,
    more=graded,
    k=cutoffs,
    b=bases,
    e=st.integers(1, 10),
    ndcg=lambda f: (
        lambda labels, **a: f(
            labels, **{**a, "discount": a["discount"].replace("log(", "jarvelin-2008(")}
        )
    ),
)
def test_log_discount_changes_base_by_a_factor(rs, *, labels, more, k, b, e):
    """log2(2^e) = e: with the base 2^e, DCG is e times what it is with the base 2."""
    by_2 = rs.dcg([e * r for r in labels], k=k, discount="log(b=2)")
    assert rs.dcg(labels, k=k, discount=f"log(b={2**e})") == by_2
    value = rs.ndcg(labels, judged=labels + more, k=k, discount="log(b=2)")
    assert rs.ndcg(labels, judged=labels + more, k=k, discount=f"log(b={b})") == value


@pytest.mark.spec("RS-DISC-1/L3")
@law(e=st.integers(1, 12), dcg=lambda f: lambda labels, **a: f([*labels, 1], **a))
def test_log_discount_of_rational_ranks(rs, e):
    assert rs.dcg(unit(2**e - 1), discount="log(b=2)") == 1 / e


@pytest.mark.spec("RS-DISC-2/L1")
@law(i=ranks, b=bases, dcg=using(discount="jarvelin-2002(b=4)"))
def test_jarvelin_2008_falls_from_one(rs, i, b):
    name = f"jarvelin-2008(b={b})"
    assert rs.dcg([1], discount=name) == 1
    assert rs.dcg(unit(i), discount=name) > rs.dcg(unit(i + 1), discount=name) > 0


@pytest.mark.spec("RS-DISC-2/L2")
@law(i=ranks, b=st.integers(2, 9), dcg=lambda f: lambda labels, **a: f([0, *labels], **a))
def test_jarvelin_2008_is_a_logarithm_of_a_multiple(rs, i, b):
    """1/log_b(b i) is the discount of RS-DISC-1 at the rank b i - 1."""
    value = rs.dcg(unit(i), discount=f"jarvelin-2008(b={b})")
    assert value == rs.dcg(unit(b * i - 1), discount=f"log(b={b})")


@pytest.mark.spec("RS-DISC-2/L3")
@law(e=st.integers(1, 60), ndcg=using(discount="log2"))
def test_jarvelin_2008_ratio_depends_on_the_base(rs, e):
    """1/(1 + log_b 2) with b = 2^e is e/(e + 1)."""
    assert rs.ndcg([0, 1], discount=f"jarvelin-2008(b={2**e})") == double(Fraction(e, e + 1))


@pytest.mark.spec("RS-DISC-3/L1", "RS-DISC-3/L2")
@law(i=ranks, b=bases, dcg=using(discount="jarvelin-2008(b=2)"))
def test_jarvelin_2002_is_one_over_the_larger_of_one_and_the_logarithm(rs, i, b):
    name = f"jarvelin-2002(b={b})"
    at, next_ = rs.dcg(unit(i), discount=name), rs.dcg(unit(i + 1), discount=name)
    assert at >= next_ > 0
    assert (at == next_) == (i + 1 <= b)
    if i <= b:
        assert at == 1
    else:  # 1/log_b i is the discount of RS-DISC-1 at the rank i - 1
        assert at == rs.dcg(unit(i - 1), discount=f"log(b={b})")


@pytest.mark.spec("RS-DISC-3/L3")
@law(
    labels=st.lists(grades, min_size=1, max_size=8),
    b=st.one_of(st.integers(2, 8), st.floats(1.5, 8)),
    more=depths,
    order=st.randoms(use_true_random=False),
    dcg=using(discount="log2"),
)
def test_jarvelin_2002_is_blind_to_the_order_of_the_top(rs, labels, b, more, order):
    top = math.floor(b)
    permuted = labels[:top]
    order.shuffle(permuted)
    a, b_ = (
        rs.dcg(x, k=top + more - 1, discount=f"jarvelin-2002(b={b})")
        for x in (labels, permuted + labels[top:])
    )
    assert a == b_


@pytest.mark.spec("RS-DISC-4/L1")
@law(i=ranks, dcg=using(discount="none"))
def test_zipfian_discount_falls_from_one(rs, i):
    assert rs.dcg([1], discount="zipf") == 1
    assert rs.dcg(unit(i), discount="zipf") > rs.dcg(unit(i + 1), discount="zipf") > 0


@pytest.mark.spec("RS-DISC-4/L2")
@law(i=st.integers(0, 9), n=st.integers(1, 9), k=cutoffs, dcg=using(discount="log2"))
def test_zipfian_dcg_of_one_relevant_item_is_its_reciprocal_rank(rs, i, n, k):
    labels = [int(rank == i) for rank in range(1, n + 1)]
    assert rs.dcg(labels, k=k, discount="zipf") == rs.rr(labels, k=k)
    assert rs.ndcg(labels, k=k, discount="zipf") == rs.rr(labels, k=k)
    assert rs.ndcg(labels, judged=[0, 1, 0], k=k, discount="zipf") == rs.rr(labels, k=k)


@pytest.mark.spec("RS-DISC-5/L1")
@law(
    case=cases(discounts=st.just([1] * 24)),
    dcg=reading("discount", [1] * 24, "log2"),
)
def test_weights_of_one_are_no_discount(rs, case):
    none = Case(case.labels, case.judged, case.k, case.gain, "none")
    assert every(rs, case.labels, case.judged, **case.all) == every(
        rs, none.labels, none.judged, **none.all
    )


@pytest.mark.spec("RS-DISC-5/L2")
@law(
    case=cases(rational=True),
    c=factors,
    ndcg=lambda f: (
        lambda labels, **a: f(labels, **{**a, "discount": [w + 1 for w in a["discount"]]})
    ),
)
def test_ndcg_is_free_of_a_factor_of_the_weights(rs, case, c):
    weights = case.discount if isinstance(case.discount, list) else [4 - i / 8 for i in range(24)]
    value, scaled = (
        rs.ndcg(case.labels, judged=case.judged, k=case.k, gain=case.gain, discount=w)
        for w in (weights, [Fraction(c) * Fraction(x) for x in weights])
    )
    assert value == scaled


@pytest.mark.spec("RS-DISC-6/L1")
@law(case=cases(discounts=st.just("none")), dcg=using(discount="log2"))
def test_dcg_without_a_discount_is_cg(rs, case):
    assert rs.dcg(case.labels, **case.all) == rs.cg(case.labels, k=case.k, gain=case.gain)


@pytest.mark.spec("RS-DISC-6/L2")
@law(case=cases(discounts=st.just("none")), ndcg=using(discount="zipf"))
def test_the_order_is_lost_without_a_discount(rs, case):
    top = sorted(case.labels[: case.k])
    permuted = top + case.labels[len(top) :]
    assert rs.dcg(permuted, **case.all) == rs.dcg(case.labels, **case.all)
    whole = rs.ndcg(case.labels, **case.conventions)
    assert whole == (1 if rs.cg(case.labels, gain=case.gain) > 0 else 0)


@pytest.mark.spec("RS-DISC-7/L1")
@law(
    case=cases(discounts=st.just("jiang-2016(b=2)"), least=1),
    dcg=reading("discount", "log2", "jiang-2016(b=3)"),
)
def test_jiang_2016_of_the_base_2_is_log2(rs, case):
    assert rs.dcg(case.labels, **case.all) == rs.dcg(
        case.labels, k=case.k, gain=case.gain, discount="log2"
    )


@pytest.mark.spec("RS-DISC-7/L2")
@law(i=ranks, b=bases, dcg=using(discount="log(b=3)"))
def test_jiang_2016_falls_from_one(rs, i, b):
    name = f"jiang-2016(b={b})"
    assert rs.dcg([1], discount=name) == 1
    assert rs.dcg(unit(i), discount=name) > rs.dcg(unit(i + 1), discount=name) > 0


@pytest.mark.spec("RS-DISC-7/L3")
@law(i=ranks, two=st.tuples(bases, bases).map(sorted), ndcg=using(discount="log2"))
def test_jiang_2016_rises_with_the_base(rs, i, two):
    assume(i > 1 and two[1] > 1.01 * two[0])
    low, high = (rs.ndcg([*[0] * (i - 1), 1], discount=f"jiang-2016(b={b})") for b in two)
    assert 0 < low < high < 1
    assert low == rs.dcg(unit(i), discount=f"jiang-2016(b={two[0]})")


@pytest.mark.spec("RS-DISC-7/L4")
@law(i=ranks, b=bases, dcg=shifted)
def test_jiang_2016_among_the_others_of_its_base(rs, i, b):
    own, of_product, of_next = (
        rs.dcg(unit(i), discount=f"{kind}(b={b})")
        for kind in ("jiang-2016", "jarvelin-2008", "log")
    )
    assert own >= of_product
    assert (own == of_product) == (i == 1)
    if abs(b - 2) > 0.01:
        assert (own < of_next) == (b > 2)


@pytest.mark.spec("RS-DISC-7/L5")
@law(b=st.integers(2, 9), e=st.integers(1, 4), dcg=shifted)
def test_jiang_2016_of_rational_ranks(rs, b, e):
    i = b**e - b + 1
    assert rs.dcg(unit(i), discount=f"jiang-2016(b={b})") == double(Fraction(1, e))
