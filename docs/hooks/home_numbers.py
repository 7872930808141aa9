"""The table of the home page: what libraries answer to one ranking of three items.

The page asks for it by ``<!-- home: numbers -->``. The ranking is one of the small world that every
library was asked about, so the numbers are the answers that docs/data/libraries has; each row leads
to the conventions that make its number, and has the line of rankspec that gives the same.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import libraries
from mkdocs.structure.pages import Page

REQUEST = re.compile(r"<!--\s*home: numbers\s*-->")
PAGE = "index.md"

LABELS, SCORES, K = (0, 2, 1), (2.0, 2.0, 2.0), 2
DIGITS = 4


class Asked(NamedTuple):
    """A library, its name on this page, its function, and what rankspec does the same by.

    conventions: of rs.evaluate(); None: no rule gives the number each time
    """

    library: str
    name: str
    function: str
    measure: str
    conventions: dict[str, str] | None


ASKED = (
    Asked("pytrec_eval", "trec_eval, by pytrec_eval", "ndcg_cut", "nDCG@2", {}),
    Asked("scikit_learn", "scikit-learn", "ndcg_score", "nDCG@2", {"ties": "expected"}),
    Asked("lightgbm", "LightGBM", "ndcg", "nDCG(gain='exp2')@2", {"ties": "input"}),
    Asked("ranx", "ranx", "ndcg", "nDCG@2", {"ties": "input"}),
    Asked("catboost", "CatBoost", "NDCG", "nDCG@2", {"ties": "worst"}),
    Asked("tensorflow_ranking", "TensorFlow Ranking", "NDCGMetric", "nDCG(gain='exp2')@2", None),
)


def filled(tree: Any, markdown: str, page: Page) -> str:
    """The home page with its table; another page is as it was."""
    if page.file.src_uri != PAGE:
        return markdown
    return REQUEST.sub(lambda _: table(tree, page), markdown)


def table(tree: Any, page: Page) -> str:
    """A row a library."""
    head = ["library", f"nDCG@{K}", "items of equal score", "gain", "the same by rankspec"]
    rows = "".join(row(tree, asked, page) for asked in ASKED)
    return libraries.small_table(head, rows, " rs-home") + "\n"


def row(tree: Any, asked: Asked, page: Page) -> str:
    f = function_of(tree.root, asked)
    name = f'<a href="libraries/{asked.library}/#{libraries.anchor(f)}">{asked.name}</a>'
    ties = libraries.cell(tree, f, ("ties",), page)
    gain = libraries.parameter(tree, f, "gain", page)
    number = f"<strong>{answer(tree.root, asked):.{DIGITS}f}</strong>"
    cells = [number, *map(libraries.without_case, (ties, gain)), same(asked)]
    return f'<tr><th scope="row">{name}</th>' + "".join(f"<td>{x}</td>" for x in cells) + "</tr>"


def same(asked: Asked) -> str:
    """What is given to rs.evaluate() for the same number."""
    if asked.conventions is None:
        return "no rule: another call, another order"
    return libraries.code(libraries.as_call(asked.measure, asked.conventions))


def function_of(root: Any, asked: Asked) -> Any:
    return next(f for f in libraries.by_library(root)[asked.library] if f.name == asked.function)


def answer(root: Any, asked: Asked) -> float:
    """What the library answered to the ranking."""
    number = libraries.in_the_world(root, labels=LABELS, scores=SCORES, k=K)
    return float(function_of(root, asked).data["world"][number])
