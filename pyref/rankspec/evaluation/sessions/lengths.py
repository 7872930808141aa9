"""How many queries sessions have, as Table 2 of jarvelin-2008 says it.

Spec: RS-SES-32
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...reference import session as reference
from ...reference.numerics import mean, nearest_double_of


@dataclass(frozen=True)
class Lengths:
    """How many queries the sessions of a system have.

    sessions: {number of queries: how many sessions have exactly that many}, rising
    mean: the mean number of queries a session; NaN of none
    sd: the standard deviation (RS-SES-27); NaN of fewer than two sessions
    """

    sessions: dict[int, int]
    mean: float
    sd: float

    def __str__(self) -> str:
        """As in a note: "2.53 queries a session, sd 1.94 (1: 28, 2: 7)"; no sd is "-"."""
        counts = ", ".join(f"{q}: {n}" for q, n in self.sessions.items())
        sd = "-" if math.isnan(self.sd) else f"{self.sd:.2f}"
        return f"{self.mean:.2f} queries a session, sd {sd} ({counts})"


def lengths_of(queries: Sequence[int]) -> Lengths:
    """The lengths of sessions with these numbers of queries.

    >>> print(lengths_of([1, 1, 4]))
    2.00 queries a session, sd 1.73 (1: 2, 4: 1)
    """
    m = list(queries)
    v = [float(x) for x in m]
    return Lengths(
        reference.sessions_by_queries(m),
        mean(v) if v else math.nan,
        nearest_double_of(lambda R: reference.standard_deviation(v, R)) if len(v) > 1 else math.nan,
    )
