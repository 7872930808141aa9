"""Cases of statistics as JSON: the name of a function, its arguments, and what comes out.

A result is plain: integers, lists, null; a rational number as its fraction with the nearest double;
the counts of a resampling test with its p-value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any

from cases.relations import demand
from cases.requirements import LARGEST_INTEGER
from cases.schema import (
    BEYOND,
    CITED,
    FRACTION,
    ID,
    NULL,
    TEXT,
    Schema,
    any_of,
    array,
    file_of,
    head,
    of_files,
    record,
    ref,
)
from cases.statistics import Statistic, Statistics

from rankspec import InputError
from rankspec.reference.numerics import nearest_double

Written = Callable[[float, Fraction | None], dict[str, Any]]
SCHEMA = "statistics.schema.json"
KNOWN = "another program, a paper, or a calculation by hand gives this value"
SHARED_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {"=": lambda mine, other: mine == other}
"""How results of every chapter stand to each other; a chapter adds its own."""


def chapter_of(name: str) -> Statistics:
    """The declaration of a chapter of statistics."""
    declared: Statistics = import_module(f"cases.{name}").STATISTICS
    return declared


def flags_of(name: str) -> dict[str, str]:
    """What each flag of a chapter says."""
    return {"known-answer": KNOWN} | {n: text for n, (text, _) in chapter_of(name).flags.items()}


def as_json(chapter: str, case: Statistic, written: Written) -> dict[str, Any]:
    """The case with what comes out, after its flags and laws have been asserted."""
    declared, name = chapter_of(chapter), f"{chapter}-{case.number:04}"
    entry, _ = declared.functions[case.name]
    found: dict[str, Any] = {
        "id": name,
        "why": case.why,
        "spec": list(dict.fromkeys([entry, *case.spec, *(law.law for law in case.laws)])),
    }
    if case.error is not None:
        expected: Any = {"error": case.error, "message": _refusal(name, declared, case)}
    elif case.undefined:
        expected = {"undefined": _reason(name, declared, case)}
    else:
        result = result_of(declared, case)
        _assert(name, declared, case, result)
        expected = plain(result, written)
    if case.laws:
        found["laws"] = [
            {"law": law.law, "relation": law.sign, "case": law.case} for law in case.laws
        ]
    return found | {
        "flags": list(case.flags),
        "function": case.name,
        "input": as_text(case.given),
        "expected": expected,
    }


def result_of(declared: Statistics, case: Statistic) -> Any:
    return declared.functions[case.name][1](**case.given)


def _assert(name: str, declared: Statistics, case: Statistic, result: Any) -> None:
    for flag in case.flags:
        if flag == "known-answer":
            demand(result == case.known, f"{name}: {result} is not {case.known}, which is known")
        else:
            text, check = declared.flags[flag]
            demand(check(case.given, result), f"{name}: not so: {text}")
    relations = SHARED_RELATIONS | declared.relations
    for law in case.laws:
        other = result_of(declared, _case_named(law.case))
        demand(relations[law.sign](result, other), f"{name}: {law.law}: {result}, {other}")


def _case_named(name: str) -> Statistic:
    chapter, _, number = name.rpartition("-")
    module = import_module(f"cases.{chapter}")
    found: list[Statistic] = [c for g in (*module.REQUIRED, *module.OPTIONAL) for c in g.cases]
    return next(c for c in found if c.number == int(number))


def _refusal(name: str, declared: Statistics, case: Statistic) -> str:
    try:
        result_of(declared, case)
    except InputError as error:
        demand(f"{case.error}: " in str(error), f"{name}: refused for another reason: {error}")
        return str(error)
    raise AssertionError(f"{name}: not refused")


def _reason(name: str, declared: Statistics, case: Statistic) -> str:
    """Why a statistic has no value."""
    try:
        found = result_of(declared, case)
    except ArithmeticError as reason:
        return str(reason)
    raise AssertionError(f"{name}: it has a value: {found}")


def plain(x: Any, written: Written) -> Any:
    """A result as JSON."""
    if isinstance(x, Fraction):
        return written(nearest_double(x), x)
    if isinstance(x, float):
        return written(x, None)
    if is_dataclass(x) and not isinstance(x, type):
        parts = {own.name: getattr(x, own.name) for own in fields(x)}
        return {name: plain(part, written) for name, part in parts.items()} | (
            {"p": plain(x.p, written)} if hasattr(x, "p") else {}
        )
    if isinstance(x, dict):
        return [{"pair": list(pair)} | plain(part, written) for pair, part in x.items()]
    if isinstance(x, (list, tuple)):
        return [plain(part, written) for part in x]
    return as_text(x)


def as_text(x: Any) -> Any:
    """Integers beyond 2^53, which JSON readers do not keep, as text."""
    if isinstance(x, dict):
        return {name: as_text(part) for name, part in x.items()}
    if isinstance(x, (list, tuple)):
        return [as_text(part) for part in x]
    return str(x) if isinstance(x, int) and abs(x) > LARGEST_INTEGER else x


def schema(names: tuple[str, ...]) -> Schema:
    """The schema of a file of statistics."""
    functions = [name for chapter in names for name in chapter_of(chapter).functions]
    integer = any_of({"type": "integer"}, BEYOND)
    case = record(
        "id why spec flags function input expected",
        {
            "id": ID,
            "why": TEXT,
            "spec": array(CITED, minItems=1, uniqueItems=True),
            "laws": array(
                record("law relation case", {"law": CITED, "relation": TEXT, "case": ID}),
                description="How this result stands to that of another case, by a law.",
                minItems=1,
            ),
            "flags": array(ref("flag"), uniqueItems=True),
            "function": {"enum": functions},
            "input": {"type": "object"},
            "expected": any_of(ref("result"), ref("refusal"), ref("undefined")),
        },
    )
    value = record(
        "decimal hex bits exact",
        {
            "decimal": {"type": "number"},
            "hex": {"type": "string", "pattern": "^-?0x[01]\\.[0-9a-f]+p[+-][0-9]+$"},
            "bits": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
            "exact": any_of(NULL, FRACTION),
        },
    )
    counted = {
        "count": integer,
        "arrangements": integer,
        "exact": {"type": "boolean"},
        "p": ref("value"),
    }
    pair = array({"type": "integer"}, minItems=2, maxItems=2)
    return {
        **head("A file of rankspec test vectors for statistics"),
        **file_of("statistics", names, SCHEMA),
        "$defs": {
            **of_files(case),
            "value": value,
            "integer": integer,
            "refusal": record("error message", {"error": TEXT, "message": TEXT}),
            "undefined": record("undefined", {"undefined": TEXT}),
            "differences": record("D e", {"D": array(integer), "e": {"type": "integer"}}),
            "resampled": record("count arrangements exact p", counted),
            "resampled-pair": record("pair count arrangements exact p", {"pair": pair} | counted),
            "result": any_of(
                NULL,
                ref("integer"),
                ref("value"),
                ref("resampled"),
                ref("resampled-pair"),
                ref("differences"),
                array(ref("result")),
            ),
        },
    }
