"""One plain list by the C core, where all that no list changes has been made before.

A call of the core for a batch makes views, tables and structures, which cost more than a short
list. Here they are kept with the measure. A list that is not plain, or a value that the core does
not settle, is left to ``backends.values()``, which has the errors and the reference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import CoreMissing, InputError
from ..records import record
from .checks import check_depth
from .computable import Computable

LONGEST = 4096  # the ranks of the table of discounts that is built in; longer lists gain little


@record()
class _Prepared:
    """A structure for lists of so many items at most, and what it points to."""

    longest: int
    value: Callable[[Any, bytes, int], float]
    structure: Any
    keep: Any


class AtOnce:
    """A measure as the core takes it, of one list that is its own pool."""

    def __init__(self, measure: Computable | None) -> None:
        """measure: None answers nothing."""
        self._measure = measure if measure is not None and _is_taken(measure) else None
        # Replaced as a whole: another thread, which holds the former one, can go on with it.
        self._prepared: _Prepared | None = None
        self._most = LONGEST  # items of the lists that it is tried for

    def value(self, labels: list[Any]) -> float | None:
        """The value of a list of whole labels from 0 to 255; None: this is no such list, or the
        core does not settle it.
        """
        if self._measure is None:
            return None
        try:
            held = bytes(labels)
        except (TypeError, ValueError):
            return None
        n = len(held)
        prepared = self._prepared
        if prepared is None or n > prepared.longest:
            if n > self._most:
                return None
            prepared = self._prepared = _prepare(self._measure, n)
            if prepared is None:  # nor will it be for a longer list: do not try again
                self._most = n - 1
                return None
        value = prepared.value(prepared.structure, held, n)
        return value if value == value else None  # noqa: PLR0124 - NaN


NOTHING = AtOnce(None)


def _prepare(measure: Computable, n: int) -> _Prepared | None:
    """The structure for lists of n items or somewhat more; None: there is none."""
    longest = min(max(64, 1 << n.bit_length()), LONGEST)
    try:
        from .core import Wanted, ffi, lib, measure_of, whole

        check_depth(measure, measure.deepest_rank(longest, longest))
    except (CoreMissing, InputError):  # or weights for fewer ranks
        return None
    call = measure.core.values
    wanted = Wanted([measure], [whole(measure.k)], longest, longest)
    structure = ffi.new("rs_measure *", measure_of(call, wanted))  # type: ignore[arg-type]
    return _Prepared(longest, lib.rs_value_of_list, structure, wanted)


def _is_taken(measure: Computable) -> bool:
    """Whether the core has the values of a measure, and that is one of rankings."""
    call = measure.core.values
    return measure.taken_of == "rankings" and call is not None and call.can_take(measure)
