"""The same bits where another library has changed how doubles are rounded, or small ones are 0."""

from __future__ import annotations

import numpy as np
import pytest

from rankspec.compat import pytrec_eval as with_pytrec_eval
from rankspec.compat.groups import evaluate_groups
from rankspec.compat.lightgbm import eval_metric
from rankspec.compat.sklearn import ndcg_score

from ..api.test_arithmetic import QRELS, RUN, STATES, needs_a_compiler, state
from ..api.test_arithmetic import control as control  # noqa: PLC0414 - a fixture
from .learning import rows
from .needs import library

# Before anything is set: these are computed, too.
ROWS = rows(0)
SCORES = ROWS.X[:, 0] * 1e-308
QUERY_WEIGHTS, ROW_WEIGHTS = np.full(len(ROWS.sizes), 1e-310), np.linspace(1e-310, 0.9, len(ROWS.y))
QUERY_WEIGHTS[::3] = 3e-310


def of_pytrec_eval():
    found = with_pytrec_eval.RelevanceEvaluator(QRELS, {"map", "ndcg"}).evaluate(RUN)
    values = [x for own in found.values() for x in own.values()]
    return [*values, with_pytrec_eval.compute_aggregated_measure("map", [0.1, 0.2, 0.3, 1e-310])]


def of_groups():
    given = {"labels": ROWS.y, "scores": SCORES, "sizes": ROWS.sizes}
    found = evaluate_groups(["nDCG@10", "AP"], **given, weights=QUERY_WEIGHTS)
    return [*found.values(), *eval_metric("AP")(ROWS.y, SCORES, ROW_WEIGHTS, ROWS.sizes)[0]]


def of_sklearn():
    return [ndcg_score([[1, 0, 2], [0, 1, 1]], [[2e-310, 1e-310, 0], [1, 2, 3]])]


def of_ir_measures():
    ir_measures = library("ir_measures")
    from rankspec.compat.ir_measures import provider

    means = provider.calc_aggregate([ir_measures.AP, ir_measures.nDCG @ 2], QRELS, RUN)
    return list(means.values())


def of_torch():
    torch = library("torch")
    from rankspec.compat.torch import RankingMetric

    metric = RankingMetric("nDCG(gain='exp2')")
    scores = torch.tensor(np.array([[2e-310, 1e-310, 0], [1, 2, 3]]))
    for _ in range(3):
        metric.update(scores, torch.tensor([[1, 0, 2], [0, 1, 1]]))
    return [metric.compute().item()]


@needs_a_compiler
@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize(
    "values", [of_pytrec_eval, of_groups, of_sklearn, of_ir_measures, of_torch]
)
@pytest.mark.spec("RS-NUM-26")
def test_the_bits_are_the_same(control, name, values):
    expected = values()
    with state(control, name):
        found = values()
    assert found == expected
