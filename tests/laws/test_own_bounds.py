"""Bounds of a function of one's own: against all orders, and the closed forms of metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from math import factorial, log, nextafter, sqrt, ulp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.errors import InputError
from rankspec.metrics.measure import Measure
from rankspec.reference.bounds import count_of_orders, distinct_orders

from ..each import each
from .law import at_most

pytestmark = pytest.mark.spec("RS-BND-14")

POOLS = st.lists(st.sampled_from([0, 1, 2, 3]), min_size=1, max_size=6)
CUTOFFS = st.one_of(st.none(), st.integers(1, 8))


def dcg(labels: Sequence[int]) -> Fraction:
    return sum((Fraction(2**r - 1, i) for i, r in enumerate(labels, start=1)), Fraction(0))


def ndcg(labels: Sequence[int], judged: Sequence[int], k: int) -> Fraction:
    best = dcg(sorted(judged, reverse=True)[:k])
    return dcg(labels[:k]) / best if best else Fraction(0)


def rr(labels: Sequence[int]) -> Fraction:
    return next((Fraction(1, i) for i, r in enumerate(labels, start=1) if r), Fraction(0))


def precision(labels: Sequence[int], *, k: int) -> Fraction:
    return Fraction(sum(r > 0 for r in labels), k)


def ap(labels: Sequence[int], judged: Sequence[int]) -> Fraction:
    hits = [i for i, r in enumerate(labels, start=1) if r]
    found = sum((Fraction(j, i) for j, i in enumerate(hits, start=1)), Fraction(0))
    relevant = sum(r > 0 for r in judged)
    return found / relevant if relevant else Fraction(0)


METRICS: dict[str, tuple[Callable[..., Fraction], Callable[[int | None], Measure]]] = {
    "DCG": (dcg, lambda k: rs.DCG(k=k, gain="exp2", discount="zipf")),
    "nDCG": (ndcg, lambda k: rs.nDCG(k=k, gain="exp2", discount="zipf")),
    "RR": (rr, lambda k: rs.RR(k=k)),
    "P": (precision, lambda k: rs.P(k=k)),
    "AP": (ap, lambda k: rs.AP(k=k, norm="R")),
}
"""Functions with exact values, and the metric that each of them is."""


@pytest.mark.spec("RS-BND-14/L1", "RS-BND-14/L3")
@each("name", METRICS)
@given(J=POOLS, k=CUTOFFS, order=st.randoms(use_true_random=False))
@at_most(20)
def test_a_function_that_is_a_metric(name: str, J: list[int], k: int | None, order: Any) -> None:
    function, measure = METRICS[name]
    A = measure(k)
    found = rs.bounds_of(function, J, k=k)
    ranking = list(J)
    order.shuffle(ranking)
    expected = [bound(A).of(J) for bound in (rs.IUB, rs.RLB, rs.WLB)]
    assert [x.value for x in (found.iub, found.rlb, found.wlb)] == expected
    assert found.wlb.value <= found.rlb.value <= found.iub.value
    assert found.ul1(ranking).value == rs.UL1(A).of(ranking, judged=J)
    assert found.ul2(ranking).value == rs.UL2(A).of(ranking, judged=J)
    every = (found.iub, found.rlb, found.wlb, found.ul1(ranking), found.ul2(ranking))
    assert found.exact
    assert all(x.exact and x.low == x.value == x.high for x in every)


@pytest.mark.spec("RS-BND-14/L1", "RS-BND-1/L1")
@pytest.mark.parametrize("name", ["LDCG", "LNDCG", "LERR", "LAP", "LRBP", "LGAP"])
def test_iub_of_a_length_adjusted_metric_is_that_of_shorter_lists(name: str) -> None:
    """No order of the pool reaches it, so the greatest value of the orders is less."""
    J = [3, 2, 0, 0]
    A = getattr(rs, name)(k=4)

    def f(labels: Sequence[int]) -> float:
        return float(A.of(list(labels), judged=J))

    own = rs.bounds_of(f, J, k=4)
    lists = [f(r) for n in range(1, 5) for r in set(permutations(J, n))]
    orders = [f(r) for r in set(permutations(J))]
    assert float(rs.IUB(A).of(J)) == max(lists) > max(orders) == own.iub.value
    assert own.rlb.value == pytest.approx(float(rs.RLB(A).of(J)), rel=1e-12)
    assert own.wlb.value == min(orders) == float(rs.WLB(A).of(J))
    assert own.ul1([3, 2, 0, 0]).value > float(rs.UL1(A).of([3, 2, 0, 0], judged=J))
    assert own.ul2([3, 2, 0, 0]).value > float(rs.UL2(A).of([3, 2, 0, 0], judged=J))


def odd(labels: Sequence[int]) -> Fraction:
    """A function whose best order is not that by falling labels."""
    return Fraction(sum(r * (-1) ** i for i, r in enumerate(labels)) % 7, 3)


@pytest.mark.spec("RS-BND-14/L2", "RS-BND-14/L4")
@given(J=POOLS, k=st.integers(1, 7), order=st.randoms(use_true_random=False))
@at_most(30)
def test_against_all_orders(J: list[int], k: int, order: Any) -> None:
    """By brute force: each of the n! orders once."""
    values = [odd(list(pi)[:k]) for pi in permutations(J)]
    found = rs.bounds_of(odd, J, k=k)
    expected = max(values), sum(values) / Fraction(len(values)), min(values)
    assert [x.value for x in (found.iub, found.rlb, found.wlb)] == list(map(float, expected))
    assert found.orders == len(set(permutations(J)))
    assert found.calls == len({pi[:k] for pi in permutations(J)})
    shuffled = list(J)
    order.shuffle(shuffled)
    again = rs.bounds_of(odd, shuffled, k=k, most=found.calls)
    assert (again.iub, again.rlb, again.wlb) == (found.iub, found.rlb, found.wlb)
    moved = rs.bounds_of(lambda labels: 3 * odd(labels) + Fraction(1, 2), J, k=k)
    wanted = [float(3 * x + Fraction(1, 2)) for x in expected]
    assert [x.value for x in (moved.iub, moved.rlb, moved.wlb)] == wanted


@given(J=POOLS, k=st.integers(0, 6))
@at_most(30)
def test_distinct_orders_and_how_many_begin_so(J: list[int], k: int) -> None:
    k = min(k, len(J))
    begun = Counter(pi[:k] for pi in set(permutations(J)))
    found = [(tuple(pi), w) for pi, w in distinct_orders(J, k)]
    assert len(found) == len(begun) == count_of_orders(J, k)
    assert dict(found) == begun


def test_the_default_ndcg() -> None:
    """Each value is within half a unit in the last place of the real one, and so is their mean."""
    J = [3, 2, 2, 1, 0, 0, 0]

    def function(labels: list[int], judged: list[int], k: int) -> float:
        return float(rs.ndcg(labels, judged=judged, k=k))

    found, A = rs.bounds_of(function, J, k=4), rs.nDCG(k=4)
    assert found.iub.value == 1.0
    assert abs(found.rlb.value - rs.RLB(A).of(J)) <= ulp(1.0)


LARGE = [1] * 12 + [0] * 18


def share(labels: Sequence[int]) -> Fraction:
    """P@10; its mean over all orders is the share of relevant labels, 12/30."""
    return Fraction(sum(labels[:10]), 10)


@pytest.mark.spec("RS-BND-14/L3")
def test_a_sample_has_the_interval_of_hoeffding() -> None:
    """The width is computed here; the mean is that of the orders of RS-RND-6."""
    from rankspec.reference.randomness import permutation

    m, alpha, seed = 50, 0.1, 7
    found = rs.bounds_of(share, LARGE, limits=(0, 1), samples=m, alpha=alpha, seed=seed)
    orders = [[LARGE[a] for a in permutation(seed, r, 0, len(LARGE))] for r in range(m)]
    mean = sum(map(share, orders)) / m
    width = sqrt(log(2 / alpha) / (2 * m))
    assert not found.exact
    assert found.rlb.value == float(mean)
    assert found.rlb.low == pytest.approx(float(mean) - width, rel=1e-12)
    assert found.rlb.high == pytest.approx(float(mean) + width, rel=1e-12)
    assert (found.iub.value, found.iub.low, found.iub.high) == (1.0, 1.0, 1.0)
    assert (found.wlb.value, found.wlb.low, found.wlb.high) == (0.0, 0.0, 0.0)
    assert found.orders == factorial(30) // factorial(12) // factorial(18)
    assert (found.samples, found.seed, found.limits) == (m, seed, (0.0, 1.0))
    assert not found.rlb.exact
    text = str(found)
    assert f"50 of {found.orders} orders of the pool, at random, seed 7" in text
    assert "with a probability of at least 0.9 (Hoeffding), if all values are from 0 to 1" in text
    again = rs.bounds_of(share, LARGE, limits=(0, 1), samples=m, alpha=alpha, seed=seed)
    assert again == found


@pytest.mark.slow
def test_the_interval_holds_as_often_as_it_says() -> None:
    """Of 200 samples at most 5 % may miss 2/5; and the ends of UL1 and UL2 hold those of P@10."""
    A = rs.P(k=10)
    ranking = [*LARGE[5:], *LARGE[:5]]
    expected = [bound(A).of(ranking, judged=LARGE) for bound in (rs.UL1, rs.UL2)]
    missed = 0
    for seed in range(200):
        given: dict[str, Any] = {"limits": (0, 1), "samples": 40, "alpha": 0.05, "seed": seed}
        found = rs.bounds_of(share, LARGE, **given)
        holds = Fraction(found.rlb.low) <= Fraction(2, 5) <= Fraction(found.rlb.high)
        missed += not holds
        made = found.ul1(ranking), found.ul2(ranking)
        assert all(x.low <= x.value <= x.high for x in made)
        if holds:
            assert all(x.low <= y <= x.high for x, y in zip(made, expected, strict=True))
    assert missed <= 10


def test_iub_of_a_sample_is_at_most_the_limit() -> None:
    """The greatest value seen is its lower end, as better orders may be unseen."""
    rare = [*range(30)]

    def first(labels: Sequence[int]) -> float:
        return 1.0 if labels[0] == 17 and labels[1] == 3 else 0.25 * (labels[0] == 29)

    found = rs.bounds_of(first, rare, limits=(0, 2), samples=20)
    assert (found.iub.value, found.iub.low, found.iub.high) == (0.25, 0.25, 2.0)
    assert not found.iub.exact
    known = rs.bounds_of(first, rare, limits=(0, 2), samples=20, ideal=True)
    assert (known.iub.value, known.iub.high, known.iub.exact) == (0.25, 0.25, True)
    ul2 = found.ul2(sorted(rare, reverse=True))
    assert ul2.low < ul2.high <= 1.0
    with pytest.raises(InputError, match=r"^ideal: first has the value 1\.0 for an order, above"):
        known.ul2([17, 3, *(x for x in rare if x not in (17, 3))])
    with pytest.raises(InputError, match=r"^ideal: odd has the value .* leave ideal out"):
        rs.bounds_of(odd, [3, 1, 2], ideal=True)


def test_the_prefix_is_all_that_a_function_sees() -> None:
    """Of 50 labels the first ten have 1,024 lists; each weighs as many orders as begin so."""
    seen: list[int] = []

    def hits(labels: Sequence[int]) -> int:
        seen.append(len(labels))
        return sum(labels)

    found = rs.bounds_of(hits, [1] * 20 + [0] * 30, k=10)
    assert (set(seen), len(seen), found.calls) == ({10}, 1024, 1024)
    assert (found.exact, found.rlb.value) == (True, 4.0)


@pytest.mark.slow
@each("n", [(1, 1200), (3, 1200), (1500, 1500)])
def test_long_pools(n: tuple[int, int]) -> None:
    """RR of one relevant label among 1,201: the mean of 1/i; of more lists a sample is taken."""
    J = [1] * n[0] + [0] * n[1]
    found = rs.bounds_of(rr, J, limits=(0, 1), samples=3)
    assert found.exact == (n[0] == 1)
    if found.exact:
        assert found.calls == 1201
        mean = sum(Fraction(1, i) for i in range(1, 1202)) / 1201
        assert found.rlb.value == float(mean)


def test_plain_data() -> None:
    document = rs.bounds_of(rr, [1, 0], limits=(0, 1)).to_dict()
    assert document["rlb"] == {"value": 0.75, "low": 0.75, "high": 0.75, "exact": True}
    assert (document["function"], document["judged"], document["limits"]) == ("rr", [1, 0], None)
    assert repr(rs.bounds_of(rr, [1, 0])) == "<Bounds of rr over 2 orders, exact>"


def raising(labels: Sequence[int]) -> float:
    raise ZeroDivisionError(f"{len(labels)} labels")


def greedy(labels: Sequence[int], judged: Sequence[int], k: int, weight: float) -> float:
    return weight * (labels[0] + judged[0] + k)


MANY = {"judged": LARGE, "samples": 10}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no function": ({"fn": 3}, r"^fn: expected a function, got 3$"),
    "no labels": (
        {"judged": []},
        r"^judged: expected a flat list of labels, one or more, got \[\]",
    ),
    "words": ({"judged": "110"}, r"^judged: expected a flat list of labels"),
    "a NaN": ({"judged": [1, float("nan")]}, r"^judged: expected a flat list of labels"),
    "no limits": (
        {**MANY, "fn": share},
        r"^limits: the pool has more than 100000 distinct lists of 30 labels, so the mean is est",
    ),
    "limits that are none": ({"limits": (1, 0)}, r"^limits: expected the least and the greatest"),
    "infinite limits": ({"limits": (0, float("inf"))}, r"^limits: expected the least and the"),
    "one limit": ({"limits": 1}, r"^limits: expected the least and the greatest"),
    "a value outside": (
        {"limits": (0, 0.5)},
        r"^fn: rr, for the labels \[.*\]: the value Fraction\(1, 1\) is outside limits, 0 to 0\.5",
    ),
    "an error": (
        {"fn": raising},
        r"^fn: raising, for the labels \[0, 0, 1\]: ZeroDivisionError: 3 labels$",
    ),
    "no number": (
        {"fn": lambda _: None},
        r"^fn: <lambda>, for .*: expected a finite number, got N",
    ),
    "infinite": ({"fn": lambda _: float("inf")}, r"expected a finite number, got inf$"),
    "true": ({"fn": lambda _: True}, r"expected a number, got True; write int\(\.\.\.\)$"),
    "a set": ({"judged": {0, 1}}, r"^judged: expected a flat list of labels, one or more, got \{0"),
    "what makes measures": ({"fn": rs.IUB}, r"^fn: expected a function, got <Bound IUB>$"),
    "no arguments": ({"fn": lambda: 1.0}, r"^bounds_of: <lambda> takes no argument for the labels"),
    "more arguments": ({"fn": greedy}, r'^bounds_of: greedy has a further argument "weight"'),
    "no cut-off": ({"k": 0}, r"^k: expected an integer from 1 on, got 0$"),
    "no level": ({"alpha": 1}, r"^alpha: expected a number between 0 and 1, got 1$"),
    "no samples": ({"samples": 0}, r"^samples: expected an integer from 1 to 2\^32, got 0$"),
    "no most": ({"most": 0}, r"^most: expected an integer from 1 to 2\^32, got 0$"),
    "no seed": ({"seed": -1}, r"^seed: expected an integer from 0 to 2\^64 - 1, got -1$"),
}


@each(("given_here", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(given_here: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        rs.bounds_of(**{"fn": rr, "judged": [1, 0, 0], **given_here})


def test_rankings_that_are_refused() -> None:
    found = rs.bounds_of(rr, [1, 0, 0])
    for labels in ([1, 0], [1, 1, 0], [0, 0, 2]):
        with pytest.raises(InputError, match=r"^labels: expected an order of the 3 labels of the"):
            found.ul2(labels)
    below = rs.bounds_of(lambda labels: labels[0] - 0.5, [1, 0])
    assert (below.rlb.value, below.wlb.value) == (0.0, -0.5)
    with pytest.raises(InputError, match=r"^ul1: <lambda> has values below 0; UL1 and UL2 are of"):
        below.ul1([1, 0])


@each("share_of_all", [Fraction(1, 3), Fraction(1, 10)])
def test_ends_are_rounded_outwards(share_of_all: Fraction) -> None:
    """The double nearest to a third is below it, and that nearest to a tenth above."""
    found = rs.bounds_of(lambda _: share_of_all, LARGE, limits=(0, 1), samples=3)
    low, high = found.iub.low, found.wlb.high
    assert Fraction(low) < share_of_all < Fraction(high)
    assert high == nextafter(low, 1)


@pytest.mark.spec("RS-BND-14")
def test_a_measure_has_bounds_of_its_own():
    for fn in (rs.nDCG(k=2), rs.nDCG(k=2).of):
        with pytest.raises(InputError, match=r"its bounds are IUB\(nDCG@2\), RLB\(nDCG@2\)"):
            rs.bounds_of(fn, [2, 1, 0, 0], k=2)
    for metric in (rs.RR, rs.RR.of):  # it was not called
        with pytest.raises(InputError, match=r"its bounds are IUB\(RR\), RLB\(RR\)"):
            rs.bounds_of(metric, [2, 1, 0, 0], k=2)


@pytest.mark.spec("RS-BND-14")
@pytest.mark.parametrize("value", [10**400, Fraction(10) ** 400, -(10**400)])
def test_numbers_that_no_double_is_near_are_refused(value):
    with pytest.raises(InputError, match="expected a number within the range of doubles, got"):
        rs.bounds_of(lambda _: value, [1, 0])
