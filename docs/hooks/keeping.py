"""HTML that Markdown is not to read: in a tab it takes it for text, and it is slow."""

from __future__ import annotations

import re
from typing import Any

KEPT = re.compile(r'<rs-kept n="(\d+)">')


def kept(tree: Any, content: str) -> str:
    """Return a tag that stands for HTML until Markdown has been read."""
    tree.kept.append(content)
    return f'<rs-kept n="{len(tree.kept) - 1}">'


def put_back(tree: Any, content: str) -> str:
    """Return the HTML of a page, with what was kept from Markdown."""
    return KEPT.sub(lambda tag: tree.kept[int(tag[1])], content)
