"""The result of an evaluation of a run: its numbers, what they are, and how they print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import isnan, nan

from ..formats.frames import Label
from ..metrics.measure import Measure, Metric, named
from ..records import field, record, replace
from ..text import printable, short_lists
from ..typed import Any, TypeAlias
from . import means_over, render
from .by_measure import Definition, Meant, OfMeasures, like
from .conventions import Conventions, as_text, convention, differing, spec_of
from .means_over import Evaluated
from .measures import measures_named
from .profiles import profile
from .render import ValueRow, name_of_mean, wrapped

Runs: TypeAlias = "Mapping[str, Evaluation]"
"""The evaluations of one or more runs by name, all of the same measures and conventions."""


@record(repr=False)
class Evaluation(OfMeasures):
    """The values of measures for the queries of a run and its qrels.

    measures: the computed measures; their names are the keys below, and any spelling finds them
    queries: the queries that were evaluated, in order (RS-CONV-9)
    per_query: {name of a measure: {query: value}}; a query without a value is left out, or is NaN
    mean: {name of a measure: mean over all queries with a value} (RS-NUM-5), or the sum or
        geometric mean if the measure is averaged so (RS-CONV-53); NaN if no query has a value, or
        one is NaN; with unjudged "lowest" or "highest" the mean of RS-CONV-14
    conventions: every choice that the measures do not make themselves
    missing: the queries of the qrels that the run misses (RS-CONV-9)
    extra: the queries of the run without judgments, which are left out, sorted (RS-CONV-9)
    without_relevant: the evaluated queries of which no judged document has a label above 0
    profile: the name of the profile used, or None
    ranking: what orders the rows of a LETOR file (RS-CONV-21); None for a run
    judgments: how the qrels were changed before the evaluation, in words (RS-CONV-25), or None
    judgments_spec: the spec ID of that change
    highest: the highest label, at least 0; None if it was not needed
    warnings: what in the input looks like a mistake (RS-CONV-27, RS-CONV-28)
    apart: {name of a measure: queries with a value that is not in the mean}, which a lowest or
        highest mean leaves out (RS-CONV-14)
    otherwise: {name of a measure: its conventions}, if the profile has special ones for it
    """

    measures: tuple[Measure, ...]
    queries: tuple[str, ...]
    per_query: dict[str, dict[str, float]]
    mean: dict[str, float]
    conventions: Conventions
    missing: tuple[str, ...]
    profile: str | None = None
    ranking: str | None = None
    judgments: str | None = None
    highest: Label | None = None
    warnings: tuple[str, ...] = ()
    apart: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    otherwise: Mapping[str, Conventions] = field(default_factory=dict)
    extra: tuple[str, ...] = ()
    judgments_spec: str = "RS-CONV-25"
    without_relevant: tuple[str, ...] = ()

    _by_measure = ("per_query", "mean")

    def __repr__(self) -> str:
        """What it is of, in a line."""
        return f"<Evaluation of {named(self.measures)}; queries: {len(self.queries)}>"

    def of_others(
        self,
        queries: tuple[str, ...],
        per_query: dict[str, dict[str, float]],
        mean: dict[str, float],
        highest: Label | None,
    ) -> Evaluation:
        """Return a copy with other queries, more quickly than replace() does."""
        found = object.__new__(Evaluation)
        found.__dict__.update(
            self.__dict__,
            queries=queries,
            per_query=like(self.per_query, per_query),
            mean=like(self.mean, mean),
            highest=highest,
            apart={},
            otherwise={},
        )
        return found

    @property
    def ties(self) -> str:
        """The rule for equal scores."""
        return self.conventions.ties

    def definition(self, name: str) -> Definition:
        """Return the definition of a measure: each convention, with its spec ID."""
        measure = self._measure(name)
        if str(measure) in self.otherwise:
            own = replace(self, conventions=self.otherwise[str(measure)], otherwise={})
            return own.definition(str(measure))
        metric = measure.metric
        chosen = measure.definition()
        if scale := self._scale(measure):
            chosen["scale"] = scale
        if self.profile is not None:
            chosen["profile"] = f"{self.profile} (RS-CONV-18)"
        if not metric.of_pool:  # which the run does not enter into
            chosen |= self._of_list(measure)
        if self.judgments is not None:
            chosen["judgments"] = f"{self.judgments} ({self.judgments_spec})"
        if self.conventions.labels != "exact":
            chosen["labels"] = (
                f"{self._meaning('labels', 'those that are fractions ')} (RS-CONV-39)"
            )
        if self.conventions.scored:
            chosen["relevance"] = f"{self._meaning('relevance', 'a label is ')} (RS-CONV-20)"
        else:
            chosen["negative"] = f"{self._meaning('negative', 'labels below 0 ')} (RS-CONV-15)"
        if metric.pool:
            chosen["pool"] = f"{self._meaning('pool')} ({self._spec('pool')})"
        chosen |= self._where_undefined(metric)
        chosen |= self._of_queries()
        chosen |= {
            "value": "the double nearest to the real number (RS-NUM-1)",
            "mean": self._mean(measure),
        }
        if self.conventions.results != "double":
            chosen["results"] = f"{self._meaning('results')} (RS-CONV-40)"
        return Definition(chosen)

    def _of_list(self, measure: Measure) -> dict[str, str]:
        """How the list of a query is made."""
        by_row = f"{self.ranking} (RS-CONV-21)"
        chosen = {"order": self._order() if self.ranking is None else by_row}
        chosen["ties"] = self._ties(measure.metric)
        if self.conventions.ordered_by == "score":
            chosen["scores"] = f"{self._meaning('scores')} ({self._spec('scores')})"
        chosen["unjudged"] = self._unjudged(measure)
        if self.conventions.depth is not None:
            chosen["depth"] = f"{self.conventions.depth} documents a query (RS-CONV-16)"
        return chosen

    def _scale(self, measure: Measure) -> str:
        """Where the scale of labels ends, if no label is there."""
        scale = measure.metric.scale(measure)
        if scale is None or self.highest is None or self.highest >= scale[1]:
            return ""
        name, end = scale
        whole = self.highest == int(self.highest)  # as these measures take: 2.0 is 2
        highest = int(self.highest) if whole else self.highest
        return (
            f"ends at {end}, and the highest label here is {highest}: {name}={end} and "
            f"{name}={max(highest, 1)} give different values (RS-CAS-1)"
        )

    def _ties(self, metric: Metric) -> str:
        if self.ties != "expected":
            return f"{self._meaning('ties')} (RS-TIE-2)"
        return f"{self._meaning('ties', metric.whose_ties)} ({metric.root.expected_spec})"

    def _unjudged(self, measure: Measure) -> str:
        if measure.metric.relevance and self.conventions.unjudged == "nonrelevant":
            return "nonrelevant: have relevance 0 (RS-CONV-20)"
        if measure.metric.sees_unjudged and self.conventions.unjudged == "nonrelevant":
            spec = measure.metric.root.spec
            return f"nonrelevant: not used, as it asks which are unjudged ({spec})"
        return f"{self._meaning('unjudged')} ({self._spec('unjudged')})"

    def _where_undefined(self, metric: Metric) -> dict[str, str]:
        """What the value is where there is none by the equation."""
        whole = self.conventions.undefined == "omit-query"
        where = ["the divisor is 0"] * metric.judged
        where += ["no label of the pool is above 0"] * (whole and metric.relevance is None)
        if not where:
            return {}
        value = "omit-query: none" if whole else self._meaning("undefined")
        return {"undefined": f"{value} where {', or '.join(where)} (RS-CONV-4)"}

    def _mean(self, measure: Measure) -> str:
        metric = measure.metric
        mean = metric.average.about(measure)
        extreme = self.conventions.extreme
        if metric.judged and extreme and self.conventions.undefined in ("omit", "omit-query"):
            which = self.conventions.unjudged
            return f"the {which} of all judgments, which may leave a query out (RS-CONV-14); {mean}"
        return mean

    def _of_queries(self) -> dict[str, str]:
        """Which queries there are, and how the lines of their files are read."""
        if self.ranking is not None:
            return {"queries": "those of the rows (RS-CONV-21)"}
        chosen = {
            "queries": f"{self._meaning('queries')} (RS-CONV-9)",
            "duplicates": f"{self._meaning('duplicates')} (RS-CONV-10)",
        }
        if self.conventions.lines != "exact":
            chosen["lines"] = f"{self._meaning('lines')} (RS-CONV-33)"
        return chosen

    def _order(self) -> str:
        if self.conventions.ordered_by == "score":
            return "score, descending; the rank column is ignored (RS-CONV-7)"
        return f"{self._meaning('order')} (RS-CONV-32)"

    def _meaning(self, name: str, subject: str = "") -> str:
        value = getattr(self.conventions, name)
        return f"{value}: {subject}{convention(name).values[value]}"

    def _spec(self, name: str) -> str:
        return spec_of(name, getattr(self.conventions, name))

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data for JSON."""
        return {
            "measures": {str(m): dict(self.definition(str(m))) for m in self.measures},
            "profile": self.profile,
            "conventions": as_text(self.conventions),
            "queries": list(self.queries),
            "missing": list(self.missing),
            "extra": list(self.extra),
            "without_relevant": list(self.without_relevant),
            "mean": dict(self.mean),
            "per_query": {
                m: {query: render.or_none(x) for query, x in found.items()}
                for m, found in self.per_query.items()
            },
        }

    def __str__(self) -> str:
        """A table of the means."""
        return table({"run": self}).rstrip("\n")

    def _values(self) -> tuple[str, Sequence[str], Mapping[str, Mapping[str, float]]]:
        return "query", self.queries, self.per_query

    def _noted(self) -> Iterator[str]:
        return notes({"the run": self})

    def _meant(self) -> Meant:
        of = None if self.profile is None else profile(self.profile)
        return partial(measures_named, conventions=self.conventions, profile=of)


def table(runs: Runs, *, per_query: bool = False, digits: int = 4) -> str:
    """Columns of at most 80 characters in all: a row a run, or a table a run and a row a query."""
    found = {
        name: rows(evaluation, name_of_mean(evaluation.queries if per_query else ()), per_query)
        for name, evaluation in runs.items()
    }
    header, legend = render.headings(next(iter(runs.values())).measures)
    blocks = render.tables(found, header, digits, "run", "query" if per_query else None)
    first, *others = short_lists(notes(runs))
    lines = wrapped(first) + [line for note in others for line in wrapped(note, "  ")]
    return "\n\n".join([*blocks, *legend, "\n".join(lines)]) + "\n"


def rows(evaluation: Evaluation, mean: str, per_query: bool) -> list[ValueRow]:
    """The values of the queries, where they are asked for, and the means, under that name."""
    queries = evaluation.queries if per_query else ()
    return render.rows_of(queries, evaluation.per_query, mean, evaluation.mean)


def _averaged(evaluation: Evaluation) -> Iterator[str]:
    """Which measures are averaged over queries by no mean."""
    averages = ((m, m.metric.average.name) for m in evaluation.measures)
    if otherwise := [f"{m}: {name}" for m, name in averages if name != "mean"]:
        yield f"over queries {', '.join(otherwise)} (RS-CONV-53)"


def notes(runs: Runs) -> Iterator[str]:
    """What the numbers are the mean of, and what may surprise, a text each."""
    first = next(iter(runs.values()))
    chosen = {"ties": first.ties} | differing(first.conventions)
    under = [f"profile: {first.profile}"] if first.profile else []
    counted = [
        Evaluated(_where(name, runs), len(x.queries), x.per_query, x.apart)
        for name, x in runs.items()
    ]
    number = means_over.number_of(counted, "query", "queries")
    yield ", ".join([number, *under, *(f"{name}: {x}" for name, x in chosen.items())])
    if first.judgments is not None:
        yield f"judgments: {first.judgments}"
    for measure, own in first.otherwise.items():
        choices = differing(own, first.conventions).items()
        yield f"{measure}: {', '.join(f'{name}: {x}' for name, x in choices)}"
    rule = first.conventions.queries
    fate = "they are empty lists" if rule == "qrels" else f"left out (queries: {rule})"
    yield from _averaged(first)
    yield from _without_relevant(runs)
    for name, evaluation in runs.items():
        if missing := len(evaluation.missing):
            of = "them" if rule == "qrels" else "the qrels' queries"
            yield f"{printable(name)} has no results for {missing} of {of}: {fate}"
        if extra := len(evaluation.extra):
            has = "1 query" if extra == 1 else f"{extra} queries"
            yield f"{printable(name)} has {has} without judgments: left out"
    yield from means_over.undefined(counted)
    yield from means_over.nan(counted)
    for name, evaluation in runs.items():
        for measure, apart in evaluation.apart.items():
            yield (
                f"{_where(name, runs)}{measure}: {len(apart)} left out of the mean, undefined by "
                "other judgments (RS-CONV-14)"
            )


def _without_relevant(runs: Runs) -> Iterator[str]:
    """Yield lines that count queries with a value but no relevant document.

    One line stands for all runs if they agree.

    A query without any value is counted as undefined already.
    """
    numbers = {name: len(_valued_without_relevant(x)) for name, x in runs.items()}
    one = len(set(numbers.values())) == 1
    for name, number in list(numbers.items())[: 1 if one else None]:
        if number:
            have = "query has" if number == 1 else "queries have"
            where = "" if one else _where(name, runs)
            yield f"{where}{number} {have} no relevant document (no label above 0)"


def _valued_without_relevant(evaluation: Evaluation) -> list[str]:
    """The queries without a relevant document of which some measure has a number."""
    columns = evaluation.per_query.values()
    return [
        query
        for query in evaluation.without_relevant
        if any(not isnan(values.get(query, nan)) for values in columns)
    ]


def _where(name: str, runs: Runs) -> str:
    """How a line about a run begins."""
    return f"{printable(name)}, " if len(runs) > 1 else ""
