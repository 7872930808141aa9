"""The profile sklearn against scikit-learn's dcg_score and ndcg_score."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import pytest

import rankspec as rs
from rankspec.errors import InputError
from rankspec.evaluation.evaluate import evaluate

from .worlds import SEEDS, Table, world

metrics = pytest.importorskip(
    "sklearn.metrics", reason='scikit-learn is not installed: pip install ".[peers]"'
)

SCORES = {"DCG": metrics.dcg_score, "nDCG": metrics.ndcg_score}
CUTOFFS = [None, 1, 3, 10]
LONGEST = 30
U = 2.0**-53


def of_sklearn(metric: str, k: int | None, qrels: Table, run: Table) -> dict[str, float]:
    """A call a query, of what the run retrieved."""
    return {
        query: SCORES[metric]([[qrels[query].get(d, 0) for d in scored]], [[*scored.values()]], k=k)
        for query, scored in run.items()
    }


@pytest.mark.spec("RS-PREC-7")
@pytest.mark.parametrize("seed", SEEDS[:20])
def test_average_precision_takes_a_group_as_one_threshold(seed: int) -> None:
    """As the spec says: no rule for ties, but what P is where the groups end."""
    pick = random.Random(seed)
    labels = [pick.randint(0, 1) for _ in range(pick.randint(1, 12))] + [1]
    scores = [pick.randint(0, 3) for _ in labels]
    sizes = [scores.count(s) for s in sorted(set(scores), reverse=True)]
    ends = list(accumulate(sizes))
    values = [rs.precision(labels, scores=scores, k=end) for end in ends]
    hits = [0, *(round(p * end) for p, end in zip(values, ends, strict=True))]
    found = sum((b - a) * p for (a, b), p in zip(pairwise(hits), values, strict=True))
    of_sklearn = metrics.average_precision_score(labels, scores)
    assert of_sklearn == pytest.approx(found / sum(labels), abs=1e-12)


@pytest.mark.spec("RS-PREC-40", "RS-EXP-93", "RS-EXP-93/L3")
@pytest.mark.parametrize("seed", SEEDS[:20])
def test_the_area_under_the_roc_curve(seed: int) -> None:
    """Of all judged documents; what is not shown has one score below all others."""
    pick = random.Random(seed)
    judged = [0, 1, *(pick.randint(0, 1) for _ in range(pick.randint(0, 40)))]
    scores = [pick.randint(1, 12) for _ in judged]
    shown = pick.randint(0, len(judged))
    ours = rs.auc(judged[:shown], judged=judged, scores=scores[:shown])
    theirs = metrics.roc_auc_score(judged, scores[:shown] + [0] * (len(judged) - shown))
    assert theirs == pytest.approx(ours, abs=1e-14)


def name_of(metric: str, k: int | None) -> str:
    return metric if k is None else f"{metric}@{k}"


def lists_of_several(seed: int, labels: tuple[float, ...] = (0, 0, 1, 1, 2, 4)) -> Any:
    """A world without negative labels, in which each list has more than one document."""
    qrels, run = world(seed, labels=labels, missing=False, longest=LONGEST)
    run = {query: scored for query, scored in run.items() if len(scored) > 1}
    return {query: qrels[query] for query in run}, run


def bound(metric: str, labels: Sequence[float]) -> float:
    """How far scikit-learn's value of a list may be from the correctly rounded one.

    For a tie group it takes the difference of two sums of discounts, each at most n + 6 u (u =
    2**-53) of all discounts away; with three more roundings, and those of adding, the DCG is away
    by at most the sum of the labels times the discounts' sum times 4 n + 40 u.
    """
    n = len(labels)
    dcg = sum(labels) * sum(1 / math.log2(i + 2) for i in range(n)) * (4 * n + 40) * U
    if metric == "DCG":
        return dcg
    return dcg / (max(labels) or 1) + (2 * n + 20) * U  # the ideal is at least the highest label


@pytest.mark.spec("RS-CONV-18", "RS-CONV-17", "RS-EXP-2", "RS-EXP-3")
@pytest.mark.parametrize("metric", SCORES)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_profile_is_scikit_learn(seed: int, metric: str) -> None:
    qrels, run = lists_of_several(seed)
    assert differing(metric, qrels, run) == []


@pytest.mark.spec("RS-CONV-18", "RS-DISC-1")
@pytest.mark.parametrize("seed", range(5))
def test_the_base_of_the_logarithm(seed: int) -> None:
    qrels, run = lists_of_several(seed)
    found = evaluate(qrels, run, "DCG(discount='log(b=10)')@5", profile="sklearn")
    (ours,) = found.per_query.values()
    for query, scored in run.items():
        labels = [qrels[query].get(document, 0) for document in scored]
        theirs = metrics.dcg_score([labels], [[*scored.values()]], k=5, log_base=10)
        assert abs(ours[query] - theirs) <= bound("DCG", labels) * math.log2(10)


def differing(metric: str, qrels: Table, run: Table, **options: Any) -> list[str]:
    found = []
    for k in CUTOFFS:
        theirs = of_sklearn(metric, k, qrels, run)
        result = evaluate(qrels, run, name_of(metric, k), profile="sklearn", **options)
        (ours,) = result.per_query.values()
        assert ours.keys() == theirs.keys()
        for query, scored in run.items():
            labels = [qrels[query].get(document, 0) for document in scored]
            if abs(ours[query] - theirs[query]) > bound(metric, labels):
                found.append(f"{query} k={k}: {ours[query]!r}, and theirs {theirs[query]!r}")
    return found


@pytest.mark.parametrize(
    "option",
    [
        {"ties": "id-descending"},
        {"ties": "input"},
        {"ties": "best"},
        {"scores": "float32"},
        {"unjudged": "condensed"},
        {"undefined": "one"},
        {"pool": "judged"},
        {"gain": "exp2"},
    ],
    ids=str,
)
def test_control_another_convention_is_seen(option: dict[str, Any]) -> None:
    assert any(differing("nDCG", *lists_of_several(seed), **option) for seed in range(10))


@pytest.mark.spec("RS-CONV-18", "RS-CONV-4")
def test_the_mean_over_the_rows_of_one_call() -> None:
    """Rows without a relevant item count 0, in both."""
    rng = random.Random(5)
    labels = [[rng.choice([0, 0, 1, 3]) for _ in range(6)] for _ in range(40)] + [[0] * 6] * 5
    scores = [[rng.choice([0.5, 1.0, 2.0, 3.0]) for _ in range(6)] for _ in labels]
    table = [
        {str(q): {f"d{i}": x for i, x in enumerate(row)} for q, row in enumerate(rows)}
        for rows in (labels, scores)
    ]
    ours = evaluate(*table, "nDCG@3", profile="sklearn")["nDCG@3"]
    theirs = metrics.ndcg_score(labels, scores, k=3)
    allowed = max(bound("nDCG", row) for row in labels) + (len(labels) + 2) * U
    assert abs(ours - theirs) <= allowed < 1e-12
    omitted = evaluate(*table, "nDCG@3", profile="sklearn", undefined="omit")["nDCG@3"]
    assert omitted > ours * 1.1


def test_fractional_labels() -> None:
    qrels, run = lists_of_several(3, labels=(0, 0.25, 0.1, 7.5))
    assert differing("nDCG", qrels, run) == []


@pytest.mark.spec("RS-CONV-15", "RS-CONV-18")
def test_a_negative_label_is_an_error_in_both() -> None:
    qrels, run = {"q": {"a": -1, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}
    with pytest.raises(ValueError, match="negative"):
        of_sklearn("nDCG", None, qrels, run)
    with pytest.raises(InputError, match="is negative"):
        evaluate(qrels, run, "nDCG", profile="sklearn")


@pytest.mark.spec("RS-CONV-18")
def test_what_the_note_says() -> None:
    """A list of one document is an error there, and dcg_score takes negative labels."""
    one = {"q": {"a": 1}}, {"q": {"a": 2.0}}
    with pytest.raises(ValueError, match="more than 1 document"):
        of_sklearn("nDCG", None, *one)
    assert evaluate(*one, "nDCG", profile="sklearn")["nDCG"] == 1
    negative = {"q": {"a": -1, "b": 0}}, {"q": {"a": 2.0, "b": 1.0}}
    assert of_sklearn("DCG", None, *negative) == {"q": -1}
    with pytest.raises(InputError, match="is negative"):
        evaluate(*negative, "DCG", profile="sklearn")
