"""compute() and the metric of Hugging Face evaluate."""

from __future__ import annotations

import pytest

import rankspec as rs
from rankspec.compat.evaluate import compute, ranking
from rankspec.errors import InputError

from .needs import library

SCORES, LABELS = [[0.9, 0.1, 0.4], [0.5, 0.5], [0.1]], [[0, 2, 1], [1, 0], [0]]


def expected(**given):
    pairs = list(zip(LABELS, SCORES, strict=True))
    return {
        "nDCG@2": rs.mean([rs.ndcg(y, scores=s, k=2, **given) for y, s in pairs]),
        "AP": rs.mean([rs.ap(y, scores=s, **given) for y, s in pairs]),
    }


def test_compute_gives_the_means_by_name():
    given = {"predictions": SCORES, "references": LABELS, "measures": ["nDCG@2", "AP"]}
    assert compute(**given) == expected()
    assert compute(**given, ties="best") == expected(ties="best") != expected()
    assert list(compute(predictions=SCORES, references=LABELS)) == ["nDCG@10"]


@pytest.mark.parametrize(
    ("predictions", "references", "words"),
    [
        ([[1]], [[1], [0]], "references and predictions: 2 and 1 queries; expected equally many"),
        ([[1, 2]], [[1]], "query 0 has 1 labels, but 2 predictions"),
        ([1, 2], [1, 0], "no list of numbers for each query"),
        ("ab", "ab", "no list of numbers for each query"),
        ([[float("nan")]], [[1]], "nan"),
        ([[1.0]], [[-1]], "-1"),
    ],
)
def test_bad_input_has_its_place(predictions, references, words):
    with pytest.raises(InputError, match=words):
        compute(predictions=predictions, references=references)


@pytest.mark.filterwarnings("ignore")
def test_it_is_a_metric_of_evaluate(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    library("evaluate")
    metric = ranking(["nDCG@2", "AP"])
    metric.add_batch(predictions=SCORES[:2], references=LABELS[:2])
    metric.add(prediction=SCORES[2], reference=LABELS[2])
    assert metric.compute() == expected()
