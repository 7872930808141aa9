"""The laws of the metrics of diversity, of rankings whose items have a label for each subtopic.

The gains of novelty are computed here once more by counting, for each subtopic, how many items
above are relevant to it.
"""

from __future__ import annotations

import io
import math
import random
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec
from rankspec.metrics.catalogue import DIVERSITY_METRICS
from rankspec.reference import diversity

from ..each import each
from .law import law

ALPHAS = st.sampled_from([0, 0.25, 0.5, 0.75, 1])
SOME = st.integers(1, 3)
CUTOFFS = st.one_of(st.none(), st.integers(1, 6))
FUNCTIONS = [m.function for m in DIVERSITY_METRICS]


@st.composite
def worlds(draw, subtopics=SOME, highest=1, items=5):
    """(the list, the pool that it is from): rows of labels."""
    m = draw(subtopics)
    row = st.lists(st.integers(0, highest), min_size=m, max_size=m)
    pool = draw(st.lists(row, min_size=1, max_size=items))
    order = draw(st.permutations(pool))
    return order[: draw(st.integers(1, len(pool)))], pool


BINARY, GRADED = worlds(), worlds(highest=4)
ONE, ONE_GRADED = worlds(st.just(1)), worlds(st.just(1), highest=4)


def column(rows, j=0):
    return [row[j] for row in rows]


def exact(name, labels, pool, **given):
    """The value of a metric whose discount is rational, exactly."""
    found = rankspec.certify.certified(name, labels, judged=pool, **given).exact
    assert found is not None
    return found


def with_changed(**changed):
    """A metric that takes something else than what it is given."""
    return lambda f: lambda labels, **a: f(labels, **{**a, **changed})


def first_column(f):
    """A metric that sees the first subtopic alone."""
    return (
        lambda labels, judged=None, probabilities=None, **a: f(  # noqa: ARG005
            [row[:1] for row in labels], judged=[row[:1] for row in judged], **a
        )
    )


def doubled(f):
    return lambda *a, **given: 2 * f(*a, **given)


def other_pool(f):
    """A metric whose ideal is of the list alone."""
    return lambda labels, judged=None, **a: f(labels, judged=labels, **a)  # noqa: ARG005


# ---- the probabilities, and the gains ---------------------------------------------------------


@pytest.mark.spec("RS-DIV-1/L1")
@given(world=BINARY)
def test_the_probabilities_add_up_to_1(world):
    """All of them are covered by the pool itself, and a list without relevant items covers none."""
    _, pool = world
    covered = exact("p_ia", [[1] * len(pool[0])], [[1] * len(pool[0]), *pool], k=1)
    assert covered == 1
    assert exact("p_ia", [[0] * len(pool[0])], pool, k=1) == 0


@pytest.mark.spec("RS-DIV-1/L2")
@law(world=GRADED, w=st.integers(1, 9), name=st.sampled_from(FUNCTIONS), ndcg_ia=doubled)
def test_multiples_of_the_weights(rs, *, world, w, name):
    labels, pool = world
    weights = [j + 1 for j in range(len(pool[0]))]
    for function in (name, "ndcg_ia"):
        found = getattr(rs, function)(labels, judged=pool, probabilities=[w * x for x in weights])
        one = getattr(rankspec, function)(labels, judged=pool, probabilities=weights)
        assert found == one


@pytest.mark.spec("RS-DIV-1/L3")
@law(
    world=GRADED,
    name=st.sampled_from(FUNCTIONS),
    seed=st.randoms(use_true_random=False),
    p_ia=first_column,
)
def test_the_order_of_subtopics_does_not_matter(rs, *, world, name, seed):
    labels, pool = world
    order = list(range(len(pool[0])))
    seed.shuffle(order)
    weights = [j + 1 for j in range(len(order))]
    for function in (name, "p_ia"):
        one, other = (
            getattr(rs, function)(
                [[row[j] for j in by] for row in labels],
                judged=[[row[j] for j in by] for row in pool],
                probabilities=[weights[j] for j in by],
            )
            for by in (order, sorted(order))
        )
        assert one == other


def counted_gains(labels, pool, alpha):
    """The gains of novelty, each subtopic counting alike, by counting."""
    counts = [any(row[j] >= 1 for row in pool) for j in range(len(pool[0]))]
    S, above, gains = sum(counts), [0] * len(counts), []
    for row in labels:
        gains.append(
            sum(
                (1 - Fraction(alpha)) ** above[j] / S
                for j, label in enumerate(row)
                if label >= 1 and counts[j]
            )
            + Fraction(0)
        )
        above = [n + (label >= 1) for n, label in zip(above, row, strict=True)]
    return gains


@pytest.mark.spec("RS-DIV-2", "RS-DIV-7", "RS-DIV-9")
@given(world=GRADED, alpha=ALPHAS)
def test_the_gains_by_counting(world, alpha):
    labels, pool = world
    G = counted_gains(labels, pool, alpha)
    found = exact("err_ia", labels, pool, alpha=alpha, norm="none")
    assert found == sum(x / i for i, x in enumerate(G, start=1))
    total = sum(x / 4**i for i, x in enumerate(G))
    by_rank = exact("nrbp", labels, pool, alpha=alpha, beta=0.25)
    assert by_rank == (1 - (1 - Fraction(alpha)) / 4) * total


@pytest.mark.spec("RS-DIV-2/L1", "RS-DIV-2/L2")
@law(world=BINARY, err_ia=with_changed(alpha=0.5))
def test_without_redundancy_and_with_all_of_it(rs, *, world):
    labels, pool = world
    S = sum(map(any, zip(*pool, strict=True)))
    given = {"judged": pool, "norm": "none", "k": 2}
    shares = [Fraction(sum(row), S) if S else 0 for row in labels]
    expected = sum(x / i for i, x in enumerate(shares[:2], start=1))
    assert rs.err_ia(labels, alpha=0, **given) == float(expected)
    new = [sum(any(column(labels[:i], j)) for j in range(len(pool[0]))) for i in (0, 1, 2)]
    once = Fraction(new[1]) + Fraction(new[2] - new[1], 2)
    assert rs.err_ia(labels, alpha=1, **given) == float(once / S if S else 0)


@pytest.mark.spec("RS-DIV-2/L3")
@law(world=GRADED, k=st.integers(1, 4), alpha_dcg=with_changed(k=None))
def test_what_stands_below_does_not_matter(rs, *, world, k):
    labels, pool = world
    below = [[1] * len(pool[0])] * (6 - len(labels))
    given = {"judged": pool, "k": k, "norm": "none"}
    shown = labels[:k]
    longer = shown + (labels[k:] + below if len(shown) == k else [])
    assert rs.alpha_dcg(longer, **given) == rs.alpha_dcg(shown, **given)


# ---- α-DCG and its ideal ----------------------------------------------------------------------


@pytest.mark.spec("RS-DIV-3/L1")
@law(world=ONE_GRADED, k=CUTOFFS, rel=st.integers(1, 3), alpha_dcg=with_changed(alpha=0.5))
def test_alpha_dcg_of_one_subtopic_is_dcg(rs, *, world, k, rel):
    labels, pool = world
    pool = [*pool, [4]]  # the subtopic counts
    k = len(pool) if k is None else k
    found = rs.alpha_dcg(labels, judged=pool, k=k, rel=rel, alpha=0, norm="none")
    assert found == rs.dcg([int(x >= rel) for x in column(labels)], k=k)


@pytest.mark.spec("RS-DIV-3/L2", "RS-DIV-7/L2", "RS-DIV-9/L2")
@law(world=GRADED, k=CUTOFFS, alpha=ALPHAS, alpha_dcg=doubled, err_ia=doubled, nrbp=doubled)
def test_values_are_from_0_to_1(rs, *, world, k, alpha):
    labels, pool = world
    given = {"judged": pool, "k": k, "alpha": alpha}
    for function in (rs.alpha_dcg, rs.err_ia, rs.nrbp):
        assert 0 <= function(labels, **given) <= 1
    assert 0 <= rs.err_ia(labels, judged=pool, k=k, stopping="max") <= 1
    perfect = {"judged": [[1, 1]] * 4, "k": 3, "alpha": alpha}
    assert rs.alpha_dcg([[1, 1]] * 3, **perfect) == rs.err_ia([[1, 1]] * 3, **perfect) == 1
    assert rs.nrbp([[1]] * 60, judged=[[1]] * 60, alpha=alpha) == pytest.approx(1, abs=1e-15)


def greedy_by_hand(pool, k, alpha):
    """The gains of the greedy list: each time the first of the best items that are left."""
    left, shown = list(pool), []
    while left and len(shown) < k:
        gains = [counted_gains([*shown, row], pool, alpha)[-1] for row in left]
        shown.append(left.pop(gains.index(max(gains))))
    return counted_gains(shown, pool, alpha)


@pytest.mark.spec("RS-DIV-4", "RS-DIV-4/L1", "RS-DIV-4/L2", "RS-DIV-8")
@given(world=worlds(items=6), k=st.integers(1, 6), alpha=ALPHAS)
def test_the_greedy_ideal_by_hand(world, k, alpha):
    labels, pool = world
    G = greedy_by_hand([[1] * len(pool[0]), *pool], k, alpha)
    assert sorted(G, reverse=True) == G
    pool = [[1] * len(pool[0]), *pool]
    own, ideal = (
        sum(x / i for i, x in enumerate(gains[:k], start=1))
        for gains in (counted_gains(labels, pool, alpha), G)
    )
    assert exact("nerr_ia", labels, pool, k=k, alpha=alpha) == own / ideal
    if len(pool[0]) == 1:
        n = sum(map(sum, pool))
        expected = [(1 - Fraction(alpha)) ** i if i < n else 0 for i in range(len(G))]
        assert expected == G


@pytest.mark.spec("RS-DIV-4", "RS-DIV-4/L2")
def test_of_equal_items_the_first_is_taken():
    """With the last one, the value is another."""
    pool = [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]]
    found = exact("nerr_ia", pool[:1], pool, k=3, alpha=1)
    assert found == Fraction(2, 4) / (Fraction(2, 4) + Fraction(1, 8) + Fraction(1, 12))
    other = exact("nerr_ia", pool[:1], pool[::-1], k=3, alpha=1)
    assert other == Fraction(2, 4) / (Fraction(2, 4) + Fraction(2, 8))


def greedy_by_fractions(pool, k, P, g, s):
    """The greedy list, of the gains of all items that are left at each rank."""
    waiting, shown, left = list(pool), [], list(P)
    while waiting and len(shown) < k:
        gains = [sum(x * g(r) for x, r in zip(left, row, strict=True)) for row in waiting]
        if not max(gains):
            break
        shown.append(waiting.pop(gains.index(max(gains))))
        left = [x * (1 - s(r)) for x, r in zip(left, shown[-1], strict=True)]
    return shown


def of_list(rows, P, g, s):
    """Return gains and shares of the subtopics that count, which tell items apart."""
    return [[(g(r), s(r)) for r, p in zip(row, P, strict=True) if p] for row in rows]


def stops(r):
    return Fraction(2**r - 1, 8)


@pytest.mark.spec("RS-DIV-4")
@each("turn", range(40), fast=6)
def test_the_greedy_ideal_of_longer_pools(turn):
    """So long that gains differ by far more than the range of doubles."""
    rng = random.Random(turn)
    shares = [Fraction(0.5), Fraction(0.3), Fraction(1, 3), Fraction(1), Fraction(0)]
    alpha = shares[turn // 5 % 5]
    n, m = rng.choice([5, 20, 60]), rng.choice([1, 2, 3, 7])
    pool = [[rng.choice((0, 0, 1, rng.randrange(4))) for _ in range(m)] for _ in range(n)]
    P = [Fraction(rng.randrange(4), 7) for _ in range(m)]
    readings = (
        (lambda r: Fraction(int(r >= 1)), lambda r: alpha * (r >= 1)),
        (stops, stops),
    )
    for g, s in readings:
        for k in (n // 2, n):
            greedy = diversity.greedy_ideal(pool, k, P, g, s)
            expected = greedy_by_fractions(pool, k, P, g, s)
            assert of_list(greedy, P, g, s) == of_list(expected, P, g, s)


@pytest.mark.spec("RS-DIV-4")
def test_the_greedy_ideal_computes_with_short_numbers(monkeypatch):
    """The gains of a long list fall below 2^-1000, and their quotients remain small."""
    bits = []
    monkeypatch.setattr(diversity, "log2", lambda x: bits.append(x.bit_length()) or math.log2(x))
    pool, P = [[1, 0, 0], [0, 1, 0], [0, 1, 1]] * 700, [Fraction(1, 3)] * 3
    for alpha in (Fraction(1, 2), Fraction(0.3)):
        bits.clear()
        found = diversity.greedy_ideal(
            pool, len(pool), P, Fraction, lambda r, alpha=alpha: alpha * r
        )
        assert len(found) == len(pool)
        assert max(bits) < 1024
        assert len(bits) < 12 * len(pool)


@pytest.mark.spec("RS-DIV-5", "RS-DIV-5/L1", "RS-DIV-5/L2")
@law(
    world=worlds(items=4),
    k=st.integers(1, 4),
    alpha=ALPHAS,
    alpha_ndcg=with_changed(ideal="greedy"),
)
def test_the_exact_ideal_is_the_best_of_all_orders(rs, *, world, k, alpha):
    crossed = [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]]  # where the greedy one is not
    for labels, pool in (world, (crossed[1:], crossed)):
        given = {"judged": pool, "k": k, "alpha": alpha}
        orders = [rs.alpha_dcg(list(order), **given) for order in permutations(pool)]
        best, value = max(orders), rs.alpha_ndcg(labels, ideal="exact", **given)
        assert value == pytest.approx(
            rs.alpha_dcg(labels, **given) / best if best else 0, rel=1e-14
        )
        ideal = list(permutations(pool))[orders.index(best)]
        assert rs.alpha_ndcg(list(ideal), ideal="exact", **given) == (1 if best else 0)
        again = {**given, "judged": pool[::-1]}
        assert rs.alpha_ndcg(labels, ideal="exact", **again) == value


@pytest.mark.spec("RS-DIV-5")
@pytest.mark.slow
def test_a_search_that_is_too_long_says_so():
    rng = np.random.default_rng(7)
    pool = (rng.random((60, 9)) < 0.4).astype(int)
    with pytest.raises(rankspec.InputError, match=r"of a pool of 60 items, \d+ of them different"):
        rankspec.alpha_ndcg(pool[:5], judged=pool, k=20, ideal="exact")
    assert rankspec.alpha_ndcg(pool[:5], judged=pool, k=20) > 0


@pytest.mark.spec("RS-DIV-6", "RS-DIV-6/L1")
@law(world=ONE_GRADED, k=CUTOFFS, rel=st.integers(1, 3), alpha_ndcg=with_changed(alpha=0.5))
def test_alpha_ndcg_of_one_subtopic_is_ndcg(rs, *, world, k, rel):
    labels, pool = world
    found = rs.alpha_ndcg(labels, judged=pool, k=k, rel=rel, alpha=0)
    relevant, judged = ([int(x >= rel) for x in column(rows)] for rows in (labels, pool))
    assert found == rs.ndcg(relevant, judged=judged, k=k)


@pytest.mark.spec("RS-DIV-6/L2", "RS-DIV-8/L2", "RS-DIV-10/L1")
@law(
    world=worlds(items=4),
    k=CUTOFFS,
    alpha=ALPHAS,
    alpha_ndcg=with_changed(ideal="greedy"),
    nerr_ia=doubled,
    nnrbp=doubled,
)
def test_over_the_exact_ideal_nothing_is_above_1(rs, *, world, k, alpha):
    crossed = [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]]
    for labels, pool in (world, (crossed[1:], crossed), ([[1]], [[1]])):
        given = {"judged": pool, "k": k, "alpha": alpha, "ideal": "exact"}
        for function in (rs.alpha_ndcg, rs.nerr_ia, rs.nnrbp):
            assert 0 <= function(labels, **given) <= 1
    greedy = rankspec.alpha_ndcg(crossed[1:], judged=crossed, k=2, alpha=1)
    assert greedy > 1 >= rs.alpha_ndcg(crossed[1:], judged=crossed, k=2, alpha=1, ideal="exact")


@pytest.mark.spec("RS-DIV-6/L3")
@law(world=GRADED, k=CUTOFFS, alpha_ndcg=first_column)
def test_equal_probabilities_are_none(rs, *, world, k):
    labels, pool = world
    pool = [*pool, [1] * len(pool[0])]
    weights = [3] * len(pool[0])
    found = rs.alpha_ndcg(labels, judged=pool, k=k)
    assert found == rankspec.alpha_ndcg(
        labels, judged=pool, k=k, probabilities=weights, check=False
    )


# ---- ERR-IA, nERR-IA, NRBP and nNRBP ----------------------------------------------------------


@pytest.mark.spec("RS-DIV-7/L1")
@law(world=GRADED, k=CUTOFFS, err_ia=with_changed(stopping="alpha"))
def test_err_ia_is_the_mean_of_err(rs, *, world, k):
    labels, pool = world
    given = {"judged": pool, "k": k, "stopping": "max", "norm": "none"}
    counts = [j for j in range(len(pool[0])) if any(column(pool, j))]
    errs = [rankspec.certify.err(column(labels, j), k=k).exact for j in counts if column(labels, j)]
    expected = sum(errs, start=Fraction(0)) / max(len(counts), 1)
    assert rs.err_ia(labels, **given) == float(expected)


@pytest.mark.spec("RS-DIV-8/L1", "RS-DIV-7/L1")
@law(world=ONE_GRADED, k=CUTOFFS, nerr_ia=with_changed(stopping="alpha"))
def test_nerr_ia_of_one_subtopic_is_nerr(rs, *, world, k):
    labels, pool = world
    found = rs.nerr_ia(labels, judged=pool, k=k, stopping="max")
    assert found == rs.nerr(column(labels), judged=column(pool), k=k)


@pytest.mark.spec("RS-DIV-9/L1")
@law(world=ONE, k=CUTOFFS, p=st.sampled_from([0.25, 0.5, 0.8]), nrbp=with_changed(alpha=0.5))
def test_nrbp_of_one_subtopic_is_rbp(rs, *, world, k, p):
    labels, pool = world
    found = rs.nrbp(labels, judged=pool, k=k, alpha=0, beta=p)
    assert found == rs.rbp(column(labels), k=k, p=p)


@pytest.mark.spec("RS-DIV-10")
@given(world=BINARY, alpha=ALPHAS)
def test_nnrbp_is_a_quotient(world, alpha):
    labels, pool = world
    pool = [*pool, [1] * len(pool[0])]
    given = {"alpha": alpha, "beta": 0.25}
    G = greedy_by_hand(pool, len(pool), alpha)
    ideal = sum(x / 4**i for i, x in enumerate(G)) * (1 - (1 - Fraction(alpha)) / 4)
    assert exact("nnrbp", labels, pool, **given) == exact("nrbp", labels, pool, **given) / ideal


# ---- the intent-aware means -------------------------------------------------------------------

MEANS = {"ndcg_ia": "ndcg", "ap_ia": "ap", "p_ia": "precision"}


@pytest.mark.spec("RS-DIV-11", "RS-DIV-11/L1", "RS-DIV-12/L1", "RS-DIV-13/L1")
@law(world=ONE_GRADED, k=CUTOFFS, ndcg_ia=doubled, ap_ia=doubled, p_ia=doubled)
def test_of_one_subtopic_the_mean_is_the_metric(rs, *, world, k):
    labels, pool = world
    for name, of_one in MEANS.items():
        found = getattr(rs, name)(labels, judged=[*pool, [1]], k=k)
        judged = {} if name == "p_ia" else {"judged": [*column(pool), 1]}
        assert found == getattr(rs, of_one)(column(labels), k=k, **judged)


@pytest.mark.spec("RS-DIV-11/L2", "RS-DIV-12", "RS-DIV-12/L2", "RS-DIV-13", "RS-DIV-13/L2")
@law(
    world=worlds(st.integers(2, 3), highest=2),
    k=CUTOFFS,
    ndcg_ia=doubled,
    ap_ia=doubled,
    p_ia=doubled,
)
def test_a_mean_is_between_the_least_and_the_greatest(rs, *, world, k):
    labels, pool = world
    pool = [*pool, [1] * len(pool[0])]
    for name, of_one in MEANS.items():
        found = getattr(rs, name)(labels, judged=pool, k=k)
        values = []
        for j in range(len(pool[0])):
            judged = {} if name == "p_ia" else {"judged": column(pool, j)}
            values.append(getattr(rs, of_one)(column(labels, j), k=k, **judged))
        assert min(values) <= found <= max(values)


# ---- recall, D-nDCG and D♯-nDCG ---------------------------------------------------------------


@pytest.mark.spec("RS-DIV-14", "RS-DIV-14/L1", "RS-DIV-14/L2")
@law(world=BINARY, k=st.integers(1, 4), st_recall=with_changed(k=2))
def test_subtopic_recall(rs, *, world, k):
    labels, pool = world
    counted = [j for j in range(len(pool[0])) if any(column(pool, j))]
    covered = [j for j in counted if any(column(labels, j)[:k])]
    found = rs.st_recall(labels, judged=pool, k=k)
    assert found == (len(covered) / len(counted) if counted else 0)
    assert found <= rankspec.st_recall(labels, judged=pool, k=k + 1)
    if len(pool[0]) == 1:
        assert found == rankspec.success(column(labels), k=k)


@pytest.mark.spec("RS-DIV-15", "RS-DIV-15/L1", "RS-DIV-16/L1")
@law(
    world=ONE_GRADED,
    k=CUTOFFS,
    gain=st.sampled_from(["linear", "exp2", [0, 1, 1, 5, 9]]),
    d_ndcg=with_changed(gain=[0, 1, 2, 3, 9]),
)
def test_d_ndcg_of_one_subtopic_is_ndcg(rs, *, world, k, gain):
    labels, pool = world
    found = rs.d_ndcg(labels, judged=pool, k=k, gain=gain)
    assert found == rs.ndcg(column(labels), judged=column(pool), k=k, gain=gain)


@pytest.mark.spec("RS-DIV-16", "RS-DIV-16/L2", "RS-DIV-17", "RS-DIV-17/L1")
@law(
    world=GRADED,
    k=CUTOFFS,
    gamma=st.sampled_from([0, 0.25, 0.5, 1]),
    d_ndcg=doubled,
    dsharp_ndcg=doubled,
)
def test_d_ndcg_and_dsharp(rs, *, world, k, gamma):
    labels, pool = world
    given = {"judged": pool, "k": k, "probabilities": list(range(1, len(pool[0]) + 1))}
    D, I = rs.d_ndcg(labels, **given), rs.st_recall(labels, **given)  # noqa: E741
    assert 0 <= D <= 1
    found = rs.dsharp_ndcg(labels, gamma=gamma, **given)
    assert min(D, I) <= found <= max(D, I)
    assert rs.dsharp_ndcg(labels, gamma=0, **given) == D
    gains = [sum((j + 1) * x for j, x in enumerate(row)) for row in pool]
    ideal = [row for _, row in sorted(zip(gains, pool, strict=True), reverse=True)]
    assert rs.d_ndcg(ideal, **given) == (1 if any(gains) else 0)


# ---- forms, and runs --------------------------------------------------------------------------


@pytest.mark.spec("RS-DIV-18", "RS-DIV-18/L1")
@given(
    batch=st.lists(worlds(st.just(2), highest=2), min_size=1, max_size=3),
    k=CUTOFFS,
    name=st.sampled_from(FUNCTIONS),
)
def test_the_form_does_not_matter(batch, k, name):
    function = getattr(rankspec, name)
    labels, pools = ([list(rows) for rows in which] for which in zip(*batch, strict=True))
    one = [function(r, judged=J, k=k) for r, J in zip(labels, pools, strict=True)]
    arrays = [
        function(np.array(r), judged=np.array(J), k=k) for r, J in zip(labels, pools, strict=True)
    ]
    offsets, judged_offsets = (np.cumsum([0, *map(len, which)]) for which in (labels, pools))
    flat = function(
        np.array([row for rows in labels for row in rows]),
        offsets=offsets,
        judged=[row for rows in pools for row in rows],
        judged_offsets=judged_offsets,
        k=k,
    )
    many = function(labels, judged=pools, k=k)
    assert one == arrays == flat.tolist() == many.tolist()
    measure = next(m for m in DIVERSITY_METRICS if m.function == name)(k=k)
    assert measure.of(labels, judged=pools).tolist() == one


def as_qrels(pool):
    """A query, its documents in the order of the pool: the highest id first."""
    names = [f"d{len(pool) - a:02}" for a in range(len(pool))]
    return {
        name: {f"s{j}": x for j, x in enumerate(row)} for name, row in zip(names, pool, strict=True)
    }


@pytest.mark.spec("RS-DIV-19", "RS-DIV-19/L1", "RS-DIV-20", "RS-DIV-20/L1")
@given(world=worlds(highest=2), name=st.sampled_from(FUNCTIONS), k=CUTOFFS, weighted=st.booleans())
def test_a_run_is_its_rows(world, name, k, weighted):
    _, pool = world
    own = as_qrels(pool)
    documents = sorted(own)  # the worst id first, and one that nobody judged
    ranked = [*documents[:2], "unjudged", *documents[2:]]
    run = {"q": {d: -i for i, d in enumerate(ranked)}}
    rows = [list(own.get(d, dict.fromkeys(own["d01"], 0)).values()) for d in ranked]
    weights = {s: j + 1 for j, s in enumerate(own["d01"])} if weighted else None
    measure = next(m for m in DIVERSITY_METRICS if m.function == name)(k=k)
    found = rankspec.evaluate_diversity(
        {"q": own}, run, measure, probabilities=None if weights is None else {"q": weights}
    )
    given = {"probabilities": list(weights.values())} if weights else {}
    assert found[str(measure)] == measure.of(rows, judged=pool, **given)
    lines = "".join(f"q {s} {d} L{x}\n" for d, r in own.items() for s, x in r.items())
    triples = [("q", s, d, x) for d, r in own.items() for s, x in r.items()]
    for form in (io.BytesIO(lines.encode()), triples):
        again = rankspec.evaluate_diversity(
            form, run, measure, probabilities=None if weights is None else {"q": weights}
        )
        assert again[str(measure)] == found[str(measure)]


@pytest.mark.spec("RS-DIV-19/L1")
@each("ties, expected", [("id-descending", 0.5), ("id-ascending", 1.0), ("input", 1.0)])
def test_ties_are_broken_by_ids(ties, expected):
    qrels = {"q": {"a": {"1": 1}, "b": {"1": 0}}}
    run = {"q": {"a": 1, "b": 1}}
    found = rankspec.evaluate_diversity(qrels, run, "nERR_IA@2", ties=ties)
    assert found["nERR_IA@2"] == expected
