"""fastrank's evaluators, of a linear model whose one feature is the score (in float32)."""

import fastrank
import numpy as np

PACKAGE = "fastrank"
MODEL = fastrank.CModel.from_dict({"Linear": {"weights": [1.0]}})


def measure(name):
    def function(labels, scores, k):
        rows = np.array([scores], dtype=np.float32).T.copy()
        data = fastrank.CDataset.from_numpy(
            rows, np.array(labels, dtype=np.float64), np.ones(len(labels), dtype=np.int64)
        )
        found = data.evaluate(MODEL, name if k is None else f"{name}@{k}")
        return next(iter(found.values()), None)

    return function


GIVEN = {"form": "scores", "min_length": 1}
ADAPTERS = {
    "ndcg": (measure("ndcg"), GIVEN),
    "ap": (measure("ap"), GIVEN | {"cutoff": "never"}),
    "rr": (measure("rr"), GIVEN | {"cutoff": "never"}),
}
