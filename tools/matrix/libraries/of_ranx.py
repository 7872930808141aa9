"""ranx, of one query as its Qrels and Run."""

from ranx import Qrels, Run, evaluate

PACKAGE = "ranx"


def measure(name):
    def function(qrels, run, k):
        judged = Qrels({"q": table(qrels, int)})
        ranked = Run({"q": table(run, float)})
        return float(evaluate(judged, ranked, name if k is None else f"{name}@{k}"))

    return function


def table(text, read):
    """The lines of a TREC file as a dict; the document stands third, the number last or fifth."""
    rows = [line.split() for line in text.splitlines()]
    return {row[2]: read(row[3] if len(row) == 4 else row[4]) for row in rows}


GRADED = {"form": "trec"}
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
