"""The API page of the site: how it shows signatures and lists of parameters."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest

import rankspec as rs

from .each import each
from .site_hooks import imported

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> Any:
    return imported(monkeypatch, "package")


def fn(labels: Any, *rest: Any, k: int = 1, **given: Any) -> None:
    """A function to show."""


def test_a_signature_has_its_stars(package: Any) -> None:
    assert package.signature("fn", fn) == (
        "fn(labels: Any, *rest: Any, k: int = 1, **given: Any) -> None"
    )


def test_a_long_default_is_left_out(package: Any) -> None:
    def plot(scores: Any = tuple(range(100)), top: Any = (1, 2)) -> None:
        """What has data."""

    assert package.signature("plot", plot) == ("plot(scores: Any = ..., top: Any = (1, 2)) -> None")


@pytest.mark.parametrize(
    ("doc", "loose"),
    [
        ("What.\n\nlabels: numbers\n    in order\nk, rest: others\n**given: more", []),
        ("What.\n\nlabels: numbers\nin order", ["in order"]),
        ("What.\n\nlabels, and all: numbers\nk: one", ["labels, and all: numbers", "k: one"]),
        ("What.\n\nThe other arguments: as of g()\nof labels", []),
    ],
)
def test_what_is_in_no_list_is_found(package: Any, doc: str, loose: list[str]) -> None:
    assert package.loose_parameters(doc, fn) == loose


@each("name", [n for n in rs.__all__ if inspect.isroutine(getattr(rs, n))])
def test_all_lists_of_parameters_are_shown_as_such(name: str, package: Any) -> None:
    value = getattr(rs, name)
    assert package.loose_parameters(inspect.getdoc(value) or "", value) == []


def test_a_list_of_parameters(package: Any) -> None:
    shown = package.docstring_markdown("What.\n\nlabels, k: numbers\n    in order\n**given: more")
    assert shown == "What.\n\n`labels`, `k`\n:   numbers\n    in order\n\n`**given`\n:   more"


def test_a_name_that_is_as_wide_as_the_column_of_names(package: Any) -> None:
    shown = package.docstring_markdown("k   one\nlabels, rest\n    numbers\n    in order\nm   two")
    assert shown == ("`k`\n:   one\n\n`labels`, `rest`\n:   numbers\n    in order\n\n`m`\n:   two")


def test_a_blank_line_of_an_example_is_blank(package: Any) -> None:
    shown = package.sessions("```python\n>>> f()\na\n<BLANKLINE>\nb\n```\n`<BLANKLINE>`")
    assert shown == "```pycon\n>>> f()\na\n\nb\n```\n`<BLANKLINE>`"


def test_the_output_formats_have_their_commands(package: Any) -> None:
    rows = package.formats_table().splitlines()
    assert "| `trec` | the lines that trec_eval prints | `eval`, `diversity eval` |" in rows
    assert next(row for row in rows if row.startswith("| `tsv`")).endswith(
        "| `eval`, `compare`, `power`, `replicate`, `classify`, `session eval`, `session compare`, "
        "`session sensitivity`, `diversity eval`, `relevance` |"
    )


def test_the_functions_of_compat_are_read_without_their_libraries(package: Any) -> None:
    shown, doc = package.from_source("rankspec.compat.torch.RankingMetric")
    assert shown.startswith(
        "class compat.torch.RankingMetric(\n    measure: str | Measure,\n    *,"
    )
    assert "**given: Any,\n)" in shown
    assert doc.startswith("The mean of a measure over queries")
    shown, _ = package.from_source("rankspec.compat.pytrec_eval.RelevanceEvaluator")
    assert "    relevance_level: int = 1,\n" in shown
    shown, _ = package.from_source("rankspec.compat.ir_measures.put_first")
    assert shown == "compat.ir_measures.put_first() -> None"
    shown, _ = package.from_source("rankspec.compat.torch.RankingMetric.compute")
    assert shown == "compat.torch.RankingMetric.compute() -> torch.Tensor"
    for absent in ("torch.NoMetric", "torch.RankingMetric.no", "no_module.feval"):
        assert package.from_source(f"rankspec.compat.{absent}") is None


def test_the_api_page_has_what_is_imported_of_compat(package: Any) -> None:
    asked = re.findall(
        r"^::: (rankspec\.compat\.\S+)$", (ROOT / "docs/api/compat.md").read_text(), re.M
    )
    assert all(package.from_source(x) for x in asked if x.count(".") > 2)
    assert package.module_docstring("rankspec.compat.ir_measures")
    text = "".join(path.read_text("utf-8") for path in (ROOT / "docs/compat").glob("*.md"))
    imported = {
        f"rankspec.compat.{module}.{name}"
        for module, names in re.findall(r"from rankspec\.compat\.(\w+) import ([\w, ]+)", text)
        for name in names.split(", ")
        if not name.isupper()
    }
    assert len(imported) > 10
    assert imported <= set(asked)


@each("name", [p.stem for p in (ROOT / "pyref/rankspec/compat").glob("[!_]*.py")])
def test_parameters_of_compat_are_in_lists(name: str, package: Any) -> None:
    page = (ROOT / "docs/api/compat.md").read_text("utf-8")
    of = [
        x
        for x in re.findall(r"^::: (\S+)$", page, re.M)
        if x.startswith(f"rankspec.compat.{name}.")
    ]
    assert of
    for x in of:
        shown, doc = package.from_source(x)
        given = set(re.findall(r"\b(\w+): ", shown.partition("(")[2].rpartition(")")[0]))
        told = set(re.findall(r"\w+", " ".join(re.findall(r"^(\w+(?:, \w+)*): ", doc, re.M))))
        # What is as in another function is said so: "with what feval() takes".
        as_elsewhere = re.search(
            r"with what \w+\(\) takes|as (?:of )?\w+\.?\w*\(\)|as sklearn", doc
        )
        assert given <= told or as_elsewhere or not told, (x, given - told)
