"""ir_measures, by the providers that it chooses."""

import ir_measures

PACKAGE = "ir-measures"


def measure(name, cut):
    def function(qrels, run, k):
        wanted = ir_measures.parse_measure(name if not cut else f"{name}@{k}")
        judged = list(ir_measures.read_trec_qrels(qrels))
        ranked = list(ir_measures.read_trec_run(run))
        return ir_measures.calc_aggregate([wanted], judged, ranked)[wanted]

    return function


WHOLE = ("nDCG", "AP", "RR", "Rprec", "Bpref", "RBP(p=0.8,rel=1)", "infAP", "NumRet", "NumRelRet")
CUT = ("nDCG", "nDCG(dcg='exp-log2')", "AP", "RR", "P", "R", "Success", "ERR", "Judged")
ADAPTERS = {name: (measure(name, False), {"form": "trec", "cutoff": "never"}) for name in WHOLE} | {
    f"{name}@k": (measure(name, True), {"form": "trec", "cutoff": "required"}) for name in CUT
}
