"""Measures as evaluation functions of LightGBM: any of rankspec's, by its own name.

    model = lgb.train(params | {"metric": "None"}, data, valid_sets=[valid],
                      feval=feval(["nDCG@10", "AP@10"]))
    LGBMRanker().fit(X, y, group=sizes, eval_set=..., eval_group=..., eval_metric=eval_metric("AP"))

LightGBM itself is not imported. Its own ndcg@k is feval("nDCG@k", **AS_LIGHTGBM), and its map@k is
feval("AP(norm='min')@k", **AS_LIGHTGBM).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ..compute.gain import DiscountLike, GainLike
from ..errors import InputError
from ..reference.numbers.reals import Exact
from .groups import Asked, Measures, asked, more_is_better, of_measures, offsets_of, weights_of_rows

AS_LIGHTGBM: Mapping[str, Any] = MappingProxyType(
    {"gain": "exp2", "ties": "input", "undefined": "one"}
)
"""What LightGBM does, where its label_gain is the one by default."""

Result = list[tuple[str, float, bool]]


@of_measures('feval=feval("nDCG@10")')
def feval(
    measures: Measures,
    *,
    ties: str | None = None,
    undefined: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
    higher_is_better: bool | None = None,
) -> Callable[[Any, Any], Result]:
    """Return the measures as a function for lightgbm.train(feval=...).

    measures: as of rs.evaluate(); each is recorded under its name in rankspec
    ties, gain, discount, rel: as of rs.evaluate_letor()
    undefined: "zero", "one", "omit" or "error", as of rs.evaluate_letor()
    higher_is_better: for early stopping; None: as suits each measure (lower is better for Unjudged,
        NumNonrelRet and the residuals)

    The mean is weighted as in LightGBM: a query has the mean of the weights of its rows.
    """
    of = asked(measures, ties, undefined, gain, discount, rel)

    def evaluated(preds: Any, data: Any) -> Result:
        if not hasattr(data, "get_label"):
            raise InputError(
                "feval() is for lightgbm.train(feval=...); LGBMRanker.fit(eval_metric=...) takes "
                "rankspec.compat.lightgbm.eval_metric(), with the same arguments"
            )
        return _result(
            of, data.get_label(), preds, data.get_weight(), data.get_group(), higher_is_better
        )

    return evaluated


@of_measures('eval_metric=eval_metric("nDCG@10")')
def eval_metric(
    measures: Measures,
    *,
    ties: str | None = None,
    undefined: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
    higher_is_better: bool | None = None,
) -> Callable[[Any, Any, Any, Any], Result]:
    """The measures as a function for LGBMRanker.fit(eval_metric=...), with what feval() takes."""
    of = asked(measures, ties, undefined, gain, discount, rel)

    def evaluated(y_true: Any, y_pred: Any, weight: Any = None, group: Any = None) -> Result:
        if hasattr(y_pred, "get_label"):
            raise InputError(
                "eval_metric() is for LGBMRanker.fit(eval_metric=...); lightgbm.train(feval=...) "
                "takes rankspec.compat.lightgbm.feval(), with the same arguments"
            )
        return _result(of, y_true, y_pred, weight, group, higher_is_better)

    return evaluated


def _result(
    of: Asked, labels: Any, scores: Any, weight: Any, group: Any, higher: bool | None
) -> Result:
    if group is None:
        raise InputError("the data have no queries: give group, the number of rows of each")
    offsets = offsets_of(group, "group", len(labels))
    weights = None if weight is None else weights_of_rows(weight, offsets)
    means = of.means(labels, scores, offsets, weights)
    return [
        (name, x, more_is_better(m) if higher is None else higher)
        for name, m, x in zip(of.names, of.measures, means, strict=True)
    ]
