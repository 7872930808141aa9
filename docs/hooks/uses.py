"""Definitions of proofs/ that a statement uses, and those that these use in turn.

A name is that of the file itself, above the statement, or else of the last file that it imports and
that has the name, as in Coq. What comes from Coq's library is left out, and so are the names that
the statement binds itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
BEGIN = re.compile(r"^(?:Definition|Fixpoint|Inductive|Record)\s+(?P<name>[\w']+)", re.MULTILINE)
CONSTRUCTOR = re.compile(r"(?::=|\|)\s*(\w+)")
FIELD = re.compile(r"[{;]\s*(\w+)\s*:")
BINDS = re.compile(r"\b(?:forall|exists|fun|let)\s+(.*?)(?=,|:=|=>|:\s)", re.DOTALL)
NAME = re.compile(r"(?<![\w'.%])(?:(?P<module>[A-Z]\w*)\.)?(?P<name>[A-Za-z_][\w']*)")


@dataclass(frozen=True)
class Source:
    """A file of proofs/.

    definitions: the statements that begin a line, in their order, with the names that each has
    imports: the files whose names it has, the last first; by_name: also those that it only requires
    """

    path: str
    definitions: list[tuple[Any, set[str]]]
    imports: list[str]
    by_name: dict[str, str]


class Sources:
    """The files of proofs/, in the order in which they need each other."""

    def __init__(self, root: Path, trace: Any) -> None:
        self.files = {
            (folder / line).relative_to(root).as_posix(): source_of(root, folder / line, trace)
            for folder in (root / "proofs", root / "proofs/core")
            if (folder / "_CoqProject").exists()
            for line in (folder / "_CoqProject").read_text("utf-8").splitlines()
            if line.endswith(".v")
        }

    def used(self, statements: Iterable[Any]) -> list[Any]:
        """Return the definitions that some statements use, in the order of the files."""
        own = list(statements)
        uses: dict[tuple[str, int], Any] = {}
        left = list(own)
        while left:
            for definition in self.named_in(left.pop()):
                key = (definition.place.path, definition.place.line)
                if key not in uses:
                    uses[key] = definition
                    left.append(definition)
        for statement in own:
            uses.pop((statement.place.path, statement.place.line), None)
        order = list(self.files)
        return sorted(uses.values(), key=lambda x: (order.index(x.place.path), x.place.line))

    def named_in(self, statement: Any) -> Iterator[Any]:
        """Return the definitions that a statement names."""
        text = COMMENT.sub(" ", statement.text)
        head = re.split(r":=|:(?!=)", re.sub(r"\([^()]*:[^()]*\)", " ", text), maxsplit=1)[0]
        bound = set(re.findall(r"[\w']+", " ".join([head, *BINDS.findall(text)])))
        bound |= set(re.findall(r"[({]\s*([\w' ]+?)\s*:(?!=)", text))
        bound = {name for names in bound for name in names.split()}
        for match in NAME.finditer(text):
            if match["name"] in bound and not match["module"]:
                continue
            if definition := self.of(match["module"], match["name"], statement):
                yield definition

    def of(self, module: str | None, name: str, statement: Any) -> Any:
        """Return the definition that a name has in a statement; None: it is none of proofs/."""
        here = self.files[statement.place.path]
        if module:
            return last(self.files.get(here.by_name.get(module, "")), name)
        itself = statement.text.startswith("Inductive")  # which has names of its own
        own = last(here, name, statement.place.line + itself)
        others = (last(self.files.get(path), name) for path in here.imports)
        return own or next(filter(None, others), None)


def last(source: Source | None, name: str, above: float = float("inf")) -> Any:
    """Return the last definition of a name in a file, above a line."""
    definitions = source.definitions if source else []
    of_name = [x for x, names in definitions if name in names and x.place.line < above]
    return of_name[-1] if of_name else None


def source_of(root: Path, path: Path, trace: Any) -> Source:
    text, where = path.read_text("utf-8"), path.relative_to(root).as_posix()
    plain = COMMENT.sub(lambda comment: re.sub(r"[^\n]", " ", comment[0]), text)  # places stay
    definitions = []
    for begin in BEGIN.finditer(plain):
        statement = trace.Statement(
            trace.Place(where, plain.count("\n", 0, begin.start()) + 1, begin["name"]),
            "",
            trace.sentence(text, begin.start()),
        )
        names = {begin["name"]}
        if begin[0].startswith(("Inductive", "Record")):
            names |= set(CONSTRUCTOR.findall(statement.text))
        if begin[0].startswith("Record"):
            names |= set(FIELD.findall(statement.text))
        definitions.append((statement, names))
    by_name, imports = {}, []
    for module, file, imported in trace.required(plain):
        by_name[module] = file
        imports += [file] if imported else []
    return Source(where, definitions, imports[::-1], by_name)
