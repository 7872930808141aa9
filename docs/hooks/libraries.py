"""The page "Which nDCG does my library compute?": what docs/data/libraries says, as tables.

The page asks for its parts by comments: ``<!-- libraries: table -->``, ``counts``, ``sections`` and
``pairs``. All is read from the committed answers; no library is needed. The small world that every
function answered goes to the site as data/libraries-world.json, from which the page finds the
smallest input on which two of them differ (assets/libraries.js).
"""

from __future__ import annotations

import functools
import html
import importlib.util
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.pages import Page

REQUEST = re.compile(r"<!--\s*libraries:\s*(?P<name>\w+)\s*-->")
WORLD = "data/libraries-world.json"
PAGE = "libraries.md"
ID = re.compile(r"\((RS-[A-Z]+-\d+)\)")

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "ties": ("ties", "long ties"),
    "nothing relevant": ("undefined", "undefined by", "nothing judged"),
    "labels below 0": ("negative",),
    "fractional labels": ("fractions",),
    "unjudged items": ("unjudged",),
    "k = 0": ("k=0",),
    "k > n": ("beyond",),
    "no item, or one": ("empty", "one item"),
    "scores": ("scores",),
    "output": ("output",),
}
"""The columns of conventions: {heading: the choices of a definition}."""

WORDS = {
    ("beyond", "k"): "empty ranks",
    ("beyond", "n"): "k = n",
    ("undefined by", "first k"): "first k alone",
    ("long ties", "some order"): "any order beyond 16",
    ("ties", "some order"): "no rule",
    ("ties", "threshold"): "one threshold",
    ("undefined", "zero"): "0",
    ("undefined", "one"): "1",
    ("undefined", "nan"): "NaN",
    ("undefined", "omit"): "no value",
    ("k=0", "zero"): "0",
    ("k=0", "one"): "1",
    ("k=0", "nan"): "NaN",
    ("k=0", "omit"): "no value",
    ("k=0", "none"): "no cut-off",
    ("k=0", "crash"): "ends the process",
    ("empty", "zero"): "0",
    ("empty", "one"): "1",
    ("empty", "nan"): "NaN",
    ("empty", "omit"): "no value",
    ("empty", "crash"): "ends the process",
    ("one item", "error"): "error for one",
    ("one item", "nan"): "NaN for one",
    ("one item", "omit"): "no value for one",
    ("nothing judged", "error"): "error where nothing is judged",
    ("nothing judged", "nan"): "NaN where nothing is judged",
    ("nothing judged", "omit"): "no value where nothing is judged",
    ("fractions", "below 1"): "0 below 1",
    ("negative", "unjudged"): "no judgment",
    ("negative", "zero"): "0",
}
"""What a value of a choice is called in the table, where it is not called as it is."""

NEVER_ASKED = 5
"""So many values that a choice can have say that no question about it could be asked."""

UNSAID = {
    ("long ties", "same"),
    ("undefined by", "pool"),
    ("nothing judged", "computed"),
    ("one item", "computed"),
}
"""What goes without saying."""


# ---- the stored answers ------------------------------------------------------------------


@functools.cache
def modules(root: Path) -> Any:
    """The modules answers and world of tools/matrix."""
    folder = str(root / "tools/matrix")
    if folder not in sys.path:
        sys.path.append(folder)
    found = {}
    for name in ("heldout", "world", "answers"):
        spec = importlib.util.spec_from_file_location(name, Path(folder, f"{name}.py"))
        if spec is None or spec.loader is None:
            raise ImportError(f"{folder}/{name}.py is no Python module")
        found[name] = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found[name])
    return found


def functions(tree: Any) -> list[Any]:
    """All functions of all libraries."""
    return list(modules(tree.root)["answers"].functions(tree.root / "docs/data/libraries"))


# ---- the page ----------------------------------------------------------------------------


def filled(tree: Any, markdown: str, page: Page) -> str:
    """The page with its parts; another page is as it was."""
    if page.file.src_uri != PAGE:
        return markdown
    parts: Mapping[str, Callable[[Any, Page], str]] = {
        "counts": counts,
        "table": table,
        "sections": sections,
        "pairs": pairs,
    }

    def part(match: re.Match[str]) -> str:
        if match["name"] not in parts:
            raise PluginError(f"{PAGE}: {match[0]}: there is no such part")
        return parts[match["name"]](tree, page)

    return REQUEST.sub(part, markdown)


def counts(tree: Any, _: Page) -> str:
    """How many libraries there are, and what their definitions predict."""
    found = functions(tree)
    known = [f for f in found if f.data["definition"]]
    asked = sum(f.data["held_out"]["count"] for f in known)
    right = sum(f.data["held_out"]["agree"] for f in known)
    whole = sum(f.data["held_out"]["agree"] == f.data["held_out"]["count"] for f in known)
    packages = {f.library["package"] for f in found}
    return (
        f"{len(found)} functions of {len(packages)} libraries were asked; a definition was found "
        f"for {len(known)}. On random inputs that the search never saw, up to 500 a function, "
        f"the definitions predict {right:,} of {asked:,} answers; for {whole} functions, all."
    )


def table(tree: Any, page: Page) -> str:
    """All functions, a row each."""
    head = [
        "function",
        "measure",
        "gain",
        "discount",
        "ideal, pool",
        *COLUMNS,
        "accuracy",
        "predicted",
    ]
    out = [
        '<p class="rs-find"><label>Find <input type="search" id="rs-find" '
        'placeholder="ranx, nDCG, exp2 …"></label> <span id="rs-found"></span></p>',
        '<div class="rs-table rs-libraries"><table class="rs" id="rs-libraries"><thead><tr>'
        + "".join(f"<th>{x}</th>" for x in head)
        + "</tr></thead>",
    ]
    of_library: dict[str, list[Any]] = {}
    for f in functions(tree):
        of_library.setdefault(f.library["package"], []).append(f)
    for package, those in of_library.items():
        version = those[0].library["version"]
        out.append(
            f'<tbody><tr class="rs-chapter"><th colspan="{len(head)}">'
            f'<a href="#{slug(package)}">{html.escape(package)}</a> {version}</th></tr>'
        )
        out += [row(tree, f, page) for f in those]
        out.append("</tbody>")
    return "\n".join([*out, "</table></div>", ""])


def row(tree: Any, f: Any, page: Page) -> str:
    """A function in the table; each of its cells leads to the case that decided it."""
    name = f'<th><a href="#{anchor(f)}"><code>{html.escape(f.name)}</code></a></th>'
    found = f.data["definition"]
    if found is None:
        near = ", ".join(x["measure"] for x in f.data["nearest"][:1])
        said = (
            f"no definition that is known here; the nearest is {html.escape(near)}"
            if near
            else "none"
        )
        return f'<tr>{name}<td colspan="{len(COLUMNS) + 6}" class="rs-missing">{said}</td></tr>'
    cells = [name, f"<td>{measure(tree, f, page)}</td>"]
    cells += [f"<td>{parameter(tree, f, x, page)}</td>" for x in ("gain", "discount")]
    cells.append(f"<td>{normaliser(tree, f, page)}</td>")
    cells += [f"<td>{cell(tree, f, names, page)}</td>" for names in COLUMNS.values()]
    out = f.data["held_out"]
    missed = "" if out["agree"] == out["count"] else ' class="rs-missing"'
    cells.append(f"<td>{accuracy(f)}</td>")
    cells.append(f'<td><a href="#{anchor(f)}"{missed}>{out["agree"]}/{out["count"]}</a></td>')
    return "<tr>" + "".join(cells) + "</tr>"


def entry(tree: Any, id_: str, text: str, page: Page) -> str:
    """A text that leads to an entry of the spec."""
    known = tree.table.entries.get(id_)
    if known is None:
        return text
    url = f"{tree.url(known.path, page)}#{id_}"
    return f'<a href="{url}" title="{id_} {html.escape(known.title)}">{text}</a>'


def measure(tree: Any, f: Any, page: Page) -> str:
    """The name of the measure, without what has columns of its own."""
    found = f.data["definition"]
    if not found["spec"]:
        return (
            f'<em title="{html.escape(found["about"] or "")}">{html.escape(found["measure"])}</em>'
        )
    name = re.sub(r"\b(gain|discount)='[^']*'(, )?", "", found["measure"])
    name = name.replace(", )", ")").replace("()", "")
    return entry(tree, found["spec"], html.escape(name), page)


def parameter(tree: Any, f: Any, name: str, page: Page) -> str:
    """A parameter of the measure, which leads to its entry."""
    text = (f.data["definition"]["parameters"] or {}).get(name)
    if text is None:
        return "–"
    id_ = ID.search(text)
    shown = html.escape(ID.sub("", text).split(":")[0].strip())
    shown = re.sub(r"log\(b=2\.718\d*\)", "ln", shown)
    shown = re.sub(r"^0(-1)+$", "binary", shown)
    return entry(tree, id_[1], shown, page) if id_ else shown


def normaliser(tree: Any, f: Any, page: Page) -> str:
    """Of what the ideal or the divisor is made: its cut, and the items."""
    parts = [
        parameter(tree, f, x, page)
        for x in ("ideal", "norm")
        if x in (f.data["definition"]["parameters"] or {})
    ]
    pool = cell(tree, f, ("pool",), page)
    return " of ".join([*("cut at k" if x.endswith(">k</a>") else x for x in parts), pool])


def cell(tree: Any, f: Any, names: Iterable[str], page: Page) -> str:
    """The values of some choices, each leading to its entry, and the case that decided."""
    found = f.data["definition"]
    others = f.data["same"]["conventions"]
    parts: list[str] = []
    for name in names:
        value = found["conventions"].get(name)
        if value is None or (name, value) in UNSAID:
            continue
        values = others.get(name, [value])
        if len(values) >= NEVER_ASKED:
            continue
        text = " or ".join(WORDS.get((name, x), x) for x in values[:2])
        text = "no matter" if name == "beyond" and set(values) == {"k", "n"} else text
        id_ = found["specs"].get(name)
        shown = html.escape(text)
        parts.append(entry(tree, id_, shown, page) if id_ else f"<em>{shown}</em>")
    if not parts:
        return '<span class="rs-none">–</span>'
    stage = next((s for s in stages(f) if s in names or (s == "measure" and "pool" in names)), None)
    case = (
        f' <a class="rs-case" href="#{anchor(f)}" title="the case that says so">▸</a>'
        if stage
        else ""
    )
    return ", ".join(parts) + case


def stages(f: Any) -> dict[str, Any]:
    """Of each stage of the search the question that was asked first: it divides the most."""
    found: dict[str, Any] = {}
    for step in f.data["transcript"]:
        scores = step["input"].get("scores", ())
        tied = step["stage"] == "determinism" and len(set(scores)) < len(scores)
        found.setdefault("ties" if tied else step["stage"], step)
    return found


def accuracy(f: Any) -> str:
    """How near the numbers are to the correctly rounded ones."""
    found = f.data["accuracy"]
    return "–" if found is None else f"{found['max_ulp']:.2g} ulp"


# ---- the sections ------------------------------------------------------------------------


def slug(text: str) -> str:
    """A text as an anchor."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def anchor(f: Any) -> str:
    """The anchor of a function."""
    return f"{slug(f.library['package'])}--{slug(f.name)}"


def sections(tree: Any, _: Page) -> str:
    """A section for each library: its adapter, its functions, the cases."""
    out = []
    library = None
    for f in functions(tree):
        if f.library is not library:
            library = f.library
            out += section(tree, library)
        out += details(f)
    return "\n".join(out)


def section(tree: Any, library: Mapping[str, Any]) -> list[str]:
    """The head of a section."""
    name = library["library"]
    source = (tree.root / f"tools/matrix/libraries/of_{name}.py").read_text("utf-8").rstrip()
    package = library["package"]
    out = [
        f"## {package} {{#{slug(package)}}}",
        "",
        f"Version {library['version']}, Python {library['python']}; "
        f"[all questions and answers](data/libraries/{name}.json).",
        "",
        '??? reading "How it is called: <code>of_' + name + '.py</code>"',
        "",
        "    ```python",
        *(f"    {line}".rstrip() for line in source.splitlines()),
        "    ```",
        "",
    ]
    if library.get("cases"):
        out += ["```python", f"from of_{name} import ADAPTERS", ""]
        out += [case_of(tree, library, case) for case in library["cases"]] + ["```", ""]
    return out


def case_of(tree: Any, library: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    """A case that an adapter states on purpose."""
    answers = modules(tree.root)["answers"]
    f = answers.Function(library, case["function"], library["functions"][case["function"]])
    return call(f, case["input"], case["answer"], case["about"])


def details(f: Any) -> list[str]:
    """All of a function, folded."""
    found = f.data["definition"]
    title = html.escape(found["measure"]) if found else "no definition"
    return [
        f'<details class="rs-trace rs-function" id="{anchor(f)}" markdown="1">',
        f"<summary><strong><code>{html.escape(f.name)}</code></strong> <span>{title}</span> "
        f"<span>{f.data['held_out']['agree']}/{f.data['held_out']['count']}</span></summary>",
        "",
        *prose(f),
        "",
        "```text",
        f"from of_{f.library['library']} import ADAPTERS",
        "",
        *cases(f),
        "```",
        "",
        "</details>",
        "",
    ]


def prose(f: Any) -> Iterator[str]:
    """What is said of a function in sentences."""
    data = f.data
    if others := data["same"]["measures"]:
        more = f", and {len(others) - 4} more" if len(others) > 4 else ""
        yield f"The same on all that it can be asked: {code(others[:4])}{more}.\n"
    if data["outside"]:
        yield f"Outside rankspec's conventions: {'; '.join(data['outside'])}.\n"
    if near := data["profile"]:
        yield (
            f"Nearest profile: `{near['name']}`, with {near['agrees']} of the {near['of']} answers "
            "of the search.\n"
        )
    if exact := data["accuracy"]:
        yield (
            f"{exact['exact']} of {exact['values']} values are correctly rounded; the others are "
            f"off by up to {exact['max_ulp']:.2g} ulp.\n"
        )
    if data["varying"]:
        yield "The same question has several answers.\n"
    out = data["held_out"]
    missed = out["count"] - out["agree"]
    if missed and data["definition"]:
        yield f"Of {out['count']} random inputs {missed} have another answer than predicted.\n"


def code(names: Iterable[str]) -> str:
    return ", ".join(f"`{x}`" for x in names)


def cases(f: Any) -> Iterator[str]:
    """Lines to paste: cases that decided, that no definition explains, that end the process."""
    for stage, step in stages(f).items():
        if stage not in ("determinism", "verification", "separation"):
            yield call(f, step["input"], step["answer"], stage)
    missed = [*f.data["unexplained"][:2], *f.data["held_out"]["exceptions"][:3]]
    for x in missed:
        yield call(f, x["input"], x["answer"], f"predicted: {x['predicted']}")
    for x in f.data["crashes"][:2]:
        yield call(f, x["input"], x["answer"], "ends the process")


def call(f: Any, given: Mapping[str, Any], answer: Any, about: str) -> str:
    """A call of an adapter, its answer and what it is about, as Python."""
    from rankspec.analysis.identify.forms import form
    from rankspec.analysis.identify.inputs import input_of

    arguments = form(f.data["form"]).arguments(input_of(given), f.domain)
    shown = ", ".join(repr(x) for x in arguments)
    found = answer if not isinstance(answer, dict) else " ".join(filter(None, *answer.items()))
    return f'ADAPTERS["{f.name}"][0]({shown})\n#> {found}    ({about})'


# ---- two functions -----------------------------------------------------------------------


def pairs(tree: Any, _: Page) -> str:
    """The two lists of functions; assets/libraries.js does the rest."""
    options: list[str] = []
    package = None
    for number, f in enumerate(functions(tree)):
        if f.library["package"] != package:
            options += ["</optgroup>"] * (package is not None)
            package = f.library["package"]
            options.append(f'<optgroup label="{package}">')
        options.append(f'<option value="{number}">{html.escape(f.key)}</option>')
    every = "".join([*options, "</optgroup>"])
    return (
        f'<div class="rs-pair" data-world="../{WORLD}">'
        f'<select aria-label="one function">{every}</select>'
        f'<select aria-label="another function">{every}</select>'
        '<div id="rs-differ" role="status"></div></div>\n'
    )


def world(tree: Any) -> str:
    """The small world and all answers to it, as JSON."""
    inputs = modules(tree.root)["world"].world()
    return json.dumps(
        {
            "inputs": [[x.labels, x.scores, x.unseen, x.k, x.names] for x in inputs],
            "functions": [
                {
                    "name": f.key,
                    "anchor": anchor(f),
                    "near": nearness(f.data["held_out"]["precision"]),
                    "answers": [rounded(x) for x in f.data["world"]],
                }
                for f in functions(tree)
            ],
        },
        separators=(",", ":"),
    )


def rounded(x: Any) -> Any:
    return round(x, 6) if isinstance(x, float) else x


def nearness(precision: str) -> float:
    """How far apart answers of that precision may be before they differ."""
    digits = precision.split(" ", maxsplit=1)[0]
    return 2.0 * 10 ** -int(digits) if digits.isdigit() else {"float16": 2e-3}.get(precision, 2e-5)
