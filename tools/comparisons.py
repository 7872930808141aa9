"""Cases of statistics as JSON: values of systems go in, a number, several, or integers come out.

The expected values are those of the reference, each rounded once. Where it has none, the reason is
expected. How a value stands to that of another case, by a law, is asserted.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from cases.comparison import CASES, Comparison
from cases.schema import CITED, ID, TEXT, any_of, array, record

from rankspec.reference import comparison as equations
from rankspec.reference.comparison import Undefined
from rankspec.reference.numbers.reals import Reals
from rankspec.reference.numerics import exact_value, nearest_double, nearest_double_of

Given = dict[str, Any]
Written = Callable[[float, Fraction | None], dict[str, Any]]
"""Makes of a double, and the number itself if it is rational, the value of a case."""

SCHEMA = "comparison.schema.json"

# ---- values --------------------------------------------------------------------------------


def _integers(given: Given) -> tuple[list[int], list[int], int]:
    (X, Y), unit = equations.integers(given["x"], given["y"])
    return X, Y, unit


def _one(given: Given) -> tuple[list[int], int]:
    (X,), unit = equations.integers(given["x"])
    return X, unit


def _D(given: Given) -> list[int]:
    return equations.differences(given["x"], given["y"])[0]


def _mean_difference(given: Given) -> Fraction:
    X, Y, unit = _integers(given)
    return equations.mean(X, unit) - equations.mean(Y, unit)


def _interval(given: Given, reals: Reals) -> Sequence[Any]:
    D, e = equations.differences(given["x"], given["y"])
    square = equations.variance(D, e) / len(D)
    return equations.interval(_mean_difference(given), square, given["quantile"], reals)


def _two_way(given: Given) -> list[Fraction]:
    table = equations.two_way(given["systems"])
    return [table.systems, table.queries, table.residual, table.F]


def _tukey_q(given: Given, reals: Reals) -> list[Any]:
    pairs = equations.all_differences(given["systems"])
    table = equations.two_way(given["systems"], pairs)
    return [equations.tukey_q(D, e, table, reals) for D, e in pairs.values()]


def _d_av(given: Given, reals: Reals) -> Any:
    D, e = equations.differences(given["x"], given["y"])
    return equations.d_av(D, e, *_integers(given), reals)


RATIONAL: dict[str, Callable[[Given], Any]] = {
    "mean": lambda x: equations.mean(*_one(x)),
    "mean_difference": _mean_difference,
    "welch_df": lambda x: equations.welch_df(*_integers(x)[:2]),
    "signed_rank": lambda x: equations.signed_rank(_D(x), x["zeros"]),
    "signed_rank_p": lambda x: equations.signed_rank_p(_D(x), x["zeros"]),
    "sign_p": lambda x: equations.sign_p(_D(x)),
    "two_way": _two_way,
    "pad": lambda x: equations.pad(*(equations.mean(X, _integers(x)[2]) for X in _integers(x)[:2])),
    "bonferroni": lambda x: equations.bonferroni(x["p"]),
    "holm": lambda x: equations.holm(x["p"]),
    "benjamini_hochberg": lambda x: equations.benjamini_hochberg(x["p"]),
}
"""Statistics whose values are rational."""

ALGEBRAIC: dict[str, Callable[[Given, Reals], Any]] = {
    "standard_deviation": lambda x, R: equations.standard_deviation(*_one(x), R),
    "interval": _interval,
    "paired_t": lambda x, R: equations.paired_t(_D(x), R),
    "pooled_t": lambda x, R: equations.pooled_t(*_integers(x)[:2], R),
    "welch_t": lambda x, R: equations.welch_t(*_integers(x)[:2], R),
    "signed_rank_z": lambda x, R: equations.signed_rank_z(_D(x), x["zeros"], x["continuity"], R),
    "tukey_q": _tukey_q,
    "posterior_limits": lambda x, R: equations.posterior_limits(
        *equations.differences(x["x"], x["y"]), x["rope"], R
    ),
    "d_z": lambda x, R: equations.d_z(_D(x), R),
    "d_av": _d_av,
    "hedges_g": lambda x, R: equations.hedges_g(*_integers(x)[:2], R),
}
"""Statistics that have a square root."""

LISTS = {"interval": 2, "posterior_limits": 2}
SPEC = {
    "differences": "RS-CMP-1", "wins_ties_losses": "RS-CMP-2", "mean": "RS-CMP-3",
    "mean_difference": "RS-CMP-3", "standard_deviation": "RS-CMP-3", "interval": "RS-CMP-4",
    "paired_t": "RS-CMP-5", "pooled_t": "RS-CMP-6", "welch_t": "RS-CMP-7",
    "welch_df": "RS-CMP-7", "signed_rank": "RS-CMP-8", "signed_rank_p": "RS-CMP-9",
    "signed_rank_z": "RS-CMP-10", "sign_p": "RS-CMP-11", "two_way": "RS-CMP-12",
    "tukey_q": "RS-CMP-13", "posterior_limits": "RS-CMP-14", "d_z": "RS-CMP-15",
    "d_av": "RS-CMP-16", "hedges_g": "RS-CMP-17", "pad": "RS-CMP-18", "bonferroni": "RS-CMP-19",
    "holm": "RS-CMP-20", "benjamini_hochberg": "RS-CMP-21",
}  # fmt: skip


def expected_of(case: Comparison, written: Written) -> Any:
    """What the reference says of a case."""
    if case.name == "differences":
        D, e = equations.differences(case.given["x"], case.given["y"])
        return {"D": D, "e": e}
    if case.name == "wins_ties_losses":
        return {"counts": list(equations.wins_ties_losses(_D(case.given)))}
    try:
        if case.name in RATIONAL:
            found = RATIONAL[case.name](case.given)
            many = isinstance(found, list)
            values = [written(nearest_double(x), x) for x in (found if many else [found])]
        else:
            many, values = _algebraic(case, written)
    except Undefined as reason:
        return {"undefined": str(reason)}
    return values if many else values[0]


def _algebraic(case: Comparison, written: Written) -> tuple[bool, list[Any]]:
    equation = ALGEBRAIC[case.name]
    m = len(case.given.get("systems", ()))
    size = LISTS.get(case.name, m * (m - 1) // 2)

    def at(a: int) -> Any:
        def value(reals: Reals) -> Any:
            found = equation(case.given, reals)
            return found[a] if size else found

        return written(nearest_double_of(value), exact_value(value))

    return bool(size), [at(a) for a in range(size or 1)]


# ---- cases ---------------------------------------------------------------------------------

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "-": lambda x, y: x == -y,
}


def numbers(expected: Any) -> list[Any]:
    """The numbers of what is expected, in their order."""
    if isinstance(expected, list):
        return [x for part in expected for x in numbers(part)]
    if "D" in expected:
        return list(expected["D"])
    return expected["counts"] if "counts" in expected else [float.fromhex(expected["hex"])]


def as_json(case: Comparison, written: Written) -> dict[str, Any]:
    """A case with its expected value, after its laws have been asserted."""
    expected = expected_of(case, written)
    if ("undefined" in expected) != case.undefined:
        raise AssertionError(f"comparison-{case.number:04}: {expected}")
    name = f"comparison-{case.number:04}"
    laws = [_held(name, expected, words, written) for words in case.laws]
    cited = [SPEC[case.name], *case.spec, *(law["law"] for law in laws)]
    parameters = {n: x for n, x in case.given.items() if n in PARAMETERS}
    return {
        "id": name,
        "why": case.why,
        "spec": list(dict.fromkeys(cited)),
        **({"laws": laws} if laws else {}),
        "flags": [],
        "statistic": {"name": case.name, **parameters},
        "input": {n: x for n, x in case.given.items() if n not in PARAMETERS},
        "expected": expected,
    }


def _held(name: str, expected: Any, words: str, written: Written) -> Given:
    law, sign, of = words.split()
    other = next(case for case in CASES if f"comparison-{case.number:04}" == of)
    ours, theirs = numbers(expected), numbers(expected_of(other, written))
    if len(ours) != len(theirs) or not all(map(SIGNS[sign], ours, theirs)):
        raise AssertionError(f"{name}: {law}: not {sign} {of}: {ours}, {theirs}")
    return {"law": law, "relation": sign, "case": of}


PARAMETERS: dict[str, Any] = {
    "zeros": {"enum": list(equations.ZEROS)},
    "continuity": {"type": "boolean"},
    "rope": {"type": "number", "minimum": 0},
    "quantile": {"type": "number", "minimum": 0},
}


def schema(chapters: Sequence[str], value: Any) -> dict[str, Any]:
    """The form of a file of statistics; value: that of a number."""
    doubles = array({"type": "number"})
    whole = array({"type": "integer"})
    expected = any_of(
        {"$ref": "#/$defs/value"},
        array({"$ref": "#/$defs/value"}),
        record("D e", {"D": whole, "e": {"type": "integer"}}),
        record("counts", {"counts": {**whole, "minItems": 3, "maxItems": 3}}),
        record("undefined", {"undefined": TEXT}),
    )
    law = {"law": CITED, "relation": {"enum": list(SIGNS)}, "case": ID}
    case = {
        "id": ID,
        "why": TEXT,
        "spec": array(CITED, minItems=1, uniqueItems=True),
        "laws": array(record("law relation case", law), minItems=1),
        "flags": array(TEXT, maxItems=0),
        "statistic": record("name", {"name": {"enum": list(SPEC)}, **PARAMETERS}),
        "input": any_of(
            record("x", {"x": doubles, "y": doubles}),
            record("systems", {"systems": array(doubles, minItems=2)}),
            record("p", {"p": array({"type": "number", "minimum": 0, "maximum": 1})}),
        ),
        "expected": expected,
    }
    about = {"about": TEXT, "cases": array({"$ref": "#/$defs/case"}, minItems=1)}
    group = array(record("about cases", about))
    withdrawn = record("id why since", {"id": ID, "why": TEXT, "since": TEXT})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A file of test vectors of statistics",
        "description": "README.md says what each part means. tools/vectors.py writes this file.",
        **record(
            "$schema format version chapter count hash withdrawn flags required optional",
            {
                "$schema": {"const": SCHEMA},
                "format": {"const": 2},
                "version": {"type": "string", "pattern": "^2\\.[0-9]+$"},
                "chapter": {"enum": list(chapters)},
                "count": {"type": "integer", "minimum": 1},
                "hash": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                "withdrawn": array(withdrawn),
                "flags": {"type": "object", "maxProperties": 0},
                "required": group,
                "optional": group,
            },
        ),
        "$defs": {
            "case": record("id why spec flags statistic input expected", case),
            "value": value,
        },
    }
