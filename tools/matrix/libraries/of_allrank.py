"""allRank's metrics; its module of data, which wants torchvision, is a constant here."""

import sys
import types

import torch

LOADING = types.ModuleType("allrank.data.dataset_loading")
LOADING.PADDED_Y_VALUE = -1
sys.modules[LOADING.__name__] = LOADING

from allrank.models import metrics  # noqa: E402 - after what it imports

PACKAGE = "allRank"


def measure(name):
    def function(labels, scores, k):
        given = (torch.tensor([scores]), torch.tensor([labels], dtype=torch.float))
        return float(getattr(metrics, name)(*given, ats=None if k is None else [k])[0, 0])

    return function


GIVEN = {"form": "scores", "min_length": 1}
ADAPTERS = {name: (measure(name), GIVEN) for name in ("ndcg", "dcg", "mrr")}
