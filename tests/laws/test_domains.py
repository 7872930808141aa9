"""The domains of laws: in a small world each law holds where it is stated, and fails outside.

A world has all lists of up to three items, all pools of up to three (whether they cover the list
or not) and four cut-offs. Values are exact. A law that held outside its domain too would state a
hypothesis that it does not need; one that failed inside would be false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

import rankspec as rs
from rankspec.metrics.measure import Metric, Ranking, value
from rankspec.reference import agreement, randomness
from rankspec.reference.numbers.reals import RATIONALS

from ..each import each

Labels = tuple[int, ...]
LISTS = [r for n in range(4) for r in product(range(3), repeat=n)]
POOLS = [J for n in range(4) for J in combinations_with_replacement(range(3), n)]
EPSILON = Fraction(1, 10**5)  # of infAP


@dataclass(frozen=True)
class World:
    """A list, a pool and a cut-off (None: none)."""

    r: Labels
    J: Labels
    k: int | None

    @property
    def hits(self) -> int:
        return sum(x > 0 for x in self.r[: self.k])

    @property
    def relevant(self) -> int:
        return sum(x > 0 for x in self.J)

    @property
    def covers(self) -> bool:
        """Each label above 0 is in the pool at least as often as in the list."""
        return all(self.J.count(x) >= self.r.count(x) for x in (1, 2))

    @property
    def covers_relevant(self) -> bool:
        return self.relevant >= sum(x > 0 for x in self.r)

    def of(self, metric: Metric, **given: Any) -> Fraction:
        return exact(metric, self.r, self.J, self.k, tuple(given.items()))

    def list_of(self, metric: Metric, r: Labels, **given: Any) -> Fraction:
        return exact(metric, r, self.J, self.k, tuple(given.items()))


@cache
def exact(metric: Metric, r: Labels, J: Labels, k: int | None, given: Any) -> Fraction:
    measure = metric(k=k, **dict(given))
    return Fraction(value(measure, Ranking([[x] for x in r], list(J)), RATIONALS))


def worlds(cutoffs: tuple[int | None, ...] = (1, 2, 3, None)) -> Iterator[World]:
    return (World(r, J, k) for r in LISTS for J in POOLS for k in cutoffs)


@dataclass(frozen=True)
class Law:
    """A law: where it is stated, and what it states."""

    id: str
    domain: Callable[[World], bool]
    holds: Callable[[World], bool]


def pooled(metric: Metric, w: World, **given: Any) -> Fraction:
    return w.of(metric, max_rel="pool", **given)


def between(low: Fraction, x: Fraction, high: Fraction) -> bool:
    return min(low, high) <= x <= max(low, high)


ZIPF = {"discount": "zipf"}
CUT_OFF = {"discount": (1, 0, 0), "prior": "uniform", "gain": "linear"}

LAWS = [
    Law(
        "RS-PREC-7/L2",
        lambda w: w.covers_relevant and (w.k or len(w.r)) >= 1,
        lambda w: (
            (w.of(rs.AP, norm="k") == 1)
            == (
                w.relevant > 0
                and (w.k or len(w.r)) <= w.relevant
                and len(w.r) >= min(w.k or len(w.r), w.relevant)
                and all(w.r[: min(w.k or len(w.r), w.relevant)])
            )
        ),
    ),
    Law(
        "RS-PREC-17/L1",
        lambda w: w.relevant > 0 or w.covers_relevant,
        lambda w: w.relevant * w.of(rs.R) == w.hits,
    ),
    Law(
        "RS-PREC-22/L2",
        lambda w: w.relevant > 0 or w.covers_relevant,
        lambda w: between(w.of(rs.P), w.of(rs.F), w.of(rs.R)),
    ),
    Law(
        "RS-UTL-3/L2",
        lambda w: w.relevant > 0,
        lambda w: w.list_of(rs.Q_measure, tuple(sorted(w.J, reverse=True))) == 1,
    ),
    Law(
        "RS-USR-2/L1",
        lambda w: w.covers,
        lambda w: 0 <= pooled(rs.GRBP, w, p=0.5) <= 1 - Fraction(1, 2 ** len(w.r[: w.k])),
    ),
    Law("RS-USR-4/L1", lambda w: w.covers, lambda w: 0 <= pooled(rs.SDCG, w, **ZIPF) <= 1),
    Law("RS-USR-7/L2", lambda w: w.covers, lambda w: 0 <= pooled(rs.BPM, w) <= 1),
    Law(
        "RS-USR-8/L1",
        lambda w: w.covers and w.relevant > 0,
        lambda w: (w.of(rs.Compat, p=0.5) == 1) == begins_ideally(w),
    ),
    Law(
        "RS-DCG-7/L3",
        lambda w: any(w.J),
        lambda w: steps(w) == discounted(w),
    ),
    Law(
        "RS-LEN-9/L4",
        lambda w: any(w.J),
        lambda w: (
            w.k is None
            or len(w.r) >= w.k
            or not w.hits
            or w.list_of(rs.LNDCG, (*w.r, 0), **ZIPF) < w.of(rs.LNDCG, **ZIPF)
        ),
    ),
]


def begins_ideally(w: World) -> bool:
    depth = min(w.relevant, w.k or max(len(w.r), w.relevant))
    return w.r[:depth] == tuple(sorted(w.J, reverse=True))[:depth]


def steps(w: World) -> Fraction:
    """nDCG with the ideal "all" at the cut-off after this one, less that at this one."""
    if w.k is None or w.k >= len(w.r):
        return Fraction(0)
    deeper = World(w.r, w.J, w.k + 1)
    return deeper.of(rs.nDCG, ideal="all", **ZIPF) - w.of(rs.nDCG, ideal="all", **ZIPF)


def discounted(w: World) -> Fraction:
    """The discounted gain of the rank after the cut-off, over IDCG; over 1 where that is 0."""
    if w.k is None or w.k >= len(w.r):
        return Fraction(0)
    ideal = exact(rs.IDCG, w.J, w.J, None, tuple(ZIPF.items()))
    return Fraction(w.r[w.k], w.k + 1) / (ideal or 1)


@each("law", LAWS, fast=2)
@pytest.mark.spec("RS-PREC-7/L2", "RS-PREC-17/L1", "RS-PREC-22/L2", "RS-UTL-3/L2")
@pytest.mark.spec("RS-USR-2/L1", "RS-USR-4/L1", "RS-USR-7/L2", "RS-USR-8/L1")
@pytest.mark.spec("RS-DCG-7/L3", "RS-LEN-9/L4", "RS-CONV-3")
def test_a_law_holds_on_its_domain_and_fails_outside(law):
    outside = []
    for w in worlds():
        if law.domain(w):
            assert law.holds(w), w
        else:
            outside.append(w)
    assert any(not law.holds(w) for w in outside), "a hypothesis that the law does not need"


# Laws of other inputs than a list and a pool: the domain, and one input outside.


@pytest.mark.spec("RS-DCG-6/L1", "RS-DCG-6/L4", "RS-GAIN-1/L2", "RS-GAIN-3/L2", "RS-CONV-17/L2")
@pytest.mark.parametrize("ideal", ["k", "all", "shown", "perfect"])
def test_the_laws_of_gains_are_of_ideals_that_divide_by_idcg(ideal):
    """The range, and the freedom of a factor of the gain, fail for "perfect"."""
    found = [
        (rs.ndcg(r, k=k, ideal=ideal), rs.ndcg([2 * x for x in r], k=k, ideal=ideal))
        for r in map(list, LISTS)
        for k in (1, 2, None)
    ]
    holds = all(0 <= x <= 1 and x == y for x, y in found)
    assert holds == (ideal != "perfect")


@pytest.mark.spec("RS-DISC-4/L2")
def test_one_relevant_item_has_its_reciprocal_rank_by_a_gain_of_1():
    for gain, expected in (("linear", 0.5), ("exp2", 0.5), ([0, 5], 2.5)):
        assert rs.dcg([0, 1], discount="zipf", gain=gain) == expected
    assert rs.rr([0, 1]) == 0.5


@pytest.mark.spec("RS-LEN-10/L3", "RS-LEN-10/L4", "RS-LEN-10/L5")
def test_c1_fails_where_the_second_rank_counts_nothing():
    for second, satisfied in ((1, True), (0, False)):
        given = {"discount": [2, second], "prior": "uniform", "k": 2, "gain": "linear"}
        assert (rs.ldcg([2], **given) > rs.ldcg([2, 1], **given)) == satisfied


@pytest.mark.spec("RS-LEN-1/L1", "RS-LEN-1/L2", "RS-LEN-1/L3")
def test_weights_that_are_all_0_are_no_prior():
    with pytest.raises(rs.InputError, match="prior"):
        rs.ldcg([1, 1], prior=[0, 0], k=2)
    assert rs.ldcg([1, 1], discount=[0, 0], k=2) == 0  # of such a discount there is none


@pytest.mark.spec("RS-PREC-40/L2", "RS-EXP-93/L3")
def test_the_reverse_of_auc_needs_a_pair():
    for r in map(list, LISTS):
        pairs = any(r) and not all(r)
        assert (rs.auc(r[::-1]) == 1 - rs.auc(r)) == (pairs or (not r and rs.auc(r) == 0.5))


@pytest.mark.spec("RS-PREC-51/L2")
def test_infap_is_near_ap_where_the_pool_covers_the_list():
    """The terms of four items differ by 0, 1/2, 1/3 and 1/4 of ε or less."""
    for w in worlds():
        if w.covers_relevant:
            assert abs(w.of(rs.infAP) - w.of(rs.AP)) < EPSILON
    four = World((1, 1, 1, 1), (1,), None)
    assert abs(four.of(rs.infAP) - four.of(rs.AP)) > EPSILON


@pytest.mark.spec("RS-USR-4/L1", "RS-EXP-47/L2")
def test_scaled_dcg_needs_no_rank_without_a_weight():
    """The list ends at rank 1, and the second rank counts nothing: 1, although k > n."""
    assert rs.scaled_dcg([4], k=2, discount=[1, 0]) == 1
    assert rs.scaled_dcg([4], k=2) < 1
    assert rs.scaled_dcg([4, 0], scores=[1, 1], k=1) == 0.5
    assert rs.scaled_dcg([4, 0], scores=[1, 1], k=1, discount=[0, 0]) == 0  # d(1) = 0


@pytest.mark.spec("RS-USR-5/L1", "RS-USR-5/L3", "RS-USR-32/L1", "RS-USR-33/L1")
@each("function", [rs.insq, rs.nerr10, rs.nerr11], fast=3)
def test_endless_values_fall_where_something_is_gained(function):
    depths = (2, 10, 100, None)
    falling = [function([2, 0], k=k) for k in depths]
    assert falling == sorted(set(falling), reverse=True)
    assert [function([0, 0], k=k) for k in depths] == [0] * len(depths)


@pytest.mark.spec("RS-USR-7/L3")
def test_dynamic_bpm_is_not_rr():
    for r in product((0, 4), repeat=3):
        assert rs.bpm(list(r)) == rs.rr(list(r), rel=4)
    assert rs.bpm([0, 0, 4], hb=2) == 0 < rs.rr([0, 0, 4], rel=4)


@pytest.mark.spec("RS-REL-15/L3")
def test_the_ideal_order_has_1_where_some_score_has_a_relevance():
    points = [(0, 0), (1, 1)]
    assert rs.ap_phi([1, 1, 0], points=points) == 1
    assert rs.ap_phi([0, 0], points=points) == 0


@pytest.mark.spec("RS-SES-13/L2", "RS-SES-17/L1", "RS-SES-19/L1", "RS-SES-20/L1", "RS-SES-25/L2")
def test_sessions_without_a_rank_and_no_sessions():
    assert rs.sdcg_vector([[]], padding=0).tolist() == []
    assert rs.avg_sdcg([[]], padding=0) == 0
    assert rs.nsdcg_vector([[]], judged=[1], padding=0).tolist() == []
    assert rs.held([], 2).tolist() == [0, 0]
    assert rs.still_running([], 1) == 0
    assert rs.query_ndcg([[]], judged=[1], k=2, padding=0, dcg="mean") == 0


@pytest.mark.spec("RS-SES-29/L3")
def test_instance_recall_of_one_query_is_recall():
    for r in map(list, LISTS):
        for k in (1, 2, 3):
            pool = [*r, 1]
            assert rs.instance_recall([r], judged=pool, k=k) == rs.recall(r, judged=pool, k=k)


@pytest.mark.spec("RS-DIV-3/L1", "RS-DIV-7/L1", "RS-DIV-8/L1", "RS-DIV-9/L1", "RS-DIV-14/L2")
def test_one_subtopic_must_count():
    """With rel=3 no item of this pool is relevant, and the subtopic does not count."""
    rows, labels = [[1], [2]], [1, 2]
    given = {"stopping": "max", "judged": rows}
    assert rs.nerr_ia(rows, **given) == rs.nerr(labels)
    assert rs.nerr_ia(rows, **given, rel=3) == 0 < rs.nerr(labels)
    assert rs.err_ia(rows, norm="none", **given) == rs.err(labels)
    assert rs.err_ia(rows, norm="none", **given, rel=3) == 0
    apart = {"judged": [[0]], "check": False}
    assert rs.alpha_dcg([[1]], alpha=0, norm="none", **apart) == 0 < rs.dcg([1])
    assert rs.nrbp([[1]], alpha=0, beta=0.5, **apart) == 0 < rs.rbp([1], p=0.5)
    assert rs.st_recall([[1]], probabilities=[1], **apart) == 0 < rs.success([1])


@pytest.mark.spec("RS-DIV-6/L2", "RS-DIV-8/L2", "RS-DIV-10/L1", "RS-DIV-16/L2")
def test_exact_ideals_bound_lists_of_the_pool():
    apart = {"judged": [[1, 0], [0, 1]], "check": False, "k": 1}
    for function in (rs.alpha_ndcg, rs.nerr_ia, rs.nnrbp):
        assert function([[1, 1]], ideal="exact", **apart) == 2
        assert function([[1, 1]], k=1, ideal="exact") == 1
    assert rs.d_ndcg([[1, 1]], **apart) == 2


@pytest.mark.spec("RS-RND-9/L4", "RS-RND-11/L2")
def test_the_least_p_needs_a_difference_and_p_need_not_fall():
    assert randomness.randomisation([0, 0], seed=0, m=1).p == 1  # not 2
    assert randomness.randomisation([3, 0, 2], seed=0, m=1).p == Fraction(1, 2)
    found = randomness.randomised_hsd([[2, 1, 0]], seed=0, m=1)
    assert {pair: x.p for pair, x in found.items()} == {(0, 1): 1, (0, 2): 1, (1, 2): 1}


@pytest.mark.spec("RS-AGR-9/L2", "RS-AGR-10/L3")
def test_two_kinds_of_rbo_can_agree_and_a_difference_of_0_has_no_direction():
    half = Fraction(1, 2)
    same = [["A"], ["B"]]
    assert agreement.rbo_at_depth("AB", "AB", half, 2) == agreement.rbo_ext(same, same, half) == 1
    found = agreement.conflicts([(0.0, 0.01)], [(0.1, 0.01)], 0.05)
    assert found.gained - found.lost == 1
    assert agreement.discriminative_power([0.01], 0.05)[0] == 1  # of either measure


@pytest.mark.spec("RS-CONV-38/L2", "RS-CONV-17/L2")
def test_a_pool_that_includes_the_list_need_not_cover_it_where_0_is_relevant():
    assert rs.recall([0, 0], judged=[0], rel=0) == 2
    assert rs.recall([0, 0], judged=[0], rel=1) == 0
    found = rs.evaluate(
        {"q": {"a": 3}}, {"q": {"a": 1.0}}, "nDCG(ideal='perfect')", pool="retrieved"
    )
    assert found.mean["nDCG(ideal='perfect')"] == 3


@pytest.mark.spec("RS-BND-4/L3", "RS-BND-5/L1", "RS-BND-5/L7", "RS-BND-6/L10", "RS-BND-8/L2")
def test_u_and_rho_are_0_where_iub_is_0_and_formulas_need_not_bound():
    nothing = [0, 0]
    for bound in (rs.U, rs.UL1, rs.UL2, rs.Ratio):
        assert bound(rs.SP(k=1)).of(nothing) == 0
    by_formula = {"bounds": "karmaker-2022"}
    bounds = [x(rs.SP(k=1), **by_formula).of(nothing) for x in (rs.IUB, rs.RLB)]
    assert bounds == [1, 0]  # so that 1/(1 + rho) is 1, which no exact bound allows
