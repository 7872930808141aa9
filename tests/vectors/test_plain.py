"""The formulas that max_ulp is derived from, and what the reference makes of them, are equal."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from rankspec import SP, UL2, MinMax, Ratio
from rankspec.metrics.measure import Ranking
from rankspec.reference import cascade, length, precision, ties, users, utility

from ..each import in_lane, thinned
from ..modules import module_of

ROOT = Path(__file__).parents[2]


plain = module_of(ROOT / "tools/cases/plain.py", "rankspec_plain")


def groups_of(rng, item):
    return [[item() for _ in range(rng.randint(1, 4))] for _ in range(rng.randint(1, 4))]


def of_bound(bound, labels, k):
    """A bound of SP of a list that is one tie group of its pool."""
    measure = bound(SP(k=k))
    return measure.metric.expected(measure, Ranking([labels], labels), k, precision.RATIONALS)


def values(rng):
    """Of each function that has a formula of its own: its name, and its value of exact numbers."""
    p, n = Fraction(rng.randint(0, 9), 9), rng.randint(0, 9)
    stops = [Fraction(rng.randint(0, 9), 9) for _ in range(n)]
    found = groups_of(rng, lambda: rng.randint(0, 1))
    k = rng.randint(1, 12)
    grades = groups_of(rng, lambda: rng.randint(0, 3))
    items = [
        [utility.Item(int(x > 0), Fraction(x), Fraction(1, x + 1), x) for x in T] for T in grades
    ]
    pool = sorted((Fraction(x) for T in grades for x in T), reverse=True)
    return {
        "mean_stops": ties.mean_stops(stops, rng.randint(0, n)),
        "power_of": cascade.power_of(p, n),
        "expected_rbp": cascade.expected_rbp(found, k, p),
        "expected_hits": precision.expected_hits(found, k),
        "sums_of": utility.sums_of(items[0], precision.RATIONALS),
        "is_random": [of_bound(bound, grades[0], k) for bound in (UL2, MinMax, Ratio)],
        "expected_p_measure": utility.expected_p_measure(items, pool, k, p),
    }


@thinned
def test_the_formulas_are_those_of_the_reference():
    assert {of.__name__ for of, _ in plain.PLAIN} == set(values(random.Random(0)))
    for seed in range(in_lane(25, 60)):
        by_reference = values(random.Random(seed))
        with plain.plainly():
            assert values(random.Random(seed)) == by_reference
    assert values(random.Random(seed + 1)) != by_reference  # the control


def test_they_stand_in_wherever_the_reference_has_the_function():
    places = [
        (cascade, "mean_stops"),
        (utility, "mean_stops"),
        (cascade, "power_of"),
        (users, "power_of"),
        (users, "expected_rbp"),
        (length, "expected_rbp"),
    ]
    formulas = [getattr(plain, name) for _, name in places]
    before = [getattr(module, name) for module, name in places]
    assert not set(before) & set(formulas)
    with plain.plainly():
        assert [getattr(module, name) for module, name in places] == formulas
    assert [getattr(module, name) for module, name in places] == before
    with pytest.raises(ZeroDivisionError), plain.plainly():
        cascade.power_of(1, 1 // 0)
    assert [getattr(module, name) for module, name in places] == before
