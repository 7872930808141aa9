"""ranx, by its Qrels and Run."""

from adapter import adapter, version_of
from ranx import Qrels, Run, evaluate

NAME, VERSION = "ranx", version_of("ranx")
LIMITS = {"integers": True, "negative": False, "min_length": 1, "unjudged": False}


def value(name, qrels, run, k):
    judged = {x.split()[2]: int(x.split()[3]) for x in qrels.splitlines()}
    scores = {x.split()[2]: float(x.split()[4]) for x in run.splitlines()}
    measure = name if k is None else f"{name}@{k}"
    return float(evaluate(Qrels({"q1": judged}), Run({"q1": scores}), measure))


@adapter("trec", **LIMITS)
def ndcg(qrels, run, k):
    return value("ndcg", qrels, run, k)


@adapter("trec", **LIMITS)
def ndcg_burges(qrels, run, k):
    return value("ndcg_burges", qrels, run, k)


@adapter("trec", **LIMITS)
def dcg(qrels, run, k):
    return value("dcg", qrels, run, k)


@adapter("trec", **LIMITS)
def map(qrels, run, k):  # noqa: A001
    return value("map", qrels, run, k)


@adapter("trec", **LIMITS)
def mrr(qrels, run, k):
    return value("mrr", qrels, run, k)


@adapter("trec", **LIMITS)
def precision(qrels, run, k):
    return value("precision", qrels, run, k)


@adapter("trec", **LIMITS)
def recall(qrels, run, k):
    return value("recall", qrels, run, k)


@adapter("trec", **LIMITS)
def hit_rate(qrels, run, k):
    return value("hit_rate", qrels, run, k)


@adapter("trec", **LIMITS)
def f1(qrels, run, k):
    return value("f1", qrels, run, k)


@adapter("trec", **(LIMITS | {"cutoff": "never"}))
def r_precision(qrels, run, k):
    return value("r-precision", qrels, run, k)


@adapter("trec", **(LIMITS | {"cutoff": "never"}))
def rbp_80(qrels, run, k):
    return value("rbp.80", qrels, run, k)


@adapter("trec", **(LIMITS | {"cutoff": "never"}))
def bpref(qrels, run, k):
    return value("bpref", qrels, run, k)
