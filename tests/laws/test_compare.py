"""Laws of what compare reports: orders, reversal, equal sums, seeds."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

import rankspec as rs
from rankspec.analysis.comparison.tests import BY_NAME

from ..api.test_compare import TENTHS, evaluated
from ..each import each

ALL = tuple(BY_NAME)
MEASURES = ["P@10", "RR", "AP"]
FEW = 200


@pytest.fixture(scope="module")
def evaluations() -> dict[str, rs.Evaluation]:
    return evaluated({name: values[:18] for name, values in TENTHS.items()}, MEASURES)


@pytest.mark.spec("RS-CMP-23", "RS-CMP-23/L1")
def test_no_order_of_queries_or_measures_matters(evaluations: dict[str, rs.Evaluation]) -> None:
    other = {
        name: replace(
            x,
            measures=x.measures[::-1],
            queries=x.queries[::-1],
            per_query={m: dict(reversed(by.items())) for m, by in x.per_query.items()},
        )
        for name, x in evaluations.items()
    }
    one = rs.compare(evaluations, tests=ALL, replicates=FEW).to_dict()
    two = rs.compare(other, tests=ALL, replicates=FEW).to_dict()
    assert [x["measure"] for x in two["measures"]] == MEASURES[::-1]
    assert two["measures"][::-1] == one["measures"]


@pytest.mark.spec("RS-CMP-23/L2")
def test_systems_in_reverse(evaluations: dict[str, rs.Evaluation]) -> None:
    drawn = "randomised-tukey"
    tests = [name for name in ALL if name != drawn]
    one = rs.compare(evaluations, tests=tests, replicates=FEW)
    two = rs.compare(dict(reversed(evaluations.items())), tests=tests, replicates=FEW)
    for measure in MEASURES:
        for here in one[measure].differences:
            there = two[measure][here.second, here.first]
            assert there.difference == -here.difference
            assert here.interval is not None
            assert there.interval == (-here.interval[1], -here.interval[0])
            assert (there.wins, there.losses) == (here.losses, here.wins)
            for name in ("d_z", "d_av", "g"):
                effects = here.effects[name], there.effects[name]
                assert effects[0] is not None
                assert effects[1] == -effects[0]
            for name in tests:
                a, b = here.tests[name], there.tests[name]
                assert (a.outcome.p, a.corrected) == (b.outcome.p, b.corrected)
                if BY_NAME[name].statistic in ("t", "q"):
                    assert a.outcome.statistic is not None
                    assert b.outcome.statistic == -a.outcome.statistic


@pytest.mark.spec("RS-CMP-23/L3")
@each("seed", range(12))
def test_equal_sums_tie(seed: int) -> None:
    """The p of sums of tenths, of all signs; by doubles, or without slack, ties are lost."""
    choose = random.Random(seed)
    tenths = {name: [choose.randint(0, 6) for _ in range(9)] for name in ("A", "B")}
    d = [x - y for x, y in zip(tenths["A"], tenths["B"], strict=True)]
    every = product((1, -1), repeat=9)
    sums = [abs(sum(s * v for s, v in zip(signs, d, strict=True))) for signs in every]
    p = Fraction(sum(x >= abs(sum(d)) for x in sums), 2**9)
    pair = rs.compare(evaluated(tenths), tests="randomisation", replicates=1)["P@10"]["A", "B"]
    assert pair.tests["randomisation"].outcome.p == p


@pytest.mark.spec("RS-CMP-23/L4")
def test_a_seed_is_enough(evaluations: dict[str, rs.Evaluation]) -> None:
    one, again, other = (
        rs.compare(evaluations, tests=ALL, seed=seed, replicates=FEW).to_dict()["measures"]
        for seed in (3, 3, 4)
    )
    assert one == again != other
