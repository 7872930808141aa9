"""recommenders' (Microsoft's) metrics of one user."""

import pandas as pd
from recommenders.evaluation import python_evaluation

PACKAGE = "recommenders"
NOTES = [
    "Over users `precision_at_k`, `recall_at_k`, `map` and `map_at_k` are means over the users "
    "that both tables have; `ndcg_at_k` is the mean over those of the truth, where one without "
    "predictions counts 0."
]


def measure(name, **chosen):
    def function(recommended, judged, k):
        truth = [(1, item, label) for item, label in judged.items() if label > 0]
        ranked = [(1, item, float(-rank)) for rank, item in enumerate(recommended)]
        return float(
            getattr(python_evaluation, name)(
                frame(truth, "rating"),
                frame(ranked, "prediction"),
                k=k,
                **chosen,
            )
        )

    return function


def frame(rows, value):
    found = pd.DataFrame(rows, columns=["userID", "itemID", value])
    return found.astype({"userID": int, "itemID": str, value: float})


BINARY = {"form": "lists", "binary": True, "cutoff": "required", "needs_relevant": True,
          "min_length": 1}  # fmt: skip
GRADED = {**BINARY, "binary": False, "negative": False}
NAMES = ("ndcg_at_k", "map", "map_at_k", "precision_at_k", "recall_at_k", "r_precision_at_k")
ADAPTERS = {name: (measure(name), BINARY) for name in NAMES} | {
    "ndcg_at_k(score_type='raw')": (measure("ndcg_at_k", score_type="raw"), GRADED),
    "ndcg_at_k(score_type='exp')": (measure("ndcg_at_k", score_type="exp"), GRADED),
    "ndcg_at_k(discfun_type='log2')": (measure("ndcg_at_k", discfun_type="log2"), BINARY),
}
CASES = [("ndcg_at_k", "nothing relevant", {"labels": [0, 0], "k": 2})]
