"""The proofs of Coq on the site: beside laws and equations, and in tables.

The first half is about a small tree, the second about the site of this one. What it must say is
read here once more from the files of proofs/ and spec/, line by line.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from .site_browser import Visit, browser, built, served
from .site_hooks import ROOT, imported
from .test_traceability import GOOD, trace

__all__ = ["browser", "built"]

LAWS = """<h2 id="RS-CONV-1">Labels</h2>
<p>As said.</p>
<h2 id="RS-DCG-1">Cumulated gain</h2>
<p><strong>Inputs.</strong> None.</p>
<p><strong>Definition.</strong></p>
<div>Two parts,</div>
<p>as said.</p>
<p><strong>Special cases.</strong> None.</p>
<ul>
<li><a class="rs-law" id="RS-DCG-1/L1" href="#RS-DCG-1/L1">L1</a> order-free:<ul>
<li>of two</li>
</ul>
</li>
<li><a class="rs-law" id="RS-DCG-1/L2" href="#RS-DCG-1/L2">L2</a> steps</li>
</ul>
<p class="rs-trace">Readings</p>
"""


@pytest.fixture
def proved(monkeypatch: pytest.MonkeyPatch) -> Any:
    return imported(monkeypatch, "proved")


def small(root: Path, proofs: str = GOOD["proofs/Dcg.v"]) -> Any:
    """Return what the hooks share, of the small tree with these proofs."""
    for name, text in (GOOD | {"proofs/Dcg.v": proofs}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    (root / "spec/vectors/proved.txt").write_text("dcg-1\n", "utf-8")
    tree = SimpleNamespace(root=root, trace=trace, table=trace.table(root), kept=[], files={})
    tree.url = lambda path, _: path
    tree.url_of = lambda id_, _: f"#{id_}"
    return tree


def folds(content: str) -> list[tuple[str, str]]:
    """Return the mark and the text of what is folded on a page."""
    folded = re.findall(
        r'<details class="rs-coq"[^>]*><summary>([^<]*)</summary>(.*?)</details>',
        content,
        re.DOTALL,
    )
    return [(mark, html.unescape(re.sub("<[^>]*>", "", text))) for mark, text in folded]


def test_statements_stand_beside_laws_and_the_equation(proved: Any, tmp_path: Path) -> None:
    proofs = GOOD["proofs/Dcg.v"].replace(", RS-CONV-1", "")
    content = proved.marked(small(tmp_path, proofs), LAWS, None)
    definition, first, second = folds(content)
    assert definition == ("in Coq", "(* the sum *)\nDefinition cg := sum.")
    assert first[0] == "proved in part"
    assert first[1].startswith("(* in\n    any order *)\nTheorem DCG_1_L1 : True.")
    assert first[1].endswith("The rest is not proved: they are of two lists")
    assert second == ("not proved", "Not proved: they are of two lists")
    places = [content.index(f"<summary>{mark}") for mark, _ in (definition, first, second)]
    for (before, after), place in zip(
        [("as said.</p>", "Special cases"), ("of two</li>", "RS-DCG-1/L2"), ("steps", "rs-trace")],
        places,
        strict=True,
    ):
        assert content.rindex(before) < place < content.index(after, content.index(before))
    assert '<a href="proofs/Dcg.v#__codelineno-0-5">DCG_1_L1</a>' in content
    folded = re.compile(r"<details.*?</details>", re.DOTALL)
    assert folded.sub("", content).replace("\n", "") == LAWS.replace("\n", "")


def test_an_entry_without_a_label_has_its_definition_at_its_end(
    proved: Any, tmp_path: Path
) -> None:
    proofs = GOOD["proofs/Dcg.v"].replace("RS-DCG-1, RS-CONV-1", "RS-CONV-1")
    content = proved.marked(small(tmp_path, proofs), LAWS, None)
    assert content.index("<summary>in Coq") < content.index('id="RS-DCG-1"')


def test_a_law_that_is_no_item_is_refused(proved: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no item of a list"):
        proved.marked(small(tmp_path), LAWS.replace("li>", "b>"), None)
    together = LAWS.replace(
        '</li>\n<li><a class="rs-law" id="RS-DCG-1/L2"', '- <a class="rs-law" id="RS-DCG-1/L2"'
    )
    assert together != LAWS
    with pytest.raises(ValueError, match="RS-DCG-1/L2 is no item of its own"):
        proved.marked(small(tmp_path), together, None)


def test_a_row_says_what_is_proved_of_an_entry(proved: Any, tmp_path: Path) -> None:
    tree = small(tmp_path, GOOD["proofs/Dcg.v"].replace("RS-DCG-1/L1, ", "", 1))
    row = proved.row_of_entry(tree, tree.table.entries["RS-DCG-1"], None)
    cells = dict(re.findall(r'<td data-of="([^"]*)">(.*?)</td>', row))
    assert cells == {
        "definition": '<a href="proofs/Dcg.v#__codelineno-0-2">cg</a>',
        "in part": '<a href="proofs/Dcg.v#__codelineno-0-5">L1</a>',
        "not proved": '<a href="#RS-DCG-1-L2">L2</a>',
        "vectors proved": "1 of 1",
    }


# Definitions that statements use

FILES = {
    "_CoqProject": "-Q . Rankspec\nBase.v\nDcg.v\nMore.v\n",
    "Base.v": """\
Definition low := 0.
Definition sum l := low + l.
Inductive kind := first | second.
Record pair := Pair { left : nat; right : nat }.
""",
    "Dcg.v": """\
From Rankspec Require Import Base.
Definition low := 1.
(** RS-DCG-1: the sum *)
Definition cg (k : nat) l := Base.sum l + low.
Definition unused := cg.
""",
    "More.v": """\
From Rankspec Require Import Base Dcg.
Fixpoint sum (n : nat) := match n with O => low | S n => sum n end.
(** RS-DCG-1/L1: low and cg are bound *)
Theorem DCG_1_L1 low (* not unused *) : exists cg, sum low = cg%unused -> Dcg.cg low = second ->
  right low = 1.
(** RS-DCG-1/L2: a name of two files that are imported *)
Theorem DCG_1_L2 : low = 1.
(** RS-DCG-1/L3: names that are bound *)
Theorem DCG_1_L3 low (k : kind) : exists cg, low = cg.
(** RS-DCG-1/L4: a function that calls itself, and not its namesake *)
Theorem DCG_1_L4 n : sum n = n.
Inductive own := low | high.
(** RS-DCG-1/L5: a type whose word has a namesake above *)
Theorem DCG_1_L5 (x : own) : True.
""",
}


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return what statements with an ID use, as "file, line, name"."""
    (tmp_path / "proofs").mkdir()
    for name, text in FILES.items():
        (tmp_path / "proofs" / name).write_text(text, "utf-8")
    sources = imported(monkeypatch, "uses").Sources(tmp_path, trace)
    statements = trace.statements(tmp_path)

    def of(*ids: str) -> list[str]:
        uses = sources.used([x for id_ in ids for x in statements[id_]])
        return [f"{Path(x.place.path).stem}.{x.place.line} {x.place.name}" for x in uses]

    return of


def test_a_name_is_that_of_the_file_or_of_the_last_import(used: Any) -> None:
    assert used("RS-DCG-1") == ["Base.1 low", "Base.2 sum", "Dcg.2 low"]
    assert used("RS-DCG-1/L1") == [
        *(
            "Base.1 low",
            "Base.2 sum",
            "Base.3 kind",
            "Base.4 pair",
            "Dcg.2 low",
            "Dcg.4 cg",
            "More.2 sum",
        ),
    ]
    assert used("RS-DCG-1/L2") == ["Dcg.2 low"]
    assert used("RS-DCG-1/L3") == ["Base.3 kind"]
    assert used("RS-DCG-1/L4") == ["Dcg.2 low", "More.2 sum"]
    assert used("RS-DCG-1/L5") == ["More.12 own"]
    assert used("RS-DCG-1/L1", "RS-DCG-1") == [
        *("Base.1 low", "Base.2 sum", "Base.3 kind", "Base.4 pair", "Dcg.2 low", "More.2 sum"),
    ]


# The site


@cache
def in_proofs() -> dict[str, list[tuple[str, str, int, bool]]]:
    """Return {an ID: (file, name, line, in part) of each statement below a comment with it}.

    A definition on the line right below another one is of the same IDs.
    """
    places: dict[str, list[tuple[str, str, int, bool]]] = {}
    for path in sorted(ROOT.glob("proofs/**/*.v")):
        where, comment, ids = path.relative_to(ROOT).as_posix(), "", ""
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if line.startswith("(** RS-"):
                comment, ids = line, ""
            elif comment and "*)" not in comment:
                comment += " " + line.strip()
            elif comment or (ids and line.startswith(("Definition ", "Fixpoint "))):
                ids = comment.removeprefix("(** ").partition(":")[0] or ids
                if line and not ids.endswith(" not proved"):
                    name = re.split(r"[ :(]+", line)[1]
                    place = (where, name, number, ids.endswith(" in part"))
                    for id_ in re.findall(r"RS-[A-Z]+-\d+(?:/L\d+)?", ids):
                        places.setdefault(id_, []).append(place)
                comment = ""
            elif not line.startswith(" "):
                ids = ""  # a blank line, a comment, a proof or a lemma
    return places


def chapters_of(built: Path) -> dict[str, str]:
    """Return the pages of the spec, without those of readings."""
    return {
        path.parent.relative_to(built).as_posix(): path.read_text("utf-8")
        for path in built.glob("spec/**/index.html")
        if "entries" not in path.parts
    }


def names_in(content: str) -> dict[str, list[str]]:
    """Return {an entry or a law: the names that its folded statements link to}."""
    heads = r'<h2 id="(RS-[A-Z]+-\d+)"|<a class="rs-law" id="([^"]*)"'
    begins = rf'{heads}|<details class="rs-coq".*?</details>'
    names_of: dict[str, list[str]] = {}
    here = ""
    for part in re.finditer(begins, content, re.DOTALL):
        here = part[1] or part[2] or here
        if part[0].startswith("<details"):
            names_of.setdefault(here, []).extend(
                re.findall(r"__codelineno-0-\d+\">([^<]*)</a>", part[0])
            )
    return {id_: names for id_, names in names_of.items() if names}


@pytest.mark.slow
def test_every_statement_stands_where_its_law_does(built: Path) -> None:
    published: dict[str, list[str]] = {}
    for content in chapters_of(built).values():
        published |= names_in(content)
    expected = {id_: [name for _, name, _, _ in places] for id_, places in in_proofs().items()}
    assert sum(map(len, expected.values())) > 450
    assert published == expected


@pytest.mark.slow
def test_statements_are_those_of_the_files_and_lead_to_them(built: Path) -> None:
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for path in ROOT.glob("proofs/**/*.v")
    }
    links = 0
    for content in chapters_of(built).values():
        for shown in re.findall(r'<details class="rs-coq".*?<pre>(.*?)</pre>', content, re.DOTALL):
            for path, line, name in re.findall(
                r'source/(proofs/[\w/]+\.v)/#__codelineno-0-(\d+)">([^<]*)</a>', shown
            ):
                first, *_ = sources[path].splitlines()[int(line) - 1 :]
                assert re.match(rf"[A-Z][a-z]+ {name}\b", first), (path, line, name)
                links += 1
            text = html.unescape(re.sub("<[^>]*>", "", shown))
            assert "Proof." not in text
            for statement in re.split(r"^\(\* .*?\*\)\n", text, flags=re.MULTILINE | re.DOTALL)[1:]:
                assert any(statement.strip() in source for source in sources.values()), statement
    assert links > 450


@pytest.mark.slow
def test_sources_have_the_lines_that_statements_lead_to(built: Path) -> None:
    lines: dict[str, set[int]] = {}
    for places in in_proofs().values():
        for path, _, line, _ in places:
            lines.setdefault(path, set()).add(line)
    for path, wanted in lines.items():
        page = (built / "source" / path / "index.html").read_text("utf-8")
        assert wanted <= {*map(int, re.findall(r'id="__codelineno-0-(\d+)"', page))}, path


@pytest.mark.slow
def test_the_totals_are_those_of_the_files(built: Path) -> None:
    stated = in_proofs()
    laws = {id_: any(part for *_, part in places) for id_, places in stated.items() if "/" in id_}
    of_spec = [
        (path, len(re.findall(r"^\s*[-*] \*\*L\d+\*\*", path.read_text("utf-8"), re.MULTILINE)))
        for pattern in ("spec/*.md", "spec/core/*.md")
        for path in ROOT.glob(pattern)
    ]
    cases = set()
    for path in ROOT.glob("spec/vectors/*.json"):
        cases |= set(re.findall(r'^ +"id": "([a-z]+-\d+)"', path.read_text("utf-8"), re.MULTILINE))
    listed = (ROOT / "spec/vectors/proved.txt").read_text("utf-8")
    ids = re.findall(r"^[a-z]+-\d+", listed, re.MULTILINE)
    page = (built / "proved/index.html").read_text("utf-8")
    first = re.sub("<[^>]*>", "", page.partition("<p>Coq has")[2].partition("</p>")[0])
    in_coq, entries, all_laws, full, in_part, _, vectors, proved = map(
        int, re.findall(r"\d+", first)
    )
    assert in_coq == len({id_.partition("/")[0] for id_ in stated})
    assert entries == len(json.loads((ROOT / "spec/vectors/index.json").read_text())["entries"])
    assert all_laws == sum(count for _, count in of_spec)
    assert (full, in_part) == (len(laws) - sum(laws.values()), sum(laws.values()))
    assert (vectors, proved) == (len(cases), len(ids))
    rows = re.findall(r"<tr><th>(.*?)</th>(.*?)</tr>", page.partition("<tbody>")[2])
    counts = Counter(
        sum(int(x) for x in re.findall(r'data-of="(?!in Coq|vectors)[^"]*">(\d+)</td>', cells))
        for _, cells in rows
    )
    assert counts == Counter(count for path, count in of_spec if "{#RS-" in path.read_text("utf-8"))


@pytest.mark.slow
def test_the_tables_have_every_law_of_their_chapters_once(built: Path) -> None:
    pages = [path for path in built.glob("proved/**/index.html") if path.parent.name != "proved"]
    assert len(pages) > 10
    for path in pages:
        content = path.read_text("utf-8")
        chapter = path.parent.relative_to(built / "proved").as_posix()
        spec = (ROOT / f"spec/{chapter}.md").read_text("utf-8")
        rows = re.findall(r"<tr><th><a [^>]*>(RS-[A-Z]+-\d+)</a>.*?</th>(.*?)</tr>", content)
        assert [id_ for id_, _ in rows] == re.findall(r"\{#(RS-[A-Z]+-\d+)\}$", spec, re.MULTILINE)
        for id_, cells in rows:
            section = spec.partition(f"{{#{id_}}}")[2].partition("\n## ")[0]
            laws = re.findall(r"^\s*[-*] \*\*(L\d+)\*\*", section, re.MULTILINE)
            states = [re.findall(r">(L\d+)[^<]*</a>", cell) for cell in cells.split("</td>")]
            listed = [law for state in states for law in dict.fromkeys(state)]
            assert sorted(listed) == sorted(laws), id_
        assert set(re.findall(r'href="#(RS-[^"]*)"', content)) <= {
            *re.findall(r' id="(RS-[^"]*)"', content)
        }


@pytest.mark.slow
def test_searches_do_not_find_coq(built: Path) -> None:
    index = (built / "search/search_index.json").read_text("utf-8")
    assert "Theorem DCG_6_L1" not in index
    assert '"proved/"' in index
    assert '"proved/dcg/"' not in index


@pytest.fixture(scope="module")
def site(built: Path) -> Iterator[str]:
    yield from served(built)


@pytest.mark.slow
def test_open_statements_fit_a_phone(site: str, browser: Any) -> None:
    with Visit(browser, f"{site}/spec/dcg/", viewport={"width": 360, "height": 900}) as visit:
        visit.page.evaluate(
            "document.querySelectorAll('.rs-coq').forEach((x) => { x.open = true; })"
        )
        assert visit.page.locator(".rs-coq > pre").first.is_visible()
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert visit.page.evaluate(wide) <= 0
