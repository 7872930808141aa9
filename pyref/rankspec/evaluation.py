"""Runs against qrels: the values of measures, query by query and on average.

    >>> result = evaluate("qrels.txt", "a.run", ["nDCG@10", "AP"])      # doctest: +SKIP
    >>> result["nDCG@10"], result.per_query["AP"]["q1"]                 # doctest: +SKIP

The conventions are those of trec_eval -c (RS-CONV-7 to 10); each result can say which.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import conventions, engine, notation, trec
from .errors import InputError, shown
from .measure import Measure
from .reference.numerics import mean
from .reference.reals import Exact
from .sources import Label, QrelsLike, RunLike, labels_of, scores_of

TIES = {
    "id-descending": "by document id, byte by byte, descending",
    "id-ascending": "by document id, byte by byte, ascending",
    "input": "in the order of the input",
    "best": "the highest label first",
    "worst": "the lowest label first",
    "expected": "the expectation over all orders of each tie group",
}


class Definition(dict[str, str]):
    """Every choice that a number depends on, by name; prints as one line a choice."""

    def __str__(self) -> str:
        width = max(map(len, self))
        return "\n".join(f"{name:{width}}  {choice}" for name, choice in self.items())


@dataclass(frozen=True)
class Evaluation:
    """The values of measures for the queries of the qrels.

    measures: what was computed; their names are the keys below
    queries: the queries of the qrels, in their order there
    per_query: {name of a measure: {query: value}}
    mean: {name of a measure: mean over all queries} (RS-NUM-5)
    ties: the rule for equal scores
    missing: the queries of the qrels that the run misses; they count as empty lists (RS-CONV-9)
    """

    measures: tuple[Measure, ...]
    queries: tuple[str, ...]
    per_query: dict[str, dict[str, float]]
    mean: dict[str, float]
    ties: str
    missing: tuple[str, ...]

    def __getitem__(self, name: str) -> float:
        """The mean of a measure, named in any spelling."""
        return self.mean[str(self._measure(name))]

    def definition(self, name: str) -> Definition:
        """What exactly the numbers of a measure are: each convention, with its spec ID."""
        measure = self._measure(name)
        metric = measure.metric
        spec = metric.expected_spec if self.ties == "expected" else "RS-TIE-2"
        chosen = measure.definition()
        if metric.function != "idcg":  # which the run does not enter into
            chosen["order"] = "score, descending; the rank column is ignored (RS-CONV-7)"
            chosen["ties"] = f"{self.ties}: {TIES[self.ties]} ({spec})"
        chosen["labels"] = "unjudged documents and negative labels count as 0 (RS-CONV-8)"
        if metric.pool:
            chosen["pool"] = "all judged documents of the query (RS-CONV-3)"
        if metric.judged:
            chosen["undefined"] = "0 where the divisor is 0 (RS-CONV-4)"
        chosen |= {
            "queries": "those of the qrels; one that the run misses is an empty list (RS-CONV-9)",
            "duplicates": "an error (RS-CONV-10)",
            "value": "the double nearest to the real number (RS-NUM-1)",
            "mean": "the double nearest to the exact mean of the values (RS-NUM-5)",
        }
        return Definition(chosen)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, as JSON has it."""
        return {
            "measures": {str(m): dict(self.definition(str(m))) for m in self.measures},
            "ties": self.ties,
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
        for measure in self.measures:
            if name == str(measure):
                return measure
        for measure in notation.measures(name):
            if measure in self.measures:
                return measure
        raise KeyError(f"{name} was not computed; there are {', '.join(map(str, self.measures))}")


def evaluate(
    qrels: QrelsLike,
    run: RunLike,
    measures: str | Measure | Iterable[str | Measure],
    *,
    ties: str = "id-descending",
    backend: str = "c",
) -> Evaluation:
    """Evaluate a run against qrels.

    qrels, run: a path ("-": standard input) or an open file in TREC format, plain or gzip; a
        dict {query: {document: label or score}}; rows (query, document, label or score), also
        with the attribute names of ir_measures; or a data frame with such columns
    measures: one or several, "nDCG(gain='exp2')@10" as in ir_measures or "ndcg_cut.5,10" as in
        trec_eval
    ties: the rule for documents of equal score: "id-descending" (trec_eval's), "id-ascending",
        "input", "best", "worst" or "expected"
    backend: "c", or "reference" for the certified Python reference; the values are the same

    Raises InputError for whatever the spec does not admit, with its place.
    """
    rule = conventions.ties(ties)
    chosen = chosen_measures(measures)
    labels, scores = labels_of(qrels), scores_of(run)
    _check_gains(chosen, labels)
    columns = engine.values(chosen, batch_of(labels, scores, rule), backend)
    per_query = {
        str(m): dict(zip(labels, column, strict=True))
        for m, column in zip(chosen, columns, strict=True)
    }
    return Evaluation(
        measures=chosen,
        queries=tuple(labels),
        per_query=per_query,
        mean={name: _mean(name, values) for name, values in per_query.items()},
        ties=rule,
        missing=tuple(query for query in labels if query not in scores),
    )


def chosen_measures(measures: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """The measures that are asked for, each once, in the order of first mention."""
    if isinstance(measures, (str, Measure)):
        measures = [measures]
    if not isinstance(measures, Iterable):
        raise InputError(f"measures: {shown(measures)} is neither a name nor a list of names")
    measures = list(measures)
    for name in measures:
        if not isinstance(name, (str, Measure)):
            raise InputError(f"measures: {shown(name)} is no name of a measure")
    chosen = tuple(dict.fromkeys(m for name in measures for m in notation.measures(name)))
    for measure in chosen:
        if measure.metric.binary and measure.rel <= 0:
            raise InputError(
                f'measure "{measure}": rel must be above 0 here: unjudged documents count as '
                "label 0 (RS-CONV-8) and would all be relevant"
            )
    return chosen


def _check_gains(measures: Iterable[Measure], labels: Mapping[str, Mapping[str, Label]]) -> None:
    """An InputError that names the first document whose label has no gain in a measure."""
    distinct = {label for documents in labels.values() for label in documents.values()}
    for measure in measures:
        if "gain" not in measure.metric.parameters:
            continue
        refused = {label: measure.gain.refusal(counted_label(label)) for label in distinct}
        if not any(refused.values()):
            continue
        for query, documents in labels.items():
            for document, label in documents.items():
                if refused[label]:
                    raise InputError(
                        f'measure "{measure}": label {label} of document {trec.shown(document)} '
                        f"for query {trec.shown(query)}: {refused[label]}"
                    )


def _mean(name: str, values: Mapping[str, float]) -> float:
    """The mean over the queries (RS-NUM-5), where all values are within the range of doubles."""
    for query, x in values.items():
        if not math.isfinite(x):
            raise InputError(
                f'measure "{name}": the value of query {trec.shown(query)} is beyond the range of '
                "doubles, so there is no mean (RS-NUM-5)"
            )
    return mean(values.values())


def counted_label(label: Label) -> Label:
    """The label that a judged document counts with (RS-CONV-8)."""
    return label if label > 0 else 0


def batch_of(
    labels: Mapping[str, Mapping[str, Label]], scores: Mapping[str, Mapping[str, Exact]], rule: str
) -> engine.Batch:
    """One list a query of the qrels, in their order: all measures read the same buffers."""
    lists: list[Label] = []
    pool: list[Label] = []
    starts = array("B")
    offsets, pool_offsets = array("q", [0]), array("q", [0])
    nothing: Mapping[str, Exact] = {}
    for query, judged in labels.items():
        counted = {document: counted_label(label) for document, label in judged.items()}
        scored = scores.get(query, nothing)
        ranked = ranked_documents(scored, counted, rule)
        lists.extend([counted.get(document, 0) for document in ranked])
        pool.extend(counted.values())
        offsets.append(len(lists))
        pool_offsets.append(len(pool))
        if rule == "expected":
            starts.extend(_starts([scored[document] for document in ranked]))
    typecode = _typecode(pool)
    return engine.Batch(
        labels=array(typecode, lists),
        offsets=offsets,
        starts=starts if rule == "expected" else None,
        pool=array(typecode, pool),
        pool_offsets=pool_offsets,
    )


def ranked_documents(
    scored: Mapping[str, Exact], labels: Mapping[str, Label], rule: str
) -> list[str]:
    """The documents in rank order (RS-CONV-7, RS-TIE-2).

    Sorting is stable: after the sort by score, documents of equal score are in the order of the
    sort before it.
    """
    documents = list(scored)
    if len(set(scored.values())) < len(documents):
        if rule in ("id-descending", "id-ascending"):
            documents.sort(key=trec.id_bytes, reverse=rule == "id-descending")
        elif rule in ("best", "worst"):
            documents.sort(key=lambda document: labels.get(document, 0), reverse=rule == "best")
    documents.sort(key=scored.__getitem__, reverse=True)
    return documents


def _starts(scores: list[Exact]) -> list[int]:
    """1 where a tie group begins, for scores in falling order (RS-TIE-1)."""
    return [int(i == 0 or score != scores[i - 1]) for i, score in enumerate(scores)]


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
