"""TREC 2012 Web: per-topic values that trec_eval 9 and gdeval computed, on a run with ties.

Negative labels, a gap in the labels, lines out of order, ties in 34 of the 50 topics.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from rankspec.evaluation.evaluate import Evaluation, evaluate
from rankspec.formats.trec import read_qrels, read_run

from ..peers import trec_eval

MEASURES = ["ndcg", "ndcg_cut.1,3,5,10,20,100", "map", "P.5,10", "recip_rank"]
CELLS = 11 * 50


@pytest.fixture(scope="module")
def folder(data: Callable[[str], Path]) -> Path:
    return data("trec_web2012")


@pytest.fixture(scope="module")
def result(folder: Path) -> Evaluation:
    return evaluate(
        folder / "qrels.web.151-200.txt.gz",
        folder / "runs" / "ql-cata-filtered.txt.gz",
        MEASURES,
        profile="trec_eval-9",
    )


@pytest.fixture(scope="module")
def expected(folder: Path) -> dict[tuple[str, str], float]:
    """{(topic, measure in trec_eval's spelling): value} as trec_eval 9 has it, in full."""
    with (folder / "expected_trec_eval_per_topic.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        (row["topic"], name): float(row[name])
        for row in rows
        for name in row
        if name not in ("run", "topic")
    }


def ulps(x: float, y: float) -> float:
    return abs(x - y) / math.ulp(y)


@pytest.mark.spec("RS-DCG-6", "RS-PREC-2", "RS-PREC-4", "RS-PREC-7", "RS-CONV-7", "RS-CONV-8")
@pytest.mark.spec("RS-CONV-18")
def test_trec_eval_per_topic(result: Evaluation, expected: dict[tuple[str, str], float]) -> None:
    """550 values: 385 are the same doubles, 490 are within 1 ulp, all within 5.

    trec_eval adds doubles in rank order, and each addition rounds; ours is rounded once. That
    this is all there is to the differences is what the next test says.
    """
    columns = {m.trec_name: result.per_query[str(m)] for m in result.measures}
    assert len(expected) == CELLS
    away = Counter(ulps(columns[name][topic], x) for (topic, name), x in expected.items())
    assert away == {0: 385, 1: 105, 2: 35, 3: 16, 4: 6, 5: 3}


def test_trec_eval_differs_by_its_own_rounding_alone(
    result: Evaluation, expected: dict[tuple[str, str], float], folder: Path
) -> None:
    """With additions in rank order each of trec_eval's doubles comes out, to the last bit."""
    qrels = read_qrels(folder / "qrels.web.151-200.txt.gz")
    run = read_run(folder / "runs" / "ql-cata-filtered.txt.gz")
    emulated = {
        (topic, m.trec_name): trec_eval.value(m, qrels[topic], run[topic])
        for m in result.measures
        for topic in result.queries
    }
    assert len(emulated) == CELLS
    assert emulated == expected


@pytest.mark.spec("RS-GAIN-2", "RS-DCG-6", "RS-CAS-2", "RS-CONV-8", "RS-CONV-18")
@pytest.mark.parametrize("metric", ["nDCG", "ERR"])
@pytest.mark.parametrize("k", [5, 10, 20])
def test_gdeval_per_topic(folder: Path, metric: str, k: int) -> None:
    """All 50 topics and the mean to the 5 printed decimals, with the exponential gain of nDCG, and
    with 4 as the largest label of ERR.
    """
    with (folder / f"expected_gdeval_ql-cata-filtered_k{k}.csv").open(newline="") as file:
        printed = {row["topic"]: row[f"{metric.lower()}@{k}"] for row in csv.DictReader(file)}
    assert len(printed) == 51
    gdeval = evaluate(
        folder / "qrels.web.151-200.txt.gz",
        folder / "runs" / "ql-cata-filtered.txt.gz",
        f"{metric}@{k}",
        profile="gdeval",
    )
    (name,) = gdeval.mean
    computed = {**gdeval.per_query[name], "amean": gdeval.mean[name]}
    assert {topic: f"{x:.5f}" for topic, x in computed.items()} == printed


@pytest.mark.spec("RS-CONV-7")
@pytest.mark.parametrize("rule", ["id-ascending", "input"])
def test_control_other_orders_of_ties_are_seen(
    folder: Path, expected: dict[tuple[str, str], float], rule: str
) -> None:
    """By another rule, some topics differ by far more than rounding."""
    qrels, run = "qrels.web.151-200.txt.gz", "runs/ql-cata-filtered.txt.gz"
    other = evaluate(folder / qrels, folder / run, "ndcg", profile="trec_eval-9", ties=rule)
    assert any(
        ulps(x, expected[topic, "ndcg"]) > 1000 for topic, x in other.per_query["nDCG"].items()
    )
