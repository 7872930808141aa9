"""Labels of each type that a byte holds, and those that it just does not: what they sum to."""

from array import array
from fractions import Fraction
from math import inf, nan
from typing import Any

import pytest

from rankspec.compute.backends import values
from rankspec.compute.batch import Batch
from rankspec.metrics.catalogue import DCG
from rankspec.metrics.grammar import make
from tests.each import each

PLACES = range(0, 40, 3)  # in vectors, and in what they leave over
BESIDE = [0, 1, 255, 7, 3] * 8
TAKEN: dict[str, list[float]] = {
    "b": [0, 127],
    "H": [255, 256, 257, 65535],
    "h": [255, 256, 32767],
    "I": [255, 256, 1 << 16, (1 << 32) - 1],
    "i": [255, 256, 1 << 16, (1 << 31) - 1],
    "q": [255, 256, 1 << 32, 1 << 52],
    "f": [-0.0, 0.5, 254.5, 255, 255.5, 256, 257, 2.0**-149, 2.0**22 + 0.5, 2.0**23 + 1, 2.0**24],
    "d": [-0.0, 0.5, 255, 255 + 2.0**-45, 256, 257, 5e-324, 2.0**51 + 0.5, 2.0**52 + 1, 2.0**53],
}
REFUSED: dict[str, list[float]] = {
    **{kind: [-1, -127] for kind in "bhiq"},
    "q": [-1, -256, -(1 << 32), -(1 << 63)],
    **{kind: [-1, -0.25, -256, -(2.0**60), nan, inf, -inf] for kind in "fd"},
}


def sums(rows: list[list[float]], kind: str) -> list[Any]:
    labels: Any = array(kind, [label for row in rows for label in row])
    offsets = array("q", range(0, 40 * len(rows) + 1, 40))
    (found,) = values([make(DCG, None, discount="none")], Batch(labels, offsets, None))
    return list(found)


def rows_with(label: float, kind: str) -> list[list[float]]:
    beside = [min(x, 127) for x in BESIDE] if kind == "b" else BESIDE
    return [[*beside[:place], label, *beside[place + 1 :]] for place in PLACES]


@pytest.mark.spec("RS-CONV-1")
@each("kind", list(TAKEN))
def test_labels_around_a_byte(kind: str) -> None:
    for label in TAKEN[kind]:
        rows = rows_with(label, kind)
        assert sums(rows, kind) == [float(sum(map(Fraction, row))) for row in rows]


@pytest.mark.spec("RS-CONV-1")
@each("kind", list(REFUSED))
def test_refused_labels_wherever_they_are(kind: str) -> None:
    for label in REFUSED[kind]:
        for row in rows_with(label, kind):
            with pytest.raises(ValueError, match="label"):
                sums([row] * 20, kind)
