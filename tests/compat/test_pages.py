"""The pages on other libraries: each example runs as it is printed, and prints what is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .needs import library

FOLDER = Path(__file__).parents[2] / "docs" / "compat"
NEEDS = {
    "index": (),
    "pytrec-eval": (),
    "ir-measures": ("ir_measures", "pytrec_eval"),
    "lightgbm": ("lightgbm", "sklearn"),
    "xgboost": ("xgboost",),
    "catboost": ("catboost",),
    "torch": ("torch",),
    "sklearn": ("sklearn",),
    "evaluate": (),
}
"""What the examples of each page import."""
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
PAGES = sorted(path.stem for path in FOLDER.glob("*.md"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_prints_what_it_shows(name, capsys, monkeypatch, tmp_path):
    for needed in NEEDS[name]:
        library(needed)
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    assert blocks or name == "index"
    space = {"__name__": "page"}
    try:
        for code, shown in blocks:
            exec(compile(code, f"{name}.md", "exec"), space)  # noqa: S102
            assert capsys.readouterr().out == shown
    finally:
        if name == "ir-measures":  # as it was, for the tests that follow
            space["compat"].take_out()
        if name == "sklearn":
            space["sklearn"].set_config(enable_metadata_routing=False)


def test_every_page_is_listed():
    assert set(PAGES) == set(NEEDS)
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert all(f"({name}.md)" in index for name in PAGES if name != "index")


def test_the_page_of_pytrec_eval_lists_the_names_that_are_supported():
    from rankspec.compat.pytrec_eval import supported_measures

    page = (FOLDER / "pytrec-eval.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| with.* \| (.*) \|$", page, re.MULTILINE)
    assert len(rows) == 3
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} == supported_measures
