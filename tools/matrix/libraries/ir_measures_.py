"""ir_measures, with the providers that it chooses."""

import ir_measures
from adapter import adapter, version_of

NAME, VERSION = "ir_measures", version_of("ir_measures")
LIMITS = {"integers": True, "min_length": 1}


def value(measure, qrels, run):
    judged = {x.split()[2]: int(x.split()[3]) for x in qrels.splitlines()}
    scores = {x.split()[2]: float(x.split()[4]) for x in run.splitlines()}
    found = ir_measures.iter_calc([measure], {"q1": judged}, {"q1": scores})
    return next((x.value for x in found), None)


@adapter("trec", **LIMITS, cutoff="required")
def nDCG(qrels, run, k):
    return value(ir_measures.nDCG @ k, qrels, run)


@adapter("trec", **LIMITS, cutoff="required")
def AP(qrels, run, k):
    return value(ir_measures.AP @ k, qrels, run)


@adapter("trec", **LIMITS, cutoff="required")
def RR(qrels, run, k):
    return value(ir_measures.RR @ k, qrels, run)


@adapter("trec", **LIMITS, cutoff="never")
def RR_uncut(qrels, run, k):
    return value(ir_measures.RR, qrels, run)


@adapter("trec", **LIMITS, cutoff="required")
def Success(qrels, run, k):
    return value(ir_measures.Success @ k, qrels, run)
