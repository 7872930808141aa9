"""Runs against qrels: the values of measures, query by query and on average.

    >>> result = evaluate("qrels.txt", "a.run", ["nDCG@10", "AP"])      # doctest: +SKIP
    >>> result["nDCG@10"], result.per_query["AP"]["q1"]                 # doctest: +SKIP

Without a profile the conventions are those of trec_eval -c; each result can say which.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..compute import batch as engine
from ..compute.arithmetic import standard_arithmetic
from ..compute.gain import DiscountLike, GainLike
from ..errors import InputError, InputWarning, shown_text
from ..formats.frames import Label, QrelsLike, RunLike, labels_of, scores_of
from ..formats.streams import is_file, readable_again
from ..metrics import grammar
from ..metrics.catalogue import METRICS, z_value
from ..metrics.measure import Measure, Metric, make, named
from ..reference.numbers.reals import Exact
from ..reference.numerics import mean
from . import plausibility, profiles, scores_as_labels
from .profiles import Conventions, Profile
from .ranked import Judged, JudgedTable, Lists, chosen_queries

if TYPE_CHECKING:
    from ..formats.sessions import Topics

Qrels: TypeAlias = "QrelsLike | Judged"
Kept: TypeAlias = "list[tuple[Conventions, Lists]]"
_Key: TypeAlias = "Callable[[Any], str]"


V = TypeVar("V")


class ByMeasure(dict[str, V]):
    """What there is of each measure: a dict by its name as it prints, which takes any spelling.

    key: the name as it prints, of any spelling; a KeyError where it was not computed
    """

    def __init__(
        self, found: Mapping[str, V] | Iterable[tuple[str, V]] = (), key: _Key | None = None
    ) -> None:
        super().__init__(found)
        self._key = key

    def __missing__(self, name: Any) -> V:
        if self._key is None:
            raise KeyError(name)
        return dict.__getitem__(self, self._key(name))

    def __contains__(self, name: object) -> bool:
        none = object()
        return self.get(name, none) is not none

    def get(self, name: Any, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default


class Definition(dict[str, str]):
    """Every choice that a number depends on, by name; prints as one line a choice."""

    def __str__(self) -> str:
        width = max(map(len, self))
        return "\n".join(f"{name:{width}}  {choice}" for name, choice in self.items())


@dataclass(frozen=True, repr=False)
class Evaluation:
    """The values of measures for the queries of a run and its qrels.

    measures: what was computed; their names are the keys below, where any spelling finds them
    queries: the queries that were evaluated, in order (RS-CONV-9)
    per_query: {name of a measure: {query: value}}; a query without a value is left out
    mean: {name of a measure: mean over all queries with a value} (RS-NUM-5); NaN where no query
        has one; of the lowest and highest judgments, that of RS-CONV-14
    conventions: every choice that the measures do not make themselves
    missing: the queries of the qrels that the run misses (RS-CONV-9)
    extra: the queries of the run without judgments, which are left out, sorted (RS-CONV-9)
    profile: the name of the profile that was asked for, or None
    ranking: what orders the rows of a LETOR file (RS-CONV-21); None of a run
    judgments: what was made of the qrels before, in words (RS-CONV-25); None: nothing
    highest: the highest label, at least 0; None: nobody asked
    warnings: what of the input is hardly meant (RS-CONV-27, RS-CONV-28)
    apart: {name of a measure: queries with a value and no part in the mean}, those that a lowest or
        highest mean leaves out (RS-CONV-14)
    otherwise: {name of a measure: its conventions}, where the profile has its own for it
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

    def __post_init__(self) -> None:
        key = partial(_name_in, self.measures, self.conventions)
        for name in ("per_query", "mean"):
            object.__setattr__(self, name, ByMeasure(getattr(self, name), key))

    def __repr__(self) -> str:
        """What it is of, in a line."""
        return f"<Evaluation of {named(self.measures)}; queries: {len(self.queries)}>"

    def __getitem__(self, name: str) -> float:
        """The mean of a measure, named in any spelling."""
        return self.mean[str(self._measure(name))]

    def __iter__(self) -> Iterator[str]:
        """The names of the measures, as they print."""
        return iter(self.mean)

    def __len__(self) -> int:
        """How many measures there are."""
        return len(self.mean)

    def __contains__(self, name: object) -> bool:
        """Whether a measure was computed, named in any spelling."""
        return name in self.mean

    def keys(self) -> KeysView[str]:
        """The names of the measures, as they print: ``dict()`` of a result has the means."""
        return self.mean.keys()

    @property
    def ties(self) -> str:
        """The rule for equal scores."""
        return self.conventions.ties

    def definition(self, name: str) -> Definition:
        """What exactly the numbers of a measure are: each convention, with its spec ID."""
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
            chosen["judgments"] = f"{self.judgments} (RS-CONV-25)"
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
            "mean": self._mean(metric),
        }
        return Definition(chosen)

    def _of_list(self, measure: Measure) -> dict[str, str]:
        """How the list of a query is made."""
        by_row = f"{self.ranking} (RS-CONV-21)"
        chosen = {"order": self._order() if self.ranking is None else by_row}
        chosen["ties"] = self._ties(measure.metric)
        if self.conventions.order == "score":
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
        subject = "" if metric.of is None else "A is "  # what the others are made of has no ties
        return f"{self._meaning('ties', subject)} ({metric.root.expected_spec})"

    def _unjudged(self, measure: Measure) -> str:
        if measure.metric.relevance and self.conventions.unjudged == "nonrelevant":
            return "nonrelevant: have relevance 0 (RS-CONV-20)"
        if measure.metric.sees_unjudged and self.conventions.unjudged == "nonrelevant":
            return "nonrelevant: not used, as it asks which are unjudged (RS-CAS-6)"
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

    def _mean(self, metric: Metric) -> str:
        mean = "the double nearest to the exact mean of the values (RS-NUM-5)"
        extreme = self.conventions.unjudged in ("lowest", "highest")
        if metric.judged and extreme and self.conventions.undefined in ("omit", "omit-query"):
            which = self.conventions.unjudged
            return f"the {which} of all judgments, which may leave a query out (RS-CONV-14); {mean}"
        return mean

    def _of_queries(self) -> dict[str, str]:
        """Which queries there are, and how the lines of their files are read."""
        if self.ranking is not None:
            return {"queries": "those of the file (RS-CONV-21)"}
        chosen = {
            "queries": f"{self._meaning('queries')} (RS-CONV-9)",
            "duplicates": f"{self._meaning('duplicates')} (RS-CONV-10)",
        }
        if self.conventions.lines != "exact":
            chosen["lines"] = f"{self._meaning('lines')} (RS-CONV-33)"
        return chosen

    def _order(self) -> str:
        if self.conventions.order == "score":
            return "score, descending; the rank column is ignored (RS-CONV-7)"
        return f"{self._meaning('order')} (RS-CONV-32)"

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
            "mean": dict(self.mean),
            "per_query": dict(self.per_query),
        }

    def __str__(self) -> str:
        """A table of the means."""
        from . import render

        return render.table({"run": self}).rstrip("\n")

    def _measure(self, name: str) -> Measure:
        return computed(self.measures, name, lambda: measures_named(name, self.conventions))


def _name_in(measures: Sequence[Measure], conventions: Conventions, name: Any) -> str:
    """The name as it prints, of a measure of an evaluation; a KeyError where it has none."""
    return name_of(measures, name, lambda: measures_named(name, conventions))


def name_of(measures: Sequence[Measure], name: Any, meant: Callable[[], Iterable[Measure]]) -> str:
    """The name as it prints, of a measure among those; a KeyError where there is none."""
    if not isinstance(name, (str, Measure)):
        raise KeyError(name)
    try:
        return str(computed(measures, name, meant))
    except InputError as error:
        raise KeyError(str(error)) from None


def computed(
    measures: Sequence[Measure], name: str | Measure, meant: Callable[[], Iterable[Measure]]
) -> Measure:
    """The measure of that name among those that were computed, or a KeyError.

    meant: the measures that the name stands for, where none is written so
    """
    for measure in measures:
        if name in (measure, str(measure)):
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
    order: str | None = None,
    ties: str | None = None,
    scores: str | None = None,
    unjudged: str | None = None,
    negative: str | None = None,
    relevance: str | None = None,
    undefined: str | None = None,
    queries: str | None = None,
    duplicates: str | None = None,
    lines: str | None = None,
    depth: int | None = None,
    pool: str | None = None,
    gain: GainLike | None = None,
    discount: DiscountLike | None = None,
    rel: Exact | None = None,
    topics: Topics | None = None,
    grades: Mapping[Label, Label] | None = None,
    backend: str = "auto",
) -> Evaluation:
    """Evaluate a run against qrels.

    qrels, run: a path ("-": standard input) or an open file in TREC format, plain or compressed;
        a dict {query: {document: label or score}}; rows (query, document, label or score), also
        with the attribute names of ir_measures; or a data frame with such columns
    measures: one or several, "nDCG(gain='exp2')@10" as in ir_measures or "ndcg_cut.5,10" as in
        trec_eval
    profile: the conventions of a program, such as "trec_eval-9" (RS-CONV-18); each of the
        following that is given replaces the profile's
    order: a run is ordered by "score", by the "rank" column of a TREC file, or in the order of the
        "file", the dict or the rows (RS-CONV-32)
    ties: the rule for documents of equal score: "id-descending" (trec_eval's and the default),
        "id-ascending", "input", "best", "worst" or "expected" (RS-TIE-2)
    scores: compared as "double" or as "float32" (RS-CONV-12)
    unjudged: retrieved documents without a judgment are "nonrelevant", left out ("condensed",
        RS-CONV-13), or judged so that values are "lowest" or "highest" (RS-CONV-14)
    negative: labels below 0 count as "zero", as "unjudged" or are an "error" (RS-CONV-15)
    relevance: a label is the relevance itself ("label"), or it is a score, any number, of which the
        relevance is made: "phi", or "phi-authors-program"; nDCG is nDCG_phi then (RS-CONV-20)
    undefined: the value where the divisor is 0 is "zero" or "one", or "omit": there is none;
        "omit-query": no measure has one where no label of the pool is above 0 (RS-CONV-4)
    queries: those of the "qrels", "both", "run", "complete" or "same" (RS-CONV-9)
    duplicates: "error", or which is kept: "first", "last" or "best" (RS-CONV-10)
    lines: of TREC files, "exact", with something behind the tag of a run ("tail"), or also with
        comments, lines that begin with "#" ("comments") (RS-CONV-33)
    depth: how many documents of each query are considered (RS-CONV-16)
    pool: all "judged" documents, or the "retrieved" ones (RS-CONV-17)
    gain, discount, rel: what a measure takes that does not say so itself
    topics: the topic of each query of the run, where the qrels are by topic: a file of lines of
        query and topic, or a dict; queries that it does not name are not judged (RS-CONV-25)
    grades: {label: the label that is meant}; those that it does not name stay (RS-CONV-25)
    backend: "auto": the C core, or where it is not built the reference, with a warning; "c"; or
        "reference", the certified reference in Python; the values are the same

    Raises InputError for whatever the spec does not admit, with its place. Warns (InputWarning)
    where qrels and run have no query in common, or few (RS-CONV-27), or are like each other's
    (RS-CONV-28).
    """
    chosen_profile, conventions = profiles.chosen_conventions(
        profile,
        {
            "order": order,
            "ties": ties,
            "scores": scores,
            "unjudged": unjudged,
            "negative": negative,
            "relevance": relevance,
            "undefined": undefined,
            "queries": queries,
            "duplicates": duplicates,
            "lines": lines,
            "depth": depth,
            "pool": pool,
            "gain": gain,
            "discount": discount,
            "rel": rel,
        },
    )
    judged, how = judged_by(qrels, conventions, topics, grades)
    found = evaluate_by(conventions, chosen_profile, judged, run, measures, backend, None, how)
    warn_of([found])
    return found


def judged_by(
    qrels: QrelsLike,
    conventions: Conventions,
    topics: Topics | None,
    grades: Mapping[Label, Label] | None,
) -> tuple[QrelsLike, str | None]:
    """The qrels with the labels that are meant, by the queries of the run; and this in words."""
    if topics is None and grades is None:
        return qrels, None
    from ..formats.sessions import topics_of
    from .sessions.judgments import checked_grades

    labels, words = labels_of(qrels, conventions.how), []
    if grades is not None:
        meant = checked_grades(grades) or {}
        labels = {q: {d: meant.get(x, x) for d, x in own.items()} for q, own in labels.items()}
        words.append("grades " + ",".join(f"{x}={y}" for x, y in meant.items()))
    if topics is not None:
        topic_of = topics_of(topics)
        labels = {query: labels[t] for query, t in topic_of.items() if t in labels}
        words.append("each query has those of its topic")
        if not labels:
            raise InputError("topics: none of the topics is in the qrels (RS-CONV-25)")
    return labels, "; ".join(words)


def warn_of(evaluations: Iterable[Evaluation]) -> None:
    """Say what of the input is hardly meant, at the line that called this package."""
    for evaluation in evaluations:
        for text in evaluation.warnings:
            words = f"{text}; {plausibility.SILENCE}"
            warnings.warn(words, InputWarning, stacklevel=engine.depth_of_caller())


def evaluate_by(
    conventions: Conventions,
    profile: Profile | None,
    qrels: Qrels,
    run: RunLike,
    measures: str | Measure | Iterable[str | Measure],
    backend: str = "auto",
    progress: Callable[[int, int | None], None] | None = None,
    judgments: str | None = None,
    kept: Kept | None = None,
) -> Evaluation:
    """As evaluate(), with the conventions in one.

    qrels: also what prepared() has made of them, for several runs
    progress: is told now and then how many bytes of the run are read, and of how many (None:
        nobody knows), by any thread
    judgments: what was made of the qrels before, in words
    kept: where the ranked lists are left, for who asks more of them, with their conventions
    """
    chosen = chosen_measures(measures, conventions, profile)
    judged = prepared(qrels, conventions, backend)
    check_labels(profile, conventions, judged)
    check_gains(chosen, judged)
    groups = profiles.by_conventions(chosen, conventions, profile) or {conventions: []}
    with _as_often(run, len(groups), conventions) as again:
        found = [
            _evaluated(own, profile, judged, again, few, backend, None if a else progress, kept)
            for a, (own, few) in enumerate(groups.items())
        ]
    return replace(_joined(found, chosen, conventions), judgments=judgments)


@contextmanager
def _as_often(run: RunLike, times: int, conventions: Conventions) -> Iterator[RunLike]:
    """The run, to be read so many times."""
    if times == 1:
        yield run
    elif is_file(run):
        with readable_again(run) as stream:
            yield stream
    else:
        yield scores_of(run, conventions.how)


def _joined(
    found: Sequence[Evaluation], measures: tuple[Measure, ...], conventions: Conventions
) -> Evaluation:
    """One evaluation of several of the same run, each of some of the measures."""
    own = {str(m): x.conventions for x in found for m in x.measures}
    per_query = {name: values for x in found for name, values in x.per_query.items()}
    mean = {name: value for x in found for name, value in x.mean.items()}
    names = list(map(str, measures))
    return replace(
        found[0],
        measures=measures,
        per_query={name: per_query[name] for name in names},
        mean={name: mean[name] for name in names},
        conventions=conventions,
        apart={name: apart for x in found for name, apart in x.apart.items()},
        otherwise={name: own[name] for name in names if own[name] != conventions},
    )


def _evaluated(
    conventions: Conventions,
    profile: Profile | None,
    judged: Judged,
    run: RunLike,
    chosen: Sequence[Measure],
    backend: str,
    progress: Callable[[int, int | None], None] | None,
    kept: Kept | None,
) -> Evaluation:
    """The values of measures whose conventions are these."""

    def work(ranked: Lists) -> tuple[list[Sequence[float | None]], list[list[bool]]]:
        if kept is not None:
            kept.append((conventions, ranked))
        found = values(chosen, ranked, conventions, judged.highest, backend)
        return found, _omissible(chosen, ranked, conventions)

    swapped = judged.like_scores and not conventions.scored and not is_file(run)  # perhaps
    if swapped and not isinstance(run, Mapping):
        run = scores_of(run, conventions.how)
    pieces = judged.map_run(run, conventions, work, progress)
    retrieved = [query for piece in pieces for query in piece.queries]
    evaluated = chosen_queries(judged.queries, retrieved, conventions.queries)
    known = set(retrieved)
    missing = [query for query in judged.queries if query not in known]
    empty = [query for query in missing if conventions.queries == "qrels"]
    if empty:
        pieces.append(judged.empty_lists(empty, conventions, work))
    per_query, optional = {}, {}
    for a, measure in enumerate(chosen):
        found: dict[str, float | None] = {}
        for piece in pieces:
            found.update(zip(piece.queries, piece.result[0][a], strict=True))
        per_query[str(measure)] = {q: x for q in evaluated if (x := found[q]) is not None}
        optional[str(measure)] = {
            q
            for piece in pieces
            for q, omitted in zip(piece.queries, piece.result[1][a], strict=False)
            if omitted
        }
    about_queries = plausibility.about_queries(judged.queries, retrieved)
    about_arguments = None
    if swapped and isinstance(run, Mapping):
        about_arguments = plausibility.about_arguments(run)
    return evaluation_of(
        chosen,
        evaluated,
        per_query,
        conventions,
        profile,
        missing,
        optional=optional,
        highest=judged.highest,
        warnings=tuple(filter(None, (about_queries, about_arguments))),
        extra=tuple(sorted(known.difference(judged.queries, evaluated))),
    )


def evaluation_of(
    measures: Iterable[Measure],
    queries: Iterable[str],
    per_query: dict[str, dict[str, float]],
    conventions: Conventions,
    profile: Profile | None,
    missing: Iterable[str] = (),
    ranking: str | None = None,
    optional: Mapping[str, Set[str]] | None = None,
    highest: Label | None = None,
    warnings: tuple[str, ...] = (),
    otherwise: Mapping[str, Conventions] | None = None,
    extra: tuple[str, ...] = (),
) -> Evaluation:
    """The values of queries, with their means.

    optional: {name of a measure: the queries that some judgment leaves without a value}, of the
        lowest and highest values (RS-CONV-14)
    """
    of_mean = per_query
    if optional and any(optional.values()):
        from .extremes import extreme_mean_is_over

        upwards = conventions.unjudged == "highest"
        of_mean = {
            name: extreme_mean_is_over(found, optional[name], upwards)
            for name, found in per_query.items()
        }
    return Evaluation(
        measures=tuple(measures),
        queries=tuple(queries),
        per_query=per_query,
        mean={name: mean_of(name, found) for name, found in of_mean.items()},
        conventions=conventions,
        missing=tuple(missing),
        profile=profile.name if profile else None,
        ranking=ranking,
        highest=highest,
        warnings=warnings,
        apart={
            name: apart
            for name, found in per_query.items()
            if (apart := tuple(query for query in found if query not in of_mean[name]))
        },
        otherwise=otherwise or {},
        extra=extra,
    )


def prepared(qrels: Qrels, conventions: Conventions, backend: str = "auto") -> Judged:
    """Qrels made ready to be joined with runs, under the conventions of the evaluation."""
    if isinstance(qrels, Judged):
        return qrels
    if engine.answering(backend) == "reference":
        labels = labels_of(qrels, conventions.how)
        return JudgedTable(labels, conventions)
    # Only here is the compiled core needed.
    from .joined import judgments_of

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
        if profile is not None and (why := profile.refusal(measure)):
            raise InputError(
                f'measure "{measure}": the profile "{profile.name}" {why} (RS-CONV-18)'
            )
        extreme = conventions.unjudged in ("lowest", "highest")
        if extreme and not measure.metric.has_extreme(measure, conventions.unjudged == "highest"):
            raise InputError(
                f'measure "{measure}": of this measure the {conventions.unjudged} value over all '
                "judgments cannot be had (RS-CONV-14)"
            )
        if extreme and conventions.undefined == "omit-query" and not _has_no_value_of_0(measure):
            raise InputError(
                f'measure "{measure}": with undefined="omit-query" the {conventions.unjudged} '
                'value of this measure is not known here; there are "zero" and "omit" (RS-CONV-14)'
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


def _has_no_value_of_0(measure: Measure) -> bool:
    """Whether a pool of which no label is above 0 gives it nothing to divide by."""
    metric = measure.metric
    return metric.judged and metric.divides_by_0(
        measure.uncut if metric.of is None else measure, [0]
    )


def names_of(measures: str | Measure | Iterable[str | Measure]) -> list[str | Measure]:
    """The names of measures that are given, one or several."""
    if isinstance(measures, (str, Measure)):
        return [measures]
    if not isinstance(measures, Iterable) or isinstance(measures, (bytes, bytearray)):
        raise grammar.no_name(measures)
    names = list(measures)
    for name in names:
        if not isinstance(name, (str, Measure)):
            raise grammar.no_name(name)
    if not names:
        raise InputError('measures: there is none; name at least one, "nDCG@10" say')
    return names


def measures_named(name: str | Measure, conventions: Conventions) -> list[Measure]:
    """The measures that a name stands for; where labels are scores, nDCG is nDCG_phi."""
    defaults: dict[str, Any] = {n: getattr(conventions, n) for n in ("gain", "discount", "rel")}
    defaults["variant"] = _VARIANTS[conventions.relevance]
    measures = grammar.measures(name, defaults)
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
    return make(meant, measure.k, discount=measure.discount, variant=defaults["variant"])


def check_labels(profile: Profile | None, conventions: Conventions, judged: Judged) -> None:
    """An InputError that names the first document whose label the profile's program cannot read."""
    if profile is None or not profile.whole_labels:
        return
    if refused := profile.refused_labels(judged.distinct_labels(), conventions):
        query, document, label = judged.first_of(refused)
        raise InputError(
            f"qrels: label {label} of document {shown_text(document)} for query "
            f"{shown_text(query)}: {profile.labels_refused()}"
        )


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
            columns = scores_as_labels.values(measures, batch, backend)
        except engine.TooFewWeights as error:
            raise InputError(f'measure "{error.measure}": {error}') from None
        if conventions.undefined == "zero":
            return list(columns)
        instead = 1.0 if conventions.undefined == "one" else None
        return [
            # Whatever the list: UL2 may have another value than 0 there (RS-BND-4).
            [
                instead if out or undefined else x
                for x, undefined, out in zip(column, flags, out_of_it, strict=True)
            ]
            for column, flags, out_of_it in (
                (column, _undefined(measure, batch), left_out(measure, batch, conventions))
                for measure, column in zip(measures, columns, strict=True)
            )
        ]

    if conventions.unjudged in ("lowest", "highest"):
        from .extremes import extreme_values

        return extreme_values(measures, ranked, conventions, highest, values_of)
    found: dict[Measure, Sequence[float | None]] = {}
    for chosen in _of_one_batch(measures):
        batch = scores_as_labels.batch_of(chosen[0], ranked)
        found |= zip(chosen, values_of(chosen, batch), strict=True)
    return [found[measure] for measure in measures]


def _omissible(
    measures: Sequence[Measure], ranked: Lists, conventions: Conventions
) -> list[list[bool]]:
    """For each measure and list, whether it is for the lowest or highest mean to leave it out."""
    omits = conventions.undefined in ("omit", "omit-query")  # the same for what is not refused
    if not omits or conventions.unjudged not in ("lowest", "highest"):
        return [[] for _ in measures]
    from .extremes import omissible

    return omissible(measures, ranked, conventions)


def _of_one_batch(measures: Sequence[Measure]) -> list[list[Measure]]:
    """The measures, in groups that are taken of the same batch."""
    groups: dict[tuple[bool, bool], list[Measure]] = {}
    for measure in measures:
        kind = measure.metric.relevance is not None, measure.metric.sees_unjudged
        groups.setdefault(kind, []).append(measure)
    return list(groups.values())


def _undefined(measure: Measure, batch: engine.Batch) -> list[bool]:
    """For each list, whether the divisor is 0: by the pool, at the cut-off (RS-CONV-4)."""
    metric = measure.metric
    if not metric.judged:
        return [False] * len(batch)
    pools = (batch.pool[begin:end] for begin, end in pairwise(batch.pool_offsets))
    if measure.k is not None or metric.of is None or not metric.divisor_is_k(measure):
        return [metric.divides_by_0(measure, pool) for pool in pools]
    lengths = (end - begin for begin, end in pairwise(batch.offsets))
    return [  # of P, the number of results is the cut-off
        metric.divides_by_0(replace(measure, k=measure.depth(n, len(pool))), pool)
        for n, pool in zip(lengths, pools, strict=True)
    ]


def left_out(measure: Measure, batch: engine.Batch, conventions: Conventions) -> list[bool]:
    """For each list, whether its query is left out: no label of the pool is above 0 (RS-CONV-4)."""
    if conventions.undefined != "omit-query" or measure.metric.relevance is not None:
        return [False] * len(batch)
    return [
        not any(label > 0 for label in batch.pool[begin:end])
        for begin, end in pairwise(batch.pool_offsets)
    ]


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
