"""implicit's ranking metrics of some users, of a model that recommends given lists."""

import numpy as np
from implicit.evaluation import ranking_metrics_at_k
from scipy.sparse import csr_matrix

PACKAGE = "implicit"
NOTES = [
    "Over users its `precision` is a ratio of sums (a micro-average), the sum of hits over the "
    "sum of min(K, relevant items): of one user it is RelP@K, of several it is not the mean of "
    "that. Its other measures are means over the users that have a relevant item. No measure of "
    "rankspec is averaged by a ratio of sums; the two sums are those of `NumRelRet@K` and of "
    "min(K, `NumRel`) over the queries of `per_query`."
]


class Fixed:
    """A model that recommends each user a given list; a shorter one is filled with no item."""

    def __init__(self, lists):
        self.lists = lists

    def recommend(self, users, _, N, **__):
        longest = min(N, max(len(self.lists[u]) for u in users))
        shown = [[*self.lists[u], *[-1] * longest][:longest] for u in users]
        return np.array(shown, dtype=np.int32), np.tile(-np.arange(longest), (len(users), 1))


def measure(name):
    def function(recommended, judged, k):
        known = [item for of_user in (*recommended, *judged) for item in of_user]
        items = {item: a for a, item in enumerate(dict.fromkeys(known))}
        seen = csr_matrix((len(judged), len(items) + 1))  # its AUC divides by the other items
        cells = [(u, items[item]) for u, of_user in enumerate(judged) for item in of_user]
        places = [u for u, _ in cells], [column for _, column in cells]
        test = csr_matrix(([1.0] * len(cells), places), seen.shape)
        model = Fixed([[items[item] for item in of_user] for of_user in recommended])
        found = ranking_metrics_at_k(model, seen, test, K=k, show_progress=False, num_threads=1)
        return float(found[name])

    return function


GIVEN = {"form": "lists", "judged": "list", "binary": True, "cutoff": "required",
         "needs_relevant": True, "min_length": 1, "k_within": True, "several": True}  # fmt: skip
ADAPTERS = {name: (measure(name), GIVEN) for name in ("ndcg", "map", "precision", "auc")}
CASES = [("ndcg", "nothing relevant", {"labels": [0, 0], "k": 2})]
