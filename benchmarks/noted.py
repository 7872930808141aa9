"""What a benchmark measured, for whoever runs several: benchmarks/__main__.py."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

ROWS = "RANKSPEC_BENCHMARK_ROWS"


def noted(title: str, unit: str, rows: Mapping[str, float]) -> None:
    """Appends a line of JSON to the file that the environment names; where it names none, nothing.

    rows: {a contestant: its figure}
    """
    file = os.environ.get(ROWS)
    if file:
        with Path(file).open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"title": title, "unit": unit, "rows": dict(rows)}) + "\n")
