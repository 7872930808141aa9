"""Measures of a model of CatBoost, after training: its custom metrics are told no queries.

evaluate_pool("nDCG@10", model, pool)
"""

from __future__ import annotations

from typing import Any

from ..compute.gain import DiscountLike, GainLike
from ..errors import InputError, shown
from ..reference.numbers.reals import Exact
from .groups import GroupEvaluation, Measures, evaluate_groups


def evaluate_pool(
    measures: Measures,
    model: Any,
    pool: Any,
    *,
    weights: Any = None,
    ties: str | None = None,
    undefined: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
) -> GroupEvaluation:
    """Evaluate the predictions of a model for a catboost.Pool, as evaluate_groups() does.

    measures: as of rs.evaluate()
    model: a model with predict(pool); or its predictions, one number per row
    pool: with labels and group_id
    weights, ties, undefined, gain, discount, rel: as of evaluate_groups()
    """
    if not hasattr(pool, "get_group_id_hash"):
        raise InputError(
            f"pool: expected a catboost.Pool, got {shown(pool)}; the arguments are "
            "evaluate_pool(measures, model, pool)"
        )
    scores = model.predict(pool) if hasattr(model, "predict") else model
    labels, groups = pool.get_label(), pool.get_group_id_hash()
    for given, name in ((labels, "label"), (groups, "group_id")):
        if given is None or not len(given):
            raise InputError(f"the pool has no {name}")
    return evaluate_groups(
        measures,
        labels=[float(x) for x in labels],
        scores=scores,
        group_id=groups,
        weights=weights,
        ties=ties,
        undefined=undefined,
        gain=gain,
        discount=discount,
        rel=rel,
    )
