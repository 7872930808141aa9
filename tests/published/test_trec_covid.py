"""TREC-COVID round 1: 16 submitted runs, with the scores that NIST published for them.

They were computed with trec_eval -c -M1000; no run has more than 1000 documents for a topic.
Among them are runs with ties in every topic, negative scores, topics of one document, and rank
columns that contradict the scores.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from rankspec.evaluation import evaluate
from rankspec.trec import read_qrels, read_run

COLUMNS = {"ndcg@10": "nDCG@10", "MAP": "AP", "p@5": "P@5"}


@pytest.mark.spec("RS-DCG-6", "RS-PREC-7", "RS-PREC-2", "RS-CONV-3", "RS-CONV-7", "RS-CONV-9")
def test_the_published_scores_of_all_runs(data: Callable[[str], Path]) -> None:
    folder = data("trec_covid_r1")
    qrels = read_qrels(folder / "qrels-rnd1.txt.gz")
    with (folder / "published_scores.csv").open(newline="") as file:
        published = {
            row["run"]: [row[column] for column in COLUMNS] for row in csv.DictReader(file)
        }
    assert len(published) == 16
    computed = {}
    for name in published:
        run = read_run(folder / "runs" / f"{name}.gz")
        assert max(map(len, run.values())) <= 1000
        result = evaluate(qrels, run, COLUMNS.values())
        computed[name] = [f"{result[measure]:.4f}" for measure in COLUMNS.values()]
    assert computed == published


@pytest.mark.spec("RS-CONV-7")
def test_control_the_rank_column_would_give_other_scores(data: Callable[[str], Path]) -> None:
    """The published score of ERST_QUESTION follows its scores: its ranks are another order."""
    folder = data("trec_covid_r1")
    lines = gzip.decompress((folder / "runs" / "ERST_QUESTION.gz").read_bytes()).split(b"\n")
    fields = [line.decode().split() for line in lines if line.strip()]
    by_rank = [(query, document, -int(rank)) for query, _, document, rank, _, _ in fields]
    qrels = folder / "qrels-rnd1.txt.gz"
    by_score = evaluate(qrels, folder / "runs" / "ERST_QUESTION.gz", "nDCG@10")
    assert f"{evaluate(qrels, by_rank, 'nDCG@10')['nDCG@10']:.4f}" != f"{by_score['nDCG@10']:.4f}"
