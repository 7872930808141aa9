"""XGBoost's metrics of one query: what it says of a model that adds nothing to the given scores."""

import numpy as np
import xgboost

PACKAGE = "xgboost"


def measure(name, **chosen):
    def function(labels, scores, k):
        at, minus = name.removesuffix("-"), "-" * name.endswith("-")
        wanted = at + minus if k is None else f"{at}@{k}{minus}"
        data = xgboost.DMatrix(np.zeros((len(labels), 1)), label=np.array(labels, dtype=float))
        data.set_group([len(labels)])
        data.set_base_margin(np.array(scores, dtype=float))
        given = {
            "eval_metric": wanted,
            "objective": "rank:pairwise",
            "nthread": 1,
            "base_score": 0,
            **chosen,
        }
        booster = xgboost.Booster(given, [data])
        return float(booster.eval(data).rsplit(":", 1)[1])

    return function


GIVEN = {"form": "scores", "min_length": 1}
LINEAR = {"objective": "rank:ndcg", "ndcg_exp_gain": False}
ADAPTERS = {
    "ndcg": (measure("ndcg"), GIVEN),
    "ndcg-": (measure("ndcg-"), GIVEN),
    "ndcg(ndcg_exp_gain=False)": (measure("ndcg", **LINEAR), GIVEN),
    "map": (measure("map"), GIVEN | {"binary": True}),
    "map-": (measure("map-"), GIVEN | {"binary": True}),
    "pre": (measure("pre"), GIVEN | {"binary": True, "cutoff": "required"}),
    "auc": (measure("auc"), GIVEN | {"binary": True, "cutoff": "never"}),
}
