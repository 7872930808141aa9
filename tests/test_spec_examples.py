"""The examples of the spec and of the guide pages, run and compared to the letter.

Every ```python block with a prompt is a case, named by the file and line of its first prompt.
The blocks of one file share a namespace, in which ``rs`` is rankspec, and run in their order.
"""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rankspec

from .each import each

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    *sorted((ROOT / "spec").glob("*.md")),
    *sorted((ROOT / "spec" / "core").glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(ROOT.glob("README.md")),
]
BLOCK = re.compile(r"^(?P<indent> *)```python[^\n]*\n(?P<body>.*?)^(?P=indent)```", re.M | re.S)


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """(line, body) of each ```python block with a prompt; the line is that of its first prompt."""
    for match in BLOCK.finditer(text):
        body = match["body"]
        if ">>>" in body:
            begin = match.start("body") + body.index(">>>")
            yield text.count("\n", 0, begin) + 1, body


LONG = [
    ROOT / name
    for name in (
        "spec/identification.md",  # searches for definitions, which takes seconds
        "spec/agreement.md",
        "spec/axioms.md",
        "spec/randomness.md",
        "spec/formats.md",
        "docs/guides/trust.md",
    )
]
"""Pages whose examples take as long as those of all other pages."""


def cases(pages: list[Path]) -> Iterator[Any]:
    for page in pages:
        for line, _ in blocks(page.read_text(encoding="utf-8")):
            yield pytest.param(page, line, id=f"{page.relative_to(ROOT)}:{line}")


@cache
def failures(page: Path) -> dict[int, str]:
    """What is wrong with each block of a page, by line; a block that is right has no entry."""
    return dict(run(page.read_text(encoding="utf-8"), str(page.relative_to(ROOT))))


def run(text: str, name: str) -> Iterator[tuple[int, str]]:
    namespace: dict[str, Any] = {"rs": rankspec}
    for line, body in blocks(text):
        start = line - 1 - body[: body.index(">>>")].count("\n")  # doctest counts lines from 0
        test = doctest.DocTestParser().get_doctest(body, namespace, name, name, start)
        test.globs = namespace  # not a copy: later blocks see what this one defines
        report: list[str] = []
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.REPORT_NDIFF)
        runner.run(test, out=report.append, clear_globs=False)
        if report:
            yield line, "".join(report)


@each(("page", "line"), list(cases([page for page in PAGES if page not in LONG])))
def test_example(page: Path, line: int) -> None:
    assert_right(page, line)


@pytest.mark.slow
@each(("page", "line"), list(cases(LONG)))
def test_example_that_takes_long(page: Path, line: int) -> None:
    assert_right(page, line)


def assert_right(page: Path, line: int) -> None:
    wrong = failures(page).get(line)
    if wrong:
        pytest.fail(wrong, pytrace=False)


def test_every_definition_and_convention_has_an_example() -> None:
    for page in sorted((ROOT / "spec").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for entry in re.split(r"^## (?=RS-)", text, flags=re.M)[1:]:
            identifier = entry.split()[0]
            if not identifier.startswith(("RS-ERR", "RS-NUM", "RS-CONF")):
                assert ">>>" in entry, f"{identifier} in {page.name} has no example"


WRONG = """
```python
>>> x = rs.__name__
```
Text.

```python
>>> x
'rankspec'
>>> 1.0000000000000002
1.0
>>> y
```
"""


def test_a_wrong_example_is_found_at_its_line() -> None:
    ((line, report),) = run(WRONG, "page.md")
    assert line == 8
    assert 'File "page.md", line 10' in report
    assert "NameError" in report
    assert report.count("Failed example") == 2


def test_the_table_that_opens_the_chapter_of_bounds() -> None:
    """Two decimals of each cell; and the sentence before it says what it has."""
    text = (ROOT / "spec/bounds.md").read_text(encoding="utf-8").partition("\n## ")[0]
    A = rankspec.nDCG(k=3, gain="exp2")
    columns = [A, *(bound(A) for bound in (
        rankspec.RLB, rankspec.UL1, rankspec.UL2, rankspec.MinMax, rankspec.Ratio,
    ))]  # fmt: skip
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| 2")]
    assert len(rows) == 2
    for pool, ranking, *cells in rows:
        labels = [int(x) for x in ranking.split(",")]
        judged = [int(x) for x in pool.split(",")]
        assert sorted(labels) == sorted(judged)
        values = [f"{m.of(labels, judged=judged):.2f}".replace("-", "−") for m in columns]
        assert [cell.strip() for cell in cells] == values
    (first, random_first), (second, random_second) = (row[2:4] for row in rows)
    said = re.findall(r"\d\.\d\d", text.partition("| pool")[0])
    assert said == [first.strip(), second.strip(), random_second.strip()]
    assert float(first) > float(random_first)  # good
    assert float(second) < float(random_second)  # bad


def test_the_table_that_opens_the_chapter_on_sessions() -> None:
    """Two decimals of each cell, with the cut-off that its heading has."""
    text = (ROOT / "spec/session.md").read_text(encoding="utf-8").partition("\nThroughout")[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ⟨")]
    assert len(rows) == 2
    for shown, *cells in rows:
        session = [[int(x) for x in ranked.split(",")] for ranked in re.findall("⟨(.+?)⟩", shown)]
        assert sorted(map(sorted, session)) == [[0, 0], [0, 1]]
        metrics = (rankspec.sDCG, rankspec.nsDCG, rankspec.sDCG_q)
        values = [metric(k=2).of(session) for metric in metrics]
        assert [cell.strip() for cell in cells] == [f"{x:.2f}" for x in values]
