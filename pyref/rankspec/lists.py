"""From judgments and scores to ranked lists of labels: the conventions applied, in plain Python.

This is the reading to be checked against: :mod:`rankspec.reader` does the same in the C core.
Judgments and scores are {query: {document: number}}, as :mod:`rankspec.sources` gives them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from . import engine, trec
from .errors import InputError
from .profiles import Conventions
from .reference.reals import Exact
from .sources import Label

Judgments = Mapping[str, Mapping[str, Label]]
Scores = Mapping[str, Mapping[str, Exact]]

NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Lists:
    """Ranked lists of some queries, with their pools.

    queries: the query of each list
    batch: the labels; unjudged documents have the label 0
    unjudged: 1 where the document has no judgment (uint8), flat like the labels
    """

    queries: list[str]
    batch: engine.Batch
    unjudged: Any


def judgments(labels: Judgments, conventions: Conventions) -> dict[str, dict[str, Label]]:
    """The labels that count, by query and document (RS-CONV-8, RS-CONV-15)."""
    return {query: dict(_counted(query, d, conventions)) for query, d in labels.items()}


def _counted(
    query: str, documents: Mapping[str, Label], conventions: Conventions
) -> Iterator[tuple[str, Label]]:
    for document, label in documents.items():
        if label >= 0:
            yield document, label
        elif conventions.negative == "error":
            raise InputError(
                f"qrels: the label {label} of document {trec.shown(document)} for query "
                f"{trec.shown(query)} is negative (RS-CONV-15)"
            )
        elif conventions.negative == "zero":
            yield document, 0


def chosen_queries(labels: Iterable[str], scores: Iterable[str], rule: str) -> list[str]:
    """The queries that are evaluated, in order (RS-CONV-9).

    labels: the queries of the qrels; scores: those of the run
    """
    judged, retrieved = dict.fromkeys(labels), dict.fromkeys(scores)
    if rule == "run":
        return list(retrieved)
    if rule == "both":
        both = [query for query in judged if query in retrieved]
        if not both:
            raise InputError("no query is in the qrels and in the run: there is none to evaluate")
        return both
    if rule in ("complete", "same"):
        for query in judged:
            if query not in retrieved:
                raise _only_in(query, "qrels", "run", rule)
    if rule == "same":
        for query in retrieved:
            if query not in judged:
                raise _only_in(query, "run", "qrels", rule)
    return list(judged)


def _only_in(query: str, here: str, there: str, rule: str) -> InputError:
    return InputError(
        f"query {trec.shown(query)} is in the {here}, but not in the {there}; "
        f'queries="{rule}" does not admit that (RS-CONV-9)'
    )


def lists(
    queries: Iterable[str], counted: Judgments, scores: Scores, conventions: Conventions
) -> Lists:
    """The ranked list and the pool of each query: all measures read the same buffers.

    counted: the judgments(), of which a query may have none
    """
    queries = list(queries)
    labels: list[Label] = []
    pool: list[Label] = []
    starts, unjudged = array("B"), array("B")
    offsets, pool_offsets = array("q", [0]), array("q", [0])
    for query in queries:
        judged = counted.get(query, NOTHING)
        ranked, begins = ranking(query, scores.get(query, NOTHING), judged, conventions)
        labels.extend(judged.get(document, 0) for document in ranked)
        unjudged.extend(document not in judged for document in ranked)
        starts.extend(begins)
        pool.extend(judged.values())
        offsets.append(len(labels))
        pool_offsets.append(len(pool))
    typecode = _typecode(pool)
    flat = array(typecode, labels)
    own = conventions.pool == "retrieved"
    return Lists(
        queries,
        engine.Batch(
            labels=flat,
            offsets=offsets,
            starts=starts if conventions.ties == "expected" else None,
            pool=flat if own else array(typecode, pool),
            pool_offsets=offsets if own else pool_offsets,
        ),
        unjudged,
    )


def ranking(
    query: str,
    scored: Mapping[str, Exact],
    judged: Mapping[str, Label],
    conventions: Conventions,
) -> tuple[list[str], list[int]]:
    """The documents of a query in rank order, and 1 where a tie group begins.

    RS-CONV-7, RS-TIE-1, RS-TIE-2, RS-CONV-12, RS-CONV-13, RS-CONV-16. Sorting is stable: after
    the sort by score, documents of equal score are in the order of the sort before it.
    """
    if conventions.scores == "float32":
        scored = dict(zip(scored, array("f", map(_double, scored.values())), strict=True))
    documents = list(scored)
    if conventions.unjudged == "condensed":
        documents = [document for document in documents if document in judged]
    rule = conventions.ties
    if len(set(scored.values())) < len(scored):
        if rule in ("id-descending", "id-ascending"):
            documents.sort(key=trec.id_bytes, reverse=rule == "id-descending")
        elif rule in ("best", "worst"):
            documents.sort(key=lambda document: judged.get(document, 0), reverse=rule == "best")
    documents.sort(key=scored.__getitem__, reverse=True)
    in_order = [scored[document] for document in documents]
    starts = [int(i == 0 or score != in_order[i - 1]) for i, score in enumerate(in_order)]
    depth = conventions.depth
    if depth is not None and depth < len(documents):
        if rule == "expected" and not starts[depth]:
            raise InputError(
                f"depth: rank {depth} and the next of query {trec.shown(query)} are tied, so the "
                'first documents are not determined where ties are "expected" (RS-CONV-16)'
            )
        return documents[:depth], starts[:depth]
    return documents, starts


def _double(score: Exact) -> float:
    """The nearest double, which may be infinite."""
    try:
        return float(score)
    except OverflowError:
        return float("inf") if score > 0 else float("-inf")


def _typecode(labels: list[Label]) -> str:
    """The smallest array type of the core's that holds all labels exactly; none is negative."""
    if all(type(label) is int for label in labels):
        return "B" if max(labels, default=0) < 256 else "q"
    for label in labels:
        if float(label) != label:
            raise InputError(
                f"qrels: the label {label} is no double, and other labels are fractional; labels "
                "must be all integers, or all doubles (RS-CONV-1)"
            )
    return "d"
