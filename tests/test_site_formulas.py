"""The formulas of the site: what Temml makes of the LaTeX of the spec keeps what it says."""

from __future__ import annotations

import html
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from .site_hooks import imported

ROOT = Path(__file__).resolve().parents[1]
FORMULA = re.compile(r"\$\$(?P<display>.+?)\$\$|(?<![\\$`])\$(?P<line>[^$`\n]+)\$", re.DOTALL)
LAYOUT = re.compile(r"\\\\\[[^]]*\]|\\(begin|end)\{\w+\}(\{[lcr]+\})?|\\[a-zA-Z]+")


@pytest.fixture
def formulas(monkeypatch: pytest.MonkeyPatch) -> Any:
    pytest.importorskip("quickjs", reason='QuickJS is not installed: pip install ".[docs]"')
    return imported(monkeypatch, "formulas")


def digits_of(text: str) -> list[str]:
    return sorted(x for x in unicodedata.normalize("NFKC", text) if x in "0123456789")


def test_no_digit_of_a_formula_is_lost(formulas: Any) -> None:
    count = 0
    for path in (*ROOT.glob("spec/*.md"), *ROOT.glob("spec/core/*.md")):
        for match in FORMULA.finditer(path.read_text("utf-8")):
            source = match[match.lastgroup or 0].strip()
            shown = re.sub(r"<[^>]*>", "", formulas.mathml(source, "none"))
            assert digits_of(html.unescape(shown)) == digits_of(LAYOUT.sub("", source)), source
            count += 1
    assert count > 3000


def test_names_keep_their_numbers(formulas: Any) -> None:
    assert ">NERR10<" in formulas.mathml(r"\mathrm{NERR10}@k", "none")


def test_what_touches_a_formula_stays_on_its_line(formulas: Any) -> None:
    page = r'(<span class="arithmatex">\(k\)</span>, <span class="arithmatex">\(i\)</span>-th'
    shown = re.sub(r"<(?!/?span)[^>]*>", "", formulas.set_all(page, "page"))
    assert shown == '<span class="arithmatex">(k,</span> <span class="arithmatex">i-th</span>'


def test_a_long_formula_breaks_after_its_operators(formulas: Any) -> None:
    parts = formulas.parts_of(r"a_1 + b_1 = c_1 + (d_1 + e_1) + f_1 + g_1 + h_1 + i_1 + j_1 + k_1")
    assert len(parts) > 5
    texts = [re.sub(r"<[^>]*>", "", part) for part in parts]
    assert all(text[-1] in "+=" for text in texts[:-1])
    assert all('form="infix"' in part for part in parts[:-1])
    assert len(formulas.parts_of("a + b")) == 1


def test_the_font_is_fetched_with_the_page_that_has_formulas(formulas: Any) -> None:
    head = '<link rel="stylesheet" href="../../assets/temml/Temml-STIX2.css">'
    font = 'href="../../assets/temml/STIXTwoMath.woff2"'
    assert font in formulas.set_all(head + r'<span class="arithmatex">\(x\)</span>', "a page")
    assert formulas.set_all(head + "<p>x</p>", "a page") == head + "<p>x</p>"


def test_a_formula_that_is_wrong_ends_the_build(formulas: Any) -> None:
    page = r'<div class="arithmatex">\[\frac{1}{\]</div>'
    with pytest.raises(ValueError, match=r"^spec/dcg.md: the formula '\\\\frac\{1\}\{'"):
        formulas.set_all(page, "spec/dcg.md")
