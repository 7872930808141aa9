"""The entries of the spec on the site: labels, links, what leads to their readings, the table."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from typing import Any

from mkdocs.structure.pages import Page
from mkdocs.structure.toc import AnchorLink

# The chapters


def with_traces(tree: Any, markdown: str, page: Page) -> str:
    """A chapter in which each entry ends with a line that leads to its readings."""
    out: list[str] = []
    for entry, lines in parts(tree, markdown):
        out += lines
        if entry is not None:
            url = tree.url(of_readings(entry), page)
            out += [
                "",
                f'<p class="rs-trace" data-search-exclude>{summary(tree, entry, url)}</p>',
                "",
            ]
    return "\n".join([*out, ""])


def of_readings(entry: Any) -> str:
    """The page of an entry's readings (readings.py)."""
    return f"spec/entries/{entry.id}.md"


def parts(tree: Any, markdown: str) -> Iterator[tuple[Any, list[str]]]:
    """A chapter, cut where an entry or a part without one begins; each with the lines of it.

    Laws get anchors. The Trace paragraph, which only holds the readings that do not apply, is left
    out: the page of the readings has them all.
    """
    entry, lines = None, []
    in_trace = False
    in_prose = {number for number, _ in tree.trace.prose(markdown)}
    for number, line in enumerate(markdown.splitlines(), start=1):
        if number not in in_prose:
            lines.append(line)
            continue
        if re.match(r"#{1,2} ", line):
            yield entry, lines
            heading = tree.trace.HEADING.fullmatch(line)
            entry, lines = tree.table.entries.get(heading["anchor"]) if heading else None, []
            in_trace = False
        in_trace = line.startswith(tree.trace.TRACE) or (in_trace and line.strip() != "")
        if not in_trace:
            lines.append(with_law_anchor(tree, entry, line))
    yield entry, lines


def with_law_anchor(tree: Any, entry: Any, line: str) -> str:
    law = tree.trace.LAW.match(line)
    if entry is None or not law:
        return line
    id_ = f"{entry.id}/{law['law']}"
    anchor = f'<a class="rs-law" id="{id_}" href="#{id_}">{law["law"]}</a>'
    return line.replace(f"**{law['law']}**", anchor, 1)


MISSING = '<span class="rs-missing">missing</span>'


def summary(tree: Any, entry: Any, url: str) -> str:
    """The readings of an entry in one line, which leads to them."""
    items = []
    for reading in tree.trace.READINGS:
        cell = tree.trace.cell(entry, reading)
        if cell == "MISSING":
            items.append(f"{reading} {MISSING}")
        elif cell not in ("-", "n/a"):
            items.append(f"{reading} <b>{html.escape(cell)}</b>")
    return f'<a href="{url}">Readings</a> ' + ", ".join(items)


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
    "Coq": "definitions and theorems that a prover has checked",
}


def traceability_pages(tree: Any) -> dict[str, str]:
    """The pages of the table, with the chapter of each; of the first, which has none, ""."""
    chapters = dict.fromkeys(entry.path for entry in tree.table.entries.values())
    return {"traceability.md": ""} | {x.replace("spec", "traceability", 1): x for x in chapters}


def traceability(tree: Any, page: Page) -> str:
    """What the table says, and the chapters that it has; or the entries of one of them."""
    by_chapter: dict[str, list[Any]] = {}
    for entry in tree.table.entries.values():
        by_chapter.setdefault(entry.path, []).append(entry)
    if chapter := traceability_pages(tree)[page.file.src_uri]:
        title = tree.trace.title(tree.root / chapter)
        return "\n".join(
            [f"# Traceability: {title}", "", *rows_of(tree, by_chapter[chapter], page)]
        )
    out = [
        "# Traceability",
        "",
        f"The specification has {len(tree.table.entries)} entries, and they state "
        f"{sum(len(entry.laws) for entry in tree.table.entries.values())} laws. A table for each "
        "chapter says where an entry is realised and how it is checked. It names functions and "
        "counts tests and vectors; where a reading does not apply, it says why. Each entry has the "
        "links to its tests at its end. `python tools/trace.py` reads the tables from the files "
        "themselves, and a test fails where one has a gap.",
        "",
        *legend(tree),
        '<div class="rs-table"><table class="rs"><thead><tr><th>chapter</th><th>entries</th>'
        "<th>laws</th></tr></thead><tbody>",
    ]
    for chapter, of_it in by_chapter.items():
        title = html.escape(tree.trace.title(tree.root / chapter))
        url = chapter.removeprefix("spec/").removesuffix(".md") + "/"
        out.append(
            f'<tr><th><a href="{url}">{title}</a></th><td>{len(of_it)}</td>'
            f"<td>{sum(len(entry.laws) for entry in of_it) or '–'}</td></tr>"
        )
    out += ["</tbody></table></div>", ""]
    if tree.table.problems:
        out += ["## Gaps", "", *(f"- {html.escape(p)}" for p in tree.table.problems)]
    return "\n".join(out)


def legend(tree: Any) -> list[str]:
    return [
        '<dl class="rs-legend">',
        *(f"<dt>{reading}</dt><dd>{READING_IS[reading]}</dd>" for reading in tree.trace.READINGS),
        "</dl>",
        "",
    ]


def rows_of(tree: Any, of_chapter: Iterable[Any], page: Page) -> list[str]:
    """The table of the entries of a chapter, below what its columns are."""
    return [
        *legend(tree),
        '<div class="rs-table"><table class="rs"><thead><tr><th>entry</th>'
        + "".join(f"<th>{reading}</th>" for reading in tree.trace.READINGS)
        + "<th>laws</th></tr></thead><tbody>",
        *(table_row(tree, entry, page) for entry in of_chapter),
        "</tbody></table></div>",
        "",
    ]


def table_row(tree: Any, entry: Any, page: Page) -> str:
    url = tree.url_of(entry.id, page)
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
        url = tree.url_of(match[0], page)
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
