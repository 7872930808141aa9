"""What a comparison of runs with their repetition finds, as plain data.

Spec: RS-AGR-43
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .agreement import Repetition
from .tests import Outcome

BASELINE, ADVANCED = "baseline", "advanced"
"""What a run is in the experiment; where there is one run it is the advanced one."""


@dataclass(frozen=True)
class Repeated:
    """A run and its repetition, by a measure.

    original, replicated: the means; queries: how many queries each is over
    rmse: the root mean square error over the queries (RS-AGR-18); None: on another collection
    test: of the difference of the values: paired t on the same queries, else pooled t
    """

    original: float
    replicated: float
    queries: tuple[int, int]
    rmse: float | None
    test: Outcome


@dataclass(frozen=True)
class Improvement:
    """That of the advanced run over the baseline; replicated: that of the repetition.

    ratio: the effect ratio (RS-AGR-19); delta_ri: the difference of the relative improvements
        (RS-AGR-20); None: undefined
    """

    original: float
    replicated: float
    ratio: float | None
    delta_ri: float | None


@dataclass(frozen=True)
class ByMeasure:
    """What a measure says.

    runs: {"baseline", "advanced": the run and its repetition}
    improvement: None where there is no baseline
    """

    measure: str
    runs: dict[str, Repeated]
    improvement: Improvement | None


@dataclass(frozen=True)
class Replicated:
    """How far runs are repeated.

    names: {"baseline", "advanced": (name of the run, name of its repetition)}
    rankings: {"baseline", "advanced": KTU and RBO}; None: on another collection
    measures: {name of a measure: what it says}
    """

    names: dict[str, tuple[str, str]]
    rankings: Mapping[str, Repetition] | None
    measures: dict[str, ByMeasure]
