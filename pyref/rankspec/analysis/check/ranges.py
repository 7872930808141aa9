"""How far the means of a run could move, were its ties broken or its documents judged otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ...errors import InputError
from ...evaluation.conventions import WITHOUT_LABELS, Conventions
from ...evaluation.evaluate import evaluate_by
from ...evaluation.measures import chosen_measures
from ...evaluation.profiles import Profile
from ...evaluation.ranked import Judged
from ...metrics.catalogue import AP, nDCG
from ...metrics.measure import Measure
from ...progress import Readings
from .files import Files
from .statistics import accepting_negative

MOST_EVALUATIONS = 7


@dataclass(frozen=True)
class MeanRange:
    """How far the mean of a measure could move, were something decided otherwise.

    because: the name of the finding that leaves it open: "ties" or "unjudged"
    lowest, highest: the means by the two extreme rules, between which all are
    now: the mean by the conventions, None where it is not determined; rule: the convention that it
        is by
    expected: the mean over all orders of the ties; None: not asked for, or not determined
    among: whether the mean by the conventions is one of those between
    """

    because: str
    measure: str
    lowest: float
    highest: float
    now: float | None
    rule: str
    expected: float | None = None
    among: bool = True

    def __str__(self) -> str:
        expected = "" if self.expected is None else f", expected {self.expected:.4f}"
        rule = self.rule if self.among else f"{self.rule}, which is none of these"
        none = "not determined (RS-CONV-16)" if self.because == "ties" else "no value (RS-CONV-4)"
        now = none if self.now is None else f"{self.now:.4f}"
        return (
            f"{self.measure} from {self.lowest:.4f} to {self.highest:.4f}{expected}; {rule}: {now}"
        )


@dataclass(frozen=True)
class UnknownRange:
    """Why it is not said how far means could move. because: as of a MeanRange."""

    because: str
    why: str

    def __str__(self) -> str:
        return f"how far they could move the means is not computed: {self.why}"


@dataclass(frozen=True)
class MeanRanges:
    """A run, and the conventions by which its means are."""

    files: Files
    conventions: Conventions
    profile: Profile | None
    readings: Readings

    @cached_property
    def judged(self) -> Judged:
        return self.files.judged(accepting_negative(self.conventions))

    def of_whole_lists(self, top: int) -> bool:
        """Whether any of the means is of a measure without a cut-off."""
        measures = self._measures(self._names(top), self.conventions, self.profile)
        return any(measure.k is None for measure in measures)

    def of_means(
        self, top: int, ties: bool, unjudged: bool, cut: bool
    ) -> Iterator[MeanRange | UnknownRange]:
        """The ranges that there are, and why others are not known.

        top: the cut-off of nDCG, or of nDCG_phi where labels are scores; ties, unjudged: whether
            any documents leave something open; cut: whether the depth cuts a tie
        """
        names = self._names(top)
        if ties and cut and self.conventions.own_pool:
            ties = False
            why = "the depth cuts ties, whose order then decides what the pool is (RS-TIE-2/L2)"
            yield UnknownRange("ties", why)
        if unjudged and self.conventions.scored:
            unjudged = False
            yield UnknownRange("unjudged", "a score could be any number (RS-CONV-20)")
        by_ties = 3 if ties else 0
        by_judgments = (2 + (self._settled != self.conventions.ties)) if unjudged else 0
        self.readings.expect(1 + by_ties + by_judgments if ties or unjudged else 0)
        now: dict[str, float] = {}
        if ties:
            with suppress(InputError):  # "expected", where a depth cuts a tie
                now = self._means(names)
            yield from self._by_ties(names, now)
        if unjudged:
            if self._settled != self.conventions.ties:
                now = self._means(names[:1], ties=self._settled)
            elif not now:
                now = self._means(names[:1])
            yield from self._by_judgments(names[:1], now)

    def _names(self, top: int) -> list[str]:
        """The measures whose means could move."""
        return [f"{nDCG.name}@{top}"] + [AP.name] * (not self.conventions.scored)

    @property
    def _settled(self) -> str:
        """The rule for ties where labels are open: one that no label enters (RS-CONV-14)."""
        ties = self.conventions.ties
        return ties if ties in WITHOUT_LABELS else "id-descending"

    def _by_ties(self, names: Sequence[str], now: Mapping[str, float]) -> Iterator[MeanRange]:
        """The means by the tie rules between which all orders are."""
        worst, best = (self._means(names, ties=rule) for rule in ("worst", "best"))
        expected: dict[str, float] = {}
        with suppress(InputError):  # a depth may leave open which documents are the first
            expected = self._means(names, ties="expected")
        rule = f"by {self.conventions.ties}"
        for name in _common(worst, best):
            moved = worst[name], best[name], now.get(name), rule, expected.get(name)
            yield MeanRange("ties", name, *moved)

    def _by_judgments(self, names: Sequence[str], now: Mapping[str, float]) -> Iterator[MeanRange]:
        """The means by the judgments of the unjudged between which all are (RS-CONV-14)."""
        ties = self._settled
        lowest, highest = (
            self._means(names, ties=ties, unjudged=which) for which in ("lowest", "highest")
        )
        rule = self.conventions.unjudged + (f" by {ties}" if ties != self.conventions.ties else "")
        for name in _common(lowest, highest):
            moved = lowest[name], highest[name], now.get(name), rule
            yield MeanRange("unjudged", name, *moved, among=self._is_a_judgment(names))

    def _is_a_judgment(self, names: Sequence[str]) -> bool:
        """Whether unjudged documents have a label by the conventions, in the list and the pool."""
        if self.conventions.condensed:
            return False
        gains = (measure.gain for measure in chosen_measures(names, self.conventions))
        return self.conventions.own_pool or all(gain.is_zero(0) for gain in gains)

    def _means(self, names: Sequence[str], **changed: Any) -> dict[str, float]:
        """The mean of each measure that the profile has, where any query has a value."""
        # Queries that are in one file only are a finding, not an error.
        queries = self.conventions.queries
        queries = queries if queries in ("qrels", "run") else "both"
        rules = replace(self.conventions, queries=queries, **changed)
        profile = self.profile and self.profile.beside(changed)
        measures = self._measures(names, rules, profile)
        run, backend, progress = self.files.run, self.files.backend, self.readings.next()
        found = evaluate_by(rules, profile, self.judged, run, measures, backend, progress)
        return {name: mean for name, mean in found.mean.items() if found.per_query[name]}

    @staticmethod
    def _measures(
        names: Sequence[str], rules: Conventions, profile: Profile | None
    ) -> list[Measure]:
        """The measures of these names that the profile has."""
        measures = chosen_measures(names, rules)
        return [x for x in measures if profile is None or not profile.refusal(x, rules)]


def _common(first: Mapping[str, float], *others: Mapping[str, float]) -> list[str]:
    return [name for name in first if all(name in other for other in others)]
