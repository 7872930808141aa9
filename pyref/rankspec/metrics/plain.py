"""Measures as most write them, "nDCG@10" or "AP", read without the grammar of all spellings.

Who asks for these alone loads their chapters, not the catalogue of all metrics.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ..errors import InputError
from ..typed import Any
from .chapters import CHAPTER_OF, metric
from .measure import Measure, make_with_defaults
from .parameters import is_plain

_DIGITS = 9  # of a cut-off


def plain_measure(text: Any, defaults: Mapping[str, Any]) -> Measure | None:
    """A Measure itself; or NAME or NAME@k, where a metric has exactly this name, as the grammar
    reads it.

    None: it is written otherwise, or is none; the grammar knows. defaults: as there
    """
    if isinstance(text, Measure):
        return text
    if type(text) is not str or not all(map(is_plain, defaults.values())):
        return None
    return _known(text, **defaults)


@lru_cache(maxsize=1024, typed=True)  # evaluations ask for the same names again and again
def _known(text: str, /, **defaults: Any) -> Measure | None:
    name, at, cut = text.partition("@")
    if name not in CHAPTER_OF or (at and not _is_cutoff(cut)):
        return None
    of = metric(name)
    if of.name != name or of.names.at_level:  # the name of its function; @1 may be a level
        return None
    given = {n: x for n, x in defaults.items() if x is not None and n in of.parameters}
    try:
        return make_with_defaults(of, int(cut) if at else None, given, {})
    except InputError:  # which the grammar has the words for
        return None


def _is_cutoff(text: str) -> bool:
    return text.isascii() and text.isdigit() and text[0] != "0" and len(text) <= _DIGITS
