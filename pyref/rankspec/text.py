"""Text on a terminal: how many cells it takes, and what must not reach one (RS-CONV-35)."""

from __future__ import annotations


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
