"""trectools' TrecEval of one query, of files that it reads itself."""

from pathlib import Path
from tempfile import TemporaryDirectory

from trectools import TrecEval, TrecQrel, TrecRun

PACKAGE = "trectools"


def measure(name, **chosen):
    def function(qrels, run, k):
        with TemporaryDirectory() as folder:
            judged, ranked = Path(folder, "qrels"), Path(folder, "run")
            judged.write_text(qrels)
            ranked.write_text(run)
            evaluation = TrecEval(TrecRun(str(ranked)), TrecQrel(str(judged)))
        given = {} if k is None else {"depth": k}
        found = getattr(evaluation, name)(per_query=True, **given, **chosen)
        found = found[0] if isinstance(found, tuple) else found
        return float(found.iloc[0, 0]) if len(found) else None

    return function


GIVEN = {"form": "trec", "cutoff": "required"}  # none is 1000
NAMES = ("get_ndcg", "get_map", "get_precision", "get_recall", "get_reciprocal_rank", "get_rbp")
WHOLE = ("get_rprec", "get_bpref")
ADAPTERS = {
    **{name: (measure(name), GIVEN) for name in NAMES},
    **{name: (measure(name), GIVEN | {"cutoff": "never"}) for name in WHOLE},
    "get_ndcg(trec_eval=False)": (measure("get_ndcg", trec_eval=False), GIVEN),
}
