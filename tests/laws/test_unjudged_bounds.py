"""Laws of what unjudged documents could change: every judgment, or many drawn ones, is tried."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import ulp
from typing import Any

import pytest

import rankspec as rs
from rankspec.reference.precision import judged

from ..each import each

MEASURES = ["P@2", "DCG@3", "RBP(p=0.5)", "nDCG@3", "AP"]
DOCS = "abcdef"


def world(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, Any]]:
    """Judgments of two queries, of 4 documents each, and two runs of 4 documents with ties."""
    choose = random.Random(seed)
    qrels = {q: {d: choose.randint(0, 1) for d in choose.sample(DOCS, 4)} for q in ("q1", "q2")}
    runs = {
        name: {q: {d: choose.randint(0, 2) for d in choose.sample(DOCS, 4)} for q in qrels}
        for name in ("A", "B")
    }
    return qrels, runs


def means(
    qrels: dict[str, dict[str, int]], given: dict[tuple[str, str], int], run: Any, **rules: Any
) -> dict[str, float]:
    """The means of a run by judgments of its own unjudged documents, to the depth."""
    shown = {
        q: sorted(sorted(own, reverse=True), key=own.get, reverse=True)[: rules.get("depth")]
        for q, own in run.items()
    }
    own = {
        q: labels | {d: given[q, d] for d in shown[q] if d not in labels}
        for q, labels in qrels.items()
    }
    return dict(rs.evaluate(own, run, MEASURES, **rules).mean)


@pytest.mark.spec("RS-AGR-42", "RS-AGR-42/L1", "RS-AGR-42/L2", "RS-AGR-24/L1", "RS-AGR-23/L1")
@each("rules", [{}, {"ties": "id-ascending"}, {"depth": 3}, {"order": "file"}], fast=2)
def test_no_judgment_leaves_the_interval_and_some_attain_exact_ones(rules: dict[str, Any]) -> None:
    decided = 0
    for seed in range(6):
        qrels, runs = world(seed)
        found = rs.unjudged_bounds(qrels, runs, MEASURES, **rules)
        open_ = sorted(
            {(q, d) for run in runs.values() for q in run for d in run[q] if d not in qrels[q]}
        )
        top = max(1, *(x for labels in qrels.values() for x in labels.values()))
        seen: dict[str, list[float]] = {measure: [] for measure in MEASURES}
        for labels in product(range(top + 1), repeat=len(open_)):
            given = dict(zip(open_, labels, strict=True))
            x, y = (means(qrels, given, run, **rules) for run in runs.values())
            for measure in MEASURES:
                seen[measure].append(x[measure] - y[measure])
        for measure in MEASURES:
            of = found[measure]["A", "B"]
            slack = 4 * ulp(1.0)  # of a difference of two rounded means
            assert of.low - slack <= min(seen[measure]), (seed, measure)
            assert max(seen[measure]) <= of.high + slack, (seed, measure)
            exact = found[measure].exact
            assert exact == (measure in MEASURES[:3])
            if exact:
                assert of.low == pytest.approx(min(seen[measure]), abs=slack)
                assert of.high == pytest.approx(max(seen[measure]), abs=slack)
            if of.decided:
                decided += 1
                assert len({x > 0 for x in seen[measure]}) == 1
    assert decided


@pytest.mark.spec("RS-AGR-41", "RS-AGR-41/L1", "RS-AGR-41/L2")
def test_judged_at() -> None:
    for n in range(5):
        for unjudged in product((0, 1), repeat=n):
            for k in (1, 2, 4):
                share = judged(unjudged, k)
                first = unjudged[:k]
                assert (share == 1) == (n > 0 and not any(first))
                for i, flag in enumerate(unjudged):
                    if flag:
                        more = [*unjudged[:i], 0, *unjudged[i + 1 :]]
                        added = Fraction(1, min(k, n)) if i < k else 0
                        assert judged(more, k) - share == added


@pytest.mark.spec("RS-AGR-24")
@pytest.mark.filterwarnings("ignore::rankspec.InputWarning")
def test_precision_without_a_cutoff_has_no_weight_by_rank_alone() -> None:
    """It divides by the length of each list: of three results and of two, all judgments by hand."""
    x, y = {"1": {"a": 3.0, "b": 2.0, "j": 1.0}}, {"1": {"b": 2.0, "a": 1.0}}
    found = rs.unjudged_bounds({"1": {"j": 1}}, {"x": x, "y": y}, ["P@3", "P"])
    at_3, whole = found["P@3"], found["P"]
    assert (at_3.exact, whole.exact) == (True, False)
    hits = list(product((0, 1), repeat=2))  # of a and b; j is relevant
    for measure, of_y in ((at_3, 3), (whole, 2)):
        differences = [Fraction(a + b + 1, 3) - Fraction(a + b, of_y) for a, b in hits]
        pair = measure["x", "y"]
        attained = float(min(differences)), float(max(differences))
        assert pair.low <= attained[0] + ulp(1)
        assert attained[1] <= pair.high + ulp(1)
        assert ((pair.low, pair.high) == pytest.approx(attained)) is measure.exact
