"""CatBoost's metrics of one group, by utils.eval_metric."""

from catboost.utils import eval_metric

PACKAGE = "catboost"


def measure(name):
    def function(labels, scores, k):
        wanted = name if k is None else f"{name}{':' if ':' not in name else ';'}top={k}"
        return float(eval_metric(labels, scores, wanted, group_id=[1] * len(labels))[0])

    return function


GRADED = {"form": "scores", "min_length": 1, "negative": False}
BINARY = {**GRADED, "binary": True}
ADAPTERS = {
    "NDCG": (measure("NDCG"), GRADED),
    "NDCG:type=Exp": (measure("NDCG:type=Exp"), GRADED),
    "NDCG:denominator=Position": (measure("NDCG:denominator=Position"), GRADED),
    "DCG": (measure("DCG"), GRADED),
    "MAP": (measure("MAP"), BINARY),
    "MRR": (measure("MRR"), BINARY),
    "ERR": (measure("ERR"), BINARY),
    "PFound": (measure("PFound"), BINARY),
    "PrecisionAt": (measure("PrecisionAt"), BINARY),
    "RecallAt": (measure("RecallAt"), BINARY),
}
