"""Propensities of items: what a relevant item counts that few would have been asked about.

The weights 1/p are labels of items like any others: measures of weighted items are those of gains.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import exact, whole
from ..errors import InputError, items_of, shown
from ..reference import gain as equations
from ..reference.numbers.reals import Exact, Number, Reals
from ..reference.numerics import nearest_doubles_of

LEAST_N = 3  # of N from 3 on is ln N above 1, and so each weight
LARGEST = 1 << 63
MOST_COUNTS = 100_000  # that differ, 0.1 milliseconds each
LARGEST_A = 16
LEAST_B, LARGEST_B = 2.0**-32, 2.0**32


@standard_arithmetic
def inverse_propensities(
    counts: Any, n: int, *, A: float = 0.55, B: float = 1.5
) -> npt.NDArray[np.float64]:
    """Return the weight 1/p of each item, from its count in the training data.

    counts: for each item, the number of training points it is relevant to, an integer up to n
    n: how many training points there are, 3 or more
    A, B: of the model, from 0 to 16 and from 2^-32 to 2^32, as exact doubles: 0.55 and 1.5 by
        default; 0.5 and 0.4 for Wikipedia, 0.6 and 2.6 for Amazon

    Each weight is the double nearest to the real number. Each distinct count takes about 0.1
    milliseconds; at most 100000 distinct counts are supported. Spec: RS-GAIN-4.

    >>> inverse_propensities([0, 1, 100], 1000).round(3).tolist()
    [8.824, 6.908, 1.77]
    """
    points = _whole(n, "n: the number of training points", LEAST_N, LARGEST)
    a = _between(A, "A: the exponent", 0, LARGEST_A)
    b = _between(B, "B: the shift of counts", LEAST_B, LARGEST_B)
    of = np.asarray(_counts(counts, points), dtype=np.int64)
    different, which = np.unique(of, return_inverse=True)
    if len(different) > MOST_COUNTS:
        raise InputError(
            f"counts: {len(different)} different counts; at most {MOST_COUNTS} are supported in "
            "one call (RS-GAIN-4)"
        )

    def weights(R: Reals) -> list[Number]:
        return [equations.inverse_propensity(int(N_l), points, a, b, R) for N_l in different]

    found = nearest_doubles_of(weights, len(different))
    return np.asarray(found, dtype=np.float64)[which.reshape(of.shape)]


def _counts(given: Any, n: int) -> list[int]:
    if isinstance(given, (str, bytes, dict)):
        raise InputError(
            f"counts: expected a list of counts, a whole number for each item, got {shown(given)}"
        )
    items = items_of(given, f"counts: {shown(given)} cannot be read item by item")
    return [_whole(x, f"counts: that of item {i}", 0, n) for i, x in enumerate(items)]


def _whole(given: Any, what: str, least: int, most: int) -> int:
    """A whole number between both, or a double that is one."""
    found = whole(given)
    if found is None and isinstance(given, (float, np.floating)) and float(given).is_integer():
        found = int(given)
    if found is None or not least <= found <= most:
        raise InputError(
            f"{what} is {shown(given)}; it must be a whole number from {least} to {most} "
            "(RS-GAIN-4)"
        )
    return found


def _between(given: Any, what: str, least: float, most: float) -> Exact:
    found = exact(given, what)
    if not least <= found <= most:
        raise InputError(f"{what} is {shown(given)}; it must be from {least} to {most} (RS-GAIN-4)")
    return found
