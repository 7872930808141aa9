"""What a comparison finds, as plain data.

Spec: RS-CMP-23
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from ...errors import shown
from ...reference.agreement import Bin, Conflicts
from .agreement import OrderAgreement, Power
from .corrections import AnyCorrection
from .tests import AnyTest, Choices, Names, Outcome
from .units import QUERY, Unit

Interval = tuple[float, float]

MOST_PAIRS = 10  # in a message


@dataclass(frozen=True)
class StudyDesign:
    """Which systems have values for the same queries, or sessions.

    name: "paired" if all have the same, "unpaired" if no two share one
    why: from what that is known
    """

    name: str
    why: str

    @property
    def paired(self) -> bool:
        """True where all systems have the same queries, or sessions."""
        return self.name == "paired"

    @property
    def test(self) -> str:
        """The t-test whose interval is that of a difference."""
        return "t" if self.paired else "welch"


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


class OfTwo(Protocol):
    """What there is of a pair of systems."""

    @property
    def first(self) -> str: ...

    @property
    def second(self) -> str: ...


T = TypeVar("T", bound=OfTwo)


def of_pair(found: Sequence[T], names: Any) -> T:
    """What there is of two systems; a KeyError says which pairs there are."""
    pairs = {(x.first, x.second): x for x in found}
    try:
        return pairs[names]
    except (KeyError, TypeError):  # a TypeError of what has no hash
        pass
    more = f" and {len(pairs) - MOST_PAIRS} more" if len(pairs) > MOST_PAIRS else ""
    there = f"{', '.join(map(str, list(pairs)[:MOST_PAIRS]))}{more}"
    if isinstance(names, tuple) and names[::-1] in pairs:
        raise KeyError(
            f"{names} is stored as {names[::-1]}, the first minus the second; the pairs are {there}"
        )
    raise KeyError(f"{shown(names)} is not a pair of compared systems; the pairs are {there}")


@dataclass(frozen=True)
class Difference:
    """Two systems by a measure: the first less the second.

    difference: of the means; interval: by paired t, or by Welch's test where the two systems share
        no session; None where it is undefined
    wins, ties, losses: of the first system, in queries, or sessions; None where they share none
    tests: {name of a test: what it says}
    effects: {name of an effect size: its value, None where it is undefined}
    """

    first: str
    second: str
    difference: float
    interval: Interval | None
    wins: int | None
    ties: int | None
    losses: int | None
    tests: dict[str, Tested]
    effects: dict[str, float | None]


@dataclass(frozen=True)
class OfMeasure:
    """The comparison by one measure.

    queries: those that have a value, in the order of their ids; or the sessions, of all systems
        where these have sessions of their own
    values: {name of a system: its values, in the order of its queries}
    power: {name of a test: its discriminative power, by corrected p} (RS-AGR-11)
    mean_pad: of all pairs of systems (RS-AGR-12); None where it is undefined
    ids: {name of a system: its queries, or sessions, in the order of its values}
    """

    measure: str
    queries: tuple[str, ...]
    values: dict[str, tuple[float, ...]]
    systems: dict[str, Summary]
    differences: tuple[Difference, ...]
    power: dict[str, Power]
    mean_pad: float | None = None
    ids: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __getitem__(self, names: Names) -> Difference:
        """That of two systems, in the order in which they are compared."""
        return of_pair(self.differences, names)


# ---- measures, and sets of queries ---------------------------------------------------------


@dataclass(frozen=True)
class MeasureAgreement:
    """What two measures say of the same systems (RS-AGR-31).

    orders: how they order them
    conflicts: {name of a test: the significant differences that they share, or do not}, of the
        tests that have p-values (RS-AGR-10)
    """

    orders: OrderAgreement
    conflicts: dict[str, Conflicts]


@dataclass(frozen=True)
class SetSwaps:
    """How two sets of queries order the same systems, by one measure (RS-AGR-13).

    first, second: the names of the sets, which are one where collections are two
    queries: how many each has; common: how many are in both
    pairs: how many pairs of systems there are
    swapped: those that the first set orders otherwise than the second, the better by the first
        before the other; rate: their share of the pairs, None where a set has too few queries
    tau_b: of the two orders; None where it is undefined
    """

    measure: str
    first: str
    second: str
    queries: tuple[int, int]
    common: int
    pairs: int
    swapped: list[tuple[str, str]]
    rate: float | None
    tau_b: float | None


@dataclass(frozen=True)
class SplitSwaps:
    """The swap rates between random halves of the queries, by difference (RS-AGR-14).

    half: how many queries each half has; trials: how many splits there were
    width: of a bin; bins: the comparisons and swaps of each, the last of which has all above
    """

    half: int
    trials: int
    seed: int
    width: Fraction
    bins: list[Bin]

    @property
    def whole(self) -> Bin:
        """All bins together."""
        return Bin(sum(x.comparisons for x in self.bins), sum(x.swaps for x in self.bins))


@dataclass(frozen=True)
class Compared:
    """Which systems differ, by which measure and test.

    measures: {name of a measure: the comparison by it}
    tests, correction: as they are declared
    family: how many p-values each test's correction is for: measures times pairs
    agreement: {(measure, measure): Kendall's tau_b of their orders of the systems} (RS-AGR-2);
        None where it is undefined
    unit: what systems are compared on, queries or sessions
    of_measures: whether the page says more of the measures, and lines are of them
    between: {(measure, measure): what the two say of the systems}, if of_measures
    subsets: {name of a set of queries: the comparison on these}
    set_swaps: of each measure and each two of these sets
    against: of each measure, between all queries of two collections, and between the sets of
        each name
    splits: {measure: the swaps between random halves of the queries}; None where there is one query
    too_few: of a set, {a measure that is not in measures: how many queries have a value of it, none
        or one}
    design: whether all systems have the same queries, or sessions, or each its own
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
    of_measures: bool = False
    between: dict[tuple[str, str], MeasureAgreement] = field(default_factory=dict)
    subsets: dict[str, Compared] = field(default_factory=dict)
    set_swaps: tuple[SetSwaps, ...] = ()
    against: tuple[SetSwaps, ...] = ()
    splits: dict[str, SplitSwaps | None] = field(default_factory=dict)
    too_few: dict[str, int] = field(default_factory=dict)
    design: StudyDesign = StudyDesign("paired", "all systems have the same queries")
