"""What is to be seen of a run and its qrels while they are read: nothing is evaluated here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from ...errors import shown_text
from ...evaluation.conventions import Conventions
from ...evaluation.evaluate import prepared
from ...evaluation.line_statistics import Remark, contradiction, rows
from ...evaluation.ranked import Judged, RankedLists, compared, judgments, merged, ranking
from ...formats import trec
from ...formats.frames import Label
from ...formats.streams import Stream
from ...progress import Readings
from ...reference.numbers.reals import Exact

Labels = Mapping[str, Mapping[str, Label]]


@dataclass(frozen=True)
class Files:
    """Qrels, which are read whole, and a run, which is read as often as is asked for.

    qrels, text, labels: the name of the qrels, their bytes, and what is kept of them
    backend: which reader reads the run: "c" or "reference"
    """

    qrels: str
    text: bytes
    labels: Labels
    run: Stream
    backend: str

    def judged(self, conventions: Conventions) -> Judged:
        """The judgments that count."""
        return prepared(self.labels, conventions, self.backend)

    def lines(self) -> Iterator[bytes]:
        """The lines of the run."""
        if self.backend == "reference":
            return iter(self.run.content().split(b"\n"))
        from ...formats.blocks import lines

        return lines(self.run)

    def lines_of(self, queries: Sequence[str]) -> bytes:
        """The lines of some queries of the run."""
        if self.backend == "reference":
            own = (x for x in self.lines() if trec.id_of(trec.pair_of(x, trec.RUN)[0]) in queries)
            return b"\n".join(own)
        from ...evaluation.joined import lines_of

        return lines_of(self.run, queries)


class Seen(NamedTuple):
    """What is to be seen of one query.

    length, considered, top: how many documents the list has, how many of them are considered
        (RS-CONV-16), and how many of these are its top
    all_tied: how many that are considered have the score of another of the list
    tied, unjudged: how many of the top have the score of another of the list; have no judgment
    any_unjudged: whether any of the list has no judgment
    cut: whether the depth cuts a tie: what the list is, is left open
    merged: whether 32-bit floats tie some that are considered, whose scores and labels differ, with
        each other or with what is below the depth (RS-CONV-12)
    """

    query: str
    length: int
    considered: int
    top: int
    all_tied: int
    tied: int
    unjudged: int
    any_unjudged: bool
    cut: bool
    merged: bool
    remark: Remark


@dataclass(frozen=True)
class Survey:
    """What is to be seen of all queries.

    seen: of those of the run, in its order
    listed: of those that are evaluated: that both files have, in the order of the qrels, or all
        of the run (RS-CONV-9)
    ordered: of the same, by the lists that the conventions evaluate, which may be condensed
    """

    seen: list[Seen]
    listed: list[Seen]
    ordered: list[Seen]


def readings_for(conventions: Conventions) -> int:
    """How often a survey reads the run."""
    return 2 if conventions.unjudged == "condensed" else 1


def survey(files: Files, conventions: Conventions, top: int, readings: Readings) -> Survey:
    """What is to be seen under some conventions; top: how many ranks are the top."""

    def work(lists: RankedLists) -> list[Seen]:
        return list(_seen(lists, top, conventions.depth))

    def seen(rules: Conventions) -> list[Seen]:
        progress = readings.next()
        pieces = files.judged(rules).map_run(files.run, rules, work, progress, remarks=True)
        return [seen for piece in pieces for seen in piece.result]

    def evaluated(found: list[Seen]) -> list[Seen]:
        if conventions.queries == "run":
            return found
        by_query = {seen.query: seen for seen in found}
        return [by_query[query] for query in files.labels if query in by_query]

    every = seen(_with_all_judgments(conventions))
    listed = evaluated(every)
    if conventions.unjudged != "condensed":
        return Survey(every, listed, listed)
    return Survey(every, listed, evaluated(seen(_as_ordered(conventions))))


def _as_ordered(conventions: Conventions) -> Conventions:
    """The conventions by which the lists of a survey are made, those of all queries of the run.

    Which documents are tied depends on no rule, and where "expected" leaves open what a depth
    cuts off, that is no error here. Nor are negative labels.
    """
    by_id = conventions.ties in ("id-descending", "id-ascending")
    ties = conventions.ties if by_id else "input"
    return replace(harmless(conventions), ties=ties, queries="run", depth=None)


def _with_all_judgments(conventions: Conventions) -> Conventions:
    """The same, where nothing is left out."""
    return replace(_as_ordered(conventions), unjudged="nonrelevant")


def harmless(conventions: Conventions) -> Conventions:
    """The same, where negative labels are no error."""
    return replace(conventions, negative="zero") if conventions.negative == "error" else conventions


def _seen(lists: RankedLists, top: int, depth: int | None) -> Iterator[Seen]:
    starts = bytes(lists.starts) + b"\1"  # behind a list, another starts
    unjudged = bytes(lists.unjudged)
    bounds = pairwise(lists.batch.offsets)
    for query, remark, (begin, end) in zip(lists.queries, lists.remarks, bounds, strict=True):
        considered = end if depth is None else min(end, begin + depth)
        end_of_top = min(considered, begin + top)
        first_tied = starts.find(0, begin, end) - 1  # the next starts no group of its own
        if first_tied < 0:
            first_tied = end
        yield Seen(
            query,
            length=end - begin,
            considered=considered - begin,
            top=end_of_top - begin,
            all_tied=_number_of_tied(starts, first_tied, considered),
            tied=_number_of_tied(starts, first_tied, end_of_top),
            unjudged=unjudged.count(1, begin, end_of_top),
            any_unjudged=1 in unjudged[begin:end],
            cut=considered < end and not starts[considered],
            merged=0 <= remark.merged < considered - begin,
            remark=remark,
        )


def _number_of_tied(starts: bytes, begin: int, end: int) -> int:
    """How many documents from begin to end are not alone in their tie group."""
    if begin >= end:
        return 0
    own, behind = (int.from_bytes(starts[i : i + end - begin], "big") for i in (begin, begin + 1))
    return end - begin - (own & behind).bit_count()  # of two lists of 0 and 1: no loop over them


# ---- examples ----------------------------------------------------------------------------


class Examples:
    """What is the matter with some queries of the run, in words, by their lines."""

    def __init__(self, files: Files, queries: Sequence[str], conventions: Conventions) -> None:
        self._labels = files.labels
        self._conventions = conventions
        self._lines = files.lines_of(queries) if queries else b""
        self._scores = {}
        if queries:
            self._scores = trec.parse_run(files.run.name, self._lines, conventions.how)

    def tie(self, query: str) -> str:
        """The first documents of equal score."""
        scores = self._scores[query]
        rules = _as_ordered(self._conventions)
        documents, starts = ranking(query, scores, self._counted(query, rules), rules)
        first = documents[starts.index(0) - 1]
        as_compared = compared(scores, rules)
        number = sum(other == as_compared[first] for other in as_compared.values())
        return f"{number} of score {written(scores[first])} in query {shown_text(query)}"

    def merged(self, query: str) -> str:
        """Two documents of different labels and scores, which 32-bit floats tie."""
        scores, rules = self._scores[query], _as_ordered(self._conventions)
        judged = self._counted(query, rules)
        _, tied = merged(query, scores, judged, rules)
        labels = {document: judged.get(document, 0) for document in tied}
        first = tied[0]
        one = next(x for x in tied if labels[x] != labels[first])
        other = next(x for x in tied if scores[x] != scores[first])
        if scores[one] != scores[first]:  # the label and the score
            other = first
        elif labels[other] != labels[first]:
            one = first
        pair = " and ".join(f"{shown_text(x)} of {written(scores[x])}" for x in (one, other))
        return f"{pair} in query {shown_text(query)}"

    def unjudged(self, query: str) -> str:
        """The first document without a judgment."""
        rules = _with_all_judgments(self._conventions)
        judged = self._counted(query, rules)
        documents, _ = ranking(query, self._scores[query], judged, rules)
        document = next(x for x in documents if x not in judged)
        return f"document {shown_text(document)} of query {shown_text(query)}"

    def contradiction(self, query: str) -> str:
        """The first two ranks that contradict the scores."""
        every = rows(self._lines, self._conventions.how)
        own = (row for row in every if trec.id_of(row[0]) == query)
        found = contradiction(own, self._scores[query])
        assert found  # noqa: S101
        (above, its_score), (below, higher) = found
        return (
            f"query {shown_text(query)}: rank {above} has the score {written(its_score)}, "
            f"rank {below} has {written(higher)}"
        )

    def _counted(self, query: str, rules: Conventions) -> Mapping[str, Label]:
        return judgments({query: self._labels.get(query, {})}, rules)[query]


def written(score: Exact) -> str:
    """A score with all its digits."""
    return repr(float(score)).removesuffix(".0")
