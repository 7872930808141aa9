"""Writing tables of counts as rankspec.papers.popularity reads them."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

STEPS = 144
HEADER = ",".join(f'"{name}"' for name in ("IDLink", *(f"TS{n}" for n in range(1, STEPS + 1))))


def write_table(path: Path, items: Iterable[tuple[int, int, int]]) -> None:
    """Items (id, early, late): the count is early for half of the steps, and then late."""
    half = STEPS // 2
    rows = [",".join(map(str, [n, *[early] * half, *[late] * half])) for n, early, late in items]
    content = "\n".join([HEADER, *rows, ""]).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
