"""mteb's retrieval scores of one query, which it has from pytrec_eval but for the MRR."""

from mteb._evaluators import retrieval_metrics

PACKAGE = "mteb"


def measure(name):
    def function(qrels, run, k):
        given = {"1": table(run, float)}, {"1": table(qrels, int)}
        found = retrieval_metrics.calculate_retrieval_scores(*given, [k])
        return next(iter(getattr(found, name).values()))

    return function


def table(text, read):
    """The lines of a TREC file as a dict; the document stands third."""
    rows = [line.split() for line in text.splitlines()]
    return {row[2]: read(row[3] if len(row) == 4 else row[4]) for row in rows}


GIVEN = {"form": "trec", "cutoff": "required"}
ADAPTERS = {name: (measure(name), GIVEN) for name in ("ndcg", "mrr")}
