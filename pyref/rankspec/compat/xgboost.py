"""Measures as custom metrics of XGBoost: any of rankspec's, by its own name.

    xgboost.train(params | {"disable_default_eval_metric": True}, dtrain, evals=[(dtest, "test")],
                  custom_metric=custom_metric(["nDCG@10", "AP@10"]), maximize=True)

XGBoost itself is not imported. Its own ndcg@k is custom_metric("nDCG@k", **AS_XGBOOST), and its
map@k is custom_metric("AP(norm='min')@k", **AS_XGBOOST).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ..compute.gain import DiscountLike, GainLike
from ..errors import InputError
from ..reference.numbers.reals import Exact
from .groups import Measures, asked, offsets_of

AS_XGBOOST: Mapping[str, Any] = MappingProxyType(
    {"gain": "exp2", "ties": "input", "undefined": "one"}
)
"""What XGBoost does by default; with ndcg_exp_gain=False its gain is "linear"."""

Result = list[tuple[str, float]]


def custom_metric(
    measures: Measures,
    *,
    ties: str | None = None,
    undefined: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
) -> Callable[[Any, Any], Result]:
    """The measures as a function for xgboost.train(custom_metric=...).

    ties, undefined, gain, discount, rel: as of rs.evaluate_letor(), the latter
        "zero", "one" or "omit"

    The mean is weighted by the weights of the queries, where the DMatrix has them.
    """
    of = asked(measures, ties, undefined, gain, discount, rel)

    def evaluated(preds: Any, data: Any) -> Result:
        labels, sizes = data.get_label(), data.get_group()
        if not len(sizes):
            raise InputError("the DMatrix has no queries: give qid or group")
        weights = data.get_weight()
        offsets = offsets_of(sizes, "group", len(labels))
        means = of.means(labels, preds, offsets, weights.tolist() if len(weights) else None)
        return [(str(m), x) for m, x in zip(of.measures, means, strict=True)]

    return evaluated
