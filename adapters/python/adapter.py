"""Answers the cases of rankspec's test vectors by the metrics of metrics.py.

cd adapters/python && rankspec conform --profile recsys --python adapter:answer
"""

from functools import partial

import metrics

NAME, VERSION = "example-python", "1.0"

OF_GAINS = {"CG": metrics.dcg, "DCG": metrics.dcg, "IDCG": metrics.idcg, "nDCG": metrics.ndcg}
OF_HITS = {
    "P": metrics.precision,
    "R": metrics.recall,
    "RR": metrics.reciprocal_rank,
    "Success": metrics.success,
    "AP": metrics.average_precision,
}
CAN = {
    *("labels:integer", "labels:graded", "labels:fractional", "judged", "rel"),
    *("k", "k:none", "k:list", "k:huge", "gain:linear", "gain:exp2", "gain:table"),
    *("discount:log", "discount:zipf", "discount:none", "base"),
    *("ideal:k", "ideal:all", "norm:R", "norm:min"),
}


def answer(case):
    """The value of a case; a list of them for a list of cut-offs."""
    measure, given = case["measure"], case["input"]
    if measure["name"] not in {*OF_GAINS, *OF_HITS} or not CAN.issuperset(case["requires"]):
        raise NotImplementedError(measure["name"])
    labels = given.get("labels", [])
    judged = given.get("judged", labels)
    cutoffs = measure["k"] if isinstance(measure["k"], list) else [measure["k"]]
    values = [value(measure, labels, judged, k and int(k)) for k in cutoffs]
    return values if isinstance(measure["k"], list) else values[0]


def value(measure, labels, judged, k):
    rest = {name: measure[name] for name in ("ideal", "norm") if name in measure}
    if measure["name"] in OF_HITS:
        return OF_HITS[measure["name"]](labels, judged, k, measure["rel"], **rest)
    discount = measure.get("discount", {"kind": "none"})
    how = partial(metrics.gain, **measure["gain"]), partial(metrics.discount, **discount)
    return OF_GAINS[measure["name"]](labels, judged, k, *how, **rest)
