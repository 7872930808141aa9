"""implicit's ranking metrics of one user, of a model that recommends a given list."""

import numpy as np
from implicit.evaluation import ranking_metrics_at_k
from scipy.sparse import csr_matrix

PACKAGE = "implicit"


class Fixed:
    """A model that recommends the same to everybody."""

    def __init__(self, items):
        self.items = items

    def recommend(self, users, _, N, **__):
        shown = np.array(self.items[:N], dtype=np.int32)
        return np.tile(shown, (len(users), 1)), np.tile(-np.arange(len(shown)), (len(users), 1))


def measure(name):
    def function(recommended, judged, k):
        items = {item: a for a, item in enumerate(dict.fromkeys([*recommended, *judged]))}
        seen = csr_matrix((1, len(items) + 1))  # an item more: its AUC divides by the others
        columns = [items[item] for item in judged]
        test = csr_matrix(([1.0] * len(columns), ([0] * len(columns), columns)), seen.shape)
        model = Fixed([items[item] for item in recommended])
        found = ranking_metrics_at_k(model, seen, test, K=k, show_progress=False, num_threads=1)
        return float(found[name])

    return function


GIVEN = {"form": "lists", "judged": "list", "binary": True, "cutoff": "required",
         "needs_relevant": True, "min_length": 1, "k_within": True}  # fmt: skip
ADAPTERS = {name: (measure(name), GIVEN) for name in ("ndcg", "map", "precision", "auc")}
