"""The vectors of randomness: their form; they hold by other definitions, and in bulk."""

from __future__ import annotations

import copy
import json
import struct
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from rankspec import InputError
from rankspec.analysis.comparison import resampling
from rankspec.compute import randomness as bulk
from rankspec.reference.numerics import nearest_double
from rankspec.specification.validity import hash_of

from ..each import each
from . import randomness_definitions as definitions

FOLDER = Path(__file__).resolve().parents[2] / "spec" / "vectors"
FILE = json.loads((FOLDER / "randomness.json").read_text("utf-8"))
SCHEMA = json.loads((FOLDER / "statistics.schema.json").read_text("utf-8"))
CASES = [
    case for part in ("required", "optional") for group in FILE[part] for case in group["cases"]
]
REFUSED = [
    case for case in CASES if isinstance(case["expected"], dict) and "error" in case["expected"]
]
VALID = [case for case in CASES if case not in REFUSED]
DECIMAL = {"acceleration"}
"""What is no rational number: to so many digits (RS-RND-13)."""

by_id = {"ids": lambda case: case["id"]}


def numbers(x: Any) -> Any:
    """What goes in, with the integers that are written as text."""
    if isinstance(x, dict):
        return {name: numbers(part) for name, part in x.items()}
    if isinstance(x, list):
        return [numbers(part) for part in x]
    return int(x) if isinstance(x, str) else x


def read(x: Any) -> Any:
    """What comes out: a value is its fraction, or its double."""
    if isinstance(x, dict) and "hex" in x:
        return Fraction(x["exact"]) if x["exact"] else float.fromhex(x["hex"])
    if isinstance(x, dict):
        return {name: read(part) for name, part in x.items()}
    if isinstance(x, list):
        return [read(part) for part in x]
    return int(x) if isinstance(x, str) else x


# ---- the file ----------------------------------------------------------------------------


def test_the_file_is_as_its_schema_says():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator(SCHEMA).validate(FILE)
    assert FILE["count"] == len(CASES) == len({case["id"] for case in CASES})
    assert FILE["hash"] == hash_of(CASES)
    assert set(FILE["flags"]) == {flag for case in CASES for flag in case["flags"]}
    assert {case["function"] for case in CASES} <= set(
        SCHEMA["properties"]["required"]["items"]["properties"]["cases"]["items"]["properties"][
            "function"
        ]["enum"]
    )


@each(
    "spoil",
    [
        lambda case: case.pop("why"),
        lambda case: case.update(id="randomness-1"),
        lambda case: case.update(spec=[]),
        lambda case: case.update(function="philox2"),
        lambda case: case.update(expected=0.5),
        lambda case: case.update(expected={"error": "seed"}),
        lambda case: case.update(expected={"count": 1, "arrangements": 2, "exact": True}),
        lambda case: case.update(measure={"name": "DCG"}),
    ],
)
def test_the_schema_can_fail(spoil):
    file = copy.deepcopy(FILE)
    spoil(file["required"][0]["cases"][0])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(file)


@each("case", VALID, **by_id)
def test_the_forms_of_a_value_are_one_number(case):
    def look(x: Any) -> None:
        if isinstance(x, dict) and "hex" in x:
            double = float.fromhex(x["hex"])
            assert x["decimal"] == double
            assert struct.pack(">d", double).hex() == x["bits"]
            assert x["exact"] is None or nearest_double(Fraction(x["exact"])) == double
        for part in x.values() if isinstance(x, dict) else x if isinstance(x, list) else ():
            look(part)

    look(case["expected"])


# ---- the cases ---------------------------------------------------------------------------


@each("case", VALID, **by_id)
def test_a_case_holds_by_other_definitions(case):
    found = getattr(definitions, case["function"])(**numbers(case["input"]))
    expected = read(case["expected"])
    if case["function"] in DECIMAL:
        assert found == pytest.approx(expected, rel=1e-14)
    else:
        assert found == expected


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
