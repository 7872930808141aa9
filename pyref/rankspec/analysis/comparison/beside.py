"""What is asked for beside the comparison of systems: measures, sets of queries, collections.

Spec: RS-AGR-31
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...errors import InputError, shown
from ...evaluation.result import Evaluation
from ...evaluation.sessions.result import SessionEvaluation
from ...reference.numbers.reals import Exact
from .agreement import BIN
from .measures import check_rbo_p
from .splits import check_splits, check_width


@dataclass(frozen=True)
class Beside:
    """The choices, as compare() explains them; an InputError says which is none."""

    measures: bool = False
    rbo_p: float | None = None
    subsets: Mapping[str, Iterable[str]] | None = None
    against: Mapping[str, Evaluation] | Mapping[str, SessionEvaluation] | None = None
    against_subsets: Mapping[str, Iterable[str]] | None = None
    splits: int = 0
    bin_width: Exact = BIN

    def __post_init__(self) -> None:
        if not isinstance(self.measures, bool):
            raise InputError(f"measures: expected True or False, got {shown(self.measures)}")
        check_rbo_p(self.rbo_p, self.measures)
        check_splits(self.splits)
        if check_width(self.bin_width) != BIN and not self.splits:
            raise InputError("bin_width: only splits use it; give splits too")
