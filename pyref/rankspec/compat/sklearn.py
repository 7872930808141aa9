"""The ranking metrics of scikit-learn by their signatures, and scorers for its model selection.

    from rankspec.compat.sklearn import dcg_score, ndcg_score, scorer

    GridSearchCV(model, grid, scoring=scorer("nDCG@10"), cv=GroupKFold()).fit(X, y, groups=query)

The functions have the values of the profile sklearn (RS-CONV-18): equal scores give the expected
value over their orders. Only scorer() needs scikit-learn, which it imports when it is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..compute.gain import Discount, DiscountLike, GainLike, discount, yes_or_no
from ..errors import InputError, shown
from ..evaluation.evaluate import warn_of_input
from ..evaluation.plausibility import about_rows
from ..metrics.catalogue import METRICS
from ..metrics.measure import Measure, make
from ..reference.numbers.reals import Exact
from .groups import (
    as_exact_array,
    asked,
    average_of,
    evaluate_groups,
    more_is_better,
    of_measures,
    weights_of_queries,
)

_METRICS = {m.name: m for m in METRICS}


def ndcg_score(
    y_true: Any, y_score: Any, *, k: int | None = None, sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:  # fmt: skip
    """The mean of nDCG@k over the rows, as sklearn.metrics.ndcg_score.

    y_true, y_score: of shape (rows, documents); labels are at least 0
    sample_weight: the weight of each row
    ignore_ties: if True, documents of equal score keep their order; else the value is the expected
        one
    """
    measure = make(_METRICS["nDCG"], k)
    return _mean(measure, y_true, y_score, sample_weight, ignore_ties)


def dcg_score(
    y_true: Any, y_score: Any, *, k: int | None = None, log_base: float = 2,
    sample_weight: Any = None, ignore_ties: bool = False,
) -> float:  # fmt: skip
    """The mean of DCG@k over the rows, as sklearn.metrics.dcg_score.

    log_base: the base of the logarithmic discount, above 1; the others: as of ndcg_score()
    """
    with _named_as_there():
        by_base: Discount = discount("log2") if log_base == 2 else discount(f"log(b={log_base})")
    measure = make(_METRICS["DCG"], k, discount=by_base)
    return _mean(measure, y_true, y_score, sample_weight, ignore_ties)


def _mean(measure: Measure, y_true: Any, y_score: Any, weights: Any, in_order: bool) -> float:
    labels, scores = _table(y_true, "y_true"), _table(y_score, "y_score")
    if labels.shape != scores.shape:
        raise InputError(
            f"y_score: its shape is {scores.shape}, but the shape of y_true is {labels.shape}"
        )
    rows, documents = labels.shape
    if not rows:
        raise InputError("y_true: no rows, so there is no mean")
    of_rows = weights_of_queries(weights, "sample_weight", "row")
    if of_rows is not None and not any(of_rows):
        raise InputError("sample_weight: all weights are 0, so there is no mean")
    offsets = np.arange(rows + 1, dtype=np.int64) * documents
    of = asked(measure, "input" if yes_or_no(in_order, "ignore_ties") else "expected")
    with _named_as_there():
        (column,) = of.values(labels.ravel(), scores.ravel(), offsets)
        mean = average_of(measure, column, of_rows)
    warn_of_input(filter(None, [about_rows(labels.ravel(), scores.ravel())]))
    return mean


_NAMES_THERE = {
    "labels": "y_true",
    "scores": "y_score",
    "weights": "sample_weight",
    "discount": "log_base",
}


@contextmanager
def _named_as_there() -> Iterator[None]:
    """Name arguments in errors as scikit-learn's functions do."""
    try:
        yield
    except InputError as error:
        name, colon, text = str(error).partition(": ")
        raise InputError(f"{_NAMES_THERE.get(name, name)}{colon}{text}") from None


def _table(x: Any, what: str) -> Any:
    expected = "a table of numbers with one row per query"
    table = as_exact_array(x, what, expected)
    if table.ndim != 2 or table.dtype.kind not in "biuf":
        raise InputError(f"{what}: expected {expected}, got {shown(x)}")
    return table.astype(np.int64) if table.dtype.kind == "b" else table


def group_score(
    y_true: Any,
    y_pred: Any,
    *,
    groups: Any,
    measure: str | Measure,
    ties: str | None = None,
    undefined: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
) -> float:
    """Return the mean of a measure over queries, for sklearn.metrics.make_scorer().

    y_true, y_pred: the label and the score of each row; groups: its query
    measure: "nDCG@10", say; the others: as of rs.evaluate_letor()
    """
    found = evaluate_groups(
        measure,
        labels=y_true,
        scores=y_pred,
        group_id=groups,
        ties=ties,
        undefined=undefined,
        gain=gain,
        discount=discount,
        rel=rel,
    )
    if len(found) != 1:
        raise InputError(f"measure: {shown(measure)} stands for several measures; expected one")
    return next(iter(found.mean.values()))


@of_measures('scoring=scorer("nDCG@10")')
def scorer(measure: str | Measure, *, column: Any = None, **conventions: Any) -> Any:
    """A scorer for GridSearchCV, cross_validate and the like, of a model with predict().

    column: the name or number of the column of X that holds the query of each row; None: the
        queries come from fit(X, y, groups=...), which needs
        sklearn.set_config(enable_metadata_routing=True)
    conventions: ties, undefined, gain, discount, rel, as of rs.evaluate_letor()
    """
    of = asked(measure, **conventions)
    if len(of.measures) != 1:
        raise InputError(f"measure: {shown(measure)} stands for several measures; expected one")
    if not more_is_better(of.measures[0]):
        raise InputError(
            f"measure: lower values of {shown(measure)} are better, but scikit-learn maximises; "
            "use make_scorer(group_score, measure=..., greater_is_better=False), which changes "
            "the sign"
        )
    if column is not None:
        return ColumnScorer(str(measure), column, tuple(sorted(conventions.items())))
    from sklearn.metrics import make_scorer

    made = make_scorer(group_score, measure=str(measure), **conventions)
    try:
        return made.set_score_request(groups=True)
    except RuntimeError:  # it is not enabled
        raise InputError(
            "scorer: scikit-learn passes groups to a scorer only after "
            "sklearn.set_config(enable_metadata_routing=True); call that first, or give column, "
            "the column of X that holds the queries"
        ) from None


@dataclass(frozen=True)
class ColumnScorer:
    """Scores predictions for X by the queries in one of its columns."""

    measure: str
    column: Any
    conventions: tuple[tuple[str, Any], ...] = ()

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        try:
            groups = X[self.column] if hasattr(X, "columns") else np.asarray(X)[:, self.column]
        except (LookupError, TypeError, ValueError):
            raise InputError(f"column: X has no column {self.column!r}") from None
        return group_score(
            y,
            estimator.predict(X),
            groups=np.asarray(groups),
            measure=self.measure,
            **dict(self.conventions),
        )
