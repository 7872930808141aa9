"""Reading spec/errata.md: the tables that stand in an entry, and rounding as papers print it."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

ERRATA_PATH = Path(__file__).resolve().parents[2] / "spec/errata.md"
ERRATA = ERRATA_PATH.read_text(encoding="utf-8")


def entry(identifier: str) -> str:
    """The text of an entry."""
    found = re.search(rf"^## {identifier} · .*?(?=^## |\Z)", ERRATA, re.MULTILINE | re.DOTALL)
    assert found, f"no erratum {identifier}"
    return found[0]


def table(identifier: str) -> list[list[str]]:
    """The cells of the one table of an entry, without its head."""
    lines = [line for line in entry(identifier).splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return rows[2:]


def rounded(x: Fraction, places: int = 2) -> str:
    """x as printed with so many decimals, a half rounded up."""
    return _written((x * 10**places + Fraction(1, 2)).__floor__(), places)


def truncated(x: Fraction, places: int = 2) -> str:
    """x cut off after so many decimals."""
    return _written((x * 10**places).__floor__(), places)


def _written(n: int, places: int) -> str:
    digits = f"{n:0{places + 1}d}"
    return f"{digits[:-places]}.{digits[-places:]}"


def padded(printed: str, places: int = 2) -> str:
    """A printed number with all its decimals: "3" as "3.00", "2.5" as "2.50"."""
    whole, _, decimals = printed.partition(".")
    return f"{whole}.{decimals:0<{places}}"
