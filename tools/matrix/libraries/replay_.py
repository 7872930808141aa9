"""RePlay, of dicts."""

from adapter import adapter, version_of
from replay import metrics
from replay.metrics import PerUser

NAME, VERSION = "replay-rec", version_of("replay-rec")
LIMITS = {"judged": "list", "cutoff": "required"}


def value(metric, recommended, judged, k):
    scored = [(x, float(-a)) for a, x in enumerate(recommended)]
    found = metric([k], mode=PerUser())({1: scored}, {1: judged})
    return next(iter(found.values()))[1]


@adapter("lists", **LIMITS)
def NDCG(recommended, judged, k):
    return value(metrics.NDCG, recommended, judged, k)


@adapter("lists", **LIMITS)
def MAP(recommended, judged, k):
    return value(metrics.MAP, recommended, judged, k)


@adapter("lists", **LIMITS)
def MRR(recommended, judged, k):
    return value(metrics.MRR, recommended, judged, k)


@adapter("lists", **LIMITS)
def Precision(recommended, judged, k):
    return value(metrics.Precision, recommended, judged, k)


@adapter("lists", **LIMITS)
def Recall(recommended, judged, k):
    return value(metrics.Recall, recommended, judged, k)


@adapter("lists", **LIMITS)
def HitRate(recommended, judged, k):
    return value(metrics.HitRate, recommended, judged, k)
