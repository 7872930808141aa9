"""allRank's metrics; its module of data, which wants torchvision, is a constant here."""

import sys
import types

import torch

LOADING = types.ModuleType("allrank.data.dataset_loading")
LOADING.PADDED_Y_VALUE = -1
sys.modules[LOADING.__name__] = LOADING

from allrank.models import metrics  # noqa: E402 - after what it imports

PACKAGE = "allRank"
NOTES = [
    "Where nothing is relevant, `ndcg` of the released 1.4.3 is 1, the default of its "
    "`filler_value`. Earlier code of its repository has 0 there, and so has the test "
    "`test_ndcg_zero_when_no_relevant` that stands beside that code: the two differ as the code "
    "does."
]


def measure(name):
    def function(labels, scores, k):
        given = (torch.tensor([scores]), torch.tensor([labels], dtype=torch.float))
        return float(getattr(metrics, name)(*given, ats=None if k is None else [k])[0, 0])

    return function


GIVEN = {"form": "scores", "min_length": 1, "negative": False}
ADAPTERS = {name: (measure(name), GIVEN) for name in ("ndcg", "dcg")} | {
    "mrr": (measure("mrr"), GIVEN | {"binary": True})
}
CASES = [
    ("mrr", "graded labels", {"labels": [1, 0, 3], "scores": [3.0, 2.0, 1.0], "k": None}),
    ("ndcg", "-1 is padding", {"labels": [-1, 2, 1], "scores": [1.0, 2.0, 3.0], "k": None}),
    ("ndcg", "another label below 0", {"labels": [-2, 1], "scores": [2.0, 1.0], "k": None}),
]
