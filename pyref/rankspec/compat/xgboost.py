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
from .groups import Measures, asked, of_measures, offsets_of

AS_XGBOOST: Mapping[str, Any] = MappingProxyType(
    {"gain": "exp2", "ties": "input", "undefined": "one"}
)
"""What XGBoost does by default; with ndcg_exp_gain=False its gain is "linear"."""

Result = list[tuple[str, float]]


@of_measures('custom_metric=custom_metric("nDCG@10")')
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

    measures: as of rs.evaluate(); each is recorded under its name in rankspec
    ties, gain, discount, rel: as of rs.evaluate_letor()
    undefined: "zero", "one", "omit" or "error", as of rs.evaluate_letor()

    For early stopping, set maximize=True; for Unjudged, NumNonrelRet and the residuals, where lower
    is better, set maximize=False.

    The mean uses the weights of the queries, if the DMatrix has them.
    """
    of = asked(measures, ties, undefined, gain, discount, rel)

    def evaluated(preds: Any, data: Any) -> Result:
        if not hasattr(data, "get_group"):
            raise InputError(
                "custom_metric() is for xgboost.train(custom_metric=...). "
                "XGBRanker(eval_metric=...) calls a function for each query alone and averages "
                "differently: use rankspec.compat.groups.evaluate_groups() on the predictions"
            )
        labels, sizes = data.get_label(), data.get_group()
        if not len(sizes):
            raise InputError("the DMatrix has no queries: give qid or group")
        weights = data.get_weight()
        offsets = offsets_of(sizes, "group", len(labels))
        means = of.means(labels, preds, offsets, weights.tolist() if len(weights) else None)
        return list(zip(of.names, means, strict=True))

    return evaluated
