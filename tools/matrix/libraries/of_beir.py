"""BEIR's evaluation, which calls pytrec_eval and rounds."""

from beir.retrieval.evaluation import EvaluateRetrieval

PACKAGE = "beir"


def measure(name, custom=False):
    def function(qrels, run, k):
        judged, ranked = {"1": table(qrels, int)}, {"1": table(run, float)}
        if custom:
            return EvaluateRetrieval.evaluate_custom(judged, ranked, [k], name)[
                f"{label(name)}@{k}"
            ]
        values = EvaluateRetrieval.evaluate(judged, ranked, [k])
        return next(of[f"{name}@{k}"] for of in values if f"{name}@{k}" in of)

    return function


def label(name):
    return {"mrr": "MRR", "recall_cap": "R_cap", "accuracy": "Accuracy"}[name]


def table(text, read):
    """The lines of a TREC file as a dict; the document stands third."""
    rows = [line.split() for line in text.splitlines()]
    return {row[2]: read(row[3] if len(row) == 4 else row[4]) for row in rows}


GIVEN = {"form": "trec", "cutoff": "required"}
ADAPTERS = {name: (measure(name), GIVEN) for name in ("NDCG", "MAP", "Recall", "P")} | {
    name: (measure(name, custom=True), GIVEN) for name in ("mrr", "recall_cap", "accuracy")
}
