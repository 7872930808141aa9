"""Where the entries of the spec once stood: old addresses lead on.

A page from which entries have moved ends with a list of them, in which each has its old anchor and
a link to where it stands now; assets/moved.js follows that link at once. A page that is gone is
such a list and nothing else.
"""

from __future__ import annotations

import html
from typing import Any

from mkdocs.structure.pages import Page

ONCE = {
    "CONV": "spec/conventions.md",
    "NUM": "spec/numerics.md",
    "TIE": "spec/expectation.md",
    "EXP": "spec/expectation.md",
}
"""The chapter in which all entries of a family once stood."""

PAGE = """\
---
search: {exclude: true}
hide: [toc]
---

# This chapter has moved

The expectation and the variance of each metric stand in its chapter, and what they have in common
in the chapter [Ties](ties.md).
"""


def gone(tree: Any) -> list[str]:
    """The chapters that there are no more."""
    return [path for path in dict.fromkeys(ONCE.values()) if not (tree.root / path).exists()]


def list_of(tree: Any, repo_path: str, page: Page) -> str:
    """The entries that once stood on a page and now stand elsewhere, with their old anchors."""
    found = [
        entry
        for entry in tree.table.entries.values()
        if ONCE.get(entry.family) == repo_path != entry.path
    ]
    if not found:
        return ""
    found.sort(key=lambda entry: (entry.family, int(entry.id.rpartition("-")[2])))
    items = "".join(item(entry, tree.url(entry.path, page)) for entry in found)
    return (
        '\n<section class="rs-moved" data-search-exclude>\n'
        "<p>These entries stand elsewhere now:</p>\n"
        f"<ul>\n{items}</ul>\n</section>\n"
    )


def item(entry: Any, url: str) -> str:
    laws = "".join(f'<a id="{entry.id}/{law}"></a>' for law in entry.laws)
    return (
        f'<li id="{entry.id}">{laws}<a href="{url}#{entry.id}">'
        f'<span class="rs-label">{entry.id}</span> {html.escape(entry.title)}</a></li>\n'
    )
