"""RecPack's metrics of one user, by sparse matrices."""

from recpack import metrics
from scipy.sparse import csr_matrix

PACKAGE = "recpack"


def measure(name):
    def function(recommended, judged, k):
        items = {
            item: column for column, item in enumerate([*dict.fromkeys([*recommended, *judged])])
        }
        truth = row({items[item]: 1 for item in judged}, len(items))
        n = len(recommended)
        ranked = row({items[item]: n - a for a, item in enumerate(recommended)}, len(items))
        metric = getattr(metrics, name)(k)
        metric.calculate(truth, ranked)
        return float(metric.value)

    return function


def row(values, width):
    return csr_matrix((list(values.values()), ([0] * len(values), list(values))), shape=(1, width))


GIVEN = {"form": "lists", "judged": "list", "binary": True, "cutoff": "required",
         "needs_relevant": True, "min_length": 1}  # fmt: skip
NAMES = ("NDCGK", "DCGK", "PrecisionK", "RecallK", "CalibratedRecallK", "HitK", "ReciprocalRankK")
ADAPTERS = {name: (measure(name), GIVEN) for name in NAMES}
