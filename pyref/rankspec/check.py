"""What is wrong or suspicious in a run and its qrels, before a number of theirs is believed.

What no reader can make sense of is an error already (RS-CONV-1, 6 and 10). Here is what has a
value, but perhaps not the one that was meant: each check counts, and gives one example.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from . import report, trec
from .evaluation import evaluate
from .lists import ranking
from .notation import cutoff
from .profiles import Conventions
from .reference.reals import Exact
from .sources import Label, labels_of
from .streams import Source, Stream

DEPTH = 10
HIGHEST_USUAL_LABEL = 4
RULES = ("worst", "expected", "best")

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
    """How far breaking ties otherwise could move the mean of a measure.

    values: the mean by each of RULES; default: by evaluate()'s own rule
    """

    measure: str
    values: tuple[float, ...]
    default: float

    def __str__(self) -> str:
        worst, expected, best = (f"{x:.4f}" for x in self.values)
        return (
            f"{self.measure} from {worst} to {best}, expected {expected}; by id {self.default:.4f}"
        )


@dataclass(frozen=True)
class Report:
    """All findings, and how far the means could move where scores are tied; prints as lines."""

    findings: tuple[Finding, ...]
    moves: tuple[Move, ...]

    @property
    def suspicious(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.count)

    def __str__(self) -> str:
        width = max(len(finding.name) for finding in self.findings) + len(report.GAP)
        lines = []
        for finding in self.findings:
            lines.append(_wrapped(f"{finding.name:{width}}{finding}", width))
            if finding.name == "ties":
                lines += [_wrapped(f"{'':{width}}{move}", width) for move in self.moves]
        found = len(self.suspicious)
        ending = f"{found} of {len(self.findings)} checks found something."
        return "\n".join([*lines, "", ending if found else "Nothing suspicious."])


def check(qrels: Source, run: Source, *, depth: int = DEPTH, backend: str = "c") -> Report:
    """Check a run against qrels, both in TREC format.

    depth: how many ranks are the top of a list
    backend: as of evaluate(), which says how far ties could move nDCG and AP

    Raises InputError for what cannot be read.
    """
    depth = cutoff(depth) or DEPTH
    labels = labels_of(qrels)
    content = _Run(run)
    scores = trec.read_run(content)
    top = {
        query: ranking(query, scores[query], {}, Conventions(depth=depth))[0]
        for query in labels
        if query in scores
    }
    findings = (
        _ties(top, scores, depth),
        _ranks(content, scores),
        _constant(scores),
        _missing("missing", labels, scores, "of the qrels are not in the run", "they count 0"),
        _missing("extra", scores, labels, "of the run have no judgments", "they are ignored"),
        _unjudged(top, labels, depth),
        *_labels(labels),
    )
    evaluated: Scores = {query: scores[query] for query in top}
    tied = any(len(set(documents.values())) < len(documents) for documents in evaluated.values())
    moves = tuple(_moves(labels, evaluated, depth, backend)) if tied else ()
    return Report(findings, moves)


class _Run(io.BytesIO):
    """A run, read once for its scores and for its ranks: it may be the standard input."""

    def __init__(self, run: Source) -> None:
        stream = Stream(run)
        self.name = stream.name
        super().__init__(stream.content())

    def ranks(self) -> Iterator[tuple[str, str, int]]:
        """(query, document, rank) of each line whose rank is a whole number."""
        for line in self.getvalue().split(b"\n"):
            if fields := line.split():
                query, document = (fields[i].decode("utf-8", "surrogateescape") for i in (0, 2))
                try:
                    yield query, document, int(fields[3])
                except ValueError:  # the column is not used otherwise: anything may stand there
                    continue


def _ties(top: Mapping[str, Sequence[str]], scores: Scores, depth: int) -> Finding:
    count, example = 0, ""
    for query, documents in top.items():
        alone: dict[Exact, int] = {}
        for score in scores[query].values():
            alone[score] = alone.get(score, 0) + 1
        tied = [d for d in documents if alone[scores[query][d]] > 1]
        count += len(tied)
        if tied and not example:
            score = scores[query][tied[0]]
            example = f"{alone[score]} of score {float(score):.8g} in query {trec.shown(query)}"
    what = f"documents of the top {depth} have the score of another"
    return Finding("ties", count, _size(top), what, "a rule orders them (RS-TIE-2)", example)


def _moves(labels: Labels, scores: Scores, depth: int, backend: str) -> Iterator[Move]:
    """The means by the tie rules between which all orders are."""
    by_rule = [
        evaluate(labels, scores, [f"nDCG@{depth}", "AP"], ties=rule, backend=backend)
        for rule in (*RULES, "id-descending")
    ]
    for name in by_rule[0].mean:
        *values, default = (evaluation.mean[name] for evaluation in by_rule)
        yield Move(name, tuple(values), default)


def _ranks(content: _Run, scores: Scores) -> Finding:
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


def _missing(name: str, here: Iterable[str], there: Iterable[str], what: str, then: str) -> Finding:
    here, others = list(here), set(there)
    missing = [query for query in here if query not in others]
    return Finding(
        name, len(missing), len(here), f"queries {what}", f"{then} (RS-CONV-9)", _first(missing)
    )


def _unjudged(top: Mapping[str, Sequence[str]], labels: Labels, depth: int) -> Finding:
    unjudged = [(q, d) for q, documents in top.items() for d in documents if d not in labels[q]]
    what = f"documents of the top {depth} are unjudged"
    then = "they count as 0 (RS-CONV-8)"
    return Finding("unjudged", len(unjudged), _size(top), what, then, _pair(unjudged))


def _labels(labels: Labels) -> Iterator[Finding]:
    every = [(q, d, label) for q, documents in labels.items() for d, label in documents.items()]
    negative = [(q, d) for q, d, label in every if label < 0]
    then = "they count as 0 (RS-CONV-8)"
    yield Finding(
        "negative", len(negative), len(every), "labels are negative", then, _pair(negative)
    )
    high = [(q, d) for q, d, label in every if label > HIGHEST_USUAL_LABEL]
    what = f"labels are above {HIGHEST_USUAL_LABEL}"
    yield Finding("high", len(high), len(every), what, example=_pair(high))


def _size(top: Mapping[str, Sequence[str]]) -> int:
    return sum(map(len, top.values()))


def _first(queries: Sequence[str]) -> str:
    return f"query {trec.shown(queries[0])}" if queries else ""


def _pair(found: Sequence[tuple[str, str]]) -> str:
    if not found:
        return ""
    query, document = found[0]
    return f"document {trec.shown(document)} of query {trec.shown(query)}"


def _wrapped(line: str, indent: int) -> str:
    return textwrap.fill(line, report.WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
