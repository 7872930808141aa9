"""torcheval's functions of ranking, of one query."""

import torch
from torcheval.metrics import functional

PACKAGE = "torcheval"


def retrieval_precision(labels, scores, k):
    return float(functional.retrieval_precision(torch.tensor(scores), torch.tensor(labels), k))


GIVEN = {"form": "scores", "binary": True, "min_length": 1}
ADAPTERS = {
    "retrieval_precision": (retrieval_precision, GIVEN),
}
