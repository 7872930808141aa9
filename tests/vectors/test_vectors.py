"""The test vectors: their form, that they are up to date, and that they hold.

They hold by the C core, by the reference, and by definitions that share no code with rankspec.
"""

from __future__ import annotations

import copy
import json
import math
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import flint
import jsonschema
import numpy as np
import pytest

import rankspec as rs
from rankspec.metrics.grammar import metric
from rankspec.reference.numerics import nearest_double

from ..each import each
from ..reference.balls import ends_of
from . import definitions, session_definitions

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "spec" / "vectors"
CHAPTERS = [
    "gain", "dcg", "length", "relevance", "precision", "cascade", "utility", "users", "expectation",
    "bounds", "session", "axioms", "numerics", "evaluation",
]  # fmt: skip
FILES = {name: json.loads((FOLDER / f"{name}.json").read_text("utf-8")) for name in CHAPTERS}
SCHEMA = json.loads((FOLDER / "schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
WRITTEN = {
    case["id"]: case
    for file in FILES.values()
    for part in ("required", "optional")
    for group in file[part]
    for case in group["cases"]
}
"""The cases as they are written."""


def with_integers(x, *, ids):
    """A case with the integers that are written as text; ids: whether ids are integers."""
    if isinstance(x, dict):
        texts = ("fraction", "name", *(() if ids else ("ids", "documents")))
        return {n: y if n in texts else with_integers(y, ids=ids) for n, y in x.items()}
    if isinstance(x, list):
        return [with_integers(part, ids=ids) for part in x]
    return int(x) if isinstance(x, str) and re.fullmatch("-?[0-9]+", x) else x


CASES = {
    name: case
    | {
        part: with_integers(case[part], ids="ids:integer" in case["requires"])
        for part in ("measure", "input")
    }
    for name, case in WRITTEN.items()
    if "conventions" not in case  # whole evaluations: test_evaluations.py
}
VALID = [case for case in CASES.values() if "error" not in case["expected"]]
REFUSED = [case for case in CASES.values() if "error" in case["expected"]]
LONG_IN_FLINT = {"expectation-0132"}
"""The orders of twelve tied items, gone through one by one."""
LONG = {"expectation-0368"}
"""It is refused once so many sums of gains have been counted."""

by_id = {"ids": lambda case: case["id"]}
BACKENDS = pytest.mark.parametrize("backend", ["c", "reference"])
CHAPTER = pytest.mark.parametrize("chapter", CHAPTERS)


# The files.


@pytest.mark.slow
def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.slow(but=1)
@CHAPTER
def test_a_file_is_as_its_schema_says(chapter):
    VALIDATOR.validate(FILES[chapter])
    assert FILES[chapter]["chapter"] == chapter


@each(
    "spoil",
    [
        lambda case: case.pop("why"),
        lambda case: case.update(id="dcg-1"),
        lambda case: case.update(spec=[]),
        lambda case: case.update(spec=["RS-DCG"]),
        lambda case: case["measure"].update(k="10"),
        lambda case: case["measure"]["discount"].pop("base"),
        lambda case: case["input"].update(ids=["a"]),
        lambda case: case["expected"].update(hex="0.5"),
        lambda case: case["expected"].pop("exact"),
        lambda case: case["expected"].update(error="label"),
    ],
)
def test_the_schema_can_fail(spoil):
    assert_a_spoiled_case_is_not_valid(FILES["dcg"], spoil)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda case: case["measure"].pop("discount"),
        lambda case: case["measure"].update(rel=1),
        lambda case: case["measure"].update(repeats="once"),
        lambda case: case["measure"].update(padding="k"),
        lambda case: case["measure"].update(name="sDCG_vector", k=[1, 2]),
        lambda case: case["input"].pop("queries"),
        lambda case: case["input"].update(queries=[1, 2]),
        lambda case: case["input"].update(documents=["a", "b"]),
        lambda case: case["input"].update(scores=[1, 2]),
    ],
)
def test_the_schema_of_sessions_can_fail(spoil):
    assert_a_spoiled_case_is_not_valid(FILES["session"], spoil)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda case: case["measure"].pop("of"),
        lambda case: case["measure"].update(k=2),
        lambda case: case["measure"].update(name="nDCG"),
        lambda case: case["measure"]["of"].pop("k"),
        lambda case: case["measure"]["of"].update(k=[1, 2]),
        lambda case: case["measure"]["of"].update(name="UL2"),
    ],
)
def test_the_schema_of_bounds_can_fail(spoil):
    assert_a_spoiled_case_is_not_valid(FILES["bounds"], spoil)


def assert_a_spoiled_case_is_not_valid(file, spoil, validator=VALIDATOR):
    """Of a file with its first case alone, which is soon validated."""
    case = copy.deepcopy(file["required"][0]["cases"][0])
    file = file | {"required": [{"about": "it", "cases": [case]}], "optional": []}
    assert validator.is_valid(file)
    spoil(case)
    assert not validator.is_valid(file)


def test_ids_are_unique_and_of_their_chapter():
    count = 0
    for chapter, file in FILES.items():
        for part in ("required", "optional"):
            for group in file[part]:
                count += len(group["cases"])
                assert all(case["id"].startswith(f"{chapter}-") for case in group["cases"])
    assert count == len(WRITTEN)


@CHAPTER
def test_flags_are_explained_where_they_occur_and_nowhere_else(chapter):
    file = FILES[chapter]
    groups = file["required"] + file["optional"]
    assert set(file["flags"]) == {
        flag for group in groups for case in group["cases"] for flag in case["flags"]
    }


def test_cited_entries_laws_and_special_cases_exist():
    text = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "spec").rglob("*.md")))
    entries = {part.split("}")[0]: part for part in text.split("{#")[1:]}
    for case in WRITTEN.values():
        for cited in case["spec"]:
            identifier, law, special = cited.split("/")[0].split("(")[0], "/" in cited, "(" in cited
            assert identifier in entries, f"{case['id']} cites {cited}"
            if law:
                assert f"**{cited.split('/')[1]}**" in entries[identifier], cited
            if special:
                cases = (
                    entries[identifier].partition("**Special cases.**")[2].partition("**Laws")[0]
                )
                assert f"({cited[-2]})" in cases, f"{case['id']} cites {cited}"


@pytest.mark.slow
def test_the_files_are_up_to_date():
    program = ROOT / "tools" / "vectors.py"
    done = subprocess.run(  # noqa: S603
        [sys.executable, str(program), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr or "run: python tools/vectors.py"


@pytest.mark.slow
def test_a_case_that_is_not_what_it_is_for_is_not_written():
    """The control of the flags: a case for a flag that it does not deserve."""
    code = (
        "import sys; sys.path.insert(0, 'tools'); import vectors; from cases import case\n"
        "vectors.as_json('dcg', case(1, 'x', 'nDCG', [1, 2], k=9, flags='k-beyond-list'))\n"
        "vectors.as_json('dcg', case(2, 'x', 'nDCG', [1, 2], k=2, flags='k-beyond-list'))\n"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode != 0
    assert "dcg-0002: not so" in done.stderr


@pytest.mark.slow
def test_a_relation_that_does_not_hold_is_not_written():
    """The control of the laws: the usual example is worth less than the best order."""
    code = (
        "import sys; sys.path.insert(0, 'tools'); import vectors; from cases import case\n"
        "for sign in '>', '=':\n"
        "    law = f'RS-DCG-6/L1 {sign} dcg-0001'\n"
        "    print(vectors.as_json('dcg', case(1, 'x', 'nDCG', [2, 1], laws=law))['laws'])\n"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.stdout == "[{'law': 'RS-DCG-6/L1', 'relation': '>', 'case': 'dcg-0001'}]\n"
    assert "dcg-0001: RS-DCG-6/L1: not = dcg-0001" in done.stderr


# The values. Numbers are as json reads them: integers without limit, and doubles.


def number(x):
    return float(x) if isinstance(x, str) else x  # "NaN", "Infinity"


def gain_of(gain):
    return [number(x) for x in gain["table"]] if gain["kind"] == "table" else gain["kind"]


def discount_of(discount):
    if discount["kind"] == "weights":
        return [number(x) for x in discount["weights"]]
    if "base" in discount:
        return f"{discount['kind']}(b={discount['base']})"
    return discount["kind"]


def prior_of(prior):
    return prior["kind"] if prior["kind"] in ("discount", "uniform") else discount_of(prior)


# How a parameter is read that is no choice of words.
READ = {
    "stops": lambda stops: stops and gain_of(stops),
    "gain": gain_of,
    "discount": discount_of,
    "query_discount": discount_of,
    "prior": prior_of,
    "rel": number,
    "points": lambda points: points and [[number(x) for x in point] for point in points],
    "p": number,
    "stop": lambda stop: stop and (stop if stop == "label" else [number(x) for x in stop]),
    "q": lambda q: [number(x) for x in q],
}


def metric_of(measure):
    """The metric that a measure is of, where it is a bound, or that it is itself."""
    return measure.get("of", measure)


def choices(measure):
    return {n: READ[n](x) if n in READ else x for n, x in measure.items() if n != "name"}


def run(case, backend):
    """The value of a case by the public API."""
    measure, given = case["measure"], case["input"]
    if measure["name"] == "mean":
        return rs.mean([number(x) for x in given["values"]])
    if measure["name"] == "double":
        return nearest_double(Fraction(given["fraction"]))
    if "queries" in given:
        return run_session(measure, given, backend)
    of_pool = "labels" not in given
    taken = ("scores",) if of_pool else ("judged", "scores")
    arguments = {name: [number(x) for x in given[name]] for name in taken if name in given}
    if "judged" in arguments:
        arguments["check"] = False  # a vector is of the definition, which takes any pool
    arguments |= {n: given[n] for n in ("ids", "ties", "unjudged") if n in given}
    labels = [number(x) for x in given["judged" if of_pool else "labels"]]
    if "of" in measure:
        inner = getattr(rs, measure["of"]["name"])(**choices(measure["of"]))
        own = {name: x for name, x in choices(measure).items() if name != "of"}
        bound = getattr(rs, measure["name"])(inner, **own)
        return bound.of(labels, backend=backend, **arguments)
    function = getattr(rs, metric(measure["name"]).function)
    return function(labels, backend=backend, **choices(measure), **arguments)


def run_session(measure, given, backend):
    """The value of a metric of sessions, or the components of a vector."""
    queries = [[number(x) for x in ranked] for ranked in given["queries"]]
    arguments = {"ids": given["documents"]} if "documents" in given else {}
    if "judged" in given:
        arguments |= {"judged": [number(x) for x in given["judged"]], "check": False}
    function = getattr(rs, measure["name"].lower())
    found = function(queries, backend=backend, **choices(measure), **arguments)
    if measure["name"] == "query_sDCG_vectors":
        return np.concatenate([*found, []])
    return found


def expected_doubles(case):
    expected = case["expected"]
    values = expected if isinstance(expected, list) else [expected]
    return [float.fromhex(value["hex"]) for value in values]


@BACKENDS
@each("case", VALID, **by_id, fast=700)
def test_a_vector_holds(case, backend):
    value = run(case, backend)
    values = value.tolist() if isinstance(case["expected"], list) else [value]
    assert values == expected_doubles(case)
    assert not any(x == 0 and math.copysign(1, x) < 0 for x in values)  # a value of 0 is +0


@BACKENDS
@each("case", [case for case in REFUSED if case["id"] not in LONG], **by_id)
def test_an_input_to_be_refused_is_refused(case, backend):
    with pytest.raises(rs.InputError):
        run(case, backend)


@pytest.mark.slow
@BACKENDS
@pytest.mark.parametrize("name", sorted(LONG))
def test_an_input_is_refused_after_many_steps(name, backend):
    with pytest.raises(rs.InputError):
        run(CASES[name], backend)


@each("case", VALID, **by_id)
def test_decimal_hex_and_exact_are_one_value(case):
    expected = case["expected"]
    for value in expected if isinstance(expected, list) else [expected]:
        assert number(value["decimal"]) == float.fromhex(value["hex"])
        if value["exact"] is not None:
            n, d = Fraction(value["exact"]).as_integer_ratio()
            try:
                assert n / d == value["decimal"]
            except OverflowError:
                assert value["decimal"] == "Infinity"


def exact_numbers(x):
    """The input with its doubles as the rationals that they are."""
    if isinstance(x, dict):
        as_it_is = ("ids", "ties", "documents")
        return {n: part if n in as_it_is else exact_numbers(part) for n, part in x.items()}
    if isinstance(x, list):
        return [exact_numbers(part) for part in x]
    return Fraction(x) if isinstance(x, float) else x


def by_definition(case, k):
    """The ends of the value, by the definitions in python-flint."""
    with flint.ctx.workprec(4000):
        measure, given = case["measure"], exact_numbers(case["input"])
        if measure["name"] == "mean":
            values = given["values"]
            return 2 * (sum(values, Fraction(0)) / max(len(values), 1),)
        if measure["name"] == "double":
            return 2 * (Fraction(given["fraction"]),)
        by = session_definitions if "queries" in given else definitions
        return ends(by.value_of(exact_numbers(measure), given, k))


def ends(x):
    """The ends of a number of python-flint's."""
    return 2 * (Fraction(int(x.p), int(x.q)),) if isinstance(x, flint.fmpq) else ends_of(x)


def components_by_definition(case):
    """The ends of each component of a vector of a session."""
    with flint.ctx.workprec(4000):
        measure, given = exact_numbers(case["measure"]), exact_numbers(case["input"])
        return [ends(x) for x in session_definitions.vector_of(measure, given, measure["k"])]


def assert_by_definition(case):
    expected, k = case["expected"], metric_of(case["measure"]).get("k")
    if "vector" in case["measure"]["name"]:
        found = components_by_definition(case)
    elif isinstance(expected, dict):
        expected, found = [expected], [by_definition(case, k)]
    else:
        found = [by_definition(case, cutoff) for cutoff in k]
    for value, (lower, upper) in zip(expected, found, strict=True):
        if value["exact"] is None:
            assert lower < upper  # irrational, as far as flint knows
            assert nearest(lower) == nearest(upper) == float.fromhex(value["hex"])
        else:
            assert lower <= Fraction(value["exact"]) <= upper
            assert upper - lower <= abs(upper) / 2**3000


def nearest(x: Fraction) -> float:
    try:
        return x.numerator / x.denominator
    except OverflowError:
        return math.inf


@each("case", [case for case in VALID if case["id"] not in LONG_IN_FLINT], **by_id, fast=200)
def test_a_vector_holds_by_the_definitions_in_flint(case):
    assert_by_definition(case)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", sorted(LONG_IN_FLINT))
def test_a_vector_holds_by_many_steps_in_flint(name):
    assert_by_definition(CASES[name])


def test_the_definitions_in_flint_can_fail():
    """The control: a value one unit off, an exact value a little off, other cut-offs."""
    case = copy.deepcopy(CASES["dcg-0001"])
    double = float.fromhex(case["expected"]["hex"])
    case["expected"]["hex"] = math.nextafter(double, 1).hex()
    with pytest.raises(AssertionError):
        assert_by_definition(case)
    case = copy.deepcopy(CASES["precision-0028"])
    case["expected"]["exact"] = str(Fraction(case["expected"]["exact"]) + Fraction(1, 2**400))
    with pytest.raises(AssertionError):
        assert_by_definition(case)
    for name, changed in (
        ("dcg-0018", {"k": 4}),
        ("dcg-0018", {"ideal": "all"}),
        ("length-0002", {"k": 4}),
        ("length-0002", {"Z": "none"}),
        ("length-0002", {"prior": {"kind": "uniform"}}),
        ("length-0077", {"ideal": "true"}),
        ("relevance-0001", {"variant": "authors-program"}),
        ("relevance-0013", {"quartiles": "weibull"}),
        ("relevance-0001", {"points": [[0, 0], [100, 1]]}),
        ("precision-0075", {"q": [0.125, 0.25, 0.625]}),
        ("cascade-0015", {"max": 3}),
        ("cascade-0017", {"stop": [0, 0.25, 0.75]}),
        ("cascade-0036", {"p": 0.5}),
        ("cascade-0047", {"p": 0.25}),
        ("bounds-0049", {"name": "MinMax"}),
        ("bounds-0095", {"lower": "random"}),
        ("bounds-0121", {"bounds": "exact"}),
        ("bounds-0048", {"of": {**CASES["bounds-0048"]["measure"]["of"], "k": 2}}),
        ("expectation-0092", {"name": "RLB"}),
        ("expectation-0121", {"name": "UL2"}),
        ("session-0001", {"query_discount": {"kind": "jarvelin-2008", "base": 5}}),
        ("session-0024", {"repeats": "first"}),
        ("session-0038", {"k": 4}),
        ("session-0038", {"ideal": "spread"}),
        ("session-0039", {"ideal": "greatest"}),
        ("session-0063", {"padding": 3}),
        ("session-0086", {"over": "worst"}),
        ("session-0104", {"discount": {"kind": "log", "base": 2}}),
        ("session-0114", {"name": "IsDCG_vector"}),
    ):
        case = copy.deepcopy(CASES[name])
        case["measure"].update(changed)
        with pytest.raises(AssertionError):
            assert_by_definition(case)


def test_every_metric_gain_discount_and_rule_has_required_cases():
    """What the vectors cover: a new metric without vectors is seen here."""
    from rankspec.compute.gain import KINDS
    from rankspec.metrics.catalogue import BOUNDS, METRICS, SESSION_METRICS
    from rankspec.reference.ties import RULES

    required = [
        case for file in FILES.values() for group in file["required"] for case in group["cases"]
    ]
    for m in (*METRICS, *SESSION_METRICS, *BOUNDS):
        own = [case["measure"] for case in required if case["measure"]["name"] == m.name]
        assert own, m.name
        for parameter in m.parameters.values():
            seen = {x[parameter.name] for x in own} if parameter.words else set()
            assert seen >= set(parameter.words), f"{m.name}: {parameter.name}"
    for name, refusal in ((bound.name, bound.refusal) for bound in BOUNDS):
        if name in ("UL2", "variance"):  # of each metric that has them
            own = [case["measure"] for case in required if case["measure"]["name"] == name]
            having = {m.name for m in METRICS if refusal(m) is None}
            assert {measure["of"]["name"] for measure in own} == having
    kinds = {name: set() for name in ("gain", "discount", "prior")}
    for case in required:
        for name in kinds:
            kinds[name] |= {case["measure"][name]["kind"]} if name in case["measure"] else set()
    assert kinds["gain"] == {"linear", "exp2", "table"}
    assert kinds["discount"] == {name for name, kind in KINDS.items() if kind.examples}
    assert kinds["prior"] >= {"discount", "uniform", "zipf"}
    assert {case["input"].get("ties") for case in required} >= set(RULES)
