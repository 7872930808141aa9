"""Tables for papers and programs: LaTeX, Markdown, cells divided by commas or tabs.

What evaluations and comparisons have in common: each makes its tables once, and these write them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from ..records import record, replace
from ..text import printable, short_lists
from .render import OfTwo, one_cell

LATEX = "tables for LaTeX, with booktabs"
MARKDOWN = "tables for Markdown"
CSV = "lines of cells divided by commas, for programs"


@record()
class Grid:
    """A table: its title, what the first column is of, the other columns, and rows.

    of_names: the cells are names, which a page in 80 columns may shorten
    """

    title: str
    corner: str
    header: list[str]
    rows: list[tuple[str, list[str]]]
    of_names: bool = False


def for_people(grids: Iterable[Grid], notes: Iterable[str]) -> tuple[list[Grid], list[str]]:
    """Return tables and notes with long lists of numbers in names cut (RS-CONV-35)."""
    grids, notes = list(grids), list(notes)
    texts = [text for grid in grids for text in _names_in(grid)] + notes
    short = dict(zip(texts, short_lists(texts), strict=True))

    def cut(text: str) -> str:
        if isinstance(text, OfTwo):
            return OfTwo(*(short[name] for name in text.names))
        return short.get(text, text)

    changed = [
        replace(
            grid,
            title=cut(grid.title),
            header=[cut(x) for x in grid.header],
            rows=[(cut(label), [cut(x) for x in cells]) for label, cells in grid.rows],
        )
        for grid in grids
    ]
    return changed, [cut(note) for note in notes]


def _names_in(grid: Grid) -> list[str]:
    """Return the names in a table, and its texts with names."""
    names = [grid.title, *grid.header]
    for label, cells in grid.rows:
        names += label.names if isinstance(label, OfTwo) else [label]
        names += cells if grid.of_names else []
    return names


def pipe_tables(grids: Iterable[Grid], notes: Iterable[str]) -> str:
    """Tables for Markdown, with notes."""
    grids, notes = for_people(grids, notes)
    blocks = []
    for grid in grids:
        rows = [[grid.corner, *grid.header], *([name, *cells] for name, cells in grid.rows)]
        lines = [f"| {' | '.join(_each(_in_markdown, row))} |" for row in rows]
        lines.insert(1, f"|---|{'---:|' * len(grid.header)}")
        blocks.append("\n".join([f"**{_in_markdown(grid.title)}**", "", *lines]))
    blocks.append("\n".join(f"- {_in_markdown(note)}" for note in notes))
    return "\n\n".join(blocks) + "\n"


def _each(change: Callable[[str], str], cells: Sequence[str]) -> list[str]:
    return [change(cell.strip()) for cell in cells]


def _in_markdown(text: str) -> str:
    text = printable(one_cell(text))
    for c in "\\|*_`<[&~":
        text = text.replace(c, f"\\{c}")
    return text


def booktabs(grids: Iterable[Grid], notes: Iterable[str]) -> str:
    """Tables for LaTeX, with the rules of booktabs; notes are comments."""
    grids, notes = for_people(grids, notes)
    blocks = ["\n".join(["% \\usepackage{booktabs}", *(f"% {_line(x)}" for x in notes)])]
    for grid in grids:
        rows = [f"{' & '.join(_each(_in_latex, [name, *cells]))} \\\\" for name, cells in grid.rows]
        head = f"{' & '.join(_each(_in_latex, [grid.corner, *grid.header]))} \\\\"
        blocks.append(
            "\n".join(
                [
                    f"% {_line(grid.title)}",
                    f"\\begin{{tabular}}{{l{'r' * len(grid.header)}}}",
                    "\\toprule",
                    head,
                    "\\midrule",
                    *rows,
                    "\\bottomrule",
                    "\\end{tabular}",
                ]
            )
        )
    return "\n\n".join(blocks) + "\n"


def _line(text: str) -> str:
    """The text in one line, of characters that TeX reads."""
    return printable(" ".join(text.split()))


IN_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"$<$", ">": r"$>$", "*": r"$^{*}$", "[": r"{[}",
}  # fmt: skip
"""A bracket that begins a row would be an argument of the line break before it."""

NUMBER = r"-?[0-9.]+(e[+-]?[0-9]+)?"
INTERVAL = rf"\[{NUMBER}, {NUMBER}\]"


def _in_latex(text: str) -> str:
    if re.fullmatch(INTERVAL, text):
        return f"${text}$"  # its minus is no hyphen
    sign = {"+": "$+$", "-": "$-$"}.get(text[:1], "") if text[1:2].isdigit() else ""
    body = text[1:] if sign else text
    return sign + "".join(IN_LATEX.get(c, c) for c in _line(body))


def comma_separated(rows: Iterable[Sequence[str]]) -> str:
    """Lines of cells divided by commas; a cell with commas, quotes or line ends is quoted."""
    return "".join(f"{','.join(map(_in_csv, row))}\n" for row in rows)


def _in_csv(cell: str) -> str:
    """The cell as CSV has it: csv.writer of some Pythons quotes its own line end alone."""
    if any(c in cell for c in ',"\r\n'):
        doubled = cell.replace('"', '""')
        return f'"{doubled}"'
    return cell


def tab_separated(rows: Iterable[Sequence[str]]) -> str:
    """Lines of cells divided by tabs, which no cell has."""
    return "".join("\t".join(map(one_cell, row)) + "\n" for row in rows)
