"""Sections that have left the tour: a guide has each, under its old anchor."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .site_hooks import imported

ROOT = Path(__file__).resolve().parents[1]
HEADING = re.compile(r"^##+ (?P<title>.*?)(?: \{#(?P<anchor>\S+)\})?$", re.MULTILINE)


def test_each_section_keeps_its_anchor(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = imported(monkeypatch, "moved")

    def anchors(path: str) -> set[str]:
        found = HEADING.finditer((ROOT / path).read_text("utf-8"))
        return {x["anchor"] or moved.anchor_of(x["title"]) for x in found}

    for title, guide in moved.SECTIONS.items():
        anchor = moved.anchor_of(title)
        assert anchor in anchors(f"docs/guides/{guide}.md"), title
        assert anchor not in anchors(moved.TOUR), title
