"""ranx, of its Qrels and Run."""

from ranx import Qrels, Run, evaluate

PACKAGE = "ranx"


def measure(name):
    def function(recommended, judged, k):
        qrels = Qrels({"q": judged})
        run = Run({"q": {item: float(-rank) for rank, item in enumerate(recommended)}})
        return float(evaluate(qrels, run, name if k is None else f"{name}@{k}"))

    return function


def of_files(name):
    """By score: ranx orders the dicts."""

    def function(labels, scores, k):
        ids = [f"d{a:03}" for a in range(len(labels))]
        qrels = Qrels({"q": dict(zip(ids, labels, strict=True))})
        run = Run({"q": dict(zip(ids, scores, strict=True))})
        return float(evaluate(qrels, run, name if k is None else f"{name}@{k}"))

    return function


NAMES = ("ndcg", "ndcg_burges", "dcg", "dcg_burges", "map", "mrr", "precision", "recall",
         "r-precision", "hit_rate", "f1", "bpref", "rbp.80", "hits")  # fmt: skip
ADAPTERS = {
    name: (of_files(name), {"form": "scores", "integers": True, "min_length": 1}) for name in NAMES
}
