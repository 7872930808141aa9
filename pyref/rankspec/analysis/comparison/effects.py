"""Effect sizes of a pair of systems, each declared with its name and its entry of the spec."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...reference import comparison as equations
from ...reference.comparison import Undefined
from ...reference.numbers.reals import Number, Reals
from ...reference.numerics import nearest_double_of
from .systems import Pair, TwoSystems, double_or_none


@dataclass(frozen=True)
class Effect:
    """An effect size: the difference of two systems in units of a spread, or of a mean.

    beside: whether the tests that it belongs to are paired, or not; both are possible
    equation: its value in some reals; ``Undefined`` is raised where it has none. It takes a Pair,
        or any two systems if it belongs to tests that are not paired

    >>> pair = Pair((0.5, 0.25, 1.0), (0.25, 0.25, 0.5))
    >>> BY_NAME["d_z"](pair), BY_NAME["PAD"](pair)
    (1.0, 0.42857142857142855)
    """

    name: str
    title: str
    beside: tuple[bool, ...]
    spec: str
    equation: Callable[[Any, Reals], Number]

    def __call__(self, pair: TwoSystems) -> float | None:
        """The double nearest to it; None where it has no value (``why`` says why)."""
        return double_or_none(lambda reals: self.equation(pair, reals))

    def why(self, pair: TwoSystems) -> str | None:
        """Why it has no value; None: it has one."""
        try:
            nearest_double_of(lambda reals: self.equation(pair, reals))
        except Undefined as reason:
            return str(reason)
        return None


def _d_av(pair: Pair, reals: Reals) -> Number:
    return equations.d_av(pair.D, pair.e, *pair.values, reals)


def _cohen_d(pair: TwoSystems, reals: Reals) -> Number:
    X, Y, _ = pair.values
    return equations.cohen_d(X, Y, reals)


def _hedges_g(pair: TwoSystems, reals: Reals) -> Number:
    X, Y, _ = pair.values
    return equations.hedges_g(X, Y, reals)


def _pad(pair: TwoSystems, reals: Reals) -> Number:
    X, Y, unit = pair.values
    return reals.exact(equations.pad(equations.mean(X, unit), equations.mean(Y, unit)))


PAIRED, UNPAIRED = (True,), (False,)

EFFECTS = (
    Effect("d_z", "mean difference / its standard deviation", PAIRED, "RS-CMP-15",
           lambda pair, reals: equations.d_z(pair.D, reals)),
    Effect("d_av", "mean difference / mean standard deviation", PAIRED, "RS-CMP-16", _d_av),
    Effect("d", "Cohen's d", UNPAIRED, "RS-CMP-25", _cohen_d),
    Effect("g", "Hedges' g", UNPAIRED, "RS-CMP-17", _hedges_g),
    Effect("PAD", "absolute difference of the means / the greater", PAIRED + UNPAIRED,
           "RS-CMP-18", _pad),
)  # fmt: skip

BY_NAME = {effect.name: effect for effect in EFFECTS}
