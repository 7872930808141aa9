"""RecTools."""

import pandas as pd
from adapter import adapter, version_of
from rectools import metrics

NAME, VERSION = "RecTools", version_of("RecTools")
LIMITS = {"judged": "set", "cutoff": "required"}


def value(metric, recommended, judged):
    reco = pd.DataFrame(
        {"user_id": 1, "item_id": recommended, "rank": range(1, len(recommended) + 1)}
    )
    truth = pd.DataFrame({"user_id": 1, "item_id": sorted(judged)})
    return {x: float(y) for x, y in metric.calc_per_user(reco, truth).items()}


@adapter("lists", **LIMITS)
def NDCG(recommended, judged, k):
    return value(metrics.NDCG(k=k), recommended, judged)


@adapter("lists", **LIMITS)
def NDCG_divide_by_achievable(recommended, judged, k):
    return value(metrics.NDCG(k=k, divide_by_achievable=True), recommended, judged)


@adapter("lists", **LIMITS)
def MAP(recommended, judged, k):
    return value(metrics.MAP(k=k), recommended, judged)


@adapter("lists", **LIMITS)
def MAP_divide_by_k(recommended, judged, k):
    return value(metrics.MAP(k=k, divide_by_k=True), recommended, judged)


@adapter("lists", **LIMITS)
def MRR(recommended, judged, k):
    return value(metrics.MRR(k=k), recommended, judged)


@adapter("lists", **LIMITS)
def Precision(recommended, judged, k):
    return value(metrics.Precision(k=k), recommended, judged)


@adapter("lists", **LIMITS)
def Precision_r(recommended, judged, k):
    return value(metrics.Precision(k=k, r_precision=True), recommended, judged)


@adapter("lists", **LIMITS)
def Recall(recommended, judged, k):
    return value(metrics.Recall(k=k), recommended, judged)


@adapter("lists", **LIMITS)
def HitRate(recommended, judged, k):
    return value(metrics.HitRate(k=k), recommended, judged)
