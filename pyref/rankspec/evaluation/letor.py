"""LETOR files evaluated: their rows, ranked by a feature or by predictions (RS-CONV-21).

A file is read once, for any number of rankings, in blocks of whole queries that are evaluated
before they are forgotten; several files one after another.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ..compute.arithmetic import standard_arithmetic
from ..compute.backends import answering
from ..compute.gain import DiscountLike, GainLike
from ..compute.pools import has_no_relevant
from ..errors import InputError, by_value, listed
from ..formats import trec
from ..formats.frames import Label
from ..formats.letor import Files, Groups, Predictions, RowRanking, Rows, feature_of, read_rows
from ..metrics.measure import Measure
from ..progress import Progress
from ..reference.numbers.reals import Exact
from . import evaluate, profiles
from .conventions import CONVENTIONS, LETOR, Conventions, conventions_of
from .evaluate import Kept
from .measures import MeasuresLike, chosen_measures
from .profiles import Profile, by_conventions
from .ranked import judgments, label_as_counted, lists
from .result import Evaluation


@standard_arithmetic
def evaluate_letor(
    file: Files,
    measures: MeasuresLike,
    *,
    feature: int | None = None,
    predictions: Any = None,
    group: Groups | None = None,
    profile: str | None = None,
    ties: str | None = None,
    scores: str | None = None,
    unjudged: str | None = None,
    labels: str | None = None,
    negative: str | None = None,
    relevance: str | None = None,
    undefined: str | None = None,
    results: str | None = None,
    depth: int | None = None,
    pool: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
    backend: str = "auto",
) -> Evaluation:
    """Evaluate a ranking of the rows of a LETOR file (RS-CONV-21).

    file: a path ("-": standard input) or an open file, plain or compressed, of lines
        "label qid:ID feature:value ... # comment"; or a list of these, the parts of a collection:
        the rows of the first, then those of the second, and so on
    measures: as of evaluate()
    feature: the number of the feature that ranks, the highest value first; -3: by feature 3, the
        lowest first
    predictions: instead of a feature, a number for each row: a file with one per line, or a list or
        array; of several files a list with one of these for each, in their order
    group: the number of rows of each query, if rows have no qid: a file with one per line, or a
        list or array; of several files a list with one of these, or None, for each; None:
        FILE.query, if it exists
    ties: "expected" (the default), "input", "best" or "worst", as rows have no document ids
    profile, scores, unjudged, labels, negative, relevance: as of evaluate()
    undefined, results, depth, pool: as of evaluate()
    gain, discount, rel: as of evaluate()
    backend: as of evaluate(); the values are the same

    Raises InputError, with the place, for input that the spec does not admit.
    """
    given = {
        "ties": ties,
        "scores": scores,
        "unjudged": unjudged,
        "labels": labels,
        "negative": negative,
        "relevance": relevance,
        "undefined": undefined,
        "results": results,
        "depth": depth,
        "pool": pool,
        "gain": gain,
        "discount": discount,
        "rel": rel,
    }
    chosen_profile, conventions = letor_conventions(profile, given)
    if (feature is None) == (predictions is None):
        raise InputError("give either a feature or predictions, which rank the rows (RS-CONV-21)")
    ranking: RowRanking = Predictions(predictions) if feature is None else feature_of(feature)
    chosen = chosen_measures(measures, conventions, chosen_profile)
    (found,) = evaluate_rankings(
        conventions, chosen_profile, file, group, {"": ranking}, chosen, backend=backend
    ).values()
    return found


def letor_conventions(
    profile: str | None, given: Mapping[str, Any], others: Sequence[str] = ()
) -> tuple[Profile | None, Conventions]:
    """The profile of that name, if there is one, and all conventions; None where none is given.

    others: what else could have been given (profiles.chosen_conventions)
    """
    known = {c.name: c for c in conventions_of(LETOR)}
    of_runs = {c.name for c in CONVENTIONS}
    for name, x in given.items():
        if x is not None and name not in known and name in of_runs:
            raise InputError(
                f"{name}: it has no effect here, because each row of a LETOR file is a document "
                "of its own and has a label; leave it out (RS-CONV-21)"
            )
    own = {"ties": known["ties"].default}
    if profile is not None or given.get("ties") is not None:
        own = {}
    chosen, conventions = profiles.chosen_conventions(profile, {**given, **own}, others)
    if conventions.ties not in known["ties"].values:
        whose = f' (of the profile "{profile}")' if given.get("ties") is None else ""
        raise InputError(
            f'ties: "{conventions.ties}"{whose} orders by document id, but the rows of a LETOR '
            f'file have no ids; use one of {listed(known["ties"].values)}: ties="expected", or '
            "--ties expected (RS-CONV-21)"
        )
    if conventions.unjudged not in known["unjudged"].values:
        raise InputError(
            f'unjudged: "{conventions.unjudged}" concerns documents without a label, but each '
            "row of a LETOR file has one (RS-CONV-21)"
        )
    return chosen, conventions


def evaluate_rankings(
    conventions: Conventions,
    profile: Profile | None,
    file: Files,
    group: Groups | None,
    rankings: Mapping[str, RowRanking],
    measures: Sequence[Measure],
    of_first: Sequence[Measure] = (),
    backend: str = "auto",
    progress: Progress | None = None,
    kept: Mapping[str, Kept] | None = None,
) -> dict[str, Evaluation]:
    """The evaluation of each of several rankings of the same rows, by its name.

    of_first: measures that are taken of the first ranking, too
    kept: where the ranked lists of each are left, for who asks more of them
    """
    backend = answering(backend)
    wanted = {name: tuple(measures) for name in rankings}
    wanted[next(iter(rankings))] += tuple(of_first)
    found: dict[str, dict[Measure, dict[str, float]]] = {
        name: {measure: {} for measure in own} for name, own in wanted.items()
    }
    queries: list[str] = []
    without_relevant: list[str] = []
    highest: Label = 0
    least: Label | None = None
    of_all = next(iter(wanted.values()))
    for rows, columns in ranked_rows(file, group, rankings.values(), of_all, conventions, progress):
        queries += rows.queries
        _check_whole(rows, profile, conventions)
        labels = rows.by_query(rows.labels)
        counted = {conventions.negative: judgments(labels, conventions)}
        counts = [label_as_counted(x, conventions.labels) for x in rows.labels]
        if not conventions.scored:
            without_relevant += [
                query
                for query, own in zip(rows.queries, rows.of_queries(), strict=True)
                if has_no_relevant(counts[own])
            ]
        highest = max(highest, *counts)
        least = min(counts if least is None else [least, *counts])
        for (name, own), scores in zip(wanted.items(), columns, strict=True):
            of_query = rows.by_query(scores)
            for theirs, few in by_conventions(own, conventions, profile).items():
                if theirs.negative not in counted:
                    counted[theirs.negative] = judgments(labels, theirs)
                ranked = lists(rows.queries, counted[theirs.negative], of_query, theirs)
                if kept is not None:
                    kept[name].append((theirs, ranked))
                by_measure = evaluate.values(few, ranked, theirs, 0, backend)
                for measure, values in zip(few, by_measure, strict=True):
                    each = zip(rows.queries, values, strict=True)
                    found[name][measure].update((q, x) for q, x in each if x is not None)
    evaluate.refuse_without_pairs(of_all, least)
    return {
        name: evaluate.evaluation_of(
            own,
            queries,
            {str(measure): values for measure, values in found[name].items()},
            conventions,
            profile=profile,
            ranking=rankings[name].order,
            highest=highest,
            without_relevant=tuple(without_relevant),
            otherwise={
                str(measure): theirs
                for theirs, few in by_conventions(own, conventions, profile).items()
                for measure in few
                if theirs != conventions
            },
        )
        for name, own in wanted.items()
    }


def ranked_rows(
    file: Files,
    group: Groups | None,
    rankings: Iterable[RowRanking],
    measures: Sequence[Measure],
    conventions: Conventions,
    progress: Progress | None = None,
) -> Iterator[tuple[Rows, list[Sequence[Exact]]]]:
    """As read_rows(), of labels that all measures can take; else an InputError says which one
    cannot.
    """
    check = partial(_check_labels, measures=measures, conventions=conventions)
    return read_rows(file, group, rankings, check, progress)


def as_trec_files(
    file: Files,
    group: Groups | None,
    ranking: RowRanking,
    conventions: Conventions,
    progress: Progress | None = None,
) -> tuple[io.BytesIO, io.BytesIO]:
    """Qrels and a run, as TREC files, of a LETOR file and what ranks its rows (RS-CONV-21/L1).

    A document is called by the number of its line; of several files, by "2:7" in line 7 of the
    second.
    """
    qrels, run = io.BytesIO(), io.BytesIO()
    for rows, (scores,) in ranked_rows(file, group, [ranking], (), conventions, progress):
        for query, own in zip(rows.queries, rows.of_queries(), strict=True):
            name = trec.id_bytes(query)
            for row in range(own.start, own.stop):
                document, score = rows.document(row).encode(), scores[row]
                qrels.write(b"%b 0 %b %b\n" % (name, document, _written(rows.labels[row])))
                if score == score:  # noqa: PLR0124 - NaN: it is not ranked
                    run.write(b"%b Q0 %b 0 %b letor\n" % (name, document, _written(score)))
    qrels.seek(0)
    run.seek(0)
    return qrels, run


def _written(x: Exact) -> bytes:
    """A number as a decimal that is read as the same number."""
    return repr(x).encode()


def _check_whole(rows: Rows, profile: Profile | None, conventions: Conventions) -> None:
    """An InputError for the first row whose label the profile's program cannot read."""
    labels = [label_as_counted(x, conventions.labels) for x in rows.labels]
    if profile is not None and (refused := profile.refused_labels(labels, conventions)):
        at = next(a for a, label in enumerate(labels) if label in refused)
        raise InputError(f"{rows.place(at)}: label {rows.labels[at]}: {profile.labels_refused()}")


def _check_labels(rows: Rows, measures: Iterable[Measure], conventions: Conventions) -> None:
    """An InputError for the first row whose label cannot be taken."""
    counted = {x: label_as_counted(x, conventions.labels) for x in rows.labels}
    negative = {x for x, label in counted.items() if label < 0 and not conventions.scored}
    if negative and conventions.negative == "error":
        at = next(a for a, label in enumerate(rows.labels) if label in negative)
        raise InputError(f"{rows.place(at)}: the label {rows.labels[at]} is negative (RS-CONV-15)")
    for x in negative:
        rule = {"zero": 0, "unjudged": None, "kept": x}
        label = by_value("negative", conventions.negative, rule)
        if label is None:
            del counted[x]
        else:
            counted[x] = label
    for measure in measures:
        refused = {
            x: why
            for x, label in counted.items()
            if (why := measure.metric.refusal(measure, label))
        }
        if refused:
            at = next(a for a, label in enumerate(rows.labels) if label in refused)
            label = rows.labels[at]
            raise InputError(
                f'{rows.place(at)}: measure "{measure}": label {label}: {refused[label]}'
            )
