"""LensKit's ranking metrics of one list."""

from lenskit import metrics
from lenskit.data import ItemList

PACKAGE = "lenskit"


def measure(name, graded=False, **chosen):
    def function(recommended, judged, k):
        ranked = ItemList(item_ids=list(recommended), ordered=True)
        fields = {"rating": [float(x) for x in judged.values()]} if graded else {}
        truth = ItemList(item_ids=list(judged), **fields)
        return float(getattr(metrics, name)(k, **chosen).measure_list(ranked, truth))

    return function


def of_hits(function):
    """With the relevant items as judged, and no others."""
    return lambda recommended, judged, k: function(recommended, dict.fromkeys(judged, 1), k)


BINARY = {"form": "lists", "judged": "list", "binary": True}
NAMES = ("NDCG", "DCG", "Precision", "Recall", "Hit", "RecipRank", "RBP")
ADAPTERS = {name: (of_hits(measure(name)), BINARY) for name in NAMES} | {
    "NDCG(gain='rating')": (measure("NDCG", True, gain="rating"), {"form": "lists"}),
    "RBP(normalize=True)": (of_hits(measure("RBP", normalize=True)), BINARY),
}
