"""ranx, of its Qrels and Run."""

from ranx import Qrels, Run, evaluate

PACKAGE = "ranx"


def measure(name):
    """By score: ranx orders the dicts."""

    def function(labels, scores, k):
        ids = [f"d{a:03}" for a in range(len(labels))]
        qrels = Qrels({"q": dict(zip(ids, labels, strict=True))})
        run = Run({"q": dict(zip(ids, scores, strict=True))})
        return float(evaluate(qrels, run, name if k is None else f"{name}@{k}"))

    return function


GRADED = {"form": "scores", "integers": True, "min_length": 1}
NAMES = ("ndcg", "ndcg_burges", "dcg", "dcg_burges", "map", "mrr", "precision", "recall",
         "r-precision", "hit_rate", "f1", "hits")  # fmt: skip
ADAPTERS = {name: (measure(name), GRADED) for name in NAMES} | {
    name: (measure(name), GRADED | {"binary": True}) for name in ("bpref", "rbp.80")
}
CASES = [
    ("rbp.80", "a label above 1", {"labels": [3, 2, 0], "scores": [3.0, 2.0, 1.0], "k": None}),
    ("ndcg", "an empty list", {"labels": [], "scores": [], "k": None}),
    ("ndcg", "a fractional label", {"labels": [1.5, 2], "scores": [2.0, 1.0], "k": None}),
]
