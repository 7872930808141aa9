"""The page "Why do two libraries disagree?": what it answers, and how one gets there.

Its examples are run with those of all pages (test_spec_examples.py).
"""

from __future__ import annotations

import ast
import html
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rankspec as rs

from .each import each
from .site_hooks import imported

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/disagree.md").read_text("utf-8")
TABLE, _, REST = PAGE.partition("\n## ")
TEXTS = dict(re.findall(r"^### [^\n]*\{#([\w-]+)\}$(.*?)(?=^##|\Z)", PAGE, re.M | re.S))

REPORTS = """
trec_eval 18 22, pytrec_eval 16 30 32 48 49 51 54 56 57, ir_measures 18 50 69, beir 105,
mteb 5092 5516, xgboost 3050 6707 11517, LightGBM 942 2091 6814 6823, torchmetrics 2031 3229,
sklearn 17639 18817 21335 29521 32049, ranx 8 23 39 74, recommenders 1749, lkpy 417,
catboost benchmarks 19, trectools 51
"""
"""What users reported to the peers: {library: issues}."""

SECTIONS = (
    *(
        "equal-scores",
        "constant",
        "set",
        "matrix",
        "gain",
        "above-1",
        "ideal",
        "duplicates",
        "state",
    ),
    *("ap", "k", "err", "nothing-relevant", "missing", "negative", "fractions", "predictions"),
    *("swapped", "ids", "unjudged", "float32", "rounding", "percent", "chance"),
)


@each("report", [x.strip() for x in REPORTS.replace("\n", " ").split(",")])
def test_reports_of_users_are_answered(report: str) -> None:
    library, *issues = re.split(r" (?=\d)", report)
    for issue in issues:
        assert f"[{library} #{issue}]" in REST, issue
        link = re.search(rf"^\[{library} #{issue}\]: https://github\.com/\S+/(\d+)$", PAGE, re.M)
        assert link is not None
        assert link[1] == issue


def test_each_section_has_a_place_to_link_to() -> None:
    assert tuple(TEXTS) == SECTIONS


def test_symptoms_lead_to_sections() -> None:
    rows = [line for line in TABLE.splitlines() if line.startswith("| ") and "](" in line]
    assert len(rows) >= 16
    assert set(re.findall(r"\(#([\w-]+)\)", "\n".join(rows))) == set(SECTIONS)


def test_sections_about_a_convention_link_to_its_entry() -> None:
    without = {x for x, text in TEXTS.items() if not re.search(r"#RS-[A-Z]+-\d+\)", text)}
    assert without == {
        "constant",
        "set",
        "state",
        "chance",
    }  # no convention, or the one above
    examples = {x for x, text in TEXTS.items() if ">>>" in text}
    assert len(examples) >= 18


def test_the_page_is_one_click_from_home_and_the_table_too() -> None:
    home = (ROOT / "docs/index.md").read_text("utf-8")
    assert "](disagree.md)" in home
    assert "](libraries.md)" in home


# ---- what the libraries answered ---------------------------------------------------------


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Any:
    return imported(monkeypatch, "disagree_answers")


UNEXPLAINED = {
    "equal-scores": {"keras_rs", "tensorflow_ranking", "ranking_metrics_torch", "scikit_learn"},
    "constant": {"keras_rs", "tensorflow_ranking", "torchmetrics"},  # two of these shuffle
    "gain": set(),
    "ideal": set(),
    "ap": set(),
    "k": {"keras_rs", "rax", "tensorflow_ranking"},  # P of a shorter list, over its length
    "nothing-relevant": {"ignite", "lenskit", "ranking_metrics_torch"},
    "negative": {
        *("lenskit", "scikit_learn", "xgboost"),
        *("fastrank", "keras_rs", "rax", "tensorflow_ranking", "torchmetrics"),  # no convention
    },
    "fractions": {"ignite", "xgboost"},
    "float32": {"keras_rs", "tensorflow_ranking", "ranking_metrics_torch", "scikit_learn"},
}
"""The libraries with an answer for which the page shows no line; some refuse the input."""


def test_the_page_asks_for_each_table_of_answers_in_its_section(answers: Any) -> None:
    asked = {x: m["section"] for x, t in TEXTS.items() if (m := answers.REQUEST.search(t))}
    assert asked == {x: x for x in answers.SHOWN}
    assert "<!-- disagree: table -->" in PAGE


@each("section", sorted(UNEXPLAINED))
def test_lines_give_the_numbers_that_libraries_answered(answers: Any, section: str) -> None:
    shown = answers.answers(SimpleNamespace(root=ROOT), section)
    x = answers.SHOWN[section]
    ids = ["d01", "d02", "d03"]
    without = set()
    for row in shown.split("<tr>")[2:]:
        (number,) = re.findall(r'<th scope="row">([-\d.]+|an error|NaN)</th>', row)
        line = re.search(r"<code>(.*)</code>", row)
        if line is None:
            without |= set(re.findall(r"\.\./libraries/(\w+)/#", row))
            continue
        qrels = {"q": dict(zip(ids, x.labels + x.unseen, strict=False))}
        run = {"q": dict(zip(ids, x.scores, strict=False))}
        parsed = ast.parse(f"f({html.unescape(line[1])})", mode="eval").body
        assert isinstance(parsed, ast.Call)
        measure = ast.literal_eval(parsed.args[0])
        rules = {str(a.arg): ast.literal_eval(a.value) for a in parsed.keywords}
        (value,) = rs.evaluate(qrels, run, measure, **rules).mean.values()
        assert f"{value:.4f}" == number
    assert without == UNEXPLAINED[section]


# ---- calls of libraries --------------------------------------------------------------------


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Any:
    return imported(monkeypatch, "disagree_calls")


ASKED = tomllib.loads((ROOT / "tools/matrix/calls.toml").read_text("utf-8"))


def test_each_section_shows_what_libraries_answer(answers: Any, calls: Any) -> None:
    sections = {x for x, t in TEXTS.items() if "```python" in t} | set(calls.recorded(ROOT))
    from_calls = {x for x, t in TEXTS.items() if calls.REQUEST.search(t)}
    from_the_world = {x for x, t in TEXTS.items() if answers.REQUEST.search(t)}
    assert from_calls == set(calls.recorded(ROOT))
    assert from_calls | from_the_world >= sections
    for section in from_calls:
        assert f"<!-- disagree: calls {section} -->" in TEXTS[section]


def test_recorded_calls_are_those_that_are_asked(calls: Any) -> None:
    recorded = calls.recorded(ROOT)
    assert list(recorded) == [x for x in ASKED if x != "imports"]
    for section, x in recorded.items():
        assert x["input"] == ASKED[section]["input"].strip()
        for call, asked in zip(x["calls"], ASKED[section]["calls"], strict=True):
            assert {n: call.get(n) for n in ("library", "call", "line")} == {
                n: asked.get(n) for n in ("library", "call", "line")
            }
            assert ("value" in call) != ("error" in call)


@each("section", sorted(x for x in ASKED if x != "imports"))
def test_lines_give_what_the_calls_answered(calls: Any, section: str) -> None:
    x = calls.recorded(ROOT)[section]
    assert calls.shown(section, x).count("<tr>") == 1 + len(x["calls"])


def test_a_line_that_gives_another_number_ends_the_build(calls: Any) -> None:
    call = {"library": "a", "version": "1", "call": "f()", "line": "rs.ndcg([0, 1])", "value": 0.5}
    with pytest.raises(Exception, match=r"rs\.ndcg\(\[0, 1\]\) is 0\.6309, not 0\.5000") as error:
        calls.shown("here", {"input": "", "digits": 4, "calls": [call]})
    assert type(error.value).__name__ == "PluginError"


def test_answers_of_each_library_are_two_clicks_from_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Home leads to libraries.md, and its table to the page of each library."""
    libraries = imported(monkeypatch, "libraries")
    tree = SimpleNamespace(root=ROOT, table=SimpleNamespace(entries={}))
    page = SimpleNamespace(file=SimpleNamespace(src_uri="libraries.md"))
    table = libraries.table(tree, page, of_dcg=True)
    assert "](libraries.md)" in (ROOT / "docs/index.md").read_text("utf-8")
    stored = {x.stem for x in (ROOT / "docs/data/libraries").glob("*.json")}
    assert stored == set(re.findall(r'<a href="(\w+)/">', table))
