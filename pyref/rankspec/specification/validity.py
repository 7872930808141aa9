"""What a file of test vectors must be that schema.json cannot say: lengths, doubles, sums, ids."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain
from math import inf
from typing import Any

from . import PARTS, canonical

LARGEST_INTEGER = 2**53
PLAIN = ("labels", "scores", "ids", "unjudged")


def problems(file: dict[str, Any]) -> list[str]:
    """What is wrong with a file of test vectors that is valid by its schema; nothing: []

    Each problem begins with the id of its case, or with the chapter.
    """
    chapter, cases = file["chapter"], list(cases_of(file))
    found = [f"{case['id']}: {words}" for case in cases for words in _of_case(case)]
    ids = [case["id"] for case in cases] + [case["id"] for case in file["withdrawn"]]
    found += [f"{name}: the id occurs twice" for name in set(ids) if ids.count(name) > 1]
    found += [f"{name}: no id of this chapter" for name in ids if _chapter(name) != chapter]
    flags = {flag for case in cases for flag in case["flags"]}
    if flags != set(file["flags"]):
        found.append(f"{chapter}: its flags are not those of its cases")
    if file["count"] != len(cases):
        found.append(f"{chapter}: count is {file['count']}, and there are {len(cases)} cases")
    if file["hash"] != hash_of(cases):
        found.append(f"{chapter}: hash is not that of its cases")
    return found


def cases_of(file: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The cases of a file, in their order."""
    return chain.from_iterable(group["cases"] for part in PARTS for group in file[part])


def hash_of(x: Any) -> str:
    """The SHA-256 of a value as canonical JSON (RFC 8785)."""
    return hashlib.sha256(canonical.text_of(x).encode()).hexdigest()


def _chapter(name: str) -> str:
    return name.rpartition("-")[0]


def _of_case(case: dict[str, Any]) -> Iterator[str]:
    expected, given = case["expected"], case["input"]
    for value in values_of(expected):
        yield from _of_value(value)
    if any(abs(x) > LARGEST_INTEGER for x in _integers([case["measure"], given])):
        yield "an integer beyond 2^53 must be a text"
    if "error" in expected:  # what is wrong with its input is why it is there
        return
    lengths = {name: len(given[name]) for name in PLAIN if name in given}
    if len(set(lengths.values())) > 1:
        yield "input: " + ", ".join(f"{n} {name}" for name, n in lengths.items())
    if "documents" in given and _shape(given["documents"]) != _shape(given["queries"]):
        yield "input: documents have another form than queries"
    k = case["measure"].get("k")
    if "vector" in case["measure"]["name"]:
        if not isinstance(expected, list):
            yield "expected: a vector is a list"
    elif isinstance(expected, list) != isinstance(k, list):
        yield "expected: a list of values is for a list of cut-offs, or for a vector"
    elif isinstance(k, list) and len(k) != len(expected):
        yield f"expected: {len(expected)} values for {len(k)} cut-offs"


def _integers(x: Any) -> Iterator[int]:
    """The numbers without a point or an exponent."""
    if isinstance(x, int):
        yield x
    elif isinstance(x, (dict, list)):
        for part in x.values() if isinstance(x, dict) else x:
            yield from _integers(part)


def _shape(lists: list[list[Any]]) -> list[int]:
    return [len(items) for items in lists]


def values_of(expected: Any) -> Iterator[dict[str, Any]]:
    """The values of what is expected: one, some, or those of queries and their mean; no error."""
    if isinstance(expected, list):
        yield from expected
    elif "hex" in expected:
        yield expected
    elif "queries" in expected:
        yield from expected["queries"].values()
        yield from [expected["mean"]] if expected["mean"] is not None else []


def _of_value(value: dict[str, Any]) -> Iterator[str]:
    """A value in four forms is one number."""
    double = float.fromhex(value["hex"])
    if double.hex() != value["hex"]:
        yield f"expected: {value['hex']} is not how a double is written"
    if float(value["decimal"]) != double or value["decimal"] in (inf, -inf):
        yield f"expected: decimal {value['decimal']} is not hex {value['hex']}"
    if struct.pack(">d", double).hex() != value["bits"]:
        yield f"expected: bits {value['bits']} are not those of hex {value['hex']}"
    if value["exact"] is not None and _nearest(Fraction(value["exact"])) != double:
        yield f"expected: hex {value['hex']} is not the double nearest to exact"


def _nearest(x: Fraction) -> float:
    try:
        return x.numerator / x.denominator
    except OverflowError:
        return inf if x > 0 else -inf
