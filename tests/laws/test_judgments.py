"""Laws of what compare reports of two sets of judgments."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import rankspec as rs
from rankspec.reference import agreement as equations

from ..each import each

MEASURES = ["nDCG@3", "AP"]


def world(seed: int) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Two sets of judgments of 8 queries, and three runs."""
    choose = random.Random(seed)
    people = {f"q{n}": {d: choose.choice((0, 0, 1, 2)) for d in "abcdef"} for n in range(8)}
    model = {
        q: {d: choose.choice((x, x, 0, 1, 2)) for d, x in own.items() if choose.random() < 0.9}
        for q, own in people.items()
    }
    runs = {
        name: {q: {d: choose.random() for d in "abcdef"} for q in people}
        for name in ("A", "B", "C")
    }
    return people, model, runs


def compared(first: Any, second: Any, runs: Any) -> Any:
    return rs.compare_judgments(
        {"x": first, "y": second}, runs, MEASURES, tests="t", correction="none", alpha=0.3,
        replicates=1,
    )  # fmt: skip


@pytest.mark.spec("RS-AGR-40/L1")
def test_equal_judgments_change_nothing() -> None:
    people, _, runs = world(0)
    found = compared(people, people, runs)
    assert found.labels.none.kappa == 1
    for of in found.measures.values():
        assert {(x.shift, x.bias) for x in of.systems.values()} == {(0, 0)}
        assert {x.shift_interval for x in of.systems.values()} == {(0, 0)}
        assert not of.swapped
        assert of.tau_b == 1
        assert set(of.changes["t"].pairs.values()) == {()}


@pytest.mark.spec("RS-AGR-40/L2")
@each("seeds", [range(2), range(2, 6)], fast=1)
def test_exchanged_judgments(seeds: range) -> None:
    seen = set()
    for seed in seeds:
        people, model, runs = world(seed)
        one, two = compared(people, model, runs), compared(model, people, runs)
        assert one.labels.linear.kappa == two.labels.linear.kappa
        assert one.labels.counts == {(a, b): n for (b, a), n in two.labels.counts.items()}
        for measure in MEASURES:
            here, there = one[measure], two[measure]
            for name, x in here.systems.items():
                y = there.systems[name]
                assert (x.shift, x.bias) == (-y.shift, -y.bias)
                for a, b in (
                    (x.shift_interval, y.shift_interval),
                    (x.bias_interval, y.bias_interval),
                ):
                    assert a == (-b[1], -b[0])
            assert (here.tau_b, here.tau_ap_b) == (there.tau_b, there.tau_ap_b)
            assert set(here.swapped) == {(b, a) for a, b in there.swapped}
            assert here.changes["t"].pairs["gained"] == there.changes["t"].pairs["lost"]
            assert here.changes["t"].pairs["opposite"] == there.changes["t"].pairs["opposite"]
            seen |= {kind for kind, pairs in here.changes["t"].pairs.items() if pairs}
    assert seen >= {"gained", "lost"}


@pytest.mark.spec("RS-AGR-40", "RS-AGR-40/L3")
@each("seed", range(5))
def test_biases_of_queries(seed: int) -> None:
    choose = random.Random(seed)
    first, second = (
        [[Fraction(choose.randint(0, 10), 10) for _ in range(5)] for _ in range(3)]
        for _ in range(2)
    )
    _, by_query = equations.shifts_by_query(first, second)
    assert all(sum(column) == 0 for column in zip(*by_query, strict=True))
    means = [[sum(row) / 5 for row in rows] for rows in (first, second)]
    assert [sum(row) / 5 for row in by_query] == equations.bias(*means)
