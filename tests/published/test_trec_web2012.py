"""TREC 2012 Web: per-topic values that trec_eval 9 and gdeval computed, on a run with ties.

Negative labels, a gap in the labels, lines out of order, ties in 34 of the 50 topics.
"""

from __future__ import annotations

import csv
import math
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rankspec.evaluation import Evaluation, evaluate
from rankspec.trec import read_qrels, read_run

MEASURES = ["ndcg", "ndcg_cut.1,3,5,10,20,100", "map", "P.5,10", "recip_rank"]
CELLS = 11 * 50


@pytest.fixture(scope="module")
def folder(data: Callable[[str], Path]) -> Path:
    return data("trec_web2012")


@pytest.fixture(scope="module")
def result(folder: Path) -> Evaluation:
    return evaluate(
        folder / "qrels.web.151-200.txt.gz", folder / "runs" / "ql-cata-filtered.txt.gz", MEASURES
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


def labels_in_rank_order(folder: Path) -> dict[str, tuple[list[int], list[int]]]:
    """{topic: (labels of the run, labels of the judged documents)}, by a few plain lines."""
    qrels = read_qrels(folder / "qrels.web.151-200.txt.gz")
    run = read_run(folder / "runs" / "ql-cata-filtered.txt.gz")
    topics = {}
    for topic, judged in qrels.items():
        scores = run[topic]
        documents = sorted(scores, key=lambda d, s=scores: (s[d], d.encode()), reverse=True)
        ranked = [max(judged.get(document, 0), 0) for document in documents]
        topics[topic] = ranked, [max(label, 0) for label in judged.values()]
    return topics


def ulps(x: float, y: float) -> float:
    return abs(x - y) / math.ulp(y)


@pytest.mark.spec("RS-DCG-6", "RS-PREC-2", "RS-PREC-4", "RS-PREC-7", "RS-CONV-7", "RS-CONV-8")
def test_trec_eval_per_topic(
    result: Evaluation, expected: dict[tuple[str, str], float], folder: Path
) -> None:
    """550 values: 385 are the same doubles, 490 are within 1 ulp, all within 5.

    trec_eval adds doubles in rank order, and each addition rounds; ours is rounded once. That
    this is all there is to the differences is what the next test says.
    """
    scores = read_run(folder / "runs" / "ql-cata-filtered.txt.gz")
    for topic in scores.values():  # no ties that only scores in float32 would have
        as_float32 = {struct.pack("f", score) for score in topic.values()}
        assert len(as_float32) == len(set(topic.values()))
    columns = {m.trec_name: result.per_query[str(m)] for m in result.measures}
    assert len(expected) == CELLS
    away = Counter(ulps(columns[name][topic], x) for (topic, name), x in expected.items())
    assert away == {0: 385, 1: 105, 2: 35, 3: 16, 4: 6, 5: 3}


def test_trec_eval_differs_by_its_own_rounding_alone(
    result: Evaluation, expected: dict[tuple[str, str], float], folder: Path
) -> None:
    """trec_eval's doubles, to the last bit, are what adding doubles in rank order gives."""
    topics = labels_in_rank_order(folder)
    checked = 0
    for measure in result.measures:
        emulated = _EMULATED.get(measure.metric.name)
        if emulated is None:
            continue
        for topic, (ranked, judged) in topics.items():
            value = emulated(ranked, judged, measure.k)
            assert value == expected[topic, measure.trec_name], (measure, topic)
            checked += 1
    assert checked == 8 * 50  # the others need no sum: they are equal above


def _dcg_in_doubles(labels: Sequence[int], k: int | None) -> float:
    total = 0.0
    for i, label in enumerate(labels[:k], start=1):
        total += label / math.log2(i + 1)
    return total


def _ndcg_in_doubles(ranked: Sequence[int], judged: Sequence[int], k: int | None) -> float:
    ideal = _dcg_in_doubles(sorted(judged, reverse=True), k)
    return _dcg_in_doubles(ranked, k) / ideal if ideal else 0.0


def _ap_in_doubles(ranked: Sequence[int], judged: Sequence[int], k: int | None) -> float:
    assert k is None
    total, found = 0.0, 0
    for i, label in enumerate(ranked, start=1):
        if label > 0:
            found += 1
            total += found / i
    relevant = sum(label > 0 for label in judged)
    return total / relevant if relevant else 0.0


_EMULATED = {"nDCG": _ndcg_in_doubles, "AP": _ap_in_doubles}


@pytest.mark.spec("RS-GAIN-2", "RS-DCG-6", "RS-CONV-8")
@pytest.mark.parametrize("k", [5, 10, 20])
def test_gdeval_per_topic(folder: Path, k: int) -> None:
    """All 50 topics and the mean to the 5 printed decimals, with the exponential gain."""
    with (folder / f"expected_gdeval_ql-cata-filtered_k{k}.csv").open(newline="") as file:
        printed = {row["topic"]: row[f"ndcg@{k}"] for row in csv.DictReader(file)}
    assert len(printed) == 51
    gdeval = evaluate(
        folder / "qrels.web.151-200.txt.gz",
        folder / "runs" / "ql-cata-filtered.txt.gz",
        f"nDCG(gain='exp2')@{k}",
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
    other = evaluate(folder / qrels, folder / run, "ndcg", ties=rule)
    assert any(
        ulps(x, expected[topic, "ndcg"]) > 1000 for topic, x in other.per_query["nDCG"].items()
    )
