"""The vectors of the chapters about statistics, which are of another form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "spec" / "vectors"
SCHEMA = json.loads((FOLDER / "statistics.schema.json").read_text("utf-8"))
FILES = {
    path.stem: file
    for path in sorted(FOLDER.glob("*.json"))
    if "statistics" in (file := json.loads(path.read_text("utf-8")))
}
CASES = {
    name: [
        case for part in ("required", "optional") for group in file[part] for case in group["cases"]
    ]
    for name, file in FILES.items()
}

by_id = {"ids": lambda case: case["id"]}


def kind(case: dict[str, Any]) -> str:
    """What comes out: "error", "undefined", or "value"."""
    expected = case["expected"]
    special = [
        word for word in ("error", "undefined") if isinstance(expected, dict) and word in expected
    ]
    return special[0] if special else "value"


def numbers(x: Any) -> Any:
    """What goes in, with the integers that are written as text."""
    if isinstance(x, dict):
        return {name: numbers(part) for name, part in x.items()}
    if isinstance(x, list):
        return [numbers(part) for part in x]
    return int(x) if isinstance(x, str) and x.lstrip("-").isdigit() else x
