"""The pages of the site as their readers have them: what each weighs, and what Chromium shows.

axe-core looks for what keeps readers out who do not see well, or have no pointer.
"""

from __future__ import annotations

import gzip
import html
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from .site_browser import Visit, browser, built, served
from .site_hooks import imported

__all__ = ["browser", "built"]

pytestmark = pytest.mark.slow

MOST = 150_000
"""Bytes of a page. Source pages are as long as the source."""

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
  .filter((x) => !x.querySelector("math")?.getBoundingClientRect().width)
  .map((x) => x.textContent.slice(0, 100))
"""
"""Formulas that are not set."""

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def pages(built: Path) -> list[str]:
    """All pages of which there are not hundreds, and some of these."""
    found = (path.parent.relative_to(built).as_posix() for path in built.rglob("index.html"))
    hundreds = ("libraries/", "source/", "spec/entries/")
    return sorted({x for x in found if not x.startswith(hundreds)} | set(SOME))


@pytest.fixture(scope="module")
def site(built: Path) -> Iterator[str]:
    yield from served(built)


PARTS = pytest.mark.parametrize("part", range(8))


def serious(site: str, browser: Any, scheme: str, names: list[str], rules: Any) -> dict[str, Any]:
    """Return {page: what axe says is serious there}, of the pages where there is something."""
    package = pytest.importorskip("axe_playwright_python", reason='pip install ".[dev]"')
    axe = Path(package.__file__).with_name("axe.min.js").read_text("utf-8")
    by_page = {}
    with Visit(browser, site, color_scheme=scheme) as visit:
        for name in names:
            visit.page.goto(f"{site}/{name}/")
            visit.page.evaluate("document.fonts.ready.then(() => null)")
            visit.page.evaluate(axe)
            by_page[name] = visit.page.evaluate(SERIOUS, rules)
    return {name: violations for name, violations in by_page.items() if violations}


@pytest.mark.long(but=1)
@PARTS
def test_nothing_keeps_a_reader_out(built: Path, site: str, browser: Any, part: int) -> None:
    assert serious(site, browser, "light", pages(built)[part::8], {}) == {}


@pytest.mark.long(but=1)
@PARTS
def test_in_the_dark_all_can_be_read(built: Path, site: str, browser: Any, part: int) -> None:
    """Colours are those of the style sheets, so that some pages tell what is wrong."""
    contrast = {"runOnly": ["color-contrast"]}
    assert serious(site, browser, "dark", pages(built)[part::8], contrast) == {}


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


GUIDES = (
    *("trec", "recommenders", "learning-to-rank", "sessions", "length", "popularity"),
    *("chance", "compare", "vectors"),
)
SCREEN = 1080

# The height of the text, how many pictures it has, and where its last link leads.
SHAPE = """() => {
    const text = document.querySelector("article"), links = text.querySelectorAll("a[href]");
    return [text.scrollHeight, text.querySelectorAll("figure.rs-plot").length,
            links[links.length - 1].getAttribute("href")];
}"""


def test_guides_have_two_screens_and_a_picture_and_end_at_the_spec(site: str, browser: Any) -> None:
    with Visit(browser, site, viewport={"width": 1280, "height": SCREEN}) as visit:
        for name in ("conformance", *(f"guides/{x}" for x in GUIDES)):
            visit.page.goto(f"{site}/{name}/")
            visit.page.evaluate("document.fonts.ready.then(() => null)")
            height, pictures, last = visit.page.evaluate(SHAPE)
            assert height <= 2 * SCREEN, name
            assert pictures == 1, name
            assert re.match(r"(\.\./)+spec/", last), name


def test_no_page_is_too_heavy_to_hold(built: Path) -> None:
    sizes = {
        path.parent.relative_to(built).as_posix(): path.stat().st_size
        for path in built.rglob("index.html")
    }
    assert {name: x for name, x in sizes.items() if x > MOST and name[:7] != "source/"} == {}


def test_titles_tell_pages_apart(built: Path) -> None:
    titles: dict[str, list[str]] = {}
    for name in pages(built):
        (title,) = re.findall("<title>(.*?)</title>", (built / name / "index.html").read_text())
        titles.setdefault(title, []).append(name)
    assert {title: names for title, names in titles.items() if len(names) > 1} == {}


@pytest.mark.parametrize(
    "name", ["spec/dcg", "spec/precision/average-precision", "spec/entries/RS-EXP-9"]
)
def test_formulas_are_there_without_scripts(site: str, browser: Any, name: str) -> None:
    with Visit(browser, f"{site}/{name}/", java_script_enabled=False) as visit:
        page = visit.page
        assert page.locator("div.arithmatex math").first.bounding_box()["height"] > 20
        assert page.locator(".arithmatex").count() == page.locator(".arithmatex math").count()
        assert "\\(" not in page.locator("article").inner_text()


def test_the_font_has_the_characters_of_all_formulas(built: Path) -> None:
    made = (built / "assets/temml/ORIGIN.txt").read_text("utf-8")  # says which it was made with
    ranges = re.findall(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?", made)
    has = {x for first, last in ranges for x in range(int(first, 16), int(last or first, 16) + 1)}
    missing = set()
    for path in built.rglob("index.html"):
        for formula in re.findall(r"<math.*?</math>", path.read_text("utf-8"), re.DOTALL):
            shown = re.sub(r"<annotation.*?</annotation>|<[^>]*>", "", formula, flags=re.DOTALL)
            missing |= {*map(ord, html.unescape(shown))} - has
    assert {chr(x) for x in missing - {0xFE0E}} == set()  # that selects a form and shows nothing


def test_every_entry_has_a_row_of_the_traceability_table(built: Path) -> None:
    pages = [path.read_text("utf-8") for path in built.glob("traceability/**/index.html")]
    rows = [id_ for page in pages for id_ in re.findall(r"<tr><th><a [^>]*>(RS-[A-Z]+-\d+)", page)]
    entries = {path.parent.name for path in built.glob("spec/entries/*/index.html")}
    assert len(rows) == len(entries) > 480
    assert set(rows) == entries
    (first,) = (x for x in pages if "<th>chapter</th>" in x)
    chapters = re.findall(r'<tr><th><a href="([\w/-]+)/">', first)
    assert {(built / "traceability" / x / "index.html").exists() for x in chapters} == {True}
    assert len(chapters) == len(pages) - 1


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


def test_links_show_a_picture_of_a_site_that_knows_its_address(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card, heads = imported(monkeypatch, "card"), imported(monkeypatch, "heads")
    picture = (built / card.PATH).read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == (card.WIDTH, card.HEIGHT) == (1200, 630)
    page = SimpleNamespace(title="Ties", url="", meta={"description": "Equal scores."})
    shown = {
        address: heads.finished("<head></head><article></article>", page, card.named(address))
        for address in ("https://example.org/0.1.0/", "")
    }
    wanted = '<meta property="og:image" content="https://example.org/0.1.0/assets/card.png">'
    assert [wanted in text for text in shown.values()] == [True, False]
    assert '<meta property="og:title" content="Ties">' in shown[""]
