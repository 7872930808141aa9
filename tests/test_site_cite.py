"""How an entry of the spec is cited: CITATION.cff, and the button at each entry."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rankspec

from .site_browser import Visit, browser, served
from .site_hooks import imported

__all__ = ["browser"]

ROOT = Path(__file__).resolve().parents[1]
HEADING = """<h2 id="RS-DCG-6"><span class="rs-label">RS-DCG-6</span> nDCG &amp; its ideal_k
<a class="headerlink" href="#RS-DCG-6">#</a></h2><h2 id="see-also">See also</h2>"""


def page_of(monkeypatch: pytest.MonkeyPatch, src_uri: str) -> str:
    page = SimpleNamespace(file=SimpleNamespace(src_uri=src_uri), title="Gain & discount", meta={})
    return str(imported(monkeypatch, "citing").marked(ROOT, HEADING, page))


def test_the_version_is_that_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version = imported(monkeypatch, "citing").version(ROOT)
    assert version == project["version"] == rankspec.__version__
    for page in ("docs/cite.md", "CITATION.cff"):
        text = (ROOT / page).read_text("utf-8")
        assert set(re.findall(r"\b\d+\.\d+\.\d+\b", text)) <= {version, "1.2.0"}, page


def test_pages_of_the_spec_alone_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert page_of(monkeypatch, "guide.md") == HEADING
    assert 'data-chapter="Gain &amp; discount"' in page_of(monkeypatch, "spec/gain.md")


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    script = (ROOT / "docs/assets/cite.js").read_text("utf-8")
    content = page_of(monkeypatch, "spec/gain.md")
    head = '<meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">'
    (tmp_path / "index.html").write_text(
        f'<html lang="en"><head>{head}</head><body>{content}<script>{script}</script></body></html>'
    )
    yield from served(tmp_path)


@pytest.mark.slow
def test_an_entry_is_cited_in_a_sentence_and_as_bibtex(browser: Any, site: str) -> None:
    with Visit(browser, site) as visit:
        page = visit.page
        assert page.locator(".rs-cite").count() == 1  # an entry's, not that of other headings
        page.keyboard.press("Tab")  # the link of the heading
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        sentence = page.inner_text("dialog section:nth-of-type(1) p:last-child")
        assert sentence == (
            "The rankspec developers: RS-DCG-6, nDCG & its ideal_k. rankspec "
            f"{rankspec.__version__}, chapter “Gain & discount”, {site}/#RS-DCG-6"
        )
        bibtex = page.inner_text("dialog pre")
        assert bibtex.startswith(
            "@misc{rankspec-RS-DCG-6,\n  author = {{The rankspec developers}},"
        )
        assert r"title = {RS-DCG-6: nDCG \& its ideal\_k}" in bibtex
        assert f"url = {{{site}/#RS-DCG-6}}" in bibtex
        assert bibtex.count("{") == bibtex.count("}")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")  # which it is a moment later
        assert visit.wrong == []


def test_each_source_is_in_the_bibliography() -> None:
    text = (ROOT / "spec/index.md").read_text("utf-8")
    known = set(re.findall(r"^([a-z][a-z-]*-\d{4}[a-z]?)\n: ", text, re.MULTILINE))
    chapters = [*(ROOT / "spec").glob("*.md"), *(ROOT / "spec/core").glob("*.md")]
    sources = "\n".join(
        found
        for path in chapters
        for found in re.findall(
            r"^Source: (.*?)\n\{: \.source \}", path.read_text("utf-8"), re.M | re.S
        )
    )
    cited = set(re.findall(r"\b[a-z][a-z-]*-\d{4}[a-z]?\b", sources))
    assert len(cited) > 50
    assert cited - known == set()


def test_sources_and_works_lead_on(monkeypatch: pytest.MonkeyPatch) -> None:
    linked = imported(monkeypatch, "citing").linked
    chapter = SimpleNamespace(file=SimpleNamespace(src_uri="spec/length.md"))
    source = '<p class="source">Source: lv-2014, eq. 3</p><p>lv-2014</p>'
    assert linked(source, "../", chapter) == (
        '<p class="source">Source: <a href="../#lv-2014">lv-2014</a>, eq. 3</p><p>lv-2014</p>'
    )
    works = SimpleNamespace(file=SimpleNamespace(src_uri="spec/index.md"))
    assert linked("<dt>lv-2014</dt><dd>Springer. doi:10.1007/978-3_14. Not", "", works) == (
        '<dt id="lv-2014">lv-2014</dt><dd>Springer. '
        '<a href="https://doi.org/10.1007/978-3_14">doi:10.1007/978-3_14</a>. Not'
    )
