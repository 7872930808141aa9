"""The measures of sentence-transformers' InformationRetrievalEvaluator."""

from sentence_transformers.evaluation import InformationRetrievalEvaluator

PACKAGE = "sentence-transformers"


def measure(name):
    def function(recommended, judged, k):
        evaluator = InformationRetrievalEvaluator(
            {"q": "q"}, {i: i for i in [*recommended, *judged]}, {"q": set(judged)},
            mrr_at_k=[k], ndcg_at_k=[k], accuracy_at_k=[k], precision_recall_at_k=[k], map_at_k=[k],
        )  # fmt: skip
        hits = [{"corpus_id": i, "score": -float(r)} for r, i in enumerate(recommended)]
        return float(evaluator.compute_metrics([hits])[name][k])

    return function


GIVEN = {
    "form": "lists",
    "judged": "set",
    "binary": True,
    "cutoff": "required",
    "needs_relevant": True,
}
NAMES = ("ndcg@k", "mrr@k", "accuracy@k", "precision@k", "recall@k", "map@k")
ADAPTERS = {name: (measure(name), GIVEN) for name in NAMES}
