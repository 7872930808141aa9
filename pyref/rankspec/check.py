"""What is wrong or suspicious in a run and its qrels, before a number of theirs is believed.

What no reader can make sense of is an error already (RS-CONV-1, 6 and 10). Here is what has a
value, but perhaps not the one that was meant: each check counts, and gives one example.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any

from . import profiles, report, trec
from .errors import InputError
from .evaluation import chosen_measures, evaluate_by
from .lists import judgments, ranking
from .notation import cutoff
from .profiles import WITHOUT_LABELS, Conventions, Profile
from .reference.reals import Exact
from .sources import Label
from .streams import Source, Stream

TOP = 10
HIGHEST_USUAL_LABEL = 4

Scores = Mapping[str, Mapping[str, Exact]]
Labels = Mapping[str, Mapping[str, Label]]


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    name: of the check; count, of: how many of how many things are so
    what: the things, and what is the matter with them; then: what follows from it
    example: one of them
    """

    name: str
    count: int
    of: int
    what: str
    then: str = ""
    example: str = ""

    def __str__(self) -> str:
        if not self.count:
            return f"0 of {self.of} {self.what}"
        share = f"{self.count} of {self.of} ({100 * self.count / self.of:.0f}%)"
        return f"{share} {self.what}{self.then and ': '}{self.then}; e.g. {self.example}"


@dataclass(frozen=True)
class Move:
    """How far the mean of a measure could move, were something decided otherwise.

    because: the name of the finding that leaves it open: "ties" or "unjudged"
    lowest, highest: the means by the two extreme rules
    now: the mean by the conventions; rule: the convention that it is by
    expected: the mean over all orders of the ties; None: not asked for, or not determined
    """

    because: str
    measure: str
    lowest: float
    highest: float
    now: float
    rule: str
    expected: float | None = None

    def __str__(self) -> str:
        expected = "" if self.expected is None else f", expected {self.expected:.4f}"
        return (
            f"{self.measure} from {self.lowest:.4f} to {self.highest:.4f}{expected}; "
            f"{self.rule}: {self.now:.4f}"
        )


@dataclass(frozen=True)
class Report:
    """All findings, and how far the means could move; prints as lines."""

    findings: tuple[Finding, ...]
    moves: tuple[Move, ...]
    conventions: Conventions
    profile: str | None = None

    @property
    def suspicious(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.count)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, as JSON has it."""
        return {
            "profile": self.profile,
            "conventions": profiles.as_text(self.conventions),
            "suspicious": [finding.name for finding in self.suspicious],
            "findings": [asdict(finding) for finding in self.findings],
            "moves": [asdict(move) for move in self.moves],
        }

    def __str__(self) -> str:
        width = max(len(finding.name) for finding in self.findings) + len(report.GAP)
        indent = " " * width
        lines = []
        for finding in self.findings:
            lines += report.wrapped(f"{finding.name:{width}}{finding}", indent)
            for move in self.moves:
                if move.because == finding.name:
                    lines += report.wrapped(f"{indent}{move}", indent)
        found = len(self.suspicious)
        ending = f"{found} of {len(self.findings)} checks found something."
        return "\n".join([*lines, "", ending if found else "Nothing suspicious."])


def json(found: Report, **about: Any) -> str:
    """JSON, all numbers as doubles that round-trip."""
    from json import dumps

    return dumps({**about, **found.to_dict()}, indent=2) + "\n"


def check(
    qrels: Source,
    run: Source,
    *,
    top: int = TOP,
    profile: str | None = None,
    backend: str = "c",
    **given: Any,
) -> Report:
    """Check a run against qrels, both in TREC format.

    top: how many ranks are the top of a list
    profile, and the conventions: as of evaluate(), by which the means are that could move
    backend: as of evaluate()

    What is an error by the conventions, but for a document given twice, is a finding here.
    Raises InputError for what cannot be read.
    """
    top = cutoff(top) or TOP
    chosen = None if profile is None else profiles.profile(profile)
    conventions = profiles.conventions_of(chosen, given)
    if conventions.unjudged in ("lowest", "highest"):
        raise InputError(
            f'check: with unjudged="{conventions.unjudged}" there is nothing to check: how far '
            "unjudged documents could move a mean is said anyway"
        )
    judged, scored = _File(qrels), _File(run)
    labels = trec.parse_qrels(judged.name, judged.content, conventions.duplicates)
    scores = trec.parse_run(scored.name, scored.content, conventions.duplicates)
    tops = _tops(labels, scores, conventions, top)
    own_tops = _tops(labels, scores, replace(conventions, unjudged="nonrelevant"), top)
    findings = (
        _ties(tops, scores, top),
        _ranks(scored, scores),
        _constant(scores),
        _missing("missing", labels, scores, "of the qrels are not in the run", conventions),
        _missing("extra", scores, labels, "of the run have no judgments", conventions),
        _unjudged(own_tops, labels, top, conventions),
        *_labels(labels, conventions),
        *_duplicates({judged: labels, scored: scores}, conventions),
    )
    moving = _Moving(labels, {query: scores[query] for query in tops}, conventions, chosen, backend)
    moves: list[Move] = []
    if any(found.tied for found in _tops(labels, scores, conventions, None).values()):
        moves += moving.by_ties([f"nDCG@{top}", "AP"])
    if any(document not in labels[query] for query in tops for document in scores[query]):
        moves += moving.by_judgments([f"nDCG@{top}"])
    return Report(findings, tuple(moves), conventions, chosen.name if chosen else None)


class _File:
    """A file in TREC format that is looked at more than once: it may be the standard input."""

    def __init__(self, source: Source) -> None:
        stream = Stream(source)
        self.name = stream.name
        self.content = stream.content()

    def rows(self) -> Iterator[list[bytes]]:
        """The columns of each line."""
        return filter(None, (line.split() for line in self.content.split(b"\n")))

    def ranks(self) -> Iterator[tuple[str, str, int]]:
        """(query, document, rank) of each line of a run whose rank is a whole number."""
        for columns in self.rows():
            query, document = (columns[i].decode("utf-8", "surrogateescape") for i in (0, 2))
            try:
                yield query, document, int(columns[3])
            except ValueError:  # the column is not used otherwise: anything may stand there
                continue


@dataclass(frozen=True)
class _Top:
    """The top of a list: its documents, and those that have the score of another of the list."""

    documents: list[str]
    tied: list[str]


def _tops(
    labels: Labels, scores: Scores, conventions: Conventions, top: int | None
) -> dict[str, _Top]:
    """The top of the list of each query that both files have; None: the whole list."""
    # Which documents are tied depends on no rule; "expected" may leave open where a list is cut.
    rules = replace(conventions, ties="input", negative=_harmless(conventions), depth=None)
    counted = judgments({q: d for q, d in labels.items() if q in scores}, rules)
    depth = min((x for x in (top, conventions.depth) if x is not None), default=None)
    tops = {}
    for query, judged in counted.items():
        if conventions.ties in ("id-descending", "id-ascending"):
            rules = replace(rules, ties=conventions.ties)
        documents, starts = ranking(query, scores[query], judged, rules)
        ends = [*starts[1:], 1]
        alone = [start and end for start, end in zip(starts, ends, strict=False)]
        tied = [d for d, one in zip(documents[:depth], alone, strict=False) if not one]
        tops[query] = _Top(documents[:depth], tied)
    return tops


def _harmless(conventions: Conventions) -> str:
    """What a negative label counts as, where it is no error."""
    return "zero" if conventions.negative == "error" else conventions.negative


def _ties(tops: Mapping[str, _Top], scores: Scores, top: int) -> Finding:
    example = ""
    for query, found in tops.items():
        if found.tied and not example:
            score = scores[query][found.tied[0]]
            number = sum(other == score for other in scores[query].values())
            example = f"{number} of score {float(score):.8g} in query {trec.shown(query)}"
    count = sum(len(found.tied) for found in tops.values())
    what = f"documents of the top {top} have the score of another"
    return Finding("ties", count, _size(tops), what, "a rule orders them (RS-TIE-2)", example)


@dataclass(frozen=True)
class _Moving:
    """The queries that both files have, and how their means move."""

    labels: Labels
    scores: Scores
    conventions: Conventions
    profile: Profile | None
    backend: str

    def by_ties(self, names: Sequence[str]) -> Iterator[Move]:
        """The means by the tie rules between which all orders are."""
        now = self.means(names)
        worst, best = (self.means(names, ties=rule) for rule in ("worst", "best"))
        # The first documents of a list are not determined where its ties are left open.
        expected = self.means(names, ties="expected") if self.conventions.depth is None else {}
        rule = f"by {self.conventions.ties}"
        for name in _common(now, worst, best):
            moved = worst[name], best[name], now[name], rule, expected.get(name)
            yield Move("ties", name, *moved)

    def by_judgments(self, names: Sequence[str]) -> Iterator[Move]:
        """The means by the judgments of the unjudged between which all are (RS-CONV-14)."""
        ties = self.conventions.ties
        ties = ties if ties in WITHOUT_LABELS else "id-descending"
        now = self.means(names)
        lowest, highest = (
            self.means(names, ties=ties, unjudged=which) for which in ("lowest", "highest")
        )
        rule = self.conventions.unjudged
        for name in _common(now, lowest, highest):
            yield Move("unjudged", name, lowest[name], highest[name], now[name], rule)

    def means(self, names: Sequence[str], **changed: Any) -> dict[str, float]:
        """The mean of each measure that the profile has, where any query has a value."""
        # Queries that are in one file only are a finding, not an error.
        queries = self.conventions.queries
        rules = replace(
            self.conventions,
            queries=queries if queries == "qrels" else "both",
            negative=_harmless(self.conventions),
            **changed,
        )
        metrics = self.profile.metrics if self.profile else None
        measures = [
            measure
            for measure in chosen_measures(names, rules)
            if metrics is None or measure.metric.name in metrics
        ]
        found = evaluate_by(rules, self.profile, self.labels, self.scores, measures, self.backend)
        return {name: mean for name, mean in found.mean.items() if found.per_query[name]}


def _ranks(content: _File, scores: Scores) -> Finding:
    """Queries in which a document is ranked above one of a higher score."""
    ranked: dict[str, list[tuple[int, Exact, str]]] = {query: [] for query in scores}
    for query, document, rank in content.ranks():
        ranked[query].append((rank, -scores[query][document], document))
    count, example = 0, ""
    for query, documents in ranked.items():
        # Where ranks are equal, the higher score is first: a contradiction is between neighbours.
        for above, below in pairwise(sorted(documents)):
            if above[1] > below[1]:
                count += 1
                example = example or (
                    f"query {trec.shown(query)}: rank {above[0]} has the score "
                    f"{float(-above[1]):.8g}, rank {below[0]} has {float(-below[1]):.8g}"
                )
                break
    what = "queries have ranks that contradict their scores"
    return Finding("ranks", count, len(scores), what, "the scores count (RS-CONV-7)", example)


def _constant(scores: Scores) -> Finding:
    constant = [q for q, found in scores.items() if len(found) > 1 == len(set(found.values()))]
    what = "queries have one score for all their documents"
    return Finding("constant", len(constant), len(scores), what, example=_first(constant))


def _common(first: Mapping[str, float], *others: Mapping[str, float]) -> list[str]:
    return [name for name in first if all(name in other for other in others)]


_FATES = {
    "missing": {"qrels": "they count 0", "complete": "an error", "same": "an error"},
    "extra": {"run": "they have an empty pool", "same": "an error"},
}


def _missing(
    name: str, here: Iterable[str], there: Iterable[str], what: str, conventions: Conventions
) -> Finding:
    here, others = list(here), set(there)
    missing = [query for query in here if query not in others]
    fate = _FATES[name].get(conventions.queries, "they are left out")
    return Finding(
        name, len(missing), len(here), f"queries {what}", f"{fate} (RS-CONV-9)", _first(missing)
    )


def _unjudged(
    tops: Mapping[str, _Top], labels: Labels, top: int, conventions: Conventions
) -> Finding:
    unjudged = [(q, d) for q, found in tops.items() for d in found.documents if d not in labels[q]]
    what = f"documents of the top {top} are unjudged"
    return Finding(
        "unjudged",
        len(unjudged),
        _size(tops),
        what,
        _fate("unjudged", conventions),
        _pair(unjudged),
    )


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


def _fate(name: str, conventions: Conventions) -> str:
    """What becomes of them by a convention, with its spec ID."""
    value = getattr(conventions, name)
    return f"they {profiles.convention(name).values[value]} ({profiles.spec_of(name, value)})"


def _duplicates(
    files: Mapping[_File, Mapping[str, Mapping[str, Any]]], conventions: Conventions
) -> Iterator[Finding]:
    """The lines that were dropped, where a document may be given twice.

    files: what was kept of each
    """
    if conventions.duplicates == "error":
        return
    lines = sum(len(list(file.rows())) for file in files)
    kept = sum(len(documents) for table in files.values() for documents in table.values())
    example = next(filter(None, map(_second, files)), "")
    meaning = profiles.convention("duplicates").values[conventions.duplicates]
    what = "lines give a document again"
    yield Finding("duplicates", lines - kept, lines, what, f"{meaning} (RS-CONV-10)", example)


def _second(file: _File) -> str:
    """The first document that a query has twice in a file."""
    seen: set[tuple[bytes, bytes]] = set()
    for query, _, document, *_ in file.rows():
        if (query, document) in seen:
            ids = (x.decode("utf-8", "surrogateescape") for x in (document, query))
            return "document {} of query {} in {}".format(*map(trec.shown, ids), file.name)
        seen.add((query, document))
    return ""


def _size(tops: Mapping[str, _Top]) -> int:
    return sum(len(found.documents) for found in tops.values())


def _first(queries: Sequence[str]) -> str:
    return f"query {trec.shown(queries[0])}" if queries else ""


def _pair(found: Sequence[tuple[str, str]]) -> str:
    if not found:
        return ""
    query, document = found[0]
    return f"document {trec.shown(document)} of query {trec.shown(query)}"
