"""Lines of qrels and run that give a document of a query again (RS-CONV-10)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...errors import shown_text
from ...evaluation.line_statistics import rows
from ...formats import trec
from ...formats.trec import How
from .files import Files
from .statistics import RunStatistics


@dataclass(frozen=True)
class RepeatedLine:
    """A line with a document that another line of its query has: its number, and the first's."""

    file: str
    line: int
    query: str
    document: str
    first: int

    def __str__(self) -> str:
        pair = pair_in_words([(self.query, self.document)])
        return f"{self.file}:{self.line}: {pair}, first in line {self.first}"


def repeated_lines(files: Files, statistics: RunStatistics, how: How) -> Iterator[RepeatedLine]:
    """All lines with a document that came before, of the qrels and then of the run."""
    if sum(1 for _ in rows(files.qrels.text, how)) > sum(map(len, files.qrels.own.values())):
        yield from _repeated(files.qrels.name, files.qrels.text.split(b"\n"), trec.QRELS, how)
    dropped = {x.query for x in statistics.queries if x.remark.dropped}
    if dropped:
        yield from _repeated(files.run.name, files.lines(), trec.RUN, how, dropped)


def _repeated(
    name: str,
    lines: Iterable[bytes],
    layout: trec.Layout,
    how: How,
    queries: Container[str] | None = None,
) -> Iterator[RepeatedLine]:
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
            yield RepeatedLine(name, number, query, document, before)


def first_in_qrels(files: Files, how: How) -> str:
    """The first document that a query has a second time."""
    seen: set[tuple[bytes, bytes]] = set()
    for query, _, document, _ in rows(files.qrels.text, how):
        if (query, document) in seen:
            pair = pair_in_words([(trec.id_of(query), trec.id_of(document))])
            return f"{pair} in {files.qrels.name}"
        seen.add((query, document))
    return ""


def first_in_run(files: Files, statistics: RunStatistics) -> str:
    """The first document that a query has a second time: statistics say in which of its lines."""
    lines_before = {x.query: x.remark.second for x in statistics.queries if x.remark.dropped}
    if not lines_before:
        return ""
    for line in files.lines():
        query, document = map(trec.id_of, trec.pair_of(line, trec.RUN))
        if query in lines_before:
            if lines_before[query] == 0:
                return f"{pair_in_words([(query, document)])} in {files.run.name}"
            lines_before[query] -= 1
    raise files.run.changed()


def pair_in_words(found: Sequence[tuple[str, str]]) -> str:
    """The first of some pairs of query and document."""
    if not found:
        return ""
    query, document = found[0]
    return f"document {shown_text(document)} of query {shown_text(query)}"
