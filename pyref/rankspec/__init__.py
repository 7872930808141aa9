"""rankspec: the executable specification of the DCG family of ranking metrics.

    import rankspec as rs

    rs.ndcg([3, 2, 3, 0, 1, 2], k=10)                 # labels in rank order
    rs.evaluate("qrels.txt", "a.run", ["nDCG@10", "AP"])
    rs.certify.ndcg([3, 2, 3], k=3)                   # the value with its proof

Names are loaded when they are first used: the reference can be imported from a bare checkout,
before the C core is compiled, and importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from . import certify, papers, plots, reference
    from . import symbolic as symbolic
    from .api import (
        ap,
        cg,
        cg_vector,
        dcg,
        dcg_phi,
        dcg_vector,
        idcg,
        ildcg,
        ldcg,
        lndcg,
        mean,
        ndcg,
        ndcg_phi,
        precision,
        recall,
        rr,
        sp,
        user_expected_dcg,
    )
    from .errors import CoreMissing, InputError
    from .evaluation import Evaluation, evaluate
    from .explanation import Explanation, explain
    from .measure import Measure
    from .notation import measures
    from .papers import reproduce

__all__ = [
    "CoreMissing",
    "Evaluation",
    "Explanation",
    "InputError",
    "Measure",
    "ap",
    "certify",
    "cg",
    "cg_vector",
    "dcg",
    "dcg_phi",
    "dcg_vector",
    "evaluate",
    "explain",
    "idcg",
    "ildcg",
    "ldcg",
    "lndcg",
    "mean",
    "measures",
    "ndcg",
    "ndcg_phi",
    "papers",
    "plots",
    "precision",
    "recall",
    "reference",
    "reproduce",
    "rr",
    "sp",
    "user_expected_dcg",
]

_MODULES = {"certify", "papers", "plots", "reference", "symbolic"}
_HOME = {
    "CoreMissing": "errors",
    "Evaluation": "evaluation",
    "Explanation": "explanation",
    "InputError": "errors",
    "Measure": "measure",
    "evaluate": "evaluation",
    "explain": "explanation",
    "measures": "notation",
    "reproduce": "papers",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_HOME.get(name, 'api')}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    from importlib.util import find_spec

    # What needs an extra is named only where it is installed: help() would import it.
    return sorted([*__all__, *(["symbolic"] if find_spec("sympy") else [])])
