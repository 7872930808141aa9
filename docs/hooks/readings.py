"""The readings of each entry of the spec, a page for each: text, reference, C, vectors and tests.

They stand side by side in tabs. All is read from the files themselves; tools/trace.py finds where.
"""

from __future__ import annotations

import ast
import functools
import html
import itertools
import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import entries
import package
import proved
from keeping import kept
from mkdocs.structure.pages import Page

FOLDER = "spec/entries/"
MOST_CASES = 12
"""So many cases of the vectors are shown; the files have them all."""


def files(tree: Any) -> Iterator[tuple[str, str]]:
    """The pages, which `filled` writes when their addresses are known."""
    for entry in tree.table.entries.values():
        head = (
            f"---\nsearch: {{exclude: true}}\nentry: {entry.id}\n"
            f"chapter: {json.dumps(tree.trace.title(tree.root / entry.path))}\nhide: [toc]\n---\n\n"
        )
        yield entries.of_readings(entry), f"{head}# {entry.id} · {entry.title}\n"


def chapter_of(tree: Any, page: Page) -> str | None:
    """The file of the spec that the entry of this page stands in; None: of other pages."""
    if page.file.src_uri.startswith(FOLDER):
        return str(tree.table.entries[page.meta["entry"]].path)
    return None


def filled(tree: Any, page: Page) -> str:
    entry = tree.table.entries[page.meta["entry"]]
    title = html.escape(tree.trace.title(tree.root / entry.path))
    chapter = tree.url_of(entry.id, page)
    tabs = {
        "Definition": package.sessions("\n".join(text_of(tree, entry))).split("\n"),
        "Reference": of_reference(tree, entry),
        "C": of_c(tree, entry, page),
        "Coq": proved.of_entry(tree, entry, page) or not_there(entry, "Coq"),
        "Vectors": of_vectors(tree, entry, page),
        "Proofs and tests": of_tests(tree, entry, page),
    }
    out = [
        f"# {entry.id} · {entry.title} {{#{entry.id}}}",
        "",
        *steps(tree, entry, page),
        f'<p>In the chapter <a href="{chapter}">{title}</a>, which begins with its notation.</p>',
    ]
    for name, lines in tabs.items():
        out += ["", f'=== "{name}"', "", *(textwrap.indent(line, "    ") for line in lines)]
    return "\n".join([*out, ""])


def steps(tree: Any, entry: Any, page: Page) -> list[str]:
    """Links to the pages of the entries before and after, in the order of the chapters."""
    all_entries = list(tree.table.entries.values())
    at = all_entries.index(entry)
    links = []
    for to, step, text in ((at - 1, "prev", "← {}"), (at + 1, "next", "{} →")):
        if 0 <= to < len(all_entries):
            other = all_entries[to]
            url = tree.url(entries.of_readings(other), page)
            name = text.format(f"{other.id} · {html.escape(other.title)}")
            links.append(f'<a rel="{step}" href="{url}">{name}</a>')
    return ['<nav class="rs-steps" aria-label="Entries before and after">', *links, "</nav>", ""]


def not_there(entry: Any, reading: str) -> list[str]:
    """What a tab says where there is nothing to be shown."""
    why = entry.n_a.get(reading)
    return [f"There is none: {reason(why)}" if why else "There is none."]


def reason(why: str) -> str:
    """Why a reading does not apply. Its links are of the chapter; an ID becomes a link here too."""
    return html.escape(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", why))


def text_of(tree: Any, entry: Any) -> list[str]:
    """The entry as its chapter has it, without its heading; its own anchors are in the chapter."""
    here = entry.path.rpartition("/")[2]
    return [re.sub(r"\]\(#", f"]({here}#", line) for line in texts(tree, entry.path)[entry.id][1:]]


@functools.cache
def texts(tree: Any, repo_path: str) -> dict[str, list[str]]:
    """The lines of each entry of a chapter, by its ID."""
    text = (tree.root / repo_path).read_text("utf-8")
    return {entry.id: lines for entry, lines in entries.parts(tree, text) if entry is not None}


def of_reference(tree: Any, entry: Any) -> list[str]:
    out = []
    for place in entry.places["reference"]:
        source = definitions(tree.root / place.path)[place.line]
        out += code("python", source, f"`{place.path.removeprefix('pyref/')}`")
    return out or not_there(entry, "reference")


@functools.cache
def definitions(path: Path) -> dict[int | str, str]:
    """The source of each function and class of a module, by its line and by its name."""
    source = path.read_bytes()
    lines = source.split(b"\n")
    found: dict[int | str, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.lineno] = segment(lines, node)
            found.setdefault(node.name, found[node.lineno])
    return found


def segment(lines: list[bytes], node: ast.FunctionDef | ast.ClassDef) -> str:
    """The source of a node; ast.get_source_segment() would divide the module again for each."""
    own = lines[node.lineno - 1 : node.end_lineno]
    own[-1] = own[-1][: node.end_col_offset]
    own[0] = own[0][node.col_offset :]
    return b"\n".join(own).decode("utf-8")


def of_c(tree: Any, entry: Any, page: Page) -> list[str]:
    out = []
    places = {(x.path, x.name): x for x in entry.places["C"]}.values()
    sources = {c_source(tree.root, place): place for place in places}
    for (path, line, source), place in sources.items():
        anchor = f"{tree.url(path, page)}#__codelineno-0-{line}"
        name = f"<code>{place.name}</code> in " if place.name not in path else ""
        out += code("c", source, f'{name}<a href="{anchor}"><code>{path}</code></a>')
    return out or not_there(entry, "C")


def c_source(root: Path, place: Any) -> tuple[str, int, str]:
    """What a comment in C stands above or in: its file, its line, and the function whole, where it
    is defined, or the paragraph of a constant or a type.
    """
    others = sorted((root / "csrc").glob("*.c")) if place.path.endswith(".h") else []
    for path in (root / place.path, *others):
        source = path.read_text("utf-8")
        if found := c_function(source, place.name):
            at = source.count("\n", 0, source.index(found)) + 1
            return path.relative_to(root).as_posix(), at, found
    lines = (root / place.path).read_text("utf-8").splitlines()
    rest = itertools.takewhile(str.strip, lines[place.line - 1 :])
    return place.path, place.line, "\n".join(line for line in rest if line[0] != "#")


def c_function(source: str, name: str) -> str:
    """The definition of a function; "": it is none, but a constant for instance."""
    head = rf"^(?![ \t/*#])[^;{{}}\n]*\b{re.escape(name)}\([^;{{}}]*?\)\s*\{{.*?^\}}"
    found = re.search(head, source, re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


def code(language: str, source: str, title: str) -> list[str]:
    if not source:
        return [title, ""]
    return [title, "", f"```{language}", *source.splitlines(), "```", ""]


def of_vectors(tree: Any, entry: Any, page: Page) -> list[str]:
    """The first cases as a table, those of the entry's own chapter before the others."""
    places = entry.places["vectors"]
    if not places:
        return not_there(entry, "vectors")
    chapter = entry.path.rpartition("/")[2].removesuffix(".md")
    own = [x for x in places if x.path.endswith(f"/{chapter}.json")]
    shown = [*own, *(x for x in places if x not in own)][:MOST_CASES]
    rows = [row(tree, cases_of(tree.root / place.path)[place.name]) for place in shown]
    of = f"The first {len(shown)} of {len(places)}" if len(shown) < len(places) else "The"
    return [
        f"{of} cases that cite this entry, its laws or its special cases. The files have all bits:",
        "",
        kept(tree, f"<p>{entries.links(tree, places, page)}</p>"),
        "",
        '<div class="rs-table"><table class="rs rs-cases"><thead><tr><th>case</th><th>measure</th>'
        "<th>input</th><th>value</th></tr></thead><tbody>",
        *rows,
        "</tbody></table></div>",
    ]


@functools.cache
def cases_of(path: Path) -> dict[str, dict[str, Any]]:
    """The cases of a file of vectors by their names."""

    def within(value: Any) -> Iterator[dict[str, Any]]:
        if isinstance(value, dict):
            if isinstance(value.get("spec"), list):
                yield value
            value = list(value.values())
        if isinstance(value, list):
            for item in value:
                yield from within(item)

    return {str(case.get("id", "?")): case for case in within(json.loads(path.read_text("utf-8")))}


def row(tree: Any, case: dict[str, Any]) -> str:
    expected = case.get("expected")
    value = decimals(expected)
    if value is None:
        value = case.get("error", "")
    what = case.get("measure", case.get("function", case.get("statistic", "")))
    cells = (f"<code>{short(x)}</code>" for x in (what, case.get("input", ""), value))
    name = kept(tree, f"<tr><td><code>{case['id']}</code><br>")
    rest = "".join(f"<td>{cell}</td>" for cell in cells)
    return name + html.escape(case.get("why", "")) + kept(tree, f"</td>{rest}</tr>")


def decimals(expected: Any) -> Any:
    """A value, or several, without their bits."""
    if isinstance(expected, list):
        return [decimals(x) for x in expected]
    if isinstance(expected, dict):
        return (
            expected["decimal"]
            if "decimal" in expected
            else {k: decimals(x) for k, x in expected.items()}
        )
    return expected


def short(value: Any, most: int = 160) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return html.escape(text if len(text) <= most else text[: most - 1] + "…")


def of_tests(tree: Any, entry: Any, page: Page) -> list[str]:
    """Show what computer algebra proves, in full, and where the other proofs and the tests are."""
    out = []
    for path, name in dict.fromkeys((x.path, x.name) for x in entry.places["symbolic"]):
        source = definitions(tree.root / path).get(name, "")
        out += code("python", source, f"Computer algebra, `{path}`")
    out.append('<dl class="rs-places">')
    for reading in ("Coq", "symbolic", "property", "figure"):
        if places := entry.places[reading]:
            links = entries.links(tree, places, page)
            out.append(kept(tree, f"<dt>{reading}</dt><dd>{links}</dd>"))
        elif reading in entry.n_a:
            out.append(f"<dt>{reading}</dt><dd>n/a: {reason(entry.n_a[reading])}</dd>")
    for law, places in entry.laws.items():
        links = entries.links(tree, [*entry.proofs[law], *places], page) or entries.MISSING
        partly = ", proved in part" if law in entry.in_part else ""
        out.append(kept(tree, f"<dt>law {law}{partly}</dt><dd>{links}</dd>"))
    for part, why in entry.no_vectors.items():
        out.append(f"<dt>vectors of {part}</dt><dd>n/a: {reason(why)}</dd>")
    return [*out, "</dl>"]
