"""One query of a run, chosen and ranked as the evaluation does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...errors import CoreMissing, InputError, nearest, shown, shown_text, suggestion
from ...evaluation import profiles
from ...evaluation.by_measure import Definition
from ...evaluation.conventions import Conventions
from ...evaluation.evaluate import (
    check_defined,
    check_gains,
    check_labels,
    check_pairs,
    judged_by,
    left_out,
    values,
)
from ...evaluation.measures import MeasureLike, chosen_measures, names_of
from ...evaluation.profiles import Profile
from ...evaluation.ranked import JudgedTable, chosen_queries, judgments, lists, ranking
from ...evaluation.result import Evaluation
from ...evaluation.scores_as_labels import batch_of
from ...formats import trec
from ...formats.frames import Label, QrelsLike, RunLike, by_column, labels_of, scores_of
from ...formats.ids import text_of_id
from ...formats.streams import is_file
from ...metrics.measure import Measure, Ranking
from ...reference.numbers.reals import Exact
from .contributions import last_rank

if TYPE_CHECKING:
    from ...formats.sessions import Topics


@dataclass(frozen=True)
class RankedQuery:
    """A query with its ranked list, and the value of a measure.

    judged: its labels, as judged; counted: those that count (RS-CONV-8)
    scores: of the documents of the run; none where something else orders them
    documents: of the list, in rank order; starts: 1 where a tie group begins
    ranking: their labels, and those of the pool; k: the cut-off as a number
    retrieved: how many documents the run has for it; None: the run lacks it (RS-CONV-9)
    left_out: whether it has no value of any measure (RS-CONV-4)
    """

    name: str
    measure: Measure
    conventions: Conventions
    judged: Mapping[str, Label]
    counted: Mapping[str, Label]
    scores: Mapping[str, Exact]
    documents: Sequence[str]
    starts: Sequence[int]
    ranking: Ranking
    k: int
    retrieved: int | None
    value: float | None
    definition: Definition
    left_out: bool


def ranked_query(
    qrels: QrelsLike,
    run: RunLike,
    query: Any,
    measure: MeasureLike,
    profile: str | None,
    given: Mapping[str, Any],
    *,
    by: str | None = None,
    topics: Topics | None = None,
    grades: Mapping[Label, Label] | None = None,
) -> RankedQuery:
    """A query of a run, ranked by the conventions, with the value of a measure.

    by: what orders the rows of a LETOR file (RS-CONV-21), which qrels and run were made of
    topics, grades: as of evaluate()
    """
    chosen, conventions = profiles.chosen_conventions(profile, given)
    measure = _one_measure(measure, conventions, chosen)
    text = text_of_id(query)
    query = query if text is None else trec.canonical_id(text)
    meant, words = judged_by(qrels, conventions, topics, grades)
    labels = labels_of(meant, conventions.how)
    conventions = profiles.own_conventions(measure, conventions, chosen)
    queries, scored = _scores_of(run, query, conventions)
    _check_query(query, labels, queries, conventions.queries, "qrels" if by is None else "file")
    run_of_query = {query: scored} if query in queries else {}
    own = {query: labels.get(query, {})}
    whole = JudgedTable(labels, conventions)
    check_labels(chosen, conventions, whole)
    check_pairs([measure], whole)
    evaluation = _evaluation(measure, own, run_of_query, conventions, profile)
    counted = judgments(labels | own, conventions)
    evaluation = replace(evaluation, highest=_highest(counted), ranking=by, judgments=words)
    documents, starts = ranking(query, scored, counted[query], conventions)
    batch = batch_of(measure, lists([query], counted, run_of_query, conventions))
    ranked = batch.ranking(0)
    return RankedQuery(
        name=query,
        measure=measure,
        conventions=conventions,
        judged=own[query],
        counted=counted[query],
        scores=scored if conventions.ordered_by == "score" else {},
        documents=documents,
        starts=starts,
        ranking=ranked,
        k=last_rank(measure, ranked),
        retrieved=len(scored) if run_of_query else None,
        value=evaluation.per_query[str(measure)].get(query),
        definition=evaluation.definition(str(measure)),
        left_out=left_out(measure, batch, conventions)[0],
    )


def _one_measure(
    measure: MeasureLike, conventions: Conventions, profile: Profile | None
) -> Measure:
    if conventions.extreme:
        raise InputError(
            f'explain: with unjudged="{conventions.unjudged}" the value assumes judgments that '
            "nobody made, so no labels can be shown (RS-CONV-14)"
        )
    if conventions.results != "double":
        raise InputError(
            'results: explain shows the value before rounding; leave results="double" (RS-CONV-40)'
        )
    chosen = chosen_measures(names_of(measure, "measure"), conventions, profile)
    if len(chosen) != 1:
        raise InputError(f"explain: expected one measure, got {', '.join(map(str, chosen))}")
    return chosen[0]


def _scores_of(
    run: RunLike, query: str, conventions: Conventions
) -> tuple[list[str], Mapping[str, Exact]]:
    """The queries of a run, and the scores of one of them."""
    run = by_column(run, "run", conventions.order)
    if is_file(run) and isinstance(query, str):
        with suppress(CoreMissing):
            from ...evaluation.joined import scores_of_query

            return scores_of_query(run, query, conventions)
    scores = scores_of(run, conventions.how)
    return list(scores), scores.get(query, {}) if isinstance(query, str) else {}


def _check_query(
    query: str, labels: Mapping[str, Any], queries: Sequence[str], rule: str, file: str
) -> None:
    """An InputError where the query is none of those that are evaluated (RS-CONV-9).

    file: what has the queries: the "qrels", or the "file" of LETOR
    """
    is_id = isinstance(query, str)
    named = shown_text(query) if is_id else shown(query)
    if not is_id or (query not in labels and query not in queries):
        near = nearest(query if is_id else shown(query), labels, cutoff=0.5)
        raise InputError(f"query {named} is not in the {file}{suggestion(near)}")
    if query in chosen_queries(labels, queries, rule):
        return
    if query in labels:
        raise InputError(
            f'query {named} is not in the run; queries="{rule}" leaves it out (RS-CONV-9)'
        )
    raise InputError(f"query {named} is in the run, but has no judgments (RS-CONV-9)")


def _highest(counted: Mapping[str, Mapping[str, Label]]) -> Label:
    return max((label for own in counted.values() for label in own.values()), default=0)


def _evaluation(
    measure: Measure,
    labels: Mapping[str, Mapping[str, Label]],
    run: Mapping[str, Mapping[str, Exact]],
    conventions: Conventions,
    profile: str | None,
) -> Evaluation:
    """The evaluation of the query alone, without a mean."""
    judged = JudgedTable(labels, conventions)
    check_gains([measure], judged)
    ranked = lists(labels, judged.counted, run, conventions)
    ((value,),) = values([measure], ranked, conventions, judged.highest, "reference")
    per_query = {str(measure): {query: value for query in labels if value is not None}}
    check_defined(per_query, conventions)
    return Evaluation(
        measures=(measure,),
        queries=tuple(labels),
        per_query=per_query,
        mean={},
        conventions=conventions,
        missing=(),
        profile=profile,
    )
