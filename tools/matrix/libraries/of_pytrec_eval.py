"""pytrec_eval (the distribution pytrec_eval-terrier): trec_eval 9 as a library."""

import pytrec_eval as program

PACKAGE = "pytrec_eval-terrier"


def measure(name, cut):
    def function(qrels, run, k):
        wanted = name if not cut else f"{name}.{k}"
        evaluator = program.RelevanceEvaluator(table(qrels, int), {wanted})
        values = evaluator.evaluate(table(run, float)).get("1", {})
        return values.get(name if not cut else f"{name}_{k}")

    return function


def table(text, read):
    """The lines of a TREC file as a dict; the document stands third, the number last or fifth."""
    rows = [line.split() for line in text.splitlines()]
    return {"1": {row[2]: read(row[3] if len(row) == 4 else row[4]) for row in rows}}


WHOLE = (
    "ndcg",
    "map",
    "recip_rank",
    "Rprec",
    "bpref",
    "gm_map",
    "11pt_avg",
    "infAP",
    "num_rel_ret",
)
CUT = ("ndcg_cut", "map_cut", "P", "recall", "success")
ADAPTERS = {
    name: (measure(name, False), {"form": "trec", "cutoff": "never", "pool": True})
    for name in WHOLE
} | {name: (measure(name, True), {"form": "trec", "cutoff": "required"}) for name in CUT}
CASES = [
    ("ndcg_cut", "the cut-off 0", {"labels": [1, 0], "scores": [2.0, 1.0], "k": 0}),
]
