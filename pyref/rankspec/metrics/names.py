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

NOT_HERE: Mapping[str, tuple[str, ...]] = {
    "R-precision, which is Rprec": ("P@R",),
    "R-precision up to a cut-off, by one of several definitions": ("r_precision_at",),
    "inferred average precision of a pool in strata": ("xinfAP",),
    "inferred nDCG": ("infNDCG",),
    "AP at R": ("MAPR", "MAP@R", "mAP_R"),
    "AP of object detection, at an overlap": (
        *("mAP50", "mAP75", "mAP95", "mAP50-95", "AP50", "AP75", "AP95", "AP50-95"),
        *("AP.50", "AP.75", "AP.95"),
    ),
    "accuracy, by one of several definitions; accuracy@k of sentence-transformers is Success@k": (
        *("Accuracy", "acc"),
    ),
    "AUC weighted by the relevant items of each query": ("GAUC",),
    "precision of weighted labels: ask for nDCG(discount='none', ideal='perfect') or nCG, of qrels "
    "with 1/p as labels (RS-GAIN-4)": ("PSP", "PSprecision"),
    "nDCG of weighted labels: ask for nDCG(ideal='perfect') or nDCG, of qrels with 1/p as labels "
    "(RS-GAIN-4)": ("PSnDCG", "PSDCG"),
    "the area under a part of the ROC curve": ("PartialAUC", "PAP", "pAUC"),
    "nDCG at R": ("nDCG@R",),
    "discounted cumulated utility": ("DCU", "nDCU"),
    "the patent retrieval evaluation score": ("PRES",),
    "the normalised weighted reciprocal rank": ("NWRR",),
    "the normalised reciprocal rank": ("NRR",),
    "nDCG of probabilities": ("ndcg_p",),
    "an average over groups of judgments": ("map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
    "a count of preferences": (
        *("prefs_simp", "prefs_simp_imp", "prefs_simp_ret"),
        *("prefs_pair", "prefs_pair_imp", "prefs_pair_ret"),
        *("prefs_avgjg", "prefs_avgjg_imp", "prefs_avgjg_ret"),
        *("prefs_avgjg_Rnonrel", "prefs_avgjg_Rnonrel_ret"),
        *("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret"),
    ),
    "text, not a number": ("relstring", "runid"),
    "an error of predicted ratings": ("rmse", "mae", "rsquared", "exp_var", "logloss"),
    "a measure of more than relevance": (
        *("novelty", "diversity", "serendipity", "catalog_coverage", "distributional_coverage"),
    ),
}
"""Measures that others have: {what it is: its names}."""

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
