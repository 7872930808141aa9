"""What unjudged documents could change between systems, as plain data.

Spec: RS-AGR-42
"""

from __future__ import annotations

from dataclasses import dataclass

from .found import of_pair
from .tests import Names


@dataclass(frozen=True)
class RunBounds:
    """The mean of a system, and the range that judgments of its unjudged documents leave it."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class DifferenceBounds:
    """The first system less the second: the difference of the means, and its interval (RS-AGR-23).

    per_query: {query: its interval}
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    per_query: dict[str, tuple[float, float]]

    @property
    def decided(self) -> bool:
        """Whether one of the two is the better one by any judgment."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class MeasureBounds:
    """What a measure says.

    exact: whether judgments attain the ends of each interval, or it encloses what they can
    """

    measure: str
    queries: tuple[str, ...]
    exact: bool
    systems: dict[str, RunBounds]
    differences: tuple[DifferenceBounds, ...]

    def __getitem__(self, names: Names) -> DifferenceBounds:
        """That of two systems, in the order in which they are compared."""
        return of_pair(self.differences, names)


@dataclass(frozen=True)
class Bounds:
    """What unjudged documents could change between systems.

    measures: {name of a measure: the ranges of the systems, the intervals of their differences}
    judged: {name of a system: {k: the mean of Judged@k}} (RS-AGR-41)
    """

    measures: dict[str, MeasureBounds]
    judged: dict[str, dict[int, float]]
