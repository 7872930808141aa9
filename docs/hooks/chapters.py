"""Chapters of the spec that take several pages: a heading "# Title {#name}" in one begins a page.

The file stays one, as the chapter's files in the reference and in C. Each of its pages
leads to the others.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

from mkdocs.structure.files import File
from mkdocs.structure.pages import Page

BEGIN = re.compile(r"# (?P<title>.+?) \{#(?P<name>[a-z0-9-]+)\}")


@dataclass
class Part:
    """A page of a chapter; name: "" of the first. ids: of its entries"""

    chapter: str
    name: str
    title: str
    text: str
    ids: list[str]

    @property
    def src_uri(self) -> str:
        return f"{self.chapter[:-3]}/{self.name}.md" if self.name else self.chapter


def parts(tree: Any, repo_path: str) -> list[Part]:
    """The pages of a chapter."""
    text = (tree.root / repo_path).read_text("utf-8")
    lines = text.splitlines(keepends=True)
    found = [Part(repo_path, "", tree.trace.title(tree.root / repo_path), "", [])]
    written = 0
    for number, line in tree.trace.prose(text):
        if begin := BEGIN.fullmatch(line):
            found[-1].text = "".join(lines[written : number - 1])
            written = number - 1
            found.append(Part(repo_path, begin["name"], begin["title"], "", []))
        elif entry := tree.trace.HEADING.fullmatch(line):
            found[-1].ids.append(entry["anchor"])
    found[-1].text = "".join(lines[written:])
    return found


class Places:
    """Where entries stand on the site.

    of_entry: the page of each entry that is not on its chapter's first page
    of_part: the page of a part, by chapter and name
    pages: the parts of the chapters that have several, by the address of each page
    """

    def __init__(self) -> None:
        self.of_entry: dict[str, File] = {}
        self.of_part: dict[tuple[str, str], File] = {}
        self.pages: dict[str, tuple[Part, list[Part]]] = {}

    def add(self, part: Part, together: list[Part], file: File) -> None:
        if len(together) > 1:
            self.pages[file.src_uri] = part, together
        if part.name:
            self.of_entry |= dict.fromkeys(part.ids, file)
            self.of_part[part.chapter, part.name] = file

    def of_anchor(self, repo_path: str, anchor: str) -> File | None:
        """The page of an entry, a law or a part, where it is not the chapter's first."""
        name = anchor.removeprefix("#")
        return self.of_entry.get(name.partition("/")[0]) or self.of_part.get((repo_path, name))


def led(tree: Any, markdown: str, page: Page) -> str:
    """A page of a chapter that has several, with links to the others, above its first entry."""
    if page.file.src_uri not in tree.places.pages:
        return markdown
    here, together = tree.places.pages[page.file.src_uri]
    links = []
    for part in together:
        title = html.escape(part.title)
        if part is here:
            links.append(f"<b>{title}</b>")
        else:
            file = tree.places.of_part.get((part.chapter, part.name)) or tree.files[part.chapter]
            links.append(f'<a href="{file.url_relative_to(page.file)}">{title}</a>')
    line = f'<p class="rs-parts">This chapter: {" · ".join(links)}</p>'
    heading, _, rest = markdown.partition("\n")
    return f"{heading}\n\n{line}\n{rest}"
