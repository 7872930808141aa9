"""Cases of statistics: a function of the reference by its name, what goes in, and why.

They are in files of their own, with a schema of their own: nothing in them is a metric of rankings.
What comes out is computed by tools/statistical.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import Relation

Check = Callable[[dict[str, Any], Any], Any]
"""Whether a flag is so: of what goes into a function, and what comes out."""


@dataclass(frozen=True)
class Statistic:
    """What goes in, and why.

    number: as in the id "randomness-0007"
    name: of the function
    given: its arguments
    undefined: whether there is no value
    known: what somebody else's program gives, or a paper; asserted. None: nobody is known
    flags, spec, laws, error: as those of Case
    """

    number: int
    why: str
    name: str
    given: dict[str, Any]
    known: Any = None
    flags: tuple[str, ...] = ()
    spec: tuple[str, ...] = ()
    laws: tuple[Relation, ...] = ()
    error: str | None = None
    undefined: bool = False


@dataclass(frozen=True)
class Statistics:
    """A chapter: its functions, each with its entry; its flags; what relates two results."""

    functions: dict[str, tuple[str, Callable[..., Any]]]
    flags: dict[str, tuple[str, Check]]
    relations: dict[str, Callable[[Any, Any], bool]] = field(default_factory=dict)


def statistic(
    number: int,
    why: str,
    name: str,
    *,
    known: Any = None,
    flags: str = "",
    spec: str = "",
    laws: str = "",
    error: str | None = None,
    undefined: bool = False,
    **given: Any,
) -> Statistic:
    """A case; flags and spec are words with blanks between them, laws are as those of case()."""
    related = tuple(Relation(*words.split()) for words in laws.split(";") if words.strip())
    flagged = (*flags.split(), *(["known-answer"] if known is not None else []))
    cited = tuple(spec.split())
    return Statistic(number, why, name, given, known, flagged, cited, related, error, undefined)
