"""What ``rankspec check`` finds: each check counts, and gives one example."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ...errors import shown_text
from ...evaluation.conventions import Conventions, convention, spec_of
from ...evaluation.line_statistics import rows
from ...formats import trec
from ...formats.trec import How
from ...metrics.catalogue import METRICS
from .statistics import Examples, Files, Labels, Seen, Survey

HIGHEST_USUAL_LABEL = 4


@dataclass(frozen=True)
class Again:
    """A line with a document that another line of its query has: its number, and the first's."""

    file: str
    line: int
    query: str
    document: str
    first: int

    def __str__(self) -> str:
        pair = _pair([(self.query, self.document)])
        return f"{self.file}:{self.line}: {pair}, first in line {self.first}"


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
    survey: Survey,
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
    tied = _first(x for x in survey.ordered if (x.all_tied if whole else x.tied))
    unjudged = _first(seen for seen in survey.listed if seen.unjudged)
    contradicted = _first(seen for seen in survey.seen if seen.remark.contradicted)
    merged = _first(seen for seen in survey.ordered if seen.merged)
    examples = Examples(files, [*tied, *unjudged, *contradicted, *merged], conventions)
    judged, retrieved = list(files.labels), [seen.query for seen in survey.seen]
    missing = "of the qrels are not in the run" if by is None else "of the file have no ranked row"
    return [
        _ties(survey, conventions, top, whole, by, "".join(map(examples.tie, tied))),
        _merged(survey, conventions, "".join(map(examples.merged, merged))),
        *([_ranks(survey, "".join(map(examples.contradiction, contradicted)))] if not by else []),
        _constant(survey),
        _missing("missing", judged, retrieved, missing, conventions),
        *([_missing("extra", retrieved, judged, _EXTRA, conventions)] if not by else []),
        _unjudged(survey, top, conventions, "".join(map(examples.unjudged, unjudged))),
        *([] if conventions.scored else _labels(files.labels, conventions)),
        *_duplicates(files, survey, conventions, refused),
    ]


_EXTRA = "of the run have no judgments"


def _first(found: Iterable[Seen]) -> list[str]:
    """The first query, if there is any."""
    return [seen.query for seen in islice(found, 1)]


def _ties(
    survey: Survey, conventions: Conventions, top: int, whole: bool, by: str | None, example: str
) -> Finding:
    """The ties that could move a mean: of the top, or of all where a measure has no cut-off."""
    then = "a rule orders them (RS-TIE-2)"
    if conventions.ties == "expected":
        then = "the mean is over all their orders (RS-TIE-2)"
    if by is not None:
        then += f"; the order is by {by} (RS-CONV-21)"
    count = sum(seen.tied for seen in survey.ordered)
    if not whole:
        size = sum(seen.top for seen in survey.ordered)
        what = f"documents of the top {top} have the score of another"
        return Finding("ties", count, size, what, then, example)
    all_tied = sum(seen.all_tied for seen in survey.ordered)
    size = sum(seen.considered for seen in survey.ordered)
    what = f"documents have the score of another, {count} of them in the top {top}"
    if not all_tied:
        what = "documents have the score of another"
    return Finding("ties", all_tied, size, what, then, example)


def _merged(survey: Survey, conventions: Conventions, example: str) -> Finding:
    """Queries whose order depends on the precision of scores, and may matter."""
    count = sum(seen.merged for seen in survey.ordered)
    what = (
        "queries have documents of different labels whose scores differ as doubles, but not as "
        "32-bit floats"
    )
    then = "they are tied" if conventions.scores == "float32" else "float32 would tie them"
    return Finding("float32", count, len(survey.ordered), what, f"{then} (RS-CONV-12)", example)


def _ranks(survey: Survey, example: str) -> Finding:
    """Queries in which a document is ranked above one of a higher score."""
    count = sum(seen.remark.contradicted for seen in survey.seen)
    what = "queries have ranks that contradict their scores"
    return Finding("ranks", count, len(survey.seen), what, "the scores count (RS-CONV-7)", example)


def _constant(survey: Survey) -> Finding:
    constant = [seen.query for seen in survey.seen if seen.remark.one_score]
    what = "queries have one score for all their documents"
    return Finding("constant", len(constant), len(survey.seen), what, example=_query(constant))


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


def _unjudged(survey: Survey, top: int, conventions: Conventions, example: str) -> Finding:
    count = sum(seen.unjudged for seen in survey.listed)
    size = sum(seen.top for seen in survey.listed)
    what = f"documents of the top {top} are unjudged"
    then = _fate("unjudged", conventions)
    if conventions.scored and conventions.unjudged == "nonrelevant":
        then = "they have relevance 0 (RS-CONV-20)"
    return Finding("unjudged", count, size, what, then, example)


def _labels(labels: Labels, conventions: Conventions) -> Iterator[Finding]:
    every = [(q, d, label) for q, documents in labels.items() for d, label in documents.items()]
    negative = [(q, d) for q, d, label in every if label < 0]
    then = _fate("negative", conventions)
    yield Finding(
        "negative", len(negative), len(every), "labels are negative", then, _pair(negative)
    )
    high = [(q, d) for q, d, label in every if label > HIGHEST_USUAL_LABEL]
    what = f"labels are above {HIGHEST_USUAL_LABEL}"
    yield Finding("high", len(high), len(every), what, example=_pair(high))
    highest = max((label for _, _, label in every), default=0)
    if all(label == int(label) for _, _, label in every):
        yield _scale(int(highest))


def _scale(highest: int) -> Finding:
    """How much of the scale of labels that a metric has by default no label uses."""
    metric, (parameter, end) = next(
        (metric, scale) for metric in METRICS if (scale := metric.scale(metric()))
    )
    names = [x.name for x in METRICS if parameter in x.parameters and x.scale(x())]
    used = min(max(highest, 1), end)
    what = f"grades of the scale of {' and '.join(names)} are above all labels"
    then = (
        f"the highest label is {highest}, and the scale, on which their values depend, ends at "
        f"{end} by default; {metric.name}({parameter}={used}) ends it at {used} (RS-CAS-1)"
    )
    return Finding("scale", int(end - used), end, what, then, information=True)


def _fate(name: str, conventions: Conventions) -> str:
    """What becomes of them by a convention, with its spec ID."""
    value = getattr(conventions, name)
    return f"they {convention(name).values[value]} ({spec_of(name, value)})"


def _duplicates(
    files: Files, survey: Survey, conventions: Conventions, refused: bool
) -> Iterator[Finding]:
    """The lines that were dropped, where a document may be given twice; or must not, and is."""
    kept = sum(map(len, files.labels.values())) + sum(seen.length for seen in survey.seen)
    dropped = sum(seen.remark.dropped for seen in survey.seen)
    how = conventions.how
    lines = (
        sum(1 for _ in rows(files.text, how)) + sum(seen.length for seen in survey.seen) + dropped
    )
    if refused and lines == kept:
        return
    example = _again_in_qrels(files, how) or _again_in_run(files, survey)
    meaning = convention("duplicates").values[conventions.duplicates]
    if refused:
        meaning = "refused by eval without --duplicates; here the first counts"
    what = "lines give a document again"
    yield Finding("duplicates", lines - kept, lines, what, f"{meaning} (RS-CONV-10)", example)


def duplicates(files: Files, survey: Survey, how: How) -> Iterator[Again]:
    """All lines with a document that came before, of the qrels and then of the run."""
    if sum(1 for _ in rows(files.text, how)) > sum(map(len, files.labels.values())):
        yield from _again(files.qrels, files.text.split(b"\n"), trec.QRELS, how)
    dropped = {seen.query for seen in survey.seen if seen.remark.dropped}
    if dropped:
        yield from _again(files.run.name, files.lines(), trec.RUN, how, dropped)


def _again(
    name: str,
    lines: Iterable[bytes],
    layout: trec.Layout,
    how: How,
    queries: Container[str] | None = None,
) -> Iterator[Again]:
    """Those of a file; queries: the only ones that have any."""
    first: dict[tuple[str, str], int] = {}
    for number, line in enumerate(lines, start=1):
        query, document = map(trec.id_of, trec.pair_of(line, layout))
        if not document or (how.comments and query.startswith("#")):
            continue
        if queries is not None and query not in queries:
            continue
        before = first.setdefault((query, document), number)
        if before != number:
            yield Again(name, number, query, document, before)


def _again_in_qrels(files: Files, how: How) -> str:
    """The first document that a query has a second time."""
    seen: set[tuple[bytes, bytes]] = set()
    for query, _, document, _ in rows(files.text, how):
        if (query, document) in seen:
            return f"{_pair([(trec.id_of(query), trec.id_of(document))])} in {files.qrels}"
        seen.add((query, document))
    return ""


def _again_in_run(files: Files, survey: Survey) -> str:
    """The first document that a query has a second time; the survey knows in which of its lines."""
    lines_before = {seen.query: seen.remark.second for seen in survey.seen if seen.remark.dropped}
    if not lines_before:
        return ""
    for line in files.lines():
        query, document = map(trec.id_of, trec.pair_of(line, trec.RUN))
        if query in lines_before:
            if lines_before[query] == 0:
                return f"{_pair([(query, document)])} in {files.run.name}"
            lines_before[query] -= 1
    raise files.run.changed()


def _query(queries: Sequence[str]) -> str:
    return f"query {shown_text(queries[0])}" if queries else ""


def _pair(found: Sequence[tuple[str, str]]) -> str:
    if not found:
        return ""
    query, document = found[0]
    return f"document {shown_text(document)} of query {shown_text(query)}"
