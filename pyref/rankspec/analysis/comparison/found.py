"""What a comparison finds, as plain data.

Spec: RS-CMP-23
"""

from __future__ import annotations

from dataclasses import dataclass

from .agreement import Power
from .corrections import AnyCorrection
from .tests import AnyTest, Choices, Names, Outcome
from .units import QUERY, Unit

Interval = tuple[float, float]


@dataclass(frozen=True)
class Summary:
    """A system by a measure.

    sd: the standard deviation over queries (RS-CMP-3)
    interval: of the mean, by t (RS-CMP-4); bca: by the BCa bootstrap (RS-RND-13)
    None: undefined, as there is one query
    """

    mean: float
    sd: float | None
    interval: Interval | None
    bca: Interval | None


@dataclass(frozen=True)
class Tested:
    """What a test says of a pair.

    corrected: p, corrected for the family; None where the test has no p
    significant: whether that is at most alpha
    """

    outcome: Outcome
    corrected: float | None
    significant: bool


@dataclass(frozen=True)
class Difference:
    """Two systems by a measure: the first less the second.

    difference: of the means; interval: by paired t, None where it is undefined
    wins, ties, losses: of the first system, in queries, or sessions
    tests: {name of a test: what it says}
    effects: {name of an effect size: its value, None where it is undefined}
    """

    first: str
    second: str
    difference: float
    interval: Interval | None
    wins: int
    ties: int
    losses: int
    tests: dict[str, Tested]
    effects: dict[str, float | None]


@dataclass(frozen=True)
class OfMeasure:
    """The comparison by one measure.

    queries: those that have a value, in the order of their ids; or the sessions
    values: {name of a system: its values, in the order of the queries}
    power: {name of a test: its discriminative power, by corrected p} (RS-AGR-11)
    """

    measure: str
    queries: tuple[str, ...]
    values: dict[str, tuple[float, ...]]
    systems: dict[str, Summary]
    differences: tuple[Difference, ...]
    power: dict[str, Power]

    def __getitem__(self, names: Names) -> Difference:
        """That of two systems, in the order in which they are compared."""
        for known in self.differences:
            if (known.first, known.second) == names:
                return known
        raise KeyError(names)


@dataclass(frozen=True)
class Compared:
    """Which systems differ, by which measure and test.

    measures: {name of a measure: the comparison by it}
    tests, correction: as they are declared
    family: how many p-values each test's correction is for: measures times pairs
    agreement: {(measure, measure): Kendall's tau_b of their orders of the systems} (RS-AGR-2);
        None where it is undefined
    unit: what systems are compared on, queries or sessions
    """

    measures: dict[str, OfMeasure]
    systems: tuple[str, ...]
    baseline: str | None
    tests: tuple[AnyTest, ...]
    correction: AnyCorrection
    choices: Choices
    family: int
    agreement: dict[tuple[str, str], float | None]
    unit: Unit = QUERY
