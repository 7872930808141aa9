"""Sums of small gains in doubles against the exact kernel, which takes batches of few lists.

Whether the exact kernel gives the values of the reference is what test_backends.py asks.
"""

import random
from array import array
from itertools import accumulate
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankspec.compute import core
from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.errors import InputError
from rankspec.metrics.catalogue import DCG, IDCG, nDCG
from rankspec.metrics.grammar import make
from rankspec.metrics.measure import Measure
from tests.each import each

FEW = 15  # lists, which the exact kernel takes
Rows = list[list[int]]


def batch_of(rows: Rows, pools: Rows | None, kind: str) -> Batch:
    parts: list[Any] = []
    for lists in (rows, pools):
        if lists is not None:
            parts.append(array(kind, [label for row in lists for label in row]))
            parts.append(array("q", accumulate(map(len, lists), initial=0)))
    return Batch(parts[0], parts[1], None, *parts[2:])


def by_filter(wanted: list[Measure], rows: Rows, pools: Rows | None, kind: str) -> list[Any]:
    return [list(x) for x in values(wanted, batch_of(rows, pools, kind))]


def by_exact_kernel(wanted: list[Measure], rows: Rows, pools: Rows | None, kind: str) -> list[Any]:
    found: list[Any] = [[] for _ in wanted]
    for a in range(0, len(rows), FEW):
        few = pools[a : a + FEW] if pools else None
        for own, more in zip(found, by_filter(wanted, rows[a : a + FEW], few, kind), strict=True):
            own.extend(more)
    return found


def random_rows(rng: random.Random, n: int, longest: int, highest: int) -> Rows:
    return [
        [min(highest, int(rng.paretovariate(0.7)) - 1) for _ in range(rng.randint(0, longest))]
        for _ in range(n)
    ]


GAINS = [
    "linear",
    "exp2",
    [0, 0, 1, 7, 255],
    [2, 3, 3, 100, 200],
    [0, 1, 2, 3, 300],
    [0, 0.5, 1, 2, 3],
]
DISCOUNTS = ["log2", "zipf", "log(b=3)", "jarvelin-2008(b=10)", "none"]


@pytest.mark.spec("RS-NUM-29/L1")
@each("discount", DISCOUNTS, fast=2)
def test_l1_many_lists(discount: str) -> None:
    rng = random.Random(discount)
    wanted = [
        make(metric, k, gain=gain, discount=discount)
        for metric in (DCG, IDCG, nDCG)
        for gain in GAINS
        for k in (1, 3, 8, 10, 33, None)
    ]
    rows = random_rows(rng, 200, 40, 4)
    for pools in (None, random_rows(rng, 200, 60, 4)):
        assert by_filter(wanted, rows, pools, "B") == by_exact_kernel(wanted, rows, pools, "B")


@pytest.mark.spec("RS-NUM-29/L1")
@each(("kind", "highest"), [("B", 255), ("b", 100), ("i", 5), ("i", 1 << 20), ("q", 255), ("d", 9)])
def test_l1_labels_of_each_type(kind: str, highest: int) -> None:
    wanted = [make(metric, k) for metric in (DCG, nDCG) for k in (2, 9, 16, None)]
    rows = random_rows(random.Random(highest), 300, 90, highest)
    assert by_filter(wanted, rows, None, kind) == by_exact_kernel(wanted, rows, None, kind)


NO_GRADES: dict[str, list[Any]] = {
    "i": [4, 5, 255, 256, 257, 1 << 24],
    "q": [4, 5, 255, 256, 257, 1 << 32, (1 << 32) + 1, 1 << 62],
    "f": [4, 5, 255, 256, -0.0, 0.5, 3.5, float(1 << 23), float(1 << 24)],
    "d": [4, 5, 255, 256, -0.0, 0.5, 3.5, float(1 << 23), float(1 << 52)],
}
NO_LABELS = {
    "i": [-1, -(1 << 24), -(1 << 30)],
    "q": [-1, -(1 << 32), -(1 << 51)],
    "f": [-1.0, -0.5, -(2.0**22), -(2.0**23), -inf, inf, nan],
    "d": [-1.0, -0.5, -(2.0**51), -(2.0**52), -inf, inf, nan],
}


@pytest.mark.spec("RS-NUM-29/L1")
@each("kind", list(NO_GRADES))
def test_l1_labels_that_are_no_bytes(kind: str) -> None:
    """Lists around the widths of vectors, each with a label at one place that may be no grade."""
    rng = random.Random(kind)
    rows: list[list[Any]] = [[rng.randint(0, 4) for _ in range(2017)]]
    for length in (*range(1, 12), *range(28, 42), *range(62, 67)):
        for label in (0, *NO_GRADES[kind]):
            rows.append([rng.randint(0, 4) for _ in range(length)])
            rows[-1][rng.randrange(length)] = label
    wanted = [make(metric, k) for metric in (DCG, nDCG) for k in (4, 10, None)]
    for judged in (None, [rng.choice(rows[1:]) for _ in rows]):
        found = by_filter(wanted, rows, judged, kind)
        assert found == by_exact_kernel(wanted, rows, judged, kind)


@pytest.mark.spec("RS-CONV-1")
@each(("kind", "label"), [(kind, label) for kind, labels in NO_LABELS.items() for label in labels])
def test_no_label_that_is_refused_passes_for_a_grade(kind: str, label: float) -> None:
    for at in (0, 7, 9, 31, 32, 40):
        rows: list[list[Any]] = [[1, 2, 0] * 14 for _ in range(20)]
        rows[18][at] = label
        with pytest.raises(InputError, match=f"at list 18, position {at}: "):
            by_filter([make(nDCG, 5)], rows, None, kind)


@pytest.mark.spec("RS-CONV-1")
@each(
    ("kind", "gain", "label"),
    [("B", [0, 1, 2], 3), ("i", "linear", -1), ("d", "linear", -0.5), ("d", "exp2", 1024.0)],
)
@each("where", [0, 63, 64, 199])
def test_a_label_among_many_lists_is_refused(
    kind: str, gain: Any, label: float, where: int
) -> None:
    """The first that the gain cannot take, by its place, behind all cut-offs too."""
    rows = random_rows(random.Random(where), 200, 40, 2)
    bad: list[Any] = [*rows]
    for a in (where, 199):
        bad[a] = [0] * 12 + [label]
    wanted = [make(nDCG, 3, gain=gain)]
    for shown, judged, name in (
        (bad, None, "labels"),
        (bad, rows, "labels"),
        (rows, bad, "judged"),
    ):
        with pytest.raises(InputError, match=f"^{name}: {label} at list {where}, position 12: "):
            by_filter(wanted, shown, judged, kind)


@given(data=st.data())
@pytest.mark.spec("RS-NUM-29/L1")
def test_l1_any_lists(data: st.DataObject) -> None:
    lists = st.lists(st.lists(st.integers(0, 255), max_size=40), min_size=16, max_size=80)
    rows = data.draw(lists)
    discount = data.draw(st.sampled_from(DISCOUNTS))
    k = data.draw(st.lists(st.integers(1, 45), min_size=1, max_size=4, unique=True))
    wanted = [make(nDCG, x, discount=discount) for x in sorted(k)]
    assert by_filter(wanted, rows, None, "B") == by_exact_kernel(wanted, rows, None, "B")


@pytest.mark.spec("RS-NUM-29/L1")
@each("length", [31, 32, 33, 2015, 2016, 2017, 4095, 4097, 5000], fast=5)
def test_l1_lists_of_a_length(length: int) -> None:
    """Around the widths of vectors, how much a counter holds, and the deepest rank."""
    rng = random.Random(length)
    rows = [[int(rng.random() < 0.3) * rng.randint(0, 4) for _ in range(length)] for _ in range(20)]
    rows[7] = [rng.randint(0, 200) for _ in range(length)]
    rows[8:12] = [[label] * length for label in (1, 2, 3, 4)]
    wanted = [make(nDCG, k) for k in (10, length - 1, None)]
    assert by_filter(wanted, rows, None, "B") == by_exact_kernel(wanted, rows, None, "B")


@pytest.mark.spec("RS-NUM-29")
def test_what_gains_nothing() -> None:
    rows = [[0, 0, 0], [], [0, 0, 1]] * 8
    pools: Rows = [[0, 0], [1], [0]] * 8
    wanted = [make(nDCG, 2), make(nDCG, None)]
    assert by_filter(wanted, rows, None, "B") == [[0, 0, 0] * 8, [0, 0, 0.5] * 8]
    assert by_filter(wanted, rows, pools, "B") == [[0] * 24, [0] * 24]


@pytest.mark.slow
@pytest.mark.long(but=2)
@pytest.mark.parametrize("bits", [96, 80, 75, 73])
@pytest.mark.spec("RS-NUM-29/L1")
def test_l1_near_the_middle_of_two_doubles(monkeypatch: pytest.MonkeyPatch, bits: int) -> None:
    """So many values that some lie nearer to where the rounding turns than the filter can tell.

    Without its error bound this fails.
    """
    monkeypatch.setattr(core, "bits_of_a_discount", bits)
    rng = random.Random(bits)
    rows = [[rng.randint(0, 9) for _ in range(12)] for _ in range(60_000)]
    wanted = [make(nDCG, k) for k in range(2, 13)]
    assert by_filter(wanted, rows, None, "B") == by_exact_kernel(wanted, rows, None, "B")


def test_few_lists_are_as_good_as_many() -> None:
    """The control: values are there, and differ."""
    rows = random_rows(random.Random(1), 40, 9, 3)
    (found,) = by_filter([make(nDCG, 5)], rows, None, "B")
    assert len(set(found)) > 10
    assert 0 <= min(found) <= max(found) < inf
