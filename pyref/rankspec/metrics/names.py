"""What other programs call measures: the form of a metric's other names, and the names of measures
that rankspec has not.

What a program calls a metric of rankspec stands with the metric (``Metric.names``). Spec:
RS-CONV-34.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..records import field, record
from ..typed import Any

ANY = None
"""Any value of a parameter."""


@record()
class Spelling:
    """A parameter of another program, which says what one here does.

    parameter: that one; values: {value there: value here}
    chooses: the parameters here that are chosen by it, and so not given beside it
    """

    parameter: str
    values: Mapping[str, str]
    chooses: tuple[str, ...]


@record()
class Names:
    """What other programs call a metric.

    trec, trec_cut: its name in trec_eval, without and with a cut-off (None: it has none)
    others: {program: names}; "recall_at_K": the cut-off is part of it
    with_parameters: {name: the parameters that it stands for, as they are written}; "": none, of a
        name that Python cannot read
    spellings: parameters of other programs, by their names
    trec_level: its name in trec_eval with a number behind it, "iprec_at_recall" of
        iprec_at_recall_0.10; level: the parameter that this number is
    at_level: whether a number with a decimal point behind an @ is that parameter, as in ir_measures
    trec_numbers: the parameter that numbers behind its name in trec_eval are, all of them together
    by_version: parameters that trec_eval's name leaves open, as its versions differ in them
    other_metric: parameters of other programs that make the name another metric's: {parameter:
        {value: the metric here}}; the value ANY stands for all, and the parameter stays then
    refused: parameters of other programs that are another number here, by their name there: {name:
        {parameter: what to say}}
    """

    trec: str | None = None
    trec_cut: str | None = None
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    with_parameters: Mapping[str, str] = field(default_factory=dict)
    spellings: Mapping[str, Spelling] = field(default_factory=dict)
    trec_level: str | None = None
    level: str = ""
    at_level: bool = False
    trec_numbers: str = ""
    by_version: tuple[str, ...] = ()
    other_metric: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)
    refused: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


SETS = ("official", "all_trec", "set", "all_prefs", "prefs", "qrels_jg")
"""What trec_eval calls several measures at once."""

PARAMETERS = {
    "judged_only": 'a convention says so: unjudged="condensed"',
    "cutoff": "the cut-off follows an @",
    "min_rel": "the lowest label is 0: take another one off the labels, and off max_rel",
    "k": "the cut-off follows an @",
}
"""Parameters of ir_measures and of others that are none here, and what says the same."""

_UNSEEN = "no program of the survey (spec/index.md) computes it"
NOT_HERE: Mapping[str, tuple[str, ...]] = {
    "R-precision, which is Rprec": ("P@R",),
    "R-precision up to a cut-off, which programs define differently: ask for Rprec or RelP@k": (
        *("r_precision_at",),
    ),
    "inferred average precision of a pool in strata, which its qrels name in a column of their own "
    "that is not read here": ("xinfAP",),
    "inferred nDCG of a pool in strata, which its qrels name in a column of their own that is not "
    "read here": ("infNDCG",),
    "AP at R, the number of relevant items of each query; a cut-off is one for all queries here": (
        *("MAPR", "MAP@R", "mAP_R"),
    ),
    "AP of object detection, at an overlap of boxes in images, which are no ranking for a query": (
        *("mAP50", "mAP75", "mAP95", "mAP50-95", "AP50", "AP75", "AP95", "AP50-95"),
        *("AP.50", "AP.75", "AP.95"),
    ),
    "accuracy, by one of several definitions; accuracy@k of sentence-transformers is Success@k": (
        *("Accuracy", "acc"),
    ),
    "AUC weighted by the relevant items of each query; the mean here counts each query once": (
        *("GAUC",),
    ),
    "precision of weighted labels: ask for nDCG(discount='none', ideal='perfect') or nCG, of qrels "
    "with 1/p as labels (RS-GAIN-4)": ("PSP", "PSprecision"),
    "nDCG of weighted labels: ask for nDCG(ideal='perfect') or nDCG, of qrels with 1/p as labels "
    "(RS-GAIN-4)": ("PSnDCG", "PSDCG"),
    "the area under a part of the ROC curve, which programs define differently; AUC is that under "
    "all of it": ("PartialAUC", "PAP", "pAUC"),
    "nDCG at R, the number of relevant items of each query; a cut-off is one for all queries "
    "here": ("nDCG@R",),
    "discounted cumulated utility, of nuggets of information in passages, which labels are not": (
        *("DCU", "nDCU"),
    ),
    f"the patent retrieval evaluation score; {_UNSEEN}": ("PRES",),
    f"the normalised weighted reciprocal rank; {_UNSEEN}": ("NWRR",),
    f"the normalised reciprocal rank; {_UNSEEN}": ("NRR",),
    "in the source of trec_eval alone, not in its program: ask for "
    "nDCG(discount='jarvelin-2002(b=2)')": ("ndcg_p",),
    "an average over groups of judgments, of which qrels have one for a document here": (
        *("map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
    ),
    "a count of preferences, by judgments of another form (trec_eval -R prefs)": (
        *("prefs_simp", "prefs_simp_imp", "prefs_simp_ret"),
        *("prefs_pair", "prefs_pair_imp", "prefs_pair_ret"),
        *("prefs_avgjg", "prefs_avgjg_imp", "prefs_avgjg_ret"),
        *("prefs_avgjg_Rnonrel", "prefs_avgjg_Rnonrel_ret"),
        *("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret"),
    ),
    "text, not a number": ("relstring", "runid"),
    "an error of predicted ratings, not of a ranking": (
        *("rmse", "mae", "rsquared", "exp_var", "logloss"),
    ),
    "a measure of the catalogue, or of what users knew before, not of relevance alone": (
        *("novelty", "diversity", "serendipity", "catalog_coverage", "distributional_coverage"),
    ),
}
"""Measures that others have: {what it is, and why it is not here: its names}."""

NTCIREVAL: Mapping[str, str] = {
    "nDCG": "nDCG(discount='jarvelin-2002(b=2)')",
    "AP": "AP(norm='min')",
    "nERR": "nERR(stop=(0, 0.25, 0.5, 0.75))",
    "Q": "Q_measure",
}
"""The meanings of NTCIREVAL's nDCG@0010 and the like, of the gains 0, 1, 2, 3: {name: measure}.

Its other names with a cut-off mean what they mean here.
"""

CALLS: Mapping[str, tuple[str, str]] = {
    "MAP(": ("RePlay", "AP(norm='min')"),
    "NDCG(k=": ("RecTools", "nDCG(ideal='perfect')"),
    "NDCG(n=": ("LensKit", "nDCG(discount='jarvelin-2002(b=2)')"),
    "DCG(n=": ("LensKit", "DCG(discount='jarvelin-2002(b=2)')"),
    "Precision(n=": ("LensKit", "SetP"),
    "Recall(n=": ("LensKit", "RelP"),
}
"""Calls whose name with an @ is another measure here, as NDCG(n=10) is not NDCG@10: {the call up to
its cut-off: (program, measure)}."""

AMBIGUOUS: Mapping[str, tuple[tuple[str, str], ...]] = {
    **dict.fromkeys(
        ("hits", "hits_at"),
        (
            ("Success", "in link prediction (the share of queries with a hit)"),
            ("NumRelRet", "as a count (the hits of a query, summed over queries)"),
            ("Mean(NumRelRet)", "in ranx (the mean of that count)"),
        ),
    ),
    "ndcg_at": (("nDCG", "in mteb"), ("nDCG", "of labels made 0 or 1, in recommenders")),
    "map_at": (("AP", "in mteb"), ("AP(norm='min')", "in recommenders")),
    **{
        f"nERR{n}": ((f"nERR@{n}", "with that cut-off"), (f"NERR{n}", "of ir_measures"))
        for n in (8, 9, 10, 11)
    },
}
"""Names that two programs have for different measures: {name: (the measure, where it is that)}."""
