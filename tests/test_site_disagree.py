"""The page "Why do two libraries disagree?": what it answers, and how one gets there.

Its examples are run with those of all pages (test_spec_examples.py).
"""

from __future__ import annotations

import re
from pathlib import Path

from .each import each

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/disagree.md").read_text("utf-8")
TABLE, _, REST = PAGE.partition("\n## ")

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
    assert tuple(re.findall(r"^### .*\{#([\w-]+)\}$", PAGE, re.M)) == SECTIONS


def test_symptoms_lead_to_sections() -> None:
    rows = [line for line in TABLE.splitlines() if line.startswith("| ") and "](" in line]
    assert len(rows) >= 16
    for anchor in re.findall(r"\(#([\w-]+)\)", TABLE):
        assert anchor in SECTIONS


def test_sections_about_a_convention_link_to_its_entry() -> None:
    sections = dict(re.findall(r"^### [^\n]*\{#([\w-]+)\}$(.*?)(?=^##|\Z)", PAGE, re.M | re.S))
    without = {x for x, text in sections.items() if not re.search(r"#RS-[A-Z]+-\d+\)", text)}
    assert without == {
        "constant",
        "set",
        "above-1",
        "state",
        "chance",
    }  # no convention, or the one above
    examples = {x for x, text in sections.items() if ">>>" in text}
    assert len(examples) >= 18


def test_the_page_is_one_click_from_home_and_the_table_too() -> None:
    home = (ROOT / "docs/index.md").read_text("utf-8")
    assert "](disagree.md)" in home
    assert "](libraries.md)" in home
