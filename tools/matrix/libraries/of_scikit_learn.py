"""scikit-learn's metrics of one ranking."""

from sklearn.metrics import (
    average_precision_score,
    dcg_score,
    label_ranking_average_precision_score,
    ndcg_score,
)

PACKAGE = "scikit-learn"


def dcg(labels, scores, k):
    return dcg_score([labels], [scores], k=k)


def dcg_ignoring_ties(labels, scores, k):
    return dcg_score([labels], [scores], k=k, ignore_ties=True)


def ndcg(labels, scores, k):
    return ndcg_score([labels], [scores], k=k)


def ndcg_ignoring_ties(labels, scores, k):
    return ndcg_score([labels], [scores], k=k, ignore_ties=True)


def average_precision(labels, scores, _):
    return average_precision_score(labels, scores)


def label_ranking_average_precision(labels, scores, _):
    return label_ranking_average_precision_score([labels], [scores])


GRADED = {"form": "scores", "min_length": 1}
BINARY = {"form": "scores", "cutoff": "never", "binary": True, "min_length": 1}
ADAPTERS = {
    "dcg_score": (dcg, GRADED),
    "dcg_score(ignore_ties=True)": (dcg_ignoring_ties, GRADED),
    "ndcg_score": (ndcg, GRADED),
    "ndcg_score(ignore_ties=True)": (ndcg_ignoring_ties, GRADED),
    "average_precision_score": (average_precision, BINARY),
    "label_ranking_average_precision_score": (label_ranking_average_precision, BINARY),
}
CASES = [
    ("ndcg_score", "a list of one item", {"labels": [2], "scores": [1.0], "k": 1}),
    ("dcg_score", "a list of one item", {"labels": [2], "scores": [1.0], "k": 1}),
    ("ndcg_score", "the cut-off 0", {"labels": [2, 1], "scores": [2.0, 1.0], "k": 0}),
]
