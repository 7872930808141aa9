"""Lists, arrays and flat buffers of rankings as a batch, in the order of their scores."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from ..compute.arrays import Lists, ids_as_numbers, read_lists
from ..compute.backends import answering
from ..compute.batch import Batch, place
from ..compute.checks import check as check_batch
from ..compute.checks import lengths_of, refuse_score
from ..compute.gain import text_of, yes_or_no
from ..compute.gain import ties as tie_rule
from ..compute.pools import check_pools
from ..errors import InputError
from ..metrics.measure import Measure, Metric
from ..metrics.parameters import LARGEST_M
from ..records import replace
from ..reference.ties import order as order_by_rule
from ..reference.ties import tie_groups


class WithPools:
    """A batch of rankings or of sessions, perhaps with judged labels."""

    batch: Batch
    check: bool

    def check_pools(self, metrics: Iterable[Metric], backend: str) -> None:
        """An InputError where judged labels matter and do not cover what is shown (RS-CONV-38)."""
        if self.check and self.batch.pool is not None and any(m.judged for m in metrics):
            check_pools(self.batch, backend)

    def ranking_for(self, measure: Measure) -> Any:
        """The first ranking or session, checked for a measure."""
        batch = self.batch_for(measure.metric)
        check_batch([measure], batch)
        self.check_pools([measure.metric], "reference")
        return batch.ranking(0)

    def batch_for(self, metric: Metric) -> Batch:
        """The batch as a metric takes it."""
        raise NotImplementedError


class Input(WithPools):
    """What a metric is taken of: a batch, and whether it was one ranking or many."""

    def __init__(
        self,
        labels: Any,
        scores: Any = None,
        ids: Any = None,
        ties: str | None = None,
        offsets: Any = None,
        judged: Any = None,
        judged_offsets: Any = None,
        backend: str = "auto",
        unjudged: Any = None,
        check: bool = True,
    ) -> None:
        lists = read_lists(labels, offsets, "labels")
        flags = None if unjudged is None else _flags(unjudged, lists)
        self.single = lists.single
        flat, starts, order = lists.flat, None, None
        if scores is not None:
            flat, starts, order = _ranked(lists, scores, ids, ties, backend, flags)
            flags = None if flags is None else bytes(flags[a] for a in order)
        elif ids is not None or ties is not None:
            raise InputError("ids and ties order equal scores; there are no scores here")
        self.batch = Batch(flat, lists.offsets, starts, unjudged=flags, order=order)
        if judged is not None:
            pools = read_lists(judged, judged_offsets, "judged")
            if pools.single != lists.single or len(pools.offsets) != len(lists.offsets):
                raise InputError(f"judged: {described(pools)} for {described(lists)}")
            self.batch = replace(self.batch, pool=pools.flat, pool_offsets=pools.offsets)
        elif judged_offsets is not None:
            raise InputError("judged_offsets: there are no judged labels")
        self.check = yes_or_no(check, "check")

    def batch_for(self, metric: Metric) -> Batch:
        """The batch, without the pools where a metric does not depend on them (RS-CONV-3)."""
        return self.batch if metric.pool else replace(self.batch, pool=None, pool_offsets=None)

    def with_weights(
        self, parameters: dict[str, Any], cutoffs: Iterable[Any] = ()
    ) -> dict[str, Any]:
        """The parameters, a discount or a prior given as a function replaced by its weights."""
        if not any(callable(parameters.get(name)) for name in ("discount", "prior")):
            return parameters
        deepest = max(lengths_of(self.batch))
        summed = text_of(parameters.get("Z")) == "M"  # up to each cut-off
        few = [k for k in cutoffs if summed and isinstance(k, int) and k <= LARGEST_M]
        return as_weights(parameters, {"discount": deepest, "prior": max([deepest, *few])})


def as_weights(parameters: Mapping[str, Any], depths: Mapping[str, int]) -> dict[str, Any]:
    """The parameters, functions of the rank among those with a depth replaced by their weights."""
    return {
        name: _weights(name, x, depths[name]) if name in depths and callable(x) else x
        for name, x in parameters.items()
    }


def _weights(name: str, of: Callable[[int], Any], depth: int) -> list[Any]:
    """What a function gives for the ranks 1, 2, ...; an InputError where it takes no rank."""
    try:
        return [of(i) for i in range(1, depth + 1)]
    except TypeError:
        if _takes_a_rank(of):  # what it raises itself is its own
            raise
        raise InputError(
            f"{name}: a function of the rank is called with the rank alone, and this cannot be"
        ) from None


def _takes_a_rank(function: Callable[[int], Any]) -> bool:
    from inspect import signature  # only errors need it

    try:
        signature(function).bind(1)
    except TypeError:
        return False
    except ValueError:  # nobody knows what it takes
        return True
    return True


def _ranked(
    lists: Lists, scores: Any, ids: Any, ties: str | None, backend: str, flags: bytes | None
) -> tuple[Any, Any, Any]:
    """The labels in rank order, the starts of tie groups where the ties are left open, and where
    each label stood.
    """
    given = read_lists(scores, None, "scores", like=lists)
    if ties is None:
        ties = "expected" if ids is None else "id-descending"
    rule = tie_rule(ties)
    if rule.startswith("id-") and ids is None:
        raise InputError(f'ties: "{rule}" orders by ids; there are none')
    numbers = ids_as_numbers(ids, lists) if ids is not None else None
    by_label = flags is not None and rule in ("best", "worst")  # the core knows no item without
    if by_label or answering(backend) == "reference":
        ordered, starts, positions = _ranked_by_reference(lists, given, numbers, rule, flags)
    else:
        from ..compute import by_core  # the compiled core sorts

        positions, starts = by_core.order(given.flat, lists.flat, lists.offsets, numbers, rule)
        ordered = by_core.gather(lists.flat, positions)
    return ordered, starts if rule == "expected" else None, positions


def _ranked_by_reference(
    lists: Lists, scores: Lists, ids: Any, rule: str, flags: bytes | None
) -> tuple[Any, Any, Any]:
    """As order() and gather() of the core, by RS-TIE-1 and RS-TIE-2 themselves.

    flags: 1 where an item has no label; None: each has one
    """
    ordered, order = array(memoryview(lists.flat).format), array("q")
    starts = bytearray()
    for begin, end in pairwise(lists.offsets):
        own_scores, own_labels = (x.flat[begin:end].tolist() for x in (scores, lists))
        for a, score in enumerate(own_scores):
            if not math.isfinite(score):
                raise refuse_score(scores.flat, lists.offsets, begin + a)
        own_ids = None if ids is None else ids[begin:end]
        resolving = "input" if rule == "expected" else rule
        own_flags = bytes(end - begin) if flags is None else flags[begin:end]
        judged = [None if flag else x for x, flag in zip(own_labels, own_flags, strict=True)]
        positions = order_by_rule(own_scores, judged, own_ids, resolving)
        ordered.extend(own_labels[a] for a in positions)
        order.extend(int(begin) + a for a in positions)
        for group in tie_groups(own_scores):
            starts += bytes([1]) + bytes(len(group) - 1)
    return ordered, starts, order


def check_unjudged(metric: Metric, unjudged: Any) -> None:
    """An InputError where a metric is told what is unjudged that does not ask."""
    if unjudged is not None and not metric.sees_unjudged:
        raise InputError(f"unjudged: {metric.name} does not ask what is judged")


def _flags(unjudged: Any, lists: Lists) -> bytes:
    """Which items have no judgment: 1, or 0, for each label."""
    flags = read_lists(unjudged, None, "unjudged", like=lists).flat.tolist()
    labels = int(lists.offsets[-1])
    if len(flags) != labels:
        raise InputError(f"unjudged: there are {len(flags)} for {labels} labels")
    wrong = next((a for a, flag in enumerate(flags) if flag not in (0, 1)), None)
    if wrong is not None:
        where = place(wrong, lists.offsets)
        raise InputError(f"unjudged: {flags[wrong]!r} at {where}; each is 0 or 1")
    return bytes(map(int, flags))


def described(lists: Lists) -> str:
    return "one ranking" if lists.single else f"{len(lists.offsets) - 1} lists"
