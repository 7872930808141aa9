"""The pages of the libraries: what the stored answers become."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rankspec.analysis.identify.choices import CHOICES
from rankspec.analysis.identify.definition import Definition, plain
from rankspec.analysis.identify.hypotheses import cores
from rankspec.analysis.identify.inputs import Domain

from .site_hooks import imported

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Any:
    return partial(imported, monkeypatch)


def test_each_choice_has_a_column(hook: Any) -> None:
    shown = [x for names in hook("libraries").COLUMNS.values() for x in names]
    assert sorted([*shown, "pool"]) == sorted(x.name for x in CHOICES)


def test_the_functions_of_a_library_have_different_anchors(hook: Any) -> None:
    libraries = hook("libraries")
    for those in libraries.by_library(ROOT).values():
        anchors = [libraries.anchor(f) for f in those]
        assert len(set(anchors)) == len(anchors)
    names = [libraries.anchor(f) for f in libraries.by_library(ROOT)["xgboost"]]
    assert {"ndcg", "ndcg-2"} <= set(names)  # ndcg and ndcg-


def test_each_cell_leads_to_a_case_on_the_page_of_its_library(hook: Any) -> None:
    libraries, pages = hook("libraries"), hook("library_pages")
    tree = SimpleNamespace(root=ROOT, table=SimpleNamespace(entries={}))
    sources = pages.sources(tree)
    pages_of_it = [SimpleNamespace(file=SimpleNamespace(src_uri=x)) for x in libraries.PAGES]
    table, others = (
        libraries.table(tree, page, of_dcg=of_dcg)
        for page, of_dcg in zip(pages_of_it, (True, False), strict=True)
    )
    assert 'href="../' in others
    rows = (table + others).count("<tr><th><a ")
    assert rows == len(libraries.functions(ROOT))
    table += others.replace('href="../', 'href="')
    links = {x.split('"')[0] for x in table.split('href="')[1:]}
    assert len(links) > 1000
    for library, anchor in (x.split("/#") for x in links if "/#" in x):
        page = sources[f"libraries/{library}.md"]
        assert f'id="{anchor}"' in page or f"{{#{anchor}}}" in page
    for name, page in sources.items():
        stored = json.loads((ROOT / "docs/data" / name).with_suffix(".json").read_text("utf-8"))
        assert f"Version {stored['version']}, " in page
        assert f'href="{stored["library"]}/"' in table


@pytest.mark.parametrize(
    ("key", "differs"),
    [
        ("scikit-learn: ndcg_score", {"ties": "expected", "pool": "the items passed in"}),
        ("lightgbm: ndcg", {"gain": "exp2", "ties": "input", "nothing relevant": "1"}),
        ("catboost: NDCG", {"ties": "worst", "nothing relevant": "1"}),
        ("implicit: ndcg", {"gain": "relevant or not"}),
        ("ranx: ndcg", {"ties": "input, no rule beyond 16", "scores": "double"}),
    ],
)
def test_a_library_says_where_its_ndcg_differs_from_that_of_trec_eval(
    hook: Any, key: str, differs: dict[str, str]
) -> None:
    """As the documentation of each library has it."""
    libraries, pages = hook("libraries"), hook("library_pages")
    (f,) = (x for x in libraries.functions(ROOT) if x.key == key)
    shown = "\n".join(pages.beside(f, pages.trec_eval(ROOT)))
    for convention, own in differs.items():
        assert f"<tr><th>{pages.why(convention)}</th><td>{own}</td>" in shown
    assert (">gain<" in shown) == ("gain" in differs)
    assert list(pages.beside(pages.trec_eval(ROOT), pages.trec_eval(ROOT))) == []


def test_a_convention_leads_to_what_it_changes(hook: Any) -> None:
    sections = re.findall(r"\{#([\w-]+)\}", (ROOT / "docs/disagree.md").read_text("utf-8"))
    libraries, pages = hook("libraries"), hook("library_pages")
    assert set(pages.SECTIONS.values()) <= set(sections)
    assert set(pages.SECTIONS) <= {"gain", "ideal", "pool", *libraries.COLUMNS}


# ---- pairs -------------------------------------------------------------------------------


def precision() -> Definition:
    """Precision: of the first k items the part that is relevant."""
    return plain(next(x for x in cores() if x.name == "P"))


def answered(hook: Any, definition: Definition | None, name: str, asked: Any = None) -> Any:
    """A function that was asked nothing, or of which every answer is the same number."""
    function = SimpleNamespace(
        definition=definition,
        domain=Domain(cutoff="required"),
        name=name,
        key=name,
        library={"library": name, "functions": {name: {}}},
        data={
            "world": [asked] * len(hook("world").world()),
            "held_out": {"precision": "double"},
        },
    )
    return hook("library_pairs").Answered(ROOT, function)


def test_a_library_that_was_not_asked_answers_by_its_definition(hook: Any) -> None:
    zero, one = precision(), precision().but(undefined="one")
    f, g = answered(hook, zero, "f"), answered(hook, one, "g")
    first = next(i for i, x in enumerate(hook("world").world()) if x.labels == (0,) and x.k == 1)
    assert (f.answers[first], g.answers[first]) == (0, 1)  # P is 0; "one" says 1 where none is
    assert first in f.predicted
    assert first in g.as_dict()["predicted"]
    assert not list(hook("library_pairs").undecided([f, g], []))


def test_an_answer_that_was_given_is_no_prediction(hook: Any) -> None:
    f = answered(hook, precision(), "f", 0.25)
    assert set(f.answers) == {0.25}
    assert f.as_dict().keys() == {"name", "near", "answers"}


def test_definitions_are_compared_where_the_answers_agree(hook: Any) -> None:
    pairs, wider = hook("library_pairs"), hook("world").wider()
    zero, one = precision(), precision().but(undefined="one")
    f, g, same, open_ = (
        answered(hook, d, name, 0.25)
        for d, name in ((zero, "f"), (one, "g"), (zero, "h"), (None, "i"))
    )
    found = dict(pairs.undecided([f, g, same, open_], wider))
    assert found["f#f|g#g"]["predicted"] == [0, 1]
    labels, *_ = found["f#f|g#g"]["input"]
    assert set(labels) == {0}
    assert len(labels) == 1  # the smallest
    assert found["f#f|h#h"].keys() == {"compared"}
    assert found["f#f|h#h"]["compared"] > 500
    assert found["f#f|i#i"] == {"unknown": 1}


@pytest.mark.parametrize(
    ("a", "b", "differs"),
    [(0.5, 0.5, False), (0.5, 0.6, True), (None, 1, False), ("nan", 0, True), ("nan", "nan", False),
     (100, 100.001, False), (1, 1.001, True), ("error", "nan", True)],
)  # fmt: skip
def test_answers_differ_beyond_the_digits_that_both_give(
    hook: Any, a: Any, b: Any, differs: bool
) -> None:
    assert hook("library_pairs").differ(a, b, 2e-5) is differs


def test_the_wider_world_has_other_inputs_than_the_small_one(hook: Any) -> None:
    world = hook("world")
    wider = world.wider()
    assert len(wider) == len(set(wider)) > 1000
    assert not set(wider) & set(world.world())
    sizes = [len(x.labels) for x in wider]
    assert sizes[0] == 1
    assert max(sizes) == 3
