"""Ranked lists of ids against relevant ids, of recommenders and retrievers. Spec: RS-CONV-45."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import DiscountLike, GainLike
from ..errors import InputError, items_of, shown
from ..formats.frames import Label
from ..formats.id_lists import read_lists_of_ids
from ..metrics.measure import Measure, cutoff
from ..records import replace
from ..reference.numbers.reals import Exact
from . import profiles
from .conventions import Conventions
from .evaluate import evaluate_by, judged_by, warn_of
from .measures import MeasuresLike, measures_named, names_of
from .profiles import Profile
from .result import Evaluation


@standard_arithmetic
def evaluate_lists(
    ranked: Any,
    relevant: Any,
    measures: MeasuresLike,
    *,
    k: int | Iterable[int] | None = None,
    profile: str | None = None,
    unjudged: str | None = None,
    labels: str | None = None,
    negative: str | None = None,
    relevance: str | None = None,
    undefined: str | None = None,
    results: str | None = None,
    queries: str | None = None,
    duplicates: str | None = None,
    depth: int | None = None,
    pool: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
    grades: Mapping[Label, Label] | None = None,
    padding: Any = None,
    backend: str = "auto",
) -> Evaluation:
    """Evaluate ranked lists of ids, best first, against the relevant ids of each user or query.

    ranked: {user: list of ids}, a list of such lists, an array with one list per row; or one list.
        Ids are strings, integers or UUIDs; 1 and "1" are the same id (RS-CONV-44)
    relevant: for each user or position a set or list of relevant ids (with label 1), or a dict
        {id: label}; for one list, one of these
    measures: one or several, as of rs.evaluate()
    k: one or several cut-offs for the measures that name none
    queries: which users count: those in `relevant` ("qrels"; a user without a list has an empty
        one), in `ranked` ("run"), in "both", or "complete" or "same" (RS-CONV-9)
    duplicates: an id that occurs twice in a list is an "error", or its "first" or "last" place
        counts (RS-CONV-10)
    padding: an id that only fills up lists, as FAISS does with -1, and is left out

    The other conventions, and `backend`, are those of rs.evaluate(), and so is the result, for the
    same judgments and a run in the order of the list. Users without names are called "0", "1", ...
    An InputError names the user and the position.

    >>> result = evaluate_lists({"ann": [7, 3, 9]}, {"ann": {3, 9}}, ["P@2", "RR"])
    >>> dict(result)
    {'P@2': 0.5, 'RR': 0.5}
    """
    chosen_profile, conventions = profiles.chosen_conventions(
        profile,
        {
            "order": "file",
            "ties": "input",
            "unjudged": unjudged,
            "labels": labels,
            "negative": negative,
            "relevance": relevance,
            "undefined": undefined,
            "results": results,
            "queries": queries,
            "duplicates": duplicates,
            "depth": depth,
            "pool": pool,
            "gain": gain,
            "discount": discount,
            "rel": rel,
        },
    )
    asked = measures if k is None else _cut(measures, k, conventions, chosen_profile)
    judged, run = read_lists_of_ids(ranked, relevant, conventions.duplicates, padding)
    qrels, how = judged_by(judged, conventions, None, grades)
    found = evaluate_by(conventions, chosen_profile, qrels, run, asked, backend, None, how)
    warn_of([found])
    return found


def _cut(
    measures: MeasuresLike, k: Any, conventions: Conventions, profile: Profile | None
) -> list[Measure]:
    """The measures, those without a cut-off at each of these."""
    complaint = f"k: expected one cut-off or several, got {shown(k)}"
    several = isinstance(k, Iterable) and not isinstance(k, (str, bytes))
    cutoffs = [cutoff(x) for x in (items_of(k, complaint) if several else [k])]
    if not cutoffs:
        raise InputError("k: expected at least one cut-off, got none")
    by_name = [_measures_at(name, cutoffs, conventions, profile) for name in names_of(measures)]
    if not any(cut for _, cut in by_name):
        named = ", ".join(str(m) for own, _ in by_name for m in own)
        raise InputError(
            f"k: {shown(k)} sets the cut-off of measures without one, but each of these has one: "
            f"{named}"
        )
    return [m for own, _ in by_name for m in own]


def _measures_at(
    name: Any, cutoffs: list[int | None], conventions: Conventions, profile: Profile | None
) -> tuple[list[Measure], bool]:
    """The measures of a name at each of the cut-offs, and whether these were not its own."""
    try:
        named = measures_named(name, conventions, profile)
    except InputError:  # "recall" is a measure only with a cut-off
        with suppress(InputError):
            at = [f"{name}@{k}" for k in cutoffs]
            return [m for x in at for m in measures_named(x, conventions, profile)], True
        raise
    cut = any(m.k is None for m in named)
    return [x for m in named for x in ([m] if m.k is not None else _at(m, cutoffs))], cut


def _at(measure: Measure, cutoffs: list[int | None]) -> list[Measure]:
    found = [replace(measure, k=k) for k in cutoffs]
    for m in found:
        m.metric.check(m)
    return found
