"""rankspec behind the interfaces of other libraries, one module a library.

Each module is loaded on first use; its docstring says whether it needs the library:

    from rankspec.compat.pytrec_eval import RelevanceEvaluator
    from rankspec import compat
    compat.ir_measures.put_first()
"""

from __future__ import annotations

TYPE_CHECKING = False  # that of typing, which costs more than all of this module
if TYPE_CHECKING:
    from typing import Any

_MODULES = (
    *("catboost", "evaluate", "groups", "ir_measures", "lightgbm", "pytrec_eval", "sklearn"),
    *("torch", "xgboost"),
)
_NEEDING_THEIRS = ("ir_measures", "torch")  # to be imported; the others need no library for that


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module(f".{name}", __name__)


def __dir__() -> list[str]:
    from importlib.util import find_spec

    # What needs a library is named only where that is installed: help() would import it.
    absent = [name for name in _NEEDING_THEIRS if not find_spec(name)]
    return [name for name in _MODULES if name not in absent]
