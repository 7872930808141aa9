"""Any graded metric of scores: their relevance φ takes the place of the labels (moniz-2016).

φ is a rational number, and is not rounded before the metric has it: the values are computed by the
certified reference, and are the doubles nearest to the real numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..compute.arithmetic import standard_arithmetic
from ..compute.arrays import read_lists
from ..compute.computable import Ranking
from ..errors import InputError, shown
from ..metrics.cascade import persistence
from ..metrics.grammar import cutoff, measures, metric
from ..metrics.measure import Measure
from ..metrics.relevance import relevance_of
from ..reference import relevance as reference
from ..reference.numbers.reals import Exact, Number
from ..reference.numerics import nearest_double, nearest_double_of
from .at_cutoffs import measure_of


@standard_arithmetic
def of_relevance(
    measure: str | Measure,
    scores: Any,
    *,
    judged: Any = None,
    variant: str = "text",
    quartiles: str = "own",
    points: Any = None,
) -> float:
    """Return the value of a measure, with the relevance of scores as labels.

    measure: one of a ranking that takes labels from 0 to 1: "ERR(stop='label')@10", "nDCG@10",
        "LNDCG(gain='exp2')"
    scores: the items' scores, in rank order
    judged: scores of all items, from which φ is made; by default the list's own
    variant, quartiles, points: as of relevance()

    Spec: RS-REL-13.

    >>> of_relevance("nDCG(gain='exp2')@3", [100, 80, 90, 15, 10])
    0.8936065098653786
    """
    (chosen,) = _one(measure)
    labels, pool = _relevances(scores, judged, variant, quartiles, points)
    for a, x in enumerate(labels + pool):
        if why := chosen.refusal(x):
            raise InputError(f'measure "{chosen}": relevance {float(x):.4g} of item {a}: {why}')
    ranking = Ranking.settled(labels, pool)
    return nearest_double_of(lambda R: chosen.value(ranking, R))


@standard_arithmetic
def rbp_phi(
    scores: Any,
    *,
    judged: Any = None,
    p: float = 0.8,
    k: int | None = None,
    variant: str = "text",
    quartiles: str = "own",
    points: Any = None,
) -> float:
    """RBP@k of graded relevance, (1 - p) Σ φ p^(i-1). Spec: RS-REL-14.

    p: the probability that a user goes on; the other arguments: see of_relevance()

    >>> rbp_phi([100, 10, 50], p=0.5, points=[(0, 0), (100, 1)])
    0.5875
    """
    labels, _ = _relevances(scores, judged, variant, quartiles, points)
    x, depth = persistence(p), _depth(k, labels)
    return nearest_double(reference.graded_rbp(labels, depth, x))


@standard_arithmetic
def ap_phi(
    scores: Any,
    *,
    judged: Any = None,
    k: int | None = None,
    variant: str = "text",
    quartiles: str = "own",
    points: Any = None,
) -> float:
    """AP@k of graded relevance: of a threshold that is uniform on [0, 1]. Spec: RS-REL-15.

    The arguments: see of_relevance().

    >>> ap_phi([0, 100], points=[(0, 0), (100, 1)])
    0.5
    """
    labels, pool = _relevances(scores, judged, variant, quartiles, points)
    return nearest_double(reference.graded_ap(labels, pool, _depth(k, labels)))


def _one(measure: str | Measure) -> list[Measure]:
    found = [measure] if isinstance(measure, Measure) else list(measures(measure))
    if len(found) != 1:
        raise InputError(f"expected one measure, got {len(found)}")
    if found[0].taken_of != "rankings" or found[0].metric.relevance is not None:
        raise InputError(
            f'measure "{found[0]}": it takes no labels of a ranking; expected a measure of one '
            "ranking (RS-REL-13)"
        )
    return found


def _relevances(
    scores: Any, judged: Any, variant: str, quartiles: str, points: Any
) -> tuple[list[Number], list[Number]]:
    """φ of a list of scores, and of its pool, exactly."""
    chosen = {"variant": variant, "quartiles": quartiles, "points": points}
    of_scores = measure_of(metric("dcg_phi"), None, chosen)
    listed = _one_list(scores, "scores")
    pool = listed if judged is None else _one_list(judged, "judged")
    phi = relevance_of(of_scores, pool)
    return [phi(s) for s in listed], [phi(s) for s in pool]


def _one_list(given: Any, what: str) -> Sequence[Exact]:
    """Return the finite scores of one list, as Python's numbers."""
    lists = read_lists(given, None, what)
    if not lists.single:
        raise InputError(f"{what}: expected one list, got {shown(given)}")
    scores = lists.numbers()
    for a, x in enumerate(scores, start=1):
        if not math.isfinite(x):
            raise InputError(
                f"{what}: the score at position {a} is {shown(x)}; expected a finite number"
            )
    return scores


def _depth(k: int | None, labels: Sequence[Number]) -> int:
    depth = cutoff(k)
    return len(labels) if depth is None else depth
