"""The traceability table: where each entry of the spec is realised and tested.

    python tools/trace.py              prints the table; exits with 1 and lists the gaps, if any
    python tools/trace.py --vectors    lists the entries, laws and special cases without a vector

An entry is a heading of spec/*.md or spec/core/*.md that carries an ID,
``## RS-DCG-6 · Title {#RS-DCG-6}``. Its readings are found where they are, never listed by hand:

==========  ======================================================================================
reference   "Spec: RS-DCG-6" in a docstring of pyref/rankspec/reference/*.py
C           the ID in a comment of csrc/*.c or csrc/*.h
symbolic    @pytest.mark.spec("RS-DCG-6") in tests/symbolic
property    ... in tests/laws, tests/differential or tests/exhaustive; for the entries that are no
            metrics (CONF, CONV, NUM, ERR) in any other folder of tests too
vectors     the ID in a "spec" list of spec/vectors/*.json; "RS-DCG-6/L4" cites a law,
            "RS-DCG-6(a)" a special case
figure      a mark in tests/papers or tests/published: a number that somebody else has printed
Coq         the ID in a comment of proofs/**/*.v, right above a definition or a theorem
==========  ======================================================================================

Such a comment reads ``(** RS-DCG-2/L1: what is stated *)``, with several IDs divided by commas, or
``(** RS-DCG-2/L1 in part: ... *)`` where the law says more than its theorems do. The theorem of a
law is named after it, DCG_2_L1 or DCG_2_L1_ and a word. In the chapters of PROVED each law has a
theorem, or a comment says why it, or the rest of it, is not proved:
``(** RS-DCG-2/L1 not proved: why *)``.

What does not apply to an entry is said in its Trace paragraph, ``n/a symbolic: why.`` One before
the first entry of a chapter, or in spec/core/index.md, is for all entries of the chapter, or of the
folder, that lack the reading and say nothing of it themselves.

Vectors cite laws and special cases too. For those that none can have, the Trace paragraph says why:
``n/a vectors L1, L3, (b): why.`` What is said of the entry, or of its chapter, is for all of them.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_lowercase
from typing import Any

READINGS = ("reference", "C", "symbolic", "property", "vectors", "figure", "Coq")

FOLDERS = {
    "symbolic": "symbolic",
    "laws": "property",
    "differential": "property",
    "exhaustive": "property",
    "papers": "figure",
    "published": "figure",
}
"""Which reading the tests of a folder are."""

DEMANDS = {
    "AGR": (("reference",), ("property",), ("vectors",)),
    "AXM": (("reference",), ("property",)),
    "CMP": (("reference",), ("symbolic", "property"), ("vectors",)),
    "CONF": (("property", "figure"),),
    "CONV": (("property", "figure"),),
    "DIV": (("reference",), ("property",), ("vectors",)),
    "ERR": (("property", "figure"),),
    "IDF": (("property",),),
    "NUM": (("reference", "C"), ("property",)),
    "RND": (("reference",), ("property",), ("vectors",)),
}
"""The readings that the entries of a family must have: one of each group."""

PROVED = tuple(
    f"spec/{chapter}.md"
    for chapter in ("gain", "dcg", "length", "relevance", "ties", "bounds", "session")
)
"""The chapters of which each law is proved by Coq, or has a reason why it is not."""

METRIC_DEMANDS = tuple((reading,) for reading in READINGS if reading != "Coq")

ID = re.compile(r"RS-[A-Z]+-\d+")
CITED = re.compile(r"\bRS-[A-Z]+-\d+(?:/L\d+)?\b")
HEADING = re.compile(r"#{1,6}\s+(?P<text>.*?)\s*\{[^{}]*#(?P<anchor>RS-[^\s{}]+)[^{}]*\}\s*")
HEADING_TEXT = re.compile(rf"(?P<id>{ID.pattern}) · (?P<title>\S.*)")
LAW = re.compile(r"\s*[-*] \*\*(?P<law>L\d+)\*\*")
SPECIAL_CASES = re.compile(r"\*\*Special cases\.\*\*(?P<cases>.*?)(?=\n\*\*|\Z)", re.DOTALL)
TRACE = "**Trace.**"
PART = r"(?:L\d+|\([a-z]\))"
NOT_APPLICABLE = re.compile(
    rf"n/a\s+(?P<reading>[^\s:]+)(?P<parts>(?:\s+{PART},?)*):(?P<why>.*?)"
    rf"(?=\s+n/a\s+(?:{'|'.join(READINGS)})(?:\s+{PART},?)*:|$)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Place:
    """Where an ID is cited: a path below the root, a line, and the function or case there."""

    path: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} ({self.name})"


@dataclass
class Entry:
    """An entry of the spec and where it is read.

    laws: the tests of each law; proofs: the theorems of each law
    in_part: the laws of which only a part has a theorem
    not_proved: why a law, or the rest of a law in part, has no theorem
    n_a: the reason for each reading that does not apply
    vectors: the cases that cite each law ("L1") and each special case ("(a)")
    no_vectors: why no case cites a law or special case
    shared: the same for all entries of its chapter, each with the file that says it
    places: the places of each reading
    """

    id: str
    title: str
    path: str
    line: int
    laws: dict[str, list[Place]] = field(default_factory=dict)
    proofs: dict[str, list[Place]] = field(default_factory=dict)
    in_part: set[str] = field(default_factory=set)
    not_proved: dict[str, str] = field(default_factory=dict)
    vectors: dict[str, list[Place]] = field(default_factory=dict)
    no_vectors: dict[str, str] = field(default_factory=dict)
    n_a: dict[str, str] = field(default_factory=dict)
    shared: dict[str, tuple[str, str]] = field(default_factory=dict)
    places: dict[str, list[Place]] = field(default_factory=lambda: {r: [] for r in READINGS})

    @property
    def family(self) -> str:
        return self.id.split("-")[1]

    @property
    def demands(self) -> tuple[tuple[str, ...], ...]:
        return DEMANDS.get(self.family, METRIC_DEMANDS)

    def proof_of(self, law: str) -> str:
        """Return a law's state: "proved", "in part", "not proved" with a reason, or "tested"."""
        if self.proofs[law]:
            return "in part" if law in self.in_part else "proved"
        return "not proved" if law in self.not_proved else "tested"

    @property
    def without_vectors(self) -> list[str]:
        """Itself, its laws and its special cases that have no vector, and no reason why."""
        if "vectors" in self.n_a or "vectors" in self.shared:
            return []
        missing = [] if self.places["vectors"] else [self.id]
        parts = [part for part, cases in self.vectors.items() if not cases]
        return missing + [written(self.id, part) for part in parts if part not in self.no_vectors]


def written(id_: str, part: str) -> str:
    """A law, RS-DCG-6/L1, or a special case, RS-DCG-6(a), as it is cited."""
    return id_ + part if part.startswith("(") else f"{id_}/{part}"


@dataclass
class Table:
    """All entries by ID, in the order of the spec, and what is wrong with them.

    statements: of proofs/, by the ID of their entry or law
    proved: the test vectors that Coq proves
    """

    entries: dict[str, Entry]
    problems: list[str]
    statements: dict[str, list[Statement]] = field(default_factory=dict)
    proved: frozenset[str] = frozenset()


def table(root: Path) -> Table:
    """The traceability table of the tree at `root`, and its gaps."""
    entries, problems = read_spec(root)
    problems += place(entries, citations(root))
    problems += wrong_proofs(root)
    problems += read_not_proved(entries, root)
    problems += unknown_in_text(entries, root)
    problems += share(entries)
    for entry in entries.values():
        problems += gaps(entry)
    return Table(entries, problems, statements(root), proved_cases(root))


# The spec


def read_spec(root: Path) -> tuple[dict[str, Entry], list[str]]:
    """The entries of the spec by ID, without their places."""
    entries: dict[str, Entry] = {}
    problems: list[str] = []
    of_folder: dict[Path, dict[str, tuple[str, str]]] = {}
    for path in chapters(root):
        where = path.relative_to(root).as_posix()
        text = path.read_text("utf-8")
        shared, found = shared_reasons(text, where)
        problems += found
        of_folder.setdefault(path.parent, {})
        if path.name == "index.md":
            of_folder[path.parent] = shared
        for entry, found in entries_of(text, where):
            problems += found
            entry.shared = of_folder[path.parent] | shared
            if entry.id in entries:
                first = entries[entry.id]
                problems.append(
                    f"{where}:{entry.line}: {entry.id} is defined a second time; "
                    f"the first is {first.path}:{first.line}"
                )
            else:
                entries[entry.id] = entry
    return entries, problems


def chapters(root: Path) -> list[Path]:
    """The files of the spec, in the order in which the index of their folder links to them."""
    return [*in_order(root / "spec"), *in_order(root / "spec/core")]


def in_order(folder: Path) -> list[Path]:
    """The Markdown files of a folder: its index, then in the order in which it links to them."""
    index = folder / "index.md"
    text = index.read_text("utf-8") if index.exists() else ""
    linked = list(dict.fromkeys(re.findall(r"\]\((\w+\.md)\)", text)))
    paths = sorted(folder.glob("*.md"))
    ranks = {name: rank for rank, name in enumerate(["index.md", *linked])}
    return sorted(paths, key=lambda path: ranks.get(path.name, len(ranks)))


def title(path: Path) -> str:
    """The title of a chapter."""
    return next(
        line[2:].strip() for line in path.read_text("utf-8").splitlines() if line[:2] == "# "
    )


def entries_of(text: str, where: str) -> Iterator[tuple[Entry, list[str]]]:
    """Each entry of a chapter, with what is wrong with how it is written."""
    sections: list[tuple[int, re.Match[str] | None, list[str]]] = []
    for number, line in prose(text):
        heading = HEADING.fullmatch(line)
        if heading or re.match(r"#{1,2} ", line):
            sections.append((number, heading, []))
        elif sections:
            sections[-1][2].append(line)
    for number, heading, lines in sections:
        if heading is None:
            continue
        problems: list[str] = []
        anchor = heading["anchor"]
        match = HEADING_TEXT.fullmatch(heading["text"])
        if not match or match["id"] != anchor:
            problems.append(
                f'{where}:{number}: the heading of {anchor} must read "{anchor} · its title"'
            )
        if not ID.fullmatch(anchor):
            continue
        entry = Entry(anchor, match["title"] if match else anchor, where, number)
        problems += read_laws(entry, lines)
        entry.vectors = {part: [] for part in (*entry.laws, *special_cases(lines))}
        problems += read_trace(entry, lines)
        yield entry, problems


def read_laws(entry: Entry, lines: list[str]) -> list[str]:
    problems = []
    for line in lines:
        if match := LAW.match(line):
            if match["law"] in entry.laws:
                problems.append(f"{entry.path}: {entry.id}/{match['law']} is stated twice")
            entry.laws[match["law"]] = []
    entry.proofs = {law: [] for law in entry.laws}
    return problems


def special_cases(lines: list[str]) -> list[str]:
    """The special cases of an entry, (a), (b), …, each the first after the one before it."""
    found = SPECIAL_CASES.search("\n".join(lines))
    text, cases = found["cases"] if found else "", []
    for letter in ascii_lowercase:
        _, mark, text = text.partition(f"({letter})")
        if not mark:
            break
        cases.append(mark)
    return cases


def read_trace(entry: Entry, lines: list[str]) -> list[str]:
    """Reads the Trace paragraph of an entry."""
    whose = f"{entry.path}: {entry.id}"
    entry.n_a, entry.no_vectors, problems = reasons(lines, whose)
    unknown = [part for part in entry.no_vectors if part not in entry.vectors]
    return problems + [f'{whose}: "n/a vectors {part}": it has no {part}' for part in unknown]


def shared_reasons(text: str, where: str) -> tuple[dict[str, tuple[str, str]], list[str]]:
    """The Trace paragraph before the first entry of a chapter: what holds for all of them."""
    lines = []
    for _, line in prose(text):
        if HEADING.fullmatch(line):
            break
        lines.append(line)
    n_a, parts, problems = reasons(lines, where)
    problems += [f'{where}: "n/a vectors {part}" stands in no entry' for part in parts]
    return {reading: (why, where) for reading, why in n_a.items()}, problems


def reasons(lines: list[str], whose: str) -> tuple[dict[str, str], dict[str, str], list[str]]:
    """A Trace paragraph: a reason for each reading that does not apply; and what is wrong.

    The second has the reasons of laws and special cases that no vector can have.
    """
    paragraphs = [p for p in "\n".join(lines).split("\n\n") if p.lstrip().startswith(TRACE)]
    n_a: dict[str, str] = {}
    no_vectors: dict[str, str] = {}
    problems = []
    if len(paragraphs) > 1:
        problems.append(f"{whose} has {len(paragraphs)} Trace paragraphs")
    text = "".join(paragraphs[:1]).strip().removeprefix(TRACE).strip()
    if text and not text.startswith("n/a "):
        problems.append(f'{whose}: the Trace paragraph must list "n/a reading: why."')
    for match in NOT_APPLICABLE.finditer(text):
        reading, why = match["reading"], " ".join(match["why"].split())
        parts = re.findall(PART, match["parts"])
        named, said = (parts, no_vectors) if parts else ([reading], n_a)
        what = f"n/a {' '.join([reading, *parts])}"
        if reading not in READINGS:
            problems.append(f'{whose}: "{what}": no such reading')
        elif parts and reading != "vectors":
            problems.append(f'{whose}: "{what}": only vectors are asked for of a part of an entry')
        elif not why.strip(". "):
            problems.append(f'{whose}: "{what}" gives no reason')
        elif set(named) & set(said):
            problems.append(f'{whose}: "{what}" is said twice')
        else:
            said |= dict.fromkeys(named, why)
    return n_a, no_vectors, problems


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The numbered lines of a Markdown text that are not in a fenced block."""
    fence = ""
    for number, line in enumerate(text.splitlines(), start=1):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        elif not fence:
            yield number, line


# Where the IDs are cited


@dataclass(frozen=True)
class Citation:
    """An ID or a law's ID ("RS-DCG-6/L1") cited by a reading, or by a test of no reading ("").

    in_part: by a theorem that states a part of the law
    """

    id: str
    reading: str
    place: Place
    in_part: bool = False


def citations(root: Path) -> Iterator[Citation]:
    """Every citation of an ID by a reading of the spec."""
    for path in sorted((root / "pyref/rankspec/reference").rglob("*.py")):
        yield from in_docstrings(path.read_text("utf-8"), path.relative_to(root).as_posix())
    for path in sorted((root / "csrc").glob("*.[ch]")):
        yield from in_comments(path.read_text("utf-8"), path.relative_to(root).as_posix())
    for path in sorted((root / "tests").rglob("*.py")):
        folder = path.relative_to(root / "tests").parts[0]
        where = path.relative_to(root).as_posix()
        for id_, place in in_marks(path.read_text("utf-8"), where):
            yield Citation(id_, FOLDERS.get(folder, ""), place)
    for path in sorted((root / "proofs").rglob("*.v")):
        yield from in_proofs(path.read_text("utf-8"), path.relative_to(root).as_posix())
    for path in sorted((root / "spec/vectors").glob("*.json")):
        if not path.name.endswith("schema.json"):
            cases = json.loads(path.read_text("utf-8"))
            yield from in_vectors(cases, path.relative_to(root).as_posix())


def in_docstrings(source: str, where: str) -> Iterator[Citation]:
    """The IDs on the "Spec:" lines of docstrings."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            for line in (ast.get_docstring(node) or "").splitlines():
                if line.startswith("Spec:"):
                    for id_ in CITED.findall(line):
                        yield Citation(id_, "reference", Place(where, node.lineno, node.name))


C_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
C_FUNCTION = re.compile(
    r"^(?!typedef|#|\s)[A-Za-z_][\w\s*]*?\b(\w+)\s*\([^;{}]*\)\s*(?=[{;])", re.M
)


def in_comments(source: str, where: str) -> Iterator[Citation]:
    """The IDs in the comments of a C file, each at the function it stands above or in."""
    code = C_COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), source)  # offsets stay
    functions = [(m.start(), m[1]) for m in C_FUNCTION.finditer(code)]
    for comment in C_COMMENT.finditer(source):
        line = source.count("\n", 0, comment.start()) + 1
        name = function_at(comment.end(), code, functions) or Path(where).name
        for id_ in dict.fromkeys(CITED.findall(comment[0])):
            yield Citation(id_, "C", Place(where, line, name))


def function_at(position: int, code: str, functions: list[tuple[int, str]]) -> str | None:
    """The C function that a comment ending at `position` belongs to; None: it is of a constant, a
    type, or the file.
    """
    inside = code.count("{", 0, position) > code.count("}", 0, position)
    before = [name for start, name in functions if start < position]
    after = [(start, name) for start, name in functions if start >= position]
    if after and not re.search(r"[;{}]", code[position : after[0][0]]):
        return after[0][1]
    return before[-1] if before and inside else None


COMMENT = (
    rf"^\(\*\* (?P<ids>{CITED.pattern}(?:,\s+{CITED.pattern})*)%s:\s+"
    r"(?P<text>(?:(?!\*\)).)*?) \*\)\n"
)
STATEMENT = re.compile(
    COMMENT % "(?P<part> in part)?" + r"(?P<kind>[A-Z][a-z]+)\s+(?P<name>[\w']+)",
    re.DOTALL | re.MULTILINE,
)
NOT_PROVED = re.compile(COMMENT % " not proved", re.DOTALL | re.MULTILINE)


def in_proofs(source: str, where: str) -> Iterator[Citation]:
    """The IDs above the definitions and theorems of a file of Coq."""
    for match in STATEMENT.finditer(source):
        line = source.count("\n", 0, match.start("kind")) + 1
        for id_ in re.split(r",\s+", match["ids"]):
            yield Citation(id_, "Coq", Place(where, line, match["name"]), bool(match["part"]))


@dataclass(frozen=True)
class Statement:
    """A definition or a theorem of Coq, without its proof.

    comment: what stands above it, after the IDs; "": of a definition right below another one
    text: itself, as it stands in the file
    """

    place: Place
    comment: str
    text: str


REQUIRE = re.compile(
    r"^From Rankspec(?P<core>\.core)? Require (?P<import>Import )?(?P<names>[^.]+)\.", re.MULTILINE
)


def required(source: str) -> Iterator[tuple[str, str, bool]]:
    """Return what a file of Coq requires of proofs/: a module, its path, and if it is imported."""
    for match in REQUIRE.finditer(source):
        for module in match["names"].split():
            path = f"proofs/{'core/' if match['core'] else ''}{module}.v"
            yield module, path, bool(match["import"])


SENTENCE = re.compile(r"(?P<begin>\(\*)|(?P<end>\*\))|\.(?=\s|$)")
FOLLOWS = re.compile(r" *\n(?P<kind>Definition|Fixpoint)\s+(?P<name>[\w']+)")


def statements(root: Path) -> dict[str, list[Statement]]:
    """Return the statements of proofs/ by the IDs above them, in the order of the files.

    Definitions on the lines right below one belong to the same IDs.
    """
    by_id: dict[str, list[Statement]] = {}
    for path in sorted((root / "proofs").rglob("*.v")):
        source, where = path.read_text("utf-8"), path.relative_to(root).as_posix()
        for match in STATEMENT.finditer(source):
            together = list(at(source, match, where))
            for id_ in re.split(r",\s+", match["ids"]):
                by_id.setdefault(id_, []).extend(together)
    return by_id


def at(source: str, first: re.Match[str], where: str) -> Iterator[Statement]:
    """Return a statement, and the definitions that follow it without a break."""
    match: re.Match[str] | None = first
    while match:
        start = match.start("kind")
        text = sentence(source, start)
        line = source.count("\n", 0, start) + 1
        comment = first["text"] if match is first else ""
        yield Statement(Place(where, line, match["name"]), comment, text)
        match = FOLLOWS.match(source, start + len(text))


def sentence(source: str, start: int) -> str:
    """Return what stands from a place to the first full stop, those of comments and names aside."""
    comments = 0
    for match in SENTENCE.finditer(source, start):
        comments += bool(match["begin"]) - bool(match["end"])
        if match[0] == "." and not comments:
            return source[start : match.end()]
    return source[start:]


def proved_cases(root: Path) -> frozenset[str]:
    """Return the ids of the test vectors that Coq proves, with which the lines of a file begin."""
    path = root / "spec/vectors/proved.txt"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return frozenset(line.split()[0] for line in lines if line[:1] not in ("", "#"))


def read_not_proved(entries: dict[str, Entry], root: Path) -> list[str]:
    """Enters why laws are not proved; returns the reasons of what is no law, or said twice."""
    problems = []
    for path in sorted((root / "proofs").rglob("*.v")):
        for match in NOT_PROVED.finditer(path.read_text("utf-8")):
            for cited in re.split(r",\s+", match["ids"]):
                id_, law = split(cited)
                entry = entries.get(id_)
                if entry is None or law not in entry.laws:
                    problems.append(f"{path.name}: the spec has no law {cited}")
                elif law in entry.not_proved:
                    problems.append(f"{path.name}: {cited} is not proved for two reasons")
                else:
                    entry.not_proved[law] = " ".join(match["text"].split())
    return problems


def unproved(entry: Entry) -> list[str]:
    """The laws without a theorem of all they say, and without a reason; and reasons of others."""
    where = f"{entry.path}:{entry.line}"
    problems = []
    for law, theorems in entry.proofs.items():
        in_full = bool(theorems) and law not in entry.in_part
        if in_full and law in entry.not_proved:
            problems.append(f"{where}: {entry.id}/{law} is proved, and says why it is not")
        elif entry.path in PROVED and not in_full and law not in entry.not_proved:
            problems.append(f"{where}: {entry.id}/{law} is not proved in full, without a reason")
    return problems


def wrong_proofs(root: Path) -> list[str]:
    """The comments of Coq that name an ID in another form, and theorems of other names."""
    problems = []
    for path in sorted((root / "proofs").rglob("*.v")):
        source, where = path.read_text("utf-8"), path.relative_to(root).as_posix()
        read = {m.start() for form in (STATEMENT, NOT_PROVED) for m in form.finditer(source)}
        for match in re.finditer(r"^\(\*\*? RS-", source, re.MULTILINE):
            if match.start() not in read:
                line = source.count("\n", 0, match.start()) + 1
                problems.append(f'{where}:{line}: it must read "(** RS-DCG-1/L1: ... *)"')
        for match in STATEMENT.finditer(source):
            laws = [id_[3:] for id_ in re.split(r",\s+", match["ids"]) if "/" in id_]
            names = [re.sub(r"\W", "_", law) for law in laws]
            if laws and match["kind"] not in ("Theorem", "Corollary"):
                problems.append(f"{where}: {match['name']} is the {match['kind']} of a law")
            elif names and not any(f"{match['name']}_".startswith(f"{x}_") for x in names):
                problems.append(f"{where}: {match['name']} is not named after {match['ids']}")
    return problems


def in_marks(source: str, where: str) -> Iterator[tuple[str, Place]]:
    """The arguments of the spec marks of a test module, each at the function marked.

    An argument that is no string literal is yielded as its source text, which no entry has. What
    functions do is not looked at: most of a module, and no place for a mark.
    """

    def walk(node: ast.AST, name: str) -> Iterator[tuple[str, Place]]:
        children: Iterable[ast.AST] = ast.iter_child_nodes(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = node.name
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            children = node.decorator_list
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.spec"):
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value, Place(where, node.lineno, name)
                else:
                    yield ast.unparse(argument), Place(where, node.lineno, name)
        for child in children:
            yield from walk(child, name)

    yield from walk(ast.parse(source), Path(where).stem)


def in_vectors(value: Any, where: str) -> Iterator[Citation]:
    """The IDs in the "spec" lists of a vector file."""
    if isinstance(value, dict):
        if isinstance(value.get("spec"), list):
            for id_ in value["spec"]:
                yield Citation(str(id_), "vectors", Place(where, 0, str(value.get("id", "?"))))
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from in_vectors(item, where)


# Judging


def place(entries: dict[str, Entry], cited: Iterator[Citation]) -> list[str]:
    """Enters each citation in its entry; returns those that no entry answers to."""
    problems = []
    for citation in cited:
        id_, part = split(citation.id)
        entry = entries.get(id_)
        if entry is None or (part and part not in entry.vectors):
            problems.append(f"{citation.place}: the spec has no {citation.id}")
            continue
        is_test = citation.reading in ("symbolic", "property", "figure", "")
        reading = citation.reading or ("property" if entry.family in DEMANDS else "")
        if reading and citation.place not in entry.places[reading]:
            entry.places[reading].append(citation.place)
        if part in entry.laws and is_test and citation.place not in entry.laws[part]:
            entry.laws[part].append(citation.place)
        if part in entry.laws and reading == "Coq":
            entry.proofs[part].append(citation.place)
            if citation.in_part:
                entry.in_part.add(part)
        if part and reading == "vectors":
            entry.vectors[part].append(citation.place)
    return problems


def split(cited: str) -> tuple[str, str]:
    """The entry's ID and the part of it: "RS-DCG-6/L1" has L1, "RS-DCG-6(a)" has (a)."""
    match = re.fullmatch(rf"({ID.pattern})(?:/(L\d+)|(\([a-z]\)))?", cited)
    return (match[1], match[2] or match[3] or "") if match else (cited, "")


def unknown_in_text(entries: dict[str, Entry], root: Path) -> list[str]:
    """The IDs that prose or the package's text cites and the spec does not have.

    Docstrings of the reference, C comments and marks are `citations`, and judged there.
    """
    paths = [root / "README.md", root / "CHANGELOG.md"]
    for pattern in ("spec/**/*.md", "docs/*.md", "pyref/rankspec/**/*.py"):
        paths += sorted(root.glob(pattern))
    problems = []
    for path in (path for path in paths if path.exists()):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            if line.strip().startswith("Spec:"):
                continue
            for cited in CITED.findall(line):
                id_, _, law = cited.partition("/")
                if id_ not in entries or (law and law not in entries[id_].laws):
                    where = path.relative_to(root).as_posix()
                    problems.append(f"{where}:{number}: the spec has no {cited}")
    return problems


def share(entries: dict[str, Entry]) -> list[str]:
    """Gives each entry the reasons of its chapter that it needs; returns those that none needs."""
    said = {(where, reading) for e in entries.values() for reading, (_, where) in e.shared.items()}
    for entry in entries.values():
        for reading, (why, where) in entry.shared.items():
            if not entry.places[reading] and reading not in entry.n_a:
                entry.n_a[reading] = why
                said.discard((where, reading))
            elif reading == "vectors" and not all(entry.vectors.values()):
                said.discard((where, reading))  # it is for a law, or a special case
    return [f'{where}: "n/a {reading}" is for no entry' for where, reading in sorted(said)]


def gaps(entry: Entry) -> list[str]:
    """What an entry lacks, and what it excuses although it has it."""
    where = f"{entry.path}:{entry.line}"
    problems = [
        f"{where}: {entry.id} has no {' or '.join(group)}"
        for group in entry.demands
        if not any(entry.places[reading] for reading in group)
        and not all(reading in entry.n_a for reading in group)
    ]
    problems += [
        f"{where}: {entry.id} has a {reading}, and says n/a {reading}"
        for reading in entry.n_a
        if entry.places[reading]
    ]
    problems += [
        f"{where}: no test of the law {entry.id}/{law}"
        for law, tests in entry.laws.items()
        if not tests
    ]
    problems += [
        f"{where}: {written(entry.id, part)} has a vector, and says n/a vectors {part}"
        for part in entry.no_vectors
        if entry.vectors.get(part)
    ]
    return problems + no_vectors(entry) + unproved(entry)


def no_vectors(entry: Entry) -> list[str]:
    """The parts of an entry that have neither a vector nor a reason why none can be."""
    where = f"{entry.path}:{entry.line}"
    return [f"{where}: {id_} has no vector" for id_ in entry.without_vectors]


# Printing

WIDTHS = (12, 25, 25, 9, 9, 8, 7)


def lines(table: Table) -> Iterator[str]:
    """The table as text, at most 100 columns wide."""
    yield row("ID", *READINGS)
    for entry in table.entries.values():
        yield row(entry.id, *(cell(entry, reading) for reading in READINGS))
    yield ""
    yield of_vectors(table)
    yield of_proofs(table)
    laws = sum(len(entry.laws) for entry in table.entries.values())
    count = len(table.problems)
    yield (
        f"{len(table.entries)} entries, {laws} laws, "
        + (f"{count} problem{'s' * (count > 1)}:" if count else "no gap.")
    )


def of_vectors(table: Table) -> str:
    """How many entries, laws and special cases have a vector, or a reason why none can be."""
    counts = {kind: [0, 0] for kind in ("entries", "laws", "special cases")}
    for entry in table.entries.values():
        missing = entry.without_vectors
        for id_ in (entry.id, *(written(entry.id, part) for part in entry.vectors)):
            kind = "special cases" if id_.endswith(")") else "laws" if "/" in id_ else "entries"
            counts[kind][0] += id_ not in missing
            counts[kind][1] += 1
    return "With vectors, or why none can be: " + ", ".join(
        f"{having} of {all_} {kind}" for kind, (having, all_) in counts.items()
    )


def of_proofs(table: Table) -> str:
    """Count the entries with a definition or a theorem in Coq, and the laws with a theorem."""
    entries = table.entries.values()
    laws = Counter(entry.proof_of(law) for entry in entries for law in entry.laws)
    stated = sum(bool(entry.places["Coq"]) for entry in entries)
    return (
        f"In Coq: {stated} of {len(entries)} entries; {laws['proved']} of {laws.total()} laws in "
        f"full, {laws['in part']} in part, {laws['not proved']} not; {len(table.proved)} vectors"
    )


def row(*cells: str) -> str:
    return "".join(cell.ljust(w) for cell, w in zip(cells, (*WIDTHS, 0), strict=True)).rstrip()


def cell(entry: Entry, reading: str) -> str:
    """Where a reading is: a function's name, or how many tests or cases there are."""
    places = entry.places[reading]
    if not places:
        if reading in entry.n_a:
            return "n/a"
        demanded = any(
            reading in group and not any(entry.places[r] for r in group) for group in entry.demands
        )
        return "MISSING" if demanded else "-"
    if reading not in ("reference", "C"):
        return str(len(places))
    names = Counter(place.name for place in places)
    name, more = next(iter(names)), len(names) - 1
    suffix = f" +{more}" if more else ""
    width = WIDTHS[1] - 1 - len(suffix)
    return (name if len(name) <= width else name[: width - 1] + "…") + suffix


def main() -> int:
    parser = argparse.ArgumentParser(description="Print the traceability table of the spec.")
    here = Path(__file__).resolve().parents[1]
    parser.add_argument("root", nargs="?", type=Path, default=here, help="the repository")
    parser.add_argument("--vectors", action="store_true", help="list what has no vector")
    arguments = parser.parse_args()
    result = table(arguments.root)
    if arguments.vectors:
        missing = [line for entry in result.entries.values() for line in no_vectors(entry)]
        print("\n".join([*missing, of_vectors(result)]))
        return 0
    print("\n".join(lines(result)))
    for problem in result.problems:
        print(f"  {problem}", file=sys.stderr)
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main())
