"""The calculators, and the vectors in the browser: what their scripts read.

The scripts are docs/assets/calculator/*.js. A page says ``<div class="calculator"
data-measure="ndcg"></div>``; it gets the script that fills it, and a word for who has none. This
writes to assets/calculator/

rankspec.wasm   the C core, where zig is there to compile it (tools/wasm.py)
layout.json     the constants and structures of csrc/rankspec.h, so that they are written once; the
                version
calls.json      for each test vector the measure as the core takes it, or why it does not
libraries.json  the functions of libraries that are nDCG by a definition which predicts all answers

Without zig the site has no core, and its pages say so.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from loading import module_of

FOLDER = "assets/calculator"
PLACE = re.compile(r'<div (?=[^>]*"(?:calculator|rs-run-vectors)")[^>]*>')
NOSCRIPT = (
    "<noscript><p>This calculator needs scripts, which are off here. {instead}</p></noscript>"
)
INSTEAD = {
    "calculator": "The Python package computes the same numbers.",
    "rs-run-vectors": "The vectors are files; any program can run them.",
}


def files(root: Path) -> Iterator[tuple[str, bytes | str]]:
    """The files that are made: their places in the site, and what they hold."""
    wasm = _wasm(root)
    if wasm.zig() is not None:
        yield f"{FOLDER}/rankspec.wasm", wasm.built(root)
    yield f"{FOLDER}/layout.json", _json(layout(root))
    yield f"{FOLDER}/calls.json", _json(calls(root))
    yield f"{FOLDER}/libraries.json", _json(list(functions_of_ndcg(root)))


def _json(x: Any) -> str:
    return json.dumps(x, ensure_ascii=False, separators=(",", ":"))


def _wasm(root: Path) -> Any:
    return module_of(root / "tools/wasm.py", "rankspec_wasm")


# ---- pages -------------------------------------------------------------------------------

CHAPTERS = {
    "dcg": ("ndcg",),
    "length": ("ldcg",),
    "relevance": ("phi",),
    "bounds": ("bounds",),
    "cascade": ("err", "rbp"),
    "session": ("sdcg",),
    "ties": ("ties",),
}
"""The calculators of the chapters of the spec, which stand above the first entry."""


def placed(content: str, page: Any) -> str:
    """A page with its calculators, and the scripts that fill them."""
    path = Path(page.file.src_uri)
    if path.parent == Path("spec") and path.stem in CHAPTERS:
        place = "".join(
            f'<div class="calculator" id="calculator-{name}" data-measure="{name}"></div>\n'
            for name in CHAPTERS[path.stem]
        )
        content = content.replace("<h2", f"{place}<h2", 1)
    return with_script(
        content, posixpath.relpath(FOLDER, posixpath.dirname(page.file.dest_uri) or ".")
    )


def with_script(content: str, url: str) -> str:
    """A page with a word for who has no scripts in each place of a calculator, and the module.

    url: of the folder, from the page
    """
    if not PLACE.search(content):
        return content

    def filled(match: re.Match[str]) -> str:
        kind = "rs-run-vectors" if "rs-run-vectors" in match[0] else "calculator"
        return match[0] + NOSCRIPT.format(instead=INSTEAD[kind])

    return (
        f'<link rel="stylesheet" href="{url}/calculator.css">\n{PLACE.sub(filled, content)}\n'
        f'<script type="module" src="{url}/page.js"></script>\n'
    )


# ---- the header --------------------------------------------------------------------------

HEADERS = "rankspec.h", "binding.h"
STRUCTURES = (
    *("rs_lists", "rs_sessions", "rs_gain", "rs_discount", "rs_points", "rs_measure"),
    *("rs_column", "rs_trouble", "rs_logarithm"),
)
TYPES = {
    "int32_t": "i32",
    "uint32_t": "u32",
    "int64_t": "i64",
    "uint64_t": "u64",
    "double": "f64",
    "uint8_t": "u8",
}


def layout(root: Path) -> dict[str, Any]:
    """The constants, and the fields of the structures with their types, in order; the version."""
    from rankspec import __version__

    text = "".join((root / "csrc" / name).read_text("utf-8") for name in HEADERS)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    bodies = {name: body for body, name in re.findall(r"typedef struct \{([^}]*)\} (\w+);", text)}
    return {
        "version": __version__,
        "constants": dict(_constants(text)),
        "structures": {name: list(_fields(bodies[name])) for name in STRUCTURES},
    }


def _constants(text: str) -> Iterator[tuple[str, int]]:
    for body in re.findall(r"enum\s*\w*\s*\{([^}]*)\}", text):
        value = -1
        for item in filter(None, map(str.strip, body.split(","))):
            name, _, given = map(str.strip, item.partition("="))
            value = int(given) if given else value + 1
            yield name, value


def _fields(body: str) -> Iterator[tuple[str, str]]:
    for declaration in filter(None, map(str.strip, body.split(";"))):
        kind, names = re.fullmatch(r"(?:const )?(\w+) (.*)", declaration, re.DOTALL).groups()  # type: ignore[union-attr]
        for name in map(str.strip, names.split(",")):
            yield name.lstrip("*"), "pointer" if name.startswith("*") else TYPES[kind]


# ---- vectors -----------------------------------------------------------------------------

FILES_OF_RANKINGS = (
    *("gain", "dcg", "length", "relevance", "precision", "cascade", "utility", "users"),
    *("expectation", "bounds", "session", "axioms", "numerics", "evaluation"),
)
"""The files of cases; those of statistics have another form, and ask nothing of the core."""


def calls(root: Path) -> dict[str, dict[str, Any]]:
    """{file: {id: call}} for all cases; a text instead of a call says why there is none."""
    folder = root / "spec/vectors"
    found = {}
    for name in FILES_OF_RANKINGS:
        content = json.loads((folder / f"{name}.json").read_text("utf-8"))
        cases = [*content["required"], *content["optional"]]
        cases = [case for group in cases for case in group.get("cases", [group])]
        found[name] = {case["id"]: _call_or_reason(case) for case in cases}
    return found


LEFT_OUT = {
    *("RS_RBP_RESIDUAL", "RS_IRBU", "RS_INSQ", "RS_INST", "RS_BPM", "RS_COMPAT"),
    *(f"RS_NERR{number}" for number in (8, 9, 10, 11)),
}
"""What RS_FEWER_METRICS leaves out: csrc/wasm/core.c."""


class Inexpressible(Exception):
    """Why the core for WebAssembly does not take a case."""


def _call_or_reason(case: Mapping[str, Any]) -> Any:
    try:
        return _call(case)
    except Inexpressible as reason:
        return str(reason)


def _call(case: Mapping[str, Any]) -> dict[str, Any]:
    from rankspec.analysis.conformance.questions import NUMBERS, measures_of

    measure, given = case["measure"], case["input"]
    if "conventions" in case:
        raise Inexpressible("whole evaluations of files: the page has no reader of files")
    if measure["name"] in NUMBERS:
        raise Inexpressible("means and fractions: no measure of the core")
    if isinstance(case["expected"], dict) and "error" in case["expected"]:
        raise Inexpressible("inputs to be refused: the binding refuses them before the core")
    measures = measures_of(measure)
    of_vector = "of" not in measure and _is_vector(measure["name"])
    core = measures[0].core
    call = core.vectors if of_vector else core.values
    if call is None or not all(call.can_take(m) for m in measures):
        raise Inexpressible("measures or parameters that the core leaves to the reference")
    if call.metric in LEFT_OUT:
        raise Inexpressible("metrics that the core leaves out for WebAssembly")
    lengths = _Lengths(measures, given)
    fields = {name: _argument(x, lengths) for name, x in call.fields.items()}
    fields = {name: x for name, x in fields.items() if x is not None}
    found = {"metric": call.metric, "k": [_integer(k) for k in lengths.cutoffs], **fields}
    return {"measure": found} | ({"vector": True} if of_vector else {})


def _is_vector(name: str) -> bool:
    from rankspec.analysis.cases import VECTORS

    return name in VECTORS


class _Lengths:
    """Measures, and how deep what they are taken of is."""

    def __init__(self, measures: list[Any], given: Mapping[str, Any]) -> None:
        by_cutoff = {m.k: m for m in measures}
        self.cutoffs = sorted(by_cutoff, key=lambda k: (k is None, k))
        self.measures = [by_cutoff[k] for k in self.cutoffs]
        queries = given.get("queries", [given.get("labels", given.get("judged", []))])
        listed = max(map(len, queries), default=0)
        pooled = max(len(given.get("judged", ())), sum(map(len, queries)))
        self.base = self.measures[0]
        self.queries = max(len(queries), 1)
        self.deepest = self.measures[-1].deepest_rank(listed, pooled)
        self.tied = "scores" in given and rule_of(given) == "expected"


def rule_of(given: Mapping[str, Any]) -> str:
    """How equal scores are ordered, where a case does not say."""
    return str(given.get("ties") or ("id-descending" if "ids" in given else "expected"))


MOST_RANKS = 1 << 20


def _argument(x: Any, of: _Lengths) -> Any:
    """A field of a measure, as core.js takes it; None: it is NULL."""
    read = READ.get(type(x).__name__)
    return x if read is None else read(x, of)


def _gain(x: Any, of: _Lengths) -> dict[str, Any]:
    gain = x.of(of.base)
    return {"gain": gain.kind, "table": [float(g) for g in gain.table]}


def _table(x: Any, of: _Lengths) -> dict[str, Any]:
    needed = [m.tables(of.deepest)[x.name] for m in of.measures]
    return _discount(needed[0][0], max(depth for _, depth in needed))


def _weights(x: Any, of: _Lengths) -> dict[str, Any] | None:
    return None if x.if_tied and not of.tied else _discount(x.discount, of.deepest)


def _powers(x: Any, of: _Lengths) -> dict[str, Any]:
    return _bounded({"discount": "geometric", "p": _exact(x.of(of.base)), "depth": of.deepest})


def _ideal_cutoffs(_: Any, of: _Lengths) -> list[Any]:
    return [None if of.base.ideal_uncut else _integer(k) for k in of.cutoffs]


def _structure(x: Any, of: _Lengths) -> dict[str, Any]:
    fields = {name: _argument(y, of) for name, y in x.fields.items()}
    return {"structure": x.name} | {n: y for n, y in fields.items() if y is not None}


READ: dict[str, Callable[[Any, _Lengths], Any]] = {
    "Gains": _gain,
    "Table": _table,
    "Weights": _weights,
    "Powers": _powers,
    "WeightsOfQueries": lambda x, of: _discount(x.of(of.base), of.queries),
    "IdealCutoffs": _ideal_cutoffs,
    "Double": lambda x, of: float(x.of(of.base)),
    "Doubles": lambda x, of: {"doubles": [float(y) for y in x.of(of.base)]},
    "Count": lambda x, of: {"integer": _integer(x.of(of.base))},
    "Word": lambda x, of: x.words[x.of(of.base)],
    "Structure": _structure,
}
"""How a field is read that is no constant, by its kind in rankspec.compute.call."""


def _discount(discount: Any, depth: int) -> dict[str, Any]:
    if not hasattr(discount, "kind"):  # Geometric
        return _bounded({"discount": "geometric", "p": _exact(discount.p), "depth": depth})
    found: dict[str, Any] = {"discount": discount.kind, "depth": depth}
    if discount.kind == "custom":
        found = {"discount": "weights", "depth": min(depth, len(discount.weights))}
        found["weights"] = [_exact(w) for w in discount.weights]
    elif discount.kind not in ("zipf", "none"):
        found["base"] = _exact(discount.b)
    return _bounded(found)


def _bounded(found: dict[str, Any]) -> dict[str, Any]:
    if found["depth"] > MOST_RANKS:
        raise Inexpressible("discounts of more than a million ranks")
    return found


def _integer(k: int | None) -> int | str | None:
    return k if k is None or abs(k) < 1 << 53 else str(k)


def _exact(x: Any) -> float | str:
    """A double as it is, another number as the text of a fraction."""
    found = Fraction(x)
    return float(found) if Fraction(float(found)) == found else str(found)


# ---- libraries ---------------------------------------------------------------------------


def functions_of_ndcg(root: Path) -> Iterator[dict[str, Any]]:
    """Functions of libraries whose definition is an nDCG that predicts every answer they gave.

    own_pool: whether the function is given nothing but the list, so that its ideal is of that
    undefined: what it gives where nothing is relevant; limits: what its inputs must be
    """
    for path in sorted(root.glob("docs/data/libraries/*.json")):
        library = json.loads(path.read_text("utf-8"))
        for name, function in library["functions"].items():
            definition = function["definition"]
            if definition is None or definition["spec"] != "RS-DCG-6" or not _predicts(function):
                continue
            limits = ("binary", "cutoff", "k_within", "max_label", "integers", "min_length")
            yield {
                "library": library["package"],
                "page": f"libraries/{path.stem}/",
                "name": name,
                "definition": definition["measure"],
                "measure": _measure_named(definition["measure"]),
                "undefined": definition["conventions"]["undefined"],
                "one_item": definition["conventions"]["one item"],
                "own_pool": function["form"] == "scores",
                "limits": {n: function["declared"][n] for n in limits if n in function["declared"]},
            }


def _predicts(function: Mapping[str, Any]) -> bool:
    held_out = function["held_out"]
    pool = function["definition"]["conventions"]["pool"]
    return (
        held_out["agree"] == held_out["count"] and not function["unexplained"] and pool == "judged"
    )


def _measure_named(text: str) -> dict[str, Any]:
    """The measure of such a text, as the core takes it but for cut-offs and depths."""
    from rankspec.metrics.grammar import measures

    [measure] = measures(text)
    call = measure.core.values
    assert call is not None  # noqa: S101 - the core has nDCG
    lengths = _Lengths([measure], {"labels": [0]})
    fields = {name: _argument(x, lengths) for name, x in call.fields.items()}
    uncut = fields.pop("k_ideal") == [None] and measure.ideal_uncut
    return {"metric": call.metric, "uncut": uncut} | {n: x for n, x in fields.items() if x}
