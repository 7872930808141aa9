"""Which chapter a metric is in: who needs one metric loads that module alone, not the catalogue."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # that of typing, which costs more than all the rest of this module
if TYPE_CHECKING:
    from .measure import Metric

# fmt: off
# BEGIN CHAPTERS of metrics and their functions, by tools/functions.py
CHAPTERS = {
    "dcg": (
        "CG", "DCG", "G", "IDCG", "binG", "bin_g", "cg", "dcg", "g_measure", "idcg", "nCG", "nDCG",
        "nDCG_levels", "nDCG_rel", "ncg", "ndcg", "ndcg_levels", "ndcg_rel",
    ),
    "length": (
        "ILDCG", "LAP", "LDCG", "LERR", "LGAP", "LNDCG", "LRBP", "ildcg", "lap", "ldcg", "lerr",
        "lgap", "lndcg", "lrbp",
    ),
    "relevance": (
        "DCG_phi", "dcg_phi", "nDCG_phi", "ndcg_phi",
    ),
    "precision": (
        "AP", "AUC", "AvgIPrec", "Bpref", "F", "GAP", "IPrec", "Judged", "NumNonrelRet", "NumQ",
        "NumRel", "NumRelRet", "NumRet", "P", "R", "RR", "RelP", "Rprec", "RprecMult", "SP",
        "SetAP", "SetP", "Success", "Unjudged", "Utility", "Yaap", "ap", "auc", "avg_iprec",
        "bpref", "f_measure", "gap", "infAP", "infap", "iprec", "judged", "num_nonrel_ret", "num_q",
        "num_rel", "num_rel_ret", "num_ret", "precision", "recall", "rel_p", "rprec", "rprec_mult",
        "rr", "set_ap", "set_p", "sp", "success", "unjudged", "utility", "yaap",
    ),
    "cascade": (
        "ERR", "RBP", "RBP_residual", "err", "nERR", "nerr", "rbp", "rbp_residual",
    ),
    "utility": (
        "EBR", "NCU", "O_measure", "P_measure", "P_plus", "Q_measure", "ebr", "iRBU", "irbu", "ncu",
        "o_measure", "p_measure", "p_plus", "q_measure",
    ),
    "users": (
        "BPM", "Compat", "GRBP", "GRBP_residual", "INSQ", "INST", "NERR10", "NERR11", "NERR8",
        "NERR9", "SDCG", "bpm", "compatibility", "grbp", "grbp_residual", "insq", "inst", "nerr10",
        "nerr11", "nerr8", "nerr9", "scaled_dcg",
    ),
    "session": (
        "Instance_recall", "IsDCG", "avg_nsDCG", "avg_nsdcg", "avg_sDCG", "avg_sdcg",
        "instance_recall", "isdcg", "nsDCG", "nsdcg", "query_P_at_recall", "query_nDCG",
        "query_ndcg", "query_p_at_recall", "query_sDCG", "query_sdcg", "sDCG", "sDCG_q", "sdcg",
        "sdcg_q",
    ),
}
# END CHAPTERS
# fmt: on
CHAPTER_OF = {name: chapter for chapter, names in CHAPTERS.items() for name in names}
CHAPTER_OF |= {"relevance": "relevance", "user_expected_dcg": "length"}  # functions beside them


def metric(name: str) -> Metric:
    """The metric of rankings or of sessions of that name, or whose function has it."""
    chapter = import_module(f".{CHAPTER_OF[name]}", __package__)
    found: Metric = next(m for m in chapter.METRICS if name in (m.name, m.function))
    return found
