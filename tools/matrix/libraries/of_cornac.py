"""Cornac's ranking metrics of one user."""

import numpy as np
from cornac import metrics

PACKAGE = "cornac"


def measure(name):
    def function(recommended, judged, k):
        items = {item: a for a, item in enumerate(dict.fromkeys([*recommended, *judged]))}
        positive = np.array([items[item] for item in judged], dtype=int)
        ranked = np.array([items[item] for item in recommended], dtype=int)
        given = {} if name in ("MRR", "MAP", "AUC") else {"k": -1 if k is None else k}
        extra = {"pd_scores": -np.arange(len(items), dtype=float), "item_indices": ranked}
        return float(getattr(metrics, name)(**given).compute(positive, ranked, **extra))

    return function


GIVEN = {"form": "lists", "judged": "list", "binary": True, "needs_relevant": True, "min_length": 1}
ADAPTERS = {
    name: (measure(name), GIVEN) for name in ("NDCG", "NCRR", "Precision", "Recall", "HitRatio")
} | {"MRR": (measure("MRR"), GIVEN | {"cutoff": "never", "pool": False})}
