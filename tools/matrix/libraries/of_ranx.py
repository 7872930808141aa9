"""ranx, of queries as its Qrels and Run."""

from ranx import Qrels, Run, evaluate

PACKAGE = "ranx"


def measure(name):
    def function(qrels, run, k):
        judged = Qrels(table(qrels))
        ranked = Run(table(run))
        return float(evaluate(judged, ranked, name if k is None else f"{name}@{k}"))

    return function


def table(text):
    """The lines of a TREC file as dicts by query: label or score by document.

    Labels are numbers as they are written: ranx itself cuts the fraction off.
    """
    found = {}
    for line in text.splitlines():
        query, _, document, *rest = line.split()
        number = rest[0] if len(rest) == 1 else rest[1]
        read = int if number.lstrip("-").isdigit() else float
        found.setdefault(query, {})[document] = read(number)
    return found


GRADED = {"form": "trec", "integers": False, "several": True}
NAMES = ("ndcg", "ndcg_burges", "dcg", "dcg_burges", "map", "mrr", "precision", "recall",
         "hit_rate", "f1", "hits")  # fmt: skip
ADAPTERS = {
    **{name: (measure(name), GRADED) for name in NAMES},
    "r-precision": (measure("r-precision"), GRADED | {"cutoff": "never"}),
    "bpref": (measure("bpref"), GRADED | {"cutoff": "never", "unjudged": False}),
    "rbp.80": (measure("rbp.80"), GRADED | {"binary": True, "cutoff": "never"}),
}
measure("ndcg")("q 0 d 1", "q Q0 d 1 1.0 tag", None)  # compiles it, before a call is timed
CASES = [
    ("rbp.80", "labels above 1", {"labels": [3, 2, 0], "scores": [3.0, 2.0, 1.0], "k": None}),
    ("r-precision", "a cut-off", {"labels": [0, 1, 1], "scores": [3.0, 2.0, 1.0], "k": 1}),
    ("bpref", "nothing is judged not relevant", {"labels": [1], "scores": [1.0], "k": None}),
]
