"""What the adapters of libraries have in common."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

Function = Callable[..., Any]


def adapter(form: str = "scores", **declared: Any) -> Callable[[Function], Function]:
    """Gives a function its form and what it declares (RS-IDF-2)."""

    def marked(function: Function) -> Function:
        function.form, function.declared = form, declared  # type: ignore[attr-defined]
        return function

    return marked


def version_of(package: str) -> str:
    """The version that is installed."""
    return version(package)
