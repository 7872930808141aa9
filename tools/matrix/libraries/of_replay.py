"""RePlay's metrics of one user, by dicts."""

from replay import metrics

PACKAGE = "replay-rec"


def measure(name):
    def function(recommended, judged, k):
        metric = getattr(metrics, name)(k)
        ranked = {1: [(item, float(-rank)) for rank, item in enumerate(recommended)]}
        return float(metric(ranked, {1: list(judged)})[f"{name}@{k}"])

    return function


GIVEN = {"form": "lists", "judged": "list", "binary": True, "cutoff": "required", "min_length": 1}
NAMES = ("NDCG", "MAP", "MRR", "Precision", "Recall", "HitRate", "RocAuc")
ADAPTERS = {name: (measure(name), GIVEN) for name in NAMES}
