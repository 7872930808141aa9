"""The plots that pages of the site ask for: there are such, and they need no C core."""

from __future__ import annotations

import html
import json
import math
import re
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rankspec.compute
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
    monkeypatch.setitem(sys.modules, "rankspec._core", None)
    monkeypatch.delitem(sys.modules, "rankspec.compute.core", raising=False)
    monkeypatch.delattr(rankspec.compute, "core", raising=False)
    page = SimpleNamespace(file=SimpleNamespace(src_uri="a.md"))
    drawn = pictures.drawn(ROOT, f"<p>before</p>\n<!-- plot: {name} -->\n", page)
    assert drawn.startswith('<p>before</p>\n<figure class="rs-plot">')
    known = plots.PLOTS | pictures.guide_pictures.PICTURES
    assert known[name].about in html.unescape(drawn)
    assert "<!-- plot" not in drawn


@pytest.mark.parametrize(
    "comment",
    ["<!-- plot: relevanz -->", "<!-- plot:a b -->", "<!--plot length,-->", "<!-- plot: -->"],
)
def test_what_no_plot_answers_ends_the_build(comment: str, pictures: Any) -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="a.md"))
    with pytest.raises(Exception, match=r"a\.md: .*there is no such plot; there are") as error:
        pictures.drawn(ROOT, comment, page)
    assert type(error.value).__name__ == "PluginError"


# ---- the pictures of the guides ----------------------------------------------------------


def curves(pictures: Any, name: str) -> list[list[float]]:
    """The heights of the curves of a picture, in the order that they are drawn in."""
    axes = pictures.guide_pictures.PICTURES[name].draw(ROOT).axes[0]
    long = [x for x in axes.lines if len(x.get_xdata()) > 2]  # samples of the names have two
    return [list(map(float, x.get_ydata())) for x in long[::2]]  # each is drawn with its points


def test_a_rank_counts_by_the_discount_of_its_metric(pictures: Any) -> None:
    ndcg, rbp, rr, precision = curves(pictures, "weights")
    ranks = range(1, 21)
    assert ndcg == pytest.approx([1 / math.log2(i + 1) for i in ranks])
    assert rbp == pytest.approx([0.8 ** (i - 1) for i in ranks])
    assert rr == pytest.approx([1 / i for i in ranks])
    assert precision == [float(i <= 10) for i in ranks]


def test_one_list_has_an_ap_for_each_divisor(pictures: Any) -> None:
    precisions = sum(Fraction(a, 2 * a - 1) for a in range(1, 6))
    hits, least, k, R = curves(pictures, "ap-divisors")
    numbers = range(5, 31)
    assert hits == [float(precisions / 5)] * len(numbers)
    assert least == [float(precisions / min(n, 10)) for n in numbers]
    assert k == [float(precisions / 10)] * len(numbers)
    assert [float(precisions / n) for n in numbers] == R


def test_gains_are_linear_or_exponential(pictures: Any) -> None:
    assert curves(pictures, "gains") == [
        [0, 0.25, 0.5, 0.75, 1],
        pytest.approx([0, 1 / 15, 3 / 15, 7 / 15, 1]),
    ]


def bars(pictures: Any, name: str) -> dict[str, int]:
    axes = pictures.guide_pictures.PICTURES[name].draw(ROOT).axes[0]
    names = [x.get_text() for x in axes.get_yticklabels()]
    return dict(zip(names, (round(x.get_width()) for x in axes.patches), strict=True))


def test_each_library_makes_one_choice_of_each_convention(pictures: Any) -> None:
    known = Counter[str]()
    for path in (ROOT / "docs/data/libraries").glob("*.json"):
        functions = json.loads(path.read_text("utf-8"))["functions"].values()
        measures = [f["definition"]["measure"] for f in functions if f["definition"]]
        first = next((x for x in measures if re.match(r"nDCG(\W|$)", x)), None)
        if first:
            known["all"] += 1
            known["exp2"] += "exp2" in first
            known["lists"] += "ties" not in next(
                f["definition"]["conventions"]
                for f in functions
                if f["definition"] and f["definition"]["measure"] == first
            )
    shown = bars(pictures, "choices")
    totals = Counter[str]()
    for name, n in shown.items():
        totals[name.partition(":")[0]] += n
    assert set(totals.values()) == {known["all"]}
    assert shown["gain: 2^label − 1"] == known["exp2"]
    assert shown["equal scores: takes lists without scores"] == known["lists"]


def test_vectors_are_counted_by_file(pictures: Any) -> None:
    counted = {}
    for path in (ROOT / "spec/vectors").glob("*.json"):
        file = json.loads(path.read_text("utf-8"))
        groups = [*file.get("required", []), *file.get("optional", [])]
        if n := sum(len(group["cases"]) for group in groups if "cases" in group):
            counted[path.name] = n
    assert bars(pictures, "vectors") == counted
