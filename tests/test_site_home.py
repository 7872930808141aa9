"""The home page: the numbers of its table are those of the libraries, and rankspec's."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rankspec as rs

from .site_hooks import imported

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> Any:
    return imported(monkeypatch, "home_numbers")


def test_six_libraries_have_six_numbers(numbers: Any) -> None:
    shown = {f"{numbers.answer(ROOT, x):.{numbers.DIGITS}f}" for x in numbers.ASKED}
    assert len(shown) == len(numbers.ASKED) == 6


def test_the_line_of_each_row_gives_its_number(numbers: Any) -> None:
    """As the libraries had it: ids that rise, in the order of the input."""
    ids = ["d01", "d02", "d03"]
    qrels = {"q": dict(zip(ids, numbers.LABELS, strict=True))}
    run = {"q": dict(zip(ids, numbers.SCORES, strict=True))}
    for x in numbers.ASKED:
        if x.conventions is not None:
            (found,) = rs.evaluate(qrels, run, x.measure, **x.conventions).mean.values()
            assert found == pytest.approx(numbers.answer(ROOT, x), abs=1e-6), x.name


def test_each_row_leads_to_its_library_and_to_two_conventions(numbers: Any) -> None:
    """One click from home to the answers of the library, and one to each convention."""
    entries = {
        id_: SimpleNamespace(path=f"spec/{name}.md")
        for id_, name in (
            ("RS-CONV-4", "conventions"),
            ("RS-GAIN-1", "gain"),
            ("RS-GAIN-2", "gain"),
            ("RS-TIE-2", "ties"),
        )
    }
    tree = SimpleNamespace(
        root=ROOT, table=SimpleNamespace(entries=entries), url_of=lambda id_, _: f"#{id_}"
    )
    rows = numbers.table(tree, None).split("<tr>")[2:]
    assert len(rows) == len(numbers.ASKED)
    for x, row in zip(numbers.ASKED, rows, strict=True):
        assert re.search(rf'<a href="libraries/{x.library}/#[\w-]+">', row), row
        assert "#RS-GAIN-" in row


def test_the_page_asks_for_the_table(numbers: Any) -> None:
    assert numbers.REQUEST.search((ROOT / "docs/index.md").read_text("utf-8"))


def test_the_numbers_come_first_then_the_doors_then_the_calculator() -> None:
    page = (ROOT / "docs/index.md").read_text("utf-8")
    parts = ["<!-- home: numbers -->", "rs-doors", "guide.md", "conformance.md", "spec/index.md"]
    places = [page.index(x) for x in (*parts, '<div id="calculator">')]
    assert places == sorted(places)
