"""How the spec is quoted, and whom it quotes.

A page of it tells assets/cite.js what an entry is called. The sources of an entry lead to the
bibliography, and a work there to where it was published.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

from mkdocs.structure.pages import Page

CITED = "spec/"


def version(root: Path) -> str:
    """That of the package, as CITATION.cff has it."""
    text = (root / "CITATION.cff").read_text("utf-8")
    (found,) = re.findall(r'^version: "(.*)"$', text, re.MULTILINE)
    return str(found)


def marked(root: Path, content: str, page: Page) -> str:
    """A page of the spec with the version, and the name of its chapter; others as they are."""
    if not page.file.src_uri.startswith(CITED):
        return content
    chapter = html.escape(str(page.meta.get("chapter", page.title)))
    told = f'data-version="{version(root)}" data-chapter="{chapter}"'
    return f'{content}<div id="rs-cite" {told}></div>\n'


BIBLIOGRAPHY = "spec/index.md"
WORK = r"[a-z][a-z-]*-\d{4}[a-z]?"
DOI = re.compile(r"\bdoi:(10\.[^\s<]*[^\s<.,;)])")


def linked(content: str, bibliography: str, page: Page) -> str:
    """The page with links from sources to the bibliography, whose address is given, and to DOIs."""
    if page.file.src_uri == BIBLIOGRAPHY:
        content = re.sub(rf"<dt>({WORK})</dt>", r'<dt id="\1">\1</dt>', content)
        return DOI.sub(r'<a href="https://doi.org/\1">doi:\1</a>', content)
    if not page.file.src_uri.startswith(CITED):
        return content
    return re.sub(
        r'<p class="source">.*?</p>',
        lambda found: re.sub(
            rf"\b{WORK}\b", rf'<a href="{bibliography}#\g<0>">\g<0></a>', found[0]
        ),
        content,
        flags=re.DOTALL,
    )
