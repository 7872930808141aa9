"""The measures that are asked of an evaluation: what their names mean under its conventions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..errors import InputError, items_of, shown
from ..metrics.foreign import ForeignMeasure, is_foreign, written_here
from ..metrics.measure import Measure, as_written, make, named
from ..metrics.plain import plain_measure
from ..records import replace
from ..typed import TYPE_CHECKING, Any, TypeAlias
from .conventions import Conventions
from .profiles import Profile

if TYPE_CHECKING:
    from ..metrics.length import Prior

MeasureLike: TypeAlias = "str | Measure | ForeignMeasure"
MeasuresLike: TypeAlias = "MeasureLike | Iterable[MeasureLike]"
"""One or several measures: by name, as made here, or as objects of ir_measures."""


def chosen_measures(
    measures: MeasuresLike,
    conventions: Conventions,
    profile: Profile | None = None,
    prior: Prior | None = None,
) -> tuple[Measure, ...]:
    """The measures that are asked for, each once, in the order of first mention.

    prior: the position prior of those that have one and name none
    """
    names = names_of(measures)
    for name in names:
        if profile is not None and isinstance(name, str) and (why := profile.another(name)):
            raise InputError(
                f'measure "{name}": the profile "{profile.name}" cannot do as its program does: '
                f"{why} (RS-CONV-18)"
            )
    read = [
        (x, measures_named(x, conventions, profile, subtopics=False, prior=prior)) for x in names
    ]
    chosen = tuple(dict.fromkeys(m for _, found in read for m in found))
    if conventions.scored and "gain" in _said(conventions, profile):
        by_name = [m for x, found in read if not isinstance(x, Measure) for m in found]
        _check_gain(by_name, conventions)
    for measure in chosen:
        if profile is not None and (why := profile.refusal(measure, conventions)):
            raise InputError(
                f'measure "{measure}": the profile "{profile.name}" {why} (RS-CONV-18)'
            )
        extreme = conventions.extreme
        if extreme and not measure.metric.has_extreme(measure, conventions.extreme == "highest"):
            raise InputError(
                f'measure "{measure}": its {conventions.unjudged} value over all judgments is '
                "not known (RS-CONV-14)"
            )
        omitted = extreme and conventions.undefined == "omit-query"
        if omitted and not measure.metric.needs_relevant(measure):
            raise InputError(
                f'measure "{measure}": with undefined="omit-query" its {conventions.unjudged} '
                'value is not known; use "zero" or "omit" (RS-CONV-14)'
            )
        if conventions.undefined == "one" and (instead := measure.metric.no_quotient):
            raise InputError(
                f'measure "{measure}": undefined="one" applies to quotients by an ideal, but '
                f'{instead}; use "zero" or "omit" ({measure.metric.spec})'
            )
        if measure.metric.binary and measure.rel <= 0:
            raise InputError(
                f'measure "{measure}": rel must be above 0, because unjudged documents count as '
                "label 0 (RS-CONV-8) and would all be relevant"
            )
    return chosen


def _check_gain(measures: Sequence[Measure], conventions: Conventions) -> None:
    """An InputError where labels are scores and no measure takes the gain of a call.

    measures: those of names; what is a measure already takes nothing of a call
    """
    if measures and not any(hasattr(measure, "gain") for measure in measures):
        raise InputError(
            f"gain: it has no effect with relevance {conventions.relevance}: labels are scores "
            f"there, and no measure takes a gain of them; the measures are {named(measures)} "
            "(RS-CONV-20)"
        )


def names_of(measures: MeasuresLike, parameter: str = "measures") -> list[MeasureLike]:
    """Return the names of measures that are given, one or several.

    parameter: what the argument is called in errors
    """
    if isinstance(measures, (str, Measure)) or is_foreign(measures):
        return [measures]
    if not isinstance(measures, Iterable) or isinstance(measures, (bytes, bytearray)):
        from ..metrics.grammar import no_name

        raise no_name(measures)
    names = items_of(measures, f"{parameter}: {shown(measures)} is no list of measures")
    for name in names:
        if not isinstance(name, (str, Measure)) and not is_foreign(name):
            from ..metrics.grammar import no_name

            raise no_name(name)
    if not names:
        raise InputError(f'{parameter}: expected at least one, such as "nDCG@10", got none')
    return names


def measures_named(
    name: MeasureLike,
    conventions: Conventions,
    profile: Profile | None = None,
    *,
    subtopics: bool = True,
    prior: Prior | None = None,
) -> list[Measure]:
    """The measures that a name stands for; where labels are scores, nDCG is nDCG_phi.

    profile: whose parameters are those of measures that say nothing of these, and whose average
        over queries is that of counts
    subtopics: whether it may be one of diversity
    prior: the position prior of a measure that has one and names none
    """
    if is_foreign(name):
        condensed = conventions.condensed
        name = written_here(name, condensed)
    if profile is not None and isinstance(name, str):
        name = profile.written_here(name)
    defaults: dict[str, Any] = {n: getattr(conventions, n) for n in ("gain", "discount", "rel")}
    defaults |= {"variant": conventions.variant, "prior": prior}
    defaults |= profile.parameters if profile else {}
    plain = plain_measure(name, defaults)
    if plain is not None:
        measures = [plain]
    else:
        from ..metrics import grammar

        measures = grammar.measures(name, defaults)
    if profile is not None and profile.means and not isinstance(name, Measure):
        measures = [profile.averaged(measure) for measure in measures]
    for measure in measures:
        if measure.metric.of_sessions:
            from ..metrics.grammar import of_other_case

            raise InputError(
                f'measure "{measure}": it takes sessions; use rankspec session eval or '
                f"rs.evaluate_sessions() (RS-SES-6){of_other_case(measure.metric.name)}"
            )
        if measure.taken_of == "diversity" and not subtopics:
            raise InputError(
                f'measure "{measure}": it needs qrels with a label for each subtopic; use '
                "rankspec diversity eval or rs.evaluate_diversity() (RS-DIV-19)"
            )
    if not conventions.scored:
        return measures
    said = () if isinstance(name, Measure) else _said(conventions, profile)
    return [_of_scores(measure, defaults, said) for measure in measures]


def _said(conventions: Conventions, profile: Profile | None) -> list[str]:
    """The parameters of measures that a call sets by conventions, and its profile does not."""
    own = Conventions() if profile is None else profile.conventions
    names = ("gain", "discount", "rel")
    return [n for n in names if getattr(conventions, n) is not None and getattr(own, n) is None]


def _of_scores(measure: Measure, defaults: Mapping[str, Any], said: Iterable[str]) -> Measure:
    """The measure of scores that is meant (RS-CONV-20).

    said: parameters that are written apart from the measure
    """
    if measure.metric.relevance:
        return measure
    from ..metrics.catalogue import METRICS

    inner = replace(measure.inner, explicit=_explicit(measure.inner, said))
    of_scores = {metric.labels.instead_of: metric for metric in METRICS if metric.relevance}
    meant = of_scores.get(inner.metric)
    if meant is None:
        from ..metrics.of_relevance import Phi

        try:
            return measure.around(Phi(inner, variant=defaults["variant"]))
        except InputError as error:
            raise InputError(f"{error}; labels are scores here (RS-CONV-20)") from None
    for name, parameter in inner.metric.parameters.items():
        is_default = getattr(inner, name) == parameter.default
        linear = name == "gain" and name in inner.explicit  # which the gain 2^φ - 1 is not
        if name not in meant.parameters and (linear or not is_default):
            raise InputError(
                f'measure "{as_written(inner)}": labels are scores here, of which it is '
                f"{meant.name}; that has no {name} (RS-CONV-20)"
            )
    made = make(meant, inner.k, discount=inner.discount, variant=defaults["variant"])
    return measure.around(made)


def _explicit(measure: Measure, said: Iterable[str]) -> frozenset[str]:
    """The names of the parameters that are written in a measure, or apart from it."""
    return measure.explicit.union(said).intersection(measure.metric.parameters)
