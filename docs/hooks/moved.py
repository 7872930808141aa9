"""Where entries of the spec, and sections of the tour, once stood: old addresses lead on.

A page from which they have moved ends with a list of them, in which each has its old anchor and a
link to where it stands now; assets/moved.js follows that link at once. A page that is gone is such
a list and nothing else.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any

from mkdocs.structure.pages import Page

ONCE = {
    "CONV": "spec/conventions.md",
    "NUM": "spec/numerics.md",
    "TIE": "spec/expectation.md",
    "EXP": "spec/expectation.md",
}
"""The chapter in which all entries of a family once stood."""

TOUR = "docs/guide.md"

SECTIONS = {
    "Relevant or not": "users",
    "Users who stop": "users",
    "When the list should not be long": "length",
    "Relevance from scores": "popularity",
    "How far above chance": "chance",
    "Sessions": "sessions",
    "Subtopics": "subtopics",
    "Certified values": "trust",
    "Lists of ids": "recommenders",
    "Files of other formats": "trec",
    "Conventions and profiles": "trec",
    "Features and predictions": "learning-to-rank",
    "Session files": "sessions",
    "Which queries tell anything": "chance",
    "Can this run be trusted?": "trust",
    "Which system is better": "compare",
    "What measures say of the same systems, and on which queries": "agreement",
    "A comparison as a picture": "compare",
    "Documents that nobody judged": "trust",
    "Two sets of judgments": "agreement",
    "How many queries": "compare",
    "Whether a run repeats another": "agreement",
    "Which axioms hold": "trust",
    "What the papers print": "trust",
    "Pictures": "command-line",
    "When something is wrong": "trust",
}
"""The sections that once stood in the tour, and the guide that each is in now.

A guide keeps the anchor of each section: a test holds that.
"""

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
    """What once stood on a page and now stands elsewhere, with the old anchors."""
    if repo_path == TOUR:
        return listed(ELSEWHERE.format("sections"), (section(x, tree, page) for x in SECTIONS))
    found = [
        entry
        for entry in tree.table.entries.values()
        if ONCE.get(entry.family) == repo_path != entry.path
    ]
    found.sort(key=lambda entry: (entry.family, int(entry.id.rpartition("-")[2])))
    on_other_pages = [
        entry
        for entry in tree.table.entries.values()
        if entry.path == repo_path and entry.id in tree.places.of_entry
    ]
    return "".join(
        listed(said, (item(entry, tree.url_of(entry.id, page)) for entry in group))
        for said, group in ((ELSEWHERE.format("entries"), found), (FURTHER, on_other_pages))
        if group
    )


ELSEWHERE = "These {} stand elsewhere now:"
FURTHER = "Entries on the other pages of this chapter:"


def listed(said: str, items: Iterable[str]) -> str:
    return (
        '\n<section class="rs-moved" data-search-exclude>\n'
        f"<p>{said}</p>\n"
        f"<ul>\n{''.join(items)}</ul>\n</section>\n"
    )


def anchor_of(title: str) -> str:
    """The anchor that MkDocs gives a heading."""
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def section(title: str, tree: Any, page: Page) -> str:
    anchor = anchor_of(title)
    url = tree.url(f"docs/guides/{SECTIONS[title]}.md", page)
    return f'<li id="{anchor}"><a href="{url}#{anchor}">{html.escape(title)}</a></li>\n'


def item(entry: Any, url: str) -> str:
    laws = "".join(f'<a id="{entry.id}/{law}"></a>' for law in entry.laws)
    return (
        f'<li id="{entry.id}">{laws}<a href="{url}">'
        f'<span class="rs-label">{entry.id}</span> {html.escape(entry.title)}</a></li>\n'
    )
