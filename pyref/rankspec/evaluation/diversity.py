"""Runs against qrels with a label for each subtopic: the values of the metrics of diversity.

    >>> result = evaluate_diversity("qrels.txt", "a.run", ["alpha_nDCG@10"])   # doctest: +SKIP
    >>> result["alpha_nDCG@10"], result.per_query["alpha_nDCG@10"]["q1"]       # doctest: +SKIP

Spec: RS-DIV-19.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..api.diversity_inputs import value_of
from ..compute.arithmetic import standard_arithmetic
from ..compute.backends import BACKENDS, no_backend
from ..compute.checks import check_depth
from ..compute.computable import IntentRanking
from ..compute.gain import DiscountLike, GainLike, text_of
from ..compute.pools import has_no_relevant
from ..errors import InputError, by_value, shown_text
from ..formats import trec
from ..formats.diversity import (
    DiversityQrels,
    Judgments,
    Probabilities,
    judgments_of,
    probabilities_of,
)
from ..formats.frames import Label, RunLike, check_read_once, scores_of
from ..formats.streams import is_file
from ..metrics.catalogue import DIVERSITY_METRICS
from ..metrics.diversity import is_defined
from ..metrics.measure import Measure
from ..records import replace
from ..reference.numbers.reals import Exact
from . import plausibility
from .conventions import DIVERSITY, Conventions, checked, conventions_of, meaning
from .evaluate import evaluation_of, form_of, warn_of
from .measures import measures_named, names_of
from .ranked import NOTHING, Scores, chosen_queries, ranking
from .result import Evaluation

Intents = Mapping[str, Mapping[str, Exact]]


@standard_arithmetic
def evaluate_diversity(
    qrels: DiversityQrels,
    run: RunLike,
    measures: str | Measure | Iterable[str | Measure],
    *,
    probabilities: Probabilities | None = None,
    order: str | None = None,
    ties: str | None = None,
    scores: str | None = None,
    unjudged: str | None = None,
    negative: str | None = None,
    undefined: str | None = None,
    queries: str | None = None,
    duplicates: str | None = None,
    lines: str | None = None,
    depth: int | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
    backend: str = "auto",
) -> Evaluation:
    """Evaluate a run against qrels that have a label for each subtopic.

    qrels: a path ("-": standard input) or an open file of lines query, subtopic, document, label,
        as ndeval and NTCIREVAL read it, plain or compressed; a dict {query: {document: {subtopic:
        label}}}; rows (query, subtopic, document, label), also with the attribute names of
        ir_measures, where the subtopic is the iteration; or a data frame with such columns
    run: as of evaluate()
    measures: one or several of the metrics of diversity, as "alpha_nDCG(alpha=0.6)@10"
    probabilities: the weights of the subtopics: a file of lines query, subtopic, probability, or a
        dict {query: {subtopic: weight}}; by default all subtopics with a relevant judged document
        have equal weights (RS-DIV-1)
    order, ties, scores, queries, duplicates, lines, depth: as of evaluate(); ties are broken by
        document id, or by the order of the input
    unjudged: retrieved documents without a judgment for any subtopic are "nonrelevant", or left out
        ("condensed", RS-CONV-13)
    negative: labels below 0 count as "zero", as no judgment ("unjudged"), or are an "error"
        (RS-CONV-15)
    undefined: an undefined value is "zero", left out ("omit"), "nan", or an "error" (RS-DIV-19)
    gain, discount, rel: values for measures that do not name their own
    backend: "auto", "c" or "reference"; the certified reference computes these metrics in any case

    Raises InputError, with the place, for input that the spec does not admit. Warns (InputWarning)
    if qrels and run have few or no queries, or no documents, in common (RS-CONV-27).
    """
    conventions = diversity_conventions(
        {
            "order": order,
            "ties": ties,
            "scores": scores,
            "unjudged": unjudged,
            "negative": negative,
            "undefined": undefined,
            "queries": queries,
            "duplicates": duplicates,
            "lines": lines,
            "depth": depth,
            "gain": gain,
            "discount": discount,
            "rel": rel,
        }
    )
    if text_of(backend) not in BACKENDS:
        raise no_backend(backend)
    chosen = diversity_measures(measures, conventions)
    check_read_once({"qrels": qrels, "run": run})
    judged, intents = judged_by(qrels, probabilities, conventions)
    found = evaluate_by(conventions, judged, intents, run, chosen)
    warn_of([found])
    return found


def diversity_conventions(given: Mapping[str, Any]) -> Conventions:
    """The conventions, of what is given; None: the default."""
    known = {convention.name: convention for convention in conventions_of(DIVERSITY)}
    values = {}
    for name, x in given.items():
        if x is None:
            continue
        value = checked(name, x)
        admitted = known[name].values
        if admitted and value not in admitted:
            words = ", ".join(f'"{word}"' for word in admitted)
            raise InputError(
                f'{name}: queries with subtopics do not support "{value}"; expected one of '
                f"{words} (RS-DIV-19)"
            )
        values[name] = value
    return replace(Conventions(), **values)


def diversity_measures(
    measures: str | Measure | Iterable[str | Measure], conventions: Conventions
) -> tuple[Measure, ...]:
    """The measures of diversity that are asked for, each once, in the order of first mention."""
    found = dict.fromkeys(m for x in names_of(measures) for m in measures_named(x, conventions))
    for measure in found:
        if measure.taken_of != "diversity":
            names = ", ".join(metric.name for metric in DIVERSITY_METRICS)
            raise InputError(
                f'measure "{measure}": it takes one label per item; for labels by subtopic use '
                f"one of {names} (RS-DIV-19)"
            )
        if measure.rel <= 0:
            raise InputError(
                f'measure "{measure}": rel must be above 0, because unjudged documents count as '
                "label 0 (RS-CONV-8) and would all be relevant"
            )
    return tuple(found)


def judged_by(
    qrels: DiversityQrels, probabilities: Probabilities | None, conventions: Conventions
) -> tuple[Judgments, Intents | None]:
    """The labels that count, and the weights of subtopics; an InputError where one is missing."""
    judged = _counted(judgments_of(qrels, conventions.how), conventions.negative)
    if probabilities is None:
        return judged, None
    intents = probabilities_of(probabilities)
    for query, documents in judged.items():
        where = f"probabilities: query {shown_text(query)}"
        if query not in intents:
            raise InputError(f"{where} of the qrels has no probabilities (RS-DIV-19)")
        if not any(intents[query].values()):
            raise InputError(f"{where}: all weights are 0; at least one must be above 0 (RS-DIV-1)")
        for document, labels in documents.items():
            for subtopic, label in labels.items():
                if label > 0 and subtopic not in intents[query]:
                    raise InputError(
                        f"{where} has no weight for subtopic {shown_text(subtopic)}, for which "
                        f"document {shown_text(document)} has the label {label}; the weight 0 "
                        "leaves a subtopic out (RS-DIV-19)"
                    )
    return judged, intents


_NEGATIVE = {"zero": True, "unjudged": False, "error": None}
"""True if a label below 0 is a judgment, of 0; None: it is an error."""


def _counted(judged: Judgments, negative: str) -> Judgments:
    """The labels as the convention takes those below 0 (RS-CONV-15)."""
    found: Judgments = {}
    for query, documents in judged.items():
        counted = found[query] = {}
        for document, given in documents.items():
            if by_value("negative", negative, _NEGATIVE) is None:
                for subtopic, label in given.items():
                    if label < 0:
                        raise InputError(
                            f"qrels: the label {label} of document {shown_text(document)} for "
                            f"subtopic {shown_text(subtopic)} of query {shown_text(query)} is "
                            "negative (RS-CONV-15)"
                        )
            labels = {
                subtopic: max(label, 0)
                for subtopic, label in given.items()
                if label >= 0 or by_value("negative", negative, _NEGATIVE)
            }
            if labels:
                counted[document] = labels
    return found


def _check_levels(common: list[str], judged: Judgments, scores: Scores) -> None:
    """Raise InputError where the documents of a run are what the qrels have as subtopics."""
    for query in common:
        for document, labels in judged[query].items():
            if retrieved := next((x for x in labels if x in scores[query]), None):
                raise InputError(
                    "qrels: expected {query: {document: {subtopic: label}}}, but the run "
                    f"retrieves {shown_text(retrieved)} for query {shown_text(query)}, which is a "
                    f"subtopic of document {shown_text(document)} here: documents and subtopics "
                    "have changed places (RS-DIV-20)"
                )


def evaluate_by(
    conventions: Conventions,
    judged: Judgments,
    intents: Intents | None,
    run: RunLike,
    measures: Sequence[Measure],
) -> Evaluation:
    """As evaluate_diversity(), of what is read already."""
    _check_labels(measures, judged)
    scores: Scores = scores_of(run, conventions.how)
    evaluated = chosen_queries(judged, scores, conventions.queries)
    per_query: dict[str, dict[str, float]] = {str(measure): {} for measure in measures}
    for query in evaluated:
        x = ranking_of(query, judged, intents, scores, conventions)
        for measure in measures:
            value = _value(query, measure, x, conventions.undefined)
            if value is not None:
                per_query[str(measure)][query] = value
    about = plausibility.about_queries(list(judged), list(scores))
    common = [query for query in scores if query in judged]
    form = "trec with subtopics" if is_file(run) else form_of(run)
    about_documents = None
    if common and not any(d in judged[query] for query in common for d in scores[query]):
        _check_levels(common, judged, scores)
        about_documents = plausibility.about_documents(
            lambda: ((query, d) for query in common for d in scores[query]),
            lambda query: list(judged[query]),
            len(common),
            form,
        )
    elif common:
        first = common[0]
        about_documents = plausibility.about_passages(
            first, list(scores[first]), lambda: list(judged[first]), form
        )
    found = evaluation_of(
        measures,
        evaluated,
        per_query,
        conventions,
        None,
        missing=[query for query in judged if query not in scores],
        warnings=tuple(filter(None, (about, about_documents))),
        extra=tuple(sorted(set(scores).difference(judged, evaluated))),
        without_relevant=tuple(
            query
            for query in evaluated
            if all(has_no_relevant(own.values()) for own in judged.get(query, {}).values())
        ),
    )
    if intents is None:
        return found
    return replace(
        found, judgments="subtopics have given probabilities", judgments_spec="RS-DIV-19"
    )


def ranking_of(
    query: str,
    judged: Judgments,
    intents: Intents | None,
    scores: Scores,
    conventions: Conventions,
) -> IntentRanking:
    """What the measures are taken of: the rows of the list and of the pool (RS-DIV-19)."""
    own = judged.get(query, {})
    weights = None if intents is None else intents.get(query, {})
    names = (
        dict.fromkeys(s for labels in own.values() for s in labels) if weights is None else weights
    )
    ranked, _ = ranking(query, scores.get(query, NOTHING), _any_label(own), conventions)
    by_id = sorted(own, key=trec.id_bytes, reverse=True)

    def row(document: str) -> tuple[Label, ...]:
        labels = own.get(document, {})
        return tuple(labels.get(subtopic, 0) for subtopic in names)

    return IntentRanking(
        [row(document) for document in ranked],
        [row(document) for document in by_id],
        None if weights is None else list(weights.values()),
    )


def _any_label(own: Mapping[str, Mapping[str, Label]]) -> Mapping[str, Label]:
    """A label a document, for what asks only which are judged."""
    return dict.fromkeys(own, 0)


def _value(query: str, measure: Measure, x: IntentRanking, undefined: str) -> float | None:
    """The value for a query, correctly rounded; None: there is none."""
    instead: float | None = meaning("undefined", undefined)
    if instead != 0 and not is_defined(measure, x):
        return instead
    try:
        check_depth(measure, measure.deepest_rank(x.length, len(x.pool)))
    except InputError as error:
        raise InputError(f'measure "{measure}": {error}') from None
    return value_of(measure, x, f"query {shown_text(query)}")


def _check_labels(measures: Iterable[Measure], judged: Judgments) -> None:
    """An InputError that names the first document whose label a measure cannot take."""
    refusals: list[tuple[Measure, Callable[[Exact], str | None]]] = [
        (measure, measure.refusal) for measure in measures
    ]
    known: set[Label] = set()
    for query, documents in judged.items():
        for document, labels in documents.items():
            for subtopic, label in labels.items():
                if label in known:
                    continue
                known.add(label)
                for measure, refusal in refusals:
                    if why := refusal(label):
                        raise InputError(
                            f'measure "{measure}": label {label} of document '
                            f"{shown_text(document)} for subtopic {shown_text(subtopic)} of query "
                            f"{shown_text(query)}: {why}"
                        )
