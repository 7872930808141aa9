"""The lowest and the highest value that judgments of the unjudged could give (RS-CONV-14)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from .lists import Lists
from .measure import Measure
from .sources import Label


def extreme_values(
    measures: Sequence[Measure], lists: Lists, which: str, highest: Label, backend: str
) -> list[array[float]]:
    """The lowest or highest values of each measure for each list: one array a measure."""
    raise NotImplementedError
