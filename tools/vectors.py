"""Writes spec/vectors/*.json, the test vectors for implementations in any language.

    python tools/vectors.py           writes the files
    python tools/vectors.py --check   exits 1 where a file is not what would be written
    python tools/vectors.py --archive FILE    writes them as one zip file, too, for others to copy

What goes in stands in tools/cases, a module a chapter. Every expected value comes from the
certified reference. Every flag of a case is a reason for its existence, and the reason is
asserted here: a case that does not do what it is for is not written.

spec/vectors/ids.txt has a line for each id that there ever was, with a hash of what goes in and
what must come out. An id stays with its case for good: a case that has changed is refused, and so
is one that has gone and is not among the WITHDRAWN of its chapter. Before its first release, a case
can be changed: delete its line.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Container
from fractions import Fraction
from functools import cache
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "pyref"), str(ROOT / "tools")]

import evaluations  # noqa: E402
import index  # noqa: E402
import statistical  # noqa: E402
from cases import VECTORS, Case, Group, bound_and_metric  # noqa: E402
from cases.conformance_profiles import profiles  # noqa: E402
from cases.doubles import max_ulp  # noqa: E402
from cases.evaluation import Evaluation  # noqa: E402
from cases.facts import Facts  # noqa: E402
from cases.flags import FLAGS as OF_LISTS  # noqa: E402
from cases.flags import WITH_BASE  # noqa: E402
from cases.relations import demand, held  # noqa: E402
from cases.requirements import LARGEST_INTEGER, requires  # noqa: E402
from cases.schema import schema  # noqa: E402
from cases.statistics import Statistic  # noqa: E402

from rankspec import InputError  # noqa: E402
from rankspec.api import means  # noqa: E402
from rankspec.compute.gain import discount, gain  # noqa: E402
from rankspec.metrics.bounds import Bound  # noqa: E402
from rankspec.metrics.length import prior  # noqa: E402
from rankspec.metrics.measure import Measure, Metric  # noqa: E402
from rankspec.metrics.parameters import Parameters  # noqa: E402
from rankspec.reference.numerics import exact_sum, mean, nearest_double  # noqa: E402
from rankspec.specification.validity import hash_of  # noqa: E402

FOLDER = ROOT / "spec" / "vectors"
LOCK = FOLDER / "ids.txt"
FORMAT = 2
VERSION = "2.0"
CHAPTERS = (
    "gain", "dcg", "length", "relevance", "precision", "cascade", "utility", "users", "expectation",
    "bounds", "session", "axioms", "numerics", "evaluation",
)  # fmt: skip
STATISTICS = ("comparison", "randomness", "agreement", "diversity", "priors")
FLAGS: dict[str, tuple[str, Callable[[Any], Any]]] = {**OF_LISTS, **evaluations.OF_EVALUATIONS}


# ---- a case as JSON ------------------------------------------------------------------------


def as_json(
    chapter: str, case: Case | Evaluation | Statistic, *, required: bool = False
) -> dict[str, Any]:
    """The case with its expected value, after every flag has been asserted."""
    if isinstance(case, Statistic):
        return statistical.as_json(chapter, case, written)
    if isinstance(case, Evaluation):
        of_files = evaluations.as_json(case, lambda x: measure_of(Facts(x)), written)
        return completed(of_files, required=required)
    facts = Facts(case)
    for flag in case.flags:
        text, check = FLAGS[flag]
        demand(check(facts), f"{chapter}-{case.number:04}: not so: {text}")
    name, expected = f"{chapter}-{case.number:04}", expected_of(facts)
    laws = [
        held(name, x, _doubles(expected), _doubles(expected_of_case(x.case))) for x in case.laws
    ]
    found: dict[str, Any] = {
        "id": name,
        "why": case.why,
        "spec": list(dict.fromkeys([*spec_of(facts), *(relation.law for relation in case.laws)])),
        **({"laws": laws} if laws else {}),
        "flags": list(case.flags),
        "requires": [],
        "profiles": [],
        "measure": measure_of(facts),
        "input": input_of(case),
        "expected": expected,
    }
    if case.error is None:
        found["max_ulp"] = max_ulp(facts, expected)
    return completed(found, required=required)


def completed(case: dict[str, Any], *, required: bool) -> dict[str, Any]:
    """A case that is written, with what follows from it: what it requires, its profiles."""
    case = as_text(case)
    case["requires"] = requires(case)
    case["profiles"] = profiles(case, required=required)
    return case


def as_text(x: Any) -> Any:
    """The case with its integers beyond 2^53, which JSON readers do not keep, as text."""
    if isinstance(x, dict):
        return {name: as_text(part) for name, part in x.items()}
    if isinstance(x, list):
        return [as_text(part) for part in x]
    return str(x) if isinstance(x, int) and abs(x) > LARGEST_INTEGER else x


def _doubles(expected: Any) -> list[float]:
    values = expected if isinstance(expected, list) else [expected]
    return [float.fromhex(value["hex"]) for value in values]


@cache
def expected_of_case(name: str) -> Any:
    """What is expected of the case "dcg-0012"."""
    chapter, _, number = name.rpartition("-")
    module = import_module(f"cases.{chapter}")
    cases = [case for part in (module.REQUIRED, module.OPTIONAL) for g in part for case in g.cases]
    found = [case for case in cases if case.number == int(number)]
    demand(found, f"there is no case {name}")
    return expected_of(Facts(found[0]))


def spec_of(facts: Facts) -> list[str]:
    """The IDs of the definitions that the value depends on, and those that the case is about."""
    case = facts.case
    if case.name in NUMBERS:
        return list(dict.fromkeys([NUMBERS[case.name], *case.spec]))
    bound, found = bound_and_metric(case.name)
    if found.of_sessions:
        return _spec_of_session(facts)
    tied = "scores" in case.given and facts.given.get("ties", _default_ties(case)) == "expected"
    ids = [found.expected_spec if tied else found.spec]
    if bound is not None:
        ids = [bound.spec, *ids]
    if case.error is None:
        ids += [] if bound is None else _spec_of_bound(bound, found, facts.measure)
        chosen = [getattr(facts.measure, n) for n in ("gain", "discount") if n in found.parameters]
        if "prior" in case.given:
            chosen += [facts.measure.prior.weights or facts.measure.discount]
        ids += [choice.spec for choice in chosen]
        if "variant" in found.parameters:
            ids += ["RS-REL-6" if facts.measure.points else POINTS_OF[facts.measure.variant]]
    return list(dict.fromkeys([*ids, *case.spec]))


def _spec_of_session(facts: Facts) -> list[str]:
    """The IDs of a metric or of a vector of sessions, and of the parameters that it has."""
    case, (_, metric) = facts.case, bound_and_metric(facts.case.name)
    ids = [SPEC_OF_VECTORS.get(case.name, metric.spec)]
    if case.error is None:
        m = facts.measure
        chosen = {name: getattr(m, name) for name in facts.parameters}
        weights = ("gain", "discount", "query_discount")
        ids += [chosen[name].spec for name in weights if name in chosen]
        ids += ["RS-SES-3"] if "query_discount" in chosen else []
        ids += ["RS-SES-1", "RS-SES-2"] if chosen.get("repeats", 1) != 1 else []
        ids += ["RS-SES-4"] if "padding" in chosen else []
        ids += [IDEAL_SESSIONS[chosen["ideal"]]] if "ideal" in chosen else []
        ids += ["RS-SES-16"] if "over" in chosen else []
        ids += ["RS-SES-23"] if metric.pool and "judged" not in case.given else []
    return list(dict.fromkeys([*ids, *case.spec]))


SPEC_OF_VECTORS = {
    "sDCG_vector": "RS-SES-5",
    "IsDCG_vector": "RS-SES-10",
    "nsDCG_vector": "RS-SES-17",
    "query_sDCG_vectors": "RS-SES-3",
}
IDEAL_SESSIONS = {"repeated": "RS-SES-7", "spread": "RS-SES-8", "greatest": "RS-SES-9"}


def _spec_of_bound(bound: Bound, of: Metric, measure: Measure) -> list[str]:
    """The IDs of what a bound is made of."""
    ids = [spec for _, _, spec in bound.parts(measure)]
    if {bound.spec, *ids} & {"RS-BND-2", "RS-EXP-1"}:
        ids.append(of.expected_spec)
    if "bounds" in bound.parameters and measure.bounds == "karmaker-2022":
        formula = "RS-BND-9" if "discount" in of.parameters else "RS-BND-10"
        ids = [formula if spec == of.expected_spec else spec for spec in (*ids, formula)]
    return ids


POINTS_OF = {"text": "RS-REL-4", "authors-program": "RS-REL-5"}
NUMBERS = {"mean": "RS-NUM-5", "double": "RS-NUM-1"}


def _default_ties(case: Case) -> str:
    return "id-descending" if "ids" in case.given else "expected"


def measure_of(facts: Facts) -> dict[str, Any]:
    """The measure with all its parameters, none left to a default."""
    case = facts.case
    if case.name in NUMBERS:
        return {"name": case.name}
    bound, of = bound_and_metric(case.name)
    name = case.name if case.name in VECTORS else of.name
    measure = {"name": name, "k": case.given.get("k"), **_choices(case, facts.parameters)}
    if bound is None:
        return measure
    return {"name": bound.name, "of": measure, **_choices(case, bound.parameters)}


def _choices(case: Case, parameters: Parameters) -> dict[str, Any]:
    return {
        name: SPELLED.get(name, str)(case.given.get(name, parameter.default))
        for name, parameter in parameters.items()
    }


def _gain(choice: Any) -> Any:
    """The gain by its kind; what is no gain (in a case to be refused) as it is."""
    try:
        known = gain(choice)
    except InputError:
        return {"kind": "table", "table": choice}
    return {"kind": known.kind, **({"table": list(known.table)} if known.table else {})}


def _discount(choice: Any) -> Any:
    try:
        known = discount(choice)
    except InputError:
        return _refused_discount(choice)
    if known.kind == "custom":
        return {"kind": "weights", "weights": list(known.weights)}
    return {"kind": known.kind, **({"base": known.b} if known.kind in WITH_BASE else {})}


def _prior(choice: Any) -> Any:
    """The prior as a discount, but for the two that have names of their own."""
    try:
        known = prior(choice)
    except InputError:
        return _refused_discount(choice)
    named = str(known) in ("discount", "uniform")
    return {"kind": str(known)} if named else _discount(known.weights)


def _points(choice: Any) -> Any:
    return None if choice is None else [[_number(s), _number(y)] for s, y in choice]


def _numbers(choice: Any) -> Any:
    return None if choice is None else [_number(x) for x in choice]


def _refused_discount(choice: Any) -> Any:
    if isinstance(choice, str):
        kind, _, base = choice.rstrip(")").partition("(b=")
        return {"kind": kind, "base": _number(float(base))}
    return {"kind": "weights", "weights": [_number(x) for x in choice]}


def input_of(case: Case) -> dict[str, Any]:
    """What goes in. JSON has no infinities and no NaN: they stand as text."""
    if case.name == "double":
        return {"fraction": str(Fraction(*case.labels))}
    if case.name == "mean":
        return {"values": [_number(x) for x in case.labels]}
    bound, of = bound_and_metric(case.name)
    first = "judged" if (bound or of).of_pool else "labels"
    result: dict[str, Any] = {first: [_number(x) for x in case.labels]}
    if of.of_sessions:
        result = {"queries": [_numbers(ranked) for ranked in case.labels]}
    for name in ("judged", "scores"):
        if name in case.given:
            result[name] = [_number(x) for x in case.given[name]]
    if "ids" in case.given:
        result["documents" if of.of_sessions else "ids"] = case.given["ids"]
    if "unjudged" in case.given:
        result["unjudged"] = case.given["unjudged"]
    if "scores" in case.given:
        result["ties"] = case.given.get("ties", _default_ties(case))
    return result


def _number(x: Any) -> Any:
    if isinstance(x, float) and (x != x or abs(x) == inf):  # noqa: PLR0124
        return "NaN" if x != x else ("Infinity" if x > 0 else "-Infinity")  # noqa: PLR0124
    return x


# How a parameter is spelled that is no choice of words.
SPELLED: dict[str, Callable[[Any], Any]] = {
    "gain": _gain,
    "discount": _discount,
    "query_discount": _discount,
    "repeats": lambda x: {1: "every", 0: "first"}.get(x, _number(x)),
    "padding": _number,
    "prior": _prior,
    "rel": _number,
    "recall": _number,
    "multiple": _number,
    "levels": _numbers,
    "weights": _numbers,
    "documents": lambda x: x,
    "points": _points,
    "max": _number,
    **dict.fromkeys(("T", "hb", "hc", "med"), _number),
    "normalize": lambda x: x,
    "max_rel": lambda x: x if isinstance(x, str) else _number(x),
    "stop": lambda x: x if isinstance(x, str) else _numbers(x),
    "p": _number,
    "beta": _number,
    "q": _numbers,
    "gamma": _number,
    "phi": _number,
    "stops": lambda x: None if x is None else _gain(x),
}


def words_of_refusal(case: Case) -> str:
    """What the error has in it that says what is wrong with an input."""
    if case.name not in NUMBERS:
        bound, of = bound_and_metric(case.name)
        if case.error == "k":
            return f"{of.cutoff}: "
        if case.error == "of" and bound is not None:
            return f"{bound.name}: {'the divisor of ' if 'norm' in case.given else ''}{of.name}"
        if of.of_sessions and case.error == "label":
            return " at query "
    return {"label": " at position ", "ids": "ids"}.get(str(case.error), f"{case.error}: ")


def expected_of(facts: Facts) -> Any:
    case = facts.case
    if case.error is not None:
        try:
            means.mean(case.labels) if case.name == "mean" else facts.certified()
        except InputError as error:
            demand(
                words_of_refusal(case) in str(error),
                f"{case}: refused for another reason: {error}",
            )
            return {"error": case.error, "message": str(error)}
        raise AssertionError(f"not refused: {case}")
    if case.name in NUMBERS:
        exact = (
            Fraction(*case.labels)
            if case.name == "double"
            else exact_sum(case.labels) / max(len(case.labels), 1)
        )
        double = mean(case.labels) if case.name == "mean" else nearest_double(exact)
        return written(double, exact)
    if case.name in VECTORS:
        return [written(proof.double, proof.exact) for proof in facts.components()]
    if isinstance(facts.k, list):  # a vector: one value for each cut-off
        return [expected_of(Facts(_at(case, k))) for k in facts.k]
    return written(facts.value, facts.exact)


def _at(case: Case, k: int) -> Case:
    given = {**case.given, "k": k}
    return Case(case.number, case.why, case.name, case.labels, given)


def written(double: float, exact: Fraction | None) -> dict[str, Any]:
    """A value: the double in decimal, in hexadecimal, as bits; and exactly, where that is known."""
    return {
        "decimal": "Infinity" if double == inf else double,
        "hex": double.hex(),
        "bits": struct.pack(">d", double).hex(),
        "exact": None if exact is None else str(exact),
    }


# ---- a file --------------------------------------------------------------------------------


@cache
def groups_of(chapter: str) -> dict[str, list[tuple[str, list[dict[str, Any]]]]]:
    """The cases of a chapter as JSON, by part, in groups with what they are about."""
    module = import_module(f"cases.{chapter}")
    parts: dict[str, list[Group]] = {"required": module.REQUIRED, "optional": module.OPTIONAL}
    return {
        part: [
            (g.about, [as_json(chapter, c, required=part == "required") for c in g.cases])
            for g in groups
        ]
        for part, groups in parts.items()
    }


def cases_of(chapter: str) -> list[dict[str, Any]]:
    """The cases of a chapter as JSON, in the order of the file."""
    return [c for groups in groups_of(chapter).values() for _, cases in groups for c in cases]


def withdrawn_of(chapter: str) -> list[dict[str, str]]:
    """The cases of a chapter that are no more, with the reason, and the version that lacks them."""
    module = import_module(f"cases.{chapter}")
    return [
        {"id": f"{chapter}-{number:04}", "why": why, "since": since}
        for number, why, since in getattr(module, "WITHDRAWN", ())
    ]


def text_of(chapter: str) -> str:
    """The file of a chapter: a line for each part of a case."""
    cases, withdrawn = cases_of(chapter), withdrawn_of(chapter)
    of_statistics = chapter in STATISTICS
    texts = {flag: text for flag, (text, _) in FLAGS.items()}
    if of_statistics:
        texts = statistical.flags_of(chapter)
    ids = [case["id"] for case in (*cases, *withdrawn)]
    demand(len(set(ids)) == len(ids), f"{chapter}: a number is used twice")
    used = sorted({flag for case in cases for flag in case["flags"]}, key=list(texts).index)
    lines = [
        "{",
        f'  "$schema": "{statistical.SCHEMA if of_statistics else "schema.json"}",',
        f'  "format": {FORMAT},',
        f'  "version": "{VERSION}",',
        f'  "{"statistics" if of_statistics else "chapter"}": "{chapter}",',
        f'  "count": {len(cases)},',
        f'  "hash": "{hash_of(cases)}",',
        f'  "withdrawn": {_line(withdrawn)},',
        '  "flags": {',
        ",\n".join(f"    {_line(flag)}: {_line(texts[flag])}" for flag in used),
        "  },",
        '  "required": [',
        *_groups(groups_of(chapter)["required"]),
        "  ],",
        '  "optional": [',
        *_groups(groups_of(chapter)["optional"]),
        "  ]",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _groups(groups: list[tuple[str, list[dict[str, Any]]]]) -> list[str]:
    lines = []
    for about, cases in groups:
        lines += ["    {", f'      "about": {_line(about)},', '      "cases": [']
        for case in cases:
            parts = [f'          "{n}": {_line(x)}' for n, x in case.items()]
            lines += ["        {", ",\n".join(parts), "        },"]
        lines[-1] = "        }"
        lines += ["      ]", "    },"]
    if lines:
        lines[-1] = "    }"
    return lines


def wrapped(x: Any, indent: str = "") -> str:
    """A value as JSON, on one line where that has at most 100 columns."""
    line = _line(x)
    if len(indent + line) <= 96 or not isinstance(x, (dict, list)):
        return line
    more = indent + "  "
    if isinstance(x, dict):
        parts = [f"{_line(name)}: {wrapped(part, more)}" for name, part in x.items()]
    else:
        parts = [wrapped(part, more) for part in x]
    begin, end = "{}" if isinstance(x, dict) else "[]"
    return "\n".join([begin, ",\n".join(more + part for part in parts), indent + end])


def _line(x: Any) -> str:
    return json.dumps(x, ensure_ascii=False, allow_nan=False)


def cited(among: Container[str] | None = None) -> dict[str, int]:
    """How many cases cite each entry, itself or a part of it, each law and each special case.

    among: of the cases with these ids; None: of all
    """
    found: Counter[str] = Counter()
    for chapter in (*CHAPTERS, *STATISTICS):
        for case in cases_of(chapter):
            if among is not None and case["id"] not in among:
                continue
            entries = (re.split(r"[/(]", id_)[0] for id_ in case["spec"])
            found.update({*case["spec"], *entries})
    return found


def written_index() -> dict[str, Any]:
    """The index, with how many cases cite each ID, and how many of these Coq proves."""
    return index.index(ROOT, VERSION, cited(), cited(index.trace.proved_cases(ROOT)))


# ---- the ids -------------------------------------------------------------------------------


def content_of(case: dict[str, Any]) -> dict[str, Any]:
    """What an id stands for: what goes in, and what must come out."""
    expected = case["expected"]
    if isinstance(expected, dict) and "error" in expected:
        expected = {name: x for name, x in expected.items() if name != "message"}
    chosen = {name: case[name] for name in ("conventions",) if name in case}
    called = case["function"] if "function" in case else case["measure"]["name"]
    return {"name": called, "input": case["input"], "expected": expected, **chosen}


def read_lock() -> dict[str, str]:
    """The hash of each id that there ever was."""
    lines = LOCK.read_text("utf-8").splitlines() if LOCK.exists() else []
    return dict(line.split() for line in lines if not line.startswith("#"))


def locked(known: dict[str, str]) -> dict[str, str]:
    """The ids with their hashes, the new ones among them; none has changed or gone."""
    chapters = (*CHAPTERS, *STATISTICS)
    found = {
        c["id"]: hash_of(content_of(c))[:16] for chapter in chapters for c in cases_of(chapter)
    }
    withdrawn = {c["id"] for chapter in chapters for c in withdrawn_of(chapter)}
    for name, was in known.items():
        demand(
            name in withdrawn or name in found,
            f"{name}: the case has gone; list it among the WITHDRAWN of its chapter",
        )
        demand(
            name in withdrawn or found[name] == was,
            f"{name}: the case is another than before; withdraw it, and give a new number",
        )
    for name in withdrawn:
        demand(name in known, f"{name}: there was no such case to withdraw")
    return dict(sorted((known | found).items()))


def text_of_lock(ids: dict[str, str]) -> str:
    head = "# Every id that there ever was, with a hash of its input and expected value.\n"
    return head + "".join(f"{name} {hash_}\n" for name, hash_ in ids.items())


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Write the test vectors.")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--archive", type=Path, metavar="FILE", help="write them as one zip file")
    chosen = parser.parse_args(arguments)
    stale = 0
    for path, text in texts().items():
        if not chosen.check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            stale += 1
            sys.stderr.write(f"{path}: not up to date; run: python tools/vectors.py\n")
    if chosen.archive is not None and not stale:
        archive(chosen.archive)
    return 1 if stale else 0


def texts() -> dict[Path, str]:
    """What is written: each file with its text."""
    return {
        **{FOLDER / f"{name}.json": text_of(name) for name in (*CHAPTERS, *STATISTICS)},
        FOLDER / "schema.json": wrapped(schema(CHAPTERS)) + "\n",
        FOLDER / statistical.SCHEMA: wrapped(statistical.schema(STATISTICS)) + "\n",
        FOLDER / "index.json": wrapped(written_index()) + "\n",
        FOLDER / "index.schema.json": wrapped(index.schema()) + "\n",
        LOCK: text_of_lock(locked(read_lock())),
    }


def archive(path: Path) -> None:
    """Writes the folder with the licence as a zip file, of the same bytes each time."""
    files = sorted([*FOLDER.iterdir(), ROOT / "LICENSE"], key=lambda file: file.name)
    with zipfile.ZipFile(path, "w") as whole:
        for file in files:
            entry = zipfile.ZipInfo(f"rankspec-vectors-{VERSION}/{file.name}")  # of 1980
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            whole.writestr(entry, file.read_bytes())


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
