"""The form of the vectors about statistics, of every chapter."""

from __future__ import annotations

import struct
from fractions import Fraction
from typing import Any

import jsonschema

from rankspec.reference.numerics import nearest_double
from rankspec.specification.validity import hash_of

from ..each import each
from .statistics_files import CASES, FILES, SCHEMA, by_id, kind
from .test_vectors import assert_a_spoiled_case_is_not_valid

VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert sorted(FILES) == ["agreement", "comparison", "diversity", "priors", "randomness"]


@each("name", FILES, fast=2)
def test_a_file_is_as_its_schema_says(name):
    file, cases = FILES[name], CASES[name]
    VALIDATOR.validate(file)
    assert file["count"] == len(cases) == len({case["id"] for case in cases})
    assert file["hash"] == hash_of(cases)
    assert {case["id"].rpartition("-")[0] for case in cases} == {name}
    assert set(file["flags"]) == {flag for case in cases for flag in case["flags"]}


@each(
    "spoil",
    [
        lambda case: case.pop("why"),
        lambda case: case.update(id="randomness-1"),
        lambda case: case.update(spec=[]),
        lambda case: case.update(function="philox2"),
        lambda case: case.update(input=[0.5]),
        lambda case: case.update(flags=["Why not"]),
        lambda case: case.update(measure={"name": "DCG"}),
        lambda case: case.update(expected=0.5),
        lambda case: case.update(expected={"error": "seed"}),
        lambda case: case.update(expected={"undefined": 1}),
        lambda case: case.update(expected={"D": [0.5], "e": 1}),
        lambda case: case.update(expected={"count": 1, "arrangements": 2, "exact": True}),
    ],
)
@each("name", FILES, fast=1)
def test_the_schema_can_fail(name, spoil):
    assert_a_spoiled_case_is_not_valid(FILES[name], spoil, VALIDATOR)


@each("case", [c for those in CASES.values() for c in those if kind(c) == "value"], **by_id)
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
