"""What a comparison of two sets of judgments finds, as plain data.

Spec: RS-AGR-40
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...formats.frames import Label
from ...reference.agreement import Conflicts
from .agreement import LabelAgreement
from .found import Compared, Interval
from .tests import Names

GAINED, LOST, OPPOSITE = "gained", "lost", "opposite"
"""What becomes of a significant difference."""


@dataclass(frozen=True)
class LabelTable:
    """The labels that both gave to the same documents (RS-AGR-15).

    none, linear, quadratic: Cohen's kappa without weights and by these weights
    counts: {(label of the first, label of the second): how many documents of queries}
    """

    none: LabelAgreement
    linear: LabelAgreement
    quadratic: LabelAgreement
    counts: dict[tuple[Label, Label], int]


@dataclass(frozen=True)
class Shift:
    """What another set of judgments makes of a system.

    first, second: its mean by each; shift: the second less the first, with its t interval
    bias: the shift less the mean shift of all systems (RS-AGR-16), with its t interval (RS-AGR-40)
    """

    first: float
    second: float
    shift: float
    shift_interval: Interval | None
    bias: float
    bias_interval: Interval | None


@dataclass(frozen=True)
class Changes:
    """Which significant differences a test finds by one set of judgments or the other (RS-AGR-10).

    pairs: {"gained", "lost", "opposite": the pairs of systems}
    """

    counts: Conflicts
    pairs: dict[str, tuple[Names, ...]]


@dataclass(frozen=True)
class JudgedTwice:
    """One measure by two sets of judgments.

    tau_b, tau_ap_b: of the orders of the systems (RS-AGR-2, RS-AGR-5); None: undefined
    swapped: the pairs (A, B) where A is better by the first and B by the second (RS-AGR-1)
    changes: {name of a test: what it finds}
    """

    measure: str
    queries: tuple[str, ...]
    systems: dict[str, Shift]
    tau_b: float | None
    tau_ap_b: float | None
    swapped: tuple[Names, ...]
    changes: dict[str, Changes]


@dataclass(frozen=True)
class ComparedJudgments:
    """What two sets of judgments say of the same systems.

    names: of the two sets; labels: how far they agree
    measures: {name of a measure: what it says}
    comparisons: {name of a set: the comparison of the systems by it}, as of rs.compare
    """

    names: tuple[str, str]
    labels: LabelTable
    measures: dict[str, JudgedTwice]
    comparisons: Mapping[str, Compared]
