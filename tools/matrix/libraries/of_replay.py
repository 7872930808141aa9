"""RePlay's metrics of one user, by dicts."""

from replay import metrics

PACKAGE = "replay-rec"
NOTES = [
    "Over users each of these is the mean over those of the ground truth: one without "
    "recommendations counts 0, one without ground truth is left out."
]


def measure(name):
    def function(recommended, judged, k):
        metric = getattr(metrics, name)(k)
        ranked = {1: [(item, float(-rank)) for rank, item in enumerate(recommended)]}
        return float(metric(ranked, {1: list(judged)})[f"{name}@{k}"])

    return function


GIVEN = {"form": "lists", "judged": "list", "binary": True, "cutoff": "required", "min_length": 1}
NAMES = ("NDCG", "MAP", "MRR", "Precision", "Recall", "HitRate", "RocAuc")
ADAPTERS = {name: (measure(name), GIVEN) for name in NAMES}
CASES = [("NDCG", "an empty list", {"labels": [], "unseen": [1], "k": 2})]
