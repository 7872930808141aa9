"""Names that look like a mistake: two tags in a run, ids that differ only in case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from ...compute.pools import has_no_relevant
from ...errors import shown_text
from ...formats import trec
from ...formats.frames import Label
from ...formats.trec import How
from .files import Files, Labels

TAG, DOCUMENT = trec.RUN.columns.index("tag"), trec.RUN.document


@dataclass(frozen=True)
class NamesOfRun:
    """Counts of the lines of a run, from one reading.

    lines: how many there are
    other_tags, tags: how many lines have another tag than the first one; an example
    other_case, documents: how many have a document without a judgment, and another document is
        judged whose id differs only in case; an example
    """

    lines: int = 0
    other_tags: int = 0
    tags: str = ""
    other_case: int = 0
    documents: str = ""


def names_of_run(files: Files, how: How) -> NamesOfRun:
    """Read the lines of a run once, and compare their tags and documents."""
    by_case: dict[bytes, dict[str, str]] = {}
    labels = files.labels
    judged: Mapping[str, Label] = {}
    query = first_tag = b""
    lines = other_tags = other_case = 0
    tags = documents = ""
    for number, line in enumerate(files.lines(), start=1):
        fields = line.split()
        if not fields or (how.comments and fields[0].startswith(b"#")):
            continue
        lines += 1
        if not first_tag:
            first_tag, first_line = fields[TAG], number
        elif fields[TAG] != first_tag:
            other_tags += 1
            tags = tags or (
                f"{shown_text(fields[TAG])} in line {number}, {shown_text(first_tag)} in line "
                f"{first_line}"
            )
        if fields[0] != query:
            query = fields[0]
            judged = labels.get(trec.id_of(query), {})
        document = trec.id_of(fields[DOCUMENT])
        if not judged or document in judged:
            continue
        if query not in by_case:
            by_case[query] = {known.casefold(): known for known in judged}
        other = by_case[query].get(document.casefold())
        if other is not None:
            other_case += 1
            documents = documents or (
                f"document {shown_text(document)} of query {shown_text(query)}, judged as "
                f"{shown_text(other)}"
            )
    return NamesOfRun(lines, other_tags, tags, other_case, documents)


def queries_of_other_case(judged: Iterable[str], retrieved: Iterable[str]) -> list[tuple[str, str]]:
    """The pairs of queries, of qrels and run together, whose ids differ only in case."""
    first: dict[str, str] = {}
    pairs = []
    for query in dict.fromkeys(chain(judged, retrieved)):
        other = first.setdefault(query.casefold(), query)
        if other != query:
            pairs.append((other, query))
    return pairs


def without_relevant(counted: Labels) -> list[str]:
    """The queries that have judgments, and no label above 0."""
    return [q for q, labels in counted.items() if labels and has_no_relevant(labels.values())]
