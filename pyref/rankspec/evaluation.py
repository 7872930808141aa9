"""Runs against qrels: the values of measures, query by query and on average.

    >>> result = evaluate("qrels.txt", "a.run", ["nDCG@10", "AP"])      # doctest: +SKIP
    >>> result["nDCG@10"], result.per_query["AP"]["q1"]                 # doctest: +SKIP

Without a profile the conventions are those of trec_eval -c; each result can say which.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from . import engine, notation, profiles, scored
from .arithmetic import standard_arithmetic
from .chapters import METRICS, z_value
from .conventions import DiscountLike, GainLike
from .errors import InputError, shown, shown_text
from .lists import Judged, JudgedTable, Lists, chosen_queries
from .measure import Measure, Metric, named
from .profiles import Conventions, Profile
from .reference.numerics import mean
from .reference.reals import Exact
from .sources import Label, QrelsLike, RunLike, labels_of

Qrels: TypeAlias = "QrelsLike | Judged"


class Definition(dict[str, str]):
    """Every choice that a number depends on, by name; prints as one line a choice."""

    def __str__(self) -> str:
        width = max(map(len, self))
        return "\n".join(f"{name:{width}}  {choice}" for name, choice in self.items())


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The values of measures for the queries of a run and its qrels.

    measures: what was computed; their names are the keys below
    queries: the queries that were evaluated, in order (RS-CONV-9)
    per_query: {name of a measure: {query: value}}; a query without a value is left out
    mean: {name of a measure: mean over all queries with a value} (RS-NUM-5); NaN where no query
        has one
    conventions: every choice that the measures do not make themselves
    missing: the queries of the qrels that the run misses (RS-CONV-9)
    profile: the name of the profile that was asked for, or None
    ranking: what orders the rows of a LETOR file (RS-CONV-21); None of a run
    """

    measures: tuple[Measure, ...]
    queries: tuple[str, ...]
    per_query: dict[str, dict[str, float]]
    mean: dict[str, float]
    conventions: Conventions
    missing: tuple[str, ...]
    profile: str | None = None
    ranking: str | None = None

    def __repr__(self) -> str:
        """What it is of, in a line."""
        return f"<Evaluation of {named(self.measures)}; queries: {len(self.queries)}>"

    def __getitem__(self, name: str) -> float:
        """The mean of a measure, named in any spelling."""
        return self.mean[str(self._measure(name))]

    @property
    def ties(self) -> str:
        """The rule for equal scores."""
        return self.conventions.ties

    def definition(self, name: str) -> Definition:
        """What exactly the numbers of a measure are: each convention, with its spec ID."""
        measure = self._measure(name)
        metric = measure.metric
        chosen = measure.definition()
        if self.profile is not None:
            chosen["profile"] = f"{self.profile} (RS-CONV-18)"
        if not metric.of_pool:  # which the run does not enter into
            by_score = "score, descending; the rank column is ignored (RS-CONV-7)"
            by_row = f"{self.ranking} (RS-CONV-21)"
            chosen["order"] = by_score if self.ranking is None else by_row
            chosen["ties"] = self._ties(metric)
            chosen["scores"] = f"{self._meaning('scores')} ({self._spec('scores')})"
            chosen["unjudged"] = self._unjudged(measure)
            if self.conventions.depth is not None:
                chosen["depth"] = f"{self.conventions.depth} documents a query (RS-CONV-16)"
        if self.conventions.scored:
            chosen["relevance"] = f"{self._meaning('relevance', 'a label is ')} (RS-CONV-20)"
        else:
            chosen["negative"] = f"{self._meaning('negative', 'labels below 0 ')} (RS-CONV-15)"
        if metric.pool:
            chosen["pool"] = f"{self._meaning('pool')} ({self._spec('pool')})"
        if metric.judged:
            chosen["undefined"] = f"{self._meaning('undefined')} where the divisor is 0 (RS-CONV-4)"
        if self.ranking is None:
            chosen["queries"] = f"{self._meaning('queries')} (RS-CONV-9)"
            chosen["duplicates"] = f"{self._meaning('duplicates')} (RS-CONV-10)"
        else:
            chosen["queries"] = "those of the file (RS-CONV-21)"
        chosen |= {
            "value": "the double nearest to the real number (RS-NUM-1)",
            "mean": "the double nearest to the exact mean of the values (RS-NUM-5)",
        }
        return Definition(chosen)

    def _ties(self, metric: Metric) -> str:
        if self.ties != "expected":
            return f"{self._meaning('ties')} (RS-TIE-2)"
        subject = "" if metric.of is None else "A is "  # what the others are made of has no ties
        return f"{self._meaning('ties', subject)} ({metric.root.expected_spec})"

    def _unjudged(self, measure: Measure) -> str:
        if measure.metric.relevance and self.conventions.unjudged == "nonrelevant":
            return "nonrelevant: have relevance 0 (RS-CONV-20)"
        if measure.metric.sees_unjudged and self.conventions.unjudged == "nonrelevant":
            return "nonrelevant: not used, as it asks which are unjudged (RS-CAS-6)"
        return f"{self._meaning('unjudged')} ({self._spec('unjudged')})"

    def _meaning(self, name: str, subject: str = "") -> str:
        value = getattr(self.conventions, name)
        return f"{value}: {subject}{profiles.convention(name).values[value]}"

    def _spec(self, name: str) -> str:
        return profiles.spec_of(name, getattr(self.conventions, name))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, as JSON has it."""
        return {
            "measures": {str(m): dict(self.definition(str(m))) for m in self.measures},
            "profile": self.profile,
            "conventions": profiles.as_text(self.conventions),
            "queries": list(self.queries),
            "missing": list(self.missing),
            "mean": self.mean,
            "per_query": self.per_query,
        }

    def __str__(self) -> str:
        """A table of the means."""
        from . import report

        return report.table({"run": self}).rstrip("\n")

    def _measure(self, name: str) -> Measure:
        return computed(self.measures, name, lambda: measures_named(name, self.conventions))


def computed(
    measures: Sequence[Measure], name: str, meant: Callable[[], Iterable[Measure]]
) -> Measure:
    """The measure of that name among those that were computed, or a KeyError.

    meant: the measures that the name stands for, where none is written so
    """
    for measure in measures:
        if name == str(measure):
            return measure
    for measure in meant():
        if measure in measures:
            return measure
    raise KeyError(f"{name} was not computed; there are {', '.join(map(str, measures))}")


@standard_arithmetic
def evaluate(
    qrels: QrelsLike,
    run: RunLike,
    measures: str | Measure | Iterable[str | Measure],
    *,
    profile: str | None = None,
    ties: str | None = None,
    scores: str | None = None,
    unjudged: str | None = None,
    negative: str | None = None,
    relevance: str | None = None,
    undefined: str | None = None,
    queries: str | None = None,
    duplicates: str | None = None,
    depth: int | None = None,
    pool: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
    backend: str = "c",
) -> Evaluation:
    """Evaluate a run against qrels.

    qrels, run: a path ("-": standard input) or an open file in TREC format, plain or compressed;
        a dict {query: {document: label or score}}; rows (query, document, label or score), also
        with the attribute names of ir_measures; or a data frame with such columns
    measures: one or several, "nDCG(gain='exp2')@10" as in ir_measures or "ndcg_cut.5,10" as in
        trec_eval
    profile: the conventions of a program, such as "trec_eval-9" (RS-CONV-18); each of the
        following that is given replaces the profile's
    ties: the rule for documents of equal score: "id-descending" (trec_eval's and the default),
        "id-ascending", "input", "best", "worst" or "expected" (RS-TIE-2)
    scores: compared as "double" or as "float32" (RS-CONV-12)
    unjudged: retrieved documents without a judgment are "nonrelevant", left out ("condensed",
        RS-CONV-13), or judged so that values are "lowest" or "highest" (RS-CONV-14)
    negative: labels below 0 count as "zero", as "unjudged" or are an "error" (RS-CONV-15)
    relevance: a label is the relevance itself ("label"), or it is a score, any number, of which the
        relevance is made: "phi", or "phi-authors-program"; nDCG is nDCG_phi then (RS-CONV-20)
    undefined: the value where the divisor is 0 is "zero" or "one", or "omit": there is none
        (RS-CONV-4)
    queries: those of the "qrels", "both", "run", "complete" or "same" (RS-CONV-9)
    duplicates: "error", or which is kept: "first", "last" or "best" (RS-CONV-10)
    depth: how many documents of each query are considered (RS-CONV-16)
    pool: all "judged" documents, or the "retrieved" ones (RS-CONV-17)
    gain, discount, rel: what a measure takes that does not say so itself
    backend: "c", or "reference" for the certified Python reference; the values are the same

    Raises InputError for whatever the spec does not admit, with its place.
    """
    chosen_profile, conventions = profiles.chosen_conventions(
        profile,
        {
            "ties": ties,
            "scores": scores,
            "unjudged": unjudged,
            "negative": negative,
            "relevance": relevance,
            "undefined": undefined,
            "queries": queries,
            "duplicates": duplicates,
            "depth": depth,
            "pool": pool,
            "gain": gain,
            "discount": discount,
            "rel": rel,
        },
    )
    return evaluate_by(conventions, chosen_profile, qrels, run, measures, backend)


def evaluate_by(
    conventions: Conventions,
    profile: Profile | None,
    qrels: Qrels,
    run: RunLike,
    measures: str | Measure | Iterable[str | Measure],
    backend: str = "c",
    progress: Callable[[int, int | None], None] | None = None,
) -> Evaluation:
    """As evaluate(), with the conventions in one.

    qrels: also what prepared() has made of them, for several runs
    progress: is told now and then how many bytes of the run are read, and of how many (None:
        nobody knows), by any thread
    """
    chosen = chosen_measures(measures, conventions, profile)
    judged = prepared(qrels, conventions, backend)
    check_gains(chosen, judged)

    def work(ranked: Lists) -> list[Sequence[float | None]]:
        return values(chosen, ranked, conventions, judged.highest, backend)

    pieces = judged.map_run(run, conventions, work, progress)
    retrieved = [query for piece in pieces for query in piece.queries]
    evaluated = chosen_queries(judged.queries, retrieved, conventions.queries)
    known = set(retrieved)
    missing = [query for query in judged.queries if query not in known]
    empty = [query for query in missing if conventions.queries == "qrels"]
    if empty:
        pieces.append(judged.empty_lists(empty, conventions, work))
    per_query = {}
    for a, measure in enumerate(chosen):
        found: dict[str, float | None] = {}
        for piece in pieces:
            found.update(zip(piece.queries, piece.result[a], strict=True))
        per_query[str(measure)] = {q: x for q in evaluated if (x := found[q]) is not None}
    return evaluation_of(chosen, evaluated, per_query, conventions, profile, missing)


def evaluation_of(
    measures: Iterable[Measure],
    queries: Iterable[str],
    per_query: dict[str, dict[str, float]],
    conventions: Conventions,
    profile: Profile | None,
    missing: Iterable[str] = (),
    ranking: str | None = None,
) -> Evaluation:
    """The values of queries, with their means."""
    return Evaluation(
        measures=tuple(measures),
        queries=tuple(queries),
        per_query=per_query,
        mean={name: mean_of(name, found) for name, found in per_query.items()},
        conventions=conventions,
        missing=tuple(missing),
        profile=profile.name if profile else None,
        ranking=ranking,
    )


def prepared(qrels: Qrels, conventions: Conventions, backend: str = "c") -> Judged:
    """Qrels made ready to be joined with runs, under the conventions of the evaluation."""
    if isinstance(qrels, Judged):
        return qrels
    if backend == "reference":
        labels = labels_of(qrels, conventions.duplicates, conventions.scored)
        return JudgedTable(labels, conventions)
    if backend != "c":
        raise engine.no_backend(backend)
    # Only here is the compiled core needed.
    from .reader import judgments_of

    return judgments_of(qrels, conventions)


def chosen_measures(
    measures: str | Measure | Iterable[str | Measure],
    conventions: Conventions,
    profile: Profile | None = None,
) -> tuple[Measure, ...]:
    """The measures that are asked for, each once, in the order of first mention."""
    chosen = tuple(
        dict.fromkeys(m for x in names_of(measures) for m in measures_named(x, conventions))
    )
    for measure in chosen:
        name = measure.metric.root.name
        if profile is not None and profile.metrics and name not in profile.metrics:
            raise InputError(
                f'measure "{measure}": the profile "{profile.name}" has no {name}, '
                f"only {' and '.join(profile.metrics)} (RS-CONV-18)"
            )
        extreme = conventions.unjudged in ("lowest", "highest")
        if extreme and not measure.metric.has_extreme(measure, conventions.unjudged == "highest"):
            raise InputError(
                f'measure "{measure}": of this measure the {conventions.unjudged} value over all '
                "judgments cannot be had (RS-CONV-14)"
            )
        if conventions.undefined == "one" and measure.metric.bound == z_value.name:
            raise InputError(
                f'measure "{measure}": undefined: "one" is of quotients of an ideal, and no number '
                'of standard deviations; there are "zero" and "omit" (RS-EXP-23)'
            )
        if measure.metric.binary and measure.rel <= 0:
            raise InputError(
                f'measure "{measure}": rel must be above 0 here: unjudged documents count as '
                "label 0 (RS-CONV-8) and would all be relevant"
            )
    return chosen


def names_of(measures: str | Measure | Iterable[str | Measure]) -> list[str | Measure]:
    """The names of measures that are given, one or several."""
    if isinstance(measures, (str, Measure)):
        return [measures]
    if not isinstance(measures, Iterable):
        raise InputError(f"measures: {shown(measures)} is neither a name nor a list of names")
    names = list(measures)
    for name in names:
        if not isinstance(name, (str, Measure)):
            raise InputError(f"measures: {shown(name)} is no name of a measure")
    return names


def measures_named(name: str | Measure, conventions: Conventions) -> list[Measure]:
    """The measures that a name stands for; where labels are scores, nDCG is nDCG_phi."""
    defaults: dict[str, Any] = {n: getattr(conventions, n) for n in ("gain", "discount", "rel")}
    defaults["variant"] = _VARIANTS[conventions.relevance]
    measures = notation.measures(name, defaults)
    for measure in measures:
        if measure.metric.of_sessions:
            raise InputError(
                f'measure "{measure}": it is of sessions; rankspec session eval and '
                "rs.evaluate_sessions() take it (RS-SES-6)"
            )
    if not conventions.scored:
        return measures
    return [_of_scores(measure, defaults) for measure in measures]


_VARIANTS = {"label": None, "phi": "text", "phi-authors-program": "authors-program"}


def _of_scores(measure: Measure, defaults: Mapping[str, Any]) -> Measure:
    """The measure of scores that is meant (RS-CONV-20)."""
    if measure.metric.relevance:
        return measure
    if measure.metric.of is not None:
        return measure.around(_of_scores(measure.inner, defaults))
    of_scores = {metric.name: metric for metric in METRICS if metric.relevance}
    meant = of_scores.get(f"{measure.metric.name}_phi")
    if meant is None:
        raise InputError(
            f'measure "{measure}": labels are scores here, of which there are '
            f"{' and '.join(of_scores)} (RS-CONV-20)"
        )
    for name, parameter in measure.metric.parameters.items():
        if name not in meant.parameters and getattr(measure, name) != parameter.default:
            raise InputError(
                f'measure "{measure}": labels are scores here, of which it is {meant.name}; '
                f"that has no {name} (RS-CONV-20)"
            )
    return notation.make(meant, measure.k, discount=measure.discount, variant=defaults["variant"])


def check_gains(measures: Iterable[Measure], judged: Judged) -> None:
    """An InputError that names the first document whose label a measure cannot take."""
    picky = [measure for measure in measures if not measure.metric.takes_any_label]
    distinct = judged.distinct_labels() if picky else ()
    for measure in picky:
        refused = {x: why for x in distinct if (why := measure.metric.refusal(measure, x))}
        if refused:
            query, document, label = judged.first_of(refused)
            number = int(label) if label == int(label) else label
            raise InputError(
                f'measure "{measure}": label {number} of document {shown_text(document)} '
                f"for query {shown_text(query)}: {refused[label]}"
            )


def values(
    measures: Sequence[Measure],
    ranked: Lists,
    conventions: Conventions,
    highest: Label,
    backend: str,
) -> list[Sequence[float | None]]:
    """The value of each measure for each list, a column a measure; None: it has none."""

    def values_of(measures: Sequence[Measure], batch: engine.Batch) -> list[Sequence[float | None]]:
        try:
            columns = scored.values(measures, batch, backend)
        except engine.TooFewWeights as error:
            raise InputError(f'measure "{error.measure}": {error}') from None
        if conventions.undefined == "zero":
            return list(columns)
        instead = 1.0 if conventions.undefined == "one" else None
        return [
            # UL2 divides by another number where it is below 0 (RS-BND-6).
            [
                instead if undefined and x == 0 else x
                for x, undefined in zip(column, flags, strict=True)
            ]
            for column, flags in (
                (column, _undefined(measure, batch))
                for measure, column in zip(measures, columns, strict=True)
            )
        ]

    if conventions.unjudged in ("lowest", "highest"):
        from .unjudged import extreme_values

        return extreme_values(measures, ranked, conventions, highest, values_of)
    found: dict[Measure, Sequence[float | None]] = {}
    for chosen in _of_one_batch(measures):
        batch = scored.batch_of(chosen[0], ranked)
        found |= zip(chosen, values_of(chosen, batch), strict=True)
    return [found[measure] for measure in measures]


def _of_one_batch(measures: Sequence[Measure]) -> list[list[Measure]]:
    """The measures, in groups that are taken of the same batch."""
    groups: dict[tuple[bool, bool], list[Measure]] = {}
    for measure in measures:
        kind = measure.metric.relevance is not None, measure.metric.sees_unjudged
        groups.setdefault(kind, []).append(measure)
    return list(groups.values())


def _undefined(measure: Measure, batch: engine.Batch) -> list[bool]:
    """For each list, whether the divisor is 0: nothing in the pool counts (RS-CONV-4)."""
    if not measure.metric.judged:
        return [False] * len(batch)
    pools = (batch.pool[begin:end] for begin, end in pairwise(batch.pool_offsets))
    return [measure.metric.divides_by_0(measure, pool) for pool in pools]


def mean_of(name: str, values: Mapping[str, float], kind: str = "query") -> float:
    """The mean over the queries (RS-NUM-5), where all values are within the range of doubles.

    kind: what the values are of
    """
    if not values:
        return math.nan
    for x_of, x in values.items():
        if not math.isfinite(x):
            raise InputError(
                f'measure "{name}": the value of {kind} {shown_text(x_of)} is beyond the range of '
                "doubles, so there is no mean (RS-NUM-5)"
            )
    return mean(values.values())
