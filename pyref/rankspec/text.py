"""Text on a terminal: how many cells it takes, and what must not reach one (RS-CONV-35)."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST_LIST = 60  # characters of the numbers of a parameter, for people
LONGEST_NUMBER = 20  # of a longer list
_NUMBER = r"[0-9./]+(?:e[+-]?[0-9]+)?"
_LIST = (
    rf"(?:^|(?<==)|(?<==['\"]))(?P<open>[\[(]?)(?P<numbers>{_NUMBER}(?P<comma>, ?|-)"
    rf"(?:{_NUMBER}(?P=comma))*{_NUMBER})"
)
"""The numbers of a parameter in a measure, prior='[3, 2, 1]' or gain='0-1-3', or alone."""


def cells_of(text: str) -> int:
    """How many cells of a terminal a printable text takes: two for a wide character."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # costs start-up time

    return cell_len(text)


def beginning(text: str, width: int) -> str:
    """As much of the beginning of a text as fits into so many cells."""
    if text.isascii():
        return text[: max(width, 0)]
    used = 0
    for at, c in enumerate(text):
        used += cells_of(c)
        if used > width:
            return text[:at]
    return text


def ending(text: str, width: int) -> str:
    """As much of the end of a text as fits into so many cells."""
    return beginning(text[::-1], width)[::-1]


def shortened(text: str, width: int) -> str:
    """The text, printable, and with its middle left out where it is too long."""
    text = printable(text)
    if cells_of(text) <= width:
        return text
    left = (width - 3) // 2
    return f"{beginning(text, left)}...{ending(text, width - 3 - left)}"


def short_lists(texts: Iterable[str]) -> list[str]:
    """Return texts for people, with long lists of numbers in the names of measures cut.

    A list of more than LONGEST_LIST characters keeps its first two numbers and its last, as in
    LDCG(prior='[12/19, 33/190, ..., 0]'). Of two lists that would look the same, both keep as
    many numbers as tell them apart.
    """
    texts = list(texts)
    if not any(len(text) > LONGEST_LIST for text in texts):
        return texts
    import re  # costs start-up time

    known = {found["numbers"]: found for text in texts for found in re.finditer(_LIST, text)}
    long = [found for numbers, found in known.items() if len(numbers) > LONGEST_LIST]
    cut = {found["numbers"]: _cut(found["numbers"], found["comma"], 2) for found in long}
    first = 4
    while alike := [x for group in _same(cut) for x in group if cut[x] != x]:
        cut |= {numbers: _cut(numbers, known[numbers]["comma"], first) for numbers in alike}
        first *= 2
    return [
        re.sub(_LIST, lambda x: f"{x['open']}{cut.get(x['numbers'], x['numbers'])}", text)
        for text in texts
    ]


def short_list(text: str) -> str:
    """The same of one text."""
    return short_lists([text])[0]


def _cut(numbers: str, comma: str, first: int) -> str:
    """A list with so many of its first numbers, and the last; whole if there are no more."""
    listed = numbers.split(comma)
    if len(listed) <= first + 1 and first > 2:
        return numbers
    *begin, last = (shortened(x, LONGEST_NUMBER) for x in listed)
    left_out = ["..."] if len(begin) > first else []
    return comma.join([*begin[:first], *left_out, last])


def _same(cut: dict[str, str]) -> list[list[str]]:
    """The lists that are cut to the same text."""
    groups: dict[str, list[str]] = {}
    for numbers, text in cut.items():
        groups.setdefault(text, []).append(numbers)
    return [group for group in groups.values() if len(group) > 1]


def printable(text: str) -> str:
    """The text with its control characters, those of direction, and the bytes that are no UTF-8,
    as Python escapes them.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(c: str) -> str:
    if "\udc80" <= c <= "\udcff":
        return f"\\x{ord(c) - 0xDC00:02x}"
    return c.encode("unicode_escape").decode()


def for_a_terminal(text: str) -> str:
    """Lines of output without what moves a terminal: tabs and ends of lines stay."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(c if c in "\n\t" else printable(c) for c in text)
