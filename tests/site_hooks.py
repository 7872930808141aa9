"""The modules of docs/hooks and of tools/matrix, for tests of what they make of the site."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


def imported(monkeypatch: pytest.MonkeyPatch, name: str) -> ModuleType:
    """One of these modules; a test that asks for it is skipped where mkdocs is not installed."""
    pytest.importorskip("mkdocs", reason='mkdocs is not installed: pip install ".[docs]"')
    monkeypatch.syspath_prepend(ROOT / "docs/hooks")
    monkeypatch.syspath_prepend(ROOT / "tools/matrix")
    return importlib.import_module(name)
