"""What results are written with: cells, columns in the width of a page, numbers, lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from math import isnan, nan

from ..errors import InputError
from ..text import beginning, cells_of, ending, printable, short_lists, shortened
from ..typed import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..metrics.measure import Measure

ValueRow = tuple[str, list[float | None]]

ALL = "all"  # what programs that read lines know the mean by
WIDTH = 80
GAP = "  "
LONGEST_COLUMN = 48  # where the first column is wide too
SHORTEST_LABEL = 12  # to which a name in the first column is shortened
BETWEEN = " - "  # the two names of a label
LONGEST_HEADING = 24  # of a measure; a longer one stands under the table
LONGEST_DEFINITION = 4 * WIDTH


PAGE = "for people, in 80 columns"
LINES = "lines of cells divided by tabs, for programs"
JSON = "data, with all digits of each number, for programs"
JSON_LINES = "a JSON object a line, with all digits of each number, for programs"
PARQUET = "a Parquet file of doubles, for programs; it needs -o"

ALL_DIGITS = ("json", "jsonl", "parquet")
"""The formats whose numbers are doubles as they are, whatever --digits says."""

SUFFIXES = {
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".tex": "latex",
    ".tsv": "tsv",
}
"""The format that the name of a file asks for, by how it ends."""


class Output(NamedTuple):
    """An output format of a command.

    name: as it is asked for; about: what it is, in a line
    write: (what was found, decimals, what JSON says that it is of; options of the command) ->
        the whole text, or file
    digits: how many decimals there are by default; None: as many as each double needs
    binary: it is no text; write gives bytes, for a file
    """

    name: str
    about: str
    write: Callable[..., str | bytes]
    digits: int | None = None
    binary: bool = False


def printed(
    outputs: Iterable[Output],
    name: str,
    found: Any,
    digits: int | None = None,
    about: Mapping[str, Any] | None = None,
    **options: Any,
) -> str | bytes:
    """What was found, in the output format of that name; the arguments: see Output."""
    output = next(known for known in outputs if known.name == name)
    return output.write(found, output.digits if digits is None else digits, about or {}, **options)


def json_of(document: Any) -> str:
    """Plain data as JSON, all numbers as doubles that round-trip."""
    from json import dumps  # costs start-up time

    return dumps(document, indent=2) + "\n"


def name_of_mean(names: Iterable[str]) -> str:
    """What the row of the mean is called in a table: as none of the other rows (RS-CONV-35)."""
    return name_beside("mean", names)


def name_beside(name: str, names: Iterable[str]) -> str:
    """The name, in as many brackets as tell it from all the others (RS-CONV-35)."""
    names = set(names)
    while name in names:
        name = f"({name})"
    return name


def rows_of(
    names: Iterable[str],
    by_measure: Mapping[str, Mapping[str, float]],
    mean: str,
    means: Mapping[str, float],
) -> list[ValueRow]:
    """(name, values of all measures) of queries, say, and the means last, under the given name.

    None: there is no value (RS-CONV-4), or no mean, as none has one. An InputError where a name
    is what the mean is known by (RS-CONV-35).
    """
    names = list(names)
    if mean == ALL and ALL in names:
        raise InputError(
            f'"{ALL}" is the name of a query or session, but also of the mean in this format; '
            "use --format json or table, which tell the two apart (RS-CONV-35)"
        )
    rows: list[ValueRow] = [
        (x, [or_none(values.get(x, nan)) for values in by_measure.values()]) for x in names
    ]
    return [*rows, (mean, list(map(or_none, means.values())))]


def or_none(mean: float) -> float | None:
    """A value or a mean, or None where there is none, which is NaN in a result."""
    return None if isnan(mean) else mean


def headings(measures: Sequence[Measure]) -> tuple[list[str], list[str]]:
    """What columns of these measures are called; and, in at most one block, what is short for what.

    A name that is too long for a column is there without its parameters, and has a number.
    """
    written = list(map(str, measures))
    long = [name for name in written if len(name) > LONGEST_HEADING]
    number = {name: f"[{n}]" for n, name in enumerate(long, start=1)}
    header = [
        f"{measure.metric.in_short(measure)} {number[name]}" if name in number else name
        for measure, name in zip(measures, written, strict=True)
    ]
    shown = told_apart(short_lists(long), LONGEST_DEFINITION)
    lines = [
        line
        for name, text in zip(long, shown, strict=True)
        for line in wrapped(f"{number[name]} {text}", " " * (len(number[name]) + 1))
    ]
    return header, ["\n".join(lines)] if lines else []


def tables(
    systems: Mapping[str, Sequence[ValueRow]],
    header: Sequence[str],
    digits: int,
    of: str,
    each: str | None,
) -> list[str]:
    """A table of the means, a row a system; or a table a system, of all of its rows.

    of, each: what systems are, and what the other rows are of; None: there are but means
    """
    fixed = {
        name: [(label, [short_cell(x, digits) for x in values]) for label, values in rows]
        for name, rows in systems.items()
    }
    if each is None:
        return [columns(of, header, [(name, rows[-1][1]) for name, rows in fixed.items()])]
    blocks = [columns(each, header, rows) for rows in fixed.values()]
    if len(systems) == 1:
        return blocks
    titles = told_apart(list(systems), WIDTH)
    return [f"{title}\n{block}" for title, block in zip(titles, blocks, strict=True)]


def lines_of(
    systems: Mapping[str, Sequence[ValueRow]], header: Sequence[str], digits: int | None
) -> list[list[str]]:
    """Lines of system, name and values, each as its cells."""
    lines = [list(header)]
    for system, rows in systems.items():
        for name, values in rows:
            lines.append([system, name, *(cell(x, digits, none="") for x in values)])
    return lines


def cell(x: float | None, digits: int | None, none: str = "-") -> str:
    """A number as a cell; without a number of digits all that are its own."""
    if x is None:
        return none
    return repr(x) if digits is None else f"{x:.{digits}f}"


def short_cell(x: float | None, digits: int | None) -> str:
    """The same for a person, who reads no 300 digits: a very large one with an exponent."""
    if x is None or digits is None or abs(x) < LARGEST_WHOLE:
        return cell(x, digits)
    return f"{x:.{max(digits, 1)}e}"


def one_cell(text: str) -> str:
    """The text without the characters that divide cells and lines."""
    return text.translate({ord(c): " " for c in "\t\n\r"})


def wrapped(line: str, indent: str = "") -> list[str]:
    """The line in as many as it needs, those after the first indented; a colon ends none."""
    if cells_of(line) <= WIDTH:
        return [line]
    from textwrap import wrap  # costs start-up time

    whole = line.replace(": ", ":\0")
    if not line.isascii():  # for textwrap, a wide character and a mark behind it are two
        whole = "".join(c + "\1" * (cells_of(c) - 1) for c in whole)
    # A line may end between a wide character and its mark, and is then a cell wider.
    width = WIDTH - ("\1" in whole)
    found = wrap(whole, width, subsequent_indent=indent, break_on_hyphens=False)
    return [part.replace("\0", " ").replace("\1", "") for part in found]


class OfTwo(str):
    """The label of a row that is of two names; each of them is shortened by itself."""

    names: tuple[str, str]

    def __new__(cls, first: str, second: str) -> OfTwo:
        made = super().__new__(cls, f"{first}{BETWEEN}{second}")
        made.names = first, second
        return made


def columns(
    corner: str,
    header: Sequence[str],
    rows: Sequence[tuple[str, Sequence[str]]],
    names_in_cells: bool = False,
) -> str:
    """Aligned columns, the first to the left and the others to the right.

    What does not fit into the width continues in another block below, with the first column
    repeated; a label that is too long is shortened.

    names_in_cells: the cells are names, and shortened too; a number never is
    """
    labels = [corner, *(label for label, _ in rows)]
    widest = max(WIDTH - len(GAP) - max(map(cells_of, labels)), LONGEST_COLUMN)
    header = told_apart(header, widest)
    if names_in_cells:
        rows = _with_names_told_apart(rows, widest)
    widths = [
        max(cells_of(name), *(cells_of(cells[i]) for _, cells in rows))
        for i, name in enumerate(header)
    ]
    room = WIDTH - len(GAP) - max(widths, default=0)
    labels = _labels_told_apart(labels, max(room, SHORTEST_LABEL))
    first = max(map(cells_of, labels))
    blocks, begin = [], 0
    while begin < len(header):
        end, used = begin + 1, first + len(GAP) + widths[begin]
        while end < len(header) and used + len(GAP) + widths[end] <= WIDTH:
            used += len(GAP) + widths[end]
            end += 1
        lines = [(labels[0], header), *zip(labels[1:], (cells for _, cells in rows), strict=True)]
        blocks.append(
            "\n".join(
                GAP.join(
                    [
                        f"{label}{_blanks(label, first)}",
                        *(f"{_blanks(cells[i], widths[i])}{cells[i]}" for i in range(begin, end)),
                    ]
                )
                for label, cells in lines
            )
        )
        begin = end
    return "\n\n".join(blocks)


def _with_names_told_apart(
    rows: Sequence[tuple[str, Sequence[str]]], width: int
) -> list[tuple[str, Sequence[str]]]:
    """The rows, with the names in their cells shortened so that those which differ still do."""
    names = [name for _, cells in rows for name in cells]
    told = dict(zip(names, told_apart(names, width), strict=True))
    return [(label, [told[name] for name in cells]) for label, cells in rows]


def _labels_told_apart(labels: Sequence[str], width: int) -> list[str]:
    """The labels, shortened so that those which differ still do, and as they are made up."""
    of_two = [label for label in labels if isinstance(label, OfTwo)]
    others = [label for label in labels if not isinstance(label, OfTwo)]
    told = dict(zip(others, told_apart(others, width), strict=True)) | _two_told_apart(
        of_two, width
    )
    return [told[label] for label in labels]


def _two_told_apart(labels: Sequence[OfTwo], width: int) -> dict[str, str]:
    """Labels of two names, each name with as many cells as leave room for the other."""
    pairs = [label.names for label in labels]
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    fewest = max((width - len(BETWEEN)) // 2, SHORTEST_LABEL)
    told: dict[str, str] = {}
    for each in range(max(width, fewest), fewest - 1, -1):
        told = dict(zip(names, told_apart(names, each), strict=True))
        if all(cells_of(f"{told[a]}{BETWEEN}{told[b]}") <= width for a, b in pairs):
            break
    return {label: BETWEEN.join(told[name] for name in label.names) for label in labels}


def _blanks(text: str, width: int) -> str:
    """What fills the cells of a column up beside a text."""
    return " " * (width - cells_of(text))


def told_apart(texts: Sequence[str], width: int) -> list[str]:
    """The texts, shortened so that those which differ still do.

    Where their ends are the same, that with which they begin to differ stands between; where that
    is the same too, as it goes on for long, they are numbered.
    """
    found = {text: shortened(text, width) for text in texts}
    for alike in _alike(found):
        begin = _first_difference([printable(text) for text in alike])
        found |= {text: _around(text, begin, width) for text in alike}
    numbered = [text for alike in _alike(found) for text in alike]
    taken = {short for text, short in found.items() if text not in numbered}
    numbers_left = count(1)
    for text in numbered:
        found[text] = next(
            marked
            for n in numbers_left
            if (marked := _marked(text, n, len(numbered), width)) not in taken
        )
    return [found[text] for text in texts]


def _marked(text: str, n: int, of: int, width: int) -> str:
    """A shortened text with a number behind it, one of so many."""
    mark = f" [{n}]"
    return f"{shortened(text, width - max(len(mark), len(f' [{of}]')))}{mark}"


def _alike(found: Mapping[str, str]) -> list[list[str]]:
    """The texts that are shown as another is, by what they are shown as."""
    groups: dict[str, list[str]] = {}
    for text, short in found.items():
        groups.setdefault(short, []).append(text)
    return [group for group in groups.values() if len(group) > 1]


def _around(text: str, at: int, width: int) -> str:
    """The ends of a text, and between them what stands around a place in its middle."""
    text = printable(text)
    if cells_of(text) <= width:
        return text
    end = width // 4
    inner = width - 2 * (end + 3)
    before = at - len(ending(text[:at], inner // 2))
    last = len(text) - len(ending(text, end + inner))
    begin = max(min(before, last), len(beginning(text, end)))
    middle = beginning(text[begin:], inner)
    return f"{beginning(text, end)}...{middle}...{ending(text, end)}"


def _first_difference(texts: Sequence[str]) -> int:
    """The place up to which all texts are the same."""
    first, last = min(texts), max(texts)
    places = (at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return next(places, len(first))


FEWEST_DIGITS = 8
MOST_DIGITS = 16  # where these leave two the same, repr() does not
LARGEST_WHOLE = 2**63


def numbers(values: Iterable[float]) -> dict[float, str]:
    """Each number as written: whole ones complete, and of others the digits that tell all apart."""
    values = set(values)
    for digits in range(FEWEST_DIGITS, MOST_DIGITS + 1):
        found = {x: _number(x, digits) for x in values}
        if len(set(found.values())) == len(values):
            return found
    return {x: _number(x, None) for x in values}


def _number(x: float, digits: int | None) -> str:
    """As many digits as are asked for (None: as many as the double needs), or a whole number."""
    if abs(x) <= LARGEST_WHOLE and x == int(x):
        return str(int(x))
    if digits is None:
        return repr(float(x))
    before_the_point = len(str(int(abs(x)))) if abs(x) <= LARGEST_WHOLE else 0
    return f"{x:.{max(digits, before_the_point + 1)}g}"


def names_table(about: Mapping[str, str]) -> str:
    """Names, each with what it stands for."""
    width = max(map(len, about)) + len(GAP)
    lines = (wrapped(f"{name:{width}}{text}", " " * width) for name, text in about.items())
    return "".join(f"{line}\n" for block in lines for line in block)
