"""A metric of PyTorch that adds up over batches, to the same bits whatever the batches are.

    metric = RankingMetric("nDCG@10")
    for preds, target in batches:
        metric.update(preds, target)     # a row a query; or indexes=, the query of each item
    metric.compute()                     # the exact mean, correctly rounded (RS-NUM-5)

Where torchmetrics is installed, RankingMetric is one of its metrics: it works in a MetricCollection
and in Lightning. Without it, the same class stands on torch.nn.Module.

The state is an exact sum: each double is a whole multiple of 2^-1074, and the sum of these wholes
is held in int64 limbs of 32 bits each. Limbs of several processes are added one by one, which adds
whole numbers: the result does not depend on how queries are spread over batches and processes.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import DiscountLike, GainLike
from ..errors import InputError, shown
from ..evaluation.evaluate import warn_of_input
from ..evaluation.plausibility import about_rows
from ..metrics.measure import Measure
from ..reference.numbers.reals import Exact
from ..reference.numerics import exact_sum, mean_of_parts
from .groups import asked, in_groups, more_is_better

UNIT = 1074  # every double is a multiple of 2^-1074
BITS = 32
LIMBS = (UNIT + 1024) // BITS + 3
"""Limbs for the sum of 2^64 doubles; up to 2^30 states can be added limb by limb."""


def limbs_of(x: Fraction) -> list[int]:
    """A sum of doubles in limbs, the lowest first; each has the sign of the sum."""
    whole = abs(x.numerator) * ((1 << UNIT) // x.denominator)
    mask = (1 << BITS) - 1
    found = [(whole >> BITS * a) & mask for a in range(LIMBS)]
    return [-limb for limb in found] if x < 0 else found


def sum_of(limbs: Iterable[int]) -> Fraction:
    """The sum that limbs hold, also where each is a sum of limbs."""
    return Fraction(sum(limb << BITS * a for a, limb in enumerate(limbs)), 1 << UNIT)


class _State(torch.nn.Module):
    """Stands for torchmetrics.Metric where that is missing: states that are added up."""

    def __init__(self) -> None:
        super().__init__()
        self._defaults: dict[str, torch.Tensor] = {}
        self._summed: list[str] = []

    def add_state(self, name: str, default: torch.Tensor, dist_reduce_fx: str) -> None:
        self._defaults[name] = default
        self._summed += [name] if dist_reduce_fx == "sum" else []
        self.register_buffer(name, default.clone(), persistent=False)

    @property
    def metric_state(self) -> dict[str, torch.Tensor]:
        """The states by name."""
        return {name: getattr(self, name) for name in self._defaults}

    def reset(self) -> None:
        """Forget all queries."""
        for name, default in self._defaults.items():
            setattr(self, name, default.to(getattr(self, name).device, copy=True))

    def merge_state(self, incoming_state: Any) -> None:
        """Add the queries of another metric, or of its states by name."""
        self._add(_states_of(incoming_state))

    def forward(self, *args: Any, **given: Any) -> torch.Tensor:
        """The mean of a batch, whose queries are added to the others."""
        others = self.metric_state
        self.reset()
        self.update(*args, **given)
        value: torch.Tensor = self._mean(self.metric_state)
        self._add(others)
        return value

    def compute(self) -> torch.Tensor:
        """The mean over all queries: of all processes, where torch.distributed is initialised."""
        states = {name: state.clone() for name, state in self.metric_state.items()}
        if torch.distributed.is_available() and torch.distributed.is_initialized():
            for name in self._summed:
                torch.distributed.all_reduce(states[name])
        return self._mean(states)

    def _add(self, states: Mapping[str, torch.Tensor]) -> None:
        for name in self._summed:
            own = getattr(self, name)
            setattr(self, name, own + states[name].to(own.device))


try:
    from torchmetrics import Metric as _Base
except ImportError:
    _Base = _State


class RankingMetric(_Base):
    """The mean of a measure over queries, exact and correctly rounded.

    measure: one, such as "nDCG@10", "AP(rel=2)" or "UL2(nDCG@10)"
    ties, undefined, gain, discount, rel: as of rs.evaluate_letor(), undefined "zero", "one",
        "omit" or "error"
    given: what torchmetrics.Metric takes, where that is installed

    compute() is a double: of no query, NaN.
    """

    full_state_update = False
    is_differentiable = False

    limbs: torch.Tensor
    count: torch.Tensor
    definition: torch.Tensor

    def __init__(
        self,
        measure: str | Measure,
        *,
        ties: str | None = None,
        undefined: str | None = None,
        gain: GainLike | None = None,
        discount: DiscountLike | None = None,
        rel: Exact | None = None,
        **given: Any,
    ) -> None:
        super().__init__(**given)
        self._asked = asked(measure, ties, undefined, gain, discount, rel)
        if len(self._asked.measures) != 1:
            raise InputError(
                f"measure: {shown(measure)} stands for several measures; make one metric for each"
            )
        average = self._asked.measures[0].metric.average.name
        if average != "mean":
            raise InputError(
                f"measure: {shown(measure)} is averaged by its {average}; this metric supports "
                "only means"
            )
        self._seen: set[int] = set()
        self._in_forward = False
        self.add_state("limbs", torch.zeros(LIMBS, dtype=torch.int64), dist_reduce_fx="sum")
        self.add_state("count", torch.zeros((), dtype=torch.int64), dist_reduce_fx="sum")
        # A MetricCollection takes metrics of equal states for the same one, and updates only one.
        digest = hashlib.sha256(repr(self._asked).encode()).digest()[:16]
        self.add_state("definition", torch.tensor(list(digest)), dist_reduce_fx="max")

    @property
    def higher_is_better(self) -> bool:
        """As the measure is: Unjudged, NumNonrelRet and the residuals are better the lower."""
        return more_is_better(self._asked.measures[0])

    @standard_arithmetic
    def update(self, preds: Any, target: Any, indexes: Any = None, mask: Any = None) -> None:
        """Add queries; each is whole: its items do not come in several updates.

        preds, target: scores and labels of the same shape: a row a query, or one query
        indexes: the query of each item, a whole number, instead of rows
        mask: true where there is an item, and false where a row is filled up
        """
        scores, labels = _array(preds, "preds"), _array(target, "target")
        if scores.shape != labels.shape:
            raise InputError(
                f"target: its shape is {labels.shape}, but the shape of preds is {scores.shape}"
            )
        kept = np.ones(scores.shape, dtype=np.bool_) if mask is None else _mask(mask, scores.shape)
        new: set[int] = set()
        names = None
        if indexes is None:
            sizes = _sizes_of_rows(kept)
            labels, scores = labels[kept], scores[kept]
        else:
            queries = _whole(indexes, scores.shape)[kept]
            new = self._not_seen(queries)
            names = list(map(str, dict.fromkeys(queries.tolist())))
            labels, scores, sizes = in_groups(queries, labels[kept], scores[kept])
        offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        (column,) = self._asked.values(labels, scores, offsets, names)
        remark = about_rows(labels.ravel(), scores.ravel())
        values = [x for x in column.tolist() if not math.isnan(x)]
        if not all(map(math.isfinite, values)):
            raise InputError("a value exceeds the range of doubles, so there is no mean")
        total = sum_of(self.limbs.tolist()) + exact_sum(values)
        self._seen |= new
        self.limbs = torch.tensor(limbs_of(total), device=self.limbs.device)
        self.count = self.count + len(values)
        warn_of_input([remark] if remark else [])

    def compute(self) -> torch.Tensor:
        """The mean over all queries: of all processes, where torch.distributed is initialised."""
        return super().compute() if _Base is _State else self._mean(self.metric_state)

    def forward(self, *args: Any, **given: Any) -> Any:
        """The mean of a batch, whose queries are added to the others."""
        before = dict(self.metric_state)
        self._in_forward = True
        try:
            return super().forward(*args, **given)
        except BaseException:  # a batch that is refused is as if it had not been given
            for name, state in before.items():
                setattr(self, name, state)
            raise
        finally:
            self._in_forward = False

    def reset(self) -> None:
        """Forget all queries."""
        super().reset()
        if not self._in_forward:
            self._seen = set()

    def merge_state(self, incoming_state: Any) -> None:
        """Add the queries of another metric of the same measure, or of its states by name."""
        self._check_merged(incoming_state)
        super().merge_state(incoming_state)

    def set_dtype(self, dst_type: Any) -> RankingMetric:  # noqa: ARG002 - the states are integers
        """Nothing: the sums are exact whatever the type of other metrics is."""
        return self

    def _apply(self, fn: Callable[..., Any], *args: Any, **given: Any) -> Any:
        """Move the states, but keep them integers: half() and the like are of numbers rounded."""

        def moved(x: torch.Tensor) -> torch.Tensor:
            found = fn(x)
            return found if found.dtype == x.dtype else x.to(found.device)

        return super()._apply(moved, *args, **given)

    def _not_seen(self, queries: Any) -> set[int]:
        """The queries; an InputError where one was in an earlier update."""
        own = set(np.unique(queries).tolist())
        if again := own & self._seen:
            raise InputError(
                f"indexes: query {min(again)} was in an earlier update; pass all rows of a query "
                "in one update, or call reset() first"
            )
        return own

    def _check_merged(self, incoming_state: Any) -> None:
        theirs = _states_of(incoming_state).get("definition")
        if theirs is None or not torch.equal(theirs.cpu(), self.definition.cpu()):
            raise InputError("merge_state: the other metric has another measure or convention")

    @standard_arithmetic
    def _mean(self, states: Mapping[str, torch.Tensor]) -> torch.Tensor:
        count = int(states["count"])
        total = sum_of(states["limbs"].tolist())
        device = states["limbs"].device
        return torch.tensor(
            mean_of_parts(total, count),
            dtype=torch.float64,
            device="cpu" if device.type == "mps" else device,  # which has no doubles
        )


def _states_of(given: Any) -> Mapping[str, torch.Tensor]:
    states = given if isinstance(given, Mapping) else getattr(given, "metric_state", None)
    if states is None:
        raise InputError(
            f"merge_state: expected a metric or its states by name, got {shown(given)}"
        )
    return states


def _array(x: Any, what: str) -> Any:
    """A tensor as an array of the same numbers: doubles, or int64, or booleans."""
    try:
        tensor = torch.as_tensor(x).detach().cpu()
    except (TypeError, ValueError, RuntimeError) as error:
        raise InputError(f"{what}: expected a tensor, got {shown(x)}: {error}") from None
    if tensor.is_complex():
        raise InputError(f"{what}: expected real numbers, got complex ones")
    if tensor.is_floating_point():
        return tensor.to(torch.float64).numpy()
    if what != "mask":
        tensor = tensor.to(torch.int64)
    return tensor.numpy()


def _whole(indexes: Any, shape: tuple[int, ...]) -> Any:
    queries = _array(indexes, "indexes")
    if queries.dtype != np.int64 or queries.shape != shape:
        raise InputError("indexes: they must be whole numbers, in the shape of preds")
    return queries


def _mask(mask: Any, shape: tuple[int, ...]) -> Any:
    kept = _array(mask, "mask")
    if kept.shape != shape or kept.dtype != np.bool_:
        raise InputError("mask: it must be of booleans, in the shape of preds")
    return kept


def _sizes_of_rows(kept: Any) -> Any:
    """How many items each row has: a row without one is a query, too."""
    if kept.ndim not in (1, 2):
        raise InputError(
            f"preds: they have {kept.ndim} dimensions; expected 1 or 2, or give indexes"
        )
    return np.atleast_2d(kept).sum(axis=1)
