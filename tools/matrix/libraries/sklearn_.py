"""scikit-learn."""

from adapter import adapter, version_of
from sklearn import metrics

NAME, VERSION = "scikit-learn", version_of("scikit-learn")


@adapter()
def ndcg_score(labels, scores, k):
    return metrics.ndcg_score([labels], [scores], k=k)


@adapter()
def ndcg_score_ignore_ties(labels, scores, k):
    return metrics.ndcg_score([labels], [scores], k=k, ignore_ties=True)


@adapter()
def dcg_score(labels, scores, k):
    return metrics.dcg_score([labels], [scores], k=k)


@adapter(binary=True, cutoff="never")
def average_precision_score(labels, scores, k):
    return metrics.average_precision_score(labels, scores)


@adapter(binary=True, cutoff="never")
def label_ranking_average_precision_score(labels, scores, k):
    return metrics.label_ranking_average_precision_score([labels], [scores])
