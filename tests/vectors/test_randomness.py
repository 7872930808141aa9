"""The vectors of randomness: they hold by other definitions, and in bulk."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rankspec import InputError
from rankspec.analysis.comparison import resampling
from rankspec.compute import randomness as bulk

from ..each import each
from . import randomness_definitions as definitions
from . import statistics_files
from .statistics_files import by_id, kind, numbers

CASES = statistics_files.CASES["randomness"]
REFUSED = [case for case in CASES if kind(case) == "error"]
VALID = [case for case in CASES if kind(case) != "error"]
DECIMAL = {"acceleration"}
"""What is no rational number: to so many digits (RS-RND-13)."""


def read(x: Any) -> Any:
    """What comes out: a value is its fraction, or its double."""
    if isinstance(x, dict) and "hex" in x:
        return Fraction(x["exact"]) if x["exact"] else float.fromhex(x["hex"])
    if isinstance(x, dict):
        return {name: read(part) for name, part in x.items()}
    if isinstance(x, list):
        return [read(part) for part in x]
    return int(x) if isinstance(x, str) else x


@each("case", VALID, **by_id, fast=20)
def test_a_case_holds_by_other_definitions(case):
    found = getattr(definitions, case["function"])(**numbers(case["input"]))
    expected = read(case["expected"])
    if case["function"] in DECIMAL:
        assert found == pytest.approx(expected, rel=1e-14)
    else:
        assert found == expected


@pytest.mark.slow
def test_the_definitions_can_fail():
    """With another seed, cases are missed."""
    missed = 0
    for case in VALID:
        broken = {
            name: x + 1 if name == "seed" else x for name, x in numbers(case["input"]).items()
        }
        if "seed" in broken:
            missed += getattr(definitions, case["function"])(**broken) != read(case["expected"])
    assert missed >= 15


def resampled(found: Any) -> Any:
    if found is None:
        return None
    counts = {"count": found.count, "arrangements": found.arrangements, "exact": found.exact}
    return counts | {"p": found.p}


def one(replicate: int) -> range:
    return range(replicate, replicate + 1)


IN_BULK = {
    "words": lambda seed, purpose, replicate, position: bulk.words(
        seed, purpose, one(replicate), np.array([position], np.uint64)
    )[0].tolist(),
    "flips": lambda seed, replicate, n: [
        1 - 2 * bit for bit in bulk.flip_bits(seed, one(replicate), n)[0].tolist()
    ],
    "draws": lambda seed, replicate, n: bulk.draws(seed, one(replicate), n)[0].tolist(),
    "randomisation": lambda differences, **rest: resampled(
        resampling.randomisations([differences], rest["seed"], rest["replicates"])[0]
    ),
    "step_down": lambda family, seed, replicates: [
        resampled(x) for x in resampling.step_down(family, seed, replicates)
    ],
    "randomised_hsd": lambda values, seed, replicates: [
        {"pair": list(pair)} | resampled(x)
        for pair, x in resampling.randomised_hsd(values, seed, replicates).items()
    ],
    "stratified": lambda topics, seed, replicates: resampled(
        resampling.stratified(topics, seed, replicates)
    ),
    "studentised_bootstrap": lambda differences, seed, replicates: resampled(
        resampling.studentised_bootstraps([differences], seed, replicates)[0]
    ),
    "bca": lambda values, alpha, seed, replicates: list(
        resampling.bca_intervals([values], alpha, seed, replicates)[0]
    ),
}


@each("case", [case for case in VALID if case["function"] in IN_BULK], **by_id)
def test_a_case_holds_in_bulk(case):
    assert IN_BULK[case["function"]](**numbers(case["input"])) == read(case["expected"])


@each("case", REFUSED, **by_id)
def test_a_case_is_refused(case):
    given = case["input"] if isinstance(case["input"]["seed"], float) else numbers(case["input"])
    with pytest.raises(InputError, match=f"^{case['expected']['error']}: "):
        resampling.randomisations([[1] * 17], given["seed"], given.get("replicates", 1))
