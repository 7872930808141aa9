"""XGBoost, the metrics of a booster without trees whose margins are the scores."""

import numpy as np
import xgboost
from adapter import adapter, version_of

NAME, VERSION = "xgboost", version_of("xgboost")


def value(metric, labels, scores, k, **more):
    data = xgboost.DMatrix(np.zeros((len(labels), 1)), label=labels, base_margin=scores)
    data.set_group([len(labels)])
    name = metric if k is None else f"{metric}@{k}"
    options = {"objective": "rank:ndcg", "eval_metric": name, "nthread": 1, "verbosity": 0, **more}
    booster = xgboost.train(options, data, num_boost_round=0)
    return float(booster.eval(data).rsplit(":", 1)[1])


@adapter(max_label=31)
def ndcg(labels, scores, k):
    return value("ndcg", labels, scores, k)


@adapter(binary=True)
def map(labels, scores, k):  # noqa: A001
    return value("map", labels, scores, k, objective="rank:map")


@adapter(binary=True)
def pre(labels, scores, k):
    return value("pre", labels, scores, k)
