"""Writes csrc/discount_log2.h, the built-in table of the discount 1/log2(i + 1).

    python tools/tables.py           writes the file
    python tools/tables.py --check   exits 1 where the file is not what would be written

The entries come from the certified reference (RS-NUM-4); nothing is typed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "pyref"))

from rankspec.conventions import LOG2  # noqa: E402
from rankspec.tables import fixed_point  # noqa: E402

DEPTH = 4096
FILE = ROOT / "csrc" / "discount_log2.h"


def written() -> str:
    entries, exponent, _ = fixed_point(LOG2, DEPTH)
    assert exponent == -95  # noqa: S101 - as rs_discount_log2() says
    sums = [0, *accumulate(entries)]
    return "\n".join(
        [
            "/* Written by tools/tables.py from the reference; do not edit. RS-NUM-4",
            " * floor(2^95 / log2(i + 1)) for the ranks i = 1 to LOG2_DEPTH, and its sums. */",
            "#include <stdint.h>",
            "",
            f"#define LOG2_DEPTH {DEPTH}",
            "",
            *_array("uint32_t", "log2_low", (d & 0xFFFFFFFF for d in entries)),
            *_array("uint64_t", "log2_high", (d >> 32 for d in entries)),
            *_array("uint64_t", "log2_sum_low", (s & 0xFFFFFFFFFFFFFFFF for s in sums)),
            *_array("uint64_t", "log2_sum_high", (s >> 64 for s in sums)),
        ]
    )


def _array(ctype: str, name: str, numbers: Iterable[int]) -> list[str]:
    digits, columns = (8, 8) if ctype == "uint32_t" else (16, 4)
    words = [f"0x{n:0{digits}x}," for n in numbers]
    rows = [" ".join(words[a : a + columns]) for a in range(0, len(words), columns)]
    head = f"static const {ctype} {name}[{len(words)}] = {{"
    return [head, *(f"    {row}" for row in rows), "};", ""]


if __name__ == "__main__":
    if "--check" not in sys.argv:
        FILE.write_text(written())
    elif FILE.read_text() != written():
        sys.exit(f"{FILE} is out of date: run python tools/tables.py")
