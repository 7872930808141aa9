"""Answers the cases of rankspec's test vectors by the metrics of metrics.py.

cd adapters/python && rankspec conform --profile recsys --python adapter:answer
"""

# ruff: noqa: ARG005 - every metric is called alike

from functools import partial

import metrics

NAME, VERSION = "example-python", "1.0"

OF = {  # of a measure m, labels x, judged labels J and a cut-off k
    "CG": lambda m, x, J, k: metrics.dcg(x, k, gain(m), lambda rank: 1.0),
    "DCG": lambda m, x, J, k: metrics.dcg(x, k, gain(m), discount(m)),
    "IDCG": lambda m, x, J, k: metrics.idcg(J, k, gain(m), discount(m)),
    "nDCG": lambda m, x, J, k: metrics.ndcg(x, J, k, m["ideal"], gain(m), discount(m)),
    "P": lambda m, x, J, k: metrics.precision(x, k, m["rel"]),
    "R": lambda m, x, J, k: metrics.recall(x, J, k, m["rel"]),
    "RR": lambda m, x, J, k: metrics.reciprocal_rank(x, k, m["rel"]),
    "Success": lambda m, x, J, k: metrics.success(x, k, m["rel"]),
    "AP": lambda m, x, J, k: metrics.average_precision(x, J, k, m["rel"], m["norm"]),
}
CAN = {
    *("labels:integer", "labels:graded", "labels:fractional", "judged", "rel"),
    *("k", "k:none", "k:list", "k:huge", "gain:linear", "gain:exp2", "gain:table"),
    *("discount:log", "discount:zipf", "discount:none", "base"),
    *("ideal:k", "ideal:all", "norm:R", "norm:min"),
}


def gain(measure):
    return partial(metrics.gain, **measure["gain"])


def discount(measure):
    return partial(metrics.discount, **measure["discount"])


def answer(case):
    """The value of a case; a list of them for a list of cut-offs."""
    measure, given = case["measure"], case["input"]
    if measure["name"] not in OF or not CAN.issuperset(case["requires"]):
        raise NotImplementedError(measure["name"])
    labels = given.get("labels", [])
    judged = given.get("judged", labels)

    def at(k):
        return OF[measure["name"]](measure, labels, judged, k and int(k))

    return [at(k) for k in measure["k"]] if isinstance(measure["k"], list) else at(measure["k"])
