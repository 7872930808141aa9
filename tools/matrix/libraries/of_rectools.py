"""RecTools' ranking metrics of one user."""

import pandas as pd
from rectools import Columns, metrics

PACKAGE = "RecTools"
NOTES = [
    "Over users each of these is the mean over those of the interactions: one without "
    "recommendations counts 0, one without interactions is left out."
]


def measure(name, **chosen):
    def function(recommended, judged, k):
        rows = [(1, item, rank) for rank, item in enumerate(recommended, start=1)]
        ranked = pd.DataFrame(rows, columns=[Columns.User, Columns.Item, Columns.Rank])
        seen = pd.DataFrame([(1, item) for item in judged], columns=[Columns.User, Columns.Item])
        metric = getattr(metrics, name)(k=k, **chosen)
        catalog = {"catalog": sorted({*recommended, *judged, "none"})} if name == "Accuracy" else {}
        return float(metric.calc(ranked, seen, **catalog))

    return function


GIVEN = {"form": "lists", "judged": "list", "binary": True, "cutoff": "required",
         "needs_relevant": True, "min_length": 1}  # fmt: skip
NAMES = ("NDCG", "MAP", "MRR", "Precision", "Recall", "HitRate")
ADAPTERS = {name: (measure(name), GIVEN) for name in NAMES} | {
    "NDCG(divide_by_achievable=True)": (measure("NDCG", divide_by_achievable=True), GIVEN),
    "MAP(divide_by_k=True)": (measure("MAP", divide_by_k=True), GIVEN),
    "Precision(r_precision=True)": (measure("Precision", r_precision=True), GIVEN),
}
CASES = [("NDCG", "nothing relevant", {"labels": [0, 0], "k": 2})]
