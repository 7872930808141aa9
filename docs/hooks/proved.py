"""The proofs of Coq on the site: pages with tables, and the statements beside laws and equations.

All is read from proofs/ and spec/vectors/proved.txt by tools/trace.py.
"""

from __future__ import annotations

import functools
import html
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import uses
from keeping import kept
from mkdocs.structure.pages import Page

FOLDER = "proved/"
"""The folder of the pages that this writes."""
COLUMNS = {
    "proved": "laws proved",
    "in part": "in part",
    "not proved": "not proved",
    "tested": "only tested",
}
"""The columns of a table for the states of a law (tools/trace.py)."""

# The pages


def pages(tree: Any) -> dict[str, str]:
    """Return the pages that say what is proved of a chapter, with the chapter of each."""
    chapters = dict.fromkeys(
        entry.path for entry in tree.table.entries.values() if in_coq(entry) or entry.not_proved
    )
    return {x.replace("spec", "proved", 1): x for x in chapters}


def filled(tree: Any, markdown: str, page: Page) -> str:
    """Return a page with what it asks for by comments, as "<!-- proved: totals -->"."""
    for name, part in {"totals": totals_of_all, "chapters": of_all_chapters}.items():
        comment = f"<!-- proved: {name} -->"
        if comment in markdown:
            markdown = markdown.replace(comment, part(tree, page))
    return markdown


def by_chapter(tree: Any) -> dict[str, list[Any]]:
    """Return the entries of each chapter."""
    chapters: dict[str, list[Any]] = {}
    for entry in tree.table.entries.values():
        chapters.setdefault(entry.path, []).append(entry)
    return chapters


def totals_of_all(tree: Any, _: Page) -> str:
    """Return how much of the spec is proved, and how many of its vectors."""
    entries = list(tree.table.entries.values())
    every = cases(entries)
    return (
        f"{totals(entries)} The others have tests; of {states(entries)['not proved']} the page of "
        f"the chapter says why they are not proved. Of {len(every)} test vectors Coq proves "
        f"**{len(every & tree.table.proved)}**: the expected double is the one nearest to the "
        "value of the definition."
    )


def of_all_chapters(tree: Any, page: Page) -> str:
    """Return a table with a row for each chapter."""
    rows = [row_of_chapter(tree, chapter, own, page) for chapter, own in by_chapter(tree).items()]
    return table(tree, ["chapter", "in Coq", *COLUMNS.values(), "vectors proved"], rows)


def totals(entries: Iterable[Any]) -> str:
    """Return how many of some entries are defined, and how many of their laws are proved."""
    entries = list(entries)
    laws = states(entries)
    return (
        f"Coq has definitions or theorems of **{sum(map(in_coq, entries))}** of "
        f"{len(entries)} entries. Of their {laws.total()} laws it proves **{laws['proved']}** in "
        f"full and **{laws['in part']}** in part."
    )


def in_coq(entry: Any) -> bool:
    return bool(entry.places["Coq"])


def states(entries: Iterable[Any]) -> Counter[str]:
    """Return how many laws of some entries are in each state."""
    return Counter(entry.proof_of(law) for entry in entries for law in entry.laws)


def cases(entries: Iterable[Any]) -> set[str]:
    """Return the vectors that cite some entries."""
    return {place.name for entry in entries for place in entry.places["vectors"]}


def row_of_chapter(tree: Any, chapter: str, entries: list[Any], page: Page) -> str:
    title = html.escape(tree.trace.title(tree.root / chapter))
    src_uri = chapter.replace("spec", "proved", 1)
    if src_uri in tree.files:
        title = f'<a href="{tree.url(src_uri, page)}">{title}</a>'
    laws, citing = states(entries), cases(entries)
    return row(
        title,
        {
            "in Coq": f"{sum(map(in_coq, entries))} of {len(entries)}",
            **{name: laws[state] or "" for state, name in COLUMNS.items()},
            "vectors proved": of_cases(tree, citing),
        },
    )


def of_cases(tree: Any, citing: set[str]) -> str:
    return f"{len(citing & tree.table.proved)} of {len(citing)}" if citing else ""


def of_chapter(tree: Any, page: Page) -> str:
    """Return a row for each entry of a chapter, and why laws of it are not proved."""
    chapter = pages(tree)[page.file.src_uri]
    entries = by_chapter(tree)[chapter]
    names = ["definition", *COLUMNS.values(), "vectors proved"]
    rows = [row_of_entry(tree, entry, page) for entry in entries]
    out = [
        f"# What Coq proves: {tree.trace.title(tree.root / chapter)}",
        "",
        f"{totals(entries)} Names lead to what Coq checks, laws that are not proved to the reason.",
        "",
        table(tree, ["entry", *names], rows),
        "",
    ]
    reasons: dict[str, list[str]] = {}
    for entry in entries:
        for law, why in entry.not_proved.items():
            rest = "the rest of " if entry.proof_of(law) == "in part" else ""
            own = f'{rest}<span id="{entry.id}-{law}">{entry.id}/{law}</span>'
            reasons.setdefault(why, []).append(own)
    if reasons:
        items = (f"<li>{', '.join(own)}: {html.escape(why)}</li>" for why, own in reasons.items())
        out += ["## What is not proved", "", kept(tree, f"<ul>{''.join(items)}</ul>")]
    return "\n".join([*out, ""])


def row_of_entry(tree: Any, entry: Any, page: Page) -> str:
    url = tree.url_of(entry.id, page)
    name = f'<a class="rs-label" href="{url}">{entry.id}</a> {html.escape(entry.title)}'
    lists: dict[str, list[str]] = {state: [] for state in COLUMNS}
    for law in entry.laws:
        lists[entry.proof_of(law)] += links_of_law(tree, entry, law, page)
    definitions = tree.table.statements.get(entry.id, ())
    return row(
        name,
        {
            "definition": " ".join(to_source(tree, x, x.place.name, page) for x in definitions),
            **{COLUMNS[state]: " ".join(links) for state, links in lists.items()},
            "vectors proved": of_cases(tree, cases([entry])),
        },
    )


def links_of_law(tree: Any, entry: Any, law: str, page: Page) -> list[str]:
    """Return links to the theorems of a law; to why it has none; or the law."""
    if theorems := tree.table.statements.get(f"{entry.id}/{law}"):
        begin = f"{entry.id[3:].replace('-', '_')}_"
        names = [x.place.name.removeprefix(begin) for x in theorems]
        # A theorem of several laws is named after one of them.
        names = [x if f"{x}_".startswith(f"{law}_") else f"{law}: {x}" for x in names]
        return [to_source(tree, x, name, page) for x, name in zip(theorems, names, strict=True)]
    if law in entry.not_proved:
        return [f'<a href="#{entry.id}-{law}">{law}</a>']
    return [f'<a href="{tree.url_of(f"{entry.id}/{law}", page)}">{law}</a>']


def to_source(tree: Any, statement: Any, text: str, page: Page) -> str:
    place = statement.place
    url = f"{tree.url(place.path, page)}#__codelineno-0-{place.line}"
    return f'<a href="{url}">{html.escape(text)}</a>'


def table(tree: Any, names: list[str], rows: list[str]) -> str:
    head = "".join(f"<th>{name}</th>" for name in names)
    return kept(
        tree,
        '<div class="rs-table"><table class="rs rs-proved"><thead><tr>'
        f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>",
    )


def row(name: str, cells: dict[str, Any]) -> str:
    """Return a row of a table; a narrow window shows the name of a column beside each cell."""
    return (
        f"<tr><th>{name}</th>"
        + "".join(
            f'<td data-of="{of}">{cell}</td>' if cell else "<td></td>" for of, cell in cells.items()
        )
        + "</tr>"
    )


# Beside laws and equations

MARKS = {"proved": "proved", "in part": "proved in part", "not proved": "not proved"}
LAW = re.compile(r'<a class="rs-law" id="(?P<id>(?P<entry>[^"/]+)/(?P<law>L\d+))"')
ITEM = re.compile(r"<(?P<end>/?)li>")
ENTRY = re.compile(r'<h[12] id="(RS-[A-Z]+-\d+)"')
DEFINITION = re.compile(r"<p><strong>(?:Definition|Convention)\.</strong>")
NEXT = re.compile(
    r'<p><strong>[A-Z]|<p class="rs-trace"|<h[12]|</div>\s*<div class="tabbed-block">'
)
"""The next part of an entry behind its definition."""


def marked(tree: Any, content: str, page: Page) -> str:
    """Return a page of the spec with what Coq states, folded, beside its laws and equations."""
    inserted = {}
    for entry in ENTRY.finditer(content):
        if statements := tree.table.statements.get(entry[1]):
            end = end_of_definition(content, entry.end())
            inserted[end] = folded("in Coq", texts(tree, statements, page))
    for law in LAW.finditer(content):
        end = end_of_item(content, law.end())
        if end in inserted:
            raise ValueError(f"{law['id']} is no item of its own; a blank line is missing above it")
        inserted[end] = of_law(tree, law["entry"], law["law"], page)
    out, written = [], 0
    for end, mark in sorted(inserted.items()):
        out += [content[written:end], mark]
        written = end
    return "".join([*out, content[written:]])


def end_of_definition(content: str, position: int) -> int:
    """Return where the definition of the entry ends that begins at a place, or else its inputs."""
    end = NEXT.search(content, position)
    definition = DEFINITION.search(content, position)
    while end and definition and end.start() <= definition.start() and end[0][:3] == "<p>":
        end = NEXT.search(content, end.end())
    return end.start() if end else len(content)


def end_of_item(content: str, position: int) -> int:
    """Return where the item of a list ends in which a place is."""
    depth = 1
    for tag in ITEM.finditer(content, position):
        depth += -1 if tag["end"] else 1
        if not depth:
            return len(content[: tag.start()].rstrip())
    raise ValueError(f"a law is no item of a list: {content[position - 40 : position]}")


def of_law(tree: Any, id_: str, law: str, page: Page) -> str:
    """Return the theorems of a law, and why it, or the rest of it, has none; "": neither."""
    entry = tree.table.entries[id_]
    state = entry.proof_of(law)
    if state not in MARKS:
        return ""
    content = texts(tree, tree.table.statements.get(f"{id_}/{law}", ()), page)
    if law in entry.not_proved:
        rest = "The rest is not proved" if content else "Not proved"
        content += f"<p>{rest}: {html.escape(entry.not_proved[law])}</p>"
    return folded(MARKS[state], content)


def folded(mark: str, content: str) -> str:
    return (
        f'<details class="rs-coq" data-search-exclude><summary>{mark}</summary>{content}</details>'
    )


def texts(tree: Any, statements: Iterable[Any], page: Page) -> str:
    """Return statements as they stand in proofs/; the name of each leads to it."""
    out = []
    for statement in statements:
        name = statement.place.name
        kind, _, rest = statement.text.partition(name)
        text = f"{html.escape(kind)}{to_source(tree, statement, name, page)}{html.escape(rest)}"
        out.append(f"(* {html.escape(statement.comment)} *)\n{text}" if statement.comment else text)
    together = "\n".join(out)
    return f"<pre>{together}</pre>" if out else ""


# The page of an entry


def of_entry(tree: Any, entry: Any, page: Page) -> list[str]:
    """Return what Coq states of an entry and its laws, and all definitions that this uses."""
    definitions = list(tree.table.statements.get(entry.id, ()))
    theorems = [
        statement
        for law in entry.laws
        for statement in tree.table.statements.get(f"{entry.id}/{law}", ())
    ]
    parts = {
        "Definitions of this entry": definitions,
        "Theorems of its laws": theorems,
        "Definitions that these use, in the order of the files": sources(tree).used(
            [*definitions, *theorems]
        ),
    }
    out = [
        f'<p>{title}:</p><div class="rs-uses">{texts(tree, statements, page)}</div>'
        for title, statements in parts.items()
        if statements
    ]
    return [kept(tree, "".join(out))] if definitions or theorems else []


@functools.cache
def sources(tree: Any) -> uses.Sources:
    return uses.Sources(tree.root, tree.trace)
