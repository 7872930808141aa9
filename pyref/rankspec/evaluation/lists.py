"""Ranked lists of ids against relevant ids, of recommenders and retrievers. Spec: RS-CONV-45."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    backend: str = "auto",
) -> Evaluation:
    """Evaluate ranked lists of ids, best first, against the relevant ids of each user or query.

    ranked: {user: list of ids}, a list of such lists, an array with a list a row; or one list.
        Ids are texts, whole numbers or UUIDs; 1 and "1" are one id (RS-CONV-44)
    relevant: the same by user or by position, of sets or lists of relevant ids (their label is 1),
        or of dicts {id: label}; of one list, one of these
    measures: one or several, as of rs.evaluate()
    k: the cut-off, or several, of the measures that name none
    queries: whose values there are: "qrels", the users in `relevant` (one without a list has an
        empty one), "both", "run", the users in `ranked`, "complete" or "same" (RS-CONV-9)
    duplicates: an id that a list has twice is an "error", or which is kept: "first" or "last"
        (RS-CONV-10)

    The other conventions, and `backend`, are as of rs.evaluate(). Gives what it gives for the same
    judgments and a run in that order; users without names are called "0", "1", ... Raises
    InputError that names the user and the position.

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
    judged, run = read_lists_of_ids(ranked, relevant, conventions.duplicates)
    qrels, how = judged_by(judged, conventions, None, grades)
    found = evaluate_by(conventions, chosen_profile, qrels, run, asked, backend, None, how)
    warn_of([found])
    return found


def _cut(
    measures: MeasuresLike, k: Any, conventions: Conventions, profile: Profile | None
) -> list[Measure]:
    """The measures, those without a cut-off at each of these."""
    given = [m for name in names_of(measures) for m in measures_named(name, conventions, profile)]
    if all(m.k is not None for m in given):
        raise InputError(
            f"k: {shown(k)} is for measures without a cut-off, and each has one: "
            f"{', '.join(map(str, given))}"
        )
    complaint = f"k: {shown(k)} is no cut-off, nor several"
    several = isinstance(k, Iterable) and not isinstance(k, (str, bytes))
    cutoffs = [cutoff(x) for x in (items_of(k, complaint) if several else [k])]
    if not cutoffs:
        raise InputError("k: there is no cut-off")
    return [x for m in given for x in ([m] if m.k is not None else _at(m, cutoffs))]


def _at(measure: Measure, cutoffs: list[int | None]) -> list[Measure]:
    found = [replace(measure, k=k) for k in cutoffs]
    for m in found:
        m.metric.check(m)
    return found
