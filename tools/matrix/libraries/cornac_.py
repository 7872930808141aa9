"""Cornac."""

import numpy as np
from adapter import adapter, version_of
from cornac import metrics

NAME, VERSION = "cornac", version_of("cornac")
LIMITS = {"judged": "set"}


def value(metric, recommended, judged):
    number = {x: a for a, x in enumerate(sorted({*recommended, *judged}))}
    relevant = np.array([number[x] for x in sorted(judged)], dtype=int)
    return metric.compute(
        gt_pos=relevant, pd_rank=np.array([number[x] for x in recommended], dtype=int)
    )


@adapter("lists", **LIMITS)
def NDCG(recommended, judged, k):
    return value(metrics.NDCG(k=-1 if k is None else k), recommended, judged)


@adapter("lists", **LIMITS)
def NCRR(recommended, judged, k):
    return value(metrics.NCRR(k=-1 if k is None else k), recommended, judged)


@adapter("lists", **LIMITS, cutoff="never")
def MRR(recommended, judged, k):
    return value(metrics.MRR(), recommended, judged)


@adapter("lists", **LIMITS)
def Precision(recommended, judged, k):
    return value(metrics.Precision(k=-1 if k is None else k), recommended, judged)


@adapter("lists", **LIMITS)
def Recall(recommended, judged, k):
    return value(metrics.Recall(k=-1 if k is None else k), recommended, judged)


@adapter("lists", **LIMITS)
def FMeasure(recommended, judged, k):
    return value(metrics.FMeasure(k=-1 if k is None else k), recommended, judged)


@adapter("lists", **LIMITS)
def HitRatio(recommended, judged, k):
    return value(metrics.HitRatio(k=-1 if k is None else k), recommended, judged)
