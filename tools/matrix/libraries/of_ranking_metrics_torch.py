"""ranking_metrics_torch's metrics."""

import torch
from ranking_metrics_torch import avg_precision, cumulative_gain, precision_recall

PACKAGE = "ranking_metrics_torch"


def measure(of):
    def function(labels, scores, k):
        given = torch.tensor([scores] * 2), torch.tensor([labels] * 2, dtype=torch.float)
        found = of(torch.tensor([k]), *given)  # recall_at fails for a single row
        return float(found.flatten()[0])

    return function


GIVEN = {
    "form": "scores",
    "cutoff": "required",
    "min_length": 1,
    "k_within": True,
    "negative": False,
}
ADAPTERS = {
    "dcg_at": (measure(cumulative_gain.dcg_at), GIVEN),
    "ndcg_at": (measure(cumulative_gain.ndcg_at), GIVEN),
    "precision_at": (measure(precision_recall.precision_at), GIVEN | {"binary": True}),
    "recall_at": (measure(precision_recall.recall_at), GIVEN | {"binary": True}),
    "avg_precision_at": (measure(avg_precision.avg_precision_at), GIVEN | {"binary": True}),
}
CASES = [
    ("ndcg_at", "a label below 0", {"labels": [0, 1, -1], "scores": [3.0, 1.0, 2.0], "k": 3}),
]
