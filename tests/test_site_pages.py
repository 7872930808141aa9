"""The pages of the site as their readers have them: what each weighs, and what Chromium shows.

axe-core looks for what keeps readers out who do not see well, or have no pointer.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .site_browser import Visit, browser, built, served

__all__ = ["browser", "built"]

pytestmark = pytest.mark.slow

MOST = 150_000
HEAVY = {
    "api": 465_000,
    "libraries": 250_000,
    "traceability": 265_000,
    "spec/bounds": 165_000,
    "spec/errata": 176_000,
    "spec/evaluation": 172_000,
    "spec/precision": 235_000,
    "spec/session": 182_000,
}
"""The pages that are heavier, and how heavy they may be. Source pages are as long as the source."""

FIRST_VISIT = 250_000
"""Bytes of a first visit of the home page, compressed, without the core of the calculators."""

SOME = (
    "libraries/ranx",
    "source/csrc/session.c",
    "spec/entries/RS-DCG-6",
    "spec/entries/RS-RND-7",
)
"""Some of the pages of which there are hundreds."""

SERIOUS = """
(rules) => axe.run(document, {resultTypes: ["violations"], ...rules})
  .then((found) => found.violations
  .filter((x) => ["serious", "critical"].includes(x.impact))
  .map((x) => `${x.id} ${x.nodes.length} times, as ${x.nodes[0].html.slice(0, 200)}`))
"""

BARE = """
[...document.querySelectorAll(".arithmatex")]
  .filter((x) => !x.querySelector(".katex") || x.querySelector("[style*='204, 0, 0']"))
  .map((x) => x.textContent.slice(0, 100))
"""
"""Formulas that are not set, or with a command that KaTeX does not know, which it writes in red."""

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def pages(built: Path) -> list[str]:
    """All pages of which there are not hundreds, and some of these."""
    found = (path.parent.relative_to(built).as_posix() for path in built.rglob("index.html"))
    hundreds = ("libraries/", "source/", "spec/entries/")
    return sorted({x for x in found if not x.startswith(hundreds)} | set(SOME))


@pytest.fixture(scope="module")
def site(built: Path) -> Iterator[str]:
    yield from served(built)


CONTRAST = {"runOnly": ["color-contrast"]}


@pytest.mark.parametrize(
    ("scheme", "rules", "some"),
    [("light", {}, slice(part, None, 4)) for part in range(4)]
    + [("dark", CONTRAST, slice(0, None, 4))],
)
def test_nothing_keeps_a_reader_out(
    built: Path, site: str, browser: Any, scheme: str, rules: dict[str, list[str]], some: slice
) -> None:
    """Colours are those of the style sheets: in the dark every fourth page tells what is wrong."""
    package = pytest.importorskip("axe_playwright_python", reason='pip install ".[dev]"')
    axe = Path(package.__file__).with_name("axe.min.js").read_text("utf-8")
    found = {}
    with Visit(browser, site, color_scheme=scheme) as visit:
        for name in pages(built)[some]:
            visit.page.goto(f"{site}/{name}/")
            visit.page.evaluate("document.fonts.ready.then(() => null)")
            visit.page.evaluate(axe)
            if serious := visit.page.evaluate(SERIOUS, rules):
                found[name] = serious
    assert found == {}


@pytest.mark.parametrize(("width", "step"), [(360, 1), (1280, 2), (1600, 4)])
def test_no_page_is_wider_than_the_window(
    built: Path, site: str, browser: Any, width: int, step: int
) -> None:
    found = {}
    with Visit(browser, site, viewport={"width": width, "height": 900}) as visit:
        for name in pages(built)[::step]:
            visit.page.goto(f"{site}/{name}/")
            bare, wider = visit.page.evaluate(BARE), visit.page.evaluate(WIDER)
            if bare or wider > 0:
                found[name] = (bare, wider)
        assert visit.wrong == []
    assert found == {}


def test_no_page_is_too_heavy_to_hold(built: Path) -> None:
    sizes = {
        path.parent.relative_to(built).as_posix(): path.stat().st_size
        for path in built.rglob("index.html")
    }
    heavy = {name: size for name, size in sizes.items() if size > MOST and name[:7] != "source/"}
    assert {name: size for name, size in heavy.items() if size > HEAVY.get(name, 0)} == {}
    assert heavy.keys() == HEAVY.keys()  # none is named in vain


def test_the_first_visit_is_short(built: Path, site: str, browser: Any) -> None:
    with Visit(browser, f"{site}/") as visit:
        visit.page.wait_for_load_state("networkidle")
        asked = dict.fromkeys(url.removeprefix(site).partition("?")[0] for url in visit.asked)
    total = 0
    for path in asked:
        file = built / path.strip("/")
        content = (file / "index.html" if file.is_dir() else file).read_bytes()
        if file.suffix != ".wasm":
            total += len(content if file.suffix == ".woff2" else gzip.compress(content))
    assert total <= FIRST_VISIT
    assert not any("search_index" in path for path in asked)  # it comes when a reader searches
