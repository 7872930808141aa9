"""What a page of the spec tells assets/cite.js, which lets a reader quote an entry."""

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
    chapter = html.escape(str(page.title))
    told = f'data-version="{version(root)}" data-chapter="{chapter}"'
    return f'{content}<div id="rs-cite" {told}></div>\n'
