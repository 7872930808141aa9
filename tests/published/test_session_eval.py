"""TREC 2013 Session: values that the track's own session_eval computed, on 87 sessions.

It takes the order of the file as the ranking, and maps the judgments to grades by a table.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from rankspec.evaluation.evaluate import evaluate
from rankspec.formats.trec import read_qrels, read_run

GRADES = {-2: 0, 0: 0, 1: 1, 4: 2, 2: 3, 3: 4}
MEASURES = {
    "ndcg": "nDCG(gain='exp2')",
    "ndcg_at_k": "nDCG(gain='exp2')@10",
    "average_precision": "AP",
    "precision_at_k": "P@10",
    "err": "ERR",
    "err_at_k": "ERR@10",
    "nerr": "nERR",
    "nerr_at_k": "nERR@10",
}


@pytest.mark.spec("RS-GAIN-2", "RS-DCG-6", "RS-PREC-7", "RS-PREC-2", "RS-CAS-2", "RS-CAS-4")
def test_session_eval(data: Callable[[str], Path]) -> None:
    """696 values: 477 are the same doubles; the others, sums of rounded doubles, within 9 ulps."""
    folder = data("session_trec2013")
    judgments = read_qrels(folder / "qrels.txt.gz")
    topics = dict(
        line.split() for line in (folder / "sessiontopicmap.txt").read_text().splitlines()
    )
    qrels = {
        session: {document: GRADES[label] for document, label in judgments[topic].items()}
        for session, topic in topics.items()
    }
    in_file_order = {
        session: {document: -position for position, document in enumerate(documents)}
        for session, documents in read_run(folder / "runs" / "ycy.gz").items()
    }
    result = evaluate(qrels, in_file_order, MEASURES.values())
    with (folder / "expected_session_eval_ycy.tsv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["measure"] in MEASURES]
    away = Counter(
        abs(result.per_query[MEASURES[row["measure"]]][row["session"]] - float(row["value"]))
        / math.ulp(float(row["value"]))
        for row in rows
    )
    assert away.total() == 8 * 87
    assert away[0] == 477
    assert max(away) <= 9
