"""The pages of the libraries, one each: how it is called, its functions, and cases to replay.

They are generated beside the page of all libraries (libraries.py), whose cells lead to them.
"""

from __future__ import annotations

import ast
import html
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import libraries

FOLDER = "libraries/"
NO_CASES = ("determinism", "verification", "separation")
"""The stages of a search that decide no convention."""
SECTIONS = {
    "gain": "gain",
    "ideal": "ideal",
    "pool": "ideal",
    "ties": "equal-scores",
    "nothing relevant": "nothing-relevant",
    "labels below 0": "negative",
    "fractional labels": "fractions",
    "unjudged items": "unjudged",
    "k > n": "k",
    "scores": "float32",
}
"""Where docs/disagree.md shows what a convention changes, by the headings of the table."""


def sources(tree: Any) -> dict[str, str]:
    """All pages: {the path of its source: Markdown}."""
    found = libraries.by_library(tree.root)
    return {f"{FOLDER}{name}.md": text(tree, those) for name, those in found.items()}


def text(tree: Any, functions: list[Any]) -> str:
    """The page of a library."""
    library = functions[0].library
    name, package = library["library"], library["package"]
    source = (tree.root / f"tools/matrix/libraries/of_{name}.py").read_text("utf-8").rstrip()
    out = [
        "---",
        f"title: {package}",
        "hide: [navigation]",
        "---",
        "",
        f"# {package}",
        "",
        f"Version {library['version']}, Python {library['python']}, among "
        f"[all libraries](../libraries.md); its [questions and answers](../data/libraries/{name}"
        ".json). To replay a case, run it in Python in an environment that has the library "
        "([how](../libraries.md#how)).",
        "",
        f'??? reading "How it is called: <code>of_{name}.py</code>"',
        "",
        "    ```python",
        *(f"    {line}".rstrip() for line in source.splitlines()),
        "    ```",
        "",
    ]
    for note in notes(tree.root, name):
        out += [note, ""]
    if library.get("cases"):
        out += [block([f"from of_{name} import ADAPTERS", *cases_on_purpose(tree, library)])]
    for f in functions:
        out += section(f, trec_eval(tree.root))
    return "\n".join(out)


def notes(root: Any, name: str) -> list[str]:
    """Return an adapter's NOTES on its library, which need not be installed."""
    source = (root / f"tools/matrix/libraries/of_{name}.py").read_text("utf-8")
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "NOTES":
            return list(ast.literal_eval(statement.value))
    return []


def trec_eval(root: Any) -> Any:
    """The nDCG of trec_eval, with which the others are compared."""
    return next(f for f in libraries.by_library(root)["pytrec_eval"] if f.name == "ndcg_cut")


def section(f: Any, of_trec_eval: Any) -> list[str]:
    """A function: its definition in words, and its cases."""
    found, out = f.data["definition"], f.data["held_out"]
    title = f"<code>{html.escape(found['measure'])}</code>" if found else "No known definition"
    return [
        f"## `{f.name}` {{#{libraries.anchor(f)}}}",
        "",
        f"{title}; {out['agree']} of {out['count']} random answers predicted.",
        "",
        *beside(f, of_trec_eval),
        *prose(f),
        "",
        block([f"from of_{f.library['library']} import ADAPTERS", *cases(f)]),
        "",
    ]


def prose(f: Any) -> Iterator[str]:
    """What is said of a function in sentences."""
    data = f.data
    if others := data["same"]["measures"]:
        more = f", and {len(others) - 4} more" if len(others) > 4 else ""
        same = f"{code(others[:4])}{more}"
        yield f"Definitions with the same answers to all that it can be asked: {same}.\n"
    if data["outside"]:
        yield f"Outside rankspec's conventions: {'; '.join(data['outside'])}.\n"
    if near := data["profile"]:
        yield (
            f"Nearest profile of rankspec: `{near['name']}`, which gives {near['agrees']} of its "
            f"{near['of']} answers in the search.\n"
        )
    if exact := data["accuracy"]:
        yield (
            f"{exact['exact']} of {exact['values']} values are correctly rounded; the others are "
            f"off by up to {exact['max_ulp']:.2g} ulp.\n"
        )
    if data["varying"]:
        yield "The same question has several answers.\n"


def beside(f: Any, other: Any) -> Iterator[str]:
    """In what an nDCG differs from that of trec_eval, as far as both are known."""
    found = f.data["definition"]
    if f is other or found is None or not found["measure"].startswith("nDCG"):
        return
    own, its = libraries.conventions(f), libraries.conventions(other)
    differ = [x for x in own if x in its and own[x] != its[x] and own[x] != "no matter"]
    if not differ:
        yield "None of the known conventions differs from those of trec_eval's nDCG@k.\n"
        return
    yield "Where it differs from trec_eval's nDCG@k:\n"
    rows = "".join(
        f"<tr><th>{why(x)}</th><td>{html.escape(own[x])}</td><td>{html.escape(its[x])}</td></tr>"
        for x in differ
    )
    yield libraries.small_table(("", f"<code>{html.escape(f.name)}</code>", "trec_eval"), rows)
    yield ""


def why(convention: str) -> str:
    """A convention, which leads to what it changes, where that is shown."""
    section = SECTIONS.get(convention)
    return f'<a href="../../disagree/#{section}">{convention}</a>' if section else convention


def code(names: Iterable[str]) -> str:
    return ", ".join(f"`{x}`" for x in names)


# ---- cases -------------------------------------------------------------------------------


def block(lines: Iterable[str]) -> str:
    """Code as HTML, whose lines have anchors."""
    return '<pre class="rs-cases"><code>' + "\n".join(lines) + "</code></pre>"


def cases(f: Any) -> Iterator[str]:
    """Lines to paste: cases that decided, that no definition explains, that end the process."""
    for stage, step in libraries.stages(f).items():
        if stage not in NO_CASES:
            shown = call(f, step["input"], step["answer"], stage)
            yield f'<span id="{libraries.case_anchor(f, stage)}">{shown}</span>'
    exact = f.data["accuracy"]
    if exact and exact["of"]:
        shown = call(
            f, exact["of"], answer_to(f, exact["of"]), f"off by {exact['max_ulp']:.2g} ulp"
        )
        yield f'<span id="{libraries.case_anchor(f, "accuracy")}">{shown}</span>'
    for x in [*f.data["unexplained"][:2], *f.data["held_out"]["exceptions"][:3]]:
        yield call(f, x["input"], x["answer"], f"predicted: {x['predicted']}")
    for x in f.data["crashes"][:2]:
        yield call(f, x["input"], x["answer"], "ends the process")
    for x in f.data.get("together", [])[:2]:
        yield call(f, x["queries"], x["answer"], f"over queries: {average(f)}")


def average(f: Any) -> str:
    """Return the average over queries in a function's definition."""
    definition = f.data["definition"]
    return "not known" if definition is None else definition["conventions"]["average"]


def answer_to(f: Any, given: Mapping[str, Any]) -> Any:
    """The stored answer to a question of the search."""
    return next(step["answer"] for step in f.data["transcript"] if step["input"] == given)


def cases_on_purpose(tree: Any, library: Mapping[str, Any]) -> Iterator[str]:
    """The cases that an adapter states itself."""
    answers = libraries.modules(tree.root)["answers"]
    for case in library["cases"]:
        name = case["function"]
        f = answers.Function(library, name, library["functions"][name])
        yield call(f, case["input"], case["answer"], case["about"])


def call(
    f: Any, given: Mapping[str, Any] | list[Mapping[str, Any]], answer: Any, about: str
) -> str:
    """A call of an adapter, its answer and what it is about, as Python in HTML.

    given: an input, or several, which are queries of one call
    """
    from rankspec.analysis.identify.forms import form
    from rankspec.analysis.identify.inputs import input_of

    asked = list(map(input_of, given)) if isinstance(given, list) else input_of(given)
    arguments = form(f.data["form"]).arguments(asked, f.domain)
    shown = ", ".join(map(written, arguments))
    found = answer if not isinstance(answer, dict) else " ".join(filter(None, *answer.items()))
    return html.escape(f'ADAPTERS["{f.name}"][0]({shown})\n#> {found}    ({about})', quote=False)


def written(x: object) -> str:
    """An argument in Python; a set in the same order in each build."""
    return f"{{{', '.join(sorted(map(repr, x)))}}}" if isinstance(x, set) and x else repr(x)
