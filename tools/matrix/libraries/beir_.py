"""BEIR."""

import logging

from adapter import adapter, version_of
from beir.retrieval.evaluation import EvaluateRetrieval

NAME, VERSION = "beir", version_of("beir")
LIMITS = {"integers": True, "min_length": 1, "cutoff": "required"}
logging.disable(logging.CRITICAL)


def parsed(qrels, run):
    judged = {x.split()[2]: int(x.split()[3]) for x in qrels.splitlines()}
    scores = {x.split()[2]: float(x.split()[4]) for x in run.splitlines()}
    return {"q1": judged}, {"q1": scores}


@adapter("trec", **LIMITS)
def NDCG(qrels, run, k):
    return EvaluateRetrieval.evaluate(*parsed(qrels, run), [k])[0]


@adapter("trec", **LIMITS)
def MAP(qrels, run, k):
    return EvaluateRetrieval.evaluate(*parsed(qrels, run), [k])[1]


@adapter("trec", **LIMITS)
def MRR(qrels, run, k):
    return EvaluateRetrieval.evaluate_custom(*parsed(qrels, run), [k], "mrr")


@adapter("trec", **LIMITS)
def R_cap(qrels, run, k):
    return EvaluateRetrieval.evaluate_custom(*parsed(qrels, run), [k], "recall_cap")


@adapter("trec", **LIMITS)
def Accuracy(qrels, run, k):
    return EvaluateRetrieval.evaluate_custom(*parsed(qrels, run), [k], "top_k_accuracy")
