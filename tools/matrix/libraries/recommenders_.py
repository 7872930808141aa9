"""recommenders, its evaluation in pandas."""

import pandas as pd
from adapter import adapter, version_of
from recommenders.evaluation import python_evaluation as evaluation

NAME, VERSION = "recommenders", version_of("recommenders")
LIMITS = {"judged": "set", "cutoff": "required"}


def frames(recommended, judged):
    n = len(recommended)
    true = pd.DataFrame({"userID": 1, "itemID": sorted(judged), "rating": 1.0})
    scores = [float(n - a) for a in range(n)]
    return true, pd.DataFrame({"userID": 1, "itemID": recommended, "prediction": scores})


@adapter("lists", **LIMITS)
def ndcg_at_k(recommended, judged, k):
    return evaluation.ndcg_at_k(*frames(recommended, judged), k=k)


@adapter("lists", **LIMITS)
def map_at_k(recommended, judged, k):
    return evaluation.map_at_k(*frames(recommended, judged), k=k)


@adapter("lists", **LIMITS)
def map(recommended, judged, k):  # noqa: A001
    return evaluation.map(*frames(recommended, judged), k=k)


@adapter("lists", **LIMITS)
def precision_at_k(recommended, judged, k):
    return evaluation.precision_at_k(*frames(recommended, judged), k=k)


@adapter("lists", **LIMITS)
def recall_at_k(recommended, judged, k):
    return evaluation.recall_at_k(*frames(recommended, judged), k=k)


@adapter("lists", **LIMITS)
def r_precision_at_k(recommended, judged, k):
    return evaluation.r_precision_at_k(*frames(recommended, judged), k=k)
