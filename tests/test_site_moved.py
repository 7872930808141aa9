"""Old addresses lead on: of sections that have left the tour, and of what fills several pages."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from .site_browser import Visit, browser, built, served
from .site_hooks import imported

__all__ = ["browser", "built"]

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


@pytest.mark.slow
@pytest.mark.long(but=2)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("spec/precision/#RS-PREC-40", "spec/precision/recall-levels/#RS-PREC-40"),
        ("spec/precision/#RS-PREC-40/L1", "spec/precision/recall-levels/#RS-PREC-40/L1"),
        ("spec/errata/#RS-ERR-54", "spec/errata/programs/#RS-ERR-54"),
        ("spec/expectation/#RS-EXP-9", "spec/precision/#RS-EXP-9"),
        ("api/#ndcg", "api/metrics/#ndcg"),
        ("api/#compatpytrec_eval", "api/compat/#compatpytrec_eval"),
    ],
)
def test_old_addresses_lead_on(built: Path, browser: Any, old: str, new: str) -> None:
    for site in served(built):
        with Visit(browser, f"{site}/{old}") as visit:
            visit.page.wait_for_url(f"{site}/{new}")
            assert visit.page.evaluate("document.getElementById(location.hash.slice(1)) !== null")


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
