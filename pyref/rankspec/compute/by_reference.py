"""Values by the certified reference: the authority, and what settles what the core leaves open."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from ..errors import NoValue
from ..later import enclosure, numerics
from ..typed import TYPE_CHECKING, Any
from .batch import Batch, SessionBatch
from .checks import check, check_offsets, refuse_score
from .computable import Computable

if TYPE_CHECKING:
    from ..reference.numbers.reals import Number, Reals


def values_by_reference(measures: Sequence[Computable], batch: Batch) -> list[array[float]]:
    """As backends.values(), by the certified reference alone."""
    check(measures, batch)
    return [column_by_reference(measure, batch) for measure in measures]


def column_by_reference(measure: Computable, batch: Batch) -> array[float]:
    """The value of each list of a batch that is checked."""
    return array("d", (value_by_reference(measure, batch, a) for a in range(len(batch))))


def value_by_reference(measure: Computable, batch: Batch, a: int) -> float:
    """The value of list a, correctly rounded, by the certified reference (RS-NUM-3)."""
    ranking = batch.ranking(a)
    try:
        return numerics.nearest_double_of(lambda reals: measure.value(ranking, reals))
    except enclosure.Undecided as error:
        raise enclosure.Undecided(f"{measure}: {error}; other measures have their values") from None
    except NoValue as error:
        if not error.label:
            raise error.at(batch.place_of_list(a)) from None
        raise error.at(batch.place(int(batch.offsets[a]) + error.rank, "labels")) from None


def vectors_by_reference(
    measure: Computable, batch: SessionBatch
) -> tuple[array[float], array[int]]:
    """As backends.vectors(), by the certified reference alone."""
    check([measure], batch, vectors=True)
    found, offsets = array("d"), array("q", [0])
    for s in range(len(batch)):
        session = batch.ranking(s)
        lengths = measure.vector_lengths(session)
        found.extend(numerics.nearest_doubles_of(partial(measure.vector, session), sum(lengths)))
        for length in lengths:
            offsets.append(offsets[-1] + length)
    return found, offsets


def settle_vector(
    measure: Computable, batch: SessionBatch, s: int, begin: int, to: tuple[array[float], bytearray]
) -> None:
    """Writes the undecided components of session s, whose vector begins there in flat buffers."""
    out, undecided = to
    session = batch.ranking(s)
    end = begin + sum(measure.vector_lengths(session))
    ranks = [p for p in range(begin, end) if undecided[p]]

    def components(reals: Reals) -> list[Number]:
        whole = measure.vector(session, reals)
        return [whole[p - begin] for p in ranks]

    for p, x in zip(ranks, numerics.nearest_doubles_of(components, len(ranks)), strict=True):
        out[p] = x


def relevance_by_reference(measure: Computable, scores: Any, offsets: Any) -> array[float]:
    """As backends.relevance(), by the reference alone."""
    check_offsets(offsets, len(scores), "offsets", "scores")
    for position, score in enumerate(scores.tolist()):
        if not math.isfinite(score):
            raise refuse_score(scores, offsets, position)
    found = array("d")
    for begin, end in pairwise(offsets):
        own = scores[begin:end].tolist()
        phi = measure.relevance(own)
        nearest = {s: numerics.nearest_double(phi(s)) for s in set(own)}
        found.extend(nearest[s] for s in own)
    return found
