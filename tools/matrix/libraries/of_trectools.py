"""trectools' TrecEval of one query."""

from io import StringIO

import pandas as pd
from trectools import TrecEval, TrecQrel, TrecRun

PACKAGE = "trectools"


def measure(name, **chosen):
    def function(qrels, run, k):
        judged, ranked = TrecQrel(), TrecRun()
        judged.qrels_data = table(qrels, ["query", "q0", "docid", "rel"])
        ranked.run_data = table(run, ["query", "q0", "docid", "rank", "score", "system"])
        given = {} if k is None else {"depth": k}
        found = getattr(TrecEval(ranked, judged), name)(per_query=True, **given, **chosen)
        return float(found.iloc[0, 0]) if len(found) else None

    return function


def table(text, names):
    return pd.read_csv(StringIO(text), sep=r"\s+", names=names, dtype={"query": str, "docid": str})


GIVEN = {"form": "trec"}
NAMES = ("get_ndcg", "get_map", "get_precision", "get_recall", "get_reciprocal_rank", "get_rbp")
WHOLE = ("get_rprec", "get_bpref")
ADAPTERS = {
    **{name: (measure(name), GIVEN) for name in NAMES},
    **{name: (measure(name), GIVEN | {"cutoff": "never"}) for name in WHOLE},
    "get_ndcg(te_mode=False)": (measure("get_ndcg", te_mode=False), GIVEN),
}
