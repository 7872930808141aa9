"""Writes the tables of the core: csrc/discount_log2.h and csrc/gain_exp2.h.

    python tools/tables.py           writes the files
    python tools/tables.py --check   exits 1 where a file is not what would be written

The entries come from the certified reference (RS-NUM-4, RS-NUM-13); nothing is typed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from fractions import Fraction
from math import factorial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "pyref"))

from rankspec.compute.gain import LOG2  # noqa: E402
from rankspec.compute.tables import fixed_point  # noqa: E402
from rankspec.reference.numbers.reals import Number, Reals  # noqa: E402
from rankspec.reference.numerics import floor_scaled  # noqa: E402

CSRC = ROOT / "csrc"
DEPTH = 4096
STEPS = 64  # of 2^x from 0 to 1, and from one such step to the next
TERMS = 8  # of the series of 2^x - 1


def discount_log2() -> list[str]:
    entries, exponent, _ = fixed_point(LOG2, DEPTH)
    assert exponent == -95  # noqa: S101 - as rs_discount_log2() says
    return [
        "/* Written by tools/tables.py from the reference; do not edit. RS-NUM-4",
        " * floor(2^95 / log2(i + 1)) for the ranks i = 1 to LOG2_DEPTH. */",
        "#include <stdint.h>",
        "",
        f"#define LOG2_DEPTH {DEPTH}",
        "",
        *_array("uint32_t", "log2_low", (d & 0xFFFFFFFF for d in entries)),
        *_array("uint64_t", "log2_high", (d >> 32 for d in entries)),
    ]


def gain_exp2() -> list[str]:
    coarse = [_power(Fraction(j, STEPS)) for j in range(STEPS)]
    fine = [_power(Fraction(j, STEPS**2)) for j in range(STEPS)]
    terms = [_coefficient(j) for j in range(1, TERMS + 1)]
    return [
        "/* Written by tools/tables.py from the reference; do not edit. RS-NUM-13",
        f" * Pairs of words, the higher first: floor(2^(j/{STEPS}) 2^127) and",
        f" * floor(2^(j/{STEPS**2}) 2^127) for j = 0 to {STEPS - 1}, and",
        " * floor((ln 2)^j / j! 2^128) for j = 1 to EXP2_TERMS. */",
        "#include <stdint.h>",
        "",
        f"#define EXP2_TERMS {TERMS}",
        "",
        *_array("uint64_t", "exp2_coarse", _words(coarse)),
        *_array("uint64_t", "exp2_fine", _words(fine)),
        *_array("uint64_t", "exp2_series", _words(terms)),
    ]


def _power(x: Fraction) -> int:
    return floor_scaled(lambda reals: reals.exp2(x), 127)


def _coefficient(j: int) -> int:
    def value(reals: Reals) -> Number:
        power = reals.exact(1)
        for _ in range(j):
            power = power * reals.ln(2)
        return power / factorial(j)

    return floor_scaled(value, 128, precision=256)


def _words(numbers: list[int]) -> Iterable[int]:
    return (word for n in numbers for word in (n >> 64, n & 0xFFFFFFFFFFFFFFFF))


def _array(ctype: str, name: str, numbers: Iterable[int]) -> list[str]:
    digits, columns = (8, 8) if ctype == "uint32_t" else (16, 4)
    words = [f"0x{n:0{digits}x}," for n in numbers]
    rows = [" ".join(words[a : a + columns]) for a in range(0, len(words), columns)]
    head = f"static const {ctype} {name}[{len(words)}] = {{"
    return [head, *(f"    {row}" for row in rows), "};", ""]


if __name__ == "__main__":
    for table in (discount_log2, gain_exp2):
        file, written = CSRC / f"{table.__name__}.h", "\n".join(table())
        if "--check" not in sys.argv:
            file.write_text(written)
        elif file.read_text() != written:
            sys.exit(f"{file} is out of date: run python tools/tables.py")
