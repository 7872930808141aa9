"""One plain list by the C core, where all that no list changes has been made before.

A call of the core for a batch makes views, tables and structures, which cost more than a short
list. Here they are kept with the measure. A list that is not plain, or a value that the core does
not settle, is left to ``backends.values()``, which has the errors and the reference.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable

from ..errors import CoreMissing, InputError
from ..records import record
from ..typed import Any
from .checks import check_depth
from .computable import Computable, Together

_RULES = frozenset(("expected", "input", "best", "worst"))  # for ties, that ask for no ids
FEW_LABELS = 256  # of a list and its pool, which several measures may as well read one by one
LONGEST = 4096  # the ranks of the table of discounts that is built in; longer lists gain little


@record()
class _Prepared:
    """A structure for lists of so many items at most, and what it points to."""

    longest: int
    value: Callable[[Any, bytes, int], float]
    value_of_judged: Callable[[Any, bytes, int, bytes, int], float]
    value_of: Callable[[Any, bytes, int, Any, str, bytes | None], float]
    structure: Any
    keep: Any


class AtOnce:
    """A measure as the core takes it, of one list."""

    def __init__(
        self, measure: Computable | None, otherwise: Callable[..., Any] | None = None
    ) -> None:
        """measure: None answers nothing; otherwise: its own method, which asks here first.

        value: the value of a list of whole labels from 0 to 255, which is its own pool; None: this
            is no such list, or the core does not settle it
        method: what answers as `otherwise` does, sooner for plain lists; None: nothing does
        """
        self._measure = measure if measure is not None and is_taken(measure) else None
        self._otherwise = otherwise
        # Replaced as a whole: another thread, which holds the former one, can go on with it.
        self.value: Callable[[list[Any]], float | None] = self._value
        self.method: Callable[..., Any] | None = None
        self._prepared: _Prepared | None = None  # for lists whose order is settled
        self._with_more: _Prepared | None = None
        self._most = LONGEST  # items of the lists that it is tried for

    def _value(self, labels: list[Any]) -> float | None:
        """As value()."""
        if self._measure is None:
            return None
        try:
            held = bytes(labels)
        except (TypeError, ValueError):
            return None
        n = len(held)
        prepared = self._prepared
        if prepared is None or n > prepared.longest:
            prepared = self._prepared = self._prepare(n, tied=False)
            if prepared is None:
                return None
        value = prepared.value(prepared.structure, held, n)
        return value if value == value else None  # noqa: PLR0124 - NaN

    def value_of_judged(self, labels: bytes, judged: bytes) -> float | None:
        """The same of a list whose order is settled, and its pool, which need not cover it."""
        n, pooled = len(labels), len(judged)
        longest = max(n, pooled)
        prepared = self._prepared
        if prepared is None or longest > prepared.longest:
            prepared = self._prepared = self._prepare(longest, tied=False)
            if prepared is None:
                return None
        value = prepared.value_of_judged(prepared.structure, labels, n, judged, pooled)
        return value if value == value else None  # noqa: PLR0124 - NaN

    def value_of(
        self, labels: list[Any], scores: Any = None, judged: Any = None, ties: Any = "expected"
    ) -> float | None:
        """The same of a list with scores, and of judged labels that are such a list."""
        measure = self._measure
        if measure is None or type(ties) is not str or ties not in _RULES:
            return None
        if judged is not None and (not measure.reads_pool or measure.reads_pool_alone):
            return None
        try:
            held, pool = bytes(labels), None if judged is None else _bytes(judged)
            numbers = None if scores is None else _numbers(scores)
        except (TypeError, ValueError, OverflowError):
            return None
        n = len(held)
        if numbers is not None and len(numbers) != n:
            return None
        longest = n if pool is None else max(n, len(pool))
        prepared = self._with_more
        if prepared is None or longest > prepared.longest:
            prepared = self._with_more = self._prepare(longest, tied=True)
            if prepared is None:
                return None
        value = prepared.value_of(prepared.structure, held, n, numbers, ties, pool)
        return value if value == value else None  # noqa: PLR0124 - NaN

    def _prepare(self, n: int, *, tied: bool) -> _Prepared | None:
        """The structure for lists of n items or somewhat more; None: there is none, nor will there
        be for a longer list.
        """
        if self._measure is None or n > self._most:
            return None
        prepared = _prepare(self._measure, n, tied)
        if prepared is None:
            self._most = n - 1
        elif not tied:
            self._shorten(prepared)
        return prepared

    def _shorten(self, prepared: _Prepared) -> None:
        """Has the module answer for plain lists, if it is there."""
        from .core import method_of

        of = prepared.structure, prepared.longest, prepared.keep
        self.value = method_of(*of, self._value) or self._value
        if self._otherwise is not None:
            self.method = method_of(*of, self._otherwise)


NOTHING = AtOnce(None)


def values_of_judged(
    measures: Together[Any], labels: array[int], judged: array[int]
) -> list[float] | None:
    """The value of each measure of one list of bytes whose order is settled, and its pool, which
    need not cover it; None: there are many labels, or one is not settled by the core.
    """
    if len(labels) + len(judged) > FEW_LABELS or not _is_sound(os.environ.get("RANKSPEC_THREADS")):
        return None
    known: list[AtOnce] | None = measures.kept.get(AtOnce)
    if known is None:
        known = measures.kept[AtOnce] = list(map(AtOnce, measures))
    shown, pool = labels.tobytes(), judged.tobytes()
    values = []
    for of in known:
        value = of.value_of_judged(shown, pool)
        if value is None:
            return None
        values.append(value)
    return values


def _is_sound(threads: str | None) -> bool:
    """Whether RANKSPEC_THREADS is such that no error is due, which one list would not see."""
    if not threads:
        return True
    from .core import threads_asked

    try:
        threads_asked()
    except InputError:
        return False
    return True


def _bytes(labels: Any) -> bytes:
    """Labels from 0 to 255 in a list, as bytes; else a TypeError or a ValueError."""
    if type(labels) is not list:
        raise TypeError
    return bytes(labels)


def _numbers(scores: Any) -> array[Any]:
    """The scores, where they are a list of doubles or of whole numbers; else a TypeError or an
    OverflowError.
    """
    if type(scores) is not list:
        raise TypeError
    held = scores.copy()
    kinds = set(map(type, held))
    if kinds == {float}:
        return array("d", held)
    if kinds == {int}:
        return array("q", held)
    raise TypeError


def _prepare(measure: Computable, n: int, tied: bool) -> _Prepared | None:
    """The structure for lists of n items or somewhat more; None: there is none."""
    longest = min(max(64, 1 << n.bit_length()), LONGEST)
    try:
        from .core import Wanted, ffi, lib, measure_of, value_of_scored_list, whole

        check_depth(measure, measure.deepest_rank(longest, longest))
    except (CoreMissing, InputError):  # or weights for fewer ranks
        return None
    call = measure.core.values
    wanted = Wanted([measure], [whole(measure.k)], longest, longest, tied)
    structure = ffi.new("rs_measure *", measure_of(call, wanted))  # type: ignore[arg-type]
    return _Prepared(
        longest,
        lib.rs_value_of_list,
        lib.rs_value_of_judged_list,
        value_of_scored_list,
        structure,
        (structure, wanted),
    )


def is_taken(measure: Computable) -> bool:
    """Whether the core has the values of a measure, and that is one of rankings."""
    call = measure.core.values
    return measure.taken_of == "rankings" and call is not None and call.can_take(measure)
