"""PyTorch Ignite's metrics of recommendations."""

import torch
from ignite.metrics.rec_sys import NDCG, HitRate

PACKAGE = "pytorch-ignite"


def measure(kind, **chosen):
    def function(labels, scores, k):
        metric = kind(top_k=[k], **chosen)
        metric.update((torch.tensor([scores]), torch.tensor([labels], dtype=torch.float)))
        return float(metric.compute()[0])

    return function


GIVEN = {"form": "scores", "cutoff": "required", "min_length": 1}
ADAPTERS = {
    "NDCG": (measure(NDCG), GIVEN),
    "NDCG(ignore_zero_hits=False)": (measure(NDCG, ignore_zero_hits=False), GIVEN),
    "HitRate": (measure(HitRate), GIVEN | {"binary": True}),
}
