"""Runs against qrels: the values of measures, query by query and on average.

    >>> result = evaluate("qrels.txt", "a.run", ["nDCG@10", "AP"])      # doctest: +SKIP
    >>> result["nDCG@10"], result.per_query["AP"]["q1"]                 # doctest: +SKIP

Without a profile the conventions are those of trec_eval -c; each result can say which.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import islice, pairwise

from ..compute.arithmetic import standard_arithmetic
from ..compute.at_once import is_taken
from ..compute.backends import answering, depth_of_caller
from ..compute.batch import Batch
from ..compute.checks import TooFewWeights
from ..compute.gain import DiscountLike, GainLike
from ..compute.pools import has_no_relevant
from ..errors import CoreMissing, InputError, InputWarning, shown_text
from ..formats import trec
from ..formats.column_names import ColumnNames
from ..formats.columns import ColumnBlocks, Columns, Ungrouped
from ..formats.frames import (
    FromLists,
    Label,
    QrelsLike,
    RunLike,
    by_column,
    labels_of,
    named,
    scores_of,
)
from ..formats.streams import Stream, is_file, readable_again
from ..metrics.measure import Measure
from ..records import replace
from ..typed import TYPE_CHECKING, NamedTuple, TypeAlias
from . import plausibility, scores_as_labels
from .conventions import Conventions, checked_grades, meaning, written_grades
from .measures import MeasuresLike, chosen_measures
from .plans import Plan, asked, planned
from .profiles import Profile
from .ranked import OF_FILES, OF_LISTS, Judged, JudgedTable, RankedLists, chosen_queries, is_judged
from .result import Evaluation

if TYPE_CHECKING:
    from ..formats.sessions import Topics
    from ..reference.numbers.reals import Exact

Qrels: TypeAlias = "QrelsLike | Judged"
HEAD_OF_RUN = 1 << 16  # bytes, of which the first query is looked at
Kept: TypeAlias = "list[tuple[Conventions, RankedLists]]"


@standard_arithmetic
def evaluate(
    qrels: QrelsLike,
    run: RunLike,
    measures: MeasuresLike,
    *,
    profile: str | None = None,
    order: str | None = None,
    ties: str | None = None,
    scores: str | None = None,
    unjudged: str | None = None,
    labels: str | None = None,
    negative: str | None = None,
    relevance: str | None = None,
    undefined: str | None = None,
    results: str | None = None,
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
    columns: ColumnNames | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    backend: str = "auto",
) -> Evaluation:
    """Evaluate a run against qrels.

    qrels, run: a path ("-": standard input) or an open file in TREC format, plain or compressed, or
        in one of those of RS-CONV-48: Parquet, CSV, JSON lines, ...; "irds:NAME", a data set that
        ir_datasets knows; a dict {query: {document: label or score}}; rows (query, document, label
        or score), also with the attribute names of ir_measures; or a data frame, of pandas, polars,
        pyarrow, DuckDB or whatever speaks Arrow (RS-CONV-42)
    measures: one or several, "nDCG(gain='exp2')@10" as in ir_measures or "ndcg_cut.5,10" as in
        trec_eval; also measure objects of ir_measures
    profile: the conventions of a program, such as "trec_eval-9" (RS-CONV-18); each of the following
        arguments overrides the profile
    order: what orders a run: the "score", the "rank" column of a TREC file, or the order in the
        "file", the dict or the rows (RS-CONV-32)
    ties: the rule for documents of equal score: "id-descending" (trec_eval's and the default),
        "id-ascending", "input", "best", "worst" or "expected" (RS-TIE-2)
    scores: the precision in which scores are compared, "double" or "float32" (RS-CONV-12)
    unjudged: retrieved documents without a judgment are "nonrelevant", left out ("condensed",
        RS-CONV-13), or judged so that values are "lowest" or "highest" (RS-CONV-14)
    labels: fractional labels count as they are ("exact"), are cut to integers ("floor" or
        "truncate"), or, between 0 and 1, count as 0 ("from-1") (RS-CONV-39)
    negative: labels below 0 count as "zero", as "unjudged", are an "error", or are "kept" for
        measures that take them (RS-CONV-15)
    relevance: a label is the relevance itself ("label"), or a score, any number, from which the
        relevance follows ("phi" or "phi-authors-program"); nDCG then means nDCG_phi (RS-CONV-20)
    undefined: what to do if the divisor is 0: the value is "zero", "one" or "nan"; there is no
        value ("omit"); there is none, and if no label of the pool is above 0, no measure has a
        value for the query ("omit-query"); or it is an "error" (RS-CONV-4)
    results: values as "double", or rounded at the end to "float32" or to five decimals
        ("decimals-5") (RS-CONV-40)
    queries: which queries count: "qrels", "both", "run", "complete" or "same" (RS-CONV-9)
    duplicates: a document that a query lists twice is an "error", or this one is kept: "first",
        "last" or "best" (RS-CONV-10)
    lines: how to read TREC files: "exact"; "tail", which allows text after the tag of a run; or
        "comments", which also skips lines that begin with "#" (RS-CONV-33)
    depth: how many documents of each query count, from the top (RS-CONV-16)
    pool: all "judged" documents, or only the "retrieved" ones (RS-CONV-17)
    gain, discount, rel: values for measures that do not name their own
    topics: the topic of each query of the run, if the qrels are by topic: a file of lines of query
        and topic, or a dict; queries that it does not name count as unjudged (RS-CONV-25)
    grades: {label: replacement}; labels not in it stay as they are (RS-CONV-25)
    columns: column names of data frames and table files, other than the usual ones: {"query": NAME,
        "document": NAME, "label": NAME, "score": NAME}, or one such dict for each of {"qrels": ...,
        "run": ...} (RS-CONV-43)
    qrels_format, run_format: the format of a file, "trec", "csv", "tsv", "jsonl", "json",
        "parquet", "beir", "ntcir", "msmarco" or "triples"; by default the content decides
        (RS-CONV-48)
    backend: "auto": the C core, or, with a warning, the reference if the core is not built; "c":
        the core; "reference": the certified reference in Python. All give the same values

    Raises InputError, with the place, for input that the spec does not admit. Warns (InputWarning)
    if qrels and run have few or no queries, or no documents, in common (RS-CONV-27), or if the two
    look swapped (RS-CONV-28).
    """
    of = asked(
        profile,
        {
            "order": order,
            "ties": ties,
            "scores": scores,
            "unjudged": unjudged,
            "labels": labels,
            "negative": negative,
            "relevance": relevance,
            "undefined": undefined,
            "results": results,
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
    order = of.conventions.order
    qrels, run = named(qrels, run, order, columns, qrels_format, run_format)
    judged, how = judged_by(qrels, of.conventions, topics, grades)
    found = evaluate_as(of.plan(measures), judged, run, backend, None, how)
    if found.warnings:
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

    labels, words = labels_of(qrels, conventions.how), []
    if grades is not None:
        meant = checked_grades(grades) or {}
        labels = {q: {d: meant.get(x, x) for d, x in own.items()} for q, own in labels.items()}
        words.append(f"grades {written_grades(meant)}")
    if topics is not None:
        from ..formats.sessions import topics_of

        topic_of = topics_of(topics)
        labels = {query: labels[t] for query, t in topic_of.items() if t in labels}
        words.append("each query has those of its topic")
        if not labels:
            raise InputError("topics: the qrels contain none of the topics (RS-CONV-25)")
    return labels, "; ".join(words)


def warn_of(evaluations: Iterable[Evaluation]) -> None:
    """Say what of the input is hardly meant, at the line that called this package."""
    warn_of_input(text for evaluation in evaluations for text in evaluation.warnings)


def warn_of_runs(evaluations: Iterable[tuple[str, Evaluation]]) -> None:
    """The same of runs with names."""
    for name, evaluation in evaluations:
        for text in evaluation.warnings:
            _warn(f"run {shown_text(name)}: {text}", f"{name}: {text}")


def warn_of_input(texts: Iterable[str]) -> None:
    """Say each of these at the line that called this package."""
    for text in texts:
        _warn(text, text)


def _warn(words: str, line: str) -> None:
    """Warn in these words, and by the command line in that line."""
    warning = InputWarning(f"{words}; {plausibility.SILENCE}")
    warning.line = line
    warnings.warn(warning, stacklevel=depth_of_caller())


def evaluate_by(
    conventions: Conventions,
    profile: Profile | None,
    qrels: Qrels,
    run: RunLike,
    measures: MeasuresLike,
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
    plan = planned(measures, conventions, profile)
    return evaluate_as(plan, qrels, run, backend, progress, judgments, kept)


def evaluate_as(
    plan: Plan,
    qrels: Qrels,
    run: RunLike,
    backend: str = "auto",
    progress: Callable[[int, int | None], None] | None = None,
    judgments: str | None = None,
    kept: Kept | None = None,
) -> Evaluation:
    """As evaluate_by(), with conventions and measures as they are planned."""
    conventions, profile = plan.conventions, plan.profile
    if type(qrels) is dict and type(run) is dict and kept is None and judgments is None:
        at_once = _of_core()(plan, qrels, run) if answering(backend) == "c" else None
        if at_once is not None:
            return at_once
    run = by_column(run, "run", conventions.order)
    judged = prepared(qrels, conventions, backend)
    if plan.open_below_0:
        check_below_0(profile, conventions, plan.measures, judged)
    check_labels(profile, conventions, judged)
    check_gains(plan.picky, judged, plan.usual)
    check_pairs(plan.measures, judged)
    if isinstance(run, ColumnBlocks) and run.otherwise is not None:
        if kept is None:
            with suppress(Ungrouped, InputError):  # which has other words, or none, as a whole
                return _planned(plan, judged, run, backend, progress, None, judgments)
        run = run.otherwise()
    return _planned(plan, judged, run, backend, progress, kept, judgments)


def _planned(
    plan: Plan,
    judged: Judged,
    run: RunLike,
    backend: str,
    progress: Callable[[int, int | None], None] | None,
    kept: Kept | None,
    judgments: str | None,
) -> Evaluation:
    """The same of qrels that are ready, and a run whose rows of each query stand together."""
    conventions, profile = plan.conventions, plan.profile
    if plan.is_one:
        (own, few), *_ = plan.groups
        return _evaluated(own, profile, judged, run, few, backend, progress, kept, judgments)
    with _as_often(run, len(plan.groups), conventions) as again:
        found = [
            _evaluated(
                *(own, profile, judged.under(own), again, few),
                *(backend, None if a else progress, kept, judgments),
            )
            for a, (own, few) in enumerate(plan.groups)
        ]
    return _joined(found, plan.measures, conventions)


@cache
def _of_core() -> Callable[[Plan, QrelsLike, RunLike], Evaluation | None]:
    """What has the values of one query at once, for which the compiled core is needed."""
    from .one_query import of_one_query

    return of_one_query


@contextmanager
def _as_often(run: RunLike, times: int, conventions: Conventions) -> Iterator[RunLike]:
    """The run, to be read so many times."""
    if times == 1:
        yield run
    elif is_file(run):
        with readable_again(run) as stream:
            yield stream
    elif isinstance(run, (Columns, ColumnBlocks)) or type(run) is dict:
        yield run
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
    judgments: str | None,
) -> Evaluation:
    """The values of measures whose conventions are these."""

    def work(ranked: RankedLists) -> Answer:
        return answer(chosen, ranked, conventions, judged.highest, backend, kept is not None)

    plain = type(run) is dict
    of_lists = not plain and isinstance(run, FromLists)
    swapped = (  # perhaps
        judged.like_scores and not conventions.scored and (plain or not (of_lists or is_file(run)))
    )
    if not plain:
        run = _read_once(run, conventions, swapped)
    head: list[tuple[str, str]] = []
    if isinstance(run, ColumnBlocks):
        run = _noting_head(run, head)
    ranks = None if kept is not None else ranks_read(chosen, conventions)
    pieces = judged.map_run(run, conventions, work, progress, ranks=ranks)
    retrieved = [query for piece in pieces for query in piece.queries]
    seen = _seen(judged.queries, retrieved, conventions, of_lists)
    if seen.missing and conventions.queries == "qrels":
        pieces.append(judged.empty_lists(seen.missing, conventions, work))
    per_query = {
        str(measure): by_query(
            seen.evaluated, [(piece.queries, piece.result.values[a]) for piece in pieces]
        )
        for a, measure in enumerate(chosen)
    }
    about_documents, about_arguments = None, None
    if not any(piece.result.has_judged for piece in pieces):
        about_documents = _about_documents(judged, run, retrieved, conventions)
    else:
        about_documents = _about_passages(judged, run, head)
    if swapped and isinstance(run, (Mapping, Columns, ColumnBlocks)):
        about_arguments = plausibility.about_arguments(run)
    if kept is not None:
        kept += [(conventions, lists) for piece in pieces for lists in piece.result.lists]
    irrelevant = {query for piece in pieces for query in piece.result.irrelevant}
    return evaluation_of(
        chosen,
        seen.evaluated,
        per_query,
        conventions,
        profile,
        seen.missing,
        optional=optional_queries(
            chosen, [(piece.queries, piece.result.omissible) for piece in pieces]
        ),
        highest=judged.highest,
        warnings=tuple(filter(None, (seen.warning, about_documents, about_arguments))),
        extra=seen.extra,
        judgments=judgments,
        without_relevant=tuple(q for q in seen.evaluated if q in irrelevant),
    )


class Answer(NamedTuple):
    """All that is asked of some ranked lists.

    Nothing of it is put elsewhere: it does not count where the pieces of a file have queries in
    common, and are asked again when the file is grouped.

    values, omissible: of each measure, the values and what `omissible_lists` returns
    has_judged: whether a document is judged
    irrelevant: the queries without a relevant document
    lists: the ranked lists, where they are kept
    """

    values: list[Sequence[float | None]]
    omissible: list[list[bool]]
    has_judged: bool
    irrelevant: list[str]
    lists: list[RankedLists]


def answer(
    measures: Sequence[Measure],
    ranked: RankedLists,
    conventions: Conventions,
    highest: Label,
    backend: str,
    keep: bool = False,
) -> Answer:
    """Return what is asked of ranked lists."""
    return Answer(
        values(measures, ranked, conventions, highest, backend),
        omissible_lists(measures, ranked, conventions),
        ranked.has_judged(),
        [] if conventions.scored else list(queries_without_relevant(ranked)),
        [ranked] if keep else [],
    )


def queries_without_relevant(ranked: RankedLists) -> Iterator[str]:
    """Yield the queries of which no label of the pool is above 0."""
    pool, offsets = ranked.batch.pool, ranked.batch.pool_offsets
    for query, (begin, end) in zip(ranked.queries, pairwise(offsets), strict=True):
        if has_no_relevant(pool[begin:end]):
            yield query


def ranks_read(measures: Sequence[Measure], conventions: Conventions) -> int | None:
    """How many ranks of a list matter to the values of measures, with the rest of the tie group
    there; None: all, or it is not sure (RS-CONV-2/L1).
    """
    depths = [m.order_matters_to for m in measures]
    known = [k for k in depths if k is not None]
    if not known or len(known) < len(depths):
        return None
    others_read_more = (
        conventions.depth is not None
        or conventions.own_pool
        or conventions.extreme
        or conventions.undefined != "zero"
        or conventions.scored
    )
    if others_read_more or any(m.metric.sees_unjudged for m in measures):
        return None
    if not all(map(is_taken, measures)):  # the reference refuses too many orders of a whole list
        return None
    if any(m.refusal(0) for m in measures):  # an unjudged document behind the last of these ranks
        return None
    return max(known)


class _Seen(NamedTuple):
    """What becomes of the queries of qrels and of a run. See Evaluation."""

    evaluated: list[str]
    missing: list[str] = []  # noqa: RUF012 - a default that nobody changes
    extra: tuple[str, ...] = ()
    warning: str | None = None


def _seen(
    judged: list[str], retrieved: list[str], conventions: Conventions, of_lists: bool
) -> _Seen:
    if judged == retrieved and judged:  # what each rule for queries makes of them
        return _Seen(judged)
    names = OF_LISTS if of_lists else OF_FILES
    evaluated = chosen_queries(judged, retrieved, conventions.queries, names)
    shown = set(judged).intersection(retrieved)  # no set of what may be millions of other queries
    known = {*judged, *evaluated}
    return _Seen(
        evaluated,
        [query for query in judged if query not in shown],
        tuple(sorted(query for query in retrieved if query not in known)),
        plausibility.about_queries(judged, retrieved, of_lists),
    )


def _read_once(run: RunLike, conventions: Conventions, swapped: bool) -> RunLike:
    """The run, to be looked at again: rows may come once. swapped: whether it may be the qrels."""
    if isinstance(run, (Mapping, ColumnBlocks)):
        return run
    by_column = isinstance(run, Columns)
    if swapped and not (by_column and conventions.order == "score"):
        return scores_of(run, conventions.how)
    return run if by_column or is_file(run) else scores_of(run, conventions.how)


def optional_queries(
    chosen: Sequence[Measure], pieces: Sequence[tuple[list[str], list[list[bool]]]]
) -> dict[str, set[str]]:
    """The queries that the mean of each measure may leave out, by its name; nothing: none may."""
    return {
        str(measure): {
            query
            for queries, flags in pieces
            for query, omitted in zip(queries, flags[a], strict=True)
            if omitted
        }
        for a, measure in enumerate(chosen)
        if all(flags for _, flags in pieces)
    }


def by_query(
    evaluated: list[str], columns: Sequence[tuple[list[str], Sequence[float | None]]]
) -> dict[str, float]:
    """The values of queries, in their order, of those that have one."""
    if len(columns) == 1 and columns[0][0] == evaluated:
        return {q: x for q, x in zip(*columns[0], strict=True) if x is not None}
    by_query: dict[str, float | None] = dict.fromkeys(evaluated)
    for queries, values in columns:
        known = ((q, x) for q, x in zip(queries, values, strict=True) if q in by_query)
        by_query.update(known)
    return {q: x for q, x in by_query.items() if x is not None}


def _about_documents(
    judged: Judged, run: RunLike, retrieved: Sequence[str], conventions: Conventions
) -> str | None:
    """What may be wrong with a run of which no document that is considered is judged."""
    in_common = len(set(judged.queries).intersection(retrieved))
    if not in_common:
        return None
    return plausibility.about_documents(
        lambda: _pairs_of(run, conventions),
        judged.documents_of,
        in_common,
        form_of(run),
        look_at_all=conventions.depth is not None,
    )


def form_of(run: RunLike) -> plausibility.Form:
    """Return the form of a run, by which plausibility words its advice."""
    if isinstance(run, FromLists):
        return "lists"
    if isinstance(run, Stream):
        return "trec"
    return "table" if isinstance(run, (Columns, ColumnBlocks)) else "dict"


def _noting_head(run: ColumnBlocks, head: list[tuple[str, str]]) -> ColumnBlocks:
    """The same blocks, which leave the first pairs of query and document in head when read."""

    def blocks() -> Generator[Columns]:
        with closing(run.blocks()) as own:
            for block in own:
                if not head:
                    head.extend(_head_of(block))
                yield block

    return ColumnBlocks(blocks, run.otherwise)


def _head_of(columns: Columns) -> list[tuple[str, str]]:
    most = min(len(columns), plausibility.ENOUGH_TO_COMPARE)
    return [(columns.queries[a], columns.documents[a]) for a in range(most)]


def _about_passages(
    judged: Judged, run: RunLike, head: Sequence[tuple[str, str]] = ()
) -> str | None:
    """Return a warning about the ids of the run's first query, or None.

    head: the first pairs of query and document of a run that was read in blocks
    """
    most = plausibility.ENOUGH_TO_COMPARE
    pairs = list(head)
    if isinstance(run, Stream):
        lines = run.head(HEAD_OF_RUN).splitlines()[:most]
        ids = (map(trec.id_of, trec.pair_of(line, trec.RUN)) for line in lines)
        pairs = [(query, document) for query, document in ids]
    elif isinstance(run, Columns):
        pairs = _head_of(run)
    elif isinstance(run, dict) and run:
        query, own = next(iter(run.items()))
        pairs = [(str(query), str(document)) for document in islice(own, most)]
    if not pairs:
        return None
    query = pairs[0][0]
    retrieved = [document for q, document in pairs if q == query]
    return plausibility.about_passages(
        query, retrieved, lambda: judged.documents_of(query), form_of(run)
    )


def _pairs_of(run: RunLike, conventions: Conventions) -> Iterator[tuple[str, str]]:
    """The query and the document of each row of a run that was read before."""
    if isinstance(run, Stream):
        for line in _lines_of(run):
            query, document = trec.pair_of(line, trec.RUN)
            yield trec.id_of(query), trec.id_of(document)
    elif isinstance(run, Columns):
        yield from zip(run.queries.texts(), run.documents.texts(), strict=True)
    elif isinstance(run, ColumnBlocks):
        for block in run:
            yield from _pairs_of(block, conventions)
    else:
        for name, own in scores_of(run, conventions.how).items():
            for x in own:
                yield name, x


def _lines_of(run: Stream) -> Iterable[bytes]:
    try:
        from ..formats.blocks import lines  # which finds them by the core, block by block
    except CoreMissing:
        return run.content().split(b"\n")
    return lines(run)


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
    judgments: str | None = None,
    without_relevant: tuple[str, ...] = (),
) -> Evaluation:
    """The values of queries, with their means; an InputError where one is not to be undefined.

    optional: {name of a measure: the queries that some judgment leaves without a value}, of the
        lowest and highest values (RS-CONV-14)
    """
    check_defined(per_query, conventions)
    measures = tuple(measures)
    named = {str(m): m for m in measures}
    of_mean = per_query
    if optional and any(optional.values()):
        from .extremes import extreme_mean_is_over

        upwards = conventions.extreme == "highest"
        of_mean = {
            name: extreme_mean_is_over(found, optional[name], upwards)
            for name, found in per_query.items()
        }
    return Evaluation(
        measures=measures,
        queries=tuple(queries),
        per_query=per_query
        if conventions.results == "double"
        else {
            name: {query: rounded(x, conventions.results) for query, x in found.items()}
            for name, found in per_query.items()
        },
        mean={
            name: rounded(mean_of(named[name], found), conventions.results)
            for name, found in of_mean.items()
        },
        conventions=conventions,
        missing=tuple(missing),
        profile=profile.name if profile else None,
        ranking=ranking,
        highest=highest,
        warnings=warnings,
        apart={}
        if of_mean is per_query
        else {
            name: apart
            for name, found in per_query.items()
            if (apart := tuple(query for query in found if query not in of_mean[name]))
        },
        otherwise=otherwise or {},
        extra=extra,
        judgments=judgments,
        without_relevant=without_relevant,
    )


def rounded(x: float, results: str) -> float:
    """A value or a mean as the convention gives it (RS-CONV-40)."""
    rounding: Callable[[float], float] | None = meaning("results", results)
    return x if rounding is None else rounding(x)


def check_defined(per_query: Mapping[str, Mapping[str, float]], conventions: Conventions) -> None:
    """Under undefined="error" an InputError that names the first measure and query without one."""
    if conventions.undefined != "error":
        return
    for name, found in per_query.items():
        for query, x in found.items():
            if math.isnan(x):
                raise InputError(
                    f'measure "{name}": query {shown_text(query)} has the divisor 0, which '
                    'undefined="error" does not admit (RS-CONV-4)'
                )


def prepared(qrels: Qrels, conventions: Conventions, backend: str = "auto") -> Judged:
    """Qrels made ready to be joined with runs, under the conventions of the evaluation."""
    if is_judged(qrels):
        return qrels
    if answering(backend) == "reference":
        labels = labels_of(qrels, conventions.how)
        return JudgedTable(labels, conventions)
    # Only here is the compiled core needed.
    from .dicts import judgments_of

    return judgments_of(qrels, conventions)


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


def check_below_0(
    profile: Profile | None,
    conventions: Conventions,
    measures: Sequence[Measure],
    judged: Judged,
) -> None:
    """An InputError for a measure of which labels below 0 make another in the profile's program,
    where there are such labels (RS-CONV-18).
    """
    if profile is None or not any(profile.refusal(m, conventions) for m in measures):
        return
    kept = judged.under(replace(conventions, negative="kept"))
    if any(label < 0 for label in kept.distinct_labels()):
        chosen_measures(measures, conventions, profile)


def check_gains(
    measures: Iterable[Measure], judged: Judged, usual: Set[Label] = frozenset()
) -> None:
    """An InputError that names the first document whose label a measure cannot take.

    usual: labels that none of them refuses
    """
    picky = [measure for measure in measures if not measure.metric.takes_any_label]
    if not picky or (distinct := judged.distinct_labels()) <= usual:
        return
    for measure in picky:
        refused = {x: why for x in distinct if (why := measure.metric.refusal(measure, x))}
        if refused:
            query, document, label = judged.first_of(refused)
            number = int(label) if label == int(label) else label
            raise InputError(
                f'measure "{measure}": label {number} of document {shown_text(document)} '
                f"for query {shown_text(query)}: {refused[label]}"
            )


def check_pairs(measures: Iterable[Measure], judged: Judged) -> None:
    """An InputError for a measure of pairs where no judged document is nonrelevant."""
    in_pairs = [measure for measure in measures if measure.metric.in_pairs]
    if in_pairs:
        refuse_without_pairs(in_pairs, min(judged.distinct_labels(), default=None))


def refuse_without_pairs(measures: Iterable[Measure], least: Label | None) -> None:
    """The same, of the least label of all judgments; None: there is none."""
    for measure in measures:
        if measure.metric.in_pairs and least is not None and least >= measure.rel:
            raise InputError(
                f'measure "{measure}": no judged document is nonrelevant, as the least label is '
                f"{least}; it compares relevant documents with judged nonrelevant ones, of which "
                "it needs one at least: give these, too, with the label 0, as {query: {document: "
                f"label}}}} ({measure.metric.root.spec})"
            )


def values(
    measures: Sequence[Measure],
    ranked: RankedLists,
    conventions: Conventions,
    highest: Label,
    backend: str,
) -> list[Sequence[float | None]]:
    """The value of each measure for each list, a column a measure; None: it has none."""

    def values_of(measures: Sequence[Measure], batch: Batch) -> list[Sequence[float | None]]:
        try:
            columns = scores_as_labels.values(measures, batch, backend)
        except TooFewWeights as error:
            raise InputError(f'measure "{error.measure}": {error}') from None
        instead = meaning("undefined", conventions.undefined)
        if instead == 0:
            return list(columns)
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

    if conventions.extreme:
        from .extremes import extreme_values

        return extreme_values(measures, ranked, conventions, highest, values_of)
    found: dict[Measure, Sequence[float | None]] = {}
    of_batches = _of_one_batch(measures)
    if len(of_batches) == 1:
        return values_of(measures, scores_as_labels.batch_of(measures[0], ranked))
    for chosen in of_batches:
        batch = scores_as_labels.batch_of(chosen[0], ranked)
        found |= zip(chosen, values_of(chosen, batch), strict=True)
    return [found[measure] for measure in measures]


def omissible_lists(
    measures: Sequence[Measure], ranked: RankedLists, conventions: Conventions
) -> list[list[bool]]:
    """For each measure and list, whether the lowest or highest mean may leave it out; empty where
    none may.
    """
    omits = conventions.undefined in ("omit", "omit-query")  # the same for what is not refused
    if not omits or not conventions.extreme:
        return []
    from .extremes import omissible

    return omissible(measures, ranked, conventions)


def _of_one_batch(measures: Sequence[Measure]) -> Sequence[Sequence[Measure]]:
    """The measures, in groups that are taken of the same batch; where it is one, as they are."""
    groups: dict[tuple[bool, bool], list[Measure]] = {}
    for measure in measures:
        kind = measure.metric.relevance is not None, measure.metric.sees_unjudged
        groups.setdefault(kind, []).append(measure)
    return [measures] if len(groups) == 1 else list(groups.values())


def _undefined(measure: Measure, batch: Batch) -> list[bool]:
    """For each list, whether the divisor is 0, at the cut-off: by the pool, or where it is of the
    list by that (RS-CONV-4).
    """
    metric = measure.metric
    if not metric.judged:
        return [False] * len(batch)
    if metric.divides_by_list(measure):
        return [metric.is_undefined_for(measure, batch.ranking(a)) for a in range(len(batch))]
    pools = (batch.pool[begin:end] for begin, end in pairwise(batch.pool_offsets))
    lengths = (end - begin for begin, end in pairwise(batch.offsets))
    return [metric.is_undefined(measure, n, pool) for n, pool in zip(lengths, pools, strict=True)]


def left_out(measure: Measure, batch: Batch, conventions: Conventions) -> list[bool]:
    """For each list, whether its query is left out: no label of the pool is above 0 (RS-CONV-4)."""
    if conventions.undefined != "omit-query" or measure.metric.relevance is not None:
        return [False] * len(batch)
    return [has_no_relevant(batch.pool[begin:end]) for begin, end in pairwise(batch.pool_offsets)]


def mean_of(measure: Measure, values: Mapping[str, float], kind: str = "query") -> float:
    """The average over the queries (RS-NUM-5, RS-CONV-53), where all values are within the range
    of doubles; NaN where there is none, or one of them is NaN (RS-CONV-4).

    kind: what the values are of
    """
    if not values:
        return math.nan
    if not all(map(math.isfinite, values.values())):
        for x_of, x in values.items():
            if math.isinf(x):
                raise InputError(
                    f'measure "{measure}": the value of {kind} {shown_text(x_of)} exceeds the '
                    "range of doubles, so there is no mean (RS-NUM-5)"
                )
        return math.nan
    return measure.metric.average.of(measure, list(values.values()))
