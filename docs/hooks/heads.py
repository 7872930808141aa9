"""What a page says of itself to those who do not see it: a description, and names of parts."""

from __future__ import annotations

import html
import re

import tex
from mkdocs.structure.pages import Page

LONGEST = 160
KINDS = {
    "api/": ": API",
    "guides/": ": guide",
    "traceability/core/": ": the core",
    "proved/core/": ": the core",
    "spec/core/": ": the core",
    "spec/": ": specification",
}
"""What the title of a window or of a bookmark says of a page, as some have the same heading."""
BUNDLE = re.compile(r'<script src="([^"]*)assets/javascripts/bundle\.')
FIRST = re.compile(r"<p>(.*?)</p>", re.DOTALL)


def describe(page: Page, content: str, otherwise: str) -> None:
    """Gives the page the description that it lacks: its first sentences, as many as are shown."""
    if "description" in page.meta:
        return
    paragraphs = (plain(found) for found in FIRST.findall(content))
    first = next((text for text in paragraphs if len(text) > 30), "")
    page.meta["description"] = html.escape(shortened(f"{page.title}: {first or otherwise}"))


def plain(content: str) -> str:
    content = re.sub(r"<[^>]*>", "", tex.without_formulas(content))
    return " ".join(html.unescape(content).split())


def shortened(text: str) -> str:
    """
    >>> shortened("a " * 100)[-5:]
    'a a …'
    """
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rpartition(" ")[0] + " …"


def finished(output: str, page: Page, picture: dict[str, str]) -> str:
    """The page with its title, a card for where it is linked, a name for the search, and turned.js.

    picture: what the card says of its picture
    """
    title = html.escape(re.sub(r"<[^>]*>", "", str(page.title)))
    card = {
        "og:type": "article",
        "og:site_name": "rankspec",
        "og:title": title,
        "og:description": page.meta["description"],
    } | picture
    kind = next((kind for begin, kind in KINDS.items() if page.url.startswith(begin)), "")
    output = output.replace("<title>" + title, f"<title>{title}{kind}", 1)
    metas = "".join(f'<meta property="{name}" content="{x}">\n' for name, x in card.items())
    output = output.replace("</head>", f"{metas}</head>", 1)
    before, article, content = output.partition("<article")
    output = re.sub(r"\n\s+", "\n", before) + article + content  # a third of it is indentation
    output = BUNDLE.sub(r'<script src="\1assets/turned.js"></script>\n\g<0>', output, count=1)
    return output.replace(
        'data-md-component="search" role="dialog"',
        'data-md-component="search" role="dialog" aria-label="Search"',
        1,
    )
