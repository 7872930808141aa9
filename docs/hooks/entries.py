"""The entries of the spec on the site: labels, links, the trace of each, the whole table."""

from __future__ import annotations

import ast
import functools
import html
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink

# The trace of an entry


def with_traces(tree: Any, markdown: str, page: Page) -> str:
    """A chapter with the generated trace of each entry, and anchors on its laws.

    The Trace paragraph, which only holds the readings that do not apply, gives way to it.
    """
    out: list[str] = []
    entry = None
    in_trace = False
    in_prose = {number for number, _ in tree.trace.prose(markdown)}
    for number, line in enumerate(markdown.splitlines(), start=1):
        if number not in in_prose:
            out.append(line)
            continue
        if re.match(r"#{1,2} ", line):
            out += trace_of(tree, entry, page)
            heading = tree.trace.HEADING.fullmatch(line)
            entry = tree.table.entries.get(heading["anchor"]) if heading else None
        in_trace = line.startswith(tree.trace.TRACE) or (in_trace and line.strip() != "")
        if not in_trace:
            out.append(with_law_anchor(tree, entry, line))
    return "\n".join([*out, *trace_of(tree, entry, page), ""])


def with_law_anchor(tree: Any, entry: Any, line: str) -> str:
    law = tree.trace.LAW.match(line)
    if entry is None or not law:
        return line
    id_ = f"{entry.id}/{law['law']}"
    anchor = f'<a class="rs-law" id="{id_}" href="#{id_}">{law["law"]}</a>'
    return line.replace(f"**{law['law']}**", anchor, 1)


def trace_of(tree: Any, entry: Any, page: Page) -> list[str]:
    """The lines that end an entry: the reference's text, and where all its readings are."""
    if entry is None:
        return []
    out = ["", *reference_text(tree, entry)]
    out += [
        '<details class="rs-trace" data-search-exclude>',
        f"<summary>{summary(tree, entry)}</summary>",
    ]
    out += ['<dl class="rs-places">']
    for reading in tree.trace.READINGS:
        if places := entry.places[reading]:
            out.append(f"<dt>{reading}</dt><dd>{links(tree, places, page)}</dd>")
        elif reading in entry.n_a:
            out.append(f"<dt>{reading}</dt><dd>n/a: {html.escape(entry.n_a[reading])}</dd>")
    for law, places in entry.laws.items():
        tests = links(tree, places, page) or MISSING
        out.append(f"<dt>law {law}</dt><dd>{tests}</dd>")
    for part, why in entry.no_vectors.items():
        out.append(f"<dt>vectors of {part}</dt><dd>n/a: {html.escape(why)}</dd>")
    return [*out, "</dl>", "</details>", ""]


def reference_text(tree: Any, entry: Any) -> list[str]:
    """The reference's functions for an entry, folded."""
    out = []
    for place in entry.places["reference"]:
        path = place.path.removeprefix("pyref/rankspec/")
        out += [f'??? reading "The reference <code>{path}</code>"', "", "    ```python"]
        source = definitions(tree.root / place.path)[place.line]
        out += textwrap.indent(source, "    ").splitlines()
        out += ["    ```", ""]
    return out


@functools.cache
def definitions(path: Path) -> dict[int, str]:
    """The source of each function and class of a module, by its line."""
    source = path.read_text("utf-8")
    return {
        node.lineno: ast.get_source_segment(source, node) or ""
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }


MISSING = '<span class="rs-missing">missing</span>'


def summary(tree: Any, entry: Any) -> str:
    """The readings of an entry in one line."""
    items = ["<strong>Trace</strong>"]
    for reading in tree.trace.READINGS:
        cell = tree.trace.cell(entry, reading)
        if cell == "MISSING":
            items.append(f"<span>{reading} {MISSING}</span>")
        elif cell in ("-", "n/a"):
            items.append(f'<span class="rs-none">{reading} {cell.replace("-", "–")}</span>')
        else:
            items.append(f"<span>{reading} <b>{html.escape(cell)}</b></span>")
    return " ".join(items)


def links(tree: Any, places: Iterable[Any], page: Page) -> str:
    """Links to places, grouped by file; the cases of a vector file are counted."""
    by_path: dict[str, list[Any]] = {}
    for place in places:
        by_path.setdefault(place.path, []).append(place)
    groups = []
    for path, found in by_path.items():
        if path.endswith(".json"):
            cases = f"{len(found)} case{'s' * (len(found) > 1)}"
            url = tree.url(path, page)
            groups.append(f'<a href="{url}"><code>{path}</code></a> {cases}')
        else:
            groups.append(f'<span class="rs-path">{path}</span> ' + functions(tree, found, page))
    return "<br>".join(groups)


def functions(tree: Any, places: Iterable[Any], page: Page, separator: str = ", ") -> str:
    """A link to each function named by some places, at the first of its places."""
    first: dict[tuple[str, str], int] = {}
    for place in places:
        first.setdefault((place.path, place.name), place.line)
    return separator.join(
        f'<a href="{tree.url(path, page)}#__codelineno-0-{line}"><code>{name}</code></a>'
        for (path, name), line in first.items()
    )


# The page "Traceability"

READING_IS = {
    "reference": "the equation in plain Python",
    "C": "the same in the C core",
    "symbolic": "what computer algebra proves of it",
    "property": "tests of its laws, and of C against the reference",
    "vectors": "cases that other implementations can run",
    "figure": "numbers that a paper or a collection prints",
}


def traceability(tree: Any, page: Page) -> str:
    all_entries = tree.table.entries.values()
    laws = sum(len(entry.laws) for entry in all_entries)
    readings = tree.trace.READINGS
    out = [
        "# Traceability",
        "",
        f"The specification has {len(all_entries)} entries, and they state {laws} laws. A row of "
        "this table says where an entry is realised and how it is checked. Functions are named, "
        "tests and vectors are counted; what does not apply says why. Each entry has the links "
        "to its tests at its end. The table is read from the files themselves by "
        "`python tools/trace.py`, and a test fails where it has a gap.",
        "",
        '<dl class="rs-legend">',
        *(f"<dt>{reading}</dt><dd>{READING_IS[reading]}</dd>" for reading in readings),
        "</dl>",
        "",
        '<div class="rs-table"><table class="rs"><thead><tr><th>entry</th>'
        + "".join(f"<th>{reading}</th>" for reading in readings)
        + "<th>laws</th></tr></thead><tbody>",
    ]
    chapter = ""
    for entry in all_entries:
        if entry.path != chapter:
            chapter = entry.path
            title = html.escape(tree.trace.title(tree.root / chapter))
            span = len(readings) + 2
            out.append(f'<tr class="rs-chapter"><th colspan="{span}">{title}</th></tr>')
        out.append(table_row(tree, entry, page))
    out += ["</tbody></table></div>", ""]
    if tree.table.problems:
        out += ["## Gaps", "", *(f"- {html.escape(p)}" for p in tree.table.problems)]
    return "\n".join(out)


def table_row(tree: Any, entry: Any, page: Page) -> str:
    url = f"{tree.url(entry.path, page)}#{entry.id}"
    title = html.escape(entry.title)
    out = [f'<tr><th><a class="rs-label" href="{url}">{entry.id}</a> {title}</th>']
    for reading in tree.trace.READINGS:
        cell = tree.trace.cell(entry, reading)
        if cell == "MISSING":
            cell = MISSING
        elif cell == "n/a":
            cell = f'<abbr title="{html.escape(entry.n_a[reading])}">n/a</abbr>'
        elif cell == "-":
            cell = "–"
        elif reading in ("reference", "C"):
            cell = functions(tree, entry.places[reading], page, separator="<br>")
        out.append(f"<td>{cell}</td>")
    return "".join([*out, f"<td>{len(entry.laws) or '–'}</td></tr>"])


# Labels and links


def labelled(tree: Any, content: str) -> str:
    """The ID that begins a heading, as a label."""
    return re.sub(
        rf"(<h[1-6][^>]*>)({tree.trace.ID.pattern}) · ",
        r'\1<span class="rs-label">\2</span> ',
        content,
    )


def label_toc(tree: Any, items: Iterable[AnchorLink]) -> None:
    for item in items:
        item.title = re.sub(
            rf"^({tree.trace.ID.pattern}) · ", r'<span class="rs-label">\1</span> ', item.title
        )
        label_toc(tree, item.children)


TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)[^>]*?(/?)>|<!--.*?-->", re.DOTALL)
OPAQUE = {"a", "abbr", "pre", "code", "h1", "h2", "h3", "h4", "h5", "h6", "script", "summary"}
"""Elements whose text is left as it is."""


def linked_ids(tree: Any, content: str, page: Page) -> str:
    """Each ID in running text as a link to its entry, with the entry's title as a tip."""

    def title_of(cited: str) -> str | None:
        id_, _, law = cited.partition("/")
        entry = tree.table.entries.get(id_)
        if entry is None or (law and law not in entry.laws):
            return None  # tools/trace.py reports it
        return html.escape(entry.title)

    def link(match: re.Match[str]) -> str:
        title = title_of(match[0])
        if title is None:
            return match[0]
        path = tree.table.entries[match[0].partition("/")[0]].path
        url = f"{tree.url(path, page)}#{match[0]}"
        return f'<a class="rs-id" href="{url}" title="{title}">{match[0]}</a>'

    def tipped(match: re.Match[str]) -> str:
        title = title_of(match[2])
        return (
            match[0]
            if title is None
            else f'<a class="rs-id" title="{title}"{match[1]}{match[2]}</a>'
        )

    # Links that an author wrote out, "[RS-CONV-1](conventions.md#RS-CONV-1)"
    content = re.sub(rf'<a( href="[^"]*">)({tree.trace.CITED.pattern})</a>', tipped, content)
    out, position, depth = [], 0, 0
    for tag in TAG.finditer(content):
        text = content[position : tag.start()]
        out += [text if depth else tree.trace.CITED.sub(link, text), tag[0]]
        position = tag.end()
        if tag[2] and tag[2].lower() in OPAQUE and not tag[3]:
            depth += -1 if tag[1] else 1
    return "".join([*out, content[position:]])
