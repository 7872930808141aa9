"""The plots that pages of the site ask for: there are such, and they need no C core."""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rankspec import plots

from .site_hooks import imported

ROOT = Path(__file__).resolve().parents[1]
PAGES = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("spec/*.md"), *ROOT.glob("spec/core/*.md")]
ASKED = [
    (path.name, name)
    for path in PAGES
    for name in re.findall("<!-- plot: (.*?) -->", path.read_text("utf-8"))
]


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> Any:
    return imported(monkeypatch, "pictures")


def test_the_pages_ask_for_them() -> None:
    assert {("popularity.md", "relevance"), ("relevance.md", "relevance")} <= set(ASKED)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("name", sorted({name for _, name in ASKED}))
def test_drawn_without_the_core(name: str, pictures: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rankspec.compute.core", None)
    page = SimpleNamespace(file=SimpleNamespace(src_uri="a.md"))
    drawn = pictures.drawn(f"<p>before</p>\n<!-- plot: {name} -->\n", page)
    assert drawn.startswith('<p>before</p>\n<figure class="rs-plot">')
    assert plots.PLOTS[name].about in html.unescape(drawn)
    assert "<!-- plot" not in drawn


@pytest.mark.parametrize(
    "comment",
    ["<!-- plot: relevanz -->", "<!-- plot:a b -->", "<!--plot length,-->", "<!-- plot: -->"],
)
def test_what_no_plot_answers_ends_the_build(comment: str, pictures: Any) -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="a.md"))
    with pytest.raises(Exception, match=r"a\.md: .*there is no such plot; there are") as error:
        pictures.drawn(comment, page)
    assert type(error.value).__name__ == "PluginError"
