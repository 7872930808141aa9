"""rankspec: the executable specification of the DCG family of ranking metrics.

    import rankspec as rs

    rs.ndcg([3, 2, 3, 0, 1, 2], k=10)                 # labels in rank order
    rs.evaluate("qrels.txt", "a.run", ["nDCG@10", "AP"])
    rs.certify.ndcg([3, 2, 3], k=3)                   # the value with its proof

Names are loaded when they are first used: the reference can be imported from a bare checkout,
before the C core is compiled, and importing the package costs next to nothing.
"""

from __future__ import annotations

from .later import loaded as _loaded

__version__ = "0.1.0"

TYPE_CHECKING = False  # that of typing, which costs more than all the rest of this module
if TYPE_CHECKING:
    from typing import Any

    from . import api as api
    from . import certify, papers, plots, reference
    from . import compat as compat
    from . import duckdb as duckdb
    from . import spark as spark
    from . import symbolic as symbolic
    from .analysis.axioms.asked import axioms
    from .analysis.axioms.report import Axioms
    from .analysis.comparison.agreement import power, queries_needed
    from .analysis.comparison.comparison import Comparison, compare
    from .analysis.comparison.design import Design, design
    from .analysis.comparison.judgments import JudgmentComparison, compare_judgments
    from .analysis.comparison.replication import Replication, replicate
    from .analysis.comparison.unjudged import UnjudgedBounds, unjudged_bounds
    from .analysis.explain.explanation import Explanation, explain
    from .analysis.identify.identification import identify
    from .analysis.identify.report import Identification
    from .analysis.own_adjusted import adjusted_of
    from .analysis.own_bounds import FunctionBounds, bounds_of
    from .analysis.priors import prior_of_clicks, prior_of_lengths
    from .analysis.query_types import Classification, classify, classify_letor
    from .api.diversity import (
        alpha_dcg,
        alpha_ndcg,
        ap_ia,
        d_ndcg,
        dsharp_ndcg,
        err_ia,
        ndcg_ia,
        nerr_ia,
        nnrbp,
        nrbp,
        p_ia,
        st_recall,
    )
    from .api.means import PartialMean, mean
    from .api.of_relevance import ap_phi, of_relevance, rbp_phi
    from .api.propensity import inverse_propensities
    from .api.rankings import (
        cg_vector,
        dcg_vector,
        relevance,
        user_expected_dcg,
    )
    from .api.sessions import (
        avg_nsdcg,
        avg_sdcg,
        avg_vect,
        held,
        instance_recall,
        isdcg,
        isdcg_vector,
        norm_vect,
        nsdcg,
        nsdcg_vector,
        query_ndcg,
        query_p_at_recall,
        query_sdcg,
        query_sdcg_vectors,
        sdcg,
        sdcg_q,
        sdcg_vector,
        still_running,
    )
    from .errors import CoreMissing, CoreMissingWarning, InputError, InputWarning
    from .evaluation.diversity import evaluate_diversity
    from .evaluation.evaluate import evaluate
    from .evaluation.letor import evaluate_letor
    from .evaluation.lists import evaluate_lists
    from .evaluation.result import Evaluation
    from .evaluation.runs import RunEvaluations, evaluate_runs
    from .evaluation.sessions.averages import (
        individual_curves,
        judge_sessions,
        query_curves,
        session_curve,
    )
    from .evaluation.sessions.evaluate import evaluate_sessions
    from .evaluation.sessions.result import SessionEvaluation
    from .evaluation.sessions.sensitivity import session_sensitivity
    from .formats.search_session import SearchSession
    from .formats.sessions import read_sessions
    from .metrics.grammar import measures
    from .metrics.measure import Measure
    from .papers import reproduce
    from .specification import spec_index, vectors

# BEGIN IMPORTS of metrics, by tools/functions.py
if TYPE_CHECKING:  # isort: off
    from .api.metrics import (
        ap,
        auc,
        avg_iprec,
        bin_g,
        bpm,
        bpref,
        cg,
        compatibility,
        dcg,
        dcg_phi,
        ebr,
        err,
        f_measure,
        g_measure,
        gap,
        grbp,
        grbp_residual,
        idcg,
        ildcg,
        infap,
        insq,
        inst,
        iprec,
        irbu,
        judged,
        lap,
        ldcg,
        lerr,
        lgap,
        lndcg,
        lrbp,
        ncg,
        ncu,
        ndcg,
        ndcg_levels,
        ndcg_phi,
        ndcg_rel,
        nerr,
        nerr10,
        nerr11,
        nerr8,
        nerr9,
        num_nonrel_ret,
        num_q,
        num_rel,
        num_rel_ret,
        num_ret,
        o_measure,
        p_measure,
        p_plus,
        precision,
        q_measure,
        rbp,
        rbp_residual,
        recall,
        rel_p,
        rprec,
        rprec_mult,
        rr,
        scaled_dcg,
        set_ap,
        set_p,
        sp,
        success,
        unjudged,
        utility,
        yaap,
    )
    from .metrics.catalogue import (
        AP,
        AP_IA,
        AUC,
        Adjusted,
        AvgIPrec,
        BPM,
        Bpref,
        CG,
        Compat,
        DCG,
        DCG_phi,
        D_nDCG,
        Dsharp_nDCG,
        EBR,
        ERR,
        ERR_IA,
        F,
        G,
        GAP,
        GM,
        GRBP,
        GRBP_residual,
        IDCG,
        ILDCG,
        INSQ,
        INST,
        IPrec,
        IUB,
        Instance_recall,
        IsDCG,
        Judged,
        LAP,
        LDCG,
        LERR,
        LGAP,
        LNDCG,
        LRBP,
        Mean,
        MinMax,
        NCU,
        NERR10,
        NERR11,
        NERR8,
        NERR9,
        NRBP,
        NumNonrelRet,
        NumQ,
        NumRel,
        NumRelRet,
        NumRet,
        O_measure,
        P,
        P_IA,
        P_measure,
        P_plus,
        Phi,
        Q_measure,
        R,
        RBP,
        RBP_residual,
        RLB,
        RR,
        Ratio,
        RelP,
        Rprec,
        RprecMult,
        SDCG,
        SP,
        SetAP,
        SetP,
        StRecall,
        Success,
        U,
        UL1,
        UL2,
        Unjudged,
        Utility,
        WLB,
        Yaap,
        alpha_DCG,
        alpha_nDCG,
        avg_nsDCG,
        avg_sDCG,
        binG,
        expected,
        iRBU,
        infAP,
        nCG,
        nDCG,
        nDCG_IA,
        nDCG_levels,
        nDCG_phi,
        nDCG_rel,
        nERR,
        nERR_IA,
        nNRBP,
        nsDCG,
        query_P_at_recall,
        query_nDCG,
        query_sDCG,
        sDCG,
        sDCG_q,
        variance,
        z_value,
    )
# END IMPORTS

__all__ = [
    "Axioms",
    "Classification",
    "Comparison",
    "CoreMissing",
    "CoreMissingWarning",
    "Design",
    "Evaluation",
    "Explanation",
    "FunctionBounds",
    "Identification",
    "InputError",
    "InputWarning",
    "JudgmentComparison",
    "Measure",
    "PartialMean",
    "Replication",
    "RunEvaluations",
    "SearchSession",
    "SessionEvaluation",
    "UnjudgedBounds",
    "adjusted_of",
    "alpha_dcg",
    "alpha_ndcg",
    "ap_ia",
    "ap_phi",
    "avg_nsdcg",
    "avg_sdcg",
    "avg_vect",
    "axioms",
    "bounds_of",
    "certify",
    "cg_vector",
    "classify",
    "classify_letor",
    "compare",
    "compare_judgments",
    "d_ndcg",
    "dcg_vector",
    "design",
    "dsharp_ndcg",
    "err_ia",
    "evaluate",
    "evaluate_diversity",
    "evaluate_letor",
    "evaluate_lists",
    "evaluate_runs",
    "evaluate_sessions",
    "explain",
    "held",
    "identify",
    "individual_curves",
    "instance_recall",
    "inverse_propensities",
    "isdcg",
    "isdcg_vector",
    "judge_sessions",
    "mean",
    "measures",
    "ndcg_ia",
    "nerr_ia",
    "nnrbp",
    "norm_vect",
    "nrbp",
    "nsdcg",
    "nsdcg_vector",
    "of_relevance",
    "p_ia",
    "papers",
    "plots",
    "power",
    "prior_of_clicks",
    "prior_of_lengths",
    "queries_needed",
    "query_curves",
    "query_ndcg",
    "query_p_at_recall",
    "query_sdcg",
    "query_sdcg_vectors",
    "rbp_phi",
    "read_sessions",
    "reference",
    "relevance",
    "replicate",
    "reproduce",
    "sdcg",
    "sdcg_q",
    "sdcg_vector",
    "session_curve",
    "session_sensitivity",
    "spec_index",
    "st_recall",
    "still_running",
    "unjudged_bounds",
    "user_expected_dcg",
    "vectors",
]
# BEGIN NAMES of metrics, by tools/functions.py
__all__ += [  # noqa: RUF022
    "AP",
    "AP_IA",
    "AUC",
    "Adjusted",
    "AvgIPrec",
    "BPM",
    "Bpref",
    "CG",
    "Compat",
    "DCG",
    "DCG_phi",
    "D_nDCG",
    "Dsharp_nDCG",
    "EBR",
    "ERR",
    "ERR_IA",
    "F",
    "G",
    "GAP",
    "GM",
    "GRBP",
    "GRBP_residual",
    "IDCG",
    "ILDCG",
    "INSQ",
    "INST",
    "IPrec",
    "IUB",
    "Instance_recall",
    "IsDCG",
    "Judged",
    "LAP",
    "LDCG",
    "LERR",
    "LGAP",
    "LNDCG",
    "LRBP",
    "Mean",
    "MinMax",
    "NCU",
    "NERR10",
    "NERR11",
    "NERR8",
    "NERR9",
    "NRBP",
    "NumNonrelRet",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "O_measure",
    "P",
    "P_IA",
    "P_measure",
    "P_plus",
    "Phi",
    "Q_measure",
    "R",
    "RBP",
    "RBP_residual",
    "RLB",
    "RR",
    "Ratio",
    "RelP",
    "Rprec",
    "RprecMult",
    "SDCG",
    "SP",
    "SetAP",
    "SetP",
    "StRecall",
    "Success",
    "U",
    "UL1",
    "UL2",
    "Unjudged",
    "Utility",
    "WLB",
    "Yaap",
    "alpha_DCG",
    "alpha_nDCG",
    "ap",
    "auc",
    "avg_iprec",
    "avg_nsDCG",
    "avg_sDCG",
    "binG",
    "bin_g",
    "bpm",
    "bpref",
    "cg",
    "compatibility",
    "dcg",
    "dcg_phi",
    "ebr",
    "err",
    "expected",
    "f_measure",
    "g_measure",
    "gap",
    "grbp",
    "grbp_residual",
    "iRBU",
    "idcg",
    "ildcg",
    "infAP",
    "infap",
    "insq",
    "inst",
    "iprec",
    "irbu",
    "judged",
    "lap",
    "ldcg",
    "lerr",
    "lgap",
    "lndcg",
    "lrbp",
    "nCG",
    "nDCG",
    "nDCG_IA",
    "nDCG_levels",
    "nDCG_phi",
    "nDCG_rel",
    "nERR",
    "nERR_IA",
    "nNRBP",
    "ncg",
    "ncu",
    "ndcg",
    "ndcg_levels",
    "ndcg_phi",
    "ndcg_rel",
    "nerr",
    "nerr10",
    "nerr11",
    "nerr8",
    "nerr9",
    "nsDCG",
    "num_nonrel_ret",
    "num_q",
    "num_rel",
    "num_rel_ret",
    "num_ret",
    "o_measure",
    "p_measure",
    "p_plus",
    "precision",
    "q_measure",
    "query_P_at_recall",
    "query_nDCG",
    "query_sDCG",
    "rbp",
    "rbp_residual",
    "recall",
    "rel_p",
    "rprec",
    "rprec_mult",
    "rr",
    "sDCG",
    "sDCG_q",
    "scaled_dcg",
    "set_ap",
    "set_p",
    "sp",
    "success",
    "unjudged",
    "utility",
    "variance",
    "yaap",
    "z_value",
]
# END NAMES

_MODULES = {
    *("api", "certify", "compat", "duckdb", "papers", "plots", "reference", "spark", "symbolic")
}
_OF_SESSIONS = (
    "avg_nsdcg",
    "avg_sdcg",
    "avg_vect",
    "held",
    "instance_recall",
    "isdcg",
    "isdcg_vector",
    "norm_vect",
    "nsdcg",
    "nsdcg_vector",
    "query_ndcg",
    "query_p_at_recall",
    "query_sdcg",
    "query_sdcg_vectors",
    "sdcg",
    "sdcg_q",
    "sdcg_vector",
    "still_running",
)
_OF_DIVERSITY = (
    "alpha_dcg",
    "alpha_ndcg",
    "ap_ia",
    "d_ndcg",
    "dsharp_ndcg",
    "err_ia",
    "ndcg_ia",
    "nerr_ia",
    "nnrbp",
    "nrbp",
    "p_ia",
    "st_recall",
)
_OVER_SESSIONS = ("individual_curves", "judge_sessions", "query_curves", "session_curve")
_OF_RELEVANCE = ("ap_phi", "of_relevance", "rbp_phi")
_HOME = {
    "Axioms": "analysis.axioms.report",
    "Classification": "analysis.query_types",
    "Comparison": "analysis.comparison.comparison",
    "JudgmentComparison": "analysis.comparison.judgments",
    "CoreMissing": "errors",
    "CoreMissingWarning": "errors",
    "Design": "analysis.comparison.design",
    "Evaluation": "evaluation.result",
    "Explanation": "analysis.explain.explanation",
    "Identification": "analysis.identify.report",
    "InputError": "errors",
    "InputWarning": "errors",
    "Measure": "metrics.measure",
    "PartialMean": "api.means",
    "Replication": "analysis.comparison.replication",
    "RunEvaluations": "evaluation.runs",
    "SearchSession": "formats.search_session",
    "SessionEvaluation": "evaluation.sessions.result",
    "FunctionBounds": "analysis.own_bounds",
    "UnjudgedBounds": "analysis.comparison.unjudged",
    "adjusted_of": "analysis.own_adjusted",
    "axioms": "analysis.axioms.asked",
    "bounds_of": "analysis.own_bounds",
    "classify": "analysis.query_types",
    "classify_letor": "analysis.query_types",
    "compare": "analysis.comparison.comparison",
    "design": "analysis.comparison.design",
    "compare_judgments": "analysis.comparison.judgments",
    "evaluate": "evaluation.evaluate",
    "evaluate_diversity": "evaluation.diversity",
    "evaluate_letor": "evaluation.letor",
    "evaluate_lists": "evaluation.lists",
    "evaluate_runs": "evaluation.runs",
    "evaluate_sessions": "evaluation.sessions.evaluate",
    **dict.fromkeys(_OF_SESSIONS, "api.sessions"),
    **dict.fromkeys(_OF_DIVERSITY, "api.diversity"),
    **dict.fromkeys(_OF_RELEVANCE, "api.of_relevance"),
    **dict.fromkeys(_OVER_SESSIONS, "evaluation.sessions.averages"),
    "expected": "metrics.catalogue",
    "explain": "analysis.explain.explanation",
    "identify": "analysis.identify.identification",
    "inverse_propensities": "api.propensity",
    "mean": "api.means",
    "measures": "metrics.grammar",
    "power": "analysis.comparison.agreement",
    "prior_of_clicks": "analysis.priors",
    "prior_of_lengths": "analysis.priors",
    "queries_needed": "analysis.comparison.agreement",
    "read_sessions": "formats.sessions",
    "replicate": "analysis.comparison.replication",
    "reproduce": "papers",
    "session_sensitivity": "evaluation.sessions.sensitivity",
    "spec_index": "specification",
    "unjudged_bounds": "analysis.comparison.unjudged",
    "variance": "metrics.catalogue",
    "vectors": "specification",
    "z_value": "metrics.catalogue",
}
_LIGHT = ("errors", "specification")  # they need nothing but Python

_USED = ("api.rankings", "compute.by_core")


def _later(home: str, name: str) -> Any:
    """What has that name in a module of the package, which is imported now.

    The one way up between its rooms: `Measure.of` calls the functions of rankspec.api, which stand
    above measures, and a metric that was pickled is found by its name in the catalogue.
    """
    return getattr(_loaded(home), name)


def _of_use(home: str, name: str) -> Any:
    """What has that name, loaded with what it needs: of one metric, no other's chapter."""
    chapters = _loaded("metrics.chapters")
    used: tuple[str, ...] = _USED
    if chapter := chapters.CHAPTER_OF.get(name):
        used = (f"metrics.{chapter}", *used)
        home = home.replace("metrics.catalogue", "metrics.chapters")
    module = _loaded(home, *used)
    return module.metric(name) if home == "metrics.chapters" else getattr(module, name)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return _loaded(name)
    if name not in __all__:
        raise _no_attribute(name)
    home = _HOME.get(name) or ("api" if name.islower() else "metrics.catalogue")
    found = getattr(_loaded(home), name) if home in _LIGHT else _of_use(home, name)
    globals()[name] = found
    return found


def _no_attribute(name: str) -> AttributeError:
    """The error for a name that is not public, with what to write if other libraries have it."""
    if not name.startswith("_"):  # which the interpreter asks for itself
        try:
            error: AttributeError = _loaded("metrics.grammar").no_attribute(__name__, name, __all__)
        except ImportError:
            pass
        else:
            return error
    return AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from importlib.util import find_spec

    # What needs an extra is named only where it is installed: help() would import it.
    needs = {"duckdb": "duckdb", "spark": "pyspark", "symbolic": "sympy"}
    there = [name for name, other in needs.items() if find_spec(other)]
    return sorted([*__all__, "compat", *there])
