"""What ``rankspec check`` finds: each check counts, and gives one example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ...errors import shown_text
from ...evaluation.conventions import Conventions, convention, spec_of
from ...evaluation.line_statistics import rows
from ...evaluation.ranked import judgments
from ...metrics.catalogue import METRICS
from .duplicates import first_in_qrels, first_in_run, pair_in_words
from .examples import Examples
from .files import Files, Labels
from .names import names_of_run, queries_of_other_case, without_relevant
from .statistics import QueryStatistics, RunStatistics, accepting_negative

HIGHEST_USUAL_LABEL = 4


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    name: of the check; count, of: how many of how many things are so
    what: the things, and what is the matter with them; then: what follows from it
    example: one of them
    information: whether it is nothing suspicious
    """

    name: str
    count: int
    of: int
    what: str
    then: str = ""
    example: str = ""
    information: bool = False

    def __str__(self) -> str:
        if not self.count:
            return f"0 of {self.of} {self.what}"
        share = f"{self.count} of {self.of} ({100 * self.count / self.of:.0f}%)"
        example = self.example and f"; e.g. {self.example}"
        return f"{share} {self.what}{self.then and ': '}{self.then}{example}"


def findings(
    files: Files,
    statistics: RunStatistics,
    conventions: Conventions,
    top: int,
    *,
    whole: bool = False,
    refused: bool = False,
    by: str | None = None,
) -> list[Finding]:
    """All findings; top: how many ranks are the top of a list.

    whole: whether any of the means that ties could move is of whole lists, without a cut-off
    refused: whether a document that is given twice is an error elsewhere
    by: what orders the rows of a LETOR file, which has no ranks, and whose queries all have
        judgments (RS-CONV-21); None of a run
    """
    tied = _first(x for x in statistics.ordered if (x.all_tied if whole else x.tied))
    unjudged = _first(x for x in statistics.listed if x.unjudged)
    contradicted = _first(x for x in statistics.queries if x.remark.contradicted)
    merged = _first(x for x in statistics.ordered if x.merged)
    examples = Examples(files, [*tied, *unjudged, *contradicted, *merged], conventions)
    judged, retrieved = list(files.labels), [x.query for x in statistics.queries]
    missing = "of the qrels are not in the run" if by is None else "of the file have no ranked row"
    return [
        _ties(statistics, conventions, top, whole, by, "".join(map(examples.tie, tied))),
        _merged(statistics, conventions, "".join(map(examples.merged, merged))),
        *(
            [_ranks(statistics, "".join(map(examples.contradiction, contradicted)))]
            if not by
            else []
        ),
        _constant(statistics),
        _missing("missing", judged, retrieved, missing, conventions),
        *([_missing("extra", retrieved, judged, _EXTRA, conventions)] if not by else []),
        _unjudged(statistics, top, conventions, "".join(map(examples.unjudged, unjudged))),
        *([] if conventions.scored else _labels(files.qrels.own, conventions)),
        *_where_found(
            [
                *([] if conventions.scored else [_without_relevant(files, conventions)]),
                _queries_of_other_case(judged, retrieved),
                *([] if by else _names(files, conventions)),
            ]
        ),
        *_duplicates(files, statistics, conventions, refused),
    ]


def _where_found(checks: Iterable[Finding]) -> list[Finding]:
    """Those that found something: they are rare, and need no line elsewhere."""
    return [finding for finding in checks if finding.count]


def _without_relevant(files: Files, conventions: Conventions) -> Finding:
    counted = judgments(files.labels, accepting_negative(conventions))
    queries = without_relevant(counted)
    value = convention("undefined").values[conventions.undefined]
    return Finding(
        "irrelevant",
        len(queries),
        len(counted),
        "queries of the qrels have no label above 0",
        f"where a measure divides by what is relevant, its value is {value} (RS-CONV-4)",
        _query(queries),
    )


def _queries_of_other_case(judged: Sequence[str], retrieved: Sequence[str]) -> Finding:
    pairs = queries_of_other_case(judged, retrieved)
    example = " and ".join(map(shown_text, pairs[0])) if pairs else ""
    what = "queries have the id of another but for upper and lower case"
    count = len({*judged, *retrieved})
    return Finding("query-case", len(pairs), count, what, DIFFERENT_IDS, example)


def _names(files: Files, conventions: Conventions) -> Iterator[Finding]:
    names = names_of_run(files, conventions.how)
    what = "lines of the run have a document that is judged only in other upper and lower case"
    yield Finding("case", names.other_case, names.lines, what, DIFFERENT_IDS, names.documents)
    what = "lines of the run have another tag than its first line"
    then = "all lines count as one run; if these are two runs, give each its own file"
    yield Finding("tags", names.other_tags, names.lines, what, then, names.tags)


DIFFERENT_IDS = "ids are compared as bytes, so they are different ones (RS-CONV-41)"


_EXTRA = "of the run have no judgments"


def _first(found: Iterable[QueryStatistics]) -> list[str]:
    """The first query, if there is any."""
    return [x.query for x in islice(found, 1)]


def _ties(
    statistics: RunStatistics,
    conventions: Conventions,
    top: int,
    whole: bool,
    by: str | None,
    example: str,
) -> Finding:
    """The ties that could move a mean: of the top, or of all where a measure has no cut-off."""
    then = "a rule orders them (RS-TIE-2)"
    if conventions.ties == "expected":
        then = "the mean is over all their orders (RS-TIE-2)"
    if by is not None:
        then += f"; the order is by {by} (RS-CONV-21)"
    count = sum(x.tied for x in statistics.ordered)
    if not whole:
        size = sum(x.top for x in statistics.ordered)
        what = f"documents of the top {top} have the same score as another document"
        return Finding("ties", count, size, what, then, example)
    all_tied = sum(x.all_tied for x in statistics.ordered)
    size = sum(x.considered for x in statistics.ordered)
    what = f"documents have the same score as another document, {count} of them in the top {top}"
    if not all_tied:
        what = "documents have the same score as another document"
    return Finding("ties", all_tied, size, what, then, example)


def _merged(statistics: RunStatistics, conventions: Conventions, example: str) -> Finding:
    """Queries whose order depends on the precision of scores, and may matter."""
    count = sum(x.merged for x in statistics.ordered)
    what = (
        "queries have documents of different labels whose scores differ as doubles, but are "
        "equal as 32-bit floats"
    )
    then = "they are tied" if conventions.scores == "float32" else "float32 would tie them"
    return Finding("float32", count, len(statistics.ordered), what, f"{then} (RS-CONV-12)", example)


def _ranks(statistics: RunStatistics, example: str) -> Finding:
    """Queries in which a document is ranked above one of a higher score."""
    count = sum(x.remark.contradicted for x in statistics.queries)
    what = "queries have ranks that contradict their scores"
    return Finding(
        "ranks", count, len(statistics.queries), what, "the scores count (RS-CONV-7)", example
    )


def _constant(statistics: RunStatistics) -> Finding:
    constant = [x.query for x in statistics.queries if x.remark.one_score]
    what = "queries have the same score for all their documents"
    return Finding(
        "constant", len(constant), len(statistics.queries), what, example=_query(constant)
    )


_FATES = {
    "missing": {"qrels": "they are empty lists", "complete": "an error", "same": "an error"},
    "extra": {"run": "they have an empty pool", "same": "an error"},
}


def _missing(
    name: str, here: Sequence[str], there: Iterable[str], what: str, conventions: Conventions
) -> Finding:
    others = set(there)
    missing = [query for query in here if query not in others]
    fate = _FATES[name].get(conventions.queries, "they are left out")
    return Finding(
        name, len(missing), len(here), f"queries {what}", f"{fate} (RS-CONV-9)", _query(missing)
    )


def _unjudged(
    statistics: RunStatistics, top: int, conventions: Conventions, example: str
) -> Finding:
    count = sum(x.unjudged for x in statistics.listed)
    below = sum(x.unjudged_below for x in statistics.listed)
    size = sum(x.top for x in statistics.listed)
    what = f"documents of the top {top} are unjudged"
    if below:  # a judgment could make one of them part of the ideal
        what += f", and {below} below it, which the ideal may hold"
    then = _fate("unjudged", conventions)
    if conventions.scored and conventions.unjudged == "nonrelevant":
        then = "they have relevance 0 (RS-CONV-20)"
    return Finding("unjudged", count, size, what, then, example)


def _labels(labels: Labels, conventions: Conventions) -> Iterator[Finding]:
    every = [(q, d, label) for q, documents in labels.items() for d, label in documents.items()]
    negative = [(q, d) for q, d, label in every if label < 0]
    then = _fate("negative", conventions)
    yield Finding(
        "negative", len(negative), len(every), "labels are negative", then, pair_in_words(negative)
    )
    high = [(q, d) for q, d, label in every if label > HIGHEST_USUAL_LABEL]
    what = f"labels are above {HIGHEST_USUAL_LABEL}"
    yield Finding("high", len(high), len(every), what, example=pair_in_words(high))
    highest = max((label for _, _, label in every), default=0)
    if all(label == int(label) for _, _, label in every):
        yield _scale(int(highest))


def _scale(highest: int) -> Finding:
    """How much of the scale of labels that a metric has by default no label uses."""
    scaled = [(x, scale) for x in METRICS if (scale := x.scale(x()))]
    metric, (_, end) = min(scaled, key=lambda known: len(known[0].name))  # ERR
    *others, last = [metric.name, *(x.name for x, _ in scaled if x is not metric)]
    by_parameter = {name: x for x, (name, _) in reversed(scaled)}
    by_parameter[scaled[0][1][0]] = metric
    used = min(max(highest, 1), end)
    what = f"grades of the scale of {', '.join(others)} and {last} are above all labels"
    spelled = " or ".join(f"{x.name}({name}={used})" for name, x in sorted(by_parameter.items()))
    then = (
        f"the highest label is {highest}, and the scale, on which their values depend, ends at "
        f"{end} by default; {spelled} ends it at {used} (RS-CAS-1, RS-USR-1)"
    )
    return Finding("scale", int(end - used), end, what, then, information=True)


def _fate(name: str, conventions: Conventions) -> str:
    """What becomes of them by a convention, with its spec ID."""
    value = getattr(conventions, name)
    return f"they {convention(name).values[value]} ({spec_of(name, value)})"


def _duplicates(
    files: Files, statistics: RunStatistics, conventions: Conventions, refused: bool
) -> Iterator[Finding]:
    """The lines that were dropped, where a document may be given twice; or must not, and is."""
    kept = sum(map(len, files.qrels.own.values())) + sum(x.length for x in statistics.queries)
    dropped = sum(x.remark.dropped for x in statistics.queries)
    how = conventions.how
    lines = (
        sum(1 for _ in rows(files.qrels.text, how))
        + sum(x.length for x in statistics.queries)
        + dropped
    )
    if refused and lines == kept:
        return
    example = first_in_qrels(files, how) or first_in_run(files, statistics)
    meaning = convention("duplicates").values[conventions.duplicates]
    if refused:
        meaning = "eval refuses these without --duplicates; here the first counts"
    what = "lines repeat a document"
    yield Finding("duplicates", lines - kept, lines, what, f"{meaning} (RS-CONV-10)", example)


def _query(queries: Sequence[str]) -> str:
    return f"query {shown_text(queries[0])}" if queries else ""
