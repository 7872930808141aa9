"""Bounds of DCG_phi and nDCG_phi by the C core: by ==, against the reference."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from itertools import pairwise
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankspec.compute import core as binding
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.errors import InputError
from rankspec.evaluation import scores_as_labels
from rankspec.metrics.bounds import bound_named
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.grammar import make
from rankspec.metrics.measure import Measure
from rankspec.metrics.relevance import VARIANT

from ..each import in_lane, thinned
from .batches import DISCOUNTS, by_core, flat, undecided_share
from .test_bounds import around
from .test_relevance import ALL_KINDS, POINTS, SCORES, WORDS

BND = pytest.mark.spec(
    "RS-BND-1", "RS-BND-2", "RS-BND-3", "RS-BND-4", "RS-BND-5", "RS-BND-6", "RS-BND-7", "RS-BND-8",
    "RS-EXP-1", "RS-NUM-21", "RS-NUM-21/L1",
)  # fmt: skip
OF = {m.name: m for m in METRICS if m.name in ("DCG_phi", "nDCG_phi")}
EVERY_METRIC = pytest.mark.parametrize("name", OF)
EITHER_VARIANT = pytest.mark.parametrize("variant", VARIANT.words)


def bounds_of(cutoffs: Sequence[int | None], name: str, **own) -> list[list[Measure]]:
    """For every bound, the measures at those cut-offs."""
    return [list(m) for m in zip(*(around(make(OF[name], k, **own)) for k in cutoffs), strict=True)]


# ---- against the reference -------------------------------------------------------------------


@st.composite
def related(draw: st.DrawFn, kind: str) -> Batch:
    """Lists with pools that are the lists themselves, hold them, or have other scores."""
    scores, forms = SCORES[kind]
    form = draw(st.sampled_from(forms))
    few = st.sampled_from(draw(st.lists(scores, min_size=1, max_size=3)))
    some = draw(st.sampled_from([scores, few]))
    lists = draw(st.lists(st.lists(some, max_size=7), max_size=3))
    if draw(st.booleans()):
        lists = [sorted(row) for row in lists]
    listed, offsets = flat(lists, form)
    starts = bytes(draw(st.lists(st.booleans(), min_size=len(listed), max_size=len(listed))))
    pooled: tuple = (None, None)
    if draw(st.booleans()):
        rows = [[*row, *draw(st.lists(few, max_size=3))] for row in lists]
        pooled = flat([draw(st.permutations(row)) for row in rows], form)
    elif draw(st.booleans()):
        other = form if form == "q" else draw(st.sampled_from(forms))
        pooled = flat([draw(st.lists(some, max_size=7)) for _ in lists], other)
    return Batch(listed, offsets, starts if draw(st.booleans()) else None, *pooled)


@pytest.mark.slow(but=1)
@pytest.mark.long(but=4)
@BND
@EVERY_METRIC
@ALL_KINDS
@given(data=st.data())
def test_against_the_reference(name, kind, data):
    batch = data.draw(related(kind))
    own = data.draw(WORDS) | {"points": data.draw(POINTS), "discount": data.draw(DISCOUNTS)}
    cutoffs = data.draw(st.lists(st.sampled_from([1, 2, 5, 9, None]), min_size=1, max_size=2))
    for measures in bounds_of(cutoffs, name, **own):
        outcomes = []
        for backend in ("c", "reference"):
            try:
                outcomes.append([column.tolist() for column in values(measures, batch, backend)])
            except InputError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1], measures


@pytest.mark.slow
@BND
@EITHER_VARIANT
def test_items_without_a_score(variant):
    """They gain nothing (RS-CONV-20), and are no items of the pool."""
    rng = random.Random(variant)
    rows = [[rng.randint(0, 9) for _ in range(rng.randint(1, 6))] for _ in range(30)]
    rows += [[5, 5, 5], [0, 0]]  # of equal scores no one is known to have the relevance 0
    labels, offsets = flat(rows, "q")
    flags = bytes(rng.random() < 0.3 for _ in labels)
    own = [
        [x for x, flag in zip(labels[a:b], flags[a:b], strict=True) if not flag]
        for a, b in pairwise(offsets)
    ]
    labels = array("q", (0 if flag else x for x, flag in zip(labels, flags, strict=True)))
    starts = bytes(rng.random() < 0.6 for _ in labels)
    for pools in (own, [[*row, 3, 12] for row in own]):
        batch = Batch(labels, offsets, starts, *flat(pools, "q"), flags)
        for measures in bounds_of([2, None], "nDCG_phi", variant=variant):
            ours, theirs = (scores_as_labels.values(measures, batch, x) for x in ("c", "reference"))
            assert ours == theirs, measures


@BND
@EVERY_METRIC
def test_scores_that_are_labels(name):
    """With the points (0, 0), (1, 1) they gain 0 and 1: all bounds are those of DCG."""
    rng = random.Random(name)
    rows = [[rng.randint(0, 1) for _ in range(rng.randint(0, 9))] for _ in range(200)]
    pools = [[*row, *rng.choices([0, 1], k=rng.randint(0, 4))] for row in rows]
    labels, offsets = flat(rows, "q")
    starts = bytes(rng.random() < 0.6 for _ in labels)
    batch = Batch(labels, offsets, starts, *flat(pools, "q"))
    plain = next(m for m in METRICS if m.name == name.removesuffix("_phi"))
    for k in (1, 3, None):
        of_labels = around(make(plain, k))
        of_scores = around(make(OF[name], k, points=[(0, 0), (1, 1)]))
        for one, other in zip(of_labels, of_scores, strict=True):
            assert values([one], batch) == values([other], batch), other


# ---- the core alone --------------------------------------------------------------------------


def random_batch(seed: str, number: int, *, tied: bool) -> Batch:
    rng = random.Random(seed)
    rows = [[rng.choice([0, 0, 1, 2, 5, 20, 100])] * rng.randint(0, 2) for _ in range(number)]
    rows = [row + [rng.randint(0, 30) for _ in range(rng.randint(0, 6))] for row in rows]
    rows = [rng.choice([list, sorted])(row) for row in rows]
    pools = [rng.choice([row, [*row, 7], [*row, *row]]) for row in rows]
    labels, offsets = flat(rows, "q")
    starts = bytes(rng.random() < 0.5 for _ in labels) if tied else None
    return Batch(labels, offsets, starts, *flat(pools, "q"))


@pytest.mark.slow
@pytest.mark.long(but=3)
@BND
@EVERY_METRIC
@EITHER_VARIANT
@pytest.mark.parametrize("tied", [False, True])
def test_short_lists(monkeypatch, name, variant, tied):
    batch = random_batch(variant, 70, tied=tied)
    for measures in bounds_of([1, 3, None], name, variant=variant):
        share = undecided_share(monkeypatch, measures, batch)
        assert share < (0.1 if tied else 0.03), measures


@pytest.mark.slow
@pytest.mark.long(but=2)
@BND
@pytest.mark.parametrize("bits", [56, 60])
@pytest.mark.parametrize("tied", [False, True])
def test_few_bits(monkeypatch, bits, tied):
    """What the core decides with so few bits a discount it decides rightly."""
    monkeypatch.setattr(binding, "bits_of_a_discount", bits)
    batch = random_batch(str(bits), 150, tied=tied)
    shares = [
        undecided_share(monkeypatch, measures, batch) for measures in bounds_of([2, 5], "DCG_phi")
    ]
    assert max(shares) > 0  # the control: these bits are really few
    assert min(shares) < 1


NEAR = {
    "scores": ([0.25 + i * 2.0**-54 for i in range(3)], [(0, 0), (1, 1)]),
    "scores by a flat slope": ([0.0, 2.0**-71, 2.0**-70], [(-1, 0.5), (0, 0.5), (1, 1)]),
    "points": ([0.0, 1.0, 2.0], [(0, 0.5), (1, 0.5 + 2.0**-53), (2, 0.5 + 2.0**-52)]),
}


@pytest.mark.slow
@pytest.mark.spec("RS-NUM-21", "RS-NUM-21/L1")
@pytest.mark.parametrize("what", NEAR)
@pytest.mark.parametrize("discount", ["log2", "none"])
def test_gains_that_are_nearly_equal(monkeypatch, what, discount):
    """With few bits, or by a slope that begins flat, a difference is open: it is not 0."""
    monkeypatch.setattr(binding, "bits_of_a_discount", 54)
    scores, points = NEAR[what]
    rows = [[a, b] for a in scores[:2] for b in scores[1:]]
    pooled = flat([J for _ in rows for J in rows], "d")
    listed, offsets = flat([r for r in rows for _ in rows], "d")
    own, own_offsets = flat(rows, "d")
    batches = [
        Batch(listed, offsets, None, *pooled),
        Batch(listed, offsets, bytes(i % 2 == 0 for i in range(len(listed))), *pooled),
        Batch(own, own_offsets, bytes(len(own))),
        Batch(own, own_offsets),
    ]
    shares = [
        undecided_share(monkeypatch, measures, batch)
        for batch in batches
        for measures in bounds_of([1, 2], "DCG_phi", points=points, discount=discount)[5:]
    ]
    open_ones = discount == "log2" or what == "scores by a flat slope"
    assert max(shares) > 0 or not open_ones  # the control: some are really open


@pytest.mark.slow(but=1)
@BND
@EVERY_METRIC
@EITHER_VARIANT
@thinned
def test_usual_lists_are_decided(monkeypatch, name, variant):
    """The reference is slow: of lists as there are, it is asked for none."""
    rng = random.Random(3)
    makers = [lambda: rng.randint(1, 1000), lambda: rng.choice([0, 0, 0, 1, 1, 2, 5, 20, 100])]
    for make_score in (*makers, lambda: rng.lognormvariate(0, 2)):
        rows = [
            [make_score() for _ in range(rng.randint(10, 30))] for _ in range(in_lane(300, 800))
        ]
        pools = [[*row, *(make_score() for _ in range(9))] for row in rows]
        listed, offsets = flat(rows, "d")
        starts = bytes(rng.random() < 0.5 for _ in listed)
        own, tied = (Batch(listed, offsets, s) for s in (None, starts))
        for batch in (own, tied, Batch(listed, offsets, None, *flat(pools, "d"))):
            for measures in bounds_of([3, 10, None], name, variant=variant):
                columns = by_core(monkeypatch, measures, batch)
                left = sum(isnan(x) for column in columns for x in column)
                assert left <= 2, (measures, left)


# ---- where a difference is 0 -----------------------------------------------------------------


def assert_all_decided(monkeypatch, *batches: Batch, **own) -> None:
    """All batches have the same lists and pools."""
    for name in OF:
        for measures in bounds_of([1, 4, 7, None], name, **own):
            true = [x.tolist() for x in values(measures, batches[0], "reference")]
            for batch in batches:
                with monkeypatch.context() as patched:
                    assert by_core(patched, measures, batch) == true, measures


@pytest.mark.slow(but=1)
@BND
@EITHER_VARIANT
@pytest.mark.parametrize("score", [0, 3, -2, 1e-3])
def test_lists_of_equal_scores(monkeypatch, variant, score):
    rows = [[score] * n for n in (0, 1, 2, 7, 12)]
    own, pooled = Batch(*flat(rows, "d")), Batch(*flat(rows, "d"), None, *flat(rows, "d"))
    assert_all_decided(monkeypatch, own, pooled, variant=variant)


@pytest.mark.slow
@pytest.mark.long(but=1)
@BND
@pytest.mark.parametrize("share", [0, 0.5, 0.3])
def test_scores_of_the_same_relevance(monkeypatch, share):
    """φ is level between them, beyond the last point, or below the first."""
    points = [(0, share), (10, share), (20, 0.75)]
    rng = random.Random(1)
    choices = ([-5, 0, 1, 9, 10], [20, 21, 99], [3, 3, 4])
    rows = [rng.choices(rng.choice(choices), k=rng.randint(1, 8)) for _ in range(20)]
    starts = bytes(rng.random() < 0.5 for row in rows for _ in row)
    for batch in (Batch(*flat(rows, "q")), Batch(*flat(rows, "q"), starts)):
        assert_all_decided(monkeypatch, batch, points=points)


@BND
@EITHER_VARIANT
def test_lists_that_are_one_tie_group_or_worst(monkeypatch, variant):
    rng = random.Random(variant)
    rows = [[rng.randint(0, 9) for _ in range(rng.randint(1, 12))] for _ in range(40)]
    one_group = Batch(*flat(rows, "q"), bytes(i == 0 for row in rows for i in range(len(row))))
    worst = [sorted(row) for row in rows]
    settled = Batch(*flat(worst, "q"), None, *flat(rows, "q"))
    for metric in OF.values():
        for k in (1, 3, None):
            inner = make(metric, k, variant=variant)
            random_ones = [bound_named(x)(inner) for x in ("UL2", "MinMax")]
            by_worst = bound_named("MinMax")(inner, lower="worst")
            found = [by_core(monkeypatch, [m], one_group)[0] for m in random_ones]
            found += by_core(monkeypatch, [by_worst], settled)
            assert found == [[0.0] * len(rows)] * 3


@BND
def test_all_items_shown(monkeypatch):
    """Of ranks that count the same, all orders of the whole pool have one value."""
    rng = random.Random(2)
    rows = [[rng.randint(0, 9) for _ in range(rng.randint(1, 7))] for _ in range(40)]
    for measures in bounds_of([7, 20, None], "nDCG_phi", discount="none"):
        columns = by_core(monkeypatch, measures, Batch(*flat(rows, "q")))
        assert not any(isnan(x) for column in columns for x in column), measures
