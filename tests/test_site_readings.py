"""The page of each entry's readings: its text, the reference, C, vectors and tests."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from .site_hooks import ROOT, imported

DCG = "double dcg(int n)\n{\n    return n;\n}"
SOURCE = f"""/* dcg is computed. RS-DCG-2 */
static double twice(int n)
{{
    return 2 * dcg(n);
}}

{DCG}

enum {{ LAST = 3 }};
"""


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> Any:
    return imported(monkeypatch, "readings")


@pytest.fixture(scope="module")
def tree() -> Any:
    """What the hooks share, with an address for each file that is asked for."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        tree = imported(monkeypatch, "pages").Tree(ROOT)
    tree.url = lambda path, _: posixpath.join("..", path)
    tree.url_of = lambda id_, _: f"../{tree.table.entries[id_].path}#{id_}"
    return tree


def of(readings: Any, tree: Any, id_: str) -> str:
    page = SimpleNamespace(meta={"entry": id_})
    tags = re.compile(r'<rs-kept n="(\d+)">')
    return tags.sub(lambda tag: str(tree.kept[int(tag[1])]), readings.filled(tree, page))


def tabs(page: str) -> dict[str, str]:
    _, *parts = page.split('\n=== "')
    return {name: text for name, _, text in (part.partition('"\n') for part in parts)}


def test_an_entry_has_all_its_readings(readings: Any, tree: Any) -> None:
    found = tabs(of(readings, tree, "RS-PREC-4"))
    assert list(found) == ["Definition", "Reference", "C", "Coq", "Vectors", "Proofs and tests"]
    assert r"\mathrm{RR}@k" in found["Definition"]
    assert "**Trace.**" not in found["Definition"]
    assert 'id="RS-PREC-4/L1"' in found["Definition"]
    assert "def rr(" in found["Reference"]
    assert "def ap(" not in found["Reference"]
    assert "rr(" in found["C"]
    assert ">rr_from</a>" in found["Coq"]
    assert ">PREC_4_L1</a>" in found["Coq"]
    assert ">nat_Q</a>" in found["Coq"]  # which rr_from uses
    assert ">sp</a>" not in found["Coq"]
    assert "precision-0021" in found["Vectors"]
    assert "the first item is relevant" in found["Vectors"]
    assert "n/a: the reciprocal of a rank" in found["Proofs and tests"]
    assert "test_rr_does_not_fall_with_the_cut_off" in found["Proofs and tests"]


def test_markdown_does_not_read_the_inputs_of_cases(readings: Any, tree: Any) -> None:
    """It would make an en dash of the hyphens of a comment in XML."""
    comment = "&gt;&lt;!-- c --&gt;"
    assert comment in of(readings, tree, "RS-CONV-23")
    page = SimpleNamespace(meta={"entry": "RS-CONV-23"})
    assert comment not in readings.filled(tree, page)


def test_an_entry_leads_to_those_beside_it(readings: Any, tree: Any) -> None:
    *_, last = tree.table.entries
    for id_, links in {
        "RS-DCG-2": [("prev", "RS-DCG-1"), ("next", "RS-EXP-2")],
        next(iter(tree.table.entries)): [("next", list(tree.table.entries)[1])],
        last: [("prev", list(tree.table.entries)[-2])],
    }.items():
        found = re.findall(r'rel="(\w+)" href="\S+/(RS-[A-Z]+-\d+)\b', of(readings, tree, id_))
        assert found == links


def test_links_within_a_chapter_lead_to_the_chapter(readings: Any, tree: Any) -> None:
    text = tabs(of(readings, tree, "RS-CONV-18"))["Definition"]
    assert "](evaluation.md#RS-CONV-" in text
    assert "](#" not in text


def test_every_entry_has_its_page(readings: Any, tree: Any) -> None:
    pages = dict(readings.files(tree))
    assert pages.keys() == {f"spec/entries/{id_}.md" for id_ in tree.table.entries}
    for id_ in tree.table.entries:
        page = of(readings, tree, id_)
        assert len(tabs(page)) == 6
        assert "](#" not in page  # of the chapter's own


def test_a_function_of_c_is_taken_whole(readings: Any) -> None:
    assert readings.c_function(SOURCE, "dcg") == DCG
    assert readings.c_function(SOURCE, "LAST") == ""


def test_a_declaration_of_c_leads_to_the_function_and_a_type_to_itself(
    readings: Any, tmp_path: Path
) -> None:
    header = "/* The file. */\n#ifndef A\n\n/* RS-DCG-2 */\ndouble dcg(int n);\n"
    header += "\n/* RS-GAIN-1 */\n#pragma a\ntypedef int gain;\n\nint x;\n"
    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc/dcg.c").write_text(SOURCE)
    (tmp_path / "csrc/dcg.h").write_text(header)
    path = "csrc/dcg.h"
    declared = SimpleNamespace(path=path, line=4, name="dcg")
    typed = SimpleNamespace(path=path, line=7, name="dcg.h")
    assert readings.c_source(tmp_path, declared) == ("csrc/dcg.c", 7, DCG)
    of_type = "/* RS-GAIN-1 */\ntypedef int gain;"
    assert readings.c_source(tmp_path, typed) == (path, 7, of_type)


@pytest.mark.parametrize("name", ["values_of_ndcg", "inst"])
def test_functions_of_the_core_are_found(readings: Any, name: str) -> None:
    sources = [path.read_text("utf-8") for path in Path(ROOT, "csrc").glob("*.c")]
    (found,) = (x for source in sources if (x := readings.c_function(source, name)))
    assert found.count(f" {name}(") == 1
    assert found.endswith("\n}")


def test_what_is_typed_is_copied_without_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    listings = imported(monkeypatch, "listings")
    session = ">>> for x in (1, 2):\n...     print(x)\n...\n1\n2\n>>> x\n2"
    assert listings.typed(session) == "for x in (1, 2):\n    print(x)\n\nx"
    assert listings.typed("$ rankspec eval a b\nAP 0.5\n$ ls") == "rankspec eval a b\nls"
    prompt = '<span class="gp">&gt;&gt;&gt; </span>'
    page = f'<div class="language-pycon highlight"><pre>{prompt}1 &lt; 2</pre></div>'
    assert 'data-copy="1 &lt; 2"' in listings.lightened(page, numbered=False)
