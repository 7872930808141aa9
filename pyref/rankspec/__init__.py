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
    from . import api as api
    from . import certify, papers, plots, reference
    from . import symbolic as symbolic
    from .api import (
        ap,
        cg,
        cg_vector,
        dcg,
        dcg_phi,
        dcg_vector,
        err,
        gap,
        idcg,
        ildcg,
        ldcg,
        lndcg,
        mean,
        ndcg,
        ndcg_phi,
        nerr,
        precision,
        rbp,
        rbp_residual,
        recall,
        relevance,
        rr,
        sp,
        user_expected_dcg,
    )
    from .chapters import (
        AP,
        CG,
        DCG,
        ERR,
        GAP,
        IDCG,
        ILDCG,
        IUB,
        LDCG,
        LNDCG,
        RBP,
        RLB,
        RR,
        SP,
        UL1,
        UL2,
        WLB,
        DCG_phi,
        IsDCG,
        MinMax,
        P,
        R,
        Ratio,
        RBP_residual,
        U,
        avg_nsDCG,
        avg_sDCG,
        expected,
        nDCG,
        nDCG_phi,
        nERR,
        nsDCG,
        query_nDCG,
        query_sDCG,
        sDCG,
        sDCG_q,
        variance,
        z_value,
    )
    from .classes import Classification, classify, classify_letor
    from .errors import CoreMissing, CoreMissingWarning, InputError, InputWarning
    from .evaluation import Evaluation, evaluate
    from .explanation import Explanation, explain
    from .letor import evaluate_letor
    from .measure import Measure
    from .notation import measures
    from .papers import reproduce
    from .sessions.averages import individual_curves, judge_sessions, query_curves, session_curve
    from .sessions.data import SearchSession
    from .sessions.evaluation import SessionEvaluation, evaluate_sessions
    from .sessions.files import read_sessions
    from .sessions.functions import (
        avg_nsdcg,
        avg_sdcg,
        avg_vect,
        held,
        isdcg,
        isdcg_vector,
        norm_vect,
        nsdcg,
        nsdcg_vector,
        query_ndcg,
        query_sdcg,
        query_sdcg_vectors,
        sdcg,
        sdcg_q,
        sdcg_vector,
        still_running,
    )

__all__ = [
    "AP",
    "CG",
    "DCG",
    "ERR",
    "GAP",
    "IDCG",
    "ILDCG",
    "IUB",
    "LDCG",
    "LNDCG",
    "RBP",
    "RLB",
    "RR",
    "SP",
    "UL1",
    "UL2",
    "WLB",
    "Classification",
    "CoreMissing",
    "CoreMissingWarning",
    "DCG_phi",
    "Evaluation",
    "Explanation",
    "InputError",
    "InputWarning",
    "IsDCG",
    "Measure",
    "MinMax",
    "P",
    "R",
    "RBP_residual",
    "Ratio",
    "SearchSession",
    "SessionEvaluation",
    "U",
    "ap",
    "avg_nsDCG",
    "avg_nsdcg",
    "avg_sDCG",
    "avg_sdcg",
    "avg_vect",
    "certify",
    "cg",
    "cg_vector",
    "classify",
    "classify_letor",
    "dcg",
    "dcg_phi",
    "dcg_vector",
    "err",
    "evaluate",
    "evaluate_letor",
    "evaluate_sessions",
    "expected",
    "explain",
    "gap",
    "held",
    "idcg",
    "ildcg",
    "individual_curves",
    "isdcg",
    "isdcg_vector",
    "judge_sessions",
    "ldcg",
    "lndcg",
    "mean",
    "measures",
    "nDCG",
    "nDCG_phi",
    "nERR",
    "ndcg",
    "ndcg_phi",
    "nerr",
    "norm_vect",
    "nsDCG",
    "nsdcg",
    "nsdcg_vector",
    "papers",
    "plots",
    "precision",
    "query_curves",
    "query_nDCG",
    "query_ndcg",
    "query_sDCG",
    "query_sdcg",
    "query_sdcg_vectors",
    "rbp",
    "rbp_residual",
    "read_sessions",
    "recall",
    "reference",
    "relevance",
    "reproduce",
    "rr",
    "sDCG",
    "sDCG_q",
    "sdcg",
    "sdcg_q",
    "sdcg_vector",
    "session_curve",
    "sp",
    "still_running",
    "user_expected_dcg",
    "variance",
    "z_value",
]

_MODULES = {"api", "certify", "papers", "plots", "reference", "symbolic"}
_OF_SESSIONS = (
    "avg_nsdcg",
    "avg_sdcg",
    "avg_vect",
    "held",
    "isdcg",
    "isdcg_vector",
    "norm_vect",
    "nsdcg",
    "nsdcg_vector",
    "query_ndcg",
    "query_sdcg",
    "query_sdcg_vectors",
    "sdcg",
    "sdcg_q",
    "sdcg_vector",
    "still_running",
)
_OVER_SESSIONS = ("individual_curves", "judge_sessions", "query_curves", "session_curve")
_HOME = {
    "Classification": "classes",
    "CoreMissing": "errors",
    "CoreMissingWarning": "errors",
    "Evaluation": "evaluation",
    "Explanation": "explanation",
    "InputError": "errors",
    "InputWarning": "errors",
    "Measure": "measure",
    "SearchSession": "sessions.data",
    "SessionEvaluation": "sessions.evaluation",
    "classify": "classes",
    "classify_letor": "classes",
    "evaluate": "evaluation",
    "evaluate_letor": "letor",
    "evaluate_sessions": "sessions.evaluation",
    **dict.fromkeys(_OF_SESSIONS, "sessions.functions"),
    **dict.fromkeys(_OVER_SESSIONS, "sessions.averages"),
    "expected": "chapters",
    "explain": "explanation",
    "measures": "notation",
    "read_sessions": "sessions.files",
    "reproduce": "papers",
    "variance": "chapters",
    "z_value": "chapters",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOME.get(name) or ("api" if name.islower() else "chapters")  # where metrics are
    found = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    from importlib.util import find_spec

    # What needs an extra is named only where it is installed: help() would import it.
    return sorted([*__all__, *(["symbolic"] if find_spec("sympy") else [])])
