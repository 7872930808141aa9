"""Modules that are no part of a package, as those of tools/: each of its file."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any


def module_of(path: Path, name: str = "") -> Any:
    """The module of a file, imported anew; name: what it is called, by default as the file is."""
    spec = importlib.util.spec_from_file_location(name or path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python module")
    found = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found
