"""What is asked of an evaluation, resolved: conventions, measures, and how they are grouped.

To resolve them takes longer than to evaluate a short list. What is asked in plain words is the same
each time, so it is resolved once, and kept for a while.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache

from ..compute.computable import Together
from ..formats.frames import Label
from ..metrics.measure import Measure
from ..records import record
from ..typed import Any
from . import profiles
from .conventions import Conventions
from .measures import MeasuresLike, chosen_measures
from .profiles import Profile

LEAST_LABELS = range(5)  # which most judgments have
MOST_CONVENTIONS, MOST_MEASURES = 32, 16  # that are kept: so many, and so many with each


@record()
class Plan:
    """The measures of an evaluation, under its conventions.

    groups: the measures, by the conventions that are theirs
    picky: those that do not take any label
    usual: of the least labels from 0 on, those that neither a measure nor the profile refuses
    open_below_0: whether labels below 0 decide if the profile has the measures (RS-CONV-18)
    """

    conventions: Conventions
    profile: Profile | None
    measures: tuple[Measure, ...]
    groups: tuple[tuple[Conventions, Together[Measure]], ...]
    picky: tuple[Measure, ...]
    usual: frozenset[Label]
    open_below_0: bool

    @property
    def is_one(self) -> bool:
        """Whether all measures have the conventions of the evaluation."""
        return len(self.groups) == 1 and self.groups[0][0] is self.conventions

    @cached_property
    def is_plain(self) -> bool:
        """Whether values are of labels in the order of settled scores, and given as they are."""
        x = self.conventions
        settled = x.ordered_by == "score" and x.ties != "expected" and not x.own_pool
        labelled = not x.scored and x.unjudged in ("nonrelevant", "condensed")
        given = x.undefined == "zero" and x.results == "double"
        return (
            self.is_one and settled and labelled and given and not any(map(_is_odd, self.measures))
        )

    @cached_property
    def of_lists(self) -> tuple[Any, ...]:
        """Of plain conventions, what the join of dicts takes of them, as it takes it."""
        x = self.conventions
        depth = -1 if x.depth is None else x.depth
        return x.ties, x.rounds_scores, x.condensed, True, depth, True, False


def _is_odd(measure: Measure) -> bool:
    """Whether it is of scores, or asks which items have no label."""
    return measure.metric.relevance is not None or measure.metric.sees_unjudged


def planned(measures: MeasuresLike, conventions: Conventions, profile: Profile | None) -> Plan:
    """The plan of an evaluation, or an InputError for what its measures or conventions are not."""
    chosen = chosen_measures(measures, conventions, profile and profile.of_labels_from_0())
    groups = profiles.by_conventions(chosen, conventions, profile) or {conventions: []}
    picky = tuple(m for m in chosen if not m.metric.takes_any_label)
    refused = profile.refused_labels(LEAST_LABELS, conventions) if profile else ()
    usual = (x for x in LEAST_LABELS if not any(m.metric.refusal(m, x) for m in picky))
    return Plan(
        conventions,
        profile,
        chosen,
        tuple((own, Together(few)) for own, few in groups.items()),
        picky,
        frozenset(usual).difference(refused),
        profile is not None and any(profile.refusal(m, conventions) for m in chosen),
    )


class Asked:
    """The profile and the conventions of a call, and its measures as they are planned."""

    def __init__(self, profile: Profile | None, conventions: Conventions) -> None:
        self.profile, self.conventions = profile, conventions
        self._plans: dict[tuple[str | int, ...], tuple[Plan, object]] = {}

    def plan(self, measures: MeasuresLike) -> Plan:
        """As planned()."""
        named: Any = measures if type(measures) in (list, tuple) else [measures]
        if not _IMMUTABLE.issuperset(map(type, named)):
            return planned(measures, self.conventions, self.profile)
        key = tuple([x if type(x) is str else id(x) for x in named])
        plan, _ = self._plans.get(key, (None, None))
        if plan is None:
            plan = planned(measures, self.conventions, self.profile)
            if len(self._plans) == MOST_MEASURES:
                self._plans = {}
            # The measures are kept too, or another one might come to have the same id.
            self._plans[key] = plan, tuple(named)
        return plan


def asked(profile: str | None, given: Mapping[str, Any]) -> Asked:
    """What a call asks, as profiles.chosen_conventions() has it.

    Texts and whole numbers alone are equal only where they are the same. What is None is not given.
    """
    chosen = {name: x for name, x in given.items() if x is not None}
    values = (profile, *chosen.values())
    if _PLAIN.issuperset(map(type, values)):
        return _known(tuple(chosen), values)
    return Asked(*profiles.chosen_conventions(profile, given))


_PLAIN = {str, int, type(None)}
_IMMUTABLE = {str, Measure}


@lru_cache(maxsize=MOST_CONVENTIONS)
def _known(names: tuple[str, ...], values: tuple[Any, ...]) -> Asked:
    given = dict(zip(names, values[1:], strict=True))
    return Asked(*profiles.chosen_conventions(values[0], given))
