"""LightGBM's metrics of one query: what it prints of a model whose scores are the given ones."""

import lightgbm
import numpy as np

PACKAGE = "lightgbm"


def measure(name, **chosen):
    def function(labels, scores, k):
        given = {"objective": "none", "metric": name, "eval_at": [k], "verbose": -1, **chosen,
                 "min_data_in_leaf": 1, "min_data_in_bin": 1, "feature_pre_filter": False,
                 "num_threads": 1}  # fmt: skip
        data = lightgbm.Dataset(
            np.zeros((len(labels), 1)), labels, group=[len(labels)], init_score=scores, params=given
        )
        data.construct()
        booster = lightgbm.Booster(given, data)
        return float(booster.eval_train()[0][2])

    return function


GIVEN = {
    "form": "scores",
    "integers": True,
    "negative": False,
    "cutoff": "required",
    "min_length": 1,
}
ADAPTERS = {
    "ndcg": (measure("ndcg"), GIVEN),
    "ndcg(label_gain=0,1,2,3)": (measure("ndcg", label_gain="0,1,2,3"), GIVEN | {"max_label": 3}),
    "map": (measure("map"), GIVEN | {"binary": True}),
}
