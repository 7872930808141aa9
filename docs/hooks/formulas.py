r"""Formulas, set as MathML when the site is built.

pymdownx.arithmatex marks them, \(...\) in the line and \[...\] displayed. Temml
(docs/assets/temml/ORIGIN.txt) reads their LaTeX. A displayed formula carries it as an annotation.
"""

from __future__ import annotations

import html
import json
import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import quickjs

FORMULA = re.compile(
    r'(?P<before>[(\[“‘]*)<(?P<tag>span|div) class="arithmatex">\s*'
    r"\\[(\[](?P<tex>.*?)\\[)\]]\s*</(?P=tag)>(?P<after>[^\s<]*)",
    re.DOTALL,
)
"""A formula, and what touches it: no line begins or ends between the two."""

STYLES = re.compile(r'<link rel="stylesheet" href="(?P<up>[^"]*)assets/temml/')
PRELOAD = (
    r'<link rel="preload" as="font" type="font/woff2" crossorigin '
    r'href="\g<up>assets/temml/STIXTwoMath.woff2">\g<0>'
)
"""The font is fetched with the style sheet that names it, so that lines do not break anew."""

NUMBERED = re.compile(r"\\mathrm(?=\{[A-Za-z]+\d\d+\})")
"""A name with several digits: Temml 0.13.5 keeps the first of them, but all those of a text."""

LONG = 25
"""A formula in the line with more characters may break after its relations and operators."""


def set_all(content: str, where: str) -> str:
    """A page whose formulas are MathML; where: the page, for errors."""

    def put(match: re.Match[str]) -> str:
        source = html.unescape(re.sub(r"<[^>]*>", "", match["tex"]))  # IDs in it are links
        try:
            if match["tag"] == "div":
                formula = mathml(source, "none", displayed=True)
                return f'{match["before"]}<div class="arithmatex">{formula}</div>{match["after"]}'
            return kept_together(match["before"], parts_of(source), match["after"])
        except quickjs.JSException as error:
            raise ValueError(f"{where}: the formula {source!r}: {error}") from error

    if 'class="arithmatex"' not in content:
        return content
    found, number = FORMULA.subn(put, content)
    return STYLES.sub(PRELOAD, found, count=1) if number else found


def kept_together(before: str, parts: list[str], after: str) -> str:
    """A formula in the line with what touches it, each part on one line."""
    parts = [before + parts[0], *parts[1:]]
    parts[-1] += after
    return "<wbr>".join(f'<span class="arithmatex">{part}</span>' for part in parts)


def parts_of(source: str) -> list[str]:
    r"""The MathML of a formula in the line; of a long one, cut where TeX would end a line.

    >>> parts_of("x^2")
    ['<math><msup><mi>x</mi><mn class="tml-sml-pad">2</mn></msup></math>']
    """
    whole = mathml(source, "none")
    if len("".join(tree_of(whole).itertext())) <= LONG:
        return [whole]
    return [f"<math>{row}</math>" for row in rows_of(tree_of(mathml(source, "tex")))]


def rows_of(math: ElementTree.Element) -> list[str]:
    """The rows that Temml makes of a long formula: each ends with a relation or an operator.

    The operator keeps the space of one with operands on both sides, and is no row alone.

    >>> rows_of(tree_of("<math><mrow><mi>x</mi></mrow><mrow><mo>=</mo></mrow></math>"))
    ['<mrow><mi>x</mi><mo>=</mo></mrow>']
    """
    rows: list[ElementTree.Element] = []
    for row in math:
        if rows and [child.tag for child in row] == ["mo"]:
            rows[-1].extend(row)
        else:
            rows.append(row)
    for row in rows[:-1]:
        last = row[-1] if len(row) else row
        if last.tag == "mo" and not {"form", "fence"} & set(last.attrib):
            last.set("form", "infix")
    return [ElementTree.tostring(row, encoding="unicode") for row in rows]


def tree_of(math: str) -> ElementTree.Element:
    return ElementTree.fromstring(math)  # noqa: S314  from the text of our own pages


@cache
def mathml(source: str, wrap: str, *, displayed: bool = False) -> str:
    """The MathML of a formula in LaTeX; wrap: "tex" has a row for each part, "none" has one."""
    source = NUMBERED.sub(r"\\text", source)
    return str(json.loads(temml()(source, wrap, displayed)))  # QuickJS may hold a string in pieces


@cache
def temml() -> quickjs.Object:
    context = quickjs.Context()
    context.eval(Path(__file__).with_name("temml").joinpath("temml.min.js").read_text("utf-8"))
    return context.eval(
        """(source, wrap, displayed) => JSON.stringify(temml.renderToString(source, {
            displayMode: displayed, annotate: displayed, wrap, throwOnError: true,
        }))"""
    )
