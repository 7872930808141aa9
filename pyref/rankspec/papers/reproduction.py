"""What a paper prints beside what its definitions give: as plain data, as text and as JSON.

A module of ``rankspec.papers`` has the figures of one paper and computes them; here is what all
papers share: when a figure is equal, what explains one that is not, and how a page of them reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, TypeAlias

from ..evaluation import render
from ..specification import spec_index

DIGITS = 4
EQUAL = "equal"
POSSIBLE = "possible"
DIFFERS = "differs"
VERDICTS = {
    EQUAL: "equal at the printed precision",
    POSSIBLE: "possible: it can be so, and nothing else that is printed decides it",
    DIFFERS: "differs; nothing explains it",
}
CLAIMS = (
    "The claims, and whether each holds where it was looked at: behind holds and fails stands what "
    "was found there. Where one fails, an ID says why, or it was expected; all else is marked NOT "
    "AS EXPECTED."
)


@dataclass(frozen=True)
class Figure:
    """A figure that a paper prints, and what its definitions give.

    printed: the characters on the page
    value: the double nearest to what the definitions give; None: nothing that is printed gives it
    places: the decimals of the column that it stands in; "3" may be 3.00
    erratum: the ID of the erratum that lists it, if one does
    possible: whether no more is known of it than that it can be so, as the value is one of those
        that there can be
    excluded: whether other printed figures exclude it, as its erratum says, whatever the value is
    """

    printed: str
    value: float | None
    places: int
    erratum: str | None = None
    possible: bool = False
    excluded: bool = False

    @property
    def equal(self) -> bool:
        """Whether the value, rounded to the places (a half up), is as printed."""
        if self.value is None:
            return False
        rounded = Decimal(self.value).quantize(Decimal(1).scaleb(-self.places), ROUND_HALF_UP)
        return rounded == Decimal(self.printed)

    @property
    def verdict(self) -> str:
        """ "equal", the ID of the erratum, or "differs": what nothing explains; or "possible"."""
        if self.possible:
            return POSSIBLE
        return EQUAL if self.equal and not self.excluded else self.erratum or DIFFERS


Cell: TypeAlias = Figure | float | int | str | None
"""A figure that is printed, a value or a number that no page has, words that are only told, or a
blank."""


@dataclass(frozen=True)
class Table:
    """A table of the paper: each row with its label and a cell for each name of the header.

    Spaces before labels, and before the corner, align them in text, and are no part of them.
    """

    title: str
    corner: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]

    def figures(self) -> Iterator[tuple[str, str, Figure]]:
        """(row, column, figure) of each cell that is one."""
        for label, cells in self.rows:
            for name, cell in zip(self.header, cells, strict=True):
                if isinstance(cell, Figure):
                    yield label, name, cell


@dataclass(frozen=True)
class Check:
    """Whether a claim holds where it was looked at, and whether that was expected.

    fact: where, and what was found there, if it is as expected; never the claim over again
    holds: whether the claim does, there
    expected: None of data that are not the paper's, which bear it out or do not
    spec: the IDs of what proves it, or of the erratum
    """

    fact: str
    holds: bool
    expected: bool | None
    spec: tuple[str, ...] = ()

    @property
    def unexpected(self) -> bool:
        return self.expected not in (None, self.holds)


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, and what was found where it was looked at."""

    where: str
    claim: str
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class NotRecomputed:
    """What a paper prints or draws that cannot be computed again.

    where: the tables, figures or the section
    what: what stands there
    figures: how many printed figures have no verdict for it; 0 of what is drawn, and of figures
        that are judged by others, as what they can be
    why: what is missing
    """

    where: str
    what: str
    figures: int
    why: str


@dataclass(frozen=True)
class Paper:
    """A paper: its name in the bibliography of spec/index.md, and how its figures are computed.

    contents: which tables and claims are reproduced
    compute: the tables and the claims, by a backend and what of the options is given
    options: the names of what it can be told
    errata: what each erratum says of the figures that it lists, in a clause
    not_recomputed: what cannot be computed again, from ``rankspec.papers.not_recomputed``
    """

    name: str
    authors: str
    title: str
    year: int
    contents: str
    compute: Callable[..., tuple[Sequence[Table], Sequence[Claim]]]
    options: tuple[str, ...] = ()
    errata: Mapping[str, str] = field(default_factory=dict)
    not_recomputed: tuple[NotRecomputed, ...] = ()

    def about(self) -> dict[str, Any]:
        """All but the way to compute it, as plain data."""
        return {
            "paper": self.name,
            "authors": self.authors,
            "title": self.title,
            "year": self.year,
            "contents": self.contents,
            "not_recomputed": [asdict(missing) for missing in self.not_recomputed],
        }


@dataclass(frozen=True)
class Reproduction:
    """A paper with each of its tables and claims computed; prints as a page of text."""

    paper: Paper
    tables: tuple[Table, ...]
    claims: tuple[Claim, ...]

    @property
    def verdicts(self) -> dict[str, int]:
        """How many figures are equal, how many each erratum lists, how many can be so, how many
        nothing explains.
        """
        found = [figure.verdict for table in self.tables for _, _, figure in table.figures()]
        listed = sorted(set(found) - {EQUAL, DIFFERS}, key=_order)
        return {verdict: found.count(verdict) for verdict in (EQUAL, *listed, DIFFERS)}

    @property
    def unexplained(self) -> int:
        """How many figures and checks are neither as expected nor in an erratum: should be 0."""
        checks = [check for claim in self.claims for check in claim.checks]
        return self.verdicts[DIFFERS] + sum(check.unexpected for check in checks)

    @property
    def counts(self) -> dict[str, int]:
        """The printed figures by what became of them, and the checks of claims likewise."""
        verdicts = self.verdicts
        plain = {name: verdicts.get(name, 0) for name in (EQUAL, POSSIBLE, DIFFERS)}
        checks = [check for claim in self.claims for check in claim.checks]
        failed = [check for check in checks if not check.holds and not check.unexpected]
        in_errata = sum(any(map(_is_erratum, check.spec)) for check in failed)
        return {
            "equal": plain[EQUAL],
            "errata": sum(verdicts.values()) - sum(plain.values()),
            "possible": plain[POSSIBLE],
            "not recomputed": sum(missing.figures for missing in self.paper.not_recomputed),
            "checks hold": sum(check.holds and not check.unexpected for check in checks),
            "checks fail by errata": in_errata,
            "checks fail as expected": len(failed) - in_errata,
            "unexplained": self.unexplained,
        }

    @property
    def further_errata(self) -> dict[str, str]:
        """The errata of the paper that no table and no claim cites: {ID: where, and what}."""
        cited = set(re.findall("RS-ERR-[0-9]+", str((self.tables, self.claims))))
        name = self.paper.name
        return {
            entry["id"]: entry["title"].removeprefix(name).lstrip(",: ")
            for entry in spec_index()["entries"]
            if _is_erratum(entry["id"])
            and entry["title"].startswith(name)
            and entry["id"] not in cited
        }

    def to_dict(self) -> dict[str, Any]:
        """The reproduction as plain data, as JSON has it."""
        return {
            **self.paper.about(),
            "verdicts": self.verdicts,
            "unexplained": self.unexplained,
            "tables": [
                {
                    "title": table.title,
                    "corner": table.corner.strip(),
                    "header": table.header,
                    "rows": [
                        {"label": label.strip(), "cells": [_plain(cell) for cell in cells]}
                        for label, cells in table.rows
                    ],
                }
                for table in self.tables
            ],
            "claims": [asdict(claim) for claim in self.claims],
            "further_errata": self.further_errata,
        }

    def __str__(self) -> str:
        return text(self)


def _is_erratum(spec: str) -> bool:
    return spec.startswith("RS-ERR-")


def _plain(cell: Cell) -> Any:
    return asdict(cell) | {"verdict": cell.verdict} if isinstance(cell, Figure) else cell


def json(found: Reproduction, **about: Any) -> str:
    """JSON, all numbers as doubles that round-trip."""
    from json import dumps

    return dumps({**about, **found.to_dict()}, indent=2, ensure_ascii=False) + "\n"


def text(found: Reproduction, digits: int = DIGITS) -> str:
    """Tables and claims, in lines of at most 80 characters."""
    blocks = ["\n".join(_title(found.paper))]
    blocks += [_table(table, digits, found.paper.errata) for table in found.tables]
    if found.claims:
        blocks.append("\n".join(render.wrapped(CLAIMS)))
    blocks += ["\n".join(_claim(claim)) for claim in found.claims]
    if found.further_errata:
        blocks.append("\n".join(_further_errata(found)))
    if found.paper.not_recomputed:
        blocks.append("\n".join(_not_recomputed(found.paper)))
    return "\n\n".join([*blocks, "\n".join(_summary(found))])


def _title(paper: Paper) -> Iterator[str]:
    indent = " " * (len(paper.name) + 2)
    yield from render.wrapped(f"{paper.name}: {paper.authors}, {paper.year}", indent)
    yield from render.wrapped(f"{indent}{paper.title}", indent)


def _table(table: Table, digits: int, errata: Mapping[str, str]) -> str:
    widest = max((len(figure.printed) for _, _, figure in table.figures()), default=0)
    marks = {figure.verdict: _mark(figure.verdict) for _, _, figure in table.figures()}
    width = max(map(len, marks.values()), default=0)
    lines = [*render.wrapped(table.title, "  "), ""]
    if marks:
        lines.append("Each figure as printed, by the definitions, and the verdict:")
        lines += [
            f"  {marks[v]:{width}}  {VERDICTS.get(v) or f'{errata[v]} ({v})'}"
            for v in sorted(marks, key=_order)
        ]
        lines.append("")

    def written(cell: Cell) -> str:
        if cell is None:
            return ""
        if isinstance(cell, (int, str)):
            return str(cell)
        if isinstance(cell, float):
            return f"{cell:.{digits}f}"
        ours = "-" if cell.value is None else f"{cell.value:.{digits}f}"
        return f"{cell.printed:>{widest}} {ours} {marks[cell.verdict]:{width}}"

    if not table.rows:
        return "\n".join(lines[:-1])
    rows = [(label, [written(cell) for cell in cells]) for label, cells in table.rows]
    columns = render.columns(table.corner, table.header, rows)
    lines += [line.rstrip() for line in columns.splitlines()]
    return "\n".join(lines)


def _mark(verdict: str) -> str:
    """A verdict where there is little room: "=", "E3" for RS-ERR-3, "~" or "!"."""
    marks = {EQUAL: "=", POSSIBLE: "~", DIFFERS: "!"}
    return marks.get(verdict, "E" + verdict.rpartition("-")[2])


def _order(verdict: str) -> tuple[int, int, str]:
    """Of a verdict: equal, errata by their numbers, possible, what nothing explains."""
    return {EQUAL: 0, POSSIBLE: 2, DIFFERS: 3}.get(verdict, 1), len(verdict), verdict


def _claim(claim: Claim) -> Iterator[str]:
    yield from render.wrapped(f"{claim.where}: {claim.claim}", "  ")
    for check in claim.checks:
        answer = "holds" if check.holds else "fails"
        unexpected = "NOT AS EXPECTED, which is: " if check.unexpected else ""
        cited = check.spec or ("as expected",) * (check.expected is False and not check.holds)
        spec = f" ({', '.join(cited)})" if cited else ""
        yield from render.wrapped(f"  {answer:7}{unexpected}{check.fact}{spec}", " " * 9)


def _further_errata(found: Reproduction) -> Iterator[str]:
    yield "Further errata, of what is in no table and no claim above:"
    for id_, title in found.further_errata.items():
        yield from render.wrapped(f"  {id_}, {title}", "    ")


def _summary(found: Reproduction) -> Iterator[str]:
    counts = found.verdicts
    listed = [f"{n} {verdict}" for verdict, n in counts.items() if n or verdict == EQUAL]
    number = sum(counts.values())
    checks = sum(len(claim.checks) for claim in found.claims)
    yield from render.wrapped(
        f"{_number_of(number)}: {', '.join(listed)}. {checks} checks of claims."
    )
    if found.unexplained:
        yield f"{found.unexplained} of them: neither as expected nor an erratum."


def _number_of(figures: int) -> str:
    return "1 figure" if figures == 1 else f"{figures} figures"


def _not_recomputed(paper: Paper, indent: str = "") -> Iterator[str]:
    yield f"{indent}Not recomputed:"
    for missing in paper.not_recomputed:
        number = f" ({_number_of(missing.figures)})" if missing.figures else ""
        line = f"{indent}  {missing.where}: {missing.what}{number}. Why: {missing.why}."
        yield from render.wrapped(line, f"{indent}    ")


COUNTS = {
    "equal": "equal",
    "errata": "errata",
    "possible": "possible",
    "not recomputed": "not recomp.",
    "checks hold": "hold",
    "checks fail by errata": "errata",
    "checks fail as expected": "fail",
}
ABOUT_COUNTS = (
    "The printed figures: equal at the printed precision, listed in spec/errata.md, possible (no "
    "more can be known), not recomputed. Then the checks of claims: those that hold, those that "
    "fail by an erratum, those that fail as was expected."
)


def papers_table(reproductions: Sequence[Reproduction]) -> str:
    """The papers, counted; then of each name, title, what is reproduced, and what is not."""
    rows = [
        (found.paper.name, [f"{found.counts[name]}" for name in COUNTS]) for found in reproductions
    ]
    lines = [render.columns("paper", tuple(COUNTS.values()), rows), ""]
    lines += [*render.wrapped(ABOUT_COUNTS), ""]
    for found in reproductions:
        if found.unexplained:
            name, number = found.paper.name, found.unexplained
            lines += [f"{name}: {number} neither as expected nor an erratum", ""]
    for found in reproductions:
        lines += [*_described(found.paper), ""]
    return "\n".join(lines)


def _described(paper: Paper) -> Iterator[str]:
    yield from render.wrapped(f"{paper.name}: {paper.title}", "  ")
    yield from render.wrapped(f"  {paper.contents}", "  ")
    if paper.not_recomputed:
        yield from _not_recomputed(paper, "  ")


def papers_json(reproductions: Sequence[Reproduction]) -> str:
    """The papers and their counts as JSON."""
    from json import dumps

    papers = [{**found.paper.about(), "counts": found.counts} for found in reproductions]
    return dumps(papers, indent=2, ensure_ascii=False) + "\n"
