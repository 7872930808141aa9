"""The order of scored lists by the C core, whole and as far as a cut-off asks, against sorted().

What is expected is Python's sort by the definitions themselves, which compares numbers exactly.
"""

from __future__ import annotations

import random
import struct
from array import array
from collections.abc import Iterator
from contextlib import suppress
from itertools import accumulate, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankspec as rs
from rankspec.compute import by_core, core
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.errors import InputError
from rankspec.metrics.catalogue import METRICS
from rankspec.metrics.measure import Metric
from rankspec.records import replace
from rankspec.reference.ties import RULES

from ..each import each
from .batches import batches, make, measures_for

FORMS = {"B": 8, "b": 8, "H": 16, "h": 16, "I": 32, "i": 32, "q": 64}
ORDERED = tuple(dict.fromkeys(("expected", *RULES)))
LENGTHS = (0, 1, 2, 3, 31, 32, 33, 64, 65, 97, 200)


def whole(form: str, rng: random.Random) -> Iterator[int]:
    """Whole numbers of a type, its ends and their neighbours among them, some of them often."""
    bits, low = FORMS[form], 0 if form.isupper() else -(1 << FORMS[form] - 1)
    high = low + (1 << bits) - 1
    few = [low, low + 1, 0, 1, high - 1, high, *(rng.randint(low, high) for _ in range(4))]
    while True:
        yield rng.choice(few) if rng.random() < 0.5 else rng.randint(low, high)


def reals(form: str, rng: random.Random) -> Iterator[float]:
    """Floats of any bits, both zeros, the least, the largest, and neighbours of these."""
    size = "<I" if form == "f" else "<Q"
    few = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        *(struct.unpack("<" + form, struct.pack(size, x))[0] for x in (1, 2)),
    ]
    few += [-x for x in few] + [float(np.finfo(form).max), float(np.finfo(form).min)]
    few += [float(np.nextafter(np.array(1, form), np.array(x, form))) for x in (0, 2)]
    while True:
        bits = struct.pack(size, rng.getrandbits(8 * struct.calcsize(size)))
        (any_one,) = struct.unpack("<" + form, bits)
        yield any_one if any_one - any_one == 0 and rng.random() < 0.5 else rng.choice(few)


def close(rng: random.Random) -> Iterator[int]:
    """Whole numbers beyond 2^53, which doubles do not tell apart, or alike in their upper half."""
    while True:
        yield (1 << rng.choice((53, 62))) + rng.randrange(5) + (rng.randrange(2) << 34)


def of_levels(rng: random.Random) -> Iterator[int]:
    """Few numbers: long tie groups, one of which any cut-off cuts."""
    while True:
        yield rng.randrange(4)


def killers(rng: random.Random) -> Iterator[int]:
    """Numbers that rise and fall, or have the highest where pivots are looked for."""
    period = rng.choice((2, 3, 7, 50))
    a = 0
    while True:
        yield a // period if a % 2 else -a
        a += 1


KINDS: dict[str, Any] = {
    **{form: (form, lambda rng, form=form: whole(form, rng)) for form in FORMS},
    **{form: (form, lambda rng, form=form: reals(form, rng)) for form in "fd"},
    "close": ("q", close),
    "levels": ("h", of_levels),
    "levels of doubles": ("d", lambda rng: (x / 3 for x in of_levels(rng))),
    "killers": ("i", killers),
    "falling": ("i", lambda _: iter(range(10**6, 0, -1))),
    "rising": ("q", lambda _: iter(range(10**6))),
}


class Lists:
    """Ragged lists of a kind of scores; the labels tell the positions of a list apart."""

    def __init__(self, kind: str, seed: int) -> None:
        rng = random.Random(f"{kind} {seed}")
        self.form, numbers = KINDS[kind]
        self.lengths = rng.sample(LENGTHS, len(LENGTHS))
        rows = [[x for x, _ in zip(numbers(rng), range(n), strict=False)] for n in self.lengths]
        self.offsets = array("q", accumulate(self.lengths, initial=0))
        self.scores = array(self.form, [x for row in rows for x in row])
        self.labels = array("H", [i for n in self.lengths for i in range(n)])
        self.ids = array("q", [rng.randint(-2, 2) << 60 for _ in self.labels])

    def orders(self, rule: str) -> Iterator[tuple[int, list[int]]]:
        """Where each list begins, and its positions in rank order by RS-TIE-1 and RS-TIE-2."""
        for begin, n in zip(self.offsets, self.lengths, strict=False):
            s, x = (flat[begin : begin + n] for flat in (self.scores, self.ids))
            by = {
                "id-descending": lambda p, x=x: (-x[p], p),
                "id-ascending": lambda p, x=x: (x[p], p),
                "best": lambda p: (-p,),  # a label is a position
                "worst": lambda p: (p,),
            }.get(rule, lambda p: (p,))
            yield begin, sorted(range(n), key=lambda p, s=s, by=by: (-s[p], *by(p)))

    def expected(self, rule: str, depth: int) -> tuple[list[int], list[int], list[int]]:
        """(labels, starts, offsets) of the first ranks, and of what is tied with the last."""
        labels, starts, ends = [], [], [0]
        for begin, order in self.orders(rule):
            s = [self.scores[begin + p] for p in order]
            end = min(depth, len(s))
            while rule == "expected" and 0 < end < len(s) and s[end] == s[end - 1]:
                end += 1
            labels += order[:end]
            starts += [int(i == 0 or s[i] != s[i - 1]) for i in range(end)]
            ends.append(len(labels))
        return labels, starts, ends


@each("kind", KINDS, fast=5)
@pytest.mark.parametrize("rule", ORDERED)
@pytest.mark.spec("RS-TIE-1", "RS-TIE-2", "RS-TIE-1(b)")
def test_the_first_ranks_are_those_of_a_plain_sort(kind: str, rule: str) -> None:
    x = Lists(kind, 1)
    given = x.scores, x.labels, x.offsets, x.ids, rule
    depths = (1, 2, 3, 5, 30, 31, 32, 33, 64, 100, 199, 200, 201, (1 << 63) - 1)
    for depth in depths:
        labels, starts, ends = by_core.first(*given, depth)
        expected = x.expected(rule, depth)
        assert (labels.tolist(), starts.tolist(), ends.tolist()) == expected, depth


@each("kind", KINDS, fast=5)
@pytest.mark.parametrize("rule", ORDERED)
@pytest.mark.spec("RS-TIE-1", "RS-TIE-2")
def test_the_whole_order_is_that_of_a_plain_sort(kind: str, rule: str) -> None:
    x = Lists(kind, 2)
    order, starts = by_core.order(x.scores, x.labels, x.offsets, x.ids, rule)
    assert order.tolist() == [begin + p for begin, own in x.orders(rule) for p in own]
    assert list(starts) == x.expected(rule, 1 << 40)[1]


@pytest.mark.spec("RS-TIE-1")
def test_each_rank_of_one_list_may_cut_a_tie_group() -> None:
    rng = random.Random(5)
    x = Lists("levels", 3)
    n = 150
    x.lengths, x.offsets = [n], array("q", [0, n])
    x.scores = array("h", [rng.randrange(12) for _ in range(n)])
    x.labels, x.ids = array("H", range(n)), array("q", [0]) * n
    for depth in range(1, n + 2):
        found = by_core.first(x.scores, x.labels, x.offsets, None, "expected", depth)
        assert tuple(y.tolist() for y in found) == x.expected("expected", depth)


@pytest.mark.spec("RS-TIE-1", "RS-TIE-2")
def test_lists_that_pivots_do_not_divide_are_merged() -> None:
    """The order in which each median of three is next to the lowest, found by asking for it."""
    n = 4000
    scores = hardest(n)
    labels, offsets = array("i", range(n)), array("q", [0, n])
    expected = sorted(range(n), key=lambda p: -scores[p])
    for depth in (1, 40, n):
        found, starts, _ = by_core.first(scores, labels, offsets, None, "input", depth)
        assert found.tolist() == expected[:depth]
        assert set(starts.tolist()) == {1}


def hardest(n: int) -> array[int]:
    """Numbers of which the pivot is each time the second lowest (the core's own choice of pivots:
    the first, the middle and the last, of which the lowest goes last).
    """
    positions, ranks = list(range(n)), [0] * n
    rank = 0
    while len(positions) > 32:
        m = len(positions)
        lowest = {positions[m // 2], positions[m - 1]}  # of three the median is the middle one
        ranks[positions[m - 1]], ranks[positions[m // 2]] = rank, rank + 1
        rank += 2
        positions = [p for p in positions if p not in lowest]
    for p in positions:
        ranks[p], rank = rank, rank + 1
    return array("i", ranks)


@pytest.mark.spec("RS-TIE-1")
def test_threads_put_lists_in_order_as_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    x = Lists("d", 7)
    given = x.scores, x.labels, x.offsets, x.ids, "expected", 5
    alone = [y.tolist() for y in by_core.first(*given)]
    monkeypatch.setattr(core, "LABELS_A_THREAD", 1)
    monkeypatch.setattr(core, "processors", lambda: 3)
    assert [y.tolist() for y in by_core.first(*given)] == alone


# ---- what measures make of the first ranks ------------------------------------------------


def cut(batch: Batch, k: int) -> Batch:
    """The lists without what is behind rank k and its tie group; the pools stay."""
    labels, starts, ends = array(batch.labels.typecode), bytearray(), array("q", [0])
    for begin, end in zip(batch.offsets, batch.offsets[1:], strict=False):
        last = min(begin + k, end)
        while begin < last < end and batch.starts and not batch.starts[last]:
            last += 1
        labels += batch.labels[begin:last]
        starts += (batch.starts or bytes([1]) * len(batch.labels))[begin:last]
        ends.append(len(labels))
    own = batch.pool is None
    return replace(
        batch,
        labels=labels,
        offsets=ends,
        starts=starts if batch.starts else None,
        pool=batch.labels if own else batch.pool,
        pool_offsets=batch.offsets if own else batch.pool_offsets,
    )


OF_RANKINGS = [m for m in METRICS if m.taken_of == "rankings"]


@pytest.mark.slow(but=4)
@pytest.mark.long(but=33)
@pytest.mark.parametrize("metric", OF_RANKINGS, ids=lambda m: m.name)
@pytest.mark.parametrize("backend", ["c", "reference"])
@given(data=st.data(), tied=st.booleans())
@pytest.mark.spec("RS-CONV-2", "RS-CONV-2/L1")
def test_what_is_behind_a_cutoff_does_not_matter(
    metric: Metric, backend: str, data: st.DataObject, tied: bool
) -> None:
    batch = data.draw(batches("grades", tied=tied, longest=7))
    for measure in data.draw(measures_for(metric, "grades", 12)):
        k = measure.order_matters_to
        assert k == (None if metric.beyond(measure) else measure.k)
        with suppress(
            InputError
        ):  # of labels or orders, by which a shorter list need not be refused
            expected = values([measure], batch, backend)
            if k is not None:
                assert values([measure], cut(batch, k), backend) == expected


SEVERAL = array("B", [0, 1, 2, 0, 1, 4, 1, 0, 0, 2, 0, 3]), array("q", [0, 6, 10, 12])
JUDGED = array("B", [4, 2, 1, 1, 0, 0, 2, 1, 0, 3, 3, 1, 0]), array("q", [0, 6, 9, 13])
TIED = bytes([1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0])


@pytest.mark.parametrize("metric", OF_RANKINGS, ids=lambda m: m.name)
@pytest.mark.spec("RS-CONV-2", "RS-CONV-2/L1")
def test_no_reading_counts_what_is_behind_its_cutoff(metric: Metric) -> None:
    """Each choice of words, of which a few random ones would miss the one that counts."""
    words = {name: p.words for name, p in metric.parameters.items() if p.words}
    for chosen in product(*words.values()):
        measure = make(metric, 2, **dict(zip(words, chosen, strict=True)))
        if measure.order_matters_to is None:
            continue
        for starts, pool in product((None, TIED), ((None, None), JUDGED)):
            batch = Batch(*SEVERAL, starts, *pool)
            with suppress(InputError):  # of more than a reading takes
                expected = values([measure], batch, "c")
                assert values([measure], cut(batch, 2), "c") == expected, measure


@pytest.mark.spec("RS-CONV-2/L1")
def test_the_rest_of_a_tie_group_matters_and_bounds_need_all() -> None:
    """The control of the law."""
    batch = Batch(array("B", [0, 1, 1]), array("q", [0, 3]), bytes([1, 0, 0]))
    short = cut(replace(batch, starts=None), 1)
    assert values([rs.P(k=1)], batch) != values([rs.P(k=1)], replace(short, starts=bytes([1])))
    assert values([rs.P(k=1)], batch) == values([rs.P(k=1)], cut(batch, 1))
    assert rs.UL2(rs.nDCG(k=3)).order_matters_to is None
    assert rs.nDCG().order_matters_to is None
    assert rs.AP(k=1, norm="retrieved").order_matters_to is None
    one_more = Batch(array("B", [1, 1]), array("q", [0, 2]))
    assert values([rs.AP(k=1, norm="retrieved")], one_more) == [array("d", [0.5])]
    longer = Batch(array("B", [2, 0, 4]), array("q", [0, 3]))
    for hc, same in ((0, True), (2, False)):  # a gain above med lets the user go on behind k
        measure = rs.BPM(k=2, hc=hc, med=0, T=9)
        assert (values([measure], longer) == values([measure], cut(longer, 2))) == same
        assert measure.order_matters_to == (2 if same else None)


LABELS = {
    "bytes": array("B", [0, 1, 2, 3, 4]),
    "whole": array("q", [0, 1, 2, 3, 300]),
    "doubles": array("d", [0.0, 1.0, 2.0, 3.0, 0.5]),
}


@pytest.mark.slow(but=6)
@pytest.mark.long(but=12)
@pytest.mark.parametrize("metric", OF_RANKINGS, ids=lambda m: m.name)
@each("labels", LABELS)
@pytest.mark.spec("RS-TIE-1", "RS-TIE-2", "RS-CONV-2/L1")
def test_scored_lists_have_the_values_of_the_reference(metric: Metric, labels: str) -> None:
    if metric.of_pool or metric.sees_unjudged:
        return
    rng = random.Random(metric.name)
    flat = array(LABELS[labels].typecode, [rng.choice(LABELS[labels]) for _ in range(60)])
    offsets = array("q", [0, 0, 1, 12, 60])
    scores = array("f", [rng.choice((0.5, -0.0, 0.0, 1.5, 2.0, -3.0)) for _ in flat])
    function = getattr(rs, metric.function)
    for k in ([1, 4], [7, 3, 50], [2, None]):
        for rule in ("expected", "worst"):
            given = {"scores": scores, "offsets": offsets, "ties": rule, "k": k}
            assert said(function, flat, given | {"backend": "c"}) == said(
                function, flat, given | {"backend": "reference"}
            ), (k, rule)


def said(function: Any, labels: Any, given: dict[str, Any]) -> object:
    try:
        return function(labels, **given).tolist()
    except InputError as error:
        return str(error)


REFUSED = {
    "a label below 0": ([3, 1, 2, -1], [4, 3, 2, 1]),
    "a NaN far down": ([3, 1, 2, float("nan")], [4, 3, 2, 1]),
    "an infinite score": ([3, 1, 2, 1], [4.0, 3.0, 2.0, float("-inf")]),
    "no number": ([3, 1, 2, 1], [4.0, 3.0, float("nan"), 1.0]),
    "two, of which the first in rank order is told": ([-1, 1, 2, -2], [1, 3, 2, 4]),
}


@each("given", REFUSED.values(), ids=REFUSED)
@each("name", ["dcg", "ndcg", "err", "precision", "rr", "ap", "rbp"])
@pytest.mark.parametrize("form", [tuple, list, np.array])
@pytest.mark.spec("RS-TIE-1", "RS-CONV-1", "RS-CONV-6")
def test_what_is_refused_behind_the_cutoff_is_refused(name: str, given: Any, form: Any) -> None:
    labels, scores = map(form, given)
    function = getattr(rs, name)
    outcomes = [
        said(function, labels, {"scores": scores, "k": [1], "backend": backend})
        for backend in ("c", "reference")
    ]
    assert outcomes[0] == outcomes[1]
    if name in ("dcg", "ndcg"):
        assert isinstance(outcomes[0], str)
