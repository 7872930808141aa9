"""pytrec_eval-terrier, which is trec_eval 9."""

import pytrec_eval
from adapter import adapter, version_of

NAME, VERSION = "pytrec_eval-terrier", version_of("pytrec_eval-terrier")
LIMITS = {"integers": True, "min_length": 1}


def value(name, qrels, run, k):
    judged = {x.split()[2]: int(x.split()[3]) for x in qrels.splitlines()}
    scores = {x.split()[2]: float(x.split()[4]) for x in run.splitlines()}
    measure = name if k is None else f"{name}.{k}"
    found = pytrec_eval.RelevanceEvaluator({"q1": judged}, {measure}).evaluate({"q1": scores})
    return found.get("q1", {})


@adapter("trec", **LIMITS, cutoff="never")
def ndcg(qrels, run, k):
    return value("ndcg", qrels, run, None)


@adapter("trec", **LIMITS, cutoff="required")
def ndcg_cut(qrels, run, k):
    return value("ndcg_cut", qrels, run, k)


@adapter("trec", **LIMITS, cutoff="never")
def map(qrels, run, k):  # noqa: A001
    return value("map", qrels, run, None)


@adapter("trec", **LIMITS, cutoff="required")
def map_cut(qrels, run, k):
    return value("map_cut", qrels, run, k)


@adapter("trec", **LIMITS, cutoff="required")
def P(qrels, run, k):
    return value("P", qrels, run, k)


@adapter("trec", **LIMITS, cutoff="required")
def recall(qrels, run, k):
    return value("recall", qrels, run, k)


@adapter("trec", **LIMITS, cutoff="required")
def success(qrels, run, k):
    return value("success", qrels, run, k)


@adapter("trec", **LIMITS, cutoff="never")
def recip_rank(qrels, run, k):
    return value("recip_rank", qrels, run, None)


@adapter("trec", **LIMITS, cutoff="never")
def Rprec(qrels, run, k):
    return value("Rprec", qrels, run, None)


@adapter("trec", **LIMITS, cutoff="never")
def bpref(qrels, run, k):
    return value("bpref", qrels, run, None)
