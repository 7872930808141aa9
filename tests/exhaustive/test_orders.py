"""Every order that equal scores leave open, one by one, in small evaluations.

An order is made a run of its own, of distinct scores, so that no rule for ties is asked.
"""

from __future__ import annotations

from itertools import groupby, permutations, product

import pytest

from rankspec import evaluate
from rankspec.metrics.grammar import measures

U = None  # a document without a judgment
NAMES = [
    "nDCG@2", "nDCG(gain='exp2')", "nDCG(ideal='all')@1", "CG@2", "DCG@1", "IDCG@2",
    "nDCG_phi", "nDCG_phi@2", "DCG_phi@1", "DCG_phi@3", "nDCG_phi(variant='authors-program')@2",
    "DCG_phi(points=[(0, 0.5), (1, 0.75), (2, 1)])@2", "nDCG_phi(points=[(0, 1)])@1",
    "LDCG@2", "LNDCG@2", "LNDCG(ideal='eq7')@3", "ILDCG@2",
    "P@1", "P@2", "R@2", "R(rel=2)@1", "RR", "AP", "AP@2", "AP(norm='min')@2", "AP(norm='k')@2",
    "SP@2", "GAP", "GAP@2", "ERR@2", "ERR(max=2)", "ERR(stop=[0.5, 0.5, 1])@2", "nERR@2",
    "RBP", "RBP(rel=2)@2", "RBP_residual@2", "Rprec", "Rprec@2", "Success@2", "Bpref", "Bpref@2",
    "U(nDCG@2)", "UL1(DCG@2)", "UL2(DCG@2)", "UL2(nDCG_phi@2)", "UL2(AP)", "MinMax(DCG_phi@2)",
    "MinMax(AP@2, lower='worst')", "Ratio(RR)", "z_value(P@1)",
    "expected(DCG_phi@2)", "RLB(nDCG_phi@2)",
]  # fmt: skip
CHOICES = [
    {},
    {"unjudged": "condensed"},
    {"negative": "unjudged"},
    {"gain": [1, 1, 3]},
    {"depth": 2},
    {"pool": "retrieved", "scores": "float32"},
    {"negative": "unjudged", "unjudged": "condensed", "depth": 1},
]
GROUPS = [(1, 1), (1, 1, 1)]


def orders(scores):
    """Every order of the positions in which no score stands below a lower one."""
    groups = [list(g) for _, g in groupby(range(len(scores)), key=scores.__getitem__)]
    for chosen in product(*map(permutations, groups)):
        yield [position for group in chosen for position in group]


def worlds():
    """(scores, labels, labels of judged documents that are not in the run), for each query."""
    for scores in GROUPS:
        grades = (U, 0, 1, -1) if len(scores) == 3 else (U, 0, 1, 2)
        for labels in product(grades, repeat=len(scores)):
            yield scores, labels, (0, 2) if labels[0] else ()


def least_and_greatest(qrels, runs, **chosen):
    """{measure: {query: (least, greatest)}}, of all orders; runs: {query: (documents, scores)}."""
    judged, run = {}, {}
    for query, (documents, scores) in runs.items():
        for a, order in enumerate(orders(scores)):
            name = f"{query}/{a}"
            judged[name] = qrels[query]
            run[name] = {documents[p]: -rank for rank, p in enumerate(order)}
    found = {}
    for measure, values in evaluate(judged, run, NAMES, **chosen).per_query.items():
        by_query = groupby(values.items(), key=lambda item: item[0].partition("/")[0])
        every = {query: [x for _, x in own] for query, own in by_query}
        found[measure] = {query: (min(own), max(own)) for query, own in every.items()}
    return found


def reversed_by_labels(name):
    """Whether a measure falls as labels rise: what may still be earned where none is known."""
    (measure,) = measures(name)
    return measure.metric.name == "RBP_residual"


@pytest.mark.slow
@pytest.mark.parametrize("chosen", CHOICES, ids=str)
@pytest.mark.spec("RS-TIE-2/L2", "RS-EXP-1/L2", "RS-TIE-2(a)", "RS-CONV-15")
def test_best_and_worst_are_the_extremes_of_all_orders(chosen):
    qrels, runs = {}, {}
    for q, (scores, labels, others) in enumerate(worlds()):
        documents = [f"d{a}" for a in range(len(labels))]
        pairs = zip(documents, labels, strict=True)
        qrels[str(q)] = {d: label for d, label in pairs if label is not U}
        qrels[str(q)] |= {f"x{a}": label for a, label in enumerate(others)}
        runs[str(q)] = documents, scores
    tied = {q: dict(zip(*own, strict=True)) for q, own in runs.items()}
    every = least_and_greatest(qrels, runs, **chosen)
    rules = ["best", "worst"] + ["expected"] * ("depth" not in chosen)
    by_rule = {rule: evaluate(qrels, tied, NAMES, ties=rule, **chosen).per_query for rule in rules}
    for name, by_query in every.items():
        for query, (least, greatest) in by_query.items():
            best, worst = (by_rule[rule][name][query] for rule in ("best", "worst"))
            if reversed_by_labels(name):
                best, worst = worst, best
            where = f"{name}, {chosen}: {runs[query]} against {qrels[query]}"
            assert (worst, best) == (least, greatest), where
            if "expected" in rules:
                assert worst <= by_rule["expected"][name][query] <= best, where
        assert all(by_rule[rule][name].keys() == by_query.keys() for rule in rules), name


@pytest.mark.spec("RS-TIE-2/L2", "RS-BND-9")
def test_a_paper_s_formula_may_turn_the_order_round():
    """By eq. 7 the random ranking of the pool is better than its ideal one: RLB > IUB."""
    run = {"q": {"a": 1.0, "b": 1.0}}
    name = "MinMax(DCG@2, bounds='karmaker-2022')"
    best, worst = (evaluate({"q": {"a": 1}}, run, name, ties=t)[name] for t in ("best", "worst"))
    assert best < worst


@pytest.mark.spec("RS-TIE-2/L2", "RS-CONV-17")
def test_a_depth_that_cuts_a_tie_may_turn_the_order_round():
    """Of the list a, c the labels are 1, 2, and of a, b they are 1, 0, which is its ideal order."""
    qrels, run = {"q": {"a": 1, "b": 0, "c": 2}}, {"q": {"a": 2.0, "b": 1.0, "c": 1.0}}
    best, worst = (
        evaluate(qrels, run, "nDCG", ties=rule, depth=2, pool="retrieved")["nDCG"]
        for rule in ("best", "worst")
    )
    assert best < worst == 1.0
