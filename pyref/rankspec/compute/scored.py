"""Lists with scores: their labels in rank order, whole or as far as measures read them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from itertools import pairwise

from ..errors import InputError
from ..later import ties
from ..records import record, replace
from ..typed import Any
from .at_once import is_taken
from .backends import answering, values
from .batch import Batch
from .checks import refuse_score
from .computable import Computable


@record()
class Scored:
    """Lists in the order of the input, and what ranks them.

    batch: the labels, with their pools if there are any
    scores, ids: flat like the labels; ids may be None
    rule: how equal scores are ordered (RS-TIE-2)
    """

    batch: Batch
    scores: Any
    ids: Any
    rule: str
    backend: str

    def ranked(self) -> Batch:
        """The lists in rank order."""
        labels, offsets, flags = self.batch.labels, self.batch.offsets, self.batch.unjudged
        by_label = flags is not None and self.rule in ("best", "worst")
        if by_label or answering(self.backend) == "reference":  # the core knows no item without
            ordered, starts, positions = self._ranked_by_reference()
        else:
            from . import by_core  # the compiled core sorts

            positions, starts = by_core.order(self.scores, labels, offsets, self.ids, self.rule)
            ordered = by_core.gather(labels, positions)
        return replace(
            self.batch,
            labels=ordered,
            starts=starts if self.rule == "expected" else None,
            unjudged=None if flags is None else bytes(flags[a] for a in positions),
            order=positions,
        )

    def values_of_first(self, measures: Sequence[Computable]) -> list[array[float]] | None:
        """The values of measures that no rank behind their cut-offs matters to (RS-CONV-2/L1);
        None: one of them asks for more, is left to the reference, or something is refused.
        """
        if self.batch.unjudged is not None or answering(self.backend) == "reference":
            return None
        # The reference refuses too many orders of a whole list.
        if not all(map(is_taken, measures)):
            return None
        depths = [m.order_matters_to for m in measures]
        deepest = max((k for k in depths if k is not None), default=None)
        if deepest is None or None in depths or not self._reads_all_labels(measures):
            return None
        from contextlib import suppress

        from . import by_core

        labels, offsets = self.batch.labels, self.batch.offsets
        with suppress(InputError):  # the whole list has the words for it
            by = self.ids, self.rule
            first, starts, ends = by_core.first(self.scores, labels, offsets, *by, deepest)
            pool, pool_offsets = self.batch.pool, self.batch.pool_offsets
            if not any(m.reads_pool for m in measures):
                pool, pool_offsets = None, None
            elif pool is None:
                pool, pool_offsets = labels, offsets
            starts = starts if self.rule == "expected" else None
            return values(measures, Batch(first, ends, starts, pool, pool_offsets), "c")
        return None

    def _reads_all_labels(self, measures: Sequence[Computable]) -> bool:
        """Whether no label that a measure would refuse can be among those that are left out."""
        own = self.batch.pool is None  # else the labels of the lists are no pool
        others = [m for m in measures if not (own and m.reads_pool)]
        if not others:
            return True
        from . import by_core

        few = by_core.small_labels(self.batch.labels)
        return few is not None and not any(m.refusal(x) for m in others for x in few)

    def _ranked_by_reference(self) -> tuple[Any, Any, Any]:
        """As order() and gather() of the core, by RS-TIE-1 and RS-TIE-2 themselves."""
        labels, offsets, flags = self.batch.labels, self.batch.offsets, self.batch.unjudged
        ordered, order = array(memoryview(labels).format), array("q")
        starts = bytearray()
        for begin, end in pairwise(offsets):
            own_scores, own_labels = (x[begin:end].tolist() for x in (self.scores, labels))
            for a, score in enumerate(own_scores):
                if not math.isfinite(score):
                    raise refuse_score(self.scores, offsets, begin + a)
            own_ids = None if self.ids is None else self.ids[begin:end]
            resolving = "input" if self.rule == "expected" else self.rule
            own_flags = bytes(end - begin) if flags is None else flags[begin:end]
            judged = [None if flag else x for x, flag in zip(own_labels, own_flags, strict=True)]
            positions = ties.order(own_scores, judged, own_ids, resolving)
            ordered.extend(own_labels[a] for a in positions)
            order.extend(int(begin) + a for a in positions)
            for group in ties.tie_groups(own_scores):
                starts += bytes([1]) + bytes(len(group) - 1)
        return ordered, starts, order
