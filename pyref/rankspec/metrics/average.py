"""How the values of a measure are averaged over queries: a mean, a sum, a geometric mean.

An :class:`Average` is a field of each metric. Spec: RS-CONV-53.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ..errors import InputError, shown
from ..later import numerics, sums
from ..records import record
from ..typed import TYPE_CHECKING, Any
from .parameters import Parameter

if TYPE_CHECKING:
    from fractions import Fraction


@record()
class Average:
    """What stands for all queries.

    name: as users read it ("mean"); of: its equation, of finite doubles, one at least, and the
        measure that they are of; about: the same in words, with its spec ID
    linear: whether the average of differences is the difference of averages: what compares
        systems takes the differences of their values
    of_part: the same of the exact sum of the values and their number (RS-NUM-30); None: it needs
        the values themselves
    """

    name: str
    of: Callable[[Any, Sequence[float]], float]
    about: Callable[[Any], str]
    linear: bool = True
    of_part: Callable[[Fraction, int], float] | None = None


MEAN = Average(
    "mean",
    lambda _, values: sums.mean(values),
    lambda _: "the double nearest to the exact mean of the values (RS-NUM-5)",
    of_part=lambda S, n: sums.mean_of_parts(S, n),  # noqa: PLW0108 - loaded when it is called
)
SUM = Average(
    "sum",
    lambda _, values: sums.total(values),
    lambda _: "the double nearest to the exact sum of the values (RS-CONV-53)",
    of_part=lambda S, _: sums.nearest_double(S),
)
GEOMETRIC = Average(
    "geometric mean",
    lambda m, values: numerics.geometric_mean(values, m.floor),
    lambda m: (
        "the double nearest to the geometric mean of the values, of which those below "
        f"{m.floor!r} count as that (RS-CONV-53)"
    ),
    linear=False,
)


def _floor(given: Any) -> float:
    """The double that a value counts as at least."""
    try:
        x = math.nan if isinstance(given, (bool, str, bytes)) else float(given)
    except (TypeError, ValueError, OverflowError):
        x = math.nan
    if not math.isfinite(x) or x < 0:
        raise InputError(
            f"floor: expected a finite number of 0 or more, got {shown(given)} (RS-CONV-53)"
        )
    return abs(x)  # of -0, 0


FLOOR = Parameter(
    "floor",
    1e-5,
    _floor,
    lambda x: f"a value below {x!r} counts as that in the geometric mean (RS-CONV-53)",
    "the least value that the geometric mean sees",
    annotation="float",
)
