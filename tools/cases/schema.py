"""schema.json: the form of a file of vectors, its words read from the declarations of the metrics.

A case that must be refused may have any words and any numbers in its measure and input: that is
what is wrong with it. All other cases have exactly the parameters of their metric, with values that
these admit. What a JSON schema cannot say is in rankspec.specification.validity.
"""

from __future__ import annotations

from typing import Any

from rankspec.evaluation.conventions import LETOR, RUNS, SESSIONS, conventions_of
from rankspec.metrics.catalogue import BOUNDS, METRICS, SESSION_METRICS
from rankspec.metrics.measure import Metric
from rankspec.metrics.parameters import Parameter
from rankspec.reference.ties import RULES
from rankspec.specification import PROFILES

from . import VECTORS
from .requirements import DISCOUNTS, FILES, VOCABULARY, WITH_BASE

Schema = dict[str, Any]
NUMBERS = ("mean", "double")
TOGETHER = {
    "qrels run": "topics",
    "qrels sessions": "topics current",
    "letor feature": "group",
    "letor predictions": "group",
}
"""The files that an evaluation is of, and those that there may be beside them."""


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def head(title: str) -> Schema:
    """What a schema says of itself."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": "README.md says what each part means. tools/vectors.py writes this file.",
    }


def record(required: str, properties: Schema, **rest: Any) -> Schema:
    """An object with these properties and no others; required: names with blanks between."""
    return {
        "type": "object",
        "required": required.split(),
        "additionalProperties": False,
        "properties": properties,
        **rest,
    }


def array(items: Schema, **rest: Any) -> Schema:
    return {"type": "array", "items": items, **rest}


def any_of(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


def when(condition: Schema, then: Schema) -> Schema:
    return {"if": condition, "then": then}


TEXT = {"type": "string", "minLength": 1}
NULL = {"type": "null"}
ID = {"type": "string", "pattern": "^[a-z]+-[0-9]{4}$"}
CITED = {"type": "string", "pattern": "^RS-[A-Z]+-[0-9]+(\\([a-z]\\)|/L[0-9]+)?$"}
BEYOND = {"type": "string", "pattern": "^-?[1-9][0-9]{15,}$"}
"""An integer beyond 2^53."""

FRACTION = {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}
REFUSED = {"properties": {"expected": {"type": "object", "required": ["error"]}}}
SHARE = {"type": "number", "minimum": 0, "maximum": 1}

PARAMETERS: Schema = {
    "gain": ref("gain"),
    "discount": ref("discount"),
    "query_discount": ref("discount"),
    "prior": any_of(record("kind", {"kind": {"enum": ["discount", "uniform"]}}), ref("discount")),
    "rel": ref("number"),
    "recall": {"type": "number", "minimum": 0, "maximum": 100},
    "levels": array({"type": "number", "minimum": 0, "maximum": 1}, minItems=1),
    "multiple": {"type": "number", "minimum": 0, "maximum": 1000000},
    "points": any_of(NULL, array(array(ref("number"), minItems=2, maxItems=2), minItems=1)),
    "max": {"type": "integer", "minimum": 1, "maximum": 52},
    "max_rel": any_of({"const": "pool"}, {"type": "number", "exclusiveMinimum": 0}),
    "T": {"type": "number", "exclusiveMinimum": 0},
    "hb": {"type": "number", "minimum": 0},
    "hc": {"type": "number", "minimum": 0},
    "med": {"type": "number", "minimum": 0},
    "normalize": {"type": "boolean"},
    "stop": any_of(NULL, {"const": "label"}, array(SHARE, minItems=1)),
    "p": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    "q": array({"type": "number", "minimum": 0}, minItems=1),
    "beta": {"type": "number", "minimum": 0},
    "weights": array(ref("number"), minItems=4, maxItems=4),
    "documents": any_of(NULL, {"type": "integer", "minimum": 0}),
    "gamma": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
    "phi": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
    "stops": any_of(NULL, ref("gain")),
    "padding": any_of({"const": "X"}, {"type": "integer", "minimum": 0}),
}
"""What a parameter can be that has no words."""


def _values(parameter: Parameter) -> Schema:
    words = {"enum": list(parameter.words)}
    if parameter.name == "repeats":
        return any_of(words, SHARE)
    return words if parameter.words else PARAMETERS[parameter.name]


def _named(metric: Metric, names: tuple[str, ...], first: Schema) -> Schema:
    """A measure of that name, or of one of those, with exactly the parameters of the metric."""
    own = dict(metric.parameters)
    if names[0] in VECTORS:
        own.pop("over", None)
    properties = {"name": {"enum": list(names)}, **first} | {n: _values(p) for n, p in own.items()}
    return record(" ".join(properties), properties)


def _chosen(metrics: tuple[Any, ...], first: Schema) -> Schema:
    """One of some metrics, by its name."""
    return {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"enum": [m.name for m in metrics]}},
        "allOf": [
            when({"properties": {"name": {"const": m.name}}}, _named(m, (m.name,), first))
            for m in metrics
        ],
    }


def _vectors() -> Schema:
    by_name = {m.name: m for m in SESSION_METRICS}
    return {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"enum": list(VECTORS)}},
        "allOf": [
            when(
                {"properties": {"name": {"const": name}}},
                _named(by_name[of], (name,), {"k": ref("one-cut-off")}),
            )
            for name, of in VECTORS.items()
        ],
    }


def _inputs() -> Schema:
    """What goes in, by the name of the measure."""
    of_pool = [m.name for m in (*METRICS, *BOUNDS) if m.of_pool]
    of_list = [m.name for m in (*METRICS, *BOUNDS) if not m.of_pool]
    kinds = {
        "ranking": of_list,
        "pool": of_pool,
        "session": [*(m.name for m in SESSION_METRICS), *VECTORS],
        "values": ["mean"],
        "fraction": ["double"],
    }
    return {
        "allOf": [
            when(
                {"properties": {"measure": {"properties": {"name": {"enum": names}}}}},
                {"properties": {"input": ref(kind)}},
            )
            for kind, names in kinds.items()
        ]
    }


def _ranking(number: Schema) -> Schema:
    numbers = array(number)
    return record(
        "labels",
        {
            "labels": numbers,
            "judged": numbers,
            "scores": numbers,
            "ids": array({"type": ["string", "integer"]}),
            "ties": {"enum": list(RULES)},
            "unjudged": array({"enum": [0, 1]}),
        },
        dependentRequired={"scores": ["ties"], "ids": ["scores"], "ties": ["scores"]},
    )


def _case() -> Schema:
    properties = {
        "id": ID,
        "why": TEXT,
        "spec": array(CITED, minItems=1, uniqueItems=True),
        "laws": array(
            record(
                "law relation case",
                {"law": CITED, "relation": {"enum": ["=", "<", "<=", ">", ">="]}, "case": ID},
            ),
            description="How this value stands to that of another case, by a law.",
            minItems=1,
        ),
        "flags": array(ref("flag"), uniqueItems=True),
        "requires": array({"enum": list(VOCABULARY)}, uniqueItems=True),
        "profiles": array(
            {"enum": list(PROFILES)}, uniqueItems=True, contains={"const": PROFILES[-1]}
        ),
        "measure": {"type": "object", "required": ["name"]},
        "profile": {"type": ["string", "null"]},
        "conventions": {"type": "object"},
        "input": {"type": "object"},
        "expected": any_of(ref("value"), array(ref("value")), ref("evaluation"), ref("refusal")),
        "max_ulp": {"type": ["integer", "null"], "minimum": 0},
    }
    required = "id why spec flags requires profiles measure input expected"
    evaluation = {"required": ["conventions"]}
    valid = {
        "required": ["max_ulp"],
        "properties": {"measure": ref("measure"), "requires": {"not": _having("refusal")}},
        **when(
            evaluation,
            {"properties": {"input": ref("files"), "conventions": ref("conventions")}},
        ),
        "else": _inputs(),
    }
    refused = {
        "not": {"required": ["max_ulp"]},
        "properties": {"measure": ref("anything-named"), "requires": _having("refusal")},
    }
    return record(
        required,
        properties,
        dependentRequired={"conventions": ["profile"], "profile": ["conventions"]},
        **when(REFUSED, refused),
        **{"else": valid},
    )


def _conventions(kind: str) -> Schema:
    """Every convention of runs, of LETOR files or of sessions; topics are a file."""
    text = {"type": ["string", "number", "null"]}
    pairs = array(array(ref("number"), minItems=2, maxItems=2))
    known = [c for c in conventions_of(kind) if c.name != "topics"]
    values = {c.name: {"enum": list(c.values)} if c.values else text for c in known}
    values |= {"grades": any_of(NULL, pairs)} if "grades" in values else {}
    return record(" ".join(values), values)


def _having(word: str) -> Schema:
    return {"contains": {"const": word}}


def file_of(kind: str, names: tuple[str, ...], schema_name: str) -> Schema:
    """The form of a file; kind: the property that says which of the names the file is of."""
    return record(
        f"$schema format version {kind} count hash withdrawn flags required optional",
        {
            "$schema": {"const": schema_name},
            "format": {"const": 2},
            "version": {"type": "string", "pattern": "^2\\.[0-9]+$"},
            kind: {"enum": list(names)},
            "count": {"type": "integer", "minimum": 1},
            "hash": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "withdrawn": array(record("id why since", {"id": ID, "why": TEXT, "since": TEXT})),
            "flags": {
                "description": "What each flag that occurs in the file means.",
                "type": "object",
                "propertyNames": ref("flag"),
                "additionalProperties": TEXT,
            },
            "required": array(ref("group")),
            "optional": array(ref("group")),
        },
    )


def of_files(case: Schema) -> Schema:
    """What file_of() refers to."""
    return {
        "group": record("about cases", {"about": TEXT, "cases": array(ref("case"), minItems=1)}),
        "case": case,
        "flag": {"type": "string", "pattern": "^[a-z0-9^]+(-[a-z0-9^]+)*$"},
    }


def schema(chapters: tuple[str, ...]) -> Schema:
    """The schema of a file, of one of the chapters."""
    number = any_of({"type": "number"}, BEYOND)
    return {
        **head("A file of rankspec test vectors"),
        **file_of("chapter", chapters, "schema.json"),
        "$defs": {
            **of_files(_case()),
            "number": {
                "description": "Integers beyond 2^53 are text.",
                **number,
            },
            "measure": {
                "anyOf": [
                    ref("metric"),
                    ref("metric-of-sessions"),
                    ref("vector-of-sessions"),
                    ref("bound"),
                    record("name", {"name": {"enum": list(NUMBERS)}}),
                ]
            },
            "anything-named": {"type": "object", "required": ["name"]},
            "metric": _chosen(METRICS, {"k": ref("cut-off")}),
            "metric-of-one-cut-off": _chosen(METRICS, {"k": ref("one-cut-off")}),
            "metric-of-sessions": _chosen(SESSION_METRICS, {"k": ref("cut-off")}),
            "vector-of-sessions": _vectors(),
            "bound": _chosen(BOUNDS, {"of": ref("metric-of-one-cut-off")}),
            "one-cut-off": {
                "description": "null: no cut-off.",
                "anyOf": [
                    {"type": ["integer", "null"], "minimum": 1},
                    BEYOND,
                ],
            },
            "cut-off": any_of(
                ref("one-cut-off"), array({"type": "integer", "minimum": 1}, minItems=1)
            ),
            "gain": any_of(
                record("kind", {"kind": {"enum": ["linear", "exp2"]}}),
                record(
                    "kind table",
                    {"kind": {"const": "table"}, "table": array(ref("number"), minItems=1)},
                ),
            ),
            "discount": any_of(
                record(
                    "kind base",
                    {
                        "kind": {"enum": list(WITH_BASE)},
                        "base": {"type": "number", "exclusiveMinimum": 1},
                    },
                ),
                record(
                    "kind",
                    {"kind": {"enum": [x for x in DISCOUNTS if x not in (*WITH_BASE, "weights")]}},
                ),
                record(
                    "kind weights", {"kind": {"const": "weights"}, "weights": array(ref("number"))}
                ),
            ),
            "ranking": _ranking(ref("number")),
            "pool": record("judged", {"judged": array(ref("number"))}),
            "session": record(
                "queries",
                {
                    "queries": array(array(ref("number"))),
                    "documents": array(array({"type": ["string", "integer"]})),
                    "judged": array(ref("number")),
                },
                description="The labels of the results of each query; documents: in the same form.",
            ),
            "values": record("values", {"values": array({"type": "number"})}),
            "fraction": record("fraction", {"fraction": FRACTION}),
            "conventions": any_of(*map(_conventions, (RUNS, LETOR, SESSIONS))),
            "files": {
                "description": "Files, as text.",
                "type": "object",
                "minProperties": 1,
                "additionalProperties": False,
                "properties": {
                    **{name: {"type": "string"} for name in FILES},
                    "feature": {"type": "integer"},
                },
                "oneOf": [
                    {
                        "required": names.split(),
                        "propertyNames": {"enum": [*names.split(), *beside.split()]},
                    }
                    for names, beside in TOGETHER.items()
                ],
            },
            "value": record(
                "decimal hex bits exact",
                {
                    "decimal": any_of({"type": "number"}, {"const": "Infinity"}),
                    "hex": {"type": "string", "pattern": "^(-?0x[01]\\.[0-9a-f]+p[+-][0-9]+|inf)$"},
                    "bits": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
                    "exact": any_of(NULL, FRACTION),
                },
            ),
            "evaluation": record(
                "queries mean",
                {
                    "queries": {"type": "object", "additionalProperties": ref("value")},
                    "mean": any_of(NULL, ref("value")),
                },
            ),
            "refusal": record(
                "error message",
                {
                    "error": TEXT,
                    "message": TEXT,
                    "line": {"type": "integer", "minimum": 1},
                },
            ),
        },
    }
