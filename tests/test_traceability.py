"""The traceability table is complete, and the tool that says so finds what it should find.

The second half plants one defect at a time into a small tree, and sees it reported.
"""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rankspec.metrics.catalogue import METRICS

from .each import each
from .modules import module_of

ROOT = Path(__file__).resolve().parents[1]


# By its path: "trace" is also a module of the standard library.
trace = module_of(ROOT / "tools/trace.py", "rankspec_trace")


@cache
def table_of_this_tree() -> Any:
    return trace.table(ROOT)


@pytest.mark.slow
def test_every_entry_is_traced() -> None:
    assert table_of_this_tree().problems == []


@pytest.mark.parametrize("folder", ["spec", "spec/core"])
def test_every_chapter_is_reached(folder: str) -> None:
    """The index links to every chapter; a chapter that it forgets would be last in the table."""
    linked = (ROOT / folder / "index.md").read_text("utf-8")
    chapters = {path.name for path in (ROOT / folder).glob("*.md")} - {"index.md"}
    assert chapters
    assert {name for name in chapters if f"]({name})" not in linked} == set()


def test_every_chapter_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    for path in [*ROOT.glob("spec/*.md"), *ROOT.glob("spec/core/*.md")]:
        assert re.search(rf"[ -]{path.relative_to(ROOT).as_posix()}$", navigation, re.MULTILINE)


LINK = re.compile(r"\]\((?P<path>[\w./-]*)#(?P<id>RS-[A-Z]+-\d+)\)")


@cache
def page_of_each_entry() -> dict[str, Path]:
    """{ID: the page that has its entry}, without the rest of the table, which takes seconds"""
    return {
        entry.id: page
        for page in ROOT.glob("spec/**/*.md")
        for entry, _ in trace.entries_of(page.read_text("utf-8"), page.name)
    }


@each("page", [*ROOT.glob("spec/**/*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*.md")])
def test_a_link_to_an_entry_goes_to_its_chapter(page: Path) -> None:
    for link in LINK.finditer(page.read_text("utf-8")):
        target = page.parent / link["path"] if link["path"] else page
        assert target.resolve() == page_of_each_entry()[link["id"]], link[0]


def text_of_expectations() -> str:
    return (ROOT / "spec/ties.md").read_text("utf-8").partition("## RS-")[0]


def test_the_table_of_expectations_has_every_metric() -> None:
    """ties.md lists in one place what stands in the chapters of the metrics."""
    text = text_of_expectations()
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")][1:]
    listed = {name: row for row in rows for name in re.sub(r" \(.*?\)", "", row[0]).split(",")}
    listed = {name.strip(): row for name, row in listed.items()}
    assert set(listed) == {metric.name for metric in METRICS}
    for metric in METRICS:
        _, expectation, how, cost, variance = map(str.strip, listed[metric.name])
        if metric.of_pool:
            assert (expectation, variance) == ("of the pool alone", "")
            continue
        assert expectation.startswith(f"[{metric.expected_spec}](")
        assert how.startswith(("closed form", "dynamic program", "each order"))
        assert cost
        assert (variance == "none") == (metric.orders.variance is None)


@pytest.mark.slow
def test_the_table_of_expectations_has_every_entry() -> None:
    entries = [id_ for id_ in table_of_this_tree().entries if id_.startswith("RS-EXP-")]
    elsewhere = [id_ for id_ in entries if f"{{#{id_}}}" not in (ROOT / "spec/ties.md").read_text()]
    assert len(elsewhere) > 10
    assert {id_ for id_ in elsewhere if f"[{id_}](" not in text_of_expectations()} == set()


@pytest.mark.slow
def test_the_table_fits_100_columns() -> None:
    lines = list(trace.lines(table_of_this_tree()))
    assert len(lines) > 10
    assert max(map(len, lines)) <= 100


# A tree of one metric, one convention and one numerics entry, with all that they need

GOOD = {
    "spec/dcg.md": """\
# Cumulated gain

## RS-DCG-1 · Cumulated gain {#RS-DCG-1}

**Definition.** As RS-CONV-1 says; not the heading in this block:

```python
## RS-DCG-1 · No heading {#RS-DCG-1}
```

**Special cases.** (a) The empty list. (b) As (a), of
one item: (c) of none (a).

**Laws.**

- **L1** (order-free) ...
- **L2** (steps) ...

**Trace.** n/a figure: no paper prints
it. n/a vectors L2,
(b), (c): of two lists. n/a symbolic: a sum of integers.
""",
    "spec/other.md": """\
# Other

## RS-CONV-1 · Labels {#RS-CONV-1}

As RS-DCG-1/L2 has it.

**Trace.** n/a vectors: it has none.

## RS-NUM-1 · Rounding {#RS-NUM-1}

**Trace.** n/a vectors: it has none.
""",
    "spec/core/index.md": """\
# The core

[Floor](floor.md)

**Trace.** n/a figure: no paper prints one.
""",
    "spec/core/floor.md": """\
# Floor

**Trace.** n/a vectors: not a value.

## RS-NUM-8 · Floor {#RS-NUM-8}

**Trace.** n/a symbolic: a rounding.

## RS-NUM-9 · Ceiling {#RS-NUM-9}

**Trace.** n/a vectors: as RS-NUM-8.
""",
    "pyref/rankspec/reference/dcg.py": 'def cg():\n    """CG\n\n    Spec: RS-DCG-1\n    """\n',
    "pyref/rankspec/reference/numerics.py": 'class Round:\n    """Spec: RS-NUM-1"""\n',
    "csrc/dcg.c": """\
#include "x.h"
/* RS-DCG-1 */
static int64_t sum(const label *r, int k)
{
    return r[k]; // RS-NUM-1, RS-NUM-8 and RS-NUM-9
}
""",
    "proofs/Dcg.v": """\
(** RS-DCG-1, RS-CONV-1: the sum *)
Definition cg := sum.
(** RS-DCG-1/L1 in part: in
    any order *)
Theorem DCG_1_L1 : True.
(** RS-DCG-1/L1, RS-DCG-1/L2 not proved: they are
    of two lists *)
""",
    "tests/laws/test_dcg.py": """\
import pytest

@pytest.mark.spec("RS-DCG-1/L1", "RS-DCG-1/L2")
def test_cg(): ...
""",
    "tests/formats/test_labels.py": """\
import pytest
pytestmark = pytest.mark.spec("RS-CONV-1")

class TestRounding:
    @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.spec("RS-NUM-1"))])
    @pytest.mark.spec("RS-NUM-8", "RS-NUM-9")
    def test_rounding(self, x): ...
""",
    "spec/vectors/dcg.json": json.dumps(
        {"cases": [{"id": "dcg-1", "spec": ["RS-DCG-1(a)", "RS-DCG-1/L1"]}]}
    ),
    "spec/vectors/schema.json": json.dumps({"spec": ["RS-DCG-99"]}),
    "README.md": "See RS-DCG-1.\n",
}


def _problems(root: Path, path: str = "", old: str = "", new: str = "") -> list[str]:
    """The problems of the small tree with one replacement made in one of its files."""
    for name, text in GOOD.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    if path:
        text = GOOD[path]
        assert old in text
        (root / path).write_text(text.replace(old, new, 1), "utf-8")
    problems: list[str] = trace.table(root).problems
    return problems


def test_the_small_tree_has_no_problem(tmp_path: Path) -> None:
    assert _problems(tmp_path) == []


def test_places_are_found(tmp_path: Path) -> None:
    assert _problems(tmp_path) == []
    entries = trace.table(tmp_path).entries
    assert list(entries) == ["RS-DCG-1", "RS-CONV-1", "RS-NUM-1", "RS-NUM-8", "RS-NUM-9"]
    found = {
        (entry.id, reading): [(place.line, place.name) for place in places]
        for entry in entries.values()
        for reading, places in entry.places.items()
        if places
    }
    assert found == {
        ("RS-DCG-1", "reference"): [(1, "cg")],
        ("RS-DCG-1", "C"): [(2, "sum")],
        ("RS-DCG-1", "property"): [(3, "test_cg")],
        ("RS-DCG-1", "vectors"): [(0, "dcg-1")],
        ("RS-DCG-1", "Coq"): [(2, "cg"), (5, "DCG_1_L1")],
        ("RS-CONV-1", "Coq"): [(2, "cg")],
        ("RS-CONV-1", "property"): [(2, "test_labels")],
        ("RS-NUM-1", "reference"): [(1, "Round")],
        ("RS-NUM-1", "C"): [(5, "sum")],
        ("RS-NUM-1", "property"): [(5, "test_rounding")],
        ("RS-NUM-8", "C"): [(5, "sum")],
        ("RS-NUM-8", "property"): [(6, "test_rounding")],
        ("RS-NUM-9", "C"): [(5, "sum")],
        ("RS-NUM-9", "property"): [(6, "test_rounding")],
    }
    proofs = entries["RS-DCG-1"].proofs
    assert {law: [x.name for x in of_it] for law, of_it in proofs.items()} == {
        "L1": ["DCG_1_L1"],
        "L2": [],
    }
    assert entries["RS-DCG-1"].in_part == {"L1"}
    assert entries["RS-DCG-1"].not_proved == dict.fromkeys(("L1", "L2"), "they are of two lists")
    assert entries["RS-DCG-1"].n_a == {
        "figure": "no paper prints it.",
        "symbolic": "a sum of integers.",
    }
    assert entries["RS-DCG-1"].no_vectors == dict.fromkeys(("L2", "(b)", "(c)"), "of two lists.")
    assert {part: len(cases) for part, cases in entries["RS-DCG-1"].vectors.items()} == {
        "L1": 1,
        "L2": 0,
        "(a)": 1,
        "(b)": 0,
        "(c)": 0,
    }
    figure = "no paper prints one."
    assert entries["RS-NUM-1"].n_a == {"vectors": "it has none."}
    assert entries["RS-NUM-8"].n_a == {
        "symbolic": "a rounding.",
        "vectors": "not a value.",
        "figure": figure,
    }
    assert entries["RS-NUM-9"].n_a == {"vectors": "as RS-NUM-8.", "figure": figure}


def test_statements_are_read_without_their_proofs(tmp_path: Path) -> None:
    definitions = "Definition cg := sum.\nFixpoint twice n :=\n  2.\n\nDefinition other := 1."
    assert _problems(tmp_path, "proofs/Dcg.v", "Definition cg := sum.", definitions) == []
    (tmp_path / "spec/vectors/proved.txt").write_text(
        "# about them\ndcg-1\ndcg-2 0123abcd\n", "utf-8"
    )
    table = trace.table(tmp_path)
    found = {
        id_: [(x.place.line, x.place.name, x.comment, x.text) for x in statements]
        for id_, statements in table.statements.items()
    }
    stated = [
        (2, "cg", "the sum", "Definition cg := sum."),
        (3, "twice", "", "Fixpoint twice n :=\n  2."),
    ]
    assert found == {
        "RS-DCG-1": stated,
        "RS-CONV-1": stated,
        "RS-DCG-1/L1": [(9, "DCG_1_L1", "in\n    any order", "Theorem DCG_1_L1 : True.")],
    }
    assert table.proved == {"dcg-1", "dcg-2"}
    entries = table.entries
    assert [entries["RS-DCG-1"].proof_of(law) for law in ("L1", "L2")] == ["in part", "not proved"]


@pytest.mark.parametrize(
    "text",
    [
        "Definition cg k r := sum_to (at_rank r) (Nat.min k 1.5).",
        "Theorem T (* of one. Or (* two. *) *) n :\n  n = 1%nat.",
        "Theorem T : 1 / 2 = / 2.",
    ],
)
def test_a_sentence_of_coq_ends_at_its_full_stop(text: str) -> None:
    assert trace.sentence(f"{text} Proof. lra. Qed.\n{text}\n", 0) == text
    assert trace.sentence(f"a. {text}", 3) == text


PLANTED = {
    # what is wrong: (file, text, its replacement, the problem that must be reported)
    "no reference": (
        "pyref/rankspec/reference/dcg.py",
        "Spec: RS-DCG-1",
        "",
        "RS-DCG-1 has no reference",
    ),
    "no C": ("csrc/dcg.c", "/* RS-DCG-1 */", "", "RS-DCG-1 has no C"),
    "a theorem of no law": (
        "proofs/Dcg.v",
        "RS-DCG-1/L1",
        "RS-DCG-1/L3",
        "the spec has no RS-DCG-1/L3",
    ),
    "a theorem of another name": ("proofs/Dcg.v", "DCG_1_L1", "DCG_1_L10", "is not named after"),
    "a reason of no law": ("proofs/Dcg.v", "RS-DCG-1/L2", "RS-DCG-1/L3", "no law RS-DCG-1/L3"),
    "two reasons": ("proofs/Dcg.v", "RS-DCG-1/L2", "RS-DCG-1/L1", "for two reasons"),
    "a reason of what is proved": ("proofs/Dcg.v", " in part", "", "is proved, and says why it is"),
    "no reason": ("proofs/Dcg.v", "1, RS-DCG-1/L2", "1", "RS-DCG-1/L2 is not proved in full"),
    "no reason in part": ("proofs/Dcg.v", "L1, RS-DCG-1/L2", "L2", "L1 is not proved in full"),
    "an ID in C code is no comment": ("csrc/dcg.c", "/* RS-DCG-1 */", '"RS-DCG-1"', "has no C"),
    "no vectors": (
        "spec/vectors/dcg.json",
        '"RS-DCG-1(a)", "RS-DCG-1/L1"',
        '"RS-CONV-1"',
        "RS-DCG-1 has no vectors",
    ),
    "no n/a": ("spec/dcg.md", "n/a symbolic: a", "A", "RS-DCG-1 has no symbolic"),
    "no test of a law": (
        "tests/laws/test_dcg.py",
        ', "RS-DCG-1/L2"',
        "",
        "no test of the law RS-DCG-1/L2",
    ),
    "no property": (
        "tests/laws/test_dcg.py",
        '"RS-DCG-1/L1", "RS-DCG-1/L2"',
        "",
        "RS-DCG-1 has no property",
    ),
    "no test of a convention": (
        "tests/formats/test_labels.py",
        'pytestmark = pytest.mark.spec("RS-CONV-1")',
        "",
        "RS-CONV-1 has no property or figure",
    ),
    "a superfluous n/a": (
        "spec/dcg.md",
        "n/a figure",
        "n/a C: it has. n/a figure",
        "RS-DCG-1 has a C, and says n/a C",
    ),
    "an n/a without a reason": (
        "spec/dcg.md",
        "n/a symbolic: a sum of integers.",
        "n/a symbolic: .",
        '"n/a symbolic" gives no reason',
    ),
    "a superfluous n/a of a law": (
        "spec/dcg.md",
        "n/a vectors L2",
        "n/a vectors L1, L2",
        "RS-DCG-1/L1 has a vector, and says n/a vectors L1",
    ),
    "a superfluous n/a of a special case": (
        "spec/dcg.md",
        "n/a vectors L2",
        "n/a vectors (a), L2",
        "RS-DCG-1(a) has a vector, and says n/a vectors (a)",
    ),
    "an n/a of a law that there is not": (
        "spec/dcg.md",
        "n/a vectors L2",
        "n/a vectors L3",
        '"n/a vectors L3": it has no L3',
    ),
    "an n/a of a law without a reason": (
        "spec/dcg.md",
        "of two lists.",
        "",
        '"n/a vectors L2 (b) (c)" gives no reason',
    ),
    "an n/a of a law said twice": (
        "spec/dcg.md",
        "n/a vectors L2",
        "n/a vectors L2: why. n/a vectors L2",
        '"n/a vectors L2 (b) (c)" is said twice',
    ),
    "an n/a of a law that is of no vector": (
        "spec/dcg.md",
        "n/a vectors L2",
        "n/a C L2: why. n/a vectors L2",
        '"n/a C L2": only vectors are asked for of a part of an entry',
    ),
    "an n/a of a law of a chapter": (
        "spec/core/floor.md",
        "n/a vectors",
        "n/a vectors L1: why. n/a vectors",
        'spec/core/floor.md: "n/a vectors L1" stands in no entry',
    ),
    "an n/a of no reading": ("spec/dcg.md", "n/a figure", "n/a figures", "no such reading"),
    "an n/a said twice": (
        "spec/dcg.md",
        "n/a symbolic: a",
        "n/a figure: again. n/a symbolic: a",
        '"n/a figure" is said twice',
    ),
    "a Trace paragraph of another kind": (
        "spec/other.md",
        "**Trace.**",
        "**Trace.** See above.",
        "must list",
    ),
    "a chapter's n/a that no entry needs": (
        "spec/core/floor.md",
        "n/a vectors",
        "n/a C: it has. n/a vectors",
        'spec/core/floor.md: "n/a C" is for no entry',
    ),
    "a folder's n/a that no entry needs": (
        "spec/core/index.md",
        "n/a figure",
        "n/a C: they have. n/a figure",
        'spec/core/index.md: "n/a C" is for no entry',
    ),
    "a chapter's n/a without a reason": (
        "spec/core/floor.md",
        "not a value",
        "",
        'spec/core/floor.md: "n/a vectors" gives no reason',
    ),
    "two Trace paragraphs": (
        "spec/other.md",
        "**Trace.**",
        "**Trace.**\n\n**Trace.**",
        "2 Trace paragraphs",
    ),
    "a duplicate ID": (
        "spec/other.md",
        "## RS-NUM-1 · Rounding {#RS-NUM-1}",
        "## RS-DCG-1 · Again {#RS-DCG-1}",
        "RS-DCG-1 is defined a second time; the first is spec/dcg.md:3",
    ),
    "a duplicate law": ("spec/dcg.md", "**L2**", "**L1**", "RS-DCG-1/L1 is stated twice"),
    "another ID in the anchor": (
        "spec/other.md",
        "{#RS-NUM-1}",
        "{#RS-NUM-2}",
        "the heading of RS-NUM-2 must read",
    ),
    "a heading without its title": (
        "spec/other.md",
        "## RS-NUM-1 · Rounding {",
        "## RS-NUM-1 {",
        "the heading of RS-NUM-1 must read",
    ),
    "an unknown ID in a docstring": (
        "pyref/rankspec/reference/dcg.py",
        "RS-DCG-1",
        "RS-DCG-1, RS-DCG-2",
        "dcg.py:1 (cg): the spec has no RS-DCG-2",
    ),
    "an unknown ID in C": (
        "csrc/dcg.c",
        "// RS-NUM-1",
        "// RS-NUM-3",
        "csrc/dcg.c:5 (sum): the spec has no RS-NUM-3",
    ),
    "an unknown ID in a mark": (
        "tests/laws/test_dcg.py",
        "RS-DCG-1/L1",
        "RS-DCG-9",
        "test_dcg.py:3 (test_cg): the spec has no RS-DCG-9",
    ),
    "an unknown law in a mark": (
        "tests/laws/test_dcg.py",
        "RS-DCG-1/L1",
        "RS-DCG-1/L3",
        "the spec has no RS-DCG-1/L3",
    ),
    "a mark that no tool can read": (
        "tests/laws/test_dcg.py",
        '"RS-DCG-1/L1"',
        "THE_LAW",
        "the spec has no THE_LAW",
    ),
    "an unknown ID in a vector": (
        "spec/vectors/dcg.json",
        "RS-DCG-1(a)",
        "RS-DCG-5",
        "the spec has no RS-DCG-5",
    ),
    "an unknown special case in a vector": (
        "spec/vectors/dcg.json",
        "RS-DCG-1(a)",
        "RS-DCG-1(d)",
        "the spec has no RS-DCG-1(d)",
    ),
    "an unknown ID in the prose": (
        "spec/dcg.md",
        "As RS-CONV-1",
        "As RS-CONV-2",
        "spec/dcg.md:5: the spec has no RS-CONV-2",
    ),
    "an unknown law in the prose": (
        "spec/other.md",
        "RS-DCG-1/L2",
        "RS-DCG-1/L4",
        "spec/other.md:5: the spec has no RS-DCG-1/L4",
    ),
    "an unknown ID in the README": (
        "README.md",
        "RS-DCG-1",
        "RS-DCG-11",
        "README.md:1: the spec has no RS-DCG-11",
    ),
}


@pytest.mark.parametrize(("path", "old", "new", "problem"), PLANTED.values(), ids=PLANTED)
def test_a_planted_defect_is_reported(
    tmp_path: Path, path: str, old: str, new: str, problem: str
) -> None:
    found = _problems(tmp_path, path, old, new)
    assert any(problem in line for line in found), found


UNCITED = {
    # what is without a vector: (file, text, its replacement, what has neither vector nor reason)
    "an entry": (
        "spec/vectors/dcg.json",
        '"RS-DCG-1(a)", "RS-DCG-1/L1"',
        '"RS-NUM-8"',
        {"RS-DCG-1", "RS-DCG-1/L1", "RS-DCG-1(a)"},
    ),
    "a law": ("spec/vectors/dcg.json", "RS-DCG-1/L1", "RS-NUM-8", {"RS-DCG-1/L1"}),
    "a special case": ("spec/vectors/dcg.json", "RS-DCG-1(a)", "RS-DCG-1", {"RS-DCG-1(a)"}),
    "a law without a reason": ("spec/dcg.md", "n/a vectors L2,", "n/a vectors", {"RS-DCG-1/L2"}),
    "those with a reason for all": (
        "spec/dcg.md",
        "## RS-DCG-1 ·",
        "**Trace.** n/a vectors: no.\n\n## RS-DCG-1 ·",
        set(),
    ),
}


@pytest.mark.parametrize(("path", "old", "new", "without"), UNCITED.values(), ids=UNCITED)
def test_what_no_vector_cites_is_counted_and_a_gap(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    path: str,
    old: str,
    new: str,
    without: set[str],
) -> None:
    problems = set(_problems(tmp_path, path, old, new))
    monkeypatch.setattr(sys, "argv", ["trace.py", str(tmp_path), "--vectors"])
    assert trace.main() == 0
    *listed, count = capsys.readouterr().out.splitlines()
    assert {line.split()[1] for line in listed} == without
    laws = 2 - sum("/" in id_ for id_ in without)
    assert f" entries, {laws} of 2 laws, " in count
    assert {line.split()[1] for line in problems if line.endswith("has no vector")} == without


def test_the_command_exits_with_1_where_there_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["trace.py", str(tmp_path)])
    assert _problems(tmp_path) == []
    assert trace.main() == 0
    assert "5 entries, 2 laws, no gap." in capsys.readouterr().out
    assert _problems(tmp_path, "csrc/dcg.c", "/* RS-DCG-1 */", "") != []
    assert trace.main() == 1
    printed = capsys.readouterr()
    assert "5 entries, 2 laws, 1 problem:\n" in printed.out
    assert printed.err == "  spec/dcg.md:3: RS-DCG-1 has no C\n"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("/* RS-DCG-2 */\nint f(int n)\n{\n    return n;\n}\n", "f"),
        ("int f(int n)\n{\n    return n; /* RS-DCG-2 */\n}\n", "f"),
        ("int f(int n)\n{\n    return n;\n}\n\n/* RS-DCG-2 */\nenum { A = 1 };\n", "a.h"),
        ("int f(int n);\n\n/* RS-DCG-2 */\ntypedef struct {\n    int x;\n} y;\n", "a.h"),
    ],
)
def test_a_comment_in_c_is_of_the_function_that_it_stands_above_or_in(
    source: str, name: str
) -> None:
    (found,) = trace.in_comments(source, "csrc/a.h")
    assert found.place.name == name
