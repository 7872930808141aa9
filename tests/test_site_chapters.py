"""A chapter of the spec that has several pages loses nothing on them."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from .site_hooks import imported

ROOT = Path(__file__).resolve().parents[1]


def test_a_chapter_is_whole_on_its_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    chapters = imported(monkeypatch, "chapters")
    trace = imported(monkeypatch, "loading").module_of(ROOT / "tools/trace.py", "rankspec_trace")
    tree = SimpleNamespace(root=ROOT, trace=trace)
    several = 0
    for path in sorted(ROOT.glob("spec/*.md")):
        parts = chapters.parts(tree, path.relative_to(ROOT).as_posix())
        assert "".join(part.text for part in parts) == path.read_text("utf-8")
        ids = [id_ for part in parts for id_ in part.ids]
        assert ids == re.findall(
            r"^## .*\{#(RS-[A-Z]+-\d+)\}$", path.read_text("utf-8"), re.MULTILINE
        )
        several += len(parts) > 1
    assert several > 5
