"""nDCG of fixed labels beside nDCG_phi of the same runs: the numbers of figures 3 and 4 of
moniz-2016, of any qrels of scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..compute.gain import whole
from ..errors import InputError, shown, shown_text
from ..evaluation.runs import evaluate_runs
from ..formats.frames import Label, QrelsLike, RunLike, by_column, labels_of, scores_of
from ..metrics.catalogue import nDCG, nDCG_phi
from ..reference.numerics import mean

TOP_LABELS = (3,) * 10 + (2,) * 15 + (1,) * 25
"""The labels of the items of the highest scores (moniz-2016, section 3); all others have 0."""
CUTOFFS = (5, 10, 25, 50)  # 10 is the paper's; our text of it has lost the others
RELEVANCE = {"text": "phi", "authors-program": "phi-authors-program"}  # RS-CONV-20


class QueryValues(NamedTuple):
    """The two metrics of a query of a run, at a cut-off."""

    run: str
    query: str
    k: int
    ndcg: float
    ndcg_phi: float


class Means(NamedTuple):
    """The means of a run over its queries, at a cut-off, and how many queries have nDCG@k above
    nDCG_phi@k, and below.
    """

    run: str
    k: int
    queries: int
    ndcg: float
    ndcg_phi: float
    above: int
    below: int


def values_by_query(
    qrels: QrelsLike,
    runs: Mapping[str, RunLike],
    *,
    labels: QrelsLike | None = None,
    k: Sequence[int] = CUTOFFS,
    variant: str = "text",
    backend: str = "auto",
) -> list[QueryValues]:
    """Return nDCG of labels and nDCG_phi of scores: for each run, query and cut-off.

    qrels: their labels are scores, from which φ is derived (RS-CONV-20)
    runs: by their names
    labels: qrels with the labels of nDCG, whose gain is 2^label - 1; None: those of fixed_labels()
    variant: how φ is derived, by the paper's "text" (RS-REL-4) or "authors-program" (RS-REL-5)

    Raises InputError where a run has values by one metric of queries that the other lacks.
    Spec: RS-DCG-6, RS-REL-12
    """
    if variant not in RELEVANCE:
        raise InputError(f"variant: expected one of {', '.join(RELEVANCE)}, got {shown(variant)}")
    if not k or any((whole(x) or 0) < 1 for x in k) or len(set(k)) < len(k):
        raise InputError(f"k: expected different cut-offs from 1 up, got {shown(k)}")
    if not runs:
        raise InputError("runs: expected one run or more, got none")
    scores = labels_of(qrels)
    judged = fixed_labels(scores) if labels is None else labels_of(labels)
    found: list[QueryValues] = []
    for name, of in runs.items():
        runs_of_one = {name: scores_of(by_column(of, "run"))}  # once: it may be the standard input
        fixed = evaluate_runs(
            judged, runs_of_one, [nDCG(gain="exp2", k=x) for x in k], backend=backend
        )[name]
        phi = evaluate_runs(
            scores,
            runs_of_one,
            [nDCG_phi(k=x, variant=variant) for x in k],
            relevance=RELEVANCE[variant],
            backend=backend,
        )[name]
        _check_queries(name, set(fixed.queries), set(phi.queries))
        by_cutoff = zip(k, fixed.per_query.values(), phi.per_query.values(), strict=True)
        for x, ndcg, ndcg_phi in by_cutoff:
            found += [QueryValues(name, q, x, ndcg[q], ndcg_phi[q]) for q in phi.queries]
    return found


def fixed_labels(scores: Mapping[str, Mapping[str, Label]]) -> dict[str, dict[str, Label]]:
    """Return the paper's labels by rank: 3 for the ten highest scores of a query, 2 for the next
    15, 1 for the next 25, 0 for the others.

    Of documents with equal scores, the one that comes first in the qrels has the better rank.
    """
    labels: dict[str, dict[str, Label]] = {}
    for query, of_documents in scores.items():
        falling = sorted(of_documents, key=lambda document: -of_documents[document])
        better = dict(zip(falling, TOP_LABELS, strict=False))
        labels[query] = {document: better.get(document, 0) for document in of_documents}
    return labels


def means(values: Sequence[QueryValues]) -> Iterator[Means]:
    """Give the mean of both metrics for each run and cut-off, rounded once (RS-NUM-5)."""
    for run, k in dict.fromkeys((x.run, x.k) for x in values):
        own = [x for x in values if (x.run, x.k) == (run, k)]
        yield Means(
            run,
            k,
            len(own),
            mean([x.ndcg for x in own]),
            mean([x.ndcg_phi for x in own]),
            sum(x.ndcg > x.ndcg_phi for x in own),
            sum(x.ndcg < x.ndcg_phi for x in own),
        )


def _check_queries(run: str, fixed: set[str], phi: set[str]) -> None:
    for query in sorted(fixed ^ phi):
        lacking = "labels" if query in phi else "scores"
        raise InputError(
            f"run {shown_text(run)}: query {shown_text(query)} has no {lacking}; "
            "expected the same queries in the qrels of scores and in those of labels"
        )
