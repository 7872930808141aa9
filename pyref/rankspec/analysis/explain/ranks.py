"""The ranks of a query as rows of numbers: which ranking is shown, and the ideal beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ...formats.frames import Label
from ...metrics.bounds import bound_of, ideal_ranking, parts_of
from ...metrics.measure import Measure, Ranking
from ...reference.dcg import ideal
from ...reference.numbers.reals import Exact
from .contributions import Contributions
from .query import RankedQuery
from .value import Row


@dataclass(frozen=True)
class ShownList:
    """The documents of the ranking that is shown, as far as they are known.

    documents: none where any order is meant; starts: 1 where a tie group begins
    """

    documents: Sequence[str]
    starts: Sequence[int]
    scores: Mapping[str, Exact]
    judged: Mapping[str, Label]
    counted: Mapping[str, Label]
    uncounted: Label | None  # what a document without a label counts as


def shown_ranking(query: RankedQuery) -> Ranking | None:
    """The ranking that is taken apart, where the value is that of one."""
    measure, ranked = query.measure, query.ranking
    if bound := bound_of(measure):
        return bound.shown(measure, ranked, query.k)
    if measure.metric.of_pool:
        best = ideal(ranked.pool)[: shown_by_ideal(measure, ranked, query.k)]
        return Ranking.settled(best, ranked.pool)
    return ranked


def shown_by_ideal(measure: Measure, ranked: Ranking, k: int) -> int | None:
    """How many results the ideal list shows, where the metric has one."""
    quotient = measure.metric.quotient
    if quotient is None or quotient.shown_by_ideal is None:
        return None
    return quotient.shown_by_ideal(measure, ranked, k)


def ideal_beside(query: RankedQuery) -> Contributions | None:
    """The ideal ranking that is shown beside the list: what is divided by, or IUB."""
    measure, inner, ranked = query.measure, query.measure.inner, query.ranking
    if measure.metric.of_pool:
        return None
    shown = shown_by_ideal(inner, ranked, query.k)
    if shown is not None:
        return Contributions(inner, Ranking.settled(ideal(ranked.pool), ranked.pool), shown)
    best = ideal_ranking(measure, ranked, query.k) if parts_of(measure) else None
    return Contributions(inner, best, min(query.k, best.length)) if best else None


def rows_of(query: RankedQuery, sums: Contributions) -> Iterator[Row]:
    """The ranks within the cut-offs, to the end of the list and of what is ideal.

    sums: of the ranking that is shown
    """
    best = ideal_beside(query)
    shown = _shown_list(query, sums)
    n = min(sums.k, sums.ranking.length)
    ideal_labels = best.ranking.labels[: best.k] if best else []
    documents = shown.documents[:n]
    tied = _tied(shown.starts)
    for i in range(1, max(n, len(ideal_labels)) + 1):
        row = Row(
            rank=i,
            document=None,
            score=None,
            label=None,
            counted=None,
            tied=tied.get(i) if i <= n else None,
            contribution=sums.contribution(i),
            running=sums.running(i),
            expected=sums.expected(i),
            columns={column.name: sums.number(column, i) for column in sums.breakdown.columns},
        )
        if i <= len(documents):
            row = _with_document(row, shown, documents[i - 1])
        if best and i <= len(ideal_labels):
            label, added = _plain(ideal_labels[i - 1]), best.contribution(i)
            row = replace(row, ideal_label=label, ideal_contribution=added)
        yield row


def _with_document(row: Row, shown: ShownList, document: str) -> Row:
    return replace(
        row,
        document=document,
        score=shown.scores.get(document),
        label=shown.judged.get(document),
        counted=shown.counted.get(document, shown.uncounted),
    )


def _shown_list(query: RankedQuery, sums: Contributions) -> ShownList:
    """The documents of the list, or of the pool where the measure is of that."""
    metric, bound = query.measure.metric, bound_of(query.measure)
    documents, scores, starts = query.documents, query.scores, query.starts
    if bound and bound.any_order:
        documents = []
    elif metric.of_pool:
        documents, scores = _pool_in_order(query, best_last=bool(bound and bound.best_last)), {}
    if sums.ranking is not query.ranking:
        starts = [int(a == 0) for group in sums.ranking.groups for a in range(len(group))]
    uncounted = None if metric.relevance else 0
    return ShownList(documents, starts, scores, query.judged, query.counted, uncounted)


def _pool_in_order(query: RankedQuery, *, best_last: bool) -> list[str]:
    """The documents of the pool by their labels."""
    counted = query.counted
    pool = counted if not query.conventions.own_pool else query.documents
    if query.measure.metric.relevance:  # what has no score is not in the pool (RS-CONV-20)
        pool = [document for document in pool if document in counted]
    return sorted(pool, key=lambda document: counted.get(document, 0), reverse=not best_last)


def _plain(label: Exact) -> Label:
    """A label of a batch in doubles as it was given: an integer where it is one."""
    return int(label) if label == int(label) else float(label)


def _tied(starts: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The first and the last rank of the tie group of each rank that is in one (RS-TIE-1).

    starts: 1 where a tie group begins
    """
    firsts = [i for i, start in enumerate(starts, start=1) if start]
    return {
        i: (first, following - 1)
        for first, following in pairwise([*firsts, len(starts) + 1])
        if following - first > 1
        for i in range(first, following)
    }
