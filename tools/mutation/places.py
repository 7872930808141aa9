"""Places of source files at which a mutation can be planted, and the mutants drawn from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

# By operator, of Python and of C alike, the operators that may stand in its place.
OPERATORS: dict[str, tuple[str, ...]] = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
    "==": ("!=",), "!=": ("==",), "is": ("is not",), "is not": ("is",),
    "in": ("not in",), "not in": ("in",), "and": ("or",), "or": ("and",),
    "&&": ("||",), "||": ("&&",), "&": ("|",), "|": ("&",), "^": ("&",),
    "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "//": ("*",), "%": ("*",), "**": ("*",),
    "<<": (">>",), ">>": ("<<",), "+=": ("-=",), "-=": ("+=",), "*=": ("+=",), "/=": ("*=",),
    "//=": ("*=",), "%=": ("*=",), "|=": ("&=",), "&=": ("|=",), "^=": ("|=",),
    "<<=": (">>=",), ">>=": ("<<=",),
}  # fmt: skip


@dataclass(frozen=True)
class Place:
    """A piece of a source file, from start to end, and the texts that may stand in its place.

    statement: where the innermost statement around it begins
    """

    start: int
    end: int
    replacements: tuple[str, ...]
    statement: int


@dataclass(frozen=True)
class Mutant:
    """One replacement in one file, found again by the text of its line wherever that now stands.

    line, first: the numbers, from 1, of its line and of the first line of its statement
    """

    file: str
    line: int
    column: int
    text: str
    original: str
    replacement: str
    first: int

    def __str__(self) -> str:
        short = [" ".join(x.split()) for x in (self.original, self.replacement)]
        before, after = (x if len(x) <= 50 else f"{x[:47]}..." for x in short)
        return f"{self.file}:{self.line}:{self.column + 1}: {before} -> {after or '(nothing)'}"

    def moved(self, source: str) -> Mutant | None:
        """Return the mutant as it stands in source: at the nearest line of the same text."""
        rows = enumerate(source.split("\n"), 1)
        same = [number for number, row in rows if row == self.text]
        moved = [replace(self, line=n, first=n - self.line + self.first) for n in same]
        there = [x for x in moved if source.startswith(self.original, x._start(source))]
        return min(there, key=lambda x: abs(x.line - self.line), default=None)

    def planted(self, source: str) -> str:
        """Return source with the replacement in it; its line must be at its number."""
        start = self._start(source)
        return source[:start] + self.replacement + source[start + len(self.original) :]

    def _start(self, source: str) -> int:
        rows = source.split("\n")[: self.line - 1]
        return sum(map(len, rows)) + len(rows) + self.column


def mutants_of(file: str, source: str, places: Iterable[Place]) -> list[list[Mutant]]:
    """Return all mutants of a file, those of a line together."""
    by_line: dict[int, list[Mutant]] = defaultdict(list)
    rows = source.split("\n")
    for place in places:
        line = source.count("\n", 0, place.start) + 1
        column = place.start - source.rfind("\n", 0, place.start) - 1
        first = source.count("\n", 0, place.statement) + 1
        original = source[place.start : place.end]
        by_line[line] += [
            Mutant(file, line, column, rows[line - 1], original, replacement, first)
            for replacement in place.replacements
        ]
    return [by_line[line] for line in sorted(by_line)]


def draw(languages: Mapping[str, Sequence[Sequence[Mutant]]], seed: int) -> Iterator[Mutant]:
    """Yield mutants: a language by a coin, then a line of it, each once, then one of its mutants.

    More from one seed begin with the same ones. Lines are equally likely, and not mutants, so that
    a table of many numbers does not outweigh an equation.
    """
    random = Random(seed)  # noqa: S311
    left = {name: random.sample(lines, len(lines)) for name, lines in sorted(languages.items())}
    while names := [name for name, lines in left.items() if lines]:
        yield random.choice(left[random.choice(names)].pop())
