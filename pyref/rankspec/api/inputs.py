"""Lists, arrays and flat buffers of rankings as a batch, in the order of their scores."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from ..compute.arrays import Lists, check_ids_once, ids_as_numbers, read_lists
from ..compute.backends import values
from ..compute.batch import Batch, place
from ..compute.checks import check as check_batch
from ..compute.checks import lengths_of
from ..compute.gain import text_of, yes_or_no
from ..compute.gain import ties as tie_rule
from ..compute.pools import check_pools
from ..compute.scored import Scored
from ..errors import InputError
from ..metrics.measure import Measure, Metric
from ..metrics.parameters import LARGEST_M
from ..records import replace
from ..typed import Any


class WithPools:
    """A batch of rankings or of sessions, perhaps with judged labels."""

    batch: Batch
    check: bool

    @property
    def given(self) -> Batch:
        """The batch in an order that may be another one."""
        return self.batch

    def check_pools(self, metrics: Iterable[Metric], backend: str) -> None:
        """An InputError where judged labels matter and do not cover what is shown (RS-CONV-38)."""
        if not self.check or self.given.pool is None or not any(m.judged for m in metrics):
            return
        try:
            check_pools(self.given, backend)
        except InputError:  # which names the first label in rank order
            check_pools(self.batch, backend)

    def values(self, measures: Sequence[Measure], backend: str) -> list[array[float]]:
        """The values of each measure, one a ranking or session."""
        return values(measures, self.batch, backend)

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
        self._given = Batch(lists.flat, lists.offsets, unjudged=flags)
        self._scored: Scored | None = None
        if scores is not None:
            self._scored = _scored(self._given, lists, scores, ids, ties, backend)
        elif ids is not None or ties is not None:
            raise InputError("ids and ties order items of equal score, but scores is not given")
        if judged is not None:
            pools = read_lists(judged, judged_offsets, "judged")
            if pools.single != lists.single or len(pools.offsets) != len(lists.offsets):
                raise InputError(f"judged: {described(pools)} for {described(lists)}")
            self._take_pools(pools)
        elif judged_offsets is not None:
            raise InputError("judged_offsets: they need judged, which is not given")
        self.check = yes_or_no(check, "check")

    def _take_pools(self, pools: Lists) -> None:
        self._given = replace(self._given, pool=pools.flat, pool_offsets=pools.offsets)
        if self._scored is not None:
            self._scored = replace(self._scored, batch=self._given)

    @property
    def given(self) -> Batch:
        """The batch in the order of the input."""
        return self._given

    @cached_property
    def batch(self) -> Batch:  # type: ignore[override]
        """The batch in rank order."""
        return self._given if self._scored is None else self._scored.ranked()

    def batch_for(self, metric: Metric) -> Batch:
        """The batch, without the pools where a metric does not depend on them (RS-CONV-3)."""
        return self._batch(metric.pool)

    def _batch(self, with_pools: bool) -> Batch:
        return self.batch if with_pools else replace(self.batch, pool=None, pool_offsets=None)

    def values(self, measures: Sequence[Measure], backend: str) -> list[array[float]]:
        """The values of each measure, one a ranking, which is put in order as far as it matters."""
        found = None if self._scored is None else self._scored.values_of_first(measures)
        if found is not None:
            return found
        return values(measures, self._batch(any(m.reads_pool for m in measures)), backend)

    def with_weights(
        self, parameters: dict[str, Any], cutoffs: Iterable[Any] = ()
    ) -> dict[str, Any]:
        """The parameters, a discount or a prior given as a function replaced by its weights."""
        if not any(callable(parameters.get(name)) for name in ("discount", "prior")):
            return parameters
        deepest = max(lengths_of(self.given))
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
            f"{name}: a function of the rank must take one argument, the rank; this one does not"
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


def _scored(
    batch: Batch, lists: Lists, scores: Any, ids: Any, ties: str | None, backend: str
) -> Scored:
    """The lists with what ranks them, checked but for whether the scores are finite."""
    given = read_lists(scores, None, "scores", like=lists)
    if ties is None:
        ties = "expected" if ids is None else "id-descending"
    rule = tie_rule(ties)
    if rule.startswith("id-") and ids is None:
        raise InputError(f'ties: "{rule}" orders by ids, but ids is not given')
    numbers = None
    if ids is not None:
        numbers = ids_as_numbers(ids, lists)
        check_ids_once(numbers, given.flat, lists.offsets)
    return Scored(batch, given.flat, numbers, rule, backend)


def check_unjudged(metric: Metric, unjudged: Any) -> None:
    """An InputError where a metric is told what is unjudged that does not ask."""
    if unjudged is not None and not metric.sees_unjudged:
        raise InputError(
            f"unjudged: {metric.name} does not depend on which items are judged; leave unjudged out"
        )


def _flags(unjudged: Any, lists: Lists) -> bytes:
    """Which items have no judgment: 1, or 0, for each label."""
    flags = read_lists(unjudged, None, "unjudged", like=lists).numbers()
    wrong = next((a for a, flag in enumerate(flags) if flag not in (0, 1)), None)
    if wrong is not None:
        where = place(wrong, lists.offsets)
        raise InputError(f"unjudged: the flag at {where} is {flags[wrong]!r}; expected 0 or 1")
    return bytes(map(int, flags))


def described(lists: Lists) -> str:
    return "one ranking" if lists.single else f"{len(lists.offsets) - 1} lists"
