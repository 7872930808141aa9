"""TREC 2003 Robust: two submitted runs of few documents, with the published means."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from rankspec.evaluation.evaluate import evaluate
from rankspec.formats.trec import read_qrels

COLUMNS = {"published_map": "AP", "published_P_100": "P@100", "published_P_1000": "P@1000"}


@pytest.mark.slow
@pytest.mark.spec("RS-PREC-7", "RS-PREC-2", "RS-CONV-2", "RS-CONV-7", "RS-CONV-18")
@pytest.mark.parametrize("profile", ["trec_eval-9", "trec_eval-10"])
def test_the_published_scores(data: Callable[[str], Path], profile: str) -> None:
    """P@1000 of 100 documents still divides by 1000."""
    folder = data("trec_robust03")
    qrels = read_qrels(folder / "robust03_qrels.txt.gz")
    with (folder / "published_scores.csv").open(newline="") as file:
        published = {
            row["run"]: [row[column] for column in COLUMNS] for row in csv.DictReader(file)
        }
    assert set(published) == {"NLPR03vb10", "humR03dc"}
    for name, printed in published.items():
        run = folder / "runs" / f"input.{name}.gz"
        result = evaluate(qrels, run, COLUMNS.values(), profile=profile)
        assert [f"{result[measure]:.4f}" for measure in COLUMNS.values()] == printed
