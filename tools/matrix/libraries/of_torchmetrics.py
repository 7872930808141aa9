"""torchmetrics' functions of retrieval."""

import torch
from torchmetrics.functional import retrieval

PACKAGE = "torchmetrics"


def graded(labels, scores, k):
    return float(retrieval.retrieval_normalized_dcg(torch.tensor(scores), torch.tensor(labels), k))


def binary(name):
    def function(labels, scores, k):
        given = {} if name == "retrieval_r_precision" else {"top_k": k}
        return float(getattr(retrieval, name)(torch.tensor(scores), torch.tensor(labels), **given))

    return function


NAMES = ("average_precision", "hit_rate", "precision", "recall", "reciprocal_rank", "r_precision")
ADAPTERS = {
    "retrieval_normalized_dcg": (graded, {"form": "scores", "integers": True, "min_length": 1}),
} | {
    f"retrieval_{name}": (
        binary(f"retrieval_{name}"),
        {"form": "scores", "binary": True, "min_length": 1}
        | ({"cutoff": "never"} if name == "r_precision" else {}),
    )
    for name in NAMES
}
