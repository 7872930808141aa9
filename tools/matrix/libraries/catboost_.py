"""CatBoost, its metrics of groups."""

from adapter import adapter, version_of
from catboost.utils import eval_metric

NAME, VERSION = "catboost", version_of("catboost")


def value(metric, labels, scores, k):
    top = "" if k is None else f"top={k};"
    description = f"{metric}:{top}hints=skip_train~false"
    return eval_metric(labels, scores, description, group_id=[0] * len(labels))


@adapter()
def NDCG(labels, scores, k):
    return value("NDCG", labels, scores, k)


@adapter()
def NDCG_exp(labels, scores, k):
    top = "" if k is None else f"top={k};"
    return eval_metric(labels, scores, f"NDCG:{top}type=Exp", group_id=[0] * len(labels))


@adapter()
def DCG(labels, scores, k):
    return value("DCG", labels, scores, k)


@adapter(binary=True)
def MRR(labels, scores, k):
    return value("MRR", labels, scores, k)


@adapter(binary=True)
def MAP(labels, scores, k):
    return value("MAP", labels, scores, k)


@adapter()
def ERR(labels, scores, k):
    return value("ERR", labels, scores, k)
