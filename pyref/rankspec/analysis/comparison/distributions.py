"""Tail probabilities and quantiles of t, the normal distribution, F and the studentised range.

They are no part of the reference. Each function takes doubles and returns a double; the spec says
how many of its digits are promised.

Needs SciPy: ``pip install "rankspec[compare]"``.

Spec: RS-CMP-22
"""

from __future__ import annotations

from functools import cache
from math import exp, inf, log, sqrt
from types import ModuleType
from typing import Any

from ...errors import InputError

Z_STEP, Z_LEAST, Z_MOST = 0.1, -9.0, 39.0
"""Where the range of normal numbers is integrated over its greatest: φ(39) is about 10^-331."""

NEGLIGIBLE = 40
"""Parts of an integral less than e^-40 of it are left out."""


def special() -> ModuleType:
    """SciPy's special functions, which are loaded when they are first asked for."""
    try:
        import scipy.special  # type: ignore[import-untyped]
    except ImportError:
        raise InputError(
            "p-values and the power of tests need SciPy, which is not installed: "
            'pip install "rankspec[compare]"'
        ) from None
    module: ModuleType = scipy.special
    return module


# ---- t, normal, F --------------------------------------------------------------------------


def t_two_sided(t: float, df: float) -> float:
    """P(|T| >= |t|) for Student's T with df > 0 degrees of freedom."""
    return f_above(t * t, 1, df)


def t_below(t: float, df: float) -> float:
    """P(T <= t) for Student's T."""
    half = t_two_sided(t, df) / 2
    return half if t < 0 else 1 - half


def t_quantile(alpha: float, df: float) -> float:
    """The T that |T| exceeds with the probability alpha, from 0 to 1."""
    a = df / 2
    x = float(special().betaincinv(a, 0.5, alpha))  # df / (df + T²)
    if x < 0.5:
        return sqrt(df * (1 - x) / x) if x else inf
    y = float(special().betainccinv(0.5, a, alpha))  # 1 - x
    return sqrt(df * y / (1 - y))


def normal_two_sided(z: float) -> float:
    """P(|Z| >= |z|) for the standard normal Z."""
    return float(2 * special().ndtr(-abs(z)))


def f_above(F: float, df_1: float, df_2: float) -> float:
    """P(X >= F) for X of Fisher's F with df_1 and df_2 degrees of freedom, F >= 0.

    Of the two arguments of the beta function, x and 1 - x, the lesser is taken, which has all its
    digits; and so is the lesser of P(X >= F) and P(X < F).
    """
    above = df_1 * F
    if above < df_2:
        arguments = df_1 / 2, df_2 / 2, above / (above + df_2)
        below = float(special().betainc(*arguments))
        return 1 - below if below < 0.5 else float(special().betaincc(*arguments))
    x = df_2 / (above + df_2) if above < inf else df_2 / df_1 / F
    return float(special().betainc(df_2 / 2, df_1 / 2, x))


# ---- the studentised range -----------------------------------------------------------------


def range_above(q: float, m: int, df: float) -> float:
    """P(Q >= q) for the studentised range Q of m >= 2 systems with df degrees of freedom.

    Q is the range of m normal numbers over S, where df S² has the chi-squared distribution. The
    integral over log S, and within it that over the greatest of the numbers, are trapezoid sums.
    All of their terms are above 0, so that small probabilities keep their digits.
    """
    import numpy as np

    if q == 0:
        return 1.0
    u = _logarithms_of_s(q, df)
    weights = np.exp(df * (u - np.expm1(2 * u) / 2))
    above = weights @ _range_of_normals_above(q * np.exp(u), m)
    return min(1.0, float(above / weights.sum()))


def _logarithms_of_s(q: float, df: float) -> Any:
    """The points of the outer sum: about log S = 0, and where S is so small that Q exceeds q."""
    import numpy as np

    peak = -np.log1p(q * q / (2 * df)) / 2
    width = sqrt(NEGLIGIBLE / df)
    step = min(0.1, 1 / (1.5 * sqrt(2 * df)))
    return np.arange(peak - width - NEGLIGIBLE / df, width + step, step)


def _range_of_normals_above(r: Any, m: int) -> Any:
    """P(range >= r) for m standard normal numbers, of each of an array.

    With the greatest at z, the others lie between z - r and z with the probability
    ((Φ(z) - Φ(z - r)) / Φ(z))^(m - 1).
    """
    import numpy as np

    z = np.arange(Z_LEAST, Z_MOST, Z_STEP)
    log_below = special().log_ndtr(z)
    density = np.exp(-z * z / 2 + (m - 1) * log_below)
    share = np.exp(np.minimum(special().log_ndtr(z - r[:, None]) - log_below, 0))
    with np.errstate(divide="ignore"):  # a share of 1: log 0
        beyond = -np.expm1((m - 1) * np.log1p(-share))
    return beyond @ density / density.sum()


@cache
def range_quantile(alpha: float, m: int, df: float) -> float:
    """The q that the studentised range exceeds with the probability alpha, between 0 and 1."""
    from scipy.optimize import brentq  # type: ignore[import-untyped]

    def too_probable(log_q: float) -> float:
        return log(range_above(exp(log_q), m, df) / alpha)

    low = high = 1.0
    while too_probable(low) < 0:
        low -= 1
    while too_probable(high) > 0:
        high += 1
    return exp(brentq(too_probable, low, high, xtol=1e-14, rtol=1e-14)) if low < high else exp(low)
