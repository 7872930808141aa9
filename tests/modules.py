"""Modules that no package has: programs of tools/, and cores that a test compiles."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def module_of(path: str | Path, name: str) -> ModuleType:
    """Return the module of a file, imported anew under a name that no other module has.

    It is among the modules of the process while it is imported, as dataclasses look for theirs.
    """
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
