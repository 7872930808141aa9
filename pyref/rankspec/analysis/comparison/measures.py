"""What measures say of the same systems, each beside each other: orders, significant differences.

Spec: RS-AGR-31
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from ...errors import InputError
from ...reference import agreement as equations_of_agreement
from ...reference import comparison as equations
from ...reference.agreement import Conflicts
from .agreement import check_share, compare_orders, conflicts
from .found import MeasureAgreement, OfMeasure
from .orders import Levels
from .systems import SystemValues, double_or_none


def check_rbo_p(p: float | None, measures: bool) -> None:
    """An InputError where the persistence is none, or nobody asks for RBO."""
    if p is None:
        return
    check_share("rbo_p", p)
    if not measures:
        raise InputError(
            "rbo_p: only the comparison of measures uses it; add measures=True (--measures)"
        )


def between_measures(
    found: Mapping[str, OfMeasure], levels: Mapping[str, Levels], alpha: float, rbo_p: float | None
) -> dict[tuple[str, str], MeasureAgreement]:
    """The agreement of each two measures.

    found, levels: of each measure the comparison, and the order of the systems
    """
    return {
        (a, b): MeasureAgreement(
            compare_orders(levels[a], levels[b], rbo_p), _conflicts(found[a], found[b], alpha)
        )
        for a, b in combinations(found, 2)
    }


def _conflicts(one: OfMeasure, other: OfMeasure, alpha: float) -> dict[str, Conflicts]:
    return {
        test: conflicts(_tested(one, test), _tested(other, test), alpha)
        for test in dict.fromkeys((*one.power, *other.power))
    }


def _tested(of: OfMeasure, test: str) -> dict[tuple[str, str], tuple[float, float | None]]:
    """The difference and the corrected p of each pair."""
    return {(x.first, x.second): (x.difference, x.tests[test].corrected) for x in of.differences}


def mean_pad_of(systems: SystemValues) -> float | None:
    """The mean PAD of all pairs of systems (RS-AGR-12); None where it is undefined."""
    columns, unit = equations.integers(*systems.numerators)
    means = [equations.mean(column, unit) for column in columns]
    return double_or_none(lambda reals: reals.exact(equations_of_agreement.mean_pad(means)))
